"""The first screen of an extrapolation: the answer, and a table that fits a terminal."""
from __future__ import annotations

from typing import Any

from ..inference.extrapolation import Extrapolation
from .advice import say_number
from .numbers import digits, percent, share_text
from .openings import say_read
from .parts import Lead, Part, Table

__all__ = ["open_forecast", "screen_forecast"]

HEADS = "k", "measured", "models"


def screen_forecast(
    report: Extrapolation,  # Values beyond the samples
    read: str,  # What was read
) -> list[Part]:  # The answer, a line per budget, what to distrust
    "What the first screen of an extrapolation says."
    heads = [*HEADS, f"{percent(report.confidence_level)} % bounds"]
    table = Table(heads, [write_line(report, row) for row in report.rows])
    last = [*say_legend(report), say_read(read)]
    return [*open_forecast(report), table, *map(Lead, filter(None, last))]


def open_forecast(
    report: Extrapolation,  # Values beyond the samples
) -> list[Part]:  # One paragraph
    "How every form of an extrapolation begins."
    return [Lead(" ".join([say_forecast(report), *say_unsolved(report)]))]


def say_forecast(report: Extrapolation) -> str:
    "What is known of the first budget beyond the samples, or of the last one."
    beyond = [row for row in report.rows if row["kind"] == "model"]
    row = beyond[0] if beyond else report.rows[-1]
    name = report.label.replace("@k", f"@{row['k']}").replace("^k", f"^{row['k']}")
    samples = say_number(report.n_min, "sample")
    if not beyond: return f"{name} is {digits(row['exact'])}, measured with {samples} a question."
    said = f"{name} is not measured with {samples} a question"
    models = say_models(report, row)
    if models: said += f": {models}"
    return f"{said}. {say_bounds(report, row)}"


def say_models(report: Extrapolation, row: dict[str, Any]) -> str:
    "What the models make of it, as a guess."
    found = [row[name] for name in report.models]
    if not found: return ""
    if len(found) == 1: return f"one statistical model puts it at {share_text(found[0])}"
    return f"{len(found)} statistical models put it at {span(min(found), max(found))}"


def say_bounds(report: Extrapolation, row: dict[str, Any]) -> str:
    "What holds whatever the difficulties are."
    if row["low"] is None:
        return "There are no bounds: no distribution of difficulties fits the counts."
    level = percent(report.confidence_level)
    return (f"Without assuming any model, it lies between {show_end(row['low'])} and "
            f"{show_end(row['high'])} ({level} % confidence).")


def say_unsolved(report: Extrapolation) -> list[str]:
    "How many questions the samples tell least about."
    if not report.unsolved: return []
    verb = "was" if report.unsolved == 1 else "were"
    what = f"{report.unsolved} of {say_number(report.questions, 'question')} {verb}"
    if report.mirrored:
        return [f"{what} always solved: whether some samples would fail cannot be seen."]
    return [f"{what} never solved: impossible or only very hard cannot be told apart."]


def say_legend(report: Extrapolation) -> list[str]:
    "What the columns are, and which models there are."
    said = []
    if report.models:
        models = say_number(len(report.models), "statistical model")
        said.append(f"Models: the lowest and the highest value of {models} of how hard the "
                    "questions are, fitted to the counts; all of them may err to the same side.")
    return [*said, *(f"{name} left out: {why}." for name, why in report.left_out)]


def write_line(report: Extrapolation, row: dict[str, Any]) -> list[str]:
    found = [row[name] for name in report.models]
    known = row["kind"] == "exact"
    models = "-" if known or not found else span(min(found), max(found))
    bounds = "-" if row["low"] is None else span(row["low"], row["high"])
    return [f"{row['k']:,}", digits(row["exact"]), models, bounds]


def span(low: float, high: float) -> str: return f"{show_end(low)} to {show_end(high)}"


def show_end(value: float) -> str:
    "A number in [0, 1]; what is closer to 0 or 1 than three decimals show, but is not, says so."
    if .9995 <= value < 1: return ">0.999"
    return "<0.001" if 0 < value < .0005 else digits(value)
