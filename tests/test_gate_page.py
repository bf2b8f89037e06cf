"What a gate says, in every form: stored in full. Numbers and verdicts: test_gating.py."

import json
import pickle
import re
from dataclasses import replace

import pytest

from printed import check_text, split_markup
from sampling_eval.inference.intervals import Interval, Method
from sampling_eval import Counts, gate
from sampling_eval.results import load_result
from sampling_eval.results.verdict import Advice
from sampling_eval.results.reading import ReadNote, ReadSummary
from sampling_eval.analyses.gate.result import (
    Check,
    Command,
    Gate,
    QuestionRegression,
    RegressionPower,
)

VERSIONS = re.compile(r"Computed\s+with\s+sampling\\?_eval\s+[^)]*\)")


def judge_counts(new, old=None, n=4, **options):
    baseline = (
        None if old is None else Counts([n] * len(old), old, [f"q{i}" for i in range(len(old))])
    )
    return gate(
        Counts([n] * len(new), new, [f"q{i}" for i in range(len(new))]),
        baseline=baseline,
        **options,
    )


SEVERAL = dict(
    max_drop=0.02,
    metrics=["pass@1", "pass^2"],
    minimum={"pass@1": 0.2, "pass@4": 0.99},
    no_question_regresses=True,
    must_pass="q0,q1",
)
GATES = {
    "drop inconclusive": lambda: judge_counts(
        [4, 3, 2, 0, 1, 4, 2, 3], [4, 4, 2, 1, 1, 4, 1, 3], max_drop=0.1
    ),
    "drop passes, none allowed": lambda: judge_counts(
        [4] * 9, [0] * 9, max_drop=0, metrics="pass@2"
    ),
    "drop fails": lambda: judge_counts([0] * 12, [4] * 12, max_drop=0.02, target="new_questions"),
    "too few questions": lambda: judge_counts(
        [4] * 4, [3] * 4, max_drop=0.02, target="new_questions"
    ),
    "several rules": lambda: judge_counts(
        [4, 3, 0, 4, 1, 4] * 3, [4, 4, 2, 4, 2, 4] * 3, **SEVERAL
    ),
    "least value": lambda: judge_counts([4, 4, 4, 3, 4, 4], minimum={"pass^2": 0.5}),
    "one question": lambda: judge_counts([3], minimum={"pass@1": 0.9}),
    "must pass": lambda: judge_counts(
        [8, 7, 0, 8], n=8, must_pass="q*", must_pass_share=0.875, minimum={"pass@1": 0.5}
    ),
    "regressions": lambda: judge_counts(
        [0, 10, 7, 10, 10, 6], [10] * 6, 10, no_question_regresses=True
    ),
    "no regression": lambda: judge_counts(
        [10] * 6, [10] * 6, 10, no_question_regresses=True, allow_identical=True
    ),
    "weights": lambda: judge_counts(
        [4, 2, 1, 4], [4, 3, 0, 4], max_drop=0.5, weights={f"q{i}": 1 + i % 2 for i in range(4)}
    ),
    "stated range": lambda: judge_counts(
        [4, 2, 1, 4] * 9, [4, 3, 0, 4] * 9, max_drop=0.05, bounds=(-0.5, 0.5)
    ),
    "unmatched": lambda: judge_counts(
        [4, 2, 1, 4], [4, 3, 0, 4, 1], max_drop=0.9, on_unmatched="drop"
    ),
}


def mask(text):
    return VERSIONS.sub("VERSIONS", text)


def test_screens():
    shown = [f"# {name}\n\n{make()!r}" for name, make in GATES.items()]
    assert max(len(line) for text in shown for line in text.splitlines()) <= 80
    check_text("gate screens", *shown)


def test_every_form_of_a_gate_with_all_kinds_of_rules():
    command = Command(explain="sampling-eval explain old.jsonl new.jsonl")
    found = replace(GATES["several rules"](), names=("new.jsonl", "old.jsonl"), command=command)
    junit = found.to_junit(timestamp="2026-01-31T12:00:00")
    forms = (
        found.to_text(how=True),
        found.to_summary(),
        found.to_latex(),
        split_markup(found.to_html()),
        junit,
    )
    check_text("gate forms", *map(mask, forms))
    assert found.to_summary() == found.to_markdown()


