"Levels of paths that name what their files hold."

from dataclasses import replace

import pytest

from sampling_eval.reading.columns import Keep, Source, join_sources
from sampling_eval.reading.objects import columns_source
from sampling_eval.reading.paths import add_paths, hold_single_rows, name_level, name_levels


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


def make(path, **row):
    columns = {name: [value] for name, value in row.items()}
    return replace(columns_source(columns), files=(path,), sizes=(1,))


def make_all(**row):
    names = [f"r/task{q}/trial_{s}/result.json" for q in (0, 1) for s in (0, 1)]
    return names, [make(name, ok=at % 2, **row) for at, name in enumerate(names)]


def test_levels_of_paths_are_columns():
    names, sources = make_all(note="x")
    found = add_paths(sources, {})
    assert [source.columns for source in found] == [["ok", "note", "task", "trial"]] * 4
    chosen = dict(question="task", sample="trial", correct="ok")
    taken = [source.take(chosen, Keep()).parts for source in found]
    rows = [tuple(parts[part].tolist()[0] for part in chosen) for parts in taken]
    assert rows == [
        ("task0", "trial_0", 0),
        ("task0", "trial_1", 1),
        ("task1", "trial_0", 0),
        ("task1", "trial_1", 1),
    ]
    plain = found[2].take(dict(question="note", correct="ok"), Keep()).parts
    assert plain["question"].tolist() == ["x"] and list(plain) == ["question", "correct"]
    joined = add_paths([join_sources(sources)], {})
    assert joined[0].columns == ["ok", "note"]


@pytest.mark.parametrize(
    "row, named, columns",
    [
        (dict(id=1), {}, ["ok", "id"]),
        (dict(problem="p"), {}, ["ok", "problem"]),
        (dict(note="x"), dict(question="note"), ["ok", "note"]),
        (dict(note="x"), dict(question="task"), ["ok", "note", "task", "trial"]),
        (dict(trial=3), {}, ["ok", "trial", "task"]),
    ],
)
def test_rows_that_name_their_question_need_no_path(row, named, columns):
    _, sources = make_all(**row)
    found = add_paths(sources, named)
    assert [source.columns for source in found] == [columns] * 4
    assert (found == sources) is ("task" not in columns)


def test_files_of_several_rows_need_no_path():
    _, sources = make_all()
    two = columns_source(dict(ok=[1, 0]))
    two = replace(two, files=("r/task2/trial_0/result.json",), sizes=(2,))
    assert add_paths([*sources, two], {}) == [*sources, two]
    assert add_paths(sources[:1], {}) == sources[:1]
    alike = [make(f"r/{name}.json", ok=1) for name in ("a/b", "c")]
    assert add_paths(alike, {}) == alike
