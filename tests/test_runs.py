"Runs behind samples: numbers and sentences of each step. Whole cautions: test_cautions.py."
from math import comb, erfc, sqrt

import numpy as np
import pytest

from sampling_eval.io.load import load, read
from sampling_eval.io.options import Options
from sampling_eval.verbs.runs import (CELLS, LARGE, RunTable, Total, find_normal_tail, find_odd_run, find_table,
                                      find_tables, find_tail, list_bits, name_run, name_runs, say_both, say_law,
                                      say_lost, say_run, stand_once, table_outcomes, tell_total, total_runs)


def list_rows(outcomes, **columns):
    "Rows of a table of outcomes; -1 is a sample that is not there, None one without an outcome."
    return [dict(question=q, sample=s, correct=one, **columns) for q, row in enumerate(outcomes)
            for s, one in enumerate(row) if one != -1]


def make_table(outcomes, drop=False): return find_table(read(list_rows(outcomes)), drop)


OUTCOMES = [[1, 1, 0, 0], [1, 0, 0, 1], [1, 1, 1, 0], [1, 0, 0, 0]]


# The table.

def test_rows_of_a_run_hold_its_samples():
    table = make_table(OUTCOMES)
    for run in range(4):
        here = table.find_rows(run)
        found = dict(zip(table.question[here].tolist(), table.right[here].tolist()))
        assert found == {q: bool(row[run]) for q, row in enumerate(OUTCOMES)}
    assert table.names == (0, 1, 2, 3) and table.bits == (0, 1, 2, 3) and table.answers is False
    assert table.add_up(table.times).tolist() == [4] * 4
    assert table.add_up(table.times * table.right).tolist() == [2, 2, 3, 1]


def test_runs_in_every_word_of_the_sets():
    rows = [dict(question=q, sample=s, correct=int(s > q)) for q in range(3) for s in (0, 51, 52, 103, 104, 155)]
    table = find_table(read(rows))
    assert table.bits == table.names == (0, 51, 52, 103, 104, 155)
    for run, name in enumerate(table.names):
        here = table.find_rows(run)
        assert dict(zip(table.question[here].tolist(), table.right[here].tolist())) == {q: name > q for q in range(3)}
    assert list_bits(np.array([[1, 0, 4], [2, 1, 0]])) == (0, 1, 52, 106)


def test_lost_samples_are_marked_or_left_out():
    lost = [[1, None], [0, 1], [None, None]]
    whole = make_table(lost)
    assert whole.lost.sum() == 2 and whole.add_up(whole.times * whole.lost).tolist() == [1, 0, 2]
    assert not whole.right[whole.lost].any() and len(whole.words) == len(whole.times) == len(whole.question)
    kept = make_table(lost, drop=True)
    assert not kept.lost.any() and kept.add_up(kept.times).tolist() == [1, 2] and len(kept.words) == 3
    assert sorted(zip(kept.question.tolist(), kept.right.tolist())) == [(0, True), (1, False), (1, True)]
    assert make_table([[None, None]], drop=True) is None and make_table([[None, None]]).lost.all()


def test_a_question_that_loses_every_sample_leaves_no_gap():
    kept = make_table([[None, None], [0, 1], [1, 1]], drop=True)
    assert kept.question.min() == 0 and kept.add_up(kept.times).tolist() == [2, 2]


def test_without_outcomes_nothing_is_right():
    table = find_table(read([dict(question=q, sample=s, score=.5) for q in range(2) for s in range(2)]))
    assert table.right is None and not table.lost.any() and find_odd_run(table) is None


def test_a_run_stands_once_on_a_question():
    once = read(list_rows([[1, 0], [0, 0]]))
    assert stand_once(once.draws if once.runs is None else once.runs, once) is True
    # Two samples of one run, or samples whose run is unknown.
    words = np.zeros((len(once.times), 3), np.int64)
    assert stand_once(words, once) is False
    words[:, 0] = [2**count - 1 for count in once.times.tolist()]
    assert stand_once(words, once) is False
    # Both samples of one run, of which another question has the second: the sums of bits are no sets.
    twice = read(list_rows([[1, 0], [0, 0]]))
    words = np.zeros((len(twice.times), 3), np.int64)
    words[:, 0] = np.where(twice.times == 1, 1, 3)
    assert stand_once(words, twice) is False


def find_all(data, drop=False): return find_tables(load(data, Options.of({}, runs=True)), drop)


