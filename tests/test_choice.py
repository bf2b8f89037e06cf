"Multiple choice: recorded results of other tools, plain-Python listings, and refusals."

import json
from math import exp, inf, log, log2, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sampling_eval.metrics.calibration import bin_edges, calibration
from sampling_eval.metrics.choice import (
    choice_brier,
    choice_credit,
    choice_scores,
    mmlu_log_prob_score,
)

VECTORS = json.loads((Path(__file__).parent / "vectors" / "choice.json").read_text("utf-8"))
EXAMPLE = [[-1.0, -2.0, -3.0, -4.0], [-2.0, -1.0, -3.0, -4.0]]


def test_example_of_the_document():
    result = mmlu_log_prob_score(EXAMPLE, [0, 1])
    assert list(result) == ["accuracy", "predictions", "avg_correct_prob"]
    assert (
        result["accuracy"] == 1.0
        and result["predictions"] == [0, 1]
        and round(result["avg_correct_prob"], 4) == 0.6439
    )
    assert [
        type(result["accuracy"]),
        type(result["predictions"][0]),
        type(result["avg_correct_prob"]),
    ] == [float, int, float]
    json.dumps(result)
    assert (
        mmlu_log_prob_score(log_probs=np.array(EXAMPLE), correct_answers=np.array([0, 1])) == result
    )


def test_values_are_not_rounded():
    p = [exp(-x) for x in (1, 2, 3, 4)]
    assert mmlu_log_prob_score(EXAMPLE, [0, 1])["avg_correct_prob"] == pytest.approx(
        p[0] / sum(p), rel=1e-15
    )


rows = st.lists(
    st.sampled_from([0.0, -0.25, -1.0, -1.5, -40.0, -900.0, -inf]), min_size=1, max_size=6
).filter(lambda r: max(r) > -inf)
questions = st.lists(
    rows.flatmap(lambda r: st.tuples(st.just(r), st.integers(0, len(r) - 1))),
    min_size=1,
    max_size=8,
)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(questions)
def test_listing(qs):
    table, gold = [r for r, _ in qs], [g for _, g in qs]
    got, mmlu = choice_scores(table, gold), mmlu_log_prob_score(table, gold)
    first = choice_scores(table, gold, ties="first")
    assert mmlu["accuracy"] == first.accuracy == np.mean(np.array(mmlu["predictions"]) == gold)
    assert mmlu["predictions"] == [r.index(max(r)) for r in table] == got.predictions.tolist()
    for i, (r, g) in enumerate(qs):
        weight = [exp(x - max(r)) for x in r]
        p = [w / sum(weight) for w in weight]
        assert got.gold_prob[i] == pytest.approx(p[g], rel=1e-14)
        assert got.credit[i] == (r[g] == max(r)) / r.count(max(r))
        assert got.brier[i] == pytest.approx(
            sum((x - (a == g)) ** 2 for a, x in enumerate(p)), rel=1e-12, abs=1e-15
        )
        assert got.nll[i] == (
            inf
            if r[g] == -inf
            else pytest.approx(log(sum(weight)) + max(r) - r[g], rel=1e-12, abs=1e-15)
        )
        assert got.probs[i, len(r) :].sum() == 0
    wrong = choice_scores(table, gold, ties="wrong")
    assert (wrong.credit <= got.credit).all() and (wrong.credit <= first.credit).all()


def test_normalisations_of_the_survey():
    check = VECTORS["mc_logprob_norms"]
    given, want = check["input"], check["output"]
    got = choice_scores(
        [given["lls"]],
        [given["gold"]],
        texts=[given["choices"]],
        unconditional=[given["unconditional"]],
    )
    assert [got.under(name).predictions[0] for name in ("raw", "char", "pmi")] == [
        want["raw"],
        want["char_norm"],
        want["pmi"],
    ]
    np.testing.assert_allclose(got.probs[0], want["probs"], rtol=1e-12)
    np.testing.assert_allclose(
        [got.brier[0], got.nll[0]], [want["brier_multiclass"], want["nll"]], rtol=1e-12
    )
    assert got.disagreements.tolist() == [0]
    assert got.bits_per_byte[0] == pytest.approx(6 / 3 * log2(exp(1)), rel=1e-14)
    assert choice_brier(np.full((1, 4), 0.25), [0])[0] == VECTORS["brier_uniform4"]["output"]


