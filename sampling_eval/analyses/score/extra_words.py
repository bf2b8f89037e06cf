"""What a score says besides its answer: sizes, reruns, attempts, costs, loops, mixes, truth.

Each part has a function that gives its blocks (`list_...`) or its sentence (`describe_...`), and
nothing where the option that asks for it was not given.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from ...render.blocks import Block, Table, Text
from ...render.format import (
    TARGETS, count, count_range, describe_ci, difference, difference_interval, interval, join,
    level, percent)
from ...results.rows import Row, name_family
from ..phrases.metrics import describe_weights
from ..phrases.reading import describe_items
from .result import (Blocks, BorrowedRow, BorrowedScore, CorrectedRow, CorrectedScore,
                     EqualSpending, Gain, Guarded, GuardedRow, JudgingPlan, LabelledRow, Ordered,
                     PlannedRun, Report, Reruns, SettledRule, SourceMix, Spend, Split, name_block)

__all__ = ["NONE_MISSING", "describe_size", "describe_sizes", "describe_reruns", "list_ordered",
           "list_spend", "describe_equal", "list_guarded", "list_portfolio",
           "describe_preparation", "describe_truth", "list_planned", "list_truth"]

NONE_MISSING = "none missing"


# What was scored

def describe_size(result: Report) -> str:
    "What was read, in one line: `run.jsonl: gpt-4o, 50 questions, 4 samples each, none missing`."
    many = result.many
    if many is not None and many.what == "model":
        facts = [f"{len(many.means):,} models", count_range(*many.questions, "question"),
                 f"{count_range(*many.samples, 'sample')} each", describe_missing(*many.missing)]
    else:
        facts = describe_sizes(result.shown().whole_blocks(), result.systems)
    said = (f"{result.title}: " if result.title else "") + ", ".join(facts)
    unit = "" if result.target == "same_questions" else describe_items(result.summary)
    return "; ".join(filter(None, [said, unit]))


def describe_sizes(
    main: Blocks,  # Rows over all questions, by model and group
    systems: str,  # What they are: `models`, or `gradings`
) -> list[str]:  # `gpt-4o`, `50 questions`, `4 samples each`, `none missing`
    "Models, questions and samples."
    rows = [own[-1] for own in main.values()]
    weighted = next((row.weights for row in rows if row.weights is not None), None)
    return [*name_systems(main, systems),
            count_range(*ends_of([row.questions for row in rows]), "question"),
            *describe_samples(rows), *[describe_weights(weighted)] * bool(weighted)]


def name_systems(main: Blocks, systems: str) -> list[str]:
    "The name of a single model, or how many there are; nothing where they have no names."
    names = {model for model, _ in main} - {""}
    return list(names) if len(names) == 1 else [f"{len(names)} {systems}"] * bool(names)


def describe_samples(rows: Sequence[Row]) -> list[str]:
    "Samples of each question, and how many are not there: `4 samples each`, `none missing`."
    samples = count_range(*ends_of([n for row in rows for n in (row.n_min, row.n_max)]), "sample")
    missing = describe_missing(*ends_of([row.missing for row in rows]))
    if all(row.n_min == row.n_max or row.questions == 1 for row in rows):
        return [samples + " each" * (max(row.questions for row in rows) > 1), missing]
    lost = any(row.missing for row in rows)
    return [f"ragged: {samples}{describe_short(rows)}", *[missing] * lost]


def describe_short(rows: Sequence[Row]) -> str:
    "How many samples ragged questions lack; empty where that is not known."
    short, most = [row.short_of for row in rows], {row.n_max for row in rows}
    if not any(short): return ""
    than = f"{most.pop():,} each" if len(most) == 1 else "the most of each"
    return f"; {count_range(*ends_of(short))} fewer than {than}"


def describe_missing(low: int, high: int) -> str:
    return f"{count_range(low, high)} missing" if high else NONE_MISSING


def ends_of(numbers: Sequence[int]) -> tuple[int, int]: return min(numbers), max(numbers)


def make_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    "Rows that begin with a model, which is left out where none has a name."
    if any(row[0] for row in rows): return Table(["model", *heads], rows)
    return Table(heads, [row[1:] for row in rows], left=0)


# Another run of the same questions


def describe_reruns(found: Reruns | None) -> str:
    "How far two single runs may differ, how many outcomes flip, and the ICC."
    if found is None or not found.flip_rate: return ""
    flips = percent(found.flip_rate, decimals=0)
    icc = "" if found.icc is None else f"; ICC {describe_icc(found.icc)}"
    return f"{describe_apart(found.least_difference_95)}{flips} of outcomes flip{icc}."


def describe_apart(share: float | None) -> str:
    "How far two single runs may differ; empty where that is unknown or no limit."
    # No two runs differ by more than 100 points.
    if share is None or share >= 1: return ""
    size = 100 * share
    gap = f"{size:.0f}" if size >= 9.95 else f"{size:.1f}"
    return f"Two single runs differ by more than about {gap} points in 1 of 20 reruns; "


def describe_icc(icc: float) -> str:
    "A correlation without its leading 0, and never rounded to 1: `.40`."
    size = abs(icc)
    shown = f"{size:.4f}" if .995 <= size < 1 else f"{size:.2f}"
    return "-" * (icc < 0) + (shown[1:] if size < 1 else shown)


# Attempts in their order


def list_ordered(found: Sequence[Ordered]) -> list[Block]:
    "A sentence for each model, and the table; nothing where attempts are independent."
    if not found: return []
    last = {one.model: one for one in found}
    heads = ["attempts", "solved in order", f"{level(found[0].confidence_level)} CI", "any k"]
    rows = [[one.model, str(one.k), percent(one.solved), interval(one.low, one.high),
             percent(one.exchangeable)] for one in found]
    methods = " and ".join(sorted({one.method for one in found}))
    note = (f"solved in order: within the first k attempts, CI for new questions ({methods}); any "
            "k: pass@k, which takes attempts as independent.")
    return [*(Text(describe_ordered(one)) for one in last.values()), make_table(heads, rows),
            Text(note, "note")]


def describe_ordered(one: Ordered) -> str:
    "What the most attempts solve."
    who = f"{one.model}: " if one.model else ""
    ends = describe_ci(one.low, one.high, one.confidence_level, "new questions", one.method)
    tries = f"{one.k} attempts" if one.k > 1 else "one attempt"
    return f"{who}{percent(one.solved)} solved within {tries}, in their order ({ends})."


# What trying until success costs


FEW = 12  # Budgets of a model that stand in the table


def list_spend(found: Sequence[Spend]) -> list[Block]:
    "The sentence of the largest budget of each model, and the table; nothing without costs."
    if not found: return []
    last = {one.model: one for one in found}
    ends = f"{level(found[0].confidence_level)} CI"
    heads = ["k", "solved", "spend", "per solved", ends]
    methods = sorted({one.method for one in found if one.method})
    note = (f"spend: mean {found[0].unit} of a question, trying until the first success and at "
            f"most k times; per solved: total spend over total solved, CI for new questions "
            f"({' and '.join(methods) or 'none'}).")
    absent = [describe_absent(one.model, one.absent, one.samples, one) for one in last.values()
              if one.absent]
    return [*(Text(describe_spend(one)) for one in last.values()), *map(Text, absent),
            make_table(heads, list(map(write_spend, pick(found)))), Text(note, "note")]


def describe_absent(who: str, absent: int, samples: int, found: Spend | EqualSpending) -> str:
    "How many costs are absent, and what they count as."
    said = f"{f'{who}: ' if who else ''}{absent} of {samples} costs are absent"
    if isinstance(found, EqualSpending) or found.missing_cost == "mean":
        return (f"{said}; each counts as the mean of the question's other samples with the same "
                "outcome: assumes that costs are absent at random among these. All outcomes count.")
    return (f"{said}; each counts as the cap, {found.cap:.4g}: spend and cost per solved are at "
            "most these, and the lower end of the CI counts it as 0. All outcomes count.")


def pick(found: Sequence[Spend]) -> list[Spend]:
    "All budgets where they are few; else the first, powers of two and the last of each model."
    most = {one.model: one.k for one in found}
    if len(found) <= FEW * len(most): return list(found)
    return [one for one in found if one.k == most[one.model] or one.k & (one.k - 1) == 0]


def describe_spend(one: Spend) -> str:
    "What a solved question costs at one budget."
    who = f"{one.model}: " if one.model else ""
    tries = f"at most {one.k} tries" if one.k > 1 else "one try"
    said = (f"{who}{tries} cost {one.spend:.4g} {one.unit} per question and solve "
            f"{percent(one.solved)}")
    if one.per_solved is None: return f"{said}; {one.reason}, so there is no cost per solved."
    ends = f"{level(one.confidence_level)} CI {write_ends(one)}, new questions"
    return f"{said}: {one.per_solved:.4g} per solved question ({ends})."


def write_ends(one: Spend) -> str:
    if one.low is None: return "none"
    high = inf if one.high is None else one.high
    return f"{one.low:.4g} to {high:.4g}" if high < inf else f"from {one.low:.4g}, without an end"


def write_spend(one: Spend) -> list[str]:
    ratio = "-" if one.per_solved is None else f"{one.per_solved:.4g}"
    return [one.model, str(one.k), percent(one.solved), f"{one.spend:.4g}", ratio, write_ends(one)]


def describe_equal(found: EqualSpending | None, names: tuple[str, str]) -> list[str]:
    "Who solves more for the same money, and how many costs are absent."
    if found is None: return []
    a, b = names
    ends = describe_ci(found.low, found.high, found.confidence_level, found.method, change=True)
    absent = found.absent_a + found.absent_b
    share = "" if found.share is None else \
        f", {percent(found.share, decimals=0)} of the most that both can spend"
    return [f"At equal spend ({found.spend:.4g} {found.unit} per question{share}): {a} solves "
            f"{percent(found.a)} (k = {found.k_a:.3g}), {b} {percent(found.b)} "
            f"(k = {found.k_b:.3g}); {difference(found.difference)} ({ends}).",
            *([describe_absent("", absent, found.samples, found)] if absent else [])]


# Loops that retry, and tries split over sources


HEADS = ["most tries", "reported", "right", "wrong", "CI", "right with the last", "pass@k", "tries"]


def list_guarded(found: Guarded | None) -> list[Block]:
    "The loop in a sentence, and at every limit of tries."
    if found is None: return []
    last = {name_side(one): one for one in found.rows}
    rows = [[name_side(one), f"{one.k}", percent(one.reported), percent(one.right),
             percent(one.slip), interval(one.slip_low, one.slip_high),
             percent(one.right_with_last), percent(one.pass_at_k), f"{one.tries:.2f}"]
            for one in found.rows]
    return [*(Text(describe_guarded(found, one)) for one in last.values()), make_table(HEADS, rows)]


def name_side(one: GuardedRow | CorrectedRow | LabelledRow) -> str:
    "Model and group of a row; empty for a single one."
    return name_block((one.model, one.group))


def name_tries(k: int) -> str: return f"{k:,} {'try' if k == 1 else 'tries'}"


def describe_guarded(found: Guarded, last: GuardedRow) -> str:
    "What is reported and what is right, at the largest limit of a model or group."
    ends = describe_ci(last.slip_low, last.slip_high, found.confidence_level, "new questions",
                       last.method)
    who = name_side(last)
    first = f"{who}: retried" if who else "Retried"
    return (f"{first} until {found.verdict} = 1, at most {name_tries(last.k)}: "
            f"{percent(last.reported)} reported, {percent(last.right)} right; delivered and wrong: "
            f"{percent(last.slip)} ({ends}).")


def list_portfolio(found: SourceMix | None) -> list[Block]:
    "The best split, and its gain over each source alone."
    if found is None: return []
    best = found.best_split
    said = (f"Best split of {name_tries(found.k)}, chosen after looking: "
            f"{name_split(found, best)}, pass@{found.k} = {percent(best.estimate)} (simultaneous "
            f"{level(found.confidence_level)} band over {count(len(found.splits), 'split')} "
            f"{interval(best.low, best.high)}, new questions"
            f"{f', {found.band}' if found.band else ''}).")
    return [Text(said), *(Text(describe_gain(found, one)) for one in found.gains)]


def name_split(found: SourceMix, split: Split) -> str:
    "Tries of each source that is used: `base 21 and rl 11`."
    return join([f"{source} {tries}" for source, tries in zip(found.sources, split.tries) if tries])


def describe_gain(found: SourceMix, gain: Gain) -> str:
    "What the best split gains over one source alone."
    verdict = "significant" if gain.significant else "not significant"
    return (f"Over {gain.source} alone: {difference(gain.estimate)} (simultaneous "
            f"{level(found.confidence_level)} band {difference_interval(gain.low, gain.high)}): "
            f"{verdict}.")


# The truth behind verdicts, and a new run on all questions


CORRECTED = ["metric", "verdicts", "corrected", "CI", "method"]
LABELLED = ["metric", "labels alone", "CI", "method", "PPI++ (approximate)", "approximate CI",
            "its method"]
BORROWED = ["metric", "questions run", "CI", "all questions", "CI of all", "method",
            "earlier run"]


def describe_truth(
    corrected: CorrectedScore | None,  # What a judge's verdicts were corrected to
    borrowed: BorrowedScore | None,  # What was borrowed from an earlier run
    confidence_level: float,  # Level of the CIs
) -> Iterator[str]:  # One sentence each
    "What is true behind the outcomes, in a sentence."
    if corrected is not None:
        names = [name_block((one.model, one.group)) for one in corrected.judges] or [""]
        for name, one in zip(names, corrected.by_judge()):
            if one.informed: yield describe_corrected(one, confidence_level)
            else: yield describe_uninformed(one, name)
            if one.labelled: yield describe_labelled(one, confidence_level, name)
    if borrowed is not None: yield describe_borrowed(borrowed, confidence_level)


def describe_first(
    found: CorrectedScore,  # What a judge's verdicts were corrected to
    confidence_level: float,  # Level of the CIs
) -> str:  # `pass@1 = 48.2 % (95 % CI ...); corrected for a judge with ...`
    "The first corrected number of each model, for a headline."
    rows = list_whole(found)
    told = [describe_row(own[0], confidence_level, " = ") for own in rows[:NAMED]]
    if len(rows) > NAMED: told.append(f"and {len(rows) - NAMED} more")
    return f"{'; '.join(told)}; corrected for a judge with {describe_rates(found)}."


NAMED = 4  # Models that a headline names


def list_whole(found: CorrectedScore) -> list[list[CorrectedRow]]:
    "The rows of each model over all questions, or of each group where nothing else is there."
    rows: dict[tuple[str, str], list[CorrectedRow]] = {}
    for row in found.rows: rows.setdefault((row.model, row.group), []).append(row)
    return [own for (_, group), own in rows.items() if not group] or list(rows.values())


def describe_rates(found: CorrectedScore) -> str:
    "Both rates, and what they are from."
    source = "" if found.labels is None else f" from {count(found.labels, 'label')}"
    return (f"sensitivity {percent(found.sensitivity)}, specificity {percent(found.specificity)}"
            f"{source}")


def describe_corrected(found: CorrectedScore, confidence_level: float) -> str:
    "Corrected numbers that the headline does not say, and what is assumed."
    rows = [row for own in list_whole(found)[:NAMED]
            for row in pick_ends(own)[found.labels is None:]]
    told = "; ".join(describe_row(row, confidence_level)
                     + f", where the verdicts say {percent(row.raw)}" * row.fits for row in rows)
    assumes = "errors are independent given the truth, with the same rates on every question"
    rates = "" if found.labels is None else f" for a judge with {describe_rates(found)}"
    said = f"Corrected{rates}: {told}. " * bool(told)
    return f"{said}Assumes {assumes}."


def describe_uninformed(found: CorrectedScore, name: str = "") -> str:
    "Why labels give no corrected number."
    who = f"{name}: no" if name else "No"
    told = f"{who} corrected number from {count(found.labels or 0, 'label')}: "
    if found.sensitivity is not None and found.specificity is not None:
        return (f"{told}by them sensitivity is {percent(found.sensitivity)} and specificity "
                f"{percent(found.specificity)}, and where both add up to 100 % or less, verdicts "
                "say nothing of the truth. More labels may.")
    side, rate, known = ("wrong", "specificity", "sensitivity") if found.specificity is None else \
        ("right", "sensitivity", "specificity")
    return (f"{told}none of the labelled answers is {side}, so {rate} is unknown; {known} is "
            f"{percent(getattr(found, known))}. Label more answers.")


def describe_row(
    row: CorrectedRow | LabelledRow | BorrowedRow,  # A number with its CI
    confidence_level: float,  # Level of the CI
    equals: str = " ",  # Between its name and the number
) -> str:  # `pass@1 48.2 % (95 % CI 37.9 to 58.7 %, new questions, gaffke)`
    "A number with its CI."
    who = f"{side} " if isinstance(row, CorrectedRow) and (side := name_side(row)) else ""
    if isinstance(row, CorrectedRow) and not row.fits:
        return f"{who}no {row.metric}, the rates do not fit verdicts that say {percent(row.raw)}"
    outside = getattr(row, "unbiased", None)
    more = "" if outside is None else f"limited from {100 * outside:.1f} %"
    ends = describe_ci(row.low, row.high, confidence_level, TARGETS[row.target], row.method, more)
    return f"{who}{row.metric}{equals}{percent(row.estimate)} ({ends})"


def pick_ends(rows: Sequence[CorrectedRow]) -> Sequence[CorrectedRow]:
    "The first row, and the one at the largest budget of its metric."
    family = [row for row in rows if name_family(row.metric) == name_family(rows[0].metric)]
    return [rows[0]] if len(family) == 1 else [rows[0], family[-1]]


def describe_labelled(found: CorrectedScore, confidence_level: float, name: str = "") -> str:
    "The labels alone, and PPI++ beside them."
    row = found.labelled[0]
    powered = ("without an interval: labels and verdicts show no spread"
               if row.powered_low is None else
               describe_ci(row.powered_low, row.powered_high, confidence_level))
    if not row.fitted and row.powered_low is not None: powered += ", slope not fitted"
    first = f"{name}: the" if name else "The"
    return (f"{first} {found.labelled_questions} labelled questions alone: "
            f"{describe_row(row, confidence_level)}; with the verdicts on all "
            f"{percent(row.powered)} (PPI++, approximate: {powered}). Assumes they were drawn at "
            f"random.")


def describe_borrowed(found: BorrowedScore, confidence_level: float) -> str:
    "The first number over all questions, beside that of the questions that were run."
    row = found.rows[0]
    return (f"Estimated on all {found.questions:,} questions of the earlier run: "
            f"{describe_row(row, confidence_level)}; the {found.sampled:,} that were run alone: "
            f"{percent(row.raw)} ({interval(row.raw_low, row.raw_high)}, "
            f"{TARGETS[row.raw_target]}, {row.raw_method}). Assumes they were drawn at random.")


def list_truth(corrected: CorrectedScore | None, borrowed: BorrowedScore | None) -> list[Block]:
    "Every corrected and every borrowed number."
    blocks: list[Block] = []
    if corrected is not None:
        blocks.append(Table(CORRECTED, [
            [name_block((row.model, row.group, row.metric)), percent(row.raw),
             percent(row.estimate), interval(row.low, row.high), row.method]
            for row in corrected.rows]))
    if corrected is not None and corrected.labelled:
        blocks.append(Table(LABELLED, [
            [name_block((row.model, row.group, row.metric)), percent(row.estimate),
             interval(row.low, row.high), row.method, percent(row.powered),
             interval(row.powered_low, row.powered_high), row.powered_method]
            for row in corrected.labelled]))
    if borrowed is not None:
        blocks.append(Table(BORROWED, [
            [row.metric, percent(row.raw), interval(row.raw_low, row.raw_high),
             percent(row.estimate), interval(row.low, row.high), row.method,
             percent(row.earlier)]
            for row in borrowed.rows]))
    return blocks


# Before a run.

def describe_preparation(
    run: PlannedRun | None,  # Questions and samples to run
    judging: JudgingPlan | None,  # Labels and gradings
    settled: SettledRule | None = None,  # When a gate is settled
) -> Iterator[str]:  # One sentence each
    "What to run, and what to label, in a sentence."
    if run is not None: yield describe_run(run)
    if judging is not None: yield describe_judging(judging)
    if settled is not None: yield describe_settled(settled)


def describe_run(run: PlannedRun) -> str:
    "How many questions to run, and how often."
    sizes = [one.samples for one in run.listed]
    each = count_range(min(sizes), max(sizes), "sample")
    if run.drawn:
        drawn = "" if run.seed is None else f" (seed {run.seed})"
        return (f"Run {len(run.listed):,} of {run.questions:,} questions, drawn at random{drawn}, "
                f"{each} each; with the earlier run they estimate all.")
    return (f"Run all {run.questions:,} questions, {each} each by the difficulty in the earlier "
            f"run, {sum(sizes):,} samples in all; do not change the numbers while it runs.")


def describe_judging(found: JudgingPlan) -> str:
    "Labels that are needed, and how often to grade an answer."
    rates = f"sensitivity {percent(found.sensitivity)}, specificity {percent(found.specificity)}"
    wanted = f"a corrected pass@1 within {100 * found.half_width:g} points"
    need = ("no number of labels gives" if found.labels is None else
            f"about {count(found.labels, 'label')} drawn at random give")
    best = ("" if found.gradings is None else
            f" Best gradings per answer: {max(1., found.gradings):.1f}.")
    return (f"A judge with {rates}: {need} {wanted}, if {percent(found.share)} of answers are "
            f"right.{best}")


def describe_settled(found: SettledRule) -> str:
    "When the verdict on a minimum is settled."
    asked = f"one try of each of {count(found.questions, 'question')}"
    rule = f"pass@1 above {percent(found.minimum)}, {asked}"
    if found.needed is None: return f"{rule}: no outcome passes; ask more questions."
    means = ", ".join(f"{tries:.1f} at {share}" for share, tries in found.tries.items())
    return (f"{rule}: passes with {found.needed:,} right, settled after {found.needed:,} successes "
            f"or {count(found.failures or 0, 'failure')}. Mean tries by the true share: {means}.")


def list_planned(run: PlannedRun) -> list[Block]:
    "Every question to run."
    return [Table(["question", "samples"], [[one.question, f"{one.samples:,}"]
                                            for one in run.listed])]
