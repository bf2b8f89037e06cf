"One sentence on several models: who is first, and whether that may be chance."
import json

import numpy as np
import pytest

from sampling_eval import score
from sampling_eval.reporting.families import say_rules
from sampling_eval.reporting.letters import share_letter
from sampling_eval.reporting.phrases import say_shares
from sampling_eval.reporting.ranked import SCORES, SHARES, say_ranks, scale_of
from sampling_eval.reporting.report import Report
from told_report import ToldRow


def say(means, **letters): return say_ranks(means, SHARES, letters)


@pytest.mark.parametrize("letters, said", [
    (dict(new="a", old="b"), "new is right in 65 % of its samples, old in 57 %: new is better."),
    (dict(new="a", old="a"), "new is right in 65 % of its samples, old in 57 %: too little data to tell which is better."),
    ({}, "Of 2 models new is right most often, in 65 % of its samples; old least often, in 57 %.")])
def test_two_models(letters, said): assert say(dict(old=.57, new=.65), **letters) == said


# Every set of pairs that three models can leave open, with its letters: the sentence names what is decided and what is not.
@pytest.mark.parametrize("decided, letters, verdict", [
    ("", "a a a", "too little data to tell any two apart"),
    ("tv", "a ab b", "t is better than v; u cannot be told from either"),
    ("tu", "a b ab", "t is better than u; v cannot be told from either"),
    ("uv", "ab a b", "u is better than v; t cannot be told from either"),
    ("tv uv", "a a b", "t and u are both better than v; which of the two is better cannot be told"),
    ("tu tv", "a b b", "t is better than both others; which of these two is better cannot be told"),
    ("tu uv", "a b a", "t is better than u, and u than v; t and v cannot be told apart"),
    ("tu tv uv", "a b c", "t is better than both others, and u than v")])
def test_three_models(decided, letters, verdict):
    named = dict(zip("tuv", letters.split()))
    apart = [one + other for one, other in ("tu", "tv", "uv") if not share_letter(named[one], named[other])]
    assert apart == decided.split()
    assert say(dict(v=.3, t=.73, u=.55), **named) == f"t is right in 73 % of its samples, u in 55 %, v in 30 %: {verdict}."


def test_two_of_three_in_front():
    means = dict(a=.5, b=.3, c=.5)
    told = "a is right in 50 % of its samples, c in 50 %, b in 30 %: "
    assert say(means, a="a", c="a", b="b") == told + "a and c are both better than b; which of the two is better cannot be told."
    assert say(means, a="a", c="ab", b="b") == told + "a is better than b; c cannot be told from either."
    assert say(dict(a=.5, b=.3, c=.3), a="a", b="b", c="b").endswith(": a is better than both others; which of these two is better cannot be told.")


@pytest.mark.parametrize("letters, verdict", [
    ("a b b b b b", "better than all 5 others"), ("a a b b b b", "but with too little data to tell it from m1"),
    ("a a a a a b", "but with too little data to tell it from 4 others"), ("a a a a a a", "but with too little data to tell it from the other 5")])
def test_many_models(letters, verdict):
    means = {f"m{i}": .9 - i / 10 for i in range(6)}
    assert say(means, **dict(zip(means, letters.split()))) == (
        f"Of 6 models m0 is right most often, in 90 % of its samples, {verdict}; m5 least often, in 40 %.")


@pytest.mark.parametrize("means, letters, said", [
    ("9 9 3 2", "", "Of 4 models a and b are right most often, in 90 % of their samples; d least often, in 20 %."),
    ("9 3 2 2", "", "Of 4 models a is right most often, in 90 % of its samples; c and d least often, in 20 %."),
    ("9 9 9 2", "", "Of 4 models a, b and c are right most often, in 90 % of their samples; d least often, in 20 %."),
    ("9 2 2 2 2", "", "Of 5 models a is right most often, in 90 % of its samples; 4 models least often, in 20 %."),
    ("9 9 3 2", "a a b b", "Of 4 models a and b are right most often, in 90 % of their samples, better than both "
                           "others; d least often, in 20 %."),
    ("9 9 3 2", "a ab b c", "Of 4 models a and b are right most often, in 90 % of their samples, but with too little "
                            "data to tell them from c; "
                            "d least often, in 20 %."),
    ("9 3 3 2", "a a b b", "Of 4 models a is right most often, in 90 % of its samples, but with too little data to "
                           "tell it from b; d least often, in 20 %."),
    ("9 8 7 6 5", "a a a a b", "Of 5 models a is right most often, in 90 % of its samples, but with too little data "
                               "to tell it from b, c or d; "
                               "e least often, in 50 %."),
    ("9 9 9 2", "a a a a", "Of 4 models a, b and c are right most often, in 90 % of their samples, but with too "
                           "little data to tell them from d; "
                           "d least often, in 20 %."),
    ("5 5", "a a", "Both models are right in 50 % of their samples."),
    ("5 5 5", "", "All 3 models are right in 50 % of their samples."),
    ("5 5 3", "a b c", "a is right in 50 % of its samples, b in 50 %, c in 30 %: a and b are both better than c; "
                       "which of the two is better cannot be told."),
    ("9 3", "a", "Of 2 models a is right most often, in 90 % of its samples; b least often, in 30 %.")])
def test_first_and_last(means, letters, said):
    known = dict(zip("abcde", letters.split()))
    assert say({name: int(mean) / 10 for name, mean in zip("abcde", means.split())}, **known) == said


