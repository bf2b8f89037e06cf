"Logs that hold fewer samples than their run says it has, of every harness that stores a total."

import json
import re
import shutil
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from conftest import command
from harness_cases import (
    HEADER,
    LOGS,
    PARQUET,
    inspect_sample,
    load,
    load_lines as lines,
    put,
    zipped,
)
from sampling_eval import compare, count, describe, gate, read, score
from sampling_eval.reading.logs.ask import Ask, Total
from sampling_eval.reading.logs.folder import NAMES
from sampling_eval.reading.logs.samples import Table
from sampling_eval.reading.logs.several import Counted, hold_totals
from sampling_eval.analyses.phrases.reading import describe_note
from sampling_eval.reading.options import Policy


def copy(name, place):
    "A folder of logs, copied under its own name."
    return shutil.copytree(LOGS / name, place / name)


@dataclass(frozen=True)
class Short:
    "A log that was cut."

    path: object  # What is read
    expected: int  # Samples by the stored total
    found: int  # Samples that are left
    where: str  # What stores the total
    placed: bool = True  # Whether the questions of the missing ones are known
    options: tuple = ()  # What reading it takes


# One function for each harness, and for each place where a total may stand.


def human_eval(place):
    folder = copy("human_eval", place)
    path = folder / "example_samples.jsonl_results.jsonl"
    put(path, lines(path)[:4], True)
    return Short(path, 6, 4, "programs in example_samples.jsonl")


def evalplus(place):
    tries = {
        f"t/{i}": [
            dict(task_id=f"t/{i}", solution=f"s{j}", base_status="pass", plus_status=None)
            for j in range(3)
        ]
        for i in range(2)
    }
    put(place / "m.jsonl", [one for task in tries.values() for one in task], True)
    del tries["t/1"][2]
    return Short(put(place / "m_eval_results.json", dict(eval=tries)), 6, 5, "programs in m.jsonl")


def bigcodebench(place):
    path = next(copy("bigcodebench", place).glob("*_eval_results.json"))
    whole = load(path)
    programs = [one for task in whole["eval"].values() for one in task]
    name = path.name.replace("_eval_results.json", ".jsonl")
    put(path.with_name(name), programs, True)
    whole["eval"]["MadeUp/2"].pop()
    return Short(put(path, whole), 6, 5, f"programs in {name}")


def inspect_json(place):
    samples = [inspect_sample(q, epoch, "CI"[q % 2]) for epoch in (1, 2, 3) for q in range(6)]
    about = HEADER["eval"] | dict(dataset=dict(sample_ids=list(range(6))), config=dict(epochs=3))
    log = HEADER | dict(eval=about, results=dict(total_samples=18), samples=samples[:12])
    return Short(put(place / "x.json", log), 18, 12, "total_samples in its header")


def inspect_archive(place):
    about = HEADER | dict(
        eval=HEADER["eval"] | dict(dataset=dict(samples=100)), results=dict(total_samples=8)
    )
    members = {f"samples/{q}_epoch_1.json": inspect_sample(q, 1, "C") for q in range(5)}
    path = zipped(place / "x.eval", {"header.json": about} | members)
    return Short(path, 8, 5, "total_samples in its header", False)


def inspect_started(place):
    "What an interrupted run leaves: no header, and no status."
    about = HEADER["eval"] | dict(dataset=dict(sample_ids=["a", "b"]), config=dict(epochs=2))
    start = dict(version=2, eval=about, plan={})
    path = zipped(
        place / "x.eval",
        {"_journal/start.json": start, "samples/a_epoch_1.json": inspect_sample("a", 1, "C")},
    )
    return Short(path, 4, 1, "sample_ids and epochs in its header")


def lm_eval(place):
    folder = copy("lm_eval_kinds", place) / "mock"
    path = next(folder.glob("samples_mymc_*"))
    put(path, lines(path)[:5], True)
    return Short(path, 6, 5, f"n-samples in {next(folder.glob('results_*')).name}")


def lm_eval_texts(place):
    "Four texts of each document."
    folder = copy("lm_eval_kinds", place) / "mock"
    path = next(folder.glob("samples_mygen_rep_*"))
    put(path, lines(path)[:4], True)
    results = next(folder.glob("results_*"))
    told = load(results)
    told["n-samples"]["mygen_rep"]["original"] = 100  # Which six of them were asked is not known
    put(results, told)
    return Short(path, 24, 16, f"n-samples in {results.name}", False, (("grade", "exact"),))


