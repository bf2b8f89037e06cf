"The answer of a report in words, and its numbers in a grid."
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval import score
from sampling_eval.reporting import text
from sampling_eval.reporting.families import group_rows, say_meaning
from sampling_eval.reporting.headline import find_main, say_answer, say_size
from sampling_eval.reporting.matrix import make_matrix
from sampling_eval.reporting.parts import GridLine, Matrix
from sampling_eval.reporting.phrases import say_share
from sampling_eval.reporting.records import Absent
from told_report import ToldRow, columns

def rows_of(*told, **fields): return [ToldRow(name, k, value, **fields) for name, k, value in told]


def answer(*rows, questions=Absent()):
    blocks = {}
    for row in rows: blocks.setdefault((row.model, row.group), []).append(row)
    return say_answer(blocks, questions)


FOUR = [("pass@1", 1, .42), ("pass@4", 4, .72), ("pass^1", 1, .42), ("pass^4", 4, .2)]


def test_one_model():
    assert answer(*rows_of(*FOUR, model="gpt")) == (
        "gpt is right in 42 % of its samples: 72 % of the questions at least once in 4, "
        "20 % every time.")
    assert answer(*rows_of(*FOUR), questions=columns([4, 2, 1, 0])) == (
        "42 % of the samples are right: 72 % of the questions at least once in 4, "
        "20 % every time; 2 questions are flaky.")
    assert answer(*rows_of(*FOUR[:2]), questions=columns([4, 1])) == (
        "42 % of the samples are right: 72 % of the questions at least once in 4; "
        "1 question is flaky.")


def test_all_and_none():
    all_of_them = rows_of(("pass@1", 1, .5), ("pass@4", 4, 1.), ("pass^1", 1, .5), ("pass^4", 4, 0.))
    assert answer(*all_of_them).endswith(": every question at least once in 4, none every time.")
    assert ": no question at least once in 2" in answer(*rows_of(("pass@1", 1, 0.), ("pass@2", 2, 0.)))


def test_one_sample():
    one = rows_of(("pass@1", 1, .42), n_min=1, n_max=1)
    assert answer(*one) == "42 % of 50 questions are answered right."
    assert answer(replace(one[0], model="m")) == "m is right on 42 % of 50 questions."


def test_scores_and_metrics_that_were_chosen():
    assert answer(*rows_of(("soft@4", None, .63))) == "The mean score is 0.630."
    assert answer(*rows_of(("avg@4", None, .63), model="m")) == "m is right in 63 % of its samples."
    chosen = rows_of(("pass@2", 2, .4), ("pass@4", 4, .5), ("max@4", 4, 7.25), model="m")
    assert answer(*chosen) == "m: pass@4 is 0.500, max@4 is 7.250."


def test_missing_samples_counted_both_ways():
    both = [ToldRow("pass@1", 1, share, missing=7, group=f"missing counted {how}")
            for share, how in [(.3, "wrong"), (.4, "right")]]
    assert answer(*both) == ("30 % to 40 % of the samples are right, whatever the 7 missing ones "
                             "would have been.")


def test_several_models():
    three = [ToldRow("pass@1", 1, share, model=m) for m, share in [("a", .3), ("b", .9), ("c", .5)]]
    assert answer(*three) == ("Of 3 models b is right most often, in 90 % of its samples; "
                              "a least often, in 30 %.")
    assert answer(*(replace(row, metric="pass@2", k=2) for row in three)) == "Of 3 models b has the highest pass@2, 0.900; a the lowest, 0.300."


def test_near_shares_are_told_apart():
    near = [ToldRow("pass@1", 1, share, model=model) for model, share in [("a", .421), ("b", .425)]]
    assert answer(*near) == ("Of 2 models b is right most often, in 42.5 % of its samples; "
                             "a least often, in 42.1 %.")


def test_groups_do_not_change_the_answer():
    whole = rows_of(*FOUR, group="all questions")
    part = rows_of(*FOUR, group="g")
    assert answer(*part, *whole) == answer(*whole)


@pytest.mark.parametrize("share, said", [
    (0, "0 %"), (1, "100 %"), (.42, "42 %"), (.004, "0.4 %"), (.9996, "99.96 %"), (.001, "0.1 %")])
def test_shares_do_not_round_to_all_or_nothing(share, said): assert say_share(share) == said


def test_size():
    rows = rows_of(("avg@4", None, .5), model="m")
    assert say_size({("m", ""): rows}, "run.jsonl") == (
        "run.jsonl: m, 50 questions, 4 samples each, none missing")
    other = [replace(rows[0], model="z", questions=1, n_min=1, n_max=1, missing=3)]
    assert say_size({("m", ""): rows, ("z", ""): other}) == (
        "2 models, 1 to 50 questions, 1 to 4 samples each, 0 to 3 missing")


def test_the_answer_is_true():
    outcomes = np.random.default_rng(3).random((60, 8)) < np.linspace(0, 1, 60)[:, None]
    c = outcomes.sum(1)
    said = score(outcomes).answer
    assert said == (f"{say_share(c.mean() / 8)} of the samples are right: {say_share((c > 0).mean())} "
                    f"of the questions at least once in 8, {say_share((c == 8).mean())} every time; "
                    f"{((c > 0) & (c < 8)).sum()} questions are flaky.")


