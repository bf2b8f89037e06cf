"One document in four forms: what stands where, and names from files that stay text."
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from sampling_eval.report import html, latex, markdown, text
from sampling_eval.report.blocks import (Cell, Code, Curves, Fold, Grid, GridLine, Headline, Intervals, Later, Line,
                                         Question, Questions, Series, Table, Text, open_folds)
from sampling_eval.report.html import html_table, write_blocks
from sampling_eval.report.latex import latex_table
from sampling_eval.report.markdown import markdown_table
from sampling_eval.report.text import escape_html

HOSTILE = ["<script>alert(1)</script>", 'x" onload="alert(1)', "a|b\n| c", "$\\frac{1}{0}$",
           "\\input{x} & 100% #_^~", "\x1b[31mred\x1b[0m", "_hidden", "[link](http://x)",
           "<img src=x onerror=alert(1)>", "`code`", "*bold*"]


ROWS = [["pass@1", "+0.031"], ["a_b", "-"]]
CURVES = Curves([Series("m", "", [1, 2], [.5, .75], [.4, None], [.6, None], ["first", "second"])], "one line")
DOCUMENT = [Headline("B - A = +3.1 %", "better"), Table(["metric", "B - A"], ROWS), Text("50 % & more."),
            Table(["name"], [["x"], ["yz"]], "m_1"), Text("first note", "note"), Text("second note", "note"), CURVES,
            Text("mind", "caution"), Text("h_", "heading"), Code("sampling-eval score <run>"),
            Fold("2 <more>", Later(lambda head: [Table([head], [["q1"]])], "question")), Text("Last.")]


def test_text():
    assert text.render(DOCUMENT) == """\
B - A = +3.1 %

metric   B - A
--------------
pass@1  +0.031
a_b          -

50 % & more.

m_1
name
----
x
yz

first note
second note

Warning: mind

h_

sampling-eval score <run>

Last."""
    assert text.render(DOCUMENT, detail=True).endswith("<run>\n\n2 <more>\n\nquestion\n--------\nq1\n\nLast.")


def test_markdown():
    assert markdown.render(DOCUMENT) == r"""**B - A = +3.1 %**

| metric | B - A |
|---|---:|
| pass@1 | +0.031 |
| a_b | - |

50 % &amp; more.

**m_1**

| name |
|---|
| x |
| yz |

first note__
second note

**Warning:** mind

**h\_**

    sampling-eval score <run>

<details><summary>2 &lt;more&gt;</summary>

| question |
|---|
| q1 |

</details>

Last.
""".replace("note__", "note  ")


def test_latex():
    assert latex.render(DOCUMENT) == r"""% B - A = +3.1 \%

\begin{tabular}{lr}
\toprule
metric & B - A \\
\midrule
pass@1 & +0.031 \\
a\_b & - \\
\bottomrule
\end{tabular}

% 50 \% \& more.

\begin{tabular}{l}
\toprule
\multicolumn{1}{l}{m\_1} \\
name \\
\midrule
x \\
yz \\
\bottomrule
\end{tabular}

% first note
% second note
% mind
% h\_
% sampling-eval score \textless{}run\textgreater{}
% 2 \textless{}more\textgreater{}

\begin{tabular}{l}
\toprule
question \\
\midrule
q1 \\
\bottomrule
\end{tabular}

% Last.
"""


def test_html():
    page = html.render(DOCUMENT, "a <title>")
    assert page.startswith('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">')
    assert "<title>a &lt;title&gt;</title>" in page
    body = re.sub(r"(?s)<(figure|script)\b.*?</\1>", r"(\1)", page[page.index("<body>"):])
    assert body == """<body>
<span class="badge better">✓ significant</span>
<h1>B - A = +3.1&nbsp;%</h1>
<div class="scroll" tabindex="0"><table><thead><tr><th>metric</th><th>B - A</th></tr></thead>\
<tbody><tr><td>pass@1</td><td>+0.031</td></tr><tr><td>a_b</td><td>-</td></tr></tbody></table></div>
<p>50&nbsp;% &amp; more.</p>
<h2>m_1</h2>
<div class="scroll" tabindex="0"><table><thead><tr><th>name</th></tr></thead>\
<tbody><tr><td>x</td></tr><tr><td>yz</td></tr></tbody></table></div>
<p class="note">first note</p>
<p class="note">second note</p>
(figure)
<p class="caution"><b>Warning:</b> mind</p>
<h2>h_</h2>
<p><code>sampling-eval score &lt;run&gt;</code></p>
<details><summary>2 &lt;more&gt;</summary>\
<div class="scroll" tabindex="0"><table><thead><tr><th>question</th></tr></thead>\
<tbody><tr><td>q1</td></tr></tbody></table></div></details>
<p>Last.</p>
(script)
</body></html>
"""


