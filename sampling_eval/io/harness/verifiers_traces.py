"""verifiers since 0.4: one line per episode, with the trace of every agent in it."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .ask import Ask, tell_outcome
from .log import Log
from .records import Row, Rows, add_score, has_keys, number_samples

__all__ = ["recognise", "rows"]

WHOLE = "reward" # The sum of all rewards by their weights, as verifiers reports it


def recognise(head: Any) -> bool:
    "Whether an episode has a task and the traces of its agents."
    return has_keys(head, "task", "traces", "ok") and isinstance(head["traces"], list)


def rows(log: Log, ask: Ask) -> Rows:
    "One row per trace of the agent that is evaluated."
    traces = [trace for episode in log.records() for trace in _read_episode(episode)]
    traces = _keep_agent(traces, log, ask)
    name = ask.choose_score(log, [name for trace in traces for name in trace["scores"]], [WHOLE])
    if any(trace["lost"] for trace in traces): ask.note("rollouts that are not ok are missing")
    took = f"question=task idx, sample=order of appearance, {tell_outcome(name)}"
    return f"{took}, answer=last message of the agent", _number_traces(traces, name)


def _keep_agent(traces: list[Row], log: Log, ask: Ask) -> list[Row]:
    "The traces of one agent, which `filter` chooses, and those that are nobody's."
    agents = dict.fromkeys(trace["agent"] for trace in traces if trace["agent"] is not None)
    if len(agents) < 2: return traces
    kept = ask.choose(log, "filter", agents), None
    return [trace for trace in traces if trace["agent"] in kept]


def _read_episode(episode: dict[str, Any]) -> list[Row]:
    "What is needed of each trace; an episode that broke down before any has one that is lost."
    task = dict(question=_name_task(episode["task"]), task=(episode.get("env") or {}).get("id"))
    traces = [trace for trace in episode["traces"] if trace["agent"].get("trainable", True)]
    if not episode["traces"]: return [task | dict(agent=None, scores={}, lost=True)]
    return [task | _read_trace(trace) for trace in traces or episode["traces"]]


def _name_task(task: dict[str, Any]) -> Any:
    "Its place in the task set, or the hash of its content where it has none."
    place = task["data"].get("idx")
    return task["key"] if place is None else place


def _read_trace(trace: dict[str, Any]) -> Row:
    agent = trace["agent"]
    return dict(agent=agent.get("name"), model=agent["config"].get("model"),
                scores=_list_scores(trace), lost=not trace["ok"], answer=_read_answer(trace),
                target=trace["task"]["data"].get("answer"))


def _list_scores(trace: dict[str, Any]) -> dict[str, float]:
    "The rewards of a trace and its metrics; a reward that was never computed is left out."
    rewards = {name: reward for name, reward in (trace.get("rewards") or {}).items() if reward}
    scores = {name: reward["score"] for name, reward in rewards.items()}
    if rewards:
        scores[WHOLE] = sum(reward["score"] * reward["weight"] for reward in rewards.values())
    return (trace.get("metrics") or {}) | scores


def _read_answer(trace: dict[str, Any]) -> str | None:
    "The text of the last message that the agent wrote."
    if trace.get("root_reply"): return str(trace["root_reply"])
    written = [node["message"] for node in trace["nodes"] if node.get("sampled")]
    content = written[-1].get("content") if written else None
    return content if isinstance(content, str) else None


def _number_traces(traces: list[Row], name: str | None) -> Iterator[Row]:
    models = {trace["model"] for trace in traces if "model" in trace}
    only = models.pop() if len(models) == 1 else None
    for place, trace in number_samples(traces, _tell_question):
        row = dict(model=only) | trace | dict(sample=place)
        lost = trace["lost"] or name is not None and name not in trace["scores"]
        yield row | dict(score=None, lost=True) if lost else add_score(row, trace["scores"], name)


def _tell_question(trace: Row) -> tuple[Any, Any, Any]:
    return trace.get("model"), trace["task"], trace["question"]
