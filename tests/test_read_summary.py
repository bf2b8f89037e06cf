"What was read, when and from which files, as fields and in words."

import json
import pickle
from hashlib import sha256
from typing import get_args

import pytest

from printed import check_text
from sampling_eval import (
    compare,
    count,
    describe,
    explain,
    extrapolate,
    gate,
    merge,
    plan,
    read,
    score,
    table,
)
from sampling_eval.reading.counts_file import merge_rows
from sampling_eval.reading.load import hash_file, load
from sampling_eval.reading.options import Options
from sampling_eval.reading.sample_ids import File
from sampling_eval.reading.text_files import note_files
from sampling_eval.render.blocks import Table, Text
from sampling_eval.analyses.phrases.reading import (
    items_clause,
    unit_clause,
    describe_input,
    describe_note,
    describe_read,
    source_blocks,
    NOTES,
    made_on,
)
from sampling_eval.results.reading import Missing, NoteKind, ReadNote, ReadSummary, SourceFile

ROWS = [
    dict(question=q, run=i, ok="C" if i % 2 else "I", half=i / 2, passage="p")
    for q in "ab"
    for i in range(3)
]
LOST = [row | dict(ok=None if row["run"] == 2 else row["ok"]) for row in ROWS]
TABLE = ReadSummary(
    "table",
    files=("old.jsonl",),
    rows=200,
    columns=dict(question="question", sample="sample", correct="ok"),
)

NOTED = {
    "threshold": dict(names=("half",), value=0.5),
    "score_as_outcome": dict(names=("reward",)),
    "words": dict(words={"I": False, "C": True, " c": True}),
    "graded": {},
    "mixed_names": dict(names=("question",)),
    "whole_names": dict(names=("sample",)),
    "sums_only": dict(count=1000),
    "named_by_group": {},
    "named_by_task": dict(names=("dataset", "split", "id")),
    "lists": dict(names=("graded", "preds")),
    "items": dict(count=250, total=2000, value=8.0),
    "battles": dict(names=("C",), count=240, total=3),
    "numbers_restart": {},
    "totals": dict(names=("n", "c")),
    "run_columns": dict(names=("run_1", "run_4")),
    "row_numbers": {},
    "percent": dict(names=("acc",)),
    "decimal_comma": dict(names=("score",)),
    "run_means": dict(names=("acc",), count=500),
    "missing_outcomes": dict(count=3, total=200),
    "task_versions": dict(names=("gsm8k", "1", "2")),
    "open_questions": dict(count=2),
    "skipped_files": dict(names=("settings.json",)),
    "plain_tables": dict(count=2, total=3),
    "log": dict(text="lm-eval, a.jsonl: question=doc_id"),
    "no_sample_ids": {},
    "exact_copies": dict(count=4, total=2000, value=5.0),
    "recorded": dict(text="read 3 rows: question=id"),
    "graded_texts": dict(names=("number",), count=2, total=9),
    "run_parts": dict(count=2),
    "counted_once": dict(count=1),
    "rerun": dict(count=3),
    "invalid_elsewhere": dict(count=2),
    "short_total": dict(names=("a.eval", "samples of its header"), count=5, total=8),
    "repeated_lines": dict(names=("a.jsonl",), count=20, value=2.0),
    "repeated_rows": dict(
        names=("gpt", "a.jsonl"), count=3, total=167, value=1.0, text="question and outcome"
    ),
    "skipped_logs": dict(text="1 log without samples"),
    "no_logs": dict(names=("a.json",), text="inspect"),
    "judged_elsewhere": dict(names=("a.jsonl", "b.jsonl")),
    "unreadable": dict(names=("a.zip",)),
    "skipped_tests": dict(count=2),
    "no_outcome": dict(names=("trial", "without a reward"), count=2),
    "unfinished": dict(names=("error",), text="'disk full'"),
    "empty_patches": dict(count=1),
    "infrastructure": dict(count=2),
    "no_report": {},
    "under_key": dict(names=("tasks",)),
    "other_tasks": dict(count=2),
    "failed": dict(names=("status", "error 2", "timeout 1"), count=3, total=24, value=1.0),
    "kept_rewards": dict(count=1),
    "unnamed_models": {},
    "same_results": dict(names=("a.csv",)),
    "split_tasks": {},
    "share_of_samples": dict(names=("avg@n",), count=4),
    "regrouped": dict(names=("AISBench",)),
}


@pytest.mark.parametrize("under", [None, "tasks"])
@pytest.mark.parametrize("listed", [False, True])
def test_rows_are_counted_unless_each_holds_samples(under, listed, tmp_path):
    rows = [dict(question=q, correct=[1, 0]) for q in range(3)]
    if not listed:
        rows = [dict(question=q, sample=s, correct=1 - s) for q in range(3) for s in range(2)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({under: rows} if under else rows))
    summary = load(str(path), Options.of({})).summary
    assert (summary.rows, summary.unit) == (6, "sample" if listed else "row")


