"The reduction gives the same totals on every engine as reading the samples one by one."
import gzip, importlib.util, json, os, shutil, subprocess, sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sampling_eval.reading.engines import Totals, merge_runs, read_counts, totals_of, write_counts
from sampling_eval.reading.samples import read_samples

pytestmark = pytest.mark.filterwarnings("ignore")


def table(seed=0, models=0, missing=False, scores=False, answers=False, text=False, questions=7, samples=5, clusters=False):
    "A long table in random order, as a dict of lists."
    rng = np.random.default_rng(seed)
    rows = []
    for m in range(max(models, 1)):
        for q in range(questions):
            for s in range(samples if q % 3 else samples - 2):
                right = int(rng.random() < .5)
                row = dict(question=f"q{q}" if text else q, sample=s, correct=None if missing and rng.random() < .2 else right)
                if models: row["model"] = f"m{m}"
                if clusters: row["cluster"] = f"c{q // 2}"
                if answers: row["answer"] = None if rng.random() < .1 and not right else f"right{q}" if right else f"wrong{rng.integers(2)}"
                if scores: row["score"] = None if missing and (rng.random() < .2) else float(rng.integers(0, 9)) / 8
                rows.append(row)
    rows = [rows[i] for i in rng.permutation(len(rows))]
    return {name: [row[name] for row in rows] for name in rows[0]}


def spark():
    from pyspark.sql import SparkSession
    if not hasattr(spark, "session"):
        settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2", "spark.sql.execution.arrow.pyspark.enabled": "false",
                    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
        builder = SparkSession.builder.master("local[1]")
        for key, value in settings.items(): builder = builder.config(key, value)
        spark.session = builder.getOrCreate()
        spark.session.sparkContext.setLogLevel("ERROR")
    return spark.session


def arrow(columns): return pa.table(columns)


def of_spark(columns):
    from pyspark.sql import types as t
    kinds = {int: t.LongType(), float: t.DoubleType(), str: t.StringType(), bool: t.BooleanType()}
    schema = t.StructType([t.StructField(name, kinds[type(next(v for v in column if v is not None))]) for name, column in columns.items()])
    return spark().createDataFrame(list(zip(*columns.values())), schema)


def of_dask(columns):
    import dask.dataframe as dd
    return dd.from_pandas(pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"), npartitions=3)


def of_ibis(columns, folder):
    import ibis
    import pyarrow.parquet as pq
    pq.write_table(arrow(columns), folder / "t.parquet")
    return ibis.duckdb.connect().read_parquet(folder / "t.parquet")


def rows_of(columns): return [dict(zip(columns, row)) for row in zip(*columns.values())]


def written(name):
    def write(columns, folder):
        path = folder / name
        frame = pl.DataFrame(columns)
        if name.endswith(".jsonl"): path.write_text("".join(json.dumps(row) + "\n" for row in rows_of(columns)))
        if name.endswith(".jsonl.gz"): path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows_of(columns)).encode()))
        if name.endswith(".json"): path.write_text(json.dumps(rows_of(columns)))
        if name.endswith(".csv"): frame.write_csv(path)
        if name.endswith(".parquet"): frame.write_parquet(path)
        return path
    return write


ENGINES = {
    "rows": lambda c, f: rows_of(c), "columns": lambda c, f: c, "samples": lambda c, f: read_samples(c),
    "polars": lambda c, f: pl.DataFrame(c), "polars lazy": lambda c, f: pl.LazyFrame(c),
    "pandas": lambda c, f: pd.DataFrame(c), "pandas nullable": lambda c, f: pd.DataFrame(c).convert_dtypes(),
    "pandas arrow": lambda c, f: pd.DataFrame(c).convert_dtypes(dtype_backend="pyarrow"),
    "arrow": lambda c, f: arrow(c), "duckdb": lambda c, f: duckdb.from_arrow(arrow(c)),
    "dask": lambda c, f: of_dask(c), "pyspark": lambda c, f: of_spark(c), "ibis": of_ibis,
} | {name: written(name) for name in ("a.jsonl", "a.jsonl.gz", "a.json", "a.csv", "a.parquet")}


