"""Numerics of ANLS: the distance of two texts by bits of long numbers (Myers 1999, Hyyrö 2001).

Neighbouring cells of the table of distances differ by at most one, so two bits a cell tell whether
the distance rises or falls, and one addition carries a whole column on.
"""
from __future__ import annotations

__all__ = ["edit_distance"]


def edit_distance(
    a: str,  # One text
    b: str,  # Another text
) -> int:  # Letters to insert, delete or replace
    "Levenshtein distance of two texts."
    if not a: return len(b)
    last, all_bits = 1 << (len(a) - 1), (1 << len(a)) - 1
    where: dict[str, int] = {}
    for i, letter in enumerate(a): where[letter] = where.get(letter, 0) | 1 << i
    # bits of `up` and `down`: the distance rises or falls to the column's next cell
    up, down, distance = all_bits, 0, len(a)
    for letter in b:
        same = where.get(letter, 0)
        corner = (((same & up) + up) ^ up) | same | down
        rises, falls = (down | ~(corner | up)) & all_bits, up & corner
        distance += bool(rises & last) - bool(falls & last)
        rises, falls = rises << 1 | 1, falls << 1
        up, down = (falls | ~(corner | rises)) & all_bits, rises & corner & all_bits
    return distance
