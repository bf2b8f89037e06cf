"How numbers are printed: no rounding invents a certainty, and what is undefined is a dash."
import numpy as np
import pytest

from sampling_eval.reporting.numbers import (chance_text, digits, p_text, percent, share_text,
                                             signed, signed_span, span_text)

DIGITS = [(.42, "0.420"), (2 / 3, "0.667"), (1., "1.000"), (0., "0.000"), (-.25, "-0.250"),
          (.9996, "0.9996"), (.99999999, "0.99999999"), (-.9999, "-0.9999"), (4e-5, "0.00004"),
          (-.0004, "-0.0004"), (3.1e-7, "3.10e-07"), (1 - 2e-16, "0.9999999999999998"),
          (1.0004, "1.0004"), (12.3456, "12.346"), (None, "-")]


@pytest.mark.parametrize("value, text", DIGITS)
def test_digits(value, text): assert digits(value) == text


def test_digits_of_another_number(): assert (digits(.123456, 4), digits(1, 4)) == ("0.1235", "1.0000")


@pytest.mark.parametrize("value", [10.**-i for i in range(1, 12)] + [.5, .49999, .5001])
def test_rounding_never_invents_certainty(value):
    for number in value, 1 - value, value - 1, -value:
        assert float(digits(number)) not in (-1, 0, 1)
        assert np.sign(float(digits(number))) == np.sign(number)


@pytest.mark.parametrize("level, text", [
    (.95, "95"), (.9, "90"), (.999, "99.9"), (.5, "50"), (1 / 3, "33.3333"),
    (.99999999, "99.999999"), (.999999, "99.9999"), (.9999999999, "99.99999999"), (1e-9, "1e-07"),
    # A thousandth of the distance to 100 is the largest error: 99.9655 would be off by more.
    (.9996546, "99.96546"), (.9996552, "99.9655")])
def test_percent(level, text): assert percent(level) == text


@pytest.mark.parametrize("value, text", [
    (.03125, "+0.031"), (0., "0.000"), (-.5, "-0.500"), (.9999, "+0.9999"), (1., "+1.000"),
    (None, "-")])
def test_signed(value, text): assert signed(value) == text


@pytest.mark.parametrize("value, text", [
    (1., "1.0000"), (.00315, "0.0032"), (.0005, "0.0005"), (.0004999, "5.0e-04"),
    (3e-9, "3.0e-09"), (1e-300, "1.0e-300"), (0., "<1e-300"), (None, "-")])
def test_p_text(value, text): assert p_text(value) == text


@pytest.mark.parametrize("value, text", [
    (.5, "0.500"), (.0005, "0.001"), (.0004999, "<0.001"), (0., "<0.001"), (.99949, "0.999"),
    (.9995, ">0.999"), (1., ">0.999"), (None, "-")])
def test_chance_text(value, text): assert chance_text(value) == text


@pytest.mark.parametrize("value, text", [
    (.5, "0.5000"), (0., "0.0000"), (1., "1.0000"), (.00005, "0.0001"), (.00004999, "<0.0001"),
    (.99994, "0.9999"), (.99995, ">0.9999"), (None, "-")])
def test_share_text(value, text): assert share_text(value) == text


def test_spans():
    assert span_text(.319, .528) == "[0.319, 0.528]" and span_text(0., 1.) == "[0.000, 1.000]"
    assert signed_span(-.03, .05) == "[-0.030, +0.050]"
    assert span_text(None, None) == signed_span(None, None) == "-"
