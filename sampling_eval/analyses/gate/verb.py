"""`gate`: may a new system replace a baseline?

Each rule becomes a `Check`: a metric that may drop by so much, or must reach so much, is judged by
an interval; the rules on single questions, those that must pass and those that may not regress,
by their samples.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from math import ceil
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, Unpack

import numpy as np

from ...arguments import check_choice, checked, name_parameters
from ...errors import OptionError, OptionTypeError, retell
from ...spelling import join_or, name_option, option
from ...foundations.counts import Counts
from ...inference.comparison import Comparison
from ...inference.deciding import judge, judge_same, least_questions, verdict_chances
from ...inference.intervals import (
    ASSUMPTION_FREE, TARGETS, Estimate, Interval, is_anew, row_of)
from ...inference.regressions import fewest_samples, regressed_questions
from ...inference.t_evidence import LEAST_QUESTIONS
from ...inference.units import Weights
from ...parameters import Method, Shared, Target, Ties, Unmatched
from ...reading.options import Options
from ...results.base import Rng, Style, check_range, check_style
from ...results.columns import Columns
from ...results.rows import interval_of, weighted_of
from ...results.verdict import Advice, GateVerdict, evidence_of
from ..engine.choose import columns_to_keep, split_metric_names
from ..engine.measure import Measured, Weighing, check_request, estimate_metric, measure_sides
from ..engine.next_steps import (
    Sampling, advise_verdict, count_samples, list_deciding, metric_sampling, sampling_of)
from ..engine.pairs import check_margin, compare_sides, step_down
from ..engine.systems import (
    Aligned, Systems, align_systems, check_identical, load_systems, pick_model, question_groups)
from .anytime import check_anytime, watch_drop
from .result import Check, Gate, MustPass, OtherInterval, QuestionRegression, RegressionPower

Wanted: TypeAlias = str | int | PathLike | Iterable
SIGNS = "*?["  # What makes a name a pattern
REGRESSIONS_LISTED = 5  # Regressions that are listed though they are not significant


@checked
def gate(
    new: Any,  # The system judged: anything that `score` reads
    *by_position: Any,  # Refused: a baseline is named
    baseline: Any = None,  # The system it may replace, for `max_drop`
    metrics: str | Sequence[str] = "pass@1",  # Metrics that may drop by at most `max_drop`
    max_drop: float | None = None,  # Largest drop allowed, on the scale of the metric
    same_within: float | None = None,  # Margin within which `metrics` have to stay, either way
    minimum: Mapping[str, float] | None = None,  # Metric to the least value it must have
    must_pass: str | PathLike | Iterable | None = None,  # Names, patterns, or a file of them
    must_pass_share: float = 1.,  # Least share of right samples of each of these
    no_question_regresses: bool = False,  # Whether a single significant drop fails the gate
    anytime: bool = False,  # Whether the verdict on `max_drop` holds however often one looks
    state: str | PathLike | None = None,  # File that `anytime` keeps between looks
    target: Target | None = None,  # Default: `same_questions` if `n >= 2k` and `method` can
    models: Sequence[str] | str | None = None,  # Model of each input: of new, then of baseline
    cluster: str | bool | Mapping | None = None,  # Column of groups, or the group by question
    on_unmatched: Unmatched = "refuse",  # Questions that only one side has
    allow_identical: bool = False,  # Whether one run may be judged against itself
    confidence_level: float = .95,  # Level of the two-sided intervals
    method: Method | None = None,  # CI that decides (default: t where it can be trusted)
    bounds: tuple[float, float] | None = None,  # No question differs by more, an assumption
    ties: Ties = "expected",  # Ties of maj@k: `expected` shares the credit, `wrong` gives none
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Upper bound on weights (default: observed maximum)
    rng: Rng = None,  # Random seed (default 0)
    **reading: Unpack[Shared],  # Missing policy, columns and the rest of what `score` takes
) -> Gate:  # One check per rule, and the worst verdict
    """Whether a new system may replace a baseline, by intervals: pass, fail, or inconclusive.

    Parameters:
        new                    The system judged: anything that `score` reads
        by_position            Refused: a baseline is named
        baseline               The system it may replace, for `max_drop`
        metrics                Metrics that may drop by at most `max_drop`
        max_drop               Largest drop allowed, on the scale of the metric
        same_within            Margin within which `metrics` have to stay, either way
        minimum                Metric to the least value it must have
        must_pass              Names, patterns, or a file of them
        must_pass_share        Least share of right samples of each of these
        no_question_regresses  Whether a single significant drop fails the gate
        anytime                Whether the verdict on `max_drop` holds however often one looks
        state                  File that `anytime` keeps between looks
        target                 Default: `same_questions` if `n >= 2k` and `method` can
        models                 Model of each input: of new, then of baseline
        cluster                Column of groups, or the group by question
        on_unmatched           Questions that only one side has
        allow_identical        Whether one run may be judged against itself
        confidence_level       Level of the two-sided intervals
        method                 CI that decides (default: t where it can be trusted)
        bounds                 No question differs by more, an assumption
        ties                   Ties of maj@k: `expected` shares the credit, `wrong` gives none
        weights                Column of weights of the questions, or by question
        largest_weight         Upper bound on weights (default: observed maximum)
        rng                    Random seed (default 0)
        reading                Missing policy, columns and the rest of what `score` takes (see
                               `read`): missing, samples_per_question, no_answer, normalize, scale,
                               conflict, question, sample, correct, answer, score, model, expected,
                               keys, threshold, ignore, failed, sums, harness, task, filter, grade,
                               files_hold, limits
        return                 One check per rule, and the worst verdict

    Value: with a baseline also the questions that regressed significantly, over all questions.

    Raises: `ValueError` unless there is a rule, a baseline goes with `max_drop`, `same_within` or
    `no_question_regresses`, each metric states one budget, and the runs are two.
    """
    if by_position:
        raise OptionTypeError("baseline", "which system is judged, and which is the baseline? "
                                          "Write gate(new, baseline=...)")
    if metrics is None:
        raise OptionTypeError("metrics", must="be a name or a list of names", got=None)
    names = split_metric_names(metrics)
    if not names: raise OptionError("metrics", must="name a metric", found="none")
    least = dict(minimum or {})
    check_share(must_pass_share)
    check_margin(same_within)
    check_baseline(baseline is not None, max_drop, same_within, no_question_regresses)
    check_rules(baseline is not None or bool(least) or must_pass is not None, max_drop)
    if anytime:
        check_anytime(names, max_drop, confidence_level, dict(
            minimum=least or None, must_pass=must_pass, same_within=same_within,
            no_question_regresses=no_question_regresses or None, cluster=cluster, weights=weights,
            method=method, bounds=bounds))
        if target == "same_questions": refuse_same("anytime")
    elif state is not None:
        raise OptionError("state", f"{name_option('state')} goes with {option('anytime', True)}")
    main = "new_questions" if target is None else target
    style = check_style(Style(confidence_level, method, None, main, rng,
                              check_range(bounds, target)), word="method")
    asked = check_targets(target, cluster)
    # A range of differences, and most methods, are there for new questions only.
    if bounds is not None or is_anew(method): asked = asked or "new_questions"
    weighing = check_request(weights, largest_weight, cluster)
    options = Options.of(dict(reading) | dict(cluster=cluster), name_parameters(gate),
                         **columns_to_keep([*names, *least]), weights=weights)
    found = load_sides(new, baseline, options, models)
    judged = Judged(found, ties, style, asked, cluster, weighing)
    alone = [judged.check_least(*rule) for rule in least.items()]
    required: tuple[MustPass, ...] = ()
    if must_pass is not None:
        required = judge_must_pass(must_pass, judged.counts, must_pass_share)
        alone.append(check_must_pass(required, len(judged.counts)))
    told: dict[str, Any] = dict(names=tuple(map(str, found.counts))[::-1], read=found.inputs,
                                must_pass=required, must_pass_share=must_pass_share,
                                task_versions=found.versions, texts=found.texts,
                                equal_weights=judged.name_equal_weights())
    if baseline is None:
        samples = count_samples(*found.counts.values())
        return Gate(adjust_fails(alone, style), samples=samples,
                    questions=counts_by_question(found.counts), **told)
    aligned = align_systems(found.counts, on_unmatched)
    # One file may hold both systems; then it is no copy of itself.
    inputs = (None, None) if has_two_models(models) else (baseline, new)
    identical = bool(check_identical(aligned.sides, inputs, allow_identical))
    if anytime and max_drop is not None:
        arrival = judged.counts.questions.tolist()
        watched = watch_drop(judged.measure(aligned.sides, names[0]), arrival, max_drop,
                             confidence_level, None if state is None else Path(state))
        return Gate((watched,), alignment=aligned.alignment, identical=identical,
                    samples=count_samples(*aligned.sides.values())[::-1],
                    questions=counts_by_question(aligned.sides), **told)
    regressions, power = judge_regressions(aligned.sides, style.confidence_level)
    checks = [judged.check_difference(aligned, name, kind, limit)
              for kind, limit in (("drop", max_drop), ("same", same_within)) if limit is not None
              for name in names]
    if no_question_regresses: checks.append(check_regressions(regressions, power))
    return Gate(adjust_fails([*checks, *alone], style), alignment=aligned.alignment,
                samples=count_samples(*aligned.sides.values())[::-1], regressions=regressions,
                regression_power=power, identical=identical,
                questions=counts_by_question(aligned.sides), **told)


def counts_by_question(sides: Mapping[str, Counts]) -> Columns:
    "Samples and right ones of each question, by system; only the former of graded scores."
    columns: dict[str, Any] = dict(question=next(iter(sides.values())).questions)
    for name, counts in sides.items(): columns |= {f"n {name}": counts.n, f"c {name}": counts.c}
    return Columns({name: column for name, column in columns.items() if column is not None})


def check_baseline(
    given: bool, max_drop: float | None, same_within: float | None, no_question_regresses: bool,
) -> None:
    "Refuse a baseline that no rule needs, and a rule that needs one without it."
    rule = ""
    if no_question_regresses: rule = option("no_question_regresses", True)
    elif same_within is not None: rule = option("same_within")
    if rule:
        if not given: raise OptionError("baseline", f"{rule} needs a baseline", found="none")
    elif given != (max_drop is not None):
        names = name_option("baseline"), option("max_drop")
        raise OptionError("max_drop", f"{names[0]} and {names[1]} go together",
                          found=f"only {names[not given]}")


def check_rules(some: bool, max_drop: float | None) -> None:
    "Refuse a gate without a rule, and a drop that is none."
    if not some:
        rules = list(map(option, ("max_drop", "minimum", "must_pass")))
        raise OptionError("max_drop", f"a gate needs a rule: {name_option('baseline')} with "
                                      f"{join_or(rules)}")
    if max_drop is not None and not max_drop >= 0:
        raise OptionError("max_drop", f"need {name_option('max_drop')} >= 0", max_drop)


def has_two_models(models: Sequence[str] | str | None) -> bool:
    "Whether a model was named for each side, and they differ."
    return models is not None and not isinstance(models, str) and len(set(models)) > 1


def check_targets(target: str | None, cluster: Any) -> str | None:
    "The target asked for; groups of questions mean new ones."
    check_choice("target", target, (None, *TARGETS))
    if not cluster: return target
    if target == "same_questions": refuse_same("cluster")
    if not isinstance(cluster, (str, bool, Mapping)):
        raise TypeError("cluster must be a column or a mapping of question to group, "
                        f"got {type(cluster).__name__}")
    return "new_questions"


def refuse_same(name: str) -> NoReturn:
    "Refuse the same questions beside an option that is about new ones."
    raise OptionError(name, f"{option(name)} is for new questions, "
                            f"{option('target', 'new_questions')}",
                      hint="the same questions stay the same")


def load_sides(new: Any, baseline: Any, options: Options, models: Any) -> Systems:
    "The baseline, if there is one, and the system judged."
    several = models is not None and not isinstance(models, str)
    backwards = list(models)[::-1] if several else models
    if baseline is not None:
        return load_systems([baseline, new], options, backwards, ["baseline", "new"], gated=True)
    found = load_systems([new], options, backwards, ["new"], gated=True)
    if len(found.counts) > 1: pick_model(found.counts, None, "new")
    return found


@dataclass(frozen=True)
class Judged:
    "The systems of a gate, and how they are judged."
    systems: Systems
    ties: str  # Ties of maj@k
    style: Style  # Interval, level and seed
    target: str | None  # Target asked for; None chooses by the metric
    cluster: Any = None  # Column of groups, or the group by question
    weighing: Weighing = Weighing()  # How questions are weighted

    @property
    def counts(self) -> Counts:
        "Counts of the system judged."
        return list(self.systems.counts.values())[-1]

    def check_difference(self, aligned: Aligned, name: str, kind: str, allowed: float) -> Check:
        "Whether a metric drops by at most so much, or stays within a margin."
        pair = self.measure(aligned.sides, name)
        metric, label = pair.chosen.metric, pair.chosen.labels[0]
        if metric.bounded and allowed > 1:
            name = "max_drop" if kind == "drop" else "same_within"
            raise OptionError(name, must="lie in [0, 1]", got=allowed,
                              hint="two points of a hundred are 0.02")
        groups = question_groups(aligned, self.cluster)
        compared = compare_sides(pair, groups, stated=self.style.bounds)[0]
        target = self.choose_target(pair)
        estimate = compared.of(target)  # type: ignore[arg-type]
        moves = "drops by at most" if kind == "drop" else "stays within"
        check = Check(f"{label} {moves} {allowed:g}", kind, label,  # type: ignore[arg-type]
                      estimate.value, None, 0. - allowed, "inconclusive", estimate.questions,
                      target, metric.unit, bounds=self.style.bounds,  # type: ignore[arg-type]
                      estimate=estimate)
        return self.judge(check, pair, sampling_of(compared.tables), compared)

    def check_least(self, name: str, least: float) -> Check:
        "Whether a metric of the system judged has at least some value."
        system, counts = list(self.systems.counts.items())[-1]
        alone = self.measure({system: counts}, name)
        metric, label = alone.chosen.metric, alone.chosen.labels[0]
        if metric.bounded and not 0 <= least <= 1:
            raise ValueError(f"the least {label} must lie in [0, 1], got {least}")
        groups = question_groups(Aligned({system: counts}, []), self.cluster)
        counts = replace(counts, cluster=None if groups is None else np.asarray(groups))
        target = self.choose_target(alone)
        given = alone.chosen, counts, alone.values[0]
        estimate = estimate_metric(*given, target, alone.weights)[0]
        check = Check(f"{label} is at least {least:g}", "minimum", label, estimate.value, None,
                      float(least), "inconclusive", estimate.questions,
                      target, metric.unit, estimate=estimate)  # type: ignore[arg-type]
        check = self.judge(check, alone, metric_sampling(alone.chosen, counts))
        if not self.tells_new(check): return check
        new = estimate_metric(*given, "new_questions", alone.weights)[0]
        beside = judge_other(check, new, self.style.confidence_level)
        return replace(check, for_new_questions=beside)

    def measure(self, sides: Mapping[str, Counts], name: str) -> Measured:
        "A metric on the systems, at the one budget that it states."
        found = measure_sides(sides, name, ties=self.ties, lacks=self.systems.lacks)
        if len(found.chosen.ks) > 1 or not found.stated:
            label = found.chosen.metric.label(1)
            raise ValueError(f"a gate needs one number, got {name!r}; state the budget as in "
                             f"{label!r}")
        return replace(found, weights=self.weigh(found.sides[0]))

    def weigh(self, counts: Counts) -> Weights | None:
        "The weights of the questions of a system."
        return self.weighing.find(counts.questions, self.systems.weights)

    def name_equal_weights(self) -> str:
        "What the questions are weighted by, if all weigh the same by it."
        equal = self.weighing.asked and self.weigh(self.counts) is None
        return self.weighing.name if equal else ""

    def choose_target(self, measured: Measured) -> str:
        "The target asked for, or the same questions where their noise has no bias."
        if self.target is not None: return self.target
        metric, k = measured.chosen.metric, int(measured.chosen.ks[0])
        known = metric.credit or metric.within
        enough = all(side.n_min >= 2 * k for side in measured.sides)
        return "same_questions" if known and enough else "new_questions"

    def judge(
        self,
        check: Check,  # A rule with its estimate
        measured: Measured,  # The metric on its systems
        sampling: Sampling | None,  # The samples behind the estimate
        compared: Comparison | None = None,  # Of a rule on a difference
    ) -> Check:  # The same with its interval, the verdict, and what would help
        "The verdict on a rule with an interval."
        style, estimate = self.style, check.estimate
        assert estimate is not None
        level, method = style.confidence_level, style.interval
        if method is None and compared is not None:
            method = compared.deciding_method(check.target)  # type: ignore[arg-type]
        try: found = interval_of(estimate, level, method, style.rng, check.unit)
        except ValueError as error:
            retell(error, lambda said: f"{check.metric}: {said}")
            raise
        if found is None:
            said, hint = "no interval", ""
            if style.interval is not None:
                said, hint = f"no interval by {style.interval}", "; the default method has one"
            raise ValueError(f"{check.metric}: {said}: {estimate.reason}{hint}")
        check = replace(check, interval=found, method_asked=style.interval is not None,
                        verdict=decide(check, found),
                        weights=weighted_of(measured.weights, found))
        if compared is not None: check = replace(check, **self.judge_beside(check, compared))
        if check.kind == "drop":
            check = replace(check, **judge_equals(estimate, found, check.limit))
        if check.verdict != "inconclusive": return check
        least = least_units_to_pass(check, level)
        deciding = (None,) if compared is None else list_deciding(compared, style.interval)
        # For weighted questions, and of two limits, nothing is advised.
        unadvised = measured.weights is not None or check.kind == "same"
        if least is not None or unadvised: return replace(check, least=least)
        return replace(check, next=advise(check, measured, sampling, level, deciding))

    def tells_new(self, check: Check) -> bool:
        "Whether a rule on the same questions, which was not asked for, says more of new ones."
        return check.target == "same_questions" and self.target is None

    def judge_beside(self, check: Check, compared: Comparison) -> dict[str, Any]:
        "What else holds of a difference: on new questions, and without assumptions."
        level = self.style.confidence_level
        if self.tells_new(check):
            method = self.style.interval or compared.deciding_method()
            return dict(for_new_questions=judge_other(check, compared.estimate, level, method))
        if check.target != "new_questions" or check.interval is None: return {}
        facts: dict[str, Any] = dict(evidence=evidence_of(compared.evidence),
                                     test="McNemar" * tells_mcnemar(compared))
        units = compared.estimate.units
        bounded = units is not None and units.bounds is not None
        rests = row_of(check.interval.method.name).needs_spread
        if self.style.interval is None and rests and bounded:
            free = judge_other(check, compared.estimate, level, ASSUMPTION_FREE)
            facts["without_assumptions"] = free
        return facts


def tells_mcnemar(compared: Comparison) -> bool:
    "Whether the interval without assumptions is that of McNemar's test."
    return compared.single and compared.pairs.weights is None


def decide(check: Check, found: Interval) -> GateVerdict:
    "The verdict of an interval on a rule: against its limit, or against a margin on both sides."
    if check.kind != "same": return judge(found.low, found.high, check.limit)
    return SAME[judge_same(found.low, found.high, -check.limit)]


SAME: dict[str, GateVerdict] = dict(same="pass", different="fail", inconclusive="inconclusive")


def judge_other(
    check: Check,  # A rule
    estimate: Estimate,  # Another estimate of its value
    confidence_level: float,  # Level of the interval
    method: str | None = None,  # Interval method; None: the default of one system
) -> OtherInterval | None:  # None where it has no ends
    "The verdict of another interval on the same rule."
    found = interval_of(estimate, confidence_level, method, unit=check.unit)
    return None if found is None else OtherInterval(found, decide(check, found))


def judge_equals(estimate: Estimate, found: Interval, limit: float) -> dict[str, Any]:
    "How often a system equal to the baseline passes, and changes its verdict when run again."
    if not estimate.stderr: return {}
    reach = estimate.value - found.low, found.high - estimate.value
    chances = verdict_chances(*reach, limit, estimate.stderr)
    flips = 1 - sum(chance**2 for chance in chances.values())
    return dict(equal_passes=chances["pass"], equal_flips=max(0., flips))


def least_units_to_pass(check: Check, confidence_level: float) -> int | None:
    "Questions, or clusters, without which no outcome passes; None where there are enough."
    assert check.estimate is not None
    units: Any = check.estimate.units
    if not check.drop or check.target != "new_questions" or units.bounds is None: return None
    # With enough questions t may pass what no outcome passes without assumptions.
    strict = check.method_asked and check.method is not None and check.method.exact
    if units.count >= LEAST_QUESTIONS and not (strict or check.test): return None
    least = least_questions(-check.limit, confidence_level, width=np.ptp(units.bounds) / 2,
                            won=check.kind == "drop")
    return least if least is not None and units.count < least else None


def advise(
    check: Check, measured: Measured, sampling: Sampling | None, confidence_level: float,
    deciding: Any,
) -> Advice | None:
    "What would decide a rule, if the truth is what was measured."
    assert check.estimate is not None
    return advise_verdict(check.metric, check.estimate, check.limit,
                          confidence_level, sampling, target=check.target,  # type: ignore[arg-type]
                          difference=check.drop, deciding=deciding,
                          unit=check.unit, has_samples=count_samples(*measured.sides))


def adjust_fails(
    checks: Sequence[Check],  # Rules of a gate, the primary one first
    style: Style,  # How each was judged
) -> tuple[Check, ...]:  # The same, inconclusive those that fail by themselves only
    """Checks in which no more than one in so many is a false failure, however many there are.

    A pass needs every rule to pass, which several rules make no likelier; a fail needs only one.
    """
    def fails(place: int, level: float) -> bool:
        check = checks[place]
        if check.verdict != "fail" or check.estimate is None: return False
        method = style.interval or (None if check.method is None else check.method.name)
        found = interval_of(check.estimate, level, method, style.rng)
        return found is not None and decide(check, found) == "fail"
    ranged = [place for place, check in enumerate(checks) if check.estimate is not None]
    failed = step_down(ranged[1:], fails, bool, style.confidence_level)
    return tuple(replace(check, verdict="inconclusive", fails_alone=True)
                 if check.verdict == "fail" and not failed.get(place, True) else check
                 for place, check in enumerate(checks))


# Questions that must pass.

def judge_must_pass(
    wanted: Wanted,  # Names or patterns, a text of them with commas, or a file with one a line
    counts: Counts,  # Counts of the new system
    share: float = 1.,  # Least share of right samples of each question
) -> tuple[MustPass, ...]:  # In the order of the questions
    """The questions that must pass, each with its verdict.

    Raises: `ValueError` for a name or pattern that fits no question, or without outcomes.
    """
    if counts.c is None:
        refuse_scores("must_pass")
    names: list = np.asarray(counts.questions).tolist()
    places = choose_questions(wanted, list(map(str, names)))
    return tuple(judge_question(names[i], int(counts.c[i]), int(counts.n[i]), share)
                 for i in places)


def judge_question(name: object, right: int, samples: int, share: float) -> MustPass:
    "Whether one question is right often enough."
    needed = ceil(share * samples - 1e-9)
    return MustPass(name, right, samples, needed, "pass" if right >= needed else "fail")


def choose_questions(wanted: Wanted, names: Sequence[str]) -> list[int]:
    "Positions of the questions that are meant, each once."
    known = {name: i for i, name in enumerate(names)}
    words = split_wanted(wanted, known)
    if not words:
        raise OptionError("must_pass", f"{name_option('must_pass')} names no question",
                          hint="leave it out, or name some")
    chosen: set[int] = set()
    absent = []
    for word in words:
        found = [known[word]] if word in known else match_names(word, names)
        if not found: absent.append(word)
        chosen.update(found)
    if absent: refuse_absent(absent, len(words), names)
    return sorted(chosen)


def split_wanted(wanted: Wanted, known: Iterable[str]) -> list[str]:
    "The names and patterns, one by one."
    if isinstance(wanted, PathLike): return read_names(Path(wanted))
    if isinstance(wanted, str):
        if wanted in known: return [wanted]
        if is_file(wanted): return read_names(Path(wanted))
        return [word.strip() for word in wanted.split(",") if word.strip()]
    if isinstance(wanted, Iterable): return [str(word) for word in wanted]
    return [str(wanted)]


def is_file(text: str) -> bool:
    "Whether a text is the path of a file; one that is too long for a path is none."
    try: return Path(text).is_file()
    except (OSError, ValueError): return False


def read_names(path: Path) -> list[str]:
    "The lines of a file, without empty ones and those that begin with `#`."
    try: lines = path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise OptionError("must_pass", must="be a text file with one question a line",
                          found=f"{path}, which is not UTF-8 text") from None
    named = [line.strip() for line in lines]
    return [line for line in named if line and not line.startswith("#")]


def match_names(word: str, names: Sequence[str]) -> list[int]:
    "Positions of the questions that fit a pattern; none for a plain name."
    if not any(sign in word for sign in SIGNS): return []
    return [i for i, name in enumerate(names) if fnmatchcase(name, word)]


def refuse_absent(absent: Sequence[str], asked: int, names: Sequence[str]) -> None:
    "Refuse names that fit no question, with near ones."
    near = get_close_matches(absent[0], names[:20000], 3)
    raise OptionError("must_pass", must="name questions of the new run",
                      found=f"{absent[0]!r:.80}", where=f" ({len(absent)} of {asked} fail)",
                      hint=f"near: {', '.join(map(repr, near))}" if near else "")


def check_must_pass(
    found: tuple[MustPass, ...],  # Questions that must pass
    questions: int,  # Questions of the new run, those that need not pass among them
) -> Check:  # Fails where one of them does not pass
    "The rule that some questions pass."
    passed = sum(one.verdict == "pass" for one in found)
    return Check("must-pass questions pass", "must_pass", "must-pass questions", passed, None,
                 len(found), "pass" if passed == len(found) else "fail", questions, "samples")


def check_share(
    share: float,  # Least share of right samples
) -> None:
    "Refuse a share that is none."
    if not isinstance(share, (int, float, np.number)) or not 0 < share <= 1:
        raise OptionError("must_pass_share", must="lie above 0 and at most 1", got=share,
                          hint="3 of 4 samples are 0.75")


def refuse_scores(name: str) -> NoReturn:
    "Refuse a rule about questions where there are no outcomes."
    raise OptionError(name, f"{name_option(name)} needs outcomes, right or wrong",
                      found="scores only", hint=f"{option('threshold')} makes outcomes of them")


# Questions that may not regress.

def judge_regressions(
    sides: Mapping[str, Counts],  # The baseline and the new system on their common questions
    confidence_level: float = .95,  # One less the probability that any question is named by chance
) -> tuple[tuple[QuestionRegression, ...], RegressionPower | None]:
    """The questions that scored lower, and what the samples could show.

    Value: significant ones first, each kind by its p value; of the others the first five. None
    where samples have no outcomes.
    """
    old, new = sides.values()
    if old.c is None or new.c is None: return (), None
    found = regressed_questions(old.n, old.c, new.n, new.c, round(1 - confidence_level, 12))
    lower = (new.c * old.n < old.c * new.n).nonzero()[0]
    # Equal p values stay in the order of the questions.
    order = lower[np.lexsort((found.p[lower], found.adjusted[lower]))]
    kept = order[:int(found.certain[lower].sum()) + REGRESSIONS_LISTED]
    columns = old.c, old.n, new.c, new.n, found.p, found.adjusted, found.certain
    names = np.asarray(old.questions).tolist()
    values = zip(*(np.asarray(column)[kept].tolist() for column in columns))
    rows = tuple(QuestionRegression(names[i], *row) for i, row in zip(kept.tolist(), values))
    sizes = min(old.n_min, new.n_min), max(old.n_max, new.n_max)
    needed = fewest_samples(len(old), found.level)
    detectable = int(found.watched.sum())
    return rows, RegressionPower(len(old), detectable, *sizes, needed, found.level, len(lower))


def check_regressions(
    regressions: tuple[QuestionRegression, ...],  # Questions that scored lower
    power: RegressionPower | None,  # What the samples could show
) -> Check:  # Fails where one is significant, inconclusive where none could be
    """The rule that no question regresses.

    Raises: `ValueError` for samples without outcomes.
    """
    if power is None:
        refuse_scores("no_question_regresses")
    number = sum(one.significant for one in regressions)
    verdict = "fail" if number else "pass" if power.detectable else "inconclusive"
    return Check("no question regresses", "regressions", "regressions", number, None, 0,
                 verdict, power.questions, "same_questions")  # type: ignore[arg-type]
