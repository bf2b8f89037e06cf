"Levels of paths that name what their files hold."

import pytest

from sampling_eval.reading.columns import Source
from sampling_eval.reading.paths import hold_single_rows, name_level, name_levels


@pytest.mark.parametrize(
    "values, above, name",
    [
        (["task0", "task1"], "x", "task"),
        (["task_0", "job_1"], "tasks", "task"),
        (["a", "b"], "seeds", "seed"),
        (["a", "b"], "iters", "iter"),
        (["a", "b"], "Models", "model"),
        (["a", "b"], "question", "question"),
        (["a", "b"], "x", ""),
        (["task0", "b"], "x", ""),
    ],
)
def test_names_of_levels(values, above, name):
    assert name_level(values, above) == name


@pytest.mark.parametrize(
    "files, levels",
    [
        (["r/tasks/a/1.json", "r/tasks/b/1.json"], dict(task=["a", "b"])),
        (
            ["r/m0/s/task0.json", "r/m1/s/task1.json"],
            {"m": ["m0", "m1"], "task": ["task0", "task1"]},
        ),
        (["r/x/a.json", "r/y/b.json"], {"path.1": ["x", "y"], "path.2": ["a", "b"]}),
        (["r/a.json", "r/b/c.json"], {}),
        (["r/.a", "r/.b"], {"path.1": [".a", ".b"]}),
        # Of two levels of one name the outer one has it.
        (["r/task0/task1.json", "r/task2/task3.json"], dict(task=["task0", "task2"])),
        # A folder tells what is in it, and nothing of what is further down.
        (
            ["r/tasks/a/x.json", "r/tasks/b/y.json"],
            {"task": ["a", "b"], "path.2": ["x", "y"]},
        ),
        (["r/a/x.json", "r/a/x.json"], {}),
    ],
)
def test_levels_of_paths(files, levels):
    assert name_levels(files) == {name: dict(zip(files, at)) for name, at in levels.items()}


@pytest.mark.parametrize(
    "files, sizes, single",
    [("ab", (1, 1), True), ("a", (1,), False), ("ab", (1, 2), False), ("ab", (2, 2), False)],
)
def test_files_of_one_row_each(files, sizes, single):
    source = Source(["x"], None, files=tuple(files), sizes=sizes)
    assert hold_single_rows([source]) is single


def test_files_of_several_sources():
    one, two = (Source(["x"], None, files=(name,), sizes=(1,)) for name in "ab")
    assert hold_single_rows([one, two])
    assert not hold_single_rows([one, Source(["x"], None, files=("b",))])