def test_what_was_read_in_words():
    policies = [
        describe_read(TABLE.add(missing=Missing(count, 200, policy, ragged)))
        for count, policy, ragged in (
            (0, "raise", False),
            (0, "raise", True),
            (3, "wrong", False),
            (3, "drop", True),
            (3, "right", False),
            (3, "both", False),
            (3, "raise", False),
        )
    ]
    new = TABLE.add(files=("new.jsonl",))
    other = new.add(
        counted=True,
        rows=1,
        columns=dict(question="id", cluster="passage"),
        sums=("cost", "price"),
        unused=("cluster",),
    )
    several = [
        describe_read({"old": TABLE, "new": new}),
        describe_read({"old": TABLE, "new": other}),
        describe_read(ReadSummary("runs", inputs=(TABLE, new))),
        describe_read(ReadSummary("runs", inputs=(TABLE, other))),
        describe_read(ReadSummary("gradings", gradings=("strict", "loose"), inputs=(TABLE, new))),
        describe_read(ReadSummary("accumulator", rows=3)),
        describe_read(ReadSummary("outcomes", missing=Missing(0, 9))),
    ]
    notes = [f"{kind}: {ReadNote(kind, **given)}" for kind, given in NOTED.items()]
    check_text("what was read", "\n".join(policies), "\n".join(several), "\n".join(notes))


def test_every_kind_of_note_has_words():
    assert set(get_args(NoteKind)) == set(NOTES) == set(NOTED)


@pytest.mark.parametrize(
    "data, given, missing",
    [
        (ROWS, {}, Missing(0, 6, "raise")),
        (LOST, dict(missing="wrong"), Missing(2, 6, "wrong")),
        (LOST, dict(missing="drop"), Missing(2, 6, "drop")),
        (LOST[:5], dict(missing="drop"), Missing(1, 5, "drop")),
        (LOST[:5], dict(missing="right"), Missing(1, 5, "right", True)),
        (ROWS, dict(samples_per_question=4, missing="wrong"), Missing(2, 8, "wrong")),
    ],
)
def test_missing_samples(data, given, missing):
    found = load(data, Options.of(dict(correct="ok") | given)).summary
    assert found.missing == missing and (found.kind, found.rows, found.name) == (
        "table",
        len(data),
        "a list of rows",
    )
    assert found.columns == dict(question="question", sample="run", correct="ok", cluster="passage")
    assert found.unused == ("cluster",) and [note.words for note in found.notes] == [
        {"I": False, "C": True}
    ]
    assert (
        ReadSummary.from_dict(found.to_dict()) == found
        and "cluster" not in load(
            data, Options.of(dict(correct="ok", cluster=True) | given)
        ).summary.unused
    )


def test_outcomes_and_files(tmp_path):
    assert load([[1, 0], [1]]).summary == ReadSummary(
        "outcomes", missing=Missing(0, 3, "raise", True)
    )
    paths = [tmp_path / f"{name}.csv" for name in "ab"]
    for path in paths:
        path.write_text(f"id,correct\n{path.stem},1\n")
    found = read(paths).summary
    assert (found.files, found.of_files, found.counted, found.rows) == (
        ("a.csv", "b.csv"),
        "",
        False,
        2,
    )
    assert read(paths[0]).summary.of_files == "a.csv"


def test_runs_and_gradings():
    runs = [read([row for row in ROWS if row["run"] == i], correct="ok") for i in range(2)]
    merged = merge_rows(*runs).summary
    assert (merged.kind, merged.rows, merged.inputs) == (
        "runs",
        4,
        tuple(run.summary for run in runs),
    ) and merged.has("words")
    assert merged.without("words").has(
        "words"
    ) is False and "added 2 runs: read 2 rows" in describe_input(merged)
    graded = [row | dict(strict=i % 2, loose=1) for i, row in enumerate(ROWS)]
    found = load(graded, Options.of(dict(correct=["strict", "loose"]))).summary
    assert (found.kind, found.gradings, found.same_samples) == (
        "gradings",
        ("strict", "loose"),
        True,
    )
    assert [one.columns["correct"] for one in found.inputs] == ["strict", "loose"]
    counts = [dict(id=i, n=8, strict=i + 1, loose=i + 2) for i in range(3)]
    assert not load(counts, Options.of(dict(correct=["strict", "loose"]))).summary.same_samples


def test_columns_that_may_hold_the_outcome():
    rows = [dict(id=1, is_ok=1, other="x"), dict(id=1, is_ok=0, other="y")]
    assert (
        read(rows).summary.candidates == ("is_ok",)
        and read(rows, correct="is_ok").summary.candidates == ()
    )
    with pytest.raises(ValueError) as error:
        load(rows)
    assert (
        str(error.value)
        == "Which column holds the outcome? Candidates: is_ok. Try: sampling_eval.score(data,"
        " correct='is_ok')"
    )
    with pytest.raises(ValueError, match="None looks like one; pass correct='...'"):
        load([dict(id=1, other="x")])


# When a page was made, with which versions, and of which files.


