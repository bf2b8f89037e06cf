"Reports with given numbers, for tests of what is said about a report."

import numpy as np

from sampling_eval.results.columns import Columns
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.results.rows import Row
from sampling_eval.analyses.score.result import Report

GAFFKE = Method("gaffke", True)


def make_row(metric="pass@1", k=1, estimate=0.5, low=0.25, high=0.75, **fields):
    "A row of 50 questions with 4 samples each."
    interval = (
        None
        if low is None
        else Interval(low, high, method=GAFFKE, unit=fields.get("unit", "share"))
    )
    facts = dict(
        stderr=0.1,
        questions=50,
        n_min=4,
        n_max=4,
        missing=0,
        estimator="unbiased",
        interval=interval,
    )
    return Row(metric=metric, k=k, estimate=estimate, **facts | fields)


def make_report(*rows, letters={}, advice=None, **fields):
    return Report(tuple(rows), letters=letters, next=advice, **fields)


def make_columns(right, n=4, model=None):
    "Columns of questions `q0`, `q1`, ... of one model, or of the models named."
    names = list(dict.fromkeys(model or [""]))
    place = {name: iter(range(len(right))) for name in names}
    each = [f"q{next(place[name])}" for name in model or [""] * len(right)]
    told = dict(question=np.array(each), n=np.full(len(right), n), c=np.array(right))
    return Columns(told if model is None else dict(model=np.array(model)) | told)
