"Systems, models, groups and tasks in one or several inputs, and the questions they share."

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import Counts, read
from sampling_eval.foundations.answers import Rewards, tally
from sampling_eval.reading.load import Loaded
from sampling_eval.reading.options import Options
from sampling_eval.reading.sample_ids import (
    refuse_other_tasks,
    refuse_same_runs,
    share_task,
    Task,
    tell_place,
    tell_versions,
)
from sampling_eval.results.cautions import Stated
from sampling_eval.results.reading import ReadSummary
from sampling_eval.analyses.engine.systems import gather_models
from sampling_eval.analyses.engine.systems import (
    align_systems,
    cut_counts,
    entries_of_questions,
    have_equal_outcomes,
    is_named,
    name_counts,
    name_groups,
    load_systems,
    name_file,
    name_systems,
    pair_tasks,
    pick_model,
    refuse_crowd,
)

TWO = dict(A=Counts([4, 4, 4], [0, 1, 2], ["p", "q", "r"]), B=Counts([8, 8], [6, 7], ["r", "q"]))
SEVERAL = [dict(model=m, question=q, correct=1) for m in "xy" for q in range(2)]


def load(*inputs, models=None):
    return load_systems(inputs, Options.of({}), models)


def test_models_of_one_input():
    assert list(load(SEVERAL).counts) == ["x", "y"] and list(load(SEVERAL, models="y").counts) == [
        "y"
    ]
    assert list(load(SEVERAL, models=["y", "x"]).counts) == ["y", "x"]
    with pytest.raises(
        ValueError, match=r"models must name a model of the data \('x', 'y'\), got 'z'"
    ):
        load(SEVERAL, models="z")


def test_one_model_of_each_input():
    assert list(load(SEVERAL, SEVERAL, models=["x", "y"]).counts) == ["x", "y"]
    with pytest.raises(ValueError, match=r"models must name one model per input \(2\), got 1"):
        load(SEVERAL, SEVERAL, models=["x"])
    with pytest.raises(ValueError, match="B must hold one model, got 2"):
        load([[1], [0]], SEVERAL)


def test_a_name_is_the_first_kind_that_tells_systems_apart():
    assert name_systems(["m", "n"], ["a.csv", "b.csv"]) == ["m", "n"]
    assert name_systems(["m", "m"], ["a.csv", "b.csv"]) == ["a.csv", "b.csv"]
    assert name_systems(["", ""], ["", "b.csv"], ["A", "B"]) == ["A", "B"]


def test_the_list_of_models_is_short():
    with pytest.raises(ValueError, match=r"got 7 \('0', '1', '2', '3', '4', \.\.\.\)"):
        pick_model({str(i): None for i in range(7)}, None, "the data")


def test_three_systems_share_the_questions_of_all():
    third = Counts([4, 4, 4], [1, 1, 1], ["r", "s", "q"])
    found = align_systems(TWO | dict(C=third), "drop")
    assert found.alignment.common == 2 and found.sides["C"].questions.tolist() == ["q", "r"]


def test_groups_as_given_or_as_read():
    aligned = align_systems(TWO, "drop")
    assert name_groups(aligned) is None
    assert name_groups(aligned, dict(p=1, q=2, r=3)) == [2, 3] and name_groups(
        aligned, ["x", "y", "z"]
    ) == ["y", "z"]
    with pytest.raises(ValueError, match=r"got none for 'r' \(1 of 2 fail\)"):
        name_groups(aligned, dict(p=1, q=2))
    with pytest.raises(ValueError, match="one name per question of A, got 2"):
        name_groups(aligned, ["x", "y"])


def test_groups_that_differ_between_the_systems():
    sides = {
        name: Counts([1, 1], [0, 1], ["a", "b"], cluster=groups)
        for name, groups in (("A", ["u", "v"]), ("B", ["u", "w"]))
    }
    with pytest.raises(
        ValueError, match="a question must be in one group, got .*'v'.* and .*'w'.* at question 'b'"
    ):
        name_groups(align_systems(sides))
    same = {name: Counts([1, 1], [0, 1], ["a", "b"], cluster=["u", "v"]) for name in "AB"}
    assert name_groups(align_systems(same)) == ["u", "v"]


