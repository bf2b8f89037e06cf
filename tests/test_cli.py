"The command as a user runs it: what it prints, exit codes, and one sentence for bad input."
import errno, json, os, re, shlex, subprocess, sys
from pathlib import Path

import duckdb
import pytest

from conftest import command
from sampling_eval import cli, score
from sampling_eval.cli import make_parser
from sampling_eval.cli_options import derive_reading
from sampling_eval.cli import TOO_LARGE

RUN = Path(__file__).resolve().parents[1] / "sampling_eval" / "examples" / "tau_bench_airline_gpt4o.jsonl"


def start(*words):
    "A process of its own, as in a shell."
    told = [sys.executable, "-m", "sampling_eval", *map(str, words)]
    return subprocess.run(told, capture_output=True, text=True)


def test_in_a_process_of_its_own():
    good, bad, version = start("score", RUN), start("score", "none.jsonl"), start("--version")
    assert good.returncode == 0 and good.stdout.startswith("gpt-4o: pass@1 = 42.0 % (95 % CI 31.5 to 53.4 %")
    assert (bad.returncode, bad.stdout) == (2, "") and "no file to read at none.jsonl" in bad.stderr
    assert "Traceback" not in bad.stderr and version.stdout.strip() == "0.1.0"


def test_published_row():
    run = command("score", RUN, "-m", "pass^k")
    assert run.returncode == 0, run.stderr
    for value in ("42.0 %", "27.3 %", "22.0 %", "20.0 %"): assert value in run.stdout
    assert "200 rows" in run.stdout and "no sample missing" in run.stdout


def test_whole_table():
    out = command("score", RUN).stdout
    assert out.startswith("gpt-4o: pass@1 = 42.0 %") and "\n\nNext: --how" in out
    for name in ("metric                            k = 1          2", "pass@k", "pass^k", "cons@k", "avg@4", "g-pass@4_0.5", "g-pass@4_0.75", "g-pass@4_1.0", "mg-pass@4"):
        assert f"\n{name} " in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_next_command_of_several_models_runs(tmp_path):
    (path := tmp_path / "two models.csv").write_text("task,model,ok\n" + "".join(
        f"{q},{m},{int((q + s) % 3 < 1 + (m == 'b'))}\n" for q in range(9) for m in "ab" for s in range(3)))
    out = command("score", path, "--question", "task", "--correct", "ok").stdout
    typed = re.search(r"\nNext: .*?\n\n(sampling-eval compare .*?)\n\n", out, re.S)[1].replace("\\\n", "")
    words = shlex.split(typed)
    assert words[:3] == ["sampling-eval", "compare", str(path)] and words[3:7] == ["--models", "a", "--models", "b"]
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
    assert "27.3" in page and page.count("<svg") == 2 and "http:" not in page and "https:" not in page and "95&nbsp;% CI" in page
    assert (tmp_path / "curve.svg").read_text("utf-8").startswith("<?xml")
    for suffix in ("json", "csv", "md", "tex", "png"):
        assert command("score", RUN, "-o", tmp_path / f"r.{suffix}").returncode == 0
        assert (tmp_path / f"r.{suffix}").stat().st_size > 100
    assert not list(tmp_path.glob("*.part"))


def test_demo(): assert "27.3 %" in command("demo").stdout


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
    assert run.returncode == 2 and run.stdout == "" and "Traceback" not in run.stderr, run.stdout + run.stderr
    assert word in run.stderr and len(run.stderr.strip().splitlines()) == 1, run.stderr


def test_unknown_option_is_usage(): assert command("score", RUN, "--nonsense").returncode == 2


@pytest.mark.parametrize("words, said", [
    ("score a.csv --nonsense 1", "sampling-eval score: unrecognized arguments: --nonsense 1; sampling-eval score "
                                 "--help lists what there is"),
    ("plan a.csv b.csv c.csv", "sampling-eval plan: unrecognized arguments: c.csv; sampling-eval plan --help lists "
                               "what there is"),
    ("--nonsense", "sampling-eval: unrecognized arguments: --nonsense; sampling-eval --help lists what there is"),
    ("score a.csv --confidence-level x",
     "sampling-eval score: argument --confidence-level: invalid float value: 'x'; sampling-eval score --help lists "
     "what there is"),
    ("--vers", "sampling-eval: unrecognized arguments: --vers; sampling-eval --help lists what there is"),
    ("merge a.csv", "sampling-eval merge: the following arguments are required: -o/--output; sampling-eval merge "
                    "--help lists what there is"),
    ("score a.csv --conf .9", "sampling-eval score: unrecognized arguments: --conf .9; did you mean --confidence-level "
                              "or --conflict?; sampling-eval score --help lists what there is")])
