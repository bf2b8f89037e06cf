"""Results of the verbs: frozen dataclasses of numbers and names.

`base` has `Data`, which becomes plain values and back by the types of its fields, and `Result`,
whose forms are written by the module that `registry` names for its kind. The classes:
`score_report.Report`, `comparison.PairwiseComparison` and `MultipleComparison`, `verdicts.Gate`,
`model_table.ModelTable`, `planning.PowerAnalysis` and `Forecast`, `published.Audit`,
`explanation.Explanation` and `Shortlist`, `reading.DataDescription`.
"""
from .base import load_result

__all__ = ["load_result"]
