"What options add to a report: the seam that serves all add-ons, and one of another package."

from dataclasses import dataclass
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pandas
import pytest

from sampling_eval import Counts, Report, score
from sampling_eval.analyses import addons
from sampling_eval.render.blocks import Text
from sampling_eval.results import registry
from sampling_eval.results.base import Data

ROWS = [dict(question=q, sample=s, correct=int(s < q % 4)) for q in range(8) for s in range(3)]


@pytest.mark.parametrize("name", registry.ADDONS)
def test_an_addon_has_what_the_seam_asks_for(name):
    module = registry.addon_module(name)
    assert issubclass(module.FOUND, Data) and callable(module.ask) and callable(module.measure)
    said = [what for what in ("headline", "sentences", "blocks", "folds") if hasattr(module, what)]
    assert said, "it says something"


def test_every_module_is_an_addon():
    modules = {path.stem for path in Path(addons.__file__).parent.glob("*.py")} - {"__init__"}
    assert modules == {one.module for one in registry.ADDONS.values()}


def test_what_was_not_asked_for_is_nothing():
    report = score(ROWS, "pass@1")
    assert report.addons == {} and report.spend == report.ordered == ()
    assert report.guarded is report.portfolio is report.corrected is report.borrowed is None
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        report.other


@pytest.mark.parametrize("make", [pandas.DataFrame, lambda rows: rows])
def test_an_earlier_run_may_be_a_frame(make):
    borrowed = score(ROWS, "pass@1", earlier=make(ROWS)).borrowed
    assert (borrowed.sampled, borrowed.questions) == (8, 8) and borrowed.rows[0].metric == "pass@1"


@pytest.mark.parametrize("option", ["cost", "verdict", "labels", "judge", "portfolio", "earlier"])
def test_the_word_raise_is_no_default_of_others(option):
    with pytest.raises((ValueError, TypeError, FileNotFoundError)):
        score(ROWS, "pass@1", **{option: "raise"})


def test_a_column_may_be_called_raise():
    rows = [row | {"raise": 1.0 + row["sample"]} for row in ROWS]
    assert score(rows, "pass@1", cost="raise").spend[0].unit == "raise"
    with pytest.raises(ValueError, match="missing_cost must be"):
        score(ROWS, "pass@1", missing_cost=None)


def test_a_portfolio_has_no_bounds():
    with pytest.raises(ValueError, match="missing and portfolio exclude each other"):
        score(ROWS, "pass@1", portfolio=2, by="source", missing="bounds")


@pytest.mark.parametrize(
    "name, value, said",
    [
        ("guarded", 3, "Report.guarded must be a mapping, got 3"),
        ("guarded", [3], "Report.guarded must be a mapping"),
        ("spend", 3, "Report.spend must be a list"),
        ("spend", None, "Report.spend must be a list"),
        ("spend", [3], "Report.spend must be a mapping"),
        ("ordered", {"a": 1}, "Report.ordered must be a list"),
        ("guarded", {}, "need the fields of a Guarded"),
        ("addons", 3, "Report.addons must be a mapping"),
        ("addons", {"theirs": {}}, "need an add-on that is installed"),
    ],
)
def test_json_of_another_kind_is_refused(name, value, said):
    told = score(ROWS, "pass@1").to_dict() | {name: value}
    with pytest.raises(ValueError, match=said):
        Report.from_dict(told)


def test_built_in_addons_have_their_own_options():
    with pytest.raises(
        ValueError,
        match="addons must name add-ons of other packages, got 'guarded'; it has an option",
    ):
        score(ROWS, "pass@1", addons=dict(guarded="verdict"))


# An add-on of another package: the questions that were never solved.


@dataclass(frozen=True, eq=False)
class Unsolved(Data):
    "Questions without a right sample."

    limit: int
    questions: tuple[str, ...]


def measure(limit, asked):
    questions = [
        str(name)
        for counts in asked.loaded.blocks.values()
        for name, c in zip(counts.questions, counts.c)
        if not c
    ]
    return Unsolved(limit, tuple(questions[:limit]))


MINE = SimpleNamespace(
    FOUND=Unsolved,
    ask=lambda given: given["unsolved"],
    measure=measure,
    blocks=lambda found: [Text(f"Never solved: {', '.join(found.questions)}.")],
)


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(EntryPoint, "load", lambda self: MINE)
    point = EntryPoint("unsolved", "their_package:module", "sampling_eval.addons")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point])


def test_an_addon_of_another_package(installed):
    report = score(ROWS, "pass@1", addons=dict(unsolved=5))
    assert report.unsolved == Unsolved(5, ("0", "4"))
    assert "Never solved: 0, 4." in repr(report) and "Never solved" in report.to_html()
    again = Report.from_json(report.to_json())
    assert again == report and again.unsolved == report.unsolved and repr(again) == repr(report)


def test_an_addon_that_nobody_has():
    with pytest.raises(ValueError, match="need an add-on that is installed, of .*, got 'unsolved'"):
        score(ROWS, "pass@1", addons=dict(unsolved=5))


# What several add-ons do.


def counted(n=(3, 3), c=(1, 2), names="pq"):
    return Counts(n, c, list(names))


@pytest.mark.parametrize(
    "other, same",
    [
        ({"": counted(), "g": counted()}, True),
        ({"": counted()}, False),
        ({"": counted(), "g": counted(), "h": counted()}, False),
        ({"": counted(), "h": counted()}, False),
        ({"": counted(), "g": counted(names="pr")}, False),
        ({"": counted(), "g": counted(n=(3, 4))}, False),
        ({"": counted(), "g": counted(c=(1, 1))}, False),
        ({"": counted(), "g": Counts([3, 3], None, ["p", "q"], score_sum=[1.0, 2])}, False),
        ({"": counted(c=(1, 1)), "g": counted()}, False),
    ],
    ids=["same", "fewer", "more", "another", "name", "samples", "right", "graded", "first"],
)
def test_outcomes_are_the_same_in_every_part(other, same):
    first, second = (
        SimpleNamespace(blocks={("", group): own for group, own in blocks.items()})
        for blocks in ({"": counted(), "g": counted()}, other)
    )
    assert addons.same_outcomes(first, second) is same