def lighteval(place):
    pq = pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(PARQUET["details_arith_once_0"])
    task, time = table["doc"][0].as_py()["task_name"], "2026-11-21T10-00-00.000000"
    path = place / f"details/org/m/{time}/details_arith_once_0_{time}.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(table.slice(0, len(table) - 1), path)
    put(
        place / f"results/org/m/results_{time}.json",
        dict(config_tasks={task: dict(effective_num_docs=len(table))}),
    )
    return Short(
        path, len(table), len(table) - 1, f"effective_num_docs in results_{time}.json", False
    )


def tau2(place):
    path = copy("tau2_runs", place) / "mock-a_airline.json"
    whole = load(path)
    whole["simulations"] = whole["simulations"][:5]
    return Short(put(path, whole), 8, 5, "tasks times num_trials in mock-a_airline.json")


def verifiers(place):
    rollouts = [
        dict(example_id=i, prompt="p", completion=f"{i}{j}", reward=float(i == j), answer="a")
        for j in range(3)
        for i in range(4)
    ]
    put(place / "metadata.json", dict(num_examples=4, rollouts_per_example=3, model="m"))
    return Short(
        put(place / "results.jsonl", rollouts[:9], True),
        12,
        9,
        "num_examples times rollouts_per_example in metadata.json",
    )


def verifiers_examples(place):
    "Examples that nobody names."
    path = copy("verifiers/wiki-search--gpt-5/73850758", place) / "results.jsonl"
    put(path, lines(path)[:45], True)
    return Short(path, 50, 45, "num_examples times rollouts_per_example in metadata.json", False)


def promptfoo(place):
    path = copy("promptfoo_repeat", place) / "out.json"
    whole = load(path)
    whole["results"]["results"] = whole["results"]["results"][:40]
    return Short(put(path, whole), 48, 40, "stats in out.json", False)


def promptfoo_lines(place):
    path = copy("promptfoo_repeat", place) / "out.jsonl"
    put(path, lines(path)[:40], True)
    return Short(path, 48, 40, "stats in out.json", False)


def terminal_bench(place):
    path = copy("terminal_bench/2026-11-21__10-00-00", place) / "results.json"
    whole = load(path)
    del whole["results"][-1]
    return Short(put(path, whole), 4, 3, "resolved_ids and unresolved_ids in results.json")


def terminal_bench_run(place):
    "A run that ended early, all of whose trials are listed."
    folder = copy("terminal_bench/2026-11-21__10-00-00", place)
    about = folder / "run_metadata.json"
    put(about, load(about) | dict(dataset_size=3))
    return Short(folder, 6, 4, "dataset_size times n_attempts in run_metadata.json", False)


def harbor(place):
    folder = copy("harbor/2026-11-21__10-00-00", place)
    for name in "fix-build__gH6", "sort-file__cD4":
        shutil.rmtree(folder / name)
    return Short(folder, 8, 6, f"n_total_trials in {folder.name}/result.json", False)


def harbor_attempts(place):
    "A job that says how often each task is tried."
    folder = copy("harbor/2026-11-21__10-00-00", place)
    for name in "fix-build__gH6", "fix-build__iJ7", "fix-build__kL8":
        shutil.rmtree(folder / name)
    shutil.rmtree(folder / "sort-file__cD4")
    put(folder / "result.json", load(folder / "result.json") | dict(n_total_trials=6))
    put(folder / "config.json", dict(n_attempts=3))
    return Short(folder, 6, 4, f"n_total_trials in {folder.name}/result.json")


def swe_bench(place):
    path = copy("swe_bench", place) / "mock__model.run2.json"
    whole = load(path)
    for ids in whole.values():
        if isinstance(ids, list) and "made__up-6" in ids:
            ids.remove("made__up-6")
    return Short(put(path, whole), 6, 5, f"total_instances in {path.name}", False)


def opencompass(place):
    path = copy("opencompass", place) / "results/mock/arith.json"
    whole = load(path)
    del whole["details"][-1]
    return Short(put(path, whole), 6, 4, "predictions in arith.json", False)


