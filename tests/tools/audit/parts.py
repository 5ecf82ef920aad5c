"""Parts of a campaign side by side, and effects of position and length: what is said of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np

from analysis.campaign import Attribute, Campaign
from analysis.extras.slices.by_slice import BySlice, by_slice
from analysis.extras.slices.controlled import Controlled
from analysis.extras.slices.effects import effects
from analysis.rankers import RANKERS, Ranker
from tests.tools.audit.generator import Floats, Known, Nature, Truth, campaign_of
from tests.tools.audit.measures import (
    DIFFERENCE_TOLD,
    EFFECT,
    INTERVAL_PART,
    Measure,
    Outcome,
    true_scores,
)

# --- parts ----------------------------------------------------------------------------------------


def parts_alike(
    parts: int, about: Literal["segment", "judge"] = "segment", method: str = "expected-wins"
) -> Measure:
    """Measure what is told of parts between which no system differs, but by chance."""
    ranker = RANKERS[method]()

    def measure(known: Truth, rng: np.random.Generator) -> dict[str, Outcome]:
        campaign = known.campaign
        names = campaign.segments if about == "segment" else campaign.judges
        part = Attribute(
            "part", about, codes=np.arange(len(names)) % parts,
            names=tuple(f"part {p}" for p in range(parts)),
        )  # fmt: skip
        cut = replace(campaign, attributes=(*campaign.attributes, part))
        found = by_slice(cut.judgments(), part, ranker)
        outcomes: dict[str, Outcome] = {DIFFERENCE_TOLD: (float(bool(found.told)), 1)}
        if isinstance(known, Known):
            outcomes[INTERVAL_PART] = _in_parts(known, found, ranker)
        return outcomes

    return measure


def _in_parts(known: Known, found: BySlice, ranker: Ranker) -> Outcome:
    scores = true_scores(ranker, known)
    of = [known.campaign.systems.index(system) for system in found.systems]
    true = scores[of] - scores[of].mean()
    inside = np.abs(found.scores - true) <= found.half
    return float(inside.sum()), float(inside.size)


# --- effects --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StyledNature:
    """Votes of which position and length decide a part, in log-odds.

    Judges like position ``position_spread`` more or less, and systems ``taste``; so do segments.
    The better a system, the longer its outputs, so that length hides in ability.
    """

    abilities: tuple[float, ...] = (0.6, 0.2, -0.1, -0.7)
    votes: int = 1000
    judges: int = 20
    segments: int = 60
    position: float = 0.4
    length: float = 1.5
    position_spread: float = 0.3
    taste: float = 0.3

    def draw(self, rng: np.random.Generator) -> Truth:
        """Draw one campaign."""
        n, k = self.votes, len(self.abilities)
        judge, segment = rng.integers(self.judges, size=n), rng.integers(self.segments, size=n)
        shown = np.argsort(rng.random((n, k)), axis=1)[:, :2]
        long = rng.uniform(20, 60, (n, 2)) * np.exp(-0.5 * shown)
        skill = (
            np.array(self.abilities)
            + rng.normal(0, self.taste, (self.judges, k))[judge]
            + rng.normal(0, self.taste, (self.segments, k))[segment]
        )
        first, second = np.take_along_axis(skill, shown, axis=1).T
        leaning = rng.normal(self.position, self.position_spread, self.judges)[judge]
        lead = first - second + leaning + self.length * (long[:, 0] - long[:, 1]) / long.sum(axis=1)
        won = rng.random(n) < 1 / (1 + np.exp(-lead))
        ranks = np.where(won[:, None], (1, 2), (2, 1))
        world = Nature(self.abilities, judges=self.judges)
        campaign = campaign_of(world, judge, segment, shown, ranks)
        about = Attribute("length", "output", values=long.ravel())
        return Truth(replace(campaign, attributes=(about,)), np.array(self.abilities))


CONTROLLED = Controlled(control="position,length")
MANY = 150_000
"""Votes, each by a judge and on a segment of its own, that stand for endless ones."""


def effects_of(nature: StyledNature) -> Measure:
    """Measure the intervals of what position and length do, for other judges and sentences."""

    def measure(known: Truth, rng: np.random.Generator) -> dict[str, Outcome]:
        told = effects(CONTROLLED.fit(known.campaign.judgments()))
        true = _true_effects(nature)
        inside = (told.low <= true) & (true <= told.high)
        return {EFFECT: (float(inside.sum()), float(inside.size))}

    return measure


@cache
def _true_effects(nature: StyledNature) -> Floats:
    """Return the effects over judges and segments, each with one vote."""
    endless = replace(nature, votes=MANY, judges=MANY, segments=MANY)
    campaign: Campaign = endless.draw(np.random.default_rng(0)).campaign
    return CONTROLLED.fit(campaign.judgments()).effects


STYLED: dict[str, StyledNature] = {
    "20 judges": StyledNature(),
    "5 judges": StyledNature(judges=5),
    "no effect": StyledNature(position=0.0, length=0.0),
}
