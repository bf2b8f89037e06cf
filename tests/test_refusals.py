"""Every public function with each argument of a wrong kind: an answer, or a refusal in our words.

A refusal is a `raise` of the package. What numpy or Python say of an argument that was let through
(`unsupported operand`, `'NoneType' object is not iterable`), memory that is asked for, and a call
that does not end are none.
"""

import contextlib
import inspect
import io
import linecache
import resource
import signal
import traceback
import warnings
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest

import sampling_eval as se
from sampling_eval.foundations.answers import rewards_of, tally
from sampling_eval.foundations.counts import check_counts
from sampling_eval.inference import bayes, extrapolation, planning, sequential
from sampling_eval.inference.power import smallest_verdict
from sampling_eval.inference.significance import permutation
from sampling_eval.inference.estimate import within_questions
from sampling_eval.parameters import READ_OPTIONS

HOME = str(Path(se.__file__).parent)
ROOM = 6 * 2**30  # Bytes that a call may take
SECONDS = 60  # After which a call is taken for one that does not end


class Odd:
    "What no function takes."

    def __repr__(self):
        return "<odd>"


WRONG = {
    "None": None,
    "text": "x",
    "empty text": "",
    "bytes": b"x",
    "nan": float("nan"),
    "inf": float("inf"),
    "-1": -1,
    "0": 0,
    "1.5": 1.5,
    "True": True,
    "complex": 1j,
    "date": np.datetime64("2020-01-01"),
    "odd": Odd(),
    "function": lambda *any: 3,
    "set": {1, 2},
    "dict": {},
    "ragged": [[1, 0], [1]],
    "ragged text": [["a"], ["b", 1]],
    "texts": ["x", "y"],
    "Nones": [None, None],
    "odds": [Odd(), Odd()],
    "nans": [float("nan")] * 3,
    "negative": [-1] * 3,
    "empty": [],
    "deep": [[[]]],
    "2**31": 2**31,
    "2**62": 2**62,
    "2**70": 2**70,
    "many": [2**62, 2**62],
}

ROWS = [
    dict(
        question=q,
        sample=s,
        correct=int((q + s) % 3 > 0),
        answer="ab"[(q + s) % 3 > 0],
        score=q * s % 4 / 4,
        cost=1.0 + s,
        model="m",
    )
    for q in range(4)
    for s in range(4)
]
BOTH = [row | dict(model=name) for name in "mn" for row in ROWS]
COUNTS, TWO, SIX = (
    dict(n=[4, 4, 4], c=[1, 2, 4]),
    dict(n=[4, 4], c=[1, 2]),
    dict(n=[6] * 6, c=[0, 1, 2, 4, 5, 6]),
)
PARTS = dict(n=[[4, 4], [4, 4]], c=[[1, 2], [0, 4]])
VOTES = dict(answers=[list("aabb"), list("abcc")], correct=[[1, 1, 0, 0], [0, 1, 0, 0]])
RULES = dict(ties="expected", no_answer=None, normalize=None, conflict="refuse")
TABLE = [[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]] * 3
JUDGED = dict(n=[4, 4], judged=[1, 2], k=2)
RATES = dict(sensitivity=0.9, specificity=0.8)
LABELS = se.calibrate_judge([1, 1, 1, 0, 0, 0, 1, 0], [1, 1, 1, 1, 0, 0, 0, 0])
GAPS = [0.1, 0.2, -0.1, 0.3, 0.0, 0.05, -0.2, 0.4]

