"""Sample numbers and ids, runs, tasks and files: what tells whether samples are counted twice."""
from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..errors import OptionError
from ..spelling import name_verb
from .columns import Batch, list_names
from .values import Coded, extend_key

__all__ = ["BITS", "WORDS", "set_bits", "join_bits", "count_bits", "list_bits", "mark_distinct",
           "Fingerprint", "make_fingerprint", "choose_questions", "hash_names", "join_fingerprints",
           "find_shared", "MOST", "pack_fingerprint", "unpack_fingerprint", "Runs", "find_runs",
           "join_run_bits", "Task", "list_tasks", "refuse_other_tasks", "refuse_same_runs",
           "tell_versions", "File"]

# Words of 52 bits, so that an engine without whole numbers of 64 bits can add them as floats.
BITS, WORDS = 52, 3
# Every second bit, every second pair of bits, every second four of them, and the last of each byte.
PAIRS, FOURS, BYTES, LAST = (np.uint64(int(digits * 8, 16)) for digits in ("55", "33", "0F", "01"))
MOST = 1024  # Samples that a fingerprint keeps
LARGE = 64 * MOST  # Samples of one question beyond which none is kept
EVERY = 2**64 - 1  # End of a fingerprint that holds all samples
WHOLE = re.compile(r"(-?\d{1,18})(\.0)?")  # Beyond 64 bits a number is text
STEP, FIRST, SECOND = map(np.uint64, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
MOST_RUNS = BITS * WORDS  # Runs that are kept apart


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


def join_fingerprints(parts: Iterable[Fingerprint]) -> Fingerprint | None:  # Of their sum
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


def unpack_fingerprint(held: dict[str, Any] | None) -> Fingerprint | None:
    "A fingerprint from plain values."
    if held is None: return None
    question = np.repeat(unpack_array(held["questions"]), held["sizes"])
    return Fingerprint(question, unpack_array(held["samples"]), held["end"])


def pack_array(values: np.ndarray) -> str:
    return b64encode(values.astype("<u8").tobytes()).decode()


def unpack_array(text: str) -> np.ndarray:
    return np.frombuffer(b64decode(text), "<u8").astype(np.uint64)


@dataclass(frozen=True, eq=False)
class Runs:
    "The run of each row, or the runs of the samples that an engine has counted into it."
    names: tuple[Any, ...]  # Name of each run
    code: np.ndarray | None  # Position in `names` of each row's run
    words: np.ndarray | None = None  # Runs of each row as sets of bits, shape `(R, 3)`


def find_runs(batch: Batch, codes: Mapping[str, Coded]) -> Runs | None:
    "The run of each row: its sample number, its file, or both; None if unnamed, or too many."
    if batch.draws is not None:
        return None if "file" in codes else Runs(tuple(range(MOST_RUNS)), None, batch.draws)
    named = [codes[part] for part in ("file", "sample") if part in codes]
    if not named or any(len(part.names) > MOST_RUNS for part in named): return None
    parts = [part.sort() for part in named]
    if len(parts) == 1: return Runs(tuple(parts[0].names.tolist()), parts[0].code)
    return pair_names(*parts)


def pair_names(file: Coded, sample: Coded) -> Runs | None:
    "Runs that are named by file and sample."
    pairs, code = np.unique(extend_key(file.code, sample.code, len(sample.names)),
                            return_inverse=True)
    if len(pairs) > MOST_RUNS: return None
    outer, inner = file.names.tolist(), sample.names.tolist()
    names = [f"{outer[pair // len(inner)]} {inner[pair % len(inner)]}" for pair in pairs.tolist()]
    return Runs(tuple(names), code)


def join_run_bits(runs: Runs | None, row: np.ndarray) -> dict[str, Any]:  # Fields of `CountedRows`
    "The runs behind each counted row, as sets of bits."
    if runs is None: return {}
    if runs.words is not None: return dict(runs=join_bits(runs.words, row), run_names=runs.names)
    assert runs.code is not None
    words = np.zeros((int(row.max()) + 1, WORDS), np.int64)
    for i in range(-(-len(runs.names) // BITS)):
        bit = np.where(runs.code // BITS == i, 2. ** (runs.code % BITS), 0)
        words[:, i] = np.minimum(np.bincount(row, bit), 2.**62)
    return dict(runs=words, run_names=runs.names)


# The tasks and files that rows come from.


class Task(NamedTuple):
    "A task, as a log names it."
    name: str
    version: str = ""  # What tells its questions from others of the same name, if the log says
    run: str = ""  # Name of the run, if the log gives it one


Sides = Mapping[str, Iterable[Task]]  # Tasks of what is paired or added, by name of the side


def list_tasks(tasks: Iterable[Sequence[str]]) -> tuple[Task, ...]:
    "Each task once, in order of first appearance."
    return tuple(dict.fromkeys(Task(*task) for task in tasks))


def refuse_other_tasks(sides: Sides) -> None:
    """Refuse to pair the questions of two sides that have no task in common.

    Raises: `ValueError` naming the tasks of both.
    """
    known = [(side, tuple(tasks)) for side, tasks in sides.items()]
    known = [(side, tasks) for side, tasks in known if tasks]
    for other, tasks in known[1:]:
        first, expected = known[0]
        if share_task(expected, tasks): continue
        raise ValueError(
            f"only samples of the same task are paired, got {tell_names(expected)} in {first} and "
            f"{tell_names(tasks)} in {other}, whose questions differ even where their ids agree; "
            "if it is one task under two names, pass dataclasses.replace(read(...), tasks=())")


def share_task(tasks: Iterable[Task], others: Iterable[Task]) -> bool:
    "Whether two sides have a task in common: one of the same name, or of the same questions."
    names, versions = ({shorten_task(task.name) for task in tasks},
                       {task.version for task in tasks if "hash" in task.version})
    return any(shorten_task(task.name) in names or task.version in versions for task in others)


def tell_names(tasks: Iterable[Task]) -> str:
    "The names of some tasks, each once."
    return list_names(list(dict.fromkeys(task.name for task in tasks)))


def shorten_task(name: str) -> str:
    "A task without the package that it is from and without its number of examples."
    # inspect_ai writes gsm8k or inspect_evals/gsm8k, lighteval gsm8k|0 or gsm8k|5.
    return name.rpartition("/")[2].partition("|")[0]


def refuse_same_runs(sides: Sides) -> None:
    """Refuse to add two parts of one run, whose samples may stand in both.

    Raises: `ValueError` naming the task.
    """
    seen: dict[str, str] = {}
    for side, tasks in sides.items():
        for task in tasks:
            other = seen.setdefault(task.run, side) if task.run else side
            if other == side: continue
            raise OptionError("separate", f"{other} and {side} hold parts of one run of task "
                                          f"{task.name!r}, and may share samples",
                              hint=f"count their files together with {name_verb('count')}")


def tell_versions(sides: Sides) -> str:  # A warning; empty if there is none
    "Which task is not the same on all sides."
    found: dict[str, dict[str, str]] = {}
    for side, tasks in sides.items():
        for task in tasks:
            if task.version: found.setdefault(task.name, {}).setdefault(task.version, side)
    told = [f"of task {name!r} ({' against '.join(map(tell_place, versions.items()))})"
            for name, versions in found.items() if len(versions) > 1]
    return f"the questions {' and '.join(told)} may differ" if told else ""


def tell_place(found: tuple[str, str]) -> str:
    "A version and where it stands."
    version, side = found
    return f"{side}: {version}" if side else version


@dataclass(frozen=True)
class File:
    "A file that was counted, and what identifies it."
    path: str  # Where it was
    sha256: str = ""  # Hash of its unpacked content; empty if not yet known
    state: tuple | None = None  # Size and time of change when it was read
