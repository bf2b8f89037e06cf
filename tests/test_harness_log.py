"""Logs that may come from anywhere: JSON, CSV, Parquet and archives; and which of their scores is
taken."""

import csv
import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib

import numpy as np
import pytest

from conftest import command
from harness_cases import (
    equal,
    EVAL,
    HEADER,
    inspect_sample,
    LM,
    load_lines,
    LOGS,
    MOCK,
    PARQUET,
    put,
    read,
    refusal,
    zipped,
)
from sampling_eval import score
from sampling_eval.reading.logs.archive import archive_members, unpack_zstandard
from sampling_eval.reading.logs.grading import find_grade, TextGrade
from sampling_eval.reading.logs.limits import (
    csv_columns,
    csv_rows,
    json_lines,
    Limits,
    parquet_columns,
    parquet_rows,
    parse_json,
    TooLarge,
)
from sampling_eval.reading.logs.log import open_log, read_sidecar


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def fail(call, *given, kind=ValueError):
    with pytest.raises(kind) as error:
        call(*given)
    return str(error.value)


# JSON.


@pytest.mark.parametrize(
    "data, said",
    [
        (
            b'{"b": 1, "a": 1, "a": 2, "b": 3}',
            "need valid JSON, got the key 'b' twice in one object in x",
        ),
        (
            b'{"c": {"a": 1, "b": 2, "b": 2}}',
            "need valid JSON, got the key 'b' twice in one object in x",
        ),
        (
            b"[" * 10**6,
            "JSON must not be nested this deeply, got more levels than the parser takes in x",
        ),
        (b'{"a":' * 10**5, "JSON must not be nested this deeply"),
        (b'"ab\xff"', "text must be UTF-8, got byte 0xff at offset 3 in x"),
        (b'{"a": 1', "need valid JSON"),
        (b"", "need valid JSON"),
        (b"1" * 5000, "a whole number may have at most 4,300 digits"),
        ('"\x00"'.encode(), "need valid JSON"),
    ],
)
def test_bad_json(data, said):
    assert fail(parse_json, data, "x").startswith(said)


def test_soft_json():
    value = parse_json(b'\xef\xbb\xbf{"a": NaN, "b": -Infinity, "c": "\\ud800", "d": [1, null]}')
    assert np.isnan(value["a"]) and value["b"] == -np.inf and value["d"] == [1, None]


# JSON lines.


def test_lines_of_a_limit(tmp_path):
    "A limit that is met exactly is fine."
    path = write(tmp_path / "x.jsonl", '{"a": 1}\n\n \n{"a": 22}')
    assert list(json_lines(path)) == [dict(a=1), dict(a=22)]
    assert list(json_lines(str(path), Limits(line=9))) == [dict(a=1), dict(a=22)]
    told = (
        "a line may hold at most 8 bytes, got more in line {} of x.jsonl; raise "
        "limits=Limits(line=...) if you trust the file"
    )
    assert fail(next, json_lines(path, Limits(line=8)), kind=TooLarge) == told.format(1)
    write(path, '{"a":1}\n\n{"a": 22}')
    assert fail(list, json_lines(path, Limits(line=8)), kind=TooLarge) == told.format(3)


def test_logs_beyond_a_limit(tmp_path):
    path = write(tmp_path / "x.jsonl", '{"task_id": "' + "x" * 10**5 + '"}')
    assert "a line may hold at most 1,000 bytes" in refusal(path, limits=Limits(line=1000))
    document = refusal(LOGS / "evalplus", limits=Limits(document=10))
    assert "a JSON document may hold at most 10 bytes" in document


