"""Every verb with each of its options, for what it then says; on tables drawn from a seed.

A row is a name, a verb, data and options. Numbers of these options stand in other cases too; here
they are asked one at a time, and in the pairs that change each other's words.
"""

import csv
from pathlib import Path

from frozen_answers import CROSSED, GRADED, JUDGES, PAIR, PROMPTS, RUNS, TURNS, draw, level
from frozen_record import FITTED
from frozen_run import Later, call, case, command

QUESTIONS = [dict(question=f"q{i}", sample=j) for i in range(24) for j in range(4)]
GROUPS = [
    key | dict(task="ab"[int(key["question"][1:]) % 2], passage=int(key["question"][1:]) // 3)
    for key in QUESTIONS
]


def run(seed, keys=GROUPS, p=0.5, **columns):
    "A run of all questions; hard ones are those with a high number."
    rows = draw(seed, keys, u=lambda u: u, **columns)
    number = {key["question"]: i for i, key in enumerate(keys)}
    most = max(number.values())
    chance = {name: p * 1.6 * (1 - i / most) for name, i in number.items()}
    return [
        {**row, "correct": int(row["u"] < chance[row["question"]])}
        | dict(weight=1 + int(row["question"][1:]) % 3)
        for row in rows
    ]


def drop(rows, *names):
    return [{name: o for name, o in row.items() if name not in names} for row in rows]


def with_holes(rows, every=11):
    return [
        row | dict(correct=None) if i % every == 0 else row for i, row in enumerate(rows)
    ]


def mark(rows, model):
    return [row | dict(model=model) for row in rows]


OLD = drop(run(31), "u", "weight", "passage", "task")
NEW = drop(run(32, p=0.62), "u", "weight", "passage", "task")
BAD = drop(run(33, p=0.25), "u", "weight", "passage", "task")
GROUPED_OLD, GROUPED_NEW = (drop(run(seed, p=p), "u") for seed, p in ((34, 0.5), (35, 0.6)))
SAYS = dict(answer=lambda u: "abcde"[int(u * u * 5)])
VOTED = [
    row | dict(correct=int(row["answer"] == "a"))
    for row in draw(36, QUESTIONS, **SAYS)
]
VOTED_NEW = [
    row | dict(correct=int(row["answer"] == "a"))
    for row in draw(37, QUESTIONS, answer=lambda u: "abcde"[int(u**3 * 5)])
]
BLANK = [row | dict(answer="") if i % 9 == 0 else row for i, row in enumerate(VOTED)]
PRICED = [
    row | dict(usd=round(0.01 * (1 + row["steps"]), 2))
    for row in drop(run(38, steps=level(30)), "u", "passage", "weight")
]
PRICED_NEW = [
    row | dict(usd=round(0.02 * (1 + row["steps"]), 2))
    for row in drop(run(39, p=0.6, steps=level(30)), "u", "passage", "weight")
]
UNPRICED = [row | dict(usd=None) if i % 13 == 0 else row for i, row in enumerate(PRICED)]
CHECKED = [
    row | dict(passes=int(row["u"] < (0.4 if row["question"] < "q15" else 0.2)))
    for row in run(40)
]
CHECKED = drop(CHECKED, "u", "weight", "task", "passage")
LABELLED = [
    dict(question=f"q{i}", sample=j, correct=int((i * 7 + j * 3) % 5 < 3), truth=truth)
    for i in range(40)
    for j in range(2)
    for truth in [int((i + j) % 2) if j == 0 and i < 25 else None]
]
SEVERAL = [row for i, model in enumerate("wxyz")
           for row in mark(drop(run(50 + i, p=0.4 + 0.08 * i), "u", "weight", "passage"), model)]
ODD = [row for row in NEW if row["question"] not in ("q3", "q4")]
NAMED = ["q1", "q2", "q3"]

# Name, data and options of each verb.

SCORES = [
    ("plain", OLD, {}),
    ("holes wrong", with_holes(OLD), dict(missing="wrong")),
    ("holes drop", with_holes(OLD), dict(missing="drop")),
    ("holes bounds", with_holes(OLD), dict(missing="bounds")),
    ("five asked", OLD, dict(samples_per_question=5, missing="wrong")),
    ("by task", GROUPED_OLD, dict(by="task", k=[1, 4])),
    ("by task same", GROUPED_OLD, dict(by="task", k=2, target="same_questions")),
    ("by passage", GROUPED_OLD, dict(by="passage", k=1)),
    ("cluster", GROUPED_OLD, dict(cluster="passage", k=[1, 2])),
    ("cluster by", GROUPED_OLD, dict(cluster="passage", by="task", k=2)),
    ("weights", GROUPED_OLD, dict(weights="weight", k=[1, 2])),
    ("weights bounded", GROUPED_OLD, dict(weights="weight", largest_weight=4, k=1)),
    ("weights same", GROUPED_OLD, dict(weights="weight", k=1, target="same_questions")),
    ("ordered", OLD, dict(attempts="ordered", k=[1, 2, 4])),
    ("verdict", CHECKED, dict(verdict="passes", k=[1, 4])),
    ("portfolio", CROSSED, dict(by="prompt", portfolio=4)),
    ("portfolio of two", PAIR[::2], dict(by="model", ignore="prompt", portfolio=2)),
    ("judge", OLD, dict(judge=(0.9, 0.8))),
    ("judge same", OLD, dict(judge=(0.9, 0.8), target="same_questions")),
    ("judge grouped", GROUPED_OLD, dict(judge=(0.9, 0.8), by="task")),
    ("judge bad", OLD, dict(judge=(0.7, 0.6))),
    ("labels", LABELLED, dict(labels="truth")),
    ("earlier", ODD, dict(earlier=OLD)),
    ("cost", PRICED, dict(cost="usd")),
    ("cost capped", PRICED, dict(cost="usd", cost_cap=1)),
    ("cost missing", UNPRICED, dict(cost="usd", missing_cost="cap", cost_cap=0.5)),
    ("cost by", PRICED, dict(cost="usd", by="task")),
    ("vote", VOTED, dict(metrics=["maj@k", "pass@k"], k=[1, 3, 4])),
    ("vote blank refused", BLANK, dict(metrics=["maj@k"], k=3, no_answer="abstain")),
    ("vote blank votes", BLANK, dict(metrics=["maj@k"], k=3, no_answer="vote")),
    ("vote ties wrong", VOTED, dict(metrics=["maj@k"], k=2, ties="wrong")),
    ("graded", [row for row in GRADED if row["model"] == "m0"], {}),
    ("graded threshold", [row for row in GRADED if row["model"] == "m0"], dict(threshold=0.5)),
    ("best", [row for row in GRADED if row["model"] == "m1"], dict(metrics=["max@k"], k=[1, 3])),
    ("models", RUNS, dict(k=[1, 5])),
    ("turns", TURNS, dict(budget_column="turns", metrics=["pass@k"], k=[1, 2])),
    ("panel", JUDGES, dict(panel="gold", correct=["j0", "j1", "j2"], question="item")),
    ("level", OLD, dict(confidence_level=0.9, k=1)),
    ("metrics", OLD, dict(metrics="pass@k pass^k cons@k g-pass@k avg@n".split(), k=[1, 2, 4])),
    ("tau", OLD, dict(metrics=["g-pass@4_0.5", "g-pass@4_0.75"])),
    ("own", OLD, dict(metrics=["pass@1"], title="A run of two dozen")),
    *((f"method {name}", OLD, dict(interval=name, metrics=["pass@1", "pass@4"]))
      for name in ("t", "bootstrap", "gaffke", "anchored-t")),
    *((f"once {name}", [row for row in OLD if row["sample"] == 0], dict(interval=name, k=1))
      for name in ("wilson", "clopper-pearson")),
    *((f"same {name}", OLD, dict(interval=name, metrics=["pass@1", "pass@2"],
                                 target="same_questions"))
      for name in ("t", "gamma")),
    ("one sample", [row for row in OLD if row["sample"] == 0], {}),
    ("all right", [row | dict(correct=1) for row in OLD], {}),
    ("none right", [row | dict(correct=0) for row in OLD], {}),
    ("one question", OLD[:4], {}),
    ("two questions", OLD[:8], {}),
]

COMPARISONS = [
    ("plain", OLD, NEW, {}),
    ("worse", NEW, BAD, dict(metrics=["pass@1", "pass@4"])),
    ("same", OLD, OLD, {}),
    ("budgets", OLD, NEW, dict(metrics="pass@k", k=[1, 2, 3, 4])),
    ("metrics", OLD, NEW, dict(metrics=["pass@2", "pass^2", "cons@3", "avg@n"])),
    ("same questions", OLD, NEW, dict(metrics="pass@1", target="same_questions")),
    ("within", OLD, NEW, dict(metrics="pass@1", same_within=0.3)),
    ("bounds", OLD, NEW, dict(metrics="pass@1", bounds=(-0.5, 0.5))),
    ("unmatched", OLD, ODD, dict(metrics="pass@1", on_unmatched="drop")),
    ("unmatched refused", OLD, ODD, dict(metrics="pass@1")),
    ("cluster", GROUPED_OLD, GROUPED_NEW, dict(metrics="pass@1", cluster="passage")),
    ("weights", GROUPED_OLD, GROUPED_NEW, dict(metrics="pass@1", weights="weight")),
    ("weights bounded", GROUPED_OLD, GROUPED_NEW,
     dict(metrics="pass@1", weights="weight", largest_weight=4)),
    ("holes", with_holes(OLD), NEW, dict(missing="wrong", metrics="pass@1")),
    ("holes drop", with_holes(OLD), NEW, dict(missing="drop", metrics="pass@1")),
    ("votes", VOTED, VOTED_NEW, dict(metrics=["maj@3", "pass@1"])),
    ("spend", PRICED, PRICED_NEW, dict(cost="usd", metrics="pass@1")),
    ("spend of", PRICED, PRICED_NEW, dict(cost="usd", spend=0.3, metrics="pass@1")),
    ("level", OLD, NEW, dict(metrics="pass@1", confidence_level=0.8)),
    ("titled", OLD, NEW, dict(metrics="pass@1", title="Two nights")),
    *((f"method {name}", OLD, NEW, dict(metrics="pass@1", method=name))
      for name in ("t", "gaffke", "bootstrap")),
    *((f"test {name}", OLD, NEW, dict(metrics="pass@1", test=name))
      for name in ("t", "sign-flip", "permutation", "gaffke", "cautious", "interval")),
    ("one sample", [r for r in OLD if not r["sample"]], [r for r in NEW if not r["sample"]], {}),
    *((f"test {name}", [r for r in OLD if not r["sample"]], [r for r in NEW if not r["sample"]],
       dict(test=name, metrics="pass@1")) for name in ("mcnemar", "mcnemar-mid")),
    ("counts", "17/20", "12/20", {}),
    ("three", OLD, NEW, dict(others=[BAD], metrics="pass@1")),
    ("three budgets", OLD, NEW, dict(others=[BAD], metrics="pass@k", k=[1, 4])),
    ("models", SEVERAL, None, dict(metrics="pass@1")),
    ("two models", SEVERAL, None, dict(metrics="pass@1", models=["w", "z"])),
    ("models same", SEVERAL, None, dict(metrics="pass@2", target="same_questions")),
    ("three alike", OLD, OLD, dict(others=[OLD], metrics="pass@1")),
]

GATES = [
    ("drop", NEW, dict(baseline=OLD, max_drop=0.05)),
    ("drop fails", BAD, dict(baseline=OLD, max_drop=0.05)),
    ("drop close", NEW, dict(baseline=OLD, max_drop=0.0, metrics=["pass@1", "pass@2"])),
    ("drop same", NEW, dict(baseline=OLD, max_drop=0.05, target="same_questions")),
    ("drop new", NEW, dict(baseline=OLD, max_drop=0.05, target="new_questions")),
    ("within", NEW, dict(baseline=OLD, same_within=0.4)),
    ("within fails", BAD, dict(baseline=OLD, same_within=0.05)),
    ("minimum", NEW, dict(minimum={"pass@1": 0.3, "pass^2": 0.2})),
    ("minimum fails", BAD, dict(minimum={"pass@1": 0.6})),
    ("minimum level", NEW, dict(minimum={"pass@1": 0.4}, confidence_level=0.9)),
    ("must pass", NEW, dict(must_pass=NAMED)),
    ("must pass half", NEW, dict(must_pass=["q1", "q2*"], must_pass_share=0.5)),
    ("must pass none", BAD, dict(must_pass=["q23"], must_pass_share=0.25)),
    ("regress", BAD, dict(baseline=OLD, no_question_regresses=True)),
    ("regress none", NEW, dict(baseline=OLD, no_question_regresses=True)),
    ("identical", OLD, dict(baseline=OLD, max_drop=0.1)),
    ("identical allowed", OLD, dict(baseline=OLD, max_drop=0.1, allow_identical=True)),
    ("anytime", NEW, dict(baseline=OLD, max_drop=0.1, anytime=True)),
    ("anytime late", BAD, dict(baseline=OLD, max_drop=0.1, anytime=True)),
    ("unmatched", ODD, dict(baseline=OLD, max_drop=0.1, on_unmatched="drop")),
    ("cluster", GROUPED_NEW, dict(baseline=GROUPED_OLD, max_drop=0.1, cluster="passage")),
    ("weights", GROUPED_NEW, dict(baseline=GROUPED_OLD, max_drop=0.1, weights="weight")),
    ("holes", with_holes(NEW), dict(baseline=OLD, max_drop=0.1, missing="wrong")),
    ("all", NEW, dict(baseline=OLD, max_drop=0.1, minimum={"pass@1": 0.3}, must_pass=["q0"],
                      no_question_regresses=True)),
    ("method", NEW, dict(baseline=OLD, max_drop=0.1, method="gaffke")),
    ("bounds", NEW, dict(baseline=OLD, max_drop=0.1, bounds=(-0.5, 0.5), method="gaffke")),
    ("graded", [r for r in GRADED if r["model"] == "m1"],
     dict(baseline=[r for r in GRADED if r["model"] == "m0"], metrics="soft@n", max_drop=0.2)),
]

TABLES_OF = [
    ("plain", SEVERAL, {}),
    ("budgets", SEVERAL, dict(metrics=["pass@k"], k=[1, 2, 4])),
    ("by", SEVERAL, dict(metrics="pass@1", by="task")),
    ("half", SEVERAL, dict(metrics=["pass@1", "pass^2"], errors="half")),
    ("run difference", SEVERAL, dict(metrics="pass@1", run_difference=True)),
    ("same", SEVERAL, dict(metrics="pass@1", target="same_questions")),
    ("two", SEVERAL, dict(metrics="pass@1", models=["w", "z"])),
    ("test", SEVERAL, dict(metrics="pass@1", models=["w", "z"], test="sign-flip")),
    ("one", OLD, dict(metrics=["pass@1", "pass@4"])),
    ("named", dict(old=OLD, new=NEW, odd=ODD), dict(metrics="pass@1", on_unmatched="drop")),
    ("method", SEVERAL, dict(metrics="pass@1", method="gaffke")),
    ("level", SEVERAL, dict(metrics="pass@1", confidence_level=0.8)),
    ("graded", GRADED, dict(metrics=["soft@n"])),
    ("votes", dict(a=VOTED, b=VOTED_NEW), dict(metrics=["maj@3", "pass@1"])),
    ("title", SEVERAL, dict(metrics="pass@1", title="Four runs")),
]

PLANS = [
    ("difference", dict(delta=0.05, method="normal")),
    ("difference of pilot", dict(delta=0.1, pilot=OLD, method="t")),
    ("two pilots", dict(delta=0.1, pilot=OLD, pilot_b=NEW, method="t")),
    ("correlation", dict(delta=0.1, pilot=OLD, correlation=0.7, method="t")),
    ("power", dict(delta=0.1, power=0.9, pilot=OLD, method="t")),
    ("samples", dict(delta=0.1, n=4, pilot=OLD, method="t")),
    ("budget", dict(pilot=OLD, budget=4000, method="t")),
    ("budget questions", dict(pilot=OLD, budget=4000, questions=300, method="t")),
    ("costs", dict(delta=0.1, pilot=OLD, cost_question=5, cost_sample=0.5, method="t")),
    ("same questions", dict(delta=0.1, pilot=OLD, target="same_questions", method="t")),
    ("pass@2", dict(delta=0.1, pilot=OLD, metrics="pass@2", method="t")),
    ("width", dict(half_width=0.05, pilot=OLD)),
    ("width clusters", dict(half_width=0.05, pilot=GROUPED_OLD, cluster="passage")),
    ("width pass@2", dict(half_width=0.05, pilot=OLD, metrics="pass@2", confidence_level=0.9)),
    ("width alone", dict(half_width=0.03)),
    ("judge", dict(delta=0.1, judge=(0.9, 0.8), method="normal")),
    (
        "judge narrow",
        dict(delta=0.1, judge=(0.9, 0.8), half_width=0.03, cost_grading=4, method="t"),
    ),
    ("earlier", dict(earlier=OLD, questions=12, method="normal", rng=7)),
    ("earlier budget", dict(earlier=OLD, budget=150, metrics="pass@2", method="normal")),
    ("gate minimum", dict(minimum={"pass@1": 0.4}, true_value=0.6, method="t")),
    ("gate minimum missed", dict(minimum={"pass@1": 0.6}, true_value=0.5)),
    ("gate drop", dict(max_drop=0.05, pilot=OLD, method="t")),
    ("gate drop better", dict(max_drop=0.05, true_difference=0.05, pilot=OLD, method="t")),
]

OTHERS = [
    *((f"explain {name}", call("explain", *given, **options)) for name, given, options in (
        ("all", (OLD,), {}),
        ("one", (OLD, "q3"), {}),
        ("pair", (OLD, None, NEW), {}),
        ("pair one", (OLD, "q3", NEW), {}),
        ("metrics", (OLD, "q3"), dict(metrics=["pass@2", "pass^2"])),
        ("votes", (VOTED, "q3"), dict(metrics=["maj@3"])),
        ("votes pair", (VOTED, "q3", VOTED_NEW), dict(metrics=["maj@3"], ties="wrong")),
        ("blank", (BLANK, "q3"), dict(no_answer="abstain")),
        ("holes", (with_holes(OLD), "q0"), dict(missing="drop")),
        ("holes pair", (with_holes(OLD), None, NEW), dict(missing="wrong")),
        ("graded", ([r for r in GRADED if r["model"] == "m0"],), {}),
        ("graded one", ([r for r in GRADED if r["model"] == "m0"], "q1"), {}),
        ("models", (SEVERAL,), {}),
        ("models one", (SEVERAL, "q5"), {}),
        ("two models", (SEVERAL, "q5"), dict(models=["w", "z"])),
        ("unmatched", (OLD, None, ODD), dict(on_unmatched="drop")),
        ("near", (OLD, "q333"), {}),
        ("title", (OLD, "q3"), dict(title="A question")),
        ("all right", ([row | dict(correct=1) for row in OLD],), {}),
    )),
    *((f"describe {name}", call("describe", *given, **options)) for name, given, options in (
        ("rows", (OLD,), {}),
        ("groups", (GROUPED_OLD,), dict(by="task")),
        ("cluster", (GROUPED_OLD,), dict(cluster="passage")),
        ("holes", (with_holes(OLD),), {}),
        ("holes wrong", (with_holes(OLD),), dict(missing="wrong")),
        ("answers", (BLANK,), {}),
        ("models", (SEVERAL,), {}),
        ("graded", (GRADED,), {}),
        ("costs", (UNPRICED,), {}),
        ("five", (OLD,), dict(samples_per_question=5)),
        ("unclear", ([dict(a=1, b=2), dict(a=2, b=3)],), {}),
        ("prompts", ([row | dict(correct=1) for row in PROMPTS],), {}),
        ("title", (OLD,), dict(title="The first night")),
    )),
    *((f"audit {name}", call("audit", *given, **options)) for name, given, options in (
        ("count", ("17/20",), {}),
        ("two", ("17/20", "12/20"), {}),
        ("percent", ("85 %",), dict(questions=20)),
        ("percent cannot", ("85.3 %",), dict(questions=20)),
        ("share", (0.853,), dict(questions=164)),
        ("samples", ("85.3 %",), dict(questions=30, samples=4)),
        ("pair", ("85.3 %", "81.1 %"), dict(questions=164)),
        ("level", ("17/20",), dict(confidence_level=0.8)),
        ("none", ("0/60",), {}),
        ("every", ("60/60",), {}),
        ("unknown", ("85.3 %",), {}),
        ("error", ("56.3 ± 2.1",), dict(questions=100)),
    )),
    *((f"extrapolate {name}", call("extrapolate", *given, **options))
      for name, given, options in (
        ("plain", (OLD,), {}),
        ("budgets", (OLD,), dict(k=[8, 100])),
        ("level", (OLD,), dict(k=[8], confidence_level=0.8)),
        ("passhat", (OLD,), dict(metrics="pass^k", k=[8, 16])),
        ("holes", (with_holes(OLD),), dict(k=[8], missing="drop")),
        ("none", ([row | dict(correct=0) for row in OLD],), dict(k=[8])),
    )),
]


def file(name, rows):
    "A file with these rows, written when the case is run."
    return Later(lambda: write_rows(Path("rows") / f"{name}.csv", rows))


def write_rows(path, rows):
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


FILES = {
    "old": file("old", OLD),
    "new": file("new", NEW),
    "worse": file("worse", BAD),
    "grouped": file("grouped", GROUPED_OLD),
    "several": file("several", SEVERAL),
    "answers": file("answers", VOTED),
    "blank": file("blank", BLANK),
    "holes": file("holes", with_holes(OLD)),
    "priced": file("priced", PRICED),
}
COMMANDS = """
score old
score old --how
score old -f markdown
score old -f latex -m pass@k -k 1,2,4
score old -f csv -m pass@1,avg@n
score old -f json -m pass@1
score old --html out/r.html -m pass@1
score old -o out/r.csv -m pass@1
score grouped --by task -f markdown -m pass@1
score grouped --by task -f csv -m pass@1
score grouped --by task --how -m pass@1,pass^2
score several -m pass@1
score several -f latex -m pass@1,pass@4
score answers -m maj@3,pass@1 --how
score blank -m maj@3
score blank -m maj@3 --no-answer vote
score holes
score holes --missing bounds -m pass@1
score holes --missing drop -f markdown -m pass@1
score priced --cost usd --how
score priced --by task --cost usd -m pass@1
score old --target same_questions -m pass@1
score old --judge .9 .8 -m pass@1
score old --nothing
score nothing.csv
compare old new
compare old new --how -m pass@1,pass@4
compare old new -f markdown -m pass@1
compare old new -f latex -m pass@1
compare old new -f csv -m pass@1,pass^2
compare old new -f json -m pass@1
compare old worse -m pass@k --html out/r.html
compare old new worse -m pass@1
compare old new worse -m pass@1 --how
compare old new worse -m pass@1 -f latex
compare several -m pass@1 -f markdown
compare several --models w --models z -m pass@1
gate new --baseline old --max-drop .05
gate new --baseline old --max-drop .05 --how
gate worse --baseline old --max-drop .05 --format github
gate worse --baseline old --max-drop .05 --format json
gate worse --baseline old --max-drop .05 --junit out/r.txt
gate new --baseline old --max-drop 0 --metrics pass@1,pass@2 --strict
gate new --baseline old --max-drop 0 --inconclusive-passes
gate new --baseline old --max-drop 0 --skip-inconclusive --junit out/r.txt
gate new --baseline old --max-drop .05 --explain
gate worse --baseline old --no-question-regresses --explain
gate new --minimum pass@1=.4 --minimum pass^2=.9 --github-summary out/r.md
gate new --must-pass q1 --must-pass q2
gate new --baseline new --max-drop .1
gate new
table several -m pass@1
table several -m pass@1,pass^2 -f latex
table several -m pass@1 -f markdown --errors half
table several -m pass@1 -f csv
table several -m pass@1 --by task
table several -m pass@1 --by task -f latex
table old new worse -m pass@1 --run-difference
plan old --delta .1 --method t
plan old --delta .1 --method t -f markdown
plan old --delta .1 --method t -f csv
plan old --half-width .05
plan old --budget 4000 --method t --how
plan --delta .05 --method normal
extrapolate old -k 8,100
explain old
explain old q3
explain old q3 -f markdown
explain old new q3
explain old new
explain answers q3
explain several
describe old
describe grouped --by task
describe holes
describe blank
describe several -f markdown
audit 17/20
audit 17/20 12/20
audit 17/20 12/20 -f latex
audit 17/20 12/20 -f json
audit 85.3% --questions 164 --how
audit 85.3% 81.1% --questions 164 -f markdown
audit 85.3%
merge old new -o out/c.parquet --separate
counts old -o out/c.parquet
""".strip().splitlines()


def option_cases():
    "One call each."
    for name, data, options in SCORES:
        yield case(f"options score {name}", call("score", data, **options))
    for name, old, new, options in COMPARISONS:
        yield case(f"options compare {name}", call("compare", old, new, **options))
    for name, data, options in GATES:
        yield case(f"options gate {name}", call("gate", data, **options))
    for name, data, options in TABLES_OF:
        yield case(f"options table {name}", call("table", data, **options))
    for name, options in PLANS:
        yield case(f"options plan {name}", call("plan", **options))
    for name, step in OTHERS:
        leave = FITTED if step.verb == "extrapolate" else ()
        yield case(f"options {name}", step, leave=leave)
    for line in COMMANDS:
        words = [FILES.get(word, word) for word in line.split()]
        leave = FITTED if words[0] == "extrapolate" else ()
        yield case(f"options command {line}", command(*words), leave=leave)
