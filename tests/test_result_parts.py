"Parts of results, one by one: intervals in JSON, values by their types, and what was read."

import math
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import numpy as np
import pytest

from sampling_eval import Counts
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval.inference.units import check_weights
from sampling_eval.results.base import (
    Data,
    HasInterval,
    Parts,
    Result,
    Style,
    check_range,
    decode,
    encode,
    ends,
    is_number,
    read_interval,
    write_interval,
)
from sampling_eval.inference.significance import PValue
from sampling_eval.results.cautions import AllAgree
from sampling_eval.results.columns import Columns, Gap, Spread
from sampling_eval.results.reading import (
    Alignment,
    DeadCount,
    Missing,
    ReadNote,
    ReadSummary,
    Unmatched,
    count_common,
    count_dead,
    join_dead,
)
from score_rows import make_row
from sampling_eval.results.rows import Bound, name_at, name_family, weighted_of
from sampling_eval.results.verdict import judge_interval, needs_spread, pick_estimate, run_test

# Intervals.


@pytest.mark.parametrize(
    "low, high, verdict",
    [
        (0.01, 0.2, "better"),
        (0.0, 0.2, "inconclusive"),
        (-0.2, 0.0, "inconclusive"),
        (-0.2, -0.01, "worse"),
        (-0.2, 0.2, "inconclusive"),
    ],
)
def test_the_sign_of_an_interval(low, high, verdict):
    assert judge_interval(Interval(low, high)) == verdict and judge_interval(None) == "none"


@pytest.mark.parametrize(
    "parts", [Parts("low", "high"), Parts("a", "b", method="m"), Parts("a", "b", name="n"),
              Parts("a", "b", words="w")]
)
def test_an_interval_is_told_by_its_parts(parts):
    found = Interval(0.1, 0.5, 0.9, "new_questions", Method("t", clusters=3), "score")
    told = write_interval(found, parts)
    assert (told[parts.low], told[parts.high]) == (0.1, 0.5) and list(told) == parts.keys()
    more = dict(confidence_level=0.9, target="new_questions", unit="score")
    again = read_interval(told | more, parts, "X", Interval)
    assert (again.low, again.high, again.level) == (0.1, 0.5, 0.9)
    assert (again.target, again.unit) == ("new_questions", "score")
    assert again.method.clusters == (3 if parts.method else None)
    none = write_interval(None, parts)
    assert none.pop(parts.name or parts.words or "x", "") == "" and not any(none.values())
    assert read_interval(none, parts, "X", Interval | None) is None
    with pytest.raises(ValueError, match=f"X.{parts.low} must be a number, got None"):
        read_interval(none, parts, "X", Interval)


@pytest.mark.parametrize(
    "low, high, told",
    [(-math.inf, 0.5, [None, 0.5]), (0.1, math.inf, [0.1, None]), (0.0, 1.0, [0, 1])],
)
def test_endless_intervals(low, high, told):
    parts = Parts("low", "high", target="same_questions", unit="share")
    found = write_interval(Interval(low, high), parts)
    assert list(found.values()) == told
    again = read_interval(found | dict(unit="score", target="new_questions"), parts, "X", Interval)
    assert (again.low, again.high) == (low, high)
    assert (again.target, again.unit) == ("same_questions", "share")
    other = read_interval(found | dict(target="x"), Parts("low", "high"), "X", Interval)
    assert other.target is None and other.unit == "share" and math.isnan(other.level)


@dataclass(frozen=True, eq=False)
class Held(HasInterval, Data):
    "A part with an interval whose method stands before another field."

    name: str
    interval: Interval | None = field(metadata=ends(method="how", before="last"))
    middle: int = 3
    last: tuple[int, ...] = ()


