"""From any data to counts: the only module that knows the order of the steps."""
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from ..arguments import checked, hold
from ..errors import OptionError, OptionFault, OptionTypeError
from ..spelling import Call, name_verb, option
from ..foundations.counts import Counts
from ..parameters import Reading
from ..results.reading import Missing, ReadNote, ReadSummary, SourceFile
from .columns import name_asked
from .counted import (CountedRows, complete_counts, settle_rows, array_of, count_outcomes,
                      holds_outcomes, holds_paths, is_tensor, is_written_count, place_outcomes)
from .options import Input, OF_LOGS, Options
from .sample_ids import File
from .values import is_whole_text

__all__ = ["FileSource", "hash_file", "Loaded", "TextSource", "load", "read", "read_run",
           "refuse_several_counts", "settle_all", "split_blocks"]

Blocks = dict[tuple[str, str], Counts]  # By model and group; empty names for the only, and for all
MOST_BLOCKS = 100_000  # Models, or groups, of one report


@dataclass(frozen=True)
class TextSource:
    "Where the samples of a result stand; what they say is read only where a page shows it."
    inputs: tuple[Input, ...] = ()

    def read(self,
        questions: Sequence[str],  # Names of the questions that are shown
    ) -> list[Any]:  # Few samples of each, in the order of the files
        "What samples say; nothing where files are gone: a page is written without them."
        from .texts import read_input
        found: list[Any] = []
        for one in self.inputs if questions else ():
            try: found += read_input(one, questions)
            except (OSError, ValueError, ImportError): continue
        return found

    def __reduce__(self) -> Any:
        "A result that was pickled does not know its files any more."
        return TextSource, ()


@dataclass(frozen=True)
class FileSource:
    "The files of a result; they are hashed only where a page names them."
    files: tuple[File, ...] = ()

    def hash(self) -> tuple[SourceFile, ...]:
        "The name and the hash of each."
        return tuple(map(hash_file, self.files))

    def __reduce__(self) -> Any:
        "A result that was pickled does not know its files any more."
        return FileSource, ()


def hash_file(file: File) -> SourceFile:
    "The name and the hash of a file that was read."
    name = os.path.basename(file.path)
    if file.sha256: return SourceFile(name, file.sha256)
    from .text_files import identify  # An array needs none of what reads files
    try: found = identify(file).sha256
    except (ValueError, OSError):
        return SourceFile(name, unknown="not known: the file has changed since it was read")
    return SourceFile(name, found, "" if found else "not known: read from an address")


@dataclass(frozen=True)
class Loaded:
    "What the verbs read."
    blocks: Blocks  # Counts of each model and group
    summary: ReadSummary  # What was read, and how missing samples were treated
    lacks: dict[str, str]  # Field of `Counts` to the reason why it is absent
    rows: CountedRows | None = None  # The counted rows behind them; None for a table of outcomes
    weights: Mapping[Any, float] | None = None  # Weight by question, where it was asked for
    outcomes: np.ndarray | None = None  # Of a table: 1, 0, NaN without outcome, -1 for no sample
    origin: Input | None = None  # The files, to read what samples say; None for other data


def load(
    data: Any,  # `Counts`, a table of 0/1, counted rows, files, a frame, columns, or rows
    options: Options = Options(),  # Columns, policy and the rest
) -> Loaded:  # Counts by model and group, and what was read
    """Counts of every model in the data.

    Raises: `FileNotFoundError`, `TypeError` or `ValueError`, naming what to pass instead.
    """
    if is_tensor(data): data = array_of(data)
    if holds_outcomes(data): return load_outcomes(data, options)
    loaded = settle_all(read_rows(data, options), options)
    if not holds_paths(data): return loaded
    return replace(loaded, origin=Input(data, options, loaded.summary))


@checked
def read(
    data: Any,  # Path, glob, folder or list of them, frame, relation, columns or rows
    **reading: Unpack[Reading],  # Columns, policies, and what is told of logs
) -> CountedRows:  # Its samples, equal ones counted
    """The samples of a table or a log, with a sentence on what was taken for what.

    Parameters:
        data                  Path, glob, folder or list of them, frame, relation, columns or rows
        reading               Columns, policies, and what is told of logs
        missing               Samples without an outcome; bounds for score only (default: raise)
        samples_per_question  Samples that each question should have; absent ones are missing
        no_answer             Samples without an answer, for maj@k
        normalize             When two answers are equal
        scale                 Least and largest score there can be, for mean@n, max@k and min@k
        conflict              Answers marked both right and wrong in one question (default: refuse)
        question              Column of question ids
        sample                Column of sample ids
        correct               Column of outcomes; of several, each is a system
        answer                Column of answers, for votes
        score                 Column of scores; of several, each is a system
        model                 Column of model names
        cluster               Column of clusters; `task` or `question` in logs
        expected              Column of right answers, to which `grade` compares answers
        keys                  Keys of a JSON object, or of a dict
        threshold             Samples with a score above it are correct
        ignore                Columns that tell no rows apart
        failed                What tries count as that failed by status or error
        sums                  Further columns that are added up, such as a cost
        harness               Harness that wrote the log, or `table` (default: recognised by
                              content)
        task                  The only task that is read of logs of several
        filter                Filter of lm-eval; of several, each is a system
        grade                 Judges answers anew
        files_hold            What several files with the same questions hold
        limits                How many bytes of a log are believed
        return                Its samples, equal ones counted

    Raises: `FileNotFoundError`, `TypeError` or `ValueError`, naming file, row and what to pass.
    """
    return read_rows(data, Options.of(reading, draws=True), True)


