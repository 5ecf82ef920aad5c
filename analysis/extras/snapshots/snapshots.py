"""Two states of one campaign, or two campaigns with common systems: what moved, what may be noise.

A change of order proves nothing by itself. What counts is which pairs differ significantly in each
state (`analysis.ranking.verdict`): a pair may have been *settled* (open before, significant
now), *opened* (significant before, open now) or *turned* (significant both times, the other way
round). Each state's claims are sure as the state's own are, so a turned pair says that the two
states are not of the same kind: other judges, other sentences, other outputs, or a mistake in one.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import Judgments
from analysis.errors import PodiumError
from analysis.extras.snapshots.moves import Moves, moves_between, moves_since
from analysis.findings.changes import Answer
from analysis.findings.standings import ranks_ratings
from analysis.rankers import Ranker, ranker_class
from analysis.ranking.ranking import Ranking
from analysis.ranking.verdict import Verdict

FEW_SHARED = 0.05
"""Share of common tasks up to which two files count as different: numbered alike by chance."""

FEWEST_ITEMS, SAME_SHARE = 10, 0.9
"""Items below which two files may have the same ones by chance, and the share of them."""

Kind = Literal["settled", "opened", "turned", "swapped"]
KINDS: tuple[Kind, ...] = ("turned", "settled", "opened", "swapped")


@dataclass(frozen=True)
class PairChange:
    """Two systems of which the states say different things; ``upper`` is above after.

    ``swapped``: the order turned, and the two differ significantly in neither state, so that it may
    be noise. ``p_before`` and ``p_after`` are adjusted for all pairs of their state, and nan by an
    official procedure.
    """

    kind: Kind
    upper: str
    lower: str
    p_before: float
    p_after: float


@dataclass(frozen=True)
class TaskCount:
    """Ranking tasks, or ratings, of two states: in both, only after, only before."""

    kept: int
    added: int
    removed: int


@dataclass(frozen=True, eq=False)
class States:
    """What two states of a campaign say; ``common`` systems are in the order after.

    ``moves`` are known if the judgments before are the first part of those after, or others.
    ``same_items``: other votes on the same segments and outputs, so that judges may differ, not
    systems. ``ratings`` are counted if the method averages them. A system that a state has but
    cannot rank, as nobody judged it yet, is not there. ``share`` is the first part's, if both are
    the parts of one file.
    """

    before: Ranking
    after: Ranking
    common: tuple[str, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]
    tasks: TaskCount
    changes: tuple[PairChange, ...]
    moves: Moves | None = None
    same_items: bool = False
    ratings: TaskCount | None = None
    share: float | None = None

    @property
    def has_same_systems(self) -> bool:
        """Whether both states rank the same systems."""
        return not self.new and not self.gone

    @property
    def is_official(self) -> bool:
        """Whether pairs have separate rank ranges instead of significant differences."""
        return self.after.certainty.is_official

    def answers(self) -> tuple[Answer, Answer]:
        """Return what both states answer, scores before with the zero of those after.

        The zero of abilities is the mean of the systems ranked, so other systems move it; here
        both have the same mean of the systems in both. Shares and ratings keep their zero.
        """
        before, after = Answer.from_ranking(self.before), Answer.from_ranking(self.after)
        if self.has_same_systems or not ranker_class(self.after.standings.method).is_relative:
            return before, after
        gap = np.mean([after.score_of(s) - before.score_of(s) for s in self.common])
        low, high = (None if ends is None else ends + gap for ends in (before.low, before.high))
        return dataclasses.replace(before, scores=before.scores + gap, low=low, high=high), after

    def of(self, kind: Kind) -> tuple[PairChange, ...]:
        """Return the changes of one kind, the surest after first, or else in order after."""
        found = [change for change in self.changes if change.kind == kind]
        if not self.is_official:
            found.sort(key=lambda change: (change.p_after, change.upper))
        return tuple(found)

    def to_frame(self) -> pd.DataFrame:
        """Return one line per changed pair: its kind, the two systems, adjusted p-values if any."""
        rows = [
            (c.kind, c.upper, c.lower, c.p_before, c.p_after)
            for kind in KINDS
            for c in self.of(kind)
        ]
        heads = ["change", "upper", "lower", "adjusted_p_before", "adjusted_p_after"]
        return pd.DataFrame(rows, columns=heads).iloc[:, : 3 if self.is_official else 5]


def compare_states(
    before: Ranking, after: Ranking, ranker: Ranker | None = None, share: float | None = None
) -> States:
    """Compare two rankings by one method; both need their significant differences.

    The ``ranker`` fits what came later by itself, if the judgments before are the first ones after.
    ``share`` is given if they are the first part of a file and its rest.
    """
    if before.standings.method != after.standings.method:
        raise PodiumError(
            "Two snapshots",
            f"one is ranked by {before.standings.method}, the other by {after.standings.method}",
            "Rank both by the same method.",
        )
    verdicts = verdict_of(before), verdict_of(after)
    was, now = _ranked(before), _ranked(after)
    there = was & now
    common = tuple(after.systems[k] for k in after.order if after.systems[k] in there)
    if len(common) < 2:
        raise PodiumError(
            "Two snapshots",
            f"they have {len(common)} systems in common",
            "Give two snapshots of one campaign, or campaigns that share systems by name.",
        )
    changes = [
        change
        for upper, lower in itertools.combinations(common, 2)
        if (change := _change(*verdicts, upper, lower)) is not None
    ]
    tasks = count_tasks(before.judgments, after.judgments)
    of_ratings = ranks_ratings(after.judgments, after.standings.method)
    same_items = (
        share is None and tasks.removed > 0 and _have_same_items(before.judgments, after.judgments)
    )
    tested = ranker is not None and not same_items
    return States(
        before,
        after,
        common,
        tuple(name for name in after.systems if name in now - was),
        tuple(name for name in before.systems if name in was - now),
        tasks,
        tuple(changes),
        _moves(before, after, ranker, common, tasks.kept, share) if tested else None,
        same_items,
        count_ratings(before.judgments, after.judgments) if of_ratings else None,
        share,
    )


def verdict_of(ranking: Ranking) -> Verdict:
    """Return what decides which pairs differ."""
    assert ranking.verdict is not None, "a preview has no significance tests"
    return ranking.verdict


def _ranked(ranking: Ranking) -> set[str]:
    return {
        name for name, score in zip(ranking.systems, ranking.scores, strict=True) if score == score
    }


def _change(before: Verdict, after: Verdict, upper: str, lower: str) -> PairChange | None:
    """Return what changed of a pair that stands in this order after; None where nothing did."""
    i, j = before.systems.index(upper), before.systems.index(lower)
    k, m = after.systems.index(upper), after.systems.index(lower)
    was, is_ = bool(before.significant[i, j]), bool(after.significant[k, m])
    same_order = before.scores[i] >= before.scores[j]
    kind: Kind | None = None
    if was and is_:
        kind = None if same_order else "turned"
    elif is_:
        kind = "settled"
    elif was:
        kind = "opened"
    elif not same_order:
        kind = "swapped"
    if kind is None:
        return None
    return PairChange(
        kind, upper, lower, float(before.p_adjusted[i, j]), float(after.p_adjusted[k, m])
    )


def _moves(
    before: Ranking,
    after: Ranking,
    ranker: Ranker | None,
    common: tuple[str, ...],
    kept: int,
    share: float | None,
) -> Moves | None:
    """Return how scores moved since the first part, or since other judgments; else None.

    It is None, too, by an official procedure, which tests nothing.
    """
    first, whole = before.judgments, after.judgments
    n = first.n_tasks
    if after.certainty.is_official:
        return None
    if n < whole.n_tasks and np.array_equal(_marks(first), _marks(whole)[:n]):
        return moves_since(first, whole, ranker, common, after.level)
    if share is None and kept > FEW_SHARED * min(n, whole.n_tasks):
        return None
    return moves_between(first, whole, ranker, common, after.level, share)


def _have_same_items(before: Judgments, after: Judgments) -> bool:
    """Return whether both seem to be one judge's votes on the same items, nearly always."""
    if not all(one.are_votes and one.n_judges in (None, 1) for one in (before, after)):
        return False
    one, other = (np.unique(_items(judgments)) for judgments in (before, after))
    most = max(len(one), len(other))
    enough = most >= FEWEST_ITEMS and min(before.n_systems, after.n_systems) > 2
    return enough and len(np.intersect1d(one, other)) >= SAME_SHARE * most


