"""What the caller chose, and what the readers say about it."""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .log import Log
from .totals import Total
from .words import quote_names

__all__ = ["Ask", "NoOutcomes", "no_outcome", "tell_outcome"]


class NoOutcomes(ValueError):
    "A log that is whole, and says of no sample whether it is right; in a folder it is left out."


@dataclass
class Ask:
    "What the caller chose, and remarks of the readers."
    filter:str|None=None # Filter whose answers are taken (lm-eval)
    score:str|None=None # Scorer, metric or reward, where a log holds several
    grade:Callable[[Any, Any], Any]|None=None # Judges anew; None keeps what the harness judged
    several:bool=False # Whether there is more than one log
    notes:list[str]=field(default_factory=list) # Remarks, for the sentence on what was read
    seen:dict[Any, Any]=field(default_factory=dict) # What readers remember from log to log
    used:set[str]=field(default_factory=set) # Options that a reader asked for
    unordered:list[bool]=field(default_factory=list) # Not empty where samples are numbered here
    versions:dict[str, str]=field(default_factory=dict) # What is known of each task's questions
    totals:list[Total]=field(default_factory=list) # How many samples there are, if it is stored
    files:frozenset[Path]=frozenset() # All files that were found, logs or not

    def choose(
        self,
        log:Log, # Where the names were found
        option:str, # Option that chooses: `filter` or `score`
        offered:Iterable[str], # Names there are
        prefer:Iterable[str]=(), # Names to take, the best first, where none is asked for
    )->str: # One of the names
        "The name that was asked for, else the only one there is, else the first preferred one."
        offered = list(dict.fromkeys(offered))
        asked: str | None = getattr(self, option)
        self.used.add(option)
        if asked is None: return _choose_unasked(log, option, offered, prefer)
        if asked in offered: return asked
        # Several logs may differ in what they hold; where there is no choice, none is refused.
        if self.several and len(offered) == 1: return offered[0]
        raise ValueError(f"{option} must be one of {quote_names(offered)}, got {asked!r} "
                         f"for {log.path.name}")

    def choose_score(
        self,
        log:Log, # Where the names were found
        offered:Iterable[str], # Names of scores
        prefer:Iterable[str]=(), # Names to take, the best first, where none is asked for
    )->str|None: # One of the names; None if answers are judged anew
        "The score to read, if it is not replaced by `grade`."
        return None if self.grade else self.choose(log, "score", offered, prefer)

    def is_new(
        self,
        key:Any, # What identifies a sample in all logs
    )->bool: # Whether no log before had it
        "Whether a sample is read for the first time; from now on it is known."
        size = len(self.seen)
        self.seen.setdefault(key)
        return len(self.seen) > size

    def note(
        self,
        remark:str, # What a reader of the numbers should know
    )->None:
        "Add a remark to the sentence on what was read."
        self.notes.append(remark)

    def list_held(
        self,
        run:Any, # What identifies a run in all logs
    )->set[Any]: # Names of its samples, which every log of the run adds to
        "The samples of a run of which several files hold the same or some."
        held: set[Any] = self.seen.setdefault(("held", run), set())
        return held

    def expect(
        self,
        expected:Any, # Samples that the log should hold; nothing is expected but of a number
        where:str, # What says so, such as `n-samples in results.json`
        *,
        questions:Mapping[Any, int]|None=None, # Samples of each question, if all are named
        each:int|None=None, # Samples of each question, if all have as many
        task:str|None=None, # The only task that is counted
        run:Any=None, # What the files of one run share, if their samples are counted together
        found:Collection[Any]|None=None, # Samples there are, where rows do not tell
        why:str="", # Why samples may be missing
    )->None:
        "Keep a total that the run stores of itself, to which its log is held."
        if isinstance(expected, bool) or not isinstance(expected, int) or expected < 1: return
        total = Total(expected, where, questions, each, task, run, found, why)
        self.totals.append(total)
    def note_unordered(self)->None:
        "Remember that the log names no sample, so that their numbers say nothing about runs."
        self.unordered.append(True)

    def note_task(
        self,
        task:str|None, # Name of a task
        questions:Iterable[str|None]=(), # What is asked, in any order and number; hashes will do
        about:str="", # What else tells it from others of the same name
    )->None:
        "Keep what two logs of one task are held against each other by."
        from hashlib import sha256  # For logs, and slow to import
        asked = sorted(set(filter(None, questions)))
        hashed = sha256("\0".join(asked).encode()).hexdigest()[:8]
        facts = [about, f"questions {len(asked)}, hash {hashed}" if asked else ""]
        if task: self.versions[task] = ", ".join(filter(None, facts))


def _choose_unasked(
    log: Log, option: str, offered: Sequence[str], prefer: Iterable[str],
) -> str:
    "The first preferred name, or the only one there is."
    found = [name for name in prefer if name in offered][:1] or offered
    if len(found) == 1: return found[0]
    if not offered: raise ValueError(f"{log.path.name} holds no {option}")
    raise ValueError(f"{log.path.name} holds several {option}s; "
                     f"pass {option}= one of {quote_names(offered)}")


def no_outcome(
    log:Log, # Log that cannot be read as it is
    harness:str, # Who wrote it
    why:str, # What it holds instead
)->NoOutcomes: # To be raised
    "The refusal of a log without an outcome per sample, which names the way out."
    return NoOutcomes(f"{harness} stores no outcome per sample in {log.path.name}: {why}; "
                      "pass grade='exact' or 'number' to compare each text with the target, or a "
                      "function of (answer, target) that says whether the answer is right")


def tell_outcome(
    name:str|None, # Score that was chosen; None if answers are judged anew
)->str: # Words for the sentence on what was read
    "Where outcomes come from, in the same words for all readers."
    return f"score={name}" if name else "correct=grade"
