"What is added to the site after it was rendered, without Quarto."
import json, re, sys
from pathlib import Path

import pytest

from sampling_eval.docs.chapters import list_pages
from sampling_eval.docs.gallery import list_figures
from scripts import load_script

ROOT = Path(__file__).resolve().parents[1]
PAGES = {o.path: o for o in list_pages()}
RENDERED = '<html><head><title>x</title></head><body><main id="m"><p>Text.</p></main></body></html>'


@pytest.fixture(scope="module")
def site():
    sys.path.insert(0, str(ROOT / "tools"))
    yield load_script("tools/site.py")
    sys.path.remove(str(ROOT / "tools"))


def test_a_page_says_what_it_is_and_what_to_take(site):
    text = site.finish(RENDERED, PAGES["metrics/passk"])
    head, _, body = text.partition("</head>")
    assert '<meta name="description" content="At least one of k samples is correct">' in head
    assert '<meta property="og:title" content="pass@k">' in head
    assert '<meta property="og:image" content="../../nbs/cards/metrics/passk.png">' in head
    assert '<a href="../../notebooks/metrics/passk.ipynb" download>' in body and '<a href="passk.html.md">' in body
    assert body.index("</script>") < body.index("</main>") and "src=" not in body
    assert site.finish(text, PAGES["metrics/passk"]) == text, "a page that was kept from an earlier build is left alone"


def test_a_preview_has_a_whole_address_where_there_is_one(site):
    text = site.finish(RENDERED, PAGES["index"], "https://site.org/")
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
    assert "def pass_at_k(" in text and "urn_explorer(" not in text.replace("import Table, urn_explorer", "")


def test_small_pictures_are_written(site, tmp_path):
    site.write_pictures(tmp_path)
    written = {o.name for o in (tmp_path / "nbs" / "gallery").iterdir()}
    assert written == {Path(o.file).name for o in list_figures()}


def test_a_card_is_drawn(site, tmp_path):
    site.draw_card(PAGES["metrics/passhat"], tmp_path / "card.png")
    data = (tmp_path / "card.png").read_bytes()
    assert data[:4] == b"\x89PNG" and data[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big") and len(data) < 80_000
