"Pages as a reader meets them, checked without Quarto. CONTRIBUTING.md says what a page is made of."

import ast, importlib, json, re, subprocess, sys
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

import yaml

from sampling_eval_site import index
from scripts import load_script, read_settings

ROOT = Path(__file__).resolve().parents[1]
NBS = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
LIB = "sampling_eval"

# Pages in the form of CONTRIBUTING.md, "A page". A page that is rewritten joins the list and never
# leaves it.


def name_all(folder, names):
    return [f"{folder}/{name}".removeprefix("./") for name in names.split()]


LESSONS = [
    *name_all(".", """course contracts"""),
    *(f"metrics/{p.stem}" for p in NBS if p.parent.name == "metrics"),
    *name_all("foundations", """urn credit oracle answers counts"""),
    *name_all(
        "explain",
        """which_error_bar error_bars_tested how_fast how_accurate same_name which_metric
        published_tables""",
    ),
    *name_all(
        "guides",
        """tables large_tables score compare explain gate plan extrapolate counts
        command training_loop in_inspect_ai in_lm_eval paper_table reports""",
    ),
    *name_all(
        "guides",
        """humaneval aime consistency game_of_24 tau_bench judge_scores""",
    ),
    *name_all(
        "inference",
        """units gaffke crossed estimate unseen rerun bands comparison significance
        ranking deciding regressions two_proportions power bayes sequential extrapolation judges
        borrowing spending""",
    ),
]
# Pages of the same form that teach no function: no exercises, nothing to remember.
OTHERS = [
    *["index", "gallery", "cheat_sheet", "functions", "glossary", "teachers"],
    *["guides/harness_logs", "guides/in_your_harness", "explain/symptoms"],
    *(f"disputes/{p.stem}" for p in NBS if p.parent.name == "disputes"),
]
FORM = LESSONS + OTHERS


def check_each(pages):
    "Make a rule about one page a test of all of these pages, which names every page that fails."

    def decorate(rule):
        def test():
            wrong = {
                page.relative_to(ROOT / "nbs").as_posix(): told
                for page in pages
                if (told := find_fault(rule, page))
            }
            assert not wrong, "\n".join(f"{page}: {told}" for page, told in wrong.items())

        test.__name__ = rule.__name__
        return test

    return decorate


def find_fault(rule, page):
    "What a rule says of a page; empty if nothing is wrong."
    try:
        rule(page)
    except AssertionError as error:
        return str(error) or rule.__name__
    return ""


every = check_each(NBS)
formed = check_each([ROOT / "nbs" / f"{o}.ipynb" for o in FORM])
lesson = check_each([ROOT / "nbs" / f"{o}.ipynb" for o in LESSONS])
own_lesson = check_each(
    [ROOT / "nbs" / f"{o}.ipynb" for o in LESSONS if not o.startswith("guides/")]
)

