"""The result of `extrapolate`: what more samples would have shown."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...results.base import Result
from ...results.reading import ReadSummary

__all__ = ["Forecast"]


@dataclass(frozen=True, eq=False, repr=False)
class Forecast(Result):
    """Exact values for `k <= n`; for every `k` models, and assumption-free bounds.

    Parameters:
        metric            Name without its budget, such as `pass@k`
        k                 Budgets, shape `(K,)`
        n_min             Fewest samples of a question; beyond it every value is a model's
        n_max             Most samples
        exact             Unbiased estimates at the budgets up to `n_min`, in their order
        models            Values of each model by name, shape `(K,)`
        parameters        Of each fitted model; of wrong samples if `mirrored`
        misfit            Model minus exact value at `k = n_min`, by name
        low               Assumption-free bounds, shape `(K,)`; None if no distribution fits
        unsolved          Questions without a right sample; without a wrong one if `mirrored`
        mirrored          Whether the metric is "all right", computed as its mirror image
        confidence_level  Simultaneous confidence of the bounds
        left_out          Models that could not be fitted: why
        read              What was read
    """
    kind = "extrapolate"
    metric: str  # Name without its budget, such as `pass@k`
    k: np.ndarray  # Budgets, shape `(K,)`
    questions: int
    n_min: int  # Fewest samples of a question; beyond it every value is a model's
    n_max: int  # Most samples
    exact: np.ndarray  # Unbiased estimates at the budgets up to `n_min`, in their order
    models: dict[str, np.ndarray]  # Values of each model by name, shape `(K,)`
    parameters: dict[str, dict[str, Any]]  # Of each fitted model; of wrong samples if `mirrored`
    misfit: dict[str, float]  # Model minus exact value at `k = n_min`, by name
    low: np.ndarray | None  # Assumption-free bounds, shape `(K,)`; None if no distribution fits
    high: np.ndarray | None
    unsolved: int  # Questions without a right sample; without a wrong one if `mirrored`
    mirrored: bool  # Whether the metric is "all right", computed as its mirror image
    confidence_level: float  # Simultaneous confidence of the bounds
    left_out: dict[str, str] = field(default_factory=dict)  # Models that could not be fitted: why
    read: dict[str, ReadSummary] = field(default_factory=dict)  # What was read

    @property
    def rows(self) -> list[dict[str, Any]]:
        "One dict a budget: k, kind (`exact` or `model`), exact value, the models, low, high."
        exact = dict(zip(self.k[self.k <= self.n_min].tolist(), self.exact.tolist()))
        none = [None] * len(self.k)
        low = none if self.low is None else self.low.tolist()
        high = none if self.high is None else self.high.tolist()
        models = {name: values.tolist() for name, values in self.models.items()}
        rows = []
        for i, k in enumerate(self.k.tolist()):
            row = dict(k=k, kind="exact" if k in exact else "model", exact=exact.get(k))
            row |= {name: values[i] for name, values in models.items()}
            rows.append(row | dict(low=low[i], high=high[i]))
        return rows
