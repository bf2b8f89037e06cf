"The explorers: scripts against fractions in a JavaScript engine, and what stands beside them."

import io, json, re, sys
from base64 import b64decode
from fractions import Fraction
from itertools import combinations, product
from math import ceil, comb, floor, prod

import numpy as np
import pytest, quickjs
from PIL import Image

from chances import at_least, chance, stops_at
from chromium import open_page as open_browser, with_chromium
from printed import check_printed, split_markup
from scripts import ROOT
from sampling_eval.pages import (
    Explorer,
    Table,
    bands_explorer,
    bayes_explorer,
    bestof_explorer,
    beyond_explorer,
    calibration_explorer,
    choice_explorer,
    significance_explorer,
    curve_explorer,
    interval_explorer,
    judge_explorer,
    metric_chooser,
    needed_explorer,
    paired_explorer,
    peek_explorer,
    plan_explorer,
    rate_explorer,
    runs_explorer,
    score_auditor,
    spend_explorer,
    urn_explorer,
    vote_explorer,
)
from sampling_eval import best_of_k, choice_scores
from sampling_eval.pages.explorer import check_ranges
from sampling_eval.pages.explorers import chance_within
from sampling_eval.inference.significance import mcnemar
from sampling_eval.pages.explorer_tables import (
    CLAIMS,
    COVERED_METHODS,
    GOALS,
    LEVELS,
    LOGS,
    PEEK_RULES,
    announce,
    cover,
    half_width,
    intervals_by_count,
    lowest_coverage,
    samples_for_width,
    stopping_rules,
    z_of_level,
)

CREDITS = {
    "pass@k": lambda j, k, tau: j >= 1,
    "cons@k": lambda j, k, tau: 2 * j > k,
    "G-Pass@k": lambda j, k, tau: j >= 1 and Fraction(j, k) >= Fraction(tau, 20),
    "pass^k": lambda j, k, tau: j == k,
}
SIZES = [(n, c, k) for n in range(1, 21) for c in range(n + 1) for k in range(1, n + 1)]


def exact(name, n, c, k, tau):
    "Mean credit by listing how many correct samples a subset can have."
    return Fraction(
        sum(
            comb(c, j) * comb(n - c, k - j)
            for j in range(min(c, k) + 1)
            if k - j <= n - c and CREDITS[name](j, k, tau)
        ),
        comb(n, k),
    )


def start(made):
    "An engine in which the script of an explorer has run, without a page."
    context = quickjs.Context()
    context.eval(made.script)
    return context


def run(context, call):
    return json.loads(context.eval(f"JSON.stringify({call})"))


def show(context, **state):
    "What a page shows in a state, all of it numbers and words."
    shown = run(context, f"show({json.dumps(state)})")
    assert not re.search("NaN|undefined|Infinity|null", shown["said"] + "".join(shown["panels"]))
    return shown


@pytest.fixture(scope="module")
def page():
    return start(urn_explorer())


@pytest.mark.parametrize("name", CREDITS)
def test_urn_arithmetic(page, name):
    taus = (0, 1, 5, 10, 13, 15, 20) if name == "G-Pass@k" else (0,)
    asked = [(*size, tau) for size in SIZES for tau in taus]
    assert run(page, f"{json.dumps(asked)}.map(o => value({json.dumps(name)}, ...o))") == [
        float(exact(name, *o)) for o in asked
    ]


def test_spend_is_the_listing_of_all_orders():
    "What is paid until the first right try, over all places that the right ones can have."
    context = start(spend_explorer())
    for n, c, k in product(range(1, 8), range(8), range(1, 8)):
        if c > n or k > n:
            continue
        places = list(combinations(range(n), c))
        first = [min((i for i in own if i < k), default=None) for own in places]
        paid = [7 * k if i is None else 7 * i + 3 for i in first]
        state = json.dumps(dict(n=n, c=c, k=k, right=3, wrong=7))
        wanted = float(Fraction(sum(paid), len(paid))), float(
            Fraction(sum(i is not None for i in first), len(first))
        )
        np.testing.assert_allclose(
            run(context, f"['spend', 'solved'].map(o => eval(o)('stop at success', {state}, {k}))"),
            wanted,
            rtol=1e-13,
            atol=1e-15,
        )


def test_urn_shows_what_it_computes(page):
    shown = show(page, n=5, c=3, k=2, tau=10, choice="pass@k")
    assert (
        shown["said"]
        == "<b>pass@2 = 0.900</b>: 9 of the 10 ways to keep 2 of 5 hold at least one correct."
    )
    assert [row[2] for row in shown["rows"]] == ["0.900", "0.300", "0.900", "0.300", "0.600"]
    assert all(o.startswith("<svg") and o.endswith("</svg>") for o in shown["panels"])


def test_urn_draws_every_state(page):
    ends = {0, 1, 10, 19, 20}
    for n, c, k in [o for o in SIZES if o[0] in (1, 2, 5) or o[0] == 20 and {*o} <= ends]:
        for choice in [*CREDITS, "avg@n"]:
            show(page, n=n, c=c, k=k, tau=10, choice=choice)


K = np.array([1, 2, 4, 8, 16])
CURVE = dict(
    difference=[-0.1, -0.03, 0.01, 0.05, 0.09],
    low=[-0.15, -0.08, -0.03, 0.01, 0.03],
    high=[-0.05, 0.02, 0.05, 0.09, 0.15],
)


@pytest.mark.parametrize(
    "more",
    [
        {},
        dict(
            a=[0.5, 0.6, 0.65, 0.7, 0.72], b=[0.4, 0.57, 0.66, 0.75, 0.81], names=("base <1>", "RL")
        ),
    ],
)
def test_curve_says_who_is_ahead(more):
    made = curve_explorer(K, **CURVE, **more)
    context = start(made)
    first, second = (o.replace("<", "&lt;").replace(">", "&gt;") for o in more.get("names", "AB"))
    for i, (low, high) in enumerate(zip(CURVE["low"], CURVE["high"])):
        shown = show(context, **made.start | {"at": i})
        told = (
            f"{second} is ahead" if low > 0 else f"{first} is ahead" if high < 0 else "inconclusive"
        )
        assert shown["said"].startswith(f"<b>k = {K[i]}: {told}.</b>")
        assert len(shown["panels"]) == (2 if more else 1)
    verdicts = [row[-1] for row in made.table.lines()[1:]]
    assert len(set(verdicts)) == 3 and verdicts[1:3] == ["inconclusive"] * 2


def test_chooser_says_what_the_table_says():
    context = start(metric_chooser())
    for log, (n, k), goal in product(
        range(len(LOGS)), [(1, 1), (2, 1), (3, 2), (4, 2), (7, 4), (4, 5), (64, 64)], GOALS
    ):
        made = metric_chooser(n, k, log=log, goal=goal.question)
        assert show(context, **made.start)["rows"] == made.table.lines()[1:]
    assert show(context, **metric_chooser().start)["said"].startswith(
        "<b>pass^4</b> says how often all of 4 samples are correct. Can this log give it? Yes."
    )


