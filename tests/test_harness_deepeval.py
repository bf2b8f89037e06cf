"DeepEval: test cases, verdicts and single metrics."
import pytest

from sampling_eval.io.harness import deepeval
from sampling_eval.io.harness.ask import Ask
from test_harness_reader import check_keys, grade, hold, take


def metric(name, success, score=None, **more): return dict(name=name, success=success, score=score) | more


CASES = [dict(name="c0", input="q", actualOutput="a", expectedOutput="e", success=True,
              metricsData=[metric("m", True, 1), metric("n", True, .5)]),
         dict(name="c1", input="q", actualOutput="b", expectedOutput="e", success=False,
              metricsData=[metric("m", None, None, error="x"), metric("n", True, .25)]),
         dict(name="c2", input="q", expectedOutput="other", success=False,
              metricsData=[metric("m", None, error="x"), metric("n", False, 0)]),
         dict(name="c3", scenario="s", success=True, metricsData=[metric("m", None, error="x", flaky=True)]),
         dict(name="c4", success=False, metricsData=None)]


RUN = dict(testCases=CASES[:3], conversationalTestCases=CASES[3:], metricsScores=[], datasetAlias="set",
           hyperparameters=dict(model="mine"))


def test_deepeval():
    about = dict(model="mine", task="set")
    base = [dict(question="q", sample=0, answer="a", target="e"), dict(question="q", sample=1, answer="b", target="e"),
            dict(question="q (2)", sample=0, answer=None, target="other"),
            dict(question="s", sample=0, answer=None, target=None),
            dict(question="c4", sample=0, answer=None, target=None)]
    parts = "question=input, sample=repetition of a test case, {}, answer=actualOutput"
    def join(*outcomes): return [row | outcome | about for row, outcome in zip(base, outcomes)]
    verdicts = [dict(correct=value, lost=lost) for value, lost in zip(
        (True, False, False, True, False), (False, True, False, False, False))]
    assert take(deepeval.rows, hold(RUN)) == (parts.format("correct=success"), join(*verdicts), [
        "test cases that a metric failed to judge are missing"])
    scores = [dict(score=value) for value in (.5, .25, 0., None, None)]
    assert take(deepeval.rows, hold(dict(testRunData=RUN)), score="n") == (parts.format("score=n"), join(*scores), [])
    assert take(deepeval.rows, hold(RUN), grade=grade) == (parts.format("correct=grade"), join({}, {}, {}, {}, {}), [])
    plain = RUN | dict(testCases=CASES[:1], conversationalTestCases=[], hyperparameters=dict(model=5),
        datasetAlias=None)
    assert take(deepeval.rows, hold(plain))[1:] == ([base[0] | verdicts[0] | dict(model=None, task=None)], [])
    assert take(deepeval.rows, hold(plain | dict(hyperparameters=None)))[1][0]["model"] is None
    with pytest.raises(ValueError, match="score must be one of 'success', 'm', 'n', got 'x' for x.json"):
        deepeval.rows(hold(RUN), Ask(score="x"))
    check_keys(deepeval.recognise, RUN, "testCases", "conversationalTestCases", "metricsScores")
    assert deepeval.recognise(dict(testRunData=RUN)) and not deepeval.recognise(dict(testRunData={}))


def test_deepeval_test_cases_that_broke_down():
    "A case is lost where a deciding metric failed, unless another one said that it did not pass."
    broken, right, wrong = metric("m", None, error="x"), metric("n", True), metric("o", False)
    flaky = metric("p", False, flaky=True)
    for metrics, lost in (([broken], True), ([broken, right], True), ([broken, right, wrong], False),
        ([broken, flaky], True),
                          ([right, wrong], False), ([broken | dict(flaky=True), right], False), ([], False)):
        run = RUN | dict(testCases=[dict(name="c", input="q", success=False, metricsData=metrics)],
            conversationalTestCases=[])
        assert [row["lost"] for row in take(deepeval.rows, hold(run))[1]] == [lost]
