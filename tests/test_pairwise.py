"""Two systems compared: what a row holds, what every form says, and what travels. More of the verb:
test_comparing.py."""

import json
import pickle
import re
from dataclasses import replace
from html import unescape

import matplotlib.pyplot as plt
import numpy as np
import pytest

from printed import VERSIONS, check_text
from sampling_eval import Counts, compare
from sampling_eval.inference.comparison import Move
from sampling_eval.inference.bands import PairedCurve
from sampling_eval.analyses.compare.words import document
from sampling_eval.results import load_result
from sampling_eval.results.reading import Alignment, Unmatched
from sampling_eval.results.verdict import Evidence, judge_interval
from sampling_eval.analyses.compare.judge import widen_band
from sampling_eval.analyses.compare.result import Difference, PairwiseComparison
from sampling_eval.inference.intervals import Interval, Method

# AIME 2025 II, two runs of 15 problems: DeepSeek-R1, then o3-mini (high).
R1 = Counts([4] * 15, [4, 4, 2, 4, 3, 4, 2, 4, 4, 3, 2, 4, 0, 4, 1])
O3 = Counts([4] * 15, [4, 4, 4, 4, 3, 4, 4, 3, 4, 4, 4, 4, 2, 4, 4])
HOSTILE = "<img src=x onerror=alert(1)>|$x$\x1b[31m"


def row_at(k, **style):
    return compare(R1, O3, f"pass@{k}", **style).rows[0]


def flat(text):
    return " ".join(text.split())


def see(result):
    "What is read on a page."
    text = re.sub(r"(?s)<(style|svg|script)\b.*?</\1>", " ", result.to_html())
    return flat(unescape(re.sub(r"<[^>]*>", " ", text)).replace("\xa0", " "))


# One row.


def test_a_row_tells_the_published_comparison():
    told = row_at(1).to_dict()
    assert json.loads(json.dumps(told)) == told
    numbers = [told[name] for name in ("a", "b", "difference", "stderr", "stderr_unpaired")]
    np.testing.assert_allclose(
        numbers, [0.75, 14 / 15, 11 / 60, 0.0750661084306402, 0.0927960727138337], rtol=1e-12
    )
    assert (told["wins"], told["ties"], told["losses"], told["questions"]) == (6, 8, 1, 15)
    assert (told["metric"], told["k"], told["reason"], told["unit"]) == ("pass@1", 1, "", "share")
    assert (
        told["p"] == told["pvalue"] == pytest.approx(0.2398, abs=1e-4)
        and told["test"] == "gaffke, inverted"
    )
    assert told["without_assumptions"] == dict(
        low=told["low"], high=told["high"], pvalue=told["p"], verdict="inconclusive"
    )
    # The fifteen problems are too few for t, whose p value is .0285.
    assert told["evidence"] == dict(
        units=15, different=7, effective=pytest.approx(7.46, abs=0.01), needed=4.5
    )
    assert told["named_test"] is None and told["bounds"] is None and told["method"] == "gaffke"
    assert (
        told["null"].startswith("mean difference zero") and told["stderr_kind"] == "over questions"
    )
    assert told["verdict"] == "inconclusive" and "weights" not in told


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_the_ends_and_p_are_those_of_the_comparison(target):
    row = row_at(2, confidence_level=0.9, target=target)
    pair = row.comparison
    new, again = (
        pair.confidence_interval(0.9, target=one) for one in ("new_questions", "same_questions")
    )
    assert (row.low, row.high) == row.span("new_questions") == (new.low, new.high)
    assert (row.again.low, row.again.high) == row.span("same_questions") == (again.low, again.high)
    assert row.span() == row.span(target) and row.p == pair.invert(target=target).value
    assert (row.chance, row.correlation) == (pair.chance, pair.correlation)
    assert (row.interval.level, row.interval.method) == (0.9, Method("gaffke", True)) and (
        row.again.level,
        row.again.method,
    ) == (0.9, Method("gamma", False))


