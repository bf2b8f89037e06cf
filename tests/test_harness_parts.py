"Single functions of the readers of logs at their boundaries."

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from harness_cases import HEADER, find_logs, inspect_sample, put, read, refusal, zipped
from sampling_eval.errors import OptionError
from sampling_eval.reading.logs import folder
from sampling_eval.reading.logs.agents import add_tokens, make_simulation_rows, name_prompts
from sampling_eval.reading.logs.ask import (
    Ask,
    Scored,
    Total,
    as_number,
    find_period,
    is_solved,
    list_numbers,
    number_samples,
)
from sampling_eval.reading.logs.exports import list_values, read_score, unwrap
from sampling_eval.reading.logs.folder import BUILT_IN, Found, Reader, check_files_hold
from sampling_eval.reading.logs.grading import (
    TextGrade,
    choose_column,
    find_answer,
    judge_cell,
    last_line,
    note_grading,
    plain_text,
    spell_number,
    split_lists,
)
from sampling_eval.reading.logs.inspect_ai import (
    expect_samples,
    read_costs,
    read_output,
    split_input,
    tell_end,
    tell_version,
)
from sampling_eval.reading.logs.limits import (
    Limits,
    limit_document,
    number_lines,
    parse_json,
    shorten,
)
from sampling_eval.reading.logs.lm_eval import tell_asked, tell_written
from sampling_eval.reading.logs.log import (
    KINDS,
    Log,
    count_sidecar,
    open_log,
    parse_first_row,
)
from sampling_eval.reading.logs.programs import holds_statuses, pass_all_2023
from sampling_eval.reading.logs.samples import (
    RULES,
    check_verdict,
    find_best,
    find_repeat,
    find_shortest,
    make_rows,
    read_choices_of,
    read_table,
)
from sampling_eval.reading.logs.suites import count_subset, find_writers
from sampling_eval.reading.logs.test_reports import find_prompts, is_unjudged, make_case_rows
from sampling_eval.results.reading import ReadNote


@pytest.mark.parametrize(
    "lines, size",
    [
        ("a", 1),
        ("aa", 1),
        ("ab", 2),
        ("abab", 2),
        ("ababa", 5),
        ("aabaab", 3),
        ("aabaaab", 7),
        ("abaabaaba", 3),
        ("abcabd", 6),
        ("aabaabaaab", 10),
    ],
)
def test_the_beginning_that_is_repeated(lines, size):
    assert find_shortest(lines) == size


@pytest.mark.parametrize(
    "lines, rows, want",
    [
        ("abab", 4, ("x.jsonl", 2, 2)),
        ("ababab", 6, ("x.jsonl", 2, 3)),
        ("abab", 5, ("x.jsonl", 2, 2)),
        ("abab", 3, None),
        ("aaaa", 4, None),
        ("abcd", 4, None),
        ("ababab", 5, None),
    ],
)
def test_files_that_were_appended_to_themselves(lines, rows, want, tmp_path):
    path = put(tmp_path / "x.jsonl", [dict(id=one) for one in lines], lines=True)
    found = find_repeat(open_log(path), rows)
    assert (found and tuple(vars(found).values())) == want
    assert find_repeat(open_log(put(tmp_path / "x.json", [1] * 4)), 4) is None


# Judging.


@pytest.mark.parametrize(
    "value, text",
    [
        ("x", "x"),
        (7, "7"),
        (Fraction(1, 2), "0.5"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(25, 2), "12.5"),
        (Fraction(1, 100), "0.01"),
        (Fraction(1, 3), "1/3"),
    ],
    ids=str,
)
def test_spellings_of_numbers(value, text):
    assert spell_number(value) == text


def test_last_lines_and_plain_texts():
    assert [last_line(text) for text in ("a\n b \n\n", "", " ", 3)] == [" b", "", "", "3"]
    assert [plain_text(v) for v in (4.0, 4.5, None, [1.0], 3)] == ["4", "4.5", None, [1.0], "3"]


@pytest.mark.parametrize(
    "columns, named, want",
    [
        (["a", "gold"], "a", "a"),
        (["a", "gold"], None, "gold"),
        (["a", "gold", "target"], None, "ambiguous: 'gold' or 'target' could be the right answer"),
        (["a"], None, "Which column holds the right answer? Got 'a'"),
        (["score", "model"], None, "Which column holds the right answer? Got 'score', 'model'"),
    ],
)
def test_the_column_of_right_answers(columns, named, want):
    try:
        found = choose_column("expected", "right answer", columns, named, ["gold", "target"])
    except OptionError as error:
        found = str(error)
    assert found.startswith(want)


def test_columns_that_may_be_the_answer_are_offered():
    def offered(*columns):
        with pytest.raises(OptionError) as error:
            find_answer(columns, None)
        return error.value.ways, str(error.value)

    assert offered("id", "model_output")[0][0] == dict(answer="model_output")
    ways, said = offered("x", "the_response", "raw_output")
    assert not ways and "pass answer='the_response' or 'raw_output'" in said
    assert "pass answer='x' or 'y'" in offered("x", "y")[1]
    assert "pass" not in offered("score", "model")[1]


@pytest.mark.parametrize(
    "answers, right, want",
    [
        (["[1, 2]", "[3]"], ["1", "3"], [[1, 2], [3]]),
        (["[1, 2]", "3"], ["1", "3"], ["[1, 2]", "3"]),
        (["[1, 2]", ""], ["1", "3"], ["[1, 2]", ""]),
        (["[1, 2]", "[3]"], ["[1, 2]", "3"], ["[1, 2]", "[3]"]),
        ([[1, 2], "[3]"], ["1", "3"], [[1, 2], "[3]"]),
    ],
    ids=str,
)
def test_lists_of_answers(answers, right, want):
    cells = np.fromiter(answers, object, len(answers)), np.array(right, object)
    assert split_lists(*cells) == want


