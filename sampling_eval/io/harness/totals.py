"""The total that a run stores of itself, and how many of its samples a log holds."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Coverage", "Total", "tell_coverage"]


@dataclass(frozen=True)
class Total:
    "How many samples a run has by what is stored beside them."
    expected:int # Samples
    where:str # What says so, such as `n-samples in results.json`
    questions:Mapping[Any, int]|None=None # Samples of each question, if all are named
    each:int|None=None # Samples of each question, if all have as many
    task:str|None=None # The only task that it counts
    run:Any=None # What the files of one run share, if it counts the samples of several
    found:Collection[Any]|None=None # Samples there are, where rows do not tell; may still grow
    why:str="" # Why samples may be missing, such as how the run ended


@dataclass(frozen=True)
class Coverage:
    "A stored total, and how many of its samples the logs hold."
    file:str # Name of the log; of several, the last
    expected:int # Samples by the stored total
    found:int # Samples that the logs hold
    where:str # What stores the total
    left_out:int=0 # Missing samples that stand in no row, as they were to be dropped
    model:str="" # Name of the model, if all samples are of one that is named

    @property
    def missing(self)->int:
        "Samples that the total counts and the logs do not hold."
        return max(0, self.expected - self.found)


def tell_coverage(
    coverages:Sequence[Coverage], # What is stored of some logs
)->list[str]: # For the sentence on what was read
    "Which logs hold fewer samples than their run has."
    return [f"{one.file} holds {one.found} of {one.expected} samples ({one.where})"
            for one in coverages if one.missing]
