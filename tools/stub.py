"""Write sampling_eval/__init__.pyi, which tells type checkers where each public name is defined.

The package imports a module when one of its names is first used, and a checker cannot see that."""
import argparse
import ast
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIB = ROOT / "sampling_eval"
STUB = LIB / "__init__.pyi"
DEFINITIONS = ast.FunctionDef, ast.ClassDef


def read_table(name):
    "A dict of `__init__.py`, from its source."
    for node in ast.parse((LIB / "__init__.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    sys.exit(f"sampling_eval/__init__.py has no table {name}")


def find_source(module):
    path = LIB.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def list_definitions(path):
    "Functions and classes of a module."
    body = ast.parse(path.read_text("utf-8")).body if path.exists() else []
    return {node.name for node in body if isinstance(node, DEFINITIONS)}


def find_homes(name):
    "Modules that define a name."
    found = [path.relative_to(LIB).with_suffix("") for path in sorted(LIB.rglob("*.py"))
             if name in list_definitions(path)]
    return [".".join(path.parts).removesuffix(".__init__") for path in found]


def check_table(places):
    "Refuse a name that its module does not define."
    for name, module in places:
        if name in list_definitions(find_source(module)): continue
        homes = " or ".join(find_homes(name)) or "no module"
        sys.exit(f"sampling_eval/__init__.py says that {module} defines {name}, it is in {homes}")


def list_places():
    "Each public name with its module."
    return [(name, module) for module, names in read_table("_PUBLIC").items()
            for name in names.split()]


def build():
    places = list_places()
    check_table(places)
    names = ", ".join(f'"{name}"' for name, _ in places)
    lines = ["# Written by tools/stub.py from the table in __init__.py: run make prepare.", ""]
    lines += [f"from .{module} import {name} as {name}" for name, module in places]
    lines += ["", "__version__: str", "__all__ = [",
              textwrap.fill(names, 96, initial_indent="    ", subsequent_indent="    ") + ",", "]"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when the stub is stale")
    options = parser.parse_args()
    text = build()
    if not options.check: STUB.write_text(text, encoding="utf-8")
    elif not STUB.exists() or STUB.read_text("utf-8") != text:
        sys.exit("sampling_eval/__init__.pyi is stale: run `make prepare`")


if __name__ == "__main__": main()
