"Numerics of power, part by part: listings, exact binomial laws, searches of known answers."

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

from sampling_eval.foundations.credit import any_credit, share_credit
from sampling_eval.inference.extrapolation import BetaDistribution
from sampling_eval.inference.planning import Components
from sampling_eval.inference.population import difference_distribution, population_of
from sampling_eval.inference.random_means import tail_chance
from sampling_eval.inference.power import (
    MOST_QUESTIONS,
    PassRule,
    approximate_tail,
    check_prices,
    check_questions,
    chance_of_verdict,
    check_wanted,
    choose_side,
    cross,
    excludes_zero,
    first_true,
    grow_sum,
    guess_difference,
    guess_questions,
    keep_affordable,
    lies_above,
    lower_again,
    make_plan,
    most_losses,
    move_by,
    name_method,
    name_rule,
    pass_power,
    pass_share,
    power_of_wins,
    questions_for_t,
    questions_to_pass,
    recommend,
    scale_of,
    search_difference,
    search_questions,
    simulate,
    simulation_error,
    spread_values,
    t_lies_above,
    take_seed,
    takes_t,
    target_variance,
)

HALF = population_of(1, share_credit, [1, 4, 16], correlation=0.5)
TOP = population_of(1, share_credit, [4], BetaDistribution(19, 1))
TABLE = Components(0.1, np.array([0.2, 0.1, 0.05, 0.01]), np.array([1, 2, 4, 20]), "a table")


# What an interval decides.


@pytest.mark.parametrize("below_one", [4, 8, 40, 256])
def test_the_most_losses_by_listing(below_one):
    "At tails like 1/4 a chance can equal the tail: that is no verdict."
    tail = Fraction(1, below_one)
    for decided in range(60):
        below, most = Fraction(0), -1
        for losses in range(decided + 1):
            below += Fraction(comb(decided, losses), 2**decided)
            if below >= tail:
                break
            most = losses
        assert most_losses(np.array([decided]), float(tail)).tolist() == [most], decided


@pytest.mark.parametrize("win, loss", [(0.3, 0.1), (0.05, 0.2), (0.5, 0.5), (0.25, 0.0)])
def test_power_of_wins_by_listing(win, loss):
    for questions in 1, 5, 12, 60:
        total = 0.0
        for decided in range(questions + 1):
            chance = stats.binom.pmf(decided, questions, win + loss)
            most = most_losses(np.array([decided]), 0.1)[0]
            total += chance * stats.binom.cdf(most, decided, loss / (win + loss))
        assert power_of_wins(win, loss, questions, 0.1) == pytest.approx(total, abs=1e-12)


def test_which_interval_decides_at_the_boundaries():
    "Twenty questions, ten that differ, and 4.5 effective ones."
    values = np.array([-1.0, 0.0, 1.0])
    ten, nine, few = [5, 10, 5], [5, 11, 4], [5, 9, 5]
    assert takes_t(values, np.array([ten, nine, few])).tolist() == [True, False, False]
    # Ten that differ by one step: the spread is all theirs.
    assert takes_t(values, np.array([[0, 10, 10], [0, 0, 20], [10, 0, 10]])).tolist() == [
        True,
        False,
        True,
    ]
    # One far value among small ones: (sum z^2)^2 / sum z^4 is about 1.
    far = np.array([-0.01, 0.0, 0.01, 1.0])
    assert takes_t(far, np.array([[10, 0, 9, 1]])).tolist() == [False]
    # Six of 33 equal values: effective above .7 root(33) and 4.5, below with a few more zeros.
    for zeros in range(20, 400, 7):
        counts = np.array([[zeros, 10]])
        share, n = 10 / (zeros + 10), zeros + 10
        second = n * share * (1 - share)
        fourth = n * share * (1 - share) * ((1 - share) ** 3 + share**3)
        needed = max(4.5, 0.7 * n**0.5)
        assert takes_t(np.array([0.0, 1.0]), counts)[0] == (second**2 / fourth >= needed)


