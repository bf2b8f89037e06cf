"verifiers since 0.4: traces of agents."
from sampling_eval.io.harness import verifiers_traces
from test_harness_reader import check_keys, fail, grade, take, write


def trace(reward=1., agent="agent", idx=3, **more):
    rewards = {} if reward is None else dict(right=dict(score=reward, weight=.5), form=dict(score=1., weight=.25),
        later=None)
    return dict(task=dict(data=dict(idx=idx, answer="t")), agent=dict(name=agent, config=dict(model="m")), ok=True,
        rewards=rewards,
                nodes=[dict(message=dict(content="no")), dict(message=dict(content="said"), sampled=True),
                       dict(message=dict(content="tool"))], metrics=dict(turns=2)) | more


def episode(*traces, idx=3, **more):
    return dict(task=dict(data=dict(idx=idx), key="hash"), env=dict(id="e"), traces=list(traces), ok=True) | more


def test_verifiers_traces(tmp_path):
    quiet = dict(name="judge", trainable=False, config={})
    lines = [episode(trace(), trace(0, agent=quiet["name"]) | dict(agent=quiet)), episode(idx=3),
        episode(trace(0, ok=False, root_reply="root")),
             episode(trace(None, metrics=None, nodes=[]), idx=None, env=None),
             episode(trace(.5, nodes=[dict(message=dict(content=["part"]), sampled=True)]), idx=4)]
    log = write(tmp_path, "traces.jsonl", *lines)
    took, rows, notes = take(verifiers_traces.rows, log)
    assert took == "question=task idx, sample=order of appearance, score=reward, answer=last message of the agent"
    assert notes == ["rollouts that are not ok are missing"]
    kept = [{k: row.get(k) for k in ("question", "sample", "task", "model", "answer", "target", "lost", "score",
        "agent")} for row in rows]
    def row(question, sample, score, answer=None, lost=False, task="e", target="t", agent="agent"):
        return dict(question=question, sample=sample, task=task, model="m", answer=answer, target=target, lost=lost,
            score=score, agent=agent)
    assert kept == [row(3, 0, .75, "said"), row(3, 0, None, lost=True, target=None, agent=None),
        row(3, 1, None, "root", True),
                    row("hash", 0, None, None, True, None), row(4, 0, .5)]
    assert [row["score"] for row in take(verifiers_traces.rows, log, score="right")[1]] == [1., None, None, None, .5]
    assert [row["score"] for row in take(verifiers_traces.rows, log, score="turns")[1]] == [2., None, None, None, 2.]
    anew = take(verifiers_traces.rows, log, grade=grade)[1]
    assert [(row["lost"], "score" in row) for row in anew] == [(False, False), (True, True), (True, True),
        (False, False), (False, False)]
    whole = take(verifiers_traces.rows, write(tmp_path, "x.jsonl", episode(trace(1)), episode(trace(0) | dict(
        agent=dict(name="agent", config=dict(model="n"))))))
    assert whole[2] == [] and [(row["model"], row["sample"]) for row in whole[1]] == [("m", 0), ("n", 0)]
    check_keys(verifiers_traces.recognise, lines[0], "task", "traces", "ok")
    assert not verifiers_traces.recognise(lines[0] | dict(traces={}))


def test_verifiers_traces_of_several_agents(tmp_path):
    quiet = trace(0) | dict(agent=dict(name="judge", trainable=False, config=dict(model="j")))
    alone = take(verifiers_traces.rows, write(tmp_path, "x.jsonl", episode(quiet)))[1]
    assert [(row["agent"], row["score"]) for row in alone] == [("judge", .25)]
    log = write(tmp_path, "y.jsonl", episode(trace(1, "a"), trace(0, "b")), episode())
    assert fail(verifiers_traces.rows, log) == "y.jsonl holds several filters; pass filter= one of 'a', 'b'"
    rows = take(verifiers_traces.rows, log, filter="b")[1]
    assert [(row["agent"], row["score"], row["lost"]) for row in rows] == [("b", .25, False), (None, None, True)]
