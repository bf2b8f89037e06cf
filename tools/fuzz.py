"""Tables with a known truth, and tables known to be bad, through every reader and verb.

`python tools/fuzz.py 100000` draws so many examples and prints what came of them. What may come:
the true counts, the same from every reader, or a sentence of this package. What may not: an error
that somebody else raised, a number from a bad table, or two readers that differ.
"""
from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import linecache
import resource
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import sampling_eval
from sampling_eval import cli, compare, extrapolate, gate, plan, score
from sampling_eval.reading import tables as sources
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options

HOME = str(Path(sampling_eval.__file__).parent)
OURS = ValueError, TypeError, OSError, ImportError
NAMES = ["q", "7", "007", "a b", "=1+1", "é", "名", "\x1b[31m", "x,y", 'say "it"', "l\nm", "nan ",
         "0.5"]


@dataclass
class Table:
    "A long table, what is true of it, and what is wrong with it."
    rows: list[dict[str, Any]]
    options: dict[str, Any] = field(default_factory=dict)
    fault: str = ""  # Empty for a sound table
    form: Callable[[bytes], bytes] | None = None  # What is done to the bytes of its file

    def counts(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        "Samples, right and missing ones of each model and question, by plain counting."
        n, right, lost = Counter(), Counter(), Counter()
        for row in self.rows:
            key = str(row.get("model", "")), str(row["question"])
            gone = row["correct"] is None
            n[key] += not (gone and self.options.get("missing") == "drop")
            right[key] += row["correct"] == 1
            lost[key] += gone
        return {key: (n[key], right[key], lost[key]) for key in n}


# Sound tables.

def draw_table(rng: Random) -> Table:
    "A sound table of a few questions."
    kind = rng.choice(["number", "text", "odd"])
    names: list[Any] = list(range(rng.randint(1, 5)))
    if kind == "text": names = [f"q{i}" for i in names]
    if kind == "odd": names = rng.sample(NAMES, len(names))
    models = rng.choice([[None], [None], ["m"], ["a", "b"]])
    columns = [name for name in ("answer", "note", "latency") if rng.random() < .3]
    numbered = rng.random() < .7
    rows = [draw_row(rng, model, name, s if numbered else None, columns) for model in models
            for name in names for s in range(rng.randint(1, 4))]
    rng.shuffle(rows)
    table = Table(rows)
    if "answer" in columns: table.options["no_answer"] = "vote"
    if rng.random() < .2: lose_some(rng, table)
    return table


def draw_row(rng: Random, model: str | None, name: Any, sample: int | None,
             columns: list[str]) -> dict[str, Any]:
    "One sample."
    right = int(rng.random() < .5)
    row: dict[str, Any] = {"question": name, "correct": right}
    if sample is not None: row["sample"] = sample
    if model is not None: row["model"] = model
    wrong = rng.choice(["x", "y z", "=2", ""])
    more = dict(answer=f"right {name}" if right else wrong, note=rng.choice(["", "a,b", "ü"]),
                latency=rng.random())
    return row | {key: more[key] for key in columns}


def lose_some(rng: Random, table: Table) -> None:
    "Take the outcome from some samples, of no question the last one."
    table.options["missing"] = rng.choice(["wrong", "drop"])
    seen: set[Any] = set()
    for row in table.rows:
        key = row.get("model"), row["question"]
        if key in seen and rng.random() < .4: row["correct"] = None
        seen.add(key)


# What can be wrong with a table.

def spoil(rng: Random, table: Table) -> None:
    "Make a table bad, in a way that no reader may overlook."
    table.fault = rng.choice(list(SPOILERS))
    SPOILERS[table.fault](rng, table)


def spoil_outcome(rng: Random, table: Table) -> None:
    odd = [2, -1, .5, 1e300, "maybe", "0.5", "1.5", "two"]
    rng.choice(table.rows)["correct"] = rng.choice(odd)


def spoil_question(rng: Random, table: Table) -> None:
    rng.choice(table.rows)["question"] = None


def repeat_row(rng: Random, table: Table) -> None:
    for i, row in enumerate(table.rows): row.setdefault("sample", i)
    table.rows.append(dict(rng.choice(table.rows)))


def lose_outcome(rng: Random, table: Table) -> None:
    table.options.pop("missing", None)
    rng.choice(table.rows)["correct"] = None


def drop_outcomes(rng: Random, table: Table) -> None:
    for row in table.rows: del row["correct"]


def drop_questions(rng: Random, table: Table) -> None:
    for row in table.rows: del row["question"]


def name_nothing(rng: Random, table: Table) -> None:
    table.options[rng.choice(["question", "correct", "sample", "model"])] = "no such column"


def misspell(rng: Random, table: Table) -> None:
    table.options[rng.choice(["mising", "no_anwser", "colour"])] = "wrong"


def choose_nothing(rng: Random, table: Table) -> None:
    name = rng.choice(["missing", "no_answer", "conflict", "normalize", "samples_per_question"])
    table.options[name] = rng.choice(["nonsense", -1, 2.5, True, 10**30, b"x"])


def break_bytes(rng: Random, table: Table) -> None:
    "Cut the file or change some of its bytes; what is left may be sound by chance."
    def change(data: bytes) -> bytes:
        place = rng.randrange(len(data) + 1)
        if rng.random() < .5: return data[:place]
        noise = bytes(rng.choices(b"\x00\xff\"{}[],:\n\r\t\\0\x80abc", k=rng.randint(1, 4)))
        return data[:place] + noise + data[place + rng.randint(0, 3):]
    table.form = change


SPOILERS = dict(
    outcome=spoil_outcome, question=spoil_question, repeat=repeat_row, lost=lose_outcome,
    outcomes=drop_outcomes, questions=drop_questions, column=name_nothing, option=misspell,
    choice=choose_nothing, bytes=break_bytes)


# Origins: what the rows are handed over as.

def write_json(table: Table, path: Path) -> None:
    whole = path.name.endswith((".json", ".json.gz"))
    lines = [json.dumps(row) for row in table.rows]
    text = json.dumps(table.rows) if whole else "\n".join(lines) + "\n"
    write_bytes(table, path, text.encode())


def write_csv(table: Table, path: Path) -> None:
    columns = list(dict.fromkeys(name for row in table.rows for name in row))
    out = csv.DictWriter(text := io.StringIO(newline=""), columns, lineterminator="\n",
                         delimiter="\t" if ".tsv" in path.name else ",")
    out.writeheader()
    out.writerows(table.rows)
    write_bytes(table, path, text.getvalue().encode())


def write_bytes(table: Table, path: Path, data: bytes) -> None:
    packed = gzip.compress(data, 1) if path.suffix == ".gz" else data
    path.write_bytes(table.form(packed) if table.form else packed)


def write_parquet(table: Table, path: Path) -> None:
    import polars
    data = io.BytesIO()
    polars.DataFrame(stand_columns(table), strict=False).write_parquet(data)
    write_bytes(table, path, data.getvalue())


def stand_columns(table: Table) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in table.rows for name in row)
    return {name: [row.get(name) for row in table.rows] for name in names}