def test_the_place_of_a_method():
    made = Held("x", Interval(0.1, 0.5, 0.9, None, Method("t")))
    told = made.to_dict()
    assert list(told) == ["name", "low", "high", "middle", "how", "last"]
    assert told["how"]["name"] == "t" and told["how"]["level"] == 0.9
    again = Held.from_dict(told)
    assert again == made and again.interval.level == 0.9 and (again.low, again.high) == (0.1, 0.5)
    assert Held("x", None).low is None and Held.from_dict(Held("x", None).to_dict()).high is None
    assert Held.from_dict({k: v for k, v in told.items() if k not in ("middle", "last")}) == made
    with pytest.raises(ValueError, match=r"got none called 'low' \(1 of 4 are absent\)"):
        Held.from_dict({k: v for k, v in told.items() if k != "low"})
    with pytest.raises(ValueError, match="Held.how must be a method of an interval"):
        Held.from_dict(told | dict(how=dict(level=0.9)))
    assert made != Held("y", made.interval) and made != told


# Plain values.


class Pair(NamedTuple):
    a: int
    b: str


@pytest.mark.parametrize(
    "kind, value, want",
    [
        (float, 1, 1.0),
        (float, True, "must be a number, got True"),
        (float, "1", "must be a number, got '1'"),
        (float | None, None, None),
        (int, 1.5, "must be of kind int, got 1.5"),
        (Literal["a", "b"], "b", "b"),
        (Literal["a", "b"], "c", "must be one of"),
        (tuple[int, ...], [1, 2, 3], (1, 2, 3)),
        (tuple[int, ...], [], ()),
        (tuple[int, str], [1, "x"], (1, "x")),
        (tuple[int, str], [1], "must be a list of 2"),
        (tuple[int, ...], [1, "x"], r"x\[1\] must be of kind int"),
        (list[int], [1], (1,)),
        (tuple[int, ...], "12", "must be a list"),
        (dict[str, int], dict(a=1), dict(a=1)),
        (dict[str, int], dict(a="1"), r"x\['a'\] must be of kind int"),
        (dict[str, int], [1], "must be a mapping"),
        (Pair, [1, "x"], Pair(1, "x")),
        (Pair, [1, "x", 2], "must be a list of 2"),
        (int | str, "x", "x"),
        (int | float, 1.5, 1.5),
        (int | str, None, "must be of kind int"),
        (Any, object, object),
        (Missing, dict(count=1, total=2), Missing(1, 2)),
        (Missing, 3, "must be a mapping"),
    ],
)
def test_values_by_their_types(kind, value, want):
    if isinstance(want, str) and value != want:
        with pytest.raises(ValueError, match=want):
            decode(kind, value, "x")
        return
    found = decode(kind, value, "x")
    assert found == want and type(found) is type(want)


def test_undefined_numbers_of_arrays():
    found = decode(np.ndarray, [1, None, 0.5], "x")
    assert found[[0, 2]].tolist() == [1, 0.5] and np.isnan(found[1])
    assert encode(np.array([1, np.nan])) == [1, None] and encode(float("nan")) is None


@pytest.mark.parametrize(
    "value, plain",
    [
        (np.float64(0.5), 0.5),
        (np.bool_(True), True),
        ((1, "a"), [1, "a"]),
        ({1: (2,)}, {"1": [2]}),
        ("ab", "ab"),
        (1 + 2j, "(1+2j)"),
        (Missing(1, 2), dict(count=1, total=2, policy="raise", ragged=False)),
    ],
)
def test_plain_values(value, plain):
    assert encode(value) == plain


@pytest.mark.parametrize(
    "value, number",
    [(1, True), (0.5, True), (np.int8(1), True), (True, False), ("1", False), (None, False)],
)
def test_numbers(value, number):
    assert is_number(value) is number


@pytest.mark.parametrize(
    "interval, target, asked, name",
    [
        ("t", "new_questions", "new_questions", "t"),
        ("t", "new_questions", "same_questions", None),
        ("t", "same_questions", "new_questions", None),
        ("assumption-free", "same_questions", "new_questions", "assumption-free"),
        ("assumption-free", "new_questions", "same_questions", None),
        (None, "new_questions", "new_questions", None),
    ],
)
def test_the_interval_method_of_a_target(interval, target, asked, name):
    assert Style(interval=interval, target=target).name_interval(asked) == name


