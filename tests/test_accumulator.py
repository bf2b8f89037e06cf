"`Accumulator`: outcomes as they come, the same numbers as `score` gives for all of them together."

import json
import pickle
import sys
from fractions import Fraction

import numpy as np
import pytest

from sampling_eval import Accumulator, compare, score
from sampling_eval.reading.options import Policy
from sampling_eval.metrics.catalog import CATALOG
from sampling_eval.analyses.count.accumulator import (
    closed_state,
    estimate_kinds,
    freeze_kind,
    read_sample,
    read_score,
    refuse_objects,
)

NAMES = [name for name, metric in CATALOG.items() if metric.at == "every k"]


def draw(questions=60, n=6, seed=0):
    "Samples of many questions: rows with answer and score, wrong answers of three kinds."
    rng = np.random.default_rng(seed)
    for question in range(questions):
        right = rng.random(n) < rng.random()
        answers = np.where(right, "right", rng.choice(list("abc"), n))
        scores = np.where(right, 1, rng.choice([0, 0.25, 0.5], n))
        yield [
            dict(question=question, correct=int(o), answer=str(a), score=float(s))
            for o, a, s in zip(right, answers, scores)
        ]


def columns(samples):
    "Outcomes, answers and scores of one question."
    return [[o[part] for o in samples] for part in ("correct", "answer", "score")]


@pytest.fixture(scope="module")
def questions():
    return list(draw())


@pytest.fixture(scope="module")
def held(questions):
    acc = Accumulator()
    for samples in questions:
        acc.add_question(*columns(samples))
    return acc


@pytest.fixture(scope="module")
def whole(questions):
    return score([o for samples in questions for o in samples], [*NAMES, "avg@n", "soft@n"])


def test_the_report_is_that_of_score(held, whole):
    assert held.score([*NAMES, "avg@n", "soft@n"]).estimates() == pytest.approx(whole.estimates())


@pytest.mark.parametrize("k", [1, 3, 6])
@pytest.mark.parametrize("name", NAMES)
def test_an_estimate_is_the_row_of_score(held, whole, name, k):
    name = name.replace("k", str(k)) if name != "mg-pass@k" else f"mg-pass@{k}"
    found, row = held.estimate(name), whole[name]
    assert found.value == pytest.approx(row.estimate)
    assert found.stderr == pytest.approx(row.stderr)
    ends = found.confidence_interval()
    if "max" in name or "min" in name:
        return
    np.testing.assert_allclose([ends.low, ends.high], [row.low, row.high], atol=1e-9)


@pytest.mark.parametrize("name", ["avg@n", "soft@n", "avg@6"])
def test_metrics_without_a_budget(held, questions, name):
    row = score([o for samples in questions for o in samples], name).rows[0]
    found = held.estimate(name)
    assert (found.value, found.stderr) == pytest.approx((row.estimate, row.stderr))


@pytest.mark.parametrize("name,rtol", [("pass@2", 1e-12), ("cons@3", 1e-12), ("maj@2", 0.05)])
def test_the_same_questions_run_again(held, questions, name, rtol):
    "The error of a vote is that of random orders, so that it is equal only about."
    data = [o for samples in questions for o in samples]
    row = score(data, name, target="same_questions").rows[0]
    assert held.estimate(name, target="same_questions").stderr == pytest.approx(
        row.stderr, rel=rtol
    )


def test_samples_one_by_one_in_any_order(questions, held):
    acc, rng = Accumulator(), np.random.default_rng(1)
    rows = [o for samples in questions for o in samples]
    for i in rng.permutation(len(rows)):
        acc.add(**rows[i])
    assert len(acc) == 0 and len(acc.open) == 60
    acc.close()
    assert acc.kinds == held.kinds and not acc.open


def test_batches(questions, held):
    acc = Accumulator()
    for samples in questions:
        named = [o["question"] for o in samples]
        acc.extend(named, *columns(samples))
    acc.close(*range(10))
    assert len(acc) == 10 and repr(acc).endswith("50 open)")
    acc.close()
    assert acc.kinds == held.kinds


def test_a_closed_question_takes_no_more_samples():
    acc = Accumulator()
    acc.add("a", True)
    acc.close("a")
    with pytest.raises(KeyError, match="question 'a' is not open; it was closed"):
        acc.close("a")
    acc.add("a", False)
    acc.close()
    assert len(acc) == 2


