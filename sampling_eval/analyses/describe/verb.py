"""`describe`: what data support, before any metric is computed."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from ...arguments import checked, name_parameters
from ...errors import OptionFault
from ...spelling import Call, Sentence, marked
from ...foundations.counts import Counts
from ...metrics.catalog import CATALOG
from ...parameters import ToDescribe
from ...reading.column_candidates import survey_sources
from ...reading.counted import CountedRows
from ...reading.load import Loaded, load, split_blocks
from ...reading.options import Options
from ...reading.tables import open_plain
from ...results.cautions import Caution
from ...results.reading import count_dead
from ..engine.choose import COLUMN_OF_FIELD, LACKS, choose_metrics, missing_field
from ..engine.diagnostics import caution_files, caution_spellings, cautions_of, find_agreement
from ..engine.measure import counts_by_model
from ..engine.systems import name_file
from .result import ColumnChoice, ColumnSummary, DataDescription, MetricSupport, SystemSummary

MOST_DRAWN = 256  # Samples of a question up to which its right ones are drawn
OPEN = None, "raise", "bounds"  # Policies under which samples are missing until they are settled


@checked
def describe(
    data: Any,  # Anything that `score` reads
    *,
    by: str | None = None,  # Column of groups
    missing: str | None = None,  # Samples without outcome, as for `score`; None: they are named
    cluster: str | Mapping | Sequence | None = None,  # Column of groups, or group of each question
    title: str = "",  # Name of the data; that of the file if empty
    **reading: Unpack[ToDescribe],  # Policies, columns and the rest of what `score` takes
) -> DataDescription:  # What was read, metrics with budgets, and what is missing
    """What data support: metrics with their budgets, samples, and what is missing.

    Parameters:
        data     Anything that `score` reads
        by       Column of groups
        missing  Samples without outcome, as for `score`; None: they are named
        cluster  Column of groups, or group of each question
        title    Name of the data; that of the file if empty
        reading  Policies, columns and the rest of what `score` takes (see `read`):
                 samples_per_question, no_answer, normalize, scale, conflict, question, sample,
                 correct, answer, score, model, expected, keys, threshold, ignore, failed, sums,
                 harness, task, filter, grade, files_hold, limits
        return   What was read, metrics with budgets, and what is missing

    Value: where a plain table cannot be read as it stands, the reason and the columns to choose
    from.

    Raises: as `score` for anything else that cannot be read.
    """
    treated = "wrong" if missing in OPEN else missing
    given = dict(reading) | dict(by=by, cluster=cluster, missing=treated)
    options = Options.of(given, name_parameters(describe))
    title = title or name_file(data) or f"this {type(data).__name__}"
    try: loaded = load(data, options)
    except (ValueError, TypeError) as error:
        if isinstance(error, OptionFault):
            asked = dict(reading) | dict(by=by, missing=missing, cluster=cluster)
            error.call = Call("describe", dict(data=data), asked)
        return candidate_columns(data, options, title, error)
    return supported_metrics(loaded, title, settled=missing not in OPEN)


def candidate_columns(
    data: Any, options: Options, title: str, error: Exception,
) -> DataDescription:
    "The columns of a plain table that could not be read; of anything else the error stands."
    try: seen = survey_sources(open_plain(data, options))
    except (ValueError, TypeError, OSError): seen = []
    if not seen: raise error
    columns = tuple(ColumnSummary(one.column, one.holds, one.different, one.examples, one.parts)
                    for one in seen)
    choice = error.ways[0] if isinstance(error, OptionFault) and len(error.ways) == 1 else {}
    return DataDescription(title, fault=Sentence(marked(error)), columns=columns,
                           choice={part: str(column) for part, column in choice.items()})


def supported_metrics(loaded: Loaded, title: str, settled: bool) -> DataDescription:
    "What some counts support."
    whole = list(counts_by_model(loaded).values())
    metrics = tuple(join_support(name, whole, loaded.lacks) for name in CATALOG)
    cautions = {str(one): one for one in data_cautions(loaded, whole)}
    read = loaded.summary if settled else loaded.summary.unsettled()
    return DataDescription(title, read, tuple(system_summaries(loaded)), metrics,
                           tuple(cautions.values()), dead=count_dead(whole),
                           decided=() if loaded.rows is None else
                           tuple(ColumnChoice(*one) for one in loaded.rows.decided))


def data_cautions(loaded: Loaded, whole: Sequence[Counts]) -> Iterator[Caution]:
    "What may be wrong with the data, without the tests that need single runs."
    if loaded.rows is not None: yield from caution_files(loaded.rows.repeats, ())
    for counts in whole: yield from (*cautions_of(counts), *caution_spellings(counts))
    yield from filter(None, map(find_agreement, whole))


def system_summaries(loaded: Loaded) -> Iterator[SystemSummary]:
    "Every model and group, with what is known of its samples."
    parts = dict(split_blocks(loaded.rows)) if loaded.rows is not None else {}
    for (model, group), counts in loaded.blocks.items():
        right = None if counts.c is None else int(counts.c.sum())
        clusters = None if counts.cluster is None else len(np.unique(counts.cluster))
        missing = 0 if counts.missing is None else int(counts.missing.sum())
        known = count_known(parts[model, group]) if parts else {}
        yield SystemSummary(model, group, len(counts), counts.n_min, counts.n_max, right, missing,
                            clusters=clusters, solved=count_solved(counts, missing), **known)


def count_solved(counts: Counts, missing: int) -> tuple[int, ...]:
    "Questions by their right samples; none where numbers of samples differ, or are many."
    unequal = counts.n_min != counts.n_max or not 2 <= counts.n_max <= MOST_DRAWN
    if counts.c is None or unequal or missing: return ()
    return tuple(np.bincount(counts.c, minlength=counts.n_max + 1).tolist())


def count_known(rows: CountedRows) -> dict[str, int]:
    "Different answers, and samples with a score."
    known = {}
    if rows.answer is not None:
        known["answers"] = len({repr(o) for o in rows.answer.tolist() if o is not None})
    if rows.scored is not None: known["scored"] = int(rows.scored.sum())
    return known


def join_support(
    name: str, systems: Sequence[Counts], lacks: Mapping[str, str],
) -> MetricSupport:
    "A metric on all systems: possible if it is on each, at the budgets that all of them reach."
    found = [metric_support(name, counts, lacks) for counts in systems]
    impossible = [one for one in found if not one.possible]
    return impossible[0] if impossible else min(found, key=lambda one: one.budgets[-1:])


def metric_support(name: str, counts: Counts, lacks: Mapping[str, str]) -> MetricSupport:
    "A metric on one system, as `score` would choose it."
    absent = missing_field(CATALOG[name], counts)
    if absent is not None:
        reason = lacks.get(absent) or LACKS[absent]
        column = "" if absent in lacks else COLUMN_OF_FIELD[absent]
        return MetricSupport(name, False, (), reason, column)
    (chosen, *_), _ = choose_metrics(counts, name, lacks=lacks)
    budgets = chosen.budgets
    return MetricSupport(name, True, () if budgets is None else tuple(budgets.tolist()))
