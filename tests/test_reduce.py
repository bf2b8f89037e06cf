"Rows that become counted rows: equal ones added, in the order of the data or of their names."

import numpy as np
import pytest

from sampling_eval.reading.columns import Batch, Keep
from sampling_eval.reading.reduce import code_answers, count_known, reduce_rows
from sampling_eval.reading.values import tidy

NAN = float("nan")


def reduce(keep=Keep(), times=None, in_order=True, added=None, chosen=None, **parts):
    parts = {name.replace("__", " "): tidy(values) for name, values in parts.items()}
    size = len(parts["question"])
    times = np.ones(size, int) if times is None else np.array(times)
    added = {name: np.array(values) for name, values in (added or {}).items()}

    def place(part, row):
        return f"at {row}"

    batch = Batch(parts, times, place, added, in_order=in_order)
    return reduce_rows(batch, keep, {part: part for part in parts} if chosen is None else chosen)


def rows_of(rows, *more):
    named = rows.questions[rows.question].tolist()
    held = [getattr(rows, name).tolist() for name in ("times", "correct", *more)]
    return list(zip(named, *held))


def test_equal_rows_are_added_in_the_order_of_the_data():
    rows, _ = reduce(
        question=["b", "a", "b", "b"], correct=[1, 0, 1, 0], answer=["x", "y", "x", None]
    )
    assert rows_of(rows, "answer") == [("b", 2, 1, "x"), ("a", 1, 0, "y"), ("b", 1, 0, None)]
    assert rows.questions.tolist() == ["b", "a"] and rows.total is None


def test_rows_of_an_engine_are_sorted():
    "By model, question, outcome with the right ones first and lost ones last, answer and score."
    rows, _ = reduce(
        question=["b", "a", "a", "a", "a", "a"],
        correct=[1, NAN, 0, 1, 1, 1],
        answer=["x", "x", "x", "y", "x", "x"],
        score=[1, 1, 1, 1, 1, 0.5],
        model=["m", "m", "m", "m", "m", "l"],
        in_order=False,
    )
    told = [(str(m), q, str(c), a) for (q, _, c, a), m in zip(rows_of(rows, "answer"), rows.model)]
    assert told == [
        ("l", "a", "1.0", "x"),
        ("m", "a", "1.0", "x"),
        ("m", "a", "1.0", "y"),
        ("m", "a", "0.0", "x"),
        ("m", "a", "nan", "x"),
        ("m", "b", "1.0", "x"),
    ]


@pytest.mark.parametrize("part", ["model", "group", "cluster"])
def test_rows_that_differ_stay_apart(part):
    names = dict(question=["a", "a"], correct=[1, 1])
    if part == "cluster":
        names["question"] = ["a", "b"]
    rows, _ = reduce(**names, **{part: ["x", "y"]})
    assert len(rows.times) == 2 and getattr(rows, part).tolist() == ["x", "y"]
    assert len(reduce(question=["a", "a"], correct=[1, 1], **{part: ["x", "x"]})[0].times) == 1


def test_a_lost_score_is_no_score_of_0():
    added = dict(total=[0.0, 0.0], scored=[1, 0])
    rows, _ = reduce(question=["a", "a"], added=added)
    assert rows.scored.tolist() == [1, 0]
    same, _ = reduce(question=["a", "a"], correct=[1, 1], added=added)
    assert same.scored.tolist() == [1] and same.scored.dtype == np.int64


@pytest.mark.parametrize(
    "keep, parts, correct, derived, note",
    [
        (Keep(), dict(score=[1, 0.0]), [1, 0], True, "score_as_outcome"),
        (Keep(), dict(score=[1, NAN]), [1, NAN], True, "score_as_outcome"),
        (Keep(), dict(score=[1, 0.5]), None, False, None),
        (Keep(), dict(score=[NAN, NAN]), None, False, None),
        (Keep(threshold=0.5), dict(score=[0.5, 0.6]), [0, 1], False, "threshold"),
        (Keep(threshold=0.5), dict(score=[NAN, 0.6]), [NAN, 1], False, "threshold"),
        (Keep(), dict(correct=["yes", "no"]), [1, 0], False, "words"),
        (Keep(), dict(score=["C", "I"]), [1, 0], False, "words"),
        (Keep(), dict(correct=[1, 0], score=[0.5, 1]), [1, 0], False, None),
    ],
    ids=str,
)
def test_outcomes_of_rows(keep, parts, correct, derived, note):
    rows, notes = reduce(keep, question=["a", "b"], **parts)
    assert (rows.correct is None) is (correct is None)
    assert correct is None or np.array_equal(rows.correct, correct, equal_nan=True)
    assert rows.derived is derived and [one.kind for one in notes] == [note] * bool(note)


