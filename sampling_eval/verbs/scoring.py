"""`score`: every metric the data can give, at every budget, with its error bar."""
from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from ..foundations.counts import Counts
from ..inference.estimate import TARGETS, Estimates
from ..inference.weights import Weights
from ..io.load import Loaded, TextSource, load, settle_all
from ..io.options import Options
from ..renaming import check_choice, name_parameters, renamed
from ..io.sample_ids import File
from ..parameters import (Attempts, Conflict, Method, Missing, MissingCost, NoAnswer, Targets, Ties,
                          ToScore)
from ..records import dataclass
from ..results.analysis import Advice
from ..results.columns import Columns, Spread
from ..results.diagnostics import AllAgree, Caution, Stated
from ..results.score_report import (Letters, Many, Ragged, Report, Reruns, StoredTotal, WHOLE,
                                    name_bound, pick_labels)
from ..results.reading import SourceFile
from ..results.rows import Bound, Row
from ..results.base import Rng, Style, check_style
from .curves import Curve, Rows, average_groups, measure
from .diagnostics import caution_attempts, caution_files, find_agreement, find_cautions
from .many_models import (MANY, SHOWN, LateCurves, find_letters, refuse_two_values,
                          summarise)
from .metric_choice import (LACKS, UNCLEAR, Budgets, Chosen, Metrics, choose_metrics, find_kept,
                            refuse_unbounded, say_approximate)
from .next_steps import advise_halving
from .reruns import find_reruns
from .runs import find_tables
from .truth import check_behind, load_named
from .measuring import Weighing, check_request
from .spending import CostRequest, check_cost

TAKEN = "all questions|mean of [0-9]+ groups"


@renamed(format="harness", files="files_hold")
def score(
    data: Any,  # `Counts`, a table of 0/1, a path, glob or folder, a frame, columns, or rows
    metrics: Metrics = None,  # Names such as `pass@k` or `pass@8`, or name to own credit; None: all
    k: Budgets = None,  # Budgets; None: every `k` up to 8, else powers of two and the smallest `n`
    *,
    by: str | None = None,  # Column of groups: rows per group, over all questions, and over groups
    missing: Missing = "raise",  # Samples without an outcome
    samples_per_question: int | None = None,  # How many there should be; absent ones are missing
    no_answer: NoAnswer | None = None,  # Samples without an answer, for maj@k
    ties: Ties = "expected",  # Ties of maj@k: `expected` shares the credit, `wrong` gives none
    normalize: Any = None,  # When answers are equal: `strip`, `lower`, `number` or a function
    conflict: Conflict = "refuse",  # Answers marked right and wrong
    confidence_level: float = .95,  # Level of the intervals
    interval: Method | None = None,  # CI method (default: assumption-free)
    target: Targets = "new_questions",  # What the intervals are about
    cluster: str | Mapping | Sequence | None = None,  # Column of groups, or group of each question
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Upper bound on weights (default: observed maximum)
    attempts: Attempts | None = None,  # Whether each sample saw those before it
    verdict: str | None = None,  # Column of a judge's verdicts: tries until it passes
    portfolio: int | None = None,  # Tries that are split over the groups of `by`
    judge: Any = None,  # `Judge`, or its sensitivity and specificity, of verdicts that err
    labels: str | None = None,  # Column of true outcomes of some samples, beside the verdicts
    earlier: Any = None,  # Earlier run of all questions, where these are a random part of them
    cost: str | None = None,  # Column of the cost of a sample: what trying until success costs
    cost_cap: float | None = None,  # Most that a sample can cost, for intervals that always hold
    missing_cost: MissingCost = "raise",  # Samples without a cost; mean: of question and outcome
    rng: Rng = None,  # Random seed (default 0)
    title: str = "",  # Name of the data in the report
    **reading: Unpack[
        ToScore],  # Columns, `threshold=`, and `harness=`, `filter=`, `grade=`, ... for logs
) -> Report:  # Rows, per-question columns, and what was read
    """Every metric the data can give, at every budget, with its error bar.

    Raises: `ValueError`, `TypeError` or `FileNotFoundError` for data or names that allow no
    number.
    """
    style = check_style(Style(confidence_level, interval, None, target, rng), (*TARGETS, "both"))
    check_choice("ties", ties, ("expected", "wrong", "first"))
    check_choice("attempts", attempts, (None, "independent", "ordered"))
    check_choice("missing", missing, ("raise", "wrong", "drop", "bounds"))
    policy = dict(missing="wrong" if missing == "bounds" else missing, no_answer=no_answer,
                  samples_per_question=samples_per_question, normalize=normalize,
                  conflict=conflict)
    costs = check_cost(cost, cost_cap, missing_cost, both=missing == "bounds")
    given = costs.add(reading) | policy | dict(by=by, cluster=cluster)
    weighing = check_request(weights, largest_weight, cluster)
    behind = check_behind(judge, labels, earlier, weights=weights,
                          missing="bounds" if missing == "bounds" else None)
    if labels is not None: given["ignore"] = behind.list_ignored(data, given)
    options = Options.of(given, name_parameters(score), **find_kept(metrics), runs=True,
                         weights=weights, costs=costs.columns, means=target == "same_questions")
    if verdict is not None:
        from .score_parts import add_verdict
        options = add_verdict(options, verdict)
    asked = ScoreRequest(metrics, k, ties, style, title, weighing, costs, attempts)
    if missing == "bounds": return asked.report_bounds(data, options)
    loaded = load_named(data, options, verdict, labels)
    late = len(loaded.blocks) > MANY and asked.may_wait and not behind.asked
    report = (asked.report_many if late else asked.report)(loaded, options)
    if behind.asked: report = behind.add(report, asked, loaded, data, options)
    if verdict is None and portfolio is None: return report
    from .score_parts import add_loops_and_mixes
    return add_loops_and_mixes(report, data, loaded, options, verdict, by, portfolio)


