"The mean of groups: each group counts the same, whatever its size."
import numpy as np
import pytest

from sampling_eval import Counts, score
from sampling_eval.verbs.averaging import average_estimates, average_groups, gather_families


def rows(**groups):
    return [dict(task=task, question=f"{task}{q}", sample=s, correct=int(s < c))
            for task, (n, right) in groups.items() for q, c in enumerate(right) for s in range(n)]


DATA = rows(easy=(4, [4, 3, 4, 2]), hard=(4, [0, 1]))


def mean_of(report, metric): return next(row for row in report.rows if row.group.startswith("mean of") and row.metric == metric)


def test_every_group_counts_the_same():
    found = score(DATA, ["pass@k", "avg@n"], k=[1, 2], by="task")
    for metric in ("pass@1", "pass@2", "avg@4"):
        parts = [found[group, metric].estimate for group in ("easy", "hard")]
        assert mean_of(found, metric).estimate == pytest.approx(np.mean(parts)) and mean_of(found, metric).questions == 6


def test_the_error_is_that_of_a_mean_of_independent_means():
    found = score(DATA, "pass@1", by="task")
    parts = [found[group, "pass@1"].stderr for group in ("easy", "hard")]
    assert mean_of(found, "pass@1").stderr == pytest.approx(np.hypot(*parts) / 2)
    assert mean_of(found, "pass@1").stderr_kind.endswith("groups fixed")


def test_an_average_over_unequal_samples_goes_by_n():
    found = score(rows(easy=(4, [4, 3]), hard=(8, [0, 1])), "avg@n", by="task")
    row = mean_of(found, "avg@n")
    assert row.estimate == pytest.approx((7 / 8 + 1 / 16) / 2) and (row.n_min, row.n_max) == (4, 8)


def test_a_budget_that_one_group_lacks_has_no_mean():
    found = score(rows(easy=(4, [4, 3]), hard=(2, [0, 1])), "pass@k", by="task")
    assert {row.metric for row in found.rows if row.group.startswith("mean of")} == {"pass@1", "pass@2"}


def test_models_are_averaged_apart():
    several = [row | dict(model=model) for model in "xy" for row in DATA]
    found = score(several, "pass@1", by="task")
    assert [(row.model, row.group) for row in found.rows if row.group.startswith("mean of")] == [
        ("x", "mean of 2 groups"), ("y", "mean of 2 groups")]


def test_both_targets_are_averaged():
    row = mean_of(score(DATA, "pass@1", by="task", target="both"), "pass@1")
    assert row.again_low is not None and row.low < row.again_low < row.estimate


def test_without_groups_there_is_no_mean():
    curves = score(Counts([4, 4], [1, 2]), "pass@k").rows.curves
    assert list(average_groups(curves)) == [] and list(gather_families(curves)) == ["pass@1", "pass@2", "pass@3", "pass@4"]


def test_one_group_is_its_own_mean():
    found = score(rows(only=(4, [4, 1, 2])), "pass@1", by="task")
    one = found.rows[0].source
    mean = average_estimates([one])
    assert (mean.value, mean.stderr) == pytest.approx((one.value, one.stderr))
