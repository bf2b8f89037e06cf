"""The commands as a user runs them: what they print, exit codes, files, options, and one sentence
for bad input."""

import argparse
import errno
import io
import json
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from inspect import signature, unwrap
from pathlib import Path

import duckdb
import pytest

from conftest import command
from sampling_eval import cli, score
from sampling_eval.cli import COMMANDS, make_parser, error_message, TOO_LARGE
from sampling_eval.cli_options import (
    derive_reading,
    MOST_BUDGETS,
    parse_budgets,
    parse_minimum,
    PYTHON_ONLY,
)
from sampling_eval.extras import FULL
from sampling_eval.parameters import READ_OPTIONS

RUN = (
    Path(__file__).resolve().parents[1]
    / "sampling_eval"
    / "examples"
    / "tau_bench_airline_gpt4o.jsonl"
)


def start(*words):
    "A process of its own, as in a shell."
    told = [sys.executable, "-m", "sampling_eval", *map(str, words)]
    return subprocess.run(told, capture_output=True, text=True)


def test_in_a_process_of_its_own():
    good, bad, version = start("score", RUN), start("score", "none.jsonl"), start("--version")
    assert good.returncode == 0 and good.stdout.startswith(
        "gpt-4o: pass@1 = 42.0 % (95 % CI 31.5 to 53.4 %"
    )
    assert (bad.returncode, bad.stdout) == (2, "") and "no file to read at none.jsonl" in bad.stderr
    assert "Traceback" not in bad.stderr and version.stdout.strip() == "0.1.0"


def test_published_row():
    run = command("score", RUN, "-m", "pass^k")
    assert run.returncode == 0, run.stderr
    for value in ("42.0 %", "27.3 %", "22.0 %", "20.0 %"):
        assert value in run.stdout
    assert "200 rows" in run.stdout and "no sample missing" in run.stdout


def test_whole_table():
    out = command("score", RUN).stdout
    assert out.startswith("gpt-4o: pass@1 = 42.0 %") and "\n\nNext: --how" in out
    for name in (
        "metric                            k = 1          2",
        "pass@k",
        "pass^k",
        "cons@k",
        "avg@4",
        "g-pass@4_0.5",
        "g-pass@4_0.75",
        "g-pass@4_1.0",
        "mg-pass@4",
    ):
        assert f"\n{name} " in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_next_command_of_several_models_runs(tmp_path):
    (path := tmp_path / "two models.csv").write_text(
        "task,model,ok\n"
        + "".join(
            f"{q},{m},{int((q + s) % 3 < 1 + (m == 'b'))}\n"
            for q in range(9)
            for m in "ab"
            for s in range(3)
        )
    )
    out = command("score", path, "--question", "task", "--correct", "ok").stdout
    typed = re.search(r"\nNext: .*?\n\n(sampling-eval compare .*?)\n\n", out, re.S)[1].replace(
        "\\\n", ""
    )
    words = shlex.split(typed)
    assert words[:3] == ["sampling-eval", "compare", str(path)] and words[3:7] == [
        "--models",
        "a",
        "--models",
        "b",
    ]
    run = command(*words[1:])
    assert run.returncode == 0 and run.stdout.startswith("b leads a by 33.3 points in pass@1")


def test_how_tells_the_method():
    out = command("score", RUN, "--how").stdout
    assert "(Chen et al., 2021)" in out and "All numbers" in out
    assert "(Chen et al., 2021)" not in command("score", RUN).stdout


def test_writes_files(tmp_path):
    run = command("score", RUN, "--html", tmp_path / "r.html", "-o", tmp_path / "curve.svg")
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "r.html").read_text("utf-8")
    assert (
        "27.3" in page
        and page.count("<svg") == 2
        and "http:" not in page
        and "https:" not in page
        and "95&nbsp;% CI" in page
    )
    assert (tmp_path / "curve.svg").read_text("utf-8").startswith("<?xml")
    for suffix in ("json", "csv", "md", "tex", "png"):
        assert command("score", RUN, "-o", tmp_path / f"r.{suffix}").returncode == 0
        assert (tmp_path / f"r.{suffix}").stat().st_size > 100
    assert not list(tmp_path.glob("*.part"))


def test_demo():
    assert "27.3 %" in command("demo").stdout


