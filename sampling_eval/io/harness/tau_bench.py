"""tau-bench and tau2-bench.

tau-bench writes a list of trials; tau2 a document of simulations, the same with a file for each,
or one simulation.
"""
from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from .ask import Ask, Row, Rows, has_keys, is_solved, number_samples
from .log import Log, open_log, read_sidecar

BROKEN = "infrastructure_error"  # The only end that tau2 leaves out of its metrics
PLAIN = "llm_agent"  # The usual agent of tau2; others see the plan, or do without a user
TOOK = dict(question="task_id", sample="trial", correct="reward within 1e-6 of 1", score="reward")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per trial of tau-bench."
    trials = list(log.records())
    broken = ["error" in (trial.get("info") or {}) for trial in trials]
    # A trial that broke down is stored with reward 0, which says nothing about the agent.
    ask.note_missing("trial", "ended in an error", sum(broken))
    return TOOK, (dict(question=trial["task_id"], sample=trial["trial"], score=trial["reward"],
                       correct=is_solved(trial["reward"]), missing=failed)
                  for trial, failed in zip(trials, broken))


# tau2.

def recognise_run(head: Any) -> bool:
    "Whether it says how a run was done, with its simulations or beside them."
    return "simulations" in head or has_keys(head["info"], "agent_info")


def simulation_rows(log: Log, ask: Ask) -> Rows:
    "One row per simulation of a run."
    run = describe_run(log.head.get("info") or {})
    expect_trials(log, ask)
    return TOOK, (row | run for row in make_rows(list_simulations(log), ask))


def expect_trials(log: Log, ask: Ask) -> None:
    "Expect every trial of every task that was to be run."
    trials = (log.head.get("info") or {}).get("num_trials")
    tasks = [task.get("id") for task in log.head.get("tasks") or []]
    if not isinstance(trials, int) or None in tasks: return
    ask.expect(len(tasks) * trials, f"tasks times num_trials in {log.path.name}",
               questions=dict.fromkeys(tasks, trials), each=trials)


def list_simulations(log: Log) -> list[Any]:
    "The simulations: inside the document, else in its index, else a file for each."
    if "simulations" not in log.head:
        if log.head.get("simulation_index"): return list(log.head["simulation_index"])
        files = sorted(log.path.with_name("simulations").glob("*.json"))
        if files: return [open_log(file, log.limits).head for file in files]
    return list(log.head["simulations"])


def single_rows(log: Log, ask: Ask) -> Rows:
    "The row of one simulation; the file above its folder knows model and domain."
    whole = log.path.parent.with_name("results.json")
    is_part = log.path.parent.name == "simulations"
    about = read_sidecar(whole, log.limits) if is_part else {}
    run = describe_run(about.get("info") or {})
    return TOOK, (row | run for row in make_rows([log.head], ask))


def describe_run(info: dict[str, Any]) -> Row:
    "Model and domain of a run."
    agent = info.get("agent_info") or {}
    model, kind = agent.get("llm"), agent.get("implementation", PLAIN)
    if model is not None and kind != PLAIN: model = f"{model} ({kind})"
    domain = (info.get("environment_info") or {}).get("domain_name")
    return dict(model=model, task=domain)


def make_rows(runs: list[Any], ask: Ask) -> Iterator[Row]:
    for place, run in number_samples(runs, itemgetter("task_id")):
        reward = read_reward(run)
        if reward is None: ask.note_missing("simulation", "without a usable rollout")
        trial = run.get("trial")
        if trial is None: ask.note_unordered()
        yield dict(question=run["task_id"], sample=place if trial is None else trial,
                   correct=is_solved(reward), score=reward)


def read_reward(run: dict[str, Any]) -> Any:
    "The reward; None if the simulation broke down for reasons outside the agent."
    if run["termination_reason"] == BROKEN: return None
    if "reward" in run: return run["reward"]  # An entry of the index
    judged = run.get("reward_info")
    return judged["reward"] if judged else None