def test_many_models_or_few_in_a_refusal():
    def refuse(count, name=None):
        with pytest.raises(ValueError) as refused:
            pick_model({str(i): None for i in range(count)}, name, "B")
        return str(refused.value)

    assert (
        refuse(5) == "B must hold one model, got 5 ('0', '1', '2', '3', '4'); choose with models="
    )
    assert (
        refuse(6)
        == "B must hold one model, got 6 ('0', '1', '2', '3', '4', ...); choose with models="
    )
    assert refuse(1, "x") == "models must name a model of B ('0'), got 'x'"
    assert refuse(2, "2") == "models must name a model of B ('0', '1'), got '2'"
    assert (
        pick_model({"only": None}, None, "B") == "only"
        and pick_model({"a": None, "b": None}, "b", "B") == "b"
    )
    assert pick_model({"": None}, None, "B") == pick_model({"": None}, "", "B") == ""


def test_one_name_holds_for_all_inputs():
    assert list(load(SEVERAL, SEVERAL, models="y").counts) == ["A", "B"]
    assert list(load(SEVERAL, SEVERAL, models="y").inputs.values()) == list(
        load(SEVERAL, SEVERAL, models=("y", "x")).inputs.values()
    )
    with pytest.raises(ValueError, match="models must name a model of B .'x', 'y'., got 'z'"):
        load(SEVERAL, SEVERAL, models=["x", "z"])
    with pytest.raises(ValueError, match=r"one model per input \(2\), got 0"):
        load(SEVERAL, SEVERAL, models=[])
    assert list(load(SEVERAL, models=("x",)).counts) == ["x"]


def test_files_are_names_where_they_differ(tmp_path):
    for place in ("one/a.csv", "one/b.csv", "two/a.csv"):
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        path.write_text("question,correct\n1,1\n2,0\n")
    a, b, other = (tmp_path / place for place in ("one/a.csv", "one/b.csv", "two/a.csv"))
    assert list(load(a, str(b)).counts) == ["a.csv", "b.csv"] and list(load(a, other).counts) == [
        "A",
        "B",
    ]
    assert (
        name_file(a) == name_file(str(a)) == "a.csv"
        and name_file([a]) == ""
        and name_file(b"a") == ""
    )


@pytest.mark.parametrize("third, left", [(["r", "q"], 1), (["q"], 3)])
def test_what_is_left_out_of_several(third, left):
    sides = dict(
        A=Counts([1, 1], [0, 1], ["q", "r"]),
        B=Counts([1] * 3, [0, 1, 1], ["r", "q", "s"]),
        C=Counts([1] * len(third), [1] * len(third), third),
    )
    found = align_systems(sides, "drop")
    assert found.alignment.left_out == left and found.alignment.common == len(third)
    assert found.rows == list(range(len(third)))
    assert all(side.questions.tolist() == ["q", "r"][: len(third)] for side in found.sides.values())


def make_whole():
    votes = tally(
        [0, 0, 1, 1, 1, 2, 2],
        ["x", "y", "x", "x", None, "z", "z"],
        [1, 0, 1, 1, 0, 0, 0],
        no_answer="vote",
        questions=["a", "b", "c"],
    )
    rewards = Rewards(
        [0, 0, 1, 1, 1, 2, 2],
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
        [1, 0, 1, 1, 0, 0, 0],
        np.array(["a", "b", "c"]),
    )
    return Counts(
        [2, 3, 2],
        [1, 2, 0],
        ["a", "b", "c"],
        votes=votes,
        rewards=rewards,
        score_sum=[0.3, 1.2, 1.3],
        sums=dict(tokens=[[1, 2], [3, 4], [5, 6]]),
    )


def test_votes_and_scores_are_cut_with_their_questions():
    part = cut_counts(make_whole(), np.array([2, 0]))
    assert (
        part.questions.tolist()
        == part.votes.questions.tolist()
        == part.rewards.questions.tolist()
        == ["c", "a"]
    )
    assert part.votes.question.tolist() == [0, 1, 1] and part.votes.answer.tolist() == [
        "z",
        "x",
        "y",
    ]
    assert part.votes.votes.tolist() == [2, 1, 1] and part.votes.correct.tolist() == [0, 1, 0]
    assert part.rewards.question.tolist() == [0, 0, 1, 1] and part.rewards.score.tolist() == [
        0.6,
        0.7,
        0.1,
        0.2,
    ]
    assert part.rewards.correct.tolist() == [0, 0, 1, 0] and part.score_sum.tolist() == [1.3, 0.3]
    assert part.sums["tokens"].tolist() == [[5, 6], [1, 2]] and part.votes.n.tolist() == [2, 2]
    blank = cut_counts(make_whole(), np.array([1]))
    assert blank.votes == tally(
        [0] * 3, ["x", "x", None], [1, 1, 0], no_answer="vote", questions=["b"]
    )
    unjudged = replace(make_whole(), rewards=replace(make_whole().rewards, correct=None))
    assert cut_counts(unjudged, np.array([1])).rewards.correct is None
    bare = cut_counts(Counts([1, 2], [0, 1]), np.array([1]))
    assert (
        bare.votes is None
        and bare.rewards is None
        and bare.cluster is None
        and bare.score_sum is None
    )


