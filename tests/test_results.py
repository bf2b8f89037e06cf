"""Results as data and files: plain values and back, rows, columns, forms that agree, nothing
executed, hidden or misread."""

import csv
import json
import os
import pickle
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import numpy as np
import pytest

from conftest import command
from printed import check_text
from test_renderers import HOSTILE, Tags
import sampling_eval
from sampling_eval import (
    audit,
    compare,
    Counts,
    describe,
    explain,
    extrapolate,
    Forecast,
    gate,
    load_result,
    plan,
    Report,
    score,
    table,
)
from sampling_eval.render.output import check_ending
from sampling_eval.results.base import Data, decode, encode, live, Result
from sampling_eval.results.columns import Absent, Columns
from sampling_eval.results.registry import addons_of
from sampling_eval.results.rows import Row, Weighted
from sampling_eval.analyses.score.result import name_block
from sampling_eval.analyses.engine.questions_file import (
    plain_column,
    write_csv,
    write_json,
    write_questions,
)

PILOT = Counts([4] * 8, [0, 1, 2, 4, 4, 3, 1, 4])
PAIR = Counts([4] * 24, [0, 1, 2, 4, 1, 3] * 4), Counts([4] * 24, [1, 1, 3, 4, 2, 3, 0, 2] * 3)
FORECASTS = {
    "beyond": lambda: extrapolate(PILOT, k=[1, 4, 8, 100]),
    "never solved": lambda: extrapolate(
        Counts([4] * 6, [0, 0, 1, 2, 4, 4]), k=[2, 16], confidence_level=0.9
    ),
    "pass^k": lambda: extrapolate(Counts([4] * 6, [4, 0, 1, 2, 4, 4]), k=[2, 16], metrics="pass^k"),
    "nothing beyond": lambda: extrapolate(PILOT, k=[1, 2]),
    "all right": lambda: extrapolate(Counts([4] * 6, [4] * 6), k=[4, 8]),
}


@dataclass(frozen=True, eq=False)
class Part(Data):
    name: str
    share: float | None
    verdict: Literal["pass", "fail"] = "pass"


@dataclass(frozen=True, eq=False)
class Whole(Data):
    parts: tuple[Part, ...]
    ends: tuple[float, float]
    curve: np.ndarray
    by_name: dict[str, int]
    first: Part | None = None
    kept: list | None = live()


WHOLE = Whole(
    (Part("a", 0.5), Part("b", None, "fail")),
    (0.0, 1.0),
    np.array([0.25, np.nan]),
    {"q": 3},
    kept=[1],
)


def test_plain_values_and_back():
    told = json.loads(json.dumps(WHOLE.to_dict()))
    assert told["parts"][1] == dict(name="b", share=None, verdict="fail") and told["curve"] == [
        0.25,
        None,
    ]
    assert "kept" not in told
    again = Whole.from_dict(told)
    assert (
        again == WHOLE
        and again.kept is None
        and np.isnan(again.curve[1])
        and again.parts[0].verdict == "pass"
    )
    assert pickle.loads(pickle.dumps(WHOLE)) == WHOLE and replace(WHOLE, by_name={}) != WHOLE


@pytest.mark.parametrize(
    "change, said",
    [
        (dict(parts=[dict(name="a")]), "need the fields of a Part, got none called 'share'"),
        (dict(parts=3), "Whole.parts must be a list, got 3"),
        (dict(ends=[1]), "Whole.ends must be a list of 2, got"),
        (dict(by_name={"q": "x"}), "Whole.by_name['q'] must be of kind int, got 'x'"),
        (dict(parts=[dict(name="a", share="x")]), "Part.share must be a number, got 'x'"),
        (dict(parts=[dict(name="a", share=1, verdict="weak")]), "Part.verdict must be one of"),
    ],
)
def test_what_is_no_such_value_is_refused(change, said):
    with pytest.raises(ValueError) as found:
        Whole.from_dict(WHOLE.to_dict() | change)
    assert said in str(found.value)


