"Every excerpt of a log, sample by sample: what is taken, what it cost, and what it says."

import pytest

from harness_cases import LM, LOGS, find_logs
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
