"Kernels that are forked: a page finds in one what it finds in a kernel of its own."

import json
import os
import subprocess
import sys
from pathlib import Path


from scripts import load_script

ROOT = Path(__file__).parents[1]
# A child ends and is waited for; a picture is drawn; the folder, the settings and the seed are the
# page's.
CELL = """import os, subprocess, sys
from pathlib import Path
import matplotlib
(subprocess.run([sys.executable, "-c", "raise SystemExit(3)"]).returncode, Path.cwd().name,
 matplotlib.get_backend().rpartition(".")[2], "sampling_eval" in sys.modules, __name__,
 os.environ.get("OPENBLAS_CORETYPE", "as it is"), os.environ["PYTHONHASHSEED"],
 os.getpid() == os.getpgid(0))"""


def test_a_page_runs_in_its_folder_with_its_settings(tmp_path):
    coretype = (
        load_script("tools/nbrun.py")
        .other_machine()
        .get("OPENBLAS_CORETYPE", os.environ.get("OPENBLAS_CORETYPE", "as it is"))
    )
    told = (
        f"(3,\n '{tmp_path.name}',\n 'backend_inline',\n False,\n '__main__',\n"
        f" '{coretype}',\n '0',\n True)"
    )
    for name, text in ("right", told), ("wrong", told.replace("3", "4", 1)):
        out = dict(
            output_type="execute_result", data={"text/plain": text}, execution_count=1, metadata={}
        )
        cell = dict(
            cell_type="code", id="one", source=CELL, outputs=[out], execution_count=1, metadata={}
        )
        page = dict(cells=[cell], metadata={}, nbformat=4, nbformat_minor=5)
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(page))
    pages = sorted(tmp_path.glob("*.ipynb"))
    done = subprocess.run(
        [sys.executable, "tools/nbrun.py", "--machines", *pages],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1 and done.stdout.count("-(4,") == 1, done.stdout + done.stderr
    assert (
        f"{pages[0]}: 0 changed outputs" in done.stdout
        and f"{pages[1]}: 1 changed outputs" in done.stdout
    )
