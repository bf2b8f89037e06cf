"""Counted rows and tables of outcomes, and the counts that they become under a policy.

`CountedRows` is what every reader returns; `settle_rows` and `count_outcomes` make `Counts` of rows
and of tables, once `Policy` says what samples without an outcome count as.
"""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

import numpy as np

from ..arguments import check_choice
from ..errors import OptionError
from ..spelling import Sentence, list_choices, marked, option
from ..foundations.answers import Rewards, Votes, tally
from ..foundations.counts import Counts, counts_of, faults, sum_by_question, whole_numbers
from ..results.reading import Coverage, ReadNote, ReadSummary, Repeat
from .columns import WAYS, list_names
from .sample_ids import (File, Fingerprint, MOST, Task, choose_questions, hash_names, list_bits,
                         make_fingerprint)
from .values import code_equal, code_in_order, code_values, is_absent

__all__ = ["CountedRows", "Policy", "note_repeated_rows", "settle_rows", "complete_counts",
           "find_ids", "advise_missing", "holds_outcomes", "holds_paths", "is_tensor", "array_of",
           "count_outcomes", "place_outcomes", "is_written_count", "read_written_count"]

PARTS = ("correct", "answer", "score", "total", "scored", "model", "group", "cluster", "item",
         "weight", "draws", "runs")
SHOWN = "correct", "answer", "score", "model", "group", "cluster"


CHOICES: dict[str, tuple[str | None, ...]] = {
    "missing": ("raise", "wrong", "drop", "right"),
    "no_answer": (None, "abstain", "vote"),
    "conflict": ("refuse", "any", "majority", "mean"),
    "normalize": (None, "strip", "lower", "number"),
}

MOST_SAMPLES = 2**24  # Samples of a question beyond which no data go
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
    if should > MOST_SAMPLES:
        raise OptionError(name, must=f"be at most {MOST_SAMPLES:,}", got=should)


def check_scale(scale: object) -> tuple[float, float]:
    "The least and the largest score, refused unless they are two rising numbers."
    ends = list(scale) if isinstance(scale, (list, tuple, np.ndarray)) else []
    known = [isinstance(end, (int, float, np.number)) and not isinstance(end, bool) for end in ends]
    if len(ends) == 2 and all(known) and -np.inf < ends[0] < ends[1] < np.inf:
        return float(ends[0]), float(ends[1])
    raise OptionError("scale", got=scale,
                      must="be the least and the largest score there can be, such as (1, 5)")


