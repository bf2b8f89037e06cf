"A gate that is looked at again and again: its evidence, its file, its words and its refusals."

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sampling_eval import Counts, gate
from sampling_eval.cli import guard
from sampling_eval.inference.sequential import difference_evidence
from sampling_eval.inference.watched import first_reached, unrefuted_margins


def counts(names, right, n=4):
    return Counts([n] * len(names), right, questions=names)


def sides(size, seed=0, old=0.5, new=0.5, start=0):
    "Baseline and candidate on as many questions, four samples each."
    rng = np.random.default_rng(seed)
    names = [f"q{start + i}" for i in range(size)]
    return [counts(names, rng.binomial(4, chance, size)) for chance in (old, new)]


def test_evidence_in_fractions():
    "Two differences by hand: the products of nine stakes, averaged."
    old, new = counts(["a", "b"], [2, 4]), counts(["a", "b"], [3, 2])
    row = gate(new, baseline=old, max_drop=0.25, anytime=True).rows[0]
    x, limit = [Fraction(1, 4), Fraction(-1, 2)], Fraction(-1, 4)
    stakes = [Fraction(i, 10) for i in range(1, 10)]

    def evidence(x, limit):
        gains = [(one - limit) / (1 + abs(limit)) for one in x]
        first = sum(1 + s * gains[0] for s in stakes) / 9
        return max(first, sum((1 + s * gains[0]) * (1 + s * gains[1]) for s in stakes) / 9)

    assert row.watched.to_pass == pytest.approx(float(evidence(x, limit)), rel=1e-13)
    down = evidence([-one for one in x], -limit)
    assert row.watched.to_fail == pytest.approx(float(down), rel=1e-13)
    assert (row.verdict, row.watched.needed, row.watched.settled_after) == (
        "inconclusive",
        20,
        None,
    )
    assert row.value == -0.125 and row.limit == -0.25 and row.questions == 2


def test_a_drop_that_is_exactly_allowed_seldom_passes():
    """Over all paths of seven questions that move by 1 or by -1 as often, or stay: the chance that
    evidence of 4 is ever seen, added up exactly, is at most 1/4 on either side."""
    steps = {1: Fraction(1, 4), 0: Fraction(1, 2), -1: Fraction(1, 4)}
    chance = {1: Fraction(0), -1: Fraction(0)}
    for path in product(steps, repeat=7):
        weight = Fraction(1)
        for step in path:
            weight *= steps[step]
        for side in chance:
            if first_reached(side * np.array(path, float), 0, 4):
                chance[side] += weight
    assert chance[1] == chance[-1] and 0 < chance[1] <= Fraction(1, 4)


@pytest.mark.parametrize("seed", range(6))
def test_limits_are_where_evidence_is_just_enough(seed):
    rng = np.random.default_rng(seed)
    x = rng.choice([-1, -0.5, 0, 0.5, 1], 80)
    low, high = unrefuted_margins(x, 20)
    assert -1 < low < high < 1
    assert difference_evidence(x, low).max() == pytest.approx(20, rel=1e-9)
    assert difference_evidence(-x, -high).max() == pytest.approx(20, rel=1e-9)


@pytest.mark.parametrize("needed", [1.5, 4, 20, 1000])
def test_a_claim_is_refuted_at_the_first_look_with_enough_against_it(needed):
    x = np.r_[-1, np.ones(30), -np.ones(30)]
    seen = difference_evidence(x, 0).tolist()
    at = next(look for look, evidence in enumerate(seen, 1) if evidence >= needed)
    assert first_reached(x, 0, needed) == at and 2 < at < 30
    assert first_reached(x[: at - 1], 0, needed) is None


def test_few_questions_refute_nothing():
    assert unrefuted_margins(np.array([1.0, 1.0]), 20) == (-1, 1)


@pytest.mark.parametrize("new, verdict", [(0.8, "pass"), (0.5, "inconclusive"), (0.1, "fail")])
def test_the_verdict_is_that_of_the_interval(new, verdict):
    old, candidate = sides(60, new=new)
    row = gate(candidate, baseline=old, max_drop=0.02, anytime=True).rows[0]
    x = candidate.c / 4 - old.c / 4
    assert row.verdict == verdict
    assert (row.interval.low >= -0.02) == (verdict == "pass")
    assert (row.interval.high < -0.02) == (verdict == "fail")
    assert row.interval.level == 0.9 and row.interval.method.exact
    at = first_reached(-x if verdict == "fail" else x, 0.02 if verdict == "fail" else -0.02, 20)
    assert row.watched.settled_after == at


