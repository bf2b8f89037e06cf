"Parameters as Python and the command spell them: errors, kinds, and what help() lists."

import ast
import copy
import inspect
import json
import pickle
import subprocess
import sys
from dataclasses import dataclass
from os.path import normpath
from pathlib import Path

import numpy as np
import pytest

import sampling_eval
from conftest import command
from scripts import ROOT, load_script
from sampling_eval import audit, compare, OptionError, OptionTypeError, plan, score
from sampling_eval.docstrings import documented_owner, drop_parameters, read_parameters
from sampling_eval.errors import retell
from sampling_eval.spelling import (
    Call,
    CommandSpelling,
    drop_options,
    list_choices,
    name_option,
    marked,
    name_verb,
    option,
    spell,
    spell_command,
)
from sampling_eval.patterns import files_in_short, label_path, match_paths, order_numbers
from sampling_eval.arguments import (
    check_choice,
    check_kinds,
    checked,
    hold,
    is_endless,
    name_parameters,
)

COMMAND = CommandSpelling(
    {"missing", "max_drop", "cluster", "scale", "ignore", "no_answer", "k", "bounds"},
    {"new": "a second FILE"},
    {"separate": "merge", "missing": "score"},
    {"count": "counts"},
    ("bounds",),
    ["score", "a b.csv", "--k", "3", "--missing=drop"],
)


def both(sentence):
    "What Python shows, and what the command does."
    return spell(sentence), spell(sentence, COMMAND)


@pytest.mark.parametrize(
    "given, python, command",
    [
        (("missing",), "missing=", "--missing"),
        (("missing", "wrong", "drop"), "missing='wrong' or 'drop'", "--missing wrong or drop"),
        (
            ("missing", "wrong", "drop", "raise"),
            "missing='wrong', 'drop' or 'raise'",
            "--missing wrong, drop or raise",
        ),
        (("max_drop", 0.02), "max_drop=0.02", "--max-drop 0.02"),
        (("max_drop", np.float64(0.5)), "max_drop=0.5", "--max-drop 0.5"),
        (("max_drop", ...), "max_drop=...", "--max-drop ..."),
        (("cluster", False), "cluster=False", "--cluster none"),
        (("no_answer", None), "no_answer=None", "no --no-answer"),
        (("scale", (1, 5)), "scale=(1, 5)", "--scale 1 5"),
        (("ignore", "a b"), "ignore='a b'", "--ignore 'a b'"),
        (("ignore", "it's"), "ignore=\"it's\"", "--ignore 'it'\"'\"'s'"),
        (("separate", True), "separate=True", "sampling-eval merge --separate"),
        (("new",), "new=", "a second FILE"),
        (("rng", 3), "rng=3", "rng=3"),
        (("new", "a.csv"), "new='a.csv'", "a second FILE a.csv"),
        (("k", [1, 2]), "k=[1, 2]", "--k 1 2"),
        (("k", {"pass@1": 0.5, "a b": 2}), "k={'pass@1': 0.5, 'a b': 2}",
         "--k pass@1=0.5 'a b'=2"),
        (("k", Path("a b")), "k='a b'", "--k 'a b'"),
        # What cannot be typed: a function, infinity, an object.
        (("ignore", spell), "ignore=spell", "--ignore"),
        (("ignore", float("inf")), "ignore=inf", "--ignore"),
        (("ignore", [float("inf")]), "ignore=[inf]", "--ignore"),
        (("ignore", ["x", float("inf")]), "ignore=['x', inf]", "--ignore"),
        (("ignore", {"a": 1j}), "ignore={'a': 1j}", "--ignore"),
        (("ignore", "x", spell), "ignore='x' or spell", "--ignore x"),
        (("ignore", np.ones(2)), "ignore=array([1., 1.])", "--ignore"),
        (("bounds", (0, 1)), "bounds=(0, 1)", "--bounds=0,1"),
        (("bounds", "x"), "bounds='x'", "--bounds x"),
    ],
)
def test_an_option_in_a_sentence(given, python, command):
    assert both(option(*given)) == (python, command)


