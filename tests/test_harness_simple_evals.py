"simple-evals: scores on pages."
from sampling_eval.io.harness import simple_evals
from test_harness_reader import check_keys, fail, hold, take


def page(score, answer="None", target="None"):
    return f"<p>Score: 0</p><p>Correct Answer: {target}</p>\n<p>Extracted Answer: {answer}</p>\n<p>Score: {score}</p>"


def talk(asked, *replies):
    return [dict(role="user", content=asked), *(dict(role="assistant", content=reply) for reply in replies)]


def test_simple_evals():
    pages = [page(1.0, "A", "B"), page("False", "x &lt; y"), page("True", "C"), page("0.25")]
    convos = [talk("Q1\nA) one\nB) two\n"), talk("Q2"), talk("Q1\nB) one\nA) two"), talk("\n Q2 ", "r")]
    run = dict(score=.5625, metrics={}, htmls=pages, convos=convos)
    took, rows, notes = take(simple_evals.rows, hold(run, "/x/gpqa_my_model_20260102_030405_DEBUG_allresults.json"))
    assert took == ("question=position in the period of the prompts, sample=repeat, score=Score on the page, "
                    "answer=Extracted Answer")
    def row(question, sample, score, answer, target):
        return dict(score=score, answer=answer, target=target, task="gpqa", model="my_model", question=question,
            sample=sample)
    assert rows == [row(0, 0, 1., "one", "two"), row(1, 0, 0., "x < y", None), row(0, 1, 1., "C", None),
                    row(1, 1, .25, None, None)] and notes == []
    moved = take(simple_evals.rows, hold(run))[1]
    assert {(row["task"], row["model"]) for row in moved} == {("x", None)}
    check_keys(simple_evals.recognise, run, "score", "metrics", "htmls", "convos")


def test_simple_evals_of_programs():
    pages = [page(.5, "[0, 1]"), page(1, "[1, 1]"), page(.5, "[1, 0]"), page(1, "[1, 1]")]
    convos = [talk("p", "r1", "r2"), talk("q", "r1", "r2")] * 2
    def make(**change): return hold(dict(score=.75, metrics={}, htmls=pages, convos=convos) | change)
    rows = take(simple_evals.rows, make())[1]
    assert [(row["question"], row["sample"], row["score"]) for row in rows] == [
        (0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1), (0, 2, 1), (0, 3, 0), (1, 2, 1), (1, 3, 1)]
    single = take(simple_evals.rows, make(convos=[talk("p", "r"), talk("q", "r")] * 2))[1]
    assert [(row["score"], row["answer"]) for row in single] == [(.5, "[0, 1]"), (1., "[1, 1]"), (.5, "[1, 0]"),
        (1., "[1, 1]")]
    words = take(simple_evals.rows, make(htmls=[page(.75, "[2, 1]")] * 4))[1]
    assert [row["answer"] for row in words] == ["[2, 1]"] * 4


def test_simple_evals_that_are_refused():
    def make(score, *scores):
        return hold(dict(score=score, metrics={}, htmls=[page(s) for s in scores], convos=[talk("q")] * len(scores)))
    for stored, scores in (0, (-1, .5)), (-.25, (-1, .5)), (1, (2, 3)), (.5, (1, 0)), (.7, ()):
        assert len(take(simple_evals.rows, make(stored, *scores))[1]) == len(scores)
    assert fail(simple_evals.rows, make(.5, 1, 1, 0)) == (
        "the scores on the pages of x.json have the mean 0.666667, but the run stored 0.5: they are not its outcomes")
    assert "the run stored None: " in fail(simple_evals.rows, make(None, 0))
    for html in "", None, "<p>Score: None</p>":
        assert fail(simple_evals.rows, hold(dict(score=0, metrics={}, htmls=[html], convos=[talk("q")]))) == (
            "simple-evals stores a score on the page of each example, got None on one of x.json")
    assert fail(simple_evals.rows, hold(dict(score=0, metrics={}, htmls=[""], convos=[]))) == (
        "need a page and a conversation for each example, got 1 and 0 in x.json")
    assert fail(simple_evals.refuse_means, hold({})) == (
        "simple-evals stores only means in x.json; pass the file of the same run whose name ends in _allresults.json")
    for name in "score:std", "score:bootstrap_std": check_keys(simple_evals.recognise_means, {"score": 1, name: 2},
        "score", name)
