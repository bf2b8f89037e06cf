"One document in four forms: what stands where, and names from files that stay text."
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from sampling_eval.reporting import html, latex, markdown, text
from sampling_eval.report.html import html_table
from sampling_eval.report.text import escape_html
from sampling_eval.report.latex import latex_table
from sampling_eval.report.markdown import markdown_table
from sampling_eval.report.blocks import Question, Table
from sampling_eval.reporting.parts import (Beside, Cell, Figure, Folded, GridLine, Heading, Judged,
                                           Key, Keys, Lead, Matrix, Note, Outcomes, Questions,
                                           Sentence, Typed)
HOSTILE = ["<script>alert(1)</script>", 'x" onload="alert(1)', "a|b\n| c", "$\\frac{1}{0}$",
           "\\input{x} & 100% #_^~", "\x1b[31mred\x1b[0m", "_hidden", "[link](http://x)",
           "<img src=x onerror=alert(1)>", "`code`", "*bold*"]


def draw(ax): ax.plot([0, 1])


ROWS = [["pass@1", "+0.031"], ["a_b", "-"]]
PARTS = [Heading("B against A"), Table(["metric", "B - A"], ROWS), Sentence("50 % & more."),
         Table(["name"], [["x"], ["yz"]], title="m_1"), Note("first note"), Note("second note"),
         Figure(draw, "one line"), Figure(draw, "the same"),
         Folded("2 more", [Table(["question"], [["q1"]])]), Sentence("Last.")]


def test_text():
    assert text.render(PARTS) == """\
B against A

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
Last."""


def test_markdown():
    assert markdown.render(PARTS) == r"""**B against A**

| metric | B - A |
|---|---:|
| pass@1 | +0.031 |
| a_b | - |

50 % & more.

**m_1**

| name |
|---|
| x |
| yz |

first note__
second note

Last.
""".replace("__", "  ").replace("50 % & more", "50 % &amp; more")


def test_latex():
    assert latex.render(PARTS) == r"""% B against A

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
% Last.
"""


def test_html():
    page = html.render(PARTS, "a <title>")
    assert page.startswith('<!doctype html>\n<html lang="en"><head><meta charset="utf-8">')
    body = page[page.index("<body>"):]
    shown = re.sub(r"(?s)<svg(.*?)>.*?</svg>\n", lambda o: f"(svg{name_seen(o[1])})", body)
    assert shown == """<body>
<h1>a &lt;title&gt;</h1>
<h2>B against A</h2>
<div class="scroll" tabindex="0"><table><thead><tr><th>metric</th><th>B - A</th></tr></thead>\
<tbody><tr><td>pass@1</td><td>+0.031</td></tr><tr><td>a_b</td><td>-</td></tr></tbody></table></div>
<p>50&nbsp;% &amp; more.</p>
<h2>m_1</h2>
<div class="scroll" tabindex="0"><table><thead><tr><th>name</th></tr></thead>\
<tbody><tr><td>x</td></tr><tr><td>yz</td></tr></tbody></table></div>
<p class="note">first note</p>
<p class="note">second note</p>
<div class="figures">(svg one line)(svg the same)</div>
<details><summary>2 more</summary>\
<div class="scroll" tabindex="0"><table><thead><tr><th>question</th></tr></thead>\
<tbody><tr><td>q1</td></tr></tbody></table></div></details>
<p>Last.</p>
</body></html>
"""


def name_seen(attributes): return " " + re.search('aria-label="(.*?)"', attributes)[1]


def test_html_loads_nothing():
    page = html.render([Figure(draw, "a line")], "title")
    assert "http:" not in page and "src=" not in page and page.count("<svg") == 1
    assert "max-width: 68rem" in page and "<script" not in page and "overflow-x: auto" in page


def test_a_document_begins_and_ends_without_empty_lines():
    table = Table(["k"], [["1"]])
    assert text.render([table]) == "k\n-\n1" and text.render([table, table]) == "k\n-\n1\n\nk\n-\n1"
    assert markdown.render([table]) == "| k |\n|---|\n| 1 |\n"
    assert latex.render([Sentence("x")]) == "% x\n"


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


EVERYWHERE = [Heading, Sentence, Note, lambda o: Table([o], [[o]], title=o),
              lambda o: Folded(o, [Sentence(o)]), lambda o: Figure(draw, o)]


@pytest.mark.parametrize("name", HOSTILE)
def test_html_shows_names_literally(name):
    page = html.render([make(name) for make in EVERYWHERE], name)
    found = Tags(page)
    assert not found.tags & {"script", "img", "link", "iframe"}
    assert not {o for o in found.attributes if o.startswith("on")} and "src" not in found.attributes
    assert found.seen.count(text.printable(name)) == 10


