"`table`: the numbers of `score`, the letters of `compare`, and every form they are printed in."

import csv
import io
import itertools
import json
import math
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

from printed import check_text
from sampling_eval import Counts, compare, score, table
from sampling_eval.inference.comparison import paired_difference
from sampling_eval.inference.units import Weights
from sampling_eval.reading.options import Options
from sampling_eval.render.output import render
from sampling_eval.render.text import measure
from sampling_eval.results import load_result
from sampling_eval.analyses.table.result import ModelTable
from sampling_eval.analyses.compare.result import letter_models
from sampling_eval.results.base import Style
from sampling_eval.analyses.table import verb as model_table
from sampling_eval.analyses.engine.choose import columns_to_keep
from sampling_eval.analyses.engine.systems import align_groups, gather_models

pytestmark = pytest.mark.usefixtures("known_limits")
SHIFTS = {"low_1": -0.25, "high": 0.2, "middle": 0.0, "close": 0.18}
TASKS = ["aime"] * 8 + ["math"] * 24 + ["gsm"] * 16
METRICS = ["pass@1", "pass@4", "pass^4"]


def make_rows(shifts=SHIFTS, n=8, seed=0, tasks=TASKS):
    rng = np.random.default_rng(seed)
    base = rng.beta(1, 1, len(tasks))
    return [
        dict(
            model=model,
            task=task,
            question=f"q{q}",
            sample=s,
            correct=int(rng.random() < min(1, max(0, base[q] + shift))),
        )
        for model, shift in shifts.items()
        for q, task in enumerate(tasks)
        for s in range(n)
    ]


ROWS = make_rows()


@pytest.fixture(scope="module")
def found():
    return table(ROWS, METRICS)


@pytest.fixture(scope="module")
def grouped():
    return table(ROWS, ["pass@1", "pass^4"], by="task")


def flat(result):
    return " ".join(result.to_text(how=True).split())


# Numbers


def test_numbers_are_those_of_score(found):
    report = score(ROWS, METRICS)
    for model in SHIFTS:
        for metric in METRICS:
            ours, theirs = found[model, metric], report[model, metric]
            assert (ours.estimate, ours.low, ours.high) == (
                theirs.estimate,
                theirs.low,
                theirs.high,
            )


def test_letters_are_those_of_compare(found):
    for column in found.columns:
        ranking = compare(ROWS, metrics=column.metric).rankings[column.metric]
        assert column.letters == letter_models(ranking.tied)
        assert [one.rank_high for one in column.systems] == np.asarray(ranking.rank_high).tolist()


def test_the_best_model_is_first(found):
    means = [found[model, "pass@1"].estimate for model in found.models]
    assert means == sorted(means, reverse=True) and found.models[-1] == "low_1"
    best, second = found.models[:2]
    assert flat(found).startswith(f"{best} leads with {100 * means[0]:.1f} % in pass@1 (95 % CI ")
    assert (
        f"{100 * (means[0] - means[1]):.1f} points ahead of {second}: not significantly better than"
        f" {second}."
        in flat(found)
    )
    apart = table(ROWS, "pass@1", models=["high", "low_1"])
    assert (
        flat(apart).partition(". ")[0].endswith("significant")
        and '<span class="badge better">' in apart.to_html()
    )
    assert '<span class="badge inconclusive">' in found.to_html()


def test_benchmark_target_tells_more_apart():
    again = table(ROWS, "pass@1", target="same_questions")
    ranking = compare(ROWS, metrics="pass@1", target="same_questions").rankings["pass@1"]
    assert again.columns[0].letters == letter_models(ranking.tied)
    assert "Below each estimate: 95 % CI (same questions)." in flat(again)
    assert again["high", "pass@1"].low > table(ROWS, "pass@1")["high", "pass@1"].low


def test_the_usual_metrics():
    assert table(ROWS).metrics == ["pass@1", "pass@8", "pass^8"]
    assert table([row for row in ROWS if row["sample"] == 0]).metrics == ["pass@1", "pass^1"][:1]
    assert table(ROWS, k=[2, 3]).metrics == ["pass@2", "pass@3", "pass^2", "pass^3"]
    graded = [
        dict(
            model=row["model"],
            question=row["question"],
            sample=row["sample"],
            score=row["correct"] * 0.7,
        )
        for row in ROWS
    ]
    assert table(graded).metrics == ["soft@8"]
    own = table(ROWS, {"half@k": lambda k: np.arange(k + 1) >= k / 2}, k=4)
    assert own.metrics == ["half@4"] and set(own.columns[0].letters) == set(SHIFTS)


def test_alike_models_are_seldom_told_apart():
    # Four models of one kind: at level .95 one of twenty tables may say otherwise.
    def wrong(seed, **options):
        same = make_rows(dict.fromkeys("abcd", 0.0), 2, seed)
        columns = table(same, "pass@1", **options).columns
        return not set.intersection(*(set(mark) for mark in columns[-1].letters.values()))

    assert sum(map(wrong, range(16))) <= 2
    assert sum(wrong(seed, by="task") for seed in range(8)) <= 1


# Groups


def test_groups_have_a_column_each_and_their_mean(grouped):
    assert grouped.groups == ["aime", "math", "gsm", "mean of 3 groups"]
    for model in SHIFTS:
        parts = [grouped[model, "pass^4", group].estimate for group in grouped.groups]
        assert np.mean(parts[:3]) == pytest.approx(parts[3])
    report = score(ROWS, ["pass@1", "pass^4"], by="task")
    row = report["high", "mean of 3 groups", "pass^4"]
    mean = grouped["high", "pass^4"]
    assert (mean.estimate, mean.low, mean.high) == (row.estimate, row.low, row.high)
    assert "The mean of the groups gives each group the same weight." in flat(grouped)
    means = [grouped[model, "pass@1"].estimate for model in grouped.models]
    assert means == sorted(means, reverse=True)