def test_html_loads_nothing_and_moves_only_where_something_does():
    still, moving = html.render([Text("{{body}} {{script}}")], "t"), html.render([CURVES], "t")
    for page in still, moving: assert "http:" not in page and "src=" not in page and "{{style" not in page
    assert "<script" not in still and "<h1>t</h1>" in still and "<p>{{body}} {{script}}</p>" in still
    assert moving.count("<script>") == moving.count("<svg") == 1


@pytest.mark.parametrize("verdict, badge", [
    ("", ""), ("better", "✓ significant"), ("worse", "✗ significant"), ("inconclusive", "? inconclusive"), ("pass", "✓ PASS"),
    ("fail", "✗ FAIL")])
def test_badges(verdict, badge):
    shown = write_blocks([Headline("x", verdict)])
    assert shown == (f'<span class="badge {verdict}">{badge}</span>\n' if verdict else "") + "<h1>x</h1>"


def test_a_document_begins_and_ends_without_empty_lines():
    table = Table(["k"], [["1"]])
    assert text.render([table]) == "k\n-\n1" and text.render([table, table]) == "k\n-\n1\n\nk\n-\n1"
    assert markdown.render([table]) == "| k |\n|---|\n| 1 |\n" and text.render([]) == ""
    assert latex.render([Text("x")]) == "% x\n"


def test_folds_and_what_is_made_on_demand():
    asked = []
    def make(*given): return asked.append(given) or [Text("a"), Fold("in", [Text("b")])]
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

    def handle_data(self, data): self.seen.append(data)


def series_of(name): return Series(name, name, [1, 2], [.5, .5], [.1, .1], [.9, .9], [name, name])


EVERYWHERE = [
    Headline, Text, *(lambda o, kind=kind: Text(o, kind) for kind in ("note", "caution", "heading")), Code,
    lambda o: Table([o], [[o]], o), lambda o: Fold(o, [Text(o)]),
    lambda o: Grid(o, (o,), (GridLine(o, o, (Cell(o, (o,), o),)),), (o,), o)]
PICTURES = [
    lambda o: Curves([series_of(o), series_of(o)], o, o, o, zero=o, across=o), lambda o: Curves([series_of(o)] * 2, o),
    lambda o: Intervals([Line(o, o, .5, .4, .6, o, .3)], o, ends=(o, o), zero=o, limit=o),
    lambda o: Questions([o, o], [Question(o, "flaky", [(1, 2), None])], dict(flaky=1), dict(flaky=o), OUTCOMES)]
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
    assert latex.render([Text(name)]).count("\n") == 1 and len(markdown.render([Code(name)]).splitlines()) == 1
    assert "<details><summary>&lt;" in markdown.render([Fold("<" + name, [])])


@pytest.mark.parametrize("given, told", [
    ("[0.319, 0.528]", "[0.319, 0.528]"), ("a|b*c", r"a\|b\*c"), ("snake_case", "snake_case"),
    ("_x_", r"\_x\_"), ("$x$", r"\$x\$"), ("`a`", r"\`a\`"), ("~~x", r"\~\~x"), ("a\\b", r"a\\b"),
    ("<b>&", "&lt;b&gt;&amp;"), ("[a](x)", "[a&#93;(x)"), ("[a][b]", "[a&#93;[b]"),
    ("[a]: x", "[a&#93;: x"), ('"', '"'), ("\x1b[0m", "\ufffd[0m")])
def test_markdown_escapes(given, told): assert markdown.escape_markdown(given) == told


@pytest.mark.parametrize("given, told", [
    ("\\input{x}", r"\textbackslash{}input\{x\}"),
    ("50 % & $x_1^2$", r"50 \% \& \$x\_1\textasciicircum{}2\$"),
    ("~#", r"\textasciitilde{}\#"), ("a\nb", "a\ufffdb"), ("plain", "plain"),
    ("a--b---", "a-{}-b-{}-{}-"), ("<|>", r"\textless{}\textbar{}\textgreater{}"), ("1–2 ± {}", r"1--2 $\pm$ \{\}")])
def test_latex_escapes(given, told): assert latex.escape_latex(given) == told


@pytest.mark.parametrize("given, told", [
    ('<a href="x">', "&lt;a href=&quot;x&quot;&gt;"), ("'&", "&#x27;&amp;"), ("\x00", "\ufffd")])
def test_html_escapes(given, told): assert escape_html(given) == told


# Grids, and lines that belong together.

