"""The verbs compare, gate, plan and extrapolate: published values, alignment, refusals, every form
of a result."""

import csv, io, json
from pathlib import Path

import numpy as np
import pytest

from sampling_eval import compare, extrapolate, gate, plan, read, score
from sampling_eval.foundations.counts import Counts
from sampling_eval.analyses.compare.result import MultipleComparison, PairwiseComparison

HERE = Path(__file__).parent
DATA = HERE.parent / "sampling_eval" / "examples"
HOSTILE = "<script>alert(1)</script>|`$x$`\x1b[31m"


def aime(model):
    cases = json.loads((HERE / "vectors" / "paper_checks.json").read_text("utf-8"))
    right = next(
        case["input"]["counts_of_4"] for case in cases if case["id"] == f"aime2025II_{model}"
    )
    return Counts([4] * len(right), right)


@pytest.fixture(scope="module")
def crossing():
    table = np.genfromtxt(
        DATA / "deepscaler32k_counts.csv", delimiter=",", names=True, dtype=None, encoding="utf-8"
    )
    return [Counts(table["n"], table[name], table["question_id"]) for name in ("c_base", "c_rl")]


def rows(right, n=4, model=None, names=None):
    found = [
        dict(
            question=(names or [f"q{q}" for q in range(len(right))])[q],
            sample=s,
            correct=int(s < c),
        )
        for q, c in enumerate(right)
        for s in range(n)
    ]
    return [row | dict(model=model) for row in found] if model else found


# published values


def test_crossover_over_all_budgets(crossing):
    found = compare(*crossing, k=range(1, 129))
    assert found.curve.gains.tolist() == [*range(1, 11)] and found.curve.losses.tolist() == [
        *range(64, 129)
    ]
    assert found.curve.first_loss.tolist() == [*range(11, 65)]
    np.testing.assert_allclose(
        [found["pass@1"].difference, found["pass@128"].difference, found["pass@128"].stderr],
        [0.07595813679245284, -0.01981132075471698, 0.0063021453965514665],
        atol=1e-9,
    )
    said = " ".join(repr(found).split())
    assert (
        "B is better at k = 1-10; worse at k = 64-128; inconclusive at k = 11-63. The curves cross"
        " between k = 10 and k = 64."
        in said
    )
    assert list(found.moved) == ["pass@1", "pass@128"] and len(found.questions["question"]) == 1060


def test_plan_of_miller():
    from sampling_eval.inference.planning import Components

    assert plan(0.03, pilot=Components(1 / 9, np.array([0.0]), np.array([1]))).questions[0] == 969
    uniform = plan(0.05, n=[1, 2, 4, 6]).components.total
    np.testing.assert_allclose(1 - uniform / uniform[0], [0, 1 / 3, 1 / 2, 5 / 9], rtol=1e-12)


# any metric, any budget


def test_every_metric():
    table = [
        dict(question=q, sample=s, answer=a, correct=int(a == "A"), score=0.1 * s + (a == "A"))
        for q, given in enumerate(("AAB", "ABB", "CCA", "AAA"))
        for s, a in enumerate(given)
    ]
    other = [
        row | dict(answer="A", correct=1, score=2.0) if row["question"] == 1 else row
        for row in table
    ]
    for metric in (
        "pass@k",
        "pass^k",
        "maj@3",
        "best@k",
        "max@k",
        "min@2",
        "avg@n",
        "cons@k",
        "g-pass@k_0.5",
        "mg-pass@k",
    ):
        found = compare(table, other, metric)
        assert any(row.wins == 1 for row in found.rows) and not any(
            row.losses for row in found.rows
        ), metric
        assert "NaN" not in found.to_json()
    own = compare(table, other, {"two@k": lambda k: np.arange(k + 1) >= 2}, 2).rows[0]
    assert own.metric == "two@2" and own.difference == pytest.approx((1 - 0) / 4)
    with pytest.raises(ValueError, match="metrics must name one metric"):
        compare(table, other, "g-pass@k_tau")
    with pytest.raises(ValueError, match="maj@k cannot be computed"):
        compare([[1, 0]], [[1, 1]], "maj@k")


