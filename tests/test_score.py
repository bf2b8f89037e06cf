"""`score`, its reports and the command against hostile and clumsy use: the right number, or one
sentence."""

import json
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from conftest import command
from sampling_eval import (
    best_of_k,
    compare,
    Counts,
    counts_of,
    gate,
    maj_at_k,
    max_at_k,
    min_at_k,
    score,
    table,
)
from sampling_eval.metrics.catalog import find_metric

OUTCOMES = np.random.default_rng(1).integers(0, 2, (6, 5))


# counts


def test_budget_beyond_n_names_a_question_with_a_text_name():
    rows = [dict(question=q, correct=1) for q in "ab" for _ in range(3)]
    with pytest.raises(ValueError, match="k=4 needs 4 samples, got n=3 at question 'a'"):
        score(rows, k=4)
    with pytest.raises(ValueError, match="must appear once, got 'a' 2 times"):
        Counts([1, 1], [0, 1], np.array(["a", "a"], object))


def test_outcomes_in_an_array_of_objects():
    assert score(OUTCOMES.astype(object)).estimates() == score(OUTCOMES).estimates()
    assert score(np.array([[1, 0], [1]], dtype=object)).rows[0].n_max == 2
    with pytest.raises(TypeError, match="only bool or only 0/1"):
        score(np.array([[1, 0], [True]], dtype=object))
    with pytest.raises(TypeError, match="got 1000000000000000000000000000000"):
        score([[10**30, 1]])
    with pytest.raises(ValueError, match=r"1 sample has no outcome \(question 0\)"):
        score(np.array([[1, None]], dtype=object))


@pytest.mark.parametrize(
    "data, word",
    [
        (np.ma.array([[1, 0]], mask=[[0, 1]]), "masked"),
        (np.array(3), "one row per question"),
        ([[1, 0], 5], "one row per question"),
        ([None, [1]], "one row per question"),
    ],
)
def test_tables_that_are_no_tables(data, word):
    with pytest.raises((TypeError, ValueError), match=word):
        counts_of(data)


# budgets and metric names


@pytest.mark.parametrize(
    "k, word",
    [
        ([[1, 2], [3, 4]], "one row of them"),
        ([[1], [2, 3]], "one row of them"),
        ([True, 2], "k must be an int, got True"),
        (np.ones((2, 2), int), "one row of them"),
        (range(1, 10**9), "at most"),
        (range(0), "at least one number"),
        (10**30, "integers"),
        ([], "at least one number"),
        ([None], "integers"),
    ],
)
def test_budgets_refused(k, word):
    with pytest.raises((TypeError, ValueError), match=word):
        score(OUTCOMES, k=k)


@pytest.mark.parametrize(
    "name",
    [
        "g-pass@4_0.5.5",
        "g-pass@4_.",
        "g-pass@4_٠",
        "pass@08",
        "pass@" + "9" * 30,
        "x" * 9999,
        "",
        "pass^",
    ],
)
def test_names_refused_in_one_short_sentence(name):
    with pytest.raises(ValueError, match="unknown metric") as error:
        find_metric(name)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("metrics", [3, [3], [None], [], {}, b"pass@k", "g-pass@4_1.5"])
def test_metrics_refused(metrics):
    with pytest.raises((TypeError, ValueError), match="metric|tau"):
        score(OUTCOMES, metrics)


@pytest.mark.parametrize(
    "metrics",
    [["pass@k", "pass@2"], ["pass@2", "pass@k"], ["pass@k"] * 2, ["g-pass@4_0.5", "g-pass@4_0.50"]],
)
def test_a_metric_named_twice_is_one_row(metrics):
    names = [r.metric for r in score(OUTCOMES, metrics).rows]
    assert len(names) == len(set(names))
    if len(names) > 1:
        assert all(r.band is not None for r in score(OUTCOMES, metrics).rows)


# own credits


