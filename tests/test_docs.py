"The pages: processors, descriptions, the index of names, tables, figures."

import ast, importlib, inspect, io, json, re, subprocess, sys
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest
from fastcore.basics import AttrDict
from PIL import Image

import sampling_eval
from chromium import open_page, with_chromium
from printed import check_printed
from sampling_eval import pages
from sampling_eval.pages import Table, page_figures, refuses
from sampling_eval.pages.display import FIGURES, escape_cell, show_value
from sampling_eval_site import index
from sampling_eval_site.api import Api, describe, find_exported, find_source, write_signature
from sampling_eval_site.processors import (
    NoLoneImports,
    drop_png,
    fold,
    glossary,
    inline_html,
    list_functions,
    name_anchors,
    picture_words,
    plain_helpers,
    straight_marks,
    take_address,
)

ROOT = Path(__file__).resolve().parents[1]
NBS = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
EXPORTED = '#| code-fold: show\n#| code-summary: "Exported source"\n'


def cell(source, kind="code", outputs=()):
    return AttrDict(cell_type=kind, source=source, outputs=list(outputs))


def after(processor, *args):
    changed = cell(*args)
    processor(changed)
    return changed


@pytest.mark.parametrize(
    "processor, source, changed",
    [
        (
            picture_words,
            "![A fan of 42 %.](site/hero.svg)",
            '![A fan of 42 %.](site/hero.svg){fig-alt="A fan of 42 %."}',
        ),
        (picture_words, "[a link](b.svg)", None),
        (
            plain_helpers,
            "[`_fit`](/x.html#_fit) and [`fit`](/x.html#fit)",
            "`_fit` and [`fit`](/x.html#fit)",
        ),
        (glossary, "[a](glossary.ipynb#a-b)", "[a](glossary.ipynb#a-b){.quarto-xref .term}"),
        (
            glossary,
            "[a](../../glossary.ipynb#a)",
            "[a](../../glossary.ipynb#a){.quarto-xref .term}",
        ),
        (glossary, "[a](glossary.ipynb)", None),
    ],
)
def test_links_and_pictures_of_text(processor, source, changed):
    marked = after(processor, source, "markdown").source
    assert marked == (changed or source) == after(processor, marked, "markdown").source
    assert after(processor, source).source == source, "a cell of code stays"


@pytest.mark.parametrize("which", ["public", "internal"])
def test_index_names_everything_with_its_page(which):
    listed = after(list_functions, f"Before.\n\n<!-- functions: {which} -->", "markdown").source
    links = dict(re.findall(r"\[`(\w+)`\]\(([^)]+)\)", listed))
    assert (
        (set(sampling_eval.__all__) <= links.keys())
        if which == "public"
        else not (set(sampling_eval.__all__) & links.keys())
    )
    assert listed.count("<details") == listed.count("</details>") and ("<details" in listed) == (
        which == "internal"
    )
    assert all(
        (ROOT / "nbs" / o.partition("#")[0]).exists() for o in links.values()
    ) and listed.startswith("Before.")


def test_verbs_come_first_and_a_name_spelt_alike_is_not_public():
    public, behind = map(index.write_index, (True, False))
    names = re.findall(r"^\| \[`(\w+)`\]", public, re.M)
    assert names[:3] == ["score", "compare", "table"] and len(names) == len(set(names))
    assert public.count("\n| ") - public.count("| name | meaning |") == len(names)
    assert "| `audit` | What a published score can mean" in behind and "| `count` |" in behind
    assert re.findall(r"^\*\*(.+?)\*\*: ", public, re.M) == list(index.PARTS)


def test_filter_stands_above_the_names():
    page = (ROOT / "nbs" / "functions.ipynb").read_text("utf-8")
    assert (
        0
        < page.index("functions: filter")
        < page.index("functions: public")
        < page.index("functions: internal")
    )
    shown = after(list_functions, "<!-- functions: filter -->", "markdown").source
    assert (
        shown.startswith('```{=html}\n<label class="filter" hidden>')
        and shown.endswith("</script>\n```")
        and "src=" not in shown
    )


def defined(path):
    "Public functions and classes of a module that have a docstring."
    return {
        node.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and not node.name.startswith("_")
        and ast.get_docstring(node)
    }