def engine(name):
    if name in ("dask", "pyspark", "ibis") and importlib.util.find_spec(name) is None: pytest.skip(f"{name} is not installed")
    if name == "pyspark" and not (shutil.which("java") or os.environ.get("JAVA_HOME")): pytest.skip("pyspark needs Java, and there is none")
    return ENGINES[name]


def same(totals, columns, policies=("wrong", "drop", "right"), **named):
    "Whether totals give what the samples give, for every model and policy."
    want = read_samples(columns, **named).models()
    got = totals.models()
    assert set(got) == set(want)
    for model, samples in want.items():
        for policy in policies:
            a, b = got[model].counts(policy), samples.counts(policy)
            order = [b.questions.tolist().index(name) for name in a.questions.tolist()]
            assert sorted(order) == list(range(len(order)))
            for field in "n", "c", "missing": assert getattr(a, field).tolist() == getattr(b, field)[order].tolist(), (model, policy, field)
            assert (a.score_sum is None) == (b.score_sum is None)
            if a.score_sum is not None: np.testing.assert_allclose(a.score_sum, b.score_sum[order], rtol=1e-12, strict=True)
            if b.cluster is not None: assert a.cluster.tolist() == b.cluster[order].tolist()


CASES = [dict(), dict(text=True, missing=True), dict(models=3, missing=True, clusters=True), dict(scores=True), dict(scores=True, missing=True, text=True, models=2)]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: "+".join(case) or "plain")
def test_counts_agree(name, case, tmp_path):
    columns = table(**case)
    totals = totals_of(engine(name)(columns, tmp_path))
    same(totals, columns)
    assert totals.source


@pytest.mark.parametrize("name", ENGINES)
def test_flags_agree(name, tmp_path):
    columns = table(missing=True)
    columns["correct"] = [None if o is None else bool(o) for o in columns["correct"]]
    same(totals_of(engine(name)(columns, tmp_path)), columns)


@pytest.mark.parametrize("name", [o for o in ENGINES if o != "samples"])
def test_threshold_and_zero_one_scores_agree(name, tmp_path):
    columns = table(scores=True, missing=True)
    del columns["correct"]
    same(totals_of(engine(name)(columns, tmp_path), threshold=.5), columns, threshold=.5)
    columns["score"] = [None if s is None else float(s > .5) for s in columns["score"]]
    totals = totals_of(engine(name)(columns, tmp_path))
    same(totals, columns)
    assert "correct = score (all 0 or 1)" in totals.source


@pytest.mark.parametrize("name", ENGINES)
def test_scores_alone_are_no_outcome(name, tmp_path):
    columns = table(scores=True)
    del columns["correct"]
    totals = totals_of(engine(name)(columns, tmp_path))
    assert totals.correct is None and totals.rows.sum() == len(columns["score"])
    with pytest.raises(ValueError, match="pass threshold=... when reading"): totals.counts()


@pytest.mark.parametrize("name", ENGINES)
def test_votes_agree(name, tmp_path):
    columns = table(answers=True, models=2)
    got = totals_of(engine(name)(columns, tmp_path), answers=True).models()
    from sampling_eval.foundations.answers import tally
    for model, samples in read_samples(columns).models().items():
        want = tally(samples.question, samples.answer, samples.correct == 1, no_answer="vote", questions=samples.questions)
        votes = got[model].votes(no_answer="vote")
        rows = lambda o: sorted(zip(o.questions[o.question].tolist(), map(str, o.answer), o.votes.tolist(), o.correct.tolist()))
        assert rows(votes) == rows(want)
        assert got[model].counts().c.sum() == samples.counts().c.sum()


