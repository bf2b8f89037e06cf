"""How often does the interval that decides a difference miss it, on questions of real results?

    python bench/deciding.py [--runs 4000] [--out sampling_eval/examples/deciding.csv]

Populations are resampled from results that the package ships: of each question the share of right
samples (or, for graded scores, its samples) stands for the truth. A run draws questions, then n
samples of each for both systems, and asks whether the 95 % interval of the rule lies wholly above
the true difference (`above`) or wholly below it (`below`), how often t decides, and how often the
run is significant; beside it the same for t alone and without assumptions.

`unequal` rows are two equal systems with other numbers of samples. `family` rows hold the share of
runs in which Holm's correction calls any of several equal systems better. `rare loss` rows are a
law made for t to fail: a small gain on most questions, and a few that are lost whole, so that the
mean difference is 0. The rarer the loss, the more often t is wrong.

Everything is written here a second time, for all runs at once; tests/test_deciding_rule.py holds
it against the package.
"""
import argparse
import csv
import gzip
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.special import stdtr, stdtrit

from sampling_eval.examples import example_path
from sampling_eval.inference.gaffke import tail_chance
from sampling_eval.inference.t_evidence import (LEAST_DIFFERENT, LEAST_EFFECTIVE, LEAST_QUESTIONS,
                                                effective_needed)
from sampling_eval.inference.ranking import holm
from sampling_eval.metrics.passk import pass_at_k

TAIL = .025
CELLS = ((20, 1, 1), (20, 8, 1), (30, 4, 1), (30, 16, 1), (50, 4, 1), (50, 8, 1), (50, 8, 4),
         (100, 1, 1), (100, 4, 1), (100, 8, 1), (100, 16, 1), (100, 16, 8), (300, 1, 1),
         (300, 4, 1), (300, 16, 8))
FAMILIES = ((3, 50, 4), (3, 100, 8), (10, 50, 4), (10, 100, 8))
UNEQUAL = (20, 1, 64), (30, 1, 8), (30, 2, 16), (30, 4, 64), (100, 1, 16), (100, 4, 8)
STRICT_RUNS = 1000
FIELDS = ("kind", "population", "questions", "n", "k", "difference", "runs", "by_t", "above",
          "below", "t_above", "t_below", "significant", "t_significant", "strict_significant")


# Populations: two arrays of chances, or two lists of lists of scores.

def read(name):
    "Rows of a table that the package ships."
    path = Path(example_path(name))
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as file: return list(csv.DictReader(file))


def list_populations():
    "Every pair of systems by name."
    rows = read("deepscaler32k_counts.csv")
    base, rl = (np.array([int(row[c]) / int(row["n"]) for row in rows]) for c in ("c_base", "c_rl"))
    source = np.array([row["source"] for row in rows])
    found = {"RL against base": (base, rl), "base twice": (base, base), "RL twice": (rl, rl)}
    for name in dict.fromkeys(source):
        own = source == name
        found[f"RL against base, {name}"] = base[own], rl[own]
    codegen = np.array([int(row["c"]) / int(row["n"])
                        for row in read("humaneval_codegen16b_counts.csv")])
    found["CodeGen on HumanEval twice"] = codegen, codegen
    found["prompts of Game of 24"] = read_game()
    airline = read_airline()
    found["gpt-4o on tau-bench twice"] = airline, airline
    still = np.array([np.mean([answer == row["gold"] for answer in row["answers"].split()])
                      for row in read("llm_stability_gpt4o.csv")])
    found["gpt-4o at temperature 0 twice"] = still, still
    return found | dict(list_graded())


def read_game():
    "Chances of both prompts on the puzzles of Game of 24."
    right, samples = defaultdict(lambda: defaultdict(int)), defaultdict(lambda: defaultdict(int))
    for row in read("game24_gpt4.csv"):
        times = int(row["samples"])
        right[row["prompt"]][row["question"]] += int(row["correct"]) * times
        samples[row["prompt"]][row["question"]] += times
    first, second = right
    return tuple(np.array([right[name][q] / samples[name][q] for q in right[first]])
                 for name in (first, second))


