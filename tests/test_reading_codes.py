"Columns as plain arrays, as codes, and sample numbers as sets of bits."
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from sampling_eval.io.values import (code_values, find_varied, join_codes, join_columns,
                                     order_value, plain_name)
from sampling_eval.io.sample_ids import BITS, WORDS, count_bits, join_bits, mark_distinct, set_bits
from sampling_eval.io.values import comparable, join_arrays, join_present, read_decimal, tidy

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


def test_arrays_of_numbers_stay_as_they_are():
    for kind in "?", "i4", "u8", "f4":
        values = np.array([1, 0], kind)
        assert tidy(values) is values
    with pytest.raises(ValueError, match=r"a column must be one-dimensional, got shape \(1, 2\)"): tidy(np.ones((1, 2)))


@pytest.mark.parametrize("text, want", [
    ("3", 3), ("3.000", 3), ("1E+2", 100), ("2.5", 2.5), ("-0.25", -.25), ("Infinity", math.inf), ("1E-400", None),
    ("0.99999999999999999999", None), ("1.00000000000000000001", None), ("12345678901234567890", 12345678901234567890)])
def test_a_decimal_is_no_other_numbers_name(text, want):
    assert repr(read_decimal(Decimal(text))) == repr(Decimal(text) if want is None else want)


def test_parts_of_a_column():
    one = np.array([1, 2])
    assert join_arrays([one]) is one
    assert show(join_arrays([one, np.array([3])])) == ["1", "2", "3"]
    assert join_arrays([one, one]).dtype.kind == "i"
    assert show(join_arrays([one, np.array([.5]), np.array([True])])) == ["1", "2", "0.5", "True"]
    assert show(join_arrays([one, np.array(["a", None], object)])) == ["1", "2", "'a'", "None"]
    assert join_present([one, None]) is None is join_present([None, None])
    assert show(join_present([one, one + 2])) == ["1", "2", "3", "4"]


def test_nested_answers_as_text():
    nested = np.empty(6, object)
    nested[:] = [{"b": np.array([1, 2]), "a": "ü"}, [Decimal("1.5"), None], (1, 2), "x", None, np.array([[1]])]
    assert comparable(nested).tolist() == ['{"a": "ü", "b": [1, 2]}', '["1.5", null]', "[1, 2]", "x", None, "[[1]]"]
    assert show(comparable(np.array([1, 2.5], object))) == ["1", "2.5"]
    assert comparable(np.array([1., NAN])).dtype.kind == "f"


# Codes.

def test_values_as_codes():
    code, names = code_values(np.array([3, 1, 3]))
    assert (code.tolist(), names) == ([1, 0, 1], [1, 3])
    code, names = code_values(np.array(["b", "a", "b"], object))
    assert (code.tolist(), names) == ([0, 1, 0], ["b", "a"])
    code, names = code_values(np.array([1, True, 1., None, 1, None], object))
    assert (code.tolist(), show(names)) == ([0, 1, 2, 3, 0, 3], ["1", "True", "1.0", "None"])
    code, names = code_values(np.array([None, None], object))
    assert (code.tolist(), names) == ([0, 0], [None])


def test_codes_of_pairs_have_no_gap():
    a, b = np.array([0, 1, 1, 0]), np.array([5, 0, 5, 5])
    assert join_codes(a, b).tolist() == [0, 1, 2, 0]
    assert join_columns([np.array(["x", "y", "y", "x"], object), b, np.array([1, 1, 1, 0])]).tolist() == [1, 2, 3, 0]
    assert join_columns([np.array([7, 3])]).tolist() == [1, 0]


def test_codes_that_vary_within_their_scope():
    scope = np.array([0, 1, 0, 1, 2])
    assert find_varied(scope, np.array([4, 4, 4, 5, 6])).tolist() == [False, True, False, True, False]
    assert find_varied(scope, np.array([1, 4, 2, 4, 6])).tolist() == [True, False, True, False, False]


def test_names_in_order():
    assert show(map(plain_name, [1., 1.5, "1.0", True, math.inf, None])) == ["1", "1.5", "'1.0'", "True", "inf", "None"]
    mixed = ["b", 10, 9., "a", NAN, None, -1, 2.5]
    assert show(sorted(mixed, key=order_value)) == ["-1", "2.5", "9.0", "10", "None", "'a'", "'b'", "nan"]


# Sample numbers as sets of bits.

def test_sets_of_bits():
    numbers = [0, 51, 52, 103, 104, 155]
    found = set_bits(np.array(numbers))
    assert found.shape == (6, WORDS) and count_bits(found).tolist() == [1] * 6
    whole = [sum(int(word) << BITS * i for i, word in enumerate(row)) for row in found]
    assert whole == [1 << n for n in numbers]
    for odd in [0, 156], [-1, 0]: assert set_bits(np.array(odd)) is None
    assert set_bits(np.array([0.])) is None is set_bits(np.array(["a"], object))


def test_sizes_of_sets():
    rng = np.random.default_rng(0)
    words = rng.integers(0, 2**62, (50, WORDS))
    assert count_bits(words).tolist() == [sum(int(w).bit_count() for w in row) for row in words]
    assert count_bits(words.reshape(5, 10, WORDS)).shape == (5, 10)


def test_sums_of_sets():
    bits, group = set_bits(np.array([0, 1, 1, 60, 155])), np.array([0, 0, 1, 1, 1])
    assert join_bits(bits, group).tolist() == [[3, 0, 0], [2, 2**8, 2**51]]
    assert join_bits(np.array([[2**51, 0, 0]] * 4096), np.zeros(4096, int)).tolist() == [[2**62, 0, 0]]
    assert mark_distinct(bits, group, np.ones(5)).tolist() == [True, True]
    assert mark_distinct(bits, group, np.array([1, 1, 1, 2, 1])).tolist() == [True, False]
    assert mark_distinct(np.array([[2**51, 0, 0]] * 2), np.array([0, 0]), np.ones(2)).tolist() == [False]
    assert mark_distinct(np.array([[2**51, 0, 0]]), np.array([0]), np.ones(1)).tolist() == [True]
