"AISBench: details whose groups are put back, and predictions."
from harness_cases import put
from sampling_eval.io.harness import aisbench
from sampling_eval.io.harness.ask import NoOutcomes
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, fail, grade, hold, take


def judged(*groups):
    "Details of AISBench: references and verdicts of each entry."
    return hold(dict(details=[dict(correct=[*map(int, right)], gold=[*told], pred=[*told], example_abbr=f"q{i}")
                              for i, (told, right) in enumerate(groups)]))


def test_aisbench_details():
    def rows(*samples): return [dict(question=f"q{q}", sample=s, answer=a, score=float(c), task="x") for q, s, a,
        c in samples]
    assert take(aisbench.rows, judged(("aa", "10"), ("bb", "01")))[1:] == (
        rows((0, 0, "a", 1), (0, 1, "a", 0), (1, 0, "b", 0), (1, 1, "b", 1)), [])
    # Sample s of question q of 2 is entry 2 s + q.
    assert take(aisbench.rows, judged(("ab", "10"), ("ab", "11")))[1:] == (
        rows((0, 0, "a", 1), (0, 1, "a", 1), (1, 0, "b", 0), (1, 1, "b", 1)),
        ["AISBench had pooled samples of different questions; they were put back, so its own pass@k and cons@k differ"])
    assert take(aisbench.rows, judged(("ab", "10")))[1] == rows((0, 0, "a", 1), (0, 1, "b", 0))
    assert take(aisbench.rows, judged(("a", "1"), ("a", "0")))[1:] == (rows((0, 0, "a", 1), (1, 0, "a", 0)), [])
    for told, ways in ((("aa", "10"), ("aa", "01")), "both ways"), ((("ab", "10"), ("cd", "01")), "neither way"):
        assert fail(aisbench.rows, judged(*told)) == (
            "cannot tell which samples belong together, since the reference answers "
            f"fit {ways} of grouping; read the predictions with grade=")
    assert fail(aisbench.rows,
        judged(("aa", "10"), ("b", "1"))) == "every question needs 2 samples, got other numbers too"
    assert "read the predictions file" in fail(aisbench.rows, judged(("aa", "10")), grade=grade)
    same = [[dict(x=1, y=2), dict(y=2, x=1)], ["b", "b"]]
    log = hold(dict(details=[dict(correct=[1, 0], gold=gold) for gold in same]))
    assert [row["question"] for row in take(aisbench.rows, log)[1]] == [0, 0, 1, 1]


def test_aisbench_predictions(tmp_path):
    lines = [dict(data_abbr="d", id=1, prediction="a", gold="a"),
        dict(data_abbr="d", id=1, prediction="b", success=False),
             dict(data_abbr="d", id=2, prediction=None, success=True), dict(data_abbr="e", id=1, gold="c")]
    log = open_log(put(tmp_path / "d.jsonl", lines, True))
    assert take(aisbench.prediction_rows, log, grade=grade) == (
        "question=id, sample=order within id, correct=grade, answer=prediction; failed requests are missing", [
            dict(question=1, sample=0, task="d", answer="a", target="a", lost=False),
            dict(question=1, sample=1, task="d", answer="b", target=None, lost=True),
            dict(question=2, sample=0, task="d", answer=None, target=None, lost=False),
            dict(question=1, sample=0, task="e", answer=None, target="c", lost=True)], [])
    assert fail(aisbench.prediction_rows, log, NoOutcomes).startswith(
        "AISBench stores no outcome per sample in d.jsonl: predictions are not judged; the results file is, with "
        "--dump-eval-details; pass grade=")
    check_keys(aisbench.recognise_predictions, lines[0], "data_abbr", "id")
