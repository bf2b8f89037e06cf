"The page of a comparison, and the sentences that it shares with the terminal."
import re
from dataclasses import replace
from functools import cache
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest

from sampling_eval import Counts, compare
from sampling_eval.inference.ranking import Ranking
from sampling_eval.reporting.aligned import align_ends, align_level, align_points
from sampling_eval.report.svg import find_step
from sampling_eval.reporting.drawing import draw_chart, draw_ruler
from sampling_eval.reporting.parts import Chart, Folded, Ruler, Series, Stretch
from sampling_eval.reporting.standings_facts import Places
from sampling_eval.reporting.standings_words import say_metrics, say_ranking, say_ranks, tell_ranks
from sampling_eval.reporting.versus import Versus


def see(result):
    "What is read on a page, with one space between words."
    text = re.sub(r"(?s)<(style|svg|script)\b.*?</\1>", " ", result.to_html())
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text))).replace("\xa0", " ")


def flat(result): return " ".join(repr(result).split())


@cache
def measure(seed, size, shares, n=4):
    "Counts of systems whose questions are right with these chances."
    rng = np.random.default_rng(seed)
    easy = rng.beta(.8, .8, size) - .5
    return [Counts([n] * size, rng.binomial(n, np.clip(easy + share, 0, 1))) for share in shares]


def two(seed=0, size=60, shares=(.5, .53), **options):
    return replace(compare(*measure(seed, size, shares), **options), names=("old", "new"))


def several(shares=(.4, .42, .75), **options):
    first, second, *others = measure(1, 80, shares)
    return compare(first, second, others=others, **options)


def cells(page, head):
    "The rows of the first table with that column head."
    table = next(o for o in re.findall(r"(?s)<table.*?</table>", page) if f"<th>{head}</th>" in o)
    return [[unescape(cell).replace("\xa0", " ") for cell in re.findall("<t[hd]>(.*?)</t[hd]>", row)]
            for row in re.findall("<tr>(.*?)</tr>", table)]


# Two systems.

@pytest.mark.parametrize("shares", [(.5, .53), (.4, .7), (.7, .4)])
def test_page_and_terminal_say_the_same_first(shares):
    result = two(shares=shares)
    first = unescape(re.search("<h1>(.*?)</h1>", result.to_html())[1])
    first = first.replace("\xa0", " ")
    assert flat(result).startswith(first) and re.search(r", new questions\): (not significant|significant|inconclusive)", first)
    assert first.startswith(f"new - old = {'-' if shares[0] > shares[1] else '+'}")


def test_the_terminal_sums_up_all_budgets_for_both_targets():
    assert ("On new questions of this kind, who is ahead is not decided at pass@1 to pass@4. "
            "On these questions, run again, who is ahead is not decided at pass@1 to pass@4. A = old, B = new: the same 60"
            ) in flat(two())


def test_the_table_has_names_points_and_a_verdict_beside_each_metric():
    result = two(shares=(.4, .7))
    head, *rows = cells(result.to_html(), "verdict")
    assert head == ["metric", "verdict", "difference", "could be (95 %)", "old", "new", "won / tied / lost"]
    for row, shown in zip(result.rows, rows, strict=True):
        assert shown == [row.metric, "decided: new" if row.low > 0 else "not decided", f"{100 * row.difference:+.1f} points",
                         f"{100 * row.low:+.1f} to {100 * row.high:+.1f}", f"{100 * row.a:.1f} %", f"{100 * row.b:.1f} %",
                         f"{row.wins} / {row.ties} / {row.losses}"]
    assert "decided: old" in cells(two(shares=(.7, .4)).to_html(), "verdict")[1]
    assert "Won, tied, lost: questions on which new is ahead, equal, behind." in see(result)


def test_p_and_chances_are_folded_and_explained():
    result = two()
    page = result.to_html()
    assert page.index("<th>p</th>") > page.index("<summary>More numbers") > page.index("<th>verdict</th>")
    head, row, *_ = cells(page, "p")
    assert head == ["metric", "could be, these run again", "verdict there", "could be, all k at once", "p", "P(new > old)"]
    first = result.rows[0]
    assert row[-2:] == [f"{first.p:.4f}", f"{first.chance:.3f}"] and row[0] == "pass@1"
    assert row[1] == f"{100 * first.again_low:+.1f} to {100 * first.again_high:+.1f}"
    assert row[3] == f"{100 * result.curve.low[0]:+.1f} to {100 * result.curve.high[0]:+.1f}"
    assert f"p: the interval inverted ({first.test}), so that it is at most 0.05 exactly where the" in see(result)
    assert f"its null hypothesis: {first.null}." in see(result)


