"Battles function by function: what a winner means, which pairs met, which column is the prompt."

import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval.reading.battles import (
    PAIRS,
    SIDES,
    Battles,
    Columns,
    check_design,
    find_battles,
    list_readings,
    name_sides,
    read_winners,
    refuse_options,
    refuse_settings,
    take_battles,
    write_winner,
)
from sampling_eval.reading.columns import Batch, Source, batch_of
from sampling_eval.reading.counted import Policy
from sampling_eval.reading.options import Options
from sampling_eval.reading.values import tidy

NAN = float("nan")
COLUMNS = Columns("prompt", ("model_a", "model_b"), "winner", None)


def source(**columns):
    def take(chosen, keep):
        parts = {part: tidy(columns[column]) for part, column in chosen.items()}
        return batch_of(parts, lambda part, row: f"at row {row}")

    return Source(list(columns), take)


def batch(size):
    return Batch({}, np.ones(size), lambda part, row: f"at row {row}")


def test_names_of_sides():
    assert name_sides("model") == [
        ("model_a", "model_b"),
        ("model_1", "model_2"),
        ("modela", "modelb"),
        ("model1", "model2"),
    ]
    assert ("agent2", "agent1") not in PAIRS and ("response_a", "response_b") in SIDES


@pytest.mark.parametrize(
    "value, text",
    [(None, ""), (NAN, ""), (" x ", "x"), (1, "1"), (1.0, "1"), (1.5, "1.5"), ("10.0", "10"),
     ("-1.0", "-1.0"), ("v1.0", "v1.0")],
)
def test_a_winner_as_text(value, text):
    assert write_winner(value) == text


@pytest.mark.parametrize(
    "text, first, second, numbered, readings",
    [
        ("x", "x", "y", False, (1, None)),
        ("y", "x", "y", False, (0, None)),
        ("model_a", "x", "y", False, (None, 1)),
        ("Model B", "x", "y", False, (None, 0)),
        ("a", "b", "a", False, (0, 1)),
        ("left", "x", "y", False, (None, 1)),
        ("second", "x", "y", False, (None, 0)),
        ("1", "x", "y", True, (None, 1)),
        ("2", "x", "y", True, (None, 0)),
        ("1", "x", "y", False, (None, None)),
        ("1.5", "x", "y", True, (0.5, 0.5)),
        ("1.5", "x", "y", False, (None, None)),
        ("Tie (both bad)", "x", "y", False, (0.5, 0.5)),
        ("tie", "tie", "y", False, (1, 0.5)),
        ("tie", "x", "tie", False, (0, 0.5)),
        ("z", "x", "y", False, (None, None)),
    ],
)
def test_what_a_winner_means(text, first, second, numbered, readings):
    assert list_readings(text, first, second, numbered) == readings


def test_an_absent_winner_means_nothing():
    assert all(np.isnan(list_readings(None, "x", "y", False)))


@pytest.mark.parametrize(
    "won, first, second, want",
    [
        (["x", "y", "tie", None], "xxxx", "yyyy", [1, 0, 0.5, NAN]),
        ([1, 2, 1], "xxx", "yyy", [1, 0, 1]),
        ([1, 1.5, 2.0], "xxx", "yyy", [1, 0.5, 0]),
        # Of models a and b all winners may be names; only as sides each row has one.
        (["a", "a"], "ab", "ba", None),
        (["a", "a", "c"], "abc", "bad", [1, 0, 1]),
        (["a", "a", "model_b"], "abc", "bad", [1, 1, 0]),
        (["a", None], "bb", "aa", None),
        # Some rows have a name and some a side.
        (["x", "model_b", "tie"], "xxx", "yyy", [1, 0, 0.5]),
        (["model_b", "x", None], "xxx", "yyy", [0, 1, NAN]),
    ],
)
def test_winners_of_all_rows(won, first, second, want):
    if want is None:
        with pytest.raises(ValueError, match="may name a model or a column"):
            read_winners(COLUMNS, won, list(first), list(second), batch(len(won)))
        return
    found = read_winners(COLUMNS, won, list(first), list(second), batch(len(won)))
    assert np.array_equal(found, want, equal_nan=True)


