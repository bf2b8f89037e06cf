"Pages of a score and a comparison for a reader who has never heard of pass@k."
import re
from dataclasses import replace
from functools import cache
from html import unescape

import numpy as np
import pytest

from sampling_eval import compare, score
from sampling_eval.reporting.numbers import signed
from sampling_eval.reporting.parts import Ruler
from sampling_eval.reporting.drawing import draw_ruler
from sampling_eval.reporting.points import say_could_move, say_move, say_size

def see(result):
    "What is read on a page, with one space between words."
    text = re.sub(r"(?s)<(style|svg|script)\b.*?</\1>", " ", result.to_html())
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)))


@cache
def sample(seed, share):
    return (np.random.default_rng(seed).random((40, 4)) < share).astype(int).tolist()


def test_the_bar_reaches_across_the_limit():
    drawn = draw_ruler(Ruler(-.08, -.2, .04, -.05, "limit", "no change", "all of it"))
    left, width = (float(o) for o in re.search(r'range" x="([\d.]+)" y="27" width="([\d.]+)"', drawn).groups())
    limit, zero = (float(o) for o in re.findall(r'upright" d="M([\d.]+)', drawn))
    assert left < limit < zero < left + width and (left, left + width) == (20, 380)
    assert 'aria-label="all of it"' in drawn and ">no change</text>" in drawn
    assert "nan" not in draw_ruler(Ruler(0., 0., 0., 0., "limit", "", ""))


@pytest.mark.parametrize("turned", [False, True])
def test_a_comparison_says_who_is_ahead_and_by_how_much(turned):
    a, b = sample(0, .45), sample(1, .6)
    result = compare(b, a) if turned else compare(a, b)
    result = replace(result, names=("strong", "plain") if turned else ("plain", "strong"))
    first = re.search("<h1>(.*?)</h1>", result.to_html())[1]
    order = "plain trails strong" if turned else "strong leads plain"
    assert re.fullmatch(rf"{order} by [\d.]+ points in pass@1 \(95&nbsp;% CI .*, new questions\): "
                        "(significant|inconclusive).*", first)


def test_equal_systems_are_level():
    same = sample(0, .5)
    result = replace(compare(same, [row[::-1] for row in same]), names=("a", "b"))
    assert "<h1>a and b are equal in pass@1 (95&nbsp;% CI" in result.to_html()


def test_the_line_at_zero_is_explained_and_the_page_dated(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    page = see(compare(sample(0, .45), sample(1, .6)))
    assert "Made on 1970-01-01." in page


def test_every_page_says_what_a_sample_is():
    said = "A sample is one try at a question; k is how many one draws. pass@k: right at least once in k tries"
    a, b = sample(0, .45), sample(1, .6)
    assert see(score(a)).count(said) == 1


def test_a_score_says_where_its_intervals_stand():
    page = see(score(sample(0, .5)))
    assert "pass@k: at least one right" in page
    assert "Below or beside each estimate its 95 % interval" in page
    assert "Beside each estimate its 95 % interval" in see(score([[1], [0], [1], [1]]))


@pytest.mark.parametrize("value, metric, said", [
    (-.08, "pass@1", "lost 8 points"), (.01, "avg@4", "gained 1 point"), (-.081, "maj@3", "lost 8.1 points"),
    (.00004, "pass^2", "gained 0.004 points"), (0, "pass@1", "neither lost nor gained"),
    (-.5, "soft@4", "lost 0.500"), (2, "mine", "gained 2.000"), (.1, "g-pass@4_0.5", "gained 10 points")])
def test_points_are_for_shares(value, metric, said): assert say_move(value, metric) == said


def test_ends_in_words():
    assert say_could_move(.01, .2, "pass@1") == "could be a gain of 1 to 20"
    assert say_could_move(-.2, 0, "pass@1") == "could be a loss of 0 to 20"
    assert say_size(-.05, "pass@1") == "5 points"


def test_points_are_rounded_as_the_terminal_rounds():
    assert say_size(.0425, "pass@8") == "4.3 points" and signed(.0425) == "+0.043"
