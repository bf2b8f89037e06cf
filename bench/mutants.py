"""Does a test fail when the code is wrong? A seeded random sample of small faults, one at a time.

    python bench/mutants.py --count 200 --rooms reading,analyses,render,results,inference [--jobs 2]

A room is a folder or a module, such as `inference` or `foundations/urn`. Each mutant is written
into a private copy of the package, never into the tree. Its tests run in a fork of a process that
has already imported pytest and numpy: first tests/test_<module>.py and the module's own page,
whose exported cells are replaced by the module, then tests that import it, then what was frozen,
then all other tests and pages. A page fails where it prints anything else. What does not reach
the changed line is left out: each file of tests and each page runs once unchanged under coverage,
and what fails there is not counted later. Those traces are kept in a temporary folder as long as
the package and what was traced stay as they are.

Messages, docstrings and annotations are never changed. A survivor is either a missing test or a
mutant that means the same; which of the two, a reader has to say.
"""
import argparse
import ast
import difflib
import fcntl
import hashlib
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIB = "sampling_eval"
ENV = dict(PYTHONHASHSEED="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MPLBACKEND="agg",
           COLUMNS="100", IN_TEST="1")
WARM = """numpy execnb.shell nbdev scipy.special scipy.stats scipy.optimize scipy.interpolate
          pytest hypothesis pandas pyarrow duckdb narwhals matplotlib.pyplot
          matplotlib_inline.backend_inline IPython.display typer rich.console yaml""".split()
# These judge files, not what the code does; or run for minutes what others run as well.
LEFT_OUT = {f"test_{name}" for name in "project pages machines how_fast mutants".split()}
KILLED, SURVIVED, TIMED_OUT, NOT_COVERED = "killed", "survived", "timed out", "not covered"
FOUND = KILLED, TIMED_OUT


class Mutant(NamedTuple):
    """Bytes of a module, and what stands there instead."""
    path: str
    operator: str
    start: int
    end: int
    new: str
    line: int
    statement: tuple[int, int]

    def apply(self, source: bytes) -> bytes:
        """The changed source."""
        return source[:self.start] + self.new.encode() + source[self.end:]


# Faults.

COMPARE = {ast.Lt: ("<", "<=", ">"), ast.LtE: ("<=", "<", ">"), ast.Gt: (">", ">=", "<"),
           ast.GtE: (">=", ">", "<"), ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="),
           ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"),
           ast.IsNot: ("is not", "is")}
ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
              ast.FloorDiv: ("//", "*"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"),
              ast.BitOr: ("|", "&")}
OPPOSITES = dict(min="max", any="all", minimum="maximum", argmin="argmax", fmin="fmax")
OPPOSITES |= {b: a for a, b in OPPOSITES.items()}


def holds_text(node: ast.AST) -> bool:
    """Whether an operand is text, so that + joins words."""
    if isinstance(node, ast.BinOp): return holds_text(node.left) or holds_text(node.right)
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str))


def change_number(value: int | float) -> str:
    """Another number: 1 for 0, 0 for 1, .9 for .95, else the next or the double."""
    if value in (0, 1): return str(type(value)(1 - value))
    if value == .95: return ".9"
    return repr(value + 1 if isinstance(value, int) else 2 * value)


