"What the name of a column says, word by word."

import pytest

from sampling_eval.reading.column_names import (
    is_known,
    is_property,
    is_target,
    names_id,
    names_row,
    names_sample,
    names_setting,
)


@pytest.mark.parametrize(
    "rule, yes, no",
    [
        (names_sample, "seed runId attempt_no trial rollout_idx sample", "seed_size id model x"),
        (is_property, "latency stop_reason cost_usd num_turns worker", "max_turns turn model"),
        (names_setting, "temperature max_tokens prompt_version effort", "tokens seed"),
        (is_target, "gold target answer_key", "label solution gold_x"),
        (
            is_known,
            "id seed latency label is_ok dataset prompt cost_usd attempt_no",
            "variant arm x",
        ),
        (names_row, "uuid request_id row index", "image_id user"),
        (names_id, "image_id uuid key", "id_image seed_id run_idx sample_uuid x"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_a_name_says(rule, yes, no):
    assert [name for name in yes.split() if not rule(name)] == []
    assert [name for name in no.split() if rule(name)] == []


@pytest.mark.parametrize(
    "rule", [names_sample, is_property, names_setting, is_target, is_known, names_id]
)
@pytest.mark.parametrize("name", ["", " ", "_"])
def test_a_name_without_a_word_says_nothing(rule, name):
    assert not rule(name)