@pytest.mark.skipif(sys.platform != "linux", reason="needs ulimit")
def test_one_gigabyte_line_in_little_memory(tmp_path):
    path = tmp_path / "x.jsonl"
    with open(path, "wb") as file:
        file.truncate(2**30)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "from sampling_eval.reading.logs.limits import json_lines\n"
        f"try: list(json_lines({str(path)!r}))\n"
        "except ValueError as fault: sys.exit(0 if 'a line may hold' in str(fault) else 1)"
    )
    threads = dict(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    assert subprocess.run([sys.executable, "-c", code], env=os.environ | threads).returncode == 0


@pytest.mark.parametrize(
    "text, said",
    [
        ("{}\n[1]\n", "a line must hold one JSON object, got [1] in line 3 of x.jsonl"),
        ('{}{"task_id": 1, "pass', "in line 2 of x.jsonl"),
        (" \n", "need one row or record per sample, got nothing in x.jsonl, an empty file"),
    ],
)
def test_lines_that_are_refused(tmp_path, text, said):
    first = '{"task_id": 1, "passed": true, "result": ""}\n'
    assert said in refusal(write(tmp_path / "x.jsonl", text.replace("{}", first, 1)))


# Containers.


@pytest.mark.parametrize(
    "name, text, kind, head",
    [
        ("x.json", '{"a": 1}\n{"a": 2}\n', "lines", dict(a=1)),
        ("x.jsonl", '{"a": 1}', "lines", dict(a=1)),
        ("x.json", '\n \n{"a": 1}\n{"a"', "lines", dict(a=1)),
        ("x.json", '{"a": 1}\n\n', "document", dict(a=1)),
        ("x.json", '{"a":\n1}', "document", dict(a=1)),
        ("x.json", "[1]\n", "document", [1]),
        ("x.json", "[[1], [2]]", "document", [[1], [2]]),
        ("x.json", '[{"a": 1}, 5]', "rows", dict(a=1)),
        ("x.json", ' [ {"a": 1}]', "rows", dict(a=1)),
        ("x.json", "[]", "document", []),
        ("x.json", '\ufeff{"a": 1}', "document", dict(a=1)),
        ("x.csv", "a,b\n1,2", "table", ["a", "b"]),
        ("x.csv", '{"a": 1}', "table", None),
        ("x.tsv", '{"a": 1}', "table", None),
        ("x.json", '{"a": 1}'.encode("utf-16-le"), "table", None),
        ("x.txt", "text", "table", None),
        ("x.json", '"text"', "table", None),
        ("x.csv", '"a"b', "table", []),
    ],
)
def test_containers_and_heads(name, text, kind, head, tmp_path):
    log = open_log(write(tmp_path / name, text))
    assert log.kind == kind and (log.head == head or name == "x.csv" and head is None)


def test_records_and_memory(tmp_path):
    lines, rows = write(tmp_path / "a.jsonl", '{"a": 1}\n{"a": 2}'), write(
        tmp_path / "b.json", '[{"a": 1}, {"a": 2}]'
    )
    document, big = write(tmp_path / "c.json", '{"a": 1}'), put(
        tmp_path / "d.json", [dict(a="x" * 2**17), dict(a=2)]
    )
    for path in lines, rows:
        assert list(open_log(path).records()) == [dict(a=1), dict(a=2)]
    assert list(open_log(document).records()) == [dict(a=1)] and open_log(big).items is not None
    kept = [open_log(path).count_kept() for path in (lines, rows, document, big)]
    assert kept == [0, 0, document.stat().st_size, big.stat().st_size]
    assert (
        fail(open_log, write(tmp_path / "e.jsonl", " \n"))
        == "need one row or record per sample, got nothing in e.jsonl, an empty file"
    )


def test_documents_of_a_limit(tmp_path):
    path = write(tmp_path / "x.json", '{"a":\n 1}')
    size = path.stat().st_size
    assert open_log(path, Limits(document=size)).head == dict(a=1)
    assert (
        fail(open_log, path, Limits(document=size - 1), kind=TooLarge)
        == f"a JSON document may hold at most {size - 1} bytes, got more in x.json; raise"
        " limits=Limits(document=...) if you trust the file"
    )
    # A first line beyond the limit of lines makes it no file of lines.
    two = write(tmp_path / "y.json", '{"a": 1}\n{"a": 2}')
    assert open_log(two, Limits(line=9)).kind == "lines" and "need valid JSON" in fail(
        open_log, two, Limits(line=8)
    )


def test_headers_of_archives(tmp_path):
    first, second = HEADER | dict(status="first"), HEADER | dict(status="second")
    for members, head in (
        ({"header.json": first, "_journal/start.json": second}, first),
        ({"_journal/start.json": second}, second),
        ({"x.json": first}, None),
    ):
        log = open_log(zipped(tmp_path / "a.eval", members))
        assert (log.kind, log.head) == ("archive", head)
    assert "in header.json of a.eval" in fail(
        open_log, zipped(tmp_path / "a.eval", {"header.json": b"{"})
    )


def test_rows_of_csv(tmp_path):
    path = write(tmp_path / "x.csv", '\ufeffa,b\n1,"x\ny"\n\n2,\n')
    assert csv_columns(path) == ["a", "b"] and csv_rows(path, Limits()) == [
        ["1", "x\ny"],
        ["2", ""],
    ]
    size = path.stat().st_size
    assert len(csv_rows(path, Limits(document=size))) == 2
    assert (
        fail(csv_rows, path, Limits(document=size - 1))
        == f"a CSV file may hold at most {size - 1} bytes, got more in x.csv; raise"
        " limits=Limits(document=...) if you trust the file"
    )
    assert (
        fail(csv_rows, write(path, "a,b\n1,2\n1,2,3\n"), Limits())
        == "a row must have 2 cells as the header has, got 3 in row 2 of x.csv"
    )
    assert fail(csv_rows, write(path, 'a,b\n"1"x,2\n'), Limits()).startswith("need valid CSV, got ")
    assert fail(csv_rows, write(path, b"a,b\n\xff,2\n"), Limits()).startswith(
        "need valid CSV, got "
    )
    assert (
        csv_columns(write(path, b"a\xff\n")) == ["a\ufffd"]
        and csv_columns(write(path, "")) == csv_columns(write(path, '"a"b')) == []
    )
    before = csv.field_size_limit()
    long = write(path, "a,b\n1," + "x" * 200_000)
    assert len(csv_rows(long, Limits())[0][1]) == 200_000 and csv.field_size_limit() == before
    assert "field larger than field limit" in fail(
        csv_rows, write(path, 'a\n"1234\n67890"\n'), Limits(line=8)
    )


def test_rows_of_parquet(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "a[1]*?.parquet"
    duckdb.sql("SELECT range AS id, 'x' AS \"a\"\"b\" FROM range(1001)").write_parquet(
        str(tmp_path / "plain.parquet")
    )
    (tmp_path / "plain.parquet").rename(path)
    assert (
        parquet_columns(path) == ["id", 'a"b']
        and list(parquet_rows(path, ['a"b']))[:2] == [{'a"b': "x"}] * 2
    )
    rows = list(parquet_rows(path))
    assert len(rows) == 1001 and rows[-1] == {"id": 1000, 'a"b': "x"}
    log = open_log(path)
    assert (log.kind, log.head, log.count_kept()) == ("parquet", {"id": None, 'a"b': None}, 0)
    assert next(log.records(["id"])) == dict(id=0)
    broken = write(tmp_path / "b.parquet", b"PAR1 and nothing")
    assert fail(parquet_columns, broken).startswith("need a complete Parquet file, got ") and fail(
        parquet_columns, broken
    ).endswith(" in b.parquet")


def test_damaged_parquet(tmp_path):
    path = tmp_path / "c.parquet"
    path.write_bytes(next(iter(PARQUET.values())).read_bytes()[:3000])
    assert "need a complete Parquet file" in refusal(path)


def test_files_beside_a_log(tmp_path):
    assert read_sidecar(tmp_path / "none.json", Limits()) == {}
    for text, want in (('{"a": 1}', dict(a=1)), ("[1]", {}), ("a,b", {})):
        assert read_sidecar(write(tmp_path / "x.json", text), Limits()) == want


# Archives that may come from anywhere.


def test_every_cut_of_an_archive_is_refused(tmp_path):
    data, path = EVAL.read_bytes(), tmp_path / "cut.eval"
    for size in range(2, len(data), 101):
        path.write_bytes(data[:size])
        with pytest.raises(ValueError):
            read(path)


@pytest.mark.parametrize("source, score", [(EVAL, None), (MOCK, "match")])
def test_flipped_bytes_never_crash(tmp_path, source, score):
    data, path, rng = source.read_bytes(), tmp_path / "flip.eval", np.random.default_rng(0)
    for at in rng.integers(0, len(data), 150):
        path.write_bytes(data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :])
        try:
            read(path, score=score)
        except (ValueError, FileNotFoundError):
            pass


def test_bombs(tmp_path):
    members = {"header.json": HEADER, "samples/1_epoch_1.json": bytes(10**8)}
    bomb = zipped(tmp_path / "bomb.eval", members)
    with pytest.raises(ValueError, match="an unpacked archive may hold at most"):
        read(bomb)
    with pytest.raises(ValueError, match="an unpacked archive may hold at most 1,000 bytes"):
        list(archive_members(bomb, limits=Limits(document=1000)))
    many = zipped(tmp_path / "many.eval", {f"samples/{i}.json": bytes(10**6) for i in range(5)})
    with pytest.raises(ValueError, match="raise limits=Limits"):
        list(archive_members(many, limits=Limits(free=3 * 10**6)))


def test_zstandard_bomb():
    pyarrow = pytest.importorskip("pyarrow")
    packed = pyarrow.compress(bytes(10**7), codec="zstd", asbytes=True)
    assert len(packed) < 10**4 and len(unpack_zstandard(packed, 1000)) == 1000
    with pytest.raises(zipfile.BadZipFile):
        unpack_zstandard(b"(\xb5/\xfd" + bytes(range(40)), 10**6)


def test_names_in_archives_are_labels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = "samples/../../../evil.json", "samples//etc/passwd.json", "samples/C:\\evil.json"
    samples = {name: inspect_sample("q", i + 1, "C") for i, name in enumerate(names)}
    path = zipped(tmp_path / "a.eval", {"header.json": HEADER} | samples)
    assert read(path).correct.tolist() == [1, 1, 1]
    assert [p.name for p in tmp_path.rglob("*")] == ["a.eval"]


def test_other_archives(tmp_path):
    with pytest.raises(ValueError, match="holds no file that is read"):
        read(zipped(tmp_path / "a.zip", {"x.txt": b"x"}))
    lzma = zipped(tmp_path / "b.eval", {"header.json": HEADER}, zipfile.ZIP_LZMA)
    with pytest.raises(ValueError, match="compression method 14"):
        read(lzma)


# Limits met exactly, and members that Zstandard compressed.


def sizes(path, wanted=lambda name: True, **limits):
    "Bytes of each member, or what is said of them."
    try:
        return {name: len(data) for name, data in archive_members(path, wanted, Limits(**limits))}
    except ValueError as error:
        return str(error)


def test_limits_of_members_and_of_all(tmp_path):
    path = zipped(tmp_path / "a.zip", {"a": bytes(100), "b": bytes(50)}, zipfile.ZIP_STORED)
    size, whole = path.stat().st_size, dict(a=100, b=50)
    told = (
        "an unpacked archive may hold at most {} bytes, got more in {!r} of a.zip; raise"
        " limits=Limits({}=...) if you trust the file"
    )
    assert sizes(path, document=100) == sizes(path, ratio=0, free=150) == whole
    assert sizes(path, document=99) == told.format(99, "a", "document")
    assert sizes(path, ratio=0, free=149) == told.format(49, "b", "ratio")
    assert (
        sizes(path, ratio=0, free=99) == told.format(99, "a", "ratio")
        and sizes(path, ratio=1, free=0) == whole
        and size > 150
    )
    assert sizes(path, document=50, free=50, ratio=0) == told.format(50, "a", "document")
    assert (
        sizes(path, lambda name: name == "b", ratio=0, free=50) == dict(b=50)
        and sizes(path) == whole
    )


def pack_zstandard(path, data, **change):
    "An archive with one member that is compressed by method 93."
    packed = pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    facts = (
        dict(
            method=93,
            flags=0,
            crc=zlib.crc32(data),
            packed=len(packed),
            size=len(data),
            magic=b"PK\3\4",
        )
        | change
    )
    common = struct.pack(
        "<HHHHIIIHH",
        facts["flags"],
        facts["method"],
        0,
        33,
        facts["crc"],
        facts["packed"],
        facts["size"],
        1,
        4,
    )
    local = facts["magic"] + struct.pack("<H", 63) + common + b"a" + b"\xff\xff\0\0" + packed
    common = struct.pack(
        "<HHHHIIIHH",
        facts["flags"],
        facts["method"],
        0,
        33,
        facts["crc"],
        facts["packed"],
        facts["size"],
        1,
        0,
    )
    entry = (
        b"PK\1\2"
        + struct.pack("<HH", 63, 63)
        + common
        + struct.pack("<HHHII", 0, 0, 0, 0, 0)
        + b"a"
    )
    path.write_bytes(
        local + entry + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)
    )
    return path


