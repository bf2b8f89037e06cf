"""The answer of a score: who, by how much with its CI, verdict."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..results.columns import Absent
from ..results.rows import Row, name_family
from ..results.score_report import Blocks, Report
from .blocks import Verdict
from .format import TARGETS, count, count_range, difference, interval, join, level, percent, value
from .metric_names import Family, group_rows
from .estimate_tables import describe_weights

__all__ = ["describe_answer", "describe_extent", "describe_size", "describe_sizes",
           "describe_verdict", "find_first"]

FEW = 3  # Models that are named in a sentence
MEANS = "avg@k", "avg@n", "soft@k", "soft@n", "mean@k", "mean@n"  # Means over all samples
NONE_MISSING = "none missing"


def describe_answer(
    result: Report,  # Result of `score`
) -> str:  # One sentence
    "The first number of the only model with its CI, or which of several leads."
    if result.many is not None and result.many.what == "model": return describe_many(result)
    main = result.shown().whole_blocks()
    models = list(dict.fromkeys(model for model, _ in main))
    if all(rows[0].bound for rows in main.values()):
        if len(models) == 1: return describe_bounds(models[0], list(main.values()), result)
        return f"{len(models)} {result.systems}, missing samples counted both ways."
    if len(main) == 1:
        (model, _), rows = next(iter(main.items()))
        return describe_alone(model, rows, result)
    if ask_differently(main, result.questions): return describe_different(len(main), result.systems)
    return describe_several(result, main)


def describe_verdict(
    result: Report,  # Result of `score`
) -> Verdict:  # Empty for one model, and where models were not compared
    "Whether the first of several models is significantly better than all others."
    found = result.letters and rank(result, result.whole_blocks())
    if not found: return ""
    metric, rows = found
    leads, others = split_leads(rows)
    if not others or metric not in result.letters: return ""
    tied = find_tied(leads, others, result.letters[metric])
    return "inconclusive" if tied else "better"


# One model.

def describe_alone(model: str, rows: Sequence[Row], result: Report) -> str:
    "The first number of a model, or all that were asked for."
    who = f"{model}: " if model else ""
    first = find_first(group_rows(rows))
    if first is not None: return f"{who}{describe_number(first, result)}."
    told = [describe_number(family.rows[-1], result) for family in group_rows(rows)[:3]]
    return f"{who}{'; '.join(told)}."


def describe_number(row: Row, result: Report) -> str:
    "A number with its CI: `pass@1 = 42.0 % (95 % CI 31.6 to 52.8 %, new questions)`."
    said = f"{row.metric} = {value(row.estimate, row.unit)}"
    ends = describe_ci(row, result)
    return f"{said} ({ends})" if ends else said


def describe_ci(row: Row, result: Report) -> str:
    "A CI and what it is about; empty where there is none."
    if row.low is None or row.high is None: return ""
    ends = interval(row.low, row.high, row.unit)
    where = TARGETS["new_questions" if result.target == "both" else result.target]
    return f"{level(result.confidence_level)} CI {ends}, {where}"


def describe_bounds(model: str, found: Sequence[Sequence[Row]], result: Report) -> str:
    "The least and the largest value that missing samples leave, and the CI around both."
    rows = [find_first(group_rows(own)) or own[-1] for own in found]
    least, most = rows[0], rows[-1]
    who, unit = f"{model}: " if model else "", least.unit
    between = f"{who}{least.metric} = {interval(least.estimate, most.estimate, unit)}"
    whatever = f"whatever the outcome of {count(least.missing, 'missing sample')}"
    if least.low is None or most.high is None: return f"{between}, {whatever}."
    return (f"{between}, {whatever} "
            f"({level(result.confidence_level)} CI {interval(least.low, most.high, unit)}).")


def describe_extent(
    result: Report,  # Result of `score`
) -> str:  # One sentence; empty for several models, or one sample per question
    "How many questions one model solves at least once, and every time, and how many are flaky."
    main = result.whole_blocks()
    if len(main) != 1: return ""
    (rows,) = main.values()
    if rows[0].questions == 1: return ""
    named = {family.name: family for family in group_rows(rows)}
    said = [*describe_solved(named), *describe_flaky(result)]
    return f"{'; '.join(said)}." if said else ""


def describe_solved(named: Mapping[str, Family]) -> list[str]:
    some = named["pass@k"].rows[-1] if "pass@k" in named else None
    if some is None or some.k in (None, 1): return []
    every = named["pass^k"].at(some.k) if "pass^k" in named and some.k else None
    said = f"{percent(some.estimate)} of questions solved at least once in {some.k} samples"
    return [said + (f", {percent(every.estimate)} every time" if every is not None else "")]


def describe_flaky(result: Report) -> list[str]:
    "How many questions are flaky; nothing where that is not known, or none is."
    if not result.flaky_questions: return []
    rows = next(iter(result.whole_blocks().values()))
    return [f"{result.flaky_questions} of {count(rows[0].questions, 'question')} flaky"]


def find_first(
    families: Sequence[Family],  # Metrics of one model
) -> Row | None:  # Row of pass@1, avg@n, soft@n or mean@n; None where none of them is there
    "The row that says how often single samples are right."
    for family in families:
        row = family.at(1)
        if family.name in ("pass@k", "pass@1") and row is not None: return row
    return next((family.rows[0] for family in families
                 if name_family(family.rows[0].metric) in MEANS), None)


# Several models.

def describe_different(models: int, systems: str) -> str:
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
    found = {name: find_first(group_rows(rows)) for name, rows in named.items()}
    rows = {name: row for name, row in found.items() if row is not None}
    if len(rows) < len(named): rows = {name: own[-1] for name, own in named.items()}
    if len({name_family(row.metric) for row in rows.values()}) != 1: return None
    order = sorted(rows, key=lambda name: -round(rows[name].estimate, 12))
    return rows[order[0]].metric, {name: rows[name] for name in order}


def describe_several(result: Report, main: Blocks) -> str:
    "Which model leads, with its CI, by how much, and whether that is significant."
    found = rank(result, main)
    if found is None: return f"{len(main)} {result.systems} without a metric that all of them have."
    metric, rows = found
    leads, others = split_leads(rows)
    if not others:
        all_ = f"Both {result.systems}" if len(rows) == 2 else f"All {len(rows)} {result.systems}"
        return f"{all_} have {describe_number(rows[leads[0]], result)}."
    names, ends = shorten(leads, result.systems), describe_ci(rows[leads[0]], result)
    unit = rows[leads[0]].unit
    said = f"{value(rows[leads[0]].estimate, unit)} in {metric}" + (f" ({ends})" if ends else "")
    gap = round(rows[leads[0]].estimate - rows[others[0]].estimate, 12)
    ahead = f"{difference(gap, unit, sign=False)} ahead of {others[0]}"
    verb = "leads" if len(leads) == 1 else "lead"
    verdict = describe_tied(leads, others, result.letters.get(metric, {}))
    return f"{names} {verb} with {said}, {ahead}{verdict}."


def describe_tied(leads: Sequence[str], others: Sequence[str], letters: Mapping[str, str]) -> str:
    "Whether the lead is significant; nothing where models were not compared."
    if not letters: return ""
    tied = find_tied(leads, others, letters)
    if len(leads) + len(others) == 2: return ": not significant" if tied else ": significant"
    if not tied:
        rest = "both others" if len(others) == 2 else f"all {len(others)} others"
        return f": significantly better than {others[0] if len(others) == 1 else rest}"
    whom = join(tied, "or") if len(tied) <= FEW else f"{len(tied)} of {len(others)} others"
    if len(tied) == len(others) > 1: whom = f"any of the other {len(others)}"
    return f": not significantly better than {whom}"


def split_leads(rows: Mapping[str, Row]) -> tuple[list[str], list[str]]:
    "The models with the highest value, and all others, best first."
    values = {name: round(row.estimate, 12) for name, row in rows.items()}
    best = max(values.values())
    return ([name for name in rows if values[name] == best],
            [name for name in rows if values[name] < best])


def find_tied(
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
    return f"{len(names)} {systems}" if len(names) > FEW else join(names)


def describe_many(result: Report) -> str:
    "Which of very many models is first, and which last."
    many = result.many
    assert many is not None
    if not many.same_questions: return describe_different(len(many.means), result.systems)
    means = {name: round(mean, 12) for name, mean in many.means.items()}
    best, least, unit = max(means.values()), min(means.values()), many.unit
    whole = f"{len(means):,} {result.systems}"
    if best == least: return f"All {whole} have {many.metric} = {value(best, unit)}."
    first, last = ([name for name in means if means[name] == end] for end in (best, least))
    return (f"{shorten(first, result.systems)} {'leads' if len(first) == 1 else 'lead'} {whole} "
            f"with {value(best, unit)} in {many.metric}; {shorten(last, result.systems)} "
            f"{'has' if len(last) == 1 else 'have'} {value(least, unit)}.")


# What was scored.

def describe_size(result: Report) -> str:
    "What was read, in one line: `run.jsonl: gpt-4o, 50 questions, 4 samples each, none missing`."
    many = result.many
    if many is not None and many.what == "model":
        facts = [f"{len(many.means):,} models", count_range(*many.questions, "question"),
                 f"{count_range(*many.samples, 'sample')} each", describe_missing(*many.missing)]
    else:
        facts = describe_sizes(result.shown().whole_blocks(), result.systems)
    return (f"{result.title}: " if result.title else "") + ", ".join(facts)


def describe_sizes(
    main: Blocks,  # Rows over all questions, by model and group
    systems: str,  # What they are: `models`, or `gradings`
) -> list[str]:  # `gpt-4o`, `50 questions`, `4 samples each`, `none missing`
    "Models, questions and samples."
    rows = [own[-1] for own in main.values()]
    weighted = next((row.weights for row in rows if row.weights is not None), None)
    return [*name_systems(main, systems),
            count_range(*ends_of([row.questions for row in rows]), "question"),
            *describe_samples(rows), *[describe_weights(weighted)] * bool(weighted)]


def name_systems(main: Blocks, systems: str) -> list[str]:
    "The name of a single model, or how many there are; nothing where they have no names."
    names = {model for model, _ in main} - {""}
    return list(names) if len(names) == 1 else [f"{len(names)} {systems}"] * bool(names)


def describe_samples(rows: Sequence[Row]) -> list[str]:
    "Samples of each question, and how many are not there: `4 samples each`, `none missing`."
    samples = count_range(*ends_of([n for row in rows for n in (row.n_min, row.n_max)]), "sample")
    missing = describe_missing(*ends_of([row.missing for row in rows]))
    if all(row.n_min == row.n_max or row.questions == 1 for row in rows):
        return [samples + " each" * (max(row.questions for row in rows) > 1), missing]
    lost = any(row.missing for row in rows)
    return [f"ragged: {samples}{describe_short(rows)}", *[missing] * lost]


def describe_short(rows: Sequence[Row]) -> str:
    "How many samples ragged questions lack; empty where that is not known."
    short, most = [row.short_of for row in rows], {row.n_max for row in rows}
    if not any(short): return ""
    than = f"{most.pop():,} each" if len(most) == 1 else "the most of each"
    return f"; {count_range(*ends_of(short))} fewer than {than}"


def describe_missing(low: int, high: int) -> str:
    return f"{low:,} to {high:,} missing" if low < high else f"{low:,} missing" if low else \
        NONE_MISSING


def ends_of(numbers: Sequence[int]) -> tuple[int, int]: return min(numbers), max(numbers)
