"The honest score of the chosen: vectors, listings in fractions, what its mean is, ties, refusals."

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, prod
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from sampling_eval import compare, Counts, selected_score, table
from sampling_eval.analyses.addons.selected import sentences

VECTORS = json.loads(
    (Path(__file__).parent / "vectors" / "crossed_selected_evidence.json").read_text("utf-8")
)["selected"]


def listed(runs, m):
    "Chosen on every set of m runs, scored on the others, in fractions."
    n, found = len(runs[0]), []
    for some in combinations(range(n), m):
        sums = [sum(row[j] for j in some) for row in runs]
        best = [row for row, one in zip(runs, sums) if one == max(sums)]
        found.append(mean(row[j] for row in best for j in range(n) if j not in some))
    return mean(found)


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_vectors(case):
    runs = [[Fraction(one) for one in row] for row in case["runs"]]
    for m, wanted in case["choose_on"].items():
        assert listed(runs, int(m)) == Fraction(wanted)
        assert selected_score(np.array(runs, float), int(m)) == pytest.approx(
            float(Fraction(wanted)), rel=1e-13
        )
        assert selected_score(runs, int(m)) == selected_score(np.array(runs, float), int(m))


@pytest.mark.parametrize("systems, n", [(2, 2), (2, 3), (3, 2), (4, 2)])
def test_every_small_table(systems, n):
    values = [Fraction(0), Fraction(1, 10), Fraction(3, 10)]
    for runs in product(product(values, repeat=n), repeat=systems):
        for m in range(1, n):
            assert selected_score(np.array(runs, float), m) == pytest.approx(
                float(listed(runs, m)), abs=1e-15, rel=1e-13
            )


@pytest.mark.parametrize(
    "chances", [(Fraction(1, 3), Fraction(3, 4)), (Fraction(1, 2), Fraction(1, 2), Fraction(2, 3))]
)
def test_unbiased_for_the_true_score_of_the_chosen(chances):
    "Tosses of unequal coins, three runs each: every outcome."
    tosses = list(product((Fraction(0), Fraction(1)), repeat=3))
    law = [
        (prod(p if one else 1 - p for row, p in zip(runs, chances) for one in row), runs)
        for runs in product(tosses, repeat=len(chances))
    ]
    assert sum(weight for weight, _ in law) == 1

    def truth(runs, m):
        sums = [sum(row[:m]) for row in runs]
        return mean(p for p, one in zip(chances, sums) if one == max(sums))

    for m in 1, 2:
        assert sum(w * listed(runs, m) for w, runs in law) == sum(
            w * truth(runs, m) for w, runs in law
        )
    assert sum(w * max(map(mean, runs)) for w, runs in law) > max(
        chances
    ), "what the winner shows is too high"


def test_rounding_makes_no_winner():
    assert 0.1 + 0.2 != 0.3
    assert selected_score([[0.1, 0.2, 1.0], [0.3, 0.0, 0.0]], 2) == pytest.approx(
        float(
            listed(
                [
                    [Fraction(1, 10), Fraction(1, 5), Fraction(1)],
                    [Fraction(3, 10), Fraction(0), Fraction(0)],
                ],
                2,
            )
        ),
        rel=1e-13,
    )
    assert selected_score([[0.5, 0.5], [0.5, 0.5]], 1) == 0.5
    assert selected_score([[0.0, 1.0], [1e-9, 0.0]], 1) == 0, "a billionth is a difference"


def test_order_of_systems_and_runs_is_no_matter():
    runs = np.random.default_rng(0).integers(0, 5, (3, 4)) / 4
    for m in 1, 2, 3:
        found = {
            round(selected_score(runs[list(one)][:, list(other)], m), 14)
            for one in permutations(range(3))
            for other in permutations(range(4))
        }
        assert len(found) == 1


def test_many_splits_and_many_systems():
    rng = np.random.default_rng(0)
    runs = rng.random((40, 18))
    assert selected_score(runs, 1) < runs.mean(1).max()
    # Choosing on all but one run, scored one run at a time.
    rest = runs.sum(1, keepdims=True) - runs
    assert selected_score(runs, 17) == pytest.approx(
        runs[rest.argmax(0), np.arange(18)].mean(), rel=1e-13
    )
    assert selected_score(runs, 9) > 0, "48,620 splits"
    assert selected_score(runs + 7, 5) == pytest.approx(7 + selected_score(runs, 5), rel=1e-13)


def test_equal_checkpoints_are_not_flattered():
    rng, honest, naive = np.random.default_rng(0), [], []
    for _ in range(300):
        p = rng.beta(2, 2, 60)
        runs = rng.binomial(1, p[:, None], (20, 60, 8)).mean(1)
        honest.append(selected_score(runs, 4) - p.mean())
        naive.append(runs.mean(1).max() - p.mean())
    assert abs(np.mean(honest)) < 3 * np.std(honest) / 300**0.5 and np.mean(naive) > 0.03


