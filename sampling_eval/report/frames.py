"""Columns as a data frame of an installed library."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

from ..extras import need

__all__ = ["BACKENDS", "list_backends", "choose_backend", "frame"]

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]
BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")


def list_backends() -> list[Backend]:  # Some of `BACKENDS`, in that order
    "The libraries of data frames that are installed."
    return [name for name in BACKENDS if find_spec(name)]


def choose_backend(
    backend: str | None = None,  # `pandas`, `polars` or `pyarrow`; the first installed if None
) -> Backend:  # Name of an installed library
    """The library whose frame is wanted.

    Raises: `ValueError` for an unknown one, `ImportError` naming what to install.
    """
    if backend not in (None, *BACKENDS):
        raise ValueError(f"backend must be one of {BACKENDS}, got {backend!r}")
    wanted = BACKENDS if backend is None else (backend,)
    found = [name for name in list_backends() if name in wanted]
    if found: return found[0]
    needed = backend or "pandas, polars or pyarrow"
    raise ImportError(f"a frame needs {needed}: pip install {backend or 'pandas'}")


def frame(
    columns: Mapping[str, Sequence[Any]],  # Column name to values
    backend: str | None = None,  # `pandas`, `polars` or `pyarrow`; the first installed if None
) -> Any:  # A frame of that library
    """Columns as a data frame.

    Raises: `ValueError` for an unknown library, `ImportError` naming what to install.
    """
    chosen = choose_backend(backend)
    narwhals: Any = need("narwhals", "frames")
    return narwhals.from_dict(dict(columns), backend=chosen).to_native()
