"Letters of a report. That they are those of `compare` and `table`: test_tabling.py."
import numpy as np
import pytest

from sampling_eval import compare, score
from sampling_eval.foundations.counts import Counts
from sampling_eval.report.score import share_letter, split_letters
from sampling_eval.results.comparison import letter_models
from sampling_eval.verbs.metric_choice import choose_metrics
from sampling_eval.verbs.measuring import Weighing
from sampling_eval.verbs.scoring import MOST_MODELS, find_label, find_letters, letter_column, share_names
from sampling_eval.results.base import Style
from sampling_eval.verbs.systems import align_systems

N = [4] * 40
NONE, HALF, MOST = (Counts(N, c) for c in ([0, 1] * 20, [2, 3] * 20, [3, 2] * 20))


def letter(blocks, labels=("pass@1",), style=Style(), weights=None):
    chosen = {model: choose_metrics(counts, ["pass@k", "avg@n"], [1, 2])[0]
              for (model, group), counts in blocks.items() if not group}
    return find_letters(blocks, chosen, list(labels), style, Weighing(weights and 'w'), weights)


def name(*sides): return {(f"m{i}", ""): side for i, side in enumerate(sides)}


def test_letters_by_metric():
    found = letter(name(NONE, HALF, MOST), ["pass@1", "avg@4", "pass@2"])
    assert found == {"pass@1": dict(m0="b", m1="a", m2="a"), "avg@4": dict(m0="b", m1="a", m2="a"),
                     "pass@2": found["pass@2"]}
    want = compare(NONE, HALF, "pass@2", others=[MOST]).rankings["pass@2"].tied
    names = dict(A="m0", B="m1", C="m2")
    assert found["pass@2"] == {names[model]: "".join("abc"[i] for i, group in enumerate(want) if model in group)
                               for model in "ABC"}


def test_where_there_are_none():
    assert letter(name(NONE)) == {} and letter(name()) == {}
    assert letter(name(NONE, HALF) | {("m0", "g"): NONE}) == {}
    assert letter(name(NONE, Counts(N, [2] * 40, range(1, 41)))) == {}
    grouped = [Counts(N, side.c, cluster=np.arange(40) // size) for side, size in ((NONE, 2), (HALF, 4))]
    assert letter(name(*grouped)) == {} and set(letter(name(grouped[0], HALF))["pass@1"]) == {"m0", "m1"}


@pytest.mark.parametrize("size", [2, MOST_MODELS, MOST_MODELS + 1])
def test_so_many_models(size): assert bool(letter(name(*[HALF] * size))) is (size <= MOST_MODELS)


def test_the_same_questions_in_any_order():
    assert share_names(dict(a=HALF, b=Counts(N, HALF.c, range(39, -1, -1)))) is True
    assert share_names(dict(a=HALF)) is True
    other = Counts(N, HALF.c, range(1, 41))
    assert share_names(dict(a=HALF, b=other)) is share_names(dict(a=HALF, b=HALF, c=other)) is False
    assert share_names(dict(a=HALF, b=Counts([4] * 39, [1] * 39))) is False
    backwards = letter(name(NONE, Counts(N, HALF.c[::-1], range(39, -1, -1))))
    assert backwards == letter(name(NONE, HALF))


def test_the_style_and_the_weights_count():
    near, far = Counts(N, [2, 1] * 20), Counts(N, [3, 1, 3, 1, 2, 2, 3, 1, 2, 1] * 4)
    aligned = align_systems(dict(m0=near, m1=far))
    chosen = {model: choose_metrics(near, "pass@1")[0] for model in ("m0", "m1")}
    letters = {level: letter_column("pass@1", aligned, chosen, Style(level), None) for level in (.5, .999)}
    assert letters == {.5: dict(m0="b", m1="a"), .999: dict(m0="a", m1="a")}
    again = letter(name(near, far), style=Style(target="both"))
    assert again == letter(name(near, far))
    assert letter(name(NONE, HALF), style=Style(target="same_questions")) == {"pass@1": dict(m0="b", m1="a")}
    # All weight on questions where the second model is worse.
    turned = letter(name(HALF, Counts(N, [0] * 2 + [4] * 38)),
                    weights={name: 1. if name < 2 else 1e-3 for name in range(40)})
    assert turned != letter(name(HALF, Counts(N, [0] * 2 + [4] * 38)))


def test_a_generator_belongs_to_the_rows():
    rng = np.random.default_rng(3)
    before = rng.bit_generator.state
    assert letter(name(NONE, HALF), style=Style(test="permutation", rng=rng)) and rng.bit_generator.state == before


def test_one_metric_at_one_budget():
    chosen, average = choose_metrics(HALF, ["pass@k", "avg@n"], [1, 3])[0]
    one = find_label("pass@3", [average, chosen])
    assert (one.ks.tolist(), one.labels, one.metric.name) == ([3], ("pass@3",), "pass@k")
    assert find_label("avg@4", [chosen, average]).labels == ("avg@4",)


def test_a_report_has_them():
    rows = [dict(model=model, question=q, correct=int(s < c)) for model, side in (("x", NONE), ("y", HALF))
            for q, c in enumerate(side.c) for s in range(4)]
    assert score(rows, "pass@1").letters == {"pass@1": dict(x="b", y="a")}


def test_a_model_has_a_letter_for_each_of_its_groups():
    assert letter_models([["x", 1], ["y", 1], ["z"]]) == {"x": "a", "1": "ab", "y": "b", "z": "c"} and letter_models([]) == {}
    many = letter_models([[i] for i in range(53)])
    assert [many[name] for name in ("0", "25", "26", "51", "52")] == ["a", "z", "a2", "z2", "a3"]


def test_letters_in_common():
    assert split_letters("ab2c") == ["a", "b2", "c"] and split_letters("z12a") == ["z12", "a"] and split_letters("") == []
    assert share_letter("ab", "bc") and not share_letter("ab", "cd") and not share_letter("a", "a2")
    assert not share_letter("", "a")
