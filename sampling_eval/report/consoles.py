"""Consoles that cannot show every sign, such as those of Windows under cp437."""
from __future__ import annotations

import codecs
import sys
from io import TextIOWrapper

__all__ = ["prepare_consoles"]

# The signs that reports print; those of tables keep their width.
PLAIN = {
    "\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{MINUS SIGN}": "-", "\N{MULTIPLICATION SIGN}": "x",
    "\N{MIDDLE DOT}": ".", "\N{BLACK CIRCLE}": "*", "\N{WHITE CIRCLE}": "o",
    "\N{FULL BLOCK}": "#", "\N{REPLACEMENT CHARACTER}": "?", "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{GREATER-THAN OR EQUAL TO}": ">=", "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{PLUS-MINUS SIGN}": "+/-", "\N{RIGHTWARDS ARROW}": "->",
    "\N{GREEK SMALL LETTER TAU}": "tau",
}
ERRORS = "sampling_eval.plain_signs"


def prepare_consoles() -> None:
    "Let output and errors print any text: a sign that they lack is no reason to fail."
    codecs.register_error(ERRORS, spell_signs)
    for stream in sys.stdout, sys.stderr:
        if isinstance(stream, TextIOWrapper): stream.reconfigure(errors=ERRORS)


def spell_signs(error: UnicodeError) -> tuple[str, int]:
    "Plain signs in the place of those that an encoding lacks, codes in the place of letters."
    if not isinstance(error, UnicodeEncodeError): raise error
    lacking = error.object[error.start:error.end]
    return "".join(PLAIN.get(sign) or write_code(sign) for sign in lacking), error.end


def write_code(sign: str) -> str: return sign.encode("ascii", "backslashreplace").decode()
