"Native logs: published numbers, every layout, ways out, and hostile files."
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from sampling_eval.metrics.passhat import pass_hat_k
from sampling_eval.metrics.passk import pass_at_k
from sampling_eval.reading.logs import Limits, archive_members, json_lines, parse_json, read, read_choices

LOGS = Path(__file__).parent / "logs"
LM = sorted((LOGS / "lm_eval/mock").glob("*.jsonl"))
PARQUET = {p.name.split("_2026")[0]: p for p in (LOGS / "lighteval").rglob("*.parquet")}
EVAL = LOGS / "inspect/log_streaming.eval"
MOCK = LOGS / "inspect/arithmetic_mock.eval"


def put(path, value, lines=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(v) + "\n" for v in value) if lines else json.dumps(value))
    return path


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, value in members.items(): archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return path


HEADER = dict(version=2, status="success", eval=dict(task="t", model="m"))


def inspect_sample(id, epoch, value, **more):
    return dict(id=id, epoch=epoch, target="4", output=dict(completion="4"), scores={"s": dict(value=value, answer="4")}) | more


# published numbers

def test_tau_bench_published_curve():
    counts = read(LOGS / "tau_bench").counts()
    assert (len(counts), counts.n_min, counts.n_max, counts.c.sum()) == (50, 4, 4, 84)
    assert pass_hat_k(counts.n, counts.c, [1, 2, 3, 4]).mean(0).round(3).tolist() == [.42, .273, .22, .2]


def test_inspect_accuracy():
    samples = read(EVAL)
    assert samples.correct.mean() == .75 and sorted(samples.sample.tolist()) == [1, 1, 2, 2]
    assert samples.model.tolist() == ["azureai/Meta-Llama-3-1-405B-Instruct-jqf"] * 4


def test_human_eval_example():
    counts = read(LOGS / "human_eval").counts()
    assert pass_at_k(counts.n, counts.c, 1).tolist() == [.5]


@pytest.mark.parametrize("run, mean", [("wiki-search--gpt-4.1-mini", .82), ("wiki-search--gpt-5", .9), ("mmmu--gpt-4.1-mini", 14 / 15)])
def test_verifiers_average_reward(run, mean):
    samples = read(LOGS / "verifiers" / run)
    assert samples.correct.mean() == pytest.approx(mean, rel=1e-12)
    assert set(samples.model.tolist()) == {"gpt-4.1-mini" if "mini" in run else "gpt-5"}


# every layout

def test_evalplus_base_and_plus():
    assert read(LOGS / "evalplus").counts().c.tolist() == [2, 1]
    assert read(LOGS / "evalplus", score="base").counts().c.tolist() == [3, 2]
    with pytest.raises(ValueError, match="score must be one of 'plus', 'base', got 'pass'"): read(LOGS / "evalplus", score="pass")


def test_evalplus_without_plus(tmp_path):
    path = put(tmp_path / "x.json", dict(date="", hash="", eval={"a/0": [dict(base_status="pass", plus_status=None), dict(base_status=None)]}))
    assert np.array_equal(read(path).correct, [1, np.nan], equal_nan=True)


def test_lm_eval_filters():
    with pytest.raises(ValueError, match="filter= one of 'strict-match', 'flexible-extract'"): read(LM[0])
    with pytest.raises(ValueError, match="filter must be one of"): read(LM[0], filter="x")
    strict, flexible = read(LM[0], filter="strict-match"), read(LM[0], filter="flexible-extract")
    assert strict.answer.tolist() == ["4", None, "3"] and strict.correct.tolist() == [1, 0, 1]
    assert len(flexible) == 3 and flexible.correct.tolist() == [1, 1, 1]


def test_lm_eval_repeats_need_a_grade():
    with pytest.raises(ValueError, match="4 texts a question and one metric over them.*pass grade="): read(LM[1], filter="maj@4")
    samples = read(LM[1], filter="maj@4", grade=lambda a, t: a.rstrip(".").endswith(t))
    assert samples.counts().c.tolist() == [3, 2, 2] and samples.sample.tolist() == [0, 1, 2, 3] * 3


