"lm-evaluation-harness: filters, repeats, metrics and choices."
import pytest

from sampling_eval.io.harness import lm_eval
from sampling_eval.io.harness.ask import Ask, NoOutcomes
from sampling_eval.io.harness.grading import TextGrade
from test_harness_reader import check_keys, fail, grade, take, write


def line(doc, texts, kept, **more):
    return dict(doc_id=doc, target="4", filter="none", resps=[texts], filtered_resps=kept) | more


def test_lm_eval_texts(tmp_path):
    lines = [line(0, ["it is 4"], ["4"], em=1., metrics=["em"], doc_hash="h0"),
             line(0, ["it is 4"], ["it is 4"], em=0, filter="raw", metrics=["em"], doc_hash="h0"),
             line(1, ["?"], ["[invalid]"], em=0., metrics=["em"], target=None)]
    log = write(tmp_path, "samples_sums_2026-01-02T03-04-05.6.jsonl", *lines)
    ask = Ask(filter="none")
    took, rows = lm_eval.rows(log, ask)
    assert took == "question=doc_id, sample=repeat, score=em, filter=none, answer=filtered_resps" and list(rows) == [
        dict(question=0, sample=0, answer="4", graded="4", target="4", score=1., task="sums", judged=True),
        dict(question=1, sample=0, answer=None, graded="[invalid]", target=None, score=0., task="sums", judged=True)]
    assert ask.versions.keys() == {"sums"} and ask.versions["sums"].startswith("questions 1, hash ")
    assert [row["score"] for row in take(lm_eval.rows, log, filter="raw")[1]] == [0.]
    anew = take(lm_eval.rows, log, filter="raw", grade=grade)
    assert anew[0] == "question=doc_id, sample=repeat, correct=grade, filter=raw, answer=filtered_resps"
    assert anew[1] == [
        dict(question=0, sample=0, answer="it is 4", graded="it is 4", target="4", task="sums", judged=False)]
    assert fail(lm_eval.rows, log) == (f"{log.path.name} holds several filters; pass filter= one of 'none', 'raw'")
    renamed, ask = write(tmp_path, "mine.jsonl", line(0, ["4"], ["4"], em=1., other="x")), Ask()
    assert [row["task"] for row in lm_eval.rows(renamed, ask)[1]] == ["mine"] and ask.versions == {}
    hashed, ask = write(tmp_path, "theirs.jsonl", line(0, ["4"], ["4"], em=1., doc_hash="h")), Ask()
    assert list(lm_eval.rows(hashed, ask)[1])[0]["score"] == 1. and ask.versions.keys() == {"theirs"}
    check_keys(lm_eval.recognise, lines[0], "doc_id", "resps", "filtered_resps")


def test_lm_eval_repeats(tmp_path):
    few = [line(0, ["a", "b", "4"], ["4"], em=1., filter="maj"), line(0, ["a", "b", "4"], ["a"], em=0., filter="first")]
    log = write(tmp_path, "x.jsonl", *few)
    assert fail(lm_eval.rows, log, NoOutcomes).startswith(
        "lm-eval stores no outcome per sample in x.jsonl: 3 texts a question and one metric over them by each "
        "filter; pass ")
    took, rows, _ = take(lm_eval.rows, log, grade=grade)
    assert took.endswith("filter=maj, answer=resps") and [row["answer"] for row in rows] == ["a", "b", "4"]
    assert take(lm_eval.rows, log, grade=grade, filter="first")[0].endswith("filter=first, answer=resps")
    kept = few[:1] + [line(0, ["a", "b", "4"], [["x", "y", "[invalid]"]], em=0., filter="all")]
    assert fail(lm_eval.rows, write(tmp_path, "y.jsonl", *kept),
        grade=grade).startswith("y.jsonl holds several filters")
    took, rows, _ = take(lm_eval.rows, write(tmp_path, "y.jsonl", *kept), grade=grade, filter="all")
    assert took.endswith("answer=filtered_resps") and [(row["sample"], row["answer"], row["graded"])
        for row in rows] == [
        (0, "x", "x"), (1, "y", "y"), (2, None, "[invalid]")]


