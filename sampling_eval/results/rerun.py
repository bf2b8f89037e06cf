"What another run of the same questions would give."
from __future__ import annotations


from ..records import dataclass
from .base import Data

__all__ = ["Reruns"]


@dataclass(frozen=True, eq=False)
class Reruns(Data):
    "How far the numbers of one system move when the same questions are run again."
    n_min: int  # Fewest samples of a question
    n_max: int  # Most samples of a question
    one_run_variance: float  # Variance of the mean of one sample per question
    one_run_sd: float  # Its root
    least_difference_95: float  # Two single runs differ by more in 1 of 20 reruns
    least_questions_exact: int  # The same in questions, without the normal approximation
    flip_rate: float  # Share of outcomes that differ between two runs
    flaky_share: float  # Share of questions whose samples do not all agree
    icc: float | None  # Share of the variance between questions; None where all outcomes are equal
