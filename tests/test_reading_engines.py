"What an engine counts: repeats that cannot hide, odd types, faults in large files."

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import duckdb
import numpy as np
import polars as pl
import pytest

from sampling_eval import score
from sampling_eval.reading.duckdb import engine
from sampling_eval.reading.duckdb import scans
from sampling_eval.reading import tables as sources
from sampling_eval.reading.load import load, read
from sampling_eval.reading.options import Options, Policy
from test_reading_origins import (
    COUNTED,
    FEW,
    LAZY,
    draw,
    make,
    read_plain,
    tell,  # noqa: F401
    write_file,
)

pytestmark = pytest.mark.filterwarnings("ignore")
ENGINES = [name for name in (*COUNTED, *LAZY) if name in FEW or name in LAZY]


@pytest.fixture
def large(monkeypatch):
    monkeypatch.setattr(sources, "SMALL", -1)


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# Repeats.

NUMBERS = {
    "small": range(5),
    "from one": range(1, 6),
    "beyond bits": range(150, 160),
    "large": [10**9, 7, -3],
    "text": ["a", "b", "c"],
}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("kind", NUMBERS)
def test_repeated_samples_are_found(name, kind, make):
    numbers = list(NUMBERS[kind])
    columns = dict(
        question=["x"] * len(numbers) + ["y"] * len(numbers),
        sample=numbers * 2,
        correct=[1] * 2 * len(numbers),
    )
    again = {part: values + values[-1:] for part, values in columns.items()}
    for draws in (True, False) if name in COUNTED else (True,):
        assert len(load(make(name, columns), Options.of({}, draws=draws)).rows) == 2 * len(numbers)
        with pytest.raises(ValueError, match="must appear once, got question 'y', sample .*1 row"):
            load(make(name, again), Options.of({}, draws=draws))
    if kind == "small":
        assert len(read(make(name, again), sample=False)) == 2 * len(numbers) + 1


FLAWS = {
    "none": {},
    "lost": dict(correct=None),
    "odd": dict(correct=2),
    "negative": dict(sample=-1),
    "beyond bits": dict(sample=126),
    "far": dict(sample=1000),
    "twice": dict(sample=0),
}


@pytest.mark.parametrize(
    "kind, size",
    [(bool, 5), (int, 62), (float, 63), (int, 104), (bool, 126), (float, 126), (int, 156)],
)
@pytest.mark.parametrize("end", ["jsonl", "parquet", "csv"])
def test_sets_of_samples_change_nothing(kind, size, end, tmp_path, large, monkeypatch):
    by_bits, used = engine.count_by_bits, {}
    for flaw, other in FLAWS.items():
        rows = [
            dict(question=q, sample=i, correct=kind((i * 7 + len(q)) % 3 == 0))
            for q in ("a", "bb", "ccc")
            for i in range(size)
        ]
        rows[size + 2] |= {
            part: value if value is None or part == "sample" else kind(value)
            for part, value in other.items()
        }
        path = tmp_path / f"{flaw}.{end}"
        if end == "jsonl":
            lines(path, *rows)
        elif end == "parquet":
            pl.DataFrame(rows).write_parquet(path)
        else:
            pl.DataFrame(rows).write_csv(path)

        def count(*told):
            found = by_bits(*told)
            used[flaw] = found is not None
            return found

        monkeypatch.setattr(engine, "count_by_bits", count)
        found = tell_runs(path)
        if used.get(flaw) is False:
            continue  # rows were compared one by one as it is
        monkeypatch.setattr(engine, "count_by_bits", lambda *told: None)
        assert found == tell_runs(path), flaw
    assert used["none"] == used["lost"] == (size <= 126) and not used["far"] | used["twice"]


def tell_runs(path):
    "Everything that is known of the rows and their runs, or the error."
    try:
        rows = load(str(path), Options.of(dict(missing="wrong"), runs=True)).rows
    except ValueError as error:
        return str(error)
    return (
        rows.questions.tolist(),
        rows.question.tolist(),
        rows.times.tolist(),
        list(map(str, rows.correct.tolist())),
        rows.runs.tolist(),
        rows.run_names,
        rows.source,
    )


def test_many_repeats_of_one_sample_do_not_cancel():
    for times in (2, 3, 8, 4096, 10_000):
        with pytest.raises(ValueError, match="each sample must appear once"):
            read(pl.LazyFrame(dict(id=[1] * times, sample=[51] * times, correct=[1] * times)))


def shuffle(columns, seed=0):
    order = np.random.default_rng(seed).permutation(len(columns["question"])).tolist()
    return {name: [values[i] for i in order] for name, values in columns.items()}


