"""Two systems on the same questions."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..inference.comparison import Move
from ..inference.curves import PairedCurve, join_runs
from ..inference.estimate import TARGETS
from .advice import Advice, Advised, find_advice, read_advice
from .differences import Difference, decide, difference_cells, difference_heads
from .document import Written
from .intervals import explain_gaffke
from .numbers import digits, p_text, signed, signed_span
from .openings import say_range, say_read
from .parts import Chart, Heading, Part, Sentence, Table
from .phrases import say_count
from .primary import say_primary
from .records import Absent, join_field, make_array, plain_values
from .sides import Sides, Told, read_sides
from .style import Style
from .versus_chart import chart_versus
from .versus_page import versus_page
from .versus_screen import list_reasons, screen_versus
from .weights import explain_weights, take_weights

if TYPE_CHECKING: from matplotlib.axes import Axes

__all__ = ["Versus", "say_verdict", "say_band", "describe_comparison"]

# Fields that are told under the name of what is made of them.
SHOWN = {"drawn": "curve", "advised": "next"}
SAID = {"better": "B is better", "worse": "B is worse",
        "open": "it is not decided which one is better", "none": "there is no interval"}


@dataclass(frozen=True, eq=False, repr=False)
class Versus(Written):
    "B against A on the same questions; every difference is B minus A."
    rows: tuple[Difference, ...]  # One row per budget
    drawn: PairedCurve | None  # Simultaneous band over the budgets, if there are several
    moved: Mapping[str, Sequence[Move]]  # By metric name, the questions that moved most
    names: tuple[str, str]  # Names of A and B
    alignment: str  # How many questions are in both, only in A, only in B
    read: str  # What was read, and how missing samples were treated
    samples: tuple[str, str]  # Samples per question of A and of B, as a number or a range
    confidence_level: float = .95  # Level of the intervals and of the band
    notes: tuple[str, ...] = ()  # What could not be given, and why
    title: str = ""  # Name of the comparison
    questions: Mapping[str, Any] = field(default_factory=dict)  # Name, and A and B in every metric
    target: str = "questions"  # Whose interval gives the verdict
    sides: Sides | Told | None = None  # A and B by themselves; None where only rows were told
    advised: Advised = None  # What would decide an open verdict, or what finds it
    primary: str = ""  # Metric judged at the full level; empty unless there are several metrics

    needed = "rows", "curve", "moved", "names", "alignment", "samples"

    @property
    def heading(self) -> str:
        return self.title or f"{self.names[1]} against {self.names[0]}"

    @cached_property
    def curve(self) -> PairedCurve | None:
        "The differences with a band over all budgets; None for one budget."
        return widen_band(self.drawn, self.rows)

    @cached_property
    def next(self) -> Advice | None:
        "What would decide the first open verdict; None where all are decided."
        return find_advice(self.advised)

    def __getitem__(self, metric: str) -> Difference:
        "The row of a metric name such as `pass@8`."
        found = {row.metric: row for row in self.rows}
        if metric in found: return found[metric]
        raise KeyError(f"metric must be one of {list(found)}, got {metric!r}")

    def to_dict(self) -> dict[str, Any]:
        "Everything but the columns of the questions, as plain Python values."
        left = {"questions", "sides"} | ({"primary"} if not self.primary else set())
        names = [SHOWN.get(o.name, o.name) for o in fields(self) if o.name not in left]
        told = {name: plain_values(getattr(self, name)) for name in names}
        if self.sides is not None: told["sides"] = [side._asdict() for side in self.sides.each]
        return told | dict(how=self.how(), band=say_band(self.curve), verdict=self.verdict())

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        style = Style(values["confidence_level"], target=values["target"])
        rows = tuple(Difference.from_dict(row, style=style, weights=take_weights(row))
                     for row in map(dict, values["rows"]))
        moved = {metric: [Move(*o) for o in moves] for metric, moves in values["moved"].items()}
        told = {o.name: values.get(o.name) for o in fields(cls)} | dict(rows=rows, moved=moved)
        told |= dict(drawn=read_curve(values["curve"]), sides=read_sides(values.get("sides")),
                     advised=read_advice(values.get("next")), primary=values.get("primary", ""))
        told |= {name: tuple(values[name]) for name in ("names", "samples", "notes")}
        return cls(**told | dict(questions=Absent()))

    def verdict(self,
        target: str | None = None,  # `questions` or `benchmark`; None is the result's own
    ) -> str:  # One sentence
        "What the intervals of a target decide."
        return say_verdict(self, target or self.target)

    def tell_methods(self) -> str:
        from .methods import versus_methods
        return versus_methods(self)

    def how(self) -> str:
        "What was compared and how, in sentences fit for a paper."
        return describe_comparison(self)

    def parts(self) -> list[Part]:
        "The verdicts, the table, the questions that moved, and the method."
        head, *table = list_table(self)
        return [head, *list_verdicts(self), *table, *list_moved(self), *self.list_notes()]

    def list_notes(self) -> list[Part]:
        "What to do next, what was read, and the method."
        step = "" if self.next is None else self.next.sentence
        last = [step, self.say_primary(), f"Questions: {self.alignment}.",
                *map(say_read, [*self.notes, self.read]), self.how()]
        return [Sentence(text) for text in last if text]

    def say_band(self,
        name: str,  # What B is called
    ) -> str:  # One or two sentences, empty without a curve
        "What holds at all budgets at once."
        return say_band(self.curve, name)

    def say_primary(self) -> str:
        "Which of several metrics is judged at the full level; empty for one metric."
        return say_primary(self.primary, len(self.rows) - 1, self.confidence_level)

    def screen_parts(self) -> list[Part]: return screen_versus(self)

    def page_parts(self) -> list[Part]: return versus_page(self)

    @property
    def caption(self) -> str:
        "What is compared, on how many questions."
        return f"{self.heading} ({self.rows[0].questions} questions)"

    def chart(self) -> Chart | None:
        "A and B over the budgets, and where one is certainly ahead; None at one budget."
        return None if self.curve is None else chart_versus(self)

    def plot(self,
        what: str = "curves",  # `curves` of both systems, or their `difference`
        *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw both systems over the budgets, with the stretches where one is certainly ahead; or
        their difference, which is all there is to draw at one budget.

        Raises: `ValueError` for another word, for Axes and a size, and for an unknown size.
        """
        from .charts import plot_versus
        return plot_versus(self, what, ax=ax, size=size)


