"""Files and relations that DuckDB reads."""
from __future__ import annotations

import csv
import io
import json
import os
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from glob import escape
from typing import Any, BinaryIO

from ...errors import OptionError
from ...spelling import option
from ...extras import need
from ...patterns import find_packing
from ..columns import FILE, list_names, no_column
from ..files import is_remote, is_table, kind_of, refuse_hollow, split_table
from ..text_files import (BLOCK, BROKEN, check_whole, find_csv_fault, find_encoding,
                          find_json_fault, open_bytes, open_file, read_layout, refuse_cut,
                          tell_broken, unpack_size)
from .sql import connect, quote_name, quote_text

__all__ = ["Copies", "Scan", "hold_batches", "scan_files", "scan_relation", "refuse_same_letters",
           "guard", "open_files", "list_paths"]

TEXT = "JSON TEXT"
FILE_CELL = "file_of_row"
# As JSON, since "1" in quotes would become 1 as VARCHAR, and true would become 1 as a number.
READ_AS = dict.fromkeys((TEXT, "JSON NUMBER", "JSON WHOLE", "JSON FLAG"), "JSON")
UNPACKED_HERE = "", ".gz", ".zst"  # How a file may be packed that DuckDB unpacks
LARGE, FIRST = 2**26, 10_000  # Bytes beyond which some rows tell the columns of a JSON file
SPARSE = 1000  # Lines that are looked at all over such a file


class Copies(dict[str, str]):
    "Paths of copies by the file they stand for; they go when nobody holds this any more."

    def find(self, files: Sequence[str]) -> list[str]:
        "The paths to read: of a file that has one, the copy."
        return [self.get(file, file) for file in files]

    def name(self,
        column: str,  # Column that holds the path that was read
    ) -> str:  # SQL
        "The path of the file itself, in place of its copy."
        if not self: return column
        pairs = ", ".join(f"{quote_text(copy)}: {quote_text(file)}" for file, copy in self.items())
        return f"coalesce(MAP {{{pairs}}}[{column}], {column}) AS {column}"

    def add(self,
        path: str,  # File of text
        change: Callable[[BinaryIO], Iterable[bytes]] | None = None,  # What is written of it
    ) -> None:
        "Write the text of a file in UTF-8, without a byte order mark and unpacked."
        import shutil  # Few files need a copy
        import tempfile
        if not self:
            self.folder = tempfile.mkdtemp(prefix="sampling_eval")
            weakref.finalize(self, shutil.rmtree, self.folder, True)
        self[path] = os.path.join(self.folder, str(len(self)))
        try:
            with open_file(path) as text, open(self[path], "wb") as copy:
                if change is None: shutil.copyfileobj(text, copy)
                else: copy.writelines(change(text))
        except UnicodeDecodeError as error:
            raise ValueError(f"{path!r}: not {error.encoding.upper()}") from None
        except BROKEN: raise ValueError(tell_broken(path)) from None


def copy_files(files: Sequence[str]) -> Copies:
    "Copies of tables of SQLite, and of texts packed or encoded otherwise than DuckDB knows."
    copies = Copies()
    for file in files:
        if has_long_header(file):
            copies.add(file, partial(shorten_header, *read_layout(file, "csv")))
        elif needs_copy(file): copies.add(file)
        elif not is_remote(file): check_whole(file)
    return copies


def has_long_header(file: str) -> bool:
    "Whether the names of the columns of a CSV file stand on several lines."
    if is_remote(file) or kind_of(file) != "csv": return False
    return any("\n" in name or "\r" in name for name in read_layout(file, "csv")[2])


def shorten_header(kind: str, mark: str, columns: Sequence[str], file: BinaryIO) -> Iterator[bytes]:
    "The rows of a CSV file below a header of one line, which DuckDB skips."
    text, lines = io.TextIOWrapper(file, "utf-8-sig", newline=""), list[str]()

    def keep(line: str) -> str:
        lines.append(line)
        return line
    next(csv.reader(map(keep, text), delimiter=mark))
    # All lines have to end alike.
    end = "\r\n" if lines[-1].endswith("\r\n") else "\n"
    yield (mark.join(f"c{i}" for i in range(len(columns))) + end).encode()
    for block in iter(lambda: text.read(BLOCK), ""): yield block.encode()


# Escapes of JSON, of which half a character is read as a mark: no text in UTF-8 holds it.
ESCAPE = re.compile(rb"\\(?:(u[dD][89abAB]..)(\\u[dD][c-fC-F]..)?|(u[dD][c-fC-F]..)|.)", re.DOTALL)


