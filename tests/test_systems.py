"Systems in one or several inputs, and the questions they share."
import numpy as np
import pytest

from sampling_eval.foundations.counts import Counts
from sampling_eval.reading.options import Options
from sampling_eval.verbs.systems import align_systems, cut_counts, find_groups, load_systems, name_systems, pick_model

TWO = dict(A=Counts([4, 4, 4], [0, 1, 2], ["p", "q", "r"]), B=Counts([8, 8], [6, 7], ["r", "q"]))
SEVERAL = [dict(model=m, question=q, correct=1) for m in "xy" for q in range(2)]


def load(*inputs, models=None): return load_systems(inputs, Options.of({}), models)


def test_inputs_without_names_are_letters():
    found = load([[1, 0], [1, 1]], [[1, 1, 1], [0, 0, 1]])
    assert {name: (side.n.tolist(), side.c.tolist()) for name, side in found.counts.items()} == {
        "A": ([2, 2], [1, 2]), "B": ([3, 3], [3, 1])}
    assert found.read == "A: no sample missing. B: no sample missing."


def test_models_of_one_input():
    assert list(load(SEVERAL).counts) == ["x", "y"] and list(load(SEVERAL, models="y").counts) == ["y"]
    assert list(load(SEVERAL, models=["y", "x"]).counts) == ["y", "x"]
    with pytest.raises(ValueError, match=r"models must name a model of the data \('x', 'y'\), got 'z'"): load(SEVERAL, models="z")


def test_one_model_of_each_input():
    assert list(load(SEVERAL, SEVERAL, models=["x", "y"]).counts) == ["x", "y"]
    with pytest.raises(ValueError, match=r"models must name one model per input \(2\), got 1"): load(SEVERAL, SEVERAL, models=["x"])
    with pytest.raises(ValueError, match="B must hold one model, got 2"): load([[1], [0]], SEVERAL)


def test_a_name_is_the_first_kind_that_tells_systems_apart():
    assert name_systems(["m", "n"], ["a.csv", "b.csv"]) == ["m", "n"]
    assert name_systems(["m", "m"], ["a.csv", "b.csv"]) == ["a.csv", "b.csv"]
    assert name_systems(["", ""], ["", "b.csv"], ["A", "B"]) == ["A", "B"]


def test_the_list_of_models_is_short():
    with pytest.raises(ValueError, match=r"got 7 \('0', '1', '2', '3', '4', \.\.\.\)"):
        pick_model({str(i): None for i in range(7)}, None, "the data")


def test_common_questions_in_the_order_of_the_first():
    found = align_systems(TWO, "drop")
    assert found.questions.tolist() == ["q", "r"] and found.rows == [1, 2]
    assert found.sides["A"].c.tolist() == [1, 2] and found.sides["B"].c.tolist() == [7, 6]
    assert found.said == "2 in both, 1 only in A ('p'), 0 only in B"
    with pytest.raises(ValueError, match="must cover the same questions"): align_systems(TWO)


def test_names_beside_letters_in_the_refusal():
    with pytest.raises(ValueError, match=r"\(A is 'old', B is 'new'\)$"): align_systems(dict(old=TWO["A"], new=TWO["B"]))


def test_three_systems_share_the_questions_of_all():
    third = Counts([4, 4, 4], [1, 1, 1], ["r", "s", "q"])
    found = align_systems(TWO | dict(C=third), "drop")
    assert found.said == "2 in all 3, 2 left out" and found.sides["C"].questions.tolist() == ["q", "r"]


def test_counts_cut_to_some_questions_keep_everything_else():
    whole = Counts([4, 5, 6], [1, 2, 3], ["a", "b", "c"], missing=[0, 1, 0], cluster=["u", "v", "u"])
    part = cut_counts(whole, np.array([2, 1]))
    assert part.questions.tolist() == ["c", "b"] and part.n.tolist() == [6, 5] and part.c.tolist() == [3, 2]
    assert part.missing.tolist() == [0, 1] and part.cluster.tolist() == ["u", "v"]
    assert cut_counts(whole, np.arange(3)) is whole


def test_groups_as_given_or_as_read():
    aligned = align_systems(TWO, "drop")
    assert find_groups(aligned) is None
    assert find_groups(aligned, dict(p=1, q=2, r=3)) == [2, 3] and find_groups(aligned, ["x", "y", "z"]) == ["y", "z"]
    with pytest.raises(ValueError, match=r"got none for 'r' \(1 of 2 fail\)"): find_groups(aligned, dict(p=1, q=2))
    with pytest.raises(ValueError, match="one name per question of A, got 2"): find_groups(aligned, ["x", "y"])


def test_groups_that_differ_between_the_systems():
    sides = {name: Counts([1, 1], [0, 1], ["a", "b"], cluster=groups) for name, groups in (("A", ["u", "v"]), ("B", ["u", "w"]))}
    with pytest.raises(ValueError, match="a question must be in one group, got .*'v'.* and .*'w'.* at question 'b'"): find_groups(align_systems(sides))
    same = {name: Counts([1, 1], [0, 1], ["a", "b"], cluster=["u", "v"]) for name in "AB"}
    assert find_groups(align_systems(same)) == ["u", "v"]
