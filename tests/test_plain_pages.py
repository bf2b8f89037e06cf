"Pages of a gate and a comparison for a reader who has never heard of pass@k."
import re
from dataclasses import replace
from functools import cache
from html import unescape

import numpy as np
import pytest

from sampling_eval import compare, gate, score
from sampling_eval.reporting.parts import Ruler, Sentence
from sampling_eval.reporting.drawing import draw_ruler
from sampling_eval.reporting.points import say_could_move, say_move, say_size
from sampling_eval.reporting.verdicts import Check, Gate

LOSS = Check("pass@1 drops by at most 0.05", "pass@1", -.08, -.2, .04, -.05, "weak", "90 % gaffke", 40,
             "new questions of this kind", drop=True, warning="about 600 questions would decide it",
             equal_passes=.1, equal_flips=.19)
LEAST = Check("pass@1 is at least 0.5", "pass@1", .75, .6, .9, .5, "pass", "95 % gamma", 40,
              "these questions, run again")


def see(result):
    "What is read on a page, with one space between words."
    text = re.sub(r"(?s)<(style|svg|script)\b.*?</\1>", " ", result.to_html())
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)))


@cache
def sample(seed, share):
    return (np.random.default_rng(seed).random((40, 4)) < share).astype(int).tolist()


def judge(*rows, names=("new", "old")): return Gate(rows, names, "no sample missing.", "40 in both")


def test_the_first_line_of_a_gate_names_both_and_counts_points():
    assert ("<h1>Cannot tell: new lost 8 points against old, a loss of 5 points in pass@1 is allowed "
            "(could be a loss of 20 or a gain of 4); the test is too small.</h1>") in judge(LOSS).to_html()
    passed = replace(LOSS, value=.02, low=-.01, high=.05, verdict="pass")
    assert "Passed: new gained 2 points against old" in see(judge(passed))
    failed = replace(LOSS, low=-.1, high=-.06, verdict="fail")
    assert "Failed: new lost 8 points against old, a loss of 5 points in pass@1 is allowed (could be a loss of 6 to 10)." in see(judge(failed))


def test_the_rule_that_gave_the_verdict_comes_first():
    page = see(judge(LEAST, LOSS))
    assert page.index("Cannot tell") < page.index("Passed: new has 75 % in pass@1, at least 50 % is required (could be 60 % to 90 %).")


def test_a_run_without_a_name_is_the_new_system():
    assert "Cannot tell: the new system lost 8 points against the baseline" in see(judge(LOSS, names=("", "")))
    assert "Passed: the new system has 75 %" in see(judge(LEAST, names=("",)))


def test_an_equal_system_and_the_exit_code_have_sentences():
    page = see(judge(LOSS))
    assert "A system exactly as good as old would pass in about 10 % of such tests." in page
    assert "About 600 questions would decide it." in page
    assert "exit code 3, with 0 where --weak-passes is given, and with 1 where --strict is." in page
    assert "The command ends with exit code 0." in see(judge(LEAST))


def test_several_rules_are_told_apart():
    page = see(judge(LOSS, replace(LEAST, rule="no question falls", low=None, high=None, verdict="weak")))
    assert "Cannot tell: it is not decided whether no question falls." in page
    assert "A system exactly as good as old would pass the rule on pass@1 in about 10 % of such tests." in page


def test_the_verdict_stands_beside_the_rule():
    assert "<td>pass@1 drops by at most 0.05</td><td>weak</td>" in judge(LOSS).to_html()


def test_a_gate_folds_its_method_and_dates_itself(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    page = judge(LOSS).to_html()
    assert "<details><summary>How it was computed</summary>" in page and "1970-01-01" in page
    assert "sampling_eval 0." in page and "A 90&nbsp;% interval" in page


def test_questions_that_fell_are_headed_by_whether_any_is_certain():
    old, new = np.ones((12, 10), int), np.ones((12, 10), int)
    new[0], new[1, :3] = 0, 0
    page = see(gate(new.tolist(), baseline=old.tolist(), max_drop=.05))
    assert "1 question fell for certain; 1 question right less often may be chance" in page
    new[0] = 1
    page = see(gate(new.tolist(), baseline=old.tolist(), max_drop=.05))
    assert "No question fell for certain: 1 question right less often may be chance" in page


def test_a_gate_without_falls_has_no_heading_of_them():
    assert "fell for certain" not in see(judge(LOSS))


def test_the_bar_reaches_across_the_limit():
    drawn = draw_ruler(Ruler(-.08, -.2, .04, -.05, "limit", "no change", "all of it"))
    left, width = (float(o) for o in re.search(r'range" x="([\d.]+)" y="27" width="([\d.]+)"', drawn).groups())
    limit, zero = (float(o) for o in re.findall(r'upright" d="M([\d.]+)', drawn))
    assert left < limit < zero < left + width and (left, left + width) == (20, 380)
    assert 'aria-label="all of it"' in drawn and ">no change</text>" in drawn
    assert "nan" not in draw_ruler(Ruler(0., 0., 0., 0., "limit", "", ""))


@pytest.mark.parametrize("turned", [False, True])
def test_a_comparison_says_who_is_ahead_and_by_how_much(turned):
    a, b = sample(0, .45), sample(1, .6)
    result = compare(b, a) if turned else compare(a, b)
    result = replace(result, names=("strong", "plain") if turned else ("plain", "strong"))
    first = re.search("<h1>(.*?)</h1>", result.to_html())[1]
    assert re.fullmatch(r"strong is ahead of plain by [\d.]+ points in pass@1 \(could be .* ahead\): "
                        "(not )?decided.", first)
    assert "who is ahead is decided only where all of the 95 % interval lies on one side of 0" in see(result)


def test_equal_systems_are_level():
    same = sample(0, .5)
    result = replace(compare(same, [row[::-1] for row in same]), names=("a", "b"))
    assert "<h1>b and a are level in pass@1" in result.to_html()


def test_the_line_at_zero_is_explained_and_the_page_dated(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    page = see(compare(sample(0, .45), sample(1, .6)))
    assert "Above the dashed line B is ahead, below it A" in page and "1970-01-01" in page
    assert "Right of the dashed line B is ahead, left of it A." in page


def test_every_page_says_what_a_sample_is():
    said = "A sample is one try at a question. pass@k: right at least once in k tries"
    a, b = sample(0, .45), sample(1, .6)
    for result in score(a), compare(a, b), gate(b, baseline=a, max_drop=.1): assert see(result).count(said) == 1


def test_a_score_says_where_its_intervals_stand():
    page = see(score(sample(0, .5)))
    assert "pass@k: at least one right" in page
    assert "Below or beside each estimate its 95 % interval" in page
    assert "Beside each estimate its 95 % interval" in see(score([[1], [0], [1], [1]]))


@pytest.mark.parametrize("value, metric, said", [
    (-.08, "pass@1", "lost 8 points"), (.01, "avg@4", "gained 1 point"), (-.081, "maj@3", "lost 8.1 points"),
    (.00004, "pass^2", "gained 0.004 points"), (0, "pass@1", "neither lost nor gained"),
    (-.5, "soft@4", "lost 0.500"), (2, "mine", "gained 2.000"), (.1, "g-pass@4_0.5", "gained 10 points")])
def test_points_are_for_shares(value, metric, said): assert say_move(value, metric) == said


def test_ends_in_words():
    assert say_could_move(.01, .2, "pass@1") == "could be a gain of 1 to 20"
    assert say_could_move(-.2, 0, "pass@1") == "could be a loss of 0 to 20"
    assert say_size(-.05, "pass@1") == "5 points"
