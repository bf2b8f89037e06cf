"""`score`: every metric the data can give, at every budget, with its error bar."""
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..inference.estimate import TARGETS, Estimates, at_all_budgets, estimates_of
from ..inference.weights import Weights
from ..io.load import Loaded, load, settle_all
from ..io.options import Options
from ..io.policy import check_choice
from ..renaming import name_parameters, renamed
from ..reporting.columns import Columns, Spread
from ..reporting.late import LateCurves
from ..reporting.letters import Letters
from ..reporting.many import MANY, SHOWN
from ..reporting.matrix import pick_labels
from ..reporting.report import Report
from ..reporting.rows import Curve, Row, Rows
from ..results.diagnostics import Caution, Stated
from .next_steps import advise_halving
from .averaging import WHOLE, average_groups
from .bounding import join_bounds, refuse_unbounded
from .cautions import ask_about_copies, caution_attempts, caution_files, find_cautions
from .choosing import (LACKS, Budgets, Chosen, Metrics, choose_metrics, find_kept,
                       say_approximate, say_left_out)
from .many_models import no_average, summarise
from .measuring import estimate_metric
from .runs import find_tables
from .style import Rng, Style, check_style, main_target
from .weighing import Weighing, check_request

BANDED = None, "gaffke", "anchored-t"  # Interval methods beside which a band makes sense
TESTED = "Only the models shown were tested for copied runs and for runs that differ."
TAKEN = "all questions|mean of [0-9]+ groups"


@renamed(format="harness", files="files_hold")
def score(
    data: Any,  # `Counts`, a table of 0/1, a path, glob or folder, a frame, columns, or rows
    metrics: Metrics = None,  # Names such as `pass@k` or `pass@8`, or name to own credit; None: all
    k: Budgets = None,  # Budgets; None: every `k` up to 8, else powers of two and the smallest `n`
    *,
    by: str | None = None,  # Column of groups: rows per group, over all questions, and over groups
    missing: str = "raise",  # Samples without outcome: `raise`, `wrong`, `drop`, or `bounds`
    samples_per_question: int | None = None,  # How many there should be; absent ones are missing
    no_answer: str | None = None,  # Whether samples without an answer `abstain` or `vote`
    ties: str = "expected",  # Ties of maj@k: `expected` shares, `wrong` gives nothing
    normalize: Any = None,  # When answers are equal: `strip`, `lower`, `number` or a function
    conflict: str = "refuse",  # Answers both right and wrong: `refuse`, `any` or `majority`
    confidence_level: float = .95,  # Level of the intervals
    interval: str | None = None,  # Interval method; None is the package default
    target: str = "questions",  # `questions`: new ones; `benchmark`: these, run again; `both`
    cluster: str | Mapping | Sequence | None = None,  # Column of groups, or group of each question
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Largest there may be; None: the largest seen
    rng: Rng = None,  # Seed of methods that draw; None is seed 0
    title: str = "",  # Name of the data in the report
    **reading: Any,  # Columns, `threshold=`, and `harness=`, `filter=`, `grade=`, ... for logs
) -> Report:  # Rows, per-question columns, and what was read
    """Every metric the data can give, at every budget, with its error bar.

    Raises: `ValueError`, `TypeError` or `FileNotFoundError` for data or names that allow no
    number.
    """
    style = check_style(Style(confidence_level, interval, None, target, rng), (*TARGETS, "both"))
    check_choice("ties", ties, ("expected", "wrong", "first"))
    check_choice("missing", missing, ("raise", "wrong", "drop", "bounds"))
    extremes = missing == "bounds"
    policy = dict(missing="wrong" if extremes else missing, no_answer=no_answer,
                  samples_per_question=samples_per_question, normalize=normalize,
                  conflict=conflict)
    given = reading | policy | dict(by=by, cluster=cluster)
    weighing = check_request(weights, largest_weight, cluster)
    options = Options.of(given, name_parameters(score), **find_kept(metrics), runs=True,
                         weights=weights)
    asked = Asked(metrics, k, ties, style, title, weighing)
    return asked.bound(data, options) if extremes else asked.report(data, options)


