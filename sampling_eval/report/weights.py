"""Weights of questions in words."""
from __future__ import annotations

from .._errors import name_option
from ..results.weights import Weighted

__all__ = ["describe_weights", "describe_max_weight", "describe_range",
           "explain_weights"]


def describe_weights(
    weighted: Weighted | None,  # None where all questions weigh the same
) -> str:  # `weighted by points (worth 12.3 questions of equal weight)`; empty without weights
    "What the questions are weighted by, and how many questions that is worth."
    if weighted is None: return ""
    return (f"weighted by {weighted.weighted_by} (worth {weighted.effective_questions:.1f} "
            "questions of equal weight)")


def describe_max_weight(
    weighted: Weighted | None,  # None where all questions weigh the same
) -> str:  # One sentence; empty without weights
    "Up to which weight the CIs for new questions hold."
    if weighted is None: return ""
    return describe_range(weighted.largest_weight, weighted.largest_weight_declared)


def describe_range(
    largest: float,  # Largest weight that a question may have
    declared: bool,  # Whether it was declared; else it is the largest seen
) -> str:  # One sentence
    "Up to which weight the CIs for new questions hold."
    if declared:
        return f"CIs for new questions hold for weights up to {largest:g}, as declared."
    return (f"Where new questions may weigh more than {largest:g}, the largest weight seen, "
            f"declare it with {name_option('largest_weight')}; without it their CIs are "
            "approximate.")


def explain_weights(
    weighted: Weighted | None,  # None where all questions weigh the same
) -> str:  # One sentence fit for a paper; empty without weights
    "How means were weighted, and on what their CIs rest."
    if weighted is None: return ""
    known = "as declared" if weighted.largest_weight_declared else "the largest seen (approximate)"
    return (f"Means over questions are {describe_weights(weighted)}; CIs for new questions invert "
            "the test of E[w(x - mean)] = 0 with weights up to "
            f"{weighted.largest_weight:g}, {known}.")