def test_a_score_that_nobody_chose_is_no_outcome():
    assert reduce(question=["a"], score=[1.0], chosen={"question": "q"})[0].correct is None


def test_numbers_as_they_were_written():
    rows, notes = reduce(
        question=["a", "b"], score=["50 %", "20 %"], weight=["0,5", "1,25"], sum__x=["1,5", "2,5"]
    )
    assert rows.score.tolist() == [0.5, 0.2] and rows.weight.tolist() == [0.5, 1.25]
    assert rows.sums["x"].tolist() == [1.5, 2.5]
    told = [(one.kind, one.names) for one in notes]
    assert told == [
        ("percent", ("score",)),
        ("decimal_comma", ("weight",)),
        ("decimal_comma", ("sum x",)),
    ]


@pytest.mark.parametrize(
    "weight, said",
    [
        ([1, 0], r"positive and finite weight, got 0 at 1 \(1 of 2 fail\)"),
        ([-1, 1], "got -1 at 0"),
        ([1, None], "got None at 1"),
        ([2, 1], r"a question has one weight, got 1 and 2 at 'a' \(1 of 1 questions fail\)"),
    ],
    ids=str,
)
def test_weights_that_are_refused(weight, said):
    with pytest.raises(ValueError, match=said):
        reduce(question=["a", "a"], correct=[1, 1], weight=weight)


def test_costs_of_which_some_are_not_known():
    found = count_known("usd", np.array([1.5, NAN, -1, 0]))
    assert found["sum usd"].tolist() == [1.5, 0, -np.inf, 0]
    assert found["sum usd, known"].tolist() == [1, 0, 1, 1]


@pytest.mark.parametrize(
    "answers, code",
    [
        (["x", "y", "x", None], [0, 1, 0, 2]),
        ([1, 1.0, True, 1], [0, 1, 2, 0]),
        ([1, "1", None, 1], [0, 1, 2, 0]),
    ],
    ids=str,
)
def test_codes_of_answers(answers, code):
    assert code_answers(np.array(answers, object)).tolist() == code


def test_questions_of_one_name_in_two_groups():
    rows, notes = reduce(question=["a", "a", "b"], correct=[1, 0, 1], group=["g", "h", "g"])
    assert rows.questions.tolist() == ["g/a", "h/a", "g/b"]
    assert rows.item.tolist() == ["a", "a", "b"] and notes[0].kind == "named_by_group"
    rows, _ = reduce(question=["a", "b"], correct=[1, 0], group=["g", "h"])
    assert rows.questions.tolist() == ["a", "b"] and rows.item is None
    rows, _ = reduce(question=[1, 1], correct=[1, 0], task__d=["s", "t"], task__e=["u", "u"])
    assert rows.questions.tolist() == ["s/u/1", "t/u/1"]


def test_what_was_not_kept_is_noted():
    added = dict(total=[1.0], scored=[1])
    notes = reduce(question=["a"], correct=[1], added=added)[1]
    assert [(one.kind, one.count) for one in notes] == [("sums_only", 1000)]
    kept = reduce(Keep(scores=False), question=["a"], correct=[1], added=added)[1]
    assert kept == []
    both = reduce(question=["a"], correct=[1], score=[0.5], added=dict(total=[1.0], scored=[1]))
    assert both[1] == [] and both[0].total.tolist() == [1.5] and both[0].scored.tolist() == [2]


@pytest.mark.parametrize(
    "keep, parts, draws, held",
    [
        (Keep(draws=True), dict(sample=[0, 2]), [[5, 0, 0]], False),
        (Keep(draws=True), dict(sample=["x", "y"]), None, True),
        (Keep(), dict(sample=[0, 2]), None, False),
        (Keep(draws=True), dict(sample=[0, 2], file=["f", "g"]), None, False),
        (Keep(draws=True), {}, None, False),
    ],
    ids=str,
)
def test_what_tells_samples_apart(keep, parts, draws, held):
    rows, _ = reduce(keep, question=["a", "a"], correct=[1, 1], **parts)
    assert (None if rows.draws is None else rows.draws.tolist()) == draws
    assert (rows.fingerprint is not None) is held
    assert not held or len(rows.fingerprint.sample) == 2


