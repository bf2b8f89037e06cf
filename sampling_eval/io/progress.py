"""A bar for what takes longer than a second."""
from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Thread
from time import monotonic
from typing import Any, TextIO, TypeVar

__all__ = ["Steps", "announce_connection", "count_steps", "progress_bar"]

WATCHER: ContextVar[Any] = ContextVar("watcher", default=None)
T = TypeVar("T")
WIDTH = 30  # Characters of the bar


def announce_connection(
    con: Any,  # Connection that is about to work
) -> Any:  # The same connection
    "A connection whose progress can be shown."
    watch = WATCHER.get()
    if watch is not None:
        con.execute("SET enable_progress_bar=true; SET enable_progress_bar_print=false")
        watch(con)
    return con


@contextmanager
def progress_bar(
    label: str = "reading",  # What is being done
    stream: TextIO | None = None,  # Where to draw; standard error if None
    patience: float = 1.,  # Seconds before the bar appears
) -> Iterator[list[Any]]:  # The connections that were announced
    "A bar while the body runs, if the stream is a terminal; otherwise nothing."
    connections: list[Any] = []
    stream, done = stream or sys.stderr, Event()
    if not stream.isatty():
        yield connections
        return
    token = WATCHER.set(connections.append)
    plain = "".join(o if o.isprintable() else "\ufffd" for o in label)
    thread = Thread(target=draw, args=(plain, stream, patience, connections, done), daemon=True)
    thread.start()
    try: yield connections
    finally:
        done.set()
        thread.join()
        WATCHER.reset(token)


class Steps:
    "Work in steps whose number is known."

    def __init__(self, total: int, label: str) -> None:
        self.total, self.label, self.done = total, label, 0

    def watch(self, things: Iterable[T]) -> Iterator[T]:
        "Each of some things, counted when the next one is asked for."
        for thing in things:
            yield thing
            self.done += 1

    def query_progress(self) -> float:
        "Percent of the steps that are done."
        return 100 * self.done / self.total if self.total else 100.


@contextmanager
def count_steps(
    total: int,  # How many steps there are
    label: str,  # What is being done
) -> Iterator[Steps]:  # Counts the steps
    "The bar of a command that runs, or a bar of its own, with the share of the steps."
    steps, watch = Steps(total, label), WATCHER.get()
    if watch is not None:
        watch(steps)
        yield steps
        return
    with progress_bar(label) as known:
        known.append(steps)
        yield steps


def draw(
    label: str, stream: TextIO, patience: float, connections: list[Any], done: Event,
) -> None:
    "Draw the bar again and again until the work is done, then wipe it away."
    if done.wait(patience): return
    start, wide = monotonic() - patience, 0
    while not done.wait(.1):
        now = getattr(connections[-1], "label", label) if connections else label
        line = write_line(now, find_share(connections), monotonic() - start)
        stream.write("\r" + line.ljust(wide))
        stream.flush()
        wide = len(line)
    stream.write("\r" + " " * wide + "\r")
    stream.flush()


def find_share(connections: list[Any]) -> float | None:
    "Percent of the last query that is done; None where nobody knows."
    if not connections: return None
    known = getattr(connections[-1], "query_progress", None)
    share = known() if known else -1
    return min(share, 100.) if share >= 0 else None


def write_line(label: str, share: float | None, seconds: float) -> str:
    "The bar as one line of text."
    clock = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
    if share is None: return f"{label} {clock}"
    full = round(WIDTH * share / 100)
    return f"{label} [{'#' * full}{'.' * (WIDTH - full)}] {share:3.0f} % {clock}"
