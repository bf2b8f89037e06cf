"Reruns, loops and mixes in `score` and `table`: lines, fields, JSON, the command, refusals."
import json

import numpy as np
import pytest

from conftest import command

from sampling_eval import Counts, guarded_at_k, guarded_tries, pass_at_k, portfolio_splits, rerun_facts, score, table
from sampling_eval.errors import OptionError
from sampling_eval.examples import example_path
from sampling_eval.inference.bands import simultaneous_band
from sampling_eval.inference.estimate import mean_over_questions
from sampling_eval.report.score_parts import describe_icc, describe_reruns
from sampling_eval.results.model_table import ModelTable
from sampling_eval.results.score_report import Report, Reruns

LINE = "Two single runs differ by more than 15 points in 1 of 20 reruns; 29 % of outcomes flip; ICC .40."


def flat(result): return " ".join(repr(result).split())


# Reruns.

def test_the_line_of_tau_bench():
    found = score(example_path("tau_bench"), "pass@k")
    assert LINE in flat(found) and found.reruns.least_questions_exact == 8
    facts = rerun_facts(4, np.repeat(np.arange(5), [14, 12, 10, 4, 10]))
    told = json.loads(found.to_json())["reruns"]
    assert told == {name: pytest.approx(getattr(facts, name), rel=1e-14) for name in told} and len(told) == 9
    again = Report.from_json(found.to_json())
    assert again == found and LINE in flat(again)


@pytest.mark.parametrize("data, options", [
    (Counts([1, 2], [1, 1]), {}), (dict(question=[1, 1, 2, 2], score=[.1, .2, .3, .4]), {}),
    ([[1, 0], [0, 1]], dict(weights={0: 1, 1: 2})), ([[1, 0], [0, None]], dict(missing="bounds")),
    (dict(model=["a", "a", "b", "b"], question=[1] * 4, sample=[0, 1] * 2, correct=[1, 0, 1, 1]), {})])
def test_where_nothing_is_said_of_reruns(data, options):
    found = score(data, **options)
    assert found.reruns is None and "reruns" not in flat(found)


def test_words_of_reruns():
    found = Reruns(2, 2, .01, .1, .0312, 3, .086, .1, None)
    assert describe_reruns(found) == "Two single runs differ by more than 3.1 points in 1 of 20 reruns; 9 % of outcomes flip."
    assert describe_reruns(None) == "" and describe_reruns(Reruns(2, 2, 0, 0, 0, 1, 0, 0, 1.)) == ""
    assert describe_reruns(Reruns(2, 2, .3, .5, 1.4, 3, 1., 1., -1.)) == "100 % of outcomes flip; ICC -1.00."
    assert [describe_icc(x) for x in (.404, -.126, 0., 1., .9999, .996)] == [".40", "-.13", ".00", "1.00", ".9999", ".9960"]


def test_a_column_of_run_differences():
    p = np.linspace(.1, .9, 20)
    rng = np.random.default_rng(0)
    a, b, one = Counts([4] * 20, rng.binomial(4, p)), Counts([4] * 20, rng.binomial(4, p)), Counts([1] * 20, [0, 1] * 10)
    found = table(dict(a=a, b=b, one=one), "pass@1", run_difference=True)
    want = {name: rerun_facts(side.n, side.c).least_difference_95 for name, side in (("a", a), ("b", b))}
    assert found.run_differences == {"a": pytest.approx(want["a"]), "b": pytest.approx(want["b"]), "one": None}
    assert {row["model"]: row["run_difference"] for row in found.rows} == found.run_differences
    shown = repr(found)
    assert "run difference" in shown and f"{100 * want['a']:.1f}" in shown and ModelTable.from_json(found.to_json()) == found
    assert "run difference" in found.to_latex()
    plain = table(dict(a=a, b=b), "pass@1")
    assert plain.reruns == {} and "run difference" not in repr(plain) and "run_difference" not in plain.rows[0]
    with pytest.raises(ValueError, match="run_difference=True needs two outcomes of every question"):
        table(dict(a=one, b=one), "pass@1", run_difference=True)
    with pytest.raises(ValueError, match="got weights; leave out weights"):
        table(dict(a=a, b=b), "pass@1", weights=dict(zip(range(20), range(1, 21))), run_difference=True)


# Verdicts.

@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    rng = np.random.default_rng(0)
    truth = rng.random((40, 5)) < rng.beta(.6, 1.4, (40, 1))
    passed = rng.random((40, 5)) < np.where(truth, .93, .1)
    path = tmp_path_factory.mktemp("judged") / "log.csv"
    lines = [f"{q},{s},{int(truth[q, s])},{int(passed[q, s])},{rng.random():.2f}" for q in range(40) for s in range(5)]
    path.write_text("question,sample,truth,passed,liked\n" + "\n".join(lines) + "\n")
    return path, truth, passed


