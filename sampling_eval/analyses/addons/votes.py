"""Votes weighted by a confidence, and votes of the surest (`vote_weight=`, `vote_keep=`)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, log10
from typing import Any, NamedTuple, cast

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...foundations.answers import Votes as Ballots
from ...foundations.checks import faults
from ...foundations.credit import threshold_credit
from ...inference.estimate import mean_over_questions
from ...inference.intervals import Interval
from ...metrics.ballots import common_step
from ...metrics.vote import filtered_maj_at_k, maj_from_votes, weighted_maj_at_k
from ...render.blocks import Block, Text
from ...render.format import describe_ci, interval, percent
from ...results.base import Data, ends
from ...spelling import marked, option
from ..engine.choose import choose_metrics
from . import Asked, Numbered, load_numbers, make_table, refuse_beside


@dataclass(frozen=True, eq=False)
class VoteRow(Data):
    "Three votes of the same samples, as means over questions."
    k: int  # Samples of a vote
    maj: float  # Share of questions on which the most frequent answer is right
    weighted: float  # Share on which the answer with the largest sum of weights is right
    weighted_interval: Interval = field(metadata=ends(
        "weighted_low", "weighted_high", words="weighted_method", target="new_questions"))
    kept: int | None  # Samples that vote where only the surest do; None where all do
    filtered: float | None  # Share on which the most frequent answer among these is right
    filtered_interval: Interval | None = field(metadata=ends(
        "filtered_low", "filtered_high", words="filtered_method", target="new_questions"))
    model: str = ""  # Empty for a single one


@dataclass(frozen=True, eq=False)
class Votes(Data):
    "The votes at every budget of maj@k."
    weight: str  # Column of the weights
    ties: str  # `expected` shares the credit, `wrong` gives none
    step: float | None  # Weights are multiples of it; None where their sums are listed
    rounded: bool  # Whether weights were rounded to it
    confidence_level: float
    questions: int
    rows: tuple[VoteRow, ...]  # One per budget of each model, ascending


FOUND = Votes  # The class of what is found
# Steps to the largest weight up to which sums are counted without rounding: so many times the
# samples of a question, and some in any case
CELLS, LEVELS = 2**14, 100
LISTED = 12  # Samples up to which any sums are listed


class VoteRequest(NamedTuple):
    "What was asked about votes."
    weight: str  # Column of the weights
    keep: Any  # A share, a number, or a number per budget; None where all vote
    ties: str


# Measured.

def ask(
    given: Mapping[str, Any],  # Options of `score`
) -> VoteRequest | None:
    """The column of weights, and how many of the surest vote.

    Raises: `OptionError` for votes that are kept without weights, what is neither a share nor a
    number, and beside options that look behind the outcomes.
    """
    weight, keep = given["vote_weight"], given["vote_keep"]
    if weight is None:
        raise OptionError("vote_keep", "the surest are those of the largest weight, and no column "
                          "of weights was named", got=keep,
                          hint=f"name it by {option('vote_weight', ...)}")
    if not isinstance(weight, str) or not weight:
        raise OptionTypeError("vote_weight", must="be the name of a column", got=weight)
    refuse_beside("vote_weight", given)
    if given["missing"] == "wrong":
        raise OptionError("missing", f"{option('vote_weight')} needs "
                          f"{option('missing', 'raise', 'drop')}", got="wrong",
                          hint="a sample that is missing has no weight to vote with")
    return VoteRequest(weight, check_keep(keep), given["ties"])


def check_keep(keep: Any) -> Any:
    "A share, a whole number or a row of these, or an error."
    if keep is None: return None
    rule = dict(must="be a share above 0 and at most 1, such as 0.5, or whole numbers from 1",
                got=keep)
    if isinstance(keep, (float, np.floating, Fraction)):
        if 0 < keep <= 1: return keep
        raise OptionError("vote_keep", **rule)
    several = list(keep) if isinstance(keep, (list, tuple, np.ndarray)) else [keep]
    whole = [isinstance(one, (int, np.integer)) and not isinstance(one, bool) for one in several]
    if not whole or not all(whole): raise OptionTypeError("vote_keep", **rule)
    if min(several) < 1: raise OptionError("vote_keep", **rule)
    return [int(one) for one in several] if several is not keep and len(several) > 1 \
        else int(several[0])


def measure(request: VoteRequest, asked: Asked) -> Votes:
    """The votes of every model at the budgets of maj@k.

    Raises: `OptionError` for data without answers, and for a weight that is missing or negative.
    """
    found = load_numbers("vote_weight", request.weight, asked)
    budgets = {model: one.ks for model, group, _, chosen in asked.list_blocks() if not group
               for one in chosen if one.metric.name == "maj@k"}
    for one in found.values():
        if one.counts.votes is None: raise refuse_no_votes(one.no_votes)
        refuse_bad_weights(one, request.weight)
    every = np.concatenate([one.number[~np.isnan(one.correct)] for one in found.values()])
    step, rounded = choose_step(every, max(one.counts.n_max for one in found.values()))
    level, rows = asked.style.confidence_level, list[VoteRow]()
    for model, one in found.items():
        ks = budgets.get(model)
        if ks is None:
            ks = choose_metrics(one.counts, "maj@k", asked.k, ties=request.ties)[0][0].ks
        rows += vote_rows(model, one, ks, request, step, asked)
    names = {name for one in found.values() for name in one.counts.questions.tolist()}
    return Votes(request.weight, request.ties, step, rounded, level, len(names), tuple(rows))


def refuse_no_votes(why: str) -> OptionError:
    "The refusal of data without answers, or of answers that are no votes."
    if why: return OptionError("vote_weight", f"votes cannot be counted: {marked(why)}")
    return OptionError("vote_weight", "a weighted vote needs answers",
                       found="data without a column of them",
                       hint=f"name it by {option('answer', ...)}")


def refuse_bad_weights(samples: Numbered, name: str) -> None:
    "Refuse weights that are missing, infinite or negative."
    rows, used = samples.rows, ~np.isnan(samples.correct)
    weight, place = samples.number[used], rows.question[used]
    for bad, got in ((~np.isfinite(weight), "one without"), (weight < 0, "a negative one")):
        if not bad.any(): continue
        where = faults(np.bincount(place, bad, len(rows.questions)) > 0, rows.questions)
        hint = "take exp of log-probabilities first" if got == "a negative one" else ""
        raise OptionError("vote_weight", f"every vote needs a finite weight of at least 0 in "
                          f"{name!r}", found=f"{got}{where}", hint=hint)


def list_samples(samples: Numbered) -> tuple[list, list, list]:
    "Answers, outcomes and weights of the samples with an outcome, by question."
    rows, used = samples.rows, np.flatnonzero(~np.isnan(samples.correct))
    used = used[np.argsort(rows.question[used], kind="stable")]
    used = np.repeat(used, rows.times[used])
    split = np.cumsum(np.bincount(rows.question[used], minlength=len(rows.questions)))[:-1]
    answers, correct, weights = (np.split(part[used], split) for part in (
        np.asarray(rows.answer), samples.correct, samples.number))
    return answers, [own.astype(int) for own in correct], weights


def choose_step(
    weights: np.ndarray,  # All weights
    most: int,  # Most samples of a question
) -> tuple[float | None, bool]:  # Step, None where sums are listed; whether weights are rounded
    "The step of the weights; where it is too fine to count their sums, one to which they round."
    step, largest = common_step(weights), float(weights.max())
    levels = max(CELLS // most, LEVELS)
    if step and largest <= levels * step * (1 + 1e-9): return step, False
    if most <= LISTED: return None, False
    # 1, 2 or 5 times a power of ten
    unit = 10.**floor(log10(largest / levels))
    return next(float(f"{times * unit:.12g}") for times in (1, 2, 5, 10)
                if times * unit * levels >= largest * (1 - 1e-9)), True


def vote_rows(
    model: str, samples: Numbered, ks: np.ndarray, request: VoteRequest, step: float | None,
    asked: Asked,
) -> Iterator[VoteRow]:
    "A line for each budget of one model."
    policy, counts, level = asked.options.policy, samples.counts, asked.style.confidence_level
    rules: dict[str, Any] = dict(ties=request.ties, no_answer=policy.no_answer,
                                 normalize=policy.normalize, conflict=policy.conflict)
    votes, lists = cast(Ballots, counts.votes), list_samples(samples)
    plain = maj_from_votes(votes, ks, ties=request.ties).mean(0)
    weighted = weighted_maj_at_k(*lists, ks, step=step, **rules)
    kept = count_kept(request.keep, ks)
    some = np.array([one is not None for one in kept])
    filtered = np.full((len(counts), len(ks)), np.nan)
    if some.any():
        voters = [one for one in kept if one is not None]
        filtered[:, some] = filtered_maj_at_k(*lists, ks[some], voters, **rules)

    def average(values: np.ndarray) -> tuple[float, Interval]:
        groups = None if counts.cluster is None else counts.cluster.tolist()
        mean = mean_over_questions(values, cluster=groups)
        return float(mean.value), mean.confidence_interval(level)
    for i, k in enumerate(ks.tolist()):
        heaviest, of_all = average(weighted[:, i])
        few, of_few = (None, None) if kept[i] is None else average(filtered[:, i])
        yield VoteRow(k, float(plain[i]), heaviest, of_all, kept[i], few, of_few, model)


def count_kept(keep: Any, ks: np.ndarray) -> list[int | None]:
    "How many of each budget vote; None where there are fewer than are to be kept."
    if keep is None: return [None] * len(ks)
    if isinstance(keep, int): return [keep if keep <= k else None for k in ks.tolist()]
    if isinstance(keep, list):
        if len(keep) != len(ks) or (np.array(keep) > ks).any():
            raise OptionError("vote_keep", must="hold a number for each k, at most k",
                              got=keep, found=f"{len(keep)} for k = {ks.tolist()}")
        return list(keep)
    return [int(threshold_credit(k, keep).argmax()) for k in ks.tolist()]


# In words.

NOT_SHOWN = ("Every sample was drawn: what is saved where unsure ones are stopped early is not "
             "shown.")


def blocks(found: Votes) -> list[Block]:
    "The votes of the largest budget of each model in a sentence, and at every budget."
    last = {one.model: one for one in found.rows}
    some = any(one.filtered is not None for one in found.rows)
    heads = ["k", "maj@k", "weighted", "CI", *["kept", "filtered", "CI"] * some]
    rows = [[one.model, f"{one.k}", percent(one.maj), percent(one.weighted),
             write_ends(one.weighted_interval), *write_filtered(one) * some]
            for one in found.rows]
    return [*(Text(vote_sentence(found, one)) for one in last.values()), make_table(heads, rows),
            Text(" ".join([step_sentence(found), *[NOT_SHOWN] * some]), "note")]


def write_ends(found: Interval | None) -> str:
    return "-" if found is None else interval(found.low, found.high)


def write_filtered(row: VoteRow) -> list[str]:
    return ["-" if row.kept is None else f"{row.kept}", percent(row.filtered),
            write_ends(row.filtered_interval)]


def vote_sentence(found: Votes, last: VoteRow) -> str:
    "How the votes of one model compare at its largest budget."
    def own(ends: Interval) -> str:
        return describe_ci(ends.low, ends.high, found.confidence_level, "new questions",
                           str(ends.method))
    who = f"{last.model}: votes" if last.model else "Votes"
    said = (f"{who} of {last.k} weighted by {found.weight} are right on {percent(last.weighted)} "
            f"of questions ({own(last.weighted_interval)}), unweighted ones on "
            f"{percent(last.maj)}")
    if last.filtered is None or last.filtered_interval is None: return f"{said}."
    return (f"{said}, those of the {last.kept} with the largest {found.weight} on "
            f"{percent(last.filtered)} ({own(last.filtered_interval)}).")


def step_sentence(found: Votes) -> str:
    "On which grid the sums of weights were counted."
    if found.step is None:
        return f"{found.weight}: sums of weights are compared as they are, without rounding."
    if not found.rounded:
        return (f"{found.weight}: all weights are multiples of {found.step:.6g}, and their sums "
                "are counted without rounding.")
    return (f"{found.weight}: weights are rounded to multiples of {found.step:.6g}, a tie where "
            f"the rounded sums are equal; smaller ones than {found.step / 2:.6g} do not vote.")
