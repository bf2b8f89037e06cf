"""Equal rows counted by DuckDB, the right samples of a question beside the wrong ones."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..sample_ids import BITS, WORDS, count_bits
from .scans import Scan, guard, refuse_same_letters
from .sql import NUMBERS, is_number, quote_name, sample_cell

__all__ = ["as_floats", "ask_counts", "count_sides", "sample_number"]

ODD = 2**31  # More than the samples of a question
HEAD = 10_000  # Rows that tell how large numbers of samples are
TYPES = ("BIGINT", 62), ("HUGEINT", 126)  # Whole numbers, and how many bits they hold
# What is right and what is wrong in cells of some kinds.
SIDES: dict[str, tuple] = {"BOOLEAN": (True, False), "JSON FLAG": ("true", "false"),
                           "JSON NUMBER": ("1", "0"), "JSON WHOLE": ("1", "0")}


def ask_counts(
    scan: Scan,  # Rows of one scan
    chosen: Mapping[str, str],  # Column of each part
    keys: Mapping[str, str],  # SQL of what equal rows share, by name
    sums: Mapping[str, str],  # SQL of what is added up over them, by name
) -> dict:  # Columns by name, and `times`
    "What DuckDB counts and adds up over rows with equal keys."
    refuse_same_letters(chosen.values())
    base = scan.read(list(chosen.values()), None)
    names = ", ".join(map(quote_name, keys))
    added = [f"{expression} AS {quote_name(name)}" for name, expression in sums.items()]
    counted = project_all(base, keys).aggregate(
        ", ".join([names, "count(*) AS times", *added]), names)
    return guard(counted.fetchnumpy, scan.files, scan.find_fault)


def project_all(base: Any, keys: Mapping[str, str]) -> Any:
    listed = ", ".join(f"{cell} AS {quote_name(name)}" for name, cell in keys.items())
    return base.project(f"*, {listed}")


def count_sides(
    scan: Scan,  # Rows of one scan
    chosen: Mapping[str, str],  # Column of each part
    keys: dict[str, str],  # SQL of what equal rows share, by name
    sums: dict[str, str],  # SQL of what is added up over them, by name
) -> dict | None:  # Columns by name; None where outcomes or samples are not so simple
    "What `ask_counts` finds, asked for with right and wrong samples in one group."
    kind = scan.kind(chosen["correct"]) if "correct" in chosen else ""
    plain = all(name.startswith(("marks", "draws")) for name in sums)
    sides = SIDES.get(kind, (1, 0) if is_number(kind) else None)
    if not plain or sides is None or {"answer", "score"} & keys.keys(): return None
    rest = {name: cell for name, cell in keys.items() if name != "correct"}
    if "draws0" in sums: return count_by_bits(scan, chosen, rest, sides)
    return count_by_sum(scan, chosen, rest, sums, sides)


def count_by_sum(scan: Scan, chosen: Mapping[str, str], rest: dict[str, str], sums: dict[str, str],
                 sides: tuple) -> dict | None:
    "Outcomes added up; None unless all are 0 or 1."
    one, zero = (repr(side).lower() for side in sides)
    # Any other value lifts the sum beyond what so many samples can reach.
    right = (f"sum(CASE {scan.cell(chosen['correct'])} WHEN {one} THEN 1 WHEN {zero} THEN 0 "
             f"ELSE {ODD} END)::DOUBLE")
    table = ask_counts(scan, chosen, rest, sums | {"right": right})
    if len(table["right"]) and table["right"].max() >= ODD: return None
    return unfold_outcomes(table, sides)


def unfold_outcomes(table: dict, sides: tuple) -> dict:
    "One row for the right samples and one for the wrong ones; sums stay with the first."
    right = np.asarray(table.pop("right"), np.int64)
    times = np.stack([right, table["times"] - right], 1)
    group, side = np.nonzero(times)
    again = np.r_[False, group[1:] == group[:-1]]
    found = {name: values[group] for name, values in table.items()}
    if "marks" in found: found["marks"] = np.where(again, 0., as_floats(found["marks"]))
    return found | dict(times=times[group, side], correct=np.array(sides, object)[side])


def count_by_bits(scan: Scan, chosen: Mapping[str, str], rest: dict[str, str],
                  sides: tuple) -> dict | None:
    "Right, wrong and missing samples as sets of bits; None unless each has a number below 126."
    kind, size, end = look_first(scan, chosen)
    if not kind: return None
    number = sample_number(scan, chosen["sample"])
    sets: dict[str, str] = {}
    for at, test in enumerate(test_sides(scan, chosen["correct"], sides, end)):
        bits = (f"coalesce(bit_or(CASE WHEN {test} AND {number} BETWEEN 0 AND {size - 1} "
                f"THEN 1::{kind} << {number} END), 0)")
        sets |= {f"bits{at}{i}": f"(({bits} >> {BITS * i}) & {2**BITS - 1})::BIGINT"
                 for i in range(-(-size // BITS))}
    table = ask_counts(scan, chosen, rest, sets)
    words = np.zeros((2, len(table["times"]), WORDS), np.int64)
    for name in sets: words[int(name[4]), :, int(name[5])] = table.pop(name)
    # As many bits as rows: every row has set one that no other row has set.
    if (count_bits(words[0] | words[1]) != table["times"]).any(): return None
    return unfold_bits(table, words[0], words[1], sides)


def look_first(scan: Scan, chosen: Mapping[str, str]) -> tuple[str, int, str]:
    "A type with a bit for each sample number of the first rows, its bits, and how outcomes end."
    number = sample_number(scan, chosen["sample"])
    dotted = f"{scan.cell(chosen['correct'])}::VARCHAR IN ('1.0', '0.0')"
    first = scan.read([chosen["sample"], chosen["correct"]], None).limit(HEAD).aggregate(
        f"min({number}), max({number}), count(*) - count({number}), bool_or({dotted})")
    low, high, missing, floats = guard(first.fetchall, scan.files, scan.find_fault)[0]
    if low is None or low < 0 or missing: return "", 0, ""
    kind, size = next((pair for pair in TYPES if high < pair[1]), ("", 0))
    return kind, size, ".0" * bool(floats)


def test_sides(scan: Scan, column: str, sides: tuple, end: str) -> list[str]:
    "Whether a sample may be right, and whether it may be wrong, as SQL: missing ones may be both."
    cell, kind = scan.cell(column), scan.kind(column)
    known = [repr(side).lower() for side in sides]
    if kind in NUMBERS: known = [f"'{side}{end}'" for side in sides]
    return [f"({cell} = {side} OR {cell} IS NULL)" for side in known]


def unfold_bits(table: dict, right: np.ndarray, wrong: np.ndarray, sides: tuple) -> dict:
    "One row each for the right, the wrong and the missing samples."
    words = np.stack([right & ~wrong, wrong & ~right, right & wrong], 1)
    times = count_bits(words)
    group, side = np.nonzero(times)
    outcomes = [*sides, None] if times[:, 2].any() else sides
    found = {name: values[group] for name, values in table.items()}
    found |= {f"draws{i}": words[group, side, i] for i in range(WORDS)}
    return found | dict(times=times[group, side], correct=np.array(outcomes)[side])


def sample_number(
    scan: Scan,  # Rows of one scan
    column: str,  # Name of the column of samples
) -> str:  # SQL, null where a sample has no whole number
    "The number of a sample."
    return f"TRY_CAST({sample_cell(scan.cell(column), scan.kind(column))} AS BIGINT)"


def as_floats(
    values: np.ndarray,  # Numbers of the engine, masked where there is none
) -> np.ndarray:  # NaN where there is none
    "Numbers as floats."
    return np.array(np.ma.filled(np.ma.asarray(values).astype(float), np.nan))
