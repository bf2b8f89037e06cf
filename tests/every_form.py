"A result in its forms, as one text that can be stored."
import re

from printed import split_markup

# Versions change with the machine.
VERSIONS = re.compile(r"sampling_eval [^,\s]+, numpy [^,]+, Python [^;]+; [\d-]+")


def tell_forms(result, wanted=("screen", "full", "page", "json")):
    "The screen, every number, the page, and the JSON text; or some of them."
    make = dict(screen=result.to_text, full=lambda: result.to_text(how=True),
                page=lambda: split_markup(result.to_html()), json=result.to_json)
    forms = {name: make[name]() for name in wanted}
    return VERSIONS.sub("VERSIONS", "\n".join(f"== {name}\n{text}" for name, text in forms.items()))


def list_samples(**models):
    "Rows of models whose samples are `1101 011 ...`, a word for each question."
    return [dict(model=model, question=f"q{i}", sample=j, correct=int(mark))
            for model, words in models.items() for i, word in enumerate(words.split()) for j, mark in enumerate(word)]
