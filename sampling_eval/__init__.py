"Exact metrics and honest error bars for repeated-sampling evaluation of language models."
__version__ = "0.1.0"

from .foundations.answers import votes_of
from .foundations.counts import Counts, counts_of, merge_counts
from .inference.bands import simultaneous_band
from .inference.bayes import bayes_at_n, posterior
from .inference.estimate import mean_over_questions
from .metrics.average import avg_at_n, hard_accuracy, soft_accuracy
from .metrics.bestof import best_of_k, max_at_k, min_at_k
from .metrics.choice import choice_scores, mmlu_log_prob_score
from .metrics.consensus import cons_at_k
from .metrics.gpass import g_pass_at_k, mg_pass_at_k
from .metrics.passhat import pass_hat_k, pass_hat_k_plugin
from .metrics.passk import pass_at_k, pass_at_k_plugin
from .metrics.vote import maj_at_k, weighted_maj_at_n
from .metrics.vqa import anls, vqa_accuracy
from .reading.logs import read, read_choices
from .reading.samples import Samples, read_samples
from .verbs import compare, count, extrapolate, gate, merge, plan, score

__all__ = [
    "score", "compare", "gate", "plan", "extrapolate", "count", "merge",
    "Counts", "Samples", "counts_of", "merge_counts", "votes_of", "read", "read_choices", "read_samples",
    "pass_at_k", "pass_at_k_plugin", "pass_hat_k", "pass_hat_k_plugin", "cons_at_k", "g_pass_at_k", "mg_pass_at_k",
    "avg_at_n", "soft_accuracy", "hard_accuracy", "maj_at_k", "weighted_maj_at_n", "best_of_k", "max_at_k", "min_at_k",
    "choice_scores", "mmlu_log_prob_score", "vqa_accuracy", "anls",
    "mean_over_questions", "simultaneous_band", "posterior", "bayes_at_n",
]
