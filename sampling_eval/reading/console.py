"""Standard input as a file, and a progress bar on the terminal."""
from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Thread
from time import monotonic
from typing import Any, TextIO, TypeVar

from ..errors import retell

__all__ = ["Steps", "announce_connection", "count_steps", "progress_bar", "stand_in"]

WATCHER: ContextVar[Any] = ContextVar("watcher", default=None)
T = TypeVar("T")
WIDTH = 30  # Characters of the bar
HERE = "-"  # What stands for the standard input
HEAD = 2**20
MAGIC = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\xff\xff\xff\xff": ".arrow",
         b"FEA1": ".feather", b"PK\x03\x04": ".zip", b"SQLite format 3\0": ".db",
         b"\x93NUMPY": ".npy"}
PACKINGS = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst", b"\xfd7zXZ\0": ".xz", b"BZh": ".bz2"}


def announce_connection(con: Any) -> Any:  # The same connection
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


@contextmanager
def spool_input() -> Iterator[str]:  # Path of a file that lasts as long as the body
    "What comes from the standard input, as a file; messages call it by its name alone."
    import shutil  # Most commands name their files
    import tempfile
    if sys.stdin is None: raise ValueError("the standard input is closed")
    with tempfile.TemporaryDirectory(prefix="sampling_eval") as folder:
        path = os.path.join(folder, "stdin")
        with open(path, "wb") as file: shutil.copyfileobj(sys.stdin.buffer, file)
        if not os.path.getsize(path): raise ValueError("the standard input is empty")
        try: yield name_by_content(path)
        except (ValueError, TypeError, OSError) as error:
            retell(error, lambda said: said.replace(folder + os.sep, ""))
            raise


@contextmanager
def stand_in(
    asked: Any,  # What was parsed, whose `files` are inputs
    names: Sequence[str],  # Further attributes that hold one input each
) -> Iterator[None]:
    """Let a file stand for `-` in what a command was asked while the body runs; `stdin` names it.

    Raises: `ValueError` if `-` stands there twice, or nothing comes.
    """
    files = getattr(asked, "files", [])
    single = [name for name in names if getattr(asked, name, None) == HERE]
    times = files.count(HERE) + len(single)
    if times > 1: raise ValueError("the standard input can be read once, got - twice")
    if not times:
        yield
        return
    with spool_input() as path:
        for name in single: setattr(asked, name, path)
        if HERE in files: files[files.index(HERE)] = path
        asked.stdin = path
        yield


def name_by_content(path: str) -> str:
    "The same file under a name that says of what kind it is."
    from .text_files import BROKEN, open_file, tell_broken  # A bar is drawn for arrays, too
    path = rename(path, find_ending(PACKINGS, path))
    ending = find_ending(MAGIC, path)
    if ending: return rename(path, see_zip(path) if ending == ".zip" else ending)
    stem, packing = os.path.splitext(path)
    try:
        with open_file(path) as file: head = file.read(HEAD)
    except BROKEN: raise ValueError(tell_broken(path)) from None
    return rename(path, (".tar" if head[257:262] == b"ustar" else see_text(head)) + packing, stem)


def see_zip(path: str) -> str:
    "What a zip archive is: arrays, a workbook, a log of inspect_ai, or several files."
    from .archives import HEADERS, list_members  # Few data are packed so
    names = list_members(path)
    if names and all(name.endswith(".npy") for name in names): return ".npz"
    if "xl/workbook.xml" in names: return ".xlsx"
    # What is damaged is told as a log, which is the commonest.
    return ".zip" if names and HEADERS.isdisjoint(names) else ".eval"


def rename(path: str, ending: str, stem: str = "") -> str:
    new = (stem or path) + ending
    os.replace(path, new)
    return new


def find_ending(known: dict[bytes, str], path: str) -> str:
    with open(path, "rb") as file: head = file.read(16)
    if head[8:12] == b"DUCK" and known is MAGIC: return ".duckdb"
    return next((ending for start, ending in known.items() if head.startswith(start)), "")


def see_text(head: bytes) -> str:
    "Whether a text is JSON lines, other JSON, or a table with a first line of names."
    head = head.lstrip()
    if head[:1] not in (b"{", b"["): return ".csv"
    first, _, more = head.partition(b"\n")
    try: return ".jsonl" if isinstance(json.loads(first), dict) and more.strip() else ".json"
    except ValueError: return ".json"