def test_the_answer_travels_with_the_json():
    report = score([[1, 0], [1, 1]], title="t")
    again = type(report).from_json(report.to_json())
    assert again.answer == report.answer and again == report


# The grid.

@pytest.mark.parametrize("name, meaning", [
    ("pass@k", "at least one right"), ("cons@k", "more than half right"), ("g-pass@k_0.75", "at least 75 % right"), ("g-pass@k_1.0", "all right"),
    ("avg@k", "share right"), ("mine@k", "")])
def test_meanings(name, meaning): assert say_meaning(name) == meaning


def test_families_are_ordered_by_budget():
    found = group_rows(rows_of(("pass@4", 4, .5), ("pass@1", 1, .4), ("avg@4", None, .4)))
    assert [family.name for family in found] == ["pass@k", "avg@4"]
    assert [row.k for row in found[0].rows] == [1, 4] and found[0].at(2) is None


def test_decimals_follow_the_width():
    def span(low, high):
        rows = [ToldRow("pass@1", 1, .5, low, high), ToldRow("pass@2", 2, .5, low, high)]
        return make_matrix(group_rows(rows)).lines[0].cells[0]
    assert span(.4, .6).spans == ("0.40–0.60",) and span(.4, .6).value == "0.500"
    assert span(.499, .502).spans == ("0.4990–0.5020",)
    assert span(None, None).spans == ("-",) and span(-.1, .2).spans == ("-0.10 to 0.20",)


def test_a_screen_has_eighty_columns():
    rows = [ToldRow(f"pass@{k}", k, .5) for k in range(1, 33)]
    shown = text.render([make_matrix(group_rows(rows))]).splitlines()
    assert max(map(len, shown)) <= 80
    assert shown[0].split() == ["metric", "k", "=", "1", "2", "4", "32"]
    assert shown[-1] == "Not shown here: k = 3, 5, 6, 7, 8, 9 and 22 more; --how and files have them."


def test_wide_characters_are_aligned():
    lines = (GridLine("模型", "", ()), GridLine("abcd", "", ()), GridLine("e\u0301", "", ()))
    table = text.text_table([["model", "x"], ["模型", "1"], ["abcd", "1"], ["e\u0301", "1"]])
    assert [text.measure(line) for line in table.splitlines()] == [8] * 5
    assert Matrix("model", (), lines).to_table().rows == [["模型"], ["abcd"], ["e\u0301"]]


# Sentences of given numbers.

def told(name, value, k=1, **more): return ToldRow(name, k, value, **more)


ONE_SAMPLE = dict(n_min=1, n_max=1)


@pytest.mark.parametrize("rows, said", [
    ([told("pass@1", 1., **ONE_SAMPLE, questions=1, model="m")], "m is right on the only question."),
    ([told("pass@1", 0., **ONE_SAMPLE, questions=1)], "The only answer is wrong."),
    ([told("pass@1", .25, questions=1, model="m")], "m is right in 1 of 4 samples of the only question (25 %)."),
    ([told("pass@1", .75, questions=1)], "3 of 4 samples of the only question are right (75 %)."),
    ([told("pass@1", .5)], "50 % of the samples are right."),
    ([told("pass@1", .5), told("pass@1", .5, 1)], "50 % of the samples are right."),
    ([told("pass@1", .5), told("pass@2", .5, 2), told("pass^2", .5, 2)],
     "50 % of the samples are right: 50 % of the questions at least once in 2."),
    ([told("pass@1", .5), told("pass@2", .75, 2), told("pass^1", .5), told("pass^2", .25, 2)],
     "50 % of the samples are right: 75 % of the questions at least once in 2, 25 % every time."),
    ([told("pass@1", 1.), told("pass@2", 1., 2), told("pass^1", 1.), told("pass^2", 1., 2)],
     "100 % of the samples are right: every question every time."),
    ([told("pass@2", .5, 2), told("avg@4", .25, None)], "25 % of the samples are right."),
    ([told("soft@4", .25, None, model="m")], "The mean score of m is 0.250."),
    ([told("pass@2", .5, 2), told("maj@2", .4, 2), told("cons@2", .3, 2), told("best@2", .2, 2)],
     "pass@2 is 0.500, maj@2 is 0.400, cons@2 is 0.300.")])
def test_sentences_on_one_model(rows, said): assert answer(*rows) == said


def test_one_flaky_question_is_not_counted():
    assert answer(told("pass@1", .5, questions=1),
                  questions=columns([2])) == "2 of 4 samples of the only question are right (50 %)."
    assert answer(told("pass@1", .5), questions=columns([4, 0])) == "50 % of the samples are right."
    assert answer(told("pass@1", .5), questions=columns([1])).endswith("; 1 question is flaky.")
    assert answer(told("pass@1", .5), questions=dict(n=[4])) == "50 % of the samples are right."