@pytest.mark.parametrize(
    "rng, ordered",
    [(None, False), (3, False), (np.random.default_rng(0), True), (np.int64(3), False)],
)
def test_whether_the_order_of_draws_matters(rng, ordered):
    assert Style(rng=rng).draws_in_order is ordered


def test_a_caution_of_one_of_several_systems():
    found = AllAgree(3, answers=True)
    assert found.model == "" and found.of("m") == AllAgree(3, answers=True, model="m") != found


# Columns of questions.


def test_columns_are_made_when_they_are_looked_at():
    values = np.array([0.5, 1.0])
    new = Spread(((values, np.array([1, 0])), (values + 1, np.array([0]))))
    old = Spread(((values, np.array([0, 0, 1])),))
    table = Columns(dict(question=np.array(list("abc")), x=new, gap=Gap(new, old)))
    assert table["x"].tolist() == [1, 0.5, 1.5] and table["gap"].tolist() == [0.5, 0, 0.5]
    assert table.rows()[2] == dict(question="c", x=1.5, gap=0.5) and len(table) == 3
    some = table.where(table["x"] > 0.5)
    assert some["question"].tolist() == ["a", "c"] and some != table == Columns(dict(table))
    assert Columns(dict(x=[1])) != Columns(dict(y=[1])) and table != 3
    two = Columns(dict(x=[1], y=[2]))
    assert two != Columns(dict(x=[1], y=[3])) and two != Columns(dict(y=[2], x=[1]))


# What was read.


@pytest.mark.parametrize(
    "count, total, share", [(0, 0, 1.0), (1, 4, 0.75), (4, 4, 0.0), (0, 4, 1.0)]
)
def test_the_share_of_samples_with_an_outcome(count, total, share):
    assert Missing(count, total).coverage == share


def test_notes_of_inputs():
    inner = ReadSummary("table", notes=(ReadNote("graded"), ReadNote("totals")))
    whole = ReadSummary("gradings", notes=(ReadNote("words"),), inputs=(inner, inner))
    assert whole.has("totals") and whole.has("words") and not whole.has("items")
    assert [note.kind for note in whole.all_notes()] == ["words"] + ["graded", "totals"] * 2
    assert not whole.same_samples and whole.without("totals").same_samples
    assert not inner.without("totals").same_samples
    added = inner.add(ReadNote("items"), rows=7)
    assert [note.kind for note in added.notes] == ["graded", "totals", "items"] and added.rows == 7


@pytest.mark.parametrize("files, name", [((), ""), (("a",), "a"), (("a", "b"), "")])
def test_the_only_file(files, name):
    assert ReadSummary(files=files).of_files == name


def test_missing_samples_are_counted_in_another_way():
    told = ReadSummary(missing=Missing(1, 2, "wrong", True))
    assert told.treat("right").missing == Missing(1, 2, "right", True)
    assert told.unsettled().missing.policy == "raise"
    assert ReadSummary().treat("wrong").missing is None


def test_questions_that_systems_share():
    sides = dict(a=Counts([1] * 6, [1] * 6, list("uvwxyz")), b=Counts([1], [1], ["u"]))
    found = count_common(sides, ["u"])
    assert found == Alignment(
        1, (Unmatched("a", 5, ("v", "w", "x")), Unmatched("b", 0, ()))
    )
    assert found.left_out == 5


