"""Does a test fail when the code is wrong? A seeded random sample of small faults, one at a time.

    python bench/mutants.py --count 200 --rooms reading,verbs,reporting,inference [--jobs 2]

A room is a folder or a module, such as `inference` or `foundations/urn`. Each mutant is written
into a private copy of the package, never into the tree. Its tests run in a fork of a process that
has already imported pytest and numpy: first tests/test_<module>.py and the module's own page,
whose exported cells are replaced by the module, then tests that import it, then what was frozen,
then tests of the room (--everything: all tests). What does not reach the changed line is left
out: each piece runs once unchanged under a tracer, and what fails there is not counted later.
Those traces are kept in a temporary folder as long as package, tests and pages stay as they are.

Messages, docstrings and annotations are never changed. A survivor is either a missing test or a
mutant that means the same; which of the two, a reader has to say.
"""
import argparse
import ast
import difflib
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

ROOT = Path(__file__).resolve().parents[1]
LIB = "sampling_eval"
ENV = dict(PYTHONHASHSEED="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MPLBACKEND="agg",
           COLUMNS="100", IN_TEST="1")
WARM = """numpy scipy.special scipy.stats scipy.optimize scipy.interpolate pytest hypothesis pandas
          pyarrow duckdb narwhals matplotlib.pyplot matplotlib_inline.backend_inline IPython.display
          typer rich.console yaml""".split()
# These judge files, not what the code does; or run for minutes what others run as well.
LEFT_OUT = {f"test_{name}" for name in "project pages machines how_fast mutants frozen".split()}
KILLED, SURVIVED, TIMED_OUT, NOT_COVERED = "killed", "survived", "timed out", "not covered"


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
    shutil.copytree(package, folder / LIB, copy_function=copy)
    return folder


def write_mutant(folder: Path, mutant: Mutant) -> None:
    """Replace the module; links to the original and its bytecode are cut first."""
    path = folder / mutant.path
    source = path.read_bytes()
    path.unlink()
    for old in (path.parent / "__pycache__").glob(f"{path.stem}.*"): old.unlink()
    path.write_bytes(mutant.apply(source))


def show_diff(mutant: Mutant) -> str:
    """The change, with a line around it."""
    source = (ROOT / mutant.path).read_bytes()
    before, after = (text.decode().splitlines() for text in (source, mutant.apply(source)))
    lines = list(difflib.unified_diff(before, after, mutant.path, mutant.path, n=1, lineterm=""))
    return "\n".join(lines[2:])


# Pieces: what can kill a mutant.

class Piece(NamedTuple):
    """A file of tests, some of what was frozen, or a page."""
    name: str
    words: tuple[str, ...] = ()

    @property
    def page(self) -> bool: return self.name.endswith(".ipynb")


class Known(NamedTuple):
    """What a piece does to the unchanged package."""
    usable: bool
    seconds: float
    failing: list[str]
    lines: dict[str, list[int]]

    def reaches(self, mutant: Mutant) -> bool:
        first, last = mutant.statement
        return any(first <= line <= last for line in self.lines.get(mutant.path, ()))


@cache
def list_pieces() -> list[Piece]:
    """All test files, the frozen cases by their first word, and all pages."""
    pieces = [Piece(path.stem, (f"tests/{path.name}",))
              for path in sorted((ROOT / "tests").glob("test_*.py")) if path.stem not in LEFT_OUT]
    kinds = sorted(path.name.partition(".")[0] for path in (ROOT / "tests/frozen").glob("*.gz"))
    pieces += [Piece(f"frozen {kind}", ("tests/test_frozen.py", "-k", f"[{kind}"))
               for kind in kinds]
    return pieces + [Piece(path.relative_to(ROOT).as_posix())
                     for path in sorted((ROOT / "nbs").rglob("*.ipynb"))
                     if ".ipynb_checkpoints" not in path.parts]


@cache
def rank_piece(piece: Piece, path: str, everything: bool) -> int | None:
    """Which turn a piece has for a module; None for what does not belong."""
    module = Path(path).relative_to(LIB).with_suffix("")
    if piece.name in (f"test_{module.stem}", f"test_{'_'.join(module.parts)}"): return 0
    if piece.name == f"nbs/{module}.ipynb": return 1
    if piece.page: return 5 if everything else None
    if piece.name.startswith("frozen"): return 3
    source = (ROOT / piece.words[0]).read_text("utf-8")
    if f"{LIB}.{'.'.join(module.parts)} import" in source: return 2
    of_room = piece.name.startswith("test_" + module.stem) or f"{LIB}.{module.parts[0]}" in source
    if of_room: return 4
    return 5 if everything else None


