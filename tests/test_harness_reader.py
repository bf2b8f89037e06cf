"How a reader is asked, what it makes of a small log, and readers from elsewhere."
from pathlib import Path

import pytest

from harness_cases import put
from sampling_eval.io.harness.ask import Ask
from sampling_eval.io.harness.log import Log, open_log
from sampling_eval.io.harness.reader import Reader, make_reader

PATH = Path("/logs/run/x.json")


def hold(head, path=PATH): return Log(Path(path), "document", head)


def take(make, log, **given):
    "What was taken for what, the rows and the remarks."
    ask = Ask(**given)
    took, rows = make(log, ask)
    return took, list(rows), ask.notes


def fail(make, log, kind=ValueError, **given):
    with pytest.raises(kind) as error: list(make(log, Ask(**given))[1])
    return str(error.value)


def check_keys(recognise, head, *names):
    "Fail unless a head is recognised, and is not without any one of these keys."
    assert recognise(head) is True
    for name in names: assert recognise({key: value for key, value in head.items() if key != name}) is False, name
    for other in None, [], [head], "x", {}: assert recognise(other) is False


def grade(answer, target): return answer == target


def write(tmp_path, name, *lines): return open_log(put(tmp_path / name, lines, True))


def test_kinds_that_a_reader_takes():
    def fits(*kinds): return [Reader("x", kinds, bool, list).fits(kind) for kind in ("lines", "document", "rows")]
    assert (fits("lines"), fits("document"), fits("rows"), fits()) == (
        [True, True, False], [False, True, False], [False, False, True], [False] * 3)


def test_readers_from_elsewhere():
    class Given: name, recognise, rows = "mine", bool, list
    made = make_reader(Given, "somewhere")
    assert made == Reader("mine", ("lines", "rows", "document", "archive", "parquet", "table"), bool, list, True,
        False, "somewhere", False)
    Given.kinds, Given.judged, Given.by_folder, Given.draws = {"rows"}, False, True, True
    assert make_reader(Given, "o") == Reader("mine", ("rows",), bool, list, False, True, "o", True)
    def fail(**change):
        with pytest.raises(ValueError) as error: make_reader(type("Other", (Given,), change), "o")
        return str(error.value)
    assert fail(name="").startswith("a reader needs a name, got '' of <class ")
    assert fail(name=5).startswith("a reader needs a name, got 5 of ")
    for part in "recognise", "rows":
        assert fail(**{part: 5}) == (
            f"a reader needs the functions recognise(head) and rows(log, ask), got no {part} in the reader 'mine' of o")
    for kinds in "rows", ["rows", "csv"], 5:
        assert fail(kinds=kinds) == (
            f"kinds must be some of 'lines', 'rows', 'document', 'archive', 'parquet', 'table', got {kinds!r} in the "
            f"reader 'mine' of o")
