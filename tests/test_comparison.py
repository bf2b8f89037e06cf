"Two systems: published values, both targets, tests by name, refusals; confidence sequences."

import pickle
from dataclasses import replace
from math import comb

import numpy as np
import pytest
from printed import check_printed

from sampling_eval.foundations.credit import any_credit, share_credit
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference import comparison as c
from sampling_eval.inference import fixed_questions
from sampling_eval.inference import paired_comparison
from sampling_eval.inference import pairs
from sampling_eval.inference.intervals import estimate_from
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.sequential import confidence_sequence
from sampling_eval.inference.randomization import ZERO_MEAN
from sampling_eval.inference.significance import mcnemar, permutation, sign_flip
from sampling_eval.inference.estimate import within_questions
from sampling_eval.inference.units import check_weights
from sampling_eval.inference.fixed_questions import fix_questions, Noise

R1 = np.array([4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
O3 = np.array([4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4])
FOUR = np.full(15, 4)


def from_counts(n_a, c_a, n_b, c_b, k=1, credit=share_credit):
    sides = [(np.asarray(n), np.asarray(right)) for n, right in ((n_a, c_a), (n_b, c_b))]
    a, b = (mean_credit(right, n - right, np.array([k]), credit)[:, 0] for n, right in sides)
    return c.paired_difference(a, b, tables=pairs.Tables(*sides[0], *sides[1], k, credit))


def test_aime_and_gsm8k():
    one = c.paired_difference(R1 / 4, O3 / 4)
    np.testing.assert_allclose(
        [one.difference, one.stderr, one.stderr_unpaired],
        [11 / 60, 0.07506610843064022, 0.0927960727138337],
        rtol=1e-12,
    )
    np.testing.assert_allclose(one.correlation, np.corrcoef(R1, O3)[0, 1], rtol=1e-12)
    assert (one.wins, one.ties, one.losses) == (6, 8, 1) and one.moved(1)[0].question == 14
    a, b = (np.repeat(x, [306, 209, 152, 652]) for x in ([1, 0, 1, 0], [1, 1, 0, 0]))
    gsm = c.paired_difference(a, b)
    assert gsm.p.method == "gaffke, inverted = McNemar, exact" and (gsm.wins, gsm.losses) == (
        209,
        152,
    )
    assert gsm.p.value == gsm.test("mcnemar").value and gsm.deciding_method() == "gaffke"
    assert gsm.test("gaffke").value == pytest.approx(gsm.p.value, rel=1e-8)
    np.testing.assert_allclose(
        [gsm.p.value, gsm.test("sign-flip").value, gsm.difference, gsm.stderr_unpaired],
        [0.003150656880360618, 0.003150656880360618, 0.043214556482183475, 0.01877630427557716],
        rtol=1e-10,
    )


def test_both_targets_stand_side_by_side():
    one = from_counts(FOUR, R1, FOUR, O3)
    new, again = one.confidence_interval(), one.confidence_interval(target="same_questions")
    assert (
        str(new.method) == "gaffke" and str(again.method) == "gamma within questions (approximate)"
    )
    np.testing.assert_allclose(
        (new.low, new.high), gaffke_interval((O3 - R1) / 4, bounds=(-1, 1)), atol=1e-9
    )
    assert again.high - again.low < new.high - new.low
    noise = (
        within_questions(FOUR, R1, 1, share_credit).variance
        + within_questions(FOUR, O3, 1, share_credit).variance
    )
    assert one.again.stderr == pytest.approx(noise.sum() ** 0.5 / 15)
    assert one.test().null != one.test(target="same_questions").null
    assert one.test("permutation") == permutation(FOUR, R1, FOUR, O3)
    assert (
        one.test(target="same_questions")
        == one.invert(target="same_questions")
        == one.test("interval")
    )
    assert one.test("sign-flip") == sign_flip((O3 - R1) / 4) and one.p == one.test() == one.invert()


def test_a_flip_at_unequal_samples_is_refused():
    one = from_counts([1] * 30, [1] * 30, [8] * 30, [7] * 30)
    with pytest.raises(ValueError, match="sign-flip needs the same number of samples"):
        one.test("sign-flip")
    assert (
        one.p.method == "gaffke, inverted"
        and one.test("permutation").method == "stratified permutation, exact"
    )


@pytest.mark.parametrize("n_a,n_b,rate", [(1, 8, 0.95), (1, 64, 0.95), (4, 64, 0.8)])
def test_level_of_the_default_at_unequal_samples(n_a, n_b, rate):
    "120 seeded runs of two equal systems at pass@1; standard error of a rate of .05: 2 %."
    rng, count = np.random.default_rng(0), 20
    found = []
    for _ in range(120):
        one = from_counts(
            [n_a] * count,
            rng.binomial(n_a, rate, count),
            [n_b] * count,
            rng.binomial(n_b, rate, count),
        )
        found.append(
            (
                one.p.value <= 0.05,
                one.test(target="same_questions").value <= 0.05,
                one.chance > 0.975,
            )
        )
    assert (np.mean(found, 0) <= (0.05 + 4 * 0.02, 0.05 + 4 * 0.02, 0.025 + 4 * 0.014)).all()


def test_intervals_hold_the_truth_of_their_target():
    "150 seeded runs, standard error of a coverage of .95: 1.8 %."
    rng, n = np.random.default_rng(1), np.full(12, 8)
    p_a, p_b = rng.beta(1, 1, 12), rng.beta(1, 1, 12)
    again = [
        from_counts(n, rng.binomial(8, p_a), n, rng.binomial(8, p_b)).confidence_interval(
            target="same_questions"
        )
        for _ in range(150)
    ]
    assert np.mean([o.low <= (p_b - p_a).mean() <= o.high for o in again]) > 0.95 - 4 * 0.018
    held = 0
    for _ in range(150):
        up = rng.random(15) < 0.4
        a, b = rng.binomial(8, np.where(up, 0.3, 0.9)), rng.binomial(8, np.where(up, 0.8, 0.7))
        new = from_counts(n[:1].repeat(15), a, n[:1].repeat(15), b).confidence_interval()
        held += new.low <= 0.4 * 0.5 - 0.6 * 0.2 <= new.high
    assert held / 150 > 0.95 - 4 * 0.018


def test_clusters_won_wholly():
    """Clusters of one size that B wins or leaves alone: the law at which anchors held 87.6 %,
    counted exactly."""
    held = 0
    for won in range(21):
        d = np.repeat(np.arange(20) < won, 5) * 1.0
        one = c.paired_difference(
            np.zeros(100), d, cluster=np.repeat(np.arange(20), 5)
        ).confidence_interval()
        held += (one.low <= 0.1 <= one.high) * comb(20, won) * 0.1**won * 0.9 ** (20 - won)
    assert held >= 0.95


def test_inverted_interval_of_the_same_questions():
    one = from_counts(FOUR, R1, FOUR, O3)
    p = one.test("interval", target="same_questions")
    for level, out in ((1 - p.value) * 0.9999, True), (1 - p.value * 0.9999, False):
        ends = one.confidence_interval(level, target="same_questions")
        assert (ends.low > 0 or ends.high < 0) == out
    assert p.target == "same_questions" and p.method.endswith("inverted")


def test_rounding_is_no_move_and_small_scores_are():
    noisy = c.paired_difference([0.1 + 0.2, 1], [0.3, 1])
    assert (
        (noisy.wins, noisy.ties, noisy.losses) == (0, 2, 0)
        and noisy.p.value == 1
        and noisy.moved() == []
    )
    large = c.paired_difference([1e6 * (0.1 + 0.2), 1], [1e6 * 0.3, 1], bounds=None)
    assert large.ties == 2
    x, y = np.random.default_rng(0).random((2, 9))
    plain, small = c.paired_difference(x, y), c.paired_difference(
        1e-12 * x, 1e-12 * y, bounds=(0, 1e-12)
    )
    assert (plain.wins, plain.losses) == (small.wins, small.losses)
    assert small.p.value == pytest.approx(plain.p.value) and small.chance == pytest.approx(
        plain.chance
    )


def test_rewards_without_bounds():
    one = c.paired_difference([10.0, 12, 9, 30], [11.0, 15, 9, 33], bounds=None)
    assert (
        one.difference == 1.75
        and str(one.confidence_interval().method) == "t (approximate)"
        and one.chance is None
    )
    for a, b in ([1.0], [0.0]), ([1.0, 2], [1.0, 2]):
        assert "no interval" in repr(c.paired_difference(a, b, bounds=None))


def test_one_question():
    one = c.paired_difference([0], [1])
    assert (
        one.stderr is None and one.p.value == 1 and one.chance == 0.5 and "undefined" in repr(one)
    )
    assert one.confidence_interval().low < 0 < one.confidence_interval().high


def test_wide_range_and_many_questions():
    x, y = np.random.default_rng(0).random((2, 1000)) * 1e6
    one = c.paired_difference(x, y, bounds=(-1e6, 1e6), samples=(np.full(1000, 2),) * 2)
    free = one.invert("assumption-free")
    assert 0 < free.value < 1 and free.smallest == pytest.approx(2 * 0.5**1000)
    assert 0 < one.p.value < 1 and "t (approximate), 999 degrees of freedom" in repr(one)


def test_align():
    found = pairs.align(["a", "b", "c"], np.array(["c", "b", "x"]), on_unmatched="drop")
    assert found.names == ("b", "c") and found.a.tolist() == [1, 2] and found.b.tolist() == [1, 0]
    assert repr(found) == "2 in both, 1 only in A ('a'), 1 only in B ('x')"
    names = [f"q{i}" for i in range(9)]
    with pytest.raises(
        ValueError, match=r"5 in both, 4 only in A \('q5', 'q6', 'q7', ...\), 0 only in B"
    ):
        pairs.align(names, names[:5])
    with pytest.raises(ValueError, match="got 'a' 2 times in B"):
        pairs.align(["a"], ["a", "a"])
    with pytest.raises(ValueError, match="names are int in A and str in B"):
        pairs.align([1], ["1"], on_unmatched="drop")
    with pytest.raises(ValueError, match="on_unmatched must be"):
        pairs.align([1], [1], on_unmatched="inner")


two = c.paired_difference([1, 0.5], [1, 1])
short = Noise(np.zeros(1), np.ones(1))


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: c.paired_difference([1, 0], [1]), "got 2 and 1"),
        (
            lambda: c.paired_difference([1, 0], [1, 2]),
            r"b must lie in \[0, 1\], got 2.0 at question 1",
        ),
        (lambda: c.paired_difference([], []), "one number per question"),
        (lambda: c.paired_difference([[1]], [[1]]), "a must hold one number per question"),
        (lambda: c.paired_difference([1, np.nan], [1, 1]), "a must be finite"),
        (lambda: c.paired_difference([1, 0], ["1", "0"]), "b must be numbers"),
        (
            lambda: c.paired_difference([1, 0], np.ma.array([1, 0], mask=[0, 1])),
            "b must be a plain array",
        ),
        (lambda: c.paired_difference([1, 0], [1, 0], bounds=(0, np.nan)), "two ascending"),
        (lambda: c.paired_difference([1, 0], [1, 1], cluster=["x"]), "one name per question"),
        (
            lambda: c.paired_difference([1, 0], [1, 1], names=["x"]),
            r"names must hold one name per question \(2\), got 1",
        ),
        (lambda: c.paired_difference([1, 0], [1, 1], noise=short), "one variance per value"),
        (lambda: two.test("z"), "method must be"),
        (lambda: two.test(target="x"), "target must be"),
        (lambda: two.confidence_interval(target="x"), "target must be"),
        (lambda: two.confidence_interval(2), "confidence_level"),
        (lambda: two.test("mcnemar"), "0/1 sample"),
        (lambda: two.test("permutation"), "counts of right samples"),
        (lambda: two.test("sign-flip", draws=0), "draws must be"),
        (lambda: c.paired_difference([1], [1]).test("t"), "no t test"),
        (lambda: c.paired_difference([1, 0], [1, 1], bounds=None).test("gaffke"), "bounds=None"),
        (lambda: confidence_sequence([]), "at least one difference"),
        (lambda: confidence_sequence([np.nan]), "got nan"),
        (lambda: confidence_sequence([0.0], confidence_level=2), "confidence_level"),
    ],
)
def test_refused(call, text):
    with pytest.raises((ValueError, TypeError), match=text):
        call()


