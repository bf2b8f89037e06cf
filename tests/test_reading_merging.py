"Counts files and runs that are added: nothing is lost, nothing is counted twice."
import gzip
import hashlib
import json
import os
import shutil
from dataclasses import fields, replace

import duckdb
import numpy as np
import polars as pl
import pytest

from conftest import command
from sampling_eval import merge, score
from sampling_eval.foundations.counts import Counts
from sampling_eval.io.counts_file import read_counts, write_counts
from sampling_eval.io.load import load, read
UNSURE = "No sample ids: duplicates between the files cannot be detected."
from sampling_eval.io.counts_file import merge_rows
from sampling_eval.io.options import Options, Policy
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
    assert twice.draws is None and twice.warnings == ()
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


def test_overlaps_that_cannot_be_seen_are_said(tmp_path):
    plain = dict(id=[1, 1], correct=[1, 0])
    merged = merge_rows(read(plain), read(plain))
    assert merged.warnings == (UNSURE,) and "No sample ids" not in merged.source
    write_counts(tmp_path / "c.parquet", merged)
    assert read_counts(tmp_path / "c.parquet").warnings == (UNSURE,)
    for kept in (merge_rows(read(plain), read(plain), separate=True), merge_rows(read(plain)),
                 merge_rows(read(plain), read(plain | dict(id=[2, 2])), union=True)):
        assert kept.warnings == ()
    # One run with ids is no help if the other has none.
    assert merge_rows(read(plain), read(plain | dict(sample=["a", "b"]))).warnings == (UNSURE,)


IDS = {"large numbers": (range(300, 400), range(350, 450)), "both sides of the bits": (range(150), range(100, 250)),
       "text": ([f"run-{i}" for i in range(6)], [f"run-{i}" for i in range(5, 11)]),
       "numbers as text": ([str(i) for i in range(200, 206)], range(205, 211))}


def list_ids(ids, seed, model=None):
    rng = np.random.default_rng(seed)
    rows = [dict(id=f"q{q}", sample=s, correct=int(rng.random() < .5)) for q in range(7) for s in ids]
    return [row | dict(model=model) for row in rows] if model else rows


def write_as(form, rows, folder, name):
    path, frame = folder / f"{name}.{form}", pl.DataFrame(rows)
    if form == "rows": return rows
    if form == "polars": return frame
    if form == "lazy": return frame.lazy()
    if form == "pandas": return frame.to_pandas()
    if form == "duckdb": return duckdb.from_arrow(frame.to_arrow())
    if form == "counted": return read(rows)
    if form in ("counts", "counts of parquet"):
        if form == "counts": write_counts(path := folder / f"{name}.c.parquet", read(rows))
        else:
            frame.write_parquet(folder / f"{name}.p.parquet")
            write_counts(path := folder / f"{name}.d.parquet", read(folder / f"{name}.p.parquet"))
    elif form == "csv": frame.write_csv(path)
    elif form == "jsonl": frame.write_ndjson(path)
    elif form == "parquet": frame.write_parquet(path)
    return str(path)


FORMS = ["rows", "polars", "lazy", "pandas", "duckdb", "counted", "counts", "counts of parquet", "csv", "jsonl", "parquet"]


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("form", FORMS)
def test_samples_in_two_runs_are_found_by_their_ids(form, ids, tmp_path):
    one, other = IDS[ids]
    a, b = write_as(form, list_ids(one, 1), tmp_path, "a"), write_as("polars", list_ids(other, 2), tmp_path, "b")
    both = len(set(map(str, one)) & set(map(str, other)))
    for pair in (a, b), (b, a):
        with pytest.raises(ValueError, match=f"\\({7 * both} samples of 7 questions fail\\)"): merge(*pair)
    apart = [s for s in other if str(s) not in set(map(str, one))]
    rest = write_as("polars", list_ids(apart, 2), tmp_path, "c")
    merged = merge(a, rest)
    assert len(merged) == 7 * (len(one) + len(apart)) and merged.warnings == ()
    with pytest.raises(ValueError, match="each sample must appear once"): merge(merged, b)
    with pytest.raises(ValueError, match="each sample must appear once"): merge(merged, rest)
    assert len(merge(a, b, separate=True)) == 7 * (len(one) + len(other))


def test_samples_of_different_models_may_have_one_id():
    x, y = (read(list_ids(IDS["text"][0], 1, model)) for model in "xy")
    merged = merge_rows(x, y)
    assert set(merged.models()) == {"x", "y"} and merged.warnings == ()
    with pytest.raises(ValueError, match="each sample must appear once"): merge_rows(merged, x)


