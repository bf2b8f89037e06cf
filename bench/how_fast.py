"""How fast is the package, in multiples of numpy's counting pass, and how far from its aims?

    python bench/how_fast.py [--quick] [--out sampling_eval/examples/how_fast.csv]
    python bench/how_fast.py --check

Whatever a person reads is printed, with all that the screen shows. The counting pass is
`np.count_nonzero(outcomes, axis=1)` over 100,000 x 128 booleans. What is compared takes turns in
one run, so that a busy machine is busy for all, and the best turn counts.

Times are processor times, of all threads; the wall is beside them. BLAS has one thread. --quick
takes fewer turns, scorio at the powers of two only, and leaves out the tables of ten million rows.

--check measures the rows of `QUICK` anew, in a minute, and fails where a stored multiple is off by
more than `OFF` times, either way. Machines differ in how quick plain Python and memory are beside
numpy's pass: a loop and a packing tell by how much, and what rests on them may be off by that too.
"""
import os

for setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[setting] = "1"
# Starts are measured with the bytecode that the first turn leaves behind.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import argparse
import csv
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "sampling_eval" / "examples"
STORED = DATA / "how_fast.csv"
PASS, NUMPY, GROUP_BY = "counting pass", "import numpy", "raw GROUP BY"
BATTERY = ["pass@k", "pass^k", "cons@k", "avg@n"]
COMMAND = "-c", "from sampling_eval.cli import main; main()"
QUERY = "SELECT question_id, count(*) n, sum(correct) c FROM '{}' GROUP BY question_id"
# What tells outcomes other than 0 and 1, repeated samples, and the runs that samples are from.
SETS = ", ".join(f"bit_or(CASE WHEN (correct = {side} OR correct IS NULL) AND "
                 f"sample BETWEEN 0 AND 61 THEN 1::BIGINT << sample ELSE 0 END) may_be{side}"
                 for side in (1, 0))
CHECKED = f"SELECT question_id, count(*) n, {SETS} FROM '{{}}' GROUP BY question_id"
# What `score FILE` imports of the standard library, and of the package.
STANDARD = "argparse, csv, dataclasses, fractions, glob, gzip, json, pathlib, shutil"
MODULES = ("sampling_eval.cli, sampling_eval.analyses.score.verb, sampling_eval.reading.tables, "
           "sampling_eval.render.output")
LOADED = {"numpy and the standard library of score FILE": STANDARD,
          "numpy and the modules of score FILE": MODULES}


# Rows that are quick to measure, each with what its time consists of: whatever the shares, its
# multiple moves from machine to machine no further than these do.
COUNTED = "battery", PASS
LOOP = "reference", "a plain loop of 100,000 steps"
PACKED = "limits", "outcomes packed, eight to a byte"
NUMPY_AND_PYTHON = COUNTED, LOOP
QUICK = {
    ("battery", "default budgets, printed"): NUMPY_AND_PYTHON,
    ("battery", "all budgets, printed"): NUMPY_AND_PYTHON,
    ("limits", "outcomes counted"): (PACKED,),
    ("limits", "bands of three metrics"): NUMPY_AND_PYTHON,
    ("judged and borrowed", "corrected pass@k at all k, given counts"): NUMPY_AND_PYTHON,
    ("default score", "printed"): NUMPY_AND_PYTHON,
    ("compare", "printed"): NUMPY_AND_PYTHON,
    ("compare", "by t, printed"): NUMPY_AND_PYTHON,
    ("votes", "maj@k of columns, printed"): NUMPY_AND_PYTHON,
    # Processes are multiples of a process: the same work on every machine.
    ("start-up", "sampling-eval --help"): (),
    ("start-up", "sampling-eval score FILE"): ()}
REFERENCES = COUNTED, LOOP, PACKED
OFF = 2.5  # Times by which a stored multiple may be off


class Aim(NamedTuple):
    """A bound, and what it bounds: `x` for the multiple, or `ms` or `MB`."""
    bound: float
    of: str = "x"


class Times(NamedTuple):
    """Milliseconds of one call: of the processor, and on the wall."""
    cpu: float
    wall: float


