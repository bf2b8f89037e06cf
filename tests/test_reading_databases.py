"Tables of SQLite and DuckDB files."
import sqlite3

import duckdb
import pytest

from sampling_eval.io.files import (ask_sqlite, choose_table, find_base, is_database, is_sqlite,
                                    is_table, list_lines, list_tables, split_table,
                                    tell_unreadable, write_bytes)


def write_sqlite(path, *names):
    with sqlite3.connect(path) as con:
        for name in names:
            quoted = name.replace('"', '""')
            con.execute(f'CREATE TABLE "{quoted}" (id, x)')
            con.execute(f'INSERT INTO "{quoted}" VALUES (1, ?), (2, NULL)', ["\u00e9"])
        if "view" not in names and names: con.execute("CREATE VIEW view AS SELECT 1 AS one")
        con.execute("CREATE TABLE IF NOT EXISTS auto (id INTEGER PRIMARY KEY AUTOINCREMENT)")
    con.close()
    return str(path)


def test_paths_of_tables(tmp_path):
    file = write_sqlite(tmp_path / "a.db", "runs")
    (other := tmp_path / "a.csv").write_text("x")
    assert split_table("a::b::c") == ("a", "b::c") and split_table("a") == ("a", "")
    assert is_table(f"{file}::runs") and not is_table(file) and not is_table(f"{tmp_path}/none.db::runs")
    assert find_base(f"{file}::runs") == find_base(file) == file and find_base("x::y") == "x::y"
    assert is_database(f"{file}::runs") and is_database(file) and not is_database(str(other))
    assert not is_database(str(tmp_path / "none.db")) and is_database(f"{other}::x")
    for name in "b.SQLITE", "b.sqlite3", "b.duckdb", "b.ddb":
        (tmp_path / name).touch()
        assert is_database(str(tmp_path / name))
    assert is_sqlite(file) and is_sqlite(f"{file}::runs") and not is_sqlite(str(other))


def test_tables_and_views(tmp_path):
    file = write_sqlite(tmp_path / "a.db", "runs", "Base")
    assert list_tables(file) == ["Base", "auto", "runs", "view"]  # sqlite_sequence is its own
    path = str(tmp_path / "b.duckdb")
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE runs (x INT); CREATE VIEW v AS SELECT 1 AS one; CREATE SCHEMA week; "
                    'CREATE TABLE week.runs (x INT); CREATE TABLE "a.b" (x INT)')
    with duckdb.connect(path, read_only=True):  # Another one may only read
        assert list_tables(path) == ["main.a.b", "runs", "v", "week.runs"]
    (tmp_path / "c.db").write_text("text")
    with pytest.raises(ValueError,
        match="c.db' is neither a SQLite nor a DuckDB file"): list_tables(str(tmp_path / "c.db"))
    (tmp_path / "d.db").write_bytes(bytes(8) + b"DUCK" + bytes(99))
    with pytest.raises(ValueError, match="^cannot read '.*d.db': [^\n]+$"): list_tables(str(tmp_path / "d.db"))


def test_the_table_that_is_meant(tmp_path):
    one, none = tmp_path / "one.db", tmp_path / "none.db"
    for path, query in (one, "CREATE TABLE runs (x)"), (none, "PRAGMA user_version = 1"):
        con = sqlite3.connect(path)
        con.execute(query)
        con.close()
    assert choose_table(str(one)) == choose_table(f"{one}::runs") == f"{one}::runs"
    def fail(path):
        with pytest.raises(ValueError) as error: choose_table(str(path))
        return str(error.value)
    assert fail(none) == f"'{none}' holds no table"
    assert fail(f"{one}::run") == f"'{one}' has no table 'run', got 'runs'"
    many = write_sqlite(tmp_path / "many.db", *(f"t{i:02}" for i in range(11)))
    listed = ", ".join(["'auto'", *(f"'t{i:02}'" for i in range(11))])
    assert fail(many) == f"'{many}' holds 13 tables, {listed}, ...; pass one, such as '{many}::auto'"
    few = write_sqlite(tmp_path / "few.db", *(f"t{i:02}" for i in range(9)), "view")
    assert fail(f"{few}::x").endswith("'t08', 'view'") and choose_table(f"{few}::view") == f"{few}::view"
    twelve = write_sqlite(tmp_path / "twelve.db", *(f"t{i:02}" for i in range(10)), "view")
    assert fail(f"{twelve}::x").endswith("'t09', 'view'")


def test_rows_as_lines(tmp_path):
    odd = 'my "runs"'
    file = write_sqlite(tmp_path / "a b?.db", odd)
    assert list(list_lines(f"{file}::{odd}")) == ['{"id": 1, "x": "\u00e9"}\n'.encode(), b'{"id": 2, "x": null}\n']
    assert list(ask_sqlite(file, "SELECT x'00ff' AS b, 1.5 AS f")) == [dict(b=b"\0\xff", f=1.5)]
    assert write_bytes(b"\0\xff") == dict(bytes="00ff")
    with sqlite3.connect(tmp_path / "b.db") as con: con.execute("CREATE TABLE t AS SELECT x'0a' AS x")
    con.close()
    assert list(list_lines(f"{tmp_path}/b.db::t")) == [b'{"x": {"bytes": "0a"}}\n']
    with pytest.raises(ValueError, match="cannot read '.*a b.*db': no such table"): list(list_lines(f"{file}::x"))
    with pytest.raises(ValueError, match="readonly database"): list(ask_sqlite(file, "DROP TABLE auto"))
    assert tell_unreadable("f", ValueError("first\nsecond")) == "cannot read 'f': first"