def order_pieces(path: str, everything: bool) -> list[Piece]:
    """Pieces that belong to a module, the likeliest first."""
    ranks = {piece: rank_piece(piece, path, everything) for piece in list_pieces()}
    return sorted((piece for piece, rank in ranks.items() if rank is not None), key=ranks.get)


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


class Failures:
    """A pytest plugin that keeps the names of what failed."""

    def __init__(self): self.names = []

    def pytest_runtest_logreport(self, report) -> None:
        if report.failed: self.names.append(report.nodeid)

    def pytest_collectreport(self, report) -> None:
        if report.failed: self.names.append(report.nodeid)


def run_tests(piece: Piece, *options: str, deselect: list[str] = (), plugins: list = ()) -> int:
    """The exit code of pytest; nothing to run is no failure."""
    import pytest
    from hypothesis import settings
    settings.register_profile("mutants", database=None, derandomize=True, deadline=None)
    settings.load_profile("mutants")
    without = [word for name in deselect for word in ("--deselect", name)]
    quiet = "-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:xdist"
    code = int(pytest.main([*quiet, *options, *without, *piece.words], plugins=list(plugins)))
    return 0 if code == 5 else code


def run_page(piece: Piece) -> int:
    """Run a page's cells; what it exports comes from the module."""
    names = {"__name__": "__main__"}
    exec("from IPython.display import display", names)
    cells = json.loads(Path(piece.name).read_text("utf-8"))["cells"]
    os.chdir(Path(piece.name).parent)
    module = None
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code" or re.search(r"^#\| *eval: *false", source, re.M): continue
        named = re.search(r"^#\| *default_exp ([\w.]+)", source, re.M)
        if named: module = importlib.import_module(f"{LIB}.{named[1]}")
        elif re.search(r"^#\| *exports?i?\b", source, re.M): names |= read_names(module)
        else: exec(compile(re.sub(r"^[%!].*", "", source, flags=re.M), piece.name, "exec"), names)
    return 0


def read_names(module) -> dict:
    """What an exporting page has defined, taken from its module."""
    return {name: value for name, value in vars(module).items() if not name.startswith("__")}


def run_piece(piece: Piece, place: Path, known: Known) -> int:
    """0 if a piece finds nothing wrong with a place."""
    enter(place)
    return run_page(piece) if piece.page else run_tests(piece, "-x", deselect=known.failing)


# Traces of the unchanged package.

def trace_lines(folder: str, seen: set[tuple[str, int]]) -> Callable:
    """A trace function that collects the lines run under a folder."""
    def trace_line(frame, event, _):
        if event == "line": seen.add((frame.f_code.co_filename, frame.f_lineno))
        return trace_line
    def trace_call(frame, event, _):
        name = frame.f_code.co_filename
        if not name.startswith(folder): return None
        seen.add((name, frame.f_code.co_firstlineno))
        return trace_line
    return trace_call


def trace_piece(piece: Piece, place: Path, out: Path) -> int:
    """Run a piece on the unchanged package, and write down what it does."""
    import threading
    enter(place)
    seen, failures, start = set(), Failures(), time.process_time()
    tracer = trace_lines(str(place / LIB), seen)
    threading.settrace(tracer)
    sys.settrace(tracer)
    code = run_page(piece) if piece.page else run_tests(piece, plugins=[failures])
    sys.settrace(None)
    lines: dict[str, list[int]] = {}
    for name, line in sorted(seen):
        lines.setdefault(str(Path(name).relative_to(place)), []).append(line)
    usable = not code or (code == 1 and bool(failures.names))
    out.write_text(json.dumps(Known(usable, time.process_time() - start, failures.names, lines)))
    return code


def name_memo(piece: Piece, memo: Path) -> Path:
    """Where the trace of a piece is kept."""
    return memo / (re.sub(r"\W+", "_", piece.name) + ".json")


