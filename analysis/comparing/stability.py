"""Stability: does what a ranking says survive other methods, and fewer judges, systems, sentences?

A ranking says who wins, of every two neighbors who is better, and of every line between clusters
that all above it are better than all below. Each such statement is looked at after one thing is
changed: the method, how ties count, for whom it holds, or a judge, a system or 10% of the
segments is left out. It then

- is significant: all above differ significantly from all below, in this order, or, of a line
  between clusters or a winner, there still is one;
- keeps its order: nobody below has the higher score, but not all differ significantly;
- is turned: somebody below has the higher score.

Methods whose scores have derivatives take milliseconds; others are fitted on request. Where a
method has none, Bradley–Terry gives the uncertainty of its scores (`quick_verdict`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import (
    FloatArray,
    IntArray,
    Judgments,
    are_numbered,
    distinct,
    segment_numbers,
)
from analysis.campaign.campaign import derive_judgments
from analysis.comparing.what_if import TIE_POLICIES
from analysis.errors import NotConvergedError, UndefinedResultError
from analysis.parallel import Progress, map_items
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.mean import possible_means
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty
from analysis.ranking.rank_ranges import require_test
from analysis.ranking.ranking import quick_verdict, quick_winner
from analysis.ranking.significance import BoolArray
from analysis.ranking.variance import SCOPES
from analysis.ranking.verdict import Verdict

Change = Literal["method", "ties", "scope", "judge", "system", "segments"]
CHANGES: dict[Change, str] = {
    "method": "another method",
    "ties": "ties modeled differently",
    "scope": "another scope",
    "judge": "without one judge",
    "system": "without one system",
    "segments": "without 10% of the data",
}
"""What is changed, one thing at a time."""
AT_ONCE: tuple[Change, ...] = ("method", "ties", "scope")
"""Changes that are few, however large a campaign is."""

UNKNOWN, TURNED, ORDER, APART = -1, 0, 1, 2
"""What becomes of a statement; unknown where a system of it is left out or has no score."""

STATES = {
    APART: "significant",
    ORDER: "not separated",
    TURNED: "reversed",
    UNKNOWN: "does not apply",
}

TENTHS = 10
MOST_JUDGES = 100
"""Judges that are left out in turn: those with the most ranking tasks."""


class Telling(Protocol):
    """What a ranking says: who differs significantly, the clusters, and the scores."""

    @property
    def systems(self) -> tuple[str, ...]: ...
    @property
    def scores(self) -> FloatArray: ...
    @property
    def significant(self) -> BoolArray: ...
    @property
    def clusters(self) -> IntArray: ...
    @property
    def winner(self) -> str | None: ...


@dataclass(frozen=True, eq=False)
class Seen:
    """What one changed ranking says, and no more of it: a change leaves nothing else in memory."""

    systems: tuple[str, ...]
    scores: FloatArray
    clusters: IntArray
    winner: str | None
    packed: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, verdict: Verdict) -> Seen:
        significant = np.packbits(verdict.significant)
        return cls(verdict.systems, verdict.scores, verdict.clusters, verdict.winner, significant)

    @property
    def significant(self) -> BoolArray:
        n = len(self.systems)
        return np.unpackbits(self.packed, count=n * n).astype(bool).reshape(n, n)


@dataclass(frozen=True)
class Statement:
    """All of ``above`` are better than all of ``below``; two neighbors, or a line's two sides.

    Of a winner nobody is named ``below``.
    """

    above: tuple[str, ...]
    below: tuple[str, ...]
    is_line: bool = False

    @property
    def is_winner(self) -> bool:
        return not self.below

    def word(self, state: int) -> str:
        """Say a state of the statement."""
        of_winner = {APART: "winner", ORDER: "no winner", TURNED: "not first"}
        return of_winner.get(state, STATES[state]) if self.is_winner else STATES[state]

    def state(self, verdict: Telling) -> int:
        """Return what becomes of the statement by these significant differences."""
        if self.is_winner and self.above[0] in verdict.systems:
            leader = verdict.systems.index(self.above[0])
            if np.isnan(verdict.scores[leader]):
                return UNKNOWN
            is_first = verdict.scores[leader] == np.nanmax(verdict.scores)
            return APART if verdict.winner == self.above[0] else ORDER if is_first else TURNED
        place = {name: k for k, name in enumerate(verdict.systems)}
        above, below = (
            [place[name] for name in side if name in place] for side in (self.above, self.below)
        )
        gone = len(above) + len(below) < len(self.above) + len(self.below)
        if not above or not below or (gone and not self.is_line):
            return UNKNOWN
        high, low = verdict.scores[above], verdict.scores[below]
        if np.isnan(high).any() or np.isnan(low).any():
            return UNKNOWN
        if high.min() < low.max():
            return TURNED
        if self.is_line:  # a boundary has a test of its own
            return APART if verdict.clusters[above].max() < verdict.clusters[below].min() else ORDER
        return APART if verdict.significant[np.ix_(above, below)].all() else ORDER


@dataclass(frozen=True)
class Variant:
    """One thing changed: which kind of change, and to what."""

    change: Change
    what: str


@dataclass(frozen=True, eq=False)
class Stability:
    """What becomes of each statement: ``states[statement, variant]``.

    ``now`` is each one's state with nothing changed, ``seen`` what each variant says of all
    systems. ``notes`` say what was not looked at.
    """

    base: Verdict
    statements: tuple[Statement, ...]
    now: IntArray
    variants: tuple[Variant, ...]
    states: IntArray
    seen: tuple[Seen, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def about(
        cls,
        base: Verdict,
        statements: Sequence[Statement],
        variants: Sequence[Variant],
        seen: Sequence[Seen],
        notes: Sequence[str] = (),
    ) -> Stability:
        """Look what becomes of statements where this is what the variants say."""
        columns = [[statement.state(verdict) for statement in statements] for verdict in seen]
        return cls(
            base=base,
            statements=tuple(statements),
            now=np.array([statement.state(base) for statement in statements], dtype=np.int64),
            variants=tuple(variants),
            states=np.array(columns, dtype=np.int64).reshape(len(seen), len(statements)).T,
            seen=tuple(seen),
            notes=tuple(notes),
        )

    def of_others(self, *statements: Statement) -> Stability:
        """Return what becomes of other statements under the same changes."""
        return self.about(self.base, statements, self.variants, self.seen, self.notes)

    def of_places(self, rows: slice) -> Stability:
        """Return the statements about who stands on some places, and who comes next."""
        order = [self.base.systems[k] for k in self.base.order]
        there = set(order[rows])
        return self._only([k for k, said in enumerate(self.statements) if said.above[-1] in there])

    @property
    def findings(self) -> Stability:
        """The statements that are significant now, and those that a change reverses."""
        kept = (self.now == APART) | self.is_lost.any(axis=1)
        return self._only(np.flatnonzero(kept).tolist())

    def _only(self, kept: Sequence[int]) -> Stability:
        return replace(
            self,
            statements=tuple(self.statements[k] for k in kept),
            now=self.now[kept],
            states=self.states[kept],
        )

    @property
    def leaves_out(self) -> bool:
        """Whether judges, systems or segments were left out in turn, too."""
        return any(change not in AT_ONCE for change in self.changes)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The kinds of change of which there is any."""
        there = {variant.change for variant in self.variants}
        return tuple(change for change in CHANGES if change in there)

    def of(self, change: Change) -> IntArray:
        """Return the places of the variants of one kind."""
        return np.flatnonzero([variant.change == change for variant in self.variants])

    def worst(self, change: Change) -> IntArray:
        """Return the worst state of every statement under one kind of change."""
        states = self.states[:, self.of(change)]
        known = np.where(states == UNKNOWN, APART + 1, states).min(axis=1)
        return np.where(known > APART, UNKNOWN, known)

    def survives(self, change: Change) -> list[bool | None]:
        """Return whether each statement is as sure as now; None where the change says nothing."""
        worst = self.worst(change)
        return [
            None if state == UNKNOWN else bool(state >= now)
            for state, now in zip(worst, self.now, strict=True)
        ]

    def where(self, statement: int, change: Change, state: int) -> list[str]:
        """Return what the change was changed to where a statement has that state."""
        places = self.of(change)
        return [self.variants[k].what for k in places if self.states[statement, k] == state]

    @property
    def neighbors(self) -> list[int]:
        """The statements that are of two neighbors."""
        return [k for k, one in enumerate(self.statements) if one.below and not one.is_line]

    @property
    def is_lost(self) -> BoolArray:
        """Which variants make a statement weaker than now: [statement, variant]."""
        return (self.states != UNKNOWN) & (self.states < self.now[:, None])

    @property
    def loses_findings(self) -> bool:
        """Whether a change makes a statement weaker that is significant now."""
        return bool(self.is_lost[self.now == APART].any())

    def lost(self, statement: int, change: Change) -> tuple[int, int]:
        """Return how many changes of one kind make a statement weaker, and of how many."""
        places = self.of(change)
        known = np.count_nonzero(self.states[statement, places] != UNKNOWN)
        return int(self.is_lost[statement, places].sum()), int(known)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per statement and variant that makes it weaker."""
        kinds = ("neighbors", "cluster boundary", "winner")
        rows = []
        for k, v in np.argwhere(self.is_lost):
            said, variant = self.statements[k], self.variants[v]
            kind = kinds[2 * said.is_winner or said.is_line]
            words = said.word(int(self.now[k])), said.word(int(self.states[k, v]))
            systems = " + ".join(said.above), " + ".join(said.below)
            rows.append((*systems, kind, variant.change, variant.what, *words))
        names = ["above", "below", "kind", "change", "to", "now", "state"]
        return pd.DataFrame(rows, columns=names)


def stability(
    judgments: Judgments,
    ranker: Ranker,
    base: Verdict,
    certainty: Certainty = DEFAULT_CERTAINTY,
    *,
    statements: Sequence[Statement] | None = None,
    every_method: bool = False,
    at_once: bool = False,
    leave_out: bool = True,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Stability:
    """Change one thing at a time and look at every statement again.

    ``base`` is what the ranking shows with nothing changed; ``statements`` are its own unless
    others are given. ``every_method`` asks for those without derivatives, too, ``at_once`` only for
    those that take a moment. Without ``leave_out``, judges, systems and segments stay: those are as
    many changes as there are.
    """
    require_test(base, "Stability")
    looked_at = tuple(statements_of(base) if statements is None else statements)
    plans = [
        *_other_methods(judgments, ranker, certainty, every_method, at_once),
        *(() if ranker.needs_scores else _tie_policies(judgments, certainty)),
        *_targets(judgments, ranker, certainty),
    ]
    if leave_out:
        plans += _without_a_judge(judgments, ranker, certainty)
        plans += _without_a_system(judgments, ranker, certainty)
        plans += _without_a_tenth(judgments, ranker, certainty)

    def look(place: int, _: np.random.Generator) -> Seen | str:
        variant, rank_again = plans[place]
        try:
            return Seen.of(rank_again())
        except (UndefinedResultError, NotConvergedError) as error:
            return f"{variant.what} could not be computed: {error.got.rstrip('.')}."

    places = range(len(plans))
    found = map_items(look, places, seed=certainty.seed, executor=executor, progress=progress)
    said = [words for words in found if isinstance(words, str)]
    return Stability.about(
        base,
        looked_at,
        [
            plan[0]
            for plan, verdict in zip(plans, found, strict=True)
            if not isinstance(verdict, str)
        ],
        [verdict for verdict in found if not isinstance(verdict, str)],
        (*(_few_judges(judgments) if leave_out else ()), *said),
    )


def winners_without(
    judgments: Judgments, ranker: Ranker, certainty: Certainty
) -> dict[str, str | None]:
    """Return who wins without each system, by the system; of fewer than three, nothing."""
    systems = judgments.systems if judgments.n_systems > 2 else ()
    return {one: quick_winner(without_system(judgments, one), ranker, certainty) for one in systems}


def statements_of(verdict: Verdict) -> list[Statement]:
    """Return what a ranking says: of a winner, each two neighbors, and lines between clusters.

    Of two systems, a line says what the neighbors say, and stands once.
    """
    order = [k for k in verdict.order if verdict.rank_best[k] > 0]
    names = [verdict.systems[k] for k in order]
    said = [Statement((verdict.winner,), ())] if verdict.winner else []
    for k in range(1, len(order)):
        said.append(Statement((names[k - 1],), (names[k],)))
        if len(order) > 2 and verdict.clusters[order[k - 1]] < verdict.clusters[order[k]]:
            said.append(Statement(tuple(names[:k]), tuple(names[k:]), is_line=True))
    return said


Plan = tuple[Variant, Callable[[], Verdict]]


def _quick(judgments: Judgments, ranker: Ranker, certainty: Certainty) -> Verdict:
    return quick_verdict(ranker.quick_form().fit(judgments, certainty.seed), certainty)


def _other_methods(
    judgments: Judgments, ranker: Ranker, certainty: Certainty, every: bool, at_once: bool
) -> Iterator[Plan]:
    if ranker.needs_scores:
        for title, mean in possible_means(judgments).items():
            if mean != ranker:
                yield Variant("method", title), partial(_quick, judgments, mean, certainty)
        return
    for name, other in RANKERS.items():
        method = other()
        if name == ranker.name or method.needs_scores or (at_once and method.pace != "instant"):
            continue
        if every or method.has_derivative(judgments):
            yield Variant("method", method.title), partial(_quick, judgments, method, certainty)


def _tie_policies(judgments: Judgments, certainty: Certainty) -> Iterator[Plan]:
    for words, method in TIE_POLICIES:
        yield Variant("ties", words), partial(_quick, judgments, method, certainty)


def _targets(judgments: Judgments, ranker: Ranker, certainty: Certainty) -> Iterator[Plan]:
    for scope, words in SCOPES.items():
        if scope != certainty.scope:
            chosen = replace(certainty, scope=scope)
            yield Variant("scope", words), partial(_quick, judgments, ranker, chosen)


def _without_a_judge(judgments: Judgments, ranker: Ranker, certainty: Certainty) -> Iterator[Plan]:
    tasks = np.bincount(judgments.task_judge, minlength=len(judgments.judges))
    if np.count_nonzero(tasks) < 2:
        return
    for judge in np.argsort(-tasks, kind="stable")[:MOST_JUDGES]:
        if tasks[judge]:
            rest = partial(_rest, judgments, np.flatnonzero(judgments.task_judge != judge))
            yield (
                Variant("judge", judgments.judges[judge]),
                partial(_of_rest, rest, ranker, certainty),
            )


def _few_judges(judgments: Judgments) -> tuple[str, ...]:
    n = len(np.unique(judgments.task_judge))
    if n <= MOST_JUDGES:
        return ()
    return (f"The {MOST_JUDGES} of {n} judges with the most ranking tasks were left out in turn.",)


def _without_a_system(judgments: Judgments, ranker: Ranker, certainty: Certainty) -> Iterator[Plan]:
    if judgments.n_systems < 3:
        return
    for system in judgments.systems:
        rest = partial(without_system, judgments, system)
        yield Variant("system", system), partial(_of_rest, rest, ranker, certainty)


def without_system(judgments: Judgments, system: str) -> Judgments:
    """Return the judgments as if a system had not taken part."""
    chosen = judgments.selection
    left_out = replace(chosen, exclude_systems=(*chosen.exclude_systems, system))
    return derive_judgments(judgments.campaign, judgments.pair, left_out, "drop-task")


def _without_a_tenth(judgments: Judgments, ranker: Ranker, certainty: Certainty) -> Iterator[Plan]:
    segments = distinct(judgments.task_segment)
    if len(segments) < TENTHS:
        return
    numbers = segment_numbers(judgments.segments)
    segments = segments[np.argsort(numbers[segments], kind="stable")]
    for k, tenth in enumerate(np.array_split(segments, TENTHS), start=1):
        what = f"segments {numbers[tenth[0]]}–{numbers[tenth[-1]]}"
        if not are_numbered(judgments.segments):
            what = f"tenth {k} of the data"
        kept = np.flatnonzero(~np.isin(judgments.task_segment, tenth))
        rest = partial(_rest, judgments, kept)
        yield Variant("segments", what), partial(_of_rest, rest, ranker, certainty)


def _rest(judgments: Judgments, tasks: IntArray) -> Judgments:
    return judgments.take_tasks(tasks)


def _of_rest(rest: Callable[[], Judgments], ranker: Ranker, certainty: Certainty) -> Verdict:
    return _quick(rest(), ranker, certainty)