def mend_halves(file: BinaryIO) -> Iterator[bytes]:
    "The lines of a JSON file, with a mark in the place of half a character."
    return (ESCAPE.sub(mend_half, line) for line in file)


def mend_half(escape: re.Match[bytes]) -> bytes:
    first, second, alone = escape.groups()
    return b"\\ufffd" if alone or first and not second else escape[0]


def mend_files(copies: Copies, files: Sequence[str]) -> bool:
    "Copy those files that hold half a character; whether there are any."
    found = [file for file in files if file not in copies and not is_remote(file)
             and holds_half(file)]
    for file in found: copies.add(file, mend_halves)
    return bool(found)


def holds_half(file: str) -> bool:
    with open_file(file) as text: return any(ESCAPE.sub(mend_half, line) != line for line in text)


def needs_copy(file: str) -> bool:
    kind = None if is_remote(file) else kind_of(file)
    if kind not in ("json", "csv"): return False
    if is_table(file) or find_packing(file) not in UNPACKED_HERE: return True
    try: encoding = find_encoding(file)
    except BROKEN: raise ValueError(tell_broken(file)) from None
    # A mark at the beginning of a CSV file is left out by DuckDB as well.
    return encoding is not None and (kind, encoding) != ("csv", "utf-8-sig")


@dataclass(frozen=True, eq=False)
class Scan:
    "Something DuckDB reads, of one layout."
    kinds: Mapping[str, str]  # Type of each column
    read: Callable[[Sequence[str], Sequence[str] | None], Any]  # Columns and files to a relation
    files: tuple[str, ...] = ()
    find_fault: Callable[[str], str] = lambda file: ""  # What is wrong with a file
    con: Any = None  # Connection that reads the files
    plain: Scan | None = None  # The same without types, for where the types do not hold
    retype: Callable[[Mapping[str, str]], Scan] | None = None  # Types of columns to the scan
    mend: Callable[[], bool] = lambda: False  # Whether files were copied that can be read now

    def cell(self, column: str) -> str:
        "SQL of a column in what `read` returns."
        return FILE_CELL if column == FILE else f"c{list(self.kinds).index(column)}"

    def kind(self, column: str) -> str:
        "Type of a column; a file is text."
        return "VARCHAR" if column == FILE else self.kinds[column]

    def suit(self, chosen: Mapping[str, str]) -> Scan:
        "The same with numbers of samples read as numbers."
        # A sample 2.5 taken for 2 only leads to a closer look.
        sample = chosen.get("sample", "")
        whole = self.kinds.get(sample) == "JSON WHOLE"
        return self.retype({sample: "BIGINT"}) if whole and self.retype else self

    def choose(self, chosen: Mapping[str, str]) -> dict[str, str]:
        "The chosen columns that are there."
        here = {part: column for part, column in chosen.items()
                if column in self.kinds or column == FILE}
        if "question" in here: return here
        raise no_column("question", chosen["question"], list(self.kinds))

    def take_file(self, file: str | None) -> Scan:
        "The scan of one of its files, in the order of its rows."
        if self.con is not None: self.con.execute("SET preserve_insertion_order=true")
        some = None if file is None else [file]
        files = self.files if file is None else (file,)
        return replace(self, files=files, read=lambda columns, _: self.read(columns, some))

    def number_rows(self, columns: Sequence[str], file: str | None) -> Any:
        "The rows of a file in their order, numbered from 1 in the column `row_at`."
        if self.con is not None: self.con.execute("SET preserve_insertion_order=true")
        base = self.read(columns, None if file is None else [file])
        return base.project("*, row_number() OVER () AS row_at")

    def find_row(self, columns: Sequence[str], test: str, shown: str) -> tuple[tuple, str] | None:
        "What is shown of the first row that passes a test, and words for where it stands."
        for file in self.files or [None]:
            rows = self.number_rows(columns, file).filter(test).project(f"{shown}, row_at")
            for *found, number in rows.limit(1).fetchall():
                return tuple(found), self.tell_row(number, file)
        return None

    def tell_row(self, number: int, file: str | None) -> str:
        "Words for where a row stands."
        if file is None: return f"at row {number - 1}"
        return f"at row {number} of {os.path.basename(file)}"


def scan_relation(relation: Any) -> Scan:  # The same as a scan
    "A relation, which belongs to its own connection."
    kinds = dict(zip(relation.columns, map(str, relation.types)))

    def read(columns: Sequence[str], files: Sequence[str] | None) -> Any:
        return relation.project(list_cells(kinds, columns))
    return Scan(kinds, read)