@cache
def know_piece(piece: Piece, base: Path, memo: Path) -> Known:
    """What a piece does to the unchanged package, traced once and kept."""
    out = name_memo(piece, memo)
    if not out.exists():
        written = out.with_suffix(f".{os.getpid()}")
        run_forked(lambda: trace_piece(piece, base, written), out.with_suffix(".log"), 900)
        if not written.exists(): written.write_text(json.dumps(Known(False, 0, [], {})))
        written.replace(out)
    return Known(*json.loads(out.read_text()))


def hash_sources() -> str:
    """A name for the state of package, tests and pages."""
    sha = hashlib.sha256()
    for folder, pattern in (LIB, "*.py"), ("tests", "*"), ("nbs", "*.ipynb"):
        for path in sorted((ROOT / folder).rglob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts and path.stem not in LEFT_OUT:
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
    """Where mutants are judged, and how widely."""
    folder: Path
    memo: Path
    everything: bool
    without: tuple[str, ...] = ()

    @property
    def base(self) -> Path: return self.folder / "base"

    def judge(self, mutant: Mutant) -> Verdict:
        """Run what reaches the mutant until something fails."""
        start = time.monotonic()
        name = hashlib.sha256(repr(mutant).encode()).hexdigest()[:12]
        place = build_place(self.folder / name, self.base / LIB, os.link)
        write_mutant(place, mutant)
        fate, by = NOT_COVERED, ""
        for piece, known in self.find_reaching(mutant):
            outcome = run_forked(lambda: run_piece(piece, place, known), place / "log",
                                 10 + 3 * known.seconds)
            fate = name_fate(outcome)
            if fate != SURVIVED:
                by = piece.name
                break
        shutil.rmtree(place, ignore_errors=True)
        return Verdict(mutant, fate, by, time.monotonic() - start)

    def find_reaching(self, mutant: Mutant) -> Iterator[tuple[Piece, Known]]:
        """Pieces that run the changed line, traced when their turn comes."""
        def cost(piece): return rank_piece(piece, mutant.path, True), self.recall_seconds(piece)
        for piece in sorted(order_pieces(mutant.path, self.everything), key=cost):
            if piece.name in self.without: continue
            known = know_piece(piece, self.base, self.memo)
            if known.usable and known.reaches(mutant): yield piece, known

    def recall_seconds(self, piece: Piece) -> float:
        """How long a piece takes; without end where it has not been traced."""
        out = name_memo(piece, self.memo)
        return Known(*json.loads(out.read_text())).seconds if out.exists() else float("inf")


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


def judge_all(mutants: list[Mutant], jobs: int, everything: bool,
              without: tuple[str, ...]) -> Iterator[Verdict]:
    """A verdict on each mutant, as they come."""
    memo = Path(tempfile.gettempdir()) / f"{LIB}_mutants" / hash_sources()
    memo.mkdir(parents=True, exist_ok=True)
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder).resolve(), memo, everything, without)
        build_place(run.base, ROOT / LIB, shutil.copy2)
        with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
            for future in as_completed([pool.submit(run.judge, one) for one in mutants]):
                yield future.result()


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
        if verdict.fate in (KILLED, TIMED_OUT): continue
        mutant = verdict.mutant
        lines += [f"\n{mutant.path}:{mutant.line} {mutant.operator}: {verdict.fate}",
                  "```diff", show_diff(mutant), "```"]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="mutants to try")
    parser.add_argument("--rooms", default="reading,verbs,reporting,inference",
                        help="folders or modules, between commas")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="mutants judged at once")
    parser.add_argument("--everything", action="store_true", help="all tests and all pages")
    parser.add_argument("--without", default="", metavar="NAMES",
                        help="what not to run, such as test_engines or 'frozen tables'")
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
    without = tuple(options.without.split(","))
    for verdict in judge_all(chosen, options.jobs, options.everything, without):
        verdicts.append(verdict)
        at, fate = f"{verdict.mutant.path}:{verdict.mutant.line}", f"{verdict.fate} {verdict.by}"
        print(f"{at:<44} {verdict.mutant.operator:<13} {fate} {verdict.seconds:.1f} s", flush=True)
    report = report_verdicts(verdicts)
    print("\n" + report)
    if options.out: options.out.write_text(report + "\n")


if __name__ == "__main__":
    # The seed of hashes is read when Python starts.
    if any(os.environ.get(name) != value for name, value in ENV.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | ENV)
    main()