def test_runs_of_samples():
    rows, _ = reduce(Keep(runs=True), question=["a", "a"], correct=[1, 1], sample=[7, 3])
    assert rows.runs.tolist() == [[3, 0, 0]] and rows.run_names == (3, 7)
    assert reduce(question=["a"], correct=[1], sample=[7])[0].runs is None


def test_answers_that_are_not_kept():
    rows, _ = reduce(Keep(answers=False), question=["a", "a"], correct=[1, 1], answer=["x", "y"])
    assert rows.answer is None and rows.times.tolist() == [2]


def test_files_without_names_of_samples_are_noted():
    rows, _ = reduce(question=["a", "a"], correct=[1, 0], file=["f", "g"])
    assert [one.kind for one in rows.summary.warnings] == ["no_sample_ids"]
    apart, _ = reduce(question=["a", "b"], correct=[1, 0], file=["f", "g"])
    assert apart.summary.warnings == ()
    named, _ = reduce(question=["a", "a"], correct=[1, 0], file=["f", "g"], sample=[1, 1])
    assert named.summary.warnings == ()


def test_an_engine_is_asked_about_pairs_of_file_model_and_question():
    "Rows of one question are one pair, unless a model or a file tells them apart."
    seen = []

    def look(**parts):
        parts = {part: tidy(list(values)) for part, values in parts.items()}
        held = Batch(parts, np.ones(4, int), lambda part, row: f"at {row}",
                     check_repeats=lambda pair, batch: seen.append(pair.tolist()))
        reduce_rows(held, Keep(), {})
        return [seen[-1].index(code) for code in seen[-1]]

    assert look(question="abab", correct=[1, 0, 1, 0]) == [0, 1, 0, 1]
    assert look(question="abab", model="xxyx", correct=[1, 0, 1, 0]) == [0, 1, 2, 1]
    assert look(question="abab", file="ffgf", correct=[1, 0, 1, 0]) == [0, 1, 2, 1]
    assert look(question="abbb", file="fffg", model="xxyx", correct=[1, 0, 1, 0]) == [0, 1, 2, 3]
    assert all(max(pair) == len(set(pair)) - 1 for pair in seen)
    # Numbers of samples are compared here.
    many = len(seen)
    with pytest.raises(ValueError, match="each sample must appear once"):
        look(question="aabb", sample=[1, 1, 2, 3], correct=[1, 0, 1, 0])
    assert len(seen) == many


def test_questions_of_an_engine_are_sorted_under_their_whole_names():
    parts = dict(question=["b", "a", "a"], group=["h", "h", "g"], correct=[1, 0, 1])
    rows, _ = reduce(**parts, in_order=False)
    assert rows.questions.tolist() == ["g/a", "h/a", "h/b"]
    assert rows_of(rows, "item") == [("g/a", 1, 1, "a"), ("h/a", 1, 0, "a"), ("h/b", 1, 1, "b")]
    apart, _ = reduce(question=["b", "a"], group=["h", "g"], correct=[1, 0], in_order=False)
    assert apart.questions.tolist() == ["a", "b"] and apart.item is None


def hold(keep, parts, times=None, **more):
    parts = {part: tidy(list(values)) for part, values in parts.items()}
    times = np.ones(len(parts["question"]), int) if times is None else np.array(times)
    batch = Batch(parts, times, lambda part, row: f"at {row}", **more)
    return reduce_rows(batch, keep, {})[0]


@pytest.mark.parametrize(
    "draws, times, kept",
    [
        ([[3, 0, 0], [1, 0, 0]], [2, 1], True),
        ([[3, 0, 0], [1, 0, 0]], [2, 2], False),
        ([[1, 0, 0], [1, 0, 0]], [2, 1], False),
        ([[0, 0, 0], [0, 0, 0]], [2, 1], False),
    ],
)
def test_numbers_that_an_engine_has_counted(draws, times, kept):
    "They are known where each sample has a bit."
    rows = hold(Keep(draws=True), dict(question="ab", correct=[1, 0]), times, draws=np.array(draws))
    assert (rows.draws.tolist() == draws) if kept else rows.draws is None


