"""verifiers: one line per rollout with a summary beside it, or since 0.4 one line per episode."""
from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from .ask import Ask, Row, Rows, add_score, list_numbers, name_outcome, number_samples
from .log import Log, read_sidecar

WHOLE = "reward"  # The sum of all rewards by their weights, as verifiers reports it


def rows(log: Log, ask: Ask) -> Rows:
    "One row per rollout."
    key = "example_id" if "example_id" in log.head else "id"
    offered = [name for name in list_numbers(log.head)
               if name not in ("id", "example_id") and not name.endswith("_ms")]
    name = ask.choose_score(log, offered, [WHOLE])
    run = _read_summary(log, ask)
    took = dict(question=key, sample="order of appearance") | name_outcome(name)
    return (took | dict(answer="last message of completion"),
            (row | run for row in _read_rollouts(log, key, name)))


def _read_summary(log: Log, ask: Ask) -> dict[str, Any]:
    "Model and environment, and how many rollouts to expect; its means may be stale."
    about = read_sidecar(log.path.with_name("metadata.json"), log.limits)
    size, each = about.get("num_examples"), about.get("rollouts_per_example")
    # All examples of an environment are asked for by -1, and then nothing says how many there are.
    if isinstance(size, int) and isinstance(each, int) and size > 0:
        where = "num_examples times rollouts_per_example in metadata.json"
        ask.expect(size * each, where, each=each)
    return dict(model=about.get("model"), task=about.get("env_id") or about.get("env"))


def _read_rollouts(log: Log, key: str, name: str | None) -> Iterator[Row]:
    for place, record in number_samples(log.records(), itemgetter(key)):
        # Its field `answer` is the reference; what the model answered ends the completion.
        row = dict(question=record[key], sample=place, answer=_read_last(record["completion"]),
                   target=record.get("answer"), lost=record.get("error") is not None,
                   costs=_read_usage(record.get("token_usage") or {}))
        yield add_score(row, record, name)


def _read_usage(usage: dict[str, Any]) -> dict[str, float | None]:
    "Tokens of a rollout; None where it does not say."
    sent, written = usage.get("input_tokens"), usage.get("output_tokens")
    whole = None if sent is None or written is None else sent + written
    return dict(tokens=whole, input_tokens=sent, output_tokens=written)


def _read_last(completion: Any) -> str | None:
    "The text of a completion, or of its last message."
    if isinstance(completion, str) or not completion: return completion or None
    return completion[-1].get("content") or None


# Since 0.4: an episode has the trace of every agent in it.

def recognise_traces(head: Any) -> bool:
    "Whether an episode has the traces of its agents."
    return isinstance(head["traces"], list)


def trace_rows(log: Log, ask: Ask) -> Rows:
    "One row per trace of the agent that is evaluated."
    traces = [trace for episode in log.records() for trace in _read_episode(episode)]
    traces = _keep_agent(traces, log, ask)
    name = ask.choose_score(log, [name for trace in traces for name in trace["scores"]], [WHOLE])
    if any(trace["lost"] for trace in traces): ask.note("rollouts that are not ok are missing")
    took = dict(question="task idx", sample="order of appearance") | name_outcome(name)
    return took | dict(answer="last message of the agent"), _number_traces(traces, name)


def _keep_agent(traces: list[Row], log: Log, ask: Ask) -> list[Row]:
    "The traces of one agent, which `filter` chooses, and those that are nobody's."
    agents = dict.fromkeys(trace["agent"] for trace in traces if trace["agent"] is not None)
    if len(agents) < 2: return traces
    kept = ask.choose(log, "filter", agents), None
    return [trace for trace in traces if trace["agent"] in kept]


def _read_episode(episode: dict[str, Any]) -> list[Row]:
    "What is needed of each trace; an episode that broke down before any has one that is lost."
    # The place of a task in the task set, or the hash of its content where it has none.
    place = episode["task"]["data"].get("idx")
    task = dict(question=episode["task"]["key"] if place is None else place,
                task=(episode.get("env") or {}).get("id"))
    traces = [trace for trace in episode["traces"] if trace["agent"].get("trainable", True)]
    if not episode["traces"]: return [task | dict(agent=None, scores={}, lost=True)]
    return [task | _read_trace(trace) for trace in traces or episode["traces"]]


def _read_trace(trace: dict[str, Any]) -> Row:
    agent = trace["agent"]
    return dict(agent=agent.get("name"), model=agent["config"].get("model"),
                scores=_list_scores(trace), lost=not trace["ok"], answer=_read_answer(trace),
                target=trace["task"]["data"].get("answer"),
                costs=dict(tokens=trace.get("num_total_tokens"),
                           input_tokens=trace.get("num_input_tokens"),
                           output_tokens=trace.get("num_output_tokens")))


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
    # An episode without a trace is of the only model too, where there is only one.
    named = [dict(model=only) | trace for trace in traces]
    for place, trace in number_samples(named, itemgetter("model", "task", "question")):
        row = trace | dict(sample=place)
        lost = trace["lost"] or name is not None and name not in trace["scores"]
        yield row | dict(score=None, lost=True) if lost else add_score(row, trace["scores"], name)
