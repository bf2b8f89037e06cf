"""What is said of several metrics, of which the first decides."""
from __future__ import annotations

__all__ = ["say_rules"]


def say_rules(
    primary: str,  # Rule that was named first
    others: int,  # How many there are besides
) -> str:  # Two sentences, empty for one rule
    "How several rules of a gate are judged."
    if others < 1: return ""
    rest = "and so does the other one" if others == 1 else (
        f"and the other {others} at the levels of Holm's correction for {others}, so that more "
        "rules bring no more false failures")
    return ("Several rules: the gate passes if all of them pass, each at the full level. To be "
            f"called failed, '{primary}', named first, needs its interval below the limit at the "
            f"full level, {rest}.")