def test_lm_eval_kept_repeats_are_graded_as_filtered(tmp_path):
    row = dict(doc_id=0, target="4", filter="none", resps=[["it is 4", "5"]], filtered_resps=[["4", "[invalid]"]], metrics=["exact_match"], exact_match=1.0)
    seen = []
    samples = read(put(tmp_path / "samples_t.jsonl", [row], True), grade=lambda a, t: seen.append(a) or a == t)
    assert seen == ["4", "[invalid]"] and samples.answer.tolist() == ["4", None] and samples.correct.tolist() == [1, 0]


def test_lm_eval_corpus_metric(tmp_path):
    row = dict(doc_id=0, target="x", filter="none", resps=[["y"]], filtered_resps=["y"], metrics=["f1"], f1=["x", "y"])
    with pytest.raises(ValueError, match="hold the material of a corpus metric"): read(put(tmp_path / "s.jsonl", [row], True))


def test_lm_eval_texts_that_look_like_flags(tmp_path):
    rows = [dict(doc_id=i, target="True", filter="none", resps=[["-1", "True"]], filtered_resps=["True"], metrics=["acc"], acc=1) for i in range(2)]
    with pytest.raises(ValueError, match="2 texts a question"): read(put(tmp_path / "s.jsonl", rows, True))


def test_choices():
    held = read_choices(LM[2])
    assert held.gold.tolist() == [0, 1, 1, 0] and held.logprobs[0].tolist() == [-.25, -3.5, -2.75] and held.unconditional is None
    samples = read(LM[2])
    assert samples.correct.tolist() == [float(o.argmax() == g) for o, g in zip(held.logprobs, held.gold)]
    light = read_choices(PARQUET["details_facts_0"])
    assert light.gold.tolist() == [0, 1] and light.choices[1] == (" steam", " water", " sand")


def test_choices_with_unconditional(tmp_path):
    asked = [("Q", " a"), ("Q", " b"), ("", " a"), ("", " b")]
    row = dict(doc_id=7, target=" b", filter="none", resps=[[[str(-i - .5), "False"]] for i in range(4)], filtered_resps=[], metrics=["acc", "acc_mutual_info"], acc=0.0,
               acc_mutual_info=1.0, arguments={f"gen_args_{i}": dict(arg_0=a, arg_1=b) for i, (a, b) in enumerate(asked)})
    path = put(tmp_path / "s.jsonl", [row], True)
    held = read_choices(path)
    assert held.logprobs[0].tolist() == [-.5, -1.5] and held.unconditional[0].tolist() == [-2.5, -3.5] and held.gold.tolist() == [1]
    assert read(path).correct.tolist() == [0] and read(path, score="acc_mutual_info").correct.tolist() == [1] and read(path).answer.tolist() == ["a"]


def test_choices_refused(tmp_path):
    with pytest.raises(ValueError, match="no log-probabilities of choices"): read_choices(LM[0])
    with pytest.raises(ValueError, match="no log-probabilities of choices"): read_choices(PARQUET["details_arith_once_0"])
    with pytest.raises(ValueError, match="need an lm-eval or lighteval log"): read_choices(EVAL)
    rows = [json.loads(line) | dict(target="9") for line in LM[2].read_text().splitlines()]
    with pytest.raises(ValueError, match="one right choice among its 3, got '9' at question 0"): read_choices(put(tmp_path / "s.jsonl", rows, True))


def test_choices_that_look_like_positions(tmp_path):
    def row(i, target, acc): return dict(doc_id=i, target=target, filter="none", resps=[[["-1", "False"]], [["-2", "False"]], [["-3", "False"]]], filtered_resps=[],
                                         arguments=[["Q", " 2"], ["Q", " 0"], ["Q", " 1"]], metrics=["acc"], acc=acc)
    by_place = read_choices(put(tmp_path / "a.jsonl", [row(0, "0", 1.0), row(1, "2", 0.0)], True))
    by_text = read_choices(put(tmp_path / "b.jsonl", [row(0, "0", 0.0), row(1, "2", 1.0)], True))
    assert by_place.gold.tolist() == [0, 2] and by_text.gold.tolist() == [1, 0]
    with pytest.raises(ValueError, match="acc agrees with neither"): read_choices(put(tmp_path / "c.jsonl", [row(0, "1", 1.0)], True))