@pytest.mark.parametrize("name", GATES)
def test_one_author_for_each_sentence(name):
    found = GATES[name]()
    page, screen, how = (
        " ".join(text.split())
        for text in (found.to_markdown(), repr(found), found.to_text(how=True))
    )
    plain = page.replace("\\", "").replace("&lt;", "<").replace("&gt;", ">")
    headline = screen.partition(" rule ")[0]
    assert (
        found.verdict.upper() in headline
        and how.startswith(headline)
        and headline.split(". ")[0] in plain
    )
    for said in found.warnings:
        # A report of tests says the numbers as well, which stand in the table or the headline of
        # the others.
        assert all(
            one in plain and one in screen
            for one in re.split(r"(?<=[.]) (?=[A-Z])", said)[2 - (" pass@" not in said) :]
            if " = " not in one
        )
        assert said in found.to_junit().replace("&lt;", "<").replace("&gt;", ">")


@pytest.mark.parametrize("name", GATES)
def test_what_is_read_back_is_equal(name, tmp_path):
    found = GATES[name]()
    (tmp_path / "gate.json").write_text(found.to_json())
    again = load_result(tmp_path / "gate.json")
    assert isinstance(again, Gate) and again == found == pickle.loads(pickle.dumps(found))
    assert (
        repr(again) == repr(found)
        and again.to_html() == found.to_html()
        and again.to_junit("", "", "t") == found.to_junit("", "", "t")
    )
    told = json.loads(found.to_json())
    assert (
        told["kind"] == "gate"
        and told["verdict"] == found.verdict
        and told["primary"] == found.primary
    )
    assert not {"warnings", "how", "command"} & told.keys()
    frame = found.to_frame("pandas")
    assert frame["limit"].tolist() == [row.limit for row in found.rows]
    for column in (
        "without_assumptions_low",
        "for_new_questions_low",
        "method",
        "confidence_level",
        "next_samples",
        "weighted_by",
        "bounds_low",
    ):
        assert column in frame


# Few gates have these.


def span(low, high, target="new_questions", name="t", unit="share"):
    return Interval(low, high, 0.95, target, Method(name, False), unit)


DROP = Check(
    "pass@1 drops by at most 0.05",
    "drop",
    "pass@1",
    -0.08,
    span(-0.2, 0.04),
    -0.05,
    "inconclusive",
    1_040,
    "new_questions",
    equal_passes=0.1,
    equal_flips=0.19,
)
SCORE = Check(
    "max@2 drops by at most 1.5",
    "drop",
    "max@2",
    -2.5,
    span(-4.0, -2.0, "same_questions", "gamma", "score"),
    -1.5,
    "fail",
    1,
    "same_questions",
    "score",
)
LEAST = Check(
    "pass@4 is at least 0.905",
    "minimum",
    "pass@4",
    0.95,
    span(0.92, 0.98, "same_questions", "gamma"),
    0.905,
    "pass",
    1_040,
    "same_questions",
)
COUNT = Check(
    "no question regresses",
    "regressions",
    "regressions",
    0.0,
    None,
    0.0,
    "inconclusive",
    1_040,
    "same_questions",
)
LOST = tuple(
    QuestionRegression(name, 4, 4, 0, 4, p, p, sure)
    for name, p, sure in (("a|b", 0.01, True), (7, 0.19, False), ("<q>", 0.21, False))
)
POWER = RegressionPower(1_040, 12, 4, 5, 7, 0.05, 3)


def hold(*rows, names=("new", "old"), **options):
    return Gate(rows, names, **options)


def say(*rows, **options):
    return " ".join(repr(hold(*rows, **options)).split())


@pytest.mark.parametrize(
    "verdicts, said",
    [
        ("fail pass", "FAIL: 1 of 2 rules failed (pass@4 >= 90.5 %)."),
        ("fail fail", "FAIL: both rules failed."),
        ("fail inconclusive", "FAIL: 1 of 2 rules failed (pass@4 >= 90.5 %), 1 inconclusive."),
        ("inconclusive pass", "INCONCLUSIVE: 1 of 2 rules (pass@4 >= 90.5 %)."),
        ("inconclusive inconclusive", "INCONCLUSIVE: both rules."),
        ("inconclusive pass pass", "INCONCLUSIVE: 1 of 3 rules (pass@4 >= 90.5 %)."),
        ("pass pass pass", "PASS: all 3 rules passed."),
        ("fail fail fail pass", "FAIL: 3 of 4 rules failed."),
        ("fail fail pass", "FAIL: 2 of 3 rules failed (pass@4 >= 90.5 %; pass@4 >= 90.5 %)."),
    ],
)
def test_headlines_of_several_rules(verdicts, said):
    rules = (replace(LEAST, rule=str(i), verdict=one) for i, one in enumerate(verdicts.split()))
    assert say(*rules).startswith(f"{said[:-1]}, {LEAST.target.replace('_', ' ')}.")


