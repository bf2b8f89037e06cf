"""What to do next, and what may be wrong with the data, in words."""
from __future__ import annotations

from collections.abc import Callable

from ...spelling import option
from ...render.format import (
    TARGET_WORDS, about, count, count_range, difference, interval, join, level, percent, pvalue,
    value)
from ...results import cautions as seen
from ...results.cautions import Caution
from ...results.verdict import Advice

__all__ = ["describe_advice", "describe_caution", "next_step", "name_adjusted_test"]


# What to do next


SAME = 1e-12  # Distance of two means that is rounding


def describe_advice(advice: Advice) -> str:
    "What it takes, and on what assumption."
    if advice.goal == "decide": return data_to_decide(advice)
    goal = f"Halving the CI of {advice.metric}"
    if advice.target == "same_questions":
        return f"{goal} (same questions) takes {count_samples(advice)}."
    return f"{goal} takes {count_questions(advice)}{gain_of_samples(advice)}."


def next_step(advice: Advice | None) -> str:
    "The advice as the next step, which begins with `Next:`; empty without advice."
    if advice is None: return ""
    said = describe_advice(advice)
    return f"Next: {said[0].lower()}{said[1:]}"


# Half as wide an interval.

def gain_of_samples(advice: Advice) -> str:
    "What samples do without more questions, with its 95 % confidence limits; empty if unknown."
    if advice.samples is not None: return f", or {count_samples(advice)}"
    gain, least, most = advice.gain, advice.gain_at_least, advice.gain_at_most
    if gain is None or least is None or most is None: return ""
    told = f"about {level(max(round(gain, 2), .01))} ({100 * least:.0f} to {level(most)})"
    return f"; endless samples per question would narrow it by {told}"


# A verdict.

def data_to_decide(advice: Advice) -> str:
    "How much data would decide a verdict, or that none would."
    if advice.limit is not None and abs(advice.value - advice.limit) < SAME:
        return tie_sentence(advice)
    enough = count_enough(advice)
    if not enough:
        more = "samples" if advice.target == "same_questions" else name_drawn(advice)
        return f"1,000 times as many {more} would not {goal_clause(advice)}."
    never = ""
    if advice.questions is not None and advice.hopeless:
        these = count(advice.has_questions, "question")
        never = f"; no number of samples of these {these} would"
    return f"{enough} would {goal_clause(advice)}{never}.{questions_without(advice)}"


def tie_sentence(advice: Advice) -> str:
    "That the measured value is the limit, which no data settle."
    what = "drop" if advice.difference else "value"
    return (f"The measured {what} equals the limit: more data will not settle this. Change the "
            "limit.")


def goal_clause(advice: Advice) -> str:
    "What the data would do, with which power, if what was measured is true."
    metric, power = advice.metric, f"with {level(advice.power or 0)} power"
    where = TARGET_WORDS[advice.target]
    if advice.pair is not None: where += ", all pairs simultaneously"
    if advice.difference and not advice.limit:
        size = difference(advice.value, advice.unit, sign=False)
        between = "" if advice.pair is None else f" between {join(advice.pair)}"
        return (f"detect a true difference of {size} (as measured){between} in {metric} ({where}) "
                f"{power}")
    what, true = "value", value(advice.value, advice.unit)
    if advice.difference: what, true = "difference", difference(advice.value, advice.unit)
    return f"decide {metric} ({where}) {power}, assuming the true {what} is the measured {true}"


def questions_without(advice: Advice) -> str:
    "How many questions it takes without assumptions, as a sentence; empty where as many."
    if advice.questions_without is None: return ""
    return f" Without assumptions: {about(advice.questions_without)} {name_drawn(advice)}."


# Numbers of things.

def count_enough(advice: Advice) -> str:
    "How much data would decide; empty where none is known to."
    ways = [count_questions(advice)] * (advice.questions is not None)
    if advice.samples is not None:
        both = "these two" if advice.pair else "both systems"
        ways.append(count_samples(advice) + f" for {both}" * advice.difference)
    told = " or ".join(ways) if len(ways) < 2 else ", or ".join(ways) + "," * advice.difference
    return told[:1].upper() + told[1:]


def count_questions(advice: Advice) -> str:
    "So many questions in all, with as many samples as now."
    told = f"{about(advice.questions or 0)} {name_drawn(advice)}"
    # How many clusters there are is not known here.
    if advice.clustered: return told
    told += f" ({advice.has_questions:,} now)"
    if not advice.has_samples: return told
    each = write_samples(advice)
    many = "" if each == "1" else "s"
    return f"{told} at {each} sample{many} each"


def count_samples(advice: Advice) -> str:
    "So many samples of each question."
    told = f"{about(advice.samples or 0)} samples per question"
    return f"{told} ({write_samples(advice)} now)"


def write_samples(advice: Advice) -> str:
    "Samples per question there are: `4`, `3 to 4`, `4 and 8`."
    return join(list(dict.fromkeys(count_range(*ends) for ends in advice.has_samples)))


