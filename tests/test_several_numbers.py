"Audits of several printed numbers of one log: curves of metrics, and totals of runs."

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from conftest import command
from sampling_eval import audit, load_result, pass_at_k, pass_hat_k
from sampling_eval.inference.published import can_count, find_bend, Point, rounding_excess
from sampling_eval.inference.rerun import spread_runs

PRINTED = "pass@1 38.0, pass@2 44.7, pass@3 56.8"
RUNS = [219, 213, 223, 215, 214]


def write(values, digits=1):
    return ", ".join(f"{name} {100 * value:.{digits}f}%" for name, value in values.items())


def test_steps_that_grow_are_no_curve():
    found = audit(PRINTED)
    assert found.verdict == "impossible" and not found.curve.possible
    assert (found.curve.family, found.curve.bend, found.curve.gains) == (
        "pass@k",
        (1, 2, 3),
        pytest.approx((0.067, 0.121)),
    )
    said = " ".join(found.to_text().split())
    assert said.startswith(
        "Impossible: pass@k gains 12.1 points a sample from k = 2 to 3, and only 6.7 points from 1"
        " to 2."
    )
    assert audit("pass@1 38.0, pass@2 44.7, pass@3 47.9").verdict == "possible"


@pytest.mark.parametrize(
    "given, family, bend",
    [
        ("pass@1 .38 pass@4 .3", "pass@k", (1, 4)),
        ("pass@1 38, pass@2 78", "pass@k", (0, 1, 2)),
        ("pass@1=38.0; pass@8=99.9%; pass@2: 38.0%", "pass@k", (1, 2, 8)),
        ("pass^1 70, pass^2 65, pass^3 50", "pass^k", (1, 2, 3)),
        ({"pass@1": ".38", "pass^2": ".40"}, "pass^k", None),
        ({"pass@2": "44.7%", "pass@1": "38.0%", "pass^2": "20%"}, "", ()),
        ("pass^2 40, pass^4 50", "pass^k", (2, 4)),
    ],
)
def test_what_no_log_gives(given, family, bend):
    found = audit(given)
    assert found.verdict == "impossible" and "Impossible: " in found.to_text()
    if bend is not None:
        assert (found.curve.family, found.curve.bend) == (family, bend)


def test_rounding_is_allowed_for():
    # 6.65 and 6.75 are rounded to steps of 6.7 and 6.7, or grow by at most .2.
    assert (
        find_bend(
            [
                Point(k, Fraction(v, 1000), Fraction(1, 2000))
                for k, v in ((1, 380), (2, 447), (3, 515))
            ]
        )
        is None
    )
    assert (
        find_bend(
            [
                Point(k, Fraction(v, 1000), Fraction(1, 2000))
                for k, v in ((1, 380), (2, 447), (3, 517))
            ]
        )
        is not None
    )


def bend_of(values, ks, half=Fraction(0)):
    return find_bend([Point(k, Fraction(v), half) for k, v in zip(ks, values)])


@pytest.mark.parametrize("ks", [(1, 2, 4), (2, 3, 7)], ids=str)
def test_a_curve_rises_less_and_less(ks):
    "Of exact values the gains a sample, from 0 at no sample on, never grow and never are below 0."
    for values in product(range(7), repeat=3):
        found = bend_of(values, ks)
        known = list(zip((0, *ks), map(Fraction, (0, *values))))
        gains = [(d - b) / (c - a) for (a, b), (c, d) in zip(known, known[1:])]
        fits = min(gains) >= 0 and gains == sorted(gains, reverse=True)
        assert (found is None) == fits, values
        if fits:
            continue
        own = [(o.k, o.value) for o in found.points]
        rises = [(d - b) / (c - a) for (a, b), (c, d) in zip(own, own[1:])]
        assert set(own) <= set(known) and found.gains == tuple(map(float, rises))
        assert rises[0] < (0 if len(own) == 2 else rises[1])
        falls = [i for i in range(3) if gains[i] < 0]
        if falls:
            assert own == known[falls[0] : falls[0] + 2], "the first fall"


