"A report with given numbers, for tests of what is said about a report."
from dataclasses import dataclass, field

import numpy as np

from sampling_eval.reporting.records import Absent
from sampling_eval.reporting.columns import Columns
from sampling_eval.report.text import wrap


@dataclass(frozen=True)
class ToldRow:
    metric: str
    k: int | None
    estimate: float
    low: float | None = .25
    high: float | None = .75
    stderr: float | None = .1
    model: str = ""
    group: str = ""
    reason: str = ""
    questions: int = 50
    n_min: int = 4
    n_max: int = 4
    missing: int = 0
    estimator: str = "unbiased"
    stderr_kind: str = "over questions"
    interval: str = "95 % gaffke"
    band: str = ""
    band_low: float | None = None
    band_high: float | None = None
    again_low: float | None = None
    again_high: float | None = None
    again_interval: str = ""
    short_of: int = 0
    weights: object = None

    @property
    def samples(self):
        return f"{self.n_min}" if self.n_min == self.n_max else f"{self.n_min}..{self.n_max}"


@dataclass(frozen=True)
class ToldReport:
    rows: tuple[ToldRow, ...]
    questions: object = field(default_factory=Absent)
    read: str = "200 rows."
    notes: tuple[str, ...] = ("a note.",)
    cautions: tuple[str, ...] = ()
    confidence_level: float = .95
    title: str = "run.jsonl"
    files: tuple = ()
    letters = {}
    answer: str = "The answer."
    next: object = None
    kind: str = "model"
    many: object = None

    def shorten(self): return self
    spelled: object = None

    @property
    def headline(self): return self.answer

    def blocks(self):
        found = {}
        for row in self.rows: found.setdefault((row.model, row.group), []).append(row)
        return found

    def name(self, key): return " / ".join(filter(None, key))


def columns(right, n=4, model=None):
    "Columns of questions `q0`, `q1`, ..."
    names = np.array([f"q{i}" for i in range(len(right))])
    told = dict(question=names, n=np.full(len(right), n), c=np.array(right))
    if model is not None: told = dict(model=np.array(model)) | told
    return Columns(told)


def wrap_lines(told):
    "A text as the terminal shows it, in at most 80 columns."
    return "\n".join(o if "  " in o or "---" in o else wrap(o) for o in told.splitlines())