GRID = Grid("model", ("k = 1", "2_b"), (
    GridLine("[a]", "all right", (Cell("0.5", ("0.1–0.9", "± 1"), "ab"), None)), GridLine("*b", "", (Cell("1"),
        Cell("2", ("0–1",)))),
    GridLine("c", "", (None, None))), ("new", "again_"), "title & more")


def test_a_grid_as_markdown():
    assert markdown.render([GRID]) == r"""**title &amp; more**

| model |  | k = 1 | 2_b |
|---|---|---:|---:|
| [a] | all right | 0.5 ab |  |
|  | new | 0.1–0.9 |  |
|  | again\_ | ± 1 |  |
| \*b |  | 1 | 2 |
|  | new |  | 0–1 |
| c |  |  |  |
"""


def test_a_grid_as_latex():
    assert latex.render([GRID]) == r"""\begin{tabular}{llrr}
\toprule
\multicolumn{4}{l}{title \& more} \\
model &  & k = 1 & 2\_b \\
\midrule
{}[a] & all right & 0.5\textsuperscript{ab} &  \\
 & new & {\scriptsize 0.1--0.9} &  \\
 & again\_ & {\scriptsize $\pm$ 1} &  \\
{}*b &  & 1 & 2 \\
 & new &  & {\scriptsize 0--1} \\
c &  &  &  \\
\bottomrule
\end{tabular}
"""


def test_a_grid_without_meanings_has_one_column_of_names():
    plain = Grid("m", ("x",), (GridLine("a", "", (Cell("1", ("2",)),)),))
    assert plain.to_table() == Table(["m", "x"], [["a", "1"], ["", "2"]], "", 1) and plain.letter_widths() == [0]
    assert "a & 1 \\\\\n & {\\scriptsize 2} \\\\" in latex.render([plain])
    assert GRID.to_table().left == 2 and GRID.letter_widths() == [2, 0]
    assert GRID.to_table().rows[3] == ["*b", "", "1   ", "2"] and GRID.take([1]).columns == ("2_b",)
    assert GRID.take([1]).lines[1].cells == (Cell("2", ("0–1",)),) and GRID.take([1, 0]).title == "title & more"


def test_a_grid_as_html():
    page = write_blocks([GRID])
    assert page == (
        '<h2>title &amp; more</h2>\n<div class="scroll" tabindex="0"><table '
        'class="matrix"><thead><tr><th>model</th><th>k = 1</th><th>2_b</th></tr>'
        '</thead><tbody><tr><td>[a]<small>all right</small><small>new</small><small>again_</small></td><td>0.5<sup '
        'class="mark" '
        'style="width:2ch">ab</sup><small>0.1–0.9</small><small>± '
        '1</small></td><td></td></tr><tr><td>*b<small>new</small><small>again_</small></td>'
        '<td>1<sup class="mark" '
        'style="width:2ch"></sup></td><td>2<small>0–1</small></td></tr>'
        "<tr><td>c<small>new</small><small>again_</small></td>"
        "<td></td><td></td></tr></tbody></table></div>")


def test_tables_of_names_and_of_words():
    lines = [["a", "b"], ["1", "2 %"]]
    assert html_table(lines, 2).startswith('<div class="scroll" tabindex="0"><table class="two"><thead>')
    assert "<table><thead>" in html_table(lines)
    assert "<td>2&nbsp;%</td>" in html_table(lines) and markdown_table(lines, 2).splitlines()[1] == "|---|---|"
    assert latex_table(lines).startswith(r"\begin{tabular}{lr}") and r"\multicolumn" not in latex_table(lines)
    assert latex_table(lines, left=2).startswith(r"\begin{tabular}{ll}" + "\n\\toprule\na & b")


QUESTIONS = Questions(
    ["m", "n"], [Question("q<1", "flaky", [(1, 20), None]), Question("q2", "always", [(21, 21), (0, 0)])],
    dict(flaky=1, never=0, always=1), dict(flaky="in <two>"), OUTCOMES, [9, 1])


def test_questions_of_a_page():
    page = write_blocks([QUESTIONS])
    assert page.startswith('<section class="questions several"><figure class="shares"><figcaption>Questions, by how '
                           'many of their samples are right')
    assert ('<label><input type="radio" name="kind" value="all" checked> all: 2</label><label><input type="radio" '
            'name="kind" value="flaky"> in '
            '&lt;two&gt;: 1</label><label><input type="radio" name="kind" value="never"> never: 0</label>') in page
    assert ('<tbody data-kind="flaky" data-share="0.050000" data-loss="0.950000"><tr><td>q&lt;1</td><td class="c1" data-order="0.050000">'
            '<span class="dots" style="--c:1;--n:20"></span>1 of 20</td><td></td></tr>') in page
    assert ('<td class="c1" data-order="1.000000"><span class="bar" style="--c:21;--n:21"></span>21 of 21</td>'
            '<td class="c1" data-order="0.000000">') in page
    assert '<div class="c1"><b>m</b><svg' in page
    assert 'aria-label="n: Questions, by how many of their samples are right"' in page
    one = replace(QUESTIONS, heads=["m"], outcomes=QUESTIONS.outcomes[:1], rows=[], colours=())
    alone = write_blocks([one])
    assert '<section class="questions"><figure' in alone and "by how many of their 4 samples are right" in alone
    assert '<div class="c0"><svg' in alone
    assert "<script>" in html.render([one], "t")
    unequal = replace(one, outcomes=[(np.array([1, 4]), np.array([4, 5]))])
    assert "by the share of their samples that is right" in write_blocks([unequal])


