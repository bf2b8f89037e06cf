"Which files are logs, which reader takes them, and several of them as one table."

import json
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import fill

import pytest

from harness_cases import (
    EVAL,
    LOGS,
    PARQUET,
    find_logs,
    lm_rows,
    load,
    load_lines,
    put,
    read,
    refusal,
)
from printed import check_text
from sampling_eval import score
from sampling_eval.reading.listing import list_files
from sampling_eval.reading.logs import log as logs
from sampling_eval.reading.logs.log import Log
from sampling_eval.reading.logs.folder import BUILT_IN, NAMES, find_readers, list_formats
from sampling_eval.analyses.phrases.reading import describe_read

# Readers by what they recognise: kind of file and head, which is not recognised without any key.

DONE = dict(status="pass")
HEADS = [
    ("human-eval", "lines", dict(task_id="t", passed=True, result="")),
    ("human-eval", "lines", dict(task_id="t", completion="")),
    ("human-eval", "lines", dict(task_id="t", solution="")),
    ("evalplus", "document", dict(eval={})),
    ("evalplus", "document", dict(eval={"a": [DONE, dict(base_status="x")]})),
    ("bigcodebench", "document", dict(eval={"a": [DONE]})),
    ("inspect", "archive", dict(version=2, status="x", eval={})),
    ("inspect", "document", dict(version=2, plan={}, eval={})),
    ("lm-eval", "lines", dict(doc_id=0, resps=[], filtered_resps=[])),
    ("lighteval", "parquet", dict(doc=None, model_response=None, metric=None)),
    ("tau-bench", "rows", dict(task_id=0, reward=1, trial=0)),
    ("tau2", "document", dict(simulations=[], info={})),
    ("tau2", "document", dict(info=dict(agent_info={}), tasks=[])),
    ("tau2", "document", dict(task_id=0, termination_reason="x", reward_info={})),
    ("verl", "lines", dict(input="", output="", score=1)),
    ("verifiers", "lines", dict(reward=1, completion="", prompt="", id=0)),
    ("verifiers", "lines", dict(reward=1, completion="", prompt="", example_id=0)),
    ("verifiers", "lines", dict(task={}, traces=[], ok=True)),
    ("promptfoo", "document", dict(results=dict(results=[], stats={}))),
    ("promptfoo", "lines", dict(testIdx=0, promptIdx=0, provider="", success=True, testCase={})),
    ("terminal-bench", "document", dict(results=[], n_resolved=0)),
    ("terminal-bench", "document", dict(trial_name="", task_id="", is_resolved=True)),
    ("harbor", "document", dict(task_name="", trial_name="", agent_info={}, verifier_result={})),
    ("harbor", "document", dict(n_total_trials=1, stats={})),
    ("swe-bench", "document", dict(submitted_ids=[], resolved_ids=[])),
    ("swe-bench", "document", {"x": dict(patch_successfully_applied=True, resolved=True)}),
    ("opencompass", "document", {"0": dict(prediction="")}),
    ("aisbench", "lines", dict(data_abbr="d", id=1)),
    ("evalscope", "lines", dict(index=0, sample_score=dict(score={}))),
    ("helm", "rows", dict(instance_id="i", train_trial_index=0, stats=[])),
    ("deepeval", "document", dict(testCases=[], conversationalTestCases=[], metricsScores=[])),
    ("openai-evals", "lines", dict(spec=dict(completion_fns=[], eval_name=""))),
    ("simple-evals", "document", dict(score=1, metrics={}, htmls=[], convos=[])),
    ("simple-evals", "document", {"score": 1, "score:std": 0}),
    ("simple-evals", "document", {"score": 1, "score:bootstrap_std": 0}),
    (
        "phoenix",
        "rows",
        dict(example_id="e", repetition_number=1, reference_output={}, annotations=[]),
    ),
    ("mlflow", "rows", dict(trace_id="t", trace="{}", request={}, response="")),
    ("pytest", "document", dict(tests=[], summary={}, exitcode=0)),
    ("junit", "xml", dict(testsuites=None)),
    ("choices", "lines", dict(choices=["a"], logprobs=[-1.0], gold=0)),
]

OLD = [  # Layouts of earlier versions, and one that is refused
    ("evalplus", "document", dict(eval={"a": dict(base=[["success", []]], plus=[])})),
    ("swe-bench", "document", dict(resolved=[], applied=[], generated=[])),
    ("bfcl", "lines", dict(accuracy=0.5, correct_count=1, total_count=2)),
]


