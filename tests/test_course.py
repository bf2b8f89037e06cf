"The book: chapters in the order of the sidebar, and what the filter puts on their pages."

import ast, inspect, io, json, re, tomllib
from contextlib import redirect_stdout
from pathlib import Path
from pkgutil import resolve_name
from xml.etree import ElementTree

import pytest
from execnb.nbio import read_nb
from scripts import load_script
from fastcore.basics import AttrDict
from nbdev.processors import FilterDefaults

import sampling_eval
from sampling_eval_site import api, chapters, gallery, index, kept, processors

ROOT = Path(__file__).resolve().parents[1]
TOLD = tomllib.loads((ROOT / "nbs" / "chapters.toml").read_text("utf-8"))
BOOK = chapters.list_chapters()


def read_source(page):
    return "\n".join(
        "".join(o["source"])
        for o in json.loads((ROOT / "nbs" / f"{page}.ipynb").read_text("utf-8"))["cells"]
    )


def make(source, kind="markdown", **more):
    return AttrDict(cell_type=kind, source=source, outputs=[], **more)


def describe(name, text):
    "A cell as nbdev adds it, with what it shows."
    return AttrDict(
        cell_type="code",
        source=f"#| echo: false\nshow_doc({name})",
        outputs=[AttrDict(data={"text/markdown": [text]})],
    )


def run(processor, *cells):
    page = AttrDict(cells=list(cells))
    processor(page).begin()
    return [o.source for o in page.cells]


def test_every_page_of_the_book_is_described():
    wanted = {
        o.path for o in chapters.list_pages() if o.shelf in chapters.BOOK or o.part in chapters.BOOK
    }
    assert wanted == TOLD.keys(), (
        "nbs/chapters.toml has one table for every page of Course, Metrics, Error bars "
        "and On real data"
    )
    assert [o.number for o in BOOK] == list(range(1, len(TOLD) + 1))


@pytest.mark.parametrize("path", TOLD)
def test_a_chapter_builds_on_earlier_ones(path):
    numbers = {o.page.path: o.number for o in BOOK}
    late = [o for o in TOLD[path]["before"] if numbers[o] >= numbers[path]]
    assert not late, f"a prerequisite comes before its chapter in the sidebar: {late}"
    told = TOLD[path]
    assert (
        4 <= len(told["learn"].split()) <= 24
        and told["learn"][0].islower()
        and told["learn"][-1] != "."
    )
    assert 1 <= next(o.page.minutes for o in BOOK if o.page.path == path) <= 30


LESSONS = [o for o in BOOK if o.page.shelf == chapters.COURSE]


def test_the_course_has_twelve_lessons_of_an_hour_and_a_half():
    assert [o.page.path for o in LESSONS] == """
        course metrics/average metrics/passk metrics/passhat metrics/vote metrics/bestof
        explain/which_error_bar inference/comparison inference/power inference/deciding
        inference/judges explain/published_tables""".split()
    assert 80 <= sum(o.page.minutes for o in LESSONS) <= 100
    lessons = {o.page.path for o in LESSONS}
    assert all(set(o.before) <= lessons for o in LESSONS), "a lesson builds on lessons"


def test_minutes_are_those_of_what_a_reader_sees():
    shown = [make("word " * 400), make("#| label: fig-x", "code"), make("#| label: fig-y", "code")]
    hint = make("<details>\n\n" + "word " * 900 + "\n\n</details>")
    behind = [make("## Behind this page"), make("word " * 900), make("#| label: fig-z", "code")]
    assert chapters.count_minutes([*shown, hint, *behind]) == 3


def test_the_course_stands_before_the_shelves():
    parts = list(dict.fromkeys(o.page.part for o in BOOK))
    assert parts == [
        "Course",
        "Metrics",
        "One system",
        "Two systems",
        "Many systems",
        "Before the run",
        "Beyond the data",
        "On real data",
    ]


FOUND = [
    "inference/units",
    "inference/ranking",
    "inference/estimate",
    "inference/bayes",
    "inference/power",
    "inference/deciding",
    "explain/published_tables",
]


