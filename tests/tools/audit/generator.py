"""Campaigns of known truth, for the audit alone: none of the package's own simulation is used.

The quality of a segment's output by a system, q ~ N(μ_system, quality²), is drawn once and shared
by all who see it; where segments are parts of documents, a document favors systems of its own.
A judge sees q + (the judge's taste for the system) + noise and ranks what is shown; outputs that
lie within the judge's margin of the next better one share its rank. Judges differ in noise, in
margin (how readily they call a tie), in taste, and in their share of the work.

Two truths. *Others*: the score that endless tasks would give, each with another sentence and judge
of this kind. *These*: the one that endless tasks by these judges on these sentences would give.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from analysis.campaign import UNNAMED_JUDGE, Campaign, PairCounts
from analysis.campaign.attributes import Attribute

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Fault = Literal["", "random", "reversed", "ties", "left"]
Load = Literal["uneven", "equal", "Zipf", "dominant"]

DOMINANT = 0.6
"""The share of the work that one judge does where one dominates."""

AT_ONCE = 100_000
"""Tasks of an endless campaign that are drawn at once."""

T3_DEVIATION = np.sqrt(3.0)
"""Standard deviation of Student's t with three degrees of freedom."""


@dataclass(frozen=True)
class Nature:
    """What a campaign is like; all qualities are in one free unit.

    ``abilities`` are the systems' μ; where there are none, each campaign draws ``systems`` of them
    from N(0, ``ability_deviation``²). ``segments`` None: each task has a segment of its own.
    ``judges`` None: each task has a judge of its own, whom the file does not name. ``load`` is
    how judges share the work: by a Dirichlet distribution, equally, the k-th a k-th as much as the
    first, or one of them six tenths. On the first system tastes deviate by ``polarizing`` more.
    Documents have ``document`` segments each, 0 for none, and tastes of ``document_taste``.
    ``fault`` is what is wrong with the first judge, who then does ``fault_share`` of the work.
    """

    abilities: tuple[float, ...] = ()
    systems: int = 8
    ability_deviation: float = 0.0
    tasks: int = 600
    n_way: int = 5
    judges: int | None = 20
    load: Load = "uneven"
    segments: int | None = 200
    quality: float = 0.7
    noise: float = 0.65
    noise_spread: float = 0.3
    margin: float = 0.30
    margin_spread: float = 0.5
    taste: float = 0.12
    polarizing: float = 0.0
    document: int = 0
    document_taste: float = 0.0
    heavy_tails: bool = False
    fault: Fault = ""
    fault_share: float = 0.05

    @property
    def n_systems(self) -> int:
        return len(self.abilities) or self.systems

    @property
    def tastes(self) -> Floats:
        """The deviation of judges' tastes for each system."""
        return np.hypot(self.taste, self.polarizing * (np.arange(self.n_systems) == 0))

    @property
    def shown_at_once(self) -> int:
        """How many outputs a task shows: as many as there are systems where these are fewer."""
        return min(self.n_way, self.n_systems)

    def draw(self, rng: np.random.Generator) -> Known:
        """Draw one campaign."""
        return draw(self, rng)

    def draw_abilities(self, rng: np.random.Generator) -> Floats:
        """Return the systems' μ in an order that has nothing to do with their codes."""
        if self.abilities:
            return rng.permutation(np.array(self.abilities, dtype=np.float64))
        return rng.normal(0, self.ability_deviation, self.systems)


@dataclass(frozen=True, eq=False)
class People:
    """Judges: noise[J], margin[J], taste[J, K], load[J] of the work; the first one's fault."""

    noise: Floats
    margin: Floats
    taste: Floats
    load: Floats
    fault: Fault = ""

    @classmethod
    def draw(cls, nature: Nature, n: int, rng: np.random.Generator) -> People:
        """Draw ``n`` judges of this kind, all of them honest."""
        return cls(
            noise=nature.noise * rng.lognormal(0, nature.noise_spread, n),
            margin=nature.margin * rng.lognormal(0, nature.margin_spread, n),
            taste=rng.normal(0, nature.tastes, (n, nature.n_systems)),
            load=np.full(n, 1 / n),
        )

    @classmethod
    def hire(cls, nature: Nature, n: int, rng: np.random.Generator) -> People:
        """Draw the judges of a campaign, of unequal load; the first one has the fault, if any."""
        people = cls.draw(nature, n, rng)
        load = _load(nature.load, n, rng)
        if nature.fault:
            rest = load[1:] / load[1:].sum()
            load = np.append(nature.fault_share, (1 - nature.fault_share) * rest)
        return cls(people.noise, people.margin, people.taste, load, nature.fault)


