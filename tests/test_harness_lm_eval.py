"lm-evaluation-harness and lighteval: filters, repeats, metrics, counts from shares, choices."

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from harness_cases import EVAL, LM, LOGS, PARQUET, equal, put, read, refusal
from sampling_eval import score
from sampling_eval.reading.logs import lighteval, lm_eval
from sampling_eval.reading.logs.ask import Ask, Scored, Total
from sampling_eval.reading.logs.lighteval import make_share_rows
from sampling_eval.reading.logs.limits import Limits
from sampling_eval.reading.logs.log import open_log
from sampling_eval.reading.logs.samples import Choices, read_choices
from sampling_eval.metrics.passk import pass_at_k


def line(doc, texts, kept, **more):
    return dict(doc_id=doc, target="4", filter="none", resps=[texts], filtered_resps=kept) | more


def write(tmp_path, *lines, name="x.jsonl"):
    return put(tmp_path / name, lines, True)


# lm-eval: texts.


def test_lm_eval_logs():
    assert "filter= one of 'strict-match', 'flexible-extract'" in refusal(LM[0])
    assert "filter must be one of" in refusal(LM[0], filter="x")
    strict, flexible = (read(LM[0], filter=o) for o in ("strict-match", "flexible-extract"))
    assert strict.answer.tolist() == ["4", None, "3"] and strict.correct.tolist() == [1, 0, 1]
    assert len(flexible) == 3 and flexible.correct.tolist() == [1, 1, 1]
    assert "4 texts a question and one metric over them" in refusal(LM[1], filter="maj@4")
    samples = read(LM[1], filter="maj@4", grade=lambda a, t: a.rstrip(".").endswith(t))
    assert samples.counts()[1] == [3, 2, 2] and samples.sample.tolist() == [0, 1, 2, 3] * 3


def test_lm_eval_texts(tmp_path):
    lines = [
        line(0, ["it is 4"], ["4"], em=1.0, metrics=["em"], doc_hash="h0"),
        line(0, ["it is 4"], ["it is 4"], em=0, filter="raw", metrics=["em"], doc_hash="h0"),
        line(1, ["?"], ["[invalid]"], em=0.0, metrics=["em"], target=None, filter=None),
    ]
    path = write(tmp_path, *lines, name="samples_sums_2026-01-02T03-04-05.6.jsonl")
    samples = read(path, filter="none")
    assert samples.took == dict(
        question="doc_id", sample="repeat", score="em", filter="none", answer="filtered_resps"
    )
    assert samples.rows("question sample score answer task") == [
        (0, 0, 1.0, "4", "sums"),
        (1, 0, 0.0, None, "sums"),
    ]
    ((name, version, _),) = samples.logs.tasks
    assert name == "sums" and version.startswith("questions 1, hash ")
    assert read(path, filter="raw").score.tolist() == [0]
    seen = []
    anew = read(path, filter="none", grade=lambda a, t: seen.append((a, t)) or a == t)
    assert seen == [("4", "4"), ("[invalid]", None)] and anew.correct.tolist() == [1, 0]
    assert refusal(path) == f"{path.name} holds several filters; pass filter= one of 'none', 'raw'"


@pytest.mark.parametrize("more, tasks", [({}, []), (dict(doc_hash="h"), ["mine"])])
def test_lm_eval_files_that_were_renamed(tmp_path, more, tasks):
    "The name of a file is no task, unless its documents say which it is."
    path = write(tmp_path, line(0, ["4"], ["4"], em=1.0, **more), name="mine.jsonl")
    assert [name for name, *_ in read(path).logs.tasks] == tasks


