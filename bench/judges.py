"""How often do the intervals of judged and of borrowed evaluations hold the truth?

    python bench/judges.py [--quick] [--only KIND ...]
                           [--out sampling_eval/examples/judges_coverage.csv]

Evaluations are drawn with known truth, and the share of 95 % intervals that hold it is counted; in
a cell without a standard error every outcome is listed, and the coverage is a finite sum. Kinds:

ppi++       prediction_powered_mean, some questions labelled: approximate, the table says how far
borrowed    borrowed_mean, slope 1, a part of the questions drawn without replacement: all
            populations of so many questions that lost a right answer, stayed or gained one;
            the least coverage. A fitted slope: measured (approximate)
calibrated  calibrated_interval, rates from labels: at least 95 % by theorem
corrected   judged_curve, given rates: new questions at least 95 % by theorem; same questions
            measured (approximate)
"""
import argparse
import csv
import sys
from itertools import combinations_with_replacement, product
from math import factorial, prod
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from sampling_eval.inference.borrowing import borrowed_mean
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.judges import (Calibration, calibrated_interval, judged_curve,
                                            prediction_powered_mean)
from sampling_eval.metrics.passhat import pass_hat_k
from sampling_eval.metrics.passk import pass_at_k

FIELDS = "kind", "law", "k", "labels", "coverage", "error", "width"
LEVEL = .95
CREDITS = {"any": pass_at_k, "all": pass_hat_k}


class Row(NamedTuple):
    "One cell: the share of 95 % intervals that hold the truth, and its standard error."
    kind: str
    law: str
    k: str
    labels: str
    coverage: float
    error: float | None = None  # None where all outcomes are listed
    width: float | None = None  # Mean width


def draw_evaluation(rng, chances, tries, sensitivity, specificity):
    "Outcomes and verdicts, 0/1, of questions with these chances."
    right = rng.random((len(chances), tries)) < chances[:, None]
    passes = np.where(right, sensitivity, 1 - specificity)
    return right, rng.random(right.shape) < passes


def count_held(draw, runs, seed):
    "Share of runs in which an interval holds the truth, its error, and the mean width."
    held, widths = 0, 0.
    for run in range(runs):
        low, high, truth = draw(np.random.default_rng([seed, run]))
        held += low <= truth <= high
        widths += high - low
    share = held / runs
    return 100 * share, 100 * (share * (1 - share) / runs)**.5, widths / runs


# --- PPI++ ---------------------------------------------------------------------------------------

LAWS = {  # chances of questions
    "always .97": lambda rng, size: np.full(size, .97),
    "nine in ten always, one in ten half": lambda rng, size: np.where(rng.random(size) < .9, 1, .5),
    "uniform": lambda rng, size: rng.random(size)}


def mean_at(law, k):
    "The true pass@k of a law."
    known = {"always .97": 1 - .03**k, "uniform": 1 - 1 / (k + 1),
             "nine in ten always, one in ten half": 1 - .1 * .5**k}
    return known[law]


def draw_powered(law, k, tries, labels):
    "One evaluation of 400 questions, some of them labelled."
    def draw(rng):
        pair = draw_evaluation(rng, LAWS[law](rng, 400), tries, .93, .9)
        truth, judged = (pass_at_k(tries, outcome.sum(1), k) for outcome in pair)
        place = rng.permutation(400)[:labels]
        found = prediction_powered_mean(truth[place], judged, place)
        # Without a spread there is no interval: it would have no width.
        if not found.stderr > 0: return found.value, found.value, mean_at(law, k)
        ends = found.confidence_interval(LEVEL)
        return ends.low, ends.high, mean_at(law, k)
    return draw


def bench_powered(quick):
    for law, (k, tries) in product(LAWS, ((1, 1), (1, 8), (4, 8))):
        for labels in (5, 10, 20, 40, 80):
            draw = draw_powered(law, k, tries, labels)
            found = count_held(draw, 200 if quick else 2000, k)
            yield Row("ppi++", law, f"pass@{k} of {tries}", f"{labels} labels", *found)


