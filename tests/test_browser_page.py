"""The page that counts in the browser: its scripts in an engine against the package, and in chromium."""
import json
import re
import shutil
import subprocess

import numpy as np
import pytest
import quickjs

from sampling_eval import pass_at_k, pass_hat_k, score
from sampling_eval.browser import browser_page, page_script
from sampling_eval.inference.gaffke import gaffke_interval

LOGIC = "metrics.js", "gaffke.js", "counting.js"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(page_script(LOGIC))
    return lambda call: json.loads(context.eval(f"JSON.stringify({call})"))


def count(engine, *pieces, chosen={}, missing="refuse"):
    "What the page counts of a text that arrives in pieces: rows, parts, and states per model."
    pushes = "".join(f"o.push({json.dumps(piece)}, {json.dumps(piece is pieces[-1])});"
                     for piece in pieces)
    return engine(f"""(() => {{
        const o = new Counter({json.dumps(chosen)}, {json.dumps(missing)});
        {pushes}
        const found = o.finish();
        return {{...found, models: [...found.models].map(([name, q]) => [name, [...q]])}};
    }})()""")


def refusal(engine, *pieces, **options):
    with pytest.raises(quickjs.JSException) as error: count(engine, *pieces, **options)
    return str(error.value)


# Numbers.

@pytest.mark.parametrize("n", [1, 2, 5, 40, 1000])
def test_metrics_are_those_of_the_package(engine, n):
    c, k = (o.ravel() for o in np.meshgrid(np.unique(np.linspace(0, n, 9).astype(int)),
                                           np.unique(np.linspace(1, n, 7).astype(int))))
    pairs = [[n, *map(int, pair)] for pair in zip(c, k)]
    for name, metric in dict(passAt=pass_at_k, passHat=pass_hat_k).items():
        found = engine(f"{json.dumps(pairs)}.map(o => {name}(...o))")
        expected = [float(metric(n, right, budget)) for _, right, budget in pairs]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("questions", [1, 2, 7, 60, 1000])
@pytest.mark.parametrize("shape", [(.3, .3), (5, .2), (.05, 3), (1, 1)])
def test_intervals_are_those_of_the_package(engine, questions, shape):
    rng = np.random.default_rng(questions)
    for n, k, level in [(1, 1, .95), (4, 2, .9), (64, 64, .95), (64, 3, .999)]:
        values = pass_at_k(n, rng.binomial(n, rng.beta(*shape, questions)), k)
        distinct, times = np.unique(values, return_counts=True)
        found = engine(f"gaffkeInterval({distinct.tolist()}, {times.tolist()}, {level})")
        low, high = gaffke_interval(values, confidence_level=level)
        np.testing.assert_allclose(found, [low, high], atol=1e-9)


def test_facts_of_a_rerun_reach_the_reference(engine):
    text = engine("given.example")
    [[_, questions]] = count(engine, text)["models"]
    facts = engine(f"rerunFacts(listStates(new Map({json.dumps(questions)})))")
    found = [round(facts[name], 4) for name in ("runSd", "flips", "flaky", "icc")]
    assert found == [.0542, .2933, .52, .4046]
    assert round(facts["leastDifference"], 3) == .15


@pytest.mark.parametrize("states, icc", [([(4, 0, 3)], None), ([(4, 4, 3)], None), ([(4, 2, 1)], None),
                                         ([(4, 4, 1), (4, 0, 1)], 1)])
def test_the_icc_is_left_out_where_it_is_undefined(engine, states, icc):
    made = [dict(n=n, c=c, times=times) for n, c, times in states]
    assert engine(f"rerunFacts({json.dumps(made)})")["icc"] == icc


def test_one_sample_per_question_has_no_rerun(engine):
    assert engine("rerunFacts([{n: 1, c: 1, times: 2}, {n: 4, c: 1, times: 1}])") is None


# Reading.

TABLE = "question,sample,correct\na,1,1\na,2,0\nb,1,1\nb,2,1\n"
COUNTED = [["", [["a", {"n": 2, "c": 1}], ["b", {"n": 2, "c": 2}]]]]


def without_samples(models):
    return [[name, [[q, dict(n=o["n"], c=o["c"])] for q, o in questions]]
            for name, questions in models]


@pytest.mark.parametrize("text", [
    TABLE,
    TABLE.replace("\n", "\r\n"),
    TABLE.replace(",", ";"),
    TABLE.replace(",", "\t"),
    "\ufeff" + TABLE.rstrip(),
    TABLE.replace("a,", '"a",').replace("correct", '"Correct"'),
    "".join(f'{{"task_id": "{q}", "passed": {o}}}\n' for q, o in zip("aabb", (1, 0, 1, 1))),
    '[{"qid": "a", "success": true}, {"qid": "a", "success": false}, {"qid": "b", "success": true}, '
    '{"qid": "b", "success": true}]',
    "id,n,c\na,2,1\nb,2,2\n",
    "id,reward\na,1\na,0\nb,1\nb,1\n",
])
def test_tables_are_read_as_the_package_reads_them(engine, text, tmp_path):
    found = count(engine, text)
    assert without_samples(found["models"]) == COUNTED
    path = tmp_path / ("log.csv" if text.lstrip("\ufeff")[0] not in "{[" else "log.jsonl")
    path.write_text(text, encoding="utf-8")
    if text[0] != "[": assert score(str(path))["pass@1"].estimate == .75


