"""Letters beside the models of a table: those that share one cannot be told apart."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import TypeAlias

from .numbers import percent
from .phrases import join_names

__all__ = ["Letters", "letter_models", "say_letters", "say_leader",
           "say_rest", "share_letter"]

Letters: TypeAlias = Mapping[str, str]  # Model to its letters, such as `bc`
FEW = 3  # Models that are named in a sentence


def letter_models(
    tied: Sequence[Sequence[object]],  # Largest groups of which no two are told apart, best first
) -> dict[str, str]:  # The letters of each model, one for each of its groups
    "A letter for each group, `a` for the best one."
    found: dict[str, str] = {}
    for i, group in enumerate(tied):
        for model in map(str, group): found[model] = found.get(model, "") + name_group(i)
    return found


def name_group(i: int) -> str:
    "a to z, then a2 to z2."
    turn, place = divmod(i, len(ascii_lowercase))
    return ascii_lowercase[place] + (f"{turn + 1}" if turn else "")


def share_letter(
    one: str,  # Letters of a model
    other: str,  # Letters of another one
) -> bool:  # Whether the two cannot be told apart
    "Whether two models have a letter in common."
    return not set(split_letters(one)).isdisjoint(split_letters(other))


def split_letters(letters: str) -> list[str]:
    "`ab2c` is a, b2 and c."
    found: list[str] = []
    for sign in letters:
        if sign.isdigit(): found[-1] += sign
        else: found.append(sign)
    return found


def say_letters(
    level: float,  # One minus the chance of any false finding in a column
    whom: str,  # What the tests hold for, such as `for new questions of this kind`
    many: bool = False,  # Whether there are several columns
) -> str:  # One sentence
    "What the letters mean."
    where = "In each column, models" if many else "Models"
    return (f"{where} that share a letter cannot be told apart at {percent(level)} %, all pairs "
            f"judged at once, {whom}.")


def say_leader(
    metric: str,  # What is compared
    models: Sequence[str],  # Best first
    value: str,  # Value of the first, as text
    letters: Letters,  # Letters of each; none where nothing was compared
) -> str:  # One sentence
    "Which model is first, and which ones cannot be told apart from it."
    first, *others = models
    ahead = f"{first} is first in {metric} ({value})"
    if not others: return f"{first} has {value} in {metric}." if first else f"{metric} is {value}."
    if not letters: return f"{ahead}."
    alike = [one for one in others if share_letter(letters[first], letters[one])]
    if not alike: return f"{ahead} and told apart from {say_rest(others)}."
    whom = join_names(alike) if len(alike) <= FEW else f"{len(alike)} others"
    return f"{ahead}, but cannot be told apart from {whom}."


def say_rest(
    others: Sequence[str],  # At least one
) -> str:  # `both others`
    "All models but the first."
    few = {1: others[0], 2: "both others"}
    return few.get(len(others), f"all {len(others)} others")
