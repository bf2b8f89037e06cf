"""Which questions regressed, and which must pass: the adversary's data, false alarms counted
exactly, rules and refusals."""

from fractions import Fraction
from itertools import product
from math import ceil, comb

import numpy as np
import pytest

from sampling_eval import Counts, gate
from sampling_eval.inference.regressions import (
    chance_of_equal_counts,
    fall_chances,
    fewest_samples,
    log_factorials,
    regressed_questions,
    watch_questions,
)
from sampling_eval.analyses.gate.result import QuestionRegression
from sampling_eval.analyses.gate.verb import judge_regressions


def judged(n, before, after, **options):
    sizes = n if isinstance(n, tuple) else (n, n)
    old, new = (Counts(np.broadcast_to(size, len(c)), c) for size, c in zip(sizes, (before, after)))
    return gate(new, baseline=old, no_question_regresses=True, **options)


def chance_of_outcomes(n, c, p):
    return np.prod([comb(m, o) * x**o * (1 - x) ** (m - o) for m, o, x in zip(n, c, p)])


@pytest.mark.parametrize(
    "n_a, n_b",
    [((1, 1), (1, 1)), ((2, 2), (2, 2)), ((3, 3), (3, 3)), ((3, 1), (2, 4)), ((4, 2), (1, 3))],
)
@pytest.mark.parametrize("level", [0.05, 0.2, 0.6])
def test_false_alarms_counted_exactly(n_a, n_b, level):
    """Two questions, none of which fell: over all outcomes the chance that one is named is at most
    the level."""
    tables = [list(product(*(range(m + 1) for m in n))) for n in (n_a, n_b)]
    hits = [
        (a, b)
        for a, b in product(*tables)
        if regressed_questions(n_a, a, n_b, b, level).certain.any()
    ]
    for p in product((0, 0.2, 0.5, 0.8, 1), repeat=2):
        alarm = sum(chance_of_outcomes(n_a, a, p) * chance_of_outcomes(n_b, b, p) for a, b in hits)
        assert alarm <= level + 1e-12, p


def test_false_alarms_beside_a_question_that_fell():
    """One question fell; the chance that the other is named as well is held too, by the steps of
    Holm."""
    n, level, p = (3, 3), 0.2, (0.5, 0.5)
    tables = list(product(range(4), repeat=2))
    alarm = sum(
        chance_of_outcomes(n, a, p) * (b[0] == 0) * comb(3, b[1]) / 8
        for a, b in product(tables, tables)
        if regressed_questions(n, a, n, b, level).certain[1]
    )
    assert alarm <= level


def test_false_alarms_simulated():
    rng = np.random.default_rng(0)
    named = 0
    for _ in range(300):
        p = rng.beta(0.5, 0.5, 200)
        n_a, n_b = rng.integers(1, 20, (2, 200))
        named += regressed_questions(
            n_a, rng.binomial(n_a, p), n_b, rng.binomial(n_b, p)
        ).certain.any()
    assert named <= 15


def test_better_questions_are_named_less_often():
    n = np.full(50, 8)
    found = regressed_questions(n, np.full(50, 2), n, np.full(50, 7))
    assert not found.certain.any() and found.p.min() > 0.9


@pytest.mark.parametrize("Q", [1, 3, 50])
def test_one_sample_shows_nothing(Q):
    found = judged(1, [1] * Q, [0] * Q)
    assert (
        found.verdict == "inconclusive"
        and found.exit_code() == 3
        and not any(fall.significant for fall in found.regressions)
    )
    assert (
        found.regression_power.needed == fewest_samples(Q)
        and found.regression_power.detectable == 0
    )


def test_two_samples_show_nothing_either():
    assert judged(2, [2] * 10, [0] + [2] * 9).verdict == "inconclusive"
    assert regressed_questions([2], [2], [2], [0]).p == pytest.approx(1 / 6)


