"""How often is what a report says of more samples false?

    python bench/claims.py [--runs 200] [--seed 0] [--only narrower|never] [--quick]

Questions are drawn from a distribution, then samples of each; what the package says of the samples
is held against the chances they were drawn from. One line a cell: how often a claim was made, how
often it was false in percent of these, and the same (`point`) of a claim from a point estimate:

narrower  "endless samples per question would narrow it by about X % (L to Y %)": Y may be exceeded
          by the truth in 5 of 100; X is in about half.
never     "no number of samples of these questions would" decide a comparison.

The truth is the interval of the chances themselves, held against the one that is shown. For a
verdict the true values of the questions are taken, with the measured difference as their mean.
"""
import argparse
import sys
from itertools import product
from typing import NamedTuple

import numpy as np

from sampling_eval import Counts, score
from sampling_eval.foundations.credit import all_credit, any_credit, share_credit
from sampling_eval.foundations.urn import draws
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.intervals import estimates_of
from sampling_eval.inference.units import units_of
from sampling_eval.analyses.engine.next_steps import POWER, Gap, Sampling, samples_to_decide

RAGGED = 2, 4, 8, 32  # Samples of questions that have different numbers of them
CREDITS = {"pass@": any_credit, "pass^": all_credit}


def mix(share, some, others):
    "A distribution with two values."
    return lambda rng, size: np.where(rng.random(size) < share, some, others)


def beta(a, b): return lambda rng, size: rng.beta(a, b, size)


# Chances of a right sample over questions. The last have one question in ten or two that is nearly
# always right, which a run may show as always right.
LAWS = {
    "beta(.1,.1)": beta(.1, .1), "beta(.5,.5)": beta(.5, .5), "beta(1,1)": beta(1, 1),
    "beta(5,5)": beta(5, 5), "beta(50,50)": beta(50, 50), "beta(8,.3)": beta(8, .3),
    "beta(.3,8)": beta(.3, 8), "beta(2,20)": beta(2, 20), ".1 or .9": mix(.5, .1, .9),
    ".05 or .95": mix(.5, .05, .95), "0 or .95": mix(.9, 0., .95), ".02 or .5": mix(.95, .02, .5)}


class Tally(NamedTuple):
    "One cell: how often something was said, and how often it was false."
    runs: int
    said: int
    false: int
    point: int  # The same claim from a point estimate, false
    pointed: int  # and said


def find_chance(p, k, credit):
    "Mean credit of `k` samples with these chances."
    return draws(p, 1 - p, k, step=0) @ credit(k)


def measure_gains(rng, questions, n, law, name, k):
    "What endless samples gain by a report, at least and at most, and what they do; None unsaid."
    p = law(rng, questions)
    found = score(Counts(n, rng.binomial(n, p)), f"{name}{k}")
    if found.next is None or found.next.gain is None: return None
    low, high = gaffke_interval(find_chance(p, k, CREDITS[name]))
    told = found.next
    gain = 1 - (high - low) / (found.rows[0].high - found.rows[0].low)
    return told.gain_at_least, told.gain, told.gain_at_most, gain


def measure_narrower(rng, questions, n, law, name, k, runs):
    "What more samples gain at most, against what they would."
    found = [measure_gains(rng, questions, n, law, name, k) for _ in range(runs)]
    told = np.array([one for one in found if one is not None]).reshape(-1, 4)
    false, point = ((told[:, 3] > told[:, i] + 1e-9).sum() for i in (2, 1))
    return Tally(runs, len(told), int(false), int(point), len(told))


def measure_never(rng, questions, n, law, ahead, apart, runs):
    "Whether samples alone could decide a comparison where it was said that they cannot."
    false = point = said = pointed = 0
    p = law(rng, (runs, questions))
    q = np.clip(p + ahead + apart * rng.normal(size=p.shape), 0, 1)
    a, b = rng.binomial(n, p), rng.binomial(n, q)
    known = estimates_of(units_of(((b - a) / n).T, bounds=(-1, 1)))
    low, high = known.ends(.95)
    for i in range(runs):
        mean, error = known.value[i], known.stderr[i]
        if low[i] > 0 or high[i] < 0 or not mean or not error > 0: continue
        gap = Gap(abs(mean), mean - low[i] if mean > 0 else high[i] - mean, error, .95, POWER)
        sampling = Sampling(((n, a[i]), (n, b[i])), 1, share_credit)
        told = samples_to_decide(gap, known[i].units, sampling)
        possible = gap.noise((q[i] - p[i]).var(ddof=1) / questions) > 0
        never = not gap.noise(max(error**2 - sampling.now(), 0.)) > 0
        said += told["hopeless"]
        false += told["hopeless"] and possible
        pointed += never
        point += never and possible
    return Tally(runs, said, int(false), int(point), pointed)


def list_narrower(quick):
    "Designs of the first claim."
    sizes = (5, 40) if quick else (2, 5, 20, 100)
    samples = (4,) if quick else (2, 4, 16, 64, "ragged")
    laws = list(LAWS)[:3] if quick else list(LAWS)
    for cell in product(sizes, samples, laws): yield *cell, "pass@", 1
    for cell in product(sizes[:1] if quick else (5, 40), (8, 32), laws):
        for name, k in (("pass@", 2), ("pass@", 4), ("pass^", 4)): yield *cell, name, k


def list_never(quick):
    "Designs of the second claim."
    if quick: return [(40, 2, "beta(1,1)", .04, .1)]
    laws = "beta(.5,.5)", "beta(1,1)", "beta(5,5)"
    return product((20, 60, 120), (2, 4, 8), laws, (.04, .08), (0., .1))


def draw_sizes(rng, questions, n):
    "Samples of each question."
    return rng.choice(RAGGED, questions) if n == "ragged" else np.full(questions, n)


def run(only=None, runs=200, seed=0, quick=False):
    "One line a cell: the claim, the design, and how often it is false."
    if only in (None, "narrower"):
        for at, (questions, n, law, name, k) in enumerate(list_narrower(quick)):
            rng = np.random.default_rng([seed, 1, at])
            own = draw_sizes(rng, questions, n)
            found = measure_narrower(rng, questions, own, LAWS[law], name, k, runs)
            yield "narrower", f"Q={questions} n={n} {law} {name}{k}", found
    if only in (None, "never"):
        for at, (questions, n, law, ahead, apart) in enumerate(list_never(quick)):
            rng = np.random.default_rng([seed, 2, at])
            own = draw_sizes(rng, questions, n)
            found = measure_never(rng, questions, own, LAWS[law], ahead, apart, runs)
            yield "never", f"Q={questions} n={n} {law} +{ahead:g} +-{apart:g}", found


def tell(kind, design, found):
    "A line of the table."
    def share(part, whole): return f"{100 * part / whole:6.1f}" if whole else "     -"
    return (f"{kind:8} {design:34} runs {found.runs:5} said {found.said:5} "
            f"false {share(found.false, found.said)} %  "
            f"point {share(found.point, found.pointed)} % of {found.pointed}")


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("narrower", "never"))
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args(words)
    total = {}
    for kind, design, found in run(asked.only, asked.runs, asked.seed, asked.quick):
        print(tell(kind, design, found), flush=True)
        total.setdefault(kind, []).append((design, found))
    for kind, cells in total.items():
        whole = Tally(*np.sum([found for _, found in cells], 0).tolist())
        design, worst = max((cell for cell in cells if cell[1].said),
                            key=lambda cell: cell[1].false / cell[1].said)
        print(tell(kind, "all cells", whole))
        print(tell(kind, f"worst: {design}", worst))


if __name__ == "__main__": main(sys.argv[1:])
