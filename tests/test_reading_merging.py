"""Counts files, runs that are added and gradings side by side.

Nothing is lost, nothing is counted twice."""

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

from conftest import command, name_kind
from test_reading_origins import draw, list_counts, tell, write_file
from sampling_eval import Counts, merge, read, score
from sampling_eval.reading import counts_file
from sampling_eval.reading.counted import CountedRows
from sampling_eval.reading.counts_file import (
    find_counts,
    merge_rows,
    read_counts,
    read_counts_files,
    share_questions,
    stack_gradings,
    tabulate_rows,
    write_counts,
    write_texts,
)
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options, Policy
from sampling_eval.reading.reduce import code_answers
from sampling_eval.reading.sample_ids import File
from sampling_eval.results.reading import ReadSummary

UNSURE = "No sample ids: duplicates between the files cannot be detected."

CASES = [
    dict(),
    dict(text=True, missing=True),
    dict(models=3, missing=True, clusters=True),
    dict(scores=True),
    dict(scores=True, missing=True, text=True, models=2),
    dict(answers=True, models=2),
    dict(cost=True),
]
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
            name: values.sum() for name, values in rows.sums.items()
        }
    assert os.listdir(tmp_path) == ["c.parquet"]


def test_counts_files_keep_groups_and_single_scores(tmp_path):
    columns = draw(groups=True, scores=True)
    write_counts(tmp_path / "c.parquet", read(columns, by="task"))
    kept, want = load(tmp_path / "c.parquet"), load(columns, Options.of(dict(group="task")))
    assert {k: list_counts(o) for k, o in kept.blocks.items()} == {
        k: list_counts(o) for k, o in want.blocks.items()
    }
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

    def stop(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        write_counts(path, read(draw(1)))
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["c.parquet"]


def write_by_hand(path, **about):
    told = json.dumps(dict(source="", files=[]) | about)
    duckdb.sql(
        f"COPY (SELECT 1 AS question, 0 AS rows) TO '{path}' "
        f"(FORMAT parquet, KV_METADATA {{sampling_eval: '{told}'}})"
    )
    return path


def test_other_parquet_is_no_counts_file(tmp_path):
    pl.DataFrame(dict(id=[1], correct=[1])).write_parquet(tmp_path / "s.parquet")
    with pytest.raises(ValueError, match="is no counts file"):
        read_counts(tmp_path / "s.parquet")
    write_counts(tmp_path / "c.parquet", read(tmp_path / "s.parquet"))
    with pytest.raises(ValueError, match="counts files and samples cannot be read together"):
        read(tmp_path / "*.parquet")
    with pytest.raises(ValueError, match="need rows >= 1, got 0"):
        read_counts(write_by_hand(tmp_path / "d.parquet", version=1))
    with pytest.raises(ValueError, match="has version 2, this package reads 1"):
        read_counts(write_by_hand(tmp_path / "e.parquet", version=2))
    with pytest.raises(FileNotFoundError):
        read_counts(tmp_path / "none.parquet")
    with pytest.raises(OSError, match="cannot write"):
        write_counts(tmp_path / "none" / "c.parquet", read(draw()))


# Adding runs.


def halve(**case):
    "Two runs of one table by sample number, and the table."
    columns = draw(**case)
    sides = [
        [i for i, s in enumerate(columns["sample"]) if (s < 2) is side] for side in (True, False)
    ]
    return (
        *({name: [values[i] for i in side] for name, values in columns.items()} for side in sides),
        columns,
    )


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_runs_add(case):
    a, b, whole = halve(**case)
    merged, want = merge_rows(read_with(a), read_with(b)), read_with(whole)
    assert tell(merged) == tell(want) and (merged.draws.sum(0) == want.draws.sum(0)).all()
    known = "sums" in {field.name for field in fields(Counts)}
    for model, rows in merged.models().items() if known or not merged.sums else ():
        policy = Policy("wrong", no_answer="vote", conflict="any")
        assert list_counts(rows.counts(policy)) == list_counts(want.models()[model].counts(policy))
    for name in merged.sums:
        assert merged.sums[name].sum() == want.sums[name].sum()
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
    for kept in (
        merge_rows(read(plain), read(plain), separate=True),
        merge_rows(read(plain)),
        merge_rows(read(plain), read(plain | dict(id=[2, 2])), union=True),
    ):
        assert kept.warnings == ()
    # One run with ids is no help if the other has none.
    assert merge_rows(read(plain), read(plain | dict(sample=["a", "b"]))).warnings == (UNSURE,)


IDS = {
    "large numbers": (range(300, 400), range(350, 450)),
    "both sides of the bits": (range(150), range(100, 250)),
    "text": ([f"run-{i}" for i in range(6)], [f"run-{i}" for i in range(5, 11)]),
    "numbers as text": ([str(i) for i in range(200, 206)], range(205, 211)),
}


def list_ids(ids, seed, model=None):
    rng = np.random.default_rng(seed)
    rows = [
        dict(id=f"q{q}", sample=s, correct=int(rng.random() < 0.5)) for q in range(7) for s in ids
    ]
    return [row | dict(model=model) for row in rows] if model else rows


def write_as(form, rows, folder, name):
    path, frame = folder / f"{name}.{form}", pl.DataFrame(rows)
    if form == "rows":
        return rows
    if form == "polars":
        return frame
    if form == "lazy":
        return frame.lazy()
    if form == "pandas":
        return frame.to_pandas()
    if form == "duckdb":
        return duckdb.from_arrow(frame.to_arrow())
    if form == "counted":
        return read(rows)
    if form in ("counts", "counts of parquet"):
        if form == "counts":
            write_counts(path := folder / f"{name}.c.parquet", read(rows))
        else:
            frame.write_parquet(folder / f"{name}.p.parquet")
            write_counts(path := folder / f"{name}.d.parquet", read(folder / f"{name}.p.parquet"))
    elif form == "csv":
        frame.write_csv(path)
    elif form == "jsonl":
        frame.write_ndjson(path)
    elif form == "parquet":
        frame.write_parquet(path)
    return str(path)


FORMS = [
    "rows",
    "polars",
    "lazy",
    "pandas",
    "duckdb",
    "counted",
    "counts",
    "counts of parquet",
    "csv",
    "jsonl",
    "parquet",
]


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("form", FORMS)
def test_samples_in_two_runs_are_found_by_their_ids(form, ids, tmp_path):
    one, other = IDS[ids]
    a, b = write_as(form, list_ids(one, 1), tmp_path, "a"), write_as(
        "polars", list_ids(other, 2), tmp_path, "b"
    )
    both = len(set(map(str, one)) & set(map(str, other)))
    for pair in (a, b), (b, a):
        with pytest.raises(ValueError, match=f"\\({7 * both} samples of 7 questions fail\\)"):
            merge(*pair)
    apart = [s for s in other if str(s) not in set(map(str, one))]
    rest = write_as("polars", list_ids(apart, 2), tmp_path, "c")
    merged = merge(a, rest)
    assert len(merged) == 7 * (len(one) + len(apart)) and merged.warnings == ()
    with pytest.raises(ValueError, match="each sample must appear once"):
        merge(merged, b)
    with pytest.raises(ValueError, match="each sample must appear once"):
        merge(merged, rest)
    assert len(merge(a, b, separate=True)) == 7 * (len(one) + len(other))


def test_samples_of_different_models_may_have_one_id():
    x, y = (read(list_ids(IDS["text"][0], 1, model)) for model in "xy")
    merged = merge_rows(x, y)
    assert set(merged.models()) == {"x", "y"} and merged.warnings == ()
    with pytest.raises(ValueError, match="each sample must appear once"):
        merge_rows(merged, x)


def test_fingerprints_stay_small_and_see_what_large_tables_share(tmp_path):
    def draw_ids(start, questions=2000):
        q = np.repeat(np.arange(questions), 20)
        ids = np.array([f"u{i}" for i in range(start, start + len(q))])
        return dict(id=q, sample=ids, correct=np.random.default_rng(start).integers(0, 2, len(q)))

    rows = [read(draw_ids(0)), read(draw_ids(36000)), read(draw_ids(80000))]
    for i, run in enumerate(rows):
        write_counts(tmp_path / f"{i}.parquet", run)
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
    ((text,),) = duckdb.sql(
        f"SELECT decode(value) FROM parquet_kv_metadata('{path}') WHERE key = 'sampling_eval'"
    ).fetchall()
    told = {name: value for name, value in json.loads(text).items() if name not in names}
    con = duckdb.connect()
    con.register("held", table)
    old = path.with_suffix(".old.parquet")
    con.execute(
        f"COPY held TO '{old}' "
        f"(FORMAT parquet, KV_METADATA {{sampling_eval: '{json.dumps(told)}'}})"
    )
    return old


def test_older_counts_files_are_read_and_what_they_cannot_tell_is_said(tmp_path):
    write_counts(tmp_path / "a.parquet", read(list_ids(IDS["text"][0], 1)))
    old = forget(tmp_path / "a.parquet", "fingerprint", "derived", "warnings")
    assert (
        read_counts(old).fingerprint is None
        and read_counts(tmp_path / "a.parquet").fingerprint is not None
    )
    merged = merge(old, pl.DataFrame(list_ids(IDS["text"][1], 2)))
    assert merged.warnings == (UNSURE,) and len(merged) == 84


# Runs without ids.


def draw_runs(seed, questions=40, n=6):
    "Two honest runs of one model."
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 0.5, questions)
    return [
        [dict(id=q, correct=int(rng.random() < p[q])) for q in range(questions) for _ in range(n)]
        for _ in "ab"
    ]