def test_own_credit_as_numbers():
    assert (
        score(OUTCOMES, {"two@4": [0, 0, 1, 1, 1]}).estimates()
        == score(OUTCOMES, {"two@k": lambda k: np.arange(k + 1) >= 2}, k=4).estimates() | {}
    )


def test_own_credit_is_looked_at_where_it_is_used():
    row = score(OUTCOMES, {"three@k": lambda k: {3: [0, 0, 0, 3.0]}[k]}, k=3).rows[0]
    assert row.interval.method.name == "t" and not row.interval.method.exact
    large = score(OUTCOMES, {"late@k": lambda k: np.arange(k + 1) * (3 if k > 4 else 1 / k)})
    assert large.rows[-1].estimate > 1


@pytest.mark.parametrize(
    "name, credit, word",
    [
        ("short@k", lambda k: np.ones(k), "k \\+ 1"),
        ("nan@k", lambda k: np.full(k + 1, np.nan), "got nan"),
        ("z@k", lambda k: np.ones(k + 1) * 1j, "numbers, got dtype"),
        ("t@k", lambda k: "abc", "numbers, got dtype"),
        ("three", lambda k: np.ones(k + 1), "must hold @k"),
        ("", lambda k: np.ones(k + 1), "needs a name"),
        (3, lambda k: np.ones(k + 1), "needs a name"),
        ("pass@k", lambda k: np.zeros(k + 1), "of the package"),
        ("Pass@8", [0, 1], "of the package"),
        ("a@k", 3, "function of k"),
    ],
)
def test_own_credit_refused(name, credit, word):
    with pytest.raises((TypeError, ValueError), match=word):
        score(OUTCOMES, {name: credit})


# settings


@pytest.mark.parametrize(
    "settings, word",
    [
        (dict(confidence_level="0.95"), "confidence_level"),
        (dict(confidence_level=True), "confidence_level"),
        (dict(confidence_level=[0.9]), "confidence_level"),
        (dict(interval=["t"]), "interval"),
        (dict(rng="x"), "rng"),
        (dict(rng=-1), "rng"),
        (dict(rng=True), "rng"),
        (dict(rng=np.random.RandomState(1)), "rng"),
        (dict(ties="x"), "ties"),
        (dict(no_answer="x"), "no_answer"),
        (dict(normalize="x"), "normalize"),
        (dict(conflict="x"), "conflict"),
        (dict(missing="x"), "'bounds'"),
        (dict(missing=["wrong"]), "'bounds'"),
        (dict(by="task"), "by="),
        (dict(samples_per_question=0), "at least 1"),
        (dict(samples_per_question=True), "at least 1"),
        (dict(samples_per_question="5"), "samples_per_question"),
        (dict(samples_per_question=6), "pass missing="),
        (dict(interval="wilson"), r"pass@1: wilson needs"),
    ],
)
def test_settings_refused(settings, word):
    with pytest.raises((TypeError, ValueError), match=word):
        score(OUTCOMES, **settings)


def test_absent_samples_of_a_table():
    ragged = [[1, 1], [0, 1, 0]]
    estimate = lambda missing: score(ragged, "avg@n", samples_per_question=4, missing=missing)
    assert [estimate(m).rows[0].estimate for m in ("wrong", "drop")] == [0.375, (1 + 1 / 3) / 2]
    assert [(r.estimate, r.missing) for r in estimate("bounds").rows] == [(0.375, 3), (0.75, 3)]
    assert "3 of 8 samples missing (coverage 62.5 %), counted as wrong" in estimate("wrong").read


def test_confidence_is_not_rounded_to_certainty():
    assert "99.99999 % CI" in repr(score(OUTCOMES, confidence_level=0.9999999))
    assert "57 % CI" in repr(score(OUTCOMES, confidence_level=0.57)) and "90 % CI" in repr(
        score(OUTCOMES, confidence_level=0.9)
    )
    json.loads(score(OUTCOMES, confidence_level=np.float32(0.5)).to_json())


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_one_saturated_row_does_not_stop_the_others(interval):
    rows = {r.metric: r for r in score(OUTCOMES, interval=interval).rows}
    assert (
        rows["pass@5"].low is None
        and rows["pass@5"].reason
        and rows["pass@1"].low < rows["pass@1"].estimate < rows["pass@1"].high
    )


