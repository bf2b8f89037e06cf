"Panels of judges: accuracy of k of J, the correlation of their errors, their effective number."

import json
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from conftest import command
from sampling_eval import Report, mean_over_questions, panel_at_k, panel_facts, score

ASKED = json.loads((Path(__file__).parent / "vectors" / "asked_for.json").read_text())
SIX = [[0, 0, 1, 0, 0, 0], [1, 1, 0, 1, 1, 1], [1, 1, 1, 1, 0, 1], [1] * 6]


def test_vectors():
    for row in ASKED["panel"]:
        found = panel_at_k(row["right"], list(map(int, row["value"]))).mean(0)
        np.testing.assert_allclose(
            found, [float(Fraction(x)) for x in row["value"].values()], rtol=1e-14, atol=1e-15
        )


def test_every_panel_against_the_listing():
    for judges in range(1, 9):
        rows = [[1] * c + [0] * (judges - c) for c in range(judges + 1)]
        found = panel_at_k(rows, np.arange(1, judges + 1))
        for row, values in zip(rows, found):
            want = [
                np.mean([(1 + np.sign(2 * sum(s) - k)) / 2 for s in combinations(row, k)])
                for k in range(1, judges + 1)
            ]
            np.testing.assert_allclose(values, want, rtol=1e-13, atol=1e-15)
    assert panel_at_k(np.array(SIX, bool), 3).tolist() == [0, 1, 1, 1]


def test_facts_of_the_six():
    told = panel_facts(SIX)
    p, both = Fraction(17, 24), Fraction(7, 12)
    assert told.error_correlation == pytest.approx(float((both - p**2) / (p * (1 - p))), rel=1e-14)
    assert (told.items, told.judges, told.mean_accuracy) == (
        4,
        6,
        17 / 24,
    ) and told.effective_number == pytest.approx(2.01694, abs=1e-5)
    alone = [
        float(sum(Fraction([1, 3, 3, 1][x]) * p**x * (1 - p) ** (3 - x) for x in (2, 3))),
        0.8478,
    ]
    assert told.independent([3, 5]) == pytest.approx(alone, abs=1e-4) and told.independent(
        1
    ) == pytest.approx(17 / 24)
    assert told.independent(2) == pytest.approx(17 / 24)  # a tie is one half
    assert (
        repr(told)
        == "PanelFacts(6 judges, 4 items: mean accuracy 0.708, error correlation 0.395, effective"
        " number 2.02)"
    )


def test_effective_number_at_the_ends():
    for right in np.ones((3, 4), int), np.zeros((3, 4), int):
        told = panel_facts(right)
        assert (
            told.error_correlation is None
            and told.effective_number is None
            and "no correlation" in repr(told)
        )
    assert panel_facts([[1, 1, 1], [0, 0, 0]]).effective_number == pytest.approx(1)
    assert panel_facts([[1, 0], [0, 1]]).effective_number == np.inf  # the mean never moves
    rng = np.random.default_rng(0)
    assert panel_facts(rng.random((20000, 5)) < 0.7).effective_number == pytest.approx(5, rel=0.03)


@pytest.mark.parametrize(
    "right, k, kind, said",
    [
        (
            [[1, 0], [1, None]],
            1,
            ValueError,
            "right must hold 0/1, got nan at item 1 (1 of 4 fail): without a gold label",
        ),
        ([[1, 2]], 1, ValueError, "right must hold 0/1, got 2.0 at item 0"),
        ([["yes", "no"]], 1, TypeError, "compare the verdicts with the gold labels"),
        ([[1, 0], [1]], 1, ValueError, "right must hold rows of one length"),
        ([1, 0], 1, ValueError, "one row per item and one column per judge"),
        ([], 1, ValueError, "one row per item"),
        (None, 1, TypeError, "right must be a list of rows"),
        ([[1, 0]], 3, ValueError, "need 1 <= k <= J, got J=2, k=3"),
        ([[1, 0]], 0, ValueError, "need k >= 1"),
        ([[1, 0]], 1.5, TypeError, "k must hold integers"),
    ],
)
def test_refusals(right, k, kind, said):
    with pytest.raises(kind) as told:
        panel_at_k(right, k)
    assert said in str(told.value)


def test_facts_need_two():
    for right in [[1, 0]], [[1], [0]]:
        with pytest.raises(ValueError, match="need at least 2 items and 2 judges"):
            panel_facts(right)
    with pytest.raises(ValueError, match="need k >= 1"):
        panel_facts(SIX).independent(0)


