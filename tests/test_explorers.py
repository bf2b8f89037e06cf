"The arithmetic of the explorers against fractions, in a JavaScript engine."
import json, re
from fractions import Fraction
from itertools import combinations, product
from math import ceil, comb, floor, prod

import numpy as np
import pytest, quickjs

from chances import at_least, chance, stops_at
from sampling_eval.foundations.oracle import mean_over_subsets
from sampling_eval.reporting.auditors import AUDIT_CORE, AUDIT_SHOW, audit, score_auditor
from sampling_eval.reporting.choosers import GOALS, LOGS, metric_chooser, say_missing
from sampling_eval.reporting.coverages import LEVELS, METHODS, find_intervals, find_z, interval_explorer
from sampling_eval.reporting.explorers import CURVE_CORE, CURVE_SHOW, FRAME, URN_CORE, URN_SHOW, Explorer, curve_explorer, urn_explorer
from sampling_eval.reporting.peekers import MEANING, announce, find_rules, peek_explorer
from sampling_eval.reporting.planners import PARTS, find_half, find_samples, plan_explorer
from sampling_eval.reporting.script_parts import DRAW
from sampling_eval.reporting.site import Table
from sampling_eval.reporting.voters import VOTE_CORE, VOTE_SHOW, VOTE_SIZE, vote_explorer

CREDITS = {"pass@k": lambda j, k, tau: j >= 1, "cons@k": lambda j, k, tau: 2 * j > k,
           "G-Pass@k": lambda j, k, tau: j >= 1 and Fraction(j, k) >= Fraction(tau, 20), "pass^k": lambda j, k, tau: j == k}
SIZES = [(n, c, k) for n in range(1, 21) for c in range(n + 1) for k in range(1, n + 1)]


def exact(name, n, c, k, tau):
    "Mean credit by listing how many correct samples a subset can have."
    return Fraction(sum(comb(c, j) * comb(n - c, k - j) for j in range(min(c, k) + 1) if k - j <= n - c and CREDITS[name](j, k, tau)), comb(n, k))


def start(script):
    "An engine in which a script has run."
    context = quickjs.Context()
    context.eval(script)
    return context


def run(context, call): return json.loads(context.eval(f"JSON.stringify({call})"))


def show(context, **state):
    "What a page shows in a state, all of it numbers and words."
    shown = run(context, f"show({json.dumps(state)})")
    assert not re.search("NaN|undefined|Infinity|null", shown["said"] + "".join(shown["panels"]))
    return shown


@pytest.fixture(scope="module")
def page(): return start(URN_CORE + URN_SHOW)


@pytest.mark.parametrize("name", CREDITS)
def test_urn_arithmetic(page, name):
    taus = (0, 1, 5, 10, 13, 15, 20) if name == "G-Pass@k" else (0,)
    asked = [(*size, tau) for size in SIZES for tau in taus]
    assert run(page, f"{json.dumps(asked)}.map(o => value({json.dumps(name)}, ...o))") == [float(exact(name, *o)) for o in asked]


def test_urn_arithmetic_counts_what_a_listing_counts(page):
    for n, c, k in [o for o in SIZES if o[0] <= 7]:
        for name, credit in CREDITS.items():
            listed = mean_over_subsets([1] * c + [0] * (n - c), k, lambda s: credit(sum(s), k, 12))
            assert page.eval(f"value({json.dumps(name)}, {n}, {c}, {k}, 12)") == float(listed)


def test_urn_shows_what_it_computes(page):
    shown = show(page, n=5, c=3, k=2, tau=10, choice="pass@k")
    assert shown["said"] == "<b>pass@2 = 0.900</b>: 9 of the 10 ways to keep 2 of 5 hold at least one correct."
    assert [row[2] for row in shown["rows"]] == ["0.900", "0.300", "0.900", "0.300", "0.600"]
    assert all(o.startswith("<svg") and o.endswith("</svg>") for o in shown["panels"])


def test_urn_draws_every_state(page):
    for n, c, k in [o for o in SIZES if o[0] in (1, 2, 5, 20)]:
        for choice in [*CREDITS, "avg@n"]: show(page, n=n, c=c, k=k, tau=10, choice=choice)


def test_static_table_is_what_the_script_shows(page):
    for n, c, k in [(5, 3, 2), (1, 0, 1), (20, 7, 10), (16, 6, 8)]:
        table = urn_explorer(n, c, k).table.lines()[1:]
        shown = show(page, n=n, c=c, k=k, tau=10, choice="pass@k")["rows"]
        assert [row[0] for row in table] == [row[0] for row in shown]
        assert all(abs(float(a[2]) - float(b[2])) <= 5e-4 for a, b in zip(table, shown, strict=True))


