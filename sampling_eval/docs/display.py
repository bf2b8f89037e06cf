"What pages show: tables in Markdown, and the settings of figures and numbers."
from __future__ import annotations

import ast
import html
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from importlib import import_module
from numbers import Integral, Real
from types import UnionType
from typing import Any, Union, get_args, get_origin

from ..docstrings import drop_parameters, find_init, find_owner, list_fields, read_parameters

__all__ = ["Table", "Api", "page_figures", "show_value", "escape_cell", "write_rows"]

PACKAGE = __name__.partition(".")[0]


class Table:
    """Rows under heads: a Markdown table in notebooks and pages, aligned text elsewhere.

    Floats have three decimals from 0 to 10, fewer above, and keep a digit when they are smaller.
    In Markdown a column of yes and no is one of marks.
    """

    def __init__(
        self,
        rows: Sequence[Sequence],  # One sequence of values per row
        *heads: str,  # Head of each column
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

    def lines(self) -> list[list[str]]:
        "Heads and rows as texts."
        return [list(self.heads), *([show_value(o) for o in row] for row in self.rows)]

    def _repr_markdown_(self) -> str:
        heads, *told = self.lines()
        lines = [heads, *mark_columns(told)]
        head, *rows = ("| " + " | ".join(map(escape_cell, line)) + " |" for line in lines)
        rule = "|" + "|".join("---:" if o else ":---" for o in self.right) + "|"
        return "\n".join([head, rule, *rows])

    def __repr__(self) -> str:
        lines = self.lines()
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shape = list(zip(widths, self.right, strict=True))
        fit = [[o.rjust(w) if right else o.ljust(w)
                for o, (w, right) in zip(line, shape, strict=True)] for line in lines]
        body = ["  ".join(line).rstrip() for line in fit]
        return "\n".join([body[0], "-" * (sum(widths) + 2 * len(widths) - 2), *body[1:]])


def is_number(value: object) -> bool:
    return isinstance(value, (Real, Fraction)) and not isinstance(value, bool)


MARKS = {"yes": "✓", "no": "✗"}


def mark_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    "Texts, where a column of nothing but yes and no is one of marks."
    columns = [list(column) for column in zip(*rows, strict=True)]
    marked = [[MARKS.get(o, o) for o in column] if {*column} <= {*MARKS, ""} else column
              for column in columns]
    return [list(row) for row in zip(*marked, strict=True)]


def show_value(
    value: Any,  # Number, text, truth value or None
) -> str:  # Three decimals for a float; a small one keeps a digit, a large one needs fewer
    "A value as a reader wants it in a table."
    if value is None: return ""
    if hasattr(value, "item"): value = value.item()
    if isinstance(value, bool): return "yes" if value else "no"
    if isinstance(value, Fraction): return str(value)
    if isinstance(value, Integral): return f"{value:,}" if abs(int(value)) >= 10_000 else str(value)
    if not isinstance(value, Real): return str(value)
    size = abs(float(value))
    # Three decimals would print a small number as zero.
    if 0 < size < 5e-4: return f"{value:.1e}"
    # Nobody measures a percentage or a count to a thousandth.
    decimals = 3 if size < 9.9995 else 1 if size < 999.95 else 0
    # Zero has no sign.
    return f"{float(value) + 0.:,.{decimals}f}"


# Pandoc takes the widths of the columns from the dashes when a row is long.
WIDTHS = {"name": 8, "meaning": 34, "type": 12}


def write_rows(
    heads: Sequence[str],  # Keys of `WIDTHS`
    rows: Iterable[Sequence[str]],  # One text per head and row
) -> str:  # The table inside a block with the class `api`
    "Rows of text as a table that a phone can show."
    lines = ["| " + " | ".join(escape_cell(o) for o in row) + " |" for row in (heads, *rows)]
    rule = "|" + "|".join(":" + "-" * WIDTHS[o] for o in heads) + "|"
    return "\n".join(['<div class="api">\n', lines[0], rule, *lines[1:], "\n</div>"])


def escape_cell(
    text: object,  # What to show
) -> str:  # The same in one line
    "Markdown for a cell of a table: code, links and formulas stay, every other mark is literal."
    parts = re.split(r"(`[^`]*`|\$[^$]*\$)", str(text).replace("\n", " "))
    return "".join(escape_span(o) if i % 2 else re.sub(r"([\^~|])", r"\\\1", o)
                   for i, o in enumerate(parts))


def escape_span(text: str) -> str:
    "A bar inside code or a formula, which Markdown would take for the end of the cell."
    if "|" not in text: return text
    if text.startswith("$"): return text.replace("|", r"\vert ")
    return f"<code>{html.escape(text[1:-1]).replace('|', '&#124;')}</code>"


# Functions and classes.

Row = tuple[str, str, str]
Definition = tuple[list[str] | None, list[Row]]


class Api:
    "A function or class described: summary, signature, table of parameters, rest of the docstring."

    def __init__(
        self,
        sym: Any,  # Function or class
        name: str | None = None,  # Name to show; its own if None
        title_level: int = 3,  # Level of the heading
    ):
        self.sym, self.level, self.name = sym, title_level, name or find_name(sym)

    def _repr_markdown_(self) -> str:
        # A traceback in this place hangs pandoc, so a page rather shows a bare name.
        try: parts = describe(self.sym, self.name)
        except Exception: parts = []
        return "\n\n".join(["#" * self.level + " " + self.name, *parts]) + "\n"


def find_name(sym: Any) -> str:
    "What a page calls a function or class; the text of anything else."
    try: path = sym.__qualname__
    except Exception: return repr(sym)
    return sym.__name__ if "<locals>" in path else path


def describe(
    sym: Any,  # Function or class
    name: str,  # What a page calls it
) -> list[str]:  # Blocks of Markdown
    "Summary, signature, table of parameters, rest of the docstring."
    summary, _, rest = drop_parameters(inspect.getdoc(sym) or "").partition("\n")
    # A decorator that gives a function another signature means that one.
    source = None if hasattr(sym, "__signature__") else find_source(find_owner(sym))
    arguments, rows = read_definition(source) if source else read_signature(sym)
    rows = [*rows, *list_methods(sym)]
    signature = "" if arguments is None else f"```python\n{write_signature(name, arguments)}\n```"
    return [o for o in (summary, signature, write_parameters(rows), rest.strip()) if o]


def find_source(sym: Any) -> str | None:
    "The source of a definition; that of its exported twin where a notebook's own has none."
    # Python looks for the source of a class in the file of its module; a notebook has none.
    own = inspect.isfunction(sym) or getattr(sym, "__module__", "__main__") != "__main__"
    for o in ([sym] if own else []) + [find_exported(sym)]:
        try: return textwrap.dedent(inspect.getsource(o))
        except (OSError, TypeError): pass
    return None


def find_exported(sym: Any) -> Any:
    "The object of the same name in the module that a notebook exports."
    path = getattr(sym, "__qualname__", "")
    for module, names in import_module(f"{PACKAGE}._modidx").d["syms"].items():
        if f"{module}.{path}" not in names: continue
        found = import_module(module)
        for part in path.split("."): found = getattr(found, part)
        return found
    return None


def read_definition(source: str) -> Definition:
    "Arguments as a signature shows them, None if it has none, and rows `name, meaning, type`."
    node, said = ast.parse(source).body[0], read_parameters(source)
    if not isinstance(node, ast.ClassDef): return read_function(node, said)
    start = find_init(node)
    if start is not None: return read_function(start, said)
    fields = list_fields(node)
    made = any("dataclass" in ast.unparse(o) for o in node.decorator_list)
    rows = [(show_name(name), said.get(name, ""), show_type(o.annotation)) for name, o in fields]
    return [show_field(o) for _, o in fields] if made else None, rows


def read_function(node: Any, said: dict[str, str]) -> Definition:
    found = list(list_arguments(node.args))
    skip = 1 if found and found[0][0] in ("self", "cls") else 0
    arguments = [shown for shown, _, _ in found[skip:]]
    # What stands behind two stars is told in words; its type is for type checkers.
    rows = [(show_name(o.arg, stars), said.get(o.arg, ""),
             "`Any`" if stars == "**" else show_type(o.annotation))
            for _, o, stars in found[skip:] if o]
    end = node.returns
    if end is not None and ast.unparse(end) != "None":
        rows.append(("*returns*", said.get("return", ""), show_type(end)))
    return arguments, rows


def show_name(name: str, stars: str = "") -> str: return "**" + r"\*" * len(stars) + f"{name}**"


def list_arguments(args: ast.arguments) -> Iterator[tuple[str, ast.arg | None, str]]:
    "Each argument as a signature shows it, its node (None for `/` and `*`), and its stars."
    plain = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(plain) - len(args.defaults)), *args.defaults]
    for i, (o, default) in enumerate(zip(plain, defaults, strict=True)):
        yield show_default(o.arg, default), o, ""
        if i + 1 == len(args.posonlyargs): yield "/", None, ""
    if args.vararg: yield f"*{args.vararg.arg}", args.vararg, "*"
    elif args.kwonlyargs: yield "*", None, ""
    for o, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield show_default(o.arg, default), o, ""
    if args.kwarg: yield f"**{args.kwarg.arg}", args.kwarg, "**"