@pytest.mark.parametrize(
    "verdict, want", [(None, None), (1, True), (0.0, False), (np.bool_(True), True)], ids=str
)
def test_verdicts(verdict, want):
    assert check_verdict(verdict, "x") is want
    for odd in 2, 0.5, "1":
        with pytest.raises(TypeError, match="must return True, False or None"):
            check_verdict(odd, "x")


# What readers ask of a record.


@pytest.mark.parametrize(
    "reward, solved",
    [
        (1, True),
        (1 - 0.9e-6, True),
        (1 + 0.9e-6, True),
        (1 - 1.1e-6, False),
        (2, False),
        (0, False),
        (None, None),
        (float("nan"), None),
    ],
)
def test_a_reward_of_one_is_solved(reward, solved):
    assert is_solved(reward) is solved


@pytest.mark.parametrize(
    "prompts, size",
    [("", 1), ("a", 1), ("aa", 1), ("abab", 2), ("aba", 3), ("abcabc", 3), ("abcabd", 6)],
)
def test_the_number_of_questions_of_repeats(prompts, size):
    assert find_period(prompts) == size


def test_records_are_numbered_within_their_question():
    assert [place for place, _ in number_samples("abaab", str)] == [0, 0, 1, 2, 1]


def test_what_is_expected_is_a_positive_number():
    ask = Ask()
    for odd in 0, -1, True, None, "3", 2.0:
        ask.expect(odd, "x")
    assert not ask.totals
    ask.expect(1, "x", each=2)
    assert (ask.totals[0].expected, ask.totals[0].where, ask.totals[0].each) == (1, "x", 2)


def test_notes_of_one_kind_are_added_up():
    ask = Ask()
    ask.note_missing("trial", "lost", 0)
    assert ask.notes == []
    for count in 1, 2:
        ask.note_missing("trial", "lost", count)
    ask.note_missing("trial", "gone")
    for _ in range(2):
        ask.add_note("same_results", "a")
    assert [(note.kind, note.names, note.count) for note in ask.notes] == [
        ("no_outcome", ("trial", "lost"), 3),
        ("no_outcome", ("trial", "gone"), 1),
        ("same_results", ("a",), None),
    ]
    assert [ask.take_once(key) for key in "aab"] == [True, False, True]
    assert [note.count for note in ask.notes if note.kind == "counted_once"] == [1]


def test_what_is_known_of_a_task():
    ask = Ask()
    ask.note_task("t", ["b", None, "a", "a"], "v1")
    ask.note_task("u", [], "v2")
    ask.note_task(None, ["a"])
    other = Ask()
    other.note_task("t", ["a", "b"], "v1")
    assert list(ask.versions) == ["t", "u"] and ask.versions["u"] == "v2"
    assert ask.versions["t"] == other.versions["t"]
    assert ask.versions["t"].startswith("v1, questions 2, hash ")
    assert len(ask.versions["t"].partition("hash ")[2]) == 8


# Harnesses, by the parts of their logs.


@pytest.mark.parametrize(
    "plus, need, place, want",
    [
        (["success"], 2, 0, True),
        (["timeout"], 2, 0, False),
        (["timeout"], 1, 0, True),
        ([], 2, 0, None),
        (["success", "success"], 2, 1, False),
        (["success", "success", "success"], 2, 2, None),
    ],
)
def test_statuses_of_evalplus_of_2023(plus, need, place, want):
    tries = dict(base=[["success"], ["failed"]], plus=[[status] for status in plus])
    assert pass_all_2023(tries, ["base", "plus"][:need], place) is want


@pytest.mark.parametrize(
    "tasks, holds",
    [
        ({"a": [dict(status=1)]}, True),
        ({"a": [dict(status=1)], "b": []}, True),
        ({"a": [dict(status=1), {}]}, False),
        ({"a": []}, False),
        ({"a": dict(status=1)}, False),
        ([dict(status=1)], False),
        ({}, False),
    ],
    ids=str,
)
def test_statuses_of_bigcodebench(tasks, holds):
    assert holds_statuses(dict(eval=tasks)) is holds


@pytest.mark.parametrize(
    "report, size",
    [
        (dict(dataset_name="d", execution_summary=dict(subsets=dict(s=dict(requested=9)))), 9),
        (dict(dataset_name="e"), 0),
        (dict(dataset_name=None), 0),
        (dict(dataset_name="d"), 0),
        (dict(dataset_name="d", metrics=[dict(categories=None), {}]), 0),
        (
            dict(
                dataset_name="d",
                metrics=[
                    dict(categories=[dict(subsets=[dict(name="s", num=4), dict(name="t", num=7)])]),
                    dict(categories=[dict(subsets=[dict(name="s", num=6), dict(name="s")])]),
                ],
            ),
            6,
        ),
        (dict(dataset_name="d", metrics=[dict(categories=[dict(subsets=[dict(name="s")])])]), 0),
        # Its file is called e_d_s.
        (dict(dataset_name="e", execution_summary=dict(subsets={"d_s": dict(requested=9)})), 0),
    ],
    ids="summary other none nothing hollow largest bare longer".split(),
)
def test_samples_that_a_report_of_evalscope_counts(report, size):
    assert count_subset(report, "d_s") == size


