"""Metrics over all repeats of a question, for the task files of lm-evaluation-harness."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..analyses.engine.choose import split_metric_names
from ..analyses.score.verb import score
from ..reading.logs.grading import TextGrade, find_grade
from . import warn_once

__all__ = ["at_k", "keep_all", "question_values"]

INVALID = "[invalid]"  # What a filter of lm-eval writes where it finds nothing


def keep_all(
    resps: Sequence[Sequence[str]],  # Texts of each question, one for each repeat
    docs: Sequence[Mapping[str, Any]],  # Documents of the questions; not used
) -> list[list[str]]:  # The same texts
    """All texts of every question, for a filter of the kind `custom`.

    Value: without such a filter lm-eval keeps the first text only.
    """
    return [list(texts) for texts in resps]


def at_k(
    references: Sequence[Any],  # Right answer, the only entry
    predictions: Sequence[Sequence[str]],  # Texts of all repeats, the only entry
    metrics: str | Sequence[str] = ("pass@1",),  # Names with their budgets, such as `pass@8`
    grade: Any = "exact",  # Who judges: `exact`, `number`, or a function of (answer, target)
    **policy: Any,  # `no_answer=`, `normalize=` and `conflict=`, for maj@k
) -> dict[str, float]:  # Value of the question under each name
    """Metrics of one question from its texts, for `metric: !function` in a task file.

    Value: as `question_values`; nan where a text cannot be judged.
    """
    [target], [texts] = references, predictions
    try: correct = judge_texts(texts, target, grade)
    except (ValueError, TypeError) as error:
        warn_once(f"at_k: {error}")
        return dict.fromkeys(split_metric_names(metrics), math.nan)
    judge = find_grade(grade)
    spell = judge.spell if isinstance(judge, TextGrade) else lambda text: text
    answers = [None if text == INVALID else spell(text) for text in texts]
    return question_values(correct, metrics, answers, **policy)


def question_values(
    correct: Sequence[Any],  # Outcome of each repeat, 0/1 or bool
    metrics: str | Sequence[str] = ("pass@1",),  # Names with their budgets, such as `pass@8`
    answers: Sequence[Any] | None = None,  # Answer of each repeat, for maj@k
    **policy: Any,  # `no_answer=`, `normalize=` and `conflict=`, for maj@k
) -> dict[str, float]:  # Value of the question under each name
    """Metrics of one question from its outcomes, for a `process_results` of one's own.

    Value: unbiased, so that lm-eval's `mean` over questions is the metric and its `mean_stderr`
    the standard error. What the outcomes do not allow is nan, and a warning says why: an error
    at this stage would cost the whole run.
    """
    columns = dict(question=["this document"] * len(correct), correct=list(correct))
    if answers is not None: columns["answer"] = list(answers)
    found: dict[str, float] = {}
    for name in split_metric_names(metrics): found |= read_values(name, columns, policy)
    return found


def judge_texts(texts: Sequence[str], target: Any, grade: Any) -> list[bool]:
    "Whether each text is right."
    if isinstance(texts, str):
        raise ValueError("a question needs all its repeats, got one text; end the filter with "
                         "function: custom, filter_fn: !function "
                         "sampling_eval.bridges.lm_eval.keep_all")
    judge = find_grade(grade)
    if judge is None: raise ValueError("texts need a grade, got None; write grade: exact")
    return [bool(judge(text, target)) for text in texts]


def read_values(
    name: str, columns: Mapping[str, list[Any]], policy: Mapping[str, Any],
) -> dict[str, float]:
    "One metric of one question at its budgets."
    try: return {row.metric: row.estimate for row in score(columns, name, **policy).rows}
    except (ValueError, TypeError) as error:
        warn_once(f"{name}: {error}")
        return {name: math.nan}