def test_counts():
    acc = Accumulator()
    for correct in ([1, 0, 1], [0, 0], [1, 1, 0]):
        acc.add_question(correct)
    counts = acc.counts
    assert sorted(zip(counts.n.tolist(), counts.c.tolist())) == [(2, 0), (3, 2), (3, 2)]
    assert (
        acc.estimate("pass@2").value
        == score([[1, 0, 1], [0, 0], [1, 1, 0]], "pass@2").rows[0].estimate
    )


def test_memory_grows_with_kinds_only():
    acc, rng = Accumulator(), np.random.default_rng(0)
    for c in rng.integers(0, 9, 5000):
        acc.add_question([True] * c + [False] * (8 - c))
    assert len(acc) == 5000 and len(acc.kinds) == 9 and len(acc.to_json()) < 600
    assert sys.getsizeof(acc.kinds) < 2000


def test_workers_are_added(questions, held):
    halves = [Accumulator(), Accumulator()]
    for i, samples in enumerate(questions):
        halves[i % 2].add_question(*columns(samples))
    assert (halves[0] + halves[1]).kinds == (halves[1] + halves[0]).kinds == held.kinds
    assert len(halves[0]) == 30
    assert sum(halves, Accumulator()).kinds == held.kinds


def test_a_question_split_over_workers_is_one():
    one, other = Accumulator(), Accumulator()
    one.extend(["a", "a"], [1, 0])
    other.extend(["a", "b"], [1, 1])
    both = one + other
    both.close()
    assert sorted(both.counts.n.tolist()) == [1, 3]
    assert one.open["a"] == [(1, None, None), (0, None, None)]


def test_rules_must_agree():
    with pytest.raises(
        ValueError, match="one rule for equal answers, got normalize=None and 'strip'"
    ):
        Accumulator() + Accumulator("strip")
    with pytest.raises(TypeError):
        Accumulator() + 1


@pytest.mark.parametrize(
    "there", [lambda o: pickle.loads(pickle.dumps(o)), lambda o: Accumulator.from_json(o.to_json())]
)
def test_there_and_back(questions, there):
    acc = Accumulator("strip")
    for samples in questions[:20]:
        acc.add_question(*columns(samples))
    acc.add("é", None, " x ", np.float64(0.5))
    acc.add(np.int64(3), np.True_, np.int64(7))
    again = there(acc)
    assert again == acc and again.kinds == acc.kinds
    again.close()
    assert len(again) == 22 and len(acc) == 20


def test_what_json_does_not_hold():
    with pytest.raises(TypeError, match="JSON holds no function, got normalize='str'; pickle"):
        Accumulator(str).to_json()
    acc = Accumulator("number")
    acc.add("a", 1, "1/3")
    with pytest.raises(TypeError, match="got Fraction 1/3 at open question a; close it first"):
        acc.to_json()
    acc.close()
    assert Accumulator.from_json(acc.to_json()) == acc
    for text in ("[]", "{}", json.dumps(dict(accumulator=99))):
        with pytest.raises(ValueError, match="must be what to_json of an accumulator gave"):
            Accumulator.from_json(text)


def test_answers_are_equal_under_a_rule():
    acc = Accumulator("number")
    acc.add_question([1, 1, 0, 0, 0], ["0.5", "1/2", "a", "b", "c"])
    assert acc.estimate("maj@5").value == 1
    plain = Accumulator()
    plain.add_question([1, 1, 0, 0, 0], ["0.5", "1/2", "a", "b", "c"])
    assert plain.estimate("maj@5").value == 0.4


def test_samples_without_answer_need_a_rule():
    acc = Accumulator()
    acc.add_question([1, 0, 0], ["x", None, ""])
    with pytest.raises(
        ValueError, match="maj@3 cannot be computed: samples without an answer need a rule"
    ):
        acc.estimate("maj@3")
    assert acc.estimate("maj@3", no_answer="abstain").value == 1
    assert acc.estimate("maj@3", no_answer="vote").value == 0


