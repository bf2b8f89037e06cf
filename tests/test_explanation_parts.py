"What is said of one question, in full: tables, sentences, and what stands where in every form."
import json
import re

import pytest

from printed import check_printed, split_markup
from sampling_eval import explain
from sampling_eval.reporting.explained import Answer, Effect, Scores, Side, Vote
from sampling_eval.reporting.explanation_parts import cut_answer, cut_text, name_letters
from sampling_eval.reporting.explanations import Explanation
from sampling_eval.reporting.output import render

GIVEN = dict(question="q", model="m", answer="said", correct="right", no_answer="vote")


def draw(said, model, question, right="7"):
    "Samples of one question, a row for each answer."
    return [dict(q=question, m=model, said=one, right=int(one == right)) for one in said]


ONE = [*draw(["7", "7", "8", None], "m", "aime/1"), *draw(["7", "8", "8", "9"], "m", "aime/2"),
       *draw(["1", "2", "3", "4"], "m", "aime|3")]
TWO = [*ONE, *draw(["8", "8", "7", "7"], "n", "aime/1"), *draw(["7"] * 4, "n", "aime/2"),
       *draw(["5", "5", "6", "6"], "n", "aime|3")]
THREE = [*TWO, *draw(["8", "7", "7", "7"], "o", "aime/1"), *draw(["8", "8", "8", "8"], "o", "aime/2"),
         *draw(["7", "6", "6", "6"], "o", "aime|3")]
GRADED = dict(question=[1, 1, 2, 2, 3, 3], score=[.1, .7, .5, .5, 1., 0.])
JUDGED = GRADED | dict(correct=[0, 1, 1, 0, 0, 1])
MISSING = [*ONE, dict(q="aime/1", m="m", said=None, right=None), dict(q="aime/2", m="m", said="7", right=1)]