@pytest.mark.parametrize(
    "runs, m, said",
    [
        (
            [[0.1, 0.2], [0.3, 0.4]],
            2,
            "need choose_on < 2 of 2 runs, got 2; a run that chooses does not score",
        ),
        ([[0.1, 0.2], [0.3, 0.4]], 0, "need choose_on >= 1, got 0"),
        ([[0.1, 0.2], [0.3, 0.4]], -1, "need choose_on >= 1, got -1"),
        ([[0.1, 0.2], [0.3, float("nan")]], 1, "got nan at system 1, run 1 (1 of 4 fail)"),
        ([[0.1, float("-inf")], [0.3, 0.4]], 1, "got -inf at system 0, run 1 (1 of 4 fail)"),
        ([[0.1, 0.2]], 1, "at least two systems by two runs, got shape (1, 2)"),
        ([[0.1], [0.2]], 1, "got shape (2, 1)"),
        ([0.1, 0.2], 1, "got shape (2,)"),
        ([], 1, "got shape (0,)"),
        (0.5, 1, "got shape ()"),
        ([[[0.1, 0.2]] * 2] * 2, 1, "got shape (2, 2, 2)"),
        ([[0.1, 0.2], [0.3]], 1, "runs must hold rows of one length"),
        (
            np.zeros((2, 40)),
            20,
            (
                "need at most 2,097,152 splits, got 137,846,528,820 of 40 runs with choose_on=20;"
                " choose on fewer"
            ),
        ),
    ],
)
def test_refused(runs, m, said):
    with pytest.raises(ValueError) as told:
        selected_score(runs, m)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "runs, m, said",
    [
        ("text", 1, "runs must hold numbers, got 'text'"),
        ([[None, 1], [1, 1]], 1, "runs must hold numbers, got None"),
        ([[0.1, 0.2], [0.3, 0.4]], 1.0, "choose_on must be an int, got 1.0"),
        ([[0.1, 0.2], [0.3, 0.4]], True, "choose_on must be an int, got True"),
    ],
)
def test_refused_kinds(runs, m, said):
    with pytest.raises(TypeError) as told:
        selected_score(runs, m)
    assert said in str(told.value)


# `table`, and `compare` of several systems


def outcomes(runs, questions=10):
    "Rows of which every run has the mean asked for."
    return [
        dict(model=f"m{i}", question=q, sample=j, correct=int(q < questions * x))
        for i, row in enumerate(runs)
        for j, x in enumerate(row)
        for q in range(questions)
    ]


def scores(runs, questions=10):
    "Rows of which every run has the mean asked for, with a score of its own for each question."
    return [
        {k: v for k, v in row.items() if k != "correct"}
        | dict(score=runs[int(row["model"][1:])][row["sample"]] + (row["question"] - 4.5) / 100)
        for row in outcomes(runs, questions)
    ]