def test_the_mean_of_equal_groups_is_tested_as_the_whole():
    rows = [row for row in ROWS if int(row["question"][1:]) % 3 < 3]
    for row in rows:
        row["half"] = int(row["question"][1:]) % 2
    whole, halves = (table(rows, "pass@1", **o).columns[-1] for o in ({}, dict(by="half")))
    assert whole.letters == halves.letters and whole.tests == halves.tests
    assert list_means(halves) == pytest.approx(list_means(whole))


def test_the_mean_of_groups_for_these_questions():
    again = table(ROWS, "pass@1", by="task", target="same_questions")
    assert "inverted" in again.columns[-1].tests[0] and "inverted" in again.methods()
    letters = again.columns[-1].letters
    assert letters["high"] == "a" and letters["low_1"] not in ("a", "ab")


def test_the_mean_weighs_small_groups():
    # One model wins the small group only, by as much as it loses the large one.
    tasks = ["small"] * 10 + ["large"] * 100
    rows = [
        dict(
            model=model,
            task=task,
            question=q,
            sample=s,
            correct=int((task == "small") == (model == "a")),
        )
        for model in "ab"
        for q, task in enumerate(tasks)
        for s in range(4)
    ]
    last = table(rows, "pass@1", by="task").columns[-1]
    assert set(last.letters.values()) == {"a"} and list_means(last) == pytest.approx([0.5, 0.5])
    assert table(rows, "pass@1").columns[-1].letters == dict(b="a", a="b")


# What may not be compared, and what is stated


def test_other_questions_are_refused_or_left_out():
    part = [row for row in ROWS if row["model"] != "high" or row["question"] not in ("q0", "q1")]
    with pytest.raises(ValueError, match="must cover the same questions.*on_unmatched='drop'"):
        table(part)
    dropped = table(part, "pass@1", on_unmatched="drop")
    assert (
        dropped.alignments[""].common == 46
        and max(one.questions for one in dropped.alignments[""].unmatched) == 2
    )
    assert (
        "Only the 46 questions of all models are compared; up to 2 of a model are left out."
        in flat(dropped)
    )
    assert {row.questions for row in dropped.numbers} == {46}


def test_a_group_that_a_model_lacks():
    part = [row for row in ROWS if row["model"] != "high" or row["task"] != "gsm"]
    with pytest.raises(
        ValueError, match="every model must have every group, got none of 'gsm' for 'high'"
    ):
        table(part, by="task")
    dropped = table(part, "pass@1", by="task", on_unmatched="drop")
    assert dropped.groups == ["aime", "math", "mean of 2 groups"]
    assert [(one.group, one.models) for one in dropped.lacking] == [("gsm", 1)]
    assert "Group gsm is left out: 1 model without it." in flat(dropped)
    only = [row for row in ROWS if (row["model"] == "high") == (row["task"] == "gsm")]
    with pytest.raises(ValueError, match="must share a group"):
        table(only, by="task", on_unmatched="drop")


def test_unequal_numbers_of_samples_are_stated():
    part = [row for row in ROWS if row["model"] != "high" or row["sample"] < 4]
    assert "4 to 8 samples each" in flat(table(part, "pass@1"))
    assert (
        table(part).metrics[1] == "pass@4"
        and "gaffke, inverted" in table(part, "pass@1", method="assumption-free").columns[0].tests
    )
    assert table(part, "avg@n").metrics == ["avg@n"]
    with pytest.raises(ValueError, match="k=8 needs 8 samples, got n=4"):
        table(part, "pass@8")


def test_refusals():
    with pytest.raises(ValueError, match="errors must be 'ends' or 'half', got 'se'"):
        table(ROWS, errors="se")
    with pytest.raises(ValueError, match="models must name models of the data"):
        table(ROWS, models="gpt")
    with pytest.raises(TypeError, match="metrics must be a name or a list of names, got 3"):
        table(ROWS, 3)
    with pytest.raises(TypeError, match="did you mean 'errors'"):
        table(ROWS, error="half")
    with pytest.raises(TypeError, match="with by=, cluster must be a column"):
        table(ROWS, by="task", cluster=list(range(48)))
    with pytest.raises(KeyError, match="need one of the models"):
        table(ROWS, "pass@1")["x", "pass@1"]