def test_a_field_that_is_absent_is_named():
    with pytest.raises(ValueError, match="got none called 'ends'"):
        Whole.from_dict({name: o for name, o in WHOLE.to_dict().items() if name != "ends"})


def test_numbers_and_flags_are_told_apart():
    with pytest.raises(ValueError, match="must be a number, got True"):
        decode(float, True, "x")
    assert decode(float, 1, "x") == 1.0 and decode(int | None, None, "x") is None


class Odd:
    def __str__(self):
        return "odd"


@pytest.mark.parametrize(
    "value, told",
    [
        (np.arange(2), [0, 1]),
        (np.float64(0.5), 0.5),
        ((1, (2, None)), [1, [2, None]]),
        ({1: True, "a": Odd()}, {"1": True, "a": "odd"}),
        (float("nan"), None),
        (Part("x", 0.5), dict(name="x", share=0.5, verdict="pass")),
        ("text", "text"),
        (None, None),
        (np.array([[1.5, np.inf]]), [[1.5, np.inf]]),
        (np.bool_(True), True),
    ],
)
def test_plain_values(value, told):
    found = encode(value)
    assert found == told and type(found) is type(told)


def test_data_are_frozen_and_equal_to_data_only():
    part = Part("a", 0.5)
    assert part == Part("a", 0.5) != Part("a", 0.25) and part != part.to_dict()
    with pytest.raises(AttributeError, match="cannot assign"):
        part.name = "b"


@dataclass(frozen=True, eq=False, repr=False)
class Lines(Result):
    kind = "describe"
    rows: tuple[Part, ...] = (Part("a", 0.5), Part("b", None))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(backend):
    library = pytest.importorskip(backend)
    found = Lines().to_frame(backend)
    assert type(found).__module__.split(".")[0] == library.__name__
    columns = {
        "pandas": lambda: found.to_dict("list"),
        "pyarrow": lambda: found.to_pydict(),
        "polars": lambda: found.to_dict(as_series=False),
    }[backend]()
    assert columns["name"] == ["a", "b"] and columns["share"][0] == 0.5
    assert columns["share"][1] is None or np.isnan(columns["share"][1])


def test_a_result_without_a_figure_says_so():
    with pytest.raises(
        ValueError, match="a result of describe has no figure; write it as .json, .csv, .md"
    ):
        Lines().plot()


def test_columns_that_json_does_not_hold_say_so():
    columns = Absent()
    assert not len(columns) and list(columns) == [] and "c" not in columns and columns == Absent()
    assert "JSON does not hold the columns of the questions" in repr(columns)
    with pytest.raises(KeyError, match="compute the result again"):
        columns["c"]
    for ask in columns.rows, columns.to_frame, lambda: columns.where(np.array([True])):
        with pytest.raises(ValueError, match="JSON does not hold"):
            ask()


# Forecasts.


@pytest.mark.parametrize("name", FORECASTS)
def test_a_forecast_in_every_form(name):
    result = FORECASTS[name]()
    check_text(
        f"extrapolate {name}", result.to_text(how=True), result.to_markdown(), result.to_latex()
    )
    assert type(result).from_json(result.to_json()) == result
    assert pickle.loads(pickle.dumps(result)) == result
    assert max(map(len, result.to_text(how=True).splitlines())) <= 80


def test_a_forecast_read_back_draws_and_prints_the_same(tmp_path):
    result = FORECASTS["beyond"]()
    (tmp_path / "a.json").write_text(result.to_json())
    again = load_result(tmp_path / "a.json")
    assert repr(again) == repr(result) and again.to_html() == result.to_html()
    lines = [ax.lines[0].get_ydata().tolist() for ax in (again.plot(), result.plot())]
    assert lines[0] == lines[1]


