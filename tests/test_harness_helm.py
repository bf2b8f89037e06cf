"HELM: statistics of instances, and the files beside them."
from harness_cases import put
from sampling_eval.io.harness import helm
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, fail, grade, take


def stats(split, **values): return [dict(name=dict(name=name, split=split), mean=mean) for name, mean in values.items()]


def test_helm(tmp_path):
    lower = dict(name="lower", robustness=True, fairness=False, computed_on="perturbed", p=.5)
    def entry(id, trial, stats, **more): return dict(instance_id=id, train_trial_index=trial, stats=stats) | more
    lines = [entry("i1", 0, stats("test", exact_match=1, num_tokens=9)), entry("i1", 1, stats("test", exact_match=0)),
             entry("i2", 0, stats("valid", exact_match=.5, f1_score=.25)), entry("i1", 0, stats(None, f1_score=.75)),
             entry("i1", 0, stats("test", exact_match=0), perturbation=lower),
             entry("i3", 0, stats("test", f1_score=None))]
    path = put(tmp_path / "per_instance_stats.json", lines)
    took = "question=instance_id, sample=train_trial_index, {}, answer=prediction"
    def row(question, sample, task, score, answer=None, target=None, model=None):
        return dict(question=question, sample=sample, answer=answer, target=target, task=task, score=score, model=model)
    bare = [row("i1", 0, "test", 1.), row("i1", 1, "test", 0.), row("i2", 0, "valid", .5),
            row("i1", 0, "test/lower p=0.5", 0.), row("i3", 0, "test", None)]
    remark = ["every split and perturbation is a task of its own"]
    assert take(helm.rows, open_log(path)) == (took.format("score=exact_match"), bare, remark)
    assert [row["score"] for row in take(helm.rows, open_log(path), score="num_tokens")[1]] == [9., None, None, None,
        None]
    spec = dict(name="mmlu:subject=x,model=m_1,model_deployment=d,method=y", adapter_spec=dict(model="m/1"),
        groups=["other", "quac"])
    put(tmp_path / "run_spec.json", spec)
    put(tmp_path / "display_predictions.json", [
        dict(instance_id="i1", train_trial_index=0, predicted_text="raw", mapped_output="B"),
        dict(instance_id="i1", train_trial_index=1, predicted_text="text"),
        dict(instance_id="i1", train_trial_index=0, predicted_text="low", perturbation=lower)])
    wrong, right = dict(output=dict(text="w"), tags=[]), dict(output=dict(text="r"), tags=["correct"])
    put(tmp_path / "instances.json", [dict(id="i1", references=[wrong, right, right]),
        dict(id="i2", references=[wrong]),
                                      dict(id="i1", references=[right, wrong], perturbation=lower)])
    full = [row("i1", 0, "test", .75, "B", "r"), row("i1", 1, "test", None, "text", "r"), row("i2", 0, "valid", .25),
            row("i1", 0, "test/lower p=0.5", None, "low", "r"), row("i3", 0, "test", None)]
    run = "mmlu:subject=x,method=y/"
    assert take(helm.rows, open_log(path)) == (took.format("score=f1_score"), [
        one | dict(task=run + one["task"], model="m/1") for one in full], remark)
    anew = take(helm.rows, open_log(path), grade=grade)
    assert anew[0] == took.format("correct=grade") and "score" not in anew[1][0]
    one = open_log(put(tmp_path / "one/per_instance_stats.json", lines[:2]))
    put(tmp_path / "one/run_spec.json", dict(name="x:model=m", adapter_spec=None))
    assert take(helm.rows, one)[1:] == ([bare[0] | dict(task="x/test"), bare[1] | dict(task="x/test")], [])
    twice = open_log(put(tmp_path / "two/s.json", [lines[0], entry("i1", 0, stats("test", exact_match=0))]))
    assert fail(helm.rows, twice) == "need one exact_match for each instance and trial, got two for 'i1' in s.json"
    check_keys(helm.recognise, lines[0], "instance_id", "train_trial_index", "stats")
    assert not helm.recognise(lines[0] | dict(stats={}))