def read_airline():
    "Chances of the airline tasks of tau-bench."
    import json
    outcomes = defaultdict(list)
    for line in Path(example_path("tau_bench")).read_text().splitlines():
        row = json.loads(line)
        outcomes[row["question"]].append(row["correct"])
    return np.array([np.mean(one) for one in outcomes.values()])


def list_graded(first=(0, 4, 8, 12, 20, 30)):
    "Six pairs of systems with judges' scores of changed riddles."
    scores = defaultdict(lambda: defaultdict(list))
    for row in read("misguided_attention.csv.gz"):
        if row["score"]: scores[row["run"]][row["question_id"]].append(float(row["score"]))
    runs = [run for run, own in scores.items() if len(own) >= 48]
    for a, b in (runs[i:i + 2] for i in first):
        common = sorted(scores[a].keys() & scores[b].keys())
        yield f"riddles, {b} against {a}", tuple([scores[run][q] for q in common] for run in (a, b))


def is_graded(population): return not isinstance(population[0], np.ndarray)


def true_difference(population, k):
    a, b = population
    if is_graded(population): return float(np.mean([np.mean(y) - np.mean(x) for x, y in zip(a, b)]))
    return float(np.mean((1 - a)**k - (1 - b)**k))


def draw(population, questions, n, k, runs, rng):
    "Differences of drawn questions, shape `(runs, questions)`."
    place = rng.integers(0, len(population[0]), (runs, questions))
    values = [draw_side(side, place, n, k, rng) for side in population]
    return values[1] - values[0]


def draw_side(side, place, n, k, rng):
    "Values of one system on drawn questions."
    if isinstance(side, np.ndarray):
        return pass_at_k(n, np.arange(n + 1), k)[rng.binomial(n, side[place])]
    size = np.array([len(one) for one in side])
    table = np.zeros((len(side), size.max()))
    for row, one in zip(table, side): row[:len(one)] = one
    return sum(table[place, (rng.random(place.shape) * size[place]).astype(int)]
               for _ in range(n)) / n


# The rule, for all runs at once.

def takes_t(d, least=LEAST_EFFECTIVE, half=1e-12):
    "Whether t decides each run; differences below `half` count as none."
    questions = d.shape[1]
    square = (d - d.mean(1, keepdims=True))**2
    second, fourth = square.sum(1), (square**2).sum(1)
    effective = np.divide(second**2, fourth, out=np.zeros(len(d)), where=fourth > 1e-30)
    different = (np.abs(d) > half * (1 - 1e-9)).sum(1)
    return ((questions >= LEAST_QUESTIONS) & (different >= LEAST_DIFFERENT)
            & (effective >= effective_needed(questions, least)))


def p_of_t(d, truth=0.):
    "One-sided p values of a mean at most, and at least, the truth."
    questions = d.shape[1]
    error = d.std(1, ddof=1) / questions**.5
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(error > 0, (d.mean(1) - truth) / error, 0.)
    return stdtr(questions - 1, -ratio), stdtr(questions - 1, ratio)


def p_without(d, truth=0.):
    "The same by Gaffke's interval on [-1, 1]."
    if not len(d): return np.empty(0), np.empty(0)
    ones = np.ones(d.shape[1] + 1)
    above = tail_chance(np.c_[truth - d, np.full(len(d), truth + 1)], ones)
    below = tail_chance(np.c_[d - truth, np.full(len(d), 1 - truth)], ones)
    return above, below


def p_of_rule(d, by_t, truth=0.):
    "One-sided p values by t, and by the rule."
    t = p_of_t(d, truth)
    rule = [one.copy() for one in t]
    for one, other in zip(rule, p_without(d[~by_t], truth)): one[~by_t] = other
    return t, rule


def measure(name, population, questions, n, k, runs, rng):
    "A row of the table."
    truth = true_difference(population, k)
    d = draw(population, questions, n, k, runs, rng)
    # With one right or wrong sample of each question the exact McNemar test decides.
    by_t = takes_t(d) & (n > 1 or is_graded(population))
    return make_row("population", name, questions, n, k, truth, d, by_t)