def test_values_are_those_of_score(crossing):
    found = compare(*crossing, k=[1, 64])
    for side, name in zip(crossing, "ab"):
        want = score(side, "pass@k", [1, 64]).estimates()
        np.testing.assert_allclose(
            [getattr(row, name) for row in found.rows], list(want.values()), rtol=1e-14
        )


def test_default_budgets_follow_the_smaller_n():
    a, b = Counts([16, 16], [3, 4]), Counts([4, 6], [1, 2])
    assert [row.k for row in compare(a, b).rows] == [1, 2, 3, 4]
    assert (
        compare(a, b).samples == ((16, 16), (4, 6))
        and compare(a, b, "avg@n").rows[0].metric == "avg@n"
    )
    with pytest.raises(ValueError, match="k=8 needs 8 samples, got n=4 at question 0"):
        compare(a, b, k=8)
    with pytest.raises(ValueError, match="states its budget"):
        compare(a, b, "pass@2", 2)
    with pytest.raises(ValueError, match="has no budget"):
        compare(a, b, "avg@n", 2)


# alignment


def test_order_of_questions_does_not_matter():
    a, b = rows([4, 2, 0]), rows([1, 3, 4])
    straight, turned = compare(a, b), compare(a, b[::-1])
    assert straight.rows == turned.rows


def test_overlap():
    a, b = rows([4, 2, 0]), rows([4, 4], names=["q2", "q9"])
    with pytest.raises(
        ValueError,
        match=r"1 in both, 2 only in A \('q0', 'q1'\), 1 only in B \('q9'\); on_unmatched='drop'",
    ):
        compare(a, b)
    found = compare(a, b, on_unmatched="drop")
    assert (
        found.rows[0].questions == 1
        and found.rows[0].difference == 1.0
        and "2 only in A ('q0', 'q1')" in repr(found)
    )
    assert [(one.system, one.questions) for one in found.alignment.unmatched] == [
        ("A", 2),
        ("B", 1),
    ]
    with pytest.raises(ValueError, match="must share questions"):
        compare(a, rows([1], names=["x"]), on_unmatched="drop")
    with pytest.raises(ValueError, match="names are str in A and int in B"):
        compare(a, Counts([4] * 3, [1, 2, 3]))


def test_dropping_questions_takes_votes_and_scores_along():
    a = [
        dict(question=q, answer=x, correct=int(x == "A"), score=(i + (q == "r")) / 10)
        for q, given in dict(p="BBB", r="AAB", s="ABB").items()
        for i, x in enumerate(given)
    ]
    b = [row for row in a[::-1] if row["question"] != "p"]
    for metric in ("maj@3", "best@3", "max@2"):
        found = compare(a, b, metric, on_unmatched="drop")
        want = score(b, [metric]).rows[0].estimate
        assert found.rows[0].a == pytest.approx(want) and found.rows[0].b == pytest.approx(want)
    short = rows([1], n=1, names=["q0"]) + rows([2, 3], names=["q1", "q2"])
    assert [
        row.k for row in compare(short, rows([2, 3], names=["q1", "q2"]), on_unmatched="drop").rows
    ] == [1, 2, 3, 4]


