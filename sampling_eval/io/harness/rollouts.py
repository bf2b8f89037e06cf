"""Rollouts of reinforcement learning: verifiers and verl."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from operator import itemgetter
from typing import Any

from .ask import Ask, Row, Rows, add_score, list_numbers, name_outcome, number_samples
from .log import Log, read_sidecar


# verifiers: one line per rollout with a summary beside it.

WHOLE = "reward"  # The sum of all rewards by their weights, as verifiers reports it


def verifiers_rows(log: Log, ask: Ask) -> Rows:
    "One row per rollout."
    key = "example_id" if "example_id" in log.head else "id"
    offered = [name for name in list_numbers(log.head)
               if name not in ("id", "example_id") and not name.endswith("_ms")]
    name = ask.choose_score(log, offered, [WHOLE])
    run = read_summary(log, ask)
    took = dict(question=key, sample="order of appearance") | name_outcome(name)
    return (took | dict(answer="last message of completion"),
            (row | run for row in read_rollouts(log, key, name)))


def read_summary(log: Log, ask: Ask) -> dict[str, Any]:
    "Model and environment, and how many rollouts to expect; its means may be stale."
    about = read_sidecar(log.path.with_name("metadata.json"), log.limits)
    size, each = about.get("num_examples"), about.get("rollouts_per_example")
    # All examples of an environment are asked for by -1, and then nothing says how many there are.
    if isinstance(size, int) and isinstance(each, int) and size > 0:
        where = "num_examples times rollouts_per_example in metadata.json"
        ask.expect(size * each, where, each=each)
    return dict(model=about.get("model"), task=about.get("env_id") or about.get("env"))


def read_rollouts(log: Log, key: str, name: str | None) -> Iterator[Row]:
    for place, record in number_samples(log.records(), itemgetter(key)):
        # Its field `answer` is the reference; what the model answered ends the completion.
        row = dict(question=record[key], sample=place, answer=read_completion(record["completion"]),
                   target=record.get("answer"), missing=record.get("error") is not None,
                   costs=read_usage(record.get("token_usage") or {}),
                   said=(record.get("prompt"), record["completion"]))
        yield add_score(row, record, name)


def read_usage(usage: dict[str, Any]) -> dict[str, float | None]:
    "Tokens of a rollout; None where it does not say."
    sent, written = usage.get("input_tokens"), usage.get("output_tokens")
    whole = None if sent is None or written is None else sent + written
    return dict(tokens=whole, input_tokens=sent, output_tokens=written)


def read_completion(completion: Any) -> str | None:
    "The text of a completion, or of its last message."
    if isinstance(completion, str) or not completion: return completion or None
    return completion[-1].get("content") or None


# Since 0.4: an episode has the trace of every agent in it.

def recognise_traces(head: Any) -> bool:
    "Whether an episode has the traces of its agents."
    return isinstance(head["traces"], list)


def trace_rows(log: Log, ask: Ask) -> Rows:
    "One row per trace of the agent that is evaluated."
    traces = [trace | dict(at=log.at) for episode in log.records()
              for trace in read_episode(episode, ask.texts is not None)]
    traces = keep_agent(traces, log, ask)
    name = ask.choose_score(log, [name for trace in traces for name in trace["scores"]], [WHOLE])
    ask.note_missing("rollout", "not ok", sum(trace["missing"] for trace in traces))
    took = dict(question="task idx", sample="order of appearance") | name_outcome(name)
    return took | dict(answer="last message of the agent"), number_traces(traces, name)


def keep_agent(traces: list[Row], log: Log, ask: Ask) -> list[Row]:
    "The traces of one agent, which `filter` chooses, and those that are nobody's."
    agents = dict.fromkeys(trace["agent"] for trace in traces if trace["agent"] is not None)
    if len(agents) < 2: return traces
    kept = ask.choose(log, "filter", agents), None
    return [trace for trace in traces if trace["agent"] in kept]


def read_episode(episode: dict[str, Any], texts: bool = False) -> list[Row]:
    "What is needed of each trace; an episode that broke down before any has one that is missing."
    # The place of a task in the task set, or the hash of its content where it has none.
    place = episode["task"]["data"].get("idx")
    task = dict(question=episode["task"]["key"] if place is None else place,
                task=(episode.get("env") or {}).get("id"))
    traces = [trace for trace in episode["traces"] if trace["agent"].get("trainable", True)]
    if not episode["traces"]: return [task | dict(agent=None, scores={}, missing=True)]
    return [task | read_trace(trace) | (dict(said=tell_trace(trace)) if texts else {})
            for trace in traces or episode["traces"]]


def tell_trace(trace: dict[str, Any]) -> tuple[Any, Any]:
    "The messages before the agent wrote, and its last one."
    asked = list(takewhile(lambda node: not node.get("sampled"), trace["nodes"]))
    return [node["message"] for node in asked], read_answer(trace)


def read_trace(trace: dict[str, Any]) -> Row:
    agent = trace["agent"]
    return dict(agent=agent.get("name"), model=agent["config"].get("model"),
                scores=list_scores(trace), missing=not trace["ok"], answer=read_answer(trace),
                target=trace["task"]["data"].get("answer"),
                costs=dict(tokens=trace.get("num_total_tokens"),
                           input_tokens=trace.get("num_input_tokens"),
                           output_tokens=trace.get("num_output_tokens")))


def list_scores(trace: dict[str, Any]) -> dict[str, float]:
    "The rewards of a trace and its metrics; a reward that was never computed is left out."
    rewards = {name: reward for name, reward in (trace.get("rewards") or {}).items() if reward}
    scores = {name: reward["score"] for name, reward in rewards.items()}
    if rewards:
        scores[WHOLE] = sum(reward["score"] * reward["weight"] for reward in rewards.values())
    return (trace.get("metrics") or {}) | scores


def read_answer(trace: dict[str, Any]) -> str | None:
    "The text of the last message that the agent wrote."
    if trace.get("root_reply"): return str(trace["root_reply"])
    written = [node["message"] for node in trace["nodes"] if node.get("sampled")]
    content = written[-1].get("content") if written else None
    return content if isinstance(content, str) else None


def number_traces(traces: list[Row], name: str | None) -> Iterator[Row]:
    models = {trace["model"] for trace in traces if "model" in trace}
    only = models.pop() if len(models) == 1 else None
    # An episode without a trace is of the only model too, where there is only one.
    named = [dict(model=only) | trace for trace in traces]
    for place, trace in number_samples(named, itemgetter("model", "task", "question")):
        row = trace | dict(sample=place)
        unjudged = trace["missing"] or name is not None and name not in trace["scores"]
        if unjudged: yield row | dict(score=None, missing=True)
        else: yield add_score(row, trace["scores"], name)


# verl: a JSON lines file for each validation step.

def verl_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample; prompts of one wording are one question."
    offered = [name for name in list_numbers(log.head) if name != "step"]
    name = ask.choose_score(log, offered, ["acc", "score"])
    answer = "pred" if "pred" in log.head else "output"
    took = dict(question="input (one wording, one question)", sample="order of appearance")
    return took | name_outcome(name) | dict(answer=answer), read_steps(log, name)


def read_steps(log: Log, name: str | None) -> Iterator[Row]:
    for place, record in number_samples(log.records(), lambda one: (one.get("step"), one["input"])):
        row = dict(question=record["input"], sample=place, target=record.get("gts"),
                   answer=record.get("pred", record["output"]),
                   said=(record["input"], record["output"]))
        if "step" in record: row["model"] = f"step {record['step']}"
        yield add_score(row, record, name)
