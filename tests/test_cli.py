"The command as a user runs it: what it prints, exit codes, and one sentence for bad input."
import json, re, shlex, subprocess, sys
from pathlib import Path

import pytest

from conftest import command

RUN = Path(__file__).resolve().parents[1] / "sampling_eval" / "examples" / "tau_bench_airline_gpt4o.jsonl"


def start(*words):
    "A process of its own, as in a shell."
    told = [sys.executable, "-m", "sampling_eval", *map(str, words)]
    return subprocess.run(told, capture_output=True, text=True)


def test_in_a_process_of_its_own():
    good, bad, version = start("score", RUN), start("score", "none.jsonl"), start("--version")
    assert good.returncode == 0 and "gpt-4o is right in 42 % of its samples" in good.stdout
    assert (bad.returncode, bad.stdout) == (2, "") and "no file to read at none.jsonl" in bad.stderr
    assert "Traceback" not in bad.stderr and version.stdout.strip() == "0.1.0"


def test_published_row():
    run = command("score", RUN, "-m", "pass^k")
    assert run.returncode == 0, run.stderr
    for value in ("0.420", "0.273", "0.220", "0.200"): assert value in run.stdout
    assert "200 rows" in run.stdout and "no sample missing" in run.stdout


def test_whole_table():
    out = command("score", RUN).stdout
    assert "gpt-4o is right in 42 % of its samples" in out and "\n\nNext: --how" in out
    for name in ("metric                            k = 1          2", "pass@k", "pass^k", "cons@k", "avg@4", "g-pass@4_0.5", "g-pass@4_0.75", "g-pass@4_1.0", "mg-pass@4"):
        assert f"\n{name} " in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_next_command_of_several_models_runs(tmp_path):
    (path := tmp_path / "two models.csv").write_text("task,model,ok\n" + "".join(
        f"{q},{m},{int((q + s) % 3 < 1 + (m == 'b'))}\n" for q in range(9) for m in "ab" for s in range(3)))
    out = command("score", path, "--question", "task", "--correct", "ok").stdout
    typed = re.search(r"\nNext: (sampling-eval compare .*?)\n\nAlso: --how", out, re.S)[1].replace("\\\n", "")
    words = shlex.split(typed)
    assert words[:3] == ["sampling-eval", "compare", str(path)] and words[3:7] == ["--models", "a", "--models", "b"]
    run = command(*words[1:])
    assert run.returncode == 0 and "A = a, B = b" in run.stdout


def test_how_tells_the_method():
    out = command("score", RUN, "--how").stdout
    assert "(Chen et al. 2021)" in out and "name the column with --score" in out
    assert "(Chen et al. 2021)" not in command("score", RUN).stdout


def test_writes_files(tmp_path):
    run = command("score", RUN, "--html", tmp_path / "r.html", "-o", tmp_path / "curve.svg")
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "0.273" in page and page.count("<svg") == 5 and "http:" not in page and "https:" not in page and "95&nbsp;% intervals" in page
    assert (tmp_path / "curve.svg").read_text("utf-8").startswith("<?xml")
    for suffix in ("json", "csv", "md", "tex", "png"):
        assert command("score", RUN, "-o", tmp_path / f"r.{suffix}").returncode == 0
        assert (tmp_path / f"r.{suffix}").stat().st_size > 100
    assert not list(tmp_path.glob("*.part"))


def test_json_format():
    rows = json.loads(command("score", RUN, "-f", "json", "-k", "1,4", "-m", "pass@k").stdout)["rows"]
    assert [r["metric"] for r in rows] == ["pass@1", "pass@4"] and abs(rows[0]["estimate"] - .42) < 1e-12


def test_version_and_help():
    assert command("--version").stdout.strip() == "0.1.0"
    assert "score" in command("--help").stdout and "demo" in command("--help").stdout


def test_demo(): assert "0.273" in command("demo").stdout


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


def test_missing_file_and_directory(tmp_path):
    for path in ("none.jsonl", "."):
        run = command("score", path, cwd=tmp_path)
        assert run.returncode == 2 and "Traceback" not in run.stderr and run.stdout == ""


def test_unknown_option_is_usage(): assert command("score", RUN, "--nonsense").returncode == 2


def test_counts_and_merge(tmp_path):
    run = command("counts", RUN, "-o", tmp_path / "counts.parquet")
    assert run.returncode == 0 and "200 rows" in run.stdout, run.stderr
    counted, read = (command("score", path, "-m", "pass^k").stdout.splitlines() for path in (tmp_path / "counts.parquet", RUN))
    assert counted[2:9] == read[3:10] and "0.273" in "".join(read[3:10])
    again = command("merge", tmp_path / "counts.parquet", RUN, "-o", tmp_path / "twice.parquet")
    assert again.returncode == 2 and "twice" in again.stderr and not (tmp_path / "twice.parquet").exists()
    odd = command("counts", RUN, "-o", tmp_path / "x.parquet", "--missing", "drop")
    assert odd.returncode == 2 and "--missing is for score and the other commands" in odd.stderr