class Row(NamedTuple):
    """One line of the table."""
    group: str
    what: str
    unit: str = ""
    milliseconds: float | None = None
    wall: float | None = None
    multiple: float | None = None
    aim: float | None = None
    aim_of: str = ""
    megabytes: float | None = None


# Timing.

def time_call(call: Callable) -> Times:
    """Milliseconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return Times(1000 * (time.process_time() - cpu), 1000 * (time.perf_counter() - wall))


def keep_least(turns: Iterable[Times]) -> Times:
    """Least processor time and least wall time."""
    cpus, walls = zip(*turns)
    return Times(min(cpus), min(walls))


def take_turns(timers: dict[str, Callable[[], Times]], turns: int, seconds: float) -> dict:
    """The least times of each; one that has used up its seconds sits out."""
    found = {name: [] for name in timers}
    for _ in range(turns):
        for name, timer in timers.items():
            used = sum(times.wall for times in found[name]) / 1000
            if used < seconds: found[name].append(timer())
    return {name: keep_least(each) for name, each in found.items()}


def make_row(group: str, what: str, times: Times, unit: str, base: Times,
             aim: Aim | None = None) -> Row:
    """One line, with the multiple of the unit's processor time."""
    row = Row(group, what, unit, times.cpu, times.wall, times.cpu / base.cpu)
    return row._replace(aim=aim.bound, aim_of=aim.of) if aim else row


class Bench:
    """Turns, their patience, and the counting pass that all calls are held against."""

    def __init__(self, quick: bool = False, questions: int = 100_000, samples: int = 128,
                 named: Collection[tuple[str, str]] | None = None):
        self.quick, self.named = quick, named
        self.turns, self.seconds = (3, 1.) if quick else (15, 20.)
        self.outcomes = draw_outcomes(questions, samples)

    def count(self) -> np.ndarray: return np.count_nonzero(self.outcomes, axis=1)

    def choose(self, group: str, calls: dict[str, tuple]) -> dict[str, tuple]:
        """The calls of a group that are wanted."""
        if self.named is None: return calls
        return {what: call for what, call in calls.items() if (group, what) in self.named}

    def compare(self, group: str, calls: dict[str, tuple[Callable, Aim | None]]) -> list[Row]:
        """A line for each call, taking turns with the counting pass."""
        calls = self.choose(group, calls)
        timers = {PASS: lambda: time_call(self.count)}
        timers |= {what: lambda call=call: time_call(call) for what, (call, _) in calls.items()}
        found = take_turns(timers, self.turns, self.seconds)
        base = found[PASS]
        return [make_row(group, what, found[what], PASS, base, aim)
                for what, (_, aim) in calls.items()]


def run_loop(steps: int = 100_000) -> int:
    """Plain Python, the other half of what a report costs."""
    total = 0
    for step in range(steps): total += step & 1
    return total


# Data.

def draw_outcomes(questions: int, samples: int) -> np.ndarray:
    """Outcomes of questions of every difficulty, seeded."""
    rng = np.random.default_rng(0)
    return rng.random((questions, samples)) < rng.beta(.7, .7, (questions, 1))


def draw_columns(questions: int, samples: int, answers: int = 8) -> dict[str, np.ndarray]:
    """Rows with answers as columns, seeded; answer 0 is right."""
    rng = np.random.default_rng(0)
    weight = np.linspace(2, 1, answers)
    given = rng.choice(answers, questions * samples, p=weight / weight.sum())
    return dict(question=np.repeat(np.arange(questions), samples),
                sample=np.tile(np.arange(samples), questions), answer=given,
                correct=(given == 0).astype(int))


def list_rows(columns: dict[str, np.ndarray]) -> list[dict]:
    """The same rows as dicts."""
    lists = (column.tolist() for column in columns.values())
    return [dict(zip(columns, row)) for row in zip(*lists)]


