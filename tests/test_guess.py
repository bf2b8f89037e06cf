"The field that asks for a number first: what it answers, and what stands there without scripts."
import json
import re

import pytest
import quickjs

from chromium import open_page, with_chromium
from sampling_eval.docs import Guess, guess
from scripts import ROOT

PASS = guess("Five samples, three right; <keep> two?", 100 * 9 / 10, "Nine & a half of ten.")


def reply(made, value):
    "What the script answers, without a page."
    script = re.search(r"(?s)const given.*?(?=const entry)", made._repr_html_())[0].replace(
        "const root = document", "const root = {querySelector: () => null}; const unused = (_ => null)")
    script = re.sub(r"const root = .*", "", script)
    context = quickjs.Context()
    context.eval(script)
    return context.eval(f"reply({value})")


@pytest.mark.parametrize("value, told", [
    (90, "Right: <b>90 %.</b> Nine &amp; a half of ten."), (85.5, "Right: <b>90 %.</b> Nine &amp; a half of ten."),
    (60, "60 % is too low: it is <b>90 %.</b> Nine &amp; a half of ten."),
    (99, "99 % is too high: it is <b>90 %.</b> Nine &amp; a half of ten."), ("NaN", "A number, please.")])
def test_what_is_answered(value, told): assert reply(PASS, value) == told


def test_a_count_is_right_or_not():
    made = guess("How many?", 4, "Four.", unit=" votes", near=0)
    assert reply(made, 4) == "Right: <b>4 votes.</b> Four." and reply(made, 4.1).startswith("4.1 votes is too high")
    assert made.show_answer() == "4 votes. Four." and repr(made) == "Guess first. How many?"


def test_without_scripts_the_answer_is_folded():
    shown = PASS._repr_html_()
    assert '<p class="entry" hidden>' in shown and "<summary>Tell me</summary><p>90 %. Nine &amp; a half of ten.</p>" in shown
    assert "&lt;keep&gt;" in shown and shown == PASS._repr_html_() and "http" not in shown
    assert shown.count("</script>") == 1 and len(shown) < 3500


LESSONS = [path for room in ("foundations", "metrics", "inference") for path in sorted((ROOT / "nbs" / room).glob("*.ipynb"))]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_lesson_asks_before_it_tells(path):
    cells = ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    asked = [text for text in cells if text.startswith("#| echo: false\nguess(")]
    assert len(asked) == 1, "a lesson asks for one number first: guess(...)"
    made = eval(asked[0].removeprefix("#| echo: false\n"), {"guess": guess, "exp": __import__("math").exp})
    assert isinstance(made, Guess) and made.question.endswith("?") and made.because.endswith(".")
    assert reply(made, made.answer).startswith("Right: ")


@with_chromium
def test_a_browser_answers(tmp_path):
    (path := tmp_path / "page.html").write_text("<!doctype html><meta charset=utf-8>" + PASS._repr_html_(), "utf-8")
    with open_page(path, tmp_path) as page:
        page.run("document.querySelector('input').value = 60, document.querySelector('button').click()")
        assert page.ask("document.querySelector('.told').textContent") == "60 % is too low: it is 90 %. Nine & a half of ten."