def test_without_bounds():
    result = replace(FORECASTS["never solved"](), low=None, high=None)
    assert "no distribution of difficulty fits the counts" in " ".join(repr(result).split())
    assert result.rows[0]["low"] is None and type(result).from_json(result.to_json()) == result
    assert result.to_html().count("<svg") == 1


def test_what_is_no_result_is_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"rows": []}')
    with pytest.raises(ValueError, match="need the JSON of a result, of .*extrapolate"):
        load_result(path)
    with pytest.raises(
        ValueError, match="need the JSON text of a result of extrapolate, got something else"
    ):
        Forecast.from_json("[]")
    with pytest.raises(
        ValueError, match="need the JSON text of a result of extrapolate, got one of score"
    ):
        Forecast.from_json('{"kind": "score"}')
    with pytest.raises(ValueError, match="Expecting value"):
        Forecast.from_json("no json")


# One row per model and question, as a file.

ROWS = [
    dict(model=m, question=q, correct=int(c))
    for m, runs in dict(a=("1101", "0000"), b=("1111", "0100")).items()
    for q, outcomes in zip(("x/1", "=cmd()"), runs)
    for c in outcomes
]


@pytest.fixture
def files(tmp_path):
    "A file of each of two models, and one of both."
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(json.dumps([o for o in ROWS if o["model"] == name]))
    (tmp_path / "both.json").write_text(json.dumps(ROWS))
    return tmp_path


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_score_has_a_row_per_model_and_question(files):
    told = command(
        "score",
        files / "both.json",
        "-k",
        "1,4",
        "-m",
        "pass@k",
        "--per-question",
        files / "out.csv",
    )
    assert told.returncode == 0 and f"Wrote {files / 'out.csv'}" in told.stderr
    rows = read_csv(files / "out.csv")
    assert [(o["model"], o["question"], o["n"], o["c"], o["missing"]) for o in rows] == [
        ("a", "x/1", "4", "3", "0"),
        ("a", "'=cmd()", "4", "0", "0"),
        ("b", "x/1", "4", "4", "0"),
        ("b", "'=cmd()", "4", "1", "0"),
    ]
    assert [(float(o["pass@1"]), float(o["pass@4"])) for o in rows] == [
        (0.75, 1),
        (0, 0),
        (1, 1),
        (0.25, 1),
    ]


def test_compare_has_both_sides_and_the_difference(files):
    told = command(
        "compare",
        files / "a.json",
        files / "b.json",
        "--per-question",
        files / "out.json",
        "-m",
        "pass@1",
    )
    assert told.returncode == 0
    rows = json.loads((files / "out.json").read_text())
    assert rows[1] == {
        "question": "=cmd()",
        "n A": 4,
        "c A": 0,
        "missing A": 0,
        "n B": 4,
        "c B": 1,
        "missing B": 0,
        "pass@1 A": 0,
        "pass@1 B": 0.25,
        "pass@1 B - A": 0.25,
    }


def test_several_systems_stand_side_by_side():
    found = compare([[1, 0]], [[1, 1]], others=[[[0, 0]]], metrics="pass@1")
    assert found.questions.rows() == [
        {
            "question": 0,
            **{
                f"{what} {side}": value
                for side, c in zip("ABC", (1, 2, 0))
                for what, value in dict(n=2, c=c, missing=0).items()
            },
            "pass@1 A": 0.5,
            "pass@1 B": 1,
            "pass@1 C": 0,
        }
    ]


def test_parquet(files):
    duckdb = pytest.importorskip("duckdb")
    report = score(ROWS, "pass@1")
    write_questions(files / "out.parquet", report.questions)
    rows = duckdb.sql(f"FROM '{files / 'out.parquet'}'").fetchall()
    assert rows == [tuple(row.values()) for row in report.questions.rows()] and len(rows) == 4
    with pytest.raises(OSError, match="there is no such folder"):
        write_questions(files / "no" / "out.parquet", report.questions)


