"""Which class holds a kind of result, and which module puts it into words.

Both are imported when they are asked for: a result that nobody prints loads no words.
"""
from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

__all__ = ["ADDONS", "RESULT_CLASSES", "WORDS_MODULES", "addons_of", "addon_module", "result_class",
           "words_module"]

# Kind of a result to its class, and where that stands.
RESULT_CLASSES = dict(
    score=("Report", "..analyses.score.result"),
    compare=("PairwiseComparison", "..analyses.compare.result"),
    ranking=("MultipleComparison", "..analyses.compare.result"),
    gate=("Gate", "..analyses.gate.result"), table=("ModelTable", "..analyses.table.result"),
    plan=("PowerAnalysis", "..analyses.plan.result"),
    width=("WidthPlan", "..analyses.plan.result"),
    groups=("GroupPlan", "..analyses.plan.result"),
    describe=("DataDescription", "..analyses.describe.result"),
    extrapolate=("Forecast", "..analyses.extrapolate.result"),
    audit=("Audit", "..analyses.audit.result"),
    explain=("Explanation", "..analyses.explain.result"),
    shortlist=("Shortlist", "..analyses.explain.result"))

# What is to be written, to the module that writes it: a kind of result, a part of one, a form.
WORDS_MODULES = dict(
    score="..analyses.score.words", compare="..analyses.compare.words",
    ranking="..analyses.compare.ranking_words", gate="..analyses.gate.words",
    table="..analyses.table.words", plan="..analyses.plan.words",
    width="..analyses.plan.width_words", groups="..analyses.plan.groups_words",
    describe="..analyses.describe.words",
    extrapolate="..analyses.extrapolate.words", audit="..analyses.audit.words",
    explain="..analyses.explain.words", shortlist="..analyses.explain.shortlist_words",
    caution="..analyses.phrases.advice", reading="..analyses.phrases.reading",
    texts="..analyses.phrases.question_texts", text="..render.text",
    blocks="..render.blocks", markdown="..render.markdown", latex="..render.latex",
    html="..render.html", output="..render.output",
    sources="..render.citations", junit="..analyses.gate.junit")


def result_class(
    kind: str,  # Kind of a result
) -> Any:  # Its class
    "The class of results of a kind."
    name, module = RESULT_CLASSES[kind]
    return getattr(import_module(module, __package__), name)


def words_module(
    name: str,  # Kind of a result, part of one, or form
) -> Any:  # The module
    "The module that writes it."
    return import_module(WORDS_MODULES[name], __package__)


# What options add to a result.

class Addon(NamedTuple):
    "A module of `analyses.addons`."
    module: str
    options: dict[str, Any]  # Options that ask for it, with their defaults; none: always
    several: bool = False  # Whether it finds several objects, or one
    verbs: tuple[str, ...] = ("score",)  # Kinds of results that it adds to


# Name of what an add-on finds, as the result has it, to its module.
ADDONS = dict(
    guarded=Addon("guarded", dict(verdict=None)),
    portfolio=Addon("portfolio", dict(portfolio=None)),
    crossed=Addon("crossed", dict(crossed=False)),
    votes=Addon("votes", dict(vote_weight=None, vote_keep=None)),
    panel=Addon("panel", dict(panel=None)),
    by_turn=Addon("by_turn", dict(budget_column=None)),
    corrected=Addon("judged", dict(judge=None, labels=None)),
    borrowed=Addon("borrowed", dict(earlier=None)),
    spend=Addon("spend", dict(cost=None, cost_cap=None, missing_cost="raise"), several=True),
    ordered=Addon("ordered", dict(attempts=None), several=True),
    battles=Addon("battles", {}),  # Asked for by the data
    equal_spend=Addon(
        "equal_spend", dict(cost=None, spend=None, missing_cost="raise"), verbs=("compare",)),
    crossed_difference=Addon(
        "crossed_difference", dict(crossed=False, by=None), verbs=("compare",)),
    selected=Addon("selected", {}, verbs=("table", "ranking")))


def addons_of(
    verb: str,  # Kind of a result, such as `score`
) -> list[str]:  # Names of what they find
    "The add-ons of a verb."
    return [name for name, one in ADDONS.items() if verb in one.verbs]


def addon_module(
    name: str,  # What it finds, as the report has it
) -> Any:  # Its module
    """An add-on of the package, or of another one.

    Raises: `ValueError` for a name that nobody has.
    """
    if name in ADDONS:
        return import_module(f"..analyses.addons.{ADDONS[name].module}", __package__)
    from importlib.metadata import entry_points  # Reads what is installed
    found = {one.name: one for one in entry_points(group="sampling_eval.addons")}
    if name in found: return found[name].load()
    raise ValueError(f"need an add-on that is installed, of {[*found]}, got {name!r}")