ROW = '{"question": 1, "sample": %d, "correct": %s}\n'
BAD = {
    "percentages": (ROW % (0, "100") + ROW % (1, "0"), [], "percentages"),
    "text": (ROW % (0, '"perhaps"'), [], "correct"),
    "mixed": (ROW % (0, '"yes"') + ROW % (1, "1"), [], "correct"),
    "fraction": (ROW % (0, "0.5"), [], "0.5"),
    "null": (ROW % (0, "null") + ROW % (1, "1"), [], "missing"),
    "empty": ("", [], "an empty file"),
    "malformed": (ROW % (0, "1") * 16 + '{"question": 1, \n', [], "17"),
    "duplicate": (ROW % (0, "1") * 2, [], "must appear once"),
    "no correct": ('{"question": 1}\n', [], "correct"),
    "no question": ('{"correct": 1}\n', [], "question"),
    "k too large": (ROW % (0, "1"), ["-k", "2"], "k=2 needs 2 samples"),
    "k zero": (ROW % (0, "1"), ["-k", "0"], "need k >= 1"),
    "k float": (ROW % (0, "1"), ["-k", "2.0"], "k must be"),
    "unknown metric": (ROW % (0, "1"), ["-m", "pas@k"], "did you mean 'pass@k'"),
    "column": (ROW % (0, "1"), ["--correct", "corect"], "corect"),
    "output": (ROW % (0, "1"), ["-o", "x.doc"], "output must end in"),
    "level": (ROW % (0, "1"), ["--confidence-level", "95"], "confidence-level"),
    "target": (ROW % (0, "1"), ["--target", "world"], "target"),
    "interval": (ROW % (0, "1"), ["--interval", "wald"], "--interval must"),
    "missing policy": (ROW % (0, "null") + ROW % (1, "1"), ["--missing", "guess"], "missing"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_a_sentence_and_no_number(name, tmp_path):
    text, options, word = BAD[name]
    (tmp_path / "run.jsonl").write_text(text)
    run = command("score", "run.jsonl", *options, cwd=tmp_path)
    assert run.returncode == 2 and run.stdout == "" and "Traceback" not in run.stderr, (
        run.stdout + run.stderr
    )
    assert word in run.stderr and len(run.stderr.strip().splitlines()) == 1, run.stderr


def test_unknown_option_is_usage():
    assert command("score", RUN, "--nonsense").returncode == 2


@pytest.mark.parametrize(
    "words, said",
    [
        (
            "score a.csv --nonsense 1",
            (
                "sampling-eval score: unrecognized arguments: --nonsense 1; sampling-eval score "
                "--help lists what there is"
            ),
        ),
        (
            "plan a.csv b.csv c.csv",
            (
                "sampling-eval plan: unrecognized arguments: c.csv; sampling-eval plan --help lists"
                " what there is"
            ),
        ),
        (
            "--nonsense",
            (
                "sampling-eval: unrecognized arguments: --nonsense; sampling-eval --help lists what"
                " there is"
            ),
        ),
        (
            "score a.csv --confidence-level x",
            (
                "sampling-eval score: argument --confidence-level: invalid float value: 'x';"
                " sampling-eval score --help lists what there is"
            ),
        ),
        (
            "--vers",
            (
                "sampling-eval: unrecognized arguments: --vers; sampling-eval --help lists what"
                " there is"
            ),
        ),
        (
            "merge a.csv",
            (
                "sampling-eval merge: the following arguments are required: -o/--output;"
                " sampling-eval merge --help lists what there is"
            ),
        ),
        (
            "score a.csv --conf .9",
            (
                "sampling-eval score: unrecognized arguments: --conf .9; did you mean"
                " --confidence-level or --conflict?; sampling-eval score --help lists what there is"
            ),
        ),
    ],
)
def test_words_that_are_not_understood(words, said):
    run = command(*words.split())
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"{said}\n")


def test_files_may_stand_on_both_sides_of_options():
    asked = make_parser(words=["score"]).parse_args(
        ["score", "a.csv", "--by", "g", "b.csv", "c.csv"]
    )
    assert asked.files == ["a.csv", "b.csv", "c.csv"] and asked.by == "g"


def test_only_what_was_typed_has_options():
    typed, all_ = make_parser(words=["score"]), make_parser()
    assert all_.parse_args(["gate", "a.csv", "--strict"]).strict
    assert make_parser(["gate"]).parse_args(["gate", "a"]).new == "a"
    with pytest.raises(SystemExit):
        typed.parse_args(["gate", "a.csv", "--strict"])
    with pytest.raises(SystemExit):
        make_parser(["gate"]).parse_args(["score", "a.csv"])


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_help_of_a_command_has_what_it_takes(name):
    below = next(one for one in make_parser([name])._actions if one.dest == "command").choices[name]
    told = {one.dest: one for one in below._actions if one.dest not in ("help", argparse.SUPPRESS)}
    wanted = cli.COMMANDS[name]
    reading = [one for group in derive_reading().values() for one in group]
    options = [*wanted.list_options(), *(reading if wanted.reads else ())]
    assert all(
        one.about and len(one.about) < 130 and "None" not in one.about for one in options
    ), "help says what there is"
    assert list(told) == [place for place, *_ in wanted.places] + [one.name for one in options]
    shown = " ".join(below.format_all().split())
    for place, help_, many in wanted.places:
        assert (told[place].help % {}, told[place].nargs) == (help_, many) and help_ in shown
    for one in options:
        found = told[one.name]
        assert (
            found.option_strings == [*one.flags, "--" + one.name.replace("_", "-")]
            and found.help == one.help
        )
        assert (found.default, found.required) == (
            False if one.switch else one.default,
            one.required,
        )
        assert found.choices == one.choices and found.const == (True if one.switch else one.alone)
    groups = [group.title for group in below._action_groups[2:]]
    assert groups == (["policies", "columns", "logs"] if wanted.reads else [])
    assert below.description == wanted.about and not below.allow_abbrev


def test_what_stands_for_a_value():
    kinds = dict(
        power="NUMBER",
        questions="INT",
        output="FILE",
        metrics="NAMES",
        method="{assumption-free,normal,t}",
        on_unmatched="{refuse,drop}",
        format="{" + "table,json,markdown,latex,csv" + "}",
    )
    assert {
        one.name: one.kind_name()
        for one in cli.COMMANDS["plan"].list_options()
        if one.name in kinds
    } == kinds


def test_no_words_print_the_help():
    run = command()
    assert run.returncode == 2 and run.stdout == command("--help").stdout and run.stderr == ""


@pytest.mark.parametrize(
    "error, code, said",
    [
        (KeyboardInterrupt(), 130, "interrupted; nothing was left half-written"),
        (RuntimeError("Query interrupted"), 130, "interrupted; nothing was left half-written"),
        (MemoryError(), 2, TOO_LARGE),
        (FileNotFoundError(2, "No such file", "x"), 2, "cannot use 'x': no such file"),
        (ImportError("needs it"), 2, "needs it"),
    ],
)
def test_whatever_stops_a_command_is_told(error, code, said, monkeypatch):
    def stop(asked):
        raise error

    monkeypatch.setattr(cli, "run", stop)
    run = command("score", "a.csv")
    assert (run.returncode, run.stdout, run.stderr) == (code, "", f"sampling-eval: {said}\n")


def test_a_fault_of_the_package_is_shown_whole(monkeypatch):
    def stop(asked):
        raise RuntimeError("a fault")

    monkeypatch.setattr(cli, "run", stop)
    run = command("gate", "a.csv")
    assert (run.returncode, run.stdout) == (2, "") and run.stderr.endswith(
        "\nRuntimeError: a fault\n"
    )
    assert run.stderr.startswith("Traceback")


def test_errors_are_wrapped_where_a_person_reads(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    cli.tell("word " * 30)
    assert capsys.readouterr().err.count("\n") == 2
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    cli.tell("word " * 30 + "\x1b")
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "\x1b" not in told


def test_the_commands_of_switches():
    for name, verb in cli.OTHERS.items():
        assert name in {one.name for one in cli.COMMANDS[verb].list_options()}


def list_imported(*words):
    "What a command prints, and every module that it imports."
    code = """
import sys
from sampling_eval import cli
sys.argv = ["sampling-eval", *sys.argv[1:]]
try: cli.main()
except SystemExit: pass
print("", *sys.modules)"""
    told = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    ).stdout
    told, _, names = told.rstrip("\n").rpartition("\n")
    return told, names.split()


@pytest.mark.parametrize(
    "words, shown",
    [
        ("--help", "extrapolate"),
        ("compare --help", "{new_questions,same_questions}"),
        ("compare --help-all", "{expected,wrong,first}"),
    ],
)
def test_help_imports_no_numpy_and_no_verb(words, shown):
    told, names = list_imported(*words.split())
    rooms = "sampling_eval.reading.", "sampling_eval.results", "sampling_eval.inference"
    assert shown in told and not [
        name
        for name in names
        if name == "numpy" or name.startswith(rooms) or name.endswith(".verb")
    ]


# What a plain table of outcomes does not need: each is imported when an option, a log or a file
# asks for it.
UNUSED = """inference.judges inference.borrowing inference.comparison
    inference.pairs inference.paired_comparison inference.planning inference.ranking
    inference.randomization inference.regressions inference.sequential inference.significance
    inference.spending reading.counts_file reading.duckdb reading.logs.ask reading.logs.grading
    reading.logs.several metrics.cost metrics.guarded metrics.portfolio
    render.html render.svg analyses.compare.result analyses.compare.verb analyses.gate.result
    analyses.addons.judged analyses.engine.systems"""


def test_a_score_of_a_table_imports_what_it_uses(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(
        "question,sample,correct\n"
        + "".join(f"q{i},{j},{i * j % 2}\n" for i in range(9) for j in range(2))
    )
    told, names = list_imported("score", str(path))
    assert "pass@1" in told and not {f"sampling_eval.{name}" for name in UNUSED.split()} & {*names}


@pytest.mark.parametrize(
    "words",
    [
        "score a.csv -o a.csv",
        "compare b.csv a.csv --html a.csv",
        "gate a.csv --minimum pass@1=0.1 --junit a.csv",
        "gate b.csv --baseline a.csv --max-drop 1 --github-summary a.csv",
        "plan b.csv a.csv --delta 1 -o a.csv",
        "score a.csv --per-question a.csv",
        "score a.csv --plot a.csv",
        "counts a.csv -o a.csv",
        "score b.csv . -o a.csv",
    ],
)
def test_what_is_read_is_never_written_over(words, tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text("question,correct\n1,1\n1,0\n")
    run = command(*words.split(), cwd=tmp_path)
    assert (
        run.returncode == 2
        and "a.csv holds the data that were read; write the result to another file" in run.stderr
    )
    assert (tmp_path / "a.csv").read_text() == "question,correct\n1,1\n1,0\n"


def test_counts_and_merge(tmp_path):
    run = command("counts", RUN, "-o", tmp_path / "counts.parquet")
    assert run.returncode == 0 and "200 rows" in run.stdout, run.stderr
    counted, read = (
        command("score", path, "-m", "pass^k").stdout.splitlines()
        for path in (tmp_path / "counts.parquet", RUN)
    )
    tables = [[line for line in lines if "%" in line or "–" in line] for lines in (counted, read)]
    assert tables[0] == tables[1] and "27.3 %" in "".join(tables[1])
    again = command("merge", tmp_path / "counts.parquet", RUN, "-o", tmp_path / "twice.parquet")
    assert (
        again.returncode == 2
        and "twice" in again.stderr
        and not (tmp_path / "twice.parquet").exists()
    )
    odd = command("counts", RUN, "-o", tmp_path / "x.parquet", "--missing", "drop")
    assert odd.returncode == 2 and "--missing is for score and the other commands" in odd.stderr


def test_answers_that_look_like_options_print_unchanged(tmp_path):
    answers = "score='0.5' wins", "missing='drop' it", "no"
    for name in "ab":
        rows = [
            f'{q},{s},{int(s == 0 and name == "a")},"{a}"'
            for q in ("q1", "model='x' y")
            for s, a in enumerate(answers)
        ]
        (tmp_path / f"{name}.csv").write_text(
            "question,sample,correct,answer\n" + "\n".join(rows) + "\n"
        )
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    for words in (
        ["explain", a, b, "q1"],
        ["explain", a, "q1"],
        ["explain", a],
        ["score", a, "--by", "answer"],
        ["describe", a, "--by", "answer"],
        ["score", a, "--model", "answer", "--no-answer", "vote"],
    ):
        out = command(*words).stdout
        assert (
            any(word in out for word in (*answers[:2], "model='x' y"))
            and "--score 0.5" not in out
            and "--missing drop it" not in out
            and "--model x" not in out
        ), words
    assert answers[0] in command("explain", a, b, "q1").stdout


def test_a_pipe_is_named(tmp_path):
    for name in "run.csv", "run.jsonl":
        os.mkfifo(path := tmp_path / name)
        for words in (
            ["score", path],
            ["compare", RUN, path],
            ["describe", path],
            ["counts", path, "-o", tmp_path / "c.parquet"],
        ):
            run = command(*words)
            assert (
                run.returncode == 2
                and "is a pipe; - reads standard input" in run.stderr.replace("\n", " ")
                and run.stdout == ""
            )
        with pytest.raises(ValueError, match="is a pipe; - reads standard input"):
            score(path)


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv"])
@pytest.mark.parametrize("column", ["question", "sample", "correct", "score", "answer"])
def test_whole_numbers_of_thousands_of_digits(kind, column, tmp_path):
    rows = [dict(question=1, sample=1, correct=1), dict(question=2, sample=1, correct=0)]
    if column == "score":
        rows = [dict(question=i, sample=1, score=0.5) for i in (1, 2)]
    huge = "9" * 5000
    rows[0][column] = "HUGE"
    if column == "answer":
        rows[1]["answer"] = 3
    texts = [json.dumps(row).replace('"HUGE"', huge) for row in rows]
    told = "\n".join(texts) if kind == "jsonl" else f"[{','.join(texts)}]"
    if kind == "csv":
        told = "\n".join(
            [
                ",".join(rows[0]),
                *(
                    ",".join(str(row.get(name, "")).replace("HUGE", huge) for name in rows[0])
                    for row in rows
                ),
            ]
        )
    (path := tmp_path / f"run.{kind}").write_text(told + "\n")
    run = command("score", path)
    assert (
        "Traceback" not in run.stderr and "set_int_max" not in run.stderr and len(run.stderr) < 400
    )
    if kind == "csv":
        assert run.returncode == (2 if column in ("correct", "score") else 0)
    else:
        assert (
            run.returncode == 2
            and "a whole number may have at most 4,300 digits" in run.stderr.replace("\n", " ")
        )
    held = [
        {name: 10**5000 if value == "HUGE" else value for name, value in row.items()}
        for row in rows
    ]
    try:
        score(held)
    except ValueError as error:
        assert "set_int_max" not in str(error)


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="the system has no device that is always full"
)
def test_a_full_disk(tmp_path):
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "sampling_eval", "score", str(RUN)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (
        run.returncode == 2
        and run.stderr
        == "sampling-eval: cannot write the output: the disk is full; free some space, or write"
        " elsewhere\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["score", "-o", "a.json"],
        ["score", "--html", "a.html"],
        ["score", "--per-question", "a.parquet"],
        ["counts", "-o", "a.parquet"],
    ],
)
def test_a_disk_that_fills_up(words, tmp_path, monkeypatch):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def refuse(self, content):
        raise full

    monkeypatch.setattr(Path, "write_bytes", refuse)
    monkeypatch.setattr(os, "replace", lambda one, other: refuse(None, None))
    monkeypatch.setattr(duckdb, "IOException", OSError)
    verb, flag, name = words
    run = command(verb, RUN, flag, tmp_path / name)
    assert (
        run.returncode == 2
        and name in run.stderr
        and "the disk is full" in run.stderr.replace("\n", " ")
        and "Traceback" not in run.stderr
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words, meant",
    [
        ("gate b.csv a.csv", "--baseline a.csv"),
        ("table a.csv --latex", "--format latex"),
        ("score a.csv --missin drop", "--missing-cost or --missing"),
        ("score a.csv --alpha .1", None),
    ],
)
def test_an_unknown_option_says_what_was_meant(words, meant):
    said = command(*words.split()).stderr
    assert "unrecognized arguments: " in said
    assert f"did you mean {meant}?" in said if meant else "did you mean" not in said


@pytest.mark.parametrize("typed, meant", [("count", "counts"), ("comp", "compare"), ("zzz", "")])
def test_an_unknown_command_says_what_was_meant(typed, meant):
    said = command(typed, "a.csv").stderr
    assert f"invalid choice: '{typed}'" in said
    assert f"did you mean {meant}?" in said if meant else "did you mean" not in said


# compare, gate, plan and extrapolate as a user runs them: exit codes, files, one sentence for bad
# input.


def save(path, right, n=4, names=None, model=None):
    rows = [
        dict(question=names[q] if names else f"q{q}", sample=s, correct=int(s < c))
        | (dict(model=model) if model else {})
        for q, c in enumerate(right)
        for s in range(n)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    big = [(i * 7) % 5 for i in range(400)]
    return dict(
        base=save(folder / "base.jsonl", big),
        same=save(folder / "same.jsonl", big),
        worse=save(folder / "worse.jsonl", [max(c - 2, 0) for c in big]),
        few=save(folder / "few.jsonl", [4, 2, 0, 1]),
        fewer=save(folder / "fewer.jsonl", [4, 1, 0, 2]),
        other=save(folder / "other.jsonl", [1, 2], names=["x", "y"]),
    )


def test_compare_table(runs):
    run = command("compare", runs["base"], runs["worse"], "-k", "1,4")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(
        "worse.jsonl trails base.jsonl by "
    ) and "worse.jsonl is significantly worse at pass@1, pass@4" in " ".join(run.stdout.split())
    full = command("compare", runs["base"], runs["worse"], "-k", "1,4", "--how").stdout
    assert (
        "worse.jsonl is worse at k = 1-4" in " ".join(full.split())
        and "Same 400 questions; 4 samples each." in full
        and "\nMethods\n" in full
    )


def test_compare_forms(runs, tmp_path):
    run = command(
        "compare",
        runs["few"],
        runs["fewer"],
        "--html",
        tmp_path / "r.html",
        "-o",
        tmp_path / "r.svg",
        "-f",
        "json",
    )
    assert run.returncode == 0, run.stderr
    assert [row["metric"] for row in json.loads(run.stdout)["rows"]] == [
        f"pass@{k}" for k in (1, 2, 3, 4)
    ]
    assert (
        "<svg" in (tmp_path / "r.html").read_text("utf-8")
        and (tmp_path / "r.svg").stat().st_size > 1000
    )
    for suffix in ("json", "csv", "md", "tex", "txt"):
        assert (
            command(
                "compare", runs["few"], runs["fewer"], "-m", "avg@n", "-o", tmp_path / f"r.{suffix}"
            ).returncode
            == 0
        )
        assert (tmp_path / f"r.{suffix}").stat().st_size > 100


def test_compare_several(runs):
    run = command("compare", runs["base"], runs["same"], runs["worse"], "-m", "pass@1")
    assert (
        run.returncode == 0
        and "base.jsonl and same.jsonl are equal in pass@1 (50.0 %): significantly better than "
        "worse.jsonl."
        in " ".join(run.stdout.split())
    )
    whole = command("compare", runs["base"], runs["same"], runs["worse"], "-m", "pass@1", "--how")
    assert "\nAll pairs\n" in whole.stdout and "base.jsonl - same.jsonl" in whole.stdout


def gate(*arguments):
    return command("gate", *arguments)


def test_gate_states(runs):
    passed = gate(
        runs["same"],
        "--baseline",
        runs["base"],
        "--max-drop",
        "0.05",
        "--minimum",
        "pass@1=0.4",
        "--allow-identical",
    )
    assert passed.returncode == 0 and passed.stdout.startswith(
        "PASS: both rules passed, same questions.\n\nNew questions: pass for "
    )
    failed = gate(
        runs["worse"], "--baseline", runs["base"], "--metrics", "pass@1", "--max-drop", "0.02"
    )
    assert failed.returncode == 1 and failed.stdout.startswith("FAIL: ")
    weak = "few", "--baseline", runs["fewer"], "--max-drop", "0.02"
    weak = (runs["few"], *weak[1:])
    run = gate(*weak)
    assert (
        run.returncode == 3
        and run.stdout.startswith("INCONCLUSIVE: few.jsonl - fewer.jsonl = ")
        and "would decide" in " ".join(run.stdout.split())
    )
    assert (
        gate(*weak, "--strict").returncode == 1
        and gate(*weak, "--inconclusive-passes").returncode == 0
    )
    both = gate(*weak, "--strict", "--inconclusive-passes")
    assert both.returncode == 2 and "contradict" in both.stderr
    assert (
        " ".join(gate(*weak, "--target", "new_questions").stdout.split()).count("new questions")
        >= 1
    )
    assert (
        gate(
            runs["same"],
            "--baseline",
            runs["base"],
            "--max-drop",
            "0.05",
            "--strict",
            "--allow-identical",
        ).returncode
        == 0
    )
    assert gate(runs["base"], "--minimum", "pass^4=0.9").returncode == 1
    assert gate(runs["base"], "--minimum", "pass@1=0.4", "--minimum", "pass^4=0.9").returncode == 1


def test_gate_formats(runs):
    weak = runs["few"], "--baseline", runs["fewer"], "--max-drop", "0.02"
    found = json.loads((run := gate(*weak, "--format", "json")).stdout)
    assert found["verdict"] == "inconclusive" and run.stderr.count("warning: ") == 1
    table = gate(*weak, "--format", "github").stdout
    assert (
        table.startswith("**INCONCLUSIVE: few.jsonl")
        and "| rule | value |" in table.partition("<details>")[2]
    )
    failed = gate(
        runs["worse"], "--baseline", runs["base"], "--metrics", "pass^2", "--max-drop", "0.02"
    )
    typed = re.search(r"\nsampling-eval (explain [^\n]+(?:\n  [^\n]+)*)", failed.stdout)[1]
    shown = command(*shlex.split(typed.replace("\\\n", "")))
    assert shown.returncode == 0 and "in pass^2 on 0, lower on 240" in " ".join(
        shown.stdout.split()
    )


def test_gate_with_nothing_to_judge(runs):
    base = runs["base"]
    for arguments, text in (
        ((base,), "a gate needs a rule"),
        ((base, "--baseline", base), "go together"),
        ((base, "--minimum", "pass^4"), "--minimum must be a metric and a number"),
        ((base, "--minimum", "pass^4=nan"), "--minimum must be"),
        ((base, "--minimum", "pass^4=90"), "must lie in [0, 1]"),
        ((base, "--minimum", "pass^9=0.5"), "k=9 needs 9 samples"),
        ((base, "--minimum", "pas@4=0.5"), "unknown metric"),
        (("missing.jsonl", "--minimum", "pass@1=0.5"), "missing.jsonl"),
        ((base, "--baseline", runs["other"], "--max-drop", "0.02"), "must share questions"),
        ((base, "--baseline", runs["few"], "--max-drop", "0.02"), "must cover the same questions"),
        ((base, "--baseline", runs["worse"], "--max-drop", "2"), "0.02"),
        ((base, "--max-drop", "0.1"), "go together"),
    ):
        run = gate(*arguments)
        assert run.returncode == 2 and not run.stdout, (arguments, run.stdout)
        assert (
            text in run.stderr
            and run.stderr.startswith("sampling-eval: ")
            and len(run.stderr.splitlines()) == 1
        ), run.stderr
    assert (
        gate().returncode == 2
        and gate(base, "--max-drop", "x").returncode == 2
        and gate(base, "--format", "xml").returncode == 2
    )


def test_compare_bad_input(runs):
    for arguments, text in (
        ((runs["base"], runs["other"]), "must share questions"),
        ((runs["base"], runs["few"]), "--on-unmatched drop"),
        ((runs["base"],), "compare needs two systems"),
        ((runs["few"], runs["fewer"], "-k", "5"), "k=5 needs 5 samples"),
        ((runs["few"], runs["fewer"], "-m", "maj@3"), "no answers"),
        ((runs["few"], runs["fewer"], "-k", "2.0"), "k must be numbers"),
    ):
        run = command("compare", *arguments)
        assert (
            run.returncode == 2
            and not run.stdout
            and text in run.stderr
            and len(run.stderr.splitlines()) == 1
        ), run.stderr
    assert (
        command(
            "compare", runs["base"], runs["few"], "--on-unmatched", "drop", "-m", "pass@1"
        ).returncode
        == 0
    )


def test_plan_and_extrapolate(runs, tmp_path):
    run = command(
        "plan",
        runs["base"],
        runs["worse"],
        "--delta",
        "0.02",
        "-n",
        "2,4",
        "--html",
        tmp_path / "p.html",
        "-o",
        tmp_path / "p.json",
    )
    assert (
        run.returncode == 0
        and "would detect a true difference of 2 points" in " ".join(run.stdout.split())
        and "<svg" in (tmp_path / "p.html").read_text("utf-8")
    ), run.stderr
    assert len(json.loads((tmp_path / "p.json").read_text())["rows"]) == 2
    assert "uniformly distributed difficulty" in command("plan", "--questions", "198").stdout
    run = command("extrapolate", runs["base"], "-k", "4,100", "-o", tmp_path / "e.png")
    assert (
        run.returncode == 0
        and "is an extrapolation" in run.stdout
        and (tmp_path / "e.png").stat().st_size > 1000
    ), run.stderr
    for arguments, text in (
        (("plan",), "give --delta"),
        (("plan", "--delta", "0.02", "-m", "maj@4"), "from the number of right samples"),
        (("extrapolate", runs["base"], "-m", "avg@n"), "from the number of right samples"),
    ):
        run = command(*arguments)
        assert (
            run.returncode == 2 and text in run.stderr and len(run.stderr.splitlines()) == 1
        ), run.stderr


# Options of the command: values as they are typed, and what is derived from the verbs.


@pytest.mark.parametrize(
    "text, found",
    [
        (None, None),
        ("4", [4]),
        ("1,8,64", [1, 8, 64]),
        ("8,1", [8, 1]),
        ("1-4", [1, 2, 3, 4]),
        ("2..3", [2, 3]),
        (" 2 - 4 , 9", [2, 3, 4, 9]),
        ("5-5", [5]),
        ("0", [0]),
        ("999999999", [999_999_999]),
    ],
)
def test_budgets(text, found):
    assert parse_budgets(text) == found


@pytest.mark.parametrize(
    "text", ["", "1,", "1-", "-3", "a", "1.5", "²", "1-b", "1234567890", "1-2-3"]
)
def test_budgets_that_are_no_numbers(text):
    with pytest.raises(ValueError) as caught:
        parse_budgets(text)
    assert (
        str(caught.value)
        == f"k must be numbers such as 1,8,64 or a range such as 1-8, got {text!r}"
    )


@pytest.mark.parametrize("text, part", [("8-1", "8-1"), ("1,2-1048578", "2-1048578")])
def test_ranges_that_do_not_rise_or_too_far(text, part):
    with pytest.raises(ValueError) as caught:
        parse_budgets(text)
    assert str(caught.value) == f"a range of k must rise, by at most 1048576, got {part!r}"
    assert len(parse_budgets("2-1048577")) == MOST_BUDGETS == 2**20


def test_least_values():
    assert parse_minimum(None) == parse_minimum([]) == {}
    assert parse_minimum(["pass^4=0.9", "a=b=-1e3"]) == {"pass^4": 0.9, "a=b": -1000.0}
    for rule in ("=0.5", "pass@1", "pass@1=", "pass@1=x", "pass@1=nan", "0.5"):
        with pytest.raises(ValueError) as caught:
            parse_minimum([rule])
        assert (
            str(caught.value)
            == f"minimum must be a metric and a number such as pass^4=0.9, got {rule!r}"
        )
    with pytest.raises(ValueError) as caught:
        parse_minimum(["pass@1=0.5", "pass@2=0.5", "pass@1=0.6"])
    assert str(caught.value) == "minimum must name each metric once, got 'pass@1' twice"


@pytest.mark.parametrize(
    "error, said",
    [
        (ValueError("a rule"), "a rule"),
        (OSError("no number"), "no number"),
        (OSError(2, "No such file", "x.csv"), "cannot use 'x.csv': no such file"),
        (OSError(5, "Input/output error"), "input/output error"),
        (OSError(5, None, "x"), "cannot use 'x': oserror"),
        (PermissionError(13, ""), "permissionerror"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), f"cannot write the output: {FULL}"),
        (OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), "x"), f"cannot write x: {FULL}"),
    ],
)
def test_an_error_in_one_sentence(error, said):
    assert error_message(error) == said


