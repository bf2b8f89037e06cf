"The command: its words, and what each of them runs and prints."
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from traceback import print_exc
from typing import Any, NoReturn, TYPE_CHECKING

from . import __version__
from .cli_options import (HOW, METHODS, NO_TEXTS, OUTPUT, Option, PER_QUESTION, PICTURE, SHOWN,
                          derive_options, derive_reading, parse_budgets, parse_minimum, split_names)
from .errors import OptionError, OptionFault
from .spelling import CommandSpelling, name_option, option, spell, spell_command
from .extras import DISK_FULL, tell_unwritten
from .render.format import open_sentence
from .render.text import break_command, prepare_consoles, printable, wrap

if TYPE_CHECKING:
    from .reading.counted import CountedRows
    from .analyses.plan.result import PowerAnalysis, WidthPlan
    from .analyses.gate.result import Gate

# Options that name a file to write
WRITTEN = "output", "html", "plot", "per_question", "junit", "github_summary", "run_list"

# What else `score` can be asked.
SUGGESTED = dict(how="--how (the method)", target="--target same_questions (a rerun)",
                 html="--html report.html (a page)")


def run_score(asked: argparse.Namespace) -> int:
    "Every metric at every k, with its error bar."
    from .analyses.score.result import Command
    from .analyses.score.verb import score
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
    from .analyses.describe.verb import describe
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
    from .analyses.score.verb import score
    return show(asked, score(example_path("tau_bench"), title="tau-bench airline, gpt-4o"))


def run_page(asked: argparse.Namespace) -> int:
    "Write a page that counts a log dropped on it, in the browser; it sends nothing."
    from .browser import browser_page
    from .render.output import find_kind, write
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
    from .analyses.count.verb import count
    from .parameters import GROUPED
    given = take_options(asked)
    if odd := [name for name in given if name in GROUPED["policies"]]:
        raise OptionError(odd[0], f"{name_option(odd[0])} is for score and the other commands: "
                                  "counts keeps samples without an outcome or an answer apart")
    rows = count(take_files(asked), asked.output, **given)
    return show_written(asked, rows)


def run_merge(asked: argparse.Namespace) -> int:
    "Add runs; a sample or a file is never counted twice."
    from .analyses.count.verb import merge
    rows = merge(*asked.files, path=asked.output, **take_options(asked))
    return show_written(asked, rows)


def show_written(asked: argparse.Namespace, rows: CountedRows) -> int:
    "Print what was read, what could not be checked, and where the counts are."
    from .analyses.phrases.reading import describe_input
    source = spell(describe_input(rows.summary), asked.spelling)
    said = [f"{open_sentence(source)}.", *(f"Warning: {text}" for text in rows.warnings)]
    print("\n".join(map(wrap, [*said, f"Wrote {asked.output}"])))
    return 0


def run_explain(asked: argparse.Namespace) -> int:
    "One question: its answers, and what it moves; without one, the questions worth a look."
    from .analyses.explain.result import Shortlist
    from .analyses.explain.verb import explain
    from .analyses.engine.questions import join_words, split_words
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
    from .analyses.compare.verb import compare
    result = compare(*asked.files[:2], others=asked.files[2:], **take_options(asked))
    return show(asked, result)


def run_table(asked: argparse.Namespace) -> int:
    "Models by metrics for a paper: sorted, with intervals and letters of significance."
    from .analyses.table.verb import table
    title = name_files(asked.files) if len(asked.files) < 4 else ""
    return show(asked, table(take_files(asked), title=title, **take_options(asked)))


def run_gate(asked: argparse.Namespace) -> int:
    "May the new run replace the baseline? Exit 0: yes, 1: no, 2: bad input, 3: inconclusive."
    from .analyses.gate.junit import find_summary
    from .analyses.gate.result import Command
    from .analyses.gate.verb import gate
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
    from .analyses.engine.questions import join_words
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
    from .render.output import render, write
    from .analyses.gate.junit import (
        append_summary, in_workflow, silence_commands, write_annotations)
    decided = dict(strict=asked.strict, inconclusive_passes=asked.inconclusive_passes)
    if asked.junit:
        skips = asked.skip_inconclusive
        write(asked.junit, result.to_junit(**decided, skip_inconclusive=skips))
    if summary: append_summary(summary, str(render(result, "github", spelling=asked.spelling)))
    shown = "table" if asked.format == "text" else asked.format
    held = in_workflow(os.environ) and shown == "table"
    show(asked, result, shown, silence_commands if held else str)
    if not (summary and in_workflow(os.environ)): return
    for line in write_annotations(result, **decided): print(line, file=sys.stderr)


