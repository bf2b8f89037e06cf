"""Prompts and answers below the questions of a page, as far as their files hold them."""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from ...render.blocks import (
    Block, Document, Excerpt, Fold, Passage, Question, Questions, Samples, Text)

__all__ = ["TOTAL", "add_texts"]

TOTAL = 3_000_000  # Characters of prompts and answers on a page


class Source(Protocol):
    "Where samples stand."
    def read(self, questions: Sequence[str]) -> list[Any]: ...


def add_texts(
    document: Document,  # What a page says
    source: Source,  # Where its samples stand
    folder: str | Path | None = None,  # Folder of the page, for links; None: no links
    most: int = TOTAL,  # Characters in all
) -> list[Block]:  # The same with what samples say
    "A page whose questions open to prompts and answers."
    blocks = [open_fold(block) for block in document]
    names = list(dict.fromkeys(shown_questions(blocks)))
    texts = group_samples(source.read(names), folder) if names else {}
    return fill_blocks(blocks, Filling(texts, most)) if texts else blocks


def open_fold(block: Block) -> Block:
    "A fold with its blocks made."
    if not isinstance(block, Fold): return block
    return Fold(block.summary, [open_fold(one) for one in block.blocks])


def shown_questions(blocks: Document) -> Iterator[str]:
    "The questions that a page shows, in its order."
    for block in blocks:
        if isinstance(block, Fold): yield from shown_questions(block.blocks)
        if isinstance(block, Questions): yield from (row.name for row in block.rows)
        if isinstance(block, Samples): yield block.question


# Samples by question.

def group_samples(found: Sequence[Any], folder: str | Path | None) -> dict[str, Samples]:
    "The samples of each question, its prompt said once where all were asked the same."
    groups: dict[str, list[Any]] = {}
    for one in found: groups.setdefault(one.said.question, []).append(one)
    shown = shorten_paths(sorted({one.said.path for one in found}))
    return {name: make_samples(name, own, shown, folder) for name, own in groups.items()}


def make_samples(
    name: str, own: Sequence[Any], shown: Mapping[str, str], folder: str | Path | None,
) -> Samples:
    asked = list(dict.fromkeys(one.said.prompt for one in own))
    passages = tuple(Passage(
        *outcome_in_words(one.outcome), one.model, excerpt(one.said.answer),
        excerpt(one.said.prompt) if len(asked) > 1 else None,
        f"{shown[one.said.path]}, {place_in_words(one.said)}",
        link_place(one.said.path, one.said.line, folder)) for one in own)
    return Samples(name, excerpt(asked[0]) if len(asked) == 1 else None, passages)


def outcome_in_words(outcome: Any) -> tuple[str, bool | None]:
    "An outcome in words, and whether it is right where that is known."
    if outcome is None: return "no outcome", None
    if outcome not in (0, 1): return f"score {outcome:.4g}", None
    return ("✓ right", True) if outcome else ("✗ wrong", False)


def excerpt(cut: Any) -> Excerpt | None:
    return None if cut is None else Excerpt(cut.start, cut.end, cut.left_out)


def shorten_paths(paths: Sequence[str]) -> dict[str, str]:
    "Each file by its name; with its folder where two files have one name."
    names = Counter(os.path.basename(path) for path in paths)
    return {path: os.path.basename(path) if names[os.path.basename(path)] == 1
            else "/".join(Path(path).parts[-2:]) for path in paths}


def place_in_words(said: Any) -> str: return f"line {said.line}" if said.line else str(said.names)


def link_place(path: str, line: int | None, folder: str | Path | None) -> str:
    "The address of a line as seen from a page; editors and code hosts open it at the line."
    if folder is None: return ""
    try: way = os.path.relpath(path, folder)
    except ValueError: return ""  # On another drive
    return quote(Path(way).as_posix()) + (f"#L{line}" if line else "")


# Blocks with their samples.

class Filling:
    "Samples that are put in their places until the page is full."

    def __init__(self, texts: Mapping[str, Samples], room: int) -> None:
        self.texts, self.room = texts, room
        self.given = self.refused = 0  # Questions with samples, and those without room

    def take(self, name: str, total: int | None, opened: bool = False) -> Samples | None:
        "The samples of a question; None where it has none, or the page has no room."
        samples = self.texts.get(name)
        if samples is None: return None
        if samples.size > self.room:
            self.refused += 1
            return None
        self.room -= samples.size
        self.given += 1
        return replace(samples, total=total, opened=opened)


def fill_blocks(blocks: Document, filling: Filling) -> list[Block]:
    filled: list[Block] = []
    for block in blocks:
        if isinstance(block, Fold):
            filled.append(Fold(block.summary, fill_blocks(block.blocks, filling)))
        elif isinstance(block, Questions): filled += fill_questions(block, filling)
        elif isinstance(block, Samples):
            filled.append(filling.take(block.question, block.total, True) or block)
        else: filled.append(block)
    return filled


def fill_questions(block: Questions, filling: Filling) -> list[Block]:
    "The questions with their samples, below what was left out."
    rows = [fill_row(row, filling) for row in block.rows]
    if not filling.given: return [block]
    return [Text(texts_sentence(filling), "note"), replace(block, rows=rows)]


def fill_row(row: Question, filling: Filling) -> Question:
    total = sum(n for _, n in filter(None, row.tries))
    return replace(row, samples=filling.take(row.name, total))


def texts_sentence(filling: Filling) -> str:
    "What stands below the questions, and what of it was cut."
    said = ("Below a question: its prompt, and the first right and wrong answers of each model, "
            "long texts cut.")
    if not filling.refused: return said
    whole = filling.given + filling.refused
    return (f"{said} Texts of the first {filling.given:,} of {whole:,} questions: a page holds "
            f"{TOTAL:,} characters of them.")
