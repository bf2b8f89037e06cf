"What is a number, an outcome or a name, in every origin: refused or right, and in equal words."

import datetime
import itertools
import json
import uuid
import warnings
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_reading_origins import FEW, make

from conftest import name_kind
from sampling_eval.foundations.answers import rewards_of
from sampling_eval.foundations.counts import Counts, counts_of
from sampling_eval.metrics.average import hard_accuracy, soft_accuracy
from sampling_eval.metrics.bestof import best_of_k, max_at_k, min_at_k
from sampling_eval.metrics.passk import pass_at_k
from sampling_eval.reading.duckdb import sql as cells
from sampling_eval.reading.duckdb import scans
from sampling_eval.reading import tables as sources
from sampling_eval.reading.load import load, read
from sampling_eval.reading.options import Options
from sampling_eval.reading.values import (
    Coded,
    are_words,
    blank_answers,
    check_clusters,
    check_outcomes,
    check_repeats,
    check_scores,
    code_names,
    code_values,
    extend_key,
    find_varied,
    is_whole_text,
    join_arrays,
    join_codes,
    join_columns,
    join_present,
    order_value,
    read_words,
    read_written,
    tidy,
    type_cells,
)

NAN = float("nan")
pytestmark = pytest.mark.filterwarnings("ignore")
assert make  # a fixture


def count(data, scores=None, **options):
    return load(data, Options.of(options, scores=scores))


def find_outcome(data, scores=None, **options):
    "What is read, or the sentence of the refusal."
    try:
        loaded = count(data, scores, **options)
    except (TypeError, ValueError) as error:
        return f"{name_kind(error)}: {error}"
    counts = loaded.blocks["", ""]
    total = None if counts.score_sum is None else np.round(counts.score_sum, 9).tolist()
    return counts.n.tolist(), counts.c.tolist(), counts.missing.tolist(), total


# Arrays and lists.


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_frames_are_never_read_by_columns(library):
    columns = dict(a=[1.0, 0.0, 1.0], b=[1.0, 1.0, 0.0])
    frame = pl.DataFrame(columns)
    frame = dict(pandas=frame.to_pandas, polars=lambda: frame, arrow=frame.to_arrow)[library]()
    refused = "whose columns would pass for questions; write .*frame.to_numpy()"
    with pytest.raises(TypeError, match=refused):
        counts_of(frame)
    for metric in max_at_k, min_at_k:
        with pytest.raises(TypeError, match=refused):
            metric(frame, 1)
    with pytest.raises(TypeError, match=refused):
        best_of_k(frame, [[1, 0]] * 3, 1)
    assert soft_accuracy(frame).tolist() == [1, 0.5, 0.5] == hard_accuracy(frame).tolist()


MASKED = np.ma.array([[1.0, 0.0], [1.0, 1.0]], mask=[[0, 1], [0, 0]])


@pytest.mark.parametrize(
    "table, words",
    [
        (MASKED, "must have no mask, got a masked"),
        (list(MASKED), "must have no mask, got a masked"),
        ([[np.ma.masked, 1.0]], "must have no mask, got a masked value|got masked"),
        ([["1", "0"]], "must be numbers|must hold 0/1"),
        (np.array([["1", "0"]]), "numbers|0/1"),
        ([["0_1"]], "must be numbers|must hold 0/1"),
        ([["１"]], "must be numbers|must hold 0/1"),
        ([["nan"]], "must be numbers|must hold 0/1"),
        ([[b"1"]], "must be numbers|must hold 0/1"),
        (np.array([[1, 0]], "M8[ns]"), "must be numbers|must hold 0/1"),
        (np.array([[1, 0]], "m8[s]"), "must be numbers|must hold 0/1"),
        ([[datetime.datetime(2026, 1, 1)]], "must be numbers|must hold 0/1"),
        ([[True, 1, 0]], "must hold only bool or only (0/1|numbers), got True and 1"),
        ([[False], [1]], "must hold only bool or only (0/1|numbers), got False and 1"),
        ([np.array([True]), np.array([1.0])], "must hold only bool or only (0/1|numbers)"),
        (
            np.array([[True, 1]], object),
            "must hold only bool or only (0/1|numbers)|got dtype object",
        ),
        ([[1 + 0j]], "must be numbers|must hold 0/1"),
    ],
)
def test_what_is_no_number_in_an_array(table, words):
    for function in counts_of, soft_accuracy, hard_accuracy, rewards_of, lambda o: max_at_k(o, 1):
        with pytest.raises((TypeError, ValueError), match=words):
            function(table)


@pytest.mark.parametrize(
    "n",
    [
        [3, True],
        [True, False],
        "3",
        ["3"],
        np.array([3], "m8[s]"),
        [2**70],
        np.ma.array([3]),
        [Decimal(3)],
        [3.5],
        [np.ma.masked, 3],
    ],
)
def test_what_is_no_whole_number(n):
    with pytest.raises(TypeError, match="^n must h"):
        pass_at_k(n, 1, 1)


