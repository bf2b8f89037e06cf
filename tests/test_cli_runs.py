"What each sub-command asks of its verb, and what it leaves behind."

import importlib
import json
from functools import wraps

import pytest

from conftest import command

READ = (
    "--missing drop --samples-per-question 4 --no-answer vote --normalize lower --conflict any"
    " --harness lm-eval --filter f --grade exact --grade number --files-hold models --question q"
    " --sample s --correct none --answer a --score x --score y --model m --cluster c --threshold .5"
    " --ignore i"
).split()
GIVEN = dict(
    missing="drop",
    samples_per_question=4,
    no_answer="vote",
    normalize="lower",
    conflict="any",
    harness="lm-eval",
    filter="f",
    grade=["exact", "number"],
    files_hold="models",
    question="q",
    sample="s",
    correct=False,
    answer="a",
    score=["x", "y"],
    model="m",
    cluster="c",
    threshold=0.5,
    ignore=["i"],
)
WEIGHTS = dict(weights=None, largest_weight=None)
NOT_JUDGED = dict(
    attempts=None,
    verdict=None,
    portfolio=None,
    crossed=False,
    vote_weight=None,
    vote_keep=None,
    budget_column=None,
    judge=None,
    labels=None,
    panel=None,
    earlier=None,
    cost=None,
    cost_cap=None,
    missing_cost="raise",
)
WEIGHED = "--weights w --largest-weight 3".split()
COMMON = "--confidence-level .9 --ties wrong --rng 7".split()


class Called(BaseException):
    pass


def catch(monkeypatch, verb, *words):
    "The arguments with which a command calls its verb."
    room, _, name = verb.partition(".verb.")
    place = importlib.import_module(f"sampling_eval.analyses.{room}.command")

    @wraps(getattr(place, name))
    def call(*args, **given):
        raise Called(args, given)

    monkeypatch.setattr(place, name, call)
    with pytest.raises(Called) as caught:
        command(*words)
    return caught.value.args