@pytest.mark.parametrize("form", FORMS)
def test_copies_without_ids_are_found(form, tmp_path):
    one, other = draw_runs(1)
    a = write_as(form, one, tmp_path, "a")
    copied = write_as(
        "csv", [one[i] for i in np.random.default_rng(0).permutation(len(one))], tmp_path, "b"
    )
    with pytest.raises(
        ValueError,
        match="agree in every count of 40 questions, which independent runs do with a chance",
    ):
        merge(a, copied)
    assert len(merge(a, copied, separate=True)) == 480
    assert merge(a, write_as("csv", other, tmp_path, "c")).warnings == (UNSURE,)


def test_copies_among_files_that_hold_draws(tmp_path):
    one, other = draw_runs(2)
    shuffled = [one[i] for i in np.random.default_rng(0).permutation(len(one))]
    for name, rows in dict(a=one, b=shuffled, c=other).items():
        for form in "csv", "parquet", "jsonl":
            write_as(form, rows, tmp_path, name)
    for form in "csv", "parquet", "jsonl":
        paths = [str(tmp_path / f"{name}.{form}") for name in "abc"]
        told = command("score", *paths[:2], "--files-hold", "draws")
        assert told.returncode == 2 and "got the same ones in" in told.stderr
        with pytest.raises(ValueError, match=f"the same ones in 'a.{form}' and 'b.{form}'"):
            score(paths[:2], files_hold="draws")
        honest = score([paths[0], paths[2]], files_hold="draws")
        assert honest.cautions[0].said == UNSURE and f"Warning: {UNSURE}" in str(honest)
    numbered = [[row | dict(sample=i % 6) for i, row in enumerate(rows)] for rows in (one, other)]
    paths = [write_as("csv", rows, tmp_path, f"n{i}") for i, rows in enumerate(numbered)]
    assert not score(paths, files_hold="draws").cautions
    paths = [
        write_as("csv", rows, tmp_path, f"m{i}")
        for i, rows in enumerate([numbered[0], numbered[0][::-1]])
    ]
    with pytest.raises(ValueError, match="got the same ones in"):
        score(paths, files_hold="draws")