# --- rates from labels ---------------------------------------------------------------------------

def draw_calibrated(law, k, credit, labels):
    "One evaluation of 60 questions, and labels of other answers that the judge saw."
    def draw(rng):
        chances = LAWS[law](rng, 60)
        _, passed = draw_evaluation(rng, chances, 8, .93, .9)
        told = rng.binomial(labels, .93), labels, rng.binomial(labels, .9), labels
        ends = calibrated_interval(8, passed.sum(1), k, Calibration(*told), credit=credit)
        return ends.low, ends.high, find_truth(law, k, credit)
    return draw


def find_truth(law, k, credit):
    "True mean of pass@k, or of pass^k."
    if credit == "any": return mean_at(law, k)
    return {"always .97": .97**k, "uniform": 1 / (k + 1),
            "nine in ten always, one in ten half": .9 + .1 * .5**k}[law]


def bench_calibrated(quick):
    for law, (k, credit) in product(LAWS, ((1, "any"), (2, "any"), (4, "all"))):
        draw = draw_calibrated(law, k, credit, 100)
        found = count_held(draw, 50 if quick else 400, 7)
        yield Row("calibrated", law, f"{k} {credit}", "100 + 100 labels", *found)


# --- given rates ---------------------------------------------------------------------------------

def list_tables(kinds, questions):
    "How often each kind of question occurs, and in how many orders."
    for rows in combinations_with_replacement(range(kinds), questions):
        times = np.bincount(rows, minlength=kinds)
        yield times, factorial(questions) // prod(map(factorial, times.tolist()))


def list_chances(n, p, rates):
    "Chance of 0 to n passes of a question whose answers are right with chance p."
    s, t = rates
    q = p * s + (1 - p) * (1 - t)
    return np.array([factorial(n) // factorial(c) // factorial(n - c) * q**c * (1 - q)**(n - c)
                     for c in range(n + 1)])


def bench_corrected(quick):
    "New questions: the least coverage over laws on chances 0, 1/4, .. 1; every outcome listed."
    for (n, k), credit, rates, questions in product(
            ((1, 1), (2, 1), (2, 2), (3, 2)), CREDITS, ((.93, .9), (.7, .6)), (1, 2, 4)):
        tables = list(list_tables(n + 1, questions))
        ends = []
        for times, _ in tables:
            passes = np.repeat(np.arange(n + 1), times)
            ends.append(judged_curve(n, passes, k, sensitivity=rates[0], specificity=rates[1],
                                     credit=credit).intervals(LEVEL)[0])
        least = 1.
        grid = np.array([0, .25, .5, .75, 1])
        chances = np.array([list_chances(n, p, rates) for p in grid])
        values = (1 - (1 - grid)**k) if credit == "any" else grid**k
        for cuts in combinations_with_replacement(range(len(grid)), 2 if quick else 4):
            law = np.bincount(cuts, minlength=len(grid)) / len(cuts)
            truth, state = law @ values, law @ chances
            held = sum(ways * np.prod(state**times) for (times, ways), o in zip(tables, ends)
                       if o.low - 1e-9 <= truth <= o.high + 1e-9)
            least = min(least, held)
        yield Row("corrected, new questions", f"rates {rates[0]}, {rates[1]}; n={n}",
                  f"{k} {credit}", f"{questions} questions", 100 * least)


def draw_again(p, n, k, credit, rates):
    "The same questions, run again: chances stay, outcomes and verdicts are drawn."
    truth = (1 - (1 - p)**k).mean() if credit == "any" else (p**k).mean()
    def draw(rng):
        _, passed = draw_evaluation(rng, p, n, *rates)
        ends = judged_curve(n, passed.sum(1), k, sensitivity=rates[0], specificity=rates[1],
                            credit=credit, target="same_questions").intervals(LEVEL)[0]
        return ends.low, ends.high, truth
    return draw


