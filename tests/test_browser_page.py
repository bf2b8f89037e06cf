"""The page that counts in the browser: its scripts in two engines against the package, and as it is
shown."""

import json
import re

import numpy as np
import pytest
import quickjs

from chromium import open_page, with_chromium
from conftest import command
from scripts import ROOT
from sampling_eval import pass_at_k, pass_hat_k, read, rerun_facts, score
from sampling_eval.browser import browser_page, page_logic
from sampling_eval.inference.gaffke import gaffke_interval


def ask_quickjs(call, folder):
    context = quickjs.Context()
    context.eval(page_logic())
    return json.loads(context.eval(f"JSON.stringify({call})"))


def ask_chromium(call, folder):
    (path := folder / "page.html").write_text(browser_page(), encoding="utf-8")
    with open_page(path, folder) as page:
        return page.run(call)


ENGINES = [ask_quickjs, pytest.param(ask_chromium, marks=with_chromium)]


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(page_logic())
    return lambda call: json.loads(context.eval(f"JSON.stringify({call})"))


def count(engine, *pieces, **options):
    "What the page counts of a text that arrives in pieces: rows, parts, and counts per model."
    pushes = "".join(
        f"o.push({json.dumps(piece)}, {json.dumps(i + 1 == len(pieces))});"
        for i, piece in enumerate(pieces)
    )
    return engine(f"""(() => {{
        const o = new Counter({json.dumps(options)});
        {pushes}
        const {{models, ...found}} = o.finish();
        return {{...found, models: [...models].map(
            ([model, held]) => [model, [...held].map(([name, {{n, c}}]) => [name, n, c])])}};
    }})()""")


def refusal(engine, *pieces, **options):
    with pytest.raises(quickjs.JSException) as error:
        count(engine, *pieces, **options)
    return str(error.value)


# Numbers.


@pytest.mark.parametrize("ask", ENGINES)
def test_metrics_are_those_of_the_package(ask, tmp_path):
    asked = [
        [n, int(c), int(k)]
        for n in (1, 2, 5, 40, 56, 57, 1000)
        for c in np.unique(np.linspace(0, n, 9).astype(int))
        for k in np.unique(np.linspace(1, n, 7).astype(int))
    ]
    found = ask(f"{json.dumps(asked)}.map(o => [passAt(...o), passHat(...o)])", tmp_path)
    expected = [[float(metric(n, c, k)) for metric in (pass_at_k, pass_hat_k)] for n, c, k in asked]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("ask", ENGINES)
def test_intervals_are_those_of_the_package(ask, tmp_path):
    asked, expected = [], []
    for questions in (1, 2, 7, 60, 1000):
        rng = np.random.default_rng(questions)
        for shape in [(0.3, 0.3), (5, 0.2), (0.05, 3), (1, 1)]:
            for n, k, level in [(1, 1, 0.95), (4, 2, 0.9), (64, 64, 0.95), (64, 3, 0.999)]:
                values = pass_at_k(n, rng.binomial(n, rng.beta(*shape, questions)), k)
                distinct, times = np.unique(values, return_counts=True)
                asked.append([distinct.tolist(), times.tolist(), level])
                expected.append(gaffke_interval(values, confidence_level=level))
    np.testing.assert_allclose(
        ask(f"{json.dumps(asked)}.map(o => gaffkeInterval(...o))", tmp_path), expected, atol=1e-9
    )


FACTS = dict(
    flips="flip_rate",
    flaky="flaky_share",
    runSd="one_run_sd",
    leastDifference="least_difference_95",
    icc="icc",
)


@pytest.mark.parametrize("ask", ENGINES)
def test_facts_of_a_rerun_are_those_of_the_package(ask, tmp_path):
    rng = np.random.default_rng(0)
    runs = [
        ([4, 4, 4], [0, 0, 0]),
        ([4, 4], [4, 4]),
        ([4], [2]),
        ([4, 4], [4, 0]),
        ([2, 5, 9, 2], [1, 0, 9, 2]),
    ]
    for questions in (10, 200):
        n = rng.integers(2, 20, questions)
        runs.append((n.tolist(), rng.binomial(n, rng.beta(0.5, 0.5, questions)).tolist()))
    states = [[dict(n=n, c=c, times=1) for n, c in zip(*run)] for run in runs]
    for found, run in zip(
        ask(f"{json.dumps(states)}.map(rerunFacts)", tmp_path), runs, strict=True
    ):
        facts = rerun_facts(*run)
        for name, own in FACTS.items():
            there = getattr(facts, own)
            assert (
                found[name] == there
                if there is None
                else found[name] == pytest.approx(there, rel=1e-9, abs=1e-12)
            ), name


