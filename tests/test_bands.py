"Bands over budgets: the quantile against exact laws, edges against intervals, coverage, refusals."

import numpy as np
import pytest
from printed import check_printed
from scipy import integrate
from scipy.special import ndtr, ndtri
from scipy.stats import t

from sampling_eval.foundations.credit import any_credit
from sampling_eval.foundations.urn import draws, mean_credit
from sampling_eval.inference.bands import Band, band_of, match_t, simultaneous_band, sup_quantile
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.inference.gaffke import gaffke_interval
from sampling_eval.inference.units import units_of

pytestmark = pytest.mark.filterwarnings("error")


def columns(corr):
    "Unit columns with a given correlation."
    return np.linalg.cholesky(np.asarray(corr)).T


def independent(budgets, level):
    return -ndtri(-np.expm1(np.log(level) / budgets) / 2)


@pytest.mark.parametrize(
    "budgets,error",
    [(1, 1e-12), (2, 2e-4), (3, 0.002), (7, 0.003), (12, 0.04), (17, 1e-7), (300, 1e-7)],
)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.999, 0.999999])
def test_independent_budgets(budgets, error, level):
    assert sup_quantile(np.eye(budgets), level) == pytest.approx(
        independent(budgets, level), abs=error
    )


@pytest.mark.parametrize("rho", [-0.99, -0.5, 0.3, 0.9, 0.999])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_two_budgets_match_an_integral(rho, level):
    u, side = sup_quantile(columns([[1, rho], [rho, 1]]), level), (1 - rho**2) ** 0.5
    inside = integrate.quad(
        lambda z: np.exp(-(z**2) / 2)
        / (2 * np.pi) ** 0.5
        * (ndtr((u - rho * z) / side) - ndtr((-u - rho * z) / side)),
        -u,
        u,
        epsabs=1e-12,
    )[0]
    assert abs(inside - level) < 1e-4


def test_a_walk_against_draws():
    "Sums of independent steps at 12 budgets; the limit is four standard errors of the draws."
    steps = np.tril(np.ones((12, 12))) / np.sqrt(np.arange(1, 13))[:, None]
    largest = np.abs(np.random.default_rng(0).normal(size=(200_000, 12)) @ steps.T).max(1)
    u = sup_quantile(steps.T, 0.95)
    assert abs((largest > u).mean() - 0.05) < 4 * (0.05 * 0.95 / 200_000) ** 0.5 + 5e-4


def test_a_rough_walk_has_a_cautious_quantile():
    steps = np.tril(np.ones((40, 40))) / np.sqrt(np.arange(1, 41))[:, None]
    largest = np.abs(np.random.default_rng(0).normal(size=(50_000, 40)) @ steps.T).max(1)
    assert 0.025 < (largest > sup_quantile(steps.T, 0.95)).mean() < 0.05


def test_equal_and_turned_budgets_are_one():
    x = np.random.default_rng(0).random((30, 1))
    one = simultaneous_band(x).critical
    assert simultaneous_band(np.repeat(x, 3, 1)).critical == pytest.approx(one, abs=1e-6)
    assert simultaneous_band(np.hstack([x, 1 - x]), method="sup-t").critical == pytest.approx(
        simultaneous_band(x, method="sup-t").critical, abs=1e-6
    )


def test_levels_are_ordered():
    x = np.sort(np.random.default_rng(0).random((25, 9)), 1)
    for method in None, "sup-t", "gaffke":
        bands = [
            simultaneous_band(x, level, method=method)
            for level in (1e-9, 0.01, 0.3, 0.6, 0.9, 0.95, 0.99, 0.999999, 1 - 1e-12)
        ]
        lows, highs = np.array([b.low for b in bands]), np.array([b.high for b in bands])
        assert (np.diff(lows, axis=0) <= 1e-9).all() and (np.diff(highs, axis=0) >= -1e-9).all()
        assert (lows < highs).all() and (lows >= 0).all() and (highs <= 1).all()
        assert (lows <= bands[0].value).all() and (bands[0].value <= highs).all()