def write_lines(path: Path, rows: list[dict]) -> str:
    """The path of a file with a row a line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def read_pair() -> tuple:
    """Counts of 1,060 questions before and after reinforcement learning."""
    from sampling_eval import Counts
    with (DATA / "deepscaler32k_counts.csv").open() as file: rows = list(csv.DictReader(file))
    n = np.full(len(rows), 128)
    return tuple(Counts(n, np.array([int(row[side]) for row in rows]))
                 for side in ("c_base", "c_rl"))


# What is measured.

def bench_battery(bench: Bench) -> list[Row]:
    """Four metrics from the table of outcomes, at the default budgets and at every one."""
    from sampling_eval import score
    outcomes, ks = bench.outcomes, range(1, bench.outcomes.shape[1] + 1)
    def show(**options): return repr(score(outcomes, BATTERY, k=ks, **options))
    return bench.compare("battery", {
        "counting pass": (bench.count, None),
        "default budgets, printed": (lambda: repr(score(outcomes)), Aim(14)),
        "all budgets, printed": (show, Aim(40)),
        "all budgets by t, no bands, printed": (lambda: show(interval="t"), None),
        "all budgets by anchored-t, printed": (lambda: show(interval="anchored-t"), None),
        "same questions: all budgets, printed": (lambda: show(target="same_questions"), None)})


def bench_limits(bench: Bench) -> list[Row]:
    """What no report can do without, each by itself: the limits of the battery."""
    from sampling_eval import cons_at_k, pass_at_k, pass_hat_k
    from sampling_eval.foundations.counts import counts_of
    from sampling_eval.inference.bands import band_of
    from sampling_eval.inference.units import units_of
    outcomes = bench.outcomes
    states = counts_of(outcomes).states
    ks = np.arange(1, outcomes.shape[1] + 1)
    formulas = pass_at_k, pass_hat_k, cons_at_k
    curves = [units_of(formula(states.n, states.c, ks), times=states.times)
              for formula in formulas]
    return bench.compare("limits", {
        PACKED[1]: (lambda: np.packbits(outcomes.reshape(-1)), None),
        "outcomes counted": (lambda: counts_of(outcomes), None),
        "formulas of three metrics, by state": (
            lambda: [formula(states.n, states.c, ks) for formula in formulas], None),
        "bands of three metrics": (lambda: [band_of(curve) for curve in curves], None),
        "a number for every question and budget, written": (
            lambda: np.full(outcomes.shape, .5), None)})


def bench_reference(bench: Bench) -> list[Row]:
    """What tells how quick plain Python is here: no part of a report."""
    return bench.compare("reference", {LOOP[1]: (run_loop, None)})


def bench_partial(bench: Bench) -> list[Row]:
    """Judged and borrowed evaluations of as many questions, beyond counting."""
    from sampling_eval import allocate_samples, borrowed_mean, draw_questions, judged_curve
    from sampling_eval.foundations.counts import counts_of
    counts = counts_of(bench.outcomes)
    n, c, ks = counts.n, counts.c, np.arange(1, bench.outcomes.shape[1] + 1)
    place = draw_questions(len(c), max(2, len(c) // 5))
    def correct():
        curve = judged_curve(n, c, ks, sensitivity=.93, specificity=.9)
        return curve.value, curve.stderr
    return bench.compare("judged and borrowed", {
        "corrected pass@k at all k, given counts": (correct, Aim(3)),
        "a fifth borrows from all": (
            lambda: borrowed_mean((c / n)[place], place, c / n).value, Aim(3)),
        "tries allocated from an earlier run": (
            lambda: allocate_samples(n, c, 1, 10 * len(c)), Aim(3))})


def bench_formulas(bench: Bench) -> list[Row]:
    """Formulas of one system at every budget, a value for every question, from counts."""
    from sampling_eval import (flaky_at_k, guarded_at_k, guarded_tries, pass_at_k, portfolio_at_k,
                               rerun_facts)
    c, n = bench.count(), bench.outcomes.shape[1]
    passed, ks = np.minimum(c + 2, n), np.arange(1, n + 1)
    sides = np.stack([c, c[::-1]], 1)
    most = min(n, 32)
    half, splits = [n // 8, n // 8], np.stack([np.arange(most + 1), np.arange(most + 1)[::-1]], 1)
    return bench.compare("formulas", {
        "rerun_facts": (lambda: rerun_facts(n, c), Aim(3)),
        "pass@k at every k": (lambda: pass_at_k(n, c, ks), None),
        "flaky@k at every k": (lambda: flaky_at_k(n, c, ks), Aim(3)),
        "guarded@k at every k": (lambda: guarded_at_k(n, passed, c, ks), Aim(4)),
        "guarded tries at every k": (lambda: guarded_tries(n, passed, ks), Aim(3)),
        "portfolio@k, one split": (lambda: portfolio_at_k(n, sides, half), Aim(3)),
        "portfolio@k, 33 splits": (lambda: portfolio_at_k(n, sides, splits), Aim(3))})


def bench_default(bench: Bench, questions: int = 500, samples: int = 16) -> list[Row]:
    """What `score` does when nothing is asked for."""
    from sampling_eval import score
    outcomes = draw_outcomes(questions, samples)
    return bench.compare("default score", {
        "printed": (lambda: repr(score(outcomes)), Aim(30, "ms"))})


def bench_compare(bench: Bench, pair: tuple | None = None) -> list[Row]:
    """Two systems on the same questions at every budget."""
    from sampling_eval import compare
    old, new = pair or read_pair()
    ks = range(1, int(min(old.n)) + 1)
    def show(**options): return repr(compare(old, new, "pass@k", k=ks, **options))
    return bench.compare("compare", {
        "printed": (show, Aim(700, "ms")),
        "by t, printed": (lambda: show(method="t"), Aim(150, "ms")),
        "same questions: printed": (lambda: show(target="same_questions"), None)})


def bench_spend(bench: Bench) -> list[Row]:
    """What trying until success costs, at every budget of every question."""
    from sampling_eval import (curtailed_tries, pass_at_k, solved_within, spend_at_k,
                               vote_evidence)
    from sampling_eval.foundations.counts import counts_of
    from sampling_eval.inference.spending import cost_per_solved
    counts = counts_of(bench.outcomes)
    questions, samples = bench.outcomes.shape
    paid, won = spend_at_k(counts.n, counts.c, 8), pass_at_k(counts.n, counts.c, 8)
    states, ks = counts.states, np.arange(1, samples + 1)
    price = np.random.default_rng(0).random((2, questions))
    first = np.where(counts.c > 0, bench.outcomes.argmax(1) + 1, samples)
    return bench.compare("spend", {
        "tries of every question, every budget": (
            lambda: spend_at_k(counts.n, counts.c, ks), Aim(3)),
        "tries, by state": (lambda: spend_at_k(states.n, states.c, ks), Aim(3)),
        "costs of every question, every budget": (
            lambda: spend_at_k(counts.n, counts.c, ks, right=price[0], wrong=price[1]), Aim(3)),
        "costs of every question, one budget": (
            lambda: spend_at_k(counts.n, counts.c, 8, right=price[0], wrong=price[1]), Aim(3)),
        "cost per solved, one budget": (lambda: cost_per_solved(paid, won), None),
        "rules settled early": (
            lambda: curtailed_tries(samples, samples // 2 + 1, counts.c / counts.n), None),
        "evidence of votes": (lambda: vote_evidence(counts.c, counts.n - counts.c), None),
        "attempts in order": (lambda: solved_within(first, counts.c > 0, ks), None)})


def bench_votes(bench: Bench, questions: int = 1000, samples: int = 64) -> list[Row]:
    """Majority votes at every budget, from rows with answers."""
    from sampling_eval import score
    columns, ks = draw_columns(questions, samples), range(1, samples + 1)
    rows = list_rows(columns)
    def show(data): return repr(score(data, "maj@k", k=ks, no_answer="abstain"))
    return bench.compare("votes", {
        "maj@k of columns, printed": (lambda: show(columns), None),
        "maj@k of a list of rows, printed": (lambda: show(rows), None)})


def bench_reading(bench: Bench, sizes: tuple[int, ...] = (200, 10_000)) -> list[Row]:
    """Rows of three origins, until they are counted and checked."""
    import pandas
    from sampling_eval import count
    calls = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            columns = draw_columns(size // 10, 10)
            del columns["answer"]
            rows = list_rows(columns)
            path = write_lines(Path(folder, f"{size}.jsonl"), rows)
            origins = {"list of rows": rows, "pandas": pandas.DataFrame(columns),
                       "JSON lines": path}
            calls |= {f"{size:,} rows, {origin}": (lambda data=data: count(data), None)
                      for origin, data in origins.items()}
        return bench.compare("reading", calls)


def bench_scorio(bench: Bench) -> list[Row]:
    """The same values by scorio, and ours with their errors, intervals and bands, printed."""
    from sampling_eval import score
    from scorio.eval import avg, maj_at_k, pass_at_k, pass_hat_k
    outcomes = bench.outcomes
    n = outcomes.shape[1]
    whole = outcomes.astype(int)
    ks = [2**i for i in range(n.bit_length())] if bench.quick else range(1, n + 1)
    def call_scorio():
        for k in ks:
            for metric in pass_at_k, pass_hat_k, maj_at_k: metric(whole, k)
        avg(whole)
    def show(): return repr(score(outcomes, BATTERY, k=list(ks)))
    found = take_turns({"ours": lambda: time_call(show),
                        "scorio": lambda: time_call(call_scorio)}, bench.turns, 1)
    return [make_row("scorio", f"scorio {version('scorio')}, the same {3 * len(ks) + 1} values",
                     found["scorio"], "our report", found["ours"])]


# Processes of their own.

def read_peak() -> float:
    """Peak memory of this process in MB; Linux's ru_maxrss would start at the parent's peak."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / 1024**(2 if sys.platform == "darwin" else 1)