@pytest.mark.parametrize(
    "details, writers",
    [
        ({}, {"opencompass"}),
        ("x", set()),
        ([dict(correct=True)], {"opencompass"}),
        ([dict(correct=True), {}], set()),
        ([dict(correct=[True])], {"opencompass"}),
        ([dict(correct=[True, False])], {"opencompass", "aisbench"}),
        ([{"correct": True, "avg@4": 1}], {"aisbench"}),
        ([{"correct": True, "avg@4": 1, "G-Pass@4": 1}], {"opencompass"}),
    ],
    ids=str,
)
def test_who_wrote_details(details, writers):
    assert find_writers(details) == writers


@pytest.mark.parametrize(
    "columns, places",
    [
        (["v", "[m] p", "Status", "Score", "[n] q", "Status", "Score"], [1, 4]),
        (["[m] p", "[m] p", "[n] q", "Status"], []),
        (["m", "Status", "Score"], []),
    ],
)
def test_outputs_of_promptfoo(columns, places):
    assert find_prompts(columns) == places


@pytest.mark.parametrize(
    "metrics, unjudged",
    [
        ([], False),
        ([dict(success=True)], False),
        ([dict(error="x")], True),
        ([dict(error="x", flaky=True)], False),
        ([dict(error="x"), dict(success=False)], False),
        ([dict(error="x"), dict(success=True)], True),
    ],
    ids=str,
)
def test_test_cases_that_no_metric_judged(metrics, unjudged):
    assert is_unjudged(dict(metricsData=metrics)) is unjudged


def test_conversations_say_their_scenario():
    case = dict(scenario="s", actualOutput="a", success=True, metricsData=[])
    row = next(make_case_rows([case | dict(input="i")], "success"))
    assert row["said"] == ("i", "a") and row["sample"] == 0
    assert next(make_case_rows([case], "success"))["said"] == ("s", "a")


@pytest.mark.parametrize(
    "value, want",
    [("", None), (" ", None), ("0.5", 0.5), (1, 1), (True, 1), (None, None)],
    ids=repr,
)
def test_scores_of_exports(value, want):
    assert read_score(value, "s") == want
    with pytest.raises(ValueError, match="s must be a number, yes or no, got 'perhaps'"):
        read_score("perhaps", "s")


def test_values_of_objects():
    found = [unwrap(value) for value in ('{"a": 1}', {"a": 2}, {"a": 1, "b": 2}, {}, "x", 3)]
    assert found == [1, 2, None, None, "x", 3]


def test_assessments_of_a_trace(tmp_path):
    log = open_log(put(tmp_path / "x.json", {}))

    def one(value, **more):
        return dict(assessment_name="n", feedback=dict(value=value)) | more

    trace = dict(trace_id="t", assessments=[one(1), one(2, valid=False), one(1)])
    assert list_values(trace, "feedback", log) == dict(n=1)
    assert list_values(trace, "expectation", log) == {} == list_values({}, "feedback", log)
    trace["assessments"].append(one(2))
    with pytest.raises(ValueError, match="a trace must have one n, got 1 and 2 for t in x.json"):
        list_values(trace, "feedback", log)


def test_tokens_are_added_where_both_are_known():
    assert add_tokens(1, 2) == dict(tokens=3, input_tokens=1, output_tokens=2)
    assert add_tokens(1, None) == dict(tokens=None, input_tokens=1, output_tokens=None)
    assert add_tokens(None, 2)["tokens"] is None


def test_simulations_without_a_trial_are_numbered_here():
    told = dict(task_id=1, reward_info=dict(reward=1.0), termination_reason="user_stop")
    runs = [told | dict(trial=trial) for trial in (5, None)]
    ask = Ask()
    rows = list(make_simulation_rows(runs[:1], ask))
    assert rows[0]["sample"] == 5 and not ask.unordered
    assert [row["sample"] for row in make_simulation_rows(runs, ask)] == [5, 1] and ask.unordered


@pytest.mark.parametrize(
    "records, names",
    [
        ([dict(input="a"), dict(input="a")], ["a", "a"]),
        ([dict(input="a", uid=1), dict(input="a", uid=2)], ["a", "a"]),
        ([dict(input="a", uid=i) for i in (1, 2, 1)], ["a #1", "a #2", "a #1"]),
        ([dict(input="a", gts=i) for i in (1, 2)], ["a (1)", "a (2)"]),
    ],
    ids="bare unique repeated targets".split(),
)
def test_wordings_of_verl(records, names):
    assert list(name_prompts(records)) == names


def test_texts_of_inspect():
    assert [split_input(text) for text in ("x", '["a"]', "[a]")] == ["x", ["a"], "[a]"]

    def output(content):
        return dict(choices=[dict(message=dict(content=content))])

    parts = [dict(text="a"), dict(type="image"), dict(text="b")]
    found = [read_output(one) for one in (output("x"), output(parts), dict(completion="y"), {})]
    assert found == ["x", "ab", "y", None]
    assert read_output(output("x") | dict(completion="y")) == "y"


def test_texts_of_lm_eval():
    record = dict(resps=[["raw", 1]], doc="d")
    found = [tell_written(record, place, "text") for place in (0, 1, 2)]
    assert found == ["raw", "text", "text"]
    assert tell_written(dict(resps=["raw"]), 0, "text") == "text"
    assert tell_asked(record) == "d"
    assert tell_asked(dict(arguments=[["q", 1]], doc="d")) == "q"