def header_lines(node: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement, without the statements inside it."""
    body = getattr(node, "body", None)
    if not isinstance(body, list): return node.lineno, node.end_lineno
    return node.lineno, max(node.lineno, body[0].lineno - 1)


def is_other_program(before: bytes, after: bytes) -> bool:
    """Whether a change leaves a program, and another one."""
    try: return dump_tree(before) != ast.dump(ast.parse(after))
    except SyntaxError: return False


@cache
def dump_tree(source: bytes) -> str: return ast.dump(ast.parse(source))


class Finder(ast.NodeVisitor):
    """Every mutant of the function bodies of one module."""

    def __init__(self, source: str, path: str = ""):
        self.bytes, self.path = source.encode(), path
        lengths = [len(line) for line in self.bytes.splitlines(keepends=True)]
        self.offsets = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
        self.inside, self.statement, self.found = False, (0, 0), []
        for whole in ast.parse(source).body:
            self.whole = self.first(whole), self.last(whole)
            self.visit(whole)

    def first(self, node: ast.AST) -> int: return self.offsets[node.lineno - 1] + node.col_offset

    def last(self, node: ast.AST) -> int:
        return self.offsets[node.end_lineno - 1] + node.end_col_offset

    def add(self, operator: str, start: int, end: int, new: str) -> None:
        """Keep a mutant that is another program."""
        line = self.bytes.count(b"\n", 0, start) + 1
        first, last = self.whole
        before, after = self.bytes[first:last], self.bytes[end:last]
        if not is_other_program(before, self.bytes[first:start] + new.encode() + after): return
        self.found.append(Mutant(self.path, operator, start, end, new, line, self.statement))

    def replace(self, operator: str, node: ast.AST, new: str) -> None:
        self.add(operator, self.first(node), self.last(node), new)

    def replace_between(self, operator: str, left: ast.AST, right: ast.AST, old: str,
                        new: str) -> None:
        """Change the sign that stands between two operands."""
        gap = self.bytes[self.last(left):self.first(right)].decode()
        sign = re.search(re.escape(old).replace(r"\ ", r"\s+"), gap)
        if not sign: return
        at = self.last(left) + len(gap[:sign.start()].encode())
        self.add(operator, at, at + len(sign[0].encode()), new)

    def text(self, node: ast.AST) -> str:
        return self.bytes[self.first(node):self.last(node)].decode()

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt): self.statement = header_lines(node)
        if self.inside or isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.inside = self.inside, True
        for value in node.args.defaults + node.args.kw_defaults:
            if value is not None: self.visit(value)
        for statement in node.body: self.visit(statement)
        self.inside = before

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body: self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value: self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Messages stay."""

    def visit_Raise(self, node: ast.Raise) -> None: self.replace("drop raise", node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None: return
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.replace("return None", node.value, "None")
        self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, sign, right in zip(operands, node.ops, operands[1:]):
            old, *others = COMPARE[type(sign)]
            for new in others: self.replace_between("comparison", left, right, old, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in ARITHMETIC and not holds_text(node):
            old, new = ARITHMETIC[type(node.op)]
            self.replace_between("arithmetic", node.left, node.right, old, new)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in ARITHMETIC and not holds_text(node.value):
            old, new = ARITHMETIC[type(node.op)]
            self.replace_between("arithmetic", node.target, node.value, old + "=", new + "=")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:]):
            self.replace_between("and/or", left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.replace("drop not", node, self.text(node)[3:].lstrip())
        self.generic_visit(node)

    def visit_condition(self, node: ast.If | ast.IfExp | ast.While) -> None:
        own = isinstance(node.test, (ast.Compare, ast.BoolOp, ast.UnaryOp))
        if not own: self.replace("negate", node.test, f"not ({self.text(node.test)})")
        self.generic_visit(node)

    visit_If = visit_IfExp = visit_While = visit_condition

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool): self.replace("constant", node, str(not node.value))
        elif isinstance(node.value, (int, float)):
            self.replace("constant", node, change_number(node.value))

    def visit_Slice(self, node: ast.Slice) -> None:
        for end in node.lower, node.upper:
            if end is None or isinstance(end, ast.Constant): continue
            self.replace("slice end", end, f"({self.text(end)}) + 1")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name == "warn": return
        if name in OPPOSITES:
            self.add("min/max", self.last(node.func) - len(name), self.last(node.func),
                     OPPOSITES[name])
        if name == "sorted" and all(given.arg != "reverse" for given in node.keywords):
            self.add("reverse", self.last(node) - 1, self.last(node) - 1, ", reverse=True")
        for given in node.keywords: self.drop_keyword(node, given)
        self.generic_visit(node)

    def drop_keyword(self, call: ast.Call, given: ast.keyword) -> None:
        """Remove an argument by name, with the comma before it, or else after it."""
        if given.arg is None: return
        start, end = self.first(given), self.last(given)
        comma = self.bytes.rfind(b",", self.last(call.func), start)
        blank = not self.bytes[comma + 1:start].strip()
        after = re.match(rb"\s*,\s*", self.bytes[end:])
        if comma >= 0 and blank: start = comma
        elif after: end += after.end()
        self.add("drop keyword", start, end, "")


def find_mutants(source: str, path: str = "") -> list[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    return sorted(Finder(source, path).found, key=lambda one: (one.start, one.end, one.new))


def find_modules(rooms: list[str], root: Path = ROOT) -> list[Path]:
    """Modules of the rooms, relative to the root."""
    found = []
    for room in rooms:
        place = root / LIB / room
        modules = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
        missing = [path for path in modules if not path.exists()]
        if missing or not modules: raise FileNotFoundError(f"no room {room!r} in {LIB}")
        found += [path.relative_to(root) for path in modules if path.name != "_modidx.py"]
    return list(dict.fromkeys(found))


def sample_mutants(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """A random sample with at most one mutant a line; the same for the same seed."""
    shuffled = random.Random(seed).sample(mutants, len(mutants))
    lines = {}
    for mutant in shuffled: lines.setdefault((mutant.path, mutant.line), mutant)
    return list(lines.values())[:count]


# Places: the tree with a private package.

def build_place(folder: Path, package: Path, copy: Callable) -> Path:
    """A folder that looks like the project: its files by links, the package by copies."""
    folder.mkdir(parents=True)
    for entry in ROOT.iterdir():
        if entry.name not in (LIB, ".git"): (folder / entry.name).symlink_to(entry)
    # Bytecode that another process is just writing is gone a moment later.
    unfinished = shutil.ignore_patterns("*.pyc.*")
    shutil.copytree(package, folder / LIB, ignore=unfinished, copy_function=copy)
    return folder


def write_mutant(folder: Path, mutant: Mutant) -> None:
    """Replace the module; links to the original and its bytecode are cut first."""
    path = folder / mutant.path
    source = path.read_bytes()
    path.unlink()
    for old in (path.parent / "__pycache__").glob(f"{path.stem}.*"): old.unlink()
    path.write_bytes(mutant.apply(source))


def show_place(mutant: Mutant) -> str:
    return f"{mutant.path + ':' + str(mutant.line):<44} {mutant.operator:<13}"


def show_diff(mutant: Mutant) -> str:
    """The change, with a line around it."""
    source = (ROOT / mutant.path).read_bytes()
    before, after = (text.decode().splitlines() for text in (source, mutant.apply(source)))
    lines = list(difflib.unified_diff(before, after, mutant.path, mutant.path, n=1, lineterm=""))
    return "\n".join(lines[2:])


# Pieces: what can kill a mutant.

class Piece(NamedTuple):
    """A file of tests or a page, by its path."""
    path: str

    @property
    def page(self) -> bool: return self.path.endswith(".ipynb")

    @property
    def name(self) -> str: return self.path if self.page else Path(self.path).stem


class Known(NamedTuple):
    """What a piece does to the unchanged package: seconds of each test that passes."""
    seconds: dict[str, float]
    printed: list[str] = []


@cache
def list_pieces() -> list[Piece]:
    """All test files and all pages."""
    tests = [path for path in (ROOT / "tests").glob("test_*.py") if path.stem not in LEFT_OUT]
    pages = [path for path in (ROOT / "nbs").rglob("*.ipynb")
             if ".ipynb_checkpoints" not in path.parts]
    return [Piece(path.relative_to(ROOT).as_posix()) for path in sorted(tests) + sorted(pages)]


# How many of the turns of `rank_piece` are taken.
NEAR, FROZEN, EVERY = 3, 4, 5


@cache
def rank_piece(piece: Piece, path: str) -> int:
    """Which turn a piece has for a module."""
    module = Path(path).relative_to(LIB).with_suffix("")
    if piece.name in (f"test_{module.stem}", f"test_{'_'.join(module.parts)}"): return 0
    if piece.name == f"nbs/{module}.ipynb": return 1
    if piece.page: return 4
    if piece.name == "test_frozen": return 3
    source = (ROOT / piece.path).read_text("utf-8")
    return 2 if f"{LIB}.{'.'.join(module.parts)} import" in source else 4


# Runs in forks.

class Outcome(NamedTuple):
    """Exit code, None where the time was over; and seconds."""
    code: int | None
    seconds: float


def run_forked(work: Callable[[], int], log: Path, limit: float) -> Outcome:
    """Do something in a child of its own, within `limit` seconds of a processor."""
    start, child = time.monotonic(), os.fork()
    if not child: run_child(work, log, limit)
    # A busy machine must not end a child; the wall is for those that wait and never work.
    wall, status = limit * (4 + 4 * os.getloadavg()[0] / os.cpu_count()), None
    while status is None and time.monotonic() - start < wall:
        done, told = os.waitpid(child, os.WNOHANG)
        if done: status = os.waitstatus_to_exitcode(told)
        else: time.sleep(.01)
    end_group(child)
    if status is None: os.waitpid(child, 0)
    if status == -signal.SIGXCPU: status = None
    return Outcome(status, time.monotonic() - start)


def end_group(child: int) -> None:
    """End what a child has left running in its own session."""
    try: os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError): pass


def run_child(work: Callable[[], int], log: Path, limit: float) -> None:
    """The child's side: never returns."""
    code = 70
    try:
        os.setsid()
        with open(os.devnull) as nothing: os.dup2(nothing.fileno(), 0)
        with log.open("w") as file:
            for stream in 1, 2: os.dup2(file.fileno(), stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))
        code = work()
    except BaseException:
        import traceback
        traceback.print_exc()
        code = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def enter(place: Path) -> None:
    """Make this process, and those it starts, import the package of a place."""
    os.chdir(place)
    kept = [entry for entry in sys.path if not (Path(entry or ".") / LIB).is_dir()]
    sys.path[:] = [str(place), *kept]
    os.environ["PYTHONPATH"] = str(place)
    package = importlib.import_module(LIB)
    if Path(package.__file__).parent != place / LIB: raise ImportError(f"wrong {package.__file__}")


class Chosen:
    """A pytest plugin that runs these tests alone, the quickest first."""

    def __init__(self, seconds: dict[str, float]): self.seconds = seconds

    def pytest_collection_modifyitems(self, items: list) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.seconds),
                          key=lambda item: self.seconds[item.nodeid])