def test_four_samples_show_a_complete_fall_beside_steady_questions():
    steady = [4] * 30 + [0] * 19
    found = judged(4, [4, *steady], [0, *steady])
    assert found.verdict == "fail" and [fall.question for fall in found.regressions] == [0]
    assert found.regressions[0].p_adjusted == pytest.approx(1 / 70)
    assert found.regression_power.detectable == 31
    wavering = judged(4, [4] + [2] * 49, [0] + [2] * 49)
    assert wavering.verdict == "inconclusive" and wavering.regression_power.needed == 7
    assert (
        "no single drop can be significant; 7 samples each would detect a drop from all right to"
        " none."
        in wavering.warnings[0]
    )


def test_a_fall_to_one_of_four_is_never_certain():
    found = judged(4, [4, 4, 4], [1, 4, 4])
    assert (
        found.verdict == "pass"
        and not found.regressions[0].significant
        and found.regressions[0].p == pytest.approx(1 / 14)
    )
    assert "Largest non-significant: question 0 (4/4 to 1/4)." in repr(found)


def test_ragged_samples():
    n_a, n_b = np.array([1, 16, 4, 8]), np.array([16, 16, 16, 2])
    found = judged((n_a, n_b), [1, 16, 4, 8], [0, 3, 0, 1])
    assert [fall.question for fall in found.regressions if fall.significant] == [1, 2]
    assert "question 2 (4/4 to 0/16)" in " ".join(repr(found).split())


@pytest.mark.parametrize("c", [0, 8])
def test_all_right_and_all_wrong(c):
    found = judged(8, [c] * 20, [c] * 20)
    assert not found.regressions and found.regression_power.detectable == (20 if c else 0)
    assert found.verdict == ("pass" if c else "inconclusive")
    assert ("right often enough" in " ".join(repr(found).split())) == (c == 0)
    assert (
        found.identical
        and "baseline and new hold the same outcomes on all 20 questions." in repr(found)
    )


def test_two_thousand_questions():
    rng = np.random.default_rng(1)
    p = rng.beta(0.5, 0.5, 2000)
    before, after = rng.binomial(16, p, (2, 2000))
    calm = judged(16, before, after)
    assert calm.verdict == "pass"
    fallen = rng.choice(np.nonzero(before == 16)[0], 20, replace=False)
    after[fallen] = 1
    found = judged(16, before, after)
    assert {fall.question for fall in found.regressions if fall.significant} == set(fallen.tolist())
    assert (
        len(found.regressions) == 25
        and "20 questions regressed" in repr(found)
        and "and 15 more" in repr(found)
    )


def test_the_worst_falls_stand_first():
    found = judged(16, [16, 16, 8, 16], [4, 0, 7, 13])
    assert [fall.question for fall in found.regressions] == [1, 0, 3, 2]
    assert [fall.significant for fall in found.regressions] == [True, True, False, False]


def test_falls_are_said_without_the_rule():
    old, new = Counts([16] * 60, [16] * 60), Counts([16] * 60, [2] + [16] * 59)
    found = gate(new, baseline=old, max_drop=0.5)
    assert found.verdict == "pass" and "1 question regressed: question 0 (16/16 to 2/16)." in repr(
        found
    )
    assert "Fisher" in found.methods() and not found.forbids_regressions
    assert found.to_dict()["regressions"][0] == dict(
        question=0,
        before=16,
        of_before=16,
        after=2,
        of_after=16,
        p=found.regressions[0].p,
        p_adjusted=found.regressions[0].p_adjusted,
        significant=True,
    )
    again = type(found).from_json(found.to_json())
    assert (
        again == found
        and isinstance(again.regressions[0], QuestionRegression)
        and repr(again) == repr(found)
    )


def test_the_level_is_that_of_the_gate():
    old, new = Counts([4] * 5, [4] * 5), Counts([4] * 5, [0, 4, 4, 4, 4])
    assert [
        judge_regressions(dict(a=old, b=new), level)[0][0].significant for level in (0.95, 0.99)
    ] == [True, False]


