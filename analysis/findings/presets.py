"""In what a view differs from a preset, in a few words each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from analysis.parameters import format_value, hyperparameters
from analysis.presets import Preset
from analysis.rankers import Ranker
from analysis.rankers.draws import UNITS
from analysis.ranking.certainty import Certainty
from analysis.wording import thousands

Setting = Literal["method", "hyperparameter", "ranges", "unit", "runs", "level"]


@dataclass(frozen=True)
class Difference:
    """One setting that is not the preset's; ``name`` is the hyperparameter's, if it is one."""

    setting: Setting
    words: str
    name: str = ""


def differences(preset: Preset, ranker: Ranker, certainty: Certainty) -> tuple[Difference, ...]:
    """Return what of method and certainty is not as the preset has it; it may say nothing of it."""
    found = [] if not preset.method else list(_of_method(preset.ranker(), ranker))
    if preset.certainty is not None:
        found += _of_certainty(preset.certainty, certainty)
    return tuple(found)


def _of_method(preset: Ranker, chosen: Ranker) -> Iterator[Difference]:
    if preset.name != chosen.name:
        yield Difference("method", f"{chosen.title}, not {preset.title}")
        return
    for parameter in hyperparameters(type(chosen)):
        mine, theirs = (getattr(ranker, parameter.name) for ranker in (chosen, preset))
        if mine != theirs:
            label = parameter.name.replace("_", " ").capitalize()
            words = f"{label}: {format_value(mine)}, not {format_value(theirs)}"
            yield Difference("hyperparameter", words, parameter.name)


def _of_certainty(preset: Certainty, chosen: Certainty) -> Iterator[Difference]:
    if _basis(preset) != _basis(chosen):
        yield Difference("ranges", f"{_basis(chosen)}, not {_basis(preset).lower()}")
    elif preset.is_published and preset.unit != chosen.unit:
        drawn, theirs = UNITS[chosen.unit].title, UNITS[preset.unit].title.lower()
        yield Difference("unit", f"Resampled: {drawn.lower()}, not {theirs}")
    if chosen.is_published and preset.runs != chosen.runs:
        yield Difference(
            "runs", (f"{thousands(chosen.runs)} resamples, not {thousands(preset.runs)}")
        )
    if preset.level != chosen.level:
        yield Difference("level", f"Level {chosen.level:.0%}, not {preset.level:.0%}")


def _basis(certainty: Certainty) -> str:
    if certainty.is_published:
        return "Official procedure"
    whose = "these" if certainty.scope == "these" else "new"
    return f"Ranks for {whose} segments and judges"
