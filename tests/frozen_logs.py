"""What was frozen of the logs of harnesses and of the data of the pages."""

import csv
import json
from pathlib import Path

import numpy as np

from frozen_run import Later, call, case, command

# Logs of harnesses: each file and folder as it is, then with what its harness needs to be told.

LIGHT = "logs/lighteval/details/mock/mock-model/2026-11-21T10-00-00.000000"
LIGHT = [
    f"{LIGHT}/details_{o}_0_2026-11-21T10-00-00.000000.parquet"
    for o in ("arith", "arith_once", "facts")
]
LM = [
    f"logs/lm_eval/mock/samples_{o}_2026-11-21T10-05-01.592126.jsonl"
    for o in ("arith_gen", "arith_repeat", "facts_mc")
]
VERIFIERS = [
    f"logs/verifiers/{o}"
    for o in (
        "mmmu--gpt-4.1-mini/51f717af",
        "wiki-search--gpt-4.1-mini/e095b368",
        "wiki-search--gpt-5/73850758",
    )
]
LOGS = [
    "logs/aisbench/predictions/mock/d.jsonl",
    "logs/aisbench/predictions/mock/d_failed.jsonl",
    "logs/aisbench/results/mock/d.json",
    "logs/evalplus/mock_eval_results.json",
    "logs/human_eval/example_samples.jsonl",
    "logs/human_eval/example_samples.jsonl_results.jsonl",
    "logs/inspect/arithmetic_mock.eval",
    "logs/inspect/log_formats.json",
    "logs/inspect/log_streaming.eval",
    *LIGHT,
    *LM,
    "logs/opencompass/predictions/mock/arith.json",
    "logs/opencompass/results/mock/arith.json",
    "logs/promptfoo/results.json",
    "logs/tau2/results.json",
    "logs/tau_bench/gpt-4o-airline.json",
    *(f"{o}/results.jsonl" for o in VERIFIERS),
    *(f"{o}/metadata.json" for o in VERIFIERS),
    "logs/verl/100.jsonl",
    "logs/verl/50.jsonl",
]
FOLDERS = [
    "logs/aisbench",
    "logs/aisbench/results",
    "logs/evalplus",
    "logs/human_eval",
    "logs/lighteval",
    "logs/lm_eval",
    "logs/opencompass",
    "logs/tau_bench",
    "logs/verifiers",
    "logs/verl",
    "logs",
    VERIFIERS[1],
]


def same_text(answer, target):
    return answer == target


def ends_alike(answer, target):
    return answer.rstrip(".").endswith(target)


def some_unknown(answer, target):
    return None if len(answer or "") < 2 else answer == target


def write_broken():
    "A log of inspect in which one sample ended in an error and one was declared invalid."

    def tell(epoch, **more):
        return (
            dict(
                id="q",
                epoch=epoch,
                target="4",
                output=dict(completion="4"),
                scores={"s": dict(value="C", answer="4")},
            )
            | more
        )

    samples = [
        tell(1),
        tell(2, scores={}, error=dict(message="x")),
        tell(3, invalidation=dict()),
        tell(4, scores={"s": dict(value="I", answer="5")}, error=dict(message="x")),
        tell(5, invalidation=dict(reason="x")),
    ]
    log = dict(version=2, status="cancelled", eval=dict(task="t", model="m"), samples=samples)
    Path("bad/broken.json").write_text(json.dumps(log))
    return "bad/broken.json"


TOLD = {  # options of `score` beside k and metrics
    "evalplus base": ("logs/evalplus", dict(score="base")),
    "evalplus by name": ("logs/evalplus", dict(harness="evalplus")),
    "human-eval graded": (
        "logs/human_eval/example_samples.jsonl",
        dict(grade=lambda a, t: "1" in a),
    ),
    "lm-eval strict": (LM[0], dict(filter="strict-match", no_answer="abstain")),
    "lm-eval flexible": (LM[0], dict(filter="flexible-extract")),
    "lm-eval graded": (LM[1], dict(filter="maj@4", grade=ends_alike)),
    "lm-eval choices": (LM[2], dict(score="acc")),
    "lm-eval two tasks": ([LM[0], LM[2]], dict(filter="flexible-extract", cluster=True)),
    "lighteval graded": (LIGHT[0], dict(grade=same_text)),
    "inspect match": ("logs/inspect/arithmetic_mock.eval", dict(score="match")),
    "inspect grade": ("logs/inspect/arithmetic_mock.eval", dict(score="grade", missing="wrong")),
    "inspect threshold": (
        "logs/inspect/arithmetic_mock.eval",
        dict(score="grade", threshold=0.5, missing="drop"),
    ),
    "inspect graded": (
        "logs/inspect/arithmetic_mock.eval",
        dict(grade=some_unknown, missing="wrong"),
    ),
    "inspect errors": (Later(write_broken), dict(missing="wrong")),
    "inspect errors graded": (Later(write_broken), dict(grade=same_text, missing="wrong")),
    "opencompass graded": ("logs/opencompass/predictions", dict(grade=same_text, conflict="any")),
    "aisbench graded": (
        "logs/aisbench/predictions",
        dict(grade=same_text, missing="wrong", no_answer="vote"),
    ),
    "aisbench by name": (
        "logs/aisbench/results/mock/d.json",
        dict(harness="aisbench", no_answer="vote"),
    ),
    "verifiers models": (VERIFIERS[1:], dict(files_hold="models")),
    "verifiers judge": (f"{VERIFIERS[1]}/results.jsonl", dict(score="judge_reward_func")),
    "verl draws": ("logs/verl", dict(files_hold="draws")),
    "verl models": ("logs/verl", dict(files_hold="models")),
    "verl score": ("logs/verl/50.jsonl", dict(score="score", threshold=0.5)),
    "tau-bench as samples of no name": ("logs/tau_bench", dict(sample=False)),
    "promptfoo one model": ("logs/promptfoo", dict(model=False, sample=False)),
    "tau2 wrong": ("logs/tau2", dict(missing="wrong")),
    "human-eval as table": (
        "logs/human_eval/example_samples.jsonl_results.jsonl",
        dict(harness="table", correct="passed", answer="completion", conflict="any"),
    ),
}