@dataclass(frozen=True)
class Asked:
    "What is to be computed, whatever the data are."
    metrics: Metrics
    k: Budgets
    ties: str  # Ties of maj@k
    style: Style  # How error bars are computed
    title: str = ""
    weighing: Weighing = Weighing()  # How questions are weighted

    def report(self, data: Any, options: Options) -> Report:
        "The report of some data."
        loaded = load(data, options)
        if len(loaded.blocks) > MANY and self.may_wait: return self.report_many(loaded, options)
        curves, notes = self.measure_all(loaded)
        notes += self.say_ragged(loaded, options)
        cautions = self.find_cautions(loaded, options.policy.missing == "drop")
        questions = list_questions(loaded.blocks, curves)
        report = self.write(curves, questions, notes, loaded, cautions)
        if len(loaded.blocks) == 1: return report
        return replace(report, lettered=partial(self.letter, loaded, report.rows))

    @property
    def may_wait(self) -> bool:
        "Whether nothing that is asked for has to be tried on every model."
        return not (self.weighing.asked or self.style.interval or self.style.draws_in_order)

    def report_many(self, loaded: Loaded, options: Options) -> Report:
        "The report of very many models or groups, most of which are estimated when looked at."
        chosen, left_out = self.choose_all(loaded.blocks, loaded.lacks)
        grouped = any(group for _, group in loaded.blocks)
        find = [partial(self.measure_block, counts, own, model, group or "all questions" * grouped)
                for ((model, group), counts), own in zip(loaded.blocks.items(), chosen)]
        find[0]()
        curves = LateCurves(find, average_groups if grouped else no_average)
        many = summarise(loaded.blocks, chosen, curves, self.style)
        best = sorted(many.means, key=lambda name: -many.means[name])[:SHOWN]
        shown = set(best) if many.what == "model" else set(list_whole(loaded))
        cautions = self.find_cautions(loaded, options.policy.missing == "drop", shown)
        left = (f"left out: {say_left_out(left_out)}.",) if left_out else ()
        notes = *left, *say_approximate(chosen[0])
        if many.what == "model": notes += (TESTED,)
        whole = [i for i, (_, group) in enumerate(loaded.blocks) if not group]
        held = curves if len(whole) > 1 else curves.take(whole)
        report = self.write(curves, list_questions(loaded.blocks, held), notes, loaded, cautions)
        advised = partial(advise_halving, many.rows, loaded.blocks, self.metrics, self.k)
        return replace(report, many=many, advised=advised)

    def choose_all(
        self, blocks: Mapping[tuple[str, str], Counts], lacks: Mapping[str, str],
    ) -> tuple[list[list[Chosen]], dict[str, str]]:
        "Metrics and budgets of each block, chosen once for all that hold the same."
        known: dict[tuple, tuple[list[Chosen], dict[str, str]]] = {}
        found, left_out = [], {}
        for (_, group), counts in blocks.items():
            refuse_taken(group)
            kept = tuple(getattr(counts, field) is None for field in LACKS)
            held = counts.n_min, counts.n_max, *kept
            if held not in known:
                known[held] = choose_metrics(counts, self.metrics, self.k, ties=self.ties,
                                             lacks=lacks)
            found.append(known[held][0])
            left_out |= known[held][1]
        return found, left_out

    def measure_block(
        self, counts: Counts, chosen: Sequence[Chosen], model: str, group: str,
    ) -> list[Curve]:
        "All metrics of one model or group."
        own = [measure(one, counts, self.style, model, group) for one in chosen]
        refuse_two_values(own)
        return own

    def letter(self, loaded: Loaded, rows: Sequence[Row]) -> dict[str, Letters]:
        "By metric of the first screen, the letters of the models."
        # What compares models takes longer to import than a report to print.
        from .lettering import letter_blocks
        chosen = {model: choose_metrics(counts, self.metrics, self.k, ties=self.ties,
                                        lacks=loaded.lacks)[0]
                  for (model, _), counts in loaded.blocks.items()}
        return letter_blocks(loaded.blocks, chosen, pick_labels(split_models(rows)), self.style,
                             partial(self.weighing.find, known=loaded.weights))

    def bound(self, data: Any, options: Options) -> Report:
        "The report with missing samples counted both ways."
        wrong = load(data, options)
        other = settle_as(options, "right")
        right = settle_all(wrong.rows, other) if wrong.rows else load(data, other)
        for counts in wrong.blocks.values():
            chosen, _ = choose_metrics(counts, self.metrics, self.k, ties=self.ties,
                                       lacks=wrong.lacks)
            refuse_unbounded(chosen, self.metrics, counts)
        low, notes = self.measure_all(wrong)
        high, _ = self.measure_all(right)
        lost = any(counts.missing.any() for counts in wrong.blocks.values())
        curves, said = join_bounds(low, high, lost)
        read = wrong.summary.treat("both")
        questions = list_questions(wrong.blocks, low)
        cautions = self.find_cautions(wrong)
        return self.write(curves, questions, (*said, *notes), replace(wrong, summary=read), cautions)

    def measure_all(self, loaded: Loaded) -> tuple[list[Curve], tuple[str, ...]]:
        "Curves of all models and groups, and what a reader has to know."
        grouped = any(group for _, group in loaded.blocks)
        curves: list[Curve] = []
        weighted: list[Weights | None] = []
        left_out: dict[str, str] = {}
        vague: tuple[str, ...] = ()
        for (model, group), counts in loaded.blocks.items():
            refuse_taken(group)
            chosen, lacking = choose_metrics(counts, self.metrics, self.k, ties=self.ties,
                                             lacks=loaded.lacks)
            left_out |= lacking
            vague = vague or say_approximate(chosen)
            name = group or "all questions" * grouped
            weights = self.weighing.find(counts.questions, loaded.weights)
            weighted.append(weights)
            own = [measure(one, counts, self.style, model, name, weights) for one in chosen]
            if not group: own = [add_missing(curve, find_left_out(loaded, model)) for curve in own]
            refuse_two_values(own)
            curves += own
        if grouped: curves += average_groups(curves)
        left = (f"left out: {say_left_out(left_out)}.",) if left_out else ()
        return curves, (*ask_all(loaded), *left, *vague, *self.weighing.say(weighted, grouped))

    def say_ragged(self, loaded: Loaded, options: Options) -> tuple[str, ...]:
        "Which models have questions with fewer samples than others, and what can be typed."
        if options.policy.samples_per_question is not None: return ()
        whole = {model: counts for (model, group), counts in loaded.blocks.items() if not group}
        said = [(f"{model}: " if len(whole) > 1 else "") + offer_size(counts, self.k is None)
                for model, counts in whole.items() if is_ragged(counts)]
        return tuple(said)

    def find_cautions(
        self, loaded: Loaded, drop: bool = False, shown: Collection[str] | None = None,
    ) -> tuple[Caution, ...]:
        "What may be wrong with the samples of each model, or of some; each sentence once."
        whole, tables = list_whole(loaded), find_tables(loaded, drop, shown)
        if shown is not None: whole = {name: whole[name] for name in whole if name in shown}
        found: list[Caution] = [Stated(text) for text in loaded.warnings]
        if (rows := loaded.rows) is not None:
            found += caution_files(rows.repeats, rows.totals)
            found += caution_attempts(rows.sample_column)
        for model, counts in whole.items():
            own = find_cautions(counts, self.style.target, tables.get(model), len(whole))
            found += [one.of(model) if len(whole) > 1 else one for one in own]
        return tuple(dict.fromkeys(found))

    def write(
        self, curves: Sequence[Curve], questions: Columns, notes: tuple[str, ...],
        loaded: Loaded, cautions: tuple[str, ...],
    ) -> Report:
        "The report of some curves."
        level = self.style.confidence_level
        rows = Rows(curves, level, self.style.rng)
        # A generator is drawn from now, in the order of the rows, and not when they are looked at.
        if self.style.draws_in_order: rows.made
        files, totals = (), ()
        if loaded.rows is not None: files, totals = loaded.rows.files, loaded.rows.totals
        advised = None
        if not self.weighing.asked:
            advised = partial(advise_halving, rows, loaded.blocks, self.metrics, self.k)
        return Report(rows, questions, loaded.read, notes, level, self.title, files,
                      cautions=cautions, totals=totals, advised=advised)


