"""Seeded random tables, and the fifteen forms in which one can be handed over.

Nothing here is stored: a table is drawn again from its seed.
"""

import csv
import gzip
import json
import random
from dataclasses import dataclass
from pathlib import Path

LISTS = "lists", "numpy", "counts"
MEMORY = "rows", "columns", "pandas", "polars", "lazy polars", "pyarrow", "duckdb"
FILES = "csv", "jsonl", "parquet", "gzip", "counts file"
ORIGINS = LISTS + MEMORY + FILES
ENGINE = {
    "pandas": "pandas",
    "polars": "polars",
    "lazy polars": "polars",
    "pyarrow": "pyarrow",
    "duckdb": "pyarrow",
    "parquet": "pyarrow",
}


@dataclass(frozen=True)
class Table:
    "What a random table holds; the seed decides the rest."

    seed: int
    origin: str = "rows"
    questions: int = 6
    samples: int = 5  # of the question that has most
    ragged: bool = False  # whether other questions have fewer
    models: int = 0  # 0: no column of models
    missing: bool = False  # whether some outcomes are absent
    answers: bool = False
    scores: str = ""  # "graded" in [0, 1], "rewards" beyond it, "flags" of 0 and 1
    outcomes: bool = True  # whether there is a column of outcomes
    clusters: bool = False
    groups: bool = False
    text: bool = False  # whether questions have names of text
    sample: str = "number"  # how samples are named: "number", "text", or "" for not at all
    flags: bool = False  # whether outcomes are true and false
    columns: tuple = ()  # pairs of part and the name that its column has instead
    again: int = 0  # another run of the same questions

    @property
    def name(self):
        return f"t{self.seed:02}"

    @property
    def turn(self):
        return self.seed + 2 * (self.seed // 15)  # ties no option to an origin


def draw_rows(table):
    "The table as a list of dicts, in shuffled order."
    # Of the standard library only random() promises the same stream in every version.
    chance = random.Random(1000 * table.again + table.seed).random
    easy = [random.Random(f"{table.seed} {q}").random() for q in range(table.questions)]
    rows = []
    for m in range(max(table.models, 1)):
        for q in range(table.questions):
            fewer = int(3 * chance()) % max(table.samples - 1, 1) if table.ragged and q else 0
            n = table.samples - fewer
            rows += [draw_row(table, m, q, s, easy[q] ** (1 + m / 2), chance) for s in range(n)]
    return sorted(rows, key=lambda row: chance())


def draw_row(table, m, q, s, ease, chance):
    right = chance() < ease
    lost = table.missing and chance() < 0.15
    row = {"question": f"q{q}" if table.text else q}
    if table.sample:
        row["sample"] = s if table.sample == "number" else f"try {s}"
    if table.outcomes:
        row["correct"] = None if lost else right if table.flags else int(right)
    if table.models:
        row["model"] = f"m{m}"
    if table.clusters:
        row["cluster"] = f"c{q // 2}"
    if table.groups:
        row["task"] = f"part {q % 2}"
    if table.answers:
        row["answer"] = draw_answer(q, right, chance)
    if table.scores:
        row["score"] = draw_score(table.scores, right, lost, chance)
    named = dict(table.columns)
    return {named.get(part, part): value for part, value in row.items()}


def draw_answer(q, right, chance):
    if right:
        return (f"r{q}", f"R{q}", f" r{q}")[int(3 * chance())]
    return (None, "", "w0", "w1", "w1", "w2")[int(6 * chance())]


def draw_score(kind, right, lost, chance):
    if lost or kind == "rewards" and chance() < 0.05:
        return None
    if kind == "flags":
        return int(right)
    return (int(9 * chance()) + 8 * right) / (16 if kind == "graded" else 2)


def stand_columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


def list_outcomes(table):
    "Outcomes of the first model by question, as lists."
    found = {}
    for row in draw_rows(table):
        if row.get("model", "m0") != "m0":
            continue
        found.setdefault(row["question"], []).append(row["correct"])
    return [found[q] for q in sorted(found)]


def make_table(table, folder):
    "The table in the form of its origin; files are written into the folder."
    if table.origin in LISTS:
        return make_lists(table)
    rows = draw_rows(table)
    if table.origin in FILES:
        return write_table(table, rows, folder)
    columns = stand_columns(rows)
    if table.origin == "rows":
        return rows
    return columns if table.origin == "columns" else make_frame(table.origin, columns)


def make_lists(table):
    import numpy as np
    from sampling_eval import Counts

    lists = list_outcomes(table)
    if table.origin == "lists":
        return lists
    if table.origin == "numpy":
        return np.array(lists)
    names = np.array([f"q{q}" if table.text else q for q in range(len(lists))], object)
    groups = np.array([f"c{q // 2}" for q in range(len(lists))], object)
    return Counts(
        [*map(len, lists)], [*map(sum, lists)], names, cluster=groups if table.clusters else None
    )


def make_frame(origin, columns):
    if origin == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if origin == "pyarrow":
        import pyarrow

        return pyarrow.table(columns)
    if origin == "duckdb":
        import duckdb
        import pyarrow

        return duckdb.connect().from_arrow(pyarrow.table(columns))
    import polars

    frame = polars.DataFrame(columns)
    return frame.lazy() if origin.startswith("lazy") else frame


def write_table(table, rows, folder):
    "The path of a file that holds the rows."
    stem = f"{table.name}{'b' if table.again else ''}"
    end = {"gzip": "jsonl.gz", "counts file": "counts.parquet"}.get(table.origin, table.origin)
    path = Path(folder) / f"{stem}.{end}"
    if path.exists():
        return str(path)
    if table.origin == "counts file":
        from sampling_eval import count

        count(rows, path)
    elif table.origin == "csv":
        write_csv(path, rows)
    elif table.origin == "parquet":
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.table(stand_columns(rows)), path)
    else:
        write_lines(path, rows)
    return str(path)


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, rows[0], lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def write_lines(path, rows):
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    Path(path).write_bytes(gzip.compress(text, mtime=0) if str(path).endswith(".gz") else text)