@pytest.mark.parametrize(
    "won, first, second, said",
    [
        (["x", "x"], "xx", "yx", "got 'x' and 'x' at row 1 (1 of 2 fail)"),
        (["x"], [""], ["y"], "got '' and 'y' at row 0 (1 of 1 fail)"),
        (["x", "z", "w"], "xxx", "yyy", "got 'z' at row 1 (2 of 3 fail)"),
        ([1, 1], "xx", "yy", "of numbers only 1 and 2 are plain"),
        ([1, 0], "xx", "yy", "of numbers only 1 and 2 are plain"),
        ([2, 3], "xx", "yy", "of numbers only 1 and 2 are plain"),
    ],
)
def test_winners_that_are_none(won, first, second, said):
    with pytest.raises(ValueError) as error:
        read_winners(COLUMNS, won, list(first), list(second), batch(len(won)))
    assert said in str(error.value)
    assert ("of numbers" in str(error.value)) is any(isinstance(one, int) for one in won)


# Which pairs met on which prompts.


@pytest.mark.parametrize(
    "pairs, share, drop, reference, kept",
    [
        (["xy"], [[1, 0]], False, "", [True, True]),
        (["xy", "xz", "yz"], [[1, 0]] * 3, False, "", [True, True]),
        (["xy", "xz"], [[1, 0]] * 2, False, "x", [True, True]),
        (["xy", "yz"], [[1, 0]] * 2, False, "y", [True, True]),
        (["xy", "xz"], [[1, NAN], [1, 0]], True, "x", [True, False]),
        (["xy"], [[NAN, 0]], True, "", [False, True]),
    ],
)
def test_models_that_met_the_same_opponents(pairs, share, drop, reference, kept):
    names = sorted(set("".join(pairs)))
    found = check_design(names, list(map(tuple, pairs)), np.array(share), ["p", "q"], drop)
    assert (found[0], found[1].tolist()) == (reference, kept)


@pytest.mark.parametrize(
    "names, pairs, share, drop, said",
    [
        ("wxyz", ["wx", "xy", "yz"], [[1]] * 3, False, "got 3 of 6 pairs (none of 'w' and 'y')"),
        ("wxyz", ["wx", "wy"], [[1]] * 2, False, "got 2 of 6 pairs (none of 'w' and 'z')"),
        ("xy", ["xy"], [[1, NAN, NAN]], False, "no battle of 'x' and 'y' at 'q' (2 of 3 prompts"),
        ("xy", ["xy"], [[1, NAN, NAN]], False, "missing='drop' keeps the 1 that do; sparse"),
        ("xy", ["xy"], [[NAN]], True, "(1 of 1 prompts lack a pair); sparse battles"),
    ],
)
def test_models_that_did_not_meet(names, pairs, share, drop, said):
    with pytest.raises(ValueError) as error:
        check_design(list(names), list(map(tuple, pairs)), np.array(share), list("pqr"), drop)
    assert said in str(error.value)


# Columns.


def rows(**more):
    return source(**dict(prompt=["p", "q"], model_a=["x"] * 2, model_b=["y"] * 2, winner=["x"] * 2)
                  | more)


@pytest.mark.parametrize(
    "more, options, found",
    [
        ({}, {}, COLUMNS),
        (dict(judge=["j", "k"]), {}, COLUMNS._replace(judge="judge")),
        (dict(correct=[1, 0]), {}, None),
        (dict(score=[1, 0]), {}, None),
        (dict(correct=[1, 0]), dict(correct="winner"), COLUMNS),
        (dict(correct=[1, 0]), dict(correct="correct"), None),
        (dict(correct=[1, 0]), dict(ignore="correct"), COLUMNS),
        ({}, dict(correct=False), None),
        ({}, dict(question=False), None),
        ({}, dict(score="winner"), None),
        ({}, dict(grade="exact"), None),
        ({}, dict(ignore="winner"), None),
        ({}, dict(question="winner"), COLUMNS._replace(prompt="winner")),
        # Two columns that tell the same prompts apart are one.
        (dict(id=[1, 2]), {}, COLUMNS),
    ],
)
def test_columns_of_battles(more, options, found):
    assert find_battles([rows(**more)], Options.of(options)) == found


@pytest.mark.parametrize(
    "more, said",
    [
        (dict(id=[1, 1]), "got 'id', 'prompt'"),
        (dict(preferred=["x", "y"]), "ambiguous: 'winner' or 'preferred' could be the winner"),
    ],
)
def test_columns_that_are_asked_about(more, said):
    with pytest.raises(ValueError) as error:
        find_battles([rows(**more)], Options.of({}))
    assert said in str(error.value) or said.replace("'id', 'prompt'", "'prompt', 'id'") in str(
        error.value
    )


