"Tables of battles: win shares by listing in fractions, what verbs say of them, refusals."

import json
import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from conftest import command
from sampling_eval import compare, gate, mean_over_questions, read, score, table, win_share
from sampling_eval.analyses.addons.battles import blocks
from sampling_eval.reading import tables

HALF = Fraction(1, 2)
COLUMNS = "prompt", "model_a", "model_b", "winner", "judge"


def make(seed, models="xy", prompts=12, most=2, star=False):
    "Random battles of every pair on every prompt, some in one order only."
    rng, rows = random.Random(seed), []
    pairs = [p for p in combinations(models, 2) if not star or models[0] in p]
    for q in range(prompts):
        for pair in pairs:
            for one, other in rng.choice([[pair], [pair, pair[::-1]], [pair[::-1]] * 2]):
                for judge in range(rng.randint(1, most)):
                    winner = rng.choice(["model_a", "model_b", "tie"])
                    rows.append((f"p{q}", one, other, winner, f"j{judge}"))
    rng.shuffle(rows)
    return [dict(zip(COLUMNS, row)) for row in rows]


def worth(row, model):
    "What a battle is worth for a model of it."
    if row["winner"] == "tie": return HALF
    return Fraction(row[row["winner"]] == model)


def listed(rows, model, others):
    "Win share of a model on each prompt, opponent by opponent."
    found = {}
    for q in dict.fromkeys(row["prompt"] for row in rows):
        shares = []
        for other in others:
            own = [worth(row, model) for row in rows if row["prompt"] == q
                   and {row["model_a"], row["model_b"]} == {model, other}]
            shares.append(sum(own) / len(own))
        found[q] = sum(shares) / len(shares)
    return found


def mean(values): return sum(values) / len(values)


def shares_of(data):
    "Win share by model, to be compared but for rounding."
    found = {model: own["win share"] for model, own in score(data).estimates().items()}
    return pytest.approx(found, abs=1e-14)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("models, star", [("xy", False), ("xyz", False), ("wxyz", False),
                                          ("wxyz", True)])
def test_shares_equal_the_listing(seed, models, star):
    rows = make(seed, models, star=star)
    report = score(rows)
    shown = models[1:] if star else models
    assert {row.model for row in report.rows} == {*shown}
    for model in shown:
        others = models[0] if star else models.replace(model, "")
        want = listed(rows, model, others)
        row = next(row for row in report.rows if row.model == model)
        assert row.metric == "win share" and row.unit == "share"
        assert row.estimate == pytest.approx(float(mean([*want.values()])), abs=1e-15)
        held = report.questions.where(
            np.flatnonzero(np.asarray(report.questions["model"].tolist()) == model))
        found = dict(zip(held["question"].tolist(), held["win share"].tolist()))
        assert {q: pytest.approx(float(share), abs=1e-15) for q, share in want.items()} == found
    found = report.battles
    for pair in found.pairs:
        want = mean([*listed(rows, pair.model, pair.against).values()])
        assert pair.share == pytest.approx(float(want), abs=1e-15)
        assert not star or pair.against == models[0]
    assert sum(pair.judgements for pair in found.pairs) == len(rows)
    assert found.ties == sum(row["winner"] == "tie" for row in rows) and found.judges == 2


@pytest.mark.parametrize("seed", range(8))
def test_the_order_effect_equals_the_listing(seed):
    rows = make(seed, "xyz")
    effects, uneven = [], 0
    for q in dict.fromkeys(row["prompt"] for row in rows):
        gaps, even = [], True
        for a, b in combinations("xyz", 2):
            first, second = ([worth(row, a) for row in rows if row["prompt"] == q
                              and (row["model_a"], row["model_b"]) == pair]
                             for pair in ((a, b), (b, a)))
            even &= len(first) == len(second)
            if first and second: gaps.append(mean(first) - mean(second))
        if gaps: effects.append(mean(gaps))
        uneven += not even
    found = score(rows).battles
    assert found.uneven == uneven and found.order.prompts == len(effects)
    assert found.order.effect == pytest.approx(float(mean(effects)), abs=1e-15)
    want = mean_over_questions(np.array(effects, float), bounds=(-1, 1)).confidence_interval()
    assert (found.order.low, found.order.high) == pytest.approx((want.low, want.high), abs=1e-12)