# rows of a long table


def rows(questions=4, n=4, models=(None,), groups=("",), missing=0.0, seed=0):
    "A long table with answers and scores, drawn from a seed."
    rng, out = np.random.default_rng(seed), []
    for model in models:
        for q in range(questions):
            for s in range(n):
                right = int(rng.random() < 0.5)
                out.append(
                    dict(
                        question=f"q{q}",
                        sample=s,
                        correct=right if rng.random() >= missing else None,
                        answer=f"a{q}" if right else "xyz"[rng.integers(3)],
                        score=round(rng.random(), 1),
                        task=groups[q % len(groups)],
                    )
                    | ({} if model is None else dict(model=model))
                )
    return out


def credit(metric, drawn, right):
    "Credit of one subset, from the definition."
    j, k = sum(r["correct"] for r in drawn), len(drawn)
    if metric in ("pass@k", "pass^k", "cons@k"):
        return {"pass@k": j > 0, "pass^k": j == k, "cons@k": 2 * j > k}[metric]
    if metric in ("max@k", "min@k"):
        return Fraction((max if metric == "max@k" else min)(r["score"] for r in drawn))
    if metric == "best@k":
        best = [r["correct"] for r in drawn if r["score"] == max(o["score"] for o in drawn)]
    else:
        given = [r["answer"] for r in drawn]
        best = [a in right for a in set(given) if given.count(a) == max(map(given.count, given))]
    return Fraction(sum(best), len(best))


@pytest.mark.parametrize("seed", range(4))
def test_every_metric_against_a_listing_of_all_subsets(seed):
    names = ["pass@k", "pass^k", "cons@k", "maj@k", "best@k", "max@k", "min@k"]
    data = rows(3, 4, seed=seed)[seed % 2 :]
    by_question = {q: [r for r in data if r["question"] == q] for q in ("q0", "q1", "q2")}
    found = score(data, names, k=[1, 2, 3]).estimates()
    for metric in names:
        for k in (1, 2, 3):
            mean = [
                sum(
                    credit(metric, s, {r["answer"] for r in own if r["correct"]})
                    for s in combinations(own, k)
                )
                / Fraction(math.comb(len(own), k))
                for own in by_question.values()
            ]
            assert abs(found[metric.replace("k", str(k))] - float(sum(mean) / 3)) < 1e-12


def test_row_order_does_not_matter():
    data = rows(5, 5)
    back = [data[i] for i in np.random.default_rng(0).permutation(len(data))]
    for a, b in zip(score(data).rows, score(back).rows):
        for name in ("estimate", "stderr", "low", "high"):
            assert getattr(a, name) == pytest.approx(getattr(b, name), abs=1e-12)
        assert (a.band is None) == (b.band is None)
        if a.band:
            assert (a.band.low, a.band.high) == pytest.approx((b.band.low, b.band.high), abs=1e-12)


def test_order_of_the_metrics_and_ends():
    for seed in range(2):
        report = score(rows(5, 4, seed=seed))
        of = report.estimates()
        for k in range(1, 5):
            assert (
                of[f"pass^{k}"]
                <= min(of["avg@4"], of[f"maj@{k}"], of[f"cons@{k}"], of[f"best@{k}"])
                and max(of["avg@4"], of[f"maj@{k}"], of[f"cons@{k}"], of[f"best@{k}"])
                <= of[f"pass@{k}"] + 1e-12
            )
        assert all(r.low <= r.estimate <= r.high and r.low < r.high for r in report.rows)


def test_inputs_are_left_as_they_were():
    table, data = OUTCOMES.copy(), rows()
    kept = [dict(r) for r in data]
    score(table), score(data)
    assert (table == OUTCOMES).all() and data == kept


