"`plan`: how many questions, how many samples, which difference is detected."

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from printed import check_text
from sampling_eval import Counts, plan
from sampling_eval.inference.planning import Components
from sampling_eval.results import load_result
from sampling_eval.analyses.plan.result import PowerAnalysis

TABLE = np.genfromtxt(
    Path(__file__).parents[1] / "sampling_eval" / "examples" / "deepscaler32k_counts.csv",
    delimiter=",",
    names=True,
    dtype=None,
    encoding="utf-8",
)
BASE, RL = (Counts(TABLE["n"], TABLE[name], TABLE["question_id"]) for name in ("c_base", "c_rl"))
MILLER = Components(1 / 9, np.array([0.0]), np.array([1]), "Miller's example")
TWO = Components(0.1, np.array([0.2, 0.05]), np.array([1, 4]), "given")


def flat(result):
    return " ".join(repr(result).split())


LEFT, SIDE = Counts([4] * 8, [0, 1, 2, 3, 4, 4, 2, 1]), Counts([4] * 8, [1, 0, 3, 1, 4, 3, 3, 2])
SMALL = {
    "difference without a pilot": dict(delta=0.1),
    "one pilot": dict(delta=0.1, pilot=LEFT),
    "two pilots": dict(delta=0.1, pilot=LEFT, pilot_b=SIDE),
    "questions at a correlation": dict(questions=50, pilot=LEFT, correlation=0.3, n=2),
    "two models of one pilot": dict(
        delta=0.15,
        pilot=[
            dict(model=model, question=q, correct=int(s < c))
            for model, side in (("x", LEFT), ("y", SIDE))
            for q, c in enumerate(side.c)
            for s in range(4)
        ],
    ),
    "budget": dict(budget=1000, cost_question=2, cost_sample=3, pilot=LEFT, pilot_b=SIDE),
    "budget without prices": dict(budget=1000, cost_question=None, cost_sample=None),
    "too few questions": dict(delta=0.02, questions=60, pilot=LEFT, pilot_b=SIDE),
    "these again": dict(delta=0.05, questions=100, target="same_questions"),
    "t at another level": dict(
        delta=0.1, power=0.9, confidence_level=0.9, method="t", metrics="pass@2", n=[2, 8]
    ),
    "budget, fixed cost": dict(budget=1_000, pilot=LEFT, cost_question=1.5, cost_sample=0.5),
    "enough questions": dict(delta=0.12, questions=40, pilot=LEFT, power=0.15),
}


@pytest.mark.parametrize("name", SMALL)
def test_all_of_a_small_plan(name):
    found = plan(**dict(method="normal", n=[1, 4]) | SMALL[name])
    shown = repr(found) if name in ("one pilot", "two pilots") else found.to_text(how=True)
    check_text(f"plan {name}", shown, found.to_json())
    assert max(map(len, shown.splitlines())) <= 80
    assert load_result_text(found) == found and pickle.loads(pickle.dumps(found)) == found


def load_result_text(found):
    return PowerAnalysis.from_json(found.to_json())


# Numbers of a real benchmark.


def test_two_pilots_know_that_systems_move_together():
    alone, free = (
        plan(0.02, pilot=BASE, metrics="pass@8", n=[8, 16, 32], method=method)
        for method in (None, "assumption-free")
    )
    both = plan(0.02, pilot=BASE, pilot_b=RL, metrics="pass@8", n=[8, 16, 32])
    # The first is exact; another version of numpy draws other numbers, whose error the screen
    # tells.
    assert free.questions[0] == 6386
    np.testing.assert_allclose(free.questions, [6386, 5680, 5417], rtol=0.02)
    np.testing.assert_allclose(alone.questions, [6388, 5600, 5340], rtol=0.02)
    np.testing.assert_allclose(both.questions, [1245, 634, 429], rtol=0.02)
    assert (both.pilots, alone.pilots) == (2, 1) and both.alignment.common == 1060