def test_lm_eval_metrics(tmp_path):
    one = line(0, ["4"], ["4"], em=1., f1=.5, text="x")
    def choose(more, **given): return take(lm_eval.rows, write(tmp_path, "m.jsonl", one | more),
        **given)[0].split(", ")[2]
    assert choose({}, score="f1") == "score=f1" and choose(dict(metrics=["f1", "text"])) == "score=f1"
    assert fail(lm_eval.rows,
        write(tmp_path, "m.jsonl", one)) == "m.jsonl holds several scores; pass score= one of 'em', 'f1'"
    assert fail(lm_eval.rows, write(tmp_path, "m.jsonl", one | dict(metrics=["text"])), NoOutcomes).startswith(
        "lm-eval stores no outcome per sample in m.jsonl: 'text' hold the material of a corpus metric, not a number "
        "per "
        "question; pass ")


def choice(doc, logprobs, target, asked, **more):
    return dict(doc_id=doc, target=target, filter="none", filtered_resps=[], arguments=asked,
                resps=[[[str(value), "False"]] for value in logprobs]) | more


def test_lm_eval_choices(tmp_path):
    asked = [["Q", " a"], ["Q", " b"], ["Q", " c"]]
    lines = [choice(0, [-3, -1, -2], 1, asked, acc=1., acc_norm=0.),
        choice(1, [-1, -3, -2], 2, asked, acc=0., acc_norm=1.)]
    log = write(tmp_path, "c.jsonl", *lines)
    for given in {}, dict(grade=TextGrade("exact")):
        took, rows, _ = take(lm_eval.rows, log, **given)
        assert took == "question=doc_id, sample=repeat, score=acc, filter=none, answer=likeliest choice"
        assert [(row["answer"], row["score"], row["target"], row["judged"]) for row in rows] == [
            ("b", 1., 1, True), ("a", 0., 2, True)]
    assert "correct=grade" in take(lm_eval.rows, log, grade=grade)[0]
    assert [row["score"] for row in take(lm_eval.rows, log, score="acc_norm")[1]] == [0., 1.]
    read = lm_eval.read_choices_of(0, lines[0])
    assert read == (0, [" a", " b", " c"], [-3., -1., -2.], None, 1, 1.)
    # One continuation and several contexts; a second half without context.
    contexts = choice(5, [-2, -1], "x", [["A", " z"], ["B", " z"]])
    assert lm_eval.read_choices_of(3, contexts) == (5, ["A", "B"], [-2., -1.], None, "x", None)
    halves = choice(6, [-2, -1, -4, -3], 0, {f"gen_args_{i}": dict(arg_0=c, arg_1=t) for i, (c, t) in enumerate(
        [("Q", " a"), ("Q", " b"), ("", " a"), ("", " b")])})
    assert lm_eval.read_choices_of(0, halves) == (6, [" a", " b"], [-2., -1.], [-4., -3.], 0, None)
    bare = choice(7, [-2, -1], 0, [["", " a"], ["", " b"]])
    assert lm_eval.read_choices_of(0, bare) == (7, [" a", " b"], [-2., -1.], None, 0, None)
    odd = choice(8, [-2, -1, -3], 0, [["Q", " a"], ["", " b"], ["", " c"]])
    assert lm_eval.read_choices_of(0, odd).texts == [" a", " b", " c"]
    mixed = choice(9, [-2, -1, -3, -4], 0, [["Q", " a"], ["Q", " b"], ["", " c"], ["Q", " d"]])
    assert lm_eval.read_choices_of(0, mixed).texts == [" a", " b", " c", " d"]
    with pytest.raises(ValueError, match="^lm-eval stored texts here, and no log-probabilities of choices$"):
        lm_eval.read_choices_of(0, line(0, ["a"], ["a"]))
    # A response of two that are no log-probability and flag is a text.
    for response in ["a", "b"], [-1, "True", 0], "True":
        with pytest.raises(ValueError, match="stored texts here"):
            lm_eval.read_choices_of(0, line(0, [response], ["a"]))


def test_lm_eval_rolling(tmp_path):
    for asked in [["whole text"]], {"gen_args_0": dict(arg_0="whole text")}:
        log = write(tmp_path, "r.jsonl", line(0, [-5.], [-5.], arguments=asked))
        assert fail(lm_eval.rows, log, NoOutcomes).startswith(
            "lm-eval stores no outcome per sample in r.jsonl: it holds the likelihood of whole texts, no answers; "
            "pass ")
    for asked in [], {}, None: take(lm_eval.rows, write(tmp_path, "r.jsonl",
        line(0, ["4"], ["4"], em=1., arguments=asked)))
