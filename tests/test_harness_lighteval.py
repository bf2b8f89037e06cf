"lighteval: texts, counts from shares, and choices."
from pathlib import Path
from types import SimpleNamespace

import pytest

from sampling_eval.io.harness import lighteval
from sampling_eval.io.harness.ask import Ask, NoOutcomes
from test_harness_reader import check_keys, fail, grade, take


def detail(id, texts=(), metric=None, task="t|0", choices=None, gold=0, logprobs=(), processed=None, **response):
    doc = dict(id=id, task_name=task, query=f"ask {id}", choices=choices, gold_index=gold)
    answer = dict(text=list(texts), text_post_processed=processed, logprobs=list(logprobs)) | response
    return dict(doc=doc, model_response=answer, metric=metric or {})


def keep(*records):
    "What stands for a Parquet file with these rows."
    return SimpleNamespace(path=Path("d.parquet"), records=lambda columns=(): iter(records))


def test_lighteval_texts():
    log = keep(detail("7", ["x"], dict(em=1), choices=["x", "y"], gold=[0, 1]),
               detail(None, ["raw"], dict(em=0), processed=["done"], task="u|0"),
               detail("", [], dict(em=None), choices=[" a", " b "], gold=1, logprobs=[-2, -1, 0]))
    ask = Ask()
    took, rows = lighteval.rows(log, ask)
    assert took == "question=doc.id, sample=position, score=em, answer=text" and list(rows) == [
        dict(question="7", sample=0, answer="x", target=["x", "y"], task="t|0", score=1.),
        dict(question=1, sample=0, answer="done", target=None, task="u|0", score=0.),
        dict(question=2, sample=0, answer="b", target=" b ", task="t|0", score=None)]
    assert {task: told.partition(",")[0] for task, told in ask.versions.items()} == {"t|0": "questions 2",
        "u|0": "questions 1"}
    anew = take(lighteval.rows, log, grade=grade)
    assert anew[0] == "question=doc.id, sample=position, correct=grade, answer=text" and "score" not in anew[1][0]
    check_keys(lighteval.recognise, dict.fromkeys(lighteval.COLUMNS), *lighteval.COLUMNS)


@pytest.mark.parametrize("name, size", [("avg@n:n=4", 4), ("pass@k:k=1&n=4", 4)])
def test_lighteval_counts(name, size):
    log = keep(*(detail(id, "abcd", {"maj": 1, name: share}) for id,
        share in (("7", .75), ("", 0), (None, 1), ("8", .25002))))
    took, rows, notes = take(lighteval.rows, log)
    assert took == f"question=doc.id, sample=number, score={name}" and notes == [
        f"{name} times 4 is how many samples are right; which ones is not stored, so there are no answers"]
    assert rows == [dict(question=q, sample=s, score=float(s < right), task="t|0")
                    for q, right in (("7", 3), (1, 0), (2, 4), ("8", 1)) for s in range(size)]
    for share in .25004, -.25, 1.25:
        assert fail(lighteval.rows, keep(detail("", "abcd", {name: .5}), detail("", "abcd", {name: share})),
            NoOutcomes).startswith(
            f"lighteval stores no outcome per sample in d.parquet: {name} is {share:g} for question 1, no share of "
            f"4; pass ")


def test_lighteval_several_shares_and_none():
    both = {"pass@k:k=2&n=2": 1, "avg@n:n=2": .5, "pass@k:k=1&n=2": 0}
    assert "score=avg@n:n=2" in take(lighteval.rows, keep(detail("7", "ab", both)))[0]
    assert "score=pass@k:k=1&n=2" in take(lighteval.rows, keep(detail("7", "ab", both)), score="pass@k:k=1&n=2")[0]
    few = keep(detail("7", "a", {"maj@2": 1}), detail("8", "ab", {"maj@2": 1}))
    assert fail(lighteval.rows, few, NoOutcomes).startswith(
        "lighteval stores no outcome per sample in d.parquet: 2 texts a question and one 'maj@2' over them; pass ")
    rows = take(lighteval.rows, few, grade=grade)[1]
    assert [(row["question"], row["sample"], row["answer"]) for row in rows] == [("7", 0, "a"), ("8", 0, "a"),
        ("8", 1, "b")]


def test_lighteval_choices():
    texts = [" a", " b"]
    def read(place=3, **more): return lighteval.read_choices_of(place,
        detail(more.pop("id", "7"), choices=texts, **more))
    assert read(logprobs=[-1, -2], gold=[1]) == ("7", texts, [-1, -2], None, 1, None)
    assert read(id="", logprobs=[-1, -2, -3, -4], gold=0) == (3, texts, [-1, -2], [-3, -4], 0, None)
    assert read(logprobs=[-1, -2], gold=[0, 1], unconditioned_logprobs=[-5, -6]) == ("7", texts, [-1, -2], [-5, -6],
        [0, 1], None)
    with pytest.raises(ValueError,
        match="^lighteval stored texts here, and no log-probabilities of choices$"): read(logprobs=[-1])