@pytest.mark.parametrize("name", [o for o in ENGINES if o not in ("rows", "columns", "samples")])
@pytest.mark.parametrize("numbers", [range(5), range(150, 160), [10**9, 7, -3], ["a", "b", "c"]], ids=["small", "beyond bits", "large", "text"])
def test_repeated_samples_are_found(name, numbers, tmp_path):
    columns = dict(question=["x"] * len(numbers) + ["y"] * len(numbers), sample=list(numbers) * 2, correct=[1] * 2 * len(numbers))
    assert totals_of(engine(name)(columns, tmp_path)).rows.sum() == 2 * len(numbers)
    again = {part: values + values[-1:] for part, values in columns.items()}
    with pytest.raises(ValueError, match=r"each sample must appear once, got question 'y', sample .* 2 times \(1 rows? repeat"):
        totals_of(engine(name)(again, tmp_path))
    assert totals_of(engine(name)(again, tmp_path), sample=False).rows.sum() == 2 * len(numbers) + 1


def test_many_repeats_of_one_sample_do_not_cancel():
    for times in (2, 3, 8, 4096, 10_000):
        with pytest.raises(ValueError, match="each sample must appear once"):
            totals_of(pl.DataFrame(dict(id=[1] * times, sample=[51] * times, correct=[1] * times)))


@pytest.mark.parametrize("name", ENGINES)
def test_outcomes_that_are_none_are_refused(name, tmp_path):
    columns = table()
    columns["correct"] = [100 if o else 0 for o in columns["correct"]]
    bad, known = sum(o == 100 for o in columns["correct"]), len(columns["correct"])
    with pytest.raises(ValueError, match=rf"got 100(\.0)? at question .* \({bad} of {known} fail\); are these percentages\?"):
        totals_of(engine(name)(columns, tmp_path))


@pytest.mark.parametrize("name", ENGINES)
def test_words_for_outcomes_are_refused(name, tmp_path):
    columns = table()
    columns["correct"] = ["yes" if o else "no" for o in columns["correct"]]
    with pytest.raises(TypeError, match="compare text with the gold answer first"): totals_of(engine(name)(columns, tmp_path))


@pytest.mark.parametrize("name", ENGINES)
def test_nameless_rows_are_refused(name, tmp_path):
    columns = table(text=True)
    columns["question"] = [None if i == 3 else q for i, q in enumerate(columns["question"])]
    with pytest.raises(ValueError, match="every row needs a question, got none"): totals_of(engine(name)(columns, tmp_path), sample=False)


@pytest.mark.parametrize("name", ENGINES)
def test_infinite_and_worded_scores_are_refused(name, tmp_path):
    if name not in ("a.jsonl", "a.jsonl.gz", "a.json"):
        columns = table(scores=True)
        columns["score"][4] = float("inf")
        with pytest.raises(ValueError, match="score must (be|hold) finite"): totals_of(engine(name)(columns, tmp_path))
    columns = table(scores=True)
    columns["score"] = list(map(str, columns["score"]))
    if name != "a.csv":
        with pytest.raises((ValueError, TypeError), match="score must hold"): totals_of(engine(name)(columns, tmp_path))


def test_question_in_two_clusters_is_refused():
    with pytest.raises(ValueError, match="a question belongs to one cluster, got 1 in 'north' and in 'south'"):
        totals_of(pl.DataFrame(dict(id=[1, 1], correct=[1, 0], passage=["north", "south"])))


def test_samples_per_question_and_missing_agree_with_samples():
    columns = table(missing=True)
    totals, samples = totals_of(pl.DataFrame(columns)), read_samples(columns)
    for policy in "wrong", "drop", "right":
        a, b = totals.counts(policy, 9), samples.counts(policy, 9)
        assert sorted(zip(a.questions, a.n, a.c, a.missing)) == sorted(zip(b.questions, b.n, b.c, b.missing))
    for bad in dict(missing="maybe"), dict(), dict(samples_per_question=3):
        with pytest.raises(ValueError) as one: samples.counts(**bad)
        with pytest.raises(ValueError) as two: totals.counts(**bad)
        assert str(one.value)[:25] == str(two.value)[:25]