def test_honest_runs_that_coincide_are_added():
    "One question, one sample each, deterministic decoding: two runs are equal, and no copies."
    for rows in (
        [dict(id=1, correct=c) for c in (1, 0, 1, 1)],
        [dict(id=q, correct=q % 2) for q in range(500)],
        [dict(id=q, correct=q % 2) for q in range(100) for _ in range(8)],
    ):
        assert merge(read(rows), read(list(rows))).warnings == (UNSURE,)


def test_honest_runs_are_hardly_ever_refused():
    "Few questions of few samples, where coincidences are common: 500 pairs of runs of one model."
    rng = np.random.default_rng(5)
    refused = equal = 0
    for _ in range(500):
        p, q = rng.random(6).round(1), np.repeat(np.arange(6), 2)
        one, other = (dict(id=q, correct=(rng.random(12) < p[q]).astype(int)) for _ in "ab")
        equal += all(
            (np.bincount(q, run["correct"]) == np.bincount(q, one["correct"])).all()
            for run in (one, other)
        )
        try:
            merge_rows(read(one), read(other))
        except ValueError:
            refused += 1
    assert equal > 5 and refused == 0


def test_the_chance_of_a_coincidence_is_exact():
    "Against all ways to deal the samples of two questions into two runs."
    from itertools import combinations
    from math import prod
    from sampling_eval.reading.identity import compare_contents

    contents = [(0, 0, 1, 2), (0, 1, 1, 1)]

    def count_ways(half):
        deals = [
            [half[i] for i in some]
            for whole in [half * 2]
            for some in combinations(range(8), 4)
            for half in [whole]
        ]
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
        with pytest.raises(ValueError, match="as run 1 and as run 2"):
            merge(data, data)
        assert len(merge(data, data, separate=True)) == 480


def test_the_command_says_what_cannot_be_checked(tmp_path):
    paths = [write_as("csv", rows, tmp_path, name) for name, rows in zip("ab", draw_runs(1))]
    told = command("merge", *paths, "-o", str(tmp_path / "c.parquet"))
    assert told.returncode == 0 and f"\nWarning: {UNSURE}\n" in told.stdout
    for words in (
        ["score", str(tmp_path / "c.parquet")],
        ["describe", str(tmp_path / "c.parquet")],
        ["compare", str(tmp_path / "c.parquet"), paths[0]],
        ["gate", str(tmp_path / "c.parquet"), "--baseline", paths[0], "--max-drop", ".1"],
        ["table", str(tmp_path / "c.parquet"), paths[0]],
    ):
        told = command(*words)
        assert UNSURE in " ".join(told.stdout.split()), (words, told.stdout, told.stderr)
    told = command(
        "merge",
        paths[0],
        write_as("csv", draw_runs(1)[0][::-1], tmp_path, "r"),
        "-o",
        str(tmp_path / "d.parquet"),
    )
    assert told.returncode == 2 and "pass --separate" in " ".join(told.stderr.split())


