"""The kinds of what verbs are told, checked by name before anything is computed."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from os import PathLike

import numpy as np

__all__ = ["check_kinds", "check_choice", "refuse_twice", "is_endless", "ENDLESS"]

# Python refuses to print or to read whole numbers of more digits.
ENDLESS = ("a whole number may have at most 4,300 digits, got a longer one; write it as text, in "
           "quotes")
# What a verb is told where something else is meant, and what to type.
MEANT = {
    ("plan", "delta"): "a run is pilot=, as in plan(pilot=run, delta=.02)",
    ("compare", "metrics"): "further systems are others=, as in compare(a, b, others=[c])",
    ("score", "metrics"): "counts are one argument, as in score(Counts(n, c))",
}
NUMBER = (int, float, np.number), "a number"
NAMES = (str, list, tuple, Mapping), "a name or a list of names"
TEXT = (str,), "text"
KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    **dict.fromkeys(("delta", "correlation", "cost_question", "cost_sample", "max_drop"), NUMBER),
    **dict.fromkeys(("metrics", "models", "sums"), NAMES),
    "minimum": ((Mapping,), "a mapping such as {'pass@1': 0.9}"),
    "path": ((str, PathLike), "a path"),
    "target": TEXT, "test": TEXT, "method": TEXT,
    "others": ((list, tuple), "a list of further systems"),
}


def check_kinds(
    given: Mapping[str, object],  # What a verb was told, by name; None is the same as not told
    verb: str = "",  # Its name
) -> None:
    """Refuse what is of no kind that the verb knows.

    Raises: `TypeError` naming the parameter.
    """
    for name in KINDS.keys() & given.keys():
        value, (kinds, said) = given[name], KINDS[name]
        single = isinstance(value, np.ndarray) and value.ndim == 0
        if value is None or single or isinstance(value, kinds): continue
        meant = MEANT.get((verb, name))
        got = f"{name} must be {said}, got {shorten(value)}"
        raise TypeError(f"{got}; {meant}" if meant else got)


def shorten(value: object) -> str:
    "A value as it is told: of a table its size, of any other the beginning."
    shape = getattr(value, "shape", None)
    table = isinstance(shape, tuple) and len(shape) > 1
    if table: return f"{type(value).__name__} of shape {shape}"
    return repr(value)[:60]


def refuse_twice(
    verb: str,  # Name of a verb
    both: Collection[str],  # Parameters that were told by position and by name
) -> None:
    "Refuse what Python would refuse, with what to type."
    for name in both:
        meant = MEANT.get((verb, name), "tell it once")
        raise TypeError(f"{verb}: got {name} twice, by position and as {name}=; {meant}")


def is_endless(error: Exception) -> bool:
    "Whether Python refused a whole number of very many digits."
    return isinstance(error, ValueError) and "for integer string conversion" in str(error)


def check_choice(
    name: str,  # What the caller calls the value
    value: object,  # What was given
    known: tuple,  # What there is
) -> None:
    "Refuse a value that is none of the known ones."
    if isinstance(value, (str, type(None))) and value in known: return
    *first, last = map(repr, known)
    raise ValueError(f"{name} must be {', '.join(first)} or {last}, got {value!r:.60}")