def test_one_sample_per_question_has_no_rerun(engine):
    assert engine("rerunFacts([{n: 1, c: 1, times: 2}, {n: 4, c: 1, times: 1}])") is None


# Reading: what the package reads is counted alike, and what it refuses is refused.

HEAD = "question,correct\n"
TABLES = [
    HEAD + rows
    for rows in (
        # Outcomes, of one kind
        "a,1\na,0\nb,1\n",
        "a,TRUE\na,False\n",
        "a,1.0\na,0.0\n",
        "a,1e0\na,0\n",
        "a, 1 \na,+0\n",
        "a,C\na,I\n",
        "a,Pass \na,fail\n",
        "a,yes\na,true\nb,1\n",
        "a,yes\na,1\n",
        "a,true\na,1\n",
        "a,C\na,P\n",
        "a,pass\na,wrong\n",
        "a,inf\na,0\n",
        "a,2\na,1\n",
        "a,100\na,0\n",
        "a,.5\na,1\n",
        "a,perhaps\n",
        "a,0x1\n",
        "a,1_0\n",
        # None
        "a,1\na,nan\n",
        "a,1\na,NaN\n",
        "a,1\na,\n",
        "a,1\na, \n",
        "a,1\na,None\n",
        "a,1\na,null\n",
        "a,1\na,<NA>\n",
        "a,1\na,N/A\n",
        # Names of questions
        "nan,1\n",
        "None,1\n",
        " ,1\na,0\n",
        ",1\na,0\n",
        "01,1\n1,0\n",
        " a,1\na,0\n",
        "1.0,1\n1,0\n",
        # Cells
        "a,1,2\n",
        "a\n",
        "a,1\n\na,0\n",
        'a"b,1\n',
        '"a,1\n',
        '"a\nb",1\n"a ""b""",0\n',
        "",
        "a,1\r\nb,0\r\n",
    )
]
TABLES += [
    "",
    "\ufeffquestion,correct\na,1\n",
    "question\tcorrect\na\t1\n",
    "question;correct\na;1\n",
    "question|correct\na|1\n",
    " question , Correct \na,1\n",
    "question,correct,\na,1,\n",
    "question,question,correct\na,a,1\n",
    "question,Question,correct\na,b,1\n",
    "question,task_id,correct\n1,1,1\n",
    "correct\n1\n",
    "x,correct\n1,1\n",
    "question,x\n1,1\n",
    "task,trial,ok\na,1,1\n",
    "id,reward\na,1\na,0\n",
    # Samples
    "question,sample,correct\na,1,1\na,1,0\n",
    "question,sample,correct\na,1,1\nb,1,0\n",
    "question,sample,correct\na,,1\na,1,0\n",
    "question,run,correct\na,1,1\na,2,0\n",
    "question,run,correct\na,x,1\na,y,1\nb,x,1\nb,y,0\n",
    "question,run,sample,correct\na,x,1,1\na,x,2,1\na,y,1,1\na,y,2,1\n",
    "question,sample,correct\na,1,1\na,1.0,0\n",
    # Models, settings, tasks and groups
    "model,question,correct\nx,a,1\ny,a,0\n",
    "model,question,correct\n,a,1\ny,a,0\n",
    "question,temperature,correct\na,0,1\na,1,1\nb,0,1\nb,1,0\n",
    "question,temperature,correct\na,0,1\na,0,1\nb,0,1\nb,0,0\n",
    "dataset,question,correct\nx,1,1\ny,1,0\n",
    "question,group,correct\na,1,1\na,2,1\n",
    "question,scorer,correct\na,exact,1\na,fuzzy,1\n",
    "question,weight,correct\na,1,1\na,1,1\n",
    # Texts
    "id,prompt,correct\n1,p,1\n1,q,0\n",
    "id,prompt,correct\n1,p,1\n1,p,0\n2,q,1\n",
    "id,prompt,correct\n1,p,1\n2,p,0\n3,q,1\n4,q,1\n",
    "id,prompt,correct\n1,p,1\n2,q,0\n3,r,1\n",
    # Scores
    "question,correct,score\na,1,.5\na,0,.2\n",
    "question,correct,passed\na,1,1\na,0,0\n",
    "question,score\na,.5\na,0\n",
    "question,score\na,1\na,2\n",
    "question,answer,correct\na,x,1\na,y,0\n",
    "question,answer\na,x\n",
    # Counts
    "question,n,c\na,2,1\nb,4,4\n",
    "question,N,C\na,2,1\n",
    "question,n,c\na,2.0,1.0\n",
    "question,num_samples,num_correct\na,2,1\n",
    "idx,n,c\na,2,1\n",
    "question,n,c\na,2,1\na,2,1\n",
    "question,n,c\na,0,0\nb,2,1\n",
    "question,n,c\na,1,2\n",
    "question,n,c\na,,2\n",
    "question,n,correct\na,2,1\n",
    "question,sample,n,c\na,1,2,1\n",
    "model,question,n,c\nx,a,2,1\ny,a,2,2\n",
]
TABLES += [  # A column for each run
    "question,run_1,run_2\na,1,0\nb,0,0\n",
    "idx,run_1,run_2\na,pass,fail\nb,fail,fail\n",
    "question,run1,run2,run10\na,1,0,\nb,1,1,1\n",
    "question,run_1,run_2\na,1,0\na,0,0\n",
    "model,question,trial 1,trial 2\nx,a,1,0\ny,a,0,0\n",
    "question,run_1,run_2,pass_1,pass_2\na,1,0,1,0\n",
    "question,pass_1,pass_2,pass_4\na,1,0,1\n",
    "question,run_1,run_2,score\na,1,0,1\n",
    "question,run_1,run_2\na,1,.5\n",
    "question,run_1\na,1\n",
    "question,run_1,run_2,correct\na,1,0,1\n",
    "question,run_1,run_2,temperature\na,1,0,0\nb,1,0,.7\n",
    "question,x_1,x_2\na,1,0\n",
]
TABLES += [  # Questions that no column names
    "task,trial,success\na,0,1\na,1,0\nb,0,1\nb,1,1\n",
    "task,trial,success\na,0,1\nb,1,1\n",
    "task,sample_id,correct\na,0,1\na,1,0\nb,0,1\nb,1,1\n",
    "task,problem,trial,success\na,x,0,1\na,x,1,0\nb,y,0,1\n",
    "run_1,run_2\n1,0\n1,1\n",
    ",run_1,run_2\n0,1,0\n1,1,1\n",
    "Unnamed: 0,run_1,run_2\n0,1,0\n1,1,1\n",
    ",run_1,run_2\n5,1,0\n9,1,1\n",
    "n,c\n2,1\n2,2\n",
    "level,run_1,run_2\n1.5,1,0\n1.5,1,1\n",
    "name,run_1,run_2\nx,1,0\ny,1,1\n",
]
TABLES += [  # A column that nobody named, and each question has the same values of it
    "question,flavour,correct\n"
    + "".join(f"{q},{o},{(q + i) % 2}\n" for q in range(12) for i, o in enumerate(values))
    for values in ("xy", "xyz", "01", "12", "13", "xxyy", "0011")
]
TABLES += [
    "question,flavour,correct\n"
    + "".join(f"{q},{'xy'[q % 2]},{i}\n" for q in range(12) for i in (0, 1)),
    "question,sample,flavour,correct\n"
    + "".join(f"{q},{i},{'xy'[i]},{i}\n" for q in range(12) for i in (0, 1)),
    "model,question,flavour,correct\n"
    + "".join(f"{m},{q},{f},1\n" for m in "ab" for q in range(12) for f in "xy"),
]
LINES = [
    '{"question": %s, "correct": %s}\n' * 2 % values
    for values in (
        ('"a"', '"1"', '"a"', '"0"'),
        ('"a"', '"1"', '"a"', "0"),
        ('"a"', "true", '"a"', "0"),
        ('"a"', "true", '"b"', "false"),
        ('"a"', "1", '"a"', "null"),
        ("1", "1", '"1"', "0"),
        ("1.0", "1", "1", "0"),
        ("1.5", "1", "1", "0"),
        ("true", "1", "false", "0"),
        ("null", "1", "1", "0"),
        ('"a"', '"nan"', '"a"', '"yes"'),
        ('"a"', '""', '"a"', '"yes"'),
        ('"a"', '{"b": 1}', '"a"', "1"),
        ('{"b": 1}', "1", '"a"', "1"),
        ('""', "1", '"a"', "1"),
    )
]
LINES += [
    '{"question": "a", "correct": 1}\n{"question": "a"}\n',
    '{"question": 1, "correct": 1}\n\n{"question": 1, "correct": 0}\n',
    '{"question": 1, "correct": 1}\n{"question": 1, "correct": 0, "model": "x"}\n',
    '{"question": 1, "scores": {"correct": 1}}\n',
    '{"question": 1,\n',
    '{"question": 1, "sample": 1, "correct": 1}\n{"question": 1, "sample": "1", "correct": 1}\n',
    # Lists
    '{"id": "a", "passed": [true, false]}\n{"id": "b", "passed": [true, true]}\n',
    '{"correct": [1, 0]}\n{"correct": [1, 1]}\n',
    '{"id": "a", "passed": [true, false]}\n{"id": "a", "passed": [true]}\n',
    '{"id": "a", "results": [1, 0]}\n',
    '{"id": "a", "passed": [1, 0]}\n{"id": "b", "passed": 1}\n',
    '{"id": "a", "correct": 1, "results": [1, 0]}\n{"id": "a", "correct": 0, "results": [1, 0]}\n',
    '{"id": "a", "correct": [1, 0], "results": [1]}\n',
    '{"id": "a", "correct": [1, null]}\n',
    '{"id": "a", "correct": []}\n',
    '{"id": "a", "correct": [1, 0.5]}\n',
    '{"id": "a", "correct": [[1]]}\n',
    '[{"qid": "a", "success": true}, {"qid": "a", "success": false}]',
    "[1]",
    '[{"qid": "a", "success": true}',
]


