"""What the notebooks of the site import: `from sampling_eval.pages import Table, urn_explorer`.

Nothing else in the package imports from here.
"""
from importlib import import_module

# Names by module, each imported when it is first used: most pages need one or two.
_NAMES = {
    "display": "Table page_figures",
    "explorer": "Explorer Guess guess",
    "explorers": "urn_explorer curve_explorer vote_explorer peek_explorer plan_explorer "
                 "score_auditor metric_chooser interval_explorer spend_explorer bestof_explorer "
                 "calibration_explorer choice_explorer bands_explorer significance_explorer "
                 "bayes_explorer",
    "explorer_tables": "audit",
    "disputes": "paired_explorer runs_explorer beyond_explorer rate_explorer needed_explorer "
                "judge_explorer",
    "refusals": "refuses",
}
_MODULE = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = list(_MODULE)


def __getattr__(name: str) -> object:
    if name not in _MODULE: raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_MODULE[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]: return sorted(__all__)