def test_nothing_of_one_log_is_known_of_the_next():
    ask = Ask(unordered=True, owner="me", score="acc")
    ask.note_task("t", ["a"])
    ask.used.add("score")
    after = ask.start_log()
    assert (after.notes, after.versions, after.totals) == ([], {}, [])
    assert (after.unordered, after.owner) == (False, "")
    assert after.score == "acc" and after.used is ask.used


def test_notes_of_one_kind_add_their_samples():
    ask = Ask()
    ask.add_note("no_outcome", "trial")
    ask.add_note("no_outcome", "trial", count=2)
    ask.add_note("no_outcome", "trial", count=3)
    ask.add_note("no_outcome", "trial")
    ask.add_note("no_outcome", "other", count=1)
    assert [(note.names, note.count) for note in ask.notes] == [(("trial",), 5), (("other",), 1)]


# inspect_ai.


PLANNED = dict(dataset=dict(sample_ids=["a", "b"]), config=dict(epochs=3))


@pytest.mark.parametrize(
    "about, results, total",
    [
        (PLANNED, None, dict(expected=6, questions=dict(a=3, b=3), each=3)),
        (PLANNED, dict(total_samples=6), dict(expected=6, questions=dict(a=3, b=3), each=3)),
        (PLANNED, dict(total_samples=5), dict(expected=5, questions=None, each=3)),
        (PLANNED, dict(total_samples=None), dict(expected=6, questions=dict(a=3, b=3), each=3)),
        (PLANNED, dict(total_samples=0), None),
        (PLANNED | dict(config=None), None, dict(expected=2, questions=dict(a=1, b=1), each=1)),
        (PLANNED | dict(dataset=None), None, None),
        (PLANNED | dict(dataset=dict(sample_ids=[])), {}, None),
        (dict(config=dict(epochs=2)), dict(total_samples=8),
         dict(expected=8, questions=None, each=2)),
        ({}, None, None),
    ],
    ids="plan both fewer unknown none once unnamed empty counted bare".split(),
)
def test_samples_that_a_header_of_inspect_counts(about, results, total, tmp_path):
    head = dict(version=2, status="cancelled", eval=about, results=results)
    expect_samples(open_log(put(tmp_path / "x.json", head)), ask := Ask())
    counted = isinstance(results, dict) and results.get("total_samples") is not None
    where = "total_samples" if counted else "sample_ids and epochs"
    why = "the run ended with status 'cancelled'"
    told = [] if total is None else [Total(where=f"{where} in its header", why=why, **total)]
    assert ask.totals == told


@pytest.mark.parametrize(
    "about, version",
    [
        ({}, ""),
        (dict(task_version=0), "version 0"),
        (dict(dataset=dict(name="d")), "dataset d"),
        (dict(task_version="1-A", dataset=dict(name="d")), "version 1-A, dataset d"),
        (dict(task_version=None, dataset=None), ""),
    ],
    ids=str,
)
def test_versions_of_a_task_of_inspect(about, version):
    assert tell_version(about) == version


@pytest.mark.parametrize(
    "usage, costs",
    [
        (None, (None, None, None, None)),
        ({}, (None, None, None, None)),
        (
            dict(m=dict(total_tokens=9, input_tokens=4, output_tokens=5, total_cost=0.5)),
            (9, 4, 5, 0.5),
        ),
        (
            dict(m=dict(total_tokens=9, input_tokens=4, output_tokens=5),
                 judge=dict(total_tokens=3, input_tokens=1, output_tokens=2, total_cost=0.5)),
            (12, 5, 7, None),
        ),
        (dict(m=dict(total_tokens=0)), (0, None, None, None)),
    ],
    ids="none empty one judge free".split(),
)
def test_what_a_sample_of_inspect_cost(usage, costs):
    names = "tokens", "input_tokens", "output_tokens", "cost_usd"
    told = dict(zip(names, costs))
    assert read_costs(dict(model_usage=usage, total_time=1.5)) == told | dict(seconds=1.5)
    assert read_costs(dict(model_usage=usage)) == told | dict(seconds=None)


@pytest.mark.parametrize(
    "head, end",
    [
        (dict(status="success", error=dict(message="x")), ""),
        (dict(status="error"), "the run ended with status 'error'"),
        (dict(status="error", error=dict(message="x")), "the run ended with status 'error' ('x')"),
        (dict(status="error", error=dict(message="")), "the run ended with status 'error'"),
        (dict(status="error", error="x"), "the run ended with status 'error'"),
        ({}, "the run ended with status 'started'"),
    ],
    ids=str,
)
def test_how_a_run_of_inspect_ended(head, end):
    assert tell_end(head) == end


def test_logs_of_invalid_samples_beside_others(tmp_path):
    "Their outcomes may stand in another log; alone, or where nothing is invalid, there are none."
    def log(name, *samples):
        return put(tmp_path / name, HEADER | dict(samples=list(samples)))

    good = log("a.json", inspect_sample(1, 1, "C"))
    bare = inspect_sample(2, 1, "C", scores={})
    bad = inspect_sample(3, 1, "C", invalidation=dict(reason="x"))
    mixed, unscored = log("b.json", bare, bad), log("c.json", bare)
    samples = read([good, mixed])
    assert samples.counts() == ([1, 0, 0], [1, 0, 0])
    taken = [one.columns["score"] for one in samples.read.inputs]
    assert taken == ["s", "none, as samples are invalid"]
    assert "the samples were not scored" in refusal(mixed)
    (note,) = read([good, unscored]).read.notes
    assert note.kind == "skipped_logs" and "c.json: the samples were not scored" in note.text


