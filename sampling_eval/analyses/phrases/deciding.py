"""Which interval decides a difference, and what stands behind it, in words."""
from __future__ import annotations

from ...inference.intervals import ASSUMPTION_FREE, Interval, Method, row_of
from ...inference.t_evidence import LEAST_DIFFERENT, LEAST_QUESTIONS
from ...render.format import count, level
from ...results.verdict import Evidence

__all__ = ["say_none_free", "describe_method", "cite_method", "name_deciding", "lacking_evidence"]


def say_none_free(method: Method) -> str:
    "Said where a method was asked for and the questions stay the same."
    return (f"There is no assumption-free CI of the same questions: this one is {method.name} "
            "(approximate).")


def name_deciding(
    method: str,  # Interval that decides a difference
    test: str = "",  # Name of its test, where it has one
    evidence: Evidence | None = None,  # Why it is not t; None where it was asked for
    unit: str = "question",  # Or `cluster`
) -> str:
    "How an interval that decides is called, and why it is not t; empty for the same questions."
    row = row_of(method)
    if row.fixed: return ""
    if not row.free: return method
    if "McNemar" in test: return "exact McNemar"
    if evidence is None: return ASSUMPTION_FREE
    return f"{ASSUMPTION_FREE}: {lacking_evidence(evidence, unit)}"


def lacking_evidence(
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


def describe_method(
    interval: Interval | None,  # None where there is none
    named_level: bool = True,  # Whether the confidence level stands before it
) -> str:  # `95 % gaffke (assumption-free for bounded scores)`, `none`
    "The method of an interval, and what it assumes."
    if interval is None: return "none"
    method = interval.method
    name = method.name + f" = {method.same_as}" * bool(method.same_as)
    if method.clusters is not None: name += f" over {count(method.clusters, 'cluster')}"
    if method.weighted: name += " over weighted questions"
    if method.strata: name += " over strata"
    if row_of(method.name).draws:
        name += " (seed given by rng)" if method.seed is None else f" (seed {method.seed})"
    what = "assumption-free for bounded scores" if method.exact else "approximate"
    if method.max_weight is not None: what += f": assumes no weight above {method.max_weight:g}"
    if method.upper_bound: what += ", an upper bound: it has the spread of new questions"
    return f"{level(interval.level)} " * named_level + f"{name} ({what})"


def cite_method(
    interval: Interval,  # Of an estimate
) -> str:  # ` @{gaffke2005} @{vlassis2026}`
    "Marks of the sources of its method."
    names = interval.method.name, interval.method.same_as
    return "".join(f" @{{{source}}}" for name in names if name
                   for source in row_of(name).sources)
