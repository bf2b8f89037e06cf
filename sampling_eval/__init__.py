"Exact metrics and honest error bars for repeated-sampling evaluation of language models."
__version__ = "0.1.0"

from importlib import import_module

# Public names by module. A module is imported when one of its names is first used, so that `import sampling_eval` costs nothing.
_PUBLIC = {
    "verbs": "score compare gate plan extrapolate count merge",
    "foundations.counts": "Counts counts_of merge_counts",
    "foundations.answers": "votes_of",
    "metrics.passk": "pass_at_k pass_at_k_plugin",
    "metrics.passhat": "pass_hat_k pass_hat_k_plugin",
    "metrics.consensus": "cons_at_k",
    "metrics.gpass": "g_pass_at_k mg_pass_at_k",
    "metrics.average": "avg_at_n soft_accuracy hard_accuracy",
    "metrics.vote": "maj_at_k weighted_maj_at_n",
    "metrics.bestof": "best_of_k max_at_k min_at_k",
    "metrics.choice": "choice_scores mmlu_log_prob_score",
    "metrics.vqa": "vqa_accuracy anls",
    "inference.estimate": "mean_over_questions",
    "inference.bands": "simultaneous_band",
    "inference.bayes": "posterior bayes_at_n",
    "reading.samples": "Samples read_samples",
    "reading.logs": "read read_choices",
}
_MODULE = {name: module for module, names in _PUBLIC.items() for name in names.split()}
__all__ = list(_MODULE)


def __getattr__(name):
    if name not in _MODULE: raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_MODULE[name]}", __name__), name)
    return value


def __dir__(): return sorted([*globals(), *__all__])
