"""A question that the reader answers with a number, before the page does."""
from __future__ import annotations

import hashlib
import html
import json
import textwrap

from .explorer import read_file

__all__ = ["Guess", "guess"]


class Guess:
    "A question with a field for a number; without scripts the answer is folded."

    def __init__(
        self,
        question: str,  # What the reader is asked
        answer: float,  # The number
        because: str,  # Why, in a sentence
        unit: str,  # Stands behind every number
        near: float,  # Largest error that counts as right
    ):
        self.question, self.answer, self.because = question, float(answer), because
        self.unit, self.near = unit, near

    def _repr_html_(self) -> str:
        given = dict(answer=self.answer, near=self.near, unit=html.escape(self.unit),
                     because=html.escape(self.because))
        data = json.dumps(given, ensure_ascii=False).replace("<", "\\u003c")
        question, shown = html.escape(self.question), html.escape(self.show_answer())
        # Taken from the content: stored outputs stay the same from run to run.
        name = "guess-" + hashlib.sha256((data + question).encode()).hexdigest()[:10]
        style, script = (read_file(o).replace("#guess", f"#{name}")
                         for o in ("guess.css", "guess.js"))
        return "\n".join([
            f'<figure class="guess" id="{name}">', f"<style>\n{style}</style>",
            f"<p><b>Guess first.</b> {question}</p>",
            f'<p class="entry" hidden><input type="number" step="any" aria-label="{question}">'
            f"{html.escape(self.unit)} <button>Check</button></p>",
            '<p class="told" aria-live="polite"></p>',
            f"<details><summary>Tell me</summary><p>{shown}</p></details>",
            f"<script>{{\nconst given = {data};\n{script}}}</script>", "</figure>"])

    def show_answer(self) -> str: return f"{self.answer:.3g}{self.unit}. {self.because}"

    def __repr__(self) -> str: return textwrap.fill(f"Guess first. {self.question}", 80)


def guess(
    question: str,  # What the reader is asked, in one or two sentences
    answer: float,  # The number, computed
    because: str,  # Why, in one sentence
    *,
    unit: str = " %",  # Stands behind every number
    near: float | None = None,  # Largest error that counts as right; a twentieth if None
) -> Guess:  # The question
    "Ask for a number before the page tells it."
    return Guess(question, answer, because, unit, abs(answer) / 20 if near is None else near)
