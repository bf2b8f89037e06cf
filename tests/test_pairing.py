"Which inputs may be paired by question: those of one task."
from dataclasses import replace

import numpy as np
import pytest

from sampling_eval.foundations.answers import Rewards, tally
from sampling_eval.foundations.counts import Counts
from sampling_eval.io.load import Loaded, read
from sampling_eval.io.sample_ids import Task
from sampling_eval.results.reading import ReadSummary
from sampling_eval.verbs.systems import list_tasks_of, name_by_task, name_counts, name_questions, pair_tasks


def make_loaded(*tasks):
    rows = replace(read([dict(question=q, correct=q % 2) for q in (1, 2)]), tasks=tuple(Task(*task) for task in tasks))
    return Loaded({("m", ""): rows.counts()}, ReadSummary(), {}, rows)


def list_names(loaded): return loaded.blocks["m", ""].questions.tolist()


PLAIN, ONE, OTHER, BOTH = (make_loaded(*tasks) for tasks in ([], [("gsm8k",)], [("mmlu",)], [("gsm8k",), ("mmlu",)]))


def test_tasks_of_an_input():
    assert list_tasks_of(BOTH) == (Task("gsm8k"), Task("mmlu")) and list_tasks_of(PLAIN) == ()
    assert list_tasks_of(replace(ONE, rows=None)) == ()


def test_tasks_that_may_be_paired():
    assert pair_tasks(dict(A=ONE, B=BOTH)) == pair_tasks(dict(A=PLAIN, B=ONE)) == ""
    with pytest.raises(ValueError, match="only samples of the same task are paired, got 'gsm8k' in A and 'mmlu' in B"):
        pair_tasks(dict(A=ONE, B=OTHER))
    said = pair_tasks(dict(old=make_loaded(("gsm8k", "1.0")), new=make_loaded(("gsm8k", "2.0"))))
    assert "1.0" in said and "2.0" in said


def test_names_by_task_where_one_input_has_several():
    both, one, plain, same = name_by_task([BOTH, ONE, PLAIN, make_loaded(("mmlu", "1"), ("mmlu", "2"))])
    assert list_names(one) == ["gsm8k/1", "gsm8k/2"] and list_names(both) == list_names(plain) == [1, 2]
    assert list_names(same) == ["mmlu/1", "mmlu/2"] and one.summary is ONE.summary and one.rows is ONE.rows
    assert name_by_task(iter([ONE, PLAIN])) == [ONE, PLAIN] and name_by_task([]) == []
    assert name_questions(BOTH) is BOTH and name_questions(PLAIN) is PLAIN


def test_everything_of_a_question_is_named():
    votes = tally([0, 0], ["x", "y"], [1, 0], questions=["q"])
    counts = Counts([2], [1], ["q"], votes=votes, rewards=Rewards([0, 0], [.5, 1], None, np.array(["q"])),
                    score_sum=[1.5])
    named = name_counts(counts, "t")
    assert named.questions.tolist() == named.votes.questions.tolist() == named.rewards.questions.tolist() == ["t/q"]
    assert named.questions.dtype == object and named.n.tolist() == [2] and named.score_sum.tolist() == [1.5]
    bare = name_counts(Counts([2], [1], [7]), "t")
    assert bare.questions.tolist() == ["t/7"] and bare.votes is None and bare.rewards is None
