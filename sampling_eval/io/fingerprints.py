"""Fingerprints of sample ids, so that counts know which samples they hold."""
from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Fingerprint", "make_fingerprint", "choose_questions", "hash_names", "join_fingerprints",
           "find_shared", "EVERY", "MOST", "pack_fingerprint", "unpack_fingerprint"]

MOST = 1024  # Samples that a fingerprint keeps
LARGE = 64 * MOST  # Samples of one question beyond which none is kept
EVERY = 2**64 - 1  # End of a fingerprint that holds all samples
WHOLE = re.compile(r"(-?\d{1,18})(\.0)?")  # Beyond 64 bits a number is text
STEP, FIRST, SECOND = map(np.uint64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """Hashes of all samples of the questions whose own hash is at most `end`.

    Which questions these are depends on their names only: two fingerprints hold the same ones, so
    that a sample that stands behind both is seen. Two of a million samples each, all different,
    have a hash in common with a chance below 10^-7, kept ones with one below 10^-13.
    """
    question: np.ndarray  # Hash of the question of each sample, ascending, shape `(S,)`
    sample: np.ndarray  # Hash of model, question and sample id, shape `(S,)`
    end: int = EVERY  # Hash up to which questions are held

    def trim(self, most: int = MOST) -> Fingerprint | None:
        "The same with at most so many samples, or one question; None where that is too large."
        if len(self.sample) <= most: return self
        names, sizes = np.unique(self.question, return_counts=True)
        held = count_held(sizes, most)
        if sizes[0] > LARGE: return None
        return self.cut(int(names[held - 1]))

    def cut(self, end: int) -> Fingerprint:
        "The same up to an earlier end."
        if end >= self.end: return self
        held = self.question <= np.uint64(end)
        return Fingerprint(self.question[held], self.sample[held], end)


def count_held(sizes: np.ndarray, most: int) -> int:
    "How many of the first questions together have at most so many samples; at least one."
    return max(1, int(np.searchsorted(np.cumsum(sizes), most, "right")))


def mix_bits(values: np.ndarray) -> np.ndarray:
    "Whole numbers of 64 bits, scattered one to one (SplitMix64)."
    with np.errstate(over="ignore"):
        values = values + STEP
        values = (values ^ (values >> np.uint64(30))) * FIRST
        values = (values ^ (values >> np.uint64(27))) * SECOND
        return values ^ (values >> np.uint64(31))


def hash_names(
    names: Sequence[Any] | np.ndarray,  # Text or whole numbers; 5, 5.0 and '5' are one name
) -> np.ndarray:  # Hash of each, uint64
    "Names as numbers that do not depend on the machine, the session, or where a name was read."
    array = names if isinstance(names, np.ndarray) else np.array(names, object)
    if array.dtype.kind == "i": return mix_bits(array.astype(np.int64).view(np.uint64))
    texts = list(map(str, array.tolist()))
    found = [WHOLE.fullmatch(text) for text in texts]
    if all(found): return hash_names(np.array([int(o[1]) for o in found if o], np.int64))
    return np.array([hash_text(text) if number is None else hash_whole(int(number[1]))
                     for text, number in zip(texts, found)], np.uint64)


def hash_whole(number: int) -> int: return int(hash_names(np.array([number], np.int64))[0])


def hash_text(text: str) -> int:
    from hashlib import blake2b
    return int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(),
                          "little")


def choose_questions(
    question: np.ndarray,  # Hash of each question
    times: np.ndarray,  # Samples of each
    most: int | None,  # Samples wanted; None for all
) -> tuple[np.ndarray, int]:  # Whether each question is held, and the hash of the last one
    "The questions of a fingerprint; none where the first has too many samples."
    if most is None or times.sum() <= most: return np.full(len(question), True), EVERY
    order = np.argsort(question)
    if times[order[0]] > LARGE: return np.full(len(question), False), 0
    end = question[order[count_held(times[order], most) - 1]]
    return question <= end, int(end)


def make_fingerprint(
    question: np.ndarray,  # Hash of the question of each sample
    sample: np.ndarray,  # Hash of its id
    model: np.ndarray | int,  # Hash of its model
    end: int,  # Hash up to which questions are held
) -> Fingerprint:
    "The fingerprint of some samples."
    joined = mix_bits(mix_bits(mix_bits(np.asarray(model, np.uint64) ^ question) ^ sample) ^ STEP)
    order = np.lexsort((joined, question))
    return Fingerprint(question[order], joined[order], end)


def join_fingerprints(
    parts: Iterable[Fingerprint],  # Of runs that are added
) -> Fingerprint | None:  # Of their sum
    "The fingerprint of all samples together."
    parts = list(parts)
    end = min(part.end for part in parts)
    cut = [part.cut(end) for part in parts]
    question = np.concatenate([part.question for part in cut])
    sample = np.concatenate([part.sample for part in cut])
    order = np.lexsort((sample, question))
    return Fingerprint(question[order], sample[order], end).trim()


def find_shared(
    one: Fingerprint,
    other: Fingerprint,
) -> np.ndarray:  # Hash of the question of each sample that both hold
    "The samples that two fingerprints share."
    end = min(one.end, other.end)
    one, other = one.cut(end), other.cut(end)
    _, at, _ = np.intersect1d(one.sample, other.sample, return_indices=True)
    return one.question[at]


# In a counts file.

def pack_fingerprint(
    one: Fingerprint | None,
) -> dict[str, Any] | None:  # What JSON holds
    "A fingerprint as plain values."
    if one is None: return None
    names, sizes = np.unique(one.question, return_counts=True)
    return dict(end=one.end, questions=pack_array(names), sizes=sizes.tolist(),
                samples=pack_array(one.sample))


def unpack_fingerprint(
    held: dict[str, Any] | None,  # What `pack_fingerprint` gave; None in older files
) -> Fingerprint | None:
    "A fingerprint from plain values."
    if held is None: return None
    question = np.repeat(unpack_array(held["questions"]), held["sizes"])
    return Fingerprint(question, unpack_array(held["samples"]), held["end"])


def pack_array(values: np.ndarray) -> str:
    return b64encode(values.astype("<u8").tobytes()).decode()


def unpack_array(text: str) -> np.ndarray:
    return np.frombuffer(b64decode(text), "<u8").astype(np.uint64)
