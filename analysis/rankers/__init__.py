"""The registry of rankers: what the command line and the dashboard offer, by name."""

from __future__ import annotations

from analysis.campaign import Judgments, RankingTasks
from analysis.errors import PodiumError
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.controlled import Controlled
from analysis.rankers.elo import Elo
from analysis.rankers.feedback_arc import Lopez
from analysis.rankers.graded_response import GradedResponse
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.hopkins_may.categorical import HopkinsMayCategorical
from analysis.rankers.judge_aware import JudgeAware
from analysis.rankers.mean import Mean
from analysis.rankers.most_probable import MostProbable
from analysis.rankers.playoffs import Playoffs
from analysis.rankers.ranker import Fit, Ranker
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT
from analysis.rankers.trueskill import TrueSkill


def registered(*rankers: type[Ranker]) -> dict[str, type[Ranker]]:
    """Return rankers by name; one that names no reference cannot come in."""
    for ranker in rankers:
        if not ranker.references:
            raise PodiumError(
                f"Ranker {ranker.name!r}",
                "it names no reference",
                "Give its class ``references``, keys of the bibliography.",
            )
    return {ranker.name: ranker for ranker in rankers}


RANKERS = registered(
    OrigWMT,
    Bojar,
    ExpectedWins,
    Lopez,
    MostProbable,
    Playoffs,
    BradleyTerry,
    JudgeAware,
    Controlled,
    Elo,
    HopkinsMay,
    TrueSkill,
    HopkinsMayCategorical,
    GradedResponse,
    Mean,
)
DEFAULT_METHOD = TrueSkill.name
COMPARED_METHODS = (ExpectedWins.name, HopkinsMay.name, TrueSkill.name)
"""What is compared when nobody has chosen: the methods of WMT13 and WMT14."""


def rankers_for(judgments: Judgments) -> dict[str, type[Ranker]]:
    """Return the rankers that these judgments are enough for: some need scores."""
    has_scores = judgments.scores is not None
    return {name: one for name, one in RANKERS.items() if has_scores or not one.needs_scores}


def default_method(campaign: RankingTasks | Judgments) -> str:
    """Return the method that nobody has to choose: of scores the mean."""
    return DEFAULT_METHOD if campaign.scores is None else Mean.name


def compared_methods(campaign: RankingTasks | Judgments) -> tuple[str, ...]:
    """Return the methods that are compared when nobody has chosen."""
    if campaign.scores is None:
        return COMPARED_METHODS
    return (Mean.name, ExpectedWins.name, TrueSkill.name)


def ranker_class(name: str) -> type[Ranker]:
    """Return the ranker of this name; an unknown name raises and lists the known ones."""
    if name not in RANKERS:
        raise PodiumError(
            "Method", f"{name!r} is not known", f"Choose one of {', '.join(RANKERS)}."
        )
    return RANKERS[name]


__all__ = [
    "COMPARED_METHODS",
    "DEFAULT_METHOD",
    "RANKERS",
    "Fit",
    "Ranker",
    "compared_methods",
    "default_method",
    "ranker_class",
    "rankers_for",
]
