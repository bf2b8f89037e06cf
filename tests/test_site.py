"What is added to the site after it was rendered, without Quarto."
import base64, json, re, sys
from pathlib import Path

import pytest, yaml

from sampling_eval.docs.pages import list_chapters, list_figures, list_pages
from scripts import ROOT, load_script

PAGES = {o.path: o for o in list_pages()}
RENDERED = '<html><head><title>x</title></head><body><main id="m"><p>Text.</p></main></body></html>'


@pytest.fixture(scope="module")
def site():
    sys.path.insert(0, str(ROOT / "tools"))
    yield load_script("tools/site.py")
    sys.path.remove(str(ROOT / "tools"))


def test_a_page_says_what_it_is_and_what_to_take(site, tmp_path):
    for name in "notebooks/metrics/passk.ipynb", "nbs/metrics/passk.html.md", "nbs/slides/passk.html", "sampling_eval.epub":
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    text = site.finish(RENDERED, PAGES["metrics/passk"], tmp_path)
    head, _, body = text.partition("</head>")
    assert '<meta name="description" content="At least one of k samples is correct">' in head
    assert '<meta property="og:title" content="pass@k">' in head
    assert '<meta property="og:image" content="../../nbs/cards/metrics/passk.png">' in head
    links = ["notebooks/metrics/passk.ipynb", "nbs/metrics/passk.html.md", "nbs/slides/passk.html", "sampling_eval.epub"]
    assert re.findall(r'<a href="\.\./\.\./(.+?)"', body) == links, "what was made, and no PDF where there is none"
    assert body.index("</script>") < body.index("</main>") and "src=" not in body
    assert site.finish(text, PAGES["metrics/passk"], tmp_path) == text, "a page that was kept from an earlier build is left alone"


def test_a_preview_has_a_whole_address_where_there_is_one(site, tmp_path):
    text = site.finish(RENDERED, PAGES["index"], tmp_path, "https://site.org/")
    assert 'content="https://site.org/nbs/cards/index.png"' in text


def test_every_page_has_its_markdown_and_notebook(site, tmp_path):
    for page in PAGES.values():
        site.copy_notebook(page, tmp_path)
        site.write_markdown(page, tmp_path)
        text = (tmp_path / "nbs" / f"{page.path}.html.md").read_text("utf-8")
        assert text.startswith(f"# {page.title}\n\n> {page.subtitle}\n") and "#| " not in text
        assert text.count("```") % 2 == 0
        assert not re.search(r"^<(script|svg|style)", re.sub(r"^(```+).*?^\1", "", text, flags=re.M | re.S), re.M)
        json.loads((tmp_path / "notebooks" / f"{page.path}.ipynb").read_text("utf-8"))


def test_markdown_keeps_code_outputs_and_captions(site):
    text = site.read_markdown(PAGES["metrics/passk"])
    assert "```python\npass_at_k(n=5, c=3, k=2)\n```\n\n```\n0.9\n```" in text
    assert "*pass@k for 1, 4 and 12 correct of 20 samples; the plug-in estimate is dashed.*" in text
    assert "def pass_at_k(" in text and "urn_explorer" not in text and "\nimport " not in text


def test_small_pictures_are_written(site, tmp_path):
    site.write_pictures(tmp_path)
    written = {o.name for o in (tmp_path / "nbs" / "gallery").iterdir()}
    assert written == {Path(o.file).name for o in list_figures()}