def run_tests(piece: Piece, *options: str, plugin: object) -> int:
    """The exit code of pytest; nothing to run is no failure."""
    from hypothesis import settings
    settings.register_profile("mutants", database=None, derandomize=True, deadline=None)
    settings.load_profile("mutants")
    quiet = "-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:xdist"
    code = int(pytest.main([*quiet, *options, piece.path], plugins=[plugin]))
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code


def run_page(piece: Piece) -> list[str]:
    """What a page prints, cell by cell; what it exports comes from the module."""
    from execnb.shell import CaptureShell
    cells = json.loads(Path(piece.path).read_text("utf-8"))["cells"]
    os.chdir(Path(piece.path).parent)
    shell, module, printed = CaptureShell(), None, []
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code" or re.search(r"^#\| *eval: *false", source, re.M): continue
        named = re.search(r"^#\| *default_exp ([\w.]+)", source, re.M)
        if named: module = importlib.import_module(f"{LIB}.{named[1]}")
        elif re.search(r"^#\| *exports?i?\b", source, re.M): shell.user_ns |= read_names(module)
        else:
            printed.append(re.sub(r"0x[0-9a-f]{6,}", "0x", json.dumps(shell.run(source))))
            if shell.exc: raise shell.exc[1]
    return printed


def read_names(module) -> dict:
    """What an exporting page has defined, taken from its module."""
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def run_piece(piece: Piece, place: Path, seconds: dict[str, float], printed: list[str]) -> int:
    """0 if these tests of a piece, or what a page prints, show nothing wrong with a place."""
    enter(place)
    if piece.page: return int(run_page(piece) != printed)
    return run_tests(piece, "-x", plugin=Chosen(seconds))