FILES = {"t.jsonl": write_json, "t.json": write_json, "t.csv": write_csv, "t.tsv": write_csv,
         "t.jsonl.gz": write_json, "t.csv.gz": write_csv, "t.parquet": write_parquet}
OFTEN = "t.jsonl", "t.json", "t.csv", "t.tsv", "t.jsonl.gz", "t.csv.gz"


def hand_over(rng: Random, table: Table, folder: Path) -> tuple[str, Any]:
    "The table as data, and what it has become."
    texts = table.fault == "bytes" or rng.random() < .5
    name = rng.choice(OFTEN) if texts else rng.choices(
        ["rows", "columns", "pandas", "polars", "t.parquet"], [8, 8, 2, 2, 1])[0]
    if name == "rows": return name, table.rows
    if name == "columns": return name, stand_columns(table)
    if name in FILES:
        FILES[name](table, folder / name)
        return name, str(folder / name)
    import pandas
    import polars
    if name == "pandas": return name, pandas.DataFrame(stand_columns(table))
    return name, polars.DataFrame(stand_columns(table), strict=False)


# What came of it.

def run(action: Callable[[], Any]) -> tuple[str, Any]:
    "`value` and what came, `refused` and the sentence, or `foreign` and a traceback."
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            return "value", action()
    except OURS as error:
        if is_ours(error): return "refused", str(error)
        return "foreign", "".join(traceback.format_exception(error)[-3:])
    except Exception as error:
        return "foreign", "".join(traceback.format_exception(error)[-3:])