@pytest.mark.parametrize(
    "options, said",
    [
        (dict(labels="human"), "labels='human' is not a column"),
        (dict(labels="sample", question="no"), "question='no' is not a column"),
        (dict(panel="sample", question="no"), "question='no' is not a column"),
        (dict(judge=(0.9, 0.9), ignore="no"), "ignore='no' is not a column"),
    ],
)
def test_the_option_that_names_no_column_is_named(options, said):
    with pytest.raises(ValueError) as told:
        score(ROWS, "pass@1", correct="correct", **options)
    assert str(told.value).startswith(said)


def test_the_scale_of_scores_is_none_of_weights():
    rows = [
        row | dict(answer="AB"[row["correct"]], points=1 + row["sample"], sure=0.25 + row["sample"])
        for row in ROWS
    ]
    given = dict(vote_weight="sure", score="points", correct="correct")
    found = score(rows, "maj@k", scale=(1, 3), **given).votes
    assert found == score(rows, "maj@k", **given).votes and found.step == 0.25


@pytest.mark.parametrize("name", ["vote_weight", "budget_column", "panel", "cost"])
def test_an_empty_name_is_no_column(name):
    with pytest.raises((ValueError, TypeError), match=f"{name} must be the name of a column, got"):
        score(ROWS, "pass@1", **{name: ""})


GRADED = [
    dict(question=q, judge=judge, score=(q + len(judge)) % 3 / 2, price=1.0, gold=q % 2)
    for q in range(4)
    for judge in ("a", "bb", "ccc")
]


@pytest.mark.parametrize(
    "options, said",
    [
        (dict(cost="price", model="judge"), "spend until success needs outcomes, right or wrong"),
        (dict(panel="gold", model="judge"), "a panel needs verdicts of 0 and 1"),
        (dict(verdict="gold", by="judge"), "a verdict needs outcomes of 0 and 1 beside it"),
        (dict(portfolio=2, by="judge"), "a portfolio needs outcomes of 0 and 1"),
    ],
)
def test_graded_scores_are_right_from_a_threshold_on(options, said):
    with pytest.raises(ValueError, match=f"{said}, got graded scores.*set threshold=..."):
        score(GRADED, "soft@n", **options)
    # With a threshold it is what outcomes beside no score give.
    right = [{**row, "right": int(row["score"] > 0.4)} for row in GRADED]
    for row in right:
        del row["score"]
    found = score(GRADED, "pass@1", threshold=0.4, **options).to_dict()
    plain = score(right, "pass@1", correct="right", **options).to_dict()
    told = {name: value for name, value in plain.items() if name != "summary"}
    assert {name: found[name] for name in told} == told


# A column that is read in the place of the outcomes.

JUDGED = [
    dict(question=q, sample=s, turn=(q + s) % 5, passed=int((q + s) % 3 > 0),
         human=int(q % 2 == 0), answer="ab"[(q + s) % 3 == 0], target="a")
    for q in range(8)
    for s in range(3)
]


def without(*names):
    return [{name: cell for name, cell in row.items() if name not in names} for row in JUDGED]


def test_columns_to_be_ignored_are_so_beside_labels():
    known = without("answer", "target", "turn")
    found, plain = (
        score(rows, "pass@1", correct="passed", labels="human", **more).corrected
        for rows, more in ((without("answer", "target"), dict(ignore="turn")), (known, {}))
    )
    assert found.to_dict() == plain.to_dict() and found.sensitivity == 2 / 3


def test_labels_stand_beside_verdicts_and_not_beside_texts_that_are_graded():
    said = "a column of verdicts, got answers that are graded; leave grade out, and name it by"
    with pytest.raises(ValueError, match=said):
        score(without("turn", "passed"), "pass@1", labels="human", expected="target", grade="exact")


def test_a_verdict_may_stand_beside_texts_that_are_graded():
    options = dict(expected="target", grade="exact")
    found = score(without("turn", "passed"), "pass@1", verdict="human", **options).guarded
    plain = score(without("turn", "answer", "target"), "pass@1", verdict="human", correct="passed")
    assert found.to_dict() == plain.guarded.to_dict() and found.rows[0].right < 1


@pytest.mark.parametrize("named", [{}, dict(correct="passed")], ids=["found", "named"])
def test_a_verdict_is_not_the_outcome(named):
    rows = without("turn", "human", "answer", "target")
    with pytest.raises(ValueError, match="verdict must be another column than that of the outcome"):
        score(rows, "pass@1", verdict="passed", **named)


@pytest.mark.parametrize("name", ["judge", "earlier"])
@pytest.mark.parametrize(
    "options, said",
    [
        (dict(weights={q: 1 + q for q in range(8)}), "weights and {} exclude each other"),
        (dict(missing="bounds"), "missing and {} exclude each other"),
        (dict(labels="sample"), "only one of {} can be taken"),
    ],
)
def test_what_looks_behind_the_outcomes_stands_alone(name, options, said):
    given = dict(judge=(0.9, 0.9), earlier=ROWS)[name]
    pair = "labels and earlier" if name == "earlier" else "judge and labels"
    with pytest.raises(ValueError, match=said.format(pair if "only" in said else name)):
        score(ROWS, "pass@1", **{name: given} | options)
