"How error bars are computed: what is refused before data are read."
import numpy as np
import pytest

from sampling_eval.results.base import Style, check_kinds, check_style, main_target


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
