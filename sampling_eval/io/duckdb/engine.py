"""Tables of any size, counted by DuckDB."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..check import check_scores
from ..columns import is_mark
from ..frames import FEW, join_words
from ..sample_ids import BITS, WORDS
from ..tabular import Batch, Keep, Source, batch_of, join_batches, name_known_cells
from ..unfold import is_list
from ..values import join_arrays, tidy
from .counts import (as_floats, ask_counts, check_samples, count_sides, list_samples, sample_number)
from .scans import Scan, guard
from .sql import (NUMBERS, TEXTS, is_number, key_cell, number_cell, quote_value, read_keys,
                  read_number, sample_cell)

__all__ = ["engine_source", "fetch_source"]

NAMES = "model", "group", "cluster", "weight", "question", "correct", "answer"
Chosen = Mapping[str, str]  # Column of each part
PARTS = 50  # Files of which the first rows are looked at


def engine_source(
    scans: Sequence[Scan],  # Scans of one connection
    what: str = "",  # Words for the origin
) -> Source:  # Their rows, counted
    "Equal rows of files or of a relation, counted where they are."
    columns = list(dict.fromkeys(column for scan in scans for column in scan.kinds))
    files = tuple(file for scan in scans for file in scan.files)
    return Source(columns, partial(count_plainly, scans), what, "counted", files,
                  head=partial(see_head, scans), holds_lists=partial(hold_lists, scans),
                  plain=partial(list_plain_scans, scans))


def count_plainly(scans: Sequence[Scan], chosen: Chosen, keep: Keep) -> Batch:
    "Equal rows of all scans, without types of columns where the types do not hold."
    try: return count_scans(scans, chosen, keep)
    except ValueError:
        # What looked like numbers or text in the first rows may be something else later.
        plain = [scan.plain or scan for scan in scans]
        if plain == list(scans): raise
        return count_scans(plain, chosen, keep)


def see_head(scans: Sequence[Scan], wanted: Sequence[str], size: int) -> dict[str, np.ndarray]:
    "Some columns of the first rows of each file, as many of one as of another."
    heads = [(scan.plain or scan, file) for scan in scans for file in scan.files or [None]]
    tables = [see_rows(scan, file, wanted, size // len(heads[:PARTS]))
              for scan, file in heads[:PARTS]]
    return {column: join_arrays([table[column] for table in tables]) for column in wanted}


def see_rows(scan: Scan, file: str | None, wanted: Sequence[str],
             size: int) -> dict[str, np.ndarray]:
    here = [column for column in wanted if column in scan.kinds]
    if scan.con is not None: scan.con.execute("SET preserve_insertion_order=true")
    base = scan.read(here, None if file is None else [file]).limit(size)
    cells = {c: key_cell("answer", scan.cell(c), scan.kind(c)) for c in here}
    table = fetch_cells(scan, base, cells)
    absent = np.full(len(next(iter(table.values()))), None)
    return {c: read_keys("answer", table[c], scan.kind(c)) if c in here else absent
            for c in wanted}


def hold_lists(scans: Sequence[Scan], column: str) -> bool:
    "Whether the first cell of a column that is there is a list."
    for scan in scans:
        kind = scan.kinds.get(column, "")
        if kind.endswith("]"): return True
        if kind not in ("JSON TEXT", "CSV TEXT", "VARCHAR", "JSON"): continue
        text = f"{scan.cell(column)}::VARCHAR"
        rows = scan.read([column], None).filter(f"{text} NOT IN ('', 'null')")
        found = guard(rows.project(text).limit(1).fetchall, scan.files, scan.find_fault)
        if found: return is_list(found[0][0])
    return False


def list_plain_scans(scans: Sequence[Scan]) -> list[Source]:
    "The rows of scans one by one."
    whole = [scan.plain or scan for scan in scans]
    return [fetch_source(scan.take_file(file)) for scan in whole for file in scan.files or [None]]


def count_scans(scans: Sequence[Scan], chosen: Chosen, keep: Keep) -> Batch:
    "Equal rows of all scans."
    scans = [scan.suit(chosen) for scan in scans]
    here = [scan.choose(chosen) for scan in scans]
    single = "score" in chosen and keeps_scores(scans, here, keep)
    whole = join_batches([count_scan(scan, part, keep, single)
                          for scan, part in zip(scans, here)])
    if "sample" not in chosen: return whole
    return replace(whole, check_repeats=partial(check_samples, scans, here),
                   list_samples=partial(list_samples, scans, here))


def fetch_source(
    scan: Scan,  # Small scan, such as of one Parquet file
) -> Source:  # Its rows as they stand
    "The rows of one small file, or of a relation."
    def take(chosen: Chosen, keep: Keep) -> Batch:
        base = scan.read(list(chosen.values()), None)
        cells = {part: key_cell("answer", scan.cell(c), scan.kind(c))
                 for part, c in chosen.items()}
        table = fetch_cells(scan, base, cells)
        parts = {part: read_part(part, table[part], scan.kind(c)) for part, c in chosen.items()}
        file = scan.files[0] if scan.files else None
        return batch_of(parts, lambda part, row: scan.tell_row(row + 1, file))
    return Source(list(scan.kinds), take, files=scan.files)


def read_part(part: str, cells: np.ndarray, kind: str) -> np.ndarray:
    "Values as they stand; only text of a CSV file depends on the part that it plays."
    return read_keys(part if kind == "CSV TEXT" else "answer", cells, kind)


def fetch_cells(scan: Scan, base: Any, cells: Mapping[str, str]) -> dict[str, np.ndarray]:
    "Cells under their names, which for an engine must not be empty, nor differ in case only."
    listed = ", ".join(f"{cell} AS x{i}" for i, cell in enumerate(cells.values()))
    table = guard(base.project(listed).fetchnumpy, scan.files, scan.find_fault)
    return {name: table[f"x{i}"] for i, name in enumerate(cells)}


def keeps_scores(scans: Sequence[Scan], here: Sequence[Chosen], keep: Keep) -> bool:
    "Whether single scores are kept: asked for, or few and not unwanted."
    derived = keep.threshold is None and not any("correct" in chosen for chosen in here)
    if keep.scores or not derived and keep.scores is False: return bool(keep.scores)
    for scan, chosen in zip(scans, here):
        if "score" not in chosen: continue
        score = scan.read([chosen["score"]], None).project(f"{scan.cell(chosen['score'])} AS x")
        few = guard(lambda: score.aggregate("approx_count_distinct(x)").fetchall()[0][0] <= FEW,
                    scan.files, scan.find_fault)
        if not few: return False
    return True


def count_scan(scan: Scan, chosen: Chosen, keep: Keep, single: bool) -> Batch:
    "Equal rows of one scan."
    keys = choose_keys(scan, chosen, keep, single)
    sums = choose_sums(scan, chosen, keep, single)
    table = count_sides(scan, chosen, keys, sums)
    if table is None: table = ask_counts(scan, chosen, keys, sums)
    return batch_of_table(scan, chosen, table, keys, sums)


def choose_keys(scan: Scan, chosen: Chosen, keep: Keep, single: bool) -> dict[str, str]:
    "SQL of what equal rows share, by name."
    parts = list_parts(chosen, keep, single)
    keys = {part: key_cell(part, scan.cell(chosen[part]), scan.kind(chosen[part]))
            for part in parts}
    if single or "score" not in chosen or "correct" in chosen: return keys
    score = sum_cell(scan, chosen["score"])
    if keep.threshold is None: return keys | {"unscored": f"({score}) IS NULL"}
    return keys | {"correct": f"(({score}) > {float(keep.threshold)!r}::DOUBLE)::TINYINT"}


def list_parts(chosen: Chosen, keep: Keep, single: bool) -> list[str]:
    "The parts whose equal values are counted."
    parts = [part for part in NAMES if part in chosen]
    if "answer" in parts and not keep.answers: parts.remove("answer")
    parts += filter(is_mark, chosen)
    return [*parts, "score"] if single and "score" in chosen else parts


def sum_cell(scan: Scan, column: str) -> str:
    "A cell as a number that is added up; in a column that starts with true or false, 1 or 0."
    cell, kind = scan.cell(column), scan.kinds[column]
    if kind not in ("JSON TEXT", "CSV TEXT"): return number_cell(cell, kind, kind == "JSON FLAG")
    text = f"lower(trim({cell}::VARCHAR))"
    rows = scan.read([column], None).filter(f"{text} NOT IN ('', 'null')").project(text)
    found = guard(rows.limit(1).fetchall, scan.files, scan.find_fault)
    return number_cell(cell, kind, bool(found) and found[0][0] in ("true", "false"))


def choose_sums(scan: Scan, chosen: Chosen, keep: Keep, single: bool) -> dict[str, str]:
    "SQL of what is added up over equal rows, by name."
    sums = {}
    for part, column in chosen.items():
        number = sum_cell(scan, column) if part == "score" or part.startswith("sum ") else ""
        if part.startswith("sum ") and part[4:] in keep.costs:
            sums[part] = (f"CASE WHEN min({number}) < 0 THEN '-Infinity'::DOUBLE "
                          f"ELSE coalesce(sum({number}), 0) END")
            sums[f"sum {name_known_cells(part[4:])}"] = f"count({number})"
        elif part.startswith("sum "):
            sums[part] = f"CASE WHEN count({number}) = count(*) THEN sum({number}) END"
        elif part == "score" and not single:
            sums |= dict(total=f"coalesce(sum({number}), 0)", scored=f"count({number})")
        elif part == "sample": sums |= sum_samples(scan, column, keep)
    return sums


def sum_samples(scan: Scan, column: str, keep: Keep) -> dict[str, str]:
    cell = sample_cell(scan.cell(column), scan.kind(column))
    found = {"marks": f"sum((hash({cell}) >> 24)::DOUBLE)"}
    if not (keep.draws or keep.runs): return found
    number = sample_number(scan, column)
    for i in range(WORDS):
        inside = f"{number} >= {BITS * i} AND {number} < {BITS * (i + 1)}"
        bit = f"1::BIGINT << ({number} - {BITS * i})"
        found[f"draws{i}"] = f"bit_or(CASE WHEN {inside} THEN {bit} END)"
    return found


def batch_of_table(scan: Scan, chosen: Chosen, table: dict, keys: Mapping, sums: Mapping) -> Batch:
    "What the engine counted, as a batch."
    parts = {part: read_keys(part, table[part], scan.kind(chosen[part]))
             for part in keys if part in chosen}
    if "correct" in keys and "correct" not in chosen:
        parts["correct"] = read_keys("correct", table["correct"], "DOUBLE")
    times = np.asarray(table["times"], np.int64)
    place = partial(find_place, scan, chosen, table)
    words = [tidy(table[name]) for name in sums if name.startswith("draws")]
    added = collect_sums(scan, chosen, table, sums)
    first = partial(find_first, scan, chosen, table)
    if "correct" in chosen: restore_odd(scan, chosen, parts, first)
    return Batch(parts, times, place, added, join_words(words) if words else None, False,
                 as_floats(table["marks"]) if "marks" in table else None,
                 find_first=lambda part, some: first(part, some)[0])


def collect_sums(scan: Scan, chosen: Chosen, table: dict, sums: Mapping) -> dict[str, np.ndarray]:
    "What the engine added up; a known value that is no number is refused."
    added = {name: as_floats(table[name]) for name in sums
             if name in ("total", "scored") or name.startswith("sum ")}
    for name, values in added.items():
        if np.isinf(values).any(): refuse_odd_sums(scan, chosen, name, int(table["times"].sum()))
    if np.isnan(added.get("total", 0)).any():
        raise ValueError("known scores must add up to a number, got NaN; write null for a score "
                         f"that is missing in {chosen['score']!r}")
    return added


def restore_odd(scan: Scan, chosen: Chosen, parts: dict[str, np.ndarray],
                first: Callable[[str, np.ndarray], tuple[int, str]]) -> None:
    "Put numbers that are neither 0 nor 1 where the engine only said that there are some."
    column, kind = chosen["correct"], scan.kinds[chosen["correct"]]
    if not is_number(kind) and kind not in NUMBERS: return
    odd = np.array([value == 2 for value in parts["correct"].tolist()])
    if not odd.any(): return
    row, text = first("correct", odd)
    value = float(text) if kind in ("FLOAT", "DOUBLE") else read_number(text)
    if value != value:
        raise ValueError("known outcomes must be right or wrong, got NaN; write null for an "
                         f"outcome that is missing in {column!r}")
    rest = find_other(scan, column) if value == 100 else value
    values = parts["correct"].tolist()
    for i in np.flatnonzero(odd).tolist(): values[i] = rest
    values[row] = value
    parts["correct"] = tidy(values)


def find_other(scan: Scan, column: str) -> int:
    "100 if outcomes are percentages, and else something that is neither an outcome nor 100."
    number = f"TRY_CAST({scan.cell(column)}::VARCHAR AS DOUBLE)"
    others = scan.read([column], None).filter(f"{number} NOT IN (0, 1, 100)")
    return 2 if others.limit(1).fetchall() else 100


def find_first(scan: Scan, chosen: Chosen, table: Mapping[str, np.ndarray], part: str,
               some: np.ndarray) -> tuple[int, str]:
    "Which of some rows holds the value that stands first in the data, and that value as text."
    cells = {name: key_cell(name, scan.cell(chosen[name]), scan.kind(chosen[name]))
             for name in (part, "question")}
    known = {name: tidy(table[name]).tolist() for name in cells}
    keys = ", ".join({quote_value(known[part][i]) for i in np.flatnonzero(some).tolist()})
    shown = ", ".join([*cells.values(), f"{scan.cell(chosen[part])}::VARCHAR"])
    for file in scan.files or [None]:
        rows = scan.number_rows([chosen[name] for name in cells], file)
        found = rows.filter(f"{cells[part]} IN ({keys})").project(shown).limit(1).fetchall()
        for value, question, text in found:
            pairs = list(zip(known[part], known["question"]))
            return pairs.index((value, question)), text
    return int(some.argmax()), ""


def refuse_odd_sums(scan: Scan, chosen: Chosen, name: str, size: int) -> None:
    "Refuse a column with text or an infinity among its numbers, naming the first."
    part = "score" if name == "total" else name
    cell, kind = scan.cell(chosen[part]), scan.kinds[chosen[part]]
    odd, key = f"isinf({number_cell(cell, kind)})", key_cell(part, cell, kind)
    bad = scan.read([chosen[part]], None).filter(odd).aggregate("count(*)").fetchall()[0][0]
    first = (scan.number_rows([chosen[part]], file).filter(odd).project(f"{key} AS x").limit(1)
             .fetchnumpy()["x"] for file in scan.files or [None])
    keys = next(filter(len, first))
    # One value stands for all that fail, and a sound one for the rest.
    both = tidy([*read_keys(part, keys, kind).tolist(), 0.])
    check_scores("score" if part == "score" else chosen[part], both, np.array([bad, size - bad]),
                 lambda _, row: find_place(scan, chosen, {part: keys}, part, row))


def find_place(scan: Scan, chosen: Chosen, table: Mapping, part: str, row: int) -> str:
    "Where the first row with this value stands, asked of the data once more."
    if part not in chosen or part not in table: return ""
    column, found = chosen[part], tidy(table[part]).tolist()[row]
    cell = key_cell(part, scan.cell(column), scan.kind(column))
    wanted = f"{cell} IS NOT DISTINCT FROM {quote_value(found)}"
    if scan.kind(column) in TEXTS and found is None: wanted += f" OR {cell} = 'null'"
    for file in scan.files or [None]:
        rows = scan.number_rows([column], file).filter(wanted).project("row_at").limit(1).fetchall()
        if rows: return scan.tell_row(rows[0][0], file)
    return ""