def log_cases():
    for path in LOGS + FOLDERS:
        yield case(f"logs {path[5:] or 'all'}", command("score", path, "-k", "1", "-f", "json"))
    for name, (path, options) in TOLD.items():
        yield case(f"logs told {name}", call("score", path, k=1, **options))
    yield case(
        "logs told glob",
        command("score", "logs/verl/*.jsonl", "--files-hold", "draws", "-f", "json", "-k", "1,2"),
    )
    yield case(
        "logs compare verl",
        command(
            "compare",
            "logs/verl/50.jsonl",
            "logs/verl/100.jsonl",
            "-m",
            "avg@n",
            "--models",
            "step 50",
            "--models",
            "step 100",
            "-f",
            "json",
        ),
    )
    yield case(
        "logs compare verifiers", call("compare", *VERIFIERS[1:], "pass@1", on_unmatched="drop")
    )
    yield case(
        "logs gate tau-bench",
        command(
            "gate", "logs/tau_bench/gpt-4o-airline.json", "--minimum", "pass^4=.1", "-f", "json"
        ),
    )
    yield case(
        "logs counts tau-bench",
        command("counts", "logs/tau_bench/gpt-4o-airline.json", "-o", "out/c.parquet"),
        call("score", "out/c.parquet", ["pass^k", "soft@n"], k=[1, 4]),
    )
    for path in LM[2], LIGHT[2], LM[0], LIGHT[1], "logs/tau2/results.json":
        yield case(f"logs choices {path[5:]}", call("read_choices", path))


# The data of the pages.