# `score(panel=...)`


def rows_of(right, wide=True):
    "Items with gold labels 0 and 1 in turn, and verdicts that are right where told."
    rows = [
        dict(question=f"i{i}", gold=i % 2)
        | {f"judge_{j}": i % 2 if ok else 1 - i % 2 for j, ok in enumerate(row)}
        for i, row in enumerate(right)
    ]
    judges = [f"judge_{j}" for j in range(len(right[0]))]
    if wide:
        return rows, dict(correct=judges)
    return [
        dict(item=row["question"], judge=judge, verdict=row[judge], gold=row["gold"])
        for row in rows
        for judge in judges
    ], dict(question="item", model="judge", correct="verdict")


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("row", ASKED["panel"], ids=range(len(ASKED["panel"])))
def test_score_of_a_panel(row, wide):
    rows, named = rows_of(row["right"], wide)
    told, facts = score(rows, "pass@1", panel="gold", **named).panel, panel_facts(row["right"])
    assert [one.k for one in told.rows] == list(map(int, row["value"]))
    for one, (k, value) in zip(told.rows, row["value"].items()):
        assert one.estimate == pytest.approx(float(Fraction(value)), rel=1e-13, abs=1e-15)
        assert one.independent == pytest.approx(float(alone(row["right"], int(k))), rel=1e-12)
        mean = mean_over_questions(panel_at_k(row["right"], int(k)))
        ends = mean.confidence_interval()
        assert (one.low, one.high) == pytest.approx((ends.low, ends.high), rel=1e-9)
        assert one.interval.method == ends.method
    judges, items = len(row["right"][0]), len(row["right"])
    assert (len(told.judges), told.items, told.left_out) == (judges, items, 0)
    p = Fraction(sum(map(sum, row["right"])), judges * items)
    assert told.mean_accuracy == pytest.approx(float(p), rel=1e-14)
    both = Fraction(sum(sum(a * b for a, b in combinations(o, 2)) for o in row["right"]), items)
    rho = (both / comb(judges, 2) - p**2) / (p * (1 - p))
    assert told.error_correlation == pytest.approx(float(rho), rel=1e-12, abs=1e-15)
    spread = 1 + (judges - 1) * rho  # 0 where the errors cancel
    assert facts.effective_number == (told.effective_number if spread else np.inf)
    if spread:
        assert told.effective_number == pytest.approx(float(judges / spread), rel=1e-12)


def alone(right, k):
    "Accuracy of most of k judges that err independently, in fractions."
    p = Fraction(sum(map(sum, right)), len(right) * len(right[0]))
    chance = [comb(k, x) * p**x * (1 - p) ** (k - x) for x in range(k + 1)]
    return sum(c * (Fraction(1, 2) if 2 * x == k else 2 * x > k) for x, c in enumerate(chance))


def test_a_panel_in_words_and_back():
    rows, named = rows_of(SIX)
    report = score(rows, "pass@1", panel="gold", **named)
    text = " ".join(str(report).split())
    assert (
        "6 judges on 4 items with a gold label in gold: mean accuracy 70.8 %, error correlation"
        " 0.395: worth 2.0 independent judges." in text
    )
    assert "The majority of 5 drawn at random is right on 75.0 % (95 % CI" in text
    assert "of 5 that err independently on 84.8 %. About these judges only; a tie counts" in text
    for form in report.to_markdown(), report.to_html(), report.to_latex():
        assert "if independent" in form
    assert Report.from_dict(json.loads(json.dumps(report.to_dict()))).panel == report.panel


def test_no_gold_no_claim():
    rows, named = rows_of(SIX)
    some = [row | dict(gold=None) if i < 2 else row for i, row in enumerate(rows)]
    told = score(some, "pass@1", panel="gold", **named).panel
    assert (told.items, told.left_out) == (2, 2) and told.rows[0].estimate == pytest.approx(11 / 12)
    for kept in 0, 1:
        few = [row | dict(gold=row["gold"] if i < kept else None) for i, row in enumerate(rows)]
        report = score(few, "pass@1", panel="gold", **named)
        assert report.panel.rows == () and report.panel.mean_accuracy is None
        assert f"No claim on the 6 judges: {kept} item" in str(report)
        assert Report.from_dict(report.to_dict()).panel == report.panel