def test_lighteval():
    with pytest.raises(ValueError, match="4 texts a question and one 'pass@k:k=2&n=4'"): read(PARQUET["details_arith_0"])
    counts = read(PARQUET["details_arith_0"], grade=lambda a, t: a == t).counts()
    assert counts.c.tolist() == [3, 2, 1] and np.allclose(pass_at_k(counts.n, counts.c, 2), [1, 5 / 6, 1 / 2], rtol=1e-12)
    assert read(PARQUET["details_arith_once_0"]).correct.tolist() == [1, 1, 1]
    facts = read(PARQUET["details_facts_0"])
    assert facts.correct.tolist() == [1, 0] and facts.answer.tolist() == ["blue", "steam"]


def test_inspect_letters_and_scorers():
    with pytest.raises(ValueError, match="score= one of 'match', 'grade'"): read(MOCK)
    graded = read(MOCK, score="grade")
    assert graded.correct is None and np.array_equal(graded.score, [1, .5, 0, 1, np.nan, 0, 0, 0], equal_nan=True)
    decided = read(MOCK, score="grade", threshold=.5)
    assert np.array_equal(decided.correct, [1, 0, 0, 1, np.nan, 0, 0, 0], equal_nan=True)
    with pytest.raises(ValueError, match="missing"): decided.counts()
    assert read(MOCK, score="match").counts().c.tolist() == [1, 1]
    assert read(MOCK, grade=lambda a, t: a == t).counts().c.tolist() == [1, 1]


@pytest.mark.parametrize("value, score", [("C", 1), ("I", 0), ("P", .5), ("N", 0), (True, 1), (False, 0), ("yes", 1), ("No", 0), (.25, .25), ("0.25", .25), (None, np.nan), (float("nan"), np.nan)])
def test_inspect_values(tmp_path, value, score):
    path = zipped(tmp_path / "a.eval", {"header.json": HEADER, "samples/1.json": inspect_sample("q", 1, value), "samples/2.json": inspect_sample("q", 2, "C")})
    assert np.array_equal(read(path).score, [score, 1], equal_nan=True)


def test_inspect_other_values(tmp_path):
    def log(*samples): return zipped(tmp_path / "a.eval", {"header.json": HEADER} | {f"samples/{i}.json": s for i, s in enumerate(samples)})
    with pytest.raises(ValueError, match="an inspect score must be C, P, I, N"): read(log(inspect_sample("q", 1, "B")))
    with pytest.raises(ValueError, match="must be a number"): read(log(inspect_sample("q", 1, [1, 0])))
    two = inspect_sample("q", 1, dict(easy=1, hard=0))
    with pytest.raises(ValueError, match="score= one of 's/easy', 's/hard'"): read(log(two))
    assert read(log(two), score="s/hard").correct.tolist() == [0]
    broken = inspect_sample("q", 2, "C", scores={}, error=dict(message="x"))
    invalid = inspect_sample("q", 3, "C", invalidation=dict(reason="x"))
    assert np.array_equal(read(log(inspect_sample("q", 1, "C"), broken, invalid)).correct, [1, np.nan, np.nan], equal_nan=True)
    with pytest.raises(ValueError, match="were not scored"): read(log(broken))
    with pytest.raises(ValueError, match="holds no samples"): read(log())
    with pytest.raises(ValueError, match="each sample must appear once"): read(log(inspect_sample("q", 1, "C"), inspect_sample("q", 1, "C")))


def test_inspect_document_and_status(tmp_path):
    assert read(LOGS / "inspect/log_formats.json").correct.tolist() == [0]
    path = put(tmp_path / "x.json", HEADER | dict(status="cancelled", samples=[inspect_sample("q", 1, "C")]))
    assert "ended with status 'cancelled'" in read(path).source
    with pytest.raises(ValueError, match="holds no samples"): read(put(tmp_path / "y.json", HEADER | dict(samples=None)))


def test_interrupted_inspect_log(tmp_path):
    path = zipped(tmp_path / "a.eval", {"_journal/start.json": dict(HEADER, status="started"), "samples/1.json": inspect_sample("q", 1, "C")})
    assert read(path).correct.tolist() == [1] and "'started'" in read(path).source


