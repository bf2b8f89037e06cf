"""What is printed, stored in full: where it differs, a test shows what has changed.

`STORE_PRINTED=1 python -m pytest tests/test_x.py` stores what these tests print now. Read it
before it is committed: a wrong text that is stored stays.
"""

import difflib
import gzip
import json
import os
import re
from pathlib import Path

from scripts import load_script

FOLDER = Path(__file__).parent / "printed"
# Numbers of fewer than 12 digits must be the same characters.
SAME = load_script("tools/nbrun.py").same_reading


def read_printed(group):
    "The stored texts of a group, by name."
    path = FOLDER / f"{group}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}


def check_printed(group, name, text):
    "Fail unless a text is the stored one of this name."
    kept = read_printed(group)
    if os.environ.get("STORE_PRINTED"):
        FOLDER.mkdir(exist_ok=True)
        text = json.dumps(dict(sorted((kept | {name: text}).items())), indent=0)
        (FOLDER / f"{group}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        return
    assert (
        name in kept
    ), f"nothing is stored for {name!r}: run this with STORE_PRINTED=1, and read it"
    if SAME(kept[name], text):
        return
    lines = difflib.unified_diff(
        kept[name].splitlines(), text.splitlines(), "stored", "now", lineterm="", n=1
    )
    raise AssertionError("\n".join([f"{name} prints something else", *lines]))


def check_text(name, *texts):  # Forms of one result, one below the other
    "The same with a text file of its own, which a reader can open."
    path, text = FOLDER / f"{name}.txt", "\n\f\n".join(texts)
    if os.environ.get("STORE_PRINTED"):
        path.write_text(text + "\n", "utf-8")
    assert (
        path.exists()
    ), f"nothing is stored for {name!r}: run this with STORE_PRINTED=1, and read it"
    kept = path.read_text("utf-8").removesuffix("\n")
    lines = difflib.unified_diff(
        kept.splitlines(), text.splitlines(), "stored", "now", lineterm="", n=1
    )
    assert SAME(kept, text), "\n".join([f"{name} prints something else", *lines])


def split_markup(page):
    "A page or drawing with a line for each tag, without style and program."
    page = re.sub(r"(?s)<(style|script)\b(?![^>]*json)[^>]*>.*?</\1>", "", page)
    return re.sub(r"\s*\n\s*", "\n", page.replace("<", "\n<"))


# Versions change with the machine.
VERSIONS = re.compile(r"sampling_eval [^,\s]+ ?\(?,? ?numpy [^,]+, Python [^;)\s]+(; [\d-]+)?")


def tell_forms(result, wanted=("screen", "full", "page", "json")):
    "The screen, every number, the page, and the JSON text; or some of them."
    make = dict(
        screen=result.to_text,
        full=lambda: result.to_text(how=True),
        page=lambda: split_markup(result.to_html()),
        json=result.to_json,
    )
    forms = {name: make[name]() for name in wanted}
    return VERSIONS.sub("VERSIONS", "\n".join(f"== {name}\n{text}" for name, text in forms.items()))
