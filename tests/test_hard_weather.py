"""Packed, huge, odd and hostile input: bounded memory, linear cost, one sentence, nothing raw."""

import csv
import gzip
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import comb
from random import Random

import numpy as np
import pytest

from conftest import command
from sampling_eval import cli, cli_options, compare, count, extrapolate, gate, plan, read, score
from sampling_eval.foundations.answers import Votes
from sampling_eval.metrics.catalog import find_metric
from sampling_eval.metrics import vote_counting
from sampling_eval.metrics.vote import maj_at_k, maj_from_votes, maj_within_questions
from sampling_eval.metrics.vqa import anls, edit_distance
from sampling_eval.patterns import match_paths
from sampling_eval.reading import tables as sources
from sampling_eval.reading.tables import outgrows
from sampling_eval.render.output import render
from sampling_eval.cli import error_message

RED = "\x1b[31m"


def refuse(capsys, *words):
    "The sentence with which a command ends."
    code = cli.finish(cli.make_parser((words[0],)).parse_args(list(map(str, words))))
    out, said = capsys.readouterr()
    assert code == 2 and out == ""
    assert said.startswith("sampling-eval: ") and said.count("\n") == 1
    return said


def write_table(path, rows, head=("question", "sample", "correct")):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


@pytest.fixture
def table(tmp_path):
    rows = [(q, s, (q + s) % 2) for q in range(6) for s in range(3)]
    return write_table(tmp_path / "ok.csv", rows)


# What comes out of packed files.


def pack(path, head, block, times):
    "A gzip file of many parts, whose last four bytes tell only the size of the last."
    path.write_bytes(gzip.compress(head) + gzip.compress(block) * times)
    return str(path)