def aisbench(place):
    path = copy("aisbench", place) / "results/mock/d.json"
    whole, made = load(path), place / "aisbench/predictions/mock/d.jsonl"
    made.with_name("d_failed.jsonl").unlink()
    put(made, [*lines(made), lines(made)[-1] | dict(uuid="32")], True)
    whole["details"] = [
        detail
        | dict(pred=detail["pred"][:1], answer=detail["answer"][:1], correct=detail["correct"][:1])
        for detail in whole["details"]
    ]
    return Short(put(path, whole), 12, 4, "predictions in d.jsonl", False)


def evalscope(place):
    path = copy("evalscope", place) / "reviews/mock-a/general_mcq_arith.jsonl"
    put(path, lines(path)[:18], True)
    return Short(path, 20, 18, "report general_mcq.json")


def evalscope_old(place):
    "A report without a summary of its execution."
    short = evalscope(place)
    path = place / "evalscope/reports/mock-a/general_mcq.json"
    told = load(path)
    del told["execution_summary"]
    put(path, told)
    return short


def helm(place):
    path = next(copy("helm", place).rglob("per_instance_stats.json"))
    # Every other entry is of a perturbation, which is a task of its own.
    kept = [
        entry for entry in load(path) if entry["train_trial_index"] < 2 or "perturbation" in entry
    ]
    return Short(put(path, kept), 15, 10, "instances.json times trials in display_predictions.json")


def deepeval(place):
    path = next(copy("deepeval", place).glob("*.json"))
    whole = load(path)
    cases = [case for case in whole["testCases"] if case["success"] is not None]
    return Short(
        put(path, whole | dict(testCases=cases[:9])),
        12,
        9,
        f"testPassed and testFailed in {path.name}",
        False,
    )


def simple_evals(place):
    path = copy("simple_evals", place) / "math_mock-a_20261122_043000_allresults.json"
    whole = load(path)
    del whole["htmls"][6:], whole["convos"][6:]
    scores = [
        float(
            re.findall(r"<p>Score: (.*?)</p>", page)[-1].replace("True", "1").replace("False", "0")
        )
        for page in whole["htmls"]
    ]
    return Short(
        put(path, whole | dict(score=sum(scores) / 6)),
        9,
        6,
        f"example_level_metadata in {path.name}",
        False,
    )


CASES = {
    "human-eval": [human_eval],
    "evalplus": [evalplus],
    "bigcodebench": [bigcodebench],
    "inspect": [inspect_json, inspect_archive, inspect_started],
    "lm-eval": [lm_eval, lm_eval_texts],
    "lighteval": [lighteval],
    "tau2": [tau2],
    "verifiers": [verifiers, verifiers_examples],
    "promptfoo": [promptfoo, promptfoo_lines],
    "terminal-bench": [terminal_bench, terminal_bench_run],
    "harbor": [harbor, harbor_attempts],
    "swe-bench": [swe_bench],
    "opencompass": [opencompass],
    "aisbench": [aisbench],
    "evalscope": [evalscope, evalscope_old],
    "helm": [helm],
    "deepeval": [deepeval],
    "simple-evals": [simple_evals],
    # Names failures only, and is refused.
    "bfcl": [],
    # Stores the accuracy of its run and no number of samples; its test stands below.
    "openai-evals": [],
    # Store no total: a list of trials, and a file for each step of training.
    "tau-bench": [],
    "verl": [],
    # Exports without a total; the report of pytest has one, and its test stands in its file.
    "langsmith": [],
    "phoenix": [],
    "mlflow": [],
    "choices": [],
    "junit": [],
    "pytest": [],
}
ALL = [case for cases in CASES.values() for case in cases]


def test_every_harness_is_one_of_these():
    assert set(CASES) == set(NAMES)


@pytest.fixture(params=ALL, ids=lambda case: case.__name__)
def short(request, tmp_path):
    return request.param(tmp_path)


def run(short, missing=None):
    "The report on a log, or what its refusal says."
    told = dict(short.options) | ({} if missing is None else dict(missing=missing))
    try:
        return score(short.path, ["pass@1", "avg@n"], **told)
    except ValueError as error:
        return str(error)