def test_looks_add_up(tmp_path):
    "Three nights of new questions give what one look at all of them gives."
    old, new = sides(90, 3, new=0.6)
    path, nights = tmp_path / "watch.json", np.split(np.arange(90), 3)
    for night, own in enumerate(nights, 1):
        tonight = counts(new.questions[own].tolist(), new.c[own])
        found = gate(
            tonight,
            baseline=old,
            max_drop=0.02,
            anytime=True,
            state=path,
            on_unmatched="drop",
        )
        watched = found.rows[0].watched
        assert (watched.looks, watched.fresh, found.rows[0].questions) == (night, 30, 30 * night)
    whole = gate(new, baseline=old, max_drop=0.02, anytime=True).rows[0]
    last = found.rows[0]
    assert (last.interval, last.value, last.verdict) == (whole.interval, whole.value, whole.verdict)
    assert last.watched.to_pass == whole.watched.to_pass
    told = json.loads(path.read_text())
    assert told["looks"] == [30, 60, 90] and len(told["differences"]) == 90
    before = path.read_text()
    again = gate(new, baseline=old, max_drop=0.02, anytime=True, state=path).rows[0]
    assert (again.watched.fresh, again.watched.looks) == (0, 3) and path.read_text() == before


def test_a_verdict_stays(tmp_path):
    "What was settled once is settled, whatever comes later."
    old, new = sides(40, new=0.95)
    path = tmp_path / "watch.json"
    first = gate(new, baseline=old, max_drop=0.0, anytime=True, state=path).rows[0]
    worse, better = sides(400, 5, old=0.9, new=0.1, start=40)
    later = gate(better, baseline=worse, max_drop=0.0, anytime=True, state=path).rows[0]
    assert first.verdict == later.verdict == "pass"
    assert later.watched.settled_after == first.watched.settled_after


def test_a_question_counts_once(tmp_path):
    old, new = sides(10)
    path = tmp_path / "watch.json"
    gate(new, baseline=old, max_drop=0.02, anytime=True, state=path)
    other = counts(new.questions.tolist(), 4 - new.c)
    before = path.read_text()
    with pytest.raises(ValueError, match="a question counts once, as it was at its first look"):
        gate(other, baseline=old, max_drop=0.02, anytime=True, state=path)
    assert path.read_text() == before


def test_a_rule_is_fixed_at_the_first_look(tmp_path):
    old, new = sides(10)
    path = tmp_path / "watch.json"
    gate(new, baseline=old, max_drop=0.02, anytime=True, state=path)
    for change, said in (
        (dict(max_drop=0.05), "max_drop 0.02 in .*, and now 0.05"),
        (dict(metrics="pass@2"), "metric pass@1 in .*, and now pass@2"),
        (dict(confidence_level=0.9), "confidence_level 0.95 in .*, and now 0.9"),
    ):
        given = dict(max_drop=0.02) | change
        with pytest.raises(ValueError, match=f"the rule was fixed at the first look, got {said}"):
            gate(new, baseline=old, anytime=True, state=path, **given)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"metric": "pass@1", "max_drop": 0.02, "confidence_level": 0.95, "looks": [2],'
        ' "differences": [["a", 0]]}',
        '{"metric": "pass@1", "max_drop": 0.02, "confidence_level": 0.95, "looks": [1],'
        ' "differences": [["a", 7]]}',
        '{"metric": "pass@1", "max_drop": 0.02, "confidence_level": 0.95, "looks": [2],'
        ' "differences": [["a", 0], ["a", 0]]}',
        '{"metric": "pass@1", "max_drop": 0.02, "confidence_level": 0.95, "looks": [1],'
        ' "differences": [["a", NaN]]}',
        '{"metric": "pass@1", "max_drop": 0.02, "confidence_level": 0.95, "looks": [2],'
        ' "differences": [["a", 0], ["b", -7]]}',
        '{"metric": "pass@1", "max_drop": 0.02, "confidence_level": 0.95, "looks": [],'
        ' "differences": []}',
    ],
)
def test_another_file_is_no_state(tmp_path, text):
    path = tmp_path / "watch.json"
    path.write_text(text)
    old, new = sides(4)
    with pytest.raises(ValueError, match="state must be a file that an earlier look wrote"):
        gate(new, baseline=old, max_drop=0.02, anytime=True, state=path)
    assert path.read_text() == text


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(minimum={"pass@1": 0.5}), "takes no minimum"),
        (dict(same_within=0.1), "takes no same_within"),
        (dict(no_question_regresses=True), "takes no no_question_regresses"),
        (dict(must_pass="q1"), "takes no must_pass"),
        (dict(method="t"), "takes no method"),
        (dict(bounds=(-0.5, 0.5)), "takes no bounds"),
        (dict(target="same_questions"), "anytime= is for new questions"),
        (dict(metrics=["pass@1", "pass@2"]), "judges one metric"),
        (dict(max_drop=1.0), "max_drop must be at least 0 and below 1"),
        (dict(confidence_level=0.4), "confidence_level must be above 0.5"),
        (dict(confidence_level=0.5), "confidence_level must be above 0.5"),
        (dict(cluster=dict.fromkeys(["q0"], "p")), "takes no cluster"),
        (dict(weights=dict.fromkeys(["q0"], 1)), "takes no weights"),
        (dict(max_drop=-0.01), "max_drop >= 0, got -0.01"),
    ],
)
def test_what_is_not_watched(given, said):
    old, new = sides(10)
    with pytest.raises(ValueError, match=said):
        gate(new, **(dict(baseline=old, max_drop=0.02, anytime=True) | given))


