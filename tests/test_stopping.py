"Rules settled early, certified votes, attempts in order, and sameness within a margin."

import json
import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from closeness import assert_close
from sampling_eval import (
    curtailed_tries,
    dead_questions,
    judge_same,
    load_result,
    plan,
    solved_within,
    vote_evidence,
)
from sampling_eval.inference.stopping import check_stopping
from sampling_eval.inference.sequential import (
    certify_vote,
    curtailed_share,
    first_successes,
    needed_successes,
    settled_tries,
    solved_interval,
)

KNOWN = json.loads((Path(__file__).parent / "vectors" / "stopping.json").read_text("utf-8"))


def test_rules_of_the_vectors():
    for one in KNOWN["rules"]:
        assert_close(
            curtailed_tries(one["N"], one["needed"], one["p"]), one["expected_tries"], rtol=1e-11
        )
        assert one["N"] - one["needed"] + 1 == one["settled_after_failures"]
    for one in KNOWN["after"]:
        found = curtailed_share(one["N"], one["needed"], one["tries"], one["successes"])
        assert_close(found, one["unbiased_share"], rtol=1e-14)


def test_needed():
    for one in KNOWN["needed"]:
        assert needed_successes(one["N"], one["minimum"], one["level"]) == one["needed"]
    for given in ((0, 0.5), (5, 1.0), (5, -0.1), (5, 0.5, 0)):
        with pytest.raises(ValueError, match="need "):
            needed_successes(*given)


def test_needed_by_binomial_tails():
    "The fewest successes that a system at the minimum reaches in one benchmark of twenty."
    for N, minimum in product((1, 5, 9), (0.02, 0.3, 0.8)):
        p = Fraction(minimum).limit_denominator(100)
        law = [comb(N, c) * p**c * (1 - p) ** (N - c) for c in range(N + 1)]
        enough = [c for c in range(1, N + 1) if sum(law[c:]) <= Fraction(1, 20)]
        assert needed_successes(N, minimum) == (min(enough) if enough else None)
    assert needed_successes(7, 0.0) == 1, "one success shows a chance above 0"
    with pytest.raises(ValueError, match="need 0 < level < 1, got 1"):
        needed_successes(5, 0.5, 1)
    with pytest.raises(ValueError, match="need N <= 100000000, got 100000001"):
        needed_successes(10**8 + 1, 0.5)


@pytest.mark.parametrize(
    "tries, successes",
    [([4, 3], [4, 2]), ([4, 3], [4, 4]), ([4, 1], [4, -1]), ([4, 6], [4, 4]), ([4, 5], [4, 5])],
)
def test_one_record_among_others_that_is_not_settled(tries, successes):
    "Four of five successes are needed; two failures settle it too."
    assert curtailed_share(5, 4, [4, 5], [4, 3]).tolist() == [1, 0.75]
    with pytest.raises(ValueError, match="ends where the rule is settled"):
        curtailed_share(5, 4, tries, successes)


def test_one_chance_among_others_that_is_none():
    with pytest.raises(ValueError, match="need 0 <= p <= 1, got 1.5 at question 1"):
        curtailed_tries(5, 2, [0.5, 1.5])


def test_shares_after_one_try():
    with np.errstate(all="raise"):
        assert curtailed_share(1, 1, [1, 1], [0, 1]).tolist() == [0, 1]


@pytest.mark.parametrize("run", [[1, 1, 1], [0, 1], [0, 1, 1], [0]], ids=str)
def test_outcomes_that_settle_nothing_yet(run):
    "Of five tries four must succeed: one failure is not two."
    with pytest.raises(ValueError, match="need outcomes up to where the rule is settled"):
        settled_tries(5, 4, [[1, 1, 1, 1], run])