def test_clusters_widen_intervals_and_tests():
    plain, pairs = table(ROWS, "pass@1"), table(
        ROWS, "pass@1", cluster={f"q{i}": i // 2 for i in range(48)}
    )
    ranking = compare(
        ROWS, metrics="pass@1", cluster={f"q{i}": i // 2 for i in range(48)}
    ).rankings["pass@1"]
    assert pairs.columns[0].letters == letter_models(ranking.tied)
    assert (
        pairs["high", "pass@1"].stderr_kind
        == "over 24 clusters"
        != plain["high", "pass@1"].stderr_kind
    )
    assert (
        len(table(ROWS, "pass@1", by="task", cluster={f"q{i}": i // 2 for i in range(48)}).columns)
        == 4
    )


# What can be passed


def test_models_by_name_file_and_folder(tmp_path, found):
    for model in SHIFTS:
        own = [row | dict(model=None) for row in ROWS if row["model"] == model]
        lines = [json.dumps({k: v for k, v in row.items() if k != "model"}) for row in own]
        (tmp_path / f"{model}.v1.jsonl").write_text("\n".join(lines))
    files = sorted(map(str, tmp_path.glob("*.jsonl")))
    assert table(files, METRICS).models == [f"{model}.v1" for model in found.models]
    assert (
        table(str(tmp_path / "*.jsonl"), METRICS, files_hold="models").models
        == table(files, METRICS).models
    )
    named = table({model: str(tmp_path / f"{model}.v1.jsonl") for model in SHIFTS}, METRICS)
    assert named.models == found.models and named.columns[0].letters == found.columns[0].letters
    assert list(named.read) == list(SHIFTS) and {one.rows for one in named.read.values()} == {384}
    assert "Each of 4 inputs: read 384 rows" in flat(named)
    counts = {
        model: np.array(
            [
                [
                    row["correct"]
                    for row in ROWS
                    if (row["model"], row["question"]) == (model, f"q{q}")
                ]
                for q in range(48)
            ]
        )
        for model in SHIFTS
    }
    assert table(counts, METRICS).rows == found.rows
    n = np.full(48, 8)
    assert table({m: Counts(n, c.sum(1)) for m, c in counts.items()}, METRICS).rows == found.rows
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    assert table(columns, METRICS).rows == found.rows


def test_a_model_in_two_files_is_read_from_both(tmp_path):
    for i, keep in enumerate(("aime", "math")):
        lines = [json.dumps(row) for row in ROWS if (row["task"] == "aime") == (keep == "aime")]
        (tmp_path / f"{keep}.jsonl").write_text("\n".join(lines))
    both = table([str(tmp_path / "aime.jsonl"), str(tmp_path / "math.jsonl")], "pass@1")
    assert {row.questions for row in both.numbers} == {48} and both.rows == table(
        ROWS, "pass@1"
    ).rows


def test_one_model_has_no_letters():
    one = table(ROWS, "pass@1", models="high")
    assert one.columns[0].letters == {} and "letter" not in flat(one).lower()
    assert table(ROWS, "pass@1", by="task", models="high").groups[-1] == "mean of 3 groups"


# Forms

PRINTED = dict(
    plain=dict(metrics=METRICS),
    groups=dict(metrics=["pass@1", "pass^4"], by="task"),
    half=dict(metrics=METRICS, errors="half", title="three"),
    rerun=dict(metrics="pass@1", target="same_questions"),
    alone=dict(metrics=METRICS, models="high"),
    test=dict(metrics="pass@1", test="sign-flip", method="t"),
)


MODELS = [
    dict(
        model=model,
        question=f"q{q}",
        sample=s,
        correct=c,
        area="odd name of a group" * 2 if q in (0, 3) else "y",
    )
    for model, sides in (
        ("a & b", [[1, 1], [1, 0], [0, 1]] * 2),
        ("c", [[1, 1], [1, 1], [0, 0]] * 2),
        ("d_1", [[1, 0]] * 6),
    )
    for q, side in enumerate(sides)
    for s, c in enumerate(side)
]


@pytest.mark.parametrize(
    "given",
    [
        dict(title="three & more"),
        dict(metrics=["pass@1", "pass@2"], errors="half", target="same_questions"),
        dict(metrics="pass@k", k=[1, 2], models="d_1"),
        dict(metrics="pass@1", group="area", confidence_level=0.9),
    ],
)
def test_every_form_of_a_table(given):
    found = table(MODELS, **given)
    assert type(found).from_json(found.to_json()).to_json() == found.to_json()
    for form in "table", "full", "md", "tex", "json", "csv", "html":
        told = render(found, form)
        assert (told.count("d_1") or "d\\_1" in told) and len(told) > 80
        if form in ("table", "full"):
            assert max(map(measure, told.splitlines())) <= 80


def test_models_that_are_always_right():
    rows = [
        dict(model=m, question=q, sample=s, correct=int(m != "o" or s == 0))
        for m in "mno"
        for q in range(3)
        for s in range(2)
    ]
    found = table(rows, "pass@1")
    assert [found[m, "pass@1"].estimate for m in "mno"] == [1, 1, 0.5]
    assert flat(found).startswith("m and n are equal with 100.0 % in pass@1 (95 % CI ")


@pytest.mark.parametrize("name", PRINTED)
def test_every_kind_of_table(name):
    found = table(ROWS, **PRINTED[name])
    check_text(f"table {name}", found.to_text(how=True), found.to_latex())


def test_models_that_lead_together():
    rows = [
        dict(model=model, question=q, sample=s, correct=int(s < q))
        for model in "abcd"
        for q in range(3)
        for s in range(2)
    ]
    assert flat(table(rows, "pass@1")).startswith(
        "a, b, c and 1 more are equal with 50.0 % in pass@1 ("
    )
    assert flat(table(rows[:12], "pass@1")).startswith("a and b are equal with 50.0 % in pass@1 (")


def test_a_table_from_a_file(grouped, tmp_path):
    (path := tmp_path / "table.json").write_text(grouped.to_json())
    again = load_result(path)
    assert (
        again == grouped
        and again.to_html() == grouped.to_html()
        and again.to_latex() == grouped.to_latex()
    )
    told = json.loads(grouped.to_json())
    assert told["kind"] == "table" and "numbers" not in told and len(told["rows"]) == 4 * 2 * 4
    assert list(told["columns"][0]) == [
        "metric",
        "group",
        "systems",
        "tied",
        "tests",
        "other_tests",
        "disputed",
        "named_tests",
        "named_apart",
    ]


def test_disputed_pairs_are_counted(found):
    column = found.columns[0]
    many = tuple((f"m{i}", "z", i % 2 == 0) for i in range(9))
    told = flat(replace(found, columns=(replace(column, disputed=many), *found.columns[1:])))
    assert (
        "Without assumptions (Holm): significant for m1 over z in pass@1, m3 over z in pass@1, "
        "m5 over z in pass@1 and "
        in told
    )
    assert (
        "Without assumptions (Holm): inconclusive for m0 over z in pass@1, m2 over z in pass@1, "
        "m4 over z in pass@1 and 3 more"
        in told
    )


def test_the_screen_fits():
    names = {"组织/模型-7B-Instruct": 0.0, "meta-llama/" + "x" * 60: 0.2, "b": 0.1}
    shown = repr(
        table(
            make_rows(names, 4),
            [f"pass@{k}" for k in (1, 2, 3, 4)] + [f"pass^{k}" for k in (1, 2, 3, 4)],
        )
    )
    lines = shown.splitlines()
    assert max(map(measure, lines)) <= 80 and "no room" not in shown
    heads = [line.split()[1:] for line in lines if line.startswith("model ")]
    assert sum(heads, []) == [
        "pass@1",
        "pass@2",
        "pass@3",
        "pass@4",
        "pass^1",
        "pass^2",
        "pass^3",
        "pass^4",
    ]
    assert len(heads) > 1 and "meta-llama/" + "x" * 60 in lines


def test_long_names_of_groups_are_numbered():
    tasks = ["math"] * 10 + ["simple_mcqa:data_augmentation=lower,max_train_instances=1/test"] * 10
    told = table(make_rows({"a": 0.0, "b": 0.3}, 4, tasks=tasks), "pass@1", by="task")
    assert "model math (2) mean of 2" in flat(told)
    assert f"(2): {tasks[-1]}." in flat(told) and max(map(measure, repr(told).splitlines())) <= 80


def test_half_widths_reach_both_ends(found):
    half = table(ROWS, METRICS, errors="half")
    value, width = map(
        float, re.search(r"^high .* ([\d.]+) ± ([\d.]+) % \w+$", repr(half), re.M).groups()
    )
    row = found["high", "pass^4"]
    assert value - width <= 100 * row.low + 0.1 and value + width >= 100 * row.high - 0.1
    assert "±: distance to the farther end of the 95 % CI" in flat(half)
    assert r"$\pm$" in half.to_latex() and "±" in half.to_markdown()


def test_every_form_has_the_letters(found):
    letters = found.columns[1].letters
    for model in SHIFTS:
        value = f"{100 * found[model, 'pass@4'].estimate:.1f} %"
        assert (
            f"{value} {letters[model]}" in repr(found)
            and f"| {value} {letters[model]} |" in found.to_markdown()
        )
        assert (
            rf"{value}\textsuperscript{{{letters[model]}}}".replace("%", r"\%") in found.to_latex()
        )
        assert re.search(
            rf"{value.replace(' ', '&nbsp;')}<sup[^>]*>{letters[model]}</sup>", found.to_html()
        )
    said = (
        "Models that share a letter do not differ significantly (family-wise 95 %, new questions,"
        " each column by itself)."
    )
    for form in (
        found.to_markdown(),
        " ".join(repr(found).split()),
        found.to_html().replace("&nbsp;", " "),
    ):
        assert said in form
    assert said.replace("%", r"\%") in " ".join(found.to_latex().split())
    assert r"\caption{" in found.to_latex() and r"\label{tab:models}" in found.to_latex()


def test_latex_compiles_whatever_the_names_are():
    names = {"[base] 50% & $x_1$": 0.0, "* a--b <c> | {d} \\e ~ ^ #1": 0.1}
    told = table(make_rows(names, 4), "pass@1").to_latex()
    body = told.partition(r"\midrule")[2].partition(r"\bottomrule")[0].strip().splitlines()
    assert all(line.endswith(r" \\") and not line.startswith(("[", "*")) for line in body)
    bare = [re.sub(r"\\[&%$#_{}]", "", line) for line in body]
    assert {line.count("&") for line in bare} == {1} and all(
        line.count("{") == line.count("}") for line in bare
    )
    assert not any(re.search(r"[%$#_^~<>|]|--(?=b)", line) for line in bare) and "a-{}-b" in told
    for name in "table", "tabular":
        assert told.count(rf"\begin{{{name}}}") == told.count(rf"\end{{{name}}}") == 1
    assert told.startswith("% Needs \\usepackage{booktabs}.\n\\begin{table}")
    assert (
        "XeLaTeX" not in told
        and "% 模 needs XeLaTeX" in table({"模": [[1, 0]], "b": [[1, 1]]}).to_latex()
    )


def test_hostile_names_are_inert():
    told = table(make_rows({"<script>|$x$\x1b[0m": 0.0, "=1+1": 0.1}, 4), "pass@1")
    assert "<script>" not in told.to_html() + told.to_markdown()
    assert "\x1b" not in told.to_html() + told.to_markdown() + told.to_latex() + repr(told)
    rows = list(csv.DictReader(io.StringIO(render(told, "csv"))))
    assert {row["model"] for row in rows} == {"<script>|$x$\ufffd[0m", "'=1+1"}


def test_spreadsheet_and_frame(grouped, found):
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"))))
    assert list(rows[0]) == [
        "model",
        *(f"{metric}{part}" for metric in METRICS for part in ("", " low", " high", " letters")),
    ]
    assert [row["model"] for row in rows] == found.models
    frame = grouped.to_frame("pandas")
    assert frame.shape == (16, 10) and frame["group"].tolist()[-1] == "mean of 3 groups"


def test_what_is_read_back_is_equal(grouped, found):
    for told in (
        found,
        grouped,
        table(ROWS, "pass@1", errors="half", target="same_questions", title="t"),
    ):
        again = ModelTable.from_json(told.to_json())
        assert again == told and repr(again) == repr(told) and again.to_latex() == told.to_latex()
        assert pickle.loads(pickle.dumps(told)) == told
    assert json.loads(found.to_json())["columns"][0]["systems"][0]["letters"] == "a"
    with pytest.raises(ValueError, match="need the JSON text of a result of table"):
        ModelTable.from_json("{}")


def test_picture(grouped):
    pytest.importorskip("matplotlib")
    ax = grouped.plot("pass^4")
    assert [label.get_text() for label in ax.get_yticklabels()] == grouped.models
    assert ax.get_xlabel() == "pass^4" and [text.get_text() for text in ax.texts] == [
        grouped.columns[-1].letters[model] for model in grouped.models
    ]


# The same letters in score


def test_score_prints_the_same_letters():
    report = score(ROWS)
    assert set(report.letters) == {"pass@1", "pass@8", "pass^8", "cons@8", "g-pass@8_0.5"}
    told = table(ROWS, list(report.letters))
    for column in told.columns:
        assert report.letters[column.metric] == column.letters
    lines = [
        line.split()[0]
        for line in repr(report).splitlines()[5:]
        if re.match(r"\S+ +\d+\.\d %? ?[abc]+ ", line)
    ]
    assert lines == told.models and "share a letter" in repr(report)
    for form in report.to_markdown(), report.to_html(), report.to_latex():
        assert "share a letter" in form
    again = type(report).from_json(report.to_json())
    assert (
        again == report
        and repr(again) == repr(report)
        and repr(pickle.loads(pickle.dumps(report))) == repr(report)
    )


def test_score_has_no_letters_where_models_cannot_be_compared():
    other = [row for row in ROWS if row["model"] != "high" or row["question"] != "q0"]
    many = make_rows({f"m{i}": 0.0 for i in range(11)}, 2)
    for rows, options in (
        (other, {}),
        (many, {}),
        (ROWS, dict(by="task")),
        (ROWS, dict(missing="bounds")),
        ([row for row in ROWS if row["model"] == "high"], {}),
    ):
        report = score(rows, ["pass@1"], **options)
        assert report.letters == {} and "letter" not in repr(report)
    both = score(ROWS, "pass@1", target="both", rng=np.random.default_rng(0))
    assert both.letters == {"pass@1": table(ROWS, "pass@1").columns[0].letters}


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
@pytest.mark.parametrize("seed", range(8))
def test_letters_say_what_compare_says_of_two(seed, target):
    """Of two models the letters differ exactly where the interval of their difference leaves out
    zero."""
    rng = np.random.default_rng(seed)
    chances = rng.beta(0.6, 0.6, 60)
    base, new = (
        rng.random((60, 8)) < np.minimum(chances + shift, 1)[:, None] for shift in (0, 0.03 * seed)
    )
    metrics = ["pass@1", "pass@4"]
    found = table(dict(base=base, new=new), metrics, target=target)
    scored = score(
        [
            dict(question=q, sample=s, model=name, correct=bool(side[q, s]))
            for name, side in (("base", base), ("new", new))
            for q in range(60)
            for s in range(8)
        ],
        metrics,
        target=target,
    )
    for column, metric in zip(found.columns, metrics):
        low, high = compare(base, new, metric, target=target).rows[0].span()
        apart = low > 0 or high < 0
        assert (len(set(column.letters.values())) == 2) == apart
        assert (len(set(scored.letters[metric].values())) == 2) == apart


def make_sides(size, samples):
    "Right samples of three models: ties everywhere, nothing but one value, and what chance gives."
    rng = np.random.default_rng(size + samples)
    none, every = np.zeros(size, int), np.full(size, samples)
    some, one = rng.binomial(samples, rng.beta(0.5, 0.5, (4, size))), none.copy()
    one[0] = samples
    yield from (
        (none, none, none),
        (none, every, one),
        (every, every, none),
        (some[0], some[0], every),
    )
    yield from (
        (some[0], np.minimum(some[0] + 1, samples), every),
        (some[1], some[2], some[3]),
        (none, one, one),
    )


@pytest.mark.parametrize(
    "size, samples", [(1, 1), (1, 4), (2, 1), (2, 4), (15, 1), (15, 4), (60, 1), (60, 4)]
)
def test_letters_of_few_samples_run_again(size, samples):
    "Two models as their interval says, and three never apart where it says that they may be equal."
    for sides in make_sides(size, samples):
        counts = [Counts(np.full(size, samples), side) for side in sides]
        row = compare(counts[0], counts[1], "pass@1", target="same_questions").rows[0]
        letters = (
            table(dict(A=counts[0], B=counts[1]), "pass@1", target="same_questions")
            .columns[0]
            .letters
        )
        assert (len(set(letters.values())) == 2) == (row.verdict in ("better", "worse"))
        inverted = row.run_test("interval").value
        for level in (0.5, 0.95, 0.99, 1 - 0.05 / 3):
            ends = row.confidence_interval(level)
            if abs(inverted - (1 - level)) < 1e-9:
                continue  # A tie, which rounding decides
            assert (inverted <= 1 - level) == (ends.low > 0 or ends.high < 0)
        for pair in compare(
            counts[0], counts[1], "pass@1", others=counts[2:], target="same_questions"
        ).rows:
            assert not pair.apart or pair.low > 0 or pair.high < 0


@pytest.mark.parametrize(
    "size, samples, models",
    [(1, 2, 5), (1, 3, 3), (1, 3, 5), (1, 4, 5), (1, 5, 3), (1, 5, 5), (2, 2, 3)],
)
def test_equal_models_run_again_share_their_letter(size, samples, models):
    """By listing every outcome: of several equal models, some two are told apart at most once in
    twenty."""
    states = list(itertools.product(range(samples + 1), repeat=size))
    chance = np.array(
        [math.prod(math.comb(samples, c) for c in state) for state in states]
    ) / 2.0 ** (samples * size)
    runs = np.full(size, samples)
    p = {
        (a, b): (
            compare(Counts(runs, a), Counts(runs, b), "pass@1")
            .rows[0]
            .run_test("cautious", target="same_questions")
            .value
        )
        for a, b in itertools.combinations(states, 2)
    }
    smallest = np.array([[p.get((a, b), p.get((b, a), 1.0)) for b in states] for a in states])
    apart = smallest <= 0.05 / math.comb(models, 2)
    lost = sum(
        math.prod(chance[list(own)])
        for own in itertools.product(range(len(states)), repeat=models)
        if apart[np.ix_(own, own)].any()
    )
    assert lost <= 0.05


def test_neither_test_tells_three_equal_models_apart():
    row = compare(Counts([3], [0]), Counts([3], [3]), "pass@1").rows[0]
    alone, both = (
        row.run_test(name, target="same_questions").value for name in ("interval", "cautious")
    )
    # All three right or all three wrong: a pair shows it in one of 32 cases.
    assert 0.05 / 3 < 1 / 32 == pytest.approx(alone) and alone < both == pytest.approx(0.1)


# Where a metric shows no spread


def test_a_number_with_an_interval_asks_no_question_of_its_error():
    rows = [
        dict(model=model, question=f"q{q}", sample=s, correct=int(q > 0 or not s))
        for model in "xy"
        for q in range(6)
        for s in range(2)
    ]
    made = table(rows, ["pass@1", "pass@2"])
    assert made["x", "pass@2"].stderr is None and made["x", "pass@2"].low < 1
    assert "o standard error" not in made.to_text() + made.to_latex()
    blank = table(rows, ["pass@2"], method="t")
    assert blank["x", "pass@2"].low is None
    assert "which shows no spread. Models that share" in blank.to_latex().replace("\n  ", " ")
    assert "There is no CI." in flat(blank)


# Each option reaches what is computed, and each part by hand.

# Two models on groups of 2 and 4 questions, 4 samples each, by right samples.
RIGHT = dict(x=dict(aa=[4, 1], bb=[0, 2, 3, 1]), y=dict(aa=[3, 3], bb=[1, 4, 4, 3]))
SMALL = [
    dict(
        model=model,
        task=task,
        question=f"{task}{q}",
        sample=s,
        answer="uvw"[(q + s) % 3],
        correct=int(s < c),
        points=1 + q,
        passage=f"{task}{q // 2}",
    )
    for model, groups in RIGHT.items()
    for task, right in groups.items()
    for q, c in enumerate(right)
    for s in range(4)
]


def make_table(metrics="pass@2", **options):
    return table(SMALL, metrics, **dict(conflict="any") | options)


def list_means(column):
    return [one.mean for one in column.systems]


def list_numbers(found):
    return {(row.model, row.group): row.estimate for row in found.numbers}


@pytest.mark.parametrize(
    "options, differs",
    [
        (dict(confidence_level=0.8), "low"),
        (dict(method="t"), "low"),
        (dict(cluster="passage"), "low"),
        (dict(target="same_questions"), "low"),
        (dict(weights="points"), "estimate"),
        (dict(metrics="pass@k", k=3), "estimate"),
        (dict(metrics="maj@3"), "estimate"),
        (dict(metrics="maj@3", ties="wrong"), "estimate"),
    ],
)
def test_options_that_change_a_number(options, differs):
    assert getattr(make_table(**options).numbers[0], differs) != getattr(
        make_table().numbers[0], differs
    )


def test_options_that_are_told():
    found = make_table(title="data", target="same_questions", errors="half", confidence_level=0.9)
    assert (found.title, found.target, found.errors, found.confidence_level) == (
        "data",
        "same_questions",
        "half",
        0.9,
    )
    assert make_table(models="y").models == ["y"] and make_table().models == ["y", "x"]
    named = make_table(test="t").columns[0]
    assert named.tests == make_table().columns[0].tests and named.named_tests == (
        "t (approximate), 5 degrees of freedom",
    )
    assert "Significant in pass@2 by t (approximate)" in " ".join(
        repr(make_table(test="t")).split()
    )
    ties = {
        ties: list_numbers(make_table("maj@3", ties=ties))["x", ""]
        for ties in ("expected", "wrong")
    }
    assert ties["wrong"] < ties["expected"]
    one = [row for row in SMALL if row["model"] == "x"]
    assert ties == {
        rule: pytest.approx(score(one, "maj@3", conflict="any", ties=rule).rows[0].estimate)
        for rule in ties
    }
    with pytest.raises(ValueError, match="errors must be"):
        make_table(errors="both")


def test_the_mean_of_groups_by_hand():
    found = make_table("pass@1", by="task")
    means = {
        model: [np.mean(right) / 4 for right in groups.values()] for model, groups in RIGHT.items()
    }
    want = {
        (model, group): value
        for model, (a, b) in means.items()
        for group, value in (("aa", a), ("bb", b), ("mean of 2 groups", (a + b) / 2))
    }
    assert list_numbers(found) == pytest.approx(want)
    assert [row.model for row in found.numbers] == ["y"] * 3 + ["x"] * 3
    assert [column.group for column in found.columns] == ["aa", "bb", "mean of 2 groups"]
    weighted = make_table("pass@1", by="task", weights="points")
    own = {
        model: [
            np.average(right, weights=range(1, len(right) + 1)) / 4 for right in groups.values()
        ]
        for model, groups in RIGHT.items()
    }
    assert list_numbers(weighted)["y", "mean of 2 groups"] == pytest.approx(sum(own["y"]) / 2)
    assert list_means(weighted.columns[-1]) == pytest.approx(
        sorted((sum(o) / 2 for o in own.values()), reverse=True)
    )
    assert (
        "Within a group questions are weighted by points. Where new questions may weigh more than"
        " 4, the"
        in flat(weighted)
    )
    alone = make_table("pass@1", weights="points")
    assert "Within a group" not in flat(
        alone
    ) and "Where new questions may weigh more than 4" in flat(alone)
    equal = table(
        [row | dict(points=2) for row in SMALL], "pass@1", conflict="any", weights="points"
    )
    assert "Weights: points gives all questions the same weight." in flat(equal)
    only = make_table("pass@1", by="task", models="x")
    assert [column.systems for column in only.columns] == [()] * 3 and only.columns[
        -1
    ].group == "mean of 2 groups"


def test_the_order_is_that_of_the_first_metric():
    rows = [row for row in ROWS if row["model"] in ("high", "low_1")]
    turned = [row | dict(correct=1 - row["correct"]) for row in rows]
    assert table(rows, ["pass@1", "pass^4"]).models == ["high", "low_1"]
    assert table(turned, ["pass@1", "pass^4"]).models == ["low_1", "high"]
    found = table(rows, ["pass@1", "pass^4"], by="task")
    assert [(row.model, row.metric, row.group) for row in found.numbers][:8] == [
        ("high", metric, group)
        for metric in ("pass@1", "pass^4")
        for group in ("aime", "math", "gsm", "mean of 3 groups")
    ]


def test_budgets_that_all_groups_and_models_reach():
    rows = [row for row in SMALL if row["sample"] < 3 or row["task"] == "aa"]
    assert table(rows, conflict="any").metrics == ["pass@1", "pass@3", "pass^3", "maj@3"]
    assert table(rows, by="task", conflict="any").metrics == ["pass@1", "pass@3", "pass^3", "maj@3"]
    assert table(rows, "pass@k", conflict="any").metrics == ["pass@1", "pass@2", "pass@3"]
    assert table(rows, "mg-pass@k", conflict="any").metrics == ["mg-pass@3"]
    assert table(rows, "avg@n", conflict="any").metrics == ["avg@n"]
    assert make_table("avg@n", by="task").metrics == ["avg@4"]
    assert table(rows, {"two@k": lambda k: np.arange(k + 1) >= 2}, conflict="any").metrics == [
        "two@1",
        "two@2",
        "two@3",
    ]
    assert table([row for row in SMALL if row["sample"] == 0], conflict="any").metrics == ["pass@1"]
    with pytest.raises(ValueError, match="maj@3 cannot be computed"):
        table([{k: v for k, v in row.items() if k != "answer"} for row in SMALL], "maj@3")
    bare = [row | dict(answer=None) if row["model"] == "x" else row for row in SMALL]
    assert table(bare, conflict="any", no_answer="vote").metrics == [
        "pass@1",
        "pass@4",
        "pass^4",
        "maj@4",
    ]


def test_clusters_of_groups_stay_apart():
    plain, grouped = make_table("pass@1", by="task"), make_table(
        "pass@1", by="task", cluster="passage"
    )
    assert grouped.columns[-1].tests != () and grouped.numbers[0].stderr_kind == "over 1 clusters"
    assert plain.numbers[0].stderr_kind == "over questions"
    named = make_table(
        "pass@1", by="task", cluster={row["question"]: row["passage"] for row in SMALL}
    )
    assert [(row.low, row.high) for row in named.numbers] == [
        (row.low, row.high) for row in grouped.numbers
    ]
    for cluster in (["p"] * 6, 3):
        with pytest.raises(
            TypeError, match="a column or a mapping of question to cluster, got (list|int)"
        ):
            make_table(by="task", cluster=cluster)
    assert (
        make_table("pass@1", cluster=["p", "p", "q", "q", "r", "r"]).numbers[0].stderr_kind
        == "over 3 clusters"
    )


@pytest.mark.parametrize("target", ["new_questions", "same_questions"])
def test_the_level_of_two_models_in_the_mean_of_groups(target):
    rows = make_rows(dict(low=0.0, high=0.3), 4, 1)
    tied = [
        table(rows, "pass@1", by="task", target=target, confidence_level=level).columns[-1].tied
        for level in (0.1, 1 - 1e-12)
    ]
    assert tied == [(("high",), ("low",)), (("high", "low"),)]
    swapped = [row | dict(model=dict(x="y", y="x")[row["model"]]) for row in SMALL]
    for data in (SMALL, swapped):
        found = table(data, "pass@1", by="task", target=target, conflict="any").columns[-1]
        assert list_means(found) == pytest.approx([(3 / 4 + 3 / 4) / 2, (5 / 8 + 3 / 8) / 2])
        assert [one.system for one in found.systems] == (
            ["y", "x"] if data is SMALL else ["x", "y"]
        )


def measure_groups(k, style, weigh=lambda names: None, cluster=None):
    "What a table computes for each of two groups: a family of measured blocks."
    options = Options.of(
        dict(by="task", conflict="any", cluster=cluster), **columns_to_keep("pass@k")
    )
    groups, _ = align_groups(gather_models(SMALL, options), ["x", "y"], "refuse")
    blocks = [model_table.take_block(group, one, cluster) for group, one in groups.items()]
    (family,) = model_table.AskedTable("pass@k", k, "expected", style, {}, weigh).measure_all(
        blocks
    )
    return family


def test_these_questions_again_in_the_mean_of_groups():
    "The difference of the means of groups, with the noise of all of them."
    style = Style(target="same_questions")
    family = measure_groups([1, 2], style)

    def noise(right):
        return np.array(right) * (4 - np.array(right)) / 12 / 4

    gap = model_table.average_pair(0, 1, 0, family, style)
    own = [
        sum(noise(RIGHT[model][group]).sum() for model in "xy") / len(RIGHT["x"][group]) ** 2
        for group in ("aa", "bb")
    ]
    assert gap.difference == pytest.approx(0.75 - 0.5) and gap.again.stderr == pytest.approx(
        sum(own) ** 0.5 / 2
    )
    one = model_table.compare_models(0, 1, 0, family[1], style)
    assert one.difference == pytest.approx(0.75 - 0.375) and one.again.stderr == pytest.approx(
        own[1] ** 0.5
    )
    two = model_table.compare_models(1, 1, 0, family[1], style)
    assert two.difference == pytest.approx(
        np.mean([1 / 2, 1, 1, 1]) - np.mean([0, 5 / 6, 1, 1 / 2])
    )
    ranking = model_table.rank_again(0, family, style)
    assert ranking.systems == ("y", "x") and ranking.means.tolist() == pytest.approx([0.75, 0.5])
    assert ranking.confidence_level == 0.95
    assert ranking.pairs[0, 1].difference == pytest.approx(0.25) and len(ranking.p) == 1
    assert gap.again.confidence_interval(1 - ranking.p[0].value).low == pytest.approx(0, abs=1e-3)
    # Questions of unequal weight.
    family = measure_groups(
        [1], style, lambda names: Weights(np.arange(1, len(names) + 1) / len(names))
    )
    found = model_table.compare_models(0, 1, 0, family[1], style)
    apart, weight = np.subtract(RIGHT["y"]["bb"], RIGHT["x"]["bb"]) / 4, np.arange(1, 5)
    assert found.difference == pytest.approx(apart @ weight / 10) != pytest.approx(apart.mean())


@pytest.mark.parametrize("cluster", [None, "passage"])
def test_new_questions_in_the_mean_of_groups(cluster):
    """Questions of the group of 2 weigh 6 / 2 / 2, those of the group of 4 weigh 6 / 2 / 4; values
    reach up to 1.5."""
    family = measure_groups([1, 2], Style(0.9), cluster=cluster)
    ranking = model_table.rank_weighted(0, family, Style(0.9))
    a, b = (
        np.array([1.5] * 2 + [0.75] * 4) * np.concatenate(list(groups.values())) / 4
        for groups in RIGHT.values()
    )
    own = cluster and ["aa/aa0", "aa/aa0", "bb/bb0", "bb/bb0", "bb/bb1", "bb/bb1"]
    want = paired_difference(a, b, bounds=(0, 1.5), cluster=own, samples=(np.full(6, 4),) * 2)
    found = ranking.pairs[0, 1]
    assert (found.difference, found.stderr) == pytest.approx((want.difference, want.stderr))
    assert found.difference == pytest.approx(0.25)
    assert (
        ranking.p[0].value == pytest.approx(want.test("gaffke").value)
        and ranking.confidence_level == 0.9
    )
    assert ranking.systems == ("y", "x") and ranking.means.tolist() == pytest.approx([0.75, 0.5])
    column = model_table.rank_means(0, "pass@1", family, Style(0.9))
    assert (column.metric, column.group, column.tests) == (
        "pass@1",
        "mean of 2 groups",
        (ranking.p[0].method,),
    )
    assert model_table.rank_weighted(0, family, Style(0.9, "t")).p[0].value == pytest.approx(
        want.test("t").value
    )
    assert model_table.rank_weighted(1, family, Style(0.9)).pairs[0, 1].difference == pytest.approx(
        (
            np.mean([1, 1])
            - np.mean([1, 0.5])
            + np.mean([0.5, 1, 1, 1])
            - np.mean([0, 5 / 6, 1, 0.5])
        )
        / 2
    )


@pytest.mark.parametrize(
    "metrics, labels", [("avg@n", ["avg@n"]), (["pass@1", "avg@n"], ["pass@1", "avg@n"])]
)
def test_an_average_of_groups_with_other_numbers_of_samples(metrics, labels):
    rows = [
        dict(model=m, task=t, question=f"{t}{q}", sample=s, correct=int(s < q + (m == "y")))
        for m in "xy"
        for t, n in (("a", 4), ("b", 3))
        for q in range(3)
        for s in range(n)
    ]
    found = table(rows, metrics, by="task")
    assert found.metrics == labels and all(label in repr(found) for label in labels)
    for model, want in ("x", (3 / 12, 3 / 9)), ("y", (6 / 12, 6 / 9)):
        own = {row["group"]: row["avg@n"] for row in found.rows if row["model"] == model}
        assert own == pytest.approx({"a": want[0], "b": want[1], "mean of 2 groups": sum(want) / 2})


@pytest.mark.parametrize("title, said", [("", "models by metrics"), ("Seven models", None)])
def test_the_title_of_a_page(title, said):
    found = table({"a": [[1, 0], [1, 1]], "b": [[0, 0], [1, 0]]}, "pass@1", title=title)
    assert f"<title>{said or title}</title>" in found.to_html()


def test_metrics_that_the_data_lack_are_told_with_their_reason():
    graded, large = (
        [dict(model=m, question=q, score=q / 2 * scale) for m in "ab" for q in (0, 1, 2)]
        for scale in (0.9, 9)
    )
    with pytest.raises(ValueError, match="pass@1 cannot be computed: scores are graded; threshold"):
        table(graded, "pass@1")
    with pytest.raises(ValueError, match="soft@n cannot be computed: scores lie outside"):
        table(large)