def test_clusters():
    a, b = (
        [row | dict(passage=int(row["question"][1]) // 2) for row in rows(c)]
        for c in ([4, 2, 0, 1], [4, 4, 1, 1])
    )
    assert compare(a, b, "pass@1").rows[0].stderr_kind == "over questions"
    named = compare(a, b, "pass@1", cluster="passage").rows[0]
    assert named.stderr_kind == "over 2 clusters"
    for cluster in ({f"q{q}": q // 2 for q in range(4)}, [0, 0, 1, 1]):
        other = compare(a, b[::-1], "pass@1", cluster=cluster).rows[0]
        assert (other.stderr, other.p, other.chance) == (named.stderr, named.p, named.chance)
    with pytest.raises(
        ValueError, match="cluster must name a group for every question, got none for 'q1'"
    ):
        compare(a, b, cluster={"q0": 1})
    with pytest.raises(ValueError, match="a question must be in one group"):
        compare(a, [row | dict(passage=0) for row in b], cluster="passage")


# which systems


def test_models_are_chosen_by_name():
    several = rows([1, 2], model="x") + rows([3, 4], model="y") + rows([4, 4], model="z")
    ranked = compare(several, metrics="pass@1")
    assert (
        isinstance(ranked, MultipleComparison)
        and ranked.rankings["pass@1"].systems == ("z", "y", "x")
        and len(ranked.rows) == 3
    )
    two = compare(several, metrics="pass@1", models=["x", "z"])
    assert isinstance(two, PairwiseComparison) and two.names == ("x", "z")
    with pytest.raises(
        ValueError, match=r"A must hold one model, got 3 \('x', 'y', 'z'\); choose with models="
    ):
        compare(several, rows([1, 2]))
    assert compare(several, several, models=["x", "y"], metrics="pass@1").rows[
        0
    ].difference == pytest.approx(0.5)
    with pytest.raises(ValueError, match="models must name a model of A"):
        compare(several, several, models="w")
    with pytest.raises(ValueError, match="models must name one model per input"):
        compare(several, several, models=["x"])
    with pytest.raises(ValueError, match="compare needs two systems"):
        compare(rows([1, 2]))


def test_three_inputs_are_ranked():
    three = compare(aime("DeepSeek-R1"), aime("o3-mini_high"), "avg@n", others=[aime("gpt-4o")])
    ranking = three.rankings["avg@4"]
    # The interval of B - A alone holds 0, so no letter tells the two apart either.
    alone = compare(aime("DeepSeek-R1"), aime("o3-mini_high"), "avg@n").rows[0]
    assert alone.low < 0 < alone.high
    assert ranking.systems == ("B", "A", "C") and ranking.tied == (("B", "A"), ("C",))
    assert [row.apart for row in three.rows] == [False, True, True]
    assert all(row.p_holm >= row.p for row in three.rows)
    four = compare(
        aime("DeepSeek-R1"),
        aime("o3-mini_high"),
        "avg@n",
        others=[aime("gpt-4o"), aime("o3-mini_medium")],
    )
    assert four.rankings["avg@4"].tied == (
        ("B", "D", "A"),
        ("C",),
    ) and "significantly better than C, inconclusive against D and A." in " ".join(
        repr(four).split()
    )
    with pytest.raises(ValueError, match="only in A .*A is 'A', B is 'C'"):
        compare([[1], [0]], [[1], [1]], others=[[[1]]])


def test_names_of_systems(tmp_path):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "run.jsonl").write_text(
            "\n".join(map(json.dumps, rows([2, 3], model="gpt")))
        )
    paths = [tmp_path / folder / "run.jsonl" for folder in ("old", "new")]
    assert compare(*paths).names == ("A", "B")
    moved = paths[1].rename(tmp_path / "new.jsonl")
    assert compare(paths[0], moved).names == ("run.jsonl", "new.jsonl")
    assert compare(rows([1], model="m1"), rows([2], model="m2")).names == ("m1", "m2")


# edges


def test_no_spread_is_said():
    found = compare([[1, 0]] * 3, [[1, 0]] * 3)
    assert (
        found.rows[0].stderr is None
        and "shows no spread" in found.rows[0].reason
        and found.rows[0].low < 0 < found.rows[0].high
        and found.rows[0].chance == 0.5
    )
    plain_t = compare([[1, 0]] * 3, [[1, 0]] * 3, method="t", test="t").rows[0]
    assert (plain_t.low, plain_t.p, plain_t.interval, plain_t.test) == (None, None, None, "none")
    assert (
        "No question differs in pass@1." in found.to_text(how=True)
        and "pass@1: no CI" not in compare([[1, 0]] * 3, [[1, 0]] * 3, method="t").to_markdown()
    )


def test_bad_options():
    a, b = [[1, 0], [1, 1]], [[0, 0], [1, 1]]
    for option, text in {
        "method": "method must be",
        "test": "test must be",
        "on_unmatched": "on_unmatched must be",
    }.items():
        with pytest.raises(ValueError, match=text):
            compare(a, b, **{option: "guess"})
    with pytest.raises(ValueError, match="confidence_level"):
        compare(a, b, confidence_level=95)
    with pytest.raises(ValueError, match="unknown metric 'pas@k'"):
        compare(a, b, "pas@k")
    with pytest.raises(ValueError, match="mcnemar needs one 0/1 sample"):
        compare(a, b, "pass@1", test="mcnemar")


def test_seed():
    rng = np.random.default_rng(1)
    p = rng.beta(0.5, 0.5, 300)
    a, b = (Counts([64] * 300, rng.binomial(64, x)) for x in (p, p**0.9))
    first, again, other = (compare(a, b, k=[1, 7, 64], rng=seed) for seed in (None, 0, 1))
    assert (
        first.rows == again.rows
        and first.curve.critical == again.curve.critical == other.curve.critical
    )
    # Only drawn tests depend on the seed: bands draw nothing.
    assert [row.p for row in first.rows] == [row.p for row in again.rows]


# forms


def test_forms_escape_what_files_say():
    a, b = rows([4, 2], names=[HOSTILE, "q"], model=HOSTILE), rows(
        [1, 3], names=[HOSTILE, "q"], model="m"
    )
    for result in (
        compare(a, b),
        compare(a, b, others=[rows([1, 1], names=[HOSTILE, "q"], model="m3")], metrics="pass@1"),
        gate(b, baseline=a, max_drop=0.1),
    ):
        page, text = result.to_html(), repr(result)
        assert (
            "<script>alert" not in page
            and HOSTILE not in page
            and page.count("<script>") <= 1
            and "http:" not in page
            and "\x1b" not in page + text + result.to_markdown() + result.to_latex()
        )
        assert "<script>" not in result.to_markdown() and "&lt;script&gt;" in page
        assert json.loads(result.to_json()) == result.to_dict()
        assert result._repr_markdown_() == result.to_markdown() and result.methods()
        assert result.to_frame("pandas").shape[0] == len(result.rows)
        assert result.plot() is not None
    assert compare(a, b).to_html().count("<svg") == 2


@pytest.fixture(scope="module")
def foreseen(crossing):
    "A plan and a forecast, each of which takes a second."
    return plan(0.05), extrapolate(crossing[0], k=[1, 128, 1000])


# gate


def test_gate_verdicts(crossing):
    base, rl = crossing
    assert gate(rl, baseline=base, max_drop=0.02).verdict == "pass"
    assert gate(base, baseline=rl, max_drop=0.02).verdict == "fail"
    assert gate(rl, baseline=base, metrics="pass@64", max_drop=0.01).verdict == "inconclusive"
    both = gate(
        rl,
        baseline=base,
        metrics=["pass@1", "pass@64"],
        max_drop=0.002,
        minimum={"pass@1": 0.9, "pass^4": 0.1},
    )
    assert [row.verdict for row in both.rows] == [
        "pass",
        "fail",
        "fail",
        "pass",
    ] and both.verdict == "fail"
    assert both.exit_code() == both.exit_code(True) == 1
    row = gate(rl, baseline=base, max_drop=0.02).rows[0]
    want = compare(base, rl, "pass@1").rows[0]
    np.testing.assert_allclose(
        [row.value, row.low, row.high],
        [want.difference, want.again.low, want.again.high],
        rtol=1e-12,
    )
    new = gate(rl, baseline=base, max_drop=0.02, target="new_questions").rows[0]
    np.testing.assert_allclose([new.low, new.high], [want.low, want.high], rtol=1e-12)
    assert (row.target, new.target) == ("same_questions", "new_questions")


def test_gate_at_the_limit_passes_and_fails_rarely():
    rng, verdicts = np.random.default_rng(0), []
    p = rng.beta(2, 2, 40) * 0.9 + 0.08
    for _ in range(120):
        base, new = (Counts([8] * 40, rng.binomial(8, x)) for x in (p, p - 0.08))
        verdicts.append(gate(new, baseline=base, max_drop=0.08).verdict)
    # At most 2.5 % each; three standard errors of 120 draws are 4.3 %.
    assert verdicts.count("pass") <= 8 and verdicts.count("fail") <= 8


def test_gate_minimum_is_over_all_questions_of_new():
    new, old = rows([4, 4, 0]), rows([4, 4])
    found = gate(new, baseline=old, max_drop=0.5, minimum={"pass@1": 0.1}, on_unmatched="drop")
    assert [row.questions for row in found.rows] == [2, 3] and found.rows[1].value == pytest.approx(
        2 / 3
    )


# plan and extrapolate


def test_extrapolate(crossing):
    found = extrapolate(crossing[0], metrics="pass@1000")
    assert found.k.tolist() == [1000] and found.rows[0]["kind"] == "model"
    assert extrapolate(crossing[0]).k.tolist() == [1, 128, 1280, 12800, 128000]
    np.testing.assert_allclose(
        extrapolate(crossing[0], k=[8]).exact, [0.7895316692329873], atol=1e-9
    )
    assert "Warning: k > 128 is a model, not a measurement." in found.to_text(how=True)
    for options, text in (
        (dict(metrics="avg@n"), "needs a metric that follows from the number of right samples"),
        (dict(metrics="pass@8", k=9), "states its budget"),
        (dict(k=0), "k >= 1"),
    ):
        with pytest.raises(ValueError, match=text):
            extrapolate(crossing[0], **options)
    with pytest.raises(ValueError, match="the data must hold one model"):
        extrapolate(rows([1, 2], model="x") + rows([3, 1], model="y"))


def test_samples_and_frames_are_read(crossing):
    a, b = rows([4, 2, 0]), rows([4, 4, 1])
    import pandas, polars

    want = compare(a, b).rows
    for form in (read, pandas.DataFrame, polars.DataFrame):
        assert compare(form(a), form(b)).rows == want
    lost = [row | dict(correct=None) if i == 0 else row for i, row in enumerate(b)]
    with pytest.raises(ValueError, match="missing"):
        compare(a, lost)
    assert compare(a, lost, missing="wrong").read["B"].missing.policy == "wrong"


def test_csv_of_rows(crossing, foreseen):
    from sampling_eval.render.output import render

    for result in (compare(*crossing, k=[1, 8]), *foreseen):
        found = list(csv.DictReader(io.StringIO(render(result, "csv"))))
        assert len(found) == len(result.rows)


def graded_rows(model, tries, gain=0.0):
    "Eight questions with scores on no known range; every question has `tries` of them."
    rng = np.random.default_rng(3)
    return [
        dict(question=q, sample=i, score=float(rng.normal(q, 1)) + gain, model=model)
        for q in range(8)
        for i in range(tries)
    ]


@pytest.mark.parametrize(
    "target,test", [("new_questions", "t"), ("same_questions", "t (approximate)")]
)
def test_values_of_unknown_range_at_unequal_samples(target, test):
    rows = graded_rows("old", 2) + graded_rows("new", 5, gain=1)
    row = compare(rows, metrics="max@2", target=target)["max@2"]
    assert row.test.startswith(test) and 0 < row.p < 1 and row.low < row.difference < row.high


def test_values_that_all_agree_have_no_t_test():
    rows = [
        dict(question=q, sample=i, score=5.0, model=m)
        for m, tries in (("old", 2), ("new", 3))
        for q in range(4)
        for i in range(tries)
    ]
    row = compare(rows, metrics="max@2")["max@2"]
    assert (row.difference, row.p, row.low, row.test) == (0, None, None, "none")


def test_every_metric_without_spread_is_named_with_the_reason():
    assert "pass@1, pass@2: one question shows no spread." in compare([[1, 1]], [[0, 1]]).to_text(
        how=True
    )