def budgets_of(case):
    "Two systems at k = 1 to 6, by states and by questions, with what is known of them."
    rng = np.random.default_rng(case.get("seed", 0))
    q, n = case.get("questions", 70), 6
    sizes = [np.full(q, n), np.full(q, n) if not case.get("ragged") else rng.integers(n, n + 3, q)]
    right = [rng.integers(0, o + 1) for o in sizes]
    if case.get("same"):
        right[1], sizes[1] = right[0], sizes[0]
    ks = np.arange(1, 7)
    states, tables = [], []
    for size, made in zip(sizes, right):
        rows, state = np.unique(np.c_[size, made], axis=0, return_inverse=True)
        states.append(state.ravel()), tables.append(
            mean_credit(rows[:, 1], rows[:, 0] - rows[:, 1], ks, any_credit)
        )
    counts = (
        pairs.Tables(sizes[0], right[0], sizes[1], right[1], ks, any_credit)
        if case.get("counts", True)
        else None
    )
    facts = dict(
        cluster=np.arange(q) // 3 if case.get("cluster") else None,
        names=[f"q{i}" for i in range(q)],
        bounds=case.get("bounds", (0, 1)),
    )
    many = paired_comparison.compare_budgets(
        *tables, state_a=states[0], state_b=states[1], k=ks, tables=counts, **facts
    )
    single = [
        c.paired_difference(
            tables[0][states[0], i],
            tables[1][states[1], i],
            tables=counts and counts._replace(k=int(k)),
            **facts,
        )
        for i, k in enumerate(ks)
    ]
    return many, single