def show_default(name: str, default: ast.expr | None) -> str:
    return name if default is None else f"{name}={ast.unparse(default)}"


def show_field(node: Any) -> str:
    "A field of a dataclass with its default."
    value, name = node.value, node.target.id
    if not isinstance(value, ast.Call) or ast.unparse(value.func).split(".")[-1] != "field":
        return show_default(name, value)
    given = {o.arg: o.value for o in value.keywords}
    if "default_factory" in given: return f"{name}={ast.unparse(given['default_factory'])}()"
    return show_default(name, given.get("default"))


def show_type(annotation: ast.expr | None) -> str:
    "A type for a reader: `int` or `ArrayLike`."
    if annotation is None: return ""
    options = []
    while isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        options.append(annotation.right)
        annotation = annotation.left
    shown = [ast.unparse(o) for o in [annotation, *reversed(options)]]
    return " or ".join(o if o == "None" else show_values(o) for o in shown)


def show_values(name: str) -> str:
    "A type by name; in place of one that lists its values, the values."
    from .. import parameters
    values = get_args(getattr(parameters, name, None))
    return " or ".join(f"`{value!r}`" for value in values) if values else f"`{name}`"


def read_signature(sym: Any) -> Definition:
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


def show_annotation(annotation: Any) -> str:
    "A type that exists as an object, for a reader."
    if annotation is inspect.Parameter.empty: return ""
    options = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else [annotation]
    shown = [o.__name__ if inspect.isclass(o) else inspect.formatannotation(o) for o in options]
    return " or ".join("None" if o == "NoneType" else show_values(o) for o in shown)