def test_entries_stay_in_their_order():
    own, moved = entries_of_questions(np.repeat(np.arange(40), 3), np.array([30, 7, 31]), 40)
    assert own.tolist() == [90, 91, 92, 21, 22, 23, 93, 94, 95] and moved.tolist() == [
        0,
        0,
        0,
        1,
        1,
        1,
        2,
        2,
        2,
    ]


def test_groups_as_columns_or_flags_are_those_read():
    sides = {
        name: Counts([1, 1], [0, 1], ["a", "b"], cluster=groups)
        for name, groups in (("A", None), ("B", ["u", "w"]), ("C", ["u", "w"]))
    }
    aligned = align_systems(sides)
    for cluster in ("passage", True, False, None):
        assert name_groups(aligned, cluster) == ["u", "w"]
    with pytest.raises(
        TypeError, match="cluster must be a column, or the group of each question, got 3"
    ):
        name_groups(aligned, 3)
    assert name_groups(aligned, ["s", "t"]) == ["s", "t"]
    with pytest.raises(ValueError, match="cluster must hold one name per question of A, got 1"):
        name_groups(aligned, ["s"])
    with pytest.raises(
        ValueError, match=r"must name a group for every question, got none for 'a' \(2 of 2 fail\)"
    ):
        name_groups(aligned, {})
    with pytest.raises(ValueError) as refused:
        name_groups(
            align_systems(sides | dict(C=Counts([1, 1], [0, 1], ["a", "b"], cluster=["u", "v"])))
        )
    assert (
        str(refused.value)
        == "a question must be in one group, got 'w' and 'v' at question 'b' (1 of 2 fail); "
        "without cluster= they are not used"
    )


# Every model and group in one or several inputs.

RIGHT = dict(small=[0, 1, 0], large=[1, 1, 0])


def list_rows(name, **columns):
    return [
        dict(question=q, correct=c, **columns) for q, c in enumerate(RIGHT[name]) for _ in range(2)
    ]


def gather(systems, **given):
    return gather_models(systems, Options.of(given))


def count_right(found):
    return {key: counts.c.tolist() for key, counts in found.blocks.items()}


WHOLE = {("small", ""): [0, 2, 0], ("large", ""): [2, 2, 0]}


def test_one_input_of_several_models():
    found = gather([row for name in RIGHT for row in list_rows(name, model=name)])
    assert count_right(found) == WHOLE and found.models == ["small", "large"] and found.groups == []
    assert found.weights is None
    assert [(one.kind, one.rows, one.missing.count) for one in found.read.values()] == [
        ("table", 12, 0)
    ]
    grouped = gather(
        [
            row | dict(task=f"t{row['question'] % 2}")
            for name in RIGHT
            for row in list_rows(name, model=name)
        ],
        by="task",
    )
    assert set(grouped.groups) == {"t0", "t1"} and grouped.blocks["large", "t1"].c.tolist() == [2]
    assert grouped.models == ["small", "large"]


def test_data_by_name():
    found = gather({name: list_rows(name) for name in RIGHT})
    assert count_right(found) == WHOLE
    both = gather(
        dict(
            a=[row for name in RIGHT for row in list_rows(name, model=name)],
            b=list_rows("small", model="other"),
        )
    )
    assert count_right(both) == {
        ("a / small", ""): [0, 2, 0],
        ("a / large", ""): [2, 2, 0],
        ("b", ""): [0, 2, 0],
    }
    assert (
        set(gather(dict(a=[dict(question=0, score=0.5)], b=list_rows("small"))).lacks) == {"c"}
        and both.lacks == {}
    )
    assert gather({1: np.array([[1, 0]]), 2: np.array([[1, 1]])}).models == ["1", "2"]


def test_weights_of_named_data():
    weighted = {
        name: [row | dict(points=row["question"] + 1) for row in list_rows(name)] for name in RIGHT
    }
    assert gather_models(weighted, Options.of({}, weights="points")).weights == {0: 1, 1: 2, 2: 3}


