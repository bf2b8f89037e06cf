"evalscope: reviews, their questions, places, models and scores."
from harness_cases import put
from sampling_eval.io.harness import evalscope
from sampling_eval.io.harness.log import open_log
from test_harness_reader import check_keys, grade, take


def review(index, value, **more):
    score = dict(value=value, extracted_prediction="p") | more.pop("score", {})
    return dict(index=index, sample_score=dict(score=score) | more.pop("sample", {})) | more


def test_evalscope(tmp_path):
    lines = [review(0, dict(acc=1, f1=.5), target=["t"], messages=[dict(model="no"), dict(model="late")],
                    sample=dict(group_id=7, generation_index=3)),
             review(1, dict(acc=0, f1=.25), target=["t", "u"], sample=dict(group_id=7)),
             review(2, dict(f1=0), target="t", messages=[], score=dict(main_score_name="f1")), review(3, {}),
             review(1, dict(acc=1), target="again", sample=dict(group_id=7))]
    log = open_log(put(tmp_path / "data.jsonl", lines, True))
    want = [dict(question=7, answer="p", target="t", sample=3, score=1., model="late", task="data"),
            dict(question=7, answer="p", target="again", sample=1, score=1., model="late", task="data"),
            dict(question=2, answer="p", target="t", sample=0, score=None, model="late", task="data"),
            dict(question=3, answer="p", target=None, sample=0, score=None, model="late", task="data")]
    took = "question=group_id, sample=generation_index, {}, answer=extracted_prediction"
    assert take(evalscope.rows, log) == (took.format("score=acc"), want, [])
    other = take(evalscope.rows, log, score="f1")
    assert other[0] == took.format("score=f1") and [row["score"] for row in other[1]] == [.5, None, 0., None]
    anew = take(evalscope.rows, log, grade=grade)
    assert anew[:2] == (took.format("correct=grade"), [{k: v for k, v in row.items() if k != "score"} for row in want])
    named = put(tmp_path / "reviews/folder/data.jsonl", lines[2:3], True)
    (row,) = take(evalscope.rows, open_log(named))[1]
    assert (row["model"], row["score"]) == ("folder", 0.)
    check_keys(evalscope.recognise, lines[0], "index", "sample_score")
    assert not evalscope.recognise(dict(index=0, sample_score={}))
