"""Words of the command as values of Python, and sentences of Python in words of the command."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

__all__ = ["say_as_command", "say_advice"]

# What Python takes as arguments stands by position in a shell, or is another command.
PHRASES = {
    "pass new=, or": "name a second FILE, or",
    "a baseline and max_drop= go": "--baseline and --max-drop go",
    "a baseline with max_drop=": "--baseline with --max-drop",
    "method must be 'mcnemar'": "test must be 'mcnemar'",
    "must be None, ": "must be ",
    "give delta, questions, both, or budget": "give --delta, --questions, both, or --budget",
    "with sampling_eval.count": "with sampling-eval counts",
    "metrics='mean@n', scale=": "--metrics mean@n scale=",
}
ADVISED = ("bounds|scale|score|answer|no_answer|ignore|missing|question|sample|model|cluster|by|"
           "threshold")
# What was taken for what, `score=reward`, stays as it is: its value stands without quotes.
SPELLED = re.compile(rf"(?<![\w'])({ADVISED})=('[^']*'|\([0-9., -]+\)|(?=[ ,;).]))")
QUOTED = r"""(?<!\w)"[^"]*'[^"]*"(?!\w)"""  # As Python quotes a text with an apostrophe
DATA = "question", "sample", "correct", "answer", "score", "cluster", "files", "model", "new", \
    "metrics", "run", "command", "output", "n", "k", "pilot", "questions"


def say_as_command(
    text: str,  # Sentence that names options as Python does, such as `missing='wrong' or 'drop'`
    names: Iterable[str],  # Options that the command has, as Python spells them
    others: Mapping[str, str] = {},  # Options of other commands, and the command that has each
) -> str:  # The same with `--missing wrong or drop`
    "A sentence with the options of the command in place of Python's; data stay as they are."
    return spell_between(text, [], partial(spell_sentence, names=list(names), others=others))


def spell_sentence(text: str, names: Sequence[str], others: Mapping[str, str]) -> str:
    "The same where no data are quoted."
    for said, typed in PHRASES.items(): text = text.replace(said, typed)
    # A single letter is a quantity of a formula first: k=9 needs 9 samples.
    own = [name for name in names if len(name) > 1]
    text = replace_options(text, own, "--")
    for name in others.keys() - own:
        text = replace_options(text, [name], f"sampling-eval {others[name]} --")
    return spell_names(text, own)


def spell_names(text: str, names: Sequence[str]) -> str:
    "The sentence with the options that stand in it by name alone as they are typed in a shell."
    # A word with an underscore, or before `must`, is the option; any other may be meant as data.
    whole = "|".join(name for name in names if "_" in name)
    ruled = "|".join(name for name in names if name not in DATA)
    for known, after in (whole, r"(?!['\w=(])"), (ruled, r"(?= must\b)"):
        if known: text = re.sub(rf"(?<!['\w.-])({known}){after}", spell_option, text)
    return text


def say_advice(
    text: str,  # What a result prints
    find_data: Callable[[], Iterable[str]] = tuple,  # Finds texts of data that it prints
) -> str:  # The same with `--score` for `score=`
    "A printed result whose advice names options as they are typed; data stay as they are."
    text = re.sub(r"(?<![\w'])samples_per_question=(?=\d)", "--samples-per-question ", text)
    if not SPELLED.search(text): return text
    held = [one for one in find_data() if SPELLED.search(one)]
    return spell_between(text, held, partial(SPELLED.sub, spell_option))


def spell_between(text: str, held: Sequence[str], spell: Callable[[str], str]) -> str:
    "A text spelled anew, but for quoted data and the texts that are held."
    # A line may break wherever there is a space.
    known = (r"\s+".join(map(re.escape, one.split())) for one in sorted(held, key=len)[::-1])
    pieces = re.split(f"({'|'.join([QUOTED, *known])})", text)
    return "".join(piece if i % 2 else spell(piece) for i, piece in enumerate(pieces))


def replace_options(text: str, names: Sequence[str], mark: str) -> str:
    "The sentence with `name=value` as it is typed in a shell."
    known = "|".join(sorted(names, key=len, reverse=True))
    value = r"'[^']*'(?:(?:, | or )'[^']*')*|True|False|None|[0-9.]+|\(-?[0-9.]+, -?[0-9.]+\)"
    spell = partial(spell_option, mark=mark)
    return re.sub(rf"(?<!['\w])({known})=({value})?", spell, text) if known else text


def spell_option(found: re.Match[str], mark: str = "--") -> str:
    "An option and its values as they are typed in a shell."
    name, values = found[1], found[2] if found.lastindex == 2 else ""
    flag = mark + name.replace("_", "-")
    if values == "False": return f"{flag} none"
    if values == "None": return f"no {flag}"
    plain = (values or "").replace("'", "")
    if plain.startswith("("): plain = plain.strip("()").replace(",", "")
    return flag if plain in ("", "True") else f"{flag} {plain}"