@pytest.mark.parametrize(
    "a, b, said",
    [
        ([0, -1], [0, 0], "counts of at least 0, got a=-1, b=0 at question 1"),
        ([0, 1], [0, -2], "counts of at least 0, got a=1, b=-2 at question 1"),
        ([1, 1], [2, 2**31 + 1], "counts of at most 2^31, got a=1, b=2147483649 at question 1"),
    ],
)
def test_one_vote_among_others_that_is_none(a, b, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        vote_evidence(a, b)


def settle(run, needed):
    for t in range(1, len(run) + 1):
        won = sum(run[:t])
        if won == needed or t - won == len(run) - needed + 1:
            return t, won


@pytest.mark.parametrize("N", range(1, 8))
def test_every_sequence(N):
    runs = list(product([0, 1], repeat=N))
    for needed, p in product(range(1, N + 1), (Fraction(1, 7), Fraction(4, 5))):
        ends = [settle(run, needed) for run in runs]
        law = [p ** sum(run) * (1 - p) ** (N - sum(run)) for run in runs]
        assert all(
            (won == needed) == (sum(run) >= needed) for run, (_, won) in zip(runs, ends)
        ), "the same verdict"
        mean = sum(w * t for w, (t, _) in zip(law, ends))
        assert_close(curtailed_tries(N, needed, float(p)), float(mean), rtol=1e-13)
        shares = curtailed_share(N, needed, *np.transpose(ends)).tolist()
        exact = sum(w * Fraction(share).limit_denominator(N) for w, share in zip(law, shares))
        assert exact == p


def test_certain_outcomes():
    with np.errstate(all="raise"):
        assert curtailed_tries(10, [3, 8], [[0.0], [1.0]]).tolist() == [[8, 3], [3, 8]]
    assert isinstance(curtailed_tries(10, 3, 0.5), np.float64)


def test_values_of_votes():
    for one in KNOWN["values"]:
        assert_close(vote_evidence(one["a"], one["b"]), one["e"], rtol=1e-12)
    a, b = np.mgrid[:40, :40]
    found = vote_evidence(a, b)
    for x, y in product(range(0, 40, 3), repeat=2):
        wanted = Fraction(
            sum(comb(x + y + 1, j) for j in range(x + 1)), (x + y + 1) * comb(x + y, x)
        )
        assert_close(found[x, y], float(wanted), rtol=1e-13)
    assert_close((found[1:, :-1] + found[:-1, 1:]) / 2, found[:-1, :-1], rtol=1e-13)
    assert np.isinf(vote_evidence(3000, 0)) and 0 < vote_evidence(0, 3000) < 0.001


def test_sequences_of_votes():
    for one in KNOWN["sequences"]:
        told = certify_vote(one["answers"], one["target"], 1 - one["level"])
        assert told.certified_at == one["certified_at"] and told.named
        assert_close(told.evidence, one["e"][-1], rtol=1e-12)
        counts = Counter(one["answers"])
        others = [n for answer, n in counts.items() if answer != one["target"]]
        assert told.counts == (counts[one["target"]], max(others, default=0))
    # Evidence of exactly what is needed, 7/3 here, is enough.
    assert certify_vote("77", "7", 4 / 7).certified_at == 2
    unnamed = certify_vote("7777777")
    assert not unnamed.named and unnamed.counts == (6, 0) and unnamed.certified_at is None
    assert "first answer" in repr(unnamed) and "after 8" in repr(certify_vote("7" * 8))


def test_the_first_answer_is_the_claim_where_none_is_named():
    told = certify_vote("abbb")
    assert (told.target, told.named, told.counts) == ("a", False, (0, 3))
    alone = certify_vote(["a"])
    assert (alone.target, alone.counts, alone.evidence) == ("a", (0, 0), 1)
    with pytest.raises(TypeError, match=r"answers must be hashable, got \['a'\]"):
        certify_vote([["a"], "b"])
    for lost in None, np.nan:
        with pytest.raises(ValueError, match="got 2 of 3 without"):
            certify_vote([lost, "a", lost])


def test_no_question_is_solved_before_the_first_success():
    assert solved_within([2, 3], [1, 0], [1, 2, 3]).tolist() == [0, 0.5, 0.5]
    with pytest.raises(ValueError, match="no question made 5 attempts.*ask for at most k=3"):
        solved_within([2, 3], [1, 0], [1, 5])


GREENWOOD = "greenwood, log(-log) (approximate)"


@pytest.mark.parametrize(
    "attempts, solved, k, low, high, method",
    [
        # All that were left gave up or went on unsolved: as of the two that made three attempts.
        ([1, 2, 3, 3], [0, 0, 0, 0], 3, 0, 1 - 0.025**0.5, GREENWOOD),
        ([1, 3, 4, 4], [0, 0, 0, 0], 2, 0, 1 - 0.025 ** (1 / 3), GREENWOOD),
        ([1, 2, 2], [0, 1, 1], 2, 0.025**0.5, 1, GREENWOOD),
        # Nothing is known of a fifth attempt but that nothing was left for it.
        ([1, 2, 2], [0, 1, 1], 5, 0.025, 1, GREENWOOD),
        # Nobody gave up.
        ([1, 2], [1, 1], 5, 0.025**0.5, 1, "clopper-pearson"),
        ([3, 3, 3], [0, 0, 0], 3, 0, 1 - 0.025 ** (1 / 3), "clopper-pearson"),
        ([3, 3, 3], [0, 0, 0], 2, 0, 1 - 0.025 ** (1 / 3), "clopper-pearson"),
    ],
)
def test_intervals_without_a_success_or_a_failure(attempts, solved, k, low, high, method):
    found = solved_interval(attempts, solved, k)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    assert (str(found.method), found.level) == (method, 0.95)


def test_an_interval_is_of_one_budget():
    with pytest.raises(TypeError, match="k must be one budget, got 2"):
        solved_interval([1, 2], [1, 0], [1, 2])
    wide, narrow = (solved_interval([1, 1, 2], [1, 0, 0], 2, level) for level in (0.95, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high and narrow.level == 0.5


def test_evidence_of_many_answers():
    for a, b in [(1023, 1000), (1024, 1024), (1025, 3), (1500, 1600)]:
        exact = Fraction(
            sum(comb(a + b + 1, j) for j in range(a + 1)), (a + b + 1) * comb(a + b, a)
        )
        assert_close(vote_evidence([a, 0], [b, 4])[0], float(exact), rtol=1e-12)
    half = 2**31  # (pi / 4a)^(1/2) at a tie
    assert_close(
        vote_evidence([half, 1], [half, 0]), np.array([(np.pi / 4 / half) ** 0.5, 1.5]), rtol=1e-6
    )
    assert vote_evidence(half, 8) == np.inf and vote_evidence(8, half) < 1e-9
    with pytest.raises(
        ValueError, match=r"need counts of at most 2\^31, got a=4611686018427387904, b=8"
    ):
        vote_evidence(2**62, 8)


def test_evidence_beyond_floats_beside_evidence_within():
    with np.errstate(over="raise", invalid="raise"):
        far, near = vote_evidence([6000, 6000], [0, 5950])
    assert far == np.inf
    # sum_{j<=a} C(n, j) / (n C(n-1, a)), in whole numbers up to the last division
    ways = [1]
    for j in range(6000):
        ways.append(ways[-1] * (11951 - j) // (j + 1))
    exact = Fraction(sum(ways), 11951 * comb(11950, 6000))
    assert_close(near, float(exact), rtol=1e-11)


def test_attempts_beyond_memory():
    assert_close(
        solved_within([2**40, 1, 5], [1, 1, 0], [1, 4, 2**33, 2**40]),
        np.array([1 / 3, 1 / 3, 1 / 3, 1.0]),
        rtol=1e-15,
    )
    assert (
        solved_within([1, 2], [1, 1], 2**31) == 1
        and solved_interval([1, 2], [1, 1], 2**31).high == 1
    )
    with pytest.raises(
        ValueError, match="no question made 2147483648 attempts and some are unsolved"
    ):
        solved_within([1, 2], [1, 0], 2**31)


def test_records_are_cut_where_they_are_settled():
    for N in range(1, 7):
        for needed, run in product(range(1, N + 1), product((0, 1), repeat=N)):
            tries, won = (int(o[0]) for o in settled_tries(N, needed, [run]))
            assert won == sum(run[:tries]) and (won == needed) == (sum(run) >= needed)
            assert all(
                sum(run[:t]) < needed and t - sum(run[:t]) <= N - needed for t in range(tries)
            )
            assert settled_tries(N, needed, [run[:tries]])[0] == tries
            curtailed_share(N, needed, tries, won)
    tries, won = settled_tries([5, 3], [3, 1], [[1, 1, 0, 1, 1], [0, 0, 0]])
    assert tries.tolist() == [4, 3] and won.tolist() == [3, 0]


def test_attempts():
    assert_close(
        solved_within([1, 1, 2, 1, 3], [1, 1, 1, 0, 0], [1, 2, 3]),
        np.array([0.4, 0.7, 0.7]),
        rtol=1e-14,
    )
    attempts, solved = first_successes([[0, 1, 1], [0, 0], [1]])
    assert attempts.tolist() == [2, 2, 1] and solved.tolist() == [True, False, True]
    fixed = solved_within([3, 1, 3, 3], [0, 1, 1, 0], 3)
    assert (
        fixed == 0.5
        and str(solved_interval([3, 1, 3, 3], [0, 1, 1, 0], 3).method) == "clopper-pearson"
    )
    quit = solved_interval([1, 1, 2, 1, 3], [1, 1, 1, 0, 0], 3)
    assert quit.low < 0.7 < quit.high and str(quit.method).endswith("(approximate)")
    assert solved_interval([1, 2, 3], [0, 0, 0], 3).low == 0
    assert solved_interval([1, 2, 2], [0, 1, 1], 2).high == 1


def test_greenwood_by_hand():
    from scipy.special import ndtri

    attempts, solved = [1] * 10 + [2] * 6 + [3] * 4, [1] * 6 + [0] * 4 + [1] * 3 + [0] * 3 + [
        1,
        1,
        0,
        0,
    ]
    left = Fraction(14, 20) * Fraction(7, 10) * Fraction(2, 4)
    assert_close(solved_within(attempts, solved, 3), float(1 - left), rtol=1e-14)
    spread = float(Fraction(6, 20 * 14) + Fraction(3, 10 * 7) + Fraction(2, 4 * 2)) ** 0.5
    scale = np.exp(ndtri(0.975) * spread / -np.log(float(left)))
    found = solved_interval(attempts, solved, 3)
    assert_close(
        [found.low, found.high],
        [1 - float(left) ** (1 / scale), 1 - float(left) ** scale],
        rtol=1e-10,
    )


def test_dead_questions():
    told = dead_questions(4, [[0, 4, 4, 2, 0, 1], [0, 4, 4, 4, 1, 4]])
    assert (told.never, told.always, told.live, told.questions) == (1, 2, 3, 6)
    assert repr(told) == "3 of 6 questions are live (1 never right, 2 always)"
    assert dead_questions([2, 3], [0, 3]).live == 0
    alone = dead_questions(3, [0, 3, 3, 3, 1])
    assert (alone.never, alone.always, alone.live, alone.questions) == (1, 3, 1, 5)


@pytest.mark.parametrize(
    "low, high, margin, verdict",
    [
        (-0.01, 0.02, 0.02, "same"),
        (-0.021, 0.02, 0.02, "inconclusive"),
        (0.021, 0.5, 0.02, "different"),
        (0.02, 0.5, 0.02, "inconclusive"),
        (-0.02, 0.021, 0.02, "inconclusive"),
        (-0.02, 0.02, 0.02, "same"),
        (-0.5, -0.02, 0.02, "inconclusive"),
        (-0.5, -0.021, 0.02, "different"),
        (0.0, 0.0, 1e-9, "same"),
    ],
)
def test_same(low, high, margin, verdict):
    assert judge_same(low, high, margin) == verdict


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: curtailed_tries(5, 6, 0.5), "need 1 <= needed <= N, got N=5, needed=6"),
        (lambda: curtailed_tries(5, [1, 0], 0.5), "needed=0 at question 1"),
        (lambda: curtailed_tries(5, 2, 1.5), "need 0 <= p <= 1, got 1.5"),
        (lambda: curtailed_tries(5, 2, np.nan), "got nan"),
        (lambda: curtailed_share(5, 4, 5, 5), "settled_tries cuts outcomes in order there"),
        (
            lambda: settled_tries(5, 4, [[1, 1, 1, 1], [1, 1, 1]]),
            (
                "need outcomes up to where the rule is settled, at needed successes or N - needed +"
                " 1 failures, got 3 right of 3, N=5, needed=4 at question 1"
            ),
        ),
        (lambda: settled_tries(2, 1, [[0, 0, 1]]), "got 1 right of 3, N=2"),
        (lambda: settled_tries(2, 1, [[]]), "sample"),
        (lambda: settled_tries(2, 3, [[1]]), "needed <= N"),
        (lambda: curtailed_share(5, 4, 3, 2), "ends where the rule is settled"),
        (lambda: curtailed_share(5, 4, 6, 4), "ends where the rule is settled"),
        (lambda: vote_evidence(-1, 0), "counts of at least 0, got a=-1"),
        (lambda: certify_vote(["a", None]), "got 1 of 2 without"),
        (lambda: certify_vote([]), "needs an answer"),
        (lambda: certify_vote("aa", confidence_level=1.0), "0 < confidence_level < 1"),
        (lambda: solved_within([1, 0], [1, 1], 1), "need attempts >= 1, got 0 at question 1"),
        (lambda: solved_within([1, 2], [0, 0], 3), "ask for at most k=2"),
        (lambda: solved_within([1, 2], [0, 2], 1), "0 or 1"),
        (lambda: solved_within([1, 2], [0], 1), "one value per question"),
        (lambda: judge_same(-0.1, 0.1, 0), "need a finite margin > 0, got 0"),
        (lambda: judge_same(-0.1, 0.1, -0.02), "got -0.02"),
        (lambda: judge_same(-0.1, 0.1, float("inf")), "need a finite margin > 0, got inf"),
        (lambda: judge_same(0.1, -0.1, 0.02), "need low <= high"),
        (lambda: dead_questions(2, [[3]]), "need 0 <= c <= n"),
        (
            lambda: dead_questions(2, [[[1, 2], [0, 1]]]),
            "c must hold a row per system and a column per question, got shape (1, 2, 2)",
        ),
    ],
)
def test_refusals(call, said):
    with pytest.raises(ValueError) as told:
        call()
    assert said in str(told.value)


def test_fractions_are_no_counts():
    with pytest.raises(TypeError, match="a must hold integers"):
        vote_evidence(1.5, 0)
    with pytest.raises(TypeError, match="needed must hold integers"):
        curtailed_tries(5, 0.5, 0.5)


def test_a_plan_says_when_a_gate_is_settled(tmp_path):
    found = plan(questions=50, minimum={"pass@1": 0.8}, method="normal")
    rule = found.settled
    assert (rule.needed, rule.failures) == (45, 6)
    assert [round(rule.tries[share], 1) for share in ("0.5", "0.7", "0.9", "0.95")] == [
        12.0,
        20.0,
        44.6,
        47.0,
    ]
    said = " ".join(str(found).split())
    assert "passes with 45 right, settled after 45 successes or 6 failures" in said
    (path := tmp_path / "plan.json").write_text(found.to_json())
    assert load_result(path).settled == rule
    few = plan(questions=3, minimum={"pass@1": 0.8}, method="normal")
    assert few.settled.needed is few.settled.failures is None and "no outcome passes" in str(few)


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(delta=0.1, minimum={"pass@1": 0.8}), "got no number; questions=50"),
        (dict(questions=50, minimum={"pass^2": 0.8}), "a minimum of pass@1 is settled"),
        (dict(questions=50, minimum={"pass@1": 1.0}), "minimum must lie in [0, 1), got 1.0"),
    ],
)
def test_what_no_plan_settles(given, said):
    with pytest.raises(ValueError) as told:
        plan(**given, method="normal")
    assert said in str(told.value)