DIRECTIVE = re.compile(r"#\|\s*([\w-]+):?\s*(.*)")
TEX = re.compile(r"\\(?:Big[lrm]|[Bb]igg[lrm]|[td]binom)(?![A-Za-z])")
HEADING = re.compile(r"^(#{1,6}) +(.+?)(?: +\{.*\})?$", re.M)
LINK = re.compile(r"(?<!!)\[((?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.M | re.S)


class Cell:
    "A cell with its directives apart from its code."

    def __init__(self, raw):
        self.raw, self.kind, self.source = raw, raw["cell_type"], "".join(raw["source"])
        lines = self.source.splitlines()
        heads = [DIRECTIVE.match(o) for o in lines]
        self.has = {o[1]: o[2].strip() for o in heads if o} if self.kind == "code" else {}
        self.code = (
            "\n".join(o for o, head in zip(lines, heads, strict=True) if not head)
            if self.kind == "code"
            else ""
        )
        self.exported = bool(self.has.keys() & {"export", "exports", "exporti"})

    def outputs(self):
        "Each output as its kind and its text."
        for out in self.raw.get("outputs", []):
            for kind, value in (
                out.get("data")
                or {out.get("name", "error"): out.get("text", out.get("traceback", ""))}
            ).items():
                yield kind, "".join(value)


@lru_cache(None)
def cells(page):
    return [Cell(o) for o in json.loads(page.read_text("utf-8"))["cells"]]


def prose(page):
    "Every Markdown cell without its fenced code."
    return [FENCE.sub("", o.source) for o in cells(page) if o.kind == "markdown"]


def slug(text):
    "The anchor that pandoc gives a heading."
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = "-".join(re.sub(r"[^\w\s.-]", "", text.replace("`", "")).lower().split())
    return re.sub(r"^[^a-z]+", "", text)


def jupyter_name(title):
    "The anchor that JupyterLab gives a heading; empty where a link cannot hold it."
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    name = re.sub(r"[`*]", "", text).replace(" ", "-")
    return "" if re.search(r'["^$()\\&]', name) else name


@lru_cache(None)
def headings(page):
    "The anchor of each heading as pandoc gives it, with that of JupyterLab."
    titles = [title for source in prose(page) for _, title in HEADING.findall(source)]
    return {slug(title): jupyter_name(title) for title in titles}


@lru_cache(None)
def definitions(page):
    "Functions, classes and their methods that a page exports."
    found = []
    for cell in cells(page):
        if not cell.exported:
            continue
        for node in ast.parse(cell.code).body:
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                continue
            found.append(node.name)
            if isinstance(node, ast.ClassDef):
                found += [
                    f"{node.name}.{o.name}" for o in node.body if isinstance(o, ast.FunctionDef)
                ]
    return found


@lru_cache(None)
def anchors(page):
    "Every anchor of a page: headings, and what its exported cells define in public."
    known = set(headings(page))
    known |= {o["label"] for o in (cell.has for cell in cells(page)) if "label" in o}
    return known | {o.lower() for o in definitions(page) if not is_private(o)}


@lru_cache(None)
def symbols():
    "Page and anchor of every name that the site makes a link of when it stands in backticks."
    full = {name: place[0] for names in index.d["syms"].values() for name, place in names.items()}
    short = {}
    for module, names in index.d["syms"].items():
        for name, place in names.items():
            short.setdefault(name.removeprefix(module + "."), place[0])
    return short | full


def is_private(name):
    return any(o.startswith("_") for o in name.split("."))


def test_listed_pages_exist():
    assert {ROOT / "nbs" / f"{o}.ipynb" for o in FORM} <= set(NBS)


# What every page keeps


@every
def test_links_resolve(page):
    dead = []
    for source in prose(page):
        for _, target in LINK.findall(
            re.sub(r"`[^`]*`", lambda o: "`" + "x" * (len(o[0]) - 2) + "`", source)
        ):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            other = (page.parent / path).resolve() if path else page
            if not other.exists():
                dead.append(target)
            elif anchor and other.suffix == ".ipynb":
                dead += [target] if not is_anchor(anchor, other, inside=not path) else []
    assert not dead, f"no such page or anchor: {dead}"


def is_anchor(name, page, inside):
    "Whether a link leads somewhere: inside a page as JupyterLab names headings, else as the site."
    if not inside:
        return name in anchors(page)
    wanted = headings(page).get(slug(name.replace("-", " ")))
    return name == wanted if wanted else name in anchors(page)


@every
def test_symbols_in_backticks_have_an_anchor(page):
    dead = []
    for source in prose(page):
        for name in re.findall(r"`([^`\s]+?)(?:\(\))?`", source):
            if name not in symbols() or is_private(name):
                continue
            target, _, anchor = symbols()[name].partition("#")
            if anchor and anchor not in anchors(ROOT / Path(target).with_suffix(".ipynb")):
                dead.append(name)
    assert not dead, f"in backticks these become links that lead nowhere: {dead}"


@every
def test_no_symbol_inside_a_link(page):
    nested = [
        text
        for source in prose(page)
        for text, _ in LINK.findall(source)
        if any(name in symbols() for name in re.findall(r"`([^`\s]+?)(?:\(\))?`", text))
    ]
    assert not nested, f"a link in a link; write plain words: {nested}"


@every
def test_outputs_load_nothing(page):
    loads = re.compile(
        r"<script[^>]*\bsrc=|<link\b|@import|require(?:js)?\(|\bfetch\(|src=[\"']https?:", re.I
    )
    found = [
        kind
        for cell in cells(page)
        for kind, text in cell.outputs()
        if kind in ("text/html", "text/markdown") and loads.search(text)
    ]
    assert not found, "an output loads something from elsewhere"


@every
def test_no_warning_and_no_folder_is_stored(page):
    told = [
        text
        for cell in cells(page)
        for kind, text in cell.outputs()
        if kind in ("stdout", "stderr")
    ]
    odd = [text for text in told if re.search(r"Warning:|/tmp/|ipykernel_", text)]
    assert not odd, f"an output is a warning, or names a folder of one machine: {odd}"


@every
def test_no_raw_tex(page):
    found = [word for source in prose(page) for word in TEX.findall(source)]
    assert not found, f"shown as text on the site; write \\left( \\right) and \\binom: {found}"


@every
def test_directives_that_stop_the_render(page):
    folded = [o.code[:60] for o in cells(page) if "exports" in o.has and "code-fold" in o.has]
    assert not folded, f"the site folds exported cells itself: {folded}"
    words = [o.code[:60] for o in cells(page) if "solution" in o.has.get("classes", "").split()]
    assert not words, f"`solution` is a theorem to Quarto; write `answer`: {words}"


@every
def test_a_page_needs_no_nbdev(page):
    "A page runs where the wheel, JupyterLab and Matplotlib are installed, and not what builds it."
    builds = re.compile(r"^(from|import) (fastcore|nbdev|execnb)", re.M)
    found = [o.code[:60] for o in cells(page) if builds.search(o.code)]
    assert not found, f"assert, or `with refuses(...)` of sampling_eval.pages: {found}"


@every
def test_no_error_is_stored(page):
    failed = [
        cell.code[:60]
        for cell in cells(page)
        for out in cell.raw.get("outputs", [])
        if out["output_type"] == "error"
    ]
    assert not failed, f"an output is an error: {failed}"


EXPLORER = re.compile(r"\b(?:\w+_explorer|score_auditor|metric_chooser)\(")


@every
def test_an_explorer_is_stored_and_its_call_is_collapsed(page):
    "A downloaded page shows table, picture and sentence, and the figure once it is trusted."
    for cell in (
        o for o in cells(page) if o.has.get("echo") == "false" and EXPLORER.search(o.code)
    ):
        shown = "".join(text for kind, text in cell.outputs() if kind == "text/html")
        assert all(
            part in shown for part in ('<table class="static">', '<p class="said">', "<script>{")
        ), "make page WRITE=1"
        # What the chooser's table holds is words.
        assert '<img class="still"' in shown or "metric_chooser(" in cell.code
        assert cell.raw["metadata"]["jupyter"]["source_hidden"]


def described(page):
    "Names that a page exports, or describes under a heading of their own."
    own = [] if page.parent.name == "guides" else definitions(page)
    return own + [
        title for source in prose(page) for level, title in HEADING.findall(source) if level == "##"
    ]


def test_every_public_name_is_defined_on_one_page():
    package = importlib.import_module(LIB)
    homes = {name: [p.stem for p in NBS if name in described(p)] for name in package.__all__}
    wrong = {name: found for name, found in homes.items() if len(found) != 1}
    assert not wrong, f"a public name has one page: {wrong}"


def test_site_has_the_version_in_its_footer():
    site = yaml.safe_load((ROOT / "_quarto.yml").read_text("utf-8"))["website"]
    assert read_settings()["version"] in site["page-footer"]["left"]
    linked = [o["href"] for o in site["navbar"]["left"]]
    assert all((ROOT / o).exists() for o in linked)


def test_navbar_has_the_shelves():
    site = yaml.safe_load((ROOT / "_quarto.yml").read_text("utf-8"))["website"]
    bar = {o["text"]: o["href"] for o in site["navbar"]["left"]}
    assert list(bar) == ["Start", "Course", "Metrics", "Error bars", "Guides", "Reference"]
    list_pages = load_script("tools/llms.py").list_pages
    assert bar == {
        o["title"]: next(list_pages(o["contents"])) for o in site["sidebar"]
    }, "a word leads to the first page of its shelf"


def test_site_names_files_that_exist():
    told = yaml.safe_load((ROOT / "_quarto.yml").read_text("utf-8"))
    themes = [
        o
        for theme in told["format"]["html"]["theme"].values()
        for o in theme
        if o.endswith(".scss")
    ]
    named = [
        *themes,
        told["website"]["favicon"],
        told["website"]["navbar"]["logo"],
        *told["project"]["post-render"],
    ]
    missing = [o for o in named if not (ROOT / o).is_file()]
    assert not missing, f"named in _quarto.yml and not there: {missing}"


def test_llms_txt_names_every_page(tmp_path):
    subprocess.run(
        [sys.executable, str(ROOT / "tools" / "llms.py"), "--out", str(tmp_path)], check=True
    )
    text = (tmp_path / "llms.txt").read_text("utf-8")
    found = re.findall(r"^- \[[^\]]+\]\((\S+)\.html\): \S", text, re.M)
    assert sorted(found) == [p.relative_to(ROOT).with_suffix("").as_posix() for p in NBS]
    assert text.startswith("# sampling_eval\n\n> ")


def test_front_page_says_what_its_figure_draws():
    from sampling_eval import score
    from sampling_eval.examples import example_path

    values = {
        o.metric: f"{o.estimate:.0%}".replace("%", " %")
        for o in score(example_path("tau_bench"), ["pass@k", "pass^k"]).rows
    }
    drawn = (ROOT / "nbs" / "site" / "hero.svg").read_text("utf-8")
    first = prose(ROOT / "nbs" / "index.ipynb")[1]
    for metric in ("pass@4", "pass^4"):
        assert f">{values[metric]}<" in drawn and f" {values[metric]} " in first
    assert f">{values['pass@1']}<" in drawn
    doors = next(
        o for o in prose(ROOT / "nbs" / "index.ipynb") if o.startswith('<div class="doors">')
    )
    assert re.findall(r"^\*\*\[.+\]\((.+)\.ipynb\)\*\*", doors, re.M) == [
        "guides/score",
        "gallery",
        "explain/which_metric",
        "guides/compare",
    ]


def test_page_that_is_not_there_leads_somewhere():
    targets = re.findall(r"\]\(/([^)]+)\)", (ROOT / "404.qmd").read_text("utf-8"))
    assert targets and all((ROOT / o).exists() for o in targets)


# What stops Quarto, or is shown as text where something else was meant.

BOX = re.compile(r"^</?(?:div|details|figure)\b.*$", re.M)


@every
def test_directives_are_yaml(page):
    wrong = []
    for cell in cells(page):
        if cell.kind != "code":
            continue
        lines = [
            o.partition("#|")[2].strip()
            for o in cell.source.splitlines()
            if o.startswith("#|") and ":" in o
        ]
        keys = [o.partition(":")[0] for o in lines]
        try:
            yaml.safe_load("\n".join(lines))
        except yaml.YAMLError:
            wrong += lines
        wrong += [o for o in keys if keys.count(o) > 1]
    assert not wrong, f"quote what holds a colon, and say everything once: {wrong}"


@every
def test_labels_and_ids_are_used_once(page):
    for used in [o.has["label"] for o in cells(page) if "label" in o.has], [
        o.raw["id"] for o in cells(page)
    ]:
        assert len(set(used)) == len(
            used
        ), f"used twice: {sorted(o for o in set(used) if used.count(o) > 1)}"


@every
def test_no_colons_and_no_figure_keys_are_shown(page):
    found = [
        o
        for source in prose(page)
        for o in re.findall(r"^:::.*$|(?<![\w`])@(?:fig|tbl|eq|sec)-[\w-]+", source, re.M)
    ]
    assert not found, f"shown as text in JupyterLab; use <div>, and say `the figure`: {found}"


@every
def test_formulas_are_whole(page):
    broken = []
    for source in prose(page):
        text = re.sub(r"`[^`\n]*`", "", source)
        if text.count("$$") % 2:
            broken.append(text[:60])
        for formula in re.findall(r"\$\$(.+?)\$\$", text, re.S):
            bare = re.sub(r"\\[{}]", "", formula)
            pairs = (bare.count("{"), bare.count("}")), (
                len(re.findall(r"\\left(?![a-z])", bare)),
                len(re.findall(r"\\right(?![a-z])", bare)),
            )
            if any(a != b for a, b in pairs):
                broken.append(formula[:60])
    assert not broken, f"a brace, a \\left or a $$ has no partner: {broken}"


@every
def test_boxes_are_closed_and_have_blank_lines(page):
    wrong = []
    for source in prose(page):
        for name in ("div", "details"):
            if source.count(f"<{name}") != source.count(f"</{name}>"):
                wrong.append(source[:60])
        blocks = source.split("\n\n")
        wrong += [
            o for o in blocks if BOX.match(o) and not all(map(BOX.match, o.strip().split("\n")))
        ]
        wrong += [o for o in blocks if not BOX.match(o) and BOX.search(o)]
    assert not wrong, f"a tag stands between blank lines, and is closed: {wrong}"


@every
def test_tables_have_one_cell_under_each_head(page):
    wrong = []
    for source in prose(page):
        for block in re.findall(r"(?:^\|.*\n?)+", source, re.M):
            sizes = [
                len(re.sub(r"\\\||`[^`]*`|\$[^$]*\$", "", row).strip().strip("|").split("|"))
                for row in block.splitlines()
            ]
            if len(set(sizes)) > 1 or len(sizes) < 3:
                wrong.append(block[:80])
    assert not wrong, f"a row has more or fewer cells than the head: {wrong}"


@every
def test_pictures_exist_and_are_described(page):
    for source in prose(page):
        for text, target in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", source):
            assert (
                len(text) > 20 and (page.parent / target).is_file()
            ), f"a picture is there and says what is seen: {target}"


@every
def test_nothing_on_a_page_is_left_out_of_the_tests(page):
    skipped = [
        o.code[:60] for o in cells(page) if o.has.get("eval") == "false" or "notest" in o.has
    ]
    assert not skipped, f"what is shown is run: {skipped}"


def test_titles_differ():
    titles = [HEADING.search(source)[2] for source in ("\n".join(prose(page)) for page in NBS)]
    assert len(set(titles)) == len(
        titles
    ), f"two pages of one name: {sorted(o for o in set(titles) if titles.count(o) > 1)}"


def test_every_page_is_reached_from_another():
    reached = {ROOT / "nbs" / "index.ipynb"}
    for page in NBS:
        for source in prose(page):
            reached |= {
                (page.parent / target.partition("#")[0]).resolve()
                for _, target in LINK.findall(source)
            } - {page}
    alone = [
        p.relative_to(ROOT).as_posix()
        for p in NBS
        if p.resolve() not in {o.resolve() for o in reached}
    ]
    assert not alone, f"no page links to them: {alone}"


def test_links_of_the_plain_files_resolve():
    dead = []
    for name in ("README.md", "CONTRIBUTING.md"):
        text = FENCE.sub("", (ROOT / name).read_text("utf-8"))
        for target in re.findall(r"(?<!`)\]\(([^)\s`]+)\)", text):
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target) or not path:
                continue
            if name == "CONTRIBUTING.md" and not path.startswith("nbs/"):
                continue  # examples of spelling
            if not (ROOT / path).exists() or anchor and anchor not in anchors(ROOT / path):
                dead.append(f"{name}: {target}")
    assert not dead, dead


