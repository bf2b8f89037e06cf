"The page of a score: what it says first, figures without a plotting library, questions."
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from sampling_eval import compare, score
from sampling_eval.report import palette
from sampling_eval.reporting import drawing, html
from sampling_eval.reporting.advice import Advice, say_about
from sampling_eval.report.svg import count_shares, draw_shares
from sampling_eval.reporting.drawing import Frame, draw_chart, draw_span
from sampling_eval.reporting.page_style import STYLE
from sampling_eval.report.blocks import Question, Table
from sampling_eval.reporting.parts import (Beside, Chart, Folded, Key, Keys, Lead, Matrix, Note,
                                           Outcomes, Questions, Sentence, Series, Typed)
from sampling_eval.reporting.families import group_rows
from sampling_eval.reporting.score_page import (fold_rest, list_charts, list_keys, list_origin, list_width, make_key,
                                                name_block,
                                                pick_keys, place_spans, say_reach, score_page, write_row)
from told_report import ToldReport, ToldRow, columns
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
CURVES = tuple(ToldRow(f"{name}{k}", k, share, share - .1, share + .1)
               for name, shares in [("pass@", (.4, .6)), ("pass^", (.4, .2)), ("cons@", (.4, .3))]
               for k, share in zip((1, 4), shares))


class Page(HTMLParser):
    "The elements of a page with their attributes, and its text."
    def __init__(self, text):
        super().__init__()
        self.found, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs): self.found.append((tag, dict(attrs)))
    def handle_data(self, data): self.text += data
    def all(self, tag): return [attrs for name, attrs in self.found if name == tag]


def parts_of(page, kind): return [part for part in page if isinstance(part, kind)]