# Arguments with which a function answers, by what is called.
CALLS = {
    se.pass_at_k: COUNTS | dict(k=2),
    se.pass_at_k_plugin: COUNTS | dict(k=2),
    se.pass_hat_k: COUNTS | dict(k=2),
    se.pass_hat_k_plugin: COUNTS | dict(k=2),
    se.cons_at_k: COUNTS | dict(k=2),
    se.mg_pass_at_k: COUNTS | dict(k=2),
    se.g_pass_at_k: COUNTS | dict(k=2, tau=0.5),
    se.avg_at_n: COUNTS,
    se.flaky_at_k: COUNTS | dict(k=2),
    se.rerun_facts: COUNTS,
    se.dead_questions: COUNTS,
    se.spend_at_k: COUNTS | dict(k=2, right=[1.0, 2.0, 3.0], wrong=[1.0, 2.0, 2.0]),
    se.soft_accuracy: dict(scores=[[0.5, 1.0], [0.0, 0.2]]),
    se.hard_accuracy: dict(scores=[[0.5, 1.0], [0.0, 0.2]], threshold=0.5),
    se.pass_at_k_by_turn: dict(turns=[[1.0, 3.0], [2.0, 5.0]], k=2, T=4.0),
    se.mean_costs: dict(correct=[[1, 0], [1, 1]], cost=[[1.0, 2.0], [1.0, 1.0]]),
    se.maj_at_k: VOTES | RULES | dict(k=2),
    se.weighted_maj_at_n: VOTES | RULES | dict(weights=[[1.0] * 4] * 2),
    se.weighted_maj_at_k: VOTES | RULES | dict(weights=[[1.0, 2.0, 1.0, 1.0]] * 2, k=2, step=0.5),
    se.filtered_maj_at_k: (
        VOTES | RULES | dict(confidence=[[1.0, 2.0, 1.0, 1.0]] * 2, k=2, keep=0.5)
    ),
    se.best_of_k: dict(scores=[[0.1, 0.2], [0.3, 0.4]], correct=[[0, 1], [1, 0]], k=2),
    se.max_at_k: dict(rewards=[[0.1, 0.2], [0.3, 0.4]], k=2),
    se.min_at_k: dict(rewards=[[0.1, 0.2], [0.3, 0.4]], k=2),
    se.head_to_head_at_k: dict(a=[[1, 2, 3], [4, 4]], b=[[2, 2], [5, 1]], k=2),
    se.win_share: dict(wins=[2, 1], ties=[0, 1], losses=[1, 1]),
    se.guarded_at_k: dict(n=[4, 4], judged=[2, 3], right_judged=[1, 2], k=2, right_rejected=[0, 1]),
    se.guarded_tries: dict(n=[4, 4], judged=[2, 3], k=2),
    se.portfolio_at_k: PARTS | dict(k=[1, 2]),
    se.portfolio_hat_k: PARTS | dict(k=[1, 2]),
    se.portfolio_splits: PARTS | dict(k=2, every=False),
    se.choice_scores: dict(
        logprobs=[[-1.0, -2.0], [-1.0, -0.5]],
        gold=[0, 1],
        normalize="raw",
        texts=[["a", "b"], ["c", "d"]],
        lengths=None,
        unconditional=None,
        ties="expected",
        groups=None,
        bins=10,
    ),
    se.mmlu_log_prob_score: dict(log_probs=[[-1.0, -2.0], [-1.0, -0.5]], correct_answers=[0, 1]),
    se.vqa_accuracy: dict(
        predictions=["a", "b"], references=[["a", "a", "b"], ["b", "b", "b"]], normalize=str.lower
    ),
    se.anls: dict(
        predictions=["a", "b"],
        references=[["a"], ["b", "c"]],
        threshold=0.5,
        at_threshold="keep",
        normalize=str.lower,
    ),
    se.mean_over_questions: dict(
        values=[0.5, 0.2, 0.7],
        k=2,
        n_min=4,
        n_max=4,
        estimator="",
        missing=0,
        cluster=None,
        target="new_questions",
        within=None,
        bounds=(0, 1),
        times=None,
    ),
    se.posterior: TWO | dict(k=2, credit="any", prior="flat", times=None),
    se.bayes_at_n: dict(outcomes=[[0, 1], [1, 1]], weights=[0, 1], prior_outcomes=None),
    se.Judge: RATES,
    se.judged_pass_at_k: JUDGED | RATES,
    se.judged_pass_hat_k: JUDGED | RATES,
    se.judged_curve: JUDGED | RATES | dict(credit="any", target="new_questions", cluster=None),
    se.calibrate_judge: dict(passed=[1, 1, 0, 0], labels=[1, 1, 0, 0]),
    se.calibrated_interval: (
        JUDGED | dict(calibration=LABELS, credit="any", confidence_level=0.95, cluster=None)
    ),
    se.prediction_powered_mean: dict(
        truth=[1.0, 0.0, 1.0, 1.0],
        judged=[1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0],
        labelled=[0, 1, 2, 3],
        bounds=(0, 1),
    ),
    se.panel_at_k: dict(right=[[1, 0, 1], [1, 1, 0]], k=2),
    se.panel_facts: dict(right=[[1, 0, 1], [1, 1, 0]]),
    se.grading_variances: dict(grades=[[[0, 1], [1, 1]], [[0, 0], [1, 0]], [[1, 1], [0, 0]]]),
    se.borrowed_mean: dict(
        values=[0.5, 0.2, 0.7, 0.1],
        sampled=[0, 1, 2, 3],
        earlier=[0.5, 0.2, 0.7, 0.1, 0.3, 0.4, 0.5, 0.9],
        slope=None,
        within=None,
        bounds=(0, 1),
    ),
    se.draw_questions: dict(questions=10, sampled=4, rng=0),
    se.allocate_samples: COUNTS | dict(k=2, total=20, credit="any", least=None),
    se.runs_too_alike: dict(outcomes=TABLE),
    se.run_effect: dict(outcomes=TABLE, permutations=100),
    se.judge_same: dict(low=-0.1, high=0.1, margin=0.2),
    se.curtailed_tries: dict(N=5, needed=3, p=0.5),
    se.vote_evidence: dict(a=5, b=2),
    se.solved_within: dict(attempts=[1, 2, 3], solved=[1, 1, 0], k=2),
    se.difference_evidence: dict(x=GAPS, margin=-0.02),
    se.crossed_mean: dict(
        y=[[0.1, 0.2, 0.4], [0.5, 0.3, 0.6], [0.9, 0.7, 0.8]], prompts="random", bounds=(0, 1)
    ),
    se.selected_score: dict(runs=[[0.5, 0.2, 0.7], [0.1, 0.4, 0.6]], choose_on=1),
    se.cost_per_solved: dict(
        spend=[1.0, 2.0, 3.0],
        solved=[1, 0, 1],
        cap=5.0,
        least=0.0,
        cluster=None,
        weights=None,
        confidence_level=0.95,
    ),
    se.Counts: (
        TWO
        | dict(
            questions=["a", "b"],
            missing=[0, 0],
            score_sum=None,
            cluster=None,
            votes=None,
            rewards=None,
            model="",
        )
    ),
    se.counts_of: dict(outcomes=TABLE, questions=None),
    se.votes_of: VOTES | dict(normalize=None, no_answer=None, conflict="refuse", questions=None),
    se.audit: dict(number=0.5, other=None, questions=100, samples=4, confidence_level=0.95),
    se.load_result: dict(path="none.json"),
    se.read_choices: dict(path="none.jsonl"),
    se.read: dict(data=ROWS),
    # what pages define
    bayes.posterior_mean: SIX | dict(k=2, credit="any", prior="flat"),
    bayes.posterior_variance: SIX | dict(k=2, credit="any", prior="flat"),
    extrapolation.assumption_free_bounds: SIX | dict(k=[3, 8], credit="any", confidence_level=0.95),
    extrapolation.extrapolate_credit: SIX | dict(k=[3, 8], credit="any", confidence_level=0.95),
    extrapolation.back_test: SIX | dict(keep=3, k=[3], credit="any", repeats=2, rng=0),
    extrapolation.fit_beta_distribution: SIX | dict(zero=False),
    extrapolation.unsolved_limit: dict(n=[4], k=2, confidence_level=0.95),
    extrapolation.mean_band: dict(average=[0.2, 0.4], questions=30),
    planning.within_at: SIX | dict(k=2, credit="any", samples=[4]),
    planning.pilot_components: SIX | dict(k=2, credit="any", samples=[4]),
    within_questions: SIX | dict(k=2, credit="any"),
    smallest_verdict: dict(n=4, k=2, credit="any", target="same_questions"),
    permutation: dict(
        n_a=[4, 4], c_a=[1, 2], n_b=[4, 4], c_b=[2, 4], k=2, credit="any", draws=99, rng=0
    ),
    sequential.betting_wealth: dict(values=GAPS, mean=0.0, bounds=(-1, 1), confidence_level=0.95),
    sequential.confidence_sequence: dict(
        differences=GAPS, confidence_level=0.95, bounds=(-1, 1), steps=100
    ),
    sequential.pass_at_k_until_success: dict(n=[3, 1, 4], c=[1, 1, 0], k=2, successes=1, tries=4),
    sequential.stopped_at_success: dict(n=[3, 1, 4], c=[1, 1, 0]),
    sequential.needed_successes: dict(N=20, minimum=0.5, level=0.05),
    sequential.curtailed_share: dict(N=5, needed=3, tries=4, successes=3),
    sequential.first_successes: dict(correct=[[0, 1], [1]]),
    sequential.settled_tries: dict(N=5, needed=3, correct=[[1, 1, 1], [0, 0, 0, 1]]),
    sequential.certify_vote: dict(answers=list("777"), target="7", confidence_level=0.9),
    sequential.solved_interval: dict(
        attempts=[1, 2, 3], solved=[1, 1, 0], k=2, confidence_level=0.95
    ),
    tally: dict(
        question=[0, 0, 1],
        answers=["a", "b", "a"],
        correct=[1, 0, 1],
        votes=[1, 2, 1],
        normalize=None,
        no_answer=None,
        conflict="refuse",
        questions=["x", "y"],
    ),
    rewards_of: dict(scores=[[0.1, 0.2]], correct=[[1, 0]], questions=None),
    check_counts: TWO | dict(k=2),
}