@pytest.mark.parametrize("case", VECTORS, ids=range(len(VECTORS)))
def test_table_and_compare_say_it(case):
    runs = [[Fraction(one) for one in row] for row in case["runs"]]
    n, rows = len(runs[0]), outcomes(runs)
    told = table(rows, "pass@1").selected
    assert told.score == pytest.approx(float(Fraction(case["choose_on"][str(n // 2)])), rel=1e-12)
    assert told.best == pytest.approx(float(max(map(mean, runs))), rel=1e-12)
    assert (told.systems, told.runs, told.choose_on) == (len(runs), n, n // 2)
    assert (told.score_on, told.splits) == (n - n // 2, comb(n, n // 2))
    assert compare(rows, metrics="pass@1").selected == told
    own = {f"m{i}": np.array([[q < 10 * x for x in row] for q in range(10)]) * 1
           for i, row in enumerate(runs)}
    assert table(own, "avg@n").selected == replace(told, metric=f"avg@{n}")


def test_many_runs_choose_in_blocks():
    runs = np.random.default_rng(0).integers(0, 11, (4, 35)) / 10
    told = table(outcomes(runs), "pass@1").selected
    # Blocks of three runs, eleven of them: two runs are left out.
    blocks = runs[:, :33].reshape(4, 11, 3).mean(2)
    assert told.score == pytest.approx(selected_score(blocks, 5), rel=1e-12)
    assert (told.runs, told.choose_on, told.score_on, told.splits) == (35, 15, 18, comb(11, 5))
    assert told.best == pytest.approx(runs.mean(1).max()) and "on 18 others" in sentences(told)[0]


def test_blocks_are_unbiased():
    "Eighteen runs are nine blocks of two: half of the splits would be too few, not wrong."
    rng, chances = np.random.default_rng(1), np.array([0.3, 0.5, 0.6])
    found = []
    for _ in range(400):
        runs = rng.binomial(1, chances[:, None, None], (3, 4, 18)).mean(1)
        on = runs.reshape(3, 9, 2).mean(2)
        sets = [list(one) for one in combinations(range(9), 4)]
        sums = np.array([on[:, one].sum(1) for one in sets]).round(9)
        best = sums == sums.max(1, keepdims=True)
        truth = ((best * chances).sum(1) / best.sum(1)).mean()
        found.append(selected_score(on, 4) - truth)
    assert abs(np.mean(found)) < 4 * np.std(found) / 20


RUNS = [[0.5, 0.7], [0.6, 0.4], [0.3, 0.9]]


@pytest.mark.parametrize(
    "rows, more",
    [
        (outcomes(RUNS[:2]), {}),  # Two systems
        (outcomes([row[:1] for row in RUNS]), {}),  # One run
        (outcomes([RUNS[0][:1], *RUNS[1:]]), {}),  # Unequal numbers
        (outcomes(RUNS), dict(metrics="pass@2")),
        ([row | dict(g=row["question"] % 2) for row in outcomes(RUNS)], dict(by="g")),
        ([row | dict(w=1.0 + row["question"]) for row in outcomes(RUNS)], dict(weights="w")),
        (outcomes(RUNS)[:-2], dict(on_unmatched="drop")),
        ([{k: v for k, v in row.items() if k != "sample"} for row in outcomes(RUNS)], {}),
        (scores(RUNS)[:-1], dict(metrics="soft@n")),  # A run without a sample of one question
        (  # Outcomes and scores: runs are those of the outcomes
            [row | dict(correct=row["question"] % 2) for row in scores(RUNS)],
            dict(metrics="soft@n", score="score"),
        ),
    ],
)
def test_no_number_where_runs_do_not_tell(rows, more):
    found = table(rows, **{"metrics": "pass@1"} | more)
    assert found.selected is None and "Chosen on" not in str(found)


@pytest.mark.parametrize(
    "least, width, metric", [(0, 1, "soft@3"), (1, 4, "mean@3"), (-2, 0.5, "mean@3")]
)
def test_graded_runs(least, width, metric):
    rows = scores([[0.5, 0.7, 0.2], [0.6, 0.4, 0.9], [0.3, 0.9, 0.8]])
    rows = [row | dict(score=least + width * row["score"]) for row in rows]
    own = [[one["score"] for one in rows if one["model"] == f"m{i}"] for i in range(3)]
    runs = np.reshape(own, (3, 3, 10)).mean(2)
    scale = None if metric == "soft@3" else (least, least + width)
    told = table(rows, scale=scale).selected
    assert told.score == pytest.approx(selected_score(runs, 1), rel=1e-12)
    assert told.best == pytest.approx(runs.mean(1).max(), rel=1e-12)
    assert (told.metric, told.unit, told.splits) == (metric, "score", 3)
    assert f"scores {told.score:.3f} in {metric} on the others" in sentences(told)[0]
    assert compare(rows, metrics=metric.replace("3", "n"), scale=scale).selected == told
    rows[4]["score"] = None
    assert table(rows, scale=scale, missing="drop").selected is None


def test_missing_samples_are_wrong_or_leave_no_whole_runs():
    rows = outcomes(RUNS)
    rows[3]["correct"] = None
    assert table(rows, "pass@1", missing="wrong").selected.best < 0.7
    assert table(rows, "pass@1", missing="drop").selected is None


def test_every_form_says_it_once():
    for result in table(outcomes(RUNS), "pass@1"), compare(outcomes(RUNS), metrics="pass@1"):
        told = sentences(result.selected)[0]
        assert told == (
            "Chosen on 1 of 2 runs, the best of 3 scores 35.0 % in pass@1 on the others (mean of 2"
            " splits, same questions); on the 2 runs that chose it the leader shows 60.0 %. Not"
            " shown: what choosing on all 2 is worth."
        )
        for form in str(result), result.to_markdown(), result.to_html(), result.to_latex():
            assert " ".join(form.replace("\\%", "%").split()).count("Chosen on 1 of 2 runs") == 1
        again = type(result).from_dict(json.loads(json.dumps(result.to_dict())))
        assert again.selected == result.selected and str(again).count("Chosen on") == 1


@pytest.mark.parametrize("n, choose_on, score_on, splits", [(3, 1, 2, 3), (17, 8, 8, comb(8, 4))])
def test_from_17_runs_on_neighbours_stand_together(n, choose_on, score_on, splits):
    runs = np.random.default_rng(2).integers(0, 11, (3, n)) / 10
    told = table(outcomes(runs), "pass@1").selected
    assert (told.choose_on, told.score_on, told.splits) == (choose_on, score_on, splits)
    pairs = runs[:, :16].reshape(3, 8, 2).mean(2) if n == 17 else runs
    assert told.score == pytest.approx(selected_score(pairs, len(pairs[0]) // 2), rel=1e-12)
    others = "on 8 others" if n == 17 else "on the others"
    assert others in sentences(told)[0]


def test_a_run_that_lacks_a_sample_tells_nothing():
    "Each question still has a sample of every system."
    rows = outcomes(RUNS)
    assert table(rows, "pass@1").selected is not None
    assert table(rows[:3] + rows[4:], "pass@1").selected is None


def test_every_system_needs_runs():
    "Three of four with runs are not all."
    sides = {
        f"m{i}": np.array([[q < 10 * x for x in row] for q in range(10)]) * 1
        for i, row in enumerate([*RUNS, [0.4, 0.8]])
    }
    assert table(sides, "pass@1").selected.systems == 4
    counted = Counts([2] * 10, sides["m3"].sum(1))
    assert table(sides | dict(m3=counted), "pass@1").selected is None
