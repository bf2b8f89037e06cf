"The questions of a page: their kinds, their order, and what is cut."
import numpy as np
import pytest

from sampling_eval.reporting.parts import Heading, Note, Questions
from sampling_eval.reporting.question_parts import (FLAKY, SHOWN, find_distance, find_kind, list_questions, name_kinds,
                                                    read_tries,
                                                    say_kinds)
from sampling_eval.reporting.records import Absent
from told_report import columns


@pytest.mark.parametrize("tries, kind", [
    ([(0, 4)], "never"), ([(4, 4)], "always"), ([(1, 4)], "flaky"), ([(3, 4)], "flaky"), ([(0, 4), (4, 4)], "mixed"),
    ([(4, 4), (4, 4)], "always"), ([(0, 4), (0, 2)], "never"), ([(0, 4), (1, 4), (4, 4)], "flaky")])
def test_kinds(tries, kind): assert find_kind(tries) == kind


def test_distances_from_even():
    assert find_distance([(1, 4)]) == .25 and find_distance([(3, 4), (4, 4)]) == .375 and find_distance([(0, 0)]) == .5


@pytest.mark.parametrize("told", [
    Absent(), dict(question=np.array(["q"]), n=np.array([4])), columns([1, 0], n=1), columns([]),
    dict(question=np.array(["a", "b"]), n=np.array([0, 4]), c=np.array([0, 2]))])
def test_nothing_without_several_outcomes(told):
    assert read_tries(told) is None and list_questions(told, [], 3) == []


def test_two_samples_are_several():
    assert read_tries(columns([1, 0], n=2)).model.tolist() == ["", ""]


def test_questions_of_one_model():
    heading, note, found = list_questions(columns([0, 4, 1, 2, 3, 4]), [], 3)
    assert heading == Heading("Questions")
    assert note == Note(f"{FLAKY} 6 questions: 3 flaky, 1 never right, 2 always right. Order: flaky ones, those "
                        f"closest to half right "
                        "first, then never right, then always right.")
    assert [row.name for row in found.rows] == ["q3", "q2", "q4", "q0", "q1", "q5"] and found.heads == ["right"]
    assert found.counts == dict(flaky=3, never=1, always=2) and found.colours == [0]
    assert found.names == dict(flaky="flaky", mixed="", never="never right", always="always right")
    assert found.rows[0].tries == [(2, 4)] and found.outcomes[0].c.tolist() == [0, 4, 1, 2, 3, 4]
    assert list_questions(columns([0, 4]), [], 3, explained=True)[1].text.startswith("2 questions: 1 never right, 1 "
                                                                                     "always right.")


def test_questions_of_several_models():
    told = columns([0, 4, 4, 1, 4, 4], model=list("bbbaaa"))
    told.data["question"][3:] = ["q0", "q1", "q9"]
    _, note, found, *more = list_questions(told, ["x", "a", "b"], 1, "grading", colours={"a": 5})
    assert found.heads == ["a"] and found.colours == [5] and more == [Note("The first 1 of 2 gradings.")]
    assert [(row.name, row.kind, row.tries) for row in found.rows] == [
        ("q0", "flaky", [(1, 4)]), ("q1", "always", [(4, 4)]), ("q2", "always", [None]), ("q9", "always", [(4, 4)])]
    assert "4 questions: 1 flaky in at least one grading, 3 always right in all." in note.text
    _, _, both, *more = list_questions(told, [], 2)
    assert both.heads == ["a", "b"] and both.colours == [0, 1] and not more
    assert both.outcomes[1].c.tolist() == [0, 4, 4] and both.outcomes[0].n.tolist() == [4, 4, 4]
    mixed = columns([0, 4], model=["a", "b"])
    mixed.data["question"][:] = "q"
    assert list_questions(mixed, [], 2)[2].counts == dict(flaky=0, mixed=1, never=0, always=0)
    said = "1 question: 1 always right in one, never in another. Order: always right in one, never in another."
    assert said in list_questions(mixed, [], 2)[1].text


@pytest.mark.parametrize("count, cut", [(SHOWN, False), (SHOWN + 1, True)])
def test_a_thousand_questions_are_shown(count, cut):
    _, note, found, *more = list_questions(columns([1] * count), [], 3)
    assert isinstance(found, Questions)
    assert len(found.rows) == 1000 and len(more) == cut and note.text.startswith(f"{FLAKY} {count:,} questions: ")


def test_names_of_kinds():
    assert name_kinds(True, "model")["never"] == "never right in any"
    assert say_kinds(dict(flaky=0, never=1, always=0), name_kinds(False, "")) == (
        "1 question: 1 never right. Order: never right.")
