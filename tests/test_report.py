"The report of `score`: its forms agree, nothing from the data is executed, hidden or misread."
import json
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

from sampling_eval import score
from sampling_eval.results import load_result
from sampling_eval.results.columns import Columns
from sampling_eval.results.score_report import Report, name_block
from test_renderers import HOSTILE, Tags


def hostile_rows():
    return [dict(model=m, question=q, sample=s, correct=(i + s) % 2)
            for i, m in enumerate(HOSTILE) for q in HOSTILE for s in range(3)]


@pytest.fixture(scope="module")
def report(): return score(hostile_rows(), title=HOSTILE[0])


@pytest.fixture(scope="module")
def small(): return score([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]], ["pass@k", "avg@n"], [1, 4])


# Hostile names.

def test_html_shows_hostile_names_literally(report):
    page = report.to_html()
    found = Tags(page)
    assert not found.tags & {"iframe", "link", "img"} and page.count("<script>") == 1
    assert not {o for o in found.attributes if o.startswith("on")} | found.attributes & {"src"}
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 3 and "\x1b" not in page
    assert not re.findall(r"https?://(?!x\))", page), "nothing is loaded from elsewhere"
    assert "default-src 'none'" in page


def test_no_text_has_control_characters(report):
    for told in repr(report), report.to_markdown(), report.to_latex(), repr(report.questions):
        assert not [o for o in told if ord(o) < 32 and o != "\n"]


def test_markdown_rows_keep_their_columns(report):
    tables = re.findall(r"(?:^\|.*\n)+", report.to_markdown(), re.M)
    assert len(tables) == 2 + 2 * len(HOSTILE), "one of all models, two of each, and one of all numbers"
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1
    assert "<script>" not in report.to_markdown()


# Forms.

def test_json_and_dict_and_frame_agree(report):
    told = json.loads(report.to_json())
    assert list(told) == ["kind", "rows", "summary", "notes", "confidence_level", "title", "systems", "target", "flaky_questions", "reruns", "guarded",
                          "portfolio", "left_out", "ragged", "cautions", "agreement", "totals", "corrected", "borrowed", "spend", "ordered", "letters", "next"]
    assert told["kind"] == "score" and told["title"] == HOSTILE[0] and told["systems"] == "models"
    assert len(told["rows"]) == len(report.rows) and list(report.estimates()) == HOSTILE
    first = told["rows"][0]
    assert first["estimate"] == report.estimates()[HOSTILE[0]][first["metric"]]
    assert first["interval"] | dict(name="gaffke", level=.95, exact=True) == first["interval"]
    for backend in ("pandas", "polars", "pyarrow"):
        frame = report.to_frame(backend)
        names = frame.column_names if backend == "pyarrow" else list(frame.columns)
        assert len(frame) == len(told["rows"]) and names == list(first)


def test_one_model_without_a_name_has_no_level_of_names(small):
    assert small.estimates() == {"pass@1": pytest.approx(2 / 3), "pass@4": 1., "avg@4": pytest.approx(2 / 3)}
    assert list(small.blocks()) == [("", "")] and name_block(("m", "g")) == "m / g"
    assert "<title>Report</title>" in small.to_html()
    assert "<title>a &amp; b</title>" in replace(small, title="a & b").to_html()


def test_what_is_read_back_is_equal(report, small, tmp_path):
    for found in report, small:
        (path := tmp_path / "r.json").write_text(found.to_json())
        for again in Report.from_json(found.to_json()), load_result(path), pickle.loads(pickle.dumps(found)):
            assert again == found and repr(again) == repr(found) and again.rows == tuple(found.rows)
            assert (again.letters, again.next) == (found.letters, found.next)
        assert load_result(path).to_frame('pandas').equals(found.to_frame('pandas')) and found != replace(found, notes=("other",))
        with pytest.raises(KeyError, match="JSON does not hold"): load_result(path).questions["c"]
        with pytest.raises(ValueError, match="JSON does not hold"): load_result(path).flaky()
    assert small.next and 'value="flaky"' not in Report.from_json(small.to_json()).to_html()
    assert replace(Report.from_json(report.to_json()), title="t").letters == report.letters
    assert report != small and small != small.to_dict()
    with pytest.raises(ValueError, match="need the JSON text of a result of score, got something else"):
        Report.from_json('{"read": ""}')
    with pytest.raises(ValueError, match="need the fields of a Report, got none called 'rows'"):
        Report.from_json('{"kind": "score"}')


def test_a_reason_stands_in_every_form():
    found = score([[1, 1], [1, 1]], "pass@1", interval="t")
    why = "No standard error: all 2 questions have the same value, which shows no spread"
    for told in repr(found), found.to_markdown(), found.to_latex(), found.to_html():
        assert why in " ".join(told.split())


# Columns.

def test_columns():
    table = Columns(dict(question=["a", "b", "c"], n=np.array([4, 4, 2]), c=np.array([4, 1, 0])))
    flaky = table.where((0 < table["c"]) & (table["c"] < table["n"]))
    assert flaky.rows() == [dict(question="b", n=4, c=1)] and len(table) == 3
    assert repr(flaky) == "question  n  c\n       b  4  1"
    assert table.to_frame("pandas").shape == (3, 3)
    long = Columns(dict(share=np.linspace(0, 1, 25)))
    assert repr(long).splitlines()[:3] == ["share", "0.000", "0.042"]
    assert len(repr(long).splitlines()) == 22 and repr(long).endswith("\n... 5 more rows")
    assert not repr(Columns(dict(share=np.zeros(20)))).endswith("more rows")
    with pytest.raises(AttributeError, match="cannot assign"): table.data = {}


def test_flaky_questions_come_closest_to_even_first(small):
    assert small.flaky().rows()[0]["c"] == 3 and small.flaky()["question"].tolist() == [0, 1]
    graded = score([dict(question=i, score=s) for i, s in enumerate((.2, .5))])
    with pytest.raises(ValueError, match="flaky questions need outcomes"): graded.flaky()
