"""What Before and after says of two states of a campaign in which nothing has changed."""

from __future__ import annotations

import numpy as np

from analysis.extras.snapshots.snapshots import States, compare_states
from analysis.rankers import RANKERS
from analysis.ranking.ranking import Ranking, rank
from tests.tools.audit.generator import Known, draw, grown_by_others
from tests.tools.audit.measures import DIFFER, SETTLED, TURNED, Measure, Outcome, wrong


def states(method: str = "expected-wins", grown: bool = False) -> Measure:
    """Compare a campaign with another one of the same systems, or ``grown``, with itself doubled.

    The other one has as many tasks, by other judges on other sentences.
    """
    ranker = RANKERS[method]()

    def ranking(campaign: Known) -> Ranking:
        return rank(campaign.campaign.judgments(), ranker)

    def measure(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
        if grown:
            after = rank(grown_by_others(known, 2, rng).judgments(), ranker)
        else:
            after = ranking(draw(known.nature, rng, known.abilities))
        found = compare_states(ranking(known), after)
        one = found.of("settled") + found.of("opened")
        return {
            TURNED: (float(bool(found.of("turned"))), 1),
            SETTLED: (float(_some_wrong(known, found)), 1),
            DIFFER: (float(bool(one)), 1),
        }

    return measure


def _some_wrong(known: Known, found: States) -> bool:
    false, place = wrong(known), {name: k for k, name in enumerate(known.campaign.systems)}
    return any(false[place[c.upper], place[c.lower]] for c in found.of("settled"))
