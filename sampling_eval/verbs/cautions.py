"""What a reader of the numbers has to know about the data behind them."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..foundations.counts import Counts
from ..inference.sequential import stopped_at_success


def find_cautions(
    counts: Counts,  # Counts of one system
    target: str = "questions",  # Target of the error bars
) -> Iterator[str]:  # Sentences, none where there is nothing to say
    "Sentences on data that may not be what the intervals take them for."
    if counts.c is not None and stopped_at_success(counts.n, counts.c):
        yield ("every question with fewer samples than the others has exactly one right: "
               "if samples were drawn until the first success, c/n is too high; "
               "pass_at_k_until_success has the unbiased estimates.")
    if counts.cluster is not None and target != "benchmark":
        yield from caution_clusters(counts.cluster)


def caution_clusters(cluster: np.ndarray) -> Iterator[str]:
    "A sentence where clusters differ in size."
    _, sizes = np.unique(cluster, return_counts=True)
    if sizes.min() == sizes.max(): return
    yield (f"the {len(sizes)} clusters hold {sizes.min()} to {sizes.max()} questions; "
           "intervals over clusters hold if a cluster's size says nothing about its difficulty, "
           "and with few large clusters they miss too often if it does.")