def test_a_log_shorter_than_its_total_is_refused(short):
    "In Python, and by the command in its own words."
    said, need = run(short), f"need {short.expected} samples ({short.where}), got {short.found} in "
    assert said.startswith(need)
    assert f"({short.expected - short.found} missing" in said and "complete the log" in said
    assert ("missing='wrong' or 'drop'" in said) == short.placed
    assert ("nothing says of which questions they are" in said) != short.placed
    more = [word for name, value in short.options for word in (f"--{name}", value)]
    done = command("score", short.path, "-m", "pass@1", *more)
    assert done.returncode == 2 and done.stdout == "" and need in done.stderr
    assert "--missing wrong or" in done.stderr if short.placed else "--missing drop" in done.stderr


def test_what_is_missing_counts_as_wrong_where_its_question_is_known(short):
    report, both = run(short, "wrong"), run(short, "bounds")
    if not short.placed:
        assert report == both and report.startswith(f"need {short.expected} samples")
        assert "missing='drop'" in report
        return
    (total,) = [one for one in report.totals if one.missing]
    assert (total.expected, total.found, total.where, total.left_out) == (
        short.expected,
        short.found,
        short.where,
        0,
    )
    questions = report.questions
    assert report.rows[0].missing >= short.expected - short.found
    wrong = float(questions["c"].sum()) / float(questions["n"].sum())
    avg = [row.estimate for row in both.rows if row.metric.startswith("avg")]
    assert avg[0] <= wrong + 1e-9 and avg[0] < avg[-1] or report.rows[0].group


def test_what_is_missing_may_be_left_out(short):
    report = run(short, "drop")
    if isinstance(report, str):  # A question of whose samples the harness itself lost all
        assert report.startswith("every question needs a sample with an outcome")
        return
    (total,) = [one for one in report.totals if one.missing]
    assert total.found == short.found and 0 <= total.left_out <= total.missing
    whole = [row for row in report.rows if row.group in ("", "all questions")]
    if len({row.model for row in whole}) == 1:
        assert whole[0].missing >= total.missing
    warned = any(
        one.kind == "short_log" and (one.found, one.expected) == (short.found, short.expected)
        for one in report.cautions
    )
    assert warned == (total.left_out > 0)
    (note,) = [
        note
        for note in read(short.path, missing="drop", **dict(short.options)).summary.notes
        if note.kind == "short_total"
    ]
    assert (note.count, note.total, note.names[1]) == (short.found, short.expected, short.where)
    (told,) = [one for one in json.loads(report.to_json())["totals"] if one["left_out"]] or [None]
    if total.left_out:
        assert told["expected"] == short.expected and told["where"] == short.where
        assert type(report).from_json(report.to_json()).totals == report.totals


# What holds for all of them.


def test_a_whole_log_tells_its_total(tmp_path):
    log = LOGS / "inspect/log_streaming.eval"
    (total,) = score(log, "pass@1").totals
    assert (total.file, total.expected, total.found, total.missing) == (log.name, 4, 4, 0)
    assert [one.expected for one in read(LOGS / "evalscope").totals] == [20, 12, 20, 12]
    assert {one.model for one in read(LOGS / "evalscope").totals} == {"mock-a", "mock-b"}
    for name in "tau_bench", "verl/50.jsonl":
        assert read(LOGS / name).totals == ()


def test_samples_of_a_short_log(tmp_path):
    "Rows without an outcome take the free numbers, from 1 where the log counts from 1."
    short = inspect_json(tmp_path)
    rows = read(short.path, missing="wrong")
    counts = rows.counts(replace(Policy(), missing="wrong"))
    assert counts.n.tolist() == [3] * 6 and counts.missing.tolist() == [1] * 6
    assert counts.c.tolist() == [2, 0] * 3
    dropped = score(short.path, "avg@n", missing="drop")
    assert dropped.rows[0].n_max == 2 and dropped.rows[0].missing == 6 and dropped.cautions == ()


def test_every_verb_refuses_a_short_log(tmp_path):
    short = lm_eval(tmp_path)
    for verb in (
        score,
        count,
        read,
        lambda path: compare(path, path),
        lambda path: gate(path, minimum={"pass@1": 0.1}),
    ):
        with pytest.raises(ValueError, match="need 6 samples .* got 5 in samples_mymc"):
            verb(short.path)
    assert count(short.path, missing="drop").totals[0].left_out == 1
    assert describe(short.path).systems[0].missing == 1