def widen_band(
    curve: PairedCurve | None,  # Differences with an approximate band
    rows: Sequence[Difference],  # One row per budget
) -> PairedCurve | None:  # The same with a band that holds each row's own interval
    "A band that decides no more than the intervals of single budgets do."
    ends = [(row.low, row.high) for row in rows] if curve is not None else []
    if curve is None or any(low is None for low, _ in ends): return curve
    low, high = np.array(ends, float).T
    return replace(curve, low=np.minimum(curve.low, low), high=np.maximum(curve.high, high))


def read_curve(values: Mapping[str, Any] | None) -> PairedCurve | None:
    "A curve with its band from its plain values."
    if values is None: return None
    told = dict(values)
    for name in "k", "difference", "stderr", "low", "high": told[name] = make_array(values[name])
    return PairedCurve(**told)


def list_table(versus: Versus) -> list[Part]:
    "The table of differences, and why an entry is missing."
    a, b = versus.names
    head = "B against A" if (a, b) == ("A", "B") else f"A = {a}, B = {b}"
    heads = difference_heads(versus.confidence_level)
    # Of several metrics each has a level of its own.
    if versus.primary: heads[4:6] = "these questions again", "new questions"
    table = Table(heads, [difference_cells(row) for row in versus.rows])
    return [Heading(head), table, *map(Sentence, list_reasons(versus.rows))]


def list_verdicts(versus: Versus) -> list[Part]:
    "The verdict of the target asked for, that of the other one, and the band."
    other = next(name for name in TARGETS if name != versus.target)
    parts: list[Part] = [Heading(versus.verdict())]
    # What is adjusted for several metrics is adjusted for one target.
    if not versus.primary: parts.append(Sentence(versus.verdict(other)))
    if versus.curve is not None: parts.append(Sentence(say_band(versus.curve)))
    return parts


def list_moved(versus: Versus) -> list[Part]:
    "The questions that moved most, by metric."
    parts: list[Part] = []
    for metric, moves in versus.moved.items():
        rows = [[str(o.question), digits(o.a), digits(o.b), signed(o.difference)] for o in moves]
        table = Table(["question", "A", "B", "B - A"], rows)
        if rows: parts += [Heading(f"Largest differences in {metric}"), table]
        else: parts.append(Sentence(f"No question differs in {metric}."))
    return parts


# Sentences.

