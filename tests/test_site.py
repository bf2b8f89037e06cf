"""What is added to the site after it was rendered: heads, the index of the search, the field that
asks for a guess."""

import base64
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from math import exp
from pathlib import Path

import pytest
import quickjs
import yaml
from scipy.special import ndtr, ndtri

from chromium import open_page, with_chromium
from scripts import load_script, ROOT
from sampling_eval.pages import Guess, guess
from sampling_eval_site.chapters import list_chapters, list_pages
from sampling_eval_site.finder import write_filter
from sampling_eval_site.gallery import list_figures

PAGES = {o.path: o for o in list_pages()}
RENDERED = '<html><head><title>x</title></head><body><main id="m"><p>Text.</p></main></body></html>'


@pytest.fixture(scope="module")
def site():
    sys.path.insert(0, str(ROOT / "tools"))
    yield load_script("tools/site.py")
    sys.path.remove(str(ROOT / "tools"))


def test_a_page_says_what_it_is_and_what_to_take(site, tmp_path):
    for name in (
        "notebooks/metrics/passk.ipynb",
        "nbs/metrics/passk.html.md",
        "nbs/slides/passk.html",
        "sampling_eval.epub",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    text = site.finish(RENDERED, PAGES["metrics/passk"], tmp_path)
    head, _, body = text.partition("</head>")
    assert '<meta name="description" content="At least one of k samples is correct">' in head
    assert '<meta property="og:title" content="pass@k">' in head
    assert '<meta property="og:image" content="../../nbs/cards/metrics/passk.png">' in head
    links = [
        "notebooks/metrics/passk.ipynb",
        "nbs/metrics/passk.html.md",
        "nbs/slides/passk.html",
        "sampling_eval.epub",
    ]
    assert (
        re.findall(r'<a href="\.\./\.\./(.+?)"', body) == links
    ), "what was made, and no PDF where there is none"
    assert body.index("</script>") < body.index("</main>") and "src=" not in body
    assert (
        site.finish(text, PAGES["metrics/passk"], tmp_path) == text
    ), "a page that was kept from an earlier build is left alone"


def test_a_preview_has_a_whole_address_where_there_is_one(site, tmp_path):
    text = site.finish(RENDERED, PAGES["index"], tmp_path, "https://site.org/")
    assert 'content="https://site.org/nbs/cards/index.png"' in text


SMALL = (
    '<svg width="432pt" viewBox="0 0 432 230">'
    '<text style="font: {}px sans-serif">a</text></svg>'
)


@pytest.mark.parametrize("words, wide", [("10.5", 371), ("6", 648), ("12.0", 324)])
def test_a_figure_says_how_wide_it_must_be(site, tmp_path, words, wide):
    folder = tmp_path / "nbs" / "metrics"
    folder.mkdir(parents=True)
    (folder / "a.svg").write_text(SMALL.format(words))
    (folder / "b.svg").write_text('<svg viewBox="0 0 432 230"><path d="M0 0"/></svg>')
    named = "".join(f'<img src="{o}.svg" class="figure-img">' for o in "abc")
    drawn = f'<div>{named}<img src="a.svg"></div>'
    text = site.finish(RENDERED.replace("<p>", drawn + "<p>"), PAGES["metrics/passk"], tmp_path)
    shown = drawn.replace("<img src", f'<img style="--legible: {wide}px" src', 1)
    assert shown in text and "--legible" in STYLE


def test_figures_can_be_read_on_a_phone(site):
    wide = [site.legible_width(o.svg) for o in list_figures()]
    # Words on a phone of 390 pixels, whose figures reach from edge to edge, are nine or more.
    assert sum(o <= 390 for o in wide) > 0.9 * len(wide) and max(wide) < 800


@with_chromium
def test_a_wide_table_is_a_list_of_cards_on_a_phone(tmp_path):
    head = "".join(f"<th>a rather long head {o}</th>" for o in range(9))
    row = "<tr>" + "".join(f"<td>{o}</td>" for o in range(9)) + "</tr>"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{row}</tbody></table>"
    script = (ROOT / "tools/sampling_eval_site/take_away.js").read_text("utf-8")
    (path := tmp_path / "page.html").write_text(
        '<!doctype html><meta name=viewport content="width=device-width">'
        "<style>table { display: block; overflow-x: auto; white-space: nowrap }</style>"
        f"<main>{table}<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody>"
        f"</table></main><script>{script}</script>"
    )
    with open_page(path, tmp_path) as page:
        page.send(
            "Emulation.setDeviceMetricsOverride",
            width=390,
            height=844,
            deviceScaleFactor=1,
            mobile=True,
        )
        page.send("Page.reload")
        page.ask("innerWidth === 390 && document.readyState === 'complete'")
        assert page.ask("[...document.querySelectorAll('table')].map(o => o.className).join()") == (
            "cards,"
        )
        assert page.ask("document.querySelectorAll('td')[2].dataset.head") == "a rather long head 2"
        assert page.ask("document.querySelectorAll('td.number').length") == 9
        assert page.ask("document.querySelectorAll('td.long').length") == 9, "none has a neighbour"


@with_chromium
def test_a_report_without_room_has_names_above_its_values(tmp_path):
    heads = "".join(f'<th style="text-align: right">{o}</th>' for o in ("k = 1", 2, 3, 4))
    values, below = (f"<td>{text}</td>" * 4 for text in ("42.0 %", "31.5–53.4"))
    row = f"<tr><td>pass@k</td><td>at least one right</td>{values}</tr>"
    table = (
        f"<table><thead><tr><th>metric</th><th></th>{heads}</tr></thead>"
        f"<tbody>{row}<tr><td></td><td></td>{below}</tr></tbody></table>"
    )
    script = (ROOT / "tools/sampling_eval_site/take_away.js").read_text("utf-8")
    (path := tmp_path / "page.html").write_text(
        '<!doctype html><meta charset=utf-8><meta name=viewport content="width=device-width">'
        "<style>table { display: block; overflow-x: auto; white-space: nowrap } "
        "td { padding: 0 .4rem }</style>"
        f"<main>{table}<table>{row}</table></main><script>{script}</script>"
    )
    with open_page(path, tmp_path) as page:
        page.send(
            "Emulation.setDeviceMetricsOverride",
            width=390,
            height=844,
            deviceScaleFactor=1,
            mobile=True,
        )
        page.send("Page.reload")
        page.ask("innerWidth === 390 && document.readyState === 'complete'")
        rows = (
            "[...document.querySelector('.named').rows]"
            ".map(o => o.innerText.trim().split(/\\s*\\t\\s*/).join())"
        )
        assert page.ask(f"{rows}.join(';')") == (
            "k = 1,2,3,4;pass@k at least one right;42.0 %,42.0 %,42.0 %,42.0 %;"
            "31.5–53.4,31.5–53.4,31.5–53.4,31.5–53.4"
        )
        assert page.ask("document.querySelectorAll('.name, .interval').length") == 2


@with_chromium
def test_the_box_hides_pictures_and_their_titles(tmp_path):
    (path := tmp_path / "page.html").write_text(
        "<main>" + write_filter().removeprefix("```{=html}\n").removesuffix("```") + "<h2>A</h2>"
        "<div class=gallery><a>one</a><a>two</a></div><h2>B</h2><div class=gallery><a>six</a></div>"
    )
    with open_page(path, tmp_path) as page:
        page.run(
            "box = document.querySelector('input'), box.value = 'TWO',"
            " box.dispatchEvent(new Event('input'))"
        )
        shown = "[...document.querySelectorAll('h2, .gallery > a')].filter(o => !o.hidden)"
        assert page.ask(f"{shown}.map(o => o.textContent).join()") == "A,two"


def test_every_page_has_its_markdown_and_notebook(site, tmp_path):
    bare = set() if find_spec("inspect_ai") else {"guides/in_inspect_ai"}  # it describes a bridge
    for page in (o for path, o in PAGES.items() if path not in bare):
        site.copy_notebook(page, tmp_path)
        site.write_markdown(page, tmp_path)
        text = (tmp_path / "nbs" / f"{page.path}.html.md").read_text("utf-8")
        assert text.startswith(f"# {page.title}\n\n> {page.subtitle}\n") and "#| " not in text
        assert text.count("```") % 2 == 0 and "<!-- " not in text, page.path
        assert not re.search(
            r"^<(script|svg|style)", re.sub(r"^(```+).*?^\1", "", text, flags=re.M | re.S), re.M
        )
        json.loads((tmp_path / "notebooks" / f"{page.path}.ipynb").read_text("utf-8"))


def test_markdown_keeps_code_outputs_and_captions(site):
    text = site.read_markdown(PAGES["metrics/passk"])
    used = "pass_at_k_plugin(4, 1, 4), pass_at_k(4, 1, 4)"
    assert f"```python\n{used}\n```\n\n```\n(" in text
    assert "*Every set of one to four samples out of six, two of them right (blue dots)." in text
    assert "def pass_at_k(" in text and "urn_explorer" not in text and "\nimport " not in text


def test_markdown_holds_what_a_browser_adds(site):
    dispute = site.read_markdown(PAGES["disputes/three_points"])
    assert "\nlead of B  seen                             3.0\n" in dispute
    assert "it can be moved on [the page](three_points.html)" in dispute
    assert "**Guess first.** Five samples" in site.read_markdown(PAGES["metrics/passk"])
    functions = site.read_markdown(PAGES["functions"])
    assert "| [`score`](guides/score.ipynb#score) |" in functions and "<div" not in functions
    assert "\n- **analyses.addons.battles**: Battles: who wins" in functions
    figure = list_figures()[0]
    pictures = site.read_markdown(PAGES["gallery"])
    assert f"\n- [{figure.question}]({figure.address}), " in pictures
    assert pictures.count(figure.question) == 1
    assert functions.count("(guides/score.ipynb") == 1, "once, though the notebook lists it too"
    course = site.read_markdown(PAGES["course"])
    listed = re.findall(r"\]\(metrics/passk\.ipynb\), \d+ minutes", course)
    assert len(listed) == 1, "once, though the notebook lists it too"


def test_small_pictures_are_written(site, tmp_path):
    site.write_pictures(tmp_path)
    written = {o.name for o in (tmp_path / "nbs" / "gallery").iterdir()}
    assert written == {Path(o.file).name for o in list_figures()}


def test_a_card_is_drawn(site, tmp_path):
    site.draw_card(PAGES["metrics/passhat"], tmp_path / "card.png")
    data = (tmp_path / "card.png").read_bytes()
    assert (
        data[:4] == b"\x89PNG"
        and data[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")
        and len(data) < 80_000
    )


# The course as a book, and slides.


@pytest.fixture(scope="module")
def book(site):
    return load_script("tools/book.py")


@pytest.fixture(scope="module")
def written(book, tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    return folder, book.write_book(folder).read_text("utf-8")


def test_the_book_has_every_chapter_in_order(written):
    titles = re.findall(r"^# (.+?) \{#([\w-]+)\}$", written[1], re.M)
    chapters = list_chapters()
    assert len(titles) == len(chapters) + 2 and [o for o, _ in titles[:-2]] == [
        f"{o.number}. {o.page.title}" for o in chapters
    ]


def test_links_of_the_book_stay_inside_it(written):
    folder, text = written
    bare = re.sub(r"^(```+).*?^\1|`[^`\n]*`", "", text, flags=re.M | re.S)
    anchors = {o for _, o in re.findall(r"^# (.+?) \{#([\w-]+)\}$", text, re.M)}
    targets = re.findall(r"(?<!!)\[[^\[\]]+\]\(([^)\s]+)\)", bare)
    assert not [
        o for o in targets if not o.startswith("http") and o.removeprefix("#") not in anchors
    ]
    pictures = re.findall(r"!\[.*\]\(([\w-]+\.svg)\)", text)
    assert len(pictures) > 80 and all((folder / o).is_file() for o in pictures)
    assert "passk_question.svg" in text and "](../" not in bare
    assert (folder / "passk_question.svg").is_file()
    assert "<!--" not in bare and "<div" not in bare and "<details" not in bare


def test_a_book_without_its_pdf_is_a_message(book, tmp_path, monkeypatch, capsys):
    def fail(*_):
        raise subprocess.CalledProcessError(1, ["typst"])

    monkeypatch.setattr(book, "make_epub", lambda pandoc, written, path: path.touch())
    monkeypatch.setattr(book, "make_pdf", fail)
    monkeypatch.setattr(book, "find_pandoc", lambda: ["pandoc"])
    monkeypatch.setattr(book, "find_typst", lambda: ["typst"])
    monkeypatch.setattr(book.sys, "argv", ["book.py", "--out", str(tmp_path)])
    book.main()
    assert "no PDF" in capsys.readouterr().out and (tmp_path / "sampling_eval.epub").is_file()


def test_tools_of_the_book_are_taken_where_they_are(book, monkeypatch):
    there = {"quarto", "pandoc", "typst"}
    monkeypatch.setattr(book.shutil, "which", lambda name: name if name in there else None)
    monkeypatch.setattr(book.importlib.util, "find_spec", lambda name: None)
    assert book.find_pandoc() == ["quarto", "pandoc"] and book.find_typst() == [
        "quarto",
        "typst",
        "compile",
    ]
    there.remove("quarto")
    assert book.find_pandoc() == ["pandoc"] and book.find_typst() == ["typst", "compile"]
    there.clear()
    assert book.find_pandoc() is None and book.find_typst() is None


def test_a_book_is_made(book, written, tmp_path):
    pandoc = book.find_pandoc()
    if pandoc is None:
        pytest.skip("no pandoc")
    book.make_epub(pandoc, written[0] / "book.md", tmp_path / "book.epub")
    assert (tmp_path / "book.epub").stat().st_size > 300_000


@pytest.fixture(scope="module")
def slides(site, tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    made = load_script("tools/slides.py")
    for chapter in list_chapters():
        if chapter.page.path in made.LESSONS:
            (folder / f"{Path(chapter.page.path).name}.qmd").write_text(
                made.write_slides(chapter, folder)
            )
    return folder


@pytest.mark.parametrize(
    "name",
    """average passk passhat vote bestof which_error_bar comparison power
    published_tables""".split(),
)
def test_slides_are_short_and_have_notes(slides, name):
    head, *shown = re.split(r"^## ", (slides / f"{name}.qmd").read_text("utf-8"), flags=re.M)
    assert head.startswith("---\ntitle: ") and "revealjs" in head and len(shown) >= 6
    assert "../site/math.scss" in head, "without its font brackets do not stretch"
    # Any other method loads formulas from elsewhere.
    assert "html-math-method: mathml" in head
    for slide in shown:
        seen, _, notes = slide.partition("::: {.notes}")
        assert len(seen.split()) < 130 and seen.count("\n") < 28, seen
        assert notes.rstrip().endswith(":::") or slide.startswith("What to remember\n\n- ")
        assert "](../" not in slide and "<div" not in slide
        assert all((slides / o).is_file() for o in re.findall(r"\]\((figures/\S+?)\)", seen))
    assert any("](figures/" in o for o in shown) and shown[-1].startswith("What to remember")


def test_sheets_have_the_exercises_and_only_one_has_answers(site):
    sheets = load_script("tools/sheets.py")
    for page in (o.page for o in list_chapters() if o.page.shelf == "Course"):
        asked, told = (sheets.write_sheet(page, answers) for answers in (False, True))
        numbers = re.findall(r"^\*\*(\d)\.\*\*", asked, re.M)
        assert numbers == re.findall(r"^\*\*(\d)\.\*\*", told, re.M) and len(numbers) >= 3
        assert "```" not in asked and told.count("**Answer**") == len(numbers), page.path
        assert "<details" not in told and "#| " not in told and "](../../" not in told


def test_contents_are_folded_below_the_title_once_more(site):
    told = (
        '<main id="m"><header id="t"><h1>x</h1></header><p>Text.</p></main><nav id="TOC"'
        ' role="doc-toc"><h2>On this page</h2><ul class="collapse"><li><a href="#a" id="toc-a"'
        ' class="nav-link" data-scroll-target="#a">A</a></li></ul></nav>'
    )
    text = site.fold_contents(told)
    fold = (
        '<details class="contents"><summary>On this page</summary>\n<ul><li><a'
        ' href="#a">A</a></li></ul>\n</details>'
    )
    assert text == told.replace("</header>", f"</header>\n{fold}")
    assert site.fold_contents(RENDERED) == RENDERED
    quoted = told.replace("</header>", "</header>\n<blockquote>\n<p>s</p>\n</blockquote>")
    assert site.fold_contents(quoted) == quoted.replace("</blockquote>", f"</blockquote>\n{fold}")
    bare = told.replace('<header id="t"><h1>x</h1></header>', "")
    assert site.fold_contents(bare) == bare.replace('<main id="m">', f'<main id="m">\n{fold}')


def test_a_number_and_its_percent_sign_stay_together(site):
    told = "<p>95 % and <code>95 %</code> of 3 %</p><pre>\n<b>1 %</b></pre><td>x %</td>"
    assert (
        site.join_percent(told)
        == "<p>95&nbsp;% and <code>95 %</code> of 3&nbsp;%</p><pre>\n<b>1 %</b></pre><td>x %</td>"
    )
    assert site.join_percent("pass@10 = .3, <code>pass@1 = 1</code>, x = 1") == (
        "pass@10&nbsp;=&nbsp;.3, <code>pass@1 = 1</code>, x = 1"
    )
    assert site.join_percent("(p = .15, map = 1) ± 2 and ± x") == (
        "(p&nbsp;=&nbsp;.15, map = 1) ±&nbsp;2 and ± x"
    )
    assert site.join_percent("") == ""


def test_formulas_are_set(site):
    def bracket(inside, stretchy="true"):
        return (
            f'<mo stretchy="{stretchy}" form="prefix">(</mo>{inside}'
            f'<mo stretchy="{stretchy}" form="postfix">)</mo>'
        )

    low, tall = "<mi>p</mi>", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"
    shown = '<math display="inline">{}</math>'
    assert site.set_formulas(shown.format(bracket(low + bracket(low)))) == shown.format(
        bracket(low + bracket(low, "false"), "false")
    ), "brackets around letters are as high as letters"
    assert site.set_formulas(shown.format(bracket(tall))) == shown.format(bracket(tall))
    hat = site.set_formulas(f'<mover>{low}<mo accent="true">\u0302</mo></mover>')
    assert hat == f'<mover>{low}<mo accent="true" stretchy="false">\u02c6</mo></mover>'
    one = shown.format(low)
    assert site.set_formulas(f"if {one}, or ({one}). But {one} and") == (
        f'if <span class="whole">{one},</span> or <span class="whole">({one}).</span> But {one} and'
    ), "no full stop begins a line"


# What the style sheets promise; how it looks is seen in a browser.

STYLE = (ROOT / "nbs" / "site" / "page.scss").read_text("utf-8")


@pytest.mark.parametrize(
    "rule",
    [
        "max-width: 42rem",
        "color-scheme: dark",
        "prefers-reduced-motion: reduce",
        ":focus-visible",
        "@media print",
        "details::details-content",
        "@mixin shade",
        "margin-bottom: 20px",
        "details.contents",
    ],
)
def test_style_sheet_has(rule):
    assert rule in STYLE


def test_braces_of_the_style_sheets_match():
    for path in (ROOT / "nbs" / "site").glob("*.scss"):
        assert path.read_text("utf-8").count("{") == path.read_text("utf-8").count("}"), path


def test_font_of_formulas_is_shipped_with_its_licence():
    text = (ROOT / "nbs" / "site" / "math.scss").read_text("utf-8")
    font = base64.b64decode(re.search(r'base64,([^"]+)"', text)[1], validate=True)
    assert font[:4] == b"wOF2" and len(font) < 40_000
    assert 'font-family: "Sampling Math"' in text, "a changed STIX may not keep the name"
    licence = (ROOT / "nbs" / "site" / "math-font-licence.txt").read_text("utf-8")
    assert "STI Pub Companies" in licence and "SIL OPEN FONT LICENSE Version 1.1" in licence
    themes = yaml.safe_load((ROOT / "_quarto.yml").read_text("utf-8"))["format"]["html"]["theme"]
    assert all("nbs/site/math.scss" in theme for theme in themes.values())


def contrast(one, other):
    "Of two colours as the accessibility guidelines count it."
    bright, dark = sorted(map(luminance, (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [o / 12.92 if o <= 0.04045 else ((o + 0.055) / 1.055) ** 2.4 for o in parts]
    return sum(weight * o for weight, o in zip((0.2126, 0.7152, 0.0722), linear))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out_from_their_ground(theme):
    colors = dict(
        re.findall(
            r"^\$([\w-]+): (#\w{6});",
            (ROOT / "nbs" / "site" / f"{theme}.scss").read_text("utf-8"),
            re.M,
        )
    )
    pairs = [
        ("body-color", "body-bg"),
        ("link-color", "body-bg"),
        ("navbar-fg", "navbar-bg"),
        ("navbar-hl", "navbar-bg"),
        ("code-color", "code-bg"),
        ("code-color", "code-block-bg"),
        ("link-color", "code-bg"),
    ]
    weak = {
        pair: contrast(*(colors[o] for o in pair))
        for pair in pairs
        if contrast(*(colors[o] for o in pair)) < 4.5
    }
    assert not weak


def test_the_front_figure_can_be_read_on_white():
    drawn = (ROOT / "nbs" / "site" / "hero.svg").read_text("utf-8")
    colors = set(re.findall(r'fill="(#\w{6})"', drawn))
    assert len(colors) == 3 and min(contrast(o, "#ffffff") for o in colors) >= 4.5


def test_no_table_shows_the_dust_of_floats():
    wrong = []
    for path in (ROOT / "nbs").rglob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            shown = [
                "".join(o["data"]["text/markdown"])
                for o in cell.get("outputs", [])
                if "text/markdown" in o.get("data", {})
            ]
            # What was published is told to the last digit, and what is recomputed beside it.
            shown = [
                text for text in shown if text.startswith("| ") and "| published |" not in text
            ]
            wrong += [
                (path.name, o)
                for text in shown
                for o in re.findall(r"\| (-?0?\.\d{12,}|-0?\.0+|\d{2,}\.\d{3}) (?=\|)", text)
            ]
    assert not wrong


# Forty things that people type, and the page that each of them finds first.

search = load_script("tools/search.py")
ENTRIES = search.build()

# Query, and the pages of which one comes first.
QUERIES = {
    "confidence interval": "inference/estimate glossary#confidence-interval",
    "tau": "metrics/gpass",
    "unreliable": "metrics/passhat",
    "pass_at_k": "metrics/passk#pass_at_k",
    "pass@k": "metrics/passk",
    "pass^k": "metrics/passhat",
    "maj@k": "metrics/vote",
    "majority vote": "metrics/vote",
    "self-consistency": "metrics/vote",
    "best of n": "metrics/bestof",
    "verifier": "metrics/bestof",
    "p value": "inference/significance glossary#p-value",
    "McNemar": "inference/significance",
    "standard error": "inference/estimate glossary#standard-error",
    "bootstrap": "explain/which_error_bar",
    "wilson": "explain/which_error_bar",
    "power": "inference/power glossary#power",
    "sample size": "inference/power",
    "how many samples do I need": "guides/plan inference/power",
    "A/B test": "inference/comparison",
    "t test": "inference/significance",
    "leaderboard": "inference/ranking",
    "bonferroni": "inference/ranking glossary#bonferroni",
    "early stopping": "inference/sequential",
    "LLM as a judge": "inference/judges",
    "temperature 0": "guides/consistency",
    "seed": "inference/rerun",
    "cost": "metrics/cost",
    "ECE": "metrics/calibration",
    "MMLU": "metrics/choice",
    "macro average": "inference/units",
    "cluster": "inference/units glossary#cluster",
    "power law": "inference/extrapolation",
    "prior": "inference/bayes glossary#prior",
    "CI gate": "guides/gate",
    "LaTeX": "guides/paper_table",
    "install": "guides/install",
    "inspect_ai": "guides/harness_logs guides/in_inspect_ai",
    "lm-eval": "explain/same_name guides/in_lm_eval",
    "cost_per_solved": "inference/spending#cost_per_solved",
    "compare": "guides/compare#compare guides/compare",
}


# What people say of a number, in their words: what once found nothing, the disputes in several
# wordings, and the page of symptoms.
SAID = {
    "my scores change every run": "disputes/score_changes",
    "is 3 points real": "disputes/three_points",
    "temperature 0 still random": "disputes/temperature_zero",
    "confidence interval too wide": "inference/estimate",
    "is model B better": "guides/compare inference/comparison",
    "LLM as judge": "inference/judges",
    "which metric should I report": "explain/which_metric",
    "paper table latex": "guides/paper_table",
    "json log": "guides/harness_logs",
    "json log format": "guides/harness_logs",
    "regression CI": "guides/gate",
    "error bars overlap": "disputes/overlapping_bars",
    "scores change": "disputes/score_changes",
    # The disputes, in other words.
    "ties": "disputes/ties",
    "tied vote": "disputes/ties metrics/vote",
    "who wins a tie in majority voting": "metrics/vote disputes/ties",
    "0 failures of 60": "disputes/zero_failures",
    "zero failures in 100 runs": "disputes/zero_failures metrics/passhat explain/which_error_bar",
    "my model never failed": "disputes/zero_failures",
    "pass@5 from 3 samples": "disputes/pass_at_5_from_3",
    "pass@10 with 5 samples": "disputes/pass_at_5_from_3",
    "k > n": "disputes/pass_at_5_from_3 inference/extrapolation",
    "pass@10 below pass@5": "disputes/falling_pass_at_k",
    "pass@k goes down": "disputes/falling_pass_at_k",
    "is 2 points of difference real": "disputes/three_points",
    "is the improvement real or noise": "disputes/three_points",
    "your bars overlap": "disputes/overlapping_bars",
    "do overlapping confidence intervals mean no difference": "disputes/overlapping_bars",
    "how many questions": "disputes/how_many_questions inference/power",
    "is my benchmark too small": "disputes/how_many_questions",
    "temperature zero is not deterministic": "disputes/temperature_zero",
    "different score each time I run it": "disputes/score_changes",
    "judge is wrong": "disputes/judge_errors",
    "the judge makes errors": "disputes/judge_errors inference/judges",
    # The page of symptoms.
    "what is wrong with my number": "explain/symptoms",
    "two tools give different numbers": "explain/same_name",
    "100 % ± 0": "explain/which_error_bar",
    "not significant so they are the same": "inference/deciding",
    "more votes make it worse": "metrics/vote",
    "best checkpoint was lucky": "inference/ranking",
    "missing samples": "guides/tables",
    "the judge prefers the first answer": "metrics/preference",
}


@pytest.fixture(scope="module")
def find():
    "The search as the site runs it: its script, all entries, and the answers to a query."
    context = quickjs.Context()
    context.eval(search.read_script())
    context.eval("const made = new Fuse([], {})")
    add = "for (const entry of entries) made.add(entry)"
    context.eval(f"(entries => {{ {add} }})({json.dumps(ENTRIES)})")

    def ask(query, limit=5):
        call = f"made.search({json.dumps(query)}, {{limit: {limit}}}).map(o => o.item)"
        return json.loads(context.eval(f"JSON.stringify({call})"))

    return ask


def shorten(href):
    return href.removeprefix("nbs/").replace(".html", "")


@pytest.mark.parametrize("query, wanted", [*QUERIES.items(), *SAID.items()])
def test_the_right_page_comes_first(find, query, wanted):
    found = [shorten(o["href"]) for o in find(query)]
    assert found and {found[0], found[0].partition("#")[0]} & set(wanted.split()), found


def test_what_is_said_of_a_number_is_found_as_it_stands(find):
    "Every row of the page of symptoms, in its words."
    rows = [o for o in ENTRIES if o["crumbs"][0] == PAGES["explain/symptoms"].title]
    assert len(rows) > 40
    for row in rows:
        first = find(row["section"])[0]["href"].partition("#")[0]
        assert first == row["href"].partition("#")[0], row["section"]


def test_there_are_forty_queries():
    assert len(QUERIES) >= 40 and len(SAID) >= 41


def test_every_entry_leads_somewhere():
    pages = {o.path for o in search.list_pages()}
    assert {shorten(o["href"]).partition("#")[0] for o in ENTRIES} == pages
    assert len({o["objectID"] for o in ENTRIES}) == len(ENTRIES)
    assert all(o["title"] and o["text"] and o["crumbs"] for o in ENTRIES)


def test_a_function_has_one_entry():
    import sampling_eval

    named = [o["title"] for o in ENTRIES if o["crumbs"][0] == "Functions"]
    public = set(sampling_eval.__all__)
    assert public <= set(named) and not [o for o in named if named.count(o) > 1]


def test_no_imports_references_or_formulas_are_found(find):
    texts = [o["text"] for o in ENTRIES]
    odd = [
        o
        for o in texts
        if re.search(r"^import |from sampling_eval|```|\$\$|\\frac|<div|</|\]\(", o)
    ]
    assert not odd, odd[0]
    assert not [o for o in ENTRIES if o["section"] in search.SILENT]
    assert not find("matplotlib.pyplot as plt")


def test_prose_as_plain_words():
    said = search.read_prose(
        "A [**word**](x.ipynb#y) of `code`.\n\n$$x^2$$\n\n| a | b |\n|---|:--|\n| c | d |\n\n<div"
        " class=\"x\">\n\n> quoted $k$"
    )
    assert said == "A word of code . a b c d quoted k"


def ask_of(entries, query):
    "Places of the entries that a query finds, the best first."
    context = quickjs.Context()
    context.eval(search.read_script())
    made = [search.make_entry(str(i), *o, ["x"]) for i, o in enumerate(entries)]
    told = f"const made = new Fuse([]); {json.dumps(made)}.forEach(o => made.add(o));"
    context.eval(told)
    return json.loads(
        context.eval(f"JSON.stringify(made.search({json.dumps(query)}).map(o => +o.item.href))")
    )


@pytest.mark.parametrize(
    "query, text, found",
    [
        ("wilson", "the Wilson interval", True),
        ("wils", "the Wilson interval", True),
        ("wilsom", "the Wilson interval", True),
        ("milson", "the Wilson interval", False),
        ("wlson", "the Wilson interval", True),
        ("clopper-pearsen", "by Clopper-Pearson, exact", True),
        ("clopper pearson", "by Clopper-Pearson, exact", True),
        ("overlapping bars", "bars that overlap", True),
        ("ties", "log-probabilities", False),
        ("ties", "a tie", True),
        ("tie", "ties", True),
        ("pass@7", "pass@k of a model", True),
        ("pass@7", "pass^k of a model", False),
        ("solved", "cost_per_solved", True),
        ("is it the of", "nothing", False),
        ("±", "± 0", False),
        ("", "text", False),
        ("tau", "", False),
    ],
)
def test_words_are_looked_for(query, text, found):
    assert bool(ask_of([("x", "", text)], query)) == found


def test_shorter_texts_and_titles_come_first():
    entries = [
        ("other", "", "about pass@k"),
        ("pass@k and more words", "", "pass@k"),
        ("pass@k", "", "other"),
        ("z", "", "z"),
    ]
    assert ask_of(entries, "pass@k") == [2, 1, 0]


def test_whole_words_and_rare_ones_come_first():
    entries = [("probabilities of votes", "", ""), ("a tied vote", "", ""), ("vote", "", "")]
    assert ask_of(entries, "ties") == [1] and ask_of(entries, "ties of votes")[0] == 1
    assert ask_of(entries, "prob") == [0]


def test_a_second_index_of_first_results_is_the_first_one():
    "Quarto makes one where a search took long, and would look for longer words in few entries."
    context = quickjs.Context()
    context.eval(search.read_script())
    context.eval("const one = new Fuse([]), entries = [{title: 'score'}, {title: 'vote'}]")
    context.eval("entries.forEach(o => one.add(o))")
    context.eval("const two = new Fuse([]); one.search('sco').forEach(o => two.add(o.item))")
    assert context.eval("two.search('vote').length + two.search('score').length") == 2


def test_the_index_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["search.py", "--out", str(tmp_path / "site")])
    scripts = tmp_path / "site" / "site_libs" / "quarto-search"
    scripts.mkdir(parents=True)
    search.main()
    assert (scripts / "fuse.min.js").read_text("utf-8") == search.read_script()
    text = (tmp_path / "site" / "search.json").read_text("utf-8")
    assert [o["objectID"] for o in json.loads(text)] == [o["objectID"] for o in ENTRIES] and len(
        text
    ) < 1_500_000


# The field that asks for a number first: what it answers, and what stands there without scripts.

PASS = guess("Five samples, three right; <keep> two?", 100 * 9 / 10, "Nine & a half of ten.")


def reply(made, value):
    "What the script answers, without a page."
    script = re.search(r"(?s)const given.*?(?=const entry)", made._repr_html_())[0].replace(
        "const root = document",
        "const root = {querySelector: () => null}; const unused = (_ => null)",
    )
    script = re.sub(r"const root = .*", "", script)
    context = quickjs.Context()
    context.eval(script)
    return context.eval(f"reply({value})")


@pytest.mark.parametrize(
    "value, told",
    [
        (90, "Right: <b>90 %.</b> Nine &amp; a half of ten."),
        (85.5, "Right: <b>90 %.</b> Nine &amp; a half of ten."),
        (60, "60 % is too low: it is <b>90 %.</b> Nine &amp; a half of ten."),
        (99, "99 % is too high: it is <b>90 %.</b> Nine &amp; a half of ten."),
        ("NaN", "A number, please."),
    ],
)
def test_what_is_answered(value, told):
    assert reply(PASS, value) == told


def test_a_count_is_right_or_not():
    made = guess("How many?", 4, "Four.", unit=" votes", near=0)
    assert reply(made, 4) == "Right: <b>4 votes.</b> Four." and reply(made, 4.1).startswith(
        "4.1 votes is too high"
    )
    assert made.show_answer() == "4 votes. Four." and repr(made) == "Guess first. How many?"


def test_without_scripts_the_answer_is_folded():
    shown = PASS._repr_html_()
    assert (
        '<p class="entry"></p>' in shown
        and "<input" not in shown
        and "<summary>Tell me</summary><p>90 %. Nine &amp; a half of ten.</p>" in shown
    )
    assert "&lt;keep&gt;" in shown and shown == PASS._repr_html_() and "http" not in shown
    assert shown.count("</script>") == 1 and len(shown) < 3500


LESSONS = [
    ROOT / "nbs" / "course.ipynb",
    *(
        path
        for room in ("foundations", "metrics", "inference")
        for path in sorted((ROOT / "nbs" / room).glob("*.ipynb"))
    ),
]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_lesson_asks_before_it_tells(path):
    cells = [
        "".join(cell["source"])
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    asked = [text for text in cells if text.startswith("#| echo: false\nguess(")]
    assert (
        1 <= len(asked) <= 2
    ), "a lesson asks for a number first: guess(...), and once more at most"
    names = {"guess": guess, "exp": exp, "ndtr": ndtr, "ndtri": ndtri}
    for text in asked:
        made = eval(text.removeprefix("#| echo: false\n"), names)
        assert isinstance(made, Guess)
        assert made.question.endswith("?") and made.because.endswith(".")
        assert reply(made, made.answer).startswith("Right: ")


@with_chromium
def test_a_browser_answers(tmp_path):
    (path := tmp_path / "page.html").write_text(
        "<!doctype html><meta charset=utf-8>" + PASS._repr_html_(), "utf-8"
    )
    with open_page(path, tmp_path) as page:
        page.run(
            "document.querySelector('input').value = 60, document.querySelector('button').click()"
        )
        assert (
            page.ask("document.querySelector('.told').textContent")
            == "60 % is too low: it is 90 %. Nine & a half of ten."
        )
