"""The flag --preset: what a preset says becomes a command's defaults; flags given win over it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from analysis.cli import flags
from analysis.errors import PodiumError
from analysis.presets import PRESETS, Preset, preset_named, presets_of


def add_preset(parser: argparse.ArgumentParser, words: list[str], command: str) -> Preset | None:
    """Declare --preset and return the one that is named; one without a meaning here is refused."""
    known = presets_of(command)
    parser.add_argument(
        "--preset",
        metavar="NAME",
        help="use a named set of options; options given explicitly override it: "
        + "; ".join(_explained(name) for name in known).replace("%", "%%"),
    )
    name = flags.word_after(words, "--preset")
    if name is None:
        return None
    preset = preset_named(name)
    if command not in preset.commands:
        raise PodiumError(
            f"--preset {name}",
            f"it has no settings for {command}",
            f"It is for {', '.join(preset.commands)}. Here choose one of {', '.join(known)}.",
        )
    return preset


def _explained(name: str) -> str:
    """Return a preset's name with its title, unless that says the same."""
    title = PRESETS[name].title
    return name if title.casefold() == name else f"{name}: {title}"


def set_ranking(
    parser: argparse.ArgumentParser, words: list[str], preset: Preset | None, method: str = ""
) -> None:
    """Make the defaults of the certainty of a ranking, and of its ``method``, the preset's."""
    if preset is None:
        return
    defaults: dict[str, Any] = {}
    if preset.certainty is not None:
        defaults |= _certainty(words, preset)
    if preset.identical is not None:
        defaults["identical"] = preset.identical
    if method:
        defaults |= flags.hyperparameter_defaults(preset.settings.get(method, {}))
    parser.set_defaults(**defaults)


def _certainty(words: list[str], preset: Preset) -> Mapping[str, Any]:
    """Return the flags of a certainty, less those that what the user gave takes the sense of."""
    chosen = preset.certainty
    assert chosen is not None
    said: dict[str, Any] = {"level": chosen.level, "scope": chosen.scope, "runs": chosen.runs}
    ranges, unit, resample = (
        flags.word_after(words, f"--{f}") for f in ("ranges", "unit", "resample")
    )
    resample = unit or resample
    if resample is None and ranges is None:
        said["ranges"] = chosen.ranges
    if resample is None and chosen.is_published and ranges != "simultaneous":
        said["resample"] = chosen.unit
    return said