VERBS = {
    se.score: dict(data=ROWS),
    se.compare: dict(baseline=ROWS, new=ROWS),
    se.table: dict(systems=BOTH),
    se.describe: dict(data=ROWS),
    se.gate: dict(new=ROWS, baseline=ROWS, max_drop=0.5, allow_identical=True),
    se.explain: dict(data=ROWS),
    se.plan: dict(delta=0.1, n=2, metrics="pass@k", k=1),
    se.extrapolate: dict(data=ROWS, metrics="pass@k", k=[8]),
}


def list_arguments(verb):
    "What a verb is given, and what it takes by itself; options of reading are tried with `score`."
    tried = verb in (se.score, se.describe)
    shared = () if tried else {*inspect.signature(se.describe).parameters, *READ_OPTIONS}
    own = {
        one.name: one.default
        for one in inspect.signature(verb).parameters.values()
        if one.kind in (0, 1, 3)
    }
    if tried:
        own = dict.fromkeys(READ_OPTIONS) | own
    return {
        name: value for name, value in own.items() if name not in shared or name in ("title",)
    } | VERBS[verb]


def says_who(error):
    "Where an error comes from; empty where it is a `raise` of the package."
    last = traceback.extract_tb(error.__traceback__)[-1]
    source = "".join(
        linecache.getline(last.filename, line)
        for line in range(last.lineno, (last.end_lineno or last.lineno) + 1)
    )
    ours = (
        last.filename.startswith(HOME)
        and "raise" in source
        and isinstance(error, (ValueError, TypeError))
    )
    return (
        ""
        if ours
        else (
            f"{type(error).__name__} at {last.filename.removeprefix(HOME)}:{last.lineno}:"
            f" {str(error)[:90]}"
        )
    )