def hold_batches(
    empty: Any,  # A table of Arrow without rows, which has the columns
    batches: Iterable[Any],  # Tables of Arrow
) -> Scan:  # All their rows as a scan
    "Tables that DuckDB holds, which spills to disk what does not fit."
    con = open_files(())
    con.execute("SET preserve_insertion_order=true")
    con.execute("CREATE TABLE held AS FROM empty")
    for batch in batches: con.execute("INSERT INTO held FROM batch")
    return replace(scan_relation(con.table("held")), con=con)


def list_cells(kinds: Mapping[str, str], columns: Sequence[str]) -> str:
    places = {column: i for i, column in enumerate(kinds)}
    cells = (f"{quote_name(c)} AS c{places[c]}" for c in dict.fromkeys(columns) if c != FILE)
    return ", ".join([*cells, *[FILE_CELL] * (FILE in columns)])


def refuse_same_letters(columns: Iterable[str]) -> None:
    """Refuse names that DuckDB takes for one.

    Raises: `ValueError` with both.
    """
    seen: dict[str, str] = {}
    for column in columns:
        other = seen.setdefault(column.lower(), column)
        if other == column: continue
        raise OptionError("ignore", "columns of a large table must differ in more than capitals",
                          found=f"{other!r} and {column!r}",
                          hint=f"rename one, or pass {option('ignore', column)}")


def name_file(columns: Sequence[str]) -> str:
    "What tells a reader of files to give their names too, if they are wanted."
    return f", filename={quote_text(FILE_CELL)}" if FILE in columns else ""


def open_files(files: Sequence[str]) -> Any:
    "A connection that may spill to disk and reads files in any order."
    import tempfile
    con = connect(any(map(is_remote, files)))
    spill = os.path.join(tempfile.gettempdir(), "sampling_eval")
    con.execute(f"SET temp_directory={quote_text(spill)}; SET preserve_insertion_order=false")
    return con


def scan_files(con: Any, files: Sequence[str]) -> list[Scan]:
    """Files grouped by layout.

    Raises: `ValueError` naming a file that cannot be read.
    """
    groups: dict[tuple, list[str]] = {}
    for file in files: groups.setdefault(see_layout(con, file), []).append(file)
    copies = copy_files(files)
    make: dict[str, Callable[..., Scan]] = dict(
        json=partial(scan_json, copies), csv=partial(scan_csv, copies), parquet=scan_parquet,
        arrow=scan_arrow, duckdb=scan_database)
    return [make[kind](con, group, *rest) for (kind, *rest), group in groups.items()]


def see_layout(con: Any, file: str) -> tuple:
    kind = kind_of(file)
    if kind in ("arrow", "duckdb"): return kind, file
    if kind == "parquet":
        query = f"DESCRIBE FROM read_parquet({list_paths([file])})"
        return kind, tuple(guard(lambda: con.execute(query).fetchall(), [file]))
    if not is_remote(file): return read_layout(file, str(kind))
    if kind == "json": return kind, "auto"
    # Names are taken here: engines differ in how a query spells a function of a list's members.
    query = f"SELECT Delimiter, Columns FROM sniff_csv({quote_text(file)})"
    mark, columns = guard(lambda: con.execute(query).fetchall(), [file])[0]
    return kind, mark, tuple(column["name"] for column in columns)


def list_paths(files: Sequence[str]) -> str:
    "Paths as a list in a query, taken literally."
    paths = (file if is_remote(file) else escape(file) for file in files)
    return "[" + ", ".join(map(quote_text, paths)) + "]"


def guard(fetch: Callable, files: Sequence[str],
          find_fault: Callable[[str], str] = lambda file: "") -> Any:
    """What DuckDB answers; its fault becomes a sentence that names the file.

    Raises: `ValueError` with file and line.
    """
    duckdb: Any = need("duckdb", "files")
    try: return fetch()
    except duckdb.Error as error:
        near = next(filter(None, (find_fault(f) for f in files if not is_remote(f))), "")
        told = f"cannot read {list_names(list(files))}: {str(error).splitlines()[0]}"
        raise ValueError(near or told) from None


def scan_parquet(con: Any, files: list[str], schema: tuple) -> Scan:
    kinds = {row[0]: row[1] for row in schema}
    query = f"SELECT file_name, num_rows FROM parquet_file_metadata({list_paths(files)})"
    sizes = guard(lambda: con.execute(query).fetchall(), files)
    refuse_hollow(files, {file for file, rows in sizes if rows})

    def read(columns: Sequence[str], some: Sequence[str] | None) -> Any:
        paths = list_paths(some or files)
        return con.sql(f"SELECT {list_cells(kinds, columns)} "
                       f"FROM read_parquet({paths}{name_file(columns)})")
    return Scan(kinds, read, tuple(files), con=con)