def test_words_that_are_not_understood(words, said):
    run = command(*words.split())
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"{said}\n")


def test_files_may_stand_on_both_sides_of_options():
    asked = make_parser(words=["score"]).parse_args(["score", "a.csv", "--by", "g", "b.csv", "c.csv"])
    assert asked.files == ["a.csv", "b.csv", "c.csv"] and asked.by == "g"


def test_only_what_was_typed_has_options():
    typed, all_ = make_parser(words=["score"]), make_parser()
    assert all_.parse_args(["gate", "a.csv", "--strict"]).strict
    assert make_parser(["gate"]).parse_args(["gate", "a"]).new == "a"
    with pytest.raises(SystemExit): typed.parse_args(["gate", "a.csv", "--strict"])
    with pytest.raises(SystemExit): make_parser(["gate"]).parse_args(["score", "a.csv"])


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_help_of_a_command_has_what_it_takes(name):
    below = next(one for one in make_parser([name])._actions if one.dest == "command").choices[name]
    told = {one.dest: one for one in below._actions if one.dest != "help" and one.help != "==SUPPRESS=="}
    wanted = cli.COMMANDS[name]
    reading = [one for group in derive_reading().values() for one in group]
    options = [*wanted.list_options(), *(reading if wanted.reads else ())]
    assert all(one.about and len(one.about) < 130 and "None" not in one.about for one in options), "help says what there is"
    assert list(told) == [place for place, *_ in wanted.places] + [one.name for one in options]
    for place, help_, many in wanted.places: assert (told[place].help, told[place].nargs) == (help_, many)
    for one in options:
        found = told[one.name]
        assert found.option_strings == [*one.flags, "--" + one.name.replace("_", "-")] and found.help == one.help
        assert (found.default, found.required) == (False if one.switch else one.default, one.required)
        assert found.choices == one.choices and found.const == (True if one.switch else one.alone)
    old = {spelling for one in below._actions if one.help == "==SUPPRESS==" for spelling in one.option_strings}
    assert old == {spelling for one in options for spelling in one.hidden}
    groups = [group.title for group in below._action_groups[2:]]
    assert groups == (["policies", "columns", "logs"] if wanted.reads else [])
    assert below.description == wanted.run.__doc__ and not below.allow_abbrev


def test_what_stands_for_a_value():
    kinds = dict(power="NUMBER", questions="INT", output="FILE", metrics="NAMES", method="{normal,t}", on_unmatched="{refuse,drop}", format="{" + "table,json,markdown,latex,csv" + "}")
    assert {one.name: one.kind_name() for one in cli.COMMANDS["plan"].list_options() if one.name in kinds} == kinds


def test_no_words_print_the_help():
    run = command()
    assert run.returncode == 2 and run.stdout == command("--help").stdout and run.stderr == ""


@pytest.mark.parametrize("error, code, said", [
    (KeyboardInterrupt(), 130, "interrupted; nothing was left half-written"),
    (RuntimeError("Query interrupted"), 130, "interrupted; nothing was left half-written"),
    (MemoryError(), 2, TOO_LARGE),
    (FileNotFoundError(2, "No such file", "x"), 2, "cannot use 'x': no such file"),
    (ImportError("needs it"), 2, "needs it")])
def test_whatever_stops_a_command_is_told(error, code, said, monkeypatch):
    def stop(asked): raise error
    monkeypatch.setattr(cli, "run", stop)
    run = command("score", "a.csv")
    assert (run.returncode, run.stdout, run.stderr) == (code, "", f"sampling-eval: {said}\n")


def test_a_fault_of_the_package_is_shown_whole(monkeypatch):
    def stop(asked): raise RuntimeError("a fault")
    monkeypatch.setattr(cli, "run", stop)
    with pytest.raises(RuntimeError, match="a fault"): command("score", "a.csv")


def test_a_closed_output_ends_a_command(monkeypatch):
    def stop(asked): raise BrokenPipeError()
    monkeypatch.setattr(cli, "run", stop)
    monkeypatch.setattr(cli, "close_output", lambda: 141)
    assert command("score", "a.csv").returncode == 141


