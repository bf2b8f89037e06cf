"""Verdicts of a gate for continuous integration: JUnit XML, the summary and annotations of GitHub,
and the command."""

import json
import re
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from conftest import command
from sampling_eval import Counts, gate
from sampling_eval.cli import make_parser
from sampling_eval.analyses.gate.junit import (
    append_summary,
    in_workflow,
    silence_commands,
    summary_path,
    write_annotations,
)

HOSTILE = 'a]]><failure>&"\'<!--\n\x1b[31m\x00\ud800::error::x%0A|`*'
NAMES = ["q1", "q2", "q10", HOSTILE]
OLD = Counts([8] * 4, [8, 8, 8, 8], NAMES)
NEW = Counts([8] * 4, [8, 7, 0, 1], NAMES)


def judge(**options):
    return gate(NEW, **options)


def judge_few():
    return gate([[1, 0]] * 4, baseline=[[0, 1], [1, 1], [1, 0], [0, 1]], max_drop=0.02)


# JUnit XML.

ATTRIBUTES = {
    "name",
    "package",
    "id",
    "timestamp",
    "hostname",
    "tests",
    "failures",
    "errors",
    "skipped",
    "time",
}


def parse(result, **options):
    "The cases of a suite, held to what the schemas of Ant and Jenkins have in common."
    root = ElementTree.fromstring(
        result.to_junit(timestamp="2026-01-31T12:00:00", **options).encode()
    )
    (suite,) = root
    assert root.tag == "testsuites" and not root.attrib and set(suite.attrib) == ATTRIBUTES
    first, *cases, out, err = suite
    assert [first.tag, out.tag, err.tag] == ["properties", "system-out", "system-err"]
    for case in cases:
        assert (
            case.tag == "testcase"
            and set(case.attrib) == {"classname", "name", "time"}
            and len(case) <= 1
        )
        assert [o.tag for o in case] in ([], ["failure"], ["skipped"])
    number = {
        tag: sum(o.tag == tag for case in cases for o in case) for tag in ("failure", "skipped")
    }
    assert int(suite.get("tests")) == len(cases) and int(suite.get("failures")) == number["failure"]
    assert int(suite.get("skipped")) == number["skipped"] and suite.get("errors") == "0"
    return cases


def test_one_case_a_rule_and_a_question():
    found = parse(judge(baseline=OLD, max_drop=0.9, must_pass="q*", no_question_regresses=True))
    told = {
        (case.get("classname").rpartition(".")[2], case.get("name")): [o.tag for o in case]
        for case in found
    }
    hostile = next(name for _, name in told if name.startswith("a]]>"))
    assert told == {
        ("rules", "pass@1 drops by at most 0.9"): [],
        ("rules", "no question regresses"): ["failure"],
        ("rules", "must-pass questions pass"): ["failure"],
        ("must_pass", "q1"): [],
        ("must_pass", "q2"): ["failure"],
        ("must_pass", "q10"): ["failure"],
        ("regressions", "q10"): ["failure"],
        ("regressions", hostile): ["failure"],
    }
    said = [o.get("message") for case in found for o in case]
    assert "Regressed: q10 (8/8 to 0/8)." in said and "7/8 samples are right, 8 are needed." in said


def test_the_only_rule_says_what_it_found():
    case, *_ = parse(judge(must_pass="q1?"))
    assert (
        case[0].get("message")
        == "FAIL must-pass questions. 1 of 1 must-pass question not right in every sample: q10"
        " (0/8)."
    )
    case, *_ = parse(judge(baseline=OLD, no_question_regresses=True))
    assert (
        case[0]
        .get("message")
        .startswith("FAIL no question regresses. 2 questions regressed: q10 (8/8 to 0/8), ")
    )


def test_hostile_names_are_inert():
    text = judge(
        baseline=OLD, max_drop=0.9, must_pass=[HOSTILE], no_question_regresses=True
    ).to_junit()
    assert "\x1b" not in text and "\x00" not in text and "<!--" not in text and "\ud800" not in text
    ElementTree.fromstring(text.encode())


def test_regressions_are_no_failures_where_no_rule_says_so():
    found = parse(judge(baseline=OLD, max_drop=0.9))
    assert [case.get("name") for case in found] == ["pass@1 drops by at most 0.9"] and not list(
        found[0]
    )


@pytest.mark.parametrize(
    "options, tags",
    [
        ({}, ["failure"]),
        (dict(strict=True), ["failure"]),
        (dict(inconclusive_passes=True), []),
        (dict(skip_inconclusive=True), ["skipped"]),
        (dict(skip_inconclusive=True, strict=True), ["failure"]),
        (dict(skip_inconclusive=True, inconclusive_passes=True), []),
    ],
)
def test_inconclusive_fails_as_the_exit_code_does_unless_it_was_decided_on(options, tags):
    assert [o.tag for case in parse(judge_few(), **options) for o in case] == tags
    assert judge_few().to_junit(**options).count('type="inconclusive"') == (tags == ["failure"])