def test_index_is_what_the_modules_define():
    every = index.d["syms"] | index.list_plain()
    modules = {
        name: ROOT.joinpath(*name.split(".")).with_suffix(".py")
        for name in every
        if ".bridges." not in name
    }
    listed = {
        f"{name}.{o}"
        for name, places in every.items()
        for o, _, _ in index.read_names(name, places)
    }
    assert {f"{name}.{o}" for name, path in modules.items() for o in defined(path)} <= listed
    found = {
        path
        for path in (ROOT / "sampling_eval").rglob("*.py")
        if not path.name.startswith("_") and path.parent.name != "bridges"
    }
    assert found == set(modules.values())


def test_a_name_of_a_plain_module_leads_to_a_heading_or_to_its_page():
    named = {
        address
        for places in index.list_plain().values()
        for address, _ in places.values()
        if "#" in address
    }
    public = {o.partition("#")[2] for o in named}
    assert (
        {"score", "compare", "accumulator"} <= public <= {o.lower() for o in sampling_eval.__all__}
    )
    for page, _, heading in (o.partition(".html#") for o in named):
        assert re.search(
            rf'"## {heading}\b', (ROOT / f"{page}.ipynb").read_text("utf-8"), re.I
        ), f"{page} has no heading {heading}"
    names = {
        path.rpartition(".")[2] for module in index.list_plain() for path in index.d["syms"][module]
    }
    assert {"Report", "PairwiseComparison"} <= names and not names & {
        "run",
        "rows",
        "frame",
        "limits",
    }


def test_plain_modules_have_a_guide():
    for name, places in index.list_plain().items():
        page, file = {page.partition(".html")[0] for page, _ in places.values()}, {
            file for _, file in places.values()
        }
        assert file <= {name.replace(".", "/") + ".py"}
        assert all(
            (ROOT / f"{o}.ipynb").exists() for o in page
        ), f"name the guide of {name} in GUIDES of tools/sampling_eval_site/index.py"
    assert all(
        (ROOT / f"{page}.ipynb").exists() for page in index.GUIDES.values()
    ), "a guide of GUIDES has another name now"


def test_nbdev_reads_the_index_of_both_kinds():
    [found] = entry_points(group="nbdev", name="sampling_eval")
    assert found.load() is index.d, "pip install --editable tools"
    page, file = index.d["syms"]["sampling_eval.pages.explorer"][
        "sampling_eval.pages.explorer.Explorer"
    ]
    assert page.endswith(".html") and file == "sampling_eval/pages/explorer.py"
    assert "sampling_eval.metrics.passk.pass_at_k" in index.d["syms"]["sampling_eval.metrics.passk"]


def test_api_breaks_a_long_signature():
    from sampling_eval.analyses.score.verb import score

    signature = Api(score)._repr_markdown_().split("```")[1]
    assert "**reading)" in signature and max(map(len, signature.splitlines())) <= 76


def described():
    for module, names in index.d["syms"].items():
        for name in names:
            found = importlib.import_module(module)
            for part in name.removeprefix(module + ".").split("."):
                found = getattr(found, part, None)
            if inspect.isfunction(found) or inspect.isclass(found):
                yield name, found


def test_api_describes_every_definition():
    bare = [
        name
        for name, symbol in described()
        if Api(symbol)._repr_markdown_().count("\n") == 1 and inspect.signature(symbol).parameters
    ]
    assert not bare, bare


class Broken:
    "Nothing about it can be read."

    __signature__ = property(lambda self: 1 / 0)

    def __getattr__(self, name):
        raise RuntimeError(name)


STRANGE = [3, "text", len, print, dict, None, lambda x, *a, k=3: x, Broken(), type("Made", (), {})]


@pytest.mark.parametrize("symbol", STRANGE, ids=lambda o: type(o).__name__)
def test_api_never_raises(symbol):
    assert Api(symbol)._repr_markdown_().startswith("### ")


def test_table_shows_values_for_a_reader():
    table = Table(
        [("3 of 5", 0.6, 1, True, Fraction(9, 10)), ("pass^2 `a|b`", 1e-7, None, False, 0)],
        "data",
        "pass^1",
        "n",
        "ok",
        "exact",
    )
    assert table._repr_markdown_().splitlines() == [
        r"| data | pass\^1 | n | ok | exact |",
        "|:---|---:|---:|:---|---:|",
        "| 3 of 5 | 0.600 | 1 | ✓ | 9/10 |",
        r"| pass\^2 <code>a&#124;b</code> | 1.0e-07 |  | ✗ | 0 |",
    ]
    assert repr(table).splitlines()[2].split() == ["3", "of", "5", "0.600", "1", "yes", "9/10"]