def test_members_of_zstandard(tmp_path):
    path, data = tmp_path / "a.eval", b"text " * 50
    assert list(archive_members(pack_zstandard(path, data))) == [("a", data)]
    assert sizes(path, document=250) == dict(
        a=250
    ) and "at most 249 bytes, got more in 'a'" in sizes(path, document=249)
    assert list(archive_members(pack_zstandard(path, b""))) == [("a", b"")]
    told = "need a complete zip archive, got {} in a.eval; was the run interrupted?"
    for change, fault in (
        (dict(crc=5), "a wrong checksum"),
        (dict(size=249), "a wrong checksum"),
        (dict(size=251), "a wrong checksum"),
        (dict(flags=1), "an encrypted member"),
        (dict(magic=b"PK\3\5"), "a member without a header"),
        (dict(method=98), "compression method 98"),
        (dict(method=98, size=251), "compression method 98"),
    ):
        assert sizes(pack_zstandard(path, data, **change)) == told.format(fault), change
    assert sizes(pack_zstandard(path, data, packed=8)) != dict(a=250)


def test_the_beginning_of_what_is_packed():
    compress = pytest.importorskip("zstandard").ZstdCompressor().compress
    packed = compress(b"one ") + compress(b"two")
    assert [unpack_zstandard(packed, most) for most in (0, 3, 7, 9)] == [
        b"",
        b"one",
        b"one two",
        b"one two",
    ]
    with pytest.raises(zipfile.BadZipFile):
        unpack_zstandard(b"no frame", 5)


