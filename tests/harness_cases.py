"Logs of the harnesses, ways to write others, and how they are read here."

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from sampling_eval.reading.logs.ask import Ask
from sampling_eval.reading.listing import list_files
from sampling_eval.reading.logs import folder
from sampling_eval.reading.logs.grading import find_grade
from sampling_eval.reading.logs.limits import Limits
from sampling_eval.reading.logs.several import read_logs
from sampling_eval.analyses.phrases.reading import describe_note

LOGS = Path(__file__).parent / "logs"
LM = sorted((LOGS / "lm_eval/mock").glob("*.jsonl"))
PARQUET = {p.name.split("_2026")[0]: p for p in (LOGS / "lighteval").rglob("*.parquet")}
EVAL = LOGS / "inspect/log_streaming.eval"
MOCK = LOGS / "inspect/arithmetic_mock.eval"
HEADER = dict(version=2, status="success", eval=dict(task="t", model="m"))


def put(path, value, lines=False):
    "Write a JSON document, or one line per value."
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = "".join(json.dumps(v) + "\n" for v in value) if lines else json.dumps(value)
    path.write_text(whole)
    return path


def load(path):
    return json.loads(path.read_text("utf-8"))


def load_lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, value in members.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def inspect_sample(id, epoch, value, **more):
    return (
        dict(
            id=id,
            epoch=epoch,
            target="4",
            output=dict(completion="4"),
            scores={"s": dict(value=value, answer="4")},
        )
        | more
    )


def lm_rows(model, task):
    "Lines of lm-eval in which only the large model is right."
    return [
        dict(
            doc_id=i,
            target="1",
            filter="none",
            resps=[[model]],
            filtered_resps=[model],
            metrics=["em"],
            em=float(model == "large"),
            doc=dict(m=model, t=task),
        )
        for i in range(2)
    ]


def same(found, want):
    return np.array_equal(found, want, equal_nan=True)


class Samples:
    "The columns of some logs as arrays, and what was read."

    def __init__(self, columns, logs):
        self.columns, self.logs, self.read = columns, logs, logs.read

    def __getattr__(self, part):
        if part not in self.columns:
            return None
        values = self.columns[part]
        if part in ("correct", "score"):
            return np.array(values, float)
        return np.array(values, object)

    def __len__(self):
        return len(self.columns["question"])

    @property
    def took(self):
        return self.read.columns

    @property
    def said(self):
        return list(map(describe_note, self.read.notes))

    @property
    def notes(self):
        "All other notes by kind: their count, or else their names."
        return {
            note.kind: note.names if note.count is None else note.count
            for note in self.read.notes
            if note.kind != "log"
        }

    @property
    def questions(self):
        return list(dict.fromkeys(self.columns["question"]))

    @property
    def correct(self):
        "Outcomes; scores count as such if they are right or wrong."
        if "correct" in self.columns:
            return np.array(self.columns["correct"], float)
        score = self.score
        return score if np.isin(score[~np.isnan(score)], (0, 1)).all() else None

    def rows(self, parts):
        "The samples as tuples of some parts, which are all there are."
        assert set(self.columns) == set(parts.split())
        return list(zip(*(self.columns[part] for part in parts.split())))

    def counts(self):
        "Samples and correct ones of each question, without the missing ones."
        known = ~np.isnan(self.correct)
        n = [int(known[self.question == name].sum()) for name in self.questions]
        c = [int(np.nansum(self.correct[self.question == name])) for name in self.questions]
        return n, c

    def models(self):
        models, found = self.model, {}
        for name in dict.fromkeys(models.tolist()):
            rows = np.flatnonzero(models == name)
            part = {o: [values[i] for i in rows] for o, values in self.columns.items()}
            found[name] = Samples(part, self.logs)
        return found


def find_logs(paths, *options):
    return folder.find_logs(paths, list_files(paths), *options)


def read(
    path,
    format="auto",
    *,
    filter=None,
    score=None,
    grade=None,
    files=None,
    limits=Limits(),
    missing="raise"
):
    "The samples of a log or of several; None for plain tables."
    found = find_logs(path, format, grade, limits)
    if not found:
        return None
    logs = read_logs(found, Ask(filter, score, find_grade(grade)), files, missing)
    return Samples(logs.columns, logs)


def refusal(path, *format, kind=ValueError, **options):
    "What the refusal of a log says."
    with pytest.raises(kind) as error:
        read(path, *format, **options)
    return str(error.value)


def equal(answer, target):
    return answer == target