def test_a_row_holds_its_comparison():
    row = row_at(4)
    pair = row.comparison
    assert row.confidence_interval(0.9) == pair.confidence_interval(0.9)
    assert row.confidence_interval(0.9, "t") == pair.confidence_interval(0.9, "t")
    again = row.confidence_interval(0.8, target="same_questions")
    assert (
        again
        == pair.confidence_interval(0.8, target="same_questions")
        != row.confidence_interval(0.8)
    )
    assert row.run_test("gaffke") == pair.test("gaffke")
    assert row.run_test(target="same_questions", rng=1) == pair.test(target="same_questions", rng=1)
    assert row_at(4, target="same_questions").confidence_interval(0.8) == again


def test_a_named_method_is_for_the_named_target():
    new, these = row_at(1, method="t"), row_at(1, method="t", target="same_questions")
    assert [(row.interval.method.name, row.again.method.name) for row in (new, these)] == [
        ("t", "gamma"),
        ("gaffke", "t"),
    ]
    assert (
        new.test == "t (approximate), 14 degrees of freedom"
        and these.test == "normal (approximate)"
    )
    assert (
        new.method == these.method == "t" and new.method_asked and new.without_assumptions is None
    )
    assert new.low > 0 > row_at(1).low and new.verdict == "better"


@pytest.mark.parametrize(
    "style, says",
    [
        (dict(test="mcnemar"), "mcnemar needs one 0/1 sample"),
        (dict(test="z"), "test must be"),
        (dict(method="wilson"), "wilson needs one 0/1 outcome"),
        (dict(method="z"), "method must be"),
    ],
)
def test_a_named_method_is_refused_at_once(style, says):
    with pytest.raises(ValueError, match=says):
        row_at(2, **style)


def test_a_generator_is_drawn_from_in_the_order_of_the_rows():
    asked = dict(k=[1, 2, 4], target="same_questions", test="permutation")
    first, second = (compare(R1, O3, rng=np.random.default_rng(3), **asked) for _ in range(2))
    assert "p" in vars(first.rows[0]) and [row.named_test for row in first.rows] == [
        row.named_test for row in second.rows
    ]
    assert first.rows[0].named_test["method"].startswith("stratified permutation")
    for seed in 1, 2:
        for row in compare(R1, O3, k=[1, 2], method="bootstrap", rng=seed).rows:
            want = row.comparison.confidence_interval(0.95, "bootstrap", rng=seed)
            assert (row.low, row.high, row.interval.method.seed) == (want.low, want.high, seed)
    assert row_at(1, method="bootstrap", rng=np.random.default_rng(1)).interval.method.seed is None


def test_rows_share_what_is_computed_for_all():
    names = "low", "high", "p", "a", "b", "stderr", "chance"
    for row in compare(R1, O3, k=[1, 2, 4]).rows:
        alone = row_at(row.k)
        assert [getattr(row, name) for name in names] == pytest.approx(
            [getattr(alone, name) for name in names]
        )
        assert row.interval.method == alone.interval.method and row.named_test is None
        assert (row.again.low, row.again.high) == pytest.approx((alone.again.low, alone.again.high))
    tests = [row.named_test["pvalue"] for row in compare(R1, O3, k=[1, 2], test="sign-flip").rows]
    assert tests == [row_at(k, test="sign-flip").named_test["pvalue"] for k in (1, 2)]


@pytest.mark.parametrize(
    "low, high, said",
    [
        (0.01, 0.2, "better"),
        (0.0, 0.2, "inconclusive"),
        (-0.2, -0.01, "worse"),
        (-0.2, 0.0, "inconclusive"),
        (-0.1, 0.1, "inconclusive"),
        (None, None, "none"),
    ],
)
def test_an_interval_gives_the_verdict(low, high, said):
    assert judge_interval(None if low is None else Interval(low, high)) == said


def test_weights_are_fields_of_the_row():
    sides = [
        [
            dict(question=q, sample=s, correct=int(s + shift < q % 4), points=1 + q)
            for q in range(9)
            for s in range(4)
        ]
        for shift in (0, -1)
    ]
    found = compare(*sides, "pass@1", weights="points")
    row, told = found.rows[0], found.rows[0].to_dict()
    assert (told["weighted_by"], told["largest_weight"], told["assumed_largest_weight"]) == (
        "points",
        9,
        9,
    )
    assert (
        row.interval.method.weighted
        and not row.interval.method.exact
        and row.null.startswith("weighted ")
    )
    assert Difference.from_dict(told) == row and type(found).from_json(found.to_json()) == found
    assert "weighted by points (worth " in flat(
        repr(found)
    ) and "declare it with largest_weight" in flat(repr(found))
    declared = compare(*sides, "pass@1", weights="points", largest_weight=20).rows[0]
    assert declared.interval.method.exact and declared.weights.assumed_largest_weight is None