def test_scores_without_outcomes():
    scores = [
        dict(question=q, sample=s, score=0.1 * s + 0.2 * q) for q in range(3) for s in range(2)
    ]
    more = [row | dict(score=row["score"] + 0.05) for row in scores]
    with pytest.raises(ValueError, match="no_question_regresses needs outcomes"):
        gate(more, baseline=scores, no_question_regresses=True)
    with pytest.raises(ValueError, match="must_pass needs outcomes"):
        gate(more, must_pass="1")


def test_the_rule_needs_a_baseline():
    with pytest.raises(ValueError, match="no_question_regresses=True needs a baseline"):
        gate([[1, 0]], no_question_regresses=True)


# One run given twice.


def test_chance_of_equal_counts():
    assert chance_of_equal_counts([2, 2], [1, 1]) == pytest.approx((4 / 6) ** 2)
    assert fall_chances(2, 2, 2)[1] - fall_chances(2, 2, 2)[0] == pytest.approx(4 / 6)


def test_equal_counts_that_are_no_accident():
    flaky = Counts([8] * 20, [3, 4, 5, 2] * 5)
    with pytest.raises(
        ValueError,
        match=(
            "hold the same outcomes on all 20 questions, which two runs would show with probability"
        ),
    ):
        gate(flaky, baseline=Counts([8] * 20, [3, 4, 5, 2] * 5), max_drop=0.1)
    found = gate(flaky, baseline=flaky, max_drop=0.1, allow_identical=True)
    assert (
        found.identical
        and "baseline and new hold the same outcomes on all 20 questions." in repr(found)
    )


def test_equal_answers_count_too():
    def rows(word):
        return [
            dict(question=q, sample=s, correct=int(s < 3), answer="x" if s < 3 else f"{word}{s}")
            for q in range(20)
            for s in range(6)
        ]

    with pytest.raises(ValueError, match="same outcomes"):
        gate(rows("y"), baseline=rows("y"), max_drop=0.5)
    assert gate(rows("y"), baseline=rows("z"), metrics="maj@3", max_drop=0.5).identical is False


