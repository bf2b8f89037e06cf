"Questions that give the interval of one system a half-width."

import numpy as np
import pytest
from scipy.stats import betabinom, binomtest

from conftest import command
from sampling_eval import Counts, load_result, plan, score, WidthPlan
from sampling_eval.examples import example_path
from sampling_eval.inference.extrapolation import BetaDistribution
from sampling_eval.inference.planning import Components
from sampling_eval.inference.quantiles import t_quantile
from sampling_eval.inference.widths import (
    question_values, questions_for_width, typical_interval)
from sampling_eval.inference.population import population_of
from sampling_eval.foundations.credit import any_credit, share_credit


@pytest.mark.parametrize(
    "needed, found",
    [
        (1, 2),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (1023, 1023),
        (1024, 1024),
        (1025, 1025),
        # Beyond the last power of two below the most.
        (2**26 + 1, 2**26 + 1),
        (10**8 - 1, 10**8 - 1),
        (10**8, 10**8),
        (10**8 + 1, None),
    ],
)
def test_the_fewest_questions_up_to_the_most(needed, found):
    asked = []

    def interval(questions):
        asked.append(questions)
        return 0.25, 0.25 + 0.5 * (questions < needed) + 0.5

    assert questions_for_width(interval, 0.25) == found and max(asked) <= 10**8


@pytest.mark.parametrize("method", ["normal", "t"])
@pytest.mark.parametrize("chances", [[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]])
def test_a_typical_interval_by_hand(method, chances):
    low, high = typical_interval(np.arange(2.0), np.array(chances), 5, 0.025, method)
    mean = chances[1]
    half = t_quantile(0.025, 4 if method == "t" else np.inf) * (mean * (1 - mean) / 4) ** 0.5
    assert (low, high) == pytest.approx((max(mean - half, 0), min(mean + half, 1)), rel=1e-12)
    assert (low == 0, high == 1) == (mean - half < 0, mean + half > 1)


@pytest.mark.parametrize("right, questions", [(5, 10), (0, 7), (3, 40)])
def test_a_typical_interval_of_right_and_wrong_is_binomial(right, questions):
    share = right / questions
    found = typical_interval(np.arange(2.0), np.array([1 - share, share]), questions, 0.05)
    assert found == pytest.approx(tuple(binomtest(right, questions).proportion_ci(0.9)), abs=1e-7)


@pytest.mark.parametrize("a, b", [(1, 1), (2, 1), (0.5, 3)])
@pytest.mark.parametrize("n", [1, 4])
def test_what_a_question_can_be_estimated_as(n, a, b):
    "Questions of Beta difficulty have right samples by a beta-binomial law."
    system = population_of(1, share_credit, [n], BetaDistribution(a, b))
    values, chances = question_values(system, n)
    assert values == pytest.approx(np.arange(n + 1) / n)
    assert chances == pytest.approx(betabinom.pmf(np.arange(n + 1), n, a, b), abs=2e-3)
    either = population_of(2, any_credit, [2], BetaDistribution(a, b))
    values, chances = question_values(either, 2)
    assert values.tolist() == [0, 1]
    assert chances[0] == pytest.approx(betabinom.pmf(0, 2, a, b), abs=2e-3)


def half(row):
    return (row.high - row.low) / 2


