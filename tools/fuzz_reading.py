"""Tables whose truth is known: read right or refused, never another number, whatever is suggested.

    python tools/fuzz_reading.py 10000 [seed]

A table has questions, samples, perhaps systems and settings, and columns of every other kind: what
happened, what was asked, who ran it. Every way that a refusal offers is followed, four deep.
"""
from __future__ import annotations

import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sampling_eval.errors import OptionError
from sampling_eval.reading import tables
from sampling_eval.reading.load import load
from sampling_eval.reading.options import Options

Row = dict[str, Any]
DEEPEST = 4
QUESTIONS = ["question_id", "task_id", "id", "question", "instance_id", "problemId", "qid"]
WORDED = ["item_name", "taskName", "case_id", "test_case", "puzzle_id"]
SETTINGS: dict[str, list[Any]] = {
    "thinking": ["off", "low", "high"], "mode": ["blind", "oracle"], "arm": ["a", "b", "c"],
    "budget": [1024, 4096, 8192], "shots": [0, 1, 5], "hints": [True, False],
    "promptStyle": ["io", "cot"], "effort": ["min", "max"], "max_tokens": [512, 2048],
    "temperature": [0, .7], "agent": ["goose", "aider"], "condition": ["yes", "no"],
    "harness_version": ["1.0", "1.1", "2.0"], "level_of_detail": [3, 7]}
SAMPLES = ["trial", "sample", "attempt_no", "seed", "epoch", "iteration", "repeat", "rep", "try_id"]


@dataclass
class Made:
    "A table and what is right."
    rows: list[Row]
    right: list[tuple[int, int, list[float]]]  # Systems, questions, estimates; none: refused
    told: dict[str, Any] = field(default_factory=dict)  # Options that are given from the start
    kind: str = ""  # What was made, for the tally
    folder: bool = False  # Whether each row is a file of its own


def make(seed: int) -> Made:
    "A table from a seed."
    rng = random.Random(seed)
    kind = []
    questions = rng.choice([2, 4, 6, 8, 12, 20, 40])
    n = rng.choice([1, 2, 3, 4, 6])
    models = rng.choice([0, 0, 0, 1, 2, 3])
    design = rng.choice(["none"] * 4 + ["crossed", "nested"])
    if design == "nested" and models < 2: design = "crossed"
    setting = rng.choice(list(SETTINGS)) if design != "none" else ""
    worded = rng.random() < .3
    name = rng.choice(WORDED if worded else QUESTIONS)
    numbering = rng.choice(["none", "plain", "plain", "two", "unique", "alias"])
    if n == 1: numbering = rng.choice(["none", "plain"])
    names = [rng.choice(["q{}", "task-{}", "{}", "HumanEval/{}"]).format(i)
             for i in range(questions)]
    if rng.random() < .3: names = list(range(questions))  # type: ignore[assignment]
    levels = [SETTINGS[setting]] * max(1, models) if setting else [[None]] * max(1, models)
    if design == "nested": levels[1:] = [levels[0][:1]] * (len(levels) - 1)
    outcome = rng.choice(["correct", "passed", "is_correct", "verdict", "score", "success"])
    skill = [rng.random() for _ in range(questions)]
    extra = rng.sample(list(EXTRA), rng.randint(0, 4))
    rows: list[Row] = []
    sample_name = rng.choice(SAMPLES)
    first = rng.choice([0, 1])
    for m in range(max(1, models)):
        for level in levels[m]:
            lift = rng.random() * .4 - .2
            for q in range(questions):
                for s in range(n):
                    row: Row = {name: names[q]}
                    if models: row["model"] = f"m{m}"
                    if setting: row[setting] = level
                    number(row, numbering, sample_name, s, n, first, rng, (m, level, q))
                    right = int(rng.random() < min(1, max(0, skill[q] + lift)))
                    row[outcome] = write_outcome(outcome, right)
                    row["-truth"] = (m, str(level), q, right)
                    rows.append(row)
    kind += [design, numbering, outcome if outcome in ("verdict", "score") else "outcome"]
    lost = rng.choice([0, 0, .03, .1]) if questions >= 20 and n > 1 else 0
    if lost:
        rows = [row for row in rows if rng.random() >= lost]
        kind.append("lost")
    for one in extra: EXTRA[one](rows, rng)
    kind += [f"+{one}" for one in extra]
    twist = rng.choice(["", "", "", "wording", "targets", "uid", "rowid"])
    if twist: kind.append(twist)
    told: dict[str, Any] = {}
    if twist: TWISTS[twist](rows, rng, name, told)
    if rng.random() < .5: rng.shuffle(rows)
    if rng.random() < .3:
        columns = list(rows[0])
        rng.shuffle(columns)
        rows = [{column: row[column] for column in columns} for row in rows]
    if rng.random() < .2 and twist not in ("targets", "uid") and name in rows[0]:
        told["question"] = name
    if rng.random() < .1 and models: told["model"] = "model"
    right = tally(rows, bool(models), bool(setting))
    folder = rng.random() < .5 and numbering == "plain" and not models and not setting and not twist
    if folder:
        told = {}
        for row in rows:
            row["-path"] = f"{row.pop(name)}".replace("/", "_"), f"trial_{row.pop(sample_name)}"
        kind = ["folder", *kind]
    for row in rows: del row["-truth"]
    return Made(rows, right, told, " ".join(kind), folder)


