"Execute notebooks under a real Jupyter kernel: verify the committed outputs, or rewrite them with --write."
import argparse, base64, copy, difflib, io, json, logging, os, re, sys, time
from pathlib import Path

ENV = dict(IN_TEST="1", PYTHONHASHSEED="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", COLUMNS="100")
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")
ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
SKIPPED = re.compile(r"^\s*#\s*\|\s*eval\s*:\s*false", re.M)


def execute(path, timeout):
    "The notebook as committed, and a copy executed in its own folder; `#| eval: false` cells keep their outputs."
    import nbformat
    from nbclient import NotebookClient
    old = nbformat.read(path, as_version=4)
    fresh = copy.deepcopy(old)
    skipped = [cell for cell in fresh.cells if cell.cell_type == "code" and SKIPPED.search(cell.source)]
    for cell in skipped: cell.cell_type = "raw"
    NotebookClient(fresh, timeout=timeout, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}},
                   extra_arguments=["--IPKernelApp.log_level=40"]).execute()
    for cell in skipped: cell.cell_type = "code"
    return old, fresh


def same_text(a, b, rtol):
    a, b = ADDRESS.sub("0x", a), ADDRESS.sub("0x", b)
    if a == b: return True
    if NUMBER.sub("#", a).split() != NUMBER.sub("#", b).split(): return False
    pairs = zip(map(float, NUMBER.findall(a)), map(float, NUMBER.findall(b)), strict=True)
    return all(abs(x - y) <= rtol * max(abs(x), abs(y)) + 1e-15 for x, y in pairs)


def software(png): return next((chunk for chunk in re.findall(rb"Matplotlib version[\d.]+", png)), b"")


def same_picture(a, b, tol):
    "Pixels are compared only between pictures that the same Matplotlib has drawn."
    a, b = base64.b64decode(a), base64.b64decode(b)
    if a == b or software(a) != software(b): return True
    import numpy as np
    from matplotlib.image import imread
    x, y = imread(io.BytesIO(a), format="png"), imread(io.BytesIO(b), format="png")
    return x.shape == y.shape and float(np.abs(x - y).mean()) <= tol


def outputs(cell):
    for out in cell.get("outputs", []):
        if out["output_type"] == "stream": yield "stream/" + out["name"], out["text"]
        elif out["output_type"] == "error": yield "error", "\n".join(out["traceback"])
        else: yield from ((kind, out["data"][kind]) for kind in sorted(out["data"]))


def differences(old, new, rtol, tol):
    for i, (a, b) in enumerate(zip(old.cells, new.cells, strict=True)):
        if a.cell_type != "code": continue
        x, y = list(outputs(a)), list(outputs(b))
        if [kind for kind, _ in x] != [kind for kind, _ in y]:
            yield i, f"output kinds {[kind for kind, _ in x]} became {[kind for kind, _ in y]}"
            continue
        for (kind, u), (_, v) in zip(x, y, strict=True):
            u, v = ("".join(o) if isinstance(o, list) else o for o in (u, v))
            if kind == "image/png": same = same_picture(u, v, tol)
            else: same = same_text(u, v, rtol) if isinstance(u, str) else u == v
            if not same:
                diff = difflib.unified_diff(str(u).splitlines(), str(v).splitlines(), "committed", "fresh", lineterm="", n=1)
                yield i, f"{kind} differs" + ("" if kind.startswith("image") else "\n" + "\n".join(diff))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("notebooks", nargs="*", type=Path)
    p.add_argument("--write", action="store_true", help="store the fresh outputs")
    p.add_argument("--timeout", type=int, default=600, help="seconds for one cell")
    p.add_argument("--rtol", type=float, default=1e-6)
    p.add_argument("--image-tol", type=float, default=0.02)
    a = p.parse_args()
    os.environ.update(ENV)
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    import nbformat
    from execnb.nbio import dict2nb, write_nb
    from nbdev.clean import clean_nb
    stale = 0
    for path in a.notebooks or sorted(Path("nbs").rglob("*.ipynb")):
        if ".ipynb_checkpoints" in path.parts: continue
        start = time.perf_counter()
        old, new = execute(path, a.timeout)
        found = list(differences(old, new, a.rtol, a.image_tol))
        if a.write:
            nb = json.loads(nbformat.writes(new))
            clean_nb(nb)
            write_nb(dict2nb(nb), path)
        else:
            for i, message in found: print(f"{path} cell {i}: {message}")
            stale += bool(found)
        print(f"{path}: {len(found)} changed outputs, {time.perf_counter() - start:.1f} s", flush=True)
    return 1 if stale else 0


if __name__ == "__main__": sys.exit(main())
