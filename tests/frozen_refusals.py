"""Bad input, one case for each kind of refusal."""

import gzip
import json
import zipfile
from pathlib import Path

import numpy as np

from frozen_run import Later, call, case, command
from frozen_tables import ENGINE, make_frame


def put(name, content):
    "The path of a file that is written when the case is run."

    def make():
        path = Path("bad") / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return Later(make)


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def zipped(**members):
    def make():
        with zipfile.ZipFile("bad/log.eval", "w") as archive:
            for name, value in members.items():
                archive.writestr(
                    name.replace("_json", ".json").replace("__", "/"), json.dumps(value)
                )
        return "bad/log.eval"

    return Later(make)


def frame(origin, **columns):
    return Later(lambda: make_frame(origin, columns), ENGINE[origin])


def put_counts(**changes):
    "A counts file by hand, with something in it that no version writes."

    def make():
        import duckdb

        rows, version = changes.get("rows", 2), changes.get("version", 1)
        about = json.dumps(dict(version=version, source="", files=[])).replace("'", "''")
        held = f"SELECT 1 AS question, {rows}::BIGINT AS rows, true AS correct"
        duckdb.connect().execute(
            f"COPY ({held}) TO 'bad/c.parquet' "
            f"(FORMAT parquet, KV_METADATA {{sampling_eval: '{about}'}})"
        )
        return "bad/c.parquet"

    return Later(make)


def sample(question=1, sample=0, correct=1, **more):
    return dict(question=question, sample=sample, correct=correct) | more


def runs(right, n=4, **more):
    "Rows of questions of which so many samples of `n` are right."
    return [sample(q, s, int(s < c), **more) for q, c in enumerate(right) for s in range(n)]


def counts(*given, **options):
    def make():
        from sampling_eval import Counts

        return Counts(*given, **options)

    return Later(make)


TWO = [[1, 0, 1], [0, 0, 1]]
OTHER = [[1, 1, 1], [0, 1, 0]]
MODELS = runs([1, 2], model="x") + runs([2, 2], model="y")
LOST = [sample(), sample(1, 1, None), sample(2), sample(2, 1, 0)]
ANSWERS = [sample(answer="a"), sample(1, 1, 0, answer="b"), sample(1, 2, 0, answer=None)]
JUDGED = [
    sample(answer="a"),
    sample(1, 1, 0, answer="a"),
    sample(2, answer="z"),
    sample(2, 1, answer="z"),
]
SCORED = [dict(question=q, score=s) for q, s in ((1, 0.5), (1, 0.25), (2, 1.0), (2, 0.0))]
PAIRED = [
    sample(score=0.5),
    sample(1, 1, 0, score=0.25),
    sample(2, score=1.0),
    sample(2, 1, 0, score=0.0),
]
PARTED = [row | dict(task=f"t{row['question']}", part=row["question"]) for row in runs([1, 2, 3])]

TASK = dict(task_id="a", passed=True, result="passed", completion="x")


def take_none():
    return make_frame("lazy polars", dict(question=[1], correct=[1])).head(0)


def halve(k):
    return np.arange(k + 1) / (2 * k)


def read_rows(rows):
    from sampling_eval import read

    return read(rows)


def read_answers(answers):
    return [sample(1, i, i, answer=answer) for i, answer in enumerate(answers)]


