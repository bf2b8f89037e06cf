"Pages of a gate and a comparison for a reader who has never heard of pass@k."
import json
import re
from dataclasses import replace
from functools import cache
from html import unescape

import numpy as np
import pytest

from sampling_eval import compare, gate, score
from sampling_eval.reporting.numbers import signed
from sampling_eval.reporting.parts import Ruler
from sampling_eval.reporting.drawing import draw_ruler
from sampling_eval.reporting.points import say_could_move, say_move, say_size
from sampling_eval.reporting.gate_facts import Command
from sampling_eval.reporting.gate_facts import Check
from sampling_eval.reporting.verdicts import Gate

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
    assert ("<h1>Cannot tell: new lost 8 points in pass@1 against old (CI -20 to +4, new questions).</h1>\n"
            '<p class="lead">A loss of 5 points is allowed; the test is too small.</p>') in judge(LOSS).to_html()
    passed = replace(LOSS, value=.02, low=-.01, high=.05, verdict="pass")
    assert "Passed: new gained 2 points in pass@1 against old" in see(judge(passed))
    failed = replace(LOSS, low=-.1, high=-.06, verdict="fail")
    assert ("Failed: new lost 8 points in pass@1 against old (CI -10 to -6, new questions). "
            "A loss of 5 points is allowed.") in see(judge(failed))
    assert "No loss is allowed; the test is too small." in see(judge(replace(LOSS, limit=0.)))
    assert "A loss of 1.25 points is allowed" in see(judge(replace(LOSS, limit=-.0125)))
    assert "At least 66.65 % is required" in see(judge(replace(LEAST, limit=.6665)))
    assert "A loss of 0.5 is allowed" in see(judge(replace(LOSS, metric="soft@4", limit=-.5)))


@pytest.mark.parametrize("verdicts, page, first", [
    ("pass pass", "Passed: both rules.", "PASS: both rules."),
    ("pass " * 4, "Passed: all 4 rules.", "PASS: all 4 rules."),
    ("fail pass weak fail pass", "Failed: 2 of 5 rules: 'rule 0' and 'rule 3'; 1 cannot be told.",
     "FAIL: 2 of 5 rules: 'rule 0' and 'rule 3'; 1 cannot be told."),
    ("fail fail fail pass", "Failed: 3 of 4 rules.", "FAIL: 3 of 4 rules."),
    ("weak pass pass", "Cannot tell: 1 of 3 rules is undecided; the other 2 passed.",
     "WEAK: cannot tell; 1 of 3 rules is undecided; the other 2 passed."),
    ("weak weak weak", "Cannot tell: all 3 rules are undecided.", "WEAK: cannot tell; all 3 rules are undecided.")])
def test_the_title_of_several_rules_counts_them(verdicts, page, first):
    found = judge(*(replace(LEAST, rule=f"rule {i}", verdict=verdict)
                    for i, verdict in enumerate(verdicts.split())))
    assert f"<h1>{page}</h1>" in found.to_html().replace("&#x27;", "'").replace("&#39;", "'")
    assert found.to_text().startswith(f"{first}\n\n") and found.to_markdown().startswith(f"**{first}**")
    assert found.to_summary().startswith(f"**{first}**")


def test_no_rule_that_passes_is_said_to_fail():
    page = judge(LEAST, replace(LOSS, verdict="pass", low=-.01), LEAST)
    for text in (see(page).partition("How it was computed")[0], page.to_text(), page.to_summary().partition("<details>")[0]):
        assert not re.search(r"\b(also |be called )?fail(ed|s)?\b(?! it)|Holm", text.replace("wholly left of it fails", ""))
    assert "All 3 rules must pass." in see(page) and "Holm's correction for 2" in page.how()


def test_a_verdict_that_many_rules_changed_says_so():
    row = replace(LOSS, low=-.2, high=-.06, warning="it fails if judged alone, but not when Holm's correction allows for the other rules")
    page = see(judge(LEAST, row))
    assert "It fails if judged alone, but not when Holm's correction allows for the other rules." in page
    # Its interval lies below the limit: more data are not what it lacks.
    assert "the test is too small" not in page and "Even a system" not in page


def test_what_did_not_pass_stands_first():
    page = see(judge(LEAST, LOSS))
    assert page.index("? Cannot tell: new lost") < page.index("✓ Passed: new has 75 % in pass@1 (CI 60 % to 90 %, same questions). At least 50 % is required.")
    assert page.index("change in pass@1 ? cannot tell -8 points -20 to +4 may lose 5 points") < page.index(
        "pass@1 ✓ passed 75 % 60 % to 90 % at least 50 %")