def test_lm_eval_repeats(tmp_path):
    few = [
        line(0, ["a", "b", "4"], ["4"], em=1.0, filter="maj"),
        line(0, ["a", "b", "4"], ["a"], em=0.0, filter="first"),
    ]
    path = write(tmp_path, *few)
    assert refusal(path).startswith(
        "lm-eval stores no outcome per sample in x.jsonl: 3 texts a question and one metric over "
        "them by each filter; pass grade="
    )
    samples = read(path, grade=equal)
    assert samples.took["filter"] == "maj" and samples.took["answer"] == "resps"
    assert samples.answer.tolist() == ["a", "b", "4"]
    assert read(path, grade=equal, filter="first").took["filter"] == "first"
    kept = [few[0], line(0, ["a", "b", "4"], [["x", "4", "[invalid]"]], em=0.0, filter="all")]
    path = write(tmp_path, *kept)
    assert refusal(path, grade=equal).startswith("x.jsonl holds several filters")
    samples = read(path, grade=equal, filter="all")
    assert samples.took["answer"] == "filtered_resps"
    assert samples.rows("question sample answer correct task") == [
        (0, 0, "x", False, "x"),
        (0, 1, "4", True, "x"),
        (0, 2, None, False, "x"),
    ]
    flags = [line(i, ["-1", "True"], ["True"], metrics=["acc"], acc=1) for i in range(2)]
    assert "2 texts a question" in refusal(write(tmp_path, *flags))


def test_lm_eval_metrics(tmp_path):
    one = line(0, ["4"], ["4"], em=1.0, f1=0.5, text="x")
    path = write(tmp_path, one)
    assert refusal(path) == "x.jsonl holds several scores; pass score= one of 'em', 'f1'"
    assert read(path, score="f1").score.tolist() == [0.5]
    assert read(write(tmp_path, one | dict(metrics=["f1", "text"]))).took["score"] == "f1"
    assert refusal(write(tmp_path, one | dict(metrics=["text"]))).startswith(
        "lm-eval stores no outcome per sample in x.jsonl: 'text' hold the material of a corpus "
        "metric, not a number per question; pass grade="
    )


def test_lm_eval_rolling(tmp_path):
    "A request without a continuation is the likelihood of a whole text."
    for asked in [["whole text"]], {"gen_args_0": dict(arg_0="whole text")}:
        path = write(tmp_path, line(0, [-5.0], [-5.0], arguments=asked))
        for grade in None, "exact", lambda answer, target: True:
            assert "it holds the likelihood of whole texts, no answers" in refusal(
                path, grade=grade
            )
    for asked in [], {}, None:
        assert read(write(tmp_path, line(0, ["4"], ["4"], em=1.0, arguments=asked))).score == [1]


# lm-eval: choices.


def choice(doc, logprobs, target, asked, **more):
    return (
        dict(
            doc_id=doc,
            target=target,
            filter="none",
            filtered_resps=[],
            arguments=asked,
            resps=[[[str(value), "False"]] for value in logprobs],
        )
        | more
    )


def ask(*texts):
    return [["Q", text] for text in texts]


def test_lm_eval_choices(tmp_path):
    lines = [
        choice(0, [-3, -1, -2], 1, ask(" a", " b", " c"), acc=1.0, acc_norm=0.0),
        choice(1, [-1, -3, -2], 2, ask(" a", " b", " c"), acc=0.0, acc_norm=1.0),
    ]
    path = write(tmp_path, *lines)
    samples = read(path)
    assert samples.took == dict(
        question="doc_id", sample="repeat", score="acc", filter="none", answer="likeliest choice"
    )
    assert samples.rows("question sample answer score task") == [
        (0, 0, "b", 1.0, "x"),
        (1, 0, "a", 0.0, "x"),
    ]
    # A choice has no text to compare with the target: it keeps what the harness judged.
    assert read(path, grade="exact").correct.tolist() == [1, 0]
    assert read(path, grade=lambda a, t: a == "a").correct.tolist() == [0, 1]
    assert read(path, score="acc_norm").score.tolist() == [0, 1]


