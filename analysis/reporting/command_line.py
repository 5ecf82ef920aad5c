"""The shell command that makes a ranking again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from analysis.campaign import SELECTION_FIELDS, Judgments, Selection
from analysis.parameters import hyperparameters
from analysis.rankers import Ranker
from analysis.ranking.certainty import Certainty


def rank_command(
    files: Sequence[str],
    pair: str,
    ranker: Ranker,
    *,
    certainty: Certainty,
    judgments: Judgments,
) -> str:
    """Return the command whose numbers are those of `rank` with these settings.

    Every setting with an effect is named, so that another default changes nothing; hyperparameters
    only where they differ from theirs.
    """
    words = ["rank", *files, "--lang-pair", pair]
    words += setting_words(ranker, certainty, judgments.selection)
    if ranker.has_derivative(judgments) and not certainty.is_official:
        resamples = words.index("--resamples")
        del words[resamples : resamples + 2]
    return shlex.join(["podium", *words])


def files_command(
    files: Sequence[str],
    output: str,
    pair: str,
    title: str,
    ranker: Ranker,
    *,
    certainty: Certainty,
    selection: Selection,
) -> str:
    """Return the command that writes the files of a language pair; of all pairs if none is named.

    Nothing if the judgments come from no file.
    """
    if not files:
        return ""
    which = ["--lang-pair", pair] if pair else ["--all-pairs"]
    words = ["rank", *files, *which, *setting_words(ranker, certainty, selection)]
    return shlex.join(["podium", *words, f"--title={title}", "-o", output])


def setting_words(ranker: Ranker, certainty: Certainty, selection: Selection) -> list[str]:
    """Return every setting of a ranking as words of a command."""
    words = ["--method", ranker.name]
    for parameter in hyperparameters(type(ranker)):
        value = getattr(ranker, parameter.name)
        if value != parameter.default:
            words.append(f"{parameter.flag}={_plain(value)}")
    scope = "these" if certainty.is_official else certainty.scope
    words += ["--ranges", certainty.ranges, "--scope", scope]
    if certainty.is_official:
        words += ["--unit", certainty.unit]
    words += ["--resamples", str(certainty.runs)]
    words += ["--level", f"{certainty.level:g}", "--seed", str(certainty.seed)]
    for chosen in SELECTION_FIELDS:
        words += chosen.arguments(getattr(selection, chosen.name))
    return words


def _plain(value: object) -> str:
    """Write a value as a flag takes it, with all its digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)
