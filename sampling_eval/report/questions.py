"""The questions of a page: how often each is right, in which order, and what its samples say.

`list_questions` makes the table of a score, `list_sides` that of several systems; `add_texts` puts
prompts and answers below the questions of a page, as far as their files hold them.
"""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..records import dataclass
from ..results.columns import Absent
from ..results.score_report import Report
from .blocks import (Block, Document, Excerpt, Fold, Passage, Question, Questions, Samples, Text)
from .format import count

__all__ = ["MODELS", "TOTAL", "add_texts", "draw_tries", "find_kind", "has_questions",
           "list_questions", "list_sides", "open_questions"]

FLAKY = "A flaky question is right in some of its samples and wrong in others."
SHOWN = 1000  # Questions on a page
TOTAL = 3_000_000  # Characters of prompts and answers on a page
MODELS = 6  # Models with a picture and a column of their own
ORDER = dict(flaky="flaky ones, those closest to half right first", mixed="always right in one, "
             "never in another", never="never right", always="always right")


def list_questions(
    result: Report,  # Result of `score`
    fewest: int = 2,  # Samples that some question has
) -> list[Block]:  # Nothing where outcomes are not known, or no question has so many
    "The questions, flaky ones first."
    tries = read_tries(result.questions, fewest)
    if tries is None: return []
    main = result.whole_blocks()
    colours = {model: i for i, model in enumerate(dict.fromkeys(model for model, _ in main))}
    models = list(dict.fromkeys(model for model, _ in result.rank_blocks(main)))
    known = tries.order_models(models)
    shown = known[:MODELS]
    rows = make_questions(tries, shown)
    names = name_kinds(len(known) > 1, result.system)
    counts = count_kinds(rows)
    heads = [model or "right" for model in shown]
    outcomes = list(map(tries.pick_outcomes, shown))
    hues = [colours.get(model, i) for i, model in enumerate(shown)]
    table = Questions(heads, rows[:SHOWN], counts, names, outcomes, hues)
    return [Text(f"{FLAKY} {describe_kinds(counts, names)}", "note"), table,
            *cut_off(len(rows), SHOWN, "questions"), *cut_off(len(known), MODELS, result.systems)]


def list_sides(
    columns: Any,  # Columns of the questions: `n` and `c` of each side
    sides: Mapping[str, str],  # What a side is called in the columns, and on the page
) -> list[Block]:  # One fold; nothing where outcomes are not known
    "The questions of several systems, the largest loss first."
    if isinstance(columns, Absent) or any(f"c {key}" not in columns for key in sides): return []
    shown = list(sides)[:MODELS]
    names = columns["question"].tolist()
    pairs = [list(zip(columns[f"c {key}"].tolist(), columns[f"n {key}"].tolist()))
             for key in sides]
    rows = [Question(str(name), find_kind(own), own[:len(shown)])
            for name, *own in zip(names, *pairs)]
    rows.sort(key=lambda row: -row.loss)
    heads = [sides[key] for key in shown]
    table = draw_tries(rows[:SHOWN], heads if len(sides) > 1 else ["right"], rows)
    counts, named = table.counts, table.names
    first = "the largest loss" if len(shown) == 2 else "the least often right"
    said = f"{describe_counts(counts, named)} Order: {first} first."
    return [Fold("Every question", [Text(f"{FLAKY} {said}", "note"), table,
                                    *cut_off(len(rows), SHOWN, "questions"),
                                    *cut_off(len(sides), MODELS, "systems")])]


def open_questions(document: Sequence[Block], each: Sequence[Block]) -> list[Block]:
    "A document with its questions before all other folds."
    place = next((i for i, one in enumerate(document) if isinstance(one, Fold)), len(document))
    return [*document[:place], *each, *document[place:]]


def draw_tries(
    rows: Sequence[Question],  # Questions that are shown
    heads: Sequence[str],  # What the systems are called
    whole: Sequence[Question] = (),  # All questions; those that are shown if empty
) -> Questions:
    "Questions with their samples as dots, to be filtered and sorted."
    named = name_kinds(len(heads) > 1, "system")
    return Questions(heads, rows, count_kinds(whole or rows), named)


def find_kind(tries: Sequence[tuple[int, int]]) -> str:
    "Flaky where one system is; otherwise each is always or never right."
    if any(0 < c < n for c, n in tries): return "flaky"
    right = sum(c == n for c, n in tries)
    if right == 0: return "never"
    return "always" if right == len(tries) else "mixed"


def has_questions(result: Report) -> bool:
    "Whether there is a table of the questions: some question has several known outcomes."
    return read_tries(result.questions) is not None


@dataclass(frozen=True, eq=False)
class Tries:
    "How many samples of each question of each model are right: columns of one length."
    question: np.ndarray
    model: np.ndarray  # Empty texts where there is one model without a name
    c: np.ndarray  # Right samples
    n: np.ndarray  # Samples

    def order_models(self, models: Sequence[str]) -> list[str]:
        "The models that are there, in the order of the page or else of their names."
        found = set(self.model.tolist())
        return [model for model in models if model in found] or sorted(found)

    def pick_outcomes(self, model: str) -> tuple[np.ndarray, np.ndarray]:
        "Right samples and samples of one model."
        own = self.model == model
        return self.c[own], self.n[own]