@pytest.mark.parametrize(
    "asked, texts, half",
    [
        ([["A", " z"], ["B", " z"]], ("A", "B"), False),
        ([["Q", " a"], ["Q", " b"], ["", " a"], ["", " b"]], (" a", " b"), True),
        ([["", " a"], ["", " b"]], (" a", " b"), False),
        ([["Q", " a"], ["", " b"], ["", " c"]], (" a", " b", " c"), False),
        ([["Q", " a"], ["Q", " b"], ["", " c"], ["Q", " d"]], (" a", " b", " c", " d"), False),
    ],
)
def test_texts_of_choices(tmp_path, asked, texts, half):
    "One continuation and several contexts; a second half without context."
    values = [-2.0 - i for i in range(len(asked))]
    by_name = {f"gen_args_{i}": dict(arg_0=c, arg_1=t) for i, (c, t) in enumerate(asked)}
    for arguments in asked, by_name:
        held = read_choices(write(tmp_path, choice(5, values, 0, arguments)))
        assert held.choices == (texts,) and held.questions.tolist() == [5]
        assert held.logprobs[0].tolist() == values[: len(texts)]
        assert (held.unconditional is not None) == half
        if half:
            assert held.unconditional[0].tolist() == values[2:]


def test_choices_of_logs():
    held = read_choices(LM[2])
    assert held.gold.tolist() == [0, 1, 1, 0] and held.unconditional is None
    assert held.logprobs[0].tolist() == [-0.25, -3.5, -2.75]
    right = [float(o.argmax() == g) for o, g in zip(held.logprobs, held.gold)]
    assert read(LM[2]).correct.tolist() == right
    light = read_choices(PARQUET["details_facts_0"])
    assert light.gold.tolist() == [0, 1] and light.choices[1] == (" steam", " water", " sand")


@pytest.mark.parametrize(
    "path, reason",
    [
        (LM[0], "lm-eval stored texts here, and no log-probabilities of choices"),
        (EVAL, "need an lm-eval or lighteval log, got log_streaming.eval"),
        (PARQUET["details_arith_once_0"], "stored texts here, and no log-probabilities of choices"),
    ],
)
def test_choices_refused(path, reason):
    with pytest.raises(ValueError, match=reason):
        read_choices(path)


@pytest.mark.parametrize("response", ["text", ["a", "b"], [-1, "True", 0], "True"])
def test_responses_that_are_no_log_probability(tmp_path, response):
    with pytest.raises(ValueError, match="stored texts here"):
        read_choices(write(tmp_path, line(0, [response], ["a"])))


def place(tmp_path, *questions):
    "The place of each right choice, or what is said."
    lines = [
        choice(i, values, target, ask(*texts), **(more[0] if more else {}))
        for i, (texts, values, target, *more) in enumerate(questions)
    ]
    try:
        return read_choices(write(tmp_path, *lines)).gold.tolist()
    except ValueError as error:
        return str(error)


AB, DIGITS = [" a", " b "], [" 2", " 0", " 1"]


def test_right_choices_by_place_and_text(tmp_path):
    one = AB, [-1, -2]
    assert place(tmp_path, (*one, 1)) == [1]
    assert place(tmp_path, (*one, 0), (*one, 1)) == [0, 1]
    assert place(tmp_path, (*one, " b")) == place(tmp_path, (*one, "1")) == [1]
    assert place(tmp_path, (*one, "b"), (*one, 0)) == [1, 0]
    for target in 2, -1, None, 0.5, "c", "2", [0, 1]:
        assert (
            place(tmp_path, (*one, target))
            == f"every question needs one right choice among its 2, got {target!r} at question 0"
        )


def test_places_that_are_texts_too(tmp_path):
    "What the stored acc says of the likeliest choice decides; where it says nothing, places do."

    def gold(*pairs):
        return place(tmp_path, *((DIGITS, values, target, more) for values, target, more in pairs))

    first, last = [-1, -2, -3], [-3, -2, -1]
    assert gold((first, "0", dict(acc=1.0))) == [0] and gold((first, "0", dict(acc=0.0))) == [1]
    assert gold((first, "0", {})) == [0]
    assert gold((first, "0", {}), (last, "2", dict(acc=1.0))) == [0, 2]
    assert gold((first, "0", {}), (last, "2", dict(acc=0.0))) == [1, 0]
    assert (
        gold((first, "0", dict(acc=1.0)), (last, "1", dict(acc=1.0)))
        == "targets are positions and texts of choices at once, and acc agrees with neither"
    )


