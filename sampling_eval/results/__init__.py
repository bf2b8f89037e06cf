"""What all results share: frozen dataclasses of numbers and names, without words.

`base` has `Data`, which becomes plain values and back by the types of its fields, and `Result`,
whose forms are written by the module that `registry` names for its kind. The results of a verb
stand in `analyses`, each in the `result` of its folder.
"""
from .base import load_result

__all__ = ["load_result"]
