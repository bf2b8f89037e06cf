"SWE-bench: reports on runs and instances."
from pathlib import Path

import pytest

from sampling_eval.io.harness import swe_bench
from sampling_eval.io.harness.ask import Ask
from test_harness_reader import check_keys, hold, take


def test_swe_bench_reports():
    report = dict(submitted_ids=["a", "b", "c", "d", "e"], incomplete_ids=["f"], unresolved_ids=["b"],
        empty_patch_ids=["c", "d"],
                  resolved_ids=["a", "c"], error_ids=["e"], infra_failure_ids=["b"])
    took = "question=instance, sample=run, correct=resolved, model and run=file name"
    def rows(model, **outcomes): return [dict(question=q, sample=0, model=model, correct=o) for q,
        o in outcomes.items()]
    full = rows("my.model", a=True, b=False, c=True, d=False, e=None, f=None)
    ask = Ask()
    said, found = swe_bench.rows(hold(report, "/x/my.model.run1.json"), ask)
    assert (said, list(found)) == (took, full) and ask.notes == [
        "instances that were not submitted or ended in an error are missing", "empty patches are wrong",
        "likely infrastructure failures count as the harness counts them"]
    assert ask.seen == {(("my.model", "run1"), row["question"]): (row["correct"], Path("/x/my.model.run1.json"))
        for row in full}
    again = dict(submitted_ids=["a", "g"], resolved_ids=["a", "g"])
    assert list(swe_bench.rows(hold(again, "/y/my.model.run1.json"), ask)[1]) == rows("my.model", g=True)
    assert ask.notes[3:] == ["instances in several reports of one run count once"]
    assert list(swe_bench.rows(hold(again, "/y/my.model.run2.json"), ask)[1]) == rows("my.model", a=True, g=True)
    with pytest.raises(ValueError) as error:
        list(swe_bench.rows(hold(dict(submitted_ids=[], resolved_ids=[], unresolved_ids=["a"]),
            "/z/my.model.run1.json"), ask)[1])
    assert str(error.value) == ("an instance must have one outcome in a run, got True and False for 'a' in "
                                "my.model.run1.json and my.model.run1.json; leave the older one out")
    assert take(swe_bench.rows, hold(again, "/y/alone.json"))[1:] == (rows("alone", a=True, g=True), [])
    check_keys(swe_bench.recognise, report, "submitted_ids", "resolved_ids")


def test_swe_bench_instances():
    def report(resolved): return dict(patch_successfully_applied=True, resolved=resolved)
    head = {"x-1": report(True), "x-2": report(False)}
    for path, model, name in (("/a/run/model/x-1/report.json", "model", "run"),
        ("/a/model/logs/x-1/report.json", "model", ""),
                              ("/a/run/model/other/report.json", None, "/a/run/model/other/report.json"),
                              ("/x-1/report.json", None, "/x-1/report.json"), ("/m/x-1/r.json", "m", "")):
        ask = Ask()
        took, rows = swe_bench.instance_rows(hold(head, path), ask)
        assert took == "question=instance, sample=run, correct=resolved, model and run=folders"
        assert list(rows) == [dict(question="x-1", sample=0, model=model, correct=True),
                              dict(question="x-2", sample=0, model=model, correct=False)]
        assert ask.notes == ["instances without any report are not counted"] and {run for run,
            _ in ask.seen} == {(model, name)}
    check_keys(swe_bench.recognise_instance, head)
    check_keys(lambda one: swe_bench.recognise_instance(dict(x=one)), report(True), "patch_successfully_applied",
        "resolved")
    assert not swe_bench.recognise_instance(head | dict(y={}))
