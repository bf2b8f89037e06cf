"Exact metrics and honest error bars for repeated-sampling evaluation of language models."
__version__ = "0.1.0"

from importlib import import_module

# Public names by module. A module is imported when one of its names is first used,
# so that `import sampling_eval` costs nothing. tools/stub.py writes __init__.pyi from this table.
_PUBLIC = {
    "analyses.score.verb": "score",
    "analyses.compare.verb": "compare",
    "analyses.table.verb": "table",
    "analyses.gate.verb": "gate",
    "analyses.plan.verb": "plan",
    "analyses.extrapolate.verb": "extrapolate",
    "analyses.audit.verb": "audit",
    "analyses.count.verb": "count merge",
    "analyses.count.accumulator": "Accumulator",
    "analyses.describe.verb": "describe",
    "analyses.explain.verb": "explain",
    "foundations.counts": "Counts counts_of merge_counts",
    "foundations.answers": "votes_of",
    "metrics.passk": "pass_at_k pass_at_k_plugin",
    "metrics.passhat": "pass_hat_k pass_hat_k_plugin",
    "metrics.consensus": "cons_at_k",
    "metrics.gpass": "g_pass_at_k mg_pass_at_k",
    "metrics.average": "avg_at_n soft_accuracy hard_accuracy",
    "metrics.cost": "spend_at_k mean_costs pass_at_k_by_turn",
    "metrics.vote": "maj_at_k weighted_maj_at_k weighted_maj_at_n filtered_maj_at_k",
    "metrics.bestof": "best_of_k max_at_k min_at_k",
    "metrics.guarded": "guarded_at_k guarded_tries",
    "metrics.portfolio": "portfolio_at_k portfolio_hat_k portfolio_splits",
    "metrics.choice": "choice_scores mmlu_log_prob_score",
    "metrics.vqa": "vqa_accuracy anls",
    "metrics.preference": "head_to_head_at_k win_share",
    "inference.estimate": "mean_over_questions",
    "inference.intervals": "Estimate",
    "inference.crossed": "crossed_mean",
    "inference.bayes": "posterior bayes_at_n",
    "inference.judges": "Judge judged_pass_at_k judged_pass_hat_k judged_curve calibrate_judge "
                        "calibrated_interval prediction_powered_mean grading_variances "
                        "panel_at_k panel_facts",
    "inference.borrowing": "borrowed_mean draw_questions allocate_samples",
    "inference.rerun": "rerun_facts flaky_at_k runs_too_alike run_effect",
    "inference.comparison": "dead_questions",
    "inference.ranking": "selected_score",
    "inference.deciding": "judge_same",
    "inference.sequential": "curtailed_tries difference_evidence vote_evidence solved_within",
    "inference.spending": "cost_per_solved",
    "results.base": "load_result",
    "analyses.score.result": "Report",
    "analyses.compare.result": "PairwiseComparison MultipleComparison",
    "analyses.gate.result": "Gate",
    "analyses.table.result": "ModelTable",
    "analyses.plan.result": "GroupPlan PowerAnalysis WidthPlan",
    "analyses.extrapolate.result": "Forecast",
    "analyses.audit.result": "Audit",
    "analyses.describe.result": "DataDescription",
    "analyses.explain.result": "Explanation Shortlist",
    "reading.load": "read",
    "errors": "OptionError OptionTypeError",
    "reading.logs.samples": "read_choices",
}

_MODULE = {name: module for module, names in _PUBLIC.items() for name in names.split()}
__all__ = list(_MODULE)


def __getattr__(name):
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{_suggest(name)}")
    found = globals()[name] = getattr(import_module(f".{_MODULE[name]}", __name__), name)
    return found


def __dir__(): return sorted(["__version__", *__all__])


def _suggest(name):
    if name.startswith("_"): return ""
    # A new name is sought by its letters, or by those of the module that has it.
    from difflib import get_close_matches
    near = get_close_matches(name.lower(), __all__, 2, .65)
    return f"; did you mean {' or '.join(near)}?" if near else ""
