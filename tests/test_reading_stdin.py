"Standard input as a file of the kind that its content shows."
import io
import os
import sys
from types import SimpleNamespace

import pytest

from sampling_eval.io.console import spool_input, stand_in


@pytest.fixture
def pour(monkeypatch):
    "A function that lets bytes come from the standard input."
    def pour(data): monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    return pour


def test_an_input_as_a_file_of_its_own(pour):
    pour(b"a,b\n")
    with spool_input() as path:
        assert os.path.basename(os.path.dirname(path)).startswith("sampling_eval")
        assert os.path.basename(path) == "stdin.csv" and open(path, "rb").read() == b"a,b\n"
    assert not os.path.exists(os.path.dirname(path))
    pour(b"")
    with pytest.raises(ValueError, match="^the standard input is empty$"):
        with spool_input(): pass


@pytest.mark.parametrize("kind", [ValueError, TypeError, OSError])
def test_messages_name_the_input_alone(pour, kind):
    pour(b"a,b\n")
    with pytest.raises(kind) as error:
        with spool_input() as path: raise kind(f"cannot read {path}")
    assert str(error.value) == "cannot read stdin.csv"


def test_a_dash_stands_for_the_input(pour):
    pour(b"a,b\n")
    asked = SimpleNamespace(files=["x", "-"], baseline="y", pilot=None)
    with stand_in(asked, ["baseline", "pilot", "absent"]):
        assert asked.files == ["x", asked.stdin] and asked.stdin.endswith("stdin.csv") and asked.baseline == "y"
    pour(b"a,b\n")
    asked = SimpleNamespace(baseline="-")
    with stand_in(asked, ["baseline"]): assert asked.baseline == asked.stdin


def test_no_dash_and_two(pour):
    asked = SimpleNamespace(files=["x"], baseline="y")
    with stand_in(asked, ["baseline"]): assert vars(asked) == dict(files=["x"], baseline="y")
    for asked in (SimpleNamespace(files=["-", "-"]), SimpleNamespace(files=["-"], baseline="-"),
                  SimpleNamespace(baseline="-", pilot="-")):
        with pytest.raises(ValueError, match="^the standard input can be read once, got - twice$"):
            with stand_in(asked, ["baseline", "pilot"]): pass