# What a page in the form keeps


@formed
def test_title_first(page):
    first = cells(page)[0]
    assert first.kind == "markdown" and re.fullmatch(
        r"# .+\n\n> .+", first.source
    ), "the first cell is `# Title` and `> subtitle`"
    assert (
        sum(level == "#" for source in prose(page) for level, _ in HEADING.findall(source)) == 1
    ), "one H1"
    assert cells(page)[1].kind == "markdown", "the first text stands above the first code"


def only_imports(code):
    return all(isinstance(o, (ast.Import, ast.ImportFrom)) for o in ast.parse(code).body)


def name_setup(cell):
    "What a cell does that only prepares: each of them is one of `SETUP`."
    lines = cell.source.splitlines()
    if lines[0].startswith("#| default_exp"):
        return "module"
    if lines[0] == "#| export" and (only_imports(cell.code) or "_all_ = " in cell.code):
        return "exported imports"
    if only_imports(cell.code):
        return "imports"
    return "settings" if "hide" in cell.has and re.fullmatch(r"\w+\(\)", cell.code) else ""


SETUP = "module", "exported imports", "imports", "settings"


@formed
def test_setup_stands_together_before_what_needs_it(page):
    code = [o for o in cells(page) if o.kind == "code"]
    told = [name_setup(o) for o in code]
    first = list(takewhile(bool, told))
    assert first == sorted(first, key=SETUP.index), f"in this order: {SETUP}"
    assert not {"module", "exported imports", "settings"} & set(told[len(first) :])
    at = [i for i, o in enumerate(cells(page)) if o.kind == "code"][: len(first)]
    assert at == list(range(at[0], at[0] + len(at))) if at else True, "one after the other"
    hidden = [o.code for o in code if "hide" in o.has and only_imports(o.code)]
    assert not hidden or page.stem == "index", "imports are those of the page: drop `#| hide`"


