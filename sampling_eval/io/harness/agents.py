"""Agents: tau-bench, tau2-bench, terminal-bench and Harbor."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

from .ask import Ask, Row, Rows, add_score, has_keys, is_solved, number_samples
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
    run = dict(model=name_agent(about), task=name_data(about))
    if not about.get("model_name"): check_unnamed(run["model"], folder, ask)
    expect_terminal_trials(log, ask, about, folder, whole=not single)
    took = dict(question="task_id", sample="order of appearance", correct="is_resolved")
    return took, read_terminal_trials(trials, run, folder / log.path.name, ask)


def expect_terminal_trials(log: Log, ask: Ask, about: dict[str, Any], folder: Path,
                           whole: bool) -> None:
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


def name_agent(about: dict[str, Any]) -> str | None:
    "Agent and model: another agent with the same model gives other results."
    names = about.get("agent_name"), about.get("model_name")
    return " ".join(filter(None, names)) or None


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
    job = log.path.parent.with_name(log.path.name)
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
    row = dict(question=trial["task_name"], task=trial.get("source") or ADHOC,
               model=name_harbor_agent(trial),
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
    sent, written = result.get("n_input_tokens"), result.get("n_output_tokens")
    whole = None if sent is None or written is None else sent + written
    return dict(cost_usd=result.get("cost_usd"), tokens=whole, input_tokens=sent,
                output_tokens=written)


def name_harbor_agent(trial: dict[str, Any]) -> str:
    "Agent and model: another agent with the same model gives other results."
    agent, model = trial["agent_info"], trial["agent_info"].get("model_info") or {}
    return " ".join(filter(None, [agent["name"], model.get("name")]))