def test_two_models_of_one_file(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text(
        "model,question,sample,correct\n"
        + "".join(f"{m},{q},{s},1\n" for m in "ab" for q in range(3) for s in range(2))
    )
    assert gate(path, baseline=path, models=["b", "a"], max_drop=0.9).identical
    with pytest.raises(ValueError, match="are the same file"):
        gate(path, baseline=path, models="a", max_drop=0.9)


# How often equal systems pass.


def test_equal_systems_pass_as_often_as_is_said():
    rng = np.random.default_rng(3)
    p, verdicts, said = rng.uniform(0.2, 0.8, 80), [], []
    for _ in range(150):
        old, new = (Counts([6] * 80, rng.binomial(6, p)) for _ in range(2))
        row = gate(new, baseline=old, max_drop=0.07).rows[0]
        verdicts.append(row.verdict)
        said.append((row.equal_passes, row.equal_flips))
    passes, flips = np.mean(said, 0)
    share = np.array([verdicts.count(word) for word in ("pass", "inconclusive", "fail")]) / 150
    assert abs(share[0] - passes) < 0.1 and abs(1 - (share**2).sum() - flips) < 0.1


def test_an_inconclusive_gate_says_what_could_be_seen():
    rng = np.random.default_rng(0)
    old, new = (Counts([4] * 50, rng.binomial(4, 0.5, 50)) for _ in range(2))
    found = gate(new, baseline=old, max_drop=0.02)
    assert found.verdict == "inconclusive"
    shown = " ".join(repr(found).split())
    assert "A drop of 10.4 points is detected with 50 % power, one of 2 points with less." in shown
    assert "power: a candidate equal to the baseline would usually be inconclusive." in shown


@pytest.mark.parametrize("n, c", [(3, 0), (2, 0)])
def test_a_chance_of_exactly_the_level_is_certain(n, c):
    "3 of 3 to 0 of 3 has chance 1 in 20, whatever its last bit is."
    level = 1 / comb(2 * n, n)
    found = regressed_questions([n] * 3, [n, n, 0], [n] * 3, [c, n, 0], level)
    assert found.certain.tolist() == [True, False, False] and found.watched.tolist() == [
        True,
        False,
        False,
    ]


def test_many_questions_with_unequal_samples_take_no_time():
    rng = np.random.default_rng(0)
    n_a, n_b = rng.integers(1, 64, (2, 20000))
    p = rng.beta(0.5, 0.5, 20000)
    found = regressed_questions(n_a, rng.binomial(n_a, p), n_b, rng.binomial(n_b, p))
    assert found.certain.sum() <= 1 and len(found.p) == 20000


# Part by part.


def p_by_counting(n_a, n_b, right):
    "The p values of one question in fractions, over all deals of its right samples."
    b = range(max(0, right - n_a), min(n_b, right) + 1)
    deals = [comb(n_b, o) * comb(n_a, right - o) for o in b]
    return [Fraction(sum(deals[: i + 1]), comb(n_a + n_b, right)) for i in range(len(deals))]


@pytest.mark.parametrize(
    "n_a, n_b, right",
    [(1, 1, 0), (1, 1, 2), (4, 4, 3), (2, 5, 4), (5, 2, 4), (5, 2, 6), (7, 3, 10)],
)
def test_p_values_in_fractions(n_a, n_b, right):
    want = p_by_counting(n_a, n_b, right)
    for logs in None, log_factorials(n_a + n_b), log_factorials(40):
        np.testing.assert_allclose(
            fall_chances(n_a, n_b, right, logs), np.array(want, float), rtol=1e-12
        )
    assert fall_chances(n_a, n_b, right)[-1] <= 1 and len(log_factorials(5)) == 6
    np.testing.assert_allclose(np.exp(log_factorials(5)), [1, 1, 2, 6, 24, 120])


def adjust_by_hand(questions, level):
    """Holm's steps for discrete p values, from their meaning: `questions` are pairs of a list of p
    values and the place shown."""
    shown = [values[place] for values, place in questions]

    def largest(values, limit):
        return max([v for v in values if v <= limit], default=Fraction(0))

    found, last = {}, Fraction(0)
    for p in sorted({p for p in shown if p <= level}):
        open_ = [values for (values, _), mine in zip(questions, shown) if mine >= p]
        last = max(last, sum(largest(values, p) for values in open_))
        found[p] = min(last, Fraction(1))
    return [found.get(p, Fraction(1)) for p in shown]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [Fraction(1, 20), Fraction(1, 4), Fraction(1)])
def test_adjusted_values_by_their_meaning(seed, level):
    rng = np.random.default_rng(seed)
    n_a, n_b = rng.integers(1, 7, (2, 8))
    c_a, c_b = rng.integers(0, n_a + 1), rng.integers(0, n_b + 1)
    if seed > 2:
        n_a, n_b, c_a, c_b = (
            np.full(8, 4),
            np.full(8, 4),
            np.array([4, 4, 4, 4, 4, 3, 2, 0]),
            np.array([0, 0, 4, 1, 4, 0, 0, seed % 2]),
        )
    questions = [
        (p_by_counting(a, b, t), y - max(0, t - a))
        for a, b, t, y in zip(n_a.tolist(), n_b.tolist(), (c_a + c_b).tolist(), c_b.tolist())
    ]
    found = regressed_questions(n_a, c_a, n_b, c_b, float(level))
    np.testing.assert_allclose(
        found.p, [float(values[place]) for values, place in questions], rtol=1e-12
    )
    np.testing.assert_allclose(
        found.adjusted, np.array(adjust_by_hand(questions, level), float), rtol=1e-9
    )
    assert found.certain.tolist() == [o <= level for o in adjust_by_hand(questions, level)]
    assert found.level == float(level)
    # Watched: certain as it is, or if all samples of B had been wrong while the others stay able to
    # show what they can.
    for q, (a, b, x) in enumerate(zip(n_a.tolist(), n_b.tolist(), c_a.tolist())):
        lost = Fraction(comb(a, x), comb(a + b, x))
        rest = sum(
            max([v for v in values if v <= lost], default=Fraction(0))
            for i, (values, _) in enumerate(questions)
            if i != q
        )
        assert found.watched[q] == (rest + lost <= level or found.adjusted[q] <= float(level))