@pytest.mark.parametrize("limit", [-0.05, 0.0, 0.15])
def test_limits_of_benchmarks_by_their_rows(limit):
    rng, values = np.random.default_rng(1), np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    counts = rng.multinomial(24, [0.05, 0.1, 0.3, 0.35, 0.2], 60)
    found, by_t = lies_above(values, counts, 0.05, limit)
    assert by_t.any() and not by_t.all() and 0 < found.mean() < 1
    for row, above, t in zip(counts, found, by_t):
        own = np.repeat(values, row)
        if t:
            low = own.mean() - stats.t.isf(0.05, 23) * own.std(ddof=1) / 24**0.5
            assert above == (low > limit)
        else:
            moved = (values - limit) / (1 + limit)
            assert above == excludes_zero(moved, row[None], 0.05)[0]
    assert (t_lies_above(values, counts, 0.05, limit)[by_t] == found[by_t]).all()
    plain = lies_above(values, counts, 0.05)
    assert (plain[0] == lies_above(values, counts, 0.05, 0.0)[0]).all()


def test_many_benchmarks_are_decided_in_blocks():
    rng, values = np.random.default_rng(2), np.linspace(-1, 1, 41)
    law = rng.dirichlet(np.ones(41))
    counts = rng.multinomial(30, law, 900)
    whole = excludes_zero(values, counts, 0.3)
    parts = [excludes_zero(values, counts[i : i + 1], 0.3)[0] for i in range(0, 900, 37)]
    assert whole[::37].tolist() == parts and 0 < whole.mean() < 1


def tails_of(values, counts):
    "The chance by the saddle formula, and by the quadrature."
    z = np.broadcast_to(np.r_[-values, 1.0], (len(counts), len(values) + 1))
    times = np.c_[counts, np.ones(len(counts))]
    return approximate_tail(z, times), tail_chance(z, times)


def test_the_saddle_formula_of_many_questions():
    values = np.array([-1.0, -0.3, 0.2, 1.0])
    counts = np.random.default_rng(0).multinomial(900, [0.18, 0.3, 0.2, 0.32], 60)
    some, exact = tails_of(values, counts)
    few = exact < 0.01
    assert few.any() and some[few] == pytest.approx(exact[few], rel=3e-3)


def test_close_to_the_limit_the_quadrature_decides():
    "A limit between what the formula and what the quadrature says."
    values = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    counts = np.random.default_rng(1).multinomial(5, [0.02, 0.08, 0.2, 0.3, 0.4], 60)
    some, exact = tails_of(values, counts)
    between = (some + exact) / 2
    close = (exact < 0.4) & (np.abs(some / exact - 1) > 1e-3)
    assert close.sum() > 5
    for row, tail, chance in zip(counts[close], between[close], exact[close]):
        assert excludes_zero(values, row[None], tail)[0] == (chance < tail)


@pytest.mark.parametrize("tail", [0.99999, 1.00001])
def test_a_t_interval_of_24_questions_has_23_degrees(tail):
    values, counts = np.array([-1.0, 0.0, 1.0]), np.array([[3, 9, 12]])
    own = np.repeat(values, counts[0])
    chance = stats.t.sf(own.mean() / stats.sem(own), 23)
    assert t_lies_above(values, counts, tail * chance, 0.0).tolist() == [tail > 1]


def test_sums_of_more_questions():
    assert grow_sum(np.array([1.0, 3.0]), 4).tolist() == [6.0, 10.0]
    assert grow_sum(np.array([1.0, 3.0]), 1).tolist() == [1.0, 3.0]


@pytest.mark.parametrize("answer", [1, 2, 3, 4, 5, 16, 17, 1000])
def test_the_first_number_that_holds(answer):
    asked = []

    def holds(q):
        asked.append(q)
        return q >= answer

    assert first_true(holds) == answer and min(asked) >= 1
    assert len(asked) <= 2 * np.log2(answer) + 2


@pytest.mark.parametrize(
    "share, error", [(0, 0.01), (1, 0.01), (0.5, 0.05), (0.005, 0.01), (0.2, 0.04)]
)
def test_the_error_of_a_share(share, error):
    assert simulation_error(share, 100) == pytest.approx(error, rel=1e-12)