@dataclass(frozen=True, eq=False, repr=False)
class CountedRows:
    "Samples of a table with equal ones counted: a row stands for all that are equal."
    question: np.ndarray  # Code of each row's question: its position in `questions`
    questions: np.ndarray  # Names of the questions
    times: np.ndarray  # Samples that each row stands for
    correct: np.ndarray | None = None  # 1.0, 0.0, or NaN where the outcome is missing
    answer: np.ndarray | None = None  # Answers as objects, None where there is none
    score: np.ndarray | None = None  # Score of each sample of the row, NaN where there is none
    total: np.ndarray | None = None  # Sum of the scores there are
    scored: np.ndarray | None = None  # Samples that have a score
    model: np.ndarray | None = None  # Name of the model each row comes from
    group: np.ndarray | None = None  # Part of the benchmark each question belongs to
    cluster: np.ndarray | None = None  # Cluster each question belongs to, such as a passage
    item: np.ndarray | None = None  # Own name of each question, where groups or tasks share some
    weight: np.ndarray | None = None  # Weight of each question in a mean, if it was asked for
    sums: Mapping[str, np.ndarray] = field(default_factory=dict)  # Sums of further columns
    draws: np.ndarray | None = None  # Sample numbers as sets of bits, shape `(R, 3)`
    runs: np.ndarray | None = None  # Runs of the samples as sets of bits, shape `(R, 3)`
    run_names: tuple[Any, ...] = ()  # Name of the run of each bit
    sample_column: str = ""  # Column that numbers the samples, or columns that hold one each
    ordered: bool = True  # Whether numbers of samples are the data's own, and not made here
    summary: ReadSummary = field(default_factory=ReadSummary)  # What was read, and as what
    files: tuple[File, ...] = ()  # Files that were read
    tasks: tuple[Task, ...] = ()  # Tasks of the logs that were read
    fingerprint: Fingerprint | None = None  # Sample ids, where `draws` does not hold them
    derived: bool = False  # Whether outcomes are scores that happen to be all 0 or 1
    ways: tuple[dict[str, Any], ...] = ()  # Options that would give the outcome that is absent
    decided: tuple[Any, ...] = ()  # What the rules of identification decided
    totals: tuple[Coverage, ...] = ()  # Totals that logs store, and how many samples they hold
    repeats: tuple[Repeat, ...] = ()  # Logs that were appended to themselves
    battles: Any = None  # Win shares by pair of models, where judges compared two at a time

    def __len__(self) -> int: return int(self.times.sum())

    @property
    def source(self) -> str:
        "What was read as clauses of a sentence; `summary` has them as fields."
        return str(self.summary)

    @property
    def warnings(self) -> tuple[str, ...]:
        "What could not be checked, a sentence each; `summary.warnings` has them as fields."
        return tuple(note.sentence for note in self.summary.warnings)

    def __repr__(self) -> str:
        parts = ", ".join(part for part in SHOWN if getattr(self, part) is not None)
        return (f"CountedRows({len(self)} samples of {len(self.questions)} questions; "
                f"{parts or 'no other column'})")

    def models(self) -> dict:
        "The rows of each model under its name; under '' if no model is named."
        return split_rows(self, "model")

    def groups(self) -> dict:
        "The rows of each group under its name; under '' if there are no groups."
        return split_rows(self, "group")

    def counts(
        self,
        policy: Policy = Policy(),  # What missing samples and answers count as
    ) -> Counts:  # One entry per question, with its votes and scores
        """Samples and correct samples per question of one model.

        Raises: `ValueError` for several models, without outcomes, or as the policy says.
        """
        names = [] if self.model is None else list(dict.fromkeys(self.model.tolist()))
        if len(names) > 1:
            raise OptionError("model", "counts are of one model", found=list_names(names),
                              hint=f"take one of models(), or pass {option('model', False)} when "
                                   "reading if these are samples of one")
        if self.correct is None and self.total is not None:
            raise OptionError("threshold", "scores are graded, and no column holds the outcome",
                              hint=f"pass {option('threshold', ...)} when reading to derive it "
                                   "from score")
        return settle_rows(self, policy)[0]


def split_rows(rows: CountedRows, part: str) -> dict:
    "Rows by the names in one column, in order of first appearance."
    column = getattr(rows, part)
    if column is None: return {"": rows}
    code, names = code_equal(column.tolist())
    found = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    return {name: take_rows(rows, some) for name, some in zip(names, found)}


def take_rows(rows: CountedRows, some: np.ndarray) -> CountedRows:
    "Some of the rows."
    present, _, code = code_in_order(rows.question[some])
    columns: dict[str, Any] = {
        part: None if (value := getattr(rows, part)) is None else value[some]
        for part in PARTS}
    sums = {name: values[some] for name, values in rows.sums.items()}
    # Which samples stand behind some of the rows, hashes do not tell.
    known = rows.fingerprint if len(some) == len(rows.times) else None
    return replace(rows, question=code, questions=rows.questions[present], times=rows.times[some],
                   sums=sums, fingerprint=known, **columns)


# Rows that stand twice.

FEWEST = 20  # Questions on which rows that repeat say something


