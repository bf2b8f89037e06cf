"pass@(k, T): against listings, exact values and what is refused."

import json
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from conftest import command
from sampling_eval import Report, pass_at_k, pass_at_k_by_turn, score
from sampling_eval.analyses.addons.by_turn import blocks
from sampling_eval.inference.bands import simultaneous_band

ASKED = json.loads((Path(__file__).parent / "vectors" / "asked_for.json").read_text())


def test_vectors():
    for row in ASKED["by_turn"]:
        cells = {
            tuple(map(int, at.split(","))): float(Fraction(x)) for at, x in row["value"].items()
        }
        k, T = (sorted(set(o)) for o in zip(*cells))
        found = pass_at_k_by_turn([row["turns"]], k, T)
        assert found.shape == (1, len(k), len(T))
        assert max(abs(found[0, k.index(a), T.index(b)] - x) for (a, b), x in cells.items()) < 1e-14


def test_every_small_row_against_the_listing():
    for row in (o for n in range(1, 6) for o in product((1, 2.5, np.nan), repeat=n)):
        found = pass_at_k_by_turn([row], np.arange(1, len(row) + 1), [0, 1, 2, 2.5])[0]
        for k, T in product(range(1, len(row) + 1), range(4)):
            sets = list(combinations(row, k))
            want = sum(any(t <= (0, 1, 2, 2.5)[T] for t in s) for s in sets) / len(sets)
            assert found[k - 1, T] == pytest.approx(want, abs=1e-15)


def test_shapes_and_ragged_rows():
    rows = [[1, None, 3], [2, 4], np.array([np.nan, 1.0, 2.0, 7.0])]
    assert pass_at_k_by_turn(rows, 2, 3).shape == (3,) and pass_at_k_by_turn(
        rows, [1, 2], 3
    ).shape == (3, 2)
    assert pass_at_k_by_turn(rows, 2, [3]).shape == (3, 1) and pass_at_k_by_turn(
        rows, [1, 2], [1, 2, 3]
    ).shape == (3, 2, 3)
    np.testing.assert_allclose(pass_at_k_by_turn(rows, 2, 99.0), pass_at_k([3, 2, 4], [2, 2, 3], 2))
    assert pass_at_k_by_turn([[0, 3]], 1, [0, 2, 3]).tolist() == [[0.5, 0.5, 1]]


@pytest.mark.parametrize(
    "turns, k, T, kind, said",
    [
        (
            [[1, 2], [3, -1]],
            1,
            5,
            ValueError,
            (
                "turns must be at least 0, or NaN for a try that never succeeded, got -1.0 at"
                " question 1 (1 of 4 fail)"
            ),
        ),
        ([[1, np.inf]], 1, 5, ValueError, "or NaN for a try that never succeeded, got inf"),
        ([[1, 2], []], 1, 5, ValueError, "every question needs a try, got none at question 1"),
        ([[[1, 2], [3, 4]]], 1, 5, ValueError, "turns must hold one number per try, got [1, 2]"),
        ([], 1, 5, ValueError, "at least one question"),
        ([1, 2], 1, 5, ValueError, "one row per question"),
        (None, 1, 5, TypeError, "turns must be a list of rows"),
        ([["one"]], 1, 5, TypeError, "turns must hold numbers"),
        ([[True, False]], 1, 5, TypeError, "turns must hold"),
        ([[1, True]], 1, 5, TypeError, "turns must hold only bool or only turns"),
        (np.ones((2, 2), bool), 1, 5, TypeError, "the turn of each success, got bool"),
        ([[1, 2]], 3, 5, ValueError, "need 1 <= k <= n, got n=2"),
        ([[1, 2]], 0, 5, ValueError, "need k >= 1"),
        ([[1, 2]], 1, -1, ValueError, "T must be finite and at least 0, got -1"),
        ([[1, 2]], 1, [5, np.inf], ValueError, "T must be finite and at least 0, got inf"),
        ([[1, 2]], 1, np.nan, ValueError, "T must be finite"),
        ([[1, 2]], 1, [[1]], ValueError, "T must be a number or a 1-D array"),
        ([[1, 2]], 1, "x", TypeError, "T must hold numbers"),
    ],
)
def test_refusals(turns, k, T, kind, said):
    with pytest.raises(kind) as told:
        pass_at_k_by_turn(turns, k, T)
    assert said in str(told.value)