def test_a_card_is_drawn(site, tmp_path):
    site.draw_card(PAGES["metrics/passhat"], tmp_path / "card.png")
    data = (tmp_path / "card.png").read_bytes()
    assert data[:4] == b"\x89PNG" and data[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big") and len(data) < 80_000


# The course as a book, and slides.

@pytest.fixture(scope="module")
def book(site): return load_script("tools/book.py")


@pytest.fixture(scope="module")
def written(book, tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    return folder, book.write_book(folder).read_text("utf-8")


def test_the_book_has_every_chapter_in_order(written):
    titles = re.findall(r"^# (.+?) \{#([\w-]+)\}$", written[1], re.M)
    chapters = list_chapters()
    assert len(titles) == len(chapters) + 3 and [o for o, _ in titles[1:-2]] == [f"{o.number}. {o.page.title}" for o in chapters]


def test_links_of_the_book_stay_inside_it(written):
    folder, text = written
    bare = re.sub(r"^(```+).*?^\1|`[^`\n]*`", "", text, flags=re.M | re.S)
    anchors = {o for _, o in re.findall(r"^# (.+?) \{#([\w-]+)\}$", text, re.M)}
    targets = re.findall(r"(?<!!)\[[^\[\]]+\]\(([^)\s]+)\)", bare)
    assert not [o for o in targets if not o.startswith("http") and o.removeprefix("#") not in anchors]
    pictures = re.findall(r"!\[.*\]\(([\w-]+\.svg)\)", text)
    assert len(pictures) > 80 and all((folder / o).is_file() for o in pictures)
    assert "<!--" not in bare and "<div" not in bare and "<details" not in bare


def test_tools_of_the_book_are_taken_where_they_are(book, monkeypatch):
    there = {"quarto", "pandoc", "typst"}
    monkeypatch.setattr(book.shutil, "which", lambda name: name if name in there else None)
    monkeypatch.setattr(book.importlib.util, "find_spec", lambda name: None)
    assert book.find_pandoc() == ["quarto", "pandoc"] and book.find_typst() == ["quarto", "typst", "compile"]
    there.remove("quarto")
    assert book.find_pandoc() == ["pandoc"] and book.find_typst() == ["typst", "compile"]
    there.clear()
    assert book.find_pandoc() is None and book.find_typst() is None


def test_a_book_is_made(book, written, tmp_path):
    pandoc = book.find_pandoc()
    if pandoc is None: pytest.skip("no pandoc")
    book.make_epub(pandoc, written[0] / "book.md", tmp_path / "book.epub")
    assert (tmp_path / "book.epub").stat().st_size > 300_000


@pytest.fixture(scope="module")
def slides(site, tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    made = load_script("tools/slides.py")
    for chapter in list_chapters():
        if chapter.page.path in made.LESSONS: (folder / f"{Path(chapter.page.path).name}.qmd").write_text(made.write_slides(chapter, folder))
    return folder


@pytest.mark.parametrize("name", ["passk", "passhat", "estimate", "comparison", "planning"])
def test_slides_are_short_and_have_notes(slides, name):
    head, *shown = re.split(r"^## ", (slides / f"{name}.qmd").read_text("utf-8"), flags=re.M)
    assert head.startswith("---\ntitle: ") and "revealjs" in head and len(shown) >= 6
    for slide in shown:
        seen, _, notes = slide.partition("::: {.notes}")
        assert len(seen.split()) < 130 and seen.count("\n") < 28, seen
        assert notes.rstrip().endswith(":::") or slide.startswith("What to remember\n\n- ")
        assert "](../" not in slide and "<div" not in slide
        assert all((slides / o).is_file() for o in re.findall(r"\]\((figures/\S+?)\)", seen))
    assert any("](figures/" in o for o in shown) and shown[-1].startswith("What to remember")


def test_contents_are_folded_below_the_title_once_more(site):
    told = '<main id="m"><header id="t"><h1>x</h1></header><p>Text.</p></main><nav id="TOC" role="doc-toc"><h2>On this page</h2><ul class="collapse"><li><a href="#a" id="toc-a" class="nav-link" data-scroll-target="#a">A</a></li></ul></nav>'
    text = site.fold_contents(told)
    fold = '<details class="contents"><summary>On this page</summary>\n<ul><li><a href="#a">A</a></li></ul>\n</details>'
    assert text == told.replace("</header>", f"</header>\n{fold}")
    assert site.fold_contents(RENDERED) == RENDERED
    quoted = told.replace("</header>", "</header>\n<blockquote>\n<p>s</p>\n</blockquote>")
    assert site.fold_contents(quoted) == quoted.replace("</blockquote>", f"</blockquote>\n{fold}")
    bare = told.replace('<header id="t"><h1>x</h1></header>', "")
    assert site.fold_contents(bare) == bare.replace('<main id="m">', f'<main id="m">\n{fold}')


def test_a_number_and_its_percent_sign_stay_together(site):
    told = "<p>95 % and <code>95 %</code> of 3 %</p><pre>\n<b>1 %</b></pre><td>x %</td>"
    assert site.join_percent(told) == "<p>95&nbsp;% and <code>95 %</code> of 3&nbsp;%</p><pre>\n<b>1 %</b></pre><td>x %</td>"
    assert site.join_percent("") == ""


# What the style sheets promise; how it looks is seen in a browser.

STYLE = (ROOT / "nbs" / "site" / "page.scss").read_text("utf-8")


@pytest.mark.parametrize("rule", ["max-width: 42rem", "color-scheme: dark", "prefers-reduced-motion: reduce", ":focus-visible", "@media print", "details::details-content", "@mixin shade", "margin-bottom: 20px", "details.contents"])
def test_style_sheet_has(rule): assert rule in STYLE


def test_braces_of_the_style_sheets_match():
    for path in (ROOT / "nbs" / "site").glob("*.scss"): assert path.read_text("utf-8").count("{") == path.read_text("utf-8").count("}"), path


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
    return (bright + .05) / (dark + .05)


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [o / 12.92 if o <= .04045 else ((o + .055) / 1.055) ** 2.4 for o in parts]
    return sum(weight * o for weight, o in zip((.2126, .7152, .0722), linear))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out_from_their_ground(theme):
    colors = dict(re.findall(r"^\$([\w-]+): (#\w{6});", (ROOT / "nbs" / "site" / f"{theme}.scss").read_text("utf-8"), re.M))
    pairs = [("body-color", "body-bg"), ("link-color", "body-bg"), ("navbar-fg", "navbar-bg"), ("navbar-hl", "navbar-bg"), ("code-color", "code-bg"), ("code-color", "code-block-bg"), ("link-color", "code-bg")]
    weak = {pair: contrast(*(colors[o] for o in pair)) for pair in pairs if contrast(*(colors[o] for o in pair)) < 4.5}
    assert not weak


def test_no_table_shows_the_dust_of_floats():
    wrong = []
    for path in (ROOT / "nbs").rglob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            shown = ["".join(o["data"]["text/markdown"]) for o in cell.get("outputs", []) if "text/markdown" in o.get("data", {})]
            # What was published is told to the last digit, and what is recomputed beside it.
            shown = [text for text in shown if text.startswith("| ") and "| published |" not in text]
            wrong += [(path.name, o) for text in shown for o in re.findall(r"\| (-?0?\.\d{12,}|-0?\.0+|\d{2,}\.\d{3}) (?=\|)", text)]
    assert not wrong
