"""An official ranking of scores: which mean orders, which test makes a win, what follows from it.

Each campaign that published scores had its own rules. A `Procedure` holds those of one by name, so
that its tables come out again; what the rules assert, and how often that is false, stands beside.

From which systems beat which to rank ranges and to lines between clusters, as was published.

``order`` holds systems best first, ``beats[i, j]`` is whether i is significantly better than j.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.comparing.pair_tests import PairTest, permutation, stouffer_by_domain
from analysis.comparing.score_table import ScoreTable
from analysis.errors import PodiumError
from analysis.provenance import Provenance
from analysis.rankers.ranker import best_first

BoolArray = npt.NDArray[np.bool_]
Ends = tuple[IntArray, IntArray]
"""The lower and upper end of every system's rank range."""


def ranges_from_wins(beats: BoolArray, order: IntArray) -> Ends:
    """Return 1 + losses to K - wins."""
    return 1 + beats.sum(axis=0), len(beats) - beats.sum(axis=1)


def ranges_by_walking(beats: BoolArray, order: IntArray) -> Ends:
    """Walk up and down from a system's place to the first one that differs significantly.

    What lies beyond that one is not looked at.
    """
    low, high = np.ones(len(order), dtype=np.int64), np.full(len(order), len(order))
    for place, system in enumerate(order):
        above = [k for k in range(place) if beats[order[k], system]]
        below = [k for k in range(place + 1, len(order)) if beats[system, order[k]]]
        low[system] = above[-1] + 2 if above else 1
        high[system] = below[0] if below else len(order)
    return low, high


def ranges_of_clusters(clusters: IntArray) -> Ends:
    """Return the first and last place of every system's cluster."""
    above = (clusters[None, :] < clusters[:, None]).sum(axis=1)
    within = (clusters[None, :] == clusters[:, None]).sum(axis=1)
    return 1 + above, above + within


def clusters_by_pairs(beats: BoolArray, order: IntArray) -> IntArray:
    """Draw a line where every system above beats every one below."""
    sorted_beats = beats[np.ix_(order, order)]
    lines = [bool(sorted_beats[:k, k:].all()) for k in range(1, len(order))]
    return _clusters(lines, order)


def clusters_by_wins(beats: BoolArray, order: IntArray) -> IntArray:
    """Draw a line where the fewest wins of the systems above are as many as systems are below."""
    fewest = np.minimum.accumulate(beats.sum(axis=1)[order])
    lines = [bool(fewest[k - 1] == len(order) - k) for k in range(1, len(order))]
    return _clusters(lines, order)


def clusters_by_ranges(ends: Ends, order: IntArray) -> IntArray:
    """Draw a line where all ranges above end before all ranges below begin."""
    low, high = ends[0][order], ends[1][order]
    lines = [bool((high[:k] <= k).all() and (low[k:] > k).all()) for k in range(1, len(order))]
    return _clusters(lines, order)


def _clusters(lines: list[bool], order: IntArray) -> IntArray:
    """Number the clusters from the best on; lines[k - 1] lies after the k-th place."""
    clusters = np.ones(len(order), dtype=np.int64)
    clusters[order[1:]] += np.cumsum(lines, dtype=np.int64)
    return clusters


RangeRule = Literal["wins", "walk", "clusters"]
LineRule = Literal["pairs", "wins", "ranges"]


TESTED_ALONE = (
    "Each pair is tested alone, without adjustment for the number of pairs. The test treats "
    "segments as independent, including those of one judge or document."
)
"""What every official test leaves out of account."""


