"""Checks of what is passed, each with an error that names the rule, what was got, and where.

First single values and tables of 0/1 outcomes, then tables of votes and scores with the labels
of their answers, last runs that are added.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import reduce, wraps
from inspect import signature
from itertools import chain
from numbers import Real
from operator import add
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ..errors import OptionError, OptionTypeError
from ..spelling import list_choices, name_option, option

def faults(
    bad: ArrayLike,  # True where a question breaks the rule
    names: ArrayLike | None = None,  # Name of each question; its position if None
) -> str:  # Empty for a single unnamed value, else ` at question ... (m of Q fail)`
    "Where a rule is broken: the first offender by name, and how many there are."
    bad = np.asarray(bad)
    if bad.ndim == 0: return ""
    first = np.unravel_index(int(bad.argmax()), bad.shape)
    place = first[0] if bad.ndim == 1 else tuple(int(i) for i in first)
    name = place
    if names is not None: name = repr(np.asarray(names).astype(object)[place])
    return f" at question {name} ({int(bad.sum())} of {bad.size} fail)"


def make_array(
    name: str,  # What the caller calls the value
    value: Any,  # One of something, a list, or rows of one length
) -> np.ndarray:
    """The value as an array.

    Raises: `ValueError` for rows of several lengths.
    """
    if isinstance(value, np.ndarray): return value
    try: return np.asarray(value)
    except (ValueError, TypeError): pass
    raise ValueError(f"{name} must hold rows of one length, got {value!r:.60}")


def real_numbers(
    name: str,  # What the caller calls the value
    value: Any,  # Numbers of any shape; NaN is one of them
) -> np.ndarray:  # The same as floats
    """The value as floats, refused unless all of it are real numbers.

    Raises: `TypeError` for text, None and other kinds; `ValueError` for ragged rows.
    """
    array = make_array(name, value)
    if array.dtype.kind in "fiub" and not is_masked(value): return array.astype(float)
    # As they were given: numpy makes text of all that stand beside text.
    given = np.asarray(value, object).ravel().tolist()
    odd = [one for one in given if not isinstance(one, (Real, Decimal))]
    if odd or array.dtype.kind != "O" or is_masked(value):
        raise TypeError(f"{name} must hold numbers, got {odd[0] if odd else value!r:.60}")
    try: return np.array([float(one) for one in array.ravel()]).reshape(array.shape)
    except OverflowError: pass
    raise ValueError(f"{name} must hold numbers within the range of floats, got {value!r:.60}")


def real_number(
    name: str,  # What the caller calls the value
    value: Any,  # One number
) -> float:
    "One real number; raises as `real_numbers`, and `TypeError` for several."
    array = real_numbers(name, value)
    if array.ndim: raise TypeError(f"{name} must be one number, got {value!r:.60}")
    return float(array)


def list_entries(
    name: str,  # What the caller calls the value
    value: Any,  # Anything that holds entries
    of: str = "entries",  # What it should hold
) -> list:
    """The entries of a list, an array or another iterable.

    Raises: `TypeError` for anything else.
    """
    if np.ndim(value) == 0 if isinstance(value, np.ndarray) else not hasattr(value, "__iter__"):
        raise TypeError(f"{name} must be a list of {of}, got {value!r:.60}")
    return list(value)


def match_names(
    questions: Any,  # Name of each question; its position if None
    count: int,  # How many there are
) -> np.ndarray:  # Their names
    """Names of questions, one each.

    Raises: `ValueError` for another number of them, `TypeError` for what is no list.
    """
    if questions is None: return np.arange(count)
    names = make_array("questions", questions)
    if names.ndim != 1: raise TypeError(f"questions must be a list of names, got {questions!r:.60}")
    if len(names) != count:
        raise ValueError(f"questions must hold one value per question ({count}), got {len(names)}")
    return names


def make_generator(
    rng: Any,  # Seed or generator of whatever draws; None for seed 0
) -> np.random.Generator:
    "A generator of random numbers; raises as `check_rng`."
    check_rng(rng)
    return np.random.default_rng(0 if rng is None else rng)


def check_rng(
    rng: Any,  # Seed or generator of whatever draws
) -> None:
    """Refuse what starts no generator.

    Raises: `TypeError` for it.
    """
    seed = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0
    if not (rng is None or seed or isinstance(rng, np.random.Generator)):
        raise OptionTypeError("rng", must="be None, a whole number of at least 0 or a Generator",
                              got=rng)


def whole_number(
    name: str,  # What the caller calls it
    value: Any,  # A whole number
    least: int = 1,  # The smallest there may be
    most: int = 2**31 - 1,  # The largest
) -> int:  # The same
    """One whole number in a range.

    Raises: `TypeError` for another kind, `ValueError` outside the range.
    """
    kind = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not kind: raise TypeError(f"{name} must be an int, got {value!r:.60}")
    if least <= value <= most: return int(value)
    raise ValueError(f"need {name} >= {least}, got {value}" if value < least else
                     f"need {name} <= {most}, got {value}")


def is_masked(
    value: object,  # Anything
) -> bool:  # Whether it is a masked array of NumPy
    "True for a masked array."
    # np.ma is a slow import, and nobody holds a masked array without it
    return isinstance(value, np.ndarray) and hasattr(value, "mask")


def refuse_tables(
    name: str,  # What the caller calls the value
    value: object,  # Anything
    of: str = "numbers",  # What rows should hold
    first: str = "",  # What else may be written
) -> None:
    """Refuse a frame, whose columns would pass for questions, and a masked array.

    Raises: `TypeError` naming what to write instead.
    """
    if is_masked(value):
        raise TypeError(f"{name} must have no mask, got a masked array; "
                        "leave masked samples out of their row")
    if hasattr(type(value), "columns"):
        kind = type(value).__name__
        raise TypeError(f"{name} must be rows of {of}, got a {kind}, whose columns "
                        f"would pass for questions; write {first}frame.to_numpy() "
                        "for one row per question")


def refuse_mixed(
    name: str,  # What the caller calls the values
    values: Sequence,  # Values, or lists of them
    of: str = "numbers",  # What they should be if not flags
) -> None:
    """Refuse flags among numbers, and a value that is masked.

    Raises: `TypeError` naming one of each.
    """
    kinds = set(map(type, values))
    if kinds & {list, tuple}:
        for row in values:
            if isinstance(row, (list, tuple)): refuse_mixed(name, row, of)
    if any(kind.__name__ == "MaskedConstant" for kind in kinds):
        raise TypeError(f"{name} must have no mask, got a masked value; leave it out")
    flags = kinds & {bool, np.bool_}
    numbers = {kind for kind in kinds - flags if issubclass(kind, _NUMBERS)}
    if flags and numbers:
        flag = any(value for value in values if type(value) in flags)
        number = next(value for value in values if type(value) in numbers)
        raise TypeError(f"{name} must hold only bool or only {of}, "
                        f"got {flag} and {number}")


_NUMBERS = int, float, np.number, np.bool_


def whole_numbers(
    name: str,  # What the caller calls the value
    value: ArrayLike,  # Integers of any shape
) -> np.ndarray:  # The same numbers as int64
    """The value as int64, refused unless its dtype is an integer one.

    Raises: `TypeError` for bool, float, text, or masked values.
    """
    if isinstance(value, (list, tuple)): refuse_mixed(name, value, "integers")
    array = value if isinstance(value, np.ndarray) else make_array(name, value)
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one number, got none")
    if array.dtype.kind not in "iu" or is_masked(value):
        raise TypeError(f"{name} must hold integers, got {_describe(value, array)}")
    if array.dtype.kind == "u" and array.max() >= 2**63:
        raise ValueError(f"{name} must hold numbers below 2**63, got {array.max()}")
    # a read-only array cannot change behind our back, any other is copied;
    # asking for flags.writeable warns where np.broadcast_arrays made the array
    return array.astype(np.int64, copy=bool(array.flags.num & _WRITEABLE))


_WRITEABLE = 0x400


def _describe(value, array):
    if is_masked(value): return "a masked array"
    endless = array.dtype.kind == "O" and set(map(type, array.flat)) == {int}
    if endless: return "a number beyond 64 bits"
    if array.ndim == 0: return repr(array.item())
    if array.dtype.kind == "f":
        odd = ~(array == np.floor(array))
        if odd.any(): return f"{array[odd][0]}{faults(odd)}"
    return f"dtype {array.dtype}"


_P = ParamSpec("_P")
_R = TypeVar("_R")


def takes_counts(
    formula: Callable[_P, _R],  # A function of `n` and `c`, and of what else it takes
) -> Callable[_P, _R]:  # The same, which says what to type where outcomes are given
    "A decorator for functions of counts, which are often called with outcomes."
    needed = tuple(signature(formula).parameters)
    @wraps(formula)
    def run(*args: _P.args, **given: _P.kwargs) -> _R:
        first = make_array(needed[0], args[0] if args else 0)
        if first.ndim > 1 and len(args) + len(given) < len(needed):
            name = formula.__name__  # type: ignore[attr-defined]
            call = f"{name}({', '.join(('counts.n', 'counts.c') + needed[2:])})"
            raise TypeError(f"{name} takes counts ({', '.join(needed)}), got "
                            f"an array of shape {first.shape}; of outcomes type "
                            f"counts = counts_of(outcomes), then {call}")
        return formula(*args, **given)
    return run


def takes_samples(
    instead: str,  # The metric for flags alone
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:  # A decorator
    "For functions of answers or scores with flags, which are often called with flags alone."
    def decorate(formula: Callable[_P, _R]) -> Callable[_P, _R]:
        needed = [name for name, o in signature(formula).parameters.items()
                  if o.default is o.empty]
        @wraps(formula)
        def run(*args: _P.args, **given: _P.kwargs) -> _R:
            if missing := [name for name in needed[len(args):] if name not in given]:
                name = formula.__name__  # type: ignore[attr-defined]
                raise TypeError(f"{name} takes {', '.join(needed)}; got no "
                                f"{' and no '.join(missing)}; of flags alone type counts = "
                                f"counts_of(flags), then {instead}(counts.n, counts.c, k)")
            return formula(*args, **given)
        return run
    return decorate


def equal_fields(
    one: Any,  # A dataclass of arrays, plain values and further such objects
    other: Any,  # What it is compared with
) -> bool:  # Whether both are of one class and agree in every field
    "True where two dataclasses hold the same things."
    if type(one) is not type(other): return False
    pairs = ((getattr(one, o.name), getattr(other, o.name)) for o in fields(one)
             if o.compare)
    return all(_equal(a, b) for a, b in pairs)


def _equal(a, b):
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return type(a) is type(b) and bool(a == b)
    floats = a.dtype.kind == b.dtype.kind == "f"
    return np.array_equal(a, b, equal_nan=floats)


def zero_one(
    flat: ArrayLike,  # Outcomes of any kind, 1-D
    question: ArrayLike,  # Question of each outcome, 1-D
    times: ArrayLike | None = None,  # Samples behind each outcome; 1 if None
) -> np.ndarray:  # The outcomes as bool
    """Outcomes as booleans.

    Raises: `TypeError` for text, `ValueError` for anything but 0 and 1, each with the
    likely remedy.
    """
    values = np.asarray(flat)
    if values.dtype.kind == "b": return values
    if values.dtype.kind == "O" and all(isinstance(v, _NUMBERS) for v in values):
        refuse_mixed("correct", values.tolist(), "0/1")
        values = np.array(values.tolist())
    if values.dtype.kind not in "iuf":
        raise TypeError(f"correct must hold 0/1 or bool, got {_oddest(flat)!r}; "
                        "compare text with the gold answer first, leave out what "
                        "has no outcome")
    bad = (values != 0) & (values != 1)
    if not bad.any(): return values == 1
    first = int(bad.argmax())
    each = np.ones(values.size, int) if times is None else np.asarray(times)
    raise ValueError(f"correct must be 0 or 1, got {values[first]} "
                     f"at question {np.asarray(question)[first]!s} "
                     f"({int(each[bad].sum())} of {int(each.sum())} fail); "
                     f"{_advise(values[bad])}")


def _oddest(flat):
    def rank(value):
        "Text before other numbers, these before 0 and 1."
        return isinstance(value, _NUMBERS) and 1 + (value in (0, 1))
    return min(np.asarray(flat, object), key=rank)


def _advise(bad):
    if np.isnan(bad[0]): return "judge it, or choose a policy for missing samples"
    if (bad == 100).all(): return "are these percentages?"
    return "pass graded outcomes as score"


def count_outcomes(
    outcomes: Any,  # 0/1 or bool: a table, or rows that may differ in length
    questions: Sequence | None = None,  # Name of each question
) -> tuple[np.ndarray, np.ndarray]:  # Samples and correct samples per question
    """Row lengths and row sums of a table of outcomes.

    Raises: `ValueError` or `TypeError` unless every entry is 0, 1 or bool and every
    question has a sample.
    """
    table = _outcome_rows(outcomes)
    if isinstance(table, np.ndarray):
        right = _sum_zero_one(table)
        if right is not None:
            right.setflags(write=False)
            return np.broadcast_to(np.int64(table.shape[1]), len(table)), right
    n = np.fromiter(map(len, table), np.int64, len(table))
    if (n == 0).any():
        place = faults(n == 0, questions)
        raise ValueError(f"every question needs a sample, got none{place}")
    flat = table.ravel() if isinstance(table, np.ndarray) else _flatten_outcomes(table)
    names = match_names(questions, len(n))
    _refuse_pair(table)
    right = zero_one(flat, np.repeat(names, n))
    return n, np.add.reduceat(right, np.cumsum(n) - n, dtype=np.int64)


def _refuse_pair(table):
    "Refuse `n` and `c` in the place of two rows of outcomes."
    if len(table) != 2 or len(table[0]) != len(table[1]): return
    n, c = map(np.asarray, table)
    if n.dtype.kind not in "iu" or c.dtype.kind not in "iu" or n.max() < 2: return
    if n.min() < 1 or c.min() < 0 or (c > n).any(): return
    raise ValueError("outcomes must be 0 or 1, got what looks like n and c of "
                     f"{len(n)} questions; type Counts(n, c)")


def _flatten_outcomes(rows):
    flat = list(chain.from_iterable(rows))
    refuse_mixed("correct", flat, "0/1")
    return np.array(flat)


def _outcome_rows(outcomes):
    "A 2-D array, or a list of rows."
    refuse_tables("outcomes", outcomes, "0/1",
                  "score(frame) for a table with named columns, ")
    if isinstance(outcomes, np.ndarray): table = np.atleast_1d(outcomes)
    else: table = list_entries("outcomes", outcomes, "rows of 0/1")
    if isinstance(table, np.ndarray) and table.dtype.kind == "O": table = list(table)
    if len(table) == 0:
        raise ValueError("outcomes must hold at least one question, got none")
    if np.ndim(table[0]) == 1 and (
            isinstance(table, np.ndarray) or all(map(_is_row, table))):
        return table
    _refuse_deep(table)
    raise ValueError("outcomes must hold one row per question; write [x] for one "
                     "question, or x[:, None] for one sample per question")


def _refuse_deep(table):
    "Refuse tables in a row, with one dimension too many."
    shapes = list(map(np.shape, table)) if all(map(_is_regular, table)) else []
    if not shapes or min(map(len, shapes)) < 2: return
    got = f"{len(table)} tables"
    if len(set(shapes)) == 1: got = f"shape {(len(table), *shapes[0])}"
    raise ValueError("outcomes must have two dimensions, questions by samples, "
                     f"got {got}; if the first is of systems, type x[0] for the first "
                     "of them, or compare(x[0], x[1])")


def _is_regular(table):
    "Whether a table has a shape."
    try: np.shape(table)
    except ValueError: return False
    return True


def _is_row(row):
    if is_masked(row):
        raise TypeError("outcomes must have no mask, got a masked row; "
                        "leave masked samples out of their row")
    return hasattr(row, "__len__") and not isinstance(row, (str, bytes))


def _sum_zero_one(table):
    "The ones in each row of an array; None unless all its entries are plainly 0 or 1."
    if table.size == 0: return None
    if table.dtype.kind == "b": return _count_ones(table)
    if table.dtype.kind not in "iu": return None
    # another bit than the lowest, also a sign, shows in the union of all numbers
    if int(np.bitwise_or.reduce(table, axis=None)) not in (0, 1): return None
    return table.sum(1, dtype=np.int64)


def _count_ones(table):
    rows, width = table.shape
    if width % 8 or not hasattr(np, "bitwise_count"):
        narrow = np.uint8 if width < 256 else np.int64
        return table.view(np.uint8).sum(1, dtype=narrow).astype(np.int64)
    # eight outcomes to a byte, and bytes joined to the longest word that fits the row
    packed = np.packbits(table.reshape(-1)).reshape(rows, width // 8)
    size = next(o for o in (8, 4, 2, 1) if packed.shape[1] % o == 0)
    ones = np.bitwise_count(packed.view(f"u{size}"))
    right = ones[:, 0].astype(np.int64)
    for column in range(1, ones.shape[1]): right += ones[:, column]
    return right


# Labels of answers: equal ones, blank ones, and checks of tables of votes and scores.


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
    if isinstance(rule, str) and rule in _normalizers: return _normalizers[rule](label)
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
    rules = option("conflict", "any", "majority", "mean")
    way = f"choose {rules}, or a finer {name_option('normalize')}"
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
    if no_answer is not None and no_answer not in ["abstain", "vote"]:
        raise OptionError("no_answer", choices=("abstain", "vote"), got=no_answer)
    rules = "refuse", "any", "majority", "mean"
    if conflict not in rules: raise OptionError("conflict", choices=rules, got=conflict)
    if not callable(normalize): normalized("", normalize)


def check_places(question, questions):
    "The position of each row's question, and the names of the questions."
    question = whole_numbers("question", question)
    if question.ndim != 1: raise ValueError(f"question must be 1-D, got shape {question.shape}")
    if questions is None: whole_number("question", int(question.max()), 0)
    size = question.max() + 1 if questions is None else len(list_entries("questions", questions))
    names = match_names(questions, size)
    bad = (question < 0) | (question >= len(names))
    if bad.any():
        got = f"{question[bad][0]} ({bad.sum()} of {len(bad)} fail)"
        raise ValueError(f"question must lie in 0..{len(names) - 1}, got {got}")
    return question, names


def check_table(question, answers, correct, votes, questions):
    "The columns of a table of votes, checked, and the names of the questions."
    question, names = check_places(question, questions)
    answers = answers.tolist() if isinstance(answers, np.ndarray) else answers
    answers = list_entries("answers", answers, "labels")
    correct = np.atleast_1d(make_array("correct", correct))
    if votes is None: votes = np.ones(len(question), np.int64)
    votes = whole_numbers("votes", votes)
    rows = {len(x) for x in (question, answers, correct, np.atleast_1d(votes))}
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
    if not isinstance(table, np.ndarray) or not table.ndim:
        table = list_entries(name, table, "rows, one a question")
    if len(table) == 0:
        raise ValueError(f"{name} must hold at least one question, got none")
    if isinstance(table, np.ndarray) and table.ndim > 1:
        return table, np.full(len(table), table.shape[1], np.int64)
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


# Runs of one system that are added.


def place_runs(
    runs: Sequence[Any],  # `Counts` of one system, at least one
) -> list[np.ndarray]:  # Row of each run's questions, in the order of the first run
    """Where the questions of the first run stand in every run.

    Raises: `ValueError` unless all runs have the same questions, fields and clusters, and
    no sample twice.
    """
    for run in runs[1:]: _check_same_questions(runs[0], run)
    _check_same_fields(runs)
    _check_samples(runs)
    orders = [_find_rows(run, runs[0].questions.tolist()) for run in runs]
    for run, order in zip(runs[1:], orders[1:]): _check_clusters(runs[0], run, order)
    return orders


def add_fields(
    runs: Sequence[Any],  # `Counts` of one system
    orders: list[np.ndarray],  # As `place_runs` finds them
) -> dict[str, Any]:  # Fields of their sum, by name
    "Every field that adds up, added question by question."
    def total(values):
        if any(value is None for value in values): return None
        return sum(value[order] for value, order in zip(values, orders))
    added = {name: total([getattr(run, name) for run in runs])
             for name in ("n", "c", "missing", "score_sum")}
    sums = {name: total([run.sums[name] for run in runs]) for name in runs[0].sums}
    named = {name: _add_named(runs, name) for name in ("votes", "rewards")}
    ids = [run.samples for run in runs]
    samples = None if any(o is None for o in ids) else np.concatenate(ids)
    return added | named | dict(sums=sums, samples=samples)


def _check_same_questions(first, run):
    one, other = set(first.questions.tolist()), set(run.questions.tolist())
    if one == other: return
    sides = [sorted(map(str, o))[:3] for o in (one - other, other - one)]
    raise ValueError("runs must cover the same questions, got only in the first "
                     f"{sides[0]}, only in another {sides[1]}")


def _check_same_fields(runs):
    for name in "c", "score_sum", "cluster", "votes", "rewards":
        held = sum(getattr(run, name) is not None for run in runs)
        if 0 < held < len(runs): _refuse_part(name, held, runs, f"{name}=None")
    for name in sorted(set().union(*(run.sums for run in runs))):
        held = sum(name in run.sums for run in runs)
        if held < len(runs): _refuse_part(f"sums of {name!r}", held, runs, "sums={}")


def _check_samples(runs):
    models = list(dict.fromkeys(run.model for run in runs if run.model))
    if len(models) > 1:
        raise ValueError("counts of one system are added, got those of "
                         f"{models[0]!r} and {models[1]!r}")
    known = [run.samples for run in runs if run.samples is not None]
    hashes, times = np.unique(np.concatenate(known or [[]]), return_counts=True)
    if (times > 1).any():
        raise ValueError(f"each sample must appear once, got {(times > 1).sum()} of "
                         f"{len(hashes)} compared sample ids in two runs")


def _refuse_part(name, held, runs, without):
    raise ValueError("runs must hold the same fields, "
                     f"got {name} in {held} of {len(runs)}; "
                     f"read them alike, or leave it out with replace(run, {without})")


def _find_rows(run, names):
    place = {name: i for i, name in enumerate(run.questions.tolist())}
    return np.array([place[name] for name in names])


def _check_clusters(first, run, order):
    if first.cluster is None: return
    bad = first.cluster != run.cluster[order]
    if not np.any(bad): return
    one, other = first.cluster[bad].tolist()[0], run.cluster[order][bad].tolist()[0]
    raise ValueError("runs must agree on the cluster of a question, "
                     f"got {one!r} and {other!r}"
                     f"{faults(bad, first.questions.tolist())}")


def _add_named(runs, name):
    "Votes or rewards; they find each other by the names of the questions."
    if getattr(runs[0], name) is None: return None
    return reduce(add, (replace(getattr(o, name), questions=o.questions) for o in runs))


def refuse_unlike(runs):
    "Refuse runs of which some abstain without an answer, and others vote for none."
    abstain = any(run.blank.any() for run in runs)
    if abstain and any(answer is None for run in runs for answer in run.answer):
        raise OptionError("no_answer", "runs must treat missing answers alike",
                          found=f"one with {option('no_answer', 'abstain')} and one with "
                                f"{list_choices(['vote'])}")


def match_questions(runs):
    "The names of the first run, and the place of each run's questions among them."
    names = runs[0].questions
    place = {name: i for i, name in enumerate(names.tolist())}
    for run in runs:
        odd = place.keys() ^ set(run.questions.tolist())
        if odd:
            raise ValueError("runs must cover the same questions, "
                             f"got {sorted(map(str, odd))[:3]} in one only")
    return names, [np.array([place[o] for o in run.questions.tolist()]) for run in runs]