# missing samples


def test_bounds_hold_only_what_they_bound():
    data = rows(5, 5, missing=0.3)
    report = score(data, missing="bounds", no_answer="abstain", conflict="any")
    low, high = report.estimates().values()
    assert low.keys() == high.keys() and all(low[m] <= high[m] + 1e-12 for m in low)
    assert not any(m.startswith(("maj@", "best@")) for m in low) and list(report.left_out)[:2] == [
        "maj@k",
        "best@k",
    ]
    with pytest.raises(ValueError, match="maj@k has no bounds"):
        score(data, "maj@k", missing="bounds", no_answer="abstain", conflict="any")
    with pytest.raises(ValueError, match="never falls"):
        score(data, {"one@k": lambda k: np.arange(k + 1) == 1}, missing="bounds")


def test_a_score_that_is_missing_beside_an_outcome():
    data = [dict(question=0, correct=1, score=0.5), dict(question=0, correct=0, score=None)]
    with pytest.raises(ValueError, match="1 of 2 scores are missing"):
        score(data, "soft@n")
    with pytest.raises(ValueError, match="1 of 2 scores are missing"):
        score(data, "soft@n", missing="wrong")


# scores


def test_nothing_to_report_is_an_error():
    with pytest.raises(ValueError, match="no metric to report.*lie outside"):
        score([dict(question=i, score=s) for i, s in enumerate((1.5, -2.0))])


def test_scores_alone():
    data = [dict(question=i % 2, score=s) for i, s in enumerate((0.1, 0.5, 0.9, 0.3))]
    report = score(data)
    assert "soft@2" in report.to_html() and report.estimates() == {"soft@2": 0.45}
    drawn = report.plot()
    assert [label.get_text() for label in drawn.get_yticklabels()] == ["soft@2"]
    with pytest.raises(ValueError, match="flaky"):
        report.flaky()
    one = score([dict(question=0, score=0.5)], ["max@k"])
    assert one.rows[0].low is None and one.rows[0].reason and one.estimates() == {"max@1": 0.5}
    with pytest.raises(ValueError, match="at most 1e150"):
        score([dict(question=i, score=s) for i, s in enumerate((1e300, -1e300))], "max@k")


# groups and names


def test_groups_with_different_n_keep_their_average():
    data = [r | dict(task="t1") for r in rows(3, 4)] + [
        r | dict(task="t2", question=r["question"] + "b") for r in rows(2, 3)
    ]
    report = score(data, "avg@n", by="task").estimates()
    assert report["mean of 2 groups"]["avg@n"] == pytest.approx(
        (report["t1"]["avg@4"] + report["t2"]["avg@3"]) / 2
    )
    for name in ("all questions", "mean of 2 groups"):
        with pytest.raises(ValueError, match="names a row of the report"):
            score([r | dict(task=name if r["task"] == "t1" else "t2") for r in data], by="task")


HOSTILE = [
    "<script>alert(1)</script>",
    "a|b",
    "$x$",
    "\\input{x}",
    "\x1b[31m",
    "_h_",
    "a\nb",
    "ü漢字😀",
    "\u202eabc",
    "x" * 3000,
    "%s{0}",
    " x ",
    "a / b",
]


@pytest.mark.filterwarnings("error")
def test_hostile_names_in_every_form():
    data = [
        r | dict(model=name, question=name + r["question"]) for name in HOSTILE for r in rows(2, 2)
    ]
    report = score(data, k=2, title=HOSTILE[0])
    parsed = json.loads(report.to_json(), parse_constant=pytest.fail)["rows"]
    assert parsed == [r.to_dict() for r in report.rows] and list(report.estimates()) == HOSTILE
    table = [line for line in report.to_markdown().splitlines() if line.startswith("| metric")]
    assert len(table) == len(HOSTILE) + 1 and "| model |" in report.to_markdown()
    assert report.to_latex().count(r"\bottomrule") == 2 + len(HOSTILE)
    assert (
        "<script>alert" not in score(
            [r for r in data if r["model"] in (HOSTILE[0], HOSTILE[7], HOSTILE[9])],
            "pass@k",
            title=HOSTILE[9],
        ).to_html()
    )
    assert not any(
        ord(o) < 32 and o != "\n" for o in repr(report) + report.to_markdown() + report.to_latex()
    )
    for backend in ("pandas", "polars", "pyarrow"):
        assert len(report.to_frame(backend)) == len(report.rows)