def test_two_models_are_one_number():
    rows = make(3, prompts=60)
    report = score(rows)
    first = rows[0]["model_a"]
    own = report[first, "win share"]
    other = next(row for row in report.rows if row.model != first)
    assert own.estimate + other.estimate == pytest.approx(1, abs=1e-15)
    assert own.low + other.high == pytest.approx(1, abs=1e-9)
    counts = [[sum(worth(row, first) == value for row in rows if row["prompt"] == q)
               for q in dict.fromkeys(row["prompt"] for row in rows)] for value in (1, HALF, 0)]
    want = mean_over_questions(win_share(*counts)).confidence_interval()
    assert (own.low, own.high) == pytest.approx((want.low, want.high), abs=1e-12)
    assert report.battles.pairs[0].interval.low == own.low
    said = " ".join(str(report).split())
    assert said.startswith(f"{first} wins {100 * own.estimate:.1f} % of its comparisons with "
                           f"{other.model}, ties counted half (95 % CI")


@pytest.mark.parametrize("method", [None, "gaffke"])
def test_compare_holds_the_share_against_one_half(method):
    rows = make(4, prompts=80)
    for a, b in ("xy", "yx"):
        row = compare(rows, models=[a, b], method=method).rows[0]
        own = score(rows)[b, "win share"]
        assert row.a == .5 and row.b == pytest.approx(own.estimate, abs=1e-15)
        assert row.difference == pytest.approx(own.estimate - .5, abs=1e-15)
        assert row.bounds is None
        if method:
            ends = row.interval.low + .5, row.interval.high + .5
            assert ends == pytest.approx((own.low, own.high), abs=1e-6)
    # The test is that of the difference of both shares, which is twice as large.
    share = np.array([*listed(rows, b, a).values()], float)
    both = score_both(share)
    assert row.difference == pytest.approx(both.difference / 2, abs=1e-12)
    assert row.p == pytest.approx(both.test().value, rel=1e-6) or method == "gaffke"


@pytest.mark.parametrize("metric", ["soft@n", "mean@n", "max@1", "min@1"])
def test_every_metric_of_scores_is_held_against_one_half(metric):
    rows = make(6)
    want, found = compare(rows).rows[0], compare(rows, metrics=metric).rows[0]
    assert (found.a, found.b) == (.5, pytest.approx(want.b, abs=1e-15)) and want.difference
    assert found.difference == pytest.approx(want.difference, abs=1e-15)


def score_both(share):
    from sampling_eval.inference.comparison import paired_difference
    return paired_difference(1 - share, share)


def test_what_no_order_of_columns_or_words_changes():
    rows = make(5, "xyz")
    want = shares_of(rows)
    swap = dict(model_a="model_b", model_b="model_a", tie="tie")
    turned = [row | dict(model_a=row["model_b"], model_b=row["model_a"],
                         winner=swap[row["winner"]]) for row in rows]
    assert shares_of(turned).expected == want
    for words in (dict(model_a="A", model_b="b", tie="TIE"), dict(model_a=1, model_b=2, tie=1.5),
                  dict(model_a="left", model_b="right", tie="tie (bothbad)"),
                  dict(model_a="Model A", model_b="Model B", tie="draw")):
        told = [row | dict(winner=words[row["winner"]]) for row in rows]
        assert shares_of(told).expected == want
    named = [row | dict(winner=row.get(row["winner"], "tie")) for row in rows]
    assert shares_of(named).expected == want
    names = dict(prompt="prompt_id", model_a="generator_1", model_b="generator_2",
                 winner="preference", judge="annotator")
    called = [{names[name]: value for name, value in row.items()} for row in named]
    assert shares_of(called).expected == want