def test_page_figures_draw_svg_that_does_not_change_and_png_on_white():
    code = """
import base64, json
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import pyplot as plt
from sampling_eval.pages import page_figures
page_figures()
ax = plt.subplots()[1]; ax.plot([1, 2], label="x"); ax.legend()
drawn, _ = InteractiveShell.instance().display_formatter.format(ax.figure)
png = base64.b64encode(drawn["image/png"]).decode()
print(json.dumps({"svg": drawn["image/svg+xml"], "png": png}))
"""
    first, second = (
        json.loads(
            subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
            ).stdout
        )
        for _ in range(2)
    )
    assert first == second
    assert "<dc:title>Matplotlib v" in first["svg"] and "<text" in first["svg"]
    assert "fill: #ffffff" not in first["svg"], "its ground is clear"
    picture = Image.open(io.BytesIO(b64decode(first["png"])))
    assert picture.size == (600, 320) and not picture.info
    assert picture.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


# Exact texts and boundaries.


@pytest.mark.parametrize(
    "value, shown",
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (Fraction(3, 6), "1/2"),
        (7, "7"),
        (9999, "9999"),
        (10_000, "10,000"),
        (-9999, "-9999"),
        (-12345, "-12,345"),
        (0.5, "0.500"),
        (0.0, "0.000"),
        (5e-4, "0.001"),
        (4.9e-4, "4.9e-04"),
        (-4.9e-4, "-4.9e-04"),
        (-5e-4, "-0.001"),
        (np.float64(0.25), "0.250"),
        (np.int64(20_000), "20,000"),
        (np.bool_(True), "yes"),
        ("text", "text"),
        ([1], "[1]"),
        (0.7000000000000001, "0.700"),
        (-0.0, "0.000"),
        (9.9994, "9.999"),
        (9.9995, "10.0"),
        (98.017, "98.0"),
        (-98.017, "-98.0"),
        (999.94, "999.9"),
        (999.95, "1,000"),
        (12345.6, "12,346"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_values_for_a_reader(value, shown):
    assert show_value(value) == shown


def test_rows_that_do_not_fit_are_counted():
    with pytest.raises(
        ValueError,
        match=r"every row must have 1 values, one per head, got 2 in row 1 \(2 of 3 fail\)",
    ):
        Table([(1,), (1, 2), (3, 4, 5)], "a")


@pytest.mark.parametrize(
    "source, summary",
    [
        ("def f(): pass", "Source of f"),
        ("class A: pass\ndef f(): pass", "Source of A"),
        ("async def f(): pass", "Source of f"),
        ("def _f(): pass", "Source"),
        ("def _f(): pass\nclass B: pass", "Source of B"),
        ("x = 1", "Source"),
        ("%magic", "Source"),
        ("", "Source"),
    ],
)
def test_a_source_is_folded_under_its_first_public_name(source, summary):
    assert (
        after(fold, EXPORTED + source).source
        == f'#| code-fold: true\n#| code-summary: "{summary}"\n{source}'
    )
    assert after(fold, EXPORTED + source, "markdown").source == EXPORTED + source


@pytest.mark.parametrize(
    "source, folded",
    [
        ("import a", True),
        ("from a import b\nimport c", True),
        ("import a\nx = 1", False),
        ("x = 1\nimport a", False),
        ("", False),
        ("import a b", False),
        ("%matplotlib inline", False),
        ("# only a remark", False),
        ("#| code-fold: show\nimport a", False),
    ],
)
def test_cells_of_imports(source, folded):
    head = '#| classes: imports\n#| code-fold: true\n#| code-summary: "Imports"\n'
    assert after(fold, source).source == head * folded + source
    assert after(fold, source, "markdown").source == source


@pytest.mark.parametrize(
    "sources, kept",
    [
        (["import a", "#| echo: false\na.b()"], 1),
        (["import a", "a.b()"], 2),
        (["import a", "import c", "#| echo: false\na.b()"], 1),
        (["import a"], 0),
        ([], 0),
    ],
)
def test_imports_of_no_shown_code_are_not_shown(sources, kept):
    page = AttrDict(cells=[cell("# T", "markdown"), *map(cell, sources)])
    NoLoneImports(page).begin()
    assert [o.source for o in page.cells] == ["# T", *sources[len(sources) - kept:]]


@pytest.mark.parametrize(
    "written, shown",
    [
        ("[why](#Two-hundred-tries,-worth-89)", "[why](#two-hundred-tries-worth-89)"),
        ("[mix](#By-hand:-a-customer's-mix)", "[mix](#by-hand-a-customers-mix)"),
        ("[worth](#A-question-worth-112-%)", "[worth](#a-question-worth-112)"),
        ("[when](#4.-When-to-be-strict)", "[when](#when-to-be-strict)"),
        ("[b](b.ipynb#the-urn), `f(#X)`", "[b](b.ipynb#the-urn), `f(#X)`"),
    ],
)
def test_links_inside_a_page_lead_to_the_anchors_of_the_site(written, shown):
    assert after(name_anchors, written, "markdown").source == shown


@with_chromium
def test_an_address_without_a_name_sets_the_first_explorer(tmp_path):
    made = [pages.rate_explorer(60, 0), pages.runs_explorer(50, 15)]
    told = [
        after(take_address, "x", "code", [AttrDict(data={"text/html": o._repr_html_()})])
        for o in made
    ]
    shown = "".join(o.outputs[0]["data"]["text/html"] for o in told)
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + shown, "utf-8")
    said = "[...document.querySelectorAll('.said')].map(o => o.textContent.slice(0, 9)).join()"
    with open_page(path, tmp_path) as page:
        page.run("location.hash = '#n=30&c=2'; location.reload()")
        assert page.ask(f"({said}).startsWith('2 of 30 f')")
        assert page.run("location.hash") == "#rate&n=30&c=2"
        assert page.run(said).endswith(",19 of 20 ")
        page.run("location.hash = '#runs&n=10'; location.reload()")
        assert page.ask("document.body && document.body.textContent.includes('of 10 questions')")
    assert after(take_address, "x", "code", [AttrDict(data={"text/html": "<p>"})]).outputs[0][
        "data"
    ] == {"text/html": "<p>"}



@pytest.mark.parametrize(
    "html, fence",
    [
        ("<b>", "```"),
        ("a `b` c", "```"),
        ("a ``b`` `c`", "```"),
        ("a ``` b", "````"),
        ("` ```` ``", "`````"),
        ("````` `", "``````"),
    ],
)
def test_a_fence_is_longer_than_what_it_holds(html, fence):
    out = after(
        inline_html, "x", "code", [AttrDict(data={"text/html": [" ", html, "\n"]})]
    ).outputs[0]
    assert out.data == {"text/markdown": [f"{fence}{{=html}}\n", f"{html}\n", f"{fence}\n"]}


def test_what_is_refused_is_refused_for_its_reason():
    with refuses(ValueError, "need k"):
        raise ValueError("need k <= n")
    for error, told in (
        (None, "need a ValueError about 'need k', got none"),
        (ValueError("c"), "refused because c, and not for 'need k'"),
    ):
        with pytest.raises(AssertionError) as caught, refuses(ValueError, "need k"):
            if error:
                raise error
        assert str(caught.value) == told
    with pytest.raises(TypeError), refuses(ValueError, ""):
        raise TypeError


def test_the_site_shows_svg_and_no_still():
    figure = {"image/png": "iVBO", "image/svg+xml": ["<svg>"], "text/plain": "<Figure>"}
    moving = {"text/html": ["<p>a</p>\n", '<img class="still" alt="" src="data:,">\n', "<table>"]}
    shown = [AttrDict(data=o) for o in (figure, moving, {"image/png": "a"})]
    page = after(drop_png, "x", "code", shown)
    assert [o.data for o in page.outputs] == [
        {"image/svg+xml": ["<svg>"], "text/plain": "<Figure>"},
        {"text/html": "<p>a</p>\n<table>"},
        {"image/png": "a"},
    ]


MARKS = {
    "an option": ("pass missing='wrong' or \"drop\"", "pass missing=\\'wrong\\' or \\\"drop\\\""),
    "a flag": ("| p | --how |", "| p | \\-\\-how |"),
    "an apostrophe": ("a question's samples", "a question's samples"),
    "code, a formula, a tag": ("`k='2'` $f'$ <b id='x'>", "`k='2'` $f'$ <b id='x'>"),
    "the rule of a table": ("|---|--:|", "|---|--:|"),
}


@pytest.mark.parametrize("printed, kept", MARKS.values(), ids=MARKS)
def test_what_is_printed_keeps_its_quotes_and_hyphens(printed, kept):
    page = after(straight_marks, "x", "code", [AttrDict(data={"text/markdown": printed})])
    assert page.outputs[0].data == {"text/markdown": kept}


def test_figures_of_a_page(monkeypatch):
    import matplotlib
    import matplotlib_inline.backend_inline

    asked = []
    monkeypatch.setattr(
        matplotlib_inline.backend_inline,
        "set_matplotlib_formats",
        lambda *given, **more: asked.append((given, more)),
    )
    before = np.get_printoptions()
    try:
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            page_figures()
            assert all(
                matplotlib.rcParams[name] == (list(value) if name == "figure.figsize" else value)
                for name, value in FIGURES.items()
            )
        assert asked == [(("svg",), dict(bbox_inches=None, metadata={"Date": None}))]
        assert str(np.array([1 / 3, 1e-9, 12345.67891])) == "[    0.3333     0.     12345.6789]"
        assert repr(np.float64(0.5)) == "0.5" and str([np.float64(0.25)]) == "[0.25]"
    finally:
        np.set_printoptions(**before)


# The index of names.


def test_exported_modules_and_bridges_are_not_plain():
    plain = index.list_plain()
    assert "sampling_eval.metrics.passk" not in plain and not any(
        ".bridges." in name or "._" in name for name in plain
    )
    page, file = plain["sampling_eval.analyses.score.verb"][
        "sampling_eval.analyses.score.verb.score"
    ]
    assert (page, file) == ("nbs/guides/score.html#score", "sampling_eval/analyses/score/verb.py")
    module = "sampling_eval.pages.explorer"
    assert plain[module][f"{module}.slide"][0] == "nbs/functions.html"
    found = index.build_index()
    assert found.keys() == index.d.keys() and found["syms"] == index.d["syms"]
    assert (
        f"{module}.Explorer" in found["syms"][module]
        and f"{module}.slide" not in found["syms"][module]
    )
    assert list(plain) == sorted(plain)


# Descriptions.


def every_kind(
    first,  # First of all
    /,
    second: int | None = 2,  # Second, `a|b` of two
    *more: str,  # Further ones
    third: Sequence[float] = (),  # Third
    **options: Any,  # The rest
) -> dict[str, int] | None:  # What comes out
    """What it does.

    Raises: nothing.
    """


def bare(a, b=1):
    "Only this."


def named(*, only: str = "x|y") -> None:
    return only


def silent() -> int:
    return 1


class Made:
    "A class with a start.\n\nMore of it."

    # fmt: off
    def __init__(self,
        size: int,  # Its size
        *,
        name: str = "",  # Its name
    ):  # fmt: on
        self.size, self.name = size, name

    @property
    def area(self):
        "What it covers.\n\nMore."
        return self.size

    @classmethod
    def build(cls):
        "One of them."

    @staticmethod
    def help():
        pass

    other = 3

    def grow(self):
        "Make it larger."

    def _hidden(self):
        "Nobody reads this."


@dataclass
class Fields:
    "Some fields."

    size: int  # Its size
    last: tuple = field()  # Without a default
    name: str = "x"  # Its name
    found: list = field(default_factory=list)  # What was found
    more: float = field(default=0.5, repr=False)  # What else


class Untold:
    "Annotations only."

    size: int  # Its size


@dataclass
class Child(Fields):
    "The same fields."


class Colour(Enum):
    RED = 1


def decorate(symbol):
    symbol.__signature__ = inspect.Signature(
        [
            inspect.Parameter("x", inspect.Parameter.POSITIONAL_ONLY),
            inspect.Parameter(
                "y", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Optional[int]
            ),
            inspect.Parameter(
                "z", inspect.Parameter.KEYWORD_ONLY, default=Colour.RED, annotation=Sequence[int]
            ),
        ]
    )
    return symbol


@decorate
def decorated(*args, **kwargs):
    "Another signature."


KNOWN = every_kind, bare, named, silent, Made, Fields, Untold, Child, decorated


@pytest.mark.parametrize("symbol", KNOWN, ids=lambda o: o.__name__)
def test_descriptions(symbol):
    check_printed(
        "explorers", f"describe {symbol.__name__}", "\n\n".join(describe(symbol, symbol.__name__))
    )


def test_the_source_of_an_exported_twin():
    from sampling_eval.inference.bayes import Posterior

    made = {}
    exec(compile("def pass_at_k(): pass\nclass Posterior: pass", "a cell", "exec"), made)
    assert "def pass_at_k(\n" in find_source(made["pass_at_k"])
    made["Posterior"].__module__ = "__main__"
    assert find_source(made["Posterior"]) == inspect.getsource(Posterior)
    assert find_exported(made["Posterior"]) is Posterior and find_exported(3) is None
    assert find_exported(Posterior.confidence_interval) is Posterior.confidence_interval
    assert find_source(Posterior) == inspect.getsource(Posterior) and find_source(
        Made.grow
    ).startswith("def grow(self)")


@pytest.mark.parametrize(
    "name, width, lines",
    [
        ("f", 76, ["f(first, second=2, third)"]),
        ("f", 25, ["f(first, second=2, third)"]),
        ("f", 24, ["f(first, second=2,", "  third)"]),
        ("f", 9, ["f(first,", "  second=2,", "  third)"]),
        ("f", 3, ["f(first,", "  second=2,", "  third)"]),
        ("n" * 31, 50, ["n" * 31 + "(first, second=2,", " " * 32 + "third)"]),
        ("n" * 32, 50, ["n" * 32 + "(first, second=2,", "    third)"]),
    ],
)
def test_a_call_is_broken_where_it_is_long(name, width, lines):
    assert write_signature(name, ["first", "second=2", "third"], width) == "\n".join(lines)


# Rows of Markdown.


@pytest.mark.parametrize(
    "text, told",
    [
        ("a|b", r"a\|b"),
        ("a^b~c", r"a\^b\~c"),
        ("`a|b<`", "<code>a&#124;b&lt;</code>"),
        ("`a^b`", "`a^b`"),
        ("$a|b^2$", r"$a\vert b^2$"),
        ("$a^2$", "$a^2$"),
        ("a\nb", "a b"),
        ("x `a|b` | $c|d$", r"x <code>a&#124;b</code> \| $c\vert d$"),
        (7, "7"),
        ("$5 | x", r"$5 \| x"),
    ],
)
def test_cells_of_a_page(text, told):
    assert escape_cell(text) == told


# What pages import.


def test_names_are_loaded_when_they_are_used():
    assert dir(pages) == sorted(pages.__all__) and all(
        getattr(pages, name).__name__ == name for name in pages.__all__
    )
    with pytest.raises(
        AttributeError, match="module 'sampling_eval.pages' has no attribute 'table'"
    ):
        pages.table
    code = (
        "import sys; from sampling_eval.pages import Table; "
        "print(sorted(o for o in sys.modules if o.startswith('sampling_eval.')))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    assert told == "['sampling_eval.pages', 'sampling_eval.pages.display']\n"


def test_pages_take_names_of_one_place():
    taken = {}
    for path in [*NBS, ROOT / "tools" / "_metric.ipynb"]:
        code = "\n".join(
            "".join(o["source"])
            for o in json.loads(path.read_text("utf-8"))["cells"]
            if o["cell_type"] == "code"
        )
        taken |= {
            name.strip(): path.name
            for names in re.findall(r"from sampling_eval\.pages import (\([^)]+|.+)", code)
            for name in names.strip("(").split(",")
        }
        assert (
            "sampling_eval.pages." not in code
        ), f"{path.name}: import it from sampling_eval.pages"
    assert set(taken) <= set(pages.__all__), taken


def test_scripts_stand_in_files():
    found = [
        path.name
        for path in [
            *(ROOT / "sampling_eval" / "pages").glob("*.py"),
            *(ROOT / "tools" / "sampling_eval_site").glob("*.py"),
        ]
        if re.search(
            r"=> |\bconst |document\.|addEventListener",
            path.read_text("utf-8").replace('"const given = ', ""),
        )
    ]
    assert not found, f"a script is a file of its own: {found}"
