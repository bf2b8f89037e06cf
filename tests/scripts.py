"Scripts of the project, which are no package, as modules, and the tables that they store."

import csv
import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def load_script(path):
    "The module in a file such as `bench/coverage.py`."
    spec = importlib.util.spec_from_file_location(
        path.removesuffix(".py").replace("/", "_"), ROOT / path
    )
    module = importlib.util.module_from_spec(spec)
    # A dataclass looks for its module here.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def read_settings():
    return load_script("tools/settings.py").read_settings()


def read_example(name):
    "The rows of a table in the examples."
    with (ROOT / "sampling_eval" / "examples" / name).open() as file:
        return list(csv.DictReader(file))