# `score(budget_column=...)`


RNG = np.random.default_rng(8)
ROWS = [
    dict(question=f"q{q}", sample=s, correct=int(RNG.random() < 0.5), turns=int(RNG.integers(1, 5)))
    for q in range(7)
    for s in range(4)
]


def share_solved(rows, k, most):
    "Over all k-subsets of the tries of each question, and over questions, in fractions."
    questions = {}
    for row in rows:
        questions.setdefault(row["question"], []).append(row["correct"] and row["turns"] <= most)
    found = []
    for tries in questions.values():
        sets = list(combinations(tries, k))
        found.append(Fraction(sum(map(any, sets)), len(sets)))
    return sum(found) / len(found)


def test_the_surface_in_fractions():
    found = score(ROWS, "pass@k", budget_column="turns").by_turn
    assert (found.column, found.questions) == ("turns", 7)
    assert found.limits == found.shown == (1, 2, 3, 4)
    assert [(row.most, row.k) for row in found.rows] == list(product((1, 2, 3, 4), (1, 2, 3, 4)))
    for row in found.rows:
        want = share_solved(ROWS, row.k, row.most)
        assert row.solved == pytest.approx(float(want), abs=1e-14)
        assert row.low <= row.solved <= row.high and row.interval.target == "new_questions"


def test_the_largest_limit_is_pass_at_k():
    report = score(ROWS, "pass@k", budget_column="turns")
    last = [row for row in report.by_turn.rows if row.most == 4]
    assert [row.solved for row in last] == pytest.approx([row.estimate for row in report.rows])
    for row, own in zip(last, report.rows):
        assert row.low <= own.low and own.high <= row.high, "a band is no narrower"


def test_one_band_over_the_surface():
    "The columns of the band are all tries at all limits, forth and back."
    found = score(ROWS, "pass@k", [1, 3], budget_column="turns").by_turn
    turns = [
        [row["turns"] if row["correct"] else np.nan for row in ROWS[4 * q : 4 * q + 4]]
        for q in range(7)
    ]
    values = pass_at_k_by_turn(turns, [1, 3], found.limits)
    path = [values[:, ::side, i] for i, side in zip(range(4), (1, -1, 1, -1))]
    band = simultaneous_band(np.concatenate(path, 1))
    order = [0, 1, 3, 2, 4, 5, 7, 6]
    for row, at in zip(found.rows, order):
        assert row.solved == pytest.approx(band.value[at])
        assert row.low <= band.low[at] + 1e-12 and band.high[at] - 1e-12 <= row.high
        assert str(row.interval.method) == band.method


def test_the_band_holds_the_surface():
    "Made benchmarks: a chance and a usual length for each question."
    rng, held = np.random.default_rng(5), 0
    def draw(count):
        chance = rng.beta(0.7, 0.7, count)[:, None]
        turn = 1 + rng.binomial(5, rng.random(count)[:, None], (count, 4)).astype(float)
        return np.where(rng.random((count, 4)) < chance, turn, np.nan)
    k, T = np.arange(1, 5), np.arange(1, 7)
    truth = pass_at_k_by_turn(draw(10**5), k, T).mean(0)
    for _ in range(300):
        values = pass_at_k_by_turn(draw(40), k, T).transpose(0, 2, 1)
        values[:, 1::2] = values[:, 1::2, ::-1].copy()
        band = simultaneous_band(values.reshape(40, -1))
        want = truth.T.copy()
        want[1::2] = want[1::2, ::-1].copy()
        held += bool(((band.low <= want.ravel()) & (want.ravel() <= band.high)).all())
    assert 0.92 < held / 300


