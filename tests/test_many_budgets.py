"Many budgets and very many samples at once: what each gives by itself, exact."

import pickle
from fractions import Fraction
from math import exp, log1p

import numpy as np
import pytest

from sampling_eval import (
    compare,
    cons_at_k,
    Counts,
    g_pass_at_k,
    mg_pass_at_k,
    pass_at_k,
    pass_at_k_plugin,
    pass_hat_k,
    pass_hat_k_plugin,
    score,
)
from sampling_eval.foundations.credit import any_credit, majority_credit, share_credit
from sampling_eval.foundations.long_draws import list_law, smooth_law
from sampling_eval.foundations.urn import (
    log_missed,
    MOST_DRAWS,
    mean_above,
    mean_credit,
    pair,
    second_moment,
    within_variance,
)
from sampling_eval.inference import estimate, paired_comparison, randomization, significance as s
from sampling_eval.inference.paired_comparison import compare_budgets
from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.sequential import pass_at_k_until_success

KS = np.arange(1, 7)


def draw_sides(sizes, questions=60):
    "Counts of two systems, seeded."
    rng = np.random.default_rng(3)
    n_a, n_b = (rng.choice(sizes, questions) for _ in range(2))
    chance = rng.beta(1, 1, questions)
    return n_a, rng.binomial(n_a, chance), n_b, rng.binomial(n_b, chance**0.7)


@pytest.mark.parametrize("credit", [any_credit, majority_credit, None])
@pytest.mark.parametrize("sizes", [[8], [6, 8, 9]])
def test_budgets_share_deals_and_each_has_its_own_p(credit, sizes):
    sides = draw_sides(sizes)
    many = s.permutations(*sides, KS, credit, draws=800, rng=5)
    assert many == [s.permutation(*sides, int(k), credit, draws=800, rng=5) for k in KS]
    assert all("exact" in p.method for p in many[:1] if credit != majority_credit)
    assert [p.method[-9:] == "800 draws" for p in many[1:]] == [credit is not None] * 5


def test_the_drawn_test_against_a_value_of_every_deal():
    n_a, c_a, n_b, c_b = draw_sides([7], 40)
    tables, times = s.pool_tables(n_a, c_a, n_b, c_b)

    def value(c):
        return pass_at_k(7, c, 3)

    rng, total = np.random.default_rng(0), np.zeros(500)
    for (_, _, right), count in zip(tables, times):
        c, law = s.deal_table(7, 7, right)
        gap, law = value(right - c) - value(c), law / law.sum()
        if count < len(c):
            total += rng.choice(gap, (500, count), p=law).sum(1)
        else:
            total += rng.multinomial(count, law, 500) @ gap
    seen = (value(c_b) - value(c_a)).sum()
    tail = min((total <= seen + 1e-9).sum(), (total >= seen - 1e-9).sum())
    found = s.permutation(n_a, c_a, n_b, c_b, 3, any_credit, draws=500)
    assert found.value == pytest.approx(min(1, 2 * (1 + tail) / 501), rel=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (5, 1061), (2, 8)])
def test_bits_are_those_of_numpy(shape):
    ours, theirs = (np.random.default_rng(4) for _ in range(2))
    for _ in range(2):
        np.testing.assert_array_equal(
            randomization.draw_bits(shape, ours), theirs.integers(0, 2, shape, np.int8)
        )
    assert ours.random() == theirs.random()


def compare_pass(sizes, **facts):
    n_a, c_a, n_b, c_b = draw_sides(sizes)
    a, b = pass_at_k(n_a, c_a, KS), pass_at_k(n_b, c_b, KS)
    return compare_budgets(a, b, k=KS, tables=Tables(n_a, c_a, n_b, c_b, KS, any_credit), **facts)


@pytest.mark.parametrize(
    "sizes, method, target",
    [
        ([8], None, "new_questions"),
        ([8], None, "same_questions"),
        ([8], "t", "new_questions"),
        ([6, 9], None, "new_questions"),
        ([6, 9], "permutation", "same_questions"),
    ],
)
def test_tests_at_all_budgets_are_the_tests_one_by_one(sizes, method, target):
    many = compare_pass(sizes)
    found = many.tests(method, target=target, draws=300, rng=2)
    for one, got in zip(many, found, strict=True):
        want = one.test(method, target=target, draws=300, rng=2)
        assert got[1:] == want[1:] and got.value == pytest.approx(want.value, rel=1e-9)


def test_all_budgets_refuse_what_one_refuses():
    with pytest.raises(ValueError, match="same number of samples on both sides"):
        compare_pass([6, 9]).tests("sign-flip")
    bare = compare_budgets(np.eye(4), 1 - np.eye(4))
    with pytest.raises(ValueError, match="permutation needs the counts"):
        bare.tests("permutation")
    with pytest.raises(ValueError, match="target must be"):
        bare.tests(target="both")