# What travels.


def test_a_row_survives_pickle():
    for row in row_at(1), row_at(4):
        again = pickle.loads(pickle.dumps(row))
        assert again == row and again.confidence_interval(0.9) == row.confidence_interval(0.9)
        tested = (
            one.run_test("permutation", target="same_questions", rng=3) for one in (row, again)
        )
        assert len({one.value for one in tested}) == 1


def test_a_result_from_json_is_equal(tmp_path):
    found = compare(R1, O3, title="AIME")
    assert list(json.loads(found.to_json())["curve"]) == [
        "k",
        "difference",
        "stderr",
        "low",
        "high",
        "critical",
        "confidence_level",
        "questions",
        "method",
    ]
    (tmp_path / "r.json").write_text(found.to_json(), "utf-8")
    for again in PairwiseComparison.from_json(found.to_json()), load_result(tmp_path / "r.json"):
        assert (
            again == found and repr(again) == repr(found) and type(again.curve) is type(found.curve)
        )
        assert (
            again.curve.gains.tolist() == found.curve.gains.tolist() and again.moved == found.moved
        )
        for ask in again.rows[0].confidence_interval, again.rows[0].run_test, again.questions.rows:
            with pytest.raises(ValueError, match="JSON "):
                ask()
    assert pickle.loads(pickle.dumps(found)) == found and found != compare(R1, O3)
    with pytest.raises(
        ValueError, match="need the JSON text of a result of compare, got something else"
    ):
        PairwiseComparison.from_json("{}")


def test_lines_of_a_spreadsheet_hold_numbers_and_names():
    line = compare(O3, R1, test="sign-flip", bounds=(-1, 0.9)).rows[0].to_flat()
    assert (line["interval"], line["again_interval"], line["bounds_low"]) == ("gaffke", "gamma", -1)
    assert {"without_assumptions_low", "evidence_different", "named_pvalue", "named_test"} < set(
        line
    )
    assert not any(isinstance(value, (dict, list)) for value in line.values())
    assert "without_assumptions_pvalue" in compare(R1, O3).to_frame("pandas").columns


def test_rows_by_name():
    found = compare(R1, O3)
    assert found["pass@2"] is found.rows[1]
    with pytest.raises(KeyError, match="metric must be one of .*, got 'pass@9'"):
        found["pass@9"]


# Every form, from rows with given numbers.


def tell_row(metric="pass@1", k=1, low=-0.1, high=0.3, again=(0.05, 0.25), **fields):
    "A row with given numbers."
    said = dict(
        a=0.5,
        b=0.625,
        difference=0.125,
        stderr=0.06,
        stderr_unpaired=0.09,
        correlation=0.5,
        p=0.0123,
        pvalue=0.0123,
        test="sign-flip",
        null="no change",
        smallest=0.01,
        wins=6,
        ties=8,
        losses=1,
        chance=0.9,
        questions=15,
        stderr_kind="over questions",
        estimator="unbiased",
        reason="",
        evidence=Evidence(15, 7, 6.5, 4.0),
        named_test=None,
        bounds=None,
        method="t",
        method_asked=True,
        without_assumptions=None,
        confidence_level=0.95,
        target="new_questions",
        unit="share",
        weights=None,
    )
    new = (
        None if low is None else Interval(low, high, 0.95, "new_questions", Method("gaffke", True))
    )
    same = (
        None
        if again[0] is None
        else Interval(*again, 0.95, "same_questions", Method("gamma", False))
    )
    said |= dict(interval=new, again=same) | fields
    found = said["interval"] if said["target"] == "new_questions" else said["again"]
    return Difference(metric, k, **dict(verdict=judge_interval(found)) | said)


