"Where shapes of tables meet tasks, systems, several files, and columns that are left out."
import gzip

import pytest
from test_reading_origins import write_file
from test_reading_shapes import columns_of, count, fail, list_counts

from sampling_eval import score
from sampling_eval.io import tables as sources
from sampling_eval.io.load import load
from sampling_eval.io.options import Options

pytestmark = pytest.mark.filterwarnings("ignore")
TOTALS = [dict(question=q, n=4, c=c) for q, c in (("a", 1), ("b", 3))]
AGAIN = [dict(question=q, n=4, c=c) for q, c in (("a", 2), ("b", 4))]


@pytest.fixture(params=["small", "counted"])
def reader(request, monkeypatch):
    if request.param == "counted": monkeypatch.setattr(sources, "SMALL", 0)


def write_tables(folder, form, *tables):
    return [write_file(f"{i}.{form}")(columns_of(rows), folder) for i, rows in enumerate(tables)]


def mark(rows, **marks): return [marks | row for row in rows]


# Numbers of samples beside tasks, systems and files.

def test_tasks_name_the_questions_of_n_and_c():
    rows = mark(TOTALS, dataset="x") + mark(TOTALS, dataset="y")
    assert list_counts(count(rows)) == {
        "x/a": (4, 1), "x/b": (4, 3), "y/a": (4, 1), "y/b": (4, 3)}
    rule = "a question needs rows of one llm, got 'x' and 'y'"
    assert rule in fail(mark(TOTALS, llm="x") + mark(TOTALS, llm="y"))[1]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_files_of_n_and_c(form, reader, tmp_path):
    paths = write_tables(tmp_path, form, TOTALS, AGAIN)
    assert "files with the same questions must be told apart" in fail(paths)[1]
    assert list_counts(count(paths, files_hold="draws")) == {"a": (8, 3), "b": (8, 7)}
    blocks = load(paths, Options.of(dict(files_hold="models"))).blocks
    assert {model: list_counts(counts) for (model, _), counts in blocks.items()} == {
        "0": {"a": (4, 1), "b": (4, 3)}, "1": {"a": (4, 2), "b": (4, 4)}}
    assert "must appear once in a table of n and c" in fail(paths, model=False)[1]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_one_model_twice_in_files_of_n_and_c(form, reader, tmp_path):
    paths = write_tables(tmp_path, form, mark(TOTALS, model="m"), mark(AGAIN, model="m"))
    assert "must appear once in a table of n and c" in fail(paths)[1]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_n_and_c_beside_outcomes(form, reader, tmp_path):
    long = [dict(question=q, correct=1) for q in "ab"]
    paths = write_tables(tmp_path, form, TOTALS, long)
    assert "files with the same questions must be told apart" in fail(paths)[1]


# Columns that are left out.

def test_shapes_without_ignored_columns():
    wide = [dict(question=q, run_1=1, run_2=0, run_3=0) for q in "ab"]
    assert list_counts(count(wide, ignore="run_3")) == {"a": (2, 1), "b": (2, 1)}
    lists = [dict(question=q, correct=[1, 0], scores=[.5]) for q in "ab"]
    assert list_counts(count(lists, ignore="scores")) == {"a": (2, 1), "b": (2, 1)}
    long = [dict(question=q, n=8, correct=2 - i) for i, q in enumerate("ab")]
    assert "correct must be 0 or 1, got 2" in fail(long, ignore="n")[1]


def test_runs_of_rows_that_are_samples_of_their_own():
    rows = [dict(question="a", run_1=1, run_2=0)] * 2
    assert list_counts(count(rows, sample=False)) == {"a": (4, 2)}


def test_runs_beside_a_score():
    rows = [dict(question=q, run_1=1, run_2=0, score=.5) for q in "ab"]
    assert fail(rows)[1] == (
        "ambiguous: run_1..run_2 or 'score' could hold the samples; pass "
        "score=False if they are runs, or score='score' if a row is a sample")
    assert list_counts(count(rows, score=False)) == {"a": (2, 1), "b": (2, 1)}
    assert count(rows, score="score").n.tolist() == [1, 1]


def test_values_of_pass_at_k_are_no_runs():
    rows = [dict(question=q, pass_1=0, pass_2=0, pass_4=1) for q in "ab"]
    assert "Which column holds the outcome?" in fail(rows)[1]
    assert count([dict(question="a", pass_1=0, pass_2=1)]).n.tolist() == [2]


# Names of columns and of questions, small or counted.

@pytest.mark.parametrize("name", ["", "Thing"])
def test_a_column_without_a_name_or_with_one_in_capitals(name, reader, tmp_path):
    rows = [{name: 4 * i, "thing": 3 * i, "question": i // 2, "correct": i % 2} for i in range(8)]
    path, = write_tables(tmp_path, "csv", rows)
    assert list_counts(count(path)) == {i: (2, 1) for i in range(4)}


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "parquet"])
@pytest.mark.parametrize("first", [10**18, 2**62, -(10**18)])
def test_long_whole_numbers_name_questions(form, first, reader, tmp_path):
    path, = write_tables(tmp_path, form, [dict(question=first + i, correct=1) for i in range(3)])
    assert list_counts(count(path)) == {str(first + i) if form == "csv" else first + i: (1, 1)
                                        for i in range(3)}


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_large_tables_whose_columns_differ_in_capitals(form, monkeypatch, tmp_path):
    monkeypatch.setattr(sources, "SMALL", 0)
    rows = [dict(Dataset="x", dataset="y", question=q, correct=1) for q in "ab"]
    path, = write_tables(tmp_path, form, rows)
    kind, said = fail(path)
    assert issubclass(kind, ValueError) and said == (
        "columns of a large table must differ in more than capitals, got 'Dataset' and 'dataset'; "
        "rename one, or pass ignore='dataset'")
    assert list_counts(count(path, ignore="dataset")) == {"a": (1, 1), "b": (1, 1)}


@pytest.mark.parametrize("cut", [1, 4, 8])
def test_a_gzip_file_without_its_end_gives_no_number(tmp_path, monkeypatch, cut):
    rows = "question,correct\n" + "".join(f"{q},{q % 2}\n" for q in range(40) for _ in range(2))
    (path := tmp_path / "t.csv.gz").write_bytes(gzip.compress(rows.encode())[:-cut])
    for small in (sources.SMALL, 0):
        monkeypatch.setattr(sources, "SMALL", small)
        with pytest.raises(ValueError, match="is not a complete gzip file"): score(path)


@pytest.mark.parametrize("small", [True, False])
def test_outcomes_of_zero_and_one_beside_several_samples_are_asked_for(tmp_path, monkeypatch, small):
    if not small: monkeypatch.setattr(sources, "SMALL", 0)
    rows = "".join(f"q{q},8,{q % 2}\n" for q in range(6))
    (path := tmp_path / "t.csv").write_text(f"question,n,correct\n{rows}")
    with pytest.raises(ValueError, match="ambiguous: correct could count the right ones of n samples"):
        score(path)
    assert score(path, ignore="n").rows[0].n_max == 1
    path.write_text(f"question,n,c\n{rows}")
    assert score(path).rows[0].n_max == 8
    path.write_text(f"question,n,correct\n{rows}{rows}")
    assert score(path).rows[0].n_max == 2
    path.write_text("question,total,correct\n" + rows)
    assert score(path).rows[0].n_max == 1