# files and the command


@pytest.fixture
def run(tmp_path):
    (tmp_path / "run.csv").write_text(
        "question,correct\n" + "".join(f"q{q},{(q + s) % 2}\n" for q in range(4) for s in range(3))
    )
    return tmp_path


@pytest.mark.parametrize(
    "arguments, word",
    [
        (["-k", "64"], "got n=3 at question 'q0'"),
        (["-m", ""], "unknown metric"),
        (["-o", "run.csv"], "run.csv holds the data"),
        (["--html", "./run.csv"], "run.csv holds the data"),
        (["-o", "none/x.json"], "cannot write none/x.json"),
    ],
)
def test_command_refuses_in_one_sentence(arguments, word, run):
    before = (run / "run.csv").read_bytes()
    done = command("score", "run.csv", *arguments, cwd=run, strict=True)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (
        2,
        "",
        1,
    ) and word in done.stderr, done.stderr
    assert (run / "run.csv").read_bytes() == before and [p.name for p in run.iterdir()] == [
        "run.csv"
    ]


def test_files_with_a_long_or_no_header(tmp_path):
    (tmp_path / "long.csv").write_text("question,correct," + "x" * 200_000 + "\n1,1,2\n")
    assert score(tmp_path / "long.csv").estimates()["pass@1"] == 1
    with pytest.raises(ValueError, match="empty text"):
        score("")


def test_a_mean_over_all_samples_by_its_label():
    assert score([[1, 0], [1, 1]], "avg@2").estimates() == {"avg@2": 0.75}
    with pytest.raises(
        ValueError,
        match=(
            r"avg@3 is a mean over all 3 samples, got n=2 at question 0 \(2 of 2 fail\); avg@n"
            r" takes what there is"
        ),
    ):
        score([[1, 0], [1, 1]], "avg@3")


# what the error bars are about


def test_clusters_by_name_are_heard_on_every_form(tmp_path):
    table, groups = rows(), {f"q{i}": "ab"[i % 2] for i in range(4)}
    names = sorted({row["question"] for row in table})
    groups = {name: "ab"[i % 2] for i, name in enumerate(names)}
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in table))
    import polars

    for data in (table, str(path), polars.DataFrame(table)):
        found = score(data, "pass@1", cluster=groups).rows[0]
        assert found.stderr_kind == "over 2 clusters" and (
            found.interval.method.name,
            found.interval.method.clusters,
        ) == ("gaffke", 2)
        with pytest.raises(
            ValueError, match="cluster must name a group for every question, got none for"
        ):
            score(data, "pass@1", cluster={names[0]: "a"})
        with pytest.raises(TypeError, match="cluster must be a column or a mapping"):
            score(data, "pass@1", cluster=["a"] * 4)
    assert (
        score([[1, 0], [0, 0]], "pass@1", cluster=["a", "a"]).rows[0].reason
        == "one cluster shows no spread"
    )


def test_both_targets():
    found = score([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]], ["pass@1"], target="both")
    new, again = (
        score([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]], ["pass@1"], target=o).rows[0]
        for o in ("new_questions", "same_questions")
    )
    row = found.rows[0]
    assert (row.low, row.high, row.again.low, row.again.high) == (
        new.low,
        new.high,
        again.low,
        again.high,
    )
    assert (
        "new questions" in repr(found)
        and "same questions" in repr(found)
        and "for the same questions" in found.methods()
    )
    with pytest.raises(
        ValueError, match="target must be 'new_questions', 'same_questions' or 'both'"
    ):
        score([[1]], target="all")