@pytest.mark.parametrize("page", ["course", "explain/which_error_bar"])
def test_pages_that_only_the_sidebar_knew_are_linked(page):
    text, start = read_source(page), "../" * page.count("/")
    linked = {
        (ROOT / "nbs" / page).parent.joinpath(o).resolve()
        for o in re.findall(r"\]\(([^)#\s]+\.ipynb)", text)
    }
    missing = [o for o in FOUND if (ROOT / "nbs" / f"{o}.ipynb").resolve() not in linked]
    assert not missing, f"link from {page}, {start}: {missing}"


def test_the_course_lists_every_part():
    text = read_source("course")
    assert re.findall("<!-- chapters: (.+?) -->", text) == list(
        dict.fromkeys(o.page.part for o in BOOK)
    )
    cell = make("Read.\n\n<!-- chapters: Many systems -->")
    processors.list_parts(cell)
    number = next(o.number for o in BOOK if o.page.path == "inference/ranking")
    assert re.fullmatch(
        rf"Read\.\n\n{number}\. \[Several systems\]\(inference/ranking\.ipynb\), "
        r"\d+ minutes: rank .+\.",
        cell.source,
    )
    kept = chapters.fill_lists(chapters.fill_lists("<!-- chapters: Metrics -->", True), True)
    assert kept.count("<!-- chapters: Metrics -->") == 1 and kept.count("[pass@k]") <= 1
    with pytest.raises(ValueError, match="no part of the book is named 'Nothing'"):
        chapters.write_part("Nothing")


@pytest.mark.parametrize("page", ["course", "gallery", "functions"])
def test_lists_of_notebooks_are_current(page):
    stored = (ROOT / "nbs" / f"{page}.ipynb").read_text("utf-8")
    assert stored == load_script("tools/course.py").fill_page(page), "run python tools/course.py"


def test_a_notebook_lists_what_the_site_shows():
    questions = re.findall(r"^- (.+\?) \[.+\]\((.+)\.ipynb\)$", read_source("gallery"), re.M)
    assert questions == [(o.question, o.page.path) for o in FIGURES]
    names = re.findall(r"^- \[(\w+)\]\(([\w/]+\.ipynb)\): \S", read_source("functions"), re.M)
    assert [name for name, _ in names][:2] == ["score", "compare"]
    assert sorted(name for name, _ in names) == sorted(sampling_eval.__all__)
    assert all((ROOT / "nbs" / path).exists() for _, path in names)


@pytest.mark.parametrize(
    "page, show, mark",
    [
        ("gallery", gallery.show_gallery, "<!-- gallery -->"),
        ("functions", processors.list_functions, "<!-- functions: public -->"),
    ],
)
def test_the_site_shows_a_list_once(page, show, mark):
    source = read_source(page)
    assert source.count(mark) == source.count(kept.END) == 1
    held, bare = make(source), make(kept.drop_lists(source))
    assert len(bare.source) < len(source) / 2 and mark in bare.source
    assert kept.drop_lists(bare.source) == bare.source
    for cell in held, bare:
        show(cell)
    assert held.source == bare.source and "<!-- " not in held.source
    first, second = (kept.keep_list(mark, mark, listed) for listed in ("- a", "- b"))
    assert kept.keep_list(first, mark, "- b") == second and "- b" in second


def test_a_chapter_says_what_it_is():
    told = run(
        processors.ChapterHead, make("# pass^k\n\n> All of k samples are correct"), make("Text.")
    )
    assert len(told) == 3 and told[1].startswith(
        '<div class="chapter">\n\n[Lesson 4 of 12](../course.ipynb#twelve-lessons): '
    )
    assert "You will be able to say how often all of k samples are right" in told[1]
    assert told[1].endswith("Before it: [pass@k](../metrics/passk.ipynb).\n\n</div>")
    assert run(
        processors.ChapterHead, make("# Glossary\n\n> Two plain sentences for every word")
    ) == ["# Glossary\n\n> Two plain sentences for every word"]
    assert run(processors.ChapterHead, make("# Nothing\n\n> Of this name")) == [
        "# Nothing\n\n> Of this name"
    ]


