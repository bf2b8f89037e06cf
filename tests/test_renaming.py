"Old names of parameters, kinds that are checked by name, and names of files."
import inspect
import sys
import warnings
from pathlib import Path
from os.path import normpath

import numpy as np
import pytest

import sampling_eval
from sampling_eval import gate, load_result, mean_over_questions, table
from sampling_eval.cli import main
from sampling_eval.patterns import label_path, match_paths, order_numbers, tell_files
from sampling_eval.renaming import check_kinds, name_parameters, renamed
from sampling_eval.verbs.comparing import compare
from sampling_eval.verbs.planning import plan
from sampling_eval.verbs.scoring import score


@renamed(old="new", a="b")
def example(x, /, new=1, *rest, b=2, target=None, **more): return x, new, rest, b, target, more


def call(*args, **given):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = example(*args, **given)
    assert all(one.filename == __file__ and one.category is DeprecationWarning for one in caught)
    return found, [str(one.message) for one in caught]


def test_old_names_still_work_and_say_the_new_one():
    assert call(0) == ((0, 1, (), 2, None, {}), []) and call(0, 5, 6, b=7, c=8) == ((0, 5, (6,), 7, None, dict(c=8)),
        [])
    assert call(0, old=3) == ((0, 3, (), 2, None, {}), ["example: old= is now called new="])
    found, said = call(0, a=4, old=3)
    assert found == (0, 3, (), 4, None, {})
    assert sorted(said) == ["example: a= is now called b=", "example: old= is now called new="]
    with pytest.raises(TypeError) as caught: example(0, old=1, new=2)
    assert str(caught.value) == "example: old= is the old name of new=, got both"
    assert example.__name__ == "example" and name_parameters(example) == ("x", "new", "b", "target")


OLD, NEW = ("questions", "benchmark"), ("new_questions", "same_questions")
RUNS = [[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]], [[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 1]]
TARGETS = {
    "score": lambda target: score(RUNS[0], "pass@1", target=target),
    "compare": lambda target: compare(*RUNS, "pass@1", target=target),
    "table": lambda target: table(dict(a=RUNS[0], b=RUNS[1]), "pass@1", target=target),
    "gate": lambda target: gate(RUNS[1], baseline=RUNS[0], max_drop=.1, target=target),
    "plan": lambda target: plan(.1, questions=50, method="normal", target=target),
    "estimate": lambda target: mean_over_questions([0, .5, 1], target=target),
    "interval": lambda target: compare(*RUNS, "pass@1").rows[0].confidence_interval(target=target),
    "span": lambda target: compare(*RUNS, "pass@1").rows[0].span(target),
    "verdict": lambda target: compare(*RUNS, "pass@1").verdict(target),
    "p value": lambda target: compare(*RUNS, "pass@1").rows[0].run_test(target=target)}


@pytest.mark.parametrize("old, new", list(zip(OLD, NEW)))
@pytest.mark.parametrize("ask", TARGETS.values(), ids=TARGETS)
def test_old_names_of_targets_still_work_and_say_the_new_one(ask, old, new):
    with pytest.warns(DeprecationWarning) as caught: found = ask(old)
    assert found == ask(new)
    assert {str(one.message) for one in caught} == {f"target='{old}' is now called target='{new}'"}
    assert {one.filename for one in caught} == {__file__}


@pytest.mark.parametrize("verb", ["score", "compare", "table", "gate", "plan"])
def test_old_names_of_targets_in_json(verb, tmp_path):
    for new, old in zip(NEW, OLD):
        result, path = TARGETS[verb](new), tmp_path / "r.json"
        text = result.to_json()
        for one, other in zip(NEW, OLD): text = text.replace(f'"{one}"', f'"{other}"')
        path.write_text(text)
        with pytest.warns(DeprecationWarning) as caught: assert load_result(path) == result
        assert {one.filename for one in caught} == {__file__} and f"target='{new}'" in str(caught[0].message)