@formed
def test_headings_go_down_one_step_at_a_time(page):
    found = [
        (len(level), title) for source in prose(page) for level, title in HEADING.findall(source)
    ]
    jumps = [
        title
        for (before, _), (level, title) in zip(found, found[1:], strict=False)
        if level > before + 1
    ]
    assert not jumps, f"a heading skips a level: {jumps}"
    titles, named = [title for _, title in found], {o.lower() for o in described(page)}
    twice = {o for o in titles if titles.count(o) > 1}
    slugs = [slug(o) for o in titles]
    twice |= {o for o in slugs if slugs.count(o) > 1 and o in named}
    assert not twice, f"a heading stands twice, or takes the anchor of a function: {twice}"


@formed
def test_lines_fit(page):
    long = [
        line
        for cell in cells(page)
        for line in cell.code.splitlines()
        if len(line) > (88 if cell.exported else 80)
    ]
    assert not long, f"lessons have 80 columns, exported code 88: {long}"


@formed
def test_output_lines_fit(page):
    # What has a Markdown form is shown in it; its plain text is for terminals.
    shown = [
        text
        for cell in cells(page)
        for kind, text in cell.outputs()
        if kind == "stdout" or kind == "text/plain" and "text/markdown" not in dict(cell.outputs())
    ]
    long = [line for text in shown for line in text.splitlines() if len(line) > 100]
    assert not long, f"an output has 100 columns: {long}"


