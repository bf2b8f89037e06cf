"Small tables: columns that are kept by states, and what is printed of them."
import numpy as np
import pytest

from sampling_eval.results.columns import Columns, Gap, Spread

OLD = Spread(((np.array([.5, 1.]), np.array([1, 0, 1])), (np.array([.25]), np.array([0]))))
NEW = Spread(((np.array([0., 1.]), np.array([1, 1, 0, 0])),))


def test_columns_kept_by_states():
    assert OLD.fill().tolist() == [1., .5, 1., .25] and Gap(NEW, OLD).fill().tolist() == [0., .5, -1., -.25]
    table = Columns(dict(a=OLD, b=Gap(NEW, OLD), c=["x", "y", "z", "w"]))
    assert table["a"].tolist() == [1., .5, 1., .25] and table["b"].tolist() == [0., .5, -1., -.25]
    assert table["c"].dtype.kind == "U"
    assert table.rows()[1] == dict(a=.5, b=.5, c="y") and len(table) == 3 and list(table) == ["a", "b", "c"]
    assert table.where(np.array([2, 0])).rows() == [dict(a=1., b=-1., c="z"), dict(a=1., b=0., c="x")]


def test_equal_tables():
    one = Columns(dict(a=[1, 2], b=[3, 4]))
    assert one == Columns(dict(a=np.array([1, 2]), b=[3, 4])) and one != Columns(dict(b=[3, 4], a=[1, 2]))
    assert one != Columns(dict(a=[1, 2], b=[3, 5])) and one != Columns(dict(a=[1, 2]))
    assert one != dict(a=[1, 2], b=[3, 4])
    with pytest.raises(ValueError): Columns(dict(a=[1, 2], b=[3])).rows()


def test_a_table_as_text():
    assert repr(Columns(dict(name=["a\x1b", "long"], x=[.5, 1], n=[12345, 7]))) == (
        "name      x      n\n  a\ufffd  0.500  12345\nlong  1.000      7")
    assert repr(Columns(dict(n=list(range(21))))).endswith("\n19\n... 1 more rows")
