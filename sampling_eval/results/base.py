"""Results are data: frozen dataclasses of numbers and names, and JSON both ways from their types.

A field that JSON does not hold (values of single questions, the units an interval is computed
from) is marked by `live()`. After `from_dict` it is None, and what needs it says so. The parts of
an `Interval` stand in JSON under names of their own, which `ends()` states; its level, target and
unit are there those of what holds it.
"""
from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence
from dataclasses import Field, MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from importlib.util import find_spec
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import (Any, ClassVar, Literal, NamedTuple, Self, TYPE_CHECKING, TypeAlias, Union,
                    get_args, get_origin, get_type_hints)

import numpy as np

from ..arguments import check_choice
from ..errors import OptionError, OptionTypeError
from ..spelling import PYTHON, Spelling, option, spell
from ..extras import need
from ..foundations.checks import check_rng
from ..inference.estimate import mean_over_questions
from ..inference.intervals import ASSUMPTION_FREE, TARGETS, Interval, Method, Unit
from ..inference.quantiles import check_level
from ..inference.fixed_questions import Noise
from ..parameters import Target, Targets
from .registry import RESULT_CLASSES, result_class, words_module

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Unit", "Data", "HasInterval", "Result", "load_result", "live", "ends", "encode", "flat",
           "decode", "BACKENDS", "installed_backends", "choose_backend", "frame", "Rng", "Style",
           "check_range", "check_rng", "check_style", "is_number", "main_target"]


def live() -> Any:
    "A field that JSON does not hold, and that two equal results may have in different forms."
    return field(default=None, compare=False, repr=False, metadata=dict(live=True))


def is_stored(one: Field) -> bool: return not one.metadata.get("live")


class Parts(NamedTuple):
    "Where the parts of an interval stand in JSON; what has no place is not there."
    low: str
    high: str
    method: str = ""  # The method as a mapping, with the level
    before: str = ""  # Field before which that stands; right behind the ends if empty
    name: str = ""  # The method by its name alone
    words: str = ""  # The method in words
    target: Target | None = None  # What it is about; None: as what holds it says
    unit: Unit | None = None  # Of its ends; None: as what holds it says

    def keys(self) -> list[str]:
        "The names there are."
        return list(filter(None, (self.low, self.high, self.method, self.name, self.words)))


def ends(
    low: str = "low",
    high: str = "high",
    **parts: Any,  # The other `Parts`
) -> dict[str, Any]:
    "Metadata of a field that holds an `Interval`: its parts stand in JSON each by itself."
    return dict(parts=Parts(low, high, **parts))


class HasInterval:
    "What has an interval shows its ends as its own."
    interval: Interval | None

    @property
    def low(self) -> float | None:
        "Lower end of the interval; None without one."
        return None if self.interval is None else self.interval.low

    @property
    def high(self) -> float | None:
        "Upper end of the interval; None without one."
        return None if self.interval is None else self.interval.high


@dataclass(frozen=True, eq=False)
class Data:
    """A frozen dataclass that becomes plain values, and is read back, by the types of its fields.

    Two are equal where their stored fields are.
    """

    def to_dict(self) -> dict[str, Any]:
        "All stored fields as plain Python values."
        told: dict[str, Any] = {}
        waiting: dict[str, dict[str, Any]] = {}
        for one in fields(self):
            if not is_stored(one): continue
            told |= waiting.pop(one.name, {})
            value, parts = getattr(self, one.name), one.metadata.get("parts")
            found = {one.name: encode(value)} if parts is None else write_interval(value, parts)
            if parts is not None and parts.before:
                waiting[parts.before] = {parts.method: found.pop(parts.method)}
            told |= found
        return told

    @classmethod
    def from_dict(cls,
        values: Mapping[str, Any],  # What `to_dict` gave
    ) -> Self:
        """The same again, without its live fields.

        Raises: `ValueError` for a field that is absent or of another kind.
        """
        kinds = field_types(cls)  # type: ignore[arg-type]
        parts = list_parts(cls)  # type: ignore[arg-type]
        keys = {name: parts[name].keys() if name in parts else [name] for name in kinds}
        absent = [key for name, own in keys.items() for key in own
                  if key not in values and not has_default(cls, name)]  # type: ignore[arg-type]
        if absent:
            raise ValueError(f"need the fields of a {cls.__name__}, got none called {absent[0]!r} "
                             f"({len(absent)} of {len(kinds)} are absent)")
        read = {name: read_interval(values, parts[name], cls.__name__, kind) if name in parts
                else decode(kind, values[name], f"{cls.__name__}.{name}")
                for name, kind in kinds.items() if keys[name][0] in values}
        return cls(**read)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other): return NotImplemented
        return self.to_dict() == other.to_dict()  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]


