"What the explorers hold where no script runs: tables, sentences, sliders, and what they refuse."
import json
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from chances import at_least, chance, stops_at
from printed import check_printed, split_markup
from sampling_eval.reporting import coverages
from sampling_eval.reporting.auditors import score_auditor, write_interval, write_smallest
from sampling_eval.reporting.choosers import GOALS, metric_chooser, say_missing
from sampling_eval.reporting.coverages import (cover, find_intervals, find_worst, find_z,
                                               interval_explorer, write_percent)
from sampling_eval.reporting.explorers import Explorer, curve_explorer, decide, urn_explorer
from sampling_eval.reporting.peekers import MEANING, announce, find_rules, peek_explorer
from sampling_eval.reporting.planners import PARTS, find_half, find_samples, plan_explorer, write_samples
from sampling_eval.reporting.script_parts import define_constant
from sampling_eval.reporting.site import Table
from sampling_eval.reporting.voters import vote_explorer

SHOWN = {
    urn_explorer: [{}, dict(tau=1), dict(tau=Fraction(3, 20)), dict(n=20, c=9, k=10, choice="cons@k"),
                   dict(choice="avg@n")],
    metric_chooser: [{}, dict(n=64, k=64, log=4, goal="Are most samples correct?")],
    score_auditor: [{}, dict(score=.1, lead=.1, questions=2, tries=64)],
    vote_explorer: [{}, dict(votes=(2, 12, 1, 7), k=13, choice="maj@k, ties lose")],
    interval_explorer: [{}, dict(n=40, rate=.995, level=99.9, choice="Gaffke"), dict(n=12, rate=.5, level=80)],
    peek_explorer: [{}, dict(looks=13, step=7, win=62, choice="wealth")],
    plan_explorer: [{}, dict(questions=50, n=2, rho=1, aim=.101), dict(n=3, choice="these questions again")]}
# At the ends of the ranges; what is refused stands just outside of them.
TAKEN = {
    urn_explorer: [dict(n=20, c=20, k=20), dict(n=1, c=0, k=1), dict(tau=0)],
    metric_chooser: [dict(n=1, k=1, log=0), dict(n=7, log=2), dict(n=2, log=3), dict(log=1)],
    score_auditor: [dict(score=0, lead=0), dict(score=100, lead=100), dict(questions=500), dict(questions=2, tries=1)],
    vote_explorer: [dict(votes=(12, 12, 12, 12), k=48), dict(votes=(1, 0, 0, 0), k=1)],
    interval_explorer: [dict(n=1, rate=.005)],
    peek_explorer: [dict(looks=1, step=1, win=50), dict(looks=20, step=20, win=90)],
    plan_explorer: [dict(questions=10, n=1, rate=.01, rho=0, aim=.001),
                    dict(questions=1000, n=256, rate=.99, rho=1, aim=.3)]}

