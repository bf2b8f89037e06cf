"Every verb gives the numbers, names, verdicts and exit codes that are stored."

import json
from pathlib import Path

import pytest

from frozen_cases import CASES, KEPT
from frozen_record import (
    SCHEMA,
    Difference,
    find_differences,
    list_schema,
    match_path,
    read_records,
    round_numbers,
)
from frozen_run import make_place, run_case
from frozen_said import find_unsaid, read_said
from frozen_tables import ORIGINS, TABLES, draw_rows

ROOT = Path(__file__).resolve().parents[1]
RECORDS, SAID = read_records(), read_said()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return make_place(tmp_path_factory.mktemp("frozen") / "place")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case, place):
    for name in case.needs:
        pytest.importorskip(name)
    told = run_case(case, place)
    fields = round_numbers(told.fields)
    found = list(map(str, find_differences(case.name, RECORDS[case.name], fields)))
    meant = f"if that is meant, run python tools/freeze.py --write {case.name!r}"
    assert not found, "\n".join([f"{len(found)} fields differ; {meant}", *found[:12]])
    unsaid = find_unsaid(SAID[case.name], told.said)
    assert not unsaid, "\n".join([f"a line is not said any more; {meant}", *unsaid])


# What is frozen.


def test_results_have_the_fields_that_are_stored():
    "A new field: store a case that is about it by tools/freeze.py --write; the others stay."
    assert json.loads(SCHEMA.read_text("utf-8")) == list_schema()


def test_every_case_is_recorded_once():
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) and set(names) == set(RECORDS) == set(SAID)


def test_the_tables_cover_what_they_should():
    assert len(TABLES) == 30 and {t.origin for t in TABLES} == set(ORIGINS)
    for name in "ragged missing answers clusters groups text flags".split():
        assert {getattr(t, name) for t in TABLES} == {True, False}
    refused = [
        name
        for name, told in RECORDS.items()
        if name.startswith("refusals") and "options" in told and told.get("exit", 2) == 2
    ]
    assert len(refused) >= 300


def count_again(table):
    "Samples, right ones and missing ones by model and question, from the rows themselves."
    found = {}
    for row in draw_rows(table):
        outcome = row["correct"] if table.outcomes else row["score"]
        name = row.get("model", ""), row["question"]
        n, c, lost = found.get(name, (0, 0, 0))
        found[name] = n + 1, c + (outcome == 1), lost + (outcome is None)
    return found


@pytest.mark.parametrize("name", KEPT)
def test_counts_files_of_the_first_version_open_with_equal_counts(name):
    from sampling_eval import score

    graded = name == "graded"
    path = ROOT / "tests" / "frozen" / "counts" / f"{name}.parquet"
    rows = score(str(path), "soft@n" if graded else "avg@n", missing="wrong").questions.rows()
    found = {(o["model"], o["question"]): (o["n"], o.get("c"), o["missing"]) for o in rows}
    want = count_again(KEPT[name])
    assert found == {key: (n, None if graded else c, lost) for key, (n, c, lost) in want.items()}


# How differences are found.

FIRST, SECOND = {"low": 0.25, "estimate": 0.5}, {"low": 0.3, "estimate": 0.75}
TOLD = {"rows": {"[pass@1]": FIRST, "[pass@2]": SECOND}, "how": "Intervals: t.", "exit": 0}


def tell_rows(**rows):
    return TOLD | {"rows": {f"[{name}]": row for name, row in rows.items()}}


def tell_first(**fields):
    return tell_rows(**{"pass@1": FIRST | fields, "pass@2": SECOND})


@pytest.mark.parametrize(
    "after, paths",
    [
        (TOLD, []),
        (tell_first(low=0.25 + 1e-13), []),
        (tell_first(low=0.2501), ["rows[pass@1].low"]),
        (tell_first(low=None), ["rows[pass@1].low"]),
        (tell_first(high=1.0), []),
        (TOLD | {"exit": False}, ["exit"]),
        (TOLD | {"how": "Intervals: T."}, ["how"]),
        (tell_rows(**{"pass@2": SECOND}), ["rows[pass@1]"]),
        (tell_rows(**{"pass@2": SECOND, "pass@1": FIRST}), ["rows.order"]),
        (TOLD | {"model_x": 1}, ["model_x"]),
    ],
)
def test_differences_are_found_by_field(after, paths):
    assert [o.path for o in find_differences("a case", TOLD, after)] == paths


@pytest.mark.parametrize(
    "error, field, after, paths",
    [
        (0.005, "questions", 751, []),
        (0.005, "questions", 800, ["questions[6]"]),
        (0, "questions", 751, ["questions[6]"]),
        (0.005, "low", 751, ["low[6]"]),
        (None, "questions", 751, ["questions[6]"]),
    ],
)
def test_what_is_simulated_agrees_within_its_error(error, field, after, paths):
    def tell_plan(number):
        return {"wanted": 0.9, "enough": None, "error": error, field: {"[6]": number}}

    assert [o.path for o in find_differences("a case", tell_plan(758), tell_plan(after))] == paths


@pytest.mark.parametrize(
    "pattern, path, fits",
    [
        ("rows[*].low", "rows[m0 / pass@8].low", True),
        ("low", "rows[a].low", True),
        ("rows[*].low", "score.rows[g-pass@4_0.5].low", True),
        ("low", "rows[a].band_low", False),
        ("rows[*].{low,high}", "rows[a].high", True),
        ("rows[*].band*", "rows[a].band_low", True),
        ("curve.**", "curve.low[3]", True),
        ("rows[*]", "rows[a].low", False),
        ("exits[1]", "exits[0]", False),
        ("how", "show", False),
    ],
)
def test_patterns(pattern, path, fits):
    assert match_path(pattern, path) is fits


LOW = Difference("tables 01 score", "rows[a].low", 0.2, 0.25)


def test_a_difference_is_told_with_both_values():
    assert str(LOW) == "tables 01 score: rows[a].low\n  - 0.2\n  + 0.25"
    long = "One sentence that stays. " * 6
    told = str(Difference("a case", "how", long + "Intervals: t.", long + "Intervals: z."))
    assert told == "a case: how\n  -Intervals: t.\n  +Intervals: z."
