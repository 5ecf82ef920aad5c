"""Standings of the parts of a campaign side by side on one scale, and what differs beyond noise.

Each part is ranked by itself. Its scores are taken less their mean over the systems that all parts
have, so that they are on one scale. For every such system and every two parts the difference is
tested by the two variances that `apart` would use, added up: judges who work in both parts, or
sentences that stand in both, make the true variance smaller as a rule, not larger. Holm's method
covers all that is shown.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import Attribute, FloatArray, Judgments, distinct
from analysis.campaign.selection import IS_BAD
from analysis.campaign.slices import attribute_of, holds, sliced
from analysis.errors import PodiumError, UndefinedResultError, control
from analysis.rankers import Ranker
from analysis.rankers.mean import Mean
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.fit_uncertainty import distances_from_the_mean, systems_of_all
from analysis.ranking.significance import step_down
from analysis.ranking.uncertainty import Precision
from analysis.ranking.variance import Scope, tail

MOST_PARTS = 5
"""Parts that are put side by side; of more the largest."""
ENOUGH = 30
"""Judgments of a system that give its share of wins within ±18 points; fewer show no difference."""
RANGES = 3
"""Parts that numbers are cut into, with about as many judgments each."""


@dataclass(frozen=True)
class Difference:
    """A system's score in the part where it is more, less that in the other, with p-values."""

    system: str
    more: str
    less: str
    difference: float
    p: float
    p_adjusted: float


