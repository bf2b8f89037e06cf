"""What add-ons say in the result that they add to."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...results.added import Extended
from ...results.registry import addon_module

__all__ = ["hear"]


def hear(result: Extended, what: str, *more: Any) -> Iterator[Any]:
    "What every add-on says: its `sentences`, `blocks` or `folds`, or its `headline`."
    for name, found in result.addons.items():
        say = getattr(addon_module(name), what, None)
        if say is not None and found: yield from say(found, *more)