def test_every_form_of_a_table_reads_the_same(tmp_path, monkeypatch):
    rows = make(6, "xyz")
    want = score(rows)
    text = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "battles.jsonl").write_text(text)
    (tmp_path / "battles.json").write_text(json.dumps(rows))
    lines = [",".join(COLUMNS), *(",".join(row.values()) for row in rows)]
    (tmp_path / "battles.csv").write_text("\n".join(lines))
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows)
    frame.to_parquet(tmp_path / "battles.parquet")
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    paths = [tmp_path / f"battles.{end}" for end in ("jsonl", "json", "csv", "parquet")]
    for data in (*paths, frame, columns, read(paths[0])):
        found = score(data)
        assert found.estimates() == want.estimates()
        assert found.battles.to_dict() == want.battles.to_dict()
    monkeypatch.setattr(tables, "SMALL", 0)  # Counted by DuckDB
    for path in paths[:3]: assert shares_of(path).expected == shares_of(rows)
    halves = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for at, path in enumerate(halves): path.write_text("\n".join([lines[0], *lines[1 + at::2]]))
    assert shares_of(halves).expected == shares_of(rows)


def test_ranks_and_letters_are_those_of_the_shares():
    rows = make(7, "wxyz", prompts=40)
    names = ["w", "x", "y", "z"]
    shares = {name: np.array([*listed(rows, name, "".join(names).replace(name, "")).values()],
                             float) for name in names}
    graded = [dict(question=q, model=name, score=value) for name in names
              for q, value in enumerate(shares[name].tolist())]
    found, want = ([(one.system, one.rank_low, one.rank_high, one.letters)
                    for one in table(data, metric).columns[0].systems]
                   for data, metric in ((rows, None), (graded, "soft@n")))
    assert found == want and len(found) == 4
    ranking = compare(rows)
    assert {pair.metric for pair in ranking.rows} == {"win share"}


ROW = dict(prompt="p", model_a="x", model_b="y", winner="x")
MANY = [dict(prompt=q, model_a=a, model_b=b, winner=a)
        for q in range(4) for a, b in combinations("uvwx", 2)]


@pytest.mark.parametrize("rows, options, said", [
    ([ROW, ROW | dict(winner="z")], {}, "a winner must be model_a, model_b, tie or a model of its "
     "row, got 'z' at row 1 (1 of 2 fail)"),
    ([ROW | dict(winner=0), ROW | dict(winner=1)], {}, "of numbers only 1 and 2 are plain"),
    ([ROW | dict(winner=1)], {}, "of numbers only 1 and 2 are plain"),
    ([ROW, ROW | dict(winner=None)], {}, "every battle needs a winner, got none at row 1 (1 of 2 "
     "fail); missing='drop' leaves such battles out"),
    ([ROW, ROW | dict(winner="")], dict(missing="wrong"), "every battle needs a winner"),
    ([ROW | dict(winner=None)], dict(missing="drop"), "every battle needs a winner"),
    ([ROW | dict(model_b="x")], {}, "a battle is between two models, got 'x' and 'x' at row 0"),
    ([ROW | dict(model_b=None)], {}, "a battle is between two models, got 'x' and '' at row 0"),
    ([dict(prompt=q, model_a=a, model_b=b, winner="A") for q in range(3) for a, b in ("AB", "BA")],
     {}, "'A' at row 1 may name a model or a column (3 of 6 rows)"),
    (MANY[:-1], {}, "all pairs of models must share their prompts, got no battle of 'w' and 'x' at "
     "3 (1 of 4 prompts lack a pair); missing='drop' keeps the 3 that do; sparse battles need a "
     "rating model such as Bradley and Terry's, which the package evalica fits"),
    ([row for row in MANY if row["model_a"] != "w"], {}, "models must meet the same opponents, got "
     "5 of 6 pairs (none of 'w' and 'x'): sparse battles need a rating model"),
    ([row | dict(prompt=i) for i, row in enumerate(MANY)], dict(missing="drop"),
     "24 of 24 prompts lack a pair); sparse battles need"),
    ([row | dict(id=i) for i, row in enumerate(MANY)], {},
     "one column must hold the prompt of a battle, got 'prompt', 'id'"),
    ([{k: v for k, v in ROW.items() if k != "prompt"}], {},
     "one column must hold the prompt of a battle"),
    ([ROW], dict(threshold=.5), "a table of battles has two models a row and a winner, and takes "
     "no threshold="),
    ([ROW], dict(samples_per_question=2), "and takes no samples_per_question="),
    ([ROW | dict(preferred="y")], {}, "ambiguous: 'winner' or 'preferred' could be the winner"),
    ([ROW], dict(metrics="pass@1"), "battles have win shares, and no right and wrong"),
    ([ROW | dict(topic="a"), ROW | dict(topic="b")], dict(by="topic"),
     "'topic' must have one value for each prompt, got 'a' and 'b' at 'p'"),
])
def test_refusals(rows, options, said):
    with pytest.raises(ValueError) as told:
        score(rows, **options)
    assert said in str(told.value)


