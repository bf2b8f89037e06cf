"""How data are read: the options by name, and what missing samples count as."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any

import numpy as np

from ..errors import OptionError, OptionTypeError, list_choices, option
from ..foundations.answers import Rewards, Votes, tally
from ..foundations.counts import Counts, faults, sum_by_question, whole_numbers
from ..records import dataclass
from ..renaming import check_choice
from ..results.reading import ReadSummary
from .columns import COLUMNS, WAYS, list_names
from .sample_ids import (Fingerprint, GroupedRows, MOST, choose_questions, hash_names, list_bits,
                         make_fingerprint)
from .values import code_values

__all__ = ["Policy", "settle_rows", "complete_counts", "find_ids", "missing_error",
           "advise_missing", "Input", "Options"]

CHOICES: dict[str, tuple[str | None, ...]] = {
    "missing": ("raise", "wrong", "drop", "right"),
    "no_answer": (None, "abstain", "vote"),
    "conflict": ("refuse", "any", "majority"),
    "normalize": (None, "strip", "lower", "number"),
}

OUTSIDE = "scores lie outside [0, 1]"


@dataclass(frozen=True)
class Policy:
    """The choices that turn counted rows into counts.

    Raises: `ValueError` or `TypeError` for a choice that there is not.
    """
    missing: str = "raise"  # What a sample without an outcome counts as
    samples_per_question: int | None = None  # Samples every question should have
    no_answer: str | None = None  # Whether samples without an answer `abstain` or `vote`
    normalize: str | Callable | None = None  # Rule under which answers are equal
    conflict: str = "refuse"  # What an answer marked both right and wrong is
    scale: tuple[float, float] | None = None  # Least and largest score there can be

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if not callable(getattr(self, name)): check_choice(name, getattr(self, name), known)
        should = self.samples_per_question
        if should is not None: check_size(should)
        if self.scale is not None: object.__setattr__(self, "scale", check_scale(self.scale))


def check_size(should: int) -> None:
    "Refuse what is no number of samples."
    name = "samples_per_question"
    if isinstance(should, bool) or whole_numbers(name, should).ndim or should < 1:
        raise OptionError(name, must="be a whole number of at least 1", got=should)


def check_scale(scale: object) -> tuple[float, float]:
    "The least and the largest score, refused unless they are two rising numbers."
    ends = list(scale) if isinstance(scale, (list, tuple, np.ndarray)) else []
    known = [isinstance(end, (int, float, np.number)) and not isinstance(end, bool) for end in ends]
    if len(ends) == 2 and all(known) and -np.inf < ends[0] < ends[1] < np.inf:
        return float(ends[0]), float(ends[1])
    raise OptionError("scale", got=scale,
                      must="be the least and the largest score there can be, such as (1, 5)")


def settle_rows(
    rows: GroupedRows,  # Rows of one model
    policy: Policy,  # What missing samples and answers count as
) -> tuple[Counts, dict[str, str]]:  # Counts with votes and rewards, and why one of them is absent
    """Counts of one model.

    Raises: `ValueError` for missing samples unless a policy is chosen, or without outcomes.
    """
    graded = rows.correct is None and rows.total is not None
    if policy.scale is not None: check_scale_of_scores(rows, policy.scale)
    known = find_known(rows)
    sizes = count_samples(rows, known, policy)
    kept = np.full(len(known), True) if policy.missing != "drop" else ~np.isnan(known)
    outcome = np.where(np.isnan(known), policy.missing == "right", known)
    lacks = {"c": tell_graded(rows) if graded else ""}
    scores, lacks["score_sum"] = add_scores(rows, known, policy, sizes)
    rewards, lacks["rewards"] = list_rewards(rows, None if graded else outcome, kept, sizes)
    if rewards is not None: rewards = put_on_scale(rewards, policy)
    votes, lacks["votes"] = None, ""
    if not graded: votes, lacks["votes"] = count_votes(rows, known, outcome, kept, policy, sizes)
    counts = Counts(sizes.n, None if graded else sizes.right, rows.questions, sizes.missing, scores,
                    find_clusters(rows), votes, rewards, model=find_model(rows),
                    samples=list_hashes(rows))
    if rows.sums and not graded: counts = replace(counts, sums=split_sums(rows, outcome, kept))
    return counts, {field: why for field, why in lacks.items() if why}


def find_model(rows: GroupedRows) -> str:
    "The name of the model; empty where there is none."
    return "" if rows.model is None else str(rows.model[0])


def list_hashes(rows: GroupedRows) -> np.ndarray | None:
    "Hashes of some sample ids, of the same questions in every run; None where there are none."
    found = find_ids(rows, MOST)
    return None if found is None else found.sample


def find_ids(
    rows: GroupedRows,  # Counted rows
    most: int | None,  # Samples wanted; None for all that are known
) -> Fingerprint | None:  # Their hashes; None where samples have no ids
    "The sample ids behind counted rows."
    if rows.draws is None: return rows.fingerprint
    question = hash_names(rows.questions)
    held, end = choose_questions(question, np.bincount(rows.question, rows.times), most)
    some = np.flatnonzero(held[rows.question])
    row, number = list_bits(rows.draws[some])
    row, model = some[row], np.zeros(len(rows.times), np.uint64)
    if rows.model is not None:
        code, models = code_values(rows.model)
        model = hash_names(models)[code]
    return make_fingerprint(question[rows.question[row]], hash_names(number), model[row], end)


@dataclass(frozen=True, eq=False)
class Sizes:
    "Samples by question, shape `(Q,)` each."
    n: np.ndarray
    right: np.ndarray
    missing: np.ndarray


def find_known(rows: GroupedRows) -> np.ndarray:
    "The outcome of each row; where scores are graded, 0 for each that has one."
    if rows.correct is not None: return rows.correct
    if rows.scored is None:
        raise outcome_error(rows.summary.candidates, rows.ways)
    return np.where(rows.scored == rows.times, 0., np.nan)


def outcome_error(candidates: Sequence[str], ways: Sequence[dict]) -> OptionError:
    "The question which column holds the outcome."
    asked = "Which column holds the outcome?"
    if not candidates and ways:
        return OptionError("correct", f"{asked} None looks like one", ways=ways)
    if not candidates:
        return OptionError("correct", f"{asked} None looks like one",
                           hint=f"pass {option('correct', '...')}")
    return OptionError("correct", f"{asked} Candidates: {', '.join(candidates)}",
                       choices=candidates,
                       ways=[dict(correct=column) for column in candidates[:WAYS]])


def add_up(rows: GroupedRows, values: np.ndarray) -> np.ndarray:
    return np.bincount(rows.question, values, len(rows.questions)).astype(np.int64)


def count_samples(rows: GroupedRows, known: np.ndarray, policy: Policy) -> Sizes:
    "Samples, right and missing ones by question."
    every, unjudged = add_up(rows, rows.times), add_up(rows, rows.times * np.isnan(known))
    absent = count_absent(rows, every, policy.samples_per_question)
    missing = unjudged + absent
    if policy.missing == "raise" and missing.any():
        raise missing_error(rows.questions, unjudged, absent)
    n = every - unjudged + (0 if policy.missing == "drop" else missing)
    if (bad := n == 0).any():
        place = faults(bad, rows.questions.tolist())
        way = "" if every[bad].all() else f" with {option('samples_per_question')}"
        raise OptionError("missing", "every question needs a sample with an outcome", found="none",
                          where=place, hint=f"{option('missing', 'wrong')}{way} keeps it")
    right = add_up(rows, rows.times * (known == 1)) + (missing if policy.missing == "right" else 0)
    return Sizes(n, right, missing)


def count_absent(rows: GroupedRows, every: np.ndarray, should: int | None) -> np.ndarray:
    if should is None: return np.zeros(len(every), np.int64)
    if (bad := every > should).any():
        place = faults(bad, rows.questions.tolist())
        raise OptionError("samples_per_question", option("samples_per_question", should),
                          found=f"{every[bad][0]} rows", where=place)
    return should - every


def missing_error(
    questions: np.ndarray,  # Their names, shape `(Q,)`
    unjudged: np.ndarray,  # Samples of each without an outcome
    absent: np.ndarray,  # Samples of each that are not there at all
) -> OptionError:
    "The refusal of missing samples: what is missing, where, and which policies there are."
    kinds = ((int(unjudged.sum()), "has no outcome", "have no outcome"),
             (int(absent.sum()), "is absent", "are absent"))
    said = " and ".join(f"1 sample {one}" if m == 1 else f"{m} samples {many}"
                        for m, one, many in kinds if m)
    bad = unjudged + absent > 0
    names = list_names(questions[bad][:3].tolist()) + ", ..." * bool(bad.sum() > 3)
    where = f"question {names}" if bad.sum() == 1 else f"{bad.sum()} questions: {names}"
    return OptionError("missing", f"{said} ({where})", hint=f"pass {advise_missing()}")


def advise_missing() -> str:
    "The policies under which samples may be missing."
    return f"{option('missing', 'wrong', 'drop')} (score also takes {list_choices(['bounds'])})"


def find_clusters(rows: GroupedRows) -> np.ndarray | None:
    if rows.cluster is None: return None
    return rows.cluster[np.unique(rows.question, return_index=True)[1]]


def add_scores(rows: GroupedRows, known: np.ndarray, policy: Policy,
               sizes: Sizes) -> tuple[np.ndarray | None, str]:
    "Sum of the scores by question, or why there is none."
    if rows.total is None or rows.scored is None: return None, ""
    unjudged, unscored = np.isnan(known), rows.times - rows.scored
    if lie_outside(rows.score, rows.total, rows.scored):
        return None, tell_outside(rows)
    if unscored[~unjudged].any():
        return None, f"{int(unscored.sum())} of {len(rows)} scores are missing"
    dropped = policy.missing in ("raise", "drop")
    total = rows.total * ~unjudged if dropped else rows.total
    # Sorted, so that the sum has the same last digits whatever the order of the rows.
    order = np.lexsort((total, rows.question))
    sums = sum_by_question(rows.question[order], total[order], len(rows.questions))
    if policy.missing != "right": return sums, ""
    unseen = np.bincount(rows.question, unscored, len(sums))
    return sums + unseen + sizes.n - add_up(rows, rows.times), ""


def tell_graded(rows: GroupedRows) -> str:
    "Why there are no outcomes, and the metric that is the mean of the scores."
    assert rows.total is not None and rows.scored is not None
    outside = lie_outside(rows.score, rows.total, rows.scored)
    mean = "mean@n" if outside else "soft@n"
    return (f"scores are graded; {option('threshold')} makes them right or wrong, {mean} is their "
            "mean")


def tell_outside(rows: GroupedRows) -> str:
    "The range of scores that do not lie in [0, 1], and what to type."
    if rows.score is None: return f"{OUTSIDE}; max@k and min@k take any"
    low, high = np.nanmin(rows.score), np.nanmax(rows.score)
    percent = "if they are percentages, divide by 100; " * bool(low >= 0 and 10 < high <= 100)
    scale = (0, 100) if percent else (int(np.floor(low)), int(np.ceil(high)))
    return (f"{OUTSIDE}, got {low:g} to {high:g}; {percent}on a scale of {scale[0]} to {scale[1]} "
            f"pass {option('metrics', 'mean@n')} and {option('scale', scale)}")


def check_scale_of_scores(rows: GroupedRows, bounds: tuple[float, float]) -> None:
    "Refuse scores outside the scale that was stated, and a scale without scores."
    if rows.score is None:
        if rows.total is None:
            raise OptionError("scale", f"{option('scale')} states the range of scores",
                              found="none", hint=f"name the column with {option('score')}")
        raise OptionError("scale", f"{option('scale')} needs the single scores, which were not "
                                   "kept where the samples were counted")
    bad = (rows.score < bounds[0]) | (rows.score > bounds[1])
    if not bad.any(): return
    first = int(bad.argmax())
    raise OptionError(
        "scale", f"scores must lie in the scale {bounds[0]:g} to {bounds[1]:g}",
        found=f"{rows.score[first]:g}",
        where=f" at question {rows.questions[rows.question[first]]} "
              f"({int(rows.times[bad].sum())} of {int(rows.times.sum())} fail)")


def put_on_scale(rewards: Rewards, policy: Policy) -> Rewards:
    "The scores with their scale; without outcomes a missing one is the least, or the largest."
    if policy.scale is None: return rewards
    score = rewards.score
    if rewards.correct is None:
        filled = policy.scale[policy.missing == "right"]
        score = np.where(np.isnan(score), filled, score)
    return replace(rewards, score=score, bounds=policy.scale)


def lie_outside(score: np.ndarray | None, total: np.ndarray, scored: np.ndarray) -> bool:
    if score is not None:
        known = score[~np.isnan(score)]
        return bool((np.abs(known - .5) > .5).any())
    # Sums of rounded scores may pass the bound by a rounding.
    return bool(((total < -1e-9) | (total > scored * (1 + 1e-12) + 1e-9)).any())


def count_votes(rows: GroupedRows, known: np.ndarray, outcome: np.ndarray, kept: np.ndarray,
                policy: Policy, sizes: Sizes) -> tuple[Votes | None, str]:
    "Votes per distinct answer, or why there are none."
    if rows.answer is None or has_no_answer(rows.answer, policy): return None, ""
    answer = rows.answer[kept].astype(object)
    answer[np.isnan(known[kept])] = None
    try:
        votes = tally(rows.question[kept], answer, outcome[kept], rows.times[kept],
                      policy.normalize, policy.no_answer, policy.conflict, rows.questions)
    except (ValueError, TypeError) as error: return None, str(error)
    return replace(votes, blank=votes.blank + sizes.n - votes.n), ""


def has_no_answer(answers: np.ndarray, policy: Policy) -> bool:
    "Whether all answers are absent and nobody said what that means."
    return policy.no_answer is None and all(answer is None for answer in answers.tolist())


def list_rewards(rows: GroupedRows, outcome: np.ndarray | None, kept: np.ndarray,
                 sizes: Sizes) -> tuple[Rewards | None, str]:
    "The score of every sample, or why they are not known."
    if rows.total is None: return None, ""
    if rows.score is None:
        return None, "single scores were not kept where the samples were counted"
    times = rows.times[kept]
    question = np.repeat(rows.question[kept], times)
    absent = sizes.n - np.bincount(question, minlength=len(sizes.n))
    extra = np.repeat(np.arange(len(absent)), absent)
    score = np.r_[np.repeat(rows.score[kept], times), np.full(len(extra), np.nan)]
    right = None
    if outcome is not None:
        right = np.r_[np.repeat(outcome[kept], times) == 1, np.zeros(len(extra), bool)]
    return Rewards(np.r_[question, extra], score, right, rows.questions), ""


def split_sums(rows: GroupedRows, outcome: np.ndarray, kept: np.ndarray) -> dict[str, np.ndarray]:
    "Sums of further columns over wrong and over right samples, shape `(Q, 2)` each."
    sides = [kept & (outcome == side) for side in (0, 1)]
    size = len(rows.questions)
    return {name: np.stack([sum_by_question(rows.question[side], values[side], size)
                            for side in sides], 1) for name, values in rows.sums.items()}


def complete_counts(
    counts: Counts,  # Counts that were handed over as such
    policy: Policy,  # How many samples each question should have, and what absent ones are
) -> Counts:  # The same, with that many samples each
    """Counts in which every question has as many samples as it should.

    Raises: `ValueError` where there are more, or where what is absent cannot be filled in.
    """
    should, missing = policy.samples_per_question, policy.missing
    if policy.scale is not None: counts = state_bounds(counts, policy)
    if should is None: return counts
    plain = counts.votes is None and counts.rewards is None and counts.score_sum is None
    fills = missing != "raise" and plain and not counts.missing.any()
    odd = counts.n > should if fills else counts.n != should
    if odd.any():
        raise OptionError("samples_per_question", option("samples_per_question", should),
                          found=f"n={counts.n[odd][0]}", where=faults(odd, counts.questions),
                          hint=advise(counts, should, missing))
    absent = should - counts.n
    right = counts.c if counts.c is None or missing != "right" else counts.c + absent
    n = counts.n if missing == "drop" else counts.n + absent
    return replace(counts, n=n, c=right, missing=counts.missing + absent)


def state_bounds(counts: Counts, policy: Policy) -> Counts:
    "Counts whose scores have a scale."
    if counts.rewards is None:
        raise OptionError("scale", f"{option('scale')} states the range of scores",
                          found="counts without them")
    return replace(counts, rewards=put_on_scale(counts.rewards, policy))


def advise(counts: Counts, should: int, missing: str) -> str:
    if (counts.n > should).any(): return ""
    if missing == "raise": return f"pass {advise_missing()}"
    return "what these counts already hold cannot be completed"


# How data are read: columns, log options and the policy, checked by name.


OF_LOGS = "harness", "filter", "grade", "files_hold", "limits"
OF_TASKS = "group", "cluster"  # What the tasks of logs may be
OF_QUESTIONS = "cluster", "weight"  # Parts that may also be handed over beside the data
OF_TABLES = (*(part for part in COLUMNS if part not in OF_QUESTIONS), "threshold", "sums",
             "ignore", "keys", "expected")
OF_POLICY = tuple(field.name for field in fields(Policy))
KEPT = "answers", "scores", "draws", "runs"
GRADINGS = "score", "correct", "filter", "grade"  # Of these one may be given several times
KNOWN = *OF_TABLES, "by", "cluster", *OF_LOGS, *OF_POLICY


@dataclass(frozen=True)
class Options:
    "What `load` and `read` are told beside the data."
    columns: Mapping[str, str | bool] = field(default_factory=dict)  # Column of a part; False: none
    cluster: str | bool | Mapping | Sequence | None = None  # Column, or group of each question
    threshold: float | None = None  # Score above which a sample is correct, strictly
    sums: tuple[str, ...] = ()  # Further columns that are added up, such as a cost
    ignore: tuple[str, ...] = ()  # Columns that tell no rows apart
    harness: str = "auto"  # Name of a harness; table is any plain table
    filter: str | None = None  # Filter whose answers are taken (lm-eval)
    grade: Callable | str | None = None  # Judges anew: exact, number, or maps (answer, target)
    files_hold: str | None = None  # What files with the same questions hold: draws or models
    limits: Any = None  # How many bytes of a log are believed
    answers: bool = True  # Whether votes are kept
    scores: bool | None = None  # Whether single scores are kept; None: where they are few
    draws: bool = False  # Whether sample numbers are kept, for merging
    runs: bool = False  # Whether it is kept which run each sample is from
    whole: bool = False  # Whether all sample ids are kept, to be compared one by one
    policy: Policy = Policy()  # What settles missing samples and answers
    given: tuple[str, ...] = ()  # Names of the options that were given and hold for files only
    weights: str | Mapping | None = None  # Column, or weight by question
    several: tuple[str, tuple[Any, ...]] | None = None  # An option, and its values side by side
    keys: str | None = None  # What the keys of an object are: questions, models or samples
    means: bool = False  # Whether the mean of a whole run may stand for it: of a rerun alone
    expected: str | None = None  # Column of right answers, for `grade`
    costs: tuple[str, ...] = ()  # Of the columns added up, those whose known cells are counted

    @classmethod
    def of(
        cls,
        given: Mapping,  # Options by name; None is the same as not given
        verb_names: Iterable[str] = (),  # Further names that the caller knows, for the near match
        **kept: Any,  # What is kept: `answers`, `scores`, `draws` and `runs`
    ) -> Options:  # The same, checked
        """Options from what a caller was given.

        Raises: `TypeError` for a name that is no option, `ValueError` for a value that is none.
        """
        given = {name: value for name, value in given.items() if value is not None}
        refuse_unknown(given, verb_names)
        if "by" in given: given["group"] = given.pop("by")
        for_files = [name for name in given if name in (*OF_TABLES, *OF_LOGS)]
        several = find_several(given)
        if several is not None: del given[several[0]]
        if "scale" in given: kept["scores"] = True
        check_weighting(weights := kept.get("weights"))
        if isinstance(given.get("cluster"), (str, bool)): for_files.append("cluster")
        if isinstance(weights, str): for_files.append("weights")
        return cls(
            list_named(given, weights), given.get("cluster"), given.get("threshold"),
            check_names("sums", given.get("sums", ())),
            check_names("ignore", given.get("ignore", ())), **pick_given(given, OF_LOGS), **kept,
            policy=Policy(**pick_given(given, OF_POLICY)), given=tuple(for_files),
            keys=given.get("keys"), expected=given.get("expected"),
            several=several)

    @property
    def names_columns(self) -> bool:
        "Whether a column was named that only a plain table has."
        if self.harness != "auto": return self.harness == "table"
        named = any(isinstance(name, str) for part, name in self.columns.items()
                    if part != "score" and not (part in OF_TASKS and name == "task"))
        return named or bool(set(self.sums) - set(self.costs))

    def split(self) -> dict[str, Options]:
        "The same options once for each grading, by its name; none where there is only one."
        if self.several is None: return {}
        part, values = self.several
        return {name_grading(value): replace(self.choose(part, value), several=None)
                for value in values}

    def choose(self, part: str, value: Any) -> Options:
        "The same with one grading."
        if part in OF_LOGS: return replace(self, **{part: value})
        return replace(self, columns={**self.columns, part: value})

    @property
    def uses_clusters(self) -> bool:
        "Whether a column of clusters is used."
        return isinstance(self.cluster, (str, bool)) and bool(self.cluster)

    @property
    def groups_questions(self) -> bool:
        "Whether clusters were handed over beside the data."
        return self.cluster is not None and not isinstance(self.cluster, (str, bool))


@dataclass(frozen=True)
class Input:
    "Files of one system, or of several that they name."
    data: Any  # Paths
    options: Options  # How they were read
    summary: ReadSummary  # What was taken for what
    system: str | None = None  # What the result calls it; None: as the files do
    model: str | None = None  # Which model of the files it is; None: the only one


def check_weighting(weights: Any) -> None:
    "Refuse weights that are neither a column nor a mapping."
    if weights is None or isinstance(weights, (str, Mapping)): return
    raise OptionTypeError("weights", must="be a column or a mapping of question to weight",
                          found=type(weights).__name__)


def find_several(given: dict[str, Any]) -> tuple[str, tuple[Any, ...]] | None:
    "The option that was given several values, each of which grades the samples anew."
    found = [name for name in GRADINGS if isinstance(given.get(name), (list, tuple))]
    if not found: return None
    if len(found) > 1:
        raise OptionError(found[1], "only one option may hold several gradings",
                          found=f"{option(found[0])} and {option(found[1])}")
    values = tuple(given[found[0]])
    names = list(map(name_grading, values))
    if names and len(set(names)) == len(names): return found[0], values
    raise OptionError(found[0], must="name each grading once", found=str(names))


def name_grading(value: Any) -> str:
    "What one grading is called."
    return value if isinstance(value, str) else getattr(value, "__name__", str(value))


def pick_given(given: Mapping, names: Iterable[str]) -> dict[str, Any]:
    "Those of some options that were given."
    return {name: given[name] for name in names if name in given}


def list_named(given: Mapping, weights: Any) -> dict[str, Any]:
    "The column of each part, as far as it was named."
    columns = pick_given(given, (part for part in COLUMNS if part in OF_TABLES))
    if isinstance(given.get("cluster"), str): columns["cluster"] = given["cluster"]
    if isinstance(weights, str): columns["weight"] = weights
    return columns


def refuse_unknown(given: Mapping, verb_names: Iterable[str]) -> None:
    odd = next((name for name in given if name not in KNOWN), None)
    if odd is None: return
    if odd in ("weights", "largest_weight"):
        raise OptionTypeError(odd, f"{option(odd)} is for score, compare, table and gate",
                              hint="leave it out, or use one of these")
    from difflib import get_close_matches
    near = get_close_matches(odd, [*verb_names, *KNOWN], 1, .5)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(KNOWN)}"
    raise OptionTypeError(odd, f"there is no option {odd!r}", choices=KNOWN, hint=hint)


def check_names(asked: str, names: str | Sequence[str]) -> tuple[str, ...]:
    "The columns that an option names."
    names = (names,) if isinstance(names, str) else tuple(names)
    if len(set(names)) == len(names): return names
    raise OptionError(asked, must="name each column once", found=str(names))
