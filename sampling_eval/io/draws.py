"""Sample numbers as sets of bits, to see whether runs overlap."""
from __future__ import annotations

import numpy as np

__all__ = ["BITS", "WORDS", "set_bits", "join_bits", "count_bits", "list_bits", "mark_distinct"]

# Words of 52 bits, so that an engine without whole numbers of 64 bits can add them as floats.
BITS, WORDS = 52, 3
# Every second bit, every second pair of bits, every second four of them, and the last of each byte.
PAIRS, FOURS, BYTES, LAST = (np.uint64(int(digits * 8, 16)) for digits in ("55", "33", "0F", "01"))


def set_bits(
    sample: np.ndarray,  # Names of samples, shape `(R,)`
) -> np.ndarray | None:  # Each as a set of bits, shape `(R, 3)`; None for other names
    "Sample numbers below 156 as sets of one bit."
    if sample.dtype.kind != "i" or not ((sample >= 0) & (sample < BITS * WORDS)).all(): return None
    word = sample[:, None] // BITS == np.arange(WORDS)
    return word * (1 << sample % BITS)[:, None]


def join_bits(
    draws: np.ndarray,  # Sets of bits, shape `(R, 3)`
    group: np.ndarray,  # Group of each row, shape `(R,)`
) -> np.ndarray:  # Sum of the sets of each group, shape `(G, 3)`
    "Sets of groups; a sum that is no set any more shows that one bit came twice."
    words = [np.minimum(np.bincount(group, word), 2.**62) for word in draws.T.astype(float)]
    return np.stack(words, 1).astype(np.int64)


def count_bits(
    words: np.ndarray,  # Sets of bits, shape `(..., 3)`
) -> np.ndarray:  # Bits set, shape `(...)`
    "The size of each set."
    bits = np.ascontiguousarray(words, np.int64).view(np.uint64)
    # Neighbours are added: numpy counts bits itself only from version 2.
    bits = bits - (bits >> 1 & PAIRS)
    bits = (bits & FOURS) + (bits >> 2 & FOURS)
    return ((bits + (bits >> 4) & BYTES) * LAST >> 56).sum(-1, np.int64)


def list_bits(
    draws: np.ndarray,  # Sets of bits, shape `(R, 3)`
) -> tuple[np.ndarray, np.ndarray]:  # Row and number of each bit that is set
    "The numbers that some sets hold."
    held = [np.flatnonzero(draws[:, i // BITS] >> i % BITS & 1) for i in range(BITS * WORDS)]
    return np.concatenate(held), np.repeat(np.arange(BITS * WORDS), list(map(len, held)))


def mark_distinct(
    draws: np.ndarray,  # Sets of bits, shape `(R, 3)`
    group: np.ndarray,  # Group of each row, shape `(R,)`
    times: np.ndarray,  # Samples behind each row, shape `(R,)`
) -> np.ndarray:  # One flag per group, shape `(G,)`
    "Whether each group has as many numbers as samples, so that none appears twice."
    words = join_bits(draws, group)
    # A bit that comes twice is carried on, which leaves fewer bits than samples.
    return count_bits(words) == np.bincount(group, times)