def test_settings_are_asked_about():
    rng = random.Random(0)
    rows = [ROW | dict(prompt=f"p{q}", turn=turn, winner=rng.choice("xy"))
            for q in range(40) for turn in (1, 2)]
    with pytest.raises(ValueError, match=r"column 'turn' takes the same values \(1, 2\)"):
        score(rows)
    assert score(rows, ignore="turn").battles.prompts == 40
    assert score(rows, question="prompt,turn").battles.prompts == 80
    # What happens to differ is no setting, and a judge who says otherwise is a second judgement.
    rows = [row | dict(turn=rng.random()) for row in rows]
    assert score(rows).battles.pairs[0].judgements == 80


def test_two_judgements_of_one_pair():
    rows = [ROW | dict(judge="a"), ROW | dict(judge="b", winner="y")]
    assert score(rows).estimates() == dict(x={"win share": .5}, y={"win share": .5})


def test_several_tables_are_not_held_together():
    for call in (lambda: compare(MANY, MANY, models=["u", "v"]),
                 lambda: table(dict(one=MANY, two=MANY))):
        with pytest.raises(ValueError, match="battles are compared within one table"): call()


def test_a_gate_sends_battles_to_compare(tmp_path):
    "Whether a model was chosen or not, and whichever rule or side they are for."
    right = [dict(question=q, correct=1) for q in range(9)]
    rule, pair = dict(minimum={"pass@1": .5}), dict(max_drop=.1)
    for data, options in ((MANY, rule), (MANY, rule | dict(models="u")),
                          (MANY, dict(minimum={"mean@n": .5}, models="u")),
                          (MANY, dict(must_pass="0")), (MANY, pair | dict(baseline=MANY)),
                          (right, pair | dict(baseline=MANY))):
        with pytest.raises(ValueError) as told: gate(data, **options)
        assert str(told.value) == (
            "battles are compared, not gated, got a table of battles; sampling_eval.compare "
            "gives differences of win shares with their CIs and verdicts")
    (path := tmp_path / "battles.jsonl").write_text("\n".join(map(json.dumps, MANY)))
    told = command("gate", path, "--minimum", "pass@1=.5")
    assert told.returncode == 2 and "sampling-eval compare gives differences" in told.stderr
    assert command("compare", path).returncode == 0


def test_prompts_that_lack_a_pair_may_be_dropped():
    report = score(MANY[:-1], missing="drop")
    assert {row.questions for row in report.rows} == {3} and "1 prompts lack a pair" in report.read


def test_orders_are_told():
    rows = [ROW | dict(prompt=q) for q in range(9)]
    assert "No prompt was judged in both orders" in " ".join(str(score(rows)).split())
    both = rows + [row | dict(model_a="y", model_b="x") for row in rows]
    said = " ".join(str(score(both)).split())
    assert "Order effect: a model wins 0.0 points more where it is shown first" in said
    assert "No prompt" not in said
    some = " ".join(str(score(both[:-2])).split())
    assert "2 of 9 prompts were not judged in both orders equally often" in some


def test_other_tables_stay_what_they_are():
    graded = [dict(question="q", model_a="x", model_b="y", winner="x", correct=1)]
    assert score(graded).battles is None and score(graded)["pass@1"].estimate == 1
    assert score(graded, correct="winner").battles is not None
    rows = [dict(question="q", winner="x", correct=1)]
    assert score(rows).battles is None


def test_json_keeps_what_was_found():
    from sampling_eval.analyses.score.result import Report
    report = score(make(8, "xyz"))
    again = Report.from_dict(json.loads(json.dumps(report.to_dict())))
    assert again.battles.to_dict() == report.battles.to_dict() and str(again) == str(report)
    for form in (report.to_markdown(), report.to_latex(), report.to_html()):
        assert "win share" in form