def test_refusals(files):
    told = command("score", files / "a.json", "--per-question", files / "out.xls")
    assert (
        told.returncode == 2
        and "--per-question must end in .csv, .json or .parquet, got 'out.xls'" in told.stderr
    )
    told = command("score", files / "a.json", "--per-question", files / "a.json")
    assert told.returncode == 2 and "holds the data that were read" in told.stderr
    again = Report.from_json(score(ROWS).to_json())
    with pytest.raises(ValueError, match="JSON does not hold the columns"):
        write_questions(Path("out.csv"), again.questions)


# Files of a given table.

TABLE = Columns(
    dict(question=np.array(["=a", "b\x7f"]), n=np.array([4, 2]), share=np.array([0.5, 1.0]))
)


def test_texts_of_questions():
    assert write_csv(TABLE) == "question,n,share\r\n'=a,4,0.5\r\nb\ufffd,2,1.0\r\n"
    assert json.loads(write_json(TABLE)) == TABLE.rows() and '\n  "n": 4,' in write_json(TABLE)
    assert "\\u007f" in write_json(TABLE)
    odd = Columns(dict(question=np.array([(1, 2), SimpleNamespace()], object)))
    assert json.loads(write_json(odd)) == [dict(question=[1, 2]), dict(question="namespace()")]
    assert "\u00e9" in write_json(Columns(dict(question=["\u00e9"])))


@pytest.mark.parametrize("name", ["a.xls", "a", "csv"])
def test_other_endings_are_refused(name, tmp_path):
    with pytest.raises(
        ValueError, match=f"^per_question must end in .csv, .json or .parquet, got '{name}'$"
    ):
        check_ending(tmp_path / name)
    with pytest.raises(ValueError, match="^per_question must end in"):
        write_questions(tmp_path / name, TABLE)
    assert not list(tmp_path.iterdir())


def test_endings_in_capitals(tmp_path):
    assert check_ending(None) is None and check_ending(tmp_path / "A.CSV") is None
    write_questions(tmp_path / "A.CSV", TABLE)
    write_questions(tmp_path / "A.JSON", dict(TABLE))
    assert (tmp_path / "A.CSV").read_bytes().decode() == write_csv(TABLE)
    assert (tmp_path / "A.JSON").read_text() == write_json(TABLE)
    with pytest.raises(ValueError, match="^JSON does not hold the columns"):
        write_questions(tmp_path / "a.csv", Absent())


def test_a_parquet_file_is_whole_or_absent(tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    write_questions(tmp_path / "o'dd.PARQUET", TABLE)
    con = duckdb.connect()
    assert con.execute(
        "SELECT * FROM read_parquet(?)", [str(tmp_path / "o'dd.PARQUET")]
    ).fetchall() == [("=a", 4, 0.5), ("b\x7f", 2, 1.0)]
    assert [o.name for o in tmp_path.iterdir()] == ["o'dd.PARQUET"]
    with pytest.raises(OSError, match="^cannot write .*: there is no such folder$"):
        write_questions(tmp_path / "x" / "a.parquet", TABLE)
    (tmp_path / "dir.parquet").mkdir()
    with pytest.raises(OSError):
        write_questions(tmp_path / "dir.parquet", TABLE)
    assert sorted(os.listdir(tmp_path)) == ["dir.parquet", "o'dd.PARQUET"]


def test_plain_columns():
    assert (
        plain_column(np.array([1, 2])).dtype.kind == "i"
        and plain_column(np.array([True])).dtype.kind == "b"
    )
    assert (
        plain_column(np.arange(6.0)[::2]).flags.c_contiguous
        and plain_column(np.array([1], "u1")).dtype == np.uint8
    )
    text = plain_column(np.array([1, "a"], object))
    assert (
        text.tolist() == ["1", "a"]
        and text.dtype == object
        and plain_column(np.array(["x"])).tolist() == ["x"]
    )


# Rows of a report: what each carries, when it is made, and intervals that stand beside it.

PLAIN = [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 0]]


def ends_of(one, *given):
    interval = one.confidence_interval(*given)
    return interval.low, interval.high


