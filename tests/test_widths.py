"What a terminal shows fits 80 columns and reads as sentences, whatever names the data have."

import json
import random
import re
from unicodedata import category, east_asian_width

import pytest

from sampling_eval.cli import finish, make_parser

WIDTH = 80
ODD = [
    "长" * 45,
    "\U0001f469\u200d\U0001f467" * 12 + "e\u0301" * 30,
    "\x1b[31mred\x1b[0m",
    "one\ntwo\r\ttab",
    "x" * 130,
    "a " * 60,
    "ไทยภาษาไทยที่ยาวมาก" * 5,
    "\u202eabc",
    "=1+1",
    "नमस्ते दुनिया " * 5,
]
NAMES = {"tiny": (["m1", "m2", "m3"], ["a"], 1), "hostile": (ODD[:3], ODD, 4)}
COMMANDS = [
    "score A",
    "score A --how",
    "score A B C",
    "score A B C --how",
    "score A -m maj@k --methods",
    "score M --by task",
    "score A -m pass@1 --target both",
    "compare A B",
    "compare A B --how",
    "compare A B C",
    "compare A B C --how",
    "gate A --baseline B --max-drop .1",
    "gate A --baseline B --max-drop .1 --no-question-regresses --how",
    "gate A --minimum pass@1=.5 --must-pass *",
    "table A B C",
    "table M --by task",
    "table M --errors half --how",
    "plan A --delta .1",
    "plan A B --delta .1 --how",
    "plan A B --questions 100 -m pass@1",
    "extrapolate A -k 8,64",
    "explain A",
    "explain A B",
    "explain A --about Q",
    "explain A B --about Q",
    "describe A",
    "describe M --by task",
    "describe M --model none",
    "counts A -o OUT",
    "merge A B --separate -o OUT",
]


def count_columns(line):
    "Columns of a terminal, counted apart from the package."
    return sum(
        0 if category(sign) in ("Mn", "Me", "Cf") else 1 + (east_asian_width(sign) in "WF")
        for sign in line
    )


@pytest.fixture(scope="module", params=NAMES)
def files(request, tmp_path_factory):
    "A file of each model, and one of all: in the folder that the commands run in."
    models, questions, n = NAMES[request.param]
    folder, rng = tmp_path_factory.mktemp(request.param), random.Random(1)
    rows = [
        dict(
            model=model,
            task=questions[i % 2 % len(questions)],
            question=question,
            sample=sample,
            correct=int(rng.random() < i % 3 / 3 + 0.2),
        )
        for model in models
        for i, question in enumerate(questions)
        for sample in range(n)
    ]
    for row in rows:
        row["answer"] = "right" if row["correct"] else questions[row["sample"] % len(questions)]
    for name, model in dict(zip("ABC", models), M=None).items():
        kept = [
            json.dumps(row, ensure_ascii=False) for row in rows if model in (None, row["model"])
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(kept), "utf-8")
    return folder, questions[0]


@pytest.mark.parametrize("words", COMMANDS)
def test_eighty_columns(files, words, monkeypatch, capsys):
    folder, question = files
    monkeypatch.chdir(folder)
    known = {name: f"{name}.jsonl" for name in "ABCM"} | dict(Q=question, OUT="out.parquet")
    asked = make_parser().parse_args([known.get(word, word) for word in words.split()])
    code = finish(asked)
    shown, told = capsys.readouterr()
    assert code in (0, 1, 2, 3) and (shown or told.startswith("sampling-eval: "))
    # A word of a command to be typed stands alone where it is longer than a line.
    lines = [
        line
        for line in shown.split("\n")
        if not re.fullmatch(r"  \S.*( \\)?", line) or len(line.split()) > 2
    ]
    wide = [line for line in lines if count_columns(line) > WIDTH]
    assert not wide or words.startswith("explain") and all("Next: " in shown for _ in wide), wide
    assert not re.search(
        r"(?m)^(read|counted|added|each of) [0-9]|^(wrote|no standard|no room|with one) ", shown
    )


def test_one_sample_of_several_models_is_one_column(tmp_path, capsys):
    (tmp_path / "m.csv").write_text("model,question,sample,correct\na,1,0,1\nb,1,0,0\n")
    assert finish(make_parser().parse_args(["score", str(tmp_path / "m.csv")])) == 0
    shown = capsys.readouterr().out
    assert "pass@1" in shown and "pass^1" not in shown and "mg-pass" not in shown


def test_an_option_that_is_not_there(capsys):
    with pytest.raises(SystemExit) as stopped:
        make_parser().parse_args(["score", "a.csv", "--kk", "3"])
    assert stopped.value.code == 2
    assert (
        "sampling-eval score: unrecognized arguments: --kk 3; did you mean --k?"
        in capsys.readouterr().err
    )