# Scores that are chosen, thresholds, and texts that are judged anew.

KINDS = LOGS / "lm_eval_kinds/mock"
REPEATS = next(KINDS.glob("samples_mygen_rep_*"))
CHOICES = next(KINDS.glob("samples_mymc_*"))
PROGRAMS = LOGS / "human_eval/example_samples.jsonl"


def mean(path, **options):
    return float(score(path, "avg@n", **options).rows[0].estimate)


def count_right():
    "Right texts of each question, counted by hand."
    first = {record["doc_id"]: record for record in load_lines(REPEATS)}
    return [record["resps"][0].count(record["target"]) for record in first.values()]


# Judged by name.


def test_repeats_of_lm_eval_are_judged_by_name():
    with pytest.raises(ValueError, match="4 texts a question.*pass grade='exact' or 'number'"):
        score(REPEATS, "avg@n")
    for grade in "exact", "number":
        report = score(REPEATS, "avg@n", grade=grade)
        assert report.questions["n"].tolist() == [4] * 6
        assert report.questions["c"].tolist() == count_right()
        assert read(REPEATS, grade=grade).notes["graded_texts"] == 0


def test_the_command_judges_by_name():
    words = ["score", REPEATS, "-m", "avg@n", "-f", "json"]
    done = command(*words, "--grade", "exact")
    assert json.loads(done.stdout)["rows"][0]["estimate"] == sum(count_right()) / 24
    told = command(*words).stderr
    assert "pass --grade exact or number to compare each text" in told
    told = command(*words, "--grade", "loose").stderr
    assert "invalid choice: 'loose'" in told