def test_samples_without_outcome_need_a_policy():
    acc = Accumulator()
    acc.extend("aab", [1, None, float("nan")])
    acc.extend("b", [0])
    acc.close()
    with pytest.raises(ValueError, match="2 samples have no outcome"):
        acc.estimate("pass@1")
    found = acc.estimate("pass@1", missing="wrong")
    assert found.value == 0.25 and found.missing == 2
    assert acc.estimate("pass@1", missing="drop").value == 0.5
    twice = acc + acc
    with pytest.raises(ValueError, match=r"4 samples have no outcome \(4 questions: "):
        twice.estimate("pass@1")
    assert acc.estimate("pass@1", missing="wrong", samples_per_question=4).value == 0.125
    assert "2 of 4 samples missing" in acc.score(missing="wrong").read


def test_a_number_beside_its_text():
    acc = Accumulator()
    with pytest.raises(
        ValueError,
        match="a number and its text are different answers, got both for 7 at question 'number 1'",
    ):
        acc.add_question([1, 0], [7, "7"])
    acc.add_question([1, 0], [7, "x"])


def test_an_answer_both_right_and_wrong():
    acc = Accumulator()
    acc.add_question([1, 0], ["x", "x"])
    with pytest.raises(ValueError, match="an answer must be right or wrong throughout"):
        acc.estimate("maj@2")
    assert acc.estimate("maj@2", conflict="any").value == 1


@pytest.mark.parametrize(
    "sample,error,said",
    [
        (dict(correct=2), ValueError, "correct must be 0 or 1, got 2 at question q"),
        (dict(correct=0.5), ValueError, "pass graded outcomes as score"),
        (dict(correct="yes"), TypeError, "correct must hold 0/1 or bool, got 'yes'"),
        (dict(correct=""), TypeError, "correct must hold 0/1 or bool, got ''"),
        (
            dict(correct=1, score="high"),
            TypeError,
            "scores must be numbers, got 'high' at question q",
        ),
        (
            dict(correct=1, answer=[1]),
            TypeError,
            r"answers must be hashable, got list \[1\] at question 'q'; pass normalize=str",
        ),
    ],
)
def test_odd_samples_are_refused_and_not_taken(sample, error, said):
    acc = Accumulator()
    with pytest.raises(error, match=said):
        acc.extend(
            ["p", "q"],
            [1, sample["correct"]],
            [None, sample.get("answer")],
            [None, sample.get("score")],
        )
    assert not acc.open


def test_columns_of_one_length():
    acc = Accumulator()
    with pytest.raises(ValueError, match=r"correct must hold one value per sample \(2\), got 1"):
        acc.extend("ab", [1])
    with pytest.raises(ValueError, match=r"answers must hold one value per sample \(2\), got 3"):
        acc.add_question([1, 0], "xyz")
    with pytest.raises(ValueError, match="at least one sample, got none"):
        acc.add_question([])


def test_nothing_closed():
    acc = Accumulator()
    acc.add("a", 1)
    for ask in (acc.score, lambda: acc.counts, lambda: acc.estimate("pass@1")):
        with pytest.raises(ValueError, match=r"no question is closed yet.*that are open \(1\)"):
            ask()


def test_one_budget(held):
    with pytest.raises(ValueError, match="estimate needs one budget, got 'pass@k'; write 'pass@6'"):
        held.estimate("pass@k")
    with pytest.raises(
        ValueError, match=r"k=9 needs 9 samples, got n=6 at question .* \(60 of 60 fail\)"
    ):
        held.estimate("pass@9")
    with pytest.raises(ValueError, match="normalize must be"):
        Accumulator("upper")


def test_open_questions_are_said(held):
    acc = held + Accumulator()
    acc.add("late", 1)
    assert acc.score("pass@1").read.startswith(
        "accumulator: 60 closed questions; 1 open question excluded"
    )


def test_other_verbs_read_it(held):
    assert len(score(held.rows, "pass@1").questions["question"]) == 60
    assert compare(held.counts, held.counts, "pass@1")["pass@1"].difference == 0


def test_closed_questions_are_no_pairs(held):
    "Their names are gone, so that those of two accumulators must never be paired."
    other = Accumulator()
    for samples in draw(seed=1):
        other.add_question(*columns(samples))
    with pytest.raises(ValueError, match="A and B must share questions"):
        compare(held.counts, other.counts, "pass@1")


# The parts of `Accumulator`: kinds of questions, rows, names and text.

BARE = ((), ((0, None, 1),), ((1, None, 1),))  # Two answers, one right