def find(kind, head, *given):
    return [reader.name for reader in find_readers(Log(Path("x"), kind, head), *given)]


@pytest.mark.parametrize("name, kind, head", [*HEADS, *OLD])
def test_heads_of_every_layout(name, kind, head):
    assert find(kind, head) == [name]
    for key in head:
        assert name not in find(kind, {k: v for k, v in head.items() if k != key}), key
    for other in None, [], [head], [*head], "x", {}, {"": 0}:
        assert find(kind, other) == []
    others = {"lines", "rows", "document", "archive", "parquet", "xml", "table"} - {
        kind,
        "document",
    }
    if name not in ("inspect", "choices"):
        assert not any(find(other, head) for other in others)


def test_every_harness_is_one_of_these():
    assert {name for name, *_ in [*HEADS, *OLD]} | {"langsmith"} == set(NAMES) and set(
        list_formats()
    ) >= set(NAMES)


SEVERAL, RIGHT = dict(correct=[True, False]), dict(correct=True)


@pytest.mark.parametrize(
    "kind, head, names",
    [
        *(
            ("document", dict(details=details), names.split())
            for details, names in (
                ({}, "opencompass"),
                ({"0": {}}, "opencompass"),
                ([], "opencompass"),
                ([RIGHT], "opencompass"),
                ([dict(is_correct=True)], "opencompass"),
                ([dict(cascade_correct=[True])], "opencompass"),
                ([dict(correct=[1])], "opencompass"),
                ([RIGHT, SEVERAL], "opencompass aisbench"),
                ([SEVERAL], "opencompass aisbench"),
                ([SEVERAL | {"avg@4": 1}, SEVERAL], "aisbench"),
                ([SEVERAL | {"G-Pass@4": 1, "avg@4": 1}], "opencompass"),
                ([SEVERAL | {"mG-Pass@4": 1}], "opencompass"),
                ([RIGHT, dict(pred=1)], ""),
                ([RIGHT, 5], ""),
                ([dict(correct=None)], ""),
                ("x", ""),
                (None, ""),
            )
        ),
        ("document", dict(eval={}, version=2), []),
        ("document", dict(eval=[]), []),
        ("document", dict(eval={"a": [], "b": {}}), []),
        ("document", dict(version=2, eval=[]), []),
        ("document", {"0": dict(pred="")}, []),
        ("document", {"0": dict(prediction=""), "x": {}}, []),
        ("document", dict(info={}, tasks=[]), []),
        ("document", dict(testRunData={}), []),
        ("document", dict(testRunData=HEADS[-10][2]), ["deepeval"]),
        ("document", {"x": HEADS[25][2]["x"], "y": {}}, []),
        ("lines", HEADS[17][2] | dict(traces={}), []),
        ("rows", HEADS[29][2] | dict(stats={}), []),
        ("lines", dict(index=0, sample_score={}), []),
        ("table", ["a", "[p] x", "Status", "Score"], ["promptfoo"]),
        ("table", ["Status", "Score"], []),
        ("table", ["example_id", "id", "execution_time", "feedback.x"], ["langsmith"]),
        ("table", ["example_id", "id", "execution_time"], []),
        ("xml", dict(testsuite=None), ["junit"]),
    ],
)
def test_heads_that_need_a_second_look(kind, head, names):
    assert find(kind, head) == names


def test_readers_by_name():
    verdict, program = HEADS[0][2], HEADS[1][2]
    assert find("lines", {}, "human-eval") == find("rows", {}, "human-eval", True) == []
    assert find("lines", verdict, "verl") == []
    assert (
        find("lines", {}, "human-eval", True)
        == find("lines", program, "human-eval", True)
        == ["human-eval"]
    )

    def having(field):
        return [reader.name for reader in BUILT_IN if getattr(reader, field)]

    assert having("draws") == ["terminal-bench", "harbor", "harbor", "swe-bench", "swe-bench"]
    assert having("by_folder") == ["lm-eval", "opencompass", "opencompass", "aisbench", "aisbench"]
    assert {reader.name for reader in BUILT_IN if not reader.judged} == {
        "human-eval",
        "tau2",
        "harbor",
        "swe-bench",
        "bfcl",
        "opencompass",
        "aisbench",
        "simple-evals",
    }


def test_a_table_imports_no_reader(tmp_path):
    (tmp_path / "t.csv").write_text("question,correct\na,1\nb,0\n")
    modules = "[m for m in sys.modules if m.startswith('sampling_eval.reading.logs.')]"
    code = f"import sys, sampling_eval as s; s.score('t.csv', 'pass@1'); print(*{modules})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    used = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert used <= {"limits", "log", "folder"}


