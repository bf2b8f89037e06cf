"One verdict, one p: the p value that is printed goes with the interval that gives the verdict."

import json
from math import comb

import numpy as np
import pytest

from sampling_eval import Counts, compare, gate, plan, table
from sampling_eval.foundations.credit import share_credit
from sampling_eval.inference.pairs import Tables
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.ranking import compare_all
from sampling_eval.inference.units import Weights
from sampling_eval.analyses.phrases.advice import describe_advice
from sampling_eval.render.format import pvalue
from sampling_eval.analyses.compare.result import MultipleComparison, PairwiseComparison
from sampling_eval.analyses.gate.result import Gate

LEVELS = 0.5, 0.9, 0.95, 0.99, 0.999


def draw_counts(rng, questions, n_a, n_b, gain=0.0):
    "Counts of two systems whose questions have difficulties of their own."
    chance = rng.beta(0.6, 0.6, questions)
    n_a, n_b = (np.broadcast_to(n, questions).copy() for n in (n_a, n_b))
    return n_a, rng.binomial(n_a, chance), n_b, rng.binomial(n_b, np.clip(chance + gain, 0, 1))


def list_mismatches(pair, target, method, rng=None):
    """Levels at which the p value and the interval say different things; none where neither is
    known."""
    try:
        p = pair.invert(method, target=target, rng=rng).value
    except ValueError:
        with pytest.raises(ValueError):
            pair.confidence_interval(0.95, method, target=target, rng=rng)
        return []
    ends = (
        (level, pair.confidence_interval(level, method, target=target, rng=rng)) for level in LEVELS
    )
    return [
        (level, one, p) for level, one in ends if (one.low > 0 or one.high < 0) != (p <= 1 - level)
    ]


