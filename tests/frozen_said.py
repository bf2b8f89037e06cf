"""What frozen cases say: the lines of their texts and pages, of errors and of fields that hold
sentences.

A line that is stored is still said, in the same order; new lines may stand between them, so that
a new field stores nothing anew.
"""

import gzip
import json
import re

from frozen_record import FOLDER, is_simulated
from printed import SAME

SAID = FOLDER / "said"
# What a picture or a table shows stands between tags; style and program show nothing.
HIDDEN = re.compile(r"(?s)<(style|script)\b.*?</\1>")
TAG = re.compile(r"<[^>]*>")
# Versions change with the machine, and a date with the day.
OF_TODAY = re.compile(r"Computed\s+with\s+sampling_eval[^)]*\)\.|Made on [\d-]+\.")


def tell_forms(result):
    "The text with every number, and what the page shows, a line for each piece of text."
    page = TAG.sub("\n", HIDDEN.sub("", result.to_html()))
    return result.to_text(how=True) + "\n" + page


def list_said(told, is_sentence):
    "All lines of the sentences in what was told of a case; none where numbers are simulated."
    texts = [OF_TODAY.sub("", text) for text in find_texts(told, is_sentence)]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    return [line for line in lines if line]


def find_texts(told, is_sentence, inside=False):
    if isinstance(told, str):
        return [told] if inside else []
    if isinstance(told, list):
        return [text for one in told for text in find_texts(one, is_sentence, inside)]
    if not isinstance(told, dict) or is_simulated(told):
        return []
    return [
        text
        for name, one in told.items()
        for text in find_texts(one, is_sentence, inside or is_sentence(name, one))
    ]


def find_unsaid(stored, now):
    "The first stored line that is not said any more where it was, with the lines around it."
    place = 0
    for i, line in enumerate(stored):
        found = next((j for j in range(place, len(now)) if SAME(line, now[j])), None)
        if found is None:
            return [f"  - {line}", *(f"  + {other}" for other in now[place : place + 3])]
        place = found + 1
    return []


def read_said():
    "The stored lines of every case, by its name."
    return {
        name: lines
        for path in sorted(SAID.glob("*.json.gz"))
        for name, lines in json.loads(gzip.decompress(path.read_bytes())).items()
    }


def write_said(said):
    "One packed file for each kind of case."
    SAID.mkdir(exist_ok=True)
    parts = {}
    for name, lines in said.items():
        parts.setdefault(name.split(" ")[0], {})[name] = lines
    for part, found in parts.items():
        text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
        (SAID / f"{part}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
