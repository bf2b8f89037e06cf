"From paths to rows: what is read, and the sentence that says so."
import numpy as np
import pytest

from harness_cases import HEADER, LOGS, inspect_sample, put, zipped
from sampling_eval import count, read, score
from sampling_eval.io.options import Options
from sampling_eval.io.paths import open_plain, read_paths

EVAL = LOGS / "inspect/log_streaming.eval"
TAU2 = LOGS / "tau2/results.json"


def write(path, *values):
    members = {f"samples/{i}.json": inspect_sample("q", i, value) for i, value in enumerate(values)}
    return zipped(path, {"header.json": HEADER} | members)


def fetch(path, **options): return read_paths(path, Options.of(options), False)


@pytest.mark.parametrize("values, options, told", [
    (["C", "I"], {}, ""), (["C", None], {}, "; 1 of 2 outcomes is missing"),
    (["C", None, None], {}, "; 2 of 3 outcomes are missing"),
    (["P", "I"], {}, "; scores are graded; a threshold would make them right or wrong"),
    (["P", "I"], dict(threshold=.25), "; correct = score > 0.25"),
    (["P", "I", None], dict(threshold=.5), "; correct = score > 0.5; 1 of 3 outcomes is missing"),
    (["C", "C"], dict(threshold=0.), "; correct = score > 0")])
def test_how_outcomes_were_found(values, options, told, tmp_path):
    rows = fetch(write(tmp_path / "a.eval", *values), **options)
    assert rows.source == (f"read {len(values)} samples from a.eval (inspect): question=id, sample=epoch, score=s, "
                           f"answer=answer of the scorer{told}")


def test_a_threshold_goes_before_stored_outcomes():
    graded, decided = fetch(TAU2), fetch(TAU2, threshold=-1)
    assert "; 2 of 8 outcomes are missing" in graded.source and "correct=score above -1; 2 of 8" in decided.source
    assert np.nansum(graded.correct * graded.times) == 3 and np.nansum(decided.correct * decided.times) == 6


def test_columns_of_logs_that_are_left_out():
    assert fetch(TAU2).model is not None and fetch(TAU2, model=False).model is None
    assert fetch(EVAL).answer is not None and fetch(EVAL, answer=False).answer is None
    assert fetch(TAU2, cluster="task").cluster is not None and fetch(TAU2).cluster is None
    assert [task.name for task in fetch(TAU2).tasks] == ["retail"]
    assert set(fetch(TAU2, by="task").group) == {"retail"} and fetch(TAU2).group is None


def test_versions_of_a_task_in_one_folder(tmp_path):
    for i in range(2):
        about = HEADER | dict(eval=dict(task="t", model=f"m{i}", task_version=i))
        zipped(tmp_path / f"{i}.eval", {"header.json": about, "samples/1.json": inspect_sample("q", 1, "C", input="x")})
    said = fetch(tmp_path).source
    assert "; the questions of task 't' (version 0, questions 1, hash " in said and said.endswith(") may differ")


def test_folders_of_tables(tmp_path):
    put(tmp_path / "a.jsonl", [dict(id=1, correct=1)], True)
    put(tmp_path / "b.jsonl", [dict(id=2, correct=0)], True)
    put(tmp_path / "settings.json", dict(x=1))
    rows = fetch(tmp_path)
    assert rows.source.endswith("; skipped settings.json, as no table; none of 3 files is a log of a harness, so 2 "
                                "are read as "
                                "plain tables")
    assert rows.files and len(rows) == 2
    named = fetch(tmp_path, question="id").source
    assert "as no table" in named and "none of" not in named
    with pytest.raises(ValueError, match="'frage' is not a column.*; skipped settings.json, as no table$"):
        fetch(tmp_path, question="frage")
    assert "; " not in fetch(tmp_path / "a.jsonl").source


def test_what_could_be_read_otherwise(tmp_path):
    def plain(data, **options): return [source.columns for source in open_plain(data, Options.of(options))]
    rows = [dict(frage=1, richtig=1)]
    path = put(tmp_path / "a.jsonl", rows, True)
    assert plain(rows) == plain(path) == [["frage", "richtig"]] and plain([[1, 0]]) == plain(np.ones((2, 2))) == []
    assert plain(read([dict(id=1, correct=1)])) == plain(LOGS / "tau_bench") == []
    taken, = plain(LOGS / "tau_bench", question="task_id")
    assert {"task_id", "reward", "trial"} <= set(taken)
    pytest.importorskip("duckdb")
    count([dict(id=1, correct=1)], tmp_path / "kept.parquet")
    assert plain(tmp_path / "kept.parquet") == [] and score(tmp_path / "kept.parquet", "avg@n").rows[0].estimate == 1
