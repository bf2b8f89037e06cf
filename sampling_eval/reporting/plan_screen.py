"""The first screen of a plan: the answer, a small table, and what it hangs on."""
from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

from ..inference.estimate import TARGETS
from ..report.blocks import Table
from .advice import say_number
from .numbers import digits, percent
from .openings import say_read
from .parts import Lead, Part
from .phrases import say_share
from .planned import AskedPlan, Related

__all__ = ["pick_rows", "screen_plan", "open_plan"]


def pick_rows(
    plan: AskedPlan,  # A plan with its rows
) -> list[dict[str, Any]]:  # At most three, the fewest samples first
    "The rows that a reader chooses between: recommended, as in the pilot, fewest and most samples."
    return [row for i, row in enumerate(plan.rows) if name_row(plan, i)]


def name_row(plan: AskedPlan, i: int) -> str:
    "What a row is to a reader; empty for one that is not shown."
    rows = plan.rows
    if i == plan.best: return "recommended" if find_goal(plan) != "delta" else "cheapest"
    if rows[i]["samples"] == plan.piloted: return "as now"
    if i == len(rows) - 1: return "most samples"
    return "fewest samples" if i == 0 and plan.best in (None, len(rows) - 1) else ""


def find_goal(plan: AskedPlan) -> str:
    "What is looked for: `delta` given, `questions` given, `both`, or a `budget`."
    asked = plan.asked or {}
    given = [name for name in ("delta", "questions", "budget") if asked.get(name) is not None]
    if "budget" in given: return "budget"
    return "both" if len(given) == 2 else given[0]


def screen_plan(
    plan: AskedPlan,  # A plan
) -> list[Part]:  # The answer, the rows to choose between, and what they hang on
    "What the first screen of a plan says."
    last = [say_power(plan), *map(say_read, filter(None, [plan.read]))]
    return [*open_plan(plan), *map(Lead, last)]


def open_plan(
    plan: AskedPlan,  # A plan
) -> list[Part]:  # The answer and the rows to choose between; none without what was asked
    "How every form of a plan begins."
    if not plan.asked: return []
    said = [say_plan(plan), *say_usual(plan), *say_relation(plan)]
    return [Lead(" ".join(said)), make_table(plan)]


# The answer.

def say_usual(plan: AskedPlan) -> list[str]:
    "What the recommended row is by the usual interval; nothing where no row is recommended."
    if plan.best is None or not plan.usual or "budget" == find_goal(plan): return []
    own = plan.rows[plan.best]
    same = next((row for row in plan.usual if row["samples"] == own["samples"]), None)
    if same is None: return []
    kind = "normal" if plan.target == "benchmark" else "t"
    found = dict(delta=say_number(same["questions"], "question"), questions=digits(same["delta"]),
                 both=f"power {say_share(round(same['power'], 3))}")[find_goal(plan)]
    return [f"By a {kind} interval: {found}."]


def say_plan(plan: AskedPlan) -> str:
    "What to do, in a sentence."
    power, goal = say_share(plan.wanted), find_goal(plan)
    asked = plan.asked or {}
    size = say_number(int(asked.get("questions") or 0), "question")
    if goal == "delta":
        return (f"To see a difference of {asked['delta']:g} in {plan.metric} with power {power}: "
                f"{say_design(plan)}.")
    if goal == "both": return say_both(plan, f"a difference of {asked['delta']:g}", size)
    given = f"{size} show"
    if goal == "budget": given = f"a budget of {asked['budget']:,g} shows"
    what = f"The smallest difference in {plan.metric} that {given} with power {power}"
    if plan.best is None: return f"{what}: none, not even the largest there can be."
    row = plan.rows[plan.best]
    where = say_size(row) if goal == "budget" else f"{say_number(row['samples'], 'sample')} each"
    return f"{what} is {digits(row['delta'])}, with {where}."


def say_design(plan: AskedPlan) -> str:
    "The recommended row, and what it is if the systems go together more."
    if plan.best is None: return "more questions than can be counted"
    row = plan.rows[plan.best]
    found = [other for other in plan.others if other.rows and plan.correlation is None]
    if not found: return say_size(row)
    far = found[-1]
    same = [own for own in far.rows if own["samples"] == row["samples"]]
    if not same or same[0]["questions"] == row["questions"]: return say_size(row)
    less = f"or {same[0]['questions']:,} if their correlation is {far.correlation:g}"
    return f"{say_size(row)} if the two systems are unrelated, {less}"