@pytest.mark.parametrize(
    "given, name",
    [
        (dict(threshold=0.5), "threshold"),
        (dict(samples_per_question=2), "samples_per_question"),
        (dict(scale=(0, 1)), "scale"),
        (dict(by="topic", question="q", missing="drop"), None),
        (dict(sample="s", answer="a"), "answer"),
    ],
)
def test_options_of_battles(given, name):
    options = Options.of(given)
    if name is None:
        assert refuse_options(options) is None
        return
    with pytest.raises(ValueError, match=f"takes no {name}="):
        refuse_options(options)


def take(policy="raise", **columns):
    return take_battles([source(**columns)], COLUMNS, Options(policy=Policy(policy)))


def test_shares_in_both_orders():
    found, table, _, note = take(
        prompt=["p", "p", "p", "q"],
        model_a=["x", "y", "x", "x"],
        model_b=["y", "x", "y", "y"],
        winner=["x", "x", "tie", "y"],
    )
    assert found.pairs == (("x", "y"),) and found.share.tolist() == [[2.5 / 3, 0]]
    assert found.judgements.tolist() == [[3, 1]] and found.even.tolist() == [[False, False]]
    # Shown first x has 3/4 of two battles, shown second all of one.
    assert found.order[0, 0] == 0.75 - 1 and np.isnan(found.order[0, 1])
    assert (found.ties, found.judges, found.reference, found.alone) == (1, 0, "", True)
    assert table["winner"].tolist() == [2.5 / 3, 0, 1 - 2.5 / 3, 1]
    assert (note.count, note.total) == (4, 0)


CARRIED = dict(
    prompt=["p", "q", "p", "q", "p"],
    model_a=["x", "y", "x", "x", "y"],
    model_b=["y", "x", "y", "y", "x"],
    winner=["x", "y", "y", "tie", "y"],
    topic=[None, "t", "s", "t", "s"],
)


