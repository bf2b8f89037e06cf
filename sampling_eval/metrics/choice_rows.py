"Plumbing of multiple choice: rows of choices checked and filled up to tables, means by group."
from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.checks import faults, list_entries, whole_numbers

__all__ = ["choice_table", "check_choices", "text_lengths", "rows_by_unit", "check_lengths",
           "check_unconditional", "group_means"]


def choice_table(
    rows: ArrayLike | Sequence[Sequence],  # One row of numbers per question
    name: str = "logprobs",  # What the caller calls the rows
) -> tuple[np.ndarray, np.ndarray]:  # Table `(Q, A)`, filled up with -inf; choices `(Q,)`
    """Rows of different length as one table, and the number of choices per question.

    Raises: `ValueError` for no question or no choice, `TypeError` for anything but
    numbers.
    """
    rows = _list_rows(rows, name)
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    if (bad := sizes == 0).any():
        raise ValueError(f"{name} must hold at least one choice per question, "
                         f"got none{faults(bad)}")
    table = np.full((len(rows), sizes.max()), -np.inf)
    listed = np.arange(table.shape[1]) < sizes[:, None]
    question = np.repeat(np.arange(len(rows)), sizes)
    table[listed] = _numbers(list(chain.from_iterable(rows)), question, name)
    return table, sizes


def _list_rows(rows, name):
    is_plain = isinstance(rows, np.ndarray) and not np.ma.isMaskedArray(rows)
    rows = rows.tolist() if is_plain else rows
    rows = list_entries(name, rows, "rows of numbers")
    if not rows: raise ValueError(f"{name} must hold at least one question, got none")
    bad = np.array([_is_single(row) for row in rows])
    if not bad.any(): return rows
    raise ValueError(f"{name} must hold one row of choices per question, "
                     f"got {rows[bad.argmax()]!r}{faults(bad)}")


def _is_single(row): return isinstance(row, str) or not hasattr(row, "__len__")


def _numbers(values, question, name):
    wrong = {kind for kind in set(map(type, values)) if not _is_number(kind)}
    if not wrong: return np.array(values, float)
    bad = np.array([type(value) in wrong for value in values])
    first = bad.argmax()
    raise TypeError(f"{name} must hold numbers, got {values[first]!r} "
                    f"at question {question[first]} ({bad.sum()} of {bad.size} fail)")


def _is_number(kind):
    return kind is not bool and issubclass(kind, (int, float, np.integer, np.floating))