# Rows.


def test_what_a_row_carries():
    row = score(PLAIN, ["pass@k", "avg@n"], target="both", confidence_level=0.9)["pass@2"]
    assert (row.metric, row.k, row.questions, row.n_min, row.n_max, row.missing, row.samples) == (
        "pass@2",
        2,
        5,
        4,
        4,
        0,
        "4",
    )
    assert (
        row.estimate == pytest.approx((1 + 5 / 6 + 0 + 0.5 + 1) / 5)
        and row.source.value == row.estimate
    )
    assert row.stderr == pytest.approx(np.std([1, 5 / 6, 0, 0.5, 1], ddof=1) / 5**0.5)
    assert (
        row.interval.method.name,
        row.interval.level,
        row.again.method.name,
        row.again.method.exact,
    ) == ("gaffke", 0.9, "gamma", False)
    assert (
        row.again.low < row.estimate < row.again.high and row.reason == "" and row.weights is None
    )
    assert ends_of(row, 0.5) == ends_of(row.source, 0.5) != ends_of(row)
    assert str(row.confidence_interval(method="t").method) == "t (approximate)"
    assert row.confidence_interval(method="bootstrap", rng=3) == row.source.confidence_interval(
        method="bootstrap", rng=3
    )


def test_bands_are_never_narrower_than_intervals():
    rows = score(PLAIN, "pass@k").rows
    assert {str(row.band.method) for row in rows} == {"anchored-sup-t (approximate)"}
    assert all(row.band.low <= row.low and row.high <= row.band.high for row in rows)
    assert any(row.band.low < row.low for row in rows) and any(
        row.high < row.band.high for row in rows
    )


def test_the_range_of_samples_and_a_row_without_its_source():
    row = score([[1, 0], [1, 1, 0]], "pass@1").rows[0]
    assert row.samples == "2..3" and (row.n_min, row.n_max) == (2, 3)
    again = Report.from_json(score([[1, 0], [1, 1]], "pass@1").to_json()).rows[0]
    assert again.source is None
    with pytest.raises(
        ValueError,
        match=r"^pass@1 holds its stored interval only \(gaffke\); score the data "
        r"again for another one$",
    ):
        again.confidence_interval()


def test_a_number_that_is_asked_for_twice_stands_once_and_with_its_band():
    rows = score(PLAIN, ["pass@k", "pass@2"]).rows
    assert [row.metric for row in rows] == ["pass@1", "pass@2", "pass@3", "pass@4"] and rows[1].band


def test_rows_of_very_many_models_are_made_when_one_is_looked_at():
    report = score(
        [dict(model=f"m{i}", question=q, correct=i % 2) for i in range(101) for q in range(2)],
        "pass@1",
    )
    rows = report.rows
    assert "made" not in vars(rows) and "101 models" in str(report) and "made" not in vars(rows)
    assert (
        len(rows) == 101
        and rows[0] is rows.made[0]
        and rows[1:3] == rows.made[1:3]
        and [*rows] == [*rows.made]
    )
    again = pickle.loads(pickle.dumps(report))
    assert again == report and isinstance(again.rows, tuple) and str(again) == str(report)


def test_rows_without_an_error():
    (row,) = score([[1, 1], [1, 1]], "pass@1").rows
    assert (
        row.stderr is None
        and row.reason == "all 2 questions have the same value, which shows no spread"
    )
    assert row.low is not None


# A report.

MODELS = [
    dict(model=m, question=q, correct=int(c))
    for m, runs in dict(a=("11", "00"), b=("11", "10")).items()
    for q, run in enumerate(runs)
    for c in run
]