def test_what_nobody_knows_has_no_column():
    grades = [[dict(question=i, score=float(i % 3 + shift + j % 2)) for i in range(9) for j in range(2)] for shift in (0, 1)]
    page = compare(*grades, metrics="max@k").to_html()
    assert "P(B &gt; A)" not in page and "Bayesian bootstrap" not in see(compare(*grades, metrics="max@k"))
    assert "points" not in re.sub("(?s)<script.*?</script>", "", page)


def test_the_other_target_decides_where_it_was_asked_for():
    result = two(shares=(.4, .7), target="benchmark")
    page = see(result)
    assert "This page decides by these questions, run again" in page and "'These questions, run again': the same 60 asked" in page
    row = result.rows[0]
    assert cells(result.to_html(), "verdict")[1][3] == f"{100 * row.again_low:+.1f} to {100 * row.again_high:+.1f}"
    assert cells(result.to_html(), "p")[0][1] == "could be, new questions"


def test_two_targets_are_explained_once():
    page = see(two())
    assert page.count("'New questions': others like them, whose intervals are mostly wider.") == 1
    assert page.count("who is ahead is decided only where all of the 95 % interval lies on one side of 0") == 1


def test_next_is_advice_while_something_is_open_and_says_so_when_nothing_is():
    result = two()
    assert f"Next: t{result.next.sentence[1:]}" in see(result)
    clear = two(shares=(.3, .8), metrics="pass@1")
    assert clear.next is None and "Next: nothing is left to decide on new questions of this kind." in see(clear)
    assert "Next: " not in see(replace(result, advised=None))


def test_largest_differences_count_samples_where_they_are_known():
    result = two()
    move = result.moved["pass@1"][0]
    head, *rows = cells(result.to_html(), "question")
    assert head == ["question", "old", "new", "pass@1"]
    assert rows[0] == [str(move.question), f"{4 * move.a:g} of 4", f"{4 * move.b:g} of 4", f"{100 * move.difference:+.1f} points"]
    told = Versus.from_json(result.to_json())
    assert cells(told.to_html(), "question")[1][1] == f"{100 * move.a:.1f} %"


def test_the_bar_has_numbers_in_points():
    svg = re.search(r'(?s)<figure class="ruler"><svg.*?</svg>', two().to_html())[0]
    row = two().rows[0]
    assert re.findall(r'y="60"[^>]*>([^<]+)<', svg) == [
        f"{100 * end:+.1f}".removesuffix(".0") for end in (row.low, row.difference, row.high)]


def test_numbers_of_a_bar_never_touch():
    drawn = draw_ruler(Ruler(.01, .009, .011, 0., "0", "", "", ("+0.9", "+1", "+1.1"), (-1., 1.)))
    places = [float(x) for x in re.findall(r'x="([\d.]+)" y="60"', drawn)]
    assert np.diff(places).min() >= 28 and min(places) > 0 and max(places) < 400
    wide = re.search(r'range" x="([\d.]+)" y="27" width="([\d.]+)"', drawn)
    assert float(wide[1]) > 180 and float(wide[2]) == 2


def test_the_second_chart_is_of_the_page():
    result = two(shares=(.4, .7))
    page = result.to_html()
    assert "matplotlib" not in page and 'class="figures"' not in page and "<h2>new minus old</h2>" in page
    svg = page[page.index("<h2>new minus old</h2>"):]
    assert ">no difference</text>" in svg and 'class="upright"' in svg
    row = result.rows[0]
    assert f'data-say="new - old = {100 * row.difference:+.1f}'.removesuffix(".0") in svg
    assert "Above the dashed line new is ahead, below it old" in see(result)


def test_a_chart_of_differences_has_signs_and_a_line_at_0():
    series = [Series("d", "", (1, 2), (.03, .05), (.01, .02), (.05, .08), ("", ""))]
    drawn = draw_chart(Chart(series, "", zero="no difference"))
    assert re.findall(r'text-anchor="end">([^<]+)</text>', drawn) == ["0", "+2", "+4", "+6", "+8"]
    low = Chart([replace(series[0], value=(-3., 2.), low=(-5., 1.), high=(-1., 4.))], "", zero="0", points=False)
    assert re.findall(r'text-anchor="end">([^<]+)</text>', draw_chart(low)) == ["-4", "-2", "0", "+2", "+4"]


@pytest.mark.parametrize("height, step", [(1., .2), (.51, .2), (.5, .1), (.05, .01), (30., 10.), (.0011, .0005)])
def test_grid_lines_are_round_numbers(height, step): assert find_step(height) == pytest.approx(step)


