"""Moved to `results.style`."""
from ..results.style import Rng, Style

__all__ = ["Rng", "Style"]
