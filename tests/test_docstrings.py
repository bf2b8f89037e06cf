"help() lists what each parameter means, from the comments beside them."
import inspect
import subprocess
import sys
from dataclasses import dataclass

import pytest

import sampling_eval
from sampling_eval.docstrings import complete_doc, drop_parameters, find_owner, insert_parameters, read_parameters


def example(
    first: int,  # A number
    *rest: int,  # More numbers
    bare=None,
    size: float = 1.,  # How large, a text that is long enough to need a second line because it says more than fits
    **options: str,  # Further ones
) -> int:  # Their sum
    """What is returned.

    Raises: `ValueError`.
    """


class Example:
    "What it is."

    def __init__(
        self,
        first: int,  # A number
    ) -> None: ...


LISTED = """What is returned.

Parameters:
    first    A number
    rest     More numbers
    size     How large, a text that is long enough to need a second line because it says more than
             fits
    options  Further ones
    return   Their sum

Raises: `ValueError`."""


def test_parameters_stand_after_the_first_line():
    before = example.__doc__
    assert complete_doc(example) is example and example.__doc__.rstrip() == LISTED
    assert complete_doc(example).__doc__.rstrip() == LISTED, "once"
    assert drop_parameters(LISTED) == inspect.cleandoc(before)


def test_a_class_lists_what_it_is_made_of():
    assert complete_doc(Example).__doc__ == "What it is.\n\nParameters:\n    first  A number"
    assert drop_parameters(Example.__doc__) == "What it is."


@dataclass
class Fields:
    "What it is."
    first: int  # A number


@dataclass
class Heir(Fields):
    "What it became."


def test_a_class_lists_what_it_inherits():
    assert complete_doc(Heir).__doc__ == "What it became.\n\nParameters:\n    first  A number"


def test_where_parameters_are_written():
    class Plain:
        first: int

    class Below(Plain): pass

    @dataclass
    class Own(Fields):
        second: int = 0

    heir = Heir(1)
    assert find_owner(Heir) is Fields and find_owner(Own) is Own and find_owner(Below) is Below
    assert find_owner(heir) is heir and find_owner(example) is example and find_owner(3) == 3


@pytest.mark.parametrize("length, lines", [(91, 1), (92, 2)])
def test_lines_have_at_most_a_hundred_columns(length, lines):
    # Four columns before the name, and two after the longest one.
    doc = insert_parameters("What it is\ndoes.\n\nAnd more.", {"a": "short", "abc": f"{'x' * 40} {'y' * (length - 41)}"})
    first, second, _, head, short, *long, _, last = doc.splitlines()
    assert (first, second, last) == ("What it is", "does.", "And more.") and (head, short) == ("Parameters:", "    a    short")
    assert len(long) == lines and max(map(len, long)) == (100 if lines == 1 else 9 + length - 41)
    assert drop_parameters(doc) == "What it is\ndoes.\n\nAnd more."


@pytest.mark.parametrize("symbol", [len, 3, lambda x: x, type("Made", (), {"__doc__": "Made."})],
                         ids=["builtin", "number", "lambda", "class without source"])
def test_what_has_no_source_keeps_its_docstring(symbol):
    before = symbol.__doc__
    assert complete_doc(symbol) is symbol and symbol.__doc__ == before


# An error is raised, and made by nobody else.
MADE = [name for name in sampling_eval.__all__
        if not (isinstance(made := getattr(sampling_eval, name), type) and issubclass(made, Exception))]


@pytest.mark.parametrize("name", MADE)
def test_every_public_name_says_what_its_parameters_mean(name):
    symbol = getattr(sampling_eval, name)
    said = read_parameters(inspect.cleandoc(inspect.getsource(symbol)))
    doc = inspect.getdoc(symbol)
    assert said and doc == inspect.getdoc(complete_doc(symbol))
    told = " ".join(doc.split())
    assert all(f"{name} {' '.join(text.split())}" in told for name, text in said.items())


@pytest.mark.parametrize("name, first, parameter, text", [
    ("pass_at_k", "Unbiased chance that at least one of `k` samples is correct, for each question.",
     "c", "Correct samples per question, shape `(Q,)`"),
    ("score", "Every metric the data can give, at every budget, with its error bar.",
     "confidence_level", "Level of the intervals"),
    ("Counts", "Per-question counts of one system: `n` samples, `c` correct, each of shape `(Q,)`.",
     "n", "Samples with an outcome")])
def test_help_shows_them(name, first, parameter, text):
    shown = subprocess.run([sys.executable, "-c", f"import sampling_eval; help(sampling_eval.{name})"],
                           capture_output=True, text=True, check=True).stdout
    lines = [line.replace("|", " ").strip() for line in shown.splitlines()]
    start = lines.index(first)
    assert lines[start + 2] == "Parameters:"
    assert [parameter, text] in [line.split(None, 1) for line in lines[start + 3:] if " " in line]