@formed
def test_figures_have_caption_and_description(page):
    drawn = [o for o in cells(page) if any(kind.startswith("image/") for kind, _ in o.outputs())]
    bare = [o.code[:60] for o in drawn if not {"label", "fig-cap", "fig-alt"} <= o.has.keys()]
    assert not bare, f"a figure has label, fig-cap and fig-alt: {bare}"
    split = [o.code[:60] for o in drawn if "label" in o.has and len(o.raw.get("outputs", [])) != 1]
    assert (
        not split
    ), f"a figure is all that its cell shows, end the last line with a semicolon: {split}"
    assert all(o.has["label"].startswith("fig-") for o in drawn), "a label begins with fig-"
    assert all(
        {kind for kind, _ in o.outputs() if kind.startswith("image/")}
        == {"image/svg+xml", "image/png"}
        for o in drawn
    ), "call page_figures(): pages show SVG, notebooks that nobody trusts PNG"


SUMMARY = "#| code-summary:"


@formed
def test_folded_cells_say_what_they_hold(page):
    silent = [
        o.raw["source"][0][:60]
        for o in cells(page)
        if o.has.get("code-fold") == "true" and not o.raw["source"][0].startswith(SUMMARY)
    ]
    assert not silent, f"the grey bar of a folded cell shows its first line, {SUMMARY}: {silent}"


