"Which tasks samples belong to: what is paired, added and told."
import pytest

from sampling_eval.io.sample_ids import (Task, refuse_other_tasks, refuse_same_runs, share_task, tell_place,
                                         tell_versions)

A, B = Task("a", "version 1"), Task("b")


@pytest.mark.parametrize("tasks, others, want", [
    ([A], [A], True), ([A], [B], False), ([A, B], [B], True), ([], [A], False), ([A], [], False),
    ([Task("x/a")], [Task("a|5")], True), ([A], [Task("c", "version 1")], False),
    ([Task("x", "questions 2, hash 01")], [Task("y", "questions 2, hash 01")], True),
    ([Task("x", "questions 2, hash 01")], [Task("y", "questions 2, hash 02")], False),
    ([Task("x")], [Task("y")], False)])
def test_tasks_that_two_sides_share(tasks, others, want): assert share_task(tasks, others) is want


def test_sides_without_a_task_in_common():
    for sides in dict(A=[A], B=[A, B], C=[A]), dict(A=[A], B=[]), dict(A=[], B=[A]), {}, dict(A=iter([A]), B=iter([A])):
        assert refuse_other_tasks(sides) is None
    with pytest.raises(ValueError) as error: refuse_other_tasks(dict(old=[], A=[A], B=[A], C=[B, B]))
    assert str(error.value) == (
        "only samples of the same task are paired, got 'a' in A and 'b' in C, whose questions differ even where their "
        "ids agree; if it is one task under two names, pass dataclasses.replace(read(...), tasks=())")


def test_parts_of_one_run():
    one, two = Task("a", "", "r1"), Task("b", "", "r2")
    for sides in dict(x=[one, one], y=[two]), dict(x=[A], y=[A]), dict(x=[one],
        y=[]): assert refuse_same_runs(sides) is None
    with pytest.raises(ValueError) as error: refuse_same_runs(dict(x=[A, one], y=[two], z=[two]))
    assert str(error.value) == ("y and z hold parts of one run of task 'b', and may share samples; count their files "
                                "together with sampling_eval.count")


def test_other_versions_of_a_task():
    new = Task("a", "version 2")
    assert tell_versions(dict(A=[A, B], B=[A, B])) == tell_versions(dict(A=[A],
        B=[Task("a")])) == tell_versions({}) == ""
    assert tell_versions(dict(A=[A], B=[new], C=[A])) == (
        "the questions of task 'a' (A: version 1 against B: version 2) may differ")
    assert tell_versions({"": [A, new, Task("c", "1"), Task("c", "2")]}) == (
        "the questions of task 'a' (version 1 against version 2) and of task 'c' (1 against 2) may differ")
    assert tell_place(("v", "")) == "v" and tell_place(("v", "A")) == "A: v"