# The package looks at the values of columns that are called alike; the page asks.
ASKED = [
    "question,trial,seed,correct\na,1,0,1\na,2,0,1\n",
    "question,run,sample,correct\n"
    + "".join(f"{q},{r},{s},1\n" for q in "ab" for r in (1, 2) for s in (1, 2)),
]


def read_all(text, folder):
    "Counts of every question of every model, as the package reads them; nothing where it refuses."
    path = folder / (
        "log.csv" if text[:1] not in ("{", "[") else "log.jsonl" if text[0] == "{" else "log.json"
    )
    path.write_bytes(text.encode())
    try:
        rows = read(str(path))
        found = [one.counts() for one in rows.models().values()]
    except (ValueError, TypeError):
        return None
    return sorted((int(n), int(c)) for one in found for n, c in zip(one.n, one.c))


@pytest.mark.parametrize("text", ASKED)
def test_the_page_asks_where_values_tell(engine, text, tmp_path):
    assert refusal(engine, text) and read_all(text, tmp_path)


@pytest.mark.parametrize("text", TABLES + LINES)
def test_tables_are_read_and_refused_as_the_package_does(engine, text, tmp_path):
    expected = read_all(text, tmp_path)
    if expected is None:
        assert refusal(engine, text)
    else:
        assert (
            sorted((n, c) for _, held in count(engine, text)["models"] for _, n, c in held)
            == expected
        )