@pytest.mark.parametrize("n", [np.full(9, 8), np.array([1, 2, 3, 3, 5, 8, 8, 12, 12])])
@pytest.mark.parametrize("credit", [any_credit, majority_credit, share_credit])
def test_noise_at_all_budgets_is_the_noise_of_each(n, credit):
    c, ks = n * np.arange(9) // 8, np.arange(1, n.min() + 1)
    many = estimate.within_questions(n, c, ks, credit)
    for i, k in enumerate(ks):
        one = estimate.within_questions(n, c, int(k), credit)
        np.testing.assert_allclose(many.variance[:, i], one.variance, rtol=1e-12, atol=1e-16)
        np.testing.assert_array_equal(many.step[:, i], one.step)


def test_the_variance_takes_one_law_for_both_sides_of_one_half():
    n, c, ks = np.full(13, 12), np.arange(13), KS
    mean = mean_credit(c, n - c, ks, any_credit)
    low = mean**2 - second_moment(c, n - c, ks, any_credit)
    high = (1 - mean) ** 2 - second_moment(c, n - c, ks, lambda k: 1 - any_credit(k))
    want = np.where(mean <= 0.5, low, high)
    np.testing.assert_allclose(within_variance(n, c, ks, any_credit), want, atol=1e-15)
    h = any_credit(3)
    np.testing.assert_array_equal(pair(np.stack([h, 1 - h], -1)).T, [pair(h), pair(1 - h)])


def test_a_report_of_a_credit_of_ones_own_travels_before_it_is_looked_at():
    report = score(
        [[1, 0, 1, 1], [0, 0, 1, 0]],
        {"two@k": lambda k: np.arange(k + 1) >= min(k, 2)},
        target="same_questions",
    )
    again = pickle.loads(pickle.dumps(report))
    assert again.rows == report.rows and again.rows[1].stderr == report.rows[1].stderr


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_rows_of_a_comparison_are_those_of_single_budgets(target):
    n_a, c_a, _, c_b = draw_sides([8])
    sides = Counts(n_a, c_a), Counts(n_a, c_b)
    for row in compare(*sides, "pass@k", k=KS, target=target).rows:
        alone = compare(*sides, "pass@k", k=row.k, target=target).rows[0]
        told, wanted = row.to_dict(), alone.to_dict()
        assert told.keys() == wanted.keys()
        for name, value in told.items():
            assert is_near(value, wanted[name]), name


def is_near(value, want):
    if isinstance(value, dict):
        return value.keys() == want.keys() and all(
            is_near(value[name], want[name]) for name in value
        )
    return (
        value == pytest.approx(want, rel=1e-9, abs=1e-12)
        if isinstance(value, float)
        else value == want
    )


def test_each_test_is_run_once_for_all_rows(monkeypatch):
    runs = []

    def spy(*given, **options):
        runs.append(given)
        return s.permutations(*given, **options)

    monkeypatch.setattr(paired_comparison, "permutations", spy)
    n_a, c_a, _, c_b = draw_sides([8])
    given = dict(k=KS, target="same_questions", test="permutation")
    told = compare(Counts(n_a, c_a), Counts(n_a, c_b), "pass@k", **given)
    assert all(row.named_test for row in told.rows) and len(runs) == 1
    rng = np.random.default_rng(1)
    told = compare(Counts(n_a, c_a), Counts(n_a, c_b), "pass@k", rng=rng, **given)
    assert len(runs) == 1, "a generator is drawn from row by row"


# Metrics of very many samples and budgets: at once, and exact.

HUGE = 10**9


