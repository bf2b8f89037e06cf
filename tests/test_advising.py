"What more data would do: the promise of each sentence, kept in simulated repeats."
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit

from sampling_eval import Counts, compare, gate, score
from sampling_eval.inference.planning import excludes_zero
from sampling_eval.reporting.advice import Advice, find_advice, say_about, say_clause
from sampling_eval.reporting.report import Report
from sampling_eval.reporting.standings import Standings
from sampling_eval.reporting.versus import Versus
from sampling_eval.verbs.advising import Sampling



def share(k): return np.arange(k + 1) / k


def make_chances(seed, questions, ahead, apart=.5):
    "Chances of two systems on questions of one kind."
    rng = np.random.default_rng(seed)
    x = rng.normal(size=questions) * 1.8 - .5
    return expit(x), expit(x + ahead + apart * rng.normal(size=questions))


def draw(rng, n, *chances):
    return [Counts(np.full(len(p), n), rng.binomial(n, p), np.arange(len(p))) for p in chances]


def measure(seed, questions, n, ahead):
    "One comparison, and what it was drawn from."
    chances = make_chances(seed, questions, ahead)
    return draw(np.random.default_rng(seed), n, *chances), chances


# The promise.

@pytest.mark.parametrize("seed, questions, n, ahead", [(0, 60, 8, .25), (2, 60, 8, .25), (1, 120, 16, .2), (0, 100, 1, .6), (2, 30, 1, .9)])
def test_so_many_questions_decide_in_four_of_five_repeats(seed, questions, n, ahead):
    (a, b), _ = measure(seed, questions, n, ahead)
    advice = compare(a, b, "pass@1").next
    gaps, state = np.unique(b.c - a.c, return_inverse=True)
    # New questions that vary as the measured ones do, with the measured difference.
    repeats = np.random.default_rng(7).multinomial(advice.questions, np.bincount(state) / questions, 1000)
    decided = excludes_zero(gaps / n * np.sign(advice.value), repeats, .025).mean()
    assert .76 < decided < .87


@pytest.mark.parametrize("seed, questions, n, ahead", [(1, 60, 8, .25), (2, 60, 8, .25), (1, 40, 4, .4)])
def test_so_many_samples_of_these_questions_decide_in_four_of_five_repeats(seed, questions, n, ahead):
    (a, b), (p, q) = measure(seed, questions, n, ahead)
    advice = compare(a, b, "pass@1", target="benchmark").next
    moved = brentq(lambda s: expit(logit(q) + s).mean() - p.mean() - advice.value, -5, 5)
    truth, rng, decided = expit(logit(q) + moved), np.random.default_rng(7), 0
    for _ in range(200):
        row = compare(*draw(rng, advice.samples, p, truth), "pass@1", target="benchmark").rows[0]
        decided += row.again_low > 0 or row.again_high < 0
    assert .72 < decided / 200 < .89


def test_samples_are_promised_for_new_questions_where_the_split_is_sure():
    (a, b), (p, q) = measure(1, 60, 4, .5)
    advice = compare(a, b, "pass@1").next
    assert advice.samples is not None and not advice.hopeless
    moved = brentq(lambda s: expit(logit(q) + s).mean() - p.mean() - advice.value, -5, 5)
    truth, rng, decided = expit(logit(q) + moved), np.random.default_rng(7), 0
    for _ in range(200):
        old, new = draw(rng, advice.samples, p, truth)
        gaps, state = np.unique(new.c - old.c, return_inverse=True)
        values = gaps / advice.samples * np.sign(advice.value)
        decided += excludes_zero(values, np.bincount(state)[None], .025)[0]
    assert decided / 200 > .7


@pytest.mark.parametrize("target", ["questions", "benchmark"])
def test_the_leader_of_several_is_told_from_the_next_in_four_of_five_repeats(target):
    chances = [np.random.default_rng(3).beta(.5, .5, 60)]
    chances += [np.clip(chances[0] + shift, 0, 1) for shift in (.05, .07, -.4)]
    sides = draw(np.random.default_rng(5), 8, *chances)
    found = compare(sides[0], sides[1], "pass@1", others=sides[2:], target=target)
    advice, row = found.next, found.rows[0]
    left = sum(not row.apart for row in found.rows)
    assert advice.pair == (row.first, row.second) and not row.apart and 1 < left < len(found.rows)
    assert advice.confidence_level == pytest.approx(1 - .05 / left)
    assert advice.value == pytest.approx(row.difference)
    tail, known = (1 - advice.confidence_level) / 2, row.comparison
    if target == "questions":
        gaps, state = np.unique(known.b - known.a, return_inverse=True)
        repeats = np.random.default_rng(7).multinomial(advice.questions, np.bincount(state) / 60, 1000)
        decided = excludes_zero(gaps, repeats, tail).mean()
    else:
        old, new = (Counts([8] * 60, side) for side in (known.tables.c_a, known.tables.c_b))
        p, q = ((side.c + .5) / 9 for side in (old, new))
        moved = brentq(lambda s: expit(logit(q) + s).mean() - p.mean() - advice.value, -5, 5)
        rows = (compare(*draw(np.random.default_rng(i), advice.samples, p, expit(logit(q) + moved)), "pass@1",
                        target=target, confidence_level=advice.confidence_level).rows[0] for i in range(200))
        decided = np.mean([row.verdict == "better" for row in rows])
    assert .72 < decided < .92


