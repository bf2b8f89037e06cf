"What a gate leaves in a workflow of GitHub, word by word."
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from printed import check_printed
from sampling_eval import Counts, gate
from sampling_eval.reporting.gate_facts import FELL
from sampling_eval.reporting.workflow import (Cause, append_summary, find_cause, find_summary, hide, in_workflow,
                                              silence_commands, write_annotations, write_summary)

NAMES = ["q1", "q2", "q|3", "a,b:%"]
OLD = Counts([8] * 4, [8, 8, 8, 4], NAMES)
NEW = Counts([8] * 4, [8, 7, 0, 6], NAMES)


def row_of(verdict, metric="pass@1", low=-.1, drop=True):
    return SimpleNamespace(verdict=verdict, metric=metric, low=low, drop=drop)


def gate_of(*rows, falls=(), must_pass=()): return SimpleNamespace(rows=rows, falls=falls, must_pass=must_pass)


@pytest.mark.parametrize("rows, cause", [
    ([row_of("pass", drop=False), row_of("fail")], Cause(True)),
    ([row_of("pass", "pass@4", drop=False), row_of("weak")], Cause(False, "pass@4")),
    ([row_of("fail", "pass^2", drop=False), row_of("fail")], Cause(False, "pass^2")),
    ([row_of("weak"), row_of("fail", "maj@2")], Cause(True, "maj@2")),
    ([row_of("pass"), row_of("fail", FELL, None)], Cause(True, question="b")),
    ([row_of("fail", "must", None)], Cause(False, question="d"))])
def test_where_to_look(rows, cause):
    falls = [SimpleNamespace(question=name, certain=name != "a") for name in "abc"]
    must = [SimpleNamespace(question=name, verdict="fail" if name > "c" else "pass") for name in "cde"]
    assert find_cause(gate_of(*rows, falls=falls, must_pass=must)) == cause


def test_where_no_single_question_is_the_cause():
    assert find_cause(gate_of(row_of("fail", FELL, None))) == Cause(True)
    assert find_cause(gate_of(row_of("weak", "must", None))) == Cause(False)
    passed = SimpleNamespace(question="a", verdict="pass"), SimpleNamespace(question="a", certain=False)
    assert find_cause(gate_of(row_of("fail", FELL, None), falls=passed[1:])) == Cause(True)
    assert find_cause(gate_of(row_of("fail", "must", None), must_pass=passed[:1])) == Cause(False)


@pytest.mark.parametrize("environment, inside", [({}, False), ({"GITHUB_ACTIONS": "true"}, True),
                                                 ({"GITHUB_ACTIONS": "false"}, False), ({"CI": "true"}, False)])
def test_workflows_are_recognized(environment, inside): assert in_workflow(environment) is inside


@pytest.mark.parametrize("path, environment, found", [
    (None, {"GITHUB_STEP_SUMMARY": "s"}, None), ("", {"GITHUB_STEP_SUMMARY": "s"}, Path("s")),
    ("own", {"GITHUB_STEP_SUMMARY": "s"}, Path("own")),
    ("own", {}, Path("own"))])
def test_the_file_of_the_summary(path, environment, found): assert find_summary(path, environment) == found


@pytest.mark.parametrize("environment", [{}, {"GITHUB_STEP_SUMMARY": ""}])
def test_no_file_is_named(environment):
    with pytest.raises(ValueError, match=r"github_summary needs a path where \$GITHUB_STEP_SUMMARY is not set"):
        find_summary("", environment)


def test_summaries_follow_each_other(tmp_path):
    path = tmp_path / "s.md"
    append_summary(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    append_summary(path, "two\n")
    assert path.read_bytes() == "é\n\ntwo\n".encode()
    with pytest.raises(OSError): append_summary(tmp_path, "x")


GATES = {
    "drop": lambda: gate(NEW, baseline=OLD, max_drop=.05), "single": lambda: gate(NEW, minimum={"pass@1": .1}),
    "must pass and falls": lambda: gate(NEW, baseline=OLD, max_drop=.9, must_pass=["q1", "q|3"],
                                        no_question_falls=True)}


@pytest.mark.parametrize("name", GATES)
def test_summaries(name): check_printed("explorers", f"summary: {name}", write_summary(GATES[name]()))


@pytest.mark.parametrize("name", GATES)
def test_annotations(name):
    judged = GATES[name]()
    lines = [f"{strict} {weak}: {line}" for strict, weak in ((False, False), (True, False), (False, True))
             for line in write_annotations(judged, strict, weak)]
    check_printed("explorers", f"annotations: {name}", "\n".join(lines))


def test_ten_annotations_are_shown():
    many = Counts([4] * 12, [0] * 12, [f"q{i}" for i in range(12)])
    lines = write_annotations(gate(many, must_pass="q*"))
    assert len(lines) == 10 and lines[0].startswith("::error title=must-pass")
    assert lines[-1].startswith("::error title=q8::")


def test_signs_of_commands_are_hidden():
    assert hide("50 %\r\na:b,c") == "50 %25\ufffd\ufffda:b,c" and hide("%25") == "%2525"


def test_marks_are_new_each_time():
    first, second = silence_commands("x\n"), silence_commands("x\n")
    found = re.fullmatch(r"::stop-commands::([0-9a-f]{32})\nx\n::\1::\n", first)
    assert found and first != second
