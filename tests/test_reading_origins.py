"One table from fifteen origins, read or counted: equal counted rows, equal counts, equal errors."

import csv
import gzip
import json
import os
import re
import shutil
from collections import Counter
from itertools import product

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sampling_eval.reading import tables as sources
from sampling_eval.reading.counts_file import write_counts
from sampling_eval.reading.load import load, read
from sampling_eval.reading.options import Options
from sampling_eval.reading.counted import holds_paths

pytestmark = pytest.mark.filterwarnings("ignore")


def draw(
    seed=0,
    models=0,
    missing=False,
    scores=False,
    answers=False,
    text=False,
    clusters=False,
    groups=False,
    cost=False,
    samples=5,
):
    "A long table in random order, as a dict of lists."
    rng, rows = np.random.default_rng(seed), []
    for m in range(max(models, 1)):
        for q in range(7):
            for s in range(samples if q % 3 else samples - 2):
                right = int(rng.random() < 0.5)
                lost = missing and rng.random() < 0.2
                row = dict(
                    question=f"q{q}" if text else q, sample=s, correct=None if lost else right
                )
                if models:
                    row["model"] = f"m{m}"
                if clusters:
                    row["cluster"] = f"c{q // 2}"
                if groups:
                    row["task"] = f"part {q % 2}"
                if cost:
                    row["cost"] = float(rng.integers(1, 9)) / 4
                wrong = None if rng.random() < 0.1 else f"wrong{rng.integers(2)}"
                if answers:
                    row["answer"] = f"right{q}" if right else wrong
                gone = missing and rng.random() < 0.2
                if scores:
                    row["score"] = None if gone else float(rng.integers(0, 9)) / 8
                rows.append(row)
    rows = [rows[i] for i in rng.permutation(len(rows))]
    return {name: [row[name] for row in rows] for name in rows[0]}


def stand_rows(columns):
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


# The origins: how a dict of lists becomes each of them, in a folder.


def make_spark(columns):
    from pyspark.sql import SparkSession
    from pyspark.sql import types as t

    kinds = {int: t.LongType(), float: t.DoubleType(), str: t.StringType(), bool: t.BooleanType()}
    builder = SparkSession.builder.master("local[1]")
    # What runs for seconds is compiled lightly: half of the processor time.
    light = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    for name, value in {
        "ui.enabled": "false",
        "sql.shuffle.partitions": "2",
        "driver.extraJavaOptions": light,
        "driver.host": "127.0.0.1",
        "driver.bindAddress": "127.0.0.1",
    }.items():
        builder = builder.config(f"spark.{name}", value)
    first = {name: next(v for v in column if v is not None) for name, column in columns.items()}
    schema = t.StructType([t.StructField(name, kinds[type(v)]) for name, v in first.items()])
    return builder.getOrCreate().createDataFrame(list(zip(*columns.values())), schema)


def make_dask(columns):
    import dask.dataframe as dd

    frame = pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow")
    return dd.from_pandas(frame, npartitions=3)


def make_ibis(columns, folder):
    import ibis

    pl.DataFrame(columns).write_parquet(folder / "ibis.parquet")
    return ibis.duckdb.connect().read_parquet(folder / "ibis.parquet")


def write_file(name):
    def write(columns, folder):
        path, rows = folder / name, stand_rows(columns)
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        if ".csv" in name or ".tsv" in name:
            mark = "\t" if ".tsv" in name else ","
            with open(path, "w", newline="", encoding="utf-8") as file:
                out = csv.DictWriter(file, rows[0], delimiter=mark, lineterminator="\n")
                out.writeheader()
                out.writerows(rows)
        elif name.endswith(".parquet"):
            pl.DataFrame(columns).write_parquet(path)
        else:
            text = json.dumps(rows) if ".json" in name and ".jsonl" not in name else lines
            data = text.encode()
            path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


def write_several(columns, folder):
    "Two files of rows in turn."
    halves = [{name: values[i::2] for name, values in columns.items()} for i in range(2)]
    return [write_file(f"{i}.jsonl")(half, folder) for i, half in enumerate(halves)]


