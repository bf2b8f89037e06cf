"Counts without a file, audits of published numbers, and the size and the reasons of a gate."
import numpy as np
import pytest
from conftest import command
from scipy.stats import binom, binomtest

from sampling_eval import Audit, Counts, audit, compare, gate, load_result, plan, score, table
from sampling_eval.inference.power import PassRule, pass_power, questions_to_pass
from sampling_eval.inference.population import population_of
from sampling_eval.inference.two_proportions import independent_difference
from sampling_eval.metrics.catalog import find_metric

ROWS = [[1]] * 26 + [[0]] * 4


def test_a_count_is_questions_with_one_sample():
    found, same = score("26/30"), score(ROWS)
    assert [row.to_dict() for row in found.rows] == [row.to_dict() for row in same.rows]
    ends = binomtest(26, 30).proportion_ci(.95)
    assert (found["pass@1"].estimate, found["pass@1"].low, found["pass@1"].high) == pytest.approx((26 / 30, *ends))
    assert "26/30 taken as 30 questions with one sample each" in found.to_text()
    assert gate("45/50", minimum={"pass@1": .78}).verdict == gate([[1]] * 45 + [[0]] * 5, minimum={"pass@1": .78}).verdict == "pass"


def test_a_folder_of_that_name_wins(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "26" / "30").mkdir(parents=True)
    (tmp_path / "26" / "30" / "run.csv").write_text("question,correct\na,1\nb,0\n")
    assert score("26/30")["pass@1"].estimate == .5


@pytest.mark.parametrize("words, code, text", [
    ("score 26/30", 0, "pass@1 = 86.7 % (95 % CI 69.3 to 96.2 %, new questions)"),
    ("compare 17/20 14/20", 0, "Pairing is unknown"),
    ("gate 45/50 --minimum pass@1=.8", 3, "45/50 taken as 50 questions"),
    ("gate 45/50 --minimum pass@1=.8 --explain", 3, "The CI lies on both sides of the limit."),
    ("audit 0.843 --questions 30", 0, "nearest: 25/30 = 0.833 and 26/30 = 0.867"),
    ("audit 86.7% --questions 30 -f json", 0, '"right_least": 26'),
    ("audit .843 .80 --questions 30", 0, "not significant"),
    ("plan --max-drop .1 -n 4", 0, "if candidate and baseline are equal"),
    ("score 26/0", 2, "1 to 10,000,000 questions, got '26/0'"),
    ("score 31/30", 2, "needs 0 <= right <= questions"),
    ("score 3/4 2/4", 2, "one at a time, or two with sampling-eval compare"),
    ("compare 17/20 14/20 --target same_questions", 2, "needs questions with names"),
    ("gate 45/50 --baseline 40/50 --max-drop .1", 2, "does not say which of them are right, got '40/50'"),
    ("audit 26/0", 2, "got '26/0'"), ("audit 31/30", 2, "got '31/30'"),
    ("audit 1.5 --questions 3", 2, "a share lies between 0 and 1"),
    ("audit 84.3 --questions 30", 2, "in percent it is 84.3%"),
    ("audit nan --questions 3", 2, "such as 0.843, 84.3% or 26/30, got 'nan'"),
    ("audit .84", 2, "how many questions are behind .84?"),
    ("audit .843 --questions 30 --samples 1", 2, "25/30 = 0.8333 and 26/30 = 0.8667; it fits --samples 7, 10, 14, 17 or 18"),
    ("audit 101/120 --questions 31", 2, "must divide evenly"),
    ("audit .84 --questions 0", 2, "whole number from 1"),
    ("plan --max-drop .05 --true-difference -.05", 2, "unless the truth lies above it"),
    ("plan --minimum pass@1=.8 --true-value .8", 2, "unless the truth lies above it"),
    ("plan --true-value .8", 2, "that of one metric"),
    ("plan --max-drop .05 --target same_questions", 2, "a gate is sized for new questions"),
])
def test_at_the_command(words, code, text):
    run = command(*words.split())
    assert run.returncode == code, run.stderr
    assert text in " ".join((run.stdout if code != 2 else run.stderr).split())


