"The mean of groups: each group counts the same, whatever its size."
import numpy as np
import pytest

from sampling_eval import score
from sampling_eval.verbs.curves import average_estimates, average_groups, gather_members


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


def test_both_targets_are_averaged():
    row = mean_of(score(DATA, "pass@1", by="task", target="both"), "pass@1")
    assert row.again_low is not None and row.low < row.again_low < row.estimate


def test_what_is_known_of_a_mean_of_groups():
    lost = [dict(task="easy", question="late", sample=s, correct=c) for s, c in enumerate((1, None, 0))]
    found = score([*rows(easy=(4, [4, 3]), hard=(8, [2, 1, 0])), *lost], ["avg@n", "pass@2"], by="task",
                  missing="wrong", interval="t")
    row = mean_of(found, "pass@2")
    assert (row.questions, row.missing, row.n_min, row.n_max, row.k, row.model) == (6, 1, 3, 8, 2, "")
    assert row.estimator == found["easy", "pass@2"].estimator and (row.interval.name, row.interval.level) == ("t", .95)
    assert row.stderr_kind == "over questions, groups fixed"
    assert mean_of(score(DATA, "pass@1", by="task"), "pass@1").interval.strata
    average = mean_of(found, "avg@n")
    assert average.k is None
    assert average.estimate == pytest.approx(np.mean([(1 + .75 + 1 / 3) / 3, (2 / 8 + 1 / 8) / 3]))
    assert mean_of(score(rows(easy=(4, [4, 3]), hard=(4, [0, 1])), "avg@n", by="task"),
                   "avg@4").estimate == pytest.approx(.5)


def test_noise_that_some_groups_lack():
    mixed = rows(easy=(4, [4, 3, 1]), hard=(1, [0, 1]))
    found = score(mixed, "avg@n", by="task", target="same_questions")
    row = mean_of(found, "avg@n")
    assert row.estimate == pytest.approx((2 / 3 + 1 / 2) / 2) and row.stderr is None and row.low is row.high is None
    assert (row.questions, row.n_min, row.n_max) == (5, 1, 4)
    one = average_estimates([found["easy", "avg@4"].source, found["hard", "avg@1"].source])
    assert isinstance(one, tuple) and one[0].reason == "the noise of the samples is known in some groups only"
    assert one[0].stderr_kind == found["easy", "avg@4"].stderr_kind and one[0].k is None
    both = mean_of(score(mixed, "avg@n", by="task", target="both"), "avg@n")
    assert both.low is not None and both.again_low is None


def test_second_intervals_where_every_group_has_one():
    curves = score(DATA, "pass@k", k=[1, 2], by="task", target="both").rows.curves
    parts = [curve for curve in curves if curve.group in ("easy", "hard")]
    families = gather_members(parts)
    assert [one.again.value for one in families["pass@2"].values()] == [curve.again[1].value for curve in parts]
    first, second = average_groups(parts)
    assert first.again is not None and second.again is not None and first.estimates[0].k == 1
    from dataclasses import replace
    bare = [parts[0], replace(parts[1], again=None)]
    assert [one.again for one in average_groups(bare)] == [None, None]