def test_reported_and_right(judged):
    path, truth, passed = judged
    found = score(path, "pass@k", correct="truth", verdict="passed").guarded
    m, g, c = passed.sum(1), (passed & truth).sum(1), truth.sum(1)
    assert [row.k for row in found.rows] == [1, 2, 3, 4, 5] and (found.verdict, found.questions) == ("passed", 40)
    for row in found.rows:
        reported, right = pass_at_k(5, m, row.k), guarded_at_k(5, m, g, row.k)
        slip = mean_over_questions(reported - right)
        ends = slip.confidence_interval()
        last = guarded_at_k(5, m, g, row.k, right_rejected=c - g).mean()
        assert [row.reported, row.right, row.right_with_last, row.pass_at_k, row.tries, row.slip, row.slip_low, row.slip_high] == (
            pytest.approx([reported.mean(), right.mean(), last, pass_at_k(5, c, row.k).mean(), guarded_tries(5, m, row.k).mean(),
                           slip.value, ends.low, ends.high]))


def test_a_loop_of_each_model_and_group(judged, tmp_path):
    path, truth, passed = judged
    rows = [dict(model="ab"[q >= 20], topic="xy"[q % 2], question=q % 20, sample=s, truth=int(truth[q, s]), passed=int(passed[q, s]))
            for q in range(40) for s in range(5)]
    found = score(rows, "pass@2", correct="truth", verdict="passed", by="topic").guarded
    sides = {(row.model, row.group): row for row in found.rows}
    assert [one[1] for one in sides] == ["", "x", "y"] * 2 and found.questions == 20
    for (model, group), row in sides.items():
        kept = [q for q in range(40) if "ab"[q >= 20] == model and group in ("", "xy"[q % 2])]
        part = [{name: value for name, value in rows[5 * q + s].items() if name not in ("model", "topic")} for q in kept for s in range(5)]
        alone = score(part, "pass@2", correct="truth", verdict="passed").guarded.rows[0]
        assert (row.right, row.slip_low, row.slip_high) == (alone.right, alone.slip_low, alone.slip_high)
    assert "b / y: retried until passed = 1" in flat(score(rows, "pass@2", correct="truth", verdict="passed", by="topic"))


def test_loops_in_print_and_json(judged):
    found = score(judged[0], "pass@k", correct="truth", verdict="passed")
    last = found.guarded.rows[-1]
    assert (f"Retried until passed = 1, at most 5 tries: {100 * last.reported:.1f} % reported, {100 * last.right:.1f} % right"
            in flat(found))
    again = Report.from_json(found.to_json())
    assert again == found and again.guarded.rows[-1].slip == last.slip
    done = command("score", judged[0], "--correct", "truth", "--verdict", "passed", "-m", "pass@k", "-f", "json")
    assert done.returncode == 0 and json.loads(done.stdout)["guarded"] == found.guarded.to_dict()


@pytest.mark.parametrize("options, said", [
    (dict(verdict="truth"), "must be another column than that of the outcomes"), (dict(verdict="liked"), "must be 0 or 1"), (dict(verdict="none"), "is not a column"),
    (dict(verdict="passed", missing="wrong"), "verdict needs missing='raise' or 'drop', got 'wrong'")])
def test_verdicts_that_are_none(judged, options, said):
    with pytest.raises(ValueError, match=said): score(judged[0], correct="truth", **options)


def test_a_verdict_without_a_truth():
    rows = [dict(question=q, sample=s, correct=s % 2, passed=1) for q in range(4) for s in range(3)]
    rows[5]["correct"] = None
    with pytest.raises(ValueError, match="every sample needs an outcome and a verdict, got 11 outcomes and 12 verdicts"):
        score(rows, correct="correct", verdict="passed", missing="drop")
    rows[5] |= dict(correct=1, passed=None)
    with pytest.raises(ValueError): score(rows, correct="correct", verdict="passed")
    with pytest.raises(TypeError, match="verdict must be the name of a column, got 3"): score(rows, correct="correct", verdict=3)


# Portfolios.

@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    rng = np.random.default_rng(1)
    c = np.stack([rng.binomial(6, np.linspace(0, 1, 30)), rng.binomial(6, np.linspace(1, 0, 30))], 1)
    path = tmp_path_factory.mktemp("mixed") / "log.csv"
    lines = [f"{q},{source},6,{c[q, i]}" for q in range(30) for i, source in enumerate(("cot", "io"))]
    path.write_text("question,source,n,c\n" + "\n".join(lines) + "\n")
    return path, c