def test_descriptions_follow_the_lesson_in_one_fold():
    lesson = [
        make("# T\n\n> S"),
        describe("f", "### f\n\nOne.\n\n```python\nf(a)\n```"),
        make('def f(a):\n    """One,\n    or two.\n\n    More.\n    """', "code"),
        describe("g", "### g"),
        make("def g(): pass", "code"),
        make("## What to remember"),
        make("## References"),
        make("- A"),
    ]
    told = run(processors.ReferenceFold, *lesson)
    assert told[1] == "[**f**](#f): One, or two." and told[2].startswith("def f")
    assert told[3].startswith("def g"), "what says nothing of itself has no line"
    assert (
        told[4] == "## What to remember"
        and told[7:] == ["## References", "- A"]
        and "<script>" in told[6]
    )
    fold = told[5]
    assert fold.startswith(
        '## Functions of this page\n\n<details class="reference">\n\n'
        "<summary>f, g</summary>\n\n<div>\n\n### f\n\nOne."
    )
    assert fold.index("### f") < fold.index("### g") < fold.index("</div>\n\n</details>")


def test_a_description_under_a_heading_takes_it_along():
    shown = make("`help(audit)` describes it. <!-- describe: sampling_eval:audit -->")
    told = run(
        processors.ReferenceFold,
        make("# T\n\n> S"),
        make("## Exercises"),
        make("## audit"),
        shown,
        make("## What to remember"),
    )
    assert told[1:3] == ["## Exercises", "## What to remember"]
    assert (
        "### audit\n\nWhat a published" in told[3]
        and "```python\naudit(" in told[3]
        and "help(audit)" not in told[3]
    )


def test_a_mark_names_what_there_is():
    marked = {
        path: api.MARK.findall(path.read_text("utf-8").replace(' -->\"', " -->\n"))
        for path in (ROOT / "nbs").rglob("*.ipynb")
    }
    for path, names in marked.items():
        assert path.read_text("utf-8").count("<!-- describe:") == len(names), path.name
        for place, name in names:
            if "inspect_ai" in place:
                pytest.importorskip("inspect_ai")
            assert resolve_name(place).__name__ == name, f"{path.name}: {place}"


def test_numerics_stand_behind_the_lesson():
    lesson = [
        make("# T\n\n> S"),
        make("## How it is computed"),
        make("By hand."),
        make("x = 1", "code"),
        make("### A step"),
        make("## Checks"),
        make("y = 1", "code"),
        make("## What to remember"),
        make("## References"),
    ]
    told = run(processors.AppendixLast, *lesson)
    behind = ["## Behind this page", "### How it is computed", "By hand.", "x = 1", "### A step"]
    assert told[:7] == ["# T\n\n> S", "## What to remember", *behind]
    assert told[7:9] == ["### Checks", "y = 1"] and told[10:] == ["## References"]
    assert (
        told[9].count("<script>") == 1
        and processors.with_script([make(told[9])])[0].source == told[9]
    )
    lesson[1].source = "## Behind this page\n\nA slip."
    assert run(processors.AppendixLast, *lesson[:5])[:4] == [
        "# T\n\n> S",
        "## Behind this page",
        "A slip.",
        "By hand.",
    ]
    assert run(processors.AppendixLast, *lesson[:1], *lesson[7:]) == [
        "# T\n\n> S",
        "## What to remember",
        "## References",
    ]


def test_descriptions_stand_with_what_is_for_the_curious():
    lesson = [
        make("# T\n\n> S"),
        make("## What to remember"),
        make("## Behind this page"),
        describe("f", "### f"),
        make("def f(): pass", "code"),
        make("## References"),
    ]
    told = run(processors.ReferenceFold, *lesson)
    assert told[1:3] == ["## What to remember", "## Behind this page"], "the heading stays"
    assert told[3].startswith('<details class="reference">') and told[4] == "def f(): pass"
    assert told[-1] == "## References" and "## Functions of this page" not in told