def test_members_of_an_archive_that_are_no_samples(tmp_path):
    members = {"samples/1.json": inspect_sample(1, 1, "C"), "header.json": HEADER}
    others = {"samples/1.txt": b"x", "summaries.json": [1], "reductions.json": [1]}
    assert read(zipped(tmp_path / "a.eval", members | others)).questions == [1]


# Files, and what lies beside them.


@pytest.mark.parametrize(
    "name, text, counts",
    [
        ("x.jsonl", '{"id": "a"}\n{"id": "b"}\n{"id": "a"}', dict(a=2, b=1)),
        ("x.jsonl", '{"id": "a"}', dict(a=1)),
        ("x.json", '{"id": "a"}', dict(a=1)),
        ("x.jsonl", '{"id": "a"}\n{"name": "b"}', {"a": 1, None: 1}),
        ("x.json", "[1, 2]", {}),
        ("x.json", '[{"id": "a"}]', {}),
        ("x.txt", "text", {}),
        ("x.jsonl", "", {}),
    ],
)
def test_values_of_a_key_in_lines_beside_a_log(name, text, counts, tmp_path):
    assert count_sidecar(tmp_path / name, "id", Limits()) == {}
    (tmp_path / name).write_text(text)
    assert count_sidecar(tmp_path / name, "id", Limits()) == counts


@pytest.mark.parametrize(
    "size, shown",
    [(58, repr("x" * 58)), (59, "'" + "x" * 56 + "..."), (80, "'" + "x" * 56 + "...")],
)
def test_long_values_are_cut(size, shown):
    assert shorten("x" * size) == shown and len(shown) == 60


def test_values_are_cut_to_a_width():
    found = [shorten("x" * size, width=10) for size in (8, 9)]
    assert found == ["'" + "x" * 8 + "'", "'" + "x" * 6 + "..."]


def test_a_document_that_is_packed_has_a_limit_by_its_size(tmp_path):
    plain, packed = tmp_path / "x.json", tmp_path / "x.json.gz"
    for path in plain, packed:
        path.write_bytes(bytes(10))
    for given, limit in (
        (dict(document=100, ratio=5, free=20), (50, "ratio")),
        (dict(document=40, ratio=5, free=20), (40, "document")),
        (dict(document=100, ratio=1, free=20), (20, "ratio")),
    ):
        assert limit_document(packed, Limits(**given)) == limit
        assert limit_document(plain, Limits(**given)) == (given["document"], "document")


def test_a_place_is_named_where_it_is_known():
    for place, ending in ("x.json", " in x.json"), ("", "offset 1"):
        with pytest.raises(ValueError) as error:
            parse_json(b'"\xff"', place)
        assert str(error.value).endswith(ending)


# Numbers and scores of a record.


def test_numbers_of_a_record():
    record = dict(a=1, b=0.5, c=True, d="1", e=None, f=[1], g=False)
    assert list_numbers(record) == ["a", "b", "c", "g"]
    assert [as_number(value, "x") for value in (1, True, 0.5, None)] == [1.0, 1.0, 0.5, None]
    assert isinstance(as_number(True, "x"), float)
    for odd in "1", [1], {}:
        with pytest.raises(ValueError, match="^x must be a number, got "):
            as_number(odd, "x")


def test_scores_are_chosen_by_name_by_preference_or_as_the_only_one(tmp_path):
    log = open_log(put(tmp_path / "x.json", {}))

    def choose(offered, prefer=(), **given):
        return Ask(**given).choose(log, "score", offered, prefer)

    assert choose("ab", "cba") == "b" and choose("aa") == "a" == choose("ab", score="a")
    assert choose("a", score="z", several=True) == "a"
    for offered, given in (("a", dict(score="z")), ("ab", dict(score="z", several=True))):
        with pytest.raises(OptionError, match="score must be one of .* got 'z' for x.json"):
            choose(offered, **given)
    with pytest.raises(OptionError, match="^x.json holds several scores; pass score= one of 'a'"):
        choose("ab", "c")
    with pytest.raises(OptionError, match="^x.json holds no score$"):
        choose("")
    graded = Ask(grade=max)
    assert graded.choose_score(log, "ab") is None and graded.used == set()


def test_remarks_of_readers_of_other_packages():
    ask = Ask()
    ask.note("half of it is a guess")
    assert [(note.kind, str(note)) for note in ask.notes] == [("log", "half of it is a guess")]


# One log, row by row.


def read_rows(tmp_path, rows, totals=(), took=None, **asked):
    "The table of a log whose reader gives these rows."
    def give(log, ask):
        ask.totals.extend(totals)
        return took or dict(question="q"), iter(rows)

    log = open_log(put(tmp_path / "x.json", {}))
    return read_table(log, Reader("mine", ("document",), bool, give), Ask(**asked))


def test_samples_of_the_task_that_is_asked_for(tmp_path):
    "Totals of other tasks, or of all, are held where no sample is left out."
    rows = [dict(question=q, sample=0, task=task, correct=True)
            for q, task in (("a", "t"), ("b", None), ("c", "u"))]
    totals = [Total(3, "all"), Total(1, "t", task="t"), Total(1, "u", task="u")]
    whole = read_rows(tmp_path, rows, totals)
    assert whole.columns["question"] == ["a", "b", "c"] and whole.said.totals == totals
    part = read_rows(tmp_path, rows, totals, task="t")
    assert part.columns["question"] == ["a", "b"] and part.said.totals == totals[1:2]
    only = read_rows(tmp_path, rows[:2], totals, task="t")
    assert only.columns["question"] == ["a", "b"] and only.said.totals == totals


