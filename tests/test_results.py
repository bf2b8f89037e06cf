"Results as data: plain values and back by the types of their fields."
import json
import pickle
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from printed import check_text
from sampling_eval import Counts, extrapolate
from sampling_eval.records import dataclass
from sampling_eval.results import load_result
from sampling_eval.results.base import Data, Result, decode, encode, later, live
from sampling_eval.results.columns import Absent
from sampling_eval.results.planning import Forecast

PILOT = Counts([4] * 8, [0, 1, 2, 4, 4, 3, 1, 4])
FORECASTS = {
    "beyond": lambda: extrapolate(PILOT, k=[1, 4, 8, 100]),
    "never solved": lambda: extrapolate(Counts([4] * 6, [0, 0, 1, 2, 4, 4]), k=[2, 16], confidence_level=.9),
    "pass^k": lambda: extrapolate(Counts([4] * 6, [4, 0, 1, 2, 4, 4]), k=[2, 16], metrics="pass^k"),
    "nothing beyond": lambda: extrapolate(PILOT, k=[1, 2]),
    "all right": lambda: extrapolate(Counts([4] * 6, [4] * 6), k=[4, 8]),
}


@dataclass(frozen=True, eq=False)
class Part(Data):
    name: str
    share: float | None
    verdict: Literal["pass", "fail"] = "pass"


@dataclass(frozen=True, eq=False)
class Whole(Data):
    parts: tuple[Part, ...]
    ends: tuple[float, float]
    curve: np.ndarray
    by_name: dict[str, int]
    first: Part | None = None
    kept: list | None = live()


WHOLE = Whole((Part("a", .5), Part("b", None, "fail")), (0., 1.), np.array([.25, np.nan]), {"q": 3}, kept=[1])


def test_plain_values_and_back():
    told = json.loads(json.dumps(WHOLE.to_dict()))
    assert told["parts"][1] == dict(name="b", share=None, verdict="fail") and told["curve"] == [.25, None]
    assert "kept" not in told
    again = Whole.from_dict(told)
    assert again == WHOLE and again.kept is None and np.isnan(again.curve[1]) and again.parts[0].verdict == "pass"
    assert pickle.loads(pickle.dumps(WHOLE)) == WHOLE and replace(WHOLE, by_name={}) != WHOLE


@pytest.mark.parametrize("change, said", [
    (dict(parts=[dict(name="a")]), "need the fields of a Part, got none called 'share'"),
    (dict(parts=3), "Whole.parts must be a list, got 3"),
    (dict(ends=[1]), "Whole.ends must be a list of 2, got"),
    (dict(by_name={"q": "x"}), "Whole.by_name['q'] must be of kind int, got 'x'"),
    (dict(parts=[dict(name="a", share="x")]), "Part.share must be a number, got 'x'"),
    (dict(parts=[dict(name="a", share=1, verdict="weak")]), "Part.verdict must be one of")])
def test_what_is_no_such_value_is_refused(change, said):
    with pytest.raises(ValueError) as found: Whole.from_dict(WHOLE.to_dict() | change)
    assert said in str(found.value)


def test_a_field_that_is_absent_is_named():
    with pytest.raises(ValueError, match="got none called 'ends'"):
        Whole.from_dict({name: o for name, o in WHOLE.to_dict().items() if name != "ends"})


def test_numbers_and_flags_are_told_apart():
    with pytest.raises(ValueError, match="must be a number, got True"): decode(float, True, "x")
    assert decode(float, 1, "x") == 1. and decode(int | None, None, "x") is None


class Odd:
    def __str__(self): return "odd"


@pytest.mark.parametrize("value, told", [
    (np.arange(2), [0, 1]), (np.float64(.5), .5), ((1, (2, None)), [1, [2, None]]), ({1: True, "a": Odd()}, {"1": True, "a": "odd"}),
    (float("nan"), None), (Part("x", .5), dict(name="x", share=.5, verdict="pass")), ("text", "text"), (None, None),
    (np.array([[1.5, np.inf]]), [[1.5, np.inf]]), (np.bool_(True), True)])
