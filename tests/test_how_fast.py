"""The bench of speed: what takes turns, what a multiple is of, that the stored table is whole."""
import csv
import json
import platform

import numpy as np
import pytest

from scripts import load_script, read_example

lab = load_script("bench/how_fast.py")

# Limits are stored by the next `make bench`.
GROUPS = {"limits", "formulas", "machine", "battery", "default score", "compare", "votes", "reading", "scorio",
          "start-up", "long tables", "judged and borrowed", "spend"}


def stored(): return read_example("how_fast.csv")


@pytest.fixture(scope="module")
def bench():
    small = lab.Bench(quick=True, questions=50, samples=8)
    small.turns = 2
    return small


def test_calls_take_turns():
    order, milliseconds = [], {"a": iter([3., 1., 2.]), "b": iter([6., 5., 4.])}
    def timer(name):
        order.append(name)
        return lab.Times(next(milliseconds[name]), 9.)
    timers = {name: lambda name=name: timer(name) for name in "ab"}
    found = lab.take_turns(timers, turns=3, seconds=1)
    assert order == list("ababab")
    assert found == {"a": lab.Times(1., 9.), "b": lab.Times(4., 9.)}


def test_a_slow_call_sits_out():
    count = {"slow": 0, "fast": 0}
    def timer(name, wall):
        count[name] += 1
        return lab.Times(1., wall)
    lab.take_turns({"slow": lambda: timer("slow", 2000.), "fast": lambda: timer("fast", 1.)}, 5, 1)
    assert count == {"slow": 1, "fast": 5}


def test_a_row_is_a_multiple_of_its_unit():
    row = lab.make_row("g", "w", lab.Times(6, 7), "u", lab.Times(2, 3), lab.Aim(50, "ms"))
    assert row == lab.Row("g", "w", "u", 6, 7, 3, 50, "ms")
    assert lab.make_row("g", "w", lab.Times(6, 7), "u", lab.Times(2, 3)).aim is None


def test_rows_are_the_same_as_columns_and_as_dicts():
    columns = lab.draw_columns(3, 4)
    rows = lab.list_rows(columns)
    assert len(rows) == 12 and rows[5]["question"] == 1 and rows[5]["sample"] == 1
    assert [row["correct"] for row in rows] == columns["correct"].tolist()


@pytest.mark.parametrize("measure, group, options", [
    (lab.bench_battery, "battery", {}), (lab.bench_limits, "limits", {}), (lab.bench_formulas, "formulas", {}),
    (lab.bench_partial, "judged and borrowed", {}),
    (lab.bench_default, "default score", dict(questions=9, samples=4)),
    (lab.bench_votes, "votes", dict(questions=5, samples=4)),
    (lab.bench_reading, "reading", dict(sizes=(20,))), (lab.bench_scorio, "scorio", {})])
def test_small_runs(bench, measure, group, options):
    if measure is lab.bench_scorio: pytest.importorskip("scorio")
    if measure is lab.bench_reading: pytest.importorskip("pandas")
    rows = measure(bench, **options)
    assert {row.group for row in rows} == {group}
    assert all(row.milliseconds > 0 and row.multiple > 0 and row.wall > 0 for row in rows)


def test_small_comparison(bench):
    from sampling_eval import Counts
    pair = tuple(Counts(np.full(6, 4), c) for c in ([1, 2, 3, 4, 0, 1], [2, 2, 4, 4, 0, 3]))
    rows = lab.bench_compare(bench, pair)
    assert [row.aim for row in rows] == [50, None, 50, None]
    assert len(lab.read_pair()[0]) == 1060


def test_everything_that_is_printed_is_read():
    from sampling_eval import score
    ends = lab.read_ends(score([[1, 0, 1], [0, 0, 1]], "pass@k"))
    assert len(ends) == 3 and all(len(row) == len(lab.PRINTED) for row in ends)


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_long_tables_are_shuffled_and_whole(tmp_path, form):
    duckdb = pytest.importorskip("duckdb")
    from sampling_eval import score
    path = next(o for o in lab.write_tables(tmp_path, 1000, draws=10) if o.endswith(form))
    samples = [row[0] for row in duckdb.sql(f"SELECT sample FROM '{path}'").fetchall()]
    assert len(samples) == 1000 and samples[:50] != [i % 10 for i in range(50)]
    found = duckdb.sql(lab.QUERY.format(path)).fetchnumpy()
    assert score(path, "avg@n").rows[0].estimate == pytest.approx(found["c"].sum() / 1000)
    assert lab.time_group_by(path)["peak"] > 10
    checked = duckdb.sql(lab.CHECKED.format(path)).fetchnumpy()
    right, wrong = checked["may_be1"].tolist(), checked["may_be0"].tolist()
    assert sum(bits.bit_count() for bits in right) == found["c"].sum()
    assert {a ^ b for a, b in zip(right, wrong)} == {2**10 - 1}
    assert lab.time_checked(path)["call"].cpu > 0


def test_a_process_is_timed_and_its_failure_told():
    assert lab.time_process("-c", "").cpu > 0
    with pytest.raises(RuntimeError, match="gave exit code 3"): lab.time_process("-c", "exit(3)")


def test_the_table_survives_a_file(tmp_path):
    rows = [lab.Row("machine", "cores", "2"), lab.Row("g", "w", "u", 1.23456, 2., 3., 50, "ms")]
    lab.write_rows(tmp_path / "t.csv", rows)
    with (tmp_path / "t.csv").open() as file: first, second = csv.DictReader(file)
    assert list(first) == list(lab.Row._fields) and first["unit"] == "2" and first["aim"] == ""
    assert second["milliseconds"] == "1.235" and second["aim"] == "50"


def test_lines_say_the_aim():
    row = lab.Row("g", "w", "u", 1., 2., 3., 50, "ms")
    assert lab.show_row(row).split() == "w 1.00 ms 2.00 wall 3.000 x u aim 50 ms".split()
    memory = lab.Row("g", "w", aim=500, aim_of="MB", megabytes=170.)
    assert lab.show_row(memory).split() == "w 170 MB aim 500 MB".split()


def test_the_machine_has_no_name():
    told = lab.name_machine()
    assert platform.node() not in json.dumps(told)
    assert {"processor", "cores", "Python", "numpy", "scipy"} <= {row.what for row in told}


def test_the_stored_table_is_whole():
    rows = stored()
    assert {row["group"] for row in rows} == GROUPS
    measured = [row for row in rows if row["group"] != "machine"]
    assert all(float(row["multiple"] or row["megabytes"]) > 0 for row in measured)
    assert {row["aim_of"] for row in measured} == {"", "x", "ms", "MB", "x at least"}
    assert len({(row["group"], row["what"]) for row in rows}) == len(rows)


@pytest.mark.parametrize("group, aims", [
    ("battery", {"0.2 x", "2.5 x", "3 x"}), ("default score", {"3 ms", "40 ms"}),
    ("compare", {"50 ms"}), ("formulas", {"3 x", "4 x"}), ("votes", {"100 ms"}), ("scorio", {"1000 x at least"}),
    ("long tables", {"1.3 x", "500 MB"}), ("start-up", {"0.25 x", "1.5 x", "2 x"})])
def test_every_aim_is_in_the_stored_table(group, aims):
    rows = [row for row in stored() if row["group"] == group and row["aim"]]
    assert {f"{row['aim']} {row['aim_of']}" for row in rows} == aims
