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


@pytest.mark.parametrize("operator, before, after", [
    ("comparison", "z = x < y", ["z = x <= y", "z = x > y"]),
    ("comparison", "z = x <= y", ["z = x < y", "z = x > y"]),
    ("comparison", "z = x == y", ["z = x != y"]),
    ("comparison", "z = x != y", ["z = x == y"]),
    ("comparison", "z = x is not None", ["z = x is None"]),
    ("comparison", "z = x not  in y", ["z = x in y"]),
    ("comparison", "z = (x) > (y)", ["z = (x) < (y)", "z = (x) >= (y)"]),
    ("comparison", "z = 2 < x <= y", ["z = 2 <= x <= y", "z = 2 > x <= y", "z = 2 < x < y",
                                      "z = 2 < x > y"]),
    ("comparison", "é = 'é' in x", ["é = 'é' not in x"]),
    ("arithmetic", "z = x + y", ["z = x - y"]), ("arithmetic", "z = x - y", ["z = x + y"]),
    ("arithmetic", "z = x * y", ["z = x / y"]), ("arithmetic", "z = x / y", ["z = x * y"]),
    ("arithmetic", "z = x // y", ["z = x * y"]), ("arithmetic", "z = x**y", ["z = x*y"]),
    ("arithmetic", "z = x & y", ["z = x | y"]), ("arithmetic", "z = x | y", ["z = x & y"]),
    ("arithmetic", "x += y", ["x -= y"]), ("arithmetic", "x |= y", ["x &= y"]),
    ("arithmetic", "z = 'a' + x", []), ("arithmetic", "z = x + f'{y}' + 'b'", []),
    ("arithmetic", "z = x % y", []),
    ("and/or", "z = x and y", ["z = x or y"]),
    ("and/or", "z = x or y or z", ["z = x and y or z", "z = x or y and z"]),
    ("drop not", "z = not x", ["z = x"]), ("drop not", "z = not (x or y)", ["z = (x or y)"]),
    ("constant", "z = 0", ["z = 1"]), ("constant", "z = 1", ["z = 0"]),
    ("constant", "z = 7", ["z = 8"]), ("constant", "z = .95", ["z = .9"]),
    ("constant", "z = .25", ["z = 0.5"]), ("constant", "z = 1.", ["z = 0.0"]),
    ("constant", "z = True", ["z = False"]), ("constant", "z = None", []),
    ("constant", "z = 'one'", []), ("constant", "z = x[-1]", ["z = x[-0]"]),
    ("drop keyword", "z = x(y, a=2)", ["z = x(y)"]),
    ("drop keyword", "z = x(a=2, b=y)", ["z = x(b=y)", "z = x(a=2)"]),
    ("drop keyword", "z = x(a=2)", ["z = x()"]), ("drop keyword", "z = x(**y)", []),
    ("drop keyword", "z = x((y), a=(2))", ["z = x((y))"]),
    ("return None", "return x", ["return None"]), ("return None", "return None", []),
    ("return None", "return", []),
    ("drop raise", "if x: raise ValueError('no')", ["if x: pass"]),
    ("min/max", "z = min(x, y)", ["z = max(x, y)"]),
    ("min/max", "z = x.any(1)", ["z = x.all(1)"]), ("min/max", "z = x.min", []),
    ("reverse", "z = sorted(x)", ["z = sorted(x, reverse=True)"]),
    ("reverse", "z = sorted(x, reverse=y)", []),
    ("slice end", "z = x[y:]", ["z = x[(y) + 1:]"]), ("slice end", "z = x[:3]", []),
    ("slice end", "z = x[:-y]", ["z = x[:(-y) + 1]"]),
    ("negate", "z = 1 if x else 2", ["z = 1 if not (x) else 2"]),
    ("negate", "z = 1 if x > y else 2", []),
    ("negate", "while x(): y()", ["while not (x()): y()"])])
def test_each_fault_before_and_after(operator, before, after):
    assert change(before, operator) == after


def kinds(source): return [(one.operator, one.line) for one in lab.find_mutants(source)]


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