@pytest.mark.parametrize("data, other, named", [
    ("-1/3", None, "-1/3"), ("26/0", None, "26/0"), (True, None, "bool"), (float("nan"), None, "nan"),
    (1.5, None, "1.5"), (.843, True, "bool"), (-.1, None, "-0.1")])
def test_what_is_no_share_is_refused(data, other, named):
    with pytest.raises((ValueError, TypeError), match="share|number|right/questions") as error: audit(data, other, questions=3)
    assert named in str(error.value)


# Counts that fit: every share of so many, rounded to so many digits, is found again.
@pytest.mark.parametrize("questions, samples, digits", [(30, 1, 3), (30, 4, 3), (7, 3, 2), (164, 1, 1), (12, 5, 4)])
def test_every_printed_count_is_found_again(questions, samples, digits):
    total = questions * samples
    for right in range(total + 1):
        row = audit(f"{right / total:.{digits}f}", questions=questions, samples=samples).rows[0]
        assert row.right_least <= right <= row.right_most
        fits = [c for c in range(total + 1) if abs(c / total - row.value) <= .5 * 10**-digits + 1e-12]
        assert fits == list(range(row.right_least, row.right_most + 1))
        assert (row.low, row.high) == pytest.approx((row.low_apart, row.high_apart)) or samples > 1


def test_digits_and_percent_matter():
    one, two, percent = (audit(text, questions=100).rows[0] for text in ("0.8", "0.80", "80%"))
    assert (one.right_least, one.right_most) == (75, 85) and (two.right_least, two.right_most) == (80, 80)
    assert (percent.least, percent.most) == (two.least, two.most) == (.795, .805)
    assert audit("101/120", questions=30).rows[0].samples == 4


def test_two_numbers_are_unpaired_and_say_so(tmp_path):
    found = compare("17/20", "14/20")
    assert isinstance(found, Audit) and found == audit("17/20", "14/20") and found.verdict == "not significant"
    assert found.difference.least_paired == pytest.approx(.25)
    clear = audit("0.95", "0.60", questions=200, samples=1)
    assert clear.verdict == "significant" and clear.difference.high < 0 and clear.difference.p < .05
    # Of several samples each it may depend on how alike those of a question are.
    open_ = audit("0.90", "0.80", questions=50, samples=8)
    assert open_.verdict == "unknown" and open_.difference.high_apart < 0 < open_.difference.high
    for result in found, clear, open_, audit("0.843", questions=30):
        path = tmp_path / "audit.json"
        path.write_text(result.to_json())
        assert load_result(path) == result and "<html" in result.to_html() and result.to_latex() and result.to_markdown()
        assert len(result.to_frame("pandas")) == len(result.rows) and result.methods()


def test_written_counts_are_never_paired():
    for call in (lambda: gate("9/10", baseline="8/10", max_drop=.1), lambda: compare("9/10", ROWS),
                 lambda: table(["9/10", "8/10"]), lambda: plan(.1, pilot="9/10", pilot_b="8/10")):
        with pytest.raises(ValueError, match="written count"): call()


# Every pair of small tables: the interval holds the truth as often as promised, and p agrees with it.
def test_the_unpaired_interval_covers():
    n, m = 5, 4
    found = [[independent_difference(a, n, b, m) for b in range(m + 1)] for a in range(n + 1)]
    for a in range(n + 1):
        for b in range(m + 1):
            one, back = found[a][b], found[n - a][m - b]
            assert (one.p < .05) == (one.low > 0 or one.high < 0)
            assert (one.low, one.high) == pytest.approx((-back.high, -back.low), abs=1e-5)
    low, high = (np.array([[getattr(one, name) for one in row] for row in found]) for name in ("low", "high"))
    shares = np.linspace(.01, .99, 50)
    left, right = (np.array([binom.pmf(np.arange(size + 1), size, p) for p in shares]) for size in (n, m))
    for i, p in enumerate(shares):
        for j, q in enumerate(shares):
            assert left[i] @ ((low <= q - p + 1e-6) & (q - p <= high + 1e-6)) @ right[j] >= .95