def test_the_fewest_samples_at_the_boundary():
    "C(2n, n) is 6, 20, 70, 252: just as many questions times the level are enough."
    assert [fewest_samples(q) for q in (1, 2, 3, 4, 12, 13)] == [3, 4, 4, 5, 5, 6]
    assert [fewest_samples(1, 1 / level) for level in (2, 6, 6.1, 20)] == [
        1,
        2,
        3,
        3,
    ] and fewest_samples(6, 1.0) == 2
    assert chance_of_equal_counts([4, 3], [2, 1]) == pytest.approx(36 / 70 * 9 / 15)
    assert isinstance(chance_of_equal_counts(2, 1), float)


def test_no_fall_that_is_refused():
    with pytest.raises(ValueError, match="0 <= c <= n"):
        regressed_questions([4], [3], [4], [5])
    with pytest.raises(ValueError, match="0 <= c <= n"):
        chance_of_equal_counts([4], [5])


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_watched_at_exactly_the_level(n):
    "All right in both runs: one over C(2n, n) is watched at that level, whatever the last bit."
    level = 1 / comb(2 * n, n)
    assert regressed_questions([n], [n], [n], [n], level).watched.tolist() == [True]
    assert regressed_questions([n], [n], [n], [n], level * (1 - 1e-6)).watched.tolist() == [False]
    # A question does not count beside itself: its own value comes out of the sum again.
    own = [np.array([level, 1.0])]
    assert watch_questions(np.array([level]), np.array([0]), own, level).tolist() == [True]
    assert watch_questions(np.array([level, level]), np.array([0, 0]), own, level).tolist() == [
        False,
        False,
    ]
    assert watch_questions(np.array([level, level]), np.array([0, 0]), own, 2 * level).tolist() == [
        True,
        True,
    ]
    assert watch_questions(
        np.array([level, level / 3]), np.array([0, 1]), [*own, np.array([level / 2, 1.0])], level
    ).tolist() == [False, True]
    assert watch_questions(np.array([2 * level]), np.array([0]), own, level).tolist() == [False]
    two = [np.array([level / 4, level / 2, 1.0])]
    assert watch_questions(np.array([level / 2]), np.array([0]), two, level * 0.6).tolist() == [
        True
    ]


# Rules about single questions: those that must pass, and those that may not regress.

NAMES = ["add/1", "add/2", "sort/1", "a,b", "7"]
RUN = Counts([4, 4, 3, 4, 2], [4, 3, 2, 0, 2], NAMES)


def require(wanted, run=RUN, **options):
    return gate(run, must_pass=wanted, **options)


# Questions that must pass.


@pytest.mark.parametrize(
    "wanted, places",
    [
        ("add/1", [0]),
        ("sort/1, add/2,, ", [1, 2]),
        ("add/*", [0, 1]),
        ("a,b", [3]),
        (["a,b", "add/1"], [0, 3]),
        ("*/1,add/1", [0, 2]),
        ("add/[2-9]", [1]),
        ("?", [4]),
        (7, [4]),
        ([7, "7"], [4]),
        (("*",), [0, 1, 2, 3, 4]),
        (iter(["sort/1"]), [2]),
    ],
)
def test_questions_that_are_meant(wanted, places):
    assert [one.question for one in require(wanted).must_pass] == [NAMES[i] for i in places]


