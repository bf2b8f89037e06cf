"""From counted rows to counts, function by function: items, clusters, weights, what is missing, and
what options say of columns."""

import hashlib
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sampling_eval import Counts
from sampling_eval.reading import frames, load as module
from sampling_eval.reading.columns import Keep, Source
from sampling_eval.reading.counted import CountedRows, Policy
from sampling_eval.reading.frames import frame_source, name_known, read_letters, suit_inspect
from sampling_eval.reading.load import (
    FileSource,
    TextSource,
    choose_clusters,
    count_missing,
    count_up,
    group_questions,
    hash_file,
    leave_clusters,
    list_weights,
    note_items,
    read_run,
    refuse_many,
    refuse_several_counts,
    settle_all,
    split_blocks,
)
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.options import Input, Options, check_names, is_of_logs
from sampling_eval.reading.sample_ids import File
from sampling_eval.reading.text_files import note_files
from sampling_eval.results.reading import Missing, ReadSummary, SourceFile
from sampling_eval.spelling import Call


def rows(names, times=None, **more):
    "Counted rows, one of each name unless told otherwise."
    names = list(names)
    known = list(dict.fromkeys(names))
    held = {part: np.array(list(values), object) for part, values in more.items()}
    return CountedRows(
        np.array([known.index(name) for name in names]),
        np.array(known, object),
        np.ones(len(names), int) if times is None else np.array(times),
        np.ones(len(names)),
        **held,
    )


# Items: ids that several groups share.


@pytest.mark.parametrize(
    "names, times, up",
    [
        ("012", [3, 3, 3], True),
        ("123", [3, 3, 3], True),
        ("012", [3, 2, 1], True),
        ("012", [3, 2, 3], False),
        ("012", [2, 3, 3], False),
        ("234", [3, 3, 3], False),
        ("013", [3, 3, 3], False),
        ("0", [1], True),
        ("2", [1], False),
        (["10", "9"] + list("012345678"), [1] * 11, True),
        ("01a", [1] * 3, False),
        (["-1", "0"], [1, 1], False),
    ],
)
def test_names_that_count_up(names, times, up):
    assert count_up(np.array(list(names)), np.array(times)) is up


@pytest.mark.parametrize(
    "items, asked, kind, alike, count",
    [
        ("abab", False, "items", 2, 2),
        ("ababa", False, "items", None, 2),
        ("0101", False, "items", 2, 2),
        ("01010", False, "numbers_restart", None, None),
        ("01010", True, "items", None, 2),
        ("01011", False, "items", None, 2),
    ],
)
def test_items_or_numbers_that_start_anew(items, asked, kind, alike, count):
    # Every question stands in two rows, which count as one.
    names = [f"q{i}" for i in range(len(items))]
    note = note_items(rows(names * 2, item=items * 2), asked)
    assert (note.kind, note.value, note.count) == (kind, alike, count)
    if kind == "items":
        numbered = "0" in items and items.count("0") >= items.count("1")
        assert note.total == len(items) and note.names == ("number",) * numbered


@pytest.mark.parametrize(
    "items, cluster, used",
    [
        ("abab", None, True),
        ("abab", True, True),
        ("abab", False, False),
        ("01010", None, False),
        ("01010", True, True),
        (None, None, False),
    ],
)
def test_items_are_clusters_where_none_were_asked_for(items, cluster, used):
    names = [f"q{i}" for i in range(5)][: len(items or "abc")]
    made = rows(names, **({} if items is None else dict(item=items)))
    found = choose_clusters(made, Options(cluster=cluster))
    assert (found.cluster is not None) is used
    assert used is (found.cluster is not None and found.cluster.tolist() == list(items))
    given = choose_clusters(made, Options(cluster=["x"] * len(names)))
    assert given.cluster is None and given.summary.notes == ()


def test_clusters_that_were_read_are_left_unless_asked_for():
    made = rows("ab", cluster="xy", item="uu")
    assert choose_clusters(made, Options(cluster="part")).cluster.tolist() == ["x", "y"]
    left = choose_clusters(rows("ab", cluster="xy"), Options())
    assert left.cluster is None


