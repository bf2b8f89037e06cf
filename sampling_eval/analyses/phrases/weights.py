"""Weights of questions in words: by what they are weighted, and on what their CIs rest."""
from __future__ import annotations

from ...results.rows import Weighted
from ...spelling import name_option

__all__ = ["weighting_clause", "max_weight_sentence", "weight_range_sentence", "explain_weights"]


def weighting_clause(weighted: Weighted | None) -> str:
    "By what questions are weighted, and how many of equal weight that is worth; or nothing."
    if weighted is None: return ""
    return (f"weighted by {weighted.weighted_by} (worth {weighted.effective_questions:.1f} "
            "questions of equal weight)")


def max_weight_sentence(weighted: Weighted | None) -> str:
    "Up to which weight the CIs for new questions hold; empty without weights."
    if weighted is None: return ""
    return weight_range_sentence(weighted.largest_weight, weighted.largest_weight_declared)


def weight_range_sentence(
    largest: float,  # Largest weight that a question may have
    declared: bool,  # Whether it was declared; else it is the largest seen
) -> str:  # One sentence
    "Up to which weight the CIs for new questions hold."
    if declared:
        return f"CIs for new questions hold for weights up to {largest:g}, as declared."
    return (f"Where new questions may weigh more than {largest:g}, the largest weight seen, "
            f"declare it with {name_option('largest_weight')}; without it their CIs are "
            "approximate.")


def explain_weights(weighted: Weighted | None) -> str:
    "How means were weighted, and on what their CIs rest; empty without weights."
    if weighted is None: return ""
    known = "as declared" if weighted.largest_weight_declared else "the largest seen (approximate)"
    return (f"Means over questions are {weighting_clause(weighted)}; CIs for new questions invert "
            "the test of E[w(x - mean)] = 0 with weights up to "
            f"{weighted.largest_weight:g}, {known}.")