def test_a_simulated_number_says_how_far_another_seed_moves_it():
    seeds = [plan(0.02, pilot=BASE, metrics="pass@8", n=[16], rng=seed) for seed in range(5)]
    found = [one.questions[0] for one in seeds]
    assert np.std(found, ddof=1) / np.mean(found) < 0.02
    assert "another seed moves the numbers by about 2 %." in flat(seeds[0])
    exact = plan(0.02, pilot=BASE, metrics="pass@8", n=[8], method="assumption-free")
    assert exact.error == 0 and "computed exactly" in flat(exact)
    given = plan(0.02, questions=5000, pilot=BASE, metrics="pass@8", n=[16])
    assert "simulated with a standard error of 0.8 points." in flat(given)


def test_without_a_pilot_it_is_said():
    found = plan(questions=198, n=[1, 10])
    np.testing.assert_allclose(found.delta, [0.1441, 0.0883], atol=1e-3)
    strict = plan(questions=198, n=[1, 10], method="assumption-free")
    np.testing.assert_allclose(strict.delta, [0.1441, 0.0940], atol=1e-3)
    assert found.pilots == 0 and "No pilot: assumes uniformly distributed difficulty." in flat(
        found
    )


def test_samples_are_the_budget_and_its_doubles():
    assert plan(0.05, pilot=BASE, metrics="pass@2", method="normal").samples.tolist() == [
        2,
        4,
        8,
        16,
        32,
        64,
        128,
    ]
    six = Counts([6] * 8, [0, 1, 2, 3, 6, 4, 2, 1])
    assert plan(0.2, pilot=six, metrics="pass@2", method="normal").samples.tolist() == [
        2,
        4,
        6,
        8,
        16,
        32,
        64,
        128,
    ]
    assert plan(0.2, pilot=six, metrics="pass@2", method="normal", n=[3, 2]).samples.tolist() == [
        3,
        2,
    ]
    uneven = plan(
        0.2,
        pilot=six,
        pilot_b=Counts([5] * 8, six.c - (six.c == 6)),
        metrics="pass@2",
        method="normal",
    )
    assert uneven.piloted is None and 6 not in uneven.samples


def test_a_correlation_is_assumed_or_in_the_data():
    loose, tight = (
        plan(0.02, pilot=BASE, correlation=r, n=[1], method="normal").questions[0] for r in (0, 0.9)
    )
    assert tight < loose
    for given in (
        dict(pilot=BASE, pilot_b=RL),
        dict(pilot=Components(1 / 9, np.array([0.0]), np.array([1]))),
    ):
        with pytest.raises(ValueError, match="got correlation= as well"):
            plan(0.02, correlation=0.5, **given)
    with pytest.raises(ValueError, match="pilot_b goes with pilot"):
        plan(0.02, pilot_b=RL)


def test_the_metric_needs_a_law_and_a_budget():
    assert plan(0.3, metrics="avg@n", n=[1], method="normal").metric == "avg@1"
    for name, said in (
        (
            "maj@8",
            (
                "follows from the number of right samples, got maj@8; known are pass@k, pass.k,"
                " avg@n, cons@k, mg-pass@k$"
            ),
        ),
        ("pass@k", "state the budget, as in 'pass@8', got 'pass@k'"),
        ({"own@k": None}, "write the metric as a name with its budget"),
        ("g-pass@k_tau", "metrics must be one metric, got "),
        (
            "g-pass@k",
            (
                "^metrics must be one metric, got 'g-pass@k_0.5', 'g-pass@k_0.75', 'g-pass@k_1.0';"
                " write one of them$"
            ),
        ),
        ("soft@n", "follows from the number of right samples, got soft@n"),
    ):
        with pytest.raises(ValueError, match=said):
            plan(0.02, metrics=name)


def test_one_model_of_a_pilot():
    rows = [
        dict(model=m, question=q, correct=int(q + s < 3))
        for m in "xy"
        for q in range(4)
        for s in range(2)
    ]
    both = plan(0.2, pilot=rows, n=[1])
    assert both.correlation == pytest.approx(1) and both.alignment.common == 4
    assert plan(0.2, pilot=rows, models="x", n=[1]).correlation is None
    rows += [dict(row, model="z") for row in rows[:8]]
    with pytest.raises(ValueError, match="the pilot must hold one model, got 3"):
        plan(0.2, pilot=rows, n=[1])


