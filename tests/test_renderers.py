"""One document in four forms: what stands where, names from files that stay text, and the widths of
a terminal."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from printed import check_text, split_markup

from sampling_eval.render import html, latex, markdown, text
from sampling_eval.render.blocks import (
    Cell,
    Code,
    Curves,
    Excerpt,
    Fold,
    Grid,
    GridLine,
    Headline,
    Intervals,
    Later,
    Line,
    open_folds,
    Passage,
    Question,
    Questions,
    Samples,
    Series,
    Table,
    Text,
)
from sampling_eval.render.html import html_table, write_blocks
from sampling_eval.render.latex import latex_table
from sampling_eval.render.markdown import markdown_table
from sampling_eval.render.text import (
    break_command,
    cut,
    cut_text,
    escape_html,
    first_heads,
    measure,
    render,
    text_table,
    wrap,
)

HOSTILE = [
    "<script>alert(1)</script>",
    'x" onload="alert(1)',
    "a|b\n| c",
    "$\\frac{1}{0}$",
    "\\input{x} & 100% #_^~",
    "\x1b[31mred\x1b[0m",
    "_hidden",
    "[link](http://x)",
    "<img src=x onerror=alert(1)>",
    "`code`",
    "*bold*",
]


ROWS = [["pass@1", "+0.031"], ["a_b", "-"]]
CURVES = Curves(
    [Series("m", "", [1, 2], [0.5, 0.75], [0.4, None], [0.6, None], ["first", "second"])],
    "one line",
)
DOCUMENT = [
    Headline("B - A = +3.1 %", "better"),
    Table(["metric", "B - A"], ROWS),
    Text("50 % & more."),
    Table(["name"], [["x"], ["yz"]], "m_1"),
    Text("first note", "note"),
    Text("second note", "note"),
    CURVES,
    Text("mind", "caution"),
    Text("h_", "heading"),
    Code("sampling-eval score <run>"),
    Fold("2 <more>", Later(lambda head: [Table([head], [["q1"]])], "question")),
    Text("Last."),
]


def show_body(page):
    "What stands in the body of a page, without pictures and program."
    return re.sub(r"(?s)<(figure|script)\b.*?</\1>", r"(\1)", page[page.index("<body>") :])


def test_a_document_in_every_form():
    page = html.render(DOCUMENT, "a <title>")
    check_text(
        "document",
        text.render(DOCUMENT, detail=True),
        markdown.render(DOCUMENT),
        latex.render(DOCUMENT),
        show_body(page),
    )
    assert text.render(DOCUMENT).endswith("<run>\n\nLast.")
    assert (
        page.startswith('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">')
        and "<title>a &lt;title&gt;</title>" in page
    )


def test_html_loads_nothing_and_moves_only_where_something_does():
    still, moving = html.render([Text("{{body}} {{script}}")], "t"), html.render([CURVES], "t")
    for page in still, moving:
        assert "http:" not in page and "src=" not in page and "{{style" not in page
    assert (
        "<script" not in still and "<h1>t</h1>" in still and "<p>{{body}} {{script}}</p>" in still
    )
    assert moving.count("<script>") == moving.count("<svg") == 1


@pytest.mark.parametrize(
    "verdict, badge",
    [
        ("", ""),
        ("better", "✓ significant"),
        ("worse", "✗ significant"),
        ("inconclusive", "? inconclusive"),
        ("pass", "✓ PASS"),
        ("fail", "✗ FAIL"),
    ],
)
def test_badges(verdict, badge):
    shown = write_blocks([Headline("x", verdict)])
    assert (
        shown == (
            f'<span class="badge {verdict}">{badge}</span>\n' if verdict else ""
        ) + "<h1>x</h1>"
    )


def test_a_document_begins_and_ends_without_empty_lines():
    table = Table(["k"], [["1"]])
    assert text.render([table]) == "k\n-\n1" and text.render([table, table]) == "k\n-\n1\n\nk\n-\n1"
    assert markdown.render([table]) == "| k |\n|---|\n| 1 |\n" and text.render([]) == ""
    assert latex.render([Text("x")]) == "% x\n"


def test_folds_and_what_is_made_on_demand():
    asked = []

    def make(*given):
        return asked.append(given) or [Text("a"), Fold("in", [Text("b")])]

    late = Later(make, 1, 2)
    fold = Fold("out", late)
    assert text.render([fold]) == "" and not asked
    assert [one.text for one in open_folds([fold])] == ["out", "a", "in", "b"] and asked == [(1, 2)]
    assert len(late) == 2 and late[0] == Text("a") and asked == [(1, 2)]


# Names that come from files.


class Tags(HTMLParser):
    "Tags, attribute names and texts of a page."

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.seen = set(), set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.seen.append(data)


def series_of(name):
    return Series(name, name, [1, 2], [0.5, 0.5], [0.1, 0.1], [0.9, 0.9], [name, name])


EVERYWHERE = [
    Headline,
    Text,
    *(lambda o, kind=kind: Text(o, kind) for kind in ("note", "caution", "heading")),
    Code,
    lambda o: Table([o], [[o]], o),
    lambda o: Fold(o, [Text(o)]),
    lambda o: Grid(o, (o,), (GridLine(o, o, (Cell(o, (o,), o),)),), (o,), o),
]
PICTURES = [
    lambda o: Curves([series_of(o), series_of(o)], o, o, o, zero=o, across=o),
    lambda o: Curves([series_of(o)] * 2, o),
    lambda o: Intervals([Line(o, o, 0.5, 0.4, 0.6, o, 0.3)], o, ends=(o, o), zero=o, limit=o),
    lambda o: Questions(
        [o, o], [Question(o, "flaky", [(1, 2), None])], dict(flaky=1), dict(flaky=o), OUTCOMES
    ),
]
OUTCOMES = [(np.array([1, 4]), np.array([4, 4])), (np.array([2]), np.array([2]))]


@pytest.mark.parametrize("name", HOSTILE)
def test_html_shows_names_literally(name):
    body = write_blocks([make(name) for make in EVERYWHERE + PICTURES])
    found = Tags(body)
    assert not found.tags & {"script", "img", "link", "iframe", "a"}
    assert not {o for o in found.attributes if o.startswith("on")} and "src" not in found.attributes
    plain = text.printable(name)
    assert "".join(found.seen).count(plain) >= 30 and f"<title>{escape_html(plain)}" in body
    assert "<script" not in html.render([Text(name)], name)


@pytest.mark.parametrize("form", [text, markdown, latex, html])
def test_no_form_prints_control_characters(form):
    parts = [make(o) for o in HOSTILE for make in EVERYWHERE + PICTURES]
    shown = write_blocks(parts) if form is html else form.render(parts)
    assert not [o for o in shown if ord(o) < 32 and o != "\n"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_in_its_cell_and_line(name):
    told = markdown.render([Table(["a", "b"], [[name, "1"]]), Text(name)])
    row = told.splitlines()[2]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3 and len(told.splitlines()) == 5
    assert len(text.render([Table(["a", "b"], [[name, "1"]])]).splitlines()) == 3
    assert (
        latex.render([Text(name)]).count("\n") == 1
        and len(markdown.render([Code(name)]).splitlines()) == 1
    )
    assert "<details><summary>&lt;" in markdown.render([Fold("<" + name, [])])


@pytest.mark.parametrize(
    "given, told",
    [
        ("[0.319, 0.528]", "[0.319, 0.528]"),
        ("a|b*c", r"a\|b\*c"),
        ("snake_case", "snake_case"),
        ("_x_", r"\_x\_"),
        ("$x$", r"\$x\$"),
        ("`a`", r"\`a\`"),
        ("~~x", r"\~\~x"),
        ("a\\b", r"a\\b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("[a](x)", "[a&#93;(x)"),
        ("[a][b]", "[a&#93;[b]"),
        ("[a]: x", "[a&#93;: x"),
        ('"', '"'),
        ("\x1b[0m", "\ufffd[0m"),
    ],
)
def test_markdown_escapes(given, told):
    assert markdown.escape_markdown(given) == told


@pytest.mark.parametrize(
    "given, told",
    [
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("50 % & $x_1^2$", r"50 \% \& \$x\_1\textasciicircum{}2\$"),
        ("~#", r"\textasciitilde{}\#"),
        ("a\nb", "a\ufffdb"),
        ("plain", "plain"),
        ("a--b---", "a-{}-b-{}-{}-"),
        ("<|>", r"\textless{}\textbar{}\textgreater{}"),
        ("1–2 ± {}", r"1--2 $\pm$ \{\}"),
    ],
)
def test_latex_escapes(given, told):
    assert latex.escape_latex(given) == told


@pytest.mark.parametrize(
    "given, told",
    [('<a href="x">', "&lt;a href=&quot;x&quot;&gt;"), ("'&", "&#x27;&amp;"), ("\x00", "\ufffd")],
)
def test_html_escapes(given, told):
    assert escape_html(given) == told


# Grids, and lines that belong together.

GRID = Grid(
    "model",
    ("k = 1", "2_b"),
    (
        GridLine("[a]", "all right", (Cell("0.5", ("0.1–0.9", "± 1"), "ab"), None)),
        GridLine("*b", "", (Cell("1"), Cell("2", ("0–1",)))),
        GridLine("c", "", (None, None)),
    ),
    ("new", "again_"),
    "title & more",
)


def test_a_grid_in_every_form():
    check_text(
        "grid", markdown.render([GRID]), latex.render([GRID]), split_markup(write_blocks([GRID]))
    )


def test_a_grid_without_meanings_has_one_column_of_names():
    plain = Grid("m", ("x",), (GridLine("a", "", (Cell("1", ("2",)),)),))
    assert plain.to_table() == Table(
        ["m", "x"], [["a", "1"], ["", "2"]], "", 1
    ) and plain.letter_widths() == [0]
    assert "a & 1 \\\\\n & {\\scriptsize 2} \\\\" in latex.render([plain])
    assert GRID.to_table().left == 2 and GRID.letter_widths() == [2, 0]
    assert GRID.to_table().rows[3] == ["*b", "", "1   ", "2"] and GRID.take([1]).columns == ("2_b",)
    assert (
        GRID.take([1]).lines[1].cells == (Cell("2", ("0–1",)),)
        and GRID.take([1, 0]).title == "title & more"
    )


def test_tables_of_names_and_of_words():
    lines = [["a", "b"], ["1", "2 %"]]
    assert html_table(lines, 2).startswith(
        '<div class="scroll" tabindex="0"><table class="two"><thead>'
    )
    assert "<table><thead>" in html_table(lines)
    assert (
        "<td>2&nbsp;%</td>" in html_table(lines)
        and markdown_table(lines, 2).splitlines()[1] == "|---|---|"
    )
    assert "<table class=\"words\">" in html_table([["a", "b", "c"], ["1", "2", "3"]], 3)
    assert latex_table(lines).startswith(
        r"\begin{tabular}{lr}"
    ) and r"\multicolumn" not in latex_table(lines)
    assert latex_table(lines, left=2).startswith(r"\begin{tabular}{ll}" + "\n\\toprule\na & b")


QUESTIONS = Questions(
    ["m", "n"],
    [Question("q<1", "flaky", [(1, 20), None]), Question("q2", "always", [(21, 21), (0, 0)])],
    dict(flaky=1, never=0, always=1),
    dict(flaky="in <two>"),
    OUTCOMES,
    [9, 1],
)


def test_questions_of_a_page():
    page = write_blocks([QUESTIONS])
    assert page.startswith(
        '<section class="questions several"><figure class="shares"><figcaption>Questions, by how '
        'many of their samples are right'
    )
    assert (
        '<label><input type="radio" name="kind" value="all" checked> all: 2</label><label><input'
        ' type="radio" name="kind" value="flaky"> in &lt;two&gt;: 1</label><label><input'
        ' type="radio" name="kind" value="never"> never: 0</label>'
        in page
    )
    assert (
        '<tbody data-kind="flaky" data-share="0.050000" data-loss="0.950000"><tr><td>q&lt;1</td><td'
        ' class="c1" data-order="0.050000"><span class="dots" style="--c:1;--n:20"></span>1 of'
        ' 20</td><td></td></tr>'
        in page
    )
    assert (
        '<td class="c1" data-order="1.000000"><span class="bar" style="--c:21;--n:21"></span>21 of'
        ' 21</td><td class="c1" data-order="0.000000">'
        in page
    )
    assert '<div class="c1"><b>m</b><svg' in page
    assert 'aria-label="n: Questions, by how many of their samples are right"' in page
    one = replace(QUESTIONS, heads=["m"], outcomes=QUESTIONS.outcomes[:1], rows=[], colours=())
    alone = write_blocks([one])
    assert (
        '<section class="questions"><figure' in alone
        and "by how many of their 4 samples are right" in alone
    )
    assert '<div class="c0"><svg' in alone
    assert "<script>" in html.render([one], "t")
    unequal = replace(one, outcomes=[(np.array([1, 4]), np.array([4, 5]))])
    assert "by the share of their samples that is right" in write_blocks([unequal])


def test_a_float_of_tables():
    small = Grid("m", ("x",), (GridLine("a", "", (Cell("1"),)),))
    told = latex.write_float([small, small], "50 % " + "word " * 20, "tab:x", ["a comment " * 10])
    table = (
        "\\begin{tabular}{lr}\n\\toprule\nm & x \\\\\n\\midrule\na & 1"
        " \\\\\n\\bottomrule\n\\end{tabular}"
    )
    words = "word " * 13 + "word\n  " + "word " * 6
    assert told == (
        "% Needs \\usepackage{booktabs}.\n\\begin{table}\n\\centering\n\\caption{50 \\% "
        + words
        + "}\n\\label{tab:x}\n"
        + table
        + "\n\n\\medskip\n"
        + table
        + "\n\\end{table}\n% "
        + " ".join(["a comment"] * 8)
        + " a\n% comment a comment\n"
    )
    assert latex.write_float([small], "模", "t").startswith(
        "% Needs \\usepackage{booktabs}.\n% 模 needs XeLaTeX or LuaLaTeX, and a font that has it.\n"
    )
    assert latex.fold("x" * 100) == "x" * 100 and latex.fold("word-" * 30) == "word-" * 30
    assert latex.fold("x" * 44 + " " + "y" * 43) == "x" * 44 + " " + "y" * 43
    assert latex.fold("x" * 44 + " " + "y" * 44, "% ") == "x" * 44 + "\n% " + "y" * 44
    assert latex.engine_comment("\u024f\u2010\u2027\ufffd") == [] and latex.engine_comment("\u0250")
    assert latex.engine_comment("\u2028")


def test_curves_of_a_page():
    two = replace(
        CURVES,
        series=[
            replace(CURVES.series[0], meaning="at <once>"),
            replace(CURVES.series[0], label="n", shown=False, colour=9),
        ],
        title="t & u",
    )
    page = write_blocks([two])
    assert page.startswith(
        '<h2>t &amp; u</h2>\n<figure class="chart"><div class="controls" hidden><label class="c0">'
        '<input type="checkbox" data-shows="0" checked> m: at &lt;once&gt;</label>'
        '<label class="c1"><input type="checkbox" data-shows="1"> n</label></div><svg'
    )
    assert '<g class="c1" data-series="1" hidden>' in page
    alone = write_blocks([CURVES])
    assert alone.startswith('<figure class="chart"><svg') and 'data-say="first"' in alone


def test_intervals_of_a_page():
    lines = [
        Line("a<b", "+3.1", 0.03, -0.01, 0.07, "50 % & more", 0.02, "inconclusive", 9),
        Line("c", "1", 1, None, None),
    ]
    page = write_blocks(
        [Intervals(lines, 'all "seen"', None, ("0 %", "100 %"), "no change", "at least 2 %")]
    )
    assert page.startswith(
        '<figure class="intervals" role="img" aria-label="all &quot;seen&quot;"><div'
        ' class="interval c1 inconclusive"><span>a&lt;b<small>50&nbsp;% &amp;'
        ' more</small></span><svg class="line"'
    )
    assert "<b>+3.1</b></div>" in page and '<div class="interval c0 "><span>c</span><svg' in page
    assert page.endswith(
        '<div class="interval ends"><span>dashed line: no change; red line: at least'
        ' 2&nbsp;%</span><span><span>0&nbsp;%</span><span>100&nbsp;%</span></span></div></figure>'
    )
    assert page.count('class="upright"') == 2 and page.count('class="limit"') == 1
    assert write_blocks([Intervals(lines, "x", (0, 1))]).count('class="upright"') == 0


def test_a_table_may_be_its_head_alone():
    assert markdown_table([["a", "b"]]) == "| a | b |\n|---|---:|"
    assert latex_table([["a", "b"]]).splitlines()[1:] == [
        r"\toprule",
        r"a & b \\",
        r"\midrule",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    assert html_table([["a"]]).endswith(
        "<thead><tr><th>a</th></tr></thead><tbody></tbody></table></div>"
    )


# Text of the terminal: widths, what is cut, what is broken, and what stands below.


@pytest.mark.parametrize(
    "text, width",
    [
        ("", 0),
        ("abc", 3),
        ("漢字", 4),
        ("ＡＢ", 4),
        ("e\u0301", 1),
        ("\u20dd", 0),
        ("é", 1),
        ("漢e\u0301x", 4),
        ("–", 1),
        ("ที่", 1),
    ],
)
def test_columns_of_a_terminal(text, width):
    assert measure(text) == width


@pytest.mark.parametrize(
    "text, width, told",
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("漢字", 4, "漢字"),
        ("漢字漢", 5, "漢字…"),
        ("漢字漢", 4, "漢…"),
        ("ab", 1, "a…"),
    ],
)
def test_a_text_is_no_wider_than_its_place(text, width, told):
    assert cut(text, width) == told


def test_a_table_aligns_names_left_and_numbers_right():
    lines = [["name", "of", "n"], ["漢字x", "b", "10"], ["c", "long", "7"]]
    assert (
        text_table(lines, 2) == "name   of     n\n---------------\n漢字x  b     10\nc      long   7"
    )
    assert text_table(lines).splitlines()[3] == "c      long   7"
    assert text_table([["name", "of"], ["a", "b"]]) == "name  of\n--------\na      b"
    with pytest.raises(ValueError):
        text_table([["a", "b"], ["c"]])
    assert text_table([["a", "b"], ["c", ""]], 2) == "a  b\n----\nc"


def make_table(name, numbers, cell="1" * 10):
    return Table(["name", *["n"] * numbers], [[name, *[cell] * numbers], ["b", *["2"] * numbers]])


def count_heads(table):
    "How many columns stand in each block of a table."
    return [
        line.split().count("n")
        for line in render([table]).splitlines()
        if line.startswith(("name", " "))
    ]


def test_eighty_columns_and_one_more():
    # A name, then columns of 12: 8 + 6 * 12 = 80.
    assert count_heads(make_table("a" * 8, 6)) == [6] and count_heads(make_table("a" * 9, 6)) == [
        5,
        1,
    ]
    assert max(map(len, render([make_table("a" * 8, 6)]).splitlines())) == 80
    assert render([make_table("a" * 9, 6)]).count("\n\n") == 1


def test_long_names_have_lines_of_their_own():
    short, long = "s" * 40, "l" * 41
    assert render([make_table(short, 4)]).splitlines()[2].split() == [short, *["1" * 10] * 3]
    told = render([make_table(long, 6)]).splitlines()
    assert (
        told[2] == long
        and told[3].split() == ["1" * 10] * 6
        and told[4].split() == ["b", *["2"] * 6]
    )
    assert render([Table(["answer", "n"], [["x" * 44, "1"]])]).splitlines()[2] == "x" * 44 + "  1"
    assert (
        render([Table(["name", "n"], [["a", "x" * 90]])]).splitlines()[2]
        == "a     " + "x" * 73 + "…"
    )


def make_grid(numbers, name="a", wraps=False, order=(), title="", heads=None, size=10):
    "Models by numbers of so many characters."
    heads = heads or [f"h{i}" for i in range(numbers)]
    cells = tuple(Cell("1" * size, ("2",)) for _ in range(numbers))
    return Grid(
        "model",
        tuple(heads),
        (GridLine(name, "", cells), GridLine("b", "", cells)),
        (),
        title,
        order,
        wraps,
    )


def test_columns_without_room_are_named_or_stand_below():
    told = render([make_grid(8)])
    assert told.endswith("\nNot shown here: h6, h7; --how and files have them.")
    assert render([make_grid(8, heads=["k = 1", *"2345678"], order=tuple(range(8)))]).endswith(
        "\nNot shown here: k = 7, 8; --how and files have them."
    )
    below = render([make_grid(8, wraps=True)]).split("\n\n")
    assert [block.split("\n")[0].split()[1:] for block in below] == [
        [f"h{i}" for i in range(6)],
        ["h6", "h7"],
    ]
    assert "Not shown" not in render([make_grid(6)]) and "Not shown" not in "".join(below)
    assert (
        first_heads("abcdef") == "a, b, c, d, e, f"
        and first_heads("abcdefgh") == "a, b, c, d, e, f and 2 more"
    )


def test_long_names_stand_above_their_numbers():
    assert render([make_grid(1, "a" * 40)]).splitlines()[2].split() == ["a" * 40, "1" * 10]
    told = render([make_grid(1, "a" * 41)]).splitlines()
    assert [line.split() for line in told] == [
        ["model", "h0"],
        ["-" * 17],
        ["a" * 41],
        ["1" * 10],
        ["2"],
        ["b", "1" * 10],
        ["2"],
    ]
    swapped = replace(matrix := make_grid(1, "a" * 41), lines=matrix.lines[::-1])
    assert [line.split()[0] for line in render([swapped]).splitlines()[2:]] == [
        "b",
        "2",
        "a" * 41,
        "1" * 10,
        "2",
    ]


WORD = "abcdefghi"  # Eight of them and their spaces are 79 columns


@pytest.mark.parametrize(
    "text, told",
    [
        (" ".join([WORD] * 8), " ".join([WORD] * 8)),
        (" ".join([WORD] * 7 + [WORD + "j"]), " ".join([WORD] * 7 + [WORD + "j"])),
        (" ".join([WORD] * 7 + [WORD + "jk"]), " ".join([WORD] * 7) + f"\n{WORD}jk"),
        ("长" * 41, "长" * 40 + "\n长"),
        ("one " + "x" * 90, f"one\n{'x' * 80}\n{'x' * 10}"),
        ("x" * 81, "x" * 80 + "\nx"),
        ("x" * 240, "\n".join(["x" * 80] * 3)),
        ("长" * 121, "\n".join(["长" * 40] * 3) + "\n长"),
        ("  a b  ", "  a b"),
        ("a  b", "a  b"),
        ("", ""),
        ("x" * 76 + " 50 %", "x" * 76 + "\n50 %"),
        ("x" * 75 + " 50 %", "x" * 75 + " 50 %"),
    ],
)
def test_lines_are_broken_at_eighty_columns(text, told):
    assert wrap(text) == told


def test_lines_after_the_first_are_indented():
    assert (
        wrap(" ".join(["x" * 40, "y" * 40, "z" * 38, "end"]), "  ")
        == f"{'x' * 40}\n  {'y' * 40}\n  {'z' * 38} end"
    )
    assert wrap("x" * 100, "  ") == "x" * 78 + "\n  " + "x" * 22
    assert wrap("x" * 78 + " y", "  ") == "x" * 78 + " y"


def test_a_command_in_lines():
    typed = "sampling-eval score " + "x" * 60
    assert break_command(typed) == typed and len(typed) == 80
    assert break_command(typed + "x") == "sampling-eval score \\\n  " + "x" * 61
    assert break_command("y " * 60) == "y " * 60
    told = break_command("Next: sampling-eval score " + "a" * 50 + " --group 'two words' -o f")
    assert told == "Next: sampling-eval score " + "a" * 50 + " \\\n  --group 'two words' -o f"
    exact = "sampling-eval score " + "a" * 52 + " " + "b" * 5  # With the sign at its end 80 columns
    assert break_command(exact + " cc") == exact + " \\\n  cc"
    assert break_command(exact + "b cc").startswith("sampling-eval score " + "a" * 52 + " \\\n")
    assert break_command("sampling-eval \x1b" + "x" * 80).startswith("sampling-eval \\\n  \ufffdx")


def test_air_between_blocks():
    table = Table(["n"], [["1"]])
    blocks = [
        Text("a", "note"),
        Headline("b"),
        Text("c"),
        Headline("d"),
        table,
        Code("e"),
        Fold("f", [Text("g", "note")]),
        Table(["n"], [["2"]], "t"),
        make_grid(1, title="m"),
        Text("h", "heading"),
        Text("i", "note"),
        Text("", "note"),
        Text("j", "note"),
    ]
    grid = [
        "model          h0",
        "-" * 17,
        "a      1111111111",
        "                2",
        "b      1111111111",
        "                2",
    ]
    assert render(blocks) == "\n".join(
        [
            "a",
            "",
            "b",
            "",
            "c",
            "",
            "d",
            "",
            "n",
            "-",
            "1",
            "",
            "e",
            "",
            "t",
            "n",
            "-",
            "2",
            "",
            "m",
            *grid,
            "",
            "h",
            "",
            "i",
            "j",
        ]
    )
    assert render([Headline("a"), Headline("b")]) == "a\n\nb" and render([]) == ""


def test_detail_opens_folds_and_shows_every_column():
    wide = [Fold("f", [Text("g")]), make_grid(8)]
    assert render(wide).startswith("model ") and "h6, h7; --how" in render(wide)
    told = render(wide, detail=True)
    assert told.startswith("f\n\ng\n\nmodel ") and "h7" in told and "--how" not in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize(
    "value, width, length, told",
    [
        ("abc", 3, None, "abc"),
        ("", 9, None, "''"),
        (7, 9, None, "7"),
        ("a\n b", 9, None, "a b"),
        ("  ", 9, None, "'  '"),
        (" " * 50, 20, None, "50 characters of space"),
        (" " * 20, 20, None, "20 characters of space"),
        (" " * 19, 20, None, "19 characters of space"),
        (" " * 18, 20, None, f"'{' ' * 18}'"),
        ("\t" * 9, 20, None, r"'\t\t\t\t\t\t\t\t\t'"),
        ("\t" * 10, 20, None, "10 characters of space"),
        (" " * 8, 20, 90, "90 characters of space"),
        ("a" + " " * 200, 30, None, "a… (201 characters)"),
        ("a" + " " * 118 + "b", 30, None, "a b"),
        ("a" + " " * 120 + "b", 30, None, "a… (122 characters)"),
        ("x" * 15 + "  " + "y" * 14, 30, None, "x" * 15 + " " + "y" * 14),
        ("x" * 50, 30, None, "x" * 13 + "… (50 characters)"),
        ("长" * 50, 30, None, "长" * 6 + "… (50 characters)"),
        ("begin", 30, 1000, "begin"),
        ("\x1b[0m", 9, None, "\ufffd[0m"),
        ("x" * 30, 10, 5000, "x… (5,000 characters)"),
    ],
)
def test_an_answer_of_any_length_is_one_line(value, width, length, told):
    assert cut_text(value, width, length) == told


def test_two_tables_are_parted_in_latex():
    "An empty line between them, and none between comments."
    one = Table(["a", "b"], [["1", "2"]])
    both = latex.render([one, one])
    assert both.count("\n\n") == both.count(r"\end{tabular}") - 1 == 1
    assert latex.render([Text("a"), Text("b")]) == "% a\n% b\n"


# What samples say, on a page.

LONG = Excerpt("abc", "yz", 1234)
RIGHT = Passage("✓ right", True, "m<1", LONG, None, "a.csv, line 2", "a.csv?x&y")
WRONG = Passage("✗ wrong", False, "", None, Excerpt("own\tprompt\r\nis"), "a.csv, line 3")
SCORED = Passage("0.5", None, "", Excerpt("<b>"), None, "row 4")


@pytest.mark.parametrize(
    "passage, told",
    [
        (
            RIGHT,
            '<div class="sample right"><p><b>✓ right</b> m&lt;1 <small><a href="a.csv?x&amp;y">'
            "a.csv, line 2</a></small></p>"
            '<pre>abc<i class="cut">1,234 characters left out</i>yz</pre></div>',
        ),
        (
            WRONG,
            '<div class="sample wrong"><p><b>✗ wrong</b> <small>a.csv, line 3</small></p>'
            '<p>Prompt</p><pre>own prompt\nis</pre><p class="note">No answer.</p></div>',
        ),
        (
            SCORED,
            '<div class="sample open"><p><b>0.5</b> <small>row 4</small></p>'
            "<pre>&lt;b&gt;</pre></div>",
        ),
    ],
    ids=["right", "wrong", "scored"],
)
def test_what_a_sample_says(passage, told):
    page = write_blocks([Samples("q", None, (passage,))])
    head = '<details class="samples"><summary>Prompt and answers: 1 sample</summary>'
    assert page == f"{head}{told}</details>"


@pytest.mark.parametrize(
    "total, many", [(None, "2 samples"), (2, "2 samples"), (3, "2 of 3 samples")]
)
def test_how_many_samples_are_shown(total, many):
    shown = Samples("q", Excerpt("ask"), (RIGHT, SCORED), total, opened=True)
    assert write_blocks([shown]).startswith(
        f'<details class="samples" open><summary>Prompt and answers: {many}</summary>'
        '<h3>Prompt</h3><pre>ask</pre><div class="sample right">'
    )
    assert write_blocks([replace(shown, passages=())]) == ""


def test_characters_that_are_shown():
    assert LONG.size == 5 and Excerpt("abc").size == 3
    assert Samples("q", Excerpt("ask"), (RIGHT, WRONG, SCORED)).size == 3 + 5 + 14 + 3
    assert Samples("q").size == 0


@pytest.mark.parametrize(
    "tries, share, loss",
    [
        ([(1, 4)], 0.25, 0.75),
        ([(1, 4), (3, 4)], 0.5, -0.5),
        ([(3, 4), (1, 2)], 0.625, 0.25),
        ([(1, 4), None], 0.25, 0.75),
        ([(1, 4), (0, 0)], 0.25, 0),
        ([(0, 0), (1, 4)], 0.25, 0),
        ([(1, 2), (1, 2), (1, 8)], 0.375, 0.625),
        ([None], 0, 1),
    ],
    ids=str,
)
def test_how_often_a_question_is_right(tries, share, loss):
    question = Question("q", "flaky", tries)
    assert (question.share, question.loss) == (share, loss)