def scan_arrow(con: Any, files: list[str], path: str) -> Scan:
    "A file of Arrow, of which only the columns that are needed are touched."
    return scan_rows(con, con.from_arrow(open_arrow(path)), files)


def open_arrow(file: str) -> Any:
    "The table in a Feather file, or in an Arrow file of either form."
    pyarrow: Any = need("pyarrow", "arrow")
    with open_bytes(file) as opened: head = opened.read(6)
    try:
        if head[:4] == b"FEA1":
            feather: Any = need("pyarrow.feather", "arrow")
            return feather.read_table(file)
        mapped = pyarrow.memory_map(file)
        whole = pyarrow.ipc.open_file if head == b"ARROW1" else pyarrow.ipc.open_stream
        return whole(mapped).read_all()
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"cannot read {file!r}: {str(error).splitlines()[0]}") from None


def scan_database(con: Any, files: list[str], path: str) -> Scan:
    "A table of a DuckDB file, which is opened for reading only."
    file, table = split_table(path)
    base = quote_name(file)
    place = ".".join(map(quote_name, table.split(".", 1)))

    def attach() -> Any:
        con.execute(f"ATTACH IF NOT EXISTS {quote_text(file)} AS {base} (READ_ONLY)")
        return con.sql(f"FROM {base}.{place}")
    return scan_rows(con, guard(attach, files), files)


def scan_rows(con: Any, relation: Any, files: list[str]) -> Scan:
    "A relation that stands for one file."
    filled = guard(lambda: relation.limit(1).fetchall(), files)
    refuse_hollow(files, files if filled else [])
    return replace(scan_relation(relation), files=tuple(files), con=con)


def scan_csv(
    copies: Copies, con: Any, files: list[str], mark: str, columns: tuple[str, ...],
) -> Scan:
    kinds = dict.fromkeys(columns, "CSV TEXT")
    places = {column: i for i, column in enumerate(columns)}
    given = ", ".join(f"c{i}: 'VARCHAR'" for i in range(len(columns)))
    fault = partial(find_csv_fault, mark=mark, width=len(columns))

    def read(chosen: Sequence[str], some: Sequence[str] | None) -> Any:
        cells = ", ".join(copies.name(FILE_CELL) if c == FILE else f"c{places[c]}"
                          for c in dict.fromkeys(chosen))
        paths = list_paths(copies.find(some or files))
        return con.sql(
            f"SELECT {cells} FROM read_csv({paths}, columns={{{given}}}, "
            f"delim={quote_text(mark)}, auto_detect=false, header=true, quote='\"', escape='\"', "
            f"strict_mode=true, max_line_size=16777216, buffer_size=16777216{name_file(chosen)})")
    first = columns[:1]
    full = [f for f in files if guard(lambda: read(first, [f]).limit(1).fetchall(), [f], fault)]
    refuse_hollow(files, full)
    return Scan(kinds, read, tuple(files), fault, con=con)


def scan_json(copies: Copies, con: Any, files: list[str], form: str) -> Scan:
    fault = partial(find_json_fault, form=form)
    names: set[str] = set()
    full: set[str] = set()
    for file in files:
        if form == "array" and not is_remote(file): refuse_cut(file)
        try: keys = guard(lambda: see_keys(con, file, form, copies), [file], fault)
        except ValueError:
            if not mend_files(copies, [file]): raise
            keys = guard(lambda: see_keys(con, file, form, copies), [file], fault)
        refuse_odd_rows(file, keys, fault)
        names.update(key for _, row in keys for key in row)
        if keys: full.add(file)
    refuse_hollow(files, full)
    plain = make_json(con, files, form, copies, dict.fromkeys(sorted(names), TEXT), None)
    types = guard(lambda: see_types(con, files, form, copies), files, fault)
    typed = {name: types.get(name, TEXT) for name in sorted(names)}
    if set(typed.values()) == {TEXT}: return plain
    return make_json(con, files, form, copies, typed, plain)


