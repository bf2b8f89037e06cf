"""What a reader is given and gives: what the caller chose, what is known of a log, its rows."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ...errors import OptionError
from ...spelling import option
from ...results.reading import NoteKind, ReadNote
from .limits import quote_names, shorten
from .log import Log

__all__ = ["Ask", "NoOutcomes", "Row", "Rows", "Scored", "Total", "add_score", "as_number",
           "find_period", "has_keys", "is_solved", "list_numbers", "name_outcome", "no_outcome",
           "number_samples"]

# Parts of one sample, such as question, sample and correct; `said` is what was asked and answered,
# for pages that show it: texts, messages, or functions that give them
Row: TypeAlias = dict[str, Any]
# Field of the log that was taken for each part (or a sentence on it), and one row per sample
Rows: TypeAlias = tuple[Mapping[str, str] | str, Iterable[Row]]


class Scored(NamedTuple):
    "A question whose choices have log-probabilities."
    question: Any  # Its name
    texts: list[str]  # Texts of the choices
    logprobs: list[float]  # Their log-probabilities
    unconditional: list[float] | None  # The same without the question, if stored
    gold: Any  # Position of the right choice, or its text
    acc: float | None  # Whether the likeliest choice was judged right, if stored


class NoOutcomes(OptionError):
    "A log that is whole, and says of no sample whether it is right; in a folder it is left out."

    def __init__(self,
        reason: str,  # Why, without what to type
        advice: str = "",  # What to type
    ) -> None:
        super().__init__("grade", reason, hint=advice)


@dataclass(frozen=True)
class Total:
    "How many samples a run has by what is stored beside them."
    expected: int  # Samples
    where: str  # What says so, such as `n-samples in results.json`
    questions: Mapping[Any, int] | None = None  # Samples of each question, if all are named
    each: int | None = None  # Samples of each question, if all have as many
    task: str | None = None  # The only task that it counts
    run: Any = None  # What the files of one run share, if it counts the samples of several
    found: Collection[Any] | None = None  # Samples there are, where rows do not tell; may grow
    why: str = ""  # Why samples may be missing, such as how the run ended


@dataclass
class Ask:
    "What the caller chose, and what a reader has to say of a log beside its rows."
    filter: str | None = None  # Filter whose answers are taken (lm-eval), or agent (verifiers)
    score: str | None = None  # Scorer, metric or reward, where a log holds several
    grade: Callable[[Any, Any], Any] | None = None  # Judges anew; None keeps the stored outcomes
    task: str | None = None  # The only task whose samples are read; None for all
    several: bool = False  # Whether there is more than one log
    texts: Any = None  # A `Gathering` of what samples say; None where they are only counted
    files_hold: str | None = None  # What several files hold: draws or models
    files: frozenset[Path] = frozenset()  # All files that were found, logs or not
    folders: frozenset[Path] = frozenset()  # Folders that the caller named
    seen: dict[Any, Any] = field(default_factory=dict)  # What readers remember from log to log
    used: set[str] = field(default_factory=set)  # Options that a reader asked for
    # Of one log:
    notes: list[ReadNote] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)  # What is known of each task's questions
    totals: list[Total] = field(default_factory=list)  # How many samples there are, if it is stored
    unordered: bool = False  # Whether samples are numbered here, as the log names none
    owner: str = ""  # What a log without a model is called where others name theirs; its file if ""

    def start_log(self) -> Ask:
        "The same for the next log, of which nothing is known yet."
        return replace(self, notes=[], versions={}, totals=[], unordered=False, owner="")

    def choose(
        self,
        log: Log,  # Where the names were found
        which: str,  # Option that chooses: `filter` or `score`
        offered: Iterable[str],  # Names there are
        prefer: Iterable[str] = (),  # Names to take, the best first, where none is asked for
    ) -> str:  # One of the names
        "The name that was asked for, else the first preferred one, else the only one there is."
        offered = list(dict.fromkeys(offered))
        asked: str | None = getattr(self, which)
        self.used.add(which)
        if asked is None: return choose_unasked(log, which, offered, prefer)
        if asked in offered: return asked
        # Several logs may differ in what they hold; where there is no choice, none is refused.
        if self.several and len(offered) == 1: return offered[0]
        raise OptionError(which, must=f"be one of {quote_names(offered)}", choices=offered,
                          got=asked, where=f" for {log.path.name}")

    def choose_score(
        self,
        log: Log,  # Where the names were found
        offered: Iterable[str],  # Names of scores
        prefer: Iterable[str] = (),  # Names to take, the best first, where none is asked for
    ) -> str | None:  # One of the names; None if answers are judged anew
        "The score to read, if it is not replaced by `grade`."
        return None if self.grade else self.choose(log, "score", offered, prefer)

    def is_new(
        self,
        key: Any,  # What identifies a sample in all logs
    ) -> bool:  # Whether no log before had it
        "Whether a sample is read for the first time; from now on it is known."
        size = len(self.seen)
        self.seen.setdefault(key)
        return len(self.seen) > size

    def take_once(
        self,
        key: Any,  # What identifies a sample in all logs
    ) -> bool:  # Whether no log before had it
        "Whether a sample counts here; one that an earlier log held is noted."
        new = self.is_new(key)
        if not new: self.add_note("counted_once", count=1)
        return new

    def note(
        self,
        remark: str,  # What a reader of the numbers should know
    ) -> None:
        "Add a remark of a reader of another package to what was read."
        self.notes.append(ReadNote("log", text=remark))

    def add_note(
        self,
        kind: NoteKind,
        *names: str,  # What it is about
        count: int | None = None,  # Samples that it is about
        text: str = "",  # What the log says in its own words
    ) -> None:
        "Add a note to what was read; of samples, that it is about more of them."
        for i, note in enumerate(self.notes):
            if (note.kind, note.names, note.text) == (kind, names, text):
                if count is not None: self.notes[i] = replace(note, count=(note.count or 0) + count)
                return
        self.notes.append(ReadNote(kind, names, count=count, text=text))

    def note_missing(
        self,
        what: str,  # What a sample is called, such as `trial`
        why: str,  # Why it has no outcome, after its name
        count: int = 1,  # How many more there are
    ) -> None:
        "Note samples that have no outcome."
        if count: self.add_note("no_outcome", what, why, count=count)

    def list_held(
        self,
        run: Any,  # What identifies a run in all logs
    ) -> set[Any]:  # Names of its samples, which every log of the run adds to
        "The samples of a run of which several files hold the same or some."
        held: set[Any] = self.seen.setdefault(("held", run), set())
        return held

    def expect(
        self,
        expected: Any,  # Samples that the log should hold; nothing is expected but of a number
        where: str,  # What says so, such as `n-samples in results.json`
        **more: Any,  # Further fields of a `Total`
    ) -> None:
        "Keep a total that the run stores of itself, to which its log is held."
        if isinstance(expected, bool) or not isinstance(expected, int) or expected < 1: return
        self.totals.append(Total(expected, where, **more))

    def note_unordered(self) -> None:
        "Remember that the log names no sample, so that their numbers say nothing about runs."
        self.unordered = True

    def note_task(
        self,
        task: str | None,  # Name of a task
        questions: Iterable[str | None] = (),  # What is asked, in any order; hashes will do
        about: str = "",  # What else tells it from others of the same name
    ) -> None:
        "Keep what two logs of one task are held against each other by."
        from hashlib import sha256  # For logs, and slow to import
        asked = sorted(set(filter(None, questions)))
        hashed = sha256("\0".join(asked).encode()).hexdigest()[:8]
        facts = [about, f"questions {len(asked)}, hash {hashed}" if asked else ""]
        if task: self.versions[task] = ", ".join(filter(None, facts))


def choose_unasked(log: Log, which: str, offered: Sequence[str], prefer: Iterable[str]) -> str:
    "The first preferred name, or the only one there is."
    found = [name for name in prefer if name in offered][:1] or offered
    if len(found) == 1: return found[0]
    if not offered: raise OptionError(which, f"{log.path.name} holds no {which}")
    raise OptionError(which, f"{log.path.name} holds several {which}s", choices=offered,
                      hint=f"pass {option(which)} one of {quote_names(offered)}")


def no_outcome(log: Log, harness: str, why: str) -> NoOutcomes:  # To be raised
    "The refusal of a log without an outcome per sample, which names the way out."
    return NoOutcomes(f"{harness} stores no outcome per sample in {log.path.name}: {why}",
                      f"pass {option('grade', 'exact', 'number')} to compare each text with the "
                      "target, or a function of (answer, target) that says whether the answer is "
                      "right")


def name_outcome(name: str | None) -> dict[str, str]:
    "What is taken for the outcome: a score, or the caller's judgement where none was chosen."
    return dict(score=name) if name else dict(correct="grade")


# What readers ask of a record.

def has_keys(value: object, *names: str) -> bool:
    "Whether something is an object with all of these keys."
    return isinstance(value, dict) and value.keys() >= set(names)


def list_numbers(record: dict[str, Any]) -> list[str]:
    "The keys of a record that hold a number, true or false."
    return [key for key, value in record.items() if isinstance(value, (bool, int, float))]


def as_number(
    value: object,  # A number, true or false; or None
    place: str,  # What it is, for the message
) -> float | None:  # None stays None
    "A score as a float; raises `ValueError` for anything but a number."
    if value is None: return None
    if isinstance(value, (bool, int, float)): return float(value)
    raise ValueError(f"{place} must be a number, got {shorten(value)}")


def add_score(
    row: Row,  # Parts of a sample
    scores: dict[str, Any],  # Where the score stands
    name: str | None,  # Its key; None if answers are judged anew
) -> Row:  # The row, with its score if there is one to read
    "A row with the score that was chosen."
    return row if name is None else row | dict(score=as_number(scores[name], name))


def is_solved(reward: Any) -> bool | None:
    "Whether a reward is 1; rewards are products of floats, so a little less is taken for it."
    number = as_number(reward, "reward")
    return None if number is None or number != number else abs(number - 1) <= 1e-6


def number_samples(
    records: Iterable[Any],  # Records whose samples carry no number
    name: Callable[[Any], Hashable],  # Maps a record to the question it belongs to
) -> Iterator[tuple[int, Any]]:  # Position within the question, and the record
    "Each record with its place among those of the same question, in order of appearance."
    seen: Counter[Hashable] = Counter()
    for record in records:
        question = name(record)
        yield seen[question], record
        seen[question] += 1


def find_period(prompts: Sequence[Hashable]) -> int:
    "The number of questions of a log whose repeats follow one another, where it is not stored."
    total = len(prompts)
    sizes = (size for size in range(1, total + 1) if total % size == 0)
    return next((size for size in sizes if prompts[size:] == prompts[:total - size]), 1)