@pytest.mark.parametrize(
    "rule, pairs, other",
    [
        ("exact", [(" 4\n", "4"), ("4", 4), ("a", ["b", "a"])], [("4.0", "4"), ("a", "b")]),
        (
            "number",
            [("4.0", "4"), ("1,000", 1000), ("1/2", 0.5), ("3", ["2", 3])],
            [("it is 4", "4"), ("one", "1")],
        ),
    ],
)
def test_what_is_equal(rule, pairs, other):
    grade = find_grade(rule)
    assert all(grade(*pair) for pair in pairs) and not any(grade(*pair) for pair in other)
    assert (grade.judged, grade.odd) == (len(pairs + other), 2 * (rule == "number"))
    assert find_grade(None) is None and find_grade(max) is max
    assert find_grade("number") == TextGrade("number")


@pytest.mark.parametrize(
    "rule, target, said",
    [
        ("exact", None, "the right answer beside each text, got None"),
        ("exact", ["a", None], "the right answer beside each text, got None"),
        ("exact", [], None),  # An empty list is an answer as any other
        ("number", "one", "a number as the right answer beside each text, got 'one'"),
    ],
)
def test_a_grade_needs_something_to_compare_with(tmp_path, rule, target, said):
    lines = [dict(input="q", output="a", score=1, gts=target)]
    path = put(tmp_path / "x.jsonl", lines, True)
    if said is None:
        assert read(path, grade=rule).correct.tolist() == [0]
    else:
        assert (
            refusal(path, grade=rule) == f"grade={rule!r} needs {said} for question 'q' in x.jsonl"
        )


