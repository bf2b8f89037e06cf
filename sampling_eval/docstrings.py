"What the comments beside parameters say, read from the source."
from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Sequence
from dataclasses import is_dataclass
from importlib.util import find_spec
from itertools import takewhile
from typing import Any, NamedTuple

__all__ = ["HEAD", "drop_parameters", "init_of", "documented_owner", "annotated_fields",
           "read_parameters", "read_signature", "Written"]

HEAD = "Parameters:"  # Above the list that `tools/docstrings.py` writes into docstrings


def documented_owner(
    symbol: Any,  # Function or class
) -> Any:  # The same, or the class whose fields a dataclass inherits all of
    "Where the parameters of a definition are written."
    if not is_dataclass(symbol) or not isinstance(symbol, type): return symbol
    owners = (one for one in symbol.__mro__ if inspect.get_annotations(one))
    return next(owners, symbol)


def read_definition(
    module: str,  # Name of a module, which is not imported
    name: str,  # A function or class of it
) -> str:  # Its source, without decorators
    """The source of a definition that stands at the left margin of its module.

    Raises: `OSError` where there is none.
    """
    spec = find_spec(module)
    lines = linecache.getlines(spec.origin) if spec is not None and spec.origin else []
    heads = tuple(f"{kind} {name}{mark}" for kind in ("def", "class") for mark in "(:")
    start = next((i for i, line in enumerate(lines) if line.startswith(heads)), None)
    if start is None: raise OSError(f"no source of {module}.{name}")
    rest = range(start + 1, len(lines))
    # What comes next begins at the margin, as does the parenthesis that ends the parameters.
    end = next((i for i in rest if lines[i][0] not in " \n)"), len(lines))
    return "".join(lines[start:end])


def drop_parameters(
    doc: str,  # Docstring, completed or not
) -> str:  # The docstring as it is written
    "A docstring without the list of parameters."
    before, found, after = doc.partition(f"\n\n{HEAD}\n")
    if not found: return doc
    rest = after.splitlines(keepends=True)
    while rest and rest[0].startswith("    "): del rest[0]
    return (before + "\n" + "".join(rest)).rstrip("\n")


def read_parameters(
    source: str,  # Source of a function or class, without indentation
) -> dict[str, str]:  # Text beside each parameter or field, and beside `return`
    "What the comments of a definition say about its parameters, in their order."
    return read_comments(source, ast.parse(source).body[0])


class Written(NamedTuple):
    "A parameter, or a field, as it stands in the source."
    name: str
    annotation: str
    default: Any  # None where it has none, or none that is a literal
    about: str  # The comment beside it


def read_signature(
    module: str,  # Name of a module, which is not imported
    name: str,  # A function or class of it
) -> list[Written]:  # Parameters that may be given by name; fields of a class
    "The parameters of a function, without the time that its module takes to import."
    source = read_definition(module, name)
    node = ast.parse(source).body[0]
    said = read_comments(source, node)
    if isinstance(node, ast.ClassDef):
        return [Written(name, ast.unparse(o.annotation), None, said.get(name, ""))
                for name, o in annotated_fields(node)]
    assert isinstance(node, ast.FunctionDef)
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    defaults = [*[None] * (len(plain) - len(args.defaults)), *args.defaults, *args.kw_defaults]
    return [Written(one.arg, ast.unparse(one.annotation) if one.annotation else "Any",
                    default.value if isinstance(default, ast.Constant) else None,
                    said.get(one.arg, ""))
            for one, default in zip([*plain, *args.kwonlyargs], defaults)]


def documented_parameters(node: ast.AST) -> Sequence[tuple[str, ast.expr | ast.arg | ast.stmt]]:
    "Parameters of a function and its result; those of `__init__`, or the fields, of a class."
    if isinstance(node, ast.ClassDef):
        start = init_of(node)
        return annotated_fields(node) if start is None else name_parameters(start.args)
    if not isinstance(node, ast.FunctionDef): return []
    plain = name_parameters(node.args)
    return [*plain, ("return", node.returns)] if node.returns else plain


def init_of(
    node: ast.ClassDef,  # A class
) -> ast.FunctionDef | None:  # None where it has none of its own
    "The definition of `__init__` in a class."
    methods = (o for o in node.body if isinstance(o, ast.FunctionDef))
    return next((o for o in methods if o.name == "__init__"), None)


def annotated_fields(
    node: ast.ClassDef,  # A class, such as a dataclass
) -> list[tuple[str, ast.AnnAssign]]:  # Name and definition of each
    "The fields of a class."
    fields = (o for o in node.body if isinstance(o, ast.AnnAssign))
    return [(o.target.id, o) for o in fields if isinstance(o.target, ast.Name)]


def name_parameters(args: ast.arguments) -> list[tuple[str, ast.arg]]:
    "All parameters of a function, each with its name."
    plain = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [(o.arg, o) for o in plain if o]


def read_comments(source: str, node: ast.AST) -> dict[str, str]:
    "The comment on the line of each parameter, behind all that stands there, or right above it."
    parts = [node.args, node.returns] if isinstance(node, ast.FunctionDef) else [node]
    ends: dict[int, int] = {}
    for part in (inner for outer in parts if outer for inner in ast.walk(outer)):
        line, column = getattr(part, "end_lineno", None), getattr(part, "end_col_offset", 0)
        if line is not None: ends[line] = max(column, ends.get(line, 0))
    lines, said = source.splitlines(), {}
    for name, parameter in documented_parameters(node):
        line = parameter.end_lineno or 0
        # What stands in a text is no comment; columns are counted in bytes.
        _, mark, text = lines[line - 1].encode()[ends[line]:].decode().partition("#")
        above = lines[:parameter.lineno - 1][::-1]
        notes = [o.strip(" #") for o in takewhile(lambda o: o.strip().startswith("#"), above)]
        if mark: said[name] = text.lstrip("# ")
        elif notes: said[name] = " ".join(notes[::-1])
    return said
