"""The scores of one language pair as an official procedure looks at them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.campaign.scores import Scores, standardized
from analysis.errors import PodiumError


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One row a scored output: who made it, of which segment, judged by whom, and how good.

    ``raw`` is the score as the file has it, ``good`` the same with the good end up, ``z`` is
    ``good`` less its judge's mean, divided by its judge's standard deviation (n - 1 in the
    denominator), over all of the judge's rows; nan for a judge whose scores are all alike.
    ``segment`` are codes without gaps, and ``segment_domain[S]`` the domain of each, all 0 where
    the file names none. ``about_domains`` and ``about_z`` are what is to be known of them.
    """

    systems: tuple[str, ...]
    system: IntArray
    segment: IntArray
    raw: FloatArray
    good: FloatArray
    z: FloatArray
    segment_domain: IntArray
    n_domains: int
    about_domains: tuple[str, ...] = ()
    about_z: tuple[str, ...] = ()

    @classmethod
    def of(cls, scores: Scores, systems: tuple[str, ...]) -> ScoreTable:
        """Make the table of one language pair; ``scores.system`` are codes into ``systems``."""
        if not len(scores):
            raise PodiumError("Scores", "there are none", "Choose another language pair.")
        about_domains: list[str] = []
        about_z: list[str] = []
        segments, segment = np.unique(scores.segment, return_inverse=True)
        domain = np.zeros(len(segments), dtype=np.int64)
        if scores.domain is not None:
            domain[segment] = scores.domain
        else:
            about_domains.append("The file names no domains: all segments are one domain.")
        if scores.standardized is not None:
            sign = 1 if scores.scale.higher_is_better else -1
            z = sign * scores.standardized
            about_z.append("z as standardized in the file.")
        else:
            z = standardized(scores.goodness, scores.judge)
        if n := int(np.isnan(z).sum()):
            about_z.append(
                f"{n} scores have no z: their judges gave one score only, or always the same. "
                "Rankings by z ignore them."
            )
        return cls(
            systems=systems,
            system=scores.system.astype(np.int64),
            segment=segment.astype(np.int64),
            raw=scores.value.astype(np.float64),
            good=scores.goodness.astype(np.float64),
            z=z,
            segment_domain=np.unique(domain, return_inverse=True)[1].astype(np.int64),
            n_domains=len(np.unique(domain)),
            about_domains=tuple(about_domains),
            about_z=tuple(about_z),
        )

    @property
    def n_systems(self) -> int:
        return len(self.systems)

    @property
    def n_segments(self) -> int:
        return len(self.segment_domain)

    def by_segment(self, values: FloatArray) -> FloatArray:
        """Return means[S, K] of a column over the ratings of each output; nan where unrated."""
        cells = self.segment * self.n_systems + self.system
        known = ~np.isnan(values)
        size = self.n_segments * self.n_systems
        total = np.bincount(cells[known], weights=values[known], minlength=size)
        n = np.bincount(cells[known], minlength=size)
        means = np.divide(total, n, out=np.full(size, np.nan), where=n > 0)
        return means.reshape(self.n_segments, self.n_systems)

    @cached_property
    def z_by_segment(self) -> FloatArray:
        return self.by_segment(self.z)

    @cached_property
    def good_by_segment(self) -> FloatArray:
        return self.by_segment(self.good)

    def over_segments(self, values: FloatArray) -> FloatArray:
        """Return mean[K] of the means by segment."""
        return column_means(self.by_segment(values))

    def over_ratings(self, values: FloatArray) -> FloatArray:
        """Return mean[K] of all ratings alike."""
        known = ~np.isnan(values)
        total = np.bincount(self.system[known], values[known], self.n_systems)
        n = np.bincount(self.system[known], minlength=self.n_systems)
        return np.divide(total, n, out=np.full(self.n_systems, np.nan), where=n > 0)

    def over_domains(self, values: FloatArray) -> FloatArray:
        """Return mean[K] of the domains' means of the means by segment."""
        means = self.by_segment(values)
        return column_means(
            np.stack([
                column_means(means[self.segment_domain == domain])
                for domain in range(self.n_domains)
            ])
        )  # fmt: skip


def column_means(values: FloatArray) -> FloatArray:
    """Return the means of columns over what is known; nan if nothing is.

    >>> column_means(np.array([[1., np.nan], [3., np.nan]])).tolist()
    [2.0, nan]
    """
    n = np.count_nonzero(~np.isnan(values), axis=0)
    return np.asarray(np.nansum(values, axis=0) / np.where(n, n, np.nan))
