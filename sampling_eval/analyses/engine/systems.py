"""Systems: those in one or several inputs, the questions they share, whether two are one run.

Most verbs read systems one by one (`load_systems`), `table` every model and group there is
(`gather_models`). Both put them on their common questions (`align_systems`).
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from filecmp import cmp
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ...errors import OptionError, retell
from ...spelling import name_verb, option
from ...foundations.counts import Counts, equal_fields, faults
from ...inference.comparison import align
from ...inference.regressions import chance_of_equal_counts
from ...patterns import label_path, match_paths
from ...reading.battles import Battles
from ...reading.counted import holds_paths, is_written_count
from ...reading.load import Loaded, TextSource, load, refuse_several_counts
from ...reading.options import Options
from ...reading.sample_ids import Task, refuse_other_tasks, tell_versions
from ...results.cautions import Caution, IdenticalOutcomes, Stated
from ...results.reading import Alignment, LackingGroup, ReadSummary, count_common
from .battles import battles_of, refuse_battles, refuse_several_battles
from .measure import counts_by_model, share_weights
from .runs import RunTable, run_tables

Blocks: TypeAlias = dict[tuple[str, str], Counts]  # By model and group; an empty group for all

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_RANKED = 500  # Systems of which all pairs are judged
FEWEST = 20  # Questions on which equal outcomes say something
RARE = 1e-3  # Chance below which two runs do not agree on every question by accident


@dataclass(frozen=True)
class Systems:
    "Counts by name of the system, what was read, and why fields are absent."
    counts: dict[str, Counts]
    lacks: dict[str, str]
    weights: Mapping[Any, float] | None = None  # Weight by question, where it was asked for
    warnings: tuple[str, ...] = ()  # What could not be checked, as lines of their own
    inputs: dict[str, ReadSummary] = field(default_factory=dict)  # What was read, by system
    versions: str = ""  # A warning where one task was read in two versions
    texts: TextSource | None = None  # Where the samples stand
    battles: Battles | None = None  # Where judges compared two at a time
    runs: Mapping[str, RunTable | None] = field(default_factory=dict)  # Of several, where kept
    groups: Mapping[Any, str] = field(default_factory=dict)  # Question to its group; none: empty


def load_systems(
    inputs: Sequence[Any],  # Data of each input, in any form that `load` takes
    options: Options,  # How they are read
    models: Sequence[str] | str | None = None,  # One model per input, or several of one input
    places: Sequence[str] = ALPHABET,  # What each input is called where nothing better is known
    gated: bool = False,  # Whether a gate judges them, which has no rule on win shares
) -> Systems:
    """The systems in one or several inputs.

    Raises: `ValueError` where one of several models has to be chosen, or a name is unknown.
    """
    if len(inputs) > 1: refuse_unpaired(inputs, places)
    loaded = [load(data, options) for data in inputs]
    if gated: refuse_battles(loaded)
    places = list(places[:len(inputs)])
    warning = pair_tasks(dict(zip(places, loaded)))
    loaded = name_by_task(loaded)
    lacks = {field: why for one in loaded for field, why in one.lacks.items()}
    weights = share_weights([one.weights for one in loaded])
    blocks = [counts_by_model(one) for one in loaded]
    groups = {name: group for one in loaded for (_, group), counts in one.blocks.items() if group
              for name in counts.questions.tolist()}
    warnings = tuple(dict.fromkeys(f"Warning: {note.sentence}" for one in loaded
                                   for note in one.summary.warnings))
    if len(inputs) == 1:
        own = pick_models(blocks[0], models)
        return Systems(own, lacks, weights, warnings, {"": loaded[0].summary},
                       texts=text_source(loaded), battles=battles_of(loaded[0]),
                       runs=find_runs(loaded[0], options, own), groups=groups)
    refuse_several_battles(loaded)
    chosen = pick_one_each(blocks, models, places)
    names = name_systems(chosen, [name_file(data) for data in inputs], places)
    counts = {name: block[model] for name, block, model in zip(names, blocks, chosen)}
    inputs = {name: one.summary for name, one in zip(names, loaded)}
    runs = {name: find_runs(one, options, [model])[model]
            for name, one, model in zip(names, loaded, chosen) if options.runs}
    return Systems(counts, lacks, weights, warnings, inputs, warning,
                   text_source(loaded, names, chosen), runs=runs, groups=groups)


def find_runs(
    loaded: Loaded,  # What was read
    options: Options,  # How
    models: Iterable[str],  # Those wanted
) -> dict[str, RunTable | None]:  # None where the run of a sample is not known
    "The runs of some models, where they were kept."
    if not options.runs: return {}
    found = run_tables(loaded, options.policy.missing == "drop", list(models))
    return {name: found.get(name) for name in models}


def text_source(
    loaded: Sequence[Loaded],  # Each input
    names: Sequence[str] = (),  # What its system is called; empty where the input says so
    models: Sequence[str] = (),  # Which of its models that is
) -> TextSource | None:  # None where nothing is from a file
    "Where the samples of the systems stand."
    origins = [one.origin for one in loaded]
    if names:
        origins = [origin and replace(origin, system=name, model=model)
                   for origin, name, model in zip(origins, names, models)]
    return TextSource(tuple(filter(None, origins))) if any(origins) else None


def refuse_unpaired(inputs: Sequence[Any], places: Sequence[str]) -> None:
    "Refuse written counts where questions are to be paired."
    written = [(place, one) for place, one in zip(places, inputs) if is_written_count(one)]
    if not written: return
    place, text = written[0]
    raise OptionError(place, "questions are compared one by one, and a written count does not say "
                             "which of them are right", got=text,
                      hint=f"{name_verb('compare')} of two written counts gives the unpaired CI; "
                           "else pass a table or log with names of questions")


def pick_models(block: dict[str, Counts], models: Sequence[str] | str | None) -> dict[str, Counts]:
    "The models wanted of a single input; all of them by default."
    wanted = [models] if isinstance(models, str) else list(block) if models is None else models
    return {name: block[pick_model(block, name, "the data")] for name in wanted}


def pick_one_each(
    blocks: list[dict[str, Counts]], models: Sequence[str] | str | None, places: list[str],
) -> list[str]:
    "The model wanted of each input; one name holds for all of them."
    same = models is None or isinstance(models, str)
    wanted: list[Any] = [models] * len(blocks) if same else list(models or ())
    if len(wanted) != len(blocks):
        raise OptionError("models", must=f"name one model per input ({len(blocks)})",
                          got=len(wanted))
    return [pick_model(*one) for one in zip(blocks, wanted, places)]


def pick_model(
    block: Mapping[str, Counts],  # Counts of each model
    name: str | None,  # Model wanted; None where there is only one
    where: str,  # What the input is called
) -> str:  # Its name
    "The model of that name, or the only one there is."
    listed = ", ".join(map(repr, list(block)[:5])) + ", ..." * (len(block) > 5)
    if name is None:
        if len(block) == 1: return next(iter(block))
        raise OptionError("models", f"{where} must hold one model",
                          found=f"{len(block)} ({listed})",
                          hint=f"choose with {option('models')}")
    if name in list(block): return name
    raise OptionError("models", must=f"name a model of {where} ({listed})", got=name)


def name_file(data: Any) -> str:
    "The last part of a path, or a written count; empty for data of any other kind."
    if is_written_count(data): return str(data)
    return Path(data).name if isinstance(data, (str, PathLike)) else ""


def name_systems(*candidates: list[str]) -> list[str]:
    "The first list of names that are there and differ."
    def fit(names: list[str]) -> bool: return all(names) and len(set(names)) == len(names)
    return next(names for names in candidates if fit(names))


# Questions in common.

@dataclass(frozen=True)
class Aligned:
    "The counts of every system on the questions that all of them have."
    sides: dict[str, Counts]
    rows: list[int]  # Where the common questions stand in the first system
    # How many questions are shared, and what was left out
    alignment: Alignment = field(default_factory=lambda: Alignment(0))

    @property
    def questions(self) -> np.ndarray:
        "Names of the common questions."
        return next(iter(self.sides.values())).questions


def align_systems(
    sides: Mapping[str, Counts],  # Counts by name of the system
    on_unmatched: str = "refuse",  # Questions that only some have: `refuse` or `drop`
) -> Aligned:
    """The systems on their common questions, in the order of the first.

    Raises: `ValueError` where questions are not shared and may not be dropped.
    """
    names = list(sides)
    if not names: raise OptionError("models", must="name a model", found="none")
    refuse_crowd(len(names))
    common = sides[names[0]].questions.tolist()
    for name in names[1:]:
        common = list(align_pair(common, sides, names[0], name, on_unmatched).names)
    rows = [rows_of_questions(side, common) for side in sides.values()]
    cut = {name: cut_counts(side, np.array(row)) for (name, side), row in zip(sides.items(), rows)}
    return Aligned(cut, rows[0], count_common(sides, common))


def refuse_crowd(count: int) -> None:
    "Refuse more systems than all pairs can be judged of."
    if count <= MOST_RANKED: return
    raise OptionError("models", f"all pairs of at most {MOST_RANKED} models are judged",
                      found=f"{count:,} models ({count * (count - 1) // 2:,} pairs)",
                      hint=f"name some with {option('models')}, or see all of them with score")


def align_pair(common, sides, first, name, on_unmatched):
    "The questions shared so far and by one more system."
    try: return align(common, sides[name].questions, on_unmatched)
    except ValueError as error:
        who = "" if list(sides) == ["A", "B"] else f" (A is {first!r}, B is {name!r})"
        retell(error, lambda said: f"{said}{who}")
        raise


def rows_of_questions(counts: Counts, names: list) -> list[int]:
    "Where some questions stand in the counts."
    place = {name: row for row, name in enumerate(counts.questions.tolist())}
    return [place[name] for name in names]


def cut_counts(
    counts: Counts,  # Counts of one system
    rows: np.ndarray,  # Positions of the questions wanted
) -> Counts:  # Those questions, in that order
    "Counts of some questions."
    if np.array_equal(rows, np.arange(len(counts))): return counts
    def take(values): return None if values is None else np.asarray(values)[rows]
    parts = {name: take(getattr(counts, name))
             for name in ("n", "c", "questions", "missing", "score_sum", "cluster")}
    sums = {name: take(values) for name, values in counts.sums.items()}
    votes, rewards = cut_votes(counts.votes, rows), cut_rewards(counts.rewards, rows)
    return Counts(**parts, votes=votes, rewards=rewards, sums=sums)


def cut_votes(votes, rows):
    "Votes of some questions."
    if votes is None: return None
    own, question = entries_of_questions(votes.question, rows, len(votes.blank))
    parts = {name: getattr(votes, name)[own] for name in ("answer", "votes", "correct")}
    names = votes.questions[rows]
    return replace(votes, question=question, questions=names, blank=votes.blank[rows], **parts)


def cut_rewards(rewards, rows):
    "Rewards of some questions."
    if rewards is None: return None
    own, question = entries_of_questions(rewards.question, rows, len(rewards))
    correct = None if rewards.correct is None else rewards.correct[own]
    names = rewards.questions[rows]
    return replace(rewards, question=question, questions=names,
                   score=rewards.score[own], correct=correct)


def entries_of_questions(question, rows, size):
    "The entries of some questions, and the new position of the question of each."
    place = np.full(size, -1)
    place[rows] = np.arange(len(rows))
    moved = place[question]
    own = np.argsort(moved, kind="stable")[(moved < 0).sum():]
    return own, moved[own]


# Groups of the common questions.

def question_groups(
    aligned: Aligned,  # Systems on their common questions
    cluster: Any = None,  # Mapping of question to group, or groups in the order of the first
) -> list | None:  # Group of each common question
    """The group of each question: as given, or as read and the same on every side.

    Value: None where each question is a group of its own.

    Raises: `ValueError` where a question has no group, or two.
    """
    return drop_alone(name_groups(aligned, cluster))


def drop_alone(groups: list | None) -> list | None:
    "Groups of questions; None where each holds one."
    return None if groups is None or len(set(groups)) == len(groups) else groups


def name_groups(aligned: Aligned, cluster: Any = None) -> list | None:
    "The group of each question, which may be the only one of its group."
    names = aligned.questions.tolist()
    if isinstance(cluster, Mapping): return look_up_groups(cluster, names)
    if cluster is not None and not isinstance(cluster, (str, bool)):
        if not hasattr(cluster, "__len__"):
            raise TypeError("cluster must be a column, or the group of each question, "
                            f"got {cluster!r:.60}")
        if len(cluster) <= max(aligned.rows):
            raise ValueError(f"cluster must hold one name per question of A, got {len(cluster)}")
        return np.asarray(cluster)[aligned.rows].tolist()
    found = [side.cluster for side in aligned.sides.values() if side.cluster is not None]
    for other in found[1:]: refuse_other_groups(found[0], other, names)
    return found[0].tolist() if found else None


def look_up_groups(cluster: Mapping, names: list) -> list:
    "The group of each question by name."
    missing = [name for name in names if name not in cluster]
    if missing:
        raise OptionError("cluster", must="name a group for every question",
                          found=f"none for {missing[0]!r} ({len(missing)} of {len(names)} fail)")
    return [cluster[name] for name in names]


def refuse_other_groups(first, other, names):
    "Refuse groups that differ between two systems."
    bad = np.asarray(other) != np.asarray(first)
    if not bad.any(): return
    here, there = (np.asarray(groups)[bad].tolist()[0] for groups in (first, other))
    raise OptionError("cluster", "a question must be in one group",
                      found=f"{here!r} and {there!r}", where=faults(bad, names),
                      hint=f"without {option('cluster')} they are not used")


# Inputs of one task.

def pair_tasks(
    loaded: Mapping[str, Loaded],  # What was read of each input, by its place
) -> str:  # A warning where one task was read in two versions; else empty
    """Whether the inputs are of one task.

    Raises: `ValueError` if two of them have no task in common.
    """
    sides = {place: tasks_of(one) for place, one in loaded.items()}
    refuse_other_tasks(sides)
    return tell_versions(sides)


def tasks_of(loaded: Loaded) -> tuple[Task, ...]:
    "The tasks of one input; none for a plain table."
    return () if loaded.rows is None else loaded.rows.tasks


def name_by_task(
    loaded: Iterable[Loaded],  # What was read of each input
) -> list[Loaded]:  # The same, questions named alike
    "Inputs of which all or none name their questions by task, as logs of several tasks do."
    inputs = list(loaded)
    if not any(len(tasks_of(one)) > 1 for one in inputs): return inputs
    return list(map(name_questions, inputs))


def name_questions(loaded: Loaded) -> Loaded:
    "What was read of one task, with the task in the name of each question."
    tasks = {task.name for task in tasks_of(loaded)}
    if len(tasks) != 1: return loaded
    blocks = {key: name_counts(counts, *tasks) for key, counts in loaded.blocks.items()}
    return replace(loaded, blocks=blocks)


def name_counts(counts: Counts, task: str) -> Counts:
    "Counts with the task in the name of each question."
    known: list = np.asarray(counts.questions).tolist()
    names = np.array([f"{task}/{name}" for name in known], dtype=object)
    votes, rewards = counts.votes, counts.rewards
    if votes is not None: votes = replace(votes, questions=names)
    if rewards is not None: rewards = replace(rewards, questions=names)
    return replace(counts, questions=names, votes=votes, rewards=rewards)


# Every model and group, for a table.

@dataclass(frozen=True)
class Gathered:
    "Counts of every model and group, what was read, and why fields are absent."
    blocks: Blocks
    read: dict[str, ReadSummary]  # By input; an empty name for the only one
    lacks: dict[str, str]
    weights: Mapping[Any, float] | None = None  # Weight by question, where it was asked for
    cautions: tuple[Caution, ...] = ()  # What may be wrong with pairing them
    battles: Battles | None = None  # Where judges compared two at a time
    runs: Mapping[str, RunTable | None] = field(default_factory=dict)  # Runs of each model

    @property
    def models(self) -> list[str]: return list(dict.fromkeys(model for model, _ in self.blocks))

    @property
    def groups(self) -> list[str]:
        "The groups that some model has; none where no column of groups was named."
        return list(dict.fromkeys(group for _, group in self.blocks if group))


def gather_models(
    systems: Any,  # What `score` reads, files of one model each, or name to data
    options: Options,  # How they are read
) -> Gathered:  # Counts of every model and group
    """Every model there is.

    Raises: `ValueError` or `FileNotFoundError` for data that cannot be read, or of other tasks.
    """
    if is_named(systems):
        refuse_several_counts(list(systems.values()))
        loaded = [load(data, options) for data in systems.values()]
        return join_loaded(list(map(str, systems)), loaded, name_within, options)
    if is_several(systems): refuse_several_counts(systems)
    if is_several(systems) and leaves_open(options):
        loaded = [load(file, options) for file in systems]
        models = Counter(model for one in loaded for model in {name for name, _ in one.blocks})
        # A model whose runs or tasks stand in several files is read from all of them at once.
        if "" in models or max(models.values()) == 1:
            return join_loaded(name_files(systems), loaded, name_alone, options)
    whole = load(systems, options)
    return Gathered(whole.blocks, {"": whole.summary}, whole.lacks, whole.weights,
                    battles=battles_of(whole),
                    runs=find_runs(whole, options, counts_by_model(whole)))


def is_several(systems: Any) -> bool:
    "Whether there are several files."
    listed = isinstance(systems, (list, tuple)) and len(systems) > 1
    return listed and holds_paths(systems)


def leaves_open(options: Options) -> bool:
    "Whether nobody said what the files hold."
    return options.files_hold is None and "model" not in options.columns


def is_named(systems: Any) -> bool:
    "Whether data stand under the name of a model each, and not a column under its own."
    if not isinstance(systems, Mapping) or not systems: return False
    return all(map(is_system, systems.values()))


def is_system(data: Any) -> bool:
    "Whether something is more than one column."
    if isinstance(data, (list, tuple)):
        return len(data) > 0 and isinstance(data[0], (Mapping, list, tuple, PathLike))
    # A column, whatever library it is of, has one dimension.
    return getattr(data, "ndim", 2) == 2


def name_within(given: str, model: str, several: bool) -> str:
    "The name that was given, with that of the model where the data hold several."
    return f"{given} / {model}" if several else given


def name_alone(file: str, model: str, several: bool) -> str:
    "The name of the model, or of its file where it has none."
    return model or file


def name_files(files: Sequence[str | PathLike[str]]) -> list[str]:
    "Files without their ending and the folders that all have in common, where these differ."
    paths = list(map(Path, files))
    labels = [label_path(path, paths) for path in paths]
    return labels if len(set(labels)) == len(labels) else list(map(str, files))


def join_loaded(
    names: Sequence[str], loaded: Sequence[Loaded], name_model: Callable[[str, str, bool], str],
    options: Options,
) -> Gathered:
    "What was read of several inputs."
    refuse_several_battles(loaded)
    warning = pair_tasks(dict(zip(names, loaded)))
    blocks: Blocks = {}
    runs: dict[str, RunTable | None] = {}
    for name, one in zip(names, name_by_task(loaded)):
        several = len({model for model, _ in one.blocks}) > 1
        runs |= {name_model(name, model, several): table
                 for model, table in find_runs(one, options, counts_by_model(one)).items()}
        for (model, group), counts in one.blocks.items():
            blocks[name_model(name, model, several), group] = counts
    lacks = {field: why for one in loaded for field, why in one.lacks.items()}
    return Gathered(blocks, {name: one.summary for name, one in zip(names, loaded)}, lacks,
                    share_weights([one.weights for one in loaded]),
                    (Stated(warning),) if warning else (), runs=runs)


# The same questions.

def choose_models(
    found: Gathered,  # All models
    models: Sequence[str] | str | None,  # Names of those wanted; None: all
) -> list[str]:  # Their names
    """The models wanted.

    Raises: `ValueError` for a name that is not there.
    """
    wanted = [models] if isinstance(models, str) else found.models if models is None else models
    for name in wanted:
        if name not in found.models:
            raise OptionError("models", must=f"name models of the data {found.models[:5]}",
                              got=name)
    return list(wanted)


def align_groups(
    found: Gathered,  # All models
    models: Sequence[str],  # Models wanted
    on_unmatched: str,  # What only some models have: `refuse` or `drop`
) -> tuple[dict[str, Aligned], tuple[LackingGroup, ...]]:  # By group; groups that are left out
    """The models on the questions that all of them have, group by group.

    Raises: `ValueError` where one lacks what others have, and nothing may be dropped.
    """
    aligned, left_out = {}, []
    for group in found.groups or [""]:
        lacking = [model for model in models if (model, group) not in found.blocks]
        if lacking and on_unmatched != "drop":
            raise OptionError(
                "on_unmatched", "every model must have every group",
                found=f"none of {group!r} for {lacking[0]!r} ({len(lacking)} of {len(models)} "
                      "models lack it)",
                hint=f"{option('on_unmatched', 'drop')} leaves such groups out")
        if lacking:
            left_out.append(LackingGroup(group, len(lacking)))
            continue
        sides = {model: found.blocks[model, group] for model in models}
        aligned[group] = align_systems(sides, on_unmatched)
    if not aligned: raise ValueError("the models must share a group, got none in common")
    return aligned, tuple(left_out)


# Whether two systems are one run.

def check_identical(
    sides: Mapping[str, Counts],  # The baseline and the new system on their common questions
    inputs: tuple[Any, Any],  # What each was read from; None where it holds several models
    allowed: bool = False,  # Whether one run may be judged against itself
) -> tuple[IdenticalOutcomes, ...]:  # One where they agree
    """Whether the two systems hold the same outcomes on every question.

    Raises: `ValueError` where that is no accident: one file, a copy of it, or equal counts that
    two runs would hardly show.
    """
    old, new = sides.values()
    if not have_equal_outcomes(old, new): return ()
    if not allowed: refuse_identical(old, *inputs)
    return IdenticalOutcomes(len(old)),


def have_equal_outcomes(old: Counts, new: Counts) -> bool:
    "Whether two systems agree on every question; questions may have other names and groups."
    if not np.array_equal(old.n, new.n): return False
    if old.c is not None and new.c is not None and not np.array_equal(old.c, new.c): return False
    bare: dict[str, Any] = dict(questions=None, cluster=None, sums={})
    return equal_fields(replace(old, **bare), replace(new, **bare))


def identical_systems(
    systems: Mapping[str, Sequence[Counts]],  # Counts of each, of all questions or of each group
) -> Iterator[IdenticalOutcomes]:  # Nothing where systems would often agree by accident
    "Systems that hold the same outcomes on every question."
    alike: list[tuple[Sequence[Counts], list[str]]] = []
    for name, own in systems.items():
        names = next((names for first, names in alike if all(map(have_equal_outcomes, first, own))),
                     None)
        if names is None: alike.append((own, [name]))
        else: names.append(name)
    for own, names in alike:
        questions = sum(map(len, own))
        if len(names) < 2 or questions < FEWEST: continue
        chance = bound_agreement(own)
        # Systems that are always right, or never, agree of themselves.
        if chance is not None or any(map(is_mixed, own)):
            yield IdenticalOutcomes(questions, tuple(map(str, names)), p=chance)


def is_mixed(counts: Counts) -> bool:
    "Whether some outcomes are better than others."
    known = counts.score_sum if counts.c is None else counts.c
    return known is None or bool((np.unique(known / counts.n)).size > 1)


def bound_agreement(own: Sequence[Counts]) -> float | None:
    "The chance that two runs agree on every question; None where that is no wonder, or unknown."
    known = [(one.n, one.c) for one in own if one.c is not None]
    if len(known) < len(own): return None
    chance = float(np.prod([chance_of_equal_counts(n, c) for n, c in known]))
    return chance if chance < RARE else None


def refuse_identical(counts: Counts, baseline: Any, new: Any) -> None:
    "Refuse one run twice; equal outcomes that two runs often share are no reason."
    allow = f"{option('allow_identical', True)} judges them all the same"
    if same := same_file_note(baseline, new):
        raise OptionError("allow_identical", f"{same}: a gate needs two runs", hint=allow)
    chance = 1. if counts.c is None else chance_of_equal_counts(counts.n, counts.c)
    if chance < RARE:
        shown = "<1e-300" if chance < 1e-300 else f"{chance:.0e}"
        raise OptionError(
            "allow_identical", f"baseline and new hold the same outcomes on all {len(counts)} "
            f"questions, which two runs would show with probability {shown}: was a file copied, "
            f"or a cache read twice? {allow}")


def same_file_note(baseline: Any, new: Any) -> str:
    "In words that both inputs are one file, or copies; empty where they are not."
    if not all(isinstance(one, (str, PathLike)) for one in (baseline, new)): return ""
    # What a path or pattern stands for, without links.
    old_files, new_files = ({Path(path).resolve() for path in match_paths(str(one)) or [str(one)]
                             if Path(path).is_file()} for one in (baseline, new))
    if str(baseline) == str(new) or old_files and old_files == new_files:
        return f"baseline and new are the same file, {str(new)!r}"
    one_each = len(old_files) == len(new_files) == 1
    if one_each and cmp(old_files.pop(), new_files.pop(), shallow=False):
        return f"{str(new)!r} is a copy of {str(baseline)!r}, byte by byte"
    return ""
