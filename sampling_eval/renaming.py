"""Old names of parameters: they work for one version more, and say the new spelling."""
from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["renamed", "name_parameters"]

P = ParamSpec("P")
R = TypeVar("R")


def renamed(
    **new_names: str,  # Old name of a parameter to its new one
) -> Callable[[Callable[P, R]], Callable[P, R]]:  # Decorator
    "A decorator under which old names of parameters are still understood."
    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def run(*args: P.args, **given: P.kwargs) -> R:
            for old in new_names.keys() & given.keys():
                new = new_names[old]
                if new in given:
                    raise TypeError(f"{function.__name__}: {old}= is the old name of {new}=, "
                                    "got both")
                warnings.warn(f"{function.__name__}: {old}= is now called {new}=",
                              DeprecationWarning, stacklevel=2)
                given[new] = given.pop(old)
            return function(*args, **given)
        return run
    return decorate


def name_parameters(verb: Callable[..., object]) -> tuple[str, ...]:
    "The names of the parameters of a verb, for the near match of a misspelt one."
    code = getattr(verb, "__wrapped__", verb).__code__  # type: ignore[attr-defined]
    return code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