def time_cold() -> dict:
    """The counting pass, and the first report of a process; its imports are part of it."""
    import sampling_eval
    bench = Bench()
    base = keep_least(time_call(bench.count) for _ in range(7))
    return {PASS: base, "first": time_call(lambda: repr(sampling_eval.score(bench.outcomes)))}


def time_imports() -> dict:
    """The counting pass, and the imports that the first call of a process waits for."""
    import sampling_eval
    bench = Bench()
    base = keep_least(time_call(bench.count) for _ in range(7))
    return {PASS: base, "imports": time_call(lambda: sampling_eval.score)}


def time_group_by(path: str, query: str = QUERY) -> dict:
    """DuckDB's own query, without any check."""
    import duckdb
    return {"call": time_call(lambda: duckdb.sql(query.format(path)).fetchnumpy()),
            "peak": read_peak()}


def time_checked(path: str) -> dict:
    """The same with everything added up that the checks look at, and no check made."""
    return time_group_by(path, CHECKED)


def time_score(path: str) -> dict:
    """Names, outcomes and repeats are checked, what is missing is known, the report is printed."""
    import duckdb  # as in the query's process: its import is not what is compared
    import sampling_eval
    call = time_call(lambda: repr(sampling_eval.score(path, "avg@n")))
    return {"call": call, "peak": read_peak()}


