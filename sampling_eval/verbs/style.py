"""Moved to `results.style`."""
from ..results.style import (Rng, Style, check_kinds, check_range, check_rng, check_style,
                               main_target, try_method)

__all__ = ["Rng", "Style", "check_range", "check_rng", "check_style", "main_target",
           "check_kinds", "try_method"]
