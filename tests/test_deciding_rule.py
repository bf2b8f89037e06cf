"""The rule that chooses between t and the assumption-free interval, and the published table of its
levels."""

import numpy as np
import pytest

from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.t_evidence import (
    count_different,
    deciding_methods,
    effective_needed,
    effective_questions,
    Evidence,
    evidence_by_budget,
)
from sampling_eval.inference.power import lies_above, takes_t
from sampling_eval.inference.ranking import compare_all
from sampling_eval.inference.units import Strata, units_of, Weights
from scripts import load_script, read_example

lab = load_script("bench/deciding.py")
ROWS = read_example("deciding.csv")


def list_rows(kind):
    return [row for row in ROWS if row["kind"] == kind]


def list_numbers(name, rows):
    return np.array([float(row[name]) for row in rows])


# What is published.


def test_every_cell_keeps_its_level():
    rows = list_rows("population")
    assert len({row["population"] for row in rows}) >= 12
    above, below = (list_numbers(name, rows) for name in ("above", "below"))
    both = above + below
    assert both.max() <= 0.07 and both.mean() <= 0.055 and max(above.max(), below.max()) <= 0.045
    alone = list_numbers("t_above", rows) + list_numbers("t_below", rows)
    assert alone.max() > 0.1, "t alone is worth a rule"


def test_t_decides_where_there_are_questions_enough():
    rows = [
        row
        for row in list_rows("population")
        if row["k"] == "1" and row["n"] != "1" and int(row["questions"]) >= 100
    ]
    assert list_numbers("by_t", rows).mean() >= 0.95


def test_several_equal_systems_and_unequal_numbers_of_samples():
    assert list_numbers("significant", list_rows("family")).max() <= 0.06
    assert list_numbers("significant", list_rows("unequal")).max() <= 0.07
    assert list_numbers("t_significant", list_rows("unequal")).max() > 0.3


def test_the_worst_law_is_published_beside_it():
    rows = list_rows("rare loss")
    assert (
        list_numbers("significant", rows).max() > 0.9
        and list_numbers("strict_significant", rows).max() <= 0.05
    )


# The bench writes the rule a second time, and the plans a third.


@pytest.mark.parametrize("questions, n", [(12, 4), (20, 4), (25, 16), (60, 2), (120, 8)])
def test_the_bench_and_the_plans_decide_as_the_package_does(questions, n):
    rng = np.random.default_rng(questions)
    chance = rng.beta(0.3, 0.3, (40, questions))
    a = rng.binomial(n, chance) / n
    b = rng.binomial(n, np.clip(chance + 0.1 * rng.random((40, 1)), 0, 1)) / n
    by_t = lab.takes_t(b - a)
    _, rule = lab.p_of_rule(b - a, by_t)
    for i, d in enumerate(b - a):
        one = paired_difference(a[i], b[i], samples=(np.full(questions, n),) * 2)
        assert (one.deciding_method() == "t") == by_t[i]
        p = min(1, 2 * min(rule[0][i], rule[1][i]))
        if d.any():
            assert one.p.value == pytest.approx(p, rel=1e-6, abs=1e-9)
        gaps, times = np.unique(d, return_counts=True)
        assert takes_t(gaps, times[None])[0] == by_t[i]
        above, _ = lies_above(gaps, times[None], 0.025)
        assert above[0] == (one.confidence_interval().low > 0)


def test_the_effective_number_is_that_of_equal_ones():
    for size in 1, 2, 7:
        d = np.r_[np.tile([1.0, -1], size), np.zeros(9)]
        assert effective_questions(units_of(d, bounds=None)) == pytest.approx(2 * size)
    times = units_of([0.5, -0.5, 0], bounds=(-1, 1), times=[3, 3, 10])
    assert effective_questions(times) == pytest.approx(6) and count_different(times) == 6


def test_clusters_and_weights_are_the_units():
    "Sixty questions of fifteen passages are fifteen units; weights count as often as they weigh."
    rng = np.random.default_rng(0)
    a, b = rng.binomial(4, 0.5, (2, 60)) / 4
    passage, heavy = np.arange(60) // 4, np.r_[np.full(3, 100.0), np.ones(57)]
    plain, grouped = (paired_difference(a, b, cluster=one) for one in (None, passage))
    weighted = paired_difference(a, b, weights=Weights(heavy))
    assert [one.deciding_method() for one in (plain, grouped, weighted)] == [
        "t",
        "gaffke",
        "gaffke",
    ]
    assert (grouped.evidence.units, weighted.evidence.units) == (15, 60)
    assert weighted.evidence.effective < 4 < plain.evidence.effective