CASES = {
    "one": (ONE, "aime/1", GIVEN),
    "abstain": (draw(["7", None, "8", "7", None], "m", "x") + ONE[4:8], "x", GIVEN | dict(no_answer="abstain",
        ties="wrong")),
    "tie": (ONE, "aime|3", GIVEN | dict(ties="wrong")),
    "two": (TWO, "aime/1", GIVEN),
    "two ties": (TWO, "aime|3", GIVEN),
    "three": (THREE, "aime/2", GIVEN),
    "graded": (GRADED, 1, dict(correct=False)),
    "judged": (JUDGED, 1, {}),
    "judged wrong": (JUDGED, 3, {}),
    "missing": (MISSING, "aime/1", GIVEN | dict(missing="wrong")),
    "alone": ([[1, 0, 1]], 0, {}),
    "never": ([[0, 0], [0, 0]], 0, {}),
    "list of one": (ONE, None, GIVEN),
    "list of two": (TWO, None, GIVEN),
    "list of three": (THREE, None, GIVEN),
    "list of graded": (GRADED, None, dict(correct=False)),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_printed(name):
    data, question, given = CASES[name]
    found = explain(data, question, **given)
    check_printed("explain", f"{name}, screen", repr(found))
    check_printed("explain", f"{name}, how", found.to_text(how=True))


@pytest.mark.parametrize("name", ["one", "two ties", "three", "list of two"])
def test_every_form_in_full(name):
    data, question, given = CASES[name]
    found = explain(data, question, **given)
    for form in "md", "tex", "json", "csv": check_printed("explain", f"{name}, {form}", render(found, form))
    check_printed("explain", f"{name}, html", split_markup(found.to_html()))
    assert type(found).from_json(found.to_json()).to_json() == found.to_json()


# Sentences and tables of given numbers.

def hold(question="q", names=("",), answers=(), metrics=("pass@1",), gap=False, **more):
    "An explanation of given numbers: in each metric 0.5, 0.4 over all questions and 0.3 without it."
    sides = tuple(Side(name, 4, 2, 0, different=3) for name in names)
    of = [*names, *["B - A"] * gap]
    rows = tuple(Effect(one, metric, 1, .5, .4, .3, .1) for metric in metrics for one in of)
    return Explanation(question, sides, answers, rows, more.pop("questions", 4), **more)


def join_screen(found, how=False): return " ".join(found.to_text(how).split())


@pytest.mark.parametrize("value, width, told", [
    ("abcde", 5, "abcde"), ("漢字", 4, "漢字"), ("a b", 3, "a b"), ("a  b", 3, "a b"), ("", 9, "''"), ("   ", 6, "'   '"),
    ("   ", 3, "3 characters of space"), (" " * 2000, 60, "2,000 characters of space"),
    ("abcdef" * 5, 20, "abc… (30 characters)"), ("abcdef" * 5, 5, "a… (30 characters)"),
    ("漢字" * 10, 20, "漢… (20 characters)"), ("漢字" * 10, 21, "漢字… (20 characters)"),
    ("a" + " " * 9, 2, "a… (10 characters)"), ("a" + " " * 7, 2, "a"), (None, 9, "None"), ("a\x1bb", 9, "a\ufffdb")])
def test_texts_are_cut(value, width, told): assert cut_text(value, width) == told


def test_letters_and_absent_answers():
    assert name_letters(["A", "B"]) == "" and name_letters(("B", "A")) == "A = B, B = A"
    assert name_letters(["x" * 61, "y"]) == f"A = {'x' * 43}… (61 characters), B = y"
    assert cut_answer(None) == "no answer" and cut_answer(7) == "7"
    assert cut_answer("x" * 44) == "x" * 44 and cut_answer("x" * 45) == "x" * 27 + "… (45 characters)"


def test_the_names_of_systems_open_the_text():
    assert hold().to_text().startswith("Right in 2 of 4 samples of question q.\n")
    assert hold(names=["m"]).to_text().startswith("m is right in 2 of 4 samples of question q.\n")
    two = hold(names=["A", "B"], gap=True).to_text()
    assert two.startswith("Question q\n\nA is right in 2 of 4 samples, B is right in 2 of 4 samples.\n")
    assert hold(names="abc").to_text().startswith("Question q, answered by 3 models.\n")
    assert hold(title="run").to_text(True).startswith("run\n") and "run" not in hold(title="run").to_text()
    assert (hold(title="run").heading, hold().heading) == ("run", "Question q")


@pytest.mark.parametrize("count, said", [(10, ""), (11, "11 different answers; the 10 most frequent are shown.")])
def test_ten_answers_are_shown(count, said):
    answers = tuple(Answer(f"<{i}>", (1,), (False,)) for i in range(count))
    found = Explanation("q", (Side("", 4, 0, 0, different=count),), answers, hold().rows, 4)
    assert said in found.to_text()
    assert found.to_text().count("<") == 10 and "most frequent" not in found.to_text(True)
    assert found.to_text(True).count("<") == count and ("different" in found.to_text()) == bool(said)


def test_hidden_answers_of_each_system():
    answers = tuple(Answer(f"{i}", (1, 1, 1), (False,) * 3) for i in range(12))
    sides = Side("x", 4, 0, 0, different=12), Side("y", 4, 0, 0, different=None), Side("z", 4, 0, 0, different=11)
    rows = hold(names="xyz").rows
    told = Explanation("q", sides, answers, rows, 4).to_text()
    assert "12 different answers of x; the 10 most frequent are shown." in told
    assert "11 different answers of z; the 10" in told and "of y" not in told


def test_columns_of_answers_need_room():
    answers = Answer("7", (2, None), (True, None)), Answer("8", (0, 3), (None, False))
    # Beside an answer of 44 and `right` 27 columns are left: three names of 7 with their gaps, no more.
    told = hold(names=["a" * 11, "b" * 11], answers=answers, gap=True).to_text()
    assert "answer  A  B  right" in told
    assert [line.split() for line in told.splitlines() if line[:1] in "78" and line] == [
        ["7", "2", "-", "yes"], ["8", "0", "3", "no"]]
    three = tuple(Answer("7", (2, None, 1), (True, False, None)) for _ in "a")
    told = hold(names=["a" * 7, "b" * 7, "c" * 7], answers=three).to_text()
    assert "answer  aaaaaaa  bbbbbbb  ccccccc     right" in told and "for some" in told
    told = hold(names=["a" * 7, "b" * 7, "c" * 8], answers=three).to_text()
    assert re.search(r"answer  samples +right", told) and re.search(r"^7 +3  for some$", told, re.M)


@pytest.mark.parametrize("right, said", [
    ((True, True), "yes"), ((False, False), "no"), ((True, None), "yes"), ((None, False), "no"), ((None, None), "no"),
    ((True, False), "for A"), ((False, True), "for B")])
def test_for_whom_an_answer_is_right(right, said):
    told = hold(names=["x", "y"], answers=(Answer("7", (1, 1), right),), gap=True).to_text()
    assert re.search(r"(?m)^7 +1  1 +(.*)$", told)[1] == said


def list_metrics(found): return [line.split()[0] for line in found.to_text().splitlines() if "0.500" in line]


def test_twelve_metrics_are_all_shown():
    names = [f"pass@{k}" for k in range(1, 12)] + ["avg@4"]
    assert list_metrics(hold(metrics=names)) == names
    more = [*names[:-1], "pass^1", "avg@4"]
    assert list_metrics(hold(metrics=more)) == ["pass@1", "pass@11", "pass^1"]
    twice = [*names[:-1], "x@1^2", "x@1^3"]
    assert list_metrics(hold(metrics=twice)) == ["pass@1", "pass@11", "x@1^2", "x@1^3"]
    assert list_metrics(hold(metrics=more[1:] + ["x@1"])) == ["pass@11", "pass^1", "avg@4", "x@1"]


@pytest.mark.parametrize("side, said", [
    (Side("", 1, 1, 0), "Right in 1 of 1 sample of"), (Side("", 2, 1, 1), "Right in 1 of 2 samples (1 missing) of"),
    (Side("", 0, 0, 2), "Right in 0 of 0 samples (2 missing) of"),
    (Side("m", 2, None, 0, .25), "m is scored 0.250 on average in 2 samples of"),
    (Side("", 1, None, 0, 1.), "Scored 1.000 on average in 1 sample of")])
def test_how_often_it_is_right(side, said):
    rows = hold(names=[side.name]).rows
    assert join_screen(Explanation("q", (side,), (), rows, 1)).startswith(f"{said} question q.")


def test_a_grid_says_the_mean_scores_of_none():
    sides = Side("x", 2, None, 0, .5), Side("y", 3, 1, 0), Side("z", 1, 0, 0)
    told = Explanation("q", sides, (), hold(names="xyz").rows, 4).to_text()
    assert re.findall(r"(?m)^[xyz] {2,}(.*?)  ", told) == ["2 samples", "1 of 3 right", "0 of 1 right"]


@pytest.mark.parametrize("vote, n, said", [
    (Vote("7", 2, 1, 1), 4, 'A vote of all 4 samples is right: 2 say "7".'),
    (Vote("7", 2, 1, 0), 4, 'A vote of all 4 samples is wrong: 2 say "7".'),
    (Vote("7", 2, 2, 1), 4, "ends in a tie of 2 answers, 1 of them right; maj@k gives each its share."),
    (Vote("7", 1, 1, 1), 2, "A vote of all 2 samples is right: "),
    (Vote("7", 1, 1, 1), 1, ""), (None, 4, "")])
def test_a_vote(vote, n, said):
    found = Explanation("q", (Side("", n, 1, 0, vote=vote),), (), hold().rows, 4)
    assert said in join_screen(found) and ("vote" in join_screen(found)) == bool(said)


@pytest.mark.parametrize("c, scores, said", [
    (1, Scores(2, .1, .4, .7, .4, True), "go from 0.100 to 0.700, with median 0.400 and mean 0.400; the highest is of "
     "a right sample."),
    (1, Scores(2, .1, .3, .7, .4, False), "with median 0.300 and mean 0.400; the highest is of a wrong sample."),
    (1, Scores(2, .1, .3, .7, .4, None), "and mean 0.400."),
    (1, Scores(2, 0, .5, 1, .5, True), ""), (2, Scores(2, 1, 1, 1, 1., True), ""),
    (2, Scores(2, 0, .5, 1, .5, True), "go from 0.000 to 1.000"), (None, Scores(2, 0, .5, 1, .5, None), "go from"),
    (1, Scores(2, 0, .5, .9, .5, True), "go from 0.000 to 0.900"), (1, None, "")])
def test_scores_are_told_where_they_are_not_the_outcomes(c, scores, said):
    found = Explanation("q", (Side("", 2, c, 0, .5, scores=scores),), (), hold().rows, 4)
    assert said in join_screen(found) and ("cores go" in join_screen(found)) == bool(said)


def weigh(*effects, questions=4, names=("",), rank=None):
    "What is said of the weight of a question, and of the means that it moves."
    rows = tuple(Effect(of, metric, 1, value, mean, without, moved) for of, metric, value, mean, without,
                 moved in effects)
    sides = tuple(Side(name, 4, 2, 0) for name in names)
    return join_screen(Explanation("q", sides, (), rows, questions, rank)).rpartition("It is ")[2]


SMALL = "", "pass@1", .5, .5, .4, .1
LARGE = "", "pass@2", .5, .3, .5, -.2


def test_the_mean_that_is_moved_most():
    assert weigh(SMALL, questions=1) == "the only question."
    assert weigh(SMALL, LARGE) == ("one of 4 questions, with 25 % of the weight. It moves pass@2 most: by -0.200, "
                                   "from 0.500 without it to 0.300.")
    assert weigh(SMALL[:5] + (0.,)).endswith("Every mean would be the same without it.")
    same = "", "pass@1", 1., .50001, .5, .00001
    assert weigh(same).endswith("It moves pass@1 most: by +0.00001.")
    three = [("x", *SMALL[1:]), ("y", "pass@1", .5, .3, .5, -.2), ("z", *SMALL[1:])]
    # The main system of three is the first one.
    assert weigh(*three, names="xyz").endswith("It moves pass@1 of x most: by +0.100, from 0.400 without it to 0.500.")


@pytest.mark.parametrize("rank, place", [(1, "no question adds more"), (2, "number 2 of 4 by size"), (None, "")])
def test_what_a_question_adds_to_a_difference(rank, place):
    one = [(name, *SMALL[1:]) for name in "xy"]
    gap = "B - A", "pass@1", .5, .5, .4, .1
    told = weigh(*one, gap, names="xy", rank=rank)
    assert told == ("one of 4 questions, with 25 % of the weight. It adds +0.125 to B - A in pass@1 "
                    f"({place}), which is +0.500 and without it would be +0.400.")
    more = [*one, ("x", *LARGE[1:]), ("y", *LARGE[1:]), gap, ("B - A", *LARGE[1:])]
    assert weigh(*more, names="xy", rank=rank) == (
        f"{told} It moves B - A in pass@2 most: by -0.200, from +0.500 without it to +0.300.")
    none = "B - A", "pass@1", 0., .5, .6, -.1
    assert weigh(*one, none, names="xy").endswith("weight. It adds nothing to B - A in pass@1.")


def test_a_row_by_its_name():
    two = hold(names=["x", "y"], metrics=["pass@1", "pass@2"], gap=True)
    assert two.systems == ("x", "y", "B - A") and two.main == "B - A" and two.weight == .25
    assert two["pass@2"] is two.rows[5] and two["y", "pass@1"] is two.rows[1]
    assert hold(names="xyz").main == "x" and hold(names="xyz")["pass@1"].of == "x"
    with pytest.raises(KeyError, match=r"metric must be one of \['pass@1'\], of \['x'\], got \('y', 'pass@1'\)"):
        hold(names="x")["y", "pass@1"]
    assert [label for label, _ in hold(names="xyz").label()] == ["x", "y", "z"]
    assert [label for label, _ in hold(names="xy").label()] == ["A", "B"] and hold(names="x").label()[0][0] == ""
    assert Answer("7", (2, None, 3), (True, None, None)).total == 5


def test_what_could_not_be_shown_is_said_before_what_was_read():
    found = hold(notes=("no answers", "no scores"), read="read 3 rows")
    assert join_screen(found).endswith("No answers No scores Read 3 rows")
    assert "No answers\nNo scores\nRead 3 rows\nEach question has" in found.to_text(True)


def test_what_is_read_back_keeps_votes_scores_and_notes():
    vote, scores = Vote("7", 2, 1, 1), Scores(2, 0., .5, 1., .5, True)
    side = Side("m", 4, 2, 1, .5, 3, 1, vote, scores)
    found = Explanation("q", (side,), (Answer("7", (2,), (True,)),), hold(names="m").rows, 4, 1, "wrong", ("note",),
                        "r", "t")
    again = Explanation.from_json(found.to_json())
    for name in ("sides", "answers", "rows", "notes", "rank", "ties", "read", "title", "questions"):
        assert getattr(again, name) == getattr(found, name)
    bare = Explanation.from_json(hold().to_json()).sides[0]
    assert bare.vote is None and bare.scores is None
    with pytest.raises(ValueError, match="^one question has no figure; write it as .json, .csv, .md, .html or .txt$"):
        found.plot()
    assert list(json.loads(found.to_json())) == [
        "question", "sides", "answers", "rows", "questions", "rank", "ties", "notes", "read", "title"]


def test_space_before_a_text_is_not_the_text():
    assert "of space" not in cut_text(" " * 240 + "abc", 60) and cut_text(" " * 240, 60) == "240 characters of space"