def test_many_turns_and_models():
    rng = np.random.default_rng(1)
    rows = [
        dict(model=m, question=q, correct=int(rng.random() < 0.6), tokens=float(rng.random()))
        for m in "ab"
        for q in range(12)
        for _ in range(5)
    ]
    found = score(rows, "pass@k", budget_column="tokens").by_turn
    assert len(found.limits) == 32 and len(found.shown) == 6 and {*found.shown} < {*found.limits}
    right = [row["tokens"] for row in rows if row["correct"]]
    assert found.limits[-1] == found.shown[-1] == max(right)
    part = np.mean(np.array(right) <= found.shown[2])
    assert part == pytest.approx(0.5, abs=0.05)
    assert len(found.rows) == 2 * 32 * 5
    for name in "ab":
        own = [row for row in rows if row["model"] == name]
        for row in found.rows[:: 7]:
            if row.model != name:
                continue
            want = pass_at_k_by_turn(
                [[one["tokens"] if one["correct"] else None for one in own[5 * q : 5 * q + 5]]
                 for q in range(12)], row.k, row.most).mean()
            assert row.solved == pytest.approx(want, abs=1e-14)


def test_missing_samples_fail_or_are_dropped():
    rows = [*ROWS, dict(question="q0", sample=8, correct=None, turns=None)]
    assert score(rows, "pass@1", missing="drop", budget_column="turns").by_turn == score(
        ROWS, "pass@1", budget_column="turns").by_turn
    wrong = [*ROWS, dict(question="q0", sample=8, correct=0, turns=1)]
    assert score(rows, "pass@1", missing="wrong", budget_column="turns").by_turn == score(
        wrong, "pass@1", budget_column="turns").by_turn


def test_clusters_widen_the_band():
    rows = [row | dict(passage="ab"[row["question"] > "q3"]) for row in ROWS]
    one, other = (score(rows, "pass@1", budget_column="turns", cluster=cluster).by_turn.rows[-1]
                  for cluster in (False, "passage"))
    assert one.solved == pytest.approx(other.solved) and one.interval != other.interval


def test_a_failed_try_needs_no_turn():
    rows = [row if row["correct"] else row | dict(turns=None) for row in ROWS]
    assert score(rows, "pass@k", budget_column="turns").by_turn == score(
        ROWS, "pass@k", budget_column="turns").by_turn


def test_json_and_every_form_of_the_surface():
    report = score(ROWS, "pass@k", budget_column="turns")
    again = Report.from_json(report.to_json())
    assert again == report and repr(again) == repr(report)
    text = " ".join(repr(report).split())
    last = report.by_turn.rows[-1]
    assert f"4 tries with turns <= 4 solve {100 * last.solved:.1f} % of questions" in text
    assert f"{100 * last.low:.1f}–{100 * last.high:.1f}" in text
    assert "A try that was cut off before a limit counts as unsolved there" in text
    assert "agents that are told their limit behave otherwise" in text
    page = report.to_html()
    assert page.count('<figure class="chart">') == 2 and "turns &lt;= 2" in page
    for written in (report.to_markdown(), report.to_latex()):
        assert "pass@(k, T)" in written


def test_the_command_prints_the_surface(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS))
    ran = command("score", path, "--budget-column", "turns", "-m", "pass@k")
    assert ran.returncode == 0, ran.stderr
    assert "4 tries with turns <= 4 solve" in " ".join(ran.stdout.split())
    ran = command("score", path, "--budget-column", "steps")
    assert ran.returncode == 2 and "--budget-column steps is not a column" in " ".join(
        ran.stderr.split())


