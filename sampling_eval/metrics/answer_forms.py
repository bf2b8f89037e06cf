"""Plumbing of VQA and ANLS: normal forms of answers; predictions and references checked.

The normal form of VQA is that of the official evaluation of TextVQA, oddities included.
"""
from __future__ import annotations

import re
from itertools import chain

import numpy as np

from ..foundations.checks import faults, list_entries

__all__ = ["CONTRACTIONS", "NUMBER_WORDS", "vqa_normalize", "anls_normalize", "normalize_rows",
           "shape_like"]

_COMPLETE = """
ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've
hasn't haven't he'd he'd've he's how'd how'll how's isn't it'd it'd've it'll ma'am
might've mightn't mightn't've must've mustn't needn't not've o'clock oughtn't 'ow's'at
shan't she'd've should've shouldn't shouldn't've somebody'd've somebody'll somebody's
someone'd someone'd've someone'll someone's something'd something'd've something'll
that's there'd there'd've there're there's they'd they'd've they'll they're they've
'twas wasn't we'd've we've weren't what'll what're what's what've when's where'd where's
where've who'd who'd've who'll who's who've why'll why're why's won't would've wouldn't
wouldn't've y'all y'all'd've y'all'll you'd you'd've you'll you're you've
""".split()


def _drop_each_apostrophe(word):
    "The ways to leave out exactly one apostrophe."
    return [word[:i] + word[i+1:] for i, letter in enumerate(word) if letter == "'"]


# Contractions with one apostrophe left out, from the complete forms.
CONTRACTIONS = {
    short: word for word in _COMPLETE for short in _drop_each_apostrophe(word)
} | {"somebody'd": "somebodyd"}
_DIGITS = "zero one two three four five six seven eight nine ten".split()
NUMBER_WORDS = {word: str(i) for i, word in enumerate(_DIGITS)} | {"none": "0"}


def vqa_normalize(
    text: str,  # An answer
) -> str:  # Its normal form; empty if nothing is left
    "Normal form of an answer, as in the official evaluation of TextVQA."
    words = _clear_marks(_lower_text(text)).split()
    counted = [NUMBER_WORDS.get(word, word) for word in words]
    kept = [word for word in counted if word not in ("a", "an", "the")]
    return " ".join(CONTRACTIONS.get(word, word) for word in kept)


def _lower_text(text):
    "Lower case on one line, without commas and question marks, with 's apart."
    text = text.lower().replace(",", "").replace("?", "").replace("'s", " 's")
    return text.strip().replace("\n", " ").replace("\t", " ")


def _clear_marks(text):
    "Each mark as a space, or as nothing if it stands beside a space anywhere."
    form = text
    for mark in ";/[]\"{}()=+\\_-><@`!":
        beside_space = mark + " " in text or " " + mark in text
        form = form.replace(mark, "" if beside_space else " ")
    return re.sub(r"\.(?!\d)", "", form)


def anls_normalize(
    text: str,  # An answer
) -> str:  # In lower case, with single spaces
    "Normal form for ANLS: case and runs of spaces do not count, anything else does."
    return " ".join(text.lower().split())


def normalize_rows(predictions, references, normalize, least):
    "Normal forms of both sides, one row of texts per question."
    if not callable(normalize):
        raise TypeError("normalize must be a function from text to text, "
                        f"got {normalize!r}")
    _refuse_flat_texts(predictions, references)
    references = list_entries("references", references, "texts")
    bad = np.array([isinstance(row, str) for row in references])
    if bad.any():
        raise ValueError("references must hold a list of texts per question, "
                         f"got {references[bad.argmax()]!r}{faults(bad)}")
    rows = _read_texts("predictions", predictions, 1)
    known = _read_texts("references", references, least)
    if len(rows) != len(known):
        raise ValueError("predictions and references must have one entry per question, "
                         f"got {len(rows)} and {len(known)}")
    texts = set(chain.from_iterable(rows)) | set(chain.from_iterable(known))
    form = {text: normalize(text) for text in texts}
    if odd := [one for one in form.values() if not isinstance(one, str)]:
        raise TypeError("normalize must be a function from text to text, "
                        f"got one that returns {odd[0]!r:.60}")
    return _replace_texts(rows, form), _replace_texts(known, form)


def _read_texts(name, rows, least):
    "Rows of texts; a text alone is a row of one."
    rows = [_read_row(row) for row in rows]
    if not rows: raise ValueError(f"{name} must hold at least one question, got none")
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    bad = sizes < least
    if bad.any():
        raise ValueError(f"{name} must hold at least {least} per question, "
                         f"got {sizes[bad][0]}{faults(bad)}")
    bad = np.array([not all(isinstance(text, str) for text in row) for row in rows])
    if bad.any():
        odd = next(text for text in rows[bad.argmax()] if not isinstance(text, str))
        raise TypeError(f"{name} must hold text, got {odd!r}{faults(bad)}; "
                        "an unanswered question is ''")
    return rows


def _read_row(row):
    if isinstance(row, str) or not hasattr(row, "__iter__"): return [row]
    return list(row)


def _refuse_flat_texts(predictions, references):
    "Raise if a text stands where a list of entries is meant."
    for name, value in ("predictions", predictions), ("references", references):
        if isinstance(value, str):
            raise ValueError(f"{name} must hold one entry per question, "
                             f"got the text {value!r}")


def _replace_texts(rows, form): return [[form[text] for text in row] for row in rows]


def shape_like(predictions, rows, values):
    "Values in the shape of the predictions: one a question, or a row of replicas."
    if all(isinstance(entry, str) for entry in predictions): return values
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    if (sizes == sizes[0]).all(): return values.reshape(len(rows), -1)
    return np.split(values, sizes.cumsum()[:-1])
