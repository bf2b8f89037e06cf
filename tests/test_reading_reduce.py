"Runs that are added, gradings side by side, and files of counts."
import json

import duckdb
import numpy as np
import pytest

from conftest import name_kind
from sampling_eval.io import counts_file
from sampling_eval.io.counted import CountedRows
from sampling_eval.io.counts_file import (find_counts, merge_rows, read_counts, read_counts_files,
                                          share_questions, stack_gradings, tabulate_rows,
                                          write_counts, write_texts)
from sampling_eval.io.options import Options
from sampling_eval.io.sample_ids import File
from sampling_eval.io.reduce import code_answers
from sampling_eval.results.reading import ReadSummary

NAN = float("nan")


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError, OSError)) as error: check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


def show(rows):
    "Every column that is known of counted rows, row by row, as lists."
    found = dict(question=rows.questions[rows.question].tolist(), times=rows.times.tolist())
    for part in ("correct", "answer", "score", "total", "scored", "model", "group", "cluster", "weight", "draws",
                 "runs"):
        column = getattr(rows, part)
        if column is not None: found[part] = [None if v != v else v for v in column.tolist()]
    return found | {f"sum {name}": values.tolist() for name, values in rows.sums.items()}


# Runs that are added.

def make_rows(question, times, correct=None, source="", files=(), tasks=(), **given):
    held = {part: np.array(list(values), object if part in ("answer", "model", "group", "cluster") else None)
            for part, values in given.items()}
    names = list(dict.fromkeys(question))
    right = None if correct is None else np.array(correct, float)
    return CountedRows(np.array([names.index(q) for q in question]), np.array(names, object), np.array(times), right,
                       summary=ReadSummary("table", source, rows=sum(times), columns=dict(question="q"))
                       if source else ReadSummary(),
                       files=tuple(files), tasks=tuple(tasks), **held)


def test_runs_that_are_merged():
    one = make_rows(["b", "a"], [2, 1], [1, 0], score=[.5, 1], total=[1, 1.], scored=[2, 1], answer=["x", None],
                    source="a", draws=[[3, 0, 0], [4, 0, 0]])
    two = make_rows(["a", "b"], [3, 1], [0, NAN], score=[1, .5], total=[3, .5], scored=[3, 1], answer=[None, "x"],
                    source="b", draws=[[3 + 8, 0, 0], [4, 0, 0]])
    merged = merge_rows(one, two)
    assert show(merged) == dict(question=["a", "b", "b"], times=[4, 2, 1], correct=[0, 1, None],
                                answer=[None, "x", "x"],
                                score=[1, .5, .5], total=[4, 1, .5], scored=[4, 2, 1],
                                draws=[[15, 0, 0], [3, 0, 0], [4, 0, 0]])
    assert merged.source == "added 2 runs, 3 rows from a and 4 rows from b: question=q"
    assert merge_rows(one).source == "added 1 run, 3 rows from a: question=q"
    graded = make_rows(["a"], [2], score=[.5], total=[1.], scored=[2])
    assert merge_rows(graded).correct is None and show(merge_rows(graded))["total"] == [1]


@pytest.mark.parametrize("a, b, told", [
    (dict(files=[File("x/a", "h")]), dict(files=[File("y/b", "h")]),
     "the same file twice: 'x/a' in run 1 and 'y/b' in run 2 have the same content"),
    (dict(files=[File("s3://a/b")]), dict(files=[File("s3://a/b")]), "the same file twice: 's3://a/b' in run 1 and"),
    (dict(model="mm"), {}, "all runs or none must have model, got 1 of 2"),
    (dict(draws=[[1, 0, 0], [1, 0, 0]]), dict(draws=[[2, 0, 0], [1, 0, 0]]), "each sample must appear once, got "
     "question 'b' "
     "with one sample number in two runs (1 of 2 questions fail); if these are separate draws, pass separate=True"),
    (dict(draws=[[1, 0, 0], [1, 0, 0]], model="mn"), dict(draws=[[1, 0, 0], [2, 0, 0]], model="mn"),
     "got model 'm', question 'a' with one sample number in two runs (1 of 2 questions fail)")])
def test_runs_that_do_not_go_together(a, b, told):
    runs = [make_rows(["a", "b"], [1, 1], [1, 1], **given) for given in (a, b)]
    assert told in find_error(merge_rows, *runs)


