"Harbor: trials and jobs."
from sampling_eval.io.harness import harbor
from test_harness_reader import check_keys, fail, grade, hold, take


def trial(name, reward, **more):
    rewards = None if reward is None else dict(rewards=dict(reward=reward, style=.5))
    return dict(task_name=name, trial_name=f"{name}__x", agent_info=dict(name="agent"), verifier_result=rewards) | more


def test_harbor():
    model = dict(agent_info=dict(name="agent", model_info=dict(name="llm")))
    trials = [trial("a", 1, id="1", **model), trial("a", .5, id="2", source="set"),
        trial("a", 0, id="3", exception_info={"x": 1}),
              trial("a", None, id="4", **model), trial("a", 1, id="1"), trial("b", 1), trial("b", 1),
              trial("b", 0, trial_name="o")]
    log = hold(dict(trial_results=trials))
    took, rows, notes = take(harbor.job_rows, log)
    assert took == "question=task_name, sample=order of appearance, score=reward of the verifier"
    def row(question, model, score, sample, task="adhoc"):
        return dict(question=question, task=task, model=model, score=score, sample=sample)
    assert rows == [row("a", "agent llm", 1., 0), row("a", "agent", .5, 0, "set"), row("a", "agent", 0., 1),
                    row("a", "agent llm", None, 2), row("b", "agent", 1., 0), row("b", "agent", 0., 2)]
    assert notes == ["trials that ended in an exception and were verified keep their reward",
                     "trials without a reward are missing", *["trials in several files count once"] * 2]
    assert [row["score"] for row in take(harbor.job_rows, log, score="style")[1]] == [.5, .5, .5, None, .5, .5]
    assert "score" not in take(harbor.job_rows, log, grade=grade)[1][0]
    assert take(harbor.rows, hold(trials[0]))[1:] == ([row("a", "agent llm", 1., 0)], [])
    assert take(harbor.rows, hold(trial("a", None) | dict(verifier_result=dict(rewards={}))))[1][0]["score"] is None
    assert fail(harbor.job_rows, hold(dict(trial_results=[]))) == (
        "x.json holds sums over trials and not the trials; read the folder of the job, whose folders have a "
        "result.json "
        "each")
    check_keys(harbor.recognise, trials[0], "task_name", "trial_name", "agent_info", "verifier_result")
    check_keys(harbor.recognise_job, dict(n_total_trials=1, stats={}), "n_total_trials", "stats")
