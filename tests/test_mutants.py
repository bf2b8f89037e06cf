"""The faults of bench/mutants.py: each as before and after, and that words are never touched."""

import ast
import json
import os
import sys
from pathlib import Path

import pytest

from scripts import load_script

ROOT = Path(__file__).parent.parent
lab = load_script("bench/mutants.py")


def change(body, operator):
    "What becomes of a line inside a function, under one kind of fault."
    source = f"def f(x, y):\n    {body}\n"
    found = [one for one in lab.find_mutants(source) if one.operator == operator]
    return [one.apply(source.encode()).decode().split("\n    ")[1].rstrip("\n") for one in found]


@pytest.mark.parametrize(
    "operator, before, after",
    [
        ("comparison", "z = x < y", ["z = x <= y", "z = x > y"]),
        ("comparison", "z = x <= y", ["z = x < y", "z = x > y"]),
        ("comparison", "z = x == y", ["z = x != y"]),
        ("comparison", "z = x != y", ["z = x == y"]),
        ("comparison", "z = x is not None", ["z = x is None"]),
        ("comparison", "z = x not  in y", ["z = x in y"]),
        ("comparison", "z = (x) > (y)", ["z = (x) < (y)", "z = (x) >= (y)"]),
        (
            "comparison",
            "z = 2 < x <= y",
            ["z = 2 <= x <= y", "z = 2 > x <= y", "z = 2 < x < y", "z = 2 < x > y"],
        ),
        ("comparison", "é = 'é' in x", ["é = 'é' not in x"]),
        ("arithmetic", "z = x + y", ["z = x - y"]),
        ("arithmetic", "z = x - y", ["z = x + y"]),
        ("arithmetic", "z = x * y", ["z = x / y"]),
        ("arithmetic", "z = x / y", ["z = x * y"]),
        ("arithmetic", "z = x // y", ["z = x * y"]),
        ("arithmetic", "z = x**y", ["z = x*y"]),
        ("arithmetic", "z = x & y", ["z = x | y"]),
        ("arithmetic", "z = x | y", ["z = x & y"]),
        ("arithmetic", "x += y", ["x -= y"]),
        ("arithmetic", "x |= y", ["x &= y"]),
        ("arithmetic", "z = 'a' + x", []),
        ("arithmetic", "z = x + f'{y}' + 'b'", []),
        ("arithmetic", "z = x % y", []),
        ("and/or", "z = x and y", ["z = x or y"]),
        ("and/or", "z = x or y or z", ["z = x and y or z", "z = x or y and z"]),
        ("drop not", "z = not x", ["z = x"]),
        ("drop not", "z = not (x or y)", ["z = (x or y)"]),
        ("constant", "z = 0", ["z = 1"]),
        ("constant", "z = 1", ["z = 0"]),
        ("constant", "z = 7", ["z = 8"]),
        ("constant", "z = .95", ["z = .9"]),
        ("constant", "z = .25", ["z = 0.5"]),
        ("constant", "z = 1.", ["z = 0.0"]),
        ("constant", "z = True", ["z = False"]),
        ("constant", "z = None", []),
        ("constant", "z = 'one'", []),
        ("constant", "z = x[-1]", ["z = x[-0]"]),
        ("drop keyword", "z = x(y, a=2)", ["z = x(y)"]),
        ("drop keyword", "z = x(a=2, b=y)", ["z = x(b=y)", "z = x(a=2)"]),
        ("drop keyword", "z = x(a=2)", ["z = x()"]),
        ("drop keyword", "z = x(**y)", []),
        ("drop keyword", "z = x((y), a=(2))", ["z = x((y))"]),
        ("return None", "return x", ["return None"]),
        ("return None", "return None", []),
        ("return None", "return", []),
        ("drop raise", "if x: raise ValueError('no')", ["if x: pass"]),
        ("min/max", "z = min(x, y)", ["z = max(x, y)"]),
        ("min/max", "z = x.any(1)", ["z = x.all(1)"]),
        ("min/max", "z = x.min", []),
        ("reverse", "z = sorted(x)", ["z = sorted(x, reverse=True)"]),
        ("reverse", "z = sorted(x, reverse=y)", []),
        ("slice end", "z = x[y:]", ["z = x[(y) + 1:]"]),
        ("slice end", "z = x[:3]", []),
        ("slice end", "z = x[:-y]", ["z = x[:(-y) + 1]"]),
        ("negate", "z = 1 if x else 2", ["z = 1 if not (x) else 2"]),
        ("negate", "z = 1 if x > y else 2", []),
        ("negate", "while x(): y()", ["while not (x()): y()"]),
    ],
)
def test_each_fault_before_and_after(operator, before, after):
    assert change(before, operator) == after


