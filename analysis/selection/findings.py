"""What a comparison of models comes to, in sentences for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.reporting.typography import thousands
from analysis.selection.learning_curves import LearningCurve
from analysis.selection.paired_comparison import PairedComparison, Standing

_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")

GUESSING = 3.0
"""The perplexity of calling win, tie and loss equally likely."""


def lowest_perplexity(comparison: PairedComparison) -> Standing:
    """Return the model that was least surprised."""
    return min(comparison.standings, key=lambda s: s.perplexity.value)


def difference_title(comparison: PairedComparison) -> str:
    """Say who leads in accuracy, and whose probabilities fit best where one model's do."""
    best, n_equal = comparison.standings[0].score.shown, len(comparison.not_told_apart)
    n = len(comparison.standings)
    if n == 1:
        return f"{best}: add a method to compare it with"
    if not n_equal:
        lead = f"{best} leads in accuracy"
    elif n_equal + 1 == n:
        lead = f"None of {n} methods leads in accuracy"
    else:
        lead = f"{_number(n_equal + 1)} methods share the lead in accuracy"
    calm = lowest_perplexity(comparison).score
    others = [s.score.method for s in comparison.standings if s.score is not calm]
    if all(comparison.difference(m, calm.method).perplexity.low > 0 for m in others):
        lead += f"; the best probabilities come from {calm.shown}"
    return lead


def calibration_title(standings: Sequence[Standing]) -> str:
    """Say whose stated chances come true, and whose do not."""
    by_error = sorted(standings, key=lambda s: s.score.calibration.error)
    first, last = by_error[0].score, by_error[-1].score
    words = (
        f"{first.shown}: stated and observed chances differ by "
        f"{_points(first.calibration.error)} on average"
    )
    if len(by_error) > 1:
        words += f"; {last.shown}: by {_points(last.calibration.error)}"
    return words


def curve_title(curve: LearningCurve) -> str:
    """Say what more judgments bring to the model that ends best."""
    last = max(p.size for p in curve.points)
    best = max((p for p in curve.points if p.size == last), key=lambda p: p.accuracy.mean())
    first = min((p for p in curve.points if p.method == best.method), key=lambda p: p.size)
    end = f"{best.accuracy.mean():.1%} after {thousands(best.size)}"
    if first is best:
        return f"Unseen outcomes named rightly: {end} judgments"
    start = f"{first.accuracy.mean():.1%} after {thousands(first.size)} judgments"
    return f"Unseen outcomes named rightly: {start}, {end}"


def published_words(table: pd.DataFrame, beside: Mapping[str, str]) -> str:
    """Say how far accuracies in percent lie from printed ones; ``beside`` pairs their columns."""
    apart = max((table[ours] - table[printed]).abs().max() for ours, printed in beside.items())
    return (
        f"Everywhere within {apart:.1f} points of what WMT14 printed. The samples' share of ties "
        "was set by the printed oracle; all else comes from other tables."
    )


def too_few_words(n_judgments: int) -> str:
    """Say that a test on so few judgments decides nothing; empty where there are enough."""
    error = 100 * np.sqrt(0.25 / max(1, n_judgments))
    if error < 2:
        return ""
    return (
        f"Only {thousands(n_judgments)} judgments are predicted: an accuracy is known to about "
        f"±{2 * error:.0f} points. Widen the selection, or collect more, before you choose."
    )


def _number(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _points(share: float) -> str:
    """Write a difference of shares in percentage points.

    >>> _points(.012), _points(.0099)
    ('1.2 points', '1.0 points')
    """
    return f"{100 * share:.1f} points"