@pytest.mark.parametrize(
    "name, python, command",
    [
        ("max_drop", "max_drop", "--max-drop"),
        ("new", "new", "a second FILE"),
        ("separate", "separate", "sampling-eval merge --separate"),
        ("rng", "rng", "rng"),
    ],
)
def test_an_option_by_its_name(name, python, command):
    assert both(name_option(name)) == (python, command)


def test_verbs_and_choices():
    assert both(name_verb("count")) == ("sampling_eval.count", "sampling-eval counts")
    assert both(name_verb("merge")) == ("sampling_eval.merge", "sampling-eval merge")
    assert both(list_choices([None, "a", "b"])) == ("None, 'a' or 'b'", "a or b")
    assert spell(list_choices(["a"])) == "'a'" and spell(list_choices([])) == ""


CHOICES = "raise", "wrong", "drop"


@pytest.mark.parametrize(
    "given, python, command",
    [
        (
            dict(option="missing", choices=CHOICES, got="guess"),
            "missing must be 'raise', 'wrong' or 'drop', got 'guess'",
            "--missing must be raise, wrong or drop, got 'guess'",
        ),
        (
            dict(option="max_drop", must="lie in [0, 1]", got=2, hint="it is a share"),
            "max_drop must lie in [0, 1], got 2; it is a share",
            "--max-drop must lie in [0, 1], got 2; it is a share",
        ),
        (
            dict(
                option="missing",
                rule="every sample needs an outcome",
                found="1 without one",
                where=" at question 'missing='",
            ),
            *["every sample needs an outcome, got 1 without one at question 'missing='"] * 2,
        ),
        (
            dict(option="max_drop", must="be a number", got="missing='wrong'"),
            "max_drop must be a number, got \"missing='wrong'\"",
            "--max-drop must be a number, got \"missing='wrong'\"",
        ),
        (
            dict(option="scale", rule="two numbers", got=np.int64(3)),
            "two numbers, got 3",
            "two numbers, got 3",
        ),
        (
            dict(option="scale", rule="two numbers", got="x" * 99),
            "two numbers, got '" + "x" * 59,
            "two numbers, got '" + "x" * 59,
        ),
    ],
)
@pytest.mark.parametrize("kind", [OptionError, OptionTypeError])
def test_an_error_is_one_sentence(kind, given, python, command):
    error = kind(**given)
    assert (str(error), error.say(COMMAND)) == (python, command) and both(marked(error)) == (
        python,
        command,
    )