def test_one_pilot_is_told_at_several_correlations():
    alone = plan(0.02, pilot=BASE, n=[1, 16], method="normal")
    assert [other.correlation for other in alone.others] == [0.5, 0.9]
    for other in alone.others:
        given = plan(0.02, pilot=BASE, n=[1, 16], correlation=other.correlation, method="normal")
        assert not given.others
        np.testing.assert_allclose(
            [row["questions"] for row in other.rows], given.questions, rtol=0.02
        )
    assert "if the systems are uncorrelated (" in flat(
        alone
    ) and "correlation between the systems is unknown" in flat(alone)


def test_where_no_samples_are_enough_questions_are_told():
    few = plan(0.02, pilot=BASE, pilot_b=RL, questions=100, n=[1, 16], method="normal")
    enough = plan(0.02, pilot=BASE, pilot_b=RL, n=[16], method="normal").questions[0]
    assert few.best is None and few.questions_needed == enough
    assert flat(few).startswith(
        "No: 100 questions at up to 16 samples each detect a true difference of 2 points in pass@1"
    )
    assert f"{enough:,} questions at 16 samples each would be enough." in flat(few)


@pytest.mark.parametrize(
    "asked",
    [dict(delta=0.05), dict(questions=300), dict(budget=5000), dict(delta=0.2, questions=500)],
)
@pytest.mark.parametrize("pilots", [{}, dict(pilot=BASE), dict(pilot=BASE, pilot_b=RL)])
def test_every_screen_fits_a_terminal(asked, pilots):
    found = plan(**asked, **pilots, n=[1, 8], method="normal")
    assert max(map(len, repr(found).splitlines())) <= 80
    assert "Methods" in found.to_text(how=True)


def test_pilots_that_tell_nothing():
    for pilot, said in (
        ([[1], [0]], "a question with two samples, .* got one sample of each of 2 questions"),
        (
            [[1, 0, 1]],
            "two questions at least, .* got one; without a pilot, plan assumes uniformly",
        ),
        ([[1, 1], [1, 1]], "right and wrong samples, got 4 right of 4"),
        (Counts([2, 2], [0, 0]), "right and wrong samples, got 0 right of 4"),
    ):
        with pytest.raises(ValueError, match=f"a pilot needs {said}"):
            plan(0.05, pilot=pilot)
    with pytest.raises(ValueError, match="a pilot needs a question with two samples"):
        plan(0.1, pilot=LEFT, pilot_b=Counts([1] * 8, [0, 1] * 4))
    assert plan(0.1, pilot=Counts([1, 2], [0, 1]), method="normal", n=[1]).piloted is None


def test_groups_that_are_not_planned_for_are_said():
    rows = [
        dict(question=q, correct=int(q + s < 3), task=q // 2) for q in range(4) for s in range(2)
    ]
    found = plan(0.2, pilot=rows, n=[1], cluster="task")
    assert (
        found.clustered
        and "Clusters are not used" in flat(found)
        and not plan(0.2, pilot=rows, n=[1]).clustered
    )


@pytest.mark.parametrize(
    "name, k, want",
    [
        (None, None, "pass@1"),
        ("pass@2", None, "pass@2"),
        (None, 4, "pass@4"),
        ("pass^k", np.int64(2), "pass^2"),
        ("g-pass@k_0.5", 4, "g-pass@4_0.5"),
        ("cons@k", [3], "cons@3"),
    ],
)
def test_a_budget_may_stand_beside_the_name(name, k, want):
    assert plan(0.2, metrics=name, k=k, method="normal").metric == want


@pytest.mark.parametrize(
    "name, k, said",
    [
        ("pass@2", 2, "^'pass@2' states its budget, or has none, got k=2 as well$"),
        ("avg@n", 2, "states its budget, or has none, got k=2"),
        ("g-pass@k", 2, "states its budget, or has none"),
        ("pass@k", [1, 2], r"^a plan is for one budget, got k=\[1, 2\]$"),
        (None, 0, "need k >= 1"),
    ],
)
def test_budgets_that_are_refused(name, k, said):
    with pytest.raises(ValueError, match=said):
        plan(0.05, metrics=name, k=k)


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(delta=9e-5), "need delta >= 0.0001, got 9e-05"),
        (dict(questions=10**10 + 1), "need questions <= 10,000,000,000, got"),
        (dict(delta=10**400), "need delta between"),
        (dict(), "give delta, questions, both, or budget"),
    ],
)
def test_plans_that_have_no_end(given, said):
    with pytest.raises(ValueError, match=said):
        plan(**given)