def test_characters_and_bytes():
    text, want = (
        VECTORS["mc_bytes_vs_chars"]["input"]["choice"],
        VECTORS["mc_bytes_vs_chars"]["output"],
    )
    got = choice_scores([[-8.0]], [0], texts=[[text]])
    assert (
        -8 / got.scores["char"][0, 0] == want["chars"]
        and -8 / got.scores["byte"][0, 0] == want["bytes"]
    )


@pytest.mark.parametrize("case", ["gold1", "bytes"])
def test_lm_eval(case):
    v = VECTORS["lm_eval"][case]
    got, want = (
        choice_scores([v["logprobs"]], [v["gold"]], texts=[v["texts"]], ties="first"),
        v["result"],
    )
    assert [got.accuracies[name] for name in ("raw", "char", "byte")] == [
        want["acc"],
        want["acc_norm"],
        want["acc_bytes"],
    ]
    assert want["brier_score"][0] == v["gold"]
    np.testing.assert_allclose(got.probs[0], want["brier_score"][1], rtol=1e-12)


def test_lighteval_and_ties():
    v = VECTORS["lighteval"]
    texts = [[text[1:] for text in v["choices"]]]
    got = choice_scores([v["logprobs"]], [v["gold"]], texts=texts, ties="first")
    assert [got.accuracies["raw"], got.accuracies["char"]] == [v["acc"], v["char_norm"]]
    assert got.gold_prob[0] == pytest.approx(v["norm_prob_gold1"], rel=1e-12)
    first = [choice_scores([v["logprobs"]], [g], ties="first").accuracy for g in (0, 2)]
    assert first == VECTORS["lm_eval"]["tie_gold0_gold2"] == [v["tie_gold0"], v["tie_gold2"]]
    assert [choice_scores([v["logprobs"]], [g]).accuracy for g in (0, 2)] == [0.5, 0.5]


def test_given_lengths_equal_texts_and_tokens():
    logprobs, texts = [[-4.0, -6.0, -5.0], [-1.0, -2.0]], [["abcd", "ééééé", "zz"], ["a", "ü"]]
    by_text = choice_scores(logprobs, [1, 0], texts=texts)
    lengths = {
        "char": [[4, 5, 2], [1, 1]],
        "byte": [[4, 10, 2], [1, 2]],
        "token": [[2, 6, 1], [1, 1]],
    }
    by_length = choice_scores(logprobs, [1, 0], lengths=lengths, normalize="token")
    for name in ("char", "byte"):
        np.testing.assert_array_equal(by_text.scores[name], by_length.scores[name])
    assert (
        by_length.predictions.tolist() == [1, 0]
        and by_length.accuracy == by_length.accuracies["token"] == 1
    )
    np.testing.assert_allclose(by_text.bits_per_byte, by_length.bits_per_byte)
    assert choice_scores(logprobs, [1, 0]).bits_per_byte is None


def test_disagreement_sees_ties_and_not_the_order():
    got = choice_scores([[-2.0, -2.0], [-2.0, -2.0]], [0, 1], lengths={"char": [[1, 1], [2, 1]]})
    assert got.disagree.tolist() == [False, True]


def test_minus_infinity():
    got = choice_scores(
        [[-1.0, -inf, -2.0], [-inf, -1.0, -1.0]],
        [1, 0],
        texts=[["a", "b", "c"]] * 2,
        unconditional=[[-1.0] * 3] * 2,
    )
    assert (
        got.gold_prob.tolist() == [0, 0]
        and np.isinf(got.nll).all()
        and np.isinf(got.bits_per_byte).all()
    )
    np.testing.assert_array_equal(got.under("pmi").credit, [0, 0])


def test_macro_and_micro():
    got = choice_scores(np.log([[0.9, 0.1]] * 4), [0, 0, 0, 1], groups=["law", "law", "law", 7])
    assert got.by_group == {"law": (3, 1.0), 7: (1, 0.0)} and (
        got.accuracy,
        got.macro_accuracy,
    ) == (0.75, 0.5)
    assert (
        got.to_dict()["macro_accuracy"] == 0.5
        and "macro_accuracy" not in choice_scores(EXAMPLE, [0, 1]).to_dict()
    )


