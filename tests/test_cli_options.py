"Options of the command: values as they are typed, and what is derived from the verbs."
from importlib import import_module
from inspect import signature, unwrap

import pytest

from sampling_eval.cli import COMMANDS, tell_error
from sampling_eval.cli_options import MOST_BUDGETS, PYTHON_ONLY, parse_budgets, parse_minimum
from sampling_eval.parameters import READ_OPTIONS


@pytest.mark.parametrize("text, found", [
    (None, None), ("4", [4]), ("1,8,64", [1, 8, 64]), ("8,1", [8, 1]), ("1-4", [1, 2, 3, 4]), ("2..3", [2, 3]),
    (" 2 - 4 , 9", [2, 3, 4, 9]),
    ("5-5", [5]), ("0", [0]), ("999999999", [999_999_999])])
def test_budgets(text, found): assert parse_budgets(text) == found


@pytest.mark.parametrize("text", ["", "1,", "1-", "-3", "a", "1.5", "²", "1-b", "1234567890", "1-2-3"])
def test_budgets_that_are_no_numbers(text):
    with pytest.raises(ValueError) as caught: parse_budgets(text)
    assert str(caught.value) == f"k must be numbers such as 1,8,64 or a range such as 1-8, got {text!r}"


@pytest.mark.parametrize("text, part", [("8-1", "8-1"), ("1,2-1048578", "2-1048578")])
def test_ranges_that_do_not_rise_or_too_far(text, part):
    with pytest.raises(ValueError) as caught: parse_budgets(text)
    assert str(caught.value) == f"a range of k must rise, by at most 1048576, got {part!r}"
    assert len(parse_budgets("2-1048577")) == MOST_BUDGETS == 2**20


def test_least_values():
    assert parse_minimum(None) == parse_minimum([]) == {}
    assert parse_minimum(["pass^4=0.9", "a=b=-1e3"]) == {"pass^4": .9, "a=b": -1000.}
    for rule in ("=0.5", "pass@1", "pass@1=", "pass@1=x", "pass@1=nan", "0.5"):
        with pytest.raises(ValueError) as caught: parse_minimum([rule])
        assert str(caught.value) == f"minimum must be a metric and a number such as pass^4=0.9, got {rule!r}"
    with pytest.raises(ValueError) as caught: parse_minimum(["pass@1=0.5", "pass@2=0.5", "pass@1=0.6"])
    assert str(caught.value) == "minimum must name each metric once, got 'pass@1' twice"


@pytest.mark.parametrize("error, said", [
    (ValueError("a rule"), "a rule"), (OSError("no number"), "no number"),
    (OSError(2, "No such file", "x.csv"), "cannot use 'x.csv': no such file"),
    (OSError(5, "Input/output error"), "input/output error"), (OSError(5, None, "x"), "cannot use 'x': oserror"),
    (PermissionError(13, ""), "permissionerror")])
def test_an_error_in_one_sentence(error, said): assert tell_error(error) == said


def test_every_verb_and_its_command_have_the_same_options():
    "A new parameter of a verb is an option of its command; what a shell has not is named."
    for command in COMMANDS.values():
        if not command.verb: continue
        module, _, name = command.verb.rpartition(".")
        verb = unwrap(getattr(import_module(f"sampling_eval.{module}"), name))
        known = {*command.without, *PYTHON_ONLY, *READ_OPTIONS, "reading", "by_position"}
        assert {one.name for one in command.list_options()} - {one.name for one in command.own} == (
            signature(verb).parameters.keys() - known)