@pytest.mark.parametrize(
    "call, want",
    [
        (lambda: pass_at_k(HUGE, HUGE - 1, HUGE), 1),
        (lambda: pass_at_k(HUGE, 1, HUGE // 10), 0.1),
        (lambda: pass_at_k(HUGE, 0, HUGE), 0),
        (lambda: pass_at_k(HUGE, HUGE // 2, HUGE // 2), 1),
        (lambda: pass_hat_k(HUGE, HUGE - 1, HUGE), 0),
        (lambda: pass_hat_k(HUGE, HUGE, HUGE), 1),
        (lambda: pass_hat_k(HUGE, HUGE - 1, HUGE // 10), 0.9),
        (lambda: cons_at_k(HUGE, HUGE - 1, HUGE), 1),
        (lambda: cons_at_k(HUGE, HUGE // 2, HUGE), 0),
        (lambda: cons_at_k(HUGE, HUGE // 2, HUGE // 2 + 1), 0.5),
        (lambda: g_pass_at_k(HUGE, HUGE - 1, HUGE, 0.5), 1),
        (lambda: g_pass_at_k(HUGE, HUGE - 1, HUGE, 1.0), 0),
        (lambda: g_pass_at_k(HUGE, HUGE // 4, HUGE, Fraction(1, 4)), 1),
        (lambda: mg_pass_at_k(HUGE, HUGE, HUGE), 1),
        (lambda: mg_pass_at_k(HUGE, HUGE // 2, HUGE), 0),
        (lambda: pass_at_k_plugin(HUGE, 1, HUGE), -np.expm1(HUGE * log1p(-1 / HUGE))),
        (lambda: pass_hat_k_plugin(HUGE, HUGE - 1, HUGE), exp(HUGE * log1p(-1 / HUGE))),
        (lambda: pass_at_k_until_success(HUGE, 1, HUGE), 1),
        (
            lambda: pass_at_k_until_success(HUGE, 2, HUGE // 10, successes=2),
            (HUGE // 10) / (HUGE - 1),
        ),
        (
            lambda: pass_at_k(HUGE, 10**5, [1, 10**5, HUGE]),
            [1e-4, -np.expm1(log_missed(HUGE, 10**5, 10**5)), 1],
        ),
        (lambda: cons_at_k([HUGE, 9], [HUGE // 2, 4], 9)[1], 0),
    ],
)
def test_very_many_samples_at_once(call, want):
    # A sum over a billion numbers would not fit in memory.
    assert np.asarray(call()) == pytest.approx(np.asarray(want), rel=1e-13, abs=1e-13)


SMALL = 400_000, 300_000  # Beyond MOST_DRAWS, and within reach of whole numbers


def list_tail(n, c, k, fewest):
    "Chance of at least as many right ones, in whole numbers of 400 bits."
    weight, above, total = 1 << 400, 0, 0
    top = c * k // n
    for j in range(top, min(c, k, top + 6000) + 1):
        total, above = total + weight, above + weight * (j >= fewest)
        weight = weight * (c - j) * (k - j) // ((j + 1) * (n - c - k + j + 1))
    weight = 1 << 400
    for j in range(top, max(0, k - n + c, top - 6000), -1):
        weight = weight * j * (n - c - k + j) // ((c - j + 1) * (k - j + 1))
        total, above = total + weight, above + weight * (j - 1 >= fewest)
    return float(Fraction(above, total))


@pytest.mark.parametrize("c", [200_000, 199_800, 201_000, 3, 399_997])
def test_majorities_and_shares_in_whole_numbers(c):
    n, k = SMALL
    assert k > MOST_DRAWS and cons_at_k(n, c, k) == pytest.approx(
        list_tail(n, c, k, k // 2 + 1), abs=1e-13
    )
    for tau, fewest in ((0.5, k // 2), (Fraction(2, 3), 2 * k // 3), (np.float32(0.3), None)):
        if fewest is None:
            fewest = next(j for j in range(89_000, 91_001) if np.float32(j / k) >= tau)
        assert g_pass_at_k(n, c, k, tau) == pytest.approx(list_tail(n, c, k, fewest), abs=1e-13)


@pytest.mark.parametrize(
    "few, many",
    [(10, 200_000), (3, 300_000), (4096, 5000), (4097, 5000), (9000, 9001), (0, 300_000)],
)
def test_missed_balls_in_whole_numbers(few, many):
    n = SMALL[0]
    # C(n - few, many) / C(n, many) as few factors.
    top = bottom = 1
    for i in range(few):
        top, bottom = top * (n - many - i), bottom * (n - i)
    want = top / bottom
    assert exp(log_missed(n, few, many)) == pytest.approx(want, rel=1e-12)
    if many > MOST_DRAWS:
        assert pass_at_k(n, few, many) == pytest.approx(1 - want, abs=1e-13)
        assert pass_hat_k(n, n - few, many) == pytest.approx(want, rel=1e-12)


def test_laws_that_are_too_long_are_integrated():
    "Both routes at once: numbers beyond 2**16 near the mean are not listed."
    n, c, k = 10**9, 10**8, 10**8
    for fewest in (10**7 + 2000, 10**7 - 3000, 10**7 + 20_000):
        low, high = 10**7 - 30_000, 10**7 + 30_000
        j, weight = list_law(n, c, k, np.arange(low, high + 1), fewest)
        edges = np.array([low, fewest, high + 1]) - 10**7 - 0.5
        x, smooth = smooth_law(n, c, k, 10**7, edges, fewest)
        assert smooth[x > -0.5].sum() / smooth.sum() == pytest.approx(
            weight[j >= 0].sum() / weight.sum(), abs=1e-13
        )
        want = (weight * np.maximum(j, 0)).sum() / weight.sum()
        assert (smooth * x)[x > -0.5].sum() / smooth.sum() == pytest.approx(want, rel=1e-11)
    # Symmetric: as likely above as below, but for the middle.
    chance, _ = mean_above(2 * 10**9, 10**9, 10**9 + 1, 5 * 10**8 + 1)
    assert chance == pytest.approx(0.5, abs=1e-14)


def test_budgets_of_both_sizes():
    n, c, ks = 10**6, 400_000, [1, 2, 5, 200_000, 10**6]
    for metric in (
        pass_at_k,
        pass_hat_k,
        cons_at_k,
        mg_pass_at_k,
        lambda *of: g_pass_at_k(*of, 0.4),
    ):
        assert metric(n, c, ks) == pytest.approx([float(metric(n, c, k)) for k in ks], rel=1e-13)
