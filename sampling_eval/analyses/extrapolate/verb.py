"""`extrapolate`: what more samples would have shown."""
from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from ...arguments import checked, name_parameters
from ...errors import OptionError
from ...foundations.counts import Counts
from ...inference.extrapolation import extrapolate_credit
from ...metrics.catalog import CATALOG, Metric
from ...parameters import Reading
from ...reading.options import Options
from ..engine.choose import Budgets, Metrics, choose_one
from ..engine.systems import load_systems, pick_model
from .result import Forecast


@checked
def extrapolate(
    data: Any,  # Anything that `score` reads, one model
    metrics: Metrics = "pass@k",  # One metric that is a credit of counts
    k: Budgets = None,  # Budgets, any `k >= 1`; None: 1, the smallest `n`, and 10 to 1000 times it
    *,
    confidence_level: float = .95,  # Simultaneous confidence of the bounds
    models: str | None = None,  # The model wanted, where the data hold several
    **reading: Unpack[Reading],  # Missing policy, columns and the rest of what `score` takes
) -> Forecast:  # Exact values, models and bounds
    """What more samples would have shown, by models and by bounds that need none.

    Parameters:
        data              Anything that `score` reads, one model
        metrics           One metric that is a credit of counts
        k                 Budgets, any `k >= 1`; None: 1, the smallest `n`, and 10 to 1000 times it
        confidence_level  Simultaneous confidence of the bounds
        models            The model wanted, where the data hold several
        reading           Missing policy, columns and the rest of what `score` takes (see `read`):
                          missing, samples_per_question, no_answer, normalize, scale, conflict,
                          question, sample, correct, answer, score, model, cluster, expected, keys,
                          threshold, ignore, failed, sums, harness, task, filter, grade, files_hold,
                          limits
        return            Exact values, models and bounds

    Raises: `ValueError` or `TypeError` for data, metrics or budgets that allow no number.
    """
    options = Options.of(reading, name_parameters(extrapolate))
    found = load_systems([data], options, models)
    counts = found.counts[pick_model(found.counts, None, "the data")]
    metric, stated = choose_one(counts, metrics, lacks=found.lacks)
    refuse_without_credit(metric, metrics)
    if stated and k is not None:
        raise OptionError("k", f"{metrics!r} states its budget", found=f"k={k} as well")
    ks = forecast_budgets(counts, k, stated)
    told = extrapolate_credit(counts.n, counts.c, ks, metric.credit, label=metric.name,
                              confidence_level=confidence_level)
    fields = vars(told) | dict(metric=told.label, read=found.inputs, left_out=dict(told.left_out),
                               parameters={name: vars(law) for name, law in told.laws.items()})
    del fields["label"], fields["laws"]
    return Forecast(**fields)


def refuse_without_credit(metric: Metric, asked: Metrics) -> None:
    "Refuse a metric that has no value at budgets beyond the data."
    if metric.credit is not None and metric.at != "n": return
    known = ", ".join(name for name, o in CATALOG.items() if o.credit and o.at != "n")
    raise ValueError("extrapolation needs a metric that follows from the number of right samples "
                     f"and changes with k, got {asked}; known are {known}")


def forecast_budgets(counts: Counts, k: Budgets, stated: int | None) -> Any:
    "The budgets asked for, or 1, the smallest `n`, and 10, 100 and 1000 times as many."
    if k is None: return stated or np.unique([1, *(counts.n_min * 10**np.arange(4))])
    return list(k) if isinstance(k, range) else k