@cache
def field_types(cls: type) -> dict[str, Any]:
    "The type of every stored field."
    hints = get_type_hints(cls)
    return {one.name: hints[one.name] for one in fields(cls) if is_stored(one)}


@cache
def list_parts(cls: type) -> dict[str, Parts]:
    "Where the parts of each interval stand."
    return {one.name: one.metadata["parts"] for one in fields(cls) if "parts" in one.metadata}


@cache
def has_default(cls: type, name: str) -> bool:
    one = next(one for one in fields(cls) if one.name == name)
    return one.default is not MISSING or one.default_factory is not MISSING


# Intervals.

def write_interval(
    interval: Interval | None,  # None where there is none
    parts: Parts,  # Where its parts stand
) -> dict[str, Any]:
    "The parts of an interval by their places; null without one, and for an end that is endless."
    if interval is None:
        texts = dict.fromkeys(filter(None, (parts.name, parts.words)), "")
        return dict.fromkeys(parts.keys()) | texts
    how = interval.method
    ends = (parts.low, interval.low), (parts.high, interval.high)
    told: dict[str, Any] = {name: float(end) if isfinite(end) else None for name, end in ends}
    if parts.method:
        facts = dict(vars(how))
        told[parts.method] = dict(name=facts.pop("name"), level=interval.level) | facts
    if parts.name: told[parts.name] = how.name
    if parts.words: told[parts.words] = str(how)
    return told


def read_interval(
    values: Mapping[str, Any],  # Plain values of what holds it
    parts: Parts,  # Where its parts stand
    holder: str,  # Name of what holds it
    kind: Any,  # Type of the field
) -> Interval | None:
    "An interval from its parts; None where it has no ends."
    def read(kind: Any, name: str) -> Any:
        return decode(kind, values.get(name), f"{holder}.{name}")
    low, high = read(float | None, parts.low), read(float | None, parts.high)
    if low is None and high is None:
        return None if kind == Interval | None else read(float, parts.low)
    level, how = values.get("confidence_level", np.nan), Method("")
    if parts.method:
        facts = dict(read(Mapping[str, Any], parts.method))
        level, how = facts.pop("level", level), read_method(facts, f"{holder}.{parts.method}")
    elif parts.name or parts.words: how = Method(read(str, parts.name or parts.words))
    target, unit = parts.target or values.get("target"), parts.unit or values.get("unit", "share")
    return Interval(-np.inf if low is None else low, np.inf if high is None else high, level,
                    target if target in TARGETS else None, how, unit)


def read_method(told: Mapping[str, Any], name: str) -> Method:
    "A method from plain values."
    kinds = get_type_hints(Method)
    check("name" in told and told.keys() <= kinds.keys(), told, name, "a method of an interval")
    return Method(**{one: decode(kinds[one], value, f"{name}.{one}")
                     for one, value in told.items()})


# Plain values.

