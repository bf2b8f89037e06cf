"tau2-bench: simulations, in one file or several."
from harness_cases import put
from sampling_eval.io.harness import tau2
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, fail, hold, take


def simulation(task, reward, **more):
    return dict(task_id=task, termination_reason="agent_stop", reward_info=None
        if reward is None else dict(reward=reward)) | more


def test_tau2(tmp_path):
    runs = [simulation("a", 1.), simulation("a", .5, trial=4), simulation("a", None),
            simulation("b", 1., termination_reason="infrastructure_error"),
            dict(task_id="b", termination_reason="x", reward=1., trial=0)]
    info = dict(agent_info=dict(llm="m", implementation="llm_agent"), environment_info=dict(domain_name="retail"))
    about = dict(model="m", task="retail")
    rows = [dict(question=q, sample=s, correct=c, score=r) for q, s, c, r in (
        ("a", 0, True, 1.), ("a", 4, False, .5), ("a", 2, None, None), ("b", 0, None, None), ("b", 0, True, 1.))]
    took, remark = "question=task_id, sample=trial, correct=reward within 1e-6 of 1, score=reward", [
        "simulations without a usable rollout are missing"] * 2
    want = took, [row | about for row in rows], remark
    assert take(tau2.rows, hold(dict(info=info, simulations=runs))) == want
    assert take(tau2.rows, hold(dict(info=info, simulation_index=runs))) == want
    def name(**agent): return take(tau2.rows, hold(dict(info=dict(agent_info=agent),
        simulations=runs[:1])))[1][0]["model"]
    assert (name(llm="m"), name(llm="m", implementation="solo"), name(implementation="solo"), name()) == ("m",
        "m (solo)", None, None)
    assert take(tau2.rows, hold(dict(simulations=runs[:1])))[1] == [rows[0] | dict(model=None, task=None)]
    for i, run in enumerate(runs): put(tmp_path / f"run/simulations/{i}.json", run)
    path = put(tmp_path / "run/results.json", dict(info=info, tasks=[]))
    assert take(tau2.rows, open_log(path)) == want
    part = open_log(tmp_path / "run/simulations/1.json")
    assert take(tau2.simulation_rows, part) == (took, [rows[1] | about], [])
    moved = open_log(put(tmp_path / "run/other/1.json", runs[0]))
    assert take(tau2.simulation_rows, moved)[1] == [rows[0] | dict(model=None, task=None)]
    alone = open_log(put(tmp_path / "alone/simulations/1.json", runs[0]))
    assert take(tau2.simulation_rows, alone)[1] == [rows[0] | dict(model=None, task=None)]
    assert fail(tau2.rows, hold(dict(info=info)), KeyError) == "'simulations'"
    check_keys(tau2.recognise, dict(simulations=[], info={}), "simulations", "info")
    check_keys(tau2.recognise, dict(info=dict(agent_info={}), tasks=[]), "info", "tasks")
    assert not tau2.recognise(dict(info={}, tasks=[]))
    check_keys(tau2.recognise_simulation, runs[0], "task_id", "termination_reason", "reward_info")