def test_tau_errors_are_missing(tmp_path):
    rows = [dict(task_id=0, trial=0, reward=1 - 1e-7, info={}), dict(task_id=0, trial=1, reward=0.0, info=dict(error="timeout", traceback="")), dict(task_id=0, trial=2, reward=.5, info={})]
    samples = read(put(tmp_path / "x.json", rows))
    assert np.array_equal(samples.correct, [1, np.nan, 0], equal_nan=True) and "trials that ended in an error are missing" in samples.source


def test_tau2(tmp_path):
    samples = read(LOGS / "tau2")
    assert np.array_equal(samples.correct, [1, 1, 0, np.nan, 0, 1, 0, np.nan], equal_nan=True) and set(samples.model.tolist()) == {"mock-agent"}
    document = json.loads((LOGS / "tau2/results.json").read_text())
    for i, run in enumerate(document["simulations"]): put(tmp_path / f"simulations/{i}.json", dict(run, trial=None if i < 4 else run["trial"]))
    apart = read(tmp_path, files="draws")
    assert np.array_equal(apart.correct, samples.correct, equal_nan=True)


def test_verl():
    counts = {m: s.counts().c.tolist() for m, s in read(LOGS / "verl").models().items()}
    assert counts == {"step 50": [1, 1], "step 100": [3, 2]}
    by_reward = read(LOGS / "verl/100.jsonl", score="reward")
    assert by_reward.correct is None and set(by_reward.score.tolist()) == {-1, 1}
    assert read(LOGS / "verl/100.jsonl", score="reward", threshold=0).counts().c.tolist() == [3, 2]


def test_verifiers_errors_are_missing(tmp_path):
    rows = [dict(example_id=0, prompt=[], completion="a", reward=0.0, error=e) for e in (None, dict(error="timeout"))]
    samples = read(put(tmp_path / "results.jsonl", rows, True))
    assert np.array_equal(samples.correct, [0, np.nan], equal_nan=True) and samples.answer.tolist() == ["a", "a"]


def test_promptfoo():
    models = read(LOGS / "promptfoo").models()
    assert {m: s.counts(missing="drop").c.tolist() for m, s in models.items()} == {"mock:large": [2, 1], "mock:small": [1, 1]}
    assert int(np.isnan(models["mock:large"].correct).sum()) == 1


def test_opencompass():
    assert read(LOGS / "opencompass").counts().c.tolist() == [1, 1, 2]
    assert read(LOGS / "opencompass", grade=lambda a, t: a.endswith(t)).counts().c.tolist() == [1, 1, 2]
    with pytest.raises(ValueError, match="predictions are not judged"): read(LOGS / "opencompass/predictions")
    with pytest.raises(ValueError, match="read the predictions file"): read(LOGS / "opencompass/results", grade=lambda a, t: True)


def details(groups): return dict(details=[{"example_abbr": f"d_{i}", "avg@2": 0, "answer": a, "pred": a, "correct": c} for i, (a, c) in enumerate(groups)])


def test_aisbench_groups_are_put_back(tmp_path):
    samples = read(LOGS / "aisbench/results")
    assert samples.correct.reshape(4, 3).tolist() == [[1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 0]] and "put back" in samples.source
    right = put(tmp_path / "right.json", details([("aa", [1, 0]), ("bb", [0, 0])]) | {})
    right = put(right, details([(["a", "a"], [1, 0]), (["b", "b"], [0, 0])]))
    assert read(right).counts().c.tolist() == [1, 0] and "put back" not in read(right).source
    with pytest.raises(ValueError, match="cannot tell which samples belong together"): read(put(right, details([(["a", "a"], [1, 0]), (["a", "a"], [0, 0])])))
    with pytest.raises(ValueError, match="cannot tell which samples belong together"): read(put(right, details([(["a", "b"], [1, 0]), (["c", "d"], [0, 0])])))


def test_aisbench_every_shape_is_put_back(tmp_path):
    rng = np.random.default_rng(0)
    for R in range(2, 7):
        for n in range(2, 6):
            truth = rng.integers(0, 2, (R, n)).tolist()
            flat = [(q, truth[q][s]) for s in range(n) for q in range(R)]
            groups = [flat[g * n:(g + 1) * n] for g in range(R)]
            path = put(tmp_path / f"{R}_{n}.json", details([([str(q) for q, _ in g], [c for _, c in g]) for g in groups]))
            assert read(path).correct.reshape(R, n).tolist() == truth