def test_tables_by_model():
    assert find_all([dict(question=0, correct=1)] * 2) == {} and find_tables(load([[1, 0]])) == {}
    assert find_all(list_rows([[1, 0]], model="m") + list_rows([[0, 0]], model="o")).keys() == {"m", "o"}


def test_tables_of_models_drop_what_is_lost():
    rows = load(list_rows([[1, None]], model="m") + list_rows([[0, 1]], model="o"),
                Options.of(dict(missing="wrong"), runs=True))
    kept = find_tables(rows, True)
    assert [table.add_up(table.times).tolist() for table in kept.values()] == [[1], [2]]
    assert [table.lost.sum() for table in find_tables(rows).values()] == [1, 0]


@pytest.mark.parametrize("outcomes", [OUTCOMES, [[1], [0, 1, 1], [1, 0]], np.array(OUTCOMES)])
def test_columns_of_an_array_are_runs(outcomes):
    table = find_all(outcomes)[""]
    assert table.word == "column" and table.names == tuple(range(max(map(len, outcomes))))
    want = [[*row, *[-1] * (len(table.bits) - len(row))] for row in np.asarray(outcomes, object).tolist()]
    assert table.list_outcomes().tolist() == want
    kinds = table.list_kinds()
    for q, row in enumerate(outcomes):
        for i, one in enumerate(row):
            for j, other in enumerate(row): assert (kinds[q, i] == kinds[q, j]) is np.bool_(one == other)


def test_lost_outcomes_of_an_array():
    table = table_outcomes(np.array([[1, np.nan, 0], [np.nan, np.nan, -1]]))
    assert table.lost.sum() == 2 and table.list_outcomes().tolist() == [[1, 0, 0], [0, 0, -1]]
    assert table.list_kinds()[1].tolist() == [-1, -1, -1] and (table.list_kinds()[0] == -1).tolist() == [False, True, False]
    dropped = table_outcomes(np.array([[1, np.nan, 0], [np.nan, np.nan, -1]]), drop=True)
    assert dropped.list_outcomes().tolist() == [[1, 0]] and dropped.names == (0, 2)
    assert table_outcomes(np.full((2, 2), np.nan), drop=True) is None
    assert table_outcomes(np.zeros((1, 156))) is not None and table_outcomes(np.zeros((1, 157))) is None