@pytest.mark.parametrize(
    "case",
    [
        {},
        dict(ragged=True),
        dict(cluster=True),
        dict(same=True),
        dict(counts=False),
        dict(bounds=None),
        dict(questions=1),
        dict(questions=12, seed=3),
    ],
)
def test_all_budgets_at_once_are_the_budgets_one_by_one(case):
    many, single = budgets_of(case)
    assert len(many) == len(single) == 6 and repr(many).startswith("Comparisons(6 budgets")

    def defined(value):
        return np.nan if value is None else value

    for i, one in enumerate(single):
        here = many[i]
        for name in (
            "difference",
            "stderr",
            "stderr_unpaired",
            "correlation",
            "wins",
            "ties",
            "losses",
        ):
            want = pytest.approx(defined(getattr(one, name)), rel=1e-9, abs=1e-12, nan_ok=True)
            assert defined(getattr(here, name)) == want and getattr(many, name)[i] == want
        assert defined(here.again.stderr) == pytest.approx(
            defined(one.again.stderr), rel=1e-9, nan_ok=True
        )
        assert here.again.stderr_kind == one.again.stderr_kind == many.again[i].stderr_kind
        np.testing.assert_array_equal(here.a, one.a), np.testing.assert_array_equal(
            here.changes, one.changes
        )
        assert here.moved() == one.moved() and here.names == one.names
        assert here.chance == (None if one.chance is None else pytest.approx(one.chance, rel=1e-8))
        if one.stderr is None and case.get("bounds", 1) is None:
            continue
        assert here.p.method == one.p.method == many.p[i].method
        assert here.p.value == pytest.approx(one.p.value, rel=1e-9) == many.p[i].value
        for target in "new_questions", "same_questions":
            if case.get("bounds", 1) is None and target == "same_questions":
                continue
            ends, found = one.confidence_interval(target=target), many.intervals(target=target)[i]
            np.testing.assert_allclose(
                [found.low, found.high], [ends.low, ends.high], rtol=1e-8, atol=1e-10
            )
            assert found.method == ends.method and found.target == ends.target == target


