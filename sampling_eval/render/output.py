"""A result as a file: every form by the end of the file's name."""
from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import OptionError
from ..extras import need, unwritten_reason
from ..patterns import match_paths
from ..results.base import flat
from ..results.registry import words_module
from ..spelling import PYTHON, Spelling
from .plot import PAPER
from .text import printable

PICTURES = "svg", "png", "pdf"
FORMS = dict(md="markdown", markdown="markdown", github="markdown", tex="latex", latex="latex")
FORMULA = "=", "+", "-", "@", "\ufffd"  # Tabs and returns have become the last
# Control characters beyond those that JSON escapes, marks of direction, and halves of characters.
CONTROLS = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def render(
    result: Any,  # Result of a verb
    kind: str,  # `table`, `full`, `github`, or how a file ends: `txt`, `json`, `md`, `svg`, ...
    size: str | float = "column",  # Width of a picture: `column`, `page`, or in inches
    texts: bool = True,  # Whether a page shows prompts and answers
    folder: Path | None = None,  # Folder of a page, for links to the files it is made of
    spelling: Spelling = PYTHON,  # How sentences spell options
) -> str | bytes:  # The result in that form
    """A result as text, or as a picture.

    Raises: `ValueError` for an unknown form.
    """
    if kind in PICTURES: return draw(result, kind, size)
    if kind == "csv": return write_csv(result.list_lines())
    if kind == "json": return escape_controls(result.to_json())
    if kind == "html": return render_page(result, texts, folder, spelling)
    if kind in FORMS: return str(words_module(FORMS[kind]).render(result.document(spelling)))
    plain = words_module("text")
    if kind in ("table", "txt"): return f"{plain.render(result.document(spelling))}\n"
    if kind == "full": return f"{plain.render(result.document(spelling), detail=True)}\n"
    raise ValueError("output must end in .json, .csv, .md, .tex, .html, .txt, .svg, .png or .pdf, "
                     f"got {kind!r}")


def render_page(
    result: Any,  # Result of a verb
    texts: bool,  # Whether prompts and answers are shown, where files hold them
    folder: str | Path | None,  # Folder of the page, for links to these files
    spelling: Spelling = PYTHON,  # How sentences spell options
) -> str:  # HTML
    "A self-contained page."
    page, source = result.document(spelling, whole=True), getattr(result, "texts", None)
    if texts and source is not None: page = words_module("texts").add_texts(page, source, folder)
    return str(words_module("html").render(page, words_module(result.kind).title(result)))


def form_of(path: Path) -> str:
    "The form of a result by the end of a file's name, such as `svg`."
    return path.suffix.lstrip(".").lower()


def draw(
    result: Any,  # Result with a `plot`
    kind: str,  # `svg`, `png` or `pdf`
    size: str | float = "column",  # `column`, `page`, or a width in inches
) -> bytes:  # The picture
    """The figure of a result: the same bytes on each run, text as text where the form has any.

    Raises: `ValueError` for an unknown form or size.
    """
    if kind not in PICTURES:
        raise ValueError(f"a picture must end in .svg, .png or .pdf, got {kind!r}")
    matplotlib: Any = need("matplotlib", "plot")
    plt: Any = need("matplotlib.pyplot", "plot")
    unstated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}
    matplotlib.use("agg")  # A file needs no screen
    with matplotlib.rc_context(PAPER):
        figure = result.plot(size=size).figure
        figure.savefig(out := io.BytesIO(), format=kind, dpi=300, metadata=unstated[kind])
        plt.close(figure)
    return out.getvalue()


def write_csv(rows: Iterable[Any]) -> str:
    "Rows as comma-separated values, whose texts no spreadsheet runs."
    plain = [flat(row) for row in rows]
    out = csv.DictWriter(text := io.StringIO(), plain[0])
    out.writeheader()
    out.writerows({name: defuse(value) for name, value in row.items()} for row in plain)
    return text.getvalue()


def check_ending(path: Path | None) -> None:
    """Refuse a form that is not written, before anything is computed.

    Raises: `ValueError` naming the endings there are.
    """
    if path is None or path.suffix.lower() in (".csv", ".json", ".parquet"): return
    raise OptionError("per_question", must="end in .csv, .json or .parquet", got=path.name)


def defuse(value: Any) -> Any:
    "A cell of a spreadsheet: numbers as they are, text that would be a formula behind a quote."
    if not isinstance(value, str): return value
    plain = printable(value)
    return f"'{plain}" if plain.lstrip().startswith(FORMULA) else plain


def escape_controls(text: str) -> str:
    "JSON text in which every character that moves a cursor or has no form is escaped."
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def write(
    path: Path,  # Where to write
    content: str | bytes,  # What to write
) -> None:
    """Write a file whole: an interrupted run leaves the old one in place.

    Raises: `OSError` where it cannot be written.
    """
    told = content.encode() if isinstance(content, str) else content
    # A device or a pipe is no file to be replaced.
    device = path.exists() and not path.is_file() and not path.is_dir()
    part = path if device else path.with_name(f"{path.name[:200]}.{os.getpid()}.part")
    try:
        part.write_bytes(told)
        if device: return
        part.replace(path)
    except OSError as error:
        raise OSError(f"cannot write {path}: {unwritten_reason(error)}") from None
    finally:
        if not device: part.unlink(missing_ok=True)


def keep_inputs(
    inputs: Iterable[str | None],  # Files, globs and folders that are read
    outputs: Iterable[Path | None],  # Files about to be written
) -> None:
    """Refuse to write over what is read.

    Raises: `ValueError` naming the file.
    """
    texts = [text for text in inputs if text]
    read = {follow(file) for text in texts for file in match_paths(text) or [text]}
    for path in filter(None, outputs):
        place = follow(path)
        inside = place.exists() and not read.isdisjoint(place.parents)
        if place in read or inside:
            raise ValueError(f"{path} holds the data that were read; "
                             "write the result to another file")


def follow(path: str | Path) -> Path:
    "The place of a path behind all links, of which a circle is left as it is."
    return Path(os.path.realpath(path))