def run_plan(asked: argparse.Namespace) -> int:
    "How many questions, how many samples, which difference can be seen."
    from .analyses.plan.verb import plan
    result = plan(pilot=asked.pilot, pilot_b=asked.pilot_b, **take_options(asked))
    if asked.run_list is not None: write_run(asked.run_list, result)
    return show(asked, result)


def write_run(path: Path, result: PowerAnalysis | WidthPlan) -> None:
    "Write which questions to run, and how often, as CSV."
    from .analyses.plan.result import WidthPlan
    from .render.output import write, write_csv
    if isinstance(result, WidthPlan) or result.run is None:
        raise OptionError("run_list", "a list of questions needs an earlier run", found="none",
                          hint=option("earlier", ...))
    write(path, write_csv(result.run.listed))
    print(printable(f"Wrote {path}"), file=sys.stderr)


def run_audit(asked: argparse.Namespace) -> int:
    "What a published number can mean: counts that fit it, its CI, and against another one."
    from .analyses.audit.verb import audit
    number, *other = asked.numbers
    # Values with their metrics, and totals of runs, are one text.
    if len(other) > 1 or {*"@^"} & {*number}: number, other = " ".join(asked.numbers), []
    return show(asked, audit(number, *other, **take_options(asked)))


def run_extrapolate(asked: argparse.Namespace) -> int:
    "What more samples would have shown: statistical models, and bounds that need none."
    from .analyses.extrapolate.verb import extrapolate
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
    from .reading.counted import is_written_count
    return ", ".join(file if is_written_count(file) else Path(file).name for file in files)


def show(
    asked: argparse.Namespace, result: Any, form: str | None = None,
    wrapped: Callable[[str], str] = str,
) -> int:
    "Print a result, and write the files asked for."
    written = write_files(asked, result)
    form = form or getattr(asked, "format", "table")
    sys.stdout.write(wrapped(write_screen(asked, result, form)))
    for path in written:
        print(printable(f"Wrote {path}{tell_texts(asked, result, path)}"), file=sys.stderr)
    return 0


def tell_texts(asked: argparse.Namespace, result: Any, path: Path) -> str:
    "That a page may be private: it holds what the log holds."
    from .render.output import find_kind
    if getattr(result, "texts", None) is None or not hasattr(asked, "no_texts"): return ""
    if asked.no_texts or find_kind(path) != "html": return ""
    return ", with prompts and answers where the log holds them (--no-texts leaves them out)"


def write_files(asked: argparse.Namespace, result: Any) -> list[str]:
    "Write the files that were asked for; their paths."
    from .render.output import draw, find_kind, render, render_page, write
    output, page, plot, table = (getattr(asked, name, None) for name in WRITTEN[:4])
    size = getattr(asked, "size", "column")
    texts = not getattr(asked, "no_texts", False)
    # The standard input leaves no file that a page could lead to.
    def find_folder(path: Path) -> Path | None:
        return None if getattr(asked, "stdin", None) else path.parent
    if output:
        write(output, render(result, find_kind(output), size, texts, find_folder(output),
                             asked.spelling))
    if page: write(page, render_page(result, texts, find_folder(page), asked.spelling))
    if plot: write(plot, draw(result, find_kind(plot), size))
    if table:
        from .analyses.engine.questions import write_questions
        write_questions(table, result.questions)
    return [path for path in (output, page, plot, table) if path]


def write_screen(asked: argparse.Namespace, result: Any, form: str) -> str:
    "What is printed of a result."
    from .render.output import render
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


# The parsers.


# The verbs from a shell: one sub-command a verb, with the words of Python.


ABOUT = "Exact metrics and honest error bars for repeated-sampling evaluation of language models."
TOO_LARGE = ("not enough memory for these data; count them a part at a time with sampling-eval "
             "counts, and add the parts with sampling-eval merge")
VERDICTS = "text", "json", "github"