def make_json(con: Any, files: list[str], form: str, copies: Copies, kinds: dict[str, str],
              plain: Scan | None) -> Scan:
    places = {column: i for i, column in enumerate(kinds)}

    def read(chosen: Sequence[str], some: Sequence[str] | None) -> Any:
        columns = [c for c in dict.fromkeys(chosen) if c != FILE]
        refuse_same_letters(columns)
        given = ", ".join(f"{quote_text(c)}: '{READ_AS.get(kinds[c], kinds[c])}'" for c in columns)
        cells = ", ".join([*(f"c{places[c]}" for c in columns), *[FILE_CELL] * (FILE in chosen)])
        paths = list_paths(copies.find(some or files))
        if "" in columns: return read_objects(columns, cells, paths, FILE in chosen)
        named = f" REPLACE ({copies.name(FILE_CELL)})" * (FILE in chosen and bool(copies))
        return con.sql(f"SELECT *{named} FROM read_json({paths}, "
                       f"format={quote_text(form)}, columns={{{given}}}{name_file(chosen)}) "
                       f"f({cells})")

    def read_objects(columns: list[str], cells: str, paths: str, named: bool) -> Any:
        # DuckDB has no name for a column without one.
        taken = [f"json_extract{'_string' * (kinds[c] == 'VARCHAR')}(json, {point(c)})"
                 f"::{READ_AS.get(kinds[c], kinds[c])} AS c{places[c]}" for c in columns]
        listed = ", ".join([*taken, *[copies.name(FILE_CELL)] * named])
        return con.sql(f"SELECT {listed} FROM read_json_objects({paths}, "
                       f"format={quote_text(form)}{name_file([FILE] * named)})").project(cells)

    def retype(new: Mapping[str, str]) -> Scan:
        return make_json(con, files, form, copies, {**kinds, **new}, plain)
    return Scan(kinds, read, tuple(files), partial(find_json_fault, form=form), con, plain, retype,
                partial(mend_files, copies, files))


def point(key: str) -> str:
    "A key of an object as a pointer of JSON, which may be any text."
    return quote_text("/" + key.replace("~", "~0").replace("/", "~1"))


def see_types(con: Any, files: list[str], form: str, copies: Copies) -> dict[str, str]:
    """The type that each column of some JSON files can be read as, from their first rows.

    Whole numbers and flags stay text, since DuckDB would take 2.5 as 2 and 0.7 as true.
    """
    found: dict[str, set[str]] = {}
    for file in files:
        query = ("SELECT DISTINCT e.key, e.type FROM (FROM read_json_objects("
                 f"{list_paths(copies.find([file]))}, format={quote_text(form)}) LIMIT {FIRST}) o, "
                 "json_each(o.json) e WHERE e.type <> 'NULL'")
        for key, kind in con.execute(query).fetchall(): found.setdefault(key, set()).add(kind)
    return {key: kind for key, kinds in found.items() if (kind := choose_type(kinds))}


def choose_type(kinds: set[str]) -> str | None:
    if kinds == {"VARCHAR"}: return "VARCHAR"
    if kinds == {"BOOLEAN"}: return "JSON FLAG"
    if kinds <= {"UBIGINT", "BIGINT"}: return "JSON WHOLE"
    return "JSON NUMBER" if kinds <= {"UBIGINT", "BIGINT", "DOUBLE"} else None


def refuse_odd_rows(file: str, rows: list[tuple], find_fault: Callable[[str], str]) -> None:
    "Refuse rows that are no objects, or in which a key stands twice."
    if all(kind == "OBJECT" and len(set(keys)) == len(keys) for kind, keys in rows): return
    raise ValueError(find_fault(file) or f"cannot read {file!r}: every row must be an object")


def see_keys(con: Any, file: str, form: str, copies: Copies) -> list[tuple]:
    "The lists of keys of a JSON file; of its first rows and of some others if it is large."
    large = is_remote(file) or unpack_size(file, LARGE + 1) > LARGE
    rows = f"FROM read_json_objects({list_paths(copies.find([file]))}, format={quote_text(form)})"

    def list_keys(rows: str) -> list[tuple]:
        return con.execute("SELECT DISTINCT json_type(json), json_keys(json) "
                           f"FROM ({rows})").fetchall()
    if not large: return list_keys(rows)
    found = list_keys(f"{rows} LIMIT {FIRST}")
    if is_remote(file): return found
    # Rows of another system, further on, may have keys of their own.
    if form == "newline_delimited" and not find_packing(file) and file not in copies:
        return found + see_lines(file)
    return found + list_keys(f"{rows} WHERE hash(json) % {SPARSE} = 0")


def see_lines(file: str) -> list[tuple]:
    "The keys of some lines of a JSON file, at even distances; what is no object is told later."
    step, found = max(1, os.path.getsize(file) // SPARSE), dict[tuple, None]()
    with open(file, "rb") as opened:
        for start in range(step, step * SPARSE, step):
            opened.seek(start)
            opened.readline()
            try: row = json.loads(opened.readline())
            except ValueError: continue
            if isinstance(row, dict): found[tuple(row)] = None
    return [("OBJECT", list(keys)) for keys in found]