def test_fingerprints_stay_small_and_see_what_large_tables_share(tmp_path):
    def draw_ids(start, questions=2000):
        q = np.repeat(np.arange(questions), 20)
        ids = np.array([f"u{i}" for i in range(start, start + len(q))])
        return dict(id=q, sample=ids, correct=np.random.default_rng(start).integers(0, 2, len(q)))
    rows = [read(draw_ids(0)), read(draw_ids(36000)), read(draw_ids(80000))]
    for i, run in enumerate(rows): write_counts(tmp_path / f"{i}.parquet", run)
    sizes = [os.path.getsize(tmp_path / f"{i}.parquet") for i in range(3)]
    write_counts(tmp_path / "bare.parquet", replace(rows[0], fingerprint=None))
    assert max(sizes) - os.path.getsize(tmp_path / "bare.parquet") < 16_000
    paths = [tmp_path / f"{i}.parquet" for i in range(3)]
    assert merge(paths[0], paths[2]).warnings == ()
    # A tenth of the samples has moved by 1,800 questions: no sample is in the same question.
    assert merge(paths[0], paths[1]).warnings == ()
    again = draw_ids(0)
    part = {name: values[:4000] for name, values in again.items()}
    part["correct"] = 1 - part["correct"]
    with pytest.raises(ValueError, match="each sample must appear once"):
        merge(paths[0], read(part), union=True)


def forget(path, *names):
    "The same counts file as a version before these names wrote it."
    table = pl.read_parquet(path).to_arrow()
    (text,), = duckdb.sql(f"SELECT decode(value) FROM parquet_kv_metadata('{path}') WHERE key = 'sampling_eval'").fetchall()
    told = {name: value for name, value in json.loads(text).items() if name not in names}
    con = duckdb.connect()
    con.register("held", table)
    old = path.with_suffix(".old.parquet")
    con.execute(f"COPY held TO '{old}' (FORMAT parquet, KV_METADATA {{sampling_eval: '{json.dumps(told)}'}})")
    return old


def test_older_counts_files_are_read_and_what_they_cannot_tell_is_said(tmp_path):
    write_counts(tmp_path / "a.parquet", read(list_ids(IDS["text"][0], 1)))
    old = forget(tmp_path / "a.parquet", "fingerprint", "derived", "warnings")
    assert read_counts(old).fingerprint is None and read_counts(tmp_path / "a.parquet").fingerprint is not None
    merged = merge(old, pl.DataFrame(list_ids(IDS["text"][1], 2)))
    assert merged.warnings == (UNSURE,) and len(merged) == 84


# Runs without ids.

def draw_runs(seed, questions=40, n=6):
    "Two honest runs of one model."
    rng = np.random.default_rng(seed)
    p = rng.beta(.5, .5, questions)
    return [[dict(id=q, correct=int(rng.random() < p[q])) for q in range(questions) for _ in range(n)] for _ in "ab"]


@pytest.mark.parametrize("form", FORMS)
def test_copies_without_ids_are_found(form, tmp_path):
    one, other = draw_runs(1)
    a = write_as(form, one, tmp_path, "a")
    copied = write_as("csv", [one[i] for i in np.random.default_rng(0).permutation(len(one))], tmp_path, "b")
    with pytest.raises(ValueError, match="agree in every count of 40 questions, which independent runs do with a chance"):
        merge(a, copied)
    assert len(merge(a, copied, separate=True)) == 480
    assert merge(a, write_as("csv", other, tmp_path, "c")).warnings == (UNSURE,)


def test_copies_among_files_that_hold_draws(tmp_path):
    one, other = draw_runs(2)
    shuffled = [one[i] for i in np.random.default_rng(0).permutation(len(one))]
    for name, rows in dict(a=one, b=shuffled, c=other).items():
        for form in "csv", "parquet", "jsonl": write_as(form, rows, tmp_path, name)
    for form in "csv", "parquet", "jsonl":
        paths = [str(tmp_path / f"{name}.{form}") for name in "abc"]
        told = command("score", *paths[:2], "--files-hold", "draws")
        assert told.returncode == 2 and "got the same ones in" in told.stderr
        with pytest.raises(ValueError, match=f"the same ones in 'a.{form}' and 'b.{form}'"): score(paths[:2], files_hold="draws")
        honest = score([paths[0], paths[2]], files_hold="draws")
        assert honest.cautions[0].said == UNSURE and f"Warning: {UNSURE}" in str(honest)
    numbered = [[row | dict(sample=i % 6) for i, row in enumerate(rows)] for rows in (one, other)]
    paths = [write_as("csv", rows, tmp_path, f"n{i}") for i, rows in enumerate(numbered)]
    assert not score(paths, files_hold="draws").cautions
    paths = [write_as("csv", rows, tmp_path, f"m{i}") for i, rows in enumerate([numbered[0], numbered[0][::-1]])]
    with pytest.raises(ValueError, match="got the same ones in"): score(paths, files_hold="draws")


