"inspect_ai: archives and documents, samples, epochs, scorers and values."
import numpy as np
import pytest

from harness_cases import EVAL, HEADER, LOGS, MOCK, inspect_sample, put, read, refusal, same, zipped


def epoch(id, number, scores, **more):
    stored = {name: dict(value=value, answer=f"a{id}") for name, value in scores.items()}
    return dict(id=id, epoch=number, scores=stored) | more


@pytest.fixture
def write(tmp_path):
    "A function that writes a log with some samples."
    def write(*samples, **about):
        members = {f"samples/{i}.json": sample for i, sample in enumerate(samples)}
        return zipped(tmp_path / "a.eval", {"header.json": HEADER | about} | members)
    return write


def test_inspect_logs():
    samples = read(EVAL)
    assert samples.correct.mean() == .75 and sorted(samples.sample.tolist()) == [1, 1, 2, 2]
    assert samples.model.tolist() == ["azureai/Meta-Llama-3-1-405B-Instruct-jqf"] * 4
    assert "score= one of 'match', 'grade'" in refusal(MOCK)
    graded = read(MOCK, score="grade")
    assert graded.correct is None and same(graded.score, [1, .5, 0, 1, np.nan, 0, 0, 0])
    assert read(MOCK, score="match").counts()[1] == [1, 1]
    assert read(MOCK, grade=lambda a, t: a == t).counts()[1] == [1, 1]
    assert read(LOGS / "inspect/log_formats.json").correct.tolist() == [0]


def test_inspect_samples(tmp_path):
    parts = dict(content=[dict(text="a"), dict(type="image"), dict(text=None), dict(text="b")])
    samples = [epoch(1, 1, dict(s="C"), target="c", output=dict(completion="c"), uuid="u",
                     input="ask"),
               epoch(1, 2, dict(s=dict(x="P", y=None)),
                     output=dict(choices=[dict(message=dict(content="text"))])),
               epoch(2, 1, dict(s="0.25"), error="x",
                     output=dict(completion="", choices=[dict(message=parts)])),
               epoch(2, 2, dict(s=None), error="x",
                     input=[dict(role="user", content="ask", id="7"), dict(content=["b"])]),
               epoch(3, 1, dict(s="I"), invalidation="x"), epoch(3, 2, {}) | dict(scores=None)]
    about = dict(task="t", model="m", task_id="r", task_version=0, dataset=dict(name="d"))
    path = put(tmp_path / "x.json", dict(version=2, status="success", eval=about, samples=samples))
    found = read(path, score="s")
    assert found.took == dict(question="id", sample="epoch", score="s",
                              answer="answer of the scorer") and found.said == []
    assert found.rows("question sample score answer model task") == [
        (1, 1, 1., "a1", "m", "t"), (1, 2, None, None, "m", "t"), (2, 1, .25, "a2", "m", "t"),
        (2, 2, None, "a2", "m", "t"), (3, 1, None, None, "m", "t"), (3, 2, None, None, "m", "t")]
    # What was asked: 'ask', '["ask", ["b"]]'; nothing for the others.
    (name, version, run), = found.logs.tasks
    assert (name, run) == ("t", "r")
    assert version.startswith("version 0, dataset d, questions 2, hash ")
    assert same(read(path, score="s/x").score, [np.nan, .5] + 4 * [np.nan])
    graded = read(path, grade=lambda a, t: a == t)
    assert graded.took["answer"] == "output"
    assert graded.answer.tolist() == ["c", "text", "ab", None, None, None]
    assert same(graded.correct, [1, 0] + 4 * [np.nan])


@pytest.mark.parametrize("value, score", [
    ("C", 1), ("I", 0), ("P", .5), ("N", 0), (True, 1), (False, 0), ("yes", 1), ("No", 0),
    ("YES", 1), ("True", 1), ("false", 0), (2, 2), (.25, .25), ("0.25", .25), ("-1.5", -1.5),
    (None, np.nan), (float("nan"), np.nan)])
def test_inspect_values(write, value, score):
    path = write(inspect_sample("q", 1, value), inspect_sample("q", 2, "C"))
    assert same(read(path).score, [score, 1])


@pytest.mark.parametrize("value", ["B", "c", "p", "", "CP", [1]])
def test_inspect_other_values(write, value):
    known = "a number" if value == [1] else "C, P, I, N, yes, no, true, false or a number"
    said = refusal(write(inspect_sample("q", 1, value)))
    assert said.startswith(f"an inspect score must be {known}, got {value!r}")


def test_inspect_dict_of_values(write):
    path = write(inspect_sample("q", 1, dict(easy=1, hard=0)))
    assert "score= one of 's/easy', 's/hard'" in refusal(path)
    assert read(path, score="s/hard").correct.tolist() == [0]


def test_inspect_samples_that_broke_down(write):
    "An error after a scorer gave its value leaves the value standing."
    good = inspect_sample("q", 1, "C")
    broken = inspect_sample("q", 2, "C", scores={}, error=dict(message="x"))
    invalid = inspect_sample("q", 3, "C", invalidation=dict(reason="x"))
    judged = inspect_sample("q", 4, "I", error=dict(message="x"))
    path = write(good, broken, invalid, judged)
    assert same(read(path).correct, [1, np.nan, np.nan, 0])
    assert same(read(path, grade=lambda a, t: True).correct, [1, np.nan, np.nan, np.nan])
    assert refusal(write(broken)).startswith(
        "inspect stores no outcome per sample in a.eval: the samples were not scored (`inspect "
        "score` adds scores); pass grade=")
    assert same(read(write(broken), grade=lambda a, t: True).correct, [np.nan])
    assert refusal(write()) == "a.eval holds no samples; run inspect with --log-samples"


def test_inspect_runs_that_did_not_end_well(tmp_path, write):
    good = inspect_sample("q", 1, "C")
    for status in "cancelled", "error":
        assert read(write(good, status=status)).said == [
            f"the run ended with status {status!r}: samples may be absent"]
    members = {"_journal/start.json": dict(HEADER, status="started"), "samples/1.json": good}
    assert read(zipped(tmp_path / "b.eval", members)).notes == dict(unfinished=("started",))
    none = put(tmp_path / "y.json", HEADER | dict(samples=None))
    assert "holds no samples" in refusal(none)