def test_counts_of_a_frame_are_known_by_their_own_file(tmp_path):
    columns = draw()
    del columns["sample"]
    write_counts(tmp_path / "a.parquet", read(columns))
    shutil.copy(tmp_path / "a.parquet", tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="the same file twice"):
        merge_rows(read_counts(tmp_path / "a.parquet"), read_counts(tmp_path / "b.parquet"))


def test_graded_rows_of_0_and_1_are_merged_and_kept(tmp_path):
    rows = read([dict(model="a", id=1, score=1.0), dict(model="b", id=1, score=0.5)]).models()["a"]
    assert merge_rows(rows).correct is None
    write_counts(tmp_path / "c.parquet", rows)
    assert read_counts(tmp_path / "c.parquet").correct is None


# Runs that are added, gradings side by side, and files of counts.

NAN = float("nan")


def find_error(check, *given, **named):
    with pytest.raises((ValueError, TypeError, OSError)) as error:
        check(*given, **named)
    return f"{name_kind(error.value)}: {error.value}"


def show(rows):
    "Every column that is known of counted rows, row by row, as lists."
    found = dict(question=rows.questions[rows.question].tolist(), times=rows.times.tolist())
    for part in (
        "correct",
        "answer",
        "score",
        "total",
        "scored",
        "model",
        "group",
        "cluster",
        "weight",
        "draws",
        "runs",
    ):
        column = getattr(rows, part)
        if column is not None:
            found[part] = [None if v != v else v for v in column.tolist()]
    return found | {f"sum {name}": values.tolist() for name, values in rows.sums.items()}


# Runs that are added.


def make_rows(question, times, correct=None, source="", files=(), tasks=(), **given):
    held = {
        part: np.array(
            list(values), object if part in ("answer", "model", "group", "cluster") else None
        )
        for part, values in given.items()
    }
    names = list(dict.fromkeys(question))
    right = None if correct is None else np.array(correct, float)
    return CountedRows(
        np.array([names.index(q) for q in question]),
        np.array(names, object),
        np.array(times),
        right,
        summary=(
            ReadSummary("table", source, rows=sum(times), columns=dict(question="q"))
            if source
            else ReadSummary()
        ),
        files=tuple(files),
        tasks=tuple(tasks),
        **held,
    )


def test_runs_that_are_merged():
    one = make_rows(
        ["b", "a"],
        [2, 1],
        [1, 0],
        score=[0.5, 1],
        total=[1, 1.0],
        scored=[2, 1],
        answer=["x", None],
        source="a",
        draws=[[3, 0, 0], [4, 0, 0]],
    )
    two = make_rows(
        ["a", "b"],
        [3, 1],
        [0, NAN],
        score=[1, 0.5],
        total=[3, 0.5],
        scored=[3, 1],
        answer=[None, "x"],
        source="b",
        draws=[[3 + 8, 0, 0], [4, 0, 0]],
    )
    merged = merge_rows(one, two)
    assert show(merged) == dict(
        question=["a", "b", "b"],
        times=[4, 2, 1],
        correct=[0, 1, None],
        answer=[None, "x", "x"],
        score=[1, 0.5, 0.5],
        total=[4, 1, 0.5],
        scored=[4, 2, 1],
        draws=[[15, 0, 0], [3, 0, 0], [4, 0, 0]],
    )
    assert merged.source == "added 2 runs, 3 rows from a and 4 rows from b: question=q"
    assert merge_rows(one).source == "added 1 run, 3 rows from a: question=q"
    graded = make_rows(["a"], [2], score=[0.5], total=[1.0], scored=[2])
    assert merge_rows(graded).correct is None and show(merge_rows(graded))["total"] == [1]


@pytest.mark.parametrize(
    "a, b, told",
    [
        (
            dict(files=[File("x/a", "h")]),
            dict(files=[File("y/b", "h")]),
            "the same file twice: 'x/a' in run 1 and 'y/b' in run 2 have the same content",
        ),
        (
            dict(files=[File("s3://a/b")]),
            dict(files=[File("s3://a/b")]),
            "the same file twice: 's3://a/b' in run 1 and",
        ),
        (dict(model="mm"), {}, "all runs or none must have model, got 1 of 2"),
        (
            dict(draws=[[1, 0, 0], [1, 0, 0]]),
            dict(draws=[[2, 0, 0], [1, 0, 0]]),
            "each sample must appear once, got question 'b' with one sample number in two runs "
            "(1 of 2 questions fail); if these are separate draws, pass separate=True",
        ),
        (
            dict(draws=[[1, 0, 0], [1, 0, 0]], model="mn"),
            dict(draws=[[1, 0, 0], [2, 0, 0]], model="mn"),
            "got model 'm', question 'a' with one sample number in two runs "
            "(1 of 2 questions fail)",
        ),
    ],
)
def test_runs_that_do_not_go_together(a, b, told):
    runs = [make_rows(["a", "b"], [1, 1], [1, 1], **given) for given in (a, b)]
    assert told in find_error(merge_rows, *runs)