def test_one_budget_is_the_interval_of_the_mean():
    x = np.random.default_rng(3).integers(0, 5, 20) / 4
    for cluster in None, np.arange(20) // 3:
        estimate = mean_over_questions(x, cluster=cluster)
        for method, name in ("anchored-sup-t", "anchored-t"), ("gaffke", "gaffke"):
            band, want = simultaneous_band(
                x[:, None], method=method, cluster=cluster
            ), estimate.confidence_interval(method=name)
            np.testing.assert_allclose(
                [band.low[0], band.high[0]], [want.low, want.high], atol=1e-9
            )
    band, want = simultaneous_band(x[:, None], method="sup-t"), mean_over_questions(
        x
    ).confidence_interval(method="t")
    np.testing.assert_allclose([band.low[0], band.high[0]], [want.low, want.high], atol=1e-9)


def test_guaranteed_band_shares_out_the_error():
    x = np.random.default_rng(0).random((12, 5))
    band = simultaneous_band(x, 0.9, method="gaffke")
    for i in range(5):
        np.testing.assert_allclose(
            [band.low[i], band.high[i]], gaffke_interval(x[:, i], 1 - 0.1 / 5), atol=1e-9
        )
    assert band.method == "gaffke, Bonferroni over 5 budgets" and band.critical is None


def test_histograms_clusters_and_ranges():
    x, times = np.array([[0, 0.1], [0.5, 0.6], [1, 1]]), [3, 4, 5]
    for method in None, "sup-t", "gaffke":
        short, long = simultaneous_band(x, times=times, method=method), simultaneous_band(
            np.repeat(x, times, 0), method=method
        )
        np.testing.assert_allclose([short.low, short.high], [long.low, long.high], atol=1e-9)
        named = simultaneous_band(np.repeat(x, times, 0), cluster=range(12), method=method)
        np.testing.assert_allclose([named.low, named.high], [long.low, long.high], atol=1e-9)
    wide = simultaneous_band(10 * x - 5, times=times, bounds=(-5, 5))
    plain = simultaneous_band(x, times=times)
    np.testing.assert_allclose(
        [(wide.low + 5) / 10, (wide.high + 5) / 10], [plain.low, plain.high], atol=1e-9
    )
    assert band_of(units_of(x, times=times)).critical == plain.critical


@pytest.mark.parametrize("method,aim", [(None, 0.92), ("gaffke", 0.95)])
def test_coverage(method, aim):
    "60 seeded runs; the standard error of a coverage of .95 is 2.8 %."
    rng, k = np.random.default_rng(0), np.arange(1, 17)
    table = mean_credit(np.arange(17), 16 - np.arange(17), k, any_credit)
    truth = np.array([(draws([0.3], [0.7], int(b), 1) @ any_credit(int(b)))[0] for b in k])
    bands = [
        simultaneous_band(table[rng.binomial(16, rng.beta(0.3, 0.7, 30))], method=method)
        for _ in range(60)
    ]
    assert np.mean([((b.low <= truth) & (truth <= b.high)).all() for b in bands]) > aim


def test_band_without_spread():
    band = simultaneous_band(np.ones((5, 3)))
    assert (
        (band.low < 1).all()
        and (band.high == 1).all()
        and np.allclose(simultaneous_band([[0.5, 0.2]]).value, [0.5, 0.2])
    )


def test_extremes():
    rng = np.random.default_rng(0)
    many = simultaneous_band(1 - (1 - rng.random((50, 1))) ** np.arange(1, 3001))
    assert np.isfinite([many.low, many.high]).all() and 2 < many.critical < 3.5
    big = rng.random((20, 4))
    for band in (
        simultaneous_band(1e6 * big, bounds=(-1e6, 1e6)),
        simultaneous_band(0.5 + 1e-12 * big),
        simultaneous_band(rng.random((300, 60))),
    ):
        assert np.isfinite([band.low, band.high]).all() and (band.low < band.high).all()
    assert sup_quantile(np.eye(3), 1e-12) >= 0


