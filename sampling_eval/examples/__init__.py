"The data of the pages, inside the package; SOURCES.md names where each file is from."
from __future__ import annotations

from pathlib import Path

__all__ = ["example_path"]

HOME = Path(__file__).parent
ENDINGS = ".csv", ".jsonl", ".csv.gz"


def example_path(
    name: str,  # Name of a file, or a beginning that only one file has, such as `tau_bench`
) -> Path:  # Path that `score` and every other reader takes
    """The path of a data set that the pages use.

    Raises: `ValueError` unless exactly one file is named.
    """
    known = sorted(path.name for path in HOME.iterdir() if path.name.endswith(ENDINGS))
    if name in known: return HOME / name
    found = [one for one in known if name and one.startswith(name)]
    if len(found) == 1: return HOME / found[0]
    fault = f"{len(found)} examples begin" if found else "no example begins"
    raise ValueError(f"{fault} with {name!r}; there are {', '.join(found or known)}")
