"""What may differ from the frozen fields: names that were changed, and differences that are meant.

    Rename("label", "metric", verb="extrapolate")
    Change("sentence of CHANGELOG.md", "rows[*].{low,high}", cases="tables * gate")

A path is matched by its end, so `rows[*].low` holds for every result that has rows. A row that is
new or gone differs at rows[name] as a whole, another order of rows at rows.order.
"""
from frozen_record import Change, Rename

DATA = "**Results as data**: what `extrapolate` and `explain` return"
SCORE = "**Scores as fields**: what `score` returns"
RERUNS = "**Reruns in `score`**: one line"
ADVICE = "**Advice as fields**: `next` of a result"
GATE = "**`gate` returns fields**: `Gate`"
SHOWN = "**Questions of a page** stand in the order of the largest loss"
RULE = "kind,drop,unit,method,confidence_level,least,fails_alone,weights"
WHOLE = "kind,samples,identical,equal_weights,must_pass_share,primary,task_versions"
WEIGHTED = "weighted_by,effective_questions,largest_weight,largest_weight_declared,assumed_largest_weight"

PLAN = "**`plan` as data**: `plan` returns a `PowerAnalysis`"

RENAMES: tuple[Rename, ...] = (
    Rename("label", "metric", verb="extrapolate"), Rename("laws", "parameters", verb="extrapolate"),
    *(Rename(old, new, verb=verb) for verb in ("gate", "equal systems") for old, new in (
        ("falls", "regressions"), ("certain", "significant"), ("adjusted", "p_adjusted"),
        ("watch", "regression_power"), ("watched", "detectable"), ("weak_passes", "inconclusive_passes"),
        ("[no question falls]", "[no question regresses]"))),
)

COMPARE = "**Comparisons as data**: what `compare` returns"

FACTS = "**Facts as fields**: rows of `score` and `table` have a `unit`"
BEHIND = "**Behind a score**: `score(..., judge=Judge("
MARGIN = "**`compare(same_within=.02)`**"
ROUNDED = "**Rounding adds no sample** to what is advised"
SPENT = "**Costs in the verbs**: `score(cost=column)`"
SHAPES = "**Any shape** is read at once"
WAYS = "**Whole calls in errors**"
GRADED = "**`grade=` for plain tables**"
TWICE = "**A column twice in a header**"
LISTED = "**A plan with an earlier run**: `plan(earlier=..., questions=200)`"

CHANGES: tuple[Change, ...] = (
    Change(BEHIND, ("corrected", "borrowed"), becomes=None),
    Change(SHAPES, ("kind", "options"), cases="refusals verb * a table"),
    *(Change(WAYS, "options", cases=f"refusals score {name}")
      for name in ("column in two parts", "column named for two parts")),
    Change(TWICE, "options", cases="refusals * a CSV with a column twice"),
    Change(GRADED, "options", cases="refusals score grade for rows"),
    Change(LISTED, ("run", "judging", "settled", "plan.{run,judging,settled}"), becomes=None),
    Change(SPENT, ("spend", "ordered")),
    Change(FACTS, "k"),
    Change(ROUNDED, "next.samples", cases="tables * score", within=1),
    Change(MARGIN, ("same_within", "equal_spend", "compare.{same_within,equal_spend}"), becomes=None),
    Change(FACTS, ("rows[*].{unit,bound,of_groups,other_kind,usual_kind,default_kind}", "rows[*].{usual,default}.kind")),
    *(Change(FACTS, "samples[*]", cases=name) for name in (
        "*compare*", "more one sample each", "more clusters *", "more unmatched",
        "more own credit", "more t of no spread", "more equal systems")),
    *(Change(COMPARE, ("kind", "primary", "verdict", "unit", "rows[*].{unit,verdict}"), cases=name) for name in (
        "*compare*", "data judge several", "more one sample each", "more clusters *", "more unmatched",
        "more systems", "more own credit", "more t of no spread", "forms systems more")),
    Change(COMPARE, ("compare.{kind,primary,verdict,unit}", "compare.rows[*].{unit,verdict}"),
           cases="more equal systems"),
    *(Change(DATA, ("kind", "left_out", "label", "laws", "metric", "parameters", "extrapolate.*"), cases=name)
      for name in ("* extrapolate", "more all right", "more plan without pilot")),
    *(Change(PLAN, ("kind", "pilots", "clustered", "alignment", "plan.*"), cases=name)
      for name in ("* plan", "more plan *", "data tau budget")),
    Change(SCORE, "kind", becomes="score"),
    Change(SCORE, ("systems", "summary", "flaky_questions", "left_out", "ragged", "agreement")),
    Change(RERUNS, ("reruns", "guarded", "portfolio")),
    Change(ADVICE, "next.{unit,clustered,has_samples,pair,confidence_level}"),
    Change(SHOWN, "questions", cases="*gate*"), Change(SHOWN, "gate.questions", cases="more equal systems"),
    Change(GATE, ("verdict", "usual_verdict"), words=(("weak", "inconclusive"),)),
    Change(GATE, ("usual.method", "usual_method"), words=((" (approximate)", ""),), cases="*gate*"),
    Change(GATE, ("usual.assumes", "usual_assumes", f"rows[*].{{{RULE}}}", f"{{{WHOLE}}}"), cases="*gate*"),
    Change(GATE, (f"gate.rows[*].{{{RULE}}}", f"gate.{{{WHOLE}}}"), cases="more equal systems"),
    Change(GATE, f"files.r.csv.rows[*].{{{WEIGHTED},next,next_questions,next_samples}}", cases="*gate*"),
)