def test_a_run_without_a_name_is_the_new_system():
    assert "Cannot tell: the new system lost 8 points in pass@1 against the baseline" in see(judge(LOSS, names=("", "")))
    assert "Passed: the new system has 75 %" in see(judge(LEAST, names=("",)))
    assert "Cannot tell: the new system lost 8 points in pass@1 against the baseline" in see(judge(LOSS, names=("new", "baseline")))


def test_new_questions_are_not_always_wider():
    assert "also for the choice of the questions, which mostly makes it wider." in see(judge(LOSS))


def test_an_equal_system_is_told_of_where_a_rule_is_weak():
    page = see(judge(LOSS))
    assert "Even a system exactly as good as old would pass this test only 10 times in 100." in page
    assert "About 600 questions would decide it." in page
    assert "Even a system exactly as good as old would pass the rule on pass@1 only once in 100." in see(judge(LEAST, replace(LOSS, equal_passes=.012)))
    assert "would pass this test only less than once in 100." in see(judge(replace(LOSS, equal_passes=.001)))
    assert " A system exactly as good as old would pass this test 79 times in 100." in see(judge(replace(LOSS, equal_passes=.79)))
    decided = see(judge(replace(LOSS, verdict="pass", low=-.04)))
    assert "exactly as good" not in decided and "a system equal to the baseline passes in about 10 % of runs" in decided


@pytest.mark.parametrize("row, command, said", [
    (LEAST, Command(weak_passes=True), "The command ended with exit code 0."),
    (replace(LEAST, verdict="fail"), Command(), "The command ended with exit code 1."),
    (LOSS, Command(), "exit code 3: neither pass nor fail. --weak-passes makes it 0, --strict 1."),
    (LOSS, Command(weak_passes=True), "The command ended with exit code 0 (--weak-passes)."),
    (LOSS, Command(strict=True), "The command ended with exit code 1 (--strict).")])
def test_the_exit_code_is_that_of_this_run(row, command, said):
    found = replace(judge(row), command=command)
    for text in (see(found), found.to_summary()): assert text.count(said) == 1
    # A terminal says it where it may surprise.
    assert " ".join(found.to_text().split()).count(said) == (found.verdict == "weak")
    assert "exit code" not in see(judge(row)) and found.to_json() == judge(row).to_json()


def test_a_failure_names_the_command_that_shows_its_questions():
    failed = replace(LOSS, verdict="fail", high=-.06)
    typed = "sampling-eval explain old.jsonl new.jsonl"
    told = replace(judge(failed), command=Command(explain=typed))
    assert f"<code>{typed}</code>" in told.to_html() and typed in told.to_text() and typed in told.to_summary()
    assert "explain(baseline, other=new) shows the questions behind it." in see(judge(failed))
    assert "explain" not in see(replace(judge(LEAST), command=Command(explain=typed)))


def test_what_the_ranges_are_about_is_explained_once():
    page = see(judge(LEAST, LOSS))
    assert page.count("'These questions, run again': the range allows for chance in the samples of these questions.") == 1
    assert "twice as many samples as the k of its metric" in page
    assert "The range is for these 40 questions, run again." in page and "The range is for new questions of this kind." in page
    assert "Here the second is used." in see(judge(LOSS)) and "Here the first is used." in see(judge(LEAST))


