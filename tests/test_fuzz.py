"""A few thousand examples of the fuzz, and that it finds what is planted."""

import sys

import pytest

from sampling_eval.reading import load, values
from sampling_eval.reading import text_files as texts
from scripts import load_script

lab = load_script("tools/fuzz.py")


def test_no_traceback_and_no_number_from_bad_input():
    seen, wrong = lab.fuzz(800, seed=11)
    assert wrong == []
    readers = [
        f"{name} {kind}"
        for name in (*lab.OFTEN, "rows", "columns", "pandas", "polars")
        for kind in ("value", "refused")
    ]
    assert all(seen[name] for name in readers)
    assert sum(times for name, times in seen.items() if " by DuckDB " in name) > 10


@pytest.mark.parametrize(
    "room, name, planted, found",
    [
        (values, "check_repeats", lambda *given: None, "number from bad input"),
        (texts, "read_text", lambda text: float(text) if text else None, "foreign"),
        (load, "settle_rows", lambda rows, policy: 1 / 0, "foreign"),
        (texts, "name_reader", lambda known: dict.fromkeys(known, "x"), "wrong counts"),
    ],
)
def test_what_is_planted_is_found(room, name, planted, found, monkeypatch):
    for module in list(sys.modules.values()):
        if module.__name__.startswith("sampling_eval") and hasattr(module, name):
            monkeypatch.setattr(module, name, planted)
    _, wrong = lab.fuzz(1500, seed=5, shown=2)
    assert any(found in said for said in wrong)
