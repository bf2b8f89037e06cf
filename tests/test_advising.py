"What more data would do: what is promised is kept in simulated repeats."

import json
import pickle
from math import ceil

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit

from sampling_eval import Counts, compare, gate, score
from sampling_eval.foundations.credit import share_credit
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.deciding import enough_data
from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.power import excludes_zero, lies_above
from sampling_eval.inference.planning import within_at
from sampling_eval.inference.units import units_of
from sampling_eval.results.verdict import Advice
from sampling_eval.analyses.engine.next_steps import Sampling, doubt_variance


def share(k):
    return np.arange(k + 1) / k


def make_chances(seed, questions, ahead, apart=0.5):
    "Chances of two systems on questions of one kind."
    rng = np.random.default_rng(seed)
    x = rng.normal(size=questions) * 1.8 - 0.5
    return expit(x), expit(x + ahead + apart * rng.normal(size=questions))


def draw(rng, n, *chances):
    return [Counts(np.full(len(p), n), rng.binomial(n, p), np.arange(len(p))) for p in chances]


def measure(seed, questions, n, ahead):
    "One comparison, and what it was drawn from."
    chances = make_chances(seed, questions, ahead)
    return draw(np.random.default_rng(seed), n, *chances), chances


def excludes(old, new, level=0.95):
    """The side of zero on which the interval lies that `compare` prints for the same questions, or
    0."""
    tables = Tables(old.n, old.c, new.n, new.c, 1, share_credit)
    found = paired_difference(old.c / old.n, new.c / new.n, tables=tables)
    ends = found.confidence_interval(level, target="same_questions")
    return int(ends.low > 0) - int(ends.high < 0)


def test_the_short_way_is_what_compare_prints():
    rng, (p, q) = np.random.default_rng(1), make_chances(2, 60, 0.25)
    for level in 0.9, 0.95, 0.99:
        sides = draw(rng, 8, p, q)
        row = compare(*sides, "pass@1", target="same_questions", confidence_level=level).rows[0]
        assert excludes(*sides, level) == dict(better=1, worse=-1).get(row.verdict, 0)


# The promise.


@pytest.mark.parametrize("method", [None, "assumption-free", "t"])
@pytest.mark.parametrize(
    "seed, questions, n, ahead",
    [(0, 60, 8, 0.25), (2, 60, 8, 0.25), (1, 120, 16, 0.15), (0, 100, 1, 0.6), (2, 30, 1, 0.9)],
)
def test_so_many_questions_decide_in_four_of_five_repeats(seed, questions, n, ahead, method):
    (a, b), _ = measure(seed, questions, n, ahead)
    advice = compare(a, b, "pass@1", method=method).next
    gaps, state = np.unique(b.c - a.c, return_inverse=True)
    # New questions that vary as the measured ones do, with the measured difference.
    repeats = np.random.default_rng(7).multinomial(
        advice.questions, np.bincount(state) / questions, 1000
    )
    values = gaps / n * np.sign(advice.value)
    # One sample each is decided by McNemar's test.
    strict = method == "assumption-free" or method is None and n == 1
    found = (
        excludes_zero(values, repeats, 0.025) if strict else lies_above(values, repeats, 0.025)[0]
    )
    assert 0.76 < found.mean() < 0.87


@pytest.mark.parametrize("seed, questions, n, ahead", [(2, 60, 8, 0.25), (1, 40, 4, 0.4)])
def test_so_many_samples_of_these_questions_decide_in_four_of_five_repeats(
    seed, questions, n, ahead
):
    (a, b), (p, q) = measure(seed, questions, n, ahead)
    advice = compare(a, b, "pass@1", target="same_questions").next
    moved = brentq(lambda s: expit(logit(q) + s).mean() - p.mean() - advice.value, -5, 5)
    truth, rng = expit(logit(q) + moved), np.random.default_rng(7)
    decided = [excludes(*draw(rng, advice.samples, p, truth)) != 0 for _ in range(200)]
    assert 0.72 < np.mean(decided) < 0.89


