"""How a number is printed."""
from __future__ import annotations

__all__ = ["digits", "percent", "signed", "p_text", "chance_text", "share_text", "span_text",
           "signed_span"]


def digits(
    value: float | None,  # Number to print; None for an undefined one
    decimals: int = 3,  # Decimals where they suffice
) -> str:  # Decimal text, `-` if undefined
    "A number in decimals, with as many as it takes not to round to 0, 1 or -1."
    if value is None: return "-"
    if value == round(value): return f"{value:.{decimals}f}"
    # A small number becomes a power of ten; one close to 1 gets digits until it differs from 1.
    most = 7 if abs(value) < .5 else 18
    tried = (f"{value:.{d}f}" for d in range(decimals, most))
    shown = next((text for text in tried if float(text) not in (-1, 0, 1)), None)
    return shown or f"{value:.2e}"


def percent(
    level: float,  # Level between 0 and 1
) -> str:  # Percent, `95` for 0.95
    "A level in percent, not rounded to 0 or 100."
    for d in range(6, 18):
        text = f"{100 * level:.{d}g}"
        if abs(float(text) - 100 * level) <= .1 * (1 - level): break
    return text


def signed(
    value: float | None,  # Difference; None for an undefined one
) -> str:  # Decimal text with a sign, `-` if undefined
    "A difference in decimals, `+0.031`; zero has no sign."
    if value is None or value <= 0: return digits(value)
    return f"+{digits(value)}"


def p_text(
    value: float | None,  # P value; None for an undefined one
) -> str:  # Four decimals, or a power of ten
    "A p value as text."
    if value is None: return "-"
    if value >= .0005: return f"{value:.4f}"
    return f"{value:.1e}" if value else "<1e-300"


def chance_text(
    value: float | None,  # Probability; None for an undefined one
) -> str:  # Three decimals; what lies closer to 0 or 1 is said to
    "A probability as text, never 0 or 1."
    if value is None: return "-"
    if value >= .9995: return ">0.999"
    return "<0.001" if value < .0005 else f"{value:.3f}"


def share_text(
    value: float | None,  # Number in [0, 1]; None for an undefined one
) -> str:  # Four decimals; what lies closer to 0 or 1, but is not, is said to
    "A value of a forecast as text."
    if value is None: return "-"
    if .99995 <= value < 1: return ">0.9999"
    return "<0.0001" if 0 < value < .00005 else f"{value:.4f}"


def span_text(
    low: float | None,  # Lower end of an interval; None where there is none
    high: float | None,  # Upper end
) -> str:  # `[0.319, 0.528]`, `-` without an interval
    "Both ends of an interval as text."
    return "-" if low is None else f"[{digits(low)}, {digits(high)}]"


def signed_span(
    low: float | None,  # Lower end of an interval of differences; None where there is none
    high: float | None,  # Upper end
) -> str:  # `[-0.030, +0.050]`, `-` without an interval
    "Both ends of an interval of differences as text."
    return "-" if low is None else f"[{signed(low)}, {signed(high)}]"
