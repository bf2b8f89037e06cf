"""What `score` says: the answer, tables, what they mean, and the methods.

`document` puts it together. Its first sentence, on one model or on several, is `answer_sentence`;
what was scored stands in `size_words`, pictures in `pictures`; what costs, judges, loops and mixes
add, their add-ons say.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...spelling import marked, option, spell_command
from ...inference.intervals import Interval, row_of
from ...render.blocks import Block, Code, Fold, Grid, Headline, Later, Table, Text
from ...render.citations import cite
from ...render.format import (TARGET_WORDS, count, count_range, describe_ci, difference,
                              interval, join, level, open_sentence, percent, value)
from ...render.verdicts import word_of
from ...results.columns import Absent
from ...results.reading import SourceFile
from ...results.rows import Row, name_family, name_method
from ...results.verdict import Badge
from ..phrases.deciding import describe_method
from ..phrases.added import hear
from ..phrases.advice import describe_advice, describe_caution
from ..phrases.metrics import (
    MODELS_NAMED, Family, column_meanings, define_metrics, enclose_ci, explain_letters, group_rows,
    join_equal, lead_over_others, make_grid, make_list, make_overview, rule_sentences,
    single_sample_row)
from ..phrases.questions import has_questions, open_questions, question_blocks
from ..phrases.reading import define_missing, describe_input, source_blocks, versions_sentence
from ..phrases.weights import explain_weights
from .pictures import draw_figures, draw_more, plot
from .result import Blocks, Report, name_block
from .size_words import reruns_sentence, size_sentence

__all__ = ["document", "page", "title", "methods", "plot", "answer_sentence", "lead_verdict"]


def title(result: Report) -> str: return result.title or "Report"


def document(
    result: Report,  # Report of `score`
    sources: Sequence[SourceFile] | None = None,  # Its files with their hashes, for a page
) -> list[Block]:
    "The answer with its picture, what to do next, every metric; questions and methods folded."
    shown = result.shown()
    tables = metric_tables(shown)
    first = [headline(result)]
    said = [text for text in (beside_answer(result), reruns_sentence(result.reruns)) if text]
    more = hear(result, "sentences", result.confidence_level)
    return [*first, *map(Text, said), Text(f"{size_sentence(result)}."), *map(Text, more),
            *(Text(describe_caution(one), "caution") for one in result.cautions),
            *draw_figures(shown),
            *tables, *legend_blocks(shown, tables), *hear(result, "blocks"),
            *next_step_blocks(result), *(Text(text, "note") for text in note_sentences(result)),
            *fold_blocks(shown, sources)]


def page(result: Report) -> list[Block]:
    "The same with its files, and every question of one sample each if its text may be shown."
    blocks = document(result, () if result.files is None else result.files.hash())
    if has_questions(result) or not result.texts: return blocks
    each = question_blocks(result, 1)
    return open_questions(blocks, [Fold("Every question", each)] if each else [])


def fold_blocks(result: Report, sources: Sequence[SourceFile] | None) -> list[Block]:
    "What is shown on demand."
    several = len(result.blocks()) > 1
    folds = [Fold("Every metric", Later(metrics_and_curves, result))] * several
    folds += [Fold("Every question", Later(question_blocks, result))] * has_questions(result)
    if behind := list(hear(result, "folds")): folds.append(Fold("Behind the outcomes", behind))
    return [*folds, Fold("All numbers", Later(number_blocks, result)),
            Fold("Methods", Later(methods_blocks, result, sources))]


# The answer: who, by how much with its CI, verdict.

def headline(result: Report) -> Headline:
    "What an add-on says first, such as the truth behind a judge's verdicts, else the answer."
    if first := addon_headline(result): return Headline(first, "")
    return Headline(answer_sentence(result), lead_verdict(result.shown()))


def addon_headline(result: Report) -> str:
    "What an add-on says in place of the answer; empty where none does."
    return "".join(hear(result, "headline", result.confidence_level))


def beside_answer(result: Report) -> str:
    "How many questions are solved; behind a corrected number the verdicts as they are."
    said = hear(result, "beside", answer_sentence(result)) if result.addons else ()
    return " ".join(filter(None, [*said, solved_sentence(result.shown())]))


def answer_sentence(result: Report) -> str:
    "The first number of the only model with its CI, or which of several leads."
    if result.many is not None and result.many.what == "model": return first_and_last(result)
    main = result.shown().whole_blocks()
    models = list(dict.fromkeys(model for model, _ in main))
    if all(rows[0].bound for rows in main.values()):
        if len(models) == 1: return missing_bounds(models[0], list(main.values()), result)
        return f"{len(models)} {result.systems}, missing samples counted both ways."
    if len(main) == 1:
        (model, _), rows = next(iter(main.items()))
        return only_model(model, rows, result)
    if ask_differently(main, result.questions):
        return different_questions(len(main), result.systems)
    return leader_sentence(result, main)


def lead_verdict(result: Report) -> Badge:
    "Whether the first of several compared models is significantly better than all others."
    found = result.letters and rank(result, result.whole_blocks())
    if not found: return ""
    metric, rows = found
    leads, others = split_leads(rows)
    if not others or metric not in result.letters: return ""
    tied = tied_with_leaders(leads, others, result.letters[metric])
    return "inconclusive" if tied else "better"


# One model.

def only_model(model: str, rows: Sequence[Row], result: Report) -> str:
    "The first number of a model, or all that were asked for."
    who = f"{model}: " if model else ""
    first = single_sample_row(group_rows(rows))
    if first is not None: return f"{who}{number_with_ci(first, result)}."
    told = [number_with_ci(family.rows[-1], result) for family in group_rows(rows)[:3]]
    return f"{who}{'; '.join(told)}."


def number_with_ci(row: Row, result: Report) -> str:
    "A number with its CI: `pass@1 = 42.0 % (95 % CI 31.6 to 52.8 %, new questions)`."
    ends = enclose_ci(row, result.confidence_level, result.target)
    return f"{row.metric} = {value(row.estimate, row.unit)}{ends}"


def missing_bounds(model: str, found: Sequence[Sequence[Row]], result: Report) -> str:
    "The least and the largest value that missing samples leave, and the CI around both."
    rows = [single_sample_row(group_rows(own)) or own[-1] for own in found]
    least, most = rows[0], rows[-1]
    who, unit = f"{model}: " if model else "", least.unit
    between = f"{who}{least.metric} = {interval(least.estimate, most.estimate, unit)}"
    whatever = f"whatever the outcome of {count(least.missing, 'missing sample')}"
    if least.low is None or most.high is None: return f"{between}, {whatever}."
    ends = describe_ci(least.low, most.high, result.confidence_level, unit=unit)
    return f"{between}, {whatever} ({ends})."


def solved_sentence(result: Report) -> str:
    "How many questions one model solves at least once, and every time, and how many are flaky."
    main = result.whole_blocks()
    if len(main) != 1: return ""
    (rows,) = main.values()
    if rows[0].questions == 1: return ""
    named = {family.name: family for family in group_rows(rows)}
    said = [*solved_clauses(named), *flaky_clause(result)]
    return f"{'; '.join(said)}." if said else ""


def solved_clauses(named: Mapping[str, Family]) -> list[str]:
    some = named["pass@k"].rows[-1] if "pass@k" in named else None
    if some is None or some.k in (None, 1): return []
    every = named["pass^k"].at(some.k) if "pass^k" in named and some.k else None
    said = f"{percent(some.estimate)} of questions solved at least once in {some.k} samples"
    return [said + (f", {percent(every.estimate)} every time" if every is not None else "")]


def flaky_clause(result: Report) -> list[str]:
    "How many questions are flaky; nothing where that is not known, or none is."
    if not result.flaky_questions: return []
    rows = next(iter(result.whole_blocks().values()))
    return [f"{result.flaky_questions} of {count(rows[0].questions, 'question')} flaky"]


# Several models.

def different_questions(models: int, systems: str) -> str:
    return f"{models:,} {systems} were asked different questions: their numbers do not rank them."


def ask_differently(main: Blocks, columns: object) -> bool:
    "Whether one model was asked what another was not."
    if len({rows[0].questions for rows in main.values()}) > 1: return True
    if isinstance(columns, Absent) or "model" not in columns: return False  # type: ignore
    asked: dict[object, set[object]] = {}
    names = zip(columns["model"].tolist(), columns["question"].tolist())  # type: ignore
    for model, question in names: asked.setdefault(model, set()).add(question)
    first, *others = asked.values()
    return any(other != first for other in others)


def rank(result: Report, main: Blocks) -> tuple[str, dict[str, Row]] | None:
    "The first number of each model, best first, and its metric; None if they have none in common."
    named = {key[0] or key[1]: rows for key, rows in main.items()}
    found = {name: single_sample_row(group_rows(rows)) for name, rows in named.items()}
    rows = {name: row for name, row in found.items() if row is not None}
    if len(rows) < len(named): rows = {name: own[-1] for name, own in named.items()}
    if len({name_family(row.metric) for row in rows.values()}) != 1: return None
    order = sorted(rows, key=lambda name: -round(rows[name].estimate, 12))
    return rows[order[0]].metric, {name: rows[name] for name in order}


def leader_sentence(result: Report, main: Blocks) -> str:
    "Which model leads, with its CI, by how much, and whether that is significant."
    found = rank(result, main)
    if found is None: return f"{len(main)} {result.systems} without a metric that all of them have."
    metric, rows = found
    leads, others = split_leads(rows)
    if not others:
        all_ = f"Both {result.systems}" if len(rows) == 2 else f"All {len(rows)} {result.systems}"
        return f"{all_} have {number_with_ci(rows[leads[0]], result)}."
    first, names = rows[leads[0]], shorten(leads, result.systems)
    ends = enclose_ci(first, result.confidence_level, result.target)
    said = f"{value(first.estimate, first.unit)} in {metric}{ends}"
    gap = round(first.estimate - rows[others[0]].estimate, 12)
    ahead = f"{difference(gap, first.unit, sign=False)} ahead of {others[0]}"
    verb = "leads" if len(leads) == 1 else "lead"
    verdict = lead_clause(leads, others, result.letters.get(metric, {}))
    return f"{names} {verb} with {said}, {ahead}{verdict}."


def lead_clause(leads: Sequence[str], others: Sequence[str], letters: Mapping[str, str]) -> str:
    "Whether the lead is significant; nothing where models were not compared."
    if not letters: return ""
    tied = tied_with_leaders(leads, others, letters)
    if len(leads) + len(others) == 2:
        return f": {word_of('not significant' if tied else 'significant')}"
    rest = {1: others[0], 2: "both others"}.get(len(others), f"all {len(others)} others")
    return f": {lead_over_others(tied, len(others), rest)}"


def split_leads(rows: Mapping[str, Row]) -> tuple[list[str], list[str]]:
    "The models with the highest value, and all others, best first."
    values = {name: round(row.estimate, 12) for name, row in rows.items()}
    best = max(values.values())
    return ([name for name in rows if values[name] == best],
            [name for name in rows if values[name] < best])


def tied_with_leaders(
    leads: Sequence[str], others: Sequence[str], letters: Mapping[str, str],
) -> list[str]:
    "Those without a significant difference from one of the first."
    return [name for name in others
            if any(share_letter(letters[lead], letters[name]) for lead in leads)]


def share_letter(one: str, other: str) -> bool:
    "Whether two models have a letter in common."
    return not set(split_letters(one)).isdisjoint(split_letters(other))


def split_letters(letters: str) -> list[str]:
    "`ab2c` is a, b2 and c."
    found: list[str] = []
    for sign in letters:
        if sign.isdigit(): found[-1] += sign
        else: found.append(sign)
    return found


def shorten(names: Sequence[str], systems: str) -> str:
    "Names, or how many they are."
    return f"{len(names)} {systems}" if len(names) > MODELS_NAMED else join(names)


def first_and_last(result: Report) -> str:
    "Which of very many models is first, and which last."
    many = result.many
    assert many is not None
    if not many.same_questions: return different_questions(len(many.means), result.systems)
    means = {name: round(mean, 12) for name, mean in many.means.items()}
    best, least, unit = max(means.values()), min(means.values()), many.unit
    whole = f"{len(means):,} {result.systems}"
    if best == least: return f"All {whole} have {many.metric} = {value(best, unit)}."
    first, last = ([name for name in means if means[name] == end] for end in (best, least))
    return (f"{shorten(first, result.systems)} {'leads' if len(first) == 1 else 'lead'} {whole} "
            f"with {value(best, unit)} in {many.metric}; {shorten(last, result.systems)} "
            f"{'has' if len(last) == 1 else 'have'} {value(least, unit)}.")


# Tables.

def metric_tables(result: Report) -> list[Block]:
    "The metrics of the only model; of several one line each."
    blocks = result.blocks()
    if len(blocks) == 1: return model_blocks("", next(iter(blocks.values())), result)
    named = {name_block(key): rows for key, rows in blocks.items()}
    corner = result.system if any(model for model, _ in blocks) else "group"
    overview = make_overview(named, corner, result.letters)
    return [overview] if overview.columns else tables_by_model(result)


def tables_by_model(result: Report) -> list[Block]:
    "All metrics of each model and group, the best model first."
    return [block for key, rows in result.rank_blocks(result.blocks()).items()
            for block in model_blocks(name_block(key), rows, result)]


def metrics_and_curves(result: Report) -> list[Block]:
    return [*tables_by_model(result), *draw_more(result)]


def model_blocks(name: str, rows: Sequence[Row], result: Report) -> list[Block]:
    "The metrics of one model and group, and why some of its numbers are undefined."
    families, same = join_equal(group_rows(rows))
    curves = [family for family in families if len(family.rows) > 1]
    single = [family for family in families if len(family.rows) == 1]
    blocks: list[Block] = [make_grid(curves, name)] * bool(curves)
    if single: blocks.append(make_list(single, result.confidence_level, "" if curves else name))
    return [*blocks, *(Text(text, "note") for text in [*same, *why_no_stderr(rows)])]


def why_no_stderr(rows: Sequence[Row]) -> list[str]:
    "Why there is no standard error, and at which metrics where others have one."
    found: dict[str, dict[str, None]] = {}
    known = {row.metric for row in rows if not row.reason}  # Of one model at least
    # It is 0 by its definition, and nobody's question unless it stands alone.
    for row in [one for one in rows if one.metric != "mg-pass@1"] or rows:
        reason = "" if row.metric in known else row.reason
        found.setdefault(reason, {})[row.metric] = None
    if len(found) < 2: return [f"No standard error: {reason}." for reason in found if reason]
    return [f"No standard error of {', '.join(metrics)}: {reason}."
            for reason, metrics in found.items() if reason]


HEAD = ["metric", "estimate", "std. error", "CI", "method", "questions", "samples"]


def number_blocks(result: Report) -> list[Block]:
    "Every number with what it rests on."
    return [Table(HEAD, list(map(write_row, result.rows)))]


def write_row(row: Row) -> list[str]:
    method = name_method(row.interval) or "none"
    return [name_block((row.model, row.group, row.metric)), value(row.estimate, row.unit),
            value(row.stderr, row.unit), interval(row.low, row.high, row.unit), method,
            f"{row.questions:,}", count_range(row.n_min, row.n_max)]


# What the numbers mean.

def legend_blocks(result: Report, tables: Sequence[Block]) -> list[Block]:
    "What intervals, letters and columns mean."
    rows, overview = result.rows, [one for one in tables if isinstance(one, Grid)]
    several = len(result.blocks()) > 1
    place = "Below" if overview else "Beside"
    said = [f"{place} each estimate: {intervals_clause(result)}"]
    if result.letters:
        where = " in a column" * (len(result.letters) > 1)
        said.append(explain_letters(result.confidence_level, name_target(result), where))
    if several and overview:
        found = {row.metric: row for row in rows}
        said.append(column_meanings(found[name] for name in overview[0].columns
                                    if name in found))
        said += why_no_stderr(rows)
    if not several: said.append(" ".join(rule_sentences(rows)))
    return [Text(text, "note") for text in said if text]


def intervals_clause(result: Report) -> str:
    "The level of the intervals, and what they are about."
    if all(row.low is None for row in result.rows):
        return "no CI; the reason stands with the numbers."
    assumed = [row.weights.assumed_largest_weight for row in result.rows if row.weights]
    most = max((one for one in assumed if one is not None), default=None)
    rest = f" (approximate: assumes no weight above {most:g})" if most is not None else ""
    return f"{level(result.confidence_level)} CI, {name_target(result)}{rest}."


def name_target(result: Report) -> str:
    "What intervals are about."
    if result.target == "both": return "for new questions and for the same questions"
    if result.target == "same_questions": return TARGET_WORDS[result.target]
    clustered = any(row.interval is not None and row.interval.method.clusters is not None
                    for row in result.rows)
    return "new clusters of questions" if clustered else TARGET_WORDS[result.target]


def next_step_blocks(result: Report) -> list[Block]:
    "What to do now: compare several models, or draw more of one."
    if not result.letters:
        advice = result.next
        # One question does not show how questions vary.
        if advice is None or advice.has_questions == 1: return []
        return [Text(describe_advice(advice))]
    asked = "how large the difference is, and on which questions"
    if result.command is None: return [Text(f"Next: compare tells {asked}.")]
    label = next(iter(result.letters))
    models = [model for model, _ in result.rank_blocks(result.blocks())]
    metric = re.sub(r"(?<=^avg@)\d+|(?<=^soft@)\d+|(?<=^mean@)\d+", "n", label)
    named = dict(metrics=metric) if metric != "pass@1" else {}
    # The worst model is the baseline.
    options = named | dict(models=models[::-1]) | result.command.options
    return [Text(f"Next: {asked}:"), Code(spell_command("compare", result.command.files, options))]


def note_sentences(result: Report) -> Iterator[str]:
    "What is shown, what a reader has to know, and what was read."
    many = result.many
    if many is not None:
        shown = {getattr(row, many.what) for row in many.rows} & many.means.keys()
        yield (f"Shown: the {len(shown)} of {len(many.means):,} {many.what}s with the highest "
               f"{many.metric}. Files (.csv, .json), rows and to_frame() have all of them.")
        if many.what == "model":
            yield "Only the models shown were tested for copied runs and for runs that differ."
    repeated = set() if result.summary is None else {
        note.names[0] for note in result.summary.warnings if note.kind == "repeated_rows"}
    for ragged in result.ragged:
        if ragged.model in repeated: continue
        name = f"{ragged.model}: " if len({model for model, _ in result.blocks()}) > 1 else ""
        ends = f"k ends at {ragged.largest_k}, the fewest samples of a question; "
        be = "one is" if ragged.absent == 1 else "ones are"
        said = (f"{ends * (ragged.largest_k is not None)}if every question should have "
                f"{ragged.most} samples, pass {option('samples_per_question', ragged.most)}: the "
                f"{ragged.absent} absent {be} then missing.")
        yield f"{name}{said if name or ragged.largest_k is not None else open_sentence(said)}"
    missing = None if result.summary is None else result.summary.missing
    if missing is not None and missing.policy == "both":
        yield ("Missing samples: each metric lies between its two values; a CI for it runs from "
               "the lower end of the first to the upper end of the second.")
    yield from map(open_sentence, map(describe_caution, result.agreement))
    yield from result.notes
    yield from fixed_groups(result)
    if result.left_out:
        found: dict[str, list[str]] = {}
        for name, why in result.left_out.items(): found.setdefault(marked(why), []).append(name)
        listed = "; ".join(f"{', '.join(names)} ({why})" for why, names in found.items())
        yield f"Left out: {listed}."
    told = missing is not None and missing.count or result.summary is not None and (
        result.summary.kind != "outcomes")
    if told and result.summary: yield f"{open_sentence(describe_input(result.summary))}."


def fixed_groups(result: Report) -> Iterator[str]:
    "That groups of the same questions, such as prompts, could be taken as drawn."
    notes = [] if result.summary is None else result.summary.all_notes()
    items = next((note for note in notes if note.kind == "items" and note.value), None)
    if items is None or result.crossed is not None: return
    rows = [row for row in result.rows if row.of_groups and row.weights is None]
    # An item may stand in as many groups as any other and still not in all.
    if not rows or rows[0].of_groups != items.value or (items.value or 0) < 3: return
    yield (f"Every group holds the same {count(items.count or 0, 'question')}, and the CI takes "
           f"the groups as fixed: {option('crossed', True)} counts them as drawn too.")


# Methods.

def methods_blocks(result: Report, sources: Sequence[SourceFile] | None) -> list[Block]:
    "What was computed, of which files."
    return [Text(cite(methods(result))), *source_blocks(sources)]


def methods(result: Report) -> str:
    "What was estimated, from which samples, with which intervals, and by which program."
    rows = result.rows
    weighted = next((row.weights for row in rows if row.weights is not None), None)
    equal = "" if weighted else ", with equal weight"
    numbers = [(row.metric, row.k, row.estimator) for row in rows if row.of_groups is None]
    said = [describe_models(result), describe_lost(result), define_metrics(numbers),
            f"Each metric is computed per question and averaged over questions{equal}.",
            explain_weights(weighted), *interval_sentences(result), *describe_band(result),
            versions_sentence()]
    return " ".join(filter(None, said))


def describe_models(result: Report) -> str:
    "Questions and samples of every model."
    sizes = {key: f"{count(rows[-1].questions, 'question')} with "
                  f"{count_range(rows[-1].n_min, rows[-1].n_max, 'sample')} per question"
             for key, rows in result.whole_blocks().items()}
    models = list(dict.fromkeys(model for model, _ in sizes))
    if len(set(sizes.values())) == 1:
        who = f"Each of {len(models)} {result.systems}" if len(models) > 1 else models[0]
        return f"{who or 'The model'} was evaluated on {next(iter(sizes.values()))}."
    listed = "; ".join(f"{name_block(key)} on {size}" for key, size in sizes.items())
    return f"{open_sentence(result.systems)} were evaluated with repeated samples: {listed}."


def describe_lost(result: Report) -> str:
    "How many samples had no outcome, and what they count as."
    missing = None if result.summary is None else result.summary.missing
    # Where questions differ in their samples, absent ones may not be known.
    if missing is None or missing.ragged and not missing.count: return ""
    return define_missing([missing])


def interval_sentences(result: Report) -> list[str]:
    "What the intervals are about, and how each was computed."
    same = "for the same questions"
    whom = same if result.target == "same_questions" else f"for {name_target(result)}"
    if result.target == "both": whom = "for new questions"
    pairs = ((whom, [row.interval for row in result.rows]),
             (same, [row.again for row in result.rows]))
    said = [f"Two-sided {level(result.confidence_level)} confidence intervals {target}: "
            f"{name_methods([one for one in found if one is not None])}."
            for target, found in pairs if any(found)]
    if any(row.of_groups for row in result.rows):
        said.append("Means over groups give each group the same weight.")
    return said + ["Each interval holds for its number alone; none is adjusted for several "
                   "metrics or budgets."] * bool(said)


def name_methods(intervals: Sequence[Interval]) -> str:
    "Interval methods with their sources, each once."
    methods = [one.method for one in intervals]
    plain = {describe_method(replace(one, method=replace(one.method, same_as="")), False):
             one.method.name for one in intervals}
    said = join([f"{text} @{{{', '.join(row_of(name).sources)}}}" if row_of(name).sources
                 else text for text, name in plain.items()], "or")
    others = {one.same_as: row_of(one.same_as).sources for one in methods if one.same_as}
    same = [f"the {name.title()} interval @{{{', '.join(sources)}}}"
            for name, sources in others.items()]
    if not same: return said
    return f"{said}; where every question is 0 or 1 it is {join(same, 'or')}"


def describe_band(result: Report) -> list[str]:
    bands = list(dict.fromkeys(str(row.band.method) for row in result.rows if row.band))
    if not bands: return []
    return [f"Simultaneous {level(result.confidence_level)} bands over all budgets of a metric "
            f"(band_low and band_high in files): {join(bands)}."]