@pytest.mark.parametrize(
    "verb, words, args, given",
    [
        (
            "score.verb.score",
            "score a.csv",
            ("a.csv",),
            WEIGHTS
            | NOT_JUDGED
            | dict(
                metrics=None,
                k=None,
                title="a.csv",
                by=None,
                ties="expected",
                confidence_level=0.95,
                interval=None,
                target="new_questions",
                rng=None,
            ),
        ),
        (
            "score.verb.score",
            [
                "score",
                "d/a.csv",
                "-m",
                "pass@k,avg@n",
                "-k",
                "1-3",
                "b.csv",
                "--by",
                "g",
                "--target",
                "both",
                "--attempts",
                "tokens",
                "--verdict",
                "v",
                "--portfolio",
                "4",
                "--crossed",
                "--vote-weight",
                "sure",
                "--vote-keep",
                ".5",
                "--budget-column",
                "turns",
                "--judge",
                ".9",
                ".8",
                "--labels",
                "human",
                "--panel",
                "gold",
                "--earlier",
                "e.csv",
                "--cost",
                "price",
                "--cost-cap",
                "5",
                "--missing-cost",
                "cap",
                "--interval",
                "t",
                *COMMON,
                *WEIGHED,
                *READ,
            ],
            (["d/a.csv", "b.csv"],),
            GIVEN
            | dict(
                attempts="tokens",
                verdict="v",
                portfolio=4,
                crossed=True,
                vote_weight="sure",
                vote_keep=0.5,
                budget_column="turns",
                judge=(0.9, 0.8),
                labels="human",
                panel="gold",
                earlier="e.csv",
                cost="price",
                cost_cap=5.0,
                missing_cost="cap",
                metrics=["pass@k", "avg@n"],
                k=[1, 2, 3],
                title="a.csv, b.csv",
                by="g",
                ties="wrong",
                confidence_level=0.9,
                interval="t",
                target="both",
                rng=7,
                weights="w",
                largest_weight=3.0,
            ),
        ),
        ("describe.verb.describe", "describe d/a.csv", ("d/a.csv",), dict(title="a.csv", by=None)),
        (
            "describe.verb.describe",
            ["describe", "a.csv", "b.csv", "--by", "g", *READ],
            (["a.csv", "b.csv"],),
            GIVEN | dict(title="a.csv, b.csv", by="g"),
        ),
        (
            "compare.verb.compare",
            "compare a.csv b.csv",
            ("a.csv", "b.csv"),
            WEIGHTS
            | dict(
                metrics="pass@k",
                k=None,
                others=[],
                models=None,
                on_unmatched="refuse",
                confidence_level=0.95,
                method=None,
                bounds=None,
                test=None,
                same_within=None,
                by=None,
                crossed=False,
                cost=None,
                spend=None,
                missing_cost="raise",
                target="new_questions",
                ties="expected",
                rng=None,
            ),
        ),
        (
            "compare.verb.compare",
            [
                "compare",
                "a.csv",
                "b.csv",
                "c.csv",
                "d.csv",
                "--metrics",
                "pass@1,pass^2",
                "-k",
                "2",
                "--models",
                "x",
                "--models",
                "y",
                "--on-unmatched",
                "drop",
                "--test",
                "t",
                "--target",
                "same_questions",
                "--same-within",
                ".02",
                "--by",
                "g",
                "--crossed",
                "--cost",
                "price",
                "--spend",
                "2",
                "--missing-cost",
                "mean",
                "--method",
                "t",
                *COMMON,
                *WEIGHED,
                *READ,
            ],
            ("a.csv", "b.csv"),
            GIVEN
            | dict(
                same_within=0.02,
                by="g",
                crossed=True,
                cost="price",
                spend=2.0,
                missing_cost="mean",
                metrics=["pass@1", "pass^2"],
                k=[2],
                others=["c.csv", "d.csv"],
                models=["x", "y"],
                on_unmatched="drop",
                confidence_level=0.9,
                method="t",
                bounds=None,
                test="t",
                target="same_questions",
                ties="wrong",
                rng=7,
                weights="w",
                largest_weight=3.0,
            ),
        ),
        (
            "table.verb.table",
            "table a.csv b.csv c.csv d.csv",
            (["a.csv", "b.csv", "c.csv", "d.csv"],),
            WEIGHTS
            | dict(
                metrics=None,
                k=None,
                title="",
                models=None,
                by=None,
                on_unmatched="refuse",
                errors="ends",
                confidence_level=0.95,
                method=None,
                bounds=None,
                test=None,
                target="new_questions",
                run_difference=False,
                ties="expected",
                rng=None,
            ),
        ),
        (
            "table.verb.table",
            [
                "table",
                "d/a.csv",
                "b.csv",
                "c.csv",
                "-m",
                "pass@1,avg@n",
                "-k",
                "1,2",
                "--by",
                "g",
                "--models",
                "x",
                "--on-unmatched",
                "drop",
                "--errors",
                "half",
                "--test",
                "t",
                "--target",
                "same_questions",
                "--run-difference",
                "--method",
                "t",
                *COMMON,
                *WEIGHED,
                *READ,
            ],
            (["d/a.csv", "b.csv", "c.csv"],),
            GIVEN
            | dict(
                run_difference=True,
                metrics=["pass@1", "avg@n"],
                k=[1, 2],
                title="a.csv, b.csv, c.csv",
                models="x",
                by="g",
                on_unmatched="drop",
                errors="half",
                confidence_level=0.9,
                method="t",
                bounds=None,
                test="t",
                target="same_questions",
                ties="wrong",
                rng=7,
                weights="w",
                largest_weight=3.0,
            ),
        ),
        (
            "gate.verb.gate",
            "gate a.csv --minimum pass@1=0.5 --minimum pass^2=0.1",
            ("a.csv",),
            WEIGHTS
            | dict(
                metrics="pass@1",
                minimum={"pass@1": 0.5, "pass^2": 0.1},
                models=None,
                baseline=None,
                max_drop=None,
                same_within=None,
                must_pass=None,
                must_pass_share=1.0,
                no_question_regresses=False,
                anytime=False,
                state=None,
                allow_identical=False,
                target=None,
                on_unmatched="refuse",
                confidence_level=0.95,
                method=None,
                bounds=None,
                ties="expected",
                rng=None,
            ),
        ),
        (
            "gate.verb.gate",
            [
                "gate",
                "a.csv",
                "--baseline",
                "b.csv",
                "-m",
                "pass@1,pass^2",
                "--max-drop",
                ".02",
                "--same-within",
                ".03",
                "--must-pass",
                "q*",
                "--must-pass-share",
                ".5",
                "--no-question-regresses",
                "--allow-identical",
                "--target",
                "same_questions",
                "--models",
                "x",
                "--models",
                "y",
                "--on-unmatched",
                "drop",
                "--method",
                "t",
                *COMMON,
                *WEIGHED,
                *READ,
            ],
            ("a.csv",),
            GIVEN
            | dict(
                metrics=["pass@1", "pass^2"],
                minimum={},
                models=["x", "y"],
                baseline="b.csv",
                max_drop=0.02,
                same_within=0.03,
                must_pass="q*",
                must_pass_share=0.5,
                no_question_regresses=True,
                anytime=False,
                state=None,
                allow_identical=True,
                target="same_questions",
                on_unmatched="drop",
                confidence_level=0.9,
                method="t",
                bounds=None,
                ties="wrong",
                rng=7,
                weights="w",
                largest_weight=3.0,
            ),
        ),
        (
            "plan.verb.plan",
            "plan",
            (),
            dict(
                n=None,
                k=None,
                models=None,
                delta=None,
                power=0.8,
                pilot=None,
                questions=None,
                metrics=None,
                budget=None,
                pilot_b=None,
                correlation=None,
                earlier=None,
                judge=None,
                minimum={},
                cost_grading=1.0,
                half_width=None,
                by=None,
                crossed=False,
                max_drop=None,
                true_value=None,
                true_difference=None,
                cost_question=0.0,
                cost_sample=1.0,
                confidence_level=0.95,
                method=None,
                target="new_questions",
                on_unmatched="refuse",
                rng=None,
            ),
        ),
        (
            "plan.verb.plan",
            [
                "plan",
                "a.csv",
                "b.csv",
                "--delta",
                ".1",
                "--power",
                ".9",
                "--questions",
                "50",
                "-n",
                "1,4",
                "-m",
                "pass@k",
                "-k",
                "2",
                "--budget",
                "9",
                "--correlation",
                ".5",
                "--cost-question",
                "2",
                "--cost-sample",
                "3",
                "--earlier",
                "e.csv",
                "--judge",
                ".9",
                ".8",
                "--minimum",
                "pass@1=0.5",
                "--max-drop",
                ".05",
                "--true-value",
                ".7",
                "--true-difference",
                ".01",
                "--cost-grading",
                "4",
                "--half-width",
                ".1",
                "--by",
                "prompt",
                "--crossed",
                "--confidence-level",
                ".9",
                "--method",
                "t",
                "--target",
                "same_questions",
                "--models",
                "x",
                "--on-unmatched",
                "drop",
                "--rng",
                "7",
                *READ,
            ],
            (),
            GIVEN
            | dict(
                n=[1, 4],
                k=[2],
                models="x",
                delta=0.1,
                power=0.9,
                pilot="a.csv",
                questions=50,
                metrics="pass@k",
                budget=9.0,
                pilot_b="b.csv",
                correlation=0.5,
                earlier="e.csv",
                judge=(0.9, 0.8),
                minimum={"pass@1": 0.5},
                cost_grading=4.0,
                half_width=0.1,
                by="prompt",
                crossed=True,
                max_drop=0.05,
                true_value=0.7,
                true_difference=0.01,
                cost_question=2.0,
                cost_sample=3.0,
                confidence_level=0.9,
                method="t",
                target="same_questions",
                on_unmatched="drop",
                rng=7,
            ),
        ),
        (
            "extrapolate.verb.extrapolate",
            "extrapolate a.csv",
            ("a.csv",),
            dict(metrics="pass@k", k=None, confidence_level=0.95, models=None),
        ),
        (
            "extrapolate.verb.extrapolate",
            [
                "extrapolate",
                "a.csv",
                "b.csv",
                "-k",
                "9",
                "--metrics",
                "pass^k",
                "--confidence-level",
                ".9",
                "--models",
                "x",
                *READ,
            ],
            (["a.csv", "b.csv"],),
            GIVEN | dict(metrics="pass^k", k=[9], confidence_level=0.9, models="x"),
        ),
        (
            "explain.verb.explain",
            "explain a.csv q1",
            ("a.csv", "q1"),
            dict(metrics=None, k=None, models=None, ties="expected", on_unmatched="refuse"),
        ),
        (
            "explain.verb.explain",
            [
                "explain",
                "a.csv",
                "--about",
                "b.csv",
                "-m",
                "pass@k,maj@8",
                "-k",
                "2",
                "--ties",
                "wrong",
                "--models",
                "x",
                "--models",
                "y",
                "--on-unmatched",
                "drop",
                *READ,
            ],
            ("a.csv", "b.csv"),
            GIVEN
            | dict(
                metrics=["pass@k", "maj@8"],
                k=[2],
                models=["x", "y"],
                ties="wrong",
                on_unmatched="drop",
            ),
        ),
    ],
)
def test_a_command_asks_its_verb(monkeypatch, verb, words, args, given):
    called = catch(monkeypatch, verb, *(words.split() if isinstance(words, str) else words))
    assert called == (args, given)


