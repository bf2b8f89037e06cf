"The same number on every machine: one script under several processors' routes, compared at 1e-9."

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from scripts import load_script

SCRIPT = """
import json
import numpy as np
from sampling_eval.foundations.urn import mean_credit
from sampling_eval.inference import bands, comparison, estimate, extrapolation, gaffke
from sampling_eval.inference import significance, units
from sampling_eval.inference import fixed_questions
from sampling_eval.inference import pairs
from sampling_eval.inference.bayes import fit_prior
from sampling_eval.metrics.passk import pass_at_k

def share(k): return np.arange(k + 1) / k
def any_right(k): return (np.arange(k + 1) >= 1) * 1.

found, rng = {}, np.random.default_rng(0)
p = rng.beta(.4, .9, 200)
for n in 8, 16, 64, 128:
    k = np.arange(1, n + 1)
    a, b = rng.binomial(n, p), rng.binomial(n, p**.8)
    curve = bands.paired_curve(pass_at_k(n, a, k), pass_at_k(n, b, k), k)
    band = bands.simultaneous_band(pass_at_k(n, a, k), .99, cluster=np.arange(200) // 7)
    found[f"band {n}"] = [curve.critical, band.critical, *curve.low, *band.high]
for budgets in 2, 5, 12, 40:
    found[f"quantile {budgets}"] = [bands.sup_quantile(np.eye(budgets), .95)]
steps = np.tril(np.ones((9, 9))) / np.sqrt(np.arange(1, 10))[:, None]
found["quantile of a walk"] = [bands.sup_quantile(steps.T, level) for level in (.5, .9, .999)]

for level in .9, .95, .999:
    values = p, rng.random(3000), p > .5, [.5], [1, 1, 1]
    ends = [gaffke.gaffke_interval(x, level) for x in values]
    ends.append(gaffke.gaffke_interval(p, level, cluster=np.arange(200) // 3))
    found[f"gaffke {level}"] = np.ravel(ends).tolist()
ragged = np.r_[2, np.full(60, 64), np.full(9, 1000)]
right = rng.binomial(ragged, rng.random(70))
noise = estimate.within_questions(ragged, right, 1, share)
fixed = fixed_questions.fix_questions(right / ragged, noise)
groups = units.join_groups([units.units_of(p[:9]), units.units_of(p[9:])])
limits = [o.limits(tail) for o in (fixed, groups) for tail in (.05, .025, .0005)]
found["gamma"] = np.ravel(limits).tolist()

n, a, b = np.full(40, 16), rng.binomial(16, p[:40]), rng.binomial(16, p[:40]**.7)
d = (b - a) / 16
found["p"] = [significance.sign_flip(d).value, significance.sign_flip(d * np.pi).value,
              significance.sign_flip(np.r_[d, d] * np.pi).value,
              significance.permutation(n, a, n, b).value,
              significance.permutation(n, a, n // 2, b // 2).value,
              significance.permutation(n, a, n, b, 4, any_right).value,
              significance.invert_gaffke(units.units_of(d, bounds=(-1, 1))).value,
              significance.chance_above_zero(d), significance.mcnemar(209, 152).value]
pair = comparison.paired_difference(a / 16, b / 16, tables=pairs.Tables(n, a, n, b, 1, share))
found["p"] += [pair.test("t").value, pair.test("interval", target="same_questions").value]
mean = estimate.mean_over_questions(p)
drawn = [mean.confidence_interval(method="bootstrap", rng=seed) for seed in range(3)]
found["bootstrap"] = [end for one in drawn for end in (one.low, one.high)]

n, c = np.full(150, 32), rng.binomial(32, rng.beta(.3, 1.2, 150))
law = extrapolation.fit_beta_distribution(n, c)
zero = extrapolation.fit_most_zero(n, c, .95)
found["fits"] = [law.a, law.b, zero.a, zero.b, zero.zero]
found["prior"] = [x for node in fit_prior(n, c).nodes for x in (node[0], node[1].a, node[1].b)]
far = extrapolation.extrapolate_credit(n, c, np.array([1, 32, 100, 1000, 10_000]), any_right)
found["extrapolated"] = [x for row in far.rows for x in row.values() if isinstance(x, float)]
print(json.dumps({name: [float(x) for x in values] for name, values in found.items()}))
"""


def settings():
    """The oldest route of numpy, BLAS and libm, and one between it and their own; names of features
    are asked of numpy."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    have = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    named = {}
    if __cpu_features__.get("AVX2") and have[1:]:
        named["BLAS of Haswell, numpy without the newest"] = dict(
            OPENBLAS_CORETYPE="Haswell", NPY_DISABLE_CPU_FEATURES=" ".join(have[1:])
        )
    if have:
        named["numpy, BLAS and libm of an old machine"] = dict(
            OPENBLAS_CORETYPE="Nehalem",
            NPY_DISABLE_CPU_FEATURES=" ".join(have),
            GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
        )
    return named


def run(**options):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=os.environ | options, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def here():
    return run()


@pytest.mark.parametrize("name", settings())
def test_same_numbers(name):
    there = run(**settings()[name])
    assert there.keys() == here().keys()
    for what, values in here().items():
        np.testing.assert_allclose(there[what], values, rtol=1e-9, atol=1e-12, err_msg=what)


@pytest.mark.parametrize(
    "a,b,same",
    [
        ("critical value 2.552", "critical value 2.553", False),
        ("[0.5497, 0.8299]", "[0.5497, 0.8299]", True),
        ("p = 1.2e-05", "p = 1.3e-05", False),
        ("0.7798330455084841", "0.77983304640128", False),
        ("0.7798330455084841", "0.7798330455084799", True),
        ("0.5", "0.49999999999999983", True),
        ("(240, 1.1102230246251565e-16)", "(240, 2.220446049250313e-16)", True),
        ("2.345", "2.3450", False),
        ("a 1.5", "b 1.5", False),
        ("<f at 0x7f00aa>", "<f at 0x7f11bb>", True),
    ],
)
def test_what_a_reader_sees(a, b, same):
    assert load_script("tools/nbrun.py").same_reading(a, b) == same


def test_nbrun_reports_an_error_inside_a_display():
    import nbformat

    nbrun = load_script("tools/nbrun.py")
    out = nbformat.v4.new_output("error", ename="ZeroDivisionError", evalue="", traceback=["1 / 0"])
    found = list(
        nbrun.errors(
            nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=[out])])
        )
    )
    assert len(found) == 1 and "an error is displayed" in found[0][1]


def test_nbrun_compares_drawings_of_one_matplotlib_only():
    same = load_script("tools/nbrun.py").same_drawing
    drawn = lambda version, x: (
        f"<dc:title>Matplotlib v{version}, https://matplotlib.org/</dc:title><path d='M {x} 1'/>"
    )
    assert same(drawn("3.11.2", 2.0), drawn("3.11.2", 2.0000000001), 1e-6)
    assert not same(drawn("3.11.2", 2.0), drawn("3.11.2", 2.1), 1e-6)
    assert same(drawn("3.11.2", 2.0), drawn("3.10.0", 2.1), 1e-6)