def test_junit_has_the_present_time():
    told = re.search(r'timestamp="([^"]+)"', judge_few().to_junit())[1]
    assert len(told) == 19 and timedelta() <= datetime.now() - datetime.fromisoformat(
        told
    ) < timedelta(minutes=5)


# GitHub.


@pytest.mark.parametrize(
    "path, environment, found",
    [
        (None, {"GITHUB_STEP_SUMMARY": "s"}, None),
        ("", {"GITHUB_STEP_SUMMARY": "s"}, Path("s")),
        ("own", {"GITHUB_STEP_SUMMARY": "s"}, Path("own")),
        ("own", {}, Path("own")),
    ],
)
def test_the_file_of_the_summary(path, environment, found):
    assert summary_path(path, environment) == found


@pytest.mark.parametrize("environment", [{}, {"GITHUB_STEP_SUMMARY": ""}])
def test_no_file_is_named(environment):
    with pytest.raises(
        ValueError, match=r"github_summary needs a path where \$GITHUB_STEP_SUMMARY is not set"
    ):
        summary_path("", environment)


@pytest.mark.parametrize(
    "environment, inside",
    [
        ({}, False),
        ({"GITHUB_ACTIONS": "true"}, True),
        ({"GITHUB_ACTIONS": "false"}, False),
        ({"CI": "true"}, False),
    ],
)
def test_workflows_are_recognized(environment, inside):
    assert in_workflow(environment) is inside


def test_summaries_follow_each_other(tmp_path):
    path = tmp_path / "s.md"
    append_summary(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    append_summary(path, "two\n")
    assert path.read_bytes() == "é\n\ntwo\n".encode()
    with pytest.raises(OSError):
        append_summary(tmp_path, "x")


def test_annotations():
    first, second, third = write_annotations(
        judge(baseline=OLD, max_drop=0.9, must_pass=["q10", HOSTILE])
    )
    assert first.startswith(
        "::error title=must-pass questions pass::FAIL must-pass questions. 2 of 2"
    )
    assert second == "::error title=q10::0/8 samples are right, 8 are needed."
    assert third.startswith("::error title=a]]>") and "%3A%3Aerror%3A%3Ax%250A" in third
    assert all("\n" not in line and line[2:].count("::") >= 1 for line in (first, second, third))
    few = judge_few()
    levels = [
        write_annotations(few, *o)[0].partition(" ")[0]
        for o in ((False, False), (True, False), (False, True))
    ]
    assert levels == ["::warning", "::error", "::notice"]
    assert (
        write_annotations(few)[0]
        == f"::warning title=pass@1 drops by at most 0.02::{few.warnings[0].replace('%', '%25')}"
    )


def test_ten_annotations_are_shown():
    many = Counts([4] * 12, [0] * 12, [f"q{i}" for i in range(12)])
    lines = write_annotations(gate(many, must_pass="q*"))
    assert (
        len(lines) == 10
        and lines[0].startswith("::error title=must-pass")
        and lines[-1].startswith("::error title=q8::")
    )


def test_commands_in_names_are_silenced():
    first, second = silence_commands("::error::x\n"), silence_commands("::error::x\n")
    assert (
        re.fullmatch(r"::stop-commands::([0-9a-f]{32})\n::error::x\n::\1::\n", first)
        and first != second
    )


# The command.


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")

    def save(name, right):
        rows = [
            dict(question=q, sample=s, correct=int(s < c))
            for q, c in zip(NAMES[:3], right)
            for s in range(8)
        ]
        (folder / name).write_text("\n".join(map(json.dumps, rows)))
        return folder / name

    return save("old.jsonl", [8, 8, 8]), save("new.jsonl", [8, 7, 0])


def test_command_writes_what_was_asked(runs, tmp_path, monkeypatch):
    old, new = runs
    xml, summary = tmp_path / "gate.xml", tmp_path / "s.md"
    summary.write_text("# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    run = command(
        "gate",
        new,
        "--baseline",
        old,
        "--max-drop",
        ".9",
        "--no-question-regresses",
        "--must-pass",
        "q1,q2",
        "--junit",
        xml,
        "--github-summary",
    )
    assert run.returncode == 1, run.stderr
    said = "1 question regressed: q10 (8/8 to 0/8); 1 more scored lower, none significantly."
    assert run.stdout.startswith("::stop-commands::") and said in " ".join(run.stdout.split())
    assert run.stderr.count("::error title=") == 4 and said in run.stderr
    assert (
        ElementTree.parse(xml).getroot().find("testsuite").get("failures") == "4"
        and said in xml.read_text()
    )
    text = summary.read_text()
    assert text.startswith(
        "# Before\n\n**FAIL: 2 of 3 rules failed (no question regresses; must-pass questions), same"
        " questions.**\n\n"
    )
    assert f"explain {old} {new} q10" in text and "Exit code 1." in text and said in text


def test_command_outside_of_a_workflow(runs, tmp_path, monkeypatch):
    _, new = runs
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    bare = command("gate", new, "--must-pass", "q1", "--github-summary")
    assert bare.returncode == 2 and "--github-summary needs a path" in bare.stderr
    run = command("gate", new, "--must-pass", "q1", "--github-summary", tmp_path / "s.md")
    assert (
        run.returncode == 0
        and "::" not in run.stdout + run.stderr
        and "must-pass" in (tmp_path / "s.md").read_text()
    )
    over = command("gate", new, "--must-pass", "q1", "--junit", new)
    assert over.returncode == 2 and "holds the data that were read" in over.stderr


@pytest.mark.parametrize(
    "words, code, failures, skipped",
    [
        ((), 3, 1, 0),
        (("--skip-inconclusive",), 3, 0, 1),
        (("--strict",), 1, 1, 0),
        (("--inconclusive-passes",), 0, 0, 0),
        (("--inconclusive-passes",), 0, 0, 0),
    ],
)
def test_a_file_of_tests_fails_where_the_command_does(tmp_path, words, code, failures, skipped):
    for name, counts in (("a", [0, 1, 1, 1]), ("b", [1, 0, 1, 0])):
        lines = [f"{q},{int(s < c)}" for q, c in enumerate(counts) for s in range(2)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["question,correct", *lines]))
    ran = command(
        "gate",
        "b.csv",
        "--baseline",
        "a.csv",
        "--max-drop",
        ".02",
        "--junit",
        "j.xml",
        *words,
        cwd=tmp_path,
    )
    text = (tmp_path / "j.xml").read_text()
    assert (
        ran.returncode == code and f'failures="{failures}" errors="0" skipped="{skipped}"' in text
    )
    assert (text.count("<failure"), text.count("<skipped")) == (failures, skipped)


