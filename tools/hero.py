"Draw nbs/site/hero.svg, the figure of the front page, from the log of tau-bench in the package."
import argparse
import sys
from pathlib import Path

from sampling_eval import score
from sampling_eval.examples import example_path

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 360, 120, 630, 20, 308
FONT = "Noto Sans, system-ui, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
# Each colour is read on white; on a dark ground the site turns them as it does in every figure.
BLUE, ORANGE, INK = "#1779b4", "#c25510", "#707070"
TITLE = "pass@k rises from {one} to {any} % in four tries, pass^k falls to {all} %"


def place_x(k): return LEFT + (RIGHT - LEFT) * (k - 1) / 3
def place_y(value): return BOTTOM - 18 - (BOTTOM - TOP - 18) * value
def join(points): return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
def percent(row): return f"{100 * row.estimate:.0f}"


def write_text(x, y, text, color, size=20, anchor="start"):
    weight = ' font-weight="700"' if size > 20 else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}"'
            f' text-anchor="{anchor}"{weight}>{text}</text>')


def draw_curve(rows, color):
    "The intervals of a metric as an area, its values as a line of dots."
    points = [(place_x(o.k), place_y(o.estimate)) for o in rows]
    high = [(place_x(o.k), place_y(o.high)) for o in rows]
    low = [(place_x(o.k), place_y(o.low)) for o in rows]
    area = f'<polygon points="{join(high + low[::-1])}" fill="{color}" fill-opacity=".2"/>'
    line = f'<polyline points="{join(points)}" fill="none" stroke="{color}" stroke-width="4"/>'
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="{color}"/>' for x, y in points]
    return [area, line, *dots]


def draw_axis():
    labels = {1: "1 try", 2: "2", 3: "3", 4: "4 tries"}
    yield (f'<line x1="{LEFT}" x2="{RIGHT}" y1="{BOTTOM}" y2="{BOTTOM}" stroke="{INK}"'
           ' stroke-width="1.5"/>')
    for k, label in labels.items():
        x = place_x(k)
        yield (f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{BOTTOM}" y2="{BOTTOM + 7}"'
               f' stroke="{INK}" stroke-width="1.5"/>')
        yield write_text(x, BOTTOM + 32, label, INK, anchor="middle")


def draw():
    "The figure as a text of SVG."
    report = score(example_path("tau_bench"), ["pass@k", "pass^k"])
    any_right = [o for o in report.rows if o.metric.startswith("pass@")]
    all_right = [o for o in report.rows if o.metric.startswith("pass^")]
    first, best, worst = any_right[0], any_right[-1], all_right[-1]
    title = TITLE.format(one=percent(first), any=percent(best), all=percent(worst))
    parts = [
        *draw_curve(any_right, BLUE), *draw_curve(all_right, ORANGE), *draw_axis(),
        write_text(LEFT + 10, 42, "at least one of k tries works: pass@k", BLUE),
        write_text(LEFT + 10, 286, "all k tries work: pass^k", ORANGE),
    ]
    for row, x, color, anchor in [(first, LEFT - 16, INK, "end"),
                                  (best, RIGHT + 16, BLUE, "start"),
                                  (worst, RIGHT + 16, ORANGE, "start")]:
        height = place_y(row.estimate) + 10
        parts.append(write_text(x, height, f"{percent(row)} %", color, 30, anchor))
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
            f' width="{WIDTH}" height="{HEIGHT}" role="img" font-family="{FONT}">')
    return "\n".join([head, f"<title>{title}</title>", *parts, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when the figure is stale")
    path, text = ROOT / "nbs" / "site" / "hero.svg", draw()
    if not parser.parse_args().check: path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text("utf-8") != text:
        sys.exit("nbs/site/hero.svg is stale: run make prepare")


if __name__ == "__main__": main()
