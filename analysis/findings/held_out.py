"""What a comparison of models comes to, in sentences for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.prediction.learning_curves import LearningCurve
from analysis.prediction.paired import PairedComparison, Standing, guessed_accuracy
from analysis.prediction.protocol import Draw
from analysis.ranking.uncertainty import SCOPES
from analysis.wording import count, listed, thousands

GUESSING = 3.0
"""The perplexity of calling win, tie and loss equally likely."""

WIDE = 4.0
"""Points to either side from which on an accuracy is known too little to choose by."""


def verdict(comparison: PairedComparison) -> tuple[str, str]:
    """Say which model to believe and how sure that is, then how well it predicts.

    ("Elo predicts best at the 95% level", "it predicts 47.0% of the unseen outcomes correctly; …")
    """
    best, equals = comparison.standings[0], comparison.not_separated
    level, shown = f"{comparison.level:.0%}", best.score.shown
    share = (
        f"predicts {best.accuracy.value:.1%} of the unseen outcomes correctly; no model that "
        f"knows only the two systems can exceed {comparison.oracle:.1%}"
    )
    if best.accuracy.low <= guessed_accuracy(comparison.split):
        finding = "No model is shown to predict better than guessing"
        return finding, f"the first, {shown}, {share}"
    if len(comparison.standings) == 1:
        return f"{shown} predicts better than guessing", f"it {share}"
    if not equals:
        return f"{shown} predicts best at the {level} level", f"it {share}"
    titles = [s.score.shown for s in comparison.standings]
    if len(titles) == 2:
        finding = f"{listed(titles)} do not differ significantly"
    elif len(equals) == len(titles) - 1:
        finding = "No model predicts significantly better than the others"
    else:
        finding = f"{len(equals) + 1} of {len(titles)} models predict best"
    return f"{finding} at the {level} level", f"the first, {shown}, {share}"


def verdict_sentence(comparison: PairedComparison) -> str:
    """Say both in one sentence."""
    return f"{': '.join(verdict(comparison))}."


def difference_title(comparison: PairedComparison) -> str:
    """Say what the distances are from: the heading has the verdict."""
    best = comparison.standings[0].score.shown
    if len(comparison.standings) == 1:
        return f"{best}: add a method to compare it with"
    return f"Accuracy minus that of {best}"


def probability_words(comparison: PairedComparison) -> str:
    """Say whose probabilities fit best, where one model's can be told from all others'."""
    if len(comparison.standings) > 1 and not comparison.not_told_from_best("perplexity"):
        return f"The best probabilities come from {comparison.calmest.score.shown}."
    return ""


def calibration_title(standings: Sequence[Standing]) -> str:
    """Say how far stated probabilities are from how often they came true."""
    errors = sorted(100 * s.score.calibration.error for s in standings)
    if len(errors) == 1:
        return f"Stated probabilities are off by {errors[0]:.1f} points on average"
    return f"Stated probabilities are off by {errors[0]:.1f} to {errors[-1]:.1f} points on average"


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


def curve_words(curve: LearningCurve, draw: Draw) -> str:
    """Say what the methods of learning curves learn from, and how well their test knows them."""
    drawn = (
        "use separate random training judgments"
        if draw == "own"
        else ("use the same training judgments")
    )
    known = (
        f"All methods {drawn} and predict the same unseen judgments, which give an accuracy "
        f"within ±{200 * curve.test_error:.1f} points."
    )
    return " ".join([known, *curve.notes, *worse_than_guessing(curve)])


def worse_than_guessing(curve: LearningCurve) -> list[str]:
    """Name the models whose probabilities are worse than guessing at some size."""
    worst: dict[str, float] = {}
    for point in curve.points:
        found = float(point.perplexity.mean())
        if found > GUESSING:
            worst[point.method] = max(found, worst.get(point.method, 0.0))
    return [
        f"The probabilities of {method} are worse than guessing: its perplexity reaches "
        f"{perplexity:.3g} (guessing: {GUESSING:g})."
        for method, perplexity in worst.items()
    ]


def too_noisy_words(curve: LearningCurve) -> list[str]:
    """Say that a test on so few judgments compares no methods; nothing if there are enough."""
    if 200 * curve.test_error < WIDE:
        return []
    return ["Too few judgments are predicted to compare methods by this campaign alone."]


def split_words(comparison: PairedComparison) -> str:
    """Say what was predicted, and what lines and shades mean."""
    split = comparison.split
    return (
        f"{count(len(split.held_out), 'judgment')} of {count(split.held_out.n_tasks, 'task')} "
        f"predicted in {count(split.n_folds, 'fold')}. A line is the {comparison.level:.0%} "
        f"interval of one difference, for {speaks_for(comparison)}. Shaded rows do not differ "
        "significantly from the best (Holm's test of all comparisons with it). Shading does not "
        "mean a good result: with 20 systems and few judgments, a much worse method stayed "
        "shaded in 40% of simulations."
    )


def speaks_for(comparison: PairedComparison) -> str:
    """Say for whom intervals hold: a unit of which there is one stands as it is.

    >>> from types import SimpleNamespace
    >>> speaks_for(SimpleNamespace(scope="new", missing={"judge": "All is of one judge."}))
    'new segments, but this judge only'
    """
    if comparison.scope == "these" or {"segment", "judge"} <= set(comparison.missing):
        return SCOPES["these"]
    if "judge" in comparison.missing:
        return "new segments, but this judge only"
    if "segment" in comparison.missing:
        return "new judges, but this segment only"
    return SCOPES["new"]


def published_words(table: pd.DataFrame, beside: Mapping[str, str]) -> str:
    """Say how far accuracies in percent lie from printed ones; ``beside`` pairs their columns."""
    apart = max((table[ours] - table[printed]).abs().max() for ours, printed in beside.items())
    return (
        f"All accuracies are within {apart:.1f} points of WMT14's published ones. The published "
        "oracle determined the samples' share of ties; all else comes from other tables."
    )


def too_few_words(comparison: PairedComparison) -> str:
    """Say that a test on so few judgments decides nothing; empty where there are enough."""
    first = comparison.standings[0].accuracy
    reach = 100 * (first.high - first.low) / 2
    if reach < WIDE:
        return ""
    return (
        f"Only {thousands(len(comparison.split.held_out))} judgments are predicted, so the "
        f"accuracy has an error of about ±{reach:.0f} points. Widen the selection, or collect "
        "more, before you choose."
    )
