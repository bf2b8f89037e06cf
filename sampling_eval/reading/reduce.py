"""Rows of any source become counted rows: names coded, values checked, equal rows added."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os.path import basename

import numpy as np

from ..errors import OptionError
from ..spelling import option
from ..foundations.counts import sum_by_question
from ..results.reading import ReadNote, ReadSummary
from .columns import Batch, Keep, name_known_cells
from .counted import CountedRows
from .identity import find_coincidence, have_common
from .sample_ids import (Fingerprint, MOST, Runs, choose_questions, count_bits, find_runs,
                         hash_names, join_bits, join_run_bits, make_fingerprint, set_bits)
from .values import (Coded, FEW, are_words, blank_answers, check_clusters, check_outcomes,
                     check_repeats, check_scores, code_equal, code_in_order, code_names,
                     comparable, extend_key, find_second, read_words, read_written)

__all__ = ["reduce_rows"]

NAMED = "question", "sample", "model", "cluster", "item", "group", "file"


@dataclass(frozen=True, eq=False)
class Values:
    "What is known of each row beside its names."
    correct: np.ndarray | None
    answer: np.ndarray | None
    score: np.ndarray | None
    added: Mapping[str, np.ndarray]  # What is summed over equal rows
    notes: list[ReadNote]  # How outcomes were found
    derived: bool = False  # Whether outcomes are scores that happen to be all 0 or 1


def reduce_rows(
    batch: Batch,  # Rows of a table, or rows that an engine has counted
    keep: Keep,  # What is kept beside outcomes
    chosen: Mapping[str, str],  # Column of each part, for messages
) -> tuple[CountedRows, list[ReadNote]]:  # Equal rows counted, and notes on what was done
    """Counted rows, checked.

    Raises: `ValueError` or `TypeError` naming the first row that breaks a rule.
    """
    parts, written = read_numbers(blank_answers(name_outcomes(batch.parts)), chosen)
    batch = replace(batch, parts=parts)
    codes = {part: code_part(batch, part) for part in NAMED if part in batch.parts}
    notes = [*written, *(note for code in codes.values() for note in code.notes)]
    if keep.scores is None and "total" in batch.added and "score" not in batch.parts:
        notes.append(ReadNote("sums_only", count=FEW))
    own = codes["question"]
    codes["question"], joined = name_questions(batch, codes)
    if codes["question"] is not own: codes.setdefault("item", own)
    refuse_twice(batch, codes)
    if "cluster" in codes: check_clusters(codes["question"], codes["cluster"])
    values = check_values(batch, keep, chosen, codes["question"])
    draws = find_draws(batch, keep, codes)
    runs = find_runs(batch, codes) if keep.runs else None
    weight = read_weights(batch, codes["question"]) if "weight" in batch.parts else None
    rows = add_equal(batch, codes, values, draws, runs, weight)
    held = find_fingerprint(batch, codes, keep) if keep.draws and draws is None else None
    summary = ReadSummary(warnings=check_files(batch, codes, values))
    return replace(rows, fingerprint=held, summary=summary), [*values.notes, *notes, *joined]


def code_part(batch: Batch, part: str) -> Coded:
    "The names of a part as codes, ascending where rows have no order."
    name = part.partition(" ")[2] or part

    def place(_: str, row: int) -> str: return batch.place(part, row)
    coded = code_names(name, batch.parts[part], batch.times, place)
    return coded if batch.in_order else coded.sort()


def name_questions(batch: Batch, codes: dict[str, Coded]) -> tuple[Coded, list[ReadNote]]:
    "Questions with the names of tasks and groups where theirs restart, and a note on groups."
    question, tasks = codes["question"], [p for p in batch.parts if p.startswith("task ")]
    for part in reversed(tasks): question = name_within(question, code_part(batch, part))
    notes = []
    if "group" in codes and restart(question, codes["group"]):
        question = name_within(question, codes["group"])
        notes = [ReadNote("named_by_group")]
    if batch.in_order or question is codes["question"]: return question, notes
    return question.sort(), notes


def pair_with(question: Coded, group: Coded) -> np.ndarray:
    return question.code * len(group.names) + group.code


def restart(question: Coded, group: Coded) -> bool:
    "Whether a question stands in two groups."
    return len(np.unique(pair_with(question, group))) > len(question.names)


def name_within(question: Coded, group: Coded) -> Coded:
    "Questions named by group and question."
    pairs, _, code = code_in_order(pair_with(question, group))
    outer, inner = group.names.tolist(), question.names.tolist()
    names = [f"{outer[pair % len(outer)]}/{inner[pair // len(outer)]}" for pair in pairs.tolist()]
    return Coded(code, np.array(names, object))


def refuse_twice(batch: Batch, codes: dict[str, Coded]) -> None:
    "Refuse a sample that appears twice, by its names or by what an engine knows of them."
    if "sample" in codes: return check_repeats(codes, batch.place)
    if batch.check_repeats is not None: batch.check_repeats(pair_codes(codes), batch)


def pair_codes(codes: dict[str, Coded]) -> np.ndarray:
    "One code for each pair of model and question, in each file if files are kept apart."
    pair = pair_models(codes)
    if "file" not in codes: return pair
    pair = extend_key(codes["file"].code, pair, int(pair.max()) + 1)
    return np.unique(pair, return_inverse=True)[1]


def pair_models(codes: dict[str, Coded]) -> np.ndarray:
    "One code for each pair of model and question."
    pair = codes["question"].code
    if "model" in codes: pair = extend_key(codes["model"].code, pair, int(pair.max()) + 1)
    return np.unique(pair, return_inverse=True)[1]


def find_draws(batch: Batch, keep: Keep, codes: dict[str, Coded]) -> np.ndarray | None:
    if not keep.draws or "file" in codes: return None
    if batch.draws is not None:
        # An engine has a bit for small numbers only.
        return batch.draws if (count_bits(batch.draws) == batch.times).all() else None
    if "sample" not in codes: return None
    sample = codes["sample"]
    return set_bits(sample.names[sample.code])


def find_fingerprint(batch: Batch, codes: dict[str, Coded], keep: Keep) -> Fingerprint | None:
    "Hashes of the sample ids, of all questions or of some; None where samples have no ids."
    if "file" in codes or "sample" not in codes and batch.list_samples is None: return None
    question = codes["question"]
    names = hash_names(question.names)
    times = np.bincount(question.code, batch.times, len(names))
    held, end = choose_questions(names, times, None if keep.whole else MOST)
    if not held.any(): return None
    some = None if held.all() else np.flatnonzero(held[question.code])
    found = list_ids(codes["sample"], some) if "sample" in codes else None
    if batch.list_samples is not None: found = batch.list_samples(batch, some)
    if found is None: return None
    row, ids = found
    model = codes.get("model")
    models = 0 if model is None else hash_names(model.names)[model.code[row]]
    return make_fingerprint(names[question.code[row]], hash_names(ids), models, end)


def list_ids(sample: Coded, some: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    "The rows, and the id of the sample of each."
    row = np.arange(len(sample.code)) if some is None else some
    return row, sample.names[sample.code[row]]


def check_files(batch: Batch, codes: dict[str, Coded], values: Values) -> tuple[ReadNote, ...]:
    "Refuse a file that is a copy of another, and say where that cannot be seen."
    if "file" not in codes: return ()
    file, pair = codes["file"], pair_models(codes)
    if not have_common(file.code, pair): return ()
    right = np.zeros(len(pair)) if values.correct is None else values.correct == 1

    found = find_coincidence(file.code, pair, right, lambda: make_key(codes, values), batch.times)
    if found is not None:
        one, other = (basename(str(file.names[at])) for at in (found.first, found.second))
        raise OptionError("separate", "each sample must appear once",
                          found=f"the same ones in {one!r} and {other!r}: {found.said}",
                          hint="leave one out, or merge them if they are two runs "
                               f"({option('separate', True)})")
    return () if "sample" in codes else (ReadNote("no_sample_ids"),)


def check_values(batch: Batch, keep: Keep, chosen: Mapping[str, str], question: Coded) -> Values:
    "Outcomes, answers, scores and sums of each row."
    parts, times = batch.parts, batch.times
    score, added = None, dict(batch.added)
    if "score" in parts:
        score = check_scores("score", parts["score"], times, batch.place, batch.find_first)
        single = {"total": np.nan_to_num(score) * times, "scored": ~np.isnan(score) * times}
        added = {name: values + added.get(name, 0) for name, values in single.items()} | {
            name: values for name, values in added.items() if name not in single}
    for part in parts:
        if part.startswith("sum "):
            column = parts[part]
            added[part] = check_scores(part[4:], column, times, batch.place)
            if part[4:] in keep.costs: added |= count_known(part[4:], added[part])
    correct, notes = judge_rows(batch, keep, chosen, score, question)
    answer = None
    if "answer" in parts and keep.answers: answer = comparable(parts["answer"])
    derived = correct is not None and "correct" not in parts and keep.threshold is None
    return Values(correct, answer, score, added, notes, derived)


def count_known(name: str, cost: np.ndarray) -> dict[str, np.ndarray]:
    "Costs of single samples, 0 where one is absent, and which of them are known."
    known = ~np.isnan(cost)
    # A sum would hide a negative cost among others.
    cost = np.where(cost < 0, -np.inf, np.where(known, cost, 0.))
    return {f"sum {name}": cost, f"sum {name_known_cells(name)}": known.astype(float)}


def read_weights(batch: Batch, question: Coded) -> np.ndarray:
    """The weight of each row, which is that of its question.

    Raises: `ValueError` or `TypeError` naming the first row without a weight, with one that is not
    positive and finite, or with another one than an earlier row of its question.
    """
    values = batch.parts["weight"]
    weight = check_scores("weight", values, batch.times, batch.place, batch.find_first)
    bad = ~(np.isfinite(weight) & (weight > 0))
    if bad.any():
        row = int(bad.argmax())
        got = values.tolist()[row]
        raise ValueError(f"every row needs a positive and finite weight, got {got!r} "
                         f"{batch.place('weight', row)} "
                         f"({batch.times[bad].sum()} of {batch.times.sum()} fail)")
    two, name, fails = find_second(question, weight)
    if not two: return weight
    low, high = sorted(two)
    raise ValueError(f"a question has one weight, got {low:g} and {high:g} at {name} ({fails})")


def name_outcomes(parts: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
    "The parts, with scores such as C and I as the outcomes that they are."
    if "correct" in parts or "score" not in parts or not are_words(parts["score"]): return parts
    return {"correct" if part == "score" else part: values for part, values in parts.items()}


def read_numbers(
    parts: Mapping[str, np.ndarray], chosen: Mapping[str, str],
) -> tuple[dict[str, np.ndarray], list[ReadNote]]:
    "The parts, with numbers that were written as percent or with a decimal comma, and notes."
    found, notes = dict(parts), []
    for part, values in parts.items():
        if part not in ("score", "weight") and not part.startswith("sum "): continue
        found[part], kind = read_written(values)
        column = chosen.get(part, part.removeprefix("sum "))
        if kind == "percent": notes.append(ReadNote("percent", (column,)))
        elif kind: notes.append(ReadNote("decimal_comma", (column,)))
    return found, notes


def judge_rows(batch: Batch, keep: Keep, chosen: Mapping[str, str], score: np.ndarray | None,
               question: Coded) -> tuple[np.ndarray | None, list[ReadNote]]:
    "Outcomes as they stand, or derived from scores."
    notes, column = [], (chosen.get("score", "score"),)
    if keep.threshold is not None:
        notes.append(ReadNote("threshold", column, value=float(keep.threshold)))
    if keep.threshold is not None and score is not None:
        return np.where(np.isnan(score), np.nan, score > keep.threshold), notes
    if "correct" in batch.parts:
        outcomes, words = read_words(batch.parts["correct"], batch.times)
        names = question.names[question.code]
        correct = check_outcomes(outcomes, names, batch.times, batch.find_first)
        if words: notes.append(ReadNote("words", words=words))
        return correct, notes
    if score is None or "score" not in chosen: return None, []
    known = score[~np.isnan(score)]
    if not len(known) or not ((known == 0) | (known == 1)).all(): return None, []
    return score.copy(), [ReadNote("score_as_outcome", column)]


def add_equal(batch: Batch, codes: dict[str, Coded], values: Values,
              draws: np.ndarray | None, runs: Runs | None,
              weight: np.ndarray | None) -> CountedRows:
    "One row for all that are equal."
    first, row = fold_rows(make_key(codes, values), batch, codes, values)

    def pick(column: np.ndarray | None) -> np.ndarray | None:
        return None if column is None else column[first]

    size, added = len(first), values.added
    sums = {name: sum_by_question(row, column, size) for name, column in added.items()}
    named = {part: codes[part].names[codes[part].code[first]]
             for part in ("model", "group", "cluster", "item") if part in codes}
    scored = sums.get("scored")
    further = {name[4:]: column for name, column in sums.items() if name.startswith("sum ")}
    return CountedRows(
        codes["question"].code[first], codes["question"].names,
        np.bincount(row, batch.times, size).astype(np.int64), pick(values.correct),
        pick(values.answer), pick(values.score), sums.get("total"),
        None if scored is None else scored.astype(np.int64), sums=further,
        draws=None if draws is None else join_bits(draws, row), **join_run_bits(runs, row), **named,
        weight=pick(weight), derived=values.derived)


def make_key(codes: dict[str, Coded], values: Values) -> np.ndarray:
    "One whole number for what equal rows share."
    key = codes["question"].code
    for part in "model", "group", "cluster":
        if part in codes and len(codes[part].names) > 1:
            key = extend_key(key, codes[part].code, len(codes[part].names))
    if values.correct is not None:
        outcome = np.where(np.isnan(values.correct), 2, 1 - np.nan_to_num(values.correct))
        key = extend_key(key, outcome.astype(np.int64), 3)
    if values.answer is not None:
        answer = code_answers(values.answer)
        key = extend_key(key, answer, int(answer.max()) + 1)
    # Without outcomes only this tells a missing score, whose sum is 0, from a score of 0.
    if values.correct is None and "scored" in values.added:
        key = extend_key(key, (values.added["scored"] == 0).astype(np.int64), 2)
    if values.score is not None:
        found, score = np.unique(values.score, return_inverse=True)
        key = extend_key(key, score, len(found))
    return key


def fold_rows(key: np.ndarray, batch: Batch, codes: dict[str, Coded],
              values: Values) -> tuple[np.ndarray, np.ndarray]:
    "First of the rows that are equal, and for each row which one that is."
    _, first, row = code_in_order(key)
    if batch.in_order: return first, row
    order = order_rows(codes, values, first)
    return first[order], np.argsort(order)[row]


def order_rows(codes: dict[str, Coded], values: Values, first: np.ndarray) -> np.ndarray:
    "Rows of an engine by model, question, outcome, answer and score."
    keys = [] if values.score is None else [values.score[first]]
    if values.answer is not None: keys.append(rank_answers(values.answer[first]))
    if values.correct is not None: keys.append(-np.nan_to_num(values.correct[first], nan=-1))
    keys.append(codes["question"].code[first])
    if "model" in codes: keys.append(codes["model"].code[first])
    return np.lexsort(keys)


def code_answers(answer: np.ndarray) -> np.ndarray:
    "A code for each distinct answer; 1, 1.0 and True are different."
    rows = answer.tolist()
    kinds = set(map(type, rows)) - {str, type(None)}
    # Labels of one kind, text and None are told apart as they are.
    labels = [(type(label), label) for label in rows] if len(kinds) > 1 else rows
    try: return code_equal(labels)[0]
    except TypeError: return np.arange(len(rows))


def rank_answers(answer: np.ndarray) -> np.ndarray:
    labels = [(type(label).__name__, str(label)) for label in answer.tolist()]
    rank = {label: i for i, label in enumerate(sorted(set(labels)))}
    return np.array([rank[label] for label in labels])
