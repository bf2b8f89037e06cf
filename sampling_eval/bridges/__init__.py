"""Bridges to other harnesses, and what they are told where a number is not to be had."""
from __future__ import annotations

from functools import lru_cache
from logging import getLogger

__all__ = ["warn_once"]


@lru_cache(maxsize=1024)
def warn_once(
    said: str,  # The sentence
) -> None:
    "Log a warning that has not been logged yet."
    # An error at its end would cost the whole run; a number that is nan can be had from the log.
    getLogger(__name__).warning("%s", said)
