"""The GitHub Action and the pre-commit hook: the script of the action runs as on a runner."""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import duckdb
import pytest

from scripts import load_script

yaml = pytest.importorskip("yaml")

HERE = Path(__file__).parents[1]
ACTION = yaml.safe_load((HERE / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
OLD = "question,correct\n" + "".join(f"q{i},{int(j < 3)}\n" for i in range(30) for j in range(4))

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a composite action here needs bash")


@pytest.fixture
def run(tmp_path):
    command = tmp_path / "sampling_eval" / "bin" / "sampling-eval"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m sampling_eval "$@"\n')
    command.chmod(0o755)
    (tmp_path / "old.csv").write_text(OLD)
    (tmp_path / "new run.csv").write_text(OLD.replace("q3,1", "q3,0"))

    def start(**given):
        values = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | given
        step = STEPS["Gate"]
        inputs = {
            name: values[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", text)[1]]
            for name, text in step["env"].items()
        }
        files = dict(
            RUNNER_TEMP=tmp_path,
            GITHUB_OUTPUT=tmp_path / "output",
            GITHUB_STEP_SUMMARY=tmp_path / "summary.md",
        )
        environment = os.environ | inputs | {name: str(path) for name, path in files.items()}
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", step["run"]],
            text=True,
            capture_output=True,
            cwd=tmp_path,
            env=environment,
        )

    return start


@pytest.mark.parametrize(
    "given, code",
    [
        ({"max-drop": "0.3"}, 0),
        ({"max-drop": "0.02"}, 3),
        ({"max-drop": "0.02", "inconclusive": "pass"}, 0),
        ({"baseline": "", "minimum": "pass@1=.3\npass^4=.9\n"}, 1),
        ({"max-drop": "0.3", "must-pass": "q0,q3", "options": "--must-pass-share .75"}, 1),
        ({"max-drop": "0.3", "options": "--target new_questions --method t"}, 0),
        ({"inconclusive": "maybe"}, 2),
        ({"baseline": "", "minimum": "; touch stolen"}, 2),
        ({}, 2),
    ],
)
def test_the_exit_code_is_that_of_the_gate(run, tmp_path, given, code):
    ended = run(**{"new": "new run.csv", "baseline": "old.csv"} | given)
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert not (tmp_path / "stolen").exists()
    if given.get("inconclusive") == "maybe":
        return
    assert (tmp_path / "output").read_text() == f"exit-code={code}\n"
    assert (tmp_path / "summary.md").exists() == (tmp_path / "gate.xml").exists() == (code != 2)


def test_every_input_is_used_and_described():
    used = set(re.findall(r"inputs\.([\w-]+)", (HERE / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])
    assert all(one["description"] for one in ACTION["inputs"].values())
    # A text between quotes of a script could hold a command.
    assert not any("${{" in step["run"] for step in STEPS.values())


(HOOK,) = yaml.safe_load((HERE / ".pre-commit-hooks.yaml").read_text())


def test_the_hook_runs_the_command():
    assert HOOK["entry"] == "sampling-eval gate" and HOOK["pass_filenames"] is False


# Both are installed as they say into an empty environment, and read there what they say.


@pytest.fixture
def alone(tmp_path):
    """A copy of the sources, which a build would change, and an environment that sees nothing of
    this one."""
    shutil.copytree(
        HERE,
        tmp_path / "sources",
        ignore=shutil.ignore_patterns(*load_script("tools/package.py").LEFT_OUT),
    )
    folders = tmp_path / "sampling_eval" / "bin", Path(sys.executable).resolve().parent
    place = ":".join([*map(str, folders), os.environ["PATH"]])
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    return kept | dict(RUNNER_TEMP=str(tmp_path), REQUIREMENT=str(tmp_path / "sources"), PATH=place)


def read_every_kind(folder, env):
    "The codes of a gate on files of each kind that a hook looks at."
    (folder / "a.csv").write_text(OLD)
    for ending, form in ("jsonl", "json"), ("json", "json, array true"), ("parquet", "parquet"):
        duckdb.sql(f"copy (from '{folder}/a.csv') to '{folder}/a.{ending}' (format {form})")
    shutil.copy(HERE / "tests" / "logs" / "inspect_usage" / "sums.eval", folder / "a.eval")
    told = {}
    for name in "a.csv", "a.jsonl", "a.json", "a.parquet", "a.eval":
        assert re.search(HOOK["files"], name)
        words = *HOOK["entry"].split(), name, "--minimum", "pass@1=.001"
        told[name] = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
    return {name: (one.returncode, one.stderr) for name, one in told.items() if one.returncode}


def test_the_action_installs_what_it_reads(alone, tmp_path):
    subprocess.run(
        ["bash", "-eo", "pipefail", "-c", STEPS["Install"]["run"]], env=alone, check=True
    )
    assert not read_every_kind(tmp_path, alone)


def test_the_hook_installs_what_it_reads(alone, tmp_path):
    venv.create(tmp_path / "sampling_eval", with_pip=True)
    # As pre-commit does it, in the repository of the hook.
    words = "-m", "pip", "install", "--quiet", ".", *HOOK["additional_dependencies"]
    python = tmp_path / "sampling_eval" / "bin" / "python"
    subprocess.run([python, *words], cwd=tmp_path / "sources", env=alone, check=True)
    assert not read_every_kind(tmp_path, alone)


def test_workflows_run_what_was_reviewed_and_may_do_little():
    for path in (HERE / ".github" / "workflows").glob("*.yaml"):
        used = re.findall(r"uses: (.+)", path.read_text())
        assert used and all(
            re.fullmatch(r"[\w/-]+@[0-9a-f]{40}  # v[\d.]+", one) for one in used
        ), path.name
        assert yaml.safe_load(path.read_text())["permissions"] == {"contents": "read"}