def encode(
    value: Any,  # Data, mappings, sequences, arrays, scalars
) -> Any:  # The same of dicts, lists and scalars
    "A value as JSON can hold it."
    if isinstance(value, Data): return value.to_dict()
    if isinstance(value, (np.ndarray, np.generic)): return encode(value.tolist())
    if isinstance(value, Mapping): return {str(name): encode(one) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [encode(one) for one in value]
    # JSON has no NaN: an undefined number is null.
    if isinstance(value, float) and value != value: return None
    plain = value is None or isinstance(value, (bool, int, float, str))
    return value if plain else str(value)


def flat(row: Any) -> dict[str, Any]:
    "A row as a line of a spreadsheet."
    line: dict[str, Any] = row.to_flat() if hasattr(row, "to_flat") else encode(row)
    return line


def decode(
    kind: Any,  # Type of a field
    value: Any,  # Plain value
    name: str,  # Name of the field, for the error
) -> Any:  # The value as that type
    """A plain value as a field holds it.

    Raises: `ValueError` for a value of another kind.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any or kind is object: return value
    if origin in (Union, types.UnionType): return decode_either(inner, value, name)
    if origin is Literal:
        return check(value in inner, value, name, f"one of {list(inner)}")
    if origin in (tuple, list, Sequence): return decode_several(inner, value, name)
    if origin in (dict, Mapping):
        check(isinstance(value, Mapping), value, name, "a mapping")
        return {key: decode(inner[1], one, f"{name}[{key!r}]") for key, one in value.items()}
    if is_dataclass(kind) and isinstance(kind, type) and issubclass(kind, Data):
        return kind.from_dict(check(isinstance(value, Mapping), value, name, "a mapping"))
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return kind(*decode_several(tuple(get_type_hints(kind).values()), value, name))
    if kind is np.ndarray:
        return np.array([np.nan if one is None else one for one in value])
    if kind is float: return float(check(is_number(value), value, name, "a number"))
    return check(isinstance(value, kind), value, name, f"of kind {kind.__name__}")


def decode_either(kinds: Sequence[Any], value: Any, name: str) -> Any:
    "A value of one of several kinds: None, or the first kind that fits."
    if value is None and type(None) in kinds: return None
    errors = []
    for kind in kinds:
        if kind is type(None): continue
        try: return decode(kind, value, name)
        except ValueError as error: errors.append(error)
    raise errors[0]


def decode_several(kinds: Sequence[Any], value: Any, name: str) -> tuple:
    "A sequence: of one kind and any length, or of one kind for each place."
    check(isinstance(value, (list, tuple)), value, name, "a list")
    if len(kinds) == 2 and kinds[1] is Ellipsis or len(kinds) == 1:
        return tuple(decode(kinds[0], one, f"{name}[{i}]") for i, one in enumerate(value))
    check(len(value) == len(kinds), value, name, f"a list of {len(kinds)}")
    places = enumerate(zip(kinds, value))
    return tuple(decode(kind, one, f"{name}[{i}]") for i, (kind, one) in places)


def is_number(
    value: Any,  # What was given, or read from JSON
) -> bool:
    "Whether it is a number, which True and False are not."
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def check(fits: bool, value: Any, name: str, rule: str) -> Any:
    "The value of a field, or an error that names it."
    if fits: return value
    raise ValueError(f"{name} must be {rule}, got {value!r:.60}")


# Results.

@dataclass(frozen=True, eq=False, repr=False)
class Result(Data):
    "What a verb returns. It has fields; what it says is written by the module of its kind."
    kind: ClassVar[str]  # Name of the verb

    def to_dict(self) -> dict[str, Any]:
        "All stored fields as plain Python values, the kind of the result, and its rows."
        told = dict(kind=self.kind) | super().to_dict()
        # Rows that follow from other fields stand there for readers, and are not read back.
        if "rows" in told or not hasattr(self, "rows"): return told
        return told | dict(rows=encode(self.rows))

    def to_json(self) -> str:
        "All stored fields as JSON text, which `from_json` and `load_result` read."
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls,
        text: str,  # What `to_json` gave
    ) -> Self:  # An equal result
        """The result of a JSON text.

        Raises: `ValueError` for text that is not the JSON of such a result.
        """
        values = json.loads(text)
        kind = values.get("kind") if isinstance(values, dict) else None
        if kind != cls.kind:
            raise ValueError(f"need the JSON text of a result of {cls.kind}, got "
                             f"{f'one of {kind}' if kind else 'something else'}")
        return cls.from_dict(values)

    # Forms: written where they are asked for, by a module that knows blocks only.

    def to_text(self,
        how: bool = False,  # Whether every number is shown, and how it was computed
    ) -> str:
        "Fixed-width text for the terminal."
        return str(words_module("text").render(self.document(), detail=how))

    def to_markdown(self) -> str:
        "Paragraphs and tables for issues, notebooks and README files; details are folded."
        return str(words_module("markdown").render(self.document()))

    def to_latex(self) -> str:
        "Tables for the package `booktabs`, the sentences as comments."
        return str(words_module("latex").render(self.document()))

    def to_html(self,
        texts: bool = True,  # Whether prompts and answers are shown, where files hold them
        folder: str | Path | None = None,  # Folder of the page, for links to these files
    ) -> str:
        """A self-contained page with figures; nothing in it is loaded from elsewhere.

        Prompts and answers are read for it, and cut where they are long; no other form has them.
        """
        return str(words_module("output").render_page(self, texts, folder))

    def plot(self, *,
        ax: Axes | None = None,  # Matplotlib Axes to draw on; new ones if None
        size: str | float | None = None,  # `column`, `page`, or a width in inches, for new Axes
    ) -> Axes:  # The Axes drawn on
        """Draw the result.

        Raises: `ValueError` for Axes and a size, for an unknown size, and where a result has no
        figure.
        """
        draw = getattr(self._module(), "plot", None)
        if draw is None:
            raise ValueError(f"a result of {self.kind} has no figure; write it as .json, .csv, "
                             ".md, .html or .txt")
        return draw(self, ax=ax, size=size)

    def list_lines(self) -> Sequence[Any]:
        "What stands in a file of lines, or in a frame: the rows."
        rows: Sequence[Any] = self.rows  # type: ignore[attr-defined]
        return rows

    def to_frame(self,
        backend: str | None = None,  # `pandas`, `polars` or `pyarrow`; the first installed if None
    ) -> Any:  # A frame of that library
        "The rows as a data frame."
        rows = [flat(row) for row in self.list_lines()]
        return frame({name: [row[name] for row in rows] for name in rows[0]}, backend)

    def methods(self,
        latex: bool = False,  # Whether the text is LaTeX, with `\\citep` for the sources
    ) -> str:  # One paragraph
        "What was computed and how, ready for the methods section of a paper."
        return spell(words_module("sources").cite(self._module().methods(self), latex))

    def citations(self) -> str:
        "The sources that `methods` names, as BibTeX."
        return str(words_module("sources").write_entries(self._module().methods(self)))

    def _module(self) -> Any:
        "The module that knows what results of this kind say."
        return words_module(self.kind)

    def document(self,
        spelling: Spelling = PYTHON,  # How its sentences spell options
        whole: bool = False,  # Whether it is a page, of which some say more than other forms
    ) -> Any:
        "What the result says, as the blocks of `render.blocks`."
        module = self._module()
        write = getattr(module, "page", module.document) if whole else module.document
        return words_module("blocks").spell_options(write(self), spelling)

    def __repr__(self) -> str: return self.to_text()
    def _repr_markdown_(self) -> str: return self.to_markdown()

    def _repr_html_(self) -> str:
        "What a notebook shows: each estimate above its CI, and details folded."
        return str(words_module("html").render_cell(self.document()))


# JSON files.

def load_result(
    path: str | Path,  # JSON file that a result wrote
) -> Result:  # An equal result, of the class that wrote it
    """The result of a JSON file.

    Parameters:
        path    JSON file that a result wrote
        return  An equal result, of the class that wrote it

    Raises: `ValueError` for a file that holds no result; `OSError` where it cannot be read.
    """
    if not isinstance(path, (str, PathLike)):
        raise TypeError(f"path must be the path of a file, got {path!r:.60}")
    values = json.loads(Path(path).read_text("utf-8"))
    kind = values.get("kind") if isinstance(values, dict) else None
    if kind not in RESULT_CLASSES:
        raise ValueError(f"need the JSON of a result, of {', '.join(RESULT_CLASSES)}, got {path}")
    found: type[Result] = result_class(kind)
    return found.from_dict(values)


# Data frames of an installed library.

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]
BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")


def installed_backends() -> list[Backend]:  # Some of `BACKENDS`, in that order
    "The libraries of data frames that are installed."
    return [name for name in BACKENDS if find_spec(name)]


def choose_backend(
    backend: str | None = None,  # `pandas`, `polars` or `pyarrow`; the first installed if None
) -> Backend:  # Name of an installed library
    """The library whose frame is wanted.

    Raises: `ValueError` for an unknown one, `ImportError` naming what to install.
    """
    if backend not in (None, *BACKENDS):
        raise ValueError(f"backend must be one of {BACKENDS}, got {backend!r}")
    wanted = BACKENDS if backend is None else (backend,)
    found = [name for name in installed_backends() if name in wanted]
    if found: return found[0]
    needed = backend or "pandas, polars or pyarrow"
    raise ImportError(f"a frame needs {needed}: pip install {backend or 'pandas'}")


def frame(
    columns: Mapping[str, Sequence[Any]],  # Column name to values
    backend: str | None = None,  # `pandas`, `polars` or `pyarrow`; the first installed if None
) -> Any:  # A frame of that library
    """Columns as a data frame.

    Raises: `ValueError` for an unknown library, `ImportError` naming what to install.
    """
    chosen = choose_backend(backend)
    narwhals: Any = need("narwhals", "frames")
    return narwhals.from_dict(dict(columns), backend=chosen).to_native()


# How error bars are asked for: level, interval, test, target and seed.

# The name is a text: NumPy loads its generators when they are first looked at.
Rng = Union[int, "np.random.Generator", None]


class Style(NamedTuple):
    "Level, interval, test, target and seed of error bars."
    confidence_level: float = .95  # Level of the intervals
    interval: str | None = None  # Interval method of the target; None is the package default
    test: str | None = None  # Test as in `Comparison.test`; None is the default of the target
    target: Target = "new_questions"  # Target of the test, and of a named interval method
    rng: Rng = None  # Seed of methods that draw; None is seed 0
    bounds: tuple[float, float] | None = None  # Range of differences that was stated

    def name_interval(self,
        target: str,  # `new_questions` or `same_questions`
    ) -> str | None:  # Interval method; None is the package default
        "The interval method for a target: a named one is meant for the named target."
        strict = self.interval == ASSUMPTION_FREE and target == "new_questions"
        return self.interval if strict or target == self.target else None

    @property
    def draws_in_order(self) -> bool:
        "Whether the order of computing matters: a generator gives each caller other numbers."
        # The order spares the others the loading of NumPy's generators.
        return not isinstance(self.rng, (int, type(None))) and hasattr(self.rng, "random")


def check_style(
    style: Style,  # What was chosen
    targets: tuple[str, ...] = TARGETS,  # Targets the verb knows
    word: str = "interval",  # What the verb calls the interval method
) -> Style:  # The same, with a level that is a float
    """A style whose words are known, and whose method exists for its target.

    Raises: `TypeError` for kinds, `ValueError` for values, before any data are read.
    """
    check_kinds(style, word)
    check_choice("target", style.target, targets)
    level = float(style.confidence_level)
    check_level(level)
    if style.interval is not None: try_method(style, level, word)
    if style.test is not None: check_test(style.test)
    return style._replace(confidence_level=level)


def check_range(
    bounds: Any,  # Least and largest difference of a question that is held possible, or None
    target: str | None = "new_questions",  # Target of the verdict
) -> tuple[float, float] | None:  # The same as numbers
    """A range of differences that was stated.

    Raises: `TypeError` or `ValueError` unless it is two numbers around 0, for new questions.
    """
    if bounds is None: return None
    pair = bounds if isinstance(bounds, (tuple, list)) else ()
    known = [isinstance(end, (int, float, np.number)) and not isinstance(end, bool) for end in pair]
    if len(known) != 2 or not all(known):
        example = option("bounds", (-.5, .5))
        raise OptionTypeError("bounds", must="be the least and the largest difference of a "
                                             f"question, as in {example}", got=bounds)
    low, high = map(float, pair)
    if not -np.inf < low < 0 < high < np.inf:
        raise OptionError("bounds", "bounds of differences must hold 0 inside",
                          found=f"({low:g}, {high:g})")
    if target == "same_questions":
        raise OptionError("bounds", f"{option('bounds')} is for new questions, "
                                    f"{option('target', 'new_questions')}",
                          hint="the interval of the same questions does not use it")
    return low, high


def main_target(target: Targets) -> Target:
    "The target of the first interval, where both may be asked for."
    return "new_questions" if target == "both" else target


def check_test(test: str) -> None:
    "Refuse a test that is unknown."
    # Most results name none, and load no tests.
    from ..inference.comparison import TESTS
    check_choice("test", test, tuple(TESTS))


def check_kinds(style: Style, word: str = "interval") -> None:
    "Refuse values of the wrong kind."
    level, interval = style.confidence_level, style.interval
    numeric = isinstance(level, (int, float, np.number))
    if isinstance(level, (bool, np.bool_)) or not numeric:
        raise OptionTypeError("confidence_level", must="be a number", got=level)
    if not isinstance(interval, (str, type(None))):
        raise OptionTypeError(word, must="be the name of a method", got=interval)
    check_rng(style.rng)


def try_method(style: Style, level: float, word: str = "interval") -> None:
    "Refuse a method that is unknown, or that never fits the target, on an example."
    noise = Noise(np.ones(2) / 8, np.ones(2) / 2)
    example = mean_over_questions([0, 1], target=main_target(style.target), within=noise)
    try: example.confidence_interval(level, style.interval)
    except OptionError as error:
        # What `score` calls interval is the method of an estimate.
        if not error.choices: raise
        raise OptionError(word, choices=error.choices, got=error.got) from None