ALONE = {"cold": time_cold, "imports": time_imports, "group by": time_group_by,
         "checked": time_checked, "score": time_score}


def run_alone(name: str, *words: str) -> dict:
    """What a function of `ALONE` tells in a fresh process."""
    command = [sys.executable, str(Path(__file__).resolve()), "--alone", name, *words]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {key: Times(*value) if isinstance(value, list) else value
            for key, value in told.items()}


def bench_cold(bench: Bench) -> list[Row]:
    """The first call of a fresh process, against the counting pass of that process."""
    runs = [run_alone("cold") | run_alone("imports") for _ in range(min(bench.turns, 5))]
    first, imports, base = (keep_least(run[key] for run in runs)
                            for key in ("first", "imports", PASS))
    return [make_row("battery", "first call of a process, printed", first, PASS, base, Aim(18)),
            make_row("limits", "imports of a first call", imports, PASS, base)]


def write_tables(folder: Path, rows: int, draws: int = 100) -> list[str]:
    """Paths of shuffled rows as Parquet and as JSON lines."""
    import duckdb
    table = f"""SELECT 'task-' || (i // {draws})::VARCHAR AS question_id,
        (i % {draws})::INTEGER AS sample,
        (hash(i) % 100 < hash(i // {draws}, 1) % 100)::INTEGER AS correct
        FROM range({rows}) t(i) ORDER BY hash(i, 2)"""
    forms = {"parquet": "FORMAT parquet, COMPRESSION zstd", "jsonl": "FORMAT json"}
    paths = [str(folder / f"shuffled.{kind}") for kind in forms]
    connection = duckdb.connect(config={"temp_directory": str(folder)})
    for path, form in zip(paths, forms.values()):
        connection.execute(f"COPY ({table}) TO '{path}' ({form})")
    return paths


