"""Results as files, frames and numbers: every ending, what a spreadsheet would run, consoles, and
what differs on Windows."""

import os
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pytest

import sampling_eval
from sampling_eval import score
from sampling_eval.examples import example_path
from sampling_eval.reading import tables as sources
from sampling_eval.reading.files import is_remote
from sampling_eval.reading.listing import list_files
from sampling_eval.patterns import match_paths
from sampling_eval.render import format as f
from sampling_eval.results import base
from sampling_eval.results.base import choose_backend, frame, installed_backends
from sampling_eval.render.output import (
    defuse,
    draw,
    escape_controls,
    form_of,
    keep_inputs,
    render,
    write,
    write_csv,
)
from sampling_eval.render.text import prepare_consoles, spell_signs, write_code
from sampling_eval.results.reading import Alignment, DeadCount, Unmatched
from sampling_eval.spelling import spell
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.analyses.phrases.deciding import describe_method


@pytest.fixture(scope="module")
def report():
    return score([[1, 0], [1, 1]])


@pytest.mark.parametrize(
    "value, told",
    [
        (1, 1),
        (None, None),
        (-0.5, -0.5),
        ("-1", "'-1"),
        ("=A1", "'=A1"),
        ("+1", "'+1"),
        ("@x", "'@x"),
        (" =A1", "' =A1"),
        ("a=b", "a=b"),
        ("\t=A1", "'\ufffd=A1"),
        ("a\nb", "a\ufffdb"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(value, told):
    assert defuse(value) == told


@pytest.mark.parametrize(
    "text, told",
    [
        ("a\x7fb", "a\\u007fb"),
        ("\x80\x9f", "\\u0080\\u009f"),
        ("\xa0é漢", "\xa0é漢"),
        ("\u200d\u200e\u200f\u2010", "\u200d\\u200e\\u200f\u2010"),
        ("\u2027\u2028\u202e\u202f", "\u2027\\u2028\\u202e\u202f"),
        ("\u2066\u2069\ud800", "\\u2066\\u2069\\ud800"),
        ("~\n", "~\n"),
    ],
)
def test_signs_that_move_a_cursor_are_escaped(text, told):
    assert escape_controls(text) == told


def test_every_form_by_its_name(report):
    assert render(report, "table") == render(report, "txt") == report.to_text() + "\n"
    assert render(report, "full") == report.to_text(how=True) + "\n"
    assert render(report, "md") == render(report, "markdown") == report.to_markdown()
    assert render(report, "tex") == render(report, "latex") == report.to_latex()
    assert render(report, "html") == report.to_html() and render(report, "json") == report.to_json()
    assert render(report, "csv") == write_csv(report.rows)
    with pytest.raises(
        ValueError,
        match=r"^output must end in .json, .csv, .md, .tex, .html, .txt, .svg, .png or "
        r".pdf, got 'doc'$",
    ):
        render(report, "doc")
    with pytest.raises(ValueError, match="^a picture must end in .svg, .png or .pdf, got 'txt'$"):
        draw(report, "txt")


@pytest.mark.parametrize("kind, start", [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_pictures_are_the_same_on_each_run(report, kind, start):
    pytest.importorskip("matplotlib")
    drawn = draw(report, kind)
    assert drawn.startswith(start) and drawn == draw(report, kind) and b"dc:date" not in drawn
    assert b"/CreationDate" not in drawn


def test_the_width_of_a_picture(report):
    pytest.importorskip("matplotlib")
    sizes = {
        size: int.from_bytes(draw(report, "png", size)[16:20], "big")
        for size in ("column", "page", 2.0)
    }
    assert sizes[2.0] == 600 and sizes["column"] < sizes["page"]
    assert int.from_bytes(render(report, "png")[16:20], "big") == sizes["column"]


def test_files_are_written_whole(tmp_path):
    path = tmp_path / ("n" * 240 + ".txt")
    write(path, "ä")
    assert path.read_bytes() == "ä".encode() and list(tmp_path.iterdir()) == [path]
    write(path, b"\xff")
    assert (
        path.read_bytes() == b"\xff"
        and form_of(path) == "txt"
        and form_of(tmp_path / "a.b.JSON") == "json"
    )
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_text("x")
    with pytest.raises(OSError, match="^cannot write .*folder: "):
        write(tmp_path / "folder", "x")
    assert sorted(o.name for o in tmp_path.iterdir()) == ["folder", path.name]


def test_a_file_is_replaced_and_a_device_is_written_to(tmp_path):
    path = tmp_path / "report.txt"
    write(path, "old")
    kept = tmp_path / "kept.txt"
    kept.hardlink_to(path)
    write(path, "new")
    # Who still reads the old file has it whole.
    assert (kept.read_text(), path.read_text()) == ("old", "new")
    write(Path("/dev/null"), "lost")
    assert sorted(o.name for o in tmp_path.iterdir()) == ["kept.txt", "report.txt"]


def test_what_is_read_is_not_written_over(tmp_path):
    run, runs = tmp_path / "run.json", tmp_path / "runs"
    runs.mkdir()
    run.write_text("[]"), (runs / "old.json").write_text("[]"), (tmp_path / "link.json").symlink_to(
        run
    )
    said = "holds the data that were read; write the result to another file$"
    for path in (run, tmp_path / "link.json", tmp_path / "." / "run.json"):
        with pytest.raises(ValueError, match=said):
            keep_inputs([None, "", str(run)], [None, path])
    with pytest.raises(ValueError, match=said):
        keep_inputs([str(tmp_path / "r*.json")], [run])
    # A file inside a folder that is read: the old one must stay, a new one is harmless.
    with pytest.raises(ValueError, match=said):
        keep_inputs([str(runs)], [runs / "old.json"])
    keep_inputs([str(runs)], [runs / "new.json"])
    keep_inputs([str(run)], [tmp_path / "out.json", runs / "old.json", None])
    keep_inputs([str(runs / "old.json")], [run])
    keep_inputs([], [run]), keep_inputs([str(run)], [])


# Numbers as a person reads them.


@pytest.mark.parametrize(
    "value, text",
    [
        (0.42, "0.420"),
        (2 / 3, "0.667"),
        (1.0, "1.000"),
        (0.0, "0.000"),
        (-0.25, "-0.250"),
        (0.9996, "0.9996"),
        (0.99999999, "0.99999999"),
        (-0.9999, "-0.9999"),
        (4e-5, "0.00004"),
        (-0.0004, "-0.0004"),
        (3.1e-7, "3.10e-07"),
        (1 - 2e-16, "0.9999999999999998"),
        (1.0004, "1.0004"),
        (12.3456, "12.346"),
        (None, "-"),
    ],
)
def test_decimal(value, text):
    assert f.decimal(value) == text


def test_other_numbers_of_decimals():
    assert (f.decimal(0.123456, 4), f.decimal(1, 4)) == ("0.1235", "1.0000")


@pytest.mark.parametrize(
    "value, text",
    [
        (0.03125, "+0.031"),
        (0.0, "0.000"),
        (-0.5, "-0.500"),
        (0.9999, "+0.9999"),
        (1.0, "+1.000"),
        (None, "-"),
    ],
)
def test_signed(value, text):
    assert f.signed(value) == text


@pytest.mark.parametrize("value", [10.0**-i for i in range(1, 12)] + [0.5, 0.49999, 0.5001])
def test_rounding_never_invents_certainty(value):
    for number in value, 1 - value, value - 1, -value:
        assert float(f.decimal(number)) not in (-1, 0, 1) and np.sign(
            float(f.decimal(number))
        ) == np.sign(number)
        assert float(f.points(number)) != 0
        if number > 0:
            assert float(f.percent(number, unit=False)) not in (0, 100)


@pytest.mark.parametrize(
    "share, text",
    [
        (0.42, "42.0 %"),
        (0, "0.0 %"),
        (1, "100.0 %"),
        (0.9996, "99.96 %"),
        (0.0004, "0.04 %"),
        (1 / 3, "33.3 %"),
        (9.765625e-9, "9.8e-07 %"),
        (1 - 1e-9, "99.9999999 %"),
        (None, "-"),
        (-0.05, "-5.0 %"),
        (0.5084, "50.8 %"),
        (0.9994, "99.9 %"),
        (0.0006, "0.1 %"),
        (4e-9, "4e-07 %"),
        (1 - 1e-15, "100.0 %"),
        (1e-16, "0.0 %"),
    ],
)
def test_percent(share, text):
    assert f.percent(share) == text


@pytest.mark.parametrize(
    "change, text",
    [
        (0.0762, "+7.6"),
        (-0.017, "-1.7"),
        (0, "0.0"),
        (-0.0002, "-0.02"),
        (1e-9, "+1e-07"),
        (None, "-"),
        (1, "+100.0"),
        (-1.0, "-100.0"),
        (0.3456, "+34.6"),
        (0.001, "+0.1"),
        (-0.0004, "-0.04"),
    ],
)
def test_points(change, text):
    assert f.points(change) == text


def test_a_number_in_its_own_unit():
    assert f.value(0.5) == "50.0 %" and f.value(3.25, "score") == "3.250"
    assert f.difference(0.05) == "+5.0 points" and f.difference(-0.5, "score") == "-0.500"
    assert (
        f.interval(0.316, 0.528) == "31.6 to 52.8 %"
        and f.interval(1, 5, "score") == "1.000 to 5.000"
    )
    assert f.interval(1e-6, 1 - 1e-6) == "<0.1 to >99.9 %" and f.interval(0, 1) == "0.0 to 100.0 %"
    assert (
        f.difference_interval(-0.017, 0.145) == "-1.7 to +14.5"
        and f.difference_interval(None, None) == "-"
    )


@pytest.mark.parametrize(
    "number, text",
    [
        (0.95, "95 %"),
        (0.999, "99.9 %"),
        (0.9999999, "99.99999 %"),
        (2 / 3, "66.6667 %"),
        (0.9, "90 %"),
        (0.5, "50 %"),
        (1 / 3, "33.3333 %"),
        (0.99999999, "99.999999 %"),
        (0.9999999999, "99.99999999 %"),
        (1e-9, "1e-07 %"),
        # A thousandth of the distance to 100 is the largest error: 99.9655 would be off by more.
        (0.9996546, "99.96546 %"),
        (0.9996552, "99.9655 %"),
    ],
)
def test_level(number, text):
    assert f.level(number) == text


@pytest.mark.parametrize(
    "p, text",
    [
        (0.02, "p = .020"),
        (0.0465, "p = .046"),
        (1, "p = 1"),
        (0.9999, "p = .999"),
        (2e-5, "p = 2.0e-05"),
        (1e-13, "p < 1e-12"),
        (None, "p undefined"),
        (0.0005, "p = 5.0e-04"),
        (0.001, "p = .001"),
        (0.99949, "p = .999"),
        (0.9995, "p = .999"),
        (1e-300, "p < 1e-12"),
        (0.0, "p < 1e-12"),
    ],
)
def test_pvalue(p, text):
    assert f.pvalue(p) == text


def test_a_pvalue_of_a_table():
    assert [f.pvalue(p, equals=False) for p in (0.5, None, 0.0)] == [".500", "-", "<1e-12"]


@pytest.mark.parametrize(
    "number, four, six",
    [
        (0, "0", "0"),
        (0.012345678, "0.01235", "0.0123457"),
        (12.5, "12.5", "12.5"),
        (9999.4, "9,999", "9,999.4"),
        (9999.6, "10,000", "9,999.6"),
        (123456.7, "123,457", "123,457"),
        (999_999.7, "1,000,000", "1,000,000"),
        (3_776_992.2, "3,776,992", "3,776,992"),
    ],
)
def test_a_cost_has_no_power_of_ten(number, four, six):
    assert (f.amount(number), f.amount(number, 6)) == (four, six)


def test_counts_and_names():
    assert f.count(1, "question") == "1 question" and f.count(2200, "question") == "2,200 questions"
    assert (
        f.count_range(4, 8, "sample") == "4 to 8 samples"
        and f.count_range(1, 1, "sample") == "1 sample"
    )
    assert [f.about(n) for n in (99, 100, 472, 12_345)] == [
        "about 99",
        "about 100",
        "about 480",
        "about 13,000",
    ]
    assert f.join(["a", "b", "c"]) == "a, b and c" and f.join(["a"], "or") == "a"
    assert (
        f.ranges([1, 2, 3, 8]) == "1-3, 8"
        and f.ranges([1, 2, 4, 16], [1, 2, 4, 8, 16]) == "1-4, 16"
    )
    assert f.ranges([]) == "" and f.open_sentence("one thing.") == "One thing."
    assert (
        f.count_range(0, 0, "sample") == "0 samples"
        and f.count_range(999, 12_345) == "999 to 12,345"
    )
    assert (
        f.join(["a", "b"]) == "a and b"
        and f.join("abc", "or") == "a, b or c"
        and f.open_sentence("") == ""
    )


# Sentences that several results share.


def how(level, *method, **facts):
    return Interval(0.0, 1.0, level, method=Method(*method, **facts))


@pytest.mark.parametrize(
    "interval, said",
    [
        (None, "none"),
        (how(0.95, "t", False), "95 % t (approximate)"),
        (
            how(0.9, "gaffke", True, same_as="clopper-pearson"),
            "90 % gaffke = clopper-pearson (assumption-free for bounded scores)",
        ),
        (
            how(0.95, "gaffke", True, clusters=3),
            "95 % gaffke over 3 clusters (assumption-free for bounded scores)",
        ),
        (
            how(0.95, "gamma", False, upper_bound=True),
            "95 % gamma (approximate, an upper bound: it has the spread of new questions)",
        ),
        (
            how(0.95, "gaffke", True, max_weight=2.0, weighted=True),
            (
                "95 % gaffke over weighted questions (assumption-free for bounded scores: assumes"
                " no weight above 2)"
            ),
        ),
        (how(0.95, "bootstrap", False, seed=3), "95 % bootstrap (seed 3) (approximate)"),
        (how(0.95, "bootstrap", False), "95 % bootstrap (seed given by rng) (approximate)"),
        (how(0.95, "t", False, strata=True), "95 % t over strata (approximate)"),
    ],
)
def test_how_an_interval_was_computed(interval, said):
    assert describe_method(interval) == said


def test_which_questions_are_compared():
    def align(*left):
        return Alignment(
            50, tuple(Unmatched(system, len(names) + more, names) for system, names, more in left)
        )

    assert f.describe_alignment(align(("a", (), 0), ("b", (), 0))) == "same 50 questions"
    assert (
        f.describe_alignment(align(("a", ("q1",), 0), ("b", ("x", "y"), 1_000)))
        == "50 common questions; left out: 1 only in a ('q1') and 1,002 only in b ('x', 'y', ...)"
    )
    assert (
        f.describe_alignment(align(("a", ("q1",), 0), ("b", (), 0), ("c", (), 0)))
        == "50 common questions; left out: 1 of a ('q1')"
    )


# Intervals and sentences in every form they have.


@pytest.mark.parametrize(
    "low, high, share, decimals, told",
    [
        (0.316, 0.528, True, 1, "31.6–52.8"),
        (0.316, 0.528, True, 0, "32–53"),
        (0, 0.5, True, 1, "0.0–50.0"),
        (-0.017, 0.145, True, 1, "-1.7 to 14.5"),
        (1, 5, False, 1, "1.00–5.00"),
        (-0.5, 0.25, False, 2, "-0.500 to 0.250"),
        (None, 0.5, True, 1, "-"),
        (0.5, None, False, 1, "-"),
    ],
)
def test_an_interval_of_a_table(low, high, share, decimals, told):
    assert f.write_interval(low, high, share, decimals) == told


@pytest.mark.parametrize(
    "ends, options, told",
    [
        ((0.316, 0.528, 0.95, "new questions", ""), {}, "95 % CI 31.6 to 52.8 %, new questions"),
        ((-0.017, 0.145, 0.9), dict(change=True), "90 % CI -1.7 to +14.5"),
        ((1, 5, 0.95), dict(unit="score"), "95 % CI 1.000 to 5.000"),
        ((-1, 5, 0.95, "", "a", "b"), dict(unit="score", change=True),
         "95 % CI -1.000 to +5.000, a, b"),
        ((None, 0.5, 0.95), {}, "95 % CI -"),
        ((0.5, None, 0.95), {}, "95 % CI -"),
        ((None, 0.5, 0.95), dict(change=True), "95 % CI -"),
        ((-0.5, None, 0.95), dict(change=True), "95 % CI -"),
        ((0.0005, 0.9995, 0.95), {}, "95 % CI 0.1 to >99.9 %"),
        ((0.00049, 0.9994, 0.95), {}, "95 % CI <0.1 to 99.9 %"),
    ],
    ids=str,
)
def test_an_interval_in_words(ends, options, told):
    assert f.describe_ci(*ends, **options) == told


@pytest.mark.parametrize(
    "call, told",
    [
        (lambda: f.points(0.0762, unit=True), "+7.6 points"),
        (lambda: f.points(0.0762, sign=False), "7.6"),
        (lambda: f.points(-0.0762, unit=True, sign=False), "-7.6 points"),
        (lambda: f.difference(0.05, named=False), "+5.0"),
        (lambda: f.difference(0.05, sign=False), "5.0 points"),
        (lambda: f.difference(0.5, "score"), "+0.500"),
        (lambda: f.difference(0.5, "score", sign=False), "0.500"),
        (lambda: f.difference(None), "-"),
        (lambda: f.difference(None, "score", sign=False), "-"),
        (lambda: f.value(None), "-"),
        (lambda: f.value(None, "score"), "-"),
        (lambda: f.percent(0.42, decimals=0), "42 %"),
        (lambda: f.percent(0.996, decimals=0), "99.6 %"),
        (lambda: f.percent(0.004, decimals=0), "0.4 %"),
        (lambda: f.percent(0.123456, unit=False, decimals=4), "12.3456"),
        (lambda: f.pvalue(0.0104, equals=False, alpha=0.01), ".0104"),
        (lambda: f.pvalue(0.05), "p = .050"),
        (lambda: f.pvalue(0.01, alpha=0.01), "p = .010"),
        (lambda: f.decimal(0.00004, 1), "0.00004"),
        (lambda: f.about(101), "about 110"),
        (lambda: f.about(1000), "about 1,000"),
        (lambda: f.about(1001), "about 1,100"),
        (lambda: f.ranges([1, 2, 4, 8]), "1-2, 4, 8"),
        (lambda: f.ranges([1, 4, 16], [1, 2, 4, 8, 16]), "1, 4, 16"),
        (lambda: f.join_some("ab", 2), "a, b"),
        (lambda: f.join_some("abc", 2), "a, b and 1 more"),
        (lambda: f.join_some("abcde", 2), "a, b and 3 more"),
        (lambda: f.join_some([], 2), ""),
        (lambda: f.count_range(1, 2, "sample"), "1 to 2 samples"),
        (lambda: f.open_sentence("a"), "A"),
    ],
)
def test_numbers_and_names_in_other_forms(call, told):
    assert call() == told


def test_neighbours_stand_together():
    def follows(one, other):
        return other == one + 1

    assert f.split_runs([1, 2, 4, 5, 9], follows) == [[1, 2], [4, 5], [9]]
    assert f.split_runs([], follows) == []


@pytest.mark.parametrize(
    "dead, said",
    [
        (DeadCount(1, 2, 9, 1), "1 never and 2 always right; the other 6 of 9 decide"),
        (DeadCount(1200, 0, 5000, 3),
         "1,200 never and 0 always right in all 3 models; the other 3,800 of 5,000 decide"),
    ],
    ids=["one system", "three systems"],
)
def test_questions_that_tell_no_systems_apart(dead, said):
    assert f.describe_dead(dead) == f"Dead questions: {said} every comparison."


@pytest.mark.parametrize(
    "unit, said", [("share", "-50.0 to +25.0 points"), ("score", "-0.500 to +0.250")]
)
def test_a_stated_range_is_an_assumption(unit, said):
    assert spell(f.describe_stated((-0.5, 0.25), unit)) == (
        f"Assumes that no question moves by more than {said} (bounds=), which data cannot verify."
    )


# Consoles that lack signs print others in their place.


@pytest.mark.parametrize(
    "sign, told",
    [
        ("\u2013", "-"),
        ("\u2014", "-"),
        ("\u2026", "..."),
        ("\u2265", ">="),
        ("\u00b1", "+/-"),
        ("\u6a21", "\\u6a21"),
        ("\u00e9", "\\xe9"),
        ("\u2014\u00d7\u2192", "-x->"),
    ],
)
def test_signs_that_a_console_lacks(sign, told):
    assert spell_signs(UnicodeEncodeError("ascii", f"ab{sign}cd", 2, 2 + len(sign), "lacking")) == (
        told,
        2 + len(sign),
    )


def test_consoles_print_any_text(monkeypatch):
    out = TextIOWrapper(BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out), monkeypatch.setattr(sys, "stderr", StringIO())
    prepare_consoles()
    print("0.1\u20130.2 \u6a21", end="", flush=True, file=out)
    assert out.buffer.getvalue() == b"0.1-0.2 \\u6a21" and write_code("\u6a21") == "\\u6a21"


# Which library makes a frame, and what is said where none is there.


def test_the_library_of_a_frame(monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda name: name != "pandas")
    assert installed_backends() == ["polars", "pyarrow"] and choose_backend() == "polars"
    assert choose_backend("pyarrow") == "pyarrow"
    with pytest.raises(ImportError, match="^a frame needs pandas: pip install pandas$"):
        choose_backend("pandas")
    with pytest.raises(
        ValueError, match=r"^backend must be one of \('pandas', 'polars', 'pyarrow'\), got 'dask'$"
    ):
        choose_backend("dask")
    monkeypatch.setattr(base, "find_spec", lambda name: None)
    with pytest.raises(
        ImportError, match="^a frame needs pandas, polars or pyarrow: pip install pandas$"
    ):
        frame(dict(a=[1]))
    with pytest.raises(ImportError, match="^a frame needs polars: pip install polars$"):
        choose_backend("polars")


# What differs on Windows, as far as another system can show it: consoles, paths, ends of lines.

CONSOLES = "utf-8", "cp1252", "cp437", "cp850", "cp932", "ascii"


def run_command(*words, encoding):
    env = os.environ | dict(PYTHONIOENCODING=encoding, PYTHONPATH=os.pathsep.join(sys.path))
    told = subprocess.run(
        [sys.executable, "-m", "sampling_eval", *words], env=env, capture_output=True
    )
    return told.returncode, told.stdout.decode(encoding), told.stderr.decode(encoding)


@pytest.mark.parametrize("encoding", CONSOLES)
def test_a_console_shows_the_report(encoding):
    code, said, errors = run_command("demo", encoding=encoding)
    assert (code, errors) == (0, "")
    rows = said.replace("\N{EN DASH}", "-").splitlines()
    assert "pass@k  at least one right       42.0 %     56.7 %     66.0 %     72.0 %" in rows
    assert "                              31.5-53.4  44.4-68.0  52.5-77.4  57.5-83.8" in rows
    assert "\x1b" not in said and "\\u" not in said and max(map(len, rows)) <= 80


@pytest.mark.parametrize("encoding", ["cp437", "ascii"])
def test_a_name_that_a_console_lacks_is_spelt(encoding, tmp_path):
    table = tmp_path / "runs.csv"
    table.write_text(
        "question,correct,model\n1,1,\N{CJK UNIFIED IDEOGRAPH-6A21}\n2,0,"
        "\N{CJK UNIFIED IDEOGRAPH-6A21}\n",
        "utf-8",
    )
    code, said, _ = run_command("score", str(table), encoding=encoding)
    assert code == 0 and r"\u6a21" in said


def test_only_lacking_signs_are_spelt():
    error = UnicodeEncodeError("ascii", "0.3\N{EN DASH}0.5", 3, 4, "lacking")
    assert spell_signs(error) == ("-", 4)
    with pytest.raises(UnicodeDecodeError):
        spell_signs(UnicodeDecodeError("ascii", b"\xff", 0, 1, "unknown"))


@pytest.mark.parametrize(
    "path",
    [
        r"C:\runs\a.jsonl",
        "C:/runs/a.jsonl",
        r"d:runs.csv",
        r"\\server\share\a.csv",
        r"\\?\C:\runs\a.csv",
    ],
)
def test_a_drive_is_no_address(path):
    assert not is_remote(path)


def test_backslashes_of_a_pattern_part_folders_on_windows(tmp_path, monkeypatch):
    (tmp_path / "runs" / "deep").mkdir(parents=True)
    for name in "runs/a.jsonl", "runs/deep/b.jsonl":
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "altsep", "/")
    assert match_paths(r"runs\*.jsonl") == ["runs/a.jsonl"]
    assert sorted(match_paths(r"runs\**\*.jsonl")) == ["runs/a.jsonl", "runs/deep/b.jsonl"]


def test_the_name_of_a_file_may_hold_a_backslash_elsewhere(tmp_path):
    if os.altsep:
        pytest.skip("a backslash parts folders here")
    path = tmp_path / r"a\b.csv"
    path.touch()
    assert list_files(path) == [str(path)]


@pytest.mark.parametrize("small", [-1, None], ids=["engine", "texts"])
@pytest.mark.parametrize("head", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte-order mark"])
@pytest.mark.parametrize("name", ["tau_bench", "aime25"])
def test_ends_of_lines_change_no_number(name, head, small, tmp_path, monkeypatch):
    if small is not None:
        monkeypatch.setattr(sources, "SMALL", small)
    source = example_path(name)
    other = tmp_path / source.name
    other.write_bytes(head + b"\r\n".join(source.read_bytes().splitlines()) + b"\r\n")
    one, two = (sampling_eval.read(path) for path in (source, other))
    assert one.source == two.source
    np.testing.assert_array_equal(one.correct, two.correct)
    np.testing.assert_array_equal(one.times, two.times)
