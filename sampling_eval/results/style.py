"""How error bars are asked for: level, interval, test, target and seed."""
from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np

from ..errors import OptionError, OptionTypeError, option
from ..inference.estimate import TARGETS, mean_over_questions
from ..inference.gaffke import check_level
from ..inference.within import Noise
from ..parameters import Target, Targets
from ..renaming import check_choice

__all__ = ["Rng", "Style", "check_range", "check_rng", "check_style", "main_target"]

# The name is a text: NumPy loads its generators when they are first looked at.
Rng = Union[int, "np.random.Generator", None]


class Style(NamedTuple):
    "Level, interval, test, target and seed of error bars."
    confidence_level: float = .95  # Level of the intervals
    interval: str | None = None  # Interval method of the target; None is the package default
    test: str | None = None  # Test as in `Comparison.test`; None is the default of the target
    target: Target = "new_questions"  # Target of the test, and of a named interval method
    rng: Rng = None  # Seed of methods that draw; None is seed 0
    bounds: tuple[float, float] | None = None  # Range of differences that was stated

    @property
    def may_refuse(self) -> bool:
        "Whether a method was named, which may not apply."
        return self.interval is not None or self.test is not None

    def name_interval(self,
        target: str,  # `new_questions` or `same_questions`
    ) -> str | None:  # Interval method; None is the package default
        "The interval method for a target: a named one is meant for the named target."
        return self.interval if target == self.target else None

    @property
    def draws_in_order(self) -> bool:
        "Whether the order of computing matters: a generator gives each caller other numbers."
        # The order spares the others the loading of NumPy's generators.
        return not isinstance(self.rng, (int, type(None))) and hasattr(self.rng, "random")


def check_style(
    style: Style,  # What was chosen
    targets: tuple[str, ...] = TARGETS,  # Targets the verb knows
    word: str = "interval",  # What the verb calls the interval method
) -> Style:  # The same, with a level that is a float
    """A style whose words are known, and whose method exists for its target.

    Raises: `TypeError` for kinds, `ValueError` for values, before any data are read.
    """
    check_kinds(style, word)
    check_choice("target", style.target, targets)
    level = float(style.confidence_level)
    check_level(level)
    if style.interval is not None: try_method(style, level, word)
    if style.test is not None: check_test(style.test)
    return style._replace(confidence_level=level)


def check_range(
    bounds: Any,  # Least and largest difference of a question that is held possible, or None
    target: str | None = "new_questions",  # Target of the verdict
) -> tuple[float, float] | None:  # The same as numbers
    """A range of differences that was stated.

    Raises: `TypeError` or `ValueError` unless it is two numbers around 0, for new questions.
    """
    if bounds is None: return None
    pair = bounds if isinstance(bounds, (tuple, list)) else ()
    known = [isinstance(end, (int, float, np.number)) and not isinstance(end, bool) for end in pair]
    if len(known) != 2 or not all(known):
        example = option("bounds", (-.5, .5))
        raise OptionTypeError("bounds", must="be the least and the largest difference of a "
                                             f"question, as in {example}", got=bounds)
    low, high = map(float, pair)
    if not -np.inf < low < 0 < high < np.inf:
        raise OptionError("bounds", "bounds of differences must hold 0 inside",
                          found=f"({low:g}, {high:g})")
    if target == "same_questions":
        raise OptionError("bounds", f"{option('bounds')} is for new questions, "
                                    f"{option('target', 'new_questions')}",
                          hint="the interval of the same questions does not use it")
    return low, high


def main_target(target: Targets) -> Target:
    "The target of the first interval, where both may be asked for."
    return "new_questions" if target == "both" else target


def check_test(test: str) -> None:
    "Refuse a test that is unknown."
    # Most results name none, and load no tests.
    from ..inference.comparison import TESTS
    check_choice("test", test, tuple(TESTS))


def check_kinds(style: Style, word: str = "interval") -> None:
    "Refuse values of the wrong kind."
    level, interval = style.confidence_level, style.interval
    numeric = isinstance(level, (int, float, np.number, np.ndarray))
    if isinstance(level, (bool, np.bool_)) or np.ndim(level) or not numeric:
        raise OptionTypeError("confidence_level", must="be a number", got=level)
    if not isinstance(interval, (str, type(None))):
        raise OptionTypeError(word, must="be the name of a method", got=interval)
    check_rng(style.rng)


def try_method(style: Style, level: float, word: str = "interval") -> None:
    "Refuse a method that is unknown, or that never fits the target, on an example."
    noise = Noise(np.ones(2) / 8, np.ones(2) / 2)
    example = mean_over_questions([0, 1], target=main_target(style.target), within=noise)
    try: example.confidence_interval(level, style.interval)
    except OptionError as error:
        # What `score` calls interval is the method of an estimate.
        if not error.choices: raise
        raise OptionError(word, choices=error.choices, got=error.got) from None


def check_rng(
    rng: Rng,  # Seed or generator of whatever draws
) -> None:
    """Refuse what starts no generator.

    Raises: `TypeError` for it.
    """
    seed = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0
    if not (rng is None or seed or isinstance(rng, np.random.Generator)):
        raise OptionTypeError("rng", must="be None, a whole number of at least 0 or a Generator",
                              got=rng)
