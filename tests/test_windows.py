"What differs on Windows, as far as another system can show it: consoles, paths, ends of lines."
import os
import subprocess
import sys

import numpy as np
import pytest

import sampling_eval
from sampling_eval.examples import example_path
from sampling_eval.patterns import match_paths
from sampling_eval.io import tables as sources
from sampling_eval.io.files import is_remote, list_files
from sampling_eval.report.text import spell_signs

CONSOLES = "utf-8", "cp1252", "cp437", "cp850", "cp932", "ascii"


def run_command(*words, encoding):
    env = os.environ | dict(PYTHONIOENCODING=encoding, PYTHONPATH=os.pathsep.join(sys.path))
    told = subprocess.run([sys.executable, "-m", "sampling_eval", *words], env=env,
                          capture_output=True)
    return told.returncode, told.stdout.decode(encoding), told.stderr.decode(encoding)


@pytest.mark.parametrize("encoding", CONSOLES)
def test_a_console_shows_the_report(encoding):
    code, said, errors = run_command("demo", encoding=encoding)
    assert (code, errors) == (0, "")
    rows = said.replace("\N{EN DASH}", "-").splitlines()
    assert "pass@k  at least one right       42.0 %     56.7 %     66.0 %     72.0 %" in rows
    assert "                              31.5-53.4  44.4-68.0  52.5-77.4  57.5-83.8" in rows
    assert "\x1b" not in said and "\\u" not in said and max(map(len, rows)) <= 80


@pytest.mark.parametrize("encoding", ["cp437", "ascii"])
def test_a_name_that_a_console_lacks_is_spelt(encoding, tmp_path):
    table = tmp_path / "runs.csv"
    table.write_text("question,correct,model\n1,1,\N{CJK UNIFIED IDEOGRAPH-6A21}\n2,0,"
                     "\N{CJK UNIFIED IDEOGRAPH-6A21}\n", "utf-8")
    code, said, _ = run_command("score", str(table), encoding=encoding)
    assert code == 0 and r"\u6a21" in said


def test_only_lacking_signs_are_spelt():
    error = UnicodeEncodeError("ascii", "0.3\N{EN DASH}0.5", 3, 4, "lacking")
    assert spell_signs(error) == ("-", 4)
    with pytest.raises(UnicodeDecodeError):
        spell_signs(UnicodeDecodeError("ascii", b"\xff", 0, 1, "unknown"))


@pytest.mark.parametrize("path", [r"C:\runs\a.jsonl", "C:/runs/a.jsonl", r"d:runs.csv",
                                  r"\\server\share\a.csv", r"\\?\C:\runs\a.csv"])
def test_a_drive_is_no_address(path):
    assert not is_remote(path)


def test_backslashes_of_a_pattern_part_folders_on_windows(tmp_path, monkeypatch):
    (tmp_path / "runs" / "deep").mkdir(parents=True)
    for name in "runs/a.jsonl", "runs/deep/b.jsonl": (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "altsep", "/")
    assert match_paths(r"runs\*.jsonl") == ["runs/a.jsonl"]
    assert sorted(match_paths(r"runs\**\*.jsonl")) == ["runs/a.jsonl", "runs/deep/b.jsonl"]


def test_the_name_of_a_file_may_hold_a_backslash_elsewhere(tmp_path):
    if os.altsep: pytest.skip("a backslash parts folders here")
    path = tmp_path / r"a\b.csv"
    path.touch()
    assert list_files(path) == [str(path)]


@pytest.mark.parametrize("small", [-1, None], ids=["engine", "texts"])
@pytest.mark.parametrize("head", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte-order mark"])
@pytest.mark.parametrize("name", ["tau_bench", "aime25"])
def test_ends_of_lines_change_no_number(name, head, small, tmp_path, monkeypatch):
    if small is not None: monkeypatch.setattr(sources, "SMALL", small)
    source = example_path(name)
    other = tmp_path / source.name
    other.write_bytes(head + b"\r\n".join(source.read_bytes().splitlines()) + b"\r\n")
    one, two = (sampling_eval.read(path) for path in (source, other))
    assert one.source == two.source
    np.testing.assert_array_equal(one.correct, two.correct)
    np.testing.assert_array_equal(one.times, two.times)