def _items(judgments: Judgments) -> npt.NDArray[np.uint64]:
    """Return a number for every two outputs that were compared, whoever won."""
    outputs = _hashed([judgments.output_name(k) for k in range(_n_outputs(judgments))])
    segments = _hashed(judgments.segments)[judgments.task_segment][judgments.task]
    return _mixed(outputs[judgments.left] + outputs[judgments.right]) + _mixed(segments)


def count_tasks(before: Judgments, after: Judgments) -> TaskCount:
    """Count the ranking tasks that both have, as often as both have them, and the others.

    A task is its segment, its judge and what was said of which outputs, whatever its place in the
    file.
    """
    return _count(_marks(before), _marks(after))


def count_ratings(before: Judgments, after: Judgments) -> TaskCount:
    """Count the ratings that both have, as often as both have them, and the others.

    A rating is its segment, its judge, its output and its value.
    """
    return _count(_marks_of_ratings(before), _marks_of_ratings(after))


def _count(before: npt.NDArray[np.uint64], after: npt.NDArray[np.uint64]) -> TaskCount:
    (one, times_one), (other, times_other) = (
        np.unique(marks, return_counts=True) for marks in (before, after)
    )
    _, first, second = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    kept = int(np.minimum(times_one[first], times_other[second]).sum())
    return TaskCount(kept, len(after) - kept, len(before) - kept)