def test_errors_are_wrapped_where_a_person_reads(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    cli.tell("word " * 30)
    assert capsys.readouterr().err.count("\n") == 2
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    cli.tell("word " * 30 + "\x1b")
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "\x1b" not in told


def test_the_commands_of_switches():
    for name, verb in cli.OTHERS.items(): assert name in {one.name for one in cli.COMMANDS[verb].list_options()}


def list_imported(*words):
    "What a command prints, and every module that it imports."
    code = """
import sys
from sampling_eval import cli
sys.argv = ["sampling-eval", *sys.argv[1:]]
try: cli.main()
except SystemExit: pass
print("", *sys.modules)"""
    told = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True).stdout
    told, _, names = told.rstrip("\n").rpartition("\n")
    return told, names.split()


@pytest.mark.parametrize("words, shown", [("--help", "extrapolate"), ("compare --help", "{expected,wrong,first}")])
def test_help_imports_no_numpy_and_no_verb(words, shown):
    told, names = list_imported(*words.split())
    rooms = "sampling_eval.verbs.", "sampling_eval.io.", "sampling_eval.results", "sampling_eval.inference"
    assert shown in told and not [name for name in names if name == "numpy" or name.startswith(rooms)]


# What a plain table of outcomes does not need: each is imported when an option, a log or a file asks for it.
UNUSED = """inference.judges inference.borrowing inference.comparison inference.curves inference.pairs
    inference.paired_comparison inference.planning inference.ranking inference.randomization inference.regressions
    inference.sequential inference.significance inference.spending io.counts_file io.duckdb io.harness.ask
    io.harness.grading io.harness.logs io.merging metrics.cost metrics.guarded metrics.portfolio report.html
    report.score_plot report.svg results.comparison results.verdicts verbs.comparing
    verbs.score_parts verbs.systems"""


