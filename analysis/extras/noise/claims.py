"""What Otani et al. (2016) claim of noisy judges, as a test of one campaign.

The standard error is that of the draws of noise: other random answers by the same judges.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import Judgments
from analysis.extras.noise.noisy_judges import NoiseDesign, study_noise
from analysis.prediction.paper_claims import Claim, Measured

DESIGN = NoiseDesign(shares=(0.0, 0.5), sizes=(3200,), trials=8, gold_runs=30)


def _suffers_least(judgments: Judgments, seed: int) -> Measured:
    """Return the least correlation that another method loses, less what the model loses."""
    correlation = study_noise(judgments, DESIGN, seed=seed).correlation[:, 0]
    lost = correlation[0] - correlation[1]
    ahead = lost[:, 1:].mean(axis=0)
    other = 1 + int(np.argmin(ahead))
    by_draw = lost[:, other] - lost[:, 0]
    return float(by_draw.mean()), float(by_draw.std(ddof=1) / len(by_draw) ** 0.5), len(by_draw) - 1


CLAIMS = (
    Claim(
        "noise", "Otani et al. 2016",
        "The graded response model suffers least from noisy judges.",
        "correlation that the best other method loses to 50% noise, minus the model's loss",
        _suffers_least, 0, -0.05, "if the model lost 0.05 more",
    ),
)  # fmt: skip
