"compare, gate, plan and extrapolate as a user runs them: exit codes, files, one sentence for bad input."
import json
import re
import shlex

import pytest

from conftest import command


def save(path, right, n=4, names=None, model=None):
    rows = [dict(question=names[q] if names else f"q{q}", sample=s, correct=int(s < c)) | (dict(model=model) if model else {}) for q, c in enumerate(right) for s in range(n)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    big = [(i * 7) % 5 for i in range(400)]
    return dict(base=save(folder / "base.jsonl", big), same=save(folder / "same.jsonl", big), worse=save(folder / "worse.jsonl", [max(c - 2, 0) for c in big]),
                few=save(folder / "few.jsonl", [4, 2, 0, 1]), fewer=save(folder / "fewer.jsonl", [4, 1, 0, 2]), other=save(folder / "other.jsonl", [1, 2], names=["x", "y"]))


def test_compare_table(runs):
    run = command("compare", runs["base"], runs["worse"], "-k", "1,4")
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("worse.jsonl trails base.jsonl by ") and "worse.jsonl is significantly worse at pass@1, pass@4" in " ".join(run.stdout.split())
    full = command("compare", runs["base"], runs["worse"], "-k", "1,4", "--how").stdout
    assert "worse.jsonl is worse at k = 1-4" in " ".join(full.split()) and "Same 400 questions; 4 samples each." in full and "\nMethods\n" in full


def test_compare_forms(runs, tmp_path):
    run = command("compare", runs["few"], runs["fewer"], "--html", tmp_path / "r.html", "-o", tmp_path / "r.svg", "-f", "json")
    assert run.returncode == 0, run.stderr
    assert [row["metric"] for row in json.loads(run.stdout)["rows"]] == [f"pass@{k}" for k in (1, 2, 3, 4)]
    assert "<svg" in (tmp_path / "r.html").read_text("utf-8") and (tmp_path / "r.svg").stat().st_size > 1000
    for suffix in ("json", "csv", "md", "tex", "txt"):
        assert command("compare", runs["few"], runs["fewer"], "-m", "avg@n", "-o", tmp_path / f"r.{suffix}").returncode == 0
        assert (tmp_path / f"r.{suffix}").stat().st_size > 100


def test_compare_several(runs):
    run = command("compare", runs["base"], runs["same"], runs["worse"], "-m", "pass@1")
    assert run.returncode == 0 and "significantly better than worse.jsonl, inconclusive against same.jsonl." in " ".join(run.stdout.split())
    whole = command("compare", runs["base"], runs["same"], runs["worse"], "-m", "pass@1", "--how")
    assert "\nAll pairs\n" in whole.stdout and "base.jsonl - same.jsonl" in whole.stdout


def gate(*arguments): return command("gate", *arguments)


def test_gate_states(runs):
    passed = gate(runs["same"], "--baseline", runs["base"], "--max-drop", "0.05", "--minimum", "pass@1=0.4", "--allow-identical")
    assert passed.returncode == 0 and passed.stdout.startswith("PASS: both rules passed.\n\nsame.jsonl vs base.jsonl: ")
    failed = gate(runs["worse"], "--baseline", runs["base"], "--metrics", "pass@1", "--max-drop", "0.02")
    assert failed.returncode == 1 and failed.stdout.startswith("FAIL: ")
    weak = "few", "--baseline", runs["fewer"], "--max-drop", "0.02"
    weak = (runs["few"], *weak[1:])
    run = gate(*weak)
    assert run.returncode == 3 and run.stdout.startswith("INCONCLUSIVE: few.jsonl - fewer.jsonl = ") and "would decide" in " ".join(run.stdout.split())
    assert gate(*weak, "--strict").returncode == 1 and gate(*weak, "--inconclusive-passes").returncode == 0
    both = gate(*weak, "--strict", "--inconclusive-passes")
    assert both.returncode == 2 and "contradict" in both.stderr
    assert " ".join(gate(*weak, "--target", "new_questions").stdout.split()).count("new questions") >= 1
    assert gate(runs["same"], "--baseline", runs["base"], "--max-drop", "0.05", "--strict", "--allow-identical").returncode == 0
    assert gate(runs["base"], "--minimum", "pass^4=0.9").returncode == 1
    assert gate(runs["base"], "--minimum", "pass@1=0.4", "--minimum", "pass^4=0.9").returncode == 1


def test_gate_formats(runs):
    weak = runs["few"], "--baseline", runs["fewer"], "--max-drop", "0.02"
    found = json.loads((run := gate(*weak, "--format", "json")).stdout)
    assert found["verdict"] == "inconclusive" and run.stderr.count("warning: ") == 1
    table = gate(*weak, "--format", "github").stdout
    assert table.startswith("**INCONCLUSIVE: few.jsonl") and "| rule | value |" in table.partition("<details>")[2]
    failed = gate(runs["worse"], "--baseline", runs["base"], "--metrics", "pass^2", "--max-drop", "0.02")
    typed = re.search(r"\nsampling-eval (explain [^\n]+(?:\n  [^\n]+)*)", failed.stdout)[1]
    shown = command(*shlex.split(typed.replace("\\\n", "")))
    assert shown.returncode == 0 and "in pass^2 on 0, lower on 240" in " ".join(shown.stdout.split())


def test_gate_with_nothing_to_judge(runs):
    base = runs["base"]
    for arguments, text in (((base,), "a gate needs a rule"), ((base, "--baseline", base), "go together"), ((base, "--minimum", "pass^4"), "--minimum must be a metric and a number"),
                            ((base, "--minimum", "pass^4=nan"), "--minimum must be"), ((base, "--minimum", "pass^4=90"), "must lie in [0, 1]"), ((base, "--minimum", "pass^9=0.5"), "k=9 needs 9 samples"),
                            ((base, "--minimum", "pas@4=0.5"), "unknown metric"), (("missing.jsonl", "--minimum", "pass@1=0.5"), "missing.jsonl"),
                            ((base, "--baseline", runs["other"], "--max-drop", "0.02"), "must share questions"),
                            ((base, "--baseline", runs["few"], "--max-drop", "0.02"), "must cover the same questions"),
                            ((base, "--baseline", runs["worse"], "--max-drop", "2"), "0.02"), ((base, "--max-drop", "0.1"), "go together")):
        run = gate(*arguments)
        assert run.returncode == 2 and not run.stdout, (arguments, run.stdout)
        assert text in run.stderr and run.stderr.startswith("sampling-eval: ") and len(run.stderr.splitlines()) == 1, run.stderr
    assert gate().returncode == 2 and gate(base, "--max-drop", "x").returncode == 2 and gate(base, "--format", "xml").returncode == 2


def test_compare_bad_input(runs):
    for arguments, text in (((runs["base"], runs["other"]), "must share questions"), ((runs["base"], runs["few"]), "--on-unmatched drop"), ((runs["base"],), "compare needs two systems"),
                            ((runs["few"], runs["fewer"], "-k", "5"), "k=5 needs 5 samples"), ((runs["few"], runs["fewer"], "-m", "maj@3"), "no answers"),
                            ((runs["few"], runs["fewer"], "-k", "2.0"), "k must be numbers")):
        run = command("compare", *arguments)
        assert run.returncode == 2 and not run.stdout and text in run.stderr and len(run.stderr.splitlines()) == 1, run.stderr
    assert command("compare", runs["base"], runs["few"], "--on-unmatched", "drop", "-m", "pass@1").returncode == 0


def test_plan_and_extrapolate(runs, tmp_path):
    run = command("plan", runs["base"], runs["worse"], "--delta", "0.02", "-n", "2,4", "--html", tmp_path / "p.html", "-o", tmp_path / "p.json")
    assert run.returncode == 0 and "would detect a true difference of 2 points" in " ".join(run.stdout.split()) and "<svg" in (tmp_path / "p.html").read_text("utf-8"), run.stderr
    assert len(json.loads((tmp_path / "p.json").read_text())["rows"]) == 2
    assert "uniformly distributed difficulty" in command("plan", "--questions", "198").stdout
    run = command("extrapolate", runs["base"], "-k", "4,100", "-o", tmp_path / "e.png")
    assert run.returncode == 0 and "is an extrapolation" in run.stdout and (tmp_path / "e.png").stat().st_size > 1000, run.stderr
    for arguments, text in ((("plan",), "give --delta"), (("plan", "--delta", "0.02", "-m", "maj@4"), "from the number of right samples"), (("extrapolate", runs["base"], "-m", "avg@n"), "from the number of right samples")):
        run = command(*arguments)
        assert run.returncode == 2 and text in run.stderr and len(run.stderr.splitlines()) == 1, run.stderr
