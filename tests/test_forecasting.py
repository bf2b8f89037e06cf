"`extrapolate`: what more samples would have shown."
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import Counts, extrapolate, score
from sampling_eval.metrics.catalog import find_metric
from sampling_eval.verbs.forecasting import find_budgets, refuse_without_credit

TABLE = np.genfromtxt(Path(__file__).parents[1] / "sampling_eval" / "examples" / "humaneval_codegen16b_counts.csv", delimiter=",",
                      names=True, dtype=None, encoding="utf-8")
CODE = Counts(TABLE["n"], TABLE["c"])


@pytest.fixture(scope="module")
def told(): return extrapolate(CODE, k=[1, 100, 1000])


def test_up_to_n_it_is_measured(told):
    measured = score(CODE, "pass@k", k=[1, 100]).estimates()
    np.testing.assert_allclose(told.exact[:2], list(measured.values()))
    assert told.to_dict()["exact"] == pytest.approx([.2212, .7378], abs=1e-4)


def test_beyond_n_there_are_models_and_bounds(told):
    last = {name: values[-1] for name, values in told.models.items()}
    assert list(last) == ["Beta", "Beta + mass at 0", "Beta + most at 0", "power law"]
    assert all(told.low[-1] < value < told.high[-1] for value in last.values()) and told.high[-1] > .999
    assert told.low[1] == pytest.approx(told.low[2])


def test_default_budgets():
    assert extrapolate(Counts([4, 5], [1, 2])).k.tolist() == [1, 4, 40, 400, 4000]
    assert extrapolate(Counts([4, 5], [1, 2]), k=range(1, 4)).k.tolist() == [1, 2, 3]
    assert extrapolate(Counts([4, 5], [1, 2]), metrics="pass@9").k.tolist() == [9]


def test_confidence_of_the_bounds(told):
    calmer = extrapolate(CODE, k=[1, 100, 1000], confidence_level=.8)
    assert (calmer.low >= told.low).all() and calmer.low[1] > told.low[1]


@pytest.mark.parametrize("given, said", [
    (dict(metrics="avg@n"), "follows from the number of right samples and changes with k, got avg@n; known are pass@k"),
    (dict(metrics="pass@8", k=9), "'pass@8' states its budget, got k=9 as well"), (dict(k=0), "k >= 1")])
def test_refusals(given, said):
    with pytest.raises(ValueError, match=said): extrapolate(CODE, **given)


def test_what_was_read_is_said(tmp_path):
    (tmp_path / "a.csv").write_text("question,correct\n1,1\n1,0\n2,0\n2,0\n")
    assert extrapolate(str(tmp_path / "a.csv"), k=[2, 4]).read[""].files == ("a.csv",)


def test_old_name_of_metrics():
    with pytest.warns(DeprecationWarning, match="extrapolate: metric= is now called metrics="): extrapolate(CODE, k=[1], metric="pass@k")


@pytest.mark.parametrize("old, new", [(([1, 9],), dict(k=[1, 9])), ((9, "pass^k"), dict(k=9, metrics="pass^k"))])
def test_budgets_that_stand_before_the_metric_work_and_say_so(old, new):
    with pytest.warns(DeprecationWarning, match="the order is .data, metrics, k. now") as said: found = extrapolate(CODE, *old)
    assert found == extrapolate(CODE, **new) and said[0].filename == __file__
    with pytest.raises(TypeError, match="multiple values"), pytest.warns(DeprecationWarning): extrapolate(CODE, [1], k=[2])


SMALL = Counts([4, 6, 4], [1, 3, 4], missing=[0, 1, 0])


@pytest.mark.parametrize("k, stated, want", [(None, None, [1, 4, 40, 400, 4000]), (None, 9, 9), (3, None, 3),
                                             ([3, 1], None, [3, 1]), (range(2, 5), None, [2, 3, 4])])
def test_budgets_asked_for_or_by_default(k, stated, want): assert np.array_equal(find_budgets(SMALL, k, stated), want)


def test_one_sample_has_its_budgets(): assert find_budgets(Counts([1, 2], [0, 1]), None,
                                                           None).tolist() == [1, 10, 100, 1000]


@pytest.mark.parametrize("name, refused", [("pass@k", False), ("cons@k", False), ("g-pass@k_0.5", False),
                                           ("avg@n", True), ("soft@n", True), ("maj@k", True), ("max@k", True)])
def test_metrics_with_a_law(name, refused):
    metric = find_metric(name)[0][0]
    if not refused: assert refuse_without_credit(metric, name) is None
    else:
        with pytest.raises(ValueError, match=f"changes with k, got {name}; known are pass@k, pass.k, cons@k, mg"):
            refuse_without_credit(metric, name)


def test_what_was_asked_for_is_computed():
    for metrics, k in (("pass^3", None), ("pass^k", [3])):
        found = extrapolate(SMALL, metrics, k)
        assert found.k.tolist() == [3] and found.exact == pytest.approx([(0 + 1 / 20 + 1) / 3])


def test_a_model_of_several_and_columns():
    rows = [dict(m=model, q=q, right=int(s < q + shift)) for model, shift in (("x", 0), ("y", 1)) for q in range(3)
            for s in range(4)]
    given = dict(model="m", question="q", correct="right")
    found = {model: extrapolate(rows, k=[1], models=model, **given) for model in "xy"}
    assert [one.exact[0] for one in found.values()] == pytest.approx([1 / 4, 2 / 4])
    assert found["x"].read[""].rows == 24
    with pytest.raises(ValueError, match="the data must hold one model, got 2"): extrapolate(rows, k=[1], **given)
    with pytest.raises(ValueError, match="maj@3 cannot be computed"): extrapolate(SMALL, metrics="maj@3")
