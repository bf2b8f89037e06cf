"What the reading rooms got wrong once, each by a way of its own."
import duckdb

import polars as pl
import pytest

from sampling_eval.reading import engine, frames
from sampling_eval.reading.counts_file import read_counts, write_counts
from sampling_eval.reading.load import load, read
from sampling_eval.reading.merging import merge_rows
from sampling_eval.reading.options import Options


@pytest.mark.parametrize("make", [pl.LazyFrame, lambda o: duckdb.from_arrow(pl.DataFrame(o).to_arrow())])
def test_a_missing_score_is_missing_alone_where_scores_are_added_up(make, monkeypatch):
    monkeypatch.setattr(engine, "FEW", 1)
    monkeypatch.setattr(frames, "FEW", 1)
    found = load(make(dict(id=["a", "a", "b"], score=[.5, None, .25])), Options.of(dict(missing="drop")))
    counts = found.blocks["", ""]
    assert counts.n.tolist() == [1, 1] and counts.missing.tolist() == [1, 0]
    assert found.rows.times.tolist() == [1, 1, 1]


def test_graded_rows_of_0_and_1_are_merged_and_kept(tmp_path):
    rows = read([dict(model="a", id=1, score=1.), dict(model="b", id=1, score=.5)]).models()["a"]
    assert merge_rows(rows).correct is None
    write_counts(tmp_path / "c.parquet", rows)
    assert read_counts(tmp_path / "c.parquet").correct is None


def test_a_weight_in_words():
    with pytest.raises(ValueError, match="finite weight, got 0 at row 1"):
        load([dict(id=1, correct=1, w=1), dict(id=2, correct=1, w=0)], Options.of({}, weights="w"))
