"""Options in sentences: marked where a sentence is made, spelled where it is shown.

A sentence that names an option holds a mark, `option("missing", "wrong", "drop")`. Python shows
`missing='wrong' or 'drop'` and the command `--missing wrong or drop`: each spells the marks of a
text where it leaves the package, by `spell`.
"""
from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from os import PathLike, fspath
from os.path import basename, normpath, splitext
from shlex import join, quote
from typing import Any, NamedTuple, Self, TypeAlias, Union

__all__ = ["option", "name_option", "name_verb", "list_choices", "join_or", "spell", "Sentence",
           "marked", "Call", "PYTHON", "PythonSpelling", "CommandSpelling", "Spelling",
           "try_calls", "spell_command", "dashed", "plain"]


# Marks, between two characters that no other text has: `repr` and `printable` escape them.

BEGIN, END = "\x0e", "\x0f"
MARK = re.compile(f"{BEGIN}([^{BEGIN}{END}]*){END}")
# A set in a mark: what Python shows of a value, which cannot be typed in a shell.
OPEN = {"..."}  # Unless the reader knows it


def option(
    name: str,  # As Python spells it
    *values: object,  # What to give it; `...` where the reader knows
) -> str:  # Mark of `missing='wrong' or 'drop'`
    "An option and its values, to stand in a sentence."
    return f"{BEGIN}{name}={hold(values)}{END}"


def name_option(
    name: str,  # As Python spells it
) -> str:  # Mark of `missing`
    "The name of an option, to stand in a sentence."
    return f"{BEGIN}{name}{END}"


def name_verb(
    verb: str,  # As Python spells it
) -> str:  # Mark of `sampling_eval.count`
    "The name of a verb, to stand in a sentence."
    return f"{BEGIN}{verb}(){END}"


def list_choices(
    known: Sequence[object],  # What an option takes
) -> str:  # Mark of `'raise', 'wrong' or 'drop'`
    "Values of an option, to stand in a sentence."
    return f"{BEGIN}={hold(known)}{END}"


def hold(values: Sequence[object]) -> str:
    "Values as a mark holds them: as `literal_eval` reads them."
    return repr([hold_value(value) for value in values])


def hold_value(value: Any) -> object:
    if value is ...: return OPEN
    if isinstance(value, PathLike): return fspath(value)
    known = plain(value)
    if is_literal(known): return known
    return {value.__name__ if callable(value) else f"{known!r:.60}"}


def is_literal(value: object) -> bool:
    "Whether `literal_eval` reads a value as it is written."
    if isinstance(value, (tuple, list)): return all(map(is_literal, value))
    if isinstance(value, dict): return all(map(is_literal, [*value, *value.values()]))
    if isinstance(value, float): return isfinite(value)
    return value is None or type(value) in (bool, int, str)


def try_calls(
    ways: Sequence[Mapping[str, object]],  # Options to add to what was typed, each by itself a way
    call: Call | None,  # What was called
) -> str:  # Mark of `Try: sampling_eval.score('a.csv', question='task')`
    "Whole calls that would work, as a sentence without a full stop."
    verb, places, given = call or Call("score", dict(data=...), {})
    parts = verb, *({name: hold_place(name, value) for name, value in part.items()}
                    for part in (places, given))
    held = [{name: hold_value(value) for name, value in way.items()} for way in ways]
    return f"{BEGIN}?{(*parts, held)!r}{END}"


def hold_place(name: str, value: Any) -> object:
    "An argument as it was typed, or its name where that would be long."
    if isinstance(value, (list, tuple)):
        whole = bool(value) and all(map(is_typed, value))
        return list(map(hold_value, value)) if whole else {name}
    return hold_value(value) if value is None or is_typed(value) else {name}


def is_typed(value: object) -> bool:
    "Whether a value is short enough to stand in a call as it was typed."
    if isinstance(value, (str, PathLike)): return len(str(value)) < 200
    return isinstance(value, (bool, int, float))


def spell(
    said: str,  # A sentence, in which options are marked
    spelling: Spelling | None = None,  # How they are spelled; as in Python if None
) -> str:  # The sentence
    "A sentence whose options are spelled."
    text, how = getattr(said, "marked", said), spelling or PYTHON
    if BEGIN not in text: return text
    return MARK.sub(lambda found: spell_mark(found[1], how), text)


