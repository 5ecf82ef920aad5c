"""What a comparison of models comes to, in sentences for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.extras.validation.prediction.learning_curves import LearningCurve
from analysis.extras.validation.prediction.paired import (
    PairedComparison,
    Standing,
    guessed_accuracy,
)
from analysis.extras.validation.prediction.splits import Draw
from analysis.findings.standings import own_words
from analysis.ranking.uncertainty import scope_words
from analysis.wording import LONGEST_CLAIM, count, listed, thousands

GUESSING = 3.0
"""The perplexity of calling win, tie and loss equally likely."""

WIDE = 4.0
"""Points to either side from which on an accuracy is known too little to choose by."""


def verdict(comparison: PairedComparison) -> tuple[str, str]:
    """Say which methods predict significantly worse than the best, then how well it predicts.

    ("TrueSkill predicts significantly worse than Elo", "Elo predicts 47.0% of the unseen …")
    """
    best, equals = comparison.standings[0], comparison.not_separated
    others, shown = comparison.standings[1:], best.score.shown
    worse = [s.score.shown for s in others if s.score.method not in equals]
    share = (
        f"{shown} predicts {best.accuracy.value:.1%} of the unseen outcomes correctly; no method "
        f"that knows only the two systems can exceed {comparison.oracle:.1%}"
    )
    if best.accuracy.low <= guessed_accuracy(comparison.split):
        finding = "No method is shown to predict better than guessing"
    elif not others:
        finding = f"{shown} predicts better than guessing"
    elif not worse:
        finding = "No method is significantly more accurate than the others"
        calm = comparison.calmest
        if calm.perplexity.value < GUESSING and not comparison.not_told_from_best("perplexity"):
            name = calm.score.shown
            finding = f"No method is significantly more accurate; {name} has the best probabilities"
        elif unsure := _worse_by_perplexity(comparison):
            alike = "No method is significantly more accurate"
            have = f"{'has' if len(unsure) == 1 else 'have'} significantly worse probabilities"
            finding = f"{alike}; {listed(unsure)} {have}"
            if len(finding.split()) > LONGEST_CLAIM:
                finding = f"{alike}; {len(unsure)} {have}"
        elif len(others) == 1:
            finding = f"{shown} and {others[0].score.shown} do not differ significantly"
    elif not equals:
        finding = f"{shown} predicts significantly better than every other method"
    else:
        finding = f"{listed(worse)} {_verb(worse)} significantly worse than {shown}"
        if len(finding.split()) > LONGEST_CLAIM:
            finding = f"{len(worse)} of {len(others)} methods predict significantly worse than best"
    return finding, share


def _worse_by_perplexity(comparison: PairedComparison) -> list[str]:
    """Return whose probabilities are significantly worse than the best."""
    calm, alike = comparison.calmest, comparison.not_told_from_best("perplexity")
    others = [s for s in comparison.standings if s is not calm]
    return [s.score.shown for s in others if s.score.method not in alike]


def _verb(names: Sequence[str]) -> str:
    return "predicts" if len(names) == 1 else "predict"


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
    """Say whose probabilities are significantly worse than the best, and whose than guessing."""
    calm, alike = comparison.calmest, comparison.not_told_from_best("perplexity")
    others = [s for s in comparison.standings if s is not calm]
    worse, said = _worse_by_perplexity(comparison), []
    if worse and not alike:
        said.append(f"The best probabilities come from {calm.score.shown}.")
    elif worse:
        are = "is" if len(worse) == 1 else "are"
        said.append(
            f"By perplexity, {listed(worse)} {are} significantly worse than {calm.score.shown}."
        )
    elif others:
        said.append("By perplexity, the methods do not differ significantly.")
    worst: dict[str, dict[str, str]] = {}
    for standing in comparison.standings:
        found = standing.perplexity
        if found.value >= GUESSING:
            how = "worse than" if found.low > GUESSING else "no better than"
            worst.setdefault(how, {})[standing.score.shown] = f"{found.value:.2f}"
    said += [
        f"The probabilities of {listed([*found])} are {how} guessing: perplexity "
        f"{listed([*found.values()])}, guessing {GUESSING:.2f}."
        for how, found in worst.items()
    ]
    return " ".join([*said, "A ranking may be right all the same."] if worst else said)


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
    if not worst:
        return []
    reached = listed([f"{perplexity:.3g}" for perplexity in worst.values()])
    return [
        f"The probabilities of {listed([*worst])} are worse than guessing at some size: their "
        f"perplexity reaches {reached} (guessing: {GUESSING:g})."
    ]


def too_noisy_words(curve: LearningCurve) -> list[str]:
    """Say that a test on so few judgments compares no methods; nothing if there are enough."""
    if 200 * curve.test_error < WIDE:
        return []
    return ["Too few judgments are predicted to compare methods by this campaign alone."]


def split_words(comparison: PairedComparison) -> str:
    """Say what was predicted, and what lines and shades mean."""
    split, n_tasks = comparison.split, comparison.split.held_out.n_tasks
    what = count(len(split.held_out), own_words(split.judgments, "judgment"))
    return (
        what
        + (f" of {count(n_tasks, 'task')} " if n_tasks != len(split.held_out) else " ")
        + f"predicted in {count(split.n_folds, 'fold')}. A line is the {comparison.level:.0%} "
        f"interval of one difference, for {speaks_for(comparison)}. Shaded rows do not differ "
        "significantly from the best (Holm's test of all comparisons with it). Shading does not "
        "mean a good result: if judgments are few, a much worse method can stay shaded."
    )


def speaks_for(comparison: PairedComparison) -> str:
    """Say for whom intervals are valid, as `scope_words` does."""
    return scope_words(comparison.scope, comparison.missing)


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