def write_kept(columns, folder):
    write_counts(folder / "kept.parquet", read(columns))
    return folder / "kept.parquet"


FILES = "a.jsonl", "a.jsonl.gz", "a.json", "a.csv", "a.tsv", "a.parquet"
MEMORY = {
    "rows": lambda c, f: stand_rows(c),
    "columns": lambda c, f: c,
    "polars": lambda c, f: pl.DataFrame(c),
    "pandas": lambda c, f: pd.DataFrame(c),
    "pandas nullable": lambda c, f: pd.DataFrame(c).convert_dtypes(),
    "pandas arrow": lambda c, f: pd.DataFrame(c).convert_dtypes(dtype_backend="pyarrow"),
    "arrow": lambda c, f: pa.table(c),
}
READ = MEMORY | {name: write_file(name) for name in FILES} | {"several": write_several}
LAZY = {
    "polars lazy": lambda c, f: pl.LazyFrame(c),
    "dask": lambda c, f: make_dask(c),
    "pyspark": lambda c, f: make_spark(c),
    "ibis": make_ibis,
}
COUNTED = (
    {"duckdb": lambda c, f: duckdb.from_arrow(pa.table(c))}
    | {f"large {name}": write_file(name) for name in FILES}
    | {"large several": write_several}
)
PLACED = READ | COUNTED
ORIGINS = PLACED | LAZY
# Where packing cannot matter; test_reading_sources.py reads every kind of file in every packing.
FEW = [name for name in PLACED if not re.search("several|gz|tsv|nullable", name)]
EVERY = ORIGINS | {"counted rows": lambda c, f: read(c), "counts file": write_kept}


@pytest.fixture
def make(monkeypatch, tmp_path):
    "How the data of an origin are made; of a large file, so that DuckDB counts it."

    def make_origin(name, columns):
        if name in ("dask", "pyspark", "ibis"):
            pytest.importorskip(name)
        if name == "pyspark" and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
            pytest.skip("pyspark needs Java, and there is none")
        if name.startswith("large"):
            monkeypatch.setattr(sources, "SMALL", -1)
        return EVERY[name](columns, tmp_path)

    return make_origin


def tell(rows):
    "What counted rows say, whatever their order: samples by everything that is known of them."
    names = [rows.questions[rows.question].tolist()]
    for part in ("correct", "answer", "score", "model", "group", "cluster"):
        column = getattr(rows, part)
        names.append([None] * len(rows.times) if column is None else map(repr, column.tolist()))
    found = Counter()
    for *key, times in zip(*names, rows.times.tolist()):
        found[tuple(key)] += times
    return found


def read_plain(data, **named):
    return read(data, **(dict(harness="table") if holds_paths(data) else {}), **named)


CASES = [
    dict(),
    dict(text=True, missing=True),
    dict(models=3, missing=True, clusters=True),
    dict(scores=True),
    dict(scores=True, missing=True, text=True, models=2),
    dict(answers=True, models=2, missing=True),
    dict(groups=True, clusters=True),
]


@pytest.mark.parametrize("name", ORIGINS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: "+".join(case) or "plain")
def test_counted_rows_are_equal(name, case, make):
    columns, named = draw(**case), dict(group="task") if "groups" in case else {}
    rows, want = read_plain(make(name, columns), **named), read(columns, **named)
    assert tell(rows) == tell(want)
    assert len(rows) == len(columns["question"]) and len(rows.times) == len(tell(rows))
    verb = "counted" if name in LAZY or name in COUNTED else "read"
    assert rows.source.startswith(f"{verb} {len(rows)} rows ")
    if want.draws is not None:
        assert (rows.draws.sum(0) == want.draws.sum(0)).all()


POLICIES = [
    dict(missing=missing, samples_per_question=n, no_answer="abstain", conflict="any")
    for missing in ("wrong", "drop", "right")
    for n in (None, 6)
]
POLICIES += [dict(missing="wrong", no_answer="vote", normalize="strip", conflict="majority")]


