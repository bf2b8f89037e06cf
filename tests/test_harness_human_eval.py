"human-eval: programs that were run, and others."
from harness_cases import put
from sampling_eval.io.harness import human_eval
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, fail, grade, take


def test_human_eval(tmp_path):
    lines = [dict(task_id="h/0", passed=True, result="passed", completion="c"),
        dict(task_id="h/1", passed=False, result=""),
             dict(task_id="h/0", passed=False, result="failed", solution="s")]
    log = open_log(put(tmp_path / "x.jsonl", lines, True))
    assert take(human_eval.rows, log) == (
        "question=task_id, sample=order of appearance, correct=passed, answer=completion", [
            dict(question="h/0", sample=0, correct=True, answer="c"),
            dict(question="h/1", sample=0, correct=False, answer=None),
            dict(question="h/0", sample=1, correct=False, answer=None)], [])
    assert take(human_eval.program_rows, log, grade=grade) == (
        "question=task_id, sample=order of appearance, correct=grade, answer=completion or solution", [
            dict(question="h/0", sample=0, answer="c"), dict(question="h/1", sample=0, answer=None),
            dict(question="h/0", sample=1, answer="s")], [])
    assert fail(human_eval.program_rows, log) == (
        "x.jsonl holds programs that were not run; read the *_results.jsonl (human-eval) or *eval_results.json "
        "(evalplus) "
        "of their evaluation")
    check_keys(human_eval.recognise, lines[0], "task_id", "passed", "result")
    for name in "completion", "solution": check_keys(human_eval.recognise_programs, {"task_id": 1, name: ""},
        "task_id", name)
    assert not human_eval.recognise_programs(lines[0])