@pytest.mark.parametrize(
    "row, correct, answer",
    [
        (dict(answer="x", target="x"), True, "x"),
        (dict(answer="x", target="y"), False, "x"),
        (dict(answer=" x ", target="x"), True, "x"),
        (dict(answer=None, target="x"), None, None),
        (dict(target="x"), None, None),
        # A text that is no answer can be judged, and has no vote.
        (dict(answer=None, graded="x", target="x"), True, None),
        (dict(answer="a", graded="x", target="x"), True, "x"),
        (dict(answer="x", target="x", missing=True), None, "x"),
        (dict(answer="x", target="y", judged=True, score=1.0), True, "x"),
        (dict(answer="x", target="x", judged=True, score=0.0), False, "x"),
        (dict(answer="x", target="x", judged=True, score=None), None, "x"),
    ],
    ids=str,
)
def test_a_sample_that_is_judged_anew(row, correct, answer, tmp_path):
    made = read_rows(tmp_path, [dict(question="q", sample=0) | row], grade=TextGrade("exact"))
    columns = made.columns
    assert columns["correct"] == [correct] and columns["score"] == [None] and made.outcomes
    assert columns["answer"] == [answer]


@pytest.mark.parametrize(
    "row, correct, score",
    [
        (dict(correct=True), True, None),
        (dict(score=0.5), None, 0.5),
        (dict(correct=True, score=1.0, missing=True), None, None),
        (dict(score=1.0, missing=True), None, None),
        (dict(correct=True, missing=False), True, None),
        (dict(missing=True), None, None),
    ],
    ids=str,
)
def test_a_sample_that_broke_down_has_no_outcome(row, correct, score, tmp_path):
    made = read_rows(tmp_path, [dict(question="q", sample=0) | row])
    assert (made.columns["correct"], made.columns["score"]) == ([correct], [score])
    assert made.outcomes is ("correct" in row)
    assert made.has_outcome() is (correct is not None or score is not None)


@pytest.mark.parametrize(
    "versions, tasks, want",
    [
        ({}, ["t", "t", "u"], [("t", "", "r"), ("u", "", "r")]),
        ({}, ["x", None], []),
        (dict(x="v1"), ["x", "t"], [("x", "v1", "r"), ("t", "", "r")]),
        (dict(t="v1"), [], []),
    ],
)
def test_tasks_that_a_log_names(versions, tasks, want, tmp_path):
    "What is only the name of its file may be a model."
    rows = [dict(question="q", sample=i, task=task, run="r") for i, task in enumerate(tasks)]
    made = read_rows(tmp_path, rows)
    made.said.versions.update(versions)
    assert made.list_tasks() == want
    made.columns["run"][:] = [None] * len(tasks)
    assert made.list_tasks() == [(name, version, "") for name, version, _ in want]


def test_samples_at_some_places_are_kept(tmp_path):
    made = read_rows(tmp_path, [dict(question=q, sample=i) for i, q in enumerate("abc")])
    made.keep(place for place in (2, 0))
    assert made.columns["question"] == ["c", "a"] and made.columns["sample"] == [2, 0]


# Choices.


@pytest.mark.parametrize(
    "texts, logprobs, rule, best",
    [
        (["a", "bb"], [-1.0, -1.5], "acc", [0]),
        (["a", "bb"], [-1.0, -1.5], "acc_norm", [1]),
        (["a", "bb"], [-1.0, -2.0], "acc_norm", [0, 1]),
        (["a", "b", "c"], [-1.0, -2.0, -1.0], "acc", [0, 2]),
        (["ä", "b"], [-1.5, -1.0], "acc_norm", [1]),
        (["ä", "b"], [-1.5, -1.0], "acc_bytes", [0]),
    ],
)
def test_the_likeliest_choices(texts, logprobs, rule, best):
    question = Scored("q", texts, logprobs, None, 0, None)
    assert find_best(question, RULES[rule]) == best


def test_credit_of_a_tie_is_the_chance_of_the_right_choice():
    def credit(gold, logprobs, name="acc"):
        question = Scored("q", ["a", "b", "c"], logprobs, None, gold, None)
        (row,) = make_rows([question], name)
        return row

    assert [credit(gold, [-1, -1, -2])["score"] for gold in range(3)] == [0.5, 0.5, 0]
    assert [credit(gold, [-1, -1, -1])["score"] for gold in range(3)] == [1 / 3] * 3
    one = credit(1, [-2, -1, -3])
    assert one == dict(question="q", sample=0, answer="b", target="b", score=1)
    assert "score" not in credit(0, [-1, -2, -3], None)


@pytest.mark.parametrize(
    "record, name, bare",
    [
        (dict(question="a", id="b"), "a", None),
        (dict(id="b"), "b", None),
        (dict(question=None, id=0), 0, None),
        (dict(unconditional=[-3]), 7, [-3]),
    ],
    ids=str,
)
def test_names_of_questions_with_choices(record, name, bare):
    found = read_choices_of(7, dict(choices=["x"], logprobs=[-1], gold=0) | record)
    assert found == Scored(name, ["x"], [-1], bare, 0, None)


