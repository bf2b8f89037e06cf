"Counts files and runs that are added: nothing is lost, nothing is counted twice."
import gzip
import hashlib
import json
import os
import shutil
from dataclasses import fields

import duckdb
import numpy as np
import polars as pl
import pytest

from sampling_eval.foundations.counts import Counts
from sampling_eval.reading.counts_file import read_counts, write_counts
from sampling_eval.reading.load import load, read
from sampling_eval.reading.merging import UNSURE, merge_rows
from sampling_eval.reading.options import Options
from sampling_eval.reading.policy import Policy
from test_reading_origins import draw, list_counts, tell, write_file

CASES = [dict(), dict(text=True, missing=True), dict(models=3, missing=True, clusters=True),
         dict(scores=True), dict(scores=True, missing=True, text=True, models=2),
         dict(answers=True, models=2), dict(cost=True)]
NAMES = ["+".join(case) or "plain" for case in CASES]


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read_with(columns, **options):
    more = dict(sums="cost") if "cost" in columns else {}
    return read(columns, **more, **options)


# Counts files.

@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_counts_files_round_trip(case, tmp_path):
    columns = draw(**case)
    rows = read_with(columns)
    write_counts(tmp_path / "c.parquet", rows)
    for kept in read_counts(tmp_path / "c.parquet"), read(tmp_path / "c.parquet"):
        assert tell(kept) == tell(rows) and kept.source == rows.source
        for part in "total", "scored", "draws":
            assert (getattr(kept, part) is None) == (getattr(rows, part) is None)
            if getattr(rows, part) is not None:
                assert getattr(kept, part).sum() == pytest.approx(getattr(rows, part).sum())
        assert {name: values.sum() for name, values in kept.sums.items()} == {
            name: values.sum() for name, values in rows.sums.items()}
    assert os.listdir(tmp_path) == ["c.parquet"]


def test_counts_files_keep_groups_and_single_scores(tmp_path):
    columns = draw(groups=True, scores=True)
    write_counts(tmp_path / "c.parquet", read(columns, by="task"))
    kept, want = load(tmp_path / "c.parquet"), load(columns, Options.of(dict(group="task")))
    assert {k: list_counts(o) for k, o in kept.blocks.items()} == {
        k: list_counts(o) for k, o in want.blocks.items()}
    assert len(kept.blocks) == 3 and kept.blocks["", ""].rewards is not None


def test_counts_files_remember_their_sources(tmp_path):
    path = lines(tmp_path / "a.jsonl", dict(id=1, correct=1))
    rows = read(path)
    write_counts(tmp_path / "a.parquet", rows)
    (kept,) = read_counts(tmp_path / "a.parquet").files
    assert (kept.path, kept.sha256) == ("a.jsonl", hashlib.sha256(path.read_bytes()).hexdigest())
    lines(path, dict(id=1, correct=1), dict(id=1, correct=0))
    with pytest.raises(ValueError, match="changed after it was counted"):
        write_counts(tmp_path / "b.parquet", rows)
    assert sorted(os.listdir(tmp_path)) == ["a.jsonl", "a.parquet"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "c.parquet"
    write_counts(path, read(draw()))
    before = path.read_bytes()
    def stop(*given): raise KeyboardInterrupt
    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt): write_counts(path, read(draw(1)))
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["c.parquet"]


def write_by_hand(path, **about):
    told = json.dumps(dict(source="", files=[]) | about)
    duckdb.sql(f"COPY (SELECT 1 AS question, 0 AS rows) TO '{path}' "
               f"(FORMAT parquet, KV_METADATA {{sampling_eval: '{told}'}})")
    return path


def test_other_parquet_is_no_counts_file(tmp_path):
    pl.DataFrame(dict(id=[1], correct=[1])).write_parquet(tmp_path / "s.parquet")
    with pytest.raises(ValueError, match="is no counts file"): read_counts(tmp_path / "s.parquet")
    write_counts(tmp_path / "c.parquet", read(tmp_path / "s.parquet"))
    with pytest.raises(ValueError, match="counts files and samples cannot be read together"):
        read(tmp_path / "*.parquet")
    with pytest.raises(ValueError, match="need rows >= 1, got 0"):
        read_counts(write_by_hand(tmp_path / "d.parquet", version=1))
    with pytest.raises(ValueError, match="has version 2, this package reads 1"):
        read_counts(write_by_hand(tmp_path / "e.parquet", version=2))
    with pytest.raises(FileNotFoundError): read_counts(tmp_path / "none.parquet")
    with pytest.raises(OSError, match="cannot write"):
        write_counts(tmp_path / "none" / "c.parquet", read(draw()))


@pytest.mark.parametrize("options, said", [
    (dict(question="id"), "question= names a column of samples, but"),
    (dict(by="task"), "by= names a column of samples, but"),
    (dict(cluster="part"), "cluster= names a column of samples, but"),
    (dict(threshold=.5), "threshold= is for samples, but"),
    (dict(sums="cost"), "sums= is for samples, but"),
    (dict(filter="x"), "filter= is for samples, but")])