@pytest.mark.parametrize(
    "wanted, said",
    [
        (" , ", "^must_pass names no question; leave it out, or name some$"),
        ([], "names no question"),
        ("", "names no question"),
        (
            "ad/1,sort/1,q*",
            (
                r"^must_pass must name questions of the new run, got 'ad/1' \(2 of 3 fail\); near:"
                r" 'add/1', 'add/2'$"
            ),
        ),
        ("zzzz", r"got 'zzzz' \(1 of 1 fail\)$"),
        ("Add/*", r"got 'Add/\*' \(1 of 1 fail\); near: 'add/"),
        ("[", r"got '\[' "),
        ("x" * 200, "got '" + "x" * 79 + " "),
        ("x" * 9999, "1 of 1 fail"),
        ("a\0b", "1 of 1 fail"),
    ],
)
def test_questions_that_are_not_there(wanted, said):
    with pytest.raises(ValueError, match=said):
        require(wanted)


def test_names_in_a_file(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("\ufeff# those of release 2\n add/1 \n\n  # more\nsort/*\na,b\n", "utf-8")
    for wanted in (path, str(path)):
        assert [one.question for one in require(wanted).must_pass] == ["add/1", "sort/1", "a,b"]
    # A question of that very name is meant before the file.
    assert require(str(path), Counts([1], [1], [str(path)])).must_pass[0].question == str(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(
        ValueError,
        match="a text file with one question a line, got .*names.txt, which is not UTF-8",
    ):
        require(path)
    path.write_text("# nothing\n")
    with pytest.raises(ValueError, match="names no question"):
        require(path)
    with pytest.raises(ValueError, match="must name questions"):
        require(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        require(tmp_path / "none.txt")


@pytest.mark.parametrize(
    "right, samples, share, needed, verdict",
    [
        (4, 4, 1.0, 4, "pass"),
        (3, 4, 1.0, 4, "fail"),
        (3, 4, 0.75, 3, "pass"),
        (2, 4, 0.75, 3, "fail"),
        (2, 4, 0.26, 2, "pass"),
        (1, 4, 0.26, 2, "fail"),
        (3, 10, 0.3, 3, "pass"),
        (2, 10, 0.3, 3, "fail"),
        (1, 3, 0.1, 1, "pass"),
        (0, 3, 0.1, 1, "fail"),
        (7, 10, 0.7, 7, "pass"),
        (7, 8, 0.9, 8, "fail"),
    ],
)
def test_so_many_right_samples(right, samples, share, needed, verdict):
    (one,) = require("q", Counts([samples], [right], ["q"]), must_pass_share=share).must_pass
    assert one.to_dict() == dict(
        question="q", right=right, samples=samples, needed=needed, verdict=verdict
    )
    assert ceil(round(share * samples, 9)) == one.needed


def test_the_rule_counts_them():
    found = require("add/*,7")
    (row,) = found.rows
    assert (row.rule, row.kind, row.metric, row.target) == (
        "must-pass questions pass",
        "must_pass",
        "must-pass questions",
        "samples",
    )
    assert (row.value, row.limit, row.questions, row.verdict) == (2, 3, 5, "fail")
    assert row.low is row.high is row.method is row.next is None
    assert require("add/*,7", must_pass_share=0.7).verdict == "pass"
    both = gate(RUN, baseline=RUN, max_drop=1, must_pass="a,b", allow_identical=True)
    assert [row.verdict for row in both.rows] == ["pass", "fail"]


@pytest.mark.parametrize("share", [0, -0.1, 1.0001, 75, float("nan")])
def test_a_share_that_is_none(share):
    with pytest.raises(
        ValueError,
        match=(
            f"must_pass_share must lie above 0 and at most 1, got {share}; 3 of 4 samples are 0.75"
        ),
    ):
        require("7", must_pass_share=share)


def test_outcomes_are_needed():
    scored, judged = Counts([2], None, ["a"], score_sum=[1.0]), Counts([2], [1], ["a"])
    with pytest.raises(
        ValueError,
        match=(
            "^must_pass needs outcomes, right or wrong, got scores only; threshold= makes outcomes"
        ),
    ):
        require("a", scored)
    for new, old in ((scored, judged), (judged, scored)):
        with pytest.raises(
            ValueError,
            match="^no_question_regresses needs outcomes, right or wrong, got scores only",
        ):
            gate(new, baseline=old, no_question_regresses=True)


# Questions that may not regress.


def judge_pair(old, new, n=8, m=8, **options):
    names = [f"q{i}" for i in range(len(old))]
    sides = Counts([m] * len(new), new, names), Counts([n] * len(old), old, names)
    return gate(
        sides[0], baseline=sides[1], no_question_regresses=True, allow_identical=True, **options
    )


def test_significant_regressions_and_five_that_are_not():
    old, new = [8, 8, 4, 4, 4, 5, 4, 4, 8, 0, 8], [0, 1, 3, 2, 3, 3, 3, 3, 8, 2, 8]
    gated = judge_pair(old, new)
    found = regressed_questions([8] * 11, old, [8] * 11, new, 0.05)
    assert [one.question for one in gated.regressions] == ["q0", "q1", "q3", "q5", "q2", "q4", "q6"]
    assert [one.significant for one in gated.regressions] == [True, True] + [False] * 5
    for one in gated.regressions:
        i = int(one.question[1:])
        assert (one.before, one.of_before, one.after, one.of_after) == (old[i], 8, new[i], 8)
        assert (one.p, one.p_adjusted) == (found.p[i], found.adjusted[i])
    assert gated.regressions[0].p == pytest.approx(1 / comb(16, 8))
    assert gated.regression_power.to_dict() == dict(
        questions=11,
        detectable=int(found.watched.sum()),
        n_min=8,
        n_max=8,
        needed=fewest_samples(11),
        level=0.05,
        lower=8,
    )
    (row,) = gated.rows
    assert (row.rule, row.kind, row.target) == (
        "no question regresses",
        "regressions",
        "same_questions",
    )
    assert (row.verdict, row.value, row.limit, row.questions, row.low, row.high) == (
        "fail",
        2,
        0,
        11,
        None,
        None,
    )


def test_shares_of_unequal_samples_are_compared():
    a, b = Counts([4, 4, 2], [2, 2, 1], ["a", "b", "c"]), Counts(
        [8, 8, 6], [3, 4, 3], ["a", "b", "c"]
    )
    found = gate(b, baseline=a, max_drop=0.5)
    assert [one.question for one in found.regressions] == [
        "a"
    ] and found.forbids_regressions is False
    power = found.regression_power
    assert (power.n_min, power.n_max, power.lower) == (2, 8, 1)
    power = gate(a, baseline=b, max_drop=0.5).regression_power
    assert (power.n_min, power.n_max, power.lower) == (2, 8, 0)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_the_level_of_the_list(level):
    power = judge_pair([4, 4], [4, 4], 4, 4, confidence_level=level).regression_power
    assert power.level == round(1 - level, 12) and power.needed == fewest_samples(2, power.level)


@pytest.mark.parametrize("n, verdict, detectable", [(1, "inconclusive", 0), (8, "pass", 3)])
def test_without_a_regression(n, verdict, detectable):
    found = judge_pair([n] * 3, [n] * 3, n, n)
    assert (found.verdict, found.rows[0].value, found.regressions) == (verdict, 0, ())
    assert (found.regression_power.detectable, found.regression_power.lower) == (detectable, 0)
