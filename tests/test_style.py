"How error bars are computed: what is refused before data are read."
import numpy as np
import pytest

from sampling_eval.results.base import (Style, check_kinds, check_rng, check_style, main_target,
                                        try_method)


@pytest.mark.parametrize("level", [.9, np.float32(.5), np.array(.75), 1 - 1e-3])
def test_a_level_becomes_a_float(level):
    style = check_style(Style(level, "t", "sign-flip", "new_questions", 3))
    assert type(style.confidence_level) is float and style == (float(level), "t", "sign-flip", "new_questions", 3, None)


@pytest.mark.parametrize("level", [True, np.True_, "95", None, [.95], np.array([.95]), .5j])
def test_a_level_that_is_no_number(level):
    with pytest.raises(TypeError, match="^confidence_level must be a number, got "): check_kinds(Style(level))


@pytest.mark.parametrize("level", [0, 1, 95, -.5, float("nan")])
def test_a_level_out_of_range(level):
    with pytest.raises(ValueError, match="confidence_level|level"): check_style(Style(level))


@pytest.mark.parametrize("style, kind, said", [
    (Style(interval=3), TypeError, "interval must be the name of a method, got 3"),
    (Style(interval=("t",)), TypeError, "interval must be the name of a method"),
    (Style(rng="0"), TypeError, "rng must be None, a whole number of at least 0 or a Generator, got '0'"),
    (Style(target="both"), ValueError, "target must be"), (Style(target="all"), ValueError, "target must be"),
    (Style(interval="wald"), ValueError, "^interval must be 'gaffke', .*, got 'wald'"),
    (Style(interval="gaffke", target="same_questions"), ValueError, "gaffke"),
    (Style(interval="gamma"), ValueError, "gamma")])
def test_words_that_are_none(style, kind, said):
    with pytest.raises(kind, match=said): check_style(style)


def test_both_targets_where_a_verb_knows_them():
    both = Style(interval="gaffke", target="both")
    assert check_style(both, ("new_questions", "same_questions", "both")) == both
    with pytest.raises(ValueError, match="gamma"):
        check_style(Style(interval="gamma", target="both"), ("new_questions", "both"))
    assert [main_target(o) for o in ("both", "new_questions", "same_questions")] == ["new_questions", "new_questions", "same_questions"]


def test_a_method_that_fits_its_target():
    for method, target in (("t", "new_questions"), ("gaffke", "new_questions"), ("gamma", "same_questions"), ("t", "both")):
        assert try_method(Style(interval=method, target=target), .95) is None


@pytest.mark.parametrize("rng", [None, 0, 7, np.int64(3), np.random.default_rng(0)])
def test_seeds(rng): assert check_rng(rng) is None


@pytest.mark.parametrize("rng", [True, False, -1, np.int64(-1), 1.5, "0", [0], np.random.RandomState(0)])
def test_what_starts_no_generator(rng):
    with pytest.raises(TypeError, match="^rng must be None"): check_rng(rng)


@pytest.mark.parametrize("given, refuses", [
    ({}, False), (dict(interval="t"), True), (dict(test="sign"), True), (dict(interval="t", test="sign"), True),
    (dict(target="same_questions", rng=3), False)])
def test_only_what_was_named_may_refuse(given, refuses): assert Style(**given).may_refuse is refuses


def test_a_named_interval_is_meant_for_the_named_target():
    assert Style(interval="t").name_interval("new_questions") == "t"
    assert Style(interval="t").name_interval("same_questions") is None
    assert Style(interval="t", target="same_questions").name_interval("same_questions") == "t"
    assert Style(interval="t", target="same_questions").name_interval("new_questions") is None
    assert Style().name_interval("new_questions") is None


@pytest.mark.parametrize("rng, ordered", [
    (None, False), (3, False), (True, False), ("x", False), (np.random.default_rng(1), True),
    (np.random.RandomState(1), True)])
def test_only_a_generator_gives_each_caller_other_numbers(rng, ordered): assert Style(rng=rng).draws_in_order is ordered


def test_what_stands_for_nothing_named():
    assert Style() == (.95, None, None, "new_questions", None, None)
