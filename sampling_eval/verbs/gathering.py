"""Every model and group in one or several inputs."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import OptionError, option
from ..foundations.counts import Counts
from ..io.counted import holds_paths
from ..io.load import Loaded, load, refuse_several_counts
from ..io.options import Options
from ..patterns import label_path
from ..records import dataclass
from ..results.diagnostics import Caution, Stated
from ..results.model_table import LackingGroup
from ..results.reading import ReadSummary
from .systems import Aligned, align_systems, name_by_task, pair_tasks
from .measuring import share_weights

__all__ = ["Gathered", "gather_models", "pick_models", "align_groups"]

Blocks: TypeAlias = dict[tuple[str, str], Counts]  # By model and group; an empty group for all


@dataclass(frozen=True)
class Gathered:
    "Counts of every model and group, what was read, and why fields are absent."
    blocks: Blocks
    read: dict[str, ReadSummary]  # By input; an empty name for the only one
    lacks: dict[str, str]
    weights: Mapping[Any, float] | None = None  # Weight by question, where it was asked for
    cautions: tuple[Caution, ...] = ()  # What may be wrong with pairing them

    @property
    def models(self) -> list[str]: return list(dict.fromkeys(model for model, _ in self.blocks))

    @property
    def groups(self) -> list[str]:
        "The groups that some model has; none where no column of groups was named."
        return list(dict.fromkeys(group for _, group in self.blocks if group))


def gather_models(
    systems: Any,  # What `score` reads, files of one model each, or name to data
    options: Options,  # How they are read
) -> Gathered:  # Counts of every model and group
    """Every model there is.

    Raises: `ValueError` or `FileNotFoundError` for data that cannot be read, or of other tasks.
    """
    if is_named(systems):
        refuse_several_counts(list(systems.values()))
        loaded = [load(data, options) for data in systems.values()]
        return join_loaded(list(map(str, systems)), loaded, name_within)
    if is_several(systems): refuse_several_counts(systems)
    if is_several(systems) and leaves_open(options):
        loaded = [load(file, options) for file in systems]
        models = Counter(model for one in loaded for model in list_models(one))
        # A model whose runs or tasks stand in several files is read from all of them at once.
        if "" in models or max(models.values()) == 1:
            return join_loaded(name_files(systems), loaded, name_alone)
    whole = load(systems, options)
    return Gathered(whole.blocks, {"": whole.summary}, whole.lacks, whole.weights)


def is_several(systems: Any) -> bool:
    "Whether there are several files."
    listed = isinstance(systems, (list, tuple)) and len(systems) > 1
    return listed and holds_paths(systems)


def leaves_open(options: Options) -> bool:
    "Whether nobody said what the files hold."
    return options.files_hold is None and "model" not in options.columns


def is_named(systems: Any) -> bool:
    "Whether data stand under the name of a model each, and not a column under its own."
    if not isinstance(systems, Mapping) or not systems: return False
    return all(map(is_system, systems.values()))


def is_system(data: Any) -> bool:
    "Whether something is more than one column."
    if isinstance(data, (list, tuple)):
        return len(data) > 0 and isinstance(data[0], (Mapping, list, tuple, PathLike))
    # A column, whatever library it is of, has one dimension.
    return getattr(data, "ndim", 2) == 2


def name_within(given: str, model: str, several: bool) -> str:
    "The name that was given, with that of the model where the data hold several."
    return f"{given} / {model}" if several else given


def name_alone(file: str, model: str, several: bool) -> str:
    "The name of the model, or of its file where it has none."
    return model or file


def name_files(files: Sequence[str | PathLike[str]]) -> list[str]:
    "Files without their ending and the folders that all have in common, where these differ."
    paths = list(map(Path, files))
    labels = [label_path(path, paths) for path in paths]
    return labels if len(set(labels)) == len(labels) else list(map(str, files))


def list_models(loaded: Loaded) -> list[str]:
    return list(dict.fromkeys(model for model, _ in loaded.blocks))


def join_loaded(
    names: Sequence[str], loaded: Sequence[Loaded], name_model: Callable[[str, str, bool], str],
) -> Gathered:
    "What was read of several inputs."
    warning = pair_tasks(dict(zip(names, loaded)))
    blocks: Blocks = {}
    for name, one in zip(names, name_by_task(loaded)):
        several = len(list_models(one)) > 1
        for (model, group), counts in one.blocks.items():
            blocks[name_model(name, model, several), group] = counts
    lacks = {field: why for one in loaded for field, why in one.lacks.items()}
    return Gathered(blocks, {name: one.summary for name, one in zip(names, loaded)}, lacks,
                    share_weights([one.weights for one in loaded]),
                    (Stated(warning),) if warning else ())


# The same questions.

def pick_models(
    found: Gathered,  # All models
    models: Sequence[str] | str | None,  # Names of those wanted; None: all
) -> list[str]:  # Their names
    """The models wanted.

    Raises: `ValueError` for a name that is not there.
    """
    wanted = [models] if isinstance(models, str) else found.models if models is None else models
    for name in wanted:
        if name not in found.models:
            raise OptionError("models", must=f"name models of the data {found.models[:5]}",
                              got=name)
    return list(wanted)


def align_groups(
    found: Gathered,  # All models
    models: Sequence[str],  # Models wanted
    on_unmatched: str,  # What only some models have: `refuse` or `drop`
) -> tuple[dict[str, Aligned], tuple[LackingGroup, ...]]:  # By group; groups that are left out
    """The models on the questions that all of them have, group by group.

    Raises: `ValueError` where one lacks what others have, and nothing may be dropped.
    """
    aligned, left_out = {}, []
    for group in found.groups or [""]:
        lacking = [model for model in models if (model, group) not in found.blocks]
        if lacking and on_unmatched != "drop":
            raise OptionError(
                "on_unmatched", "every model must have every group",
                found=f"none of {group!r} for {lacking[0]!r} ({len(lacking)} of {len(models)} "
                      "models lack it)",
                hint=f"{option('on_unmatched', 'drop')} leaves such groups out")
        if lacking:
            left_out.append(LackingGroup(group, len(lacking)))
            continue
        sides = {model: found.blocks[model, group] for model in models}
        aligned[group] = align_systems(sides, on_unmatched)
    if not aligned: raise ValueError("the models must share a group, got none in common")
    return aligned, tuple(left_out)