def test_plain_values(value, told):
    found = encode(value)
    assert found == told and type(found) is type(told)


@dataclass(frozen=True, eq=False)
class Power(Data):
    k: int
    power: float = later(lambda one: one.base**one.k)
    base: float = live()


def test_a_field_is_computed_when_asked_and_once():
    line = Power(3, base=2.)
    assert "power" not in vars(line) and line.power == 8 and vars(line)["power"] == 8
    assert line.to_dict() == dict(k=3, power=8.) and Power.from_dict(dict(k=3, power=8.)) == line != Power(2, base=2.)
    assert line != dict(k=3, power=8.)
    with pytest.raises(AttributeError, match="cannot assign"): line.k = 4


@dataclass(frozen=True, eq=False, repr=False)
class Rows(Result):
    kind = "advice"
    rows: tuple[Part, ...] = (Part("a", .5), Part("b", None))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(backend):
    library = pytest.importorskip(backend)
    found = Rows().to_frame(backend)
    assert type(found).__module__.split(".")[0] == library.__name__
    columns = {"pandas": lambda: found.to_dict("list"), "pyarrow": lambda: found.to_pydict(),
               "polars": lambda: found.to_dict(as_series=False)}[backend]()
    assert columns["name"] == ["a", "b"] and columns["share"][0] == .5
    assert columns["share"][1] is None or np.isnan(columns["share"][1])


def test_a_result_without_a_figure_says_so():
    with pytest.raises(ValueError, match="a result of advice has no figure; write it as .json, .csv, .md"): Rows().plot()


def test_columns_that_json_does_not_hold_say_so():
    columns = Absent()
    assert not len(columns) and list(columns) == [] and "c" not in columns and columns == Absent()
    assert "JSON does not hold the columns of the questions" in repr(columns)
    with pytest.raises(KeyError, match="compute the result again"): columns["c"]
    for ask in columns.rows, columns.to_frame, lambda: columns.where(np.array([True])):
        with pytest.raises(ValueError, match="JSON does not hold"): ask()


# Forecasts.

@pytest.mark.parametrize("name", FORECASTS)
def test_a_forecast_in_every_form(name):
    result = FORECASTS[name]()
    check_text(f"extrapolate {name}", result.to_text(how=True), result.to_markdown(), result.to_latex())
    assert type(result).from_json(result.to_json()) == result
    assert pickle.loads(pickle.dumps(result)) == result
    assert max(map(len, result.to_text(how=True).splitlines())) <= 80


def test_a_forecast_read_back_draws_and_prints_the_same(tmp_path):
    result = FORECASTS["beyond"]()
    (tmp_path / "a.json").write_text(result.to_json())
    again = load_result(tmp_path / "a.json")
    assert repr(again) == repr(result) and again.to_html() == result.to_html()
    lines = [ax.lines[0].get_ydata().tolist() for ax in (again.plot(), result.plot())]
    assert lines[0] == lines[1]


def test_without_bounds():
    result = replace(FORECASTS["never solved"](), low=None, high=None)
    assert "no distribution of difficulty fits the counts" in " ".join(repr(result).split())
    assert result.rows[0]["low"] is None and type(result).from_json(result.to_json()) == result
    assert result.to_html().count("<svg") == 1


def test_what_is_no_result_is_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"rows": []}')
    with pytest.raises(ValueError, match="need the JSON of a result, of .*extrapolate"): load_result(path)
    with pytest.raises(ValueError, match="need the JSON text of a result of extrapolate, got something else"):
        Forecast.from_json("[]")
    with pytest.raises(ValueError, match="need the JSON text of a result of extrapolate, got one of score"):
        Forecast.from_json('{"kind": "score"}')
    with pytest.raises(ValueError, match="Expecting value"): Forecast.from_json("no json")
