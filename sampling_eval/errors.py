"""Errors about options: what is wrong as data, and a sentence that Python or the command spells."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copyreg import __newobj__  # type: ignore[attr-defined]
from typing import Any

from .spelling import PYTHON, Call, Spelling, list_choices, name_option, plain, spell, try_calls

__all__ = ["OptionFault", "OptionError", "OptionTypeError", "retell"]


class OptionFault(Exception):
    """What is wrong with an option: the rule, what was got, what there is, and what to type.

    `str` of it is one sentence as Python spells it; the command spells it by `say`.
    """

    def __init__(self,
        option: str,  # As Python spells it; of several, the one to change
        rule: str = "",  # What was broken, as a clause of its own
        got: object = ...,  # What was given
        choices: Sequence[object] = (),  # All that there is
        hint: str = "",  # What to type instead
        *,
        must: str = "",  # What was broken, after the name of the option and `must`
        found: str = "",  # What was got, in words
        where: str = "",  # Where, and how many, such as ` at question 1 (1 of 2 fail)`
        ways: Sequence[Mapping[str, object]] = (),  # Options to add, each by itself a way out
    ) -> None:
        rule = rule or f"{name_option(option)} must {must or f'be {list_choices(choices)}'}"
        found = found or ("" if got is ... else f"{plain(got)!r:.60}")
        said = f"{rule}, got {found}" if found else rule
        self.option, self.rule, self.got, self.choices = option, spell(rule), got, tuple(choices)
        self.hint, self.ways = spell(hint), tuple(ways)
        self.sentence = f"{said}{where}" + (f"; {hint}" if hint else "")  # Its options are marked
        self.call: Call | None = None  # The outermost call of a verb, which the ways repeat
        super().__init__(spell(self.sentence))

    @property
    def marked(self) -> str:
        "The sentence, and the calls that would work; options are marked."
        if not self.ways: return self.sentence
        stop = "" if self.sentence.endswith("?") else "."
        return f"{self.sentence}{stop} {try_calls(self.ways, self.call)}"

    def say(self,
        spelling: Spelling = PYTHON,  # How options are spelled
    ) -> str:
        "What is wrong, and the calls that would work."
        return spell(self.marked, spelling)

    def __str__(self) -> str: return self.say()

    # Made from its sentence, as any error, and not from what the sentence was made of.
    def __reduce__(self) -> tuple[Any, ...]: return __newobj__, (type(self), *self.args), vars(self)


class OptionError(OptionFault, ValueError):
    "A value that an option does not take, or data for which it has to be given."


class OptionTypeError(OptionFault, TypeError):
    "A value of a kind that an option does not take."


def retell(
    error: Exception,  # Any error
    change: Callable[[str], str],  # From its sentence, in which options are marked
) -> None:
    "Say more with an error, such as where it was found."
    if isinstance(error, OptionFault): error.sentence = change(error.sentence)
    else: error.args = (change(str(error)),)
