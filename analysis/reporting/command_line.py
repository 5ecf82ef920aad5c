"""The shell command that makes a ranking again."""

from __future__ import annotations

import shlex

from analysis.campaign import SELECTION_FIELDS, Selection
from analysis.parameters import hyperparameters
from analysis.rankers import Ranker
from analysis.rankers.draws import ResamplingUnit


def rank_command(
    file: str,
    pair: str,
    ranker: Ranker,
    *,
    unit: ResamplingUnit,
    runs: int,
    level: float,
    seed: int,
    selection: Selection,
) -> str:
    """Return the command whose numbers are those of `rank` with these settings.

    Every setting is named, so that another default changes nothing; hyperparameters only where
    they differ from theirs.
    """
    words = ["python", "-m", "analysis", "rank", file]
    words += ["--pair", pair, "--method", ranker.name]
    for parameter in hyperparameters(type(ranker)):
        value = getattr(ranker, parameter.name)
        if value != parameter.default:
            words.append(f"{parameter.flag}={_plain(value)}")
    words += ["--resample", unit, "--runs", str(runs)]
    words += ["--level", f"{level:g}", "--seed", str(seed)]
    for chosen in SELECTION_FIELDS:
        words += chosen.arguments(getattr(selection, chosen.name))
    return shlex.join(words)


def _plain(value: object) -> str:
    """Write a value as a flag takes it, with all its digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)
