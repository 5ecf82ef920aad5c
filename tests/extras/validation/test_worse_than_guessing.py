"""What learning curves say of probabilities that are worse than calling all outcomes alike."""

from __future__ import annotations

import numpy as np

from analysis.extras.validation.prediction.findings import worse_than_guessing
from analysis.extras.validation.prediction.learning_curves import CurvePoint, LearningCurve


def point(method: str, size: int, *perplexity: float) -> CurvePoint:
    known = np.array(perplexity)
    return CurvePoint(method, size, known / 10, known, known, known)


def test_a_model_worse_than_guessing_at_any_size_is_named_once_with_its_worst() -> None:
    curve = LearningCurve(
        (point("five", 400, 11.0, 12.0), point("five", 800, 21.0), point("two", 400, 2.9)), 0.5, 0.0
    )
    (said,) = worse_than_guessing(curve)
    assert said.startswith("The probabilities of five are worse than guessing")
    assert "reaches 21 " in said
