"Which files are logs, which reader takes them, and several of them as one table."
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness_cases import EVAL, LM, LOGS, PARQUET, put, read
from sampling_eval.io.harness import folder
from sampling_eval.io.harness.ask import Ask
from sampling_eval.io.harness.folder import Search, find_files, find_logs
from sampling_eval.io.harness.logs import read_logs
from sampling_eval.io.harness.grading import TextGrade
from sampling_eval.io.harness.log import Log
from sampling_eval.io.harness.readers import BUILT_IN, check_format, find_readers, list_formats


def test_importing_costs_nothing_heavy():
    code = ("import sys, sampling_eval.io.harness.folder, sampling_eval.io.harness.choices\n"
            "heavy = {'duckdb', 'narwhals', 'zipfile', 'scipy', 'importlib.metadata'}\n"
            "sys.exit(str(heavy & sys.modules.keys() or ''))")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).stderr.strip() == b""


EITHER = dict(details=[dict(correct=[True, False], answer=["4", "4"], pred=["4", "5"])])


def test_ambiguous_and_unknown(tmp_path):
    either = put(tmp_path / "either.json", EITHER)
    with pytest.raises(ValueError, match="could be from opencompass or aisbench"): read(either)
    assert read(either, "opencompass").counts()[1] == [1]
    with pytest.raises(ValueError, match="harness must be one of 'auto', 'table', 'human-eval'"):
        read(either, "csv")
    with pytest.raises(ValueError, match="does not follow the layout of tau2"):
        read(either, "tau2")
    with pytest.raises(ValueError, match="holds nothing that lighteval"): read(either, "lighteval")
    with pytest.raises(FileNotFoundError, match="no file to read"): read(tmp_path / "absent.jsonl")
    with pytest.raises(ValueError, match="holds logs of evalplus and human-eval"):
        read([LOGS / "evalplus", LOGS / "human_eval"])


def test_tables_are_no_logs(tmp_path):
    rows = [dict(question="a", correct=1), dict(question="a", correct=0)]
    for path in put(tmp_path / "t.jsonl", rows, True), put(tmp_path / "t.json", rows):
        assert find_logs(path).logs == [] and read(path) is None
    table = tmp_path / "t.csv"
    table.write_text("question,correct\na,1\n")
    assert find_logs(table).logs == [] and find_logs(EVAL, "table").logs == []


def test_documents_are_parsed_once(tmp_path, monkeypatch):
    from sampling_eval.io.harness import log
    parsed = []
    whole = log._parse_document
    monkeypatch.setattr(log, "_parse_document", lambda *a: parsed.append(a[0]) or whole(*a))
    document = json.loads((LOGS / "tau2/results.json").read_text())
    for i in range(3): put(tmp_path / f"{i}.json", document | dict(run=i))
    assert len(read(tmp_path, files="models")) == 24 and len(parsed) == 3


def test_several_files(tmp_path):
    rows = json.loads((LOGS / "tau_bench/gpt-4o-airline.json").read_text())
    for name, low in ("a/run.json", 0), ("b/run.json", 2):
        part = [r | dict(trial=r["trial"] - low) for r in rows if low <= r["trial"] < low + 2]
        put(tmp_path / name, part)
    with pytest.raises(ValueError, match="pass files_hold='draws' if both are samples of one model"):
        read(tmp_path)
    assert read(tmp_path, files="draws").counts()[0] == [4] * 50
    assert list(read(tmp_path, files="models").models()) == ["a/run", "b/run"]
    with pytest.raises(ValueError, match="files_hold must be 'draws' or 'models'"):
        read(tmp_path, files="both")
    (tmp_path / "c.json").write_bytes((tmp_path / "a/run.json").read_bytes())
    with pytest.raises(ValueError, match="are the same file twice"): read(tmp_path, files="draws")


def lm_rows(model, task):
    return [dict(doc_id=i, target="1", filter="none", resps=[[model]], filtered_resps=[model],
                 metrics=["em"], em=float(model == "large"), doc=dict(m=model, t=task))
            for i in range(2)]


def test_lm_eval_folder_of_models_and_tasks(tmp_path):
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


def test_grade_is_checked():
    def graded(grade): return read(LM[1], filter="maj@4", grade=grade).correct
    with pytest.raises(TypeError, match="grade must return True, False or None, got 'yes'"):
        graded(lambda a, t: "yes")
    with pytest.raises(ZeroDivisionError): graded(lambda a, t: 1 / 0)
    assert graded(lambda a, t: 1).all()
    assert np.isnan(graded(lambda a, t: None)).all()


