"Gates in every form, JUnit XML and step summaries: what is printed, stored in full."
from dataclasses import replace

import pytest

from printed import check_printed
from sampling_eval import Counts, gate
from sampling_eval.reporting.question_rules import Fall, MustPass, Watch
from sampling_eval.reporting.gate_facts import FELL, Command
from sampling_eval.reporting.gate_facts import Check
from sampling_eval.reporting.verdicts import Gate
from printed import VERSIONS, tell_forms

AGAIN, NEW = "these questions, run again", "new questions of this kind"
DROP = Check("pass@1 drops by at most 0.05", "pass@1", -.08, -.2, .04, -.05, "weak", "90 % gaffke", 1_040, NEW,
             drop=True,
             warning="about 600 questions would decide it", equal_passes=.1, equal_flips=.19)
LEAST = Check("pass@4 is at least 0.905", "pass@4", .95, .92, .98, .905, "pass", "95 % gamma", 1_040, AGAIN)
SCORE = Check("max@2 drops by at most 1.5", "max@2", -2.5, -4., -2., -1.5, "fail", "95 % t", 1, AGAIN, drop=True)
COUNT = Check("no question falls", FELL, 1., None, None, 0., "fail", "", 1_040, AGAIN)
MUST = Check("must-pass questions pass", "must-pass questions", 1., None, None, 2., "fail", "", 2, "the samples drawn",
             said="1 of 2 must-pass questions is not right in every sample: q2 (2 of 4 right)")
FALLS = (Fall("a|b", 4, 4, 0, 4, .01, .04, True), Fall(7, 3, 4, 1, 5, .19, 1., False),
         Fall("<q>", 4, 4, 3, 4, .5, 1., False))
WATCH = Watch(1_040, 12, 4, 5, 4, .05, 3)
MUSTS = (MustPass("q1", 4, 4, 4, "pass"), MustPass("q2", 2, 4, 4, "fail"))


def judge_counts(new, old=None, n=4, **options):
    baseline = None if old is None else Counts([n] * len(old), old, [f"q{i}" for i in range(len(old))])
    return gate(Counts([n] * len(new), new, [f"q{i}" for i in range(len(new))]), baseline=baseline, **options)


def hold(*rows, names=("new", "old"), **options):
    return Gate(rows, names, "no sample missing.", "1040 in both, 0 only in A, 0 only in B", **options)


GATES = {
    "weak drop": lambda: judge_counts([4, 3, 2, 0, 1, 4, 2, 3], [4, 4, 2, 1, 1, 4, 1, 3], max_drop=.1),
    "a drop that passes, none allowed": lambda: judge_counts([4] * 9, [0] * 9, max_drop=0, metrics="pass@2"),
    "a drop that fails": lambda: judge_counts([0] * 12, [4] * 12, max_drop=.02, target="questions"),
    "several rules": lambda: judge_counts([4, 3, 0, 4, 1, 4] * 3, [4, 4, 2, 4, 2, 4] * 3, max_drop=.02,
                                          metrics=["pass@1", "pass^2"],
                                          minimum={"pass@1": .2, "pass@4": .99}, no_question_falls=True),
    "least value": lambda: judge_counts([4, 4, 4, 3, 4, 4], minimum={"pass^2": .5}),
    "one question": lambda: judge_counts([3], minimum={"pass@1": .9}),
    "must pass": lambda: judge_counts([8, 7, 0, 8], n=8, must_pass="q*", must_pass_share=.875, minimum={"pass@1": .5}),
    "questions fall": lambda: judge_counts([0, 10, 7, 10, 10, 6], [10] * 6, 10, no_question_falls=True),
    "no question falls": lambda: judge_counts([10] * 6, [10] * 6, 10, no_question_falls=True, allow_identical=True),
    "weights": lambda: judge_counts([4, 2, 1, 4], [4, 3, 0, 4], max_drop=.5,
                                    weights={f"q{i}": 1 + i % 2 for i in range(4)}),
    "each verdict": lambda: hold(DROP, LEAST, SCORE, COUNT, MUST, falls=FALLS, watch=WATCH, must_pass=MUSTS,
                                 notes=("a note.",),
                                 command=Command(explain="sampling-eval explain old new")),
    "a weak one, strict": lambda: hold(replace(DROP, limit=0.), names=("", ""), falls=FALLS[1:],
                                       watch=replace(WATCH, lower=2),
                                       command=Command(strict=True)),
    "a weak one passes": lambda: hold(replace(DROP, equal_passes=.7), replace(LEAST, verdict="weak", low=.9),
                                      names=("new", "baseline"), command=Command(weak_passes=True)),
    "a score that fails": lambda: replace(hold(SCORE), alignment="1 in both, 2 only in A, 0 only in B"),
    "a weak score of one question": lambda: replace(hold(replace(SCORE, verdict="weak", high=1., equal_passes=.499)),
                                                    alignment="1 in both"),
    "a value that fails": lambda: replace(hold(replace(LEAST, verdict="fail", low=.7, value=.8, high=.9)),
                                          names=("run",), alignment=""),
    "a weak question": lambda: hold(replace(COUNT, value=0., verdict="weak"), watch=replace(WATCH, watched=0, lower=1),
                                    falls=FALLS[2:]),
    "it would fail alone": lambda: hold(replace(DROP, value=-.1, high=-.06,
                                                warning="it fails if judged alone, but not beside the others"),
                                        replace(DROP, rule="pass@2 drops by at most 0.05", metric="pass@2", high=-.05,
                                                warning="")),
}


@pytest.mark.parametrize("name", GATES)
def test_a_gate_in_every_form(name, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = GATES[name]()
    told = tell_forms(result), result.to_summary(), result.to_junit(timestamp="2026-01-31T12:00:00")
    check_printed("gate", name, VERSIONS.sub("VERSIONS", "\n== ".join(told)))
    assert Gate.from_json(result.to_json()) == result