def plain_ece(confidence, credit, bins):
    total = 0
    for i in range(bins):
        inside = [
            j for j, x in enumerate(confidence) if i / bins < x <= (i + 1) / bins or (i == 0 == x)
        ]
        if inside:
            total += (
                len(inside)
                / len(confidence)
                * abs(np.mean([credit[j] - confidence[j] for j in inside]))
            )
    return total


@pytest.mark.parametrize("bins", [1, 2, 8, 15])
def test_calibration_error(bins):
    rng = np.random.default_rng(bins)
    confidence = rng.random(300)
    credit = rng.random(300) < confidence
    assert calibration(confidence, credit, bins).ece == pytest.approx(
        plain_ece(confidence, credit, bins), rel=1e-12
    )


def test_a_bin_holds_its_upper_edge():
    got = calibration([0, 0.5, 0.5000001, 1], [0, 1, 0, 1], bins=2)
    assert got.questions.tolist() == [2, 2] and got.accuracy.tolist() == [0.5, 0.5]
    assert calibration([0.9], [1], bins=[0, 0.3, 0.8, 1]).bin.tolist() == [2]


def test_table_and_lists_agree():
    rng = np.random.default_rng(0)
    table, gold = -rng.exponential(2, (50, 4)), rng.integers(0, 4, 50)
    a, b = choice_scores(table, gold), choice_scores(table.tolist(), gold.tolist())
    assert a.to_dict() == b.to_dict()
    shuffled = rng.permutation(50)
    assert choice_scores(table[shuffled], gold[shuffled]).accuracy == a.accuracy


REFUSED = [
    (([], []), ValueError, "log_probs must hold at least one question"),
    (
        ([[-1.0, -2.0], []], [0, 0]),
        ValueError,
        (
            "log_probs must hold at least one choice per question, got none at question 1 (1 of 2"
            " fail)"
        ),
    ),
    (
        (EXAMPLE, [0]),
        ValueError,
        "correct_answers must hold one position per question (2), got shape (1,)",
    ),
    (
        (EXAMPLE, [0, 4]),
        ValueError,
        "need 0 <= correct_answers < choices, got 4 of 4 choices at question 1 (1 of 2 fail)",
    ),
    (([[-1.0, -2.0], [-1.0]], [1, 1]), ValueError, "got 1 of 1 choices at question 1"),
    ((EXAMPLE, [-1, 0]), ValueError, "got -1 of 4 choices at question 0"),
    ((EXAMPLE, [0.0, 1.0]), TypeError, "correct_answers must hold integers"),
    ((EXAMPLE, [True, False]), TypeError, "correct_answers must hold integers"),
    ((EXAMPLE, ["A", "B"]), TypeError, "correct_answers must hold integers"),
    ((EXAMPLE, []), ValueError, "correct_answers must hold at least one number"),
    (
        ([[-1.0, nan]], [0]),
        ValueError,
        "log_probs must not be NaN, got nan at question 0, choice 1 (1 of 2 fail)",
    ),
    (
        ([[-1.0, 0.5]], [0]),
        ValueError,
        "log_probs must be at most 0, got 0.5 at question 0, choice 1 (1 of 2 fail)",
    ),
    (([[-1.0, inf]], [0]), ValueError, "log_probs must be at most 0, got inf"),
    (
        ([[-1.0, -2.0], [-inf, -inf]], [0, 0]),
        ValueError,
        "got a row of -inf only at question 1 (1 of 2 fail)",
    ),
    (
        ([[-1.0, "-2"]], [0]),
        TypeError,
        "log_probs must hold numbers, got '-2' at question 0 (1 of 2 fail)",
    ),
    (([[-1.0, None]], [0]), TypeError, "log_probs must hold numbers, got None"),
    (([[-1.0, True]], [0]), TypeError, "log_probs must hold numbers, got True"),
    (
        ([-1.0, -2.0], [0, 0]),
        ValueError,
        "log_probs must hold one row of choices per question, got -1.0 at question 0",
    ),
    ((["ab"], [0]), ValueError, "log_probs must hold one row of choices per question"),
    ((np.ma.masked_less([[-1.0, -9.0]], -5), [0]), TypeError, "log_probs must hold numbers"),
]


