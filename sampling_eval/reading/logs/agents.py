"""Agents and rollouts: tau-bench, tau2-bench, terminal-bench, Harbor, verifiers and verl."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...errors import OptionError
from ...spelling import option
from .ask import (Ask, Row, Rows, add_score, has_keys, is_solved, list_numbers, name_outcome,
                  number_samples)
from .log import Log, open_log, read_sidecar


# tau-bench writes a list of trials; tau2 a document of simulations, the same with a file for each,
# or one simulation.

BROKEN = "infrastructure_error"  # The only end that tau2 leaves out of its metrics
PLAIN = "llm_agent"  # The usual agent of tau2; others see the plan, or do without a user
OF_SIMULATIONS = dict(question="task_id", sample="trial", correct="reward within 1e-6 of 1",
                      score="reward")


def tau_rows(log: Log, ask: Ask) -> Rows:
    "One row per trial of tau-bench."
    trials = list(log.records())
    broken = ["error" in (trial.get("info") or {}) for trial in trials]
    # A trial that broke down is stored with reward 0, which says nothing about the agent.
    ask.note_missing("trial", "ended in an error", sum(broken))
    return OF_SIMULATIONS, (dict(question=trial["task_id"], sample=trial["trial"],
                                 score=trial["reward"], correct=is_solved(trial["reward"]),
                                 missing=failed, said=(tell_order(trial), trial.get("traj")))
                            for trial, failed in zip(trials, broken))


def tell_order(trial: dict[str, Any]) -> Any:
    "What the user of a trial was told to ask for."
    task = (trial.get("info") or {}).get("task")
    return task.get("instruction") if isinstance(task, dict) else None


# tau2.

def recognise_run(head: Any) -> bool:
    "Whether it says how a run was done, with its simulations or beside them."
    return "simulations" in head or has_keys(head["info"], "agent_info")


def simulation_rows(log: Log, ask: Ask) -> Rows:
    "One row per simulation of a run."
    run = describe_run(log.head.get("info") or {})
    expect_simulations(log, ask)
    return OF_SIMULATIONS, (row | run for row in make_simulation_rows(list_simulations(log), ask))


def expect_simulations(log: Log, ask: Ask) -> None:
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
    return OF_SIMULATIONS, (row | run for row in make_simulation_rows([log.head], ask))


def describe_run(info: dict[str, Any]) -> Row:
    "Model and domain of a run."
    agent = info.get("agent_info") or {}
    model, kind = agent.get("llm"), agent.get("implementation", PLAIN)
    if model is not None and kind != PLAIN: model = f"{model} ({kind})"
    domain = (info.get("environment_info") or {}).get("domain_name")
    return dict(model=model, task=domain)


def make_simulation_rows(runs: list[Any], ask: Ask) -> Iterator[Row]:
    for place, run in number_samples(runs, itemgetter("task_id")):
        reward = read_reward(run)
        if reward is None: ask.note_missing("simulation", "without a usable rollout")
        trial = run.get("trial")
        if trial is None: ask.note_unordered()
        yield dict(question=run["task_id"], sample=place if trial is None else trial,
                   correct=is_solved(reward), score=reward, said=(None, run.get("messages")))


def read_reward(run: dict[str, Any]) -> Any:
    "The reward; None if the simulation broke down for reasons outside the agent."
    if run["termination_reason"] == BROKEN: return None
    if "reward" in run: return run["reward"]  # An entry of the index
    judged = run.get("reward_info")
    return judged["reward"] if judged else None


# terminal-bench: the results of a run, and of each of its trials.

ABOUT, RESULTS = "run_metadata.json", "results.json"


def terminal_rows(log: Log, ask: Ask) -> Rows:
    "One row per trial that no other file held."
    single = has_keys(log.head, "trial_name", "task_id", "is_resolved")
    trials = [log.head] if single else log.head["results"]
    folder = find_folder(log)
    about = read_sidecar(folder / ABOUT, log.limits)
    agent = name_agent(about.get("agent_name"), about.get("model_name"))
    if not about.get("model_name"):
        agent = name_unnamed(agent, find_owner(folder, single, ask), ask)
    run = dict(model=agent, task=name_data(about))
    expect_terminal_trials(log, ask, about, folder, whole=not single)
    took = dict(question="task_id", sample="order of appearance", correct="is_resolved")
    return took, read_terminal_trials(trials, run, folder / log.name, ask)


def expect_terminal_trials(log: Log, ask: Ask, about: dict[str, Any], folder: Path,
                           whole: bool) -> None:
    "Expect the trials that the results of a run list, and all that were to be run."
    if whole:
        # Each trial stands in one of two lists; its results may have been left out of the third.
        lists = (log.head.get(name) or [] for name in ("resolved_ids", "unresolved_ids"))
        listed = Counter(chain.from_iterable(lists))
        # Results that were renamed may lie beside those of other runs.
        own = folder if log.name == RESULTS else folder / log.name
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


def find_owner(folder: Path, single: bool, ask: Ask) -> Path:
    "The folder of a model: results that were renamed lie in it, and else the folder of each run."
    renamed = not single and any(file.parent == folder and file.name not in (ABOUT, RESULTS)
                                 for file in ask.files)
    return folder if renamed else folder.parent


def name_unnamed(agent: str | None, owner: Path, ask: Ask) -> str | None:
    """What a run is called whose files name no model.

    Raises: `OptionError` for runs in several folders, which may be of several models.
    """
    ask.owner = owner.name
    if not ask.several: return agent
    if ask.files_hold == "models":
        ask.used.add("files_hold")
        return name_agent(agent, owner.name)
    ask.add_note("unnamed_models")
    first = ask.seen.setdefault(("unnamed", agent), owner)
    if first == owner or ask.files_hold == "draws": return agent
    raise OptionError("files_hold", f"runs of one model must lie in one folder where {ABOUT} names "
                                    f"no model, got {first.name!r} and {owner.name!r}",
                      hint=f"pass {option('files_hold', 'models')} if each folder is a model, "
                           f"{option('files_hold', 'draws')} if all are runs of one")


def name_agent(agent: str | None, model: str | None) -> str | None:
    "Agent and model: another agent with the same model gives other results."
    return " ".join(filter(None, (agent, model))) or None


def name_data(about: dict[str, Any]) -> str | None:
    name, version = about.get("dataset_name"), about.get("dataset_version")
    if not name: return Path(about["dataset_path"]).name if about.get("dataset_path") else None
    return f"{name}@{version}" if version else name


def read_terminal_trials(trials: list[Any], run: Row, path: Path, ask: Ask) -> Iterator[Row]:
    ask.note_unordered()
    for place, trial in number_samples(trials, itemgetter("task_id")):
        check_task(trial, run, path, ask)
        ask.list_held(path.parent).add(trial.get("id") or trial["trial_name"])
        # Early versions gave no ids; the name of a trial is its own within the folder of a run.
        if not ask.take_once(("trial", trial.get("id") or (path.parent, trial["trial_name"]))):
            continue
        if trial["is_resolved"] is None: ask.note_missing("trial", "without an outcome")
        yield run | dict(question=trial["task_id"], sample=place, correct=trial["is_resolved"],
                         said=(trial.get("instruction"), None))


def check_task(trial: dict[str, Any], run: Row, path: Path, ask: Ask) -> None:
    "Refuse two tasks of one name, which come of two data sets that no file names."
    task, told = trial["task_id"], trial.get("instruction")
    first, other = ask.seen.setdefault(("task", run["task"], task), (told, path))
    if first == told: return
    raise ValueError(f"a task must have one instruction, got two of {task!r} in {other.name} and "
                     f"{path.name}; read runs on different data sets apart")


# Harbor, the successor of terminal-bench: one document per trial.

ADHOC = "adhoc"  # What Harbor calls the tasks that come of no data set
OF_TRIALS = dict(question="task_name", sample="order of appearance", score="reward of the verifier")


def harbor_rows(log: Log, ask: Ask) -> Rows:
    "The trial, unless another file held it."
    job = log.path.parent.with_name(log.name)
    # Trials that are read by themselves are some that somebody chose.
    about = read_sidecar(job, log.limits) if job.absolute() in ask.files else {}
    if has_keys(about, "n_total_trials", "stats"): expect_trials(about, job, log, ask)
    return OF_TRIALS, read_trials([log.head], job.parent, log, ask)


def job_rows(log: Log, ask: Ask) -> Rows:
    "One row per trial, if the job's file has them."
    trials = log.head.get("trial_results")
    if not trials:
        raise ValueError(f"{log.path.name} holds sums over trials and not the trials; read the "
                         "folder of the job, whose folders have a result.json each")
    expect_trials(log.head, log.path, log, ask)
    return OF_TRIALS, read_trials(trials, log.path.parent, log, ask)


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
        if not ask.take_once(trial.get("id") or (log.path, trial["trial_name"])): continue
        yield read_trial(trial, log, ask) | dict(sample=place)


def read_trial(trial: dict[str, Any], log: Log, ask: Ask) -> Row:
    agent, model = trial["agent_info"], trial["agent_info"].get("model_info") or {}
    row = dict(question=trial["task_name"], task=trial.get("source") or ADHOC,
               model=name_agent(agent["name"], model.get("name")),
               costs=read_trial_costs(trial.get("agent_result") or {}))
    rewards = (trial["verifier_result"] or {}).get("rewards")
    if not rewards:
        ask.note_missing("trial", "without a reward")
        return row | dict(score=None)
    if trial.get("exception_info"):
        ask.add_note("kept_rewards", count=1)
    return add_score(row, rewards, ask.choose_score(log, rewards, ["reward"]))


def read_trial_costs(result: dict[str, Any]) -> dict[str, float | None]:
    "What the agent cost; None where it does not say."
    tokens = add_tokens(result.get("n_input_tokens"), result.get("n_output_tokens"))
    return dict(cost_usd=result.get("cost_usd")) | tokens


def add_tokens(sent: float | None, written: float | None) -> dict[str, float | None]:
    "Tokens that a model got and wrote, and both together; None where a log does not say."
    whole = None if sent is None or written is None else sent + written
    return dict(tokens=whole, input_tokens=sent, output_tokens=written)


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
        usage = record.get("token_usage") or {}
        # Its field `answer` is the reference; what the model answered ends the completion.
        row = dict(question=record[key], sample=place, answer=read_completion(record["completion"]),
                   target=record.get("answer"), missing=record.get("error") is not None,
                   costs=add_tokens(usage.get("input_tokens"), usage.get("output_tokens")),
                   said=(record.get("prompt"), record["completion"]))
        yield add_score(row, record, name)


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
    "One row per sample; prompts of one wording and one right answer are one question."
    offered = [name for name in list_numbers(log.head) if name != "step"]
    name = ask.choose_score(log, offered, ["acc", "score"])
    answer = "pred" if "pred" in log.head else "output"
    took = dict(question="input (one wording, one question)", sample="order of appearance")
    return took | name_outcome(name) | dict(answer=answer), read_steps(log, name)


def read_steps(log: Log, score: str | None) -> Iterator[Row]:
    names = name_prompts(list(log.records()))
    # Read once more: what says where a sample stands follows the records as they come.
    for place, (name, one) in number_samples(zip(names, log.records()),
                                             lambda pair: (pair[1].get("step"), pair[0])):
        row = dict(question=name, sample=place, target=one.get("gts"),
                   answer=one.get("pred", one["output"]), said=(one["input"], one["output"]))
        if "step" in one: row["model"] = f"step {one['step']}"
        yield add_score(row, one, score)


def name_prompts(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    "Wordings, with their target or a number where several share one, as of images they speak of."
    repeats = len({one.get("uid") for one in records}) < len(records)
    targets: dict[str, set[str]] = {}
    ids: dict[Any, dict[Any, int]] = {}
    for one in records:
        if "gts" in one: targets.setdefault(one["input"], set()).add(repr(one["gts"]))
        own = ids.setdefault((one.get("step"), one["input"], repr(one.get("gts"))), {})
        if repeats: own.setdefault(one.get("uid"), len(own) + 1)
    for one in records:
        own = ids[one.get("step"), one["input"], repr(one.get("gts"))]
        several = len(targets.get(one["input"], ())) > 1
        number = f" #{own[one.get('uid')]}" if len(own) > 1 else ""
        yield one["input"] + f" ({one.get('gts')})" * several + number
