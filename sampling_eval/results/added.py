"""Results to which options add: what each found is an attribute, and a field of the JSON."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from .base import Result, check, encode
from .registry import ADDONS, addon_module, addons_of

__all__ = ["Extended"]


@dataclass(frozen=True, eq=False, repr=False)
class Extended(Result):
    "A result that holds what add-ons found, by name."
    addons: dict[str, Any] = field(default_factory=dict, kw_only=True, metadata=dict(live=True))

    def __getattr__(self, name: str) -> Any:
        "What an option added; None, or nothing, where it was not asked for."
        found = vars(self).get("addons", {})
        if name in found: return found[name]
        if name in addons_of(self.kind): return () if ADDONS[name].several else None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def to_dict(self) -> dict[str, Any]:
        "All stored fields as plain Python values, and what options added."
        known = addons_of(self.kind)
        others = {name: encode(one) for name, one in self.addons.items() if name not in known}
        told = super().to_dict() | {name: encode(getattr(self, name)) for name in known}
        return told | (dict(addons=others) if others else {})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        own, others = cls.__name__, values.get("addons", {})
        found = {name: read_added(name, values[name], f"{own}.{name}")
                 for name in addons_of(cls.kind) if name in values}
        check(isinstance(others, Mapping), others, f"{own}.addons", "a mapping")
        found |= {name: addon_module(name).FOUND.from_dict(value) for name, value in others.items()}
        return replace(super().from_dict(values),
                       addons={name: one for name, one in found.items() if one})


def read_added(name: str, value: Any, place: str) -> Any:
    """What an option added, from plain values; None, or nothing, where it was not asked for.

    Raises: `ValueError` for a value of another kind.
    """
    several = ADDONS[name].several
    if several: check(isinstance(value, list), value, place, "a list")
    if not value and (several or value is None): return value
    parts = value if several else [value]
    for one in parts: check(isinstance(one, Mapping), one, place, "a mapping")
    found = [addon_module(name).FOUND.from_dict(one) for one in parts]
    return tuple(found) if several else found[0]