def name_drawn(advice: Advice) -> str: return "clusters" if advice.clustered else "questions"


# What may be wrong


INDEPENDENT = "if samples are independent"
UNRELATED = "if the number of samples is unrelated to outcomes"


def describe_caution(caution: Caution) -> str:
    "A caution in words that begin with a small letter, with its model where there are several."
    said = SENTENCES[caution.kind](caution)
    return f"{caution.model}: {said}" if caution.model else said


def name_adjusted_test(caution: Caution) -> str:
    "The name of the test behind a caution, and what its p value is adjusted for."
    names = {
        "permutation": "exact permutation test within questions",
        "normal": "normal approximation to the permutation test within questions",
        "fisher": "Fisher's exact test of first samples",
        "last": "exact permutation test of last samples",
        "bound": "upper bound over all distributions of difficulty",
        "cochran": "Cochran's Q, exact",
        "cochran chi-square": "Cochran's Q, chi-square approximation"}
    if isinstance(caution, seen.RunEffect) and caution.permutations:
        return f"Cochran's Q, {caution.permutations:,} random permutations, seed 0"
    if isinstance(caution, seen.DuplicateRuns) and caution.multiplicity:
        return f"{names['bound']} and all ways to group the {caution.word}s"
    return names[caution.test] + adjustment_clause(caution)


def adjustment_clause(caution: Caution) -> str:
    if caution.comparisons < 2: return ""
    method, what = "Bonferroni", "test"
    if isinstance(caution, seen.OddRun): what = caution.word
    if isinstance(caution, seen.DuplicateRuns): method, what = "Holm", "pair"
    return f", {method} over {count(caution.comparisons, what)}"


def p_clause(caution: Caution, null: str) -> str:
    "The p value under what is tested, and the name of the test."
    shown = pvalue(caution.p)
    if caution.test == "bound" and caution.p is not None and caution.p >= 1e-12:
        shown = f"p at most {pvalue(caution.p, equals=False)}"
    adjusted = "adjusted " * (caution.comparisons > 1)
    return f"{adjusted}{shown} {null} ({name_adjusted_test(caution)})"


def name_some(
    caution: seen.OddRun | seen.RunEffect | seen.DuplicateRuns | seen.EmptyRuns,
) -> str:
    "Runs in a sentence: `run 3`, `columns 1 and 5`."
    return f"{caution.word}{'s' * (len(caution.runs) > 1)} {join(caution.runs)}"


# Runs.

def describe_odd_run(one: seen.OddRun) -> str:
    shares = [percent(right / samples) for right, samples in zip(one.right, one.samples)]
    missing = [f" ({lost} missing)" * bool(lost) for lost in one.missing]
    p = p_clause(one, INDEPENDENT)
    if one.low is None or one.high is None:
        both = join([share + lost for share, lost in zip(shares, missing)])
        return (f"{name_some(one)} are right in {both} of their samples: {p}. If one of them broke "
                "off or had other settings, estimates are biased: score without it.")
    rest = percent(one.low) if one.low == one.high else interval(one.low, one.high)
    return (f"{name_some(one)} is right in {shares[0]} of its {count(one.samples[0], 'sample')}"
            f"{missing[0]}, the other {count(one.others, one.word)} in {rest}: {p}. If it broke "
            "off or had other settings, estimates are biased: score without it.")


def describe_run_effect(one: seen.RunEffect) -> str:
    low, high = map(percent, one.shares)
    return (f"the {one.among} {one.word}s differ, from {low} right in {one.word} {one.runs[0]} to "
            f"{high} in {one.word} {one.runs[1]}{where_looked(one)}: "
            f"{p_clause(one, INDEPENDENT)}. The CIs assume independent samples: see whether "
            f"{one.word}s were set up alike, and whether a sample depends on earlier ones.")


def describe_duplicates(one: seen.DuplicateRuns) -> str:
    p = p_clause(one, INDEPENDENT)
    if one.multiplicity:
        return (f"only {len(one.runs)} of {one.among} {one.word}s are distinct, each is there "
                f"{one.multiplicity} times{where_looked(one)}: {p}. If these are copies, CIs "
                f"are too narrow: score {name_some(one)} only.")
    what = "outcome and answer" if one.answers else "outcome"
    found = f"agree on every question, in {what}"
    if one.differ:
        found = (f"differ on {one.differ} of {count(one.shared or 0, 'question')} in {what}, about "
                 f"{one.expected:.0f} expected")
    return (f"{name_some(one)} {found}{where_looked(one)}: {p}. A copy (one seed or one file "
            "twice) makes CIs too narrow: score without it.")


def where_looked(one: seen.RunEffect | seen.DuplicateRuns) -> str:
    "Which questions were looked at; empty where all were."
    return f" ({one.looked:,} evenly spaced questions looked at)" if one.looked else ""


# Numbers of samples.

def describe_stopping(one: seen.StoppedAtSuccess) -> str:
    last = ", the last one drawn" * one.last
    return (f"{count(one.questions, 'question')} with fewer samples than the others: each has "
            f"exactly one right{last}, {p_clause(one, UNRELATED)}. If samples were drawn until "
            "the first success, c/n is biased upward: use pass_at_k_until_success.")