def test_importing_costs_nothing_heavy():
    code = (
        "import sys, sampling_eval.reading.logs.several, sampling_eval.reading.logs.samples\n"
        "heavy = {'duckdb', 'narwhals', 'zipfile', 'scipy', 'importlib.metadata'}\n"
        "sys.exit(str(heavy & sys.modules.keys() or ''))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).stderr.strip() == b""


# Records that do not keep to their layout.

LAYOUTS = sorted(
    p.name
    for p in LOGS.iterdir()
    if p.is_dir() and p.name not in ("licences", "lighteval", "inspect")
)


@pytest.mark.parametrize("name", LAYOUTS)
def test_absent_keys_are_named(tmp_path, name):
    "Without any one key, a log is read, refused with a ValueError, or taken for a plain table."
    logs = [path for path in sorted((LOGS / name).rglob("*.json*")) if path.name != "metadata.json"]

    def lie(path):
        return *path.relative_to(LOGS / name).parts[:-1][:1], len(path.parts)

    # Files of one kind that lie alike have one layout.
    for path in {(*lie(path), path.suffix, path.name[:4]): path for path in logs}.values():
        lines = path.suffix == ".jsonl"
        for changed in without_one_key(load_lines(path)[:2] if lines else load(path)):
            target = put(tmp_path / path.name, changed, lines)
            for grade in (None, lambda a, t: True):
                try:
                    read(target, grade=grade)
                except ValueError as fault:
                    assert str(fault)


def without_one_key(value, depth=0):
    if isinstance(value, list):
        for new in without_one_key(value[0], depth + 1) if value else ():
            yield [new, *value[1:]]
    elif isinstance(value, dict) and depth < 6:
        for key in list(value)[:12]:
            yield {k: v for k, v in value.items() if k != key}
            yield value | {key: None}
            for new in without_one_key(value[key], depth + 1):
                yield value | {key: new}


# Files that are meant, and what is left out.

PROGRAMS = [dict(task_id="h/0", completion="c")]
VERDICTS = [dict(task_id="h/0", completion="c", passed=True, result="passed")]


def names(*given):
    return [Path(path).name for path in list_files(*given)]


def test_files_of_paths_globs_and_folders(tmp_path):
    for name in (
        "run10.jsonl run9.json sub/a.eval b.parquet c.csv .hidden.json notes.txt d.json/e.json"
    ).split():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert names(tmp_path) == ["b.parquet", "c.csv", "e.json", "run9.json", "run10.jsonl", "a.eval"]
    named = [str(tmp_path / "notes.txt"), tmp_path / "c.csv"]
    assert names(named) == ["c.csv", "notes.txt"]
    assert names((tmp_path / "run*.json*",)) == ["run9.json", "run10.jsonl"]
    for path in tmp_path / "none", tmp_path / "x*":
        assert refusal(path, kind=FileNotFoundError) == f"no file to read at {path}"
    odd = tmp_path / "details[1].parquet"
    odd.write_bytes(PARQUET["details_facts_0"].read_bytes())
    assert read(odd).correct.tolist() == [1, 0]


def test_logs_among_other_files(tmp_path):
    put(tmp_path / "a_results.jsonl", VERDICTS, True)
    put(tmp_path / "b.json", dict(x=1))
    (tmp_path / "c.json").write_text("{broken")
    (tmp_path / "d.json").write_text("")
    put(tmp_path / "e.jsonl", PROGRAMS, True)
    assert read(tmp_path).notes == dict(
        no_logs=("b.json", "d.json"), judged_elsewhere=("e.jsonl",), unreadable=("c.json",)
    )
    anew = read(tmp_path, grade=lambda answer, target: True)
    assert anew.read.files == ("e.jsonl",)
    assert anew.notes["judged_elsewhere"] == ("a_results.jsonl",)
    (note,) = [one for one in read(tmp_path, "human-eval").read.notes if one.kind == "no_logs"]
    assert note.text == "human-eval"
    both = find_logs([tmp_path / "a_results.jsonl", tmp_path / "e.jsonl"])
    assert len(both.logs) == 2 and both.weaker == []
    for path in tmp_path / "c.json", [tmp_path / "c.json", tmp_path / "a_results.jsonl"]:
        assert "need valid JSON" in refusal(path)
    assert "d.json, an empty file" in refusal([tmp_path, tmp_path / "d.json"])
    assert refusal(tmp_path, "tau2") == f"{tmp_path} holds nothing that tau2 could have written"


def test_a_damaged_log_among_good_ones_is_named(tmp_path):
    shutil.copytree(LOGS / "evalscope", tmp_path / "run")
    broken = tmp_path / "run/reviews/mock-a/general_mcq_arith.jsonl"
    broken.write_text(broken.read_text()[:300])
    (tmp_path / "run/empty.json").touch()
    notes = read(tmp_path).notes
    assert notes["unreadable"] == ("general_mcq_arith.jsonl",) and "empty.json" in notes["no_logs"]


def test_logs_of_two_harnesses_and_of_none(tmp_path):
    either = dict(details=[dict(correct=[True, False], answer=["4", "4"], pred=["4", "5"])])
    path = put(tmp_path / "either.json", either)
    assert refusal(path) == "either.json could be from opencompass or aisbench; pass harness="
    assert read(path, "opencompass").counts()[1] == [1]
    assert refusal(path, "csv").startswith("harness must be one of 'auto', 'table', 'human-eval', ")
    assert "does not follow the layout of tau2" in refusal(path, "tau2")
    assert "holds nothing that lighteval" in refusal(path, "lighteval")
    both = refusal([LOGS / "evalplus", LOGS / "human_eval"])
    assert "holds logs of evalplus and human-eval; pass harness=" in both
    empty = put(tmp_path / "x.json", dict(simulations=[], info={}))
    assert refusal(empty) == "need at least one sample, got none in x.json"


def test_tables_are_no_logs(tmp_path):
    rows = [dict(question="a", correct=1), dict(question="a", correct=0)]
    for path in put(tmp_path / "t.jsonl", rows, True), put(tmp_path / "t.json", rows):
        assert read(path) is None
    assert read(EVAL, "table") is None


def test_documents_are_parsed_once(tmp_path, monkeypatch):
    parsed = []
    whole = logs.parse_document
    monkeypatch.setattr(logs, "parse_document", lambda *a: parsed.append(a[0]) or whole(*a))
    document = load(LOGS / "tau2/results.json")
    for i in range(3):
        put(tmp_path / f"{i}.json", document | dict(run=i))
    assert len(read(tmp_path, files="models")) == 24 and len(parsed) == 3


# Several files.


def test_runs_and_models(tmp_path):
    rows = load(LOGS / "tau_bench/gpt-4o-airline.json")
    for name, low in ("a/run.json", 0), ("b/run.json", 2):
        part = [r | dict(trial=r["trial"] - low) for r in rows if low <= r["trial"] < low + 2]
        put(tmp_path / name, part)
    assert refusal(tmp_path).endswith(
        " is in run.json and in run.json (50 questions in all); pass files_hold='draws' if both are"
        " samples of one model, files_hold='models' if not"
    )
    assert read(tmp_path, files="draws").counts()[0] == [4] * 50
    assert list(read(tmp_path, files="models").models()) == ["a/run", "b/run"]
    with pytest.raises(ValueError, match="^files_hold must be 'draws' or 'models', got 'both'$"):
        score(tmp_path, files_hold="both")
    (tmp_path / "c.json").write_bytes((tmp_path / "a/run.json").read_bytes())
    assert (
        refusal(tmp_path, files="draws")
        == f"the same file twice: '{tmp_path / 'a/run.json'}' and '{tmp_path / 'c.json'}' have the"
        " same content; leave one out"
    )


def tries(*questions, model=None):
    "Trials of terminal-bench have no file of their own; rollouts of verl may name a step."
    more = {} if model is None else dict(step=model)
    return [dict(input=question, output="", score=1, **more) for question in questions]


@pytest.mark.parametrize(
    "one, two, files, models",
    [
        (tries("a"), tries("b"), None, None),
        (tries("a", model=1), tries("a", model=2), None, ["step 1", "step 2"]),
        (tries("a", model=1), tries("a"), None, ["step 1", "y/2"]),
        (tries("a", model=1), tries("a"), "models", ["step 1 x/1", "y/2"]),
        (tries("a"), tries("a", "b"), "draws", None),
    ],
)
def test_models_of_files(tmp_path, one, two, files, models):
    put(tmp_path / "x/1.jsonl", one, True)
    put(tmp_path / "y/2.jsonl", two, True)
    samples = read(tmp_path, files=files)
    assert models == (None if samples.model is None else [*dict.fromkeys(samples.model)])
    if files == "draws":
        assert list(zip(samples.question, samples.sample)) == [("a", 0), ("a", 1), ("b", 0)]


def test_models_are_folders_of_lm_eval(tmp_path):
    for model in "small", "large":
        for task in "x", "y":
            name = f"samples_{task}_2026-01-01T00-00-00.jsonl"
            put(tmp_path / model / name, lm_rows(model, task), True)
        results = tmp_path / model / "results_2026-01-01T00-00-00.json"
        put(results, dict(results={}, configs={}))
    samples = read(tmp_path)
    means = {name: part.correct.mean() for name, part in samples.models().items()}
    assert means == {"large": 1, "small": 0}
    assert samples.questions == ["x/0", "x/1", "y/0", "y/1"]
    assert set(samples.task.tolist()) == {"x", "y"}
    assert len(read(str(tmp_path / "small/*.jsonl"))) == 4


def test_failed_requests_of_one_file_continue_it(tmp_path):
    "As AISBench writes them, beside the file; elsewhere, or under another name, they do not."
    first = [dict(data_abbr="d", id=1, prediction="a"), dict(data_abbr="d", id=1, prediction="b")]

    def lay(*names):
        shutil.rmtree(tmp_path / "p", ignore_errors=True)
        for i, name in enumerate(names):
            put(tmp_path / "p" / name, first[i:], True)
        return dict(path=tmp_path / "p", grade=lambda answer, target: True)

    assert read(**lay("d.jsonl", "d_failed.jsonl")).sample.tolist() == [0, 1, 2]
    for names in ("d.jsonl", "e_failed.jsonl"), ("d.jsonl", "e.jsonl"):
        assert "pass files_hold='draws'" in refusal(**lay(*names))


def test_summaries_of_files_that_differ(tmp_path):
    "Each kind of files has its own columns."
    put(tmp_path / "a_results.jsonl", VERDICTS, True)
    put(tmp_path / "b_results.jsonl", [dict(VERDICTS[0], task_id="h/1")], True)
    put(tmp_path / "c.jsonl", [dict(PROGRAMS[0], task_id="h/2")], True)
    both = [tmp_path / name for name in ("a_results.jsonl", "b_results.jsonl", "c.jsonl")]
    assert "c.jsonl holds programs that were not run" in refusal(both)
    found = read(both, grade=lambda answer, target: True).read
    assert (found.kind, found.harness, found.rows, found.unit) == ("log", "human-eval", 3, "sample")
    assert [(one.files, one.rows, one.columns["correct"]) for one in found.inputs] == [
        (("a_results.jsonl", "b_results.jsonl"), 2, "passed"),
        (("c.jsonl",), 1, "grade"),
    ]
    assert json.loads(json.dumps(found.to_dict()))["inputs"][1]["files"] == ["c.jsonl"]
    assert type(found).from_dict(found.to_dict()) == found


SAID = {
    "evalplus": "evalplus",
    "human-eval": "human_eval",
    "bigcodebench": "bigcodebench",
    "inspect": "inspect_set",
    "lm-eval": "lm_eval_kinds/mock",
    "lighteval": "lighteval",
    "tau-bench": "tau_bench",
    "tau2": "tau2",
    "verl": "verl",
    "promptfoo": "promptfoo_repeat",
    "verifiers": "verifiers_traces",
    "terminal-bench": "terminal_bench",
    "swe-bench": "swe_bench",
    "harbor": "harbor/2026-11-21__10-00-00",
    "opencompass": "opencompass",
    "aisbench": "aisbench/results",
    "evalscope": "evalscope",
    "helm": "helm",
    "deepeval": "deepeval",
    "openai-evals": "openai_evals",
    "simple-evals": "simple_evals",
    "langsmith": "langsmith",
    "phoenix": "phoenix/phoenix.json",
    "mlflow": "mlflow/sums.json",
    "junit": "pytest/count.xml",
    "choices": "choices.jsonl",
    "pytest": "pytest/count.json",
}
CHOSEN = dict(langsmith="correct", phoenix="exact", mlflow="exact")


def test_what_is_said_of_every_harness():
    "The sentence on what was read, as a report prints it."
    assert set(SAID) == set(NAMES) - {"bfcl"}
    said = [
        f"{name}\n{fill(describe_read(read(LOGS / path, files='draws', score=score).read), 96)}\n"
        for name, path, score in ((name, path, CHOSEN.get(name)) for name, path in SAID.items())
    ]
    check_text("harness_logs", "\n".join(said))