K = np.array([1, 2, 4, 8, 16])
CURVE = dict(difference=[-.1, -.03, .01, .05, .09], low=[-.15, -.08, -.03, .01, .03], high=[-.05, .02, .05, .09, .15])


@pytest.mark.parametrize("more", [{}, dict(a=[.5, .6, .65, .7, .72], b=[.4, .57, .66, .75, .81], names=("base <1>", "RL"))])
def test_curve_says_who_is_ahead(more):
    made = curve_explorer(K, **CURVE, **more)
    context = start(CURVE_CORE + CURVE_SHOW)
    first, second = (o.replace("<", "&lt;").replace(">", "&gt;") for o in more.get("names", "AB"))
    for i, (low, high) in enumerate(zip(CURVE["low"], CURVE["high"])):
        shown = show(context, **made.start | {"at": i})
        told = f"{second} is ahead" if low > 0 else f"{first} is ahead" if high < 0 else "not decided"
        assert shown["said"].startswith(f"<b>k = {K[i]}: {told}.</b>")
        assert len(shown["panels"]) == (2 if more else 1)
    verdicts = [row[-1] for row in made.table.lines()[1:]]
    assert len(set(verdicts)) == 3 and verdicts[1:3] == ["not decided"] * 2


def test_crossing_curves_are_drawn_where_they_are():
    def mean_pass(counts, k): return sum(1 - Fraction(comb(16 - c, k), comb(16, k)) for c in counts) / len(counts)
    first, second = ([mean_pass(counts, int(k)) for k in K] for counts in ((1, 2, 3, 4, 6), (0, 0, 8, 9, 12)))
    gap = np.array([float(y - x) for x, y in zip(first, second)])
    made = curve_explorer(K, gap, gap - .001, gap + .001, a=list(map(float, first)), b=list(map(float, second)))
    context = start(made.script)
    ahead = []
    for i, (x, y) in enumerate(zip(first, second)):
        shown = show(context, **made.start | {"at": i})
        heights = [float(o) for o in re.findall(r'<circle cx="[^"]+" cy="([^"]+)"', shown["panels"][1])]
        scale = (250 - 64) / float(max(first + second) - min(first + second))
        assert abs(heights[0] - heights[1] - scale * float(y - x)) < 1e-3
        ahead.append(re.search(r"(\w) is ahead", shown["said"])[1])
    assert ahead[0] == "B" and ahead[-1] == "A" and ahead == sorted(ahead, reverse=True)


@pytest.mark.parametrize("changed, told", [
    (dict(low=[0, 0]), "low must have one value per k"), (dict(high=[1, 1, 1, 1, np.nan]), "high must be finite, got nan at k=16"),
    (dict(low=[1, -1, -1, -1, -1]), r"low must not exceed high, got the reverse at k=1 \(1 of 5 fail\)"), (dict(start=3), "start must be one of k, got 3")])
def test_curve_refuses(changed, told):
    with pytest.raises(ValueError, match=told): curve_explorer(K, **CURVE | changed)


def test_frame_is_a_script():
    quickjs.Context().eval("() => {" + URN_CORE + URN_SHOW + FRAME + "}")


def test_explorer_loads_nothing_and_is_stable():
    once, again = (urn_explorer()._repr_html_() for _ in range(2))
    assert once == again and "http" not in once and "src=" not in once
    assert urn_explorer(6)._repr_html_() != once
    assert len(once) < 14_000


def test_explorer_escapes_its_words():
    made = Explorer("const show = () => 0;", [], {"choice": "</script><b>"}, Table([("<b>",)], "<i>"), "<u>", "<s>")._repr_html_()
    assert made.count("</script>") == 1 and not any(f"<{o}>" in made.replace("<table", "") for o in "bius")


def test_chooser_says_what_the_table_says():
    made = metric_chooser()
    context = start(made.script)
    sizes = [(1, 1), (1, 2), (2, 1), (3, 2), (4, 2), (8, 4), (7, 4), (4, 5), (64, 64)]
    for log, (_, held) in enumerate(LOGS):
        for n, k in sizes:
            for goal in GOALS:
                state = made.start | dict(log=log, n=n, k=k, choice=goal[1])
                assert [row[2] for row in show(context, **state)["rows"]] == [say_missing(o, held, n, k) for o in GOALS]
    assert [row[2] for row in made.table.lines()[1:]] == [say_missing(o, LOGS[0][1], 8, 4) for o in GOALS]
    assert show(context, **made.start)["said"].startswith("<b>pass^4</b> says how often all of 4 samples are correct. Can this log give it? Yes.")


