"""How a frozen case is described, run and told.

A case is a description; `run_case` carries it out in a folder and tells what came of it.
"""

import contextlib
import csv
import html
import io
import json
import re
import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

import conftest
from frozen_record import add_name, match_path
from frozen_said import list_said, tell_forms
from frozen_tables import ENGINE, Table, make_table

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "frozen" / "counts"


@dataclass(frozen=True)
class Step:
    "One call: a public function of the package by name, or the command."

    verb: str
    given: tuple = ()
    options: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    "Steps done one after another in the same folder."

    name: str
    steps: tuple
    needs: tuple = ()  # libraries that have to be there
    leave: tuple = ()  # ends of the paths of fields that are not recorded


@dataclass(frozen=True)
class Later:
    "An argument that is made when the case is run."

    make: Callable
    needs: str = ""  # library that it takes


def call(verb, *given, **options):
    return Step(verb, given, options)


def command(*words):
    return Step("command", words)


def case(name, *steps, leave=()):
    return Case(name, steps, tuple(sorted(set(find_needs(steps)) - {""})), leave)


def find_needs(value):
    "Libraries that the arguments of some steps take."
    if isinstance(value, Table):
        return [ENGINE.get(value.origin, "")]
    if isinstance(value, Later):
        return [value.needs]
    if isinstance(value, Step):
        return find_needs([*value.given, *value.options.values()])
    if not isinstance(value, (list, tuple)):
        return []
    return [name for o in value for name in find_needs(o)]


# How a case is run.


def make_place(folder):
    "Put copies of the logs, the data and the old counts files where the cases look for them."
    for name in "out", "bad", "rows":
        (folder / name).mkdir(parents=True)
    shutil.copytree(ROOT / "tests" / "logs", folder / "logs")
    shutil.copytree(ROOT / "sampling_eval" / "examples", folder / "data")
    if KEPT.is_dir():
        shutil.copytree(KEPT, folder / "counts")
    return folder


class Told(NamedTuple):
    "What came of a case: fields with numbers, names and verdicts; and the lines that it says."

    fields: dict
    said: list


def run_case(case, folder):
    "What came of a case, as plain values."
    with contextlib.chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told = {}
        for step in case.steps:
            told[step.verb] = run_step(step)
        written = sorted(Path("out").iterdir())
        if written:
            told["files"] = {path.name: tell_file(path) for path in written}
        for path in written:
            path.unlink()
    if set(told) == {case.steps[0].verb}:
        told = told[case.steps[0].verb]
    plain = scrub(json.loads(json.dumps(told, default=str)), str(folder))
    # Where fields are left out because they hang on the processor, so do the lines.
    said = [] if case.leave else list_said(plain, is_sentence)
    return Told(drop_fields(keep_fields(plain), case.leave), said)


# Fields that hold sentences: only their lines are stored.
SENTENCES = {
    "answer",
    "alignment",
    "cautions",
    "estimator",
    "goal",
    "how",
    "interval",
    "met",
    "null",
    "notes",
    "printed",
    "read",
    "reason",
    "sentence",
    "said",
    "source",
    "stderr_kind",
    "text",
    "again_interval",
    "band",
    "test",
    "title",
    "warning",
    "warnings",
    "rule",
    "target",
}
OPTION = re.compile(r"--([a-z][a-z-]+)|\b([a-z][a-z_]+)=(?=[^=]|$)")


def keep_fields(value):
    "Numbers, names, verdicts and exit codes; of an error the options that it names."
    if isinstance(value, list):
        return [keep_fields(o) for o in value]
    if not isinstance(value, dict):
        return value
    kept = {
        name: keep_fields(o)
        for name, o in value.items()
        if name == "says" or not is_sentence(name, o)
    }
    if isinstance(said := kept.pop("says", None), str) and said:
        kept["options"] = list_options(said)
    return kept


def is_sentence(name, value):
    if name == "says" or name in SENTENCES:
        return True
    return isinstance(value, str) and name.endswith((".html", ".md", ".tex", ".txt"))


def list_options(text):
    found = {dashed.replace("-", "_") or plain for dashed, plain in OPTION.findall(text)}
    return sorted(found)


# Numbers of processes, times of day, and words of a library that may change with its version.
FOREIGN = (
    (r"\.\d+\.part\b", ".<process>.part"),
    (r'timestamp="[^"]*"', 'timestamp="<now>"'),
    (r"(cannot (?:read|write) '[^']*': ).*", r"\1<words of DuckDB>"),
)


def scrub(value, folder):
    "The same without what differs from run to run."
    if isinstance(value, dict):
        return {name: scrub(o, folder) for name, o in value.items()}
    if isinstance(value, list):
        return [scrub(o, folder) for o in value]
    if not isinstance(value, str):
        return value
    text = value.replace(folder, "<here>")
    for found, told in FOREIGN:
        text = re.sub(found, told, text)
    return text


