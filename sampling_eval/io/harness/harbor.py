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
    if has_keys(about, "n_total_trials", "stats"): _expect_trials(about, job, log, ask)
    return TOOK, _read_trials([log.head], job.parent, log, ask)


def job_rows(log: Log, ask: Ask) -> Rows:
    "One row per trial, if the job's file has them."
    trials = log.head.get("trial_results")
    if not trials:
        raise ValueError(f"{log.path.name} holds sums over trials and not the trials; read the "
                         "folder of the job, whose folders have a result.json each")
    _expect_trials(log.head, log.path, log, ask)
    return TOOK, _read_trials(trials, log.path.parent, log, ask)


def _expect_trials(about: dict[str, Any], job: Path, log: Log, ask: Ask) -> None:
    "Expect all trials of a job, whichever files hold them."
    each = read_sidecar(job.with_name("config.json"), log.limits).get("n_attempts")
    ask.expect(about.get("n_total_trials"), f"n_total_trials in {job.parent.name}/{job.name}",
               each=each if isinstance(each, int) else None, run=job.parent,
               found=ask.list_held(job.parent))


def _read_trials(trials: list[Any], job: Path, log: Log, ask: Ask) -> Iterator[Row]:
    ask.note_unordered()
    for place, trial in number_samples(trials, lambda one: (one.get("source"), one["task_name"])):
        ask.list_held(job).add(trial.get("id") or trial["trial_name"])
        if not ask.is_new(trial.get("id") or (log.path, trial["trial_name"])):
            ask.note("trials in several files count once")
            continue
        yield _read_trial(trial, log, ask) | dict(sample=place)


def _read_trial(trial: dict[str, Any], log: Log, ask: Ask) -> Row:
    row = dict(question=trial["task_name"], task=trial.get("source") or ADHOC,
               model=_name_model(trial), costs=_read_costs(trial.get("agent_result") or {}))
    rewards = (trial["verifier_result"] or {}).get("rewards")
    if not rewards:
        ask.note("trials without a reward are missing")
        return row | dict(score=None)
    if trial.get("exception_info"):
        ask.note("trials that ended in an exception and were verified keep their reward")
    return add_score(row, rewards, ask.choose_score(log, rewards, ["reward"]))


def _read_costs(result: dict[str, Any]) -> dict[str, float | None]:
    "What the agent cost; None where it does not say."
    sent, written = result.get("n_input_tokens"), result.get("n_output_tokens")
    whole = None if sent is None or written is None else sent + written
    return dict(cost_usd=result.get("cost_usd"), tokens=whole, input_tokens=sent,
                output_tokens=written)


def _name_model(trial: dict[str, Any]) -> str:
    "Agent and model: another agent with the same model gives other results."
    agent, model = trial["agent_info"], trial["agent_info"].get("model_info") or {}
    return " ".join(filter(None, [agent["name"], model.get("name")]))
