"""The bench of speed: what takes turns, what a multiple is of, that the stored table is whole."""

import csv
import json
import platform
import re
import subprocess
import sys

import numpy as np
import pytest

from scripts import load_script, read_example, ROOT

lab = load_script("bench/how_fast.py")

GROUPS = {
    "limits",
    "reference",
    "formulas",
    "machine",
    "battery",
    "default score",
    "compare",
    "votes",
    "reading",
    "scorio",
    "start-up",
    "long tables",
    "judged and borrowed",
    "spend",
}


def stored():
    return read_example("how_fast.csv")


@pytest.fixture(scope="module")
def bench():
    small = lab.Bench(quick=True, questions=50, samples=8)
    small.turns = 2
    return small


def test_calls_take_turns():
    order, milliseconds = [], {"a": iter([3.0, 1.0, 2.0]), "b": iter([6.0, 5.0, 4.0])}

    def timer(name):
        order.append(name)
        return lab.Times(next(milliseconds[name]), 9.0)

    timers = {name: lambda name=name: timer(name) for name in "ab"}
    found = lab.take_turns(timers, turns=3, seconds=1)
    assert order == list("ababab")
    assert found == {"a": lab.Times(1.0, 9.0), "b": lab.Times(4.0, 9.0)}


def test_a_slow_call_sits_out():
    count = {"slow": 0, "fast": 0}

    def timer(name, wall):
        count[name] += 1
        return lab.Times(1.0, wall)

    lab.take_turns(
        {"slow": lambda: timer("slow", 2000.0), "fast": lambda: timer("fast", 1.0)}, 5, 1
    )
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


@pytest.mark.parametrize(
    "measure, group, options",
    [
        (lab.bench_battery, "battery", {}),
        (lab.bench_limits, "limits", {}),
        (lab.bench_reference, "reference", {}),
        (lab.bench_formulas, "formulas", {}),
        (lab.bench_partial, "judged and borrowed", {}),
        (lab.bench_default, "default score", dict(questions=9, samples=4)),
        (lab.bench_votes, "votes", dict(questions=5, samples=4)),
        (lab.bench_reading, "reading", dict(sizes=(20,))),
        (lab.bench_scorio, "scorio", {}),
    ],
)
def test_small_runs(bench, measure, group, options):
    if measure is lab.bench_scorio:
        pytest.importorskip("scorio")
    if measure is lab.bench_reading:
        pytest.importorskip("pandas")
    rows = measure(bench, **options)
    assert {row.group for row in rows} == {group}
    assert all(row.milliseconds > 0 and row.multiple > 0 and row.wall > 0 for row in rows)


def test_small_comparison(bench):
    from sampling_eval import Counts

    pair = tuple(Counts(np.full(6, 4), c) for c in ([1, 2, 3, 4, 0, 1], [2, 2, 4, 4, 0, 3]))
    rows = lab.bench_compare(bench, pair)
    assert [row.aim for row in rows] == [700, 150, None]
    assert len(lab.read_pair()[0]) == 1060


def test_what_a_person_reads_is_timed_when_it_is_printed():
    rows = [
        row for row in stored() if row["group"] in ("battery", "default score", "compare", "votes")
    ]
    assert all(row["what"].endswith("printed") or row["what"] == "counting pass" for row in rows)


def test_only_named_rows_are_measured():
    few = lab.Bench(quick=True, questions=9, samples=8, named=[("battery", "all budgets, printed")])
    few.turns = 1
    assert [row.what for row in lab.bench_battery(few)] == ["all budgets, printed"]
    assert lab.bench_default(few, 5, 4) == []
    few.named = [("start-up", "python")]
    assert [(row.group, row.what) for row in lab.bench_start(few)] == [("start-up", "python")]


# The check of what is published.


def test_every_quick_row_is_one_of_its_bench(bench):
    named = {
        (row.group, row.what)
        for group in {group for group, _ in [*lab.REFERENCES, *lab.QUICK]} - {"compare", "start-up"}
        for row in lab.BENCH_OF[group](bench)
    }
    named |= {("compare", what) for what in ("printed", "by t, printed")}
    named |= {("start-up", what) for what in ("sampling-eval --help", "sampling-eval score FILE")}
    assert named >= {*lab.REFERENCES, *lab.QUICK}
    assert {one for row in lab.QUICK.values() for one in row} == {*lab.REFERENCES}


BATTERY = "battery", "all budgets, printed"
COUNTING = "limits", "outcomes counted"
START = "start-up", "sampling-eval --help"