class Parser(argparse.ArgumentParser):
    "A parser whose errors are one sentence with the way out."

    def _print_message(self, message: str, file: Any = None) -> None:
        "Write help or the version; argparse itself says nothing where that fails."
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        tell(f"{self.prog}: {message}; {self.prog} --help lists what there is")
        self.exit(2)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        "The parsed words; files may stand before and after options."
        asked, more = self.parse_known_args(args, namespace)
        files = getattr(asked, "files", None)
        if more and (files is None or any(word.startswith("-") for word in more)):
            prog = " ".join(filter(None, [self.prog, getattr(asked, "command", None)]))
            meant = filter(None, (find_meant(word, asked) for word in more))
            tell("; ".join([f"{prog}: unrecognized arguments: {' '.join(more)}",
                            *(f"did you mean {words}?" for words in list(meant)[:1]),
                            f"{prog} --help lists what there is"]))
            self.exit(2)
        if more: files += more
        return asked


def find_meant(word: str, asked: argparse.Namespace) -> str | None:
    "What a word was meant to be that no option is called: one like it, its value, or a baseline."
    name = word.partition("=")[0].lstrip("-")
    options: Sequence[Option] = getattr(asked, "options", [])
    if not word.startswith("-"):
        return f"--baseline {word}" if hasattr(asked, "baseline") else None
    for option in options:
        if name in (option.choices or option.values): return f"{option.spelling} {name}"
    known = [option.spelling for option in options]
    if begun := [spelling for spelling in known if spelling.startswith(f"--{name}")]:
        return " or ".join(begun[:3])
    from difflib import get_close_matches  # Only where something was mistyped
    return next(iter(get_close_matches(f"--{name}", known, 1, .7)), None)


@dataclass(frozen=True)
class Command:
    "A sub-command: what it runs, what stands by position, its options."
    run: Callable[[argparse.Namespace], int]
    places: tuple[tuple[str, str, str | None], ...]  # Name, help, and how many there may be
    own: tuple[Option, ...] = ()  # Options that its verb does not have
    verb: str = ""  # The verb whose parameters are its options
    without: tuple[str, ...] = ()  # Parameters that stand by position, or that no shell has
    changed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # Spelled otherwise
    reads: bool = True  # Whether it has the options that say how data are read

    def list_options(self) -> list[Option]:
        "The options of the verb, then its own."
        if not self.verb: return list(self.own)
        return [*derive_options(self.verb, self.without, self.changed), *self.own]


# What Python takes by name, and a shell by position or as another command.
PLACES = dict(new="a second FILE", others="further FILEs", pilot="PILOT", pilot_b="PILOT_B",
              name="QUESTION", number="NUMBER", other="a second FILE")
# Options of other commands that errors recommend
OTHERS = dict(separate="merge", union="merge", cost="score", verdict="score", by="score")
VERBS = dict(count="counts")
WITH_COMMAS = "bounds",  # Options whose values have commas between
SINGLE = "new", "baseline", "pilot", "pilot_b"  # Inputs that are one file each
RUN_FILES = ("Files, globs or folders: tables with one row per sample, logs of a harness, counts "
             "files, or runs.db::table; - is the standard input; or counts such as 26/30")
WRITTEN_COUNTS = Option("output", "Counts file to write, such as counts.parquet", Path,
                        flags=("-o",), required=True)
PAGE = Option("output", "Page to write, in place of an older one (default: page.html, where there "
              "is none)", Path, flags=("-o", "--out"))