def test_who_is_better_stands_below_the_budgets_in_words():
    k = list(range(1, 9))
    series = [Series(name, "", k, [value] * 8, [None] * 8, [None] * 8, [""] * 8) for name, value in (("a" * 40, .3), ("b", .5))]
    drawn = draw_chart(Chart(series, "", stretches=(Stretch([1, 2], 1), Stretch([7, 8], 0))))
    group = re.findall(r'<g class="stretch (\w+)">(.*?)</g>', drawn)
    said = [re.search(">([^<]+)</text>", body)[1] for _, body in group]
    assert said == ["b is better at k = 1 and 2", "aaaaaaa…aaaaaa is better at k = 7 and 8", "the curves cross between k = 2 and 7"]
    assert [kind for kind, _ in group] == ["c1", "c0", "gap"] and not any("<circle" in body for _, body in group)
    height = float(re.search(r'viewBox="0 0 560 (\d+)"', drawn)[1])
    lows = [float(y) for _, body in group for y in re.findall(r'<text x="[\d.]+" y="(\d+)"', body)]
    assert 300 < min(lows) and max(lows) < height and len(set(lows)) == 3


def test_several_metrics_have_a_bar_each_on_one_scale():
    result = two(metrics=["pass@1", "pass^4", "pass@4"])
    drawn = re.findall(r'(?s)<figure class="ruler">.*?</figure>', result.to_html())
    assert len(drawn) == 3 and "<figcaption>pass^4</figcaption>" in drawn[1]
    zeros = [re.search(r'upright" d="M([\d.]+)', one)[1] for one in drawn]
    assert zeros[1] == zeros[2]
    assert "could be" in cells(result.to_html(), "verdict")[0] and "verdict there" not in result.to_html()


def test_hostile_names_are_inert_and_fit():
    names = "<script>alert(1)</script>" * 4, "日本語" * 20
    result = replace(two(), names=names)
    page = result.to_html()
    assert "<script>alert" not in page
    assert cells(page, "verdict")[0][4:6] == ["<script…cript>", "日本語日本語日…日本語日本語"]


def test_numbers_of_a_column_have_a_tenth():
    assert [align_points(o, "pass@1") for o in (.08, -.081, 0., .0004)] == ["+8.0 points", "-8.1 points", "0.0 points", "+0.04 points"]
    assert align_ends(-.043, .13, "pass@1") == "-4.3 to +13.0" and align_ends(None, None, "pass@1") == "-"
    assert [align_level(o, "pass@1") for o in (.5, .508, 1., 0., .9999)] == ["50.0 %", "50.8 %", "100.0 %", "0.0 %", "99.99 %"]
    assert align_level(2.5, "max@1") == "2.500" and align_points(-2.5, "max@1") == "-2.500"


