"""Results of the verbs: frozen dataclasses of numbers and names."""
from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from .base import Result

__all__ = ["load_result"]

# Kind of a result to its class.
CLASSES = dict(score="score_report.Report", compare="comparison.PairwiseComparison",
               ranking="ranking.MultipleComparison", gate="verdicts.Gate",
               table="model_table.ModelTable", plan="power_analysis.PowerAnalysis",
               describe="description.DataDescription", extrapolate="forecast.Forecast",
               explain="explanation.Explanation", shortlist="explanation.Shortlist")


def load_result(
    path: str | Path,  # JSON file that a result wrote
) -> Result:  # An equal result, of the class that wrote it
    """The result of a JSON file.

    Raises: `ValueError` for a file that holds no result; `OSError` where it cannot be read.
    """
    values = json.loads(Path(path).read_text("utf-8"))
    kind = values.get("kind") if isinstance(values, dict) else None
    if kind not in CLASSES:
        raise ValueError(f"need the JSON of a result, of {', '.join(CLASSES)}, got {path}")
    module, name = CLASSES[kind].split(".")
    found: type[Result] = getattr(import_module(f"{__name__}.{module}"), name)
    return found.from_dict(values)
