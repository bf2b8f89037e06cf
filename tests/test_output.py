"Results as files: every ending, texts that a spreadsheet would run, and files that are not written over."

import pytest

from sampling_eval import score
from sampling_eval.report.output import (defuse, draw, escape_controls, find_kind, keep_inputs, render, write,
                                         write_csv)


@pytest.fixture(scope="module")
def report(): return score([[1, 0], [1, 1]])


@pytest.mark.parametrize("value, told", [
    (1, 1), (None, None), (-.5, -.5), ("-1", "'-1"), ("=A1", "'=A1"), ("+1", "'+1"), ("@x", "'@x"), (" =A1", "' =A1"),
    ("a=b", "a=b"),
    ("\t=A1", "'\ufffd=A1"), ("a\nb", "a\ufffdb"), ("", "")])
def test_no_cell_is_a_formula(value, told): assert defuse(value) == told


@pytest.mark.parametrize("text, told", [
    ("a\x7fb", "a\\u007fb"), ("\x80\x9f", "\\u0080\\u009f"), ("\xa0é漢", "\xa0é漢"), ("\u200d\u200e\u200f\u2010",
                                                                                    "\u200d\\u200e\\u200f\u2010"),
    ("\u2027\u2028\u202e\u202f", "\u2027\\u2028\\u202e\u202f"), ("\u2066\u2069\ud800", "\\u2066\\u2069\\ud800"), ("~\n",
        "~\n")])
def test_signs_that_move_a_cursor_are_escaped(text, told): assert escape_controls(text) == told


def test_every_form_by_its_name(report):
    assert render(report, "table") == render(report, "txt") == report.to_text() + "\n"
    assert render(report, "full") == report.to_text(how=True) + "\n"
    assert render(report, "md") == render(report, "markdown") == report.to_markdown()
    assert render(report, "tex") == render(report, "latex") == report.to_latex()
    assert render(report, "html") == report.to_html() and render(report, "json") == report.to_json()
    assert render(report, "csv") == write_csv(report.rows)
    with pytest.raises(ValueError, match=r"^output must end in .json, .csv, .md, .tex, .html, .txt, .svg, .png or "
                       r".pdf, got 'doc'$"):
        render(report, "doc")
    with pytest.raises(ValueError, match="^a picture must end in .svg, .png or .pdf, got 'txt'$"): draw(report, "txt")


@pytest.mark.parametrize("kind, start", [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_are_the_same_on_each_run(report, kind, start):
    pytest.importorskip("matplotlib")
    drawn = draw(report, kind)
    assert drawn.startswith(start) and drawn == draw(report, kind) and b"dc:date" not in drawn
    assert b"/CreationDate" not in drawn


def test_the_width_of_a_picture(report):
    pytest.importorskip("matplotlib")
    sizes = {size: int.from_bytes(draw(report, "png", size)[16:20], "big") for size in ("column", "page", 2.)}
    assert sizes[2.] == 600 and sizes["column"] < sizes["page"]
    assert int.from_bytes(render(report, "png")[16:20], "big") == sizes["column"]


def test_files_are_written_whole(tmp_path):
    path = tmp_path / ("n" * 240 + ".txt")
    write(path, "ä")
    assert path.read_bytes() == "ä".encode() and list(tmp_path.iterdir()) == [path]
    write(path, b"\xff")
    assert path.read_bytes() == b"\xff" and find_kind(path) == "txt" and find_kind(tmp_path / "a.b.JSON") == "json"
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("x")
    with pytest.raises(OSError, match="^cannot write .*folder: "): write(tmp_path / "folder", "x")
    assert sorted(o.name for o in tmp_path.iterdir()) == ["folder", path.name]


def test_what_is_read_is_not_written_over(tmp_path):
    run, runs = tmp_path / "run.json", tmp_path / "runs"
    runs.mkdir()
    run.write_text("[]"), (runs / "old.json").write_text("[]"), (tmp_path / "link.json").symlink_to(run)
    said = "holds the data that were read; write the result to another file$"
    for path in (run, tmp_path / "link.json", tmp_path / "." / "run.json"):
        with pytest.raises(ValueError, match=said): keep_inputs([None, "", str(run)], [None, path])
    with pytest.raises(ValueError, match=said): keep_inputs([str(tmp_path / "r*.json")], [run])
    # A file inside a folder that is read: the old one must stay, a new one is harmless.
    with pytest.raises(ValueError, match=said): keep_inputs([str(runs)], [runs / "old.json"])
    keep_inputs([str(runs)], [runs / "new.json"])
    keep_inputs([str(run)], [tmp_path / "out.json", runs / "old.json", None])
    keep_inputs([str(runs / "old.json")], [run])
    keep_inputs([], [run]), keep_inputs([str(run)], [])
