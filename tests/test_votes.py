"`score(vote_weight=, vote_keep=)`: fractions over every subset, the command, forms, refusals."

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, groupby, permutations, product
from math import ceil

import numpy as np
import pytest

from conftest import command
from sampling_eval import Report, mean_over_questions, score
from sampling_eval.analyses.addons.votes import check_keep, choose_step

RNG = np.random.default_rng(0)
ROWS = [
    dict(
        question=f"q{q}",
        sample=s,
        correct=int(answer == "A"),
        answer=answer,
        sure=int(RNG.integers(0, 4)) / 4,
    )
    for q in range(6)
    for s in range(5)
    for answer in [str(RNG.choice(list("AABC")))]
]


def by_question(rows):
    return [list(some) for _, some in groupby(rows, key=lambda row: row["question"])]


def plurality(weights, ties):
    "Credit of `A` by the sums of weights of all answers."
    top = max(weights.values(), default=0)
    leaders = [answer for answer, weight in weights.items() if weight == top]
    if top == 0 or "A" not in leaders:
        return Fraction(0)
    return Fraction(1, len(leaders)) if ties == "expected" else Fraction(len(leaders) == 1)


def weighted(some, ties):
    sums = Counter()
    for row in some:
        sums[row["answer"]] += Fraction(row["sure"])
    sums.pop(None, None)
    return plurality(sums, ties)


def filtered(some, kept, ties):
    "The mean over all orders of the samples in which equally sure ones stand in turn."
    orders = [one for one in permutations(some) if all(
        a["sure"] >= b["sure"] for a, b in zip(one, one[1:]))]
    votes = [Counter(row["answer"] for row in one[:kept]) for one in orders]
    for one in votes:
        one.pop(None, None)
    return sum(plurality(one, ties) for one in votes) / len(votes)


def mean_of(rows, k, credit):
    "Over all subsets of `k` samples of a question, and over questions."
    found = []
    for samples in by_question(rows):
        sets = list(combinations(samples, k))
        found.append(sum(map(credit, sets)) / len(sets))
    return sum(found) / len(found)


@pytest.mark.parametrize("ties", ["expected", "wrong"])
@pytest.mark.parametrize("keep", [0.5, Fraction(1, 3), 2, [1, 1, 2, 2, 4], None])
def test_fractions_over_every_subset(ties, keep):
    found = score(ROWS, "maj@k", ties=ties, vote_weight="sure", vote_keep=keep).votes
    assert (found.weight, found.questions, found.step, found.rounded) == ("sure", 6, 0.25, False)
    assert [row.k for row in found.rows] == [1, 2, 3, 4, 5]
    for row in found.rows:
        same = {id(one): one | dict(sure=1) for one in ROWS}
        plain = mean_of([*same.values()], row.k, lambda some: weighted(some, ties))
        assert row.maj == pytest.approx(float(plain), abs=1e-14)
        want = mean_of(ROWS, row.k, lambda some: weighted(some, ties))
        assert row.weighted == pytest.approx(float(want), abs=1e-14)
        if keep is None or (keep == 2 and row.k < 2):
            assert row.kept is row.filtered is row.filtered_interval is None
            continue
        kept = keep[row.k - 1] if isinstance(keep, list) else keep
        kept = kept if isinstance(kept, int) else ceil(Fraction(kept) * row.k)
        assert row.kept == kept
        want = mean_of(ROWS, row.k, lambda some: filtered(some, kept, ties))
        assert row.filtered == pytest.approx(float(want), abs=1e-14)


def test_every_small_question():
    "Three samples of three answers and two weights, in all ways."
    cases = list(product(product("AB", (1, 2)), repeat=3))
    rows = [
        dict(question=f"{i:03}", answer=answer, correct=int(answer == "A"), sure=sure)
        for i, case in enumerate(cases)
        for answer, sure in case
    ]
    found = score(rows, "maj@k", vote_weight="sure", vote_keep=2).votes
    for row in found.rows:
        want = mean_of(rows, row.k, lambda some: weighted(some, "expected"))
        assert row.weighted == pytest.approx(float(want), abs=1e-14)
        if row.k > 1:
            want = mean_of(rows, row.k, lambda some: filtered(some, 2, "expected"))
            assert row.filtered == pytest.approx(float(want), abs=1e-14)


