# Written by tools/stub.py from the table in __init__.py: run make prepare.

from .analyses.score.verb import score as score
from .analyses.compare.verb import compare as compare
from .analyses.table.verb import table as table
from .analyses.gate.verb import gate as gate
from .analyses.plan.verb import plan as plan
from .analyses.extrapolate.verb import extrapolate as extrapolate
from .analyses.audit.verb import audit as audit
from .analyses.count.verb import count as count
from .analyses.count.verb import merge as merge
from .analyses.count.accumulator import Accumulator as Accumulator
from .analyses.describe.verb import describe as describe
from .analyses.explain.verb import explain as explain
from .foundations.counts import Counts as Counts
from .foundations.counts import counts_of as counts_of
from .foundations.counts import merge_counts as merge_counts
from .foundations.answers import votes_of as votes_of
from .metrics.passk import pass_at_k as pass_at_k
from .metrics.passk import pass_at_k_plugin as pass_at_k_plugin
from .metrics.passhat import pass_hat_k as pass_hat_k
from .metrics.passhat import pass_hat_k_plugin as pass_hat_k_plugin
from .metrics.consensus import cons_at_k as cons_at_k
from .metrics.gpass import g_pass_at_k as g_pass_at_k
from .metrics.gpass import mg_pass_at_k as mg_pass_at_k
from .metrics.average import avg_at_n as avg_at_n
from .metrics.average import soft_accuracy as soft_accuracy
from .metrics.average import hard_accuracy as hard_accuracy
from .metrics.cost import spend_at_k as spend_at_k
from .metrics.cost import mean_costs as mean_costs
from .metrics.cost import pass_at_k_by_turn as pass_at_k_by_turn
from .metrics.vote import maj_at_k as maj_at_k
from .metrics.vote import weighted_maj_at_k as weighted_maj_at_k
from .metrics.vote import weighted_maj_at_n as weighted_maj_at_n
from .metrics.vote import filtered_maj_at_k as filtered_maj_at_k
from .metrics.bestof import best_of_k as best_of_k
from .metrics.bestof import max_at_k as max_at_k
from .metrics.bestof import min_at_k as min_at_k
from .metrics.guarded import guarded_at_k as guarded_at_k
from .metrics.guarded import guarded_tries as guarded_tries
from .metrics.portfolio import portfolio_at_k as portfolio_at_k
from .metrics.portfolio import portfolio_hat_k as portfolio_hat_k
from .metrics.portfolio import portfolio_splits as portfolio_splits
from .metrics.choice import choice_scores as choice_scores
from .metrics.choice import mmlu_log_prob_score as mmlu_log_prob_score
from .metrics.vqa import vqa_accuracy as vqa_accuracy
from .metrics.vqa import anls as anls
from .metrics.preference import head_to_head_at_k as head_to_head_at_k
from .metrics.preference import win_share as win_share
from .inference.estimate import mean_over_questions as mean_over_questions
from .inference.intervals import Estimate as Estimate
from .inference.crossed import crossed_mean as crossed_mean
from .inference.bayes import posterior as posterior
from .inference.bayes import bayes_at_n as bayes_at_n
from .inference.judges import Judge as Judge
from .inference.judges import judged_pass_at_k as judged_pass_at_k
from .inference.judges import judged_pass_hat_k as judged_pass_hat_k
from .inference.judges import judged_curve as judged_curve
from .inference.judges import calibrate_judge as calibrate_judge
from .inference.judges import calibrated_interval as calibrated_interval
from .inference.judges import prediction_powered_mean as prediction_powered_mean
from .inference.judges import grading_variances as grading_variances
from .inference.judges import panel_at_k as panel_at_k
from .inference.judges import panel_facts as panel_facts
from .inference.borrowing import borrowed_mean as borrowed_mean
from .inference.borrowing import draw_questions as draw_questions
from .inference.borrowing import allocate_samples as allocate_samples
from .inference.rerun import rerun_facts as rerun_facts
from .inference.rerun import flaky_at_k as flaky_at_k
from .inference.rerun import runs_too_alike as runs_too_alike
from .inference.rerun import run_effect as run_effect
from .inference.comparison import dead_questions as dead_questions
from .inference.ranking import selected_score as selected_score
from .inference.deciding import judge_same as judge_same
from .inference.sequential import curtailed_tries as curtailed_tries
from .inference.sequential import difference_evidence as difference_evidence
from .inference.sequential import vote_evidence as vote_evidence
from .inference.sequential import solved_within as solved_within
from .inference.spending import cost_per_solved as cost_per_solved
from .results.base import load_result as load_result
from .analyses.score.result import Report as Report
from .analyses.compare.result import PairwiseComparison as PairwiseComparison
from .analyses.compare.result import MultipleComparison as MultipleComparison
from .analyses.gate.result import Gate as Gate
from .analyses.table.result import ModelTable as ModelTable
from .analyses.plan.result import GroupPlan as GroupPlan
from .analyses.plan.result import PowerAnalysis as PowerAnalysis
from .analyses.plan.result import WidthPlan as WidthPlan
from .analyses.extrapolate.result import Forecast as Forecast
from .analyses.audit.result import Audit as Audit
from .analyses.describe.result import DataDescription as DataDescription
from .analyses.explain.result import Explanation as Explanation
from .analyses.explain.result import Shortlist as Shortlist
from .reading.load import read as read
from .errors import OptionError as OptionError
from .errors import OptionTypeError as OptionTypeError
from .reading.logs.samples import read_choices as read_choices

__version__: str
__all__ = [
    "score", "compare", "table", "gate", "plan", "extrapolate", "audit", "count", "merge",
    "Accumulator", "describe", "explain", "Counts", "counts_of", "merge_counts", "votes_of",
    "pass_at_k", "pass_at_k_plugin", "pass_hat_k", "pass_hat_k_plugin", "cons_at_k",
    "g_pass_at_k", "mg_pass_at_k", "avg_at_n", "soft_accuracy", "hard_accuracy", "spend_at_k",
    "mean_costs", "pass_at_k_by_turn", "maj_at_k", "weighted_maj_at_k", "weighted_maj_at_n",
    "filtered_maj_at_k", "best_of_k", "max_at_k", "min_at_k", "guarded_at_k", "guarded_tries",
    "portfolio_at_k", "portfolio_hat_k", "portfolio_splits", "choice_scores",
    "mmlu_log_prob_score", "vqa_accuracy", "anls", "head_to_head_at_k", "win_share",
    "mean_over_questions", "Estimate", "crossed_mean", "posterior", "bayes_at_n", "Judge",
    "judged_pass_at_k", "judged_pass_hat_k", "judged_curve", "calibrate_judge",
    "calibrated_interval", "prediction_powered_mean", "grading_variances", "panel_at_k",
    "panel_facts", "borrowed_mean", "draw_questions", "allocate_samples", "rerun_facts",
    "flaky_at_k", "runs_too_alike", "run_effect", "dead_questions", "selected_score",
    "judge_same", "curtailed_tries", "difference_evidence", "vote_evidence", "solved_within",
    "cost_per_solved", "load_result", "Report", "PairwiseComparison", "MultipleComparison",
    "Gate", "ModelTable", "GroupPlan", "PowerAnalysis", "WidthPlan", "Forecast", "Audit",
    "DataDescription", "Explanation", "Shortlist", "read", "OptionError", "OptionTypeError",
    "read_choices",
]