SCORE = {  # data, then options of `score`
    "percentages": [[sample(1, 0, 100), sample(1, 1, 0)]],
    "graded outcomes": [[sample(1, 0, 0.5), sample(1, 1, 1)]],
    "infinite outcome": [[sample(1, 0, float("inf")), sample(1, 1, 1)]],
    "text outcome": [[sample(1, 0, "yes")]],
    "mixed outcomes": [[sample(1, 0, True), sample(1, 1, 0)]],
    "nested outcome": [[sample(1, 0, [1]), sample(1, 1, 0)]],
    "list outcome": [[[1, 2], [0, 1]]],
    "list text": [[["a", "b"]]],
    "list none": [[[1, None]]],
    "list uneven depth": [[[1, 0], 5]],
    "flat list": [[1, 0, 1]],
    "flat array": [np.array([1, 0])],
    "deep array": [np.zeros((2, 2, 2), int)],
    "masked array": [np.ma.array([[1, 0]], mask=[[0, 1]])],
    "array nan": [np.array([[1, np.nan]])],
    "empty question": [[[1, 0], []]],
    "empty list": [[]],
    "empty array": [np.zeros((0, 3), int)],
    "a number": [3],
    "none": [None],
    "a set": [{1, 2}],
    "empty text": [""],
    "empty columns": [{}],
    "columns of no rows": [{"question": [], "correct": []}],
    "columns of unequal length": [{"question": [1, 2], "correct": [1]}],
    "column that is no list": [{"question": 3}],
    "column of two dimensions": [{"question": np.zeros((2, 2), int), "correct": [1, 1]}],
    "rows and paths": [[sample(), "x.jsonl"]],
    "no question": [[dict(correct=1)]],
    "no outcome": [[dict(question=1, sample=0)]],
    "two questions": [[dict(id=1, task_id=2, correct=1)]],
    "many columns": [[{f"c{i}": 1 for i in range(30)}]],
    "column of no such name": [runs([1, 2]), dict(correct="corect")],
    "column in two parts": [runs([1, 2]), dict(sample="question")],
    "question null": [[sample(), sample(None)]],
    "question blank": [[sample("a"), sample("nan")]],
    "question fraction": [[sample(), sample(0.5)]],
    "question flag": [[sample(), sample(True)]],
    "sample null": [[sample(), sample(1, None)]],
    "model fraction": [[sample(model=0.5), sample(2, model=1.5)]],
    "repeated sample": [[sample(), sample(1, 1), sample()]],
    "repeated sample of a model": [[*MODELS, MODELS[0]]],
    "split cluster": [[sample(cluster="a"), sample(1, 1, cluster="b")], dict(cluster=True)],
    "cluster null": [[sample(cluster="a"), sample(2, 1, cluster=None)], dict(cluster="cluster")],
    "score text": [[dict(question=1, score="high"), dict(question=1, score=1.0)]],
    "score infinite": [[dict(question=1, score=float("inf")), dict(question=1, score=1.0)]],
    "score flag among numbers": [[dict(question=1, score=0.5), dict(question=1, score=True)]],
    "graded scores without threshold": [SCORED, dict(metrics="pass@k")],
    "soft beyond one": [
        [dict(question=1, score=3.0), dict(question=1, score=1.0)],
        dict(metrics="soft@n"),
    ],
    "soft with gaps": [[sample(score=0.5), sample(1, 1, 0, score=None)], dict(metrics="soft@n")],
    "best without scores": [runs([1, 2]), dict(metrics="best@k")],
    "best without outcomes": [SCORED, dict(metrics="best@k")],
    "max with gaps": [[sample(score=0.5), sample(1, 1, 0, score=None)], dict(metrics="max@k")],
    "threshold beside outcomes": [PAIRED, dict(threshold=0.5)],
    "threshold without scores": [runs([1]), dict(threshold=0.5, correct=False)],
    "threshold of text": [SCORED, dict(threshold="high")],
    "threshold infinite": [SCORED, dict(threshold=float("inf"))],
    "missing outcome": [LOST],
    "missing policy": [LOST, dict(missing="guess")],
    "nothing left": [[sample(), sample(2, 0, None)], dict(missing="drop")],
    "absent samples": [runs([1, 2]), dict(samples_per_question=5)],
    "too many samples": [runs([1, 2]), dict(samples_per_question=3, missing="wrong")],
    "samples per question of a fraction": [runs([1, 2]), dict(samples_per_question=4.5)],
    "samples per question of none": [runs([1, 2]), dict(samples_per_question=0)],
    "samples per question of a flag": [TWO, dict(samples_per_question=True)],
    "samples per question of a list": [runs([1, 2]), dict(samples_per_question=[4, 4])],
    "absent samples in a table": [TWO, dict(samples_per_question=4)],
    "too many samples in a table": [TWO, dict(samples_per_question=2, missing="wrong")],
    "counts that cannot be completed": [
        counts([2, 2], [1, 1], missing=[1, 0]),
        dict(samples_per_question=3, missing="wrong"),
    ],
    "bounds of votes": [
        [*ANSWERS[:2], sample(1, 2, None, answer="b")],
        dict(missing="bounds", metrics="maj@k"),
    ],
    "bounds of a falling credit": [
        LOST,
        dict(missing="bounds", metrics={"fall@k": lambda k: np.arange(k + 1)[::-1] / k}),
    ],
    "votes without answers": [runs([1, 2]), dict(metrics="maj@k")],
    "votes in a table": [TWO, dict(metrics="maj@k")],
    "no answer without a rule": [ANSWERS, dict(metrics="maj@k")],
    "no answer rule": [ANSWERS, dict(no_answer="skip")],
    "abstains and is right": [
        [sample(answer=None), sample(1, 1, 0, answer="b")],
        dict(metrics="maj@k", no_answer="abstain"),
    ],
    "conflict": [JUDGED, dict(metrics="maj@k")],
    "conflict rule": [JUDGED, dict(conflict="first")],
    "number beside its text": [
        [sample(answer=7), sample(1, 1, 0, answer="7")],
        dict(metrics="maj@k"),
    ],
    "unknown normalize": [JUDGED, dict(normalize="upper")],
    "ties rule": [JUDGED, dict(ties="random")],
    "ties first": [ANSWERS[:2], dict(ties="first", metrics="maj@k")],
    "unknown metric": [TWO, dict(metrics="pas@k")],
    "unknown metric without near match": [TWO, dict(metrics="zzz")],
    "metric with a zero": [TWO, dict(metrics="pass@08")],
    "metric of wrong tau": [TWO, dict(metrics="g-pass@2_1.5")],
    "metrics of a number": [TWO, dict(metrics=3)],
    "metrics of numbers": [TWO, dict(metrics=[3])],
    "no metrics": [TWO, dict(metrics=[])],
    "average of another number": [TWO, dict(metrics="avg@4")],
    "own credit of wrong length": [TWO, dict(metrics={"mine@k": lambda k: [0, 1]})],
    "own credit of text": [TWO, dict(metrics={"mine@2": ["a", "b", "c"]})],
    "own credit of nan": [TWO, dict(metrics={"mine@2": [0, float("nan"), 1]})],
    "own credit that is a number": [TWO, dict(metrics={"mine@2": 3})],
    "own credit of a taken name": [TWO, dict(metrics={"pass@2": [0, 1, 1]})],
    "own credit without name": [TWO, dict(metrics={"": [0, 1, 1]})],
    "own credit without budget in its name": [
        TWO,
        dict(metrics={"mine": lambda k: np.arange(k + 1) / k}, k=[1, 2]),
    ],
    "k beyond n": [TWO, dict(k=4)],
    "k beyond n by name": [runs([1, 2]) + [sample("a")], dict(metrics="pass@2")],
    "k zero": [TWO, dict(k=0)],
    "k fraction": [TWO, dict(k=2.5)],
    "k flag": [TWO, dict(k=True)],
    "k of two dimensions": [TWO, dict(k=[[1, 2], [1, 2]])],
    "k empty": [TWO, dict(k=[])],
    "k of text": [TWO, dict(k="2")],
    "k of too many": [TWO, dict(k=range(1, 10**9))],
    "level of percent": [TWO, dict(confidence_level=95)],
    "level of text": [TWO, dict(confidence_level="high")],
    "level of a flag": [TWO, dict(confidence_level=True)],
    "interval unknown": [TWO, dict(interval="wald")],
    "interval of a number": [TWO, dict(interval=3)],
    "interval wilson of shares": [TWO, dict(interval="wilson")],
    "interval wilson of clusters": [
        PARTED,
        dict(interval="wilson", cluster="part", metrics="pass@4"),
    ],
    "interval bootstrap of a benchmark": [TWO, dict(interval="bootstrap", target="same_questions")],
    "interval of unbounded values": [PAIRED, dict(metrics="max@k", interval="anchored-t")],
    "target unknown": [TWO, dict(target="world")],
    "rng of text": [TWO, dict(rng="seed")],
    "rng below zero": [TWO, dict(rng=-1)],
    "by without columns": [TWO, dict(by="task")],
    "by of no such column": [runs([1, 2]), dict(by="task")],
    "by of a name in the report": [
        [row | dict(task="all questions") for row in runs([1, 2])],
        dict(by="task"),
    ],
    "by of a counts file": ["counts/votes.parquet", dict(by="task", missing="wrong")],
    "by with one part in two": [
        [sample(task="a"), sample(1, 1, task="b")],
        dict(by="task", metrics="pass@1"),
    ],
    "column for a table": [TWO, dict(question="id")],
    "format for rows": [runs([1]), dict(harness="inspect")],
    "grade for rows": [runs([1]), dict(grade=lambda a, t: True)],
    "format unknown": ["logs/verl/50.jsonl", dict(harness="csv")],
    "format of another": ["logs/verl/50.jsonl", dict(harness="tau2")],
    "files of both": ["logs/verl", dict(files_hold="both")],
    "files without a choice": [
        [
            "logs/verifiers/wiki-search--gpt-5/73850758",
            "logs/verifiers/wiki-search--gpt-4.1-mini/e095b368",
        ],
        dict(model=False),
    ],
    "filter unknown": [
        "logs/lm_eval/mock/samples_arith_gen_2026-11-21T10-05-01.592126.jsonl",
        dict(filter="x"),
    ],
    "filter for a table": ["data/tau_bench_airline_gpt4o.jsonl", dict(filter="x")],
    "scorer unknown": ["logs/evalplus", dict(score="pass")],
    "grade of words": ["logs/opencompass/predictions", dict(grade=lambda a, t: "yes")],
    "grade of results": ["logs/opencompass/results", dict(grade=lambda a, t: True)],
    "column of a log": ["logs/inspect/log_streaming.eval", dict(answer="x", harness="inspect")],
    "two harnesses": [["logs/evalplus", "logs/human_eval"]],
    "same file twice": [["data/aime25_q06.csv", "data/aime25_q06.csv"]],
    "same log twice": [
        [
            "logs/verl/50.jsonl",
            put(
                "copy.jsonl",
                Path(__file__).parent.joinpath("logs", "verl", "50.jsonl").read_bytes(),
            ),
        ],
        dict(files_hold="draws"),
    ],
    "no such file": ["none.jsonl"],
    "no file matches": ["none*.csv", dict(correct="x")],
    "an address": ["https://example.org/none.txt"],
    "a folder of nothing": ["out"],
    "a counts file and samples": [["counts/votes.parquet", "data/aime25_q06.csv"]],
    "a column of a counts file": ["counts/votes.parquet", dict(question="id")],
    "a counts file of two models as one": [["counts/votes.parquet", "counts/scores.parquet"]],
    "column named for two parts": [runs([1, 2]), dict(correct="correct", answer="correct")],
    "two metrics of one name": [TWO, dict(metrics={"mine@k": halve, "mine@2": [0, 1, 1]}, k=[2])],
    "bounds of a choice by score": [
        [*PAIRED[:3], sample(2, 1, None, score=0.0)],
        dict(missing="bounds", metrics="best@k"),
    ],
    "answer that cannot be compared": [
        Later(lambda: read_answers([{1}, {2}])),
        dict(metrics="maj@k"),
    ],
    "lm-eval repeats": [
        "logs/lm_eval/mock/samples_arith_repeat_2026-11-21T10-05-01.592126.jsonl",
        dict(filter="maj@4"),
    ],
    "aisbench grade": ["logs/aisbench/results", dict(grade=lambda a, t: True)],
    "two logs of the same questions": [
        [put("a.jsonl", lines(TASK)), put("b.jsonl", lines(TASK | dict(passed=False)))]
    ],
    "a log of odd names": [put("x.jsonl", lines(TASK | dict(task_id=None)))],
    "a log with a line of a number": [put("x.jsonl", lines(TASK) + "3\n")],
    "counts of a later version": [put_counts(version=2)],
    "counts of no rows": [put_counts(rows=0)],
    "lazy polars of no rows": [Later(take_none, "polars")],
    "lazy polars threshold beside outcomes": [
        frame("lazy polars", question=[1], score=[0.5], correct=[1]),
        dict(threshold=0.5),
    ],
    "lazy polars threshold without scores": [
        frame("lazy polars", question=[1], correct=[1]),
        dict(threshold=0.5, correct=False),
    ],
    "lazy polars threshold infinite": [
        frame("lazy polars", question=[1], score=[0.5]),
        dict(threshold=float("inf")),
    ],
    "lazy polars nothing left": [
        frame("lazy polars", question=[1, 2], correct=[1, None]),
        dict(missing="drop"),
    ],
    "lazy polars graded": [
        frame("lazy polars", question=[1, 1], score=[0.5, 0.25]),
        dict(metrics="pass@k"),
    ],
    "lazy polars no answer": [
        frame("lazy polars", question=[1, 1], correct=[1, 0], answer=["a", None]),
        dict(metrics="maj@k"),
    ],
    "pandas question null": [frame("pandas", question=["a", None], correct=[1, 0])],
    "lazy polars list": [
        frame("lazy polars", question=[1, 1], correct=[1, 0], answer=[["a"], ["b"]])
    ],
    "lazy polars text score": [frame("lazy polars", question=[1, 1], score=["a", "b"])],
    "lazy polars percentages": [frame("lazy polars", question=[1, 1], correct=[100, 0])],
    "lazy polars question null": [frame("lazy polars", question=["a", None], correct=[1, 0])],
    "lazy polars repeated sample": [
        frame("lazy polars", question=[1, 1], sample=[0, 0], correct=[1, 0])
    ],
    "lazy polars split cluster": [
        frame("lazy polars", question=[1, 1], cluster=["a", "b"], correct=[1, 0])
    ],
    "duckdb infinite score": [frame("duckdb", question=[1, 1], score=[float("inf"), 1.0])],
    "duckdb text outcome": [frame("duckdb", question=[1, 1], correct=["yes", "no"])],
    "duckdb sample null": [frame("duckdb", question=[1, 1], sample=[0, None], correct=[1, 0])],
    "pyarrow fraction": [frame("pyarrow", question=[1, 1], correct=[0.5, 1.0])],
}

