"""What may differ from the frozen fields: names that were changed, and differences that are meant.

    Rename("label", "metric", verb="extrapolate")
    Change("sentence of CHANGELOG.md", "rows[*].{low,high}", cases="tables * gate")

A path is matched by its end, so `rows[*].low` holds for every result that has rows. A row that is
new or gone differs at rows[name] as a whole, another order of rows at rows.order.
"""
from frozen_record import Change, Rename

DATA = "**Results as data**: what `extrapolate` and `explain` return"
SCORE = "**Scores as fields**: what `score` returns"
ADVICE = "**Advice as fields**: `next` of a result"

PLAN = "**`plan` as data**: `plan` returns a `PowerAnalysis`"

RENAMES: tuple[Rename, ...] = (
    Rename("label", "metric", verb="extrapolate"), Rename("laws", "parameters", verb="extrapolate"),
)

CHANGES: tuple[Change, ...] = (
    *(Change(DATA, ("kind", "left_out", "label", "laws", "metric", "parameters", "extrapolate.*"), cases=name)
      for name in ("* extrapolate", "more all right", "more plan without pilot")),
    *(Change(PLAN, ("kind", "pilots", "clustered", "alignment", "plan.*"), cases=name)
      for name in ("* plan", "more plan *")),
    Change(SCORE, "kind", becomes="score"),
    Change(SCORE, ("systems", "summary", "flaky_questions", "left_out", "ragged", "agreement")),
    Change(ADVICE, "next.{unit,clustered,has_samples,pair,confidence_level}"),
)