@pytest.mark.parametrize(
    "sides, want",
    [
        ([([2, 2, 2], [0, 2, 1], "abc"), ([2, 2, 2], [0, 2, 0], "abc")], (1, 1, 3, 2)),
        ([([2, 2, 2], [0, 2, 1], "abc"), ([2, 2, 2], [2, 0, 0], "bac")], (1, 1, 3, 2)),
        ([([2, 2], [0, 2], "ab"), ([2, 2], [2, 0], "bc")], (0, 1, 1, 2)),
        ([([2, 2], [0, 2], "ab"), ([2], [2], "c")], None),
        ([([2, 2], [0, 2], "ab")], (1, 1, 2, 1)),
        ([([1, 1], [0, 1], "ab")], None),
        (
            [([2, 2], [0, 2], "ab"), ([2, 2], [0, 2], "ab"), ([2], [0], "a")],
            (1, 0, 1, 3),
        ),
        ([([1, 2], [0, 1], "ab")], (1, 0, 2, 1)),
        ([([1, 1], [0, 1], "ab"), ([1, 1], [0, 1], "ab")], (1, 1, 2, 2)),
        ([], None),
    ],
)
def test_questions_that_add_nothing_to_a_difference(sides, want):
    counts = [Counts(n, c, list(names)) for n, c, names in sides]
    assert count_dead(counts) == (None if want is None else DeadCount(*want))


def test_dead_questions_of_groups():
    one, two = DeadCount(1, 2, 9, 3), DeadCount(4, 0, 5, 3)
    assert join_dead([one, two]) == DeadCount(5, 2, 14, 3)
    assert join_dead([one, None]) is None and join_dead([]) is None


@pytest.mark.parametrize(
    "metric, family, eighth",
    [
        ("pass@1", "pass@k", "pass@8"),
        ("pass^16", "pass^k", "pass^8"),
        ("g-pass@4_0.5", "g-pass@k_0.5", "g-pass@8_0.5"),
        ("win share", "win share", "win share"),
        ("avg@n", "avg@n", "avg@n"),
        ("mine@2 of @k", "mine@k of @k", "mine@8 of @k"),
    ],
)
def test_names_of_families(metric, family, eighth):
    assert (name_family(metric), name_at(family, 8)) == (family, eighth)


def test_facts_on_weights():
    weights = check_weights([1.0, 2, 4], 8, name="points")
    told = weighted_of(weights, Interval(0, 1, method=Method("t", max_weight=3.5)))
    assert (told.weighted_by, told.largest_weight, told.largest_weight_declared) == (
        "points",
        8,
        True,
    )
    # (1 + 2 + 4)^2 / (1 + 4 + 16)
    assert told.effective_questions == pytest.approx(49 / 21, rel=1e-14)
    assert told.assumed_largest_weight == 3.5 and weighted_of(None) is None
    assert weighted_of(weights).assumed_largest_weight is None
    assert Bound("wrong", "g") == Bound.from_dict(dict(missing="wrong", group="g"))


# Ranges that are stated, tests that are asked for, and figures that are drawn.


@pytest.mark.parametrize(
    "bounds, said",
    [
        ((-0.5, 0.25), None),
        ([-1, 2], None),
        ((np.float32(-0.5), np.int8(1)), None),
        ((0, 0.5), "bounds of differences must hold 0 inside, got (0, 0.5)"),
        ((-0.5, 0), "bounds of differences must hold 0 inside, got (-0.5, 0)"),
        ((0.5, -0.5), "bounds of differences must hold 0 inside, got (0.5, -0.5)"),
        ((-math.inf, 0.5), "bounds of differences must hold 0 inside, got (-inf, 0.5)"),
        ((-0.5, math.inf), "bounds of differences must hold 0 inside, got (-0.5, inf)"),
        ((math.nan, 0.5), "bounds of differences must hold 0 inside, got (nan, 0.5)"),
        ((-0.5, True), "bounds must be the least and the largest difference of a question"),
        ((-0.5, "1"), "bounds must be the least and the largest difference of a question"),
        (("-1", 0.5), "bounds must be the least and the largest difference of a question"),
        ((-0.5,), "bounds must be the least and the largest difference of a question"),
        ((-0.5, 0.5, 1), "bounds must be the least and the largest difference of a question"),
        ("ab", "bounds must be the least and the largest difference of a question"),
    ],
    ids=str,
)
def test_a_stated_range_holds_zero(bounds, said):
    if said is None:
        found = check_range(bounds)
        assert found == tuple(bounds) and {type(end) for end in found} == {float}
        return
    with pytest.raises((ValueError, TypeError)) as error:
        check_range(bounds)
    assert said in str(error.value)


