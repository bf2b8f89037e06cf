"""What was read, in words, and of which files, when and with which versions a page was made."""
from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import TypeAlias, Union

import numpy as np

from ...spelling import option
from ...patterns import files_in_short
from ...render.blocks import Block, Table, Text
from ...render.format import count, join, percent
from ...results.reading import Missing, NoteKind, ReadNote, ReadSummary, SourceFile

__all__ = ["describe_read", "describe_input", "are_shares", "items_clause", "missing_clause",
           "define_missing", "describe_note", "describe_end", "versions_sentence", "source_blocks",
           "made_on"]


# What was read


TREATED = dict(wrong="counted as wrong", drop="excluded", right="counted as right",
               both="counted both ways")


def describe_read(
    read: ReadSummary | Mapping[str, ReadSummary],  # One input, or several by their name
) -> str:  # `read 200 rows from old.jsonl: question=id, correct=ok; no sample missing.`
    "A sentence on each input; one for all where they differ in nothing but their files."
    if isinstance(read, ReadSummary): return f"{describe_input(read)}."
    if len(read) == 1: return describe_read(*read.values())
    alike = [replace(one, name="", files=()) for one in read.values()]
    if len(alike) > 1 and all(one == alike[0] for one in alike):
        return f"Each of {len(alike)} inputs: {describe_input(alike[0])}."
    return " ".join(f"{name}: {describe_input(one)}." for name, one in read.items())


def describe_input(read: ReadSummary) -> str:
    "What was read of one input, as clauses."
    settled = read.missing is not None and read.missing.count > 0
    notes = [describe_note(note) for note in read.notes
             if not (settled and note.kind == "missing_outcomes")]
    missing = "" if read.missing is None else missing_clause(read.missing)
    return "; ".join(filter(None, [origin_clause(read), *notes, missing]))


def missing_clause(missing: Missing) -> str:
    "How many samples are missing, and what they count as."
    if missing.count:
        said = (f"{missing.count} of {missing.total} samples missing (coverage "
                f"{percent(missing.coverage)})")
        treated = TREATED.get(missing.policy)
        return f"{said}, {treated}" if treated else said
    return "no outcome missing" if missing.ragged else "no sample missing"


def define_missing(known: Sequence[Missing]) -> str:
    "How many samples of all systems had no outcome, and what they count as."
    lost = sum(one.count for one in known)
    if not lost: return "No sample was missing." if known else ""
    treated = dict.fromkeys(TREATED.get(one.policy, "missing") for one in known if one.count)
    was = "was" if lost == 1 else "were"
    return f"{count(lost, 'sample')} had no outcome and {was} {' or '.join(treated)}."


def origin_clause(read: ReadSummary) -> str:
    "What the input is, how large, and which column is which."
    if read.kind == "accumulator": return f"accumulator: {read.rows} closed questions"
    if read.kind == "table": return table_origin(read)
    if read.kind == "runs": return merged_runs(read.inputs)
    if read.kind == "gradings": return gradings_clause(read)
    if read.kind == "log": return log_origin(read)
    if read.kind == "counts":
        return f"{read.name} taken as {count(read.rows, 'question')} with one sample each"
    return ""  # Outcomes have no columns


def table_origin(read: ReadSummary) -> str:
    origin = files_in_short(read.files) if read.files else read.name
    place = f" {'of' if read.counted else 'from'} {origin}" if origin else ""
    verb = "counted" if read.counted else "read"
    return f"{verb} {input_size(read)}{place}: {columns_clause(read)}"


def log_origin(read: ReadSummary) -> str:
    "Where samples come from, and the field of the log that was taken for each part."
    if read.inputs: return "; ".join(map(log_origin, read.inputs))
    said = f"read {input_size(read)} from {files_in_short(read.files)} ({read.harness})"
    return f"{said}: {columns_clause(read)}" if read.columns else said


def input_size(read: ReadSummary) -> str:
    return f"{read.rows} {read.unit}{'s' * (read.rows != 1)}"


def columns_clause(read: ReadSummary) -> str:
    "The column of each part."
    parts = [f"{'not used: ' * (part in read.unused)}{part}={column}"
             for part, column in read.columns.items()]
    if read.sums: parts.append(f"sums={' and '.join(read.sums)}")
    return ", ".join(parts)


def merged_runs(runs: tuple[ReadSummary, ...]) -> str:
    "What was added; which column is which only once where it is the same in all runs."
    many = f"added {len(runs)} run{'s' * (len(runs) != 1)}"
    alike = [replace(run, name="", files=(), rows=0, counted=False, warnings=()) for run in runs]
    if runs[0].kind != "table" or any(one != alike[0] for one in alike):
        return f"{many}: {'; '.join(describe_input(run) or 'unnamed' for run in runs)}"
    sizes = [f"{input_size(run)} {'of' if run.counted else 'from'} "
             f"{files_in_short(run.files) if run.files else run.name}" for run in runs]
    notes = [describe_note(note) for note in runs[0].notes]
    return "; ".join([f"{many}, {' and '.join(sizes)}: {columns_clause(runs[0])}", *notes])


