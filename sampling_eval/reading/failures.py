"""What happened to a try: right, wrong, failed for a reason beside the answer, or not run.

A column called status, error or exit_reason is named on the screen with its counts. The outcomes
stay as they were recorded, unless the caller says what a failed try counts as.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import OptionError
from ..results.reading import ReadNote
from ..spelling import option
from .columns import Batch, list_called
from .values import is_absent, read_words, tidy

__all__ = ["ERRORS", "NO_ERROR", "find_failures", "judge_failures", "name_state"]

ERRORS = set("error error_message error_type error_info exception exception_type exception_info "
             "failure_mode timed_out crashed is_error".split())
STATES = set("status state run_status exit_reason exit_status termination_reason".split())
NO_ERROR = "null none nan false no 0 {} [] unset".split()  # What stands where nothing failed
FAILED = set("error errored exception timeout timed_out crash crashed cancelled canceled aborted "
             "killed oom infrastructure infra_error system_error api_error".split())
NOT_RUN = set("not_run skipped pending queued not_started".split())
SHOWN = 3  # States that are named


def name_state(
    column: str,  # Name of a column
) -> str:  # Part under which it is taken
    "What happened to a try, as a part of a row."
    return f"status {column}"


def find_failures(unused: Iterable[str]) -> dict[str, str]:  # Column by part
    "Columns that say what happened to a try."
    return {name_state(column): column for column in list_called(unused, ERRORS | STATES)}


def judge_failures(
    batch: Batch,  # All rows
    failed: str | None,  # What failed tries count as; None leaves them as they were recorded
) -> tuple[Batch, list[ReadNote]]:  # Without the states, and how many tries failed
    """Failed tries counted as the caller says.

    Raises: `OptionError` if no column says which tries failed, and that was to be used.
    """
    states = {part: values for part, values in batch.parts.items() if part.startswith("status ")}
    kinds = {part: np.array([tell_state(part, value) for value in values.tolist()], object)
             for part, values in states.items() if may_tell(values)}
    rest = {part: values for part, values in batch.parts.items() if part not in states}
    bad = np.zeros(len(batch), bool)
    for found in kinds.values(): bad |= found != ""
    if failed is not None and not bad.any():
        raise OptionError("failed", f"{option('failed', failed)} needs a column such as status, "
                                    "error or exit_reason that says which tries failed")
    if not bad.any(): return replace(batch, parts=rest), []
    notes = [count_failed(part, found, rest, batch.times, failed)
             for part, found in kinds.items() if (found != "").any()]
    return settle_failed(replace(batch, parts=rest), bad, failed), notes


def may_tell(values: np.ndarray) -> bool:
    "Whether values are states: a number counts something else."
    return not any(isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
                   for value in values.tolist() if not is_absent(value))


def tell_state(part: str, value: Any) -> str:
    "How a try failed, or that it was not run; empty where it was."
    text = "" if is_absent(value) else str(value).strip().lower()
    if list_called([part.partition(" ")[2]], ERRORS):
        return "" if text in ("", *NO_ERROR) else "error"
    text = text.replace(" ", "_").replace("-", "_")
    return text if text in FAILED | NOT_RUN else ""


def count_failed(part: str, found: np.ndarray, parts: Mapping[str, np.ndarray],
                 times: np.ndarray, failed: str | None) -> ReadNote:
    "How many tries failed by one column, how, and what they count as."
    bad = found != ""
    names = list(dict.fromkeys(found[bad].tolist()))
    shown = tuple(f"{name} {int(times[found == name].sum()):,}" for name in names[:SHOWN])
    more = ("...",) * (len(names) > SHOWN)
    right = None if failed or "correct" not in parts else count_right(parts["correct"], times, bad)
    return ReadNote("failed", (part.partition(" ")[2], *shown, *more), count=int(times[bad].sum()),
                    total=int(times.sum()), value=right, text=failed or "")


def count_right(correct: np.ndarray, times: np.ndarray, bad: np.ndarray) -> float | None:
    "How many of some tries are right as recorded; None where that is not known yet."
    try: outcomes = read_words(correct, times)[0]
    except TypeError: return None
    some = zip(outcomes[bad].tolist(), times[bad].tolist())
    return float(sum(count for value, count in some if value in (1, "1", True)))


def settle_failed(batch: Batch, bad: np.ndarray, failed: str | None) -> Batch:
    "Failed tries without an outcome, or wrong."
    if failed is None: return batch
    parts, added = dict(batch.parts), dict(batch.added)
    for part in "correct", "score":
        if part not in parts: continue
        wrong = find_wrong(parts[part]) if part == "correct" else 0
        fill = wrong if failed == "wrong" else None
        parts[part] = tidy([fill if odd else value
                            for value, odd in zip(parts[part].tolist(), bad.tolist())])
    if "total" in added: added["total"] = np.where(bad, 0, added["total"])
    if "scored" in added and failed == "missing":
        added["scored"] = np.where(bad, 0, added["scored"])
    return replace(batch, parts=parts, added=added)


def find_wrong(correct: np.ndarray) -> Any:
    "How a column of outcomes writes that one is wrong."
    present = [value for value in correct.tolist() if not is_absent(value)]
    if present and all(isinstance(value, bool) for value in present): return False
    if not any(isinstance(value, str) for value in present): return 0
    try: flags = read_words(correct, np.ones(len(correct), np.int64))[1]
    except TypeError: return "0"
    wrong = [word for word, right in flags.items() if not right]
    return wrong[0] if wrong else OTHER.get(next(iter(flags)).strip().lower(), "0")


OTHER = dict(true="false", yes="no", correct="incorrect", solved="unsolved", resolved="unresolved",
             success="failure", passed="failed", t="f", y="n", c="i", right="wrong")
OTHER["pass"] = "fail"