def say_both(plan: AskedPlan, difference: str, size: str) -> str:
    "Whether so many questions are enough."
    what = f"{difference} in {plan.metric}"
    if plan.best is not None:
        row = plan.rows[plan.best]
        each = say_number(row["samples"], "sample")
        return f"Yes: {size} with {each} each show {what} with power {say_share(row['power'])}."
    most = max(plan.rows, key=lambda row: row["power"])
    samples = say_number(plan.rows[-1]["samples"], "sample")
    said = (f"No: {size} do not show {what} with power {say_share(plan.wanted)}; with up to "
            f"{samples} each it is at most {say_share(round(most['power'], 3))}.")
    if plan.questions_needed is None: return said
    each = say_number(pick_rows(plan)[-1]["samples"], "sample")
    return f"{said} Questions are needed: {plan.questions_needed:,} with {each} each."


def say_size(row: dict[str, Any]) -> str:
    questions = say_number(row["questions"], "question")
    return f"{questions} with {say_number(row['samples'], 'sample')} each"


# What it hangs on.

def say_relation(plan: AskedPlan) -> list[str]:
    "How far the two systems go together, and what that does."
    if plan.correlation is not None:
        own = f"{min(max(plan.correlation, -1), 1):.2f}"
        return [f"Question by question, the two systems have a correlation of {own} in these runs."]
    if not plan.others: return []
    one = plan.piloted is not None
    said = " from one run: a run of the other system" if one else ": a run of each"
    return [f"How closely two systems agree question by question is not known{said} on the same "
            "questions shows it."]


def say_power(plan: AskedPlan) -> str:
    "What power is, in a sentence."
    level = f"{percent(plan.confidence_level)} % interval of compare"
    return (f"Power: the chance that the {level}, for {TARGETS[plan.target]}, ends on the right "
            f"side of zero.{say_simulated(plan)}")


def say_simulated(plan: AskedPlan) -> str:
    "How far another seed may move the numbers; nothing where they are computed exactly."
    if not plan.error: return ""
    if find_goal(plan) == "both":
        return f" It is simulated, with a standard error of {100 * plan.error:.1g} points."
    normal = NormalDist()
    wanted = normal.inv_cdf(plan.wanted)
    reach = wanted + normal.inv_cdf((1 + plan.confidence_level) / 2)
    moved = plan.error / normal.pdf(wanted) / reach
    # Questions go with the square of the difference.
    if COLUMNS[find_goal(plan)] == "questions": moved *= 2
    return (" It is simulated: another seed, or another version of numpy, moves the numbers by "
            f"about {100 * moved:.1g} %.")


# The table.

COLUMNS = dict(delta="questions", questions="delta", both="power", budget="delta")
HEADS = dict(questions="questions", delta="difference", power="power")


def make_table(plan: AskedPlan) -> Table:
    "The rows to choose between, at each correlation."
    goal, shown = find_goal(plan), pick_rows(plan)
    sought = COLUMNS[goal]
    guessed = bool(plan.others) and plan.correlation is None
    columns = {"samples each": write_numbers(shown, "samples")}
    if goal == "budget": columns["questions"] = write_numbers(shown, "questions")
    columns["unrelated" if guessed else HEADS[sought]] = write_numbers(shown, sought)
    for other in plan.others:
        columns[say_correlation(other)] = list_other(other.rows, shown, sought)
    if goal == "delta": columns["cost"] = write_numbers(shown, "cost")
    names = filter(None, [name_row(plan, i) for i in range(len(plan.rows))])
    rows = [list(row) for row in zip(names, *columns.values(), strict=True)]
    title = f"{HEADS[sought].capitalize()}, if the two systems are" if guessed else ""
    return Table(["", *columns], rows, title)


def say_correlation(plan: Related) -> str:
    return f"correlated {plan.correlation:g}" if plan.correlation else "unrelated"


def write_numbers(rows: Sequence[dict[str, Any]], name: str) -> list[str]:
    return [write_number(row, name) for row in rows]


def write_number(row: dict[str, Any], name: str) -> str:
    "A number of a row as a reader sees it."
    value = row[name]
    if name in ("samples", "questions"): return f"{value:,}"
    if name == "cost": return f"{value:,.6g}"
    return say_share(value) if name == "power" else digits(value)


def list_other(
    rows: Sequence[dict[str, Any]], shown: Sequence[dict[str, Any]], sought: str,
) -> list[str]:
    "The same column at another correlation; `-` where there is none."
    found = {row["samples"]: write_number(row, sought) for row in rows}
    return [found.get(row["samples"], "-") for row in shown]