def test_rules_of_simulated_benchmarks():
    "`sure` counts on t only where it decides in nine of ten; the others never or always."
    values, law = np.array([-1.0, 0.0, 1.0]), np.array([0.1, 0.5, 0.4])

    def share(questions, rule, limit=0.0):
        rng = np.random.default_rng(0)
        return simulate(values, law, questions, 0.05, 300, rng, rule, limit)

    def counts(questions):
        return np.random.default_rng(0).multinomial(questions, law, 300)

    for questions, often in (20, False), (30, True), (60, True):
        drawn = counts(questions)
        assert (takes_t(values, drawn).mean() >= 0.9) == often
        deciding = lies_above(values, drawn, 0.05)[0].mean()
        free = excludes_zero(values, drawn, 0.05).mean()
        assert free < deciding
        assert share(questions, "deciding") == deciding
        assert share(questions, "assumption-free") == free
        assert share(questions, "sure") == (deciding if often else free)
    moved = excludes_zero((values - 0.1) / 1.1, counts(40), 0.05).mean()
    assert share(40, "assumption-free", 0.1) == moved
    assert share(40, "deciding", 0.1) == lies_above(values, counts(40), 0.05, 0.1)[0].mean()


def test_questions_with_which_t_decides():
    values, law = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    found = questions_for_t(values, law)

    def often(questions):
        drawn = np.random.default_rng(0).multinomial(questions, law, 200)
        return takes_t(values, drawn).mean() >= 0.9

    assert often(found) and not often(found - 1) and 20 <= found < 40
    assert questions_for_t(values, np.array([1.0, 0.0])) is None
    assert questions_for_t(np.array([0.0, 1.0]), np.array([1 - 1e-12, 1e-12])) is None


BOTH = population_of(2, any_credit, [2, 4], correlation=0.5)


def test_questions_won_lost_or_tied_need_no_simulation():
    "Of two samples one is right or none: without assumptions that is McNemar's test."
    values, law = difference_distribution(BOTH, 2, 0.2)
    assert values.tolist() == [-1, 0, 1]
    exact = chance_of_verdict(BOTH, 2, 0.2, 30, rule="assumption-free")
    assert exact == (pytest.approx(power_of_wins(law[2], law[0], 30, 0.025)), 0)
    back = chance_of_verdict(BOTH, 2, -0.2, 30, rule="assumption-free", confidence_level=0.8)
    values, law = difference_distribution(BOTH, 2, -0.2)
    assert back == (pytest.approx(power_of_wins(law[0], law[2], 30, 0.1)), 0)
    for n, rule in (2, "deciding"), (2, "sure"), (4, "assumption-free"):
        found, error = chance_of_verdict(BOTH, n, 0.2, 30, rule=rule, repeats=300)
        assert error == simulation_error(found, 300)


# Searches.


def rising(scale):
    "Chance that grows with the root of the questions, and no error."
    return lambda q: (float(ndtr(scale * q**0.5 - 1.96)), 0.0)