@pytest.mark.parametrize("form", [text, markdown, latex, html])
def test_no_form_prints_control_characters(form):
    parts = [make(o) for o in HOSTILE for make in EVERYWHERE[:4]]
    shown = form.render(parts, "title") if form is html else form.render(parts)
    assert not [o for o in shown if ord(o) < 32 and o != "\n"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_in_its_cell_and_line(name):
    told = markdown.render([Table(["a", "b"], [[name, "1"]]), Sentence(name)])
    row = told.splitlines()[2]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3 and len(told.splitlines()) == 5
    assert len(text.render([Table(["a", "b"], [[name, "1"]])]).splitlines()) == 3
    assert latex.render([Sentence(name)]).count("\n") == 1


@pytest.mark.parametrize("given, told", [
    ("[0.319, 0.528]", "[0.319, 0.528]"), ("a|b*c", r"a\|b\*c"), ("snake_case", "snake_case"),
    ("_x_", r"\_x\_"), ("$x$", r"\$x\$"), ("`a`", r"\`a\`"), ("~~x", r"\~\~x"), ("a\\b", r"a\\b"),
    ("<b>&", "&lt;b&gt;&amp;"), ("[a](x)", "[a&#93;(x)"), ("[a][b]", "[a&#93;[b]"),
    ("[a]: x", "[a&#93;: x"), ('"', '"'), ("\x1b[0m", "\ufffd[0m")])
def test_markdown_escapes(given, told): assert markdown.escape_markdown(given) == told


@pytest.mark.parametrize("given, told", [
    ("\\input{x}", r"\textbackslash{}input\{x\}"),
    ("50 % & $x_1^2$", r"50 \% \& \$x\_1\textasciicircum{}2\$"),
    ("~#", r"\textasciitilde{}\#"), ("a\nb", "a\ufffdb"), ("plain", "plain")])
def test_latex_escapes(given, told): assert latex.escape_latex(given) == told


@pytest.mark.parametrize("given, told", [
    ('<a href="x">', "&lt;a href=&quot;x&quot;&gt;"), ("'&", "&#x27;&amp;"), ("\x00", "\ufffd")])
def test_html_escapes(given, told): assert escape_html(given) == told


# Grids, and lines that belong together.

GRID = Matrix("model", ("k = 1", "2_b"), (
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
    plain = Matrix("m", ("x",), (GridLine("a", "", (Cell("1", ("2",)),)),))
    assert plain.to_table() == Table(["m", "x"], [["a", "1"], ["", "2"]], "", 1) and plain.measure_marks() == [0]
    assert "a & 1 \\\\\n & {\\scriptsize 2} \\\\" in latex.render([plain])
    assert GRID.to_table().left == 2 and GRID.measure_marks() == [2, 0]
    assert GRID.to_table().rows[3] == ["*b", "", "1   ", "2"] and GRID.take([1]).columns == ("2_b",)
    assert GRID.take([1]).lines[1].cells == (Cell("2", ("0–1",)),) and GRID.take([1, 0]).title == "title & more"


def test_a_grid_as_html():
    page = html.write_parts([GRID])
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
    assert '<table class="wraps">' in html_table(lines, wraps=True) and "<table><thead>" in html_table(lines)
    assert "<td>2&nbsp;%</td>" in html_table(lines) and markdown_table(lines, 2).splitlines()[1] == "|---|---|"
    assert latex_table(lines).startswith(r"\begin{tabular}{lr}") and r"\multicolumn" not in latex_table(lines)
    assert latex_table(lines, left=2).startswith(r"\begin{tabular}{ll}" + "\n\\toprule\na & b")


@pytest.mark.parametrize("text, said", [
    ("A. B.", "<h1>A. B.</h1>"), ("A" * 118 + ". B.", f'<h1>{"A" * 118}.</h1>\n<p class="lead">B.</p>'),
    ("A" * 115 + ". B. C.", f'<h1>{"A" * 115}.</h1>\n<p class="lead">B. C.</p>'),
    ("A" * 114 + ". B. ", f'<h1>{"A" * 114}. B. </h1>'), ("A" * 118 + ". b.", f'<h1>{"A" * 118}. b.</h1>')])
def test_a_long_answer_is_a_heading_and_a_line(text, said): assert html.write_lead(Lead(text)) == said


def test_parts_of_a_page():
    assert html.write_parts([Typed("a <b>")]) == "<p><code>a &lt;b&gt;</code></p>"
    assert html.write_parts([Beside([Note("l")], [Note("r")])]) == (
        '<div class="beside"><div><p class="note">l</p></div><div><p class="note">r</p></div></div>')
    judged = Judged("weak", "? cannot tell", "50 % & more", [Note("n")])
    assert html.write_parts([judged]) == ('<section class="judged weak"><p><b>? cannot tell</b> 50&nbsp;% &amp; '
                                          'more</p><p class="note">n</p></section>')
    key = Key("50 %", "a<b", "one", "", None, None, None, 9)
    assert html.write_parts([Keys([key])]) == (
        '<div class="key c1"><span><b>50 %</b> a&lt;b</span><small>one</small></div>')
    assert "<br>" in html.write_key(replace(key, span="s", value=.5, low=.4, high=.6))
    assert "<svg" in html.write_key(replace(key, value=.5, low=.4, high=.6))
    page = html.render([Lead("L"), Note("n")], "t & u")
    assert "<title>t &amp; u</title>" in page and "<h1>L</h1>" in page and page.count("<h1>") == 1
    assert "<script>" not in page
    assert "<h1>t</h1>" in html.render([Note("n")], "t")


QUESTIONS = Questions(["m", "n"], [Question("q<1", "flaky", [(1, 20), None]), Question("q2", "always", [(21, 21), (0,
    0)])],
                      dict(flaky=1, never=0, always=1), dict(flaky="in <two>"), [Outcomes(np.array([1, 4]), np.array([4,
                          4])), Outcomes(np.array([2]), np.array([2]))], [9, 1])


def test_questions_of_a_page():
    page = html.write_parts([QUESTIONS])
    assert page.startswith('<section class="questions several"><figure class="shares"><figcaption>Questions, by how '
                           'many of their samples are right')
    assert ('<label><input type="radio" name="kind" value="all" checked> all: 2</label><label><input type="radio" '
            'name="kind" value="flaky"> in '
            '&lt;two&gt;: 1</label><label><input type="radio" name="kind" value="never"> never: 0</label>') in page
    assert ('<tr data-kind="flaky"><td>q&lt;1</td><td class="c1" data-order="0.050000">'
            '<span class="dots" style="--c:1;--n:20"></span>1 of 20</td><td></td></tr>') in page
    assert ('<td class="c1" data-order="1.000000"><span class="bar" style="--c:21;--n:21"></span>21 of 21</td>'
            '<td class="c1" data-order="0.000000">') in page
    assert '<div class="c1"><b>m</b><svg' in page
    assert 'aria-label="n: Questions, by how many of their samples are right"' in page
    one = replace(QUESTIONS, heads=["m"], outcomes=QUESTIONS.outcomes[:1], rows=[], colours=())
    alone = html.write_parts([one])
    assert '<section class="questions"><figure' in alone and "by how many of their 4 samples are right" in alone
    assert '<div class="c0"><svg' in alone
    assert "<script>" in html.render([one], "t")
    unequal = replace(one, outcomes=[Outcomes(np.array([1, 4]), np.array([4, 5]))])
    assert "by the share of their samples that is right" in html.write_parts([unequal])


def test_a_float_of_tables():
    small = Matrix("m", ("x",), (GridLine("a", "", (Cell("1"),)),))
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


@pytest.mark.parametrize("given, told", [
    ("a--b---", "a-{}-b-{}-{}-"), ("<|>", r"\textless{}\textbar{}\textgreater{}"), ("1–2 ± {}", r"1--2 $\pm$ \{\}"),
    ("#", r"\#")])
def test_more_latex_escapes(given, told): assert latex.escape_latex(given) == told


def test_a_figure_needs_no_font_and_no_address():
    pytest.importorskip("matplotlib")
    def write(ax): ax.set_title("50 % of 模 \N{EN DASH} x")
    drawn = html.draw_svg(Figure(write, 'a "line"'))
    assert drawn.startswith('<svg role="img" aria-label="a &quot;line&quot;" ') and "<text" not in drawn
    assert 'viewBox="0 0 360 244.8"' in drawn and "xmlns" not in drawn and "http" not in drawn.split("<metadata")[0]
    # Axes that are not laid out begin at an eighth of the width.
    assert not drawn.split('id="patch_2"')[1].lstrip(">\n ").startswith('<path d="M 45 ')
    assert "dc:date" not in drawn and "Matplotlib" not in drawn and 'id="patch_1"' in drawn
    assert "fill: #ffffff" not in drawn.split('id="axes_1"')[0] and drawn.count("<svg") == 1


def test_a_table_may_be_its_head_alone():
    assert markdown_table([["a", "b"]]) == "| a | b |\n|---|---:|"
    assert latex_table([["a", "b"]]).splitlines()[1:] == [r"\toprule", r"a & b \\", r"\midrule", r"\bottomrule",
                                                          r"\end{tabular}"]
    assert html_table([["a"]]).endswith("<thead><tr><th>a</th></tr></thead><tbody></tbody></table></div>")