def test_noise_of_questions_of_states_and_when_asked_for():
    many, single = budgets_of({})
    a, b = (
        within_questions(n, right, np.arange(1, 7), any_credit)
        for n, right in (many.tables[:2], many.tables[2:4])
    )
    facts = dict(a=many.pairs.a, b=many.pairs.b, state_a=many.pairs.state, state_b=many.pairs.state)
    asked = []

    def later():
        asked.append(1)
        return b.minus(a)

    rows = [
        fixed_questions.Noise(o.variance[many.pairs.some], o.step[many.pairs.some]) for o in (a, b)
    ]
    for noise in b.minus(a), tuple(rows), later:
        found = paired_comparison.compare_budgets(**facts, noise=noise)
        assert noise is not later or not asked
        np.testing.assert_allclose(found.again.stderr, many.again.stderr, rtol=1e-9)
        assert found[2].again.stderr == pytest.approx(single[2].again.stderr, rel=1e-9)


def test_a_comparison_travels():
    a, b = np.random.default_rng(0).random((2, 30))
    one = paired_comparison.compare_budgets(a[:, None], b[:, None])[0]
    again = pickle.loads(pickle.dumps(one))
    assert again.estimate == one.estimate and again.p == one.p and again.again == one.again


@pytest.mark.parametrize(
    "options,words",
    [
        (dict(state_a=[0, 2]), "state must hold one row"),
        (dict(state_a=[0, 1, 1]), r"got \(3, 2\) and \(2, 2\)"),
        (dict(names=["x"]), "one name per question"),
        (dict(a=[[0, 2.0], [1, 0]]), r"a must lie in \[0, 1\]"),
        (dict(b=[[0, np.nan], [1, 0]]), "b must be finite"),
        (dict(b=[[0], [1]]), r"got \(2, 2\) and \(2, 1\)"),
    ],
)
def test_budgets_refused(options, words):
    options = dict(a=[[0, 1.0], [1, 0]], b=[[0, 1.0], [1, 0]]) | options
    with pytest.raises((ValueError, TypeError), match=words):
        paired_comparison.compare_budgets(**options)


# By hand.


