"Forecasts: what is printed, stored in full."
from dataclasses import replace

import pytest

from printed import check_printed
from sampling_eval import Counts, extrapolate
from sampling_eval.reporting.forecast_screen import say_legend, say_models, say_unsolved, show_end
from sampling_eval.reporting.forecasts import ExtrapolationReport
from test_versus import tell_forms

PILOT = Counts([4] * 8, [0, 1, 2, 4, 4, 3, 1, 4])
FORECASTS = {
    "beyond": lambda: extrapolate(PILOT, [1, 4, 8, 100]),
    "never solved": lambda: extrapolate(Counts([4] * 6, [0, 0, 1, 2, 4, 4]), [2, 16], confidence_level=.9),
    "pass^k": lambda: extrapolate(Counts([4] * 6, [4, 0, 1, 2, 4, 4]), [2, 16], "pass^k"),
    "nothing beyond": lambda: extrapolate(PILOT, [1, 2]),
    "all right": lambda: extrapolate(Counts([4] * 6, [4] * 6), [4, 8]),
}


@pytest.mark.parametrize("name", FORECASTS)
def test_a_forecast_in_every_form(name):
    result = FORECASTS[name]()
    # Fitted numbers are the same to some digits.
    check_printed("plan", f"forecast, {name}", tell_forms(result, ["screen", "full"]))
    assert ExtrapolationReport.from_json(result.to_json()) == result


# Parts.

@pytest.mark.parametrize("value, said", [
    (0., "0.000"), (.0004, "<0.001"), (.0005, "0.001"), (.25, "0.250"), (.9994, "0.999"), (.9995, ">0.999"),
    (.99999, ">0.999"), (1., "1.000")])
def test_what_is_nearly_0_or_1_says_so(value, said): assert show_end(value) == said


def test_how_many_models_there_are():
    found = FORECASTS["never solved"]()
    names = list(found.models)
    def keep(*kept): return replace(found, models={name: found.models[name] for name in kept})
    def tell(one): return say_models(one, one.rows[1])
    assert tell(found) == "4 statistical models put it at 0.489 to 0.804"
    assert tell(keep()) == "" and say_legend(keep()) == []
    assert tell(keep(names[0])) == "one statistical model puts it at 0.7664"
    assert tell(keep(names[0], names[2])) == "2 statistical models put it at 0.489 to 0.766"
    one, left_out = say_legend(replace(keep(names[0]), left_out=(("power law", "why"),)))
    assert "value of 1 statistical model of how hard" in one and left_out == "power law left out: why."


def test_questions_that_tell_least():
    found = FORECASTS["never solved"]()
    def tell(unsolved, mirrored=False): return say_unsolved(replace(found, unsolved=unsolved, mirrored=mirrored))
    assert tell(0) == [] and tell(1) == ["1 of 6 questions was never solved: impossible or only very hard cannot be "
                                         "told apart."]
    assert tell(2) == ["2 of 6 questions were never solved: impossible or only very hard cannot be told apart."]
    assert tell(2, True) == ["2 of 6 questions were always solved: whether some samples would fail cannot be seen."]


def test_no_bounds_where_no_law_fits():
    found = FORECASTS["never solved"]()
    low = replace(found, low=None, high=None)
    shown = " ".join(repr(low).split())
    assert "There are no bounds: no distribution of difficulties fits the counts." in shown
    assert [line.split()[-1] for line in repr(low).splitlines() if line.startswith(("2 ", "16 "))] == ["-", "-"]
    assert ExtrapolationReport.from_json(low.to_json()) == low


def test_figures_pass_on_axes_and_size(monkeypatch):
    monkeypatch.setattr("sampling_eval.reporting.charts.plot_forecast", lambda *args, **given: (args, given))
    found = FORECASTS["all right"]()
    assert found.plot(ax=1, size=2) == ((found,), dict(ax=1, size=2)) and found.plot() == ((found,),
        dict(ax=None, size=None))
