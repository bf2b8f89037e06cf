"""Small result files of many tools, each with what is right, and every command that is suggested.

A case holds if no suggested command leads to another number, at most four of them deep, and the
right one is reached within `tries` of them, or the file is refused in words that contain `refuse`.
"""

import json
import re
import shlex
from pathlib import Path

import pytest

from conftest import command

FOLDER = Path(__file__).parent / "reading"
CASES = {
    " ".join([case["path"], *case.get("options", [])]): case
    for case in json.loads((FOLDER / "expected.json").read_text("utf-8"))
}
# What does not hold yet, by the path of the case, and why.
OPEN: dict[str, str] = {}
DEEPEST, MOST = 4, 24  # Suggestions after each other, and commands of one case


def list_suggested(said):
    "The words of each command after `Try:`."
    text = " ".join(said.split()).partition("Try: ")[2]
    found = re.findall(r"sampling-eval (score .*?)(?:, or: |; |$)", text)
    return [shlex.split(one.replace(" -f json", "")) for one in found]


def find_numbers(rows):
    "Systems, questions, and the estimates at k = 1 of a report."
    first = [
        row
        for row in rows
        if not row.get("group")
        and (row.get("k") == 1 or str(row["metric"]).startswith(("mean@", "avg@", "soft@")))
    ]
    best = {}
    for row in first:
        best.setdefault(row.get("model") or "", row)
    if not best:
        return [0, 0, []]
    return [
        len(best),
        max(row["questions"] for row in best.values()),
        sorted(round(row["estimate"], 4) for row in best.values()),
    ]


def follow(words, right, folder):
    "The wrong commands, after how many the right number came, and what was said first."
    seen, todo, reached, wrong, told = set(), [(words, 1)], None, [], None
    while todo and len(seen) < MOST:
        words, depth = todo.pop(0)
        if tuple(words) in seen:
            continue
        seen.add(tuple(words))
        ran = command(*words, "-f", "json", cwd=folder)
        said = ran.stderr if ran.returncode else ran.stderr + ran.stdout
        told = said if told is None else told
        assert "Traceback" not in said
        got = None if ran.returncode else find_numbers(json.loads(ran.stdout)["rows"])
        if got is None:
            todo += [(more, depth + 1) for more in list_suggested(said) if depth < DEEPEST]
        elif got in right:
            reached = reached or depth
        else:
            wrong.append((" ".join(words), got))
    return wrong, reached, " ".join((told or "").split())


def mark_open(name):
    why = OPEN.get(CASES[name]["path"])
    return pytest.param(name, marks=pytest.mark.xfail(reason=why)) if why else name


@pytest.mark.parametrize("name", [mark_open(name) for name in CASES])
def test_no_suggested_command_leads_to_a_wrong_number(name):
    case = CASES[name]
    right = [
        [systems, questions, [round(value, 4) for value in values]]
        for systems, questions, values in case.get("right", [])
    ]
    wrong, reached, told = follow(["score", case["path"], *case.get("options", [])], right, FOLDER)
    assert not wrong
    if reached is not None:
        assert reached <= case.get("tries", 3)
    else:
        assert "refuse" in case and case["refuse"].lower() in told.lower(), told
