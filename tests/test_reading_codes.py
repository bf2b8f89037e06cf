"Columns as plain arrays."
import math
from decimal import Decimal

import numpy as np
import pytest

from sampling_eval.io.values import comparable, read_decimal

NAN = float("nan")


def show(values): return list(map(repr, values.tolist() if isinstance(values, np.ndarray) else values))


# Values.

@pytest.mark.parametrize("text, want", [
    ("3", 3), ("3.000", 3), ("1E+2", 100), ("2.5", 2.5), ("-0.25", -.25), ("Infinity", math.inf), ("1E-400", None),
    ("0.99999999999999999999", None), ("1.00000000000000000001", None), ("12345678901234567890", 12345678901234567890)])
def test_a_decimal_is_no_other_numbers_name(text, want):
    assert repr(read_decimal(Decimal(text))) == repr(Decimal(text) if want is None else want)


def test_nested_answers_as_text():
    nested = np.empty(6, object)
    nested[:] = [{"b": np.array([1, 2]), "a": "ü"}, [Decimal("1.5"), None], (1, 2), "x", None, np.array([[1]])]
    assert comparable(nested).tolist() == ['{"a": "ü", "b": [1, 2]}', '["1.5", null]', "[1, 2]", "x", None, "[[1]]"]
    assert show(comparable(np.array([1, 2.5], object))) == ["1", "2.5"]
    assert comparable(np.array([1., NAN])).dtype.kind == "f"