KINDS = {
    "plain": lambda rng, q: {},
    "clusters": lambda rng, q: dict(cluster=rng.integers(0, max(1, q // 3), q)),
    "weights": lambda rng, q: dict(weights=Weights(rng.exponential(1, q) + 0.01)),
    "no range": lambda rng, q: dict(bounds=None),
    "stated": lambda rng, q: dict(stated=(-1, 1)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_p_and_interval_never_disagree(kind, target):
    "Few and many questions, one to eight samples, ragged ones, ties, no difference at all."
    rng = np.random.default_rng(len(kind))
    checked = 0
    for run in range(20):
        q = [1, 2, 3, 5, 10, 30, 60][run % 7]
        n_b = rng.integers(1, 9, q) if run % 3 == 0 else [1, 2, 4, 8][run % 4]
        counts = draw_counts(
            rng, q, n_b if run % 2 else [1, 4][run % 2], n_b, [0, 0.06, 0.3, -0.2][run % 4]
        )
        n_a, a, n_b, b = counts if run % 10 else (*counts[:2], *counts[:2])
        pair = paired_difference(
            a / n_a, b / n_b, tables=Tables(n_a, a, n_b, b, 1, share_credit), **KINDS[kind](rng, q)
        )
        for method in [None, "t"] + ["anchored-t"] * (kind not in ("no range", "weights")):
            assert list_mismatches(pair, target, method) == []
            checked += 1
        if run < 4:
            assert list_mismatches(pair, target, "bootstrap", rng=run) == []
    assert checked >= 40


def test_p_and_interval_of_graded_scores():
    rng = np.random.default_rng(5)
    for bounds in (-2, 3), None:
        for q in 2, 7, 40:
            a, b = rng.uniform(-1, 2, (2, q)) + [[0], [0.4]]
            for target in "new_questions", "same_questions":
                for method in None, "t":
                    assert (
                        list_mismatches(paired_difference(a, b, bounds=bounds), target, method)
                        == []
                    )


def test_the_interval_at_the_level_of_its_p_value_ends_at_zero():
    rng = np.random.default_rng(1)
    for target in "new_questions", "same_questions":
        for method in None, "t":
            n_a, a, n_b, b = draw_counts(rng, 40, 8, 8, 0.1)
            pair = paired_difference(
                a / n_a, b / n_b, tables=Tables(n_a, a, n_b, b, 1, share_credit)
            )
            p = pair.invert(method, target=target).value
            ends = pair.confidence_interval(1 - p, method, target=target)
            assert 0 < p < 0.9 and min(abs(ends.low), abs(ends.high)) < 1e-6


def test_every_pair_of_a_ranking():
    rng = np.random.default_rng(2)
    n, chance = np.full(30, 4), rng.beta(1, 1, 30)
    right = {
        name: rng.binomial(4, np.clip(chance + gain, 0, 1))
        for name, gain in zip("abcd", (0, 0.1, 0.2, 0.3))
    }
    facts = {
        (old, new): dict(tables=Tables(n, right[old], n, right[new], 1, share_credit))
        for old in right
        for new in right
        if old != new
    }
    values = {name: one / 4 for name, one in right.items()}
    for target in "new_questions", "same_questions":
        for interval in None, "t":
            found = compare_all(values, facts=facts, target=target, interval=interval)
            for pair, p in zip(found.pairs.values(), found.p):
                assert (
                    p == pair.invert(interval, target=target)
                    and list_mismatches(pair, target, interval) == []
                )
            apart = found.ahead | found.ahead.T
            assert [apart[at] for at in found.pairs] == (found.p_adjusted <= 0.05).tolist()


# What a reader sees.


@pytest.fixture(scope="module")
def disputed():
    "Two systems that a t interval tells apart and the default does not."
    rng = np.random.default_rng(3)
    chance = rng.beta(1, 1, 60)
    return Counts([8] * 60, rng.binomial(8, chance)), Counts(
        [8] * 60, rng.binomial(8, np.clip(chance + 0.07, 0, 1))
    )


def flatten(text):
    return " ".join(text.split())


def test_what_holds_without_assumptions_stands_beside(disputed):
    found = compare(*disputed, "pass@1")
    row, beside = found.rows[0], found.rows[0].without_assumptions
    assert row.method == "t" and not row.method_asked and row.evidence.enough
    assert beside.low < 0 < row.low and row.pvalue == row.p <= 0.05 < beside.pvalue
    assert (row.verdict, beside.verdict) == ("better", "inconclusive")
    flat = flatten(repr(found))
    assert ", new questions, t): significant." in flat
    said = "; t assumes no rare large losses that these questions missed."
    assert f"Without assumptions: inconclusive ({pytest_points(beside)}){said}" in flat
    for form in found.to_markdown(), found.to_html().replace("&nbsp;", " "), found.to_latex():
        assert said in flatten(form.replace("\n% ", " "))
    told = json.loads(found.to_json())["rows"][0]
    assert told["pvalue"] == told["p"] == row.p and told["method"] == "t"
    assert told["without_assumptions"] == dict(
        low=beside.low, high=beside.high, pvalue=beside.pvalue, verdict="inconclusive"
    )
    assert set(told["evidence"]) == {"units", "different", "effective", "needed"}
    frame = found.to_frame("pandas")
    assert frame["without_assumptions_low"][0] == beside.low and frame["pvalue"][0] == row.p
    again = PairwiseComparison.from_json(found.to_json())
    assert again == found and repr(again) == repr(found)


def pytest_points(one):
    return f"{100 * one.low:+.1f} to {100 * one.high:+.1f}"


def test_both_say_so_where_they_agree():
    rng = np.random.default_rng(3)
    chance = rng.beta(1, 1, 60)
    clear = [Counts([8] * 60, rng.binomial(8, np.clip(chance + gain, 0, 1))) for gain in (0, 0.2)]
    found = compare(*clear, "pass@1")
    ends = pytest_points(found.rows[0].without_assumptions)
    assert f": significant. Also without assumptions ({ends})." in flatten(repr(found))
    alike = compare(clear[0], Counts([8] * 60, rng.binomial(8, chance)), "pass@1")
    assert alike.rows[0].verdict == "inconclusive" and "ithout assumptions (" not in repr(alike)


# Why the assumption-free interval decides, by what the data lack.
REASONS = {
    "assumption-free: only 19 questions": ([4] * 19, [0, 2] * 9 + [1], [1, 3] * 9 + [3]),
    "assumption-free: 7 of 50 questions differ": ([4] * 50, [2] * 50, [3] * 5 + [1] * 2 + [2] * 43),
    "assumption-free: no question differs": ([4] * 50, [2] * 50, [2] * 50),
    "assumption-free: a few questions carry the spread, 2.1 effective of 50": (
        [64] * 50,
        [32] * 50,
        [64, 0] + [33] * 24 + [31] * 24,
    ),
    "assumption-free: all 30 questions differ by the same": ([3] * 30, [2] * 30, [1] * 30),
    "exact McNemar": ([1] * 30, [0, 1] * 15, [1] * 30),
    "t": ([4] * 30, [0, 2, 4] * 10, [1, 3, 3] * 10),
}


@pytest.mark.parametrize("reason", REASONS)
def test_the_headline_says_what_decides_and_why(reason):
    n, a, b = REASONS[reason]
    found = compare(Counts(n, a), Counts(n, b), "pass@1")
    assert f", new questions, {reason})" in flatten(repr(found))
    strict = compare(Counts(n, a), Counts(n, b), "pass@1", method="assumption-free")
    named = reason if reason == "exact McNemar" else "assumption-free"
    assert f", new questions, {named})" in flatten(repr(strict))
    assert strict.rows[0].verdict == found.rows[0].without_assumptions.verdict


def test_rows_decided_in_two_ways_carry_a_letter():
    n, a, b = [8] * 60, [1, 4, 7, 7] * 15, [2, 5, 7, 7] * 15
    found = compare(Counts(n, a), Counts(n, b), "pass@k", k=[1, 8])
    assert [row.method for row in found.rows] == ["t", "gaffke"]
    flat = flatten(repr(found))
    assert "a: assumption-free, too little stands behind t (no question differs in pass@8)" in flat
    strict = compare(Counts(n, a), Counts(n, b), "pass@k", k=[1, 8], method="assumption-free")
    assert [row.method for row in strict.rows] == [
        "gaffke"
    ] * 2 and "a: assumption-free" not in repr(strict)


def test_scores_without_a_range_have_no_assumption_free_interval():
    rng = np.random.default_rng(0)
    rows = [
        dict(model=m, question=q, score=float(x))
        for m, gain in (("a", 0), ("b", 3))
        for q, x in enumerate(rng.normal(50 + gain, 5, 30))
    ]
    found = compare(rows, metrics="mean@n")
    row = found.rows[0]
    assert row.method == "t" and row.without_assumptions is None
    assert "No assumption-free CI: scale is not stated." in flatten(repr(found))
    with pytest.raises(ValueError, match="assumption-free interval needs bounded values"):
        compare(rows, metrics="mean@n", method="assumption-free")


def test_the_same_questions_have_no_assumption_free_interval(disputed):
    plain, strict = (
        compare(*disputed, "pass@1", target="same_questions", method=method)
        for method in (None, "assumption-free")
    )
    assert strict.rows[0].again.low == plain.rows[0].again.low and strict.rows[0].method == "gamma"
    assert strict.rows[0].without_assumptions is None
    said = "There is no assumption-free CI of the same questions"
    assert said in flatten(repr(strict)) and said not in flatten(repr(plain))
    assert (
        strict.rows[0].interval.method.name == "gaffke"
        and plain.rows[0].interval.method.name == "t"
    )
    given = dict(baseline=disputed[0], max_drop=0.1, method="assumption-free")
    judged = gate(disputed[1], target="same_questions", **given)
    assert judged.rows[0].method.name == "gamma" and said in flatten(repr(judged))
    # Strict is about new questions, unless the same are asked for.
    assert gate(disputed[1], **given).rows[0].target == "new_questions"


def test_method_chooses_what_decides(disputed):
    found = compare(*disputed, "pass@1", method="t")
    row, default = found.rows[0], compare(*disputed, "pass@1").rows[0]
    assert (row.low, row.pvalue) == (
        default.low,
        default.pvalue,
    ) and row.without_assumptions is None
    strict = compare(*disputed, "pass@1", method="assumption-free").rows[0]
    assert (strict.low, strict.pvalue) == (
        default.without_assumptions.low,
        default.without_assumptions.pvalue,
    )
    assert strict.method == "gaffke" and strict.verdict == "inconclusive"
    old, new = disputed
    judged = {
        method: gate(new, baseline=old, max_drop=0.0, target="new_questions", method=method)
        for method in (None, "t", "assumption-free")
    }
    assert [one.verdict for one in judged.values()] == ["pass", "pass", "inconclusive"]
    usual = judged[None]
    beside = usual.rows[0].without_assumptions
    assert beside.verdict == "inconclusive" and beside.low == judged["assumption-free"].rows[0].low
    assert "Without assumptions: inconclusive (" in flatten(repr(usual))
    assert Gate.from_json(usual.to_json()) == usual


def test_the_legend_says_where_the_noise_of_the_same_questions_changes(disputed):
    said = "Same: from pass@8 on n < 2k, and the noise is that of redrawn samples"
    assert said in flatten(repr(compare(*disputed, k=[1, 4, 8])))
    for k in ([1, 4], [8]):
        assert "Same: from" not in flatten(repr(compare(*disputed, k=k)))


def test_no_two_verbs_contradict_each_other_in_silence(disputed):
    "`gate` keeps the same questions, says so first, and has the verdict of `compare` second."
    old, new = disputed
    judged = gate(new, baseline=old, max_drop=0.0)
    first, second, *_ = repr(judged).split("\n\n")
    row = compare(old, new, "pass@1").rows[0]
    assert judged.rows[0].target == "same_questions" and ", same questions)" in flatten(first)
    other = judged.rows[0].for_new_questions
    assert (other.low, other.interval.method.name) == (row.low, "t") and (
        other.verdict == "pass"
    ) == (row.low >= 0)
    assert flatten(second) == f"New questions: pass (95 % CI {pytest_points(row)}, t)."
    both = gate(new, baseline=old, max_drop=0.0, minimum={"pass@1": 0.3})
    first, second, *_ = repr(both).split("\n\n")
    assert flatten(first) == "PASS: both rules passed, same questions."
    assert flatten(second).startswith("New questions: pass for pass@1 drop <= 0 points (")
    asked = gate(new, baseline=old, max_drop=0.0, target="same_questions")
    assert asked.rows[0].for_new_questions is None and "New questions:" not in repr(asked)


@pytest.mark.parametrize(
    "target, named", [("new_questions", "new questions"), ("same_questions", "same questions")]
)
def test_headlines_name_their_target(disputed, target, named):
    by = ", t" * (target == "new_questions")
    assert f", {named}{by}): " in flatten(
        repr(compare(*disputed, "pass@1", target=target)).split("\n\n")[0]
    )
    judged = gate(disputed[1], baseline=disputed[0], max_drop=0.02, target=target)
    assert f", {named}{by})" in flatten(repr(judged))[:160]


@pytest.mark.parametrize(
    "wins, losses, ties", [(9, 2, 30), (15, 4, 21), (6, 0, 30), (1, 0, 0), (3, 3, 2)]
)
def test_with_one_sample_each_the_p_value_is_mcnemars(wins, losses, ties):
    """Answers are right or wrong: Gaffke's interval inverts to the exact test, so that both
    analyses agree."""
    a, b = (np.repeat(x, [wins, losses, ties]) for x in ([0, 1, 1], [1, 0, 1]))
    found = compare(*(Counts([1] * len(x), x) for x in (a, b)), "pass@1")
    row = found.rows[0]
    assert row.test == "gaffke, inverted = McNemar, exact" and row.method == "gaffke"
    few = min(wins, losses)
    exact = min(1, 2 * sum(comb(wins + losses, i) for i in range(few + 1)) / 2 ** (wins + losses))
    assert row.pvalue == row.without_assumptions.pvalue == pytest.approx(exact)
    assert (row.pvalue <= 0.05) == (row.low > 0) == (row.verdict == "better")
    assert list_mismatches(row.known, "new_questions", None) == []
    assert row.known.test("gaffke").value == pytest.approx(exact, abs=1e-8)


def test_a_named_test_is_no_p_of_the_verdict(disputed):
    found = compare(*disputed, "pass@1", test="sign-flip")
    plain = compare(*disputed, "pass@1").rows[0]
    row = found.rows[0]
    assert (row.p, row.test, row.verdict) == (plain.p, plain.test, plain.verdict)
    assert row.named_test["method"].startswith("sign-flip") and row.named_test["pvalue"] < 0.05
    assert "Test asked for (sign-flip" in " ".join(repr(found).split())
    three = compare(*disputed, "pass@1", others=[disputed[0]], test="sign-flip")
    assert three.rows[0].named_test["method"].startswith("sign-flip") and three.rows[
        0
    ].test.startswith("t (")
    with pytest.raises(ValueError, match="test must be"):
        compare(*disputed, "pass@1", test="z")


def test_a_ranking_says_where_the_verdict_rests_on_t(disputed):
    old, new = disputed
    third = Counts([8] * 60, [0] * 60)
    found = compare(old, new, "pass@1", others=[third])
    pair = found["pass@1", "A", "B"]
    assert (
        pair.apart and pair.p_holm_without > 0.05 and pair.pvalue == pair.comparison.invert().value
    )
    said = "Without assumptions (Holm): inconclusive for B over A in pass@1."
    assert said in flatten(repr(found)) and said in found.to_markdown()
    assert MultipleComparison.from_json(found.to_json()) == found
    shown = table(dict(a=old, b=new, c=third), "pass@1")
    assert "Without assumptions (Holm): inconclusive for b over a in pass@1." in flatten(
        repr(shown)
    )
    strict = compare(old, new, "pass@1", others=[third], method="assumption-free")
    assert not strict["pass@1", "A", "B"].apart and "Without assumptions (" not in repr(strict)


def test_many_pairs_ask_more_of_t():
    "Four systems have six pairs; with ten pairs t needs eight effective questions."
    rng = np.random.default_rng(0)
    values = {name: rng.binomial(4, 0.5, 60) / 4 for name in "abcde"}
    few = compare_all({name: values[name] for name in "abcd"})
    many = compare_all(values)
    assert {pair.least_effective for pair in few.pairs.values()} == {4.5}
    assert {pair.least_effective for pair in many.pairs.values()} == {8.0}


# A range that was stated.


def test_a_stated_range_narrows_and_is_told(disputed):
    wide, narrow = (compare(*disputed, "pass@1", bounds=bounds) for bounds in (None, (-0.8, 0.8)))
    sides = wide.rows[0].without_assumptions, narrow.rows[0].without_assumptions
    assert sides[0].low < sides[1].low and sides[1].pvalue < sides[0].pvalue
    assert (narrow.rows[0].again.low, narrow.rows[0].low) == (
        wide.rows[0].again.low,
        wide.rows[0].low,
    )
    assert narrow.rows[0].bounds == (-0.8, 0.8) and json.loads(narrow.to_json())["rows"][0][
        "bounds"
    ] == [-0.8, 0.8]
    said = (
        "Assumes that no question moves by more than -80 to +80 points (bounds=), which data cannot"
        " verify."
    )
    for form in repr(narrow), narrow.to_markdown(), narrow.to_html().replace("&nbsp;", " "):
        assert said in " ".join(form.split()).replace(".0 ", " ")
    assert said not in " ".join(repr(wide).split())
    judged = gate(disputed[1], baseline=disputed[0], max_drop=0.02, bounds=(-0.8, 0.8))
    assert judged.rows[0].bounds == (
        -0.8,
        0.8,
    ) and "moves by more than -80.0 to +80.0 points (bounds=)" in " ".join(repr(judged).split())
    assert judged.rows[0].target == "new_questions"
    three = compare(*disputed, "pass@1", others=[disputed[0]], bounds=(-0.8, 0.8))
    assert said in " ".join(repr(three).split()).replace(".0 ", " ")


@pytest.mark.parametrize(
    "bounds, error, says",
    [
        (
            (-0.3, 0.3),
            ValueError,
            r"no question may differ by more than .*got \+0.375 at question 4 \(7 of 60 outside\)",
        ),
        ((0.1, 0.3), ValueError, "must hold 0 inside"),
        ((-2, 2), ValueError, r"lie within \[-1, 1\]"),
        (0.5, TypeError, r"as in bounds=\(-0.5, 0.5\), got 0.5"),
        (("a", "b"), TypeError, "least and the largest difference"),
    ],
)
def test_a_range_that_does_not_hold_is_refused(disputed, bounds, error, says):
    with pytest.raises(error, match=says):
        compare(*disputed, "pass@1", bounds=bounds)


def test_a_range_is_for_new_questions(disputed):
    with pytest.raises(ValueError, match="bounds= is for new questions"):
        compare(*disputed, "pass@1", bounds=(-0.8, 0.8), target="same_questions")


# Numbers of questions by both.


def test_the_next_step_by_both(disputed):
    old, new = disputed
    fewer = [Counts(one.n[:30], one.c[:30]) for one in (old, new)]
    advice = compare(*fewer, "pass@1").next
    assert 30 < advice.questions < advice.questions_without
    assert "Without assumptions: about 130 questions." in describe_advice(advice)
    found = plan(delta=0.15, n=[8, 16])
    free = next(
        row
        for row in found.without_assumptions
        if row["samples"] == found.rows[found.best]["samples"]
    )
    assert free["questions"] > found.rows[found.best]["questions"]
    assert f"Without assumptions: {free['questions']:,} questions." in flatten(repr(found))
    strict = plan(delta=0.15, n=[8, 16], method="assumption-free")
    assert strict.without_assumptions == () and strict.questions.tolist() == [
        row["questions"] for row in found.without_assumptions
    ]
    assert plan(delta=0.15, n=8, method="t").without_assumptions == ()


@pytest.mark.parametrize(
    "p, alpha, said",
    [
        (0.0901, 0.05, "p = .090"),
        (0.0496, 0.05, "p = .050"),
        (0.0504, 0.05, "p = .0504"),
        (0.0500001, 0.05, "p = .0500001"),
        (0.0004, 0.05, "p = 4.0e-04"),
        (0.0096, 0.01, "p = .010"),
        (0.0104, 0.01, "p = .0104"),
        (0.0104, 0.05, "p = .010"),
    ],
)
def test_a_p_value_is_printed_on_its_side_of_the_level(p, alpha, said):
    assert pvalue(p, alpha=alpha) == said


def test_bounds_of_differences_mean_later_minus_earlier_in_every_verb():
    later = [2, 3, 4, 3, 2, 0, 2, 2, 1, 1, 1, 4, 1, 4, 2, 3, 0, 1, 3, 3, 4, 4, 2, 2, 1]
    first = [2, 3, 4, 4, 2, 1, 2, 2, 2, 1, 2, 4, 1, 4, 2, 3, 1, 2, 3, 3, 4, 4, 2, 2, 2]
    a, b = Counts([4] * 25, first), Counts([4] * 25, later)
    stated = dict(bounds=(-0.3, 1), method="assumption-free")
    assert compare(a, b, "pass@1", **stated).rows[0].verdict == "inconclusive"
    assert "points ahead of B: not significant." in flatten(
        repr(table(dict(A=a, B=b), "pass@1", **stated))
    )
    # The other way round, what was stated is another thing: B may lose all.
    turned = dict(bounds=(-1, 0.3), method="assumption-free")
    assert compare(b, a, "pass@1", **turned).rows[0].verdict == "inconclusive"
    assert "points ahead of B: not significant." in flatten(
        repr(table(dict(B=b, A=a), "pass@1", **turned))
    )


def score_rows(*values):
    return [dict(question=i, score=value) for i, value in enumerate(values)]


GRADED = [score_rows(0.3, 1.7, 2.2, 3), score_rows(1.1, 2.4, 2, 4), score_rows(1, 2, 2.5, 3.3)]


@pytest.mark.parametrize(
    "asked, said",
    [
        (dict(method="anchored-t"), "anchored-t needs bounded values"),
        (
            dict(method="gamma", target="same_questions"),
            "gamma is for fixed questions or groups of known noise",
        ),
    ],
)
@pytest.mark.parametrize("others", [[], GRADED[2:]], ids=["two", "three"])
def test_what_fits_no_difference_is_refused_in_words(asked, said, others):
    with pytest.raises(ValueError, match=said):
        compare(*GRADED[:2], "mean@n", others=others, **asked)


def test_both_names_of_the_strict_interval_take_stated_differences():
    found, again = (
        compare(*GRADED[:2], "mean@n", method=name, bounds=(-2, 2)).rows[0]
        for name in ("assumption-free", "gaffke")
    )
    assert (found.low, found.high, found.pvalue) == (again.low, again.high, again.pvalue)


def test_a_table_tests_pairs_that_differ_by_a_constant():
    counts = dict(
        A=Counts([4] * 30, [4] * 15 + [0] * 15),
        B=Counts([4] * 30, [2] * 30),
        C=Counts([4] * 30, [3] * 30),
    )
    assert "C leads with 75.0 %" in repr(table(counts, "pass@1", test="t"))


def test_a_gate_without_a_spread_names_no_method_that_nobody_asked_for():
    with pytest.raises(ValueError, match="no interval: all 3 questions have the same value"):
        gate(score_rows(1, 2, 3), baseline=score_rows(0, 1, 2), metrics="mean@n", max_drop=0)


def test_a_plan_that_shows_no_difference_has_a_page():
    page = plan(pilot=Counts([4] * 10, [4] * 5 + [0] * 5), questions=20).to_html()
    assert "<html" in page and '<figure class="chart">' not in page


DECIDED = (
    np.r_[np.zeros(11), np.ones(3), np.zeros(26)],
    np.r_[np.ones(11), np.zeros(3), np.zeros(26)],
)


def list_groups(values, first):
    return [
        dict(question=i, correct=int(value), task="first" if i < first else "second")
        for i, value in enumerate(values)
    ]


@pytest.mark.parametrize("metric", ["mean@n", "max@1"])
@pytest.mark.parametrize("low, high", [(0, 1), (0, 10), (-1, 1)])
def test_mcnemar_decides_one_sample_on_any_scale(low, high, metric):
    sides = [score_rows(*(low + (high - low) * side)) for side in DECIDED]
    row = compare(*sides, metric, scale=(low, high)).rows[0]
    assert row.pvalue == pytest.approx(470 / 8192) and row.test.endswith("McNemar, exact")
    assert row.verdict == "inconclusive"


@pytest.mark.parametrize("first", [20, 21])
def test_one_sample_is_decided_without_assumptions_in_the_mean_of_groups(first):
    models = dict(zip("AB", (list_groups(side, first) for side in DECIDED)))
    mean = table(models, "pass@1", by="task").columns[-1]
    assert mean.group == "mean of 2 groups" and "gaffke" in mean.tests[0]
    assert set(mean.letters["A"]) & set(mean.letters["B"])


def test_one_sample_of_weighted_questions_is_decided_without_assumptions():
    sides = [Counts(np.ones(40, int), side.astype(int)) for side in DECIDED]
    row = compare(*sides, "pass@1", weights={i: 1 + 1e-9 * (i == 0) for i in range(40)}).rows[0]
    assert row.method == "gaffke" and row.pvalue == pytest.approx(470 / 8192, rel=1e-6)


@pytest.mark.parametrize("method", ["assumption-free", "gaffke", "anchored-t", "bootstrap"])
def test_a_gate_by_a_method_for_new_questions_is_about_new_questions(method):
    new, old = Counts([4] * 30, [1, 3] * 15), Counts([4] * 30, [2] * 30)
    check = gate(new, baseline=old, max_drop=0.5, method=method).rows[0]
    assert check.target == "new_questions" and check.verdict == "pass"


def test_nothing_stands_beside_a_named_method():
    new, old = Counts([4] * 30, [1, 3] * 15), Counts([4] * 30, [2] * 30)
    asked = dict(method="t", target="new_questions")
    assert compare(old, new, "pass@1", **asked).rows[0].without_assumptions is None
    assert gate(new, baseline=old, max_drop=0.5, **asked).rows[0].without_assumptions is None


def test_limits_of_a_gate_are_the_same_after_json():
    found = gate(
        Counts([4] * 5, [3] * 5),
        baseline=Counts([4] * 5, [2] * 5),
        max_drop=0,
        minimum={"pass@1": 0},
    )
    assert type(found).from_json(found.to_json()).to_json() == found.to_json()


def test_pilots_without_a_spread_have_no_share_between_questions():
    pilot = Counts([2] * 10, [2] * 5 + [0] * 5)
    found = plan(pilot=pilot, pilot_b=pilot, questions=20)
    assert {row["between_share"] for row in found.rows} == {None}
    assert "nan" not in repr(found) + found.to_text(how=True)