def test_weighted_questions():
    weighted = SimpleNamespace(weighted_by="points")
    rows = [told("pass@1", .5, weights=weighted, model=m) for m in "abcd"]
    assert answer(rows[0]) == "Questions weighted by points: a: pass@1 is 0.500."
    assert answer(*rows[:3]) == (
        "Questions weighted by points: a: pass@1 is 0.500; b: pass@1 is 0.500; c: pass@1 is 0.500.")
    assert answer(*rows) == "4 models, whose questions are weighted by points."
    grouped = [replace(rows[0], model="", group=g) for g in ("missing counted wrong", "missing counted right")]
    assert answer(*grouped).startswith("Questions weighted by points: missing counted wrong: pass@1")


def test_models_of_other_questions():
    rows = [told("pass@1", .5, model=m) for m in "ab"]
    said = "2 models were asked different questions: their numbers do not rank them."
    assert answer(rows[0], replace(rows[1], questions=49)) == said
    for names, other in (list("xyxz"), True), (list("xyyx"), False):
        asked = dict(model=np.array(list("aabb")), question=np.array(names))
        assert (answer(*rows, questions=asked) == said) == other


def test_missing_samples_of_several_models_and_of_one():
    both = [told("pass@1", share, missing=1, model="m", group=f"missing counted {how}") for share, how in (
        (.3, "wrong"), (.4, "right"))]
    assert answer(*both) == "m is right in 30 % to 40 % of its samples, whatever the missing one would have been."
    assert answer(*(replace(row, group=f"all questions / {row.group}") for row in both)) == answer(*both)
    assert answer(*both, *(replace(row, model="n") for row in both)) == (
        "2 models, whose missing samples are counted both ways.")
    odd = [replace(row, metric="max@4", k=4) for row in both]
    assert answer(*odd) == "Missing samples: see below." == answer(both[0], odd[1]) == answer(odd[0], both[1])


def test_models_without_a_common_number():
    mixed = told("pass@1", .5, model="a"), told("soft@4", .4, None, model="b")
    assert answer(*mixed) == "2 models without a metric that all of them have."
    scores = [told("soft@4", .5, None, model="a"), told("soft@2", .4, None, model="b")]
    assert "0.500" in answer(*scores) and "a" in answer(*scores)
    shares = told("avg@4", .5, None, model="a"), told("pass@1", .4, model="b")
    assert answer(*shares) == "Of 2 models a is right most often, in 50 % of its samples; b least often, in 40 %."
    first = [told("pass@1", .1, model="a"), told("pass@2", .5, 2, model="a"), told("pass@2", .6, 2, model="b")]
    assert answer(*first) == "Of 2 models b has the highest pass@2, 0.600; a the lowest, 0.500."


def test_kinds_of_systems_and_letters():
    rows = [told("pass@1", .9, model="a"), told("pass@1", .2, model="b")]
    blocks = {(row.model, ""): [row] for row in rows}
    assert say_answer(blocks, Absent(), kind="grading").startswith("Of 2 gradings a is right most often")
    apart = say_answer(blocks, Absent(), {"pass@1": dict(a="a", b="b")})
    alike = say_answer(blocks, Absent(), {"pass@1": dict(a="a", b="a")})
    assert apart != alike and alike.endswith("too little data to tell which is better.")


@pytest.mark.parametrize("missing, said", [((0, 0), "none missing"), ((2, 2), "2 missing"), ((0, 2), "0 to 2 missing")])
def test_sizes(missing, said):
    rows = [told("pass@1", .5, missing=n, model=m, questions=q, n_min=2, n_max=3) for n, m, q in zip(missing, "ab", (1,
        1))]
    assert say_size({(row.model, ""): [row] for row in rows},
                    kind="grading") == f"2 gradings, 1 question, 2 to 3 samples, {said}"
    alone = {("", "all questions"): [rows[0]], ("", "g"): [replace(rows[0], questions=9)]}
    assert say_size(alone, "run") == f"run: 1 question, 2 to 3 samples, {missing[0] or 'none'} missing"
    assert find_main(alone) == {("", "all questions"): [rows[0]]} and find_main({("", "g"): rows}) == {("", "g"): rows}


def test_the_first_number_of_each_model_is_one_sample():
    rows = [told(name, value, k, model=m) for m, own in dict(a=(.9, .9), b=(.2, 1.)).items()
            for (name, k), value in zip((("pass@1", 1), ("pass@2", 2)), own)]
    assert answer(*rows) == "Of 2 models a is right most often, in 90 % of its samples; b least often, in 20 %."


def test_roundings_rank_nobody():
    near = [told("pass@1", value, model=m) for m, value in (("a", .5), ("b", .5 + 2e-13))]
    assert answer(*near) == "Both models are right in 50 % of their samples."
    assert answer(near[0], replace(near[1], estimate=.5 + 2e-12)).startswith("Of 2 models b is right most often")


def test_groups_without_models_are_named():
    said = answer(told("pass@1", .5, group="g"), told("pass@1", .9, group="h"))
    assert "h is right most often, in 90 % of its samples; g least often, in 50 %." in said
