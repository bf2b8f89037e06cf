"Tables of SQLite and DuckDB files."
import sqlite3

import pytest

from sampling_eval.io.files import choose_table


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