def test_weights_that_are_equal_change_nothing():
    rows = [row | dict(sure=0.3) for row in ROWS]
    for row in score(rows, "maj@k", vote_weight="sure", vote_keep=1.0).votes.rows:
        assert row.weighted == pytest.approx(row.maj, abs=1e-14)
        assert row.filtered == pytest.approx(row.maj, abs=1e-14) and row.kept == row.k
    some = score(rows, "maj@k", vote_weight="sure", vote_keep=1).votes.rows
    first = score(rows, "maj@1").rows[0].estimate
    assert [row.filtered for row in some] == pytest.approx([first] * 5, abs=1e-14)


def test_maj_is_that_of_the_report_and_intervals_are_its_kind():
    report = score(ROWS, "maj@k", vote_weight="sure", vote_keep=0.5)
    assert [row.maj for row in report.votes.rows] == pytest.approx(
        [row.estimate for row in report.rows]
    )
    values = [weighted(samples, "expected") for samples in by_question(ROWS)]
    own = mean_over_questions([float(value) for value in values]).confidence_interval()
    last = report.votes.rows[-1].weighted_interval
    assert (last.low, last.high) == pytest.approx((own.low, own.high))
    assert last.target == "new_questions" and last.method.name == own.method.name


@pytest.mark.parametrize("no_answer", ["abstain", "vote"])
def test_samples_without_an_answer(no_answer):
    rows = [row | dict(answer=None) if row["answer"] == "B" else row for row in ROWS]
    found = score(rows, "maj@k", no_answer=no_answer, vote_weight="sure", vote_keep=0.5).votes
    told = rows if no_answer == "abstain" else ROWS
    for row in found.rows:
        want = mean_of(told, row.k, lambda some: weighted(some, "expected"))
        assert row.weighted == pytest.approx(float(want), abs=1e-14)
        kept = ceil(row.k / 2)
        want = mean_of(told, row.k, lambda some: filtered(some, kept, "expected"))
        assert row.filtered == pytest.approx(float(want), abs=1e-14)


def test_answers_are_equal_as_maj_takes_them():
    rows = [row | dict(answer=row["answer"].lower() + " " * i) for i, row in enumerate(ROWS)]
    one, other = (
        score(some, "maj@k", normalize=normalize, vote_weight="sure", vote_keep=0.5).votes
        for some, normalize in ((rows, "strip"), (ROWS, None))
    )
    assert [row.weighted for row in one.rows] == pytest.approx([row.weighted for row in other.rows])
    assert [row.filtered for row in one.rows] == pytest.approx([row.filtered for row in other.rows])
    odd = [row | dict(correct=1) if i == 0 else row for i, row in enumerate(ROWS)]
    odd[0] |= dict(answer="B")
    odd[1] |= dict(answer="B", correct=0)
    assert score(odd, "maj@k", conflict="any", vote_weight="sure").votes.rows
    with pytest.raises(ValueError, match="votes cannot be counted: an answer must be right or"):
        score(odd, "pass@k", vote_weight="sure")


def test_each_model_and_few_budgets():
    rows = [row | dict(model=name) for row in ROWS for name in "ab"]
    found = score(rows, "pass@k", [1, 4], vote_weight="sure").votes
    assert [(row.model, row.k) for row in found.rows] == [("a", 1), ("a", 4), ("b", 1), ("b", 4)]
    assert [row.k for row in score(rows, "maj@3", vote_weight="sure").votes.rows] == [3, 3]
    grouped = [row | dict(part=row["question"] > "q2") for row in ROWS]
    whole, parts = (score(some, "maj@k", vote_weight="sure", **more).votes
                    for some, more in ((ROWS, {}), (grouped, dict(by="part"))))
    assert whole == parts


def test_clusters_count_once():
    rows = [row | dict(passage="ab"[row["question"] > "q2"]) for row in ROWS]
    found = score(rows, "maj@k", cluster="passage", vote_weight="sure").votes.rows[-1]
    values = [float(weighted(samples, "expected")) for samples in by_question(ROWS)]
    own = mean_over_questions(values, cluster=[0] * 3 + [1] * 3).confidence_interval()
    ends = found.weighted_interval
    assert (ends.low, ends.high) == pytest.approx((own.low, own.high))