def test_first_and_last_in_other_metrics():
    means = dict(a=7.5, b=7.5, c=3., d=2.)
    assert say_ranks(means, SCORES) == "Highest mean score of 4 models: 7.500 of a and b; lowest: 2.000 of d."
    told = dict(a="a", b="a", c="b", d="b")
    said = "Highest mean score of 4 models: 7.500 of a and b, higher than both others; lowest: 2.000 of d."
    assert say_ranks(means, SCORES, told) == said
    assert say_ranks(means, scale_of("max@2"), told, "run") == (
        "Of 4 runs a and b have the highest max@2, 7.500, higher than both others; d the lowest, 2.000.")
    said = "Of 4 models a has the highest pass@2, 0.900; d the lowest, 0.300."
    assert say_ranks(dict(a=.9, b=.5, c=.4, d=.3), scale_of("pass@2")) == said
    assert say_ranks(dict(a=2, b=2), SCORES) == "Both models have the mean score 2.000."
    assert say_ranks(dict(a=2, b=2), scale_of("max@2")) == "Both models have a max@2 of 2.000."


def test_scores_and_other_metrics():
    means, letters = dict(a=7.5, b=-1.), dict(a="a", b="b")
    assert say_ranks(means, SCORES, letters) == "a has the mean score 7.500, b -1.000: a is higher."
    assert say_ranks(dict(a=.9, b=.3), scale_of("{x}@4"), letters) == "a has a {x}@4 of 0.900, b of 0.300: a is higher."
    assert say_ranks(dict(a=.9, b=.3), scale_of("pass@4"), letters) == "a has a pass@4 of 0.900, b of 0.300: a is better."
    assert say_ranks(dict(a=1, b=1), SHARES, letters, "grading") == "Both gradings are right in 100 % of their samples."


def test_shares_are_told_apart():
    assert say_shares([.421, .425, .9]) == ["42.1 %", "42.5 %", "90.0 %"]
    assert say_shares([.5, .5, 1]) == ["50 %", "50 %", "100 %"]


def outcomes(*shares, questions=60):
    rng = np.random.default_rng(0)
    return [dict(model=f"m{i}", question=q, correct=int(rng.random() < share))
            for i, share in enumerate(shares) for q in range(questions) for _ in range(4)]


@pytest.mark.parametrize("shares", [(.5, .52), (.2, .8), (.5, .8, .52), (.3, .5, .5, .9)])
def test_the_headline_agrees_with_the_letters(shares):
    report = score(outcomes(*shares))
    letters = report.letters["pass@1"]
    values = {model: report[model, "pass@1"].estimate for model in letters}
    best = sorted(values, key=lambda model: -values[model])
    tied = any(share_letter(letters[best[0]], letters[model]) for model in best[1:])
    if len(best) != 3: assert ("too little data to tell" in report.headline) == tied
    assert (f"{best[0]} is better than both others" in report.headline) == (len(best) == 3 and not tied)
    for text in repr(report), report.to_markdown(), report.to_html().replace("&nbsp;", " "):
        assert report.headline in " ".join(text.split())


def test_json_keeps_the_plain_answer_and_a_page_of_it_the_verdict():
    report = score(outcomes(.2, .8))
    assert json.loads(report.to_json())["answer"] == report.answer
    assert report.answer.startswith("Of 2 models m1 is right most often")
    again = Report.from_json(report.to_json())
    assert again == report and again.headline == report.headline


def test_letters_wait_until_they_are_asked_for():
    report = score(outcomes(.2, .8))
    assert report.answer and report.rows and report.to_dict() and "letters" not in vars(report)
    assert report.headline and "letters" in vars(report)


def test_groups_have_no_verdict():
    rows = [row | dict(task="xy"[row["question"] % 2]) for row in outcomes(.2, .8)]
    report = score(rows, by="task")
    assert report.headline == report.answer == "Of 2 models m1 is right most often, in 78 % of its samples; m0 least often, in 20 %."


def test_gradings_are_no_models():
    rows = [dict(question=q, strict=q % 2, loose=1) for q in range(8) for _ in range(2)]
    report = score(rows, score=["strict", "loose"], threshold=.5)
    assert report.kind == "grading" and "2 gradings, 8 questions" in repr(report) and "models" not in repr(report).split("\n\n")[0]
    assert Report.from_json(report.to_json()).kind == "grading"


def test_rules_of_metrics():
    rows = [ToldRow(f"cons@{k}", k, .5) for k in (1, 2, 3, 4)] + [ToldRow("mg-pass@4", 4, .5)]
    assert say_rules(rows) == ["cons@k: at even k a tie counts as wrong, so it can be lower there than at the k before.",
                               "mg-pass@4 is the mean of 2 shares: at least 3 and 4 of 4 right."]
    assert say_rules([ToldRow("mg-pass@16", 16, .5)]) == ["mg-pass@16 is the mean of 8 shares: at least 9, 10, ..., 16 of 16 right."]
    assert say_rules([ToldRow("mg-pass@5", 5, .5)]) == ["mg-pass@5 is 2/5 times the sum of 2 shares: at least 4 and 5 of 5 right."]
    assert say_rules([ToldRow("mg-pass@3", 3, .5)]) == ["mg-pass@3 is 2/3 of the share with all 3 right."]
    assert not say_rules([ToldRow("cons@3", 3, .5), ToldRow("pass@4", 4, .5)])


@pytest.mark.parametrize("n, k", [(8, 4), (9, 5), (5, 3), (8, 8)])
def test_what_is_said_of_mg_pass_is_what_it_is(n, k):
    right = np.random.default_rng(1).random((30, n)) < .6
    taus = [j / k for j in range((k + 1) // 2 + 1, k + 1)]
    names = [f"g-pass@{k}_{np.format_float_positional(tau, trim='0')}" for tau in taus]
    report = score(right, [f"mg-pass@{k}", *names])
    values = [row.estimate for row in report.rows]
    assert values[0] == pytest.approx(2 / k * sum(values[1:]))