def gradings_clause(read: ReadSummary) -> str:
    size = len(read.gradings)
    of = ("gradings of the same samples: CIs for the same questions are approximate"
          if read.same_samples else "columns of right samples, taken as independent")
    said = (f"{name}: {describe_input(one)}" for name, one in zip(read.gradings, read.inputs))
    return "; ".join([f"{size} {of}", *said])


def outcome_words(words: Mapping[str, bool]) -> str:
    "Which word stands for what, such as `C = correct, I = incorrect`."
    known = sorted({(not right, word.strip()) for word, right in words.items()})
    return ", ".join(f"{word} = {'incorrect' if wrong else 'correct'}" for wrong, word in known)


# Of one input, or of several.
Read: TypeAlias = Union[ReadSummary, Mapping[str, ReadSummary], None]


def list_notes(read: Read) -> Iterator[ReadNote]:
    "What was noted of every input."
    inputs = [] if read is None else [read] if isinstance(read, ReadSummary) else read.values()
    for one in inputs: yield from one.all_notes()


def are_shares(read: Read) -> bool:
    "Whether values are win shares, of which a prompt has one and no samples."
    return any(note.kind == "battles" for note in list_notes(read))


def items_clause(read: Read) -> str:
    "What is drawn where questions share items; empty where they do not, or inputs differ."
    found = {unit_clause(note) for note in list_notes(read) if note.kind == "items"}
    return found.pop() if len(found) == 1 else "the item is the unit" * bool(found)


def unit_clause(note: ReadNote) -> str:
    "How many items there are: `250 items, each in 8 groups: the item is the unit`."
    items = count(note.count or 0, "item") + " by number" * bool(note.names)
    if note.value: return f"{items}, each in {note.value:g} groups: the item is the unit"
    return f"{count(note.total or 0, 'question')} of {items}: the item is the unit"


def tasks_clause(names: tuple[str, ...]) -> str:
    *columns, question = names
    return (f"questions are named {'/'.join(names)}, since one {question} stands under several "
            f"values of {join(columns)} ({option('ignore', columns[0])} if it is one question)")


def describe_run_means(note: ReadNote) -> str:
    over = f" over {note.count} questions" if note.count else ""
    return (f"each row is the mean of a whole run{over}: nothing is known of single questions, or "
            "of new ones")


def describe_end(note: ReadNote) -> str:
    "How a run ended, and why."
    if not note.names: return "the run has no final report"
    return f"the run ended with status {note.names[0]!r}" + (f" ({note.text})" if note.text else "")


RULES = dict(exact="text", number="number", last_line="last line")


def describe_grading(note: ReadNote) -> str:
    rule = RULES[note.names[0]]
    odd = f"; {note.count} of {note.total} texts are no number and wrong" if note.count else ""
    return f"correct = {rule} equals the target{odd}"


def describe_repeated_rows(note: ReadNote) -> str:
    model, file = note.names
    who, where = f"{model}: " if model else "", f" of {file}" if file else ""
    many = note.count or 0
    verb, them = ("repeats", "it") if many == 1 else ("repeat", "them")
    return (f"{who}{many:,} of {count(note.total or 0, 'row')}{where} {verb} an earlier one "
            f"(same {note.text}); without {them} every question has "
            f"{count(int(note.value or 0), 'sample')}. If a resumed run wrote {them} again, "
            f"leave {them} out")


# One note of each kind: a template of its fields, or a function of the note.