def test_nothing_is_advised_where_the_leader_is_told_apart_or_nobody_leads():
    none, half, every = (Counts([8] * 60, [c] * 60) for c in (0, 4, 8))
    assert compare(none, half, "pass@1", others=[every]).next is None
    assert compare(half, half, "pass@1", others=[half]).next is None
    # A test by name is not the interval that the advice is about.
    assert compare(half, Counts([8] * 60, [5] * 10 + [4] * 50), "pass@1", others=[none], test="sign-flip").next is None


def test_what_tells_the_leader_apart_stands_in_every_form():
    (a, b), _ = measure(0, 60, 8, .25)
    found = compare(a, b, "pass@1", others=[Counts([8] * 60, [0] * 60, np.arange(60))])
    assert found.next.sentence.startswith("To tell B from A in pass@1 for new questions, all pairs at once, takes about ")
    flat = " ".join(repr(found).split())
    assert found.next.sentence in flat and found.next.sentence in found.to_markdown()
    assert f"Next: t{found.next.sentence[1:]}" in found.to_html().replace("&nbsp;", " ")
    told = json.loads(found.to_json())["next"]
    assert told["pair"] == ["B", "A"] and told["confidence_level"] == pytest.approx(.95)
    again = Standings.from_json(found.to_json())
    assert again == found and again.next == found.next and repr(again) == repr(found)
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)