def test_parts_that_somebody_chose_are_no_run(tmp_path):
    "One trial, or the trials of one task, are read by themselves."
    job = copy("harbor/2026-11-21__10-00-00", tmp_path)
    assert read(job / "fix-build__kL8").totals == ()
    assert read(sorted(job.glob("fix-build*/result.json"))).totals == ()
    run = copy("terminal_bench/2026-11-21__10-00-00", tmp_path)
    assert len(read(run / "sort-file")) == 2
    assert [one.found for one in read(run).totals] == [4]


def test_several_short_logs_are_counted(tmp_path):
    folder = copy("evalscope", tmp_path) / "reviews/mock-b"
    for path in folder.glob("*.jsonl"):
        put(path, lines(path)[:-1], True)
    with pytest.raises(
        ValueError, match="got 19 in general_mcq_arith.jsonl .1 missing, 2 totals fail"
    ):
        score(folder)
    report = score(folder, "avg@n", missing="wrong")
    assert [one.found for one in report.totals] == [19, 11]
    assert report["mock-b", "all questions", "avg@4"].missing == 2


def test_retries_complete_a_crashed_run():
    logs = sorted((LOGS / "inspect_set").glob("*sums*"))
    with pytest.raises(
        ValueError, match="need 8 samples .sample_ids and epochs in its header., got 2"
    ):
        score(logs[0])
    assert [(one.expected, one.found) for one in read(logs).totals] == [(8, 8)]


def test_copies_in_another_run_are_not_missing(tmp_path):
    samples = [inspect_sample(q, 1, "C", uuid=f"u{q}") for q in range(4)]
    for i, name in enumerate("ab"):
        about = HEADER["eval"] | dict(task_id=name)
        put(
            tmp_path / f"{name}.json",
            HEADER
            | dict(eval=about, results=dict(total_samples=4 - 2 * i), samples=samples[: 4 - 2 * i]),
        )
    rows = read(tmp_path)
    assert [(one.expected, one.found) for one in rows.totals] == [(4, 4), (2, 2)] and len(rows) == 4


def test_totals_that_disagree():
    "The total that misses most is held; a place that contradicts it is not believed."
    table = Table()
    for q in range(3):
        table.add(dict(question=q, sample=0, score=1.0))
    table.said.totals = [Total(4, "a", questions={q: 1 for q in range(4)}), Total(3, "b")]
    ((held, _),) = hold_totals([table], "wrong")
    assert held.where == "a" and table.columns["question"] == [0, 1, 2, 3]
    table.keep(range(3))
    table.said.totals = [Total(5, "c", questions={q: 1 for q in range(4)})]
    with pytest.raises(ValueError, match="need 5 samples .c., got 3 .* nothing says of which"):
        hold_totals([table], "wrong")
    table.said.totals = [Total(2, "d")]
    ((held, _),) = hold_totals([table])
    assert held.missing == 0 and len(table.columns["question"]) == 3


@pytest.mark.parametrize("size", [None, 0, -1, True, 2.5, "18"])
def test_what_is_no_total(size):
    ask = Ask()
    ask.expect(size, "x")
    assert ask.totals == []
    ask.expect(1, "x", each=1)
    assert ask.totals == [Total(1, "x", each=1)]


@pytest.mark.parametrize(
    "told",
    [
        None,
        {},
        [],
        {"other": dict(effective_num_docs=9)},
        {"TASK": {}},
        {"TASK": None},
        {"TASK": dict(effective_num_docs="9")},
    ],
)
def test_results_of_lighteval_without_a_total(tmp_path, told):
    short = lighteval(tmp_path)
    results = next(tmp_path.glob("results/org/m/*.json"))
    [task] = json.loads(results.read_text())["config_tasks"]
    put(results, dict(config_tasks=json.loads(json.dumps(told).replace("TASK", task))))
    report = score(short.path, "pass@1")
    assert report.rows[0].questions == short.found and not report.totals


def test_openai_evals_stores_a_mean(tmp_path):
    path = next(copy("openai_evals", tmp_path).glob("*VFYJPN4G*"))
    records = lines(path)
    match = next(place for place, record in enumerate(records) if record.get("type") == "match")
    put(path, records[:match] + records[match + 1 :], True)
    with pytest.raises(
        ValueError,
        match="the 5 samples in .* have an accuracy of .*, but the final report says 0.666667",
    ):
        score(path)
    put(path, [record for record in records if "final_report" not in record], True)
    assert score(path, "pass@1").rows[0].questions == 6


# A run that crashed.