def test_a_question_that_stands_twice_has_two_samples(tmp_path):
    row = dict(id="a", choices=["x", "y"], logprobs=[-1, -2], gold=0)
    samples = read(put(tmp_path / "x.jsonl", [row, row | dict(gold=1), row | dict(id="b")], True))
    assert samples.rows("question sample answer score") == [
        ("a", 0, "x", 1.0),
        ("a", 1, "x", 0.0),
        ("b", 0, "x", 1.0),
    ]
    assert samples.took == dict(
        question="question", sample="line", answer="best of choices", score="acc"
    )


# Texts that are judged, and how they are spelled.


@pytest.mark.parametrize(
    "rule, answer, spelled",
    [
        ("exact", " a ", "a"),
        ("exact", "4.0", "4.0"),
        ("exact", 4, "4"),
        ("exact", "", None),
        ("exact", None, None),
        ("number", "4.0", "4"),
        ("number", "1,000", "1000"),
        ("number", "1/8", "0.125"),
        ("number", "about 4", "about 4"),
        ("last_line", "so\n\n 4 \n", "4"),
        ("last_line", "4", "4"),
    ],
)
def test_the_spelling_under_which_an_answer_votes(rule, answer, spelled):
    assert TextGrade(rule).spell(answer) == spelled


@pytest.mark.parametrize(
    "rule, answer, target, right, odd",
    [
        ("exact", "a", ["b", "a"], True, 0),
        ("exact", "a", ["b", "c"], False, 0),
        ("exact", "[]", [], True, 0),
        ("number", "2", ["1", "2.0"], True, 0),
        ("number", "two", "2", False, 1),
        ("last_line", "b\na", "a", True, 0),
        ("last_line", "a\nb", "a", False, 0),
        ("last_line", "b\na", "b\na", False, 0),
    ],
)
def test_answers_that_equal_one_of_several(rule, answer, target, right, odd):
    grade = TextGrade(rule)
    assert grade(answer, target) is right and (grade.judged, grade.odd) == (1, odd)
    assert grade.refuse_none_judged() is None
    with pytest.raises(OptionError, match="these logs hold no such text"):
        TextGrade(rule).refuse_none_judged()


@pytest.mark.parametrize(
    "rule, target, said",
    [
        ("exact", "", "the right answer beside each text, got an empty target"),
        ("exact", ["a", ""], "the right answer beside each text, got an empty target"),
        ("number", "one", "a number as the right answer beside each text, got 'one'"),
        ("number", "", "a number as the right answer beside each text, got an empty target"),
        ("last_line", None, "the right answer beside each text, got None"),
    ],
)
def test_targets_that_no_answer_can_equal(rule, target, said):
    with pytest.raises(OptionError) as error:
        TextGrade(rule)("a", target)
    assert str(error.value) == f"grade={rule!r} needs {said}"


@pytest.mark.parametrize("places", [1, 2, 10, 29])
def test_long_decimals_are_spelled_in_full(places):
    for sign in 1, -1:
        value = Fraction(sign, 2**places)
        assert Fraction(spell_number(value)) == value and "/" not in spell_number(value)
    assert spell_number(Fraction(1, 2**40)) == f"1/{2**40}"


def test_numbers_and_flags_as_they_would_be_written():
    values = [True, float("inf"), -3.0, 0.0, 10**20, "4.0"]
    assert [plain_text(value) for value in values] == [
        "True", "inf", "-3", "0", "100000000000000000000", "4.0",
    ]


def test_each_answer_of_a_list_is_judged():
    def equal(answer, target):
        return answer == target

    assert judge_cell(["a", "b"], "a", equal) == [True, False] and judge_cell([], "a", equal) == []
    assert judge_cell("a", "a", equal) is True and judge_cell(4.0, 4, equal) is True
    assert judge_cell(None, "a", equal) is False
    with pytest.raises(OptionError, match="grade='exact' needs the right answer"):
        judge_cell("a", None, TextGrade("exact"))


# What a file is.


@pytest.mark.parametrize(
    "name, name_unpacked, stem",
    [
        ("t.json", "t.json", "t"),
        ("t.json.gz", "t.json", "t"),
        ("t.x.jsonl", "t.x.jsonl", "t.x"),
        ("t", "t", "t"),
    ],
)
def test_the_name_of_a_file_as_it_would_be_unpacked(name, name_unpacked, stem):
    log = Log(Path("folder", name), "lines", None)
    assert (log.name, log.stem) == (name_unpacked, stem)


@pytest.mark.parametrize(
    "text, kind, head",
    [
        ("<testsuites/>", "xml", dict(testsuites=None)),
        ('<?xml version="1.0"?>\n<!-- <a> -->\n <testsuite name="x">', "xml", dict(testsuite=None)),
        ("\ufeff<testsuite/>", "xml", dict(testsuite=None)),
        (" \n<testsuite/>", "xml", dict(testsuite=None)),
        ("<html><testsuite/></html>", "table", None),
        ("<testsuitex/>", "table", None),
        ("<!DOCTYPE x><testsuites/>", "table", None),
        ("< testsuite/>", "table", None),
        ("text <testsuite/>", "table", None),
    ],
)
def test_reports_in_xml(text, kind, head, tmp_path):
    (tmp_path / "x.xml").write_text(text, encoding="utf-8")
    log = open_log(tmp_path / "x.xml")
    assert (log.kind, log.head) == (kind, head)


@pytest.mark.parametrize(
    "text, row",
    [
        (b'[{"a": 1}, {"a"', dict(a=1)),
        (b'[ \n {"a": [1]}', dict(a=[1])),
        (b'[{"a": 1', None),
        (b"[5, 6]", None),
        (b"[]", None),
        (b'{"a": 1}', None),
        ('[{"a": "é"}, "é"'.encode()[:-2], dict(a="é")),
    ],
    ids=str,
)
def test_the_first_row_of_a_list(text, row):
    assert parse_first_row(text) == row