def test_choices_of_unequal_number(tmp_path):
    lines = [choice(0, [-1, -2], 1, ask(*AB)), choice(1, [-3, -2, -1], 2, ask(*DIGITS))]
    held = read_choices(write(tmp_path, *lines, *lines))  # As every filter repeats them
    assert repr(held) == "Choices(2 questions of 2..3 choices)" and len(held) == 2
    assert held.choices == ((" a", " b "), (" 2", " 0", " 1"))
    assert held.questions.tolist() == [0, 1] and held.source == "lm-eval, x.jsonl"
    assert [part.dtype for part in held.logprobs] == [np.float64] * 2
    bare = tuple(np.zeros(2) for _ in range(2))
    assert (
        repr(Choices(bare, np.zeros(2), ((), ()), np.zeros(2), bare))
        == "Choices(2 questions of 2 choices, unconditional)"
    )


def test_layouts_without_choices(tmp_path):
    path = write(tmp_path, dict(doc_id=0, target=0, resps=[[["-1", "False"]]], filtered_resps=[]))
    with pytest.raises(
        ValueError,
        match=(
            "^x.jsonl does not follow the layout of lm-eval with choices .KeyError: 'arguments'.$"
        ),
    ):
        read_choices(path)


# lighteval.


def test_lighteval_logs():
    assert "4 texts a question and one 'pass@k:k=2&n=4'" in refusal(PARQUET["details_arith_0"])
    n, c = read(PARQUET["details_arith_0"], grade=equal).counts()
    assert c == [3, 2, 1] and np.allclose(pass_at_k(n, c, 2), [1, 5 / 6, 1 / 2], rtol=1e-12)
    assert read(PARQUET["details_arith_once_0"]).correct.tolist() == [1, 1, 1]
    facts = read(PARQUET["details_facts_0"])
    assert facts.correct.tolist() == [1, 0] and facts.answer.tolist() == ["blue", "steam"]


def test_details_without_a_share_never_block_a_folder():
    report = score(LOGS / "lighteval", "pass@1")
    (skipped,) = [
        note.text for note in read(LOGS / "lighteval").read.notes if note.kind == "skipped_logs"
    ]
    assert skipped.endswith("4 texts a question and one 'pass@k:k=2&n=4' over them")
    assert {row.group for row in report.rows} >= {"arith_once|0", "facts|0"}


def detail(
    id,
    texts=(),
    metric=None,
    task="t|0",
    choices=None,
    gold=0,
    logprobs=(),
    processed=None,
    **response,
):
    doc = dict(id=id, task_name=task, query=f"ask {id}", choices=choices, gold_index=gold)
    answer = dict(text=list(texts), text_post_processed=processed, logprobs=list(logprobs))
    return dict(doc=doc, model_response=answer | response, metric=metric or dict(em=0.0))


@pytest.fixture
def keep(tmp_path):
    "A function that writes rows as Parquet, with structs whose fields differ by value only."
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

    def keep(*records):
        path = tmp_path / "d.parquet"
        pq.write_table(pa.Table.from_pylist(list(records)), path)
        return path

    return keep


def test_lighteval_texts(keep):
    path = keep(
        detail("7", ["x"], dict(em=1.0), choices=["x", "y"]),
        detail(None, ["raw"], dict(em=0.0), processed=["done"], task="u|0"),
        detail("", [], dict(em=None), choices=[" a", " b "], gold=1, logprobs=[-2, -1, 0]),
    )
    samples = read(path)
    assert samples.took == dict(question="doc.id", sample="position", score="em", answer="text")
    assert samples.rows("question sample answer score task") == [
        ("t|0/7", 0, "x", 1.0, "t|0"),
        ("u|0/1", 0, "done", 0.0, "u|0"),
        ("t|0/2", 0, "b", None, "t|0"),
    ]
    assert {task: told.partition(",")[0] for task, told, _ in samples.logs.tasks} == {
        "t|0": "questions 2",
        "u|0": "questions 1",
    }
    targets = []
    read(path, grade=lambda a, t: targets.append(t) or True)
    assert targets == ["x", None, " b "]
    several = keep(detail("7", ["x"], dict(em=1.0), choices=["x", "y"], gold=[0, 1]))
    assert read(several, grade="exact").correct.tolist() == [1]