def test_a_stated_range_is_for_new_questions():
    assert check_range(None) is None and check_range(None, "same_questions") is None
    assert check_range((-0.5, 0.5), None) == (-0.5, 0.5)
    with pytest.raises(ValueError, match="is for new questions"):
        check_range((-0.5, 0.5), "same_questions")


def compared(new, same):
    "A comparison whose estimates have these standard errors and units."
    new, same = (SimpleNamespace(stderr=stderr, units=units) for stderr, units in (new, same))
    return SimpleNamespace(estimate=new, again=same)


UNBOUNDED, BOUNDED = SimpleNamespace(bounds=None), SimpleNamespace(bounds=(-1, 1))


@pytest.mark.parametrize(
    "test, new, same, needed",
    [
        ("t", (None, BOUNDED), (0.1, BOUNDED), True),
        ("t", (0.1, BOUNDED), (None, BOUNDED), False),
        ("gaffke", (None, UNBOUNDED), (None, UNBOUNDED), False),
        ("interval", (None, BOUNDED), (0.1, UNBOUNDED), False),
        ("interval", (0.1, BOUNDED), (None, UNBOUNDED), True),
        ("interval", (0.1, BOUNDED), (None, BOUNDED), False),
        ("interval", (0.1, BOUNDED), (None, None), False),
    ],
)
def test_tests_that_need_a_spread(test, new, same, needed):
    comparison = compared(new, same)
    assert needs_spread(comparison, test) is needed
    assert pick_estimate(comparison, "new_questions") is comparison.estimate
    assert pick_estimate(comparison, "same_questions") is comparison.again


def test_a_test_is_run_as_it_was_asked_for():
    asked, found = [], PValue(0.25, "sign-flip", "no difference", smallest=0.125)
    comparison = compared((0.1, BOUNDED), (None, UNBOUNDED))

    def test(name, **given):
        asked.append((name, given))
        return found

    comparison.test = test
    told = dict(method="sign-flip", pvalue=0.25, null="no difference", smallest=0.125)
    assert run_test(comparison, "sign-flip", "same_questions", 7) == told
    assert asked == [("sign-flip", dict(target="same_questions", rng=7))]
    assert run_test(comparison, "sign-flip", "new_questions", found=found) == told
    assert run_test(comparison, "interval", "same_questions") is None and len(asked) == 1


class Drawn(Result):
    "A result whose figure is what it was asked for."

    kind = "drawn"

    def _module(self):
        return SimpleNamespace(plot=lambda result, **asked: (result, asked))


class Undrawn(Result):
    kind = "undrawn"

    def _module(self):
        return SimpleNamespace()


def test_a_figure_is_drawn_as_it_was_asked_for():
    made = Drawn()
    assert made.plot(ax="axes", size=4) == (made, dict(ax="axes", size=4))
    with pytest.raises(ValueError, match="a result of undrawn has no figure; write it as .json"):
        Undrawn().plot()


def test_a_row_as_a_line_of_a_spreadsheet():
    plain = make_row().to_flat()
    assert (plain["interval"], plain["again_interval"], plain["bound"]) == ("gaffke", "", "")
    again = Interval(0.1, 0.9, target="same_questions", method=Method("gamma"))
    told = make_row(again=again, bound=Bound("wrong", "g")).to_flat()
    assert (told["again_interval"], told["bound"]) == ("gamma", "wrong")
    assert (told["again_low"], told["again_high"]) == (0.1, 0.9)
    assert make_row(low=None).to_flat()["interval"] == ""