ROW = lines(sample())
HEADER = dict(version=2, status="success", eval=dict(task="t", model="m"))
WRITTEN = {  # file, content, then words of the command
    "empty": ("x.jsonl", ""),
    "blank lines": ("x.jsonl", "\n\n\n"),
    "malformed line": ("x.jsonl", ROW * 16 + '{"question": ,}\n', "--correct", "correct"),
    "a line of a number": ("x.jsonl", ROW + "3\n", "--correct", "correct"),
    "a key twice": (
        "x.jsonl",
        '{"question": 1, "question": 2, "correct": 1}\n',
        "--correct",
        "correct",
    ),
    "a key twice in a log": ("x.jsonl", '{"question": 1, "question": 2, "correct": 1}\n'),
    "not UTF-8": ("x.jsonl", ROW.encode() + b'{"question": "\xe9"}\n', "--correct", "correct"),
    "a list with a number": (
        "x.json",
        '[{"question": 1, "correct": 1}, 2]',
        "--correct",
        "correct",
    ),
    "an empty list": ("x.json", "[]"),
    "another document": ("x.json", '{"results": [{"id": 1}]}'),
    "a short gzip": ("x.jsonl.gz", gzip.compress(ROW.encode() * 300, mtime=0)[:-20]),
    "no gzip": ("x.csv.gz", "question,correct\n1,1\n"),
    "a CSV of a head": ("x.csv", "question,correct\n"),
    "a CSV of unequal lines": ("x.csv", "question,correct\n1,1\n2,1,3\n"),
    "a CSV with a column twice": ("x.csv", "question,correct,correct\n1,1,0\n"),
    "a CSV not UTF-8": ("x.csv", b"question,correct\n1,1\n\xe9,1\n"),
    "a CSV head not UTF-8": ("x.csv", b"question\xe9,correct\n1,1\n"),
    "a CSV of words": ("x.csv", "question,correct\n1,1\n2,yes\n"),
    "a CSV of a wordy score": ("x.csv", "question,score\n1,1\n2,high\n"),
    "a CSV of flags and numbers": ("x.csv", "question,correct\n1,true\n2,0\n"),
    "of no kind": ("x.txt", "question,correct\n1,1\n"),
    "no parquet": ("x.parquet", "not parquet"),
    "output kind": ("x.jsonl", ROW, "-o", "out/x.doc"),
    "output over input": ("x.jsonl", ROW, "-o", "bad/x.jsonl"),
    "output to no folder": ("x.jsonl", ROW, "-o", "nowhere/x.json"),
    "k of a fraction": ("x.jsonl", ROW, "-k", "2.0"),
    "k that falls": ("x.jsonl", ROW, "-k", "3-1"),
    "k of words": ("x.jsonl", ROW, "-k", "1,two"),
    "unknown option": ("x.jsonl", ROW, "--nonsense"),
    "format of the output": ("x.jsonl", ROW, "-f", "yaml"),
    "two metrics that are one": ("x.jsonl", ROW, "-m", ","),
    "human-eval without a key": (
        "x.jsonl",
        lines(dict(task_id="a", passed=True, result="x"), dict(task_id="b")),
    ),
    "verl without a key": ("x.jsonl", lines(dict(input="a", output="b", score=1), dict(input="a"))),
    "verl of words": (
        "x.jsonl",
        lines(dict(input="a", output="b", score=1.0), dict(input="a", output="b", score="x")),
    ),
    "evalplus without a key": ("x.json", json.dumps(dict(date="", eval={"a": [dict(x=1)]}))),
    "evalplus of nothing": ("x.json", json.dumps(dict(date="", eval={}))),
    "inspect of no samples": ("x.json", json.dumps(HEADER | dict(samples=[]))),
    "inspect of no scores": (
        "x.json",
        json.dumps(HEADER | dict(samples=[dict(id="q", epoch=1, target="4")])),
    ),
    "inspect of another grade": (
        "x.json",
        json.dumps(
            HEADER
            | dict(samples=[dict(id="q", epoch=1, target="4", scores={"s": dict(value="B")})])
        ),
    ),
    "inspect of a list": (
        "x.json",
        json.dumps(
            HEADER
            | dict(samples=[dict(id="q", epoch=1, target="4", scores={"s": dict(value=[1, 0])})])
        ),
    ),
    "lm-eval of a corpus metric": (
        "x.jsonl",
        lines(
            dict(
                doc_id=0,
                target="x",
                filter="none",
                resps=[["y"]],
                filtered_resps=["y"],
                metrics=["f1"],
                f1=["x", "y"],
            )
        ),
    ),
    "either of two harnesses": (
        "x.json",
        json.dumps(
            dict(
                details=[
                    dict(correct=[True, False], pred=["a", "b"]),
                    dict(correct=[True, True], pred=["a", "b"]),
                ]
            )
        ),
    ),
    "details of nothing": ("x.json", json.dumps(dict(details={}))),
    "an archive of another kind": ("x.eval", b"PK\x05\x06" + bytes(18)),
    "a broken archive": ("x.eval", b"PK\x03\x04" + bytes(40)),
}