def test_counts_merge_and_the_demo_ask_their_verbs(monkeypatch, tmp_path):
    out = tmp_path / "c.parquet"
    policies = "missing", "samples_per_question", "no_answer", "normalize", "conflict"
    args, given = catch(monkeypatch, "count.verb.count", "counts", "a.csv", "-o", out)
    assert args == ("a.csv", out) and given == {}
    kept = READ[READ.index("--harness") :]
    assert catch(monkeypatch, "count.verb.count", "counts", "a.csv", "b.csv", "-o", out, *kept) == (
        (["a.csv", "b.csv"], out),
        {name: value for name, value in GIVEN.items() if name not in policies},
    )
    assert catch(monkeypatch, "count.verb.merge", "merge", "a.csv", "b.csv", "-o", out) == (
        ("a.csv", "b.csv"),
        dict(path=out, separate=False, union=False),
    )
    _, given = catch(
        monkeypatch, "count.verb.merge", "merge", "a.csv", "-o", out, "--separate", "--union"
    )
    assert given == dict(path=out, separate=True, union=True)
    (path,), given = catch(monkeypatch, "score.verb.score", "demo")
    assert str(path).endswith("tau_bench_airline_gpt4o.jsonl") and given == dict(
        title="tau-bench airline, gpt-4o"
    )