def test_options_that_counts_cannot_honour(options, said, tmp_path):
    write_counts(tmp_path / "c.parquet", read(draw()))
    with pytest.raises(ValueError, match=said): load(tmp_path / "c.parquet", Options.of(options))


# Adding runs.

def halve(**case):
    "Two runs of one table by sample number, and the table."
    columns = draw(**case)
    sides = [[i for i, s in enumerate(columns["sample"]) if (s < 2) is side]
             for side in (True, False)]
    return *({name: [values[i] for i in side] for name, values in columns.items()}
             for side in sides), columns


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_runs_add(case):
    a, b, whole = halve(**case)
    merged, want = merge_rows(read_with(a), read_with(b)), read_with(whole)
    assert tell(merged) == tell(want) and (merged.draws.sum(0) == want.draws.sum(0)).all()
    known = "sums" in {field.name for field in fields(Counts)}
    for model, rows in merged.models().items() if known or not merged.sums else ():
        policy = Policy("wrong", no_answer="vote", conflict="any")
        assert list_counts(rows.counts(policy)) == list_counts(want.models()[model].counts(policy))
    for name in merged.sums: assert merged.sums[name].sum() == want.sums[name].sum()
    assert merged.sums.keys() == want.sums.keys()


def test_nothing_is_counted_twice(tmp_path):
    a, b, _ = halve()
    with pytest.raises(ValueError, match="with one sample number in two runs"):
        merge_rows(read(a), read(b), read(a))
    alone = merge_rows(read(a), separate=True)
    assert np.sort(alone.draws, 0).tolist() == np.sort(read(a).draws, 0).tolist()
    twice = merge_rows(read(a), read(a), separate=True)
    assert (np.sort(twice.counts().n) == np.sort(2 * read(a).counts().n)).all()
    assert twice.draws is None and UNSURE not in twice.source
    path = write_file("a.jsonl")(a, tmp_path)
    shutil.copy(path, tmp_path / "b.jsonl")
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    write_counts(tmp_path / "d.parquet", read(path))
    write_counts(tmp_path / "e.parquet", merge_rows(read(path), read(b)))
    for other in "b.jsonl", "c.jsonl.gz", "d.parquet", "e.parquet":
        with pytest.raises(ValueError, match="the same file twice"):
            merge_rows(read(path), read(tmp_path / other), separate=True)
    with pytest.raises(ValueError, match="the same file twice"):
        read([tmp_path / "d.parquet", tmp_path / "e.parquet"])


def test_overlaps_that_cannot_be_seen_are_said():
    names = dict(id=[1, 1], sample=["a", "b"], correct=[1, 0])
    assert UNSURE in merge_rows(read(names), read(names)).source
    assert UNSURE not in merge_rows(read(names), read(names), separate=True).source
    assert UNSURE not in merge_rows(read(names)).source
    other = names | dict(id=[2, 2])
    assert UNSURE not in merge_rows(read(names), read(other), union=True).source


def test_overlaps_of_one_model_are_found():
    rows = [dict(id=1, sample=s, correct=1, model=m) for m in "xy" for s in (0, 1)]
    more = [dict(id=1, sample=s, correct=1, model="y") for s in (1, 2)]
    with pytest.raises(ValueError, match="got model 'y', question 1 with one sample number in two"
                                         r" runs \(1 of 2 questions fail\)"):
        merge_rows(read(rows), read(more))
    assert len(merge_rows(read(rows), read(more[1:]))) == 5


def test_counts_of_a_frame_are_known_by_their_own_file(tmp_path):
    columns = draw()
    del columns["sample"]
    write_counts(tmp_path / "a.parquet", read(columns))
    shutil.copy(tmp_path / "a.parquet", tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="the same file twice"):
        merge_rows(read_counts(tmp_path / "a.parquet"), read_counts(tmp_path / "b.parquet"))


def test_runs_that_do_not_fit_are_refused():
    one, two = read([dict(id="a", correct=1)]), read([dict(id="b", correct=1)])
    with pytest.raises(ValueError, match=r"only in run 1 \['a'\], only in run 2 \['b'\]"):
        merge_rows(one, two)
    assert merge_rows(one, two, union=True).questions.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="all runs or none must have model, got 1 of 2"):
        merge_rows(one, read([dict(id="a", correct=1, model="m")]))
    with pytest.raises(ValueError, match="need at least one run"): merge_rows()
    assert merge_rows(one, read([dict(id="a", correct=1, score=.5)])).score is None


def test_graded_rows_of_0_and_1_are_merged_and_kept(tmp_path):
    rows = read([dict(model="a", id=1, score=1.), dict(model="b", id=1, score=.5)]).models()["a"]
    assert merge_rows(rows).correct is None
    write_counts(tmp_path / "c.parquet", rows)
    assert read_counts(tmp_path / "c.parquet").correct is None