def test_aisbench_failed_requests_are_missing():
    samples = read(LOGS / "aisbench", grade=lambda a, t: a == t)
    assert np.array_equal(samples.counts(missing="drop").c, [2, 2, 1, 0]) and np.isnan(samples.correct).sum() == 1


def test_single_details_of_either_harness(tmp_path):
    path = put(tmp_path / "x.json", dict(accuracy=50, details={"type": "GEN", "0": dict(predictions="4", references=["4"], correct=True), "1": dict(predictions="5", references=["4"], correct=False)}))
    assert read(path).correct.tolist() == [1, 0] and read(path, format="aisbench").correct.tolist() == [1, 0]


# choosing, several files

def test_ambiguous_and_unknown(tmp_path):
    either = put(tmp_path / "either.json", dict(details=[dict(correct=[True, False], answer=["4", "4"], pred=["4", "5"])]))
    with pytest.raises(ValueError, match="could be from opencompass or aisbench"): read(either)
    assert read(either, "opencompass").counts().c.tolist() == [1]
    with pytest.raises(ValueError, match="format must be one of 'auto', 'table', 'human-eval'"): read(either, "csv")
    with pytest.raises(ValueError, match="does not follow the layout of tau2"): read(either, "tau2")
    with pytest.raises(ValueError, match="holds nothing that lighteval"): read(either, "lighteval")
    with pytest.raises(FileNotFoundError, match="no file to read"): read(tmp_path / "absent.jsonl")
    with pytest.raises(ValueError, match="holds logs of evalplus and human-eval"): read([LOGS / "evalplus", LOGS / "human_eval"])


def test_tables_pass_through(tmp_path):
    rows = [dict(question="a", correct=1), dict(question="a", correct=0)]
    for path in put(tmp_path / "t.jsonl", rows, True), put(tmp_path / "t.json", rows): assert read(path).counts().c.tolist() == [1]
    odd = put(tmp_path / "o.jsonl", [dict(frage="a", correct=1)], True)
    assert read(odd, question="frage").counts().c.tolist() == [1]
    with pytest.raises(ValueError, match="was read as a plain table"): read(odd, grade=lambda a, t: True)
    with pytest.raises(ValueError, match="a log has its own columns, got question='x'"): read(EVAL, question="x")


def test_several_files(tmp_path):
    rows = json.loads((LOGS / "tau_bench/gpt-4o-airline.json").read_text())
    for name, low in ("a/run.json", 0), ("b/run.json", 2): put(tmp_path / name, [r | dict(trial=r["trial"] - low) for r in rows if low <= r["trial"] < low + 2])
    with pytest.raises(ValueError, match="pass files='draws' if both are samples of one model"): read(tmp_path)
    assert read(tmp_path, files="draws").counts().n.tolist() == [4] * 50
    assert list(read(tmp_path, files="models").models()) == ["a/run", "b/run"]
    with pytest.raises(ValueError, match="files must be 'draws' or 'models'"): read(tmp_path, files="both")
    (tmp_path / "c.json").write_bytes((tmp_path / "a/run.json").read_bytes())
    with pytest.raises(ValueError, match="are the same file twice"): read(tmp_path, files="draws")


def test_lm_eval_folder_of_models_and_tasks(tmp_path):
    for model in "small", "large":
        for task in "x", "y":
            rows = [dict(doc_id=i, target="1", filter="none", resps=[[model]], filtered_resps=[model], metrics=["em"], em=float(model == "large")) for i in range(2)]
            put(tmp_path / model / f"samples_{task}_2026-01-01T00-00-00.jsonl", [r | dict(doc=dict(m=model, t=task)) for r in rows], True)
        put(tmp_path / model / "results_2026-01-01T00-00-00.json", dict(results={}, configs={}))
    samples = read(tmp_path)
    assert {m: s.correct.mean() for m, s in samples.models().items()} == {"large": 1, "small": 0}
    assert samples.questions.tolist() == ["x/0", "x/1", "y/0", "y/1"] and set(samples.cluster.tolist()) == {"x", "y"}
    assert len(read(tmp_path / "small/*.jsonl")) == 4