def list_counts(counts):
    "Everything in counts, by question."
    found = {}
    for i, name in enumerate(map(str, counts.questions.tolist())):
        votes, rewards = counts.votes, counts.rewards
        found[name] = dict(
            n=counts.n[i], c=None if counts.c is None else counts.c[i], missing=counts.missing[i]
        )
        for part in "cluster", "score_sum":
            if getattr(counts, part) is not None:
                found[name][part] = getattr(counts, part)[i]
        if votes is not None:
            mine = votes.question == i
            found[name] |= dict(
                blank=votes.blank[i],
                votes=sorted(
                    zip(map(str, votes.answer[mine]), votes.votes[mine], votes.correct[mine])
                ),
            )
        if rewards is not None:
            mine = rewards.question == i
            right = mine[mine] if rewards.correct is None else rewards.correct[mine]
            found[name]["rewards"] = sorted(zip(map(repr, rewards.score[mine]), right))
    return found


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    "case",
    [
        dict(models=2, missing=True, answers=True, scores=True, clusters=True, text=True),
        dict(answers=True, scores=True),
    ],
    ids=["rich", "whole"],
)
def test_counts_are_equal_under_every_policy(name, case, make):
    columns = draw(**case)
    data = make(name, columns)
    for policy in POLICIES:
        cluster = dict(cluster=True) if "clusters" in case else {}
        got, want = (load(o, Options.of(policy | cluster)) for o in (data, columns))
        assert {k: list_counts(o) for k, o in got.blocks.items()} == {
            k: list_counts(o) for k, o in want.blocks.items()
        }
        assert got.lacks.keys() == want.lacks.keys()
        assert (
            str(got.summary).partition("samples missing")[2]
            == str(want.summary).partition("samples missing")[2]
        )


@pytest.mark.parametrize("name", EVERY)
def test_groups_are_told_apart(name, make):
    columns = draw(groups=True, models=2)
    if name in ("counted rows", "counts file"):
        pytest.skip("the column was not named when the samples were counted")
    blocks, want = (
        load(o, Options.of(dict(by="task"))).blocks for o in (make(name, columns), columns)
    )
    assert {k: list_counts(o) for k, o in blocks.items()} == {
        k: list_counts(o) for k, o in want.items()
    }
    assert len(blocks) == 6


@pytest.mark.parametrize("name", ORIGINS)
def test_sums_of_further_columns(name, make):
    columns = draw(cost=True)
    rows = read_plain(make(name, columns), sums=["cost"])
    want = Counter()
    for q, right, cost in zip(columns["question"], columns["correct"], columns["cost"]):
        want[q, right] += cost
    got = zip(rows.questions[rows.question].tolist(), rows.correct, rows.sums["cost"])
    assert {(q, right): cost for q, right, cost in got} == pytest.approx(dict(want))


@pytest.mark.parametrize("name", ORIGINS)
def test_flags_are_outcomes(name, make):
    columns = draw(missing=True)
    columns["correct"] = [None if o is None else bool(o) for o in columns["correct"]]
    assert tell(read_plain(make(name, columns))) == tell(read(columns))


@pytest.mark.parametrize("name", [*FEW, *LAZY])
@pytest.mark.parametrize("scores", [None, True, False], ids=["few", "kept", "summed"])
def test_threshold_and_scores_of_zero_and_one(name, scores, make):
    columns = draw(scores=True, missing=True)
    del columns["correct"]
    policy = dict(missing="wrong")
    keep = dict(scores=scores)
    got, want = (
        load(o, Options.of(policy | dict(threshold=0.5), **keep)).blocks["", ""]
        for o in (make(name, columns), columns)
    )
    for field in "n", "c", "missing":
        assert list_field(got, field) == list_field(want, field)
    columns["score"] = [None if s is None else float(s > 0.5) for s in columns["score"]]
    found = load(make(name, columns), Options.of(policy, **keep))
    assert list_field(found.blocks["", ""], "c") == list_field(want, "c")
    assert "correct = score (all 0 or 1)" in str(found.summary)


def list_field(counts, field):
    return dict(zip(counts.questions.tolist(), getattr(counts, field).tolist()))


