"""Which system the graded response model compares all others with.

O16 (§6.3) advise to choose it before any judgment is collected: the system whose metric score (BLEU
or METEOR) is nearest the mean of all systems. Without scores, judgments say which one is middling.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import PodiumError, UndefinedResultError, control
from analysis.rankers.ratios import ExpectedWins


def named_baseline(judgments: Judgments, name: str) -> int:
    """Return the index of a system by its name; one that nobody met is refused."""
    if name not in judgments.systems:
        raise PodiumError(
            f"Setting {control('--baseline', 'baseline')}",
            f"{name!r} is not in this pair, which has {', '.join(judgments.systems)}",
            "Give a name as the file spells it, or none for the middle system.",
        )
    chosen = judgments.systems.index(name)
    if not judgments.counts.compared[chosen].any():
        raise UndefinedResultError(
            f"Baseline {name}",
            "no judgment compares another system with it",
            "Choose another baseline, or none for the middle system.",
        )
    return chosen


def middling_baseline(judgments: Judgments) -> int:
    """Return the system of Expected Wins nearest .5, among those that met most opponents."""
    n_opponents = (judgments.counts.compared > 0).sum(axis=1)
    wins = ExpectedWins().scores_from_counts(judgments.counts)
    distance = np.abs(wins - 0.5)
    distance[np.isnan(distance)] = np.inf
    return int(np.lexsort([np.arange(len(wins)), distance, -n_opponents])[0])


def baseline_by_metric(judgments: Judgments, scores: Mapping[str, float]) -> int:
    """Return the system whose metric score is nearest the mean of all the pair's systems (O16).

    Systems without a score do not count; of equally near ones the earlier by name is taken.
    """
    met = judgments.counts.compared.sum(axis=1) > 0
    known = {name: scores[name] for name in judgments.systems if name in scores}
    able = [name for name in known if met[judgments.systems.index(name)]]
    if len(known) < 2 or not able:
        raise PodiumError(
            f"Setting {control('--metric-scores', 'metric scores')}",
            f"it has scores of {len(known)} of the systems {', '.join(judgments.systems)}",
            "Give scores of all of them, with the names of the judgments.",
        )
    mean = sum(known.values()) / len(known)
    return judgments.systems.index(min(able, key=lambda name: (abs(known[name] - mean), name)))


def parse_metric_scores(text: str) -> dict[str, float]:
    """Read scores as ``name=score``, by comma or by line.

    >>> parse_metric_scores("online-B=31.2, uedin=29")
    {'online-B': 31.2, 'uedin': 29.0}
    """
    scores = {}
    for part in text.replace("\n", ",").split(","):
        if not part.strip():
            continue
        name, _, score = part.rpartition("=")
        try:
            scores[name.strip()] = float(score)
        except ValueError:
            name = ""
        if not name.strip() or not np.isfinite(scores.get(name.strip(), np.nan)):
            raise PodiumError(
                f"Setting {control('--metric-scores', 'metric scores')}",
                f"{part.strip()!r} is not a name and a score",
                "Use the form uedin=29.1.",
            )
    return scores
