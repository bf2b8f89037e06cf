"Single questions of a gate: sentences and tables of given falls."
import pytest

from sampling_eval.report.blocks import Table
from sampling_eval.reporting.parts import Sentence
from sampling_eval.reporting.question_rules import (Fall, MustPass, Watch, cut_name, list_plainly, list_question_parts,
                                                    list_tests,
                                                    mark_verdict, name_some, open_sentence, say_falls, say_lower,
                                                    say_must_pass,
                                                    say_open, say_watch)


def fall(name="q", certain=True, p=.001, **more): return Fall(**dict(question=name, before=4, of_before=4, after=0,
                                                                     of_after=4, p=p, adjusted=.02,
                                                                     certain=certain) | more)
def watch(lower=3, watched=2, n_min=4, n_max=4, needed=6): return Watch(20, watched, n_min, n_max, needed, .05, lower)
def must(name, right=3, verdict="pass"): return MustPass(name, right, 4, 4, verdict)


SURE, CHANCE = fall("s"), fall("c", False, .2)
MAYBE = "by no more than chance explains"


def test_names_and_verdicts():
    assert str(SURE) == "s (4 to 0 of 4 right)" and str(fall(7, of_before=5)) == "question 7 (4 of 5 to 0 of 4 right)"
    assert str(must("m")) == "m (3 of 4 right)" and cut_name("12") == "question 12" and cut_name("a1") == "a1"
    assert cut_name("x" * 60) == "x" * 60 and cut_name("a" * 31 + "b" * 30) == "a" * 30 + "..." + "b" * 20
    assert [mark_verdict(o) for o in ("pass", "fail", "weak")] == ["✓ passed", "✗ failed", "? cannot tell"]
    assert name_some(list("abcde")) == "a, b, c, d, e" and name_some(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert open_sentence("ab C") == "Ab C" and open_sentence("") == ""


def test_what_would_have_been_noticed():
    assert say_watch(watch()) == "on 2 of 20 questions a loss of all right samples would have been noticed"
    assert say_watch(watch(watched=0, n_min=6)) == "no question was right often enough before for a fall to show"
    assert say_watch(watch(watched=0, n_min=5, n_max=7)) == (
        "with 5 to 7 samples each, no fall of a single question among 20 questions can be told from chance; 6 samples "
        "each would show a "
        "fall from all right to none")


@pytest.mark.parametrize("falls, lower, said", [
    ([], 0, "no question was right less often"), ([CHANCE], 1, f"1 of 20 questions was right less often, {MAYBE}"),
    ([CHANCE], 2, "2 of 20 questions were right less often; none alone by more than chance explains"),
    ([SURE], 1, "1 question fell: s (4 to 0 of 4 right)"), ([SURE, CHANCE], 2, f"1 question fell: s (4 to 0 of 4 "
                                                            f"right); 1 other of 20 was right less often, {MAYBE}"),
    ([SURE, fall("t")], 5, f"2 questions fell: s (4 to 0 of 4 right), t (4 to 0 of 4 right); 3 others of 20 were right "
     f"less often, {MAYBE}"),
    ([CHANCE], None, "no question fell by more than chance explains"), ([SURE], None, "1 question fell: s (4 to 0 of 4 "
                                                                        "right)")])
def test_how_many_were_right_less_often(falls, lower, said): assert say_lower(falls, watch(lower)) == said


def test_falls_as_sentences():
    assert say_falls([SURE], watch(1)) == "1 question fell: s (4 to 0 of 4 right)."
    assert say_falls([], watch(0)) == ("No question was right less often. On 2 of 20 questions a loss of all right "
                                       "samples would have been "
                                       "noticed.")
    found = [SURE, *(fall(str(i), False, p) for i, p in enumerate((.2, .21, .1, .1, .1)))]
    assert say_open(found) == ("The clearest of those that may be chance: question 0 (4 to 0 of 4 right), question 2 "
                               "(4 to 0 of 4 right), "
                               "question 3 (4 to 0 of 4 right).")
    assert say_open([SURE, fall("x", False, .201)]) == ""


def test_questions_that_must_pass():
    assert say_must_pass([must("a")], 1) == "1 must-pass question is right in every sample"
    assert say_must_pass([must("a"), must("b")],
                         .75) == "2 must-pass questions are right in at least 75 % of the samples"
    assert say_must_pass([must("a"), must("b", 1, "fail")],
                         1) == "1 of 2 must-pass questions is not right in every sample: b (1 of 4 right)"
    failed = [must(name, 1, "fail") for name in "ab"]
    assert say_must_pass(failed, .5).startswith("2 of 2 must-pass questions are not right in at least 50 % of the "
                                                "samples: a (1 of 4 right), b")


def test_tables_of_falls():
    row = ["s", "4 of 4", "0 of 4", "0.0010", "0.0200", "yes"]
    heads = ["question", "before", "now", "p", "adjusted p", "fell"]
    assert list_tests([], watch()) == []
    assert list_tests([SURE], None) == [Table(heads, [row], "Questions right less often")]
    assert list_tests([SURE], watch(None))[0].title == "Questions right less often"
    assert list_tests([SURE], watch(1))[0].title == "The question that was right less often"
    assert list_tests([SURE, CHANCE], watch(2))[0].title == "The 2 questions that were right less often"
    assert list_tests([SURE, CHANCE],
                      watch(2000))[0].title == "The 2 clearest of 2,000 questions that were right less often"
    assert list_tests([CHANCE], watch(1))[0].rows[0][3:] == ["0.2000", "0.0200", "may be chance"]
    plain, = list_plainly([SURE, CHANCE], watch(2), [])
    assert plain == Table(["question", "before", "now", "fell"], [["s", "4 of 4", "0 of 4", "yes"], ["c", "4 of 4",
        "0 of 4", "may be chance"]],
                          "The 2 questions that were right less often")


@pytest.mark.parametrize("count, rest", [(50, []), (51, [Sentence("1 more: the JSON form of the gate has them all.")])])
def test_fifty_questions_are_listed(count, rest):
    table, *more = list_tests([SURE] * count, watch(count))
    assert len(table.rows) == 50 and more == rest


def test_everything_on_single_questions():
    failed, passed = must("f", 1, "fail"), must("p", 4)
    assert list_question_parts([], None, []) == [] == list_plainly([], None, [])
    table, = list_question_parts([], None, [passed, failed])
    heads = ["question", "right", "needed", "verdict"]
    assert table == Table(heads, [["f", "1 of 4", "4", "fail"], ["p", "4 of 4", "4", "pass"]], "Questions that must "
                          "pass")
    assert list_plainly([], None, [passed, failed]) == [
        Table(heads, [["f", "1 of 4", "4 of 4", "✗ failed"], ["p", "4 of 4", "4 of 4", "✓ passed"]], "Questions that "
              "must pass")]
    parts = list_question_parts([SURE], watch(1), [passed])
    assert [type(part) for part in parts] == [Table, Table, Sentence]
    assert parts[2].text == "1 question fell: s (4 to 0 of 4 right)."


def test_as_plain_values():
    for one in (SURE, must("a"), watch()): assert type(one).from_dict(one.to_dict()) == one
    assert list(SURE.to_dict()) == ["question", "before", "of_before", "after", "of_after", "p", "adjusted", "certain"]
    assert list(watch().to_dict()) == ["questions", "watched", "n_min", "n_max", "needed", "level", "lower"]
    assert list(must("a").to_dict()) == ["question", "right", "samples", "needed", "verdict"]