def test_the_first_line_has_the_date(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert "new against old: the same 60 questions, 4 samples each; 1970-01-01" in see(two())
    assert "3 models, the same 80 questions; 1970-01-01" in see(several())


# Three systems and more.

def rank(*tied, systems, high=None):
    return Places(tuple(systems), [.734] * len(systems), [1] * len(systems), high or [2] * len(systems), list(tied))


@pytest.mark.parametrize("systems, tied, said", [
    ("abc", ["a", "bc"], "a is right in 73 % of its samples: better than both others. b and c: not decided."),
    ("abc", ["a", "b", "c"], "a is right in 73 % of its samples: better than both others. All others are told apart too."),
    ("ab", ["a", "b"], "a is right in 73 % of its samples: better than b."),
    ("ab", ["ab"], "a is right in 73 % of its samples: not decided against b."),
    ("abc", ["ab", "c"], "a is right in 73 % of its samples: better than c, not decided against b."),
    ("abc", ["abc"], "a is right in 73 % of its samples: not decided against any other."),
    ("abc", ["ab", "bc"], "a is right in 73 % of its samples: better than c, not decided against b. b and c: not decided."),
    ("abcd", ["a", "bcd"], "a is right in 73 % of its samples: better than all 3 others. b, c and d: not decided."),
    ("abcde", ["a", "bcde"], "a is right in 73 % of its samples: better than all 4 others. Not all others are told apart."),
    ("abcde", ["a", "bc", "de"], "a is right in 73 % of its samples: better than all 4 others. Not all others are told apart.")])
def test_the_first_sentence_agrees_with_the_letters(systems, tied, said):
    assert say_ranking("pass@1", rank(*map(tuple, tied), systems=systems), False) == said


def test_a_value_is_named_for_what_it_is():
    one = rank(("a",), ("b",), systems="ab")
    assert say_ranking("pass@4", one, False) == "a has 73 % in pass@4: better than b."
    assert say_ranking("max@4", one, False) == "a has 0.734 in max@4: better than b."
    # A mean with weights is no share of samples.
    assert say_ranking("pass@1", one, True) == "a has 73 % in pass@1: better than b."


def test_the_page_of_several_has_the_shape_of_two():
    result = several()
    page, said = result.to_html(), see(result)
    first = unescape(re.search("<h1>(.*?)</h1>", page)[1])
    assert first.startswith("C is right in ") and "better than both others. B and A: not decided." in first.replace("A and B", "B and A")
    order = ["<h1>", "A sample is one try", 'class="chart"', "<th>model</th>", "share a letter", "Below each value",
             "<summary>All pairs", "<summary>How it was computed", "<summary>What was read"]
    assert sorted(order, key=page.index) == order
    assert said.count("It is the same in pass@2, pass@3") + said.count("C has ") >= 1
    assert 'class="figures"' not in page and "Not told apart: {" not in page and "sampling_eval 0." in said
    assert flat(result).startswith(first.replace("\xa0", " "))


def test_the_first_sentence_of_data_agrees_with_its_pairs():
    result = several((.4, .42, .5, .6, .75), metrics="pass@1")
    leader = result.rankings["pass@1"].systems[0]
    apart = {row.second for row in result.rows if row.first == leader and row.apart}
    others = set(result.rankings["pass@1"].systems[1:])
    said = flat(result).split(" 5 models")[0]
    alike = re.search("not decided against ([A-E, and]+)", said)
    assert others - apart == set(re.findall("[A-E]", alike[1] if alike else ""))


def test_ranks_and_letters_are_explained_below_their_table():
    result = several()
    spans = re.search(r"Below each value: the ranks that the model may have, 1 for the best; (\d)–(\d) means", see(result))
    assert f"{spans[1]}–{spans[2]}" in result.to_html() and spans[0] in flat(result)
    assert say_ranks({"m": rank(("a",), systems="a", high=[1])}) == "Below each value: the ranks that the model may have, 1 for the best."


@pytest.mark.parametrize("high, said", [
    ([1, 2, 3], "1–2 means 1 or 2."), ([1, 3, 2], "1–3 means 1 to 3."), ([3, 2, 1], "1–3 means 1 to 3.")])
def test_the_first_range_of_ranks_is_the_example(high, said):
    assert say_ranks({"m": rank(("a",), systems="abc", high=high)}).endswith(f"1 for the best; {said}")


def test_pairs_of_each_metric_are_folded_in_points():
    result = several()
    head, row, *_ = cells(result.to_html(), "pair")
    one = result.rows[0]
    assert head == ["pair", "verdict", "difference", "could be (95 %)", "standard error", "p", "p, all pairs"]
    assert row[:3] == [f"{one.first} minus {one.second}", f"decided: {one.first}" if one.apart else "not decided",
                       f"{100 * one.difference:+.1f} points"]
    fold = next(o for o in result.page_parts() if isinstance(o, Folded) and o.summary == "All pairs")
    assert [o.title for o in fold.parts[1:]] == list(result.rankings)


def test_another_leader_is_not_the_same():
    def ranks(*systems):
        return SimpleNamespace(systems=systems, tied=[systems], rank_low=[1] * 3, rank_high=[3] * 3)
    assert tell_ranks(ranks("a", "b", "c")) == tell_ranks(ranks("a", "c", "b"))
    assert tell_ranks(ranks("a", "b", "c")) != tell_ranks(ranks("b", "a", "c")), "though not told apart"


def test_all_budgets_at_once_stand_beside_each_by_itself():
    result = two(shares=(.4, .7))
    page = see(result)
    alone, together = "Each k by itself: on new questions of this kind,", "All 4 values of k at once"
    assert 0 < page.index(alone) < page.index(together) < page.index("A sample is one try")
    assert page.count(together) == 1


def test_other_metrics_are_said_once():
    result = several()
    alike = replace(result, rankings=dict.fromkeys(["pass@1", "pass@2"], result.rankings["pass@1"]))
    assert flat(alike).count("of its samples") == 1 and "It is the same in pass@2." in flat(alike)
    many = dict.fromkeys(["pass@1", *(f"pass@{k}" for k in range(2, 9))], result.rankings["pass@1"])
    assert "It is the same in 7 more metrics, from pass@2 to pass@8." in flat(replace(result, rankings=many))
    turned = replace_first(result.rankings["pass@1"])
    assert f"{turned.systems[0]} has " in flat(replace(result, rankings={"pass@1": result.rankings["pass@1"], "pass@4": turned}))
    assert say_metrics(["a", "b"]) == "a and b" and say_metrics(["a", "b", "c"]) == "a, b and c"
    assert say_metrics(["a", "b", "c", "d"]) == "4 more metrics, from a to d"


def replace_first(ranking: Ranking):
    "The same with another system first."
    first, second, *others = ranking.systems
    systems = second, first, *others
    return Places(systems, ranking.means, [1, 2, 3], [1, 2, 3], [(name,) for name in systems])