def test_ends_of_a_panel():
    for right, said in (
        ([[1, 1, 1]] * 4, "mean accuracy 100.0 %, all alike, so errors show no correlation"),
        ([[1, 0], [0, 1], [1, 0], [0, 1]], "error correlation -1.000: their errors cancel"),
    ):
        rows, named = rows_of(right)
        report = score(rows, "pass@1", panel="gold", **named)
        assert report.panel.effective_number is None and said in " ".join(str(report).split())
    rows, named = rows_of([[1] * 11 + [0]] * 3)
    sizes = [row.k for row in score(rows, "pass@1", panel="gold", **named).panel.rows]
    assert sizes == [*range(1, 10), 12]


def test_items_of_a_panel_come_in_groups_and_with_holes():
    rows, named = rows_of(SIX, wide=False)
    rows = [row | dict(source="ab"[row["item"] < "i2"]) for row in rows]
    told = score(rows, "pass@1", panel="gold", cluster="source", **named).panel
    mean = mean_over_questions(panel_at_k(SIX, 3), cluster=[1, 1, 0, 0])
    assert told.rows[2].interval == mean.confidence_interval()
    told = score(rows[:-1], "pass@1", panel="gold", **named).panel
    assert (told.items, told.left_out) == (3, 1)
    assert told.rows[2].estimate == pytest.approx(panel_at_k(SIX[:3], 3).mean())


def test_what_a_panel_refuses():
    rows, named = rows_of(SIX)
    long, as_long = rows_of(SIX, wide=False)
    for data, more, kind, said in (
        (rows, named | dict(panel="golden"), ValueError, "panel='golden' is not a column"),
        (rows, named | dict(panel=3), TypeError, "panel must be the name of a column, got 3"),
        (rows, dict(correct="judge_0"), ValueError, "a panel needs two judges, got 1"),
        (rows, named | dict(missing="wrong"), ValueError, "neither right nor wrong, got 'wrong'"),
        (rows, named | dict(missing="bounds"), ValueError, "missing and panel exclude each other"),
        (rows, named | dict(labels="gold"), ValueError, "labels and panel exclude each other"),
        (rows, named | dict(judge=(0.9, 0.9)), ValueError, "judge and panel exclude each other"),
        ([row | dict(gold=2) for row in rows], named, ValueError, "panel='gold'"),
        ([row | dict(gold="?") for row in rows], named, TypeError, "hold 0/1 or bool, got '?'"),
        (long + long, as_long, ValueError, "every judge gives one verdict on an item, got 2 of"),
        (
            [row | dict(gold=int(row["judge"] > "judge_3")) for row in long],
            as_long,
            ValueError,
            "an item has one gold label, got 0 and 1 for item 'i0'",
        ),
    ):
        with pytest.raises(kind) as told:
            score(data, "pass@1", **{"panel": "gold"} | more)
        assert said in str(told.value)


def test_the_command_reads_a_panel(tmp_path):
    path = tmp_path / "verdicts.json"
    rows, named = rows_of(SIX)
    path.write_text(json.dumps(rows))
    judges = [part for name in named["correct"] for part in ("--correct", name)]
    ran = command("score", path, *judges, "--panel", "gold")
    assert ran.returncode == 0, ran.stderr
    assert "worth 2.0 independent judges" in " ".join(ran.stdout.split())


@pytest.mark.parametrize("sizes", [[1, 3], [3, 1], [2, 7]])
def test_one_size_beyond_the_panel_is_refused(sizes):
    with pytest.raises(ValueError, match=f"need 1 <= k <= J, got J=2, k={max(sizes)}"):
        panel_at_k([[1, 0], [1, 1]], sizes)
    with pytest.raises(ValueError, match="need k >= 1, got k=0"):
        panel_facts(SIX).independent([0, *sizes])


@pytest.mark.parametrize("judges, drawn", [(2, 1), (3, 3), (4, 3), (5, 5), (9, 9), (12, 9)])
def test_the_largest_odd_panel_is_told(judges, drawn):
    rows, named = rows_of([[int((i + j) % 3 > 0) for j in range(judges)] for i in range(6)])
    text = " ".join(str(score(rows, "pass@1", panel="gold", **named)).split())
    assert f"The majority of {drawn} drawn at random is right on" in text
    assert f"; of {drawn} that err independently on" in text