# Traces of the unchanged package.

class Watch:
    """A pytest plugin: whose lines coverage sees, how long each test takes, and which pass.

    What fixtures run, and what runs while tests are collected, counts for all tests of a file.
    """

    def __init__(self, cover):
        self.cover, self.seconds, self.failed = cover, {}, set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        start = time.process_time()
        self.cover.switch_context(item.nodeid)
        try: return (yield)
        finally:
            self.cover.switch_context("")
            self.seconds[item.nodeid] = time.process_time() - start

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed: self.failed.add(report.nodeid)

    def list_passed(self) -> dict[str, float]:
        """Seconds of each test that passes."""
        return {name: taken for name, taken in self.seconds.items() if name not in self.failed}


def trace_piece(piece: Piece, place: Path, out: Path) -> int:
    """Run a piece on the unchanged package, and write down what it does."""
    from coverage import Coverage
    os.chdir(place)
    cover = Coverage(data_file=str(out.with_suffix(".lines")), config_file=False,
                     include=[f"{LIB}/*"], messages=False)
    cover.set_option("run:relative_files", True)
    watch, start = Watch(cover), time.process_time()
    cover.start()
    enter(place)
    printed = run_page(piece) if piece.page else []
    if not piece.page: run_tests(piece, plugin=watch)
    cover.stop()
    os.chdir(place)
    cover.save()
    if piece.page: watch.seconds[piece.name] = time.process_time() - start
    out.write_text(json.dumps(Known(watch.list_passed(), printed)))
    return 0