def test_the_first_row_of_a_list_is_long(tmp_path):
    "Longer than what is looked at first, and of other keys than those that follow."
    long = dict(a="é" * 2**16)
    for rows in [long], [long, dict(b=2)]:
        log = open_log(put(tmp_path / "x.json", rows))
        assert (log.kind, log.head, log.items) == ("rows", long, rows)


def test_notes_in_other_words_are_other_notes():
    ask = Ask()
    for why in "full", "full", "slow":
        ask.add_note("unfinished", "error", text=why)
    assert [(note.names, note.text) for note in ask.notes] == [
        (("error",), "full"),
        (("error",), "slow"),
    ]


def test_lines_are_numbered_with_those_that_are_blank(tmp_path):
    (path := tmp_path / "x.jsonl").write_text('\n{"a": 1}\n \n{"a": 2}\n')
    assert list(number_lines(path)) == [(2, dict(a=1)), (4, dict(a=2))]
    assert list(number_lines(str(path))) == list(number_lines(path))


def test_a_large_file_of_a_folder_is_refused_and_not_skipped(tmp_path):
    "It may well be the log that was meant."
    put(tmp_path / "a.json", HEADER | dict(samples=[inspect_sample(1, 1, "C")]))
    put(tmp_path / "b.json", dict(x="y" * 2000))
    assert read(tmp_path).questions == [1]
    told = refusal(tmp_path, limits=Limits(document=1500))
    assert "a JSON document may hold at most 1,500 bytes, got more in b.json" in told


def test_an_archive_of_something_else_is_refused(tmp_path):
    path = zipped(tmp_path / "a.eval", {"header.json": dict(version=2)})
    put(tmp_path / "b.json", HEADER | dict(samples=[inspect_sample(1, 1, "C")]))
    for given in path, tmp_path:
        assert refusal(given) == "a.eval is an archive, but not a log of inspect_ai"


@pytest.mark.parametrize("files", [None, "draws", "models"])
def test_what_files_may_hold(files):
    assert check_files_hold(files) is None
    for odd in "draw", "", 0:
        with pytest.raises(OptionError, match="files_hold must be 'draws' or 'models', got"):
            check_files_hold(odd)


def test_files_that_stay_parsed_between_finding_and_reading(tmp_path):
    "All are read alike, kept or opened again."
    path = put(tmp_path / "a.json", HEADER | dict(samples=[]))
    held = Found(path, BUILT_IN[0], Limits(), log := open_log(path))
    again = Found(path, BUILT_IN[0], Limits()).open()
    assert held.open() is log and (again.kind, again.head) == (log.kind, log.head)
    assert again is not log


@pytest.mark.parametrize(
    "kinds, takes",
    [
        (("lines",), "lines document"),
        (("rows",), "rows"),
        (("document",), "document"),
        (("archive", "document"), "archive document"),
        (("table",), "table"),
    ],
)
def test_containers_that_a_reader_takes(kinds, takes):
    "One record alone makes a file of JSON lines that looks like a document."
    reader = Reader("x", kinds, bool, list)
    assert [kind for kind in KINDS if reader.fits(kind)] == [
        kind for kind in KINDS if kind in takes.split()
    ]


def test_how_many_texts_were_judged_is_noted():
    (note,) = note_grading(TextGrade("number", judged=5, odd=2))
    assert note == ReadNote("graded_texts", ("number",), count=2, total=5)
    assert note_grading(None) == note_grading(max) == []


def test_files_of_arrow_are_read_where_they_are_named(tmp_path):
    "No harness writes them: in a folder they are tables of somebody."
    log = HEADER | dict(samples=[inspect_sample(1, 1, "C")])
    named = put(tmp_path / "a.arrow", log)
    put(tmp_path / "b.json", HEADER | dict(samples=[inspect_sample(2, 1, "C")]))
    assert read(named).questions == [1] and read(tmp_path).questions == [2]
    assert read([tmp_path / "b.json", named]).questions == [1, 2]


def test_texts_of_a_folder_give_way_beside_a_file_that_is_named(tmp_path):
    done = dict(task_id="a", completion="c", passed=True, result="passed")
    put(tmp_path / "run/x_results.jsonl", [done], True)
    put(tmp_path / "run/x.jsonl", [dict(task_id="a", completion="c")], True)
    other = put(tmp_path / "y_results.jsonl", [done | dict(task_id="b")], True)
    samples = read([tmp_path / "run", other])
    assert sorted(samples.questions) == ["a", "b"]
    assert samples.notes == dict(judged_elsewhere=("x.jsonl",))


@pytest.mark.parametrize("room, kept", [(0, 0), (0.5, 0), (1, 1), (2, 2), (2.5, 2), (9, 4)])
def test_no_more_stays_parsed_than_there_is_room_for(room, kept, tmp_path, monkeypatch):
    "All are read alike; a file alone is parsed once, however large."
    for name in "abcd":
        path = put(tmp_path / f"{name}.json", HEADER | dict(samples=[inspect_sample(name, 1, "C")]))
    monkeypatch.setattr(folder, "KEPT", int(room * path.stat().st_size))
    found = find_logs(tmp_path).logs
    assert [log.log is not None for log in found] == [True] * kept + [False] * (4 - kept)
    assert read(tmp_path).questions == ["a", "b", "c", "d"]
    (alone,) = find_logs(path).logs
    assert alone.log is not None