@pytest.fixture
def files(tmp_path):
    for name in RIGHT:
        (tmp_path / f"{name}.json").write_text(json.dumps(list_rows(name)))
    return [tmp_path / f"{name}.json" for name in RIGHT]


def test_a_file_for_each_model(files, tmp_path):
    found = gather(files)
    assert count_right(found) == WHOLE
    assert [(name, one.rows, one.missing.count) for name, one in found.read.items()] == [
        ("small", 6, 0),
        ("large", 6, 0),
    ]
    named = [tmp_path / f"run{i}.json" for i in range(2)]
    for path, name in zip(named, RIGHT):
        path.write_text(json.dumps(list_rows(name, model=name)))
    assert (
        count_right(gather(named)) == WHOLE and count_right(gather(list(map(str, named)))) == WHOLE
    )
    # Runs of one model are read together, and so are files of which somebody said what they hold.
    for path, indent in zip(named, (0, 1)):
        path.write_text(json.dumps(list_rows("small", model="m"), indent=indent))
    assert {key: counts.n.tolist() for key, counts in gather(named).blocks.items()} == {
        ("m", ""): [4, 4, 4]
    }
    assert len(gather(files, files_hold="draws").models) == 1


def test_versions_of_a_task_are_warned_of():
    def make(name, *tasks):
        return replace(read(list_rows(name)), tasks=tuple(Task(*task) for task in tasks))

    old, new = make("small", ("gsm8k", "1.0")), make("large", ("gsm8k", "2.0"))
    said = tell_versions(dict(old=old.tasks, new=new.tasks))
    assert said and gather(dict(old=old, new=new)).cautions == (Stated(said),)
    assert gather(dict(old=old, new=old)).cautions == ()
    found = load_systems([old, new], Options.of({}), None, ["old", "new"])
    assert found.versions == said
    with pytest.raises(ValueError, match="'gsm8k' in old and 'mmlu' in new"):
        gather(dict(old=old, new=make("large", ("mmlu",))))
    both = gather(dict(old=old, new=make("large", ("gsm8k",), ("mmlu",))))
    assert both.blocks["old", ""].questions.tolist() == ["gsm8k/0", "gsm8k/1", "gsm8k/2"]
    named = load_systems([old, make("large", ("gsm8k",), ("mmlu",))], Options.of({}))
    assert named.counts["A"].questions.tolist() == ["gsm8k/0", "gsm8k/1", "gsm8k/2"]


# Which inputs may be paired by question: those of one task.


def make_loaded(*tasks):
    rows = replace(
        read([dict(question=q, correct=q % 2) for q in (1, 2)]),
        tasks=tuple(Task(*task) for task in tasks),
    )
    return Loaded({("m", ""): rows.counts()}, ReadSummary(), {}, rows)


PLAIN, ONE, OTHER, BOTH = (
    make_loaded(*tasks) for tasks in ([], [("gsm8k",)], [("mmlu",)], [("gsm8k",), ("mmlu",)])
)


def test_tasks_that_may_be_paired():
    assert pair_tasks(dict(A=ONE, B=BOTH)) == pair_tasks(dict(A=PLAIN, B=ONE)) == ""
    with pytest.raises(
        ValueError,
        match="only samples of the same task are paired, got 'gsm8k' in A and 'mmlu' in B",
    ):
        pair_tasks(dict(A=ONE, B=OTHER))
    said = pair_tasks(dict(old=make_loaded(("gsm8k", "1.0")), new=make_loaded(("gsm8k", "2.0"))))
    assert "1.0" in said and "2.0" in said


# Which tasks samples belong to: what is paired, added and told.

A, B = Task("a", "version 1"), Task("b")


@pytest.mark.parametrize(
    "tasks, others, want",
    [
        ([A], [A], True),
        ([A], [B], False),
        ([A, B], [B], True),
        ([], [A], False),
        ([A], [], False),
        ([Task("x/a")], [Task("a|5")], True),
        ([A], [Task("c", "version 1")], False),
        ([Task("x", "questions 2, hash 01")], [Task("y", "questions 2, hash 01")], True),
        ([Task("x", "questions 2, hash 01")], [Task("y", "questions 2, hash 02")], False),
        ([Task("x")], [Task("y")], False),
    ],
)
def test_tasks_that_two_sides_share(tasks, others, want):
    assert share_task(tasks, others) is want