URN = "need 1 <= k <= n <= 20 and 0 <= c <= n, got "
CHOICE = "choice must be one of "
PLAN = "need rate in percents, rho in twentieths and aim in tenths of a point up to .3, got "
REFUSED = {
    urn_explorer: {
        f"{URN}n=5, c=3, k=6": [dict(k=6)], f"{URN}n=5, c=3, k=0": [dict(k=0)], f"{URN}n=21, c=3, k=2": [dict(n=21)],
        f"{URN}n=5, c=6, k=2": [dict(c=6)], f"{URN}n=5, c=-1, k=2": [dict(c=-1)],
        f"{URN}n=0, c=0, k=0": [dict(n=0, c=0, k=0)],
        "tau must be a multiple of 1/20 in [0, 1], got ": [dict(tau=tau) for tau in (.33, 1.05, -.05, Fraction(1, 3))],
        f"{CHOICE}['pass@k', 'cons@k', 'G-Pass@k', 'pass^k', 'avg@n'], got 'best@k'": [dict(choice="best@k")]},
    metric_chooser: {
        "need 1 <= n, k <= 64, got ": [dict(n=65), dict(n=0), dict(k=65), dict(k=0)],
        "log must be 0 to 4, got ": [dict(log=5), dict(log=-1)],
        "goal must be one of ['How good is one sample?', ": [dict(goal="?")]},
    score_auditor: {
        "need 0 <= lead <= score <= 100 in tenths of a point, got lead=": [
            dict(score=100.1), dict(score=5, lead=5.1), dict(lead=-.1), dict(score=50.05), dict(lead=9.96)],
        "need 2 <= questions <= 500 and 1 <= tries <= 64, got questions=": [
            dict(questions=1), dict(questions=501), dict(tries=0), dict(tries=65)]},
    vote_explorer: {
        "votes must be four whole numbers from 0 to 12, got ": [
            dict(votes=votes) for votes in ((1, 2, 3), (1, 2, 3, 4, 5), (13, 0, 0, 0), (1, -1, 2, 2), (1.5, 1, 1, 1))],
        "need a right answer and 1 <= k <= n, got votes=": [dict(votes=(0, 3, 3, 0)), dict(k=11), dict(k=0)],
        f"{CHOICE}['pass@k', 'maj@k', 'maj@k, ties lose', 'cons@k', 'pass^k', 'avg@n'], got 'x'": [dict(choice="x")]},
    interval_explorer: {
        "need 1 <= n <= 200, got ": [dict(n=201), dict(n=0)],
        "rate must be a multiple of 1/200 between 0 and 1, got ": [dict(rate=rate) for rate in (.333, 1, 0)],
        "level must be one of (80.0, 90.0, 95.0, 99.0, 99.9), got 94": [dict(level=94)],
        f"{CHOICE}['Wald', 'bootstrap', 'Wilson', 'flat prior', 'Gaffke'], got 'x'": [dict(choice="x")]},
    peek_explorer: {
        "need 1 <= looks <= 20, 1 <= step <= 20 and 50 <= win <= 90, got looks=": [
            dict(looks=21), dict(looks=0), dict(step=0), dict(step=21), dict(win=49), dict(win=91)],
        f"{CHOICE}['one look', 'every look', 'level shared', 'wealth'], got 'x'": [dict(choice="x")]},
    plan_explorer: {
        PLAN: [dict(rate=.705), dict(rate=0), dict(rate=1), dict(rho=.33), dict(rho=-.05), dict(rho=1.05),
               dict(aim=.301), dict(aim=0), dict(aim=.0505)],
        "need 10 <= questions <= 1000 and 1 <= n <= 256, got ": [
            dict(questions=9), dict(questions=1001), dict(n=0), dict(n=257)],
        f"{CHOICE}['questions of this kind', 'these questions again', 'all samples independent'], got 'x'": [
            dict(choice="x")]}}


def name_case(case): return case.__name__ if callable(case) else None


@pytest.mark.parametrize("explorer, given, told", [
    (explorer, given, told) for explorer, cases in REFUSED.items()
    for told, several in cases.items() for given in several], ids=name_case)
def test_what_lies_just_outside_is_refused(explorer, given, told):
    with pytest.raises(ValueError, match=re.escape(told)): explorer(**given)


@pytest.mark.parametrize("given", [dict(n=5.), dict(c=3.), dict(k=2.)])
def test_urn_takes_whole_numbers(given):
    with pytest.raises(TypeError, match=r"n, c and k must be ints, got \d.*, \d.*, \d"): urn_explorer(**given)


def write_explorer(made):
    "All that a page holds besides the script."
    page = made._repr_html_()
    name = re.search('id="(explorer-[0-9a-f]{10})"', page)[1]
    page = page.replace(name, "explorer")
    assert page.count("#explorer ") > 20 and "ID" not in page.partition("</style>")[0]
    given = [json.dumps(o, ensure_ascii=False) for o in (*made.controls, made.start)]
    return "\n".join([*given, split_markup(page), repr(made)])


def list_cases(table):
    "Cases with the words they are stored under."
    return [(explorer, given, f"{explorer.__name__}({', '.join(f'{o}={value}' for o, value in given.items())})")
            for explorer, cases in table.items() for given in cases]


@pytest.mark.parametrize("explorer, given, name", list_cases(SHOWN))
def test_what_stands_beside_the_script(explorer, given, name):
    check_printed("explorers", name, write_explorer(explorer(**given)))


