"""What is counted by an engine, function by function: outcomes unfolded from sums and sets of bits,
which columns are keys, single scores, and sets of samples that are 0..n-1."""

import duckdb
import numpy as np
import pytest

from sampling_eval.reading.columns import Batch, Keep
from sampling_eval.reading.duckdb import engine
from sampling_eval.reading.duckdb.engine import (
    as_floats,
    batches_source,
    choose_keys,
    choose_sums,
    count_by_bits,
    count_by_sum,
    count_scans,
    find_odd,
    find_sides,
    hold_lists,
    join_words,
    keeps_scores,
    list_parts,
    name_pairs,
    read_word,
    relation_source,
    restore_name,
    see_head,
    see_whole,
    spell_side,
    stored_sources,
    unfold_bits,
    unfold_outcomes,
)
from sampling_eval.reading.duckdb.scans import scan_relation
from sampling_eval.reading.duckdb.sql import ask
from sampling_eval.reading.values import tidy


def scan(**columns):
    "The scan of a relation with some columns."
    import pyarrow as pa

    return scan_relation(duckdb.from_arrow(pa.table(columns)))


# Outcomes from sums and from sets of bits.


def test_right_and_wrong_rows_of_each_group():
    table = dict(
        question=np.array(["a", "b", "c"]),
        times=np.array([3, 2, 2]),
        right=np.array([2.0, 0.0, 2.0]),
        marks=np.array([10.0, 20.0, 30.0]),
    )
    found = unfold_outcomes(table, ("true", "false"))
    assert found["question"].tolist() == ["a", "a", "b", "c"]
    assert found["times"].tolist() == [2, 1, 2, 2]
    assert found["correct"].tolist() == ["true", "false", "false", "true"]
    # The sum of the hashes of a group stays with its first row.
    assert found["marks"].tolist() == [10, 0, 20, 30]


