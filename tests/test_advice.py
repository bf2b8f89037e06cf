"What more data would do, in sentences of given numbers, and as plain values."
from dataclasses import replace

import pytest

from sampling_eval.report.advice import describe_advice, describe_next
from sampling_eval.results.analysis import Advice

HALF = Advice("pass@1", "halve", "new_questions", .5, None, None, 200, 16, None, 50, ((4, 4),))
DECIDE = Advice("pass@1", "decide", "new_questions", .5, .6, .8, 200, None, None, 50, ((3, 4),))
GAP = replace(DECIDE, value=-.031, limit=0., has_samples=((3, 4), (3, 4)), difference=True)
AGAIN = dict(target="same_questions", questions=None, samples=16)
SIZE = "About 200 questions (50 now) at 3 to 4 samples each"
GOAL = "decide pass@1 (new questions) with 80 % power, assuming the true value is the measured 50.0 %"
GAPS = "detect a true difference of -3.1 points (as measured) in pass@1 (new questions) with 80 % power"


@pytest.mark.parametrize("more, said", [
    ({}, "about 200 questions (50 now) at 4 samples each, or about 16 samples per question (4 now)"),
    (dict(samples=None), "about 200 questions (50 now) at 4 samples each"),
    (dict(samples=None, has_samples=((1, 1),)), "about 200 questions (50 now) at 1 sample each"),
    (dict(samples=None, has_questions=2200, has_samples=((1, 4),)), "about 200 questions (2,200 now) at 1 to 4 samples each"),
    (dict(samples=None, clustered=True), "about 200 clusters"),
    (dict(samples=None, gain=.15, gain_at_most=.22), "about 200 questions (50 now) at 4 samples each; "
     "more samples per question would narrow it by about 15 %, at most 22 %")])
def test_half_as_wide(more, said):
    assert describe_advice(replace(HALF, **more)) == f"Halving the CI of pass@1 takes {said}."


def test_half_as_wide_on_the_same_questions():
    said = "alving the CI of pass@1 (same questions) takes about 16 samples per question (3 to 5 now)."
    advice = replace(HALF, **AGAIN, has_samples=((3, 5),))
    assert describe_advice(advice) == f"H{said}" and describe_next(advice) == f"Next: h{said}"
    assert describe_next(None) == ""


@pytest.mark.parametrize("gain, at_most, said", [
    (.333, None, "about 33 %"), (.0151, 1., "about 2 %"), (0., None, "about 1 %"), (.6, .87, "about 60 %, at most 87 %"),
    (.0049, .02, "about 1 %, at most 2 %"), (.0049, .01, "at most 1 %"), (.149, .15, "at most 15 %")])
def test_gains(gain, at_most, said):
    advice = replace(HALF, samples=None, gain=gain, gain_at_most=at_most)
    assert describe_advice(advice).endswith(f" would narrow it by {said}.")


@pytest.mark.parametrize("advice, said", [
    (DECIDE, f"{SIZE} would {GOAL}."),
    (replace(DECIDE, samples=16), f"{SIZE}, or about 16 samples per question (3 to 4 now) would {GOAL}."),
    (replace(DECIDE, hopeless=True), f"{SIZE} would {GOAL}; no number of samples of these 50 questions would."),
    (replace(DECIDE, **AGAIN), f"About 16 samples per question (3 to 4 now) would {GOAL}."),
    (replace(DECIDE, value=.5425, clustered=True, metric="soft@4", unit="score"),
     f"About 200 clusters would {GOAL}.".replace("50.0 %", "0.542").replace("pass@1", "soft@4")),
    (GAP, f"{SIZE} would {GAPS}."),
    (replace(GAP, value=.087), f"{SIZE} would {GAPS}.".replace("-3.1", "8.7")),
    (replace(GAP, samples=16), f"{SIZE}, or about 16 samples per question (3 to 4 now) for both systems, would {GAPS}."),
    (replace(GAP, has_samples=((4, 4), (8, 8))), f"{SIZE} would {GAPS}.".replace("3 to 4", "4 and 8")),
    (replace(GAP, unit="score", metric="max@2"), f"{SIZE} would {GAPS}.".replace("-3.1 points", "-0.031").replace("pass@1", "max@2")),
    (replace(GAP, limit=-.02), f"{SIZE} would {GOAL}.".replace("value", "difference").replace("50.0 %", "-3.1 points")),
    (replace(GAP, usual_questions=120), f"{SIZE} would {GAPS}. By a t interval: about 120 questions."),
    (replace(GAP, usual_questions=200), f"{SIZE} would {GAPS}."),
    (replace(DECIDE, **AGAIN, usual_samples=9), f"About 16 samples per question (3 to 4 now) would {GOAL}. "
     "By a normal interval: about 9 samples per question.")])
def test_what_decides(advice, said):
    where = dict(new_questions="new", same_questions="same")[advice.target]
    assert describe_advice(advice) == said.replace("(new", f"({where}")


def test_what_separates_two_of_several():
    two = replace(GAP, pair=("x", "y"), confidence_level=.975, samples=16)
    assert describe_advice(two) == (
        f"{SIZE}, or about 16 samples per question (3 to 4 now) for these two, would detect a true difference of -3.1 points "
        "(as measured) between x and y in pass@1 (new questions, all pairs simultaneously) with 80 % power.")


@pytest.mark.parametrize("more, many, where", [
    ({}, "questions", "new"), (dict(target="same_questions"), "samples", "same"), (dict(clustered=True), "clusters", "new")])
def test_what_nothing_decides(more, many, where):
    said = describe_advice(replace(DECIDE, questions=None, **more))
    assert said == f"1,000 times as many {many} would not {GOAL}.".replace("(new", f"({where}")


@pytest.mark.parametrize("advice, what", [(replace(DECIDE, limit=.5), "value"), (replace(GAP, limit=-.031 + 1e-15), "drop")])
def test_what_is_measured_at_its_limit_is_never_decided(advice, what):
    assert describe_next(advice) == (f"Next: the measured {what} equals the limit: more data will not settle this. "
                                     "Change the limit.")


def test_plain_values():
    two = replace(GAP, pair=("x", "y"), confidence_level=.975)
    told = two.to_dict()
    assert told["has_samples"] == [[3, 4], [3, 4]] and told["pair"] == ["x", "y"] and "sentence" not in told
    assert Advice.from_dict(told) == two != GAP and Advice.from_dict(HALF.to_dict()) == HALF
    older = {name: value for name, value in told.items() if name not in ("gain_at_most", "usual_questions")}
    assert Advice.from_dict(older) == two
