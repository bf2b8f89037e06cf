"Sets of sample numbers, fingerprints and runs: small cases by hand, at the ends of a word."

from hashlib import blake2b

import numpy as np
import pytest

from sampling_eval.reading import sample_ids
from sampling_eval.reading.sample_ids import (
    Fingerprint,
    Task,
    choose_questions,
    count_bits,
    find_runs,
    find_shared,
    hash_names,
    join_bits,
    join_fingerprints,
    join_run_bits,
    list_bits,
    list_tasks,
    make_fingerprint,
    mark_distinct,
    pack_fingerprint,
    refuse_other_tasks,
    refuse_same_runs,
    set_bits,
    tell_versions,
    unpack_fingerprint,
)
from sampling_eval.reading.columns import Batch
from sampling_eval.reading.values import Coded

ENDS = [0, 1, 51, 52, 103, 104, 155]


def test_numbers_are_bits_of_three_words():
    held = set_bits(np.array(ENDS))
    assert held.tolist() == [
        [1, 0, 0],
        [2, 0, 0],
        [2**51, 0, 0],
        [0, 1, 0],
        [0, 2**51, 0],
        [0, 0, 1],
        [0, 0, 2**51],
    ]
    row, number = list_bits(held)
    assert dict(zip(row.tolist(), number.tolist())) == dict(enumerate(ENDS))
    assert count_bits(held).tolist() == [1] * 7
    assert count_bits(np.array([[2**52 - 1, 2**52 - 1, 5], [0, 0, 0]])).tolist() == [106, 0]


@pytest.mark.parametrize(
    "names", [[156], [-1], [0.0], [True], ["1"]], ids="large negative float flag text".split()
)
def test_other_names_are_no_numbers(names):
    assert set_bits(np.array(names)) is None


def test_a_number_that_comes_twice_is_seen():
    held, group = set_bits(np.array([0, 51, 51, 51])), np.array([0, 0, 1, 1])
    assert join_bits(held, group).tolist() == [[2**51 + 1, 0, 0], [2**52, 0, 0]]
    assert mark_distinct(held, group, np.ones(4, int)).tolist() == [True, False]
    many = np.full((9000, 3), 2**51)
    assert join_bits(many, np.zeros(9000, int)).max() == 2**62


# Fingerprints.


def test_names_of_one_spelling_have_one_hash():
    assert len(set(hash_names([5, 5.0, "5", "5.0"]).tolist())) == 1
    assert hash_names(np.array([5, 6])).tolist() == hash_names(["5", 6]).tolist()
    mixed = hash_names(["a", 5, "1.5", "0" * 19]).tolist()
    assert mixed[1] == hash_names([5])[0] and len(set(mixed)) == 4
    assert hash_names(["a"])[0] == mixed[0]


def mix(number):
    "SplitMix64 in whole numbers of any size."
    most = 2**64 - 1
    number = (number + 0x9E3779B97F4A7C15) & most
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & most
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & most
    return number ^ (number >> 31)


def test_hashes_are_the_same_on_every_machine():
    assert hash_names([0, 1, -1]).tolist() == [mix(0), mix(1), mix(2**64 - 1)]
    digest = blake2b(b"a", digest_size=8).digest()
    assert hash_names(["a"]).tolist() == [int.from_bytes(digest, "little")]
    joined = make_fingerprint(hash_names([1]), hash_names([2]), 3, 9)
    assert (joined.question.tolist(), joined.end) == ([mix(1)], 9)
    assert joined.sample.tolist() == [mix(mix(mix(3 ^ mix(1)) ^ mix(2)) ^ 0x9E3779B97F4A7C15)]
    swapped = make_fingerprint(np.uint64([7, 5, 7]), np.uint64([1, 2, 3]), 0, 9)
    assert swapped.question.tolist() == [5, 7, 7] and swapped.sample[1] < swapped.sample[2]


def fingerprint(*pairs, **named):
    question, sample = np.array(pairs, np.uint64).T
    return Fingerprint(question, sample, **named)


def held(one):
    return list(zip(one.question.tolist(), one.sample.tolist())), one.end


WHOLE = fingerprint((1, 9), (1, 8), (2, 7), (5, 6))


@pytest.mark.parametrize(
    "most, size, end",
    [(4, 4, sample_ids.EVERY), (3, 3, 2), (2, 2, 1), (1, 2, 1)],
)
def test_whole_questions_are_kept(most, size, end):
    found = WHOLE.trim(most)
    assert (len(found.sample), found.end) == (size, end)


def test_a_question_that_is_too_large_is_not_kept(monkeypatch):
    monkeypatch.setattr(sample_ids, "LARGE", 2)
    assert len(WHOLE.trim(1).sample) == 2
    monkeypatch.setattr(sample_ids, "LARGE", 1)
    assert WHOLE.trim(1) is None


def test_an_end_is_held_and_only_goes_down():
    one = WHOLE.cut(2)
    assert held(one) == ([(1, 9), (1, 8), (2, 7)], 2)
    assert one.cut(2) is one and one.cut(3) is one


@pytest.mark.parametrize(
    "times, most, want",
    [
        ([3, 2, 1], None, ([1, 1, 1], sample_ids.EVERY)),
        ([3, 2, 1], 6, ([1, 1, 1], sample_ids.EVERY)),
        ([3, 2, 1], 5, ([0, 1, 1], 20)),
        ([3, 2, 1], 3, ([0, 1, 1], 20)),
        ([3, 2, 1], 2, ([0, 0, 1], 10)),
        ([3, 2, 9], 1, ([0, 0, 1], 10)),
        ([3, 2, 10], 1, ([0, 0, 0], 0)),
    ],
)
def test_questions_of_the_smallest_hashes_are_chosen(times, most, want, monkeypatch):
    monkeypatch.setattr(sample_ids, "LARGE", 9)
    kept, end = choose_questions(np.array([30, 20, 10]), np.array(times), most)
    assert (kept.astype(int).tolist(), end) == want