def same(one, other):
    return one.end == other.end and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("question", "sample")
    )


@pytest.mark.parametrize("models", [None, "xxyy"])
def test_ids_that_an_engine_lists_are_those_of_the_rows(models):
    named = {} if models is None else dict(model=models)
    plain = hold(Keep(draws=True), dict(question="aabb", sample=["s", "t", "s", "u"]) | named)
    asked = []

    def list_samples(batch, some):
        asked.append(some)
        return np.array([0, 0, 1, 1]), np.array(["s", "t", "s", "u"], object)

    named = {} if models is None else dict(model=models[::2])
    rows = hold(Keep(draws=True), dict(question="ab") | named, [2, 2], list_samples=list_samples)
    assert same(rows.fingerprint, plain.fingerprint) and asked == [None]
    assert len(plain.fingerprint.sample) == 4
    none = hold(Keep(draws=True), dict(question="ab"), list_samples=lambda batch, some: None)
    assert none.fingerprint is None
    assert hold(Keep(), dict(question="ab"), list_samples=list_samples).fingerprint is None
    assert hold(Keep(draws=True), dict(question="ab")).fingerprint is None
    files = dict(question="ab", file="fg")
    assert hold(Keep(draws=True), files, list_samples=list_samples).fingerprint is None


def test_ids_of_large_data_are_those_of_some_questions(monkeypatch):
    ids = [f"s{i}" for i in range(1100)]
    parts = dict(question=[i // 2 for i in range(1100)], sample=ids)
    some, whole = (hold(Keep(draws=True, whole=flag), parts).fingerprint for flag in (False, True))
    assert len(whole.sample) == 1100 and len(some.sample) == 1024
    assert same(some, whole.cut(some.end))
    monkeypatch.setattr("sampling_eval.reading.sample_ids.LARGE", 10)
    single = dict(question=[0] * 1100, sample=ids)
    assert hold(Keep(draws=True), single).fingerprint is None
    assert hold(Keep(draws=True), parts).fingerprint is not None


def test_scores_and_costs_are_those_of_all_samples_of_a_row():
    parts = {"question": "abc", "score": [0.5, NAN, 2], "sum usd": [1.5, None, -1]}
    rows = hold(Keep(costs=("usd",)), parts, [3, 2, 1])
    assert rows.total.tolist() == [1.5, 0, 2] and rows.scored.tolist() == [3, 0, 1]
    assert {name: values.tolist() for name, values in rows.sums.items()} == {
        "usd": [1.5, 0, -np.inf],
        "usd, known": [1, 0, 1],
    }
    plain = hold(Keep(), parts, [3, 2, 1])
    assert list(plain.sums) == ["usd"] and plain.sums["usd"].tolist()[::2] == [1.5, -1]


def test_notes_on_outcomes_say_what_they_are_made_of():
    (note,) = reduce(Keep(threshold=0.5), question=["a"], score=[1.0], chosen=dict(score="s"))[1]
    assert (note.names, note.value) == (("s",), 0.5)
    (note,) = reduce(question=["a", "b"], correct=["Yes", " no"])[1]
    assert note.words == {"Yes": True, " no": False}
    (note,) = reduce(question=["a"], score=[1.0], chosen=dict(score="s"))[1]
    assert (note.kind, note.names) == ("score_as_outcome", ("s",))


@pytest.mark.parametrize("size, copies", [(18, False), (19, True)])
def test_files_that_are_copies(size, copies):
    "Two right and two wrong samples of a question make equal halves in 4 of 6 ways."
    question = np.repeat(np.arange(size + 4), 4)
    file = np.tile(["d/f.csv", "e/f.csv"], 2 * (size + 4))
    correct = np.tile([1, 1, 0, 0], size + 4)
    chance = (4 / 6) ** (size + 4)
    assert (chance < 1e-4) is copies
    if not copies:
        assert reduce(question=question, file=file, correct=correct)[0].warnings
        return
    with pytest.raises(ValueError) as error:
        reduce(question=question, file=file, correct=correct)
    assert str(error.value) == (
        "each sample must appear once, got the same ones in 'f.csv' and 'f.csv': they agree in "
        f"every count of {size + 4} questions, which independent runs do with a chance of "
        f"{chance:.0e}; leave one out, or merge them if they are two runs (separate=True)"
    )