def test_samples_are_promised_for_new_questions_where_the_split_is_sure():
    (a, b), (p, q) = measure(7, 60, 4, 0.5)
    advice = compare(a, b, "pass@1").next
    assert advice.samples is not None and not advice.hopeless
    moved = brentq(lambda s: expit(logit(q) + s).mean() - p.mean() - advice.value, -5, 5)
    truth, rng, decided = expit(logit(q) + moved), np.random.default_rng(7), 0
    for _ in range(200):
        old, new = draw(rng, advice.samples, p, truth)
        gaps, state = np.unique(new.c - old.c, return_inverse=True)
        values = gaps / advice.samples * np.sign(advice.value)
        decided += lies_above(values, np.bincount(state)[None], 0.025)[0][0]
    assert decided / 200 > 0.7


@pytest.mark.parametrize("questions, hopeless", [(15, True), (25, False)])
def test_samples_of_questions_that_t_does_not_decide_are_promised_without_it_only(
    questions, hopeless
):
    # Of 15 questions t decides none, however many samples they have; nine that differ may become
    # ten.
    apart = np.repeat([1, 0], [9, questions - 9])
    a, b = (Counts([4] * questions, c) for c in (0 * apart + 1, apart + 1))
    found = compare(a, b, "pass@1")
    assert found["pass@1"].method == "gaffke" and found["pass@1"].verdict == "inconclusive"
    assert found.next.samples is None and found.next.hopeless is hopeless
    assert found.next.questions > 20


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_the_leader_of_several_is_told_from_the_next_in_four_of_five_repeats(target):
    chances = [np.random.default_rng(3).beta(0.5, 0.5, 60)]
    chances += [np.clip(chances[0] + shift, 0, 1) for shift in (0.03, 0.06, -0.4)]
    sides = draw(np.random.default_rng(5), 8, *chances)
    found = compare(sides[0], sides[1], "pass@1", others=sides[2:], target=target)
    advice, row = found.next, found.rows[0]
    left = sum(not row.apart for row in found.rows)
    assert advice.pair == (row.first, row.second) and not row.apart and 1 < left < len(found.rows)
    assert advice.confidence_level == pytest.approx(1 - 0.05 / left)
    assert advice.value == pytest.approx(row.difference)
    tail, known = (1 - advice.confidence_level) / 2, row.comparison
    if target == "new_questions":
        gaps, state = np.unique(known.b - known.a, return_inverse=True)
        repeats = np.random.default_rng(7).multinomial(
            advice.questions, np.bincount(state) / 60, 1000
        )
        decided = lies_above(gaps / 8, repeats, tail)[0].mean()
    else:
        old, new = (Counts([8] * 60, side) for side in (known.tables.c_a, known.tables.c_b))
        p, q = ((side.c + 0.5) / 9 for side in (old, new))
        moved = brentq(lambda s: expit(logit(q) + s).mean() - p.mean() - advice.value, -5, 5)
        truth = expit(logit(q) + moved)
        decided = np.mean(
            [
                excludes(
                    *draw(np.random.default_rng(i), advice.samples, p, truth),
                    advice.confidence_level,
                )
                > 0
                for i in range(200)
            ]
        )
    assert 0.72 < decided < 0.92


def test_nothing_is_advised_where_the_leader_is_told_apart_or_nobody_leads():
    none, half, every = (Counts([8] * 60, [c] * 60) for c in (0, 4, 8))
    assert compare(none, half, "pass@1", others=[every]).next is None
    assert compare(half, half, "pass@1", others=[half]).next is None
    # A test by name is not the interval that the advice is about.
    assert (
        compare(
            half, Counts([8] * 60, [5] * 10 + [4] * 50), "pass@1", others=[none], method="t"
        ).next
        is None
    )


