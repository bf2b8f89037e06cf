"""`score`: every metric the data can give, each option, and the parts it is made of. More cases:
test_score.py."""

import cProfile
import io
import json
import pickle
import pstats
import sys
import time
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conftest import command
from sampling_eval import compare, count, Counts, counts_of, mean_over_questions, score, table
from sampling_eval.foundations.answers import tally
from sampling_eval.inference.estimate import weighted_mean
from sampling_eval.inference.units import check_weights
from sampling_eval.reading.console import Steps
from sampling_eval.results.base import check_kinds, check_style, main_target, Style
from sampling_eval.analyses.score.result import Ragged
from sampling_eval.analyses.engine.measure import estimate_metric, sampling_noise
from sampling_eval.analyses.engine.choose import choose_metrics

scoring, load_module = (
    import_module(f"sampling_eval.{name}") for name in ("analyses.score.verb", "reading.load")
)

RUN = str(
    Path(__file__).parents[1] / "sampling_eval" / "examples" / "tau_bench_airline_gpt4o.jsonl"
)
OUTCOMES = np.array([[0, 1, 1, 0, 1], [1, 1, 0, 1, 1]])


@pytest.fixture(scope="module")
def report():
    return score(RUN, ["pass@k", "pass^k", "avg@n"])


def test_the_published_numbers_of_tau_bench(report):
    assert [round(report[f"pass^{k}"].estimate, 3) for k in range(1, 5)] == [0.42, 0.273, 0.22, 0.2]
    assert report["avg@4"].estimate == report["pass@1"].estimate == report["pass^1"].estimate


def test_a_row_holds_what_it_was_computed_from(report):
    row = report["pass^4"]
    ends = row.confidence_interval(0.95)
    assert (
        (ends.low, ends.high) == (row.low, row.high) and row.questions == 50 and row.samples == "4"
    )
    wide = row.confidence_interval(0.99)
    assert wide.low < row.low and row.high < wide.high


def test_questions_and_those_that_are_flaky(report):
    right = report.questions["c"]
    assert len(right) == 50 and np.bincount(right).tolist() == [14, 12, 10, 4, 10]
    np.testing.assert_array_equal(report.questions["pass^4"], right == 4)
    flaky = report.flaky()
    assert (
        len(flaky["c"]) == 26
        and flaky["c"][:10].tolist() == [2] * 10
        and set(flaky["c"][10:]) == {1, 3}
    )


def test_a_metric_of_ones_own_beside_one_of_the_catalog():
    found = score(
        OUTCOMES, {"cons@k": None, "two@k": lambda k: np.arange(k + 1) >= 2}, k=[2, 3]
    ).estimates()
    assert found == pytest.approx({"cons@2": 0.45, "cons@3": 0.85, "two@2": 0.45, "two@3": 0.85})


def test_the_error_bar_of_these_questions_again_is_shorter():
    both = score(RUN, "pass@2", target="both")["pass@2"]
    again = score(RUN, "pass@2", target="same_questions")["pass@2"]
    assert both.stderr == pytest.approx(0.0567446, abs=1e-6) and again.stderr == pytest.approx(
        0.0362093, abs=1e-6
    )
    assert (both.again.low, both.again.high) == (again.low, again.high)
    assert both.low < both.again.low < both.again.high < both.high


def test_percentages_are_refused():
    with pytest.raises(ValueError, match="are these percentages?"):
        score(np.array([[0, 100], [100, 100]]))
    with pytest.raises(ValueError, match="k=6 needs 6 samples"):
        score(OUTCOMES, k=6)


def test_a_group_may_not_be_called_like_a_row_of_the_report():
    rows = [dict(task="mean of 2 groups", question=q, correct=1) for q in range(2)]
    with pytest.raises(ValueError, match="names a row of the report"):
        score(rows, "pass@1", by="task")


def test_two_metrics_of_one_name_must_agree():
    with pytest.raises(ValueError, match="two metrics are called 'own@2'"):
        score(OUTCOMES, {"own@k": lambda k: np.arange(k + 1) == k, "own@2": [0, 0, 0.5]}, k=[2])


# Each option reaches what is computed.