@pytest.fixture(scope="module")
def auditor(): return start(AUDIT_CORE + AUDIT_SHOW)


def test_auditor_quantiles(auditor):
    from scipy.special import betaincinv
    for total in (2, 15, 30, 164, 500, 32_000):
        for right in (0, .4, 1, total / 3, total / 2, total - 1, total):
            low, high = run(auditor, f"interval({right}, {total})")
            exact = betaincinv(right, total - right + 1, .025) if right else 0, betaincinv(right + 1, total - right, .975) if right < total else 1
            np.testing.assert_allclose([low, high], exact, rtol=1e-9, atol=1e-12)


def test_auditor_shows_what_the_table_says(auditor):
    states = [(s, q, n, d) for s in (0, 7, 500, 733, 734, 933, 1000) for q in (2, 30, 500) for n in (1, 64) for d in (0, 3, 700) if d <= s]
    for state in states:
        given = dict(zip(("score", "questions", "tries", "lead"), state), choice="smallest p")
        told = [tuple(row) for row in show(auditor, **given)["rows"]]
        for here, there in zip(told, audit(*state), strict=True):
            if "interval" not in here[0]: assert here == there
            else: np.testing.assert_allclose(*([float(o) for o in row[2].split(" to ")] for row in (here, there)), atol=.1001)


def test_auditor_finds_scores_that_no_count_gives(auditor):
    for total in (7, 30, 60, 164, 999, 1001):
        exact, half = [Fraction(1000 * m, total) for m in range(total + 1)], Fraction(1, 2)
        shown = {floor(o + half) for o in exact} | {ceil(o - half) for o in exact}
        for tenths in range(1001):
            assert auditor.eval(f"possible({tenths}, {total})") == (tenths in shown)


@pytest.mark.parametrize("questions, tries", [(3, 1), (5, 1), (4, 2)])
def test_auditor_smallest_p_is_the_smallest(auditor, questions, tries):
    signs = np.array(list(product([-1, 1], repeat=questions)))
    least = {}
    for apart in product(range(-tries, tries + 1), repeat=questions):
        size = abs(sum(apart))
        p = np.mean(np.abs(signs @ np.array(apart)) >= size)
        least[size] = min(least.get(size, 1), p)
    for size, p in least.items():
        m = min(questions, size)
        assert p == min(1, 2.**(1 - m))
        lead = 1000 * size / (questions * tries)
        assert auditor.eval(f"decided({lead}, {questions}, {tries})") == m


@pytest.fixture(scope="module")
def voters(): return start(VOTE_CORE + DRAW + VOTE_SHOW)


def credits_of(kept):
    "Credit of a vote when the first answer is right, for every metric of the explorer."
    right, size, leaders = kept[0], sum(kept), [o for o in kept if o == max(kept)]
    wins = right == max(kept)
    return {"pass@k": right > 0, "maj@k": Fraction(wins, len(leaders)), "maj@k, ties lose": wins and len(leaders) == 1,
            "cons@k": 2 * right > size, "pass^k": right == size, "avg@n": Fraction(right, size)}


def test_vote_arithmetic_is_the_listing_of_all_subsets(voters):
    for votes in [o for o in product(range(6), repeat=4) if o[0] and sum(o) <= 8]:
        samples = np.repeat(range(4), votes).tolist()
        for k in range(1, len(samples) + 1):
            subsets = [credits_of([o.count(a) for a in range(4)]) for o in combinations(samples, k)]
            exact = {name: float(Fraction(sum(o[name] for o in subsets), len(subsets))) for name in subsets[0]}
            assert run(voters, f"measure({list(votes)}, {k})") == exact