def test_grades_that_are_refused():
    for odd in "loose", 5, ["exact"]:
        assert (
            refusal(REPEATS, grade=odd)
            == "grade must be 'exact', 'number', 'last_line' or a function of (answer, target),"
            f" got {odd!r}"
        )
    assert "got None for question 'test/0' in example_samples.jsonl" in refusal(
        PROGRAMS, grade="exact"
    )
    assert (
        refusal(LOGS / "tau2/results.json", grade="exact")
        == "grade='exact' compares the text of an answer with the target, and these logs hold no"
        " such "
        "text; leave grade= out to take the stored outcomes"
    )


def test_what_a_function_may_say():
    def graded(grade):
        return read(LM[1], filter="maj@4", grade=grade).correct

    with pytest.raises(TypeError, match="grade must return True, False or None, got 'yes'"):
        graded(lambda a, t: "yes")
    for verdict in 2, 0.5, [1]:
        with pytest.raises(TypeError, match="grade must return True"):
            graded(lambda a, t: verdict)
    with pytest.raises(ZeroDivisionError):
        graded(lambda a, t: 1 / 0)
    assert graded(lambda a, t: 1).all() and graded(lambda a, t: np.bool_(True)).all()
    assert np.isnan(graded(lambda a, t: None)).all()


def test_choices_keep_what_the_harness_judged():
    assert mean(CHOICES, grade="exact") == pytest.approx(1 / 3)
    report = score(KINDS, "avg@n", grade="exact")
    assert report["mymc", "avg@1"].estimate == pytest.approx(1 / 3)
    assert report["mygen_rep", "avg@4"].estimate == sum(count_right()) / 24


def test_texts_that_all_filters_share_need_no_choice():
    for options, name in ({}, "score-first"), (dict(filter="maj@4"), "maj@4"):
        took = read(REPEATS, grade="exact", **options).took
        assert (took["filter"], took["answer"]) == (name, "resps")
    assert "pass filter= one of 'strict-match', 'flexible-extract'" in refusal(LM[0], grade="exact")
    assert (
        refusal(LOGS / "human_eval", filter="x")
        == "filter= is for logs that hold several, got logs of human-eval"
    )


# Scores, and what the reading of tables adds.


def test_a_score_that_some_logs_have(tmp_path):
    "Where there is no choice, none is refused."

    def write(name, **metrics):
        row = dict(doc_id=name, target="", filter="none", resps=[["x"]], filtered_resps=["x"])
        return put(tmp_path / f"{name}.jsonl", [row | metrics], True)

    one, two = write("a", em=1.0, f1=0.5), write("b", acc=0.0)
    assert read([one, two], score="f1").score.tolist() == [0.5, 0]
    assert refusal(two, score="f1") == "score must be one of 'acc', got 'f1' for b.jsonl"
    assert "score must be one of 'em', 'f1', got 'acc'" in refusal([one, two], score="acc")


def test_a_threshold_decides_graded_scores():
    assert mean(LOGS / "verl/100.jsonl", score="reward", threshold=0) == 5 / 8
    decided = dict(score="grade", threshold=0.5)
    with pytest.raises(ValueError, match="missing"):
        score(MOCK, "avg@n", **decided)
    assert mean(MOCK, missing="wrong", **decided) == 2 / 8


def test_samples_that_appear_twice(tmp_path):
    twice = {f"samples/{i}.json": inspect_sample("q", 1, "C") for i in range(2)}
    path = zipped(tmp_path / "a.eval", {"header.json": HEADER} | twice)
    with pytest.raises(ValueError, match="each sample must appear once"):
        score(path, "avg@n")


@pytest.mark.parametrize(
    "value, said",
    [(float("inf"), "score must be finite"), ("high", "holds no score"), (None, "holds no score")],
)
def test_scores_that_are_refused(tmp_path, value, said):
    path = put(tmp_path / "x.jsonl", [dict(input="q", output="a", score=value)], True)
    with pytest.raises(ValueError, match=said):
        score(path, "avg@n")


def test_tables_pass_through(tmp_path):
    rows = [dict(question="a", correct=1), dict(question="a", correct=0)]
    for path in put(tmp_path / "run[1]*.jsonl", rows, True), put(tmp_path / "t.json", rows):
        assert read(path) is None and mean(path) == 0.5
    odd = put(tmp_path / "o.jsonl", [dict(frage="a", correct=1)], True)
    assert mean(odd, question="frage") == 1
    with pytest.raises(ValueError, match="Which column holds the answer"):
        score(odd, "avg@n", grade=equal)
    with pytest.raises(ValueError, match="a log has its own columns, got question='x'"):
        score(EVAL, "avg@n", question="x", harness="inspect")
