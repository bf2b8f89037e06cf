"Labels of answers: equal ones, blank ones, and checks of tables of votes and scores."
from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import chain

import numpy as np

from ..errors import OptionError, OptionTypeError, list_choices, name_option, option
from .checks import faults, is_masked, refuse_mixed, refuse_tables, whole_numbers, zero_one


_number_text = re.compile(
    r"[-+]?([0-9]{1,3}(,[0-9]{3})+|[0-9]{1,300})?"
    r"(\.[0-9]{1,300})?([eE][-+]?[0-9]{1,3})?"
    r"|[-+]?[0-9]{1,300}/0{0,9}[1-9][0-9]{0,300}")


def _strip(label): return label.strip() if isinstance(label, str) else label


def _lower(label): return label.strip().lower() if isinstance(label, str) else label


def _value(label):
    text = _strip(repr(float(label)) if isinstance(label, float) else label)
    if not _is_number(text): return label if isinstance(label, float) else text
    if text.lstrip("+-")[0] in "eE": return text
    value = Fraction(text.replace(",", ""))
    return value.numerator if value.denominator == 1 else value


def _is_number(text):
    if not isinstance(text, str) or not any(map(str.isdigit, text)): return False
    return _number_text.fullmatch(text) is not None


_normalizers = {"strip": _strip, "lower": _lower, "number": _value}


def normalized(
    label: Hashable,  # One label that is not blank
    rule: str | Callable | None,  # `"strip"`, `"lower"`, `"number"`, a function, or None
) -> Hashable:  # The label under which a sample votes
    """The label after a rule for equal answers.

    Value: `"number"` gives an int or a `Fraction` for text such as `"1,000"`, `"0.50"`,
    `"1e3"` or `"1/2"`, and stripped text for the rest.

    Raises: `ValueError` for an unknown name of a rule.
    """
    if rule is None: return label
    if callable(rule): return rule(label)
    if rule in _normalizers: return _normalizers[rule](label)
    raise OptionError("normalize", must="be 'strip', 'lower', 'number', a function or None",
                      got=rule)


def is_blank(
    label: object,  # One label
) -> bool:  # Whether no answer could be read
    "True for None, empty text, NaN, and pandas' NA and NaT."
    if label is None or type(label).__name__ in ("NAType", "NaTType"): return True
    if isinstance(label, str): return label == ""
    return isinstance(label, (float, np.floating)) and label != label


def number_labels(labels):
    "The distinct labels in order of appearance, and the place of every label."
    place = dict.fromkeys(labels)
    place = dict(zip(place, range(len(place))))
    code = np.fromiter(map(place.__getitem__, labels), np.int64, len(labels))
    return list(place), code


def _check_hashable(labels, question, names):
    for label, q in zip(labels, question):
        try: hash(label)
        except TypeError:
            kind, name = type(label).__name__, names.tolist()[q]
            way = f"pass {option('normalize', str)} or another function that makes them so"
            raise OptionTypeError("normalize", "answers must be hashable",
                                  found=f"{kind} {label!r:.60}", where=f" at question {name!r}",
                                  hint=way) from None


def number_answers(answers, rule, question, names):
    "The labels under which answers vote, None for blank ones, and the label of each."
    try: labels, code = number_labels(answers)
    except TypeError:
        if not callable(rule): _check_hashable(answers, question, names)
        answers, rule = [a if is_blank(a) else rule(a) for a in answers], None
        _check_hashable(answers, question, names)
        labels, code = number_labels(answers)
    clean = [None if is_blank(a) else normalized(a, rule) for a in labels]
    labels, again = number_labels([None if is_blank(a) else a for a in clean])
    return labels, again[code]


def refuse_conflicts(question, answer, votes, right, names):
    "Refuse an answer that is right in one sample of a question and wrong in another."
    bad = np.flatnonzero((right > 0) & (right < votes))
    if len(bad) == 0: return
    shown = "; ".join(
        f"{answer[i]!r:.60} ({right[i]} right, {votes[i] - right[i]} wrong) "
        f"at question {names[question[i]]!r}" for i in bad[:3])
    way = f"choose {option('conflict', 'any', 'majority')}, or a finer {name_option('normalize')}"
    raise OptionError("conflict", "an answer must be right or wrong throughout a question",
                      found=shown, where=f" ({len(bad)} of {len(votes)} answers fail)", hint=way)


def refuse_look_alikes(question, answer, names):
    "Refuse a number beside its own text."
    if len({isinstance(a, str) for a in answer if a is not None}) < 2: return
    as_text = [a if isinstance(a, str) else str(a).removesuffix(".0") for a in answer]
    text = number_labels(as_text)[1]
    key = question * (text.max() + 1) + text
    _, first, times = np.unique(key, return_index=True, return_counts=True)
    if (times == 1).all(): return
    i = first[times > 1][0]
    way = f"pass {option('normalize', 'number', str)}"
    raise OptionError("normalize", "a number and its text are different answers",
                      found=f"both for {answer[i]!r}",
                      where=f" at question {names[question[i]]!r}", hint=way)


