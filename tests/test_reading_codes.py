"Columns as plain arrays."
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from sampling_eval.io.values import comparable, read_decimal, tidy

NAN = float("nan")


def show(values): return list(map(repr, values.tolist() if isinstance(values, np.ndarray) else values))


# Values.

@pytest.mark.parametrize("values, kind, want", [
    ([True, False], "b", [True, False]), ([1, 2], "i", [1, 2]), ([1., NAN], "f", [1., NAN]), ([1, 2.], "O", [1, 2.]),
    ([1, None], "O", [1, None]), ([1, 2**63], "O", [1, 2**63]), ([1, 2**63 - 1], "i", [1, 2**63 - 1]),
    (["a", NAN, None], "O", ["a", None, None]), (["nan", "a"], "O", ["nan", "a"]), ([], "O", []),
    ([Decimal("1.50"), Decimal(2)], "O", [1.5, 2]), ([Decimal("NaN"), 1], "O", [None, 1]),
    ([np.int64(1), "x", np.bool_(True)], "O", [1, "x", True]), ([np.float64("nan"), 2], "O", [None, 2]),
    ([pd.NA, pd.NaT, 3], "O", [None, None, 3]), ([pd.NA, pd.NA], "O", [None, None]), ([pd.NaT], "O", [None]),
    ([np.datetime64("2026-01-02"), 1], "O", ["2026-01-02", 1]),
    ([np.timedelta64(2, "s"), 1], "O", ["2 seconds", 1]), (np.array(["2026-01-02"], "M8[D]"), "O", ["2026-01-02"]),
    (np.array(["b", "a"]), "O", ["b", "a"]), (iter([1, 2]), "i", [1, 2]),
    (np.ma.array([1., 2.], mask=[0, 1]), "f", [1., NAN]), (np.ma.array([1, 2], mask=[0, 1]), "O", [1, None]),
    (np.ma.array(["a", "b"], mask=[1, 0]), "O", [None, "b"]), (np.array([3], np.uint8), "u", [3])])
def test_a_column_as_an_array(values, kind, want):
    found = tidy(values)
    assert found.dtype.kind == kind and show(found) == show(want)


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
