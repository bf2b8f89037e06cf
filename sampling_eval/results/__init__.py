"""Results of the verbs: frozen dataclasses of numbers and names."""
from .base import load_result

__all__ = ["load_result"]