def test_a_mean_of_groups_has_limits_of_its_own():
    table = [
        dict(question=f"{g}{i}", sample=0, correct=int(i < right), task=g)
        for g, n, right in (("easy", 96, 72), ("hard", 4, 1))
        for i in range(n)
    ]
    macro = score(table, "pass@1", by="task").rows[-1]
    assert (
        macro.group == "mean of 2 groups"
        and macro.estimate == 0.5
        and macro.interval.method.name == "gamma"
        and macro.interval.method.strata
    )
    assert (
        macro.stderr == pytest.approx(0.126958, abs=1e-6)
        and 0.3 < macro.low < 0.39
        and 0.75 < macro.high < 0.85
    )


def test_an_upper_bound_says_so():
    """One sample a question shows no noise: the interval for these questions is the one for new
    ones."""
    rows = score([[1], [0], [1]], "avg@n", target="both").rows
    assert rows[0].again.method.upper_bound and not rows[0].interval.method.upper_bound
    assert (rows[0].again.low, rows[0].again.high) == (rows[0].low, rows[0].high)


# scores on a scale of their own


def rate(scale=lambda score: 1 + 4 * score, shift=0, questions=24):
    "Ratings of three samples of each question, with the same ones between 0 and 1 beside them."
    rng = np.random.default_rng(7 + shift)
    plain = np.minimum(1, np.round(rng.integers(0, 5, (questions, 3)) / 4 + shift / 4, 2))
    return [
        dict(question=f"q{q}", sample=s, score=float(scale(plain[q, s])))
        for q in range(questions)
        for s in range(3)
    ]


@pytest.mark.parametrize("low, high", [(1, 5), (0, 100), (-2, 1), (0, 10)])
def test_a_mean_on_any_scale_is_soft_accuracy_moved_and_stretched(low, high):
    def scale(score):
        return low + (high - low) * score

    plain, own = score(rate(float))["soft@3"], score(rate(scale), scale=(low, high))["mean@3"]
    found = [own.estimate, own.low, own.high, own.stderr + low]
    assert found == pytest.approx(
        [scale(one) for one in (plain.estimate, plain.low, plain.high, plain.stderr)],
        rel=1e-6,
        abs=1e-6,
    )
    assert (
        own.interval.method == plain.interval.method
        and own.interval.unit == "score"
        and own.interval.method.name == "gaffke"
        and own.questions == 24
    )
    best = score(rate(scale), ["mean@n", "max@k", "min@k"], scale=(low, high))
    assert (
        best["max@1"].estimate == pytest.approx(own.estimate)
        and best["max@3"].interval.method.exact
    )
    mean = score(rate(scale), "mean@n")
    assert mean["mean@3"].estimate == own.estimate and not mean["mean@3"].interval.method.exact
    assert any("No range of scores is stated for mean@3" in note for note in mean.notes)
    assert not any(
        "No range" in note for note in score(rate(scale), "mean@n", scale=(low, high)).notes
    )


