"Populations, part by part: quantiles, copulas, points that keep moments, pilots at their limits."

import numpy as np
import pytest
from scipy import stats
from scipy.special import beta, expit, logit

from sampling_eval.foundations.counts import Counts
from sampling_eval.foundations.credit import any_credit, majority_credit, share_credit
from sampling_eval.inference.extrapolation import BetaDistribution, fit_beta_distribution
from sampling_eval.inference.planning import Components, distribution_components, pilot_components
from sampling_eval.inference.population import (
    difference_distribution,
    join_points,
    LATTICE,
    logit_quantiles,
    LONGEST,
    match_distribution,
    moments_apart,
    Population,
    population_of,
    relate,
    spread_shares,
    thin_states,
    value_counts,
    value_pilot,
)

HALF = population_of(1, share_credit, [1, 4, 16], correlation=0.5)


def test_a_population_in_print():
    made = population_of(2, any_credit, [2, 8], correlation=0.5)
    assert repr(made) == f"Population({made.components.source})"
    assert made.notes == () and made.kept == {}
    parts = Components(0.1, np.ones(1), np.ones(1, int), "a table")
    law = BetaDistribution(1, 1)
    noted = Population(law, law, 0.0, 1, "any", parts, ["one", "two"])
    assert noted.notes == ("one", "two") and repr(noted) == "Population(a table)"


@pytest.mark.parametrize("k, credit", [(1, share_credit), (4, any_credit), (3, majority_credit)])
def test_values_of_logits(k, credit):
    made = population_of(k, credit, [k])
    x = np.array([-24.99, -7.123, -0.4, 0.0, 1.234, 24.99])
    law = stats.binom.pmf(np.arange(k + 1), k, expit(x)[:, None])
    assert made.value(x) == pytest.approx(law @ credit(k), abs=1e-5)
    grid, values = made.table
    assert (grid[0], grid[-1], len(grid)) == (-25, 25, 2501)
    exact = stats.binom.pmf(np.arange(k + 1), k, expit(grid)[:, None]) @ credit(k)
    assert values == pytest.approx(exact, abs=1e-12)
    # Beyond the table a chance is 0 or 1.
    assert made.value(np.array([-90.0, 90.0])) == pytest.approx([0, 1], abs=1e-9)


def test_questions_are_kept_by_their_number():
    made = population_of(1, share_credit, [4], BetaDistribution(2, 3), correlation=0.3)
    x, y = made.logits(50)
    assert made.logits(50)[0] is x and made.logits(51)[0] is not x
    first, second = spread_shares(made.tilt, 50)
    assert x.tolist() == logit_quantiles(made.a, first).tolist()
    assert y.tolist() == logit_quantiles(made.b, second).tolist()


@pytest.mark.parametrize("correlation", [-0.6, 0.0, 0.3, 0.95])
def test_values_have_the_correlation_wanted(correlation):
    made = population_of(2, any_credit, [4], BetaDistribution(0.8, 1.5), correlation=correlation)
    x, y = (made.value(o) for o in made.logits(LATTICE))
    assert np.corrcoef(x, y)[0, 1] == pytest.approx(correlation, abs=1e-9)


def test_room_above_and_below():
    made = population_of(1, share_credit, [4], BetaDistribution(2, 6, zero=0.2))
    mean = made.value(made.logits(LATTICE)[0]).mean()
    up, down = made.room()
    # No shift makes a hopeless question one that is solved.
    assert mean == pytest.approx(0.8 * 0.25, abs=1e-3) and down == pytest.approx(mean, abs=1e-9)
    assert up == pytest.approx(0.8 - mean, abs=2e-3)


@pytest.mark.parametrize("mean", [0.05, 0.5, 0.93])
def test_a_shift_gives_the_mean(mean):
    x, _ = HALF.logits(200)
    shift = HALF.find_shift(x, mean)
    assert HALF.value(x + shift).mean() == pytest.approx(mean, abs=1e-9)
    assert (shift > 0) == (mean > 0.5) or mean == 0.5


@pytest.mark.parametrize("mean", [-0.1, 0.0, 1.0, 1.1])
def test_no_shift_gives_a_mean_out_of_reach(mean):
    assert HALF.find_shift(HALF.logits(50)[0], mean) is None


@pytest.mark.parametrize("delta", [-0.4, -0.01, 0.2])
@pytest.mark.parametrize("count", [7, LATTICE])
def test_systems_are_as_far_apart_as_wanted(delta, count):
    x, y = HALF.at(delta, count)
    assert (HALF.value(y) - HALF.value(x)).mean() == pytest.approx(delta, abs=1e-9)
    assert x is HALF.logits(count)[0] and np.ptp(y - HALF.logits(count)[1]) < 1e-9


