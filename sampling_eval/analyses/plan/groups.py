"""How many groups, such as prompts, give the mean over questions and groups a half-width."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import OptionError, OptionTypeError
from ...inference.crossed import crossed_mean
from ...metrics.catalog import Metric
from ...reading.options import Options
from ...spelling import name_option, option
from ..engine.crossing import cross_items, list_items, share_of_groups
from ..engine.systems import load_systems, pick_model
from .result import MOST_GROUPS, GroupPlan, PlannedGroupWidth

LEAST_GROUPS = 3  # As crossed intervals need


def check_groups(by: Any, crossed: Any, half_width: Any, pilot: Any) -> bool:
    """Whether groups are planned.

    Raises: `OptionError` where one of the options is given without the others.
    """
    if not isinstance(crossed, (bool, np.bool_)):
        raise OptionTypeError("crossed", must="be True or False", got=crossed)
    if not crossed:
        if by is None: return False
        raise OptionError("by", "groups are planned where they are drawn as questions are",
                          got=by, hint=f"add {option('crossed', True)}")
    needed = dict(half_width=half_width, pilot=pilot, by=by)
    lacking = [name for name, value in needed.items() if value is None]
    if lacking:
        raise OptionError(lacking[0], f"{name_option('crossed')} plans groups of a pilot, such as "
                          f"prompts, until the CI has a half-width: it needs "
                          f"{name_option('by')}, {name_option('pilot')} and "
                          f"{name_option('half_width')}", found=f"no {name_option(lacking[0])}")
    return True


def plan_groups(
    pilot: Any,  # Data of one system, in groups
    options: Options,  # How they are read
    models: Sequence[str] | str | None,  # The system, if there are several
    metric: tuple[Metric, int],  # With its budget
    half_width: float,  # Half of the CI wanted
    confidence_level: float,  # Its level
    questions: int | None,  # Questions there will be; None: as in the pilot
) -> GroupPlan:
    """The half-width to expect of some numbers of groups, and the fewest that do.

    Raises: `OptionError` for fewer than three groups, groups without the same questions, and
    cells that show no spread.
    """
    found = load_systems([pilot], options, models)
    counts = found.counts[pick_model(found.counts, None, "the pilot")]
    by = str(options.columns["group"])
    group = np.array([found.groups.get(name) for name in counts.questions.tolist()], object)
    cells = cross_items(list_items(counts), group, by)
    kind, k = metric
    values = kind.at_states(counts, np.array([k])).of_questions()[:, 0]
    crossed = crossed_mean(values[cells], bounds=kind.bounds or (0., 1.))
    if crossed.stderr is None:
        raise OptionError("pilot", "neither questions nor groups show a spread", got=None,
                          found="equal values in all cells")
    pilot_size, groups = cells.shape
    size = pilot_size if questions is None else questions
    def width(groups: int) -> float: return crossed.half_width_at(size, groups, confidence_level)
    fewest = next((one for one in range(LEAST_GROUPS, MOST_GROUPS + 1)
                   if width(one) <= half_width), None)
    sizes = {groups * times for times in (1, 2, 4, 8)}
    if fewest is not None: sizes.add(fewest)
    rows = tuple(PlannedGroupWidth(one, width(one)) for one in sorted(sizes))
    return GroupPlan(
        kind.label(k), by, float(half_width), crossed.mean, float(confidence_level), size,
        pilot_size, groups, share_of_groups(crossed), fewest, width(MOST_GROUPS), rows,
        found.inputs)