def list_methods(sym: Any) -> list[Row]:
    "The public methods of a class, each with an anchor and the first line of its docstring."
    if not inspect.isclass(sym): return []
    found = [(name, *unwrap_method(o)) for name, o in vars(sym).items() if not name.startswith("_")]
    return [(f'<a id="{sym.__qualname__.lower()}.{name.lower()}"></a>`.{name}`',
             (inspect.getdoc(o) or "").partition("\n")[0], kind)
            for name, kind, o in found if inspect.isfunction(o)]


def unwrap_method(member: Any) -> tuple[str, Any]:
    "Whether a member of a class is a method or a property, and its function."
    if isinstance(member, property): return "property", member.fget
    return "method", getattr(member, "__func__", member)


def write_signature(name: str, arguments: list[str], width: int = 76) -> str:
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


def write_parameters(rows: list[Row]) -> str:
    "Rows `name, meaning, type` as a table that stacks on phones."
    # A table of bare names would only repeat the signature.
    if not any(meaning for _, meaning, *_ in rows): return ""
    return write_rows(("name", "meaning", "type"), rows)


# Figures.

def page_figures() -> None:
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
FIGURES: Any = {
    "svg.hashsalt": "sampling_eval", "svg.fonttype": "none",
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
    "figure.figsize": (6, 3.2), "figure.constrained_layout.use": True, "font.size": 10.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "grid.color": "#808080", "grid.alpha": .25, "grid.linewidth": .6,
    "legend.frameon": False,
}