def test_skipping_goes_with_a_file_and_no_other_decision(tmp_path):
    (tmp_path / "a.csv").write_text("question,correct\nq,1")
    asked = "gate", "a.csv", "--must-pass", "q", "--skip-inconclusive"
    ran = command(*asked, cwd=tmp_path)
    assert (
        ran.returncode == 2
        and "--skip-inconclusive is about JUnit XML; add --junit FILE" in ran.stderr
    )
    for other in "--strict", "--inconclusive-passes":
        ran = command(*asked, "--junit", "j.xml", other, cwd=tmp_path)
        assert (
            ran.returncode == 2
            and f"--skip-inconclusive and {other} contradict each other" in ran.stderr
        )


def test_command_notices_one_run_twice(runs, tmp_path):
    old, _ = runs
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(old.read_bytes())
    for other, said in ((old, "are the same file"), (copy, "is a copy of")):
        run = command("gate", other, "--baseline", old, "--max-drop", ".1")
        assert run.returncode == 2 and said in run.stderr and "--allow-identical" in run.stderr
        assert command(
            "gate", other, "--baseline", old, "--max-drop", ".5", "--allow-identical"
        ).returncode in (0, 3)


# What the guide shows.


def show_code(language):
    "The block of the guide in one language."
    page = Path(__file__).resolve().parents[1] / "nbs" / "guides" / "gate.ipynb"
    text = "\n".join(
        "".join(cell["source"]) for cell in json.loads(page.read_text("utf-8"))["cells"]
    )
    return re.search(rf"^```{language}\n(.+?)^```", text, re.M | re.S)[1]


def test_workflow_of_the_guide():
    steps = yaml.safe_load(show_code("yaml"))["jobs"]["gate"]["steps"]
    (said,) = (step["run"] for step in steps if "gate new.jsonl" in step.get("run", ""))
    asked = make_parser().parse_args(said.split()[1:])
    assert (
        asked.no_question_regresses
        and asked.github_summary == ""
        and str(asked.junit) == "gate.xml"
    )


@pytest.mark.parametrize(
    "right, told", [([300, 300, 300], "1 passed"), ([300, 290, 280], "1 failed")]
)
def test_pytest_of_the_guide(tmp_path, right, told):
    def save(name, counts):
        rows = [
            dict(question=q, sample=s, correct=int(s < c))
            for q, c in zip(NAMES[:3], counts)
            for s in range(300)
        ]
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)))

    save("baseline.jsonl", [300, 300, 290])
    save("new.jsonl", right)
    (tmp_path / "must_pass.txt").write_text("q1\n")
    (tmp_path / "test_gate.py").write_text(show_code("python"))
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_gate.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert told in run.stdout, run.stdout
    if "INCONCLUSIVE" in run.stdout:
        skipped = subprocess.run(
            [*run.args, "--gate-inconclusive=skip"], cwd=tmp_path, capture_output=True, text=True
        )
        assert "1 skipped" in skipped.stdout