def say_verdict(
    versus: Versus,  # Two systems compared
    target: str,  # Whose intervals give the verdict
) -> str:  # One sentence
    "What the intervals of a target decide."
    count = versus.rows[0].questions
    these = f"these {count:,} questions" if count > 1 else "this question"
    where = {"benchmark": f"On {these}, run again",
             "questions": "On new questions of this kind"}[target]
    found: dict[str, list[Difference]] = {}
    for row in versus.rows: found.setdefault(decide(*row.span(target)), []).append(row)
    if len(versus.rows) == 1:
        row = versus.rows[0]
        return f"{where}, {SAID[next(iter(found))]} ({signed_span(*row.span(target))})."
    if versus.primary:
        said = [f"{SAID[name]} in {', '.join(row.metric for row in rows)}"
                for name, rows in found.items()]
        return f"{where}: {'; '.join(said)}."
    said = [f"{SAID[name]} at {list_budgets(rows)}" for name, rows in found.items()]
    return f"{where}: {'; '.join(said)}; each k by itself."


def list_budgets(rows: Sequence[Difference]) -> str:
    "Rows by their budgets, or by name where they have none."
    budgets = [row.k for row in rows if row.k is not None]
    if len(budgets) < len(rows): return ", ".join(row.metric for row in rows)
    return f"k = {say_range(join_runs(budgets))}"


def say_band(
    curve: PairedCurve | None,  # Differences with their band
    name: str = "B",  # The system that is judged
) -> str:  # One or two sentences, empty without a curve
    "What a simultaneous band certifies."
    if curve is None: return ""
    verdicts = {f"{name} is better": curve.gains, f"{name} is worse": curve.losses,
                "not decided": curve.undecided}
    found = [f"{name} at k = {say_range(join_runs(k))}" for name, k in verdicts.items() if len(k)]
    level = f"{100 * curve.confidence_level:g} % band"
    return (f"All {len(curve.k)} values of k at once, on new questions ({level}): "
            f"{'; '.join(found)}.{say_first_loss(curve, name)}")


def say_first_loss(curve: PairedCurve, name: str) -> str:
    "Where a system first falls behind, as a sentence; empty where nothing points to a loss."
    if not len(curve.losses): return ""
    first = curve.first_loss
    if len(first) == 1: return f" {name} first falls behind at k = {first[0]}."
    return f" {name} first falls behind somewhere from k = {first[0]} to k = {first[-1]}."


def describe_comparison(
    versus: Versus,  # Two systems compared
) -> str:  # Sentences fit for a paper
    "What was compared and how, from the rows themselves."
    rows, one = versus.rows, versus.rows[0]
    metrics = ", ".join(row.metric for row in rows)
    if len(rows) > 8: metrics = f"{one.metric} to {rows[-1].metric}"
    computed, alone = f"{metrics}: {one.estimator}", "each k by itself."
    if versus.primary:
        computed = "; ".join(f"{row.metric}: {row.estimator}" for row in rows)
        alone = f"{versus.say_primary()} P values are not adjusted."
    interval = join_field(rows, "interval")
    same = say_count([one.questions], "question")
    return (f"{say_pair(versus)} on the same {same}, samples each: "
            f"A {say_range(versus.samples[0])}, B {say_range(versus.samples[1])}. {computed}. "
            f"{explain_weights(rows)}{' ' * (one.weights is not None)}"
            f"Intervals for these questions, run again: {join_field(rows, 'again_interval')}; "
            f"for new questions of this kind: {interval}{explain_gaffke(interval)}; "
            f"{alone} {describe_tests(rows)}{describe_chance(rows)}"
            + ("" if versus.curve is None else f" Band over all k at once: {versus.curve.method}."))


def say_pair(versus: Versus) -> str:
    a, b = versus.names
    return "B minus A" if (a, b) == ("A", "B") else f"{b} (B) minus {a} (A)"


def describe_tests(rows: Sequence[Difference]) -> str:
    one = rows[0]
    null = f", of {join_field(rows, 'null')}" if one.null else ""
    least = ""
    if one.smallest and one.smallest > .05:
        least = f" The smallest p value these data can reach is {p_text(one.smallest)}."
    return f"Tests: {join_field(rows, 'test')}, two-sided{null}.{least}"


def describe_chance(rows: Sequence[Difference]) -> str:
    if rows[0].chance is None: return ""
    return (" P(B > A) is for new questions: "
            "Bayesian bootstrap with one unseen question against whoever is ahead.")
