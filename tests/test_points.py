"Differences in points, and numbers and names as parts of a sentence."
import pytest

from sampling_eval.reporting.phrases import join_names, say_count, say_share, say_shares
from sampling_eval.reporting.points import (is_share, say_could_move, say_ends, say_level, say_move, say_percent,
                                            say_points, say_signed, say_size, say_terms)


@pytest.mark.parametrize("metric, share", [("pass@1", True), ("avg@4", True), ("maj@8", True), ("g-pass@4_0.5", True),
                                           ("soft@4", False), ("max@2", False), ("min@2", False), ("mine", False)])
def test_which_metrics_are_shares(metric, share): assert is_share(metric) is share


@pytest.mark.parametrize("value, size, signed, points, moved", [
    (.01, "1 point", "+1", "+1 point", "gained 1 point"), (-.01, "1 point", "-1", "-1 point", "lost 1 point"),
    (.011, "1.1 points", "+1.1", "+1.1 points", "gained 1.1 points"),
    (-1., "100 points", "-100", "-100 points", "lost 100 points"),
    (.001, "0.1 points", "+0.1", "+0.1 points", "gained 0.1 points"),
    (-.0004, "0.04 points", "-0.04", "-0.04 points", "lost 0.04 points"),
    (.3456, "34.6 points", "+34.6", "+34.6 points", "gained 34.6 points"),
    (0., "0 points", "0", "0 points", "neither lost nor gained")])
def test_differences_of_shares(value, size, signed, points, moved):
    said = [say(value, "pass@1") for say in (say_size, say_signed, say_points, say_move)]
    assert said == [size, signed, points, moved]


@pytest.mark.parametrize("value, size, signed, moved", [
    (2.5, "2.500", "+2.500", "gained 2.500"), (-2.5, "2.500", "-2.500", "lost 2.500"),
    (0., "0.000", "0.000", "neither lost nor gained")])
def test_differences_of_scores(value, size, signed, moved):
    said = [say(value, "max@2") for say in (say_size, say_signed, say_points, say_move)]
    assert said == [size, signed, signed, moved]


@pytest.mark.parametrize("share, said", [
    (0, "0 %"), (1, "100 %"), (.5, "50 %"), (.508, "50.8 %"), (.5084, "50.8 %"), (.9994, "99.9 %"), (.9996, "99.96 %"),
    (.0004, "0.04 %"),
    (.0006, "0.1 %"), (4e-9, "0.0000004 %"), (4e-10, "4e-08 %"), (1 - 1e-13, "100 %"), (1e-13, "0 %"),
    (1e-11, "1e-09 %")])
def test_a_share_to_a_tenth(share, said): assert say_percent(share) == said


@pytest.mark.parametrize("low, high, said", [
    (-.2, .04, "could be a loss of 20 or a gain of 4"), (-.2, -.01, "could be a loss of 1 to 20"),
    (.01, .2, "could be a gain of 1 to 20"),
    (0., .2, "could be a gain of 0 to 20"), (-.2, 0., "could be a loss of 0 to 20"),
    (0., 0., "could be a gain of 0 to 0")])
def test_what_a_difference_could_be(low, high, said): assert say_could_move(low, high, "pass@1") == said


def test_what_a_difference_could_be_in_other_words():
    words = "{} behind", "{} ahead"
    assert say_could_move(-1., 3., "max@2", words) == "could be 1.000 behind or 3.000 ahead"
    assert say_could_move(-3., -1., "max@2", words) == "could be 1.000 to 3.000 behind"


def test_ends_of_an_interval():
    assert say_ends(-.043, .13, "pass@1") == "-4.3 to +13" and say_ends(-1., 2., "max@2") == "-1.000 to +2.000"
    assert say_ends(.5, .75, "pass@1", say_level) == "50 % to 75 %"
    assert say_ends(None, .1, "pass@1") == say_ends(.1, None, "pass@1") == say_ends(None, None, "pass@1") == "-"
    assert [say_level(.508, metric) for metric in ("pass@1", "max@2")] == ["50.8 %", "0.508"]


def test_words_for_a_reader_who_meets_them_first():
    assert say_terms("95") == (
        "A sample is one try at a question; k is how many one draws. pass@k: right at least once in k tries; "
        "pass^k: right in all k tries. "
        "A 95 % interval says how far a number may be off by chance: about 95 of 100 such intervals hold the true "
        "number.")


# Numbers and names.

@pytest.mark.parametrize("share, said", [
    (0, "0 %"), (1, "100 %"), (.42, "42 %"), (.504, "50 %"), (.004, "0.4 %"), (.996, "99.6 %"), (.9999, "99.99 %"),
    (6e-9, "0.000001 %"), (4e-9, "under 0.000001 %"), (1 - 6e-9, "99.999999 %"), (1 - 4e-9, "over 99.999999 %"),
    (1 - 4e-13, "100 %"),
    (4e-13, "under 0.000001 %")])
def test_a_share_in_percent(share, said): assert say_share(share) == said


@pytest.mark.parametrize("shares, said", [
    ([.42, .43], ["42 %", "43 %"]), ([.42, .42], ["42 %", "42 %"]), ([.421, .425], ["42.1 %", "42.5 %"]),
    ([.42, .42 + 1e-8], ["42.000000 %", "42.000001 %"]), ([.42, .42 + 1e-9], ["42 %", "42 %"]),
    ([0, .004, 1], ["0 %", "0.4 %", "100 %"])])
def test_shares_are_told_apart(shares, said): assert say_shares(shares) == said


@pytest.mark.parametrize("numbers, said", [
    ([1], "1 sample"), ([1, 1], "1 sample"), ([0], "0 samples"), ([2], "2 samples"), ([4, 3], "3 to 4 samples"),
    ([1_000], "1,000 samples"),
    ([999, 12_345], "999 to 12,345 samples")])
def test_a_number_of_things(numbers, said): assert say_count(numbers, "sample") == said


def test_names_in_a_sentence():
    assert join_names(["a"]) == "a" and join_names(["a", "b"]) == "a and b" and join_names("abc", "or") == "a, b or c"


@pytest.mark.parametrize("level, article", [("95", "A"), ("80", "An"), ("8", "An"), ("11", "An"), ("18", "An"), ("90", "A")])
def test_the_article_of_a_level(level, article): assert f" {article} {level} % interval says" in say_terms(level)