def test_file_names_with_brackets(tmp_path):
    path = tmp_path / "details[1].parquet"
    path.write_bytes(PARQUET["details_facts_0"].read_bytes())
    assert read(path).correct.tolist() == [1, 0]


# Files that are meant, and what is left out.

PROGRAMS = [dict(task_id="h/0", completion="c")]
VERDICTS = [dict(task_id="h/0", completion="c", passed=True, result="passed")]


def names(paths): return [path.name for path in paths]


def test_files_of_paths_globs_and_folders(tmp_path):
    for name in "run10.jsonl run9.json sub/a.eval b.parquet c.csv .hidden.json notes.txt d.json/e.json".split():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert names(find_files(tmp_path)) == ["b.parquet", "c.csv", "e.json", "run9.json", "run10.jsonl", "a.eval"]
    assert names(find_files([str(tmp_path / "notes.txt"), tmp_path / "c.csv"])) == ["c.csv", "notes.txt"]
    assert names(find_files((tmp_path / "run*.json*",))) == ["run9.json", "run10.jsonl"]
    for path in tmp_path / "none", tmp_path / "x*":
        with pytest.raises(FileNotFoundError,
            match=f"^no file to read at {str(path).replace('*', '.')}$"): find_files(path)


def test_logs_among_other_files(tmp_path):
    put(tmp_path / "a_results.jsonl", VERDICTS, True)
    put(tmp_path / "b.json", dict(x=1))
    (tmp_path / "c.json").write_text("{broken")
    (tmp_path / "d.json").write_text("")
    put(tmp_path / "e.jsonl", PROGRAMS, True)
    search = find_logs(tmp_path)
    assert search and not Search([]) and search.harness == ""
    assert [names(part) for part in (search.others, search.broken, search.weaker)] == [["b.json", "d.json"],
        ["c.json"], ["e.jsonl"]]
    assert [found.path.name for found in search.logs] == ["a_results.jsonl"] and search.tell() == [
        "skipped 2 files (b.json, d.json), as no log", "skipped e.jsonl, whose samples stand judged in other files",
        "skipped c.json, which cannot be read"]
    anew = find_logs(tmp_path, grade=lambda answer, target: True)
    assert [found.path.name for found in anew.logs] == ["e.jsonl"] and names(anew.weaker) == ["a_results.jsonl"]
    named = find_logs(tmp_path, "human-eval")
    assert named.tell()[0] == "skipped 2 files (b.json, d.json), as no log of human-eval"
    both = find_logs([tmp_path / "a_results.jsonl", tmp_path / "e.jsonl"])
    assert len(both.logs) == 2 and both.weaker == []
    for path in tmp_path / "c.json", [tmp_path / "c.json", tmp_path / "a_results.jsonl"]:
        with pytest.raises(ValueError, match="need valid JSON"): find_logs(path)
    with pytest.raises(ValueError, match="d.json, an empty file"): find_logs([tmp_path, tmp_path / "d.json"])
    with pytest.raises(ValueError, match="holds nothing that tau2 could have written$"): find_logs(tmp_path, "tau2")


def test_logs_judged_anew_beside_those_of_harnesses_without_texts(tmp_path):
    put(tmp_path / "a_results.jsonl", VERDICTS, True)
    put(tmp_path / "b.jsonl", PROGRAMS, True)
    shutil.copy(LOGS / "tau_bench/gpt-4o-airline.json", tmp_path / "c.json")
    search = Search([found for name in ("a_results.jsonl", "b.jsonl", "c.json")
        for found in find_logs(tmp_path / name).logs])
    folder._leave_weaker(search, True)
    assert [found.path.name for found in search.logs] == ["b.jsonl",
        "c.json"] and names(search.weaker) == ["a_results.jsonl"]


def test_what_stays_parsed(tmp_path, monkeypatch):
    "Documents are kept as long as there is room, one alone always."
    document = json.loads((LOGS / "tau2/results.json").read_text())
    paths = [put(tmp_path / f"{i}.json", document | dict(run=i)) for i in range(3)]
    size = paths[0].stat().st_size
    for room, kept in ((3 * size, [True] * 3), (3 * size - 1, [True, True, False]), (size, [True, False, False]),
        (0, [False] * 3)):
        monkeypatch.setattr(folder, "KEPT", room)
        assert [found.log is not None for found in find_logs(tmp_path).logs] == kept
    assert find_logs(paths[0]).logs[0].log is not None
    (found,) = find_logs([paths[0]]).logs
    assert found.open() is found.log and find_logs(tmp_path).logs[1].open().head == document | dict(run=1)