table = np.random.default_rng(0).random((6, 3))


@pytest.mark.parametrize(
    "call,message",
    [
        (
            lambda: simultaneous_band(np.ones((5, 3)), method="sup-t"),
            r"differ, got none at column 0 \(3 of 3 columns",
        ),
        (lambda: simultaneous_band([1, 0]), r"shape \(Q, K\)"),
        (lambda: simultaneous_band([[np.nan, 0], [1, 0]]), "finite"),
        (lambda: simultaneous_band([[1, 0], [1]]), "rows of one length"),
        (lambda: simultaneous_band(np.zeros((3, 0))), "shape"),
        (lambda: simultaneous_band([["a"]]), "must be numbers"),
        (lambda: simultaneous_band(np.ma.array(table, mask=table > 0.5)), "masked"),
        (lambda: simultaneous_band(table, 95), "confidence_level"),
        (lambda: simultaneous_band(table, np.nan), "confidence_level"),
        (lambda: simultaneous_band(table, "a"), "confidence_level"),
        (lambda: simultaneous_band(table, method="t"), "method must be"),
        (lambda: simultaneous_band(table, bounds=None, method="gaffke"), "bounds=None"),
        (lambda: simultaneous_band(table, bounds=(0, np.nan)), "two ascending"),
        (lambda: simultaneous_band(table, cluster=[1]), "cluster must hold"),
        (lambda: simultaneous_band(table, times=[1]), "one count per value"),
    ],
)
def test_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


# The pieces, by other routes.


def test_what_a_band_says():
    one = Band(np.zeros(2), np.zeros(2), np.ones(2), np.ones(2), 2.5)
    assert (one.confidence_level, one.questions, one.method) == (0.95, 0, "")
    assert repr(one) == "Band(2 budgets, 0 questions, 95 %, critical value 2.500, )"
    made = simultaneous_band(table, 0.9, method="gaffke")
    assert repr(made) == "Band(3 budgets, 6 questions, 90 %, gaffke, Bonferroni over 3 budgets)"
    assert simultaneous_band(table).confidence_level == 0.95
    assert simultaneous_band(table).method == "anchored-sup-t (approximate)"
    assert simultaneous_band(table, bounds=None).method == "sup-t (approximate)"
    assert band_of(units_of(table)).confidence_level == 0.95
    assert (
        simultaneous_band(table, times=[1, 2, 3, 1, 1, 1]).questions
        == 9
        == band_of(units_of(table, times=[1, 2, 3, 1, 1, 1])).questions
    )
    assert (
        simultaneous_band(table, cluster=[0, 0, 1, 1, 2, 2]).questions
        == 6
        == simultaneous_band(table, method="gaffke", cluster=[0, 0, 1, 1, 2, 2]).questions
    )


@pytest.mark.parametrize(
    "method, said",
    [
        ("x", "method must be 'anchored-sup-t', 'sup-t' or 'gaffke', got 'x'"),
        (
            "anchored-sup-t",
            "anchored-sup-t needs bounded values, got bounds=None; use method='sup-t'",
        ),
        ("gaffke", "gaffke needs bounded"),
    ],
)
def test_methods_of_bands_refused(method, said):
    with pytest.raises(ValueError, match=said):
        simultaneous_band(table, bounds=None, method=method)


def test_the_budget_without_spread_is_named():
    x = np.array([[0, 1, 0.5], [0.5, 1, 0.5], [1, 1, 0.5]])
    with pytest.raises(
        ValueError,
        match=(
            r"got none at column 1 \(2 of 3 columns, 3 questions\); the default method has a band"
        ),
    ):
        simultaneous_band(x, method="sup-t")
    assert simultaneous_band(x[:, :1], method="sup-t").critical > 0