@pytest.mark.parametrize("name", ["avg@n:n=4", "pass@k:k=1&n=4"])
def test_lighteval_counts(keep, name):
    shares = ("7", 0.75), ("", 0.0), (None, 1.0), ("8", 0.25002)
    path = keep(*(detail(id, "abcd", {"maj": 1.0, name: share}) for id, share in shares))
    samples = read(path)
    assert samples.took == dict(question="doc.id", sample="number", score=name)
    (note,) = samples.read.notes
    assert (note.kind, note.names, note.count) == ("share_of_samples", (name,), 4)
    assert not samples.logs.ordered
    assert samples.rows("question sample score task") == [
        (q, s, float(s < right), "t|0")
        for q, right in (("7", 3), (1, 0), (2, 4), ("8", 1))
        for s in range(4)
    ]
    for share in 0.25004, -0.25, 1.25:
        path = keep(detail("", "abcd", {name: 0.5}), detail("", "abcd", {name: share}))
        assert refusal(path).startswith(
            f"lighteval stores no outcome per sample in d.parquet: {name} is {share:g} for "
            "question 1, no share of 4; pass grade="
        )


def test_lighteval_several_shares_and_none(keep):
    both = {"pass@k:k=2&n=2": 1.0, "avg@n:n=2": 0.5, "pass@k:k=1&n=2": 0.0}
    path = keep(detail("7", "ab", both))
    assert read(path).took["score"] == "avg@n:n=2"
    assert read(path, score="pass@k:k=1&n=2").correct.tolist() == [0, 0]
    few = keep(detail("7", "a", {"maj@2": 1.0}), detail("8", "ab", {"maj@2": 1.0}))
    assert "2 texts a question and one 'maj@2' over them; pass grade=" in refusal(few)
    graded = read(few, grade=equal)
    assert list(zip(graded.question, graded.sample, graded.answer)) == [
        ("7", 0, "a"),
        ("8", 0, "a"),
        ("8", 1, "b"),
    ]


@pytest.mark.parametrize(
    "more, logprobs, bare",
    [
        ({}, [-1.0, -2.0], None),
        (dict(logprobs=[-1.0, -2.0, -3.0, -4.0]), [-1.0, -2.0], [-3.0, -4.0]),
        (dict(unconditioned_logprobs=[-5.0, -6.0]), [-1.0, -2.0], [-5.0, -6.0]),
    ],
)
def test_lighteval_choices(keep, more, logprobs, bare):
    response = dict(choices=[" a", " b"], logprobs=[-1.0, -2.0], gold=[1]) | more
    held = read_choices(keep(detail("", **response)))
    assert held.logprobs[0].tolist() == logprobs and held.gold.tolist() == [1]
    assert held.questions.tolist() == [0] and (held.unconditional is None) == (bare is None)
    if bare:
        assert held.unconditional[0].tolist() == bare


def test_lighteval_without_choices(keep):
    with pytest.raises(ValueError, match="^lighteval stored texts here, and no log-probab"):
        read_choices(keep(detail("7", choices=[" a", " b"], logprobs=[-1.0])))


