"tau-bench: trials and rewards."
from harness_cases import put
from sampling_eval.io.harness import tau_bench
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, take


def test_tau_bench(tmp_path):
    trials = [dict(task_id=0, trial=0, reward=1., info=dict(error="x")),
        dict(task_id=0, trial=1, reward=1 - 1e-7, info=None),
              dict(task_id=1, trial=0, reward=.5)]
    log = open_log(put(tmp_path / "x.json", trials))
    rows = [dict(question=0, sample=0, correct=True, score=1., lost=True),
        dict(question=0, sample=1, correct=True, score=1 - 1e-7, lost=False),
            dict(question=1, sample=0, correct=False, score=.5, lost=False)]
    took = "question=task_id, sample=trial, correct=reward within 1e-6 of 1, score=reward"
    assert take(tau_bench.rows, log) == (took, rows, ["trials that ended in an error are missing"])
    assert take(tau_bench.rows, open_log(put(tmp_path / "y.json", trials[1:]))) == (took, rows[1:], [])
    check_keys(tau_bench.recognise, trials[0], "task_id", "reward", "trial")
