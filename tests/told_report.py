"Old names of tests/score_rows.py, and lines as the terminal shows them."
from score_rows import make_columns as columns, make_report, make_row as ToldRow

from sampling_eval.report.text import wrap

__all__ = ["ToldReport", "ToldRow", "columns", "wrap_lines"]


def ToldReport(rows, **fields): return make_report(*rows, **fields)


def wrap_lines(told):
    "A text as the terminal shows it, in at most 80 columns."
    return "\n".join(o if "  " in o or "---" in o else wrap(o) for o in told.splitlines())