@pytest.mark.parametrize("scale", [1.3, 0.4, 0.05, 0.004])
@pytest.mark.parametrize("factor", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_a_search_ends_at_the_least_number_of_questions(scale, factor, power):
    exact = int(np.ceil(((ndtri(power) + 1.96) / scale) ** 2))
    found = search_questions(rising(scale), factor * exact, 1, power, 1.96 + ndtri(power))
    assert found.size == exact and found.chance == rising(scale)(exact)[0] and found.error == 0


def test_a_search_never_asks_below_the_least():
    asked = []

    def chance(q):
        asked.append(q)
        return 0.99, 0.0

    assert search_questions(chance, 3, 7, 0.8, 2.8).size == 7 and asked == [7]
    asked.clear()
    assert search_questions(chance, 500, 7, 0.8, 2.8).size == 7 and min(asked) == 7


def test_a_search_stops_where_the_simulation_sees_no_step():
    noisy = [(0.81, 0.05)]
    found = search_questions(lambda q: noisy[0], 100, 6, 0.8, 2.8)
    assert found == (100, 0.81, 0.05), "less than a third of the error above the power"
    asked = []

    def steep(q):
        asked.append(q)
        return (0.99 if q >= 100 else 0.2), 0.03

    found = search_questions(steep, 100, 6, 0.8, 2.8)
    below = max(q for q in asked if q < 100)
    assert found.size >= 100 and found.size - below <= max(1, 0.03 * found.size)


@pytest.mark.parametrize("scale", [2.9, 12.0, 90.0])
@pytest.mark.parametrize("start", [0.01, 0.3, 1.0])
def test_a_search_ends_at_the_least_difference(scale, start):
    def chance(d):
        return float(ndtr(scale * d - 1.96)), 0.0

    exact = (ndtri(0.8) + 1.96) / scale
    found = search_difference(chance, start, 0.98, 0.8, 1.96 + ndtri(0.8))
    assert found.chance >= 0.8 and found.chance == chance(found.size)[0]
    assert exact <= found.size <= exact * 1.005 and found.error == 0


def test_a_difference_out_of_reach():
    found = search_difference(lambda d: (0.3 * d, 0.01), 0.1, 0.5, 0.8, 2.8)
    assert np.isnan(found.size) and (found.chance, found.error) == (0.15, 0.01)
    enough = search_difference(lambda d: (float(d >= 0.5), 0.0), 0.5, 0.5, 0.8, 2.8)
    assert 0.499 < enough.size <= 0.5 and enough.chance == 1


@pytest.mark.parametrize(
    "found, factor",
    [(0.8, 1), (0.5, 1 + ndtri(0.8) / 2.8), (0.999, 1 + (ndtri(0.8) - ndtri(0.999)) / 2.8)]
    + [(0.0, 1 + (ndtri(0.8) - ndtri(0.001)) / 2.8 * 1), (1.0, 0.5)],
)
def test_a_step_of_a_search(found, factor):
    want = min(max(factor, 0.5), 2)
    if found == 1.0:
        want = max(1 + (ndtri(0.8) - ndtri(0.999)) / 2.8, 0.5)
    assert move_by(found, 0.8, 2.8) == pytest.approx(want, rel=1e-12)
    assert move_by(0.0, 0.8, 0.1) == 2 and move_by(1.0, 0.8, 0.1) == 0.5


def test_where_chances_cross():
    low, high = ndtr(0.1), ndtr(1.1)
    assert cross(2.0, 4.0, low, high, ndtr(0.6)) == pytest.approx(3.0)
    assert cross(2.0, 4.0, low, high, ndtr(0.11)) == pytest.approx(2.2), "at least a tenth"
    assert cross(2.0, 4.0, low, high, ndtr(1.09)) == pytest.approx(3.8), "at most nine tenths"
    assert cross(2.0, 4.0, 0.5, 0.5, 0.5) == pytest.approx(2.2)
    a, b = ndtri([0.001, 0.999])
    share = (ndtri(0.7) - a) / (b - a)
    assert cross(0.0, 1.0, 0.0, 1.0, 0.7) == pytest.approx(share)


@pytest.mark.parametrize("third", [None, 0.0])
@pytest.mark.parametrize("power", [0.5, 0.8])
def test_guesses_show_the_difference_and_one_less_does_not(third, power):
    step = 2.0 if third == 0.0 else 0.5

    def shows(d, q):
        mean = max(d - ndtri(power) * (0.3 / q) ** 0.5, -1)
        return lower_again(mean, 0.3 / q, step / q, 0.025, third) > 0

    for delta in 0.05, 0.2, 0.6:
        q = guess_questions(delta, 0.3, step, 0.025, power, third)
        assert shows(delta, q) and (q == 1 or not shows(delta, q - 1))
    for questions in 30, 400:
        d = guess_difference(questions, 0.3, step, 0.025, power, third)
        assert shows(d, questions) and not shows(d - 1 / 2000, questions)
        assert d * 2000 == pytest.approx(round(d * 2000), abs=1e-9)
    assert guess_difference(1, 0.3, 2.0, 0.025, power, 0.0) == 1.0


# What a plan is asked, and its rows.


@pytest.mark.parametrize(
    "given, wanted",
    [
        (dict(delta=0.0, questions=None, budget=None), (True, False, False)),
        (dict(delta=None, questions=0, budget=None), (False, True, False)),
        (dict(delta=1, questions=1, budget=None), (True, True, False)),
        (dict(delta=None, questions=None, budget=0), (False, False, True)),
        (dict(delta=None, questions=3, budget=5), (False, True, True)),
    ],
)
def test_what_is_wanted(given, wanted):
    assert check_wanted(**given) == wanted


@pytest.mark.parametrize(
    "method, known, name",
    [
        (None, True, "interval"),
        (None, False, "normal"),
        ("t", True, "t"),
        ("normal", False, "normal"),
        ("interval", True, "interval"),
        ("assumption-free", True, "assumption-free"),
    ],
)
def test_names_of_methods(method, known, name):
    assert name_method(method, known) == name


@pytest.mark.parametrize(
    "method, said",
    [("z", "method must be None, 'assumption-free', 't' or 'normal', got 'z'"),
     ("assumption-free", "variances alone cannot be simulated; use method='normal' or")],
)
def test_methods_refused(method, said):
    with pytest.raises(ValueError) as refused:
        name_method(method, False)
    assert str(refused.value).startswith(said)


def test_prices_of_questions():
    samples = np.array([1, 3])
    assert check_prices(2, 0.5, samples).tolist() == [2.5, 3.5]
    assert check_prices(0, 1, samples).tolist() == [1, 3]
    assert check_prices(1, 0, samples).tolist() == [1, 1]
    assert check_prices(10**30, 2**53, samples) == pytest.approx([1e30, 1e30])
    for given in (0, 0), (np.nan, 1), (-1, 1), (1, np.inf), ("1", 1):
        with pytest.raises(ValueError):
            check_prices(*given, samples)


@pytest.mark.parametrize("given, kind", [(1, ValueError), ([5, 6], TypeError), (2.5, ValueError)])
def test_questions_refused(given, kind):
    with pytest.raises((ValueError, TypeError)) as refused:
        check_questions(given)
    assert isinstance(refused.value, kind) or kind is ValueError
    assert check_questions(2) == 2 and type(check_questions(np.int64(7))) is int


def test_seeds():
    assert [take_seed(o) for o in (None, 3, np.int8(4))] == [0, 3, 4]
    one, other = (np.random.default_rng(7) for _ in "ab")
    assert take_seed(one) == int(other.integers(2**32)) and type(take_seed(one)) is int


def test_two_questions_that_can_be_paid():
    price = np.array([1.0, 2.0, 5.0, 5.01])
    parts, cost, size = keep_affordable(TABLE, price, 10, None)
    assert cost.tolist() == [1, 2, 5] and size.tolist() == [10, 5, 2] and size.dtype == np.int64
    assert parts.samples.tolist() == [1, 2, 4] and parts.within.tolist() == [0.2, 0.1, 0.05]
    assert (parts.between, parts.source) == (0.1, "a table")
    assert keep_affordable(TABLE, price, 10, 3)[2].tolist() == [3, 3, 2]
    with pytest.raises(ValueError, match="for two questions at least, got 1.9 at 1 a question"):
        keep_affordable(TABLE, price, 1.9, None)


def test_recommended_rows():
    parts = Components(0.9, np.array([0.2, 0.1, 0.05]), np.array([1, 2, 4]))
    cost, gap = np.array([3.0, 1.0, 2.0]), np.array([0.3, 0.1, np.nan])
    reached = np.array([True, False, True])
    need, found, split = (True, False, False), (False, True, False), (False, False, True)
    assert recommend(need, parts, "new_questions", cost, gap, reached) == (2, 2)
    assert recommend(need, parts, "new_questions", cost, gap, ~reached) == (1, 2)
    assert recommend(need, parts, "new_questions", cost, gap, reached & False) == (None, 2)
    assert recommend(split, parts, "same_questions", cost, gap, reached) == (1, None)
    # A tenth of the variance, exactly: that many samples are enough.
    assert recommend(found, parts, "new_questions", cost, gap, reached) == (1, 2)
    lone = np.array([0.1, np.nan, 0.2])
    assert recommend(found, parts, "new_questions", cost, lone, reached) == (0, 2)
    far = np.array([0.3, 0.2, 0.1])
    assert recommend(found, parts, "new_questions", cost, far, reached) == (1, 2)
    assert recommend(split, parts, "new_questions", cost, far, reached) == (2, 2)
    less = replace(parts, between=0.89)
    assert recommend(found, less, "new_questions", cost, far, reached) == (2, 4)
    noisy = replace(parts, between=0.1)
    assert recommend(found, noisy, "new_questions", cost, far, reached) == (2, None)


def test_the_side_with_room():
    up, down = TOP.room()
    assert choose_side(HALF, 0.4) == 1 and choose_side(TOP, up * 0.999) == 1
    assert choose_side(TOP, up) == -1 == choose_side(TOP, down * 0.999)
    with pytest.raises(ValueError, match=f"need delta < {down:.3g}"):
        choose_side(TOP, down)


@pytest.mark.parametrize(
    "target, want", [("new_questions", [0.3, 0.2, 0.15, 0.11]), ("same_questions", TABLE.within)]
)
def test_variance_that_a_target_counts(target, want):
    assert target_variance(TABLE, target) == pytest.approx(want)


def test_shares_of_variance_in_rows():
    rows = make_plan(TABLE, delta=0.1).rows
    assert [row["between_share"] for row in rows] == pytest.approx([1 / 3, 1 / 2, 2 / 3, 10 / 11])
    below = Components(-0.2, np.array([0.2, 0.3]), np.array([1, 2]))
    shares = [row["between_share"] for row in make_plan(below, questions=9, delta=0.5).rows[1:]]
    assert shares == [0.0]


# Gates.


@pytest.mark.parametrize(
    "n, drop, method, sure, name",
    [
        (1, True, "interval", True, "assumption-free"),
        (2, False, "interval", True, "assumption-free"),
        (2, True, "assumption-free", True, "assumption-free"),
        (2, True, "interval", True, "sure"),
        (2, True, "interval", False, "deciding"),
    ],
)
def test_how_a_gate_decides(n, drop, method, sure, name):
    assert name_rule(PassRule(0.1, 0.2, drop), n, method, sure) == name
    if not sure:
        assert name_rule(PassRule(0.1, 0.2, drop), n, method) == name


def test_rules_in_numbers():
    minimum, drop = PassRule(0.7, 0.8, False), PassRule(-0.1, 0.05, True)
    assert (minimum.gap, drop.gap) == (pytest.approx(0.1), pytest.approx(0.15))
    assert (scale_of(minimum), scale_of(drop)) == (0.7, 0.9)


@pytest.mark.parametrize("rule", [PassRule(0.0, 0.8, False), PassRule(-1.0, 0.1, True)])
def test_a_limit_at_the_least_value_always_passes(rule):
    assert pass_power(HALF, rule, 1, 5) == (1.0, 0.0)


def test_a_minimum_of_single_answers_by_its_binomial_law():
    "The interval is Clopper and Pearson's: it passes from a number of right answers on."
    limit, truth, questions = 0.6, 0.8, 40
    right = np.arange(questions + 1)
    low = stats.beta.ppf(0.025, right, questions - right + 1)
    passes = np.nan_to_num(low) > limit
    want = stats.binom.pmf(right, questions, truth) @ passes
    found, error = pass_power(HALF, PassRule(limit, truth, False), 1, questions)
    assert abs(found - want) < 4 * error and error == pytest.approx(
        (found * (1 - found) / 3000) ** 0.5
    )
    assert pass_power(HALF, PassRule(limit, truth, False), 1, questions, 0.95, 0) == (found, error)
    less = pass_power(HALF, PassRule(limit, truth, False), 1, questions, confidence_level=0.8)
    assert less[0] > found


def test_a_share_of_benchmarks_that_pass():
    values, law = np.array([0.0, 0.5, 1.0]), np.array([0.1, 0.2, 0.7])
    drawn = np.random.default_rng(5).multinomial(30, law, 3000)
    want = excludes_zero((values - 0.6) / 0.6, drawn, 0.05).mean()
    rule = PassRule(0.6, 0.8, False)
    found, error = pass_share(values, law, rule, 30, 0.05, 5, "assumption-free")
    assert found == want and error == simulation_error(want, 3000)
    rule = PassRule(-0.1, 0.2, True)
    moved = values - 0.5
    want = lies_above(moved, drawn, 0.05, -0.1)[0].mean()
    assert pass_share(moved, law, rule, 30, 0.05, 5, "deciding")[0] == want


@pytest.mark.parametrize("n", [1, 4])
def test_what_a_question_of_a_gate_can_give(n):
    values, law = spread_values(HALF, PassRule(0.5, 0.7, False), n)
    assert law.sum() == pytest.approx(1) and law @ values == pytest.approx(0.7, abs=1e-5)
    assert values == pytest.approx(np.arange(n + 1) / n)
    values, law = spread_values(HALF, PassRule(0.0, 0.2, True), n)
    assert law @ values == pytest.approx(0.2, abs=1e-5)
    with pytest.raises(ValueError, match="need a true value between 0 and 1, got 1"):
        spread_values(HALF, PassRule(0.5, 1.0, False), n)


@pytest.mark.parametrize("rule", [PassRule(0.6, 0.75, False), PassRule(-0.1, 0.1, True)])
def test_the_questions_of_a_gate_reach_its_power(rule):
    found, power, error = questions_to_pass(HALF, rule, 4)
    assert 0.8 <= power < 0.84 and error == simulation_error(power, 3000)
    how = name_rule(rule, 4, "interval", sure=True)
    values, law = spread_values(HALF, rule, 4)
    assert pass_share(values, law, rule, found, 0.025, 0, how) == (power, error)
    fewer = pass_share(values, law, rule, int(found * 0.85), 0.025, 0, how)[0]
    assert fewer < 0.8
    easier = questions_to_pass(HALF, rule, 4, power=0.5, confidence_level=0.8)
    assert easier[0] < 0.6 * found and 0.5 <= easier[1] < 0.6


def test_gates_that_no_number_of_questions_passes():
    for truth in 0.6, 0.5:
        with pytest.raises(ValueError, match=f"need a truth above the limit, got {truth} and 0.6"):
            questions_to_pass(HALF, PassRule(0.6, truth, False), 4)
    assert questions_to_pass(HALF, PassRule(0.6, 0.6001, False), 4) is None
    assert MOST_QUESTIONS == 10**7


# What is searched for does not count on a t interval that only some benchmarks have.
RARE = population_of(1, share_credit, [2], BetaDistribution(0.3, 0.3), correlation=0.9)


def chance_by(rule, delta, questions):
    return chance_of_verdict(RARE, 2, delta, questions, rule=rule, repeats=400)[0]


def test_a_search_is_sure_and_a_question_is_not():
    deciding, sure = (chance_by(rule, 0.2, 26) for rule in ("deciding", "sure"))
    assert deciding > sure + 0.05 and sure == chance_by("assumption-free", 0.2, 26)
    asked = make_plan(RARE, delta=0.2, questions=26, repeats=400)
    assert asked.power[0] == deciding == chance_of_verdict(RARE, 2, 0.2, 26, repeats=400)[0]
    found = make_plan(RARE, questions=26, repeats=400)
    assert found.power[0] == chance_by("sure", found.delta[0], 26)
    assert found.power[0] < chance_by("deciding", found.delta[0], 26)
    need = make_plan(RARE, delta=0.25, repeats=400)
    assert need.power[0] == chance_by("sure", 0.25, int(need.questions[0]))
    free = make_plan(RARE, delta=0.2, questions=40, repeats=400, method="assumption-free")
    assert free.power[0] == chance_by("assumption-free", 0.2, 40)


def test_the_questions_of_a_gate_are_sure():
    rule = PassRule(-0.1, 0.1, True)
    values, law = spread_values(RARE, rule, 2)
    found, power, _ = questions_to_pass(RARE, rule, 2)
    assert power == pass_share(values, law, rule, found, 0.025, 0, "sure")[0]
    for questions in range(24, found - 1):
        luck = pass_share(values, law, rule, questions, 0.025, 0, "deciding")[0]
        if luck >= 0.8:
            break
    else:
        pytest.fail("luck is never enough for fewer questions")


def test_what_a_plan_costs():
    made = make_plan(TABLE, delta=0.1, cost_question=2, cost_sample=0.5)
    assert made.cost.tolist() == [q * (2 + 0.5 * n) for q, n in zip(made.questions, TABLE.samples)]
    assert made.best == made.cost.argmin() and (made.power >= 0.8).all()
    none = make_plan(TABLE, delta=0.001, questions=100)
    assert none.best is None and (none.power < 0.8).all()
