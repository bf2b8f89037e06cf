"terminal-bench: runs and trials."
import pytest

from harness_cases import put
from sampling_eval.io.harness import terminal_bench
from sampling_eval.io.harness.ask import Ask
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, take


def attempt(task, name, resolved=True, **more):
    return dict(task_id=task, trial_name=name, is_resolved=resolved, instruction=f"do {task}") | more


def test_terminal_bench(tmp_path):
    trials = [attempt("a", "a.1", id=1), attempt("a", "a.2", False, id=2), attempt("b", "b.1", None),
        attempt("a", "a.1", id=1)]
    path = put(tmp_path / "run/results.json", dict(results=trials, n_resolved=1))
    took = "question=task_id, sample=order of appearance, correct=is_resolved"
    def rows(model, task, *samples): return [dict(model=model, task=task, question=q, sample=s, correct=c) for q, s,
        c in samples]
    trio = ("a", 0, True), ("a", 1, False), ("b", 0, None)
    remarks = ["trials without an outcome are missing", "trials in several files count once"]
    assert take(terminal_bench.rows, open_log(path)) == (took, rows(None, None, *trio), remarks)
    for about, model, task in (
            (dict(agent_name="agent", model_name="llm", dataset_name="set", dataset_version="1"), "agent llm", "set@1"),
            (dict(model_name="llm", dataset_name="set"), "llm", "set"), (dict(dataset_path="/x/own"), None, "own"),
            (dict(agent_name="agent", dataset_path="/x/own", dataset_name="set"), "agent", "set")):
        put(tmp_path / "run/run_metadata.json", about)
        assert take(terminal_bench.rows, open_log(path))[1] == rows(model, task, *trio)
    put(tmp_path / "run/run_metadata.json", dict(agent_name="agent", model_name="llm"))
    part = open_log(put(tmp_path / "run/a/a.1/results.json", trials[0]))
    ask = Ask(several=True)
    assert list(terminal_bench.rows(part, ask)[1]) == rows("agent llm", None, trio[0])
    assert list(terminal_bench.rows(open_log(path), ask)[1]) == rows("agent llm", None, trio[1], trio[2])
    moved = open_log(put(tmp_path / "run/a/other/results.json", trials[0]))
    assert take(terminal_bench.rows, moved)[1] == rows(None, None, trio[0])
    check_keys(terminal_bench.recognise, dict(results=[], n_resolved=0), "results", "n_resolved")
    check_keys(terminal_bench.recognise, trials[0], "trial_name", "task_id", "is_resolved")


def test_terminal_bench_runs_that_nobody_names(tmp_path):
    def lay(name, *trials): return open_log(put(tmp_path / name / "results.json", dict(results=trials, n_resolved=0)))
    one, two, far = lay("x/1", attempt("a", "a.1")), lay("x/2", attempt("a", "a.1")), lay("y/1", attempt("a", "a.1"))
    ask = Ask(several=True)
    assert len(list(terminal_bench.rows(one, ask)[1])) == len(list(terminal_bench.rows(two, ask)[1])) == 1
    assert ask.notes == ["runs that name no model are taken for one"] * 2
    with pytest.raises(ValueError) as error: terminal_bench.rows(far, ask)
    assert str(error.value) == ("runs of one model must lie in one folder where run_metadata.json names no model, "
                                "got 'x' and "
                                "'y'; read them apart")
    alone = Ask()
    for log in one, far: assert len(list(terminal_bench.rows(log, alone)[1])) == 1
    assert alone.notes == []
    put(tmp_path / "y/1/run_metadata.json", dict(agent_name="other"))
    assert len(list(terminal_bench.rows(far, ask)[1])) == 1
    odd = lay("x/3", attempt("a", "a.3", instruction="else"))
    with pytest.raises(ValueError) as error: list(terminal_bench.rows(odd, ask)[1])
    assert str(error.value) == ("a task must have one instruction, got two of 'a' in results.json and results.json; "
                                "read runs on "
                                "different data sets apart")
