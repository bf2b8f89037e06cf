"""Tables whose truth is known are read right or refused, whatever is suggested.

What is planted is found."""

import pytest

from sampling_eval.reading import rules, structure
from scripts import load_script

lab = load_script("tools/fuzz_reading.py")


def test_no_table_gives_another_number():
    seen, wrong = lab.fuzz(300)
    assert wrong == []
    assert (
        seen["right"] > 100
        and seen["right folder"]
        and seen["refused crossed"]
        and seen["refused nested"]
    )


@pytest.mark.parametrize(
    "room, name, planted",
    [
        (structure, "EVEN", 0),
        (rules, "is_target", lambda column: False),
        (rules, "names_id", lambda column: False),
    ],
)
def test_what_is_planted_is_found(room, name, planted, monkeypatch):
    monkeypatch.setattr(room, name, planted)
    assert lab.fuzz(100, 300)[1]


def test_plain_tables_are_read():
    "Systems, samples and columns of what happened, without settings or twists: nothing is asked."
    asked = []
    for seed in range(400):
        made = lab.make(seed)
        if not made.kind.startswith("none") or set(made.kind.split()) & set(lab.TWISTS):
            continue
        (_, got), *_ = (
            lab.follow([*made.rows], made.told) if not made.folder else [(None, made.right[0])]
        )
        if isinstance(got, Exception) and not getattr(got, "ways", ()):
            asked.append((seed, str(got)))
    assert asked == []