def test_shares_have_no_samples():
    "A prompt has one share, of however many judgements: nothing is said of samples."
    rows = make(3)
    for result in score(rows), table(rows), compare(rows):
        assert "12 questions" in str(result) and "sample each," not in str(result)
    assert "1 sample each" not in str(score(rows)) + str(table(rows))
    assert "none missing" not in str(table(rows))


@pytest.mark.parametrize("models", ["xy", "xyz"])
@pytest.mark.parametrize("metric", [None, "mean@n"])
def test_advice_on_shares_is_of_questions_alone(models, metric):
    named = {} if metric is None else dict(metrics=metric)
    found = compare(make(6, models), **named)
    said = " ".join(str(found).split())
    assert found.next is not None and found.next.has_samples == ()
    assert "questions (12 now) would detect" in said and "sample each" not in said
    again = type(found).from_json(found.to_json())
    assert str(again) == str(found)
    # Of the same prompts judgements show no noise: nothing says how many of them would decide.
    same = compare(make(6, models), target="same_questions", **named)
    assert same.next is None and "samples would" not in " ".join(str(same).split())


def test_two_of_three_models_keep_the_win_shares_that_they_have_among_three():
    rows = make(5, "xyz")
    shares = {
        name: mean(list(listed(rows, name, "xyz".replace(name, "")).values())) for name in "xy"
    }
    found = compare(rows, models=["x", "y"])["win share"]
    assert found.difference == pytest.approx(float(shares["y"] - shares["x"]), abs=1e-14)


def by_topic(rows):
    "The same with a topic for every three prompts."
    return [row | dict(topic=int(row["prompt"][1:]) // 3) for row in rows]


@pytest.mark.parametrize("models", ["xy", "xyz"])
def test_prompts_of_a_topic_are_no_independent_prompts(models):
    rows = by_topic(make(4, models, prompts=30))
    prompts = list(dict.fromkeys(row["prompt"] for row in rows))
    topics = {row["prompt"]: row["topic"] for row in rows}
    found, plain = (score(rows, cluster=cluster).battles for cluster in ("topic", False))
    for pair, own in zip(found.pairs, plain.pairs):
        shares = listed(rows, pair.model, pair.against)
        want = mean_over_questions(
            [float(shares[q]) for q in prompts], cluster=[topics[q] for q in prompts]
        ).confidence_interval()
        assert pair.share == pytest.approx(own.share, abs=1e-14)
        assert (pair.low, pair.high) == pytest.approx((want.low, want.high), abs=1e-9)
        assert (pair.low, pair.high) != pytest.approx((own.low, own.high), abs=1e-4)
    gaps = {}
    for q in prompts:
        each = []
        for a, b in combinations(models, 2):
            first, second = (
                [worth(row, a) for row in rows
                 if row["prompt"] == q and (row["model_a"], row["model_b"]) == pair]
                for pair in ((a, b), (b, a))
            )
            if first and second:
                each.append(mean(first) - mean(second))
        if each:
            gaps[q] = float(mean(each))
    want = mean_over_questions(
        list(gaps.values()), bounds=(-1, 1), cluster=[topics[q] for q in gaps]
    ).confidence_interval()
    assert found.order.prompts == len(gaps)
    assert (found.order.low, found.order.high) == pytest.approx((want.low, want.high), abs=1e-9)


@pytest.mark.parametrize(
    "winner, significant, said",
    [("x", True, ": significant."), ("xy", False, ": not significant."), ("tie", False, ": not")],
)
def test_whether_one_of_two_wins_more(winner, significant, said):
    names = [winner[q % len(winner)] if winner != "tie" else "tie" for q in range(40)]
    report = score([ROW | dict(prompt=q, winner=name) for q, name in enumerate(names)])
    assert report.battles.significant is significant
    first = " ".join(str(report).split()).split("comparisons with")[1]
    assert said in first


def test_models_that_met_one_reference_are_a_table():
    rows = make(2, "wxy", star=True)
    (table,) = blocks(score(rows).battles)
    assert [row[:2] for row in table.rows] == [["x", "w"], ["y", "w"]]
    assert table.left == 2 and "| model | against | win share |" in score(rows).to_markdown()
    assert blocks(score(make(2, "xy")).battles) == []
