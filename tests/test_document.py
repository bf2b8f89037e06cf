"A result that lists its parts gets every form; plain values, records and frames beneath them."
import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

from sampling_eval.report import frames
from sampling_eval.reporting.document import Written
from sampling_eval.report.blocks import Table
from sampling_eval.reporting.parts import Heading, Sentence
from sampling_eval.reporting.records import Absent, Record, join_field, make_array, plain_values


@dataclass(frozen=True, eq=False, repr=False)
class Line(Record):
    k: int
    base: float = 2.
    names = "k", "power"

    @cached_property
    def power(self): return self.base**self.k


@dataclass(frozen=True, eq=False, repr=False)
class Powers(Written):
    rows: tuple[Line, ...]
    heading: str = "powers <of> two"
    needed = "rows", "heading"

    @classmethod
    def from_values(cls, values):
        return cls(tuple(Line.from_dict(row) for row in values["rows"]), values["heading"])

    def parts(self):
        table = Table(["k", "power"], [[str(o.k), str(o.power)] for o in self.rows])
        return [Heading(self.heading), table]

    def page_parts(self): return [*self.parts(), Sentence("for pages")]


POWERS = Powers((Line(1), Line(3)))


# Forms.

def test_every_form_tells_the_same():
    assert repr(POWERS) == POWERS.to_text() == "powers <of> two\n\nk  power\n--------\n1    2.0\n3    8.0"
    table = "**powers &lt;of&gt; two**\n\n| k | power |\n|---|---:|\n| 1 | 2.0 |\n| 3 | 8.0 |\n"
    assert POWERS.to_markdown() == POWERS._repr_markdown_() == table
    assert POWERS.to_latex().splitlines()[:3] == [r"% powers \textless{}of\textgreater{} two", "", r"\begin{tabular}{lr}"]
    page = POWERS.to_html()
    assert "<title>sampling_eval: powers &lt;of&gt; two</title>" in page
    assert "<td>3</td><td>8.0</td>" in page and "<p>for pages</p>" in page
    assert "for pages" not in POWERS.to_text() + POWERS.to_markdown() + POWERS.to_latex()


def test_json():
    told = dict(rows=[dict(k=1, power=2.), dict(k=3, power=8.)], heading="powers <of> two")
    assert POWERS.to_dict() == json.loads(POWERS.to_json()) == told
    assert POWERS.to_json().startswith('{\n "rows": [\n  {\n   "k": 1,')
    assert list(POWERS.to_dict()) == ["rows", "heading"]


def test_what_is_read_back_is_equal():
    again = Powers.from_json(POWERS.to_json())
    assert again == POWERS and again.rows == POWERS.rows and repr(again) == repr(POWERS)
    assert pickle.loads(pickle.dumps(POWERS)) == POWERS
    assert POWERS != Powers((Line(1), Line(2))) and POWERS != Powers(POWERS.rows, "others")
    assert POWERS != POWERS.to_dict() and not POWERS == 1


@pytest.mark.parametrize("told, says", [
    ('{"rows": []}', "need the JSON text of a Powers, got one without 'heading' (1 of 2"),
    ("[1]", "without 'rows' (2 of 2"), ("3", "without 'rows'"),
    ('{"rows": [{"k": 1}], "heading": ""}', "a Line needs 'power', got ['k']"),
    ("no json", "Expecting value")])
def test_other_texts_are_refused(told, says):
    with pytest.raises(ValueError) as refused: Powers.from_json(told)
    assert says in str(refused.value)


def test_a_result_without_parts_says_so():
    for ask in (Written().parts, lambda: Written().heading, lambda: Written.from_values({})):
        with pytest.raises(NotImplementedError): ask()


# Records.

def test_a_record_computes_when_asked_and_once():
    line = Line(3)
    assert "power" not in vars(line) and line.power == 8 and vars(line)["power"] == 8
    assert repr(line) == "Line(k=3, power=8.0)" and line.to_dict() == dict(k=3, power=8.)
    with pytest.raises(AttributeError, match="cannot assign"): line.k = 4