def bench_again(quick):
    "Same questions: measured on fixed chances."
    fixed = {"all 0": np.zeros(30), "all 1": np.ones(30), "all 1/2": np.full(30, .5),
             "spread": np.linspace(0, 1, 30), "half 0, half 1": np.repeat([0., 1], 15)}
    for (name, p), (n, k), credit in product(fixed.items(), ((8, 1), (8, 2), (8, 4)), CREDITS):
        found = count_held(draw_again(p, n, k, credit, (.93, .9)), 50 if quick else 500, 3)
        yield Row("corrected, same questions", name, f"{k} {credit}", f"n={n}, 30 questions",
                  *found)


# --- borrowed runs -------------------------------------------------------------------------------

def list_thirds(size):
    "All ways to be `size` questions that lost, stayed or gained."
    return np.array([(a, b, size - a - b) for a in range(size + 1) for b in range(size - a + 1)])


def cover_populations(questions, sampled):
    "Coverage over random parts of every population of lost, equal and gained questions."
    parts, populations = list_thirds(sampled), list_thirds(questions)
    ends = np.array([gaffke_interval([-1, 0, 1], LEVEL, bounds=(-1, 1), times=part)
                     for part in parts])
    logs = gammaln(np.arange(questions + 1) + 1.)
    size = logs[questions] - logs[sampled] - logs[questions - sampled]
    for times in populations:
        left = times - parts
        fits = (left >= 0).all(1)
        ways = logs[times] - logs[parts[fits]] - logs[left[fits]]
        mean = (times[2] - times[0]) / questions
        held = (ends[fits, 0] - 1e-9 <= mean) & (mean <= ends[fits, 1] + 1e-9)
        yield np.exp(ways.sum(1) - size) @ held, tuple(times.tolist())


def bench_borrowed(quick):
    for questions in (20, 50) if quick else (20, 50, 100):
        for sampled in sorted({5, questions // 5, questions // 2, 9 * questions // 10}):
            worst = min(cover_populations(questions, sampled))
            say = "lost, equal, gained: " + ", ".join(map(str, worst[1]))
            yield Row("borrowed", say, f"{sampled} of {questions}", "slope 1", 100 * worst[0])


def draw_fitted(sampled, shift):
    "A part of 200 questions, eight tries each; the new chances differ by a normal shift."
    def draw(rng):
        old = rng.beta(.5, .5, 200)
        new = np.clip(old + rng.normal(.05, shift, 200), 0, 1)
        place = rng.permutation(200)[:sampled]
        values = rng.binomial(8, new[place]) / 8
        found = borrowed_mean(values, place, rng.binomial(32, old) / 32, slope=None)
        if found.stderr is None: return found.value, found.value, new.mean()
        ends = found.confidence_interval(LEVEL)
        return ends.low, ends.high, new.mean()
    return draw


def bench_fitted(quick):
    for sampled, shift in product((5, 10, 20, 50), (.02, .2)):
        found = count_held(draw_fitted(sampled, shift), 200 if quick else 2000, 9)
        yield Row("borrowed", f"shift of a question {shift:g}", f"{sampled} of 200",
                  "fitted slope", *found)


BENCHES = {"ppi++": bench_powered, "calibrated": bench_calibrated,
           "corrected": bench_corrected, "again": bench_again,
           "borrowed": bench_borrowed, "fitted": bench_fitted}


def write_rows(path, rows):
    "Write the table; coverage with one digit more than a run repeats."
    def show(value):
        if value is None: return ""
        return f"{value:.3g}" if isinstance(value, float) else value
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows([show(value) for value in row] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    parser.add_argument("--only", nargs="+", choices=list(BENCHES), default=list(BENCHES))
    parser.add_argument("--out", type=Path, help="CSV file to write")
    options = parser.parse_args()
    rows = []
    for kind in options.only:
        for row in BENCHES[kind](options.quick):
            print(*row, sep="; ", flush=True)
            rows.append(row)
    if options.out: write_rows(options.out, rows)


if __name__ == "__main__": sys.exit(main())