def test_samples_that_are_dropped_do_not_vote():
    rows = [*ROWS, ROWS[0] | dict(sample=9, correct=None, answer="C", sure=None)]
    one = score(rows, "maj@k", missing="drop", vote_weight="sure", vote_keep=0.5).votes
    assert one == score(ROWS, "maj@k", vote_weight="sure", vote_keep=0.5).votes


def test_the_step_in_words():
    def said(values, samples=5):
        rows = [
            dict(question=f"q{q}", correct=int(s < 2), answer="AB"[s >= 2], sure=values(q, s))
            for q in range(3)
            for s in range(samples)
        ]
        return " ".join(repr(score(rows, "maj@k", vote_weight="sure")).split())
    assert "sure: all weights are multiples of 0.25" in " ".join(
        repr(score(ROWS, "maj@k", vote_weight="sure")).split()
    )
    draw = np.random.default_rng(1).random
    assert "sums of weights are compared as they are, without rounding" in said(
        lambda q, s: float(draw())
    )
    assert ("weights are rounded to multiples of 0.001, a tie where the rounded sums are equal; "
            "smaller ones than 0.0005 do not vote") in said(lambda q, s: float(draw()), 16)


@pytest.mark.parametrize(
    "weights, most, step, rounded",
    [
        ([0.1, 0.35, 1.0], 64, 0.05, False),
        ([3, 3], 64, 3, False),
        ([0, 0], 64, 1, False),
        ([1.0, 0.0003], 16, 0.001, True),
        ([1.0, 0.123], 16, 0.001, False),
        ([1.0, 0.123], 64, 0.005, True),
        ([1.01, 0.0003], 1000, 0.02, True),
        ([437.1, 0.0003], 64, 2, True),
        ([1.0, 0.0003], 12, None, False),
    ],
)
def test_the_step_of_weights(weights, most, step, rounded):
    found, round_off = choose_step(np.array(weights, float), most)
    assert round_off == rounded and found == (None if step is None else pytest.approx(step))


def test_rounded_weights_are_near():
    rng = np.random.default_rng(2)
    rows = [
        dict(question=q, correct=int(answer == "A"), answer=answer, sure=float(rng.random()))
        for q in range(4)
        for _ in range(14)
        for answer in [str(rng.choice(list("AAB")))]
    ]
    found = score(rows, "maj@k", [3], vote_weight="sure").votes
    assert found.rounded and found.step == 0.001
    want = mean_of(rows, 3, lambda some: weighted(some, "expected"))
    assert found.rows[0].weighted == pytest.approx(float(want), abs=0.01)


def test_json_and_every_form():
    report = score(ROWS, "maj@k", vote_weight="sure", vote_keep=0.5)
    again = Report.from_json(report.to_json())
    assert again == report and again.votes == report.votes and repr(again) == repr(report)
    text = " ".join(repr(report).split())
    last = report.votes.rows[-1]
    assert (f"Votes of 5 weighted by sure are right on {100 * last.weighted:.1f} % of questions "
            "(95 % CI ") in text
    assert f"those of the 3 with the largest sure on {100 * last.filtered:.1f} %" in text
    assert "Every sample was drawn" in text
    for written in (report.to_html(), report.to_markdown(), report.to_latex()):
        assert "weighted by sure" in written
    assert score(ROWS, "maj@k").addons == {}


def test_the_command(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(ROWS))
    ran = command("score", path, "-m", "maj@k", "--vote-weight", "sure", "--vote-keep", ".5")
    assert ran.returncode == 0, ran.stderr
    said = " ".join(ran.stdout.split())
    assert "those of the 3 with the largest sure" in said
    ran = command("score", path, "-m", "maj@k", "--vote-weight", "sure", "--vote-keep", "2")
    assert "those of the 2 with the largest sure" in " ".join(ran.stdout.split())
    ran = command("score", path, "-k", "2,4", "--vote-weight", "sure", "--vote-keep", "1,3",
                  "-f", "json")
    assert [row["kept"] for row in json.loads(ran.stdout)["votes"]["rows"]] == [1, 3]
    ran = command("score", path, "--vote-keep", ".5")
    assert ran.returncode == 2 and "name it by --vote-weight" in " ".join(ran.stderr.split())


