"""Tables of which a row is the mean of a whole run, such as an accuracy per seed."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import OptionError
from ..results.reading import ReadNote
from .columns import COLUMNS, simplify
from .tabular import Batch, Keep, Source, take_column, take_here
from .values import read_written

__all__ = ["RunMeans", "find_means", "refuse_means", "take_means"]

ALL = "all questions"
MEANS = set("accuracy acc mean_accuracy avg_accuracy mean_acc avg_acc accuracy_mean mean "
            "mean_score pass@1 pass_at_1 pass_1".split())
SIZES = set("questions num_questions n_questions question_count n size total num_examples "
            "examples problems".split())
SEEDS = set("seed run run_id epoch trial repeat repetition rep replicate attempt".split())
RunMeans = tuple[str, str, str]  # Columns of the run, its mean, and its questions (empty: none)


def find_means(
    source: Source,  # A table as it stands
    columns: Sequence[str],  # Its columns without those that are ignored
    named: Mapping[str, str | bool],  # Columns that the caller named
) -> RunMeans | None:
    "The columns of a table of run means, where it holds nothing else."
    if "question" in named or source.verb != "read": return None
    runs, means, sizes = ([c for c in columns if simplify(c) in known]
                          for known in (SEEDS, MEANS, SIZES))
    models = [c for c in columns if simplify(c) in COLUMNS["model"]]
    if len(runs) != 1 or len(means) != 1 or len(sizes) > 1: return None
    if {*columns} != {*runs, *means, *sizes, *models}: return None
    values = read_written(take_column(source, "score", means[0]))[0]
    if values.dtype.kind != "f" or not ((0 <= values) & (values <= 1)).all(): return None
    if not ((0 < values) & (values < 1)).any(): return None
    return runs[0], means[0], sizes[0] if sizes else ""


def refuse_means(found: RunMeans) -> None:
    "Say that nothing can be said of new questions."
    raise OptionError("target", f"each row is the {found[1]} of a whole run, which tells how runs "
                                "differ and nothing of new questions",
                      ways=[dict(target="same_questions")])


def take_means(
    source: Source,  # A table of run means
    found: RunMeans,  # Its columns
) -> tuple[Source, dict[str, str | bool], ReadNote]:  # With all questions as one; parts; a note
    "Runs as samples of one question that stands for all."
    def take(chosen: Mapping[str, str], keep: Keep) -> Batch:
        whole = {part: name for part, name in chosen.items() if name != ALL}
        base = take_here(source, {"question": found[0]} | whole, keep)
        names = np.full(len(base), ALL, object)
        return replace(base, parts={part: names if name == ALL else base.parts[part]
                                    for part, name in chosen.items()})
    parts: dict[str, str | bool] = dict(question=ALL, sample=found[0], score=found[1],
                                        correct=False)
    sizes = set(take_column(source, "score", found[2]).tolist()) if found[2] else set()
    count = int(sizes.pop()) if len(sizes) == 1 else None
    unfolded = replace(source, columns=[*source.columns, ALL], take=take, head=None, plain=None)
    return unfolded, parts, ReadNote("run_means", (found[1],), count=count)
