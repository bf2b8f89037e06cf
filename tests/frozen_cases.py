"""What was frozen: the verbs and the command on random tables, logs, data and bad input."""

from dataclasses import replace
from pathlib import Path

from frozen_answers import answer_cases
from frozen_logs import TAU, data_cases, halve_credit, log_cases
from frozen_options import option_cases
from frozen_record import FITTED
from frozen_refusals import refusal_cases
from frozen_run import Later, call, case, command
from frozen_tables import (
    ENGINE,
    FILES,
    LISTS,
    MEMORY,
    TABLES,
    Table,
    draw_rows,
    make_frame,
    write_lines,
)

# Random tables.

POLICIES = "wrong", "drop", "bounds", "raise"
METHODS = None, None, None, "t", "anchored-t", "bootstrap"
ASKED = "pass@k", "pass^k", "avg@n", "cons@k", "pass@2", "mg-pass@2", "g-pass@2_0.5"


SHORT = {"k": "-k"}


def say_options(options):
    "Options as words of the command."
    words = []
    for name, value in options.items():
        if isinstance(value, dict):
            for metric, least in value.items():
                words += ["--minimum", f"{metric}={least}"]
        elif value is not None and value is not False:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            words += [SHORT.get(name, "--" + name.replace("_", "-")), text]
    return words


def ask(verb, data, options, by_command):
    "A call of a verb on some data, in Python or as a command."
    if not by_command:
        return call(verb, *data, **options)
    return command(verb, *data, *say_options(options), "-f", "json")