def test_the_sentence_on_logs(tmp_path):
    put(tmp_path / "a_results.jsonl", VERDICTS, True)
    put(tmp_path / "b_results.jsonl", [dict(VERDICTS[0], task_id="h/1")], True)
    parts = "question=task_id, sample=order of appearance, correct=passed, answer=completion"
    def tell(path, **given): return read_logs(find_logs(path, grade=given.get("grade")), Ask(**given)).took
    assert tell(tmp_path / "a_results.jsonl") == f"human-eval, a_results.jsonl: {parts}"
    assert tell(tmp_path) == f"human-eval, 2 files: {parts}"
    assert tell(tmp_path / "a_results.jsonl", grade=lambda answer,
        target: True) == f"human-eval, a_results.jsonl: {parts}"
    put(tmp_path / "c.jsonl", [dict(PROGRAMS[0], task_id="h/2")], True)
    both = [tmp_path / name for name in ("a_results.jsonl", "b_results.jsonl", "c.jsonl")]
    with pytest.raises(ValueError, match="c.jsonl holds programs that were not run"): tell(both)
    said = tell(both, grade=lambda answer, target: True)
    assert said == (f"human-eval, 2 files (a_results.jsonl, b_results.jsonl): {parts}; human-eval, c.jsonl: "
                    f"question=task_id, "
                    "sample=order of appearance, correct=grade, answer=completion or solution")
    with pytest.raises(ValueError,
        match="^filter= is for logs that hold several, got logs of human-eval$"): tell(tmp_path, filter="x")
    logs = read_logs(find_logs(LOGS / "tau_bench"), Ask())
    assert logs.columns.keys() == {"question", "sample", "correct", "score"} and logs.tasks == []
    taus = read_logs(find_logs(LOGS / "tau2"), Ask())
    assert taus.tasks == [("retail", "", "")] and taus.took.endswith("simulations without a usable rollout are missing")
    exact = Ask(grade=TextGrade("exact"))
    sums = next((LOGS / "lm_eval_kinds/mock").glob("samples_mygen_rep_*"))
    assert "; right is the text that equals the target" in read_logs(find_logs(sums), exact).took
    assert [task[0] for task in read_logs(find_logs(sums), Ask(grade=exact.grade)).tasks] == ["mygen_rep"]


def test_logs_without_a_sample(tmp_path):
    path = put(tmp_path / "x.json", dict(simulations=[], info={}))
    with pytest.raises(ValueError, match="^need at least one sample, got none in x.json$"): read_logs(find_logs(path),
        Ask())


# Readers.

def test_formats_by_name():
    for fine in "auto", "table", *dict.fromkeys(reader.name for reader in BUILT_IN): assert check_format(fine) is None
    with pytest.raises(ValueError,
        match="^harness must be one of 'auto', 'table', 'human-eval', .*, got 'x'$"): check_format("x")
    assert list_formats()[:3] == ["human-eval", "evalplus",
        "bigcodebench"] and len(list_formats()) == len(set(list_formats()))


def test_readers_of_a_file():
    def find(kind, head, *given): return [(reader.name, reader.judged)
        for reader in find_readers(Log(Path("x"), kind, head), *given)]
    assert find("lines", VERDICTS[0]) == find("document", VERDICTS[0]) == [("human-eval", True)]
    assert find("lines", PROGRAMS[0]) == [("human-eval", False)] and find("rows", VERDICTS[0]) == find("lines",
        {}) == []
    assert find("lines", {}, "human-eval") == find("rows", {}, "human-eval", True) == find("lines", VERDICTS[0],
        "verl") == []
    assert find("lines", {}, "human-eval", True) == [("human-eval", True)] and find("table", ["a"]) == []
    assert find("lines", PROGRAMS[0], "human-eval", True) == [("human-eval", False)]
    told = [reader.name for reader in BUILT_IN if reader.draws], [reader.name for reader in BUILT_IN
        if reader.by_folder]
    assert told == (["terminal-bench", "harbor", "harbor", "swe-bench", "swe-bench"],
                    ["lm-eval", "opencompass", "opencompass", "aisbench", "aisbench"])
    assert sorted({reader.name for reader in BUILT_IN if not reader.judged}) == [
        "aisbench", "harbor", "human-eval", "opencompass", "simple-evals", "tau2"]
