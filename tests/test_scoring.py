"`score`: every metric the data can give. More cases: test_score.py and test_score_answers.py."
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import Counts, score

RUN = str(Path(__file__).parents[1] / "sampling_eval" / "examples" / "tau_bench_airline_gpt4o.jsonl")
OUTCOMES = np.array([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]])


@pytest.fixture(scope="module")
def report(): return score(RUN, ["pass@k", "pass^k", "avg@n"])


def test_the_published_numbers_of_tau_bench(report):
    assert [round(report[f"pass^{k}"].estimate, 3) for k in range(1, 5)] == [.42, .273, .22, .2]
    assert report["avg@4"].estimate == report["pass@1"].estimate == report["pass^1"].estimate


def test_a_row_holds_what_it_was_computed_from(report):
    row = report["pass^4"]
    ends = row.confidence_interval(.95)
    assert (ends.low, ends.high) == (row.low, row.high) and row.questions == 50 and row.samples == "4"
    wide = row.confidence_interval(.99)
    assert wide.low < row.low and row.high < wide.high


def test_questions_and_those_that_are_flaky(report):
    right = report.questions["c"]
    assert len(right) == 50 and np.bincount(right).tolist() == [14, 12, 10, 4, 10]
    np.testing.assert_array_equal(report.questions["pass^4"], right == 4)
    flaky = report.flaky()
    assert len(flaky["c"]) == 26 and flaky["c"][:10].tolist() == [2] * 10 and set(flaky["c"][10:]) == {1, 3}


def test_a_metric_of_ones_own_beside_one_of_the_catalog():
    found = score(OUTCOMES, {"cons@k": None, "two@k": lambda k: np.arange(k + 1) >= 2}, k=[2, 3]).to_dict()
    assert found == pytest.approx({"cons@2": .45, "cons@3": .85, "two@2": .45, "two@3": .85})


def test_names_with_budgets():
    assert score(OUTCOMES, ["pass@2", "g-pass@4_0.75", "avg@n"]).to_dict() == pytest.approx(
        {"pass@2": .95, "g-pass@4_0.75": .7, "avg@5": .7})


def test_votes():
    answers = dict(q1="AAABB", q2="BBCCA", q3="BCAAA")
    rows = [dict(question=q, answer=a, correct=int(a == "A")) for q, given in answers.items() for a in given]
    assert score(rows, ["maj@5", "pass@5", "pass^5"]).to_dict() == pytest.approx({"maj@5": 2 / 3, "pass@5": 1, "pass^5": 0})


def test_groups_all_questions_and_the_mean_of_groups():
    rows = [dict(task=t, question=f"{t}{q}", correct=int(right)) for t, count in (("easy", 6), ("hard", 2))
            for q in range(count) for right in (t == "easy", q == 0)]
    found = {row.group: row.estimate for row in score(rows, "pass@1", by="task").rows}
    assert list(found) == ["all questions", "easy", "hard", "mean of 2 groups"]
    assert list(found.values()) == pytest.approx([.5, 7 / 12, .25, 5 / 12])


def test_the_error_bar_of_these_questions_again_is_shorter():
    both = score(RUN, "pass@2", target="both")["pass@2"]
    again = score(RUN, "pass@2", target="benchmark")["pass@2"]
    assert both.stderr == pytest.approx(.0567446, abs=1e-6) and again.stderr == pytest.approx(.0362093, abs=1e-6)
    assert (both.again_low, both.again_high) == (again.low, again.high)
    assert both.low < both.again_low < both.again_high < both.high


def test_percentages_are_refused():
    with pytest.raises(ValueError, match="are these percentages?"): score(np.array([[0, 100], [100, 100]]))
    with pytest.raises(ValueError, match="k=6 needs 6 samples"): score(OUTCOMES, k=6)


def test_counts_are_data():
    assert score(Counts([10] * 4, [1, 1, 0, 0]), "pass@5")["pass@5"].estimate == pytest.approx(.25)


def test_a_group_may_not_be_called_like_a_row_of_the_report():
    rows = [dict(task="mean of 2 groups", question=q, correct=1) for q in range(2)]
    with pytest.raises(ValueError, match="names a row of the report"): score(rows, "pass@1", by="task")


def test_two_metrics_of_one_name_must_agree():
    with pytest.raises(ValueError, match="two metrics are called 'own@2'"):
        score(OUTCOMES, {"own@k": lambda k: np.arange(k + 1) == k, "own@2": [0, 0, .5]}, k=[2])


def test_old_spellings_warn():
    with pytest.warns(DeprecationWarning, match="score: format= is now called harness="): score(RUN, "pass@1", format="table")
    with pytest.raises(TypeError, match="got both"): score(RUN, "pass@1", format="table", harness="table")
