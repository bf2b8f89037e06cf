"""`score`: every metric the data can give, at every budget, with its error bar.

A `ScoreRequest` says what is to be computed; its methods choose metrics, measure them on each model
and group that was read, and write the `Report`. What few scores ask for is found by `addons`.
"""
from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, Unpack

import numpy as np

from ...arguments import check_choice, checked, name_parameters
from ...foundations.counts import Counts
from ...inference.intervals import TARGETS, Estimates
from ...inference.units import Weights
from ...parameters import (
    Attempts, Conflict, Method, Missing, MissingCost, NoAnswer, Targets, Ties, ToScore)
from ...reading.load import FileSource, Loaded, TextSource, load, settle_all
from ...reading.options import Options
from ...results.base import Rng, Style, check_style
from ...results.cautions import AllAgree, Caution, Stated
from ...results.columns import Columns, Spread
from ...results.rows import WHOLE, Bound, Row
from ..addons import Asked, add_all, adjust_all, ask_all, load_all, need_rows, prepare_all
from ..engine.battles import battles_of, choose_share
from ..engine.choose import (LACKS, UNCLEAR, Budgets, Chosen, Metrics, choose_metrics,
                             columns_to_keep, refuse_unbounded, say_approximate)
from ..engine.diagnostics import (
    caution_attempts, caution_files, caution_spellings, cautions_of, find_agreement)
from ..engine.measure import (
    Curve, LateCurves, LateRows, Weighing, average_groups, check_request, counts_by_model, measure,
    refuse_two_values, rows_of_curves)
from ..engine.named_columns import take_named
from ..engine.next_steps import advise_halving, measure_reruns
from ..engine.runs import run_tables
from .result import Many, Ragged, Report, name_bound, pick_labels

TAKEN = "all questions|mean of [0-9]+ groups"
AllChosen: TypeAlias = dict[tuple[str, str], list[Chosen]]  # Metrics by model and group