RUN_LIST = Option("run_list", "CSV file to write: questions to run, and samples of each", Path)
ONE_METRIC = "One metric, such as pass@8"
COMMANDS = {
    "score": Command(
        run_score, (("files", RUN_FILES, "+"),),
        (SHOWN, HOW, METHODS, PER_QUESTION, *OUTPUT, NO_TEXTS, *PICTURE),
        "analyses.score.verb.score", ("data", "addons")),
    "describe": Command(
        run_describe, (("files", "Files, globs or folders, as for score", "+"),),
        (SHOWN, *OUTPUT), "analyses.describe.verb.describe", ("data",)),
    "demo": Command(run_demo, (), (OUTPUT[1],), reads=False),
    "page": Command(run_page, (), (PAGE,), reads=False),
    "counts": Command(
        run_counts, (("files", "Files, globs or folders, as for score", "+"),), (WRITTEN_COUNTS,)),
    "merge": Command(
        run_merge, (("files", "Counts files, tables or logs of the same questions", "+"),),
        (WRITTEN_COUNTS,), "analyses.count.verb.merge", ("runs", "path"), reads=False),
    "compare": Command(
        run_compare, (("files", "The baseline, the candidate, and further ones; a glob in quotes "
                                "is one system", "+"),),
        (SHOWN, HOW, METHODS, PER_QUESTION, *OUTPUT, NO_TEXTS, *PICTURE),
        "analyses.compare.verb.compare", ("baseline", "new", "others")),
    "explain": Command(
        run_explain, (("files", "A file, a second one to compare with it, and the name of a "
                                "question (default: the questions worth a look)", "+"),),
        (Option("about", "The question, where its name could be taken for a file", shown="NAME"),
         SHOWN, HOW, *OUTPUT, NO_TEXTS),
        "analyses.explain.verb.explain", ("data", "name", "other")),
    "table": Command(
        run_table, (("files", "Files of one model each, or any files that name their models, as "
                              "for score", "+"),),
        (SHOWN, HOW, *OUTPUT), "analyses.table.verb.table", ("systems",)),
    "gate": Command(run_gate, (("new", "The candidate", None),), (
        Option("inconclusive_passes", "Exit with 0 where the gate is inconclusive", switch=True),
        Option("strict", "Exit with 1 where the gate is inconclusive", switch=True),
        Option("explain", "Explain each rule: what was tested, why it came out so, what would "
                          "change it", switch=True),
        Option("junit", "Also write JUnit XML, a test case a rule; an inconclusive one fails",
               Path),
        Option("skip_inconclusive", "In JUnit XML an inconclusive rule is skipped; the exit code "
                                    "stays", switch=True),
        Option("github_summary", "Append Markdown to a file (default: the step summary of GitHub)",
               alone="", shown="FILE"),
        Option("format", "How to print; github is Markdown for a step summary", default="text",
               flags=("-f",), choices=VERDICTS), HOW, METHODS, *OUTPUT, NO_TEXTS, *PICTURE),
        "analyses.gate.verb.gate", ("new",)),
    "plan": Command(
        run_plan, (("pilot", "Run of one system, or of two models (default: assumes uniformly "
                             "distributed difficulty)", "?"),
                   ("pilot_b", "Run of the other system on the same questions", "?")),
        (RUN_LIST, SHOWN, HOW, *OUTPUT, *PICTURE), "analyses.plan.verb.plan",
        ("pilot", "pilot_b"),
        dict(metrics=dict(about=f"{ONE_METRIC} (default: pass@1)"),
             k=dict(about="Budget of a metric that names none, such as 8", shown="NUMBER"))),
    "audit": Command(
        run_audit, (("numbers", "A published number, such as 0.843, 84.3% or 26/30, and another "
                                "one to compare with it; or several of one log: pass@1=38.0 "
                                "pass@2=44.7, or runs: 219 213 223 of 260", "+"),),
        (SHOWN, HOW, METHODS, *OUTPUT),
        "analyses.audit.verb.audit", ("number", "other"), reads=False),
    "extrapolate": Command(
        run_extrapolate, (("files", "Files or globs of one run", "+"),),
        (SHOWN, HOW, *OUTPUT, *PICTURE), "analyses.extrapolate.verb.extrapolate", ("data",),
        dict(metrics=dict(about=ONE_METRIC), models=dict(about="Model wanted where files hold "
                                                               "several"))),
}


def make_parser(
    names: Sequence[str] = tuple(COMMANDS),  # Sub-commands that it knows
    words: Sequence[str] | None = None,  # What was typed; None where it is not known
) -> Parser:
    """The parser of the command and of some of its sub-commands.

    A sub-command that was not typed is known by its name alone: options take time to enter.
    """
    parser = Parser("sampling-eval", description=ABOUT, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=__version__)
    below = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command",
                                  parser_class=Parser)
    for name in names:
        about = COMMANDS[name].run.__doc__ or ""
        own = below.add_parser(name, help=about, description=about, allow_abbrev=False)
        if words is None or name == find_command(words): add_options(own, COMMANDS[name])
    return parser


def find_command(words: Sequence[str]) -> str | None:
    "The sub-command that was typed."
    return next((word for word in words if word in COMMANDS), None)


def add_options(own: Any, command: Command) -> None:
    "Enter what a sub-command takes."
    for place, about, many in command.places:
        own.add_argument(place, help=about.replace("%", "%%"), nargs=many)
    options = command.list_options()
    for option in options: option.add_to(own)
    taken = {one.name for one in options} - {one.name for one in command.own}
    groups = derive_reading() if command.reads else {}
    reading = [option for group in groups.values() for option in group]
    own.set_defaults(taken=sorted(taken), reading=reading, options=[*options, *reading],
                     defaults={one.name: one.default for one in options})
    for title, found in groups.items():
        group = own.add_argument_group(title)
        for option in found: option.add_to(group)