class Sentence(str):
    "A sentence as Python spells it, in a field of a result; it keeps its marks for the command."
    marked: str

    def __new__(cls,
        marked: str,  # Its options are marked
    ) -> Self:
        self = super().__new__(cls, spell(marked))
        self.marked = marked
        return self


def marked(
    said: Exception | str,  # An error, or a field of a result
) -> str:  # To stand in another sentence
    "What was said, its options marked where it keeps the marks."
    return getattr(said, "marked", str(said))


def spell_mark(mark: str, spelling: Spelling) -> str:
    "What stands in a sentence in place of a mark."
    if mark.startswith("?"):
        *parts, ways = literal_eval(mark[1:])
        return "Try: " + ", or: ".join(spelling.call(Call(*parts), way) for way in ways)
    name, valued, values = mark.partition("=")
    if not valued: return spelling.verb(name[:-2]) if name.endswith("()") else spelling.name(name)
    held = literal_eval(values)
    return spelling.option(name, held) if name else spelling.choices(held)


# Spellings.

class Call(NamedTuple):
    "A call of a verb, which its errors repeat with what was missing."
    verb: str
    places: Mapping[str, object]  # What stands by position
    given: Mapping[str, object]  # What was given by name


class PythonSpelling:
    "Options as arguments of a function."

    def name(self, name: str) -> str: return name
    def verb(self, verb: str) -> str: return f"sampling_eval.{verb}"

    def value(self, value: object) -> str:
        return str(*value) if isinstance(value, set) else repr(value)

    def option(self, name: str, values: Sequence[object]) -> str:
        return f"{name}={join_or([self.value(value) for value in values])}"

    def choices(self, known: Sequence[object]) -> str:
        return join_or([self.value(value) for value in known])

    def call(self, call: Call, settings: Mapping[str, object]) -> str:
        words = [self.value(value) for value in call.places.values()]
        named = {**call.given, **settings}
        words += [f"{name}={self.value(value)}" for name, value in named.items()
                  if value is not None]
        return f"{self.verb(call.verb)}({', '.join(words)})"


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
                        if value is not True and not (isinstance(value, set) and value != OPEN)])
        return f"{self.name(name)} {said}".rstrip()

    def value(self, value: object) -> str:
        "A value as the parser of the command reads it."
        if value == OPEN: return "..."
        if value is False: return "none"
        if isinstance(value, (tuple, list)): return " ".join(map(self.value, value))
        if isinstance(value, Mapping):
            return " ".join(f"{quote(str(name))}={one:g}" for name, one in value.items())
        return quote(str(plain(value)))

    def choices(self, known: Sequence[object]) -> str:
        return join_or([self.value(value) for value in known if value is not None])

    def call(self, call: Call, settings: Mapping[str, object]) -> str:
        # `merge` takes files as they are: what has to be said of one is said to `counts`.
        if not settings.keys() <= set(self.names): return self.call_other(call, settings)
        kept = drop_options(self.words, settings)
        return " ".join(["sampling-eval", *map(quote, kept), *self.list_words(settings)])

    def call_other(self, call: Call, settings: Mapping[str, object]) -> str:
        "A command that has the options which this one lacks, on the file that is read."
        first = next(iter(call.places.values()), "FILE")
        data = "FILE" if isinstance(first, set) else str(first)
        verb, more = "score", []
        if "target" not in settings:
            stem, _ = splitext(basename(normpath(data)))
            verb, more = "counts", ["--output", quote(f"{stem}_counts.parquet")]
        return " ".join([f"sampling-eval {verb}", quote(data), *self.list_words(settings), *more])

    def list_words(self, settings: Mapping[str, object]) -> list[str]:
        return [word for name, value in settings.items() if value is not None
                for word in (f"--{dashed(name)}", self.value(value))]


def drop_options(words: Sequence[str], names: Collection[str]) -> list[str]:
    "What was typed, without some options and their values."
    flags, kept, at = {f"--{dashed(name)}" for name in names}, [], 0
    while at < len(words):
        flag, told, _ = words[at].partition("=")
        if flag not in flags: kept.append(words[at])
        elif not told: at += 1
        at += 1
    return kept


Spelling: TypeAlias = Union[PythonSpelling, CommandSpelling]
PYTHON = PythonSpelling()


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
