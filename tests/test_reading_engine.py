"""What DuckDB and lazy frames count.

Every column of the counted rows, and where the first fault stands."""

import gzip
import json

import duckdb
import polars as pl
import pyarrow as pa
import pytest

from conftest import name_kind
from sampling_eval.reading import frames, identity, reduce, rules
from sampling_eval.reading.duckdb import engine, scans
from sampling_eval.reading import tables as sources
from sampling_eval.reading.duckdb.sql import connect
from sampling_eval.reading.load import load, read
from sampling_eval.reading.options import Options

RICH = dict(
    id=["b", "b", "b", "a", "a", "a", "b", "a"],
    trial=[0, 1, 2, 0, 1, 2, 0, 52],
    passed=[1, 0, 1, None, 1, 0, 1, 0],
    score=[0.5, 0.25, 0.5, 1, None, 0.25, 1, 0.25],
    answer=["x", "y", "x", None, "x", "y", "z", "y"],
    model=["m", "m", "m", "m", "m", "m", "n", "m"],
    passage=["p", "p", "p", "q", "q", "q", "p", "q"],
    part=["u", "u", "u", "v", "v", "v", "u", "v"],
    points=[2.0, 2, 2, 0.5, 0.5, 0.5, 2, 0.5],
    cost=[1, 2, 3, 4, None, 6, 7, 8],
)


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError)) as error:
        check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


def pick(*names):
    return {name: RICH[name] for name in names}


def write_lines(path, columns):
    rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_csv(path, columns):
    lines = [list(columns), *zip(*columns.values())]
    path.write_text(
        "".join(",".join("" if v is None else str(v) for v in line) + "\n" for line in lines)
    )


MAKE = {
    "a.jsonl": write_lines,
    "a.csv": write_csv,
    "a.parquet": lambda path, o: pl.DataFrame(o).write_parquet(path),
}
ENGINES = [*MAKE, "relation", "lazy"]


@pytest.fixture
def make(tmp_path, monkeypatch):
    "Data that an engine counts."
    monkeypatch.setattr(sources, "SMALL", -1)

    def make_data(name, columns):
        if name == "relation":
            return duckdb.from_arrow(pa.table(columns))
        if name == "lazy":
            return pl.LazyFrame(columns)
        MAKE[name](tmp_path / name, columns)
        return str(tmp_path / name)

    return make_data


PARTS = ("correct", "answer", "score", "total", "scored", "model", "group", "cluster", "weight")


def show(rows):
    "Every column of counted rows as lists, sets of bits as the numbers that they hold."
    found = dict(question=rows.questions[rows.question].tolist(), times=rows.times.tolist())
    for part in PARTS:
        column = getattr(rows, part)
        if column is not None:
            found[part] = [None if v != v else v for v in column.tolist()]
    for part in "draws", "runs":
        words = getattr(rows, part)
        if words is not None:
            found[part] = [list_bits(row) for row in words.tolist()]
    sums = {f"sum {name}": values.tolist() for name, values in rows.sums.items()}
    return found | {name: [None if v != v else v for v in values] for name, values in sums.items()}


def list_bits(words):
    return [52 * i + bit for i, word in enumerate(words) for bit in range(62) if word >> bit & 1]


def sort_rows(found):
    "The same in the order of its rows, which an engine chooses within a question and an outcome."
    return {
        part: [
            column[i]
            for i in sorted(
                range(len(found["times"])), key=lambda i: repr([found[name][i] for name in found])
            )
        ]
        for part, column in found.items()
    }


# Everything that is counted.

WHOLE = dict(
    question=["a", "a", "a", "b", "b", "b"],
    times=[1, 2, 1, 2, 1, 1],
    correct=[1, 0, None, 1, 0, 1],
    answer=["x", "y", None, "x", "y", "z"],
    score=[None, 0.25, 1, 0.5, 0.25, 1],
    total=[0, 0.5, 1, 1, 0.25, 1],
    scored=[0, 2, 1, 2, 1, 1],
    model=["m"] * 5 + ["n"],
    group=["v"] * 3 + ["u"] * 3,
    cluster=["q"] * 3 + ["p"] * 3,
    weight=[0.5] * 3 + [2] * 3,
    draws=[[1], [2, 52], [0], [0, 2], [1], [0]],
    **{"sum cost": [None, 14, 4, 4, 2, 7]},
)


