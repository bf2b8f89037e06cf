"The core that a harness imports: points, the default interval and pairs load numpy alone."

import subprocess
import sys

import pytest

CORE = {
    "points": "sampling_eval.pass_at_k([5, 5], [2, 3], 2); sampling_eval.pass_hat_k([5], [2], 2)",
    "votes": "sampling_eval.maj_at_k([['a', 'b', 'a']], [[1, 0, 1]], 3)",
    "interval": "sampling_eval.mean_over_questions([0.5, 0.25, 1]).confidence_interval()",
    "pairs": "from sampling_eval.inference.comparison import paired_difference\n"
    "pair = paired_difference([0.5, 0.25, 1, 0], [0.5, 0.5, 1, 1])\n"
    "pair.confidence_interval(); pair.test()",
}
LOADED = """
outside = {name.partition('.')[0] for name in sys.modules} - {*sys.stdlib_module_names}
print(*sorted(name for name in outside - before if not name.startswith('_')))"""


@pytest.mark.parametrize("name", CORE)
def test_the_core_loads_numpy_alone(name):
    before = "import sys\nbefore = {name.partition('.')[0] for name in sys.modules}\n"
    code = f"{before}import sampling_eval\n{CORE[name]}\n{LOADED}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.split() == ["numpy", "sampling_eval"], run.stdout + run.stderr
