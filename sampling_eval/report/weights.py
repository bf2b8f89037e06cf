"""Weights of questions in words."""
from __future__ import annotations

from ..results.weights import Weighted

__all__ = ["describe_weights", "describe_max_weight", "explain_weights"]


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
    most = f"{weighted.largest_weight:g}"
    if weighted.largest_weight_declared:
        return f"CIs for new questions hold for weights up to {most}, as declared."
    return (f"Where new questions may weigh more than {most}, the largest weight seen, declare it "
            "with largest_weight; without it their CIs are approximate.")


def explain_weights(
    weighted: Weighted | None,  # None where all questions weigh the same
) -> str:  # One sentence fit for a paper; empty without weights
    "How means were weighted, and on what their CIs rest."
    if weighted is None: return ""
    known = "as declared" if weighted.largest_weight_declared else "the largest seen (approximate)"
    return (f"Means over questions are {describe_weights(weighted)}; CIs for new questions invert "
            "the test of E[w(x - mean)] = 0 with weights up to "
            f"{weighted.largest_weight:g}, {known}.")