def test_a_column_of_clusters_that_plays_no_part_is_said_once():
    inner = ReadSummary("table", columns=dict(cluster="part"))
    summary = ReadSummary("runs", columns=dict(question="q"), inputs=(inner,))
    found = leave_clusters(summary)
    assert found.unused == () and found.inputs[0].unused == ("cluster",)
    assert leave_clusters(found) == found


# Groups and weights beside the data.

COUNTS = Counts([2, 2, 3], [1, 2, 0], ["a", "b", "c"])


def test_groups_of_questions():
    assert group_questions(COUNTS, dict(a=1, b="x", c=1, d=2)).cluster.tolist() == ["1", "x", "1"]
    assert group_questions(COUNTS, ["x", "y", "x"]).cluster.tolist() == ["x", "y", "x"]
    for groups in ["x", "y"], ["x"] * 4, "abc", b"abc", [["x"], ["y"], ["z"]]:
        with pytest.raises(ValueError, match=re.escape("one group per question (3)")):
            group_questions(COUNTS, groups)
    with pytest.raises(ValueError, match=re.escape("got none for 'b' (2 of 3 fail)")):
        group_questions(COUNTS, dict(a=1))


def test_weights_by_question():
    made = CountedRows(
        np.array([0, 1, 1]),
        np.array(["a", "b"], object),
        np.array([1, 1, 1]),
        weight=np.array([0.5, 2, 2]),
    )
    assert list_weights(made, "points") == dict(a=0.5, b=2)
    assert list_weights(made, dict(a=1)) == dict(a=1) and list_weights(made, None) is None
    with pytest.raises(ValueError, match="weights='points' is not kept when samples are graded"):
        list_weights(rows("a"), "points")


# What is missing.


@pytest.mark.parametrize(
    "policy, left_out, want",
    [
        ("wrong", 0, (2, 7, "wrong")),
        ("wrong", 3, (5, 7, "wrong")),
        ("drop", 0, (2, 9, "drop")),
        ("drop", 3, (5, 12, "drop")),
    ],
)
def test_missing_samples_of_all_models(policy, left_out, want):
    one = Counts([2, 2], [1, 1], missing=[1, 0])
    two = Counts([1, 2], [1, 1], missing=[0, 1])
    blocks = {("m", ""): one, ("m", "g"): one, ("n", ""): two}
    found = count_missing(blocks, Options(policy=Policy(policy)), left_out)
    assert found == Missing(*want, ragged=True)
    assert not count_missing({("m", ""): one, ("m", "g"): two}, Options()).ragged


def test_blocks_of_models_and_groups():
    made = rows("aab", model="mnm", group="xyx")
    found = {key: part.questions[part.question].tolist() for key, part in split_blocks(made)}
    assert found == {
        ("m", ""): ["a", "b"],
        ("m", "x"): ["a", "b"],
        ("n", ""): ["a"],
        ("n", "y"): ["a"],
    }
    assert [key for key, _ in split_blocks(rows("a"))] == [("", "")]


@pytest.mark.parametrize("part, option", [("model", "model"), ("group", "by")])
def test_as_many_models_and_groups_as_a_report_holds(part, option, monkeypatch):
    monkeypatch.setattr(module, "MOST_BLOCKS", 3)
    refuse_many(rows("abcc", **{part: "xyzz"}))
    with pytest.raises(ValueError) as error:
        refuse_many(rows("abcd", **{part: "wxyz"}))
    assert f"at most 3 {part}s, got 4; does {option}= name" in str(error.value)


def test_written_counts_are_read_alone():
    for given in "3/4", ["3/4"], ["a.csv", "b.csv"], [[1, 0]], 3:
        refuse_several_counts(given)
    with pytest.raises(ValueError, match="got '3/4' among 2 inputs"):
        refuse_several_counts(["a.csv", "3/4"])


