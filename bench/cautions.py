"""How often each caution speaks: of honest data, and of data with one fault.

    python bench/cautions.py                      # the whole grid, one line a cell
    python bench/cautions.py --cells retried      # cells whose name holds a word
    python bench/cautions.py --small              # what the tests run

A cell is a law of difficulty, a number of questions and of samples, and a fault; its line tells in
how many reports each kind of caution spoke, and any of them. Seed 0; of honest data the last line
has the upper confidence limit (99 %) of all reports together.
"""
from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

from sampling_eval.foundations.counts import Counts
from sampling_eval.analyses.engine.diagnostics import cautions_of, find_agreement
from sampling_eval.analyses.engine.runs import table_outcomes

LAWS = {"uniform": (1, 1), "easy": (8, .3), "hard": (.3, 8), "split": (.05, .05), "even": (20, 20)}
SIZES = 1, 2, 3, 5, 10, 20, 60, 200, 500
SAMPLES = 2, 3, 4, 5, 8, 16, 64
ABSENT = -1.

Draw = Callable[[np.random.Generator, np.ndarray, int], np.ndarray]


@dataclass(frozen=True)
class Cell:
    "Data of one kind."
    fault: str  # What is wrong with them; honest ones begin with `honest`
    law: str  # Law of difficulty
    questions: int
    samples: int

    @property
    def name(self) -> str: return f"{self.fault} {self.law} Q={self.questions} n={self.samples}"


def draw_honest(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    return (rng.random((len(p), n)) < p[:, None]).astype(float)


def cut_short(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "Numbers of samples from 1 to n that have nothing to do with outcomes."
    outcomes = draw_honest(rng, p, n)
    outcomes[np.arange(n) >= rng.integers(1, n + 1, len(p))[:, None]] = ABSENT
    return outcomes


def cut_two(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "One sample of half the questions, n of the others."
    outcomes = draw_honest(rng, p, n)
    outcomes[rng.random(len(p)) < .5, 1:] = ABSENT
    return outcomes


def sort_samples(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "Right samples first, as a table that was made from counts has them."
    return -np.sort(-draw_honest(rng, p, n), 1)


def run_again(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "Failures are run again, n samples in all."
    outcomes = draw_honest(rng, p, n)
    outcomes[outcomes[:, 0] == 1, 1:] = ABSENT
    return outcomes


def stop_early(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "Samples are drawn until the first success."
    outcomes = draw_honest(rng, p, n)
    outcomes[np.cumsum(outcomes, 1) - outcomes > 0] = ABSENT
    return outcomes


def copy_run(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "The last run is a copy of the first."
    outcomes = draw_honest(rng, p, n)
    outcomes[:, -1] = outcomes[:, 0]
    return outcomes


def copy_most(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "The last run agrees with the first on nine questions of ten, as from a cache."
    outcomes = draw_honest(rng, p, n)
    cached = rng.random(len(p)) < .9
    outcomes[cached, -1] = outcomes[cached, 0]
    return outcomes


def copy_half(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "The columns a, b, a, b."
    return np.tile(draw_honest(rng, p, n // 2), 2)


def copy_all(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    return np.repeat(draw_honest(rng, p, 1), n, 1)


def break_off(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "The last run is wrong in its second half."
    outcomes = draw_honest(rng, p, n)
    outcomes[len(p) // 2:, -1] = 0
    return outcomes


def learn(rng: np.random.Generator, p: np.ndarray, n: int) -> np.ndarray:
    "Later runs are right more often."
    grown = 1 - (1 - p[:, None]) * np.linspace(1, .4, n)
    return (rng.random((len(p), n)) < grown).astype(float)


HONEST: dict[str, Draw] = {"honest": draw_honest, "honest ragged": cut_short,
                           "honest two sizes": cut_two, "honest sorted": sort_samples}
FAULTS: dict[str, Draw] = {"retried": run_again, "stopped": stop_early, "copied": copy_run,
                           "cached": copy_most, "a b a b": copy_half, "all copies": copy_all,
                           "broke off": break_off, "learns": learn}


def list_cells(small: bool) -> Iterator[Cell]:
    "The cells of the grid."
    sizes, samples = ((5, 30), (2, 4)) if small else (SIZES, SAMPLES)
    for fault in HONEST:
        for law in LAWS:
            yield from (Cell(fault, law, q, n) for q in sizes for n in samples)
    for fault in FAULTS:
        for law in ("uniform",) if small else ("uniform", "easy", "hard"):
            yield from (Cell(fault, law, q, n) for q in ((30,) if small else (30, 60, 200))
                        for n in (4, 8) if not small or n == 4)


def count_kinds(cell: Cell, reports: int, counted: bool = False, seed: int = 0) -> Counter[str]:
    "Reports of a cell in which each kind of caution spoke, `any` of them, and what was `asked`."
    rng = np.random.default_rng([seed, *cell.name.encode()])
    draw, kinds = (HONEST | FAULTS)[cell.fault], Counter[str]()
    for _ in range(reports):
        outcomes = draw(rng, rng.beta(*LAWS[cell.law], cell.questions), cell.samples)
        counts = Counts((outcomes >= 0).sum(1), (outcomes == 1).sum(1))
        table = None if counted else table_outcomes(outcomes)
        said = {one.kind for one in cautions_of(counts, "new_questions", table)}
        kinds.update(said | ({"any"} if said else set()))
        kinds["asked"] += find_agreement(counts) is not None
    return kinds


def tell_cell(cell: Cell, kinds: Counter[str], reports: int) -> str:
    "One line."
    said = ", ".join(f"{kind} {count / reports:.4f}" for kind, count in sorted(kinds.items())
                     if count and kind != "any")
    return f"{cell.name}: any {kinds['any'] / reports:.4f}" + f" ({said})" * bool(said)


def limit_rate(
    seen: int,  # Reports with a caution
    reports: int,  # Reports
) -> float:  # Upper confidence limit, 99 %
    "Clopper and Pearson's upper limit of a rate."
    return 1. if seen == reports else float(beta.ppf(.99, seen + 1, reports - seen))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reports", type=int, default=200, help="reports of a cell")
    parser.add_argument("--cells", default="", help="only cells whose name holds this")
    parser.add_argument("--small", action="store_true", help="the few cells of the tests")
    parser.add_argument("--counted", action="store_true", help="only counts, without places")
    asked = parser.parse_args()
    seen = whole = 0
    for cell in list_cells(asked.small):
        if asked.cells not in cell.name: continue
        kinds = count_kinds(cell, asked.reports, asked.counted)
        print(tell_cell(cell, kinds, asked.reports), flush=True)
        if cell.fault in HONEST: seen, whole = seen + kinds["any"], whole + asked.reports
    if whole: print(f"honest reports: {seen} of {whole} with a caution, at most "
                    f"{limit_rate(seen, whole):.5f} (99 % limit)")


if __name__ == "__main__": main()