def _marks(judgments: Judgments) -> npt.NDArray[np.uint64]:
    """Return a number for every task, the same for the same content."""
    outputs = _hashed([judgments.output_name(k) for k in range(_n_outputs(judgments))])
    segments, judges = _hashed(judgments.segments), _hashed(judgments.judges)
    row = outputs[judgments.left] * np.uint64(3) + outputs[judgments.right] * np.uint64(5)
    row = _mixed(row + judgments.outcome.astype(np.int64).astype(np.uint64) * np.uint64(7))
    total = np.zeros(judgments.n_tasks, dtype=np.uint64)
    np.add.at(total, judgments.task, row)
    mark = total + _mixed(segments[judgments.task_segment] * np.uint64(11))
    return mark + _mixed(judges[judgments.task_judge] * np.uint64(13))


def _marks_of_ratings(judgments: Judgments) -> npt.NDArray[np.uint64]:
    """Return a number for every rating, the same for the same content; none without ratings."""
    scores = judgments.scores
    if scores is None:
        return np.zeros(0, dtype=np.uint64)
    codes, row = np.unique(scores.system, return_inverse=True)
    outputs = _hashed([judgments.output_name(code) for code in codes])[row]
    segments, judges = _hashed(judgments.segments), _hashed(judgments.judges)
    value = np.asarray(pd.util.hash_array(scores.value), dtype=np.uint64)
    mark = _mixed(outputs * np.uint64(3)) + _mixed(value * np.uint64(5))
    mark += _mixed(segments[scores.segment] * np.uint64(11))
    return mark + _mixed(judges[scores.judge] * np.uint64(13))


def _n_outputs(judgments: Judgments) -> int:
    return int(max(judgments.left.max(initial=-1), judgments.right.max(initial=-1))) + 1


def _hashed(names: object) -> npt.NDArray[np.uint64]:
    return np.asarray(pd.util.hash_array(np.array(list(names), dtype=object)), dtype=np.uint64)  # type: ignore[call-overload]


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Scatter numbers, so that sums of different ones differ (the finalizer of splitmix64)."""
    mixed = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