def test_a_row_by_its_name():
    report = score(MODELS, ["pass@1", "pass@2"])
    assert report["a", "pass@1"].estimate == 0.5 and report["b", "pass@2"].model == "b"
    with pytest.raises(KeyError) as refused:
        report["pass@1"]
    assert (
        refused.value.args[0]
        == "'pass@1' stands in 2 rows, of 'a', 'b'; write report[model, metric] or "
        "report[model, group, metric]"
    )
    for key in ("pass@9", ("c", "pass@1")):
        with pytest.raises(KeyError) as refused:
            report[key]
        assert refused.value.args[0] == f"metric must be one of ['pass@1', 'pass@2'], got {key!r}"
    grouped = score([row | dict(g=f"g{row['question']}") for row in MODELS], "pass@1", group="g")
    assert (
        grouped["a", "g1", "pass@1"].estimate == 0 and grouped["b", "g1", "pass@1"].estimate == 0.5
    )
    assert report.estimates() == dict(
        a={"pass@1": 0.5, "pass@2": 0.5}, b={"pass@1": 0.75, "pass@2": 1.0}
    )
    assert score(PLAIN, "pass@1").estimates() == {"pass@1": 0.5}


def test_gradings_are_no_models():
    both = score(
        [row | dict(loose=1) for row in MODELS[:4]],
        "pass@1",
        correct=["correct", "loose"],
        model=False,
    )
    assert both.systems == "gradings" and "2 gradings, " in str(both)
    assert (
        Report.from_json(both.to_json()).systems == "gradings" and score(PLAIN).systems == "models"
    )


# A finished result is words about numbers that it holds.

PRINTED = {
    "score": lambda: score(PLAIN),
    "score of several": lambda: score(MODELS),
    "score of groups": lambda: score(
        [row | dict(g=row["question"]) for row in MODELS], by="g", model=False
    ),
    "missing both ways": lambda: score([[1, None], [0, 1], [1, 1]], missing="bounds"),
    "compare": lambda: compare(*PAIR),
    "compare in metrics": lambda: compare(
        *PAIR, metrics=["pass@2", "pass@1"], method="gaffke", test="t"
    ),
    "compare again": lambda: compare(*PAIR, target="same_questions"),
    "ranking": lambda: compare(PILOT, PILOT, others=[PILOT]),
    "gate": lambda: gate(PILOT, minimum={"pass@1": 0.1}),
    "gate of a difference": lambda: gate(PAIR[1], baseline=PAIR[0], max_drop=0.05),
    "plan": lambda: plan(0.3, pilot=PILOT, method="t"),
    "width": lambda: plan(half_width=0.3, pilot=PILOT),
    "table": lambda: table(MODELS),
    "audit": lambda: audit("26/30"),
    "describe": lambda: describe(MODELS),
    "explain": lambda: explain(PILOT, 3),
    "shortlist": lambda: explain(PILOT),
}
FORMS = dict(
    text=str,
    how=lambda result: result.to_text(how=True),
    json=lambda result: result.to_json(),
    markdown=lambda result: result.to_markdown(),
    latex=lambda result: result.to_latex(),
)


