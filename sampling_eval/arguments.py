"""Arguments of verbs: data read twice, kinds that are checked, calls that errors know."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from inspect import unwrap
from os import PathLike
from typing import Any, ParamSpec, TypeVar

import numpy as np

from .errors import OptionError, OptionFault, OptionTypeError
from .spelling import Call

__all__ = ["checked", "hold", "name_parameters", "check_kinds", "check_choice", "is_endless",
           "ENDLESS"]

P = ParamSpec("P")
R = TypeVar("R")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    "A verb whose data can be read twice, whose kinds are checked, and whose errors know the call."
    verb, code = function.__name__, function.__code__  # type: ignore[attr-defined]
    places = code.co_varnames[:code.co_argcount]

    @wraps(function)
    def run(*args: P.args, **given: P.kwargs) -> R:
        # A verb reads its data more than once.
        held: Any = tuple(map(hold, args))
        placed = dict(zip(places, held))
        for name in placed.keys() & given.keys():
            meant = MEANT.get((verb, name), "give it once")
            raise TypeError(f"{verb}: got {name} twice, by position and as {name}=; {meant}")
        try:
            check_kinds(placed | given, verb)
            return function(*held, **given)
        except OptionFault as error:
            error.call = Call(verb, placed, given)  # Of calls inside each other the outer one
            raise
        except ValueError as error:
            if is_endless(error): raise ValueError(ENDLESS) from None
            raise
    return run


def hold(
    data: Any,  # Any argument
) -> Any:  # The same, and a list of what can be gone through once
    "Data that can be read twice: a generator is gone through here, a file is left."
    return list(data) if isinstance(data, Iterator) and not hasattr(data, "read") else data


def name_parameters(verb: Callable[..., object]) -> tuple[str, ...]:
    "The names of the parameters of a verb, for the near match of a misspelt one."
    code = unwrap(verb).__code__
    return code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]


# Kinds.

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
    "addons": ((Mapping,), "a mapping of names of add-ons to what they take"),
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
        raise OptionTypeError(name, must=f"be {said}", found=shorten(value),
                              hint=MEANT.get((verb, name), ""))


def shorten(value: object) -> str:
    "A value as it is told: of a table its size, of any other the beginning."
    shape = getattr(value, "shape", None)
    table = isinstance(shape, tuple) and len(shape) > 1
    if table: return f"{type(value).__name__} of shape {shape}"
    return repr(value)[:60]


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
    raise OptionError(name, choices=known, got=value)