class Endless(BaseException):
    "A call did not end."


def ring(*any):
    raise Endless


@pytest.fixture
def bounded():
    "A call that may take so much memory and time."
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, ring)
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, hard))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def place(function, given):
    "Arguments by their places as far as they have some, and the others by name."
    kinds = {name: one.kind for name, one in inspect.signature(function).parameters.items()}
    first = list(takewhile(lambda name: name in given and kinds[name] < 2, kinds))
    return [given[name] for name in first], {
        name: value for name, value in given.items() if name not in first
    }


def ask(function, given):
    "What is wrong with the refusal of a call; empty where it answers."
    args, named = place(function, given)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            str(function(*args, **named))
    except Endless:
        return "does not end"
    except OSError:
        return ""  # No such file
    except Exception as error:
        return says_who(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def try_all(function, given, monkeypatch, folder):
    "Everything that is wrong with the refusals of a function."
    monkeypatch.chdir(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not ask(function, given), "the call itself is wrong"
        found = [
            (name, kind, ask(function, given | {name: value}))
            for name in given
            for kind, value in WRONG.items()
        ]
    return [f"{name}={kind}: {said}" for name, kind, said in found if said]


@pytest.mark.parametrize("function", CALLS, ids=lambda one: one.__name__)
def test_functions_refuse_in_our_words(function, bounded, monkeypatch, tmp_path):
    assert not try_all(function, CALLS[function], monkeypatch, tmp_path)


@pytest.mark.parametrize("verb", VERBS, ids=lambda one: one.__name__)
def test_verbs_refuse_in_our_words(verb, bounded, monkeypatch, tmp_path):
    assert not try_all(verb, list_arguments(verb), monkeypatch, tmp_path)


def test_every_public_function_is_asked():
    functions = {name for name in se.__all__ if inspect.isfunction(getattr(se, name))}
    asked = {one.__name__ for one in [*CALLS, *VERBS]}
    assert functions - asked == {
        "count",
        "merge",
        "merge_counts",
    }, "these write files, or take runs"


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: se.calibrate_judge(None, [1]), "passed must hold 0/1 or bool, got None"),
        (
            lambda: se.audit(0.5, questions=float("nan")),
            "questions must be a whole number from 1 to",
        ),
        (
            lambda: se.draw_questions(9, 3, rng="x"),
            "rng must be None, a whole number of at least 0 or a Generator, got 'x'",
        ),
        (
            lambda: se.hard_accuracy([[0.5]], threshold=None),
            "threshold must hold numbers, got None",
        ),
        (lambda: se.judge_same("a", 1, 0.1), "low must hold numbers, got 'a'"),
        (lambda: se.cost_per_solved([1.0, "x"], [1, 1]), "spend must hold numbers, got 'x'"),
        (lambda: se.counts_of(None), "outcomes must be a list of rows of 0/1, got None"),
        (
            lambda: se.pass_at_k([[1, 2], [3]], 1, 1),
            r"n must hold rows of one length, got [[1, 2], [3]]",
        ),
        (
            lambda: se.choice_scores(None, [0]),
            "logprobs must be a list of rows of numbers, got None",
        ),
        (lambda: se.vote_evidence(2**62, 8), "need counts of at most 2^31"),
        (lambda: se.posterior([4], [2], 2**31, "any"), "need k <= 16777216"),
        (lambda: se.posterior([4], [2], 2**14, "any"), "need k <= 8192 for a variance"),
        (lambda: se.extrapolate(TABLE, "pass@k", k=2**40), "need k <= 16777216"),
        (
            lambda: se.portfolio_splits([[2**24] * 2], [[1, 2]], 2**24),
            "have at most 1,048,576 splits over 2 sources",
        ),
    ],
)
def test_the_refusals_of_the_issue(call, said):
    with pytest.raises((ValueError, TypeError)) as told:
        call()
    assert said in str(told.value)


HUGE = dict(n=[2**31 - 1] * 3, c=[1, 2, 2**30])


@pytest.mark.parametrize(
    "function, more",
    [
        (se.pass_at_k, {}),
        (se.pass_hat_k, {}),
        (se.cons_at_k, {}),
        (se.mg_pass_at_k, {}),
        (se.flaky_at_k, {}),
        (se.g_pass_at_k, dict(tau=0.5)),
        (se.spend_at_k, {}),
        (se.posterior, dict(credit="any")),
    ],
)
def test_sizes_are_refused_before_memory_is_asked_for(function, more, bounded):
    for k in 2**30, 2**24 + 1:
        assert not ask(function, HUGE | dict(k=k) | more)
