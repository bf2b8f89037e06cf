"Several metrics: the first decides at the full level, the others by Holm's correction."
import numpy as np
import pytest

from sampling_eval import compare
from sampling_eval.cli import finish, make_parser
from sampling_eval.inference.ranking import holm
from sampling_eval.results.comparison import PairwiseComparison
from sampling_eval.verbs.comparing import step_down

NAMES = ["pass@1", "pass@4", "pass^4", "cons@3"]


def draw(seed=0, better=0., questions=80, n=8):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 1, questions)
    return [(rng.random((questions, n)) < q[:, None]).astype(int) for q in (p, p**(1 - better))]


def test_the_primary_metric_is_judged_as_if_alone():
    a, b = draw(better=.45)
    several, alone = compare(a, b, NAMES), compare(a, b, "pass@1")
    assert several.primary == "pass@1" and several["pass@1"].to_dict() == alone["pass@1"].to_dict()
    assert several.rows[0].interval.level == .95
    assert [row.a for row in several.rows] == [compare(a, b, name).rows[0].a for name in NAMES]


def test_others_are_at_the_levels_of_holm():
    a, b = draw(better=.45)
    found = compare(a, b, NAMES)
    assert {row.metric: row.interval.level for row in found.rows[1:]} == pytest.approx({
        "pass@4": 1 - .05 / 3, "cons@3": 1 - .05 / 3, "pass^4": .95})
    for row in found.rows[1:]:
        want = compare(a, b, row.metric, confidence_level=row.confidence_level).rows[0]
        assert (row.low, row.high) == pytest.approx((want.low, want.high), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_steps_reject_what_holm_rejects(seed):
    p = np.random.default_rng(seed).random(5)**3 * .1
    found = step_down(range(5), lambda place, level: p[place] <= 1 - level, bool, .95)
    assert [found[i] for i in range(5)] == [bool(o) for o in holm(p) <= .05]


def test_null_metrics_are_seldom_told_apart():
    false = 0
    for seed in range(20):
        found = compare(*draw(seed, questions=30, n=2), ["pass@1", "pass@2", "pass^2"])
        false += any(row.low > 0 or row.high < 0 for row in found.rows[1:])
    assert false <= 4


def test_screen_and_json_say_how():
    found = compare(*draw(better=.45), NAMES)
    said = " ".join(found.to_text().split())
    assert "pass@1 is the primary metric (95 %); the other 3 have wider CIs: Holm's correction for 3 metrics." in said
    assert "B is significantly better at pass@1, pass@4, cons@3; inconclusive at pass^4." in said
    assert "Same questions:" not in said and "k separately" not in said
    assert found.to_dict()["primary"] == "pass@1" and "Holm's correction for 3" in found.methods()
    assert PairwiseComparison.from_json(found.to_json()) == found
    sizes = [f"{name} {side}" for side in "AB" for name in ("n", "c", "missing")]
    values = [f"{name} {side}" for name in NAMES for side in ("A", "B", "B - A")]
    assert list(found.questions) == ["question", *sizes, *values]
    for told in found.to_html(), found.to_markdown(): assert "primary metric" in told
    assert compare(*draw(), "pass@1").primary == ""


def test_own_credits_may_be_among_them():
    found = compare(*draw(), {"pass@1": None, "twice@2": [0, 0, 1]})
    assert [row.metric for row in found.rows] == ["pass@1", "twice@2"]
    assert "the other one is judged by itself at the same level." in " ".join(found.to_text().split())


def test_refusals_name_the_way_out():
    a, b = draw()
    with pytest.raises(ValueError, match="each must be one number, got 'pass@k'; state the budget as in 'pass@1'"):
        compare(a, b, ["pass@1", "pass@k"])
    with pytest.raises(ValueError, match="named once, got 'pass@1' twice"): compare(a, b, ["pass@1", "pass@1"])
    with pytest.raises(ValueError, match="state their budgets, as pass@4 does, got k=2"): compare(a, b, ["pass@1", "avg@n"], 2)
    with pytest.raises(ValueError, match="several metrics are for two systems, got 3"): compare(a, b, NAMES, others=[a])


def test_the_command_takes_several(tmp_path, capsys):
    paths = []
    for name, side in zip("ab", draw(better=.45)):
        rows = "".join(f"{q},{s},{x}\n" for q, row in enumerate(side) for s, x in enumerate(row))
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("question,sample,correct\n" + rows)
    assert finish(make_parser().parse_args(["compare", *map(str, paths), "-m", "pass@1,pass^4"])) == 0
    assert "pass@1 is the primary metric" in " ".join(capsys.readouterr().out.split())


# The steps, by hand.

@pytest.mark.parametrize("p, levels", [
    # The least of three is judged at a third of .05, the next at a half, the last at the whole.
    ([.01, .02, .04], [1 - .05 / 3, 1 - .05 / 2, 1 - .05]), ([.04, .02, .01], [1 - .05, 1 - .05 / 2, 1 - .05 / 3]),
    ([.01, .03, .04], [1 - .05 / 3, 1 - .05 / 2, 1 - .05 / 2]), ([.02, .03, .04], [1 - .05 / 3] * 3),
    ([.001, .002, .9], [1 - .05 / 3, 1 - .05 / 3, .95])])
def test_each_keeps_the_level_of_its_step(p, levels):
    found = step_down(range(3), lambda place, level: (p[place] <= 1 - level + 1e-15, level), lambda one: one[0], .95)
    assert [found[i][1] for i in range(3)] == pytest.approx(levels) and step_down([], None, None, .95) == {}


def test_the_target_decides_which_others_are_sure():
    a, b = draw(better=.45)
    found = compare(a, b, NAMES, target="same_questions")
    steps = [1 - .05 / left for left in (1, 2, 3)]
    for row in found.rows[1:]:
        rungs = [compare(a, b, row.metric, target="same_questions", confidence_level=level).rows[0] for level in steps]
        assert row.again_low in [pytest.approx(one.again_low) for one in rungs]
    assert found.rows[0].again_low == compare(a, b, NAMES[0], target="same_questions").rows[0].again_low
    assert [row.k for row in compare(a, b, ["pass@4", "avg@n"]).rows] == [4, None]