def test_grade_is_checked():
    with pytest.raises(TypeError, match="grade must return True, False or None, got 'yes'"): read(LM[1], filter="maj@4", grade=lambda a, t: "yes")
    with pytest.raises(ZeroDivisionError): read(LM[1], filter="maj@4", grade=lambda a, t: 1 / 0)
    assert read(LM[1], filter="maj@4", grade=lambda a, t: 1).correct.all()
    assert np.isnan(read(LM[1], filter="maj@4", grade=lambda a, t: None).correct).all()


# hostile files

@pytest.mark.parametrize("data, reason", [
    (b'{"a": 1, "a": 2}', "the key 'a' twice"), (b"[" * 10**6, "nested"), (b'{"a":' * 10**5, "nested"), (b'"\xff"', "byte 0xff at offset 1"), (b'{"a": 1', "need valid JSON"),
    (b"", "need valid JSON"), (b"1" * 5000, "need valid JSON"), ('"\x00"'.encode(), "need valid JSON")])
def test_bad_json(data, reason):
    with pytest.raises(ValueError, match=reason): parse_json(data)


def test_soft_json():
    value = parse_json(b'\xef\xbb\xbf{"a": NaN, "b": -Infinity, "c": "\\ud800"}')
    assert np.isnan(value["a"]) and value["b"] == -np.inf


def test_infinite_scores_are_refused(tmp_path):
    rows = [dict(input="q", output="a", score=float("inf"))]
    with pytest.raises(ValueError, match="score must be finite"): read(put(tmp_path / "x.jsonl", rows, True))


def test_long_lines(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"task_id": "' + b"x" * 10**5 + b'"}')
    with pytest.raises(ValueError, match="a line may hold at most 1,000 bytes, got more in line 1"): list(json_lines(path, Limits(line=1000)))
    with pytest.raises(ValueError, match="a line may hold at most 1,000 bytes"): read(path, limits=Limits(line=1000))
    with pytest.raises(ValueError, match="a JSON document may hold at most 10 bytes"): read(LOGS / "evalplus", limits=Limits(document=10))