def load_csv(name):
    with open(f"data/{name}", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def load_counts(name, right, n="n"):
    def make():
        from sampling_eval import Counts

        rows = load_csv(name)
        names = np.array([row["question_id"] for row in rows], object)
        return Counts([int(row[n]) for row in rows], [int(row[right]) for row in rows], names)

    return Later(make)


def load_game():
    "Two prompts, a row for each sample; every third puzzle."
    return [
        dict(
            model=row["prompt"],
            question=int(row["question"]),
            answer=row["last_line"],
            correct=int(row["correct"]),
        )
        for row in load_csv("game24_gpt4.csv")
        if int(row["question"]) % 3 == 0
        for _ in range(int(row["samples"]))
    ]


def load_runs():
    "Five runs of multiple-choice tasks at temperature 0."
    rows = load_csv("llm_stability_gpt4o.csv")
    return [
        dict(
            task=row["task"],
            question=row["question"],
            sample=s,
            answer=answer,
            correct=answer == row["gold"],
        )
        for row in rows
        for s, answer in enumerate(row["answers"].split())
    ]


def load_named():
    return [row | dict(question=f"{row['task']} {row['question']}") for row in load_runs()]


def load_outcomes():
    return [list(map(int, row["outcomes"])) for row in load_csv("fifty_by_sixteen.csv")]


BASE, TRAINED = (load_counts("deepscaler32k_counts.csv", o) for o in ("c_base", "c_rl"))
CODE = load_counts("humaneval_codegen16b_counts.csv", "c")
FIFTY = Later(load_outcomes)
TAU = "data/tau_bench_airline_gpt4o.jsonl"
MISGUIDED = "data/misguided_attention.csv.gz"
WHOLE = [
    "aime25_q06.csv",
    "deepscaler32k_counts.csv",
    "fifty_by_sixteen.csv",
    "game24_gpt4.csv",
    "humaneval_codegen16b_counts.csv",
    "llm_stability_gpt4o.csv",
    "llm_stability_published.csv",
    "misguided_attention_published.csv.gz",
]


def halve_credit(k):
    return np.minimum(np.arange(k + 1) / k, 0.5)


def data_cases():
    for name in WHOLE:
        yield case(f"data whole {name}", command("score", f"data/{name}", "-f", "json"))
    yield case("data demo", command("demo"))
    yield case("data tau score", call("score", TAU))
    yield case(
        "data tau benchmark", command("score", TAU, "--target", "same_questions", "-f", "json")
    )
    yield case(
        "data tau gate",
        command("gate", TAU, "--minimum", "pass^4=.2", "--minimum", "pass@1=.1", "-f", "json"),
    )
    yield case(
        "data tau plan", command("plan", TAU, "--delta", ".05", "-f", "json", "-m", "pass^2")
    )
    yield case(
        "data tau budget", call("plan", pilot=TAU, budget=2000, cost_question=3, cost_sample=0.5)
    )
    yield case("data tau extrapolate", command("extrapolate", TAU, "-k", "4,100", "-f", "json"))
    yield case(
        "data aime answers",
        call(
            "score",
            "data/aime25_q06.csv",
            ["maj@k", "best@k", "pass@k", "max@k", "min@k"],
            k=[1, 8, 80],
            score="verifier_score",
            interval="anchored-t",
        ),
    )
    yield case("data fifty score", call("score", FIFTY))
    yield case(
        "data fifty benchmark",
        call("score", FIFTY, ["pass@k", "avg@n", "cons@k"], k=[1, 8], target="same_questions"),
    )
    for method in "t", "bootstrap", "anchored-t":
        yield case(
            f"data fifty {method}",
            call("score", FIFTY, ["avg@n", "pass@8"], interval=method, rng=7),
        )
    for method in "wilson", "clopper-pearson":
        yield case(f"data fifty {method}", call("score", FIFTY, ["pass@16"], interval=method))
    yield case(
        "data fifty own credit",
        call("score", FIFTY, {"half@k": halve_credit, "two@2": [0, 0.25, 1]}, k=[2, 16]),
    )
    yield case(
        "data fifty extrapolate", call("extrapolate", FIFTY, metrics="pass^k", k=[1, 16, 64])
    )
    yield case(
        "data code score", call("score", CODE, ["pass@k", "pass^k", "avg@n"], k=[1, 10, 100])
    )
    yield case("data code extrapolate", call("extrapolate", CODE, k=[1, 100, 1000]))
    yield case("data code plan", call("plan", 0.03, pilot=CODE, metrics="pass@10", n=[20, 50, 100]))
    yield case(
        "data rl score", call("score", TRAINED, ["pass@k", "cons@k", "g-pass@64_0.75"], k=[1, 128])
    )
    yield case("data rl compare", call("compare", BASE, TRAINED, k=[1, 16, 128]))
    yield case(
        "data rl compare cons",
        call("compare", BASE, TRAINED, "cons@k", k=[32], test="t", method="bootstrap", rng=3),
    )
    yield case(
        "data rl gate",
        call(
            "gate",
            TRAINED,
            BASE,
            metrics=["pass@1", "pass@128"],
            max_drop=0.02,
            minimum={"pass@8": 0.5, "avg@n": 0.9},
        ),
    )
    yield case(
        "data rl plan",
        call("plan", 0.01, 0.9, BASE, pilot_b=TRAINED, metrics="pass@8", n=[16, 64], method="t"),
    )
    yield case(
        "data game votes",
        call(
            "score",
            Later(load_game),
            ["maj@k", "pass@k", "avg@n"],
            k=[1, 20],
            no_answer="vote",
            conflict="majority",
        ),
    )
    yield case(
        "data game compare",
        call(
            "compare",
            Later(load_game),
            metrics="maj@k",
            k=[1, 20],
            no_answer="vote",
            conflict="majority",
        ),
    )
    yield case(
        "data runs by task",
        call(
            "score",
            Later(load_runs),
            ["maj@k", "avg@n"],
            k=[5],
            by="task",
            normalize="strip",
            interval="t",
        ),
    )
    yield case(
        "data runs clusters", call("score", Later(load_named), ["avg@n", "pass^5"], cluster="task")
    )
    yield case(
        "data judge repeats",
        command("score", MISGUIDED, "--model", "run", "-m", "soft@n", "-f", "json"),
    )
    judged = dict(model="run", sample=False)
    yield case("data judge scores", call("score", MISGUIDED, "soft@n", **judged))
    yield case(
        "data judge threshold",
        call(
            "score", MISGUIDED, ["pass@1", "avg@n"], threshold=0.4, **judged, interval="anchored-t"
        ),
    )
    yield case(
        "data judge compare",
        call(
            "compare",
            MISGUIDED,
            metrics="soft@n",
            models=["4o", "dsr1"],
            **judged,
            on_unmatched="drop",
        ),
    )
    yield case(
        "data judge several",
        call(
            "compare",
            MISGUIDED,
            metrics="avg@n",
            models=["4o", "o3-mini", "dsr1"],
            threshold=0.4,
            method="t",
            on_unmatched="drop",
            **judged,
        ),
    )