VERBS = {  # name of a verb, arguments, options
    "compare one": ("compare", [TWO]),
    "compare other questions": (
        "compare",
        [runs([1, 2]), [row | dict(question=f"x{row['question']}") for row in runs([1])]],
    ),
    "compare more questions": ("compare", [runs([1, 2, 3]), runs([1, 2])]),
    "compare on unmatched": ("compare", [TWO, OTHER], dict(on_unmatched="skip")),
    "compare several models": ("compare", [MODELS, runs([1, 2])]),
    "compare an unknown model": ("compare", [MODELS], dict(models=["x", "z"])),
    "compare too many names": ("compare", [MODELS, MODELS], dict(models=["x", "y", "x"])),
    "compare two metrics": ("compare", [TWO, OTHER, "g-pass@2"]),
    "compare an unknown metric": ("compare", [TWO, OTHER, "pas@k"]),
    "compare k twice": ("compare", [TWO, OTHER, "pass@2"], dict(k=2)),
    "compare k of an average": ("compare", [TWO, OTHER, "avg@n"], dict(k=2)),
    "compare k beyond n": ("compare", [TWO, OTHER], dict(k=4)),
    "compare mcnemar of many": ("compare", [TWO, OTHER, "pass@2"], dict(test="mcnemar")),
    "compare unknown test": ("compare", [TWO, OTHER, "pass@2"], dict(test="wilcoxon")),
    "compare t of no spread": ("compare", [TWO, TWO, "pass@1"], dict(test="t")),
    "compare unknown interval": ("compare", [TWO, OTHER], dict(method="wald")),
    "compare wilson": ("compare", [TWO, OTHER, "pass@1"], dict(method="wilson")),
    "compare level": ("compare", [TWO, OTHER], dict(confidence_level=1.5)),
    "compare missing": ("compare", [LOST, LOST]),
    "compare bounds": ("compare", [LOST, LOST], dict(missing="bounds")),
    "compare cluster without a question": ("compare", [TWO, OTHER], dict(cluster={0: "a"})),
    "compare cluster of wrong length": ("compare", [TWO, OTHER], dict(cluster=["a"])),
    "compare clusters that differ": (
        "compare",
        [
            [row | dict(cluster="a") for row in runs([1, 2])],
            [row | dict(cluster=f"c{row['question']}") for row in runs([1, 2])],
        ],
        dict(cluster=True),
    ),
    "gate of no rule": ("gate", [TWO]),
    "gate of a baseline alone": ("gate", [TWO, OTHER]),
    "gate of a drop alone": ("gate", [TWO], dict(max_drop=0.1)),
    "gate of a negative drop": ("gate", [TWO, OTHER], dict(max_drop=-0.1)),
    "gate of a drop in points": ("gate", [TWO, OTHER], dict(max_drop=2)),
    "gate of a least in percent": ("gate", [TWO], dict(minimum={"pass^2": 90})),
    "gate without budget": ("gate", [TWO], dict(minimum={"pass@k": 0.9})),
    "gate of several models": ("gate", [MODELS], dict(minimum={"pass@1": 0.1})),
    "gate cluster of a list": ("gate", [TWO, OTHER], dict(max_drop=0.1, cluster=["a", "b"])),
    "plan of nothing": ("plan", []),
    "plan of votes": ("plan", [0.02], dict(metrics="maj@4")),
    "plan without budget": ("plan", [0.02], dict(metrics="pass@k")),
    "plan of own credit": ("plan", [0.02], dict(metrics={"mine@2": [0, 1, 1]})),
    "plan of two metrics": ("plan", [0.02], dict(metrics="g-pass@4")),
    "plan of a second pilot alone": ("plan", [0.02], dict(pilot_b=TWO)),
    "plan of samples below k": ("plan", [0.02], dict(metrics="pass@8", n=4)),
    "plan of two correlations": ("plan", [0.02], dict(pilot=TWO, pilot_b=OTHER, correlation=0.5)),
    "plan of a correlation beyond one": ("plan", [0.02], dict(pilot=TWO, correlation=1.5)),
    "plan of a negative difference": ("plan", [-0.1]),
    "plan of no power": ("plan", [0.02, 0.01]),
    "plan of a level": ("plan", [0.02], dict(confidence_level=95)),
    "plan of other quantiles": ("plan", [0.02], dict(method="z")),
    "plan of one question": ("plan", [], dict(questions=1, method="t")),
    "plan of too small a budget": ("plan", [], dict(budget=1, cost_question=5)),
    "plan of few samples": ("plan", [0.02], dict(pilot=[[1], [0]])),
    "plan of other pilots": ("plan", [0.02], dict(pilot=runs([1, 2]), pilot_b=runs([1, 2, 3]))),
    "extrapolate an average": ("extrapolate", [TWO], dict(metrics="avg@n")),
    "extrapolate votes": ("extrapolate", [TWO], dict(metrics="maj@k")),
    "extrapolate k twice": ("extrapolate", [TWO], dict(metrics="pass@8", k=9)),
    "extrapolate k zero": ("extrapolate", [TWO], dict(k=0)),
    "extrapolate several models": ("extrapolate", [MODELS]),
    "extrapolate level": ("extrapolate", [TWO], dict(confidence_level=1.5)),
    "count a table": ("count", [TWO]),
    "count over no folder": ("count", [runs([1, 2]), "nowhere/x.parquet"]),
    "count several columns": ("count", [runs([1, 2])], dict(correct="corect")),
    "merge nothing": ("merge", []),
    "merge the same samples": ("merge", [runs([1, 2]), runs([2, 2])]),
    "merge the same file": ("merge", ["counts/votes.parquet", "counts/votes.parquet"]),
    "merge other questions": ("merge", [runs([1, 2]), runs([1])], dict(separate=True)),
    "merge with and without models": (
        "merge",
        [MODELS, runs([1, 2])],
        dict(separate=True, union=True),
    ),
    "merge with and without outcomes": (
        "merge",
        [runs([1, 2]), SCORED],
        dict(separate=True, union=True),
    ),
    "count a CSV with a column twice": (
        "count",
        [put("x.csv", "question,correct,correct\n1,1,0\n")],
    ),
    "count a CSV of a head": ("count", [put("x.csv", "question,correct\n")]),
    "count a CSV of unequal lines": ("count", [put("x.csv", "question,correct\n1,1\n2,1,3\n")]),
    "count malformed lines": ("count", [put("x.jsonl", ROW + '{"question": ,}\n')]),
    "count percentages": ("count", [put("x.csv", "question,correct\n1,100\n2,0\n")]),
    "count words": ("count", [put("x.csv", "question,correct\n1,yes\n2,no\n")]),
    "count a repeat": ("count", [put("x.jsonl", ROW * 2)]),
    "count files of other columns": (
        "count",
        [[put("x.csv", "question,correct\n1,1\n"), put("y.csv", "name,correct\n1,1\n")]],
    ),
    "count an address twice": ("count", [["https://example.org/a.csv"] * 2]),
    "count what was read, and a column": (
        "count",
        [Later(lambda: read_rows(runs([1])))],
        dict(question="id"),
    ),
    "merge with a folder": ("merge", ["out", "data/aime25_q06.csv"]),
    "read no such file": ("read", ["none.jsonl"]),
    "read an empty file": ("read", [put("x.jsonl", "")]),
    "read a CSV head of one quote": ("read", [put("x.csv", 'question,"correct\n1,1\n')]),
    "read files of other columns": (
        "read",
        [[put("x.csv", "question,correct\n1,1\n"), put("y.csv", "name,correct\n1,1\n")]],
    ),
    "choices of another layout": (
        "read_choices",
        [put("x.jsonl", lines(dict(doc_id=0, resps=[], filtered_resps=[])))],
    ),
    "choices without the right one": (
        "read_choices",
        [
            put(
                "x.jsonl",
                lines(
                    dict(
                        doc_id=0,
                        target="9",
                        resps=[[["-1", "False"]], [["-2", "False"]]],
                        filtered_resps=[],
                        arguments=[["Q", " a"], ["Q", " b"]],
                        acc=0.0,
                    )
                ),
            )
        ],
    ),
    "read a table": ("read", [TWO]),
    "read a folder": ("read", ["logs"]),
    "counts of two dimensions": ("Counts", [[[2]], [[1]]]),
    "counts with more right": ("Counts", [[2, 2], [1, 3]]),
    "counts of fractions": ("Counts", [[2, 2], [1, 0.5]]),
    "counts of a question twice": ("Counts", [[2, 2], [1, 1], np.array(["a", "a"], object)]),
    "counts of short clusters": ("Counts", [[2, 2], [1, 1]], dict(cluster=["a"])),
    "counts of too many": ("Counts", [[2**31], [1]]),
    "merge counts of other questions": ("merge_counts", [counts([2], [1]), counts([2, 2], [1, 1])]),
    "votes without outcomes": ("votes_of", [[["a", "b"]], None]),
    "votes of unequal rows": ("votes_of", [[["a", "b"]], [[1]]]),
    "votes of no question": ("votes_of", [[], []]),
    "votes of other questions": ("votes_of", [[["a"], ["b"]], [[1]]]),
    "votes of an empty question": ("votes_of", [[["a"], []], [[1], []]]),
    "pass@k flag": ("pass_at_k", [3, 1, True]),
    "g-pass@k of a table": ("g_pass_at_k", [4, 2, 4, [[0.5]]]),
    "g-pass@k of nothing": ("g_pass_at_k", [4, 2, 4, []]),
    "weighted votes ties": (
        "weighted_maj_at_n",
        [[["a", "b"]], [[1, 0]], [[1, 1]]],
        dict(ties="random"),
    ),
    "weighted votes of unequal rows": ("weighted_maj_at_n", [[["a", "b"]], [[1, 0]], [[1]]]),
    "soft accuracy of nothing": ("soft_accuracy", [[]]),
    "soft accuracy of a row": ("soft_accuracy", [[0.5, 1]]),
    "soft accuracy of text": ("soft_accuracy", [[["a"]]]),
    "soft accuracy of an empty question": ("soft_accuracy", [[[0.5], []]]),
    "soft accuracy of a mask": ("soft_accuracy", [np.ma.array([[0.5]], mask=[[True]])]),
    "choices of no question": ("choice_scores", [[], []]),
    "choices of an empty question": ("choice_scores", [[[]], [0]]),
    "choices above zero": ("choice_scores", [[[float("nan"), -1.0]], [0]]),
    "choices ties": ("choice_scores", [[[-1.0, -1.0]], [0]], dict(ties="random")),
    "choices normalize": ("choice_scores", [[[-1.0, -2.0]], [0]], dict(normalize="words")),
    "vqa of numbers": ("vqa_accuracy", [[3], [["a"] * 10]]),
    "vqa normalize": ("vqa_accuracy", [["a"], [["a"] * 10]], dict(normalize="lower")),
    "anls at threshold": ("anls", [["a"], [["a"]]], dict(at_threshold="half")),
    "band level": ("simultaneous_band", [[[1.0, 0.5], [0.0, 0.25]], 95]),
    "band of nan": ("simultaneous_band", [[[1.0, float("nan")], [0.0, 0.25]]]),
    "band beyond one": ("simultaneous_band", [[[1.0, 3.0], [0.0, 0.25]]]),
    "band of short clusters": (
        "simultaneous_band",
        [[[1.0, 0.5], [0.0, 0.25]]],
        dict(cluster=["a"]),
    ),
    "mean of other within": (
        "mean_over_questions",
        [[1, 0]],
        dict(within=[0.1], target="same_questions"),
    ),
    "mean of short times": ("mean_over_questions", [[1, 0]], dict(times=[1])),
    "mean of times in clusters": (
        "mean_over_questions",
        [[1, 0]],
        dict(times=[1, 2], cluster=["a", "b"]),
    ),
    "posterior of single samples": (
        "posterior",
        [[1, 1], [1, 0]],
        dict(k=1, credit=halve, prior="fitted"),
    ),
    "pass@k beyond n": ("pass_at_k", [[3, 5], [0, 1], 4]),
    "pass@k of shapes": ("pass_at_k", [[3, 5], [0, 1, 1], 2]),
    "pass^k of fractions": ("pass_hat_k", [[3.0, 5.5], [0, 1], 2]),
    "cons@k zero": ("cons_at_k", [3, 1, 0]),
    "pass@k of two dimensions": ("pass_at_k", [3, 1, [[1, 2]]]),
    "g-pass@k of percent": ("g_pass_at_k", [4, 2, 4, 50]),
    "g-pass@k of text": ("g_pass_at_k", [4, 2, 4, "0.5"]),
    "maj@k ties": ("maj_at_k", [[["a", "b"]], [[1, 0]], 1], dict(ties="random")),
    "maj@k first": ("maj_at_k", [[["a", "b"]], [[1, 0]], 1], dict(ties="first")),
    "weighted votes below zero": ("weighted_maj_at_n", [[["a", "b"]], [[1, 0]], [[1, -1]]]),
    "max@k of text": ("max_at_k", [[["a", "b"]], 1]),
    "best@k without outcomes": ("best_of_k", [[[1, 2]], None, 1]),
    "soft accuracy beyond one": ("soft_accuracy", [[[0.5, 3]]]),
    "hard accuracy threshold": ("hard_accuracy", [[[0.5, 1]], 1.5]),
    "choices of text": ("choice_scores", [[["a", "b"]], [0]]),
    "choices beyond": ("choice_scores", [[[-1.0, -2.0]], [2]]),
    "choices of nothing": ("choice_scores", [[[float("-inf")] * 2], [0]]),
    "log prob score shapes": ("mmlu_log_prob_score", [[[-1.0, -2.0]], [0, 1]]),
    "vqa of one text": ("vqa_accuracy", ["a", [["a"] * 10]]),
    "vqa of unequal": ("vqa_accuracy", [["a"], []]),
    "anls threshold": ("anls", [["a"], [["a"]]], dict(threshold=2)),
    "mean of nothing": ("mean_over_questions", [[]]),
    "mean of nan": ("mean_over_questions", [[1, float("nan")]]),
    "mean beyond one": ("mean_over_questions", [[1, 3]]),
    "mean over short clusters": ("mean_over_questions", [[1, 0]], dict(cluster=["a"])),
    "mean of negative times": ("mean_over_questions", [[1, 0]], dict(times=[-1, 2])),
    "band of one column": ("simultaneous_band", [[1, 0]]),
    "band of no spread": ("simultaneous_band", [[[1.0, 0.5], [1.0, 0.25]]], dict(method="sup-t")),
    "band method": ("simultaneous_band", [[[1.0, 0.5], [0.0, 0.25]]], dict(method="bonferroni")),
    "posterior prior": ("posterior", [[2, 2], [1, 1]], dict(k=1, prior="wide", credit=np.asarray)),
    "posterior prior below zero": (
        "posterior",
        [[2, 2], [1, 1]],
        dict(k=1, prior=(-1, 1), credit=np.asarray),
    ),
    "no such name": ("pass_at_n", []),
}

