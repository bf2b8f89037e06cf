"What readers make of small logs: the sentence, the rows and the remarks."
from pathlib import Path

import pytest

from harness_cases import put
from sampling_eval.harness.ask import Ask
from sampling_eval.harness.log import Log, open_log

PATH = Path("/logs/run/x.json")


def hold(head, path=PATH): return Log(Path(path), "document", head)


def take(make, log, **given):
    "What was taken for what, the rows and the remarks."
    ask = Ask(**given)
    took, rows = make(log, ask)
    return took, list(rows), ask.notes


def fail(make, log, kind=ValueError, **given):
    with pytest.raises(kind) as error: list(make(log, Ask(**given))[1])
    return str(error.value)


def check_keys(recognise, head, *names):
    "Fail unless a head is recognised, and is not without any one of these keys."
    assert recognise(head) is True
    for name in names: assert not recognise({key: value for key, value in head.items() if key != name}), name
    for other in None, [], [head], "x", {}: assert not recognise(other)


def grade(answer, target): return answer == target


def write(tmp_path, name, *lines): return open_log(put(tmp_path / name, lines, True))