@pytest.mark.parametrize("name", ORIGINS)
@pytest.mark.parametrize("scores", [None, False])
def test_scores_alone_are_no_outcome(name, scores, make):
    columns = draw(scores=True, missing=True)
    del columns["correct"]
    found = load(make(name, columns), Options.of(dict(missing="drop"), scores=scores))
    want = load(columns, Options.of(dict(missing="drop")))
    assert found.blocks["", ""].c is None and len(found.rows) == len(columns["score"])
    assert "threshold= makes them right or wrong" in found.lacks["c"]
    assert list_field(found.blocks["", ""], "score_sum") == pytest.approx(
        list_field(want.blocks["", ""], "score_sum")
    )
    with pytest.raises(ValueError, match="pass threshold=... when reading"):
        found.rows.counts()


# Errors.


def spoil(part, place, value, **case):
    def make():
        columns = draw(**case)
        columns[part][place] = value
        return columns

    return make


def repeat(**case):
    def make():
        columns = draw(**case)
        return {name: values + values[5:6] for name, values in columns.items()}

    return make


def replace_all(part, change, **case):
    def make():
        columns = draw(**case)
        return columns | {part: list(map(change, columns[part]))}

    return make


FAULTS = {
    "no question": (spoil("question", 4, None, text=True), {}),
    "blank question": (spoil("question", 4, "nan", text=True), {}),
    "no model": (spoil("model", 6, None, models=2), {}),
    "no sample": (spoil("sample", 3, None), {}),
    "no cluster": (spoil("cluster", 8, None, clusters=True), dict(cluster="cluster")),
    "two clusters": (spoil("cluster", 9, "c0", clusters=True, seed=3), dict(cluster="cluster")),
    "no name of a group": (spoil("task", 2, None, groups=True), dict(group="task")),
    "a repeat": (repeat(), {}),
    "a repeat of a model": (repeat(models=2, text=True), {}),
    "percentages": (replace_all("correct", lambda o: 100 * o), {}),
    "one odd outcome": (spoil("correct", 11, 7), {}),
    "infinite score": (spoil("score", 5, float("inf"), scores=True), {}),
    "infinite score, summed": (spoil("score", 5, float("inf"), scores=True), dict(scores=False)),
    "several models": (lambda: draw(models=2), {}),
    "missing": (lambda: draw(missing=True), {}),
    "column that is not there": (draw, dict(correct="corect")),
    "threshold beside outcomes": (lambda: draw(scores=True), dict(threshold=0.5)),
    "sum that is not there": (draw, dict(sums="cots")),
}


def find_error(data, named):
    options = dict(harness="table") if holds_paths(data) else {}
    kept = {name: named[name] for name in ("scores",) if name in named}
    given = {name: value for name, value in named.items() if name not in kept}
    try:
        load(data, Options.of(given | options, **kept)).rows.counts()
    except (ValueError, TypeError) as error:
        return type(error), str(error)
    return None


def simplify(told):
    "A sentence with rows told as in memory, and numbers as whole numbers."
    kind, text = told
    text = re.sub(r"at row (\d+) of a[a-z.]+", lambda m: f"at row {int(m[1]) - 1}", text)
    return kind, text.replace("100.0", "100").replace("7.0", "7")


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("fault", FAULTS)
def test_errors_are_equal(name, fault, make):
    spoiled, named = FAULTS[fault]
    columns = spoiled()
    want = find_error(columns, named)
    if ".csv" in name:
        if fault == "blank question":
            pytest.skip("an empty cell has no name already")
    got = find_error(make(name, columns), named)
    if want is None:
        assert got is None
    elif "json" in name and fault in ("column that is not there", "sum that is not there"):
        assert got[0] is want[0] and got[1][:30] == want[1][:30]  # columns are sorted there
    elif fault in ("one odd outcome", "percentages", "missing", "two clusters"):
        assert got[0] is want[0] and got[1][:24] == want[1][:24]  # the first question may differ
        assert got[1].count("fail") == want[1].count("fail")
    else:
        assert simplify(got) == simplify(want)


