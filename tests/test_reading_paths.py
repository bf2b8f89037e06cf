"From paths to rows: what is read, and the sentence that says so."
import numpy as np
import pytest

from harness_cases import HEADER, LOGS, inspect_sample, put, zipped
from sampling_eval import count, read, score
from sampling_eval.io.options import Options
from sampling_eval.io.tables import open_plain, read_paths

EVAL = LOGS / "inspect/log_streaming.eval"
TAU2 = LOGS / "tau2/results.json"


def write(path, *values):
    members = {f"samples/{i}.json": inspect_sample("q", i, value) for i, value in enumerate(values)}
    return zipped(path, {"header.json": HEADER} | members)


def fetch(path, **options): return read_paths(path, Options.of(options), False)


def list_notes(rows):
    "Kind, and what is counted or compared, of each note but what the log says itself."
    return [(note.kind, *[v for v in (note.value, note.count, note.total) if v is not None])
            for note in rows.summary.notes if note.kind not in ("log", "no_outcome")]


@pytest.mark.parametrize("values, options, want", [
    (["C", "I"], {}, []), (["C", None], {}, [("missing_outcomes", 1, 2)]),
    (["C", None, None], {}, [("missing_outcomes", 2, 3)]), (["P", "I"], {}, [("graded",)]),
    (["P", "I"], dict(threshold=.25), [("threshold", .25)]),
    (["P", "I", None], dict(threshold=.5), [("threshold", .5), ("missing_outcomes", 1, 3)]),
    (["C", "C"], dict(threshold=0.), [("threshold", 0.)])])
def test_how_outcomes_were_found(values, options, want, tmp_path):
    rows = fetch(write(tmp_path / "a.eval", *values), **options)
    assert list_notes(rows) == want and ": question=id, sample=epoch, score=s" in rows.source
    told = rows.summary
    assert (told.kind, told.harness, told.files, told.rows) == ("log", "inspect", ("a.eval",), len(values))


def test_a_threshold_goes_before_stored_outcomes():
    graded, decided = fetch(TAU2), fetch(TAU2, threshold=-1)
    assert list_notes(graded) == [("missing_outcomes", 2, 8)] == list_notes(decided)[1:]
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
    rows = fetch(tmp_path)
    note = rows.summary.notes[-1]
    assert note.kind == "task_versions" and note.names[0] == "t" and len(note.names) == 3
    assert rows.source.endswith("may differ")


# Folders.

@pytest.fixture
def lay(tmp_path):
    "A function that writes texts beside a table and returns the folder."
    def lay(**texts):
        for name, text in dict(a_jsonl='{"id": 1, "correct": 1}\n', **texts).items():
            (tmp_path / name.replace("_", ".")).write_text(text)
        return tmp_path
    return lay


@pytest.mark.parametrize("name, text, want", [
    ("s_json", '{"x": 1}', False), ("s_json", "[]", False), ("s_json", "{ // x\n}", False), ("s_json", " \n {", False),
    ("s_JSON", '{"x": 1}', None), ("s_csv", "", False), ("s_json", "", False), ("s_json", '[{"id": 2, "correct": 0}]', True),
    ("s_json", '{"id": 2, "correct": 1}', True), ("s_json", '{"id": 2, "correct": 1}\n{"id": 3, "correct": 1}', True),
    ("s_jsonl", '{"id": 2, "correct": 1}', True), ("s_csv", "id,correct\n2,1\n", True)])
def test_what_may_be_a_table_of_a_folder(name, text, want, lay):
    folder = lay(**{name: text})
    notes = fetch(folder).summary.notes
    skipped = [note.names for note in notes if note.kind == "skipped_files"]
    assert skipped == [(name.replace("_", "."),)] * (want is False)
    tables = [(note.count, note.total) for note in notes if note.kind == "plain_tables"]
    assert tables == [(2, 2)] * (want is True)


def test_folders_of_tables(tmp_path):
    put(tmp_path / "a.jsonl", [dict(id=1, correct=1)], True)
    put(tmp_path / "b.jsonl", [dict(id=2, correct=0)], True)
    put(tmp_path / "settings.json", dict(x=1))
    rows = fetch(tmp_path)
    assert rows.source.endswith("; skipped settings.json, as no table; none of 3 files is a log of a harness: 2 read as "
                                "tables")
    assert rows.files and len(rows) == 2
    named = fetch(tmp_path, question="id").summary.notes
    assert [note.kind for note in named] == ["skipped_files"]
    with pytest.raises(ValueError, match="'frage' is not a column.*; skipped settings.json, as no table$"):
        fetch(tmp_path, question="frage")
    assert fetch(tmp_path / "a.jsonl").summary.notes == ()


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


# Options of logs.

@pytest.mark.parametrize("given, told", [
    (dict(question="q"), "question='q'"), (dict(by="part"), "by='part'"), (dict(model="task"), "model='task'")])
def test_columns_of_logs(given, told):
    with pytest.raises(ValueError) as error: fetch(EVAL, harness="inspect", **given)
    assert str(error.value) == (f"a log has its own columns, got {told}; column names are for plain tables, and of logs by='task' "
                                "and cluster='task'")


@pytest.mark.parametrize("given, told", [
    (dict(grade="exact"), "Which column holds the answer[?] Got 'correct', 'id'"),
    (dict(filter="f"), "^a.jsonl was read as a plain table; filter is for logs of .*lm-eval")])
def test_options_of_logs_beside_plain_tables(given, told, tmp_path):
    put(tmp_path / "a.jsonl", [dict(id=1, correct=1)], True)
    with pytest.raises(ValueError, match=told):
        fetch(tmp_path / "a.jsonl", **given)


def test_tasks_that_a_log_does_not_name(tmp_path):
    path = write(tmp_path / "a.eval", "C", "I")
    assert fetch(path).group is None and fetch(TAU2, by="task").group is not None
