"`gate`: may a new system replace a baseline? More cases: test_compare.py."

from dataclasses import replace

import numpy as np
import pytest

from sampling_eval import Counts, compare, gate, score
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.results.base import Style
from sampling_eval.analyses.gate.result import Check
from sampling_eval.analyses.gate.verb import (
    adjust_fails,
    check_share,
    decide,
    has_two_models,
    judge_question,
    match_names,
)
from sampling_eval.inference.intervals import Interval, Method

R1 = Counts([4] * 15, [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
O3 = Counts([4] * 15, [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4])


def test_verdict_by_target():
    def judged(target):
        return gate(O3, baseline=R1, metrics="avg@n", max_drop=0.02, target=target)

    assert (
        judged("same_questions").verdict == "pass"
        and judged("new_questions").verdict == "inconclusive"
    )
    (row,) = judged("new_questions").rows
    assert (row.low, row.high) == pytest.approx(
        (-0.0986, 0.4066), abs=1e-3
    ) and row.next.questions == 27
    assert row.next.questions_without == 34
    (said,) = judged("new_questions").warnings
    assert (
        said.startswith("INCONCLUSIVE avg@4 drop <= 2 points.")
        and "about 27 questions (15 now) at 4 samples each would decide avg@4" in said
    )
    assert row.next.samples is None  # Of fifteen questions t decides nothing


def test_one_question_of_two_samples_decides_nothing():
    """A wrong in both of its samples and B right: so do equal systems in 6 of 100 runs, though the
    other 19 questions agree."""
    n = np.r_[2, np.full(19, 64)]
    old, new = Counts(n, np.r_[0, n[1:]]), Counts(n, n)
    (row,) = gate(new, baseline=old, max_drop=0).rows
    assert row.target == "same_questions" and row.verdict == "inconclusive"
    assert (row.low, row.high) == pytest.approx((-0.0102365, 0.0528776), abs=1e-7)
    assert gate(old, baseline=new, max_drop=0).rows[0].verdict == "inconclusive"
    found = compare(old, new, metrics="pass@1", target="same_questions").rows[0]
    assert found.again.low == pytest.approx(row.low) and found.verdict == "inconclusive"
    again = found.comparison
    assert again.test("permutation", target="same_questions").value == pytest.approx(1 / 3)
    assert again.test("interval", target="same_questions").value > 0.05
    # With three samples of the first question equal systems do so in 1.6 of 100 runs, which is
    # below 2.5.
    assert (
        gate(
            Counts(n + (n == 2), n + (n == 2)),
            baseline=Counts(n + (n == 2), n * (n > 2)),
            max_drop=0,
        ).verdict
        == "pass"
    )


@pytest.mark.parametrize("weight", [50, 1000])
def test_one_question_of_great_weight_decides_nothing(weight):
    names = list(map(str, range(20)))

    def rows(right):
        return [
            dict(
                question=q,
                sample=i,
                correct=int(q != "0" or right),
                points=weight if q == "0" else 1,
            )
            for q in names
            for i in range(2)
        ]

    (row,) = gate(
        rows(True), baseline=rows(False), max_drop=0, weights="points", largest_weight=weight
    ).rows
    assert row.verdict == "inconclusive" and row.low < 0 < row.value


def test_exit_codes_of_an_inconclusive_gate():
    found = gate(O3, baseline=R1, metrics="avg@n", max_drop=0.02, target="new_questions")
    assert (
        found.exit_code(),
        found.exit_code(strict=True),
        found.exit_code(inconclusive_passes=True),
    ) == (3, 1, 0)
    assert found.exit_code(True, True) == 0
    assert "<failure" not in found.to_junit(inconclusive_passes=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        found.exit_code(x=True)


def test_verdicts_of_many_runs():
    def simulate(drop, rng):
        p = rng.uniform(0.2, 0.8, 200)
        old, new = (Counts(np.full(200, 4), rng.binomial(4, x)) for x in (p, p - drop))
        return gate(new, baseline=old, max_drop=0.05).verdict

    rng = np.random.default_rng(0)
    found = {drop: [simulate(drop, rng) for _ in range(60)] for drop in (0, 0.15)}
    assert (
        "fail" not in found[0]
        and "pass" in found[0]
        and "pass" not in found[0.15]
        and "fail" in found[0.15]
    )


def test_the_baseline_is_named():
    with pytest.raises(TypeError, match=r"Write gate\(new, baseline=\.\.\.\)"):
        gate(O3, R1, max_drop=0.02)


@pytest.mark.parametrize(
    "given, said",
    [
        (
            dict(metrics="pass@k", max_drop=0.02),
            "a gate needs one number, got 'pass@k'; state the budget as in 'pass@1'",
        ),
        (
            dict(max_drop=2),
            r"max_drop must lie in \[0, 1\], got 2; two points of a hundred are 0.02",
        ),
        (dict(max_drop=-1), "need max_drop >= 0, got -1"),
        (dict(), "go together, got only baseline"),
        (
            dict(max_drop=0.1, minimum={"pass@1": 50}),
            r"the least pass@1 must lie in \[0, 1\], got 50",
        ),
    ],
)
def test_rules_that_are_none(given, said):
    with pytest.raises(ValueError, match=said):
        gate(O3, baseline=R1, **given)
    with pytest.raises(ValueError, match="a gate needs a rule"):
        gate(O3)


def test_groups_of_questions_mean_new_ones():
    groups = {q: q % 5 for q in range(15)}
    assert gate(O3, baseline=R1, max_drop=0.5, cluster=groups).rows[0].target == "new_questions"
    with pytest.raises(ValueError, match="cluster= is for new questions"):
        gate(O3, baseline=R1, max_drop=0.5, cluster=groups, target="same_questions")
    with pytest.raises(TypeError, match="a mapping of question to group, got list"):
        gate(O3, baseline=R1, max_drop=0.5, cluster=[0] * 15)


# Each rule and option, from what stands in its row.

LATER = Counts([4] * 15, [4, 3, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 1, 4, 1])
PASSAGES = {q: q // 3 for q in range(15)}


def judge_pair(new=O3, baseline=R1, **options):
    return gate(new, baseline=baseline, **dict(max_drop=0.05) | options)


@pytest.mark.parametrize("target", ["new_questions", "same_questions", None])
@pytest.mark.parametrize("metrics", ["pass@1", "pass@2"])
def test_a_drop_is_the_row_of_compare(target, metrics):
    (row,) = judge_pair(metrics=metrics, target=target, confidence_level=0.9).rows
    own = target or "same_questions"
    want = compare(R1, O3, metrics, target=own, confidence_level=0.9).rows[0]
    low, high = want.span(own)[:2]
    assert (row.value, row.low, row.high) == pytest.approx(
        (want.difference, low, high)
    ) and row.target == own
    assert (row.rule, row.metric, row.limit, row.drop, row.questions) == (
        f"{metrics} drops by at most 0.05",
        metrics,
        -0.05,
        True,
        15,
    )
    assert (row.interval.level, row.unit, row.kind) == (0.9, "share", "drop")


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_a_least_value_is_the_row_of_score(target):
    (row,) = gate(R1, minimum={"pass@2": 0.5}, target=target, confidence_level=0.9).rows
    want = score(R1, "pass@2", target=target, confidence_level=0.9).rows[0]
    assert (row.value, row.low, row.high) == pytest.approx((want.estimate, want.low, want.high))
    assert (row.rule, row.metric, row.limit, row.kind, row.interval.level) == (
        "pass@2 is at least 0.5",
        "pass@2",
        0.5,
        "minimum",
        0.9,
    )
    assert row.equal_passes is row.equal_flips is None


@pytest.mark.parametrize(
    "samples, k, target",
    [
        (4, 2, "same_questions"),
        (4, 3, "new_questions"),
        (3, 2, "new_questions"),
        (2, 1, "same_questions"),
    ],
)
def test_these_again_from_two_trials_of_every_question_on(samples, k, target):
    one = Counts([samples] * 15, [q % (samples + 1) for q in range(15)])
    assert gate(one, minimum={f"pass@{k}": 0}).rows[0].target == target
    more = Counts([samples + 4] * 15, [2] * 15)
    assert gate(more, baseline=one, metrics=f"pass@{k}", max_drop=1).rows[0].target == target


def test_votes_again_and_scores_that_have_no_noise():
    rows = [
        dict(question=q, answer="xy"[s % 2], correct=int(s % 2 == q % 2), score=q / 9)
        for q in range(9)
        for s in range(4)
    ]
    found = gate(rows, minimum={"maj@2": 0, "soft@n": 0, "best@1": 0})
    assert [row.target for row in found.rows] == [
        "same_questions",
        "new_questions",
        "new_questions",
    ]
    ties = {
        ties: gate(rows, minimum={"maj@2": 0}, ties=ties).rows[0].value
        for ties in ("expected", "wrong")
    }
    assert ties["wrong"] < ties["expected"]


@pytest.mark.parametrize("limit, verdict", [(0, "pass"), (1e-9, "inconclusive"), (-1e-9, "pass")])
def test_an_end_that_meets_the_limit(limit, verdict):
    low = gate(R1, minimum={"pass@1": 0}).rows[0].low
    assert gate(R1, minimum={"pass@1": low + limit}).verdict == verdict


def test_the_upper_end_that_meets_the_limit():
    high = gate(R1, minimum={"pass@1": 0}).rows[0].high
    assert gate(R1, minimum={"pass@1": high}).verdict == "inconclusive"
    assert gate(R1, minimum={"pass@1": high + 1e-9}).verdict == "fail"


@pytest.mark.parametrize(
    "rules, said",
    [
        (dict(max_drop=1), None),
        (dict(max_drop=0), None),
        (dict(max_drop=1 + 1e-9), r"max_drop must lie in \[0, 1\]"),
        (dict(max_drop=float("nan")), "need max_drop >= 0, got nan"),
        (dict(max_drop=0.1, minimum={"pass@1": 0}), None),
        (dict(max_drop=0.1, minimum={"pass@1": 1}), None),
        (dict(max_drop=0.1, minimum={"pass@1": -1e-9}), r"must lie in \[0, 1\]"),
        (dict(max_drop=0.1, must_pass="0", must_pass_share=0), "must_pass_share must lie above 0"),
        (dict(minimum={"pass@1": 0}), "baseline and max_drop= go together, got only baseline"),
    ],
)
def test_rules_at_their_ends(rules, said):
    if said is None:
        assert gate(O3, baseline=R1, **rules).rows
    else:
        with pytest.raises(ValueError, match=said):
            gate(O3, baseline=R1, **rules)


@pytest.mark.parametrize(
    "rules, said",
    [
        (dict(max_drop=0.1), "^baseline and max_drop= go together, got only max_drop=$"),
        (
            dict(no_question_regresses=True),
            "^no_question_regresses=True needs a baseline, got none$",
        ),
        (dict(no_question_regresses=True, max_drop=0.1), "needs a baseline"),
        ({}, "^a gate needs a rule: baseline with max_drop=, minimum= or must_pass=$"),
    ],
)
def test_rules_without_a_baseline(rules, said):
    with pytest.raises(ValueError, match=said):
        gate(O3, **rules)


def test_scores_of_any_size_may_drop_by_more_than_one():
    a, b = (
        [dict(question=q, score=(q * s + shift) % 7) for q in range(9) for s in range(3)]
        for shift in (0, 1)
    )
    found = gate(a, baseline=b, metrics="max@2", max_drop=3, minimum={"max@2": 2})
    assert [row.limit for row in found.rows] == [-3, 2] and found.rows[0].low is not None
    with pytest.raises(TypeError, match="metrics must be a name or a list of names, got None"):
        gate(O3, baseline=R1, metrics=None, max_drop=0.1)


def test_rules_in_their_order():
    found = judge_pair(
        metrics=["pass@1", "avg@n"],
        minimum={"pass@2": 0.5},
        must_pass="0,1",
        must_pass_share=0.5,
        no_question_regresses=True,
    )
    assert [row.rule for row in found.rows] == [
        "pass@1 drops by at most 0.05",
        "avg@4 drops by at most 0.05",
        "no question regresses",
        "pass@2 is at least 0.5",
        "must-pass questions pass",
    ]
    assert [one.to_dict() for one in found.must_pass] == [
        dict(question=q, right=4, samples=4, needed=2, verdict="pass") for q in (0, 1)
    ]
    alone = gate(O3, minimum={"pass@2": 0.5}, must_pass="0,12")
    assert (
        [row.verdict for row in alone.rows] == ["pass", "fail"]
        and alone.regressions == ()
        and alone.regression_power is alone.alignment is None
    )
    assert [row.rule for row in judge_pair(max_drop=None, no_question_regresses=True).rows] == [
        "no question regresses"
    ]
    assert found.names == ("new", "baseline") and (
        found.alignment.common,
        found.alignment.left_out,
    ) == (15, 0)
    assert (
        found.regression_power.questions == 15
        and found.samples == ((4, 4), (4, 4))
        and alone.samples == ((4, 4),)
    )
    assert found.primary == "pass@1 drops by at most 0.05" and alone.primary is None


def test_must_pass_is_about_the_new_system():
    found = gate(O3, baseline=R1, max_drop=0.5, must_pass="12")
    assert found.must_pass[0].right == 2 and found.verdict == "fail"
    both = [
        dict(model=model, question=q, correct=int(s < c))
        for model, side in (("new", O3), ("old", R1))
        for q, c in enumerate(side.c)
        for s in range(4)
    ]
    named = gate(both, baseline=both, models=["new", "old"], max_drop=0.5, must_pass="12")
    assert named.names == ("new", "old") and named.must_pass[0].right == 2
    assert named.rows[0].value == found.rows[0].value > 0
    assert (
        gate(both, models="old", minimum={"pass@1": 0.1}).rows[0].value
        == gate(R1, minimum={"pass@1": 0.1}).rows[0].value
    )
    with pytest.raises(ValueError, match="new must hold one model, got 2"):
        gate(both, minimum={"pass@1": 0.1})


def test_groups_reach_both_kinds_of_rules():
    plain = judge_pair(minimum={"pass@1": 0.1}, target="new_questions")
    grouped = judge_pair(minimum={"pass@1": 0.1}, cluster=PASSAGES)
    assert all(
        one.high - one.low > other.high - other.low for one, other in zip(grouped.rows, plain.rows)
    )
    want = score(
        [
            dict(question=q, passage=q // 3, correct=int(s < c))
            for q, c in enumerate(O3.c)
            for s in range(4)
        ],
        "pass@1",
        cluster="passage",
    ).rows[0]
    assert (grouped.rows[1].low, grouped.rows[1].high) == pytest.approx((want.low, want.high))


def test_weights_reach_both_kinds_of_rules():
    weights = {q: 1 + q % 4 for q in range(15)}
    found = judge_pair(
        minimum={"pass@1": 0.1}, weights=weights, target="new_questions", largest_weight=9
    )
    values = (
        np.array([one.c / 4 for one in (R1, O3)])
        @ np.array(list(weights.values()))
        / sum(weights.values())
    )
    assert [row.value for row in found.rows] == pytest.approx([values[1] - values[0], values[1]])
    for row in found.rows:
        assert (
            row.weights.weighted_by,
            row.weights.largest_weight,
            row.weights.largest_weight_declared,
        ) == ("the weights given", 9, True)
    assert judge_pair().rows[0].weights is None and judge_pair().equal_weights == ""
    assert judge_pair(weights=dict.fromkeys(range(15), 2)).equal_weights == "the weights given"
    weak = judge_pair(max_drop=0.001, weights=weights, target="new_questions").rows[0]
    assert weak.verdict == "inconclusive" and weak.next is None and weak.method.max_weight == 4


def test_the_interval_and_seed_asked_for():
    assert judge_pair(method="t", target="new_questions").rows[0].method.name == "t"
    a, b = (
        Counts([7] * 12, c)
        for c in ([0, 1, 2, 3, 4, 5, 6, 7, 1, 3, 5, 2], [2, 1, 5, 3, 6, 7, 6, 7, 0, 6, 7, 3])
    )
    lows = [
        judge_pair(b, a, method="bootstrap", target="new_questions", rng=seed).rows[0].low
        for seed in (None, *range(6))
    ]
    assert lows[0] == lows[1] and len(set(lows)) > 1
    with pytest.raises(ValueError, match="^pass@1: "):
        judge_pair(Counts([4] * 15, [2] * 15), method="wilson", target="new_questions")
    with pytest.raises(
        ValueError, match="^pass@1: no interval by t: .*; the default method has one$"
    ):
        gate([[1]], minimum={"pass@1": 0.1}, method="t", target="new_questions")


@pytest.mark.parametrize("size, possible", [(5, False), (6, True)])
def test_so_few_questions_as_cannot_pass(size, possible):
    """Where the new system wins each of n questions its lower limit passes if .4875**n is at most
    .025."""
    assert (0.4875**size <= 0.025) is possible
    one = Counts([1] * size, [q % 2 for q in range(size)])
    (row,) = gate(
        one, baseline=one, max_drop=0.025, target="new_questions", allow_identical=True
    ).rows
    assert row.verdict == "inconclusive"
    assert row.least == (None if possible else 6) and (row.next is None) is not possible
    clear = gate(
        Counts([1] * size, [1] * size),
        baseline=Counts([1] * size, [0] * size),
        max_drop=0.025,
        target="new_questions",
    )
    assert (clear.verdict == "pass") is possible
    groups = gate(
        Counts([1] * 2 * size, [q % 2 for q in range(2 * size)]),
        baseline=Counts([1] * 2 * size, [(q + 1) % 2 for q in range(2 * size)]),
        max_drop=0.025,
        cluster={q: q // 2 for q in range(2 * size)},
    )
    assert (
        groups.rows[0].least == (None if possible else 6) and groups.rows[0].method.clusters == size
    )


def test_how_often_an_equal_system_passes():
    from sampling_eval.inference.deciding import verdict_chances

    (row,) = judge_pair(LATER, max_drop=0.02, target="new_questions").rows
    want = verdict_chances(row.value - row.low, row.high - row.value, -0.02, row.estimate.stderr)
    assert row.equal_passes == pytest.approx(want["pass"])
    assert row.equal_flips == pytest.approx(1 - sum(p**2 for p in want.values()))
    flat = gate(
        Counts([1] * 9, [1] * 9),
        baseline=Counts([1] * 9, [1] * 9),
        max_drop=0.5,
        allow_identical=True,
    ).rows[0]
    assert flat.equal_passes is flat.equal_flips is None


def test_a_failure_among_several_is_held_to_its_share_of_the_errors():
    """Alone it fails; beside another rule it needs its interval below the limit at the levels of
    Holm's correction."""
    high = gate(R1, minimum={"pass@1": 0}).rows[0].high
    rules = {"pass@1": 0.1, "avg@n": high + 1e-9, "pass@2": 0.1}
    alone, among = gate(R1, minimum={"avg@n": high + 1e-9}), gate(R1, minimum=rules)
    assert alone.verdict == "fail" and [row.verdict for row in among.rows] == [
        "pass",
        "inconclusive",
        "pass",
    ]
    assert [row.fails_alone for row in among.rows] == [False, True, False] and among.rows[
        1
    ].next is None
    assert gate(R1, minimum={"avg@n": rules["avg@n"], "pass@1": 0.1}).rows[0].verdict == "fail"


@pytest.mark.parametrize("confidence_level, method", [(0.95, None), (0.9, "t")])
def test_another_interval_around_the_value(confidence_level, method):
    (row,) = gate(R1, minimum={"pass@1": 0.5}, target="new_questions").rows
    found = row.confidence_interval(confidence_level, method)
    assert (
        found == row.estimate.confidence_interval(confidence_level, method)
        and found.level == confidence_level
    )
    seeds = [row.confidence_interval(0.8, "bootstrap", rng=seed) for seed in (3, 3, 4)]
    assert seeds[0] == seeds[1] != seeds[2]
    again = type(row).from_dict(row.to_dict())
    assert again == row
    with pytest.raises(ValueError, match="holds its printed interval only"):
        again.confidence_interval()


def test_a_gate_is_neither_true_nor_false():
    passed, failed, open_ = (
        gate(Counts([8] * 9, [right] * 9), minimum={"pass@1": 0.5}) for right in (8, 0, 4)
    )
    assert [found.verdict for found in (passed, failed, open_)] == ["pass", "fail", "inconclusive"]
    assert [found.passed for found in (passed, failed, open_)] == [True, False, False]
    for found in (passed, failed, open_):
        with pytest.raises(
            TypeError,
            match=r"neither true nor false; ask for \.passed, \.verdict or \.exit_code\(\)",
        ):
            bool(found)
        with pytest.raises(TypeError, match="three verdicts"):
            assert found


# Several rules.


def draw(seed):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 1, 40)
    return [(rng.random((40, 2)) < q[:, None]).astype(int) for q in (p, p)]


def test_a_gate_of_several_rules_fails_no_more_often_than_one():
    false = alone = 0
    for seed in range(24):
        a, b = draw(seed)
        told = dict(baseline=a, max_drop=0, confidence_level=0.7)
        rules = ["pass@1", "pass@2", "pass^2", "cons@2"]
        several = gate(b, metrics=rules, **told)
        single = [gate(b, metrics=rule, **told) for rule in rules]
        false += any(row.verdict == "fail" for row in several.rows[1:])
        alone += any(one.verdict == "fail" for one in single[1:])
        assert several.rows[0].verdict == single[0].verdict
        assert [row.verdict == "pass" for row in several.rows] == [
            one.verdict == "pass" for one in single
        ]
        for row in several.rows:
            if row.verdict == "inconclusive" and row.high < row.limit:
                assert row.fails_alone
    assert false < alone and false <= 24 * 0.15 + 5


def make_check(verdict="fail", values=(0, 0, 0, 1), limit=0.9, **options):
    known = mean_over_questions(list(values) * 10)
    return Check(
        "rule",
        "minimum",
        "pass@1",
        known.value,
        known.confidence_interval(),
        limit,
        verdict,
        40,
        "new_questions",
        estimate=known,
        **options,
    )


def test_fails_that_hold_beside_others():
    style = Style(0.95)
    # The upper end at 95 % lies below .45, that at 97.5 % does not.
    known = make_check().estimate
    limit = (known.confidence_interval(0.95).high + known.confidence_interval(0.975).high) / 2

    def verdicts(*checks):
        return [check.verdict for check in adjust_fails(checks, style)]

    barely, clear, good = make_check(limit=limit), make_check(), make_check("pass", limit=0.0)
    counted = replace(make_check(), estimate=None)
    assert verdicts(barely) == ["fail"] and verdicts(good, barely) == ["pass", "fail"]
    assert verdicts(barely, barely) == ["fail", "fail"]
    assert verdicts(good, barely, good) == ["pass", "inconclusive", "pass"]
    assert verdicts(barely, barely, good) == ["fail", "inconclusive", "pass"]
    # A clear fail leaves the whole level to the other one.
    assert verdicts(good, clear, barely) == ["pass", "fail", "fail"]
    assert verdicts(good, clear, barely, good) == ["pass", "fail", "inconclusive", "pass"]
    assert verdicts(counted, barely) == ["fail", "fail"]
    assert verdicts(good, counted, barely, good) == ["pass", "fail", "inconclusive", "pass"]
    assert adjust_fails([], style) == ()
    changed = adjust_fails([good, barely, good], style)[1]
    assert changed == replace(barely, verdict="inconclusive", fails_alone=True)


@pytest.mark.parametrize("questions, told", [(19, True), (20, False)])
def test_twenty_questions_may_be_enough_for_a_gate(questions, told):
    "From twenty on t may pass what no outcome passes without assumptions."
    right = np.tile([0, 1], 10)[:questions]
    counts = [Counts(np.full(questions, 4), 2 * side + 1) for side in (right, 1 - right)]
    asked = dict(max_drop=0, target="new_questions", confidence_level=1 - 1e-12)
    row = gate(counts[0], baseline=counts[1], **asked).rows[0]
    assert row.verdict == "inconclusive" and (row.least is not None) == told


@pytest.mark.parametrize("method, least", [(None, None), ("t", None), ("gaffke", 183)])
def test_an_exact_interval_that_was_asked_for_needs_its_questions(method, least):
    "Were all the same, .98 to the power of 183 is the first below a tail of .025."
    right = np.tile([0, 1, 2], 10)
    sides = [Counts(np.full(30, 4), 1 + one) for one in (right, right[::-1])]
    asked = dict(same_within=0.02, target="new_questions", method=method)
    row = gate(sides[0], baseline=sides[1], **asked).rows[0]
    assert row.verdict == "inconclusive" and row.least == least
    assert 0.98**183 < 0.025 < 0.98**182


# Why a metric cannot be judged.

GRADED = [dict(question=q, score=0.5 + 0.1 * (q % 3)) for q in range(4) for _ in range(2)]


@pytest.mark.parametrize(
    "rules", [dict(minimum={"pass@1": 0.5}), dict(baseline=GRADED, max_drop=0.1)], ids=list
)
def test_a_metric_that_the_data_lack_is_told_with_its_reason(rules):
    said = "pass@1 cannot be computed: scores are graded; threshold= makes them right or wrong"
    with pytest.raises(ValueError, match=said):
        gate(GRADED, allow_identical=True, **rules)


def test_a_rule_on_scores_alone():
    found = gate(GRADED, minimum={"soft@n": 0.5}).rows[0]
    assert found.value == pytest.approx(np.mean([row["score"] for row in GRADED]))


@pytest.mark.parametrize(
    "right, samples, share, needed, verdict",
    [
        (3, 4, 0.75, 3, "pass"),
        (2, 4, 0.75, 3, "fail"),
        (3, 4, 1, 4, "fail"),
        (4, 4, 1, 4, "pass"),
        (7, 10, 0.7, 7, "pass"),
        (1, 3, 1 / 3, 1, "pass"),
        (1, 10, 0.11, 2, "fail"),
    ],
)
def test_samples_that_must_be_right(right, samples, share, needed, verdict):
    found = judge_question("q", right, samples, share)
    assert (found.needed, found.verdict) == (needed, verdict)


@pytest.mark.parametrize(
    "word, places",
    [("a*", [0, 1]), ("?", [2]), ("[ab]*", [0, 1, 2]), ("a1", []), ("A*", [])],
)
def test_patterns_of_names(word, places):
    assert match_names(word, ["a1", "a2", "b"]) == places


@pytest.mark.parametrize(
    "models, two",
    [(None, False), ("ab", False), (["a", "b"], True), (["a", "a"], False), (["a"], False)],
)
def test_models_named_for_each_side(models, two):
    assert has_two_models(models) is two


@pytest.mark.parametrize("share", [0, -0.5, 1.1, "1", None])
def test_shares_that_are_none(share):
    with pytest.raises(ValueError, match="must lie above 0 and at most 1"):
        check_share(share)


def test_the_share_of_one_sample_in_many():
    for share in 1e-9, 0.5, 1, np.float64(1):
        check_share(share)


@pytest.mark.parametrize(
    "kind, limit, low, high, verdict",
    [
        ("drop", -0.1, -0.1, 0.2, "pass"),
        ("drop", -0.1, -0.3, -0.11, "fail"),
        ("same", -0.1, -0.05, 0.05, "pass"),
        ("same", -0.1, 0.11, 0.2, "fail"),
        ("same", -0.1, -0.05, 0.2, "inconclusive"),
    ],
)
def test_an_interval_against_its_limit(kind, limit, low, high, verdict):
    check = Check("r", kind, "pass@1", 0.0, None, limit, "inconclusive", 9, "new_questions")
    found = Interval(low, high, 0.95, "new_questions", Method("t", False))
    assert decide(check, found) == verdict


# What is handed on.


def scored(size, step=0, scale=5):
    "A sample of each question, with a score of all or nothing."
    return [dict(question=q, score=scale * int((q + step) % 2)) for q in range(size)]


@pytest.mark.parametrize("size, possible", [(5, False), (6, True)])
def test_so_few_scores_as_cannot_pass(size, possible):
    "On a scale of 0 to 5 a drop of 5 * .025 is what one of .025 is for shares."
    row = gate(
        scored(size), baseline=scored(size, 1), metrics="mean@n", scale=(0, 5), max_drop=5 * 0.025
    ).rows[0]
    assert row.verdict == "inconclusive" and row.least == (None if possible else 6)
    assert row.unit == "score"


def test_so_few_questions_as_cannot_be_the_same():
    "Whatever the samples: with fewer questions even equal systems are not the same."
    found = {}
    for size in range(2, 19):
        one = Counts([1] * size, [q % 2 for q in range(size)])
        found[size] = gate(one, baseline=one, same_within=0.3, target="new_questions",
                           allow_identical=True).rows[0]
    passing = [size for size, row in found.items() if row.verdict == "pass"]
    first = passing[0]
    assert passing == list(range(first, 19)) and 2 < first < 19
    for size in range(2, first):
        assert (found[size].verdict, found[size].least) == ("inconclusive", first)
        assert found[size].next is None


def test_another_interval_has_the_unit_of_its_rule():
    rng = np.random.default_rng(0)
    a, b = ([dict(question=q, score=float(x)) for q, x in enumerate(rng.integers(0, 6, 40))]
            for _ in range(2))
    row = gate(a, baseline=b, metrics="mean@n", scale=(0, 5), max_drop=1).rows[0]
    assert row.method.name == "t" and row.without_assumptions.interval.unit == "score"
    same = judge_pair().rows[0]
    assert same.for_new_questions.interval.unit == "share" == same.interval.unit


def test_clusters_of_a_least_value_are_advised():
    row = gate(R1, minimum={"pass@1": 0.7}, cluster=PASSAGES).rows[0]
    assert row.verdict == "inconclusive" and row.next.clustered is True
    assert gate(R1, minimum={"pass@1": 0.7}, target="new_questions").rows[0].next.clustered is False


@pytest.mark.parametrize(
    "given, target",
    [
        ({}, "same_questions"),
        (dict(bounds=(-0.9, 0.9)), "new_questions"),
        (dict(method="gaffke"), "new_questions"),
        (dict(method="t"), "same_questions"),
        (dict(bounds=(-0.9, 0.9), target="new_questions"), "new_questions"),
    ],
)
def test_what_is_there_for_new_questions_alone_is_about_them(given, target):
    assert judge_pair(**given).rows[0].target == target


def test_methods_that_are_none_are_named():
    with pytest.raises(ValueError, match="^method must be 'assumption-free', .* got 'guess'$"):
        judge_pair(method="guess")


def test_of_graded_scores_the_samples_of_each_question_are_kept():
    names = ["a", "b"]
    graded = Counts([2, 2], None, names, score_sum=[1.5, 0.5])
    judged = Counts([2, 2], [1, 2], names, score_sum=[1.0, 2.0])
    found = gate(graded, baseline=judged, metrics="soft@n", max_drop=0.9)
    assert list(found.questions) == ["question", "n baseline", "c baseline", "n new"]
    assert found.regressions == () and found.regression_power is None
    both = gate(judged, baseline=judged, metrics="soft@n", max_drop=0.9, allow_identical=True)
    assert np.asarray(both.questions["question"]).tolist() == names and both.identical
    assert np.asarray(both.questions["c new"]).tolist() == [1, 2]


def test_win_shares_are_not_gated():
    battles = [dict(question=q, model_a="x", model_b="y", winner="model_a") for q in range(3)]
    for rule in dict(minimum={"pass@1": 0.5}), dict(baseline=battles, max_drop=0.1):
        with pytest.raises(ValueError, match="battles are compared, not gated"):
            gate(battles, **rule)


def test_every_column_of_a_rule_in_a_file():
    (row,) = judge_pair(target="new_questions", weights={q: 1 + q % 4 for q in range(15)},
                        largest_weight=9, bounds=(-0.9, 0.8)).rows
    flat = row.to_flat()
    assert flat["method"] == row.method.name and flat["confidence_level"] == 0.95
    assert (flat["bounds_low"], flat["bounds_high"]) == (-0.9, 0.8)
    assert (flat["weighted_by"], flat["largest_weight"]) == ("the weights given", 9)
    assert flat["evidence_units"] == 15 and flat["watched_needed"] is None
    told = row.without_assumptions
    assert flat["without_assumptions_low"] == (None if told is None else told.low)
    assert not any(isinstance(value, dict) for value in flat.values())
    (plain,) = judge_pair(max_drop=0.001).rows
    flat, other = plain.to_flat(), plain.for_new_questions
    assert [flat[f"for_new_questions_{part}"] for part in ("method", "low", "high", "verdict")] == [
        other.interval.method.name, other.low, other.high, other.verdict,
    ]
    assert flat["next_questions"] == (plain.next and plain.next.questions)
    assert flat["next_samples"] == (plain.next and plain.next.samples)
    assert flat["bounds_low"] is flat["bounds_high"] is flat["weighted_by"] is None
    (watched,) = judge_pair(anytime=True).rows
    assert watched.to_flat()["watched_looks"] == 1 and watched.to_flat()["method"]
    counted = judge_pair(max_drop=None, no_question_regresses=True).rows[0].to_flat()
    assert counted["method"] is counted["confidence_level"] is None