@pytest.mark.parametrize("seed", range(5))
def test_right_wrong_and_missing_rows_by_listing(seed):
    rng = np.random.default_rng(seed)
    sets, want = np.zeros((2, 4, 3), np.int64), []
    for q in range(4):
        for side in range(3):
            held = [int(i) for i in np.flatnonzero(rng.random(156) < 0.02) if i % 3 == side]
            bits = [sum(1 << i - 52 * w for i in held if i // 52 == w) for w in range(3)]
            # Missing samples may be right and may be wrong.
            for at in ([0], [1], [0, 1])[side]:
                sets[at, q] |= bits
            if held:
                want.append((q, [1, 0, None][side], len(held), bits))
    table = dict(question=np.arange(4), times=np.zeros(4))
    found = unfold_bits(table, *sets, (1, 0))
    rows = zip(
        found["question"].tolist(),
        found["correct"].tolist(),
        found["times"].tolist(),
        map(list, zip(*(found[f"draws{i}"].tolist() for i in range(3)))),
    )
    assert list(rows) == want


@pytest.mark.parametrize(
    "numbers, fits",
    [
        ([0, 1, 2], True),
        ([0, 51, 52], True),
        ([61, 0, 1], True),
        ([62, 0, 1], True),
        ([125, 0, 1], True),
        ([126, 0, 1], False),
        ([-1, 0, 1], False),
        ([0, 1, 1], False),
        ([0, 1, None], False),
    ],
)
def test_samples_as_sets_of_bits(numbers, fits):
    made = scan(q=["a"] * 3, s=numbers, c=[1, 0, None])
    chosen = dict(question="q", sample="s", correct="c")
    keys = dict(question=engine.key_cell("question", made.cell("q"), made.kind("q")))
    found = count_by_bits(made, chosen, keys, (1, 0))
    assert (found is not None) is fits
    if fits:
        assert found["times"].tolist() == [1, 1, 1] and found["correct"].tolist() == [1, 0, None]
        bits = [
            next(52 * i + int(found[f"draws{i}"][row]).bit_length() - 1 for i in range(3)
                 if found[f"draws{i}"][row])
            for row in range(3)
        ]
        assert bits == numbers


@pytest.mark.parametrize(
    "outcomes, right",
    [([1, 0, 1, 0], [1, 1]), ([1, 1, 0, 0], [0, 2]), ([2, 0, 1, 0], None), ([1, 2, 1, 0], None),
     ([None, 0, 1, 0], None)],
)
def test_outcomes_added_up(outcomes, right):
    made = scan(q=["a", "a", "b", "b"], c=outcomes)
    keys = dict(question=engine.key_cell("question", made.cell("q"), made.kind("q")))
    found = count_by_sum(made, dict(question="q", correct="c"), keys, {}, (1, 0))
    assert (found is None) is (right is None)
    if right:
        rows = zip(found["question"], found["correct"], found["times"])
        held = {(q, c): int(times) for q, c, times in rows}
        assert sorted(held.get((q, 1), 0) for q in "ab") == right and sum(held.values()) == 4


@pytest.mark.parametrize(
    "word, want",
    [
        (np.array([3, 4], np.int64), [3, 4]),
        (np.array([3, None], object), [3, 0]),
        (np.array([3.0, np.nan]), [3, 0]),
        (np.array([2.0**70, 1]), [2**62, 1]),
        (np.ma.masked_array([3.0, 5.0], [False, False]), [3, 5]),
    ],
)
def test_sets_as_whole_numbers(word, want):
    found = read_word(word)
    assert found.tolist() == want and found.dtype == np.int64
    assert join_words([word, word]).tolist() == [[one, one] for one in want]


def test_masked_numbers_are_not_a_number():
    found = as_floats(np.ma.masked_array([3, 5], [False, True]))
    assert found[0] == 3 and np.isnan(found[1]) and not np.ma.isMaskedArray(found)


@pytest.mark.parametrize(
    "side, sql", [(True, "true"), (False, "false"), (1, "1"), ("true", "'true'"), ("1", "'1'")]
)
def test_sides_in_sql(side, sql):
    assert spell_side(side) == sql


@pytest.mark.parametrize(
    "values, sides",
    [
        ([1, 0], (1, 0)),
        ([1.0, 0.0], (1, 0)),
        ([True, False], (True, False)),
        (["right", "wrong"], None),
    ],
)
def test_sides_of_a_column(values, sides):
    assert find_sides(scan(c=values), "c") == sides


@pytest.mark.parametrize(
    "cells, sides",
    [
        (["1", "0", ""], ("1", "0")),
        (["1.0", ""], ("1.0", "0.0")),
        (["True", "False"], ("True", "False")),
        (["true", "True"], None),
        (["", ""], None),
        (["1", "2"], None),
    ],
)
def test_sides_of_text_of_a_csv_file(cells, sides, tmp_path):
    (path := tmp_path / "a.csv").write_text("q,c\n" + "".join(f"a,{one}\n" for one in cells))
    (made,) = engine.scan_files(engine.open_files([str(path)]), [str(path)])
    assert made.kind("c") == "CSV TEXT" and find_sides(made, "c") == sides


# What is a key, and what is added up.

ALL = dict(question="q", answer="a", correct="c", score="s", model="m", sample="i")


@pytest.mark.parametrize(
    "answers, single, parts",
    [
        (True, True, ["model", "question", "correct", "answer", "score"]),
        (False, True, ["model", "question", "correct", "score"]),
        (True, False, ["model", "question", "correct", "answer"]),
        (False, False, ["model", "question", "correct"]),
    ],
)
def test_parts_whose_equal_values_are_counted(answers, single, parts):
    assert list_parts(ALL, Keep(answers=answers), single) == parts


@pytest.mark.parametrize(
    "parts, keep, single, keys, sums",
    [
        ("question correct", {}, False, ["question", "correct"], []),
        ("question score", {}, True, ["question", "score"], []),
        ("question score", {}, False, ["question", "unscored"], ["total", "scored"]),
        (
            "question score",
            dict(threshold=0.5),
            False,
            ["question", "correct"],
            ["total", "scored"],
        ),
        (
            "question correct score",
            dict(threshold=0.5),
            False,
            ["question", "correct"],
            ["total", "scored"],
        ),
        ("question correct sample", {}, False, ["question", "correct"], ["marks"]),
        (
            "question correct sample",
            dict(draws=True),
            False,
            ["question", "correct"],
            ["marks", "draws0", "draws1", "draws2"],
        ),
        (
            "question correct sample",
            dict(runs=True),
            False,
            ["question", "correct"],
            ["marks", "draws0", "draws1", "draws2"],
        ),
    ],
)
def test_keys_and_sums(parts, keep, single, keys, sums):
    made = scan(question=["a"], correct=[1], score=[0.5], sample=[0])
    chosen = {part: part for part in parts.split()}
    assert list(choose_keys(made, chosen, Keep(**keep), single)) == keys
    assert list(choose_sums(made, chosen, Keep(**keep), single)) == sums


@pytest.mark.parametrize("scores, threshold, correct, few, kept", [
    (None, None, False, True, True),
    (None, None, False, False, False),
    (True, None, False, False, True),
    # Scores that may turn out to be outcomes are looked at.
    (False, None, False, True, True),
    (False, None, False, False, False),
    (False, 0.5, False, True, False),
    (False, None, True, True, False),
    (None, 0.5, False, True, True),
])
def test_whether_single_scores_are_kept(scores, threshold, correct, few, kept, monkeypatch):
    monkeypatch.setattr(engine, "FEW", 2 if few else 1)
    made = scan(q=["a", "b"], s=[0.5, 0.25], c=[1, 0])
    chosen = dict(question="q", score="s") | (dict(correct="c") if correct else {})
    keep = Keep(scores=scores, threshold=threshold)
    assert keeps_scores([made, made], [chosen, dict(question="q")], keep) is kept


def test_costs_are_added_up_where_they_are_known():
    import pyarrow as pa

    table = dict(q=["a", "a", "b", "b", "c"], c=[1, 1, 0, 0, 1], usd=[1.0, None, 2.0, 3.0, -1.0])
    source = relation_source(duckdb.from_arrow(pa.table(table)), "x")
    chosen = {"question": "q", "correct": "c", "sum usd": "usd"}
    plain = source.take(chosen, Keep())
    order = np.argsort(plain.parts["question"])
    assert str(plain.added["sum usd"][order].tolist()) == "[nan, 5.0, -1.0]"
    costs = source.take(chosen, Keep(costs=("usd",)))
    order = np.argsort(costs.parts["question"])
    assert costs.added["sum usd"][order].tolist() == [1, 5, -np.inf]
    (known,) = set(costs.added) - {"sum usd"}
    assert costs.added[known][order].tolist() == [1, 2, 1]


# Samples that are 0..n-1 or 1..n.


def marks_of(*numbers):
    listed = ", ".join(f"({number})" for number in numbers)
    query = f"SELECT sum((hash(i::BIGINT) >> 24)::DOUBLE) FROM (VALUES {listed}) t(i)"
    return float(ask(query).fetchone()[0])


@pytest.mark.parametrize(
    "groups, odd",
    [
        ([(0,), (1,), (0, 1), (1, 2), (0, 1, 2), (1, 2, 3)], []),
        ([(0, 1), (0, 2), (1, 2)], [1]),
        ([(2,), (0,), (2,), (5,)], [0, 3]),
        ([(0, 1, 1), (0, 2)], [1, 0]),
        ([(3, 4)], [0]),
    ],
)
def test_one_group_of_each_kind_that_is_odd(groups, odd):
    times = np.array([len(own) for own in groups])
    marks = np.array([marks_of(*own) for own in groups])
    assert sorted(find_odd(times, marks, "BIGINT").tolist()) == sorted(odd)


def batch(**parts):
    return Batch(
        {part: tidy(values) for part, values in parts.items()},
        np.ones(len(next(iter(parts.values())))),
        lambda part, row: "",
    )


@pytest.mark.parametrize(
    "questions, named",
    [
        (["a", "b"], [("m", "a"), ("n", "b")]),
        ([1, 20], [("m", "1"), ("n", "20")]),
        ([1.5, 2.5], None),
        ([True, False], None),
    ],
)
def test_names_that_an_engine_writes_alike(questions, named):
    made = batch(model=["m", "n"], question=questions, sample=[0, 1])
    assert name_pairs(made, np.array([0, 1])) == named
    if named:
        assert name_pairs(made, np.array([1])) == named[1:]


def test_names_as_they_were_read():
    made = batch(question=[1, 20])
    assert restore_name(made, "question", "20") == 20 and restore_name(made, "question", "x") == "x"
    assert restore_name(made, "sample", "7") == 7 and restore_name(made, "sample", "07x") == "07x"


@pytest.mark.parametrize(
    "samples, said",
    [
        ([0, 1, 0, 1], None),
        ([5, 9, 5, 9], None),
        ([5, 5, 0, 1], "got question 'a', sample 5 at row 0 and again at row 1 (1 row repeats)"),
        ([0, 1, 7, 7], "got question 'b', sample 7 at row 2 and again at row 3 (1 row repeats)"),
    ],
)
@pytest.mark.parametrize("exact, kinds", [(8192, 64), (1, 64), (8192, 0)])
def test_a_sample_that_appears_twice(samples, said, exact, kinds, monkeypatch):
    monkeypatch.setattr(engine, "EXACT", exact)
    monkeypatch.setattr(engine, "KINDS", kinds)
    made = scan(q=list("aabb"), s=samples, c=[1, 0, 1, 0])
    found = count_scans([made], dict(question="q", sample="s", correct="c"), Keep())
    names = sorted(set(found.parts["question"].tolist()))
    pair = np.array([names.index(name) for name in found.parts["question"].tolist()])
    if said is None:
        assert found.check_repeats(pair, found) is None
        return
    with pytest.raises(ValueError) as error:
        found.check_repeats(pair, found)
    assert said in str(error.value)


# Heads, lists and small files.


def test_first_rows_of_each_file(tmp_path):
    files = []
    for name in "ab":
        (path := tmp_path / f"{name}.csv").write_text("q,c\n" + f"{name},1\n" * 50)
        files.append(str(path))
    scans = engine.scan_files(engine.open_files(files), files)
    found = see_head(scans, ["q", "none"], 10)
    assert found["q"].tolist() == ["a"] * 5 + ["b"] * 5 and found["none"].tolist() == [None] * 10


@pytest.mark.parametrize(
    "cells, lists",
    [(["[1, 0]", "x"], True), (["", "[1, 0]"], True), (["x", "[1, 0]"], False), (["", ""], False)],
)
def test_the_first_cell_that_is_there_is_a_list(cells, lists, tmp_path):
    lines = "".join(f'a,"{one}"\n' for one in cells)
    (path := tmp_path / "a.csv").write_text("q,c\n" + lines)
    scans = engine.scan_files(engine.open_files([str(path)]), [str(path)])
    assert hold_lists(scans, "c") is lists and hold_lists(scans, "none") is False
    assert hold_lists([scan(c=[[1, 0]])], "c") is True and hold_lists([scan(c=[1])], "c") is False


def test_small_files_in_their_order(tmp_path):
    (path := tmp_path / "a.csv").write_text("q,c\nb,1\na,0\n")
    (source,) = stored_sources([str(path)])
    found = source.take(dict(question="q", correct="c"), Keep())
    assert found.parts["question"].tolist() == ["b", "a"] and found.times.tolist() == [1, 1]
    assert found.place("question", 1) == "at row 2 of a.csv"


def test_batches_of_arrow_are_held():
    import pyarrow as pa

    table = pa.table(dict(q=["a", "a", "b"], c=[1, 1, 0]))
    source = batches_source(table.slice(0, 0), [table.slice(0, 2), table.slice(2)], "x")
    found = source.take(dict(question="q", correct="c"), Keep())
    assert sorted(zip(found.parts["question"].tolist(), found.times.tolist())) == [
        ("a", 2),
        ("b", 1),
    ]


# Rows that are asked for once more.


@pytest.mark.parametrize(
    "questions, names, kept",
    [
        (["a", "b", "a"], ["a"], [0, 2]),
        (["a", "b", "a'c"], ["a'c", "x"], [2]),
        ([1, 2, 10], ["1", 10], [0, 2]),
        ([1, 2, 10], ["1", "x"], [0]),
        ([1.5, 2.0, 10.0], ["1.5", "2.0"], [0, 1]),
        (["a", None, "b"], ["b"], [2]),
        (["a", "b", "c"], ["x"], []),
    ],
    ids=str,
)
def test_all_rows_of_some_questions(questions, names, kept):
    made = scan(q=questions, c=[5, 6, 7])
    found = see_whole([made], ["c", "none"], "q", names)
    assert found["c"].tolist() == [5 + place for place in kept]
    assert found["none"].tolist() == [None] * len(kept)


def test_questions_of_scans_of_which_one_has_no_such_column():
    one, two = scan(q=["a", "b"], c=[1, 0]), scan(q=["a", "a"], d=["x", "y"])
    found = see_whole([one, two], ["c", "d"], "q", ["a"])
    assert found["c"].tolist() == [1, None, None] and found["d"].tolist() == [None, "x", "y"]


def ask_cells(made, expression, *columns):
    return [row[0] for row in made.read(columns, None).project(expression).fetchall()]


@pytest.mark.parametrize(
    "column, cells, states",
    [
        ("error", ["", "None", '"null"', "NaN", "{}", None, "boom", " Timeout ", "1"],
         [None] * 6 + ["error"] * 3),
        ("Error Type", [False, True], [None, "error"]),
        ("status", [" Failed ", '"OK"', "", None], ["failed", "ok", "", None]),
    ],
)
def test_states_of_tries(column, cells, states):
    made = scan(**{column: cells})
    assert ask_cells(made, engine.state_cell(made, column), column) == states


@pytest.mark.parametrize(
    "outcomes, other",
    [([1, 0, 100], 100), ([100.0, 0.0, None], 100), ([1, 0, 100, 50], 2), ([0.5, 100.0], 2)],
)
def test_whether_outcomes_are_percentages(outcomes, other):
    assert engine.find_other(scan(c=outcomes), "c") == other


def test_where_a_value_stands_first():
    made = scan(q=["b", None, "a", "b"], c=[1, 0, None, 0], s=[0.5, 0.5, 0.25, 0.25])
    chosen = dict(question="q", correct="c", score="s")
    found = count_scans([made], chosen, Keep())
    rows = list(zip(found.parts["question"].tolist(), found.parts["correct"].tolist()))
    places = {rows[i]: (found.place("question", i), found.place("correct", i)) for i in range(4)}
    assert found.place("model", 0) == ""
    by_question = {question: where for (question, _), (where, _) in places.items()}
    assert by_question == {"b": "at row 0", None: "at row 1", "a": "at row 2"}
    by_outcome = {c if c in (0, 1) else None: where for (_, c), (_, where) in places.items()}
    assert by_outcome == {1: "at row 0", 0: "at row 1", None: "at row 2"}


@pytest.mark.parametrize(
    "samples, said",
    [
        ([0, 1, None, None], "got none at row 2 (2 of 4 fail)"),
        (["x", None, "y", "z"], "got none at row 1 (1 of 4 fail)"),
    ],
)
def test_rows_without_the_name_of_a_sample(samples, said):
    made = scan(q=list("aabb"), s=samples, c=[1, 0, 1, 0])
    found = count_scans([made], dict(question="q", sample="s", correct="c"), Keep())
    names = found.parts["question"].tolist()
    pair = np.array([sorted(set(names)).index(name) for name in names])
    with pytest.raises(ValueError) as error:
        found.check_repeats(pair, found)
    assert str(error.value) == f"every row needs a sample, {said}"


@pytest.mark.parametrize("shown", [1000, 1])
def test_repeats_are_counted_in_all(shown, monkeypatch):
    "The first of them is named with both places; the others are counted."
    monkeypatch.setattr(engine, "SHOWN", shown)
    one = scan(q=list("aabb"), s=[7, 8, 9, 7], c=[1, 0, 1, 0])
    two = scan(q=list("bbab"), s=[9, 9, 5, 8], c=[1, 1, 0, 0])
    chosen = dict(question="q", sample="s", correct="c")
    found = count_scans([one, two], chosen, Keep())
    names = found.parts["question"].tolist()
    pair = np.array(["ab".index(name) for name in names])
    with pytest.raises(ValueError) as error:
        found.check_repeats(pair, found)
    assert "got question 'b', sample 9 at row 2 and again at row 0 (2 rows repeat)" in str(
        error.value
    )


def test_sums_of_other_columns():
    "A sum is known where every cell is; text and an infinity are refused by name."
    made = scan(q=["a", "a", "b", "b"], c=[1, 1, 0, 0], t=[1.5, 2.5, None, 1.0])
    chosen = {"question": "q", "correct": "c", "sum t": "t"}
    found = count_scans([made], chosen, Keep())
    order = np.argsort(found.parts["question"])
    assert str(found.added["sum t"][order].tolist()) == "[4.0, nan]"
    for cells, said in (
        ([1.0, float("inf"), 2.0, float("-inf")], "t must be finite, got inf at row 1 (2 of 4"),
        (["1", "2", None, "x"], "t must hold numbers, got '1' at row 0"),
    ):
        with pytest.raises((ValueError, TypeError)) as error:
            count_scans([scan(q=list("aabb"), c=[1] * 4, t=cells)], chosen, Keep())
        assert str(error.value).startswith(said)


def test_first_rows_of_a_relation():
    found = see_head([scan(q=list("abcd"), c=[1, 0, 1, 0])], ["c", "q"], 3)
    assert found["q"].tolist() == ["a", "b", "c"] and found["c"].tolist() == [1, 0, 1]
    only = see_head([scan(q=list("ab"))], ["none"], 5)
    assert only["none"].tolist() == [None, None]


@pytest.mark.parametrize(
    "cells, lists",
    [
        (["[1, 0]"], True),
        (["x", "[1, 0]"], False),
        (["", None, "null", "[1, 0]"], True),
        ([None], False),
        ([1], False),
        ([[1], None], True),
    ],
    ids=str,
)
def test_the_first_cell_of_a_relation_is_a_list(cells, lists):
    made = scan(c=cells)
    assert hold_lists([made], "c") is lists
    assert hold_lists([scan(d=[5]), scan(c=[""]), made], "c") is lists


@pytest.mark.parametrize(
    "lines, numbers",
    [
        (["", "TRUE", "false", "1"], [None, 1, 0, np.inf]),
        (["", "1.5", "true"], [None, 1.5, np.inf]),
        (["0.5", "", "2"], [0.5, None, 2]),
        (["", ""], [None, None]),
    ],
    ids=str,
)
def test_text_of_a_csv_file_as_numbers(lines, numbers, tmp_path):
    "In a column that starts with true or false these are 1 and 0, and nothing else is a number."
    (path := tmp_path / "a.csv").write_text("q,c\n" + "".join(f"a,{one}\n" for one in lines))
    con = engine.open_files([str(path)])
    con.execute("SET preserve_insertion_order=true")
    (made,) = engine.scan_files(con, [str(path)])
    assert ask_cells(made, engine.sum_cell(made, "c"), "c") == numbers


def test_the_samples_behind_counted_rows():
    one = scan(q=list("aab"), s=[0, 1, 0], c=[1, 0, 1])
    two = scan(q=list("ba"), s=[7, 5], c=[1, 1])
    found = count_scans([one, two], dict(question="q", sample="s", correct="c"), Keep())
    names = found.parts["question"].tolist()

    def listed(some):
        rows, ids = found.list_samples(found, some)
        return sorted((names[row], str(id)) for row, id in zip(rows.tolist(), ids.tolist()))

    assert {question for question, _ in listed(None)} == {"a", "b"}
    only_b = np.array([i for i, name in enumerate(names) if name == "b"])
    assert {id for question, id in listed(only_b)} == {"0", "7"}
    assert {question for question, _ in listed(only_b)} == {"b"}