def test_what_a_prompt_has_goes_with_it():
    "On p x wins one of three, on q it loses and ties; shown first it has 1/2 of both."
    options = Options.of(dict(by="topic", ignore="turn"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, table, told, note = take_battles([source(**CARRIED)], COLUMNS, options)
    assert found.share.tolist() == [[pytest.approx(1 / 3), 0.25]] and found.ties == 1
    assert found.judgements.tolist() == [[3, 2]] and found.even.tolist() == [[False, True]]
    assert found.order.tolist() == [[0.5, 0.5]] and (note.count, note.total) == (5, 0)
    assert list(table) == ["prompt", "model_a and model_b", "winner", "topic"]
    assert table["topic"].tolist() == ["s", "t", "s", "t"]
    assert table["prompt"].tolist() == ["p", "q"] * 2
    assert table["model_a and model_b"].tolist() == ["x", "x", "y", "y"]
    assert table["winner"] == pytest.approx([1 / 3, 0.25, 2 / 3, 0.75])
    parts = dict(question="prompt", model="model_a and model_b", score="winner", group="topic")
    assert told.columns == dict(correct=False, sample=False, answer=False) | parts
    assert told.ignore == ()


def test_what_some_rows_of_a_prompt_do_not_say_is_told_by_the_others():
    "In any order of the rows."
    options = Options.of(dict(by="topic", ignore="turn"))
    for topics in (["s", "t", None, "t", "s"], ["s", None, "s", "t", None]):
        _, table, *_ = take_battles([source(**CARRIED | dict(topic=topics))], COLUMNS, options)
        assert table["topic"].tolist() == ["s", "t", "s", "t"]


@pytest.mark.parametrize("option, name", [("by", "by"), ("cluster", "cluster")])
def test_a_prompt_has_one_value(option, name):
    columns = CARRIED | dict(topic=["s", "t", "u", "t", "s"])
    with pytest.raises(ValueError) as error:
        take_battles([source(**columns)], COLUMNS, Options.of({option: "topic"}))
    said = "'topic' must have one value for each prompt, got 's' and 'u' at 'p'"
    assert str(error.value) == said and error.value.option == name


def test_prompts_that_lack_a_pair_take_what_they_have_along():
    pairs = [("x", "y"), ("x", "z"), ("y", "z")]
    battles = [(q, *pair) for q in "pqr" for pair in pairs if (q, pair) != ("q", pairs[1])]
    prompt, first, second = map(list, zip(*battles))
    made = source(prompt=prompt, model_a=first, model_b=second, winner=first, topic=prompt)
    options = Options.of(dict(by="topic", missing="drop"))
    found, table, _, note = take_battles([made], COLUMNS, options)
    assert (note.count, note.total) == (6, 1) and found.models == ["x", "y", "z"]
    assert table["prompt"].tolist() == ["p", "r"] * 3 == table["topic"].tolist()
    assert table["winner"].tolist() == [1, 1, 0.5, 0.5, 0, 0]


def test_judges_are_counted():
    made = source(**CARRIED | dict(judge=["j", "k", "j", "j", "j"]))
    columns = COLUMNS._replace(judge="judge")
    assert take_battles([made], columns, Options())[0].judges == 2


def test_battles_without_a_winner_may_be_left_out():
    columns = dict(prompt=["p", "q"], model_a=["x"] * 2, model_b=["y"] * 2, winner=["x", None])
    with pytest.raises(ValueError, match=r"got none at row 1 \(1 of 2 fail\)"):
        take(**columns)
    found, _, _, note = take("drop", **columns)
    assert found.share.tolist() == [[1]] and note.total == 1
    with pytest.raises(ValueError, match=r"\(2 of 2 fail\)"):
        take("drop", **columns | dict(winner=[None, None]))


def test_a_reference_stands_second():
    found, *_ = take(
        prompt=["p"] * 2, model_a=["r", "r"], model_b=["x", "y"], winner=["r", "y"]
    )
    assert found.reference == "r" and found.pairs == (("x", "r"), ("y", "r"))
    assert found.models == ["x", "y"] and found.share.tolist() == [[0], [1]]
    assert found.mean_share("y").tolist() == [1]


def test_the_mean_over_opponents():
    shares = np.array([[1.0], [0.5], [0.25]])
    ones = np.ones((3, 1))
    pairs = ("x", "y"), ("x", "z"), ("y", "z")
    found = Battles(pairs, shares, ones, ones, ones, 0, 0)
    assert [found.mean_share(name).tolist() for name in "xyz"] == [
        [(1 + 0.5) / 2],
        [(0 + 0.25) / 2],
        [(0.5 + 0.75) / 2],
    ]


@pytest.mark.parametrize(
    "values, asked",
    [
        ([1, 2] * 40, True),
        ([1] * 80, False),
        (list(range(80)), False),
        (["a" * 40, "b"] * 40, True),
        (["a" * 41, "b"] * 40, False),
    ],
)
def test_columns_that_tell_battles_apart_by_design(values, asked):
    prompts = [f"p{q}" for q in range(40) for _ in range(2)]
    made = source(prompt=prompts, model_a=["x"] * 80, model_b=["y"] * 80, winner=["x", "y"] * 40,
                  turn=values)
    parts = {"question": prompts, "look first": ["x"] * 80, "look second": ["y"] * 80}
    held = SimpleNamespace(parts={name: tidy(column) for name, column in parts.items()})
    if not asked:
        assert refuse_settings([made], COLUMNS, Options(), held) is None
        return
    with pytest.raises(ValueError, match="column 'turn' takes the same values"):
        refuse_settings([made], COLUMNS, Options(), held)
    assert refuse_settings([made], COLUMNS, Options(ignore=("turn",)), held) is None


@pytest.mark.parametrize(
    "name, asked",
    [("seed", False), ("attempt_no", False), ("latency_ms", False), ("category", False),
     ("prompt_text", False), ("language", True), ("max_tokens", True)],
)
def test_columns_that_tell_battles_apart_by_their_names(name, asked):
    prompts = [f"p{q}" for q in range(40) for _ in range(2)]
    columns = dict(prompt=prompts, model_a=["x"] * 80, model_b=["y"] * 80)
    made = source(**columns, winner=["x", "y"] * 40, **{name: [1, 2] * 40})
    names = zip(("question", "look first", "look second"), columns.values())
    held = SimpleNamespace(parts={part: tidy(column) for part, column in names})
    if not asked:
        assert refuse_settings([made], COLUMNS, Options(), held) is None
        return
    with pytest.raises(ValueError, match=f"column '{name}' takes the same values"):
        refuse_settings([made], COLUMNS, Options(), held)


@pytest.mark.parametrize("kinds, asked", [(50, True), (51, False)])
def test_as_many_values_as_tell_battles_apart(kinds, asked):
    prompts = [f"p{q}" for q in range(20) for _ in range(kinds)]
    size = len(prompts)
    columns = dict(prompt=prompts, model_a=["x"] * size, model_b=["y"] * size)
    made = source(**columns, winner=["x"] * size, turn=list(range(kinds)) * 20)
    names = zip(("question", "look first", "look second"), columns.values())
    held = SimpleNamespace(parts={name: tidy(column) for name, column in names})
    if not asked:
        assert refuse_settings([made], COLUMNS, Options(), held) is None
        return
    with pytest.raises(ValueError, match="column 'turn' takes the same values"):
        refuse_settings([made], COLUMNS, Options(), held)