def shown(page):
    "Code that a reader sees without a click."
    for o in cells(page):
        if (
            o.kind != "code"
            or o.exported
            or o.has.keys() & {"hide", "echo", "code-fold", "default_exp"}
        ):
            continue
        if not only_imports(o.code):
            yield o.code


def shows_how(code):
    "Whether a cell holds the plain form of a formula, or an assertion about it."
    return any(isinstance(o, (ast.FunctionDef, ast.Assert)) for o in ast.parse(code).body)


@lesson
def test_lesson_cells_are_short(page):
    long = [o for o in shown(page) if len(o.splitlines()) > (8 if shows_how(o) else 6)]
    assert not long, f"a lesson has at most six lines, a plain form and its assertion eight: {long}"


@own_lesson
def test_a_lesson_shows_twenty_lines_of_code(page):
    lines = sum(len(o.splitlines()) for o in shown(page) if not shows_how(o))
    assert lines <= 20, "besides plain forms and assertions; fold what prepares a table"


# Exported definitions that stand behind the exercises, by page: a lesson of the course ends with
# its exercises, and what it does not need follows under "Beyond the lesson".
BEHIND = {
    "metrics/passhat": ["pass_hat_k_plugin"],
    "metrics/vote": [
        *["weighted_maj_at_k", "filtered_maj_at_k", "weighted_maj_at_n"],
        *["maj_within_variance", "maj_within_questions"],
    ],
    "metrics/bestof": ["max_at_k", "min_at_k"],
    "explain/which_error_bar": ["clopper_pearson_limits", "wilson_limits"],
    "inference/power": ["distribution_components", "pilot_components", "contrast"],
    "inference/comparison": ["DeadQuestions", "dead_questions"],
    "inference/deciding": ["split_reach", "enough_data", "enough_noise"],
    "inference/judges": [
        *["labels_needed", "half_of"],
        *["prediction_powered_mean", "half_tie_credit", "panel_at_k", "_outvote"],
        *["PanelFacts", "panel_facts", "GradingVariances", "grading_variances"],
    ],
}