# Files

def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_files_of_several_kinds(tmp_path):
    a = lines(tmp_path / "a.jsonl", dict(id=7, epoch=1, passed=True))
    b = tmp_path / "b.csv"
    b.write_text("id,epoch,passed\n7,2,false\n007,1,\n")
    c = tmp_path / "c.parquet"
    pl.DataFrame(dict(id=["7", "8"], epoch=[3, 1], passed=[True, True])).write_parquet(c)
    totals, samples = totals_of([a, b, c]), read_samples([a, b, c])
    assert dict(zip(totals.questions, totals.counts("wrong").n)) == dict(zip(samples.questions, samples.counts("wrong").n)) == {"7": 3, "007": 1, "8": 1}
    assert "compared as text" in totals.source
    d = lines(tmp_path / "d.jsonl", dict(id="7", epoch=2, passed=True))
    with pytest.raises(ValueError, match="each sample must appear once"): totals_of([a, b, c, d])


def test_json_text_in_two_spellings_is_one_name(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "caf\\u00e9", "correct": 1}\n{"id": "café", "correct": 0.0}\n{"correct": null, "id": "café"}\n{"id": "café"}\n')
    assert totals_of(path).counts("drop").n.tolist() == [2] and totals_of(path).counts("wrong").missing.tolist() == [2]