# Small pilots by hand.


@pytest.mark.parametrize("method", [None, "normal", "t"])
def test_a_difference_that_no_system_can_have(method):
    with pytest.raises(ValueError, match="need delta < 0.531, the farthest that a system can lie"):
        plan(0.9, pilot=LEFT, method=method, n=[1, 4])


def test_variances_of_a_pilot_by_hand():
    found = plan(0.1, pilot=LEFT, method="normal", n=[1, 4]).components
    within = np.mean(LEFT.c * (4 - LEFT.c) / 12)
    between = np.var(LEFT.c / 4, ddof=1) - within / 4
    assert found.within.tolist() == pytest.approx([2 * within, within / 2])
    assert found.between == pytest.approx(2 * between)
    both = plan(0.1, pilot=LEFT, pilot_b=SIDE, method="normal", n=[1, 4])
    own = [np.mean(side.c * (4 - side.c) / 12) for side in (LEFT, SIDE)]
    assert both.components.within.tolist() == pytest.approx([sum(own), sum(own) / 4])
    assert both.components.between == pytest.approx(
        np.var((LEFT.c - SIDE.c) / 4, ddof=1) - sum(own) / 4
    )


def test_pilots_on_other_questions():
    later = Counts([4] * 8, SIDE.c, range(1, 9))
    with pytest.raises(ValueError, match="must cover the same questions"):
        plan(0.1, pilot=LEFT, pilot_b=later, n=[1])
    found = plan(0.1, pilot=LEFT, pilot_b=later, n=[1], on_unmatched="drop", method="normal")
    assert found.alignment.common == 7 and found.alignment.left_out == 2
    assert "left out: 1 only in A ('0') and 1 only in B ('8')." in flat(found)


def test_variances_in_place_of_a_pilot():
    found = plan(0.03, pilot=MILLER, method="normal")
    assert (found.pilots, found.read, found.others, found.piloted) == (None, {}, (), None)
    assert found.questions.tolist() == [969] and found.components.source == "Miller's example"
    fixed = plan(0.05, pilot=TWO, method="normal", target="same_questions")
    assert fixed.questions.tolist() == [628, 157] and "between" not in fixed.to_text(how=True)
    frame = fixed.to_frame("pandas")
    assert list(frame.columns) == [
        "samples",
        "questions",
        "delta",
        "power",
        "cost",
        "between_share",
    ]


# Forms.

FOUND = plan(0.1, pilot=LEFT, method="normal", n=[1, 4])


def test_what_is_not_achievable():
    never = replace(FOUND, delta=np.array([np.nan, np.nan]), best=None)
    assert never.to_dict()["delta"] == [None, None] and "NaN" not in never.to_json()
    again = load_result_text(never)
    assert again == never and np.isnan(again.delta).all() and again.best is None
    assert flat(never).startswith(
        "A true difference of 10 points in pass@1 with 80 % power: not achievable."
    )
    for asked, goal, said in (
        (dict(questions=50), "questions", "and 50 questions: not achievable."),
        (dict(questions=None, budget=900), "budget", "and a budget of 900: not achievable."),
    ):
        assert said in flat(replace(never, goal=goal, asked=dict(delta=None, budget=None) | asked))


