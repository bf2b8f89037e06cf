"What data support, from given facts: tables, reasons, and what to type next."
import pytest

from sampling_eval.reporting.inspections import Column, Inspection, Support, System, write_budgets, write_range
from sampling_eval.reporting.openings import say_range, say_read
from sampling_eval.report.blocks import Table
from sampling_eval.reporting.parts import (Chart, Heading, Matrix, Questions, Sentence, Series,
                                           Typed, list_values)

ONE = System("m", "", 1234, 4, 4, 10, 0)
SERIES = Series("a", "", [1, 2], [.5, .6], [None, .4], [None, .7], ["x", "y"], upper=[.55, .65])


def hold(**more):
    given = dict(systems=(ONE,), metrics=(Support("pass@k", True, (1, 2)), Support("maj@k", False,
                                                                                   reason="no answers")))
    return Inspection("a file", **given | more)


@pytest.mark.parametrize("budgets, said", [
    ((), "all n"), ((4,), "4"), ((1, 2), "1, 2"), ((1, 2, 3), "1 to 3"), ((1, 2, 4), "1, 2, 4"), ((1, 2, 4, 8, 16, 32),
        "1, 2, 4, 8, 16, 32"),
    ((1, 2, 4, 8, 16, 32, 50), "1, 2, 4, ..., 50"), ((3, 4, 5, 6), "3 to 6")])
def test_budgets(budgets, said): assert write_budgets(budgets) == said


def test_columns_of_systems_that_hold_something():
    assert write_range(2, 2) == "2" and write_range(2, 4) == "2 to 4"
    table = hold().write_systems()
    assert table == Table(["model", "questions", "samples each", "right", "missing"], [["m", "1234", "4", "10", "0"]])
    two = System("", "g", 2, 1, 3, None, 1, 5, 6, 2)
    assert hold(systems=(ONE, two)).write_systems() == Table(
        ["model", "group", "questions", "samples each", "right", "missing", "answers", "scores", "clusters"],
        [["m", "", "1234", "4", "10", "0", "-", "-", "-"], ["", "g", "2", "1 to 3", "-", "1", "5", "6", "2"]])


def test_everything_in_order():
    found = hold(read="read 5000 rows", targets=dict(questions="for new ones"), needs=("pass missing='wrong'",),
                 typed="score a")
    assert found.parts() == [
        Heading("What a file supports"), Sentence("Read 5,000 rows"), found.write_systems(), Table(["metric", "k"],
            [["pass@k", "1, 2"]]),
        Sentence("No maj@k: no answers."), Sentence("Error bars, target questions: for new ones."),
        Sentence("Pass missing='wrong'."),
        Typed("Next: score a")]
    assert found.rows == found.metrics and hold().parts()[-1] == Sentence("No maj@k: no answers.")
    several = hold(metrics=(Support("a", False, reason="r"), Support("b", False, reason="s"), Support("c", False,
        reason="r")))
    assert several.tell_impossible() == ["No a, c: r.", "No b: s."]


def test_columns_to_choose_from():
    columns = (Column("q", "texts", 3, ("a", "b"), ("question", "model")), Column("z", "", None, (), ()))
    found = Inspection("a file", fault="need a column", columns=columns, choice=dict(question="q", correct="z"))
    assert found.parts() == [
        Heading("What a file supports"), Sentence("Need a column."),
        Table(["column", "holds", "different", "such as", "could be"], [["q", "texts", "3", "a, b",
                                                                         "question or model"], ["z", "-", "-", "",
                                                                             "-"]]),
        Typed("Next: pass question='q', correct='z'")]
    assert found.rows == columns
    assert Inspection("x", fault="odd.").parts() == [Heading("What x supports"), Sentence("Odd.")]
    assert Inspection.from_json(found.to_json()) == found and Inspection.from_json(found.to_json()).columns == columns
    with pytest.raises(ValueError,
                       match="^what data support has no figure; write it as .json, .md, .html or .txt$"): found.plot()


def test_other_words():
    said = hold(needs=("b=",), fault="c=").say(lambda text: text.upper())
    assert (said.metrics[1].reason, said.metrics[1].metric, said.needs, said.fault) == ("NO ANSWERS", "maj@k", ("B=",),
        "C=")


def test_sentences_fit_the_screen_and_commands_stay_whole():
    found = hold(read="read " + "word " * 30, typed="sampling-eval " + "x" * 90, needs=("need",))
    lines = found.to_text().splitlines()
    assert lines[0] == "What a file supports" and lines[1].startswith("Read word") and lines[2].startswith("  word")
    assert found.to_text(how=True) == found.to_text() and lines[-1].strip() == "x" * 90


@pytest.mark.parametrize("text, said", [
    ("read 1000 rows", "Read 1,000 rows"), ("read 999 rows", "Read 999 rows"), ("1000 of 20000 samples", "1,000 of "
                                                                                "20,000 samples"),
    ("in 2024 models", "In 2024 models"), ("old. new: 3", "Old. New: 3"), ("tau-bench, 3 rows", "Log of tau-bench, 3 "
                                                                           "rows"), ("", "")])
def test_sentences_that_stand_alone(text, said): assert say_read(text) == said


def test_runs_of_numbers(): assert say_range("1..3, 9") == "1 to 3, 9" and say_range("4") == "4"


# Parts of a document.

def test_everything_has_a_place_on_the_axis():
    assert list_values([SERIES, SERIES]) == [.5, .6, .4, .7, .55, .65] * 2
    assert list_values([Series("", "", [1], [0.], [None], [None], [])]) == [0.]


def test_colours_are_places_unless_they_are_given():
    plain = Series("a", "", [], [], [], [], [])
    assert Chart([plain, Series("b", "", [], [], [], [], [], colour=0), plain], "").colours == [0, 0, 2]
    assert Questions([], [], {}, {}, [], [7, 8]).colour(1) == 8 and Questions([], [], {}, {}, []).colour(1) == 1
    assert Matrix("m", (), ()).take([]) == Matrix("m", (), ())