def number(row: Row, how: str, name: str, s: int, n: int, first: int, rng: random.Random,
           key: tuple) -> None:
    "Numbers of samples."
    if how == "plain": row[name] = s + first
    if how == "two":
        inner = max(1, n // 2)
        row["runId"], row["iteration"] = f"r{s // inner}", s % inner
    if how == "unique": row["sample_id"] = f"{rng.getrandbits(64):016x}"
    if how == "alias":
        row["trial"], row["seed"] = s, 1000 + 7 * s
        row["worker"] = f"w{s}"


def write_outcome(name: str, right: int) -> Any:
    if name == "verdict": return "CORRECT" if right else "INCORRECT"
    if name in ("passed", "success"): return bool(right)
    return right


def tally(rows: list[Row], models: bool, settings: bool) -> list[tuple[int, int, list[float]]]:
    "The number of systems and questions, and the mean of each system."
    found: dict[tuple, dict[int, list[int]]] = {}
    for row in rows:
        m, level, q, right = row["-truth"]
        found.setdefault((m, level), {}).setdefault(q, []).append(right)
    means = [sum(sum(c) / len(c) for c in each.values()) / len(each) for each in found.values()]
    questions = {q for each in found.values() for q in each}
    return [(len(found), len(questions), sorted(round(mean, 6) for mean in means))]


# Columns that say what happened, or what was asked.

def add_column(name: str, draw: Any) -> Any:
    def add(rows: list[Row], rng: random.Random) -> None:
        for row in rows: row[name] = draw(row, rng)
    return add


EXTRA = {
    "latency": add_column("latency", lambda row, rng: round(rng.random() * 9, 3)),
    "tokens": add_column("outputTokens", lambda row, rng: rng.randint(10, 900)),
    "finish": add_column("finish_reason", lambda row, rng: rng.choice(["stop"] * 9 + ["length"])),
    "gpu": add_column("gpu", lambda row, rng: rng.randint(0, 7)),
    "status": add_column("status", lambda row, rng: rng.choice(["done", "done", "error"])),
    "difficulty": add_column("difficulty", lambda row, rng: "ab"[row["-truth"][2] % 2]),
    "prompt": add_column("prompt", lambda row, rng: f"What is {row['-truth'][2]}?"),
    "answer": add_column("answer", lambda row, rng: str(rng.randint(0, 3))),
    "target": add_column("target", lambda row, rng: str(row["-truth"][2] % 7)),
    "time": add_column("created_at", lambda row, rng: f"2026-01-01T{rng.random():.8f}"),
    "turns": add_column("total_turns", lambda row, rng: rng.randint(3, 6)),
    "failures": add_column("format_failures", lambda row, rng: int(rng.random() < .2)),
    "note": add_column("note", lambda row, rng: rng.choice(["", "x", "odd"])),
    "constant": add_column("version", lambda row, rng: "v1"),
    "dur": add_column("dur", lambda row, rng: rng.randint(1, 500)),
    "flag": add_column("flagged", lambda row, rng: rng.random() < .3),
    "uuid": add_column("uuid", lambda row, rng: f"{rng.getrandbits(64):016x}"),
    "category": add_column("category", lambda row, rng: f"c{row['-truth'][2] % 3}"),
    "cost": add_column("costUsd", lambda row, rng: round(rng.random(), 4)),
    "system": add_column("system", lambda row, rng: "You are a helpful assistant."),
}


def share_wordings(rows: list[Row], rng: random.Random, name: str, told: dict) -> None:
    "A text beside the ids, which several questions share."
    for row in rows: row["question_text"] = f"Find the area of figure {row['-truth'][2] // 2}"


def share_targets(rows: list[Row], rng: random.Random, name: str, told: dict) -> None:
    "No ids: wordings that two questions share, of which each has a target."
    for row in rows:
        del row[name]
        row["prompt"] = f"Find the area of figure {row['-truth'][2] // 2}"
        row["ground_truth"] = str(row["-truth"][2])
    told["question"] = "prompt"


def share_ids(rows: list[Row], rng: random.Random, name: str, told: dict) -> None:
    "Wordings as the known question, and an id of another name that tells questions apart."
    for row in rows:
        del row[name]
        row["question"] = f"Find the area of figure {row['-truth'][2] // 2}"
        row["figure_uid"] = f"f{row['-truth'][2]}"


def number_rows(rows: list[Row], rng: random.Random, name: str, told: dict) -> None:
    "A number of each row beside the questions."
    for place, row in enumerate(rows): row["row_id"] = place


TWISTS = dict(wording=share_wordings, targets=share_targets, uid=share_ids, rowid=number_rows)


# Reading them, and following what is offered.

def write(made: Made, folder: Path, form: str) -> Any:
    "The table as a file of a form, or as rows."
    rows = [{name: value for name, value in row.items() if name != "-path"} for row in made.rows]
    if made.folder:
        for row, one in zip(made.rows, rows):
            path = folder / "tasks" / row["-path"][0] / row["-path"][1] / "result.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(one), "utf-8")
        return folder / "tasks"
    if form == "rows": return rows
    path = folder / f"table.{form.removeprefix('large ')}"
    if path.suffix == ".csv":
        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, rows[0])
            out.writeheader()
            out.writerows(rows)
    elif path.suffix == ".json": path.write_text(json.dumps(rows), "utf-8")
    else: path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def measure(data: Any, options: dict[str, Any]) -> tuple[int, int, list[float]]:
    "Systems, questions, and the mean of each."
    loaded = load(data, Options.of(options))
    whole = [counts for (_, group), counts in loaded.blocks.items() if not group]
    means = [float(((one.score_sum if one.c is None else one.c) / one.n).mean()) for one in whole]
    return len(whole), max(map(len, whole)), sorted(round(mean, 6) for mean in means)


