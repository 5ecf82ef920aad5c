"""What Otani et al. (2016) claim of noisy judges, as a test of one campaign."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.campaign import Judgments
from analysis.extras.noise.noisy_judges import NoiseDesign, study_noise
from analysis.prediction.paper_claims import Claim, over_campaigns
from analysis.ranking.uncertainty import Interval

DESIGN = NoiseDesign(shares=(0.0, 0.5), sizes=(3200,), trials=2, gold_runs=30)


def suffers_least(judgments: Judgments, seed: int, design: NoiseDesign = DESIGN) -> Interval:
    """Return the least correlation that another method loses, minus what the model loses.

    The model's baseline is the middling system, as the paper advises.
    """
    baseline = judgments.systems[design.graded.find_baseline(judgments)]
    design = replace(design, graded=replace(design.graded, baseline=baseline))

    def value(campaign: Judgments, rng: np.random.Generator) -> float:
        study = study_noise(campaign, design, seed=int(rng.integers(2**31)))
        none, noisy = study.correlation[:, 0].mean(axis=1)
        model, *others = none - noisy
        return float(np.min(others) - model)

    return over_campaigns(judgments, seed, value)


CLAIMS = (
    Claim(
        "noise", "Otani et al. 2016",
        "The graded response model suffers least from noisy judges.",
        "correlation that the best other method loses to 50% noise, minus the model's loss",
        suffers_least, 0, -0.05, "if the model lost 0.05 more",
    ),
)  # fmt: skip