def test_what_is_shown_is_what_score_prints(engine, tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        f"{model},{q},{s},{int(rng.random() < p)}"
        for model in "xy"
        for q, p in enumerate(rng.beta(0.6, 0.6, 40))
        for s in range(rng.integers(3, 9))
    ]
    (path := tmp_path / "log.csv").write_text(
        text := "\n".join(["model,question,sample,correct", *rows, ""])
    )
    shown = engine(
        f"""(() => {{ const o = new Counter(); o.push({json.dumps(text)}, true);
        const models = [...o.finish().models];
        return models.map(([name, held]) => [name, study(listStates(held))]); }})()"""
    )
    for name, one in shown:
        report = score(
            read(str(path)).models()[name], ["pass@k", "pass^k"], [row["k"] for row in one["rows"]]
        )
        for row in one["rows"]:
            for metric, found in (
                (f"pass@{row['k']}", row["any"]),
                (f"pass^{row['k']}", row["all"]),
            ):
                there = report[metric]
                np.testing.assert_allclose(
                    [found["value"], *found["ends"]],
                    [there.estimate, there.low, there.high],
                    atol=1e-9,
                )


@pytest.mark.parametrize("part", ["question", "sample", "correct", "score", "model"])
def test_every_name_of_a_column_is_known(engine, part):
    "The names that the package knows, and no other list."
    from sampling_eval.reading.columns import COLUMNS

    for name in COLUMNS[part]:
        head = ["question", "correct"]
        if part == "score":
            head[1] = name
        elif part in head:
            head[head.index(part)] = name
        else:
            head.append(name)
        found = count(engine, f"{','.join(head)}\na,1,1\n"[: None if len(head) > 2 else -3] + "\n")[
            "parts"
        ]
        assert found["correct" if part == "score" else part] == name


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "a,1\na,0\nb,1\n",
        HEAD + '"a,\n""x""",1\r\nb,0\r\n',
        '{"id": "ä", "n": 2, "c": 1}\n{"id": 2, "n": 2, "c": 1}',
    ],
)
def test_a_piece_may_end_anywhere(engine, text):
    whole = count(engine, text)
    for cut in range(1, len(text)):
        assert count(engine, text[:cut], text[cut:]) == whole, cut