@pytest.mark.parametrize("name", ENGINES)
def test_every_column_that_is_counted(name, make):
    rows = load(
        make(name, RICH),
        Options.of(
            dict(by="part", sums="cost", missing="wrong", cluster="passage"),
            draws=True,
            weights="points",
        ),
    ).rows
    assert sort_rows(show(rows)) == sort_rows(WHOLE)
    assert rows.questions.tolist() == ["a", "b"] and rows.source.startswith("counted 8 rows of ")
    memory = load(
        RICH,
        Options.of(
            dict(by="part", sums="cost", missing="wrong", cluster="passage"),
            draws=True,
            weights="points",
        ),
    ).rows
    assert sort_rows(show(memory)) == sort_rows(WHOLE)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    "given, kept, want",
    [
        (
            {},
            dict(answers=False, scores=False),
            dict(
                question=["a"] * 3 + ["b"] * 2,
                times=[1, 2, 1, 2, 1],
                correct=[1, 0, None, 1, 0],
                total=[0, 0.5, 1, 1, 0.25],
                scored=[0, 2, 1, 2, 1],
            ),
        ),
        (
            {},
            dict(answers=False, runs=True),
            dict(
                question=["a"] * 3 + ["b"] * 2,
                times=[1, 2, 1, 2, 1],
                correct=[1, 0, None, 1, 0],
                score=[None, 0.25, 1, 0.5, 0.25],
                total=[0, 0.5, 1, 1, 0.25],
                scored=[0, 2, 1, 2, 1],
                runs=[[1], [2, 52], [0], [0, 2], [1]],
            ),
        ),
        (
            dict(score=False),
            dict(answers=False, draws=True, runs=True),
            dict(
                question=["a"] * 3 + ["b"] * 2,
                times=[1, 2, 1, 2, 1],
                correct=[1, 0, None, 1, 0],
                draws=[[1], [2, 52], [0], [0, 2], [1]],
                runs=[[1], [2, 52], [0], [0, 2], [1]],
            ),
        ),
        (
            dict(score=False),
            dict(answers=False),
            dict(question=["a"] * 3 + ["b"] * 2, times=[1, 2, 1, 2, 1], correct=[1, 0, None, 1, 0]),
        ),
        (
            dict(correct=False, threshold=0.25),
            dict(answers=False, scores=False),
            dict(
                question=["a"] * 3 + ["b"] * 2,
                times=[1, 2, 1, 2, 1],
                correct=[1, 0, None, 1, 0],
                total=[1, 0.5, 0, 1, 0.25],
                scored=[1, 2, 0, 2, 1],
            ),
        ),
        (
            dict(correct=False),
            dict(answers=False, scores=False),
            dict(
                question=["a"] * 3 + ["b"] * 2,
                times=[2, 1, 1, 2, 1],
                score=[0.25, None, 1, 0.5, 0.25],
                total=[0.5, 0, 1, 1, 0.25],
                scored=[2, 0, 1, 2, 1],
            ),
        ),
    ],
)
def test_less_of_it(name, given, kept, want, make):
    columns = {
        part: values[:6] + values[7:]
        for part, values in pick("id", "trial", "passed", "score", "answer").items()
    }
    found = show(load(make(name, columns), Options.of(given | dict(missing="wrong"), **kept)).rows)
    assert sort_rows(found) == sort_rows(want)


@pytest.mark.parametrize("name", ENGINES)
def test_scores_beyond_a_number_are_added_up(name, make, monkeypatch):
    columns = dict(id=["a", "a", "a", "b"], passed=[1, 1, 0, 1], score=[0.5, 0.25, 0.75, 0.5])
    for few, single in (3, True), (2, False):
        monkeypatch.setattr(engine, "FEW", few)
        monkeypatch.setattr(reduce, "FEW", few)
        rows = load(make(name, columns), Options.of({})).rows
        assert (
            (rows.score is not None) is single
            and rows.total.sum() == 2
            and len(rows.times) == 3 + single
        )
        graded = load(make(name, columns), Options.of(dict(correct=False, threshold=0.5))).rows
        assert (graded.score is not None) is single
        assert sorted(zip(graded.correct.tolist(), graded.total.tolist())) == (
            [(0, 0.25), (0, 0.5), (0, 0.5), (1, 0.75)]
            if single
            else [(0, 0.5), (0, 0.75), (1, 0.75)]
        )


