"A prior as a value: a Beta distribution of a question's chance, with mass at 0 and at 1."
from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Prior"]


@dataclass(frozen=True)
class Prior:
    "Distribution of a question's chance: Beta, with optional mass at 0 and at 1."
    a:float=1. # Weight of right samples
    b:float=1. # Weight of wrong samples
    at_zero:float=0. # Probability of a hopeless question
    at_one:float=0. # Probability of a solved question
    name:str="" # How it came about
    # Pairs (weight, prior) that fit as well, if it was fitted
    nodes:tuple=field(default=(), repr=False, compare=False)

    def __post_init__(self):
        zero, one = self.at_zero, self.at_one
        if not (self.a > 0 and self.b > 0):
            raise ValueError(f"need a > 0 and b > 0, got a={self.a}, b={self.b}")
        if not (zero >= 0 and one >= 0 and zero + one < 1):
            raise ValueError("need at_zero >= 0, at_one >= 0 and a sum below 1, "
                             f"got {zero} and {one}")

    def __str__(self):
        atoms = ""
        if self.at_zero or self.at_one:
            atoms = f", {self.at_zero:.3g} at 0, {self.at_one:.3g} at 1"
        return f"{self.name or 'given'} prior Beta({self.a:.4g}, {self.b:.4g}{atoms})"