def test_of_large_tables_the_first_questions_are_looked_at():
    table = table_outcomes(np.zeros((CELLS, 2)))
    assert table.list_outcomes().shape == (CELLS // 2, 2)


# A run that is far off.

def test_totals_by_hand():
    lost = [[1, 1, 0, None], [1, 0, 0, 1], [1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1], [-1, 0, 1, 0]]
    table = make_table(lost)
    n, c = np.array([4, 4, 4, 4, 4, 3]), np.array([2, 2, 3, 1, 4, 1])
    totals = total_runs(table, n, c)
    for run, one in enumerate(totals):
        own = [(n[q], c[q], row[run]) for q, row in enumerate(lost) if row[run] != -1]
        mean, variance = sum(b / a for a, b, _ in own), sum(b / a * (1 - b / a) for a, b, _ in own)
        assert (one.right, one.size) == (sum(o or 0 for *_, o in own), len(own))
        assert one.lost == sum(o is None for *_, o in own)
        assert one.distance == pytest.approx(abs(one.right - mean) / sqrt(variance))
    assert [one.lost for one in totals] == [0, 0, 0, 1] and totals[0].size == 5


def test_a_run_that_could_not_differ_is_at_no_distance():
    table = make_table([[1, 1], [0, 0]])
    assert [one.distance for one in total_runs(table, np.array([2, 2]), np.array([2, 0]))] == [0., 0.]


@pytest.mark.parametrize("total, p", [(0, 2 * .5**10), (1, 2 * 11 * .5**10), (5, 1.), (9, 2 * 11 * .5**10),
                                      (10, 2 * .5**10)])
def test_a_tail_of_equal_means_is_binomial(total, p): assert find_tail(total, np.full(10, .5)) == pytest.approx(p)


def test_a_tail_of_two_means_is_a_sum_of_products():
    law = [sum(comb(4, i) * .25**i * .75**(4 - i) * comb(3, t - i) * .9**(t - i) * .1**(3 - t + i)
               for i in range(5) if 0 <= t - i <= 3) for t in range(8)]
    for total in range(8):
        want = min(1, 2 * min(sum(law[:total + 1]), sum(law[total:])))
        assert find_tail(total, np.array([.25, .9, .25, .9, .25, .9, .25])) == pytest.approx(want)


def test_small_tails_keep_their_digits():
    assert find_tail(0, np.full(60, .5)) == pytest.approx(2 * .5**60, rel=1e-12)
    assert find_normal_tail(0, np.array([.5]), np.array([9000])) == 1e-12


def test_a_normal_tail_by_hand():
    values, times = np.array([.25, .5]), np.array([400, 200])
    mean, variance = 200, 400 * 3 / 16 + 200 / 4
    for total in (170, 230):
        want = erfc((abs(total - mean) - .5) / sqrt(2 * variance))
        assert find_normal_tail(total, values, times) == pytest.approx(want, rel=1e-12)
    assert find_normal_tail(200, values, times) == 1
    assert find_tail(LARGE // 2 - 50, np.full(LARGE + 1, .5)) == find_normal_tail(
        LARGE // 2 - 50, np.array([.5]), np.array([LARGE + 1]))
    assert find_tail(LARGE // 2 - 50, np.full(LARGE, .5)) != find_normal_tail(
        LARGE // 2 - 50, np.array([.5]), np.array([LARGE]))


def test_the_run_that_is_far_off_in_full():
    # Of 5 runs the last one has none of the 16 questions that all others have.
    table = make_table([[1, 1, 1, 1, 0]] * 16)
    found = find_odd_run(table)
    p = 5 * 2 * .2**16
    assert found == (
        "run 4 is right in 0 % of its 16 samples, the other 4 runs in 100 %: a run differs so much with probability "
        f"{p:.1e} at most if all samples are independent (exact permutation test within questions, Bonferroni over 5 "
        "runs). See whether it broke off or was set up otherwise; if so, score again without it.")
    assert (found.kind, found.runs, found.p) == ("odd_run", ("4",), pytest.approx(p, rel=1e-12))


@pytest.mark.parametrize("size, warned", [(11, False), (12, True)])
def test_a_warning_below_one_in_a_thousand(size, warned):
    "Of two runs that differ on every question either is at the end of its law: p = 2 * 2 / 2**size."
    assert (4 / 2**size < 1e-3) is warned
    table = make_table([[1, 0]] * size)
    assert (find_odd_run(table) is not None) is warned and find_odd_run(table, 1e-9) is None


def test_one_run_is_not_far_off():
    assert find_odd_run(make_table([[1]] * 20)) is None


def test_sentences_on_a_run():
    table = make_table(OUTCOMES)
    totals = [Total(4, 4, 0, 1.), Total(2, 4, 1, 0.), Total(1, 4, 0, 0.), Total(1, 4, 0, 0.)]
    assert say_run(table, totals, 0) == "run 0 is right in 100 % of its 4 samples, the other 3 runs in 25 % to 50 %"
    assert say_run(table, totals, 1) == ("run 1 is right in 50 % of its 4 samples (1 without an outcome), "
                                         "the other 3 runs in 25 % to 100 %")
    assert say_run(table, totals[:1] + totals[2:], 0).endswith("the other 2 runs in 25 %")
    assert say_both(table,
                    totals[:2]) == "runs 0 and 1 are right in 100 % and 50 % (1 without an outcome) of their samples"
    assert [say_lost(one) for one in totals[:2]] == ["", " (1 without an outcome)"]
    assert say_law(Total(0, LARGE, 0, 0.)) == "exact"
    assert say_law(Total(0, LARGE + 1, 0, 0.)) == "normal approximation to the"
    assert tell_total(table, totals[:2], 1, .0004) == (
        "runs 0 and 1 are right in 100 % and 50 % (1 without an outcome) of their samples: a run differs so much with "
        "probability 4.0e-04 at most if all samples are independent (exact permutation test within questions, "
        "Bonferroni over 2 runs). See whether one of them broke off or was set up otherwise; if so, score again "
        "without it.")


def test_names_of_runs():
    def named(*names): return RunTable(names, (0,), np.zeros((1, 3), int), np.zeros(1), np.zeros(1), None, np.zeros(1),
                                       False)
    assert name_run(named("logs/a/run 1.csv"), 0) == "'run 1.csv'" and name_run(named(3, "b"), 1) == "'b'"
    assert name_run(named(41, 42), 1) == "42"