@pytest.mark.parametrize(
    "goal, log, n, said, can, call",
    [
        (
            "Is the first that a judge passes right?",
            5,
            8,
            "<b>guarded@4</b> says how often retrying until a judge passes, at most 4 times, ",
            "Yes; its error is for new questions.",
            'score(log, correct="truth", verdict="passed", k=4)',
        ),
        (
            "Do tries split over sources succeed?",
            6,
            4,
            "<b>portfolio@4</b> says how often at least one of 4 samples, split over sources, ",
            "Yes; each source needs its share of the k.",
            'score(log, by="model", portfolio=4)',
        ),
        (
            "What is true behind a judge that errs?",
            0,
            8,
            "<b>corrected pass@4</b> says how often at least one of 4 samples is truly correct. ",
            "Lacks verdicts and their error rates.",
            'score(log, correct="passed", judge=(.93, .9), k=4)',
        ),
        (
            "How many tries until a success?",
            0,
            3,
            "<b>spend@4</b> says how many tries it takes until a success, at most 4. ",
            "Needs 4 samples.",
            "spend_at_k(n, c, 4)",
        ),
        (
            "Do tries of a question disagree?",
            0,
            8,
            "<b>flaky@4</b> says how often the outcomes of 4 samples ",
            "Yes.",
            "flaky_at_k(n, c, 4)",
        ),
        (
            "How far does a rerun move the score?",
            0,
            1,
            "<b>run difference</b> says which difference two single runs exceed ",
            "Needs 2 samples.",
            "rerun_facts(n, c)",
        ),
    ],
)
def test_chooser_leads_to_the_page_and_the_call(goal, log, n, said, can, call):
    made = metric_chooser(n, 4, log=log, goal=goal, site="..")
    page = next(o.page for o in GOALS if o.question == goal)
    shown = show(start(made), **made.start)["said"]
    assert shown.startswith(said) and f"Can this log give it? {can} " in shown
    assert shown.endswith(
        f'Type <code>{call}</code>; the page is <a href="../{page}.html">{page}</a>.'
    )


def test_chooser_knows_pages_and_calls_that_exist():
    import sampling_eval

    for goal in GOALS:
        assert (ROOT / "nbs" / f"{goal.page}.ipynb").is_file() and callable(
            getattr(sampling_eval, goal.call.partition("(")[0])
        )
    plain = metric_chooser()
    assert show(start(plain), **plain.start)["said"].endswith("the page is metrics/passhat.")


def test_chooser_draws_every_goal_inside_its_height():
    made = metric_chooser()
    for panel in show(start(made), **made.start)["panels"]:
        height = float(re.search(r'viewBox="\S+ \S+ \S+ (\S+)"', panel)[1])
        lines = [float(o) for o in re.findall(r'<text [^>]*\by="([\d.]+)"', panel)]
        assert (
            len(lines) == 2 * len(GOALS) + 1 + len({o.used for o in GOALS})
            and 12 < min(lines)
            and max(lines) < height - 4
        )


# Disputes: each against fractions, or against the library where that listed its own.


def coins(few, number):
    "Chance of so few heads, or so few tails, in fractions."
    return min(1, Fraction(2 * sum(comb(number, j) for j in range(few + 1)), 2**number))


