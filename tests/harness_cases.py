"Logs of the harnesses, ways to write others, and how they are read here."
import json
import zipfile
from pathlib import Path

import numpy as np

from sampling_eval.io.harness.ask import Ask
from sampling_eval.io.harness.folder import find_logs
from sampling_eval.io.harness.logs import read_logs
from sampling_eval.io.harness.grading import find_grade
from sampling_eval.io.harness.limits import Limits
from sampling_eval.report.reading import describe_input

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


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, value in members.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


def inspect_sample(id, epoch, value, **more):
    return dict(id=id, epoch=epoch, target="4", output=dict(completion="4"),
                scores={"s": dict(value=value, answer="4")}) | more


class Samples:
    "The columns of some logs, as arrays."

    def __init__(self, columns, source):
        self.columns, self.source = columns, source

    def __getattr__(self, part):
        if part not in self.columns: return None
        values = self.columns[part]
        if part in ("correct", "score"): return np.array(values, float)
        return np.array(values, object)

    def __len__(self): return len(self.columns["question"])

    @property
    def questions(self): return list(dict.fromkeys(self.columns["question"]))

    @property
    def correct(self):
        "Outcomes; scores count as such if they are right or wrong."
        if "correct" in self.columns: return np.array(self.columns["correct"], float)
        score = self.score
        return score if np.isin(score[~np.isnan(score)], (0, 1)).all() else None

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
            found[name] = Samples(part, self.source)
        return found


def read(path, format="auto", *, filter=None, score=None, grade=None, files=None, limits=Limits()):
    "The samples of a log or of several; None for plain tables."
    found = find_logs(path, format, grade, limits)
    if not found: return None
    logs = read_logs(found, Ask(filter, score, find_grade(grade)), files)
    return Samples(logs.columns, describe_input(logs.read))
