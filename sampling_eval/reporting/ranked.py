"""Several models in one sentence: which is first, and whether that may be chance."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from .letters import Letters, say_rest, share_letter
from .numbers import digits
from .phrases import join_names, say_shares
from .points import is_share

__all__ = ["Scale", "SHARES", "SCORES", "scale_of", "say_ranks"]

FEW = 3  # Models that are named in a sentence, each with its value


def say_numbers(values: Sequence[float]) -> list[str]: return list(map(digits, values))


@dataclass(frozen=True)
class Scale:
    "How a sentence speaks of one value of several models."
    alike: str  # All of them the same
    first: str  # One model by itself
    other: str  # One more
    ranked: str  # The first ones and the last ones of many
    better: str  # What the model with the higher value is
    say: Callable[[Sequence[float]], list[str]]  # Values as texts


SHARES = Scale("{all} are right in {high} of their samples.", "{name} is right in {value} of its "
               "samples", "{name} in {value}",
               "Of {count} {first} {are} right most often, in {high} of {their} samples{verdict}; "
               "{last} least often, in {low}.", "better", say_shares)
SCORES = Scale("{all} have the mean score {high}.", "{name} has the mean score {value}",
               "{name} {value}",
               "Highest mean score of {count}: {high} of {first}{verdict}; lowest: {low} of "
               "{last}.", "higher", say_numbers)


def scale_of(
    metric: str,  # Name with its budget
) -> Scale:  # For values of that metric
    "How a sentence speaks of a metric that is named."
    name = metric.replace("{", "{{").replace("}", "}}")
    better = "better" if is_share(metric) else "higher"
    return Scale(f"{{all}} have a {name} of {{high}}.", f"{{name}} has a {name} of {{value}}",
                 "{name} of {value}",
                 f"Of {{count}} {{first}} {{have}} the highest {name}, {{high}}{{verdict}}; "
                 "{last} the lowest, {low}.", better, say_numbers)


def say_ranks(
    means: Mapping[str, float],  # Value of each model
    scale: Scale,  # How a sentence speaks of it
    letters: Letters = {},  # Letters of each; none where models were not compared
    kind: str = "model",  # What they are
) -> str:  # One sentence
    "Which model is first, which one last, and whether the first ones are more than chance."
    values = sorted(means.values(), reverse=True)
    if values[0] == values[-1]:
        return scale.alike.format(all=say_all(len(means), kind), high=scale.say(values)[0])
    known = letters if means.keys() <= letters.keys() else {}
    if known and len(means) <= FEW: return say_each(means, scale, known)
    return say_ends(means, scale, known, kind)


def say_all(count: int, kind: str) -> str:
    return f"Both {kind}s" if count == 2 else f"All {count} {kind}s"


def say_each(means: Mapping[str, float], scale: Scale, letters: Letters) -> str:
    "Each of two or three models with its value, and what is known of the first."
    named = sorted(means, key=lambda name: -means[name])
    said = scale.say([means[name] for name in named])
    forms = [scale.first] + [scale.other] * (len(named) - 1)
    told = ", ".join(form.format(name=name, value=value)
                     for form, name, value in zip(forms, named, said))
    return f"{told}: {judge_few(means, scale, letters)}."


def judge_few(means: Mapping[str, float], scale: Scale, letters: Letters) -> str:
    "What is known of two or three models: which are decided, and which are not."
    named, better = sorted(means, key=lambda name: -means[name]), scale.better
    pairs = list(combinations(named, 2))
    decided = [(high, low) for high, low in pairs
               if means[high] > means[low] and not share_letter(letters[high], letters[low])]
    if len(named) == 2 and decided: return f"{named[0]} is {better}"
    if len(named) == 2: return f"too little data to tell which is {better}"
    if not decided: return "too little data to tell any two apart"
    return judge_three(named, decided, better)


def judge_three(names: Sequence[str], decided: Sequence[tuple[str, str]], better: str) -> str:
    "What is known of three models, the best first, of which at least one pair is decided."
    first, second, third = names
    if len(decided) == 1:
        high, low = decided[0]
        (other,) = set(names) - {high, low}
        return f"{high} is {better} than {low}; {other} cannot be told from either"
    if (first, second) not in decided:
        return (f"{first} and {second} are both {better} than {third}; which of the two is "
                f"{better} cannot be told")
    if (second, third) not in decided:
        return (f"{first} is {better} than both others; which of these two is {better} cannot "
                "be told")
    if (first, third) not in decided:
        return (f"{first} is {better} than {second}, and {second} than {third}; {first} and "
                f"{third} cannot be told apart")
    return f"{first} is {better} than both others, and {second} than {third}"


def say_ends(means: Mapping[str, float], scale: Scale, letters: Letters, kind: str) -> str:
    "The first ones and the last ones of many models."
    leads, others = split_leads(means)
    low, high = min(means.values()), max(means.values())
    least, most = scale.say([low, high])
    many = len(leads) > 1
    are, their, have = ("are", "their", "have") if many else ("is", "its", "has")
    verdict = ""
    if letters: verdict = f", {judge_many(leads, others, scale, letters)}"
    last = [name for name, mean in means.items() if mean == low]
    return scale.ranked.format(count=f"{len(means)} {kind}s", first=shorten(leads, kind), are=are,
                               their=their, have=have, last=shorten(last, kind), low=least,
                               high=most, verdict=verdict)


def judge_many(
    leads: Sequence[str], others: Sequence[str], scale: Scale, letters: Letters,
) -> str:
    "What is known of the first of many models."
    tied = find_tied(leads, others, letters)
    if not tied: return f"{scale.better} than {say_rest(others)}"
    whom = join_names(tied, "or")
    if len(tied) > FEW: whom = f"{len(tied)} others"
    if len(tied) == len(others) > 1: whom = f"the other {len(others)}"
    return f"but with too little data to tell {'them' if len(leads) > 1 else 'it'} from {whom}"


def split_leads(means: Mapping[str, float]) -> tuple[list[str], list[str]]:
    "The models with the highest value, and all others, best first."
    named = sorted(means, key=lambda name: -means[name])
    count = sum(mean == means[named[0]] for mean in means.values())
    return named[:count], named[count:]


def find_tied(leads: Sequence[str], others: Sequence[str], letters: Letters) -> list[str]:
    "Those that cannot be told apart from one of the first."
    return [name for name in others
            if any(share_letter(letters[lead], letters[name]) for lead in leads)]


def shorten(names: Sequence[str], kind: str) -> str:
    "Names, or how many they are."
    return f"{len(names)} {kind}s" if len(names) > FEW else join_names(names)
