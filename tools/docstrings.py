"""Write what the comments beside parameters say into docstrings of public functions and classes.

`help`, Tab and `?` read the source. The comments stay the only place where parameters are described
by hand; a page of a lesson stays as short as it is written, since the exported module is completed,
and not the cell. A type checker and the help of the command read names of interval methods in
`parameters.py`: these are written there from the table that has a row for each."""
import argparse
import ast
import inspect
import re
import sys
import textwrap
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
from stub import LIB, find_source, list_places  # noqa: E402

from sampling_eval.docstrings import HEAD, drop_parameters, read_parameters  # noqa: E402
from sampling_eval.inference.intervals import ASSUMPTION_FREE, INTERVAL_METHODS  # noqa: E402
from sampling_eval.parameters import GROUPS  # noqa: E402

OPTIONS = LIB / "parameters.py"

WIDTH = 96  # Columns of a line, without the indentation of a docstring


def complete(source, names):
    "The source of a module with the docstrings of some definitions completed."
    for name in names:
        node = next(o for o in ast.parse(source).body if getattr(o, "name", "") == name)
        lines = source.splitlines()
        said = read_parameters("\n".join(lines[node.lineno - 1:node.end_lineno]))
        place = node.body[0]
        if not said or ast.get_docstring(node) is None: continue
        if "reading" in said: said = add_reading(name, said, node.args)
        literal = "\n".join(lines[place.lineno - 1:place.end_lineno]).strip()
        written = write_literal(insert(drop_parameters(read_text(literal)), said))
        lines[place.lineno - 1:place.end_lineno] = written.splitlines()
        source = "\n".join(lines) + "\n"
    return source


def name_methods(source, known):
    "The source of `parameters.py` with the interval methods that are known, new ones last."
    head = "Method: TypeAlias = Literal["
    found = re.search(re.escape(head) + r"([^]]*)\]", source)
    held = ast.literal_eval(f"({found[1]},)")
    names = [one for one in held if one in known] + [one for one in known if one not in held]
    text = head + ", ".join(f'"{name}"' for name in names) + "]"
    written = textwrap.fill(text, 100, subsequent_indent=" " * len(head), break_on_hyphens=False)
    return source[:found.start()] + written + source[found.end():]


def read_text(literal):
    "What stands between the quotes, without indentation, as it is escaped there."
    quotes = 3 if literal[:3] in ('"""', "'''") else 1
    return inspect.cleandoc(literal[quotes:-quotes])


def add_reading(verb, said, arguments):
    "The options of reading: each with its text for `read`, by name for all other verbs."
    own = {one.arg for one in (*arguments.args, *arguments.kwonlyargs)}
    about = {name: text for name, text in describe_options().items() if name not in own}
    if verb == "read":
        end = {"return": said.pop("return")}
        return said | about | end
    return said | dict(reading=f"{said['reading']} (see `read`): {', '.join(about)}")


def describe_options():
    "What the comments beside the options of reading say."
    lines = OPTIONS.read_text("utf-8").splitlines()
    nodes = {node.name: node for node in ast.parse("\n".join(lines)).body
             if isinstance(node, ast.ClassDef)}
    kinds = [nodes[kind.__name__] for group in GROUPS.values() for kind in group]
    return {name: text for node in kinds for name, text in
            read_parameters("\n".join(lines[node.lineno - 1:node.end_lineno])).items()}


def insert(doc, said):
    "A docstring with its parameters after the first paragraph."
    first, found, rest = doc.partition("\n\n")
    width = max(map(len, said)) + 6
    rows = [textwrap.fill(text.replace("\\", "\\\\"), WIDTH,
                          initial_indent=f"    {name}".ljust(width),
                          subsequent_indent=" " * width)
            for name, text in said.items()]
    return "\n".join([first, "", HEAD, *rows]) + found + rest


def write_literal(doc):
    "A docstring as it stands in the source of a function."
    text = textwrap.indent(f'"""{doc}\n"""', "    ")
    return "\n".join(line.rstrip() for line in text.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a docstring is stale")
    parser.add_argument("--lib", type=Path, default=LIB, help="package to complete")
    options = parser.parse_args()
    places = {}
    for name, module in list_places(): places.setdefault(module, []).append(name)
    update(options.lib / OPTIONS.name, lambda source: name_methods(
        source, (ASSUMPTION_FREE, *INTERVAL_METHODS)), options.check)
    for module, names in places.items():
        path = options.lib / find_source(module).relative_to(LIB)
        update(path, lambda source, names=names: complete(source, names), options.check)


def update(path, make, check):
    "Write what a source becomes, or refuse one that would change."
    source = path.read_text("utf-8")
    made = make(source)
    if made == source: return
    if check: sys.exit(f"{path} is stale: run `make prepare`")
    path.write_text(made, "utf-8")


if __name__ == "__main__": main()
