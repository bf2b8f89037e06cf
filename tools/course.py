"""Write the lists of course, gallery and functions into their notebooks.

They are for who reads them in JupyterLab."""
import json
from pathlib import Path

from sampling_eval_site.chapters import fill_lists
from sampling_eval_site.gallery import write_questions
from sampling_eval_site.index import write_names
from sampling_eval_site.kept import keep_list

NBS = Path(__file__).resolve().parents[1] / "nbs"
FILL = {
    "course": lambda text: fill_lists(text, keep=True),
    "gallery": lambda text: keep_list(text, "<!-- gallery -->", write_questions()),
    "functions": lambda text: keep_list(text, "<!-- functions: public -->", write_names()),
}


def fill_page(name):
    "The notebook with its lists as they are today."
    found = json.loads((NBS / f"{name}.ipynb").read_text("utf-8"))
    for cell in found["cells"]:
        if cell["cell_type"] != "markdown": continue
        cell["source"] = FILL[name]("".join(cell["source"])).splitlines(keepends=True)
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in FILL: (NBS / f"{name}.ipynb").write_text(fill_page(name), "utf-8")