@pytest.mark.parametrize("args, kind, message", REFUSED)
def test_refused_by_name_and_place(args, kind, message):
    with pytest.raises(kind) as error:
        mmlu_log_prob_score(*args)
    assert message in str(error.value)
    with pytest.raises(kind) as error:
        choice_scores(*args)
    assert message.replace("log_probs", "logprobs").replace("correct_answers", "gold") in str(
        error.value
    )


OPTIONS = [
    (
        dict(normalize="char"),
        ValueError,
        "normalize must be one of 'raw', got 'char'; 'char' and 'byte' need texts",
    ),
    (
        dict(normalize="chars", texts=[list("abcd")] * 2),
        ValueError,
        "normalize must be one of 'raw', 'char', 'byte', got 'chars'",
    ),
    (dict(ties="random"), ValueError, "ties must be 'expected', 'first' or 'wrong', got 'random'"),
    (
        dict(texts=["abcd", "abcd"]),
        TypeError,
        "texts must hold one row of texts per question, got 'abcd'",
    ),
    (dict(texts=[[1, 2, 3, 4]] * 2), TypeError, "texts must hold one row of texts"),
    (
        dict(texts=[list("abcd"), ["a", 2, "c", "d"]]),
        TypeError,
        "one row of texts per question, got ['a', 2, 'c', 'd'] at question 1 (1 of 2 fail)",
    ),
    (
        dict(texts=[list("abcd"), list("abc")]),
        ValueError,
        "must list the same choices as logprobs, got 3 for 4 at question 1 (1 of 2 fail)",
    ),
    (dict(texts=[list("abcd")]), ValueError, "must hold one row per question (2), got 1"),
    (
        dict(texts=[["a", "", "c", "d"]] * 2),
        ValueError,
        "must be whole numbers of at least 1, got 0.0 at question 0, choice 1 (2 of 8 fail)",
    ),
    (
        dict(lengths={"token": [[1, 2, 1.5, 1]] * 2}),
        ValueError,
        "lengths['token'] must be whole numbers of at least 1, got 1.5",
    ),
    (
        dict(lengths={"tokens": [[1] * 4] * 2}),
        ValueError,
        "lengths must be given for 'char', 'byte' or 'token', got 'tokens'",
    ),
    (dict(lengths=[[1] * 4] * 2), TypeError, "lengths must map"),
    (
        dict(texts=[list("abcd")] * 2, lengths={"char": [[1] * 4] * 2}),
        ValueError,
        "give texts or lengths['char'], not both",
    ),
    (
        dict(unconditional=[[-1.0, -1.0, -inf, -1.0]] * 2),
        ValueError,
        "unconditional must be finite and at most 0, got -inf at question 0, choice 2",
    ),
    (
        dict(unconditional=[[-1.0, -1.0, nan, -1.0]] * 2),
        ValueError,
        "unconditional must be finite and at most 0, got nan",
    ),
    (dict(groups=["a"]), ValueError, "groups must hold one label per question (2), got 1"),
    (
        dict(groups=["a", None]),
        ValueError,
        "groups must label every question, got None at question 1",
    ),
    (dict(bins=0), ValueError, "need bins >= 1, got 0"),
    (dict(bins=True), TypeError, "bins must be an int or edges, got True"),
    (dict(bins=[0, 0.5]), ValueError, "bins must be edges that ascend from 0 to 1"),
]


@pytest.mark.parametrize("options, kind, message", OPTIONS)
def test_options_refused(options, kind, message):
    with pytest.raises(kind) as error:
        choice_scores(EXAMPLE, [0, 1], **options)
    assert message in str(error.value)


def test_other_refusals():
    with pytest.raises(ValueError, match="needs groups="):
        choice_scores(EXAMPLE, [0, 1]).macro_accuracy
    with pytest.raises(ValueError, match="need 0 <= confidence <= 1, got 1.5 at question 1"):
        calibration([0.5, 1.5], [1, 1])
    with pytest.raises(ValueError, match="one value per question"):
        calibration([0.5, 0.5], [1])
    with pytest.raises(ValueError, match="one value per question"):
        calibration([], [])
    np.testing.assert_array_equal(bin_edges(2), [0, 0.5, 1])
    with pytest.raises(ValueError, match="ties must be"):
        choice_credit(EXAMPLE, [0, 1], "random")


# Edges of bins, and everything that scores say, worked by hand.


