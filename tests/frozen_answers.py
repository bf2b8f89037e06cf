"Add-ons of every verb, watched gates and preferences, on small tables drawn from a seed."

import random

from frozen_run import call, case


def draw(seed, keys, **columns):
    "A row for every key, with further columns drawn from a stream of its own."
    # Of the standard library only random() promises the same stream in every version.
    stream = random.Random(seed)
    return [
        {**key, **{name: make(stream.random()) for name, make in columns.items()}} for key in keys
    ]


def toss(p):
    return lambda u: int(u < p)


def level(count):
    return lambda u: int(count * u)


KEYS = [dict(question=f"q{i}", sample=j) for i in range(8) for j in range(5)]
PROMPTS = [dict(question=i, prompt=f"p{j}") for i in range(7) for j in range(4)]
SAMPLES = [dict(sample=j) for j in range(3)]
SYSTEMS = [dict(model=f"m{i}") for i in range(3)]

CROSSED = draw(1, [a | b for a in PROMPTS for b in SAMPLES], correct=toss(0.6))
ONE_EACH = draw(2, PROMPTS, correct=toss(0.4))
PAIR = draw(3, [a | b for a in SYSTEMS[:2] for b in PROMPTS], correct=toss(0.5))
VOTES = draw(4, KEYS, answer=lambda u: "abcd"[int(u * u * 4)], weight=level(5))
VOTES = [row | dict(correct=int(row["answer"] == "a")) for row in VOTES]
TURNS = draw(5, KEYS, correct=toss(0.5), turns=lambda u: 1 + int(6 * u), tokens=level(400))
ITEMS = [dict(item=i) for i in range(12)]
JUDGES = draw(6, ITEMS, j0=toss(0.4), j1=toss(0.6), j2=toss(0.8))
JUDGES = [row | dict(gold=row["item"] % 2) for row in JUDGES]
RUNS = draw(7, [a | b for a in SYSTEMS for b in KEYS], correct=toss(0.5))
GRADED = draw(8, [a | b for a in SYSTEMS for b in KEYS], score=lambda u: int(10 * u) / 10)
MEETINGS = [
    dict(prompt=i, model_a=a, model_b=b, judge=judge)
    for i in range(6)
    for a, b in [("x", "y"), ("y", "x"), ("x", "z"), ("z", "y")]
    for judge in ("u", "v")
]
BATTLES = draw(9, MEETINGS, winner=lambda u: ["model_a", "model_b", "tie"][int(3 * u)])
TWO = [row for row in BATTLES if "z" not in (row["model_a"], row["model_b"])]
OLD, NEW = (draw(seed, KEYS[:30], correct=toss(p)) for seed, p in ((10, 0.5), (11, 0.7)))


def answer_cases():
    "Each add-on in the verbs that it serves, in Python; the command has the forms of `form_cases`."
    crossed = dict(by="prompt", crossed=True)
    yield case("answers crossed", call("score", CROSSED, ["pass@k"], k=[1, 2], **crossed))
    yield case("answers crossed once", call("score", ONE_EACH, ["avg@n"], **crossed))
    yield case("answers crossed pair", call("compare", PAIR, metrics="pass@1", **crossed))
    yield case("answers groups alike", call("score", CROSSED, ["pass@1"], by="prompt"))
    votes = dict(metrics=["maj@k"], vote_weight="weight")
    yield case("answers weighted votes", call("score", VOTES, k=[1, 3, 5], **votes))
    yield case("answers filtered votes", call("score", VOTES, k=[3, 4], vote_keep=0.5, **votes))
    yield case("answers turns", call("score", TURNS, ["pass@k"], k=[1, 3], budget_column="turns"))
    yield case("answers tokens", call("score", TURNS, ["pass@k"], k=[2], budget_column="tokens"))
    columns = dict(correct=["j0", "j1", "j2"], question="item")
    yield case("answers panel", call("score", JUDGES, panel="gold", **columns))
    yield case("answers winner", call("table", RUNS, ["pass@1"]), call("compare", RUNS))
    yield case(
        "answers prompts planned",
        call("plan", half_width=0.1, pilot=CROSSED, by="prompt", crossed=True, questions=60),
    )
    graded = call("compare", GRADED, metrics="soft@n")
    yield case("answers graded winner", call("table", GRADED), graded)
    yield case("answers battles of two", call("score", TWO), call("compare", TWO))
    yield case("answers battles", call("table", BATTLES), call("compare", BATTLES))
    watched = dict(baseline=OLD, max_drop=0.1, anytime=True, state="out/night.json")
    first = call("gate", NEW[:20], on_unmatched="drop", **watched)
    yield case("answers watched gate", first, call("gate", NEW, **watched))
