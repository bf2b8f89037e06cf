"""What a description of data says: what was read and which metrics it allows, or the fault."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spelling import marked, option
from ...render.blocks import Block, Code, Curves, Headline, Series, Table, Text
from ...render.format import count, count_range, describe_dead, join, open_sentence, percent
from ..phrases.advice import describe_caution
from ..phrases.questions import MODELS
from ..phrases.reading import describe_read
from .result import DataDescription, SystemSummary

__all__ = ["document", "title"]

HEADS = ("model", "group", "questions", "samples each", "right", "missing", "answers", "scores",
         "clusters")
BUDGETS_LISTED = 6  # Budgets that are listed one by one


def title(result: DataDescription) -> str: return f"What {result.title} supports"


def document(result: DataDescription) -> list[Block]:
    "What was read, the metrics, targets and what to decide; or the fault and the columns."
    following = [Code(f"Next: {result.typed}")] if result.typed else []
    if result.fault: return [*fault_blocks(result), *following]
    dead = [] if result.dead is None else [describe_dead(result.dead)]
    said = [*why_impossible(result), *possible_targets(result), *dead]
    assert result.read is not None  # Only a fault has none
    cautions = [*(one.sentence for one in result.read.warnings),
                *map(describe_caution, result.cautions), *open_choices(result)]
    return [Headline(headline(result)), *draw_solved(result),
            Text(open_sentence(describe_read(result.read))), *make_choices(result),
            make_systems(result), make_metrics(result),
            *(Text(one, "note") for one in said),
            *(Text(one, "caution") for one in cautions), *following]


def headline(result: DataDescription) -> str:
    "The size of the data, and how many metrics they allow."
    models = len(result.whole)
    who = f"{count(models, 'model')}, " * (models > 1)
    questions = [one.questions for one in result.whole]
    asked = count_range(min(questions), max(questions), "question")
    each = count_range(min(one.fewest for one in result.whole),
                       max(one.most for one in result.whole), "sample")
    possible = sum(one.possible for one in result.metrics)
    return (f"{result.title}: {who}{asked}, {each} each; {possible} of "
            f"{count(len(result.metrics), 'metric')} possible.")


# Data that can be read.

def make_choices(result: DataDescription) -> list[Block]:
    "A line for each column that plays a part, and why."
    rows = [[one.part or "none", one.column, one.why] for one in result.decided]
    return [Table(["part", "column", "why"], rows, left=3)] if rows else []


def make_systems(result: DataDescription) -> Table:
    "A line for each model and group."
    columns = zip(HEADS, zip(*map(write_system, result.systems)))
    shown = {head: cells for head, cells in columns if set(cells) - {"", "-"}}
    return Table(list(shown), [list(row) for row in zip(*shown.values())])


def write_system(one: SystemSummary) -> list[str]:
    "What is known of a model or group, in the order of the heads."
    counts = one.right, one.missing, one.answers, one.scored, one.clusters
    return [one.model, one.group, f"{one.questions:,}", count_range(one.fewest, one.most),
            *map(write_count, counts)]


def write_count(number: int | None) -> str: return "-" if number is None else f"{number:,}"


def make_metrics(result: DataDescription) -> Table:
    "A line for each metric that is possible."
    rows = [[one.metric, write_budgets(one.budgets)] for one in result.metrics if one.possible]
    return Table(["metric", "k"], rows)


def write_budgets(budgets: Sequence[int]) -> str:
    "Budgets as a range, or as a list that is not too long."
    if not budgets: return "all n"
    if len(budgets) > 2 and budgets[-1] - budgets[0] == len(budgets) - 1:
        return f"{budgets[0]} to {budgets[-1]}"
    texts = list(map(str, budgets))
    if len(texts) > BUDGETS_LISTED: texts = [*texts[:3], "...", texts[-1]]
    return ", ".join(texts)


def why_impossible(result: DataDescription) -> list[str]:
    "A sentence for each reason why metrics are not possible."
    names: dict[str, list[str]] = {}
    for one in result.metrics:
        todo = f"; name their column with {option(one.part)}" if one.part else ""
        if not one.possible: names.setdefault(marked(one.reason) + todo, []).append(one.metric)
    return [f"Not possible: {join(metrics)} ({why})." for why, metrics in names.items()]


def possible_targets(result: DataDescription) -> Iterator[str]:
    "What intervals can be about."
    fewest, half = min(one.questions for one in result.whole), result.unbiased_k
    yield (f"CIs for new questions: these {fewest:,} are the sample." if fewest > 1 else
           "CIs for new questions: a single question says almost nothing of others.")
    yield (f"CIs for the same questions: unbiased for k up to {half}, an upper bound above."
           if half else "CIs for the same questions: upper bounds, as a question has one sample "
                        "only.")


def open_choices(result: DataDescription) -> Iterator[str]:
    "What `score` has to be told, or may be."
    missing = result.read.missing if result.read is not None else None
    if missing is not None and missing.count and missing.policy == "raise":
        have = "has" if missing.count == 1 else "have"
        yield (f"{count(missing.count, 'sample')} {have} no outcome; choose "
               f"{option('missing', 'wrong', 'drop', 'bounds')}.")
    fewest = min(one.fewest for one in result.systems)
    most = max(one.most for one in result.systems)
    if fewest < most:
        yield (f"questions have {fewest:,} to {most:,} samples; if {most:,} were drawn of each, "
               f"state it with {option('samples_per_question', most)}, and the others count as "
               "missing.")


def draw_solved(result: DataDescription) -> list[Block]:
    "How many questions each model solves at least so often; nothing where samples are unequal."
    shown = [one for one in result.whole if len(one.solved) == len(result.whole[0].solved) > 2]
    if not shown: return []
    n = len(shown[0].solved) - 1
    least = list(range(1, n + 1))
    series = []
    for one in shown[:MODELS]:
        shares = [sum(one.solved[c:]) / one.questions for c in least]
        who = f"{one.model} " * bool(one.model)
        said = [f"{who}at least {c} of {n} right: {percent(share)} of questions"
                for c, share in zip(least, shares)]
        none = [None] * n
        series.append(Series(one.model or result.title, "", least, shares, none, none, said))
    return [Curves(series, f"share of questions with at least so many of {n} samples right",
                   label="questions",
                   across=f"questions with at least so many of {n} samples right")]


# Data that cannot.

def fault_blocks(result: DataDescription) -> list[Block]:
    "Why, and the columns to choose from."
    rows = [[one.column, one.holds or "-", write_count(one.different), ", ".join(one.examples),
             join(one.parts, "or") if one.parts else "-"] for one in result.columns]
    heads = ["column", "holds", "different", "examples", "could be"]
    table = [Table(heads, rows)] if rows else []
    tried = ", ".join(option(part, column) for part, column in result.choice.items())
    said = [Text(f"Try: {tried}.")] if tried and not result.typed else []
    return [Headline(f"{result.title} cannot be read as it stands."),
            Text(f"{open_sentence(marked(result.fault))}."), *table, *said]
