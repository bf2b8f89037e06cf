"A record is what the standard dataclass is; it is only made faster."
import copy
import dataclasses
import pickle
from functools import cached_property

import pytest

from sampling_eval import records

FORMS = {}
for made in dataclasses, records:
    @made.dataclass(frozen=True)
    class Point:
        "Two numbers, of which one is not compared."
        x: float
        y: float = dataclasses.field(default=0., compare=False)
        hidden: list = dataclasses.field(default_factory=list, compare=False, repr=False)

        @cached_property
        def double(self): return 2 * self.x

    Point.__qualname__ = "Point"
    FORMS[made.__name__] = Point

Point = FORMS["sampling_eval.records"]


@pytest.fixture(params=FORMS)
def point(request): return FORMS[request.param]


def test_compares_prints_and_hashes_its_fields(point):
    nan = float("nan")
    assert point(1.) == point(1., 5.) != point(2.)
    assert point(nan) == point(nan) and point(1.) != 1.
    assert hash(point(1.)) == hash(point(1., 5.)) != hash(point(2.))
    assert repr(point(1., 2.)) == "Point(x=1.0, y=2.0)"
    assert point(1.).double == 2
    assert dataclasses.replace(point(1.), y=3.).y == 3


@pytest.mark.parametrize("change", [
    lambda one: setattr(one, "x", 2.), lambda one: setattr(one, "z", 2.), lambda one: delattr(one, "x")])
def test_is_frozen(point, change):
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot (assign to|delete) field"):
        change(point(1.))


def test_is_copied_and_pickled():
    one = Point(1., 2., [3])
    for other in copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)):
        assert other == one and vars(other) == vars(one)


def test_own_and_inherited_methods_stay():
    @records.dataclass(frozen=True)
    class Named(Point):
        "A point with words of its own."
        name: str = ""

        def __repr__(self): return self.name

        def __eq__(self, other): return self.name == other.name

    @records.dataclass(frozen=True, eq=False, repr=False)
    class Other(Named):
        "Compared and printed as what it inherits from."

    assert repr(Other(1., name="a")) == "a" and Other(1., name="a") == Other(2., name="a")
    assert Named(1.) != Named(1., name="a")


def test_what_may_change_has_no_hash():
    @records.dataclass
    class Box:
        "A value that may change."
        held: int = 0

    box = Box()
    box.held = 1
    assert box == Box(1)
    with pytest.raises(TypeError, match="unhashable"): hash(box)
