"""Harbor, the successor of terminal-bench: one document per trial."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .ask import Ask, Row, Rows, add_score, has_keys, number_samples
from .log import Log, read_sidecar

ADHOC = "adhoc"  # What Harbor calls the tasks that come of no data set
TOOK = dict(question="task_name", sample="order of appearance", score="reward of the verifier")


def rows(log: Log, ask: Ask) -> Rows:
    "The trial, unless another file held it."
    job = log.path.parent.with_name(log.path.name)
    # Trials that are read by themselves are some that somebody chose.
    about = read_sidecar(job, log.limits) if job.absolute() in ask.files else {}
    if has_keys(about, "n_total_trials", "stats"): expect_trials(about, job, log, ask)
    return TOOK, read_trials([log.head], job.parent, log, ask)


def job_rows(log: Log, ask: Ask) -> Rows:
    "One row per trial, if the job's file has them."
    trials = log.head.get("trial_results")
    if not trials:
        raise ValueError(f"{log.path.name} holds sums over trials and not the trials; read the "
                         "folder of the job, whose folders have a result.json each")
    expect_trials(log.head, log.path, log, ask)
    return TOOK, read_trials(trials, log.path.parent, log, ask)


def expect_trials(about: dict[str, Any], job: Path, log: Log, ask: Ask) -> None:
    "Expect all trials of a job, whichever files hold them."
    each = read_sidecar(job.with_name("config.json"), log.limits).get("n_attempts")
    ask.expect(about.get("n_total_trials"), f"n_total_trials in {job.parent.name}/{job.name}",
               each=each if isinstance(each, int) else None, run=job.parent,
               found=ask.list_held(job.parent))


def read_trials(trials: list[Any], job: Path, log: Log, ask: Ask) -> Iterator[Row]:
    ask.note_unordered()
    for place, trial in number_samples(trials, lambda one: (one.get("source"), one["task_name"])):
        ask.list_held(job).add(trial.get("id") or trial["trial_name"])
        if not ask.is_new(trial.get("id") or (log.path, trial["trial_name"])):
            ask.add_note("counted_once", count=1)
            continue
        yield read_trial(trial, log, ask) | dict(sample=place)


def read_trial(trial: dict[str, Any], log: Log, ask: Ask) -> Row:
    row = dict(question=trial["task_name"], task=trial.get("source") or ADHOC,
               model=name_model(trial))
    rewards = (trial["verifier_result"] or {}).get("rewards")
    if not rewards:
        ask.note_missing("trial", "without a reward")
        return row | dict(score=None)
    if trial.get("exception_info"):
        ask.add_note("kept_rewards", count=1)
    return add_score(row, rewards, ask.choose_score(log, rewards, ["reward"]))


def name_model(trial: dict[str, Any]) -> str:
    "Agent and model: another agent with the same model gives other results."
    agent, model = trial["agent_info"], trial["agent_info"].get("model_info") or {}
    return " ".join(filter(None, [agent["name"], model.get("name")]))