@pytest.mark.parametrize(
    "low, high, said",
    [
        (
            1,
            5,
            (
                "scores lie outside [0, 1], got 1 to 5; pass metrics='mean@n' for their mean, and"
                " scale=... with the least and the largest there can be"
            ),
        ),
        (
            0,
            100,
            (
                "got 0 to 100; if they are percentages, divide by 100; pass metrics='mean@n' for"
                " their mean, and scale=... with the least and the largest there can be"
            ),
        ),
        (
            -1,
            1,
            (
                "got -1 to 1; pass metrics='mean@n' for their mean, and scale=... with the least"
                " and the largest there can be"
            ),
        ),
        (
            10,
            50,
            (
                "got 10 to 50; if they are percentages, divide by 100; pass metrics='mean@n' for"
                " their mean, and scale=... with the least and the largest there can be"
            ),
        ),
    ],
)
def test_scores_outside_0_to_1_say_what_to_type(low, high, said, tmp_path):
    rows = rate(lambda score: low + (high - low) * score)
    for metrics in None, "soft@n":
        with pytest.raises(ValueError) as caught:
            score(rows, metrics)
        assert said in str(caught.value)
    (path := tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    told = command("score", path).stderr
    # The range of what is there is no scale: it is not offered as one.
    assert told.strip().endswith(f"Try: sampling-eval score {path} --metrics mean@n")
    run = command("score", path, "--metrics", "mean@n", "--scale", low, high)
    assert (
        run.returncode == 0
        and run.stdout.startswith("mean@3 = ")
        and "approximate" not in run.stdout
    )
    assert "which is approximate" in command("score", path, "-m", "mean@n").stdout.replace(
        "\n", " "
    )


def test_a_scale_in_every_verb(tmp_path):
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    for path, shift in (old, 0), (new, 2):
        path.write_text("\n".join(map(json.dumps, rate(shift=shift))))
    versus = compare(old, new, "mean@n", scale=(1, 5))
    plain = compare(rate(float), rate(float, 2), "soft@n")
    row, one = versus["mean@3"], plain["soft@3"]
    assert [row.difference, row.low, row.high] == pytest.approx(
        [4 * one.difference, 4 * one.low, 4 * one.high], rel=1e-6
    )
    assert compare(old, new, "mean@n").notes[0].startswith("No range of scores is stated")
    listed = table([old, new], scale=(1, 5))
    assert "mean@3" in str(listed) and "approximate" not in str(listed) and not listed.unscaled
    assert table([old, new], "mean@n").unscaled == ("mean@3",)
    assert gate(new, baseline=old, metrics="mean@n", max_drop=0.1, scale=(1, 5)).exit_code() == 0
    assert gate(old, minimum={"mean@n": 4.9}, scale=(1, 5)).exit_code() == 1
    for words in (
        ["compare", old, new, "-m", "mean@n"],
        ["table", old, new],
        ["gate", new, "--minimum", "mean@n=2"],
        ["explain", old, "q1"],
        ["describe", old],
    ):
        run = command(*words, "--scale", "1", "5")
        assert run.returncode == 0 and "mean@" in run.stdout, run.stderr


@pytest.mark.parametrize(
    "bounds, said",
    [
        ((1, 4), "scores must lie in the scale 1 to 4, got 5 at question"),
        ((5, 1), "scale must be the least and the largest score"),
        ((1,), "scale must be"),
        (3, "scale must be"),
        ("15", "scale must be"),
        ((1, float("nan")), "scale must be"),
        ((1, float("inf")), "scale must be"),
        ((True, 5), "scale must be"),
    ],
)
def test_scales_that_are_none(bounds, said):
    with pytest.raises(ValueError, match=said):
        score(rate(), scale=bounds)


def test_a_scale_without_scores():
    for data in [[0, 1], [1, 1]], dict(question=[1, 2], correct=[0, 1]):
        with pytest.raises(ValueError, match="scale= states the range of scores, got"):
            score(data, scale=(1, 5))
    with pytest.raises(
        ValueError,
        match="mean@n cannot be computed: no scores to choose by; name the column with score=",
    ):
        score([[0, 1], [1, 1]], "mean@n")


def test_missing_scores_have_the_ends_of_the_scale():
    rows = rate()
    rows[0] = rows[0] | dict(score=None)
    with pytest.raises(ValueError, match="1 sample has no outcome"):
        score(rows, scale=(1, 5))
    dropped = score(rows, missing="drop", scale=(1, 5))
    others = [row["score"] for row in rows[1:3]]
    assert dropped.questions["mean@n"][0] == sum(others) / 2
    assert score(rows, missing="wrong", scale=(1, 5)).questions["mean@3"][0] == pytest.approx(
        (sum(others) + 1) / 3
    )


# Votes and verifier scores through `score`: values of the functions, and what is said when a column
# is missing or contradicts itself.

ANSWERS, CORRECT = [list("AAABB"), list("AABBC"), list("AAABC")], [
    [1, 1, 1, 0, 0],
    [1, 1, 0, 0, 0],
    [1, 1, 1, 0, 0],
]
SCORES = [[0.1, 0.9, 0.3, 0.5, 0.2], [0.7, 0.1, 0.8, 0.2, 0.6], [0.5, 0.5, 0.5, 0.1, 0.9]]
TABLE = dict(
    question=np.repeat([1, 2, 3], 5),
    answer=sum(ANSWERS, []),
    score=sum(SCORES, []),
    correct=sum(CORRECT, []),
)


def without(*names):
    return {name: column for name, column in TABLE.items() if name not in names}


def test_values_are_the_functions():
    k, got = [1, 3, 5], score(
        TABLE, metrics=["maj@k", "best@k", "max@k", "min@k"], k=[1, 3, 5]
    ).estimates()
    want = {
        "maj": maj_at_k(ANSWERS, CORRECT, k),
        "best": best_of_k(SCORES, CORRECT, k),
        "max": max_at_k(SCORES, k),
        "min": min_at_k(SCORES, k),
    }
    for name, values in want.items():
        assert [got[f"{name}@{b}"] for b in k] == pytest.approx(values.mean(0).tolist(), rel=1e-14)


@pytest.mark.parametrize(
    "missing,metric,message",
    [
        (
            "answer",
            "maj@k",
            (
                "maj@k cannot be computed: no answers; name the column with answer=, or take"
                " cons@k, the strict majority of correct samples"
            ),
        ),
        (
            "score",
            "best@k",
            "best@k cannot be computed: no scores to choose by; name the column with score=",
        ),
        (
            "score",
            "max@k",
            "max@k cannot be computed: no scores to choose by; name the column with score=",
        ),
        (
            "score",
            "soft@n",
            "soft@n cannot be computed: no graded scores; name the column with score=",
        ),
    ],
)
def test_a_missing_column_is_named(missing, metric, message):
    with pytest.raises(ValueError) as error:
        score(without(missing), metrics=[metric])
    assert str(error.value) == message


def test_flags_alone_leave_votes_out_or_refuse_them():
    report = score(CORRECT)
    assert not any(
        name.startswith(("maj", "best")) for name in report.estimates()
    ) and "maj@k (no answers" in str(report)
    with pytest.raises(ValueError, match="strict majority of correct samples"):
        score(CORRECT, metrics=["maj@k"])


def test_one_text_right_and_wrong_needs_a_rule():
    table = TABLE | dict(correct=[1, 1, 0, 0, 0, *TABLE["correct"][5:]])
    with pytest.raises(
        ValueError,
        match=(
            r"throughout a question, got 'A' \(2 right, 1 wrong\) at question 1 \(1 of 8 answers"
            r" fail\); choose conflict='any', 'majority' or 'mean'"
        ),
    ):
        score(table, metrics=["maj@k"])
    assert (
        score(table, metrics=["maj@k"], k=5, conflict="majority").estimates()
        == score(TABLE, metrics=["maj@k"], k=5).estimates()
    )


@pytest.mark.parametrize("interval", [None, "t", "bootstrap"])
@pytest.mark.parametrize("questions", [1, 3])
def test_rewards_that_agree_have_no_error_and_no_interval(interval, questions):
    table = dict(
        question=np.repeat(np.arange(questions), 2),
        score=[0.1, 0.9] * questions,
        correct=[0, 1] * questions,
    )
    row = score(table, metrics=["max@k"], k=2, interval=interval).rows[0]
    assert (row.estimate, row.stderr, row.low, row.high) == (
        0.9,
        None,
        None,
        None,
    ) and "shows no spread" in row.reason
    assert score(table, metrics=["best@k"], k=2, interval=interval).rows[0].estimate == 1