def test_the_box_of_what_to_read_next_has_no_second_heading():
    box = make('<div class="next">\n\nA.\n\n</div>')
    told = run(processors.NextBox, make("# T"), make("## Read next"), box, make("## References"))
    assert told == ["# T", box.source, "## References"]
    joined = make(f"## Read next\n\n{box.source}")
    assert run(processors.NextBox, make("# T"), joined) == ["# T", box.source]
    kept = [make("# T"), make("## Read next"), make("A."), make("## Read next")]
    assert run(processors.NextBox, *kept) == [o.source for o in kept]


def test_a_page_without_functions_stays():
    cells = [make("# T\n\n> S"), make("x = 1", "code"), make("## References")]
    assert run(processors.ReferenceFold, *cells) == [o.source for o in cells]


def convert(page, monkeypatch):
    "The prose of a page as Quarto gets it."
    path = ROOT / "nbs" / f"{page}.ipynb"
    monkeypatch.setenv("IN_TEST", "1")
    monkeypatch.chdir(path.parent)
    nb = read_nb(path)
    with redirect_stdout(io.StringIO()):
        FilterDefaults()(nb)
    return "\n\n".join("".join(o.source) for o in nb.cells if o.cell_type == "markdown")


def test_names_in_backticks_are_links(monkeypatch):
    "nbdev finds the index by its entry point, and says nothing where it is not installed or fails."
    links = re.findall(r"\[`\w+`\]\(/nbs/[\w/]+\.html#\w+\)", convert("guides/score", monkeypatch))
    assert len(links) >= 5, "pip install --editable tools"


@pytest.mark.parametrize("page", ["metrics/passk", "inference/power", "guides/audit"])
def test_no_anchor_is_lost(page, monkeypatch):
    "On real pages: every name that the index leads to is described once, behind the lesson."
    text = convert(page, monkeypatch)
    lesson, _, fold = text.partition('<details class="reference">')
    wanted = {
        place[0].partition("#")[2]
        for names in index.d["syms"].values()
        for name, place in names.items()
        if place[0].startswith(f"nbs/{page}.html#")
        and not re.match(r"_|.*\.", place[0].partition("#")[2])
    }
    headings = [o.lower() for o in re.findall(r"^### (\w+)$", fold, re.M)]
    assert wanted and wanted <= set(headings), wanted - set(headings)
    assert lesson.rfind("## What to remember") > lesson.rfind("## Exercises")
    assert not re.search(
        r"^\|:-+\|:-{20,}", lesson, re.M
    ), "no table of parameters stands in the lesson"


@pytest.mark.parametrize("verb", "score compare gate plan extrapolate explain audit table".split())
def test_a_guide_begins_with_its_command(verb):
    page = "paper_table" if verb == "table" else verb
    first = read_source(f"guides/{page}").partition('<div class="remember">')[2].split("\n- ")[1]
    assert f"`{verb}(" in first or f"{verb}(" in first
    assert f"`sampling-eval {verb} " in first


@pytest.mark.parametrize("page", ["audit", "compare", "plan"])
def test_a_guide_shows_a_result_and_its_picture_before_it_explains(page):
    cells = json.loads((ROOT / "nbs" / "guides" / f"{page}.ipynb").read_text("utf-8"))["cells"]
    told = [o for o in cells[2:] if o["cell_type"] == "markdown" or o["outputs"]]
    heading, result, picture = told[:3]
    assert "".join(heading["source"]).startswith("## 1. ")
    assert f"{page}(" in "".join(result["source"])
    assert "text/markdown" in result["outputs"][0]["data"]
    assert any("image/svg+xml" in o["data"] for o in picture["outputs"])


# The front page, the gallery and the cheat sheet.

FIGURES = gallery.list_figures()