def is_ours(error: Exception) -> bool:
    "Whether a `raise` of this package raised the error."
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0)
    return last.filename.startswith(HOME) and "raise " in line


def count_blocks(data: Any, options: dict[str, Any]) -> dict[tuple[str, str], tuple]:
    "Samples, right and missing ones of each model and question, by the package."
    blocks = load(data, Options.of(options)).blocks
    return {(model, str(name)): (n, c, lost) for (model, group), o in blocks.items() if not group
            for name, n, c, lost in zip(o.questions.tolist(), o.n.tolist(), o.c.tolist(),
                                        o.missing.tolist())}


def check_reading(rng: Random, table: Table, folder: Path) -> Iterator[str]:
    "What is wrong with how one table is read."
    name, data = hand_over(rng, table, folder)
    kind, got = run(lambda: count_blocks(data, table.options))
    yield f":{name} {kind}"
    yield from judge(table, name, kind, got)
    if name in FILES and rng.random() < .06: yield from check_engine(table, data, kind, got)


def judge(table: Table, name: str, kind: str, got: Any) -> Iterator[str]:
    "The faults in what came of a table."
    if kind == "foreign": yield f"foreign, {name}, {table.fault or 'sound'}: {got}"
    if table.fault == "bytes": return
    if table.fault and kind == "value": yield f"number from bad input, {name}, {table.fault}: {got}"
    if not table.fault and kind == "refused": yield f"sound and refused, {name}: {got}"
    if not table.fault and kind == "value" and got != table.counts():
        yield f"wrong counts, {name}: {got}, should be {table.counts()}"


def check_engine(table: Table, data: str, kind: str, got: Any) -> Iterator[str]:
    "What is wrong where DuckDB reads the same file."
    small = sources.SMALL
    sources.SMALL = -1
    try: other, same = run(lambda: count_blocks(data, table.options))
    finally: sources.SMALL = small
    yield f":{Path(data).name} by DuckDB {other}"
    yield from judge(table, f"{data} by DuckDB", other, same)
    # Of several faults each reader names the first that it meets, by the same rule.
    if kind == other == "refused":
        if table.fault == "bytes": return
        got, same = (said.split(", got")[0] for said in (got, same))
    if (kind, got) != (other, same) and "foreign" not in (kind, other):
        yield f"readers differ, {table.fault or 'sound'}: {got!r} and {same!r}"


# Verbs.

def draw_options(rng: Random) -> dict[str, Any]:
    "Options of verbs, half of them nonsense."
    known = dict(
        metrics=["pass@k", "pass^2", "avg@n", "maj@k", "cons@1", "passk", "", "pass@0", ["pass@1"],
                 "g-pass@1_0.5", None, 7, "soft@n", "best@k", "pass@9999999999999999999"],
        k=[1, 2, [1, 2], 0, -1, 10**30, "1", None, 1.5, [], [[1]], True, 2**63],
        confidence_level=[.9, .5, 0, 1, 2, -1, "x", None, float("nan"), True],
        interval=["gaffke", "t", "bootstrap", "wilson", "nope", 3, None],
        target=["new_questions", "same_questions", "both", "nope", None, 1],
        ties=["expected", "wrong", "first", "nope", 2], rng=[0, 1, -1, 2**70, "x", 1.5, None],
        by=["note", "nope", "question"], cluster=["note", "nope", {}, [1]])
    return {name: rng.choice(values) for name, values in known.items() if rng.random() < .12}


