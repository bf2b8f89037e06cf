"""SWE-bench: the report on a run, and on each of its instances."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...results.reading import NoteKind
from .ask import Ask, Row, Rows, has_keys
from .log import Log

# An empty patch resolves nothing, and the harness counts it so without running it. Where it ran
# and came to no verdict, or where there was nothing to run, there is no outcome. A later list
# overrules an earlier one.
OUTCOMES = dict(submitted_ids=None, incomplete_ids=None, unresolved_ids=False,
                empty_patch_ids=False, resolved_ids=True, error_ids=None)
LISTED: dict[NoteKind, str] = dict(empty_patches="empty_patch_ids",
                                   infrastructure="infra_failure_ids")
TOOK = dict(question="instance", sample="run", correct="resolved")


class Run(NamedTuple):
    "Whose patches were evaluated, and in which run."
    model: str|None  # Name of the model
    name: str  # Name of the run


def rows(log: Log, ask: Ask) -> Rows:
    "One row per instance of the data set."
    model, _, run = log.path.stem.rpartition(".")
    outcomes = {name: outcome for part, outcome in OUTCOMES.items()
                for name in log.head.get(part, ())}
    ask.note_missing("instance", "not submitted or ended in an error",
                     list(outcomes.values()).count(None))
    for kind, part in LISTED.items():
        if names := log.head.get(part): ask.add_note(kind, count=len(names))
    ask.expect(log.head.get("total_instances"), f"total_instances in {log.path.name}",
               found=outcomes)
    whose = Run(model or log.path.stem, run)
    return TOOK | {"model and run": "file name"}, make_rows(outcomes, whose, log.path, ask)


def recognise_instances(head: Any) -> bool:
    "Whether it tells of instances if the patch could be applied and resolved them."
    return len(head) > 0 and all(
        has_keys(report, "patch_successfully_applied", "resolved") for report in head.values())


def instance_rows(log: Log, ask: Ask) -> Rows:
    "One row per instance, mostly one."
    outcomes = {name: report["resolved"] for name, report in log.head.items()}
    ask.add_note("no_report")
    whose = find_run(log)
    return TOOK | {"model and run": "folders"}, make_rows(outcomes, whose, log.path, ask)


def find_run(log: Log) -> Run:
    "Model and run of a report in RUN/MODEL/INSTANCE; submissions have them in MODEL/logs/INSTANCE."
    folder, *above = [path.name for path in log.path.resolve().parents]
    if folder not in log.head or len(above) < 2: return Run(None, str(log.path))
    return Run(above[1], "") if above[0] == "logs" else Run(above[0], above[1])


def make_rows(outcomes: Mapping[str, bool | None], run: Run, path: Path,
                   ask: Ask) -> Iterator[Row]:
    for name, outcome in outcomes.items():
        if not ask.is_new((run, name)):
            refuse_other(outcome, ask.seen[run, name], name, path)
            ask.add_note("counted_once", count=1)
            continue
        ask.seen[run, name] = outcome, path
        yield dict(question=name, sample=0, model=run.model, correct=outcome)


def refuse_other(outcome: bool | None, before: tuple[bool | None, Path], name: str,
                  path: Path) -> None:
    if outcome == before[0]: return
    raise ValueError(f"an instance must have one outcome in a run, got {before[0]} and {outcome} "
                     f"for {name!r} in {before[1].name} and {path.name}; leave the older one out")
