"Rows that stand in a table twice are named as copies, and are not counted twice in silence."
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
from conftest import command

from sampling_eval import read, score


def draw(seed=0, questions=12, n=4, **more):
    rng = np.random.default_rng(seed)
    return [dict(question=q, attempt_no=s, correct=int(rng.random() < .5)) | more for q in range(questions) for s in range(n)]


def write_as(form, rows, folder):
    frame, path = pl.DataFrame(rows), folder / f"a.{form}"
    if form == "rows": return rows
    if form == "polars": return frame
    if form == "pandas": return frame.to_pandas()
    if form == "duckdb": return duckdb.from_arrow(frame.to_arrow())
    if form == "csv": frame.write_csv(path)
    if form == "jsonl": frame.write_ndjson(path)
    if form == "parquet": frame.write_parquet(path)
    return str(path)


FORMS = ["rows", "polars", "pandas", "duckdb", "csv", "jsonl", "parquet"]
COPIED = "48 of 96 rows are exact copies of other rows \\(all 3 columns are equal\\)"


@pytest.mark.parametrize("form", FORMS)
def test_rows_written_twice_are_copies(form, tmp_path):
    data = write_as(form, draw() + draw()[::-1], tmp_path)
    for options in {}, dict(ignore="attempt_no"), dict(ignore=["attempt_no"]):
        with pytest.raises(ValueError, match=f"{COPIED}.*leave the copies out and pass sample='attempt_no'"):
            score(data, **options)
    with pytest.raises(ValueError, match="48 rows repeat.; these rows are exact copies, equal in all columns: leave the copies out$"):
        score(data, sample="attempt_no")
    once = write_as(form, draw(), tmp_path)
    assert score(once, sample="attempt_no")["pass@1"].n_max == score(once)["pass@1"].n_max == 4
    assert score(once, ignore="attempt_no").cautions == ()


@pytest.mark.parametrize("form", FORMS)
def test_copies_of_numbered_samples_are_no_samples_of_their_own(form, tmp_path):
    rows = [{("sample" if name == "attempt_no" else name): value for name, value in row.items()} for row in draw() + draw()]
    data = write_as(form, rows, tmp_path)
    with pytest.raises(ValueError, match="these rows are exact copies"): score(data)
    with pytest.raises(ValueError, match=COPIED): score(data, sample=False)


def test_the_command_names_copies(tmp_path):
    path = write_as("csv", draw() + draw(), tmp_path)
    for words in [], ["--ignore", "attempt_no"]:
        told = command("score", path, *words)
        said = " ".join(told.stderr.split())
        assert told.returncode == 2 and "48 of 96 rows are exact copies" in said and "pass --sample attempt_no" in said
    told = command("score", "-", "--ignore", "attempt_no", stdin=Path(path).read_bytes())
    assert told.returncode == 2 and "exact copies" in told.stderr


def test_copies_that_may_be_samples_are_warned_of():
    "Some rows twice, and few rows that agree: a warning of its own line, and a number."
    rows = draw()
    partly = score(rows + rows[:6], ignore="attempt_no")
    assert partly.cautions[0].said == "6 of 54 rows are exact copies of other rows (all 3 columns are equal), and count as samples of their own."
    alike = [row | dict(correct=int(row["question"] % 2)) for row in rows]
    assert score(alike + alike, ignore="attempt_no").cautions[0].said.startswith("48 of 96 rows are exact copies")


def test_rows_that_only_look_alike_are_samples():
    "Without a column that numbers samples, or where its rows differ, equal rows say nothing."
    plain = [{name: value for name, value in row.items() if name != "attempt_no"} for row in draw()]
    assert score(plain).cautions == () and score(plain + plain)["pass@1"].n_max == 8
    again = draw() + draw(1)
    assert score(again, ignore="attempt_no").cautions == ()
    warm = [row | dict(temperature=[.2, .8][row["attempt_no"] % 2]) for row in draw(n=8)]
    assert score(warm, ignore=["temperature", "attempt_no"]).cautions == ()


def test_rows_of_other_outcomes_are_no_copies():
    rows = [{("sample" if name == "attempt_no" else name): value for name, value in row.items()} for row in draw()]
    with pytest.raises(ValueError, match="each sample must appear once") as caught: read(rows + [rows[0] | dict(correct=1 - rows[0]["correct"])])
    assert "copies" not in str(caught.value)


def test_honest_rows_are_hardly_ever_taken_for_copies():
    "Two samples for each of two numbers, 3 questions: equal rows are common, refusals are not."
    refused = 0
    for seed in range(300):
        try: score(draw(seed, 3, 2) + draw(seed + 10**6, 3, 2), "pass@1", ignore="attempt_no")
        except ValueError: refused += 1
    assert refused == 0


def test_a_table_larger_than_what_is_looked_at_first(tmp_path):
    rng = np.random.default_rng(0)
    size = 40_000
    frame = pl.DataFrame(dict(question=np.arange(size) // 4, attempt_no=np.arange(size) % 4, correct=rng.integers(0, 2, size)))
    pl.concat([frame, frame]).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="40,000 of 80,000 rows are exact copies"):
        score(tmp_path / "a.parquet", "pass@1", ignore="attempt_no")