def make_held():
    "Three questions of two kinds, and one that is open."
    held = Accumulator("strip")
    for _ in range(2):
        held.add_question([1, 0, 1], [" x", "y", "x"], [1, 0.5, 0.25])
    held.add_question([0, None], [None, "z"], [None, float("nan")])
    held.extend(["late", "late"], [1, 0], ["a", None], [None, 2])
    return held


@pytest.mark.parametrize(
    "question, answer, said",
    [
        (
            ["q"],
            "x",
            r"^names of questions must be hashable, got list \['q'\] at question \['q'\]$",
        ),
        (
            "q",
            ["x"],
            r"^answers must be hashable, got list \['x'\] at question 'q'; pass normalize=str or"
            r" another function that makes "
            r"them so$",
        ),
    ],
)
def test_what_cannot_be_counted(question, answer, said):
    with pytest.raises(TypeError, match=said):
        read_sample(None, question, 1, answer, None)
    with pytest.raises(TypeError, match="^scores must be numbers, got 'high' at question q$"):
        read_score("high", "q")


def test_a_kind_is_the_same_in_any_order():
    samples = [(1, "x", 0.5), (0, "y", None), (1, "x", 0.5), (None, None, 1.0), (0, None, None)]
    kind = (((0, None, 1), (None, 1.0, 1)), ((0, None, 1),), ((1, 0.5, 2),))
    assert closed_state(samples, "q") == closed_state(samples[::-1], "q") == kind
    assert (
        closed_state([(1, "a", None), (0, "b", None)], "q")
        == closed_state([(0, "b", None), (1, "a", None)], "q")
        == BARE
    )
    assert (
        closed_state([(1, 1, None), (0, 2.5, None)], "q") == BARE
        and freeze_kind(json.loads(json.dumps(kind))) == kind
    )
    # Outcomes, then scores, by their texts.
    assert closed_state([(1, None, 2.0), (1, None, 10.0), (0, None, 3.0)], "q") == (
        ((0, 3.0, 1), (1, 10.0, 1), (1, 2.0, 1)),
    )
    with pytest.raises(
        ValueError,
        match="a number and its text are different answers, got both for 7 at question 'q'",
    ):
        closed_state([(1, 7, None), (0, "7", None)], "q")
    assert closed_state([(1, 7, None), (0, "8", None)], "q") == BARE


def test_what_it_looks_like():
    held = make_held()
    assert repr(held) == "Accumulator(3 questions of 2 kinds, 1 open)" and len(held) == 3
    held.close("late")
    assert repr(held) == "Accumulator(4 questions of 3 kinds)" and held.open == {}
    assert repr(Accumulator()) == "Accumulator(0 questions of 0 kinds)"
    with pytest.raises(
        KeyError, match="question 'late' is not open; it was closed, or never had a sample"
    ):
        held.close("late")


def test_text_and_back():
    held = make_held()
    text = held.to_json()
    assert json.loads(text) == dict(
        accumulator=1,
        normalize="strip",
        open=[["late", [[1, "a", None], [0, None, 2.0]]]],
        kinds=[
            [[[], [[0, 0.5, 1]], [[1, 0.25, 1], [1, 1.0, 1]]], 2],
            [[[[0, None, 1]], [[None, None, 1]]], 1],
        ],
    )
    again = Accumulator.from_json(text)
    assert (
        again == held
        and again.open["late"] == [(1, "a", None), (0, None, 2.0)]
        and again.normalize == "strip"
    )
    held.add("é", 1)
    assert "é" in held.to_json()


@pytest.mark.parametrize(
    "name, answer, said",
    [
        (
            ("a", 1),
            "x",
            (
                r"got tuple \('a', 1\) at open question \('a', 1\); close it first, or pickle the"
                r" accumulator"
            ),
        ),
        ("q", Fraction(1, 3), "got Fraction 1/3 at open question q"),
        ("q", b"x", "got bytes b'x' at open question q"),
    ],
)
def test_what_text_does_not_hold(name, answer, said):
    with pytest.raises(
        TypeError, match=f"^JSON holds names and answers that are text or numbers, {said}"
    ):
        refuse_objects(name, [(1, answer, None)])
    assert (
        refuse_objects("q", [(1, "a", None), (0, None, 0.5), (0, 2, None), (0, 2.5, None)]) is None
    )