def without(name):
    return [{key: value for key, value in row.items() if key != name} for row in ROWS]


def changed(**more):
    return [row | more if i == 7 else row for i, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    "rows, more, said",
    [
        (changed(sure=-1), {}, "finite weight of at least 0 in 'sure', got a negative one at "
         "question 'q1' (1 of 6 fail); take exp of log-probabilities first"),
        (changed(sure=None), {}, "got one without at question 'q1' (1 of 6 fail)"),
        (without("answer"), {}, "a weighted vote needs answers, got data without a column of them"),
        (without("sure"), {}, "vote_weight='sure' is not a column"),
        (ROWS, dict(vote_weight=None, vote_keep=0.5), "no column of weights was named, got 0.5"),
        (ROWS, dict(vote_keep=0.0), "vote_keep must be a share above 0 and at most 1"),
        (ROWS, dict(vote_keep=1.5), "vote_keep must be a share above 0 and at most 1"),
        (ROWS, dict(vote_keep=0), "or whole numbers from 1, got 0"),
        (ROWS, dict(vote_keep=[1, 2]), "vote_keep must hold a number for each k, at most k"),
        (ROWS, dict(vote_keep=[2] * 5), "vote_keep must hold a number for each k, at most k"),
        (ROWS, dict(judge=(0.9, 0.8)), "judge and vote_weight exclude each other"),
        (ROWS, dict(labels="sure"), "labels and vote_weight exclude each other"),
        (ROWS, dict(earlier=ROWS), "earlier and vote_weight exclude each other"),
        (ROWS, dict(weights={f"q{q}": 1 for q in range(6)}),
         "weights and vote_weight exclude each other"),
        (ROWS, dict(missing="bounds"), "missing and vote_weight exclude each other"),
        (ROWS, dict(missing="wrong"), "a sample that is missing has no weight to vote with"),
        (ROWS, dict(vote_weight="correct"), "must be another column than that of the outcomes"),
        (ROWS, dict(vote_weight="answer"), "vote_weight='answer': score must hold numbers, got '"),
        ([row | dict(target="A") for row in without("correct")],
         dict(expected="target", grade="exact"), "got outcomes that are made from something else"),
        (np.eye(4, dtype=int), {}, "needs a table with a column of it, beside one of outcomes"),
        (ROWS, dict(correct=False, score="sure", threshold=0.5), "got graded scores"),
    ],
)
def test_refusals(rows, more, said):
    with pytest.raises(ValueError) as told:
        score(rows, **{"vote_weight": "sure", **more})
    assert said in str(told.value)


@pytest.mark.parametrize(
    "more, said",
    [
        (dict(vote_weight=3), "vote_weight must be the name of a column, got 3"),
        (dict(vote_weight="sure", vote_keep=True), "vote_keep must be a share"),
        (dict(vote_weight="sure", vote_keep="half"), "vote_keep must be a share"),
    ],
)
def test_refused_kinds(more, said):
    with pytest.raises(TypeError) as told:
        score(ROWS, **more)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "keep, want",
    [
        (None, None),
        (0.5, 0.5),
        (1.0, 1.0),
        (Fraction(1, 3), Fraction(1, 3)),
        (1, 1),
        ([3], 3),
        ((1, 4), [1, 4]),
        (np.array([2, 3]), [2, 3]),
    ],
)
def test_what_may_be_kept(keep, want):
    assert check_keep(keep) == want


@pytest.mark.parametrize("keep", [0.0, 1.5, -0.5, 0, -1, [0, 2], [2, 0], True, "2", [], [1, 0.5]])
def test_what_may_not_be_kept(keep):
    with pytest.raises((ValueError, TypeError), match="vote_keep must be a share above 0"):
        check_keep(keep)


def test_the_hint_is_about_weights_below_zero_alone():
    for value, hint in (-1, True), (None, False):
        with pytest.raises(ValueError) as told:
            score(changed(sure=value), vote_weight="sure")
        assert ("take exp of log-probabilities first" in str(told.value)) is hint