@pytest.mark.parametrize("explorer, given, name", list_cases(TAKEN))
def test_what_lies_at_the_ends_is_taken(explorer, given, name):
    made = explorer(**given)
    check_printed("explorers", name, f"{made.table!r}\n{json.dumps(made.start)}")


def test_an_explorer_is_safe_and_has_a_name_of_its_content():
    made = [Explorer(script, [], {"choice": "</script>"}, Table([("<b>",)], "<i>"), "<u>", said)
            for script, said in ((" a ", "<s>"), ("b", ""))]
    page, other = (o._repr_html_() for o in made)
    assert page.count("</script>") == 1 and '[[], {"choice": "\\u003c/script>"}];\na\nconst put' in page
    assert page.split("<table")[1].startswith(' class="static"><thead><tr><th>&lt;i&gt;</th></tr></thead><tbody>'
                                              "<tr><td>&lt;b&gt;</td></tr></tbody></table>")
    assert '<p class="said">&lt;s&gt;</p>' in page and "<figcaption>&lt;u&gt;</figcaption>" in page
    names = [re.search('id="(.*?)"', o)[1] for o in (page, other)]
    assert names[0] != names[1] and page.count(names[0]) > 20 and repr(made[0]).endswith("\n<s>")
    assert repr(made[1]) == repr(made[1].table)


# Curves.

K = np.array([1, 2, 4, 8, 16])
CURVE = dict(difference=[-.1, -.03, .01, .05, .09], low=[-.15, -.08, -.03, .01, .03], high=[-.05, .02, .05, .09, .15])


@pytest.mark.parametrize("k, shown", [
    ([5], [5]), (range(1, 9), range(1, 9)), (range(1, 10), [1, 2, 3, 4, 6, 7, 8, 9]),
    (range(1, 30), [1, 5, 9, 13, 17, 21, 25, 29])])
def test_eight_budgets_stand_for_all(k, shown):
    made = curve_explorer(k, *[[value] * len(k) for value in (.1234567, 0, .25)])
    assert [row[0] for row in made.table.rows] == list(shown)
    assert made.start["at"] == 0 and made.start["k"] == list(k) and made.sentence == f"k = {k[0]}: not decided."
    assert made.start["difference"] == [.123457] * len(k)
    assert made.controls[0]["shown"] == list(k) and made.controls[0]["high"] == len(k) - 1


@pytest.mark.parametrize("start", [None, 1, 4, 16])
def test_curve_starts_where_it_is_asked_to(start):
    made = curve_explorer(K, **CURVE, start=start, names=("a<b", "c"), a=K / 20, b=K / 20 + CURVE["difference"])
    assert K[made.start["at"]] == (start or 1) and made.start["names"] == ["a&lt;b", "c"]
    assert made.start["a"] == [.05, .1, .2, .4, .8] and made.start["b"] == [-.05, .07, .21, .45, .89]
    if start == 4: check_printed("explorers", "curve_explorer", write_explorer(made))


@pytest.mark.parametrize("low, high, said", [
    (0, 1, "not decided"), (-1, 0, "not decided"), (1e-9, 1, "b is ahead"), (-1, -1e-9, "a is ahead")])
def test_zero_is_not_ahead(low, high, said): assert decide(low, high, ("a", "b")) == said


@pytest.mark.parametrize("changed, told", [
    (dict(k=[]), "k must be budgets that rise from 1 on, got []"), (dict(k=[[1, 2]]), "got [[1 2]]"),
    (dict(k=[0, 1]), "got [0 1]"), (dict(k=[1, 1]), "got [1 1]"), (dict(k=2), "got 2"),
    (dict(difference=[0, np.inf]), "difference must be finite, got inf at k=2 (1 of 2 fail)"),
    (dict(a=[1]), "a must have one value per k, got (1,) for (2,)"),
    (dict(b=[np.nan] * 2), "b must be finite, got nan at k=1 (2 of 2 fail)"),
    (dict(low=[0, .5]), "low must not exceed high, got the reverse at k=2 (1 of 2 fail)"),
    (dict(low=[.5, .5]), "low must not exceed high, got the reverse at k=1 (2 of 2 fail)"),
    (dict(start=3), "start must be one of k, got 3")])