def test_runs_of_other_questions():
    one, two = make_rows("abcdez", [1] * 6, [1] * 6), make_rows("zyxwv", [1] * 5, [1] * 5)
    assert find_error(merge_rows, one, two) == (
        "ValueError: runs must cover the same questions, "
        "got only in run 1 ['a', 'b', 'c'], only in run 2 ['v', 'w', 'x']; "
        "pass union=True for parts of one benchmark"
    )
    assert share_questions([one, two]) and not share_questions(
        [make_rows("a", [1]), make_rows("b", [1])]
    )
    apart = make_rows("a", [1], model="m"), make_rows("a", [1], model="n")
    assert not share_questions(apart) and len(merge_rows(*apart).models()) == 2
    assert "all runs or none must have correct, got 1 of 2" in find_error(
        merge_rows, make_rows("a", [1], [1]), make_rows("a", [1])
    )


# Gradings.


def test_graded_gradings_have_no_outcome():
    graded = make_rows(["a"], [1], score=[0.5], total=[0.5], scored=[1])
    assert stack_gradings(dict(u=graded, v=graded)).correct is None
    assert find_error(stack_gradings, dict(u=graded, v=make_rows(["a"], [1], [1]))) == (
        "ValueError: gradings side by side must all say right or wrong, or all give a score, "
        "got 'v' (right or wrong) and 'u' (a score); pass threshold=, above which a score is right"
    )


# Counts files.

RICH = make_rows(
    ["b", "b", "a", "b"],
    [2, 1, 3, 1],
    [1, 0, NAN, 1],
    source="said",
    files=[File("x/f.csv", "aa")],
    model=["m", "m", "m", "n"],
    cluster=["c", "c", "d", "c"],
    group=["g", "g", "g", "g"],
    answer=["x", None, {"k": 1}, 7],
    score=[1.0, 0.5, NAN, 0.25],
    total=[2.0, 0.5, 0, 0.25],
    scored=[2, 1, 0, 1],
    draws=[[5, 0, 0], [0, 0, 1], [7, 0, 0], [1, 0, 0]],
)


def test_the_columns_of_a_counts_file(tmp_path):
    table = tabulate_rows(RICH)
    assert list(table) == [
        "model",
        "question",
        "cluster",
        "group",
        "rows",
        "score",
        "scored",
        "single",
        "correct",
        "answer",
        "draws0",
        "draws1",
        "draws2",
    ]
    assert table["correct"].tolist() == [1, 0, -1, 1] and table["rows"].tolist() == [2, 1, 3, 1]
    assert table["answer"].tolist() == ['"x"', "", '{"k": 1}', "7"] and table[
        "draws2"
    ].tolist() == [0, 1, 0, 0]
    assert write_texts(np.array([1 + 2j], object)).tolist() == ['"(1+2j)"']
    assert list(tabulate_rows(make_rows(["a"], [1]))) == ["question", "rows"]
    write_counts(tmp_path / "c.parquet", RICH)
    held = duckdb.sql(f"SELECT correct, answer, score FROM '{tmp_path}/c.parquet'").fetchall()
    assert held == [(True, '"x"', 2), (False, None, 0.5), (None, '{"k": 1}', 0), (True, "7", 0.25)]


def test_a_counts_file_gives_back_every_column(tmp_path):
    rows = CountedRows(**{**vars(RICH), "sums": dict(cost=np.array([1.0, NAN, 4, 8]))})
    write_counts(tmp_path / "c.parquet", rows)
    kept = read_counts(tmp_path / "c.parquet")
    assert (
        show(kept)["sum cost"][0] == 4
        and kept.summary == RICH.summary
        and kept.files == (File("f.csv", "aa"),)
    )
    assert {part: values for part, values in show(kept).items() if part != "sum cost"} == dict(
        question=["a", "b", "b", "b"],
        times=[3, 2, 1, 1],
        correct=[None, 1, 0, 1],
        answer=['{"k": 1}', "x", None, 7],
        score=[None, 1, 0.5, 0.25],
        total=[0, 2, 0.5, 0.25],
        scored=[0, 2, 1, 1],
        model=["m", "m", "m", "n"],
        group=["g"] * 4,
        cluster=["d", "c", "c", "c"],
        draws=[[7, 0, 0], [5, 0, 0], [0, 0, 1], [1, 0, 0]],
    )
    write_counts(
        tmp_path / "d.parquet", make_rows(["a", "a"], [2, 1], [1, 0], total=[1.5, 0], scored=[2, 1])
    )
    summed = read_counts(tmp_path / "d.parquet")
    assert show(summed) == dict(
        question=["a", "a"], times=[2, 1], correct=[1, 0], total=[1.5, 0], scored=[2, 1]
    )
    assert summed.source == "" and [file.path for file in summed.files] == [
        str(tmp_path / "d.parquet")
    ]