PART = [
    dict(
        question=q,
        sample=s,
        answer="xyz"[(q + s) % 3 if s else 0],
        correct=int(s < q % 5) if (q, s) != (3, 3) else None,
        score=(q + s) % 4 / 4,
        task="uv"[q % 2],
        passage=q // 3,
        points=1 + q % 3,
    )
    for q in range(9)
    for s in range(4)
]


def score_part(metrics="pass^2", **options):
    return score(PART, metrics, **dict(missing="wrong", conflict="any") | options)


@pytest.mark.parametrize(
    "options, differs",
    [
        (dict(missing="drop"), "estimate"),
        (dict(samples_per_question=5), "estimate"),
        (dict(metrics="pass@1"), "estimate"),
        (dict(metrics="pass@k", k=3), "estimate"),
        (dict(confidence_level=0.8), "low"),
        (dict(interval="t"), "interval"),
        (dict(target="same_questions"), "stderr"),
        (dict(cluster="passage"), "stderr"),
        (dict(cluster={q: q // 3 for q in range(9)}), "stderr"),
        (dict(weights="points"), "estimate"),
        (dict(weights={q: 1 + q % 3 for q in range(9)}), "estimate"),
    ],
)
def test_options_that_change_a_number(options, differs):
    plain, other = (score_part(**one).rows[0] for one in ({}, options))
    assert getattr(other, differs) != getattr(plain, differs)


def test_options_of_votes_and_answers():
    def vote(**options):
        return score_part("maj@3", **dict(no_answer="vote") | options).rows[0].estimate

    assert (
        len({round(vote(**one), 9) for one in ({}, dict(ties="wrong"), dict(conflict="majority"))})
        == 3
    )
    assert vote(normalize=lambda answer: "same") != vote()
    blank = [row | dict(answer=row["answer"] if row["correct"] else None) for row in PART]
    found = {
        rule: (
            score(blank, "maj@3", missing="wrong", conflict="any", no_answer=rule).rows[0].estimate
        )
        for rule in ("abstain", "vote")
    }
    assert found["abstain"] != found["vote"]
    with pytest.raises(ValueError, match="ties must be"):
        vote(ties="random")
    with pytest.raises(ValueError, match="missing must be"):
        score_part(missing="right")


def test_clusters_and_weights_by_their_sum():
    assert score_part(cluster="passage").rows[0].stderr_kind == "over 3 clusters"
    row = score_part("avg@n", weights="points").rows[0]
    values = {
        q: sum(one["correct"] or 0 for one in PART if one["question"] == q) / 4 for q in range(9)
    }
    assert row.estimate == pytest.approx(sum((1 + q % 3) * values[q] for q in values) / 18)
    wide = score_part(weights="points", largest_weight=30).rows[0]
    assert wide.weights.largest_weight == 30
    assert wide.high - wide.low > score_part(weights="points").rows[0].high - wide.low
    assert "as declared" in score_part(weights="points", largest_weight=30).notes[0]
    assert (
        score_part(weights="points", title="data").title == "data"
        and score_part(weights="points").next is None
    )


def test_seeds_of_methods_that_draw():
    def ends(**options):
        return [
            (row.low, row.high)
            for row in score_part("pass@k", k=[1, 2], interval="bootstrap", **options).rows
        ]

    assert ends() == ends(rng=0) != ends(rng=1)
    rng = np.random.default_rng(5)
    report = score_part("pass@k", k=[1, 2], interval="bootstrap", rng=rng)
    state = rng.bit_generator.state
    assert (
        len(report.rows) == 2
        and rng.bit_generator.state == state != np.random.default_rng(5).bit_generator.state
    )


def test_what_is_left_out_is_said():
    assert score(Counts([2, 2], [1, 2])).left_out == {
        "soft@n": "no graded scores",
        "maj@k": "no answers",
        "best@k": "no scores to choose by",
    }
    assert score(Counts([2, 2], [1, 2]), "pass@k").left_out == {}
    both = score_part(metrics=None, missing="bounds")
    assert list(both.left_out) == ["best@k", "maj@k"] and both.left_out["best@k"].startswith(
        "how a missing sample"
    )
    assert both.left_out["maj@k"].startswith("samples without an answer need a rule, got 1 of 36")


# Bands.


@pytest.mark.parametrize(
    "options, banded",
    [
        ({}, True),
        (dict(interval="gaffke"), True),
        (dict(interval="anchored-t"), True),
        (dict(interval="t"), False),
        (dict(interval="bootstrap"), False),
        (dict(target="same_questions"), False),
        (dict(target="both"), True),
        (dict(k=[2]), False),
        (dict(weights="points"), False),
        (dict(metrics="max@k"), False),
        (dict(metrics="avg@n", k=None), False),
    ],
)
def test_a_band_over_several_budgets_of_new_questions(options, banded):
    found = score_part(**dict(metrics="pass@k", k=[1, 2]) | options)
    assert {row.band is not None for row in found.rows} == {banded}


# The parts of a report.


def test_a_method_that_does_not_apply_names_its_metric():
    with pytest.raises(ValueError, match="^pass@2: wilson"):
        score(Counts([4, 4], [1, 2]), "pass@2", interval="wilson")
    assert score(Counts([1, 1], [1, 0]), "pass@1", interval="wilson").rows[0].low is not None
    assert score(Counts([4, 4], [1, 2]), "pass@k", interval="anchored-t").rows[1].low is not None


def test_questions_of_several_models_and_groups():
    rows = [
        row | dict(model=model, correct=(row["correct"] or 0) * (model == "y"))
        for model in "xy"
        for row in PART
    ]
    found = score(rows, ["pass@1", "avg@n"], by="task")
    assert list(found.questions) == ["model", "question", "n", "c", "missing", "pass@1", "avg@4"]
    assert found.questions["model"].tolist() == ["x"] * 9 + ["y"] * 9
    assert found.questions["question"].tolist() == [*range(9)] * 2
    for name in ("pass@1", "avg@4"):
        assert found.questions[name].tolist() == (found.questions["c"] / 4).tolist()
    assert found.questions["c"].tolist()[:9] == [0] * 9
    assert found.questions["c"].tolist()[9:] == [0, 1, 2, 3, 4, 0, 1, 2, 3]
    assert [(row.model, row.group, row.metric) for row in found.rows][:6] == [
        ("x", "all questions", "pass@1"),
        ("x", "all questions", "avg@4"),
        ("x", "u", "pass@1"),
        ("x", "u", "avg@4"),
        ("x", "v", "pass@1"),
        ("x", "v", "avg@4"),
    ]
    scored = score(
        [
            row | dict(model=model)
            for model in "xy"
            for row in [dict(question=1, score=0.5), dict(question=2, score=1)]
        ],
        "soft@n",
    )
    assert list(scored.questions) == ["model", "question", "n", "missing", "soft@1"]


def test_only_columns_that_all_models_have():
    rows = [dict(model="x", question=q, correct=1) for q in (1, 2) for _ in range(3)] + [
        dict(model="y", question=q, correct=1) for q in (1, 2) for _ in range(2)
    ]
    found = score(rows, ["pass@k", "avg@n"])
    assert list(found.questions) == ["model", "question", "n", "c", "missing", "pass@1", "pass@2"]
    assert found.questions["n"].tolist() == [3, 3, 2, 2]


def test_cautions_of_each_model_once():
    copies = [
        dict(model=model, question=q, sample=s, correct=int(s != 2))
        for model in "xy"
        for q in range(40)
        for s in range(4)
    ]
    assert [said.model for said in score(copies).cautions] == ["x", "x", "y", "y"]
    alone = [row for row in copies if row["model"] == "x"]
    assert [said.kind for said in score(alone).cautions] == ["odd_run", "duplicate_runs"]
    assert score(alone).cautions[0].model == ""
    assert (
        len(score([row | dict(task=row["question"] % 2) for row in alone], by="task").cautions) == 2
    )
    equal = [row | dict(correct=row["question"] % 2, answer="same") for row in copies]
    assert [one.model for one in score(equal).agreement] == ["x", "y"]
    assert (
        score(
            PART, missing="wrong", conflict="any", cluster="passage", target="same_questions"
        ).cautions
        == ()
    )
    uneven = {q: int(q > 2) for q in range(9)}
    assert [
        bool(score_part(cluster=uneven, target=target).cautions)
        for target in ("new_questions", "both", "same_questions")
    ] == [True, True, False]


def test_letters_only_of_several_models():
    assert score_part().letters == {} and score_part(by="task").letters == {}
    both = score(
        [row | dict(model=model) for model in "xy" for row in PART],
        "pass@2",
        missing="wrong",
        conflict="any",
    )
    assert both.letters == {"pass@2": dict(x="a", y="a")}
    rows = [row | dict(model=model, correct=int(model == "y")) for model in "xy" for row in PART]
    assert score(rows, "pass@2", conflict="any").letters == {"pass@2": dict(x="b", y="a")}
    assert score(rows, "pass@k", 2, weights="points").letters == {"pass@2": dict(x="b", y="a")}
    # Where every answer is right, there is a tie of them all.
    assert score(rows, "maj@3", conflict="any").letters == {"maj@3": dict(x="b", y="a")}
    assert score(rows, "maj@3", conflict="any", ties="wrong").letters == {
        "maj@3": dict(x="a", y="a")
    }


def test_bounds_name_the_models_and_the_data():
    found = score_part("pass@1", missing="bounds", title="data")
    assert [row.estimate for row in found.rows] == pytest.approx(
        [16 / 36, 17 / 36]
    ) and found.title == "data"
    assert "1 of 36 samples missing" in found.read and "counted both ways" in found.read
    assert "counted as wrong" not in found.read
    table = [[1, None], [0, 1]]
    assert [row.estimate for row in score(table, "pass@1", missing="bounds").rows] == [0.5, 0.75]
    more = score([[1, 0], [1]], "pass@1", missing="bounds", samples_per_question=2)
    assert [row.estimate for row in more.rows] == [0.5, 0.75] and more.questions[
        "missing"
    ].tolist() == [0, 1]


# Questions with fewer samples than others.


def draw_ragged(absent=34, numbered=True, model=None):
    "60 questions of 8 samples, some of which are not there, the last four of a question at most."
    rng = np.random.default_rng(3)
    lost = (
        {(q, s) for q in range(9) for s in range(4, 8)}
        if absent == 36
        else {*((q, s) for q in range(8) for s in range(4, 8)), (8, 6), (8, 7)}
    )
    rows = [
        dict(question=q, sample=s, correct=int(rng.random() < 0.5), model=model)
        for q in range(60)
        for s in range(8)
        if (q, s) not in lost
    ]
    return [
        {
            name: value
            for name, value in row.items()
            if value is not None and (numbered or name != "sample")
        }
        for row in rows
    ]


@pytest.mark.parametrize("form", ["rows", "pandas", "Counts", "lists", "csv", "counted"])
def test_ragged_samples_are_said(form, tmp_path):
    rows = draw_ragged(numbered=form != "csv")
    frame = pd.DataFrame(rows)
    frame.to_csv(tmp_path / "a.csv", index=False)
    by_question = [part.tolist() for _, part in frame.groupby("question")["correct"]]
    data = dict(
        rows=rows,
        pandas=frame,
        Counts=counts_of(by_question),
        lists=by_question,
        csv=tmp_path / "a.csv",
        counted=count(frame),
    )[form]
    report, size = score(data), "60 questions, ragged: 4 to 8 samples; 34 fewer than 8 each."
    assert size in str(report) and "none missing" not in str(report)
    assert report.summary.missing.ragged and report.summary.missing.count == 0
    told = json.loads(report.to_json())["rows"][0]
    assert (told["n_min"], told["n_max"], told["short_of"], told["missing"]) == (4, 8, 34, 0)
    assert (
        report.ragged == (Ragged("", 8, 34, 4),) and "No sample was missing" not in report.methods()
    )
    assert score(data, "pass@1", 2).ragged[0].largest_k is None
    assert size in str(type(report).from_json(report.to_json()))
    with pytest.raises(ValueError):
        score(data, samples_per_question=8)
    whole = score(data, samples_per_question=8, missing="wrong")
    assert (
        "60 questions, 8 samples each, 34 missing." in str(whole) and whole["pass@8"].short_of == 0
    )


def test_the_command_says_what_is_ragged(tmp_path):
    pd.DataFrame(draw_ragged()).to_csv(tmp_path / "a.csv", index=False)
    told = " ".join(command("score", str(tmp_path / "a.csv")).stdout.split())
    assert "60 questions, ragged: 4 to 8 samples; 34 fewer than 8 each" in told
    assert "pass --samples-per-question 8: the 34 absent ones are then missing." in told


def test_ragged_models():
    rows = draw_ragged(model="a") + draw_ragged(36, model="b")
    assert [(one.model, one.absent) for one in score(rows).ragged] == [("a", 34), ("b", 36)]
    assert "2 models, 60 questions, ragged: 4 to 8 samples; 34 to 36 fewer than 8 each" in str(
        score(rows)
    )
    fewer = [
        dict(question=q, sample=s, correct=q % 2, model="b") for q in range(60) for s in range(4)
    ]
    report = score(draw_ragged(model="a") + fewer)
    assert "ragged: 4 to 8 samples; 0 to 34 fewer than the most of each" in " ".join(
        str(report).split()
    )
    assert report.ragged == (Ragged("a", 8, 34, 4),)
    # Models that differ in their numbers of samples are not ragged.
    both = fewer + [
        dict(question=q, sample=s, correct=q % 2, model="a") for q in range(60) for s in range(8)
    ]
    assert "4 to 8 samples each, none missing" in str(score(both))


def test_samples_without_an_outcome_are_no_absent_ones():
    rows = draw_ragged(36)
    rows = [
        row | dict(correct=None) if row["question"] > 55 and row["sample"] == 0 else row
        for row in rows + [
            dict(question=q, sample=s, correct=1) for q in range(9) for s in range(4, 8)
        ]
    ]
    report = score(rows, missing="drop")
    assert (
        "ragged: 7 to 8 samples; 4 fewer than 8 each, 4 missing" in str(report)
        and report.ragged == ()
    )


# very many models or groups


def make_many(count, part="model", questions=4, samples=2, seed=5):
    "Outcomes of many models on the same questions, or of the questions of many groups."
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(count), questions * samples)
    at = np.tile(np.repeat(np.arange(questions), samples), count)
    names = at if part == "model" else unit * questions + at
    return {
        part: [f"g{i}" for i in unit],
        "question": [f"q{i}" for i in names],
        "correct": rng.integers(0, 2, len(unit)).tolist(),
    }


@pytest.mark.usefixtures("known_limits")
@pytest.mark.parametrize(
    "part, option", [("model", dict(model="model")), ("group", dict(by="group"))]
)
@pytest.mark.parametrize(
    "more", [{}, dict(target="both"), dict(metrics=["avg@n", "g-pass@k_tau"], k=2)]
)
def test_many_are_the_same_numbers_made_when_they_are_looked_at(part, option, more, monkeypatch):
    monkeypatch.setattr(scoring, "MOST_MODELS_WHOLE", 12)
    data = make_many(13, part)
    late = scoring.score(data, **option, **more)
    assert late.many is not None and "made" not in vars(late.rows)
    shown = str(late)
    assert "made" not in vars(late.rows)  # Nothing but the ten that are shown was estimated
    monkeypatch.setattr(scoring, "MOST_MODELS_WHOLE", 10**6)
    whole = scoring.score(data, **option, **more)
    assert whole.many is None and [row.to_dict() for row in late.rows] == [
        row.to_dict() for row in whole.rows
    ]
    assert {name: column.tolist() for name, column in late.questions.items()} == {
        name: column.tolist() for name, column in whole.questions.items()
    }
    assert late.to_frame("pandas").equals(whole.to_frame("pandas"))
    kept, other = json.loads(late.to_json()), json.loads(whole.to_json())
    assert {**kept, "cautions": [], "agreement": []} == {**other, "cautions": [], "agreement": []}
    assert late.methods() == whole.methods()
    assert pickle.loads(pickle.dumps(late)).rows == whole.rows
    first = late.rows[0].metric
    highest = sorted(
        (
            row
            for row in whole.rows
            if row.metric == first and (part == "model" or row.group.startswith("g"))
        ),
        key=lambda row: -row.estimate,
    )[:10]
    held = list(
        dict.fromkeys(row.model if part == "model" else row.group for row in late.many.rows)
    )
    assert held[-10:] == [row.model if part == "model" else row.group for row in highest]
    by_name = {(row.model, row.group, row.metric): row.to_dict() for row in whole.rows}
    assert all(row.to_dict() == by_name[row.model, row.group, row.metric] for row in late.many.rows)
    plain = shown.replace("\n", " ")
    assert (
        f"Shown: the 10 of 13 {part}s with the highest {first}." in plain
        and len(shown.splitlines()) < 60
    )
    assert (
        "Shown: the 10 of 13" in late.to_markdown()
        and "Shown: the 10 of 13" in late.to_html()
        and "Shown: the 10 of 13" in late.to_text(how=True).replace("\n", " ")
    )


@pytest.mark.usefixtures("known_limits")
def test_many_that_were_asked_different_questions(monkeypatch):
    monkeypatch.setattr(scoring, "MOST_MODELS_WHOLE", 12)
    data = make_many(13)
    data["question"][0] = data["question"][1] = "another"
    assert "were asked different questions: their numbers do not rank them" in str(
        scoring.score(data, model="model")
    ).replace("\n", " ")


def test_many_are_refused_as_few_are(monkeypatch):
    monkeypatch.setattr(scoring, "MOST_MODELS_WHOLE", 12)
    data = make_many(13)
    with pytest.raises(ValueError, match="k=3 needs 3 samples, got n=2"):
        scoring.score(data, "pass@3", model="model")
    with pytest.raises(ValueError, match="soft@n cannot be computed"):
        scoring.score(data, "soft@n", model="model")
    with pytest.raises(ValueError, match="rename it"):
        scoring.score(
            make_many(13, "group")
            | dict(group=["all questions"] * 8 + [f"g{i}" for i in range(12) for _ in range(8)]),
            by="group",
        )
    named = scoring.score(data, model="model", interval="t")
    assert named.many is None and len(named.blocks()) == 13
    assert scoring.score(make_many(12), model="model").many is None


def test_a_million_models_end_in_a_sentence(monkeypatch):
    monkeypatch.setattr(load_module, "MOST_BLOCKS", 20)
    with pytest.raises(
        ValueError, match="a report holds at most 20 models, got 21; does model= name"
    ):
        scoring.score(make_many(21), model="model")
    with pytest.raises(ValueError, match="a report holds at most 20 groups, got 21; does by= name"):
        scoring.score(make_many(21, "group"), by="group")


@pytest.mark.parametrize("verb", [compare, table])
def test_pairs_of_very_many_models_end_in_a_sentence(verb):
    with pytest.raises(
        ValueError,
        match=(
            r"all pairs of at most 500 models are judged, got 501 models \(125,250 pairs\); name"
            r" some with models="
        ),
    ):
        verb(make_many(501, questions=1), model="model")


@pytest.mark.parametrize(
    "part, option", [("model", dict(model="model")), ("group", dict(by="group"))]
)
def test_each_of_many_enters_few_functions(part, option):
    def count_calls(count):
        data, profile = make_many(count, part), cProfile.Profile()
        profile.runcall(lambda: str(scoring.score(data, **option)))
        return pstats.Stats(profile).total_calls

    count_calls(101)
    assert count_calls(401) - count_calls(101) < 300 * 400


def test_how_far_many_are_is_said_at_a_terminal(monkeypatch):
    watch = Steps.watch

    def wait(steps, things):
        "The bar is drawn ten times a second: the work lasts longer than that."
        for thing in watch(steps, things):
            time.sleep(0.005)
            yield thing

    monkeypatch.setattr(Steps, "watch", wait)

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr(
        "sampling_eval.reading.console.progress_bar.__wrapped__.__defaults__",
        ("reading", None, 0.0),
    )
    monkeypatch.setattr(scoring, "MOST_MODELS_WHOLE", 12)
    assert len(scoring.score(make_many(13), model="model").rows) > 13
    told = sys.stderr.getvalue()
    assert "computing intervals of 104 metrics [" in told and " % 0:" in told
    assert told.rstrip(" ").endswith("\r")


# Values of the questions, and from them estimates.

COUNTS = Counts([4, 4, 6, 4], [1, 2, 6, 0], missing=[0, 1, 0, 2])
VOTED = Counts([2, 2], [1, 2], votes=tally([0, 0, 1, 1], list("abxx"), [1, 0, 1, 1]))


def estimate(counts, name, target="new_questions", weights=None, k=None):
    chosen = choose_metrics(counts, name, k)[0][0]
    return estimate_metric(
        chosen, counts, chosen.metric.at_states(counts, chosen.ks), target, weights
    )


def test_these_questions_again_by_hand():
    found = estimate(COUNTS, "pass@1", "same_questions")[0]
    noise = [3 / 12 / 4, 4 / 12 / 4, 0, 0]
    assert (
        found.stderr == pytest.approx(sum(noise) ** 0.5 / 4) and found.k == 1 and found.missing == 3
    )
    assert found.n_max == 6
    one = estimate(Counts([1, 1], [1, 0]), "pass@1", "same_questions")[0]
    assert "upper bound" in one.stderr_kind and one.stderr == pytest.approx(
        mean_over_questions([1, 0]).stderr
    )
    assert "upper bound" not in estimate(Counts([1, 1], [1, 0]), "pass@1")[0].stderr_kind


def test_weights_in_either_target():
    weights = check_weights([1, 2, 4, 1])
    values = [0.25, 0.5, 1, 0]
    want = weighted_mean(values, [1, 2, 4, 1])
    found = estimate(COUNTS, "pass@1", weights=weights)[0]
    assert (found.value, found.stderr) == pytest.approx((want.value, want.stderr)) and found.k == 1
    again = estimate(COUNTS, "pass@1", "same_questions", weights)[0]
    assert again.value == pytest.approx(want.value) and again.k == 1 and again.missing == 3
    assert again.stderr == pytest.approx((1 / 16 * 3 / 48 + 4 / 16 * 4 / 48) ** 0.5 / 2)


def test_noise_where_it_is_known():
    pass2 = choose_metrics(COUNTS, "pass@2")[0][0]
    assert sampling_noise(pass2, Counts([1, 1], [0, 1])) is None
    assert callable(sampling_noise(pass2, COUNTS)) and sampling_noise(
        pass2, COUNTS
    )().variance.shape == (4, 1)
    scored = Counts([2, 2], None, score_sum=[0.5, 1.0])
    assert sampling_noise(choose_metrics(scored, "soft@n")[0][0], scored) is None
    majority = choose_metrics(VOTED, "maj@k", [1, 2])[0][0]
    noise = sampling_noise(majority, VOTED)
    assert noise.step.tolist() == [[0.5, 1], [0.5, 1]] and noise.variance.shape == (2, 2)
    assert sampling_noise(choose_metrics(VOTED, "maj@2")[0][0], VOTED) is None
    assert sampling_noise(majority, Counts([1], [1], votes=tally([0], ["a"], [1]))) is None


# How error bars are computed: what is refused before data are read.


@pytest.mark.parametrize("level", [True, np.True_, "95", None, [0.95], np.array([0.95]), 0.5j])
def test_a_level_that_is_no_number(level):
    with pytest.raises(TypeError, match="^confidence_level must be a number, got "):
        check_kinds(Style(level))


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan")])
def test_a_level_out_of_range(level):
    with pytest.raises(ValueError, match="confidence_level|level"):
        check_style(Style(level))


@pytest.mark.parametrize(
    "style, kind, said",
    [
        (Style(interval=3), TypeError, "interval must be the name of a method, got 3"),
        (Style(interval=("t",)), TypeError, "interval must be the name of a method"),
        (
            Style(rng="0"),
            TypeError,
            "rng must be None, a whole number of at least 0 or a Generator, got '0'",
        ),
        (Style(target="both"), ValueError, "target must be"),
        (Style(target="all"), ValueError, "target must be"),
        (Style(interval="wald"), ValueError, "^interval must be 'assumption-free', .*, got 'wald'"),
        (Style(interval="gaffke", target="same_questions"), ValueError, "gaffke"),
        (Style(interval="gamma"), ValueError, "gamma"),
    ],
)
def test_words_that_are_none(style, kind, said):
    with pytest.raises(kind, match=said):
        check_style(style)


def test_both_targets_where_a_verb_knows_them():
    both = Style(interval="gaffke", target="both")
    assert check_style(both, ("new_questions", "same_questions", "both")) == both
    with pytest.raises(ValueError, match="gamma"):
        check_style(Style(interval="gamma", target="both"), ("new_questions", "both"))
    assert [main_target(o) for o in ("both", "new_questions", "same_questions")] == [
        "new_questions",
        "new_questions",
        "same_questions",
    ]


# Missing samples counted both ways: the two values between which a metric lies.

LOST = dict(question=[1, 1, 1, 2, 2, 2], correct=[1, None, 1, 0, 0, None])
VOTES = [dict(question=1, answer=a, correct=c) for a, c in (("A", 1), ("B", 0), (None, None))]


def test_values_counted_wrong_and_right():
    found = {
        (row.metric, row.group): row.estimate
        for row in score(LOST, ["pass@1", "pass^2"], missing="bounds").rows
    }
    assert found == pytest.approx(
        {
            ("pass@1", "missing counted wrong"): 1 / 3,
            ("pass^2", "missing counted wrong"): 1 / 6,
            ("pass@1", "missing counted right"): 2 / 3,
            ("pass^2", "missing counted right"): 1 / 2,
        }
    )


def test_the_first_is_that_of_missing_wrong():
    both, wrong = score(LOST, "pass@k", missing="bounds"), score(LOST, "pass@k", missing="wrong")
    for k in (1, 2, 3):
        assert both["missing counted wrong", f"pass@{k}"].estimate == wrong[f"pass@{k}"].estimate
    assert both.summary.missing.policy == "both" and "CI for it runs from" in " ".join(
        str(both).split()
    )
    np.testing.assert_array_equal(both.questions["c"], wrong.questions["c"])


def test_a_vote_has_no_bounds():
    found = score(VOTES, missing="bounds", no_answer="abstain")
    assert not any(row.metric.startswith("maj@") for row in found.rows)
    assert found.left_out["maj@k"] == "how a missing sample would have voted or ranked is unknown"
    with pytest.raises(
        ValueError, match="maj@k has no bounds: how a missing sample would have voted"
    ):
        score(VOTES, "maj@k", missing="bounds", no_answer="abstain")


def test_a_credit_that_falls_is_refused():
    falls = {"exactly one@k": lambda k: np.arange(k + 1) == 1}
    with pytest.raises(
        ValueError,
        match="needs a credit that never falls with another right sample, got 'exactly one@k'",
    ):
        score(LOST, falls, k=[2], missing="bounds")
    rises = {"two@k": lambda k: np.arange(k + 1) >= 2}
    assert [
        row.estimate for row in score(LOST, rises, k=[2], missing="bounds").rows
    ] == pytest.approx([1 / 6, 1 / 2])


def test_a_vote_is_refused_only_where_something_is_missing():
    from sampling_eval.foundations.counts import Counts
    from sampling_eval.metrics.catalog import find_metric
    from sampling_eval.analyses.engine.choose import refuse_falling, refuse_unbounded
    from sampling_eval.analyses.engine.choose import Chosen

    vote, share = (
        Chosen(find_metric(name)[0][0], np.array([2]), (name,)) for name in ("maj@k", "pass@k")
    )
    whole, lost = Counts([2], [1]), Counts([2], [1], missing=[1])
    for chosen, metrics, counts in (
        ([vote], "maj@k", whole),
        ([share], "pass@k", lost),
        ([vote, share], None, lost),
    ):
        assert refuse_unbounded(chosen, metrics, counts) is None
    for chosen in ([vote], [share, vote]):
        with pytest.raises(
            ValueError, match="^maj@k has no bounds: .*; choose missing='wrong' or 'drop'$"
        ):
            refuse_unbounded(chosen, "maj@k", lost)
    assert refuse_falling(share, None) is None and refuse_falling(vote, "anything") is None
    assert refuse_falling(share, "anything") is None


@pytest.mark.parametrize(
    "credit, refused",
    [([0, 0.5, 0.5], False), ([0.5, 0.5, 0.5], False), ([0, 1, 0.999], True), ([1, 0, 1], True)],
)
def test_a_credit_may_stay_but_not_fall(credit, refused):
    def find():
        return [row.estimate for row in score(LOST, {"own": credit}, missing="bounds").rows]

    if not refused:
        assert len(find()) == 2
    else:
        with pytest.raises(ValueError, match="never falls with another right sample, got 'own'"):
            find()


def test_every_budget_of_a_credit_is_looked_at():
    rises = {"two@k": lambda k: np.arange(k + 1) if k < 3 else np.arange(k + 1)[::-1]}
    assert len(score(LOST, rises, k=[2], missing="bounds").rows) == 2
    with pytest.raises(ValueError, match="never falls"):
        score(LOST, rises, k=[2, 3], missing="bounds")