@pytest.mark.parametrize(
    "text, options, said",
    [
        (HEAD, {}, "there is a head and no row"),
        ("a,b\n1,1\n", {}, "Which column holds the question? There are 'a', 'b'"),
        ("question,b\n1,1\n", {}, "Which column holds the outcome? There are 'question', 'b'"),
        (
            "question,task_id,correct\n1,1,1\n",
            {},
            "ambiguous: 'question' or 'task_id' could be the question",
        ),
        (
            HEAD + "a,.5\n",
            {},
            "row 1: an outcome must be 0 or 1, got 0.5; sampling-eval score reads graded scores",
        ),
        (HEAD + "a,70\n", {}, "are these percentages?"),
        (HEAD + "a,1\na,\nb,nan\n", {}, "2 samples have no outcome (question 'a')"),
        (
            HEAD + "a,1\nb,\n",
            dict(missing="drop"),
            "every question needs a sample with an outcome, got none at 'b'",
        ),
        (
            "question,sample,correct\na,1,1\na,1,0\n",
            {},
            "each sample must appear once, got sample '1' of question 'a' again in row 2",
        ),
        (HEAD + "a,1,2\n", {}, "row 1 has 3 cells, the head has 2"),
        (
            "question,temperature,correct\na,0,1\na,1,1\n",
            {},
            "a question needs rows of one temperature, got '0' and '1' for question 'a'",
        ),
        ("question,group,correct\na,1,1\n", {}, "'group' may group the questions"),
        ('{"a": 1}\n', dict(chosen=dict(question="b")), "no column 'b'; there are 'a'"),
        (
            "a,b\n1,1\n",
            dict(chosen=dict(question="a", correct="a")),
            "a column plays one part, got 'a' as two",
        ),
        ("PAR1...", {}, "this is no text"),
    ],
)
def test_a_refusal_says_what_was_got_and_what_to_choose(engine, text, options, said):
    assert said in refusal(engine, text, **options)


@pytest.mark.parametrize(
    "text, options, models",
    [
        (HEAD + "a,1\na,\n", dict(missing="wrong"), [["", [["a", 2, 1]]]]),
        (HEAD + "a,1\na,\n", dict(missing="drop"), [["", [["a", 1, 1]]]]),
        (
            "task,ok\na,1\na,0\n",
            dict(chosen=dict(question="task", correct="ok")),
            [["", [["a", 2, 1]]]],
        ),
        (
            "question,temperature,correct\na,0,1\na,.7,0\n",
            dict(chosen=dict(model="temperature")),
            [["0", [["a", 1, 1]]], [".7", [["a", 1, 0]]]],
        ),
        (
            "question,temperature,correct\na,0,1\na,.7,0\n",
            dict(ignored=["temperature"]),
            [["", [["a", 2, 1]]]],
        ),
        (
            "model,question,correct\nx,a,1\ny,a,0\n",
            dict(chosen=dict(model="")),
            [["", [["a", 2, 1]]]],
        ),
        ("question,group,correct\na,1,1\n", dict(ignored=["group"]), [["", [["a", 1, 1]]]]),
        ("question,n,correct\na,2,1\n", dict(ignored=["n"]), [["", [["a", 1, 1]]]]),
    ],
)
def test_what_is_chosen_is_done(engine, text, options, models):
    assert count(engine, text, **options)["models"] == models


def test_columns_that_are_not_used_are_told(engine):
    text = "question,flavour,correct\na,x,1\nb,y,1\n"
    assert count(engine, text)["settings"] == [["flavour", 2]]


# The page.


def test_the_page_loads_and_sends_nothing():
    page = browser_page()
    assert (
        "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src"
        " 'unsafe-inline'"
        in page
    )
    assert not re.search(
        r"https?://|fetch\(|XMLHttp|WebSocket|sendBeacon|importScripts|\ssrc=", page
    )
    assert "{{" not in page and page.count("</script>") == 2


