"Errors about options, and options in sentences, as Python and the command spell them."
import copy
import json
import pickle

import numpy as np
import pytest

from conftest import command

from sampling_eval.errors import (CommandSpelling, OptionError, OptionTypeError, list_choices, name_option, name_verb,
                                   option, spell_command, spelled_by)

COMMAND = CommandSpelling({"missing", "max_drop", "cluster", "scale", "ignore", "no_answer", "k"}, {"new": "a second FILE"},
                          {"separate": "merge", "missing": "score"}, {"count": "counts"})


def both(say):
    "What Python shows, and what the command does."
    with spelled_by(COMMAND): typed = say()
    return say(), typed


@pytest.mark.parametrize("given, python, command", [
    (("missing",), "missing=", "--missing"),
    (("missing", "wrong", "drop"), "missing='wrong' or 'drop'", "--missing wrong or drop"),
    (("missing", "wrong", "drop", "raise"), "missing='wrong', 'drop' or 'raise'", "--missing wrong, drop or raise"),
    (("max_drop", .02), "max_drop=0.02", "--max-drop 0.02"), (("max_drop", np.float64(.5)), "max_drop=0.5", "--max-drop 0.5"),
    (("max_drop", ...), "max_drop=...", "--max-drop ..."),
    (("cluster", False), "cluster=False", "--cluster none"), (("no_answer", None), "no_answer=None", "no --no-answer"),
    (("scale", (1, 5)), "scale=(1, 5)", "--scale 1 5"), (("ignore", "a b"), "ignore='a b'", "--ignore 'a b'"),
    (("ignore", "it's"), "ignore=\"it's\"", "--ignore 'it'\"'\"'s'"),
    (("separate", True), "separate=True", "sampling-eval merge --separate"),
    (("new",), "new=", "a second FILE"), (("rng", 3), "rng=3", "rng=3")])
def test_an_option_in_a_sentence(given, python, command): assert both(lambda: option(*given)) == (python, command)


@pytest.mark.parametrize("name, python, command", [
    ("max_drop", "max_drop", "--max-drop"), ("new", "new", "a second FILE"), ("separate", "separate", "sampling-eval merge --separate"),
    ("rng", "rng", "rng")])
def test_an_option_by_its_name(name, python, command): assert both(lambda: name_option(name)) == (python, command)


def test_verbs_and_choices():
    assert both(lambda: name_verb("count")) == ("sampling_eval.count", "sampling-eval counts")
    assert both(lambda: name_verb("merge")) == ("sampling_eval.merge", "sampling-eval merge")
    assert both(lambda: list_choices([None, "a", "b"])) == ("None, 'a' or 'b'", "a or b")
    assert list_choices(["a"]) == "'a'" and list_choices([]) == ""


CHOICES = "raise", "wrong", "drop"


@pytest.mark.parametrize("given, python, command", [
    (dict(option="missing", choices=CHOICES, got="guess"), "missing must be 'raise', 'wrong' or 'drop', got 'guess'",
     "--missing must be raise, wrong or drop, got 'guess'"),
    (dict(option="max_drop", must="lie in [0, 1]", got=2, hint="it is a share"), "max_drop must lie in [0, 1], got 2; it is a share",
     "--max-drop must lie in [0, 1], got 2; it is a share"),
    (dict(option="missing", rule="every sample needs an outcome", found="1 without one", where=" at question 'missing='"),
     *["every sample needs an outcome, got 1 without one at question 'missing='"] * 2),
    (dict(option="max_drop", must="be a number", got="missing='wrong'"), "max_drop must be a number, got \"missing='wrong'\"",
     "--max-drop must be a number, got \"missing='wrong'\""),
    (dict(option="scale", rule="two numbers", got=np.int64(3)), "two numbers, got 3", "two numbers, got 3"),
    (dict(option="scale", rule="two numbers", got="x" * 99), "two numbers, got '" + "x" * 59, "two numbers, got '" + "x" * 59)])
@pytest.mark.parametrize("kind", [OptionError, OptionTypeError])
def test_an_error_is_one_sentence(kind, given, python, command):
    assert both(lambda: str(kind(**given))) == (python, command)


def test_an_error_keeps_what_it_says_as_fields():
    error = OptionError("missing", choices=CHOICES, got="guess", hint="leave it out")
    assert (error.option, error.got, error.choices, error.hint) == ("missing", "guess", CHOICES, "leave it out")
    assert error.rule == "missing must be 'raise', 'wrong' or 'drop'"
    assert isinstance(error, ValueError) and not isinstance(error, TypeError)
    assert isinstance(OptionTypeError("k", must="be an int"), TypeError) and not isinstance(OptionTypeError("k"), ValueError)


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_is_copied_whole(again):
    error = OptionTypeError("k", must="be an int", got=True)
    told = again(error)
    assert type(told) is OptionTypeError and str(told) == str(error) == "k must be an int, got True" and vars(told) == vars(error)
    error.args = (f"pass@1: {error}",)  # A caller may say where
    assert str(again(error)) == "pass@1: k must be an int, got True" and again(error).option == "k"


def test_spellings_end_with_their_body():
    with pytest.raises(KeyError), spelled_by(COMMAND): raise KeyError
    assert option("missing") == "missing="


def test_a_command_as_it_is_typed():
    assert spell_command("compare", ["a b.csv", "c"], dict(models=["x", "y z"], max_drop=.1, k=None, scale=(1, 5))) == (
        "sampling-eval compare 'a b.csv' c --models x --models 'y z' --max-drop 0.1 --k None --scale 1 5")
    assert spell_command("demo", [], {}) == "sampling-eval demo"


def test_the_command_spells_what_python_says(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text('{"question": 1, "sample": 1, "correct": 1}\n')
    ran = command("score", path, "--missing", "guess")
    assert ran.returncode == 2 and ran.stderr.startswith("sampling-eval: --missing must be raise, wrong, drop or bounds, got 'guess'")
    assert option("missing") == "missing="


def test_data_that_read_like_options_stay_as_they_are(tmp_path):
    path = tmp_path / "missing='drop'.jsonl"
    path.write_text("".join(json.dumps(dict(question=q, sample=s, correct=1, model=m)) + "\n"
                            for q in ("score='0.5' wins", "cluster=False") for s in (1, 2) for m in ("no_answer='vote'", "b")))
    told = command("score", path).stdout
    assert "missing='drop'.jsonl" in told and "no_answer='vote'" in told
    assert "score='0.5' wins" in command("explain", path, "score='0.5' wins", "--models", "b").stdout
    assert "question 'score=1'" in command("explain", path, "score=1", "--models", "b").stderr
