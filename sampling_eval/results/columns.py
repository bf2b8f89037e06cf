"""The values of the questions: a small table whose columns are made when they are looked at."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from .base import frame
from .registry import words_module

__all__ = ["Columns", "Spread", "Gap", "Absent"]


@dataclass(frozen=True, eq=False)
class Spread:
    "A column that is kept by distinct states: one value a state, and the state of each row."
    parts: tuple[tuple[np.ndarray, np.ndarray], ...]  # Values `(S,)` and states `(Q,)`

    def fill(self) -> np.ndarray:
        "The whole column."
        return np.concatenate([values[state] for values, state in self.parts])


@dataclass(frozen=True, eq=False)
class Gap:
    "The difference of two columns."
    new: Spread
    old: Spread

    def fill(self) -> np.ndarray:
        "The whole column, new minus old."
        return self.new.fill() - self.old.fill()


@dataclass(frozen=True, repr=False, eq=False)
class Columns(Mapping[str, np.ndarray]):
    "A small read-only table: named columns of equal length."
    data: Mapping[str, Any]  # Name to array, `Spread` or `Gap`

    def __getitem__(self, name: str) -> np.ndarray:
        column = self.data[name]
        return column.fill() if isinstance(column, (Spread, Gap)) else np.asarray(column)

    def __iter__(self) -> Iterator[str]: return iter(self.data)
    def __len__(self) -> int: return len(self.data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Columns): return NotImplemented
        same = list(self) == list(other)
        return same and all(np.array_equal(self[name], other[name]) for name in self)

    def rows(self) -> list[dict[str, Any]]:
        "The table as one dict per row, with plain Python values."
        columns = [column.tolist() for column in self.values()]
        return [dict(zip(self.data, row)) for row in zip(*columns, strict=True)]

    def where(self, keep: np.ndarray) -> Columns:
        "The rows where `keep` is true, or the rows at these positions."
        return Columns({name: column[keep] for name, column in self.items()})

    def to_frame(self, backend: str | None = None) -> Any:
        "A pandas, polars or pyarrow frame; the first of them that is installed if None."
        return frame({name: column.tolist() for name, column in self.items()}, backend)

    def __repr__(self) -> str:
        return str(words_module("text").preview(list(self.data), self.rows()))


class Absent(Mapping[str, Any]):
    "Columns of a result that was read from JSON, which does not hold them."
    said = "JSON does not hold the columns of the questions; compute the result again to have them"

    def __getitem__(self, name: str) -> NoReturn: raise KeyError(self.said)
    def __iter__(self) -> Iterator[str]: return iter(())
    def __len__(self) -> int: return 0
    def __repr__(self) -> str: return f"no columns: {self.said}"

    def rows(self) -> NoReturn: raise ValueError(self.said)
    def where(self, keep: object) -> NoReturn: raise ValueError(self.said)
    def to_frame(self, backend: str | None = None) -> NoReturn: raise ValueError(self.said)
