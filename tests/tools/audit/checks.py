"""Quality control: who passes that does not read, and who reads and does not pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from analysis.campaign import Campaign
from analysis.campaign.scores import Checks
from analysis.judges.judge_verdicts import quality_control
from tests.tools.audit.measures import CLICKER, READER, Outcome
from tests.tools.audit.scored import ScoredNature


@dataclass(frozen=True)
class CheckedNature:
    """Judges with ``checks`` degraded outputs each, half of whom do not read.

    Scores go from 0 to 100. Reading, a judge scores a degraded output ``drop`` points lower, with
    ``noise``; not reading, as any other. Changes in a ``document`` of so many checks share a part
    with the standard deviation ``of_document``: a judge who warms up, or tires.
    """

    checks: int = 12
    judges: int = 10
    document: int = 4
    drop: float = 15.0
    noise: float = 15.0
    of_document: float = 0.0

    def draw(self, rng: np.random.Generator) -> Checked:
        """Draw the checks of one campaign."""
        n = self.judges * self.checks
        judge = np.repeat(np.arange(self.judges), self.checks)
        reads = np.arange(self.judges) % 2 == 0
        document = judge * n + np.tile(np.arange(self.checks) // self.document, self.judges)
        _, place = np.unique(document, return_inverse=True)
        shift = rng.normal(0, self.of_document, int(place.max()) + 1)[place]
        original = rng.normal(70, self.noise, n)
        change = -self.drop * reads[judge] + shift + rng.normal(0, 1.4 * self.noise, n)
        value = np.clip(np.round(original + change), 0, 100)
        checks = Checks(
            pairs=("aa-bb",),
            judges=tuple(f"judge{k}" for k in range(self.judges)),
            pair=np.zeros(n, dtype=np.int64),
            judge=judge,
            kind=np.zeros(n, dtype=np.int64),
            value=value,
            original=np.clip(np.round(original), 0, 100),
        )
        return Checked(replace(_any_campaign(), checks=checks), reads)


@dataclass(frozen=True, eq=False)
class Checked:
    """A campaign with checks, and which judge reads."""

    campaign: Campaign
    reads: np.ndarray


@cache
def _any_campaign() -> Campaign:
    nature = ScoredNature(systems=2, domains=1, segments=10)
    return nature.draw(np.random.default_rng(0)).campaign


def quality_holds(known: Checked, rng: np.random.Generator) -> dict[str, Outcome]:
    """Measure who passes: a sign test of each judge, at `LIMIT`."""
    found = quality_control(known.campaign, "aa-bb")
    assert found is not None
    passes = np.array([f"judge{k}" in found.attentive for k in range(len(known.reads))])
    reads = known.reads
    return {
        CLICKER: (float(passes[~reads].sum()), float((~reads).sum())),
        READER: (float(passes[reads].sum()), float(reads.sum())),
    }


CHECKED: dict[str, CheckedNature] = {
    "12 checks": CheckedNature(),
    "30 checks": CheckedNature(checks=30),
    "30 checks, documents hang together": CheckedNature(checks=30, of_document=7.0),
}
