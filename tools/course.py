"Write the chapters of every shelf into nbs/course.ipynb, for who reads it in JupyterLab."
import json
from pathlib import Path

from sampling_eval_site.chapters import fill_lists

ROOT = Path(__file__).resolve().parents[1]
COURSE = ROOT / "nbs" / "course.ipynb"


def fill_course():
    "The notebook with its lists as they are today."
    found = json.loads(COURSE.read_text("utf-8"))
    for cell in found["cells"]:
        if cell["cell_type"] != "markdown": continue
        text = fill_lists("".join(cell["source"]), keep=True)
        cell["source"] = text.splitlines(keepends=True)
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__": COURSE.write_text(fill_course(), "utf-8")