def read_tries(columns: Any, fewest: int = 2) -> Tries | None:
    "The columns of a page; None where outcomes are not known, or no question has so many."
    if isinstance(columns, Absent) or "c" not in columns: return None
    c, n = np.asarray(columns["c"]), np.asarray(columns["n"])
    if not len(n) or n.max() < fewest or not n.min(): return None
    model = np.asarray(columns["model"]) if "model" in columns else np.full(len(n), "")
    return Tries(columns["question"], model, c, n)


def make_questions(tries: Tries, models: Sequence[str]) -> list[Question]:
    "The questions in their order, each with the samples of the models."
    found: dict[Any, dict[Any, tuple[int, int]]] = {}
    pairs = zip(tries.c.tolist(), tries.n.tolist())
    for name, model, pair in zip(tries.question.tolist(), tries.model.tolist(), pairs):
        found.setdefault(name, {})[model] = pair
    rows = [Question(str(name), find_kind(list(own.values())), list(map(own.get, models)))
            for name, own in found.items()]
    kinds = np.array([list(ORDER).index(row.kind) for row in rows])
    distances = np.array([find_distance(list(own.values())) for own in found.values()])
    return [rows[i] for i in np.lexsort([distances, kinds])]


def find_distance(tries: Sequence[tuple[int, int]]) -> float:
    "How far the share of right samples of all models is from one half."
    return abs(sum(c for c, _ in tries) / max(1, sum(n for _, n in tries)) - .5)


def count_kinds(rows: Sequence[Question]) -> dict[str, int]:
    "Questions of each kind in the order of the page; the mixed ones only where there are any."
    counts = {kind: sum(row.kind == kind for row in rows) for kind in ORDER}
    if not counts["mixed"]: del counts["mixed"]
    return counts


def cut_off(there: int, most: int, what: str) -> list[Block]:
    "That only the first ones are shown; nothing where all are."
    return [Text(f"The first {most:,} of {there:,} {what}.", "note")] * (there > most)


def name_kinds(several: bool, kind: str) -> dict[str, str]:
    "What each kind of question is called."
    if not several:
        return dict(flaky="flaky", mixed="", never="never right", always="always right")
    return dict(flaky=f"flaky in at least one {kind}", mixed=ORDER["mixed"],
                never="never right in any", always="always right in all")


def describe_kinds(counts: Mapping[str, int], names: Mapping[str, str]) -> str:
    "How many questions there are of each kind, and in which order they stand."
    order = ", then ".join(said for kind, said in ORDER.items() if counts.get(kind))
    return f"{describe_counts(counts, names)} Order: {order}."


def describe_counts(counts: Mapping[str, int], names: Mapping[str, str]) -> str:
    "How many questions there are of each kind."
    each = ", ".join(f"{many:,} {names[kind]}" for kind, many in counts.items() if many)
    return f"{count(sum(counts.values()), 'question')}: {each}."


# Prompts and answers


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
    names = list(dict.fromkeys(list_names(blocks)))
    texts = group_samples(source.read(names), folder) if names else {}
    return fill_blocks(blocks, Filling(texts, most)) if texts else blocks


def open_fold(block: Block) -> Block:
    "A fold with its blocks made."
    if not isinstance(block, Fold): return block
    return Fold(block.summary, [open_fold(one) for one in block.blocks])


def list_names(blocks: Document) -> Iterator[str]:
    "The questions that a page shows, in its order."
    for block in blocks:
        if isinstance(block, Fold): yield from list_names(block.blocks)
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
        *tell_outcome(one.outcome), one.model, excerpt(one.said.answer),
        excerpt(one.said.prompt) if len(asked) > 1 else None,
        f"{shown[one.said.path]}, {tell_place(one.said)}",
        link_place(one.said.path, one.said.line, folder)) for one in own)
    return Samples(name, excerpt(asked[0]) if len(asked) == 1 else None, passages)


def tell_outcome(outcome: Any) -> tuple[str, bool | None]:
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


def tell_place(said: Any) -> str: return f"line {said.line}" if said.line else str(said.names)


def link_place(path: str, line: int | None, folder: str | Path | None) -> str:
    "The address of a line as seen from a page; editors and code hosts open it at the line."
    if folder is None: return ""
    from urllib.parse import quote  # Only links of pages need it
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
    return [Text(describe_texts(filling), "note"), replace(block, rows=rows)]


def fill_row(row: Question, filling: Filling) -> Question:
    total = sum(n for _, n in filter(None, row.tries))
    return replace(row, samples=filling.take(row.name, total))


def describe_texts(filling: Filling) -> str:
    "What stands below the questions, and what of it was cut."
    said = ("Below a question: its prompt, and the first right and wrong answers of each model, "
            "long texts cut.")
    if not filling.refused: return said
    whole = filling.given + filling.refused
    return (f"{said} Texts of the first {filling.given:,} of {whole:,} questions: a page holds "
            f"{TOTAL:,} characters of them.")
