"""Results as plain values, and back."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, Self

import numpy as np

from ..results.columns import Absent

__all__ = ["plain_values", "flat_values", "parse_values", "Record", "Absent", "join_field",
           "make_array"]


def plain_values(
    value: Any,  # Records, dataclasses, mappings, sequences, arrays, scalars
) -> Any:  # The same of dicts, lists and scalars
    "A value as JSON can hold it, at any depth; what has no plain form becomes its text."
    if isinstance(value, Record): return value.to_dict()
    if isinstance(value, (np.ndarray, np.generic)): return plain_values(value.tolist())
    if isinstance(value, (list, tuple)): return [plain_values(inner) for inner in value]
    named = name_values(value)
    if named is not None: return {str(name): plain_values(o) for name, o in named.items()}
    plain = value is None or isinstance(value, (bool, int, float, str))
    return value if plain else str(value)


def flat_values(
    row: Any,  # A row of a result
) -> Any:  # Its plain values by name
    "A row as a line of a spreadsheet holds it."
    return row.to_flat() if hasattr(row, "to_flat") else plain_values(row)


def name_values(value: Any) -> Mapping[Any, Any] | None:
    "What a value holds by name; None where it holds nothing by name."
    if isinstance(value, Mapping): return value
    if isinstance(value, SimpleNamespace): return vars(value)
    if not is_dataclass(value): return None
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def parse_values(
    text: str,  # JSON text of a result
    kind: str,  # What the result is called
    names: Sequence[str],  # Names that such a result has
) -> dict[str, Any]:  # Its plain values by name
    """The plain values of a result from its JSON text.

    Raises: `ValueError` for text that is not the JSON of such a result.
    """
    found = json.loads(text)
    held = found if isinstance(found, dict) else {}
    absent = [name for name in names if name not in held]
    if absent:
        raise ValueError(f"need the JSON text of a {kind}, got one without {absent[0]!r} "
                         f"({len(absent)} of {len(names)} names are absent)")
    return held


class Record:
    """A row that tells itself by named fields, each computed when it is first asked for.

    A subclass has an attribute for every name in `names`, as a field of a dataclass or a cached
    property. Rows are equal where all these are.
    """
    names: ClassVar[tuple[str, ...]]

    def to_dict(self) -> dict[str, Any]:
        "All fields as plain Python values."
        return {name: plain_values(getattr(self, name)) for name in self.names}

    def to_flat(self) -> dict[str, Any]:
        "The same without fields inside fields, for a file or a frame with one column each."
        return self.to_dict()

    @classmethod
    def from_dict(cls,
        values: Mapping[str, Any],  # Value of every field, as `to_dict` gives them
        **known: Any,  # Further attributes
    ) -> Self:  # The row
        """A row that was told before; what it was computed from is not there.

        Raises: `ValueError` for a field that is absent.
        """
        absent = [name for name in cls.names if name not in values]
        if absent: raise ValueError(f"a {cls.__name__} needs {absent[0]!r}, got {list(values)}")
        row = object.__new__(cls)
        # A cached property looks here before it computes anything.
        vars(row).update({name: values[name] for name in cls.names}, **known)
        return row

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other): return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        told = self.to_dict().values()
        return hash(tuple(value for value in told if not isinstance(value, (dict, list))))

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items())
        return f"{type(self).__name__}({told})"


def join_field(
    rows: Sequence[Any],  # Rows of a result
    name: str,  # A field that holds text
) -> str:  # Each distinct text once, joined by `and`; empty ones are left out
    "What the rows say in one field, in the order of the rows."
    said = dict.fromkeys(getattr(row, name) for row in rows)
    return " and ".join(filter(None, said))


def make_array(
    values: Sequence[float | None] | None,  # Numbers from JSON; None for an undefined one
) -> np.ndarray | None:  # The array, NaN where undefined; None as it is
    "A list of plain numbers as an array."
    if values is None: return None
    return np.array([np.nan if value is None else value for value in values])