def hold(*rows, **fields):
    told = dict(
        names=("base", "new"),
        moved={},
        samples=((4, 4), (4, 4)),
        alignment=Alignment(15),
        target=rows[0].target,
        curve=None,
    )
    return PairwiseComparison(rows=rows, sides=None, **told | fields)


EACH = (0.125, 0.25), (-0.25, -0.125), (-0.125, 0.3125), (None, None)


def tell_each(*ends, **fields):
    return [
        tell_row(
            f"pass@{2**i}",
            2**i,
            *end,
            **dict(difference=0.125 if None in end else sum(end) / 2) | fields,
        )
        for i, end in enumerate(ends)
    ]


@pytest.mark.parametrize(
    "ends, said, badge",
    [
        (
            EACH[0],
            (
                "new leads base by 18.8 points in pass@1 (95 % CI +12.5 to +25.0, new questions,"
                " t): significant."
            ),
            "better",
        ),
        (
            EACH[1],
            (
                "new trails base by 18.8 points in pass@1 (95 % CI -25.0 to -12.5, new questions,"
                " t): significant."
            ),
            "worse",
        ),
        (
            EACH[2],
            (
                "new leads base by 9.4 points in pass@1 (95 % CI -12.5 to +31.2, new questions, t):"
                " inconclusive."
            ),
            "inconclusive",
        ),
        (EACH[3], "new leads base by 12.5 points in pass@1 (new questions): no CI.", ""),
        (
            (-0.25, 0.25),
            (
                "base and new are equal in pass@1 (95 % CI -25.0 to +25.0, new questions, t):"
                " inconclusive."
            ),
            "inconclusive",
        ),
    ],
)
def test_the_headline(ends, said, badge):
    result = hold(*tell_each(ends))
    head = document(result)[0]
    assert (head.text, head.verdict) == (said, badge) and repr(result).startswith(said[:40])
    assert ('class="badge' in result.to_html()) is bool(badge)


@pytest.mark.parametrize(
    "ends, end",
    [
        (EACH[:2], "significant; but worse at pass@2."),
        (EACH[1::-1], "significant; but better at pass@2."),
        (
            (EACH[2], EACH[0], EACH[1]),
            "inconclusive; but significantly better at pass@2 and worse at pass@4.",
        ),
        ((EACH[0], EACH[2]), "significant."),
    ],
)
def test_the_headline_names_verdicts_that_contradict_it(ends, end):
    assert document(hold(*tell_each(*ends)))[0].text.endswith(end)


def test_each_target_has_its_verdicts_in_one_sentence():
    found = flat(repr(hold(*tell_each(*EACH))))
    assert (
        "New questions: new is significantly better at pass@1; significantly worse at pass@2;"
        " inconclusive at pass@4; no CI at pass@8. Same questions: new is significantly better at"
        " pass@1 to pass@8. "
        in found
    )
    one = flat(repr(hold(tell_row(target="same_questions", method="gamma", method_asked=False))))
    assert (
        ", same questions): significant." in one
        and "New questions: inconclusive (95 % CI -10.0 to +30.0)." in one
    )
    assert hold(*tell_each(*EACH)).verdict() == {
        "pass@1": "better",
        "pass@2": "worse",
        "pass@4": "inconclusive",
        "pass@8": "none",
    }
    assert hold(tell_row()).verdict("same_questions") == {"pass@1": "better"}