def test_a_plan_from_a_file(tmp_path):
    (path := tmp_path / "plan.json").write_text(FOUND.to_json())
    again = load_result(path)
    assert again == FOUND and repr(again) == repr(FOUND) and again.to_html() == FOUND.to_html()
    assert again.power_at(0, 0.1, 40) == FOUND.power_at(0, 0.1, 40)
    assert list(json.loads(FOUND.to_json()))[:4] == ["kind", "metric", "goal", "asked"]


def test_json_does_not_hold_the_population():
    simulated = plan(0.4, questions=20, n=[1])
    assert simulated.population is not None and simulated.method == "interval"
    again = load_result_text(simulated)
    assert again == simulated and '<figure class="chart">' not in again.to_html()
    with pytest.raises(ValueError, match="JSON does not hold the simulated population"):
        again.plot()


def test_every_form_has_the_same_cells():
    cells = ["4", "237", "10.0", "80.0 %", "948", "79 %"]
    row = next(one for one in FOUND.to_markdown().splitlines() if one.startswith("| 4 |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[0] == "4" and len(cells) == 6
    assert " & ".join(cells).replace("%", r"\%") + r" \\" in FOUND.to_latex().splitlines()
    page = FOUND.to_html()
    assert "".join(f"<td>{cell.replace(' %', '&nbsp;%')}</td>" for cell in cells) in page
    assert (
        page.count('<figure class="chart">') == 1
        and "questions (true difference 10.0 points)" in page
    )


def test_a_correlation_beyond_1_is_told_as_1():
    for told, said in ((1.2, "1.00"), (-1.2, "-1.00"), (0.333, "0.33")):
        assert f"over the pilot's questions: {said}." in flat(
            replace(FOUND, correlation=told, others=())
        )


def test_what_other_correlations_change():
    first, last = FOUND.others
    assert f"({last.rows[0]['questions']} questions if their correlation is 0.9)." in flat(FOUND)
    none = replace(last, rows=())
    assert f"({first.rows[0]['questions']} questions if their correlation is 0.5)." in flat(
        replace(FOUND, others=(first, none))
    )
    same = replace(
        last, rows=tuple(row | dict(questions=int(FOUND.questions[0])) for row in last.rows)
    )
    for others in (), (first, same), (none,):
        assert "10 points in pass@1 with 80 % power." in flat(replace(FOUND, others=others))


@pytest.mark.parametrize(
    "asked, goal, error, wanted, said",
    [
        # Density at the power, and reach of the interval: .02 / (.28 * 2.8) is 2.55 %, for
        # questions twice that.
        (dict(delta=0.1), "delta", 0.02, 0.8, "another seed moves the numbers by about 5 %."),
        (dict(questions=9), "questions", 0.02, 0.8, "another seed moves the numbers by about 3 %."),
        (dict(budget=9), "budget", 0.02, 0.5, "another seed moves the numbers by about 3 %."),
        (
            dict(delta=0.1, questions=9),
            "both",
            0.0071,
            0.8,
            "simulated with a standard error of 0.7 points.",
        ),
        (dict(delta=0.1), "delta", 0.0, 0.8, "computed exactly."),
    ],
)
def test_how_far_another_seed_moves_a_plan(asked, goal, error, wanted, said):
    asked = dict(delta=None, questions=None, budget=None) | asked
    assert said in flat(
        replace(FOUND, asked=asked, goal=goal, error=error, wanted=wanted, method="interval")
    )


def test_power_over_the_true_difference():
    ax = plan(0.2, pilot=LEFT, method="normal", n=[1]).plot()
    questions = [int(one.get_text().split()[0]) for one in ax.get_legend().get_texts()]
    assert questions == [round(questions[1] / 2), questions[1], 2 * questions[1]]
    assert ax.get_title("left") == "pass@1, n = 1" and len(ax.lines[0].get_xdata()) == 50
    assert [0.8, 0.8] in [list(line.get_ydata()) for line in ax.lines] and ax.lines[0].get_xdata()[
        -1
    ] == pytest.approx(0.4)