def test_half_a_sample_of_the_side_with_fewer_counts():
    """One sample on one side, all right, and 64 on the other: nothing is known of what the one does
    not show."""
    n_a, n_b = np.ones(40, int), np.full(40, 64)
    b = 1 - (np.arange(40) % 5) / 64
    assert paired_difference(np.ones(40), b).evidence.different == 32
    assert paired_difference(np.ones(40), b, samples=(n_a, n_b)).evidence.different == 0
    # A question that lost a sample asks nothing of the others.
    n = np.r_[3, np.full(39, 4)]
    a, b = np.full(40, 0.5), np.r_[0.5, np.full(20, 0.75), np.full(19, 0.25)]
    assert paired_difference(a, b, samples=(np.full(40, 4), n)).evidence.different == 39


def test_the_level_changes_no_method():
    rng = np.random.default_rng(4)
    values = {name: rng.binomial(4, 0.5, 40) / 4 for name in "abc"}
    for level in 0.5, 0.9, 0.95, 0.999:
        found = compare_all(values, confidence_level=level)
        assert {pair.deciding_method() for pair in found.pairs.values()} == {"t"}
        assert found.without_assumptions == tuple(
            pair.invert("gaffke") for pair in found.pairs.values()
        )


def test_evidence_in_words():
    found = evidence_by_budget(
        units_of(np.r_[np.tile([0.25, -0.25], 4), np.zeros(42)], bounds=(-1, 1))
    )[0]
    assert (found.units, found.different, found.effective, found.enough) == (
        50,
        8,
        pytest.approx(8),
        False,
    )
    assert found.needed == pytest.approx(0.7 * 50**0.5)


@pytest.mark.parametrize(
    "facts, enough",
    [
        ((20, 10, 4.5, 4.5), True),
        ((19, 10, 4.5, 4.5), False),
        ((20, 9, 4.5, 4.5), False),
        ((20, 10, 4.49, 4.5), False),
        ((900, 700, 300.0, 21.0), True),
    ],
)
def test_what_is_just_enough_for_t(facts, enough):
    "Twenty questions, ten that differ, and as many effective ones as are needed."
    assert Evidence(*facts).enough is enough


@pytest.mark.parametrize(
    "count, least, needed",
    [(41, 4.5, 4.5), (100, 4.5, 7.0), (100, 8.0, 8.0), (400, 8.0, 14.0)],
)
def test_more_questions_need_more_effective_ones(count, least, needed):
    assert effective_needed(count, least) == pytest.approx(needed)


@pytest.mark.parametrize("scale", [1.0, 1000.0])
@pytest.mark.parametrize("bounds", [(-1.0, 1.0), None], ids=str)
def test_what_rounding_moves_is_no_difference(bounds, scale):
    "A trillionth of the range of values, or of the largest one seen where that is not known."
    ends = None if bounds is None else (bounds[0] * scale, bounds[1] * scale)
    values = np.array([0.0, 1e-13, -1e-13, 1e-11, -1e-11, 0.5, -0.25]) * scale
    assert count_different(units_of(values, bounds=ends)).tolist() == [4]


def test_budgets_without_spread_have_no_effective_questions():
    values = np.array([[0.5, 1.0, 0.0], [0.5, -1.0, 0.0], [0.5, 0.0, 0.0]])
    found = effective_questions(units_of(values, bounds=(-1, 1)))
    assert found == pytest.approx([0, 2, 0])


PLENTY = np.tile([0.5, -0.5, 0.25, 0.75], 10)
FEW = np.r_[np.tile([0.5, -0.5], 4), np.zeros(32)]


@pytest.mark.parametrize(
    "columns, bounds, binary, names",
    [
        ([PLENTY], (-1, 1), False, ["t"]),
        ([PLENTY], (-1, 1), True, ["gaffke"]),
        ([FEW], (-1, 1), False, ["gaffke"]),
        ([FEW], None, False, ["t"]),
        ([FEW], None, True, ["t"]),
        ([PLENTY, FEW], (-1, 1), False, ["t", "gaffke"]),
        ([PLENTY, PLENTY], (-1, 1), [True, False], ["gaffke", "t"]),
    ],
)
def test_the_interval_that_decides_at_each_budget(columns, bounds, binary, names):
    units = units_of(np.stack(columns, 1), bounds=bounds)
    assert deciding_methods(units, binary=binary) == names


@pytest.mark.parametrize("groups, by_t", [([PLENTY, PLENTY], True), ([PLENTY, FEW], False)])
def test_every_group_needs_enough_for_t(groups, by_t):
    strata = Strata(tuple(units_of(one, bounds=(-1, 1)) for one in groups))
    assert (deciding_methods(strata) == ["t"]) is by_t
