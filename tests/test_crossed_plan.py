"`plan` of groups that are drawn: the half-width by hand, the fewest that do, what is refused."

import csv
import json
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import t as student

from conftest import command
from frozen_answers import CROSSED
from sampling_eval import crossed_mean, GroupPlan, plan, score

ASKED = dict(pilot=CROSSED, by="prompt", crossed=True)


def draw(questions, prompts, seed=0):
    "A table in which questions, prompts and cells vary."
    rng = np.random.default_rng(seed)
    rows = rng.normal(0, 2, (questions, 1)) + rng.normal(0, 1, prompts)
    return rows + rng.normal(0, 1, (questions, prompts))


@pytest.mark.parametrize("shape", [(5, 3), (8, 6), (30, 4)])
def test_at_its_own_size_it_is_the_interval(shape):
    found = crossed_mean(draw(*shape))
    assert found.unbiased_variance == found.variance, "not the larger of two"
    own = found.confidence_interval(0.9)
    assert found.half_width_at(*shape, 0.9) == pytest.approx((own.high - own.low) / 2, rel=1e-12)


def test_other_sizes_by_hand():
    "Expected mean squares in fractions: 12, 8 and 3 of 4 questions by 3 prompts."
    table = draw(4, 3)
    found = crossed_mean(table)
    squares = [Fraction(one) for one in (found.MSQ, found.MSP, found.MSI)]
    question, prompt = (squares[0] - squares[2]) / 3, (squares[1] - squares[2]) / 4
    assert question > 0 and prompt > 0
    q, p = 10, 7
    parts = squares[2] + p * question, squares[2] + q * prompt, squares[2]
    whole = parts[0] + parts[1] - parts[2]
    df = whole**2 / sum(o**2 / n for o, n in zip(parts, (q - 1, p - 1, (q - 1) * (p - 1))))
    wanted = student.ppf(0.975, float(df)) * float(whole / (q * p)) ** 0.5
    assert found.half_width_at(q, p) == pytest.approx(wanted, rel=1e-12)
    assert found.variance_at(q, p) == pytest.approx(float(whole / (q * p)), rel=1e-12)
    assert crossed_mean(np.full((4, 3), 0.5)).half_width_at(q, p) == 0
    assert found.half_width_at(2, 7) > found.half_width_at(3, 7)
    assert found.half_width_at(q, 2) > found.half_width_at(q, 3)
    for size, said in ((4, 1), "prompts"), ((1, 4), "questions"):
        with pytest.raises(ValueError, match=f"need {said} >= 2, got 1"):
            found.half_width_at(*size)
    with pytest.raises(ValueError, match="fixed prompts have no other number"):
        crossed_mean(table, prompts="fixed").half_width_at(4, 3)


def test_fewer_groups_do_not_do():
    for half_width, questions in (0.2, None), (0.1, 60), (0.04, 300), (0.03, 300):
        found = plan(half_width=half_width, questions=questions, metrics="pass@2", **ASKED)
        assert isinstance(found, GroupPlan) and found.questions == (questions or 7)
        widths = {row.groups: row.half_width for row in found.rows}
        assert widths[found.fewest] <= half_width and {4, 8, 16, 32} <= set(widths)
        less = plan(
            half_width=half_width - 1e-9, questions=questions, metrics="pass@2", **ASKED
        )
        assert less.fewest is None or less.fewest >= found.fewest
        fewer = GroupPlan.from_dict(json.loads(json.dumps(found.to_dict())))
        assert str(fewer) == str(found) and f"About {found.fewest} values" in str(found)
    report = score(CROSSED, "pass@2", by="prompt", crossed=True)
    row = report.crossed.rows[0]
    found = plan(half_width=0.2, metrics="pass@2", **ASKED)
    assert (found.value, found.share) == (row.estimate, pytest.approx(row.share))


def test_no_number_of_prompts_makes_up_for_questions():
    found = plan(half_width=0.05, **ASKED)
    assert found.fewest is None and found.floor > 0.05
    assert "No number of values of prompt gives a 95 % CI of ± 5.0 points" in " ".join(
        str(found).split()
    )


@pytest.mark.parametrize(
    "more, said",
    [
        (dict(crossed=False), "groups are planned where they are drawn as questions are"),
        (dict(half_width=None), "got no half_width"),
        (dict(pilot=None), "got no pilot"),
        (dict(by=None), "got no by"),
        (dict(delta=0.1), "got delta as well"),
        (dict(n=4), "got n as well"),
        (dict(method="t"), "got method as well"),
        (dict(judge=(0.9, 0.9)), "got judge as well"),
        (dict(half_width=0.7), "half_width must lie between 0 and 0.5"),
        (dict(pilot=[row for row in CROSSED if row["prompt"] in ("p0", "p1")]), "three at least"),
        (dict(pilot=CROSSED[:-3]), "every group needs every question once"),
        (dict(pilot=[row | dict(correct=1) for row in CROSSED]), "neither questions nor groups"),
        (dict(metrics="maj@2"), "planning needs a metric that follows from"),
        (dict(metrics="pass@4"), "k <= n"),
    ],
)
def test_what_is_refused(more, said):
    with pytest.raises(ValueError) as told:
        plan(**dict(half_width=0.1, **ASKED) | more)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "more, instead",
    [
        (dict(n=4), "each group is asked as often as in the pilot"),
        (dict(method="t"), "the CI is that of t"),
        (dict(budget=40), "questions says how many questions there will be"),
        (dict(pilot_b=CROSSED), "questions says how many questions there will be"),
    ],
)
def test_what_stands_beside_groups_is_refused_as_of_groups(more, instead):
    with pytest.raises(ValueError) as told:
        plan(half_width=0.1, **ASKED, **more)
    assert str(told.value) == (
        "crossed plans how many groups, such as prompts, give one system half_width, "
        f"got {next(iter(more))} as well; leave it out; {instead}"
    )


def test_the_command(tmp_path):
    with (path := tmp_path / "run.csv").open("w", newline="") as out:
        lines = csv.DictWriter(out, CROSSED[0])
        lines.writeheader()
        lines.writerows(CROSSED)
    words = "plan", path, "--half-width", ".1", "--by", "prompt", "--crossed"
    told = command(*words, "--questions", "60", "-f", "json")
    assert told.returncode == 0, told.stderr
    wanted = plan(half_width=0.1, questions=60, **ASKED)
    assert json.loads(told.stdout)["fewest"] == wanted.fewest
    shown = command(*words)
    assert "No number of values of prompt" in shown.stdout and shown.returncode == 0
    for form in "csv", "md", "html", "tex":
        assert command(*words, "-o", tmp_path / f"plan.{form}").returncode == 0
    assert (tmp_path / "plan.csv").read_text().splitlines()[0] == "groups,half_width"
