"What to do next, and what may be wrong with the data: every sentence where it turns."

from dataclasses import replace

import pytest

from sampling_eval.analyses.phrases.advice import describe_advice, name_adjusted_test, next_step
from sampling_eval.results import cautions as seen
from sampling_eval.results.verdict import Advice

P = dict(p=0.023, test="permutation")
PERMUTED = "p = .023 if samples are independent (exact permutation test within questions)"
SETTINGS = "had other settings, estimates are biased: score without it."
COUNTED = "p = .023 if the number of samples is unrelated to outcomes (Fisher's exact test of first"
TWICE = "A copy (one seed or one file twice) makes CIs too narrow: score without it."
BOUND = "(upper bound over all distributions of difficulty"
VOTES = "each has votes of its own, which lowers maj@k if they mean the same."
RIGHT = 2, 50, "q7", ("1/2", ".5")


# What may be wrong.


@pytest.mark.parametrize(
    "caution, said",
    [
        (
            seen.OddRun(("3",), (1,), (8,), (0,), 3, 0.5, 0.75, **P),
            "run 3 is right in 12.5 % of its 8 samples, the other 3 runs in 50.0 to 75.0 %: "
            f"{PERMUTED}. If it broke off or {SETTINGS}",
        ),
        (
            seen.OddRun(("3",), (0,), (1,), (2,), 1, 0.5, 0.5, word="column", **P),
            "column 3 is right in 0.0 % of its 1 sample (2 missing), the other 1 column in 50.0 %: "
            f"{PERMUTED}. If it broke off or {SETTINGS}",
        ),
        (
            seen.OddRun(("1", "2"), (1, 6), (8, 8), (0, 3), 0, None, None, **P),
            "runs 1 and 2 are right in 12.5 % and 75.0 % (3 missing) of their samples: "
            f"{PERMUTED}. If one of them broke off or {SETTINGS}",
        ),
        (
            seen.RunEffect(("2", "5"), (0.25, 0.625), 6, 9.0, p=0.023, test="cochran"),
            "the 6 runs differ, from 25.0 % right in run 2 to 62.5 % in run 5: p = .023 if samples "
            "are independent (Cochran's Q, exact). The CIs assume independent samples: see whether "
            "runs were set up alike, and whether a sample depends on earlier ones.",
        ),
        (
            seen.DuplicateRuns(("1", "2"), 4, multiplicity=2, p=0.023, test="bound"),
            "only 2 of 4 runs are distinct, each is there 2 times: p at most .023 if samples are "
            f"independent {BOUND} and all ways to group the runs). If these are copies, CIs are "
            "too narrow: score runs 1 and 2 only.",
        ),
        (
            seen.DuplicateRuns(("1", "5"), 6, p=0.023, test="bound", comparisons=15),
            "runs 1 and 5 agree on every question, in outcome: adjusted p at most .023 if samples "
            f"are independent {BOUND}, Holm over 15 pairs). {TWICE}",
        ),
        (
            seen.DuplicateRuns(
                ("1", "5"), 2, differ=1, shared=40, expected=12.4, answers=True, p=0.02,
                test="bound", looked=40,
            ),
            "runs 1 and 5 differ on 1 of 40 questions in outcome and answer, about 12 expected "
            "(40 evenly spaced questions looked at): p at most .020 if samples are independent "
            f"{BOUND}). {TWICE}",
        ),
        (
            seen.StoppedAtSuccess(5, True, p=0.023, test="last"),
            "5 questions with fewer samples than the others: each has exactly one right, the last "
            "one drawn, p = .023 if the number of samples is unrelated to outcomes (exact "
            "permutation test of last samples). If samples were drawn until the first success, c/n "
            "is biased upward: use pass_at_k_until_success.",
        ),
        (
            seen.SampleCount(2, (3, 1200), (0.5, 0.25), p=0.023, test="fisher"),
            f"3 questions with 2 samples: 50.0 % right, 1,200 with more: 25.0 % right, {COUNTED} "
            "samples). If failures were rerun, c/n is biased upward: score the first sample of "
            "each question only.",
        ),
        (
            seen.SampleCount(1, (1, 9), (0.25, 0.25), p=0.023, test="fisher"),
            f"1 question with 1 sample: 25.0 % right, 9 with more: 25.0 % right, {COUNTED} "
            "samples). If the number of samples depends on outcomes, c/n is biased: score the "
            "first sample of each question only.",
        ),
        (
            seen.RepeatedFile("a.jsonl", 1, 3),
            "a.jsonl is the same 1 line 3 times, one after the other. If it was appended to "
            "itself, or decoding is deterministic, every sample counts 3 times and CIs are too "
            "narrow: keep the first part only.",
        ),
        (
            seen.AllAgree(12),
            "all samples of each question agree (12 questions, none flaky): deterministic "
            "decoding, a cache, or copies? If so, they hold no more information than one sample "
            "each.",
        ),
        (
            seen.RightSpellings(*RIGHT, rule="number", left=1),
            "2 of 50 questions have several right answers, such as '1/2' and '.5' at question q7: "
            f"{VOTES} normalize='number' makes them one (1 would still have several).",
        ),
        (
            seen.IdenticalOutcomes(50, ("a", "b"), p=0.023),
            "a and b hold the same outcomes on all 50 questions (p = .023 for two independent "
            "runs): was a file copied, or a cache read twice?",
        ),
        (seen.IdenticalOutcomes(1), "baseline and new hold the same outcomes on all 1 question."),
        (
            seen.EmptyRuns(("4",), (9,)),
            "run 4 has no outcome (9 samples, counted as wrong). If it never ran, score without "
            "it.",
        ),
        (
            seen.EmptyRuns(("4", "5"), (9, 7), word="column"),
            "columns 4 and 5 have no outcome (7 to 9 samples each, counted as wrong). If they "
            "never ran, score without them.",
        ),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_what_may_be_wrong(caution, said):
    assert str(caution) == said and str(caution.of("m")) == f"m: {said}"


@pytest.mark.parametrize(
    "caution, said, unsaid",
    [
        (seen.StoppedAtSuccess(1, False, **P), "1 question with", "the last one drawn"),
        (seen.SampleCount(2, (3, 9), (0.2, 0.5), **P), "samples depends on outcomes", "upward"),
        (seen.AllAgree(12, True), "none flaky, and their answers are equal)", "#"),
        (seen.RightSpellings(*RIGHT), f"{VOTES} Spell equal answers alike.", "normalize"),
        (seen.RightSpellings(*RIGHT, rule="text"), "makes them one.", "would still"),
        (seen.IdenticalOutcomes(5, ("a", "b")), "all 5 questions: was a file copied", "p ="),
        (seen.JudgeRates("pass@1", 0.1, -0.05), "would be -5.0 %, and its whole CI lies below 0 %",
         "above"),
        (seen.JudgeRates("pass@1", 0.9, 1.05), "would be 105.0 %, and its whole CI lies above 100",
         "below"),
        (
            seen.RunEffect(("2", "5"), (0, 1), 6, 9.0, permutations=10_000, looked=2000,
                           word="column", p=0.01),
            "the 6 columns differ, from 0.0 % right in column 2 to 100.0 % in column 5 (2,000 "
            "evenly spaced questions looked at): p = .010 if samples are independent (Cochran's Q, "
            "10,000 random permutations, seed 0). The CIs assume independent samples: see whether "
            "columns were",
            "exact",
        ),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_what_else_may_be_wrong(caution, said, unsaid):
    assert said in str(caution) and unsaid not in str(caution)


@pytest.mark.parametrize(
    "p, said",
    [
        (0.04, "p at most .040 if"),
        (1e-12, "p at most 1.0e-12 if"),
        (9e-13, "p < 1e-12 if"),
        (None, "p undefined if"),
    ],
)
def test_a_bound_on_a_p_value_says_so(p, said):
    assert f": {said}" in str(seen.DuplicateRuns(("1", "2"), 4, p=p, test="bound"))


@pytest.mark.parametrize(
    "caution, comparisons, said",
    [
        (seen.OddRun(("3",), (1,), (8,), (0,), 3, 0.5, 0.75, word="column", **P), 2,
         ", Bonferroni over 2 columns"),
        (seen.SampleCount(2, (3, 9), (0.2, 0.5), **P), 2, ", Bonferroni over 2 tests"),
        (seen.DuplicateRuns(("1", "2"), 4, **P), 2, ", Holm over 2 pairs"),
        (seen.DuplicateRuns(("1", "2"), 4, **P), 1, ""),
    ],
    ids=lambda one: getattr(one, "kind", ""),
)
def test_a_p_value_is_adjusted_from_two_tests_on(caution, comparisons, said):
    found = replace(caution, comparisons=comparisons)
    assert name_adjusted_test(found) == f"exact permutation test within questions{said}"
    assert ("adjusted p = .023" in str(found)) is (comparisons > 1)


@pytest.mark.parametrize(
    "test, said",
    [
        ("normal", "normal approximation to the permutation test within questions"),
        ("fisher", "Fisher's exact test of first samples"),
        ("last", "exact permutation test of last samples"),
        ("bound", "upper bound over all distributions of difficulty"),
        ("cochran", "Cochran's Q, exact"),
        ("cochran chi-square", "Cochran's Q, chi-square approximation"),
    ],
)
def test_tests_by_name(test, said):
    assert name_adjusted_test(seen.SampleCount(2, (3, 9), (0.2, 0.5), p=0.1, test=test)) == said


# What to do next.


def halve(**given):
    known = dict(
        metric="pass@1", goal="halve", target="new_questions", value=0.5, limit=None, power=None,
        questions=1234, samples=None, gain=None, has_questions=50, has_samples=((4, 4),),
    )
    return Advice(**known | given)


def decide(**given):
    known = dict(goal="decide", value=0.05, limit=0.0, power=0.8, questions=27, has_questions=15)
    return halve(**known | dict(difference=True) | given)


GAIN = dict(gain=0.296, gain_at_least=0.1, gain_at_most=0.4)


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, "about 1,300 questions (50 now) at 4 samples each."),
        (dict(has_samples=((1, 1),)), "(50 now) at 1 sample each."),
        (dict(has_samples=((3, 4),)), "(50 now) at 3 to 4 samples each."),
        (dict(has_samples=((4, 4), (8, 8))), "(50 now) at 4 and 8 samples each."),
        (dict(has_samples=((4, 4), (4, 4))), "(50 now) at 4 samples each."),
        (dict(has_samples=(), has_questions=5000), "about 1,300 questions (5,000 now)."),
        (dict(clustered=True), "about 1,300 clusters."),
        (
            dict(samples=30, **GAIN),
            "(50 now) at 4 samples each, or about 30 samples per question (4 now).",
        ),
        (
            GAIN,
            "at 4 samples each; endless samples per question would narrow it by about 30 % (10 to "
            "40 %).",
        ),
        (GAIN | dict(gain=0.001), "would narrow it by about 1 % (10 to 40 %)."),
        (GAIN | dict(gain=0.02), "would narrow it by about 2 % (10 to 40 %)."),
        *((GAIN | {name: None}, "at 4 samples each.") for name in GAIN),
    ],
)
def test_what_halves_an_interval(given, said):
    told = describe_advice(halve(**given))
    assert told.startswith("Halving the CI of pass@1 takes about") and told.endswith(said)


def test_what_halves_an_interval_of_the_same_questions():
    told = describe_advice(halve(target="same_questions", samples=16, questions=None))
    assert told == (
        "Halving the CI of pass@1 (same questions) takes about 16 samples per question (4 now)."
    )


DETECT = "would detect a true difference of 5.0 points (as measured)"
POWER = "with 80 % power"


@pytest.mark.parametrize(
    "given, said",
    [
        (
            {},
            f"About 27 questions (15 now) at 4 samples each {DETECT} in pass@1 (new questions) "
            f"{POWER}.",
        ),
        (dict(limit=None), f"{DETECT} in pass@1 (new questions) {POWER}."),
        (dict(value=-0.05), "would detect a true difference of -5.0 points (as measured) in"),
        (
            dict(samples=9),
            "About 27 questions (15 now) at 4 samples each, or about 9 samples per question (4 "
            f"now) for both systems, {DETECT}",
        ),
        (
            dict(samples=9, questions=None, hopeless=True),
            f"About 9 samples per question (4 now) for both systems {DETECT}",
        ),
        (
            dict(samples=9, pair=("a", "b")),
            f"(4 now) for these two, {DETECT} between a and b in pass@1 (new questions, all pairs "
            f"simultaneously) {POWER}.",
        ),
        (
            dict(limit=-0.02),
            f"would decide pass@1 (new questions) {POWER}, assuming the true difference is the "
            "measured +5.0 points.",
        ),
        (
            dict(difference=False, value=0.5, limit=0.6, samples=9),
            "About 27 questions (15 now) at 4 samples each, or about 9 samples per question (4 "
            f"now) would decide pass@1 (new questions) {POWER}, assuming the true value is the "
            "measured 50.0 %.",
        ),
        (
            dict(hopeless=True, has_questions=1),
            f"{POWER}; no number of samples of these 1 question would.",
        ),
        (
            dict(hopeless=True, questions_without=40),
            f"{POWER}; no number of samples of these 15 questions would. Without assumptions: "
            "about 40 questions.",
        ),
        (dict(clustered=True, questions_without=40), "Without assumptions: about 40 clusters."),
        (dict(questions=None), f"1,000 times as many questions would not {DETECT[6:]}"),
        (dict(questions=None, clustered=True), "1,000 times as many clusters would not"),
        (
            dict(questions=None, target="same_questions"),
            f"1,000 times as many samples would not {DETECT[6:]} in pass@1 (same questions)",
        ),
        (dict(questions=100), "About 100 questions"),
        (dict(questions=101), "About 110 questions"),
    ],
)
def test_what_decides_a_verdict(given, said):
    told = describe_advice(decide(**given))
    assert said in told


@pytest.mark.parametrize(
    "given, said",
    [
        (dict(value=-0.02, limit=-0.02), "The measured drop equals the limit: more data will not"),
        (dict(value=0.5 + 1e-13, limit=0.5, difference=False), "The measured value equals the"),
        (dict(value=0.5 + 1e-11, limit=0.5, difference=False), "About 27 questions"),
        (dict(value=0.0, limit=0.0), "The measured drop equals the limit"),
    ],
)
def test_a_limit_that_is_met_is_never_decided(given, said):
    assert describe_advice(decide(**given)).startswith(said)


def test_the_advice_as_the_next_step():
    assert next_step(None) == ""
    assert next_step(halve()).startswith("Next: halving the CI of pass@1 takes")