def test_edges_are_critical_values_of_the_error():
    x, times = np.array([[0, 0.1, 0.4], [0.5, 0.3, 0.6], [1, 0.9, 0.8], [0.2, 0.8, 0.9]]), [
        1,
        2,
        3,
        2,
    ]
    long = np.repeat(x, times, 0)
    own = simultaneous_band(x, 0.9, method="sup-t", times=times, bounds=None)
    error = long.std(0, ddof=1) / 8**0.5
    np.testing.assert_allclose([own.value, own.stderr], [long.mean(0), error])
    np.testing.assert_allclose(
        [own.low, own.high], [own.value - own.critical * error, own.value + own.critical * error]
    )
    sure = simultaneous_band(x, 0.9, method="sup-t", times=times)
    np.testing.assert_allclose([sure.low, sure.high], np.clip([own.low, own.high], 0, 1))
    more = np.vstack([long, np.zeros(3), np.ones(3)])
    anchored = simultaneous_band(x, 0.9, times=times)
    error = more.std(0, ddof=1) / 10**0.5
    np.testing.assert_allclose([anchored.value, anchored.stderr], [long.mean(0), error])
    np.testing.assert_allclose(
        [anchored.low, anchored.high],
        np.clip(
            [more.mean(0) - anchored.critical * error, more.mean(0) + anchored.critical * error],
            0,
            1,
        ),
    )
    # The same chance of a normal variable, taken from the t law of 7 and 9 degrees of freedom.
    for band, rows, df in (own, long, 7), (anchored, more, 9):
        columns = rows - rows.mean(0)
        sup = sup_quantile(columns / (columns**2).sum(0) ** 0.5, 0.9)
        assert (
            band.critical
            == pytest.approx(t.isf(float(ndtr(-sup)), df), rel=1e-9)
            == match_t(sup, df)
        )


def test_low_levels_hold_the_mean():
    band = simultaneous_band(np.array([[1, 1], [1, 1], [1, 0.9]]), 1e-9)
    assert (band.low <= band.value).all() and (band.value <= band.high).all()
    other = simultaneous_band(np.array([[0, 0], [0, 0], [0, 0.1]]), 1e-9)
    assert (other.low == other.value).all() and (band.high == band.value).all()


def test_bands_in_numbers():
    "Quantiles and edges of awkward tables, as they were when they were checked."
    rng = np.random.default_rng(7)
    walk = np.cumsum(rng.normal(size=(30, 20)), 1)
    curve = 1 - (1 - np.linspace(0.01, 0.99, 15)[:, None]) ** np.arange(1, 33)
    tables = {
        "walk": walk,
        "curve": curve,
        "rough": rng.normal(size=(60, 40)),
        "three": rng.normal(size=(9, 3)),
        "two": np.array([[0, 1.0], [1, 0.5], [0.25, 0]]),
    }
    lines = []
    for name, x in tables.items():
        columns = x - x.mean(0)
        columns /= (columns**2).sum(0) ** 0.5
        lines.append(
            f"{name}: "
            + " ".join(
                f"{sup_quantile(columns, level):.8f}" for level in (0.3, 0.5, 0.9, 0.95, 0.999)
            )
        )
    cases = [
        {},
        dict(method="sup-t"),
        dict(method="gaffke"),
        dict(cluster=np.arange(15) // 2),
        dict(times=np.arange(1, 16)),
        dict(confidence_level=0.5),
    ]
    for options in cases:
        band = simultaneous_band(curve, **options)
        edges = np.c_[band.low, band.high, band.stderr][[0, 3, 15, 31]]
        lines += [
            f"{list(options)}: {band!r}",
            *(" ".join(f"{v:.8f}" for v in row) for row in edges),
        ]
    check_printed("estimates", "bands", "\n".join(lines))