@pytest.mark.parametrize(
    "row, now, loop, packed, off",
    [
        (BATTERY, 1.0, 1.0, 1.0, False),
        (BATTERY, 2.4, 1.0, 1.0, False),
        (BATTERY, 2.6, 1.0, 1.0, True),
        (BATTERY, 0.41, 1.0, 1.0, False),
        (BATTERY, 0.39, 1.0, 1.0, True),
        # Plain Python takes twice as long beside the pass, or half as long.
        (BATTERY, 4.9, 2.0, 1.0, False),
        (BATTERY, 5.1, 2.0, 1.0, True),
        (BATTERY, 0.39, 2.0, 1.0, True),
        (BATTERY, 0.21, 0.5, 1.0, False),
        (BATTERY, 0.19, 0.5, 1.0, True),
        (BATTERY, 2.6, 0.5, 1.0, True),
        (BATTERY, 10.0, 2.0, 1.0, True),
        # Memory is another thing than either.
        (BATTERY, 2.6, 1.0, 4.0, True),
        (COUNTING, 4.0, 1.0, 4.0, False),
        (COUNTING, 10.1, 1.0, 4.0, True),
        (COUNTING, 1.5, 1.0, 4.0, True),
        (COUNTING, 2.6, 4.0, 1.0, True),
        # Processes are held against a process.
        (START, 2.4, 4.0, 4.0, False),
        (START, 2.6, 4.0, 4.0, True),
    ],
)
def test_a_multiple_is_off_either_way(row, now, loop, packed, off):
    stored = {lab.COUNTED: 1.0, lab.LOOP: 3.0, lab.PACKED: 0.1, row: 10.0}
    fresh = {lab.COUNTED: 1.0, lab.LOOP: 3 * loop, lab.PACKED: 0.1 * packed, row: 10 * now}
    assert lab.find_off(stored, fresh) == [row] * off


def test_the_loop_counts_its_odd_steps():
    assert lab.run_loop(7) == 3


@pytest.mark.parametrize(
    "turns, code", [([1.0], 0), ([3.0, 1.0], 0), ([3.0, 3.0], 1), ([0.3, 0.3], 1)]
)
def test_what_is_off_is_measured_again_and_then_told(turns, code, monkeypatch, capsys):
    asked = []

    def measure(named):
        asked.append(list(named))
        return {row: 5 * (turns[len(asked) - 1] if row == BATTERY else 1.0) for row in named}

    every = [*lab.REFERENCES, *lab.QUICK]
    monkeypatch.setattr(lab, "measure_named", measure)
    assert lab.check({row: 5.0 for row in every}) == code
    assert asked == [every, [*lab.REFERENCES, BATTERY]][: len(turns)]
    said = capsys.readouterr().out
    assert said.count("off by more than 2.5 times") == code == said.count("make bench")
    assert said.count("stored ") == len(every)


def test_a_table_without_a_quick_row_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(
        lab, "measure_named", lambda named: pytest.fail("nothing to hold a run against")
    )
    assert lab.check({}) == 1
    assert "has no battery: counting pass (14 of 14 are absent)" in capsys.readouterr().out


@pytest.mark.parametrize("words", [("--only", "start"), ("--quick",)])
def test_a_table_is_of_one_whole_run(words):
    command = [sys.executable, "bench/how_fast.py", "--out", "x.csv", *words]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 2 and "one whole run" in told.stderr


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
    with pytest.raises(RuntimeError, match="gave exit code 3"):
        lab.time_process("-c", "exit(3)")


def test_the_table_survives_a_file(tmp_path):
    rows = [lab.Row("machine", "cores", "2"), lab.Row("g", "w", "u", 1.23456, 2.0, 3.0, 50, "ms")]
    lab.write_rows(tmp_path / "t.csv", rows)
    with (tmp_path / "t.csv").open() as file:
        first, second = csv.DictReader(file)
    assert list(first) == list(lab.Row._fields) and first["unit"] == "2" and first["aim"] == ""
    assert second["milliseconds"] == "1.235" and second["aim"] == "50"


def test_lines_say_the_aim():
    row = lab.Row("g", "w", "u", 1.0, 2.0, 3.0, 50, "ms")
    assert lab.show_row(row).split() == "w 1.00 ms 2.00 wall 3.000 x u aim 50 ms".split()
    memory = lab.Row("g", "w", aim=500, aim_of="MB", megabytes=170.0)
    assert lab.show_row(memory).split() == "w 170 MB aim 500 MB".split()


def test_the_machine_has_no_name():
    told = lab.name_machine()
    assert platform.node() not in json.dumps(told)
    assert {"processor", "cores", "Python", "numpy", "scipy"} <= {row.what for row in told}
    facts = {row.what: row.unit for row in told}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", facts["date"])
    assert re.fullmatch(r"([0-9a-f]{8})?( and changes)?", facts["commit"])


def test_the_stored_table_is_whole():
    rows = stored()
    assert {row["group"] for row in rows} == GROUPS
    measured = [row for row in rows if row["group"] != "machine"]
    assert all(float(row["multiple"] or row["megabytes"]) > 0 for row in measured)
    assert {row["aim_of"] for row in measured} == {"", "x", "ms", "MB"}
    made = {row["what"]: row["unit"] for row in rows if row["group"] == "machine"}
    assert made["date"] and made["commit"] and "changes" not in made["commit"]
    assert len({(row["group"], row["what"]) for row in rows}) == len(rows)


@pytest.mark.parametrize(
    "group, aims",
    [
        ("battery", {"14 x", "18 x", "40 x"}),
        ("default score", {"30 ms"}),
        ("compare", {"150 ms", "700 ms"}),
        ("formulas", {"3 x", "4 x"}),
        ("spend", {"3 x"}),
        ("votes", set()),
        ("scorio", set()),
        ("long tables", {"1.3 x", "500 MB"}),
        ("start-up", {"0.25 x", "1.5 x", "2.6 x"}),
    ],
)
def test_every_aim_is_in_the_stored_table(group, aims):
    rows = [row for row in stored() if row["group"] == group and row["aim"]]
    assert {f"{row['aim']} {row['aim_of']}" for row in rows} == aims
