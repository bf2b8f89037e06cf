"Cells and rows of a Markdown table that a phone can show."
import pytest

from sampling_eval.reporting.cells import escape_cell, write_rows


@pytest.mark.parametrize("text, told", [
    ("a|b", r"a\|b"), ("a^b~c", r"a\^b\~c"), ("`a|b<`", "<code>a&#124;b&lt;</code>"), ("`a^b`", "`a^b`"), ("$a|b^2$",
        r"$a\vert b^2$"),
    ("$a^2$", "$a^2$"), ("a\nb", "a b"), ("x `a|b` | $c|d$", r"x <code>a&#124;b</code> \| $c\vert d$"), (7, "7"),
    ("$5 | x", r"$5 \| x")])
def test_cells_of_a_page(text, told): assert escape_cell(text) == told


def test_rows_of_a_page():
    assert write_rows(["name", "meaning"], [["a|b", "c"]]) == (
        '<div class="api">\n\n| name | meaning |\n|:--------|:' + "-" * 34 + "|\n| a\\|b | c |\n\n</div>")
    assert write_rows(["type"], []).splitlines()[3] == "|:" + "-" * 12 + "|"