@pytest.mark.parametrize(
    "words",
    [
        "--missing drop",
        "--samples-per-question 4",
        "--no-answer vote",
        "--normalize lower",
        "--conflict any",
    ],
)
def test_counts_have_no_policy(words, tmp_path):
    told = command("counts", "a.csv", "-o", tmp_path / "c.parquet", *words.split())
    name = words.partition(" ")[0]
    assert (
        told.returncode == 2
        and told.stderr
        == f"sampling-eval: {name} is for score and the other commands: counts keeps samples"
        " without an outcome or an answer apart\n"
    )


# What is printed and written.


@pytest.fixture
def runs(tmp_path, monkeypatch):
    "Two runs of three questions in the present folder."
    monkeypatch.chdir(tmp_path)
    for name, words in dict(a="1100 1000 0000", b="1111 1100 1000").items():
        rows = [
            dict(question=f"q{i}", sample=j, correct=int(mark))
            for i, word in enumerate(words.split())
            for j, mark in enumerate(word)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


TEXTS = ", with prompts and answers where the log holds them (--no-texts leaves them out)"


def test_what_stands_below_a_score(runs):
    below = (
        "\n\nNext: --how (the method); --target same_questions (a rerun); --html report.html\n"
        "(a page)\n"
    )
    assert command("score", "a.jsonl").stdout.endswith(below)
    how = command("score", "a.jsonl", "--how").stdout
    assert how.endswith(
        "\n\nNext: --target same_questions (a rerun); --html report.html (a page)\n"
    )
    again = command("score", "a.jsonl", "--target", "same_questions", "--html", "r.html")
    assert (
        again.stdout.endswith("\n\nNext: --how (the method)\n")
        and again.stderr == f"Wrote r.html{TEXTS}\n"
    )
    for words in (["-f", "markdown"], ["-f", "csv"], ["--methods"]):
        assert "--how (the method)" not in command("score", "a.jsonl", *words).stdout


def test_the_next_command_keeps_what_was_given(runs):
    rows = [
        dict(json.loads(line), model=name)
        for name in "ab"
        for line in (runs / f"{name}.jsonl").read_text().splitlines()
    ]
    (runs / "both.jsonl").write_text("\n".join(map(json.dumps, rows)))

    def read(*words):
        told = command("score", "both.jsonl", *words)
        assert told.returncode == 0, told.stderr
        return " ".join(told.stdout.replace("\\\n", "").split())

    plain = read("-m", "pass@1")
    assert "sampling-eval compare both.jsonl --models a --models b " in plain
    assert plain.endswith(
        "Also: --how (the method); --target same_questions (a rerun); --html report.html (a page)"
    )
    assert "Also" not in read("-m", "pass@1", "--how") and "Next: --target same_questions" in read(
        "-m", "pass@1", "--how"
    )
    more = read(
        "-m",
        "pass@2",
        "--target",
        "same_questions",
        "--confidence-level",
        ".9",
        "--ties",
        "wrong",
        "--conflict",
        "any",
    )
    assert (
        "sampling-eval compare both.jsonl --metrics pass@2 --models a --models b --ties wrong"
        " --confidence-level 0.9 --conflict any --target same_questions "
        in more
    )
    assert more.endswith("Also: --how (the method); --html report.html (a page)")
    assert "Also: " not in read("-m", "pass@1", "-f", "markdown")
    for name, half in (("c", rows[:12]), ("d", rows[12:])):
        (runs / f"{name}.jsonl").write_text("\n".join(map(json.dumps, half)))
    several = command("score", "c.jsonl", "d.jsonl", "-m", "pass@1").stdout
    assert (
        "2 models" in several
        and "sampling-eval compare" not in several
        and "\n\nNext: --how" in several
    )


def test_every_file_is_named_once_it_is_written(runs):
    told = command(
        "score",
        "a.jsonl",
        "-o",
        "r.md",
        "--html",
        "r.html",
        "--plot",
        "r.svg",
        "--per-question",
        "q.csv",
    )
    assert (
        told.returncode == 0
        and told.stderr == f"Wrote r.md\nWrote r.html{TEXTS}\nWrote r.svg\nWrote q.csv\n"
    )
    assert command("score", "a.jsonl", "--html", "r.html", "--no-texts").stderr == "Wrote r.html\n"
    said = "pass@1 = 25.0 % (95 % CI 3.3 to 78.9 %, new questions)."
    assert said in (runs / "r.md").read_text()
    assert (runs / "r.html").read_text("utf-8").startswith("<!doctype html>")
    assert (runs / "r.svg").read_text().startswith("<?xml")
    assert (runs / "q.csv").read_text().count("\n") == 4

    def draw(*words):
        assert command("score", "a.jsonl", *words).returncode == 0
        return (runs / "r.svg").read_text()

    assert (
        draw("--plot", "r.svg")
        != draw("--plot", "r.svg", "--size", "page")
        == draw("-o", "r.svg", "--size", "page")
    )


def test_methods_for_a_paper(runs):
    told = command("score", "a.jsonl", "--methods").stdout
    said, _, sources = told.partition("\n\n")
    assert max(map(len, told.splitlines())) <= 80 and len(said.splitlines()) > 5
    assert sources.startswith("@") and "\n    " in sources and told.endswith("}\n")
    latex = command("score", "a.jsonl", "--methods", "-f", "latex").stdout
    assert (
        "\\cite" in latex
        and "\\cite" not in told
        and len(latex.partition("\n\n")[0].splitlines()) == 1
    )


def test_counts_and_merge_say_what_they_wrote(runs):
    told = command("counts", "a.jsonl", "-o", "c.parquet")
    assert told.returncode == 0 and told.stdout.endswith("\nWrote c.parquet\n")
    assert "12 rows" in told.stdout and told.stderr == ""
    told = command("merge", "c.parquet", "-o", "d.parquet")
    assert told.stdout.endswith("\nWrote d.parquet\n"), told.stderr


def test_other_forms_are_printed_as_they_are(runs):
    assert (
        json.loads(command("score", "a.jsonl", "-f", "json", "-k", "1").stdout)["rows"][0]["metric"]
        == "pass@1"
    )
    assert command("score", "a.jsonl", "-f", "markdown", "-m", "avg@n").stdout.startswith(
        "**avg@4 = 25.0 %"
    )
    for words in (
        ["plan", "a.jsonl", "--delta", ".3", "--method", "normal"],
        ["extrapolate", "a.jsonl", "-k", "1,8"],
    ):
        told = command(*words)
        assert told.returncode == 0 and told.stdout.count("\n") > 5 and told.stderr == ""
        assert json.loads(command(*words, "-f", "json").stdout)["rows"]


def test_explain_names_the_first_question(runs):
    shown = command("explain", "a.jsonl", "b.jsonl", "--on-unmatched", "drop").stdout
    assert shown.endswith(
        "\n\nNext: sampling-eval explain a.jsonl b.jsonl q0 --on-unmatched drop\n"
    )
    assert (
        "Next: sampling-eval" not in command("explain", "a.jsonl", "b.jsonl", "-f", "json").stdout
    )
    assert "Next: sampling-eval" not in command("explain", "a.jsonl", "b.jsonl", "q1").stdout


def test_inspect_names_the_command_that_reads_the_same(runs):
    told = command("describe", "a.jsonl", "--question", "question")
    assert "sampling-eval score a.jsonl --question question" in " ".join(told.stdout.split())
    (runs / "gaps.jsonl").write_text(
        '{"question": 1, "correct": 1}\n{"question": 1, "correct": null}'
    )
    told = command("describe", "gaps.jsonl")
    assert told.returncode == 0 and "sampling-eval score gaps.jsonl --missing bounds" in " ".join(
        told.stdout.split()
    )
    (runs / "odd.jsonl").write_text('{"x": 1}')
    told = command("describe", "odd.jsonl")
    assert (
        told.returncode == 2
        and "Which column holds the question?" in told.stdout
        and "sampling-eval" not in told.stdout
    )
    told = command("describe", "odd.jsonl", "--question", "x")
    assert told.returncode == 2, told.stdout


def test_a_gate_leaves_files_for_a_workflow(runs, monkeypatch):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    open_ = (
        "gate",
        "b.jsonl",
        "--baseline",
        "a.jsonl",
        "--max-drop",
        ".01",
        "--github-summary",
        "s.md",
    )
    told = command(*open_, "--junit", "j.xml", "--strict")
    assert (
        told.returncode == 1
        and "--strict" in told.stdout
        and told.stderr == ""
        and "::" not in told.stdout
    )
    assert (runs / "s.md").read_text().startswith("**INCONCLUSIVE") and 'failures="1"' in (
        runs / "j.xml"
    ).read_text()
    assert command(*open_, "--junit", "j.xml", "--inconclusive-passes").returncode == 0
    assert 'failures="0"' in (text := (runs / "j.xml").read_text()) and 'skipped="0"' in text
    assert command(*open_).returncode == 3 and command(*open_[:-1]).returncode == 2
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    told = command(*open_)
    said = (
        "::warning title=pass@1 drops by at most 0.01::INCONCLUSIVE pass@1 drop <= 1 point. b.jsonl"
        " - a.jsonl = "
    )
    assert told.stderr.startswith(said) and told.stderr.count("\n") == 1
    # A workflow obeys what it finds in the output, but not between two marks of its own.
    first, *_, last = told.stdout.splitlines()
    assert first.startswith("::stop-commands::") and last == f"::{first.rpartition('::')[2]}::"
    assert command(*open_, "--strict").stderr.startswith("::error title=")
    assert command(*open_, "--inconclusive-passes").stderr.startswith("::")
    told = command(*open_, "-f", "json")
    assert json.loads(told.stdout)["verdict"] == "inconclusive" and told.returncode == 3
    said = "warning: INCONCLUSIVE pass@1 drop <= 1 point. b.jsonl - a.jsonl = "
    assert told.stderr.splitlines()[1].startswith(said)
    assert command(*open_[:-2]).stderr == "" and "::" not in command(*open_, "-f", "github").stdout


def test_a_failed_gate_names_the_questions_behind_it(runs):
    rows = [
        dict(question=f"q{i}", sample=j, correct=0, model=m)
        for m in "xy"
        for i in range(9)
        for j in range(4)
    ]
    (runs / "zero.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (runs / "one.jsonl").write_text("\n".join(json.dumps(row | dict(correct=1)) for row in rows))

    def read(*words):
        return " ".join(command("gate", "zero.jsonl", *words).stdout.replace("\\\n", "").split())

    behind = "Next, the questions behind it: sampling-eval explain"
    models = "--models", "x", "--models", "y", "--target", "same_questions"
    said = read("--baseline", "one.jsonl", "--max-drop", ".1", "-m", "pass@2", *models)
    assert f"{behind} one.jsonl zero.jsonl --models y --models x --metrics pass@2" in said
    said = read("--minimum", "pass@1=0.9", "--models", "x", "--conflict", "any")
    assert f"{behind} zero.jsonl --models x --conflict any" in said
    said = read("--baseline", "one.jsonl", "--max-drop", "1", "--minimum", "pass@4=0.9", *models)
    assert f"{behind} zero.jsonl --models x --metrics pass@4" in said and "--models y" not in said
    assert f"{behind} zero.jsonl q4 --models x" in read("--must-pass", "q4", "--models", "x")
