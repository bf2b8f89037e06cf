"""Tries of two made-up agents with the cost of every try, and the truth they were drawn from.

    python tools/priced.py [--truth] [--check]

Sixty questions, eight tries each. The chance of a question is a beta variable, that of the large
agent the larger; a wrong try runs on to the limit more often, and costs more. --truth prints
pass@k and spend@k of the population, --check compares the file with what would be written."""
import argparse
import sys
from pathlib import Path

import numpy as np

FILE = Path(__file__).resolve().parents[1] / "sampling_eval" / "examples" / "priced_agents.csv"
AGENTS = {"small": (.45, .75, .04), "large": (.9, .6, .32)}  # Beta parameters, most per try
QUESTIONS, TRIES = 60, 8
# Share of the most that a try costs, uniform between two ends: right tries, wrong ones.
RIGHT, WRONG = (.05, .25), (.1, .6)


def draw_rows() -> list[str]:
    "Lines of the file."
    rng = np.random.default_rng(0)
    # One difficulty per question for both agents: they are tried on the same questions.
    place = rng.random(QUESTIONS)
    lines = ["model,question,try,correct,cost_usd"]
    for model, (a, b, most) in AGENTS.items():
        chance = np.quantile(rng.beta(a, b, 20_000), place)
        hit = rng.random((QUESTIONS, TRIES)) < chance[:, None]
        low, high = np.where(hit, *np.array([RIGHT, WRONG]).T[:, :, None, None])
        cost = most * (low + (high - low) * rng.random(hit.shape))
        lines += [f"{model},q{q:02},{i},{int(hit[q, i])},{cost[q, i]:.5f}"
                  for q in range(QUESTIONS) for i in range(TRIES)]
    return lines


def find_truth(a: float, b: float, most: float) -> list[tuple]:
    "Budget, pass@k and spend@k over all questions of the kind."
    k = np.arange(TRIES + 1)
    missed = np.r_[1., np.cumprod((b + k[:-1]) / (a + b + k[:-1]))]  # E (1 - p)^k
    solved, failed = 1 - missed, np.r_[0., missed[1:].cumsum()]
    spend = most * (np.mean(WRONG) * failed + np.mean(RIGHT) * solved)
    return list(zip(k[1:].tolist(), solved[1:].tolist(), spend[1:].tolist()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--truth", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    if asked.truth:
        for model, law in AGENTS.items():
            for k, solved, spend in find_truth(*law): print(f"{model} {k} {solved:.4f} {spend:.5f}")
        return
    text = "\n".join(draw_rows()) + "\n"
    if asked.check: sys.exit(0 if FILE.read_text("utf-8") == text else f"run {Path(__file__).name}")
    FILE.write_text(text, "utf-8")


if __name__ == "__main__": main()