@dataclass(frozen=True, eq=False)
class BySlice:
    """Scores[S, K] of parts and systems, less each part's mean; ``half`` widths of intervals.

    ``systems`` are those that all parts have, in the order of the whole; ``left_out`` are others.
    ``differences`` are all that were tested, the clearest first.
    """

    attribute: str
    parts: tuple[str, ...]
    slices: tuple[str, ...]
    n_judgments: tuple[int, ...]
    systems: tuple[str, ...]
    left_out: tuple[str, ...]
    scores: FloatArray
    half: FloatArray
    differences: tuple[Difference, ...]
    level: float
    method: str
    are_votes: bool = False

    @property
    def has_enough(self) -> bool:
        """Return whether two parts have `ENOUGH` judgments of a system on average."""
        n_systems = len(self.systems) + len(self.left_out)
        return sum(2 * n >= ENOUGH * n_systems for n in self.n_judgments) > 1

    @property
    def told(self) -> tuple[Difference, ...]:
        """The differences beyond noise, all that was tested taken together."""
        return tuple(d for d in self.differences if d.p_adjusted <= 1 - self.level)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a system and a column a part."""
        frame = pd.DataFrame(self.scores.T, columns=list(self.parts))
        frame.insert(0, "system", list(self.systems))
        return frame

    def differences_frame(self) -> pd.DataFrame:
        """Return a row a difference, the clearest first."""
        return pd.DataFrame([dataclasses.asdict(one) for one in self.differences])


def cutting(judgments: Judgments) -> list[Attribute]:
    """Return the attributes that cut these judgments into two parts or more.

    Those of which all parts can be shown come first. What a vote said is none: parts by it would
    be parts by who won.
    """
    found = [
        attribute
        for attribute in judgments.campaign.attributes
        if attribute.about in ("segment", "judge", "task")
        and IS_BAD not in attribute.names
        and len(parts_of(judgments, attribute)) > 1
    ]
    return sorted(found, key=lambda attribute: len(attribute.names) > MOST_PARTS)


def attribute_to_cut(judgments: Judgments, name: str | None = None) -> Attribute:
    """Return the attribute of this name, else the first that cuts these judgments."""
    if name is not None:
        return judgments.campaign.attribute(name, control("--by", "Attribute"))
    found = cutting(judgments)
    if not found:
        sample = control("podium slices sample:mqm-ted", "the sample mqm-ted on Data")
        raise PodiumError(
            judgments.campaign.title,
            "it has no column to slice by, such as domain, document or length",
            f"To see slices: {sample}.",
        )
    return found[0]


def parts_of(judgments: Judgments, attribute: Attribute) -> list[tuple[str, str]]:
    """Return the parts that are put side by side: what each is called, and its slice."""
    of_tasks = judgments.campaign.of_tasks(attribute).take(judgments.tasks, "task")
    if of_tasks.values is not None:
        return _ranges(attribute.name, of_tasks.values)
    assert of_tasks.codes is not None
    counts = np.bincount(of_tasks.codes[of_tasks.codes >= 0], minlength=len(of_tasks.names))
    largest = np.argsort(-counts, kind="stable")[:MOST_PARTS]
    names = [of_tasks.names[code] for code in largest if counts[code]]
    return [(name, f"{attribute.name}={name}") for name in names]


def _ranges(name: str, values: FloatArray) -> list[tuple[str, str]]:
    """Cut numbers into ranges that do not touch, with about as many tasks each."""
    known = np.sort(values[np.isfinite(values)])
    if not len(known):
        return []
    cuts = np.unique(known[[len(known) * k // RANGES for k in range(1, RANGES)]])
    cuts = cuts[cuts > known[0]]
    found = []
    for low, high in itertools.pairwise([known[0], *cuts, np.inf]):
        inside = known[(known >= low) & (known < high)]
        first, last = float(inside[0]), float(inside[-1])
        found.append((f"{name} {first:g}–{last:g}", sliced(name, first, last)))
    return found


def by_slice(
    judgments: Judgments,
    attribute: Attribute,
    ranker: Ranker,
    *,
    level: float = 0.95,
    scope: Scope = "new",
    seed: int = 0,
) -> BySlice:
    """Rank each part of the judgments and tell what differs between parts beyond noise.

    A method whose variance takes many runs for each part has Expected Wins, or of scores the mean,
    stand in for it.
    """
    parts = parts_of(judgments, attribute)
    if len(parts) < 2:
        raise PodiumError(
            "Slices", f"{attribute.name} has one value here", "Choose another attribute."
        )
    if not ranker.has_derivative(judgments):
        ranker = Mean() if judgments.scores is not None else ExpectedWins()
    own = _parts(judgments, attribute, parts)
    fits = [ranker.fit(part, seed) for part in own]
    common = systems_of_all(fits)
    if len(common) < 2:
        raise UndefinedResultError(
            "Slices",
            f"fewer than two systems were judged in all parts by {attribute.name}",
            "Choose another attribute.",
        )
    whole = ranker.fit(judgments, seed).standings
    systems = [judgments.systems[k] for k in whole.order if judgments.systems[k] in common]
    found, variance, freedom = distances_from_the_mean(fits, systems, scope)
    names = tuple(name for name, _ in parts)
    return BySlice(
        attribute=attribute.name,
        parts=names,
        slices=tuple(words for _, words in parts),
        n_judgments=tuple(len(part) for part in own),
        systems=tuple(systems),
        left_out=tuple(sorted(set(judgments.systems) - common)),
        scores=found,
        half=Precision(np.sqrt(variance), freedom).reach(level),
        differences=_differences(names, systems, found, variance, freedom),
        level=level,
        method=ranker.title,
        are_votes=judgments.are_votes,
    )


def _parts(
    judgments: Judgments, attribute: Attribute, parts: Sequence[tuple[str, str]]
) -> list[Judgments]:
    """Return the judgments of each part: the tasks for which its slice holds."""
    of_tasks = judgments.campaign.of_tasks(attribute).take(judgments.tasks, "task")
    found = []
    for _, words in parts:
        _, value = attribute_of(judgments.campaign, words)
        tasks = np.flatnonzero(holds(of_tasks, value))
        found.append(judgments.take_tasks(distinct(tasks)))
    return found


def _differences(
    parts: Sequence[str],
    systems: Sequence[str],
    scores: FloatArray,
    variance: FloatArray,
    freedom: float,
) -> tuple[Difference, ...]:
    """Test every system between every two parts, and adjust by Holm's method over all."""
    found = []
    for a, b in itertools.combinations(range(len(parts)), 2):
        gap, spread = scores[a] - scores[b], np.sqrt(variance[a] + variance[b])
        for k, system in enumerate(systems):
            if not spread[k] > 0:
                continue
            p = 2 * float(tail(np.abs(gap[k]) / spread[k], freedom))
            more, less = (a, b) if gap[k] >= 0 else (b, a)
            found.append((system, parts[more], parts[less], abs(float(gap[k])), p))
    found.sort(key=lambda one: one[-1])
    adjusted = step_down(np.array([one[-1] for one in found]))
    return tuple(Difference(*one, float(p)) for one, p in zip(found, adjusted, strict=True))