@pytest.mark.parametrize(
    "low, high, said",
    [
        (
            [0.1, 0, -0.1, -0.1],
            [0.2, 0.1, 0, 0.1],
            "new is better at k = 1; inconclusive at k = 2-8.",
        ),
        (
            [0.1, -0.1, -0.2, -0.3],
            [0.2, 0.1, -0.1, -0.2],
            (
                "new is better at k = 1; worse at k = 4-8; inconclusive at k = 2. The curves "
                "cross between k = 1 and k = 4."
            ),
        ),
        ([0.1] * 4, [0.2] * 4, "new is better at k = 1-8."),
        ([-0.1] * 4, [0.1] * 4, "inconclusive at k = 1-8."),
        (
            [-0.3] + [0.1] * 3,
            [-0.2] + [0.2] * 3,
            "new is better at k = 2-8; worse at k = 1. The curves cross between k = 1 and k = 2.",
        ),
    ],
)
def test_what_a_band_says(low, high, said):
    ends = [np.array(one, float) for one in (low, high)]
    k = np.array([1, 2, 4, 8])
    rows = [tell_row(f"pass@{one}", one, None, None) for one in k.tolist()]
    curve = PairedCurve(k, sum(ends) / 2, sum(ends), *ends, 2.4, 0.9, 15, "sup-t")
    result = PairwiseComparison(
        ("base", "new"),
        tuple(rows),
        {},
        ((4, 4), (4, 4)),
        Alignment(15),
        curve=widen_band(curve, rows),
    )
    assert f"Simultaneous 90 % band for all 4 values of k, new questions: {said}" in flat(
        repr(result)
    )
    # A band holds the interval of each k by itself.
    wide = widen_band(curve, [tell_row(f"pass@{one}", one, -0.4, 0.4) for one in k.tolist()])
    assert wide.low.tolist() == [-0.4] * 4 and wide.high.tolist() == [0.4] * 4


def test_the_screen_shows_some_of_many_budgets():
    result = hold(*[tell_row(f"pass@{k}", k) for k in range(1, 41)])
    table = repr(result).partition("metric  ")[2]
    assert [line.split()[0] for line in table.splitlines() if line.startswith("pass@")] == [
        f"pass@{k}" for k in (1, 2, 4, 8, 16, 32, 40)
    ]
    assert "33 more values of k: --how or a file has them." in repr(result)
    assert result.to_text(how=True).count("\npass@17 ") == 2


@pytest.mark.parametrize(
    "fields, said",
    [
        (
            dict(
                alignment=Alignment(
                    15, (Unmatched("base", 5, ("q25", "q3", "x")), Unmatched("new", 0))
                )
            ),
            (
                "15 common questions; left out: 5 only in base ('q25', 'q3', 'x', ...); 4 samples"
                " each."
            ),
        ),
        (
            dict(samples=((1, 1), (2, 4))),
            "Same 15 questions; base with 1 sample each, new with 2 to 4.",
        ),
        (dict(notes=("a note.",)), "a note."),
    ],
)
def test_what_is_compared(fields, said):
    assert said in flat(repr(hold(tell_row(), **fields)))


def test_scores_have_a_unit_of_their_own():
    rows = [
        [
            dict(question=q, sample=s, score=float(q % 3 + shift + s))
            for q in range(9)
            for s in range(2)
        ]
        for shift in (0, 1)
    ]
    found = compare(*rows, "max@k")
    assert (
        {row.unit for row in found.rows} == {"score"}
        and "points" not in repr(found)
        and "%" not in repr(found).partition("W/T/L\n")[2].partition("diff:")[0]
    )
    assert found.rows[0].chance is None and "P(B > A)" not in found.to_text(how=True)
    assert "B leads A by 1.000 in max@1 (new questions): no CI." in flat(repr(found))


def test_where_the_noise_of_the_questions_is_unknown():
    rows = [
        [
            dict(question=f"q{q}", sample=s, score=(q * shift + s) % 5 / 4)
            for q in range(9)
            for s in range(3)
        ]
        for shift in (2, 3)
    ]
    found = compare(*rows, "soft@n")
    assert found.rows[0].again.method.upper_bound
    assert "the CI for the same questions is that for new ones, an upper bound." in flat(
        repr(found)
    )
    assert "upper bound" not in repr(compare(R1, O3))


def test_what_moved_most():
    found = compare(R1, O3, k=[1, 4])
    shown = found.to_text(how=True)
    assert re.search(r"\n14 +1 of 4 +4 of 4 +\+75\.0 points\n", shown)
    told = PairwiseComparison.from_json(found.to_json()).to_text(how=True)
    assert re.search(r"\n14 +25\.0 % +100\.0 % +\+75\.0 points\n", told)
    none = hold(tell_row(), moved={"pass@1": (), "pass@2": (Move("q", 1.0, 0.0, -1.0),)})
    assert "No question differs in pass@1." in replace(none, moved={"pass@1": ()}).to_text(how=True)