def test_a_float_of_tables():
    small = Grid("m", ("x",), (GridLine("a", "", (Cell("1"),)),))
    told = latex.write_float([small, small], "50 % " + "word " * 20, "tab:x", ["a comment " * 10])
    table = "\\begin{tabular}{lr}\n\\toprule\nm & x \\\\\n\\midrule\na & 1 \\\\\n\\bottomrule\n\\end{tabular}"
    words = "word " * 13 + "word\n  " + "word " * 6
    assert told == ("% Needs \\usepackage{booktabs}.\n\\begin{table}\n\\centering\n\\caption{50 \\% " + words
                    + "}\n\\label{tab:x}\n" + table + "\n\n\\medskip\n" + table
                    + "\n\\end{table}\n% " + " ".join(["a comment"] * 8)
                    + " a\n% comment a comment\n")
    assert latex.write_float([small], "模", "t").startswith("% Needs \\usepackage{booktabs}.\n% 模 needs XeLaTeX or "
                                                           "LuaLaTeX, and a font that has it.\n")
    assert latex.fold("x" * 100) == "x" * 100 and latex.fold("word-" * 30) == "word-" * 30
    assert latex.fold("x" * 44 + " " + "y" * 43) == "x" * 44 + " " + "y" * 43
    assert latex.fold("x" * 44 + " " + "y" * 44, "% ") == "x" * 44 + "\n% " + "y" * 44
    assert latex.tell_engine("\u024f\u2010\u2027\ufffd") == [] and latex.tell_engine("\u0250")
    assert latex.tell_engine("\u2028")


def test_curves_of_a_page():
    two = replace(CURVES, series=[replace(CURVES.series[0], meaning="at <once>"),
                                  replace(CURVES.series[0], label="n", shown=False, colour=9)], title="t & u")
    page = write_blocks([two])
    assert page.startswith('<h2>t &amp; u</h2>\n<figure class="chart"><div class="controls" hidden><label class="c0">'
                           '<input type="checkbox" data-shows="0" checked> m: at &lt;once&gt;</label>'
                           '<label class="c1"><input type="checkbox" data-shows="1"> n</label></div><svg')
    assert '<g class="c1" data-series="1" hidden>' in page
    alone = write_blocks([CURVES])
    assert alone.startswith('<figure class="chart"><svg') and 'data-say="first"' in alone


def test_intervals_of_a_page():
    lines = [Line("a<b", "+3.1", .03, -.01, .07, "50 % & more", .02, "inconclusive", 9), Line("c", "1", 1, None, None)]
    page = write_blocks([Intervals(lines, 'all "seen"', None, ("0 %", "100 %"), "no change", "at least 2 %")])
    assert page.startswith('<figure class="intervals" role="img" aria-label="all &quot;seen&quot;"><div class="interval '
                           'c1 inconclusive"><span>a&lt;b<small>50&nbsp;% &amp; more</small></span><svg class="line"')
    assert "<b>+3.1</b></div>" in page and '<div class="interval c0 "><span>c</span><svg' in page
    assert page.endswith('<div class="interval ends"><span>dashed line: no change; red line: at least 2&nbsp;%</span><span>'
                         "<span>0&nbsp;%</span><span>100&nbsp;%</span></span></div></figure>")
    assert page.count('class="upright"') == 2 and page.count('class="limit"') == 1
    assert write_blocks([Intervals(lines, "x", (0, 1))]).count('class="upright"') == 0


def test_a_table_may_be_its_head_alone():
    assert markdown_table([["a", "b"]]) == "| a | b |\n|---|---:|"
    assert latex_table([["a", "b"]]).splitlines()[1:] == [r"\toprule", r"a & b \\", r"\midrule", r"\bottomrule",
                                                          r"\end{tabular}"]
    assert html_table([["a"]]).endswith("<thead><tr><th>a</th></tr></thead><tbody></tbody></table></div>")