FAULTS = {
    "cut": '{"id": 1, "passed": true}\n{"id": 1, "pas', "array": '[1, 2]\n', "number": '{"id": 1, "passed": 1}\n3\n', "twice": '{"id": 1, "passed": 1, "passed": 0}\n',
    "mixed": '{"id": 1, "passed": 1}\n{"id": 1, "passed": true}\n', "nested": '{"id": [1], "passed": 1}\n', "text": '{"id": 1, "passed": "1"}\n',
    "no id": '{"x": 1, "passed": 1}\n', "half id": '{"id": 1, "passed": 1}\n{"passed": 1}\n', "empty": "", "nan": '{"id": 1, "passed": NaN}\n', "real id": '{"id": 1.5, "passed": 1}\n',
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_json_lines_are_refused_as_by_samples(fault, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text(FAULTS[fault])
    def outcome(read):
        try: return read(path)
        except (ValueError, TypeError) as error: return type(error), str(error)[:30]
    a, b = outcome(totals_of), outcome(read_samples)
    assert isinstance(a, tuple) == isinstance(b, tuple) and (not isinstance(a, tuple) or a[0] == b[0]), (a, b)
    if fault in ("cut", "empty", "mixed", "text", "no id", "nested", "real id"): assert a[1] == b[1]


@pytest.mark.parametrize("text", ["id,passed\n1,1,1\n", "id,id\n1,1\n", "id,passed\n1,\"1\n", "id,passed\n", "id;passed\n1;0\n2;1\n"])
def test_csv_is_read_as_by_samples(text, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    def outcome(read):
        try: return read(path).counts().c.tolist()
        except (ValueError, TypeError) as error: return type(error), str(error)[:30]
    assert outcome(totals_of) == outcome(read_samples)


def test_paths(tmp_path):
    odd = tmp_path / "it's [1] ü.jsonl"
    lines(odd, dict(id="a'b", correct=1))
    assert totals_of(odd).questions.tolist() == ["a'b"] == totals_of(str(tmp_path / "*.jsonl")).questions.tolist()
    shutil.copy(odd, tmp_path / "copy.jsonl")
    with pytest.raises(ValueError, match="the same file twice"): totals_of(tmp_path / "*.jsonl")
    with pytest.raises(FileNotFoundError, match="no file matches"): totals_of(tmp_path / "none.jsonl")
    with pytest.raises(TypeError, match="data must be a path"): totals_of(3)


def test_column_names_that_need_quoting(tmp_path):
    rows = [{'the "id"': 1, "it's; DROP": 1}, {'the "id"': 1, "it's; DROP": 0}]
    named = dict(question='the "id"', correct="it's; DROP")
    for name in "a.jsonl", "a.csv", "a.parquet":
        path = written(name)({key: [row[key] for row in rows] for key in rows[0]}, tmp_path)
        assert totals_of(path, **named).counts().c.tolist() == [1]


def test_remote_paths_are_passed_on():
    with pytest.raises(ValueError, match="cannot read 's3://bucket.invalid/a.parquet'|httpfs"): totals_of("s3://bucket.invalid/a.parquet")
    with pytest.raises(ValueError, match="is of no kind that is read"): totals_of("s3://bucket/a.txt")


# Counts files

@pytest.mark.parametrize("case", [*CASES, dict(answers=True, models=2)], ids=lambda case: "+".join(case) or "plain")
def test_counts_files_round_trip(case, tmp_path):
    columns = table(**case)
    totals = totals_of(columns, answers=True)
    write_counts(tmp_path / "c.parquet", totals)
    for kept in read_counts(tmp_path / "c.parquet"), totals_of(tmp_path / "c.parquet"):
        same(kept, columns)
        for field in "question", "rows", "correct", "answer", "score", "scored", "model", "cluster", "draws":
            a, b = getattr(kept, field), getattr(totals, field)
            assert (a is None) == (b is None)
            if a is not None: assert a.tolist() == b.tolist() or np.array_equal(a, b, equal_nan=True), field
    assert os.listdir(tmp_path) == ["c.parquet"]


def test_counts_files_remember_their_sources(tmp_path):
    path = lines(tmp_path / "a.jsonl", dict(id=1, correct=1))
    totals = totals_of(path)
    write_counts(tmp_path / "a.parquet", totals)
    (kept,) = read_counts(tmp_path / "a.parquet").files
    import hashlib
    assert (kept.path, kept.sha256) == ("a.jsonl", hashlib.sha256(path.read_bytes()).hexdigest())
    lines(path, dict(id=1, correct=1), dict(id=1, correct=0))
    with pytest.raises(ValueError, match="changed after it was counted"): write_counts(tmp_path / "b.parquet", totals)
    assert sorted(os.listdir(tmp_path)) == ["a.jsonl", "a.parquet"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "c.parquet"
    write_counts(path, totals_of(table()))
    before = path.read_bytes()
    def stop(*args): raise KeyboardInterrupt
    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt): write_counts(path, totals_of(table(1)))
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["c.parquet"]


def test_other_parquet_is_no_counts_file(tmp_path):
    pl.DataFrame(dict(id=[1], correct=[1])).write_parquet(tmp_path / "s.parquet")
    with pytest.raises(ValueError, match="is no counts file; count it with totals_of"): read_counts(tmp_path / "s.parquet")
    write_counts(tmp_path / "c.parquet", totals_of(tmp_path / "s.parquet"))
    with pytest.raises(ValueError, match="counts files and samples cannot be read together"): totals_of(tmp_path / "*.parquet")
    with pytest.raises(ValueError, match="question= names a column of samples"): totals_of(tmp_path / "c.parquet", question="id")
    duckdb.sql(f"COPY (SELECT 1 AS question, 0 AS rows) TO '{tmp_path / 'd.parquet'}' (FORMAT parquet, KV_METADATA {{sampling_eval: '{{\"version\": 1, \"source\": \"\", \"files\": []}}'}})")
    with pytest.raises(ValueError, match="need rows >= 1, got 0"): read_counts(tmp_path / "d.parquet")
    duckdb.sql(f"COPY (SELECT 1 AS question, 1 AS rows) TO '{tmp_path / 'e.parquet'}' (FORMAT parquet, KV_METADATA {{sampling_eval: '{{\"version\": 2}}'}})")
    with pytest.raises(ValueError, match="has version 2, this package reads 1"): read_counts(tmp_path / "e.parquet")


# Adding runs

def halves(**case):
    "Two runs of one table by sample number, and the table."
    columns = table(**case)
    part = lambda keep: {name: [v for v, s in zip(values, columns["sample"]) if keep(s)] for name, values in columns.items()}
    return part(lambda s: s < 2), part(lambda s: s >= 2), columns


@pytest.mark.parametrize("case", [*CASES, dict(answers=True)], ids=lambda case: "+".join(case) or "plain")
def test_runs_add(case):
    a, b, whole = halves(**case)
    merged = merge_runs(totals_of(a, answers=True), totals_of(b, answers=True))
    same(merged, whole)
    if "answers" in case: assert merged.votes(no_answer="vote").votes.sum() == len(whole["question"])
    assert merged.draws.sum() == totals_of(whole).draws.sum()


def test_nothing_is_counted_twice(tmp_path):
    a, b, _ = halves()
    with pytest.raises(ValueError, match="with one sample number in two runs"): merge_runs(totals_of(a), totals_of(b), totals_of(a))
    twice = merge_runs(totals_of(a), totals_of(a), separate=True)
    assert (twice.counts().n == 2 * totals_of(a).counts().n).all() and twice.draws is None
    path = written("a.jsonl")(a, tmp_path)
    shutil.copy(path, tmp_path / "b.jsonl")
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    write_counts(tmp_path / "d.parquet", totals_of(path))
    write_counts(tmp_path / "e.parquet", merge_runs(totals_of(path), totals_of(b)))
    for other in "b.jsonl", "c.jsonl.gz", "d.parquet", "e.parquet":
        with pytest.raises(ValueError, match="the same file twice"): merge_runs(totals_of(path), totals_of(tmp_path / other), separate=True)
    with pytest.raises(ValueError, match="the same file twice"): totals_of([tmp_path / "d.parquet", tmp_path / "e.parquet"])


def test_counts_of_a_frame_are_known_by_their_own_file(tmp_path):
    columns = table()
    del columns["sample"]
    write_counts(tmp_path / "a.parquet", totals_of(columns))
    shutil.copy(tmp_path / "a.parquet", tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="the same file twice"): merge_runs(read_counts(tmp_path / "a.parquet"), read_counts(tmp_path / "b.parquet"))


def test_runs_that_do_not_fit_are_refused():
    one, two = totals_of([dict(id="a", correct=1)]), totals_of([dict(id="b", correct=1)])
    with pytest.raises(ValueError, match=r"only in run 1 \['a'\], only in run 2 \['b'\]"): merge_runs(one, two)
    assert merge_runs(one, two, union=True).questions.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="all runs or none must have model, got 1 of 2"): merge_runs(one, totals_of([dict(id="a", correct=1, model="m")]))
    with pytest.raises(ValueError, match="need at least one run"): merge_runs()
    assert merge_runs(one, totals_of([dict(id="a", correct=1, score=.5)])).score is None


def test_nothing_heavy_is_imported():
    code = "import sys, sampling_eval.reading.engines; print([m for m in ('duckdb', 'narwhals', 'pandas', 'polars', 'pyarrow', 'scipy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_large_json_learns_its_columns_from_the_first_rows(tmp_path, monkeypatch):
    import sampling_eval.reading.engines as engines
    monkeypatch.setattr(engines, "LARGE", 10)
    monkeypatch.setattr(engines, "_FIRST", 3)
    columns = table(text=True, missing=True, samples=9)
    for name in "a.jsonl", "a.json", "a.jsonl.gz": same(totals_of(written(name)(columns, tmp_path)), columns)
    with pytest.raises(ValueError, match="the same file twice"): totals_of([tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"])
    hollow = tmp_path / "hollow.jsonl"
    hollow.write_text("\n" * 20)
    with pytest.raises(ValueError, match="holds no rows"): totals_of(hollow)


def test_two_files_make_one_table(tmp_path):
    whole = table(models=2)
    for name in "jsonl", "csv", "parquet":
        halves = [{key: values[i::2] for key, values in whole.items()} for i in range(2)]
        for i, half in enumerate(halves): written(f"{i}.{name}")(half, tmp_path)
        totals = totals_of(tmp_path / f"?.{name}")
        same(totals, whole)
        assert "2 files" in totals.source and len(totals.files) == 2


def test_odd_types_in_parquet_and_relations(tmp_path):
    query = """SELECT i // 2 AS question, i % 2 AS sample, (i % 3 = 0)::{} AS correct, (i / 8)::DECIMAL(9, 3) AS score FROM range(8) t(i)"""
    want = None
    for kind in "BOOLEAN", "TINYINT", "UBIGINT", "HUGEINT", "FLOAT", "DECIMAL(4, 1)":
        duckdb.sql(query.format(kind)).write_parquet(str(tmp_path / "a.parquet"))
        for data in tmp_path / "a.parquet", duckdb.sql(query.format(kind)):
            for leave in None, False:
                counts = totals_of(data, score=leave).counts()
                want = want or counts.c.tolist()
                assert counts.c.tolist() == want
                if leave is None: np.testing.assert_allclose(counts.score_sum, [1 / 8, 5 / 8, 9 / 8, 13 / 8])


def test_answers_keep_their_kind(tmp_path):
    columns = dict(question=[1, 1, 1], sample=[0, 1, 2], correct=[1, 0, 1], answer=[7, 8, 7])
    for name in "polars", "pandas", "arrow", "duckdb", "a.jsonl", "a.parquet":
        assert totals_of(engine(name)(columns, tmp_path), answers=True).votes().answer.tolist() == [7, 8]
    path = tmp_path / "b.jsonl"
    path.write_text('{"id": 1, "answer": {"y": 1, "x": [2]}, "correct": 1}\n{"id": 1, "answer": {"x":[2], "y":1}, "correct": 1}\n{"id": 1, "answer": "7", "correct": 0}\n')
    assert totals_of(path, answers=True).votes().votes.tolist() == [2, 1]
    with pytest.raises(ValueError, match="no answers were counted; pass answers=True"): totals_of(path).votes()


def test_interrupt_while_counting_leaves_nothing(tmp_path):
    "Ctrl-C during a long count ends the process without a file."
    import signal, time
    big, out = tmp_path / "big.parquet", tmp_path / "out.parquet"
    duckdb.sql(f"COPY (SELECT hash(i) % 1000 AS question, i AS sample, 1 AS correct FROM range(3000000) t(i)) TO '{big}'")
    code = f"from sampling_eval.reading.engines import *; print('go', flush=True); write_counts({str(out)!r}, totals_of({str(big)!r}))"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "go\n"
    time.sleep(.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 or "KeyboardInterrupt" in errors or "INTERRUPT" in errors.upper()
    assert set(os.listdir(tmp_path)) <= {"big.parquet", "out.parquet"}
    if out.exists(): assert read_counts(out).rows.sum() == 3_000_000


@pytest.mark.parametrize("name", ["polars", "pandas", "arrow", "duckdb", "a.jsonl", "a.csv", "a.parquet"])
@pytest.mark.parametrize("numbers", [[0, None], [0., None], ["a", None]], ids=["whole", "real", "text"])
def test_samples_without_a_number_are_refused(name, numbers, tmp_path):
    columns = dict(question=["x", "x"], sample=numbers, correct=[1, 0])
    with pytest.raises(ValueError, match="every row needs a sample, got none at question 'x'"): totals_of(engine(name)(columns, tmp_path))


def test_a_real_nan_is_no_sample_number():
    with pytest.raises(ValueError, match="every row needs a sample"): totals_of(pl.DataFrame(dict(id=["x", "x"], sample=[0., float("nan")], correct=[1, 0])))


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(OSError, match="cannot write"): write_counts(tmp_path / "none" / "c.parquet", totals_of(table()))