@pytest.mark.parametrize(
    "ways, call, python, command",
    [
        ([dict(k=2)], None, "score(data, k=2)", ["score 'a b.csv' --missing=drop --k 2"]),
        (
            [dict(missing="wrong"), dict(max_drop=None, k=[1, 2])],
            Call("gate", dict(new="n.csv"), dict(k=3, missing=None)),
            "gate('n.csv', k=3, missing='wrong'), or: sampling_eval.gate('n.csv', k=[1, 2])",
            [
                "score 'a b.csv' --k 3 --missing wrong",
                "score 'a b.csv' --missing=drop --k 1 2",
            ],
        ),
        # What the command has not is said to another one, on the file that is read.
        (
            [dict(target="same_questions")],
            Call("score", dict(data="d/run 1.csv", more=Path("p")), {}),
            "score('d/run 1.csv', 'p', target='same_questions')",
            ["score 'd/run 1.csv' --target same_questions"],
        ),
        (
            [dict(question="q")],
            Call("merge", dict(runs=["d/run 1.csv.gz"], path="x"), {}),
            "merge(['d/run 1.csv.gz'], 'x', question='q')",
            None,
        ),
        (
            [dict(question="q")],
            Call("count", dict(data="d/run 1.csv/"), {}),
            "count('d/run 1.csv/', question='q')",
            ["counts 'd/run 1.csv/' --question q --output 'run 1_counts.parquet'"],
        ),
        (
            [dict(question="q")],
            Call("score", dict(data=np.eye(2)), {}),
            "score(data, question='q')",
            ["counts FILE --question q --output FILE_counts.parquet"],
        ),
        # What would be long, or no table, stands there by its name.
        (
            [dict(k=1)],
            Call("compare", dict(a="x" * 199, b="x" * 200, c=[], d=["x", 1], e=["x", None]),
                 dict(f=None, g=(1.5, True), h=b"x")),
            f"compare('{'x' * 199}', b, c, ['x', 1], e, g=[1.5, True], h=h, k=1)",
            ["score 'a b.csv' --missing=drop --k 1"],
        ),
    ],
    ids="nothing two target list folder array long".split(),
)
def test_calls_that_would_work(ways, call, python, command):
    error = OptionError("k", "which one?", ways=ways)
    error.call = call
    assert str(error) == f"which one? Try: sampling_eval.{python}"
    if command is not None:
        typed = ", or: ".join(f"sampling-eval {one}" for one in command)
        assert error.say(COMMAND) == f"which one? Try: {typed}"
    other = OptionError("k", "none is right", ways=ways)
    assert str(other).startswith("none is right. Try: ")


def test_a_command_that_has_all_the_options_that_were_missing():
    error = OptionError("k", "which one?", ways=[dict(k=2)])
    spelling = CommandSpelling({"k"}, words=["score", "a.csv"])
    assert error.say(spelling) == "which one? Try: sampling-eval score a.csv --k 2"


def test_an_error_keeps_what_it_says_as_fields():
    error = OptionError("missing", choices=CHOICES, got="guess", hint="leave it out")
    assert (error.option, error.got, error.choices, error.hint) == (
        "missing",
        "guess",
        CHOICES,
        "leave it out",
    )
    assert error.rule == "missing must be 'raise', 'wrong' or 'drop'"
    assert isinstance(error, ValueError) and not isinstance(error, TypeError)
    assert isinstance(OptionTypeError("k", must="be an int"), TypeError) and not isinstance(
        OptionTypeError("k"), ValueError
    )


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_is_copied_whole(again):
    error = OptionTypeError("k", must="be an int", got=True)
    told = again(error)
    assert (
        type(told) is OptionTypeError
        and str(told) == str(error) == "k must be an int, got True"
        and vars(told) == vars(error)
    )
    retell(error, lambda said: f"pass@1: {said}")  # A caller may say where
    assert str(again(error)) == "pass@1: k must be an int, got True" and again(error).option == "k"


def test_a_sentence_without_an_option_stays_as_it_is():
    assert both("k = 3") == ("k = 3", "k = 3")


def test_a_command_as_it_is_typed():
    assert (
        spell_command(
            "compare",
            ["a b.csv", "c"],
            dict(models=["x", "y z"], max_drop=0.1, k=None, scale=(1, 5)),
        )
        == "sampling-eval compare 'a b.csv' c --models x --models 'y z' --max-drop 0.1 --k None"
        " --scale 1 5"
    )
    assert spell_command("demo", [], {}) == "sampling-eval demo"