@pytest.mark.parametrize("typed", [["--target", "benchmark"], ["--target=benchmark"]])
def test_old_names_of_targets_in_the_command(typed, tmp_path, capsys, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("question,sample,correct\n" + "".join(f"q{i},{j},{(i + j) % 2}\n" for i in range(4) for j in range(3)))
    monkeypatch.setattr(sys, "argv", ["sampling-eval", "score", str(path), "-m", "pass@1", *typed])
    with pytest.raises(SystemExit) as ended: main()
    told = capsys.readouterr()
    assert ended.value.code == 0 and "same questions" in told.out
    assert told.err.startswith("--target benchmark is now called --target same_questions")


def test_kinds_are_checked_whether_named_or_not():
    for args, given in (((0,), dict(target=3)), ((0,), dict(b=1, target=["x"]))):
        with pytest.raises(TypeError, match="target must be text, got "): example(*args, **given)
    plain = renamed()(lambda delta: delta)
    assert plain(.5) == plain(delta=.5) == .5
    with pytest.raises(TypeError, match="delta must be a number, got 'x'"): plain("x")


@pytest.mark.parametrize("name, good, bad, said", [
    ("delta", [1, .5, np.float32(1), np.array(2), None, True], "1", "a number, got '1'"),
    ("metrics", ["pass@1", ["a"], ("a",), dict(a=1), None], 3, "a name or a list of names, got 3"),
    ("minimum", [{}, None], "pass@1", "a mapping such as {'pass@1': 0.9}, got 'pass@1'"),
    ("path", ["x", None], 3, "a path, got 3"), ("target", ["x", None], b"x", "text, got b'x'"),
    ("others", [[], (), None], {}, "a list of further systems, got {}"),
    ("models", ["x"], 1., "a name or a list of names, got 1.0"), ("sums", ["x"], 1.,
        "a name or a list of names, got 1.0"),
    ("max_drop", [0], [1], "a number, got [1]"), ("max_drop", [0], np.ones(1), "a number, got array([1.])"),
    ("test", ["t"], "x" and 5, "text, got 5"), ("method", ["t"], 5, "text, got 5"),
    ("delta", [], "y" * 90, f"a number, got '{'y' * 59}")])
def test_kinds(name, good, bad, said):
    for one in good: assert check_kinds({name: one, "unknown": object()}) is None
    with pytest.raises(TypeError) as caught: check_kinds({"unknown": 1, name: bad})
    assert str(caught.value) == f"{name} must be {said}"


# Names of files.

def test_numbers_in_names_are_numbers():
    names = ["step100", "step9", "step50", "step", "a2b10", "a2b9", "10", "9"]
    assert sorted(names, key=order_numbers) == ["9", "10", "a2b9", "a2b10", "step", "step9", "step50", "step100"]
    assert order_numbers("a2") == [(-1, "a"), (2, ""), (-1, "")]


@pytest.mark.parametrize("files, said", [
    (["d/a.csv"], "a.csv"), (["d/a.csv", "b"], "2 files (a.csv, b)"), (["a", "b", "c"], "3 files (a, b, c)"),
    (["a", "b", "c", "d"], "4 files (a, b, c, ...)"), (["d/a", "e/a", "f/b"], "3 files (a, b)")])
def test_files_are_told_by_their_first_names(files, said): assert tell_files(files) == said


@pytest.mark.parametrize("names, labels", [
    (["/x/a/1.json", "/x/b/1.json"], ["a/1", "b/1"]), (["/x/a.json", "/x/b.v2.json"], ["a", "b.v2"]),
    (["/x/a/1", "/x/a/c/2"], ["1", "c/2"]), (["a"], ["a"]), (["/x/a", "/x/a/b"], ["a", "a/b"])])
def test_labels_are_what_paths_do_not_share(names, labels):
    paths = list(map(Path, names))
    assert [label_path(path, paths) for path in paths] == labels


def test_which_paths_fit_a_pattern(tmp_path, monkeypatch):
    for place in ("a", "b/c", ".git/d"): (tmp_path / place).mkdir(parents=True)
    for name in ("x.csv", "a/x.csv", "b/y.csv", "b/c/x.csv", ".git/d/x.csv",
                 "a/.x.csv"): (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    assert sorted(match_paths("*.csv")) == ["x.csv"] and match_paths("none*") == []
    assert list(map(normpath, match_paths("**/x.csv"))) == ["x.csv", "a/x.csv", "b/c/x.csv"]
    assert match_paths("b/**/*.csv") == ["b/y.csv", "b/c/x.csv"] and match_paths("b/**/c/**/x.csv") == ["b/c/x.csv"]
    assert sorted(map(normpath, match_paths("**"))) == ["a", "a/x.csv", "b", "b/c", "b/c/x.csv", "b/y.csv", "x.csv"]
    assert match_paths("n/**/x.csv") == [] and sorted(match_paths(f"{tmp_path}/**/y.csv")) == [f"{tmp_path}/b/y.csv"]


RUN = np.array([[0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]])


@pytest.mark.parametrize("call, said", [
    (lambda: plan(RUN, delta=.02), "plan: got delta twice, by position and as delta=; a run is pilot=, as in plan(pilot=run, delta=.02)"),
    (lambda: plan(RUN, .02), "delta must be a number, got ndarray of shape (3, 4); a run is pilot=, as in plan(pilot=run, delta=.02)"),
    (lambda: plan("run.csv", .02), "delta must be a number, got 'run.csv'; a run is pilot=, as in plan(pilot=run, delta=.02)"),
    (lambda: compare(RUN, RUN, RUN), "metrics must be a name or a list of names, got ndarray of shape (3, 4); further systems are others=, as in compare(a, b, others=[c])"),
    (lambda: score([4, 4], np.array([1, 2])), "metrics must be a name or a list of names, got array([1, 2]); counts are one argument, as in score(Counts(n, c))"),
    (lambda: score(RUN, ["pass@1"], metrics="pass@1"), "score: got metrics twice, by position and as metrics=; counts are one argument, as in score(Counts(n, c))"),
    (lambda: score(RUN, None, 1, k=2), "score: got k twice, by position and as k=; give it once")])
def test_what_to_type(call, said):
    with pytest.raises(TypeError) as caught: call()
    assert str(caught.value) == said


def test_a_file_in_the_place_of_a_metric(tmp_path):
    (path := tmp_path / "c.csv").write_text("question,correct\n1,1\n")
    with pytest.raises(ValueError, match=r"further systems of compare are others=\['.*c\.csv'\]"): compare(RUN, RUN, str(path))


# What stands before `metrics` in verbs that begin with what they ask.
ASKED = dict(compare=["baseline", "new"], explain=["data", "name", "other"],
             plan=["delta", "power", "pilot", "questions", "n"])
VERBS = [name for name in sampling_eval.__all__ if inspect.isfunction(getattr(sampling_eval, name))
         and {"metrics", "k"} <= inspect.signature(getattr(sampling_eval, name)).parameters.keys()]


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_takes_data_metrics_and_budgets_in_this_order(name):
    order = list(inspect.signature(getattr(sampling_eval, name)).parameters)
    first = ASKED.get(name, order[:1])
    assert order[:len(first) + 2] == [*first, "metrics", "k"]


def test_a_formula_takes_its_budget_after_what_was_counted():
    counted = {"n", "c", "judged", "right_judged", "answers", "correct", "scores", "rewards", "attempts", "solved"}
    for name in sampling_eval.__all__:
        function = getattr(sampling_eval, name)
        if name in VERBS or not inspect.isfunction(function): continue
        order = [o.name for o in inspect.signature(function).parameters.values() if o.kind != o.KEYWORD_ONLY]
        if "k" in order: assert set(order[:order.index("k")]) <= counted, name
