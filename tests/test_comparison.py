"Two systems: published values, both targets, tests by name, refusals; confidence sequences."
import pickle
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from sampling_eval.foundations.credit import any_credit, share_credit
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference import comparison as c
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.sequential import betting_wealth, confidence_sequence
from sampling_eval.inference.significance import permutation, sign_flip
from sampling_eval.inference.within import Noise, within_questions

DATA = Path(__file__).parents[1] / "sampling_eval" / "examples" / "deepscaler32k_counts.csv"
R1 = np.array([4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
O3 = np.array([4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4])
FOUR = np.full(15, 4)


def from_counts(n_a, c_a, n_b, c_b, k=1, credit=share_credit):
    sides = [(np.asarray(n), np.asarray(right)) for n, right in ((n_a, c_a), (n_b, c_b))]
    a, b = (mean_credit(right, n - right, np.array([k]), credit)[:, 0] for n, right in sides)
    return c.paired_difference(a, b, tables=c.Tables(*sides[0], *sides[1], k, credit))


def test_aime_and_gsm8k():
    one = c.paired_difference(R1 / 4, O3 / 4)
    np.testing.assert_allclose([one.difference, one.stderr, one.stderr_unpaired],
                               [11 / 60, .07506610843064022, .0927960727138337], rtol=1e-12)
    np.testing.assert_allclose(one.correlation, np.corrcoef(R1, O3)[0, 1], rtol=1e-12)
    assert (one.wins, one.ties, one.losses) == (6, 8, 1) and one.moved(1)[0].question == 14
    a, b = (np.repeat(x, [306, 209, 152, 652]) for x in ([1, 0, 1, 0], [1, 1, 0, 0]))
    gsm = c.paired_difference(a, b)
    assert gsm.p.method == "McNemar, exact" and (gsm.wins, gsm.losses) == (209, 152)
    np.testing.assert_allclose([gsm.p.value, gsm.test("sign-flip").value, gsm.difference, gsm.stderr_unpaired],
                               [.003150656880360618, .003150656880360618, .043214556482183475, .01877630427557716], rtol=1e-10)


def test_both_targets_stand_side_by_side():
    one = from_counts(FOUR, R1, FOUR, O3)
    new, again = one.confidence_interval(), one.confidence_interval(target="benchmark")
    assert new.method == "gaffke" and again.method == "gamma within questions (approximate)"
    np.testing.assert_allclose((new.low, new.high), gaffke_interval((O3 - R1) / 4, bounds=(-1, 1)), atol=1e-9)
    assert again.high - again.low < new.high - new.low
    noise = within_questions(FOUR, R1, 1, share_credit).variance + within_questions(FOUR, O3, 1, share_credit).variance
    assert one.again.stderr == pytest.approx(noise.sum()**.5 / 15)
    assert one.test().null != one.test(target="benchmark").null
    assert one.test(target="benchmark") == permutation(FOUR, R1, FOUR, O3)
    assert one.test() == sign_flip((O3 - R1) / 4) and one.p == one.test()


def test_the_default_test_belongs_to_the_target():
    ones = np.ones(4, int)
    single, equal, unequal = (from_counts(ones * n, ones * 0 + [0, 1, 1, 0], ones * m, ones) for n, m in ((1, 1), (4, 4), (1, 8)))
    assert [o.default_test("questions") for o in (single, equal, unequal)] == ["mcnemar", "sign-flip", "gaffke"]
    assert {o.default_test("benchmark") for o in (single, equal, unequal)} == {"permutation"}
    values = c.paired_difference([.5, .2], [.1, .3])
    assert values.default_test("benchmark") == "interval"
    clustered = c.paired_difference([0, 0, 1], [1, 1, 1], cluster=[1, 1, 2])
    assert clustered.default_test("questions") == "sign-flip"
    assert c.paired_difference([1., 2], [3., 5], bounds=None, samples=([1, 1], [2, 2])).default_test("questions") == "t"


def test_a_flip_at_unequal_samples_is_refused():
    one = from_counts([1] * 30, [1] * 30, [8] * 30, [7] * 30)
    with pytest.raises(ValueError, match="sign-flip needs the same number of samples"): one.test("sign-flip")
    assert one.p.method == "gaffke, inverted" and one.test("permutation").method == "stratified permutation, exact"


@pytest.mark.parametrize("n_a,n_b,rate", [(1, 8, .95), (1, 64, .95), (4, 64, .8)])
def test_level_of_the_default_at_unequal_samples(n_a, n_b, rate):
    "300 seeded runs of two equal systems at pass@1; standard error of a rate of .05: 1.3 %."
    rng, count = np.random.default_rng(0), 20
    found = []
    for _ in range(300):
        one = from_counts([n_a] * count, rng.binomial(n_a, rate, count), [n_b] * count, rng.binomial(n_b, rate, count))
        found.append((one.p.value <= .05, one.test(target="benchmark").value <= .05, one.chance > .975))
    assert (np.mean(found, 0) <= (.05 + 4 * .013, .05 + 4 * .013, .025 + 4 * .009)).all()


def test_intervals_hold_the_truth_of_their_target():
    "400 seeded runs, standard error of a coverage of .95: 1.1 %."
    rng, n = np.random.default_rng(1), np.full(12, 8)
    p_a, p_b = rng.beta(1, 1, 12), rng.beta(1, 1, 12)
    again = [from_counts(n, rng.binomial(8, p_a), n, rng.binomial(8, p_b)).confidence_interval(target="benchmark") for _ in range(400)]
    assert np.mean([o.low <= (p_b - p_a).mean() <= o.high for o in again]) > .95 - 4 * .011
    held = 0
    for _ in range(400):
        up = rng.random(15) < .4
        a, b = rng.binomial(8, np.where(up, .3, .9)), rng.binomial(8, np.where(up, .8, .7))
        new = from_counts(n[:1].repeat(15), a, n[:1].repeat(15), b).confidence_interval()
        held += new.low <= .4 * .5 - .6 * .2 <= new.high
    assert held / 400 > .95 - 4 * .011


def test_clusters_won_wholly():
    "Clusters of one size that B wins or leaves alone: the law at which anchors held 87.6 %; 400 runs."
    rng, cluster = np.random.default_rng(0), np.repeat(np.arange(20), 5)
    held = 0
    for _ in range(400):
        d = np.repeat(rng.random(20) < .1, 5) * 1.
        one = c.paired_difference(np.zeros(100), d, cluster=cluster).confidence_interval()
        held += one.low <= .1 <= one.high
    assert held / 400 > .95 - 4 * .011


def test_inverted_interval_of_the_same_questions():
    one = from_counts(FOUR, R1, FOUR, O3)
    p = one.test("interval", target="benchmark")
    for level, out in ((1 - p.value) * .9999, True), (1 - p.value * .9999, False):
        ends = one.confidence_interval(level, target="benchmark")
        assert (ends.low > 0 or ends.high < 0) == out
    assert p.target == "benchmark" and p.method.endswith("inverted")


def test_rounding_is_no_move_and_small_scores_are():
    noisy = c.paired_difference([.1 + .2, 1], [.3, 1])
    assert (noisy.wins, noisy.ties, noisy.losses) == (0, 2, 0) and noisy.p.value == 1 and noisy.moved() == []
    large = c.paired_difference([1e6 * (.1 + .2), 1], [1e6 * .3, 1], bounds=None)
    assert large.ties == 2
    x, y = np.random.default_rng(0).random((2, 9))
    plain, small = c.paired_difference(x, y), c.paired_difference(1e-12 * x, 1e-12 * y, bounds=(0, 1e-12))
    assert (plain.wins, plain.losses) == (small.wins, small.losses)
    assert small.p.value == pytest.approx(plain.p.value) and small.chance == pytest.approx(plain.chance)


def test_rewards_without_bounds():
    one = c.paired_difference([10., 12, 9, 30], [11., 15, 9, 33], bounds=None)
    assert one.difference == 1.75 and one.confidence_interval().method == "t (approximate)" and one.chance is None
    for a, b in ([1.], [0.]), ([1., 2], [1., 2]):
        assert "no interval" in repr(c.paired_difference(a, b, bounds=None))


def test_one_question():
    one = c.paired_difference([0], [1])
    assert one.stderr is None and one.p.value == 1 and one.chance == .5 and "undefined" in repr(one)
    assert one.confidence_interval().low < 0 < one.confidence_interval().high


def test_type_one_error():
    rng = np.random.default_rng(0)
    p = rng.beta(.6, .6, (600, 40))
    x, y = rng.binomial(8, p) / 8, rng.binomial(8, p) / 8
    found = [(one.p.value <= .05, one.test("t").value <= .05) for one in map(c.paired_difference, x, y)]
    exact, t = np.mean(found, 0)
    assert .02 <= exact <= .07 and .03 <= t <= .07


def test_wide_range_and_many_questions():
    x, y = np.random.default_rng(0).random((2, 1000)) * 1e6
    one = c.paired_difference(x, y, bounds=(-1e6, 1e6), samples=(np.ones(1000), np.full(1000, 2)))
    assert 0 < one.p.value < 1 and one.p.smallest == pytest.approx(2 * .5**1000) and "gaffke, inverted" in repr(one)


def test_align():
    found = c.align(["a", "b", "c"], np.array(["c", "b", "x"]), on_unmatched="drop")
    assert found.names == ("b", "c") and found.a.tolist() == [1, 2] and found.b.tolist() == [1, 0]
    assert repr(found) == "2 in both, 1 only in A ('a'), 1 only in B ('x')"
    names = [f"q{i}" for i in range(9)]
    with pytest.raises(ValueError, match=r"5 in both, 4 only in A \('q5', 'q6', 'q7', ...\), 0 only in B"): c.align(names, names[:5])
    with pytest.raises(ValueError, match="got 'a' 2 times in B"): c.align(["a"], ["a", "a"])
    with pytest.raises(ValueError, match="names are int in A and str in B"): c.align([1], ["1"], on_unmatched="drop")
    with pytest.raises(ValueError, match="on_unmatched must be"): c.align([1], [1], on_unmatched="inner")


two = c.paired_difference([1, .5], [1, 1])
short = Noise(np.zeros(1), np.ones(1))


@pytest.mark.parametrize("call, text", [
    (lambda: c.paired_difference([1, 0], [1]), "got 2 and 1"),
    (lambda: c.paired_difference([1, 0], [1, 2]), r"b must lie in \[0, 1\], got 2.0 at question 1"),
    (lambda: c.paired_difference([], []), "one number per question"), (lambda: c.paired_difference([[1]], [[1]]), "a must hold one number per question"),
    (lambda: c.paired_difference([1, np.nan], [1, 1]), "a must be finite"), (lambda: c.paired_difference([1, 0], ["1", "0"]), "b must be numbers"),
    (lambda: c.paired_difference([1, 0], np.ma.array([1, 0], mask=[0, 1])), "b must be a plain array"), (lambda: c.paired_difference([1, 0], [1, 0], bounds=(0, np.nan)), "two ascending"),
    (lambda: c.paired_difference([1, 0], [1, 1], cluster=["x"]), "one name per question"), (lambda: c.paired_difference([1, 0], [1, 1], names=["x"]), r"names must hold one name per question \(2\), got 1"),
    (lambda: c.paired_difference([1, 0], [1, 1], noise=short), "one variance per value"),
    (lambda: two.test("z"), "method must be"), (lambda: two.test(target="x"), "target must be"), (lambda: two.confidence_interval(target="x"), "target must be"), (lambda: two.confidence_interval(2), "confidence_level"),
    (lambda: two.test("mcnemar"), "0/1 sample"), (lambda: two.test("permutation"), "counts of right samples"), (lambda: two.test("sign-flip", draws=0), "draws must be"),
    (lambda: c.paired_difference([1], [1]).test("t"), "no t test"), (lambda: c.paired_difference([1, 0], [1, 1], bounds=None).test("gaffke"), "bounds=None"),
    (lambda: confidence_sequence([]), "at least one difference"), (lambda: confidence_sequence([np.nan]), "got nan"), (lambda: confidence_sequence([0.], confidence_level=2), "confidence_level"),
])
def test_refused(call, text):
    with pytest.raises((ValueError, TypeError), match=text): call()


def test_confidence_sequence_is_the_set_of_unrefuted_claims():
    rng = np.random.default_rng(0)
    d = np.clip(rng.normal(.2, .4, 300), -1, 1)
    whole, bets = confidence_sequence(d), np.linspace(-1, 1, 41)
    assert (np.diff(whole.low) >= 0).all() and (np.diff(whole.high) <= 0).all()
    for m in bets:
        if betting_wealth(d, m).max() < 20: assert whole.low[-1] <= m + 1e-9 and m <= whole.high[-1] + 1e-9
    mirrored = confidence_sequence(-d)
    np.testing.assert_allclose(mirrored.low, -whole.high, atol=.0011)


def test_wealth_is_fair():
    laws = [(1, .3), (-.5, .6), (0, .1)]
    mean = sum(x * p for x, p in laws)
    total = sum(np.prod([p for _, p in path]) * betting_wealth([x for x, _ in path], mean)[-1] for path in product(laws, repeat=5))
    assert abs(total - 1) < 1e-12


def test_no_peeking_penalty():
    rng = np.random.default_rng(2)
    p = rng.beta(.6, .6, (1000, 300))
    d = (rng.binomial(4, p) - rng.binomial(4, p)) / 4
    assert (betting_wealth(d, 0).max(-1) >= 20).mean() <= .05


def test_data_is_the_published_file():
    table = np.genfromtxt(DATA, delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert len(table) == 1060 and (table["n"] == 128).all() and table["c_base"].mean() / 128 == pytest.approx(.6041052476415094, abs=1e-12)


def budgets_of(case):
    "Two systems at k = 1 to 6, by states and by questions, with what is known of them."
    rng = np.random.default_rng(case.get("seed", 0))
    q, n = case.get("questions", 70), 6
    sizes = [np.full(q, n), np.full(q, n) if not case.get("ragged") else rng.integers(n, n + 3, q)]
    right = [rng.integers(0, o + 1) for o in sizes]
    if case.get("same"): right[1], sizes[1] = right[0], sizes[0]
    ks = np.arange(1, 7)
    states, tables = [], []
    for size, made in zip(sizes, right):
        rows, state = np.unique(np.c_[size, made], axis=0, return_inverse=True)
        states.append(state.ravel()), tables.append(mean_credit(rows[:, 1], rows[:, 0] - rows[:, 1], ks, any_credit))
    counts = c.Tables(sizes[0], right[0], sizes[1], right[1], ks, any_credit) if case.get("counts", True) else None
    facts = dict(cluster=np.arange(q) // 3 if case.get("cluster") else None, names=[f"q{i}" for i in range(q)], bounds=case.get("bounds", (0, 1)))
    many = c.compare_budgets(*tables, state_a=states[0], state_b=states[1], k=ks, tables=counts, **facts)
    single = [c.paired_difference(tables[0][states[0], i], tables[1][states[1], i], tables=counts and counts._replace(k=int(k)), **facts) for i, k in enumerate(ks)]
    return many, single


@pytest.mark.parametrize("case", [{}, dict(ragged=True), dict(cluster=True), dict(same=True), dict(counts=False), dict(bounds=None), dict(questions=1), dict(questions=12, seed=3)])
def test_all_budgets_at_once_are_the_budgets_one_by_one(case):
    many, single = budgets_of(case)
    assert len(many) == len(single) == 6 and repr(many).startswith("Comparisons(6 budgets")
    def defined(value): return np.nan if value is None else value
    for i, one in enumerate(single):
        here = many[i]
        for name in "difference", "stderr", "stderr_unpaired", "correlation", "wins", "ties", "losses":
            want = pytest.approx(defined(getattr(one, name)), rel=1e-9, abs=1e-12, nan_ok=True)
            assert defined(getattr(here, name)) == want and getattr(many, name)[i] == want
        assert defined(here.again.stderr) == pytest.approx(defined(one.again.stderr), rel=1e-9, nan_ok=True)
        assert here.again.stderr_kind == one.again.stderr_kind == many.again[i].stderr_kind
        np.testing.assert_array_equal(here.a, one.a), np.testing.assert_array_equal(here.changes, one.changes)
        assert here.moved() == one.moved() and here.names == one.names and here.default_test("benchmark") == one.default_test("benchmark")
        assert here.chance == (None if one.chance is None else pytest.approx(one.chance, rel=1e-8))
        if one.stderr is None and case.get("bounds", 1) is None: continue
        assert here.p.method == one.p.method == many.p[i].method
        assert here.p.value == pytest.approx(one.p.value, rel=1e-9) == many.p[i].value
        for target in "questions", "benchmark":
            if case.get("bounds", 1) is None and target == "benchmark": continue
            ends, found = one.confidence_interval(target=target), many.ends(target=target)
            np.testing.assert_allclose([found[0][i], found[1][i]], [ends.low, ends.high], rtol=1e-8, atol=1e-10)
            assert found[2][i] == ends.method


def test_identical_systems_differ_by_exactly_nothing():
    many, _ = budgets_of(dict(same=True))
    assert (many.difference == 0).all() and np.isnan(many.stderr).all() and (many.ties == 70).all()
    assert {p.value for p in many.p} == {1.} and many[0].chance == .5
    np.testing.assert_allclose(many.mean_a, many.mean_b, rtol=0)


def test_noise_of_questions_of_states_and_when_asked_for():
    many, single = budgets_of({})
    a, b = (within_questions(n, right, np.arange(1, 7), any_credit) for n, right in (many.tables[:2], many.tables[2:4]))
    facts = dict(a=many.pairs.a, b=many.pairs.b, state_a=many.pairs.state, state_b=many.pairs.state)
    asked = []
    def later(): asked.append(1); return b.minus(a)
    rows = [c.Noise(o.variance[many.pairs.some], o.step[many.pairs.some]) for o in (a, b)]
    for noise in b.minus(a), tuple(rows), later:
        found = c.compare_budgets(**facts, noise=noise)
        assert noise is not later or not asked
        np.testing.assert_allclose(found.again.stderr, many.again.stderr, rtol=1e-9)
        assert found[2].again.stderr == pytest.approx(single[2].again.stderr, rel=1e-9)


def test_a_comparison_travels():
    a, b = np.random.default_rng(0).random((2, 30))
    one = c.compare_budgets(a[:, None], b[:, None])[0]
    again = pickle.loads(pickle.dumps(one))
    assert again.estimate == one.estimate and again.p == one.p and again.again == one.again


@pytest.mark.parametrize("options,words", [
    (dict(state_a=[0, 2]), "state must hold one row"), (dict(state_a=[0, 1, 1]), r"got \(3, 2\) and \(2, 2\)"), (dict(names=["x"]), "one name per question"),
    (dict(a=[[0, 2.], [1, 0]]), r"a must lie in \[0, 1\]"), (dict(b=[[0, np.nan], [1, 0]]), "b must be finite"), (dict(b=[[0], [1]]), r"got \(2, 2\) and \(2, 1\)")])
def test_budgets_refused(options, words):
    options = dict(a=[[0, 1.], [1, 0]], b=[[0, 1.], [1, 0]]) | options
    with pytest.raises((ValueError, TypeError), match=words): c.compare_budgets(**options)


@pytest.mark.parametrize("names, said", [
    ([], "0 only in A"), (["q1"], "1 only in A ('q1')"), (["q1", "q2", "q3"], "3 only in A ('q1', 'q2', 'q3')"),
    (["q1", "q2", "q3", "q4"], "4 only in A ('q1', 'q2', 'q3', ...)")])
def test_three_names_are_shown(names, said): assert c.name_some("A", names) == said