@pytest.mark.parametrize("ends", ["a.parquet", "a.jsonl", "a.csv"])
def test_samples_in_place_of_others_are_found(ends, tmp_path, large):
    "Another sample twice in each of many questions: no two questions are of one kind."
    many = engine.KINDS + 6
    for questions in 1, 3, many:
        sample = [s for q in range(questions) for s in (*range(20 + q), 3)]
        question = [q for q in range(questions) for _ in range(21 + q)]
        columns = shuffle(dict(question=question, sample=sample, correct=[1] * len(sample)))
        path = write_file(ends)(columns, tmp_path)
        with pytest.raises(
            ValueError,
            match=rf"sample 3 at row \d+ of {ends} and again at row"
            rf" \d+ of {ends} \({questions} rows? repeats?\)",
        ):
            load(path)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("numbers", [[0, None], [0.0, None], ["a", None]])
def test_samples_without_a_name_are_refused(name, numbers, make):
    columns = dict(question=["x", "x"], sample=numbers, correct=[1, 0])
    with pytest.raises(ValueError, match=r"every row needs a sample, got none .* \(1 of 2 fail\)"):
        read(make(name, columns))


def test_a_real_nan_is_no_sample_number():
    columns = dict(id=["x", "x"], sample=[0.0, float("nan")], correct=[1, 0])
    for frame in pl.DataFrame(columns), pl.LazyFrame(columns):
        with pytest.raises(ValueError, match="every row needs a sample"):
            read(frame)


# Types.

