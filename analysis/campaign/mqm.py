"""What an error costs in MQM, and the scores that marked errors come to.

Reference: Freitag et al. 2021, *Experts, Errors, and Context: A Large-Scale Study of Human
Evaluation for Machine Translation*, TACL 9, Table 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.campaign.ragged import FloatArray
from analysis.campaign.scores import ErrorSpans, Scale, Scores
from analysis.parameters import Parameterized, number

MQM = Scale("MQM score", high=0.0)
"""An output's errors by weight, below 0; without errors it is 0."""


def _kind(category: str, severity: str) -> str:
    """Return what an error is to the weights; empty if it costs nothing."""
    kind, how = category.strip().casefold(), severity.strip().casefold()
    free = kind.startswith("source ") or kind.endswith("creative reinterpretation")
    if free or how in ("neutral", "no-error", "no error"):
        return ""
    if kind.startswith("non-translation"):
        return "non-translation"
    if how in ("major", "critical"):
        return how
    return "minor punctuation" if kind.endswith("/punctuation") else "minor"


@dataclass(frozen=True)
class MqmWeights(Parameterized):
    """What errors cost: by severity, with two categories that have costs of their own."""

    major: float = number(5.0, "weight of a major error", low=0, high=25, step=0.5)
    minor: float = number(1.0, "weight of a minor error", low=0, high=10, step=0.1)
    critical: float = number(
        10.0, "weight of a critical error, if a campaign has that severity",
        low=0, high=50, step=0.5,
    )  # fmt: skip
    punctuation: float = number(0.1, "weight of a minor punctuation error", low=0, high=5, step=0.1)
    non_translation: float = number(
        25.0, "weight of an output that is not a translation", low=0, high=100, step=0.5
    )

    def weight(self, category: str, severity: str) -> float:
        """Return what one error costs; errors of the source, and none, cost nothing.

        >>> cost = MqmWeights().weight
        >>> cost("Accuracy/Omission", "Major"), cost("Fluency/Punctuation", "Minor")
        (5.0, 0.1)
        >>> cost("Non-translation!", "Major"), cost("Source issue", "Major"), cost("", "Neutral")
        (25.0, 0.0, 0.0)
        """
        kind = _kind(category, severity)
        field = kind.replace("-", "_").removeprefix("minor ")
        return float(getattr(self, field)) if kind else 0.0

    def words(self, scores: Scores) -> str:
        """Say what the errors cost that a score comes from: "major 5, minor 1"; else nothing."""
        errors = scores.errors
        if errors is None or scores.scale != MQM:
            return ""
        names, levels = errors.categories, errors.severities
        codes = np.unique(errors.category * len(levels) + errors.severity).tolist()
        both = [(names[code // len(levels)], levels[code % len(levels)]) for code in codes]
        found = {_kind(*one): self.weight(*one) for one in both}
        return ", ".join(f"{kind} {found[kind]:g}" for kind in sorted(found) if kind)

    def scores(self, errors: ErrorSpans, n: int) -> FloatArray:
        """Return the scores of ``n`` outputs: minus the sum of what their errors cost."""
        costs = np.array(
            [[self.weight(c, s) for s in errors.severities] for c in errors.categories]
        ).reshape(len(errors.categories), len(errors.severities))
        cost = costs[errors.category, errors.severity]
        value = np.zeros(n)
        np.subtract.at(value, errors.scored, cost)
        return value

    def applied(self, scores: Scores) -> Scores:
        """Return MQM scores under these weights; other scores stay as they are."""
        if scores.errors is None or scores.scale != MQM:
            return scores
        return replace(scores, value=self.scores(scores.errors, len(scores)))