def list_entered(run):
    "The functions of inference, of the engine and of verbs that a call enters."
    root, entered = str(Path(sampling_eval.__file__).parent) + os.sep, set()

    def note(frame, event, _):
        file, name = frame.f_code.co_filename.removeprefix(root), frame.f_code.co_name
        if event == "call" and not name.startswith("<"):
            entered.add((file.replace(os.sep, "/"), name))

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    rooms = "inference/", "analyses/engine/"
    return {
        (file, name)
        for file, name in entered
        if file.startswith(rooms) or file.endswith("/verb.py")
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", PRINTED)
def test_nothing_is_computed_when_a_finished_result_is_written(name, form):
    result = PRINTED[name]()
    entered = {function for _, function in list_entered(lambda: FORMS[form](result))}
    assert entered <= {
        "gains",
        "losses",
        "inconclusive",
        "rows",
        "total",
        "__str__",
        "row_of",
    }  # Of what it holds


# Weights.


def test_facts_on_weights(tmp_path):
    rows = [dict(question=q, correct=c, points=1 + q) for q in range(4) for c in (0, q % 2)]
    row = score(rows, "pass@1", weights="points", largest_weight=8).rows[0]
    assert row.weights == Weighted("points", row.weights.effective_questions, 8.0, True)
    assert row.weights.effective_questions == pytest.approx(100 / 30)
    told = row.to_dict()
    assert told["weighted_by"] == "points" and "weights" not in told and Row.from_dict(told) == row
    assert row.to_flat()["interval"] == "gaffke" and row.to_flat()["largest_weight"] == 8
    seen = score(rows, "pass@1", weights="points").rows[0].weights
    assert (seen.largest_weight, seen.largest_weight_declared, seen.assumed_largest_weight) == (
        4.0,
        False,
        4.0,
    )
    assert "weighted_by" not in score(PLAIN, "pass@1").rows[0].to_dict()


# The report of `score`: its forms agree, nothing from the data is executed, hidden or misread.


def hostile_rows():
    return [
        dict(model=m, question=q, sample=s, correct=(i + s) % 2)
        for i, m in enumerate(HOSTILE)
        for q in HOSTILE
        for s in range(3)
    ]


@pytest.fixture(scope="module")
def report():
    return score(hostile_rows(), title=HOSTILE[0])


@pytest.fixture(scope="module")
def small():
    return score([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]], ["pass@k", "avg@n"], [1, 4])


# Hostile names.


def test_html_shows_hostile_names_literally(report):
    page = report.to_html()
    found = Tags(page)
    assert not found.tags & {"iframe", "link", "img"} and page.count("<script>") == 1
    assert not {o for o in found.attributes if o.startswith("on")} | found.attributes & {"src"}
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 3 and "\x1b" not in page
    assert not re.findall(r"https?://(?!x\))", page), "nothing is loaded from elsewhere"
    assert "default-src 'none'" in page


def test_no_text_has_control_characters(report):
    for told in repr(report), report.to_markdown(), report.to_latex(), repr(report.questions):
        assert not [o for o in told if ord(o) < 32 and o != "\n"]


def test_markdown_rows_keep_their_columns(report):
    tables = re.findall(r"(?:^\|.*\n)+", report.to_markdown(), re.M)
    assert len(tables) == 2 + 2 * len(
        HOSTILE
    ), "one of all models, two of each, and one of all numbers"
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    assert "<script>" not in report.to_markdown()


# Forms.


def test_json_and_dict_and_frame_agree(report):
    told = json.loads(report.to_json())
    assert list(told) == [
        "kind",
        "rows",
        "summary",
        "notes",
        "confidence_level",
        "title",
        "systems",
        "target",
        "flaky_questions",
        "reruns",
        "left_out",
        "ragged",
        "cautions",
        "agreement",
        "totals",
        "letters",
        "next",
        *addons_of("score"),
    ]
    assert told["kind"] == "score" and told["title"] == HOSTILE[0] and told["systems"] == "models"
    assert len(told["rows"]) == len(report.rows) and list(report.estimates()) == HOSTILE
    first = told["rows"][0]
    assert first["estimate"] == report.estimates()[HOSTILE[0]][first["metric"]]
    assert first["interval"] | dict(name="gaffke", level=0.95, exact=True) == first["interval"]
    for backend in ("pandas", "polars", "pyarrow"):
        frame = report.to_frame(backend)
        names = frame.column_names if backend == "pyarrow" else list(frame.columns)
        assert len(frame) == len(told["rows"]) and names == list(first)


def test_one_model_without_a_name_has_no_level_of_names(small):
    assert small.estimates() == {
        "pass@1": pytest.approx(2 / 3),
        "pass@4": 1.0,
        "avg@4": pytest.approx(2 / 3),
    }
    assert list(small.blocks()) == [("", "")] and name_block(("m", "g")) == "m / g"
    assert "<title>Report</title>" in small.to_html()
    assert "<title>a &amp; b</title>" in replace(small, title="a & b").to_html()