@dataclass(frozen=True)
class ScoreRequest:
    "What is to be computed, whatever the data are."
    metrics: Metrics
    k: Budgets
    ties: str  # Ties of maj@k
    style: Style  # How error bars are computed
    title: str = ""
    weighing: Weighing = Weighing()  # How questions are weighted
    costs: CostRequest = CostRequest()  # The column of costs, and what bounds them
    attempts: str | None = None  # `independent`, `ordered`, or not said

    @property
    def may_wait(self) -> bool:
        "Whether nothing that is asked for has to be tried on every model."
        return not (self.weighing.asked or self.style.interval or self.style.draws_in_order)

    def choose(
        self, counts: Counts, lacks: Mapping[str, str],
    ) -> tuple[list[Chosen], dict[str, str]]:
        "The metrics of one model, and why others are left out."
        return choose_metrics(counts, self.metrics, self.k, ties=self.ties, lacks=lacks)

    def report(self, loaded: Loaded, options: Options) -> Report:
        "The report of all models and groups."
        curves, left_out, notes = self.measure_all(loaded)
        cautions = self.find_cautions(loaded, options.policy.missing == "drop")
        return self.write(curves, loaded, options, left_out=left_out, notes=notes,
                          cautions=cautions)

    def report_many(self, loaded: Loaded, options: Options) -> Report:
        "The report of very many models or groups, most of which are estimated when looked at."
        chosen, left_out = self.choose_all(loaded)
        curves = LateCurves(loaded.blocks, chosen, self.style)
        curves.find(0)  # Asks for what no model can give before anything else is done
        many = summarise(curves)
        shown = {model for model, _ in loaded.blocks}
        if many.what == "model":
            shown = set(sorted(many.means, key=lambda name: -many.means[name])[:SHOWN])
        cautions = self.find_cautions(loaded, options.policy.missing == "drop", shown)
        return self.write(curves, loaded, options, left_out=left_out,
                          notes=say_approximate(chosen[0]), cautions=cautions, many=many)

    def choose_all(self, loaded: Loaded) -> tuple[list[list[Chosen]], dict[str, str]]:
        "Metrics and budgets of each block, chosen once for all that hold the same."
        known: dict[tuple, tuple[list[Chosen], dict[str, str]]] = {}
        found, left_out = [], {}
        for (_, group), counts in loaded.blocks.items():
            refuse_taken(group)
            kept = tuple(getattr(counts, field) is None for field in LACKS)
            held = counts.n_min, counts.n_max, *kept
            if held not in known: known[held] = self.choose(counts, loaded.lacks)
            found.append(known[held][0])
            left_out |= known[held][1]
        return found, left_out

    def report_bounds(self, data: Any, options: Options) -> Report:
        "The report with missing samples counted both ways."
        wrong = load(data, options)
        other = replace(options, policy=replace(options.policy, missing="right"))
        right = settle_all(wrong.rows, other) if wrong.rows else load(data, other)
        for counts in wrong.blocks.values():
            refuse_unbounded(self.choose(counts, wrong.lacks)[0], self.metrics, counts)
        low, left_out, notes = self.measure_all(wrong)
        high, _, _ = self.measure_all(right)
        lost = any(counts.missing.any() for counts in wrong.blocks.values())
        unclear = {name: "how a missing sample would have voted or ranked is unknown"
                   for name in UNCLEAR if lost and any(curve.metric == name for curve in low)}
        curves = [replace(curve, group=name_bound(bound), bound=bound)
                  for missing, found in (("wrong", low), ("right", high)) for curve in found
                  if curve.metric not in unclear
                  for bound in [Bound(missing, curve.group)]]  # type: ignore[arg-type]
        loaded = replace(wrong, summary=wrong.summary.treat("both"))
        return self.write(curves, loaded, options, values=low, left_out=unclear | left_out,
                          notes=notes, cautions=self.find_cautions(wrong))

    def measure_all(
        self, loaded: Loaded,
    ) -> tuple[list[Curve], dict[str, str], tuple[str, ...]]:
        "Curves of all models and groups, which metrics are left out, and what else to know."
        grouped = any(group for _, group in loaded.blocks)
        curves: list[Curve] = []
        weighted: list[Weights | None] = []
        left_out: dict[str, str] = {}
        vague: tuple[str, ...] = ()
        for (model, group), counts in loaded.blocks.items():
            refuse_taken(group)
            chosen, lacking = self.choose(counts, loaded.lacks)
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
        notes = *vague, *self.weighing.say(weighted, grouped)
        return curves, left_out, notes

    def list_ragged(self, loaded: Loaded, options: Options) -> Iterator[Ragged]:
        "Models with questions that have fewer samples than others."
        if options.policy.samples_per_question is not None: return
        for model, counts in list_whole(loaded).items():
            every = counts.n + counts.missing
            if every.min() == every.max(): continue
            yield Ragged(model, int(every.max()), int((every.max() - every).sum()),
                         counts.n_min if self.k is None else None)

    def find_cautions(
        self, loaded: Loaded, drop: bool = False, shown: Collection[str] | None = None,
    ) -> tuple[Caution, ...]:
        "What may be wrong with the samples of each model, or of some; each caution once."
        whole, tables = list_whole(loaded), find_tables(loaded, drop, shown)
        if shown is not None: whole = {name: whole[name] for name in whole if name in shown}
        found: list[Caution] = [Stated(note.sentence) for note in loaded.summary.warnings]
        if (rows := loaded.rows) is not None:
            found += caution_files(rows.repeats, rows.totals)
            if self.attempts is None: found += caution_attempts(rows.sample_column)
        for model, counts in whole.items():
            own = find_cautions(counts, self.style.target, tables.get(model), len(whole))
            found += [one.of(model) if len(whole) > 1 else one for one in own]
        return tuple(dict.fromkeys(found))

    def write(
        self, curves: Sequence[Curve], loaded: Loaded, options: Options, *,
        many: Many | None = None,
        values: Sequence[Curve] | None = None,  # Curves of the columns, if these are others
        **known: Any,
    ) -> Report:
        "The report of some curves."
        rows = Rows(curves, self.style.confidence_level, self.style.rng)
        # A generator is drawn from now, in the order of the rows, and not when they are looked at.
        if self.style.draws_in_order: rows.made
        files, totals = (), ()
        if loaded.rows is not None:
            files = loaded.rows.files
            totals = tuple(StoredTotal(**vars(one)) for one in loaded.rows.totals)
        whole = list_whole(loaded)
        ragged = () if many or values is not None else tuple(self.list_ragged(loaded, options))
        summary = loaded.summary
        several = summary.kind == "gradings" and len(summary.gradings) == len(whole)
        facts = dict(ragged=ragged, agreement=() if many else tuple(list_agreement(loaded))) | known
        alone = next(iter(whole.values())) if len(whole) == 1 else None
        if alone is not None and alone.c is not None:
            facts |= dict(flaky_questions=int(((alone.c > 0) & (alone.c < alone.n)).sum()))
        level = self.style.confidence_level
        if self.costs.column is not None:
            facts["spend"] = tuple(self.costs.list_spend(whole, self.k, level, self.weighing,
                                                         loaded.weights))
        if self.attempts == "ordered":
            tables = find_tables(loaded, options.policy.missing == "drop")
            from .score_parts import list_ordered
            facts["ordered"] = tuple(list_ordered(whole, tables, level))
        return Report(
            rows, summary=summary, confidence_level=self.style.confidence_level,
            title=self.title, systems="gradings" if several else "models",
            target=self.style.target, totals=totals, files=files, many=many,
            questions=Columns(QuestionValues(whole, curves if values is None else values)),
            texts=TextSource((loaded.origin,)) if loaded.origin else None,
            measured=Scored(self, loaded, values is None), **facts)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Scored:
    "What was read and asked for: letters and the next step are computed from it when looked at."
    asked: ScoreRequest
    loaded: Loaded
    comparable: bool = True  # Not where missing samples are counted both ways

    def find_letters(self, rows: Sequence[Row]) -> Letters:
        "By metric of the first screen, the letters of several models."
        whole = list_whole(self.loaded)
        if not self.comparable or not 1 < len(self.loaded.blocks) <= MANY: return {}
        asked = self.asked
        blocks: dict[str, list[Row]] = {}
        for row in rows: blocks.setdefault(row.model, []).append(row)
        chosen = {model: asked.choose(counts, self.loaded.lacks)[0]
                  for model, counts in whole.items()}
        return find_letters(self.loaded.blocks, chosen, pick_labels(list(blocks.values())),
                            asked.style, asked.weighing, self.loaded.weights)

    def find_advice(self, rows: Sequence[Row]) -> Advice | None:
        "What would halve the interval of the first row; None for several models."
        asked = self.asked
        if asked.weighing.asked: return None
        return advise_halving(rows, self.loaded.blocks, asked.metrics, asked.k)  # type: ignore

    def find_reruns(self) -> Reruns | None:
        "What another run of the only model would give; None where a question has one sample."
        if self.asked.weighing.asked or not self.comparable: return None
        return find_reruns(list(list_whole(self.loaded).values()))

    def find_sources(self) -> tuple[SourceFile, ...]:
        "The files that were read, with their hashes."
        rows = self.loaded.rows
        return () if rows is None else tuple(map(hash_file, rows.files))


