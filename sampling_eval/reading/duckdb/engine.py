"""Tables of any size, counted by DuckDB."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

import numpy as np

from ..columns import (Batch, Keep, Source, batch_of, is_mark, join_batches, list_called,
                       name_known_cells, place_samples)
from ..failures import ERRORS, NO_ERROR
from ..identity import join_names, list_keys
from ..sample_ids import BITS, WORDS, count_bits, mark_distinct
from ..shapes import is_list
from ..values import (FEW, Repeated, check_scores, tell_repeat, is_whole_text, join_arrays,
                      tidy)
from .scans import (Scan, guard, hold_batches, open_files, refuse_same_letters, scan_files,
                    scan_relation)
from .sql import (NUMBERS, TEXTS, ask, is_number, key_cell, name_cell, number_cell,
                  quote_name, quote_text, quote_value, read_keys, read_number, sample_cell)

__all__ = ["batches_source", "files_source", "relation_source", "stored_sources"]

NAMES = "model", "group", "cluster", "weight", "question", "correct", "answer"
Chosen = Mapping[str, str]  # Column of each part
PARTS = 50  # Files of which the first rows are looked at


def engine_source(scans: Sequence[Scan], what: str = "") -> Source:
    "Equal rows of files or of a relation, counted where they are."
    columns = list(dict.fromkeys(column for scan in scans for column in scan.kinds))
    files = tuple(file for scan in scans for file in scan.files)
    return Source(columns, partial(count_plainly, scans), what, "counted", files,
                  head=partial(see_head, scans), whole=partial(see_whole, scans),
                  holds_lists=partial(hold_lists, scans),
                  plain=partial(list_plain_scans, scans))


def files_source(
    files: Sequence[str],  # Files of plain tables
    what: str,  # Words for them
) -> Source:  # Their rows, counted
    "Equal rows of files, counted where they are."
    return engine_source(scan_files(open_files(files), files), what)


def relation_source(
    relation: Any,  # A relation of DuckDB
    what: str,  # Words for it
) -> Source:  # Its rows, counted
    "Equal rows of a relation, counted in its own connection."
    return engine_source([scan_relation(relation)], what)


def batches_source(
    empty: Any,  # A table of Arrow without rows, which has the columns
    batches: Iterable[Any],  # Tables of Arrow
    what: str,  # Words for them
) -> Source:  # Their rows, counted
    "Equal rows of tables that DuckDB holds."
    return engine_source([hold_batches(empty, batches)], what)


def stored_sources(
    files: Sequence[str],  # Small files
) -> list[Source]:  # One or more of each
    "The rows of files as they stand, in their order."
    con = open_files(files)
    con.execute("SET preserve_insertion_order=true")
    return [fetch_source(scan) for file in files for scan in scan_files(con, [file])]


def count_plainly(scans: Sequence[Scan], chosen: Chosen, keep: Keep) -> Batch:
    "Equal rows of all scans, without types of columns where the types do not hold."
    try: return count_scans(scans, chosen, keep)
    except ValueError:
        if any([scan.mend() for scan in scans]): return count_plainly(scans, chosen, keep)
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
    here = [column for column in wanted if column in scan.kinds] or list(scan.kinds)[:1]
    if scan.con is not None: scan.con.execute("SET preserve_insertion_order=true")
    return read_wanted(scan, scan.read(here, None if file is None else [file]).limit(size), wanted)


def see_whole(scans: Sequence[Scan], wanted: Sequence[str], question: str,
              names: Sequence) -> dict[str, np.ndarray]:
    "Some columns of all rows of some questions."
    tables = []
    for scan in (scan.plain or scan for scan in scans):
        here = [column for column in wanted if column in scan.kinds]
        test = Names(scan, dict(question=question)).match("question", set(map(str, names)))
        base = scan.read([*here, question], None).filter(test)
        tables.append(read_wanted(scan, base, wanted, question))
    return {column: join_arrays([table[column] for table in tables]) for column in wanted}


def read_wanted(scan: Scan, base: Any, wanted: Sequence[str], *more: str) -> dict[str, np.ndarray]:
    "Some columns of some rows as values; those that are not there are absent."
    here = [column for column in dict.fromkeys([*wanted, *more]) if column in scan.kinds]
    cells = {c: key_cell("answer", scan.cell(c), scan.kind(c)) for c in here or [*scan.kinds][:1]}
    table = fetch_cells(scan, base, cells)
    absent = np.full(len(next(iter(table.values()))), None)
    return {c: read_keys("answer", table[c], scan.kind(c)) if c in scan.kinds else absent
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


def fetch_source(scan: Scan) -> Source:  # Its rows as they stand
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
    keys = {part: state_cell(scan, chosen[part]) if part.startswith("status ") else
            key_cell(part, scan.cell(chosen[part]), scan.kind(chosen[part])) for part in parts}
    if single or "score" not in chosen or "correct" in chosen: return keys
    score = sum_cell(scan, chosen["score"])
    if keep.threshold is None: return keys | {"unscored": f"({score}) IS NULL"}
    return keys | {"correct": f"(({score}) > {float(keep.threshold)!r}::DOUBLE)::TINYINT"}


def state_cell(scan: Scan, column: str) -> str:
    "What happened to a try in small letters; any error as one, so that groups stay few."
    text = f"lower(trim({scan.cell(column)}::VARCHAR, '\" '))"
    if not list_called([column], ERRORS): return text
    none = ", ".join(map(quote_text, ["", *NO_ERROR]))
    return f"CASE WHEN {text} NOT IN ({none}) THEN 'error' END"


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
    parts = {part: tidy(table[part]) if part.startswith("status ") else
             read_keys(part, table[part], scan.kind(chosen[part]))
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
        # A negative cost makes the sum of its group that of minus infinity.
        find_odd = np.isposinf if f"{name}, known" in added else np.isinf
        if find_odd(values).any(): refuse_odd_sums(scan, chosen, name, int(table["times"].sum()))
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
    columns = [chosen[name] for name in cells]
    found = scan.find_row(columns, f"{cells[part]} IN ({keys})", shown)
    if found is None: return int(some.argmax()), ""
    (*names, text), _ = found
    return list(zip(*known.values())).index(tuple(names)), text


def refuse_odd_sums(scan: Scan, chosen: Chosen, name: str, size: int) -> None:
    "Refuse a column with text or an infinity among its numbers, naming the first."
    part = "score" if name == "total" else name
    cell, kind = scan.cell(chosen[part]), scan.kinds[chosen[part]]
    odd, key = f"isinf({number_cell(cell, kind)})", key_cell(part, cell, kind)
    bad = scan.read([chosen[part]], None).filter(odd).aggregate("count(*)").fetchall()[0][0]
    found = scan.find_row([chosen[part]], odd, key)
    assert found is not None
    (first,), where = found
    # One value stands for all that fail, and a sound one for the rest.
    both = tidy([*read_keys(part, tidy([first]), kind).tolist(), 0.])
    check_scores("score" if part == "score" else chosen[part], both, np.array([bad, size - bad]),
                 lambda _, row: where)


def find_place(scan: Scan, chosen: Chosen, table: Mapping, part: str, row: int) -> str:
    "Where the first row with this value stands, asked of the data once more."
    if part not in chosen or part not in table: return ""
    column, found = chosen[part], tidy(table[part]).tolist()[row]
    cell = key_cell(part, scan.cell(column), scan.kind(column))
    wanted = f"{cell} IS NOT DISTINCT FROM {quote_value(found)}"
    if scan.kind(column) in TEXTS and found is None: wanted += f" OR {cell} = 'null'"
    place = scan.find_row([column], wanted, cell)
    return "" if place is None else place[1]


# What DuckDB counts: equal rows, and whether a sample appears twice.

# Equal rows, the right samples of a question beside the wrong ones.

ODD = 2**31  # More than the samples of a question
HEAD = 10_000  # Rows that tell how large numbers of samples are
TYPES = ("BIGINT", 62), ("HUGEINT", 126)  # Whole numbers, and how many bits they hold
# What is right and what is wrong in cells of some kinds.
SIDES: dict[str, tuple] = {"BOOLEAN": (True, False), "JSON FLAG": ("true", "false"),
                           "JSON NUMBER": ("1", "0"), "JSON WHOLE": ("1", "0")}
CSV_SIDES = ("1", "0"), ("1.0", "0.0"), ("true", "false"), ("True", "False"), ("TRUE", "FALSE")


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
    listed = ", ".join(f"{cell} AS {quote_name(name)}" for name, cell in keys.items())
    counted = base.project(f"*, {listed}").aggregate(
        ", ".join([names, "count(*) AS times", *added]), names)
    return guard(counted.fetchnumpy, scan.files, scan.find_fault)


def count_sides(scan: Scan, chosen: Chosen, keys: dict[str, str],
                sums: dict[str, str]) -> dict | None:
    """What `ask_counts` finds, asked for with right and wrong samples in one group.

    None where outcomes or samples are not so simple.
    """
    plain = all(name.startswith(("marks", "draws")) for name in sums)
    if not plain or "correct" not in chosen or {"answer", "score"} & keys.keys(): return None
    sides = find_sides(scan, chosen["correct"])
    if sides is None: return None
    rest = {name: cell for name, cell in keys.items() if name != "correct"}
    if "draws0" in sums: return count_by_bits(scan, chosen, rest, sides)
    return count_by_sum(scan, chosen, rest, sums, sides)


def find_sides(scan: Scan, column: str) -> tuple | None:
    "What is right and what is wrong; in text of a CSV file, as the first rows spell it."
    kind = scan.kind(column)
    if kind != "CSV TEXT": return SIDES.get(kind, (1, 0) if is_number(kind) else None)
    first = scan.read([column], None).limit(HEAD).project(f"{scan.cell(column)}::VARCHAR")
    texts = {text for text, in guard(first.fetchall, scan.files, scan.find_fault)} - {None, ""}
    return next((sides for sides in CSV_SIDES if texts and texts <= set(sides)), None)


def spell_side(side: object) -> str:
    return quote_text(side) if isinstance(side, str) else repr(side).lower()


def count_by_sum(scan: Scan, chosen: Mapping[str, str], rest: dict[str, str], sums: dict[str, str],
                 sides: tuple) -> dict | None:
    "Outcomes added up; None unless all are 0 or 1."
    one, zero = map(spell_side, sides)
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
    known = list(map(spell_side, sides))
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


def sample_number(scan: Scan, column: str) -> str:  # SQL, null where a sample has no whole number
    "The number of a sample."
    return f"TRY_CAST({sample_cell(scan.cell(column), scan.kind(column))} AS BIGINT)"


def as_floats(values: np.ndarray) -> np.ndarray:  # NaN where there is none
    "Numbers as floats."
    return np.array(np.ma.filled(np.ma.asarray(values).astype(float), np.nan))


# Whether a sample appears twice, asked without sorting every row.

EXACT, KINDS = 8192, 64  # Samples whose hashes add exactly; kinds of questions looked at in full
SHOWN = 1000  # Repeats among which the first is looked for


@dataclass(frozen=True, eq=False)
class Names:
    "The columns of a scan that name a sample."
    scan: Scan
    chosen: Mapping[str, str]  # Column of each part

    def cell(self, part: str) -> str:
        "SQL of a name as text that other files share."
        column = self.chosen[part]
        return name_cell(self.scan.cell(column), self.scan.kind(column))

    def match(self, part: str, names: Iterable[str]) -> str:
        "SQL of whether a name is one of some texts; whole numbers are compared as such."
        column = self.chosen[part]
        whole = is_number(self.scan.kind(column)) and all(map(is_whole_text, names))
        cell = self.scan.cell(column) if whole else self.cell(part)
        return f"{cell} IN ({', '.join(sorted(names if whole else map(quote_text, names)))})"

    def list_cells(self, keys: Sequence[str]) -> str:
        "SQL of the names of several parts, each called by its part."
        return ", ".join(f"{self.cell(part)} AS {quote_name(part)}" for part in keys)

    def read(self, keys: Sequence[str]) -> Any:
        "The rows of all files."
        return self.scan.read([self.chosen[part] for part in keys], None)


def check_samples(scans: Sequence[Scan], here: Sequence[Mapping[str, str]], pair: np.ndarray,
                  batch: Batch) -> None:
    """Refuse a sample that appears twice.

    The sums of hashes over a question tell whether its samples are 0..n-1 or 1..n; questions of
    equal sums have equal samples but for a chance of 10^-12, so one of each kind is looked at.

    Raises: `ValueError` naming the sample and both places.
    """
    if batch.draws is not None and mark_distinct(batch.draws, pair, batch.times).all(): return
    tables = list(map(Names, scans, here))
    times = np.bincount(pair, batch.times).astype(np.int64)
    spaces = set(map(find_space, tables))
    only = None
    if batch.marks is not None and len(spaces) == 1 and times.max() <= EXACT:
        odd = find_odd(times, np.bincount(pair, batch.marks), spaces.pop())
        if not len(odd): return
        first = np.unique(pair, return_index=True)[1]
        if len(odd) <= KINDS: only = name_pairs(batch, first[odd])
    refuse_repeats(tables, batch, only)


def list_samples(
    scans: Sequence[Scan],  # What was counted
    here: Sequence[Mapping[str, str]],  # Column of each part in each of them
    batch: Batch,  # What the engine counted
    some: np.ndarray | None,  # Rows of it whose samples are wanted; None for all
) -> tuple[np.ndarray, np.ndarray] | None:  # Row and id of each; None where names are no text
    "The samples behind some counted rows, asked of the data once more."
    keys = list_keys(batch)
    rows = np.arange(len(batch)) if some is None else some
    names = name_pairs(batch, rows)
    if names is None: return None
    place = dict(zip(names, rows.tolist()))
    found: list[tuple] = []
    for table in map(Names, scans, here):
        wanted = select_names(table, keys, None if some is None else names)
        found += guard(wanted.fetchall, table.scan.files)
    return place_samples(place, found)


def find_space(table: Names) -> str:
    cell = sample_cell("x", table.scan.kind(table.chosen["sample"]))
    return "BIGINT" if cell.endswith("BIGINT") else "VARCHAR"


def find_odd(times: np.ndarray, marks: np.ndarray, space: str) -> np.ndarray:
    "One group of each kind that is neither 0..n-1 nor 1..n."
    query = f"SELECT (hash(i::{space}) >> 24)::DOUBLE FROM range({times.max() + 1}) r(i) ORDER BY i"
    hashes = ask(query).fetchnumpy()
    total = np.concatenate([[0.], np.cumsum(next(iter(hashes.values())))])
    known = (marks == total[times]) | (marks == total[times + 1] - total[1])
    odd = np.flatnonzero(~known)
    if not len(odd): return odd
    kinds = np.unique(np.stack([times[odd], marks[odd]]), axis=1, return_index=True)[1]
    return odd[kinds]


def name_pairs(batch: Batch, rows: np.ndarray) -> list[tuple] | None:
    "The names of some rows down to the question, as text; None if an engine writes them otherwise."
    columns = [batch.parts[part][rows].tolist() for part in list_keys(batch)[:-1]]
    if not {type(name) for column in columns for name in column} <= {int, str}: return None
    return [tuple(map(str, names)) for names in zip(*columns)]


def refuse_repeats(tables: Sequence[Names], batch: Batch, only: list[tuple] | None) -> None:
    "Count every pair of question and sample, of some questions or of all."
    keys = list_keys(batch)
    bad = count_times(tables, keys, only).filter("times > 1 OR sample IS NULL")
    files = [file for table in tables for file in table.scan.files]
    found = guard(bad.limit(SHOWN).fetchall, files)
    if not found: return
    refuse_unnamed(tables, batch)
    rows = sum(row[-1] - 1 for row in found)
    if len(found) == SHOWN or only is not None:
        rows = count_repeats(tables, keys) or rows
    raise_first(tables, batch, keys, {row[:-1] for row in found}, int(rows))


def count_times(tables: Sequence[Names], keys: list[str], only: list[tuple] | None) -> Any:
    "Every sample, and in the column `times` how often it appears."
    whole, *others = [select_names(table, keys, only) for table in tables]
    for other in others: whole = whole.union(other)
    names = ", ".join(map(quote_name, keys))
    return whole.aggregate(f"{names}, count(*) AS times", names)


def select_names(table: Names, keys: list[str], only: list[tuple] | None) -> Any:
    "Model, question and sample of every row as text."
    rows = table.read(keys)
    if only is not None: rows = rows.filter(match_names(table, keys[:-1], only))
    return rows.project(table.list_cells(keys))


def match_names(table: Names, keys: Sequence[str], wanted: Iterable[tuple]) -> str:
    "SQL of the rows whose names are each among those of some samples."
    return " AND ".join(table.match(part, set(names)) for part, names in zip(keys, zip(*wanted)))


def count_repeats(tables: Sequence[Names], keys: list[str]) -> int:
    "Rows that repeat, in all."
    more = count_times(tables, keys, None).aggregate("sum(times - 1)")
    return int(more.fetchall()[0][0])


def refuse_unnamed(tables: Sequence[Names], batch: Batch) -> None:
    "Refuse rows without the name of a sample, wherever the first one stands."
    unnamed = sum(map(count_unnamed, tables))
    if not unnamed: return
    where = next(filter(None, map(tell_unnamed, tables)), "")
    raise ValueError(f"every row needs a sample, got none {where} "
                     f"({unnamed} of {batch.times.sum()} fail)")


def count_unnamed(table: Names) -> int:
    rows = table.read(["sample"]).filter(f"{table.cell('sample')} IS NULL")
    return rows.aggregate("count(*)").fetchall()[0][0]


def tell_unnamed(table: Names) -> str:
    "Where the first row without the name of a sample stands; empty if there is none."
    cell = table.cell("sample")
    found = table.scan.find_row([table.chosen["sample"]], f"{cell} IS NULL", cell)
    return "" if found is None else found[1]


def raise_first(tables: Sequence[Names], batch: Batch, keys: list[str], bad: set[tuple],
                rows: int) -> NoReturn:
    "Name the first sample that repeats, and both places."
    seen: dict[tuple, str] = {}
    for key, place in find_places(tables, keys, bad):
        if key in seen: raise_repeat(batch, keys, key, seen[key], place, rows)
        seen[key] = place
    raise_repeat(batch, keys, min(bad), "", "", rows)


def find_places(tables: Sequence[Names], keys: list[str],
                bad: set[tuple]) -> Iterator[tuple[tuple, str]]:
    "The rows of some samples in the order of the data, and where each stands."
    for table in tables:
        for file in table.scan.files or [None]:
            columns = [table.chosen[part] for part in keys]
            rows = table.scan.number_rows(columns, file).filter(match_names(table, keys, bad))
            for *names, number in rows.project(f"{table.list_cells(keys)}, row_at").fetchall():
                if (key := tuple(names)) in bad: yield key, table.scan.tell_row(number, file)


def raise_repeat(batch: Batch, keys: list[str], key: tuple, first: str, again: str,
                 rows: int) -> NoReturn:
    named = {part: restore_name(batch, part, text) for part, text in zip(keys, key)}
    where = f" {first} and again {again}" if first else " more than once"
    raise Repeated(tell_repeat(join_names(batch, named), where, rows))


def restore_name(batch: Batch, part: str, text: str) -> Any:
    "A name as it was read, from its text."
    if part in batch.parts:
        return next((name for name in batch.parts[part].tolist() if str(name) == text), text)
    return int(text) if is_whole_text(text) else text


# Sets of sample numbers.

def join_words(words: list[np.ndarray]) -> np.ndarray:
    "Sums of powers as whole numbers; a sum beyond a word stands for a repeat."
    return np.stack([read_word(word) for word in words], 1)


def read_word(word: np.ndarray) -> np.ndarray:
    if word.dtype.kind == "O": word = np.array([value or 0 for value in word.tolist()])
    if word.dtype.kind == "i": return word
    return np.minimum(np.nan_to_num(word.astype(float)), 2.**62).astype(np.int64)