@pytest.mark.parametrize(
    "values, ks, bend",
    [
        # Rounded by half a point: 31 can be twice 15 and 29 can be 30, but no more.
        ((15, 31), (1, 2), None),
        ((15, Fraction(315, 10)), (1, 2), None),
        ((15, Fraction(316, 10)), (1, 2), (0, 1, 2)),
        ((30, 29), (1, 2), None),
        ((30, Fraction(289, 10)), (1, 2), (1, 2)),
        # From 30 at one sample to 60 at four the line is at 40 at two: all three give way.
        ((30, 39, 60), (1, 2, 4), None),
        ((30, Fraction(389, 10), 60), (1, 2, 4), (1, 2, 4)),
    ],
)
def test_rounding_bends_a_curve_by_half_a_digit_at_each_value(values, ks, bend):
    found = bend_of(values, ks, Fraction(1, 2))
    assert (found and tuple(point.k for point in found.points)) == bend


def test_whole_questions_and_shares_of_questions():
    "One of two questions right once in two tries: pass@1 of 25 %, and pass@2 of 50 %."
    values = pass_at_k(2, np.arange(3), [1, 2]).T
    for point, whole in (((0.25, 0.5), True), ((0.5, 0.5), True), ((0.3, 0.5), False)):
        point = np.array(point)
        assert can_count(values, point - 1e-9, point + 1e-9, 2) is whole
        assert rounding_excess(values, point, point) == pytest.approx(0, abs=1e-9)
    # pass@2 is no less than pass@1 and at most twice as large: .1 apart, half of it on each side.
    far = np.array([0.6, 0.5])
    assert rounding_excess(values, far, far) == pytest.approx(0.05)
    assert rounding_excess(values, far - 0.02, far + 0.02) == pytest.approx(0.03)


@pytest.mark.parametrize("questions, n", [(1, 4), (2, 4), (3, 3), (4, 2)])
def test_every_small_log_is_possible(questions, n):
    ks = list(range(1, n + 1))
    for c in combinations_with_replacement(range(n + 1), questions):
        values = dict(zip([f"pass@{k}" for k in ks], pass_at_k(n, c, ks).mean(0)))
        values |= dict(zip([f"pass^{k}" for k in ks], pass_hat_k(n, c, ks).mean(0)))
        for digits in 0, 1:
            found = audit(write(values, digits), questions=questions, samples=n)
            assert found.verdict == "possible" and found.curve.fits == (n,)
            assert audit(write(values, digits)).verdict == "possible"


def test_real_logs_are_possible():
    rng = np.random.default_rng(0)
    for questions, n in (164, 8), (30, 16), (500, 4):
        c = rng.binomial(n, rng.beta(0.5, 0.5, questions))
        ks = [1, 2, n]
        values = dict(zip([f"pass@{k}" for k in ks], pass_at_k(n, c, ks).mean(0))) | {
            f"pass^{n}": pass_hat_k(n, c, n).mean()
        }
        assert audit(write(values), questions=questions, samples=n).verdict == "possible"


def test_the_program_agrees_with_the_shares_of_questions():
    """Four values of three samples say how many questions have 0 to 3 right: possible where none is
    below 0."""
    rng, states = np.random.default_rng(0), np.arange(4)
    curve = pass_at_k(3, states, [1, 2, 3]).T
    whole = np.vstack([curve, np.ones(4)])
    seen = set()
    for point in np.sort(rng.random((300, 3)), 1):
        shares = np.linalg.solve(whole, [*point, 1])
        if abs(shares.min()) < 1e-6:
            continue
        assert (rounding_excess(curve, point, point) < 1e-9) == (shares.min() > 0)
        seen.add(shares.min() > 0)
    assert seen == {True, False}


def test_samples_and_questions_say_more():
    assert audit("pass@1 50.0%, pass@2 50.0%").verdict == "possible"
    # Half of one question right is two halves.
    found = audit("pass@1 50.0%, pass@2 50.0%", questions=1, samples=2)
    assert found.verdict == "impossible" and found.to_text().startswith(
        "Impossible: no counts of 1 question with 2 samples each"
    )
    assert audit("pass@1 50.0%, pass@2 100.0%", questions=1).curve.fits == (2,)
    assert audit("pass@1 33.3%", questions=3, samples=1).verdict == "possible"
    with pytest.raises(ValueError, match="k=8 needs 8 samples, got 4"):
        audit("pass@1 38, pass@8 60", samples=4)