def read_run(
    data: Any,  # As for `read`
) -> CountedRows:  # Its samples, and all their ids, to be compared with those of another run
    "One of several runs that are added."
    if isinstance(data, CountedRows): return data
    data = hold(data)
    try: return read_rows(data, Options.of({}, draws=True, whole=True), True)
    except OptionFault as error:
        error.call = Call("count", dict(data=data), {})
        raise


# A table of outcomes.

def load_outcomes(data: Any, options: Options) -> Loaded:
    if options.given:
        name = name_asked(options.given[0])
        if name == "sums" and options.costs: name = "cost"
        what = "a written count" if is_written_count(data) else "a table of outcomes"
        raise OptionError(name, f"{option(name)} is for files and frames, but {what} has no "
                                "columns")
    counts = complete_counts(count_outcomes(data, options.policy), options.policy)
    if options.cluster is not None: counts = group_questions(counts, options.cluster)
    blocks = {("", ""): counts}
    places = place_outcomes(data) if options.runs else None
    missing = count_missing(blocks, options)
    summary = ReadSummary("outcomes", missing=missing)
    if is_written_count(data):
        summary = ReadSummary("counts", name=data, rows=len(counts), missing=missing)
    return Loaded(blocks, summary, {}, weights=options.weights, outcomes=places)


# Counted rows.

def read_rows(data: Any, options: Options, clusters: bool = False) -> CountedRows:
    "The counted rows of any data."
    if isinstance(data, CountedRows): return refuse_columns(data, options)
    if gradings := options.split():
        from .text_files import open_once
        from .counts_file import stack_gradings
        with open_once():
            return stack_gradings({name: read_rows(data, own, clusters)
                                   for name, own in gradings.items()})
    # What reads files and logs takes longer to import than an array to count.
    from .tables import read_objects, read_paths
    if holds_paths(data):
        refuse_several_counts(data)
        return read_paths(data, options, clusters)
    of_logs = [name for name in OF_LOGS if name in options.given and name != "grade"]
    if of_logs:
        raise OptionError(of_logs[0], f"{option(of_logs[0])} is for log files",
                          found=type(data).__name__)
    return read_objects(data, options, clusters)


def refuse_several_counts(data: Any) -> None:
    "Refuse written counts among several inputs: nothing says which question is which."
    several = [data] if isinstance(data, str) else data
    if not isinstance(several, (list, tuple)): return
    written = [one for one in several if is_written_count(one)]
    if not written or len(several) == 1: return
    raise OptionError("data", "a written count is one system and has no names of questions",
                      found=f"{written[0]!r} among {len(several)} inputs",
                      hint=f"one at a time, or two with {name_verb('compare')}")


def refuse_columns(rows: CountedRows, options: Options) -> CountedRows:
    named = [name for name in options.given if name != "cluster"]
    if not named: return rows
    name = name_asked(named[0])
    raise OptionError(name, f"{option(name)} is for data that are still to be read, but "
                            "CountedRows have been read already")


# Counts.

def settle_all(rows: CountedRows, options: Options) -> Loaded:  # Counts of each model and group
    "Counted rows as counts, under one policy."
    rows = choose_clusters(rows, options)
    refuse_many(rows)
    blocks: Blocks = {}
    lacks: dict[str, str] = {}
    for key, part in split_blocks(rows):
        blocks[key], reasons = settle_rows(part, options.policy)
        # What is told first stands: a model as a whole comes before its groups.
        lacks = reasons | lacks
    if rows.battles is not None: lacks["c"] = "battles have win shares, and no right and wrong"
    if options.groups_questions:
        if not isinstance(options.cluster, Mapping):
            raise OptionTypeError("cluster", must="be a column or a mapping of question to group",
                                  found=type(options.cluster).__name__)
        blocks = {key: group_questions(o, options.cluster) for key, o in blocks.items()}
    missing = count_missing(blocks, options, sum(one.left_out for one in rows.totals))
    summary = replace(rows.summary, missing=missing)
    return Loaded(blocks, summary, lacks, rows, list_weights(rows, options.weights))