@pytest.mark.parametrize("text", [TABLE, TABLE.replace("a,", '"a,\n""x""",')])
def test_a_piece_may_end_anywhere(engine, text):
    whole = count(engine, text)
    for cut in range(1, len(text)):
        assert count(engine, text[:cut], text[cut:]) == whole, cut


def test_models_stay_apart_and_other_settings_are_told(engine):
    text = "model,question,temperature,correct\n" + "".join(
        f"{model},{q},{t},1\n" for model in "xy" for q in "ab" for t in (0, .7))
    found = count(engine, text)
    assert [name for name, _ in found["models"]] == ["x", "y"]
    assert found["settings"] == [["temperature", 2]]
    apart = count(engine, text.replace("model,", "who,"), chosen=dict(model="temperature"))
    assert [name for name, _ in apart["models"]] == ["0", "0.7"]


@pytest.mark.parametrize("text, options, said", [
    ("", {}, "the file is empty"),
    ("question,correct\n", {}, "there is a head and no row"),
    ("a,b\n1,1\n", {}, "which column holds the question? There are 'a', 'b'"),
    ("question,b\n1,1\n", {}, "which column holds the outcome? There are 'question', 'b'"),
    ("question,task_id,correct\n1,1,1\n", {}, "ambiguous: 'question', 'task_id' could hold the question"),
    ("question,correct\na,.5\n", {}, "row 1: '.5' is no outcome of right or wrong"),
    ("question,correct\na,1\na,\nb,nan\n", {}, "2 of 3 samples have no outcome, the first in row 2"),
    ("question,correct\na,1\nb,\n", dict(missing="drop"), "no sample of question 'b' has an outcome"),
    ("question,sample,correct\na,1,1\na,1,0\n", {}, "sample '1' of question 'a' was read before"),
    ("question,correct\na,1,2\n", {}, "row 1 has 3 cells, the head has 2"),
    ("question,question,correct\na,a,1\n", {}, "two columns have the same name"),
    ("question,correct\n,1\n", {}, "row 1 has no question"),
    ("id,n,c\na,2,3\n", {}, "0 <= c <= n, got n=2, c=3"),
    ("id,n,c\na,2,1\na,2,1\n", {}, "this question was counted before"),
    ('question,correct\n"a,1\n', {}, "a quoted cell does not end"),
    ('{"question": {"a": 1}, "correct": 1}\n', {}, "the question of row 1 is no name"),
    ('{"question": 1,\n"correct": 1}\n', {}, "line 1 is no JSON object"),
    ('{"a": 1}\n', dict(chosen=dict(question="b")), "no column 'b'; there are 'a'"),
    ("[1]", {}, "row 1 is no object"),
    ("PAR1...", {}, "this is no text"),
])
def test_what_cannot_be_counted_is_refused(engine, text, options, said):
    assert said in refusal(engine, text, **options)


@pytest.mark.parametrize("missing, counted", [("wrong", {"n": 2, "c": 1}), ("drop", {"n": 1, "c": 1})])
def test_the_reader_says_what_a_missing_outcome_means(engine, missing, counted):
    found = count(engine, "question,correct\na,1\na,\n", missing=missing)
    assert found["models"] == [["", [["a", counted]]]] and found["absent"] == 1


# The page.

def test_the_page_loads_and_sends_nothing():
    page = browser_page()
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|fetch\(|XMLHttp|WebSocket|sendBeacon|\ssrc=", page)
    assert "{{" not in page


@pytest.mark.skipif(not CHROMIUM, reason="no chromium here")
@pytest.mark.parametrize("script, said", [
    ("document.getElementById('example').click()", "pass@1 = 42.0\u00a0% (95\u00a0% CI 31.5 to 53.4\u00a0%"),
    ("give('q.csv', 'question,correct\\na,<b>x</b>\\n')", "'&lt;b&gt;x&lt;/b&gt;' is no outcome"),
    ("give('m.csv', 'model,question,correct\\n<i>m</i>,a,1\\n<i>m</i>,b,0\\n')", "&lt;i&gt;m&lt;/i&gt;: pass@1"),
])
def test_a_browser_shows_it(tmp_path, script, said):
    give = ("const give = (name, text) => { const all = new DataTransfer(); "
            "all.items.add(new File([text], name)); "
            "document.dispatchEvent(new DragEvent('drop', {dataTransfer: all})); };")
    path = tmp_path / "page.html"
    path.write_text(browser_page().replace("</body>", f"<script>{give}{script}</script></body>"))
    shown = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
                            "--virtual-time-budget=20000", "--dump-dom", path.as_uri()],
                           capture_output=True, text=True, timeout=120).stdout
    assert said in shown.replace("&nbsp;", "\u00a0")