def test_the_command_spells_what_python_says(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text('{"question": 1, "sample": 1, "correct": 1}\n')
    ran = command("score", path, "--missing", "guess")
    assert ran.returncode == 2 and ran.stderr.startswith(
        "sampling-eval: --missing must be raise, wrong, drop or bounds, got 'guess'"
    )


def test_data_that_read_like_options_stay_as_they_are(tmp_path):
    path = tmp_path / "missing='drop'.jsonl"
    path.write_text(
        "".join(
            json.dumps(dict(question=q, sample=s, correct=1, model=m)) + "\n"
            for q in ("score='0.5' wins", "cluster=False")
            for s in (1, 2)
            for m in ("no_answer='vote'", "b")
        )
    )
    told = command("score", path).stdout
    assert "missing='drop'.jsonl" in told and "no_answer='vote'" in told
    assert (
        "score='0.5' wins" in command("explain", path, "score='0.5' wins", "--models", "b").stdout
    )
    assert "question 'score=1'" in command("explain", path, "score=1", "--models", "b").stderr


# Kinds that are checked by name, and names of files.


@checked
def example(x, /, new=1, *rest, b=2, target=None, **more):
    return x, new, rest, b, target, more


def test_kinds_are_checked_whether_named_or_not():
    for args, given in (((0,), dict(target=3)), ((0,), dict(b=1, target=["x"]))):
        with pytest.raises(TypeError, match="target must be text, got "):
            example(*args, **given)
    plain = checked(lambda delta: delta)
    assert plain(0.5) == plain(delta=0.5) == 0.5
    with pytest.raises(TypeError, match="delta must be a number, got 'x'"):
        plain("x")


@pytest.mark.parametrize(
    "name, good, bad, said",
    [
        ("delta", [1, 0.5, np.float32(1), np.array(2), None, True], "1", "a number, got '1'"),
        (
            "metrics",
            ["pass@1", ["a"], ("a",), dict(a=1), None],
            3,
            "a name or a list of names, got 3",
        ),
        ("minimum", [{}, None], "pass@1", "a mapping such as {'pass@1': 0.9}, got 'pass@1'"),
        ("path", ["x", None], 3, "a path, got 3"),
        ("target", ["x", None], b"x", "text, got b'x'"),
        ("others", [[], (), None], {}, "a list of further systems, got {}"),
        ("models", ["x"], 1.0, "a name or a list of names, got 1.0"),
        ("sums", ["x"], 1.0, "a name or a list of names, got 1.0"),
        ("max_drop", [0], [1], "a number, got [1]"),
        ("max_drop", [0], np.ones(1), "a number, got array([1.])"),
        ("test", ["t"], "x" and 5, "text, got 5"),
        ("method", ["t"], 5, "text, got 5"),
        ("delta", [], "y" * 90, f"a number, got '{'y' * 59}"),
    ],
)
def test_kinds(name, good, bad, said):
    for one in good:
        assert check_kinds({name: one, "unknown": object()}) is None
    with pytest.raises(TypeError) as caught:
        check_kinds({"unknown": 1, name: bad})
    assert str(caught.value) == f"{name} must be {said}"


# Names of files.


def test_numbers_in_names_are_numbers():
    names = ["step100", "step9", "step50", "step", "a2b10", "a2b9", "10", "9"]
    assert sorted(names, key=order_numbers) == [
        "9",
        "10",
        "a2b9",
        "a2b10",
        "step",
        "step9",
        "step50",
        "step100",
    ]
    assert order_numbers("a2") == [(-1, "a"), (2, ""), (-1, "")]


@pytest.mark.parametrize(
    "files, said",
    [
        (["d/a.csv"], "a.csv"),
        (["d/a.csv", "b"], "2 files (a.csv, b)"),
        (["a", "b", "c"], "3 files (a, b, c)"),
        (["a", "b", "c", "d"], "4 files (a, b, c, ...)"),
        (["d/a", "e/a", "f/b"], "3 files (a, b)"),
    ],
)
def test_files_are_told_by_their_first_names(files, said):
    assert files_in_short(files) == said


@pytest.mark.parametrize(
    "names, labels",
    [
        (["/x/a/1.json", "/x/b/1.json"], ["a/1", "b/1"]),
        (["/x/a.json", "/x/b.v2.json"], ["a", "b.v2"]),
        (["/x/a/1", "/x/a/c/2"], ["1", "c/2"]),
        (["a"], ["a"]),
        (["/x/a", "/x/a/b"], ["a", "a/b"]),
    ],
)
def test_labels_are_what_paths_do_not_share(names, labels):
    paths = list(map(Path, names))
    assert [label_path(path, paths) for path in paths] == labels


def test_which_paths_fit_a_pattern(tmp_path, monkeypatch):
    for place in ("a", "b/c", ".git/d"):
        (tmp_path / place).mkdir(parents=True)
    for name in ("x.csv", "a/x.csv", "b/y.csv", "b/c/x.csv", ".git/d/x.csv", "a/.x.csv"):
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    assert sorted(match_paths("*.csv")) == ["x.csv"] and match_paths("none*") == []
    assert list(map(normpath, match_paths("**/x.csv"))) == ["x.csv", "a/x.csv", "b/c/x.csv"]
    assert match_paths("b/**/*.csv") == ["b/y.csv", "b/c/x.csv"] and match_paths(
        "b/**/c/**/x.csv"
    ) == ["b/c/x.csv"]
    assert sorted(map(normpath, match_paths("**"))) == [
        "a",
        "a/x.csv",
        "b",
        "b/c",
        "b/c/x.csv",
        "b/y.csv",
        "x.csv",
    ]
    assert match_paths("n/**/x.csv") == [] and sorted(match_paths(f"{tmp_path}/**/y.csv")) == [
        f"{tmp_path}/b/y.csv"
    ]


RUN = np.array([[0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]])


@pytest.mark.parametrize(
    "call, said",
    [
        (
            lambda: plan(RUN, delta=0.02),
            (
                "plan: got delta twice, by position and as delta=; a run is pilot=, as in"
                " plan(pilot=run, delta=.02)"
            ),
        ),
        (
            lambda: plan(RUN, 0.02),
            (
                "delta must be a number, got ndarray of shape (3, 4); a run is pilot=, as in"
                " plan(pilot=run, delta=.02)"
            ),
        ),
        (
            lambda: plan("run.csv", 0.02),
            (
                "delta must be a number, got 'run.csv'; a run is pilot=, as in plan(pilot=run,"
                " delta=.02)"
            ),
        ),
        (
            lambda: compare(RUN, RUN, RUN),
            (
                "metrics must be a name or a list of names, got ndarray of shape (3, 4); further"
                " systems are others=, as in compare(a, b, others=[c])"
            ),
        ),
        (
            lambda: score([4, 4], np.array([1, 2])),
            (
                "metrics must be a name or a list of names, got array([1, 2]); counts are one"
                " argument, as in score(Counts(n, c))"
            ),
        ),
        (
            lambda: score(RUN, ["pass@1"], metrics="pass@1"),
            (
                "score: got metrics twice, by position and as metrics=; counts are one argument, as"
                " in score(Counts(n, c))"
            ),
        ),
        (
            lambda: score(RUN, None, 1, k=2),
            "score: got k twice, by position and as k=; give it once",
        ),
    ],
)
def test_what_to_type(call, said):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == said


def test_data_that_can_be_gone_through_once_are_held(tmp_path):
    (path := tmp_path / "a.csv").write_text("x")
    assert hold(iter([1, 2])) == [1, 2] and hold(one for one in "ab") == ["a", "b"]
    for data in [1, 2], "ab", {1: 2}, RUN:
        assert hold(data) is data
    with open(path) as file:
        assert hold(file) is file
    assert example(iter("ab"), 1)[0] == ["a", "b"]


def test_the_outermost_call_is_that_of_an_error():
    @checked
    def inner(data, k=1):
        raise OptionError("k", "no k", ways=[dict(k=2)])

    @checked
    def outer(data, *more, size=None):
        return inner(data, k=3)

    with pytest.raises(ValueError) as caught:
        outer("a.csv", size=4)
    assert caught.value.call == Call("outer", dict(data="a.csv"), dict(size=4))
    assert str(caught.value) == "no k. Try: sampling_eval.outer('a.csv', size=4, k=2)"


def test_numbers_of_very_many_digits():
    @checked
    def read_number(text):
        return int(text)

    with pytest.raises(ValueError, match="^a whole number may have at most 4,300 digits"):
        read_number("1" * 5000)
    with pytest.raises(ValueError, match="invalid literal for int"):
        read_number("x")
    assert is_endless(ValueError("Exceeds the limit for integer string conversion"))
    assert not is_endless(TypeError("Exceeds the limit for integer string conversion"))


def test_parameters_by_name():
    assert name_parameters(example) == ("x", "new", "b", "target")


@pytest.mark.parametrize(
    "value, known, good",
    [("a", ("a", None), True), (None, ("a", None), True), (None, ("a",), False),
     (1, (1, "a"), False), (True, (1, "a"), False), ("b", ("a",), False), (["a"], ("a",), False)],
)
def test_values_that_there_are(value, known, good):
    if good:
        assert check_choice("test", value, known) is None
        return
    with pytest.raises(OptionError, match="^test must be .*, got "):
        check_choice("test", value, known)


def test_a_file_in_the_place_of_a_metric(tmp_path):
    (path := tmp_path / "c.csv").write_text("question,correct\n1,1\n")
    with pytest.raises(ValueError, match=r"further systems of compare are others=\['.*c\.csv'\]"):
        compare(RUN, RUN, str(path))


# help() lists what each parameter means: tools/docstrings.py writes it from the comments beside
# them.

BARE = '''def documented(
    first: int,  # A number
    *rest: int,  # More numbers
    bare=None,
    size: float = 1.,  # How large, a text that is long enough to need a second line because it \
says more than fits
    **options: str,  # Further ones
) -> int:  # Their sum
    """What is returned.

    Raises: `ValueError`.
    """
    return first


class Example:
    "What it is."

    def __init__(
        self,
        first: int,  # A number
    ) -> None: ...


def plain(first): "What it does."
'''
LISTED = """What is returned.

Parameters:
    first    A number
    rest     More numbers
    size     How large, a text that is long enough to need a second line because it says more
             than fits
    options  Further ones
    return   Their sum

Raises: `ValueError`."""


@pytest.fixture(scope="module")
def completed():
    return load_script("tools/docstrings.py").complete(BARE, ["documented", "Example", "plain"])


def test_parameters_stand_after_the_first_line(completed):
    made = {node.name: ast.get_docstring(node) for node in ast.parse(completed).body}
    assert made == dict(
        documented=LISTED,
        plain="What it does.",
        Example="What it is.\n\nParameters:\n    first  A number",
    )
    assert "    return first\n" in completed


def test_what_is_completed_stays(completed):
    assert (
        load_script("tools/docstrings.py").complete(completed, ["documented", "Example", "plain"])
        == completed
    )
    assert drop_parameters(LISTED) == "What is returned.\n\nRaises: `ValueError`."


@dataclass
class Fields:
    "What it is."

    first: int  # A number


@dataclass
class Heir(Fields):
    "What it became."


def test_a_parameter_is_described_beside_it_or_above():
    source = "def f(\n    # First,\n    # second\n    a,\n    b,  # Beside\n    c,\n): 0"
    assert read_parameters(source) == {"a": "First, second", "b": "Beside"}


def test_where_parameters_are_written():
    class Plain:
        first: int

    class Below(Plain):
        pass

    @dataclass
    class Own(Fields):
        second: int = 0

    heir = Heir(1)
    assert (
        documented_owner(Heir) is Fields
        and documented_owner(Own) is Own
        and documented_owner(Below) is Below
    )
    assert (
        documented_owner(heir) is heir
        and documented_owner(test_where_parameters_are_written) is test_where_parameters_are_written
    )
    assert documented_owner(3) == 3


# An error is raised, and made by nobody else.
MADE = [
    name
    for name in sampling_eval.__all__
    if not (isinstance(made := getattr(sampling_eval, name), type) and issubclass(made, Exception))
]


@pytest.mark.parametrize("name", MADE)
def test_every_public_name_says_what_its_parameters_mean(name):
    symbol = getattr(sampling_eval, name)
    said = read_parameters(inspect.cleandoc(inspect.getsource(symbol)))
    told = " ".join(inspect.getdoc(symbol).split())
    assert said and all(f"{name} {' '.join(text.split())}" in told for name, text in said.items())


def test_docstrings_are_current():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "docstrings.py", "--check"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "name, first, parameter, text",
    [
        (
            "pass_at_k",
            "Unbiased chance that at least one of `k` samples is correct, for each question.",
            "c",
            "Correct samples per question, shape `(Q,)`",
        ),
        (
            "score",
            "Every metric the data can give, at every budget, with its error bar.",
            "confidence_level",
            "Level of the intervals",
        ),
        (
            "Counts",
            "Per-question counts of one system: `n` samples, `c` correct, each of shape `(Q,)`.",
            "n",
            "Samples with an outcome",
        ),
    ],
)
def test_help_shows_them(name, first, parameter, text):
    shown = subprocess.run(
        [sys.executable, "-c", f"import sampling_eval; help(sampling_eval.{name})"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = [line.replace("|", " ").strip() for line in shown.splitlines()]
    start = lines.index(first)
    assert lines[start + 2] == "Parameters:"
    assert [parameter, text] in [line.split(None, 1) for line in lines[start + 3 :] if " " in line]


# What stands before `metrics` in verbs that begin with what they ask.
ASKED = dict(
    compare=["baseline", "new"],
    explain=["data", "name", "other"],
    plan=["delta", "power", "pilot", "questions", "n"],
)
VERBS = [
    name
    for name in sampling_eval.__all__
    if inspect.isfunction(getattr(sampling_eval, name))
    and {"metrics", "k"} <= inspect.signature(getattr(sampling_eval, name)).parameters.keys()
]


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_takes_data_metrics_and_budgets_in_this_order(name):
    order = list(inspect.signature(getattr(sampling_eval, name)).parameters)
    first = ASKED.get(name, order[:1])
    assert order[: len(first) + 2] == [*first, "metrics", "k"]


def test_a_formula_takes_its_budget_after_what_was_counted():
    counted = {
        "n",
        "c",
        "judged",
        "right_judged",
        "answers",
        "turns",
        "weights",
        "confidence",
        "right",
        "a",
        "b",
        "correct",
        "scores",
        "rewards",
        "attempts",
        "solved",
    }
    for name in sampling_eval.__all__:
        function = getattr(sampling_eval, name)
        if name in VERBS or not inspect.isfunction(function):
            continue
        order = [
            o.name
            for o in inspect.signature(function).parameters.values()
            if o.kind != o.KEYWORD_ONLY
        ]
        if "k" in order:
            assert set(order[: order.index("k")]) <= counted, name


def test_a_share_that_no_count_gives_names_those_beside_it():
    "Of shares near 1 the largest count is named, and never one beyond it."
    for share, near in {"99.9 %": "9/10 = 0.9 and 10/10 = 1", "0.01": "0/10 = 0 and 1/10"}.items():
        with pytest.raises(ValueError, match=f"nearest are {near}"):
            audit(share, questions=10, samples=1)


@pytest.mark.parametrize(
    "words, names, kept",
    [
        ("run.csv --max-drop 2 --k 3", {"max_drop"}, "run.csv --k 3"),
        ("run.csv --max-drop=2 --k 3", {"max_drop"}, "run.csv --k 3"),
        ("--k 3 run.csv --max-drop 2", {"k", "max_drop"}, "run.csv"),
        ("run.csv --k 3", {"max_drop"}, "run.csv --k 3"),
    ],
)
def test_options_are_dropped_with_their_values(words, names, kept):
    assert drop_options(words.split(), names) == kept.split()