def test_a_written_count_is_what_was_read():
    found = module.load("3/4")
    assert (found.summary.kind, found.summary.name, found.summary.rows) == ("counts", "3/4", 4)
    assert found.summary.missing == Missing(0, 4, "raise") and found.rows is None
    assert found.blocks["", ""].c.tolist() == [1, 1, 1, 0] and found.outcomes is None
    table = module.load([[1, 0]], Options(runs=True))
    assert table.summary.name == "" and table.outcomes.tolist() == [[1, 0]]
    assert table.summary.rows == 0 and table.summary.missing == Missing(0, 2, "raise")
    with pytest.raises(ValueError, match="question= is for files and frames, but a written count"):
        module.load("3/4", Options.of(dict(question="id")))
    with pytest.raises(ValueError, match="^cost= is for files and frames"):
        module.load([[1, 0]], Options(sums=("usd",), costs=("usd",), given=("sums",)))
    with pytest.raises(ValueError, match="^sums= is for files and frames"):
        module.load([[1, 0]], Options(sums=("usd",), given=("sums",)))


def test_sources_are_forgotten_where_a_result_is_pickled():
    file = File("d/a.csv", "12")
    for source in TextSource((1, 2)), FileSource((file,)):
        assert source != type(source)()
        assert pickle.loads(pickle.dumps(source)) == type(source)()


def test_the_hash_of_a_file(tmp_path):
    (path := tmp_path / "a.csv").write_text("id\n1\n")
    (file,) = note_files([str(path)])
    sha256 = hashlib.sha256(b"id\n1\n").hexdigest()
    address = File("s3://b/c.csv")
    assert hash_file(File("d/a.csv", "12")) == SourceFile("a.csv", "12")
    assert FileSource((file, address)).hash() == (
        SourceFile("a.csv", sha256),
        SourceFile("c.csv", "", "not known: read from an address"),
    )
    gone = SourceFile("a.csv", "", "not known: the file has changed since it was read")
    path.write_text("id\n1\n2\n")
    assert hash_file(file) == gone
    path.unlink()
    assert hash_file(file) == gone


def test_what_samples_say_is_not_read_where_it_cannot_be():
    assert TextSource(("no input",)).read([]) == []
    gone = Input("none.csv", Options(), ReadSummary("table"))
    assert TextSource((gone,)).read(["q"]) == []


def test_a_run_that_is_read_knows_its_call():
    with pytest.raises(ValueError) as error:
        read_run([dict(task="a", is_ok=1), dict(task="a", is_ok=0), dict(task="b", is_ok=1)])
    assert error.value.call == Call("count", dict(data=error.value.call.places["data"]), {})
    assert "sampling_eval.count(" in str(error.value) and error.value.ways
    made = rows("ab")
    assert read_run(made) is made
    assert read_run(dict(id=one) for one in [1]).questions.tolist() == [1]


def test_options_of_logs_are_for_files():
    for name, value in dict(harness="table", task="t", filter="f", files_hold="draws").items():
        with pytest.raises(ValueError, match=f"^{name}= is for log files, got dict$"):
            module.load(dict(id=[1], correct=[1]), Options.of({name: value}))


def test_settled_rows_hold_what_was_asked_for():
    made = rows("ab", cluster="xy")
    found = settle_all(made, Options(cluster=dict(a="u", b="v"), weights=dict(a=1, b=2)))
    assert found.blocks["", ""].cluster.tolist() == ["u", "v"] and found.weights == dict(a=1, b=2)
    assert found.summary.missing == Missing(0, 2, "raise")
    with pytest.raises(TypeError, match="cluster must be a column or a mapping"):
        settle_all(made, Options(cluster=["u", "v"]))


# Options.


@pytest.mark.parametrize(
    "options, named",
    [
        (Options(), False),
        (Options(harness="table"), True),
        (Options(harness="lm-eval", columns=dict(question="q")), False),
        (Options(columns=dict(question="q")), True),
        (Options(columns=dict(question=False)), False),
        (Options(columns=dict(score="s")), False),
        (Options(columns=dict(group="task")), False),
        (Options(columns=dict(group="part")), True),
        (Options(columns=dict(cluster="task")), False),
        (Options(columns=dict(cluster="question")), False),
        (Options(columns=dict(model="task")), True),
        (Options(sums=("cost",)), True),
        (Options(sums=("cost",), costs=("cost",)), False),
        (Options(sums=("cost", "time"), costs=("cost",)), True),
    ],
)
def test_columns_that_only_a_table_has(options, named):
    assert options.names_columns is named