def list_whole(loaded: Loaded) -> dict[str, Counts]:
    "Counts of all questions of each model."
    return {model: counts for (model, group), counts in loaded.blocks.items() if not group}


def ask_all(loaded: Loaded) -> list[str]:
    "What to ask of each model whose samples all agree."
    whole = list_whole(loaded)
    asked = {model: ask_about_copies(counts) for model, counts in whole.items()}
    return [f"{model}: {said}" if len(whole) > 1 else said
            for model, said in asked.items() if said]


def split_models(rows: Sequence[Row]) -> list[list[Row]]:
    "The rows of each model."
    found: dict[str, list[Row]] = {}
    for row in rows: found.setdefault(row.model, []).append(row)
    return list(found.values())


def settle_as(options: Options, missing: str) -> Options:
    "The same options under another policy for missing samples."
    return replace(options, policy=replace(options.policy, missing=missing))


def refuse_taken(group: object) -> None:
    "Refuse a group that is called like a row of the report."
    if re.fullmatch(TAKEN, str(group)):
        raise ValueError(f"{group!r} names a row of the report, got a group of that name; "
                         "rename it")


def measure(
    chosen: Chosen, counts: Counts, style: Style, model: str, group: str,
    weights: Weights | None = None,
) -> Curve:
    "One metric of one block at its budgets."
    values = chosen.metric.at_states(counts, chosen.ks)
    estimates = estimate_metric(chosen, counts, values, main_target(style.target), weights)
    again = None
    if style.target == "both":
        again = estimate_metric(chosen, counts, values, "benchmark", weights)
    several = len(chosen.ks) > 1 and chosen.metric.bounded and weights is None
    banded = several and main_target(style.target) == "questions" and style.interval in BANDED
    curve = Curve(chosen.labels, estimates, again, values, style.interval, banded, model, group,
                  weights, counts.n_max * len(counts) - int(counts.n.sum()))
    # A named method may not apply; with the default there always is an interval.
    if style.interval is not None: try_interval(curve, style)
    return curve


