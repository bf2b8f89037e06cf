"Every model and group in one or several inputs."
import json
from dataclasses import replace

import numpy as np
import pytest

from sampling_eval.io.load import read
from sampling_eval.io.options import Options
from sampling_eval.io.sample_ids import Task, tell_versions
from sampling_eval.results.diagnostics import Stated
from sampling_eval.verbs.gathering import gather_models
from sampling_eval.verbs.systems import load_systems

RIGHT = dict(small=[0, 1, 0], large=[1, 1, 0])


def list_rows(name, **columns): return [dict(question=q, correct=c, **columns) for q, c in enumerate(RIGHT[name])
                                        for _ in range(2)]


def gather(systems, **given): return gather_models(systems, Options.of(given))


def count_right(found): return {key: counts.c.tolist() for key, counts in found.blocks.items()}


WHOLE = {("small", ""): [0, 2, 0], ("large", ""): [2, 2, 0]}


def test_one_input_of_several_models():
    found = gather([row for name in RIGHT for row in list_rows(name, model=name)])
    assert count_right(found) == WHOLE and found.models == ["small", "large"] and found.groups == []
    assert found.weights is None
    assert [(one.kind, one.rows, one.missing.count) for one in found.read.values()] == [("table", 12, 0)]
    grouped = gather([row | dict(task=f"t{row['question'] % 2}") for name in RIGHT
                      for row in list_rows(name, model=name)], by="task")
    assert set(grouped.groups) == {"t0", "t1"} and grouped.blocks["large", "t1"].c.tolist() == [2]
    assert grouped.models == ["small", "large"]


def test_data_by_name():
    found = gather({name: list_rows(name) for name in RIGHT})
    assert count_right(found) == WHOLE
    both = gather(dict(a=[row for name in RIGHT for row in list_rows(name, model=name)],
                       b=list_rows("small", model="other")))
    assert count_right(both) == {("a / small", ""): [0, 2, 0], ("a / large", ""): [2, 2, 0], ("b", ""): [0, 2, 0]}
    assert set(gather(dict(a=[dict(question=0, score=.5)], b=list_rows("small"))).lacks) == {"c"} and both.lacks == {}
    assert gather({1: np.array([[1, 0]]), 2: np.array([[1, 1]])}).models == ["1", "2"]


def test_weights_of_named_data():
    weighted = {name: [row | dict(points=row["question"] + 1) for row in list_rows(name)] for name in RIGHT}
    assert gather_models(weighted, Options.of({}, weights="points")).weights == {0: 1, 1: 2, 2: 3}


@pytest.fixture
def files(tmp_path):
    for name in RIGHT: (tmp_path / f"{name}.json").write_text(json.dumps(list_rows(name)))
    return [tmp_path / f"{name}.json" for name in RIGHT]


def test_a_file_for_each_model(files, tmp_path):
    found = gather(files)
    assert count_right(found) == WHOLE
    assert [(name, one.rows, one.missing.count) for name, one in found.read.items()] == [("small", 6, 0), ("large", 6, 0)]
    named = [tmp_path / f"run{i}.json" for i in range(2)]
    for path, name in zip(named, RIGHT): path.write_text(json.dumps(list_rows(name, model=name)))
    assert count_right(gather(named)) == WHOLE and count_right(gather(list(map(str, named)))) == WHOLE
    # Runs of one model are read together, and so are files of which somebody said what they hold.
    for path, indent in zip(named, (0, 1)): path.write_text(json.dumps(list_rows("small", model="m"), indent=indent))
    assert {key: counts.n.tolist() for key, counts in gather(named).blocks.items()} == {("m", ""): [4, 4, 4]}
    assert len(gather(files, files_hold="draws").models) == 1


def test_versions_of_a_task_are_warned_of():
    def make(name, *tasks): return replace(read(list_rows(name)), tasks=tuple(Task(*task) for task in tasks))
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
