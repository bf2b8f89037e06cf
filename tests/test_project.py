"Project hygiene: what is committed is what the notebooks say. Needs no Quarto and no kernel."
import ast, configparser, os, re, shutil, subprocess, sys
from pathlib import Path

import pytest, yaml

ROOT = Path(__file__).resolve().parents[1]
NBS = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
ini = configparser.ConfigParser(delimiters=["="])
ini.read(ROOT / "settings.ini", encoding="utf-8")
LIB = ini["DEFAULT"]["lib_path"]
MODULES = sorted(p for p in (ROOT / LIB).rglob("*.py") if p.name not in ("__init__.py", "_modidx.py"))


def nbdev(command, cwd):
    "Run an nbdev command in a folder, as its console script does."
    module = {"nbdev_export": "doclinks", "nbdev_clean": "clean"}[command]
    env = {k: v for k, v in os.environ.items() if k != "IN_TEST"}
    subprocess.run([sys.executable, "-c", f"from nbdev.{module} import {command}; {command}()"], cwd=cwd, env=env, check=True)


@pytest.fixture
def copy(tmp_path):
    "A copy of the sources without the exported modules."
    shutil.copy(ROOT / "settings.ini", tmp_path)
    shutil.copytree(ROOT / "nbs", tmp_path / "nbs", ignore=shutil.ignore_patterns(".ipynb_checkpoints", "data"))
    return tmp_path


def test_exported_modules_are_current(copy):
    lib = copy / LIB
    lib.mkdir()
    shutil.copy(ROOT / LIB / "__init__.py", lib)
    nbdev("nbdev_export", copy)
    fresh = {p.relative_to(lib) for p in lib.rglob("*.py")}
    have = {p.relative_to(ROOT / LIB) for p in (ROOT / LIB).rglob("*.py")}
    assert fresh == have, "run make prepare; delete modules that no notebook exports"
    stale = [str(p) for p in sorted(fresh) if (lib / p).read_text("utf-8") != (ROOT / LIB / p).read_text("utf-8")]
    assert not stale, f"run make prepare: {stale}"


def test_notebooks_are_clean(copy):
    nbdev("nbdev_clean", copy)
    dirty = [str(p.relative_to(ROOT)) for p in NBS if p.read_bytes() != (copy / p.relative_to(ROOT)).read_bytes()]
    assert not dirty, f"run make prepare: {dirty}"


def test_readme_is_current():
    assert subprocess.run([sys.executable, str(ROOT / "tools" / "readme.py"), "--check"], cwd=ROOT).returncode == 0


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 120


def hrefs(node):
    "Every page a sidebar names."
    if isinstance(node, str): yield node
    elif isinstance(node, list):
        for o in node: yield from hrefs(o)
    elif isinstance(node, dict):
        for key in ("href", "file", "contents", "left", "right", "menu"): yield from hrefs(node.get(key))


def test_quarto_knows_every_notebook():
    site = yaml.safe_load((ROOT / "_quarto.yml").read_text("utf-8"))
    assert site["project"]["type"] == "website"
    assert site["project"]["output-dir"] == ini["DEFAULT"]["doc_path"]
    listed = [o for o in hrefs(site["website"]["sidebar"]) if o.endswith(".ipynb")]
    assert sorted(listed) == [p.relative_to(ROOT).as_posix() for p in NBS]
    rendered = {p for pattern in site["project"]["render"] for p in ROOT.glob(pattern)}
    assert set(NBS) <= rendered


ALLOWED = {  # which layers a module may import besides its own
    "foundations": set(), "metrics": {"foundations"}, "inference": {"foundations"}, "reading": {"foundations"},
    "reporting": {"foundations", "inference", "metrics"}, "verbs": {"foundations", "metrics", "inference", "reading", "reporting"},
    "cli": {"verbs", "reporting", "reading"},
}


def imports(path):
    "Dotted names a module imports from this package, and the top-level ones among its other imports at module level."
    tree, package = ast.parse(path.read_text("utf-8")), list(path.relative_to(ROOT).with_suffix("").parts)
    own, outside = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = package[:-node.level] if node.level else []
            name = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            if name.split(".")[0] == LIB: own |= {name} | {f"{name}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import): own |= {a.name for a in node.names if a.name.split(".")[0] == LIB}
    for node in tree.body:
        if isinstance(node, ast.Import): outside |= {a.name.split(".")[0] for a in node.names}
        if isinstance(node, ast.ImportFrom) and not node.level: outside.add(node.module.split(".")[0])
    return own, outside


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT / LIB).as_posix())
def test_layers(path):
    parts = path.relative_to(ROOT / LIB).with_suffix("").parts
    own, outside = imports(path)
    used = {o.split(".")[1] for o in own if o.count(".")} & ALLOWED.keys()
    assert used <= ALLOWED[parts[0]] | {parts[0]}, f"{path.name} imports from {used}"
    assert not any(o.startswith(f"{LIB}.foundations.oracle") for o in own) or parts[-1] == "oracle", "the oracle is for checks only"
    heavy = {"scipy", "matplotlib", "duckdb", "narwhals", "rich", "pandas", "polars"} | ({"typer"} if parts[0] != "cli" else set())
    assert not outside & heavy, f"import {outside & heavy} where it is used"


def test_no_module_is_named_like_a_function():
    import importlib
    package = importlib.import_module(LIB)
    assert not {p.stem for p in MODULES} & {name for name in package.__all__}


def test_public_functions_document_every_parameter():
    from fastcore.docments import docments
    import importlib, inspect
    bare = []
    for path in MODULES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        module = importlib.import_module(name)
        for symbol in module.__all__:
            function = getattr(module, symbol)
            if not inspect.isfunction(function) or function.__module__ != name or "Annotated" in str(inspect.signature(function)): continue
            if not inspect.getdoc(function): bare.append(f"{name}.{symbol}: docstring")
            found = docments(function, full=True)
            bare += [f"{name}.{symbol}({p})" for p, about in found.items() if p not in ("self", "return") and not about.get("docment")
                     and about.get("kind") != inspect.Parameter.VAR_KEYWORD]
    assert not bare, bare


def test_example_in_the_wheel_is_the_example_of_the_pages():
    for name in ("tau_bench_airline_gpt4o.jsonl", "tau_bench_LICENSE"):
        assert (ROOT / LIB / "examples" / name).read_bytes() == (ROOT / "nbs" / "data" / name).read_bytes()


def test_every_data_file_names_its_source():
    sources = (ROOT / "nbs" / "data" / "SOURCES.md").read_text("utf-8")
    missing = [p.name for p in (ROOT / "nbs" / "data").iterdir() if p.name != "SOURCES.md" and f"`{p.name}`" not in sources]
    assert not missing, f"name them in nbs/data/SOURCES.md: {missing}"


def test_import_cells_hold_imports_only():
    import json
    mixed = []
    for path in NBS:
        for i, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
            if cell["cell_type"] != "code": continue
            source = "".join(o for o in cell["source"] if not re.match(r"\s*(#\||%)", o))
            kinds = {isinstance(o, (ast.Import, ast.ImportFrom)) for o in ast.parse(source).body}
            if len(kinds) > 1: mixed.append(f"{path.name} cell {i}")
    assert not mixed, f"give imports a cell of their own: {mixed}"
