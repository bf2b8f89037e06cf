"""What the pages of the site need: processors, the description of a function, figures, tables.

A plain module: no notebook exports it. `settings.ini` names the processors and the renderer.
"""
from __future__ import annotations

import ast
import html
import inspect
import io
import re
import textwrap
import tokenize
from collections.abc import Iterator, Sequence
from enum import Enum
from fractions import Fraction
from importlib import import_module
from numbers import Integral, Real
from types import UnionType
from typing import Union, get_args, get_origin, get_type_hints

__all__ = ["fold", "glossary", "plain_helpers", "list_functions", "inline_html", "Api",
           "page_figures", "Table"]

PACKAGE = __name__.split(".")[0]
OPENED = '#| code-fold: show\n#| code-summary: "Exported source"\n'
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef


def fold(
    cell,  # Cell of a page, after nbdev's own processors
)->None:
    "Fold the source of an exported cell under its name, and a cell that only imports."
    if cell.cell_type != "code": return
    if cell.source.startswith(OPENED):
        rest = cell.source.removeprefix(OPENED)
        cell.source = write_fold(" ".join(["Source", *name_definitions(rest)]), rest)
    elif "code-fold:" not in cell.source and holds_only_imports(cell.source):
        cell.source = write_fold("Imports", cell.source)


def write_fold(summary, source):
    return f'#| code-fold: true\n#| code-summary: "{summary}"\n{source}'


def read_code(source):
    "The statements of a cell; none if it is not Python."
    try: return ast.parse(source).body
    except SyntaxError: return []


def holds_only_imports(source):
    body = read_code(source)
    return bool(body) and all(isinstance(o, (ast.Import, ast.ImportFrom)) for o in body)


def name_definitions(source):
    "`of pass_at_k` for the first public definition of a cell, nothing if there is none."
    names = [o.name for o in read_code(source) if isinstance(o, DEFINITIONS)]
    public = [o for o in names if not o.startswith("_")]
    return [f"of {public[0]}"] if public else []


TERM = re.compile(r"(\]\((?:\.\./)*glossary\.ipynb#[\w-]+\))(?!\{)")


def glossary(
    cell,  # Cell of a page
)->None:
    "Let Quarto show the entry of the glossary over every link into it."
    if cell.cell_type == "markdown": cell.source = TERM.sub(r"\1{.quarto-xref .term}", cell.source)


LINKED = re.compile(r"\[(`_[^`]*`)\]\([^)\s]*\)")


def plain_helpers(
    cell,  # Cell of a page
)->None:
    "Take the link from a helper's name: nbdev sets one, and no page describes helpers."
    if cell.cell_type == "markdown": cell.source = LINKED.sub(r"\1", cell.source)


WANTED = re.compile(r"<!-- functions: (public|internal) -->")


def list_functions(
    cell,  # Cell of a page in the folder of the front page
)->None:
    """Put the names of the package in the place of `<!-- functions: public -->` or `internal`.

    Done for the site only, so that no stored output goes stale with every new function.
    """
    if cell.cell_type != "markdown": return
    cell.source = WANTED.sub(lambda o: write_index(o[1] == "public"), cell.source)


def write_index(public):
    "A table of names and first lines for every module, of the public names or of all others."
    package = import_module(PACKAGE)
    parts = []
    for name, places in import_module(f"{PACKAGE}._modidx").d["syms"].items():
        rows = [(f"[`{o}`]({address})", said) for o, address, said in read_names(name, places)
                if (o in package.__all__) == public]
        if not rows: continue
        title = (inspect.getdoc(import_module(name)) or "").partition("\n")[0]
        parts += [f"**{name.partition('.')[2]}**: {title}", write_rows(("name", "meaning"), rows)]
    return "\n\n".join(parts)


def read_names(name, places):
    "Name, address and first line of everything a module shows on its page."
    module = import_module(name)
    for path, (page, _) in sorted(places.items()):
        symbol = path.removeprefix(name + ".")
        found = getattr(module, symbol, None)
        if "." in symbol or symbol.startswith("_") or not (inspect.getdoc(found) or ""): continue
        address = page.removeprefix("nbs/").replace(".html#", ".ipynb#")
        yield symbol, address, inspect.getdoc(found).partition("\n")[0]


def inline_html(
    cell,  # Cell of a page
)->None:
    """Turn an output in HTML into Markdown that holds it as a raw block.

    Quarto adds require.js and jQuery from a distant server to a page with any output in HTML.
    """
    for out in cell.get("outputs", []):
        data = out.get("data") or {}
        if "text/html" not in data: continue
        shown = "".join(data.pop("text/html")).strip()
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", shown)), default=0))
        raw = f"{fence}{{=html}}\n{shown}\n{fence}\n"
        if "text/markdown" not in data: data["text/markdown"] = raw.splitlines(keepends=True)


