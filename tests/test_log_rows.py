"Every excerpt of a log, sample by sample: what is taken, what it cost, and what it says."

import pytest

from harness_cases import HEADER, LM, LOGS, find_logs, inspect_sample, put
from printed import check_text
from sampling_eval.reading.logs.ask import Ask
from sampling_eval.reading.logs.grading import find_grade
from sampling_eval.reading.logs.several import read_logs
from sampling_eval.reading.texts import Gathering
from test_harness_folder import CHOSEN, SAID

# Path and what is asked, of logs whose excerpt holds more than one thing to read.
MORE = {
    "aisbench predictions": ("aisbench/predictions", dict(grade="exact")),
    "evalplus base": ("evalplus", dict(score="base")),
    "inspect mock": ("inspect/arithmetic_mock.eval", dict(score="grade")),
    "inspect streaming": ("inspect/log_streaming.eval", {}),
    "inspect formats": ("inspect/log_formats.json", {}),
    "inspect usage": ("inspect_usage", {}),
    "lighteval repeats": ("lighteval", dict(grade="exact")),
    "lm-eval strict": (f"lm_eval/mock/{LM[0].name}", dict(filter="strict-match")),
    "lm-eval maj": (f"lm_eval/mock/{LM[1].name}", dict(filter="maj@4", grade="exact")),
    "tau2 runs": ("tau2_runs", {}),
    "verifiers": ("verifiers", {}),
    "opencompass predictions": ("opencompass/predictions", dict(grade="exact")),
}
CASES = {name: (path, dict(score=CHOSEN.get(name))) for name, path in SAID.items()} | MORE


def show(value, most=70):
    return " ".join(repr(value).replace(f"{LOGS}/", "").split())[:most]


def show_text(said):
    if said is None:
        return "nothing"
    return " | ".join(f"{name}: {show(value)}" for name, value in vars(said).items() if value)


def show_log(path, asked):
    "The first samples and the last one of some logs, and what is said of all."
    asked = dict(asked) | dict(grade=find_grade(asked["grade"]) if "grade" in asked else None)
    logs = read_logs(find_logs(LOGS / path), Ask(**asked), "draws")
    names = list(dict.fromkeys(map(str, logs.columns["question"])))
    told = read_logs(find_logs(LOGS / path), Ask(**asked, texts=Gathering.of(names)), "draws")
    size = len(logs.columns["question"])
    yield f"{size} samples by {', '.join(f'{k}={v}' for k, v in logs.read.columns.items())}"
    for i in sorted({0, min(1, size - 1), size // 2, size - 1}):
        yield f"{i}: " + ", ".join(f"{k}={show(v[i])}" for k, v in logs.columns.items())
        yield f"   cost {show(logs.costs[i], 200)}"
        yield f"   {show_text(told.texts[i])}"
    for name in "tasks", "totals", "repeats", "ordered":
        yield f"{name}: {getattr(logs, name)}".replace(f"{LOGS}/", "")


@pytest.mark.parametrize("name", CASES)
def test_the_samples_of_every_excerpt(name):
    path, asked = CASES[name]
    check_text(f"log_rows/{name.replace(' ', '_')}", "\n".join(show_log(path, asked)))


# What was asked and what was answered, in the smallest log of each layout.

ASKED = [dict(role="user", content="Ask"), dict(role="assistant", content="Tell")]
SMALLEST = {
    "tau-bench": (
        "x.json",
        [dict(task_id=1, trial=0, reward=1, info=dict(task=dict(instruction="Ask")),
              traj=ASKED[1:])],
        {},
        ("Ask", "assistant: Tell"),
    ),
    "tau-bench without a task": (
        "x.json",
        [dict(task_id=1, trial=0, reward=1, info=dict(task="Ask"), traj="Tell")],
        {},
        ("", "Tell"),
    ),
    "tau2": (
        "x.json",
        dict(task_id=1, termination_reason="user_stop", reward_info=dict(reward=1), messages=ASKED),
        {},
        ("", "user: Ask\n\nassistant: Tell"),
    ),
    "terminal-bench": (
        "x.json",
        dict(task_id="1", trial_name="1.1", is_resolved=True, instruction="Ask"),
        {},
        ("Ask", ""),
    ),
    "verifiers": (
        "x.jsonl",
        [dict(example_id=1, prompt=ASKED[:1], completion=ASKED[1:], reward=1)],
        {},
        ("user: Ask", "assistant: Tell"),
    ),
    "verl": ("x.jsonl", [dict(input="1", output="Tell", pred="T", score=1)], {}, ("1", "Tell")),
    "promptfoo": (
        "x.jsonl",
        [dict(testIdx=1, promptIdx=0, provider="p", success=True, score=1, testCase={},
              prompt=dict(raw="Ask"), response=dict(output="Tell"))],
        {},
        ("Ask", "Tell"),
    ),
    "deepeval": (
        "x.json",
        dict(testCases=[dict(input="1", actualOutput="Tell", success=True, metricsData=[])],
             conversationalTestCases=[], metricsScores=[]),
        {},
        ("1", "Tell"),
    ),
    "opencompass predictions": (
        "x.json",
        {"0": dict(prediction="Tell", gold="Tell", origin_prompt="Ask")},
        dict(grade="exact"),
        ("Ask", "Tell"),
    ),
    "aisbench predictions": (
        "x.jsonl",
        [dict(data_abbr="d", id=1, prediction="Tell", gold="Tell", origin_prompt="Ask")],
        dict(grade="exact"),
        ("Ask", "Tell"),
    ),
    "evalscope": (
        "x.jsonl",
        [dict(index=1, sample_score=dict(score=dict(value=dict(acc=1))), messages=ASKED)],
        {},
        ("user: Ask", "assistant: Tell"),
    ),
    "openai-evals": (
        "x.jsonl",
        [dict(spec=dict(completion_fns=["m"], eval_name="e")),
         dict(type="match", sample_id="1",
              data=dict(correct=True, prompt="Ask", sampled="Tell", picked="T"))],
        {},
        ("Ask", "Tell"),
    ),
    "simple-evals": (
        "x.json",
        dict(score=1, metrics={}, convos=[[dict(role="system", content="Be"), *ASKED]],
             htmls=["<p>Extracted Answer: T</p><p>Score: 1</p>"]),
        {},
        ("Be\nAsk", "Tell"),
    ),
    "inspect": (
        "x.json",
        HEADER | dict(samples=[inspect_sample(1, 1, "C", input=ASKED[:1])]),
        {},
        ("Ask", "4"),
    ),
    "lm-eval": (
        "x.jsonl",
        [dict(doc_id=1, target="T", filter="f", resps=[["Tell"]], filtered_resps=["T"], em=1.0,
              arguments=[["Ask", {}]])],
        {},
        ("Ask", "Tell"),
    ),
}


@pytest.mark.parametrize("name", SMALLEST)
def test_what_a_sample_says(name, tmp_path):
    file, content, asked, said = SMALLEST[name]
    path = put(tmp_path / file, content, lines=file.endswith("l"))
    grade = find_grade(asked.get("grade"))
    told = read_logs(find_logs(path), Ask(grade=grade, texts=Gathering.of(["0", "1"])), "draws")
    (one,) = told.texts
    assert tuple(cut.start if cut else "" for cut in (one.prompt, one.answer)) == said