@pytest.mark.parametrize("name", ENGINES)
def test_graded_scores_without_outcomes(name, make, monkeypatch):
    monkeypatch.setattr(engine, "FEW", 1)
    monkeypatch.setattr(reduce, "FEW", 1)
    found = load(make(name, dict(id=["a", "a", "b"], score=[0.5, 0.125, 0.25])), Options.of({}))
    assert sort_rows(show(found.rows)) == dict(
        question=["a", "b"], times=[2, 1], total=[0.625, 0.25], scored=[2, 1]
    )
    assert found.blocks["", ""].missing.tolist() == [0, 0] and found.blocks[
        "", ""
    ].score_sum.tolist() == [0.625, 0.25]


# Outcomes of each type.


@pytest.mark.parametrize(
    "values", [[1, 0, None], [1.0, 0.0, None], [True, False, None], [None, None, 1], [0, 0, 0]]
)
@pytest.mark.parametrize("draws", [True, False])
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "relation"])
def test_outcomes_of_each_type(values, draws, name, make):
    columns = dict(id=["x"] * 3 + ["y"] * 3, trial=[0, 1, 2] * 2, passed=values + values[::-1])
    rows = load(make(name, columns), Options.of(dict(missing="wrong"), draws=draws)).rows
    right, wrong = sum(v is not None and bool(v) for v in values), sum(
        v is not None and not v for v in values
    )
    lost = 3 - right - wrong
    found = {
        (q, c): m
        for q, c, m in zip(show(rows)["question"], show(rows)["correct"], rows.times.tolist())
    }
    assert found == {
        (q, c): m for q in "xy" for c, m in ((1, right), (0, wrong), (None, lost)) if m
    }
    if draws:
        assert sorted(bit for words in show(rows)["draws"] for bit in words) == [0, 0, 1, 1, 2, 2]


def test_a_nan_of_a_file_hides_no_other_number(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SMALL", -1)
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": 1, "passed": NaN}\n{"id": 1, "passed": 1.0}\n{"id": 1, "passed": 0.5}\n'
    )
    assert "got 0.5 at question 1 (1 of 2 fail)" in find_error(
        load, path, Options.of(dict(missing="wrong"))
    )


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "relation"])
@pytest.mark.parametrize("scores", [None, False])
def test_where_an_infinite_score_stands(name, scores, make):
    columns = dict(
        id=["a", "b", "a", "b"], passed=[1] * 4, score=[0.5, 1.0, float("inf"), float("-inf")]
    )
    if name == "a.jsonl":
        columns["score"] = [0.5, 1, 10**400, -(10**400)]
    where = "at row 2" if name == "relation" else f"at row 3 of {name}"
    told = find_error(load, make(name, columns), Options.of({}, scores=scores))
    assert told == f"ValueError: score must be finite, got inf {where} (2 of 4 fail)"
    told = find_error(load, make(name, columns), Options.of(dict(score=False, sums="score")))
    assert told == f"ValueError: score must be finite, got inf {where} (2 of 4 fail)"


def test_a_word_after_a_null_is_placed_where_it_stands(make):
    for name in "a.jsonl", "a.csv":
        path = make(name, dict(id=["a", "b", "c"], passed=[1, 0, 1], score=[None, "high", "low"]))
        assert f"score must hold numbers, got 'high' at row 2 of {name}; pass" in find_error(
            read, path
        )
        path = make(name, dict(id=["a", None, "c"], passed=[1, 0, 1]))
        assert (
            f"every row needs a question, got none at row 2 of {name} (1 of 3 fail)"
            in find_error(read, path)
        )
    many = make(
        "a.jsonl", dict(id=["a", "b", "b", "b"], task=["x", None, "x", "y"], passed=[1, 0, 1, 0])
    )
    assert "every row needs a group, got none at row 2 of a.jsonl (1 of 4 fail)" in find_error(
        read, many, by="task"
    )