class Api:
    "A function or class described: summary, signature, table of parameters, rest of the docstring."

    def __init__(
        self,
        sym,  # Function or class
        name:str|None=None,  # Name to show; its own if None
        title_level:int=3,  # Level of the heading
    ):
        self.sym, self.level, self.name = sym, title_level, name or find_name(sym)

    def _repr_markdown_(self):
        # A traceback in this place hangs pandoc, so a page rather shows a bare name.
        try: parts = describe(self.sym, self.name)
        except Exception: parts = []
        return "\n\n".join(["#" * self.level + " " + self.name, *parts]) + "\n"


def find_name(sym):
    "What a page calls a function or class; the text of anything else."
    try: path = sym.__qualname__
    except Exception: return repr(sym)
    return sym.__name__ if "<locals>" in path else path


def describe(sym, name):
    "Summary, signature, table of parameters, rest of the docstring; each a block of Markdown."
    summary, _, rest = (inspect.getdoc(sym) or "").partition("\n")
    # A decorator that gives a function another signature means that one.
    source = None if hasattr(sym, "__signature__") else find_source(sym)
    arguments, rows = read_definition(source) if source else read_signature(sym)
    rows = [*explain_options(sym, rows), *list_methods(sym)]
    signature = "" if arguments is None else f"```python\n{write_signature(name, arguments)}\n```"
    return [o for o in (summary, signature, write_parameters(rows), rest.strip()) if o]


def find_source(sym):
    "The source of a definition; that of its exported twin where a notebook's own has none."
    # Python looks for the source of a class in the file of its module; a notebook has none.
    own = inspect.isfunction(sym) or getattr(sym, "__module__", "__main__") != "__main__"
    for o in ([sym] if own else []) + [find_exported(sym)]:
        try: return textwrap.dedent(inspect.getsource(o))
        except (OSError, TypeError): pass
    return None


def find_exported(sym):
    "The object of the same name in the module that a notebook exports."
    path = getattr(sym, "__qualname__", "")
    for module, names in import_module(f"{PACKAGE}._modidx").d["syms"].items():
        if f"{module}.{path}" not in names: continue
        found = import_module(module)
        for part in path.split("."): found = getattr(found, part)
        return found
    return None


def read_definition(source):
    "Arguments as a signature shows them, None if it has none, and rows `name, meaning, type`."
    node, said = ast.parse(source).body[0], read_comments(source)
    if not isinstance(node, ast.ClassDef): return read_function(node, said)
    start = [o for o in node.body if isinstance(o, ast.FunctionDef) and o.name == "__init__"]
    if start: return read_function(start[0], said)
    fields = [o for o in node.body
              if isinstance(o, ast.AnnAssign) and isinstance(o.target, ast.Name)]
    made = any("dataclass" in ast.unparse(o) for o in node.decorator_list)
    rows = [(show_name(o.target.id), said.get(o.end_lineno, ""), show_type(o.annotation))
            for o in fields]
    return [show_field(o) for o in fields] if made else None, rows


def read_function(node, said):
    found = list(list_arguments(node.args))
    skip = 1 if found and found[0][0] in ("self", "cls") else 0
    arguments = [shown for shown, _, _ in found[skip:]]
    rows = [(show_name(o.arg, stars), said.get(o.end_lineno, ""), show_type(o.annotation))
            for _, o, stars in found[skip:] if o]
    end = node.returns
    if end is not None and ast.unparse(end) != "None":
        rows.append(("*returns*", said.get(end.end_lineno, ""), show_type(end)))
    return arguments, rows


def show_name(name, stars=""): return "**" + r"\*" * len(stars) + f"{name}**"


def list_arguments(args)->Iterator:
    "Each argument as a signature shows it, its node (None for `/` and `*`), and its stars."
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
    for i, (o, default) in enumerate(zip(plain, defaults, strict=True)):
        yield show_default(o.arg, default), o, ""
        if i + 1 == len(args.posonlyargs): yield "/", None, ""
    if args.vararg: yield f"*{args.vararg.arg}", args.vararg, "*"
    elif args.kwonlyargs: yield "*", None, ""
    for o, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield show_default(o.arg, default), o, ""
    if args.kwarg: yield f"**{args.kwarg.arg}", args.kwarg, "**"


