"""`inspect`: what data support, before any metric is computed."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..foundations.counts import Counts
from ..metrics.catalog import CATALOG
from ..io.counted import CountedRows
from ..io.load import Loaded, load, split_blocks
from ..io.options import Options
from ..io.paths import open_plain
from ..io.survey import suggest_parts, survey_sources
from ..renaming import name_parameters, renamed
from ..reporting.inspections import Column, Inspection, Support, System
from .cautions import ask_about_copies, caution_files, find_cautions
from .metric_choice import choose_metrics
from .systems import name_file

COUNTED = "counted as wrong"
OPEN = None, "raise", "bounds"  # Policies under which samples are missing until they are settled


@renamed(format="harness", files="files_hold")
def inspect(
    data: Any,  # Anything that `score` reads
    *,
    by: str | None = None,  # Column of groups
    missing: str | None = None,  # Samples without outcome, as for `score`; None: they are named
    cluster: str | Mapping | Sequence | None = None,  # Column of groups, or group of each question
    title: str = "",  # Name of the data; that of the file if empty
    **reading: Any,  # Columns, policies, and `harness=`, `filter=`, ... for logs, as for `score`
) -> Inspection:  # What was read, metrics with budgets, targets, and what is missing
    """What data support: metrics with their budgets, targets, and what is missing.

    Value: where a plain table cannot be read as it stands, the reason and the columns to choose
    from.

    Raises: as `score` for anything else that cannot be read.
    """
    treated = "wrong" if missing in OPEN else missing
    given = reading | dict(by=by, cluster=cluster, missing=treated)
    options = Options.of(given, name_parameters(inspect))
    title = title or name_file(data) or f"this {type(data).__name__}"
    try: loaded = load(data, options)
    except (ValueError, TypeError) as error: return list_candidates(data, options, title, error)
    return tell_support(loaded, title, settled=missing not in OPEN)


def list_candidates(
    data: Any, options: Options, title: str, error: Exception,
) -> Inspection:
    "The columns of a plain table that could not be read; of anything else the error stands."
    try: seen = survey_sources(open_plain(data, options))
    except (ValueError, TypeError, OSError): seen = []
    if not seen: raise error
    columns = tuple(Column(one.column, one.holds, one.different, one.examples, one.parts)
                    for one in seen)
    return Inspection(title, fault=str(error), columns=columns,
                      choice=suggest_parts(seen, options.columns))


def tell_support(loaded: Loaded, title: str, settled: bool) -> Inspection:
    "What some counts support."
    whole = [counts for (_, group), counts in loaded.blocks.items() if not group]
    read = loaded.read if settled else loaded.read.replace(f", {COUNTED}", "")
    systems = tuple(list_systems(loaded))
    metrics = tuple(join_support(name, whole, loaded.lacks) for name in CATALOG)
    cautions = dict.fromkeys(str(one) for counts in whole for one in find_cautions(counts))
    of_files: list[str] = []
    if loaded.rows is not None:
        of_files = [str(one) for one in caution_files(loaded.rows.repeats, ())]
    asked = dict.fromkeys(filter(None, map(ask_about_copies, whole)))
    needs = (*list_needs(systems, settled), *of_files, *loaded.warnings, *cautions, *asked)
    return Inspection(title, read, systems, metrics, list_targets(whole), needs)


def list_systems(loaded: Loaded) -> Iterable[System]:
    "Every model and group, with what is known of its samples."
    parts = dict(split_blocks(loaded.rows)) if loaded.rows is not None else {}
    for (model, group), counts in loaded.blocks.items():
        right = None if counts.c is None else int(counts.c.sum())
        clusters = None if counts.cluster is None else len(np.unique(counts.cluster))
        missing = 0 if counts.missing is None else int(counts.missing.sum())
        known = count_known(parts[model, group]) if parts else {}
        yield System(model, group, len(counts), counts.n_min, counts.n_max, right, missing,
                     clusters=clusters, **known)


def count_known(rows: CountedRows) -> dict[str, int]:
    "Different answers, and samples with a score."
    known = {}
    if rows.answer is not None:
        known["answers"] = len({repr(o) for o in rows.answer.tolist() if o is not None})
    if rows.scored is not None: known["scored"] = int(rows.scored.sum())
    return known


def join_support(name: str, systems: Sequence[Counts], lacks: Mapping[str, str]) -> Support:
    "A metric on all systems: possible if it is on each, at the budgets that all of them reach."
    found = [see_support(name, counts, lacks) for counts in systems]
    impossible = [one for one in found if not one.possible]
    return impossible[0] if impossible else min(found, key=lambda one: one.budgets[-1:])


def see_support(name: str, counts: Counts, lacks: Mapping[str, str]) -> Support:
    "A metric on one system, as `score` would choose it."
    try: chosen, _ = choose_metrics(counts, name, lacks=lacks)
    except ValueError as error:
        return Support(name, False, reason=str(error).removeprefix(f"{name} cannot be computed: "))
    budgets = chosen[0].budgets
    return Support(name, True, () if budgets is None else tuple(budgets.tolist()))


def list_targets(systems: Sequence[Counts]) -> dict[str, str]:
    "Each target of the error bars, and what it holds for."
    fewest = min(len(counts) for counts in systems)
    half = min(counts.n_min for counts in systems) // 2
    new = f"for new questions of this kind, of which these {fewest} are a sample"
    if fewest < 2: new = "for new questions of this kind, of which one question says almost nothing"
    again = f"for these questions, run again; without bias for k up to {half}, wider above"
    if not half:
        again = ("for these questions, run again; two samples of each are needed, one gives wider "
                 "bars")
    return dict(questions=new, benchmark=again)


def list_needs(systems: Sequence[System], settled: bool) -> Iterable[str]:
    "What `score` has to be told, or may be."
    lost = sum(one.missing for one in systems if not one.group)
    if lost and not settled:
        some = f"{lost} samples have" if lost > 1 else "1 sample has"
        yield f"{some} no outcome: pass missing='wrong', 'drop' or 'bounds'"
    fewest, most = min(o.fewest for o in systems), max(o.most for o in systems)
    if fewest < most:
        yield (f"questions have {fewest} to {most} samples: if {most} were drawn of each, pass "
               f"samples_per_question={most} and the absent ones are missing")