def kinds(source):
    return [(one.operator, one.line) for one in lab.find_mutants(source)]


def test_words_are_never_touched():
    source = '''
"Module 1 + 1."
LIMIT = 3 + 4

@cached(size=2)
def f(x: int|None = None, *, y: Literal[1, 2]) -> tuple[int, 2]:
    "Docstring: 1 < 2."
    z: dict[str, 1] | None
    w = "text" + f"{x + 1:.3f}"
    warnings.warn("sum " + str(x + 1), stacklevel=2)

class A:
    size: int = 3
    def g(self): "Docstring"
'''
    assert kinds(source) == []


def test_a_message_is_not_touched_but_the_refusal_is():
    source = "def f(x):\n    raise ValueError(f'{x + 1}' if x > 2 else min(x, 3))\n"
    assert kinds(source) == [("drop raise", 2)]


def test_defaults_and_values_of_annotated_names_are_changed():
    source = "def f(x: int = 3, *, y: bool = True):\n    z: float = .95\n"
    assert kinds(source) == [("constant", 1), ("constant", 1), ("constant", 2)]


def test_methods_lambdas_and_inner_functions_are_bodies():
    source = "class A:\n  def f(self):\n    def g(): return lambda x: x + 2\n    return g\n"
    assert {line for _, line in kinds(source)} == {3, 4}


def test_every_mutant_of_a_module_is_another_program():
    source = (ROOT / lab.LIB / "foundations" / "oracle.py").read_text("utf-8")
    tree = ast.dump(ast.parse(source))
    for one in lab.find_mutants(source, "m.py"):
        changed = one.apply(source.encode()).decode()
        assert ast.dump(ast.parse(changed)) != tree
        assert one.statement[0] <= one.line <= max(one.statement)


def test_the_sample_is_seeded_with_one_mutant_a_line():
    source = "def f(x, y):\n" + "".join(f"    x += {i} * y\n" for i in range(2, 40))
    every = lab.find_mutants(source, "m.py")
    first, again, other = (lab.sample_mutants(every, 10, seed) for seed in (0, 0, 1))
    assert first == again != other and len(first) == 10
    assert len({one.line for one in first}) == 10
    assert len(lab.sample_mutants(every, 1000, 0)) == 38


def test_rooms_are_folders_or_modules():
    modules = [path.as_posix() for path in lab.find_modules(["metrics", "foundations/urn"])]
    assert "sampling_eval/metrics/passk.py" in modules and len(set(modules)) == len(modules)
    assert modules[-1] == "sampling_eval/foundations/urn.py"
    with pytest.raises(FileNotFoundError, match="no room 'cellar'"):
        lab.find_modules(["cellar"])


def test_tests_of_the_module_come_first():
    path = "sampling_eval/inference/units.py"
    turns = {piece.name: lab.rank_piece(piece, path) for piece in lab.list_pieces()}
    assert [
        turns[name]
        for name in (
            "test_units",
            "nbs/inference/units.ipynb",
            "test_bands",
            "test_frozen",
            "test_plot",
            "nbs/guides/score.ipynb",
        )
    ] == [0, 1, 2, 3, 4, 4]
    assert "test_project" not in turns and max(turns.values()) < lab.EVERY


def test_a_place_has_the_mutant_and_the_tree_has_not(tmp_path):
    path = Path(lab.LIB) / "foundations" / "urn.py"
    before = (ROOT / path).read_bytes()
    base = lab.build_place(tmp_path / "base", ROOT / lab.LIB, lab.shutil.copy2)
    place = lab.build_place(tmp_path / "one", base / lab.LIB, os.link)
    mutant = lab.find_mutants(before.decode(), path.as_posix())[0]
    lab.write_mutant(place, mutant)
    assert (place / path).read_bytes() == mutant.apply(before) != before
    assert (ROOT / path).read_bytes() == (base / path).read_bytes() == before
    assert not list((place / path).parent.glob("__pycache__/urn.*"))
    assert (place / "tests" / Path(__file__).name).exists()


@pytest.mark.parametrize("work, code", [(lambda: 0, 0), (lambda: 3, 3), (lambda: 1 / 0, 1)])
def test_work_in_a_fork(tmp_path, work, code):
    assert lab.run_forked(work, tmp_path / "log", 5).code == code


def test_a_loop_without_end_is_ended(tmp_path):
    def loop():
        while True:
            pass

    assert lab.name_fate(lab.run_forked(loop, tmp_path / "log", 0)) == lab.TIMED_OUT


