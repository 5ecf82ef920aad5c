"""The registry of rankers: what the command line and the dashboard offer, by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from analysis.campaign import Judgments, RankingTasks
from analysis.errors import PodiumError, unknown
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.elo import Elo
from analysis.rankers.feedback_arc import Lopez, MostProbable
from analysis.rankers.graded_response.graded_response import GradedResponse
from analysis.rankers.hopkins_may.categorical import HopkinsMayCategorical
from analysis.rankers.hopkins_may.gaussian import HopkinsMay
from analysis.rankers.mean import Mean
from analysis.rankers.playoffs import Playoffs
from analysis.rankers.ranker import Fit, Ranker
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT
from analysis.rankers.trueskill.trueskill import TrueSkill
from analysis.registry import extra_rankers


def registered(*rankers: type[Ranker]) -> dict[str, type[Ranker]]:
    """Return rankers by name; each must cite at least one paper, all of them in references.bib."""
    text = Path(__file__).parents[1].joinpath("references.bib").read_text(encoding="utf-8")
    known = set(re.findall(r"^@\w+\{([^,\s]+),", text, flags=re.MULTILINE))
    for ranker in rankers:
        unknown = sorted(set(ranker.references) - known)
        if unknown or not ranker.references:
            raise PodiumError(
                f"Ranker {ranker.name!r}",
                f"references.bib has no entry {unknown[0]!r}" if unknown else "it cites no paper",
                "Set its class attribute ``references`` to keys of entries in "
                "analysis/references.bib.",
            )
    return {ranker.name: ranker for ranker in rankers}


_CORE = (
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
    Mean,
)


class Registry(Mapping[str, type[Ranker]]):
    """All rankers by name: the core's, then those of the extras, which are loaded on first use."""

    @cached_property
    def _all(self) -> dict[str, type[Ranker]]:
        return registered(*_CORE, *extra_rankers())

    def __getitem__(self, name: str) -> type[Ranker]:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


RANKERS = Registry()
DEFAULT_METHOD = BradleyTerry.name
"""What ranks judgments when nobody has chosen: of four methods, its probabilities predict unseen
judgments best and its claims are within their promise most often (docs/statistics.md)."""

COMPARED_METHODS = (BradleyTerry.name, ExpectedWins.name, HopkinsMay.name, TrueSkill.name)
"""What is compared when nobody has chosen: the default, and the methods of WMT13 and WMT14."""


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
    found = RANKERS.get(name) or RANKERS.get(name.replace("_", "-"))
    if found is None:
        raise unknown("Method", name, RANKERS)
    return found


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