def test_the_page_of_the_site_is_current():
    assert (ROOT / "nbs" / "site" / "page.html").read_text(
        "utf-8"
    ) == browser_page(), "run make prepare"


def test_no_line_of_a_script_is_long():
    files = [o for o in (ROOT / "sampling_eval" / "browser").iterdir() if o.suffix == ".js"]
    assert (
        len(files) > 10
        and max(len(line) for o in files for line in o.read_text("utf-8").splitlines()) <= 100
    )


def test_the_command_writes_the_page(tmp_path):
    def run(*words):
        return command("page", *words, cwd=tmp_path)

    first = run()
    assert first.returncode == 0 and "Wrote page.html" in first.stderr
    assert (tmp_path / "page.html").read_text("utf-8") == browser_page()
    (tmp_path / "page.html").write_text("mine")
    again = run()
    assert (
        again.returncode == 2
        and "page.html is there already; pass --output page.html to write over it" in again.stderr
    )
    assert (tmp_path / "page.html").read_text() == "mine"
    assert (
        run("--out", "page.html").returncode == 0
        and (tmp_path / "page.html").read_text("utf-8") == browser_page()
    )
    for wrong, said in (("page.txt", "must end in .html"), ("none/page.html", "cannot write")):
        told = run("--out", wrong)
        assert told.returncode == 2 and said in told.stderr
    assert [o.name for o in tmp_path.iterdir()] == ["page.html"]


GIVE = (
    "const give = (name, text) => { const all = new DataTransfer(); all.items.add(new File([text],"
    " name)); document.dispatchEvent(new DragEvent('drop', {dataTransfer: all})); };"
)
AMBIGUOUS = "give('c.csv', 'question,task_id,correct\\na,1,1\\na,2,0\\n')"
CHOICE = "document.querySelector('[data-part=question]')"


@with_chromium
@pytest.mark.parametrize(
    "script, said",
    [
        (
            "document.getElementById('example').click()",
            [
                "gpt-4o: pass@1 = 42.0 % (95 % CI 31.5 to 53.4 %, new questions)",
                (
                    "72.0 % of questions solved at least once in 4 samples, 20.0 % every time; 26"
                    " of 50"
                ),
                "standard deviation of one run\t5.4 points",
                "1 of 20 reruns\t15 points",
                "29.3 %",
                "ICC\t.40",
            ],
        ),
        ("window.Worker = null; document.getElementById('example').click()", ["pass@1 = 42.0 %"]),
        (
            "give('q.csv', 'question,correct\\na,<b>x</b>\\n')",
            ["q.csv was not counted", "got '<b>x</b>'"],
        ),
        (
            "give('m.csv', 'model,question,correct\\n<i>m</i>,a,1\\n<i>m</i>,b,0\\n')",
            ["<i>m</i>: pass@1 = 50.0 %"],
        ),
        ("give('u.csv', new Uint8Array([113, 255, 254]))", ["this is no text in UTF-8"]),
        (
            AMBIGUOUS,
            [
                "ambiguous: 'question' or 'task_id' could be the question; choose one below",
                "choose a column",
            ],
        ),
    ],
)
def test_a_browser_shows_it_and_asks_for_nothing(tmp_path, script, said):
    (path := tmp_path / "page.html").write_text(browser_page(), encoding="utf-8")
    with open_page(path, tmp_path) as page:
        page.run(GIVE + script)
        page.ask(
            "document.querySelector('h2') || !document.getElementById('problem').hidden ? 1 : 0"
        )
        shown = page.run("document.body.innerText").replace("\u00a0", " ")
        for words in said:
            assert words in shown, shown
        # A worker is a piece of the page itself.
        assert [o for o in page.requests if not o.startswith("blob:")] == [path.as_uri()]


@with_chromium
def test_a_choice_mends_a_refusal(tmp_path):
    (path := tmp_path / "page.html").write_text(browser_page(), encoding="utf-8")
    with open_page(path, tmp_path) as page:
        page.run(GIVE + AMBIGUOUS)
        page.ask(f"{CHOICE} ? 1 : 0")
        page.run(
            f"{CHOICE}.focus(); {CHOICE}.value = 'task_id'; {CHOICE}.dispatchEvent(new"
            " Event('change', {bubbles: true}))"
        )
        assert "2 questions, 1 sample each." in page.ask(
            "document.querySelector('h2') && document.body.innerText"
        )
        assert page.run(f"document.activeElement === {CHOICE} && {CHOICE}.value") == "task_id"