TESTS = """
import pytest
from sampling_eval.foundations.urn import draws

@pytest.fixture
def law(): return draws([1], [1], 1)

def test_first(law): assert law.sum() == 1
def test_second(): assert draws([2], [0], 1)[0, 1] == 1
def test_third(): assert False
"""


def run_afresh(work, folder):
    "The exit code of some work in a process that has not imported the package."

    def start():
        for name in [name for name in sys.modules if name.partition(".")[0] == lab.LIB]:
            del sys.modules[name]
        return work()

    return lab.run_forked(start, folder / "log", 60).code


def test_each_test_knows_the_lines_it_runs(tmp_path):
    place = lab.build_place(tmp_path / "base", ROOT / lab.LIB, lab.shutil.copy2)
    (place / "tests").unlink()
    (place / "tests").mkdir()
    (place / "tests" / "test_one.py").write_text(TESTS)
    piece, out = lab.Piece("tests/test_one.py"), tmp_path / "one.json"
    assert run_afresh(lambda: lab.trace_piece(piece, place, out), tmp_path) == 0
    known = lab.Known(*json.loads(out.read_text()))
    names = ["tests/test_one.py::test_first", "tests/test_one.py::test_second"]
    assert list(known.seconds) == names
    urn = "sampling_eval/foundations/urn.py"
    contexts = lab.read_lines(out.with_suffix(".lines"), urn)
    inside = next(
        one
        for one in lab.find_mutants((ROOT / urn).read_text("utf-8"), urn)
        if one.operator == "arithmetic"
    )
    # A fixture counts for all tests of its file.
    assert set(contexts[inside.line]) == {"", *names[1:]}
    assert lab.choose_tests(known.seconds, contexts, inside) == known.seconds
    only = {line: names[1:] for line in contexts}
    assert list(lab.choose_tests(known.seconds, only, inside)) == names[1:]
    assert lab.choose_tests(known.seconds, {}, inside) == {}

    def judge():
        return run_afresh(lambda: lab.run_piece(piece, place, known.seconds, []), tmp_path)

    assert judge() == 0
    lab.write_mutant(place, lab.Mutant(urn, "", 0, 0, "raise ValueError\n", 1, (1, 1)))
    assert judge() != 0


def test_a_page_is_compared_with_what_it_printed(tmp_path):
    cells = [
        "#| default_exp foundations.urn",
        "#| export\nraise ValueError",
        "print(draws([1], [1], 1))",
        "#| eval: false\n1 / 0",
        "3",
    ]
    page = tmp_path / "page.ipynb"
    page.write_text(json.dumps(dict(cells=[dict(cell_type="code", source=text) for text in cells])))
    out = tmp_path / "printed"

    def work():
        return out.write_text(json.dumps(lab.run_page(lab.Piece(str(page))))) and 0

    assert run_afresh(work, tmp_path) == 0
    printed = json.loads(out.read_text())
    assert len(printed) == 2 and "[[0.5 0.5]]" in printed[0] and '"3"' in printed[1]


def test_what_is_near_comes_first_and_nothing_is_traced_before_it_is_needed(tmp_path, monkeypatch):
    pieces = [
        lab.Piece(name)
        for name in (
            "tests/test_bands.py",
            "tests/test_plot.py",
            "tests/test_units.py",
            "nbs/inference/units.ipynb",
            "tests/test_units_of_all.py",
        )
    ]
    turns = dict(zip(pieces, (2, 4, 0, 1, 4)))
    monkeypatch.setattr(lab, "list_pieces", lambda: pieces)
    monkeypatch.setattr(lab, "rank_piece", lambda piece, path: turns[piece])
    monkeypatch.setattr(lab, "name_memo", lambda piece, memo: memo / Path(piece.path).name)
    monkeypatch.setattr(lab, "find_tests", lambda piece, mutant, memo: {"one": 1.0})
    monkeypatch.setattr(lab, "sort_likely", lambda some, path: sorted(some, reverse=True))
    traced = []
    monkeypatch.setattr(lab.Run, "trace", lambda run, piece: traced.append(piece))
    mutant = lab.Mutant("sampling_eval/inference/units.py", "", 0, 0, "", 1, (1, 1))
    places = [2, 3, 0, 4, 1]
    for i, (piece, _) in enumerate(
        lab.Run(tmp_path, tmp_path, range(lab.EVERY)).find_reaching(mutant)
    ):
        assert piece == pieces[places[i]] == traced[-1] and len(traced) == i + 1
    assert len(traced) == 5


def test_a_word_of_the_module_makes_a_piece_likely():
    pieces = [
        piece
        for piece in lab.list_pieces()
        if piece.name in ("test_plot", "test_units", "test_bands")
    ]
    assert lab.sort_likely(pieces, "sampling_eval/inference/units.py")[0].name == "test_units"
