"""Which column plays which part: one ordered list of rules, and what each of them decided.

`RULES` is the whole order: what the caller says, what a name says whose values lie as the name
implies, and what the values show without a name, which is asked about and never pooled. A rule
gives a part its column, or refuses; those after `COUNTED` look at rows that are taken already.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

import numpy as np

from ..errors import OptionError
from ..results.reading import ReadNote
from ..spelling import option
from .column_names import (has_word, is_known, is_property, is_target, names_id, names_row,
                           names_sample, names_setting, OUTCOMES)
from .columns import (Batch, COLUMNS, FILE, Keep, RUNS, Source, choose_columns, find_task,
                      join_source, list_columns, name_asked, simplify, take_here)
from .counted import CountedRows
from .identity import (FIRST, MANY, are_numbers, check_duplicates, choose_files, find_marks,
                       join_heads, list_scope, list_unused, read_name,
                       refuse_named_runs, refuse_other_text, refuse_others, refuse_row_ids,
                       find_texts)
from .options import Options
from .shapes import NUMBER, PLACE
from .structure import find_spread
from .values import (PAIRS, are_words, code_values, find_varied, is_absent, join_codes,
                     join_columns, order_value)

__all__ = ["Case", "Decision", "RULES", "Rule", "explain_repeat", "identify", "inspect_rows"]

FEW, LONG, SHORT = 50, 200, 40  # Values of a float, letters of a setting, letters of a number
JUDGED = {word for pair in PAIRS for word in pair} - set("true false t f 1 0 yes no y n".split())
CALLED = dict(correct="an outcome", answer="an answer")
MOST_FEW = 30  # Questions that are looked at however many rows they have
LEVELS = 3  # Columns that number samples together, at most


class Decision(NamedTuple):
    "What a rule decided."
    rule: str  # Its name
    part: str  # Such as question or sample
    column: str
    why: str  # Such as `unique in every row`


@dataclass
class Case:
    "A table on its way from columns to samples."
    sources: list[Source]
    options: Options
    clusters: bool = False  # Whether clusters are wanted
    chosen: dict[str, str] = field(default_factory=dict)  # Column of each part
    decided: list[Decision] = field(default_factory=list)
    warnings: tuple[ReadNote, ...] = ()
    seen: dict[str, np.ndarray] = field(default_factory=dict)  # First rows of columns
    batch: Batch | None = None  # All rows, once they are taken
    rows: CountedRows | None = None  # The same, counted
    columns: list[str] = field(init=False)  # Of all sources, each once

    def __post_init__(self) -> None: self.columns = list_columns(self.sources)

    @property
    def files(self) -> list[str]: return [file for one in self.sources for file in one.files]

    def see(self, columns: Sequence[str]) -> dict[str, np.ndarray]:
        "The first rows of some columns, all rows of what is small; each is fetched once."
        missing = [column for column in dict.fromkeys(columns) if column not in self.seen]
        if FILE in missing: self.seen[FILE] = self.see_files()
        plain = [column for column in missing if column != FILE]
        if plain: self.seen |= join_heads(self.sources, plain)
        return {column: self.seen[column] for column in columns}

    def see_whole(self) -> bool:
        "Whether whole questions were left to see from now on, in the place of the first rows."
        assert self.batch is not None
        if not any(source.whole for source in self.sources): return False
        code, names = code_values(self.batch.parts["question"])
        times = np.bincount(code, self.batch.times)
        if times.sum() == len(times) or times.sum() <= FIRST // max(1, len(self.files)):
            return False
        some = choose_whole(names, times)
        self.sources = [replace(source, head=partial(see_some, source, self.chosen["question"],
                                                     some))
                        if source.whole else source for source in self.sources]
        self.seen.clear()
        return True

    def see_files(self) -> np.ndarray:
        "The file of each row; where an engine holds them nothing is told apart."
        if any(source.head and source.verb == "counted" for source in self.sources):
            return np.zeros(len(next(iter(self.see([self.chosen["question"]]).values()))))
        parts = [take_here(source, {"question": self.chosen["question"], "file": FILE}, Keep())
                 for source in self.sources]
        return np.concatenate([batch.parts["file"] for batch in parts])

    def code(self, columns: Sequence[str]) -> np.ndarray:
        "One code for the values of some columns in the rows that are seen."
        return join_columns(self.see(columns).values())

    def list_unused(self) -> list[str]:
        return list_unused(self.columns, self.chosen, self.options)

    def is_told(self, part: str) -> bool: return self.options.columns.get(part) is not None

    def decide(self, rule: str, part: str, column: str, why: str) -> None:
        "Give a part its column, in the order of all parts."
        self.chosen[part] = column
        self.chosen = {name: self.chosen[name] for name in COLUMNS if name in self.chosen}
        self.note(rule, part, column, why)

    def note(self, rule: str, part: str, column: str, why: str) -> None:
        self.decided.append(Decision(rule, part, column, why))


@dataclass(frozen=True)
class Rule:
    "A row of the list: what it needs, what it decides, and when it refuses."
    name: str
    needs: str
    decides: str
    refuses: str = ""  # Empty: never
    apply: Callable[[Case], None] = lambda case: None
    counted: bool = False  # Whether it looks at rows that are taken


def choose_whole(names: Sequence, times: np.ndarray) -> list:  # At least some, of few rows
    "Questions of which all rows are looked at, wherever they stand in the data."
    order = np.argsort([crc32(repr(name).encode()) for name in names], kind="stable")
    rows = np.cumsum(times[order])
    size = max(MOST_FEW, int(np.searchsorted(rows, FIRST, "right")))
    return [names[at] for at in order[:size].tolist()]


def see_some(source: Source, question: str, names: Sequence, columns: Sequence[str],
             size: int) -> dict[str, np.ndarray]:
    "Columns of the rows of some questions, as those of the first rows are asked for."
    assert source.whole is not None
    return source.whole(columns, question, names)


# What is told, and what a name says.

def follow_options(case: Case) -> None:
    "Parts as the caller names them, or as what a row holds."
    given = case.options.given
    for part, column in case.options.columns.items():
        asked = {part, name_asked(part)} & {*given}
        why = "as you say" if asked else "what a row holds"
        if isinstance(column, str): case.note("told", part, column, why)


def take_task(case: Case) -> None:
    "A lone column such as task, each of whose trials has a number."
    found = find_task(case.sources, [c for c in case.columns if c not in case.options.ignore],
                      case.options.columns)
    for part, column in found.items():
        case.note("task", part, str(column), "no other column is called as a question, and its "
                                             "trials have numbers")
    case.chosen |= {part: str(column) for part, column in found.items()}


def take_names(case: Case) -> None:
    "The column of each part by its name, where several are called so by their values."
    options, task = case.options, dict(case.chosen)
    named = {**options.columns, **task}
    # Samples are numbered by a rule of their own, which looks at values.
    if not case.is_told("sample"): named["sample"] = False
    offered = [name for name in case.columns if name not in options.ignore]

    def settle(part: str, found: list[str]) -> list[str]: return settle_part(case, part, found)
    found = choose_columns(offered, named, options.sums, settle)
    case.chosen = choose_files(found, options, case.files)
    known = {one.part for one in case.decided}
    for part, column in case.chosen.items():
        if part not in known and column != FILE:
            case.note("name", part, column, f"called as {CALLED.get(part, f'a {part}')}")


def settle_part(case: Case, part: str, found: list[str]) -> list[str]:
    "Of several columns that are called alike: one, where they name the same or one is finest."
    columns = list(case.see(found).values())
    try: codes = [code_values(column)[0] for column in columns]
    except TypeError: return found
    if part == "question": return settle_question(found, codes)
    if part == "model":
        real = [c for c, column in zip(found, columns) if not holds_prompts(c, column)]
        codes = [code for c, code in zip(found, codes) if c in real]
        found = real
        if found and all(are_aliases(codes[0], code) for code in codes[1:]): return found[:1]
        return found
    return found


def settle_question(found: list[str], codes: list[np.ndarray]) -> list[str]:
    "The finest of several names of questions, if it is no number of rows within a question."
    sizes = [len(np.unique(code)) for code in codes]
    if max(sizes) < 2: return found
    finest = int(np.argmax(sizes))
    if not all(is_function(codes[finest], code) for code in codes): return found
    for size, code in zip(sizes, codes):
        if size == sizes[finest]: continue
        merged = np.bincount(code)[code] > np.bincount(codes[finest])[codes[finest]]
        if merged.sum() >= .5 * len(merged): return found
    return [found[finest]]


def is_function(one: np.ndarray, other: np.ndarray) -> bool:
    "Whether each value of one column stands beside one value of the other."
    return not find_varied(one, other).any()


def are_aliases(one: np.ndarray, other: np.ndarray) -> bool:
    "Whether two columns are one by two names."
    return is_function(one, other) and is_function(other, one)


def take_words(case: Case) -> None:
    "A column such as verdict, of words for right and wrong, where no column is the outcome."
    if {"correct", "score"} & case.chosen.keys() or case.options.columns.get("correct") is False:
        return
    able = [c for c in case.list_unused()
            if has_word(c, OUTCOMES | {"outcome", "result", "judgement", "judgment"})][:MANY]
    found = [c for c, values in case.see(able).items() if hold_words(values)]
    if len(found) == 1: case.decide("words", "correct", found[0], "words for right and wrong")


def hold_words(values: np.ndarray) -> bool:
    "Whether all values are words for right and wrong, and none a number."
    texts = {str(value).strip() for value in values.tolist() if not is_absent(value)}
    plain = any(not isinstance(value, str) for value in values.tolist() if not is_absent(value))
    return bool(texts) and not plain and not texts & {"0", "1"} and are_words(values)


def leave_prompts(case: Case) -> None:
    "A column system of sentences, which is no system."
    column = case.chosen.get("model", "")
    if simplify(column) != "system" or case.is_told("model"): return
    if not holds_prompts(column, case.see([column])[column]): return
    del case.chosen["model"]
    case.decided = [one for one in case.decided if one.part != "model"]
    case.note("prompts", "", column, "sentences, and so no system")


def holds_prompts(column: str, values: np.ndarray) -> bool:
    "Whether a column called system holds what a model is told."
    if simplify(column) != "system": return False
    texts = {value.strip() for value in values.tolist() if isinstance(value, str)}
    return any(len(text) > 60 or text.startswith("You are") or len(text.split()) > 4
               or text.endswith((".", "!")) and len(text.split()) > 2 for text in texts)


# Numbers of samples.

def number_samples(case: Case) -> None:
    "The column that numbers the samples of a question, or several that do together."
    if case.is_told("sample"): return
    unused = case.list_unused()
    known = [c for c in unused if simplify(c) in COLUMNS["sample"]]
    known.sort(key=lambda column: simplify(column) in RUNS)
    worded = [c for c in unused if c not in known and names_sample(c)]
    left = [c for c in unused if not (is_known(c) or names_id(c) or names_setting(c))][:MANY]
    scope = code_scope(case)
    if scope is None: return
    codes = {c: code_values(values)[0] for c, values in case.see([*known, *worded]).items()
             if c in known or is_short(values)}
    varied = {c: code for c, code in codes.items() if find_varied(scope, code).any()}
    for column, code in varied.items():
        if is_unique(scope, [code]): return number_by(case, [column], "numbers its samples")
    for levels in range(2, LEVELS + 1):
        for columns in combinations(varied, levels):
            if not is_unique(scope, [varied[c] for c in columns]): continue
            return number_by(case, list(columns), "number its samples together")
    if known: return number_by(case, known[:1], "called as a sample")
    for column, values in case.see(left).items():
        code, names = code_setting(values)
        if not names or not are_numbers(names) or not find_varied(scope, code).any(): continue
        if is_unique(scope, [code]):
            return number_by(case, [column], "numbers from 0 or 1 on, each once a question")


def code_scope(case: Case) -> np.ndarray | None:
    "The question of each row that is seen, of each system, task and file."
    marks = find_marks(case.columns, case.chosen, case.options, case.files)
    parts = [case.chosen[part] for part in ("question", "group", "model") if part in case.chosen]
    parts += [column for part, column in marks.items() if part.startswith("task ")]
    # A sample with a number may stand in any file, unless files hold samples of their own.
    if case.options.files_hold == "draws" and len(case.files) > 1: parts.append(FILE)
    try: scope = case.code(parts)
    except TypeError: return None
    return scope if len(scope) else None


def is_unique(scope: np.ndarray, codes: Sequence[np.ndarray]) -> bool:
    "Whether no number stands twice in one question."
    key = scope
    for code in codes: key = join_codes(key, code)
    return len(np.unique(key)) == len(key)


def is_short(values: np.ndarray) -> bool:
    "Whether values may number samples: no fractions, and no texts that somebody would read."
    return all(isinstance(value, int) or isinstance(value, str) and len(value) <= SHORT
               for value in values.tolist())


def number_by(case: Case, columns: list[str], why: str) -> None:
    "Name the samples by one column, or by several together."
    name = ",".join(columns)
    if len(columns) > 1:
        case.sources = [join_source(source, columns) for source in case.sources]
        case.columns = list_columns(case.sources)
        case.seen.clear()
    case.decide("sample", "sample", name, why)


# What the values of other columns show, once rows are counted.

def list_settings(case: Case, scope: Sequence[str], systems: Sequence[str],
                  columns: Sequence[str]) -> Iterator[tuple[str, list, bool]]:
    "Columns by design without a name: each with its values, and whether each stands once."
    if not columns: return
    inner, system = case.code(scope), case.code(systems) if systems else None
    outer = [name for name in scope if name not in systems]
    question = case.code(outer)
    sample = case.chosen.get("sample")
    number, few = None, len(np.unique(question)) < 6
    if sample is not None and set(sample.split(",")) <= {*case.columns}:
        number = [code_values(case.see([c])[c])[0] for c in {sample, *sample.split(",")}]
    for column, values in case.see(columns).items():
        code, names = code_setting(values)
        if not names or not find_varied(inner, code).any() or are_judged(names): continue
        known = system if system is not None else np.zeros(len(code), np.int64)
        if not find_spread(question, known, code).designed: continue
        if few and is_uneven(known, code): continue
        if number is not None and any(are_aliases(one, code) for one in number): continue
        once = is_unique(inner, [code])
        if once and are_numbers(names) and not names_setting(column): continue
        yield column, names, once


def is_uneven(system: np.ndarray, code: np.ndarray) -> bool:
    "Whether one value is twice as common as another: in few questions chance does as much."
    inner = find_varied(system, code)
    times = np.unique(join_codes(system, code)[inner], return_counts=True)[1]
    return bool(times.max() > 2 * times.min())


def code_setting(values: np.ndarray) -> tuple[np.ndarray, list]:
    "The code of each value, and the values, where they may be settings; else nothing."
    first = values[:1000].tolist()
    if any(isinstance(value, (list, tuple, dict, np.ndarray)) for value in first): return NONE
    # Most columns are dismissed by their first values, long before all are compared.
    if len(set(map(str, first))) > max(FEW, len(first) // 2): return NONE
    code, names = code_values(values)
    if not 1 < len(names) <= max(2, len(values) // 2): return NONE
    if any(isinstance(name, str) and len(name) > LONG for name in names): return NONE
    if len(names) > FEW and any(map(is_fraction, names)): return NONE
    return code, names


def are_judged(names: Sequence) -> bool:
    "Whether values are words for right and wrong that are no setting, as yes and no may be."
    return {str(name).strip().lower() for name in names if not is_absent(name)} <= JUDGED


NONE: tuple[np.ndarray, list] = np.array([]), []


def is_fraction(value: object) -> bool:
    "Whether a value is a number with a fraction, or its text."
    try: return float(value) % 1 != 0  # type: ignore[arg-type]
    except (TypeError, ValueError): return False


def refuse_settings(case: Case) -> None:
    "Ask about columns by design: pooled, their samples would be those of no system."
    assert case.batch is not None
    scope = list_scope(case.batch, case.chosen)
    model = case.chosen.get("model")
    systems = [model] if model in scope else []
    strays = [c for c in case.list_unused() if not is_known(c) and c not in (PLACE, NUMBER)][:MANY]
    found = list(list_settings(case, scope, systems, strays))
    if not found: return
    column, names, once = found[0]
    also = ", ".join(repr(other) for other, *_ in found[1:])
    together = f"{model},{column}" if systems else column
    number = name_number(case, scope, column, once)
    draws = f"{option('sample', number)} if they are draws, " if number else ""
    raise OptionError(
        "model", f"column {column!r} takes the same values ({show_names(names)}) in every "
                 f"question{f', and so does {also}' if also else ''}: a model, a setting or the "
                 f"sample? Pass {draws}{option('model', together)} to tell them apart, "
                 f"{option('by', column)} if they are groups, or {option('ignore', column)} if it "
                 "changes nothing")


def name_number(case: Case, scope: Sequence[str], column: str, once: bool) -> str:
    "The columns that number samples if one more does; empty where none do."
    own = case.chosen.get("sample")
    if own is None or not {*own.split(",")} <= {*case.columns}: return column * once
    inner, held = case.code(scope), [case.code([name]) for name in own.split(",")]
    if is_unique(inner, held): return column * (once and not case.is_told("sample"))
    return f"{own},{column}" * is_unique(inner, [*held, case.code([column])])


def show_names(names: Sequence) -> str:
    "Two examples of some values."
    first = sorted(map(read_name, names), key=order_value)[:2]
    return ", ".join(repr(str(name)) for name in first) + ", ..." * (len(names) > 2)


def refuse_targets(case: Case) -> None:
    "Refuse a question with two right answers: it is two questions."
    assert case.batch is not None
    targets = [c for c in case.list_unused() if is_target(c)]
    if not targets: return
    names = [name for name in list_scope(case.batch, case.chosen)
             if name != case.chosen.get("model")]
    question, scope = case.chosen["question"], case.code(names)
    for column in targets:
        values = case.see([column])[column]
        said = np.array([not is_absent(value) and value != "" for value in values.tolist()])
        if not said.any(): continue
        inner, texts = np.unique(scope[said], return_inverse=True)[1], values[said]
        varied = find_varied(inner, code_values(texts)[0])
        if not varied.any(): continue
        row = int(np.flatnonzero(varied)[0])
        two = list(dict.fromkeys(map(repr, texts[inner == inner[row]].tolist())))[:2]
        name = case.see([question])[question][said].tolist()[row]
        raise OptionError(
            "question", f"one {question} needs one {column}",
            found=f"{two[0]:.30} and {two[1]:.30} for {read_name(name)!r:.60}",
            where=f" ({len(set(inner[varied].tolist()))} of {int(inner.max()) + 1} questions "
                  "fail)",
            hint=f"pass {option('question', f'{question},{column}')} if each is a question of "
                 f"its own, or {option('ignore', column)} if it is another spelling of the same")


def refuse_finer_ids(case: Case) -> None:
    "Refuse one name for questions that an id tells apart."
    assert case.batch is not None
    if case.is_told("question"): return
    ids = [c for c in case.list_unused() if names_id(c) and not is_property(c)][:MANY]
    if not ids: return
    scope = list_scope(case.batch, case.chosen)
    inner, question = case.code(scope), case.chosen["question"]
    for column in ids:
        values = case.see([column])[column]
        plain = (isinstance(value, (str, int)) for value in values.tolist())
        if not all(plain): continue
        code = code_values(values)[0]
        varied = find_varied(inner, code)
        if not varied.any() or not is_function(code, case.code(scope[:1])): continue
        times = np.bincount(code)
        # A number of rows tells nothing but that rows differ, unless most questions have one.
        alone, most = bool((times == 1).any()), varied.sum() >= .5 * len(varied)
        if alone and names_row(column) and (most or "sample" in case.chosen): continue
        raise OptionError(
            "question", f"one {question} stands for several {column} ({int(varied.sum())} of "
                        f"{len(varied)} rows)",
            hint=f"pass {option('question', column)} if each is a question of its own, or "
                 f"{option('ignore', column)} if it names something else")


# The list.

def refuse_marks(case: Case) -> None:
    assert case.batch is not None
    refuse_others(case.batch, case.chosen, case.options)


def find_copies(case: Case) -> None:
    assert case.batch is not None
    case.warnings += check_duplicates(case.sources, case.batch, case.chosen, case.options)


def refuse_runs(case: Case) -> None:
    if case.is_told("sample") or "sample" not in case.chosen: return
    runs = [c for c in case.chosen["sample"].split(",") if simplify(c) in RUNS]
    model = case.chosen.get("model")
    for column in runs:
        values = case.see([column])[column]
        # A run that is called after its model has a number within it.
        system = case.code([model]) if model is not None else np.zeros(len(values), np.int64)
        for code in np.unique(system): refuse_named_runs(column, values[system == code])


def refuse_texts(case: Case) -> None:
    assert case.batch is not None
    texts = find_texts(case.list_unused())
    if not texts: return
    names = list_scope(case.batch, case.chosen)
    head, scope = case.see([*names, *texts]), case.code(names)
    for column in texts: refuse_other_text(head, case.chosen["question"], column, scope)


def refuse_numbers(case: Case) -> None:
    assert case.rows is not None
    if case.is_told("question") or not (texts := find_texts(case.list_unused())): return
    models = [column for part, column in case.chosen.items() if part == "model"]
    head = case.see([case.chosen["question"], *models, *texts])
    refuse_row_ids(head, models, texts, case.rows, case.chosen["question"])


RULES = (
    Rule("told", "an option that names a column", "that part",
         "the column is not there", apply=follow_options),
    Rule("task", "no column called as a question, and one called task, item, problem, test or "
                 "name whose trials have numbers", "the question", apply=take_task),
    Rule("name", "a column called as a part; of several questions the finest, of several systems "
                 "one of those that name the same", "that part", "two could be meant",
         apply=take_names),
    Rule("words", "no outcome, and one column such as verdict with words for right and wrong",
         "the outcome", apply=take_words),
    Rule("prompts", "a column system that holds sentences", "that it is no system",
         apply=leave_prompts),
    Rule("sample", "columns called as numbers of samples, unique in a question alone or together; "
                   "else numbers from 0 or 1 on, each once a question", "the sample",
         "a number stands twice in a question", apply=number_samples),
    Rule("marks", "columns called as tasks, systems or graders, and files",
         "that tasks name questions", "a question has rows of several systems, graders or files",
         apply=refuse_marks, counted=True),
    Rule("copies", "rows that are equal in all columns", "a warning",
         "independent rows would not agree so well", apply=find_copies, counted=True),
    Rule("runs", "a sample called run", "that it numbers the samples", "its values are names",
         apply=refuse_runs, counted=True),
    Rule("targets", "a column called as a right answer", "that questions are whole",
         "a question has two", apply=refuse_targets, counted=True),
    Rule("texts", "a column called as the text of a question", "that questions are whole",
         "a question has two", apply=refuse_texts, counted=True),
    Rule("ids", "a column called as an id that is finer than the questions",
         "that questions are whole", "a question has several", apply=refuse_finer_ids,
         counted=True),
    Rule("settings", "a column whose values lie more evenly over the questions than chance",
         "nothing: it is asked about", "it is neither a sample number nor another name of one",
         apply=refuse_settings, counted=True),
    Rule("rows", "names that number the rows beside texts that repeat", "nothing",
         "most rows share their text", apply=refuse_numbers, counted=True))


def identify(case: Case) -> None:
    """Give every part its column.

    Raises: `ValueError` naming the columns that could be meant.
    """
    for rule in RULES:
        if not rule.counted: rule.apply(case)


def explain_repeat(case: Case) -> None:
    """Look for what tells rows of one sample apart: another question, text or setting.

    Raises: `ValueError` naming the column, if there is one.
    """
    for rule in RULES:
        if rule.name in ("marks", "targets", "texts", "ids", "settings"): rule.apply(case)


def inspect_rows(case: Case) -> None:
    """Look at rows that are taken for what no name tells.

    Raises: `ValueError` naming the column that may tell samples apart.
    """
    for rule in RULES:
        if rule.counted: rule.apply(case)
    wanted = list_doubted(case)
    if not wanted or not case.see_whole(): return
    # All at once: an engine reads its data anew for each look.
    case.see(wanted)
    for rule in RULES:
        if rule.name in AGAIN: rule.apply(case)


AGAIN = "runs", "targets", "texts", "ids", "settings"


def list_doubted(case: Case) -> list[str]:
    "The columns of which the first rows of large data do not tell enough, and what names a row."
    assert case.batch is not None
    if not any(source.whole for source in case.sources): return []
    unused, sample = case.list_unused(), case.chosen.get("sample", "")
    numbers = [c for c in sample.split(",") if c in case.columns]
    named = [c for c in unused if is_target(c) or names_id(c) and not is_property(c)]
    named += [*find_texts(unused), *(c for c in numbers if simplify(c) in RUNS)]
    strays = [c for c in unused if not is_known(c) and c not in (PLACE, NUMBER)][:MANY]
    named += [c for c, values in case.see(strays).items() if may_be_setting(values)]
    if not named: return []
    models = [case.chosen["model"]] if "model" in case.chosen else []
    scope = list_scope(case.batch, case.chosen)
    return [c for c in dict.fromkeys([*scope, *models, *numbers, *named]) if c != FILE]


def may_be_setting(values: np.ndarray) -> bool:
    "Whether values may be settings, or are so far the same in all rows."
    try: return len(set(values[:1000].tolist())) < 2 or bool(code_setting(values)[1])
    except TypeError: return False
