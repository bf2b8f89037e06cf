"""How error bars are asked for: level, method, test, target and seed."""
from ..reporting.style import Rng, Style

__all__ = ["Rng", "Style"]