def check(n, c, **rule):
    counts = np.array([n]), np.array([c])
    return check_stopping(*counts, np.array([1]), **(dict(successes=2, tries=None) | rule))


def test_drawing_that_stopped_at_successes_or_tries():
    check(5, 2)
    check(5, 2, tries=5)
    check(5, 1, tries=5)
    for given, said in (
        (dict(n=5, c=3), "need c <= 2 where drawing stops there, got n=5, c=3"),
        (dict(n=5, c=1), "pass tries=5 if that was the limit"),
        (dict(n=6, c=2, tries=5), "need n <= tries=5, got n=6"),
        (dict(n=4, c=1, tries=5), "need c == 2 or n == tries=5, got n=4, c=1"),
        (dict(n=5, c=2, tries=0), "need tries >= 1, got 0"),
        (dict(n=5, c=2, successes=0), "need successes >= 1, got 0"),
    ):
        with pytest.raises(ValueError, match=re.escape(said)):
            check(**given)


@pytest.mark.parametrize("tries", [True, np.True_, [5]])
def test_tries_of_another_kind(tries):
    with pytest.raises(TypeError, match="tries must be an int"):
        check(5, 2, tries=tries)
    check(5, 2, tries=None)
    with pytest.raises(TypeError, match="successes must be an int"):
        check(5, 2, successes=None)