@pytest.mark.parametrize(
    "part, name, of_logs",
    [
        ("group", "task", True),
        ("cluster", "task", True),
        ("model", "task", False),
        ("cluster", "doc_id", True),
        ("group", "doc_id", False),
        ("cluster", "passage", False),
    ],
)
def test_columns_of_logs(part, name, of_logs):
    assert is_of_logs(part, name) is of_logs


@pytest.mark.parametrize(
    "cluster, question, columns, items",
    [
        ("doc_id", None, ["doc_id", "correct"], True),
        ("doc_id", "doc_id", ["doc_id", "task_id"], True),
        ("doc_id", "task_id", ["doc_id", "task_id"], False),
        # Which of the two is the question is not told.
        ("doc_id", None, ["doc_id", "task_id"], False),
        ("question", None, ["doc_id"], True),
        ("question", "doc_id", ["doc_id"], True),
        ("passage", None, ["doc_id"], False),
        ("passage", None, ["doc_id", "passage"], False),
        ("passage", "passage", ["doc_id", "passage"], True),
        (None, None, ["doc_id"], False),
    ],
)
def test_clusters_that_are_the_ids_of_questions(cluster, question, columns, items):
    named = {k: v for k, v in (("cluster", cluster), ("question", question)) if v is not None}
    options = Options(columns=named)
    found = options.name_items(columns)
    assert (found.columns == named | dict(cluster=False)) is items
    assert items or found is options


@pytest.mark.parametrize(
    "cluster, column, beside",
    [
        (None, False, False),
        (True, True, False),
        (False, False, False),
        ("part", True, False),
        ("", False, False),
        (dict(a=1), False, True),
        (["x"], False, True),
    ],
)
def test_clusters_of_a_column_or_beside_the_data(cluster, column, beside):
    options = Options(cluster=cluster)
    assert (options.uses_clusters, options.groups_questions) == (column, beside)


@pytest.mark.parametrize(
    "names, want", [("cost", ("cost",)), (["a", 1], ("a", 1)), ((), ()), (3, None), ([None], None)]
)
def test_names_of_columns(names, want):
    if want is not None:
        assert check_names("sums", names) == want
        return
    with pytest.raises(TypeError, match="sums must be the names of columns"):
        check_names("sums", names)


def test_every_option_has_its_place():
    given = dict(
        question="q", by="topic", cluster="part", sums=["usd"], ignore="note", threshold=0.5,
        keys="models", expected="gold", failed="wrong", harness="table", task="t", filter="f",
        grade="exact", files_hold="draws", limits=3, missing="drop", scale=(1, 5), score=False,
    )
    options = Options.of(given, weights="points", answers=False, runs=True, costs=("usd",))
    assert options.columns == dict(
        question="q", score=False, group="topic", cluster="part", weight="points"
    )
    assert (options.cluster, options.threshold, options.sums) == ("part", 0.5, ("usd",))
    assert (options.ignore, options.keys, options.expected) == (("note",), "models", "gold")
    assert (options.failed, options.harness, options.task) == ("wrong", "table", "t")
    assert (options.filter, options.grade, options.files_hold) == ("f", "exact", "draws")
    assert options.limits == 3 and options.policy == Policy("drop", scale=(1, 5))
    assert (options.answers, options.runs, options.scores) == (False, True, True)
    assert options.weights == "points" and options.costs == ("usd",) and options.several is None
    policies = {"missing", "scale"}
    assert {*options.given} == {*given} - policies - {"by"} | {"group", "weights"}
    plain = Options.of({}, weights=dict(a=1))
    assert plain == Options(weights=dict(a=1)) and plain.scores is None
    assert Options.of(dict(cluster=True)).given == ("cluster",)
    assert Options.of(dict(cluster=dict(a=1))).given == ()