def read_options(t):
    "How the table has to be read: its columns, and the policies for what it lacks."
    i, options = t.turn, dict(t.columns)
    if t.clusters:
        options["cluster"] = "cluster"
    if t.answers:
        options |= dict(
            no_answer=("abstain", "vote")[i % 2],
            normalize=("lower", "strip", None)[i % 3],
            conflict=("any", "majority", "refuse")[i // 2 % 3],
        )
    if t.scores == "graded" and i % 4 == 1:
        options |= dict(correct=False, threshold=0.5)
    policy = "drop" if i % 2 and t.samples > 4 else "wrong"
    if t.missing:
        options["missing"] = policy
    elif t.ragged and i % 2:
        options |= dict(samples_per_question=t.samples, missing=policy)
    if t.origin in LISTS or t.origin == "counts file":
        options.pop("cluster", None)
    return options


def table_cases(t):
    "Every verb on one random table."
    name, reading = f"tables {t.seed:02} {t.origin}", read_options(t)
    cli = t.origin in FILES and reading.get("correct") is not False
    yield case(f"{name} score", ask("score", [t], score_options(t, reading), cli))
    for policy in POLICIES if t.missing else ():
        cheap = dict(reading, missing=policy, metrics=["pass@k", "avg@n"], k=[1])
        if policy != "raise" or t.origin in MEMORY:
            yield case(f"{name} score {policy}", call("score", t, **cheap))
    yield from pair_cases(t, name, reading, cli)
    if t.origin not in LISTS:
        yield from kept_cases(t, name, reading, cli)


def score_options(t, reading):
    i = t.turn
    whole = dict(
        reading,
        interval=METHODS[i % 6],
        confidence_level=(0.95, 0.9, 0.99)[i % 3],
        target="same_questions" if i % 4 == 3 else "new_questions",
        ties="expected" if i % 5 else "wrong",
    )
    if t.groups:
        whole["by"] = "task"
    if i % 5 or t.models > 1 or t.groups:  # bands take their time: all metrics at all k in a few
        more = "maj@k" if t.answers else "soft@n" if t.scores == "graded" else ASKED[i % 7]
        whole |= dict(k=[2] if t.groups or i % 2 else [1, 2], metrics=["pass@k", "avg@n", more])
    if i % 3 == 1 and t.missing and not t.answers:
        whole["missing"] = "bounds"
    return whole


def pair_cases(t, name, reading, cli):
    "Two systems: two models of the table, or two runs."
    i, twin = t.turn, replace(t, again=1)
    one = dict(models="m0") if t.models > 1 else {}
    metric = "maj@k" if t.answers and i % 2 else ASKED[i % 7]
    style = dict(
        metrics=metric,
        method=METHODS[i // 2 % 6],
        confidence_level=(0.95, 0.9, 0.99)[i // 2 % 3],
        test=(None, None, "t", "sign-flip", None)[i % 5],
        ties="expected" if i % 3 else "wrong",
    )
    if i % 4 and metric[-1] == "k":
        style["k"] = [1, 2]
    both = [t] if t.models > 1 else [t, twin]
    yield case(f"{name} compare", ask("compare", both, reading | style, cli))
    rules = dict(
        metrics="avg@n" if i % 2 else "pass@1",
        max_drop=(0.05, 0.3, 0.9)[i % 3],
        confidence_level=(0.95, 0.8)[i % 2],
        minimum={"pass@1": (0.1, 0.5, 0.9)[i // 3 % 3]},
    )
    words = [twin, *(["--baseline", t] if cli else [t])]
    if i % 4 < 3:
        yield case(f"{name} gate", ask("gate", words, reading | rules | one, cli))
    if t.seed % 5 == 2:
        yield case(f"{name} plan", plan_call(t, twin, reading | one, cli))
    if i % 7 == 2:
        far = reading | one | dict(k=[1, 2, 500])
        yield case(f"{name} extrapolate", ask("extrapolate", [t], far, cli), leave=FITTED)


def plan_call(t, twin, reading, cli):
    i = t.turn
    deep = t.samples > 4 and not t.ragged
    goal = dict(delta=0.05) if i % 3 else dict(questions=200)
    goal |= dict(
        power=(0.8, 0.9)[i % 2], metrics=("pass@1", "avg@n", "pass^2")[i % 3] if deep else "pass@1"
    )
    if cli:
        pilots = [t, twin] if i % 2 else [t]
        return command("plan", *pilots, *say_options(reading | goal), "-f", "json")
    return call("plan", pilot=t, **(dict(pilot_b=twin) if i % 2 else {}), **reading, **goal)


def kept_cases(t, name, reading, cli):
    "Counting into a file, reading it back, and adding runs."
    of_columns = "question", "correct", "cluster", "threshold"
    columns = {o: value for o, value in reading.items() if o in of_columns}
    rules = {o: value for o, value in reading.items() if o not in columns}
    rules.pop("samples_per_question", None)
    votes, soft = ["maj@k"] * t.answers, ["soft@n"] * (t.scores == "graded")
    kept = "out/kept.counts.parquet"
    again = call("score", kept, **rules, k=[1], metrics=["pass@k", "avg@n", *votes, *soft])
    if t.turn % 3 == 1 and t.origin != "counts file":
        first = (
            command("counts", t, *say_options(columns), "-o", kept)
            if cli
            else call("count", t, kept, **columns)
        )
        yield case(f"{name} count", first, again)
    if t.turn % 4 == 3 and not columns:
        added = [t, replace(t, again=1)]
        first = (
            command("merge", *added, "--separate", "-o", kept)
            if cli
            else call("merge", *added, path=kept, separate=True)
        )
        yield case(f"{name} merge", first, again)


# Options and forms that the tables above leave out.

RICH = Table(
    99,
    "rows",
    5,
    3,
    ragged=True,
    models=2,
    missing=True,
    answers=True,
    scores="graded",
    clusters=True,
    groups=True,
)
SMALL = replace(RICH, seed=80, models=0, missing=False, groups=False, questions=6, samples=4)
MORE = replace(SMALL, again=1)
OPTIONS = dict(no_answer="vote", normalize="lower", conflict="any")
ONES, TENS = [[1], [0], [1], [1], [0], [0]], [[1], [1], [1], [1], [1], [0]]
GROUPS = {q: f"g{q // 3}" for q in range(6)}


PLAIN = "question", "correct"


def read_first(path, **options):
    def make():
        import sampling_eval

        return sampling_eval.read(path, **options)

    return Later(make)


def count_first(table):
    def make():
        import sampling_eval

        return sampling_eval.count(draw_rows(table))

    return Later(make)


def merge_first(*right):
    def make():
        from sampling_eval import Counts, merge_counts

        return merge_counts(*(Counts([4, 4, 4], c, missing=[0, 1, 0]) for c in right))

    return Later(make)


def more_cases():
    yield case("more one sample each", call("compare", ONES, TENS))
    yield case(
        "more clusters by name", call("compare", SMALL, MORE, "pass@1", cluster=GROUPS, **OPTIONS)
    )
    yield case(
        "more clusters in order", call("compare", ONES, TENS, "pass@1", cluster=[0, 0, 1, 1, 2, 2])
    )
    yield case(
        "more clusters of a gate",
        call("gate", MORE, SMALL, max_drop=0.2, cluster=GROUPS, minimum={"avg@n": 0.1}),
    )
    yield case(
        "more clusters told", call("score", SMALL, ["pass@k"], k=[1, 2], cluster=True, **OPTIONS)
    )
    yield case("more unmatched", call("compare", ONES[:4], TENS, on_unmatched="drop"))
    yield case(
        "more systems",
        call("compare", ONES, TENS, "pass@1", others=[ONES[::-1], [[1]] * 6], test="t"),
    )
    yield case(
        "more own credit", call("compare", SMALL, MORE, {"half@k": halve_credit}, k=[2], **OPTIONS)
    )
    yield case(
        "more equal systems", call("compare", ONES, ONES), call("gate", ONES, ONES, max_drop=0.02)
    )
    yield case("more t of no spread", call("compare", ONES, ONES, "pass@1", test="t", method="t"))
    yield case(
        "more all right",
        call("score", [[1, 1]] * 5),
        call("extrapolate", [[1, 1, 0], [1, 0, 0]]),
        leave=FITTED,
    )
    yield case("more one question", call("score", [[1, 0, 1]]))
    yield case("more flags", call("score", [[True, False], [True, True]], "pass@k"))
    yield case("more name of the data", call("score", TAU, ["pass^k"], k=[4], title="a title"))
    yield case("more samples read first", call("score", read_first(TAU), ["pass^k"], k=[1, 4]))
    yield case(
        "more log read first", call("score", read_first("logs/verl", files_hold="draws"), k=1)
    )
    yield case(
        "more counted first",
        call("score", count_first(SMALL), ["pass@k", "maj@k", "soft@n"], k=[1, 2], **OPTIONS),
    )
    yield case(
        "more counts merged",
        call("score", merge_first([1, 2, 3], [0, 4, 1]), ["pass@k", "avg@n"], k=[1, 8]),
    )
    yield case(
        "more counts of graded scores",
        call("score", replace(RICH, outcomes=False, missing=False), k=[1]),
    )
    yield case(
        "more rewards",
        call(
            "score",
            replace(SMALL, scores="rewards", seed=81),
            ["max@k", "min@k", "best@k"],
            k=[1, 2],
            missing="wrong",
        ),
    )
    yield case(
        "more groups of a lazy frame",
        call(
            "score",
            replace(RICH, origin="lazy polars"),
            by="task",
            k=[1],
            missing="wrong",
            **OPTIONS,
        ),
    )
    yield case("more level", call("score", TAU, ["pass@k"], k=[1, 4], confidence_level=0.999))
    yield case(
        "more benchmark of votes",
        call("score", SMALL, ["maj@k", "g-pass@k"], k=[2], target="same_questions", **OPTIONS),
    )
    yield case(
        "more plan without pilot", call("plan", 0.02), call("extrapolate", ONES), leave=FITTED
    )
    yield case(
        "more plan by correlation",
        call("plan", 0.02, pilot=SMALL, correlation=0.6, method="t", n=[1, 2]),
    )
    yield case(
        "more votes",
        call(
            "maj_at_k",
            [["a", "a", "b", None], ["c", "d", "c", "c"]],
            [[1, 1, 0, 0], [0, 1, 0, 0]],
            [1, 2, 3],
            no_answer="abstain",
        ),
    )
    yield case(
        "more posterior", call("posterior", [4, 4, 8], [1, 4, 0], 2, halve_credit, prior=(1, 2))
    )
    yield case("more mean", call("mean_over_questions", [0.5, 1, 0, 0.25], cluster=list("aabb")))
    yield case(
        "more band", call("simultaneous_band", [[1.0, 0.5], [0.0, 0.25], [0.5, 0.5], [1.0, 0.0]])
    )
    gone = dict(
        question=[1, 1, 2, 2],
        correct=[1.0, float("nan"), 0.0, None],
        score=[0.5, float("nan"), 1.0, None],
    )
    for origin in "polars", "lazy polars", "duckdb", "pandas":
        for policy in "wrong", "drop", "raise":
            columns = gone if policy == "drop" else {name: gone[name] for name in PLAIN}
            data = Later(lambda o=origin, c=columns: make_frame(o, c), ENGINE[origin])
            yield case(
                f"more nan {origin} {policy}",
                call("score", data, ["avg@n"], missing=policy, k=1, interval="t"),
            )
    first = dict(metrics="avg@n", question="id")
    yield case("more column of samples read first", call("score", read_first(TAU), **first))
    yield case("more column of rows counted first", call("score", count_first(SMALL), **first))
    yield case("more clusters by name in score", call("score", SMALL, ["avg@n"], cluster=GROUPS))
    yield case(
        "more union",
        command("merge", TAU, "counts/plain.parquet", "--union", "-o", "out/c.parquet"),
    )


def form_cases():
    "What a reader sees: tables in every form, sentences, pages."
    t, u = replace(SMALL, origin="jsonl"), replace(MORE, origin="jsonl")
    words = ["--no-answer", "vote", "--normalize", "lower", "--conflict", "any"]
    verbs = {
        "score": ["score", t, "-k", "1,2", "-m", "pass@k,avg@n,maj@2", *words],
        "compare": ["compare", t, u, "-k", "1,2", *words],
        "systems": ["compare", t, u, TAU, "-m", "pass@1", "--on-unmatched", "drop"],
        "gate": ["gate", u, "--baseline", t, "--max-drop", ".3", "--minimum", "pass^2=.1"],
        "plan": ["plan", t, "--delta", ".05"],
        "extrapolate": ["extrapolate", TAU, "-k", "2,100"],
    }
    for name, given in verbs.items():
        yield case(f"forms {name} text", command(*given, "-o", "out/r.md", "--html", "out/r.html"))
        shown = ["--format", "github" if name == "gate" else "latex"]
        yield case(f"forms {name} more", command(*given, *shown, "-o", "out/r.csv"))
    yield case(
        "forms score pictures", command("score", t, "-m", "pass@k", "-k", "1,2", "-o", "out/r.svg")
    )
    yield case(
        "forms score json",
        command("score", t, "-m", "pass@k", "-k", "1-2", "-o", "out/r.json", "-f", "markdown"),
    )
    yield case(
        "forms score by",
        command(
            "score",
            replace(RICH, origin="csv"),
            "-m",
            "pass@1,avg@n",
            "--by",
            "task",
            "--missing",
            "bounds",
            "-f",
            "latex",
        ),
    )
    yield case("forms gate latex", command(*verbs["gate"], "-o", "out/r.tex"))
    yield case(
        "forms gate fails",
        command("gate", t, "--minimum", "pass^2=1", "--confidence-level", ".5", "--format", "json"),
    )
    yield case("forms gate strict", command(*verbs["gate"], "--strict"))
    yield case("forms gate passes", command("gate", t, "--minimum", "pass@1=0"))
    yield case("forms counts", command("counts", t, "-o", "out/c.parquet"))


# Counts files that 0.1.0 wrote: their content, and what they were counted from.

KEPT = {
    "plain": replace(SMALL, seed=82, answers=False, scores="", clusters=False),
    "votes": replace(RICH, seed=83, scores="", groups=False, missing=True, text=True),
    "scores": replace(SMALL, seed=84, answers=False, scores="graded", clusters=True),
    "rewards": replace(SMALL, seed=85, answers=False, scores="rewards", missing=True),
    "graded": replace(SMALL, seed=86, answers=False, scores="graded", outcomes=False, models=1),
    "flags": replace(RICH, seed=87, scores="flags", outcomes=False, groups=False, missing=False),
    "names": replace(SMALL, seed=88, sample="text", flags=True, models=2),
    "many": replace(
        SMALL, seed=89, questions=3, samples=120, ragged=False, answers=False, scores=""
    ),
}


def write_kept(folder):
    "Write the counts files; done once, by the version that is frozen."
    from sampling_eval import count, merge

    for name, table in KEPT.items():
        rows = draw_rows(table)
        source = Path(folder) / f"{name}.jsonl"
        write_lines(source, rows)
        count(rows if name in ("plain", "graded") else source, Path(folder) / f"{name}.parquet")
        source.unlink()
    runs = [draw_rows(replace(KEPT["plain"], again=i)) for i in (2, 3)]
    merge(*runs, path=Path(folder) / "added.parquet", separate=True)


def kept_file_cases():
    for name, t in KEPT.items():
        path = f"counts/{name}.parquet"
        rules = dict(missing="wrong", k=[1], interval="t") | (OPTIONS if t.answers else {})
        metrics = (["pass@k", "avg@n"] if t.outcomes or t.scores == "flags" else []) + [
            "maj@k"
        ] * t.answers
        yield case(
            f"counts {name}",
            call("score", path, metrics + ["soft@n"] * (t.scores in ("graded", "flags")), **rules),
        )
    yield case("counts added", call("score", "counts/added.parquet", ["pass@k"], k=[1, 4]))
    yield case(
        "counts drop",
        command("score", "counts/votes.parquet", "--missing", "drop", "-m", "pass@1", "-f", "json"),
    )
    yield case(
        "counts raise", command("score", "counts/votes.parquet", "-m", "pass@1", "-f", "json")
    )
    yield case(
        "counts bounds",
        command(
            "score", "counts/votes.parquet", "--missing", "bounds", "-m", "pass@1", "-f", "json"
        ),
    )
    yield case(
        "counts compare",
        call("compare", "counts/votes.parquet", metrics="maj@1", missing="wrong", **OPTIONS),
    )
    yield case(
        "counts glob", command("score", "counts/[pa]*[nd].parquet", "-m", "pass@1", "-f", "json")
    )
    yield case(
        "counts two files",
        call("score", ["counts/plain.parquet", "counts/many.parquet"], ["pass@k"], k=[1]),
    )
    yield case("counts merged again", call("merge", "counts/plain.parquet", "counts/added.parquet"))
    yield case(
        "counts merged",
        call(
            "merge",
            "counts/plain.parquet",
            "counts/added.parquet",
            separate=True,
            path="out/c.parquet",
        ),
        call("score", "out/c.parquet", ["pass@k", "avg@n"], k=[1, 6]),
    )
    yield case(
        "counts and their samples", call("merge", "counts/plain.parquet", draw_rows(KEPT["plain"]))
    )
    yield case(
        "counts counted again",
        call("count", "counts/scores.parquet", "out/c.parquet"),
        call("score", "out/c.parquet", ["soft@n", "pass@k"], k=[1]),
    )


def list_cases():
    yield from (o for t in TABLES for o in table_cases(t))
    yield from log_cases()
    yield from data_cases()
    yield from more_cases()
    yield from form_cases()
    yield from kept_file_cases()
    yield from answer_cases()
    yield from option_cases()
    yield from refusal_cases()


CASES = tuple(list_cases())
