"Pages of a score and a comparison for a reader who has never heard of pass@k."
import re
from dataclasses import replace
from functools import cache
from html import unescape

import numpy as np
import pytest

from sampling_eval import compare, score


def see(result):
    "What is read on a page, with one space between words."
    text = re.sub(r"(?s)<(style|svg|script)\b.*?</\1>", " ", result.to_html())
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)))


@cache
def sample(seed, share):
    return (np.random.default_rng(seed).random((40, 4)) < share).astype(int).tolist()


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


def test_a_comparison_shows_the_interval_and_what_zero_means():
    one = compare(sample(0, .45), sample(1, .6), "pass@1")
    assert "dashed line: no difference" in see(one) and one.to_html().count('class="upright"') == 1
    row = one.rows[0]
    assert f"95 % CI {100 * row.low:+.1f} to {100 * row.high:+.1f}" in see(one)


def test_a_score_explains_its_metrics_and_where_intervals_stand():
    page = see(score(sample(0, .5)))
    assert "at least one right" in page and "all right" in page and "flaky" in page
    assert "95 % CI" in page