def trace_once(piece: Piece, base: Path, memo: Path) -> None:
    """Trace a piece, unless that was done before; a page must print the same when run again."""
    with name_memo(piece, memo).with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not name_memo(piece, memo).exists(): trace_anew(piece, base, name_memo(piece, memo))


def trace_anew(piece: Piece, base: Path, out: Path) -> None:
    """Trace a piece, twice where it is a page."""
    log = out.with_suffix(".log")
    run_forked(lambda: trace_piece(piece, base, out), log, 900)
    if not out.exists(): out.write_text(json.dumps(Known({})))
    if not piece.page: return
    known = Known(*json.loads(out.read_text()))
    again = run_forked(lambda: run_piece(piece, base, *known), log, 900)
    if again.code != 0: out.write_text(json.dumps(Known({})))


@cache
def name_memo(piece: Piece, memo: Path) -> Path:
    """Where the trace of a piece is kept, as long as its file stays as it is."""
    own = hashlib.sha256((ROOT / piece.path).read_bytes()).hexdigest()[:8]
    return memo / (re.sub(r"\W+", "_", piece.name) + f"_{own}.json")


@cache
def know_piece(piece: Piece, memo: Path) -> Known:
    """What a piece does to the unchanged package."""
    return Known(*json.loads(name_memo(piece, memo).read_text()))


@cache
def read_lines(kept: Path, path: str) -> dict[int, list[str]]:
    """Which tests run each line of a module; "" where it counts for all."""
    from coverage import CoverageData
    lines = CoverageData(str(kept))
    lines.read()
    return lines.contexts_by_lineno(path)


def find_tests(piece: Piece, mutant: Mutant, memo: Path) -> dict[str, float]:
    """The tests of a piece that pass and run the changed statement, with their seconds."""
    seconds = know_piece(piece, memo).seconds
    if not seconds: return {}
    lines = read_lines(name_memo(piece, memo).with_suffix(".lines"), mutant.path)
    return choose_tests(seconds, lines, mutant)


def choose_tests(seconds: dict[str, float], lines: dict[int, list[str]],
                 mutant: Mutant) -> dict[str, float]:
    """The tests among these that run the changed statement."""
    first, last = mutant.statement
    names = {name for line in range(first, last + 1) for name in lines.get(line, ())}
    return {name: taken for name, taken in seconds.items() if "" in names or name in names}