@pytest.mark.parametrize("mode", ["refuse", "drop"])
def test_alignment_keeps_the_order_of_a(mode):
    found = pairs.align(["x", "y", "z"], ["z", "x", "y"], mode)
    assert (found.names, found.a.tolist(), found.b.tolist(), found.only_a, found.only_b) == (
        ("x", "y", "z"),
        [0, 1, 2],
        [1, 2, 0],
        (),
        (),
    )
    assert repr(found) == "3 in both, 0 only in A, 0 only in B" and found.a.dtype.kind == "i"
    assert (
        repr(pairs.Alignment(np.array([0]), np.array([0]), ("q",)))
        == "1 in both, 0 only in A, 0 only in B"
    )


@pytest.mark.parametrize(
    "a, b, options, said",
    [
        (
            ["x", "y"],
            ["x"],
            {},
            r"A and B must cover the same questions, got 1 in both, 1 only in A \('y'\), 0 only"
            r" in B; "
            "on_unmatched='drop' compares the common ones",
        ),
        (["x"], ["x", "y"], {}, r"1 in both, 0 only in A, 1 only in B \('y'\)"),
        (
            ["x"],
            ["y"],
            {},
            (
                r"A and B must share questions, got 0 in both, 1 only in A \('x'\), 1 only in B"
                r" \('y'\)$"
            ),
        ),
        (["x"], ["y"], dict(on_unmatched="drop"), r"must share questions"),
        ([1], ["1"], {}, "; names are int in A and str in B"),
        ([], [], {}, "must share questions, got 0 in both, 0 only in A, 0 only in B$"),
        ([], ["x"], {}, "names are NoneType in A and str in B"),
        (["p", "q", "q", "q"], ["p"], {}, "each question must appear once, got 'q' 3 times in A"),
        (["p"], np.array([7, 7]), {}, "got 7 2 times in B"),
    ],
)
def test_alignment_refused(a, b, options, said):
    with pytest.raises(ValueError, match=said):
        pairs.align(a, b, **options)


def some_pair(**more):
    "Six questions: two gains, one loss, two ties, one that only rounding moves."
    a, b = [0, 0.25, 0.5, 1, 0.3, 0.5], [1, 0.5, 0.25, 1, 0.1 + 0.2, 0.5]
    return c.paired_difference(a, b, **more)


def test_a_comparison_by_hand():
    one = some_pair(names=list("uvwxyz"))
    assert (one.wins, one.losses, one.ties, one.difference) == (2, 1, 3, pytest.approx(1 / 6))
    assert [tuple(move) for move in one.moved()] == [
        ("u", 0, 1, 1),
        ("v", 0.25, 0.5, 0.25),
        ("w", 0.5, 0.25, -0.25),
    ]
    assert (
        one.moved(1) == one.moved()[:1]
        and one.moved(0) == []
        and some_pair().moved(2)[1].question == 1
    )
    assert one.changes.tolist() == [1, 0.25, -0.25, 0, 0, 0] and (one.a[4], one.b[4]) == (
        0.3,
        0.1 + 0.2,
    )
    assert one.average(np.arange(6)) == 2.5 and type(one.average(np.arange(6))) is float
    va, vb = np.var(one.a, ddof=1) / 6, np.var(one.b, ddof=1) / 6
    assert one.stderr == pytest.approx(np.std(one.b - one.a, ddof=1) / 6**0.5)
    assert one.stderr_unpaired == pytest.approx((va + vb) ** 0.5)
    assert one.correlation == pytest.approx(np.corrcoef(one.a, one.b)[0, 1])
    assert one.again.stderr_kind == "over questions, an upper bound for this benchmark"
    assert one.again.stderr == one.stderr
    weighted = some_pair(weights=check_weights([3, 1, 1, 1, 1, 1]))
    assert weighted.average(np.arange(6)) == pytest.approx(
        15 / 8
    ) and weighted.difference == pytest.approx(3 / 8)
    assert weighted.chance is None
    assert (weighted.wins, weighted.losses, weighted.ties) == (2, 1, 3)


def test_correlation_where_one_side_is_flat():
    flat = c.paired_difference([1, 1, 1], [1, 0, 1])
    assert flat.correlation is None and flat.stderr_unpaired == pytest.approx(flat.stderr)
    both = c.paired_difference([1, 1], [0, 0])
    assert both.correlation is both.stderr_unpaired is both.stderr is None
    assert "(unpaired" not in repr(both) and "(unpaired 0.3333)" in repr(flat)
    opposite = c.paired_difference([1, 0, 1, 0], [0, 1, 0, 1])
    assert opposite.correlation == pytest.approx(-1)
    assert c.paired_difference([1, 0, 0.5], [1, 0, 0.5]).correlation == pytest.approx(1)


