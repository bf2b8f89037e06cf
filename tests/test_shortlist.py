"The list of questions worth a look: its cells, what is cut, and what it becomes."
import pytest

from sampling_eval.reporting.parts import Heading, Lead, Note, Sentence, Table
from sampling_eval.reporting.shortlist import Shortlist, write_row

ONE = {"question": "q1", "right": 1, "samples": 4}
TWO = {"question": "q1", "right A": 1, "samples A": 4, "mean score B": .25, "samples B": 2, "B - A": .5, "adds": -.125}
SPREAD = {"question": "q" * 45, "lowest": 0., "lowest of": "m" * 17, "highest": .5, "highest of": "n" * 16}


def hold(rows=(ONE,), names=("m",), **more): return Shortlist(names, rows, 9, "9 questions.", **more)


def test_cells():
    assert write_row(ONE) == dict(question="q1", right="1 of 4")
    assert write_row(TWO) == {"question": "q1", "A": "1 of 4", "B": "0.250 in 2", "B - A": "+0.500", "adds": "-0.125"}
    assert write_row(SPREAD) == {
        "question": "q" * 27 + "… (45 characters)", "lowest": "0.000", "lowest of": "m… (17 characters)",
        "highest": "0.500", "highest of": "n" * 16}
    assert write_row(dict(question="q" * 44, samples=3) | {"mean score": .5}) == dict(question="q" * 44,
        right="0.500 in 3")


@pytest.mark.parametrize("count, shown, more", [(15, 15, []), (17, 15, [Note("2 more are listed with --how and in "
                                                                             "files.")])])
def test_fifteen_questions_fit_the_screen(count, shown, more):
    found = hold((ONE,) * count, read="read x")
    lead, table, *rest = found.screen_parts()
    assert lead == Lead("9 questions.") and len(table.rows) == shown and rest == [*more, Lead("Read x")]
    assert [len(part.rows) for part in found.parts() if isinstance(part, Table)] == [count]
    assert found.parts()[-1] == Sentence("Read x") and not [o for o in found.parts() if isinstance(o, Note)]


def test_names_titles_and_empty_lists():
    assert hold(()).parts() == [Lead("9 questions.")] == hold(()).screen_parts()
    assert hold(title="run").parts()[0] == Heading("run")
    assert hold(title="run").screen_parts()[0] == Lead("9 questions.")
    assert (hold(title="run").heading, hold().heading) == ("run", "Questions worth a look")
    assert hold((TWO,), ("x", "y")).parts()[:2] == [Note("A = x, B = y"), Lead("9 questions.")]
    assert hold((TWO,), ("A", "B")).parts()[0] == Lead("9 questions.")
    assert hold((SPREAD,), ("x", "y", "z")).parts()[0] == Lead("9 questions.")


def test_it_is_read_back_and_not_drawn():
    found = hold((TWO,), ("x", "y"), metric="pass@1", read="r", title="t")
    again = Shortlist.from_json(found.to_json())
    assert (again.names, again.rows, again.metric, again.read, again.title) == (("x", "y"), (TWO,), "pass@1", "r", "t")
    with pytest.raises(ValueError, match="^a list of questions has no figure; write it as .json, .csv, .md, .html or "
                       ".txt$"):
        found.plot()