def imports_itself(page):
    """Whether a page takes what it exports from the installed package.

    Then the code it shows is not what runs."""
    module = re.search(r"^#\| default_exp (.+)$", "\n".join(o.source for o in cells(page)), re.M)
    own = {f"{LIB}.{module[1]}", LIB} if module else set()
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module in own
        and {o.name for o in node.names} & set(definitions(page))
        for cell in cells(page)
        if cell.kind == "code" and not cell.exported
        for node in ast.walk(ast.parse(cell.code))
    )


def is_exercises(cell):
    return cell.kind == "markdown" and cell.source.startswith("## Exercises")


@own_lesson
def test_code_stands_where_it_is_derived(page):
    if imports_itself(page):
        return  # a page of the old form; with the last of them this line goes
    name = page.relative_to(ROOT / "nbs").with_suffix("").as_posix()
    lesson = list(takewhile(lambda o: not is_exercises(o), cells(page)))
    behind = [
        node.name
        for cell in cells(page)[len(lesson) :]
        if cell.exported
        for node in ast.parse(cell.code).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and node.name not in BEHIND.get(name, ())
    ]
    assert not behind, f"derived, and defined, before the exercises: {behind}"


# Pages without an open assertion about each of their public functions. The list shrinks until it is
# empty.
STILL_SILENT = "foundations/answers foundations/counts inference/crossed inference/ranking".split()


@own_lesson
def test_a_public_function_is_asserted_in_the_open(page):
    """The plain form of a formula is a cell that is seen.

    So is the assertion that the function equals it."""
    name = page.relative_to(ROOT / "nbs").with_suffix("").as_posix()
    public = set(importlib.import_module(LIB).__all__) & set(definitions(page))
    told = [ast.parse(code) for code in shown(page)]
    held = {
        node.id
        for tree in told
        if any(map(checks, ast.walk(tree)))
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
    }
    silent = {o for o in public - held if o.islower()}
    if not imports_itself(page):
        assert bool(silent) == (
            name in STILL_SILENT
        ), f"assert in an open cell what it is: {silent}"


def checks(node):
    "Whether a piece of code is an assertion: the statement, or a function that raises like it."
    name = getattr(node, "func", None)
    called = getattr(name, "attr", getattr(name, "id", ""))
    return isinstance(node, ast.Assert) or called.startswith("assert_")


@lesson
def test_exercises_have_tested_solutions(page):
    text = "\n".join(prose(page)).partition("## Exercises")[2]
    asked = re.findall(r"^\*\*(\d+)\.\*\*", re.split(r"^## ", text, flags=re.M)[0], re.M)
    assert 3 <= len(asked) <= 5 and asked == [
        str(i + 1) for i in range(len(asked))
    ], "three to five exercises, numbered"
    answers = [o for o in cells(page) if "answer" in o.has.get("classes", "").split()]
    assert [o.has.get("code-summary") for o in answers] == [f'"Solution {i}"' for i in asked]
    for o in answers:
        assert o.has.get("code-fold") == "true"
        assert any(map(checks, ast.walk(ast.parse(o.code)))), "a solution asserts what it says"
        assert o.raw["metadata"].get("jupyter") == {"source_hidden": True, "outputs_hidden": True}


@lesson
def test_lesson_ends(page):
    whole = "\n\n".join(prose(page))
    remember = re.search(r'<div class="remember">\n\n(.+?)\n\n</div>', whole, re.S)
    assert (
        remember and len(re.findall(r"^- ", remember[1], re.M)) == 3
    ), "What to remember has three lines"
    further = re.search(r'<div class="next">\n\n(.+?)\n\n</div>', whole, re.S)
    assert further and ".ipynb" in further[1], "Read next links to a page"
    assert "glossary.ipynb#" in whole, "a word of the glossary is linked at its first use"


def test_glossary_has_two_sentences_a_word():
    entries = [o for o in prose(ROOT / "nbs" / "glossary.ipynb") if o.startswith("### ")]
    wrong = [
        o.split("\n")[0]
        for o in entries
        if len(re.findall(r"[.?!](?=\s+[A-Z`]|$)", o.partition("\n")[2].strip())) != 2
    ]
    assert len(entries) > 20 and not wrong, f"two plain sentences: {wrong}"
