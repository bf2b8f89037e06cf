"""What is added to the site after it was rendered: heads, the index of the search, the field that
asks for a guess."""

import base64
import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import quickjs
import yaml

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


SMALL = '<svg width="432pt" viewBox="0 0 432 230"><text style="font: {}px sans-serif">a</text></svg>'


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
        assert text.count("```") % 2 == 0
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
    assert len(titles) == len(chapters) + 3 and [o for o, _ in titles[1:-2]] == [
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


@pytest.mark.parametrize("name", ["passk", "passhat", "estimate", "comparison", "power"])
def test_slides_are_short_and_have_notes(slides, name):
    head, *shown = re.split(r"^## ", (slides / f"{name}.qmd").read_text("utf-8"), flags=re.M)
    assert head.startswith("---\ntitle: ") and "revealjs" in head and len(shown) >= 6
    # Any other method loads formulas from elsewhere.
    assert "html-math-method: mathml" in head
    for slide in shown:
        seen, _, notes = slide.partition("::: {.notes}")
        assert len(seen.split()) < 130 and seen.count("\n") < 28, seen
        assert notes.rstrip().endswith(":::") or slide.startswith("What to remember\n\n- ")
        assert "](../" not in slide and "<div" not in slide
        assert all((slides / o).is_file() for o in re.findall(r"\]\((figures/\S+?)\)", seen))
    assert any("](figures/" in o for o in shown) and shown[-1].startswith("What to remember")


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
    assert site.join_percent("") == ""


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
    "how many samples do I need": "guides/plan inference/power inference/planning",
    "A/B test": "inference/comparison",
    "t test": "inference/paired_t",
    "leaderboard": "inference/ranking",
    "bonferroni": "inference/ranking glossary#bonferroni",
    "early stopping": "inference/sequential",
    "LLM as a judge": "inference/judges",
    "temperature 0": "guides/consistency",
    "seed": "inference/rerun",
    "cost": "metrics/cost",
    "ECE": "metrics/calibration",
    "MMLU": "metrics/choice",
    "macro average": "inference/strata",
    "cluster": "inference/units glossary#cluster",
    "power law": "inference/extrapolation",
    "prior": "inference/bayes glossary#prior",
    "CI gate": "guides/gate",
    "LaTeX": "guides/paper_table",
    "install": "guides/install",
    "inspect_ai": "guides/harness_logs guides/in_inspect_ai",
    "lm-eval": "explain/same_name guides/in_lm_eval",
    "cost_per_solved": "metrics/cost#cost_per_solved",
    "compare": "guides/compare#compare guides/compare",
}


def shorten(href):
    return href.removeprefix("nbs/").replace(".html", "")


@pytest.mark.parametrize("query", QUERIES)
def test_the_right_page_comes_first(query):
    found = [shorten(o["href"]) for o in search.rank(query, ENTRIES)[:5]]
    assert found and (
        found[0] in QUERIES[query].split() or found[0].partition("#")[0] in QUERIES[query].split()
    ), found


def test_there_are_forty_queries():
    assert len(QUERIES) >= 40


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


def test_no_imports_references_or_formulas_are_found():
    texts = [o["text"] for o in ENTRIES]
    odd = [
        o
        for o in texts
        if re.search(r"^import |from sampling_eval|```|\$\$|\\frac|<div|</|\]\(", o)
    ]
    assert not odd, odd[0]
    assert not [o for o in ENTRIES if o["section"] in search.SILENT]
    assert not search.rank("matplotlib.pyplot as plt", ENTRIES)


def test_prose_as_plain_words():
    said = search.read_prose(
        "A [**word**](x.ipynb#y) of `code`.\n\n$$x^2$$\n\n| a | b |\n|---|:--|\n| c | d |\n\n<div"
        " class=\"x\">\n\n> quoted $k$"
    )
    assert said == "A word of code . a b c d quoted k"


@pytest.mark.parametrize(
    "query, text, score",
    [
        ("wilson", "wilson", 0),
        ("wilson", "the wilson interval", 0.001),
        ("wilsom", "the wilson interval", None),
        ("clopper-pearsen", "by clopper-pearson, exact", 1 / 15),
        ("clopper pearson", "by clopper-pearson, exact", 1 / 15),
        ("cloppar-pearsen", "by clopper-pearson, exact", None),
        ("", "text", 0.001),
        ("tau", "", None),
    ],
)
def test_scores_of_the_browser(query, text, score):
    assert search.score_text(query, text) == score


def test_shorter_texts_and_titles_come_first():
    make = search.make_entry
    long = make("a", "pass@k and more words", "", "pass@k", ["x"])
    short = make("b", "pass@k", "", "other", ["x"])
    text = make("c", "other", "", "about pass@k", ["x"])
    assert [
        o["href"]
        for o in search.rank("pass@k", [text, long, short, make("d", "z", "", "z", ["x"])])
    ] == ["b", "a", "c"]


def test_the_index_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["search.py", "--out", str(tmp_path / "site")])
    search.main()
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
    path
    for room in ("foundations", "metrics", "inference")
    for path in sorted((ROOT / "nbs" / room).glob("*.ipynb"))
]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_lesson_asks_before_it_tells(path):
    cells = [
        "".join(cell["source"])
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    asked = [text for text in cells if text.startswith("#| echo: false\nguess(")]
    assert len(asked) == 1, "a lesson asks for one number first: guess(...)"
    made = eval(
        asked[0].removeprefix("#| echo: false\n"), {"guess": guess, "exp": __import__("math").exp}
    )
    assert isinstance(made, Guess) and made.question.endswith("?") and made.because.endswith(".")
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