def test_json_holds_the_advice_of_every_verb():
    (a, b), _ = measure(0, 60, 8, 0.25)
    third = Counts([8] * 60, [0] * 60, np.arange(60))
    for found in (score(a), compare(a, b, "pass@1"), compare(a, b, "pass@1", others=[third])):
        told = json.loads(found.to_json())["next"]
        assert told == found.next.to_dict() and isinstance(found.next, Advice)
        assert told["pair"] == (["B", "A"] if hasattr(found, "rankings") else None)
        again = type(found).from_json(found.to_json())
        assert again.next == found.next == pickle.loads(pickle.dumps(found)).next


def test_half_as_wide_is_half_as_wide():
    (a, _), (p, _) = measure(0, 80, 8, 0.3)
    for target in ("new_questions", "same_questions"):
        report = score(a, "pass@1", target=target)
        row, advice = report["pass@1"], report.next
        assert advice.goal == "halve" and advice.target == target
        if target == "new_questions":
            many = Counts(np.tile(a.n, 4), np.tile(a.c, 4))
        else:
            many = Counts(a.n * advice.samples // 8, np.rint(a.c * advice.samples / 8).astype(int))
        again = score(many, "pass@1", target=target)["pass@1"]
        factor = 4 * 80 / advice.questions if target == "new_questions" else 1
        assert (again.high - again.low) * factor**0.5 == pytest.approx(
            (row.high - row.low) / 2, rel=0.06
        )


# When there is nothing to say, and what is said.


def test_no_advice_where_there_is_no_question():
    better = compare(Counts([8] * 40, [1] * 40), Counts([8] * 40, [7] * 40))
    assert better.next is None
    assert json.loads(better.to_json())["next"] is None
    several = score([dict(model=m, question=q, correct=q % 2) for m in "ab" for q in range(4)])
    assert several.next is None
    bounds = score(
        [dict(question=q, correct=None if q == 3 else q % 2) for q in range(4)], missing="bounds"
    )
    assert bounds.next is None


def test_no_difference_has_no_advice_and_a_tiny_one_is_said_to_be_tiny():
    one = Counts([4] * 20, [1, 2, 3, 4] * 5)
    assert compare(one, one, "pass@1").next is None
    n = np.full(1000, 4)
    other = Counts(n, np.r_[3, np.full(499, 1), np.full(500, 3)])
    advice = compare(Counts(n, np.r_[np.full(500, 3), np.full(500, 1)]), other, "pass@1").next
    assert advice.questions is None and advice.samples is None
    assert abs(advice.value - 0.0005) < 1e-9 and advice.limit == 0


def test_one_sample_a_question_does_not_tell_what_more_would_do():
    a, b = (Counts([1] * 50, right) for right in ([1, 0] * 25, [1, 0, 0, 1, 0] * 10))
    advice = compare(a, b).next
    assert advice.samples is None and advice.gain is None and not advice.hopeless
    assert advice.has_samples == ((1, 1), (1, 1)) and advice.questions_without is None
    assert score(a).next.goal == "halve" and score(a).next.gain is None


def test_where_no_number_of_samples_is_enough():
    (a, b), _ = measure(0, 120, 16, 0.2)
    advice = compare(a, b, "pass@1", method="assumption-free").next
    assert advice.hopeless and advice.samples is None


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_an_inconclusive_gate_has_the_same_advice(target):
    (a, b), _ = measure(1, 60, 8, 0.1)
    found = gate(b, baseline=a, max_drop=0.03, target=target)
    (row,) = found.rows
    assert found.verdict == "inconclusive" and row.next.limit == -0.03 and row.next.power == 0.8
    again = type(found).from_json(found.to_json())
    assert again == found and again.rows[0].next == row.next


def test_groups_of_questions_are_counted():
    (a, b), _ = measure(0, 60, 8, 0.25)
    groups = [f"g{i // 3}" for i in range(60)]
    advice = compare(a, b, "pass@1", cluster=groups).next
    assert advice.clustered and advice.questions > 20


# The samples behind a mean.


@pytest.mark.parametrize("k", [1, 4])
def test_noise_of_other_numbers_of_samples(k):
    p = np.linspace(0.1, 0.9, 9)
    rng, found = np.random.default_rng(0), []
    for _ in range(400):
        n = np.where(np.arange(9) % 2, 8, 12)
        found.append(
            Sampling(
                ((n, rng.binomial(n, p)),), k, lambda k: (np.arange(k + 1) > 0) * 1.0
            ).variance(np.array([16]))[0]
        )
    values = []
    for c in (rng.binomial(16, p) for _ in range(4000)):
        wrong = 1 - np.prod([(16 - c - j) / (16 - j) for j in range(k)], 0)
        values.append(np.mean(wrong))
    assert np.mean(found) == pytest.approx(np.var(values), rel=0.12)


def any_right(k):
    return (np.arange(k + 1) > 0) * 1.0


UNEQUAL = (np.array([4, 8, 4]), np.array([1, 4, 3])), (np.array([2, 2, 10]), np.array([1, 2, 3]))
SINGLE = [
    (3 / 12 + 16 / 56 + 3 / 12) / 9,
    (1 / 2 + 0 + 21 / 90) / 9,
]  # Sums of c (n - c) / n / (n - 1)


def test_noise_of_single_samples_by_hand():
    sampling = Sampling(UNEQUAL, 1, share)
    np.testing.assert_allclose(sampling.variance(np.array([1, 5])), [sum(SINGLE), sum(SINGLE) / 5])
    own = [(3 / 12 / 4 + 16 / 56 / 8 + 3 / 12 / 4) / 9, (1 / 2 / 2 + 0 + 21 / 90 / 10) / 9]
    assert sampling.now() == pytest.approx(sum(own))
    half = Sampling(UNEQUAL, 1, lambda k: 0.25 + share(k) / 2)
    assert half.now() == pytest.approx(sum(own) / 4) and sampling.fewest == half.fewest == 2
    pair = Sampling(((np.array([5, 4]), np.array([2, 3])),), 2, any_right)
    want = [within_at([n], [c], 2, any_right, [n])[0, 0] for n, c in ((5, 2), (4, 3))]
    assert pair.now() == pytest.approx(sum(want) / 4)
    np.testing.assert_allclose(
        pair.variance(np.array([2, 6])), within_at([5, 4], [2, 3], 2, any_right, [2, 6]).sum(0) / 4
    )


def test_samples_that_leave_a_goal_follow_one_over_n():
    sampling = Sampling(((np.full(2, 4), np.full(2, 2)),), 1, share)
    one = 4 / 12 / 2  # The variance with one sample of each
    assert sampling.now() == pytest.approx(one / 4)
    assert [sampling.find_samples(one / n) for n in (32, 32.5, 33, 4095)] == [32, 33, 33, 4095]
    # No fewer than one more than there are, no more than 1024 times as many.
    assert [sampling.find_samples(one / n) for n in (1, 4, 4.5, 5, 5.5)] == [5, 5, 5, 5, 6]
    last = float(sampling.variance(np.array([4096]))[0])
    assert sampling.find_samples(last) is None and sampling.find_samples(last * 1.000001) == 4096
    assert Sampling(((np.full(2, 4), np.array([0, 4])),), 1, share).find_samples(0.1) is None


# The distance to a decision.


def test_the_doubt_about_a_variance_by_hand():
    # Two ones and six zeros: mean 1/4, squares 9/16 twice and 1/16 six times.
    units = units_of([1, 1, 0, 0, 0, 0, 0, 0])
    square, fourth = (2 * 9 + 6) / 16 / 8, (2 * 81 + 6) / 256 / 8
    assert fourth / square**2 < 3
    variance = 8 * square / 7 / 8
    assert doubt_variance(units) == pytest.approx(1.645 * (2 / 8) ** 0.5 * variance)
    # One of sixteen: the fourth moment tells more than that of a normal law.
    units = units_of([1] + [0] * 15)
    square, fourth = (225 + 15) / 256 / 16, (225**2 + 15) / 256**2 / 16
    assert fourth / square**2 > 3
    variance = 16 * square / 15 / 16
    assert doubt_variance(units) == pytest.approx(
        1.645 * ((fourth / square**2 - 1) / 16) ** 0.5 * variance
    )


# The advice of each verb, from what stands in its row.


def test_a_report_with_groups_is_about_all_questions():
    rows = [
        dict(question=q, group="ab"[q % 2], correct=int(s < q % 4))
        for q in range(12)
        for s in range(4)
    ]
    whole, parts = score(rows, "pass@1").next, score(rows, "pass@1", by="group").next
    assert parts == whole and whole.has_questions == 12


def test_nothing_halves_what_has_no_ends_or_no_outcomes():
    assert score(Counts([4], [2]), "pass@1", interval="t").next is None
    graded = score(
        [dict(question=q, score=q % 3 / 2) for q in range(9) for _ in range(2)], "soft@n"
    )
    assert graded.next.gain is None and graded.next.samples is None and graded.next.questions > 9
    votes = [
        dict(question=q, answer="ab"[s % 2], correct=int(s % 2 == q % 2))
        for q in range(9)
        for s in range(5)
    ]
    assert score(votes, "maj@3").next.gain is None


def test_a_comparison_of_all_budgets_is_about_the_first_that_is_open():
    a, b = Counts([8] * 40, [0, 3, 4, 7] * 10), Counts([8] * 40, [0, 5, 5, 8] * 9 + [1, 4, 8, 8])
    for method, verdicts, metric in (
        (None, ["better", "better", "inconclusive"], "pass@8"),
        ("assumption-free", ["better", "inconclusive", "inconclusive"], "pass@2"),
    ):
        found = compare(a, b, "pass@k", k=[1, 2, 8], method=method)
        assert [row.verdict for row in found.rows] == verdicts and found.next.metric == metric
        assert found.next.questions == compare(a, b, metric, method=method).next.questions
    even = compare(
        Counts([8] * 40, [1, 3, 4, 7] * 10), Counts([8] * 40, [3, 5, 5, 8] * 10), "pass@8"
    )
    assert (
        even.rows[0].verdict == "inconclusive"
        and even.rows[0].difference == 0
        and even.next is None
    )


def test_the_leader_and_the_first_that_may_equal_it():
    sides = [
        Counts([8] * 12, c)
        for c in (
            [2, 3, 4, 5, 6, 7, 4, 3, 2, 6, 5, 4],
            [3, 2, 5, 6, 8, 7, 5, 4, 2, 5, 7, 4],
            [0] * 12,
        )
    ]
    strict = dict(others=sides[2:], method="assumption-free")
    found = compare(*sides[:2], "pass@1", confidence_level=0.9, **strict)
    advice, left = found.next, sum(row.p_holm > 0.1 for row in found.rows)
    assert (
        advice.pair == ("B", "A")
        and left == 1
        and advice.confidence_level == pytest.approx(1 - 0.1 / left)
    )
    pair = found["pass@1", "A", "B"].comparison
    ends = pair.estimate.confidence_interval(advice.confidence_level, "assumption-free")
    factor = enough_data(
        pair.difference,
        pair.difference - ends.low,
        pair.estimate.stderr,
        advice.confidence_level,
        0.8,
    )
    assert advice.questions == ceil(12 * factor) and advice.value == pytest.approx(pair.difference)
    assert advice.limit == 0
    assert (advice.has_samples, advice.has_questions, advice.difference, advice.target) == (
        ((8, 8), (8, 8)),
        12,
        True,
        "new_questions",
    )
    again = compare(*sides[:2], "pass@1", others=sides[2:], target="same_questions").next
    assert (
        again.target == "same_questions"
        and again.questions is None
        and again.samples > 8
        and again.pair == ("B", "A")
    )
    uneven = compare(sides[0], Counts([8] * 11 + [9], sides[1].c), "pass@1", others=sides[2:]).next
    assert uneven.has_samples == ((8, 9), (8, 8))
    # With twelve questions t decides nothing; with twenty or more it may.
    assert (uneven.questions, uneven.questions_without) == (31, 88)


def test_the_first_metric_that_leaves_the_leader_open():
    a, b = Counts([8] * 40, [0, 3, 4, 7] * 10), Counts([8] * 40, [0, 5, 5, 8] * 9 + [1, 4, 8, 8])
    found = compare(a, b, "pass@k", k=[1, 2, 8], others=[Counts([8] * 40, [0] * 40)])
    assert [found[metric, "A", "B"].apart for metric in found.rankings] == [True, True, False]
    assert found.next.metric == "pass@8"


def test_the_closest_that_is_not_told_apart():
    """The second is told apart from the leader, the third is not; two of three pairs are left at
    Holm's next step."""
    same = np.array([0, 8] * 20)
    leader, near, odd = (
        Counts([8] * 40, c) for c in (same, np.maximum(same - 1, 0), np.r_[[8, 0] * 9, [0, 6] * 11])
    )
    found = compare(leader, near, "pass@1", others=[odd], method="t")
    assert [found["pass@1", "A", other].apart for other in "BC"] == [True, False]
    assert found.next.pair == ("A", "C") and found.next.value == pytest.approx(0.5 - 0.43125)
    assert found.next.confidence_level == 0.975
    pair = found["pass@1", "A", "C"].comparison
    low = pair.estimate.confidence_interval(0.975, "t").low
    assert found.next.questions == ceil(
        40 * enough_data(pair.difference, pair.difference - low, pair.estimate.stderr, 0.975, 0.8)
    )


# Samples behind a mean: whether they show its noise.


@pytest.mark.parametrize(
    "sides, k, known",
    [
        (([2, 3],), 1, True),
        (([1, 3],), 1, False),
        (([4, 4],), 2, True),
        (([4, 3],), 2, False),
        (([4, 4],), 3, False),
        (([4, 4], [4, 4]), 2, True),
        (([4, 4], [8, 3]), 2, False),
        (([3, 4], [8, 8]), 2, False),
    ],
)
def test_noise_is_known_from_two_trials_of_every_question(sides, k, known):
    sampling = Sampling(tuple((np.array(n), np.array([1, 1])) for n in sides), k, share)
    assert sampling.known is known and sampling.fewest == min(map(min, sides))


@pytest.mark.parametrize("questions, hopeless", [(19, True), (20, False), (21, False)])
def test_of_twenty_questions_t_may_decide_some(questions, hopeless):
    apart = np.repeat([1, 0], [9, questions - 9])
    a, b = (Counts([4] * questions, c) for c in (0 * apart + 1, apart + 1))
    advice = compare(a, b, "pass@1").next
    assert advice.samples is None and advice.hopeless is hopeless
    assert advice.questions >= questions


def test_what_is_advised_of_a_difference_is_in_its_unit():
    rng = np.random.default_rng(3)
    sides = [
        [dict(question=q, score=float(one)) for q, one in enumerate(rng.normal(at, 2, 30))]
        for at in (0, 0.3)
    ]
    advice = compare(*sides, "mean@n").next
    assert (advice.unit, advice.difference, advice.limit) == ("score", True, 0)
    shares = compare(Counts([4] * 9, [1, 2, 3] * 3), Counts([4] * 9, [2, 2, 3] * 3), "pass@1").next
    assert (shares.unit, shares.difference) == ("share", True)
    assert score(sides[0], "mean@n").next.unit == "score"


@pytest.mark.parametrize("right", [0, 4])
@pytest.mark.parametrize("questions", [1, 7, 40])
def test_without_a_spread_twice_as_many_questions_are_advised(right, questions):
    "The end on one side then lies nearly as one over the number of questions."
    report = score(Counts([4] * questions, [right] * questions), "pass@1")
    assert report.rows[0].stderr is None and report.next.questions == 2 * questions
    assert report.next.samples is None and report.next.gain is None
