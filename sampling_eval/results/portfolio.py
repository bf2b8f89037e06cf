"Tries split over sources: every split, and what is left of the best one's gain."
from __future__ import annotations


from ..records import dataclass
from .base import Data

__all__ = ["Split", "Gain", "SourceMix"]


@dataclass(frozen=True, eq=False)
class Split(Data):
    "One way to split the tries, with its mean over questions."
    tries: tuple[int, ...]  # Tries of each source
    estimate: float  # pass@k
    low: float  # Ends of the simultaneous band over all splits
    high: float


@dataclass(frozen=True, eq=False)
class Gain(Data):
    "What the best split gains over all tries of one source, paired by question."
    source: str
    estimate: float
    low: float  # Ends of the simultaneous band over all splits
    high: float

    @property
    def significant(self) -> bool: return self.low > 0


@dataclass(frozen=True, eq=False)
class SourceMix(Data):
    "All splits of `k` tries over sources on the same questions."
    k: int
    sources: tuple[str, ...]
    questions: int
    confidence_level: float  # Of all splits together
    best: int  # Position of the split with the largest mean, chosen after looking
    splits: tuple[Split, ...]
    gains: tuple[Gain, ...]  # Over each source that has samples for all tries
    band: str = ""  # Method of the bands

    @property
    def best_split(self) -> Split: return self.splits[self.best]