def hash_file(file: File) -> SourceFile:
    "The name and the hash of a file that was read."
    name = os.path.basename(file.path)
    if file.sha256: return SourceFile(name, file.sha256)
    from ..io.text_files import identify  # An array needs none of what reads files
    try: found = identify(file).sha256
    except (ValueError, OSError):
        return SourceFile(name, unknown="not known: the file has changed since it was read")
    return SourceFile(name, found, "" if found else "not known: read from an address")


def list_whole(loaded: Loaded) -> dict[str, Counts]:
    "Counts of all questions of each model."
    return {model: counts for (model, group), counts in loaded.blocks.items() if not group}


def list_agreement(loaded: Loaded) -> Iterator[AllAgree]:
    "Models of which all samples of each question agree."
    whole = list_whole(loaded)
    for model, counts in whole.items():
        found = find_agreement(counts)
        if found is not None: yield found.of(model) if len(whole) > 1 else found


def refuse_taken(group: object) -> None:
    "Refuse a group that is called like a row of the report."
    if re.fullmatch(TAKEN, str(group)):
        raise ValueError(f"{group!r} names a row of the report, got a group of that name; "
                         "rename it")


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


# The values of the questions.

@dataclass(frozen=True, eq=False)
class QuestionValues(Mapping[str, Spread]):
    "One row per model and question: names, counts and metrics, listed when they are looked at."
    whole: Mapping[str, Counts]  # Counts of each model
    curves: Sequence[Curve]  # Metrics of all models

    @cached_property
    def columns(self) -> dict[str, Spread]:
        "The columns that all models have, one model below the other."
        curves = self.curves
        if isinstance(curves, LateCurves) and len(self.whole) == 1:
            curves = curves.take([i for i, (_, group) in enumerate(curves.blocks) if not group])
        tables = [list_columns(model, counts, curves) for model, counts in self.whole.items()]
        shared = [name for name in tables[0] if all(name in table for table in tables)]
        return {name: Spread(tuple(table[name] for table in tables)) for name in shared}

    def __getitem__(self, name: str) -> Spread: return self.columns[name]
    def __iter__(self) -> Iterator[str]: return iter(self.columns)
    def __len__(self) -> int: return len(self.columns)


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
