"""Errors about options, and options in sentences: as Python or the command spells them.

A sentence that names an option asks `option` for its spelling: `missing='wrong' or 'drop'`, and
`--missing wrong or drop` while the command runs. So every text is right when it is made.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copyreg import __newobj__  # type: ignore[attr-defined]
from dataclasses import dataclass, field
from os import PathLike, fspath
from shlex import join, quote
from typing import Any


__all__ = ["OptionError", "OptionTypeError", "option", "name_option", "name_verb", "list_choices",
           "join_or", "CommandSpelling", "spelled_by", "spell_command", "dashed", "calling",
           "spell_ways"]


# Spellings.

class PythonSpelling:
    "Options as arguments of a function."

    def name(self, name: str) -> str: return name
    def verb(self, verb: str) -> str: return f"sampling_eval.{verb}"

    def value(self, value: object) -> str:
        if value is ...: return "..."
        return getattr(value, "__name__", "...") if callable(value) else repr(plain(value))

    def option(self, name: str, values: Sequence[object]) -> str:
        return f"{name}={join_or([self.value(value) for value in values])}"

    def choices(self, known: Sequence[object]) -> str:
        return join_or([self.value(value) for value in known])

    def call(self, settings: Mapping[str, object]) -> str:
        verb, places, given = CALL.get() or ("score", dict(data=...), {})
        words = [self.place(name, value) for name, value in places.items()]
        chosen = {**given, **settings}
        words += [f"{name}={self.place(name, value)}" for name, value in chosen.items()
                  if value is not None]
        return f"{self.verb(verb)}({', '.join(words)})"

    def place(self, name: str, value: object) -> str:
        "An argument as it was typed, or its name where that would be long."
        if isinstance(value, (list, tuple)) and value and all(map(is_typed, value)):
            return repr(type(value)(map(typed, value)))
        return repr(typed(value)) if is_typed(value) else name


@dataclass(frozen=True)
class CommandSpelling:
    "Options as they are typed in a shell."
    names: Collection[str] = ()  # Options of the command that runs, as Python spells them
    places: Mapping[str, str] = field(default_factory=dict)  # What stands by position instead
    others: Mapping[str, str] = field(default_factory=dict)  # Options of other commands: whose
    verbs: Mapping[str, str] = field(default_factory=dict)  # Commands that have another name
    lists: Collection[str] = ()  # Options whose values have commas between
    words: Sequence[str] = ()  # What was typed after the name of the program

    def name(self, name: str) -> str:
        if name in self.places: return self.places[name]
        if name in self.names: return f"--{dashed(name)}"
        if name in self.others: return f"sampling-eval {self.others[name]} --{dashed(name)}"
        return name

    def verb(self, verb: str) -> str: return f"sampling-eval {self.verbs.get(verb, verb)}"

    def option(self, name: str, values: Sequence[object]) -> str:
        known = name in self.names or name in self.others
        if not known and name not in self.places: return PYTHON.option(name, values)
        if list(values) == [None]: return f"no {self.name(name)}"
        if name in self.lists and any(isinstance(value, tuple) for value in values):
            return f"{self.name(name)}={self.value(values[0]).replace(' ', ',')}"
        said = join_or([self.value(value) for value in values
                        if value is not True and not callable(value)])
        return f"{self.name(name)} {said}".rstrip()

    def value(self, value: object) -> str:
        "A value as the parser of the command reads it."
        if value is ...: return "..."
        if value is False: return "none"
        if isinstance(value, (tuple, list)): return " ".join(map(self.value, value))
        if isinstance(value, Mapping):
            return " ".join(f"{quote(str(name))}={one:g}" for name, one in value.items())
        return quote(str(plain(value)))

    def choices(self, known: Sequence[object]) -> str:
        return join_or([self.value(value) for value in known if value is not None])

    def call(self, settings: Mapping[str, object]) -> str:
        # `merge` takes files as they are: what has to be said of one is said to `counts`.
        if not settings.keys() <= set(self.names): return self.call_other(settings)
        kept = drop_options(self.words, settings)
        return " ".join(["sampling-eval", *map(quote, kept), *self.list_words(settings)])

    def call_other(self, settings: Mapping[str, object]) -> str:
        "A command that has the options which this one lacks, on the file that is read."
        data = str(next(iter((CALL.get() or ("", {}, {}))[1].values()), "FILE"))
        verb, more = "score", []
        if "target" not in settings:
            from pathlib import Path  # Only a refusal needs it
            verb, more = "counts", ["--output", quote(f"{Path(data).stem}_counts.parquet")]
        return " ".join([f"sampling-eval {verb}", quote(data), *self.list_words(settings), *more])

    def list_words(self, settings: Mapping[str, object]) -> list[str]:
        return [word for name, value in settings.items() if value is not None
                for word in (f"--{dashed(name)}", self.value(value))]


def is_typed(value: object) -> bool:
    "Whether a value is short enough to stand in a call as it was typed."
    if isinstance(value, (str, PathLike)): return len(str(value)) < 200
    return isinstance(value, (bool, int, float))


def typed(value: Any) -> object: return fspath(value) if isinstance(value, PathLike) else value


def drop_options(words: Sequence[str], names: Collection[str]) -> list[str]:
    "What was typed, without some options and their values."
    flags, kept, at = {f"--{dashed(name)}" for name in names}, [], 0
    while at < len(words):
        flag, told, _ = words[at].partition("=")
        if flag not in flags: kept.append(words[at])
        elif not told: at += 1
        at += 1
    return kept


Call = tuple[str, Mapping[str, object], Mapping[str, object]]  # Verb, what stands by place, by name
CALL: ContextVar[Call | None] = ContextVar("call", default=None)
PYTHON = PythonSpelling()
SPELLING: ContextVar[PythonSpelling | CommandSpelling] = ContextVar("spelling", default=PYTHON)


@contextmanager
def spelled_by(
    spelling: PythonSpelling | CommandSpelling,  # How options are spelled
) -> Iterator[None]:
    "Spell options in one way while the body runs."
    token = SPELLING.set(spelling)
    try: yield
    finally: SPELLING.reset(token)


@contextmanager
def calling(
    verb: str,  # Name of a verb
    places: Mapping[str, object],  # What stands by position
    given: Mapping[str, object],  # What was given by name
) -> Iterator[None]:
    "The call that errors repeat with what was missing; of calls inside each other the outer one."
    token = CALL.set(CALL.get() or (verb, places, given))
    try: yield
    finally: CALL.reset(token)


def spell_ways(
    ways: Sequence[Mapping[str, object]],  # Options to add to what was typed, each by itself a way
) -> str:  # `Try: sampling_eval.score('a.csv', question='task')`
    "Whole calls that would work, as a sentence without a full stop."
    return "Try: " + ", or: ".join(map(SPELLING.get().call, ways))


def option(
    name: str,  # As Python spells it
    *values: object,  # What to give it; `...` where the reader knows
) -> str:  # `missing='wrong' or 'drop'`; `--missing wrong or drop`
    "An option and its values, to stand in a sentence."
    return SPELLING.get().option(name, values)


def name_option(
    name: str,  # As Python spells it
) -> str:  # `missing`; `--missing`
    "The name of an option, to stand in a sentence."
    return SPELLING.get().name(name)


def name_verb(
    verb: str,  # As Python spells it
) -> str:  # `sampling_eval.count`; `sampling-eval counts`
    "The name of a verb, to stand in a sentence."
    return SPELLING.get().verb(verb)


def list_choices(
    known: Sequence[object],  # What an option takes
) -> str:  # `'raise', 'wrong' or 'drop'`
    "Values of an option, to stand in a sentence."
    return SPELLING.get().choices(known)


def dashed(
    name: str,  # As Python spells it
) -> str:  # `max-drop`
    "The name of an option in a shell, without what it begins with."
    return name.replace("_", "-")


def join_or(
    parts: Sequence[str],  # Options, or values of one
) -> str:  # `a, b or c`
    "What one may choose from, to stand in a sentence."
    *first, last = parts or [""]
    return f"{', '.join(first)} or {last}" if first else last


def plain(value: Any) -> Any:
    "A scalar of NumPy as one of Python."
    return value.item() if hasattr(value, "item") and not getattr(value, "ndim", 0) else value


def spell_command(
    name: str,  # Sub-command
    files: Sequence[str],  # What stands by position
    options: Mapping[str, object],  # Values by name, as Python spells it
) -> str:  # What is typed in a shell
    "A command with its options."
    words = [word for option, values in options.items()
             for value in (values if isinstance(values, list) else [values])
             for word in (f"--{dashed(option)}", *spell_values(value))]
    return join(["sampling-eval", name, *files, *words])


def spell_values(value: object) -> list[str]:
    "The values of an option, of which most take one."
    return [f"{one:g}" for one in value] if isinstance(value, tuple) else [str(value)]


# Errors.

class OptionFault(Exception):
    """What is wrong with an option: the rule, what was got, what there is, and what to type.

    `str` of it is one sentence, with the option as Python or the command spells it.
    """

    ways: tuple[Mapping[str, object], ...]

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
        said = f"{said}{where}" + (f"; {hint}" if hint else "")
        super().__init__(said)
        self.option, self.rule, self.got, self.choices = option, rule, got, tuple(choices)
        self.hint, self.ways = hint, ()
        if ways: self.suggest(ways)

    def suggest(
        self,
        ways: Sequence[Mapping[str, object]],  # Options to add, each by itself a way out
    ) -> None:
        "Say what to type, where that is known later than what is wrong."
        self.ways = tuple(ways)
        said = str(self.args[0])
        self.args = (f"{said}{'' if said.endswith('?') else '.'} {spell_ways(ways)}",)

    def advise(
        self,
        hint: str,  # What to type instead
    ) -> None:
        "Say what to type, where no whole call is known."
        self.hint, self.args = hint, (f"{self.args[0]}; {hint}",)

    # Made from its sentence, as any error, and not from what the sentence was made of.
    def __reduce__(self) -> tuple[Any, ...]: return __newobj__, (type(self), *self.args), vars(self)


class OptionError(OptionFault, ValueError):
    "A value that an option does not take, or data for which it has to be given."


class OptionTypeError(OptionFault, TypeError):
    "A value of a kind that an option does not take."