@pytest.mark.parametrize(
    "word, meant",
    [
        ("--missing-cos", "--missing-cost"),
        ("--missin=drop", "--missing-cost or --missing"),
        ("--missin", "--missing-cost or --missing"),
        ("--mising", "--missing"),
        ("--m", None),
        ("--conf", "--confidence-level or --conflict"),
        ("--abstain", "--no-answer abstain"),
        ("--json", "--format json"),
        ("-x", None),
        ("--qqqqqq", None),
        ("b.csv", None),
    ],
)
def test_what_an_unknown_option_was_meant_to_be(word, meant):
    asked, _ = make_parser(["score"]).parse_known_args(["score", "a.csv"])
    assert cli.suggest_option(word, asked) == meant
    assert cli.suggest_option(word, argparse.Namespace()) is None
    gate, _ = make_parser(["gate"]).parse_known_args(["gate", "a.csv"])
    assert word != "b.csv" or cli.suggest_option(word, gate) == "--baseline b.csv"
    assert cli.suggest_option("--co", asked).count(" or ") == 2


@pytest.mark.parametrize("stream, told", [("stdout", "output"), ("stderr", "error")])
def test_a_stream_that_is_closed(stream, told, monkeypatch):
    other = io.StringIO()
    monkeypatch.setattr(sys, "stdout", None if stream == "stdout" else other)
    monkeypatch.setattr(sys, "stderr", None if stream == "stderr" else other)
    assert cli.guard(["audit", "0.84", "--questions", "50"]) == 2
    number = "2" * (stream == "stderr")
    assert other.getvalue() == (
        f"sampling-eval: the standard {told} is closed; to hide it, type {number}>/dev/null\n"
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_a_command_that_is_interrupted(error, monkeypatch):
    def stop(asked):
        raise error

    monkeypatch.setattr(cli, "run", stop)
    ran = command("score", "a.csv")
    assert ran.returncode == 130 and ran.stdout == ""
    assert ran.stderr == "sampling-eval: interrupted; nothing was left half-written\n"


@pytest.mark.parametrize(
    "error, said",
    [
        (MemoryError(), f"sampling-eval: {TOO_LARGE}\n"),
        (OSError(2, "No such file", "x"), "sampling-eval: cannot use 'x': no such file\n"),
        (ValueError("a rule"), "sampling-eval: a rule\n"),
        (ImportError("needs x"), "sampling-eval: needs x\n"),
    ],
)
def test_a_command_that_fails_ends_with_2(error, said, monkeypatch):
    def fail(asked):
        raise error

    monkeypatch.setattr(cli, "run", fail)
    ran = command("score", "a.csv")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)