NOTES: dict[NoteKind, str | Callable[[ReadNote], str]] = dict(
    threshold="correct = {names[0]} > {value:.12g}",
    score_as_outcome="correct = {names[0]} (all 0 or 1)",
    words=lambda note: outcome_words(note.words),
    graded="scores are graded; a threshold would make them right or wrong",
    mixed_names="{names[0]} names of mixed types compared as text",
    whole_names="{names[0]} names such as 1.0 read as whole numbers",
    sums_only="more than {count} different scores: their sums are kept, single ones are not",
    named_by_group="questions are named group/question",
    named_by_task=lambda note: tasks_clause(note.names),
    items=lambda _: ("an id in several groups is one item "
                     f"({option('cluster', False)} if it is not)"),
    numbers_restart=lambda note: ("the numbers of questions start anew in groups of different size "
                                  f"({option('cluster', 'question')} if one number is one item)"),
    under_key="rows are the list under {names[0]!r}",
    lists=lambda note: f"samples are the values of the lists in {', '.join(note.names)}",
    totals="samples are counted by {names[0]}, right ones by {names[1]}",
    percent="{names[0]} in percent, divided by 100",
    decimal_comma="{names[0]} with decimal commas",
    run_means=describe_run_means,
    battles=lambda note: (f"win shares{f' against {note.names[0]}' if note.names else ''}, a tie "
                          f"one half{f'; {note.total} prompts lack a pair' if note.total else ''}"),
    row_numbers="each row is a question, named by its number from 0 on",
    run_columns=lambda note: f"samples are the columns {'..'.join(note.names)}",
    missing_outcomes=lambda note: (f"{note.count} of {note.total} outcomes "
                                   f"{'is' if note.count == 1 else 'are'} missing"),
    task_versions=lambda note: (f"the questions of task {note.names[0]!r} "
                                f"({' against '.join(note.names[1:])}) may differ"),
    open_questions="{count:,} open question{s} excluded",
    skipped_files="skipped {files}, as no table",
    plain_tables="none of {total} files is a log of a harness: {count} read as tables",
    no_sample_ids="No sample ids: duplicates between the files cannot be detected",
    exact_copies=("{count:,} of {total:,} rows are exact copies of other rows (all {value:g} "
                  "columns are equal), and count as samples of their own"),
    repeated_rows=describe_repeated_rows,
    recorded="{text}",
    # Logs of a harness.
    log="{text}",
    failed=lambda note: describe_failed(note),
    no_outcome="{count:,} {names[0]}{s} {names[1]}: missing",
    skipped_tests="{count:,} skipped test{s} left out",
    unfinished=lambda note: f"{describe_end(note)}: samples may be absent",
    empty_patches="{count:,} instance{s} with an empty patch counted as wrong",
    infrastructure="{count:,} likely infrastructure failure{s} counted as the harness does",
    no_report="instances of which nothing is there are not counted",
    kept_rewards=("{count:,} trial{s} ended in an exception, verified all the same: the reward "
                  "counts"),
    unnamed_models="runs that name no model are taken for one",
    same_results="{names[0]} holds the same results and was left out",
    split_tasks="every split and perturbation is a task of its own",
    share_of_samples=("{names[0]} times {count} is how many samples are right; which ones is not "
                      "stored, so there are no answers"),
    regrouped=("{names[0]} had pooled samples of different questions; they were put back, so its "
               "own pass@k and cons@k differ"),
    graded_texts=describe_grading,
    other_tasks="{count} file{s} of other tasks left out",
    run_parts="{count} files are parts of one run each",
    counted_once="{count:,} sample{s} in several files counted once",
    rerun="{count:,} sample{s} run again: the rerun counts",
    invalid_elsewhere="{count:,} sample{s} declared invalid in another file: missing",
    short_total="{names[0]} holds {count} of {total} samples ({names[1]})",
    repeated_lines="{names[0]} is the same {count} lines {value:g} times, one after the other",
    skipped_logs="skipped: {text}",
    no_logs=lambda note: (f"skipped {files_in_short(note.names)}, as no log"
                          f"{f' of {note.text}' if note.text else ''}"),
    judged_elsewhere="skipped {files}, whose samples are judged in other files",
    unreadable="skipped {files}, which cannot be read")


def describe_failed(note: ReadNote) -> str:
    "How many tries failed or were not run, and what they count as."
    assert note.count is not None
    said = (f"{note.count:,} of {note.total:,} tries failed or were not run ({note.names[0]} "
            f"{', '.join(note.names[1:])})")
    if note.text: return f"{said}: counted as {note.text}"
    right = "" if note.value is None else f", {note.value:.0f} right"
    return f"{said}: counted as recorded{right} ({option('failed', 'missing', 'wrong')} says else)"


def describe_note(note: ReadNote) -> str:
    "A note in words."
    said = NOTES[note.kind]
    if not isinstance(said, str): return said(note)
    files = files_in_short(note.names) if "{files}" in said else ""
    number = note.count or 0
    return said.format(names=note.names, files=files, value=note.value, count=number,
                       s="s" * (number != 1), total=note.total, text=note.text)


# Files, day and versions


def versions_sentence() -> str:
    "The program and what it ran on."
    from ... import __version__
    python = sys.version.split()[0]
    return f"Computed with sampling_eval {__version__} (numpy {np.__version__}, Python {python})."


def source_blocks(files: Sequence[SourceFile] | None) -> list[Block]:
    "The day, and a table of the files that were read; nothing where no page is made."
    if files is None: return []
    rows = [[file.name, file.sha256 or file.unknown] for file in files]
    table = [Table(["file", "sha256 of its content"], rows, left=2)] * bool(rows)
    return [Text(f"Made on {made_on()}."), *table]


def made_on() -> str:  # `2026-11-22`
    "The day; the one of SOURCE_DATE_EPOCH where a build must not depend on the clock."
    given = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.fromtimestamp(int(given), timezone.utc) if given else datetime.now(timezone.utc)
    return now.strftime("%Y-%m-%d")