def test_fingerprints_are_joined_up_to_the_earlier_end():
    other = fingerprint((1, 3), (2, 7), end=2)
    assert held(join_fingerprints([WHOLE, other])) == (
        [(1, 3), (1, 8), (1, 9), (2, 7), (2, 7)],
        2,
    )
    assert find_shared(WHOLE, other).tolist() == [2]
    assert find_shared(WHOLE, fingerprint((5, 6), end=4)).tolist() == []
    assert find_shared(WHOLE, WHOLE).tolist() == [5, 2, 1, 1]


def test_a_fingerprint_survives_a_file():
    assert pack_fingerprint(None) is None and unpack_fingerprint(None) is None
    one = fingerprint((1, 2**64 - 1), (1, 8), (2, 7), end=5)
    packed = pack_fingerprint(one)
    assert packed["sizes"] == [2, 1] and packed["end"] == 5
    assert held(unpack_fingerprint(packed)) == held(one)


# Runs.


def batch(draws=None):
    return Batch({}, np.ones(3, int), None, draws=draws)


def coded(code, *names):
    return Coded(np.array(code), np.array(names, object))


def test_runs_are_named_by_file_and_sample():
    sample, file = coded([0, 1, 0], 7, 2), coded([1, 1, 0], "b", "a")
    one = find_runs(batch(), dict(sample=sample))
    assert one.names == (2, 7) and one.code.tolist() == [1, 0, 1]
    one = find_runs(batch(), dict(file=file))
    assert one.names == ("a", "b") and one.code.tolist() == [0, 0, 1]
    both = find_runs(batch(), dict(file=file, sample=sample))
    assert both.names == ("a 2", "a 7", "b 7") and both.code.tolist() == [1, 0, 2]
    assert find_runs(batch(), {}) is None


def test_runs_that_an_engine_counted():
    words = set_bits(np.array([0, 3, 3]))
    found = find_runs(batch(words), {})
    assert found.names == tuple(range(156)) and found.code is None
    assert join_run_bits(found, np.array([0, 0, 1]))["runs"].tolist() == [[9, 0, 0], [8, 0, 0]]
    assert find_runs(batch(words), dict(file=coded([0, 0, 1], "a", "b"))) is None


@pytest.mark.parametrize("size, known", [(156, True), (157, False)])
def test_runs_are_kept_apart_up_to_a_number(size, known):
    names = coded(range(size), *range(size))
    assert (find_runs(batch(), dict(sample=names)) is not None) is known
    file, half = coded([0, 1] * size, "a", "b"), np.repeat(range((size + 1) // 2), 4)[: 2 * size]
    pairs = dict(file=file, sample=coded(half, *range((size + 1) // 2)))
    found = find_runs(batch(), pairs)
    assert (found is not None) is known


def test_runs_as_bits():
    assert join_run_bits(None, np.zeros(1, int)) == {}
    size = 156
    runs = find_runs(batch(), dict(sample=coded(range(size), *range(size))))
    found = join_run_bits(runs, np.zeros(size, int))
    assert found["runs"].tolist() == [[2**52 - 1] * 3] and len(found["run_names"]) == size
    again = sample_ids.Runs((0, 1), np.array([0, 1, 1]))
    assert join_run_bits(again, np.array([0, 0, 1]))["runs"].tolist() == [[3, 0, 0], [2, 0, 0]]
    many = sample_ids.Runs(tuple(range(52)), np.full(9000, 51))
    assert join_run_bits(many, np.zeros(9000, int))["runs"].tolist() == [[2**62, 0, 0]]


# Tasks.


def test_tasks_are_listed_once():
    assert list_tasks([("a",), ("b", "1"), ("a", "", "")]) == (Task("a"), Task("b", "1"))


@pytest.mark.parametrize(
    "one, other, paired",
    [
        (Task("gsm8k"), Task("inspect_evals/gsm8k"), True),
        (Task("gsm8k|0"), Task("gsm8k|5"), True),
        (Task("gsm8k"), Task("aime"), False),
        (Task("a", "hash 1"), Task("b", "hash 1"), True),
        (Task("a", "1"), Task("b", "1"), False),
    ],
)
def test_samples_of_one_task_are_paired(one, other, paired):
    sides = dict(new=[one], none=[], old=[other])
    if paired:
        return refuse_other_tasks(sides)
    with pytest.raises(ValueError) as error:
        refuse_other_tasks(sides)
    told = f"got {one.name!r} in new and {other.name!r} in old"
    assert told in str(error.value)


def test_parts_of_one_run_are_not_added():
    one, other = Task("t", "", "r"), Task("t", "", "s")
    refuse_same_runs(dict(a=[one, one], b=[other], c=[Task("t")], d=[Task("t")]))
    with pytest.raises(ValueError, match="a and c hold parts of one run of task 't'"):
        refuse_same_runs(dict(a=[one], b=[other], c=[one]))


def test_versions_of_a_task_are_told():
    old, new = Task("t", "1"), Task("t", "2")
    assert tell_versions(dict(a=[old], b=[old, Task("t")])) == ""
    assert tell_versions({"a": [old], "": [new]}) == (
        "the questions of task 't' (a: 1 against 2) may differ"
    )
    more = dict(a=[old, Task("u", "x")], b=[new, Task("u", "y")])
    assert tell_versions(more) == (
        "the questions of task 't' (a: 1 against b: 2) and of task 'u' (a: x against b: y) "
        "may differ"
    )
