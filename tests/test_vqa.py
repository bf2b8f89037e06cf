"VQA and ANLS: recorded results of other tools, listings, and refusals."

import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.metrics.average import hard_accuracy, soft_accuracy
from sampling_eval.metrics.vqa import (
    CONTRACTIONS,
    anls,
    edit_distance,
    soft_hard_gap,
    vqa_accuracy,
    vqa_match_score,
    vqa_normalize,
)

VECTORS = json.loads((Path(__file__).parent / "vectors" / "vqa.json").read_text("utf-8"))


def test_leave_one_out_values():
    check = VECTORS["vqa_loo"]
    assert vqa_match_score(check["input"]["matches"]).tolist() == check["output"]
    for m, want in zip(check["input"]["matches"], check["output"]):
        assert vqa_accuracy(["cat"], [["cat"] * m + ["dog"] * (10 - m)])[0] == want


@pytest.mark.parametrize("m", range(6))
def test_textvqa_tools(m):
    v = VECTORS["textvqa"][f"{m}_of_10_match"]
    soft, hard = v["aisbench_soft_and_hard"]
    assert vqa_match_score(m) == soft == v["lmms_eval"]
    assert hard_accuracy([[vqa_match_score(m)]])[0] == hard
    assert v["simple_min_m_over_3"] == min(m / 3, 1)


@pytest.mark.parametrize(
    "name, text",
    [
        ("case_GT_Nokia_x10_pred_Nokia", "Nokia"),
        ("digit_GT_two_pred_two", "two"),
        ("article_GT_the_who_pred_the_who", "the who"),
        ("no_answer_id_all_equal", "cat"),
    ],
)
def test_inputs_on_which_one_side_was_normalised(name, text):
    v = VECTORS["textvqa"][name]
    assert vqa_accuracy([text], [[text] * 10])[0] == v["lmms_eval"] == 1
    assert v.get("aisbench", v.get("aisbench_without_id")) == [0.0, False]


@pytest.mark.parametrize("text, form", VECTORS["normal_forms"].items())
def test_normal_forms_of_the_official_processor(text, form):
    assert vqa_normalize(text) == form


def test_contractions():
    assert len(CONTRACTIONS) == 114
    assert all(
        short == word or short.replace("'", "") == word.replace("'", "")
        for short, word in CONTRACTIONS.items()
    )


@pytest.mark.parametrize("R", range(2, 13))
def test_leaving_each_out(R):
    for m in range(R + 1):
        flags = [1] * m + [0] * (R - m)
        exact = sum(min(Fraction(1), Fraction(sum(flags) - f, 3)) for f in flags) / R
        assert vqa_match_score(m, R) == float(exact)


def test_shapes():
    refs = [["cat"] * 10, ["dog"] * 10]
    assert vqa_accuracy(["cat", "cat"], refs).tolist() == [1, 0]
    assert vqa_accuracy([["cat", "cat", "dog"], ["dog"] * 3], refs).tolist() == [
        [1, 1, 0],
        [1, 1, 1],
    ]
    ragged = vqa_accuracy([["cat"], ["dog", "cat"]], refs)
    assert [row.tolist() for row in ragged] == [[1], [1, 0]]
    np.testing.assert_array_equal(soft_accuracy(ragged), [1, 0.5])
    assert vqa_accuracy(np.array([["cat", "dog"], ["cat", "dog"]]), refs).tolist() == [
        [1, 0],
        [0, 1],
    ]
    assert vqa_accuracy(iter(["cat", "cat"]), refs).tolist() == [1, 0]
    assert vqa_accuracy(["cat"], [["cat"] * 2 + ["dog"]])[0] == pytest.approx(4 / 9)
    assert anls([["cat"], ["dig", "cat"]], refs)[1].tolist() == [pytest.approx(2 / 3), 0]


def test_anls_at_the_threshold():
    check = VECTORS["anls_thresholds"]
    pairs, kept = check["input"]["pairs"], check["output"]
    predictions, references = [p for p, _ in pairs], [[r] for _, r in pairs]
    assert anls(predictions, references, at_threshold="keep").tolist() == kept
    assert anls(predictions, references).tolist() == [s if s > 0.5 else 0 for s in kept]


