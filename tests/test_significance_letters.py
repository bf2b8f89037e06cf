"Letters of a report. That they are those of `compare` and `table`: test_tabling.py."
import numpy as np

from sampling_eval.foundations.counts import Counts
from sampling_eval.results.comparison import letter_models
from sampling_eval.verbs.metric_choice import choose_metrics
from sampling_eval.verbs.many_models import find_letters, share_names
from sampling_eval.verbs.measuring import Weighing
from sampling_eval.results.base import Style

N = [4] * 40
NONE, HALF, MOST = (Counts(N, c) for c in ([0, 1] * 20, [2, 3] * 20, [3, 2] * 20))


def letter(blocks, labels=("pass@1",), style=Style(), weights=None):
    chosen = {model: choose_metrics(counts, ["pass@k", "avg@n"], [1, 2])[0]
              for (model, group), counts in blocks.items() if not group}
    return find_letters(blocks, chosen, list(labels), style, Weighing(weights and 'w'), weights)


def name(*sides): return {(f"m{i}", ""): side for i, side in enumerate(sides)}


def test_where_there_are_none():
    assert letter(name(NONE)) == {} and letter(name()) == {}
    assert letter(name(NONE, HALF) | {("m0", "g"): NONE}) == {}
    assert letter(name(NONE, Counts(N, [2] * 40, range(1, 41)))) == {}
    grouped = [Counts(N, side.c, cluster=np.arange(40) // size) for side, size in ((NONE, 2), (HALF, 4))]
    assert letter(name(*grouped)) == {} and set(letter(name(grouped[0], HALF))["pass@1"]) == {"m0", "m1"}


def test_the_same_questions_in_any_order():
    assert share_names(dict(a=HALF, b=Counts(N, HALF.c, range(39, -1, -1)))) is True
    assert share_names(dict(a=HALF)) is True
    other = Counts(N, HALF.c, range(1, 41))
    assert share_names(dict(a=HALF, b=other)) is share_names(dict(a=HALF, b=HALF, c=other)) is False
    assert share_names(dict(a=HALF, b=Counts([4] * 39, [1] * 39))) is False
    backwards = letter(name(NONE, Counts(N, HALF.c[::-1], range(39, -1, -1))))
    assert backwards == letter(name(NONE, HALF))


def test_a_model_has_a_letter_for_each_of_its_groups():
    assert letter_models([["x", 1], ["y", 1], ["z"]]) == {"x": "a", "1": "ab", "y": "b", "z": "c"} and letter_models([]) == {}
    many = letter_models([[i] for i in range(53)])
    assert [many[name] for name in ("0", "25", "26", "51", "52")] == ["a", "z", "a2", "z2", "a3"]