@pytest.mark.parametrize(
    "given, said",
    [
        ("pass@1 38 pass@1 39", "must name each metric once"),
        ("maj@4 38, pass@1 40", "with their budgets, such as pass@8, got 'maj@4'"),
        ("pass@k 38", "with their budgets"),
        ("pass@1 38 pass@2 101", "lies between 0 and 100, got 101"),
        ({"pass@1": "-3%"}, "must be a share such as 0.380 or 38.0%, got '-3%'"),
        ("pas@1 38", "did you mean 'pass@k'"),
        ([219, 213], "how many questions has a run"),
        ("219 263 of 260", "at most 260 right questions, got 263"),
        ("219 213 of 0", "at most 0 right"),
        ([219], "two at least"),
        ([0.5, 0.6], "runs are whole numbers of right questions"),
        (".5 .6", "such as 0.843, 84.3% or 26/30"),
    ],
)
def test_what_cannot_be_read_is_said(given, said):
    with pytest.raises((ValueError, TypeError), match=said):
        audit(given)


# Totals of runs.


def test_totals_of_runs():
    found = audit("219 213 223 215 214 of 260")
    assert (
        found == audit(RUNS, questions=260) == audit(np.array(RUNS), questions=260)
        and found.verdict == "within chance"
    )
    share, spread = np.mean(RUNS) / 260, np.std(RUNS, ddof=1)
    assert (found.runs.value, found.runs.spread) == pytest.approx((share, spread))
    assert found.runs.largest == pytest.approx((260 * share * (1 - share)) ** 0.5)
    from scipy.stats import chi2, t

    assert found.runs.p == pytest.approx(chi2.sf(4 * spread**2 / found.runs.largest**2, 4))
    assert found.runs.spread_interval.low == pytest.approx(
        (4 * spread**2 / chi2.isf(0.025, 4)) ** 0.5
    )
    assert found.runs.spread_interval.high == found.runs.largest
    assert found.runs.high - share == pytest.approx(t.isf(0.025, 4) * spread / 5**0.5 / 260)
    whole = audit("1084/1300", questions=260)
    assert (found.rows[0].low, found.rows[0].high) == (whole.rows[0].low, whole.rows[0].high)
    far = audit("219 113 223 of 260")
    assert far.verdict == "more than chance" and "more than chance (p" in far.to_text()
    assert audit("219 219 of 260").runs.low is None and audit("0 0 of 5").verdict == "within chance"


@pytest.mark.parametrize(
    "chances",
    [np.full(60, 0.8), np.linspace(0.4, 1, 60), np.r_[np.zeros(20), np.ones(30), np.full(10, 0.5)]],
)
def test_chance_alone_is_rarely_more_than_chance(chances):
    rng = np.random.default_rng(0)
    totals = (rng.random((1500, 5, 60)) < chances).sum(-1)
    found = [spread_runs(one, 60) for one in totals]
    assert np.mean([one.p < 0.05 for one in found]) < 0.065
    held = np.mean(
        [
            one.interval.low <= (chances * (1 - chances)).sum() ** 0.5 <= one.interval.high * 1.1
            for one in found
        ]
    )
    assert held > 0.93


@pytest.mark.parametrize(
    "words, said",
    [
        ("pass@1 38.0 pass@2 44.7 pass@3 56.8", "Impossible: pass@k gains 12.1 points"),
        ("pass@1=38.0 pass@2=44.7", "Possible: "),
        ("219 213 223 215 214 of 260", "Mean of 5 runs 83.4 %"),
        ("219 213 223 --questions 260", "Mean of 3 runs 84.0 %"),
        (".84 .80 --questions 50", ".80 (40/50) - .84 (42/50) = -4.0 points"),
        ("26/30 20/30", "20/30 - 26/30"),
    ],
)
def test_at_the_command(words, said):
    told = command("audit", *words.split())
    assert told.returncode == 0 and said in " ".join(told.stdout.split()), told.stderr


def test_forms(tmp_path):
    for found in (
        audit(PRINTED),
        audit("pass@1 38.0, pass@2 44.7", questions=50),
        audit(RUNS, questions=260),
    ):
        (tmp_path / "a.json").write_text(found.to_json())
        assert (
            load_result(tmp_path / "a.json") == found
            and "<html" in found.to_html()
            and found.to_latex()
        )
        assert (
            found.to_markdown()
            and found.methods()
            and len(found.to_frame("pandas")) == len(found.list_lines())
        )


def test_questions_are_whole():
    "pass@2 of one question with three samples is 0, 2/3 or 1."
    assert audit("pass@2 33.3%", questions=1, samples=3).verdict == "impossible"
    assert audit("pass@2 33.3%", questions=2, samples=3).verdict == "possible"
    assert audit("pass@2 66.7%", questions=1, samples=3).verdict == "possible"