# What a plan promises is how often the gate itself passes.
@pytest.mark.parametrize("limit, truth, drop, n, questions", [(-.1, 0., True, 4, 120), (.8, .9, False, 2, 60)])
def test_a_gate_passes_as_often_as_planned(limit, truth, drop, n, questions):
    from scipy.optimize import brentq
    from scipy.special import expit
    population = population_of(1, find_metric("pass@1")[0][0].credit, [n])
    promised, _ = pass_power(population, PassRule(limit, truth, drop), n, questions)
    rng, (x, y), passed, runs = np.random.default_rng(0), population.logits(1597), 0, 120
    if drop: x, y = population.at(truth)
    else: x = x + brentq(lambda s: population.value(x + s).mean() - truth, -60, 60)
    for _ in range(runs):
        some = rng.integers(0, len(x), questions)
        first, second = (Counts([n] * questions, rng.binomial(n, expit(z[some]))) for z in (x, y))
        rule = dict(baseline=first, max_drop=-limit) if drop else dict(minimum={"pass@1": limit})
        passed += gate(second if drop else first, target="new_questions", **rule).passed
    assert abs(passed / runs - promised) < 4 * (promised * (1 - promised) / runs)**.5


def test_a_plan_sizes_the_rules_of_a_gate():
    both = plan(minimum={"pass@1": .8}, true_value=.9, max_drop=.1, n=[1, 4])
    each = plan(minimum={"pass@1": .8}, true_value=.9, n=[1, 4]), plan(max_drop=.1, n=[1, 4])
    assert all(both.gate.questions[i] >= one.gate.questions[i] for one in each for i in (0, 1))
    assert min(both.gate.power) >= .8 and both.gate.alone and len(both.gate.rules) == 2
    assert type(both).from_json(both.to_json()) == both
    given = plan(.1, minimum={"pass@1": .8}, true_value=.9, questions=100, n=2)
    assert not given.gate.alone and given.gate.questions == (100,) and "drop" not in given.gate.rules[0].kind
    # The limit moves with the truth: nearer is dearer, and a passing truth far above is cheap.
    sizes = [plan(minimum={"pass@1": .8}, true_value=truth, n=4).gate.questions[0] for truth in (.85, .9, .97)]
    assert sizes == sorted(sizes, reverse=True)
    population = population_of(1, find_metric("pass@1")[0][0].credit, [1])
    with pytest.raises(ValueError, match="above the limit"): questions_to_pass(population, PassRule(.8, .8, False), 1)


@pytest.mark.parametrize("rules, texts", [
    (dict(max_drop=.05), ["Tested: whether new - baseline in pass@1", "on both sides of the limit", "question 1 (4/4 to 0/4)"]),
    (dict(max_drop=.9), ["PASS", "wholly at or above the limit", "pass an allowed drop of about"]),
    (dict(same_within=.5), ["truly lies within 50 points of 0", "within the margin"]),
    (dict(no_question_regresses=True), ["FAIL", "right less often than in the baseline", "1 question regressed"]),
    (dict(max_drop=.9, must_pass=[0, 3]), ["FAIL", "every sample of each must-pass question", "question 3 (1/4)"]),
    (dict(max_drop=.9, minimum={"pass@1": .95}), ["FAIL", "wholly below the limit", "fail one above 78.3 %"]),
])
def test_each_rule_says_why(rules, texts):
    found = gate(Counts([4] * 6, [4, 0, 4, 1, 4, 1]), baseline=Counts([4] * 6, [4, 4, 4, 4, 3, 0]), **rules)
    said = found.explain()
    assert all(text in said for text in texts), said
    assert len(said.split("\n\n")) == len(found.rows)
