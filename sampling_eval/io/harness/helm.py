"""HELM: the statistics of every instance of a run, in a folder with what else is known of it."""
from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from ...records import dataclass
from .ask import Ask, Row, Rows, add_score, name_outcome
from .log import Log, open_log, read_sidecar

# What its tables report for a group of runs (`main_name` in its schemas) ...
MAIN = dict.fromkeys((
    "babi_qa", "bbq", "boolq", "civil_comments", "entity_data_imputation", "entity_matching",
    "imdb", "legal_support", "legalbench", "lsat_qa", "med_qa", "raft", "synthetic_reasoning",
    "wikifact"), "quasi_exact_match") | dict.fromkeys((
    "narrative_qa", "natural_qa_closedbook", "natural_qa_openbook_longans", "quac"), "f1_score")
# ... and for any other: the first of these that a run holds.
USUAL = ("chain_of_thought_correctness", "final_number_exact_match", "math_equiv_chain_of_thought",
         "math_equiv", "exact_match_indicator", "pass", "exact_match")
# What it notes of every run, whatever was asked, and no judgement of an answer.
NOTED = re.compile("num_|training_|inference_|finish_reason_|batch_size|prompt_truncated|max_prob|"
                   "logprob|predicted_index")
INSTANCES, DISPLAYED = "instances.json", "display_predictions.json"
FLAGS = "name", "robustness", "fairness", "computed_on"  # What is not a setting of a perturbation

Key = tuple[str, str, int]  # Instance, perturbation and trial


@dataclass
class Statistics:
    "What the statistics say of one instance in one trial."
    split: str = ""  # Such as test or valid
    stats: dict[str, float|None] = field(default_factory=dict)  # Values by name


def recognise(head: Any) -> bool:
    "Whether an instance has a list of statistics."
    return isinstance(head["stats"], list)


def rows(log: Log, ask: Ask) -> Rows:
    "One row per instance, perturbation and trial."
    results, spec = merge_stats(log), read_sidecar(log.path.with_name("run_spec.json"), log.limits)
    offered = [name for result in results.values() for name in result.stats
               if name == ask.score or not NOTED.match(name)]
    # What the tables report for the groups of a run goes first.
    main = [MAIN[group] for group in spec.get("groups") or [] if group in MAIN]
    name = ask.choose_score(log, offered, [*main, *USUAL])
    kinds = {(result.split, perturbation) for (_, perturbation, _), result in results.items()}
    if len(kinds) > 1: ask.add_note("split_tasks")
    run = dict(model=(spec.get("adapter_spec") or {}).get("model"))
    took = dict(question="instance_id", sample="train_trial_index") | name_outcome(name)
    expect_trials(log, ask, name_run(spec))
    return (took | dict(answer="prediction"),
            (row | run for row in make_rows(log, results, name_run(spec), name)))


def merge_stats(log: Log) -> dict[Key, Statistics]:
    "The statistics by instance; several metrics of a run may each have an entry for it."
    results: defaultdict[Key, Statistics] = defaultdict(Statistics)
    for entry in log.records():
        result = results[tell_key(entry)]
        for stat in entry["stats"]:
            name, value = stat["name"]["name"], stat.get("mean")
            result.split = stat["name"].get("split") or result.split
            if result.stats.setdefault(name, value) != value:
                raise ValueError(f"need one {name} for each instance and trial, got two for "
                                 f"{entry['instance_id']!r} in {log.path.name}")
    return results


def tell_key(entry: dict[str, Any]) -> Key:
    perturbation = name_perturbation(entry.get("perturbation"))
    return entry["instance_id"], perturbation, entry["train_trial_index"]


def name_perturbation(described: dict[str, Any] | None) -> str:
    "Its name and settings; empty for an instance as it is."
    if not described: return ""
    settings = [f"{key}={value}" for key, value in described.items() if key not in FLAGS]
    return " ".join([described["name"], *settings])


def read_entries(log: Log, name: str) -> Iterator[dict[str, Any]]:
    "The entries of another file of the run; none if it is absent."
    path = log.path.with_name(name)
    if path.is_file(): yield from open_log(path, log.limits).records()


def name_run(spec: dict[str, Any]) -> str:
    "The name of a run without its model."
    name = re.sub(r"(?<=[:,])model(_deployment)?=[^,]*,?", "", spec.get("name", ""))
    return name.rstrip(":,")


def make_rows(log: Log, results: dict[Key, Statistics], run: str,
              name: str | None) -> Iterator[Row]:
    answers, targets = dict(read_answers(log)), dict(read_targets(log))
    for key, result in results.items():
        instance, perturbation, trial = key
        row = dict(question=instance, sample=trial, answer=answers.get(key),
                   target=targets.get((instance, perturbation)),
                   task=name_task(run, result.split, perturbation))
        yield add_score(row, {name: result.stats.get(name)} if name else {}, name)


def name_task(run: str, split: str, perturbation: str) -> str:
    return "/".join(filter(None, [run, split, perturbation]))


def expect_trials(log: Log, ask: Ask, run: str) -> None:
    "Expect every instance of the run, in every trial, of each split and perturbation."
    splits, trials = read_splits(log), {key[2] for key, _ in read_answers(log)}
    tasks: defaultdict[str, Counter[Any]] = defaultdict(Counter)
    for (instance, perturbation), split in splits.items():
        tasks[name_task(run, split, perturbation)][instance] += len(trials)
    for task, questions in tasks.items() if trials else ():
        ask.expect(questions.total(), f"{INSTANCES} times trials in {DISPLAYED}", task=task,
                   questions=questions)


def read_splits(log: Log) -> dict[tuple[str, str], str]:
    "The split of each instance and perturbation."
    return {(entry["id"], name_perturbation(entry.get("perturbation"))): entry.get("split") or ""
            for entry in read_entries(log, INSTANCES)}


def read_answers(log: Log) -> Iterator[tuple[Key, str]]:
    "What the model wrote, or the choice that it means, if the run was summarized."
    for entry in read_entries(log, DISPLAYED):
        yield tell_key(entry), entry.get("mapped_output") or entry["predicted_text"]


def read_targets(log: Log) -> Iterator[tuple[tuple[str, str], Any]]:
    "The first right reference of each instance."
    for entry in read_entries(log, INSTANCES):
        right = [reference["output"]["text"] for reference in entry["references"]
                 if "correct" in reference["tags"]]
        key = entry["id"], name_perturbation(entry.get("perturbation"))
        yield key, right[0] if right else None
