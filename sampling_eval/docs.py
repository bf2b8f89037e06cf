"Docstrings that say what each parameter means, as `help` and `?` show them."
from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from typing import Any, TypeVar, cast

__all__ = ["complete_doc", "drop_parameters", "read_parameters"]

Symbol = TypeVar("Symbol")
HEAD = "Parameters:"


def complete_doc(
    symbol: Symbol,  # Function or class whose parameters have comments
) -> Symbol:  # The same object
    """A public name whose docstring lists its parameters after the first line.

    The comments beside the parameters stay the only place where they are described.
    Nothing happens where there is no source, no docstring or no comment.
    """
    doc = symbol.__doc__
    if not doc or HEAD in doc: return symbol
    try: source = inspect.getsource(cast(Any, symbol))
    except (OSError, TypeError): return symbol
    said = read_parameters(textwrap.dedent(source))
    if said: symbol.__doc__ = insert_parameters(inspect.cleandoc(doc), said)
    return symbol


def insert_parameters(doc: str, said: dict[str, str]) -> str:
    first, _, rest = doc.partition("\n")
    width = max(map(len, said)) + 6
    rows = [textwrap.fill(text, 100, initial_indent=f"    {name}".ljust(width),
                          subsequent_indent=" " * width) for name, text in said.items()]
    return "\n".join([first, "", HEAD, *rows]) + ("\n" + rest if rest else "")


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
    node, said = ast.parse(source).body[0], read_comments(source)
    lines = {name: o.end_lineno for name, o in list_parameters(node)}
    return {name: said[line] for name, line in lines.items() if line in said}


def list_parameters(node: ast.AST) -> list[tuple[str, ast.expr | ast.arg | ast.stmt]]:
    "Parameters of a function and its result; those of `__init__`, or the fields, of a class."
    if isinstance(node, ast.ClassDef):
        start = [o for o in node.body if isinstance(o, ast.FunctionDef) and o.name == "__init__"]
        if start: return [o for o in list_parameters(start[0]) if o[0] != "return"]
        fields = [o for o in node.body if isinstance(o, ast.AnnAssign)]
        return [(o.target.id, o) for o in fields if isinstance(o.target, ast.Name)]
    if not isinstance(node, ast.FunctionDef): return []
    args = node.args
    plain = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    result = [("return", node.returns)] if node.returns else []
    return [*((o.arg, o) for o in plain if o), *result]


def read_comments(source: str) -> dict[int, str]:
    "The comment at the end of each line."
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {o.start[0]: o.string.lstrip("# ") for o in tokens if o.type == tokenize.COMMENT}