def test_what_a_comparison_says():
    assert (
        repr(c.paired_difference([0, 1, 1, 0], [1, 1, 1, 0]))
        == "Comparison(B - A = +0.2500, stderr 0.2500 (unpaired 0.3819), new questions "
        "[-0.5271, 0.8059] (95 %, gaffke), p = 1 (gaffke, inverted = McNemar, exact), "
        "these again [-0.5271, 0.8059] (95 %, gaffke), wins/ties/losses 1/3/0)"
    )
    assert (
        repr(c.paired_difference([1.0], [0.0], bounds=None, samples=([1], [2])))
        == "Comparison(B - A = -1.0000, stderr undefined, new questions no interval, no test, "
        "these again no interval, wins/ties/losses 0/0/1)"
    )


@pytest.mark.parametrize(
    "a, b, more, single",
    [
        ([0, 1], [1, 1], {}, True),
        ([0, 1], [1, 0.5], {}, False),
        ([0, 1], [1, 1], dict(cluster=[0, 1]), False),
        ([0, 1], [1, 1], dict(samples=(1, 1)), True),
        ([0, 1], [1, 1], dict(samples=(1, 2)), False),
        ([0, 1], [1, 1], dict(samples=([2, 1], 1)), False),
        ([0, 1], [1, 1], dict(weights=True), True),
        ([0, 2], [1, 1], dict(bounds=(0, 2)), False),
        ([0, 2], [2, 2], dict(bounds=(0, 2)), True),
    ],
)
def test_single_answers(a, b, more, single):
    if "weights" in more:
        more = dict(weights=check_weights([1, 2]))
    one = c.paired_difference(a, b, **more)
    assert one.single is single
    if single and one.pairs.weights is None:
        assert one.test("mcnemar") == mcnemar(one.wins, one.losses)
        assert one.test("mcnemar-mid") == mcnemar(one.wins, one.losses, mid=True)
    else:
        with pytest.raises(
            ValueError,
            match=(
                "mcnemar needs|mcnemar takes all questions as equal, got weights; use 'sign-flip'"
                " or 'gaffke'"
            ),
        ):
            one.test("mcnemar-mid")


def test_tests_refuse_with_advice():
    unequal = some_pair(samples=(4, 5))
    with pytest.raises(ValueError, match="too often; use 'gaffke'$"):
        unequal.test("sign-flip")
    with pytest.raises(ValueError, match="too often; use 't'$"):
        some_pair(samples=(4, 5), bounds=None).test("sign-flip")
    flat = dict(a=[1, 0.5], b=[0.5, 0])
    with pytest.raises(
        ValueError,
        match=(
            "no t test: all 2 questions have the same value, which shows no spread; use"
            " 'sign-flip'$"
        ),
    ):
        c.paired_difference(**flat).test("t")
    with pytest.raises(ValueError, match="which shows no spread$"):
        c.paired_difference(**flat, samples=(4, 5)).test("t")
    with pytest.raises(
        ValueError, match="permutation takes all questions as equal, got weights; use 'interval'"
    ):
        some_pair(weights=check_weights(range(1, 7))).test("permutation")


def inverted(estimate, method=None):
    return paired_comparison.name_inverted(estimate, method, "new_questions", None).value


def test_t_by_hand():
    from scipy.stats import norm, t, ttest_rel

    one = some_pair(bounds=None)
    found = one.test("t")
    assert found.value == pytest.approx(ttest_rel(one.b, one.a).pvalue)
    assert (found.method, found.null, found.target, found.smallest) == (
        "t (approximate), 5 degrees of freedom",
        ZERO_MEAN,
        "new_questions",
        0,
    )
    again = one.test(target="same_questions")
    assert again.value == pytest.approx(found.value)
    assert (again.method, again.null, again.target) == (
        "t (approximate), 5 degrees of freedom",
        "mean difference zero on these questions",
        "same_questions",
    )
    fixed = estimate_from(
        fix_questions([0.5, 0.25], Noise(np.array([0.02, 0.03]), np.full(2, 0.25)), bounds=(-1, 1))
    )
    assert inverted(fixed, "t") == pytest.approx(2 * norm.sf(0.375 / (0.05**0.5 / 2)))
    assert inverted(replace(fixed, value=-0.375), "t") == inverted(fixed, "t")
    grouped = some_pair(bounds=None, cluster=[0, 0, 1, 1, 2, 2])
    assert grouped.test("t").value == pytest.approx(
        2 * t.sf(abs(grouped.difference) / grouped.stderr, 2)
    )
    assert grouped.test("t").method.endswith("2 degrees of freedom")