def test_runs_of_other_questions():
    one, two = make_rows("abcdez", [1] * 6, [1] * 6), make_rows("zyxwv", [1] * 5, [1] * 5)
    assert find_error(merge_rows, one, two) == (
        "ValueError: runs must cover the same questions, got only in run 1 ['a', 'b', 'c'], only in run 2 ['v', 'w', "
        "'x']; "
        "pass union=True for parts of one benchmark")
    assert share_questions([one, two]) and not share_questions([make_rows("a", [1]), make_rows("b", [1])])
    apart = make_rows("a", [1], model="m"), make_rows("a", [1], model="n")
    assert not share_questions(apart) and len(merge_rows(*apart).models()) == 2
    assert "all runs or none must have correct, got 1 of 2" in find_error(merge_rows, make_rows("a", [1], [1]),
                                                                          make_rows("a", [1]))


# Gradings.

def test_graded_gradings_have_no_outcome():
    graded = make_rows(["a"], [1], score=[.5], total=[.5], scored=[1])
    assert stack_gradings(dict(u=graded, v=graded)).correct is None
    assert find_error(stack_gradings, dict(u=graded, v=make_rows(["a"], [1], [1]))) == (
        "ValueError: gradings side by side must all say right or wrong, or all give a score, got 'v' (right or wrong) "
        "and "
        "'u' (a score); pass threshold=, above which a score is right")


# Counts files.

RICH = make_rows(["b", "b", "a", "b"], [2, 1, 3, 1], [1, 0, NAN, 1], source="said", files=[File("x/f.csv", "aa")],
                 model=["m", "m", "m", "n"], cluster=["c", "c", "d", "c"], group=["g", "g", "g", "g"],
                 answer=["x", None, {"k": 1}, 7], score=[1., .5, NAN, .25], total=[2., .5, 0, .25], scored=[2, 1, 0, 1],
                 draws=[[5, 0, 0], [0, 0, 1], [7, 0, 0], [1, 0, 0]])


def test_the_columns_of_a_counts_file(tmp_path):
    table = tabulate_rows(RICH)
    assert list(table) == ["model", "question", "cluster", "group", "rows", "score", "scored", "single", "correct",
                           "answer", "draws0", "draws1", "draws2"]
    assert table["correct"].tolist() == [1, 0, -1, 1] and table["rows"].tolist() == [2, 1, 3, 1]
    assert table["answer"].tolist() == ['"x"', "", '{"k": 1}', "7"] and table["draws2"].tolist() == [0, 1, 0, 0]
    assert write_texts(np.array([1 + 2j], object)).tolist() == ['"(1+2j)"']
    assert list(tabulate_rows(make_rows(["a"], [1]))) == ["question", "rows"]
    write_counts(tmp_path / "c.parquet", RICH)
    held = duckdb.sql(f"SELECT correct, answer, score FROM '{tmp_path}/c.parquet'").fetchall()
    assert held == [(True, '"x"', 2), (False, None, .5), (None, '{"k": 1}', 0), (True, "7", .25)]


def test_a_counts_file_gives_back_every_column(tmp_path):
    rows = CountedRows(**{**vars(RICH), "sums": dict(cost=np.array([1., NAN, 4, 8]))})
    write_counts(tmp_path / "c.parquet", rows)
    kept = read_counts(tmp_path / "c.parquet")
    assert show(kept)["sum cost"][0] == 4 and kept.summary == RICH.summary and kept.files == (File("f.csv", "aa"),)
    assert {part: values for part, values in show(kept).items() if part != "sum cost"} == dict(
        question=["a", "b", "b", "b"], times=[3, 2, 1, 1], correct=[None, 1, 0, 1], answer=['{"k": 1}', "x", None, 7],
        score=[None, 1, .5, .25], total=[0, 2, .5, .25], scored=[0, 2, 1, 1], model=["m", "m", "m", "n"],
        group=["g"] * 4, cluster=["d", "c", "c", "c"], draws=[[7, 0, 0], [5, 0, 0], [0, 0, 1], [1, 0, 0]])
    write_counts(tmp_path / "d.parquet", make_rows(["a", "a"], [2, 1], [1, 0], total=[1.5, 0], scored=[2, 1]))
    summed = read_counts(tmp_path / "d.parquet")
    assert show(summed) == dict(question=["a", "a"], times=[2, 1], correct=[1, 0], total=[1.5, 0], scored=[2, 1])
    assert summed.source == "" and [file.path for file in summed.files] == [str(tmp_path / "d.parquet")]


