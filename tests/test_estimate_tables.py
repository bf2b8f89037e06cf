"Estimates in tables: families of metrics, decimals, columns and cells, number by number."
import pytest

from sampling_eval.report.metric_names import describe_rules
from sampling_eval.results.rows import Method, Row
from sampling_eval.results.score_report import pick_labels

GAFFKE = Method("gaffke", .95, True)
def row(metric, k, estimate=.5, low=.4, high=.6, **more):
    given = dict(stderr=.1, questions=50, n_min=4, n_max=4, missing=0, estimator="unbiased", interval=GAFFKE)
    return Row(metric, k, estimate, low=low, high=high, **given | more)


# Families.

TIE = "cons@k: at even k a tie counts as wrong"


@pytest.mark.parametrize("rows, said", [
    ([("cons@2", 2)], [f"{TIE}."]), ([("cons@3", 3)], []), ([("pass@2", 2)], []), ([("mg-pass@1", 1)], []),
    ([("cons@1", 1), ("cons@2", 2)], [f"{TIE}, so it can be lower there than at the k before."]),
    ([("mg-pass@2", 2)], ["mg-pass@2 is the share with all 2 right."]),
    ([("mg-pass@3", 3)], ["mg-pass@3 is 2/3 of the share with all 3 right."]),
    ([("mg-pass@4", 4), ("cons@4", 4)], [f"{TIE}.", "mg-pass@4 is the mean of 2 shares: at least 3 and 4 of 4 right."]),
    ([("mg-pass@5", 5)], ["mg-pass@5 is 2/5 times the sum of 2 shares: at least 4 and 5 of 5 right."]),
    ([("mg-pass@8", 8)], ["mg-pass@8 is the mean of 4 shares: at least 5, 6, 7 and 8 of 8 right."]),
    ([("mg-pass@10", 10)], ["mg-pass@10 is the mean of 5 shares: at least 6, 7, ..., 10 of 10 right."])])
def test_rules_that_three_words_do_not_say(rows, said):
    assert describe_rules([row(*one) for one in rows]) == said
    assert describe_rules([row(*one, n_min=1, n_max=1) for one in rows]) == []


# Models by metric.

def test_with_one_sample_most_metrics_are_one_number():
    names = "pass@1", "pass^1", "maj@1", "mg-pass@1", "soft@1"
    def block(*values, n=1): return [row(name, 1, value, n_max=n) for name, value in zip(names, values)]
    assert pick_labels([block(.5, .5, .5, .25, .75), block(.6, .6, .7, .3, .6)]) == ["pass@1", "maj@1", "soft@1"]
    assert pick_labels([block(.5, .5, .5, .5, .5, n=2)]) == ["pass@1", "pass^1", "maj@1", "soft@1", "mg-pass@1"]
    mixed = [block(.5, .5, .5, .5, .5), block(.5, .5, .5, .5, .5, n=2)]
    assert len(pick_labels(mixed)) == 5