def note_repeated_rows(
    rows: CountedRows,  # What was read
    file: str = "",  # Name of the only file; empty for several, or for other data
) -> Iterator[ReadNote]:  # Nothing where samples have names: the same one twice is refused
    "By model, rows equal to an earlier one without which every question has as many samples."
    if rows.sample_column and rows.ordered or not (rows.times > 1).any(): return
    what = "question and outcome" if rows.answer is None else "question, outcome and answer"
    model, names = np.zeros(len(rows.times), int), [""]
    if rows.model is not None: model, names = code_equal(rows.model.tolist())
    pair, place = np.unique(model * len(rows.questions) + rows.question, return_inverse=True)
    n, own = np.bincount(place.ravel(), rows.times), pair // len(rows.questions)
    questions, every = np.bincount(own), np.bincount(own, n)
    least = np.full(len(names), np.inf)
    np.minimum.at(least, own, n)
    repeated = np.bincount(model, rows.times - 1)
    found = (questions >= FEWEST) & (repeated > 0) & (repeated == every - questions * least)
    for i in np.flatnonzero(found).tolist():
        yield ReadNote("repeated_rows", (str(names[i]), file), count=int(repeated[i]),
                       total=int(every[i]), value=int(least[i]), text=what)


# Counts of rows.

def settle_rows(
    rows: CountedRows,  # Rows of one model
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


def find_model(rows: CountedRows) -> str:
    "The name of the model; empty where there is none."
    return "" if rows.model is None else str(rows.model[0])


def list_hashes(rows: CountedRows) -> np.ndarray | None:
    "Hashes of some sample ids, of the same questions in every run; None where there are none."
    found = find_ids(rows, MOST)
    return None if found is None else found.sample


def find_ids(rows: CountedRows, most: int | None) -> Fingerprint | None:
    "Hashes of the sample ids, at most so many; None where samples have none."
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


def find_known(rows: CountedRows) -> np.ndarray:
    "The outcome of each row; where scores are graded, 0 for each that has one."
    if rows.correct is not None: return rows.correct
    if rows.scored is None:
        raise outcome_error(rows.summary.candidates, rows.ways)
    return np.where(rows.scored == rows.times, 0., np.nan)


def outcome_error(candidates: Sequence[str], ways: Sequence[dict]) -> OptionError:
    "The question which column holds the outcome."
    asked = "Which column holds the outcome?"
    said = f"Candidates: {', '.join(candidates)}" if candidates else "None looks like one"
    if len(ways) == 1: return OptionError("correct", f"{asked} {said}", ways=ways)
    name = next(iter(ways[0])) if ways else "correct"
    values = [way[name] for way in ways] or candidates[:WAYS] or ["..."]
    return OptionError("correct", f"{asked} {said}", choices=candidates,
                       hint=f"pass {option(name, *values)}")


def add_up(rows: CountedRows, values: np.ndarray) -> np.ndarray:
    return np.bincount(rows.question, values, len(rows.questions)).astype(np.int64)


def count_samples(rows: CountedRows, known: np.ndarray, policy: Policy) -> Sizes:
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


def count_absent(rows: CountedRows, every: np.ndarray, should: int | None) -> np.ndarray:
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


def find_clusters(rows: CountedRows) -> np.ndarray | None:
    if rows.cluster is None: return None
    return rows.cluster[np.unique(rows.question, return_index=True)[1]]


def add_scores(rows: CountedRows, known: np.ndarray, policy: Policy,
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


def tell_graded(rows: CountedRows) -> str:
    "Why there are no outcomes, and the metric that is the mean of the scores."
    assert rows.total is not None and rows.scored is not None
    outside = lie_outside(rows.score, rows.total, rows.scored)
    mean = "mean@n" if outside else "soft@n"
    return Sentence(f"scores are graded; {option('threshold')} makes them right or wrong, {mean} "
                    "is their mean")


def tell_outside(rows: CountedRows) -> str:
    "The range of scores that do not lie in [0, 1], and what to type."
    if rows.score is None: return f"{OUTSIDE}; max@k and min@k take any"
    low, high = np.nanmin(rows.score), np.nanmax(rows.score)
    percent = "if they are percentages, divide by 100; " * bool(low >= 0 and 10 < high <= 100)
    return Sentence(f"{OUTSIDE}, got {low:g} to {high:g}; {percent}pass "
                    f"{option('metrics', 'mean@n')} for their mean, and {option('scale', ...)} "
                    "with the least and the largest there can be")


def check_scale_of_scores(rows: CountedRows, bounds: tuple[float, float]) -> None:
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


def count_votes(rows: CountedRows, known: np.ndarray, outcome: np.ndarray, kept: np.ndarray,
                policy: Policy, sizes: Sizes) -> tuple[Votes | None, str]:
    "Votes per distinct answer, or why there are none."
    if rows.answer is None or has_no_answer(rows.answer, policy): return None, ""
    answer = rows.answer[kept].astype(object)
    answer[np.isnan(known[kept])] = None
    try:
        votes = tally(rows.question[kept], answer, outcome[kept], rows.times[kept],
                      policy.normalize, policy.no_answer, policy.conflict, rows.questions)
    except (ValueError, TypeError) as error: return None, Sentence(marked(error))
    return replace(votes, blank=votes.blank + sizes.n - votes.n), ""


def has_no_answer(answers: np.ndarray, policy: Policy) -> bool:
    "Whether all answers are absent and nobody said what that means."
    return policy.no_answer is None and all(answer is None for answer in answers.tolist())


def list_rewards(rows: CountedRows, outcome: np.ndarray | None, kept: np.ndarray,
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
    judging = rows.derived or rows.summary.has("threshold")
    return Rewards(np.r_[question, extra], score, right, rows.questions, judging=judging), ""


def split_sums(rows: CountedRows, outcome: np.ndarray, kept: np.ndarray) -> dict[str, np.ndarray]:
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


# Tables of outcomes in memory, and counts such as 26/30.

WRITTEN = r"\s*([+-]?\d+)\s*/\s*([+-]?\d+)\s*"  # Right questions and all of them
MOST_WRITTEN = 10**7
WIDEST = 2**10  # Samples of a question up to which their places are kept
FILLED = {"wrong": [False], "right": [True], "drop": []}  # In place of a sample without outcome


def holds_outcomes(data: Any) -> bool:
    "Whether the data are counts or a table of 0/1."
    if is_written_count(data): return True
    if isinstance(data, (Counts, np.ndarray)): return True
    return isinstance(data, (list, tuple)) and len(data) > 0 and not isinstance(
        data[0], (str, PathLike, Mapping))


def is_written_count(data: object) -> bool:
    "Whether the data are right questions of all, such as `26/30`; a file of that name is a file."
    if not isinstance(data, str) or not re.fullmatch(WRITTEN, data, re.ASCII): return False
    return not os.path.exists(data)


def read_written_count(
    text: str,  # Such as `26/30`
    option: str = "data",  # What it was given for
) -> tuple[int, int]:  # Right ones, and all
    """The right questions of so many.

    Raises: `ValueError` unless there is a question, and no more right ones than there are.
    """
    found = re.fullmatch(WRITTEN, text, re.ASCII)
    assert found is not None
    right, count = map(int, found.groups())
    if not 1 <= count <= MOST_WRITTEN or not 0 <= right <= count:
        raise OptionError(option, f"right/questions needs 0 <= right <= questions, and 1 to "
                                  f"{MOST_WRITTEN:,} questions", found=repr(text),
                          hint="26/30 is 26 right of 30 questions with one sample each")
    return right, count


def holds_paths(data: object) -> bool:
    "Whether the data are named by paths."
    if isinstance(data, (str, PathLike)): return True
    several = isinstance(data, (list, tuple)) and len(data) > 0
    return several and all(isinstance(item, (str, PathLike)) for item in data)  # type: ignore


def is_tensor(data: object) -> bool:
    "Whether data are an array of another library than NumPy, and no frame."
    if isinstance(data, np.ndarray) or not hasattr(data, "shape"): return False
    if hasattr(data, "__dlpack__"): return True
    flat = not hasattr(data, "columns") and len(data.shape) == 2
    return flat and hasattr(data, "__array__")


def array_of(data: Any) -> np.ndarray:  # The same numbers
    """A tensor as an array.

    Raises: `TypeError` if it lies on another device, or numpy has no such type.
    """
    try: return np.asarray(data) if hasattr(data, "__array__") else np.from_dlpack(data)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise TypeError(tell_unreadable_tensor(data, str(error).splitlines()[0])) from None


def tell_unreadable_tensor(data: Any, reason: str) -> str:
    kind = f"{type(data).__module__.partition('.')[0]} {type(data).__name__}"
    device = str(getattr(data, "device", "cpu"))
    if device.lower().startswith("cpu"):
        return (f"need a tensor that numpy can read, got a {kind} ({reason.rstrip('.')}); "
                "convert it first, such as data.detach().to_dense().int()")
    way = "cpu" if hasattr(data, "cpu") else "get"
    return f"a tensor must lie in main memory, got a {kind} on {device}; pass data.{way}()"


def count_outcomes(
    data: Any,  # `Counts`, or outcomes by question; `None` or NaN for a sample without one
    policy: Policy,  # What a sample without an outcome counts as
) -> Counts:
    """Counts of a table of outcomes.

    Raises: `ValueError` for samples without an outcome unless a policy is chosen.
    """
    if is_written_count(data):
        right, count = read_written_count(data)
        return Counts(np.ones(count, np.int64), (np.arange(count) < right).astype(np.int64))
    rows = list_outcomes(data)
    missing = np.array([sum(map(is_absent, row)) for row in rows], np.int64)
    if not missing.any(): return counts_of(data)
    if policy.missing == "raise":
        raise missing_error(np.arange(len(rows)), missing, np.zeros_like(missing))
    filling = suit_filling(FILLED[policy.missing], rows)
    filled = [fill_absent(row, filling) for row in rows]
    if empty := [i for i, row in enumerate(filled) if not row]:
        raise OptionError("missing", "every question needs a sample with an outcome", found="none",
                          where=f" at question {empty[0]} ({len(empty)} of {len(rows)} fail)",
                          hint=f"pass {option('missing', 'wrong')}, or leave it out of all")
    return replace(counts_of(filled), missing=missing)


def place_outcomes(
    data: Any,  # `Counts`, or outcomes by question that `count_outcomes` takes
) -> np.ndarray | None:  # Shape `(Q, n)`; None for counts
    "Outcomes by question and place: 1, 0, NaN without an outcome, -1 where there is no sample."
    if isinstance(data, (Counts, str)): return None
    if isinstance(data, np.ndarray) and data.ndim == 2:
        return data if data.shape[1] <= WIDEST else None
    rows = [np.atleast_1d(np.array(row, float)) for row in data]
    width = max(map(len, rows))
    if width > WIDEST: return None
    places = np.full((len(rows), width), -1.)
    for row, place in zip(rows, places): place[:len(row)] = row
    return places


def suit_filling(filling: list[bool], rows: Sequence[Sequence[Any]]) -> list[int]:
    "A filling of the kind of the outcomes: flags and numbers in one table are refused."
    flags = any(isinstance(value, (bool, np.bool_)) for row in rows for value in row)
    return list(map(bool if flags else int, filling))


def list_outcomes(data: Any) -> Sequence[Sequence[Any]]:
    "The samples of each question, where some may have no outcome; none where all have one."
    if isinstance(data, np.ndarray):
        whole = data.ndim != 2 or data.dtype.kind not in "fO"
        if whole or data.dtype.kind == "f" and not np.isnan(data).any(): return []
        return list(data.tolist())
    if isinstance(data, Counts): return []
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in data]
    return rows if all(isinstance(row, (list, tuple)) for row in rows) else []


def fill_absent(row: Sequence[Any], filling: list[int]) -> list[Any]:
    "The outcomes of a question, with a filling for each that is not there."
    return [one for value in row for one in (filling if is_absent(value) else [value])]