def test_the_date_of_a_page(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    assert made_on() == "1970-01-01"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert made_on() == "1970-01-02"
    assert source_blocks(None) == [] and source_blocks([]) == [Text("Made on 1970-01-02.")]
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert len(made_on()) == 10 and made_on() >= "2025"


@pytest.mark.parametrize("verb", [score, lambda data: compare(data, data)])
def test_pages_are_dated_and_other_forms_are_not(monkeypatch, verb):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = verb([[0, 1, 1, 0]] * 3 + [[1, 1, 0, 0]] * 3)
    assert "Made on 1970-01-01." in result.to_html()
    assert (
        "1970" not in result.to_text(
            how=True
        ) + result.to_markdown() + result.to_latex() + result.to_json()
    )


def test_a_page_names_its_files_unless_the_result_was_pickled(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("question,correct\n1,1\n1,0\n2,0\n2,0\n")
    result = score(str(path))
    known = sha256(path.read_bytes()).hexdigest()
    assert known in result.to_html() and known not in result.to_text(how=True) + result.to_json()
    again = pickle.loads(pickle.dumps(result))
    assert again == result and known not in again.to_html()


def test_the_hashes_of_files(tmp_path):
    path, changed = tmp_path / "a.json", "not known: the file has changed since it was read"
    path.write_text("[]")
    (noted,) = note_files([str(path)])
    found = [hash_file(noted), hash_file(File(str(tmp_path / "b.json"), sha256="0" * 64))]
    known = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    assert found == [SourceFile("a.json", known), SourceFile("b.json", "0" * 64)]
    assert hash_file(File("https://x.org/c.json")) == SourceFile(
        "c.json", unknown="not known: read from an address"
    )
    path.write_text("[1]")
    assert hash_file(noted) == SourceFile("a.json", unknown=changed)
    path.unlink()
    assert hash_file(noted) == SourceFile("a.json", unknown=changed)
    assert source_blocks([*found, hash_file(noted)])[1] == Table(
        ["file", "sha256 of its content"],
        [["a.json", known], ["b.json", "0" * 64], ["a.json", changed]],
        left=2,
    )


def test_a_page_names_its_file(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("question,correct\n1,1\n1,0\n2,0\n2,1\n")
    page = score(str(path)).to_html()
    assert "<td>run.csv</td><td>" in page and str(tmp_path) not in page


def test_inputs_that_differ_in_name_and_files_alone_are_said_once(tmp_path):
    for name in "first", "second":
        (tmp_path / f"{name}.csv").write_text("question,sample,correct\na,0,1\na,1,0\n")
    paths = [str(tmp_path / f"{name}.csv") for name in ("first", "second")]
    inputs = {path: read(path).summary for path in paths}
    said = describe_read(inputs)
    assert said.startswith("Each of 2 inputs: read 2 rows") and said.count("question=question") == 1


VERBS = {
    "score": lambda log, other: score(log),
    "compare": lambda log, other: compare(log, other),
    "gate": lambda log, other: gate(log, baseline=other, max_drop=0.5),
    "gate with a bound": lambda log, other: gate(log, minimum={"pass@1": 0.1}),
    "table": lambda log, other: table({"a": log, "b": other}),
    "plan": lambda log, other: plan(0.1, pilot=log),
    "extrapolate": lambda log, other: extrapolate(log, k=[8]),
    "explain": lambda log, other: explain(log, "q3"),
    "explain all": lambda log, other: explain(log, other=other),
    "describe": lambda log, other: describe(log),
    "count": lambda log, other: count(log),
    "merge": lambda log, other: merge(log, other, separate=True),
}


@pytest.mark.parametrize("verb", VERBS)
def test_what_was_read_is_what_every_verb_takes(verb, tmp_path):
    paths = []
    for name, step in ("a", 5), ("b", 3):
        rows = [f"q{q},{s},{(q + s) % step % 2}\n" for q in range(20) for s in range(4)]
        path = tmp_path / f"{name}.csv"
        path.write_text("item,sample,ok\n" + "".join(rows))
        paths.append(str(path))
    logs = [read(path, question="item", correct="ok") for path in paths]
    assert str(VERBS[verb](*logs))


@pytest.mark.parametrize(
    "facts, said",
    [
        (dict(count=250, value=8), "250 items, each in 8 groups: the item is the unit"),
        (dict(count=250, total=900), "900 questions of 250 items: the item is the unit"),
        (dict(count=1, total=1), "1 question of 1 item: the item is the unit"),
        (
            dict(count=25, value=4, names=("id",)),
            "25 items by number, each in 4 groups: the item is the unit",
        ),
    ],
)
def test_what_is_drawn_where_questions_share_items(facts, said):
    note = ReadNote("items", **facts)
    assert unit_clause(note) == said
    assert items_clause(ReadSummary(notes=(note,))) == said
    assert items_clause(ReadSummary()) == ""
    other = ReadNote("items", count=7, value=2)
    both = dict(a=ReadSummary(notes=(note,)), b=ReadSummary(notes=(other,)))
    assert items_clause(both) == "the item is the unit"
