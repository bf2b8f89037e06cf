"OpenAI evals: events of a run."
from sampling_eval.io.harness import openai_evals
from test_harness_reader import check_keys, fail, grade, take, write


SPEC = dict(spec=dict(completion_fns=["m", "n"], eval_name="e"))


def event(kind, id, **data): return dict(type=kind, sample_id=id, data=data)


def test_openai_evals(tmp_path):
    events = [event("match", "a", correct=True, expected="4", sampled="4", picked="x"), event("metrics", "a", f1=.5),
              event("sampling", "a", correct=False), event("match", "b", correct=False, picked="p"),
              event("metrics", "b", f1=0)]
    log = write(tmp_path, "x.jsonl", SPEC, *events, dict(final_report={}))
    took, run = "question=sample_id, one sample a run, {}, answer=sampled", dict(model="m,n", task="e")
    base = [dict(question="a", sample=0, target="4", answer="4") | run,
        dict(question="b", sample=0, target=None, answer="p") | run]
    assert take(openai_evals.rows, log) == (
        took.format("score=correct"), [base[0] | dict(score=1.), base[1] | dict(score=0.)], [])
    assert [row["score"] for row in take(openai_evals.rows, log, score="f1")[1]] == [.5, 0.]
    assert take(openai_evals.rows, log, grade=grade)[:2] == (took.format("correct=grade"), base)
    cut = write(tmp_path, "y.jsonl", SPEC, *events[1:2])
    assert take(openai_evals.rows, cut)[1:] == ([base[0] | dict(score=.5, target=None, answer=None)], [
        "the run has no final report: samples may be absent"])
    assert len(take(openai_evals.rows, cut, grade=grade)[1]) == 1
    twice = write(tmp_path, "z.jsonl", SPEC, *events[:1] * 3, *events[3:4] * 2)
    assert fail(openai_evals.rows, twice) == (
        "need one event per sample, got 3 of 'a' in z.jsonl (2 of 2 fail): they are parts of one sample; pass "
        "score= a "
        "name that stands once in each")
    none = write(tmp_path, "n.jsonl", SPEC, event("match", "a", correct="yes"), dict(final_report={}))
    assert fail(openai_evals.rows, none) == (
        "OpenAI evals stores an outcome in events of type match or metrics, got none with a number in n.jsonl: the "
        "final "
        "report alone holds no outcome per sample")
    assert take(openai_evals.rows, none, grade=grade)[2] == []
    check_keys(openai_evals.recognise, SPEC, "spec")
    check_keys(lambda spec: openai_evals.recognise(dict(spec=spec)), SPEC["spec"], "completion_fns", "eval_name")