def test_a_counts_file_that_cannot_be_written(tmp_path, monkeypatch):
    class Connection:
        def register(self, name, held): pass

        def execute(self, query): raise duckdb.IOException("IO Error: the disk is full\nmore of it")
    monkeypatch.setattr(counts_file, "connect", Connection)
    path = tmp_path / "c.parquet"
    assert find_error(write_counts, path, RICH) == f"OSError: cannot write '{path}': IO Error: the disk is full"


def test_names_of_counts_files(tmp_path):
    assert find_error(write_counts, tmp_path / "c.csv", RICH) == (
        "ValueError: a counts file is Parquet, its name must end in .parquet, got 'c.csv'")
    assert find_error(write_counts, tmp_path / "no" / "c.parquet", RICH) == (
        f"OSError: cannot write '{tmp_path}/no/c.parquet': there is no folder '{tmp_path}/no'")
    assert "no file to read at" in find_error(read_counts, tmp_path / "c.parquet")
    remote = make_rows(["a"], [1], [1], files=[File("s3://b/c.csv")])
    write_counts(tmp_path / "r.parquet", remote)
    assert read_counts(tmp_path / "r.parquet").files == (File("s3://b/c.csv"),)
    (tmp_path / "empty.parquet").touch()
    files = [str(tmp_path / name) for name in ("r.parquet", "empty.parquet", "x.csv")]
    assert find_counts(files) == files[:1] and find_counts(["s3://b/c.parquet"]) == [] == find_counts(["a.csv"])


@pytest.mark.parametrize("given, told", [
    (dict(question="q"), "question= names a column of samples, but 'F' holds counts"),
    (dict(weights="w"), "weights= names a column of samples, but 'F' holds counts; pass a mapping of question to "
     "weight"),
    (dict(by="t"), "by= names a column of samples, but 'F' holds counts"),
    (dict(cluster="c"), "cluster= names a column"),
    (dict(grade="exact"), "grade= is for samples, but 'F' holds counts"),
    (dict(ignore="x"), "ignore= is for samples, but 'F' holds counts"),
    (dict(threshold=.5), "threshold= is for samples, but"), (dict(sums="cost"), "sums= is for samples, but"),
    (dict(filter="x"), "filter= is for samples, but"), (dict(question=False), ""),
    (dict(cluster=True), "")])
def test_options_of_counts_files(given, told, tmp_path):
    path = str(tmp_path / "c.parquet")
    write_counts(path, RICH)
    weights = given.pop("weights", None)
    options = Options.of(given, weights=weights)
    if told: assert told.replace("F", path) in find_error(read_counts_files, [path], [path], options)
    else: assert len(read_counts_files([path], [path], options)) == 7


def test_several_counts_files(tmp_path):
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    for path, question in zip(paths, ["a", "b"]): write_counts(path, make_rows([question], [1], [1]))
    assert read_counts_files(paths, paths, Options()).questions.tolist() == ["a", "b"]
    assert find_error(read_counts_files, [*paths, "s.csv"], paths, Options()) == (
        f"ValueError: counts files and samples cannot be read together, got {paths[0]!r} and 's.csv'; write counts of "
        f"the "
        "samples first")


def test_what_a_counts_file_says_about_itself(tmp_path):
    write_counts(tmp_path / "c.parquet", RICH)
    (text,), = duckdb.sql(f"SELECT decode(value) FROM parquet_kv_metadata('{tmp_path}/c.parquet') "
                     "WHERE key = 'sampling_eval'").fetchall()
    told = json.loads(text)
    assert ReadSummary.from_dict(told.pop("summary")) == RICH.summary
    assert told == dict(version=1, source="question=q", files=[["f.csv", "aa"]], tasks=[], derived=False)


def test_an_older_counts_file_holds_a_sentence(tmp_path):
    path = tmp_path / "c.parquet"
    about = json.dumps(dict(version=1, source="read 2 rows: question=id", files=[], warnings=["Not checked."]))
    held = "SELECT 1 AS question, 2::BIGINT AS rows, true AS correct"
    duckdb.sql(f"COPY ({held}) TO '{path}' (FORMAT parquet, KV_METADATA {{sampling_eval: '{about}'}})")
    rows = read_counts(path)
    assert rows.summary.kind == "recorded" and rows.source == "read 2 rows: question=id"
    assert rows.warnings == ("Not checked.",) and len(rows) == 2


def test_answers_of_several_types():
    for answers, codes in ((["1", 1, 1., True, None, "1", None], [0, 1, 2, 3, 4, 0, 4]), ([{1}, {1}, "a"], [0, 1, 2])):
        assert code_answers(np.array(answers, object)).tolist() == codes
