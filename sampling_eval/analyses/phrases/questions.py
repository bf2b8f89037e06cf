"""The questions of a page: how often each is right, and which ones come first.

`question_blocks` makes the table of a score, `side_blocks` that of several systems; what their
samples say is added by `question_texts`.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...render.blocks import Block, Fold, Question, Questions, Text
from ...render.format import count
from ...results.columns import Absent
from ..score.result import Report

__all__ = ["MODELS", "draw_tries", "kind_of_question", "has_questions", "question_blocks",
           "side_blocks", "open_questions"]

FLAKY = "A flaky question is right in some of its samples and wrong in others."
QUESTIONS_SHOWN = 1000  # Questions on a page
MODELS = 6  # Models with a picture and a column of their own
KIND_ORDER = dict(flaky="flaky ones, those closest to half right first",
                  mixed="always right in one, never in another", never="never right",
                  always="always right")


def question_blocks(
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
    table = Questions(heads, rows[:QUESTIONS_SHOWN], counts, names, outcomes, hues)
    return [Text(f"{FLAKY} {kinds_sentence(counts, names)}", "note"), table,
            *cut_off(len(rows), QUESTIONS_SHOWN, "questions"),
            *cut_off(len(known), MODELS, result.systems)]


def side_blocks(
    columns: Any,  # Columns of the questions: `n` and `c` of each side
    sides: Mapping[str, str],  # What a side is called in the columns, and on the page
) -> list[Block]:  # One fold; nothing where outcomes are not known
    "The questions of several systems, the largest loss first."
    if isinstance(columns, Absent) or any(f"c {key}" not in columns for key in sides): return []
    shown = list(sides)[:MODELS]
    names = columns["question"].tolist()
    pairs = [list(zip(columns[f"c {key}"].tolist(), columns[f"n {key}"].tolist()))
             for key in sides]
    rows = [Question(str(name), kind_of_question(own), own[:len(shown)])
            for name, *own in zip(names, *pairs)]
    rows.sort(key=lambda row: -row.loss)
    heads = [sides[key] for key in shown]
    table = draw_tries(rows[:QUESTIONS_SHOWN], heads if len(sides) > 1 else ["right"], rows)
    counts, named = table.counts, table.names
    first = "the largest loss" if len(shown) == 2 else "the least often right"
    said = f"{kind_counts(counts, named)} Order: {first} first."
    return [Fold("Every question", [Text(f"{FLAKY} {said}", "note"), table,
                                    *cut_off(len(rows), QUESTIONS_SHOWN, "questions"),
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


def kind_of_question(tries: Sequence[tuple[int, int]]) -> str:
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
    rows = [Question(str(name), kind_of_question(list(own.values())), list(map(own.get, models)))
            for name, own in found.items()]
    kinds = np.array([list(KIND_ORDER).index(row.kind) for row in rows])
    distances = np.array([distance_from_half(list(own.values())) for own in found.values()])
    return [rows[i] for i in np.lexsort([distances, kinds])]


def distance_from_half(tries: Sequence[tuple[int, int]]) -> float:
    "How far the share of right samples of all models is from one half."
    return abs(sum(c for c, _ in tries) / max(1, sum(n for _, n in tries)) - .5)


def count_kinds(rows: Sequence[Question]) -> dict[str, int]:
    "Questions of each kind in the order of the page; the mixed ones only where there are any."
    counts = {kind: sum(row.kind == kind for row in rows) for kind in KIND_ORDER}
    if not counts["mixed"]: del counts["mixed"]
    return counts


def cut_off(there: int, most: int, what: str) -> list[Block]:
    "That only the first ones are shown; nothing where all are."
    return [Text(f"The first {most:,} of {there:,} {what}.", "note")] * (there > most)


def name_kinds(several: bool, kind: str) -> dict[str, str]:
    "What each kind of question is called."
    if not several:
        return dict(flaky="flaky", mixed="", never="never right", always="always right")
    return dict(flaky=f"flaky in at least one {kind}", mixed=KIND_ORDER["mixed"],
                never="never right in any", always="always right in all")


def kinds_sentence(counts: Mapping[str, int], names: Mapping[str, str]) -> str:
    "How many questions there are of each kind, and in which order they stand."
    order = ", then ".join(said for kind, said in KIND_ORDER.items() if counts.get(kind))
    return f"{kind_counts(counts, names)} Order: {order}."


def kind_counts(counts: Mapping[str, int], names: Mapping[str, str]) -> str:
    "How many questions there are of each kind."
    each = ", ".join(f"{many:,} {names[kind]}" for kind, many in counts.items() if many)
    return f"{count(sum(counts.values()), 'question')}: {each}."