def drop_fields(told, leave, path=""):
    if not leave or not isinstance(told, dict):
        return told
    paths = {name: add_name(path, name) for name in told}
    return {
        name: drop_fields(o, leave, paths[name])
        for name, o in told.items()
        if not any(match_path(pattern, paths[name]) for pattern in leave)
    }


def run_step(step):
    given, options = settle(step.given), {name: settle(o) for name, o in step.options.items()}
    if step.verb == "command":
        return run_command([str(o) for o in given])
    if step.verb == "gate" and len(given) == 2:  # the baseline has a name since then
        given, options = given[:1], options | dict(baseline=given[1])
    import sampling_eval
    from sampling_eval.inference import bands

    place = bands if step.verb == "simultaneous_band" else sampling_eval
    try:
        return tell_value(getattr(place, step.verb)(*given, **options))
    except Exception as error:
        return dict(kind=conftest.name_kind(error), says=str(error))


def settle(value):
    "An argument as it is handed over."
    if isinstance(value, Later):
        return value.make()
    if isinstance(value, Table):
        return make_table(value, ".")
    if isinstance(value, (tuple, list)):
        return type(value)(map(settle, value))
    return value


def run_command(words):
    "Exit code, what was printed, and what was said on the side."
    ran = conftest.command(*words)
    said = "usage" if ran.stderr.startswith("Usage:") else ran.stderr  # the words of the library
    told = dict(exit=ran.returncode, says=said.strip())
    text = ran.stdout
    return told | (key_rows(json.loads(text)) if text.startswith("{") else dict(text=text))


def tell_file(path):
    "What was written: text as text, JSON as values, pages as what is seen, pictures by their kind."
    data = path.read_bytes()
    if path.suffix == ".html":
        return see_page(data.decode())
    if path.suffix == ".json":
        return key_rows(json.loads(data))
    if path.suffix == ".csv":
        return read_rows(data.decode())
    return data.decode() if path.suffix in (".md", ".tex", ".txt") else data[:5].decode("latin-1")


def read_rows(text):
    rows = csv.DictReader(io.StringIO(text))
    return key_rows(dict(rows=[{name: read_number(o) for name, o in row.items()} for row in rows]))


def read_number(text):
    if re.fullmatch("-?[0-9]+", text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


def see_page(page):
    text = re.sub(r"(?s)<(style|svg|script)\b.*?</\1>", " ", page)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text))).strip()


def tell_value(value):
    "A result as plain values."
    if hasattr(value, "to_json"):
        told = key_rows(json.loads(value.to_json()))
        if hasattr(value, "to_html"):
            told["printed"] = tell_forms(value)
        columns = getattr(value, "questions", None)
        if hasattr(columns, "rows") and 0 < len(columns.get("question", ())) <= 60:
            told["questions"] = key_rows(dict(rows=columns.rows()))["rows"]
        if hasattr(value, "exit_code"):
            told["exits"] = [value.exit_code(), value.exit_code(True)]
        return told
    if hasattr(value, "source") and hasattr(value, "questions") and not hasattr(value, "logprobs"):
        return dict(source=value.source)
    names = [
        o
        for o in (
            "n",
            "c",
            "questions",
            "missing",
            "gold",
            "logprobs",
            "choices",
            "value",
            "stderr",
            "low",
            "high",
            "method",
            "source",
        )
        if hasattr(value, o)
    ]
    return {o: make_plain(getattr(value, o)) for o in names} or dict(value=make_plain(value))


def make_plain(value):
    if isinstance(value, np.ndarray):
        return make_plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [make_plain(o) for o in value]
    return value.item() if isinstance(value, np.generic) else value


# Rows are told by name, so that a new row or another order moves no other row.

IDENTITY = (
    ("rule",),
    ("model", "group", "metric", "first", "second"),
    ("system",),
    ("model", "question"),
    ("samples",),
    ("k",),
)


def key_rows(value):
    if isinstance(value, list):
        return key_list([key_rows(o) for o in value])
    if not isinstance(value, dict):
        return value
    told = {name: key_rows(o) for name, o in value.items()}
    moved = told.get("moved")
    for metric, moves in moved.items() if isinstance(moved, dict) else ():
        if isinstance(moves, list):
            moved[metric] = {f"[{o[0]}]": o[1:] for o in moves}
    return told


def key_list(rows):
    if not rows or not all(isinstance(row, dict) for row in rows):
        return rows
    names = next((o for o in IDENTITY if rows[0].keys() & {o[-1], o[len(o) // 2]}), ())
    keys = [" / ".join(str(row[o]) for o in names if row.get(o) not in (None, "")) for row in rows]
    if not names or len(set(keys)) < len(keys):
        return rows
    return {f"[{key.replace(']', ')')}]": row for key, row in zip(keys, rows)}