def test_infinite_and_huge_numbers_in_arrays():
    with pytest.raises(ValueError, match="got inf at question 0"):
        counts_of([[1e400, 0]])
    with pytest.raises(ValueError, match="must be finite, got inf"):
        max_at_k([[1e400, 0]], 1)
    with pytest.raises(TypeError, match="got 1000000000"):
        counts_of([[10**30, 0]])
    with pytest.raises(ValueError, match="below 2"):
        pass_at_k(np.array([2**63], np.uint64), 1, 1)


def test_arrays_that_were_broadcast_bring_no_warning():
    n, c = np.broadcast_arrays(np.array([4, 5]), np.array([[1], [2]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pass_at_k(n, c, 1).tolist() == [[0.25, 0.2], [0.5, 0.4]]
        # What was handed over may change afterwards, and the counts must not.
        flat = np.array([4, 5])
        counts = Counts(flat, np.array([1, 2]))
        flat[0] = 9
        assert counts.n.tolist() == [4, 5]


# Texts of a file, read here or by DuckDB, kept or added up: one meaning.

TEXTS = [
    "0_1",
    "1_0",
    "1e5_0",
    "１",
    "٣",
    " 1 ",
    "nan",
    "NAN",
    "inf",
    "-inf",
    "Infinity",
    "1e400",
    "0x1",
    "0b1",
    "1,0",
    "+1",
    "1.",
    ".5",
    "1e-400",
    "1d",
    "1E0",
    "--1",
    "- 1",
    "1\u00a0",
    "true",
    "TRUE",
    " True",
    "yes",
    "null",
    "NULL",
    "None",
    "NA",
    "",
]
VALUES = [
    "1e400",
    "-1e400",
    "NaN",
    "Infinity",
    "true",
    '"1"',
    '"0_1"',
    '"nan"',
    "1" + "0" * 30,
    "1" + "0" * 400,
    "1.0",
    "1e0",
    "[1]",
    "{}",
    '""',
    "null",
    '"true"',
]
ACCEPTED = {
    " 1 ",
    "nan",
    "NAN",
    "+1",
    "1.",
    ".5",
    "1e-400",
    "1E0",
    "",
    "NaN",
    "1" + "0" * 30,
    "1.0",
    "1e0",
    "null",
}


def write_csv(text, part, path):
    row = {"correct": "1", "score": "0.5"} | {part: text}
    path.write_text(
        'id,correct,score\n1,1,0.5\n1,"%(correct)s","%(score)s"\n2,0,.25\n' % row, encoding="utf-8"
    )
    return path


def write_json(text, part, path):
    row = {"correct": "1", "score": "0.5"} | {part: text}
    path.write_text(
        '{"id": 1, "correct": 1, "score": 0.5}\n'
        '{"id": 1, "correct": %(correct)s, "score": %(score)s}\n'
        '{"id": 2, "correct": 0, "score": 0.25}\n' % row
    )
    return path


@pytest.mark.parametrize("part", ["correct", "score"])
@pytest.mark.parametrize(
    "write, text",
    [*((write_csv, text) for text in TEXTS), *((write_json, text) for text in VALUES)],
)
def test_both_readers_take_a_text_for_the_same(write, text, part, tmp_path, monkeypatch):
    path = write(text, part, tmp_path / f"a.{write.__name__[6:].replace('json', 'jsonl')}")
    found = []
    for small in 2**23, -1:
        monkeypatch.setattr(sources, "SMALL", small)
        for scores in None, False:
            found.append(find_outcome(path, scores, missing="wrong"))
    assert found == found[:1] * 4
    is_number = text in ACCEPTED and not (write is write_csv and text == "null")
    odd = part == "correct" and text in (".5", "1" + "0" * 30)
    assert isinstance(found[0], tuple) == (is_number and not odd), found[0]


@pytest.mark.parametrize("first", [3, 10_000])
@pytest.mark.parametrize(
    "late, told",
    [
        ("true", "TypeError: correct must hold only bool or only 0/1, got True and 0"),
        ('"1"', "TypeError: correct must hold 0/1 or bool, got '1' (1 of 11 fail); compare"),
        ("0.7", "ValueError: correct must be 0 or 1, got 0.7 at question 4 (1 of 11 fail)"),
        ("1.0", ""),
        ("1e0", ""),
        ("null", ""),
    ],
)
def test_late_outcomes_are_seen(first, late, told, tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    rows = [json.dumps(dict(id=i // 2, sample=i % 2, correct=i % 2)) for i in range(10)]
    path.write_text("\n".join([*rows, '{"id": 4, "sample": 2, "correct": %s}' % late]))
    want = find_outcome(path, missing="wrong")
    monkeypatch.setattr(sources, "SMALL", -1)
    monkeypatch.setattr(scans, "FIRST", first)
    assert find_outcome(path, missing="wrong") == want
    assert want.startswith(told) if told else want[0] == [2, 2, 2, 2, 3]


@pytest.mark.parametrize("late", ['"0.5"', "true"])
def test_late_scores_are_seen(late, tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    rows = [json.dumps(dict(id=i, correct=1, score=0.5)) for i in range(10)]
    path.write_text("\n".join([*rows, '{"id": 4, "correct": 1, "score": %s}' % late]))
    want = find_outcome(path)
    assert want.startswith("TypeError: score must hold numbers")
    monkeypatch.setattr(sources, "SMALL", -1)
    monkeypatch.setattr(scans, "FIRST", 3)
    for scores in None, True, False:
        assert find_outcome(path, scores) == want


# Columns of every origin.

FIRST = dict(id=["z", "y", "x", "w", "z", "y"], sample=[0, 0, 0, 0, 1, 1])
FAULTS = {
    "percentages": dict(correct=[100, 0, 100, 0, 100, 0]),
    "percentages beside others": dict(correct=[100, 0, 7, 0, 100, 0]),
    "shares": dict(correct=[1.0, 0.0, 0.7, 0.3, 1.0, 0.9]),
    "others beside nulls": dict(correct=[1, None, 9, 7, None, 8]),
    "shares beside nulls": dict(correct=[1.0, None, 0.9, 0.7, None, 0.8]),
    "infinite": dict(correct=[1.0, 0.0, float("inf"), 1.0, 1.0, 0.0]),
    "words": dict(correct=["yes", "maybe", "x", "no", "b", "a"]),
    "scores": dict(correct=[1] * 6, score=[0.5, float("inf"), 0.5, float("-inf"), 0.5, 0.5]),
    "words as scores": dict(correct=[1] * 6, score=["low", "high", "low", "b", "a", "c"]),
}


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("fault", FAULTS)
def test_the_first_fault_of_the_data_is_named(name, fault, make):
    columns = FIRST | FAULTS[fault]
    for scores in None, False:
        got, want = (
            find_outcome(data, scores, missing="wrong") for data in (make(name, columns), columns)
        )
        assert isinstance(want, str)
        if ".csv" in name or ".tsv" in name:
            want = want.replace("got 100 ", "got 100.0 ")
        if ".csv" in name or ".tsv" in name:
            want = want.replace("got 9 ", "got 9.0 ")
        if "at row" in want:
            want = want.replace("at row 1", "at row 2 of a").replace("at row 0", "at row 1 of a")
            got = got.replace("at row 1;", "at row 2 of a;").replace("at row 0;", "at row 1 of a;")
            got = got.replace("at row 1 (", "at row 2 of a (").partition(" of a")[0]
            want = want.partition(" of a")[0]
        if fault != "others beside nulls" or "pandas" != name:
            assert got == want


@pytest.mark.parametrize(
    "digits, kind, names",
    [
        (
            ["12345678901234567890", "12345678901234567891"],
            (20, 0),
            ["12345678901234567890", "12345678901234567891"],
        ),
        (["1", "2"], (5, 2), [1, 2]),
        (["1.00000000000000000001", "1"], (21, 20), None),
        (["1.5", "1"], (3, 1), None),
    ],
)
def test_decimal_names_keep_their_digits(digits, kind, names, tmp_path, monkeypatch):
    column = pa.array(list(map(Decimal, digits)), pa.decimal128(*kind))
    table = pa.table(dict(id=column, correct=[1, 0]))
    pq.write_table(table, tmp_path / "a.parquet")
    data = [
        table,
        table.to_pandas(),
        pl.from_arrow(table),
        table.to_pydict(),
        tmp_path / "a.parquet",
        duckdb.from_arrow(table),
    ]
    for origin in [*data, tmp_path / "a.parquet"]:
        if names is None:
            with pytest.raises(TypeError, match="must hold text or whole numbers"):
                read(origin)
        else:
            assert read(origin).questions.tolist() == names
        if origin is data[-1]:
            monkeypatch.setattr(sources, "SMALL", -1)


def test_decimal_outcomes_and_scores(tmp_path, monkeypatch):
    digits = ["0.10000000000000000001", "0.99999999999999999999", None]
    table = pa.table(
        dict(
            id=[1, 1, 2],
            correct=pa.array(list(map(Decimal, "101")), pa.decimal128(5, 2)),
            score=pa.array([d and Decimal(d) for d in digits], pa.decimal128(21, 20)),
        )
    )
    pq.write_table(table, tmp_path / "a.parquet")
    for origin in table, table.to_pandas(), pl.from_arrow(table), duckdb.from_arrow(table):
        assert find_outcome(origin, missing="wrong")[:2] == ([2, 1], [1, 1])
    monkeypatch.setattr(sources, "SMALL", -1)
    for scores in None, False:
        assert find_outcome(tmp_path / "a.parquet", scores, missing="wrong")[1] == [1, 1]


@pytest.mark.parametrize("kind", ["M8[ns]", "M8[D]", "m8[ns]"])
def test_times_are_no_numbers(kind):
    times = np.array([1, 0], kind)
    told = find_outcome(dict(id=[1, 2], correct=times))
    assert told.startswith("TypeError: correct must hold 0/1")
    told = find_outcome(dict(id=[1, 2], correct=[1, 0], score=times))
    assert told.startswith("TypeError: score must hold numbers")
    rows = [dict(id=i, correct=1, score=time) for i, time in enumerate(times)]
    assert find_outcome(rows).startswith("TypeError: score must hold numbers")
    frame = pd.DataFrame(dict(id=[1, 2], correct=[1, 0], score=times))
    assert find_outcome(frame).startswith("TypeError: score must hold numbers")


def test_masked_columns_are_missing():
    masked = np.ma.array([1, 0, 1], mask=[0, 1, 0])
    assert find_outcome(dict(id=[1, 1, 2], correct=masked), missing="wrong")[2] == [1, 0]
    assert "every row needs a question" in find_outcome(dict(id=masked, correct=[1, 1, 0]))


def test_huge_numbers_in_columns():
    names = [2**70, 2**70 + 1, 2**70]
    assert find_outcome(dict(id=names, correct=[1, 0, 0]))[0] == [2, 1]
    told = find_outcome(dict(id=[1, 2], correct=[10**30, 0]))
    assert told.startswith("ValueError: correct must be 0 or 1, got 1e+30 at question 1")
    told = find_outcome([dict(id=1, correct=1, score=10**400)])
    assert told.startswith("ValueError: score must be finite, got inf at row 0")


# NaN, which statistics of a Parquet file leave out.


@pytest.fixture(scope="module")
def holed(tmp_path_factory):
    rng, size = np.random.default_rng(0), 20_000
    values = (rng.random(size) < 0.5).astype(float)
    values[rng.random(size) < 0.1] = np.nan
    table = pa.table(
        dict(
            question=np.arange(size) // 20,
            sample=np.arange(size) % 20,
            correct=values,
            score=values,
        )
    )
    folder = tmp_path_factory.mktemp("holed")
    pq.write_table(table, folder / "a.parquet")
    pl.from_arrow(table).write_parquet(folder / "b.parquet")
    duckdb.sql(f"COPY (FROM '{folder}/a.parquet') TO '{folder}/c.parquet'")
    return folder, values


@pytest.mark.parametrize("name", ["a.parquet", "b.parquet", "c.parquet", "relation", "filtered"])
@pytest.mark.parametrize("size", [2**23, -1])
def test_nan_outcomes_are_missing_and_counted(name, size, holed, monkeypatch):
    folder, values = holed
    monkeypatch.setattr(sources, "SMALL", size)
    data = folder / name
    if name == "relation":
        data = duckdb.sql(f"FROM '{folder}/a.parquet'")
    if name == "filtered":
        data = duckdb.sql(f"FROM '{folder}/a.parquet' WHERE sample >= 0")
    right, lost = np.nansum(values), np.isnan(values).sum()
    for scores in None, True, False:
        for part in "correct", "score":
            counts = count(data, scores, missing="wrong", **{part: False}).blocks["", ""]
            if counts.c is not None:
                assert counts.c.sum() == right
            assert (counts.n.sum(), counts.missing.sum()) == (len(values), lost)
        sums = count(data, scores, missing="wrong").rows
        assert sums.total.sum() == right and sums.scored.sum() == len(values) - lost


@pytest.mark.parametrize("known", [0.0, 1.0])
@pytest.mark.parametrize("size", [2**23, -1])
def test_nan_beside_one_value_is_missing(known, size, tmp_path, monkeypatch):
    "Smallest and largest value are equal there, so that an engine answers from statistics alone."
    monkeypatch.setattr(sources, "SMALL", size)
    values = pa.array(np.resize([known, np.nan], 60), from_pandas=False)
    pq.write_table(
        pa.table(dict(question=np.arange(60) // 6, correct=values, score=values)),
        tmp_path / "x.parquet",
    )
    for part in "correct", "score":
        counts = count(tmp_path / "x.parquet", missing="wrong", **{part: False}).blocks["", ""]
        assert counts.missing.tolist() == [3] * 10
        total = counts.score_sum if counts.c is None else counts.c
        assert total.tolist() == [3 * known] * 10


def test_an_engine_that_does_not_see_nan_is_noticed(holed, monkeypatch):
    path = holed[0] / "a.parquet"
    monkeypatch.setattr(sources, "SMALL", -1)
    monkeypatch.setattr(cells, "without_nan", str)
    with pytest.raises(ValueError, match="known scores must add up to a number, got NaN"):
        count(path, False, missing="wrong")
    monkeypatch.setattr(cells, "outcome_cell", "CASE WHEN {0} IN (0, 1) THEN {0} ELSE 2 END".format)
    with pytest.raises(ValueError, match="known outcomes must be right or wrong, got NaN"):
        count(path, missing="wrong", score=False)


def test_scores_that_are_not_kept_are_told(tmp_path, monkeypatch):
    size = 3000
    frame = pl.DataFrame(
        dict(id=np.arange(size) // 3, correct=np.arange(size) % 2, score=np.arange(size) / size)
    )
    frame.write_parquet(tmp_path / "a.parquet")
    monkeypatch.setattr(sources, "SMALL", -1)
    for data in tmp_path / "a.parquet", frame.lazy():
        loaded = count(data)
        assert "single scores were not kept" in loaded.lacks["rewards"]
        assert "more than 1000 different scores: their sums are kept, single ones are not" in str(
            loaded.summary
        )
        assert "rewards" not in count(data, scores=True).lacks
    assert "rewards" not in count(frame).lacks


# Single functions at their boundaries.


@pytest.mark.parametrize(
    "value, want",
    [
        (Decimal("2.0"), 2),
        (Decimal("2.5"), 2.5),
        (Decimal("-Infinity"), -np.inf),
        (Decimal("1.00000000000000000001"), Decimal("1.00000000000000000001")),
        (np.float32(0.5), 0.5),
        (np.timedelta64(3, "s"), "3 seconds"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (datetime.time(1, 2), "01:02:00"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (float("nan"), None),
        (pd.NA, None),
        (pd.NaT, None),
    ],
    ids=str,
)
def test_a_value_among_others(value, want):
    found = tidy(["x", value])[1]
    assert type(found) is type(want) and found == want


def test_columns_of_one_kind():
    assert tidy([2**63, 1]).tolist() == [2**63, 1] and tidy([1, 2]).dtype == np.int64
    assert [tidy(kind).dtype for kind in ([True], [1.5], [None])] == [bool, float, object]
    with pytest.raises(ValueError, match="one-dimensional, got shape"):
        tidy(np.zeros((1, 1)))
    assert tidy(np.ma.array([1, 2], mask=[0, 1])).tolist() == [1, None]
    floats = tidy(np.ma.array([1.0, 2.0], mask=[0, 1]))
    assert floats.dtype == float and np.isnan(floats[1])
    joined = join_arrays([np.array([1, 2]), np.array([0.5])])
    assert list(map(type, joined.tolist())) == [int, int, float]


@pytest.mark.parametrize("most, want", [(2**61 - 1, [3, 0]), (2**61 - 2, [2**62 - 3, 0])])
def test_keys_stay_below_62_bits(most, want):
    assert extend_key(np.array([most, 0]), np.array([1, 0]), 2).tolist() == want


@pytest.mark.parametrize(
    "value, want",
    [
        (2, (0, 2, "")),
        (2.0, (0, 2, "")),
        (2.5, (0, 2.5, "")),
        ("2", (1, 0, "2")),
        (None, (1, 0, "None")),
        (NAN, (1, 0, "nan")),
    ],
    ids=str,
)
def test_what_names_are_sorted_by(value, want):
    assert order_value(value) == want


@pytest.mark.parametrize(
    "text, whole",
    [
        ("0", True),
        ("-0", False),
        ("9" * 5000, False),
        ("00", False),
        ("07", False),
        ("", False),
        ("-", False),
        ("1.0", False),
        ("٣", False),
        (str(2**63 - 1), True),
        (str(2**63), False),
        (str(-(2**63)), True),
        (str(-(2**63) - 1), False),
        ("1" + "0" * 19, False),
    ],
)
def test_texts_of_whole_numbers(text, whole):
    assert is_whole_text(text) is whole


@pytest.mark.parametrize(
    "texts, want, kind",
    [
        (["80 %", " 5% ", ""], [0.8, 0.05, None], "percent"),
        (["12,5%"], [0.125], "percent"),
        (["0,5", "1", None], [0.5, 1, None], "decimal_comma"),
        (["1,234", "5"], ["1,234", "5"], ""),
        (["1,234", "0,5"], [1.234, 0.5], "decimal_comma"),
        (["0,123"], [0.123], "decimal_comma"),
        (["1,2345"], [1.2345], "decimal_comma"),
        (["1,234,567"], ["1,234,567"], ""),
        (["80 %", "0,5"], ["80 %", "0,5"], ""),
        (["80 %", 1], ["80 %", 1], ""),
        ([None], [None], ""),
    ],
    ids=str,
)
def test_numbers_as_they_are_written(texts, want, kind):
    values, found = read_written(np.array(texts, object))
    assert (values.tolist(), found) == (want, kind)


@pytest.mark.parametrize(
    "values, words",
    [
        (["C", " i ", None], True),
        (["c", "p"], True),
        (["yes"], True),
        (["yes", "fail"], False),
        (["yes", 1], False),
        ([None], False),
        ([], False),
    ],
    ids=str,
)
def test_words_for_outcomes(values, words):
    assert are_words(tidy(values)) is words


@pytest.mark.parametrize(
    "answers, correct, want",
    [
        (["", " N/A ", "[invalid]", "x"], [0, 0, 0, 1], ["", None, None, "x"]),
        (["n/a", "n/a"], [1, 0], ["n/a", "n/a"]),
        (["n/a", "N/A"], [1, 0], ["n/a", None]),
        ([" ", None], None, [None, None]),
        ([3, "n/a"], [1, 0], [3, None]),
    ],
    ids=str,
)
def test_answers_that_say_that_there_is_none(answers, correct, want):
    parts = {"answer": np.array(answers, object)}
    if correct is not None:
        parts["correct"] = np.array(correct)
    found = blank_answers(parts)
    assert found["answer"].tolist() == want
    assert blank_answers({"correct": 1}) == {"correct": 1}


@pytest.mark.parametrize(
    "part, texts, want",
    [
        ("question", ["1", "2"], [1, 2]),
        ("question", ["1.0", "2.0", ""], [1, 2, None]),
        ("question", ["1.0", "2"], ["1.0", "2"]),
        ("question", ["1.0", "x.0"], ["1.0", "x.0"]),
        ("task a", ["1"], [1]),
        ("model", ["07"], ["07"]),
        ("answer", ["1", None], ["1", None]),
        ("look a", ["1"], ["1"]),
        ("score", ["1", " True ", "x", ""], [1.0, True, "x", None]),
    ],
    ids=str,
)
def test_cells_of_a_csv_file(part, texts, want):
    found = type_cells(part, texts).tolist()
    assert found == want and list(map(type, found)) == list(map(type, want))


@pytest.mark.parametrize(
    "name, want",
    [
        ("2024-01-01 03:04", "2024-01-01 03:04:00"),
        ("2024-01-01T03:04:05.120", "2024-01-01 03:04:05.12"),
        ("2024-01-01 00:00:00.000", "2024-01-01"),
        ("2024-01-01 00:00:00.5", "2024-01-01 00:00:00.5"),
        ("2024-01-01T03:04:05Z", "2024-01-01 03:04:05+00:00"),
        ("2024-01-01 03:04:05+02", "2024-01-01 01:04:05+00:00"),
        ("2024-01-01 00:00 UTC", "2024-01-01 00:00:00+00:00"),
        ("2024-99-01 03:04Z", "2024-99-01 03:04:00+00:00"),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01 03:04 x", "2024-01-01 03:04 x"),
        ("a\ud800", "a\ufffd"),
        ("é", "é"),
    ],
)
def test_spelling_of_names(name, want):
    coded = code_names("question", tidy([name]), np.ones(1, int), lambda part, row: "")
    assert coded.names.tolist() == [want]


def code(part, values):
    times = np.arange(1, len(values) + 1)
    return code_names(part, tidy(values), times, lambda part, row: f"at {row}")


@pytest.mark.parametrize(
    "part, values, codes, names",
    [
        ("question", [3, 1, 3], [0, 1, 0], [3, 1]),
        ("question", [2.0, 1.0], [0, 1], [2, 1]),
        ("question", ["b", 1, "1"], [0, 1, 1], ["b", "1"]),
        ("question", [2**63, 1], [0, 1], [str(2**63), "1"]),
        ("question", [2**63 - 1, -(2**63)], [0, 1], [2**63 - 1, -(2**63)]),
        ("question", [-(2**63) - 1], [0], [str(-(2**63) - 1)]),
        ("model", [0.5, 1.0], [0, 1], ["0.5", "1"]),
        ("group", [True, False], [0, 1], ["True", "False"]),
        ("model", [""], [0], [""]),
        ("question", [" "], [0], [" "]),
    ],
    ids=str,
)
def test_codes_of_names(part, values, codes, names):
    found = code(part, values)
    assert (found.code.tolist(), found.names.tolist()) == (codes, names)


@pytest.mark.parametrize(
    "part, values, told",
    [
        ("question", [1, None, None], "every row needs a question, got none at 1 (5 of 6 fail)"),
        ("question", [1.0, NAN], "every row needs a question, got none at 1 (2 of 3 fail)"),
        ("question", ["a", "nan", ""], "got 'nan' at 1; such a name is a null that became text"),
        ("question", [1.5], "question must hold text or whole numbers, got 1.5 at 0"),
        ("question", [1.0, 2.0**53], "got 9007199254740992.0 at 1"),
        ("question", ["a", True], "got True at 1"),
        ("model", ["a", " "], "every row needs a model, got ' ' at 1; give it a name"),
        ("group", [" "], "every row needs a group, got ' ' at 0; give it a name"),
    ],
    ids=str,
)
def test_names_that_are_refused(part, values, told):
    with pytest.raises((TypeError, ValueError)) as error:
        code(part, values)
    assert told in str(error.value)


def test_many_numbers_are_coded_as_few():
    for size in 1000, 1001:
        found = code("question", np.arange(size)[::-1] % 7)
        assert found.names.tolist() == [(size - 1 - i) % 7 for i in range(7)]
        assert (found.names[found.code] == np.arange(size)[::-1] % 7).all()


@pytest.mark.parametrize(
    "values, told",
    [
        ([True, 1, 0], "correct must hold only bool or only 0/1, got True and 0"),
        ([False, 1], "correct must hold only bool or only 0/1, got False and 1"),
        ([2, 1], "correct must be 0 or 1, got 2 at question a (1 of 3 fail)"),
        ([1, None, 0.5], "correct must be 0 or 1, got 0.5 at question c (3 of 4 fail)"),
        ([1.0, NAN, 0.5], "correct must be 0 or 1, got 0.5 at question c (3 of 4 fail)"),
    ],
    ids=str,
)
def test_outcomes_that_are_refused(values, told):
    names, times = np.array(list("abc"))[: len(values)], np.arange(1, len(values) + 1)
    with pytest.raises((TypeError, ValueError)) as error:
        check_outcomes(tidy(values), names, times)
    assert told in str(error.value)


@pytest.mark.parametrize(
    "values, want",
    [
        ([True, False], [1, 0]),
        ([True, None], [1, NAN]),
        ([1.0, NAN], [1, NAN]),
        ([NAN, NAN], [NAN, NAN]),
        ([None, None], [NAN, NAN]),
        ([1, 0.0, None], [1, 0, NAN]),
    ],
    ids=str,
)
def test_outcomes_as_floats(values, want):
    found = check_outcomes(tidy(values), np.arange(len(values)), np.ones(len(values), int))
    assert found.dtype == float and np.array_equal(found, want, equal_nan=True)


@pytest.mark.parametrize(
    "values, told",
    [
        ([0.5, np.inf, -np.inf], "s must be finite, got inf at 1 (5 of 6 fail)"),
        ([1, "x"], "s must hold numbers, got 'x' at 1"),
        ([True, 1], "s must hold numbers, got True at 0"),
        ([1, 2**1000], "s must be finite, got inf at 1 (2 of 3 fail)"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_scores_that_are_refused(values, told):
    with pytest.raises((TypeError, ValueError)) as error:
        check_scores("s", tidy(values), np.arange(1, len(values) + 1), lambda s, i: f"at {i}")
    assert told in str(error.value)


def test_scores_as_floats():
    values = tidy([True, None]), tidy([1, Decimal("0.5"), None]), tidy([2**1000 - 1, None])
    found = [check_scores("s", v, np.ones(len(v), int), None).tolist() for v in values]
    assert found[0][0] == 1 and found[1][:2] == [1, 0.5] and found[2][0] == 2.0**1000
    assert all(np.isnan(scores[-1]) for scores in found)


def test_words_of_a_sample_that_stands_twice():
    names = ["q"], ["a", "b"]
    for repeats, said in ([0, 1, 1], "1 row repeats"), ([1, 1, 1], "2 rows repeat"):
        codes = dict(
            question=Coded(np.zeros(3, int), np.array(names[0])),
            sample=Coded(np.array(repeats), np.array(names[1])),
        )
        with pytest.raises(ValueError) as error:
            check_repeats(codes, lambda part, row: f"at {row}")
        first = repeats.index(1)
        assert str(error.value) == (
            "each sample must appear once, got question 'q', sample 'b' "
            f"at {first} and again at {first + 1} ({said})"
        )


def test_a_question_in_two_clusters():
    question = Coded(np.array([0, 1, 1, 0, 2]), np.array(["x", "y", "z"]))
    check_clusters(question, Coded(np.array([0, 1, 1, 0, 0]), np.array(["a", "b"])))
    with pytest.raises(ValueError) as error:
        check_clusters(question, Coded(np.array([0, 1, 0, 1, 0]), np.array(["a", "b"])))
    assert str(error.value) == (
        "a question belongs to one cluster, got 'y' in 'b' and in 'a' (2 of 3 questions fail)"
    )


# Codes, by brute force over all small cases.


@pytest.mark.parametrize("scope", [[0, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 2], [1, 0, 0, 1]], ids=str)
def test_scopes_that_hold_several_codes(scope):
    for codes in itertools.product(range(3), repeat=4):
        held = [{code for code, other in zip(codes, scope) if other == own} for own in scope]
        found = find_varied(np.array(scope), np.array(codes))
        assert found.tolist() == [len(one) > 1 for one in held]


def test_one_code_for_two():
    for one in itertools.product(range(2), repeat=3):
        for other in itertools.product(range(3), repeat=3):
            found = join_codes(np.array(one), np.array(other)).tolist()
            pairs = list(zip(one, other))
            assert [found.index(code) for code in found] == [pairs.index(pair) for pair in pairs]
            assert sorted(set(found)) == list(range(len(set(pairs))))
            columns = [tidy([f"v{c}" for c in column]) for column in (one, other)]
            assert len(set(zip(join_columns(columns).tolist(), found))) == len(set(pairs))
    assert join_columns([tidy(["b", "a", "b"])]).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "values, code, names",
    [
        ([3, 1, 3], [1, 0, 1], [1, 3]),
        ([True, False], [1, 0], [False, True]),
        (["b", "a", "b"], [0, 1, 0], ["b", "a"]),
        (["b", None, "b"], [0, 1, 0], ["b", None]),
        ([1, 1.0, True, "1", 1, None], [0, 1, 2, 3, 0, 4], [1, 1.0, True, "1", None]),
        ([[1], [2], [1]], [0, 1, 0], ["[1]", "[2]"]),
        ([dict(a=1, b=2), dict(b=2, a=1)], [0, 0], ['{"a": 1, "b": 2}']),
    ],
    ids=str,
)
def test_codes_of_values(values, code, names):
    values = tidy(values) if not isinstance(values[0], list) else np.fromiter(values, object, 3)
    found, known = code_values(values)
    assert found.tolist() == code and known == names
    assert list(map(type, known)) == list(map(type, names))


def test_names_ascending():
    found = Coded(np.array([0, 1, 2, 0]), np.array(["b", "c", "a"]), ("note",)).sort()
    assert found.code.tolist() == [1, 2, 0, 1] and found.names.tolist() == ["a", "b", "c"]
    assert found.notes == ("note",)


def test_arrays_of_which_all_are_there():
    assert join_present([np.array([1]), np.array([2, 3])]).tolist() == [1, 2, 3]
    assert join_present([np.array([1]), None]) is None and join_present([None]) is None


# The fault that is named is the first of the data, as an engine knows it.


@pytest.mark.parametrize("some", [[2.0, 1.0, 3.0], [2, 1, None, 3], [2.0, 0.0, NAN, 3.0]], ids=str)
def test_the_outcome_that_the_data_begin_with(some):
    size, asked = len(some), []

    def find_first(part, odd):
        asked.append((part, odd.tolist()))
        return size - 1

    times = np.arange(1, size + 1)
    names = np.array(list("abcd")[:size])
    with pytest.raises(ValueError) as error:
        check_outcomes(tidy(some), names, times, find_first)
    last, present = names[-1], sum(t for t, v in zip(times, some) if v is not None and v == v)
    assert asked == [("correct", [value in (2, 3) for value in some])]
    assert str(error.value).startswith("correct must be 0 or 1, got 3")
    assert f"at question {last} ({1 + size} of {present} fail)" in str(error.value)
    good = check_outcomes(tidy([1, 0]), names[:2], times[:2], find_first)
    assert good.tolist() == [1, 0] and len(asked) == 1


def test_the_score_that_the_data_begin_with():
    def find_first(part, odd):
        return int(np.flatnonzero(odd)[-1])

    def place(part, row):
        return f"at {part} {row}"

    times = np.array([1, 2, 4])
    scores = np.array([np.inf, 0.5, -np.inf])
    with pytest.raises(ValueError, match=r"s must be finite, got -inf at s 2 \(5 of 7 fail\)"):
        check_scores("s", scores, times, place, find_first)
    for name, leave in ("score", "; pass score=False to leave the column out"), ("usd", ""):
        with pytest.raises(TypeError) as error:
            check_scores(name, tidy(["x", 1, "y"]), times, place, find_first)
        assert str(error.value) == f"{name} must hold numbers, got 'y' at {name} 2{leave}"


# Words for outcomes.


@pytest.mark.parametrize(
    "values, want, words",
    [
        (["Yes", " no", None, "Yes"], [True, False, None, True], {"Yes": True, " no": False}),
        (["c", "I", "N"], [True, False, False], dict(c=True, I=False, N=False)),
        (["failed", "pass"], [False, True], {"failed": False, "pass": True}),
        (["failed", "passed"], [False, True], dict(failed=False, passed=True)),
        (["wrong", "right"], [False, True], dict(wrong=False, right=True)),
        ([1, 0], [1, 0], {}),
        ([True, None], [True, None], {}),
        ([None, None], [None, None], {}),
    ],
    ids=str,
)
def test_words_as_flags(values, want, words):
    found, told = read_words(tidy(values), np.ones(len(values), int))
    assert found.tolist() == want and told == words


@pytest.mark.parametrize(
    "values, said",
    [
        (["yes", 1, "no"], "correct must hold 0/1 or bool, got 'no', 'yes' (4 of 6 fail); compare"),
        (["yes", "x", None, "b", "a"], "0/1 or bool, got 'a', 'b', 'x' (11 of 15 fail); compare"),
        # C is a word for an outcome, where all others are.
        (["x", "b", "a", "C", "b", "d"], "got 'a', 'b', 'd' (17 of 21 fail)"),
        (["yes", "pass", "no"], "words of one kind, got 'no' and 'pass' and 'yes'"),
        (["yes", "pass", "right", "solved", "no"], "got 'no' and 'pass' and 'right' and 'solved'"),
        (["C", "P"], "must be right or wrong, got 'P', which is partial credit; write C, P and"),
        (["P", "x"], "got 'P', 'x' (3 of 3 fail)"),
    ],
    ids=str,
)
def test_words_that_are_no_outcomes(values, said):
    with pytest.raises(TypeError) as error:
        read_words(tidy(values), np.arange(1, len(values) + 1))
    assert said in str(error.value) and str(error.value).startswith("correct must ")
    assert "solved'" not in said or str(error.value).endswith("'solved'")