def test_the_results_of_the_same_time_are_read(tmp_path):
    "Beside the samples of two runs each finds the results of its own."
    from sampling_eval.reading.logs.lm_eval import find_results

    times = "2026-11-21T10-05-01.592126", "2026-11-22T10-05-01.592126"
    for time in times:
        (tmp_path / f"results_{time}.json").write_text("{}")
        (tmp_path / f"samples_sums_{time}.jsonl").write_text("{}")
    for time in times:
        log = SimpleNamespace(
            path=tmp_path / f"samples_sums_{time}.jsonl", stem=f"samples_sums_{time}"
        )
        assert find_results(log) == tmp_path / f"results_{time}.json"
    copy = SimpleNamespace(path=tmp_path / "copy.jsonl", stem="copy")
    assert find_results(copy) is None
    (tmp_path / f"results_{times[0]}.json").unlink()
    assert find_results(copy) == tmp_path / f"results_{times[1]}.json"


def test_rows_of_a_share_name_their_question():
    doc = dict(id="", task_name="t")
    records = [dict(doc=doc | dict(id=name), metric={"m": share})
               for name, share in (("q", 0.75), ("", 0.0))]
    log = SimpleNamespace(records=lambda columns: records)
    rows = list(make_share_rows(log, "m", 4))
    assert [row["question"] for row in rows] == ["q"] * 4 + [1] * 4
    assert [row["score"] for row in rows] == [1.0, 1.0, 1.0, 0.0] + [0.0] * 4
    assert [row["sample"] for row in rows] == [*range(4)] * 2 and rows[0]["task"] == "t"


# lm-eval and lighteval, function by function.

STAMPED = "2026-11-21T10-05-01.592126"


