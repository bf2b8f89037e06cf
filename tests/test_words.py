"Words of the command as values of Python, and sentences of Python in words of the command."
import pytest

from sampling_eval.cli import tell_error
from sampling_eval.cli_options import MOST_BUDGETS, parse_budgets, parse_minimum, parse_range, split_names
from sampling_eval.words import say_advice, say_as_command


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


NAMES = ["k", "missing", "max_drop", "cluster", "union", "weights", "question", "target", "target_metric", "no_answer"]


@pytest.mark.parametrize("text, said", [
    ("write missing='wrong' or 'drop'", "write --missing wrong or drop"),
    ("missing='wrong', 'drop' or 'raise'; k=9 needs 9", "--missing wrong, drop or raise; k=9 needs 9"),
    ("max_drop=0.02 is", "--max-drop 0.02 is"), ("cluster=False", "--cluster none"), ("union=True.", "--union."),
    ("no_answer=None", "no --no-answer"),
    ("max_drop= goes", "--max-drop goes"), ("'missing=x' own_missing=1", "'missing=x' own_missing=1"),
    ("target_metric=1 target=2", "--target-metric 1 --target 2"),
    ("need max_drop >= 0, got 'max_drop'", "need --max-drop >= 0, got 'max_drop'"),
    ("weights must rise", "--weights must rise"), ("the weights given", "the weights given"),
    ("question must be", "question must be"), ("missing must be", "--missing must be"),
    ("a.max_drop, x-max_drop, max_drop(1), max_drop_2", "a.max_drop, x-max_drop, max_drop(1), max_drop_2"),
    ("pass new=, or data", "name a second FILE, or data"),
    ("a baseline and max_drop= go together", "--baseline and --max-drop go together"),
    ("target must be None, 'a' or", "--target must be 'a' or"),
    ("count it with sampling_eval.count", "count it with sampling-eval counts")])
def test_a_sentence_in_words_of_the_command(text, said): assert say_as_command(text, NAMES) == said


def test_options_of_other_commands():
    others = {"separate": "merge", "missing": "score"}
    assert say_as_command("pass separate=True or missing='drop'", ["missing"],
                          others) == "pass sampling-eval merge --separate or --missing drop"
    assert say_as_command("missing= separate=", [],
                          others) == "sampling-eval score --missing sampling-eval merge --separate"
    assert say_as_command("max_drop must", []) == "max_drop must"


@pytest.mark.parametrize("text, said", [
    ("name it with score='reward'.", "name it with --score reward."),
    ("pass score= or answer=, by=.", "pass --score or --answer, --by."),
    ("score=reward, sample=sample", "score=reward, sample=sample"),
    ("'score=x' my_score='x'", "'score=x' my_score='x'"),
    ("missing='drop'; no_answer='vote'", "--missing drop; --no-answer vote"), ("target='x'", "target='x'"),
    ("ignore='a b'", "--ignore a b")])
def test_advice_in_words_of_the_command(text, said): assert say_advice(text) == said


@pytest.mark.parametrize("held", ["score='0.5' wins", "missing='drop' it", "answer='x'"])
def test_data_stay_as_they_are(held):
    said = f'name the column with score=, got "{held}" here; pass missing=\'drop\''
    assert f'"{held}"' in say_as_command(said, ["score", "missing", "answer"])
    assert f'"{held}"' in say_advice(said) and "with --score, got" in say_advice(said)
    table = f"{held}   1 of 4\nname the column with score=."
    assert say_advice(table, lambda: ["b", held]) == f"{held}   1 of 4\nname the column with --score."
    broken = held.replace(" ", "\n", 1) + table[len(held):]
    assert say_advice(broken, lambda: [held]).startswith(held.replace(" ", "\n", 1))


def test_two_texts_of_which_one_begins_the_other():
    assert say_advice("a score='1' b, score=.", lambda: ["score='1'", "a score='1' b"]) == "a score='1' b, --score."