def test_the_answer_comes_first(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    page = score_page(ToldReport(CURVES, columns([4, 1, 0, 2])))
    assert [type(part).__name__ for part in page] == [
        "Note", "Lead", "Note", "Note", "Beside", "Heading", "Matrix", "Note", "Note", "Heading",
        "Note", "Questions", "Folded", "Folded", "Folded"]
    assert page[1] == Lead("The answer.")
    assert page[0].text == "run.jsonl: 50 questions, 4 samples each, none missing; 1970-01-02"
    assert page[3].text.startswith("A sample is one try at a question; k is how many one draws.")
    assert page[2].text.startswith("Dots are estimates, bars and shades their 95 % intervals")


def test_three_keys_and_the_curves_of_one_model():
    beside, = parts_of(score_page(ToldReport(CURVES)), Beside)
    keys, = parts_of(beside.left, Keys)
    assert [(key.said, key.name, key.meaning, key.span) for key in keys.keys] == [
        ("40 %", "pass@1", "one sample", "30 % to 50 %"),
        ("60 %", "pass@4", "at least once in 4", "50 % to 70 %"),
        ("20 %", "pass^4", "every time of 4", "10 % to 30 %")]
    chart, = parts_of(beside.right, Chart)
    assert [(one.label, one.shown) for one in chart.series] == [
        ("pass@k", True), ("pass^k", True), ("cons@k", False)]
    assert chart.series[0].said == ["pass@1: 40 % (30 % to 50 %)", "pass@4: 60 % (50 % to 70 %)"]


def test_several_models_share_a_chart_for_each_metric():
    rows = tuple(ToldRow(row.metric, row.k, row.estimate, model=m) for m in "ab" for row in CURVES)
    beside, = parts_of(score_page(ToldReport(rows)), Beside)
    keys, = beside.left
    assert [(key.name, key.colour) for key in keys.keys] == [("a", 0), ("b", 1)]
    note, chart, *others = beside.right
    assert note.text == "pass@k: at least one right" and [one.label for one in chart.series] == ["a", "b"]
    assert [part.summary for part in others] == ["pass^k: all right", "cons@k: more than half right"]


def test_no_chart_without_a_curve():
    for rows in [(ToldRow("pass@1", 1, .5),), (ToldRow("avg@4", None, .5),)]:
        beside, = parts_of(score_page(ToldReport(rows)), Beside)
        assert not beside.right
    large = ToldRow("soft@4", None, 7.5, 7., 8.)
    key, = parts_of(score_page(ToldReport((large,))), Beside)[0].left[0].keys
    assert key.said == "7.500" and key.value is None and key.span == "[7.000, 8.000]"


# Questions.

def test_flaky_questions_come_first():
    page = score_page(ToldReport(CURVES, columns([4, 1, 0, 2])))
    questions, = parts_of(page, Questions)
    assert [(row.name, row.kind, row.tries) for row in questions.rows] == [
        ("q3", "flaky", [(2, 4)]), ("q1", "flaky", [(1, 4)]), ("q2", "never", [(0, 4)]),
        ("q0", "always", [(4, 4)])]
    assert questions.counts == dict(flaky=2, never=1, always=1)


def test_questions_of_several_models_stand_side_by_side():
    told = columns([4, 1, 0, 4], model=["a", "a", "b", "b"])
    told = type(told)(dict(told.data) | dict(question=np.array(["x", "y", "y", "z"])))
    questions, = parts_of(score_page(ToldReport(CURVES, told)), Questions)
    assert questions.heads == ["a", "b"]
    assert {row.name: row.tries for row in questions.rows} == {
        "x": [(4, 4), None], "y": [(1, 4), (0, 4)], "z": [None, (4, 4)]}


def several(*right, n=4):
    "Columns of models a, b, ... on the same questions."
    names = [name for name, own in zip("abc", right) for _ in own]
    told = columns([c for own in right for c in own], n=n, model=names)
    return type(told)(dict(told.data) | dict(question=np.array([f"q{i}" for own in right for i in range(len(own))])))


def test_the_bars_of_each_model_are_its_questions():
    told = several([4, 1, 0, 2], [4, 4, 0, 1])
    questions, = parts_of(score_page(ToldReport(CURVES, told)), Questions)
    assert [count_shares(one.c, one.n).counts for one in questions.outcomes] == [[1, 1, 1, 0, 1], [1, 1, 0, 0, 2]]
    page = Page(html.render([questions], "t"))
    labels = [attrs["aria-label"] for attrs in page.all("svg")]
    assert labels == [f"{name}: Questions, by how many of their 4 samples are right" for name in "ab"]


def test_kinds_of_several_models_add_up_to_the_questions():
    told = several([4, 1, 0, 4, 0], [0, 4, 0, 4, 2])
    page = score_page(ToldReport(CURVES, told))
    questions, = parts_of(page, Questions)
    assert questions.counts == dict(flaky=2, mixed=1, never=1, always=1)
    assert {row.name: row.kind for row in questions.rows} == dict(q0="mixed", q1="flaky", q2="never", q3="always", q4="flaky")
    said = " ".join(part.text for part in parts_of(page, Note))
    assert ("5 questions: 2 flaky in at least one model, 1 always right in one, never in another, 1 never right in any, "
            "1 always right in all. Order: flaky ones, those closest to half right first, then always right in one, "
            "never in another, then never right, then always right.") in said
    assert "flaky in at least one model: 2</label>" in html.render([questions], "t")


def test_what_flaky_means_is_said_once():
    told = columns([4, 1, 0, 2])
    for answer in "2 questions are flaky.", "The answer.":
        page = score_page(ToldReport(CURVES, told, answer=answer))
        assert sum(part.text.count("A flaky question is") for part in parts_of(page, Note)) == 1
    said = " ".join(part.text for part in parts_of(score_page(ToldReport(CURVES, told)), Note))
    assert "4 questions: 2 flaky, 1 never right, 1 always right. Order: flaky ones, those closest to half right first, then" in said


def draws(share, seed, questions=60): return (np.random.default_rng(seed).random((questions, 4)) < share).astype(int)


def table_of(**models):
    return [dict(model=name, question=q, sample=s, correct=int(own[q, s])) for name, own in models.items()
            for q in range(len(own)) for s in range(4)]


def test_models_stand_in_the_order_of_the_table_everywhere():
    report = score(table_of(low=draws(.2, 0), top=draws(.9, 1), mid=draws(.5, 2)))
    page = score_page(report)
    want = ["top", "mid", "low"]
    beside, = parts_of(page, Beside)
    assert [key.name for key in beside.left[0].keys] == want
    assert [one.label for one in parts_of(beside.right, Chart)[0].series] == want
    overview, *blocks = parts_of(page, Matrix)
    assert [line.name for line in overview.lines] == want == [one.title for one in blocks]
    questions, = parts_of(page, Questions)
    assert questions.heads == want and questions.outcomes[0].c.sum() == draws(.9, 1).sum()
    at = page.index(overview)
    assert page[at + 1].text.startswith("In each column, models that share a letter")
    assert page[at + 2].text.startswith("pass@4: at least one right; pass^4: all right; cons@4: more than half right (a tie counts as wrong)")
    assert [row.model for row in report.rows][0] == "low", "the rows of a report stay as they are"


def test_a_model_has_one_colour_wherever_it_stands():
    "Its place in the data, as on the page of a comparison, though the best model comes first."
    rows = table_of(low=draws(.2, 0), top=draws(.9, 1), mid=draws(.5, 2))
    report, want = score(rows), dict(low=0, top=1, mid=2)
    page = report.to_html()
    found = {"strip": re.findall(r'class="key c(\d)"><span><b>[^<]*</b> (\w+)</span>', page),
             "chip": re.findall(r'<label class="c(\d)"><input type="checkbox"[^>]*> (\w+)</label>', page),
             "curve": re.findall(r'<g class="c(\d)" data-series="\d">.*?<text class="name"[^>]*>(\w+)</text>', page),
             "histogram": re.findall(r'<div class="c(\d)"><b>(\w+)</b>', page)}
    for name, pairs in found.items():
        assert {model: int(colour) for colour, model in pairs} == want, name
        assert [model for _, model in pairs][:3] == ["top", "mid", "low"], name
    cells = re.search(r'<tr data-kind="\w+">.*?</tr>', page)[0]
    assert re.findall(r'<td class="c(\d)"', cells) == ["1", "2", "0"]
    chart = parts_of(parts_of(score_page(report), Beside)[0].right, Chart)[0]
    for one in chart.series:
        path = draw_chart(replace(chart, series=[one])).split('data-series="0"')[1]
        assert palette.dash_array(want[one.label]) in path and palette.shape_path(want[one.label]) in path
    sides = compare(rows).sides
    assert {one.name: i for i, one in enumerate(sides)} == want == dict(zip((one.label for one in chart.series), chart.colours))


def test_the_chips_of_hidden_curves_still_show_their_own():
    page = score(table_of(low=draws(.2, 0), top=draws(.9, 1))).to_html()
    chips = re.findall(r'data-shows="(\d)"[^>]*> (\w+)<', page)
    curves = re.findall(r'data-series="(\d)">.*?<text class="name"[^>]*>(\w+)<', page)
    assert chips == curves and chips[:2] == [("0", "top"), ("1", "low")]


def test_a_command_is_wrapped_and_never_cut():
    rule = re.search(r"p > code \{(.*?)\}", STYLE)[1]
    assert "white-space: pre-wrap" in rule and "overflow-wrap: anywhere" in rule and "overflow-x" not in rule


def test_a_page_says_what_to_do_now():
    two = score(table_of(low=draws(.2, 0), top=draws(.9, 1)))
    said = [part.text for part in parts_of(score_page(two), Sentence)]
    assert "Next: sampling-eval compare tells how large the difference is, and on which questions." in said
    spelled = replace(two, spelled=lambda metric, models: f"compare {metric} {' '.join(models)}")
    page = score_page(spelled)
    assert [part.text for part in parts_of(page, Typed)] == ["compare pass@1 low top"]
    assert repr(spelled).endswith("Next: compare pass@1 low top")


def test_how_far_the_number_may_be_off_is_said_before_what_would_halve_it():
    one = score(draws(.5, 3))
    page = score_page(one)
    said = parts_of(page, Sentence)[0]
    row = one["pass@1"]
    reach = 100 * max(row.high - row.estimate, row.estimate - row.low)
    assert said.text.startswith(f"pass@1 may be off by about {reach:.0f} points ({100 * row.low:.0f} % to {100 * row.high:.0f} %). "
                                f"Halving the CI takes {say_about(one.next.questions)} questions (60 now) at 4 samples each")
    assert page[page.index(said) - 1].text.startswith("A sample is one try"), "its words are explained before"
    assert isinstance(page[page.index(said) + 1], Beside)


@pytest.mark.parametrize("target", ["questions", "benchmark"])
def test_the_page_and_the_terminal_ask_for_the_same_data(target):
    one = score(draws(.5, 3), target=target)
    said, sentence = parts_of(score_page(one), Sentence)[0].text, one.next.sentence
    assert re.findall("about [0-9,]+ [qs]", said) == re.findall("about [0-9,]+ [qs]", sentence) != []
    assert ("same questions" in said) == (target == "benchmark") == ("questions (60 now)" not in said)


def test_what_is_no_share_has_no_points():
    scores = np.random.default_rng(0).random((40, 3))
    said = parts_of(score_page(score([dict(question=q, score=float(x)) for q, own in enumerate(scores) for x in own], score="score")), Sentence)[0].text
    assert said.startswith("soft@") and " points " not in said and " (" in said.split(". ")[0]


def test_more_models_than_have_room_are_counted():
    rows = tuple(ToldRow("pass@1", 1, .5, model=f"m{i}") for i in range(8))
    told = columns([1] * 8, model=[f"m{i}" for i in range(8)])
    page = score_page(ToldReport(rows, told))
    beside, = parts_of(page, Beside)
    assert beside.left[1].text == "The first 6 of 8 models." == page[-4].text


def test_ends_of_a_strip_are_marked():
    assert ">0&#160;%</text>" in draw_span(.5, .25, .75) and ">100&#160;%</text>" in draw_span(.5, .25, .75)
    key = Keys([Key("7.5", "soft@4", "", "", None, None, None)])
    assert "<svg" not in html.render([key], "t")


def test_a_long_list_of_questions_says_how_long():
    page = score_page(ToldReport(CURVES, columns([1] * 1500)))
    assert len(parts_of(page, Questions)[0].rows) == 1000
    assert "The first 1,000 of 1,500 questions." in [getattr(part, "text", "") for part in page]
    assert not parts_of(score_page(ToldReport(CURVES, columns([1, 0], n=1))), Questions)


# Drawings.

def test_points_stand_where_their_numbers_say():
    series = Series("pass@k", "", [1, 2, 4], [0., .5, 1.], [None] * 3, [None] * 3, ["a", "b", "c"])
    svg = draw_chart(Chart([series], "alt"))
    found = re.findall(r'data-say="(.)" cx="([\d.]+)" cy="([\d.]+)"', svg)
    heights = {name: float(y) for name, _, y in found}
    assert heights["b"] == pytest.approx((heights["a"] + heights["c"]) / 2)
    assert heights["c"] == 12 and "range" not in svg
    assert [float(x) for _, x, _ in found] == sorted(float(x) for _, x, _ in found)


def test_spans_and_bars():
    assert 'width="196.0"' in draw_span(.5, .25, .75) and "rect" not in draw_span(.5, None, None)
    bars = draw_shares(count_shares(np.array([0, 1, 1, 2]), np.full(4, 2)), 2, "seen")
    assert re.findall(r">(\d)</text>", bars) == ["1", "2", "1"] and "2 of 2" in bars
    many = draw_shares(count_shares(np.arange(101), np.full(101, 100)), 20, "seen")
    assert many.count("<rect") == 10 and [o for o in range(0, 101, 20) if f">{o}&#160;%<" in many] == list(range(0, 101, 20))


# The file.

@pytest.fixture(scope="module")
def hostile():
    rows = [dict(model=HOSTILE + m, question=HOSTILE + str(q), sample=s, correct=(q + s) % 2)
            for m in "ab" for q in range(5) for s in range(q % 3 + 2)]
    return score(rows, title=HOSTILE).to_html()


def test_nothing_of_the_data_becomes_an_element(hostile):
    page = Page(hostile)
    assert len(page.all("script")) == 1 and not page.all("img") and not page.all("link")
    assert not [name for _, attrs in page.found for name in attrs if name.startswith("on")]
    assert HOSTILE in page.text


def test_nothing_is_loaded(hostile):
    page = Page(hostile)
    assert not [attrs for _, attrs in page.found if {"src", "href"} & set(attrs)]
    assert "default-src 'none'" in page.all("meta")[1]["content"]
    assert "http" not in hostile.replace("http-equiv", "")


def test_every_number_is_reached_by_keyboard():
    page = Page(score([[1, 0, 1], [0, 0, 1], [1, 1, 1]]).to_html())
    circles = [attrs for attrs in page.all("circle") if "data-say" in attrs]
    assert circles and all(attrs["tabindex"] == "0" and attrs["aria-label"] for attrs in circles)
    assert all("aria-label" in attrs or "placeholder" not in attrs for attrs in page.all("input"))


def test_the_page_needs_no_plotting_library(tmp_path):
    code = ("import sys, sampling_eval as se\n"
            "se.score([[1, 0], [1, 1]]).to_html()\n"
            "sys.exit('matplotlib' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_where_the_numbers_come_from(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    (path := tmp_path / "run.csv").write_text("question,correct\n1,1\n1,0\n2,1\n2,1\n")
    report = score(str(path))
    said, table = list_origin(report.files)
    assert said.text.endswith("; 1970-01-02.") and isinstance(table, Table)
    assert table.rows[0][0] == "run.csv" and len(table.rows[0][1]) == 64
    assert table.rows[0][1] in report.to_html()
    path.write_text("question,correct\n1,1\n")
    assert "changed" in list_origin(report.files)[1].rows[0][1]


def test_every_row_is_in_the_folded_table():
    report = ToldReport(CURVES)
    folded = parts_of(score_page(report), Folded)
    assert [part.summary for part in folded] == ["How it was computed", "All numbers",
                                                 "What was read"]
    assert [row[0] for row in folded[1].parts[0].rows] == [row.metric for row in CURVES]


def test_dots_and_bars():
    told = Questions(["m"], [Question("a", "flaky", [(3, 4)]), Question("b", "flaky", [(30, 64)]),
                             Question("c", "never", [None])], dict(flaky=2), dict(flaky="flaky"),
                     [Outcomes(np.array([3]), np.array([4]))])
    page = html.render([told, Matrix("metric", (), ())], "t")
    assert '<span class="dots" style="--c:3;--n:4"></span>3 of 4' in page
    assert '<span class="bar" style="--c:30;--n:64"></span>30 of 64' in page and "<td></td>" in page


def test_a_word_of_the_answer_is_explained_below_it():
    told = ToldReport(CURVES, columns([4, 1, 0, 2]), answer="26 questions are flaky.")
    assert score_page(told)[2].text.startswith("A flaky question is right in some")
    said = [part.text for part in parts_of(score_page(ToldReport(CURVES, columns([4, 1, 0, 2]))), Note)]
    assert any(text.startswith("A flaky question") for text in said), "the filter has the word as well"


@pytest.mark.parametrize("budgets, shares", [((5,), (0,)), ((1, 2, 3), (0, .5, 1)), ((1, 2, 4, 16), (0, .25, .5, 1))])
def test_budgets_stand_from_the_left_to_the_right_edge(budgets, shares):
    series = Series("pass@k", "", budgets, [.5] * len(budgets), [.4] * len(budgets), [.6] * len(budgets), [""] * len(budgets))
    places = Frame([series]).places
    want = [drawing.LEFT + share * (drawing.WIDE - drawing.LEFT - drawing.RIGHT) for share in shares]
    assert list(places) == list(budgets) and list(places.values()) == pytest.approx(want)


@pytest.mark.parametrize("share, low, high", [(0., 0., .01), (1., .99, 1.), (.5, .1, .9)])
def test_no_share_outside_of_0_and_1_has_a_place(share, low, high):
    below, above = Frame([Series("", "", (1, 2), [share] * 2, [low] * 2, [high] * 2, [""] * 2)]).limits
    assert 0 <= below <= low and high <= above <= 1 and below < above


# Pieces of the page on given numbers.

def row_of(name="pass@1", k=1, value=.5, low=.25, high=.75, **more): return ToldRow(name, k, value, low, high, **more)


def test_which_numbers_are_looked_at_first():
    rows = [row_of(), row_of("pass@4", 4), row_of("pass^1"), row_of("pass^2", 2), row_of("maj@4", 4)]
    assert [(row.metric, said) for row, said in pick_keys(group_rows(rows))] == [
        ("pass@1", "one sample"), ("pass@4", "at least once in 4"), ("pass^2", "every time of 2")]
    assert [row.metric for row, _ in pick_keys(group_rows([row_of(), row_of("pass^1")]))] == ["pass@1"]
    assert [said for _, said in pick_keys(group_rows([row_of("avg@4", None), row_of("maj@4", 4)]))] == ["one sample"]
    assert list(pick_keys(group_rows([row_of("x@4", 4)]))) == []


def test_numbers_as_keys():
    assert make_key(row_of(), "n", "m") == Key("50 %", "n", "m", "25 % to 75 %", .5, .25, .75)
    assert make_key(row_of(value=1., low=None, high=None), "n", "m") == Key("100 %", "n", "m", "", 1., None, None)
    assert make_key(row_of(value=0.), "n", "m").value == 0.
    for value, said in (1.5, "1.500"), (-.5, "-0.500"):
        assert make_key(row_of(value=value), "n", "m") == Key(said, "n", "m", "[0.250, 0.750]", None, None, None)


@pytest.mark.parametrize("row, said", [
    (row_of(), "pass@1 may be off by about 25 points (25 % to 75 %)."), (row_of(low=.1), "pass@1 may be off by about "
                                                                         "40 points (10 % to 75 %)."),
    (row_of(high=.98), "pass@1 may be off by about 48 points (25 % to 98 %)."),
    (row_of(low=.48, high=.51), "pass@1 may be off by about 2 points (48 % to 51 %)."),
    (row_of(low=.48123, high=.51), "pass@1 may be off by about 1.9 points (48 % to 51 %)."),
    (row_of("soft@4", None, low=.125), "soft@4 may be off by about 0.380 (0.125 to 0.750)."), (row_of(low=None,
        high=None), "")])
def test_how_far_a_number_may_be_off(row, said): assert say_reach(row) == said


@pytest.mark.parametrize("key, name", [
    (("m", ""), "m"), (("m", "g"), "m / g"), (("", "all questions"), ""), (("m",
                                                                            "all questions / missing counted wrong"),
                                                                           "m / missing counted wrong"),
    (("", "missing counted right"), "missing counted right")])
def test_names_of_blocks(key, name): assert name_block(key) == name


def test_where_intervals_stand():
    grid, single = Matrix("m", (), ()), Table(["m"], [])
    assert place_spans([grid, Note("")]) == "Below each estimate its"
    assert place_spans([single]) == "Beside each estimate its"
    assert place_spans([grid, single, grid]) == "Below or beside each estimate its"
    assert place_spans([Note("")]) == "Their"


def list_series(*rows, group=""):
    blocks = {}
    for row in rows: blocks.setdefault((row.model, row.group), []).append(row)
    return list_charts(blocks, {key: i + 3 for i, key in enumerate(blocks)})


def test_which_curves_are_drawn():
    two = [row_of(), row_of("pass@2", 2)]
    chart, = list_series(*two, row_of("avg@2", None), row_of("x@1"), row_of("x@2", 2), row_of("maj@1"))
    one, = chart.series
    assert chart.alt == "curves over k with intervals"
    assert (one.label, one.meaning, one.k, one.shown) == ("pass@k", "at least one right", [1, 2], True)
    assert one.said == ["pass@1: 50 % (25 % to 75 %)", "pass@2: 50 % (25 % to 75 %)"] and one.colour is None
    assert one.low == [.25, .25] and one.high == [.75, .75] and one.value == [.5, .5]
    assert list_series(row_of(value=1.5), row_of("pass@2", 2)) == [] == list_series(row_of(value=-.1), row_of("pass@2",
        2))
    assert list_series(row_of(value=0.), row_of("pass@2", 2, 1.))[0].series[0].value == [0., 1.]
    several = [replace(row, model=m) for m in "mn" for row in two + [row_of("maj@1"), row_of("maj@2", 2)]]
    note, chart, folded = list_series(*several)
    assert note == Note("pass@k: at least one right")
    assert [(one.label, one.meaning, one.colour) for one in chart.series] == [("m", "", 3), ("n", "", 4)]
    assert folded.summary.startswith("maj@k: ") and [one.shown for one in folded.parts[0].series] == [True, True]
    assert chart.series[0].said[0] == "m pass@1: 50 % (25 % to 75 %)" and chart.alt == "pass@k over k with intervals"
    bare = list_series(row_of(low=None, high=None), row_of("pass@2", 2))[0]
    assert bare.series[0].said[0] == "pass@1: 50 %"


@pytest.mark.parametrize("count, shown", [(12, 12), (13, 12)])
def test_twelve_curves_of_a_chart(count, shown):
    rows = [replace(row, model=f"m{i}") for i in range(count) for row in (row_of(), row_of("pass@2", 2))]
    assert len(list_series(*rows)[1].series) == shown


@pytest.mark.parametrize("count, notes", [(6, []), (7, [Note("The first 6 of 7 gradings.")])])
def test_six_models_have_keys(count, notes):
    rows = [row_of(model=f"m{i}") for i in range(count)] + [row_of("x@4", 4, model="z")]
    keys, *more = list_keys({(row.model, ""): [row] for row in rows}, "grading", {(row.model, ""): i for i,
                                                                                  row in enumerate(rows)})
    assert len(keys.keys) == 6 and more == notes and [key.colour for key in keys.keys] == list(range(6))
    assert keys.keys[0].name == "m0" and keys.keys[0].meaning == "pass@1"


def test_all_numbers_in_a_row():
    report = ToldReport((row_of(model="m", group="g", n_max=5, questions=7),))
    assert write_row(report, report.rows[0]) == ["m / g / pass@1", "0.500", "0.100", "[0.250, 0.750]", "95 % gaffke",
                                                 "7", "4..5"]
    how, numbers, read = fold_rest(report)
    assert (how.summary, numbers.summary, read.summary) == ("How it was computed", "All numbers", "What was read")
    assert numbers.parts[0].head == ["metric", "estimate", "std. error", "interval", "method", "questions", "samples"]
    assert [part.text for part in read.parts[:2]] == ["200 rows.", "A note."]


def test_what_would_halve_the_interval_is_said_of_its_metric():
    advice = Advice("pass@2", "halve", "benchmark", .5, None, None, None, 16, None, 50, "4")
    report = ToldReport((row_of(), row_of("pass@2", 2, low=.1)), next=advice)
    said = "Halving the CI (same questions) takes about 16 samples per question (4 now)."
    assert list_width(report) == [Sentence(f"pass@2 may be off by about 40 points (10 % to 75 %). {said}")]
    assert list_width(replace(report, next=replace(advice, metric="x"))) == [Sentence(said)]
    assert list_width(replace(report, next=replace(advice, has_questions=1))) == [] == list_width(replace(report,
        next=None))