@pytest.mark.parametrize("name", ["foundations/urn", "foundations/oracle", "inference/units"])
def test_every_mutant_of_a_module_is_another_program(name):
    source = (ROOT / lab.LIB / f"{name}.py").read_text("utf-8")
    tree = ast.dump(ast.parse(source))
    for one in lab.find_mutants(source, "m.py"):
        changed = one.apply(source.encode()).decode()
        assert ast.dump(ast.parse(changed)) != tree
        assert one.statement[0] <= one.line <= max(one.statement)


def test_annotations_and_messages_of_the_package_stay():
    def keep(tree):
        notes = [ast.dump(node.annotation) for node in ast.walk(tree)
                 if isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation]
        texts = [node.value for node in ast.walk(tree)
                 if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        return notes, texts
    source = (ROOT / lab.LIB / "foundations" / "counts.py").read_text("utf-8")
    notes, texts = keep(ast.parse(source))
    loses = {"drop raise", "return None", "drop keyword"}
    for one in lab.sample_mutants(lab.find_mutants(source), 60, 0):
        after = keep(ast.parse(one.apply(source.encode()).decode()))
        assert after[0] == notes or one.operator == "return None"
        assert after[1] == texts or one.operator in loses


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
    with pytest.raises(FileNotFoundError, match="no room 'cellar'"): lab.find_modules(["cellar"])


def test_tests_of_the_module_come_first():
    names = [piece.name for piece in lab.order_pieces("sampling_eval/inference/units.py", False)]
    assert names[:2] == ["test_units", "nbs/inference/units.ipynb"]
    first = next(i for i, name in enumerate(names) if name.startswith("frozen"))
    assert "test_bands" in names[:first] and "test_project" not in names
    assert len(set(names)) == len(names)
    more = lab.order_pieces("sampling_eval/inference/units.py", True)
    assert {piece.name for piece in more} > set(names)


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
        while True: pass
    assert lab.name_fate(lab.run_forked(loop, tmp_path / "log", 0)) == lab.TIMED_OUT


def test_lines_are_traced(tmp_path):
    path = tmp_path / "m.py"
    path.write_text("def f(x):\n    if x:\n        return 1\n    return 2\n")
    names, seen = {}, set()
    exec(compile(path.read_text(), str(path), "exec"), names)
    before = sys.gettrace()
    sys.settrace(lab.trace_lines(str(tmp_path), seen))
    try: names["f"](0)
    finally: sys.settrace(before)
    assert {line for _, line in seen} == {1, 2, 4}


def test_a_piece_reaches_the_statement_of_a_mutant():
    source = "def f(x):\n    return (x +\n            2)\n\ndef g(x):\n    return x - 1\n"
    known = lab.Known(True, 0, [], {"m.py": [2]})
    assert {one.line: known.reaches(one) for one in lab.find_mutants(source, "m.py")} == {
        2: True, 3: True, 6: False}


def test_of_one_turn_the_cheapest_comes_first(tmp_path):
    run = lab.Run(tmp_path, tmp_path, False)
    mutant = lab.find_mutants("def f(x):\n    return x + 2\n", f"{lab.LIB}/foundations/urn.py")[0]
    pieces = lab.order_pieces(mutant.path, False)
    for i, piece in enumerate(pieces):
        known = lab.Known(True, 100. - i, [], {mutant.path: [2] if i % 2 else []})
        lab.name_memo(piece, tmp_path).write_text(json.dumps(known))
    found = [(lab.rank_piece(piece, mutant.path, False), known.seconds)
             for piece, known in run.find_reaching(mutant)]
    assert found == sorted(found) and len(found) == len(pieces) // 2


def test_the_report_counts_and_shows_survivors():
    path = f"{lab.LIB}/foundations/urn.py"
    every = lab.find_mutants((ROOT / path).read_text("utf-8"), path)[:3]
    fates = lab.KILLED, lab.SURVIVED, lab.NOT_COVERED
    verdicts = [lab.Verdict(one, fate, "", 1.) for one, fate in zip(every, fates)]
    report = lab.report_verdicts(verdicts)
    assert "| foundations | 3 | 1 | 0 | 1 | 1 | 33% |" in report
    assert report.count("```diff") == 2 and f"{path}:{every[1].line}" in report