def test_every_question_of_the_gallery_has_its_figure():
    asked = tomllib.loads((ROOT / "nbs" / "gallery.toml").read_text("utf-8"))
    drawn = {f"{o.page.path}#{o.label}" for o in FIGURES}
    assert drawn == asked.keys(), (
        "no such figure any more; change or delete its line in nbs/gallery.toml: "
        f"{asked.keys() - drawn}"
    )
    assert (
        all(o.question.endswith("?") and len(o.words) > 20 for o in FIGURES) and len(FIGURES) >= 60
    )
    assert len({o.question for o in FIGURES}) == len(FIGURES)


def test_small_pictures_are_whole_and_smaller():
    for figure in FIGURES:
        small = gallery.shrink(figure.svg)
        assert (
            len(small) < 0.9 * len(figure.svg)
            and "<metadata" not in small
            and "<script" not in small
        )
        root = ElementTree.fromstring(small)
        assert root.tag.endswith("svg") and root.get("viewBox"), figure.file
    total = sum(len(gallery.shrink(o.svg)) for o in FIGURES)
    assert total < 25_000 * len(FIGURES)


def test_the_gallery_shows_every_figure_under_its_part():
    cell = make("Look.\n\n<!-- gallery -->")
    gallery.show_gallery(cell)
    assert cell.source.count("<a href=") == cell.source.count('loading="lazy"') == len(FIGURES)
    assert cell.source.startswith('Look.\n\n```{=html}\n<label class="filter" hidden>')
    assert '## Start\n\n```{=html}\n<div class="gallery">\n<a href=' in cell.source
    parts = re.findall(r"^## (.+)$", cell.source, re.M)
    assert parts == list(dict.fromkeys(o.page.part for o in FIGURES)) and "One system" in parts


def test_some_figures_stand_where_they_are_named():
    cell = make("<!-- gallery: metrics/passk#fig-passk -->")
    gallery.show_gallery(cell)
    linked = (
        '<a href="metrics/passk.html#fig-passk"><img '
        'src="gallery/metrics-passk-fig-passk.svg" alt="Three rising'
    )
    assert linked in cell.source
    assert "<strong>Whom do more samples help most?</strong> <span>pass@k</span></a>" in cell.source
    with pytest.raises(ValueError, match="no figure"):
        gallery.write_some(["metrics/passk#fig-none"])


def test_the_front_page_opens_with_an_explorer_and_pictures():
    front = json.loads((ROOT / "nbs" / "index.ipynb").read_text("utf-8"))["cells"]
    texts = ["".join(o["source"]) for o in front]
    explorer = next(i for i, o in enumerate(texts) if "_explorer(" in o and "echo: false" in o)
    pictures = next(i for i, o in enumerate(texts) if o.startswith("<!-- gallery: "))
    assert explorer < pictures < texts.index("## Install") and texts[pictures].count("#fig-") == 3
    [block] = re.findall(r"```sh\n(.+?)```", texts[texts.index("## Install") + 1], re.S)
    words = [line for line in block.splitlines() if not line.startswith("#")]
    assert words == [
        "make report",
        "make test",
        'pip install ".[all]"',
        "sampling-eval score run.csv",
    ], "what does all set-up in a clone, then a file of one's own"


def test_calls_of_the_cheat_sheet_exist():
    calls = re.findall(r"`(\w+\(.*?\))`", read_source("cheat_sheet"))
    assert len(calls) > 25
    for call in calls:
        node = ast.parse(call, mode="eval").body
        signature = inspect.signature(getattr(sampling_eval, node.func.id))
        signature.bind(*node.args, **{o.arg: o.value for o in node.keywords})


def test_the_cheat_sheet_has_every_metric_page():
    front = re.findall(
        r"^\| \[.+?\]\(((?:metrics|inference)/\w+\.ipynb)\) \|", read_source("index"), re.M
    )
    linked = set(re.findall(r"\]\(([^)]+\.ipynb)\)", read_source("cheat_sheet")))
    assert len(front) > 10 and set(front) <= linked, set(front) - linked