def test_a_lead_of_coins_in_fractions():
    context = start(paired_explorer())
    for number in range(61):
        for few in range(number // 2 + 1):
            assert run(context, f"bothTails({few}, {number})") == pytest.approx(
                float(coins(few, number)), rel=1e-12
            )
        for tail in (Fraction(1, 2), Fraction(1, 20), Fraction(1, 100)):
            leads = [number - 2 * few for few in range(number // 2 + 1)]
            common = [lead for few, lead in enumerate(leads) if coins(few, number) > tail]
            assert run(context, f"leadOfCoins({number}, {float(tail)})") == max(common)


def test_p_of_two_systems_is_that_of_the_library():
    context = start(paired_explorer())
    for a, b in product((0, 1, 5, 18, 150, 500), repeat=2):
        p = run(context, f"bothTails({min(a, b)}, {a + b})")
        assert p == pytest.approx(mcnemar(b, a).value, rel=1e-9)
        said = show(context, n=1000, both=0, a=a, b=b, choice="A")["said"]
        shown = float(re.search(r"p = (\d\.\d{3})\.", said)[1])
        assert shown == pytest.approx(p, abs=5.1e-4)


def test_two_runs_differ_as_the_lesson_of_reruns_says():
    "About 14.7 of fifty tasks flip; the least difference that is rare is eight tasks."
    from sampling_eval import rerun_facts

    facts = rerun_facts([4] * 50, [0] * 14 + [1] * 12 + [2] * 10 + [3] * 4 + [4] * 10)
    assert runs_explorer(50, 15).table.rows[1][1] == "at most 7 questions"
    assert facts.least_questions_exact == 8 and round(50 * facts.flip_rate) == 15


def test_limits_of_a_rate_are_those_of_the_library():
    from sampling_eval.inference.shares import clopper_pearson_limits

    context = start(rate_explorer())
    for n in (1, 2, 7, 60, 1000):
        for c in {0, 1, n // 3, n - 1, n}:
            for tail in (0.025, 0.05):
                np.testing.assert_allclose(
                    run(context, f"limits({c}, {n}, {tail})"),
                    clopper_pearson_limits(c, n, tail),
                    rtol=1e-9,
                    atol=1e-12,
                )


def test_no_failure_by_hand():
    row = show(start(rate_explorer()), n=60, c=0, choice="at most")["rows"][0]
    assert row[2] == f"0.0 to {100 * (1 - .05 ** (1 / 60)):.1f}"


def test_questions_needed_are_those_of_the_library():
    from sampling_eval.inference.planning import required_questions

    context = start(needed_explorer())
    for lead, differ in product((3, 10, 30, 55), (60, 100, 333, 600)):
        rows = show(context, lead=lead, differ=differ, choice="4 of 5")["rows"]
        variance = differ / 1000 - (lead / 1000) ** 2
        wanted = [required_questions(lead / 1000, variance, power=o) for o in (0.5, 0.8, 0.9)]
        assert [row[2] for row in rows] == list(map(str, wanted))


def test_a_judge_is_corrected_as_the_library_does():
    "The value, and the interval of one sample each, which is Gaffke's."
    from sampling_eval import judged_curve

    context = start(judge_explorer())
    for passed, s, t in ((40, 93, 90), (7, 80, 99), (55, 99, 70)):
        rows = show(context, n=60, passed=passed, s=s, t=t, choice="corrected")["rows"]
        curve = judged_curve(
            np.ones(60, int),
            (np.arange(60) < passed) * 1,
            1,
            sensitivity=s / 100,
            specificity=t / 100,
        )
        assert rows[2][2] == f"{100 * curve.value[0]:.1f}"
        ends = curve.intervals()[0]
        low, high = (100 * min(max(o, 0), 1) for o in (ends.low, ends.high))
        assert rows[3][2] == f"{low:.1f} to {high:.1f}"


@pytest.fixture(scope="module")
def auditor():
    return start(score_auditor())


def test_auditor_quantiles(auditor):
    from scipy.special import betaincinv

    for total in (2, 15, 30, 164, 500, 32_000):
        for right in (0, 0.4, 1, total / 3, total / 2, total - 1, total):
            low, high = run(auditor, f"interval({right}, {total})")
            exact = betaincinv(right, total - right + 1, 0.025) if right else 0, (
                betaincinv(right + 1, total - right, 0.975) if right < total else 1
            )
            np.testing.assert_allclose([low, high], exact, rtol=1e-9, atol=1e-12)


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
        assert p == min(1, 2.0 ** (1 - m))
        lead = 1000 * size / (questions * tries)
        assert auditor.eval(f"decided({lead}, {questions}, {tries})") == m


@pytest.fixture(scope="module")
def voters():
    return start(vote_explorer())


def credits_of(kept):
    "Credit of a vote when the first answer is right, for every metric of the explorer."
    right, size, leaders = kept[0], sum(kept), [o for o in kept if o == max(kept)]
    wins = right == max(kept)
    return {
        "pass@k": right > 0,
        "maj@k": Fraction(wins, len(leaders)),
        "maj@k, ties lose": wins and len(leaders) == 1,
        "cons@k": 2 * right > size,
        "pass^k": right == size,
        "avg@n": Fraction(right, size),
    }


def test_vote_arithmetic_is_the_listing_of_all_subsets(voters):
    for votes in [o for o in product(range(6), repeat=4) if o[0] and sum(o) <= 8]:
        samples = np.repeat(range(4), votes).tolist()
        for k in range(1, len(samples) + 1):
            subsets = [credits_of([o.count(a) for a in range(4)]) for o in combinations(samples, k)]
            exact = {
                name: float(Fraction(sum(o[name] for o in subsets), len(subsets)))
                for name in subsets[0]
            }
            assert run(voters, f"measure({list(votes)}, {k})") == exact


@pytest.mark.parametrize(
    "votes", [(12, 12, 12, 12), (1, 12, 12, 12), (12, 11, 0, 0), (5, 4, 4, 4), (3, 0, 0, 0)]
)
def test_vote_arithmetic_of_many_samples(voters, votes):
    for k in {1, 2, sum(votes) // 2, sum(votes) - 1, sum(votes)}:
        total = dict.fromkeys(credits_of(votes), Fraction(0))
        for kept in product(*(range(o + 1) for o in votes)):
            if sum(kept) != k:
                continue
            ways = prod(map(comb, votes, kept))
            for name, credit in credits_of(kept).items():
                total[name] += ways * credit
        assert run(voters, f"measure({list(votes)}, {k})") == {
            name: float(o / comb(sum(votes), k)) for name, o in total.items()
        }


def test_a_vote_in_words(voters):
    assert show(voters, **vote_explorer().start)["said"] == (
        "<b>maj@3 = 0.389</b>: of the 120 ways to keep 3 of 10, A wins 40 alone "
        "and shares the first place in 20. More votes hurt: 0.400 with one, 0.000 with all 10."
    )


@pytest.fixture(scope="module")
def coverages():
    return start(interval_explorer())


def drawn_anew(n, c, tail):
    "The quantile of a bootstrap without simulation."
    sums = np.cumsum([chance(n, j, Fraction(c, n)) for j in range(n + 1)])
    return Fraction(next(j for j, o in enumerate(sums) if o >= tail), n)


RULES = {  # whether an interval holds a rate, decided in fractions
    "Wald": lambda n, c, p, tail, z: (c - n * p) ** 2 <= z**2 * c * (n - c) / n,
    "bootstrap": lambda n, c, p, tail, z: drawn_anew(n, c, tail)
    <= p
    <= 1 - drawn_anew(n, n - c, tail),
    "Wilson": lambda n, c, p, tail, z: (c - n * p) ** 2 <= z**2 * n * p * (1 - p),
    "flat prior": lambda n, c, p, tail, z: tail <= at_least(n + 1, c + 1, p) <= 1 - tail,
    "Gaffke": lambda n, c, p, tail, z: at_least(n, c, p) >= tail
    and 1 - at_least(n, c + 1, p) >= tail,
}


@pytest.mark.parametrize("name", RULES)
def test_coverage_in_fractions(coverages, name):
    assert list(RULES) == list(COVERED_METHODS)
    for n, level in product((1, 2, 3, 7, 15), LEVELS):
        tail, z = (1 - Fraction(round(10 * level), 1000)) / 2, z_of_level(level)
        rates = [Fraction(o, 200) for o in (1, 4, 13, 50, 77, 100, 111, 160, 187, 199)]
        made = f"intervals({json.dumps(name)}, {n}, {float(tail)}, {z})"
        call = f"{json.dumps([float(p) for p in rates])}.map(p => coverage({made}, p))"
        exact = [
            sum(chance(n, c, p) for c in range(n + 1) if RULES[name](n, c, p, tail, Fraction(z)))
            for p in rates
        ]
        np.testing.assert_allclose(
            run(coverages, call), [float(o) for o in exact], rtol=0, atol=1e-13
        )


@pytest.mark.parametrize("name", RULES)
def test_worst_and_average_coverage_in_fractions(coverages, name):
    for n, level in ((1, 95), (2, 80), (6, 90), (9, 99.9)):
        z = z_of_level(level)
        ends = run(coverages, f"intervals({json.dumps(name)}, {n}, {.5 - level / 200}, {z})")
        np.testing.assert_allclose(ends, intervals_by_count(name, n, level), rtol=0, atol=1e-12)
        limits = sorted({Fraction(o) for pair in ends for o in pair} | {Fraction(0), Fraction(1)})
        near = [(a, b) for a, b in zip(limits, limits[1:]) if b - a > Fraction(1, 10**12)]

        def held(p, inside):
            return sum(
                chance(n, c, p) for c, (low, high) in enumerate(ends) if low <= inside <= high
            )

        least = min(held(p, (a + b) / 2) for a, b in near for p in (a, b))
        worst, where = run(coverages, f"worst({json.dumps(ends)})")
        assert abs(worst - float(least)) < 1e-8
        grid = np.linspace(0.0005, 0.9995, 1000).tolist()
        assert (
            min(run(coverages, f"{json.dumps(grid)}.map(p => coverage({json.dumps(ends)}, p))"))
            > worst - 1e-8
        )
        within = [
            at_least(n + 1, c + 1, Fraction(high)) - at_least(n + 1, c + 1, Fraction(low))
            for c, (low, high) in enumerate(ends)
        ]
        assert (
            abs(run(coverages, f"average({json.dumps(ends)})") - float(sum(within) / (n + 1)))
            < 1e-13
        )


def test_intervals_are_those_of_the_package(coverages):
    from sampling_eval.inference.estimate import mean_over_questions

    for n, c in ((30, 0), (30, 29), (12, 5), (164, 164)):
        e = mean_over_questions([1, 0], times=[c, n - c])
        for name, method in (
            ("Wilson", "wilson"),
            ("Gaffke", "clopper-pearson"),
            ("Gaffke", "gaffke"),
        ):
            ends = e.confidence_interval(method=method)
            low, high = run(
                coverages, f"intervals({json.dumps(name)}, {n}, .025, {z_of_level(95)})[{c}]"
            )
            np.testing.assert_allclose([low, high], [ends.low, ends.high], rtol=0, atol=1e-9)


@pytest.fixture(scope="module")
def peekers():
    return start(peek_explorer())


@pytest.mark.parametrize("name", PEEK_RULES)
@pytest.mark.parametrize("looks, step, win", [(1, 6, 50), (2, 5, 50), (3, 3, 70), (8, 1, 60)])
def test_peeking_is_the_listing_of_all_courses(peekers, name, looks, step, win):
    p, stopped, length = Fraction(win, 100), Fraction(0), Fraction(0)
    for course in product((0, 1), repeat=looks * step):
        chance = p ** sum(course) * (1 - p) ** (len(course) - sum(course))
        ends = [
            at
            for at in range(1, looks + 1)
            if stops_at(name, at * step, sum(course[: at * step]), looks, at)
        ]
        stopped += chance * bool(ends)
        length += chance * step * (ends[0] if ends else looks)
    found = run(peekers, f"follow({json.dumps(name)}, {looks}, {step}, {win / 100})")
    assert (
        abs(found["stopped"][-1] - float(stopped)) < 1e-12
        and abs(found["length"] - float(length)) < 1e-10
    )
    assert (
        abs(announce(stopping_rules(looks)[name], looks, step, win / 100) - float(stopped)) < 1e-12
    )


def test_bettor_keeps_the_level_and_looks_do_not(peekers):
    found = {
        name: [
            run(peekers, f"follow({json.dumps(name)}, {looks}, 10, .5)")["stopped"][-1]
            for looks in (1, 5, 20)
        ]
        for name in PEEK_RULES
    }
    assert max(max(found[name]) for name in ("one look", "level shared", "wealth")) <= 0.05
    assert found["every look"] == sorted(found["every look"]) and found["every look"][-1] > 0.15


@pytest.fixture(scope="module")
def planners():
    return start(plan_explorer())


def squared_half(name, questions, n, rate, rho):
    "Square of 1.96 standard errors of an average, in fractions."
    p, r = Fraction(rate, 100), Fraction(rho, 20)
    between, within = {
        "new questions": (r, 1 - r),
        "same questions": (0, 1 - r),
        "all samples independent": (0, 1),
    }[name]
    return Fraction(196, 100) ** 2 * p * (1 - p) * (between + within / Fraction(n)) / questions


@pytest.mark.parametrize("name", CLAIMS)
def test_plan_in_fractions(planners, name):
    for rate, rho, aim in product((1, 37, 50, 99), (0, 7, 20), (1, 10, 43, 300)):

        def enough(questions, n):
            return squared_half(name, questions, n, rate, rho) <= Fraction(aim, 1000) ** 2

        for questions, n in ((10, 1), (164, 4), (1000, 256)):
            half = (
                run(planners, f"half({json.dumps(name)}, {questions}, {n}, {rate}, {rho})") / 1000
            )
            np.testing.assert_allclose(
                [half, half_width(name, questions, n, rate, rho) / 100],
                float(squared_half(name, questions, n, rate, rho)) ** 0.5,
                rtol=1e-14,
            )
            least = run(planners, f"leastQuestions({json.dumps(name)}, {n}, {rate}, {rho}, {aim})")
            assert enough(least, n) and (least == 1 or not enough(least - 1, n))
            samples = run(
                planners, f"leastSamples({json.dumps(name)}, {questions}, {rate}, {rho}, {aim})"
            )
            assert samples == samples_for_width(name, questions, rate, rho, aim)
            if samples is None:
                assert not enough(questions, 10**12)
            else:
                assert enough(questions, samples) and (
                    samples == 1 or not enough(questions, samples - 1)
                )


# Explorers of one lesson each, against what the library says.


def test_bestof_is_the_metric():
    context = start(bestof_explorer())
    for n, c, k, above in product((1, 4, 9), range(1, 10), range(1, 10), range(9)):
        if c > n or k > n or above > n - c:
            continue
        correct = [n - above - c <= i < n - above for i in range(n)]
        state = json.dumps(dict(n=n, c=c, k=k, above=above))
        np.testing.assert_allclose(
            run(context, f"value('best of k', {state})"),
            best_of_k([range(n)], [correct], k)[0],
            rtol=1e-13,
            atol=1e-16,
        )


def test_calibration_is_the_listing_of_all_answers():
    context = start(calibration_explorer())
    for rights in product((0, 3, 10, 20), repeat=3):
        state = json.dumps(dict(zip(("low", "middle", "high"), rights)))
        said = np.repeat([0.5, 0.7, 0.9], 20)
        came = np.concatenate([np.arange(20) < right for right in rights])
        np.testing.assert_allclose(
            run(context, f"value('Brier score', {state})"), ((said - came) ** 2).mean(), rtol=1e-12
        )
        gaps = (said - came).reshape(3, 20).mean(1)
        np.testing.assert_allclose(
            run(context, f"value('ECE', {state})"), abs(gaps).mean(), atol=1e-15
        )
        np.testing.assert_allclose(
            run(context, f"value('overconfidence', {state})"), gaps.mean(), atol=1e-15
        )


def test_choice_reads_as_the_metric_does():
    context = start(choice_explorer())
    for minus, lengths in product(product((3, 30, 61), repeat=3), product((2, 20), repeat=3)):
        state = {f"minus{o}": one for o, one in zip("ABC", minus)} | {
            f"length{o}": one for o, one in zip("ABC", lengths)
        }
        for name, normalize in (("raw", "raw"), ("per character", "char")):
            if len({Fraction(m, l if name != "raw" else 1) for m, l in zip(minus, lengths)}) < 3:
                continue
            scores = choice_scores(
                [[-o / 10 for o in minus]], [0], normalize=normalize, lengths={"char": [lengths]}
            )
            assert (
                run(context, f"credit({json.dumps(name)}, {json.dumps(state)})") == scores.accuracy
            )


@pytest.mark.parametrize("name, mid", [("exact McNemar", False), ("mid-p", True)])
def test_paired_tests_are_those_of_the_package(name, mid):
    context = start(significance_explorer())
    for a, b in product((0, 1, 2, 5, 9, 30, 60), repeat=2):
        np.testing.assert_allclose(
            run(context, f"p({json.dumps(name)}, {a}, {a + b})"),
            mcnemar(a, b, mid=mid).value,
            rtol=1e-9,
        )


def test_bands_hold_what_they_say():
    from scipy.stats import multivariate_normal, norm

    context = start(bands_explorer())
    for z, m in product((1, 1.96, 3), (1, 2, 16, 48)):
        np.testing.assert_allclose(
            run(context, f"all({z}, {m}, 0)"), (2 * norm.cdf(z) - 1) ** m, rtol=1e-6
        )
    for z, r in product((1, 1.96, 3), (0.3, 0.8, 0.95)):
        law = multivariate_normal(cov=[[1, r], [r, 1]])
        wanted = law.cdf([z, z], lower_limit=[-z, -z])
        np.testing.assert_allclose(
            [run(context, f"all({z}, 2, {r})"), chance_within(z, 2, r)], wanted, rtol=1e-5
        )
        np.testing.assert_allclose(
            run(context, f"all({z}, 48, {r})"), chance_within(z, 48, r), rtol=1e-5
        )
    assert [
        round(run(context, f"study(16, .8)[{json.dumps(o)}].z"), 2)
        for o in ("pointwise", "sup-t", "Bonferroni")
    ] == [1.96, 2.82, 2.96]


# The page: a document small enough to stand here.

DOCUMENT = """
class Element {
  constructor(tag) { Object.assign(this, {tag, children: [], heard: {}, textContent: ""}); }
  setAttribute(name, value) { this[name] = value; }
  append(child) { this.children.push(child); if (child.tag) child.parentNode = this; }
  appendChild(child) { this.append(child); return child; }
  insertBefore(child) { this.appendChild(child); }
  remove() { this.removed = true; }
  addEventListener(name, hear) { this.heard[name] = hear; }
  querySelector(name) { return this[name] ??= this.appendChild(new Element(name)); }
  find(tag, type) {
    const below = this.children.flatMap(o => o.find ? o.find(tag, type) : []);
    return this.tag === tag && this.type === type ? [this, ...below] : below;
  }
}
const page = new Element("figure");
const document = {
  createElement: tag => new Element(tag),
  querySelector: name => name[0] === "#" ? (page.id = name.slice(1), page) : null,
};
const slide = (i, value) => {
  const input = page.find("input", "range")[i];
  input.value = value;
  input.heard.input();
};
const ends = () => page.find("input", "range").map(o => [o.min, o.value, o.max]);
const choose = i => page.find("input", "radio")[i].heard.change();
const press = words =>
  page.find("button", "button").find(o => o.textContent === words).heard.click();
const cells = () => page.find("td").map(o => o.textContent);
"""


def open_page(made):
    "An engine in which a page has run that holds an explorer."
    shown = made._repr_html_()
    script = re.search(r"(?s)<script>(.*)</script>", shown)[1]
    context = quickjs.Context()
    context.eval(DOCUMENT)
    context.eval(script)
    assert re.search('id="(.*?)"', shown)[1] == context.eval("page.id")
    return context


EXPLORERS = {
    "urn": urn_explorer,
    "vote": vote_explorer,
    "peek": peek_explorer,
    "plan": plan_explorer,
    "auditor": score_auditor,
    "chooser": metric_chooser,
    "interval": interval_explorer,
    "spend": spend_explorer,
    "bestof": bestof_explorer,
    "calibration": calibration_explorer,
    "choice": choice_explorer,
    "bands": bands_explorer,
    "significance": significance_explorer,
    "bayes": bayes_explorer,
    "paired": paired_explorer,
    "runs": runs_explorer,
    "beyond": beyond_explorer,
    "rate": rate_explorer,
    "needed": needed_explorer,
    "judge": judge_explorer,
    "curve": lambda: curve_explorer([1, 2], [0, 0.1], [0, 0], [0.1, 0.2]),
}


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_page_shows_the_state_it_starts_with(name):
    made = EXPLORERS[name]()
    context, shown = open_page(made), show(start(made), **made.start)
    assert made.name == name and context.eval("page['.said'].innerHTML") == shown["said"]
    assert [value for _, value, _ in run(context, "ends()")] == [
        made.start[o["name"]] for o in made.controls
    ]
    assert (
        run(context, "page.find('div').map(o => o.innerHTML || '')").count("".join(shown["panels"]))
        == 1
    )
    told = [text for row in shown["rows"] for text in ("", *row[1:])]
    assert run(context, "cells()") == told
    assert context.eval("page['.static'].removed && page['.still'].removed")


@with_chromium
def test_a_browser_draws_every_explorer_of_a_downloaded_page(tmp_path):
    made = {name: explorer() for name, explorer in EXPLORERS.items()}
    (path := tmp_path / "page.html").write_text(
        "<!doctype html><meta charset=utf-8>" + "".join(o._repr_html_() for o in made.values()),
        "utf-8",
    )
    with open_browser(path, tmp_path) as page:
        said = page.ask(
            "[...document.querySelectorAll('.said')]"
            ".map(o => o.innerHTML.replaceAll('&nbsp;', '\\u00a0'))"
        )
        assert said == [show(start(one), **one.start)["said"] for one in made.values()]
        assert page.run("document.querySelectorAll('.static, .still').length") == 0
        # What stands in the page itself is asked for as well.
        assert [o for o in page.requests if not o.startswith("data:")] == [path.as_uri()]


def test_sliders_and_choices_draw_anew():
    context = open_page(urn_explorer(5, 3, 2))
    context.eval("slide(0, 9), slide(1, 9), slide(2, 4), choose(3)")
    assert context.eval("page['.said'].innerHTML").startswith(
        "<b>pass^4 = 1.000</b>: 126 of the 126 ways"
    )
    assert run(context, "ends()") == [[1, 9, 20], [0, 9, 9], [1, 4, 9], [0, 10, 20]]
    assert run(context, "page.find('output').map(o => o.textContent)") == [9, 9, 4, 0.5]
    context.eval("slide(0, 3)")  # takes the others with it
    assert run(context, "ends()") == [[1, 3, 20], [0, 3, 3], [1, 3, 3], [0, 10, 20]]


def test_named_states_and_the_way_back():
    context = open_page(urn_explorer(5, 3, 2))
    begun = context.eval("page['.said'].innerHTML")
    context.eval("press('Always a coin')")
    assert run(context, "ends()")[:3] == [[1, 20, 20], [0, 10, 20], [1, 5, 20]]
    assert context.eval("page['.said'].innerHTML").startswith("<b>cons@5 = 0.500</b>")
    assert run(context, "page.find('input', 'radio').map(o => o.checked)") == [
        False,
        True,
        False,
        False,
        False,
    ]
    context.eval("press('Reset')")
    assert context.eval("page['.said'].innerHTML") == begun and run(
        context, "page.find('input', 'radio')[0].checked"
    )


@pytest.mark.parametrize("name", EXPLORERS)
def test_every_named_state_is_one_that_can_be_drawn(name):
    made = EXPLORERS[name]()
    context = start(made)
    for changes in made.presets.values():
        assert changes.keys() <= made.start.keys()
        state = made.start | changes
        check_ranges(
            [
                one
                for one in made.controls
                if not isinstance(one["high"], (list, tuple)) or name in ("bestof", "paired")
            ],
            state,
        )
        assert any(row[0] == state["choice"] for row in show(context, **state)["rows"])


@with_chromium
def test_the_address_holds_what_was_set(tmp_path):
    (path := tmp_path / "page.html").write_text(
        "<!doctype html><meta charset=utf-8>" + urn_explorer()._repr_html_(), "utf-8"
    )
    with open_browser(path, tmp_path) as page:
        assert page.run("location.hash") == ""
        page.run("document.querySelectorAll('.presets button')[0].click()")
        assert page.ask("location.hash") == "#urn&n=20&c=2&k=10&tau=10&choice=pass%40k"
        page.run("location.hash = '#urn&n=7&c=99&k=nonsense&choice=pass%5Ek'; location.reload()")
        assert page.ask(
            "(document.querySelector('.said') || {innerHTML: ''})"
            ".innerHTML.startsWith('<b>pass^2 = 1.000')"
        )
        page.run("location.hash = '#somewhere&n=3'; location.reload()")
        assert page.ask(
            "(document.querySelector('.said') || {innerHTML: ''})"
            ".innerHTML.startsWith('<b>pass@2 = 0.900')"
        )


def test_a_slider_ends_at_what_others_add_up_to():
    context = open_page(vote_explorer((2, 3, 4, 5), 14))
    assert run(context, "ends()[4]") == [1, 14, 14]
    context.eval("slide(1, 0)")
    assert run(context, "ends()[4]") == [
        1,
        11,
        11,
    ] and "the 1 way to keep 11 of 11" in context.eval("page['.said'].innerHTML")


def test_a_slider_shows_what_its_entry_is():
    context = open_page(metric_chooser(log=1))
    assert run(context, "page.find('output')[0].textContent") == LOGS[1][0]


STILL = re.compile(r'<img class="still" alt="([^"]+)" src="data:image/png;base64,([\w+/=]+)">\n')


@pytest.mark.parametrize("name", EXPLORERS)
def test_where_no_script_runs_the_table_has_a_picture(name, monkeypatch):
    made = EXPLORERS[name]()
    shown = STILL.findall(made._repr_html_())
    # The chooser's table holds words.
    assert len(shown) == (name != "chooser")
    for said, data in shown:
        assert said == made.sentence and len(data) < 12_000
        picture = Image.open(io.BytesIO(b64decode(data))).convert("RGB")
        assert picture.width == 600 and picture.getpixel((0, 0)) == (255, 255, 255)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not STILL.search(EXPLORERS[name]()._repr_html_()), "Matplotlib is not asked for"


def test_bars_of_a_picture():
    def read(*rows, **more):
        made = Explorer("urn", [], {}, Table(rows, "", "value", "more"), "", **more)
        return made.list_bars()

    rows = ("a", "x", "± 1.5 s.e."), ("b", "x", "1/4"), ("c", "x", "-2 to 3"), ("d", "x", "")
    assert read(*rows) == [("a", [1.5], "± 1.5 s.e."), ("c", [-2, 3], "-2 to 3")]
    assert read(("a", 0.25, 7), drawn=(1, 2)) == [("a", [0.25, 7], "0.250 to 7")]


def test_an_explorer_is_safe_loads_nothing_and_has_a_name_of_its_content():
    made = [
        Explorer("urn", [], {"choice": "</script><b>"}, Table([("<b>",)], "<i>"), "<u>", said)
        for said in ("<s>", "")
    ]
    page, other = (o._repr_html_() for o in made)
    assert page.count("</script>") == 1 and r'"choice": "\u003c/script>\u003cb>"' in page
    assert page.split("<table")[1].startswith(
        ' class="static"><thead><tr><th>&lt;i&gt;</th></tr></thead><tbody>'
        "<tr><td>&lt;b&gt;</td></tr></tbody></table>"
    )
    assert '<p class="said">&lt;s&gt;</p>' in page and "<figcaption>&lt;u&gt;</figcaption>" in page
    assert repr(made[0]).endswith("\n<s>") and repr(made[1]) == repr(made[1].table)
    pages = [
        urn_explorer()._repr_html_(),
        urn_explorer()._repr_html_(),
        urn_explorer(6)._repr_html_(),
        vote_explorer()._repr_html_(),
    ]
    names = [re.search('id="(.*?)"', o)[1] for o in pages]
    assert (
        pages[0] == pages[1]
        and len(set(names)) == 3
        and all(o.count(name) > 20 for o, name in zip(pages, names, strict=True))
    )
    pages = [STILL.sub("", o) for o in pages]
    assert not any("http" in o or "src=" in o for o in pages) and max(map(len, pages)) < 17_000


def test_every_script_is_used_and_no_line_is_long():
    from sampling_eval.pages.explorer import SCRIPTS

    files = {o.name: o.read_text("utf-8") for o in SCRIPTS.iterdir()}
    scripts = {f"{name}.js" for name in [*EXPLORERS, "shared", "bars", "page", "guess"]}
    assert files.keys() == scripts | {"page.css", "guess.css"}
    assert max(len(line) for text in files.values() for line in text.splitlines()) <= 100


# What stands beside the scripts: tables, sentences, sliders, and what is refused.

SHOWN = {
    urn_explorer: [
        {},
        dict(tau=1),
        dict(tau=Fraction(3, 20)),
        dict(n=20, c=9, k=10, choice="cons@k"),
        dict(choice="avg@n"),
    ],
    metric_chooser: [{}, dict(n=64, k=64, log=4, goal="Are most samples correct?")],
    score_auditor: [{}, dict(score=0.1, lead=0.1, questions=2, tries=64)],
    vote_explorer: [{}, dict(votes=(2, 12, 1, 7), k=13, choice="maj@k, ties lose")],
    interval_explorer: [
        {},
        dict(n=40, rate=0.995, level=99.9, choice="Gaffke"),
        dict(n=12, rate=0.5, level=80),
    ],
    peek_explorer: [{}, dict(looks=13, step=7, win=62, choice="wealth")],
    spend_explorer: [{}, dict(n=6, c=0, k=3, choice="always k")],
    bestof_explorer: [{}, dict(n=9, c=2, k=5, above=7, choice="pass@k")],
    calibration_explorer: [{}, dict(low=20, middle=0, high=3, choice="Brier score")],
    choice_explorer: [{}, dict(minus=(30, 30, 90), lengths=(10, 10, 7), choice="per character")],
    bands_explorer: [{}, dict(m=48, r=95, choice="sup-t"), dict(m=7, r=0, choice="Bonferroni")],
    significance_explorer: [
        {},
        dict(a=0, b=0),
        dict(a=30, b=21, choice="mid-p"),
        dict(a=1, b=60, choice="z test"),
    ],
    bayes_explorer: [{}, dict(n=100, c=0, a=1, b=40, choice="yours")],
    plan_explorer: [
        {},
        dict(questions=50, n=2, rho=1, aim=0.101),
        dict(n=3, choice="same questions"),
    ],
    paired_explorer: [{}, dict(n=300, both=201, a=29, b=8, choice="chance")],
    runs_explorer: [{}, dict(n=1000, flips=333, choice="1 of 2")],
    beyond_explorer: [{}, dict(n=10, c=7, k=9, choice="plug-in")],
    rate_explorer: [{}, dict(n=300, c=7, choice="exact")],
    needed_explorer: [{}, dict(lead=55, differ=170, choice="9 of 10")],
    judge_explorer: [{}, dict(n=300, passed=7, s=81, t=96)],
}
# At the ends of the ranges; what is refused stands just outside of them.
TAKEN = {
    urn_explorer: [dict(n=20, c=20, k=20), dict(n=1, c=0, k=1), dict(tau=0)],
    metric_chooser: [
        dict(n=1, k=1, log=0),
        dict(n=7, log=2),
        dict(n=2, log=3),
        dict(log=1),
        dict(log=5),
        dict(log=6),
        dict(log=7),
    ],
    score_auditor: [
        dict(score=0, lead=0),
        dict(score=100, lead=100),
        dict(questions=500),
        dict(questions=2, tries=1),
    ],
    vote_explorer: [dict(votes=(12, 12, 12, 12), k=48), dict(votes=(1, 0, 0, 0), k=1)],
    interval_explorer: [dict(n=1, rate=0.005)],
    peek_explorer: [dict(looks=1, step=1, win=50), dict(looks=20, step=20, win=90)],
    spend_explorer: [
        dict(n=20, c=20, k=20, right=20, wrong=20),
        dict(n=1, c=0, k=1, right=0, wrong=0),
    ],
    bestof_explorer: [dict(n=20, c=1, k=20, above=19), dict(n=1, c=1, k=1, above=0)],
    calibration_explorer: [dict(low=0, middle=0, high=0), dict(low=20, middle=20, high=20)],
    choice_explorer: [dict(minus=(1, 200, 200), lengths=(60, 1, 60))],
    bands_explorer: [dict(m=1, r=0), dict(m=1, r=95)],
    significance_explorer: [dict(a=60, b=60), dict(a=0, b=60)],
    bayes_explorer: [dict(n=1, c=0, a=40, b=1), dict(n=100, c=100, a=40, b=40)],
    plan_explorer: [
        dict(questions=10, n=1, rate=0.01, rho=0, aim=0.001),
        dict(questions=1000, n=256, rate=0.99, rho=1, aim=0.3),
    ],
    paired_explorer: [
        dict(n=5, both=5, a=0, b=0),
        dict(n=1000, both=0, a=1000, b=0),
        dict(n=1000, both=0, a=0, b=1),
    ],
    runs_explorer: [dict(n=5, flips=0), dict(n=2000, flips=2000)],
    beyond_explorer: [dict(n=1, c=0, k=1), dict(n=50, c=50, k=100), dict(n=50, c=0, k=100)],
    rate_explorer: [dict(n=1, c=0), dict(n=1000, c=1000), dict(n=1, c=1)],
    needed_explorer: [dict(lead=1, differ=1), dict(lead=600, differ=600), dict(lead=1, differ=600)],
    judge_explorer: [dict(n=1, passed=0, s=51, t=51), dict(n=1000, passed=1000, s=100, t=100)],
}

MORE = {
    urn_explorer: [dict(n=20, c=7, k=10), dict(n=16, c=6, k=8)],
    score_auditor: [
        dict(score=score, questions=q, tries=n, lead=lead)
        for score in (0.7, 50, 73.3, 73.4, 93.3, 100)
        for q in (2, 30, 500)
        for n in (1, 64)
        for lead in (0, 0.3, 70)
        if lead <= score
    ],
    vote_explorer: [dict(votes=(12, 12, 12, 12), k=24), dict(votes=(3, 2, 2, 2), k=9)],
    interval_explorer: [dict(n=40, rate=0.005, level=99.9), dict(n=64, rate=0.25, level=90)],
    peek_explorer: [dict(looks=13, step=7, win=62)],
    spend_explorer: [dict(n=20, c=3, k=12, right=7, wrong=0), dict(n=9, c=4, k=9)],
    plan_explorer: [dict(questions=164, n=64, rate=0.5, rho=0.05, aim=0.04)],
}

URN = "need 1 <= k <= n <= 20 and 0 <= c <= n, got "
CHOICE = "choice must be one of "
PLAN = "need rate in percents, rho in twentieths and aim in tenths of a point up to .3, got "
REFUSED = {
    urn_explorer: {
        f"{URN}n=5, c=3, k=6": [dict(k=6)],
        f"{URN}n=5, c=3, k=0": [dict(k=0)],
        f"{URN}n=21, c=3, k=2": [dict(n=21)],
        f"{URN}n=5, c=6, k=2": [dict(c=6)],
        f"{URN}n=5, c=-1, k=2": [dict(c=-1)],
        f"{URN}n=0, c=0, k=0": [dict(n=0, c=0, k=0)],
        "tau must be a multiple of 1/20 in [0, 1], got ": [
            dict(tau=tau) for tau in (0.33, 1.05, -0.05, Fraction(1, 3))
        ],
        f"{CHOICE}['pass@k', 'cons@k', 'G-Pass@k', 'pass^k', 'avg@n'], got 'best@k'": [
            dict(choice="best@k")
        ],
    },
    metric_chooser: {
        "need 1 <= n, k <= 64, got ": [dict(n=65), dict(n=0), dict(k=65), dict(k=0)],
        "log must be 0 to 7, got ": [dict(log=8), dict(log=-1)],
        "goal must be one of ['How good is one sample?', ": [dict(goal="?")],
    },
    score_auditor: {
        "need 0 <= lead <= score <= 100 in tenths of a point, got lead=": [
            dict(score=100.1),
            dict(score=5, lead=5.1),
            dict(lead=-0.1),
            dict(score=50.05),
            dict(lead=9.96),
        ],
        "need 2 <= questions <= 500 and 1 <= tries <= 64, got questions=": [
            dict(questions=1),
            dict(questions=501),
            dict(tries=0),
            dict(tries=65),
        ],
    },
    vote_explorer: {
        "votes must be four whole numbers from 0 to 12, got ": [
            dict(votes=votes)
            for votes in ((1, 2, 3), (1, 2, 3, 4, 5), (13, 0, 0, 0), (1, -1, 2, 2), (1.5, 1, 1, 1))
        ],
        "need a right answer and 1 <= k <= n, got votes=": [
            dict(votes=(0, 3, 3, 0)),
            dict(k=11),
            dict(k=0),
        ],
        f"{CHOICE}['pass@k', 'maj@k', 'maj@k, ties lose', 'cons@k', 'pass^k', 'avg@n'], got 'x'": [
            dict(choice="x")
        ],
    },
    interval_explorer: {
        "need 1 <= n <= 200, got ": [dict(n=201), dict(n=0)],
        "rate must be a multiple of 1/200 between 0 and 1, got ": [
            dict(rate=rate) for rate in (0.333, 1, 0)
        ],
        "level must be one of (80.0, 90.0, 95.0, 99.0, 99.9), got 94": [dict(level=94)],
        f"{CHOICE}['Wald', 'bootstrap', 'Wilson', 'flat prior', 'Gaffke'], got 'x'": [
            dict(choice="x")
        ],
    },
    peek_explorer: {
        "need 1 <= looks <= 20, 1 <= step <= 20 and 50 <= win <= 90, got looks=": [
            dict(looks=21),
            dict(looks=0),
            dict(step=0),
            dict(step=21),
            dict(win=49),
            dict(win=91),
        ],
        f"{CHOICE}['one look', 'every look', 'level shared', 'wealth'], got 'x'": [
            dict(choice="x")
        ],
    },
    bestof_explorer: {
        "need 1 <= n <= 20, got n=21": [dict(n=21)],
        "need 1 <= c <= 12, got c=0": [dict(c=0)],
        "need 1 <= k <= 12, got k=13": [dict(k=13)],
        "need 0 <= above <= 8, got above=9": [dict(above=9)],
        f"{CHOICE}['best of k', 'pass@k', 'avg@n'], got 'x'": [dict(choice="x")],
    },
    calibration_explorer: {
        "need 0 <= low <= 20, got low=21": [dict(low=21)],
        "need 0 <= high <= 20, got high=-1": [dict(high=-1)],
        f"{CHOICE}['ECE', 'overconfidence', 'Brier score'], got 'x'": [dict(choice="x")],
    },
    choice_explorer: {
        "need three choices, got minus=": [dict(minus=(1, 2)), dict(lengths=(1, 2, 3, 4))],
        "need 1 <= minusB <= 200, got minusB=0": [dict(minus=(5, 0, 5))],
        "need 1 <= lengthC <= 60, got lengthC=61": [dict(lengths=(1, 1, 61))],
        f"{CHOICE}['raw', 'per character'], got 'x'": [dict(choice="x")],
    },
    bands_explorer: {
        "need 1 <= m <= 48, got m=49": [dict(m=49)],
        "need 0 <= r <= 95, got r=96": [dict(r=96)],
        f"{CHOICE}['pointwise', 'sup-t', 'Bonferroni'], got 'x'": [dict(choice="x")],
    },
    significance_explorer: {
        "need 0 <= a <= 60, got a=61": [dict(a=61)],
        "need 0 <= b <= 60, got b=-1": [dict(b=-1)],
        f"{CHOICE}['exact McNemar', 'mid-p', 'z test'], got 'x'": [dict(choice="x")],
    },
    bayes_explorer: {
        "need 1 <= n <= 100, got n=101": [dict(n=101)],
        "need 0 <= c <= 10, got c=11": [dict(c=11)],
        "need 1 <= b <= 40, got b=0": [dict(b=0)],
        f"{CHOICE}['flat', 'Jeffreys', 'yours'], got 'x'": [dict(choice="x")],
    },
    spend_explorer: {
        "need 1 <= k <= n": [dict(k=11), dict(n=4)],
        "need k >= 1, got k=0": [dict(k=0)],
        "need 0 <= c <= n, got n=10, c=11": [dict(c=11)],
        "need n <= 20, got n=21": [dict(n=21)],
        "costs must be whole numbers from 0 to 20, got ": [
            dict(right=21),
            dict(wrong=-1),
            dict(wrong=1.5),
        ],
        f"{CHOICE}['one try', 'stop at success', 'always k'], got 'x'": [dict(choice="x")],
    },
    paired_explorer: {
        "need 0 <= a <= 74, got a=75": [dict(a=75)],
        "need 0 <= b <= 54, got b=55": [dict(b=55)],
        "need 5 <= n <= 1000, got n=1001": [dict(n=1001)],
        f"{CHOICE}['A', 'B', 'lead of B', 'chance'], got 'x'": [dict(choice="x")],
    },
    runs_explorer: {
        "need 0 <= flips <= 50, got flips=51": [dict(flips=51)],
        "need 5 <= n <= 2000, got n=2001": [dict(n=2001)],
        f"{CHOICE}['1 of 2', '19 of 20', '99 of 100'], got 'x'": [dict(choice="x")],
    },
    beyond_explorer: {
        "need 1 <= n <= 50, got n=51": [dict(n=51)],
        "need 0 <= c <= 3, got c=4": [dict(c=4)],
        "need 1 <= k <= 100, got k=101": [dict(k=101)],
    },
    rate_explorer: {
        "need 0 <= c <= 60, got c=61": [dict(c=61)],
        "need 1 <= n <= 1000, got n=0": [dict(n=0)],
    },
    needed_explorer: {
        "need 1 <= lead <= 200, got lead=201": [dict(lead=201)],
        "need 1 <= differ <= 600, got differ=601": [dict(differ=601)],
    },
    judge_explorer: {
        "need 0 <= passed <= 1000, got passed=1001": [dict(passed=1001)],
        "need 51 <= s <= 100, got s=50": [dict(s=50)],
        "need 51 <= t <= 100, got t=101": [dict(t=101)],
    },
    plan_explorer: {
        PLAN: [
            dict(rate=0.705),
            dict(rate=0),
            dict(rate=1),
            dict(rho=0.33),
            dict(rho=-0.05),
            dict(rho=1.05),
            dict(aim=0.301),
            dict(aim=0),
            dict(aim=0.0505),
        ],
        "need 10 <= questions <= 1000 and 1 <= n <= 256, got ": [
            dict(questions=9),
            dict(questions=1001),
            dict(n=0),
            dict(n=257),
        ],
        f"{CHOICE}['new questions', 'same questions', 'all samples independent'], got 'x'": [
            dict(choice="x")
        ],
    },
}


def name_case(case):
    return case.__name__ if callable(case) else None


@pytest.mark.parametrize(
    "explorer, given, told",
    [
        (explorer, given, told)
        for explorer, cases in REFUSED.items()
        for told, several in cases.items()
        for given in several
    ],
    ids=name_case,
)
def test_what_lies_just_outside_is_refused(explorer, given, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        explorer(**given)


@pytest.mark.parametrize("given", [dict(n=5.0), dict(c=3.0), dict(k=2.0)])
def test_urn_takes_whole_numbers(given):
    with pytest.raises(TypeError, match=r"n, c and k must be ints, got \d.*, \d.*, \d"):
        urn_explorer(**given)


def write_explorer(made):
    "All that a page holds besides the script and the picture."
    page = STILL.sub("", made._repr_html_())
    name = re.search('id="(explorer-[0-9a-f]{10})"', page)[1]
    page = page.replace(name, "explorer")
    assert page.count("#explorer ") > 20 and "ID" not in page.partition("</style>")[0]
    given = [json.dumps(o, ensure_ascii=False) for o in (*made.controls, made.start, made.more)]
    return "\n".join([*given, split_markup(page), repr(made)])


def list_cases(table):
    "Cases with the words they are stored under."
    return [
        (
            explorer,
            given,
            f"{explorer.__name__}({', '.join(f'{o}={value}' for o, value in given.items())})",
        )
        for explorer, cases in table.items()
        for given in cases
    ]


@pytest.mark.parametrize("explorer, given, name", list_cases(SHOWN))
def test_what_stands_beside_the_script(explorer, given, name):
    check_printed("explorers", name, write_explorer(explorer(**given)))


@pytest.mark.parametrize("explorer, given, name", list_cases(TAKEN))
def test_what_lies_at_the_ends_is_taken(explorer, given, name):
    made = explorer(**given)
    check_printed("explorers", name, f"{made.table!r}\n{json.dumps(made.start)}")


NUMBERS = re.compile(r"\d+(?:\.\d+)?(?![\d,])")


@pytest.mark.parametrize(
    "explorer, given, name", [case for table in (SHOWN, TAKEN, MORE) for case in list_cases(table)]
)
def test_the_table_is_what_the_script_shows(explorer, given, name):
    """Whatever is chosen; numbers to their last digit.

    Where the script searches, to a tenth of a point."""
    made = explorer(**given)
    context = start(made)
    choices = (
        [goal.question for goal in GOALS]
        if explorer is metric_chooser
        else [row[0] for row in made.table.lines()[1:]]
    )
    # A vote of 48 is counted anew for each choice, and is the same for all.
    if sum(given.get("votes", ())) == 48:
        choices = choices[::5]
    for choice in choices:
        if explorer is score_auditor and "interval" not in choice:
            continue
        shown = show(context, **made.start | dict(choice=choice))["rows"]
        for here, there in zip(made.table.lines()[1:], shown, strict=True):
            # Beside its number a cell of the script has a share that is not asked for, or what the
            # number is.
            if explorer is urn_explorer:
                here, there = here[::2], there[::2]
            if explorer is interval_explorer:
                there = [o.split(": ")[-1] for o in there]
            texts = ["\n".join(row).replace("\u00a0", " ") for row in (here, there)]
            assert NUMBERS.sub("#", texts[0]) == NUMBERS.sub("#", texts[1])
            loose = 0.1001 if explorer is score_auditor else 5.1e-4
            np.testing.assert_allclose(
                *([float(o) for o in NUMBERS.findall(text)] for text in texts), rtol=0, atol=loose
            )


# Curves.


@pytest.mark.parametrize(
    "k, shown",
    [
        ([5], [5]),
        (range(1, 9), range(1, 9)),
        (range(1, 10), [1, 2, 3, 4, 6, 7, 8, 9]),
        (range(1, 30), [1, 5, 9, 13, 17, 21, 25, 29]),
    ],
)
def test_eight_budgets_stand_for_all(k, shown):
    made = curve_explorer(k, *[[value] * len(k) for value in (0.1234567, 0, 0.25)])
    assert [row[0] for row in made.table.rows] == list(shown)
    assert (
        made.start["at"] == 0
        and made.start["k"] == list(k)
        and made.sentence == f"k = {k[0]}: inconclusive."
    )
    assert made.start["difference"] == [0.123457] * len(k)
    assert made.controls[0]["shown"] == list(k) and made.controls[0]["high"] == len(k) - 1


@pytest.mark.parametrize("start", [None, 1, 4, 16])
def test_curve_starts_where_it_is_asked_to(start):
    made = curve_explorer(
        K, **CURVE, start=start, names=("a<b", "c"), a=K / 20, b=K / 20 + CURVE["difference"]
    )
    assert K[made.start["at"]] == (start or 1) and made.start["names"] == ["a&lt;b", "c"]
    assert made.start["a"] == [0.05, 0.1, 0.2, 0.4, 0.8] and made.start["b"] == [
        -0.05,
        0.07,
        0.21,
        0.45,
        0.89,
    ]
    if start == 4:
        check_printed("explorers", "curve_explorer", write_explorer(made))


def test_zero_is_not_ahead():
    made = curve_explorer(
        [1, 2, 3, 4], [0] * 4, [0, -1, 1e-9, -1], [1, 0, 1, -1e-9], names=("a", "b")
    )
    assert [row[-1] for row in made.table.rows] == [
        "inconclusive",
        "inconclusive",
        "b is ahead",
        "a is ahead",
    ]


@pytest.mark.parametrize(
    "changed, told",
    [
        (dict(k=[]), "k must be budgets that rise from 1 on, got []"),
        (dict(k=[[1, 2]]), "got [[1 2]]"),
        (dict(k=[0, 1]), "got [0 1]"),
        (dict(k=[1, 1]), "got [1 1]"),
        (dict(k=2), "got 2"),
        (dict(difference=[0, np.inf]), "difference must be finite, got inf at k=2 (1 of 2 fail)"),
        (dict(a=[1]), "a must have one value per k, got (1,) for (2,)"),
        (dict(b=[np.nan] * 2), "b must be finite, got nan at k=1 (2 of 2 fail)"),
        (dict(low=[0, 0.5]), "low must not exceed high, got the reverse at k=2 (1 of 2 fail)"),
        (dict(low=[0.5, 0.5]), "low must not exceed high, got the reverse at k=1 (2 of 2 fail)"),
        (dict(start=3), "start must be one of k, got 3"),
    ],
)
def test_curves_that_cannot_be_drawn(changed, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        curve_explorer(**dict(k=[1, 2], difference=[0, 0], low=[0, 0], high=[0.1, 0.1]) | changed)


# Scores that were published.


@pytest.mark.parametrize(
    "score, questions, possible",
    [
        (73.3, 30, "yes"),
        (73.4, 30, "no"),  # 22 of 30 are 73.33...
        (12.5, 8, "yes"),
        (12.4, 8, "no"),
        (6.2, 16, "yes"),
        (6.3, 16, "yes"),
        (6.1, 16, "no"),
    ],
)  # 1 of 16 is 6.25
def test_which_scores_are_possible(score, questions, possible):
    assert score_auditor(score, questions, 1, 0.0).table.rows[0][2] == possible


# Intervals and peeking.


def test_coverage_counts_the_ends():
    ends = np.array([[0, 0.5], [0.5, 1]])  # Both counts of one question hold the rate one half
    assert cover(ends, 0.5) == 1 and cover(ends, 0.25) == 0.75 and cover(ends, 0.25, 0.75) == 0.25
    assert lowest_coverage(ends) == 0.5 and lowest_coverage(
        np.array([[0, 0.25], [0.25, 1]])
    ) == pytest.approx(0.25)
    assert (
        lowest_coverage(np.array([[0, 0.5], [0.5, 0.75]]))
        == lowest_coverage(np.array([[0.25, 0.5], [0.5, 1]]))
        == 0
    )


@pytest.mark.parametrize("k, fits", [(1, True), (5, True), (0, False), (6, False)])
def test_a_start_lies_on_its_slider(k, fits):
    controls = [dict(name="n", low=1, high=9), dict(name="k", low=1, high="n")]
    if fits:
        return check_ranges(controls, dict(n=5, k=k))
    with pytest.raises(ValueError, match=f"need 1 <= k <= 5, got k={k}"):
        check_ranges(controls, dict(n=5, k=k))


@pytest.mark.parametrize("k", [True, 1.0, "1", None])
def test_a_start_is_a_whole_number(k):
    with pytest.raises(TypeError, match="k must be an int"):
        check_ranges([dict(name="k", low=0, high=9)], dict(k=k))
