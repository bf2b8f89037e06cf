"""What more data would do, in one sentence that names what it assumes."""
from __future__ import annotations

from ..results.advice import Advice
from .format import TARGETS, about, count, count_range, difference, join, level, value

__all__ = ["describe_advice", "describe_next"]

SAME = 1e-12  # Distance of two means that is rounding


def describe_advice(
    advice: Advice,  # What would decide a verdict, or halve an interval
) -> str:  # One or two sentences
    "What it takes, and on what assumption."
    if advice.goal == "decide": return describe_deciding(advice)
    return describe_halving(advice, f"Halving the CI of {advice.metric}")


def describe_next(
    advice: Advice | None,  # None where there is nothing to advise
) -> str:  # Begins with `Next:`; empty without advice
    "The advice as the next step."
    if advice is None: return ""
    said = describe_advice(advice)
    return f"Next: {said[0].lower()}{said[1:]}"


# Half as wide an interval.

def describe_halving(advice: Advice, goal: str) -> str:
    "What it takes, and what samples do without more questions."
    if advice.target == "same_questions":
        return f"{goal} (same questions) takes {count_samples(advice)}."
    return f"{goal} takes {count_questions(advice)}{describe_gain(advice)}."


def describe_gain(advice: Advice) -> str:
    "What samples do without more questions; empty where that is not known."
    if advice.samples is not None: return f", or {count_samples(advice)}"
    if advice.gain is None: return ""
    gain, most = max(round(advice.gain, 2), .01), advice.gain_at_most
    told = f"about {level(gain)}"
    if most is not None and most < 1:
        limit = f"at most {level(most)}"
        told = f"{told}, {limit}" if gain < most else limit
    return f"; more samples per question would narrow it by {told}"


# A verdict.

def describe_deciding(advice: Advice) -> str:
    "How much data would decide a verdict, or that none would."
    if advice.limit is not None and abs(advice.value - advice.limit) < SAME:
        return describe_tie(advice)
    enough = count_enough(advice)
    if not enough:
        more = "samples" if advice.target == "same_questions" else name_drawn(advice)
        return f"1,000 times as many {more} would not {describe_goal(advice)}."
    never = ""
    if advice.questions is not None and advice.hopeless:
        these = count(advice.has_questions, "question")
        never = f"; no number of samples of these {these} would"
    return f"{enough} would {describe_goal(advice)}{never}.{describe_usual(advice)}"


def describe_tie(advice: Advice) -> str:
    "That the measured value is the limit, which no data settle."
    what = "drop" if advice.difference else "value"
    return (f"The measured {what} equals the limit: more data will not settle this. Change the "
            "limit.")


def describe_goal(advice: Advice) -> str:
    "What the data would do, with which power, if what was measured is true."
    metric, power = advice.metric, f"with {level(advice.power or 0)} power"
    where = TARGETS[advice.target]
    if advice.pair is not None: where += ", all pairs simultaneously"
    if advice.difference and not advice.limit:
        size = difference(advice.value, advice.unit, sign=False)
        between = "" if advice.pair is None else f" between {join(advice.pair)}"
        return (f"detect a true difference of {size} (as measured){between} in {metric} ({where}) "
                f"{power}")
    what, true = "value", value(advice.value, advice.unit)
    if advice.difference: what, true = "difference", difference(advice.value, advice.unit)
    return f"decide {metric} ({where}) {power}, assuming the true {what} is the measured {true}"


def describe_usual(advice: Advice) -> str:
    "How much data the usual analysis would take, as a sentence; empty where it is as much."
    number, own, kind = advice.usual_questions, advice.questions, "t"
    what = name_drawn(advice)
    if advice.target == "same_questions":
        number, own, kind = advice.usual_samples, advice.samples, "normal"
        what = "samples per question"
    if number is None or number == own: return ""
    return f" By a {kind} interval: {about(number)} {what}."


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
    each = write_samples(advice)
    many = "" if each == "1" else "s"
    return f"{told} ({advice.has_questions:,} now) at {each} sample{many} each"


def count_samples(advice: Advice) -> str:
    "So many samples of each question."
    told = f"{about(advice.samples or 0)} samples per question"
    return f"{told} ({write_samples(advice)} now)"


def write_samples(advice: Advice) -> str:
    "Samples per question there are: `4`, `3 to 4`, `4 and 8`."
    return join(list(dict.fromkeys(count_range(*ends) for ends in advice.has_samples)))


def name_drawn(advice: Advice) -> str: return "clusters" if advice.clustered else "questions"