def main() -> None:
    "Entry point of the `sampling-eval` command."
    sys.exit(guard(sys.argv[1:]))


def guard(words: Sequence[str]) -> int:
    """The exit code of what was typed.

    Whatever stops it ends with 2: 1, Python's own code for a fault, is a verdict of `gate`.
    """
    if sys.stdout is None or sys.stderr is None: return refuse_closed()
    try:
        code = start(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError: pass  # The reader has gone: what could be said reaches nobody
    except OSError as error:
        with suppress(OSError): tell(f"sampling-eval: {tell_error(error)}")
    except KeyboardInterrupt: return tell_interrupted()
    except Exception:
        with suppress(OSError): print_exc()
    drop_output()
    return 2


def start(words: Sequence[str]) -> int:
    "Parse what was typed, and run it."
    words = list(words)
    parser = make_parser(words[:1] if find_command(words[:1]) else tuple(COMMANDS), words)
    if not words:
        parser.print_help()
        return 2
    prepare_consoles()
    try: asked = parser.parse_args(words)
    except SystemExit as end: return int(end.code or 0)  # Help was asked for, or is needed
    return finish(asked, words)


def refuse_closed() -> int:
    "Say where it can be read that nothing is run while a stream is closed."
    closed, name = ("output", "") if sys.stdout is None else ("error", "2")
    # A file that was opened would take the number of the stream, and receive what is printed.
    print(f"sampling-eval: the standard {closed} is closed; to hide it, type {name}>/dev/null",
          file=sys.stderr or sys.stdout)
    return 2


def finish(
    asked: argparse.Namespace,  # What was parsed
    words: Sequence[str] = (),  # What was typed
) -> int:
    "The exit code of a command; bad input is told in one sentence."
    spelling = CommandSpelling(list(vars(asked)), PLACES, OTHERS, VERBS, WITH_COMMAS, words)
    asked.spelling = spelling
    try:
        code = run(asked)
        sys.stdout.flush()
        return code
    except BrokenPipeError: raise
    except RuntimeError as error:
        # So DuckDB tells that it was stopped while a query ran.
        if str(error) != "Query interrupted": raise
        return tell_interrupted()
    except MemoryError: said = TOO_LARGE
    except (ValueError, TypeError, OSError, ImportError) as error:
        said = tell_error(error, spelling)
        if getattr(error, "errno", None) in DISK_FULL: drop_output()
    tell(f"sampling-eval: {said}")
    return 2


def tell_interrupted() -> int:
    "Say that the user has stopped it; the code is that of every shell."
    tell("sampling-eval: interrupted; nothing was left half-written")
    return 130


def tell_error(
    error: Exception,  # Error of the package or of the system
    spelling: CommandSpelling = CommandSpelling(),  # How options are typed
) -> str:  # One sentence
    "What an error says; of the system, the file and the reason."
    if isinstance(error, OptionFault): return error.say(spelling)
    if not isinstance(error, OSError) or error.errno is None: return str(error)
    if error.errno in DISK_FULL:
        return f"cannot write {error.filename or 'the output'}: {tell_unwritten(error)}"
    reason = (error.strerror or type(error).__name__).lower()
    return f"cannot use {error.filename!r}: {reason}" if error.filename else reason


def tell(said: str) -> None:
    "Print a sentence among the errors: one line, or lines that fit where a person reads them."
    print(wrap(said) if sys.stderr.isatty() else printable(said), file=sys.stderr)


def drop_output() -> None:
    "Send what the output still holds nowhere: Python writes it once more at its end."
    with suppress(OSError): os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def list_outputs(asked: argparse.Namespace) -> list[Path]:
    "The files that the command is about to write."
    named = (getattr(asked, name, None) for name in WRITTEN)
    return [Path(path) for path in named if path]


def run(asked: argparse.Namespace) -> int:
    "The exit code of a command; what is read is never written over."
    from .reading.console import progress_bar, stand_in
    from .render.output import check_ending, keep_inputs
    with stand_in(asked, SINGLE):
        inputs = [*getattr(asked, "files", []), *(getattr(asked, name, None) for name in SINGLE)]
        keep_inputs(inputs, list_outputs(asked))
        check_ending(getattr(asked, "per_question", None))
        with progress_bar(f"reading {', '.join(filter(None, inputs[:3]))}"):
            return COMMANDS[asked.command].run(asked)