def plain_distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    return min(
        plain_distance(a[1:], b) + 1,
        plain_distance(a, b[1:]) + 1,
        plain_distance(a[1:], b[1:]) + (a[0] != b[0]),
    )


text = st.text("ab ", max_size=6)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    text,
    st.lists(text, min_size=1, max_size=3),
    st.sampled_from([0.2, 0.5, 1]),
    st.sampled_from(["zero", "keep"]),
)
def test_anls_from_its_definition(prediction, references, threshold, at):
    clean = lambda t: " ".join(t.split())
    parts = []
    for r in references:
        a, b = clean(prediction), clean(r)
        distance, longer = plain_distance(a, b), max(len(a), len(b))
        assert edit_distance(a, b) == distance == edit_distance(b, a)
        part = Fraction(distance, longer) if longer else Fraction(0)
        limit = Fraction(str(threshold))
        parts.append(1 - part if part < limit or (at == "keep" and part == limit) else 0)
    assert anls([prediction], [references], threshold=threshold, at_threshold=at)[
        0
    ] == pytest.approx(float(max(parts)), abs=1e-15)


def test_anls_normal_form():
    assert anls(["  NEW\n york ", ""], [["new york"], [""]]).tolist() == [1, 1]
    assert anls(["ABC"], [["abc"]], normalize=str)[0] == 0


def test_soft_and_hard():
    check = VECTORS["aisbench_soft_hard"]
    gap = soft_hard_gap([check["input"]["avg_acc"]])
    assert gap.soft[0] == pytest.approx(check["output"]["soft"]) and gap.hard[0] == pytest.approx(
        check["output"]["hard"]
    )


