"When a page was made, and of which files."
from sampling_eval.io.file_content import note_files
from sampling_eval.io.grouped_rows import File
from sampling_eval.report.blocks import Table
from sampling_eval.reporting.parts import Sentence
from sampling_eval.reporting.provenance import list_origin, tell_date


def test_the_date_of_a_page(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    assert tell_date() == "1970-01-01"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    said, = list_origin()
    assert tell_date() == "1970-01-02" and isinstance(said, Sentence) and said.text.endswith("; 1970-01-02.")
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert len(tell_date()) == 10 and tell_date() >= "2025"


def test_the_hashes_of_files(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[]")
    known = File(str(tmp_path / "b.json"), sha256="0" * 64)
    noted, = note_files([str(path)])
    _, table = list_origin([noted, known])
    assert table == Table(["file", "sha256 of its content"], [
        ["a.json", "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"], ["b.json", "0" * 64]], left=2)
    changed = "not known: the file has changed since it was read"
    path.write_text("[1]")
    assert list_origin([noted])[1].rows == [["a.json", changed]]
    path.unlink()
    assert list_origin([noted])[1].rows == [["a.json", changed]]
    assert list_origin([File("https://x.org/b.json")])[1].rows == [["b.json", "not known: read from an address"]]
