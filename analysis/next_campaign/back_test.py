"""Whether forecasts from fifths of the campaign's tasks contain what all of them show."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import UndefinedResultError
from analysis.next_campaign.evidence import FEWEST_TASKS
from analysis.next_campaign.outlook import AtHand, Limits, counted_tasks, look_ahead
from analysis.parallel import Progress, map_items
from analysis.rankers import Ranker
from analysis.ranking.certainty import DEFAULT_CERTAINTY
from analysis.ranking.ranking import quick_ranking
from analysis.ranking.verdict import Verdict

PART = 5
"""One task in so many foretells the whole."""


@dataclass(frozen=True)
class BackTest:
    """How often intervals of this ``certainty`` contained what the whole campaign shows.

    ``share_held`` counts the trials whose interval contains the share of significant pairs,
    ``tiers_held`` those whose interval contains the number of tiers. They tell little of the
    forecast if no two systems differ in the whole campaign, as ``is_telling`` says.
    """

    trials: int
    certainty: float
    share_held: int
    tiers_held: int
    is_telling: bool = True


def back_test(
    judgments: Judgments,
    verdict: Verdict,
    ranker: Ranker,
    *,
    certainty: float = 0.9,
    trials: int = 20,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> BackTest | None:
    """Foretell a campaign from random fifths of it; None where a fifth has too few tasks.

    ``verdict`` is what all judgments tell apart by the method. A fifth's growth is that which came:
    so many more tasks, segments and judges. Tasks count that inform the verdict.
    """
    judgments = judgments.take_tasks(counted_tasks(judgments, verdict))
    if judgments.n_tasks < PART * FEWEST_TASKS or not verdict.units:
        return None
    ranked = verdict.rank_best > 0
    pairs = np.ix_(ranked, ranked)
    shown = (
        float(verdict.significant[pairs][np.triu_indices(ranked.sum(), 1)].mean()),
        verdict.n_tiers,
    )
    function = partial(_hold, judgments, verdict, ranker, shown, certainty)
    held = map_items(function, range(trials), seed=seed, executor=executor, progress=progress)
    share_held, tiers_held = np.sum(held, axis=0).tolist()
    return BackTest(trials, certainty, share_held, tiers_held, shown[0] > 0)


def _hold(
    judgments: Judgments,
    verdict: Verdict,
    ranker: Ranker,
    shown: tuple[float, int],
    certainty: float,
    _: int,
    rng: np.random.Generator,
) -> Sequence[bool]:
    """Return whether one fifth's intervals hold what the whole shows."""
    tasks = rng.permutation(judgments.n_tasks)[: judgments.n_tasks // PART]
    part = judgments.take_tasks(np.sort(tasks))
    chosen = replace(DEFAULT_CERTAINTY, level=verdict.level, scope=verdict.scope)
    known = quick_ranking(part, ranker, chosen).verdict
    if known is None or len(AtHand.of(part, known).systems) < 2:
        raise UndefinedResultError("Outlook", "a fifth compares no two systems", "Add judgments.")
    came = Limits(
        segments=verdict.units.get("segment", np.inf), judges=verdict.units.get("judge", np.inf)
    )
    size = np.array([judgments.n_tasks])
    outlook = look_ahead(part, known, size, came, seed=int(rng.integers(2**31)))
    ends = (outlook.share_interval(certainty), outlook.tiers_interval(certainty))
    return [
        bool(low - 1e-9 <= value <= high + 1e-9)
        for value, ((low,), (high,)) in zip(shown, ends, strict=True)
    ]