def hash_sources() -> str:
    """A name for the state of the package and of what tests share."""
    sha = hashlib.sha256()
    shared = [path for path in (ROOT / "tests").rglob("*")
              if not path.name.startswith("test_") and path.parent.name != "printed"]
    for path in sorted([*(ROOT / LIB).rglob("*.py"), *shared]):
        if path.is_file() and "__pycache__" not in path.parts:
            sha.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return sha.hexdigest()[:16]


# Verdicts.

class Verdict(NamedTuple):
    """What became of a mutant, and through what."""
    mutant: Mutant
    fate: str
    by: str
    seconds: float


class Run(NamedTuple):
    """Where mutants are judged, and by the tests of how many turns."""
    folder: Path
    memo: Path
    turns: range

    @property
    def base(self) -> Path: return self.folder / "base"

    def trace(self, piece: Piece) -> None: trace_once(piece, self.base, self.memo)

    def judge(self, mutant: Mutant) -> Verdict:
        """Run what reaches the mutant until something fails."""
        start = time.monotonic()
        name = hashlib.sha256(repr(mutant).encode()).hexdigest()[:12]
        place = build_place(self.folder / name, self.base / LIB, os.link)
        write_mutant(place, mutant)
        fate, by = NOT_COVERED, ""
        for piece, seconds in self.find_reaching(mutant):
            printed = know_piece(piece, self.memo).printed
            outcome = run_forked(lambda: run_piece(piece, place, seconds, printed), place / "log",
                                 10 + 3 * sum(seconds.values()))
            fate = name_fate(outcome)
            if fate != SURVIVED:
                by = piece.name
                break
        shutil.rmtree(place, ignore_errors=True)
        return Verdict(mutant, fate, by, time.monotonic() - start)

    def find_reaching(self, mutant: Mutant) -> Iterator[tuple[Piece, dict[str, float]]]:
        """Pieces with their tests that run the changed line, the likeliest and quickest first."""
        for turn in self.turns:
            pieces = [piece for piece in list_pieces() if rank_piece(piece, mutant.path) == turn]
            # The last turn takes nearly all pieces: what has no trace yet waits.
            waiting = [piece for piece in pieces if self.is_waiting(piece, turn)]
            yield from self.order_pieces(set(pieces) - set(waiting), mutant)
            for piece in sort_likely(waiting, mutant.path):
                yield from self.order_pieces({piece}, mutant)

    def is_waiting(self, piece: Piece, turn: int) -> bool:
        return turn >= FROZEN and not name_memo(piece, self.memo).exists()

    def order_pieces(self, pieces: set[Piece],
                     mutant: Mutant) -> list[tuple[Piece, dict[str, float]]]:
        """Those that run the changed line, with their tests, the quickest first."""
        for piece in sorted(pieces): self.trace(piece)
        found = [(piece, find_tests(piece, mutant, self.memo)) for piece in sorted(pieces)]
        return sorted((one for one in found if one[1]), key=lambda one: sum(one[1].values()))


def sort_likely(pieces: list[Piece], path: str) -> list[Piece]:
    """Those with a word of the module's name first, then the shortest."""
    words = set(re.findall(r"[a-z]+", Path(path).with_suffix("").as_posix())) - {"sampling", "eval"}
    def cost(piece):
        shared = words & set(re.findall(r"[a-z]+", piece.name))
        return -len(shared), piece.page, (ROOT / piece.path).stat().st_size
    return sorted(pieces, key=cost)


def name_fate(outcome: Outcome) -> str:
    """The fate of a mutant after one piece."""
    if outcome.code is None: return TIMED_OUT
    return KILLED if outcome.code else SURVIVED


def warm_up() -> None:
    """Import what nearly every test needs, but nothing of the package."""
    for name in WARM:
        try: importlib.import_module(name)
        except ImportError: pass
    if LIB in sys.modules: raise ImportError(f"{LIB} must not be imported before the mutants")


