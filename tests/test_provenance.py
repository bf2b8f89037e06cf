"When a page was made, with which versions, and of which files."

import pytest

from sampling_eval import compare, score
from sampling_eval.io.text_files import note_files
from sampling_eval.io.sample_ids import File
from sampling_eval.report.blocks import Table, Text
from sampling_eval.report.reading import list_sources, tell_date
from sampling_eval.results.reading import SourceFile
from sampling_eval.verbs.scoring import hash_file


def test_the_date_of_a_page(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    assert tell_date() == "1970-01-01"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert tell_date() == "1970-01-02"
    assert list_sources(None) == [] and list_sources([]) == [Text("Made on 1970-01-02.")]
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert len(tell_date()) == 10 and tell_date() >= "2025"


@pytest.mark.parametrize("verb", [score, lambda data: compare(data, data)])
def test_pages_are_dated_and_other_forms_are_not(monkeypatch, verb):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    result = verb([[0, 1, 1, 0]] * 3 + [[1, 1, 0, 0]] * 3)
    assert "Made on 1970-01-01." in result.to_html()
    assert "1970" not in result.to_text(how=True) + result.to_markdown() + result.to_latex() + result.to_json()


def test_the_hashes_of_files(tmp_path):
    path, changed = tmp_path / "a.json", "not known: the file has changed since it was read"
    path.write_text("[]")
    noted, = note_files([str(path)])
    found = [hash_file(noted), hash_file(File(str(tmp_path / "b.json"), sha256="0" * 64))]
    known = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    assert found == [SourceFile("a.json", known), SourceFile("b.json", "0" * 64)]
    assert hash_file(File("https://x.org/c.json")) == SourceFile("c.json", unknown="not known: read from an address")
    path.write_text("[1]")
    assert hash_file(noted) == SourceFile("a.json", unknown=changed)
    path.unlink()
    assert hash_file(noted) == SourceFile("a.json", unknown=changed)
    assert list_sources([*found, hash_file(noted)])[1] == Table(["file", "sha256 of its content"], [
        ["a.json", known], ["b.json", "0" * 64], ["a.json", changed]], left=2)


def test_a_page_names_its_file(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("question,correct\n1,1\n1,0\n2,0\n2,1\n")
    page = score(str(path)).to_html()
    assert "<td>run.csv</td><td>" in page and str(tmp_path) not in page
