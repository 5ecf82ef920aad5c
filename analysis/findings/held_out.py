"""What a comparison of models comes to, in sentences for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.prediction.learning_curves import LearningCurve
from analysis.prediction.paired import PairedComparison, Standing
from analysis.wording import count, thousands

GUESSING = 3.0
"""The perplexity of calling win, tie and loss equally likely."""


def lowest_perplexity(comparison: PairedComparison) -> Standing:
    """Return the model that was least surprised."""
    return min(comparison.standings, key=lambda s: s.perplexity.value)


def difference_title(comparison: PairedComparison) -> str:
    """Say who leads in accuracy."""
    best, n_equal = comparison.standings[0].score.shown, len(comparison.not_told_apart)
    n = len(comparison.standings)
    if n == 1:
        return f"{best}: add a method to compare it with"
    if not n_equal:
        return f"{best} leads in accuracy"
    if n_equal + 1 == n:
        return f"None of {n} methods leads in accuracy"
    return f"{n_equal + 1} of {n} methods share the lead in accuracy"


def probability_words(comparison: PairedComparison) -> str:
    """Say whose probabilities fit best, where one model's can be told from all others'."""
    calm = lowest_perplexity(comparison).score
    others = [s.score.method for s in comparison.standings if s.score is not calm]
    apart = [comparison.difference(m, calm.method).perplexity.low > 0 for m in others]
    if apart and all(apart):
        return f"The best probabilities come from {calm.shown}."
    return ""


def calibration_title(standings: Sequence[Standing]) -> str:
    """Say how far stated chances are from what came true."""
    errors = sorted(100 * s.score.calibration.error for s in standings)
    if len(errors) == 1:
        return f"Stated chances are off by {errors[0]:.1f} points on average"
    return f"Stated chances are off by {errors[0]:.1f} to {errors[-1]:.1f} points on average"


def curve_title(curve: LearningCurve) -> str:
    """Say what more judgments bring to the model that ends best."""
    last = max(p.size for p in curve.points)
    best = max((p for p in curve.points if p.size == last), key=lambda p: p.accuracy.mean())
    first = min((p for p in curve.points if p.method == best.method), key=lambda p: p.size)
    end = f"{best.accuracy.mean():.1%} after {thousands(best.size)}"
    if first is best:
        return f"Accuracy: {end} judgments"
    start = f"{first.accuracy.mean():.1%} after {thousands(first.size)} judgments"
    return f"Accuracy: {start}, {end}"


def split_words(comparison: PairedComparison) -> str:
    """Say what was predicted, and what the intervals of differences are made of."""
    split = comparison.split
    return (
        f"{count(len(split.held_out), 'judgment')} of {count(split.held_out.n_tasks, 'task')} "
        f"predicted in {count(split.n_folds, 'fold')}. Lines are {comparison.level:.0%} intervals "
        "of the paired difference, from drawing these tasks again "
        f"{thousands(comparison.runs)} times."
    )


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
