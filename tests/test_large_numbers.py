"Metrics of very many samples and budgets: at once, and exact."
from fractions import Fraction
from math import exp, log1p

import numpy as np
import pytest

from sampling_eval import cons_at_k, g_pass_at_k, mg_pass_at_k, pass_at_k, pass_hat_k
from sampling_eval.foundations.urn import MANY, log_missed, mean_above
from sampling_eval.inference.sequential import pass_at_k_until_success
from sampling_eval.metrics.passhat import pass_hat_k_plugin
from sampling_eval.metrics.passk import pass_at_k_plugin

HUGE = 10**9


@pytest.mark.parametrize("call, want", [
    (lambda: pass_at_k(HUGE, HUGE - 1, HUGE), 1), (lambda: pass_at_k(HUGE, 1, HUGE // 10), .1),
    (lambda: pass_at_k(HUGE, 0, HUGE), 0), (lambda: pass_at_k(HUGE, HUGE // 2, HUGE // 2), 1),
    (lambda: pass_hat_k(HUGE, HUGE - 1, HUGE), 0), (lambda: pass_hat_k(HUGE, HUGE, HUGE), 1),
    (lambda: pass_hat_k(HUGE, HUGE - 1, HUGE // 10), .9), (lambda: cons_at_k(HUGE, HUGE - 1, HUGE), 1),
    (lambda: cons_at_k(HUGE, HUGE // 2, HUGE), 0), (lambda: cons_at_k(HUGE, HUGE // 2, HUGE // 2 + 1), .5),
    (lambda: g_pass_at_k(HUGE, HUGE - 1, HUGE, .5), 1), (lambda: g_pass_at_k(HUGE, HUGE - 1, HUGE, 1.), 0),
    (lambda: g_pass_at_k(HUGE, HUGE // 4, HUGE, Fraction(1, 4)), 1),
    (lambda: mg_pass_at_k(HUGE, HUGE, HUGE), 1), (lambda: mg_pass_at_k(HUGE, HUGE // 2, HUGE), 0),
    (lambda: pass_at_k_plugin(HUGE, 1, HUGE), -np.expm1(HUGE * log1p(-1 / HUGE))),
    (lambda: pass_hat_k_plugin(HUGE, HUGE - 1, HUGE), exp(HUGE * log1p(-1 / HUGE))),
    (lambda: pass_at_k_until_success(HUGE, 1, HUGE), 1),
    (lambda: pass_at_k_until_success(HUGE, 2, HUGE // 10, successes=2), (HUGE // 10) / (HUGE - 1)),
    (lambda: pass_at_k(HUGE, 10**5, [1, 10**5, HUGE]), [1e-4, -np.expm1(log_missed(HUGE, 10**5, 10**5)), 1]),
    (lambda: cons_at_k([HUGE, 9], [HUGE // 2, 4], 9)[1], 0)])
def test_very_many_samples_at_once(call, want):
    # A sum over a billion numbers would not fit in memory.
    assert np.asarray(call()) == pytest.approx(np.asarray(want), rel=1e-13, abs=1e-13)


SMALL = 400_000, 300_000  # Beyond MANY, and within reach of whole numbers


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
    assert k > MANY and cons_at_k(n, c, k) == pytest.approx(list_tail(n, c, k, k // 2 + 1), abs=1e-13)
    for tau, fewest in ((.5, k // 2), (Fraction(2, 3), 2 * k // 3), (np.float32(.3), None)):
        if fewest is None: fewest = next(j for j in range(89_000, 91_001) if np.float32(j / k) >= tau)
        assert g_pass_at_k(n, c, k, tau) == pytest.approx(list_tail(n, c, k, fewest), abs=1e-13)


@pytest.mark.parametrize("few, many", [(10, 200_000), (3, 300_000), (4096, 5000), (4097, 5000), (9000, 9001), (0, 300_000)])
def test_missed_balls_in_whole_numbers(few, many):
    n = SMALL[0]
    # C(n - few, many) / C(n, many) as few factors.
    top = bottom = 1
    for i in range(few): top, bottom = top * (n - many - i), bottom * (n - i)
    want = top / bottom
    assert exp(log_missed(n, few, many)) == pytest.approx(want, rel=1e-12)
    if many > MANY:
        assert pass_at_k(n, few, many) == pytest.approx(1 - want, abs=1e-13)
        assert pass_hat_k(n, n - few, many) == pytest.approx(want, rel=1e-12)


def test_laws_that_are_too_long_are_integrated():
    "Both routes at once: numbers beyond 2**16 near the mean are not listed."
    from sampling_eval.foundations import urn
    n, c, k = 10**9, 10**8, 10**8
    for fewest in (10**7 + 2000, 10**7 - 3000, 10**7 + 20_000):
        low, high = 10**7 - 30_000, 10**7 + 30_000
        j, weight = urn._list_law(n, c, k, np.arange(low, high + 1), fewest)
        edges = np.array([low, fewest, high + 1]) - 10**7 - .5
        x, smooth = urn._smooth_law(n, c, k, 10**7, edges, fewest)
        assert smooth[x > -.5].sum() / smooth.sum() == pytest.approx(weight[j >= 0].sum() / weight.sum(), abs=1e-13)
        want = (weight * np.maximum(j, 0)).sum() / weight.sum()
        assert (smooth * x)[x > -.5].sum() / smooth.sum() == pytest.approx(want, rel=1e-11)
    # Symmetric: as likely above as below, but for the middle.
    chance, _ = mean_above(2 * 10**9, 10**9, 10**9 + 1, 5 * 10**8 + 1)
    assert chance == pytest.approx(.5, abs=1e-14)


def test_budgets_of_both_sizes():
    n, c, ks = 10**6, 400_000, [1, 2, 5, 200_000, 10**6]
    for metric in (pass_at_k, pass_hat_k, cons_at_k, mg_pass_at_k, lambda *of: g_pass_at_k(*of, .4)):
        assert metric(n, c, ks) == pytest.approx([float(metric(n, c, k)) for k in ks], rel=1e-13)