def judge_all(mutants: list[Mutant], jobs: int, turns: int) -> Iterator[Verdict]:
    """A verdict on each mutant, as they come: what is near first, then for survivors all others."""
    memo = Path(tempfile.gettempdir()) / f"{LIB}_mutants" / hash_sources()
    memo.mkdir(parents=True, exist_ok=True)
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        base = Run(Path(folder).resolve(), memo, range(0)).base
        build_place(base, ROOT / LIB, shutil.copy2)
        with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
            for part in range(min(turns, FROZEN)), range(FROZEN, turns):
                judge = Run(base.parent, memo, part).judge
                last, survivors = part.stop == turns, []
                for future in as_completed([pool.submit(judge, one) for one in mutants]):
                    verdict = future.result()
                    if last or verdict.fate in FOUND: yield verdict
                    else: survivors.append(verdict.mutant)
                mutants = survivors
                if mutants: print(*(f"not found near: {show_place(one)}" for one in mutants),
                                  sep="\n", flush=True)


def report_verdicts(verdicts: list[Verdict]) -> str:
    """Numbers by room, and the difference that each survivor makes."""
    rooms = {}
    for verdict in sorted(verdicts):
        room = Path(verdict.mutant.path).relative_to(LIB).with_suffix("").parts[0]
        rooms.setdefault(room, Counter())[verdict.fate] += 1
    rooms["all"] = sum(rooms.values(), Counter())
    fates = KILLED, TIMED_OUT, SURVIVED, NOT_COVERED
    lines = ["| room | mutants | " + " | ".join(fates) + " | found |", "|---" * 7 + "|"]
    for room, fate in rooms.items():
        found = (fate[KILLED] + fate[TIMED_OUT]) / fate.total()
        numbers = " | ".join(str(fate[name]) for name in fates)
        lines.append(f"| {room} | {fate.total()} | {numbers} | {found:.0%} |")
    lines.append("\nMutants that mean the same are among those not found; a reader has to tell.")
    for verdict in sorted(verdicts):
        if verdict.fate in FOUND: continue
        mutant = verdict.mutant
        lines += [f"\n{mutant.path}:{mutant.line} {mutant.operator}: {verdict.fate}",
                  "```diff", show_diff(mutant), "```"]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="mutants to try")
    parser.add_argument("--rooms", default="reading,analyses,render,results,inference",
                        help="folders or modules, between commas")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="mutants judged at once")
    parser.add_argument("--near", action="store_true",
                        help="the module's page, its tests, and those that import it, no others")
    parser.add_argument("--list", action="store_true", help="show the sample, judge nothing")
    parser.add_argument("--out", type=Path, help="file for the report")
    options = parser.parse_args()
    mutants = [mutant for path in find_modules(options.rooms.split(","))
               for mutant in find_mutants((ROOT / path).read_text("utf-8"), path.as_posix())]
    chosen = sample_mutants(mutants, options.count, options.seed)
    print(f"{len(chosen)} of {len(mutants)} mutants", flush=True)
    if options.list:
        return print(*(f"{one.path}:{one.line}\n{show_diff(one)}" for one in chosen), sep="\n")
    verdicts = []
    for verdict in judge_all(chosen, options.jobs, NEAR if options.near else EVERY):
        verdicts.append(verdict)
        fate = f"{verdict.fate} {verdict.by} {verdict.seconds:.1f} s"
        print(f"{show_place(verdict.mutant)} {fate}", flush=True)
    report = report_verdicts(verdicts)
    print("\n" + report)
    if options.out: options.out.write_text(report + "\n")


if __name__ == "__main__":
    # The seed of hashes is read when Python starts; -P keeps bench/coverage.py from being imported.
    unset = any(os.environ.get(name) != value for name, value in ENV.items())
    if unset or not sys.flags.safe_path:
        os.execve(sys.executable, [sys.executable, "-P", *sys.argv], os.environ | ENV)
    main()