def one_changed(**more):
    first = next(i for i, row in enumerate(ROWS) if row["correct"] and row["question"] == "q2")
    return [row | more if i == first else row for i, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    "rows, more, said",
    [
        (one_changed(turns=None), {}, "every success needs a number of at least 0 in 'turns', "
         "where its try ended, got one without at question 'q2' (1 of 7 fail)"),
        (one_changed(turns=-3), {}, "got one below 0 at question 'q2' (1 of 7 fail)"),
        ([row | dict(correct=0) for row in ROWS], {}, "a surface needs a success, got none"),
        (ROWS, dict(judge=(0.9, 0.8)), "judge and budget_column exclude each other"),
        (ROWS, dict(weights={f"q{q}": 1 for q in range(7)}),
         "weights and budget_column exclude each other"),
        (ROWS, dict(missing="bounds"), "missing and budget_column exclude each other"),
        (ROWS, dict(budget_column="correct"), "must be another column than that of the outcomes"),
        (np.eye(4, dtype=int), {}, "needs a table with a column of it, beside one of outcomes"),
    ],
)
def test_what_is_no_surface(rows, more, said):
    with pytest.raises(ValueError) as told:
        score(rows, **{"budget_column": "turns", **more})
    assert said in str(told.value)


def test_a_column_has_a_name():
    with pytest.raises(TypeError, match="budget_column must be the name of a column, got 3"):
        score(ROWS, budget_column=3)


def test_one_limit_has_one_clause():
    "Half of the limits are named too where there are several."
    rows = [dict(question=q, sample=s, correct=1, turns=3) for q in range(6) for s in range(2)]
    said = " ".join(repr(score(rows, "pass@k", budget_column="turns")).split())
    assert "2 tries with turns <= 3 solve 100" in said and "; with turns" not in said
    rows[0]["turns"] = 5
    said = " ".join(repr(score(rows, "pass@k", budget_column="turns")).split())
    assert "2 tries with turns <= 5 solve 100" in said and "; with turns <= 3" in said


def solved_at(turns):
    "One question for each success, at its turn."
    return [dict(question=q, correct=1, steps=turn) for q, turn in enumerate(turns)]


def least_limits(turns, parts):
    "The smallest turns up to which at least 1, 2, ... of so many equal parts of successes lie."
    return tuple(
        sorted({
            min(one for one in turns if parts * sum(o <= one for o in turns) >= i * len(turns))
            for i in range(1, parts + 1)
        })
    )


@pytest.mark.parametrize(
    "turns",
    [
        [0, 0, 3],
        [1] * 20 + [2, 3, 4, 5, 6],
        [1] * 9 + [2, 3, 4, 4, 5, 6, 7, 7, 8],
        [1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7],
    ],
    ids=["from the start", "six", "eight", "seven"],
)
def test_few_limits_are_all_shown_and_of_more_those_that_part_the_successes(turns):
    found = score(solved_at(turns), "pass@1", budget_column="steps").by_turn
    known = tuple(sorted(set(turns)))
    assert found.limits == known
    assert found.shown == (known if len(known) <= 6 else least_limits(turns, 6))


@pytest.mark.parametrize("kinds", [32, 33, 70])
def test_a_surface_has_32_limits_at_most(kinds):
    turns = [turn for turn in range(kinds) for _ in range(1 + 2 * (turn % 3))]
    found = score(solved_at(turns), "pass@1", budget_column="steps").by_turn
    assert found.limits == (tuple(range(kinds)) if kinds == 32 else least_limits(turns, 32))


def test_the_limit_beside_the_last_one_holds_half_of_the_successes():
    said = " ".join(str(score(solved_at([1, 2, 3, 4, 5, 6]), budget_column="steps")).split())
    assert "1 try with steps <= 6 solve 100.0 %" in said
    assert "; with steps <= 3: 50.0 %" in said


def test_the_figure_of_a_surface_says_its_level_and_what_is_across():
    found = score(ROWS, "pass@k", budget_column="turns", confidence_level=0.8).by_turn
    _, figure, grid, note = blocks(found)
    assert (figure.level, figure.across, figure.label) == (0.8, "k, tries", "solved")
    assert [one.label for one in figure.series] == [f"turns <= {most}" for most in (1, 2, 3, 4)]
    assert all(one.k == [1, 2, 3, 4] for one in figure.series) and len(grid.lines) == 4
    last = [row for row in found.rows if row.most == 4]
    assert figure.series[3].low == [row.low for row in last]
    assert figure.series[3].high == [row.high for row in last]
    assert "80 % band that holds all tries and all limits" in note.text
