"""Battles: whom of two models a judge preferred on a prompt, as win shares of the models.

A row holds a prompt, two models and the winner; a column may name the judge. The win share of a
pair on a prompt is the mean over its rows there, in both orders: 1, one half for a tie, or 0. That
of a model is the mean over its opponents, who have to be the same on every prompt.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..errors import OptionError
from ..spelling import option
from ..results.reading import ReadNote
from .column_names import HARMLESS, TEXTS, is_property, names_sample
from .columns import (Batch, COLUMNS, Keep, Source, join_batches, list_called, list_columns,
                      list_plain, name_asked, simplify, take_here)
from .options import Options
from .structure import find_spread
from .values import code_values, is_absent, join_codes, tidy

__all__ = ["Battles", "Columns", "find_battles", "take_battles"]



def name_sides(stems: str) -> list[tuple[str, str]]:
    "Such as `model_a` and `model_b`, with the other endings that a side may have."
    return [(f"{stem}{mark}{a}", f"{stem}{mark}{b}") for stem in stems.split()
            for mark in ("_", "") for a, b in ("ab", "12")]


PAIRS = name_sides("model system generator agent llm")  # Columns of the two models
SIDES = PAIRS + name_sides("response answer output assistant")  # What a winner may be called
FIRST, SECOND = ({*words, *extra.split()} for words, extra in
                 zip(zip(*SIDES), ("a first left", "b second right")))
TIES = set("tie ties tied draw equal both neither tie_bothbad bothbad both_bad "
           "tie_both_bad".split())
WINNERS = "winner winner_model winning_model preferred preferred_model preference".split()
JUDGES = "judge judge_id judge_model annotator annotator_id evaluator rater".split()
ALLOWED = set("question correct group cluster weights ignore harness keys limits".split())
CARRIED = "group", "cluster", "weight"  # Parts that a prompt has, whatever its battles
MOST_VALUES, SHORT = 50, 40  # Of a column that may tell battles apart, and their letters
SPARSE = ("sparse battles need a rating model such as Bradley and Terry's, which the package "
          "evalica fits")


class Columns(NamedTuple):
    "Which column holds what of a battle."
    prompt: str
    models: tuple[str, str]
    winner: str
    judge: str | None


@dataclass(frozen=True, eq=False)
class Battles:
    "Win shares by pair of models and prompt: arrays of shape `(pairs, prompts)`."
    pairs: tuple[tuple[str, str], ...]
    share: np.ndarray  # Of the first model of each pair
    judgements: np.ndarray  # Battles behind it
    order: np.ndarray  # Its share where it is shown first less that where it is second, or NaN
    even: np.ndarray  # Whether both orders were judged equally often
    ties: int
    judges: int  # 0 where no column names them
    reference: str = ""  # The only opponent, where all others were compared with one model

    @property
    def models(self) -> list[str]:
        "The models that have a win share, in the order of the data."
        return [name for name in dict.fromkeys(sum(self.pairs, ())) if name != self.reference]

    @property
    def alone(self) -> bool: return len(self.pairs) == 1

    def mean_share(self, model: str) -> np.ndarray:
        "Win share of a model on each prompt, mean over its opponents."
        own = [share if model == pair[0] else 1 - share
               for pair, share in zip(self.pairs, self.share) if model in pair]
        return np.asarray(np.mean(own, 0))


def find_battles(
    sources: Sequence[Source],  # A table as it stands
    options: Options,  # How it is read
) -> Columns | None:  # None for any other table
    """The columns of a table of battles, which has no outcome of one model.

    Raises: `OptionError` where it is not clear which column holds the prompt.
    """
    columns = [c for c in list_columns(sources) if c not in options.ignore]
    known = {simplify(c): c for c in columns}
    pair = next((pair for pair in PAIRS if known.keys() >= {*pair}), None)
    told = options.columns.get("correct")
    named = [told] if told in columns else list_called(columns, WINNERS)
    outcomes = list_called(columns, (*COLUMNS["correct"], *COLUMNS["score"]))
    if pair is None or not list_called(named, WINNERS) or outcomes and not told: return None
    other = options.grade is not None or options.columns.get("score")
    if other or told is False or options.columns.get("question") is False: return None
    if len(named) > 1:
        raise OptionError("correct", f"ambiguous: {named[0]!r} or {named[1]!r} could be the winner",
                          hint=f"pass {option('correct', *named)}")
    judge = next(iter(list_called(columns, JUDGES)), None)
    models = known[pair[0]], known[pair[1]]
    return Columns(find_prompt(sources, columns, options), models, str(named[0]), judge)


def find_prompt(sources: Sequence[Source], columns: Sequence[str], options: Options) -> str:
    "The column of prompts: as named, or one of those called so that all tell the same apart."
    told = options.columns.get("question")
    if isinstance(told, str): return told
    found = [str(c) for c in list_called(columns, (*COLUMNS["question"], *TEXTS, "instruction"))]
    if len(found) > 1:
        head = take(sources, {"question": found[0]} | {f"look {c}": c for c in found}).parts
        codes = [code_values(head[f"look {c}"])[0] for c in found]
        size = [len(np.unique(code)) for code in codes]
        both = [len(np.unique(join_codes(codes[0], code))) for code in codes]
        if {*size, *both} == {size[0]}: found = found[:1]
    if len(found) == 1: return found[0]
    raise OptionError("question", "one column must hold the prompt of a battle",
                      found=", ".join(map(repr, found or columns)),
                      hint=f"pass {option('question', *(found or ['...']))}")


def take(sources: Sequence[Source], parts: dict[str, str]) -> Batch:
    return join_batches([take_here(source, parts, Keep()) for source in list_plain([*sources])])


def take_battles(
    sources: Sequence[Source],  # A table of battles
    columns: Columns,  # Which column holds what
    options: Options,  # How it is read
) -> tuple[Battles, dict[str, Any], Options, ReadNote]:
    """Win shares, a table of them by model and prompt, how that is read, and what to know.

    Raises: `OptionError` for options that battles do not know, and for a column that may tell
    them apart; `ValueError` for a winner that is no model of its row, for an absent one unless such
    rows are dropped, and for models that did not all meet on the same prompts.
    """
    refuse_options(options)
    carried = {part: str(options.columns[part]) for part in CARRIED if options.columns.get(part)}
    looked = dict(zip(("first", "second"), columns.models), winner=columns.winner, **carried)
    if columns.judge: looked["judge"] = columns.judge
    batch = take(sources, {"question": columns.prompt}
                 | {f"look {name}": column for name, column in looked.items()})
    cells = {name: batch.parts[f"look {name}"].tolist() for name in looked}
    first, second = ([write_winner(one) for one in cells[name]] for name in ("first", "second"))
    won = read_winners(columns, cells["winner"], first, second, batch)
    lost = np.isnan(won)
    if lost.any() and (options.policy.missing != "drop" or lost.all()):
        where = batch.place("question", int(lost.argmax()))
        raise OptionError("missing", "every battle needs a winner", found=f"none {where}",
                          where=f" ({lost.sum()} of {lost.size} fail)",
                          hint=f"{option('missing', 'drop')} leaves such battles out")
    refuse_settings(sources, columns, options, batch)
    prompt, prompts = code_values(batch.parts["question"])
    names = list(dict.fromkeys(name for pair in zip(first, second) for name in pair))
    place = {name: i for i, name in enumerate(names)}
    a, b = (np.array([place[name] for name in side]) for side in (first, second))
    # Of each pair the model that appears first in the data stands for it.
    turned = a > b
    value = np.where(turned, 1 - won, won)[~lost]
    pair = (np.minimum(a, b) * len(names) + np.maximum(a, b))[~lost]
    kinds, pair = np.unique(pair, return_inverse=True)
    shape, at = (len(kinds), len(prompts)), pair * len(prompts) + prompt[~lost]

    def add_up(some: np.ndarray, of: np.ndarray | None = None) -> np.ndarray:
        own = None if of is None else of[some]
        return np.bincount(at[some], own, shape[0] * shape[1]).reshape(shape)
    sides = ~turned[~lost], turned[~lost]
    times, sums = ([add_up(side, of) for side in sides] for of in (None, value))
    with np.errstate(invalid="ignore"):
        total = times[0] + times[1]
        share = (sums[0] + sums[1]) / total
        order = sums[0] / times[0] - sums[1] / times[1]
    pairs = tuple((names[kind // len(names)], names[kind % len(names)]) for kind in kinds.tolist())
    reference, kept = check_design(names, pairs, share, prompts, options.policy.missing == "drop")
    # A reference is the second of each pair; the order effect is the same for either.
    turn = np.array([one == reference for one, _ in pairs])
    share[turn] = 1 - share[turn]
    pairs = tuple(pair[::-1] if pair[0] == reference else pair for pair in pairs)
    judges = len(set(map(str, cells.get("judge", ()))))
    found = Battles(pairs, share[:, kept], total[:, kept], order[:, kept],
                    (times[0] == times[1])[:, kept], int(((won == .5) & kept[prompt]).sum()),
                    judges, reference)
    note = ReadNote("battles", (reference,) * bool(reference), count=int(found.judgements.sum()),
                    total=len(prompts) - int(kept.sum()))
    table = tabulate(found, columns, carried, cells, prompt, prompts, kept)
    none: dict[str, Any] = dict.fromkeys(("correct", "sample", "answer"), False)
    parts = dict(zip(("question", "model", "score"), table))
    return found, table, replace(options, columns=none | parts | carried, ignore=()), note


def refuse_options(options: Options) -> None:
    "Refuse what would choose or judge samples of one model."
    policy = options.policy
    odd = [*({*options.given} - ALLOWED), *(name for name in ("samples_per_question", "no_answer",
                              "normalize", "scale") if getattr(policy, name) is not None)]
    if odd:
        name = name_asked(sorted(odd)[0])
        raise OptionError(name, f"a table of battles has two models a row and a winner, and takes "
                                f"no {option(name)}")


# Who won.

def read_winners(columns: Columns, won: list[Any], first: list[str], second: list[str],
                 batch: Batch) -> np.ndarray:
    "1 where the first model of a row won, 0 where the second did, .5 for a tie, NaN if absent."
    if (same := [i for i, pair in enumerate(zip(first, second)) if len({"", *pair}) < 3]):
        raise ValueError(f"a battle is between two models, got {first[same[0]]!r} and "
                         f"{second[same[0]]!r} {batch.place('question', same[0])} "
                         f"({len(same)} of {len(first)} fail)")
    texts = [write_winner(one) or None for one in won]
    numbers = {text for text in texts if text and re.fullmatch(r"-?[\d.]+", text)}
    # 1 and 2 count the models; 1 alone may also be the opposite of 0.
    numbered = bool({"2", "1.5"} & numbers) and numbers <= {"1", "2", "1.5"}
    readings = {key: list_readings(*key, numbered) for key in {*zip(texts, first, second)}}
    rows = [readings[key] for key in zip(texts, first, second)]
    unread = [i for i, row in enumerate(rows) if row == (None, None)]
    sides = f"{columns.models[0]}, {columns.models[1]}"
    if unread:
        hint = "; of numbers only 1 and 2 are plain, with 1.5 for a tie" * bool(numbers)
        raise ValueError(f"a winner must be {sides}, tie or a model of its row, got "
                         f"{won[unread[0]]!r} {batch.place('question', unread[0])} "
                         f"({len(unread)} of {len(rows)} fail){hint}")
    clash = [i for i, row in enumerate(rows)
             if texts[i] and None not in row and row[0] != row[1]]
    whole = [None not in column for column in zip(*rows)]
    if clash and whole[0] == whole[1]:
        raise ValueError(f"{won[clash[0]]!r} {batch.place('question', clash[0])} may name a model "
                         f"or a column ({len(clash)} of {len(rows)} rows): write the winner as "
                         f"{sides} or tie")
    by = int(not whole[0])
    return np.array([row[by] if row[by] is not None else row[1 - by] for row in rows], float)


def write_winner(value: Any) -> str:
    "A name as text, whole numbers without a fraction; empty for none."
    text = "" if is_absent(value) else str(value).strip()
    return text[:-2] if re.fullmatch(r"\d+\.0", text) else text


def list_readings(text: str | None, first: str, second: str,
                  numbered: bool) -> tuple[float | None, float | None]:
    "What a winner means as the name of a model, and as that of a side; None where it is none."
    if text is None: return np.nan, np.nan
    word = re.sub("[^a-z0-9]+", "_", text.lower()).strip("_")
    if word in TIES or numbered and text == "1.5":
        return (.5, .5) if text not in (first, second) else (float(text == first), .5)
    firsts, seconds = (words | {n} if numbered else words for words, n in ((FIRST, "1"),
                                                                           (SECOND, "2")))
    return (float(text == first) if text in (first, second) else None,
            float(word in firsts) if word in firsts | seconds else None)


# Which battles are of one kind.

def refuse_settings(sources: Sequence[Source], columns: Columns, options: Options,
                    batch: Batch) -> None:
    "Ask about a column that tells battles of one prompt, pair, order and judge apart by design."
    parts = [batch.parts[f"look {name}"] for name in ("first", "second", "judge")
             if f"look {name}" in batch.parts]
    key = code_values(batch.parts["question"])[0]
    for part in parts: key = join_codes(key, code_values(part)[0])
    if len(np.unique(key)) == len(key): return
    used = {columns.prompt, *columns.models, columns.winner, columns.judge, *options.ignore,
            *options.columns.values()}
    left = [c for c in list_columns(sources) if c not in used and not names_sample(c)
            and not is_property(c) and simplify(c) not in HARMLESS | {*TEXTS}]
    for column in left:
        values = take(sources, {"question": columns.prompt, "look": column}).parts["look"]
        shown = list(dict.fromkeys(map(str, values.tolist())))
        if not 1 < len(shown) <= MOST_VALUES or max(map(len, shown)) > SHORT: continue
        if not find_spread(key, np.zeros(len(key), int), code_values(values)[0]).designed: continue
        raise OptionError(
            "question", f"column {column!r} takes the same values ({', '.join(shown[:3])}) in the "
                        "battles of each prompt: part of the prompt, or repeated judgements?",
            hint=f"pass {option('question', f'{columns.prompt},{column}')} if each is a prompt of "
                 f"its own, or {option('ignore', column)} if they are judgements of one")


def check_design(names: list[str], pairs: Sequence[tuple[str, str]], share: np.ndarray,
                 prompts: list[Any], drop: bool) -> tuple[str, np.ndarray]:
    "The reference that all others met, if there is one; which prompts have all pairs."
    want = len(names) * (len(names) - 1) // 2
    centre = [name for name in names if all(name in pair for pair in pairs)]
    if len(pairs) < want and not (centre and len(pairs) == len(names) - 1):
        met = {frozenset(pair) for pair in pairs}
        a, b = next(pair for pair in combinations(names, 2) if frozenset(pair) not in met)
        raise ValueError(f"models must meet the same opponents, got {len(pairs)} of {want} pairs "
                         f"(none of {a!r} and {b!r}): {SPARSE}")
    kept = ~np.isnan(share).any(0)
    if not kept.all() and not (drop and kept.any()):
        pair, at = np.argwhere(np.isnan(share))[0].tolist()
        a, b = pairs[pair]
        some = f"{option('missing', 'drop')} keeps the {kept.sum()} that do; " * bool(kept.any())
        raise OptionError("missing", "all pairs of models must share their prompts",
                          found=f"no battle of {a!r} and {b!r} at {prompts[at]!r}",
                          where=f" ({(~kept).sum()} of {kept.size} prompts lack a pair)",
                          hint=f"{some}{SPARSE}")
    return centre[0] if len(pairs) < want else "", kept


def tabulate(found: Battles, columns: Columns, carried: dict[str, str], cells: dict[str, list[Any]],
             prompt: np.ndarray, prompts: list[Any], kept: np.ndarray) -> dict[str, Any]:
    "The win share of each model on each prompt, and what a prompt has."
    rows = len(found.models)
    own = [name for name, keep in zip(prompts, kept) if keep]
    table: dict[str, Any] = {
        columns.prompt: tidy(own * rows), " and ".join(columns.models): np.repeat(
            np.array(found.models, object), len(own)),
        columns.winner: np.concatenate([found.mean_share(model) for model in found.models])}
    for part, column in carried.items():
        held: list[Any] = [None] * len(prompts)
        for at, value in zip(prompt.tolist(), cells[part]):
            if held[at] is None: held[at] = value
            if value is None or held[at] == value: continue
            raise OptionError(name_asked(part), f"{column!r} must have one value for each prompt",
                              found=f"{held[at]!r} and {value!r} at {prompts[at]!r}")
        table[column] = tidy([value for value, keep in zip(held, kept) if keep] * rows)
    return table