def test_single_samples_take_what_clopper_and_pearson_do():
    found = plan(half_width=0.02, n=1)
    assert isinstance(found, WidthPlan) and found.method == "gaffke" and not found.pilot
    q = found.rows[0].questions
    wide = [
        np.ptp(binomtest(size // 2, size).proportion_ci(0.95)) / 2 for size in (q - 20, q, q + 20)
    ]
    assert wide[0] > 0.02 > wide[2] and wide[1] == pytest.approx(0.02, rel=1e-3)


@pytest.mark.parametrize(
    "half_width, metric, n",
    [(0.02, "pass@1", 4), (0.05, "pass@1", 2), (0.05, "pass@4", 8), (0.08, "pass^2", 4)],
)
def test_a_run_of_so_many_questions_is_about_so_wide(half_width, metric, n):
    row = plan(half_width=half_width, metrics=metric, n=n).rows[0]
    rng = np.random.default_rng(0)
    wide = [
        half(
            score(
                Counts([n] * row.questions, rng.binomial(n, rng.random(row.questions))), metric
            ).rows[0]
        )
        for _ in range(8)
    ]
    assert np.mean(wide) == pytest.approx(half_width, rel=0.03) and half(row) <= half_width


def test_a_pilot_says_how_questions_spread():
    "Half of the questions are always right, the others never: samples are worth nothing."
    sure, mixed = Counts([8] * 40, [8, 0] * 20), Counts([8] * 40, [4, 5, 3, 4] * 10)
    many, few = (plan(half_width=0.05, pilot=one, n=[1, 8]).rows for one in (sure, mixed))
    assert many[1].questions > 0.9 * many[0].questions and few[1].questions < 0.4 * few[0].questions
    found = plan(half_width=0.05, pilot=example_path("tau_bench"))
    assert (
        found.pilot
        and found.read
        and [row.samples for row in found.rows] == [1, 2, 4, 8, 16, 32, 64]
    )
    sizes = [row.questions for row in found.rows]
    assert sizes == sorted(sizes, reverse=True) and found.best == 0
    dear = plan(half_width=0.05, pilot=example_path("tau_bench"), cost_question=20)
    assert dear.best > 0 and dear.rows[dear.best].cost == min(row.cost for row in dear.rows)


def test_other_quantiles_and_levels():
    normal, t, exact = (
        plan(half_width=0.02, n=4, method=name).rows[0] for name in ("normal", "t", None)
    )
    assert (
        normal.questions <= t.questions < exact.questions
        and exact.usual == t.questions
        and t.usual is None
    )
    assert (
        plan(half_width=0.02, n=4, method="normal", confidence_level=0.8).rows[0].questions
        < 0.5 * normal.questions
    )
    beyond = plan(half_width=1e-5)
    assert beyond.best is None
    assert beyond.to_text().startswith("More than 100,000,000 questions are needed for a 95 % CI")
    given = population_of(1, any_credit, [4])
    assert plan(half_width=0.02, pilot=given, n=4).rows[0].questions == exact.questions


@pytest.mark.parametrize(
    "given, said",
    [
        (
            dict(half_width=2),
            "half_width must lie between 0 and 0.5, got 2; 2 points are half_width=0.02",
        ),
        (dict(half_width=0), "must lie between 0 and 0.5, got 0"),
        (dict(half_width=0.02, delta=0.1), "half_width asks for the questions of one"),
        (dict(half_width=0.02, budget=100), "budget as well"),
        (dict(half_width=0.02, minimum={"pass@1": 0.8}), "minimum as well"),
        (dict(half_width=0.02, target="same_questions"), "a width is planned for new questions"),
        (dict(half_width=0.02, metrics="maj@8"), "follows from the number of right samples"),
        (
            dict(half_width=0.02, pilot=Components(0.1, np.array([0.1]), np.array([1]))),
            "variances alone",
        ),
        (dict(half_width=0.02, pilot=[[1], [0]]), "a pilot needs a question with two samples"),
        (dict(half_width=0.02, metrics="pass@8", n=4), "need samples >= k"),
    ],
)
def test_what_is_refused(given, said):
    with pytest.raises((ValueError, TypeError), match=said):
        plan(**given)


def test_a_judge_keeps_its_half_width():
    assert plan(0.1, judge=(0.93, 0.9), method="normal").judging.half_width == 0.05
    assert plan(0.1, judge=(0.93, 0.9), method="normal", half_width=0.2).judging.half_width == 0.2


def test_at_the_command(tmp_path):
    told = command("plan", "--half-width", ".02", "-n", "4")
    said = (
        "About 1,249 questions at 4 samples each give a 95 % CI of ± 2.0 points for pass@1, where"
        " that is near 50.0 %."
    )
    assert told.returncode == 0 and " ".join(told.stdout.split()).startswith(said)
    assert "No pilot: assumes uniformly distributed difficulty." in told.stdout
    path = tmp_path / "w.json"
    for words in ([], [example_path("tau_bench"), "-m", "pass^4"]):
        assert command("plan", *words, "--half-width", ".05", "-o", path).returncode == 0
        found = load_result(path)
        assert (
            isinstance(found, WidthPlan)
            and found.to_html()
            and found.to_latex()
            and found.methods()
        )
        assert len(found.to_frame("pandas")) == len(found.rows)
    refused = command("plan", "--half-width", ".05", "--run-list", path)
    assert refused.returncode == 2 and "a list of questions needs an earlier run" in refused.stderr