KINDS = "BOOLEAN", "TINYINT", "UBIGINT", "HUGEINT", "FLOAT", "DECIMAL(4, 1)"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [2**23, -1], ids=["read", "counted"])
def test_odd_types_in_parquet_and_relations(kind, size, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SMALL", size)
    query = (
        f"SELECT i // 2 AS question, i % 2 AS sample, (i % 3 = 0)::{kind} AS correct, "
        "(i / 8)::DECIMAL(9, 3) AS score FROM range(8) t(i)"
    )
    duckdb.sql(query).write_parquet(str(tmp_path / "a.parquet"))
    for data in tmp_path / "a.parquet", duckdb.sql(query):
        counts = read(data).counts()
        assert counts.c.tolist() == [1, 1, 0, 1]
        np.testing.assert_allclose(counts.score_sum, [1 / 8, 5 / 8, 9 / 8, 13 / 8][:4])
        assert read(data, score=False).counts().c.tolist() == [1, 1, 0, 1]


@pytest.mark.parametrize(
    "name",
    ["polars", "arrow", "duckdb", "a.jsonl", "a.parquet", "large a.jsonl", "large a.parquet"],
)
def test_answers_keep_their_kind(name, make):
    columns = dict(question=[1, 1, 1], sample=[0, 1, 2], correct=[1, 0, 1], answer=[7, 8, 7])
    votes = read(make(name, columns)).counts().votes
    assert votes.answer.tolist() == [7, 8] and votes.votes.tolist() == [2, 1]


@pytest.mark.parametrize("size", [2**23, -1], ids=["read", "counted"])
def test_nested_answers_are_one_whatever_their_order(size, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SMALL", size)
    path = tmp_path / "b.jsonl"
    path.write_text(
        '{"id": 1, "answer": {"y": 1, "x": [2]}, "correct": 1}\n'
        '{"id": 1, "answer": {"x":[2], "y":1}, "correct": 1}\n'
        '{"id": 1, "answer": "7", "correct": 0}\n'
    )
    assert sorted(read(path).counts().votes.votes.tolist()) == [1, 2]


@pytest.mark.parametrize("size", [2**23, -1], ids=["read", "counted"])
def test_votes_of_missing_samples_are_blank_for_every_reader(size, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SMALL", size)
    rows = [
        dict(question=1, sample=0, correct=1, answer="a"),
        dict(question=1, sample=1, correct=None, answer="a"),
        dict(question=1, sample=2, correct=0, answer="b"),
    ]
    votes = (
        load(
            lines(tmp_path / "a.jsonl", *rows),
            Options.of(dict(missing="wrong", no_answer="abstain")),
        )
        .blocks["", ""]
        .votes
    )
    assert votes.votes.tolist() == [1, 1] and votes.blank.tolist() == [1]


# Scores.


def test_many_different_scores_are_summed_unless_asked_for():
    size = 4000
    columns = dict(
        question=[0, 1] * (size // 2),
        sample=[i // 2 for i in range(size)],
        correct=[1, 0] * (size // 2),
        score=[i / size for i in range(size)],
    )
    frame = pl.LazyFrame(columns)
    few, all_ = (load(frame, Options.of({}, scores=scores)) for scores in (None, True))
    assert len(few.rows.times) == 2 and few.rows.score is None
    assert "single scores were not kept" in few.lacks["rewards"]
    assert len(all_.rows.times) == size
    assert all_.blocks["", ""].rewards.n.tolist() == [size // 2] * 2
    np.testing.assert_allclose(few.blocks["", ""].score_sum, all_.blocks["", ""].score_sum)


# Files.


def test_files_of_several_kinds(tmp_path, monkeypatch):
    a = lines(tmp_path / "a.jsonl", dict(id=7, epoch=1, passed=True))
    b, c = tmp_path / "b.csv", tmp_path / "c.parquet"
    b.write_text("id,epoch,passed\n7,2,false\n007,1,\n")
    pl.DataFrame(dict(id=["7", "8"], epoch=[3, 1], passed=[True, True])).write_parquet(c)
    d = lines(tmp_path / "d.jsonl", dict(id="7", epoch=2, passed=True))
    for size in 2**23, -1:
        monkeypatch.setattr(sources, "SMALL", size)
        counts = read([a, b, c]).counts(Policy("wrong"))
        assert dict(zip(counts.questions, counts.n)) == {"7": 3, "007": 1, "8": 1}
        assert "compared as text" in read([a, b, c]).source
        with pytest.raises(ValueError, match="each sample must appear once"):
            read([a, b, c, d])


def test_json_text_in_two_spellings_is_one_name(tmp_path, large):
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": "caf\\u00e9", "correct": 1}\n{"id": "café", "correct": 0.0}\n'
        '{"correct": null, "id": "café"}\n{"id": "café"}\n'
    )
    assert read(path).counts(Policy("drop")).n.tolist() == [2]
    assert read(path).counts(Policy("wrong")).missing.tolist() == [2]


FAULTS = {
    "cut": '{"id": 1, "passed": true}\n{"id": 1, "pas',
    "array": "[1, 2]\n",
    "number": '{"id": 1, "passed": 1}\n3\n',
    "twice": '{"id": 1, "passed": 1, "passed": 0}\n',
    "mixed": '{"id": 1, "passed": 1}\n{"id": 1, "passed": true}\n',
    "nested": '{"id": [1], "passed": 1}\n',
    "text": '{"id": 1, "passed": "1"}\n',
    "no id": '{"x": 1, "passed": 1}\n',
    "half id": '{"id": 1, "passed": 1}\n{"passed": 1}\n',
    "empty": "",
    "nan": '{"id": 1, "passed": NaN}\n',
    "real id": '{"id": 1.5, "passed": 1}\n',
    "blank": "\n\n",
    "words": '{"id": 1, "score": "high"}\n',
    "odd": '{"id": 1, "passed": 0.5}\n',
}
TABLES = [
    "id,passed\n1,1,1\n",
    "id,id\n1,1\n",
    'id,passed\n1,"1\n',
    "id,passed\n",
    "id;passed\n1;0\n2;1\n",
    "id,passed\n1,yes\n",
    "id,passed\n1,1\n,1\n",
    "id,passed\n1,true\n2,0\n",
    "id,score\n1,0.5\n1,high\n",
    "id,passed\n1,1.0\n2,nan\n",
]


def find_outcome(path):
    try:
        return read_plain(path).counts(Policy("wrong")).c.tolist()
    except (ValueError, TypeError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_json_lines_are_told_alike(fault, tmp_path, monkeypatch):
    path = tmp_path / "bad.jsonl"
    path.write_text(FAULTS[fault])
    want = find_outcome(path)
    monkeypatch.setattr(sources, "SMALL", -1)
    assert find_outcome(path) == want


@pytest.mark.parametrize("text", TABLES)
def test_csv_is_read_alike(text, tmp_path, monkeypatch):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    want = find_outcome(path)
    monkeypatch.setattr(sources, "SMALL", -1)
    assert find_outcome(path) == want


def test_paths(tmp_path, large):
    odd = lines(tmp_path / "it's [1] ü.jsonl", dict(id="a'b", correct=1))
    assert read(odd).questions.tolist() == ["a'b"] == read(tmp_path / "*.jsonl").questions.tolist()
    shutil.copy(odd, tmp_path / "copy.jsonl")
    with pytest.raises(ValueError, match="the same file twice"):
        read(tmp_path / "*.jsonl")


def test_column_names_that_need_quoting(tmp_path, large):
    columns = {'the "id"': [1, 1], "it's; DROP": [1, 0]}
    named = dict(question='the "id"', correct="it's; DROP")
    for name in "a.jsonl", "a.csv", "a.parquet":
        assert read(write_file(name)(columns, tmp_path), **named).counts().c.tolist() == [1]


def test_addresses_are_passed_on():
    with pytest.raises(ValueError, match="cannot read 's3://bucket.invalid/a.parquet'|httpfs"):
        read("s3://bucket.invalid/a.parquet")
    with pytest.raises(ValueError, match="is of no kind that is read"):
        read("s3://bucket/a.txt")
    with pytest.raises(ValueError, match="the same file twice"):
        read(["s3://b/a.csv"] * 2)


def test_large_json_learns_its_columns_from_the_first_rows(tmp_path, monkeypatch, large):
    monkeypatch.setattr(scans, "LARGE", 10)
    monkeypatch.setattr(scans, "FIRST", 3)
    columns = draw(text=True, missing=True, samples=9)
    for name in "a.jsonl", "a.json", "a.jsonl.gz":
        assert tell(read(write_file(name)(columns, tmp_path))) == tell(read(columns))
    with pytest.raises(ValueError, match="the same file twice"):
        read([tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"])
    hollow = tmp_path / "hollow.jsonl"
    hollow.write_text("\n" * 20)
    with pytest.raises(ValueError, match="holds no rows"):
        read(hollow, harness="table")


LATE = {
    "a share among flags": ("correct", [True, False] * 4, 0.7),
    "a word among flags": ("correct", [True, False] * 4, "yes"),
    "a share among outcomes": ("correct", [1, 0] * 4, 0.7),
    "a word among outcomes": ("correct", [1, 0] * 4, "yes"),
    "a fraction among names": ("question", [1, 2] * 4, 2.5),
    "a list among names": ("question", [1, 2] * 4, [1]),
    "a flag among names": ("question", [1, 2] * 4, True),
    "no name": ("question", ["a", "b"] * 4, None),
    "a word among scores": ("score", [0.5, 1] * 4, "high"),
    "a word among samples": ("sample", list(range(8)), "x"),
    "a number among words": ("question", ["a", "b"] * 4, 7),
}


@pytest.mark.parametrize("late", LATE)
def test_what_comes_after_the_first_rows_is_not_taken_for_something_else(
    late, tmp_path, monkeypatch
):
    part, values, odd = LATE[late]
    rows = [
        dict(question=i % 2, sample=i, correct=i % 2) | {part: value}
        for i, value in enumerate([*values, odd])
    ]
    path = lines(tmp_path / "a.jsonl", *rows)
    want = find_outcome(path)
    monkeypatch.setattr(sources, "SMALL", -1)
    monkeypatch.setattr(scans, "FIRST", 4)
    assert sorted(map(str, find_outcome(path))) == sorted(map(str, want))


def test_interrupt_while_counting_leaves_nothing(tmp_path):
    "Ctrl-C during a long count ends the process without a file."
    big, out = tmp_path / "big.parquet", tmp_path / "out.parquet"
    duckdb.sql(
        "COPY (SELECT hash(i) % 1000 AS question, i AS sample, 1 AS correct "
        f"FROM range(3000000) t(i)) TO '{big}'"
    )
    code = (
        "from sampling_eval.reading.counts_file import write_counts; "
        "from sampling_eval.reading.load import read; print('go', flush=True); "
        f"write_counts({str(out)!r}, read({str(big)!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "go\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    told = errors.upper()
    assert process.returncode == 0 or "KEYBOARDINTERRUPT" in told or "INTERRUPT" in told
    assert set(os.listdir(tmp_path)) <= {"big.parquet", "out.parquet"}
    if out.exists():
        assert len(read(out)) == 3_000_000


def test_json_of_which_no_column_has_a_type(tmp_path, large):
    "Names of two kinds and lists: every column stays text."
    path = lines(tmp_path / "a.jsonl", dict(id=1, correct=[1, 0]), dict(id="b", correct=[1, 1]))
    counts = load(path, Options.of({})).blocks["", ""]
    assert counts.questions.tolist() == ["1", "b"] and counts.c.tolist() == [1, 2]


# Headers.


def test_names_of_columns_on_several_lines(large, tmp_path):
    "A header of two lines is one header, whoever reads the rows below it."
    path = tmp_path / "run.csv"
    path.write_text('"question","of\nwhich try","correct"\na,0,1\na,1,0\nb,0,1\nb,1,1\n')
    found = score(path, "pass@1", sample="of\nwhich try")
    assert found.estimates() == {"pass@1": 0.75}