def test_equal_rows_of_a_parquet_file_take_room(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    file = str(tmp_path / "t.parquet")
    rows = "SELECT i % 2 AS question, 1 AS correct FROM range(1000000) t(i)"
    duckdb.sql(f"COPY ({rows}) TO '{file}'")
    assert os.path.getsize(file) < 2**17
    assert outgrows([file], 2**23) and not outgrows([file], 2**24)
    assert score(file, "avg@n").read.startswith("counted 1000000 rows")


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")
def test_memory_is_bounded_for_packed_input(tmp_path):
    file = pack(tmp_path / "t.csv.gz", b"question,correct\n", b"q1,1\nq2,0\n" * 100_000, 40)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "from sampling_eval import score\n"
        "value = score(sys.argv[1], 'avg@n')['avg@4000000'].estimate\n"
        # What getrusage tells begins with the size of the process that started this one.
        "status = open('/proc/self/status').read()\n"
        "print(value, status.partition('VmHWM:')[2].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True)
    assert done.stderr == ""
    value, kilobytes = done.stdout.split()[-2:]
    assert value == "0.5" and int(kilobytes) < 600_000


@pytest.mark.parametrize("pack_up", [bytes, gzip.compress])
def test_an_array_that_is_cut_off_gives_no_number(tmp_path, monkeypatch, pack_up):
    monkeypatch.setattr(sources, "SMALL", -1)
    file = tmp_path / ("t.json.gz" if pack_up is gzip.compress else "t.json")
    row = b'{"question": 1, "correct": 1}'
    file.write_bytes(pack_up(b"[" + row + b",\n" + row + b"]\n\n"))
    assert len(read(file)) == 2
    file.write_bytes(pack_up(b"[" + row + b",\n" + row + b", "))
    with pytest.raises(ValueError, match=r"is cut off: it begins with \[ and must end with \]"):
        read(file)


# Cost.


def vote_share(own, others, blank, k, ties="expected"):
    "Chance to win the vote, by counting subsets in fractions."
    won = Fraction(0)
    for j in range(1, min(own, k) + 1):
        ways = {(0, 0): comb(own, j)}
        for size in others:
            more = {}
            for (drawn, tied), times in ways.items():
                for l in range(min(size, j, k - j - drawn) + 1):
                    key = drawn + l, tied + (l == j)
                    more[key] = more.get(key, 0) + times * comb(size, l)
            ways = more
        won += sum(
            Fraction(times * comb(blank, k - j - drawn), tied + 1)
            for (drawn, tied), times in ways.items()
            if tied == 0 or ties == "expected"
        )
    return won / comb(own + sum(others) + blank, k)


def make_votes(sizes, right, blank=0):
    size = len(sizes)
    return Votes(
        np.zeros(size, int),
        np.arange(size).astype(object),
        np.array(sizes),
        np.isin(np.arange(size), right),
        np.array([blank]),
        np.arange(1),
    )


@pytest.mark.parametrize("ties", ["expected", "wrong"])
@pytest.mark.parametrize(
    "sizes, blank, ks",
    [
        ((400, 380, 300), 20, (1, 2, 3, 7)),
        ((1029, 1), 0, (1, 2, 515, 1030)),
        ((3, 3, 2, 2, 1, 1), 1100, (1, 5, 1000)),
        ((600, 600), 0, (1, 3, 4)),
    ],
)
def test_votes_beyond_float64_equal_the_fractions(sizes, blank, ks, ties):
    got = maj_from_votes(make_votes(sizes, [0], blank), list(ks), ties=ties)[0]
    true = [float(vote_share(sizes[0], sizes[1:], blank, k, ties)) for k in ks]
    np.testing.assert_allclose(got, true, rtol=0, atol=1e-13)


def test_votes_beyond_float64_add_up():
    votes = [
        maj_from_votes(make_votes((900, 880, 700, 20), [i], 5), [10, 700, 2000])[0]
        for i in range(4)
    ]
    np.testing.assert_allclose(np.sum(votes, 0), 1, atol=1e-12)
    even = maj_from_votes(make_votes([1] * 3000, [0]), [1, 30, 1500])[0]
    np.testing.assert_allclose(even * 3000, 1, atol=1e-9)


def test_equal_right_answers_are_one_state():
    sizes, right = (3, 2, 2, 2, 1, 1), (0, 1, 3, 4)
    got = maj_from_votes(make_votes(sizes, right, 1), np.arange(1, 13))[0]

    def rest(i):
        return [size for j, size in enumerate(sizes) if j != i]

    true = [sum(vote_share(sizes[i], rest(i), 1, k) for i in right) for k in range(1, 13)]
    np.testing.assert_allclose(got, np.array(true, float), atol=1e-14)


def test_votes_of_distinct_answers_cost_little(monkeypatch):
    "Answers with equally many votes are one state, which is summed once."
    sums = []
    whole, part = vote_counting.wide_share, vote_counting.lead_share
    monkeypatch.setattr(vote_counting, "wide_share", lambda *of: [sums.append(1), whole(*of)][1])
    monkeypatch.setattr(
        vote_counting, "lead_share", lambda own, *of: [sums.append(len(own)), part(own, *of)][1]
    )
    got = maj_from_votes(make_votes([1] * 12_000, range(12_000)), [1, 8])
    np.testing.assert_allclose(got, [[1, 1]], rtol=1e-12)
    assert sum(sums) == 1
    sums.clear()
    maj_within_questions(make_votes([1] * 600, range(200)), [1, 2, 4, 8, 64, 256])
    assert sum(sums) < 10


def test_a_report_with_more_than_1029_samples_has_the_vote():
    answers = np.arange(1100) % 3
    rows = dict(
        question=np.repeat([1, 2], 1100),
        correct=np.tile(answers == 0, 2),
        answer=np.tile(answers, 2),
    )
    row = score(rows, "maj@k", [512])["maj@512"]
    assert abs(row.estimate - maj_at_k([answers], [answers == 0], 512)[0]) < 1e-12


def test_edit_distance_of_long_texts():
    def fill(a, b):
        row = list(range(len(b) + 1))
        for i, x in enumerate(a, 1):
            corner, row[0] = row[0], i
            for j, y in enumerate(b, 1):
                corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
        return row[-1]

    rng = Random(0)

    def draw():
        return "".join(rng.choices("abcé", k=rng.randint(0, 90)))

    pairs = [(draw(), draw()) for _ in range(150)]
    assert all(edit_distance(a, b) == fill(a, b) for a, b in pairs)
    text = "".join(rng.choices("abcdefgh ", k=20_000))
    assert anls([text + "x"], [["y" + text]])[0] > 0.99


def test_columns_beyond_counting(tmp_path):
    names = [f"x{i}" for i in range(100_000)]
    file = write_table(
        tmp_path / "wide.csv",
        [[q, q % 2, *names] for q in range(3)],
        ["question", "correct", *names],
    )
    assert len(read(file)) == 3


def test_a_page_of_many_models_has_tables_for_all():
    models = [f"m{i}" for i in range(30)]
    data = dict(
        model=np.repeat(models, 4), question=np.tile([1, 2], 60), correct=np.arange(120) % 3 == 0
    )
    page = score(data, ["pass@k", "pass^k", "cons@k"]).to_html()
    assert page.count("<h2>m") == 30 and page.count("<table") > 30 and page.count("<svg") < 20


# What is refused, and how.


@pytest.mark.parametrize(
    "words, said",
    [
        (["counts", "ok.csv", "-o", "x.csv"], "a counts file is Parquet"),
        (["merge", "ok.csv", "-o", "x.csv"], "a counts file is Parquet"),
        (["counts", "ok.csv", "-o", "none/x.parquet"], "there is no folder 'none'"),
        (["score", "ok.csv", "-k", str(2**64)], "k must be numbers such as"),
        (["score", "ok.csv", "-m", f"pass@{2**64}"], "unknown metric"),
        (
            ["score", "ok.csv", "-m", "pass@999999999"],
            "k=999999999 needs 999999999 samples, got n=3",
        ),
        (["score", "ok.csv", "--samples-per-question", "4"], "pass --missing wrong or drop"),
        (["score", "ok.csv", "--missing", "x"], "--missing must be raise, wrong, drop"),
        (["score", "ok.csv", "--no-answer", "x"], "--no-answer must be abstain or vote"),
        (["score", "ok.csv", "--interval", "x"], "--interval must be assumption-free"),
        (["score", "ok.csv", "--by", "x"], "--by x is not a column"),
        (["score", "ok.csv", "--threshold", ".5"], "or pass --correct none"),
        (["compare", "ok.csv"], "pass a second FILE, or data with several models"),
        (["gate", "ok.csv"], "--baseline with --max-drop, --minimum or --must-pass"),
        (
            ["plan", "ok.csv"],
            "give --delta, --questions, both, or --budget with or without --questions",
        ),
        (["score", "self.jsonl"], "no file to read at self.jsonl"),
    ],
)
def test_refusals_speak_the_language_of_the_command(table, words, said, capsys, monkeypatch):
    monkeypatch.chdir(table.parent)
    os.symlink("self.jsonl", "self.jsonl")
    assert said in refuse(capsys, *words)
    assert sorted(os.listdir()) == ["ok.csv", "self.jsonl"]


def test_a_shared_sample_names_the_switch_that_helps(table, tmp_path, capsys):
    half = write_table(tmp_path / "half.csv", [(q, s, (q + s) % 2) for q in range(6) for s in (0,)])
    files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for source, file in zip((table, half), files):
        count(source, file)
    assert "pass --separate" in refuse(capsys, "merge", *files, "-o", tmp_path / "c.parquet")
    assert "pass sampling-eval merge --separate" in refuse(capsys, "score", *files)
    assert not (tmp_path / "c.parquet").exists()


@pytest.mark.parametrize(
    "name, near",
    [
        ("passk", "pass@k"),
        ("pass_at_k", "pass@k"),
        ("pass1", "pass@1"),
        ("average@k", "avg@n"),
        ("pass-hat", "pass^k"),
        ("pass-hat@8", "pass^8"),
        ("pass_hat_k", "pass^k"),
        ("accuracy", "avg@n"),
        ("majority@4", "maj@4"),
        ("mink", "min@k"),
        ("pass@0", "pass@k"),
    ],
)
def test_did_you_mean(name, near):
    with pytest.raises(ValueError, match="did you mean") as error:
        find_metric(name)
    assert f"did you mean {near!r}?" in str(error.value)


def test_the_source_names_columns_that_are_added_up():
    rows = read(
        dict(question=[1, 2], correct=[1, 0], cost=[0.5, 1], steps=[3, 4]), sums=["cost", "steps"]
    )
    assert rows.source.endswith("correct=correct, sums=cost and steps")


@pytest.mark.parametrize(
    "verb, name, value",
    [
        (score, "metrics", np.zeros((2, 2))),
        (score, "models", 7),
        (compare, "test", ["x"]),
        (gate, "max_drop", "x"),
        (gate, "minimum", 7),
        (gate, "metrics", 2.5),
        (plan, "delta", "x"),
        (plan, "correlation", [1]),
        (plan, "cost_sample", b"x"),
        (plan, "target", {}),
        (extrapolate, "models", True),
        (count, "path", 7),
        (count, "sums", 1.5),
        (read, "sums", 7),
    ],
)
def test_a_value_of_the_wrong_kind_is_named(verb, name, value):
    rows = [dict(question=i % 3, sample=i, correct=i % 2) for i in range(6)]
    data = () if verb is plan else (rows, rows) if verb is compare else (rows,)
    with pytest.raises(TypeError, match=f"^{name} must be|there is no option '{name}'"):
        verb(*data, **{name: value})


def test_a_plan_that_no_benchmark_can_meet():
    with pytest.raises(ValueError, match="need delta >= 0.0"):
        plan(1e-9)
    with pytest.raises(ValueError, match="need delta between"):
        plan(10**5000)
    with pytest.raises(ValueError, match="need questions <= 10,000,000,000"):
        plan(0.01, questions=10**12)


@pytest.mark.parametrize(
    "name, text",
    [
        ("cell.csv", "question,correct,text\n1,1," + "x" * 20_000_000 + "\n2,0,y\n"),
        ("head.csv", "x" * 20_000_000),
    ],
)
def test_a_value_of_twenty_megabytes(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=f"{name}.*at most 16,777,216 characters"):
        score(tmp_path / name)


def test_links_in_a_circle(table, tmp_path):
    for name in "abc":
        os.symlink(".", tmp_path / name)
    deep = tmp_path / "d/e"
    deep.mkdir(parents=True)
    write_table(deep / "f.csv", [])
    assert match_paths(f"{tmp_path}/**/*.csv") == [str(table), str(deep / "f.csv")]
    assert match_paths(f"{tmp_path}/d/**") == [f"{tmp_path}/d/e", str(deep / "f.csv")]
    assert match_paths("no/**/such") == [] and match_paths(f"{tmp_path}/*.csv") == [str(table)]
    assert len(read(f"{tmp_path}/**/ok.csv")) == 18


# Interruption.


def test_ctrl_c_during_a_query(tmp_path):
    file = pack(tmp_path / "t.csv.gz", b"question,correct\n", b"q1,1\nq2,0\n" * 100_000, 400)
    words = "score", file, "-o", tmp_path / "o.json", "--html", tmp_path / "o.html"
    # A shell that runs the tests in the background has its children ignore Ctrl-C.
    run = subprocess.Popen(
        [sys.executable, "-m", "sampling_eval", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    # In the query, which reads for seconds after the imports have been done.
    time.sleep(0.2)
    while b"duckdb" not in open(f"/proc/{run.pid}/maps", "rb").read():
        time.sleep(0.05)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    out, said = run.communicate(timeout=120)
    assert (run.returncode, out) == (130, "")
    assert said == "sampling-eval: interrupted; nothing was left half-written\n"
    assert os.listdir(tmp_path) == ["t.csv.gz"]


def test_too_little_memory_is_one_sentence(capsys, monkeypatch):
    def fail(asked):
        raise MemoryError

    monkeypatch.setattr(cli, "run", fail)
    assert cli.finish(cli.argparse.Namespace()) == 2
    assert "not enough memory" in capsys.readouterr().err


def test_what_the_system_refuses_is_our_sentence():
    error = PermissionError(13, "Permission denied", "x.csv")
    assert error_message(error) == "cannot use 'x.csv': permission denied"
    assert error_message(OSError("our own")) == "our own"


# Names that move cursors or run in spreadsheets.

NAMES = (
    f"{RED}red\x9b0m",
    "=cmd|' /C calc'!A0",
    "@SUM(A1)",
    "+1",
    "-1+1",
    "\t=1",
    "\r=1",
    "a\x85",
    "plain",
)


@pytest.fixture
def hostile(tmp_path):
    rows = [(name, q, s, (q + s) % 2) for name in NAMES for q in range(3) for s in range(2)]
    return write_table(tmp_path / "t.csv", rows, ("model", "question", "sample", "correct"))


@pytest.mark.parametrize("form", cli_options.FORMATS)
def test_nothing_raw_reaches_the_terminal(hostile, form):
    run = command("score", hostile, "-m", "pass@1", "-f", form)
    assert run.returncode == 0, run.stderr
    assert all(sign.isprintable() for sign in run.stdout.replace("\r\n", "").replace("\n", ""))


def test_json_escapes_and_loses_nothing(hostile):
    report = score(hostile, "pass@1")
    text = render(report, "json")
    assert all(sign.isprintable() for sign in text.replace("\n", ""))
    assert type(report).from_json(text) == report


def test_spreadsheets_run_nothing(hostile):
    rows = list(csv.DictReader(render(score(hostile, "pass@1"), "csv").splitlines()))
    assert all(row["model"][0] not in "=+-@\t\r" for row in rows)
    names = {row["model"] for row in rows}
    assert {"'=cmd|' /C calc'!A0", "'@SUM(A1)", "'+1", "'-1+1", "plain"} <= names
    assert all(float(row["estimate"]) == 0.5 for row in rows)


def test_messages_and_sentences_are_not_raw(tmp_path):
    path = write_table(tmp_path / f"a{RED}b.csv", [(1, 0, 1), (2, 0, 0)])
    for words in (
        ["counts", path, "-o", tmp_path / f"c{RED}.parquet"],
        ["merge", path, "-o", tmp_path / f"d{RED}.parquet"],
        ["score", f"none{RED}"],
        ["score", path, f"--x{RED}"],
        ["score", path, "-m", f"x{RED}"],
        ["score", path, "--question", f"{RED}\x9b"],
    ):
        run = command(*words)
        said = run.stdout + run.stderr
        assert said.replace("\n", "").isprintable() and said


@pytest.mark.parametrize(
    "ask, word",
    [
        (lambda: compare(PAIR, PAIR, cluster=7), "cluster must be a column, or the group of each"),
        (lambda: compare(PAIR, PAIR, others=7), "others must be a list of further systems"),
        (lambda: plan(delta=0.1, method=np.array([1, 2])), "method must be text"),
        (lambda: plan(delta=0.1, rng=-1), "rng must be None, a whole number of at least 0"),
    ],
)
def test_values_of_another_kind_are_our_sentence(ask, word):
    with pytest.raises(TypeError, match=word):
        ask()


def test_none_is_the_same_as_not_told():
    assert plan(delta=0.1, cost_question=None, cost_sample=None) == plan(delta=0.1)
    assert compare(PAIR, PAIR, others=None) == compare(PAIR, PAIR)


PAIR = [[1, 0], [1, 1]]
