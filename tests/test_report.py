"Report formats: nothing from the data is executed, hidden or misread."
import json, re
from html.parser import HTMLParser

import numpy as np
import pytest

from sampling_eval import score
from sampling_eval.reporting.report import digits, escape_latex, escape_markdown

HOSTILE = ["<script>alert(1)</script>", 'x" onload="alert(1)', "a|b\n| c", "$\\frac{1}{0}$", "\\input{x} & 100% #_^~", "\x1b[31mred\x1b[0m", "_hidden", "[link](http://x)"]


def hostile_rows():
    return [dict(model=m, question=q, sample=s, correct=(i + s) % 2) for i, m in enumerate(HOSTILE) for q in HOSTILE for s in range(3)]


@pytest.fixture(scope="module")
def report(): return score(hostile_rows(), title=HOSTILE[0])


class Tags(HTMLParser):
    "Tags and attribute names of a page."
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_html_shows_hostile_names_literally(report):
    page = report.to_html()
    seen = Tags(page)
    assert "script" not in seen.tags and "iframe" not in seen.tags and "link" not in seen.tags and "img" not in seen.tags
    assert not {name for name in seen.attributes if name.startswith("on")} and "src" not in seen.attributes
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert not re.findall(r"https?://(?!x\))", page), "nothing is loaded from elsewhere"
    assert "\x1b" not in page


def test_text_has_no_control_characters(report):
    assert "\x1b" not in repr(report)


def test_markdown_rows_keep_their_columns(report):
    for line in report.to_markdown().splitlines():
        if line.startswith("|"): assert len(re.findall(r"(?<!\\)\|", line)) == 7
    assert "<script>" not in report.to_markdown()


def test_latex_escapes():
    assert escape_latex("\\input{x}") == r"\textbackslash{}input\{x\}"
    assert escape_latex("50 % & $x_1^2$ ~#") == r"50 \% \& \$x\_1\textasciicircum{}2\$ \textasciitilde{}\#"
    assert escape_markdown("a|b*c") == r"a\|b\*c"


def test_json_and_dict_and_frame_agree(report):
    rows = json.loads(report.to_json())["rows"]
    assert len(rows) == len(report.rows) and set(report.to_dict()) == set(HOSTILE)
    for backend in ("pandas", "polars", "pyarrow"): assert len(report.to_frame(backend)) == len(rows)
    assert rows[0]["estimate"] == report.to_dict()[HOSTILE[0]][rows[0]["metric"]]


@pytest.mark.parametrize("value, text", [(.9996, "0.9996"), (.99999999, "0.99999999"), (1., "1.000"), (0., "0.000"), (4e-5, "0.00004"), (3.125e-7, "3.12e-07"),
                                         (-.0004, "-0.0004"), (.42, "0.420"), (None, "-"), (-.25, "-0.250"), (1 - 1e-16 * 2, "0.9999999999999998")])
def test_rounding_never_invents_certainty(value, text):
    assert digits(value) == text or float(digits(value)) not in (0, 1) and value not in (0, 1)
    if value is not None: assert np.sign(float(digits(value))) == np.sign(value)


def test_how_names_everything():
    said = score(np.array([[1, 0, 1, 1], [0, 0, 1, 0]]), ["pass@k", "avg@n"]).how()
    for part in ("2 questions", "4 samples", "pass@k for k = 1, 2, 3, 4", "unbiased", "avg@n", "95 %", "no missing"): assert part in said


def test_markdown_keeps_intervals_and_breaks_links():
    assert escape_markdown("[0.319, 0.528]") == "[0.319, 0.528]"
    assert "](" not in escape_markdown("[a](http://x)") and "][" not in escape_markdown("[a][b]") and "]:" not in escape_markdown("[a]: http://x")
