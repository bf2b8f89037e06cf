"One document in four forms: what stands where, and names from files that stay text."
import re
from html.parser import HTMLParser

import pytest

from sampling_eval.reporting import html, latex, markdown, text
from sampling_eval.reporting.parts import Figure, Folded, Heading, Note, Sentence, Table

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
def test_html_escapes(given, told): assert text.escape_html(given) == told
