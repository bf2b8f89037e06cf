"""What readers ask of a record."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from .words import shorten

__all__ = ["Row", "Rows", "Scored", "has_keys", "list_numbers", "as_number", "add_score",
           "is_solved", "number_samples", "find_period"]

Row = dict[str, Any] # Parts of one sample, such as question, sample and correct
Rows = tuple[str, Iterator[Row]] # What was taken for what, and one row per sample


class Scored(NamedTuple):
    "A question whose choices have log-probabilities."
    question:Any # Its name
    texts:list[str] # Texts of the choices
    logprobs:list[float] # Their log-probabilities
    unconditional:list[float]|None # The same without the question, if stored
    gold:Any # Position of the right choice, or its text
    acc:float|None # Whether the likeliest choice was judged right, if stored


def has_keys(
    value:object, # Anything that was parsed
    *names:str, # Keys it should have
)->bool: # Whether it is a dict that has them
    "Whether something is an object with all of these keys."
    return isinstance(value, dict) and value.keys() >= set(names)


def list_numbers(
    record:dict[str, Any], # One record
)->list[str]: # Keys in the order of the record
    "The keys that hold a number, true or false."
    return [key for key, value in record.items() if isinstance(value, (bool, int, float))]


def as_number(
    value:object, # A number, true or false; or None
    place:str, # What it is, for the message
)->float|None: # None stays None
    "A score as a float; raises `ValueError` for anything but a number."
    if value is None: return None
    if isinstance(value, (bool, int, float)): return float(value)
    raise ValueError(f"{place} must be a number, got {shorten(value)}")


def add_score(
    row:Row, # Parts of a sample
    scores:dict[str, Any], # Where the score stands
    name:str|None, # Its key; None if answers are judged anew
)->Row: # The row, with its score if there is one to read
    "A row with the score that was chosen."
    return row if name is None else row | dict(score=as_number(scores[name], name))


def is_solved(
    reward:Any, # Reward of a trial
)->bool|None: # None if there is no reward
    "Whether a reward is 1; rewards are products of floats, so a little less is taken for it."
    number = as_number(reward, "reward")
    return None if number is None or number != number else abs(number - 1) <= 1e-6


def number_samples(
    records:Iterable[Any], # Records whose samples carry no number
    name:Callable[[Any], Hashable], # Maps a record to the question it belongs to
)->Iterator[tuple[int, Any]]: # Position within the question, and the record
    "Each record with its place among those of the same question, in order of appearance."
    seen: Counter[Hashable] = Counter()
    for record in records:
        question = name(record)
        yield seen[question], record
        seen[question] += 1


def find_period(
    prompts:Sequence[Hashable], # What each record asks, in the order of the log
)->int: # At least 1, at most the number of records
    "The number of questions of a log whose repeats follow one another, where it is not stored."
    total = len(prompts)
    sizes = (size for size in range(1, total + 1) if total % size == 0)
    return next((size for size in sizes if prompts[size:] == prompts[:total - size]), 1)