def check_choices(
    logprobs: ArrayLike | Sequence[Sequence],  # Log-probabilities, one row per question
    gold: ArrayLike,  # Position of the gold choice, counted from 0
    names: tuple[str, str] = ("logprobs", "gold"),  # What the caller calls the two
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # Table, number of choices, gold
    """Log-probabilities and gold positions that fit each other.

    Raises: `ValueError` naming the first question that breaks a rule, `TypeError` for
    text or fractions.
    """
    table, sizes = choice_table(logprobs, names[0])
    gold = whole_numbers(names[1], gold)
    if gold.shape != sizes.shape:
        raise ValueError(f"{names[1]} must hold one position per question "
                         f"({len(sizes)}), got shape {gold.shape}")
    _refuse(np.isnan(table), table, sizes, f"{names[0]} must not be NaN")
    _refuse(table > 0, table, sizes, f"{names[0]} must be at most 0")
    if (bad := table.max(-1) == -np.inf).any():
        raise ValueError(f"{names[0]} must give some choice a probability, "
                         f"got a row of -inf only{faults(bad)}")
    if (bad := (gold < 0) | (gold >= sizes)).any():
        raise ValueError(f"need 0 <= {names[1]} < choices, got {gold[bad][0]} "
                         f"of {sizes[bad][0]} choices{faults(bad)}")
    return table, sizes, gold


def text_lengths(
    texts: Sequence[Sequence[str]],  # The choices as text, one row per question
) -> dict:  # Rows of lengths under "char" and "byte"
    """Characters and UTF-8 bytes of every choice.

    Raises: `TypeError` for anything but rows of text.
    """
    texts = list_entries("texts", texts, "rows of text")
    if (bad := ~np.array([_is_text_row(row) for row in texts], bool)).any():
        raise TypeError("texts must hold one row of texts per question, "
                        f"got {texts[bad.argmax()]!r}{faults(bad)}")
    return {"char": [[len(text) for text in row] for row in texts],
            "byte": [[len(text.encode()) for text in row] for row in texts]}


def _is_text_row(row):
    is_row = hasattr(row, "__iter__") and not isinstance(row, str)
    return is_row and all(isinstance(text, str) for text in row)


def rows_by_unit(texts, lengths):
    "The lengths of the choices by unit, as given or counted in their texts."
    _check_units(lengths)
    rows = dict(lengths or {})
    if texts is None: return rows
    if both := [unit for unit in ("char", "byte") if unit in rows]:
        raise ValueError(f"give texts or lengths[{both[0]!r}], not both")
    return text_lengths(texts) | rows


def _check_units(lengths):
    if lengths is not None and not isinstance(lengths, Mapping):
        raise TypeError("lengths must map 'char', 'byte' or 'token' "
                        f"to rows of lengths, got {type(lengths).__name__}")
    units = "char", "byte", "token"
    if odd := [unit for unit in lengths or () if unit not in units]:
        raise ValueError("lengths must be given for 'char', 'byte' or 'token', "
                         f"got {odd[0]!r}")


def _same_choices(rows, sizes, name):
    table, listed = choice_table(rows, name)
    if len(listed) != len(sizes):
        raise ValueError(f"{name} must hold one row per question ({len(sizes)}), "
                         f"got {len(listed)}")
    if (bad := listed != sizes).any():
        raise ValueError(f"{name} must list the same choices as logprobs, "
                         f"got {listed[bad][0]} for {sizes[bad][0]}{faults(bad)}")
    return table, np.arange(table.shape[1]) < sizes[:, None]


def check_lengths(rows, sizes, name):
    "Lengths of the choices as a table, 1 where there is no choice."
    table, there = _same_choices(rows, sizes, name)
    whole = (table >= 1) & np.isfinite(table) & (np.floor(table) == table)
    _refuse(there & ~whole, table, sizes, f"{name} must be whole numbers of at least 1")
    return np.where(there, table, 1)


def check_unconditional(rows, sizes):
    "Log-probabilities without the question as a table, 0 where there is no choice."
    table, there = _same_choices(rows, sizes, "unconditional")
    bad = there & ~((table <= 0) & np.isfinite(table))
    _refuse(bad, table, sizes, "unconditional must be finite and at most 0")
    return np.where(there, table, 0)


def _refuse(bad, table, sizes, rule):
    if not bad.any(): return
    question, choice = np.argwhere(bad)[0]
    share = f"({bad.sum()} of {sizes.sum()} fail)"
    raise ValueError(f"{rule}, got {table[question, choice]} "
                     f"at question {question}, choice {choice} {share}")


def group_means(
    groups: Sequence | None,  # Label of each question
    values: ArrayLike,  # Value of each question, shape `(Q,)`
) -> dict:  # Label -> (questions, mean), in order of first appearance
    """Number of questions and mean value of every group.

    Raises: `ValueError` for missing or too few labels.
    """
    if groups is None:
        raise ValueError("a mean over groups needs groups=, one label per question")
    labels, values = list_entries("groups", groups, "labels"), np.asarray(values, float)
    if len(labels) != len(values):
        raise ValueError(f"groups must hold one label per question ({len(values)}), "
                         f"got {len(labels)}")
    bad = np.array([label is None or not isinstance(label, Hashable) or label != label
                    for label in labels])
    if bad.any():
        raise ValueError("groups must label every question, "
                         f"got {labels[bad.argmax()]!r}{faults(bad)}")
    place = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    state = np.array([place[label] for label in labels])
    m = np.bincount(state)
    means = np.bincount(state, values) / m
    return dict(zip(place, zip(m.tolist(), means.tolist())))