def show_default(name, default):
    return name if default is None else f"{name}={ast.unparse(default)}"


def show_field(node):
    "A field of a dataclass with its default."
    value, name = node.value, node.target.id
    if not isinstance(value, ast.Call) or ast.unparse(value.func).split(".")[-1] != "field":
        return show_default(name, value)
    given = {o.arg: o.value for o in value.keywords}
    if "default_factory" in given: return f"{name}={ast.unparse(given['default_factory'])}()"
    return show_default(name, given.get("default"))


def show_type(annotation):
    "A type for a reader: `int` or `ArrayLike`."
    if annotation is None: return ""
    options = []
    while isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        options.append(annotation.right)
        annotation = annotation.left
    shown = [ast.unparse(o) for o in [annotation, *reversed(options)]]
    return " or ".join(o if o == "None" else f"`{o}`" for o in shown)


def read_comments(source):
    "The comment at the end of each line."
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {o.start[0]: o.string.lstrip("# ") for o in tokens if o.type == tokenize.COMMENT}


def read_signature(sym):
    "Arguments and rows without source: names, defaults and types only."
    try: parameters = list(inspect.signature(sym).parameters.values())
    except (TypeError, ValueError): return None, []
    arguments, before = [], None
    for o in parameters:
        if before == o.POSITIONAL_ONLY != o.kind: arguments.append("/")
        if o.kind == o.KEYWORD_ONLY and before not in (o.KEYWORD_ONLY, o.VAR_POSITIONAL):
            arguments.append("*")
        default = o.default.value if isinstance(o.default, Enum) else o.default
        arguments.append(str(o.replace(annotation=o.empty, default=default)))
        before = o.kind
    if before == inspect.Parameter.POSITIONAL_ONLY: arguments.append("/")
    return arguments, [(show_name(o.name), "", show_annotation(o.annotation)) for o in parameters]


def show_annotation(annotation):
    "A type that exists as an object, for a reader."
    if annotation is inspect.Parameter.empty: return ""
    options = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else [annotation]
    shown = [o.__name__ if inspect.isclass(o) else inspect.formatannotation(o) for o in options]
    return " or ".join("None" if o == "NoneType" else f"`{o}`" for o in shown)


def explain_options(sym, rows):
    "The rows with flag, help and type of every parameter that typer reads from the command line."
    try: hints = get_type_hints(sym, include_extras=True)
    except Exception: return rows
    names = [row[0].strip("*\\") for row in rows]
    return [explain_option(row, o, hints.get(o)) for row, o in zip(rows, names, strict=True)]


def explain_option(row, name, hint):
    found = [o for o in getattr(hint, "__metadata__", ()) if hasattr(o, "help")]
    if not found: return row
    # Inside `Annotated`, typer keeps the first flag as the default.
    given = [found[0].default, *(found[0].param_decls or ())]
    flags = [o for o in given if isinstance(o, str) and o.startswith("-")]
    if not flags and type(found[0]).__name__ == "OptionInfo":
        flags = ["--" + name.replace("_", "-")]
    shown = ", ".join(f"`{o}`" for o in flags) or row[0]
    return shown, found[0].help or row[1], show_annotation(hint.__origin__)


def list_methods(sym):
    "The public methods of a class, each with an anchor and the first line of its docstring."
    if not inspect.isclass(sym): return []
    found = [(name, *unwrap_method(o)) for name, o in vars(sym).items() if not name.startswith("_")]
    return [(f'<a id="{sym.__qualname__.lower()}.{name.lower()}"></a>`.{name}`',
             (inspect.getdoc(o) or "").partition("\n")[0], kind)
            for name, kind, o in found if inspect.isfunction(o)]


def unwrap_method(member):
    "Whether a member of a class is a method or a property, and its function."
    if isinstance(member, property): return "property", member.fget
    return "method", getattr(member, "__func__", member)


def write_signature(name, arguments, width=76):
    "A call with every argument, broken at `width` columns."
    line = f"{name}({', '.join(arguments)})"
    if len(line) <= width: return line
    indent = " " * (len(name) + 1 if len(name) < 32 else 4)
    lines, row = [], f"{name}("
    for argument in [*(o + "," for o in arguments[:-1]), arguments[-1] + ")"]:
        if row.strip() and len(row) + len(argument) > width and row != f"{name}(":
            lines.append(row.rstrip())
            row = indent
        row += argument + " "
    return "\n".join([*lines, row.rstrip()])


def write_parameters(rows):
    "Rows `name, meaning, type` as a table that stacks on phones."
    # A table of bare names would only repeat the signature.
    if not any(meaning for _, meaning, *_ in rows): return ""
    return write_rows(("name", "meaning", "type"), rows)


