"What `import sampling_eval` gives: lazy names, optional packages, the command as a module."

import subprocess
import sys

import pandas
import pytest

import sampling_eval
from scripts import read_settings
from sampling_eval.extras import EXTRAS, need


def run_python(*words):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True)


def test_names_are_listed_and_unknown_ones_refused():
    assert {*sampling_eval.__all__, "__version__"} <= {*dir(sampling_eval)}
    with pytest.raises(AttributeError, match="module 'sampling_eval' has no attribute 'pass_at'"):
        sampling_eval.pass_at


def test_import_loads_nothing_else():
    told = run_python(
        "-c",
        "import sys, sampling_eval; print(sorted(o for o in sys.modules if o in "
        "('numpy', 'typing', 'inspect') or o.startswith('sampling_eval.')))",
    )
    assert told.stdout == "[]\n"


def test_the_package_runs_as_a_module():
    told = run_python("-m", "sampling_eval", "--version")
    assert (told.stdout, told.stderr, told.returncode) == (f"{sampling_eval.__version__}\n", "", 0)
    assert run_python("-m", "sampling_eval", "score", "no.csv").returncode == 2


@pytest.mark.parametrize(
    "name, said",
    [
        ("pass_k", "; did you mean pass_at_k or pass_hat_k?"),
        ("passk", "; did you mean pass_at_k or pass_hat_k?"),
        ("comparee", "; did you mean compare?"),
        ("scores", "; did you mean score?"),
        ("xyz", ""),
        ("_pass_at_k", ""),
    ],
)
def test_the_nearest_names(name, said):
    with pytest.raises(AttributeError) as caught:
        getattr(sampling_eval, name)
    assert str(caught.value) == f"module 'sampling_eval' has no attribute {name!r}{said}"


# Optional packages are imported when needed, and a missing one is named.


def test_a_module_that_is_there():
    assert need("json.decoder", "files").__name__ == "json.decoder"


def test_a_missing_package_is_named_with_what_to_type(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        need("duckdb", "files")
    assert str(caught.value) == (
        'reading files needs duckdb, which is not installed: ' 'pip install "sampling_eval[files]"'
    )
    assert caught.value.name == "duckdb"


def test_a_broken_package_speaks_for_itself(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import what_it_needs\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="No module named 'what_it_needs'"):
        need("half_installed", "plot")


def test_every_extra_is_one_of_the_install():
    named = {
        o.removesuffix("_requirements") for o in read_settings() if o.endswith("_requirements")
    }
    assert named - {"dev", "engines", "lab"} == EXTRAS.keys()


@pytest.mark.parametrize(
    "module,extra,use",
    [
        ("duckdb", "files", lambda: sampling_eval.score("nbs/data/none.parquet")),
        (
            "narwhals.stable.v2",
            "frames",
            lambda: sampling_eval.score(pandas.DataFrame(dict(question=[1], correct=[1]))),
        ),
        ("matplotlib.pyplot", "plot", lambda: sampling_eval.score([[1, 0]]).plot()),
    ],
)
def test_what_is_missing_is_named_where_it_is_needed(module, extra, use, monkeypatch, tmp_path):
    (tmp_path / "nbs" / "data").mkdir(parents=True)
    (tmp_path / "nbs" / "data" / "none.parquet").write_bytes(b"PAR1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=rf'pip install "sampling_eval\[{extra}\]"'):
        use()
