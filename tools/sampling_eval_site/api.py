"What a page says of a function or class: signature, parameters, and the rest of its docstring."
from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from importlib import import_module
from pkgutil import resolve_name
from types import UnionType
from typing import Any, Union, get_args, get_origin

from sampling_eval import parameters
from sampling_eval.docstrings import (
    annotated_fields, documented_owner, drop_parameters, init_of, read_parameters)
from sampling_eval.pages.display import escape_cell

Row = tuple[str, str, str]
Definition = tuple[list[str] | None, list[Row]]


# A line of a notebook in whose place the site describes what it names.
MARK = re.compile(r"^.*<!-- describe: ([\w.]+:(\w+)) -->$", re.M)


def describe_marked(
    source: str,  # Markdown of a cell
) -> str:  # Without the heading of a description
    "A cell of a notebook with descriptions in the place of their marks."
    return MARK.sub(lambda found: "\n\n".join(describe(resolve_name(found[1]), found[2])), source)


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
    source = None if hasattr(sym, "__signature__") else find_source(documented_owner(sym))
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
    for module, names in import_module("sampling_eval._modidx").d["syms"].items():
        if f"{module}.{path}" not in names: continue
        found = import_module(module)
        for part in path.split("."): found = getattr(found, part)
        return found
    return None


def read_definition(source: str) -> Definition:
    "Arguments as a signature shows them, None if it has none, and rows `name, meaning, type`."
    node, said = ast.parse(source).body[0], read_parameters(source)
    if not isinstance(node, ast.ClassDef): return read_function(node, said)
    start = init_of(node)
    if start is not None: return read_function(start, said)
    fields = annotated_fields(node)
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