@checked
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
    cluster: str | bool | Mapping | Sequence | None = None,  # Column of groups, or group of each
    weights: str | Mapping | None = None,  # Column of weights of the questions, or by question
    largest_weight: float | None = None,  # Upper bound on weights (default: observed maximum)
    attempts: Attempts | None = None,  # Whether each sample saw those before it
    verdict: str | None = None,  # Column of a judge's verdicts: tries until it passes
    portfolio: int | None = None,  # Tries that are split over the groups of `by`
    crossed: bool = False,  # Whether groups of `by`, such as prompts, are drawn as questions are
    vote_weight: str | None = None,  # Column of confidences, by which votes are weighted
    vote_keep: Any = None,  # Share of a vote's samples, or number, of the surest that vote
    budget_column: str | None = None,  # Column of turns, tokens or dollars that a try used
    judge: Any = None,  # `Judge`, or its sensitivity and specificity, of verdicts that err
    labels: str | None = None,  # Column of true outcomes of some samples, beside the verdicts
    panel: str | None = None,  # Column of gold labels: models or gradings are judges of a panel
    earlier: Any = None,  # Earlier run of all questions, where these are a random part of them
    cost: str | None = None,  # Column of the cost of a sample: what trying until success costs
    cost_cap: float | None = None,  # Most that a sample can cost, for intervals that always hold
    missing_cost: MissingCost = "raise",  # Samples without a cost; mean: of question and outcome
    rng: Rng = None,  # Random seed (default 0)
    title: str = "",  # Name of the data in the report
    addons: Mapping[str, Any] | None = None,  # Add-ons of other packages to what they take
    **reading: Unpack[ToScore],  # Columns, `threshold=`, and `harness=`, `filter=`, ... for logs
) -> Report:  # Rows, per-question columns, and what was read
    """Every metric the data can give, at every budget, with its error bar.

    Parameters:
        data                  `Counts`, a table of 0/1, a path, glob or folder, a frame, columns, or
                              rows
        metrics               Names such as `pass@k` or `pass@8`, or name to own credit; None: all
        k                     Budgets; None: every `k` up to 8, else powers of two and the smallest
                              `n`
        by                    Column of groups: rows per group, over all questions, and over groups
        missing               Samples without an outcome
        samples_per_question  How many there should be; absent ones are missing
        no_answer             Samples without an answer, for maj@k
        ties                  Ties of maj@k: `expected` shares the credit, `wrong` gives none
        normalize             When answers are equal: `strip`, `lower`, `number` or a function
        conflict              Answers marked right and wrong
        confidence_level      Level of the intervals
        interval              CI method (default: assumption-free)
        target                What the intervals are about
        cluster               Column of groups, or group of each
        weights               Column of weights of the questions, or by question
        largest_weight        Upper bound on weights (default: observed maximum)
        attempts              Whether each sample saw those before it
        verdict               Column of a judge's verdicts: tries until it passes
        portfolio             Tries that are split over the groups of `by`
        crossed               Whether groups of `by`, such as prompts, are drawn as questions are
        vote_weight           Column of confidences, by which votes are weighted
        vote_keep             Share of a vote's samples, or number, of the surest that vote
        budget_column         Column of turns, tokens or dollars that a try used
        judge                 `Judge`, or its sensitivity and specificity, of verdicts that err
        labels                Column of true outcomes of some samples, beside the verdicts
        panel                 Column of gold labels: models or gradings are judges of a panel
        earlier               Earlier run of all questions, where these are a random part of them
        cost                  Column of the cost of a sample: what trying until success costs
        cost_cap              Most that a sample can cost, for intervals that always hold
        missing_cost          Samples without a cost; mean: of question and outcome
        rng                   Random seed (default 0)
        title                 Name of the data in the report
        addons                Add-ons of other packages to what they take
        reading               Columns, `threshold=`, and `harness=`, `filter=`, ... for logs (see
                              `read`): scale, question, sample, correct, answer, score, model,
                              expected, keys, threshold, ignore, failed, sums, harness, task,
                              filter, grade, files_hold, limits
        return                Rows, per-question columns, and what was read

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
    named = take_named(metrics, dict(cost=cost, verdict=verdict, by=by))
    more: dict[str, Any] = dict(
        verdict=verdict, portfolio=portfolio, crossed=crossed, vote_weight=vote_weight,
        vote_keep=vote_keep, budget_column=budget_column, judge=judge, labels=labels, panel=panel,
        earlier=earlier, cost=cost, cost_cap=cost_cap, missing_cost=missing_cost,
        attempts=attempts)
    asking = more | dict(missing=missing, weights=weights, ties=ties, budgets=named.budgets)
    requests = ask_all("score", asking, addons or {})
    weighing = check_request(weights, largest_weight, cluster)
    given = adjust_all(requests, data, dict(reading) | policy | dict(by=by, cluster=cluster))
    options = prepare_all(requests, Options.of(
        given, name_parameters(score), **columns_to_keep(named.metrics), runs=True, weights=weights,
        means=target == "same_questions"))
    asked = ScoreRequest(named.metrics, k, ties, style, title, weighing, attempts)
    if missing == "bounds": loaded, report = asked.report_bounds(data, options)
    else:
        loaded = load_all(requests, data, options, more)
        if battles := battles_of(loaded): requests["battles"] = battles
        asked = replace(asked, metrics=choose_share(asked.metrics, battles))
        late = len(loaded.blocks) > MOST_MODELS_WHOLE and asked.may_wait and not need_rows(requests)
        report = (asked.report_many if late else asked.report)(loaded, options)
    return add_all(requests, Asked(data, loaded, options, report, style, k, named.budgets, by,
                                   weighing, asked.choose_all))


@dataclass(frozen=True)
class ScoreRequest:
    "What is to be computed, whatever the data are."
    metrics: Metrics
    k: Budgets
    ties: str  # Ties of maj@k
    style: Style  # How error bars are computed
    title: str = ""
    weighing: Weighing = Weighing()  # How questions are weighted
    attempts: str | None = None  # `independent`, `ordered`, or not said

    @property
    def may_wait(self) -> bool:
        "Whether nothing that is asked for has to be tried on every model."
        return not (self.weighing.asked or self.style.interval or self.style.draws_in_order)

    def report(self, loaded: Loaded, options: Options) -> Report:
        "The report of all models and groups."
        chosen, left_out = self.choose_all(loaded)
        curves, notes = self.measure_all(loaded, chosen)
        rows = rows_of_curves(curves, self.style.confidence_level, self.style.rng)
        cautions = self.find_cautions(loaded, options.policy.missing == "drop")
        return self.write(rows, spread_by_model(counts_by_model(loaded), curves), loaded, options,
                          left_out=left_out, notes=notes, cautions=cautions,
                          ragged=tuple(self.list_ragged(loaded, options)),
                          agreement=tuple(agreeing_models(loaded)),
                          **self.find_further(rows, loaded, chosen))

    def report_many(self, loaded: Loaded, options: Options) -> Report:
        "The report of very many models or groups, most of which are estimated when looked at."
        chosen, left_out = self.choose_all(loaded)
        curves = LateCurves(loaded.blocks, list(chosen.values()), self.style)
        curves.find(0)  # Asks for what no model can give before anything else is done
        many = summarise(curves)
        shown = {model for model, _ in loaded.blocks}
        if many.what == "model":
            shown = set(sorted(many.means, key=lambda name: -many.means[name])[:MODELS_SHOWN])
        cautions = self.find_cautions(loaded, options.policy.missing == "drop", shown)
        return self.write(LateRows(curves), LateValues(counts_by_model(loaded), curves), loaded,
                          options, left_out=left_out, notes=say_approximate(curves.chosen[0]),
                          cautions=cautions, many=many,
                          **self.find_further(many.rows, loaded, chosen))

    def choose_all(self, loaded: Loaded) -> tuple[AllChosen, dict[str, str]]:
        """The metrics of each model and group at their budgets, and why others are left out.

        They are chosen once for all that hold the same.
        """
        known: dict[tuple, list[Chosen]] = {}
        found, left_out = {}, {}
        for (model, group), counts in loaded.blocks.items():
            refuse_taken(group)
            lacks = [getattr(counts, field) is None for field in LACKS]
            held = counts.n_min, counts.n_max, *lacks
            if held not in known:
                known[held], lacking = choose_metrics(counts, self.metrics, self.k, ties=self.ties,
                                                      lacks=loaded.lacks)
                left_out |= lacking
            found[model, group] = known[held]
        return found, left_out

    def report_bounds(self, data: Any, options: Options) -> tuple[Loaded, Report]:
        "What was read, and the report with missing samples counted both ways."
        wrong = load(data, options)
        other = replace(options, policy=replace(options.policy, missing="right"))
        right = settle_all(wrong.rows, other) if wrong.rows else load(data, other)
        chosen, left_out = self.choose_all(wrong)
        for key, own in chosen.items(): refuse_unbounded(own, self.metrics, wrong.blocks[key])
        low, notes = self.measure_all(wrong, chosen)
        high, _ = self.measure_all(right, self.choose_all(right)[0])
        lost = any(counts.missing.any() for counts in wrong.blocks.values())
        unclear = {name: "how a missing sample would have voted or ranked is unknown"
                   for name in UNCLEAR if lost and any(curve.metric == name for curve in low)}
        curves = [replace(curve, group=name_bound(bound), bound=bound)
                  for missing, found in (("wrong", low), ("right", high)) for curve in found
                  if curve.metric not in unclear
                  for bound in [Bound(missing, curve.group)]]  # type: ignore[arg-type]
        loaded = replace(wrong, summary=wrong.summary.treat("both"))
        rows = rows_of_curves(curves, self.style.confidence_level, self.style.rng)
        spread = spread_by_model(counts_by_model(loaded), low)
        return loaded, self.write(rows, spread, loaded, options,
                                  left_out=unclear | left_out, notes=notes,
                                  cautions=self.find_cautions(wrong),
                                  agreement=tuple(agreeing_models(loaded)))

    def measure_all(
        self, loaded: Loaded, chosen: AllChosen,
    ) -> tuple[list[Curve], tuple[str, ...]]:
        "Curves of all models and groups, and what to know of them."
        grouped = any(group for _, group in loaded.blocks)
        curves: list[Curve] = []
        weighted: list[Weights | None] = []
        for (model, group), counts in loaded.blocks.items():
            name = group or "all questions" * grouped
            weights = self.weighing.find(counts.questions, loaded.weights)
            weighted.append(weights)
            own = [measure(one, counts, self.style, model, name, weights)
                   for one in chosen[model, group]]
            if not group: own = [add_missing(curve, count_left_out(loaded, model)) for curve in own]
            refuse_two_values(own)
            curves += own
        if grouped: curves += average_groups(curves)
        vague = next(filter(None, map(say_approximate, chosen.values())), ())
        return curves, (*vague, *self.weighing.say(weighted, grouped))

    def find_further(
        self, rows: Sequence[Row], loaded: Loaded, chosen: AllChosen,
    ) -> dict[str, Any]:
        "Letters of several models; of the only one another run, and what halves its interval."
        whole = counts_by_model(loaded)
        if len(whole) > 1:
            if len(loaded.blocks) > MOST_MODELS_WHOLE: return {}
            blocks: dict[str, list[Row]] = {}
            for row in rows: blocks.setdefault(row.model, []).append(row)
            metrics = {model: chosen[model, ""] for model in whole}
            from .letters import letters_by_metric  # Loads what compares models
            return dict(letters=letters_by_metric(
                loaded.blocks, metrics, pick_labels(list(blocks.values())), self.style,
                self.weighing, loaded.weights))
        if self.weighing.asked: return {}
        (model, counts), = whole.items()
        return dict(reruns=measure_reruns(counts),
                    next=advise_halving(rows, counts, chosen[model, ""][0], self.style))

    def list_ragged(self, loaded: Loaded, options: Options) -> Iterator[Ragged]:
        "Models with questions that have fewer samples than others."
        if options.policy.samples_per_question is not None: return
        for model, counts in counts_by_model(loaded).items():
            if counts.n_min == counts.n_max: continue
            # Samples that count as wrong are among the n.
            every = counts.n + (0 if options.policy.missing == "wrong" else counts.missing)
            if every.min() == every.max(): continue
            yield Ragged(model, int(every.max()), int((every.max() - every).sum()),
                         counts.n_min if self.k is None else None)

    def find_cautions(
        self, loaded: Loaded, drop: bool = False, shown: Collection[str] | None = None,
    ) -> tuple[Caution, ...]:
        "What may be wrong with the samples of each model, or of some; each caution once."
        whole, tables = counts_by_model(loaded), run_tables(loaded, drop, shown)
        if shown is not None: whole = {name: whole[name] for name in whole if name in shown}
        found: list[Caution] = [Stated(note.sentence) for note in loaded.summary.warnings]
        if (rows := loaded.rows) is not None:
            found += caution_files(rows.repeats, rows.totals)
            if self.attempts is None: found += caution_attempts(rows.sample_column)
        voting = columns_to_keep(self.metrics)["answers"]
        for model, counts in whole.items():
            own = [*cautions_of(counts, self.style.target, tables.get(model), len(whole))]
            if voting and counts.votes is not None: own += caution_spellings(counts)
            found += [one.of(model) if len(whole) > 1 else one for one in own]
        return tuple(dict.fromkeys(found))

    def write(
        self, rows: Sequence[Row], values: Mapping[str, Spread], loaded: Loaded, options: Options,
        **known: Any,
    ) -> Report:
        "The report of some rows, and of the values of their questions."
        files, totals = FileSource(), ()
        if loaded.rows is not None:
            files = FileSource(loaded.rows.files)
            totals = tuple(loaded.rows.totals)
        whole = counts_by_model(loaded)
        summary, level = loaded.summary, self.style.confidence_level
        several = summary.kind == "gradings" and len(summary.gradings) == len(whole)
        alone = next(iter(whole.values())) if len(whole) == 1 else None
        if alone is not None and alone.c is not None:
            known["flaky_questions"] = int(((alone.c > 0) & (alone.c < alone.n)).sum())
        return Report(
            rows, summary=summary, confidence_level=level, title=self.title,
            systems="gradings" if several else "models", target=self.style.target, totals=totals,
            files=files, questions=Columns(values),
            texts=TextSource((loaded.origin,)) if loaded.origin else None, **known)


def agreeing_models(loaded: Loaded) -> Iterator[AllAgree]:
    "Models of which all samples of each question agree."
    whole = counts_by_model(loaded)
    for model, counts in whole.items():
        found = find_agreement(counts)
        if found is not None: yield found.of(model) if len(whole) > 1 else found


def refuse_taken(group: object) -> None:
    "Refuse a group that is called like a row of the report."
    if re.fullmatch(TAKEN, str(group)):
        raise ValueError(f"{group!r} names a row of the report, got a group of that name; "
                         "rename it")


def count_left_out(loaded: Loaded, model: str) -> int:
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

def spread_by_model(
    whole: Mapping[str, Counts],  # Counts of each model
    curves: Sequence[Curve],  # Metrics of all models
) -> dict[str, Spread]:  # The columns that all models have, one model below the other
    "One row per model and question: names, counts and metrics."
    tables = [model_columns(model, counts, curves) for model, counts in whole.items()]
    shared = [name for name in tables[0] if all(name in table for table in tables)]
    return {name: Spread(tuple(table[name] for table in tables)) for name in shared}


@dataclass(frozen=True, eq=False)
class LateValues(Mapping[str, Spread]):
    "The same of very many models or groups, listed when they are looked at."
    whole: Mapping[str, Counts]  # Counts of each model
    curves: LateCurves  # Metrics of all models

    @cached_property
    def columns(self) -> dict[str, Spread]:
        "The columns; of groups those of all questions."
        curves: Sequence[Curve] = self.curves
        if len(self.whole) == 1:
            places = [i for i, (_, group) in enumerate(self.curves.blocks) if not group]
            curves = self.curves.take(places)
        return spread_by_model(self.whole, curves)

    def __getitem__(self, name: str) -> Spread: return self.columns[name]
    def __iter__(self) -> Iterator[str]: return iter(self.columns)
    def __len__(self) -> int: return len(self.columns)
    def __reduce__(self) -> Any: return dict, (self.columns,)


def model_columns(model: str, counts: Counts, curves: Sequence[Curve]) -> dict[str, tuple]:
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


# Very many models or groups: a summary.

MOST_MODELS_WHOLE = 100  # Models and groups beyond which only some are shown
MODELS_SHOWN = 10


def summarise(
    curves: LateCurves,  # Curves of very many models or groups
) -> Many:
    "Which of very many models or groups are shown: the highest ones in the first metric."
    keys, counts = list(curves.blocks), list(curves.blocks.values())
    models = [i for i, (_, group) in enumerate(keys) if not group]
    what = "group" if len(models) == 1 else "model"
    places = [i for i, (_, group) in enumerate(keys) if group] if what == "group" else models
    first = [curves.chosen[i][0] for i in places]
    values = metric_means([counts[i] for i in places], first)
    order = np.argsort(-values, kind="stable")[:MODELS_SHOWN]
    shown = curves.take([*(models if what == "group" else []), *(places[i] for i in order)])
    labels = {one.labels[0] for one in first}
    metric = labels.pop() if len(labels) == 1 else first[0].metric.name
    sizes = ([len(counts[i]) for i in places],
             [getattr(counts[i], end) for i in places for end in ("n_min", "n_max")],
             [int(counts[i].missing.sum()) for i in places])
    asked = {frozenset(np.asarray(counts[i].questions).tolist()) for i in places}
    names = [keys[i][what == "group"] for i in places]
    rows = rows_of_curves(shown, curves.style.confidence_level, curves.style.rng)
    questions, samples, missing = ((min(one), max(one)) for one in sizes)
    return Many("group" if what == "group" else "model", metric, dict(zip(names, values.tolist())),
                questions, samples, missing, len(asked) == 1, first[0].metric.unit, rows)


def metric_means(counts: Sequence[Counts], chosen: Sequence[Chosen]) -> np.ndarray:
    "The mean of a metric at its first budget, of each of many."
    one, ks = chosen[0], chosen[0].ks[:1]
    alike = all(other.metric is one.metric and other.ks[0] == ks[0] for other in chosen)
    if one.metric.needs != ("c",) or not alike:
        return np.array([np.mean(own.metric.at_states(held, own.ks[:1]).of_questions())
                         for held, own in zip(counts, chosen)])
    # States are few, however many models there are.
    size = np.array([len(held) for held in counts])
    n, c = (np.concatenate([getattr(held, name) for held in counts]) for name in "nc")
    values = one.metric.at_states(Counts(n, c), ks).of_questions()[:, 0]
    return np.add.reduceat(values, np.cumsum(size) - size) / size