def make_row(kind, name, questions, n, k, truth, d, by_t):
    "How often the intervals of these differences miss the truth, and find a difference."
    t, rule = p_of_rule(d, by_t, truth)
    # The interval lies above the truth where "at most the truth" is rejected.
    missed = [float(np.mean(one < TAIL)) for one in (*rule, *t)]
    # Without assumptions takes an integral a run: the first of them are enough.
    tests = *p_of_rule(d, by_t)[::-1], p_without(d[:STRICT_RUNS])
    found = [float(np.mean((one < TAIL) | (other < TAIL))) for one, other in tests]
    values = kind, name, questions, n, k, truth, len(d), float(by_t.mean()), *missed, *found
    return dict(zip(FIELDS, values))


# One system has more samples than the other.

def measure_unequal(name, chances, questions, few, many, runs, rng):
    "Two equal systems with other numbers of samples."
    place = rng.integers(0, len(chances), (runs, questions))
    a, b = (rng.binomial(n, chances[place]) / n for n in (few, many))
    # What differs by less than half a sample of the side with fewer does not count.
    by_t = takes_t(b - a, half=.5 / few)
    return make_row("unequal", name, questions, f"{few} and {many}", 1, 0., b - a, by_t)


# Several equal systems.

def measure_family(name, chances, systems, questions, n, runs, rng):
    "How often any of several equal systems is called better, with Holm's correction."
    place = rng.integers(0, len(chances), (runs, questions))
    values = [rng.binomial(n, chances[place]) / n for _ in range(systems)]
    pairs = list(combinations(range(systems), 2))
    least = 8. if len(pairs) > 6 else LEAST_EFFECTIVE
    found = [judge_pair(values[j] - values[i], least) for i, j in pairs]
    tested = np.stack([p for p, _ in found], 1)
    wrong = float(np.mean([holm(row).min() <= .05 for row in tested]))
    by_t = float(np.mean([one for _, one in found]))
    return dict(kind="family", population=f"{name}, {systems} systems", questions=questions, n=n,
                k=1, difference=0., runs=runs, by_t=by_t, significant=wrong)


def judge_pair(d, least):
    "Two-sided p value of each run, and whether it is t's."
    by_t, p = takes_t(d, least), np.empty(len(d))
    p[by_t] = 2 * np.minimum(*p_of_t(d[by_t]))
    if not by_t.all(): p[~by_t] = 2 * np.minimum(*p_without(d[~by_t]))
    return np.minimum(p, 1), by_t


# The worst for t: what no question of the run has shown.

def measure_rare_loss(questions, one_in, runs, rng):
    "One question in so many is lost whole, the others gain a little; the mean difference is 0."
    share = 1 / one_in
    gain = share / (1 - share)
    # The gain is twice itself or nothing by even chance: it has a spread that t can see.
    d = 2 * gain * rng.integers(0, 2, (runs, questions))
    d[rng.random((runs, questions)) < share] = -1
    return make_row("rare loss", f"one in {one_in:,} lost whole", questions, "-", 1, 0., d,
                    takes_t(d))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--out", default="deciding.csv")
    options = parser.parse_args()
    rng, rows = np.random.default_rng(20), []
    for name, population in list_populations().items():
        for questions, n, k in CELLS:
            if is_graded(population) and k > 1: continue
            rows.append(measure(name, population, questions, n, k, options.runs, rng))
        print(name, flush=True)
    base, _ = list_populations()["base twice"]
    for name, chances in (("base", base), ("all at .95", np.array([.95]))):
        rows += [measure_unequal(name, chances, questions, few, many, options.runs, rng)
                 for questions, few, many in UNEQUAL]
    for systems, questions, n in FAMILIES:
        rows.append(measure_family("base", base, systems, questions, n, options.runs // 4, rng))
    rows += [measure_rare_loss(questions, one_in, options.runs // 4, rng)
             for questions in (30, 100, 300) for one_in in (60, 1000)]
    with open(options.out, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: f"{value:.4f}" if isinstance(value, float) else value
                             for name, value in row.items()})


if __name__ == "__main__": main()