def test_a_score_of_a_table_imports_what_it_uses(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("question,sample,correct\n" + "".join(f"q{i},{j},{i * j % 2}\n" for i in range(9) for j in range(2)))
    told, names = list_imported("score", str(path))
    assert "pass@1" in told and not {f"sampling_eval.{name}" for name in UNUSED.split()} & {*names}


@pytest.mark.parametrize("words", ["score a.csv -o a.csv", "compare b.csv a.csv --html a.csv",
                                   "gate a.csv --minimum pass@1=0.1 --junit a.csv",
                                   "gate b.csv --baseline a.csv --max-drop 1 --github-summary a.csv",
                                   "plan b.csv a.csv --delta 1 -o a.csv",
                                   "score a.csv --per-question a.csv", "score a.csv --plot a.csv",
                                   "counts a.csv -o a.csv", "score b.csv . -o a.csv"])
def test_what_is_read_is_never_written_over(words, tmp_path):
    for name in "ab": (tmp_path / f"{name}.csv").write_text("question,correct\n1,1\n1,0\n")
    run = command(*words.split(), cwd=tmp_path)
    assert run.returncode == 2 and "a.csv holds the data that were read; write the result to another file" in run.stderr
    assert (tmp_path / "a.csv").read_text() == "question,correct\n1,1\n1,0\n"


def test_counts_and_merge(tmp_path):
    run = command("counts", RUN, "-o", tmp_path / "counts.parquet")
    assert run.returncode == 0 and "200 rows" in run.stdout, run.stderr
    counted, read = (command("score", path, "-m", "pass^k").stdout.splitlines() for path in (tmp_path / "counts.parquet", RUN))
    tables = [[line for line in lines if "%" in line or "–" in line] for lines in (counted, read)]
    assert tables[0] == tables[1] and "27.3 %" in "".join(tables[1])
    again = command("merge", tmp_path / "counts.parquet", RUN, "-o", tmp_path / "twice.parquet")
    assert again.returncode == 2 and "twice" in again.stderr and not (tmp_path / "twice.parquet").exists()
    odd = command("counts", RUN, "-o", tmp_path / "x.parquet", "--missing", "drop")
    assert odd.returncode == 2 and "--missing is for score and the other commands" in odd.stderr


def test_answers_that_look_like_options_print_unchanged(tmp_path):
    answers = "score='0.5' wins", "missing='drop' it", "no"
    for name in "ab":
        rows = [f'{q},{s},{int(s == 0 and name == "a")},"{a}"' for q in ("q1", "model='x' y") for s, a in enumerate(answers)]
        (tmp_path / f"{name}.csv").write_text("question,sample,correct,answer\n" + "\n".join(rows) + "\n")
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    for words in ["explain", a, b, "q1"], ["explain", a, "q1"], ["explain", a], ["score", a, "--by", "answer"], ["describe", a, "--by", "answer"], ["score", a, "--model", "answer", "--no-answer", "vote"]:
        out = command(*words).stdout
        assert any(word in out for word in (*answers[:2], "model='x' y")) and "--score 0.5" not in out and "--missing drop it" not in out and "--model x" not in out, words
    assert answers[0] in command("explain", a, b, "q1").stdout


def test_a_pipe_is_named(tmp_path):
    for name in "run.csv", "run.jsonl":
        os.mkfifo(path := tmp_path / name)
        for words in ["score", path], ["compare", RUN, path], ["describe", path], ["counts", path, "-o", tmp_path / "c.parquet"]:
            run = command(*words)
            assert run.returncode == 2 and "is a pipe; - reads standard input" in run.stderr.replace("\n", " ") and run.stdout == ""
        with pytest.raises(ValueError, match="is a pipe; - reads standard input"): score(path)


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv"])
@pytest.mark.parametrize("column", ["question", "sample", "correct", "score", "answer"])
def test_whole_numbers_of_thousands_of_digits(kind, column, tmp_path):
    rows = [dict(question=1, sample=1, correct=1), dict(question=2, sample=1, correct=0)]
    if column == "score": rows = [dict(question=i, sample=1, score=.5) for i in (1, 2)]
    huge = "9" * 5000
    rows[0][column] = "HUGE"
    if column == "answer": rows[1]["answer"] = 3
    texts = [json.dumps(row).replace('"HUGE"', huge) for row in rows]
    told = "\n".join(texts) if kind == "jsonl" else f"[{','.join(texts)}]"
    if kind == "csv": told = "\n".join([",".join(rows[0]), *(",".join(str(row.get(name, "")).replace("HUGE", huge) for name in rows[0]) for row in rows)])
    (path := tmp_path / f"run.{kind}").write_text(told + "\n")
    run = command("score", path)
    assert "Traceback" not in run.stderr and "set_int_max" not in run.stderr and len(run.stderr) < 400
    if kind == "csv": assert run.returncode == (2 if column in ("correct", "score") else 0)
    else: assert run.returncode == 2 and "a whole number may have at most 4,300 digits" in run.stderr.replace("\n", " ")
    held = [{name: 10**5000 if value == "HUGE" else value for name, value in row.items()} for row in rows]
    try: score(held)
    except ValueError as error: assert "set_int_max" not in str(error)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no device that is always full")
def test_a_full_disk(tmp_path):
    with open("/dev/full", "w") as full:
        run = subprocess.run([sys.executable, "-m", "sampling_eval", "score", str(RUN)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2 and run.stderr == "sampling-eval: cannot write the output: the disk is full; free some space, or write elsewhere\n"


@pytest.mark.parametrize("words", [["score", "-o", "a.json"], ["score", "--html", "a.html"], ["score", "--per-question", "a.parquet"], ["counts", "-o", "a.parquet"]])
def test_a_disk_that_fills_up(words, tmp_path, monkeypatch):
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def refuse(self, content): raise full
    monkeypatch.setattr(Path, "write_bytes", refuse)
    monkeypatch.setattr(os, "replace", lambda one, other: refuse(None, None))
    monkeypatch.setattr(duckdb, "IOException", OSError)
    verb, flag, name = words
    run = command(verb, RUN, flag, tmp_path / name)
    assert run.returncode == 2 and name in run.stderr and "the disk is full" in run.stderr.replace("\n", " ") and "Traceback" not in run.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words, meant", [
    ("gate b.csv a.csv", "--baseline a.csv"), ("table a.csv --latex", "--format latex"),
    ("score a.csv --missin drop", "--missing-cost or --missing"), ("score a.csv --alpha .1", None)])
def test_an_unknown_option_says_what_was_meant(words, meant):
    said = command(*words.split()).stderr
    assert "unrecognized arguments: " in said
    assert f"did you mean {meant}?" in said if meant else "did you mean" not in said
