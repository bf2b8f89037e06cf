"Questions of two systems, their pairs of states, and the noise of their differences."

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from sampling_eval.foundations.credit import any_credit, share_credit
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.estimate import within_questions
from sampling_eval.inference.fixed_questions import Noise
from sampling_eval.inference.pairs import (
    align,
    Alignment,
    at_budget,
    check_names,
    count_where,
    cut_noise,
    estimate_again,
    flip_pairs,
    kinds_hint,
    name_some,
    pair_states,
    place_questions,
    share_samples,
    split_error,
    Tables,
)
from sampling_eval.inference.paired_comparison import compare_budgets
from sampling_eval.inference.significance import sign_flips
from sampling_eval.inference.units import check_weights, units_of, weigh_units


@pytest.mark.parametrize(
    "names, said",
    [
        ((), "0 only in A"),
        (("x",), "1 only in A ('x')"),
        (("x", 2, "z"), "3 only in A ('x', 2, 'z')"),
        (("x", 2, "z", "u"), "4 only in A ('x', 2, 'z', ...)"),
    ],
    ids=len,
)
def test_names_of_one_side(names, said):
    assert name_some("A", names) == said


def test_an_alignment_in_print():
    found = align(["x", "y", "z"], ["z", "u", "x"], "drop")
    assert repr(found) == "2 in both, 1 only in A ('y'), 1 only in B ('u')"
    assert (found.a.tolist(), found.b.tolist(), found.names) == ([0, 2], [2, 0], ("x", "z"))
    plain = Alignment(np.arange(1), np.arange(1), ("x",))
    assert plain.only_a == plain.only_b == ()


@pytest.mark.parametrize("only", ["A", "B"])
def test_names_of_one_side_are_refused_unless_dropped(only):
    a, b = (["x", "y"], ["x"]) if only == "A" else (["x"], ["x", "y"])
    with pytest.raises(ValueError, match=f"cover the same questions, got .* 1 only in {only}"):
        align(a, b)
    assert align(a, b, "drop").names == ("x",)


def test_kinds_of_names():
    assert kinds_hint({"x": 0}, {"y": 0}) == ""
    assert kinds_hint({"1": 0}, {1: 0}) == "; names are str in A and int in B"


def test_pairs_of_states_that_occur():
    a, b = np.array([[0.0], [0.5], [1.0]]), np.array([[0.0], [1.0]])
    state_a, state_b = np.array([2, 0, 2, 1]), np.array([1, 0, 1, 0])
    found = pair_states(a, b, state_a, state_b)
    assert found.a[found.state, 0].tolist() == [1, 0, 1, 0.5]
    assert found.b[found.state, 0].tolist() == [1, 0, 1, 0]
    assert len(found.a) == 3 and found.times.tolist() == [1, 1, 2]
    assert found.first[0].tolist() == [0, 1, 2] and found.first[1].tolist() == [0, 0, 1]
    # A question of each row.
    assert found.state[found.some].tolist() == [0, 1, 2]


def test_questions_with_rows_of_their_own_stay_in_order():
    a, b = np.random.default_rng(0).random((2, 4, 2))
    found = pair_states(a, b, np.arange(4), np.arange(4), list("xyxy"))
    assert (found.a == a).all() and (found.b == b).all() and found.state.tolist() == [0, 1, 2, 3]
    assert found.cluster == list("xyxy")
    turned = pair_states(a, b, np.arange(4), np.arange(4)[::-1])
    assert (turned.a[turned.state] == a).all() and (turned.b[turned.state] == b[::-1]).all()


def test_rounding_is_no_change():
    a = np.array([[0.3, 1.0], [0.0, 5.0]])
    b = a + np.array([[1e-13, 1e-12], [1e-11, 1e-9]])
    changes = pair_states(a, b, np.arange(2), np.arange(2)).changes
    assert (changes != 0).tolist() == [[False, False], [True, True]]
    one = np.zeros(1, int)
    edge = pair_states(np.array([[1.0]]), np.array([[1 + 9e-13]]), one, one)
    assert edge.changes.tolist() == [[0]]


def test_counts_of_questions_by_rows():
    found = pair_states(
        np.zeros((1, 2)), np.array([[1.0, 0], [0, 1]]), np.zeros(3, int), np.array([0, 0, 1])
    )
    assert count_where(found, found.changes > 0).tolist() == [2, 1]


@pytest.mark.parametrize(
    "given, tables, want",
    [
        (None, None, None),
        ((2, [1, 2, 3]), None, [[2, 2, 2], [1, 2, 3]]),
        (None, Tables([4, 4, 4], 0, [5, 5, 5], 0, 1, any_credit), [[4] * 3, [5] * 3]),
        ((1, 1), Tables([4, 4, 4], 0, [5, 5, 5], 0, 1, any_credit), [[1] * 3, [1] * 3]),
    ],
    ids=["unknown", "given", "of tables", "both"],
)
def test_samples_of_either_side(given, tables, want):
    found = share_samples(given, tables, 3)
    assert found is want if want is None else [o.tolist() for o in found] == want