def describe_sample_count(one: seen.SampleCount) -> str:
    few, more = one.questions
    low, high = map(percent, one.shares)
    rerun = one.shares[0] > one.shares[1]
    what = "failures were rerun" if rerun else "the number of samples depends on outcomes"
    return (f"{count(few, 'question')} with {count(one.samples, 'sample')}: {low} right, {more:,} "
            f"with more: {high} right, {p_clause(one, UNRELATED)}. If {what}, c/n is biased"
            f"{' upward' * rerun}: score the first sample of each question only.")


# Files, columns, clusters.

def describe_repeated_file(one: seen.RepeatedFile) -> str:
    times = one.multiplicity
    return (f"{one.file} is the same {count(one.lines, 'line')} {times} times, one after the "
            f"other. If it was appended to itself, or decoding is deterministic, every sample "
            f"counts {times} times and CIs are too narrow: keep the first part only.")


def describe_short_log(one: seen.ShortLog) -> str:
    return (f"{one.file} holds {one.found} of {one.expected} samples ({one.where}): estimates are "
            "of those present, and biased if samples are missing because they were hard.")


def describe_clusters(one: seen.ClusterSizes) -> str:
    return (f"the {one.clusters} clusters hold {one.smallest} to {one.largest} questions. The CIs "
            "assume that the size of a cluster is unrelated to its difficulty; if it is not, CIs "
            "from a few large clusters are too narrow.")


def describe_attempts(one: seen.Attempts) -> str:
    return (f"samples are numbered by {one.column!r}. Metrics and CIs assume independent attempts: "
            f"are they? If each saw the one before, {option('attempts', 'ordered')} gives what is "
            f"solved in their order; else {option('attempts', 'independent')} says so.")


def describe_agreement(one: seen.AllAgree) -> str:
    answers = ", and their answers are equal" * one.answers
    return (f"all samples of each question agree ({one.questions} questions, none flaky{answers}): "
            "deterministic decoding, a cache, or copies? If so, they hold no more information "
            "than one sample each.")


def describe_spellings(one: seen.RightSpellings) -> str:
    first, second = one.answers
    said = (f"{one.questions:,} of {count(one.among, 'question')} have several right answers, such "
            f"as {first!r} and {second!r} at question {one.question}: each has votes of its own, "
            "which lowers maj@k if they mean the same.")
    if one.rule is None: return f"{said} Spell equal answers alike."
    left = f" ({one.left:,} would still have several)" * bool(one.left)
    return f"{said} {option('normalize', one.rule)} makes them one{left}."


def describe_identical(one: seen.IdenticalOutcomes) -> str:
    who = join(one.systems) if one.systems else "baseline and new"
    said = f"{who} hold the same outcomes on all {count(one.questions, 'question')}"
    if not one.systems: return f"{said}."
    p = "" if one.p is None else f" ({pvalue(one.p)} for two independent runs)"
    return f"{said}{p}: was a file copied, or a cache read twice?"


def describe_empty_runs(one: seen.EmptyRuns) -> str:
    have, they, them = ("has", "it", "it") if len(one.runs) == 1 else ("have", "they", "them")
    sizes = count_range(min(one.samples), max(one.samples), "sample")
    each = " each" * (len(one.runs) > 1)
    return (f"{name_some(one)} {have} no outcome ({sizes}{each}, counted as wrong). If {they} "
            f"never ran, score without {them}.")


def describe_rates(one: seen.JudgeRates) -> str:
    side = "below 0" if one.unbiased < .5 else "above 100"
    return (f"the rates of the judge do not fit its verdicts: {one.metric} of the verdicts is "
            f"{percent(one.raw)}, corrected it would be {100 * one.unbiased:.1f} %, and its whole "
            f"CI lies {side} %. Measure sensitivity and specificity on answers like these, as with "
            f"{option('labels', ...)}: with other rates, or errors that are not independent, "
            "nothing corrected is valid.")


def describe_stated(one: seen.Stated) -> str: return one.said


SENTENCES: dict[str, Callable] = {
    seen.OddRun.kind: describe_odd_run, seen.RunEffect.kind: describe_run_effect,
    seen.DuplicateRuns.kind: describe_duplicates, seen.StoppedAtSuccess.kind: describe_stopping,
    seen.SampleCount.kind: describe_sample_count, seen.RepeatedFile.kind: describe_repeated_file,
    seen.ShortLog.kind: describe_short_log, seen.ClusterSizes.kind: describe_clusters,
    seen.Attempts.kind: describe_attempts, seen.AllAgree.kind: describe_agreement,
    seen.RightSpellings.kind: describe_spellings, seen.EmptyRuns.kind: describe_empty_runs,
    seen.IdenticalOutcomes.kind: describe_identical, seen.JudgeRates.kind: describe_rates,
    seen.Stated.kind: describe_stated}