def test_a_counts_file_that_cannot_be_written(tmp_path, monkeypatch):
    class Connection:
        def register(self, name, held):
            pass

        def execute(self, query):
            raise duckdb.IOException("IO Error: the disk is full\nmore of it")

    monkeypatch.setattr(counts_file, "connect", Connection)
    path = tmp_path / "c.parquet"
    assert (
        find_error(write_counts, path, RICH)
        == f"OSError: cannot write '{path}': IO Error: the disk is full"
    )


def test_names_of_counts_files(tmp_path):
    assert find_error(write_counts, tmp_path / "c.csv", RICH) == (
        "ValueError: a counts file is Parquet, its name must end in .parquet, got 'c.csv'"
    )
    assert find_error(write_counts, tmp_path / "no" / "c.parquet", RICH) == (
        f"OSError: cannot write '{tmp_path}/no/c.parquet': there is no folder '{tmp_path}/no'"
    )
    assert "no file to read at" in find_error(read_counts, tmp_path / "c.parquet")
    remote = make_rows(["a"], [1], [1], files=[File("s3://b/c.csv")])
    write_counts(tmp_path / "r.parquet", remote)
    assert read_counts(tmp_path / "r.parquet").files == (File("s3://b/c.csv"),)
    (tmp_path / "empty.parquet").touch()
    files = [str(tmp_path / name) for name in ("r.parquet", "empty.parquet", "x.csv")]
    assert find_counts(files) == files[:1] and find_counts(
        ["s3://b/c.parquet"]
    ) == [] == find_counts(["a.csv"])


@pytest.mark.parametrize(
    "given, told",
    [
        (dict(question="q"), "question= names a column of samples, but 'F' holds counts"),
        (
            dict(weights="w"),
            "weights= names a column of samples, but 'F' holds counts; "
            "pass a mapping of question to weight",
        ),
        (dict(by="t"), "by= names a column of samples, but 'F' holds counts"),
        (dict(cluster="c"), "cluster= names a column"),
        (dict(grade="exact"), "grade= is for samples, but 'F' holds counts"),
        (dict(ignore="x"), "ignore= is for samples, but 'F' holds counts"),
        (dict(threshold=0.5), "threshold= is for samples, but"),
        (dict(sums="cost"), "sums= is for samples, but"),
        (dict(filter="x"), "filter= is for samples, but"),
        (dict(question=False), ""),
        (dict(cluster=True), ""),
    ],
)
def test_options_of_counts_files(given, told, tmp_path):
    path = str(tmp_path / "c.parquet")
    write_counts(path, RICH)
    weights = given.pop("weights", None)
    options = Options.of(given, weights=weights)
    if told:
        assert told.replace("F", path) in find_error(read_counts_files, [path], [path], options)
    else:
        assert len(read_counts_files([path], [path], options)) == 7


def test_several_counts_files(tmp_path):
    paths = [str(tmp_path / f"{name}.parquet") for name in "ab"]
    for path, question in zip(paths, ["a", "b"]):
        write_counts(path, make_rows([question], [1], [1]))
    assert read_counts_files(paths, paths, Options()).questions.tolist() == ["a", "b"]
    assert find_error(read_counts_files, [*paths, "s.csv"], paths, Options()) == (
        "ValueError: counts files and samples cannot be read together, "
        f"got {paths[0]!r} and 's.csv'; write counts of the samples first"
    )


def test_what_a_counts_file_says_about_itself(tmp_path):
    write_counts(tmp_path / "c.parquet", RICH)
    ((text,),) = duckdb.sql(
        f"SELECT decode(value) FROM parquet_kv_metadata('{tmp_path}/c.parquet') "
        "WHERE key = 'sampling_eval'"
    ).fetchall()
    told = json.loads(text)
    assert ReadSummary.from_dict(told.pop("summary")) == RICH.summary
    assert told == dict(
        version=1, source="question=q", files=[["f.csv", "aa"]], tasks=[], derived=False
    )


def test_an_older_counts_file_holds_a_sentence(tmp_path):
    path = tmp_path / "c.parquet"
    about = json.dumps(
        dict(version=1, source="read 2 rows: question=id", files=[], warnings=["Not checked."])
    )
    held = "SELECT 1 AS question, 2::BIGINT AS rows, true AS correct"
    duckdb.sql(
        f"COPY ({held}) TO '{path}' (FORMAT parquet, KV_METADATA {{sampling_eval: '{about}'}})"
    )
    rows = read_counts(path)
    assert rows.summary.kind == "recorded" and rows.source == "read 2 rows: question=id"
    assert rows.warnings == ("Not checked.",) and len(rows) == 2