def test_rows_and_names_of_questions():
    assert place_questions(np.ones((3, 1)), None).tolist() == [0, 1, 2]
    assert place_questions(np.ones((3, 1)), [2, 2]).tolist() == [2, 2]
    assert check_names(None, 3) is None and check_names("abc", 3) is None
    with pytest.raises(ValueError, match=r"one name per question \(3\), got 2"):
        check_names("ab", 3)


def test_what_pairing_saves():
    paired, a, b = np.array([0.1, 0.2, 0.1, 0.0]), np.array([0.2, 0.2, 0, 0]), np.array(
        [0.3, 0, 0.1, 0]
    )
    unpaired, correlation = split_error(paired, a, b)
    assert unpaired == pytest.approx([0.5**0.5, 0.2**0.5, 0.1**0.5, np.nan], nan_ok=True)
    want = (0.2 + 0.3 - 0.1) / (2 * 0.06**0.5)
    assert correlation == pytest.approx([want, np.nan, np.nan, np.nan], nan_ok=True)


@pytest.mark.parametrize("k, want", [(3, 3), (np.array([1, 5]), 5)])
def test_tables_at_a_budget(k, want):
    tables = Tables([4], [1], [4], [2], k, any_credit)
    assert at_budget(tables, 1).k == want and at_budget(None, 1) is None


def test_noise_of_some_rows():
    noise = Noise(np.array([0.1, 0.2, 0.3]), 0.5, 2.0)
    found = cut_noise(noise, np.array([2, 0]))
    assert found.variance.tolist() == [0.3, 0.1] and found.step.tolist() == [0.5, 0.5]
    assert found.span == 2


def test_signs_of_questions_and_of_groups():
    a, b = np.zeros((6, 1)), np.array([[1.0], [0.5], [-0.2], [0.7], [0.1], [0.3]])
    each = np.arange(6)
    plain = flip_pairs(pair_states(a, b, each, each))
    assert plain[0].value == sign_flips(b, each)[0].value
    grouped = flip_pairs(pair_states(a, b, each, each, list("xxyyzz")))
    assert grouped[0].value == sign_flips(np.array([[1.5], [0.5], [0.4]]))[0].value == 0.25


def test_without_noise_the_spread_of_questions_stands_in():
    a, b, each = np.zeros((4, 1)), np.array([[1.0], [0.0], [0.5], [0.5]]), np.arange(4)
    found = estimate_again(pair_states(a, b, each, each, list("xxyy")), None, (-1, 1))
    assert found[0].stderr == pytest.approx(b.std(ddof=1) / 2)
    assert found[0].stderr_kind == "over questions, an upper bound for this benchmark"


@pytest.mark.parametrize("k, credit", [(1, share_credit), (2, any_credit)])
def test_noise_of_counts_is_added_up(k, credit):
    n_a, c_a, n_b, c_b = map(np.array, ([4, 4, 4], [1, 2, 4], [5, 5, 5], [2, 2, 3]))
    tables = Tables(n_a, c_a, n_b, c_b, k, credit)
    value = lambda n, c: within_questions(n, c, k, credit)
    one, other = value(n_a, c_a), value(n_b, c_b)
    found = paired_difference([0.1, 0.5, 1.0], [0.4, 0.4, 0.6], tables=tables).again
    variance = (one.variance + other.variance).sum() / 9
    assert found.stderr == pytest.approx(variance**0.5)


def test_single_samples_have_no_noise_of_their_own():
    ones, c = np.ones(4, int), np.array([0, 1, 1, 0])
    tables = Tables(ones, c, ones, 1 - c, 1, share_credit)
    found = paired_difference(c * 1.0, 1.0 - c, tables=tables).again
    assert "upper bound" in found.stderr_kind


@pytest.mark.parametrize("side", ["A", "B"])
def test_a_name_that_stands_twice_is_told(side):
    given = ["x", "y", "z", "y", "y"], ["x", "y", "z"]
    with pytest.raises(ValueError) as refused:
        align(*(given if side == "A" else given[::-1]))
    assert str(refused.value) == f"each question must appear once, got 'y' 3 times in {side}"


def test_noise_of_questions_that_share_a_row():
    "Noise is given by question; equal pairs of states stand once."
    variance = np.array([0.01, 0.02, 0.01, 0.04])
    noise = Noise(variance, np.full(4, 0.25))
    found = compare_budgets(
        np.array([[0.1], [0.5], [0.9]]),
        np.array([[0.2], [0.4]]),
        state_a=[0, 1, 0, 2],
        state_b=[0, 1, 0, 1],
        noise=noise,
    )
    assert len(found.pairs.a) == 3 < len(found.pairs.state)
    assert found[0].again.stderr == pytest.approx(variance.sum() ** 0.5 / 4)