@pytest.mark.parametrize("law", [BetaDistribution(0.05, 0.08), BetaDistribution(40, 3)])
def test_quantiles_of_small_and_of_large_chances(law):
    share = np.array([1e-6, 0.2, 0.5, 0.8, 1 - 1e-6])
    found = logit_quantiles(law, share)
    assert stats.beta.cdf(expit(found), law.a, law.b)[1:4] == pytest.approx(share[1:4], rel=1e-6)
    assert (np.diff(found) > 0).all()
    turned = logit_quantiles(BetaDistribution(law.b, law.a), 1 - share)
    assert found == pytest.approx(-turned, rel=1e-6, abs=1e-9)


def test_hopeless_questions_have_no_chance():
    law = BetaDistribution(2, 2, zero=0.4)
    found = logit_quantiles(law, np.array([0.0, 0.39, 0.4, 0.7]))
    assert found[:3].tolist() == [-np.inf] * 3
    assert found[3] == pytest.approx(logit(stats.beta.ppf(0.5, 2, 2)), abs=1e-12)


# Pilots.


def test_a_pilot_without_another_one():
    pilot = Counts([8] * 6, [0, 2, 5, 8, 7, 3])
    made = population_of(2, any_credit, [2, 4], pilot, correlation=0.25)
    parts = pilot_components(pilot.n, pilot.c, 2, any_credit, [2, 4])
    law, notes = match_distribution(pilot, 2, any_credit, parts.between)
    assert (made.a, made.b, made.notes) == (law, law, notes) and made.correlation == 0.25
    assert made.components.between == pytest.approx(2 * parts.between * 0.75)
    assert made.components.within == pytest.approx(2 * parts.within)
    plain = population_of(2, any_credit, [2, 4], pilot)
    assert plain.correlation == 0 and plain.components.between == pytest.approx(2 * parts.between)


def test_no_pilot_is_a_uniform_law():
    made = population_of(1, share_credit, [4])
    assert made.a == made.b == BetaDistribution(1, 1) and made.correlation == 0
    given = population_of(1, share_credit, [4], BetaDistribution(2, 3))
    assert given.a == BetaDistribution(2, 3)


def test_values_of_a_pilot():
    found = value_pilot(Counts([4, 3, 4], [1, 3, 1]), 2, any_credit)
    assert found == pytest.approx([1 - 3 / 6, 1, 1 - 3 / 6])


@pytest.mark.parametrize("extra, said", [(0, None), (1, "beyond 1 by chance; 1 is used")])
def test_a_correlation_beyond_one_is_said(extra, said):
    one = Counts([8] * 6, [0, 8, 4, 2, 7, 1])
    other = Counts([8] * 6, [1, 7, 4, 3, 6, 2] if extra else [2, 7, 0, 5, 7, 1])
    made = population_of(1, share_credit, [4], one, other)
    assert bool(made.notes) == bool(said) and -1 <= made.correlation <= 1
    if said:
        assert said in made.notes[0] and made.correlation == 1


def test_two_pilots_with_too_few_samples():
    few, enough = Counts([2, 2, 2], [0, 1, 2]), Counts([3, 3, 3], [0, 2, 3])
    with pytest.raises(ValueError, match="need n >= k to see how two pilots .* n=2, k=3"):
        population_of(3, any_credit, [3], few, enough)


def test_samples_of_a_relation_stay_unless_others_are_named():
    made = population_of(2, any_credit, [2, 4], BetaDistribution(2, 1), correlation=0.2)
    same = relate(made, 0.7)
    assert same.components.samples.tolist() == [2, 4] and same.correlation == 0.7
    assert (same.a, same.b, same.k, same.notes) == (made.a, made.b, 2, made.notes)
    parts = distribution_components(made.a, 2, any_credit, [2, 4])
    assert same.components.between == pytest.approx(2 * parts.between * 0.3)
    assert same.components.source == "the same laws of difficulty, assumed correlation 0.7"
    assert relate(made, 0.7, [8]).components.samples.tolist() == [8]


# Laws of a difference.


def moments(values, law):
    return [law @ values**power for power in range(4)]


@pytest.mark.parametrize("third", [-2e-3, 0.0, 1e-3])
def test_two_points_keep_three_moments(third):
    mass, mean, second = np.array([0.3, 0.7]), np.array([0.1, -0.2]), np.array([0.02, 0.05])
    values, law = join_points(mass, mean, second, np.full(2, third))
    assert len(values) == 4 and law.sum() == pytest.approx(1) and (law > 0).all()
    for i in range(2):
        x, w = values[i::2], law[i::2]
        assert w.sum() == pytest.approx(mass[i])
        assert w @ x == pytest.approx(mass[i] * mean[i])
        assert w @ (x - mean[i]) ** 2 == pytest.approx(mass[i] * second[i])
        assert w @ (x - mean[i]) ** 3 == pytest.approx(mass[i] * third, abs=1e-15)


