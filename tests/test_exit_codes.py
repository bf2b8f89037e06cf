"""The code 1 says no, and only `gate` says it: whatever else stops a command ends with 2, in
processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = (
    Path(__file__).resolve().parents[1]
    / "sampling_eval"
    / "examples"
    / "tau_bench_airline_gpt4o.jsonl"
)
ALL_VERBS = {
    "score": "score {run}",
    "describe": "describe {run}",
    "demo": "demo",
    "page": "page -o {new}.html",
    "counts": "counts {run} -o {new}.parquet",
    "merge": "merge {run} -o {new}.parquet",
    "compare": "compare {run} {run}",
    "explain": "explain {run}",
    "table": "table {run}",
    "gate": "gate {run} --minimum pass@1=.2",
    "plan": "plan --delta .1",
    "audit": "audit .84 --questions 50",
    "extrapolate": "extrapolate {run}",
}
FULL_DISK = (
    "sampling-eval: cannot write the output: the disk is full; free some space, or write elsewhere"
)
FAULT = "from sampling_eval import cli; cli.run = lambda asked: 1 / 0; cli.main()"


def start_badly(*words, fault=False, closed=(), **streams):
    "A process whose streams are as a shell may leave them."
    told = [sys.executable, *(("-c", FAULT) if fault else ("-m", "sampling_eval")), *words]
    close = " ".join(f"{number}>&-" for number in closed)
    given = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE) | streams
    return subprocess.Popen(
        ["sh", "-c", f'"$@" {close}', "sh", *told] if closed else told, text=True, **given
    )


def pipe_without_reader():
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full")
@pytest.mark.parametrize("verb", [*ALL_VERBS, "--help", "--version", "score --help"])
def test_streams_that_cannot_be_written_end_with_2(verb, tmp_path):
    words = ALL_VERBS.get(verb, verb).format(run=RUN, new=tmp_path / "new").split()
    printed = "stderr" if verb == "page" else "stdout"
    broken = pipe_without_reader()
    ends = [start_badly(*words, **{printed: stream}) for stream in (open("/dev/full", "w"), broken)]
    ends += [start_badly(*words, closed=closed) for closed in ((1,), (2,), (1, 2))]
    if verb in ALL_VERBS:
        ends.append(start_badly(*words, fault=True))
    said = [end.communicate() for end in ends]
    os.close(broken)
    assert [end.returncode for end in ends] == [2] * len(ends), said
    assert (
        said[0][printed == "stdout"] == ("" if verb == "page" else f"{FULL_DISK}\n")
        and said[1][printed == "stdout"] == ""
    )
    assert said[2] == (
        "",
        "sampling-eval: the standard output is closed; to hide it, type >/dev/null\n",
    )
    assert said[3] == (
        "sampling-eval: the standard error is closed; to hide it, type 2>/dev/null\n",
        "",
    )
    assert said[4] == ("", "") and (verb not in ALL_VERBS or "ZeroDivisionError" in said[5][1])


def test_a_closed_input_is_said():
    end = start_badly("gate", "-", "--minimum", "pass@1=.2", closed=(0,))
    assert (
        end.communicate() == ("", "sampling-eval: the standard input is closed\n")
        and end.returncode == 2
    )


def test_errors_that_cannot_be_written_end_with_2():
    broken = pipe_without_reader()
    for stream in open("/dev/full", "w"), broken:
        ends = [
            start_badly("gate", "a.csv", fault=True, stderr=stream),
            start_badly("score", "none.csv", stderr=stream),
            start_badly("score", "--nonsense", stderr=stream),
        ]
        assert [(end.wait(), end.stdout.read()) for end in ends] == [(2, "")] * 3