FEATURES = (
    "size",
    "samples",
    "ragged",
    "models",
    "missing",
    "answers",
    "scores",
    "clusters",
    "groups",
    "text",
    "sample",
    "flags",
)


def choose_table(i):
    "The features of random table `i`: every origin comes up, and most pairs of features do."
    origin = ORIGINS[i % len(ORIGINS)]
    kind = {name: random.Random(f"{i} {name}").random() for name in FEATURES}
    shape = dict(questions=3 + int(7 * kind["size"]), samples=2 + int(5 * kind["samples"]))
    if origin in LISTS:
        return Table(
            i,
            origin,
            **shape,
            ragged=origin != "numpy" and kind["ragged"] < 0.5,
            clusters=kind["clusters"] < 0.5,
            text=kind["text"] < 0.5,
        )
    scores = ("", "graded", "rewards", "flags")[int(4 * kind["scores"])]
    odd = i % 7 == 3 and origin != "counts file"
    return Table(
        i,
        origin,
        **shape,
        ragged=kind["ragged"] < 0.5,
        models=int(4 * kind["models"]),
        missing=kind["missing"] < 0.6,
        answers=kind["answers"] < 0.6,
        scores=scores,
        outcomes=scores != "flags",
        clusters=kind["clusters"] < 0.5,
        groups=kind["groups"] < 0.4 and origin != "counts file",
        text=kind["text"] < 0.5,
        sample=("number", "number", "text", "")[int(4 * kind["sample"])],
        flags=kind["flags"] < 0.3 and origin != "csv",
        columns=(("question", "item"), ("correct", "right")) if odd else (),
    )


TABLES = tuple(choose_table(i) for i in range(30))