def test_points_without_spread_and_beyond_the_range():
    values, law = join_points(np.ones(1), np.array([0.4]), np.array([-1e-20]), np.array([0.0]))
    assert values.tolist() == [0.4, 0.4] and law.tolist() == [0.5, 0.5]
    values, _ = join_points(np.ones(1), np.array([0.9]), np.array([0.09]), np.zeros(1))
    assert values.tolist() == [1.0, pytest.approx(0.6)]
    # Below a spread of 1e-9 a third moment is rounding.
    tiny, _ = join_points(np.ones(1), np.zeros(1), np.array([1e-20]), np.array([1.0]))
    assert tiny == pytest.approx([1e-10, -1e-10])


@pytest.mark.parametrize("bins", [4, 32])
def test_every_bin_keeps_its_moments(bins):
    rng = np.random.default_rng(0)
    x, w = np.sort(rng.uniform(-0.7, 0.9, 500)), rng.random(500)
    values, law = thin_states(x, w, bins)
    assert len(values) == 2 * bins
    assert moments(values, law) == pytest.approx(moments(x, w / w.sum()), rel=1e-9)
    edges = np.linspace(x[0], x[-1], bins + 1)
    for low, high in zip(edges, edges[1:]):
        inside = (x >= low) & ((x < high) | (high == edges[-1]))
        own = np.linspace(0, 1, bins + 1)[np.flatnonzero(edges == low)[0]]
        i = int(round(own * bins))
        assert law[[i, bins + i]].sum() == pytest.approx(w[inside].sum() / w.sum(), rel=1e-9)


@pytest.mark.parametrize("n", [2, LONGEST])
def test_short_laws_are_kept_for_other_differences(n):
    made = population_of(1, share_credit, [n], correlation=0.4)
    first = difference_distribution(made, n, 0.1)
    kept = made.kept["draws", n]
    again = difference_distribution(made, n, 0.1)
    assert made.kept["draws", n] is kept and ("moments", n) not in made.kept
    assert [o.tolist() for o in first] == [o.tolist() for o in again]
    difference_distribution(made, LONGEST + 1, 0.1)
    assert ("moments", LONGEST + 1) in made.kept and ("draws", LONGEST + 1) not in made.kept


@pytest.mark.parametrize("k, credit", [(1, share_credit), (3, any_credit)])
def test_long_samples_by_their_moments(k, credit):
    n, made = 100, population_of(k, credit, [100], BetaDistribution(2, 2), correlation=0.4)
    x, y = np.array([-0.8, 0.3]), np.array([0.5, 1.1])
    values, law = moments_apart(made, n, x, y)
    pay = value_counts(made, n)
    left, right = (stats.binom.pmf(np.arange(n + 1), n, expit(o)[:, None]) for o in (x, y))
    for i in range(2):
        gap, joint = np.subtract.outer(pay, pay).ravel(), np.outer(right[i], left[i]).ravel()
        mean = joint @ gap
        own, weight = values[i::2], law[i::2] * 2
        assert weight @ own == pytest.approx(mean, abs=1e-5)
        for power in 2, 3:
            want = joint @ (gap - mean) ** power
            assert weight @ (own - mean) ** power == pytest.approx(want, rel=0.01, abs=2e-6)
    grid, _ = made.kept["moments", n]
    assert len(grid) == 241 and grid[-1] == pytest.approx(np.log(100) + 5) == -grid[0]


def test_variances_of_two_pilots_are_added():
    one, other = Counts([8] * 6, [0, 8, 4, 2, 7, 1]), Counts([8] * 6, [3, 8, 5, 5, 6, 4])
    made = population_of(1, share_credit, [4], one, other)
    parts = [pilot_components(o.n, o.c, 1, share_credit, [4]) for o in (one, other)]
    values = [value_pilot(o, 1, share_credit) for o in (one, other)]
    want = parts[0].between + parts[1].between - 2 * np.cov(*values)[0, 1]
    assert made.components.between == pytest.approx(want)
    assert parts[0].between != pytest.approx(parts[1].between, rel=0.5)


@pytest.mark.parametrize("n, moments_kept", [(3, False), (4, True), (5, True)])
def test_a_law_has_the_pilots_moments_from_twice_the_budget_on(n, moments_kept):
    pilot = Counts([n] * 6, [0, 1, n, 2, 3, n])
    law, notes = match_distribution(pilot, 2, any_credit, 0.05)
    between = distribution_components(law, 2, any_credit, [2]).between
    assert (between == pytest.approx(0.05, rel=1e-6)) == moments_kept and notes == ()