def test_sides_without_a_task_in_common():
    for sides in (
        dict(A=[A], B=[A, B], C=[A]),
        dict(A=[A], B=[]),
        dict(A=[], B=[A]),
        {},
        dict(A=iter([A]), B=iter([A])),
    ):
        assert refuse_other_tasks(sides) is None
    with pytest.raises(ValueError) as error:
        refuse_other_tasks(dict(old=[], A=[A], B=[A], C=[B, B]))
    assert (
        str(error.value)
        == "only samples of the same task are paired, got 'a' in A and 'b' in C, whose questions"
        " differ even where their ids agree; if it is one task under two names, pass"
        " dataclasses.replace(read(...), tasks=())"
    )


def test_parts_of_one_run():
    one, two = Task("a", "", "r1"), Task("b", "", "r2")
    for sides in dict(x=[one, one], y=[two]), dict(x=[A], y=[A]), dict(x=[one], y=[]):
        assert refuse_same_runs(sides) is None
    with pytest.raises(ValueError) as error:
        refuse_same_runs(dict(x=[A, one], y=[two], z=[two]))
    assert (
        str(error.value)
        == "y and z hold parts of one run of task 'b', and may share samples; count their files "
        "together with sampling_eval.count"
    )


def test_other_versions_of_a_task():
    new = Task("a", "version 2")
    assert (
        tell_versions(dict(A=[A, B], B=[A, B]))
        == tell_versions(dict(A=[A], B=[Task("a")]))
        == tell_versions({})
        == ""
    )
    assert (
        tell_versions(dict(A=[A], B=[new], C=[A]))
        == "the questions of task 'a' (A: version 1 against B: version 2) may differ"
    )
    assert (
        tell_versions({"": [A, new, Task("c", "1"), Task("c", "2")]})
        == "the questions of task 'a' (version 1 against version 2) and of task 'c' (1 against 2)"
        " may differ"
    )
    assert tell_place(("v", "")) == "v" and tell_place(("v", "A")) == "A: v"


# Names, crowds, and data that hold systems.


def test_votes_and_scores_take_the_name_of_the_task_too():
    found = name_counts(make_whole(), "gsm8k")
    names = ["gsm8k/a", "gsm8k/b", "gsm8k/c"]
    for part in found, found.votes, found.rewards:
        assert part.questions.tolist() == names
    assert found.votes.answer.tolist() == make_whole().votes.answer.tolist()
    bare = name_counts(Counts([1, 2], [0, 1]), "t")
    assert bare.questions.tolist() == ["t/0", "t/1"] and bare.votes is bare.rewards is None


@pytest.mark.parametrize("count, said", [(500, None), (501, "501 models (125,250 pairs)")])
def test_all_pairs_of_so_many_systems(count, said):
    if said is None:
        assert refuse_crowd(count) is None
        return
    with pytest.raises(ValueError) as told:
        refuse_crowd(count)
    assert "all pairs of at most 500 models are judged" in str(told.value)
    assert said in str(told.value)


COLUMN = [1, 0]


@pytest.mark.parametrize(
    "data, named",
    [
        ({}, False),
        ([dict(question=0, correct=1)], False),
        (dict(question=COLUMN, correct=COLUMN), False),
        (dict(question=np.array(COLUMN), correct=np.array(COLUMN)), False),
        (dict(a=[COLUMN], b=COLUMN), False),
        (dict(a=[], b=[COLUMN]), False),
        (dict(a=[COLUMN], b=((1, 0), (0, 1))), True),
        (dict(a=[dict(question=0, correct=1)]), True),
        (dict(a="a.csv", b=["b.csv"]), False),
        (dict(a="a.csv", b=[Path("b.csv")]), True),
        (dict(a=np.array([COLUMN]), b="b.csv"), True),
        (dict(a=np.array([[COLUMN]])), False),
        (dict(a=dict(question=COLUMN, correct=COLUMN)), True),
    ],
)
def test_data_by_the_name_of_their_system(data, named):
    assert is_named(data) is named


def test_texts_of_the_only_input_that_is_a_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("question,correct\n0,1\n1,0\n")
    rows = [dict(question=q, correct=1) for q in range(2)]
    assert load(rows, rows).texts is None and load(rows).texts is None
    for inputs in (path, rows), (rows, path):
        texts = load(*inputs).texts
        assert [Path(one.data).name for one in texts.inputs] == ["a.csv"]
    assert load(path).texts is not None


def test_what_samples_cost_makes_no_other_outcomes():
    one, other = (
        Counts([2, 2], [1, 2], sums=dict(cost=[[1, 2], [0, last]])) for last in (3, 4)
    )
    assert have_equal_outcomes(one, other)
    assert not have_equal_outcomes(one, replace(other, c=np.array([1, 1])))
