"""How records are stored, and how a difference from them is found and described."""

import difflib
import gzip
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from sampling_eval.results.added import Extended
from sampling_eval.results.base import Data, is_stored
from sampling_eval.results.registry import (
    ADDONS,
    RESULT_CLASSES,
    addon_module,
    addons_of,
    result_class,
)

FOLDER = Path(__file__).resolve().parent / "frozen"
SCHEMA = FOLDER / "schema.json"
NOTHING = type("Nothing", (), {"__repr__": lambda self: "nothing"})()


def round_numbers(value):
    "Every float at 12 significant digits."
    if isinstance(value, dict):
        return {name: round_numbers(o) for name, o in value.items()}
    if isinstance(value, list):
        return [round_numbers(o) for o in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def write_records(records):
    "One packed file for each kind of case; equal records give equal bytes."
    parts = {}
    for name, told in records.items():
        parts.setdefault(name.split(" ")[0], {})[name] = round_numbers(told)
    for part, found in parts.items():
        text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
        (FOLDER / f"{part}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def read_records():
    "What was told of every case, by its name."
    return {
        name: told
        for path in sorted(FOLDER.glob("*.json.gz"))
        for name, told in json.loads(gzip.decompress(path.read_bytes())).items()
    }


# The fields that results have: a new one is stored here, and in the cases that are about it.


@cache
def list_schema():
    "The stored fields of every class of results, with their types."
    for kind in RESULT_CLASSES:
        result_class(kind)
    for name in ADDONS:
        addon_module(name)
    return {
        kind.__name__: (
            {key: str(one.type) for one in fields(kind) if is_stored(one) for key in list_keys(one)}
            | list_added(kind)
        )
        for kind in sorted(list_kinds(Data), key=lambda kind: kind.__name__)
        if kind.__module__.startswith("sampling_eval.")
    }


def list_added(kind):
    "What add-ons add to a result, by name."
    if kind is Extended or not issubclass(kind, Extended):
        return {}
    return {name: addon_module(name).FOUND.__name__ for name in addons_of(kind.kind)}


def list_keys(one):
    "What a field is called in JSON, where the parts of an interval stand each by itself."
    return one.metadata["parts"].keys() if "parts" in one.metadata else [one.name]


def list_kinds(kind):
    return {kind}.union(*map(list_kinds, kind.__subclasses__()))


@cache
def field_names():
    return {name for known in list_schema().values() for name in known}


def write_schema():
    SCHEMA.write_text(json.dumps(list_schema(), indent=1) + "\n", "utf-8")


# Differences.


@dataclass(frozen=True)
class Difference:
    "One field that is not what it was."

    case: str
    path: str
    before: object
    after: object

    def __str__(self):
        return f"{self.case}: {self.path}\n{tell_change(self.before, self.after)}"


def tell_change(before, after):
    "Both values; of long texts only the lines and sentences that changed."
    if isinstance(before, str) and isinstance(after, str) and max(len(before), len(after)) > 100:
        pair = [re.split(r"\n|(?<=[.;]) ", text) for text in (before, after)]
        lines = list(difflib.unified_diff(*pair, n=0, lineterm=""))[2:]
        return "\n".join(f"  {line[:300]}" for line in lines[:10] if line[:2] != "@@")
    told = [json.dumps(o, default=repr, ensure_ascii=False)[:300] for o in (before, after)]
    return f"  - {told[0]}\n  + {told[1]}"


# What an optimiser finds in a few samples hangs on the processor; exact values and bounds do not.
FITTED = "laws", "models", "misfit", "warnings", "rows[*].Beta*", "rows[*].power law"
# Where an optimiser stops early, the last digits hang on the processor: relative tolerance by the
# end of the path. Everything else agrees to 1e-9.
LOOSE = {
    "{models,laws,misfit,parameters}.**": 1e-6,
    "rows[*].Beta*": 1e-6,
    "rows[*].between_share": 1e-5,
}
# A plan whose power is simulated searches among draws: one that falls on the other side of its
# limit, by a last digit of the fitted law, moves the number of questions by up to a percent.
SIMULATED = {f"{{questions,cost,power,delta,smallest}}{end}": 0.03 for end in ("", "[*]")}
SIMULATED["error"] = 0.03


def find_differences(case, before, after, path="", loose=LOOSE) -> Iterator[Difference]:
    "Every field that differs, by its path."
    if isinstance(before, dict) and isinstance(after, dict):
        if is_simulated(before) and is_simulated(after):
            loose = LOOSE | SIMULATED
        for name in {**before, **after}:
            if name not in before and name in field_names():
                continue
            pair = before.get(name, NOTHING), after.get(name, NOTHING)
            yield from find_differences(case, *pair, add_name(path, name), loose)
        yield from find_order(case, before, after, path)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, pair in enumerate(zip(before, after)):
            yield from find_differences(case, *pair, f"{path}[{i}]", loose)
    elif not are_equal(before, after, path, loose):
        yield Difference(case, path, before, after)


def is_simulated(told):
    "Whether a result is a plan that states a simulation error of its power."
    return {"wanted", "enough", "error"} <= told.keys() and bool(told["error"])


def add_name(path, name):
    return path + name if name[:1] == "[" else f"{path}.{name}".lstrip(".")


def find_order(case, before, after, path):
    "Whether rows that are there before and after stand in another order."
    old = [name for name in before if name[:1] == "[" and name in after]
    new = [name for name in after if name[:1] == "[" and name in before]
    if old != new:
        yield Difference(case, add_name(path, "order"), old, new)


def are_equal(before, after, path, tolerances):
    if not (is_number(before) and is_number(after)):
        return type(before) is type(after) and before == after
    if math.isnan(before) or math.isnan(after):
        return math.isnan(before) and math.isnan(after)
    loose = next((o for pattern, o in tolerances.items() if match_path(pattern, path)), 1e-9)
    # A p value has no scale of its own; elsewhere 1e-12 is rounding.
    small = 0 if path.rpartition(".")[2] in ("p", "p_holm") else max(1e-12, loose / 100)
    return math.isclose(before, after, rel_tol=loose, abs_tol=small)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


PATTERN = re.compile(r"(\[\*\]|\*\*|\*|\{[^}]*\})")


def match_path(pattern, path):
    """Whether a path ends as a pattern says.

    `[*]` is any row, `{a,b}` is a or b, `*` is any part of a name, `**` is anything.
    """
    text = "".join(map(translate_part, PATTERN.split(pattern)))
    return re.fullmatch(rf"(?:.*\.)?{text}", path, re.S) is not None


def translate_part(part):
    if part[:1] == "{":
        return f"(?:{'|'.join(map(re.escape, part[1:-1].split(',')))})"
    return {"[*]": r"\[[^\]]*\]", "**": ".*", "*": r"[^.\[\]]*"}.get(part) or re.escape(part)
