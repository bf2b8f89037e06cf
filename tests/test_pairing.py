"Which inputs may be paired by question: those of one task."
from dataclasses import replace

import pytest

from sampling_eval.io.load import Loaded, read
from sampling_eval.io.sample_ids import Task
from sampling_eval.results.reading import ReadSummary
from sampling_eval.verbs.systems import pair_tasks


def make_loaded(*tasks):
    rows = replace(read([dict(question=q, correct=q % 2) for q in (1, 2)]), tasks=tuple(Task(*task) for task in tasks))
    return Loaded({("m", ""): rows.counts()}, ReadSummary(), {}, rows)


PLAIN, ONE, OTHER, BOTH = (make_loaded(*tasks) for tasks in ([], [("gsm8k",)], [("mmlu",)], [("gsm8k",), ("mmlu",)]))


def test_tasks_that_may_be_paired():
    assert pair_tasks(dict(A=ONE, B=BOTH)) == pair_tasks(dict(A=PLAIN, B=ONE)) == ""
    with pytest.raises(ValueError, match="only samples of the same task are paired, got 'gsm8k' in A and 'mmlu' in B"):
        pair_tasks(dict(A=ONE, B=OTHER))
    said = pair_tasks(dict(old=make_loaded(("gsm8k", "1.0")), new=make_loaded(("gsm8k", "2.0"))))
    assert "1.0" in said and "2.0" in said
