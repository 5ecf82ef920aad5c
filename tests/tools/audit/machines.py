"""Few votes of people and a machine's on all items: how often scores lie in their intervals.

The truth is the share of votes won by all votes of people in `sample:arena-people`, for the twelve
language models of Chatzi et al. 2024; a simulation draws 1,000 of these votes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from analysis.campaign import FloatArray, Selection
from analysis.extras.llm_judges.beside import Beside, lay_beside
from analysis.extras.llm_judges.prediction_powered import (
    MachineAlone,
    covers,
    draw_votes,
    machine_alone,
    prediction_powered,
    score_votes,
)
from analysis.extras.llm_judges.statistics import statistic
from analysis.samples import machine_judges, sample_campaign

SAMPLE = "arena-people"
MODELS = (
    "RWKV-4-Raven-14B", "alpaca-13b", "chatglm-6b", "claude-instant-v1", "claude-v1",
    "fastchat-t5-3b", "gpt-3.5-turbo", "gpt-4", "koala-13b", "oasst-pythia-12b", "palm-2",
    "vicuna-13b",
)  # fmt: skip
"""The models that the paper ranks."""

EXPECTED_RATIO = {
    "gpt-4-0125-preview": 0.91,
    "claude-3-opus-20240229": 0.97,
    "gpt-3.5-turbo": 0.99,
}
"""By machine: the standard error with its votes over that without, as first measured."""

WITH_MACHINE, RATIO = "interval, with a machine", "standard error, with over without"


@dataclass(frozen=True)
class MachineNature:
    """Which machine votes beside how many people."""

    judge: str
    votes: int = 1000

    def draw(self, rng: np.random.Generator) -> DrawnVotes:
        """Draw votes of people."""
        found, alone, truth = _all_votes(self.judge)
        drawn = draw_votes(found, self.votes, int(rng.integers(2**31)))
        return DrawnVotes(self, drawn, alone, truth)


@dataclass(frozen=True, eq=False)
class DrawnVotes:
    """Some votes of people beside a machine's, and the scores by all votes of people."""

    nature: MachineNature
    found: Beside
    alone: MachineAlone
    truth: FloatArray


@cache
def _all_votes(judge: str) -> tuple[Beside, MachineAlone, FloatArray]:
    people = sample_campaign(SAMPLE)
    others = tuple(name for name in people.systems if name not in MODELS)
    found = lay_beside(
        people, machine_judges(SAMPLE)[judge], judge, selection=Selection(exclude_systems=others)
    )
    method = statistic("win-share")
    return found, machine_alone(found, method), score_votes(method, found.people).scores


def with_machine(drawn: DrawnVotes, rng: np.random.Generator) -> dict[str, tuple[float, ...]]:
    """Measure how often intervals hold the truth, and how much narrower they are."""
    result = prediction_powered(drawn.found, statistic("win-share"), alone=drawn.alone)
    held = covers(result.powered, drawn.truth)
    return {
        WITH_MACHINE: (float(held.sum()), float(held.size)),
        RATIO: (result.se_ratio, 1.0, EXPECTED_RATIO[drawn.nature.judge]),
    }
