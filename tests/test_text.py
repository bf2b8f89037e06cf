"Text of the terminal: widths, what is cut, what is broken, and what stands below."
from dataclasses import replace

import pytest

from sampling_eval.report.blocks import Cell, Code, Fold, Grid, GridLine, Headline, Table, Text
from sampling_eval.report.text import break_command, cut, cut_text, list_heads, measure, render, text_table, wrap


@pytest.mark.parametrize("text, width", [
    ("", 0), ("abc", 3), ("漢字", 4), ("ＡＢ", 4), ("e\u0301", 1), ("\u20dd", 0), ("é", 1), ("漢e\u0301x", 4), ("–", 1), ("ที่", 1)])
def test_columns_of_a_terminal(text, width): assert measure(text) == width


@pytest.mark.parametrize("text, width, told", [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 4, "漢字"), ("漢字漢", 5, "漢字…"), ("漢字漢", 4, "漢…"), ("ab", 1, "a…")])
def test_a_text_is_no_wider_than_its_place(text, width, told): assert cut(text, width) == told


def test_a_table_aligns_names_left_and_numbers_right():
    lines = [["name", "of", "n"], ["漢字x", "b", "10"], ["c", "long", "7"]]
    assert text_table(lines, 2) == "name   of     n\n---------------\n漢字x  b     10\nc      long   7"
    assert text_table(lines).splitlines()[3] == "c      long   7"
    assert text_table([["name", "of"], ["a", "b"]]) == "name  of\n--------\na      b"
    with pytest.raises(ValueError): text_table([["a", "b"], ["c"]])
    assert text_table([["a", "b"], ["c", ""]], 2) == "a  b\n----\nc"


def make_table(name, numbers, cell="1" * 10): return Table(["name", *["n"] * numbers], [[name, *[cell] * numbers], ["b",
    *["2"] * numbers]])


def count_heads(table):
    "How many columns stand in each block of a table."
    return [line.split().count("n") for line in render([table]).splitlines() if line.startswith(("name", " "))]


def test_eighty_columns_and_one_more():
    # A name, then columns of 12: 8 + 6 * 12 = 80.
    assert count_heads(make_table("a" * 8, 6)) == [6] and count_heads(make_table("a" * 9, 6)) == [5, 1]
    assert max(map(len, render([make_table("a" * 8, 6)]).splitlines())) == 80
    assert render([make_table("a" * 9, 6)]).count("\n\n") == 1


def test_long_names_have_lines_of_their_own():
    short, long = "s" * 40, "l" * 41
    assert render([make_table(short, 4)]).splitlines()[2].split() == [short, *["1" * 10] * 3]
    told = render([make_table(long, 6)]).splitlines()
    assert told[2] == long and told[3].split() == ["1" * 10] * 6 and told[4].split() == ["b", *["2"] * 6]
    assert render([Table(["answer", "n"], [["x" * 44, "1"]])]).splitlines()[2] == "x" * 44 + "  1"
    assert render([Table(["name", "n"], [["a", "x" * 90]])]).splitlines()[2] == "a     " + "x" * 73 + "…"


def make_grid(numbers, name="a", wraps=False, order=(), title="", heads=None, size=10):
    "Models by numbers of so many characters."
    heads = heads or [f"h{i}" for i in range(numbers)]
    cells = tuple(Cell("1" * size, ("2",)) for _ in range(numbers))
    return Grid("model", tuple(heads), (GridLine(name, "", cells), GridLine("b", "", cells)), (), title, order, wraps)


def test_columns_without_room_are_named_or_stand_below():
    told = render([make_grid(8)])
    assert told.endswith("\nNot shown here: h6, h7; --how and files have them.")
    assert render([make_grid(8, heads=["k = 1", *"2345678"], order=tuple(range(8)))]).endswith("\nNot shown here: k = 7, 8; --how and files "
                                                                          "have them.")
    below = render([make_grid(8, wraps=True)]).split("\n\n")
    assert [block.split("\n")[0].split()[1:] for block in below] == [[f"h{i}" for i in range(6)], ["h6", "h7"]]
    assert "Not shown" not in render([make_grid(6)]) and "Not shown" not in "".join(below)
    assert list_heads("abcdef") == "a, b, c, d, e, f" and list_heads("abcdefgh") == "a, b, c, d, e, f and 2 more"