def check_rules(no_answer, conflict, normalize):
    "Refuse unknown names of rules."
    if no_answer not in (None, "abstain", "vote"):
        raise OptionError("no_answer", choices=("abstain", "vote"), got=no_answer)
    if conflict not in ("refuse", "any", "majority"):
        raise OptionError("conflict", choices=("refuse", "any", "majority"), got=conflict)
    if not callable(normalize): normalized("", normalize)


def check_places(question, questions):
    "The position of each row's question, and the names of the questions."
    question = whole_numbers("question", question)
    if questions is None: questions = np.arange(question.max() + 1)
    names = np.asarray(questions)
    bad = (question < 0) | (question >= len(names))
    if bad.any():
        got = f"{question[bad][0]} ({bad.sum()} of {len(bad)} fail)"
        raise ValueError(f"question must lie in 0..{len(names) - 1}, got {got}")
    return question, names


def check_table(question, answers, correct, votes, questions):
    "The columns of a table of votes, checked, and the names of the questions."
    question, names = check_places(question, questions)
    answers = answers.tolist() if isinstance(answers, np.ndarray) else list(answers)
    if votes is None: votes = np.ones(len(question), np.int64)
    votes = whole_numbers("votes", votes)
    rows = {len(x) for x in (question, answers, correct, votes)}
    if len(rows) > 1:
        raise ValueError("question, answers, correct and votes must have one length, "
                         f"got {sorted(rows)}")
    right = zero_one(correct, names[question])
    if (votes < 1).any(): raise ValueError(f"need votes >= 1, got {votes.min()}")
    return question, answers, right, votes, names


def check_blank(blank, right, votes, name, no_answer):
    "Refuse blank answers without a rule, and right ones that abstain."
    if no_answer is None:
        abstain, vote = option("no_answer", "abstain"), list_choices(["vote"])
        raise OptionError("no_answer", "samples without an answer need a rule",
                          found=f"{votes[blank].sum()} of {votes.sum()}",
                          where=f", first at question {name[blank.argmax()]!r}",
                          hint=f"choose {abstain} (no vote) or {vote} (an answer of their own)")
    bad = blank & right
    if bad.any():
        raise OptionError("no_answer", "a sample that abstains cannot be right",
                          found=f"one at question {name[bad.argmax()]!r}",
                          where=f" ({votes[bad].sum()} of {votes.sum()} fail)",
                          hint=f"extract its answer, or choose {option('no_answer', 'vote')}")


def _is_flat(row): return isinstance(row, (str, bytes)) or not hasattr(row, "__len__")


def check_rows(name, table):
    "A table by rows, and the length of each."
    refuse_tables(name, table)
    table = table if isinstance(table, np.ndarray) else list(table)
    if len(table) == 0:
        raise ValueError(f"{name} must hold at least one question, got none")
    for row in filter(is_masked, table): refuse_tables(name, row)
    if any(map(_is_flat, table)):
        raise ValueError(f"{name} must hold one row per question; "
                         "write [x] for one question")
    return table, np.fromiter(map(len, table), np.int64, len(table))


def flatten(table):
    "All entries of a table, row by row."
    if isinstance(table, np.ndarray): return table.ravel()
    return list(chain.from_iterable(table))


def check_same_lengths(first, n, second, m, names):
    "Refuse rows of two tables that differ in length, and empty ones."
    if len(n) != len(m):
        raise ValueError(f"{first} and {second} must cover the same questions, "
                         f"got {len(n)} and {len(m)}")
    bad = n != m
    if bad.any():
        raise ValueError(f"{first} and {second} must have one length, "
                         f"got {n[bad][0]} and {m[bad][0]}{faults(bad, names)}")
    bad = n == 0
    if bad.any():
        place = faults(bad, names)
        raise ValueError(f"every question needs a sample, got none{place}")


def check_real(score, names):
    "Scores as floats, NaN where missing; anything else is refused."
    if isinstance(score, np.ndarray) and score.dtype.kind in "fiub":
        return score.astype(float)
    # empty text is no missing score: it is text
    numbers = [np.nan if is_blank(x) and x != "" else x for x in score]
    refuse_mixed("scores", numbers)
    bad = np.array([not _is_real(x) for x in numbers], bool)
    if bad.any():
        first = bad.argmax()
        raise TypeError(f"scores must be numbers, got {numbers[first]!r:.60} "
                        f"at question {names[first]!s} "
                        f"({bad.sum()} of {bad.size} fail)")
    return np.array(numbers, float)


def _is_real(x): return np.isscalar(x) and not isinstance(x, _NO_NUMBERS)


_NO_NUMBERS = str, bytes, complex, np.datetime64, np.timedelta64