@pytest.mark.parametrize("votes", [(12, 12, 12, 12), (1, 12, 12, 12), (12, 11, 0, 0), (5, 4, 4, 4), (3, 0, 0, 0)])
def test_vote_arithmetic_of_many_samples(voters, votes):
    for k in {1, 2, sum(votes) // 2, sum(votes) - 1, sum(votes)}:
        total = dict.fromkeys(credits_of(votes), Fraction(0))
        for kept in product(*(range(o + 1) for o in votes)):
            if sum(kept) != k: continue
            ways = prod(map(comb, votes, kept))
            for name, credit in credits_of(kept).items(): total[name] += ways * credit
        assert run(voters, f"measure({list(votes)}, {k})") == {name: float(o / comb(sum(votes), k)) for name, o in total.items()}


def test_vote_table_is_what_the_script_shows(voters):
    for votes, k in [((4, 5, 1, 0), 3), ((12, 12, 12, 12), 24), ((3, 2, 2, 2), 9), ((1, 0, 0, 0), 1), ((2, 12, 1, 7), 13)]:
        made = vote_explorer(votes, k)
        for choice in credits_of(votes): shown = show(voters, **made.start | {"choice": choice})
        here, there = made.table.lines()[1:], shown["rows"]
        assert [row[:2] for row in here] == [row[:2] for row in there]
        assert all(abs(float(a[2]) - float(b[2])) <= 5.1e-4 for a, b in zip(here, there, strict=True))
    assert show(voters, **vote_explorer().start)["said"] == ("<b>maj@3 = 0.389</b>: of the 120 ways to keep 3 of 10, A wins 40 alone and shares the first place in 20."
                    " More votes hurt: 0.400 with one, 0.000 with all 10.")


def test_vote_script_knows_the_number_of_samples():
    context = start(f"const state = {json.dumps(vote_explorer((2, 3, 4, 5), 1).start)};" + VOTE_CORE + DRAW + VOTE_SHOW + VOTE_SIZE)
    assert context.eval("state.n") == 14 and context.eval("state.b = 0, state.n") == 11


@pytest.fixture(scope="module")
def coverages(): return start(interval_explorer().script)


def drawn_anew(n, c, tail):
    "The quantile of a bootstrap without simulation."
    sums = np.cumsum([chance(n, j, Fraction(c, n)) for j in range(n + 1)])
    return Fraction(next(j for j, o in enumerate(sums) if o >= tail), n)


RULES = {  # whether an interval holds a rate, decided in fractions
    "Wald": lambda n, c, p, tail, z: (c - n * p)**2 <= z**2 * c * (n - c) / n,
    "bootstrap": lambda n, c, p, tail, z: drawn_anew(n, c, tail) <= p <= 1 - drawn_anew(n, n - c, tail),
    "Wilson": lambda n, c, p, tail, z: (c - n * p)**2 <= z**2 * n * p * (1 - p),
    "flat prior": lambda n, c, p, tail, z: tail <= at_least(n + 1, c + 1, p) <= 1 - tail,
    "Gaffke": lambda n, c, p, tail, z: at_least(n, c, p) >= tail and 1 - at_least(n, c + 1, p) >= tail}


@pytest.mark.parametrize("name", RULES)
def test_coverage_in_fractions(coverages, name):
    assert list(RULES) == list(METHODS)
    for n, level in product((1, 2, 3, 7, 15), LEVELS):
        tail, z = (1 - Fraction(round(10 * level), 1000)) / 2, find_z(level)
        rates = [Fraction(o, 200) for o in (1, 4, 13, 50, 77, 100, 111, 160, 187, 199)]
        call = f"{json.dumps([float(p) for p in rates])}.map(p => coverage(intervals({json.dumps(name)}, {n}, {float(tail)}, {z}), p))"
        exact = [sum(chance(n, c, p) for c in range(n + 1) if RULES[name](n, c, p, tail, Fraction(z))) for p in rates]
        np.testing.assert_allclose(run(coverages, call), [float(o) for o in exact], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", RULES)
def test_worst_and_average_coverage_in_fractions(coverages, name):
    for n, level in ((1, 95), (2, 80), (6, 90), (9, 99.9)):
        z = find_z(level)
        ends = run(coverages, f"intervals({json.dumps(name)}, {n}, {.5 - level / 200}, {z})")
        np.testing.assert_allclose(ends, find_intervals(name, n, level), rtol=0, atol=1e-12)
        limits = sorted({Fraction(o) for pair in ends for o in pair} | {Fraction(0), Fraction(1)})
        near = [(a, b) for a, b in zip(limits, limits[1:]) if b - a > Fraction(1, 10**12)]
        def held(p, inside): return sum(chance(n, c, p) for c, (low, high) in enumerate(ends) if low <= inside <= high)
        least = min(held(p, (a + b) / 2) for a, b in near for p in (a, b))
        worst, where = run(coverages, f"worst({json.dumps(ends)})")
        assert abs(worst - float(least)) < 1e-8
        grid = np.linspace(.0005, .9995, 1000).tolist()
        assert min(run(coverages, f"{json.dumps(grid)}.map(p => coverage({json.dumps(ends)}, p))")) > worst - 1e-8
        within = [at_least(n + 1, c + 1, Fraction(high)) - at_least(n + 1, c + 1, Fraction(low)) for c, (low, high) in enumerate(ends)]
        assert abs(run(coverages, f"average({json.dumps(ends)})") - float(sum(within) / (n + 1))) < 1e-13


def test_intervals_are_those_of_the_package(coverages):
    from sampling_eval.inference.estimate import mean_over_questions
    for n, c in ((30, 0), (30, 29), (12, 5), (164, 164)):
        e = mean_over_questions([1, 0], times=[c, n - c])
        for name, method in (("Wilson", "wilson"), ("Gaffke", "clopper-pearson"), ("Gaffke", "gaffke")):
            ends = e.confidence_interval(method=method)
            low, high = run(coverages, f"intervals({json.dumps(name)}, {n}, .025, {find_z(95)})[{c}]")
            np.testing.assert_allclose([low, high], [ends.low, ends.high], rtol=0, atol=1e-9)


def test_interval_table_is_what_the_script_shows(coverages):
    for n, rate, level in ((30, .98, 95), (1, .5, 80), (40, .005, 99.9), (64, .25, 90)):
        made = interval_explorer(n, rate, level)
        for choice in METHODS: shown = show(coverages, **made.start | {"choice": choice})
        for here, there in zip(made.table.lines()[1:], shown["rows"], strict=True):
            assert [here[0], *here[1:]] == [there[0], *(o.split(": ")[1].replace("\u00a0", " ") for o in there[1:])]


@pytest.fixture(scope="module")
def peekers(): return start(peek_explorer().script)


@pytest.mark.parametrize("name", MEANING)
@pytest.mark.parametrize("looks, step, win", [(1, 6, 50), (2, 5, 50), (3, 3, 70), (8, 1, 60)])
def test_peeking_is_the_listing_of_all_courses(peekers, name, looks, step, win):
    p, stopped, length = Fraction(win, 100), Fraction(0), Fraction(0)
    for course in product((0, 1), repeat=looks * step):
        chance = p**sum(course) * (1 - p)**(len(course) - sum(course))
        ends = [at for at in range(1, looks + 1) if stops_at(name, at * step, sum(course[:at * step]), looks, at)]
        stopped += chance * bool(ends)
        length += chance * step * (ends[0] if ends else looks)
    found = run(peekers, f"follow({json.dumps(name)}, {looks}, {step}, {win / 100})")
    assert abs(found["stopped"][-1] - float(stopped)) < 1e-12 and abs(found["length"] - float(length)) < 1e-10
    assert abs(announce(find_rules(looks)[name], looks, step, win / 100) - float(stopped)) < 1e-12


def test_bettor_keeps_the_level_and_looks_do_not(peekers):
    found = {name: [run(peekers, f"follow({json.dumps(name)}, {looks}, 10, .5)")["stopped"][-1] for looks in (1, 5, 20)] for name in MEANING}
    assert max(max(found[name]) for name in ("one look", "level shared", "wealth")) <= .05
    assert found["every look"] == sorted(found["every look"]) and found["every look"][-1] > .15


def test_peek_table_is_what_the_script_shows(peekers):
    for state in ((5, 20, 50), (1, 1, 50), (20, 20, 90), (13, 7, 62)):
        made = peek_explorer(*state)
        for choice in MEANING: shown = show(peekers, **made.start | {"choice": choice})
        assert made.table.lines()[1:] == [[o.replace("\u00a0", " ") for o in row] for row in shown["rows"]]


@pytest.fixture(scope="module")
def planners(): return start(plan_explorer().script)


def squared_half(name, questions, n, rate, rho):
    "Square of 1.96 standard errors of an average, in fractions."
    p, r = Fraction(rate, 100), Fraction(rho, 20)
    between, within = {"questions of this kind": (r, 1 - r), "these questions again": (0, 1 - r), "all samples independent": (0, 1)}[name]
    return Fraction(196, 100)**2 * p * (1 - p) * (between + within / Fraction(n)) / questions


@pytest.mark.parametrize("name", PARTS)
def test_plan_in_fractions(planners, name):
    for rate, rho, aim in product((1, 37, 50, 99), (0, 7, 20), (1, 10, 43, 300)):
        def enough(questions, n): return squared_half(name, questions, n, rate, rho) <= Fraction(aim, 1000)**2
        for questions, n in ((10, 1), (164, 4), (1000, 256)):
            half = run(planners, f"half({json.dumps(name)}, {questions}, {n}, {rate}, {rho})") / 1000
            np.testing.assert_allclose([half, find_half(name, questions, n, rate, rho) / 100], float(squared_half(name, questions, n, rate, rho))**.5, rtol=1e-14)
            least = run(planners, f"leastQuestions({json.dumps(name)}, {n}, {rate}, {rho}, {aim})")
            assert enough(least, n) and (least == 1 or not enough(least - 1, n))
            samples = run(planners, f"leastSamples({json.dumps(name)}, {questions}, {rate}, {rho}, {aim})")
            assert samples == find_samples(name, questions, rate, rho, aim)
            if samples is None: assert not enough(questions, 10**12)
            else: assert enough(questions, samples) and (samples == 1 or not enough(questions, samples - 1))


def test_plan_is_that_of_the_package():
    from sampling_eval.inference.extrapolation import BetaLaw
    from sampling_eval.inference.planning import law_components
    found = law_components(BetaLaw(.7, .3), 1, lambda k: np.arange(k + 1) / k, [1, 4, 16])  # 70 % right, rho = 1 / 2
    want = [float(squared_half("questions of this kind", 100, n, 70, 10)) for n in (1, 4, 16)]
    np.testing.assert_allclose(1.96**2 * found.total / 100, want, rtol=1e-12)
    want = [float(squared_half("these questions again", 100, n, 70, 10)) for n in (1, 4, 16)]
    np.testing.assert_allclose(1.96**2 * found.within / 100, want, rtol=1e-12)


def test_plan_table_is_what_the_script_shows(planners):
    for state in ((100, 4, .7, .5, .05), (10, 1, .01, 0, .3), (1000, 256, .99, 1, .001), (164, 64, .5, .05, .04)):
        made = plan_explorer(*state)
        for choice in PARTS: shown = show(planners, **made.start | {"choice": choice})
        assert made.table.lines()[1:] == [[o.replace("\u00a0", " ") for o in row] for row in shown["rows"]]


REFUSED = {
    urn_explorer: [(dict(k=6), r"need 1 <= k <= n <= 20 and 0 <= c <= n, got n=5, c=3, k=6"), (dict(n=21), "n=21"), (dict(c=6), "c=6"),
                   (dict(tau=.33), "multiple of 1/20"), (dict(choice="best@k"), "choice must be one of")],
    metric_chooser: [(dict(n=65), "need 1 <= n, k <= 64"), (dict(log=5), "log must be 0 to 4"), (dict(goal="?"), "goal must be one of")],
    score_auditor: [(dict(score=101), "need 0 <= lead <= score"), (dict(score=5, lead=6), "lead=6"), (dict(score=50.05), "tenths"),
                    (dict(questions=1), "2 <= questions <= 500"), (dict(tries=65), "tries=65")],
    vote_explorer: [(dict(votes=(1, 2, 3)), "four whole numbers"), (dict(votes=(13, 0, 0, 0)), "from 0 to 12"),
                    (dict(votes=(0, 3, 3, 0)), "a right answer"), (dict(k=11), "k=11"), (dict(choice="best@k"), "choice must be one of")],
    interval_explorer: [(dict(n=201), "1 <= n <= 200"), (dict(rate=.333), "multiple of 1/200"), (dict(rate=1), "between 0 and 1"),
                        (dict(level=94), "level must be one of"), (dict(choice="exact"), "choice must be one of")],
    peek_explorer: [(dict(looks=21), "looks=21"), (dict(step=0), "step=0"), (dict(win=40), "win=40"), (dict(choice="t"), "choice must be one of")],
    plan_explorer: [(dict(rate=.705), "rate=0.705"), (dict(rho=.33), "rho=0.33"), (dict(aim=.31), "aim=0.31"),
                    (dict(questions=5), "questions=5"), (dict(n=257), "n=257"), (dict(choice="both"), "choice must be one of")]}


@pytest.mark.parametrize("explorer, given, told", [(explorer, *case) for explorer, cases in REFUSED.items() for case in cases])
def test_refuses(explorer, given, told):
    with pytest.raises(ValueError, match=told): explorer(**given)