def test_the_interval_of_the_same_questions_is_inverted_on_either_side():
    one, back = from_counts(FOUR, R1, FOUR, O3), from_counts(FOUR, O3, FOUR, R1)
    ps = [o.test("interval") for o in (one, back)]
    assert ps[0].value == pytest.approx(ps[1].value)
    assert ps[0].method == "gamma within questions (approximate), inverted"
    same = from_counts([4, 4], [1, 3], [4, 4], [3, 1])
    assert same.difference == 0 and same.test("interval").value == 1 == inverted(same.again)
    near = from_counts([4] * 3, [1, 2, 3], [4] * 3, [2, 2, 3])
    assert near.test("interval").value < 1
    plain = some_pair()
    assert plain.test("interval").value == plain.test("gaffke").value
    assert plain.test("interval").method == "gaffke, inverted"


def test_the_cautious_test_takes_the_larger():
    one = from_counts(FOUR, R1, FOUR, O3)
    interval, exact, both = (one.test(name) for name in ("interval", "permutation", "cautious"))
    assert both == interval._replace(
        value=max(interval.value, exact.value),
        method=f"{interval.method}, and {exact.method}, the larger p value",
    )
    assert interval.value != exact.value
    many = from_counts([64] * 4, [1, 30, 20, 3], [64] * 4, [3, 36, 28, 1])
    interval, exact, both = (many.test(name) for name in ("interval", "permutation", "cautious"))
    assert both.value == max(interval.value, exact.value)
    assert some_pair().test("cautious") == some_pair().test("interval")
    single = from_counts([1] * 4, [0, 1, 0, 0], [1] * 4, [1, 1, 1, 0])
    assert (
        single.test("cautious") == single.test("interval")
        and single.test("cautious").method == "gaffke, inverted"
    )


def test_draws_and_seeds_reach_the_tests():
    rng = np.random.default_rng(1)
    a = np.zeros(60)
    b = rng.normal(0.42, 1, 60)
    one = c.paired_difference(a, b, bounds=None)
    flip = "sign-flip"
    assert (
        one.test(flip, draws=99).method == "sign-flip, 99 draws"
        and one.test(flip).method == "sign-flip, 9999 draws"
    )
    assert one.test(flip, rng=0) == one.test(flip) != one.test(flip, rng=1) and one.p == one.test(
        "t"
    )
    assert (
        one.invert("bootstrap").value
        == one.invert("bootstrap", rng=0).value
        != one.invert("bootstrap", rng=1).value
    )
    grouped = c.paired_difference(
        a, b, bounds=None, cluster=np.repeat(np.arange(50), [2] * 10 + [1] * 40)
    )
    assert (
        grouped.test(flip, draws=2999).value
        == sign_flip(b - a, cluster=grouped.pairs.cluster, draws=2999).value
    )
    assert (
        grouped.test(flip, draws=2999, rng=4).value
        == sign_flip(b - a, cluster=grouped.pairs.cluster, draws=2999, rng=4).value
        != grouped.test(flip, draws=2999).value
    )
    many = paired_comparison.compare_budgets(
        np.zeros((60, 2)), np.c_[b, b**2 - 0.5], bounds=None, k=[1, 2]
    )
    assert many.tests(flip, draws=99)[0] == one.test(flip, draws=99)
    assert many.tests(flip, draws=99, rng=3)[0] == one.test(flip, draws=99, rng=3)
    assert many.p[0] == many[0].p and many.p[0].value == pytest.approx(one.p.value)
    dealt = from_counts(FOUR, R1, FOUR, O3, 2, any_credit)
    assert dealt.test("permutation", draws=99).method == "stratified permutation, 99 draws"
    assert (
        dealt.test("permutation", rng=5)
        == permutation(FOUR, R1, FOUR, O3, 2, any_credit, rng=5)
        != dealt.test("permutation")
    )
    assert dealt.test("cautious", draws=99, rng=5).method.endswith(
        "stratified permutation, 99 draws, the larger p value"
    )


def test_pairs_of_very_many_states():
    "Beyond four million possible pairs they are sorted, with the same result."
    rng = np.random.default_rng(0)
    a, b = rng.random((2049, 1)), rng.random((2048, 1))
    state_a, state_b = rng.integers(0, 9, 50), rng.integers(0, 5, 50)
    many, few = pairs.pair_states(a, b, state_a, state_b), pairs.pair_states(
        a[:9], b[:5], state_a, state_b
    )
    for name in "a", "b", "state", "times":
        np.testing.assert_array_equal(getattr(many, name), getattr(few, name))
    np.testing.assert_array_equal(many.first, few.first)