def find_left_out(loaded: Loaded, model: str) -> int:
    "Missing samples of a model that logs do not hold and that were left out."
    if loaded.rows is None: return 0
    several = len({name for name, _ in loaded.blocks}) > 1
    return sum(one.left_out for one in loaded.rows.totals if not several or one.model == model)


def add_missing(curve: Curve, left_out: int) -> Curve:
    "The curve with further missing samples, which stand in no row."
    if not left_out or not isinstance(curve.estimates, Estimates): return curve
    facts = curve.estimates.facts
    more = facts | dict(missing=facts["missing"] + left_out)
    return replace(curve, estimates=replace(curve.estimates, facts=more))


def try_interval(curve: Curve, style: Style) -> None:
    "Refuse an interval method that does not apply, with the name of the metric."
    estimates = curve.estimates
    # A method for all budgets at once applies to each of them, or to none.
    if style.interval in at_all_budgets: estimates = estimates_of(estimates.units.at(0))
    # Seed 0: what the caller's generator draws belongs to the rows.
    try: estimates.ends(style.confidence_level, style.interval, None)
    except ValueError as error: raise ValueError(f"{curve.labels[0]}: {error}") from None


def is_ragged(counts: Counts) -> bool:
    "Whether samples are absent, and not only without an outcome."
    return bool(len(set((counts.n + counts.missing).tolist())) > 1)


def offer_size(counts: Counts, cut: bool) -> str:
    "What ragged samples do to the budgets, and the option that takes absent ones as missing."
    every = counts.n + counts.missing
    most, short = int(every.max()), int((every.max() - every).sum())
    ends = f"k ends at {counts.n_min}, the fewest samples of a question; " * cut
    be = "one is" if short == 1 else "ones are"
    return (f"{ends}if every question should have {most} samples, pass "
            f"samples_per_question={most}: the {short} absent {be} then missing.")


def refuse_two_values(curves: Iterable[Curve]) -> None:
    "Refuse two metrics of one name with different values."
    found: dict[str, float] = {}
    for curve in curves:
        for label, value in zip(curve.labels, curve.estimates.value.tolist()):
            if found.setdefault(label, value) != value:
                raise ValueError(f"two metrics are called {label!r}; give them names of their own")


def list_questions(
    blocks: Mapping[tuple[str, str], Counts],  # Counts of each model and group
    curves: Sequence[Curve],  # Metrics of each
) -> Columns:  # One row per model and question, each column made when it is looked at
    "Names, counts and metrics of every question."
    whole = {model: counts for (model, group), counts in blocks.items() if not group}
    late = curves if isinstance(curves, LateCurves) else tuple(curves)
    return Columns(partial(join_columns, whole, late))


def join_columns(whole: Mapping[str, Counts], curves: Sequence[Curve]) -> dict[str, Spread]:
    "The columns that all models have, one model below the other."
    tables = [list_columns(model, counts, curves) for model, counts in whole.items()]
    shared = [name for name in tables[0] if all(name in table for table in tables)]
    return {name: Spread(tuple(table[name] for table in tables)) for name in shared}


def list_columns(model: str, counts: Counts, curves: Sequence[Curve]) -> dict[str, tuple]:
    "The columns of one model: values of its states, and the state of each question."
    each = np.arange(len(counts))
    columns = dict(model=(np.array([model]), np.zeros(len(counts), int)),
                   question=(counts.questions, each), n=(counts.n, each), c=(counts.c, each),
                   missing=(counts.missing, each))
    if counts.c is None: del columns["c"]
    for curve in curves:
        if curve.model != model or curve.group not in WHOLE or curve.values is None: continue
        for label, column in zip(curve.labels, curve.values.table.T):
            columns[label] = column, curve.values.state
    return columns