@dataclass(frozen=True)
class Procedure:
    """The rules of one campaign.

    ``average`` makes a system's score of its outputs' scores: of z where ``uses_z``. A system beats
    another where the p-value of ``test`` is below ``threshold`` and, unless ``wins_either_way``,
    its score is the higher one. ``ranges`` come from wins and losses, from a walk up and down the
    order, or are those of the cluster; ``lines`` between clusters stand where all pairs across are
    won, where wins count down to the systems below, or where ranges do not overlap. ``win_means``
    says what a win claims; ``note`` what is uncertain about how the campaign did it.
    """

    name: str
    title: str
    sentence: str
    citation: str
    references: tuple[str, ...]
    test: PairTest
    win_means: str
    note: str
    average: Callable[[ScoreTable, FloatArray], FloatArray] = ScoreTable.over_segments
    threshold: float = 0.05
    ranges: RangeRule = "wins"
    lines: LineRule = "pairs"
    wins_either_way: bool = False
    uses_z: bool = False

    @property
    def asserts(self) -> str:
        """What a win claims, and what all these tests leave out of account."""
        return f"{self.win_means} {TESTED_ALONE}"

    def run(
        self, table: ScoreTable, seed: int = 0, provenance: Provenance | None = None
    ) -> ProcedureResult:
        """Rank the systems of a table; ``seed`` is that of a permutation test."""
        scores = self.average(table, table.z if self.uses_z else table.good)
        order = best_first(scores)
        p = self.test(table, seed)
        beats = np.nan_to_num(p, nan=1.0) < self.threshold
        if not self.wins_either_way:
            beats &= scores[:, None] > scores[None, :]
        low, high, clusters = self._verdicts(beats, order)
        counted = np.where(np.isnan(table.z), np.nan, table.raw) if self.uses_z else table.raw
        return ProcedureResult(
            procedure=self,
            systems=table.systems,
            scores=scores,
            means=self.average(table, counted),
            z=table.over_segments(table.z),
            p=p,
            beats=beats,
            low=low,
            high=high,
            clusters=clusters,
            n_scores=len(table.raw),
            notes=(table.about_domains if self.test is stouffer_by_domain else ())
            + (table.about_z if self.uses_z else ()),
            provenance=(provenance or Provenance())
            | Provenance(
                extra=(("procedure", self.name),), seed=seed if self.test is permutation else None
            ),
        )

    def rank(self, judgments: Judgments, seed: int = 0) -> ProcedureResult:
        """Rank the systems of one language pair by the scores that count."""
        scores = judgments.scores
        if scores is None:
            raise PodiumError(
                f"Procedure {self.name}",
                "it ranks by scores of single outputs, and this campaign contains rankings",
                "Choose a method for rankings, such as expected-wins.",
            )
        table = ScoreTable.of(scores, judgments.systems)
        return self.run(table, seed, judgments.provenance)

    def _verdicts(
        self, beats: npt.NDArray[np.bool_], order: IntArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        ends = ranges_by_walking(beats, order)
        if self.ranges == "wins":
            ends = ranges_from_wins(beats, order)
        if self.lines == "pairs":
            clusters = clusters_by_pairs(beats, order)
        elif self.lines == "wins":
            clusters = clusters_by_wins(beats, order)
        else:
            clusters = clusters_by_ranges(ends, order)
        low, high = ranges_of_clusters(clusters) if self.ranges == "clusters" else ends
        return low, high, clusters


@dataclass(frozen=True, eq=False)
class ProcedureResult:
    """An official ranking, in the order of ``systems``.

    ``scores`` order the systems, ``means`` are in the file's own units, ``z`` in standard
    deviations of a judge's scores. ``p[i, j]`` belongs to "i is better than j", ``beats[i, j]`` is
    whether the procedure says so.
    """

    procedure: Procedure
    systems: tuple[str, ...]
    scores: FloatArray
    means: FloatArray
    z: FloatArray
    p: FloatArray
    beats: npt.NDArray[np.bool_]
    low: IntArray
    high: IntArray
    clusters: IntArray
    n_scores: int
    notes: tuple[str, ...]
    provenance: Provenance

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first."""
        return best_first(self.scores)

    @property
    def wins(self) -> IntArray:
        return np.asarray(self.beats.sum(axis=1))

    @property
    def n_clusters(self) -> int:
        return int(self.clusters.max(initial=0))

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        return str(self.provenance)

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best first."""
        order = self.order
        return pd.DataFrame(
            {
                "system": [self.systems[k] for k in order],
                "score": self.scores[order],
                "se": np.full(len(order), np.nan),
                "mean": self.means[order],
                "z": self.z[order],
                "wins": self.wins[order],
                "rank_best": self.low[order],
                "rank_worst": self.high[order],
                "cluster": self.clusters[order],
            }
        )

    def pairs_frame(self) -> pd.DataFrame:
        """Return a row a pair: a, placed above b, and the p-value of "a is better than b"."""
        order = self.order
        upper, lower = np.triu_indices(len(order), 1)
        above, below = order[upper], order[lower]
        return pd.DataFrame(
            {
                "a": [self.systems[k] for k in above],
                "b": [self.systems[k] for k in below],
                "p": self.p[above, below],
            }
        )


def official_pairs(results: Mapping[str, ProcedureResult]) -> pd.DataFrame:
    """Return the official rankings of language pairs below each other, each best first."""
    frames = [result.to_frame().assign(lang_pair=pair) for pair, result in results.items()]
    found = pd.concat(frames, ignore_index=True).drop(columns=["score", "se"])
    return found[["lang_pair", *found.columns.drop("lang_pair")]]