def test_a_correlation_that_nothing_reaches_is_one():
    made = population_of(2, any_credit, [2], BetaDistribution(0.5, 4), correlation=1.0)
    uneven = Population(
        made.a, BetaDistribution(6, 0.7), 1.0, 2, any_credit, made.components
    )
    assert uneven.tilt == 1.0
    turned = Population(
        made.a, BetaDistribution(6, 0.7), -1.0, 2, any_credit, made.components
    )
    assert turned.tilt == pytest.approx(-1.0, abs=0.1)


def test_room_of_a_credit_that_pays_for_wrong_answers():
    "A quarter is earned by nothing: no system can lie below it."
    made = population_of(1, lambda k: np.array([0.25, 1.0]), [4], BetaDistribution(2, 6))
    mean = made.value(made.logits(LATTICE)[0]).mean()
    assert mean == pytest.approx(0.25 + 0.75 * 0.25, abs=1e-3)
    assert made.room() == pytest.approx((1 - mean, mean - 0.25), abs=1e-9)
    assert made.find_shift(made.logits(50)[0], 0.2) is None


@pytest.mark.parametrize("share", [1e-6, 1e-9])
def test_quantiles_beyond_floats(share):
    "Below `x` lie `x**a / (a B(a, b))` where `x` is small: chances of 1e-120 and less."
    small, other = BetaDistribution(0.05, 0.08), BetaDistribution(0.08, 0.05)
    want = np.log(share * 0.05 * beta(0.05, 0.08)) / 0.05
    assert want < -250
    assert logit_quantiles(small, np.array([share])) == pytest.approx([want], rel=1e-9)
    upper = logit_quantiles(other, np.array([1 - share]))
    assert upper == pytest.approx([-want], rel=1e-5)


def test_hopeless_questions_are_no_division_by_zero():
    with np.errstate(all="raise", under="ignore"):
        found = logit_quantiles(BetaDistribution(2, 2, zero=0.4), np.array([0.1, 0.7]))
    assert found[0] == -np.inf and found[1] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "c_a, c_b, correlation, said",
    [
        ([0, 8, 4, 2, 7, 1], [8, 0, 4, 6, 1, 7], -1, "beyond -1 by chance; -1 is used"),
        ([0, 8, 4, 2, 7, 1], [4, 4, 4, 4, 4, 4], 0, "below 0 by chance"),
        ([4, 4, 4, 4, 4, 4], [4, 4, 4, 4, 4, 4], 0, "below 0 by chance"),
        ([0, 8, 4, 2, 7, 1], [3, 2, 8, 5, 1, 7], None, ""),
        ([0, 8, 4, 2, 7, 1], [4, 2, 8, 8, 0, 7], None, ""),
    ],
)
def test_correlations_of_two_pilots(c_a, c_b, correlation, said):
    one, other = Counts([8] * 6, c_a), Counts([16] * 6, c_b)
    made = population_of(1, share_credit, [4, 9], one, other)
    parts = [pilot_components(o.n, o.c, 1, share_credit, [4, 9]) for o in (one, other)]
    together = np.cov(one.c / 8, other.c / 16)[0, 1]
    if correlation is None:
        correlation = together / (parts[0].between * parts[1].between) ** 0.5
        assert 0 < abs(correlation) < 1
    assert made.correlation == pytest.approx(correlation, abs=1e-12)
    between = parts[0].between + parts[1].between - 2 * together
    assert made.components.between == pytest.approx(between)
    assert made.components.within == pytest.approx(parts[0].within + parts[1].within)
    assert (said in " ".join(made.notes)) and bool(made.notes) == bool(said)
    assert made.components.source.startswith("6 questions, two pilots, correlation ")


@pytest.mark.parametrize("between, told", [(0.5, False), (0.0, True), (-0.1, True), (0.05, False)])
def test_a_pilot_that_no_law_fits(between, told):
    "Chances of a half on average vary by a quarter at most; then the most likely law stands in."
    pilot = Counts([8] * 4, [0, 8, 3, 5])
    law, notes = match_distribution(pilot, 1, share_credit, between)
    likely = fit_beta_distribution(pilot.n, pilot.c)
    assert (law == likely) == (between != 0.05) and bool(notes) == told
    if between == 0.05:
        size = 0.25 / 0.05 - 1
        assert (law.a, law.b) == pytest.approx((size / 2, size / 2), rel=1e-6)


def test_two_pilots_of_just_enough_samples():
    one, other = Counts([2] * 6, [0, 2, 1, 2, 0, 1]), Counts([3] * 6, [0, 3, 1, 3, 1, 1])
    made = population_of(2, any_credit, [2, 5], one, other)
    assert 0 < made.correlation <= 1 and made.components.samples.tolist() == [2, 5]
    with pytest.raises(ValueError, match="got n=2, k=3"):
        population_of(3, any_credit, [3], one, other)