def test_long_names_stand_above_their_numbers():
    assert render([make_grid(1, "a" * 40)]).splitlines()[2].split() == ["a" * 40, "1" * 10]
    told = render([make_grid(1, "a" * 41)]).splitlines()
    assert [line.split() for line in told] == [
        ["model", "h0"], ["-" * 17], ["a" * 41], ["1" * 10], ["2"], ["b", "1" * 10], ["2"]]
    swapped = replace(matrix := make_grid(1, "a" * 41), lines=matrix.lines[::-1])
    assert [line.split()[0] for line in render([swapped]).splitlines()[2:]] == ["b", "2", "a" * 41, "1" * 10, "2"]


WORD = "abcdefghi"  # Eight of them and their spaces are 79 columns


@pytest.mark.parametrize("text, told", [
    (" ".join([WORD] * 8), " ".join([WORD] * 8)), (" ".join([WORD] * 7 + [WORD + "j"]),
                                                   " ".join([WORD] * 7 + [WORD + "j"])),
    (" ".join([WORD] * 7 + [WORD + "jk"]), " ".join([WORD] * 7) + f"\n{WORD}jk"),
    ("长" * 41, "长" * 40 + "\n长"), ("one " + "x" * 90, f"one\n{'x' * 80}\n{'x' * 10}"), ("x" * 81, "x" * 80 + "\nx"), ("  a b  ", "  a b"), ("a  b", "a  b"), ("", ""),
    ("x" * 76 + " 50 %", "x" * 76 + "\n50 %"), ("x" * 75 + " 50 %", "x" * 75 + " 50 %")])
def test_lines_are_broken_at_eighty_columns(text, told): assert wrap(text) == told


def test_lines_after_the_first_are_indented():
    assert wrap(" ".join(["x" * 40, "y" * 40, "z" * 38, "end"]), "  ") == f"{'x' * 40}\n  {'y' * 40}\n  {'z' * 38} end"
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
    blocks = [Text("a", "note"), Headline("b"), Text("c"), Headline("d"), table, Code("e"), Fold("f", [Text("g", "note")]),
              Table(["n"], [["2"]], "t"), make_grid(1, title="m"), Text("h", "heading"), Text("i", "note"), Text("", "note"),
              Text("j", "note")]
    grid = ["model          h0", "-" * 17, "a      1111111111", "                2", "b      1111111111", "                2"]
    assert render(blocks) == "\n".join([
        "a", "", "b", "", "c", "", "d", "", "n", "-", "1", "", "e", "", "t", "n", "-", "2", "", "m", *grid, "", "h", "",
        "i", "j"])
    assert render([Headline("a"), Headline("b")]) == "a\n\nb" and render([]) == ""


def test_detail_opens_folds_and_shows_every_column():
    wide = [Fold("f", [Text("g")]), make_grid(8)]
    assert render(wide).startswith("model ") and "h6, h7; --how" in render(wide)
    told = render(wide, detail=True)
    assert told.startswith("f\n\ng\n\nmodel ") and "h7" in told and "--how" not in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize("value, width, length, told", [
    ("abc", 3, None, "abc"), ("", 9, None, "''"), (7, 9, None, "7"), ("a\n b", 9, None, "a b"), ("  ", 9, None, "'  '"),
    (" " * 50, 20, None, "50 characters of space"), ("x" * 50, 30, None, "x" * 13 + "… (50 characters)"),
    ("长" * 50, 30, None, "长" * 6 + "… (50 characters)"), ("begin", 30, 1000, "begin"), ("\x1b[0m", 9, None, "\ufffd[0m"),
    ("x" * 30, 10, 5000, "x… (5,000 characters)")])
def test_an_answer_of_any_length_is_one_line(value, width, length, told): assert cut_text(value, width, length) == told
