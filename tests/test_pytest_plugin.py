"""The pytest plugin, in a pytest of its own, as a user's test suite runs it."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from sampling_eval.bridges import pytest_plugin as plugin

OLD = "question,correct\n" + "".join(f"q{i},{int(j < 3)}\n" for i in range(30) for j in range(4))
SUITE = """
def test_release(gate):
    found = gate("new.csv", baseline="old.csv", max_drop=%s)
    assert found.rows
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "old.csv").write_text(OLD)
    (tmp_path / "new.csv").write_text(OLD.replace("q3,1", "q3,0").replace("q4,0", "q4,1"))

    def start(*words, drop=0.2, suite=None):
        (tmp_path / "test_suite.py").write_text(suite or SUITE % drop)
        environment = os.environ | dict(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", COLUMNS="200")
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "no:cacheprovider",
                "-p",
                "sampling_eval.bridges.pytest_plugin",
                "-rfs",
                *words,
            ],
            text=True,
            capture_output=True,
            cwd=tmp_path,
            env=environment,
        )

    return start


def test_a_gate_that_passes_says_so_in_the_summary(run):
    ended = run()
    assert ended.returncode == 0, ended.stdout
    assert "test_suite.py::test_release: PASS: new.csv - old.csv =" in ended.stdout


@pytest.mark.parametrize(
    "words, code, said",
    [
        ((), 1, "INCONCLUSIVE: new.csv - old.csv"),
        (("--gate-inconclusive=skip",), 0, "1 skipped"),
        (("--gate-inconclusive=pass",), 0, "1 passed"),
        (("-o", "gate_inconclusive=skip"), 0, "1 skipped"),
        (("-o", "gate_inconclusive=skip", "--gate-inconclusive=fail"), 1, "1 failed"),
        (("-o", "gate_inconclusive=maybe"), 4, "must be fail, skip or pass, got 'maybe'"),
    ],
)
def test_a_team_says_what_an_inconclusive_gate_means(run, words, code, said):
    ended = run(*words, drop=0.02)
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert said in ended.stdout + ended.stderr


def test_a_failed_gate_shows_its_report_and_no_traceback(run):
    suite = "def test_minimum(gate): gate('new.csv', minimum={'pass@1': .99})"
    ended = run("--gate-inconclusive=pass", suite=suite)
    assert ended.returncode == 1
    assert "test_minimum - Failed: FAIL: " in ended.stdout and "pass@1 >= 99 %" in ended.stdout
    assert "Traceback" not in ended.stdout and "def check" not in ended.stdout


def test_bad_input_is_an_error_of_the_test_and_never_a_verdict(run):
    suite = "def test_release(gate): gate('new.csv', baseline='old.csv')"
    ended = run("--gate-inconclusive=pass", suite=suite)
    assert ended.returncode == 1
    assert "baseline and max_drop= go together" in ended.stdout


def test_the_library_is_imported_by_the_first_gate(run):
    suite = "import sys\ndef test_other(): assert 'numpy' not in sys.modules"
    assert run(suite=suite).returncode == 0


@pytest.mark.parametrize(
    "verdict, inconclusive, ends",
    [
        ("pass", "fail", None),
        ("pass", "skip", None),
        ("fail", "fail", pytest.fail.Exception),
        ("fail", "skip", pytest.fail.Exception),
        ("fail", "pass", pytest.fail.Exception),
        ("inconclusive", "fail", pytest.fail.Exception),
        ("inconclusive", "skip", pytest.skip.Exception),
        ("inconclusive", "pass", None),
    ],
)
def test_what_a_verdict_does_to_its_test(verdict, inconclusive, ends):
    class Found(SimpleNamespace):
        def __str__(self):
            return "the report"

    found = Found(verdict=verdict, warnings=["too few samples", "and more"])
    if ends is None:
        assert plugin.settle(found, inconclusive) is None
        return
    with pytest.raises(ends) as told:
        plugin.settle(found, inconclusive)
    skipped = ends is pytest.skip.Exception
    assert told.value.msg == ("gate inconclusive: too few samples" if skipped else "the report")
    assert skipped or told.value.pytrace is False


@pytest.mark.parametrize("option, line, choice", [
    (None, "skip", "skip"), ("pass", "skip", "pass"), ("fail", "skip", "fail"),
])
def test_the_command_line_goes_before_the_configuration(option, line, choice):
    config = SimpleNamespace(getoption=dict(gate_inconclusive=option).get,
                             getini=dict(gate_inconclusive=line).get, stash={})
    assert plugin.inconclusive_choice(config) == choice
    plugin.pytest_configure(config)
    assert list(config.stash.values()) == [[]]


def test_a_summary_without_a_gate_has_no_section():
    told = []
    reporter = SimpleNamespace(section=told.append, line=told.append)
    for headlines, said in ([], []), (["a", "b"], ["gates", "a", "b"]):
        config = SimpleNamespace(stash={plugin.HEADLINES: headlines})
        plugin.pytest_terminal_summary(reporter, config)
        assert told == said
