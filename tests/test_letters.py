"Letters beside models, and sentences on the first one."
import pytest

from sampling_eval.reporting.letters import (letter_models, name_group, say_leader, say_letters, say_rest, share_letter,
                                             split_letters)
from sampling_eval.reporting.primary import say_rules


@pytest.mark.parametrize("i, name", [(0, "a"), (25, "z"), (26, "a2"), (51, "z2"), (52, "a3")])
def test_groups_have_names(i, name): assert name_group(i) == name


def test_a_model_has_a_letter_for_each_of_its_groups():
    assert letter_models([["x", 1], ["y", 1], ["z"]]) == {"x": "a", "1": "ab", "y": "b", "z": "c"}
    assert letter_models([]) == {}
    assert split_letters("ab2c") == ["a", "b2", "c"] and split_letters("z12a") == ["z12", "a"]
    assert split_letters("") == []
    assert share_letter("ab", "bc") and not share_letter("ab", "cd") and not share_letter("a", "a2")
    assert not share_letter("", "a")


def test_what_letters_mean():
    assert say_letters(.95, "for x") == (
        "Models that share a letter cannot be told apart at 95 %, all pairs judged at once, for x.")
    assert say_letters(.9, "for x", True).startswith("In each column, models that share a letter cannot be told apart "
                                                     "at 90 %")


def lead(tied, names=None):
    names = names or sorted({name for group in tied for name in group})
    return say_leader("pass@1", names, "0.9", letter_models(tied))


def test_who_is_first():
    assert say_leader("pass@1", ["m"], "0.9", {}) == "m has 0.9 in pass@1."
    assert say_leader("pass@1", [""], "0.9", {}) == "pass@1 is 0.9."
    assert say_leader("pass@1", ["m", "n"], "0.9", {}) == "m is first in pass@1 (0.9)."
    start = "a is first in pass@1 (0.9)"
    assert lead(["a", "b"]) == f"{start} and told apart from b."
    assert lead(["a", "bc"]) == (f"{start} and told apart from both others.")
    assert lead(["a", "bcd"]) == f"{start} and told apart from all 3 others."
    assert lead(["ab", "bc"]) == f"{start}, but cannot be told apart from b."
    assert lead(["abcd", "e"]) == f"{start}, but cannot be told apart from b, c and d."
    assert lead(["abcde"]) == f"{start}, but cannot be told apart from 4 others."
    assert lead(["ab", "ac", "d"]) == f"{start}, but cannot be told apart from b and c."
    assert [say_rest(list("xyz")[:n]) for n in (1, 2, 3)] == ["x", "both others", "all 3 others"]


def test_several_rules():
    start = ("Several rules: the gate passes if all of them pass, each at the full level. To be called failed, 'r', "
             "named first, needs "
             "its interval below the limit at the full level, and")
    assert say_rules("r", 0) == "" and say_rules("r", 1) == f"{start} so does the other one."
    assert say_rules("r", 2) == (
        f"{start} the other 2 at the levels of Holm's correction for 2, so that more rules bring no more false "
        f"failures.")