@pytest.mark.parametrize(
    "row, said",
    [
        (DROP, "pass@1 drop <= 5 points"),
        (replace(DROP, limit=-0.01), "pass@1 drop <= 1 point "),
        (replace(DROP, limit=-0.0125), "<= 1.25 points"),
        (replace(DROP, limit=-0.0), "drop <= 0 points"),
        (LEAST, "pass@4 >= 90.5 %"),
        (replace(LEAST, limit=0.01), ">= 1 %"),
        (SCORE, "max@2 drop <= 1.5 "),
        (replace(SCORE, kind="minimum", limit=7.0), "max@2 >= 7 "),
    ],
)
def test_rules(row, said):
    assert said in say(row)


@pytest.mark.parametrize(
    "more, lost, said",
    [
        (dict(lower=0), (), "no question scored lower."),
        (
            dict(lower=1),
            LOST[1:2],
            "1 of 1,040 questions scored lower; the drop is not significant.",
        ),
        (
            dict(lower=2),
            LOST[1:],
            "2 of 1,040 questions scored lower; no single drop is significant.",
        ),
        (dict(lower=1), LOST[:1], "1 question regressed: a|b (4/4 to 0/4)."),
        (
            dict(lower=5),
            LOST,
            "1 question regressed: a|b (4/4 to 0/4); 4 more scored lower, none significantly.",
        ),
        (dict(lower=2), LOST, "Largest non-significant: question 7 (4/4 to 0/4)."),
        (
            dict(detectable=0, n_min=7),
            LOST[1:],
            "No question was right often enough before for a drop to be significant.",
        ),
        (
            dict(detectable=0),
            LOST[1:],
            (
                "With 4 to 5 samples each, no single drop can be significant; 7 samples each would"
                " detect a drop from all right to none."
            ),
        ),
        (
            dict(),
            LOST[1:],
            "On 12 of 1,040 questions losing every right sample would be significant.",
        ),
    ],
)
def test_single_questions(more, lost, said):
    power = replace(POWER, **more)
    assert said in say(COUNT, regressions=lost, regression_power=power)
    assert said[1:] in say(LEAST, regressions=lost, regression_power=power) or LOST[0] in lost


@pytest.mark.parametrize(
    "verdict, command, said",
    [
        ("pass", {}, "Exit code 0."),
        ("fail", dict(inconclusive_passes=True), "Exit code 1."),
        ("inconclusive", dict(strict=True), "Exit code 1 (--strict)."),
        ("inconclusive", {}, "Exit code 3; --inconclusive-passes makes it 0, --strict 1."),
        ("inconclusive", dict(inconclusive_passes=True), "Exit code 0 (--inconclusive-passes)."),
    ],
)
def test_the_exit_code(verdict, command, said):
    assert said in say(
        replace(LEAST, verdict=verdict), command=Command(**command)
    ) and "Exit" not in say(LEAST)


def test_cautions():
    note = ReadNote("no_sample_ids")
    read = {name: ReadSummary("table", warnings=(note,)) for name in ("new", "old")}
    said = say(
        LEAST,
        read=read,
        task_versions="the questions of task 'a' (new: 1 against old: 2) may differ",
    )
    assert (
        "Warning: the questions of task 'a' (new: 1 against old: 2) may differ." in said
        and said.count("No sample ids") == 1
    )


def test_what_fails_alone_only():
    said = say(replace(DROP, interval=span(-0.2, -0.06), fails_alone=True), LEAST)
    assert (
        "It fails if judged alone, but not with Holm's correction for the other rules." in said
        and "Too few" not in said
    )


def test_hostile_names():
    name = 'a]]><script>&"\'|`*\n\x1b[31m\x00'
    lost = replace(LOST[0], question=name)
    found = hold(
        replace(COUNT, value=1.0, verdict="fail"),
        names=(name, name),
        regressions=(lost,),
        regression_power=POWER,
    )
    for text in (repr(found), found.to_markdown(), found.to_html()):
        assert "\x1b" not in text and "\x00" not in text
    assert (
        "<script>" not in found.to_html().partition("<body>")[2]
        and "<script>" not in found.to_markdown()
    )


def test_a_tie_is_never_decided():
    tie = Advice(
        "pass@1",
        "decide",
        "same_questions",
        -0.05,
        -0.05,
        0.8,
        None,
        None,
        None,
        9,
        ((4, 4),),
        difference=True,
    )
    assert "Next: the measured drop equals the limit: more data will not settle this." in say(
        replace(DROP, value=-0.05, next=tie)
    )
