"What tests share: the command, run inside this process."

import contextlib
import io
import sys
import warnings
from dataclasses import dataclass

import numpy as np
import pytest

from sampling_eval.cli import main

# Files that take more than three seconds, the longest first: where a process takes a file at a time
# in this order, none is left for one of them at the end. `make quick` leaves them out.
LONGEST = (
    "types frozen extrapolation explorers reading_values widths any_shape model_table pictures"
    " action planning gaffke reading_engine reading_shapes reading_sources spending docs"
    " reading_origins count_metrics estimate weights power_analysis compare fuzz worst_case"
    " browser_page exit_codes hard_weather reading_engines reading_identity significance one_p"
    " cli_runs multiple vote reading_merging score within machines question_texts comparison rerun"
    " results output advising deciding bayes judges strata diagnostics harness_folder pytest_plugin"
    " plot coverage kernels bridges regressions written_counts harness_totals junit mutants curves"
    " explaining pairwise site project"
).split()
PLACES = {f"test_{name}": place for place, name in enumerate(LONGEST)}


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out the files that take longest")


def pytest_ignore_collect(collection_path, config):
    return True if config.getoption("quick") and collection_path.stem in PLACES else None


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: PLACES.get(item.path.stem, len(PLACES)))


@dataclass(frozen=True)
class Ran:
    "What a command left behind, by the names of `subprocess`."

    returncode: int
    stdout: str
    stderr: str


def command(*words, cwd=None, strict=False, stdin=b""):
    "Run `sampling-eval` with these words; with `strict` a warning is an error."
    out, side, before, code = catch_text(), catch_text(), (sys.argv, sys.stdin), 0
    sys.argv, sys.stdin = ["sampling-eval", *map(str, words)], io.TextIOWrapper(io.BytesIO(stdin))
    place = contextlib.chdir(cwd) if cwd else contextlib.nullcontext()
    try:
        with place, contextlib.redirect_stdout(out), contextlib.redirect_stderr(side):
            with warnings.catch_warnings():
                if strict:
                    warnings.simplefilter("error")
                main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.argv, sys.stdin = before
    return Ran(code, *(stream.buffer.getvalue().decode() for stream in (out, side)))


def catch_text():
    return io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n", write_through=True)


def name_kind(error):
    """The kind of an error as Python knows it: one about an option is a `ValueError` or a
    `TypeError`."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")


LIMITS = {}


@pytest.fixture
def known_limits(monkeypatch):
    "Gaffke's limits are found once for the same numbers: many tests score the same made-up table."
    from sampling_eval.inference import gaffke

    find = gaffke.upper_limits

    def look_up(*given):
        key = tuple((np.shape(value), np.asarray(value, float).tobytes()) for value in given)
        if key not in LIMITS:
            LIMITS[key] = find(*given)
        return LIMITS[key].copy()

    monkeypatch.setattr(gaffke, "upper_limits", look_up)