def test_answers_of_several_types():
    for answers, codes in (
        (["1", 1, 1.0, True, None, "1", None], [0, 1, 2, 3, 4, 0, 4]),
        ([{1}, {1}, "a"], [0, 1, 2]),
    ):
        assert code_answers(np.array(answers, object)).tolist() == codes


# Single functions of counts files and of runs.


def test_each_row_of_a_counts_file_stands_for_a_sample(tmp_path):
    path, told = tmp_path / "a.parquet", json.dumps(dict(version=1, source="", files=[]))
    duckdb.sql(
        f"COPY (SELECT * FROM (VALUES (1, 2), (2, 0)) t(question, rows)) TO '{path}' "
        f"(FORMAT parquet, KV_METADATA {{sampling_eval: '{told}'}})"
    )
    with pytest.raises(ValueError, match="need rows >= 1, got 0"):
        read_counts(path)


@pytest.mark.parametrize(
    "given, weights, said",
    [
        (dict(cluster=True), None, None),
        (dict(cluster="question"), None, None),
        (dict(score=False), None, None),
        (dict(cluster="part"), None, "cluster= names a column of samples, but 'c.parquet' holds"),
        (dict(by="task"), None, "by= names a column of samples, but 'c.parquet' holds counts"),
        (dict(threshold=0.5), None, "threshold= is for samples, but 'c.parquet' holds counts"),
        (dict(ignore="x"), None, "ignore= is for samples, but"),
        (
            {},
            "points",
            "weights= names a column of samples, but 'c.parquet' holds counts; pass a mapping of "
            "question to weight",
        ),
    ],
)
def test_options_that_counts_cannot_honour(given, weights, said):
    options = Options.of(given, weights=weights)
    (name,) = options.given
    if said is None:
        assert counts_file.refuse_option(name, options, "c.parquet") is None
        return
    with pytest.raises(ValueError) as error:
        counts_file.refuse_option(name, options, "c.parquet")
    assert said in str(error.value)
    assert ("; pass" in str(error.value)) is (weights is not None)


@pytest.mark.parametrize(
    "correct, score, alike",
    [
        ([1, 0, np.nan], [1, 0, np.nan], True),
        ([1, 0, np.nan], [1, 0, 0], False),
        ([1, 0, 1], [1, 0.5, 1], False),
        (None, [1, 0, 1], False),
        ([1, 0, 1], None, False),
    ],
)
def test_outcomes_that_may_be_scores(correct, score, alike):
    held = [None if one is None else np.array(one, float) for one in (correct, score)]
    rows = CountedRows(np.arange(3), np.arange(3), np.ones(3, int), held[0], score=held[1])
    assert counts_file.are_scores(rows) is alike


def make_run(model=None, correct=(1, 0), questions="ab", **more):
    models = None if model is None else np.array(list(model), object)
    right = None if correct is None else np.array(correct, float)
    return CountedRows(
        np.arange(len(questions)), np.array(list(questions), object), np.ones(len(questions), int),
        right, model=models, **more
    )


@pytest.mark.parametrize(
    "one, other, said",
    [
        (make_run(), make_run(model="xx"), "all runs or none must have model, got 1 of 2"),
        (make_run(), make_run(correct=None), "all runs or none must have correct, got 1 of 2"),
        (
            make_run(),
            make_run(questions="ac"),
            "runs must cover the same questions, got only in run 1 ['b'], only in run 2 ['c']; "
            "pass union=True for parts of one benchmark",
        ),
        (
            make_run(model="xy"),
            make_run(model="xx"),
            "got only in run 1 [], only in run 2 ['b']",
        ),
    ],
)
def test_runs_that_do_not_fit(one, other, said):
    with pytest.raises(ValueError) as error:
        merge_rows(one, other)
    assert said in str(error.value)


def test_runs_of_one_kind_of_outcome():
    "Scores that are all 0 or 1 in one run are scores, where another run has others."
    derived = make_run(score=np.array([1.0, 0]), derived=True)
    graded = make_run(correct=None, score=np.array([0.5, 1]))
    assert counts_file.agree_outcomes([derived, derived]) == (derived, derived)
    first, second = counts_file.agree_outcomes([derived, graded])
    assert first.correct is None and not first.derived and second is graded
    kept, _ = counts_file.agree_outcomes([make_run(), graded])
    assert kept.correct is not None