def test_a_function_is_no_text():
    with pytest.raises(
        TypeError,
        match=(
            "JSON holds no function, got normalize='lower'; pickle the accumulator, or name a rule"
        ),
    ):
        Accumulator(str.lower).to_json()
    held = Accumulator(str.lower)
    held.add_question([1, 1, 0], ["A", "a", "b"])
    assert held.estimate("maj@2").value == pytest.approx(1 / 3 + 2 / 3 / 2)


def test_every_option_of_an_estimate_counts():
    held = Accumulator()
    for answers, right in (("xxyy", [1, 1, 0, 0]), ("xyzz", [1, 0, 0, 0])):
        held.add_question(right, list(answers))
    held.add_question([1, None, 0, 0], ["x", "x", None, "z"])

    def estimate(name, **options):
        return held.estimate(
            name, **dict(missing="wrong", no_answer="vote", conflict="any") | options
        )

    whole = held.score(["maj@2", "pass@2"], missing="wrong", no_answer="vote", conflict="any")
    assert (
        estimate("maj@2").value == pytest.approx(whole["maj@2"].estimate)
        and estimate("pass@2").missing == 1
    )
    wrong = held.score("maj@2", ties="wrong", missing="wrong", no_answer="vote", conflict="any")[
        "maj@2"
    ]
    assert estimate("maj@2", ties="wrong").value == pytest.approx(wrong.estimate)
    assert wrong.estimate < whole["maj@2"].estimate
    again = held.score(
        "pass@2", target="same_questions", missing="wrong", no_answer="vote", conflict="any"
    )["pass@2"]
    assert estimate("pass@2", target="same_questions").stderr == pytest.approx(again.stderr)
    assert estimate("pass@2").stderr != pytest.approx(again.stderr)
    more = estimate("pass@2", samples_per_question=5)
    assert more.missing == 4 and more.n_min == 5
    assert estimate("pass@1", missing="drop").value == pytest.approx((1 / 2 + 1 / 4 + 1 / 3) / 3)
    for name, value in (("target", "both"), ("missing", "bounds")):
        with pytest.raises(ValueError, match=f"{name} must be"):
            estimate("pass@2", **{name: value})
    with pytest.raises(
        ValueError,
        match=(
            "estimate needs one budget, got 'pass@k'; write 'pass@4', or take score.. for all of "
            "them"
        ),
    ):
        estimate_kinds(
            held, "pass@k", "new_questions", "expected", Policy("wrong", None, "vote", None, "any")
        )


# What is rarely counted: answers without an outcome, look-alikes beside nothing, minus zero.


@pytest.mark.parametrize(
    "outcomes, answers",
    [
        ([None, 1], ["x", "y"]),
        ([None, 0, 1], ["x", "y", "x"]),
        ([1, None, None], [None, "x", "y"]),
    ],
)
def test_answers_without_an_outcome_have_no_order(outcomes, answers):
    there, back = Accumulator(), Accumulator()
    there.add_question(outcomes, answers)
    back.add_question(outcomes[::-1], answers[::-1])
    assert there.kinds == back.kinds and len((there + back).kinds) == 1


def test_kinds_with_and_without_an_outcome_have_names():
    acc = Accumulator()
    for outcome in (None, 0, 1):
        acc.add_question([outcome])
    names = acc.rows.questions.tolist()
    assert len(set(names)) == 3
    turned = Accumulator()
    for outcome in (1, None, 0):
        turned.add_question([outcome])
    assert turned.rows.questions.tolist() == names


def test_a_number_beside_its_text_and_a_sample_without_an_answer():
    with pytest.raises(ValueError, match="got both for 7 at question 'number 1'"):
        Accumulator().add_question([1, 0, 0], [7, "7", None])


def test_minus_zero_is_zero():
    "Accumulators of the same samples give their questions the same names."
    plain, minus = Accumulator(), Accumulator()
    for acc, zero in (plain, 0.0), (minus, -0.0):
        acc.add_question([1, 0], None, [zero, 1.5])
        acc.add("late", 1, None, zero)
    assert plain.to_json() == minus.to_json()
    assert plain.rows.questions.tolist() == minus.rows.questions.tolist()


def test_scores_of_some_questions_alone():
    acc = Accumulator()
    acc.add_question([1, 0], None, [0.5, 0.25])
    acc.add_question([1, 1], None, [1.0, None])
    assert acc.rows.score is not None
    report = acc.score(["pass@1"])
    assert report["pass@1"].estimate == 0.75