def choose_clusters(rows: CountedRows, options: Options) -> CountedRows:
    "The rows with the clusters asked for; where none were, those of items in several groups."
    if not options.uses_clusters or rows.cluster is None:
        rows = replace(rows, cluster=None, summary=leave_clusters(rows.summary))
    if rows.cluster is not None or options.groups_questions or rows.item is None: return rows
    note = note_items(rows, options.uses_clusters)
    used = options.cluster is not False and note.kind == "items"
    if options.cluster is False: return rows
    return replace(rows, cluster=rows.item if used else None, summary=rows.summary.add(note))


def note_items(
    rows: CountedRows,  # Rows of all models and groups
    asked: bool = False,  # Whether the caller said that an id is an item
) -> ReadNote:
    """Whether ids that several groups share are items, or numbers that start anew in each.

    Numbers without a gap that stop earlier in some groups than in others name no items. All
    else does: to take two questions for one item costs width, the other way round costs level.
    """
    found = np.unique(rows.question, return_index=True)[1]
    names, times = np.unique(rows.item[found].astype(str), return_counts=True)
    most = int(times.max())
    alike, numbered = int(times.min()) == most, count_up(names, times)
    if numbered and not alike and not asked: return ReadNote("numbers_restart")
    return ReadNote("items", ("number",) * numbered, value=float(most) if alike else None,
                    count=len(names), total=len(found))


def count_up(names: np.ndarray, times: np.ndarray) -> bool:
    "Whether names count from 0 or 1 without a gap, and a later one stands in no more groups."
    if not all(map(is_whole_text, names.tolist())): return False
    number = names.astype(np.int64)
    order = np.argsort(number)
    first = int(number.min())
    whole = np.array_equal(number[order], np.arange(first, first + len(number)))
    return first in (0, 1) and whole and bool((np.diff(times[order]) <= 0).all())


def leave_clusters(summary: ReadSummary) -> ReadSummary:
    "What was read, with clusters that play no part."
    unused = summary.unused
    if "cluster" in summary.columns and "cluster" not in unused: unused = (*unused, "cluster")
    inputs = tuple(map(leave_clusters, summary.inputs))
    return replace(summary, unused=unused, inputs=inputs)


def refuse_many(rows: CountedRows) -> None:
    "Refuse models and groups of which no report could be made."
    for part in "model", "group":
        column = getattr(rows, part)
        count = 0 if column is None else len(set(column.tolist()))
        if count <= MOST_BLOCKS: continue
        asked = name_asked(part)
        raise OptionError(asked, f"a report holds at most {MOST_BLOCKS:,} {part}s",
                          found=f"{count:,}",
                          hint=f"does {option(asked)} name the column of the {part}s, or that of "
                               "the questions or samples?")


def split_blocks(rows: CountedRows) -> Iterator[tuple[tuple[str, str], CountedRows]]:
    "The rows of each model, and of each of its groups."
    for model, part in rows.models().items():
        yield (str(model), ""), part
        if part.group is None: continue
        for group, own in part.groups().items(): yield (str(model), str(group)), own


def group_questions(counts: Counts, groups: Mapping | Sequence) -> Counts:
    "Counts that know the group of each question."
    names = counts.questions.tolist()
    if not isinstance(groups, Mapping):
        if isinstance(groups, (str, bytes)) or np.ndim(groups) != 1 or len(groups) != len(names):
            raise OptionError("cluster", must=f"hold one group per question ({len(names)})",
                              got=groups)
        return replace(counts, cluster=np.asarray(groups))
    if missing := [q for q in names if q not in groups]:
        raise OptionError("cluster", must="name a group for every question", found="none",
                          where=f" for {missing[0]!r} ({len(missing)} of {len(names)} fail)")
    return replace(counts, cluster=np.array([str(groups[q]) for q in names]))


def count_missing(blocks: Blocks, options: Options, left_out: int = 0) -> Missing:
    "How many samples are missing, and what they count as."
    whole = [counts for (_, group), counts in blocks.items() if not group]
    policy = options.policy.missing
    missing = sum(int(o.missing.sum()) for o in whole) + left_out
    total = sum(int(o.n.sum()) for o in whole) + (missing if policy == "drop" else 0)
    return Missing(missing, total, policy, any(o.n_min < o.n_max for o in whole))


def list_weights(
    rows: CountedRows, weights: str | Mapping[Any, float] | None,
) -> Mapping[Any, float] | None:
    "The weight of each question that was read."
    if not isinstance(weights, str): return weights
    if rows.weight is None:
        raise OptionError("weights", f"{option('weights', weights)} is not kept when samples are "
                                     "graded several ways",
                          hint="grade them once, or pass a mapping of question to weight")
    names = rows.questions.tolist()
    return {names[code]: weight
            for code, weight in zip(rows.question.tolist(), rows.weight.tolist())}