@pytest.mark.parametrize("n_a, n_b", [(1, 4), (4, 1), ([1, 4, 4], 1), (1, [4, 1, 4])], ids=str)
def test_a_single_sample_on_one_side_has_noise_on_the_other(n_a, n_b):
    n_a, n_b = (np.broadcast_to(n, 3) for n in (n_a, n_b))
    tables = Tables(n_a, np.array([0, 1, 1]), n_b, np.array([1, 0, 1]), 1, share_credit)
    a, b = tables.c_a / n_a, tables.c_b / n_b
    found = paired_difference(a, b, tables=tables).again
    assert found.stderr_kind.startswith("within questions")


def test_names_keep_their_kinds():
    "A number and its digits are two names, in lists; those of an array are plain ones."
    found = align([1, "1", 2.5], ["1", 2.5, 1])
    assert found.names == (1, "1", 2.5) and found.b.tolist() == [2, 0, 1]
    plain = align(np.array(["x", "y"]), np.array(["y", "x"]))
    assert plain.names == ("x", "y") and {type(name) for name in plain.names} == {str}
    with pytest.raises(ValueError, match=r"1 only in A \(7\), 1 only in B \(9\)$"):
        align(np.array([7]), np.array([9]))


def folded(**more):
    "Seven questions on three rows a side, at three budgets."
    a, b = np.arange(9).reshape(3, 3) / 10, np.arange(9)[::-1].reshape(3, 3) ** 2 / 70
    state_a, state_b = np.array([0, 1, 2, 0, 1, 2, 0]), np.array([1, 1, 2, 1, 0, 2, 0])
    found = replace(pair_states(a, b, state_a, state_b, more.get("cluster")), **more)
    return found, b[state_b] - a[state_a]


@pytest.mark.parametrize("i", [0, 1, 2])
def test_pairs_at_a_budget(i):
    found, gaps = folded()
    one = found.at(i)
    assert one.a.shape == one.b.shape == (5, 1) and len(found.a) == 5
    assert one.gaps[one.state, 0].tolist() == gaps[:, i].tolist()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cluster", [None, list("xxyyzzz")])
def test_units_of_folded_pairs_are_those_of_their_questions(weighted, cluster):
    weights = check_weights([3, 1, 1, 2, 1, 1, 1]) if weighted else None
    found, gaps = folded(weights=weights, cluster=cluster)
    if weighted:
        want = weigh_units(gaps, weights, bounds=(-2, 2), cluster=cluster)
    else:
        want = units_of(gaps, bounds=(-2, 2), cluster=cluster)
    units = found.units(found.gaps, (-2, 2))
    assert units.mean() == pytest.approx(want.mean()) and units.count == want.count
    assert units.variance() == pytest.approx(want.variance()) and units.bounds == (-2, 2)
    assert (units.clustered, units.weighted) == (want.clustered, want.weighted)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("cluster", [None, list("xxyyzzz")])
def test_signs_of_folded_pairs_are_those_of_their_questions(weighted, cluster):
    "A question or a group turns as a whole, with its weight; equal pairs turn one by one."
    weight = np.array([3, 1, 1, 2, 1, 4, 1]) if weighted else np.ones(7, int)
    found, gaps = folded(weights=check_weights(weight), cluster=cluster)
    group = np.arange(7) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    for i, p in enumerate(flip_pairs(found)):
        sums = np.bincount(group, weight * gaps[:, i])
        turned = np.array(list(product((-1, 1), repeat=len(sums)))) @ sums
        seen = np.abs(turned) >= abs(sums.sum()) - 1e-9
        assert p.value == pytest.approx(seen.mean()) and p.method == "sign-flip, exact"


def test_no_correlation_where_one_side_is_flat():
    "Rounding of the paired error makes no correlation, and no warning."
    with np.errstate(all="raise"):
        for a, b in ([0.2], [0.0]), ([0.0], [0.2]):
            _, found = split_error(np.array([0.1999999]), np.array(a), np.array(b))
            assert np.isnan(found).all()


@pytest.mark.parametrize("side", ["A", "B"])
def test_rounding_is_measured_by_the_larger_side(side):
    zero, some, each = np.zeros((2, 1)), np.array([[1.0], [1e-13]]), np.arange(2)
    a, b = (some, zero) if side == "A" else (zero, some)
    changes = pair_states(a, b, each, each).changes[:, 0]
    assert changes.tolist() == ([-1, 0] if side == "A" else [1, 0])
