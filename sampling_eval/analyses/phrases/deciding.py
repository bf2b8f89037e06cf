"""Which interval decides a difference, and what stands behind it, in words."""
from __future__ import annotations

from ...inference.intervals import ASSUMPTION_FREE, METHODS
from ...inference.paired_t import LEAST_DIFFERENT, LEAST_QUESTIONS
from ...render.format import count
from ...results.rows import Method
from ...results.verdict import Evidence

__all__ = ["NONE_OF_THE_SAME", "cite_method", "name_deciding", "describe_evidence"]


# Said where another method than gamma was asked for, and the questions stay the same.
NONE_OF_THE_SAME = ("There is no assumption-free CI of the same questions: this one is gamma "
                    "(approximate).")


def name_deciding(
    method: str,  # Interval that decides a difference
    test: str = "",  # Name of its test, where it has one
    evidence: Evidence | None = None,  # Why it is not t; None where it was asked for
    unit: str = "question",  # Or `cluster`
) -> str:
    "How an interval that decides is called, and why it is not t; empty for gamma."
    if method == "gamma": return ""
    if method != "gaffke": return method
    if "McNemar" in test: return "exact McNemar"
    if evidence is None: return ASSUMPTION_FREE
    return f"{ASSUMPTION_FREE}: {describe_evidence(evidence, unit)}"


def describe_evidence(
    found: Evidence,  # What a t interval would rest on
    unit: str = "question",  # Or `cluster`
) -> str:
    "Why too little stands behind a t interval."
    if found.units < LEAST_QUESTIONS: return f"only {count(found.units, unit)}"
    if not found.different: return f"no {unit} differs"
    if found.different < LEAST_DIFFERENT:
        return f"{found.different} of {count(found.units, unit)} differ"
    if not found.effective: return f"all {count(found.units, unit)} differ by the same"
    return (f"a few {unit}s carry the spread, {found.effective:.1f} effective of {found.units:,}")


def cite_method(
    method: Method,  # How an interval was computed
) -> str:  # ` @{gaffke2005} @{vlassis2026}`
    "Marks of its sources."
    return "".join(f" @{{{source}}}" for name in (method.name, method.same_as) if name
                   for source in METHODS[name].sources)