def test_what_is_read_back_is_equal(report, small, tmp_path):
    for found in report, small:
        (path := tmp_path / "r.json").write_text(found.to_json())
        for again in (
            Report.from_json(found.to_json()),
            load_result(path),
            pickle.loads(pickle.dumps(found)),
        ):
            assert again == found and repr(again) == repr(found) and again.rows == tuple(found.rows)
            assert (again.letters, again.next) == (found.letters, found.next)
        assert load_result(path).to_frame('pandas').equals(
            found.to_frame('pandas')
        ) and found != replace(found, notes=("other",))
        with pytest.raises(KeyError, match="JSON does not hold"):
            load_result(path).questions["c"]
        with pytest.raises(ValueError, match="JSON does not hold"):
            load_result(path).flaky()
    assert small.next and 'value="flaky"' not in Report.from_json(small.to_json()).to_html()
    assert replace(Report.from_json(report.to_json()), title="t").letters == report.letters
    assert report != small and small != small.to_dict()
    with pytest.raises(
        ValueError, match="need the JSON text of a result of score, got something else"
    ):
        Report.from_json('{"read": ""}')
    with pytest.raises(ValueError, match="need the fields of a Report, got none called 'rows'"):
        Report.from_json('{"kind": "score"}')


def test_a_reason_stands_in_every_form():
    found = score([[1, 1], [1, 1]], "pass@1", interval="t")
    why = "No standard error: all 2 questions have the same value, which shows no spread"
    for told in repr(found), found.to_markdown(), found.to_latex(), found.to_html():
        assert why in " ".join(told.split())


# Columns.


def test_columns():
    table = Columns(dict(question=["a", "b", "c"], n=np.array([4, 4, 2]), c=np.array([4, 1, 0])))
    flaky = table.where((0 < table["c"]) & (table["c"] < table["n"]))
    assert flaky.rows() == [dict(question="b", n=4, c=1)] and len(table) == 3
    assert repr(flaky) == "question  n  c\n       b  4  1"
    assert table.to_frame("pandas").shape == (3, 3)
    long = Columns(dict(share=np.linspace(0, 1, 25)))
    assert repr(long).splitlines()[:3] == ["share", "0.000", "0.042"]
    assert len(repr(long).splitlines()) == 22 and repr(long).endswith("\n... 5 more rows")
    assert not repr(Columns(dict(share=np.zeros(20)))).endswith("more rows")
    with pytest.raises(AttributeError, match="cannot assign"):
        table.data = {}


def test_flaky_questions_come_closest_to_even_first(small):
    assert small.flaky().rows()[0]["c"] == 3 and small.flaky()["question"].tolist() == [0, 1]
    graded = score([dict(question=i, score=s) for i, s in enumerate((0.2, 0.5))])
    with pytest.raises(ValueError, match="flaky questions need outcomes"):
        graded.flaky()


# Intervals in JSON: the parts of one stand each by itself, and come back.


def test_an_interval_comes_back_from_its_parts():
    told = score(PLAIN, "pass@k", target="both").to_dict()
    row, again = score(PLAIN, "pass@k", target="both").rows[1], Report.from_dict(told).rows[1]
    assert (
        told["rows"][1]["low"] == row.low
        and told["rows"][1]["interval"]["level"] == row.interval.level == 0.95
    )
    assert again.again == row.again and again.interval == replace(row.interval, target=None)
    assert (again.band.low, again.band.high, str(again.band.method)) == (
        row.band.low,
        row.band.high,
        str(row.band.method),
    )
    for odd in (
        dict(low="x"),
        dict(interval=dict(level=0.95)),
        dict(interval=dict(name="t", level=0.95, odd=1)),
    ):
        with pytest.raises(ValueError, match=r"Row\.\w+ must be"):
            Row.from_dict(told["rows"][1] | odd)
    with pytest.raises(ValueError, match="none called 'high'"):
        Row.from_dict({name: value for name, value in told["rows"][1].items() if name != "high"})