def bench_long(bench: Bench, rows: int = 10**7) -> list[Row]:
    """Ten million shuffled rows, against DuckDB's own query."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path in write_tables(Path(folder), rows):
            ways = "group by", "checked", "score"
            turns = [{way: run_alone(way, path) for way in ways} for _ in range(3)]
            base, checked, ours = (keep_least(turn[way]["call"] for turn in turns)
                                   for way in ways)
            form = {".parquet": "Parquet", ".jsonl": "JSON lines"}[Path(path).suffix]
            row = make_row("long tables", form, ours, GROUP_BY, base, Aim(1.3))
            peak = max(turn["score"]["peak"] for turn in turns)
            memory = Row("long tables", f"{form}, peak memory", aim=500, aim_of="MB",
                         megabytes=peak)
            limit = make_row("limits", f"{form}, the query with what checks need", checked,
                             GROUP_BY, base)
            found += [row, memory, limit]
    return found


def time_process(*words: str) -> Times:
    """Milliseconds of a fresh Python process, from its start to its end."""
    start = time.perf_counter()
    child = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode: raise RuntimeError(f"{' '.join(words)} gave exit code {child.returncode}")
    return Times(1000 * (used.ru_utime + used.ru_stime), 1000 * wall)


def bench_start(bench: Bench) -> list[Row]:
    """What a process costs before, and with, the smallest piece of work."""
    file = str(DATA / "tau_bench_airline_gpt4o.jsonl")
    starts = {"python": (["-c", ""], None),
              "import sampling_eval": (["-c", "import sampling_eval"], Aim(.25)),
              "sampling-eval --help": ([*COMMAND, "--help"], Aim(1.5)),
              "sampling-eval score --help": ([*COMMAND, "score", "--help"], Aim(1.5)),
              "sampling-eval score FILE": ([*COMMAND, "score", file], Aim(2.6)),
              **{what: (["-c", f"import numpy, {modules}"], None)
                 for what, modules in LOADED.items()}}
    starts = bench.choose("start-up", starts)
    timers = {NUMPY: lambda: time_process("-c", "import numpy")}
    timers |= {what: lambda words=words: time_process(*words)
               for what, (words, _) in starts.items()}
    found = take_turns(timers, bench.turns, 10)
    return [make_row("limits" if what in LOADED else "start-up", what, found[what], NUMPY,
                     found[NUMPY], aim) for what, (_, aim) in starts.items()]


# The table.

def name_processor() -> str:
    """Model of the processor, without the machine's name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def name_commit() -> str:
    """The commit of the sources, and whether they were changed since; empty without git."""
    def ask(*words: str) -> str:
        command = ["git", "-C", str(ROOT), *words]
        try: return subprocess.run(command, capture_output=True, text=True).stdout.strip()
        except OSError: return ""
    changed = ask("status", "--porcelain", "--untracked-files=no", "--", "sampling_eval/*.py")
    return ask("rev-parse", "--short=8", "HEAD") + " and changes" * bool(changed)


def name_machine() -> list[Row]:
    """When, of what and where; what they are stands in the column of units."""
    facts = {"date": date.today().isoformat(), "commit": name_commit(),
             "processor": name_processor(), "cores": str(os.cpu_count()),
             "system": platform.system(), "Python": platform.python_version()}
    packages = "numpy", "scipy", "duckdb", "pandas", "scorio", "sampling_eval"
    facts |= {name: version(name) for name in packages}
    return [Row("machine", what, fact) for what, fact in facts.items()]


