"Consoles that lack signs print others in their place."
import sys
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from sampling_eval.report.text import prepare_consoles
from sampling_eval.report.text import spell_signs, write_code


@pytest.mark.parametrize("sign, told", [("\u2013", "-"), ("\u2014", "-"), ("\u2026", "..."), ("\u2265", ">="),
                                        ("\u00b1", "+/-"), ("\u6a21", "\\u6a21"),
                                        ("\u00e9", "\\xe9"), ("\u2014\u00d7\u2192", "-x->")])
def test_signs_that_a_console_lacks(sign, told):
    assert spell_signs(UnicodeEncodeError("ascii", f"ab{sign}cd", 2, 2 + len(sign), "lacking")) == (told, 2 + len(sign))


def test_consoles_print_any_text(monkeypatch):
    out = TextIOWrapper(BytesIO(), "ascii")
    monkeypatch.setattr(sys, "stdout", out), monkeypatch.setattr(sys, "stderr", StringIO())
    prepare_consoles()
    print("0.1\u20130.2 \u6a21", end="", flush=True, file=out)
    assert out.buffer.getvalue() == b"0.1-0.2 \\u6a21" and write_code("\u6a21") == "\\u6a21"
