"""Time and peak memory of counting a long table, beside DuckDB's own query and pandas.

    python bench/scale.py
    python bench/scale.py --rows 1e8 --kinds parquet

The first takes 10^7 rows, sorted and shuffled, as Parquet and JSON lines: about 2 GB of disk.

Each way runs in a process of its own. Raw is `SELECT question_id, count(*), sum(correct) ... GROUP
BY question_id` without any check. Ours names columns, checks outcomes, names and files, keeps what
is missing, and returns `Counts`; with samples it also finds repeated samples.

Seconds are the best of `--repeat` processes and include reading the file; x is the multiple of the
first way, cpu the processor time of all threads; memory is the peak resident size of the process,
imports included (about 100 MB).
"""
import argparse, os, resource, shutil, subprocess, sys, tempfile, time
from pathlib import Path


def generate(folder, rows, draws, kinds, orders):
    "Write the tables; every question is drawn `draws` times."
    import duckdb
    con = duckdb.connect(config=dict(temp_directory=str(folder), preserve_insertion_order="true"))
    table = f"""SELECT 'task-' || (i // {draws})::VARCHAR AS question_id,
        (i % {draws})::INTEGER AS sample,
        (hash(i) % 100 < hash(i // {draws}, 1) % 100)::INTEGER AS correct
        FROM range({rows}) t(i)"""
    forms = dict(parquet="FORMAT parquet, COMPRESSION zstd", jsonl="FORMAT json")
    for order in orders:
        for kind in kinds:
            by = " ORDER BY hash(i, 2)" if order == "shuffled" else ""
            con.execute(f"COPY ({table}{by}) TO '{folder / f'{order}.{kind}'}' ({forms[kind]})")


def raw(path):
    import duckdb
    query = f"""SELECT question_id, count(*) n, sum(correct) c
        FROM '{path}' GROUP BY question_id"""
    return lambda: duckdb.sql(query).fetchnumpy()


def ours(path, **named):
    from sampling_eval import read
    return lambda: read(path, **named).counts()


def in_pandas(path):
    import pandas
    columns = ["question_id", "correct"]
    def read():
        if path.endswith("parquet"): return pandas.read_parquet(path, columns=columns)
        return pandas.read_json(path, lines=True)[columns]
    return lambda: read().groupby("question_id")["correct"].agg(["size", "sum"])


def polars(path, **named):
    import polars
    from sampling_eval import read
    scan = polars.scan_parquet if path.endswith("parquet") else polars.scan_ndjson
    return lambda: read(scan(path), **named).counts()


WAYS = {"DuckDB, raw query": raw,
        "ours": lambda path: ours(path, sample=False),
        "ours, with samples": ours,
        "ours on Polars, lazy": lambda path: polars(path, sample=False),
        "pandas": in_pandas}


def one(way, path):
    "Run one way once and print seconds and peak memory in MB."
    run = WAYS[way](path)
    for module in "duckdb", "narwhals.stable.v2": __import__(module)
    start, used = time.perf_counter(), time.process_time()
    run()
    print(time.perf_counter() - start, time.process_time() - used, peak())


def peak():
    """Peak resident memory of this process in MB.

    Linux's ru_maxrss would start at the parent's peak."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1024**(2 if sys.platform == "darwin" else 1)


def measured(ways, path, repeat):
    """Least seconds, least processor seconds and most memory of each way.

    The ways take turns, so that a busy machine is busy for all."""
    runs = {way: [] for way in ways}
    for way in ways * repeat:
        command = [sys.executable, __file__, "--one", way, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        runs[way].append(tuple(map(float, done.stdout.split())))
    return {way: (min(o[0] for o in each), min(o[1] for o in each), max(o[2] for o in each))
            for way, each in runs.items()}


def parse_words():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**7,
                        help="rows of each table")
    parser.add_argument("--draws", type=int,
                        help="samples per question; 100 000 questions if left out")
    parser.add_argument("--kinds", nargs="+", choices=["parquet", "jsonl"],
                        default=["parquet", "jsonl"])
    parser.add_argument("--orders", nargs="+", choices=["sorted", "shuffled"],
                        default=["sorted", "shuffled"])
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=list(WAYS),
                        help="what to time; the first is the yardstick")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each way, the best counts")
    parser.add_argument("--folder", type=Path,
                        help="where to write the tables; a temporary folder, deleted at the end, "
                             "if left out")
    parser.add_argument("--pandas-json", action="store_true",
                        help="let pandas read JSON lines too (about 9 GB and a minute for "
                             "10^7 rows)")
    parser.add_argument("--one", nargs=2, metavar=("WAY", "PATH"), help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse_words()
    if options.one: return one(*options.one)
    options.draws = options.draws or max(1, options.rows // 100_000)
    folder = options.folder or Path(tempfile.mkdtemp(prefix="sampling_eval_bench"))
    try:
        folder.mkdir(exist_ok=True, parents=True)
        generate(folder, options.rows, options.draws, options.kinds, options.orders)
        questions = options.rows // options.draws
        print(f"{options.rows:.0e} rows, {questions} questions, {os.cpu_count()} cores\n")
        print(f"{'table':<18} {'way':<22} {'seconds':>8} {'x':>6} {'cpu':>8} {'x':>6} {'MB':>7}")
        for kind in options.kinds:
            for order in options.orders:
                path = folder / f"{order}.{kind}"
                ways = [way for way in options.ways
                        if way != "pandas" or kind == "parquet" or options.pandas_json]
                found = measured(ways, path, options.repeat)
                base = found[ways[0]]
                for way, (seconds, used, memory) in found.items():
                    print(f"{path.name:<18} {way:<22} {seconds:>8.2f} {seconds / base[0]:>6.2f} "
                          f"{used:>8.2f} {used / base[1]:>6.2f} {memory:>7.0f}", flush=True)
                print(f"{'':<18} {path.stat().st_size / 2**20:.0f} MB on disk\n")
    finally:
        if options.folder is None: shutil.rmtree(folder)


if __name__ == "__main__": main()