@pytest.mark.parametrize(
    "given, kept, kind, said",
    [
        ({}, dict(weights=3), TypeError, "weights must be a column or a mapping of question to"),
        (dict(failed="x"), {}, ValueError, "failed must be 'missing' or 'wrong', got 'x'"),
        (
            dict(score=["a", "b"], grade=["exact", "number"]),
            {},
            ValueError,
            "only one option may hold several gradings, got score= and grade=",
        ),
        (dict(correct=[]), {}, ValueError, r"correct must name each grading once, got \[\]"),
        (dict(filter=["f", "f"]), {}, ValueError, "filter must name each grading once, got"),
        (dict(largest_weight=1), {}, TypeError, "largest_weight= is for score, compare, table and"),
    ],
)
def test_options_that_are_refused(given, kept, kind, said):
    with pytest.raises(kind, match=said):
        Options.of(given, **kept)


def test_gradings_one_by_one():
    options = Options.of(dict(score=("a", "b"), question="q"))
    assert options.columns == dict(question="q") and options.several == ("score", ("a", "b"))
    found = options.split()
    assert {name: own.columns for name, own in found.items()} == dict(
        a=dict(question="q", score="a"), b=dict(question="q", score="b")
    )
    assert all(own.several is None and own.given == options.given for own in found.values())
    filters = Options.of(dict(filter=["f", "g"])).split()
    assert {name: (own.filter, own.columns) for name, own in filters.items()} == dict(
        f=("f", {}), g=("g", {})
    )
    assert Options.of(dict(score="a")).split() == {}


# Data of every kind.


def test_where_samples_stand_is_kept_of_files_alone(tmp_path):
    (path := tmp_path / "a.csv").write_text("id,correct\n1,1\n")
    options = Options.of(dict(missing="wrong"))
    found = module.load(str(path), options)
    assert found.origin == Input(str(path), options, found.summary)
    assert module.load(dict(id=[1], correct=[1])).origin is None
    weighed = module.load([[1, 0]], Options(weights={0: 2}))
    assert weighed.weights == {0: 2} and weighed.outcomes is None and weighed.origin is None