@pytest.mark.parametrize("scores", [None, False])
def test_flags_as_scores_of_a_large_file(scores, make):
    for name, values in ("a.csv", ["", "True", "false", " true"]), (
        "a.jsonl",
        [None, True, False, True],
    ):
        rows = load(
            make(name, dict(id=["a"] * 4, score=values)),
            Options.of(dict(missing="wrong"), scores=scores),
        ).rows
        assert rows.total.sum() == 2 and rows.scored.sum() == 3
    told = find_error(
        load,
        make("a.csv", dict(id=["a", "a"], score=["0.5", "true"])),
        Options.of({}, scores=scores),
    )
    assert told.startswith("TypeError: score must hold numbers, got True at row 2 of a.csv")


def test_sums_that_cancel_are_refused(make):
    relation = duckdb.sql(
        "SELECT unnest(['a', 'a']) AS id, unnest(['inf'::DOUBLE, '-inf'::DOUBLE]) AS score, 1 AS "
        "passed"
    )
    assert find_error(load, relation, Options.of({}, scores=False)).startswith("ValueError: ")
    more = duckdb.sql(
        "SELECT unnest(['a', 'a', 'b']) AS id, "
        "unnest(['inf'::DOUBLE, '-inf'::DOUBLE, 1]) AS score, 1 AS passed"
    )
    assert find_error(load, more, Options.of({}, scores=False)).startswith("ValueError: ")


# Repeats.


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "relation"])
def test_where_a_repeat_stands(name, make):
    columns = dict(id=["a", "b", "a", "b", "b"], trial=[5, 9, 7, 9, 9], passed=[1, 1, 0, 0, 1])
    first, again = (
        ("at row 1", "at row 3")
        if name == "relation"
        else (f"at row 2 of {name}", f"at row 4 of {name}")
    )
    told = find_error(read, make(name, columns))
    assert f"got question 'b', sample 9 {first} and again {again} (2 rows repeat); if" in told
    columns["trial"] = ["s", "t", "u", "t", "t"]
    assert (
        f"got question 'b', sample 't' {first} and again {again} (2 rows repeat); if"
        in find_error(read, make(name, columns))
    )


def test_samples_without_a_name_are_told_before_repeats(make):
    columns = dict(id=["a", "a", "a", "a"], trial=[5, 5, None, None], passed=[1] * 4)
    for name in "a.jsonl", "a.csv", "a.parquet":
        assert find_error(read, make(name, columns)) == (
            f"ValueError: every row needs a sample, got none at row 3 of {name} (2 of 4 fail)"
        )