def test_records_are_equal_by_what_they_tell():
    assert Line(3) == Line(3) and hash(Line(3)) == hash(Line(3)) and Line(3) != Line(2)
    assert Line.from_dict(dict(k=3, power=8.)) == Line(3) != Line.from_dict(dict(k=3, power=9.))
    assert Line(3) != dict(k=3, power=8.) and Line.from_dict(dict(k=3, power=8.), base=3.).base == 3


def test_join_field():
    class Said:
        def __init__(self, text): self.text = text
    assert join_field([Said("b"), Said("a"), Said(""), Said("b")], "text") == "b and a"
    assert join_field([Said("")], "text") == ""


def test_make_array():
    assert make_array(None) is None and make_array([1, 2]).dtype.kind == "i"
    np.testing.assert_array_equal(make_array([1., None]), [1, np.nan])


def test_absent_columns_say_so():
    columns = Absent()
    assert not len(columns) and list(columns) == [] and "c" not in columns
    assert "JSON does not hold the columns of the questions" in repr(columns)
    with pytest.raises(KeyError, match="compute the result again"): columns["c"]
    for ask in columns.rows, columns.to_frame, lambda: columns.where(np.array([True])):
        with pytest.raises(ValueError, match="JSON does not hold"): ask()


# Plain values.

class Odd:
    def __str__(self): return "odd"


class Few(Mapping):
    def __getitem__(self, name): return (1, 2)
    def __iter__(self): return iter([3])
    def __len__(self): return 1


@pytest.mark.parametrize("value, told", [
    (np.arange(2), [0, 1]), (np.float64(.5), .5), ((1, (2, None)), [1, [2, None]]),
    ({1: True, "a": Odd()}, {"1": True, "a": "odd"}), (Few(), {"3": [1, 2]}),
    (Heading("x"), {"text": "x"}), (Line(1), dict(k=1, power=2.)), ("text", "text"), (None, None),
    (np.array([[1.5, np.inf]]), [[1.5, np.inf]])])
def test_plain_values(value, told):
    found = plain_values(value)
    assert found == told and type(found) is type(told)


# Frames.

COLUMNS = dict(k=[1, 2], value=[.5, None], name=["a", "b"])


@pytest.mark.parametrize("backend", frames.BACKENDS)
def test_frames(backend):
    library = pytest.importorskip(backend)
    found = frames.frame(COLUMNS, backend)
    assert type(found).__module__.split(".")[0] == library.__name__
    columns = {"pandas": lambda: found.to_dict("list"), "pyarrow": lambda: found.to_pydict(),
               "polars": lambda: found.to_dict(as_series=False)}[backend]()
    assert columns["k"] == [1, 2] and columns["name"] == ["a", "b"] and columns["value"][0] == .5
    assert columns["value"][1] is None or np.isnan(columns["value"][1])
    rows = POWERS.to_frame(backend)
    assert list(rows.columns if backend != "pyarrow" else rows.column_names) == ["k", "power"]
    assert len(rows) == 2 and len(Powers((Line(1),)).to_frame(backend)) == 1


def test_the_first_library_that_is_installed(monkeypatch):
    def install(*names): monkeypatch.setattr(frames, "find_spec", lambda o: o in names or None)
    install("polars", "pyarrow")
    assert frames.list_backends() == ["polars", "pyarrow"] and frames.choose_backend() == "polars"
    assert frames.choose_backend("pyarrow") == "pyarrow"
    with pytest.raises(ImportError, match="a frame needs pandas: pip install pandas"):
        frames.choose_backend("pandas")
    install()
    with pytest.raises(ImportError, match="needs pandas, polars or pyarrow: pip install pandas"):
        frames.frame(COLUMNS)
    with pytest.raises(ValueError, match="backend must be one of .*, got 'dask'"):
        frames.frame(COLUMNS, "dask")