# Pandoc takes the widths of the columns from the dashes when a row is long.
WIDTHS = {"name": 8, "meaning": 34, "type": 12}


def write_rows(heads, rows):
    lines = ["| " + " | ".join(escape_cell(o) for o in row) + " |" for row in (heads, *rows)]
    rule = "|" + "|".join(":" + "-" * WIDTHS[o] for o in heads) + "|"
    return "\n".join(['<div class="api">\n', lines[0], rule, *lines[1:], "\n</div>"])


def escape_cell(text):
    "Markdown for a cell of a table: code, links and formulas stay, every other mark is literal."
    parts = re.split(r"(`[^`]*`|\$[^$]*\$)", str(text).replace("\n", " "))
    return "".join(escape_span(o) if i % 2 else re.sub(r"([\^~|])", r"\\\1", o)
                   for i, o in enumerate(parts))


def escape_span(text):
    "A bar inside code or a formula, which Markdown would take for the end of the cell."
    if "|" not in text: return text
    if text.startswith("$"): return text.replace("|", r"\vert ")
    return f"<code>{html.escape(text[1:-1]).replace('|', '&#124;')}</code>"


def page_figures()->None:
    """Set the figures and numbers of a page: SVG, full width, clear background, plain numbers.

    Called once a page, in a hidden cell after the imports.
    """
    import matplotlib
    import numpy as np
    from matplotlib_inline.backend_inline import set_matplotlib_formats
    set_matplotlib_formats("svg", bbox_inches=None, metadata={"Date": None})
    matplotlib.rcParams.update(FIGURES)
    if int(np.__version__.split(".")[0]) > 1: np.set_printoptions(legacy="1.25")
    np.set_printoptions(precision=4, suppress=True)


# `transparent=True` would fail inside the display hook without failing the run,
# so the backgrounds are clear one by one.
FIGURES = {
    "svg.hashsalt": "sampling_eval", "svg.fonttype": "none",
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
    "figure.figsize": (6, 3.2), "figure.constrained_layout.use": True, "font.size": 10.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "grid.color": "#808080", "grid.alpha": .25, "grid.linewidth": .6,
    "legend.frameon": False,
}


class Table:
    """Rows under heads: a Markdown table in notebooks and pages, aligned text elsewhere.

    Floats have three decimals, and keep a digit when they are smaller.
    """

    def __init__(
        self,
        rows:Sequence[Sequence],  # One sequence of values per row
        *heads:str,  # Head of each column
    ):
        self.rows, self.heads = [tuple(row) for row in rows], heads
        wrong = [row for row in self.rows if len(row) != len(heads)]
        if wrong:
            at = self.rows.index(wrong[0])
            raise ValueError(f"every row must have {len(heads)} values, one per head,"
                             f" got {len(wrong[0])} in row {at}"
                             f" ({len(wrong)} of {len(self.rows)} fail)")
        self.right = [all(is_number(row[i]) or row[i] is None for row in self.rows)
                      for i in range(len(heads))]

    def lines(self)->list[list[str]]:
        "Heads and rows as texts."
        return [list(self.heads), *([show_value(o) for o in row] for row in self.rows)]

    def _repr_markdown_(self):
        head, *rows = ("| " + " | ".join(map(escape_cell, line)) + " |" for line in self.lines())
        rule = "|" + "|".join("---:" if o else ":---" for o in self.right) + "|"
        return "\n".join([head, rule, *rows])

    def __repr__(self):
        lines = self.lines()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shape = list(zip(widths, self.right, strict=True))
        fit = [[o.rjust(w) if right else o.ljust(w)
                for o, (w, right) in zip(line, shape, strict=True)] for line in lines]
        body = ["  ".join(line).rstrip() for line in fit]
        return "\n".join([body[0], "-" * (sum(widths) + 2 * len(widths) - 2), *body[1:]])


def is_number(value): return isinstance(value, (Real, Fraction)) and not isinstance(value, bool)


def show_value(value):
    "A value as a reader wants it in a table."
    if value is None: return ""
    if hasattr(value, "item"): value = value.item()
    if isinstance(value, bool): return "yes" if value else "no"
    if isinstance(value, Fraction): return str(value)
    if isinstance(value, Integral): return f"{value:,}" if abs(value) >= 10_000 else str(value)
    if not isinstance(value, Real): return str(value)
    # Three decimals would print a small number as zero.
    return f"{value:.1e}" if 0 < abs(value) < 5e-4 else f"{value:.3f}"