def follow(data: Any, told: dict[str, Any]) -> Iterator[tuple[dict, Any]]:
    "What comes of the options that are told, and of every way that a refusal offers."
    todo, seen = [(told, 1)], []
    while todo:
        options, depth = todo.pop(0)
        if options in seen: continue
        seen.append(options)
        try: yield options, measure(data, options)
        except (ValueError, TypeError) as error:
            yield options, error
            for way in error.ways if isinstance(error, OptionError) else ():
                assert not way.keys() & told.keys(), f"{way} in place of {told}"
                if depth < DEEPEST: todo.append(({**options, **way}, depth + 1))


FORMS = "jsonl", "csv", "json", "rows", "large jsonl", "large csv"


def check(seed: int, folder: Path, seen: Counter) -> Iterator[str]:
    "What is wrong with one table."
    made = make(seed)
    form = random.Random(seed).choice(FORMS)
    small = tables.SMALL
    if form.startswith("large") and not made.folder: tables.SMALL = -1
    try:
        end = "refused"
        for options, got in follow(write(made, folder, form), made.told):
            if isinstance(got, Exception): continue
            if got in made.right: end = "right"
            else:
                end = "wrong"
                yield f"{seed} ({form}; {made.kind}) {options}: {got}, right is {made.right}"
    finally: tables.SMALL = small
    seen[end] += 1
    seen[f"{end} {made.kind.split(' ')[0]}"] += 1


def fuzz(count: int, seed: int = 0) -> tuple[Counter, list[str]]:
    "How tables ended, and what was wrong."
    seen: Counter = Counter()
    wrong: list[str] = []
    for at in range(seed, seed + count):
        with TemporaryDirectory() as folder: wrong += check(at, Path(folder), seen)
    return seen, wrong


if __name__ == "__main__":
    seen, wrong = fuzz(*map(int, sys.argv[1:]))
    print("\n".join(wrong[:40]))
    print(dict(seen.most_common()), f"{len(wrong)} wrong")
    sys.exit(bool(wrong))