@settings(derandomize=True, deadline=None, max_examples=100)
@given(
    st.lists(
        st.lists(st.sampled_from([0, 0.3, 0.5, 0.6, 0.9, 1]), min_size=1, max_size=5),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([0, 0.3, 0.5, 0.9]),
)
def test_the_difference_is_fully_attributed(scores, threshold):
    gap = soft_hard_gap(scores, threshold)
    total = hard_accuracy(scores, threshold).mean() - soft_accuracy(scores).mean()
    assert gap.total == pytest.approx(total, abs=1e-12)
    assert sum(part for _, part in gap.causes) == pytest.approx(total, abs=1e-12)
    assert sum(part for _, part in gap.by_score.values()) == pytest.approx(total, abs=1e-12)
    assert sum(m for m, _ in gap.by_score.values()) == sum(map(len, scores))


def test_normal_form_is_applied_to_both_sides_once():
    seen = []

    def note(text):
        seen.append(text)
        return text.lower()

    vqa_accuracy([["Cat", "Cat"]], [["cat"] * 9 + ["CAT"]], normalize=note)
    assert sorted(seen) == ["CAT", "Cat", "cat"]


TEN = ["two"] * 10
REFUSED = [
    (
        vqa_accuracy,
        (["two"], [["two"]]),
        ValueError,
        "references must hold at least 2 per question, got 1 at question 0 (1 of 1 fail)",
    ),
    (
        vqa_accuracy,
        ("two", [TEN]),
        ValueError,
        "predictions must hold one entry per question, got the text 'two'",
    ),
    (
        anls,
        (["two"], "two"),
        ValueError,
        "references must hold one entry per question, got the text 'two'",
    ),
    (
        vqa_accuracy,
        (["two"], ["two"]),
        ValueError,
        "references must hold a list of texts per question, got 'two' at question 0",
    ),
    (anls, ([], []), ValueError, "predictions must hold at least one question, got none"),
    (
        anls,
        (["a"], [[]]),
        ValueError,
        "references must hold at least 1 per question, got 0 at question 0",
    ),
    (
        vqa_accuracy,
        ([["two"], []], [TEN, TEN]),
        ValueError,
        "predictions must hold at least 1 per question, got 0 at question 1 (1 of 2 fail)",
    ),
    (
        vqa_accuracy,
        (["two", None], [TEN, TEN]),
        TypeError,
        (
            "predictions must hold text, got None at question 1 (1 of 2 fail); an unanswered"
            " question is ''"
        ),
    ),
    (
        vqa_accuracy,
        (["two", 2], [TEN, TEN]),
        TypeError,
        "predictions must hold text, got 2 at question 1",
    ),
    (
        vqa_accuracy,
        (["two", ["two", None]], [TEN, TEN]),
        TypeError,
        "predictions must hold text, got None at question 1 (1 of 2 fail)",
    ),
    (
        vqa_accuracy,
        (["two"], [[2] * 10]),
        TypeError,
        "references must hold text, got 2 at question 0",
    ),
    (
        vqa_accuracy,
        (["two"], [TEN, TEN]),
        ValueError,
        "must have one entry per question, got 1 and 2",
    ),
    (vqa_match_score, (11,), ValueError, "need 0 <= matches <= references, got 11 of 10"),
    (vqa_match_score, ([1, -1],), ValueError, "got -1 of 10 at question 1 (1 of 2 fail)"),
    (vqa_match_score, (1, 1), ValueError, "leaving one out needs at least 2 references, got 1"),
    (
        vqa_match_score,
        ([1, 1], [10, 1]),
        ValueError,
        "at least 2 references, got 1 at question 1 (1 of 2 fail)",
    ),
    (vqa_match_score, (1.5,), TypeError, "matches must hold integers, got 1.5"),
    (soft_hard_gap, ([[1.5]],), ValueError, "need 0 <= score <= 1, got 1.5"),
]


@pytest.mark.parametrize("call, args, kind, message", REFUSED)
def test_refused_by_name_and_place(call, args, kind, message):
    with pytest.raises(kind) as error:
        call(*args)
    assert message in str(error.value)


def test_options_refused():
    with pytest.raises(ValueError, match="need 0 < threshold <= 1, got 0"):
        anls(["a"], [["a"]], threshold=0)
    with pytest.raises(ValueError, match="at_threshold must be 'zero' or 'keep', got 'drop'"):
        anls(["a"], [["a"]], at_threshold="drop")
    with pytest.raises(
        TypeError, match="normalize must be a function from text to text, got 'lower'"
    ):
        anls(["a"], [["a"]], normalize="lower")


def test_a_missing_score_is_not_a_wrong_one():
    with pytest.raises(ValueError, match="got nan at question 0"):
        soft_hard_gap([[float("nan")]])


def test_long_texts_are_cheap_when_lengths_differ():
    rng = random.Random(0)
    long = "".join(rng.choices("abc", k=200_000))
    assert anls([long], [["abc"]])[0] == 0


def test_where_hard_and_soft_accuracy_differ_by_hand():
    gap = soft_hard_gap([[1, 0.5], [0.6, 0.8, 0.1], [0, 1], [0.5, 0.5]])
    assert gap.soft.tolist() == pytest.approx([0.75, 0.5, 0.5, 0.5])
    assert gap.hard.tolist() == pytest.approx([0.5, 2 / 3, 0.5, 0])
    assert gap.difference.tolist() == pytest.approx([-0.25, 1 / 6, 0, -0.5])
    assert gap.total == pytest.approx((-0.25 + 1 / 6 - 0.5) / 4) and gap.threshold == 0.5
    assert [q for q, _ in gap.causes] == [3, 0, 1]
    assert [part for _, part in gap.causes] == pytest.approx([-1 / 8, -1 / 16, 1 / 24])
    assert {score: times for score, (times, _) in gap.by_score.items()} == {
        0: 1, 0.1: 1, 0.5: 3, 0.6: 1, 0.8: 1, 1: 2
    }
    parts = [part for _, part in gap.by_score.values()]
    want = [0, -0.1 / 12, -0.5 / 8 - 2 * 0.5 / 8, 0.4 / 12, 0.2 / 12, 0]
    assert parts == pytest.approx(want)
    assert repr(gap) == "SoftHardGap(soft=0.5625, hard=0.4167, 3 of 4 questions differ)"


def test_a_normal_form_is_a_text():
    said = "normalize must be a function from text to text, got one that returns 2"
    with pytest.raises(TypeError, match=f"^{said}$"):
        anls(["ab"], [["cd"]], normalize=len)