def test_every_split_of_two_sources(mixed):
    path, c = mixed
    found = score(path, "pass@k", by="source", portfolio=4)
    want = portfolio_splits(np.full((30, 2), 6), c, 4)
    mix = found.portfolio
    assert mix.sources == ("cot", "io") and [list(one.tries) for one in mix.splits] == want.splits.tolist()
    assert [one.estimate for one in mix.splits] == pytest.approx(want.means) and mix.best == want.best
    band = simultaneous_band(want.values)
    assert (mix.best_split.low, mix.best_split.high) == pytest.approx((band.low[want.best], band.high[want.best]))
    for gain, alone in zip(mix.gains, ([4, 0], [0, 4])):
        gains = simultaneous_band(want.gains(alone), bounds=(-1, 1))
        assert [gain.estimate, gain.low, gain.high] == pytest.approx([x[want.best] for x in (gains.value, gains.low, gains.high)])
    assert "Best split of 4 tries, chosen after looking: cot 2 and io 2, pass@4 =" in flat(found)
    assert "Over cot alone: +" in flat(found)
    assert Report.from_json(found.to_json()) == found
    done = command("score", path, "--by", "source", "--portfolio", 4, "-m", "pass@k", "-f", "json")
    assert done.returncode == 0 and json.loads(done.stdout)["portfolio"] == mix.to_dict()


def test_the_best_split_of_deepscaler(tmp_path):
    import csv
    path = tmp_path / "both.csv"
    with example_path("deepscaler32k_counts.csv").open() as file, path.open("w") as out:
        out.write("question,source,n,c\n")
        for row in csv.DictReader(file):
            for source in ("base", "rl"): out.write(f"{row['question_id']},{source},{row['n']},{row['c_' + source]}\n")
    found = score(path, "pass@32", by="source", portfolio=32).portfolio
    assert found.best_split.tries == (21, 11) and found.best_split.estimate == pytest.approx(.8514, abs=5e-5)
    assert [round(gain.estimate, 4) for gain in found.gains] == [.0041, .0086]
    assert [gain.significant for gain in found.gains] == [False, True]


@pytest.mark.parametrize("options, said", [
    (dict(by="source", portfolio=13), "portfolio must be at most 12, the samples of all sources, got 13"),
    (dict(by="source", portfolio=0), "portfolio must be at least 1, got 0")])
def test_portfolios_that_cannot_be(mixed, options, said):
    with pytest.raises(ValueError, match=said): score(mixed[0], "pass@k", **options)


def test_sources_with_questions_of_their_own():
    with pytest.raises(ValueError, match="portfolio=4 needs the column of sources, got None; name it by by=..."): score([[1, 0]], portfolio=4)
    rows = [dict(question=q, source=s, sample=i, correct=i % 2) for q in range(5) for s in "ab" for i in range(2) if (q, s) != (4, "b")]
    with pytest.raises(ValueError, match="every source needs every question, got 4 questions in all 2 sources and 1 more in 'a'"):
        score(rows, by="source", portfolio=2)
    with pytest.raises(ValueError, match="split over two sources at least, got 1 in column 'source'"): score([row for row in rows if row["source"] == "a"], by="source", portfolio=2)


JUDGED = [dict(question=f"q{i // 4}", correct=int(i % 3 == 0), passed=int(i % 2 == 0)) for i in range(24)]


@pytest.mark.parametrize("kind", ["rows", "csv", "parquet"])
def test_the_column_of_verdicts_is_no_outcome(kind, tmp_path):
    "Both columns are called as outcomes are; the one that is named for the verdicts is not in question."
    import polars as pl
    data = JUDGED
    if kind != "rows":
        data = tmp_path / f"log.{kind}"
        getattr(pl.DataFrame(JUDGED), f"write_{kind}")(data)
    found, named = score(data, verdict="passed"), score(data, verdict="passed", correct="correct")
    assert found.guarded == named.guarded and len(found.guarded.rows) == 4


@pytest.mark.parametrize("change, given, said", [
    ({}, dict(verdict="nope", ignore="passed"), "^verdict='nope' is not a column, got 'question', 'correct', 'passed'"),
    ({}, dict(labels="nope", ignore="passed"), "^labels='nope' is not a column, got"),
    (dict(passed=2), dict(verdict="passed"), "^verdict='passed': correct must be 0 or 1, got 2 at question q0"),
    (dict(passed=None), dict(verdict="passed"), "^verdict='passed': 1 sample has no outcome"),
    (dict(passed=2), dict(correct="correct", labels="passed"), "^labels='passed': correct must be 0 or 1, got 2 at question q0")])
def test_faults_of_verdicts_and_labels_name_their_column(change, given, said):
    rows = [dict(row, **change) if i == 1 else row for i, row in enumerate(JUDGED)]
    with pytest.raises(OptionError, match=said): score(rows, **given)


@pytest.mark.parametrize("given, said", [
    (dict(verdict="passed"), "a verdict needs a table with a column of it, got outcomes alone"), (dict(cost="usd"), "^cost= is for files and frames, but a table of outcomes has no columns"),
    (dict(labels="human"), "labels need a table with a column of verdicts, got outcomes alone")])
def test_outcomes_alone_have_no_further_column(given, said):
    with pytest.raises(OptionError, match=said): score([[1, 0], [1, 1]], **given)
