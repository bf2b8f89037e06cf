"`gate`: may a new system replace a baseline? More cases: test_compare.py."
import numpy as np
import pytest

from sampling_eval import Counts, gate

R1 = Counts([4] * 15, [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
O3 = Counts([4] * 15, [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4])


def test_verdict_by_target():
    def judged(target): return gate(O3, baseline=R1, metrics="avg@n", max_drop=.02, target=target)
    assert judged("benchmark").verdict == "pass" and judged("questions").verdict == "weak"
    said, = judged("questions").warnings
    assert said.startswith("avg@4 drops by at most 0.02: not decided, the interval [-0.099, +0.407]")
    assert "about 34 questions in all (15 now) with 4 samples each would decide it with a chance of 80 %" in said


def test_the_worst_verdict_counts():
    found = gate(R1, baseline=O3, metrics=["avg@n", "pass@1"], max_drop=.9, minimum={"pass@1": .99})
    assert [row.verdict for row in found.rows] == ["pass", "pass", "fail"] and found.verdict == "fail"
    assert found.exit_code() == 1 and not found.warnings


def test_exit_codes_of_a_weak_gate():
    weak = gate(O3, baseline=R1, metrics="avg@n", max_drop=.02, target="questions")
    assert (weak.exit_code(), weak.exit_code(strict=True), weak.exit_code(weak_passes=True)) == (3, 1, 0)


def test_verdicts_of_many_runs():
    def simulate(drop, rng):
        p = rng.uniform(.2, .8, 200)
        old, new = (Counts(np.full(200, 4), rng.binomial(4, x)) for x in (p, p - drop))
        return gate(new, baseline=old, max_drop=.05).verdict
    rng = np.random.default_rng(0)
    found = {drop: [simulate(drop, rng) for _ in range(60)] for drop in (0, .15)}
    assert "fail" not in found[0] and "pass" in found[0] and "pass" not in found[.15] and "fail" in found[.15]


def test_these_questions_again_where_each_has_twice_the_budget():
    both = gate(O3, minimum={"pass@2": .1, "pass@4": .1})
    assert [row.target for row in both.rows] == ["these questions, run again", "new questions of this kind"]
    assert gate(O3, minimum={"pass@2": .1}, target="questions").rows[0].target == "new questions of this kind"


def test_the_baseline_is_named():
    with pytest.raises(TypeError, match=r"Write gate\(new, baseline=\.\.\.\)"): gate(O3, R1, max_drop=.02)


@pytest.mark.parametrize("given, said", [
    (dict(metrics="pass@k", max_drop=.02), "a gate needs one number, got 'pass@k'; state the budget as in 'pass@1'"),
    (dict(max_drop=2), r"max_drop must lie in \[0, 1\], got 2; two points of a hundred are 0.02"),
    (dict(max_drop=-1), "need max_drop >= 0, got -1"), (dict(), "go together, got only a baseline"),
    (dict(max_drop=.1, minimum={"pass@1": 50}), r"the least pass@1 must lie in \[0, 1\], got 50")])
def test_rules_that_are_none(given, said):
    with pytest.raises(ValueError, match=said): gate(O3, baseline=R1, **given)
    with pytest.raises(ValueError, match="a gate needs a rule"): gate(O3)


def test_groups_of_questions_mean_new_ones():
    groups = {q: q % 5 for q in range(15)}
    assert gate(O3, baseline=R1, max_drop=.5, cluster=groups).rows[0].target == "new questions of this kind"
    with pytest.raises(ValueError, match="cluster= is for new questions"): gate(O3, baseline=R1, max_drop=.5, cluster=groups, target="benchmark")
    with pytest.raises(TypeError, match="a mapping of question to group, got list"): gate(O3, baseline=R1, max_drop=.5, cluster=[0] * 15)


def test_so_few_questions_can_never_pass():
    found = gate([[1]] * 4, baseline=[[1]] * 4, max_drop=.02)
    assert found.verdict == "weak" and "no outcome of 4 questions can pass" in found.warnings[0]


def test_old_name_of_metrics():
    with pytest.warns(DeprecationWarning, match="gate: metric= is now called metrics="):
        assert gate(O3, baseline=R1, metric="avg@n", max_drop=.02).verdict == "pass"