def test_half_as_wide_is_half_as_wide():
    (a, _), (p, _) = measure(0, 80, 8, .3)
    for target in ("questions", "benchmark"):
        report = score(a, "pass@1", target=target)
        row, advice = report["pass@1"], report.next
        assert advice.goal == "halve" and advice.target == target
        if target == "questions": many = Counts(np.tile(a.n, 4), np.tile(a.c, 4))
        else: many = Counts(a.n * advice.samples // 8, np.rint(a.c * advice.samples / 8).astype(int))
        again = score(many, "pass@1", target=target)["pass@1"]
        factor = 4 * 80 / advice.questions if target == "questions" else 1
        assert (again.high - again.low) * factor**.5 == pytest.approx((row.high - row.low) / 2, rel=.06)


# When there is nothing to say, and what is said.

def test_no_advice_where_there_is_no_question():
    better = compare(Counts([8] * 40, [1] * 40), Counts([8] * 40, [7] * 40))
    assert better.next is None and "To decide" not in repr(better)
    assert json.loads(better.to_json())["next"] is None
    several = score([dict(model=m, question=q, correct=q % 2) for m in "ab" for q in range(4)])
    assert several.next is None
    bounds = score([dict(question=q, correct=None if q == 3 else q % 2) for q in range(4)], missing="bounds")
    assert bounds.next is None


def test_no_difference_has_no_advice_and_a_tiny_one_is_said_to_be_tiny():
    one = Counts([4] * 20, [1, 2, 3, 4] * 5)
    assert compare(one, one, "pass@1").next is None
    n = np.full(1000, 4)
    other = Counts(n, np.r_[3, np.full(499, 1), np.full(500, 3)])
    advice = compare(Counts(n, np.r_[np.full(500, 3), np.full(500, 1)]), other, "pass@1").next
    assert advice.questions is None and advice.samples is None
    assert advice.sentence == ("To decide pass@1 for new questions, a thousand times as many questions would not "
                               "be enough if the true difference is the measured +0.05 points.")


def test_one_sample_a_question_does_not_tell_what_more_would_do():
    a, b = (Counts([1] * 50, right) for right in ([1, 0] * 25, [1, 0, 0, 1, 0] * 10))
    advice = compare(a, b).next
    assert advice.samples is None and advice.gain is None and not advice.hopeless
    assert " with 1 sample each (enough with a chance of 80 %" in advice.sentence and advice.sentence.endswith(").")
    assert score(a).next.sentence.startswith("If new questions vary as these do, half as wide an interval of pass@1 takes about ")


def test_where_no_number_of_samples_is_enough_it_is_said():
    (a, b), _ = measure(0, 120, 16, .2)
    found = compare(a, b, "pass@1")
    assert found.next.hopeless and found.next.samples is None
    assert found.next.sentence.endswith("; no number of samples of these 120 questions would.")
    assert found.next.sentence in " ".join(repr(found).split())
    assert max(map(len, repr(found).splitlines())) <= 80


@pytest.mark.parametrize("target", ["questions", "benchmark"])
def test_a_weak_gate_has_the_same_advice_in_numbers(target):
    (a, b), _ = measure(1, 60, 8, .1)
    found = gate(b, baseline=a, max_drop=.03, target=target)
    (row,) = found.rows
    assert found.verdict == "weak" and row.next.limit == -.03 and row.next.power == .8
    assert row.warning.startswith("if the true difference is the measured ")
    again = type(found).from_json(found.to_json())
    assert again == found and again.rows[0].next == row.next


def test_groups_of_questions_are_counted():
    (a, b), _ = measure(0, 60, 8, .25)
    groups = [f"g{i // 3}" for i in range(60)]
    advice = compare(a, b, "pass@1", cluster=groups).next
    assert advice.unit == "cluster" and "clusters like these" in advice.sentence


def test_numbers_are_totals_beside_those_there_are():
    advice = Advice("pass@1", "decide", "questions", -.046, 0., .8, 284, 10, .6, 60, "4", difference=True)
    assert advice.sentence == (
        "To decide pass@1 for new questions takes about 290 questions in all (60 now) with 4 samples each, or about 10 samples "
        "of each question in all (4 now), of both systems (enough with a chance of 80 %, if the true difference is the measured -4.6 points).")
    pair = replace(advice, pair=("b", "a"), questions=None, has_samples="3..4")
    assert "all pairs at once, takes about 10 samples of each question in all (3 to 4 now), of these two (" in pair.sentence
    one = replace(advice, goal="halve", target="benchmark", has_questions=1, has_samples="1", difference=False)
    assert one.sentence == ("Half as wide an interval of pass@1 on these questions, run again, takes about 10 samples of this "
                            "question in all (1 now).")
    level = replace(advice, limit=.5, value=.5425, difference=False, samples=None)
    assert say_clause(level) == ("if the true value is the measured 54.2 %, about 290 questions in all (60 now) with 4 samples "
                                 "each would decide it with a chance of 80 %")
    assert "(4 now), of both systems, would decide it" in say_clause(advice)
    assert replace(level, metric="soft@4").sentence.endswith("(enough with a chance of 80 %, if the true value is the measured 0.542).")
    assert "about 290 clusters like these in all" in replace(level, unit="cluster").sentence


def test_json_holds_the_advice():
    (a, b), _ = measure(1, 60, 8, .1)
    for kind, found in ((Report, score(a)), (Versus, compare(a, b))):
        told = json.loads(found.to_json())["next"]
        assert told["sentence"] == found.next.sentence and told["questions"] == found.next.questions
        again = kind.from_json(found.to_json())
        assert again.next == found.next and isinstance(again.next, Advice)


def test_advice_is_found_when_it_is_asked_for():
    assert find_advice(None) is None and find_advice(lambda: None) is None


def test_two_digits_are_enough():
    assert [say_about(o) for o in (7, 99, 100, 101, 1234, 12001)] == [
        "about 7", "about 99", "about 100", "about 110", "about 1,300", "about 13,000"]


# The samples behind a mean.

@pytest.mark.parametrize("k", [1, 2, 4])
def test_noise_of_other_numbers_of_samples(k):
    p = np.linspace(.1, .9, 9)
    rng, found = np.random.default_rng(0), []
    for _ in range(400):
        n = np.where(np.arange(9) % 2, 8, 12)
        found.append(Sampling(((n, rng.binomial(n, p)),), k, lambda k: (np.arange(k + 1) > 0) * 1.).variance(np.array([16]))[0])
    values = []
    for c in (rng.binomial(16, p) for _ in range(4000)):
        wrong = 1 - np.prod([(16 - c - j) / (16 - j) for j in range(k)], 0)
        values.append(np.mean(wrong))
    assert np.mean(found) == pytest.approx(np.var(values), rel=.12)


def test_samples_that_leave_so_much_noise():
    sampling = Sampling(((np.full(50, 8), np.arange(50) % 9),), 1, share)
    now = sampling.now()
    assert sampling.variance(np.array([8]))[0] == pytest.approx(now)
    assert sampling.find_samples(now / 4) in (32, 33) and sampling.find_samples(now / 1e6) is None