def test_what_is_kept_of_rows_that_are_read():
    ids = [f"s{i}" for i in range(1200)]
    columns = dict(id=[i // 2 for i in range(1200)], sample=ids, correct=[1, 0] * 600,
                   group=[i // 400 for i in range(1200)])
    kept, whole = module.read(columns), read_run(columns)
    assert len(whole.fingerprint.sample) == 1200 > 1024 >= len(kept.fingerprint.sample) > 900
    assert kept.fingerprint.end < whole.fingerprint.end == 2**64 - 1
    assert kept.cluster is not None and whole.cluster is not None
    plain = module.load(columns).rows
    assert plain.cluster is None and plain.fingerprint is None and plain.draws is None
    numbered = dict(id=[1, 1], sample=[0, 2], correct=[1, 1])
    assert module.read(numbered).draws.tolist() == read_run(numbered).draws.tolist() == [[5, 0, 0]]


def test_gradings_side_by_side_are_models():
    columns = dict(id=[1, 1, 2], a=[1, 0, 1], b=[0, 0, 1])
    found = module.load(columns, Options.of(dict(correct=["a", "b"])))
    assert {key: own.c.tolist() for key, own in found.blocks.items()} == {
        ("a", ""): [1, 1],
        ("b", ""): [0, 1],
    }
    assert found.summary.gradings == ("a", "b")


def test_battles_have_no_right_and_wrong():
    rows = [dict(prompt=q, model_a="x", model_b="y", winner="x") for q in "pq"]
    assert module.load(rows).lacks["c"] == "battles have win shares, and no right and wrong"
    assert "c" not in module.load(dict(id=[1], correct=[1])).lacks


def test_items_that_are_clusters_are_noted():
    made = rows(["q0", "q1", "q2", "q3"], item="abab")
    found = choose_clusters(made, Options())
    assert [note.kind for note in found.summary.notes] == ["items"]
    assert found.cluster.tolist() == list("abab")


# Frames.


@pytest.mark.parametrize("library", [pl, pd], ids=["polars", "pandas"])
def test_frames_of_few_and_of_many_rows(library, monkeypatch):
    frame = library.DataFrame(dict(id=[1, 2, 1], x=["a", None, "c"], ok=[True, False, True]))
    small = frame_source(frame)
    assert small.columns == ["id", "x", "ok"] and small.head is None and small.whole is None
    assert small.what == f"a {library.__name__} DataFrame" and small.verb == "read"
    parts = small.take(dict(question="id", answer="x", correct="ok"), Keep()).parts
    assert {part: values.tolist() for part, values in parts.items()} == dict(
        question=[1, 2, 1], answer=["a", None, "c"], correct=[True, False, True]
    )
    monkeypatch.setattr(frames, "MANY", 3)
    assert frame_source(frame).head is None
    monkeypatch.setattr(frames, "MANY", 2)
    large = frame_source(frame)
    assert {c: v.tolist() for c, v in large.head(["x", "id"], 2).items()} == dict(
        x=["a", None], id=[1, 2]
    )
    found = large.whole(["ok", "x"], "id", [1, 7])
    assert {c: v.tolist() for c, v in found.items()} == dict(ok=[True, True], x=["a", "c"])
    assert frame_source([1]) is None and frame_source(dict(id=[1])) is None


def test_cells_of_a_frame():
    frame = pl.DataFrame(dict(
        id=[1, 2], whole=[1, None], half=[0.5, None], flag=[True, None], text=["a", None],
        nested=[[1], None],
    ))
    columns = frame.columns[1:]
    found = frame_source(frame).take(dict(question="id") | {c: c for c in columns}, Keep()).parts
    assert [found[c].dtype.kind for c in ("question", "half")] == ["i", "f"]
    assert np.isnan(found["half"][1]) and found["half"][0] == 0.5
    assert {c: found[c].tolist() for c in columns if c != "half"} == dict(
        whole=[1, None], flag=[True, None], text=["a", None], nested=[[1], None]
    )


# Frames of inspect_ai.


def test_scores_of_inspect_are_numbers():
    columns = dict(sample_id=["u", "v"], eval_id=["e"] * 2, id=["a", "b"], epoch=[1, 1],
                   score_x=["C", "P"], note=["I", "C"])
    found = suit_inspect(columns_source(columns))
    parts = found.take(dict(question="id", score="score_x", answer="note"), Keep()).parts
    assert parts["score"].tolist() == [1, 0.5] and parts["answer"].tolist() == ["I", "C"]
    other = found.take(dict(question="id", score="note"), Keep()).parts
    assert other["score"].tolist() == ["I", "C"]


def test_letters_of_inspect():
    found = read_letters(np.array(["C", "I", "P", "N", "yes", "No", 0.5, None, "?"], object))
    assert found.tolist() == [1, 0, 0.5, 0, 1, 0, 0.5, None, "?"]


def source(*columns):
    return Source(list(columns), lambda chosen, keep: None)


def test_frames_of_inspect_know_their_columns():
    plain = source("sample_id", "eval_id", "id", "score_a")
    assert suit_inspect(plain) is plain
    found = suit_inspect(source("sample_id", "eval_id", "id", "epoch", "score_a", "score_b"))
    assert found.known == dict(question=("id",), sample=("epoch",), score=("score_a", "score_b"))
    with pytest.raises(ValueError, match="ambiguous: 'score_a' or 'score_b' could be the score"):
        name_known(found, Options())
    for named in dict(score="score_b"), dict(score=False):
        options = name_known(found, Options(columns=named))
        assert options.columns == dict(question="id", sample="epoch") | named
    options = name_known(found, Options(columns=dict(correct="score_a", question="q")))
    assert options.columns == dict(correct="score_a", question="q", sample="epoch")
    alone = suit_inspect(source("sample_id", "eval_id", "id", "epoch"))
    assert name_known(alone, Options(columns=dict(correct=False))).columns == dict(
        question="id", sample="epoch", correct=False
    )