def test_terms_stand_before_the_rules_and_the_date_first(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    page = judge(LEAST, LOSS).to_html()
    assert page.index("A sample is one try") < page.index('<section class="judged')
    assert '<p class="note">1970-01-01. New: new; baseline: old; the same 40 questions</p>' in page


def test_bars_of_one_unit_share_a_scale():
    wide = replace(LOSS, metric="pass@4", low=-.5, high=.3)
    drawn = re.findall(r'(?s)<svg class="span.*?</svg>', judge(LOSS, wide, LEAST).to_html())
    zeros = [re.findall(r'upright" d="M([\d.]+)', one)[1] for one in drawn[:2]]
    assert zeros[0] == zeros[1] and len(drawn) == 3
    numbers = [re.findall(r'y="60" text-anchor="middle">([^<]+)</text>', one) for one in drawn]
    assert numbers == [["-20", "-8", "+4"], ["-50", "-8", "+30"], ["60 %", "75 %", "90 %"]]


def test_rules_that_count_questions_are_in_words():
    found = gate([[1, 1, 0, 1]] * 3, must_pass=[0, 1], must_pass_share=.75, minimum={"pass@1": .1})
    page = see(found)
    assert "must-pass questions pass ✓ passed 2 of 2 right often enough all must be" in page
    assert "0 3 of 4 3 of 4 ✓ passed" in page
    page = see(gate([[1, 1, 0, 1]] * 3, must_pass=[0, 1], minimum={"pass@1": .1}))
    assert "✗ failed 0 of 2 right all must be" in page


def test_a_gate_folds_its_method_and_dates_itself(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    page = judge(LOSS).to_html()
    assert "<details><summary>How it was computed</summary>" in page and "1970-01-01" in page
    assert "sampling_eval 0." in page and "A 90&nbsp;% interval" in page


def fall_by(*rights):
    "Twelve questions that were always right in ten samples, and the first few now."
    new = np.ones((12, 10), int)
    for row, right in zip(new, rights): row[right:] = 0
    return gate(new.tolist(), baseline=np.ones((12, 10), int).tolist(), max_drop=.05)


@pytest.mark.parametrize("rights, said, heading", [
    ((7,) * 7, "7 of 12 questions were right less often; none alone by more than chance explains.",
     "The 5 clearest of 7 questions that were right less often"),
    ((7, 7), "2 of 12 questions were right less often; none alone by more than chance explains.",
     "The 2 questions that were right less often"),
    ((7,), "1 of 12 questions was right less often, by no more than chance explains.",
     "The question that was right less often"),
    ((0, 7), "1 question fell: question 0 (10 to 0 of 10 right); 1 other of 12 was right less often, by no more than chance explains.",
     "The 2 questions that were right less often"),
    ((0,), "1 question fell: question 0 (10 to 0 of 10 right).", "The question that was right less often")])
def test_all_questions_right_less_often_are_counted(rights, said, heading):
    found = fall_by(*rights)
    assert found.watch.lower == len(rights)
    for text in (see(found), " ".join(found.to_text().split()), found.to_summary()): assert said in text
    assert f"<h2>{heading}</h2>" in found.to_html() and f"**{heading}**" in found.to_markdown()
    seen = "On 12 of 12 questions a loss of all right samples would have been noticed."
    assert see(found).count(seen) == (rights[0] > 0)
    strict = gate([[1] * 10] * 11 + [[0] * 10], baseline=[[1] * 10] * 12, no_question_falls=True)
    assert "1 question fell: question 11" in strict.to_junit()


def test_a_gate_of_older_json_has_no_count_of_falls():
    told = json.loads(fall_by(7, 7).to_json())
    del told["watch"]["lower"]
    page = see(Gate.from_json(json.dumps(told)))
    assert "No question fell by more than chance explains." in page and "Questions right less often" in page


def test_p_values_are_folded():
    before, _, folded = fall_by(7, 7).to_html().partition("<summary>All numbers</summary>")
    assert "adjusted p" in folded and "adjusted p" not in before and "<td>may be chance</td>" in before


def test_a_gate_without_falls_has_no_heading_of_them():
    assert "right less often" not in see(judge(LOSS))


def test_hostile_names_of_systems_are_inert():
    name = "<b>&" + "x" * 80
    page = judge(LOSS, LEAST, names=(name, "old")).to_html()
    assert "<b>&x" not in page and "&lt;b&gt;&amp;xxx" in page


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
    order = "plain trails strong" if turned else "strong leads plain"
    assert re.fullmatch(rf"{order} by [\d.]+ points in pass@1 \(95&nbsp;% CI .*, new questions\): "
                        "(significant|inconclusive).*", first)


def test_equal_systems_are_level():
    same = sample(0, .5)
    result = replace(compare(same, [row[::-1] for row in same]), names=("a", "b"))
    assert "<h1>a and b are equal in pass@1 (95&nbsp;% CI" in result.to_html()


def test_the_line_at_zero_is_explained_and_the_page_dated(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    page = see(compare(sample(0, .45), sample(1, .6)))
    assert "Made on 1970-01-01." in page


def test_every_page_says_what_a_sample_is():
    said = "A sample is one try at a question; k is how many one draws. pass@k: right at least once in k tries"
    a, b = sample(0, .45), sample(1, .6)
    for result in score(a), gate(b, baseline=a, max_drop=.1): assert see(result).count(said) == 1


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


def test_points_are_rounded_as_the_terminal_rounds():
    assert say_size(.0425, "pass@8") == "4.3 points" and signed(.0425) == "+0.043"