def test_a_fault_is_told_where_it_stands(monkeypatch):
    monkeypatch.setattr(cli, "drop_output", lambda: None)
    for error in RuntimeError("other"), KeyError("k"):
        def fail(asked):
            raise error

        monkeypatch.setattr(cli, "run", fail)
        ran = command("score", "a.csv")
        assert ran.returncode == 2 and ran.stderr.startswith("Traceback (most recent call last)")


def test_the_code_of_a_command_is_that_of_the_process(monkeypatch):
    for code in 0, 1, 3:
        monkeypatch.setattr(cli, "run", lambda asked: code)
        assert command("gate", "a.csv").returncode == code


def test_without_words_the_commands_are_listed():
    ran = command()
    assert ran.returncode == 2 and ran.stderr == "" and "commands:" in ran.stdout
    assert all(re.search(rf"\n +{name}\s", ran.stdout) for name in COMMANDS)
    helped = command("--help")
    assert (helped.returncode, helped.stdout) == (0, ran.stdout)


@pytest.mark.parametrize(
    "words, name",
    [([], None), (["x"], None), (["score"], "score"), (["-v", "gate", "score"], "gate")],
)
def test_the_command_that_was_typed(words, name):
    assert cli.typed_command(words) == name


def test_every_verb_and_its_command_have_the_same_options():
    "A new parameter of a verb is an option of its command; what a shell has not is named."
    for command in COMMANDS.values():
        if not command.verb:
            continue
        verb = unwrap(getattr(import_module(f"sampling_eval.{command.room}.verb"), command.verb))
        known = {*command.without, *PYTHON_ONLY, *READ_OPTIONS, "reading", "by_position"}
        assert {one.name for one in command.list_options()} - {one.name for one in command.own} == (
            signature(verb).parameters.keys() - known
        )


def test_help_shows_what_is_used_and_help_all_the_rest():
    "A page of sixty lines names the options that are typed; the others are one word away."
    short, whole = command("score", "--help").stdout, command("score", "--help-all").stdout
    assert len(short.splitlines()) <= 60 and "--missing" in short and "--conflict" not in short
    assert "--conflict" in whole and "--missing" in whole
    assert re.search(r"(\d+) more options are seldom used: sampling-eval score --help-all", short)
    # An option that is hidden is taken all the same.
    assert command("score", RUN, "--conflict", "any", "-f", "json").returncode == 0
    assert "--help-all" not in command("demo", "--help").stdout
