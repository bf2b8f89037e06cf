"""Means of groups by hand and by enumeration, in `score`; and the same samples under several
gradings."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from sampling_eval import compare, describe, read, score
from sampling_eval.cli import make_parser
from sampling_eval.inference.fixed_questions import fix_questions, Fixed, Noise
from sampling_eval.inference.t_evidence import deciding_methods
from sampling_eval.inference.units import join_groups, lean_of, spread_of, Strata, units_of
from sampling_eval.inference.unseen import add_unseen
from sampling_eval.analyses.engine.measure import average_estimates, average_groups, gather_members
from sampling_eval.analyses.score.verb import ScoreRequest
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options
from sampling_eval.results.base import Style

pytestmark = pytest.mark.filterwarnings("error")


def groups(*counts):
    return join_groups([units_of([0, 1], times=[n - c, c]) for n, c in counts])


def test_mean_and_error_by_hand():
    joined = groups((96, 72), (4, 1))
    assert joined.mean() == pytest.approx(0.5)
    assert joined.variance() == pytest.approx((0.75 * 0.25 / 95 + 0.25 * 0.75 / 3) / 4)
    assert joined.kind == "over questions of 2 fixed groups" and isinstance(joined, Strata)


def test_groups_of_one_question_share_their_spread():
    x = np.random.default_rng(0).random(9)
    joined = join_groups([units_of([v]) for v in x])
    assert joined.variance() == pytest.approx(x.var(ddof=1) / 9)
    lone = [units_of([1]), units_of([0, 1])]
    assert spread_of(lone)[0] == pytest.approx(0.25**2)


def test_a_difference_is_decided_by_t_where_each_group_has_enough_behind_it():
    long, short = (units_of(np.linspace(-0.3, 0.4, Q), bounds=(-1, 1)) for Q in (30, 15))
    assert deciding_methods(join_groups([long, long])) == ["t"]
    assert deciding_methods(join_groups([long, short])) != ["t"]


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("sizes", [(10, 10, 10), (4, 30), (2, 40), (5, 5), (3, 3, 3, 3)])
def test_coverage_by_enumeration(sizes, level):
    "The mean of groups at which t held 88.5 to 91.7 %: every outcome, so no simulation error."
    # Which of two groups of one size has which count changes nothing, as a test below says.
    found, ends = {}, {}
    for c in product(*(range(n + 1) for n in sizes)):
        same = tuple(sorted(zip(sizes, c)))
        if same not in found:
            found[same] = groups(*same).limits((1 - level) / 2)
        ends[c] = found[same]
    for p in (
        (0.5,) * len(sizes),
        (0.9,) * len(sizes),
        (0.97,) * len(sizes),
        (0.05,) * len(sizes),
        (0.95, 0.5, 0.05, 0.5)[: len(sizes)],
        (0.2, 0.97, 0.9, 0.1)[: len(sizes)],
    ):
        laws = [binom.pmf(np.arange(n + 1), n, q) for n, q in zip(sizes, p)]
        held = sum(
            np.prod([law[i] for law, i in zip(laws, c)])
            for c, (low, high) in ends.items()
            if low <= np.mean(p) <= high
        )
        assert 1 - held <= 1.2 * (1 - level)


@pytest.mark.parametrize(
    "counts",
    [
        ((5, 5), (5, 5)),
        ((4, 0), (90, 0)),
        ((96, 72), (4, 0)),
        ((1, 1),),
        ((1, 0), (1, 1), (1, 1)),
        ((10**6, 10**5), (1, 1)),
    ],
)
def test_limits_hold_the_mean_have_width_and_are_ordered(counts):
    joined = groups(*counts)
    ends = np.array([joined.limits(tail) for tail in (0.25, 0.05, 0.025, 0.005, 0.0005, 5e-7)])
    assert (np.diff(ends[:, 0]) <= 1e-9).all() and (np.diff(ends[:, 1]) >= -1e-9).all()
    assert (
        (ends[:, 0] <= joined.mean()).all()
        and (joined.mean() <= ends[:, 1]).all()
        and (np.ptp(ends, 1) > 0).all()
    )
    turned = groups(*((n, n - c) for n, c in counts)).limits(0.025)
    np.testing.assert_allclose(turned, (1 - ends[2, 1], 1 - ends[2, 0]), atol=1e-9)


def test_any_range():
    x, y = np.random.default_rng(0).random((2, 7))
    unit = join_groups([units_of(x), units_of(y[:3])]).limits(0.025)
    wide = join_groups([units_of(10 * o - 5, bounds=(-5, 5)) for o in (x, y[:3])]).limits(0.025)
    np.testing.assert_allclose(np.array(wide), 10 * np.array(unit) - 5, atol=1e-9)


def test_the_order_of_groups_does_not_matter():
    one, two = (
        groups(*c).limits(0.025) for c in (((3, 1), (40, 30), (8, 8)), ((8, 8), (3, 1), (40, 30)))
    )
    np.testing.assert_allclose(one, two, atol=1e-11)


def test_fixed_questions_stay_fixed():
    noise = Noise(np.array([0.01, 0.03]), np.full(2, 0.25))
    joined = join_groups(
        [
            fix_questions([1, 0], noise),
            fix_questions([0.5], Noise(np.array([0.02]), np.array([0.25]))),
        ]
    )
    assert isinstance(joined, Fixed) and joined.weight.tolist() == [0.25, 0.25, 0.5]
    assert joined.variance() == pytest.approx((0.01 + 0.03) / 16 + 0.02 / 4)
    low, high = joined.limits(0.025)
    assert low < joined.mean() == 0.5 < high


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [units_of([1]), fix_questions([1.0], Noise(np.zeros(1), np.ones(1)))],
        [units_of([1]), units_of([1], bounds=(0, 5))],
    ],
)
def test_refused(parts):
    with pytest.raises(ValueError, match="groups of one target and one range"):
        join_groups(parts)


# Part by part.


def test_several_budgets_are_one_at_a_time():
    x = np.random.default_rng(0).random((9, 3))
    joined = join_groups([units_of(x[:4]), units_of(x[4:8]), units_of(x[8:])])
    assert (
        joined.budgets == 3
        and joined.bounds == (0, 1)
        and joined.mean().shape == joined.variance().shape == (3,)
    )
    np.testing.assert_allclose(joined.mean(), [joined.at(i).mean() for i in range(3)], rtol=1e-14)
    np.testing.assert_allclose(
        joined.variance(), [joined.at(i).variance() for i in range(3)], rtol=1e-14
    )
    ends = joined.limits(0.05)
    assert type(ends) is tuple and len(ends) == 2
    np.testing.assert_allclose(
        ends, np.transpose([joined.at(i).limits(0.05) for i in range(3)]), rtol=1e-12
    )
    assert type(joined.at(0).mean()) is type(joined.at(0).variance()) is float


def test_spread_and_lean_of_groups_by_hand():
    """One lone question stands for its distance; three of them lean as they lie, two as far as can
    be."""
    pair, four = units_of([0, 1], bounds=(0, 2)), units_of([0, 0, 0, 2], bounds=(0, 2))
    lone = [units_of([o], bounds=(0, 2)) for o in (0.0, 1.0, 2.0, 1.5)]
    assert spread_of([pair, four]) == [pytest.approx(0.25), pytest.approx(0.25)]
    assert [float(o[0]) for o in spread_of([four, lone[2]])] == pytest.approx([0.25, 0.75**2])
    both = spread_of([four, lone[0], lone[1]])
    assert [float(o[0]) for o in both] == pytest.approx([0.25, 0.5, 0.5])
    assert [float(o[0]) for o in lean_of([four, pair], 1)] == pytest.approx(
        [4 * (1.5**3 - 3 * 0.5**3) / 4**3 / 4, 0.25 * 2 / 2]
    )
    assert [float(o[0]) for o in lean_of([four], -1)] == pytest.approx(
        [-4 * (1.5**3 - 3 * 0.5**3) / 4**3 / 4]
    )
    assert [float(o[0]) for o in lean_of([four, lone[0], lone[1]], -1)][1:] == pytest.approx(
        [0.5 * 2] * 2
    )
    values = np.array([0, 1, 2, 1.5])
    third = ((values - values.mean()) ** 3).mean()
    for sign in 1, -1:
        assert [float(o[0]) for o in lean_of(lone, sign)] == pytest.approx([sign * third] * 4)
    assert [float(o[0]) for o in lean_of(lone[:2] + lone[3:], 1)] == pytest.approx(
        [((np.array([0, 1, 1.5]) - 2.5 / 3) ** 3).mean()] * 3
    )
    three = units_of([0, 0, 2], bounds=(0, 2))
    assert float(lean_of([three], 1)[0][0]) == pytest.approx(float(three.third_moment()[0]))


def test_laws_of_groups_by_hand():
    "Groups of like weight share a stratum; a small group has one of its own."
    parts = [
        units_of(np.array([0, 1, 1, 0, 1]), bounds=(-1, 2)),
        units_of(np.array([1, 1, 0, 1]), bounds=(-1, 2)),
        units_of(np.array([2.0]), bounds=(-1, 2)),
    ]
    joined = join_groups(parts)
    spread, means = [float(o[0]) for o in spread_of(parts)], [0.6, 0.75, 2.0]
    for sign, end in (1, 2), (-1, 1):
        lean = [float(o[0]) for o in lean_of(parts, sign)]
        # The lone question's spread is its distance from all groups; in a stratum of its own, from
        # itself.
        alone = float(spread_of(parts[2:])[0][0])
        small = add_unseen(
            sign * 2 / 3,
            alone / 9,
            float(lean_of(parts[2:], sign)[0][0]) / 27,
            3 * 1 / 3,
            (end - sign * 2) / 3,
            1.0,
        )
        share = 2 / 3
        room = share * max(end - sign * o for o in means[:2])
        large = add_unseen(
            sign * (0.6 + 0.75) / 3,
            (spread[0] + spread[1]) / 9,
            (lean[0] + lean[1]) / 27,
            3 * 0.25 / 3,
            room,
            3 * share,
        )
        np.testing.assert_allclose(joined.moments(sign), [small, large], rtol=1e-9, atol=1e-15)


def test_fixed_groups_in_full():
    "Weights by group, steps and the widest span; questions of unknown noise are counted."
    one = fix_questions(
        [1, 0, 0.5], Noise(np.array([0.1, np.nan, 0.2]), np.full(3, 0.25), 1.0), times=[1, 2, 1]
    )
    two = fix_questions([0.5, 0.25], Noise(np.array([np.nan, 0.02]), np.full(2, 0.5), 2.0))
    joined = join_groups([one, two])
    assert joined.weight.tolist() == [1 / 8] * 3 + [1 / 4] * 2 and joined.times.tolist() == [
        1,
        2,
        1,
        1,
        1,
    ]
    assert joined.value.tolist() == [1, 0, 0.5, 0.5, 0.25]
    assert (
        joined.guessed == 3
        and joined.noise.span == 2
        and joined.noise.step.tolist() == [0.25] * 3 + [0.5] * 2
    )
    assert joined.bounds == (0, 1)
    assert joined.kind == "within questions, 3 of 6 by an upper bound"
    alone = join_groups(
        [fix_questions([1, 0.5], Noise(np.array([0.1, 0.2]), np.full(2, 0.25)), bounds=(0, 2))]
    )
    assert alone.bounds == (0, 2) and alone.weight.tolist() == [0.5, 0.5] and alone.mean() == 0.75
    assert join_groups([units_of([1, 0], bounds=(0, 2))]).bounds == (0, 2)
    with pytest.raises(ValueError, match="got 0 kinds"):
        join_groups([])
    with pytest.raises(ValueError, match="got 2 kinds"):
        join_groups([units_of([1]), units_of([1], bounds=(0, 5))])


# The mean of groups: each group counts the same, whatever its size.


def rows(**groups):
    return [
        dict(task=task, question=f"{task}{q}", sample=s, correct=int(s < c))
        for task, (n, right) in groups.items()
        for q, c in enumerate(right)
        for s in range(n)
    ]


DATA = rows(easy=(4, [4, 3, 4, 2]), hard=(4, [0, 1]))


def mean_of(report, metric):
    return next(
        row for row in report.rows if row.group.startswith("mean of") and row.metric == metric
    )


def test_every_group_counts_the_same():
    found = score(DATA, ["pass@k", "avg@n"], k=[1, 2], by="task")
    for metric in ("pass@1", "pass@2", "avg@4"):
        parts = [found[group, metric].estimate for group in ("easy", "hard")]
        assert (
            mean_of(found, metric).estimate == pytest.approx(np.mean(parts))
            and mean_of(found, metric).questions == 6
        )


def test_the_error_is_that_of_a_mean_of_independent_means():
    found = score(DATA, "pass@1", by="task")
    parts = [found[group, "pass@1"].stderr for group in ("easy", "hard")]
    assert mean_of(found, "pass@1").stderr == pytest.approx(np.hypot(*parts) / 2)
    assert mean_of(found, "pass@1").stderr_kind.endswith("groups fixed")


def test_an_average_over_unequal_samples_goes_by_n():
    found = score(rows(easy=(4, [4, 3]), hard=(8, [0, 1])), "avg@n", by="task")
    row = mean_of(found, "avg@n")
    assert row.estimate == pytest.approx((7 / 8 + 1 / 16) / 2) and (row.n_min, row.n_max) == (4, 8)


def test_both_targets_are_averaged():
    row = mean_of(score(DATA, "pass@1", by="task", target="both"), "pass@1")
    assert row.again is not None and row.low < row.again.low < row.estimate


def test_what_is_known_of_a_mean_of_groups():
    lost = [
        dict(task="easy", question="late", sample=s, correct=c) for s, c in enumerate((1, None, 0))
    ]
    found = score(
        [*rows(easy=(4, [4, 3]), hard=(8, [2, 1, 0])), *lost],
        ["avg@n", "pass@2"],
        by="task",
        missing="wrong",
        interval="t",
    )
    row = mean_of(found, "pass@2")
    assert (row.questions, row.missing, row.n_min, row.n_max, row.k, row.model) == (
        6,
        1,
        3,
        8,
        2,
        "",
    )
    assert row.estimator == found["easy", "pass@2"].estimator and (
        row.interval.method.name,
        row.interval.level,
    ) == ("t", 0.95)
    assert row.stderr_kind == "over questions, groups fixed"
    assert mean_of(score(DATA, "pass@1", by="task"), "pass@1").interval.method.strata
    average = mean_of(found, "avg@n")
    assert average.k is None
    assert average.estimate == pytest.approx(np.mean([(1 + 0.75 + 1 / 3) / 3, (2 / 8 + 1 / 8) / 3]))
    assert mean_of(
        score(rows(easy=(4, [4, 3]), hard=(4, [0, 1])), "avg@n", by="task"), "avg@4"
    ).estimate == pytest.approx(0.5)


def test_noise_that_some_groups_lack():
    mixed = rows(easy=(4, [4, 3, 1]), hard=(1, [0, 1]))
    found = score(mixed, "avg@n", by="task", target="same_questions")
    row = mean_of(found, "avg@n")
    assert (
        row.estimate == pytest.approx((2 / 3 + 1 / 2) / 2)
        and row.stderr is None
        and row.low is row.high is None
    )
    assert (row.questions, row.n_min, row.n_max) == (5, 1, 4)
    one = average_estimates([found["easy", "avg@4"].source, found["hard", "avg@1"].source])
    assert (
        isinstance(one, tuple)
        and one[0].reason == "the noise of the samples is known in some groups only"
    )
    assert one[0].stderr_kind == found["easy", "avg@4"].stderr_kind and one[0].k is None
    both = mean_of(score(mixed, "avg@n", by="task", target="both"), "avg@n")
    assert both.low is not None and both.again is None


def test_second_intervals_where_every_group_has_one():
    loaded = load(DATA, Options.of(dict(by="task")))
    asked = ScoreRequest("pass@k", [1, 2], "expected", Style(target="both"))
    curves, _ = asked.measure_all(loaded, asked.choose_all(loaded)[0])
    parts = [curve for curve in curves if curve.group in ("easy", "hard")]
    families = gather_members(parts)
    assert [one.again.value for one in families["pass@2"].values()] == [
        curve.again[1].value for curve in parts
    ]
    first, second = average_groups(parts)
    assert first.again is not None and second.again is not None and first.estimates[0].k == 1
    from dataclasses import replace

    bare = [parts[0], replace(parts[1], again=None)]
    assert [one.again for one in average_groups(bare)] == [None, None]


# The same samples under several gradings, side by side as systems.

LOGS = Path(__file__).parent / "logs" / "lm_eval" / "mock"
CHOICES = str(LOGS / "samples_facts_mc_2026-11-21T10-05-01.592126.jsonl")
TEXTS = str(LOGS / "samples_arith_gen_2026-11-21T10-05-01.592126.jsonl")
ROWS = [dict(q=q, strict=int(q == 0), loose=int(q < 2), draw=d) for q in range(3) for d in range(2)]


def run(*words):
    "The parsed words of a command."
    return make_parser().parse_args(list(words))


def test_two_scores_of_a_log_are_two_systems():
    found = compare(CHOICES, score=["acc", "acc_norm"])
    assert found.names == ("acc", "acc_norm") and found["pass@1"].questions == 4
    alone = [score(CHOICES, "pass@1", score=name)["pass@1"].estimate for name in found.names]
    assert [found["pass@1"].a, found["pass@1"].b] == alone
    assert found.read[""].gradings == ("acc", "acc_norm") and found.read[""].same_samples


def test_two_filters_and_two_judges():
    found = compare(TEXTS, filter=["strict-match", "flexible-extract"])
    assert found.names == ("strict-match", "flexible-extract")
    assert (found["pass@1"].a, found["pass@1"].b) == (pytest.approx(2 / 3), 1)
    judged = score(TEXTS, "pass@1", filter="strict-match", grade=["exact", "number"])
    assert [row.model for row in judged.rows] == ["exact", "number"]


def test_columns_of_a_table(tmp_path):
    found = score(ROWS, "pass@1", correct=["strict", "loose"], question="q", sample="draw")
    assert found.estimates() == {"strict": {"pass@1": 1 / 3}, "loose": {"pass@1": 2 / 3}}
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    frame = pandas.DataFrame(ROWS)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    relation = duckdb.sql("FROM frame")
    for origin in frame, str(tmp_path / "rows.csv"), relation:
        again = score(origin, "pass@1", correct=["strict", "loose"], question="q", sample="draw")
        assert again.estimates() == found.estimates()
        assert again.questions["question"].tolist() == [0, 1, 2] * 2


def test_models_keep_their_names_where_they_are_several():
    rows = [row | dict(m=m) for row in ROWS for m in "xy"]
    found = score(rows, "pass@1", correct=["strict", "loose"], question="q", model="m")
    assert {row.model for row in found.rows} == {"x strict", "y strict", "x loose", "y loose"}
    one = score(rows, "pass@1", correct=["strict"], question="q", model="m")
    assert {row.model for row in one.rows} == {"x", "y"}


def test_refusals():
    with pytest.raises(
        ValueError, match="only one option may hold several gradings, got score= and filter="
    ):
        score(TEXTS, score=["a", "b"], filter=["c", "d"])
    with pytest.raises(ValueError, match="score must name each grading once, got .'acc', 'acc'."):
        score(CHOICES, score=["acc", "acc"])
    with pytest.raises(ValueError, match="correct must name each grading once, got .."):
        score(ROWS, correct=[])
    mixed = dict(question=[1, 1, 2], a=[1, 0, 1], f=[0.3, 0.4, 0.5])
    with pytest.raises(
        ValueError, match="must all say right or wrong.*'a'.*and 'f' .a score.; pass threshold="
    ):
        score(mixed, score=["a", "f"], correct=False)
    with pytest.raises(ValueError, match="correct= is for files and frames"):
        score([[1, 0]], correct=["a", "b"])
    with pytest.raises(ValueError, match="score= is for data that are still to be read"):
        score(read(CHOICES, score="acc"), score=["acc", "acc_norm"])


def test_the_command_repeats_the_option(capsys):
    asked = run("compare", CHOICES, "--score", "acc", "--score", "acc_norm")
    assert (
        asked.score == ["acc", "acc_norm"]
        and run("score", CHOICES, "--score", "acc").score == "acc"
    )
    from sampling_eval.cli import finish

    assert finish(asked) == 0 and "acc and acc_norm are equal in pass@1" in capsys.readouterr().out
    assert finish(run("describe", CHOICES, "--score", "acc", "--score", "acc_norm")) == 0
    assert capsys.readouterr().out.rstrip().endswith("--score acc --score acc_norm")


# Columns of right samples

COUNTS = [dict(id=f"q{q}", n=8, base=q % 9, tuned=(3 * q) % 9) for q in range(12)]


def test_two_columns_of_right_samples_are_two_systems():
    found = compare(COUNTS, correct=["base", "tuned"])
    assert found.names == ("base", "tuned")
    apart = [[dict(id=row["id"], n=8, c=row[name]) for row in COUNTS] for name in found.names]
    alone = compare(*apart)
    for mine, theirs in zip(found.rows, alone.rows, strict=True):
        assert (mine.a, mine.b, mine.low, mine.high) == (
            theirs.a,
            theirs.b,
            theirs.low,
            theirs.high,
        )
        assert (mine.again.low, mine.again.high) == (theirs.again.low, theirs.again.high)
    assert found.read[""].gradings == ("base", "tuned") and not found.read[""].same_samples


def test_a_named_column_of_0_and_1_beside_several_samples_is_refused():
    unclear = [dict(id=f"q{q}", n=8, base=q % 2) for q in range(6)]
    with pytest.raises(
        ValueError, match="ambiguous: base could count the right ones of n samples or be"
    ):
        score(unclear, "pass@1", correct="base")
    assert score(unclear, "pass@1", correct="base", ignore="n")["pass@1"].estimate == 0.5
    with pytest.raises(ValueError, match="correct must be 0 or 1, got 9"):
        score([dict(id="a", n=8, base=9), dict(id="b", n=8, base=1)], correct="base")
