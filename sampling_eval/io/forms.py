"""Forms of data, told apart before anything is read."""
from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from ..foundations.counts import Counts

__all__ = ["holds_outcomes", "holds_paths", "is_tensor", "array_of"]


def holds_outcomes(data: Any) -> bool:
    "Whether the data are counts or a table of 0/1."
    if isinstance(data, (Counts, np.ndarray)): return True
    return isinstance(data, (list, tuple)) and len(data) > 0 and not isinstance(
        data[0], (str, PathLike, Mapping))


def holds_paths(data: object) -> bool:
    "Whether the data are named by paths."
    if isinstance(data, (str, PathLike)): return True
    several = isinstance(data, (list, tuple)) and len(data) > 0
    return several and all(isinstance(item, (str, PathLike)) for item in data)  # type: ignore


def is_tensor(
    data: object,  # Anything
) -> bool:  # Whether it is an array of another library than numpy, and no frame
    "Whether something follows the array protocols."
    if isinstance(data, np.ndarray) or not hasattr(data, "shape"): return False
    if hasattr(data, "__dlpack__"): return True
    flat = not hasattr(data, "columns") and len(data.shape) == 2
    return flat and hasattr(data, "__array__")


def array_of(
    data: Any,  # Tensor
) -> np.ndarray:  # The same numbers
    """A tensor as an array.

    Raises: `TypeError` if it lies on another device, or numpy has no such type.
    """
    try: return np.asarray(data) if hasattr(data, "__array__") else np.from_dlpack(data)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise TypeError(tell_unreadable(data, str(error).splitlines()[0])) from None


def tell_unreadable(data: Any, reason: str) -> str:
    kind = f"{type(data).__module__.partition('.')[0]} {type(data).__name__}"
    device = str(getattr(data, "device", "cpu"))
    if device.lower().startswith("cpu"):
        return (f"need a tensor that numpy can read, got a {kind} ({reason.rstrip('.')}); "
                "convert it first, such as data.detach().to_dense().int()")
    way = "cpu" if hasattr(data, "cpu") else "get"
    return f"a tensor must lie in main memory, got a {kind} on {device}; pass data.{way}()"