def test_what_all_runs_have_is_added():
    one = make_run(sums=dict(usd=np.array([1.0, 2]), s=np.array([5.0, 6])),
                   total=np.array([1.0, 2]), scored=np.array([1, 1]),
                   group=np.array(["g", "g"], object))
    other = make_run(sums=dict(usd=np.array([3.0, 4])), total=np.array([0.0, 1]),
                     scored=np.array([1, 0]))
    batch = counts_file.stack_runs([one, other], False)
    assert {name: values.tolist() for name, values in batch.added.items()} == {
        "sum usd": [1, 2, 3, 4],
        "total": [1, 2, 0, 1],
        "scored": [1, 1, 1, 0],
    }
    assert list(batch.parts) == ["question", "correct"] and batch.times.tolist() == [1] * 4
    assert batch.parts["question"].tolist() == list("abab") and not batch.in_order
    drawn = [replace(run, draws=np.eye(2, 3, dtype=int)) for run in (one, other)]
    assert counts_file.stack_runs(drawn, False).draws.shape == (4, 3)
    assert counts_file.stack_runs(drawn, True).draws is None
    assert counts_file.stack_runs([drawn[0], other], False).draws is None


@pytest.mark.parametrize(
    "model, names", [(None, ["g", "g"]), ("xx", ["g", "g"]), ("xy", ["x g", "y g"])]
)
def test_models_under_a_grading(model, names):
    rows = make_run(model=model, draws=np.eye(2, 3, dtype=int))
    found = counts_file.name_rows("g", rows)
    assert found.model.tolist() == names and found.draws is None


def test_gradings_of_two_kinds():
    with pytest.raises(ValueError) as error:
        stack_gradings(dict(a=make_run(), b=make_run(correct=None), c=make_run()))
    assert str(error.value) == (
        "gradings side by side must all say right or wrong, or all give a score, got 'a' (right or "
        "wrong) and 'b' (a score); pass threshold=, above which a score is right"
    )


def test_where_counts_files_are_written(tmp_path):
    for name in "a.csv", "a.parquet.gz", "a":
        with pytest.raises(ValueError, match="a counts file is Parquet, its name must end in .par"):
            write_counts(tmp_path / name, make_run())
    with pytest.raises(OSError, match="there is no folder"):
        write_counts(tmp_path / "none" / "a.parquet", make_run())
    assert os.listdir(tmp_path) == []


def test_what_older_counts_files_say():
    found = counts_file.find_summary(dict(source="question=id", warnings=["w1", "w2"]))
    assert found.kind == "recorded" and [one.text for one in found.notes] == ["question=id"]
    assert [one.text for one in found.warnings] == ["w1", "w2"]
    assert [one.text for one in counts_file.find_summary({}).notes] == [""]
    summary = ReadSummary("table", columns=dict(question="id", correct="ok"))
    assert counts_file.find_summary(dict(summary=summary.to_dict(), source="x")) == summary
    assert counts_file.tell_columns(summary) == "question=id, correct=ok"


def test_columns_of_a_counts_file():
    table = dict(
        question=np.array([1, 2]), rows=np.array([2, 1]), correct=np.array([1, 0]),
        model=np.array(["x", "y"], object), score=np.array([1.5, 0]), scored=np.array([2, 1]),
        answer=np.array(['"a"', None], object),
        **{"sum usd": np.array([3, 4])}, **{f"draws{i}": np.array([i, 1]) for i in range(3)},
    )
    batch = counts_file.batch_of_columns(table, "c.parquet")
    assert list(batch.parts) == ["question", "model", "correct", "answer"]
    assert batch.parts["answer"].tolist() == ["a", None] and batch.times.tolist() == [2, 1]
    assert {name: values.tolist() for name, values in batch.added.items()} == {
        "sum usd": [3, 4],
        "total": [1.5, 0],
        "scored": [2, 1],
    }
    assert batch.draws.tolist() == [[0, 1, 2], [1, 1, 1]] and not batch.in_order
    assert batch.place("score", 0) == "in c.parquet"
    single = counts_file.batch_of_columns(table | dict(single=np.array([0.5, 0])), "c.parquet")
    assert single.parts["score"].tolist() == [0.5, 0] and list(single.added) == ["sum usd"]


def test_sums_of_runs_keep_what_is_known_of_all():
    score, more = np.array([1.0, 0]), dict(total=np.array([1.0, 0]), scored=np.array([1, 1]))
    derived = make_run(score=score, derived=True, **more)
    plain = make_run(score=score, **more)
    assert merge_rows(derived, derived, separate=True).derived
    merged = merge_rows(derived, plain, separate=True)
    assert not merged.derived and merged.score.tolist() == [1, 0] and merged.ordered
    assert merged.total.tolist() == [2, 0] and merged.scored.tolist() == [2, 2]
    assert not merge_rows(plain, replace(plain, ordered=False), separate=True).ordered
    with pytest.raises(ValueError, match="need at least one run, got none"):
        merge_rows()