@pytest.mark.parametrize(
    "bins",
    [
        [0.1, 1],
        [0, 0.9],
        [0, 0.5, 0.5, 1],
        [0, 0.6, 0.4, 1],
        [[0, 1]],
        [[0, 1], [0, 1]],
        [0],
        [1],
    ],
    ids=str,
)
def test_what_are_no_edges(bins):
    with pytest.raises(ValueError, match="bins must be edges that ascend from 0 to 1, got"):
        bin_edges(bins)


def test_edges_that_are_taken():
    assert bin_edges([0, 1]).tolist() == bin_edges(np.int64(1)).tolist() == [0, 1]
    assert len(bin_edges(10**6)) == 10**6 + 1
    with pytest.raises(ValueError, match="need bins <= 1000000, got 1000001"):
        bin_edges(10**6 + 1)
    with pytest.raises(TypeError, match="bins must be an int or edges, got 2.0"):
        bin_edges(2.0)


def test_bins_of_given_edges():
    found = calibration([0, 0.25, 0.5, 0.75, 1, 0.5], [0, 0, 1, 1, 1, 0], [0, 0.25, 0.5, 1])
    assert found.bin.tolist() == [0, 1, 2] and found.questions.tolist() == [2, 2, 2]
    assert found.confidence.tolist() == [0.125, 0.5, 0.875]
    assert found.accuracy.tolist() == [0, 0.5, 1]
    assert found.ece == pytest.approx((0.125 + 0 + 0.125) / 3)
    assert repr(found) == "Calibration(ece=0.0833, 6 questions in 3 of 3 bins)"
    few = calibration([0.9, 1, 0.1], [1, 0, 0], 4)
    assert few.bin.tolist() == [0, 3] and few.ece == pytest.approx((0.1 + 2 * 0.45) / 3)
    assert repr(few) == "Calibration(ece=0.3333, 3 questions in 2 of 4 bins)"


SHARES = [[0.4, 0.3, 0.3], [0.2, 0.8], [0.6, 0.4]]
SUMMARY = dict(
    accuracy=2 / 3,
    accuracy_raw=2 / 3,
    accuracy_byte=1,
    macro_accuracy=(1 / 2 + 1) / 2,
    expected_accuracy=(0.4 + 0.2 + 0.6) / 3,
    nll=-(log(0.4) + log(0.2) + log(0.6)) / 3,
    brier=(0.54 + 1.28 + 0.32) / 3,
    # In the lower bin 0.4 sure and right, in the upper one 0.7 sure and half right
    ece=(0.6 + 2 * 0.2) / 3,
    bits_per_byte=-(log2(0.4) + log2(0.2) / 10 + log2(0.6)) / 3,
)


def score_three(**options):
    "Three questions whose first choice is right; per byte the second one is won as well."
    lengths = dict(byte=[[1, 1, 1], [10, 1], [1, 1]])
    given = [[log(p) for p in row] for row in SHARES]
    return choice_scores(given, [0, 0, 0], lengths=lengths, groups="ggh", bins=2, **options)


def test_a_summary_by_hand():
    told = score_three().to_dict()
    plain = dict(questions=3, normalize="raw", ties="expected", groups=2, bins=2, disagreements=1)
    assert {name: told.pop(name) for name in plain} == plain
    assert told == pytest.approx(SUMMARY)
    assert choice_scores(EXAMPLE, [0, 1]).to_dict().keys() == (plain | SUMMARY).keys() - {
        "groups", "macro_accuracy", "accuracy_byte", "bits_per_byte"
    }


def test_scores_in_a_line():
    said = ", ".join(f"{name} {value:.4f}" for name, value in SUMMARY.items())
    assert repr(score_three()) == (
        f"ChoiceScores(3 questions, normalize='raw', ties='expected', {said})"
    )


def test_another_normalisation_of_the_same_scores():
    found = score_three(ties="wrong").under("byte")
    assert (found.normalize, found.ties, found.accuracy, len(found)) == ("byte", "wrong", 1, 3)
    assert found.predictions.tolist() == [0, 0, 0] and found.disagreements.tolist() == [1]
    assert found.calibration.edges.tolist() == [0, 0.5, 1]
    assert found.by_group == dict(g=(2, 1.0), h=(1, 1.0)) and found.macro_accuracy == 1
    assert found.bits_per_byte == pytest.approx(score_three().bits_per_byte)
