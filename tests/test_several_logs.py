"""Several logs as one table, function by function: whose samples they are, how they are numbered,
which are missing, and which logs of a folder go before others."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from sampling_eval.errors import OptionError
from sampling_eval.reading.logs.ask import Total
from sampling_eval.reading.logs.folder import Found, Search, leave_weaker, may_bring_readers
from sampling_eval.reading.logs.several import (
    Counted,
    advise_tasks,
    blank_invalid,
    choose_parts,
    fill_rows,
    find_only_model,
    hold_totals,
    identify_run,
    is_rest,
    join_tables,
    list_taken,
    name_models,
    name_tasks,
    number_on,
    short_total,
)
from sampling_eval.reading.logs.samples import Table
from sampling_eval.results.reading import Coverage


def table(*rows, name="a.json", totals=()):
    made = Table(Path(f"/logs/{name}"))
    for row in rows:
        made.add(dict(question="q", sample=0, model="m", task="t") | row)
    made.said.totals[:] = totals
    return made


def tries(*names, **more):
    "A sample of each question, numbered within it."
    seen = Counter()
    rows = []
    for name in names:
        rows.append(dict(question=name, sample=seen[name], correct=True) | more)
        seen[name] += 1
    return rows


# Numbers of samples.


def test_samples_go_on_after_those_of_earlier_files():
    tables = [
        table(*tries("a", "a", "b")),
        table(*tries("a", "c")),
        table(*tries("b", "a", "a")),
        table(*tries("a"), *tries("a", model="n"), *tries("a", task="u")),
    ]
    number_on(tables, [one.path for one in tables], "draws")
    assert [one.columns["sample"] for one in tables] == [
        [0, 1, 0],
        [2, 0],
        [1, 3, 4],
        [5, 0, 0],
    ]


def test_gaps_between_samples_stay():
    tables = [table(dict(sample=3), dict(sample=1)), table(dict(sample=0), dict(sample=2))]
    number_on(tables, [one.path for one in tables], "draws")
    assert [one.columns["sample"] for one in tables] == [[3, 1], [4, 6]]


def test_questions_of_two_files_are_asked_about():
    tables = [table(*tries("a", "b", "c")), table(*tries("d", "b", "a", "a"), name="b.json")]
    with pytest.raises(ValueError) as error:
        number_on(tables, [one.path for one in tables], None)
    assert "question 'b' is in a.json and in b.json (2 questions in all)" in str(error.value)


@pytest.mark.parametrize(
    "one, other, rest",
    [
        ("x/d.jsonl", "x/d_failed.jsonl", True),
        ("x/d_failed.jsonl", "x/d.jsonl", True),
        ("x/d.jsonl", "x/d.jsonl", False),
        ("x/d_failed.jsonl", "x/d_failed.jsonl", False),
        ("x/d.jsonl", "y/d_failed.jsonl", False),
        ("x/d.jsonl", "x/e_failed.jsonl", False),
    ],
)
def test_files_of_failed_requests(one, other, rest):
    assert is_rest(Path(one), Path(other)) is rest


# Models and tasks.


@pytest.mark.parametrize(
    "models, files, by_folder, named",
    [
        (["m", "m"], None, False, ["m", "m"]),
        (["m", None], None, False, ["m", "b"]),
        ([None, None], None, False, [None, None]),
        ([None, None], "models", False, ["a", "b"]),
        (["m", "m"], "models", False, ["m a", "m b"]),
        (["m", None], "models", False, ["m a", "b"]),
        ([None, None], None, True, ["x", "y"]),
        (["m", "n"], None, True, ["x", "y"]),
    ],
)
def test_models_after_their_files(models, files, by_folder, named):
    folders = "xy" if by_folder else "xx"
    paths = [Path(f"/{folder}/{name}.json") for folder, name in zip(folders, "ab")]
    tables = [table(dict(model=model)) for model in models]
    name_models(tables, paths, files, by_folder)
    assert [one.columns["model"] for one in tables] == [[name] for name in named]


def test_one_folder_is_no_model():
    tables, paths = [table({}), table({})], [Path("/x/a.json"), Path("/x/b.json")]
    name_models(tables, paths, None, True)
    assert [one.columns["model"] for one in tables] == [["m"], ["m"]]


@pytest.mark.parametrize(
    "models, only", [(["m", "m"], "m"), (["m", "n"], ""), ([None], ""), (["m", None], ""), ([], "")]
)
def test_the_only_model(models, only):
    assert find_only_model([table(*(dict(model=model) for model in models))]) == only


@pytest.mark.parametrize(
    "tasks, questions, named",
    [
        (["t", None], ["a", "a"], ["t", "t"]),
        (["t", "t", None], ["a", "b", "a"], ["t"] * 3),
        (["t", None, None], ["a", "a", "b"], ["t"] * 3),
        (["t", "t", None, None], ["a", "b", "b", "c"], ["t", "t", None, None]),
        (["t", None], ["1", "1"], ["t", None]),
        (["t", None], [1, 1], ["t", None]),
        (["t", "u", None], ["a", "b", "a"], ["t", "u", None]),
        ([None, None], ["a", "b"], [None, None]),
        (["t", "t"], ["a", "b"], ["t", "t"]),
        # A name that is a number alone is nothing to know a question by.
        (["t", "t", None], ["a", "1", "a"], ["t", "t", None]),
        (["t", None, None], ["a", "a", "1"], ["t", None, None]),
    ],
)
def test_a_run_that_names_no_task(tasks, questions, named):
    assert name_tasks(tasks, questions) == named


def test_questions_are_named_by_task_where_there_are_several():
    one = join_tables([table(dict(correct=True), dict(question="r", correct=False))])
    assert one["question"] == ["q", "r"] and one["task"] == ["t", "t"] and "answer" not in one
    two = join_tables([table(dict(correct=True)), table(dict(task="u", correct=True))])
    assert two["question"] == ["t/q", "u/q"]
    scores = join_tables([table(dict(score=0.5))])
    assert "correct" not in scores and scores["score"] == [0.5]
    assert join_tables([table(dict(correct=None))])["correct"] == [None]
    mixed = join_tables([table(dict(correct=True)), table(dict(score=0.5))])
    assert mixed["correct"] == [True, None] and mixed["score"] == [None, 0.5]


# Runs.


@pytest.mark.parametrize(
    "rows, run",
    [
        ([dict(run="r"), dict(run="r")], ("r", "m")),
        ([dict(run="r"), dict(run="s")], None),
        ([dict(run="r"), dict(run="r", model="n")], None),
        ([dict(run=None)], None),
        ([], None),
    ],
)
def test_logs_of_one_run(rows, run):
    made = table(*rows)
    assert identify_run(made) == (id(made) if run is None else run)


def test_an_invalid_sample_has_no_outcome_anywhere():
    tables = [
        table(dict(uuid="u", invalid=True, score=1), dict(uuid=None, invalid=True, score=1)),
        table(dict(uuid="u", score=1, correct=True), dict(uuid="v", score=0)),
        table(dict(uuid="u", score=0), dict(uuid=None, score=1)),
    ]
    blank_invalid(tables, told := Counter())
    assert [one.columns["score"] for one in tables] == [[1, 1], [None, 0], [None, 1]]
    assert tables[1].columns["correct"] == [None, None] and told["invalid_elsewhere"] == 1
    assert tables[2].columns["invalid"] == [True, None]
    blank_invalid(tables[1:2], told)
    assert told["invalid_elsewhere"] == 0


# Totals.


def counted(total, *names, **more):
    return Counted(total, [table(*tries(*names, **more))])


@pytest.mark.parametrize(
    "total, names, absent",
    [
        (Total(4, "x", each=2), "aabb", {}),
        (Total(4, "x", each=2), "aab", {("t", "b"): 1}),
        (Total(4, "x", each=2), "ab", {("t", "a"): 1, ("t", "b"): 1}),
        # A question without any sample is not known.
        (Total(4, "x", each=2), "aa", None),
        (Total(5, "x", each=2), "aab", None),
        (Total(4, "x"), "aab", None),
        (Total(4, "x", questions=dict(a=2, b=2)), "aab", {("t", "b"): 1}),
        (Total(4, "x", questions=dict(a=2, b=2)), "aa", {("t", "b"): 2}),
        # What is stored in two places does not agree.
        (Total(5, "x", questions=dict(a=2, b=2)), "aab", None),
        (Total(3, "x", questions=dict(a=2, b=2)), "aaab", None),
        (Total(4, "x", questions=dict(a=2, b=2), task="t"), "aab", {("t", "b"): 1}),
        (Total(4, "x", questions=dict(a=2, b=2), task="u"), "", {("u", "a"): 2, ("u", "b"): 2}),
        (Total(4, "x", questions=dict(a=2, b=2)), "", None),
    ],
)
def test_samples_of_each_question_that_are_missing(total, names, absent):
    assert counted(total, *names).find_absent() == absent


def test_samples_that_a_total_counts():
    whole = counted(Total(3, "x"), "a", "b")
    assert whole.count() == 2 and whole.measure() == Coverage("a.json", 3, 2, "x")
    assert whole.measure().missing == 1 and Coverage("a", 2, 3, "x").missing == 0
    whole.tables[0].copied.append(("u", "c"))
    assert whole.count() == 3
    assert Counted(Total(3, "x", task="u"), whole.tables).count() == 1
    assert Counted(Total(3, "x", found=["a"]), whole.tables).count() == 1


def test_of_totals_on_the_same_samples_the_one_that_misses_most():
    totals = Total(3, "x"), Total(4, "y"), Total(4, "z", each=2), Total(1, "u", task="u")
    one = table(*tries("a", "a", "b"), totals=totals)
    parts = list(choose_parts([one]))
    assert [part.total.where for part in parts] == ["z", "u"]
    runs = [table(*tries("a"), totals=[Total(2, "x", run="r")]) for _ in range(2)]
    (part,) = choose_parts(runs)
    assert part.tables == runs and part.measure().missing == 0
    assert len(list(choose_parts([table(totals=totals[:1]), table(totals=totals[:1])]))) == 2


@pytest.mark.parametrize(
    "numbers, size, whole, filled",
    [
        ([0, 1], 2, False, [2, 3]),
        ([0, 2], 2, False, [1, 3]),
        ([1, 2], 2, False, [3, 4]),
        ([1, 3], 1, True, [2]),
        ([], 2, True, [0, 1]),
        ([], 2, False, []),
    ],
)
def test_numbers_of_missing_samples(numbers, size, whole, filled):
    rows = [dict(question="r", sample=0), *(dict(sample=number) for number in numbers)]
    part = Counted(Total(9, "x"), [table(*rows), Table()])
    assert list_taken(part).get(("t", "q"), set()) == set(numbers)
    made = list(fill_rows(part, {("t", "q"): size}, whole))
    assert [row["sample"] for _, row in made] == filled
    assert all(one is part.tables[0] and row["question"] == "q" for one, row in made)
    assert all((row["model"], row["task"]) == ("m", "t") for _, row in made)


@pytest.mark.parametrize(
    "missing, added, left_out",
    [("drop", 0, 1), ("wrong", 1, 0), ("right", 1, 0)],
)
def test_what_missing_samples_count_as(missing, added, left_out):
    total = Total(3, "x", questions=dict(a=2, b=1))
    made = table(*tries("a", "a"), totals=[total])
    ((coverage, logs),) = hold_totals([made], missing)
    assert logs == [made] and (coverage.missing, coverage.left_out) == (1, left_out)
    assert made.columns["question"] == ["a", "a"] + ["b"] * added
    assert made.columns["correct"] == [True, True] + [None] * added


@pytest.mark.parametrize(
    "placed, short, why, said",
    [
        (True, 1, "", "got 2 in a.json (1 missing)"),
        (True, 2, "", "got 2 in a.json (1 missing, 2 totals fail)"),
        (True, 1, "it crashed", "got 2 in a.json (1 missing: it crashed)"),
        (False, 1, "", "pass missing='drop', which leaves the missing ones out"),
    ],
)
def test_the_refusal_of_a_short_log(placed, short, why, said):
    coverage = Coverage("a.json", 3, 2, "x")
    told = str(short_total(coverage, Total(3, "x", why=why), placed, short))
    assert said in told and told.startswith("need 3 samples (x), got 2 in a.json")


@pytest.mark.parametrize(
    "missing, questions, said",
    [
        ("raise", dict(a=2, b=1), "got 2 in a.json (1 missing); "),
        ("raise", None, "got 2 in a.json (1 missing); "),
        ("wrong", None, "pass missing='drop', which leaves the missing ones out: nothing says"),
        ("right", None, "pass missing='drop', which leaves the missing ones out: nothing says"),
    ],
)
def test_totals_that_are_not_reached(missing, questions, said):
    short = table(*tries("a", "a"), totals=[Total(3, "x", questions=questions)])
    whole = table(*tries("a"), totals=[Total(1, "y")])
    with pytest.raises(ValueError) as error:
        hold_totals([short, whole], missing)
    assert said in str(error.value) and "totals fail" not in str(error.value)
    assert hold_totals([whole], missing)[0][0].missing == 0
    if questions is None:
        assert hold_totals([short], "drop")[0][0].left_out == 1


@pytest.mark.parametrize(
    "option, tasks, told",
    [
        ("score", ["t", "u"], True),
        ("score", ["t", "t", None], False),
        ("score", [None], False),
        ("grade", ["t", "u"], False),
    ],
)
def test_of_several_tasks_one_may_be_read(option, tasks, told):
    error = OptionError(option, "logs hold different scores")
    advise_tasks(error, tasks)
    assert ("of several tasks, task='t' or 'u' reads one" in str(error)) is told


# Folders.


def reader(name, judged):
    return SimpleNamespace(name=name, judged=judged)


@pytest.mark.parametrize(
    "readers, regraded, kept, weaker",
    [
        ([("a", True), ("a", False)], False, [0], [1]),
        ([("a", True), ("a", False)], True, [1], [0]),
        ([("a", True), ("b", False)], True, [1, 0], []),
        ([("a", False), ("a", False)], False, [0, 1], []),
        ([("a", True), ("a", True)], False, [0, 1], []),
        ([("a", True), ("a", True)], True, [0, 1], []),
    ],
)
def test_judged_samples_go_before_texts(readers, regraded, kept, weaker):
    logs = [Found(Path(f"{i}.json"), reader(*one), None) for i, one in enumerate(readers)]
    search = Search(list(logs))
    leave_weaker(search, regraded)
    assert search.logs == [logs[i] for i in kept]
    assert search.weaker == [logs[i].path for i in weaker]


def test_folders_of_packages_with_readers(tmp_path):
    assert not may_bring_readers(str(tmp_path / "none")) and not may_bring_readers(str(tmp_path))
    (tmp_path / "packed.zip").write_bytes(b"")
    assert may_bring_readers(str(tmp_path / "packed.zip"))
    (tmp_path / "x.dist-info").mkdir()
    (tmp_path / "x.dist-info/entry_points.txt").write_text("[console_scripts]\n")
    assert not may_bring_readers(str(tmp_path))
    (tmp_path / "x.dist-info/entry_points.txt").write_text("[sampling_eval.readers]\nx = y\n")
    assert may_bring_readers(str(tmp_path))
