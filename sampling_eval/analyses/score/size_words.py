"""What was scored, in one line, and how far another run may differ."""
from __future__ import annotations

from collections.abc import Sequence

from ...render.format import count_range, percent
from ...results.rows import Row
from ..phrases.reading import are_shares, items_clause
from ..phrases.weights import weighting_clause
from .result import Blocks, Report, Reruns

__all__ = ["NONE_MISSING", "size_sentence", "sizes_of_models", "reruns_sentence"]

NONE_MISSING = "none missing"


# What was scored

def size_sentence(result: Report) -> str:
    "What was read, in one line: `run.jsonl: gpt-4o, 50 questions, 4 samples each, none missing`."
    many = result.many
    if many is not None and many.what == "model":
        facts = [f"{len(many.means):,} models", count_range(*many.questions, "question"),
                 f"{count_range(*many.samples, 'sample')} each", missing_clause(*many.missing)]
    else:
        facts = sizes_of_models(result.shown().whole_blocks(), result.systems,
                                sampled=not are_shares(result.summary))
    said = (f"{result.title}: " if result.title else "") + ", ".join(facts)
    unit = "" if result.target == "same_questions" else items_clause(result.summary)
    return "; ".join(filter(None, [said, unit]))


def sizes_of_models(
    main: Blocks,  # Rows over all questions, by model and group
    systems: str,  # What they are: `models`, or `gradings`
    *,
    sampled: bool = True,  # Whether questions have samples, and no shares
) -> list[str]:  # `gpt-4o`, `50 questions`, `4 samples each`, `none missing`
    "Models, questions and samples."
    rows = [own[-1] for own in main.values()]
    weighted = next((row.weights for row in rows if row.weights is not None), None)
    return [*name_systems(main, systems),
            count_range(*ends_of([row.questions for row in rows]), "question"),
            *(samples_clauses(rows) if sampled else []),
            *[weighting_clause(weighted)] * bool(weighted)]


def name_systems(main: Blocks, systems: str) -> list[str]:
    "The name of a single model, or how many there are; nothing where they have no names."
    names = {model for model, _ in main} - {""}
    return list(names) if len(names) == 1 else [f"{len(names)} {systems}"] * bool(names)


def samples_clauses(rows: Sequence[Row]) -> list[str]:
    "Samples of each question, and how many are not there: `4 samples each`, `none missing`."
    samples = count_range(*ends_of([n for row in rows for n in (row.n_min, row.n_max)]), "sample")
    missing = missing_clause(*ends_of([row.missing for row in rows]))
    if all(row.n_min == row.n_max or row.questions == 1 for row in rows):
        return [samples + " each" * (max(row.questions for row in rows) > 1), missing]
    lost = any(row.missing for row in rows)
    return [f"ragged: {samples}{short_clause(rows)}", *[missing] * lost]


def short_clause(rows: Sequence[Row]) -> str:
    "How many samples ragged questions lack; empty where that is not known."
    short, most = [row.short_of for row in rows], {row.n_max for row in rows}
    if not any(short): return ""
    than = f"{most.pop():,} each" if len(most) == 1 else "the most of each"
    return f"; {count_range(*ends_of(short))} fewer than {than}"


def missing_clause(low: int, high: int) -> str:
    return f"{count_range(low, high)} missing" if high else NONE_MISSING


def ends_of(numbers: Sequence[int]) -> tuple[int, int]: return min(numbers), max(numbers)


# Another run of the same questions


def reruns_sentence(found: Reruns | None) -> str:
    "How far two single runs may differ, how many outcomes flip, and the ICC."
    if found is None or not found.flip_rate: return ""
    flips = percent(found.flip_rate, decimals=0)
    icc = "" if found.icc is None else f"; ICC {icc_text(found.icc)}"
    return f"{apart_clause(found.least_difference_95)}{flips} of outcomes flip{icc}."


def apart_clause(share: float | None) -> str:
    "How far two single runs may differ; empty where that is unknown or no limit."
    # No two runs differ by more than 100 points.
    if share is None or share >= 1: return ""
    size = 100 * share
    gap = f"{size:.0f}" if size >= 9.95 else f"{size:.1f}"
    return f"Two single runs differ by more than about {gap} points in 1 of 20 reruns; "


def icc_text(icc: float) -> str:
    "A correlation without its leading 0, and never rounded to 1: `.40`."
    size = abs(icc)
    shown = f"{min(size, .9999):.4f}" if .995 <= size < 1 else f"{size:.2f}"
    return "-" * (icc < 0) + (shown[1:] if size < 1 else shown)
