"""A single question: by its name, and as it is typed."""
from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from ...patterns import match_paths
from ...reading.files import is_remote, is_table
from ...render.text import cut_text, printable

NAME = 60  # Columns of a name in an error
COMPARED, LENGTH = 5000, 100  # Names, and characters of each, that are compared for a near match
MATCHES_NAMED = 3  # Near matches that are named


def split_words(
    words: Sequence[str],  # One or two files, and the name of a question or none
    about: str | None = None,  # The name, where it was given by itself
) -> tuple[list[str], str | None]:  # The files, and the name
    """Files and a question, told apart by what is there.

    Raises: `ValueError` where there are too many words, or one names no file.
    """
    files, name = list(words), about
    named = name is None and len(words) > 1 and (len(words) > 2 or not is_input(words[-1]))
    if named: name = files.pop()
    if len(files) > 2:
        raise ValueError(f"explain takes one or two files and a question, got {len(words)} words; "
                         "put quotes around a name with spaces, and around a pattern of files")
    if len(files) == 2 and not is_input(files[1]):
        raise ValueError(f"no file to read at {quote_name(files[1])}; put quotes around the name "
                         "of a question that has spaces")
    return files, name


def join_words(
    files: Sequence[str],  # One or two files
    name: str,  # Name of a question
) -> list[str]:  # Words that `split_words` takes apart again
    "Files and a question as they are typed."
    could_be_else = name.startswith("-") or is_input(name)
    return [*files, f"--about={name}" if could_be_else else name]


def is_input(word: str) -> bool:
    "Whether a word names data: a file, a folder, a pattern that fits some, an address."
    if is_remote(word) or is_table(word): return True
    return os.path.lexists(word) or bool(match_paths(word))


def find_question(
    names: Sequence[Any],  # Names of the questions, as they were read
    wanted: Any,  # The name, or what a shell makes of it
) -> int:  # Its position
    """The position of a question: of that very name, or of the one that reads like it.

    Raises: `ValueError` with near matches where there is none, or where several read like it.
    """
    same = [i for i, name in enumerate(names) if type(name) is type(wanted) and name == wanted]
    if same: return same[0]
    texts, text = list(map(str, names)), str(wanted)
    found = [i for i, name in enumerate(texts) if name == text]
    if not found: found = printed_as(texts, text)
    if len(found) == 1: return found[0]
    if found: raise ValueError(f"{len(found)} questions read like {quote_name(text)}; pass the "
                               "name itself, a number as a number")
    raise ValueError(unknown_question(texts, text))


def unknown_question(texts: Sequence[str], text: str) -> str:
    "The refusal of a name that no question has, with those near to it."
    near = near_matches(texts, text)
    hint = f"; did you mean {' or '.join(near)}?"
    if not near: hint = f"; they are named like {', '.join(map(quote_name, texts[:MATCHES_NAMED]))}"
    return f"there is no question {quote_name(text)} among the {len(texts)}{hint}"


def printed_as(texts: Sequence[str], wanted: str) -> list[int]:
    "Names that are printed as what is wanted: without control characters, or cut at the mark …."
    shown, (start, cut, _) = printable(wanted), printable(wanted).partition("…")
    one_line = [printable(" ".join(name[:1000].split())) for name in texts]
    found = [i for i, name in enumerate(texts) if shown in (printable(name), one_line[i])]
    if found or not cut or not start: return found
    return [i for i, name in enumerate(one_line) if name.startswith(start)]


def near_matches(texts: Sequence[str], wanted: str) -> list[str]:
    "Names that hold what is wanted, or are close to it."
    low = wanted.lower()[:LENGTH]
    holding = [name for name in texts if low and low in name.lower()]
    short = {name[:LENGTH]: name for name in texts[:COMPARED]}
    close = [short[o] for o in get_close_matches(wanted[:LENGTH], short, MATCHES_NAMED, .6)]
    near = dict.fromkeys([*sorted(holding, key=len)[:MATCHES_NAMED], *close])
    return [quote_name(name) for name in list(near)[:MATCHES_NAMED]]


def quote_name(name: str) -> str: return repr(cut_text(name, NAME))