def _load(load: Load, n: int, rng: np.random.Generator) -> Floats:
    """Draw the judges' shares of the work."""
    if load == "equal":
        return np.full(n, 1 / n)
    if load == "Zipf":
        share = 1 / np.arange(1, n + 1)
        return share / share.sum()
    uneven = rng.dirichlet(np.full(n if load == "uneven" else n - 1, 2.0))
    return uneven if load == "uneven" else np.append(DOMINANT, (1 - DOMINANT) * uneven)


class World(Protocol):
    """What campaigns of a row are drawn from."""

    def draw(self, rng: np.random.Generator) -> Any: ...


@dataclass(frozen=True, eq=False)
class Truth:
    """A campaign and its systems' abilities, in the order of the systems' codes."""

    campaign: Campaign
    abilities: Floats

    def told_wrong(self, i: Ints, j: Ints) -> npt.NDArray[np.bool_]:
        """Return where it is false to say that system i is better than system j."""
        return np.asarray(self.abilities[i] <= self.abilities[j] + 1e-12)


@dataclass(frozen=True, eq=False)
class Known(Truth):
    """A campaign of rankings with all that is true of it."""

    nature: Nature
    people: People
    quality: Floats
    """quality[S, K] of the outputs, empty where each task has a segment of its own."""


def draw(nature: Nature, rng: np.random.Generator, abilities: Floats | None = None) -> Known:
    """Draw one campaign; of these abilities where they are given."""
    if abilities is None:
        abilities = nature.draw_abilities(rng)
    n = nature.tasks
    if nature.judges is None:
        people, judge = People.draw(nature, n, rng), np.arange(n)
    else:
        people = People.hire(nature, nature.judges, rng)
        judge = rng.choice(nature.judges, size=n, p=people.load)
    own = nature.segments is None
    segment = np.arange(n) if own else rng.integers(nature.segments, size=n)
    quality = _qualities(nature, abilities, n if own else nature.segments, rng)
    if nature.document:
        n_documents = -(-len(quality) // nature.document)
        tastes = rng.normal(0, nature.document_taste, (n_documents, nature.n_systems))
        quality += tastes[np.arange(len(quality)) // nature.document]
    shown = _shown(nature, n, rng)
    ranks = _ranks(nature, people, judge, quality[segment[:, None], shown], shown, rng)
    campaign = campaign_of(nature, judge, segment, shown, ranks)
    return Known(campaign, abilities, nature, people, quality)


def grown_by_others(known: Known, times: int, rng: np.random.Generator) -> Campaign:
    """Return a campaign ``times`` as large: each further part by new judges on new sentences."""
    more = [draw(known.nature, rng, known.abilities).campaign for _ in range(times - 1)]
    parts = [known.campaign, *more]
    n_judges = known.nature.judges or 1
    n_segments = known.nature.segments or known.nature.tasks
    return _together(
        known.nature,
        [part.task_judge + k * n_judges for k, part in enumerate(parts)],
        [_segment_numbers(part) + k * n_segments for k, part in enumerate(parts)],
        parts,
    )


def grown_by_the_same(known: Known, times: int, rng: np.random.Generator) -> Campaign:
    """Return a campaign ``times`` as large, all of it by these judges on these sentences."""
    nature, people = known.nature, known.people
    n = (times - 1) * nature.tasks
    judge = rng.choice(len(people.load), size=n, p=people.load)
    segment = rng.integers(len(known.quality), size=n)
    shown = _shown(nature, n, rng)
    ranks = _ranks(nature, people, judge, known.quality[segment[:, None], shown], shown, rng)
    more = campaign_of(nature, judge, segment, shown, ranks)
    parts = [known.campaign, more]
    return _together(
        nature,
        [part.task_judge for part in parts],
        [_segment_numbers(part) for part in parts],
        parts,
    )


def _segment_numbers(campaign: Campaign) -> Ints:
    """Return each task's segment by the number that it was drawn with."""
    return np.array([int(name) for name in campaign.segments])[campaign.task_segment]


def _together(
    nature: Nature, judge: list[Ints], segment: list[Ints], parts: list[Campaign]
) -> Campaign:
    width = nature.shown_at_once
    return campaign_of(
        nature,
        np.concatenate(judge),
        np.concatenate(segment),
        np.concatenate([part.entry_output.reshape(-1, width) for part in parts]),
        np.concatenate([part.entry_rank.reshape(-1, width) for part in parts]),
    )


def endless(nature: Nature, abilities: Floats, tasks: int, rng: np.random.Generator) -> PairCounts:
    """Return the tables of many tasks, each with another sentence and judge of this kind."""

    def some(n: int) -> tuple[Ints, Ints]:
        shown = _shown(nature, n, rng)
        people = People.draw(nature, n, rng)
        quality = _qualities(nature, abilities, n, rng)
        if nature.document:
            quality += rng.normal(0, nature.document_taste, quality.shape)
        seen = quality[np.arange(n)[:, None], shown]
        return shown, _ranks(nature, people, np.arange(n), seen, shown, rng)

    return _tables(some, tasks, nature.n_systems)


def endless_here(known: Known, tasks: int, rng: np.random.Generator) -> PairCounts:
    """Return the tables of many further tasks by these judges on these sentences."""
    nature, people = known.nature, known.people

    def some(n: int) -> tuple[Ints, Ints]:
        shown = _shown(nature, n, rng)
        judge = rng.choice(len(people.load), size=n, p=people.load)
        quality = known.quality[rng.integers(len(known.quality), size=n)[:, None], shown]
        return shown, _ranks(nature, people, judge, quality, shown, rng)

    return _tables(some, tasks, nature.n_systems)


def labels_of_two(
    nature: Nature,
    abilities: Floats,
    people: People,
    first: Ints,
    second: Ints,
    rng: np.random.Generator,
) -> tuple[Ints, Ints]:
    """Return labels[T, K(K-1)/2] by a first and a second judge of new sentences, one for each T.

    A label is 1, 0 or -1 as the system of the smaller code is preferred, tied or not, and 9 where
    the pair was not shown: each of the two tasks on a sentence shows systems of its own.
    """
    quality = _qualities(nature, abilities, len(first), rng)
    both = []
    for judge in (first, second):
        shown = _shown(nature, len(first), rng)
        seen = quality[np.arange(len(first))[:, None], shown]
        both.append(_labels(shown, _ranks(nature, people, judge, seen, shown, rng), nature))
    return both[0], both[1]


def _tables(some: Callable[[int], tuple[Ints, Ints]], tasks: int, n_systems: int) -> PairCounts:
    """Add up the wins and ties of many tasks, drawn some at once: what they show, and the ranks."""
    wins, ties = np.zeros((2, n_systems, n_systems))
    at_once = AT_ONCE * 8 // max(n_systems, 8)
    for start in range(0, tasks, at_once):
        shown, ranks = some(min(at_once, tasks - start))
        wins += _count(shown, ranks, n_systems, np.less)
        ties += _count(shown, ranks, n_systems, np.equal)
    return PairCounts(wins, ties)


def _shown(nature: Nature, n: int, rng: np.random.Generator) -> Ints:
    """Draw which systems each of ``n`` tasks shows, in displayed order."""
    keys = rng.random((n, nature.n_systems))
    return np.argsort(keys, axis=1)[:, : nature.shown_at_once]


def _qualities(nature: Nature, abilities: Floats, n: int, rng: np.random.Generator) -> Floats:
    return abilities + nature.quality * _errors(nature, (n, len(abilities)), rng)


def _errors(nature: Nature, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Draw errors of variance 1."""
    if nature.heavy_tails:
        return rng.standard_t(3, shape) / T3_DEVIATION
    return rng.standard_normal(shape)


def _ranks(
    nature: Nature,
    people: People,
    judge: Ints,
    quality: Floats,
    shown: Ints,
    rng: np.random.Generator,
) -> Ints:
    """Return the rank that each task's judge gives to each output shown, 1 the best."""
    noise = people.noise[judge][:, None] * _errors(nature, quality.shape, rng)
    seen = quality + people.taste[judge[:, None], shown] + noise
    margin = people.margin[judge]
    if people.fault:
        faulty = judge == 0
        if people.fault == "random":
            seen[faulty] = rng.standard_normal(seen[faulty].shape)
        elif people.fault == "reversed":
            seen[faulty] *= -1
        elif people.fault == "left":
            seen[faulty] = -np.arange(seen.shape[1])
            margin = np.where(faulty, 0.0, margin)
        else:
            margin = np.where(faulty, np.inf, margin)
    order = np.argsort(-seen, axis=1)
    gaps = -np.diff(np.take_along_axis(seen, order, axis=1), axis=1)
    steps = np.cumsum(gaps >= margin[:, None], axis=1)
    ranks = np.ones(seen.shape, dtype=np.int64)
    np.put_along_axis(ranks, order[:, 1:], 1 + steps, axis=1)
    return ranks


def _count(shown: Ints, ranks: Ints, n_systems: int, relation: np.ufunc) -> Floats:
    """Count how often each system's rank stands in a relation to each other one's."""
    cells = [
        (shown[:, a] * n_systems + shown[:, b])[relation(ranks[:, a], ranks[:, b])]
        for a, b in itertools.permutations(range(shown.shape[1]), 2)
    ]
    table = np.bincount(np.concatenate(cells), minlength=n_systems**2)
    return table.reshape(n_systems, n_systems).astype(np.float64)


def _labels(shown: Ints, ranks: Ints, nature: Nature) -> Ints:
    rank_of = np.zeros((len(shown), nature.n_systems), dtype=np.int64)
    np.put_along_axis(rank_of, shown, ranks, axis=1)
    i, j = np.triu_indices(nature.n_systems, 1)
    both = (rank_of[:, i] > 0) & (rank_of[:, j] > 0)
    return np.where(both, np.sign(rank_of[:, j] - rank_of[:, i]), 9)


def campaign_of(nature: Nature, judge: Ints, segment: Ints, shown: Ints, ranks: Ints) -> Campaign:
    k, n = nature.n_systems, len(shown)
    unnamed = nature.judges is None
    segments, segment = np.unique(segment, return_inverse=True)
    document = segments // nature.document if nature.document else None
    judges = (UNNAMED_JUDGE,) if unnamed else tuple(f"judge{j:02d}" for j in range(1 + judge.max()))
    return Campaign(
        pairs=("aa-bb",),
        systems=tuple(f"S{c:02d}" for c in range(k)),
        judges=judges,
        segments=tuple(str(s) for s in segments),
        task_pair=np.zeros(n, dtype=np.int16),
        task_segment=segment.astype(np.int32),
        task_judge=np.zeros(n, dtype=np.int32) if unnamed else judge.astype(np.int32),
        task_start=np.arange(n + 1, dtype=np.int64) * shown.shape[1],
        entry_output=shown.ravel().astype(np.int32),
        entry_rank=ranks.ravel().astype(np.int8),
        output_start=np.arange(k + 1, dtype=np.int64),
        output_system=np.arange(k, dtype=np.int32),
        attributes=() if document is None else (_documents(document),),
    )


def _documents(document: Ints) -> Attribute:
    """Name the document of each segment, as files do."""
    names, code = np.unique(document, return_inverse=True)
    return Attribute("document", "segment", code, tuple(f"document {name}" for name in names))