def check_verb(rng: Random, table: Table) -> Iterator[str]:
    "What is wrong with a verb on a sound table in memory."
    given = table.options | draw_options(rng)
    verb = rng.choices(["score", "compare", "gate", "plan", "extrapolate"], [8, 4, 4, 1, 1])[0]
    other = [row | dict(correct=1) for row in table.rows]
    calls: dict[str, Callable[[], Any]] = dict(
        score=partial(score, table.rows),
        compare=partial(compare, table.rows, rng.choice([other, other, table.rows[1:], []])),
        gate=partial(gate, table.rows, baseline=other, max_drop=rng.choice([.1, -1, 0])),
        plan=partial(plan, rng.choice([.1, .3, 0, 2, 1e-9]), pilot=table.rows),
        extrapolate=partial(extrapolate, table.rows))
    kind, got = run(lambda: repr(calls[verb](**given)))
    yield f":{verb} {kind}"
    if kind == "foreign": yield f"foreign, {verb} {given}: {got}"
    if verb == "score" and kind == "value": yield from check_score(table)


def check_score(table: Table) -> Iterator[str]:
    "Whether the mean share of right samples is the plain one."
    truth = table.counts()
    report = score(table.rows, ["avg@n"], **table.options)
    for row in report.rows:
        shares = [c / n for (model, _), (n, c, _) in truth.items() if model == row.model]
        if abs(row.estimate - sum(shares) / len(shares)) > 1e-12:
            yield f"wrong avg@n: {row.estimate} of {shares}"


# The command.

def check_command(rng: Random, table: Table, folder: Path) -> Iterator[str]:
    "What is wrong with a command on a file."
    name = rng.choice(OFTEN)
    FILES[name](table, folder / name)
    words = [rng.choice(["score", "compare", "gate", "counts", "extrapolate"]), str(folder / name)]
    words += rng.choice([[], ["--missing", "wrong"], ["-m", "passk"], ["-k", "1,2"], ["--by", "x"],
                         ["-o", str(folder / "out.csv")], ["-o", str(folder / "out.parquet")]])
    kind, got = run(lambda: call_command(words))
    yield f":{words[0]} in a shell {kind if kind != 'value' else got[0]}"
    if kind == "value" and got[0] in (0, 1, 2, 3) and got[1].isprintable(): return
    if not (kind == "refused" and got == "2"): yield f"foreign, {words}: {got}"


def call_command(words: list[str]) -> tuple[int, str]:
    "The exit code of a command, and all it printed, in one line."
    out, error = io.StringIO(), io.StringIO()
    before, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), out, error
    try: code = cli.finish(cli.make_parser((words[0],)).parse_args(words))
    except SystemExit as end: code = int(end.code or 0)
    finally: sys.stdout, sys.stderr = before
    return code, (out.getvalue() + error.getvalue()).replace("\n", " ").replace("\r", "")


# All of it.

def draw_example(seed: int, i: int, folder: Path) -> Iterator[str]:
    "What happened at one example, after a colon, and what is wrong with it."
    rng = Random(f"{seed}/{i}")
    table, what = draw_table(rng), rng.random()
    if what < .08: yield from check_verb(rng, table)
    elif what < .1: yield from check_command(rng, table, folder)
    else:
        if what < .55: spoil(rng, table)
        yield from check_reading(rng, table, folder)


def fuzz(
    examples: int, seed: int = 0, shown: int = 20, start: int = 0,
) -> tuple[Counter[str], list[str]]:  # What happened how often, and what is wrong
    "Draw examples, and say what came of them."
    seen: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(start, start + examples):
            if i % 5000 == 0 and i: print(f"{i} examples, {len(wrong)} faults", file=sys.stderr)
            for said in draw_example(seed, i, Path(folder)):
                if said.startswith(":"): seen[said[1:]] += 1
                else: wrong.append(f"example {seed}/{i}: {said}")
            if len(wrong) >= shown: break
    return seen, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("examples", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--shown", type=int, default=20)
    asked = parser.parse_args()
    # An example that asks for more has gone astray, and says so.
    resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))
    seen, wrong = fuzz(asked.examples, asked.seed, asked.shown, asked.start)
    for said, times in sorted(seen.items()): print(f"{times:8}  {said}")
    print(f"{sum(seen.values())} outcomes of {asked.examples} examples, {len(wrong)} faults")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__": main()