@pytest.mark.parametrize("end", ["csv", "jsonl"])
def test_repeats_across_two_files(end, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SMALL", -1)
    texts = dict(
        csv="id,trial,passed\nx,8,1\nx,7,1\n",
        jsonl='{"id": "x", "trial": 8, "passed": 1}\n' '{"id": "x", "trial": 7, "passed": 1}\n',
    )
    (tmp_path / "a.csv").write_text("id,trial,passed\nx,5,1\nx,7,1\n")
    (tmp_path / f"b.{end}").write_text(texts[end])
    told = find_error(read, [tmp_path / "a.csv", tmp_path / f"b.{end}"])
    assert f"sample 7 at row 2 of a.csv and again at row 2 of b.{end} (1 row repeats)" in told
    (tmp_path / f"b.{end}").write_text(texts[end].replace("8", "" if end == "csv" else "null"))
    told = find_error(read, [tmp_path / "a.csv", tmp_path / f"b.{end}"])
    assert told.endswith(f"every row needs a sample, got none at row 1 of b.{end} (1 of 4 fail)")


# Scans.


@pytest.mark.parametrize(
    "ending, head, mark",
    [
        ("csv", "id,passed", ","),
        ("tsv", "id\tpassed", "\t"),
        ("csv", "id;passed", ";"),
        ("csv", "id,a b,c,passed", ","),
    ],
)
def test_an_address_of_a_table_of_text_is_read(ending, head, mark, monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    cells = mark.join("0" * (head.count(mark) - 1))
    files.pipe(
        f"/run.{ending}",
        "\n".join(
            [head, *(f"{i}{mark}{cells}{mark * bool(cells)}{i % 2}" for i in range(4))]
        ).encode(),
    )

    def reach(remote):
        con = connect()
        con.register_filesystem(files)
        return con

    monkeypatch.setattr(scans, "connect", reach)
    counts = read(f"memory://run.{ending}", question="id", correct="passed").counts()
    assert (len(counts), counts.c.sum()) == (4, 2)


@pytest.mark.parametrize("name", ["a.csv.gz", "wide.csv", "wide.jsonl", "flat.jsonl", "flat.csv"])
def test_the_file_of_each_row_is_that_of_the_original(name, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SMALL", -1)
    texts = [f"id,passed\n1,{right}\n2,0\n" for right in (1, 0)]
    if "json" in name:
        texts = [f'{{"id": 1, "passed": {right}}}\n{{"id": 2, "passed": 0}}\n' for right in (1, 0)]
    data = texts[0].encode("utf-8" if "flat" in name else "utf-16")
    (tmp_path / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith("gz") else data)
    other = tmp_path / f"plain.{name.split('.')[1]}"
    other.write_text(texts[1])
    rows = read([tmp_path / name, other], files_hold="models", harness="table")
    right = {model: part.counts().c.tolist() for model, part in rows.models().items()}
    assert right == {name.partition(".")[0]: [1, 0], "plain": [0, 0]}


# Frames.


def test_a_large_file_without_the_score_of_others(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SMALL", -1)
    (tmp_path / "a.csv").write_text("id,trial,passed,score\nx,0,1,0.5\n")
    (tmp_path / "b.csv").write_text("id,trial,passed\nx,1,1\n")
    for scores, single in (None, [None, 0.5]), (False, None):
        rows = load([tmp_path / "a.csv", tmp_path / "b.csv"], Options.of({}, scores=scores)).rows
        found = show(rows)
        assert found.get("score") == (
            single and sorted(single, key=str, reverse=found["score"][0] is None)
        )
        assert rows.total.sum() == 0.5 and rows.scored.sum() == 1 and len(rows) == 2


def test_scores_that_are_all_missing(make):
    for name, value in ("a.csv", ""), ("a.jsonl", None):
        rows = load(
            make(name, dict(id=["a", "b"], passed=[1, 0], score=[value] * 2)),
            Options.of({}, scores=False),
        ).rows
        assert rows.total.tolist() == [0, 0] == rows.scored.tolist()


@pytest.mark.parametrize(
    "columns, given, told",
    [
        (
            dict(id=[1], score=["x"]),
            {},
            "TypeError: score must hold numbers, got 'x' at row 0; pass "
            "score=False to leave the column out",
        ),
        (
            dict(id=[1], passed=[1], cost=["x"]),
            dict(sums="cost"),
            "TypeError: cost must hold numbers, got 'x' at row 0",
        ),
        (
            dict(id=[[1]], passed=[1]),
            {},
            "TypeError: question must hold text or whole numbers, got [1] at row 0",
        ),
    ],
)
def test_types_that_a_lazy_frame_cannot_count(columns, given, told):
    assert find_error(read, pl.LazyFrame(columns), **given).startswith(told)


def test_repeats_of_a_lazy_frame():
    frame = dict(id=["b", "a", "a", "a", "b"], trial=[9, 7, 7, 7, 9], passed=[1] * 5)
    assert "got question 'a', sample 7 at row 1 and again at row 2 (3 rows repeat)" in find_error(
        read, pl.LazyFrame(frame)
    )
    once = dict(id=["b", "a", "a", "a", "b"], trial=[9, 7, 6, 7, 8], passed=[1] * 5)
    assert "got question 'a', sample 7 at row 1 and again at row 3 (1 row repeats)" in find_error(
        read, pl.LazyFrame(once)
    )
    frame["trial"] = ["x", None, None, "y", "z"]
    assert find_error(read, pl.LazyFrame(frame)) == (
        "ValueError: every row needs a sample, got none at row 1 (2 of 5 fail)"
    )


@pytest.mark.parametrize(
    "make", [pl.LazyFrame, lambda o: duckdb.from_arrow(pl.DataFrame(o).to_arrow())]
)
def test_a_missing_score_is_missing_alone_where_scores_are_added_up(make, monkeypatch):
    monkeypatch.setattr(engine, "FEW", 1)
    monkeypatch.setattr(reduce, "FEW", 1)
    found = load(
        make(dict(id=["a", "a", "b"], score=[0.5, None, 0.25])), Options.of(dict(missing="drop"))
    )
    counts = found.blocks["", ""]
    assert counts.n.tolist() == [1, 1] and counts.missing.tolist() == [1, 0]
    assert found.rows.times.tolist() == [1, 1, 1]


# What stands beyond the first rows.

SORTED = {
    "setting": [dict(budget=b) for b in (1024, 4096, 8192)],
    "nested": [dict(model="a"), dict(model="b", thinking="lo"), dict(model="b", thinking="hi")],
    "run": [dict(run="gpt"), dict(run="claude")],
    "target": [dict(target=1), dict(target=2)],
    "text": [dict(prompt="1 + 1"), dict(prompt="2 + 2")],
    "id": [dict(image_id=1), dict(image_id=2)],
}


def sort_by(kind):
    "Rows of 40 questions, sorted by what tells them apart."
    for place, part in enumerate(SORTED[kind]):
        for name in range(40):
            odd = dict(image_id=f"{part['image_id']}/{name}") if kind == "id" else {}
            for at in range(1 if kind == "run" else 2):
                yield dict(id=f"q{name}", **{**part, **odd}, correct=(place + name + at) % 3 % 2)


@pytest.mark.parametrize("kind", SORTED)
@pytest.mark.parametrize("form", ["lines", "packed", "array", "frame", "lazy"])
def test_what_a_table_is_sorted_by_is_seen(kind, form, tmp_path, monkeypatch):
    for room in identity, rules:
        monkeypatch.setattr(room, "FIRST", 20)
    monkeypatch.setattr(scans, "FIRST", 20)
    monkeypatch.setattr(scans, "LARGE", 0)
    monkeypatch.setattr(sources, "SMALL", -1)
    monkeypatch.setattr(frames, "MANY", 20)
    monkeypatch.setattr(identity.join_heads, "__defaults__", (20,))
    rows = list(sort_by(kind))
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    if form == "lines":
        data = tmp_path / "a.jsonl"
        data.write_text(lines)
    elif form == "packed":
        data = tmp_path / "a.jsonl.gz"
        data.write_bytes(gzip.compress(lines.encode()))
    elif form == "array":
        data = tmp_path / "a.json"
        data.write_text(json.dumps(rows))
    else:
        data = pl.DataFrame(rows, infer_schema_length=None)
    if form == "lazy":
        data = data.lazy()
    if form == "array":
        monkeypatch.setattr(sources, "is_document", lambda file: False)
    find_error(load, data)


def test_a_large_table_without_a_setting_is_read(tmp_path, monkeypatch):
    "A topic of each question and a flag that seldom stands differ beyond the first rows too."
    monkeypatch.setattr(rules, "FIRST", 20)
    monkeypatch.setattr(identity.join_heads, "__defaults__", (20,))
    monkeypatch.setattr(sources, "SMALL", -1)
    path = tmp_path / "a.csv"
    rows = [(q, f"t{q // 10}", q == 35 and s == 1, q % 2) for q in range(40) for s in range(4)]
    path.write_text(
        "id,topic,flagged,correct\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in rows)
    )
    assert load(str(path)).blocks["", ""].n.tolist() == [4] * 40


DATES = [f"2024-01-{day:02}" for day in range(1, 29)]


@pytest.mark.parametrize("kind", [pl.Date, pl.Datetime, pl.Int128, pl.Decimal(20, 2), pl.Float64])
@pytest.mark.parametrize("form", ["frame", "lazy", "parquet"])
def test_whole_questions_are_found_by_ids_of_any_kind(kind, form, tmp_path, monkeypatch):
    monkeypatch.setattr(rules, "FIRST", 20)
    monkeypatch.setattr(frames, "MANY", 20)
    monkeypatch.setattr(identity.join_heads, "__defaults__", (20,))
    monkeypatch.setattr(sources, "SMALL", -1)
    ids = pl.Series(DATES).str.to_date() if kind in (pl.Date, pl.Datetime) else pl.Series(range(28))
    ids = ids.cast(kind)
    data = pl.DataFrame(
        dict(
            id=[name for _ in range(4) for name in ids],
            budget=[1] * 56 + [2] * 56,
            correct=[at % 3 % 2 for at in range(112)],
        ),
        schema_overrides=dict(id=kind),
    )
    if form == "lazy":
        data = data.lazy()
    if form == "parquet":
        data.write_parquet(tmp_path / "a.parquet")
        data = str(tmp_path / "a.parquet")
    assert "'budget' takes the same values" in find_error(load, data)