BENCHES = (bench_battery, bench_limits, bench_reference, bench_formulas, bench_partial, bench_cold,
           bench_default, bench_compare, bench_spend, bench_votes, bench_reading, bench_scorio,
           bench_start, bench_long)


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write the table; four digits are more than a run repeats."""
    def show(value): return f"{value:.4g}" if isinstance(value, float) else value
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows([show(value) for value in row] for row in rows)


def read_multiples(path: Path) -> dict[tuple[str, str], float]:
    """The stored multiples by group and name."""
    with path.open() as file: rows = list(csv.DictReader(file))
    return {(row["group"], row["what"]): float(row["multiple"]) for row in rows if row["multiple"]}


def show_row(row: Row) -> str:
    """One line as text."""
    if row.group == "machine": return f"{row.what:<40} {row.unit}"
    aim = "" if row.aim is None else f"aim {row.aim:g} {row.aim_of}"
    if row.megabytes is not None: return f"{row.what:<40} {row.megabytes:>10.0f} MB  {aim}"
    return (f"{row.what:<40} {row.milliseconds:>10.2f} ms {row.wall:>10.2f} wall "
            f"{row.multiple:>10.3f} x {row.unit}  {aim}")


# Whether the stored table still tells what runs.

def measure_named(named: Collection[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Multiples of some rows, measured as the table is."""
    bench, groups = Bench(named=named), dict.fromkeys(group for group, _ in named)
    rows = [row for group in groups for row in BENCH_OF[group](bench)]
    return {(row.group, row.what): row.multiple for row in rows}


def find_off(stored: dict, fresh: dict) -> list[tuple[str, str]]:
    """Rows of `QUICK` whose stored multiple is off by more than `OFF` times."""
    moved = {row: fresh[row] / stored[row] for row in fresh}
    def is_off(row: tuple[str, str]) -> bool:
        references = [moved[one] for one in QUICK[row]] or [1.]
        return not min(references) / OFF <= moved[row] <= max(references) * OFF
    return [row for row in fresh if row in QUICK and is_off(row)]


def check(stored: dict[tuple[str, str], float]) -> int:
    """0 if the stored multiples are those of this run, else 1, and what is off."""
    asked = [*REFERENCES, *QUICK]
    if lost := [row for row in asked if row not in stored]:
        print(f"{STORED.name} has no {': '.join(lost[0])} ({len(lost)} of {len(asked)} are "
              "absent): make bench")
        return 1
    fresh = measure_named(asked)
    # Another process may have been in the way: what is off has a second chance.
    if off := find_off(stored, fresh): fresh |= measure_named([*REFERENCES, *off])
    off = find_off(stored, fresh)
    for row, now in fresh.items():
        told = f"   off by more than {OFF} times" * (row in off)
        print(f"{': '.join(row):<60} stored {stored[row]:>8.3f} x, now {now:>8.3f} x{told}")
    if off:
        print(f"{len(off)} of {len(QUICK)} are off: find what changed, or store anew: make bench")
    return int(bool(off))


BENCH_OF = {"battery": bench_battery, "limits": bench_limits, "reference": bench_reference,
            "judged and borrowed": bench_partial, "default score": bench_default,
            "compare": bench_compare, "votes": bench_votes, "start-up": bench_start}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer turns, no long tables")
    parser.add_argument("--check", action="store_true", help="hold the stored table against a run")
    parser.add_argument("--out", type=Path, help="CSV file to write, of a whole run")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[],
                        choices=[one.__name__.removeprefix("bench_") for one in BENCHES],
                        help="some of: %(choices)s")
    parser.add_argument("--alone", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone: return print(json.dumps(ALONE[options.alone[0]](*options.alone[1:])))
    if options.check: sys.exit(check(read_multiples(STORED)))
    if options.out and (options.only or options.quick):
        parser.error("a table is of one whole run: --out goes without --only and --quick")
    bench, rows = Bench(options.quick), name_machine()
    for row in rows: print(show_row(row))
    for measure in BENCHES:
        name = measure.__name__.removeprefix("bench_")
        if options.only and name not in options.only: continue
        if options.quick and measure is bench_long: continue
        found = measure(bench)
        print(f"\n{name}", *map(show_row, found), sep="\n", flush=True)
        rows += found
    if options.out: write_rows(options.out, rows)


if __name__ == "__main__": main()
