"""`Accumulator`: outcomes counted as they come, as in a training loop."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any, Self

import numpy as np

from ...arguments import check_choice
from ...errors import OptionError, OptionTypeError
from ...foundations.answers import is_blank, normalized, tally
from ...foundations.counts import Counts, zero_one
from ...inference.intervals import TARGETS, Estimate
from ...parameters import Ties
from ...reading.counted import CountedRows, settle_rows
from ...reading.options import Policy
from ...results.reading import ReadNote, ReadSummary
from ..engine.choose import Chosen, choose_budgets, choose_one
from ..engine.measure import estimate_metric
from ..score.result import Report
from ..score.verb import score

Outcome = bool | int | float | None
Sample = tuple[int | None, Hashable, float | None]  # Outcome, answer and score
# What is kept of a closed question: for the samples without an answer, and then for those of each
# answer, how many there are of each outcome and score. The answers themselves are not kept.
Kind = tuple[tuple[tuple[int | None, float | None, int], ...], ...]
VERSION = 1


@dataclass(repr=False)
class Accumulator:
    """Outcomes counted as they come: any metric at any time, added up over workers with `+`.

    Parameters:
        normalize  Answers that are equal: strip, lower, number, own
        kinds      Closed questions of each kind
        open       Samples of the others

    Value: a closed question keeps neither its name nor its samples, only how many questions like
    it there are, so that memory grows with the kinds of questions and not with their number. The
    same question closed twice counts as two.
    """
    normalize: str | Callable | None = None  # Answers that are equal: strip, lower, number, own
    kinds: Counter[Kind] = field(default_factory=Counter)  # Closed questions of each kind
    open: dict[Hashable, list[Sample]] = field(default_factory=dict)  # Samples of the others

    def __post_init__(self) -> None:
        if not callable(self.normalize): normalized("", self.normalize)

    def add(
        self,
        question: Hashable,  # Name of the question
        correct: Outcome,  # 0/1 or bool; None for a sample without an outcome
        answer: Hashable = None,  # Its answer, for maj@k; None where there is none
        score: float | None = None,  # Its score, for best@k, max@k and the like
    ) -> None:
        """Take one sample of a question, which stays open until `close`.

        Raises: `ValueError` or `TypeError` for an outcome that is not 0 or 1, or an odd answer.
        """
        self.extend([question], [correct], [answer], [score])

    def extend(
        self,
        questions: Iterable[Hashable],  # Name of each sample's question
        correct: Iterable[Outcome],  # Its outcome
        answers: Iterable[Hashable] | None = None,  # Its answer
        scores: Iterable[float | None] | None = None,  # Its score
    ) -> None:
        """Take a batch of samples, one entry each; their questions stay open until `close`.

        Raises: as `add`, and `ValueError` unless all have one length; then nothing is taken.
        """
        names = list(map(make_plain, questions))
        samples = read_samples(self.normalize, names, correct, answers, scores)
        for name, sample in zip(names, samples): self.open.setdefault(name, []).append(sample)

    def add_question(
        self,
        correct: Sequence[Outcome],  # Outcomes of all its samples
        answers: Sequence[Hashable] | None = None,  # Their answers
        scores: Sequence[float | None] | None = None,  # Their scores
    ) -> None:
        """Take all samples of one question, and close it.

        Raises: as `extend`, and `ValueError` for a question without a sample.
        """
        name = f"number {len(self) + 1}"
        names = [name] * len(correct)
        samples = read_samples(self.normalize, names, correct, answers, scores)
        if not samples: raise ValueError("a question needs at least one sample, got none")
        self.kinds[closed_state(samples, name)] += 1

    def close(
        self,
        *questions: Hashable,  # Names of open questions; all of them if none is given
    ) -> None:
        """Close questions: from now on they count, and take no more samples.

        Raises: `KeyError` for a question that is not open.
        """
        for name in questions or list(self.open):
            if name not in self.open:
                raise KeyError(f"question {name!r} is not open; it was closed, or never had a "
                               "sample")
            self.kinds[closed_state(self.open[name], name)] += 1
            del self.open[name]

    def __len__(self) -> int: return self.kinds.total()

    def __repr__(self) -> str:
        opened = f", {len(self.open)} open" if self.open else ""
        return f"Accumulator({len(self)} questions of {len(self.kinds)} kinds{opened})"

    def __add__(self, other: Accumulator) -> Accumulator:
        """The questions of both; a question open in both is one, with the samples of both.

        Raises: `ValueError` where answers are equal under different rules.
        """
        if not isinstance(other, Accumulator): return NotImplemented
        if self.normalize != other.normalize:
            raise OptionError("normalize",
                              "accumulators are added under one rule for equal answers",
                              found=f"normalize={self.normalize!r} and {other.normalize!r}")
        opened = {name: list(samples) for name, samples in self.open.items()}
        for name, samples in other.open.items(): opened.setdefault(name, []).extend(samples)
        return Accumulator(self.normalize, self.kinds + other.kinds, opened)

    @property
    def rows(self) -> CountedRows:
        """The closed questions as counted rows, which `score` and `count` read.

        Raises: `ValueError` if no question is closed.
        """
        rows = repeat_kinds(rows_of_kinds(self), list(self.kinds.values()))
        return replace(rows, questions=name_questions(self), summary=summarize(self))

    @property
    def counts(self) -> Counts:
        """Samples and correct samples of every closed question, with votes and scores.

        Raises: `ValueError` if no question is closed, or for a sample without an outcome.
        """
        return self.rows.counts()

    def score(
        self,
        metrics: Any = None,  # As for `score`
        k: Any = None,  # Budgets, as for `score`
        **options: Any,  # Everything else that `score` takes, such as `missing=` and `target=`
    ) -> Report:  # Every metric of the closed questions
        """The report of all closed questions.

        Raises: as `score`, and `ValueError` if no question is closed.
        """
        return score(self.rows, metrics, k, **options)

    def estimate(
        self,
        metric: str,  # Its name with its budget, such as `pass@8`
        *,
        target: str = "new_questions",  # `new_questions` or `same_questions`
        ties: Ties = "expected",  # Ties of maj@k: `expected` shares the credit, `wrong` gives none
        missing: str = "raise",  # Samples without outcome: `raise`, `wrong` or `drop`
        samples_per_question: int | None = None,  # How many there should be, as for `score`
        no_answer: str | None = None,  # Whether samples without an answer `abstain` or `vote`
        # Answers both right and wrong: `refuse`, `any`, `majority` or `mean`
        conflict: str = "refuse",
    ) -> Estimate:  # The mean over closed questions, with its error
        """One metric, in time and memory that grow with the kinds of questions only.

        Raises: as `score`, and `ValueError` if no question is closed or no budget is stated.
        """
        check_choice("target", target, TARGETS)
        check_choice("missing", missing, ("raise", "wrong", "drop"))
        policy = Policy(missing, samples_per_question, no_answer, None, conflict)
        try: return estimate_kinds(self, metric, target, ties, policy)
        except (ValueError, TypeError) as error: failed = error
        # The same error of the questions themselves counts questions, and not their kinds.
        score(self.rows, metric, ties=ties, **vars(policy))
        raise failed

    def to_json(self) -> str:
        """Everything it holds, as JSON text.

        Raises: `TypeError` for names or answers that JSON does not know; pickle those.
        """
        if callable(self.normalize):
            name = getattr(self.normalize, "__name__", self.normalize)
            raise OptionTypeError("normalize", "JSON holds no function",
                                  found=f"normalize={name!r}",
                                  hint="pickle the accumulator, or name a rule")
        kinds = [[kind, times] for kind, times in self.kinds.items()]
        for name, samples in self.open.items(): refuse_objects(name, samples)
        opened = [[name, samples] for name, samples in self.open.items()]
        whole = dict(accumulator=VERSION, normalize=self.normalize, kinds=kinds, open=opened)
        return json.dumps(whole, ensure_ascii=False)

    @classmethod
    def from_json(
        cls,
        text: str,  # What `to_json` gave
    ) -> Self:  # The same accumulator
        """An accumulator from its JSON text.

        Raises: `ValueError` for any other text.
        """
        whole = json.loads(text)
        if not isinstance(whole, dict) or whole.get("accumulator") != VERSION:
            raise ValueError("the text must be what to_json of an accumulator gave, "
                             f"got {text!r:.60}")
        kinds = Counter({freeze_kind(kind): times for kind, times in whole["kinds"]})
        opened = {name: [tuple(sample) for sample in samples] for name, samples in whole["open"]}
        return cls(whole["normalize"], kinds, opened)


# Samples.

def read_samples(
    rule: str | Callable | None, names: Sequence[Hashable], correct: Iterable[Outcome],
    answers: Iterable[Hashable] | None, scores: Iterable[float | None] | None,
) -> list[Sample]:
    "A batch of samples, checked, with answers as they vote."
    given = dict(correct=correct, answers=answers, scores=scores)
    columns = {part: list(values) for part, values in given.items() if values is not None}
    for part, values in columns.items():
        if len(values) == len(names): continue
        raise ValueError(f"{part} must hold one value per sample ({len(names)}), "
                         f"got {len(values)}")
    none = [None] * len(names)
    parts = columns["correct"], columns.get("answers", none), columns.get("scores", none)
    return [read_sample(rule, *row) for row in zip(names, *parts)]


def read_sample(
    rule: str | Callable | None, question: Any, correct: Any, answer: Any, score: Any,
) -> Sample:
    "One sample, checked, with its answer as it votes."
    outcome = None if is_missing(correct) else int(zero_one([correct], [question])[0])
    label = None if is_blank(answer) else normalized(make_plain(answer), rule)
    refuse_unhashable("names of questions", question, question)
    refuse_unhashable("answers", label, question)
    return outcome, label, read_score(score, question)


def is_missing(value: Any) -> bool:
    "True for None and NaN."
    return value is None or bool(value != value)


def make_plain(value: Any) -> Any:
    "A number of NumPy as one of Python, which JSON can hold."
    return value.item() if isinstance(value, np.generic) else value


def read_score(score: Any, question: Hashable) -> float | None:
    "A score as a number; None where there is none."
    if is_missing(score): return None
    try: return float(score + 0.)
    except TypeError:
        raise TypeError(f"scores must be numbers, got {score!r:.60} at question "
                        f"{question!s}") from None


def refuse_unhashable(what: str, value: Any, question: Any) -> None:
    "Refuse what cannot be counted."
    try: hash(value)
    except TypeError:
        way = "; pass normalize=str or another function that makes them so"
        raise TypeError(f"{what} must be hashable, got {type(value).__name__} {value!r:.60} at "
                        f"question {question!r:.60}{way * (what == 'answers')}") from None


def refuse_objects(question: Hashable, samples: Sequence[Sample]) -> None:
    "Refuse names and answers that JSON would give back as something else."
    for value in question, *(answer for _, answer, _ in samples):
        if isinstance(value, (str, int, float, type(None))): continue
        raise TypeError("JSON holds names and answers that are text or numbers, got "
                        f"{type(value).__name__} {value!s:.60} at open question "
                        f"{question!s:.60}; close it first, or pickle the accumulator")


# Questions of one kind.

def closed_state(samples: Sequence[Sample], question: Hashable) -> Kind:
    "What a question keeps when it is closed."
    groups: dict[Hashable, Counter] = {None: Counter()}
    for outcome, label, score in samples:
        groups.setdefault(label, Counter())[outcome, score] += 1
    if len({isinstance(label, str) for label in groups if label is not None}) > 1:
        refuse_look_alikes(samples, question)
    blank, *answers = [sort_group(group) for group in groups.values()]
    return blank, *sorted(answers, key=str)


def sort_group(group: Counter) -> tuple[tuple[int | None, float | None, int], ...]:
    "Outcome, score and number of samples, in an order that does not depend on theirs."
    # None and numbers have no order, their texts have.
    return tuple(sorted(((*pair, times) for pair, times in group.items()), key=str))


def refuse_look_alikes(samples: Sequence[Sample], question: Hashable) -> None:
    "Refuse a number beside its own text, as a tally of the answers does."
    labels = [label for _, label, _ in samples]
    place = [0] * len(labels)
    # Outcomes may differ within an answer; whether they may is settled when a metric is asked for.
    tally(place, labels, place, no_answer="vote", questions=[question])


def freeze_kind(kind: list[list[list]]) -> Kind:
    "A kind from lists."
    return tuple(tuple(tuple(entry) for entry in group) for group in kind)


def rows_of_kinds(held: Accumulator) -> CountedRows:
    "One question of each kind, as counted rows."
    if not held.kinds:
        raise ValueError("no question is closed yet; add_question takes all samples of one, and "
                         f"close() closes those that are open ({len(held.open)})")
    entries = [(place, label - 1, *entry) for place, kind in enumerate(held.kinds)
               for label, group in enumerate(kind) for entry in group]
    place, label, outcome, score, times = zip(*entries)
    # Without a single answer, or a single score, there is no column of them.
    answer, known = np.array(label, object), np.array(score, float)
    answer[np.array(label) < 0] = None
    number = np.array(times)
    scored = number * ~np.isnan(known)
    scores = dict(score=known, total=np.nan_to_num(known) * scored, scored=scored)
    return CountedRows(
        np.array(place), np.arange(len(held.kinds)), number, np.array(outcome, float),
        answer if max(label) >= 0 else None, **scores if scored.any() else {})


def repeat_kinds(rows: CountedRows, times: Sequence[int]) -> CountedRows:
    "The questions of each kind as many times as there are."
    kind = np.repeat(np.arange(len(times)), times)
    size = np.bincount(rows.question)
    start = np.cumsum(size) - size
    lengths = size[kind]
    inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    place = np.repeat(start[kind], lengths) + inside
    columns = {part: values[place] for part in ("correct", "answer", "score", "total", "scored")
               if (values := getattr(rows, part)) is not None}
    return replace(rows, question=np.repeat(np.arange(len(kind)), lengths),
                   questions=np.arange(len(kind)), times=rows.times[place], **columns)


def estimate_kinds(
    held: Accumulator, metric: str, target: str, ties: str, policy: Policy,
) -> Estimate:
    "One metric from one question of each kind, with the number of questions as its weight."
    counts, lacks = settle_rows(rows_of_kinds(held), policy)
    found, stated = choose_one(counts, metric, ties=ties, lacks=lacks)
    chosen = choose_budgets(found, stated, counts, None)
    refuse_budgets(chosen, counts.n_min)
    times = np.fromiter(held.kinds.values(), np.int64, len(held.kinds))
    values = chosen.metric.at_states(counts, chosen.ks)
    # Each question stands for all of its kind.
    values = replace(values, times=np.bincount(values.state, times, len(values.table)).astype(int))
    estimates = estimate_metric(chosen, counts, values, target)
    return replace(estimates[0], missing=int(times @ np.asarray(counts.missing)))


def name_questions(held: Accumulator) -> np.ndarray:
    "Names for closed questions, which have lost theirs."
    # Those of two accumulators differ, lest `compare` take them for pairs; equal ones agree.
    content = json.dumps(sorted(held.kinds.items(), key=str))
    mark = sha256(content.encode()).hexdigest()[:8]
    return np.array([f"{mark}-{place}" for place in range(len(held))])


def summarize(held: Accumulator) -> ReadSummary:
    "Where the rows come from."
    notes = (ReadNote("open_questions", count=len(held.open)),) if held.open else ()
    return ReadSummary("accumulator", rows=len(held), notes=notes)


def refuse_budgets(chosen: Chosen, most: int) -> None:
    "Refuse a metric at several budgets."
    if len(chosen.ks) == 1: return
    raise ValueError(f"estimate needs one budget, got {chosen.metric.name!r}; write "
                     f"{chosen.metric.label(most)!r}, or take score() for all of them")
