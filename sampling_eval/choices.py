"""Values that options of the verbs take."""
from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["Target", "Targets", "Ties", "Missing", "NoAnswer", "Conflict", "Unmatched", "Method", "Test",
           "Approximation"]

Target: TypeAlias = Literal["new_questions", "same_questions"]  # Same: a rerun
Targets: TypeAlias = Literal["new_questions", "same_questions", "both"]
Ties: TypeAlias = Literal["expected", "wrong", "first"]
Missing: TypeAlias = Literal["raise", "wrong", "drop", "bounds"]
NoAnswer: TypeAlias = Literal["abstain", "vote"]
Conflict: TypeAlias = Literal["refuse", "any", "majority"]
Unmatched: TypeAlias = Literal["refuse", "drop"]
Method: TypeAlias = Literal["gaffke", "gamma", "anchored-t", "t", "bootstrap", "wilson",
                            "clopper-pearson"]
Test: TypeAlias = Literal["mcnemar", "mcnemar-mid", "sign-flip", "gaffke", "permutation", "interval",
                          "cautious", "t"]
Approximation: TypeAlias = Literal["normal", "t"]