@pytest.mark.parametrize(
    "status, fault, said",
    [
        (
            "error",
            dict(message="the disk is full"),
            "the run ended with status 'error' ('the disk is full')",
        ),
        ("cancelled", None, "the run ended with status 'cancelled'"),
        ("started", None, "the run ended with status 'started'"),
    ],
)
def test_a_crashed_run_of_inspect_names_its_status(tmp_path, status, fault, said):
    log = HEADER | dict(status=status, error=fault)
    empty = put(tmp_path / "empty.json", log | dict(samples=[]))
    with pytest.raises(ValueError, match=f"holds no samples: {re.escape(said)}$"):
        score(empty)
    run = command("score", empty)
    assert run.returncode == 2 and said in " ".join(run.stderr.split())
    about = HEADER["eval"] | dict(dataset=dict(sample_ids=["a", "b"]))
    some = put(
        tmp_path / "some.json", log | dict(eval=about, samples=[inspect_sample("a", 1, "C")])
    )
    with pytest.raises(ValueError, match=f"got 1 in some.json .1 missing: {re.escape(said)}.;"):
        score(some)
    (note,) = [
        note for note in read(some, missing="wrong").summary.notes if note.kind == "unfinished"
    ]
    assert describe_note(note) == f"{said}: samples may be absent"


def test_what_a_run_of_inspect_writes_first_has_no_status(tmp_path):
    with pytest.raises(ValueError, match="1 missing: the run ended with status 'started'"):
        path = zipped(
            tmp_path / "x.eval",
            {
                "_journal/start.json": dict(
                    version=2, plan={}, eval=HEADER["eval"] | dict(dataset=dict(sample_ids=[1, 2]))
                ),
                "samples/1_epoch_1.json": inspect_sample(1, 1, "C"),
            },
        )
        score(path)


# Files that were appended to themselves.


def results(place, times=1, questions=5):
    "Programs of human-eval and what running them gave, one after the other as often as said."
    records = [
        dict(task_id=f"t/{q}", completion=f"return {q}{j}", passed=(q + j) % 3 > 0, result="")
        for q in range(questions)
        for j in range(4)
    ]
    return put(place / "x_results.jsonl", records * times, True)


def test_results_appended_to_themselves_are_named(tmp_path):
    once, path = score(results(tmp_path), "avg@n"), tmp_path / "x_results.jsonl"
    assert once.rows[0].n_max == 4 and once.cautions == ()
    for times in 2, 3:
        more, (repeat,) = score(results(tmp_path, times), "avg@n"), read(path).repeats
        assert more.rows[0].n_max == 4 * times and more.rows[0].estimate == once.rows[0].estimate
        assert (repeat.file, repeat.lines, repeat.times) == (path.name, 20, times)
        (note,) = [note for note in read(path).summary.notes if note.kind == "repeated_lines"]
        assert (note.names, note.count, note.value) == ((path.name,), 20, times)
        said = f"x_results.jsonl is the same 20 lines {times} times, one after the other"
        (caution,) = [one for one in more.cautions if one.kind == "repeated_file"]
        assert (caution.file, caution.lines, caution.multiplicity) == (path.name, 20, times)
        assert caution in describe(path).cautions and said in str(caution)
    run = command("score", path, "-m", "avg@n")
    assert run.returncode == 0 and said in " ".join(run.stdout.split())


def test_lines_that_end_within_a_repetition_are_no_copies(tmp_path):
    path = results(tmp_path, 2)
    put(path, lines(path)[:-1], True)
    assert not any(one.kind == "repeated_file" for one in score(path, missing="drop").cautions)
    for log in "verl/50.jsonl", "verl/100.jsonl", "human_eval", "verifiers/wiki-search--gpt-5":
        assert read(LOGS / log).repeats == ()


@pytest.mark.parametrize(
    "columns, told",
    [
        ([("m", 1), ("m", 1)], dict(model="m", run=1)),
        ([("m", 1), ("m", 2)], None),
        ([("m", 1), ("n", 1)], None),
        ([("m", 1), ("n", 2)], None),
    ],
)
def test_missing_samples_are_of_a_model_and_run_if_there_is_only_one(columns, told):
    tables = [SimpleNamespace(columns=dict(model=[m], run=[r])) for m, r in columns]
    assert Counted.find_model(SimpleNamespace(tables=tables)) == told