def test_budgets_hold_what_they_were_given():
    a, b = np.array([[0.2, 0.4], [0.6, 0.8], [1, 1]]), np.array([[0.4, 0.4], [0.5, 0.9], [0.5, 1]])
    many = paired_comparison.compare_budgets(
        a, b, k=[3, 5], names=list("xyz"), bounds=(0, 2), weights=check_weights([1, 2, 1])
    )
    assert many.k == [3, 5] and many.span == (-2, 2) and many[1].names == ["x", "y", "z"]
    assert repr(many) == "Comparisons(2 budgets, 3 questions)"
    np.testing.assert_allclose(many.difference, [-0.125, 0.05], atol=1e-15)
    assert (many.wins.tolist(), many.losses.tolist(), many.ties.tolist()) == (
        [1, 1],
        [2, 0],
        [0, 2],
    )
    assert many[0].pairs.a.shape == (3, 1) and many[-1].difference == many[1].difference
    assert many.again[0].stderr == many.estimates[0].stderr
    assert many[1].again.stderr_kind == "over weighted questions, an upper bound for this benchmark"
    assert paired_comparison.compare_budgets(
        a, b, bounds=None
    ).span is None and paired_comparison.compare_budgets(a, b).bounds == (0, 1)
    assert paired_comparison.compare_budgets(a, b, bounds=(-1, 3)).span == (-4, 4)
    with pytest.raises(IndexError):
        many[2]
    clustered = paired_comparison.compare_budgets(a, b, cluster=[0, 0, 1])
    assert (
        clustered[0].pairs.cluster == [0, 0, 1]
        and clustered.estimates[0].stderr_kind == "over 2 clusters"
    )
    assert clustered.again[0].stderr_kind == "over questions, an upper bound for this benchmark"


def test_noise_of_weighted_questions_is_that_of_their_sum():
    weights = check_weights([4, 1, 1])
    noise = Noise(np.array([0.02, 0.03, 0.01]), np.full(3, 0.25))
    one = c.paired_difference([0.5, 0.25, 1], [0.75, 0.25, 0.5], noise=noise, weights=weights)
    assert one.again.stderr == pytest.approx((16 * 0.02 + 0.03 + 0.01) ** 0.5 / 6)
    assert one.again.value == pytest.approx((1 - 0.5) / 6)
    assert one.again.stderr_kind == "within questions"
    assert one.test("interval").method == "gamma within questions (approximate), inverted"
    folded = paired_comparison.compare_budgets(
        [[0.5], [0.25]],
        [[0.75], [0.25]],
        state_a=[0, 1, 0, 0],
        state_b=[0, 1, 0, 0],
        weights=check_weights([4, 1, 1, 2]),
        noise=Noise(np.array([[0.02], [0.03], [0.02], [0.02]]), np.full((4, 1), 0.25)),
    )
    assert folded.again[0].stderr == pytest.approx((16 * 0.02 + 0.03 + 0.02 + 4 * 0.02) ** 0.5 / 8)


def test_comparisons_in_numbers():
    "Intervals and tests by every name for awkward pairs, as they were when they were checked."
    x = dict(cluster=[0, 0, 1, 1, 2, 2])
    cases = {
        "scores": some_pair(),
        "unequal n": some_pair(samples=(4, 5)),
        "groups": some_pair(**x),
        "no range": some_pair(bounds=None),
        "weights": some_pair(weights=check_weights([1, 2, 3, 1, 2, 3])),
        "single": c.paired_difference([0, 0, 0, 1, 1, 0, 0], [1, 1, 1, 0, 1, 1, 0]),
        "counted": from_counts(FOUR, R1, FOUR, O3),
        "pass@2": from_counts([4, 8, 4, 6], [0, 2, 4, 3], [4] * 4, [1, 1, 3, 4], 2, any_credit),
        "same": from_counts([4, 4], [1, 3], [4, 4], [1, 3]),
        "one": from_counts([4], [1], [4], [4]),
    }
    lines = []
    for name, one in cases.items():
        lines.append(f"{name}: {one!r}")
        numbers = dict(
            error=one.stderr,
            apart=one.stderr_unpaired,
            correlation=one.correlation,
            chance=one.chance,
            again=one.again.stderr,
        )
        lines.append(
            "  "
            + ", ".join(
                f"{key} " + ("none" if value is None else f"{value:.9f}")
                for key, value in numbers.items()
            )
        )
        for target in "new_questions", "same_questions":
            try:
                ends = one.confidence_interval(0.8, target=target)
            except ValueError as error:
                lines.append(f"  {target}: {error}")
            else:
                lines.append(f"  {target}: {ends.low:.9f} {ends.high:.9f} {ends.method}")
        for test in paired_comparison.TESTS:
            try:
                p = one.test(test)
            except ValueError as error:
                lines.append(f"  {test}: {error}")
            else:
                lines.append(
                    f"  {test}: {p.value:.9f} {p.smallest:.9g} {p.target}, {p.null}, {p.method}"
                )
    check_printed("estimates", "comparisons", "\n".join(lines))