def test_a_file_needs_the_gate_that_writes_it():
    old, new = sides(4)
    with pytest.raises(ValueError, match="state goes with anytime=True"):
        gate(new, baseline=old, max_drop=0.02, state="watch.json")


def test_words_and_json():
    old, new = sides(30)
    found = gate(new, baseline=old, max_drop=0.02, anytime=True)
    text = str(found)
    assert text.startswith("GO ON: new - baseline = ") and "… GO ON" in text
    assert "20 settles it, whenever one looks" in " ".join(text.split())
    assert found.exit_code() == 3 and not found.passed
    again = type(found).from_json(found.to_json())
    assert again.rows[0].watched.to_dict() == found.rows[0].watched.to_dict()
    assert str(again) == text
    assert "random order" in found.methods() and found.to_html()


def test_from_a_shell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name, chance in dict(old=0.5, new=0.95).items():
        rows = [f"q{q},{s},{int(rng.random() < chance)}" for q in range(60) for s in range(2)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["question,sample,correct", *rows]))
    words = "gate new.csv --baseline old.csv --max-drop 0.05 --anytime --state watch.json"
    assert guard(words.split()) == 0
    assert capsys.readouterr().out.startswith("PASS: new.csv - old.csv")
    assert json.loads((tmp_path / "watch.json").read_text())["looks"] == [60]


def test_a_metric_without_a_range_is_not_watched():
    a, b = ([dict(question=q, score=q + s + shift) for q in range(4) for s in range(2)]
            for shift in (0, 1))
    with pytest.raises(ValueError, match="anytime needs a metric between 0 and 1, got 'mean@2'"):
        gate(a, baseline=b, metrics="mean@n", max_drop=0.02, anytime=True)


def test_the_first_question_that_changed_is_named(tmp_path):
    old = counts(["a", "b", "c"], [2, 2, 2])
    path = tmp_path / "watch.json"
    asked = dict(max_drop=0.02, anytime=True, state=path, allow_identical=True)
    gate(counts(["a", "b", "c"], [2, 3, 4]), baseline=old, **asked)
    with pytest.raises(ValueError, match=r"got 0.25 and now -0.25 on question 'b' \(2 of 3 fail\)"):
        gate(counts(["a", "b", "c"], [2, 1, 2]), baseline=old, **asked)


def test_differences_at_the_ends_are_read_again(tmp_path):
    old, new = counts(["a", "b"], [0, 4]), counts(["a", "b"], [4, 0])
    path = tmp_path / "watch.json"
    asked = dict(baseline=old, max_drop=0, anytime=True, state=path)
    first = gate(new, **asked).rows[0]
    again = gate(new, **asked).rows[0]
    assert again.watched.fresh == 0 and first.watched.fresh == 2
    assert str(again.limit) == "0.0" and (again.value, again.interval) == (0, first.interval)


def test_identical_runs_are_said():
    one = counts(["a", "b"], [2, 3])
    found = gate(one, baseline=one, max_drop=0, anytime=True, allow_identical=True)
    assert found.identical and gate(one, baseline=counts(["a", "b"], [1, 3]), max_drop=0,
                                    anytime=True).identical is False
    assert found.samples == ((4, 4), (4, 4)) and found.alignment.common == 2
