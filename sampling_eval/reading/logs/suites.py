"""Suites of benchmarks: HELM, evalscope, opencompass, AISBench and BFCL."""
from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

from ...errors import OptionError
from ...spelling import option
from .ask import (Ask, Row, Rows, add_score, as_number, find_period, has_keys, name_outcome,
                  no_outcome, number_samples)
from .log import Log, open_log, read_sidecar


# HELM: the statistics of every instance of a run, beside what else is known of it.

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


def recognise_helm(head: Any) -> bool:
    "Whether an instance has a list of statistics."
    return isinstance(head["stats"], list)


def helm_rows(log: Log, ask: Ask) -> Rows:
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
            (row | run for row in make_helm_rows(log, results, name_run(spec), name)))


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


def make_helm_rows(log: Log, results: dict[Key, Statistics], run: str,
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


# evalscope: a folder of reviews, with a line for each sample.

FOLDER = "reviews"  # Holds a folder for each model


def recognise_evalscope(head: Any) -> bool:
    "Whether a sample has a score."
    return has_keys(head["sample_score"], "score")


def evalscope_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample."
    # A sample that was reviewed again has several lines, of which the harness takes the last.
    reviews = list({record["index"]: read_review(record) if ask.texts is None else
                    read_review(record) | dict(said=tell_messages(record), at=log.at)
                    for record in log.records()}.values())
    offered = [name for review in reviews for name in review["scores"]]
    name = ask.choose_score(log, offered, [main for review in reviews for main in review["main"]])
    run = dict(model=name_model(log, reviews[0]), task=log.stem)
    expect_reviews(log, ask, reviews)
    if any(review["sample"] is None for review in reviews): ask.note_unordered()
    took = dict(question="group_id", sample="generation_index") | name_outcome(name)
    return (took | dict(answer="extracted_prediction"),
            (row | run for row in make_evalscope_rows(reviews, name)))


def expect_reviews(log: Log, ask: Ask, reviews: list[Row]) -> None:
    "Expect as many samples as the report on the same model counts for the subset."
    model, folder = log.path.parent, log.path.parent.parent
    if folder.name != FOLDER: return
    # All questions of a subset are asked equally often.
    each = max(Counter(review["question"] for review in reviews).values())
    for path in sorted((folder.with_name("reports") / model.name).glob("*.json")):
        size = count_subset(read_sidecar(path, log.limits), log.stem)
        if size: ask.expect(size, f"report {path.name}", each=each)


def count_subset(report: dict[str, Any], name: str) -> int:
    "How many samples a report has on a subset; 0 if it is on another one."
    data = report.get("dataset_name")
    if not isinstance(data, str) or not name.startswith(f"{data}_"): return 0
    subset = name.removeprefix(f"{data}_")
    run = (report.get("execution_summary") or {}).get("subsets") or {}
    if has_keys(run.get(subset), "requested"): return int(run[subset]["requested"])
    # Some metrics are over groups of samples; the largest number is that of the samples.
    return max((int(part.get("num") or 0) for metric in report.get("metrics") or []
                for kind in metric.get("categories") or [] for part in kind.get("subsets") or []
                if part.get("name") == subset), default=0)


def read_review(record: dict[str, Any]) -> Row:
    "What a line says of one sample: the parts of a row, its scores, and which of them is the main."
    sample = record["sample_score"]
    score, group = sample["score"], sample.get("group_id")
    named = score.get("main_score_name")
    return dict(question=record["index"] if group is None else group,
                sample=sample.get("generation_index"), scores=score["value"],
                main=[named] if named else list(score["value"])[:1],
                answer=score.get("extracted_prediction"), target=read_target(record),
                model=(record.get("messages") or [{}])[-1].get("model"))


def tell_messages(record: dict[str, Any]) -> tuple[Any, Any]:
    "All messages but the last one, and that."
    messages = record.get("messages") or []
    return messages[:-1], messages[-1:]


def read_target(record: dict[str, Any]) -> Any:
    target = record.get("target")
    return target[0] if isinstance(target, list) and len(target) == 1 else target


def name_model(log: Log, review: Row) -> Any:
    "The model, which the folder of the file names unless it was moved."
    folder = log.path.parent
    return folder.name if folder.parent.name == FOLDER else review["model"]


def make_evalscope_rows(reviews: list[Row], name: str | None) -> Iterator[Row]:
    for place, review in number_samples(reviews, itemgetter("question")):
        row = review | dict(sample=place if review["sample"] is None else review["sample"])
        yield add_score(row, {name: review["scores"].get(name)} if name else {}, name)


# opencompass: judged details, and predictions that `grade` judges. AISBench follows it, and its
# details may mix samples of different questions.

VERDICTS = "correct", "is_correct", "cascade_correct"
PREDICTIONS = "pred", "predictions", "prediction"
REFERENCES = "answer", "references", "reference", "gold"


@dataclass(frozen=True)
class Group:
    "The samples of one entry of the details."
    name: Any  # Name of the question, if stored
    correct: list[Any]  # Verdict on each sample
    predictions: list[Any]  # What was judged, or None for each
    references: list[Any]  # Right answer beside each, or None for each


# Who wrote the details.

def may_be_opencompass(head: Any) -> bool:
    "Whether it holds details that opencompass could have written."
    return "opencompass" in find_writers(head["details"])


def may_be_aisbench(head: Any) -> bool:
    "Whether it holds details that AISBench could have written."
    return "aisbench" in find_writers(head["details"])


def find_writers(details: Any) -> set[str]:
    # Any document with a dict of that name is taken for one; without verdicts it is refused.
    if isinstance(details, dict): return {"opencompass"}
    if not isinstance(details, list) or not all(map(is_judged, details)): return set()
    # Both name metrics such as `avg@4` in each entry; only opencompass has G-Pass among them.
    metrics = {key.split("@")[0] for detail in details for key in detail if "@" in key}
    if metrics: return {"opencompass"} if metrics & {"G-Pass", "mG-Pass"} else {"aisbench"}
    # Without metrics the two differ only where an entry has several samples, and read it
    # differently: this cannot be told apart, and is refused.
    several = any(is_repeated(detail) for detail in details)
    return {"opencompass", "aisbench"} if several else {"opencompass"}


def is_judged(detail: Any) -> bool:
    return isinstance(detail, dict) and take_first(detail, VERDICTS) is not None


def is_repeated(detail: dict[str, Any]) -> bool:
    verdicts = take_first(detail, VERDICTS)
    return isinstance(verdicts, list) and len(verdicts) > 1


def take_first(entry: dict[str, Any], names: Sequence[str]) -> Any:
    "The value under the first of the names that there is."
    return next((entry[name] for name in names if name in entry), None)


# Details.

def opencompass_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample that opencompass judged."
    groups = read_groups(log, ask)
    expect_predictions(log, ask, groups)
    return make_group_rows(groups, log.stem)


def read_groups(log: Log, ask: Ask) -> list[Group]:
    "The entries of the details in order."
    if ask.grade:
        raise OptionError("grade", f"{option('grade')} needs texts as they were generated",
                          hint="read the predictions file")
    details = log.head["details"]
    if isinstance(details, dict):
        details = [details[key] for key in sorted(filter(str.isdigit, details), key=int)]
    if not details: raise ValueError("details must hold at least one question, got none")
    return [read_group(entry) for entry in details]


def read_group(entry: dict[str, Any]) -> Group:
    correct, name = take_first(entry, VERDICTS), entry.get("example_abbr")
    predictions, references = take_first(entry, PREDICTIONS), take_first(entry, REFERENCES)
    if correct is None: raise KeyError("correct")
    if not isinstance(correct, list): return Group(name, [correct], [predictions], [references])
    size = len(correct)
    return Group(name, correct, fit(predictions, size), fit(references, size))


def fit(values: Any, size: int) -> list[Any]:
    "The values if there is one for each sample, else None for each."
    if isinstance(values, list) and len(values) == size: return values
    return [None] * size


def expect_predictions(log: Log, ask: Ask, groups: Sequence[Group]) -> None:
    "Expect a verdict on each prediction of the same name, in the folder beside the results."
    model, results = log.path.parent, log.path.parent.parent
    if results.name != "results": return
    for ending in ".json", ".jsonl":
        path = results.with_name("predictions") / model.name / (log.stem + ending)
        if not path.is_file(): continue
        # Requests that failed stand apart, also after they were made again: then no total is known.
        if path.with_name(f"{path.stem}_failed{ending}").is_file(): continue
        made = open_log(path, log.limits)
        size = len(made.head) if made.kind == "document" else sum(1 for _ in made.records())
        sizes = {len(group.correct) for group in groups}
        ask.expect(size, f"predictions in {path.name}",
                   each=sizes.pop() if len(sizes) == 1 else None)


def make_group_rows(groups: Sequence[Group], task: str) -> Rows:
    named = all(group.name is not None for group in groups)
    took = dict(question="example_abbr" if named else "position", sample="position",
                score="correct", answer="pred")
    return took, (dict(question=group.name if named else place, sample=sample, answer=prediction,
                       score=as_number(correct, "correct"), task=task)
                  for place, group in enumerate(groups)
                  for sample, (correct, prediction) in enumerate(
                      zip(group.correct, group.predictions)))


def aisbench_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample that AISBench judged, each with its own question."
    groups = read_groups(log, ask)
    size = len(groups[0].correct)
    if any(len(group.correct) != size for group in groups):
        raise ValueError(f"every question needs {size} samples, got other numbers too")
    if size > 1 and len(groups) > 1: groups = put_back(groups, ask)
    expect_predictions(log, ask, groups)
    return make_group_rows(groups, log.stem)


def put_back(groups: list[Group], ask: Ask) -> list[Group]:
    """Groups of one question each, whichever way they were stored.

    All samples of a question have the same reference answer. If that holds only after regrouping,
    the file has the fault; if only before, a version without it wrote the file.
    """
    mended = regroup(groups)
    before, after = share_references(groups), share_references(mended)
    if before == after:
        ways = "both ways" if before else "neither way"
        raise OptionError("grade", "cannot tell which samples belong together, since the reference "
                                   f"answers fit {ways} of grouping",
                          hint=f"read the predictions with {option('grade')}")
    if before: return groups
    ask.add_note("regrouped", "AISBench")
    return mended


def regroup(groups: list[Group]) -> list[Group]:
    """The same samples, grouped by question.

    They come one replica after the other and were cut into groups as if they came one question
    after the other: sample s of question q of R is entry s * R + q of all.
    """
    correct = [value for group in groups for value in group.correct]
    predictions = [value for group in groups for value in group.predictions]
    references = [value for group in groups for value in group.references]
    step = len(groups)
    return [replace(group, correct=correct[q::step], predictions=predictions[q::step],
                    references=references[q::step]) for q, group in enumerate(groups)]


def share_references(groups: Sequence[Group]) -> bool:
    "Whether the samples of each group have one reference answer."
    return all(len({json.dumps(value, sort_keys=True) for value in group.references}) == 1
               for group in groups)


# Predictions.

def recognise_predictions(head: Any) -> bool:
    "Whether a document maps numbers to predictions, as opencompass writes them."
    return all(key.isdigit() for key in head) and has_keys(head["0"], "prediction")


def prediction_rows(log: Log, ask: Ask) -> Rows:
    "One row per prediction of opencompass, numbered over questions and repeats."
    if ask.grade is None:
        raise no_outcome(log, "opencompass", "predictions are not judged; the results file is, "
                                             "with dump_eval_details on")
    entries = [log.head[key] for key in sorted(log.head, key=int)]
    size = find_period([json.dumps([entry.get("origin_prompt"), entry.get("gold")], sort_keys=True)
                        for entry in entries])
    took = dict(question=f"index modulo {size} (the period of the prompts)", sample="replica",
                correct="grade", answer="prediction")
    return took, (dict(question=place % size, sample=place // size, answer=entry["prediction"],
                       target=entry.get("gold"), task=log.stem,
                       said=(entry.get("origin_prompt"), entry["prediction"]))
                  for place, entry in enumerate(entries))


def aisbench_predictions(log: Log, ask: Ask) -> Rows:
    "One row per prediction of AISBench, a line each."
    if ask.grade is None:
        raise no_outcome(log, "AISBench", "predictions are not judged; the results file is, "
                                          "with --dump-eval-details")
    ask.note_unordered()
    took = dict(question="id", sample="order within id", correct="grade", answer="prediction")
    return took, read_predictions(log, ask)


def read_predictions(log: Log, ask: Ask) -> Iterator[Row]:
    for place, record in number_samples(log.records(), itemgetter("data_abbr", "id")):
        failed = "prediction" not in record or record.get("success") is False
        ask.note_missing("request", "failed", int(failed))
        yield dict(question=record["id"], sample=place, task=record["data_abbr"],
                   answer=record.get("prediction"), target=record.get("gold"), missing=failed,
                   said=(record.get("origin_prompt"), record.get("prediction")))


# BFCL: a score file, whose first line has the totals and every other one a failure.

def refuse_failures(log: Log, ask: Ask) -> Rows:
    "Refuse a file that names the questions with a wrong answer, and of the right ones how many."
    right, total = log.head["correct_count"], log.head["total_count"]
    raise ValueError(f"{log.path.name} holds failures only, as BFCL writes them: its first line "
                     f"says that {right} of {total} are right, and nothing names these; the totals "
                     f"alone are read as {right}/{total} in place of the file")
