"""What each sub-command does: it takes the parsed words, calls a verb, and shows the result."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import OptionError, name_option, option, spell_command
from .cli_options import parse_budgets, parse_minimum, split_names
from .report.text import break_command, printable, wrap
from .report.format import open_sentence

if TYPE_CHECKING:
    from .io.counted import CountedRows
    from .results.planning import PowerAnalysis
    from .results.verdicts import Gate

# Options that name a file to write
WRITTEN = "output", "html", "plot", "per_question", "junit", "github_summary", "run_list"

# What else `score` can be asked.
SUGGESTED = dict(how="--how (the method)", target="--target same_questions (a rerun)",
                 html="--html report.html (a page)")


def run_score(asked: argparse.Namespace) -> int:
    "Every metric at every k, with its error bar."
    from .results.score_report import Command
    from .verbs.scoring import score
    title = name_files(asked.files)
    report = score(take_files(asked), title=title, **take_options(asked))
    # What stands in one file can be compared by one command.
    if len(asked.files) == 1 and asked.files[0] != getattr(asked, "stdin", None):
        given = list_given(asked, "ties", "confidence_level", "weights", "largest_weight")
        if asked.target == "same_questions": given |= dict(target=asked.target)
        report = replace(report, command=Command(tuple(asked.files), given))
    show(asked, report)
    used = dict(how=asked.how, target=asked.target != "new_questions", html=asked.html)
    if asked.format != "table" or asked.methods: return 0
    also = not asked.how and report.command is not None and bool(report.letters)
    more = "; ".join(said for name, said in SUGGESTED.items() if not used[name])
    print("\n" + wrap(f"{'Also' if also else 'Next'}: {more}"))
    return 0


def run_describe(asked: argparse.Namespace) -> int:
    "What can be computed from the data, and what is missing; or which columns there are."
    from .verbs.data_description import describe
    title = name_files(asked.files)
    found = describe(take_files(asked), title=title, **take_options(asked))
    given = list_given(asked, "by")
    # Bounds are the one reading of missing samples that assumes nothing.
    if any(one.missing for one in found.systems): given = dict(missing="bounds") | given
    files = ["-" if file == getattr(asked, "stdin", None) else file for file in asked.files]
    typed = spell_command("describe" if found.fault else "score", files, given | found.choice)
    show(asked, replace(found, typed="" if found.fault and not found.choice else typed))
    return 2 if found.fault else 0


def run_demo(asked: argparse.Namespace) -> int:
    "The report on the example inside the package: tau-bench airline, 50 tasks, 4 trials each."
    from .examples import example_path
    from .verbs.scoring import score
    return show(asked, score(example_path("tau_bench"), title="tau-bench airline, gpt-4o"))


def run_page(asked: argparse.Namespace) -> int:
    "Write a page that counts a log dropped on it, in the browser; it sends nothing."
    from .browser import browser_page
    from .report.output import find_kind, write
    path = asked.output or Path("page.html")
    if find_kind(path) != "html":
        raise OptionError("output", must="end in .html", got=path.name)
    if asked.output is None and path.exists():
        raise OptionError("output", f"{path} is there already",
                          hint=f"pass {option('output', path)} to write over it")
    write(path, browser_page())
    print(printable(f"Wrote {path}"), file=sys.stderr)
    return 0


def run_counts(asked: argparse.Namespace) -> int:
    "Count the samples of any table or log once, into one small file."
    from .verbs.counting import count
    from .parameters import GROUPED
    given = take_options(asked)
    if odd := [name for name in given if name in GROUPED["policies"]]:
        raise OptionError(odd[0], f"{name_option(odd[0])} is for score and the other commands: "
                                  "counts keeps samples without an outcome or an answer apart")
    rows = count(take_files(asked), asked.output, **given)
    return show_written(rows, asked.output)


def run_merge(asked: argparse.Namespace) -> int:
    "Add runs; a sample or a file is never counted twice."
    from .verbs.counting import merge
    rows = merge(*asked.files, path=asked.output, **take_options(asked))
    return show_written(rows, asked.output)


def show_written(rows: CountedRows, path: Path) -> int:
    "Print what was read, what could not be checked, and where the counts are."
    said = [f"{open_sentence(rows.source)}.", *(f"Warning: {text}" for text in rows.warnings)]
    print("\n".join(map(wrap, [*said, f"Wrote {path}"])))
    return 0


def run_explain(asked: argparse.Namespace) -> int:
    "One question: its answers, and what it moves; without one, the questions worth a look."
    from .results.explanation import Shortlist
    from .verbs.explaining import explain
    from .verbs.questions import join_words, split_words
    files, name = split_words(asked.files, asked.about)
    result = explain(files[0], name, *files[1:], **take_options(asked))
    show(asked, result)
    if asked.format == "table" and isinstance(result, Shortlist) and result.rows:
        words = join_words(files, str(result.rows[0]["question"]))
        typed = spell_command("explain", words, list_given(asked, "models", "on_unmatched"))
        print("\n" + break_command(f"Next: {typed}"))
    return 0


def run_compare(asked: argparse.Namespace) -> int:
    "Is B better than A? The difference on the same questions, at each k and at all at once."
    from .verbs.comparing import compare
    result = compare(*asked.files[:2], others=asked.files[2:], **take_options(asked))
    return show(asked, result)


def run_table(asked: argparse.Namespace) -> int:
    "Models by metrics for a paper: sorted, with intervals and letters of significance."
    from .verbs.model_table import table
    title = name_files(asked.files) if len(asked.files) < 4 else ""
    return show(asked, table(take_files(asked), title=title, **take_options(asked)))


def run_gate(asked: argparse.Namespace) -> int:
    "May the new run replace the baseline? Exit 0: yes, 1: no, 2: bad input, 3: inconclusive."
    from .report.ci import find_summary
    from .results.verdicts import Command
    from .verbs.gating import gate
    if asked.inconclusive_passes and asked.strict:
        passes, strict = map(name_option, ("inconclusive_passes", "strict"))
        raise OptionError("strict", f"{passes} and {strict} contradict each other; choose one")
    if asked.skip_inconclusive: check_skips(asked)
    summary = find_summary(asked.github_summary, os.environ)
    result = gate(asked.new, **take_options(asked))
    command = Command(asked.strict, asked.inconclusive_passes, spell_explain(asked, result),
                      asked.explain)
    result = replace(result, command=command)
    show_gate(asked, result, summary)
    if asked.format == "json":
        for warning in result.warnings: print(printable(f"warning: {warning}"), file=sys.stderr)
    return result.exit_code(asked.strict, asked.inconclusive_passes)


def check_skips(asked: argparse.Namespace) -> None:
    "Refuse to skip what no file holds, or what another option has decided."
    skips = name_option("skip_inconclusive")
    if not asked.junit:
        raise OptionError("junit", f"{skips} is about JUnit XML",
                          hint=f"add {name_option('junit')} FILE, or leave it out")
    for other in "strict", "inconclusive_passes":
        if getattr(asked, other):
            raise OptionError(other, f"{skips} and {name_option(other)} contradict each other",
                              hint="choose one")


def spell_explain(asked: argparse.Namespace, result: Gate) -> str:
    "The command that shows the questions behind the first rule that failed."
    from .verbs.questions import join_words
    row = next((row for row in result.rows if row.verdict == "fail"), result.rows[0])
    files = [asked.baseline] * (row.kind in ("drop", "same", "regressions")) + [asked.new]
    files = ["-" if file == getattr(asked, "stdin", None) else file for file in files]
    given = list_given(asked, "models", "on_unmatched")
    if "models" in given: given["models"] = given["models"][len(files) - 1::-1]
    if row.low is not None and row.metric != "pass@1": given["metrics"] = row.metric
    found = []
    if row.kind == "must_pass": found = [one for one in result.must_pass if one.verdict == "fail"]
    if row.kind == "regressions": found = [one for one in result.regressions if one.significant]
    words = join_words(files, str(found[0].question)) if found else files
    return spell_command("explain", words, given)


def show_gate(asked: argparse.Namespace, result: Gate, summary: Path | None) -> None:
    "Print the verdicts, and leave what a system of continuous integration shows."
    from .report.output import write
    from .report.ci import append_summary, in_workflow, silence_commands, write_annotations
    decided = dict(strict=asked.strict, inconclusive_passes=asked.inconclusive_passes)
    if asked.junit:
        skips = asked.skip_inconclusive
        write(asked.junit, result.to_junit(**decided, skip_inconclusive=skips))
    if summary: append_summary(summary, result.to_summary())
    shown = "table" if asked.format == "text" else asked.format
    held = in_workflow(os.environ) and shown == "table"
    show(asked, result, shown, silence_commands if held else str)
    if not (summary and in_workflow(os.environ)): return
    for line in write_annotations(result, **decided): print(line, file=sys.stderr)


def run_plan(asked: argparse.Namespace) -> int:
    "How many questions, how many samples, which difference can be seen."
    from .verbs.power_analysis import plan
    result = plan(pilot=asked.pilot, pilot_b=asked.pilot_b, **take_options(asked))
    if asked.run_list is not None: write_run(asked.run_list, result)
    return show(asked, result)


def write_run(path: Path, result: PowerAnalysis) -> None:
    "Write which questions to run, and how often, as CSV."
    from .report.output import write, write_csv
    if result.run is None:
        raise OptionError("run_list", "a list of questions needs an earlier run", found="none",
                          hint=option("earlier", ...))
    write(path, write_csv(result.run.listed))
    print(printable(f"Wrote {path}"), file=sys.stderr)


def run_audit(asked: argparse.Namespace) -> int:
    "What a published number can mean: counts that fit it, its CI, and against another one."
    from .verbs.auditing import audit
    return show(asked, audit(asked.number, asked.other, **take_options(asked)))


def run_extrapolate(asked: argparse.Namespace) -> int:
    "What more samples would have shown: statistical models, and bounds that need none."
    from .verbs.forecasting import extrapolate
    return show(asked, extrapolate(take_files(asked), **take_options(asked)))


# What was typed, as Python takes it.
TAKEN: dict[str, Callable[[Any], Any]] = dict(
    metrics=split_names, k=parse_budgets, n=lambda text: parse_budgets(text, "n"),
    minimum=parse_minimum,
    models=lambda models: models[0] if models and len(models) == 1 else models or None,
    scale=lambda scale: scale and tuple(scale), judge=lambda rates: rates and tuple(rates))


def take_options(asked: argparse.Namespace) -> dict[str, Any]:
    "The options of a verb, and those of reading that were given; a column `none` is no column."
    from .parameters import GROUPED
    columns = GROUPED["columns"]
    given = {name: getattr(asked, name) for name in asked.taken}
    given |= {one.name: value for one in asked.reading
              if (value := getattr(asked, one.name)) is not None}
    given |= {name: False for name, value in given.items() if name in columns and value == "none"}
    return {name: TAKEN[name](value) if name in TAKEN else value for name, value in given.items()}


def list_given(asked: argparse.Namespace, *more: str) -> dict[str, Any]:
    "The options of reading, and some more, that were given a value of their own."
    held = {name: getattr(asked, name) for name in (*more, *(one.name for one in asked.reading))}
    return {name: tuple(value) if name == "scale" else value for name, value in held.items()
            if value is not None and value != asked.defaults.get(name)}


def take_files(asked: argparse.Namespace) -> str | list[str]:
    "The files of one input; a single one by itself."
    return asked.files if len(asked.files) > 1 else asked.files[0]


def name_files(files: Sequence[str]) -> str:
    "The last part of each path; a written count as it is."
    from .io.outcome_tables import is_written_count
    return ", ".join(file if is_written_count(file) else Path(file).name for file in files)


def show(
    asked: argparse.Namespace, result: Any, form: str | None = None,
    wrapped: Callable[[str], str] = str,
) -> int:
    "Print a result, and write the files asked for."
    written = write_files(asked, result)
    form = form or getattr(asked, "format", "table")
    sys.stdout.write(wrapped(write_screen(asked, result, form)))
    for path in written: print(printable(f"Wrote {path}"), file=sys.stderr)
    return 0


def write_files(asked: argparse.Namespace, result: Any) -> list[str]:
    "Write the files that were asked for; their paths."
    from .report.output import draw, find_kind, render, write
    output, page, plot, table = (getattr(asked, name, None) for name in WRITTEN[:4])
    size = getattr(asked, "size", "column")
    texts = not getattr(asked, "no_texts", False)
    # The standard input leaves no file that a page could lead to.
    def find_folder(path: Path) -> Path | None:
        return None if getattr(asked, "stdin", None) else path.parent
    if output: write(output, render(result, find_kind(output), size, texts, find_folder(output)))
    if page: write(page, result.to_html(texts, find_folder(page)))
    if plot: write(plot, draw(result, find_kind(plot), size))
    if table:
        from .verbs.questions import write_questions
        write_questions(table, result.questions)
    return [path for path in (output, page, plot, table) if path]


def write_screen(asked: argparse.Namespace, result: Any, form: str) -> str:
    "What is printed of a result."
    from .report.output import render
    if getattr(asked, "methods", False): return f"{write_methods(result, form)}\n"
    if form != "table":
        return f"{render(result, form, texts=not getattr(asked, 'no_texts', False))!s}\n"
    how = getattr(asked, "how", False)
    return str(render(result, "full" if how else form))


def write_methods(result: Any, form: str) -> str:
    "The paragraph on methods, and the bibliography that belongs to it."
    said = result.methods(latex=form == "latex")
    if form != "table": return f"{printable(said)}\n\n{result.citations()}"
    sources = "\n".join(wrap(line, "    ") for line in result.citations().split("\n"))
    return f"{wrap(said)}\n\n{sources}"


# The parsers.