def test_the_page_begins_with_badge_answer_and_picture():
    page = compare(R1, O3).to_html()
    order = [
        'class="badge',
        "<h1>",
        "Same questions:",
        '<figure class="chart">',
        "<th>metric</th>",
        "<summary>All numbers",
        "<summary>Questions that differ most",
        "<summary>Methods",
    ]
    places = [page.index(one) for one in order]
    assert places == sorted(places) and "<title>sampling_eval: B against A</title>" in page
    assert '<figure class="intervals"' in compare(R1, O3, "pass@1").to_html()
    assert see(compare(R1, O3, ["pass@1", "pass^4"])).count("CI ") >= 2
    for kind in "markdown", "latex":
        assert "pass@4" in getattr(compare(R1, O3), f"to_{kind}")().replace(r"\_", "_")


def test_hostile_names_are_inert():
    sides = [
        [
            dict(question=HOSTILE + str(q), sample=0, correct=c, model=HOSTILE + name)
            for q, c in enumerate(right)
        ]
        for name, right in (("a", [1, 0, 1]), ("b", [0, 0, 1]))
    ]
    found = compare(*sides)
    forms = found.to_html(), found.to_markdown(), found.to_latex(), found.to_text(how=True)
    assert not any("\x1b" in form for form in forms) and "<img" not in forms[0] + forms[1]
    assert (
        max(map(len, repr(found).splitlines())) <= 80
        and PairwiseComparison.from_json(found.to_json()) == found
    )


# Figures.


def test_figures_are_drawn_from_the_rows():
    one, many = compare(R1, O3, "pass@1"), compare(R1, O3, confidence_level=0.9)
    ax = one.plot()
    assert (
        ax.lines[1].get_xdata().tolist() == [one.rows[0].difference] and ax.get_xlabel() == "B - A"
    )
    assert ax.get_title("left") == "B against A (15 questions)"
    ax = many.plot("difference", size="page")
    np.testing.assert_allclose(
        [line.get_ydata() for line in ax.lines[:3]],
        [many.curve.difference, many.curve.low, many.curve.high],
    )
    assert [text.get_text() for text in ax.get_legend().get_texts()][:2] == [
        "90 % CI at each k",
        "simultaneous 90 % band",
    ]
    ax = many.plot()
    assert (
        ax.lines[0].get_ydata().tolist() == list(many.sides[0].estimate)
        and ax.get_ylabel() == "pass@k"
    )
    again = PairwiseComparison.from_json(many.to_json()).plot()
    assert again.lines[0].get_ydata().tolist() == list(many.sides[0].estimate)
    with pytest.raises(ValueError, match="what must be 'curves' or 'difference', got 'x'"):
        one.plot("x")
    plt.close("all")


# Printed in full.


def draw(seed, *gains, size=60, n=8):
    "Counts of systems whose questions have difficulties in common."
    rng = np.random.default_rng(seed)
    easy = rng.beta(0.8, 0.8, size)
    return [Counts([n] * size, rng.binomial(n, np.clip(easy + gain, 0, 1))) for gain in gains]


PRINTED = {
    "compare": lambda: replace(compare(*draw(4, 0, 0.09)), names=("base.csv", "rl.csv")),
    "compare_metrics": lambda: compare(
        *draw(5, 0, 0.12), ["pass@1", "pass^4", "cons@3"], test="sign-flip", target="same_questions"
    ),
    "compare_one_question": lambda: compare([[1, 1]], [[0, 1]], "pass@1"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed(name, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = PRINTED[name]()
    texts = [repr(result), result.to_text(how=True), result.methods(), result.to_markdown()]
    assert max(map(len, "\n".join(texts[:2]).splitlines())) <= 80
    check_text(
        name, *(VERSIONS.sub("VERSIONS", text) for text in texts[: 3 if name == "compare" else 2])
    )


def test_a_verdict_names_the_system_that_is_worse_at_some_budgets_only():
    old = Counts([8] * 60, [8, 4, 4] * 20)
    new = Counts([8] * 60, [1, 2, 8] * 20)
    found = compare(old, new, "pass@k", target="same_questions")
    signs = {row.verdict for row in found.rows}
    assert signs == {"worse", "inconclusive"}
    said = [line for line in " ".join(str(found).split()).split("Same questions: ")][1]
    assert said.startswith("B is significantly worse at pass@1")
