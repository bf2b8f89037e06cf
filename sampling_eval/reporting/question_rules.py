"""What a gate says of single questions: those that fell, and those that must pass."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..report.blocks import Table
from .numbers import p_text
from .parts import Part, Sentence
from .phrases import say_count
from .records import Record

__all__ = ["Fall", "MustPass", "Watch", "VERDICTS", "mark_verdict", "open_sentence", "say_lower",
           "say_falls", "say_must_pass", "say_watch", "say_open", "list_question_parts",
           "list_plainly", "list_tests"]

SHOWN = 5  # Questions that a sentence names
NEAR = .2  # Largest p value of a fall that is worth a sentence though it may be chance
LISTED = 50  # Questions that a table has
LONGEST = 60  # Characters of a question's name in a sentence
VERDICTS = {"pass": ("✓", "passed"), "fail": ("✗", "failed"), "weak": ("?", "cannot tell")}


@dataclass(frozen=True, eq=False, repr=False)
class Fall(Record):
    "A question that the new system answers right less often than the baseline."
    question: Any  # Its name
    before: int  # Right samples of the baseline
    of_before: int  # Samples of the baseline
    after: int  # Right samples of the new system
    of_after: int  # Samples of the new system
    p: float  # Chance of so deep a fall if nothing changed
    adjusted: float  # The same over all questions; 1 where `p` is above the level
    certain: bool  # Whether it is more than samples drawn again would show

    names = ("question", "before", "of_before", "after", "of_after", "p", "adjusted", "certain")

    def __str__(self) -> str:
        samples = f" of {self.of_before}" * (self.of_before != self.of_after)
        right = f"{self.before}{samples} to {self.after} of {self.of_after} right"
        return f"{cut_name(self.question)} ({right})"


@dataclass(frozen=True, eq=False, repr=False)
class MustPass(Record):
    "A question that must pass, and how often it is right."
    question: Any  # Its name
    right: int  # Right samples of the new system
    samples: int  # All samples of the new system
    needed: int  # Right samples that it takes
    verdict: str  # `pass` or `fail`

    names = ("question", "right", "samples", "needed", "verdict")

    def __str__(self) -> str:
        return f"{cut_name(self.question)} ({self.right} of {self.samples} right)"


@dataclass(frozen=True, eq=False, repr=False)
class Watch(Record):
    "How much the samples could show of single questions."
    questions: int  # Questions compared
    watched: int  # Those on which losing every right sample would be certain
    n_min: int  # Fewest samples of a question and side
    n_max: int  # Most samples of one
    needed: int  # Samples that show a fall from all right to none on any question
    level: float  # Largest chance that any question is named that did not fall
    lower: int | None = None  # Questions right less often; None in JSON of older versions

    names = ("questions", "watched", "n_min", "n_max", "needed", "level", "lower")


def mark_verdict(
    verdict: str,  # `pass`, `fail` or `weak`
) -> str:  # Such as `✓ passed`
    "A verdict as a cell of a page, with a mark that needs no colour."
    return " ".join(VERDICTS[verdict])


def cut_name(name: object) -> str:
    "The name of a question, shortened in the middle where it is long; a number is said to be one."
    text = str(name)
    if text.isdigit(): return f"question {text}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST // 2]}...{text[-LONGEST // 3:]}"


def name_some(found: Sequence[object]) -> str:
    "The first few of several, and how many more there are."
    more = len(found) - SHOWN
    return ", ".join(map(str, found[:SHOWN])) + f" and {more} more" * (more > 0)


def name_falls(
    falls: Sequence[Fall],  # Questions that are right less often
) -> str:  # Such as `2 questions fell: q7 (4 to 0 of 4 right), ...`
    "The questions that fell beyond chance; empty where none did."
    found = [fall for fall in falls if fall.certain]
    return f"{say_count([len(found)], 'question')} fell: {name_some(found)}" if found else ""


def say_watch(
    watch: Watch,  # What the samples could show
) -> str:  # One sentence without its full stop
    "On how many questions a complete fall would have been seen."
    whole = say_count([watch.questions], "question")
    if watch.watched:
        return f"on {watch.watched} of {whole} a loss of all right samples would have been noticed"
    if watch.n_min >= watch.needed:
        return "no question was right often enough before for a fall to show"
    few = say_count([watch.n_min, watch.n_max], "sample")
    return (f"with {few} each, no fall of a single question among {whole} can be told from chance; "
            f"{watch.needed} samples each would show a fall from all right to none")


def say_lower(
    falls: Sequence[Fall],  # Questions that are right less often
    watch: Watch,  # How many there are
) -> str:  # One sentence without its full stop
    "Which questions fell beyond chance, and how many were right less often."
    named = name_falls(falls)
    if watch.lower is None: return named or "no question fell by more than chance explains"
    rest = watch.lower - sum(fall.certain for fall in falls)
    if named: return f"{named}; {say_rest(rest, watch)}" if rest else named
    if not rest: return "no question was right less often"
    if rest == 1: return f"{say_part(1, watch)}, by no more than chance explains"
    return f"{say_part(rest, watch)}; none alone by more than chance explains"


def say_part(number: int, watch: Watch) -> str:
    "So many of the questions."
    whole = say_count([watch.questions], "question")
    return f"{number:,} of {whole} {'was' if number == 1 else 'were'} right less often"


def say_rest(number: int, watch: Watch) -> str:
    "How many are lower beside those that fell."
    others = "other" if number == 1 else "others"
    return (f"{number:,} {others} of {watch.questions:,} {'was' if number == 1 else 'were'} right "
            "less often, by no more than chance explains")


def say_falls(
    falls: Sequence[Fall],  # Questions that are right less often
    watch: Watch,  # What the samples could show
) -> str:  # One or two sentences
    "Which questions fell beyond what samples drawn again would show, and whether any could."
    said = open_sentence(say_lower(falls, watch))
    return f"{said}." if name_falls(falls) else f"{said}. {open_sentence(say_watch(watch))}."


def open_sentence(
    text: str,  # A sentence that may follow another
) -> str:
    "The same with a capital."
    return f"{text[:1].upper()}{text[1:]}"


def say_open(
    falls: Sequence[Fall],  # Questions that are right less often
) -> str:  # One sentence, empty where there are none
    "The clearest of the falls that may be chance."
    found = [fall for fall in falls if not fall.certain and fall.p <= NEAR]
    said = ", ".join(map(str, found[:3]))
    return f"The clearest of those that may be chance: {said}." if found else ""


def say_must_pass(
    found: Sequence[MustPass],  # Questions that must pass
    share: float,  # Least share of right samples
) -> str:  # A sentence without its full stop
    "Whether the questions that must pass do, and which ones do not."
    rule = "in every sample" if share == 1 else f"in at least {100 * share:g} % of the samples"
    failed = [one for one in found if one.verdict == "fail"]
    whole = say_count([len(found)], "must-pass question")
    if not failed: return f"{whole} {be(len(found))} right {rule}"
    return f"{len(failed)} of {whole} {be(len(failed))} not right {rule}: {name_some(failed)}"


def be(number: int) -> str: return "is" if number == 1 else "are"


def list_question_parts(
    falls: Sequence[Fall],  # Questions that are right less often
    watch: Watch | None,  # What the samples could show; None where nothing was compared
    must_pass: Sequence[MustPass],  # Questions that must pass
) -> list[Part]:  # Tables and sentences
    "Every number about single questions."
    parts: list[Part] = []
    if must_pass:
        heads = ["question", "right", "needed", "verdict"]
        parts += cut_table(heads, sort_must_pass(must_pass), "Questions that must pass")
    parts += list_tests(falls, watch)
    if watch: parts.append(Sentence(say_falls(falls, watch)))
    return parts


def list_plainly(
    falls: Sequence[Fall],  # Questions that are right less often
    watch: Watch | None,  # How many there are
    must_pass: Sequence[MustPass],  # Questions that must pass
) -> list[Part]:  # Tables
    "Single questions without the numbers of a test."
    parts: list[Part] = []
    if must_pass:
        rows = [[name, right, f"{needed} of {right.rpartition(' ')[2]}", mark_verdict(verdict)]
                for name, right, needed, verdict in sort_must_pass(must_pass)]
        heads = ["question", "right", "needed", "verdict"]
        parts += cut_table(heads, rows, "Questions that must pass")
    if falls:
        rows = [[name, before, now, fell] for name, before, now, *_, fell in map(write_fall, falls)]
        parts += cut_table(["question", "before", "now", "fell"], rows, name_table(falls, watch))
    return parts


def list_tests(
    falls: Sequence[Fall],  # Questions that are right less often
    watch: Watch | None,  # How many there are
) -> list[Part]:  # A table, and a sentence where it is cut
    "The test of each question that is listed."
    if not falls: return []
    heads = ["question", "before", "now", "p", "adjusted p", "fell"]
    return cut_table(heads, list(map(write_fall, falls)), name_table(falls, watch))


def name_table(falls: Sequence[Fall], watch: Watch | None) -> str:
    "The heading of the questions that are listed."
    lower = None if watch is None else watch.lower
    if lower is None: return "Questions right less often"
    if lower == 1: return "The question that was right less often"
    which = f"{len(falls)} clearest of {lower:,}" if len(falls) < lower else f"{lower:,}"
    return f"The {which} questions that were right less often"


def sort_must_pass(found: Sequence[MustPass]) -> list[list[str]]:
    "Those that fail come first, each kind in its order."
    return list(map(write_must_pass, sorted(found, key=has_passed)))


def cut_table(heads: list[str], rows: list[list[str]], title: str) -> list[Part]:
    "A table of the first rows, and a sentence on the others."
    more = len(rows) - LISTED
    said = f"{more} more: the JSON form of the gate has them all."
    return [Table(heads, rows[:LISTED], title), *[Sentence(said)] * (more > 0)]


def has_passed(one: MustPass) -> bool: return one.verdict == "pass"


def write_must_pass(one: MustPass) -> list[str]:
    "A row of the table of questions that must pass."
    return [str(one.question), f"{one.right} of {one.samples}", str(one.needed), one.verdict]


def write_fall(fall: Fall) -> list[str]:
    "A row of the table of falls."
    before, after = f"{fall.before} of {fall.of_before}", f"{fall.after} of {fall.of_after}"
    certain = "yes" if fall.certain else "may be chance"
    return [str(fall.question), before, after, p_text(fall.p), p_text(fall.adjusted), certain]