def test_curves_that_cannot_be_drawn(changed, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        curve_explorer(**dict(k=[1, 2], difference=[0, 0], low=[0, 0], high=[.1, .1]) | changed)


def test_an_interval_of_no_width_is_drawn():
    made = curve_explorer([1], [.5], [.5], [.5])
    assert made.table.lines()[1] == ["1", "0.500", "0.500", "0.500", "B is ahead"]
    assert made.sentence == "k = 1: B is ahead."


# Scores that were published.

@pytest.mark.parametrize("spread, p", [
    (0, "1"), (1, "1"), (2, "1/2"), (3, "1/4"), (11, "1/1,024"), (31, "1/1,073,741,824"), (32, "below 1 in a billion")])
def test_smallest_p_in_words(spread, p): assert write_smallest(spread) == p


def test_an_interval_in_percent():
    # With no right answer of n the upper end u solves (1 - u)^n = .025.
    assert write_interval(0, 10) == f"0.0 to {100 * (1 - .025**.1):.1f}"
    assert write_interval(10, 10) == f"{100 * .025**.1:.1f} to 100.0"


@pytest.mark.parametrize("score, questions, possible", [
    (73.3, 30, "yes"), (73.4, 30, "no"),  # 22 of 30 are 73.33...
    (12.5, 8, "yes"), (12.4, 8, "no"), (6.2, 16, "yes"), (6.3, 16, "yes"), (6.1, 16, "no")])  # 1 of 16 is 6.25
def test_which_scores_are_possible(score, questions, possible):
    assert score_auditor(score, questions, 1, 0.).table.rows[0][2] == possible


# What a log can give.

@pytest.mark.parametrize("metric, n, k, said", [
    ("pass@k", 3, 4, "needs 4 samples"), ("pass@k", 4, 4, "yes; a rerun's error needs 8"),
    ("pass@k", 7, 4, "yes; a rerun's error needs 8"), ("pass@k", 8, 4, "yes"),
    ("avg@n", 1, 4, "yes; a rerun's error needs 2"), ("avg@n", 2, 4, "yes"),
    ("maj@k", 8, 4, "lacks the answers themselves"), ("soft accuracy", 8, 4, "lacks a grade of each answer")])
def test_what_a_log_lacks(metric, n, k, said):
    goal = next(o for o in GOALS if o[2] == metric)
    assert say_missing(goal, ("flags",), n, k) == said


# Plans.

def square_half(name, questions, n, rate, rho):
    "Square of 1.96 standard errors of an average, in fractions."
    p, r = Fraction(rate, 100), Fraction(rho, 20)
    between = r if name == "questions of this kind" else 0
    within = 1 if name == "all samples independent" else 1 - r
    return Fraction(196, 100)**2 * p * (1 - p) * (between + within / Fraction(n)) / questions


@pytest.mark.parametrize("name", PARTS)
def test_least_samples_in_fractions(name):
    for rate, rho, aim, questions in product((1, 37, 99), (0, 7, 20), (1, 43, 300), (10, 164)):
        def enough(n): return square_half(name, questions, n, rate, rho) <= Fraction(aim, 1000)**2
        half = find_half(name, questions, 3, rate, rho)
        assert half == pytest.approx(100 * float(square_half(name, questions, 3, rate, rho))**.5, rel=1e-14)
        least = find_samples(name, questions, rate, rho, aim)
        if least is None: assert not enough(10**12)
        else: assert enough(least) and (least == 1 or not enough(least - 1))


def test_a_plan_that_is_just_enough():
    # 1.96^2 / 4 / 100 is .098^2: with 100 questions one sample is just enough, with 99 it is not.
    assert [find_samples("all samples independent", o, 50, 10, 98) for o in (100, 99, 50)] == [1, 2, 2]
    # All the variance lies between the questions: they are enough or never are.
    assert [find_samples("questions of this kind", o, 50, 20, 98) for o in (100, 99)] == [1, None]
    # With 50 questions half of the variance, which no samples divide, takes all the room.
    assert [find_samples("questions of this kind", o, 50, 10, 98) for o in (50, 51)] == [None, 50]


@pytest.mark.parametrize("least, said", [
    (None, "never enough"), (1, "enough: 1 sample"), (2, "enough: 2 samples"), (12345, "enough: 12,345 samples")])
def test_samples_in_words(least, said): assert write_samples(least) == said


# Intervals.

@pytest.mark.parametrize("n, level", [(1, 95), (3, 80), (12, 90)])
def test_intervals_in_fractions(n, level):
    tail, z = .5 - level / 200, find_z(level)
    c = np.arange(n + 1)
    ends = find_intervals("Wald", n, level)
    np.testing.assert_allclose(ends[:, 0], [max(0, o / n - z * (o * (n - o) / n**3)**.5) for o in c], atol=1e-15)
    np.testing.assert_allclose(ends[:, 1], 1 - ends[::-1, 0])
    for name, shift in ("Gaffke", 0), ("flat prior", 1):
        ends = find_intervals(name, n, level)
        chances = [at_least(n + shift, i + shift, low) for i, (low, _) in enumerate(ends)]
        np.testing.assert_allclose(chances[1 - shift:], tail)
        assert shift or ends[0, 0] == 0
        np.testing.assert_allclose(ends[:, 1], 1 - ends[::-1, 0])
    low, high = find_intervals("Wilson", n, level).T
    np.testing.assert_allclose((c / n - low)**2, z**2 * low * (1 - low) / n, atol=1e-15)
    sums = np.cumsum([[chance(n, j, Fraction(int(one), n)) for j in range(n + 1)] for one in c], 1)
    quantiles = [next(j for j, o in enumerate(row) if o >= tail) / n for row in sums]
    np.testing.assert_allclose(find_intervals("bootstrap", n, level)[:, 0], quantiles)


def test_as_many_as_200_questions(monkeypatch):
    monkeypatch.setattr(coverages, "find_worst", lambda ends: len(ends) / 1000)
    assert [row[2] for row in interval_explorer(200).table.rows] == ["20.1 %"] * 5


def test_coverage_counts_the_ends():
    ends = np.array([[0, .5], [.5, 1]])  # Both counts of one question hold the rate one half
    assert cover(ends, .5) == 1 and cover(ends, .25) == .75 and cover(ends, .25, .75) == .25
    assert find_worst(ends) == .5 and find_worst(np.array([[0, .25], [.25, 1]])) == pytest.approx(.25)
    assert find_worst(np.array([[0, .5], [.5, .75]])) == find_worst(np.array([[.25, .5], [.5, 1]])) == 0
    assert [write_percent(o) for o in (0, .5, .99949, 1)] == ["0.0 %", "50.0 %", "99.9 %", "100.0 %"]


# Peeking.

@pytest.mark.parametrize("looks", [1, 3])
@pytest.mark.parametrize("name", MEANING)
def test_who_stops_at_a_look(name, looks):
    rule = find_rules(looks)[name]
    for t, at in product((1, 4, 5, 6, 7, 8, 9, 10, 13, 24, 33), {1, looks}):
        assert rule(t, at).tolist() == [stops_at(name, t, wins, looks, at) for wins in range(t + 1)]


def test_chances_to_stop_add_up():
    # At the first of two looks two equal tosses stop, half of all; at the second four equal ones, of the others.
    def stops(t, at): return np.isin(np.arange(t + 1), (0, t))
    assert announce(stops, 2, 2, .5) == .5 and announce(stops, 1, 3, .5) == .25
    assert announce(stops, 1, 1, .25) == 1 and announce(lambda t, at: np.arange(t + 1) > 2, 3, 1, .25) == .25**3


def test_constant_of_a_script():
    assert define_constant("NAME", {"a": [1, None], "b": "x"}) == 'const NAME = {"a": [1, null], "b": "x"};'


def test_sentences_of_one_and_of_logs_that_hold_more():
    assert "1 sample, 0 of them correct, 1 way to keep 1" in urn_explorer(1, 0, 1).sentence
    assert "1 way to keep 1 of 1" in vote_explorer((1, 0, 0, 0), 1).sentence
    assert "A log of right or wrong and the answers, " in metric_chooser(log=1).sentence
    assert "A log of right or wrong and a verifier's scores, " in metric_chooser(log=2).sentence
