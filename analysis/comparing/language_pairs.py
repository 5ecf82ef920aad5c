"""All language pairs of a campaign in one run: one method, one unit, one level for all of them.

A pair that cannot be ranked does not stop the others: its reason stands in its place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from analysis.campaign import DEFAULT_SELECTION, Campaign, Judgments, Selection
from analysis.errors import PodiumError, control, unknown
from analysis.judges.agreement import Agreement, agreement, judged_once
from analysis.names import short_names
from analysis.parallel import Progress, map_items
from analysis.rankers import Ranker
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty
from analysis.ranking.ranking import Ranking, rank


@dataclass(frozen=True, eq=False)
class PairResult:
    """What one language pair comes to.

    Without a ``ranking``, ``problem`` says why there is none; without ``judgments``, the selection
    leaves none. ``agreement`` is None where it is not defined on these judgments. ``names`` go from
    a system's name to its short one.
    """

    pair: str
    names: Mapping[str, str]
    judgments: Judgments | None = None
    ranking: Ranking | None = None
    agreement: Agreement | None = None
    problem: str = ""

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems that could be best, best score first."""
        return () if self.ranking is None else self.ranking.possible_winners

    @property
    def is_settled_first(self) -> bool:
        """Whether there is a single winner."""
        return len(self.leaders) == 1

    @property
    def n_judges(self) -> int | None:
        """How many judges gave the judgments that count; None where the file names none."""
        return None if self.judgments is None else self.judgments.n_judges

    @property
    def kappa(self) -> float:
        """Strict agreement of different judges; nan where it is not defined or rests on too few."""
        if self.agreement is None or self.agreement.strict.inter.is_scarce:
            return float("nan")
        return self.agreement.strict.inter.kappa


Keep = Callable[[PairResult], None]
"""Called with each pair's result as soon as it is there, in the thread that asked."""


def selection_in(campaign: Campaign, pair: str, selection: Selection) -> Selection:
    """Drop the systems of other pairs from what is left out, which mean nothing in this one."""
    if not selection.exclude_systems:
        return selection
    everything = campaign.judgments(pair)
    known = {*everything.systems, *everything.left_out}
    kept = tuple(name for name in selection.exclude_systems if name in known)
    return dataclasses.replace(selection, exclude_systems=kept)


def whole_campaign(
    campaign: Campaign,
    ranker: Ranker,
    certainty: Certainty = DEFAULT_CERTAINTY,
    selection: Selection = DEFAULT_SELECTION,
    *,
    pairs: Sequence[str] = (),
    known: Mapping[str, PairResult] | None = None,
    keep: Keep | None = None,
    executor: Executor | None = None,
    workers: Executor | None = None,
    progress: Progress | None = None,
) -> tuple[PairResult, ...]:
    """Rank every language pair, or these ``pairs``, in the campaign's order.

    Pairs whose results are ``known`` are not computed again. Each pair's numbers are those that
    it has alone: its seed is the certainty's. ``executor`` runs the resamples of methods that need
    them, ``workers`` the pairs; without them, this machine's threads do.
    """
    for name in selection.exclude_systems:
        if name not in campaign.systems:
            where = control("--exclude-system", "System to leave out", "exclude_systems")
            raise unknown(where, name, campaign.systems)
    found = dict(known or {})
    ranked = pairs or campaign.pairs
    wanted = [pair for pair in ranked if pair not in found]

    def one(pair: str, _: np.random.Generator) -> PairResult:
        return pair_result(campaign, pair, ranker, certainty, selection, executor=executor)

    def each(place: int, result: PairResult) -> None:
        found[wanted[place]] = result
        if keep is not None:
            keep(result)

    map_items(one, wanted, seed=certainty.seed, executor=workers, progress=progress, each=each)
    return tuple(found[pair] for pair in ranked)


def pair_result(
    campaign: Campaign,
    pair: str,
    ranker: Ranker,
    certainty: Certainty = DEFAULT_CERTAINTY,
    selection: Selection = DEFAULT_SELECTION,
    *,
    executor: Executor | None = None,
) -> PairResult:
    """Rank one language pair; say why where that cannot be done."""
    names: Mapping[str, str] = {}
    judgments = None
    try:
        names = short_names(campaign.judgments(pair).systems)
        judgments = campaign.judgments(pair, selection_in(campaign, pair, selection))
        names = {**short_names(judgments.systems), **names}
        ranking = rank(judgments, ranker, certainty, executor=executor)
    except PodiumError as error:
        return PairResult(pair, names, judgments, problem=str(error))
    judged = judged_once(campaign, pair, judgments.selection)
    try:
        found = agreement(judged, level=certainty.level, seed=certainty.seed)
    except PodiumError:
        found = None
    return PairResult(pair, names, judgments, ranking, found)