@pytest.mark.parametrize("name", LAZY)
@pytest.mark.parametrize(
    "fault",
    [
        "no question",
        "no sample",
        "a repeat",
        "percentages",
        "infinite score",
        "threshold beside outcomes",
    ],
)
def test_errors_of_lazy_frames(name, fault, make):
    spoiled, named = FAULTS[fault]
    want, got = find_error(spoiled(), named), find_error(make(name, spoiled()), named)
    assert got[0] is want[0] and got[1][:28] == want[1][:28]
    assert got[1].partition("(")[2] == want[1].partition("(")[2]


# Columns that tell which rows belong together.


def cross(seed=0, /, **axes):
    "Every combination of some values in random order, with outcomes."
    rng = np.random.default_rng(seed)
    rows = [dict(zip(axes, row)) for row in product(*axes.values())]
    rows = [rows[i] | dict(correct=int(rng.random() < 0.5)) for i in rng.permutation(len(rows))]
    return {name: [row[name] for row in rows] for name in rows[0]}


def leave_out(columns, *names):
    return {name: values for name, values in columns.items() if name not in names}


RESTARTED = cross(dataset=["aime", "gsm"], question_id=range(5), sample=range(3))
OTHERS = {
    "llm": leave_out(cross(llm=["a", "b"], question_id=range(5), s=range(3)), "s"),
    "thinking": leave_out(cross(thinking=[True, False], question_id=range(9), s=range(3)), "s"),
    "temperature": cross(temperature=[0.2, 0.8], question_id=range(5)),
    "metric": cross(metric=["exact", "judge"], question_id=range(5)),
    "variant": leave_out(cross(variant=["x", "y"], question_id=range(9), s=range(3)), "s"),
    "run": cross(run=["gpt", "claude"], question_id=range(5)),
    "prompt": {
        "id": [*range(12)],
        "prompt": [f"p{i % 4}" for i in range(12)],
        "correct": [0, 1] * 6,
    },
    "problem": {
        "id": [i % 4 for i in range(24)],
        "problem": [f"p{i % 12}" for i in range(24)],
        "correct": [0, 1] * 12,
    },
}


@pytest.mark.parametrize("name", ORIGINS)
@pytest.mark.parametrize("left", [(), ("sample",)], ids=["sample", "no sample"])
def test_names_that_restart_are_told_by_task(name, left, make):
    if left and "several" in name:
        pytest.skip("two files with the same questions")
    columns = leave_out(RESTARTED, *left)
    rows, want = read_plain(make(name, columns)), read(columns)
    assert tell(rows) == tell(want) and len(rows.questions) == 10
    assert sorted(rows.questions)[:2] == ["aime/0", "aime/1"]
    assert "questions are named dataset/question_id, since" in rows.source


@pytest.mark.parametrize("name", FEW)
def test_a_repeat_among_names_that_restart(name, make):
    columns = {part: values + values[5:6] for part, values in RESTARTED.items()}
    columns["sample"] = [f"s{sample}" for sample in columns["sample"]]
    want = find_error(columns, {})
    assert simplify(find_error(make(name, columns), {})) == simplify(want)
    assert re.search("got question '(aime|gsm)/[0-4]', sample 's[0-2]' at row", want[1])
    by = dict(by="dataset")
    assert simplify(find_error(make(name, columns), by)) == simplify(find_error(columns, by))


@pytest.mark.parametrize("name", [*FEW, *LAZY])
@pytest.mark.parametrize("column", OTHERS)
def test_other_columns_are_refused_in_the_same_words(name, column, make):
    columns = OTHERS[column]
    want = find_error(columns, {})
    assert issubclass(want[0], ValueError) and column in want[1]
    assert find_error(make(name, columns), {}) == want
    way_out = dict(prompt=dict(question="id"), run=dict(sample="run"))
    named = way_out.get(column, dict(ignore=column))
    assert find_error(make(name, columns), named) is None
    if column not in ("prompt", "problem", "run"):
        assert set(read_plain(make(name, columns), model=column).models()) == {
            str(value) for value in columns[column]
        }