@pytest.mark.parametrize(
    "told, config, expected, known",
    [
        (dict(original=3, effective=3), {}, 6, True),
        (dict(original=9, effective=3), {}, 6, False),
        (dict(original=9, effective=3), dict(limit=3), 6, True),
        (dict(original=9, effective=3), dict(limit=None), 6, False),
        (dict(original=9, effective=3), None, 6, False),
        (dict(effective=1), {}, 2, False),
        (dict(original=3), {}, None, False),
        (dict(original=3, effective="3"), {}, None, False),
        (None, {}, None, False),
    ],
)
def test_documents_that_lm_eval_counts(told, config, expected, known, tmp_path):
    "The first ones are taken, unless somebody names some of them; each has two texts."
    log = open_log(write(tmp_path, line(0, ["a", "b"], ["a"]), name=f"samples_t_{STAMPED}.jsonl"))
    lm_eval.expect_documents(log, bare := Ask(), 2)
    assert bare.totals == []
    name = f"results_{STAMPED}.json"
    put(tmp_path / name, {"n-samples": dict(t=told, u=dict(effective=9)), "config": config})
    lm_eval.expect_documents(log, ask := Ask(), 2)
    questions = dict.fromkeys(range((expected or 0) // 2), 2) if known else None
    assert ask.totals == [
        Total(size, f"n-samples in {name}", questions=questions, each=2)
        for size in [expected] if size
    ]


@pytest.mark.parametrize(
    "stem, task",
    [
        (f"samples_sums_{STAMPED}", "sums"),
        ("samples_a_b_2026-11-21T10:05:01.592126", "a_b"),
        (f"sums_{STAMPED}", "sums"),
        ("samples_sums", "sums"),
        ("samples_sums_2026-11-21", "sums_2026-11-21"),
        ("my_samples_sums", "my_samples_sums"),
    ],
)
def test_the_task_that_a_file_of_lm_eval_is_named_after(stem, task):
    assert lm_eval.name_task(SimpleNamespace(stem=stem)) == task


@pytest.mark.parametrize(
    "head, choices, metric",
    [
        (dict(em=1.0), False, "em"),
        (dict(em=True), False, "em"),
        (dict(em=1.0, f1=0.5), False, "holds several scores"),
        (dict(em=1.0, f1=0.5, metrics=["f1"]), False, "f1"),
        (dict(acc=1.0, acc_norm=0.5), True, "acc"),
        (dict(acc=1.0, acc_norm=0.5), False, "holds several scores"),
        (dict(acc_norm=0.5), True, "acc_norm"),
        (dict(bleu=["x"], metrics=["bleu"]), False, "'bleu' hold the material of a corpus metric"),
        (dict(text="x", target="y", doc_id=3), False, "x.jsonl: its samples hold no metric"),
    ],
    ids=str,
)
def test_the_metric_of_a_line(head, choices, metric, tmp_path):
    log = open_log(write(tmp_path, line(0, ["a"], ["a"])))
    try:
        found = lm_eval.choose_metric(log, Ask(), dict(doc_id=3, target="4") | head, choices)
    except ValueError as error:
        found = str(error)
    assert found == metric or " " in metric and metric in found


@pytest.mark.parametrize(
    "raw, kept, texts, name",
    [
        (["a"], ["b"], ["b"], "filtered_resps"),
        (["a", "b"], ["c", "d"], ["c", "d"], "filtered_resps"),
        (["a", "b"], [["c", "d"]], ["c", "d"], "filtered_resps"),
        (["a", "b"], ["c"], ["a", "b"], "resps"),
        (["a", "b"], [["c"]], ["a", "b"], "resps"),
        (["a"], [["c"]], ["c"], "filtered_resps"),
        (["a", "b"], [], ["a", "b"], "resps"),
    ],
    ids=str,
)
def test_what_a_filter_kept(raw, kept, texts, name):
    record = dict(resps=[raw], filtered_resps=kept, arguments=[["Q", {}]])
    assert lm_eval.read_texts(record) == texts and lm_eval.name_texts(record) == name


@pytest.mark.parametrize(
    "response, known",
    [
        ([-1.0, True], True),
        (["-1.0", "False"], True),
        ([-1.0, "true"], False),
        ([-1.0], False),
        ([-1.0, True, 0], False),
        ("-T", False),
        ((-1.0, True), False),
    ],
    ids=str,
)
def test_pairs_of_a_log_probability(response, known):
    assert lm_eval.is_logprob_pair(response) is known


@pytest.mark.parametrize(
    "path, results",
    [
        ("o/details/m/T/d.parquet", "o/results/m/results_T.json"),
        ("o/details/org/m/T/d.parquet", "o/results/org/m/results_T.json"),
        ("details/o/details/m/T/d.parquet", "details/o/results/m/results_T.json"),
        ("o/details/m/details/d.parquet", "o/results/m/results_details.json"),
        ("o/other/m/T/d.parquet", None),
        ("o/details/d.parquet", None),
        ("d.parquet", None),
    ],
)
def test_results_of_lighteval(path, results):
    assert lighteval.find_results(Path("/x", path)) == (results and Path("/x", results))


@pytest.mark.parametrize(
    "configs, totals",
    [
        ({"t|0": dict(effective_num_docs=3)}, [(12, "t|0")]),
        ({"t": dict(effective_num_docs=3)}, [(12, "t|0")]),
        ({"t|0": dict(effective_num_docs=2), "t": dict(effective_num_docs=3)}, [(8, "t|0")]),
        ({"t|0": dict(effective_num_docs=3), "u|0": dict(effective_num_docs=1)},
         [(12, "t|0"), (4, "u|0")]),
        ({"v": dict(effective_num_docs=3)}, []),
        ({}, []),
        (None, []),
    ],
    ids=str,
)
def test_documents_that_lighteval_counts(configs, totals, tmp_path):
    records = [dict(doc=dict(task_name=name)) for name in ("t|0", "u|0", "t|0")]
    path = tmp_path / "o/details/m/T/d.parquet"
    log = SimpleNamespace(path=path, limits=Limits(), records=lambda columns: records)
    lighteval.expect_documents(log, bare := Ask(), 4)
    assert bare.totals == []
    put(tmp_path / "o/results/m/results_T.json", dict(config_tasks=configs))
    lighteval.expect_documents(log, ask := Ask(), 4)
    where = "effective_num_docs in results_T.json"
    assert sorted(ask.totals, key=lambda total: total.task) == [
        Total(size, where, each=4, task=task) for size, task in totals
    ]
    outside = SimpleNamespace(path=tmp_path / "d.parquet", limits=Limits(), records=log.records)
    lighteval.expect_documents(outside, bare, 4)
    assert bare.totals == []


@pytest.mark.parametrize(
    "gold, choices, target",
    [(1, ["a", "b"], "b"), (0, ["a", "b"], "a"), ([1, 0], ["a", "b"], ["b", "a"]), (0, [], None),
     (0, None, None), ([1], ["a", "b"], ["b"])],
    ids=str,
)
def test_right_answers_of_lighteval(gold, choices, target):
    assert lighteval.read_target(dict(gold_index=gold, choices=choices)) == target


@pytest.mark.parametrize(
    "response, texts",
    [
        (dict(text=["a", "b"]), ["a", "b"]),
        (dict(text=["a"], text_post_processed=["p"]), ["p"]),
        (dict(text=["a"], text_post_processed=[]), ["a"]),
        (dict(text=[], logprobs=[-2, -1]), ["y"]),
        # What follows the choices are their log-probabilities without the question.
        (dict(text=None, logprobs=[-2, -3, -1, -1]), ["x"]),
    ],
    ids=str,
)
def test_texts_of_lighteval(response, texts):
    record = dict(model_response=response, doc=dict(choices=[" x", "y "]))
    assert lighteval.read_texts(record) == texts


@pytest.mark.parametrize(
    "name, size",
    [("avg@n:n=4", 4), ("pass@k:k=1&n=16", 16), ("pass@k:k=2&n=4", 1), ("em", 1)],
)
def test_samples_that_a_share_is_over(name, size):
    assert lighteval.read_size(name) == size


@pytest.mark.parametrize(
    "id, gold, logprobs, bare, held",
    [
        ("q", 1, [-1.0, -2.0], None, ("q", [-1.0, -2.0], None, 1)),
        ("q", [1], [-1.0, -2.0], None, ("q", [-1.0, -2.0], None, 1)),
        ("q", [0, 1], [-1.0, -2.0], None, ("q", [-1.0, -2.0], None, [0, 1])),
        ("", 0, [-1.0, -2.0, -3.0, -4.0], None, (5, [-1.0, -2.0], [-3.0, -4.0], 0)),
        ("q", 0, [-1.0, -2.0], [-5.0, -6.0], ("q", [-1.0, -2.0], [-5.0, -6.0], 0)),
    ],
)
def test_choices_of_lighteval(id, gold, logprobs, bare, held):
    doc = dict(id=id, choices=[" a", " b"], gold_index=gold)
    response = dict(logprobs=logprobs) | (dict(unconditioned_logprobs=bare) if bare else {})
    found = lighteval.read_choices_of(5, dict(doc=doc, model_response=response))
    question, scores, without, right = held
    assert found == Scored(question, [" a", " b"], scores, without, right, None)


def test_filters_of_choices_are_asked_about(tmp_path):
    lines = [
        choice(0, [-1, -2], 0, ask(" a", " b"), acc=float(name == "x")) | dict(filter=name)
        for name in "xy"
    ]
    path = write(tmp_path, *lines)
    assert refusal(path) == "x.jsonl holds several filters; pass filter= one of 'x', 'y'"
    assert [read(path, filter=name).score.tolist() for name in "xy"] == [[1], [0]]


def test_a_renamed_file_names_its_task_where_some_document_does(tmp_path):
    lines = [line(0, ["4"], ["4"], em=1.0), line(1, ["4"], ["4"], em=1.0, doc_hash="h")]
    ((name, version, _),) = read(write(tmp_path, *lines, name="mine.jsonl")).logs.tasks
    assert name == "mine" and version.startswith("questions 1, hash ")


def test_texts_beside_log_probabilities_are_texts():
    pair, text = [["-1.0", "True"]], ["text"]
    asked = [["Q", " a"], ["Q", " b"]]
    for resps, known in ([pair, text], None), ([text, pair], None), ([pair, pair], [-1.0, -1.0]):
        assert lm_eval.read_logprobs(dict(resps=resps, arguments=asked)) == known