COMMANDS = {
    "counts with a policy": (
        "counts",
        "data/aime25_q06.csv",
        "-o",
        "out/c.parquet",
        "--missing",
        "drop",
    ),
    "counts over its input": ("counts", "counts/votes.parquet", "-o", "counts/votes.parquet"),
    "counts without output": ("counts", "data/aime25_q06.csv"),
    "merge of a file that is none": ("merge", "none.parquet", "-o", "out/c.parquet"),
    "gate least without number": (
        "gate",
        "data/tau_bench_airline_gpt4o.jsonl",
        "--minimum",
        "pass^4",
    ),
    "gate least of nan": ("gate", "data/tau_bench_airline_gpt4o.jsonl", "--minimum", "pass^4=nan"),
    "gate least twice": (
        "gate",
        "data/tau_bench_airline_gpt4o.jsonl",
        "--minimum",
        "pass^4=.1",
        "--minimum",
        "pass^4=.2",
    ),
    "gate drop of words": ("gate", "data/tau_bench_airline_gpt4o.jsonl", "--max-drop", "x"),
    "gate format": ("gate", "data/tau_bench_airline_gpt4o.jsonl", "--format", "xml"),
    "gate without run": ("gate",),
    "no command": ("nothing",),
    "compare with one run": ("compare", "data/tau_bench_airline_gpt4o.jsonl"),
    "plan with nothing": ("plan",),
    "extrapolate a file that is none": ("extrapolate", "none.jsonl"),
}


def refusal_cases():
    for name, (data, *options) in SCORE.items():
        yield case(f"refusals score {name}", call("score", data, **dict(*options)))
    for name, (file, content, *words) in WRITTEN.items():
        path = put(file, content)
        yield case(
            f"refusals file {name}",
            command("score", path, "-f", "json", *words) if words else call("score", path),
        )
    yield case(
        "refusals file inspect archive of no header", command("score", zipped(samples__1_json={}))
    )
    for name, (verb, given, *options) in VERBS.items():
        yield case(f"refusals verb {name}", call(verb, *given, **dict(*options)))
    for name, words in COMMANDS.items():
        yield case(f"refusals command {name}", command(*words))
