"""What commands share: what was typed as a verb takes it, and what is printed of a result."""
from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .cli_options import parse_budgets, parse_minimum, split_names
from .parameters import GROUPED
from .reading.console import progress_bar, stand_in
from .reading.counted import is_written_count
from .render.output import check_ending, draw, form_of, keep_inputs, render, render_page, write
from .render.text import printable, wrap

__all__ = ["given_options", "name_files", "run", "show", "take_files", "take_options"]

# Options that name a file to write
WRITTEN = "output", "html", "plot", "per_question", "junit", "github_summary", "run_list"
SINGLE = "new", "baseline", "pilot", "pilot_b"  # Inputs that are one file each

# What was typed, as Python takes it.
TAKEN: dict[str, Callable[[Any], Any]] = dict(
    metrics=split_names, k=parse_budgets, n=lambda text: parse_budgets(text, "n"),
    minimum=parse_minimum,
    models=lambda models: models[0] if models and len(models) == 1 else models or None,
    scale=lambda scale: scale and tuple(scale), judge=lambda rates: rates and tuple(rates))


def take_options(asked: argparse.Namespace) -> dict[str, Any]:
    "The options of a verb, and those of reading that were given; a column `none` is no column."
    columns = GROUPED["columns"]
    given = {name: getattr(asked, name) for name in asked.taken}
    given |= {one.name: value for one in asked.reading
              if (value := getattr(asked, one.name)) is not None}
    given |= {name: False for name, value in given.items() if name in columns and value == "none"}
    return {name: TAKEN[name](value) if name in TAKEN else value for name, value in given.items()}


def given_options(asked: argparse.Namespace, *more: str) -> dict[str, Any]:
    "The options of reading, and some more, that were given a value of their own."
    held = {name: getattr(asked, name) for name in (*more, *(one.name for one in asked.reading))}
    return {name: tuple(value) if name == "scale" else value for name, value in held.items()
            if value is not None and value != asked.defaults.get(name)}


def take_files(asked: argparse.Namespace) -> str | list[str]:
    "The files of one input; a single one by itself."
    return asked.files if len(asked.files) > 1 else asked.files[0]


def name_files(files: Sequence[str]) -> str:
    "The last part of each path; a written count as it is."
    return ", ".join(file if is_written_count(file) else Path(file).name for file in files)


def show(
    asked: argparse.Namespace, result: Any, form: str | None = None,
    wrapped: Callable[[str], str] = str,
) -> int:
    "Print a result, and write the files asked for."
    written = write_files(asked, result)
    shown = form or str(getattr(asked, "format", "table"))
    sys.stdout.write(wrapped(write_screen(asked, result, shown)))
    for path in written:
        print(printable(f"Wrote {path}{texts_warning(asked, result, path)}"), file=sys.stderr)
    return 0


def texts_warning(asked: argparse.Namespace, result: Any, path: Path) -> str:
    "That a page may be private: it holds what the log holds."
    if getattr(result, "texts", None) is None or not hasattr(asked, "no_texts"): return ""
    if asked.no_texts or form_of(path) != "html": return ""
    return ", with prompts and answers where the log holds them (--no-texts leaves them out)"


def write_files(asked: argparse.Namespace, result: Any) -> list[Path]:
    "Write the files that were asked for; their paths."
    output, page, plot, table = (getattr(asked, name, None) for name in WRITTEN[:4])
    size = getattr(asked, "size", "column")
    texts = not getattr(asked, "no_texts", False)
    # The standard input leaves no file that a page could lead to.
    def find_folder(path: Path) -> Path | None:
        return None if getattr(asked, "stdin", None) else path.parent
    if output:
        write(output, render(result, form_of(output), size, texts, find_folder(output),
                             asked.spelling))
    if page: write(page, render_page(result, texts, find_folder(page), asked.spelling))
    if plot: write(plot, draw(result, form_of(plot), size))
    if table:
        from .analyses.engine.questions_file import write_questions  # Loads what writes Parquet
        write_questions(table, result.questions)
    return [path for path in (output, page, plot, table) if path]


def write_screen(asked: argparse.Namespace, result: Any, form: str) -> str:
    "What is printed of a result."
    if getattr(asked, "methods", False): return f"{write_methods(result, form)}\n"
    if form != "table":
        texts = not getattr(asked, "no_texts", False)
        return f"{render(result, form, texts=texts, spelling=asked.spelling)!s}\n"
    how = getattr(asked, "how", False)
    return str(render(result, "full" if how else form, spelling=asked.spelling))


def write_methods(result: Any, form: str) -> str:
    "The paragraph on methods, and the bibliography that belongs to it."
    said = result.methods(latex=form == "latex")
    if form != "table": return f"{printable(said)}\n\n{result.citations()}"
    sources = "\n".join(wrap(line, "    ") for line in result.citations().split("\n"))
    return f"{wrap(said)}\n\n{sources}"


def run(
    asked: argparse.Namespace,  # What was parsed
    command: Callable[[argparse.Namespace], int],  # Runs it
) -> int:  # Exit code
    "The exit code of a command; what is read is never written over."
    with stand_in(asked, SINGLE):
        inputs = [*getattr(asked, "files", []), *(getattr(asked, name, None) for name in SINGLE)]
        keep_inputs(inputs, output_paths(asked))
        check_ending(getattr(asked, "per_question", None))
        with progress_bar(f"reading {', '.join(filter(None, inputs[:3]))}"):
            return command(asked)


def output_paths(asked: argparse.Namespace) -> list[Path]:
    "The files that the command is about to write."
    named = (getattr(asked, name, None) for name in WRITTEN)
    return [Path(path) for path in named if path]
