"Rows of a comparison, and the result that holds them: what they hold, say and keep."
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from sampling_eval import compare
from sampling_eval.inference.pairs import Move, Tables
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.curves import PairedCurve, paired_curve
from sampling_eval.metrics.passk import pass_at_k
from sampling_eval.reporting.style import Style
from sampling_eval.reporting.differences import (Difference, decide, difference_cells,
                                                 difference_heads, difference_row)
from sampling_eval.reporting.versus import Versus
from sampling_eval.reporting.versus_words import describe_comparison, say_band, say_verdict
from told_report import wrap_lines

# AIME 2025 II, four runs of 15 problems: DeepSeek-R1, then o3-mini (high).
R1 = np.array([4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
O3 = np.array([4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4])
RUNS, BUDGETS = np.full(15, 4), np.arange(1, 5)
A, B = (pass_at_k(4, c, BUDGETS) for c in (R1, O3))
HOSTILE = "<img src=x onerror=alert(1)>|$x$\x1b[31m"


def pair_at(k, a=R1, b=O3):
    values = (pass_at_k(4, c, k) for c in (a, b))
    counts = Tables(RUNS, a, RUNS, b, k, lambda k: np.arange(k + 1) > 0)
    return paired_difference(*values, tables=counts)


def row_at(k, **style): return difference_row(f"pass@{k}", k, pair_at(k), "unbiased", **style)


def told_row(metric="pass@1", k=1, low=-.1, high=.3, again=(.05, .25), **fields):
    "A row with given numbers."
    said = dict(a=.5, b=.625, difference=.125, stderr=.06, stderr_unpaired=.09, correlation=.5,
                interval="95 % gaffke", again_interval="95 % gamma", p=.0123, test="sign-flip",
                null="no change", smallest=.01, wins=6, ties=8, losses=1, chance=.9,
                questions=15, stderr_kind="over questions", estimator="unbiased", reason="")
    ends = dict(low=low, high=high, again_low=again[0], again_high=again[1])
    target = fields.pop("target", "questions")
    row = dict(metric=metric, k=k) | said | ends | fields
    return Difference.from_dict(row, style=Style(target=target))


# One row.

def test_a_row_tells_the_published_comparison():
    told = row_at(1).to_dict()
    assert list(told) == list(Difference.names) and json.loads(json.dumps(told)) == told
    numbers = [told[name] for name in ("a", "b", "difference", "stderr", "stderr_unpaired")]
    np.testing.assert_allclose(numbers, [.75, 14 / 15, 11 / 60, .0750661084306402,
                                         .0927960727138337], rtol=1e-12)
    assert (told["wins"], told["ties"], told["losses"], told["questions"]) == (6, 8, 1, 15)
    assert (told["metric"], told["k"], told["estimator"], told["reason"]) == ("pass@1", 1, "unbiased", "")
    assert told["p"] == told["pvalue"] == pytest.approx(.2398, abs=1e-4) and told["test"] == "gaffke, inverted"
    assert told["usual"]["pvalue"] == pytest.approx(.0285, abs=1e-3) and told["usual"]["significant"]
    assert told["usual"]["low"] > 0 > told["low"] and told["significance"] == "usual only"
    assert told["default"] | dict(method="") == dict(method="", low=told["low"], high=told["high"], pvalue=told["p"],
                                                     significant=False, assumes="")
    assert told["named_test"] is None and told["bounds"] is None and told["method"] == "gaffke"
    assert told["null"].startswith("mean difference zero")
    assert (told["interval"], told["stderr_kind"]) == ("95 % gaffke", "over questions")
    assert told["again_interval"] == "95 % gamma within questions (approximate)"


def test_the_ends_are_those_of_the_comparison():
    row, pair = row_at(2, confidence_level=.9), pair_at(2)
    new = pair.confidence_interval(.9)
    again = pair.confidence_interval(.9, target="benchmark")
    assert (row.low, row.high) == row.span() == row.span("questions") == (new.low, new.high)
    assert (row.again_low, row.again_high) == row.span("benchmark") == (again.low, again.high)
    assert row.chance == pair.chance and row.correlation == pair.correlation
    assert row.interval == "90 % gaffke" and row.again_interval.startswith("90 % gamma")


def test_a_row_computes_when_asked_and_once():
    row = row_at(2)
    assert not vars(row).keys() & {"p", "low", "again_low", "chance"}
    assert row.tested is row.tested and row.p == row.tested.value
    assert "p" in vars(row) and "again_low" not in vars(row)
    with pytest.raises(AttributeError): row.low = 0


def test_a_row_holds_its_comparison():
    row, pair = row_at(4), pair_at(4)
    assert row.confidence_interval(.9) == pair.confidence_interval(.9)
    assert row.confidence_interval() == pair.confidence_interval(.95)
    assert row.confidence_interval(.9, "t") == pair.confidence_interval(.9, "t")
    again = row.confidence_interval(.8, target="benchmark")
    assert again == pair.confidence_interval(.8, target="benchmark") != row.confidence_interval(.8)
    assert row.run_test("gaffke") == pair.test("gaffke")
    assert row.run_test(target="benchmark", rng=1) == pair.test(target="benchmark", rng=1)
    of_these = row_at(4, target="benchmark")
    assert of_these.confidence_interval(.8) == again
    assert of_these.p == pair.invert(target="benchmark").value


def test_a_named_method_is_for_the_named_target():
    new, these = row_at(1, interval="t"), row_at(1, interval="t", target="benchmark")
    assert new.interval == "95 % t (approximate)" and "gamma" in new.again_interval
    assert these.interval == "95 % gaffke" and these.again_interval == "95 % t (approximate)"
    assert new.test == "t (approximate), 14 degrees of freedom" and these.test == "normal (approximate)"
    assert new.method == these.method == "t" and new.default.method == "gaffke, inverted"
    assert new.default.low < 0 < new.usual.low == new.low and new.significance == "significant"


@pytest.mark.parametrize("style, says", [
    (dict(test="mcnemar"), "mcnemar needs one 0/1 sample"), (dict(test="z"), "method must be"),
    (dict(interval="wilson"), "wilson needs one 0/1 outcome"), (dict(interval="z"), "method must be")])
def test_a_named_method_is_refused_at_once(style, says):
    with pytest.raises(ValueError, match=says): row_at(2, **style)


def test_a_generator_draws_in_the_order_of_the_rows():
    style = dict(test="permutation", target="benchmark")
    first, second = (row_at(2, rng=np.random.default_rng(5), **style) for _ in range(2))
    assert "named_test" in vars(first) and first.named_test == second.named_test
    assert first.named_test["method"].startswith("stratified permutation") and first.p == pair_at(2).invert(target="benchmark").value


def test_without_a_spread_the_row_says_why():
    same = paired_difference([.5, .5, 1], [.5, .5, 1])
    default = difference_row("avg@2", None, same)
    t = difference_row("avg@2", None, same, interval="t", test="t")
    assert default.stderr is None and "shows no spread" in default.reason
    assert default.low < 0 < default.high and default.chance == .5
    assert (t.low, t.high, t.interval) == (None, None, "none")
    assert (t.p, t.test, t.null, t.smallest) == (None, "none", "", None)
    assert t.verdict == "none"
    assert difference_cells(t)[4:8] == ["[-0.708, +0.708]", "-", "-", "0/3/0"]
    open_ = paired_difference([3., 4.], [3., 4.], bounds=None)
    assert difference_row("max@1", 1, open_, target="benchmark").p is None


@pytest.mark.parametrize("low, high, said", [
    (.01, .2, "better"), (0., .2, "open"), (-.2, -.01, "worse"), (-.2, 0., "open"),
    (-.1, .1, "open"), (None, None, "none")])
def test_decide(low, high, said): assert decide(low, high) == said


def test_the_verdict_is_that_of_the_target():
    assert told_row().verdict == "open" and told_row(target="benchmark").verdict == "better"
    assert told_row(again=(-.3, -.1), target="benchmark").verdict == "worse"


def test_cells():
    assert dict(zip(difference_heads(.9), difference_cells(told_row()), strict=True)) == {
        "metric": "pass@1", "A": "0.500", "B": "0.625", "B - A": "+0.125",
        "90 % these questions again": "[+0.050, +0.250]", "90 % new questions": "[-0.100, +0.300]",
        "p": "0.0123", "wins/ties/losses": "6/8/1", "P(B > A)": "0.900"}


# Travelling rows.

@pytest.mark.parametrize("k", [1, 4])
def test_a_row_survives_pickle(k):
    row = row_at(k)
    again = pickle.loads(pickle.dumps(row))
    assert again == row and hash(again) == hash(row) and again.p == row.p
    assert again.confidence_interval(.9) == row.confidence_interval(.9)
    tested = (o.run_test("permutation", target="benchmark", rng=3) for o in (row, again))
    assert len({o.value for o in tested}) == 1


def test_a_row_read_from_json_holds_what_was_printed():
    row = row_at(1)
    again = Difference.from_dict(json.loads(json.dumps(row.to_dict())))
    assert again == row and again.verdict == "open" and again.comparison is None
    for ask in again.confidence_interval, again.run_test:
        with pytest.raises(ValueError, match="JSON holds the printed interval and p"): ask()
    assert row != row_at(2) and row != told_row() and row_at(1, confidence_level=.9) != row


# Two systems.

@pytest.fixture(scope="module")
def aime():
    rows = tuple(row_at(k) for k in (1, 2, 3, 4))
    moved = {"pass@1": pair_at(1).moved(2), "pass@4": pair_at(4).moved(2)}
    return Versus(rows, paired_curve(A, B, BUDGETS), moved, ("R1", "o3"), "15 in both",
                  "no sample missing.", ("4", "4"), questions={"question": np.arange(15)})


TEXT = """\
A = R1, B = o3
On new questions of this kind: it is not decided which one is better at k = 1 to 4; each k by itself.
On these 15 questions, run again: B is better at k = 1; it is not decided which one is better at k = 2 to 4; \
each k by itself.
All 4 values of k at once, on new questions (95 % band): not decided at k = 1 to 4.
o3 - R1 = +18.3 points in pass@1 (95 % CI -9.9 to +40.7, p = .24, new questions): inconclusive \
(significant under the normal approximation only). A t interval (+2.2 to +34.4, p = .03) excludes 0; \
it assumes no rare large losses that these questions missed.

metric      A      B   B - A  95 % these questions again  95 % new questions
----------------------------------------------------------------------------
pass@1  0.750  0.933  +0.183            [+0.046, +0.320]    [-0.099, +0.407]
pass@2  0.867  0.989  +0.122            [-0.032, +0.274]    [-0.137, +0.351]
pass@3  0.917  1.000  +0.083            [-0.139, +0.299]    [-0.169, +0.333]
pass@4  0.933  1.000  +0.067            [-0.205, +0.326]    [-0.181, +0.319]

metric       p  wins/ties/losses  P(B > A)
------------------------------------------
pass@1  0.2398             6/8/1     0.880
pass@2  0.4580            5/10/0     0.771
pass@3  0.8000            2/13/0     0.600
pass@4  1.0000            1/14/0     0.500

Largest differences in pass@1

question      A      B   B - A
------------------------------
14        0.250  1.000  +0.750
2         0.500  1.000  +0.500

Largest differences in pass@4

question      A      B   B - A
------------------------------
12        0.000  1.000  +1.000

Questions: 15 in both.
No sample missing.
o3 (B) minus R1 (A) on the same 15 questions, samples each: A 4, B 4. pass@1, pass@2, pass@3, pass@4: unbiased. \
Intervals for these questions, run again: 95 % gamma within questions (approximate); \
for new questions of this kind: 95 % gaffke (gaffke: at least that level, for any scores in a known range); \
each k by itself. Tests: gaffke, inverted, two-sided, of mean difference zero over all questions of the kind. P(B > A) is for new questions: \
Bayesian bootstrap with one unseen question against whoever is ahead. \
Band over all k at once: anchored-sup-t (approximate)."""


def test_text(aime): assert aime.to_text(how=True) == wrap_lines(TEXT)


def test_every_form_has_the_same_cells(aime):
    cells = ["pass@4", "0.933", "1.000", "+0.067", "[-0.205, +0.326]", "[-0.181, +0.319]", "1.0000",
             "1/14/0", "0.500"]
    lines = aime.to_markdown().splitlines()
    assert lines[0] == "**A = R1, B = o3**" and "| " + " | ".join(cells) + " |" in lines
    assert "**On new questions of this kind: it is not decided" in aime.to_markdown()
    assert " & ".join(cells) + r" \\" in aime.to_latex()
    page = aime.to_html().replace("&nbsp;", " ")
    band = f"{100 * aime.curve.low[-1]:+.1f} to {100 * aime.curve.high[-1]:+.1f}"
    # The page has the same numbers by name, in percent and in points.
    for cells in (["pass@4", "not decided", "+6.7 points", "-18.1 to +31.9", "93.3 %", "100.0 %", "1 / 14 / 0"],
                  ["pass@4", "-20.5 to +32.6", "not decided", band, "1.0000", "0.500"]):
        assert "".join(f"<td>{o}</td>" for o in cells) in page
    assert page.count("<svg") == 3
    assert "<title>sampling_eval: o3 against R1</title>" in aime.to_html()


def test_rows_by_name(aime):
    assert aime["pass@2"] is aime.rows[1]
    with pytest.raises(KeyError, match="metric must be one of .*, got 'pass@9'"): aime["pass@9"]


def test_json(aime):
    told = json.loads(aime.to_json())
    assert list(told) == ["rows", "curve", "moved", "names", "alignment", "read", "samples",
                          "confidence_level", "notes", "title", "target", "next", "how", "band", "verdict"]
    assert told["rows"] == [row.to_dict() for row in aime.rows] and told == aime.to_dict()
    assert told["moved"]["pass@4"] == [[12, 0., 1., 1.]]
    assert told["curve"]["k"] == [1, 2, 3, 4] and told["curve"]["method"] == aime.curve.method
    frame = aime.to_frame("pandas")
    flat = ["usual_method", "usual_low", "usual_high", "usual_pvalue", "usual_significant"]
    inside = {"usual", "default", "named_test", "bounds"}
    assert set(Difference.names) - inside | set(flat) < set(frame.columns) and "named_pvalue" in frame.columns
    assert frame["usual_pvalue"].tolist() == [row.usual.pvalue for row in aime.rows]
    assert frame["wins"].tolist() == [6, 5, 2, 1] and frame["stderr"][3] == pytest.approx(1 / 15)


def test_what_is_read_back_is_equal(aime):
    again = Versus.from_json(aime.to_json())
    assert again == aime and again.to_text(how=True) == wrap_lines(TEXT) and again.rows == aime.rows
    assert again["pass@1"].verdict == "open" and again.curve.gains.tolist() == []
    with pytest.raises(KeyError, match="JSON does not hold the columns"): again.questions["question"]
    assert pickle.loads(pickle.dumps(aime)) == aime and replace(aime, title="other") != aime
    assert Versus.from_json(replace(aime, drawn=None).to_json()).curve is None
    assert again.plot("difference").lines[0].get_ydata().tolist() == aime.curve.difference.tolist()


def versus_of(*rows, curve=None, **fields):
    return Versus(rows, curve, {}, ("A", "B"), "15 in both", "", ("4", "2..4"), **fields)


def test_the_verdict_lists_budgets_by_decision():
    rows = [told_row(f"pass@{k}", k, *ends) for k, ends in
            enumerate([(.1, .2), (.1, .3), (-.1, .1), (-.2, -.1), (None, None)], 1)]
    assert say_verdict(versus_of(*rows), "questions") == (
        "On new questions of this kind: B is better at k = 1 to 2; it is not decided which one is "
        "better at k = 3; B is worse at k = 4; there is no interval at k = 5; each k by itself.")
    assert say_verdict(versus_of(*rows), "benchmark") == (
        "On these 15 questions, run again: B is better at k = 1 to 5; each k by itself.")
    means = told_row("avg@4", None), told_row("avg@n", None)
    assert "decided which one is better at avg@4, avg@n; each" in versus_of(*means).verdict()


@pytest.mark.parametrize("ends, said", [
    ((.1, .2), "B is better ([+0.100, +0.200])."), ((-.2, -.1), "B is worse ([-0.200, -0.100])."),
    ((None, None), "there is no interval (-)."),
    ((-.1, .2), "it is not decided which one is better ([-0.100, +0.200]).")])
def test_the_verdict_on_one_row(ends, said):
    assert versus_of(told_row("avg@4", None, *ends)).verdict() == f"On new questions of this kind, {said}"


def test_the_target_leads():
    these = versus_of(told_row(target="benchmark"), target="benchmark")
    lines = these.to_text(how=True).splitlines()
    assert lines[1] == "On these 15 questions, run again, B is better ([+0.050, +0.250])."
    assert lines[2].startswith("On new questions of this kind, it is not decided")
    assert these.to_dict()["verdict"] == lines[1] and these.rows[0].verdict == "better"


def test_the_screen_answers_first():
    row, again = told_row(), told_row(metric="pass@2", k=2, low=.01)
    shown = repr(replace(versus_of(row, again), names=("base", "new")))
    assert shown.splitlines()[:8] == [
        "new - base = +12.5 points in pass@1 (95 % CI -10 to +30, p = .01, new", "questions): not significant.", "",
        "On new questions of this kind, new is better at pass@2; who is ahead is not",
        "decided at pass@1. On these questions, run again, new is better at pass@1,", "pass@2.", "",
        "A = base, B = new: the same 15 questions, 4 and 2 to 4 samples each"]
    assert "\nmetric  " in shown and "Holm" not in shown and "won/tied/lost" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "Questions: 3 in both, 1 only in A" in repr(
        replace(versus_of(row), alignment="3 in both, 1 only in A, 0 only in B"))


def test_the_screen_shows_some_of_many_budgets():
    rows = [told_row(metric=f"pass@{k}", k=k) for k in range(1, 41)]
    shown = repr(versus_of(*rows))
    table = shown[shown.index("metric  "):]
    assert [line.split()[0] for line in table.splitlines() if line.startswith("pass@")] == [
        f"pass@{k}" for k in (1, 2, 4, 8, 16, 32, 40)]
    assert "33 more values of k: --how or a file has them all." in shown
    assert "not decided at pass@1 to pass@40" in " ".join(shown.split())


def curve_of(low, high, k=(1, 2, 4, 8)):
    ends = np.array(low, float), np.array(high, float)
    middle = sum(ends) / 2
    return PairedCurve(np.array(k), middle, middle, *ends, 2.4, .9, 15, "sup-t")


HEAD = "All 4 values of k at once, on new questions (90 % band): "


@pytest.mark.parametrize("low, high, said", [
    ([.1, 0, -.1, -.1], [.2, .1, 0, .1], "B is better at k = 1; not decided at k = 2, 4, 8."),
    ([.1, -.1, -.2, -.3], [.2, .1, -.1, -.2], "B is better at k = 1; B is worse at k = 4, 8; "
     "not decided at k = 2. B first falls behind somewhere from k = 2 to k = 4."),
    ([.1, .1, -.2, -.3], [.2, .2, -.1, -.2], "B is better at k = 1 to 2; B is worse at k = 4, 8. "
     "B first falls behind at k = 4."),
    ([.1] * 4, [.2] * 4, "B is better at k = 1 to 2, 4, 8.")])
def test_what_a_band_certifies(low, high, said): assert say_band(curve_of(low, high)) == HEAD + said


def test_no_curve_no_band(aime):
    assert say_band(None) == "" and "All 4 budgets" not in repr(replace(aime, drawn=None))


def test_how_names_what_there_is():
    said = describe_comparison(versus_of(told_row()))
    assert said == (
        "B minus A on the same 15 questions, samples each: A 4, B 2 to 4. pass@1: unbiased. Intervals "
        "for these questions, run again: 95 % gamma; for new questions of this kind: 95 % gaffke "
        "(gaffke: at least that level, for any scores in a known range); each k by itself. "
        "Tests: sign-flip, two-sided, of no change. P(B > A) is for new questions: Bayesian "
        "bootstrap with one unseen question against whoever is ahead.")
    plain = describe_comparison(versus_of(told_row(null="", chance=None, interval="95 % t")))
    assert plain.endswith("95 % t; each k by itself. Tests: sign-flip, two-sided.")
    many = [told_row(f"pass@{k}", k) for k in range(1, 10)]
    assert " pass@1 to pass@9: unbiased." in describe_comparison(versus_of(*many))
    assert "pass@7, pass@8: unbiased." in describe_comparison(versus_of(*many[:8]))


@pytest.mark.parametrize("least, said", [(.05, False), (.0501, True), (None, False)])
def test_how_warns_of_a_p_value_that_cannot_be_small(least, said):
    told = describe_comparison(versus_of(told_row(smallest=least)))
    assert ("The smallest p value these data can reach is 0.0501." in told) is said


def test_parts_that_are_sometimes_there():
    row = told_row(reason="all alike")
    noted = versus_of(row, title="a title", notes=("a note.",))
    for part in ("pass@1: all alike.", "A note."): assert part in repr(noted).splitlines()
    lines = noted.to_text(how=True).splitlines()
    assert "pass@1: all alike." in lines and "A note." in lines and lines[0] == "B against A"
    none = replace(versus_of(row), moved={"pass@1": [], "pass@2": [Move("q", 1., 0., -1.)]})
    assert "No question differs in pass@1." in none.to_text(how=True)
    assert "q         1.000  0.000  -1.000" in none.to_text(how=True)
    assert versus_of(row, title="a title").heading == "a title"
    assert versus_of(row).heading == "B against A"


def test_hostile_names_are_inert():
    pair = paired_difference([1, 0], [0, 0], names=[HOSTILE, "q2"])
    rows = difference_row("pass@1", 1, pair),
    strange = Versus(rows, None, {"pass@1": pair.moved(1)}, (HOSTILE, "B"), "2 in both", "", ("1", "1"))
    assert "<img" not in strange.to_html() + strange.to_markdown()
    assert r"\|\$x\$" in strange.to_markdown() and r"\$x\$" in strange.to_latex()
    forms = strange.to_html() + strange.to_markdown() + strange.to_latex() + strange.to_text()
    assert "\x1b" not in forms and Versus.from_json(strange.to_json()) == strange


def test_an_interval_that_stands_in_for_another_says_so():
    rows = [[dict(question=f"q{q}", sample=s, score=(q * shift + s) % 5 / 4) for q in range(9)
             for s in range(3)] for shift in (2, 3)]
    said = " ".join(repr(compare(*rows, "soft@n")).split())
    assert ("soft@3: how much these questions vary from run to run is not known, so their interval "
            "is that for new questions, wider than need be.") in said
    flat = [[[1, 0, 1], [0, 0, 1]], [[1, 1, 1], [0, 1, 1]]]
    assert "wider than need be" not in repr(compare(*flat, "pass@1"))
