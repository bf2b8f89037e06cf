"Logs among other files: nothing is lost in silence."
import shutil
from pathlib import Path

import pytest

from sampling_eval import score
from sampling_eval.io.load import read

LOGS = Path(__file__).parent / "logs"


def test_a_damaged_log_among_good_ones_is_named(tmp_path):
    shutil.copytree(LOGS / "evalscope", tmp_path / "run")
    broken = tmp_path / "run/reviews/mock-a/general_mcq_arith.jsonl"
    broken.write_text(broken.read_text()[:300])
    (tmp_path / "run/empty.json").touch()
    source = read(tmp_path).source
    assert "skipped general_mcq_arith.jsonl, which cannot be read" in source
    assert "empty.json" in source.partition("as no log")[0]


def test_a_filter_that_no_log_knows_is_refused():
    with pytest.raises(ValueError, match="filter= is for logs that hold several, got logs of tau-bench"):
        score(LOGS / "tau_bench", missing="wrong", filter="strict")