def test_honest_runs_that_coincide_are_added():
    "One question, one sample each, deterministic decoding: two runs are equal, and no copies."
    for rows in ([dict(id=1, correct=c) for c in (1, 0, 1, 1)], [dict(id=q, correct=q % 2) for q in range(500)],
                 [dict(id=q, correct=q % 2) for q in range(100) for _ in range(8)]):
        assert merge(read(rows), read(list(rows))).warnings == (UNSURE,)


def test_honest_runs_are_hardly_ever_refused():
    "Few questions of few samples, where coincidences are common: 500 pairs of runs of one model."
    rng = np.random.default_rng(5)
    refused = equal = 0
    for _ in range(500):
        p, q = rng.random(6).round(1), np.repeat(np.arange(6), 2)
        one, other = (dict(id=q, correct=(rng.random(12) < p[q]).astype(int)) for _ in "ab")
        equal += all((np.bincount(q, run["correct"]) == np.bincount(q, one["correct"])).all() for run in (one, other))
        try: merge_rows(read(one), read(other))
        except ValueError: refused += 1
    assert equal > 5 and refused == 0


def test_the_chance_of_a_coincidence_is_exact():
    "Against all ways to deal the samples of two questions into two runs."
    from itertools import combinations
    from math import prod
    from sampling_eval.io.identity import compare_contents
    contents = [(0, 0, 1, 2), (0, 1, 1, 1)]
    def count_ways(half):
        deals = [[half[i] for i in some] for whole in [half * 2] for some in combinations(range(8), 4)
                 for half in [whole]]
        return sum(sorted(deal) == sorted(half) for deal in deals) / len(deals)
    want = prod(map(count_ways, contents))
    run = np.repeat([0, 1], 8)
    pair = np.tile(np.repeat([0, 1], 4), 2)
    content = np.tile([o + 10 * q for q, half in enumerate(contents) for o in half], 2)
    got = compare_contents(run, pair, content, np.ones(16), (0, 1), np.array([True, True]))
    assert np.exp(got) == pytest.approx(want, rel=1e-12)


def test_one_object_is_not_two_runs():
    frame = pl.DataFrame(draw_runs(1)[0])
    for data in frame, frame.to_dicts(), read(frame):
        with pytest.raises(ValueError, match="as run 1 and as run 2"): merge(data, data)
        assert len(merge(data, data, separate=True)) == 480


def test_the_command_says_what_cannot_be_checked(tmp_path):
    paths = [write_as("csv", rows, tmp_path, name) for name, rows in zip("ab", draw_runs(1))]
    told = command("merge", *paths, "-o", str(tmp_path / "c.parquet"))
    assert told.returncode == 0 and f"\nWarning: {UNSURE}\n" in told.stdout
    for words in (["score", str(tmp_path / "c.parquet")], ["describe", str(tmp_path / "c.parquet")],
                  ["compare", str(tmp_path / "c.parquet"), paths[0]],
                  ["gate", str(tmp_path / "c.parquet"), "--baseline", paths[0], "--max-drop", ".1"],
                  ["table", str(tmp_path / "c.parquet"), paths[0]]):
        told = command(*words)
        assert UNSURE in " ".join(told.stdout.split()), (words, told.stdout, told.stderr)
    told = command("merge", paths[0], write_as("csv", draw_runs(1)[0][::-1], tmp_path, "r"), "-o", str(tmp_path / "d.parquet"))
    assert told.returncode == 2 and "pass --separate" in " ".join(told.stderr.split())


def test_counts_of_a_frame_are_known_by_their_own_file(tmp_path):
    columns = draw()
    del columns["sample"]
    write_counts(tmp_path / "a.parquet", read(columns))
    shutil.copy(tmp_path / "a.parquet", tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="the same file twice"):
        merge_rows(read_counts(tmp_path / "a.parquet"), read_counts(tmp_path / "b.parquet"))


def test_graded_rows_of_0_and_1_are_merged_and_kept(tmp_path):
    rows = read([dict(model="a", id=1, score=1.), dict(model="b", id=1, score=.5)]).models()["a"]
    assert merge_rows(rows).correct is None
    write_counts(tmp_path / "c.parquet", rows)
    assert read_counts(tmp_path / "c.parquet").correct is None
