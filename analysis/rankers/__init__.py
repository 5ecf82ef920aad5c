"""The registry of rankers: what the command line and the dashboard offer, by name."""

from __future__ import annotations

from analysis.errors import PodiumError
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.elo import Elo
from analysis.rankers.feedback_arc import Lopez
from analysis.rankers.graded_response import GradedResponse
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.hopkins_may.categorical import HopkinsMayCategorical
from analysis.rankers.most_probable import MostProbable
from analysis.rankers.playoffs import Playoffs
from analysis.rankers.ranker import CountRanker, Ranker
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT
from analysis.rankers.trueskill import TrueSkill

RANKERS: dict[str, type[Ranker]] = {
    ranker.name: ranker
    for ranker in (
        OrigWMT,
        Bojar,
        ExpectedWins,
        Lopez,
        MostProbable,
        Playoffs,
        BradleyTerry,
        Elo,
        HopkinsMay,
        TrueSkill,
        HopkinsMayCategorical,
        GradedResponse,
    )
}


def ranker_class(name: str) -> type[Ranker]:
    """Return the ranker of this name; an unknown name raises and lists the known ones."""
    if name not in RANKERS:
        raise PodiumError(
            "Method", f"{name!r} is not known", f"Choose one of {', '.join(RANKERS)}."
        )
    return RANKERS[name]


__all__ = ["RANKERS", "CountRanker", "Ranker", "ranker_class"]