@pytest.mark.skipif(not hasattr(os, "sysconf") or sys.platform != "linux", reason="needs /proc and ulimit")
def test_one_gigabyte_line_in_little_memory(tmp_path):
    path = tmp_path / "x.jsonl"
    with open(path, "wb") as file: file.truncate(2**30)
    code = (f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)); from sampling_eval.reading.logs import json_lines\n"
            f"try: list(json_lines({str(path)!r}))\nexcept ValueError as fault: sys.exit(0 if 'a line may hold' in str(fault) else 1)")
    assert subprocess.run([sys.executable, "-c", code], env=os.environ | dict(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")).returncode == 0


def test_lines_that_are_no_objects(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"task_id": 1, "passed": true, "result": ""}\n\n[1]\n')
    with pytest.raises(ValueError, match=r"a line must hold one JSON object, got \[1\] in line 3"): read(path)
    path.write_text('{"task_id": 1, "passed": true, "result": ""}\n{"task_id": 1, "pass')
    with pytest.raises(ValueError, match="need valid JSON.*in line 2 of x.jsonl"): read(path)
    path.write_text(' \n')
    with pytest.raises(ValueError, match="got nothing in .*, an empty file"): read(path)


def test_every_cut_of_an_archive_is_refused(tmp_path):
    data, path = EVAL.read_bytes(), tmp_path / "cut.eval"
    for size in range(2, len(data), 101):
        path.write_bytes(data[:size])
        with pytest.raises(ValueError): read(path)


@pytest.mark.parametrize("source, score", [(EVAL, None), (MOCK, "match")])
def test_flipped_bytes_never_crash(tmp_path, source, score):
    data, path, rng = source.read_bytes(), tmp_path / "flip.eval", np.random.default_rng(0)
    for at in rng.integers(0, len(data), 150):
        path.write_bytes(data[:at] + bytes([data[at] ^ 255]) + data[at + 1:])
        try: read(path, score=score)
        except (ValueError, FileNotFoundError): pass


def test_bombs(tmp_path):
    bomb = zipped(tmp_path / "bomb.eval", {"header.json": HEADER, "samples/1_epoch_1.json": bytes(10**8)})
    with pytest.raises(ValueError, match="an unpacked archive may hold at most"): read(bomb)
    with pytest.raises(ValueError, match="an unpacked archive may hold at most 1,000 bytes"): list(archive_members(bomb, limits=Limits(document=1000)))
    many = zipped(tmp_path / "many.eval", {f"samples/{i}.json": bytes(10**6) for i in range(5)})
    with pytest.raises(ValueError, match="raise limits=Limits"): list(archive_members(many, limits=Limits(free=3 * 10**6)))


def test_zstandard_bomb(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from sampling_eval.reading.logs import _unzstd
    packed = pyarrow.compress(bytes(10**7), codec="zstd", asbytes=True)
    assert len(packed) < 10**4 and len(_unzstd(packed, 1000)) == 1000
    with pytest.raises(zipfile.BadZipFile): _unzstd(b"(\xb5/\xfd" + bytes(range(40)), 10**6)


def test_names_in_archives_are_labels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ("samples/../../../evil.json", "samples//etc/passwd.json", "samples/C:\\evil.json")
    path = zipped(tmp_path / "a.eval", {"header.json": HEADER} | {name: inspect_sample("q", i + 1, "C") for i, name in enumerate(names)})
    assert read(path).correct.tolist() == [1, 1, 1] and [p.name for p in tmp_path.rglob("*")] == ["a.eval"]


def test_other_archives(tmp_path):
    with pytest.raises(ValueError, match="is an archive, but not a log of inspect_ai"): read(zipped(tmp_path / "a.zip", {"x.txt": b"x"}))
    lzma = zipped(tmp_path / "b.eval", {"header.json": HEADER}, zipfile.ZIP_LZMA)
    with pytest.raises(ValueError, match="compression method 14"): read(lzma)
    path = tmp_path / "c.parquet"
    path.write_bytes(next(iter(PARQUET.values())).read_bytes()[:3000])
    with pytest.raises(ValueError, match="need a complete Parquet file"): read(path)


@pytest.mark.parametrize("name", sorted(p.name for p in LOGS.iterdir() if p.is_dir() and p.name not in ("licences", "lighteval", "inspect")))
def test_absent_keys_are_named(tmp_path, name):
    "Without any one key of any record, a log is read, refused with a ValueError, or taken for a plain table; it never falls over."
    for path in (p for p in (LOGS / name).rglob("*") if p.suffix in (".json", ".jsonl") and p.name != "metadata.json"):
        text = path.read_text()
        lines = path.suffix == ".jsonl"
        value = [json.loads(line) for line in text.splitlines()][:4] if lines else json.loads(text)
        for changed in without_one_key(value):
            target = put(tmp_path / path.name, changed, lines)
            for grade in (None, lambda a, t: True):
                try: read(target, filter=None, grade=grade)
                except ValueError as fault: assert str(fault)


def without_one_key(value, depth=0):
    if isinstance(value, list):
        for i, item in enumerate(value[:2]): yield from (value[:i] + [new] + value[i + 1:] for new in without_one_key(item, depth + 1))
    elif isinstance(value, dict) and depth < 6:
        for key in list(value)[:12]:
            yield {k: v for k, v in value.items() if k != key}
            yield value | {key: None}
            yield from (value | {key: new} for new in without_one_key(value[key], depth + 1))


def test_plain_numbers_too_large_for_a_float(tmp_path):
    rows = [dict(input="q", output="a", score=10**400)]
    with pytest.raises(ValueError, match="does not follow the layout of verl .OverflowError"): read(put(tmp_path / "x.jsonl", rows, True))


def test_file_names_with_brackets(tmp_path):
    path = put(tmp_path / "run[1]*.jsonl", [dict(question="a", correct=1)], True)
    assert read(path).counts().c.tolist() == [1]
    path = tmp_path / "details[1].parquet"
    path.write_bytes(PARQUET["details_facts_0"].read_bytes())
    assert read(path).correct.tolist() == [1, 0]
