"""terminal-bench: the results of a run, and of each of its trials."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

from .ask import Ask, Row, Rows, has_keys, number_samples
from .log import Log, read_sidecar

ABOUT, RESULTS = "run_metadata.json", "results.json"


def rows(log: Log, ask: Ask) -> Rows:
    "One row per trial that no other file held."
    single = has_keys(log.head, "trial_name", "task_id", "is_resolved")
    trials = [log.head] if single else log.head["results"]
    folder = find_folder(log)
    about = read_sidecar(folder / ABOUT, log.limits)
    run = dict(model=name_model(about), task=name_data(about))
    if not about.get("model_name"): check_unnamed(run["model"], folder, ask)
    expect_trials(log, ask, about, folder, whole=not single)
    took = dict(question="task_id", sample="order of appearance", correct="is_resolved")
    return took, read_trials(trials, run, folder / log.path.name, ask)


def expect_trials(log: Log, ask: Ask, about: dict[str, Any], folder: Path, whole: bool) -> None:
    "Expect the trials that the results of a run list, and all that were to be run."
    if whole:
        # Each trial stands in one of two lists; its results may have been left out of the third.
        lists = (log.head.get(name) or [] for name in ("resolved_ids", "unresolved_ids"))
        listed = Counter(chain.from_iterable(lists))
        # Results that were renamed may lie beside those of other runs.
        own = folder if log.path.name == RESULTS else folder / log.path.name
        ask.expect(listed.total(), f"resolved_ids and unresolved_ids in {log.path.name}",
                   questions=listed, run=own, found=log.head["results"])
    # Trials that are read by themselves are some that somebody chose.
    if not whole and folder / ABOUT not in ask.files: return
    size, each = about.get("dataset_size"), about.get("n_attempts")
    if isinstance(size, int) and isinstance(each, int):
        ask.expect(size * each, f"dataset_size times n_attempts in {ABOUT}", each=each, run=folder,
                   found=ask.list_held(folder))


def find_folder(log: Log) -> Path:
    "The folder of the run, which has one for each task, with one for each of its trials."
    own = log.path.absolute().parent
    trial = log.head.get("trial_name"), log.head.get("task_id")
    return own.parent.parent if (own.name, own.parent.name) == trial else own


def check_unnamed(agent: str | None, folder: Path, ask: Ask) -> None:
    "Refuse runs in several folders that may be of several models, since no file says so."
    if not ask.several: return
    ask.add_note("unnamed_models")
    first = ask.seen.setdefault(("unnamed", agent), folder.parent)
    if first == folder.parent: return
    raise ValueError(f"runs of one model must lie in one folder where {ABOUT} names no model, got "
                     f"{first.name!r} and {folder.parent.name!r}; read them apart")


def name_model(about: dict[str, Any]) -> str | None:
    "Agent and model: another agent with the same model gives other results."
    names = about.get("agent_name"), about.get("model_name")
    return " ".join(filter(None, names)) or None


def name_data(about: dict[str, Any]) -> str | None:
    name, version = about.get("dataset_name"), about.get("dataset_version")
    if not name: return Path(about["dataset_path"]).name if about.get("dataset_path") else None
    return f"{name}@{version}" if version else name


def read_trials(trials: list[Any], run: Row, path: Path, ask: Ask) -> Iterator[Row]:
    ask.note_unordered()
    for place, trial in number_samples(trials, itemgetter("task_id")):
        check_task(trial, run, path, ask)
        ask.list_held(path.parent).add(trial.get("id") or trial["trial_name"])
        # Early versions gave no ids; the name of a trial is its own within the folder of a run.
        if not ask.is_new(("trial", trial.get("id") or (path.parent, trial["trial_name"]))):
            ask.add_note("counted_once", count=1)
            continue
        if trial["is_resolved"] is None: ask.note_missing("trial", "without an outcome")
        yield run | dict(question=trial["task_id"], sample=place, correct=trial["is_resolved"])


def check_task(trial: dict[str, Any], run: Row, path: Path, ask: Ask) -> None:
    "Refuse two tasks of one name, which come of two data sets that no file names."
    task, told = trial["task_id"], trial.get("instruction")
    first, other = ask.seen.setdefault(("task", run["task"], task), (told, path))
    if first == told: return
    raise ValueError(f"a task must have one instruction, got two of {task!r} in {other.name} and "
                     f"{path.name}; read runs on different data sets apart")
