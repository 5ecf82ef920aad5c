"""Every measure of every system, how sure it is, and which systems may be the best.

All measures are functions of how often each unit counts. A resample draws as many units as there
are, with replacement, and is a row of counts; the measures themselves are those of a row of ones.
Units that depend on each other (the sentences of a document) belong to one group and are drawn
together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from analysis.campaign import FloatArray
from analysis.errors import PodiumError, control
from analysis.provenance import Provenance
from analysis.wording import thousands

FEWEST_GROUPS = 10
"""Fewer units are too few to resample: intervals are then not defined."""

MOST_UNITS = 100_000
"""More units take too long to resample one by one."""

_LARGEST_CHUNK = 20_000_000
"""Counts that are held at once."""

Values = Callable[[FloatArray], FloatArray]
"""From counts[R, units] to values[R, systems]; nan where a measure is not defined."""


@dataclass(frozen=True)
class Measure:
    """A measure: what it is called, what it says, and whether a high value is a good one."""

    name: str
    title: str
    help: str
    high_is_good: bool = True


@dataclass(frozen=True, eq=False)
class Scoreboard:
    """``values[M, S]`` of measures and systems with the ends of their intervals.

    ``from_baseline[M, S]`` says of each system "better", "worse" or "gray area", "" if that is
    unknown. ``may_be_best[M, S]`` are the systems that are not significantly worse than another
    one. ``units`` says what was resampled ("sentences") and ``n_groups`` how many of them there
    are; ``is_sure`` is whether they allow intervals.
    """

    title: str
    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    values: FloatArray
    low: FloatArray
    high: FloatArray
    may_be_best: npt.NDArray[np.bool_]
    from_baseline: npt.NDArray[np.str_]
    units: str
    n_groups: int
    is_sure: bool
    level: float
    runs: int
    notes: tuple[str, ...]
    provenance: Provenance

    def order(self, m: int) -> npt.NDArray[np.intp]:
        """Return the systems from the best to the worst by a measure; undefined ones last."""
        sign = -1 if self.measures[m].high_is_good else 1
        return np.argsort(sign * self.values[m], kind="stable")

    def to_frame(self, m: int | None = None) -> pd.DataFrame:
        """Return one row a system, best first, by one measure or by all of them in turn."""
        chosen = range(len(self.measures)) if m is None else (m,)
        frames = []
        for k in chosen:
            order = self.order(k)
            frames.append(
                pd.DataFrame(
                    {
                        "measure": self.measures[k].name,
                        "system": [self.systems[s] for s in order],
                        "value": self.values[k, order],
                        "low": self.low[k, order],
                        "high": self.high[k, order],
                        "may_be_best": self.may_be_best[k, order] if self.is_sure else pd.NA,
                        "from_baseline": self.from_baseline[k, order],
                    }
                )
            )
        return pd.concat(frames, ignore_index=True)


def _check(level: float, runs: int) -> None:
    if not 0 < level < 1:
        raise PodiumError(
            control("--level", "Level"), f"{level:g} is outside 0–1", "Use 0.95, for example."
        )
    if runs < 100:
        raise PodiumError(
            control("--resamples", "Resamples"),
            f"{runs} are too few for intervals",
            "Use 100 or more.",
        )


def scoreboard(
    title: str,
    systems: Sequence[str],
    measures: Sequence[tuple[Measure, Values]],
    groups: npt.NDArray[np.integer],
    *,
    units: str,
    level: float = 0.95,
    runs: int = 1000,
    seed: int = 0,
    size: int = 1,
    baseline: str = "",
    notes: Sequence[str] = (),
    provenance: Provenance | None = None,
) -> Scoreboard:
    """Measure systems, with intervals from resampled groups of units.

    ``groups`` is the group of each unit, numbered from 0; units in groups of their own are
    resampled one by one. ``size`` is how many numbers a measure holds for one resample, where that
    is more than the units. All measures and systems see the same resamples, so differences between
    systems are as sure as pairing makes them.
    """
    _check(level, runs)
    n_groups = int(groups.max()) + 1 if len(groups) else 0
    ones = np.ones((1, len(groups)))
    values = np.stack([of(ones)[0] for _, of in measures])
    missing = np.full_like(values, np.nan)
    low, high, best = missing, missing, np.zeros(values.shape, dtype=bool)
    from_baseline = np.full(values.shape, "", dtype="<U9")
    is_sure = n_groups >= FEWEST_GROUPS and len(groups) <= MOST_UNITS
    if is_sure:
        drawn = _resampled([of for _, of in measures], groups, n_groups, runs, seed, size)
        inside = expanded((1 + level) / 2, n_groups)
        low, high = np.quantile(drawn, (1 - inside, inside), axis=1)
        for m, (measure, _) in enumerate(measures):
            sign = 1 if measure.high_is_good else -1
            if baseline:
                from_baseline[m] = beside_baseline(sign * drawn[m], systems.index(baseline), inside)
            best[m] = may_be_best(sign * values[m], sign * drawn[m], expanded(level, n_groups))
    elif n_groups >= FEWEST_GROUPS:
        notes = (
            *notes,
            f"No intervals: {thousands(len(groups))} rows are more than "
            f"{thousands(MOST_UNITS)}, too many to resample.",
        )
    elif n_groups > 1:
        notes = (*notes, f"No intervals: {n_groups} {units} are too few to resample.")
    return Scoreboard(
        title, tuple(m for m, _ in measures), tuple(systems), values, low, high, best,
        from_baseline,
        units, n_groups, is_sure, level, runs, tuple(notes),
        Provenance(extra=(("scores", title),), unit=units, runs=runs, seed=seed, level=level)
        | (provenance or Provenance()),
    )  # fmt: skip


def beside_baseline(drawn: FloatArray, baseline: int, inside: float) -> npt.NDArray[np.str_]:
    """Return whether each system is better or worse than the baseline, or in the gray area.

    The gray area holds the systems whose difference from the baseline has an interval with zero
    in it (Bojar et al. 2014, §4). A high value is a good one.
    """
    difference = drawn - drawn[:, [baseline]]
    low, high = np.quantile(difference, (1 - inside, inside), axis=0)
    said = np.where(low > 0, "better", np.where(high < 0, "worse", "gray area"))
    said[baseline] = "baseline"
    return said


def _resampled(
    measures: Sequence[Values],
    groups: npt.NDArray[np.integer],
    n_groups: int,
    runs: int,
    seed: int,
    size: int,
) -> FloatArray:
    """Return drawn[M, R, S]: each measure of each system in each resample."""
    generator = np.random.default_rng(seed)
    chunk = max(1, _LARGEST_CHUNK // max(len(groups), size))
    parts = []
    for start in range(0, runs, chunk):
        n = min(chunk, runs - start)
        drawn = generator.multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=n)
        counts = drawn[:, groups].astype(float)
        parts.append(np.stack([of(counts) for of in measures]))
    return np.concatenate(parts, axis=1)


def expanded(quantile: float, n: int) -> float:
    """Return which quantile of resamples of ``n`` groups to take for the one that is meant.

    Resamples vary by √((n−1)/n) less than samples do, and a deviation that is estimated needs
    Student's t: Φ(√(n/(n−1)) t) with t the quantile at n − 1 degrees (Hesterberg 2015, §3.3).

    >>> round(expanded(0.975, 15), 4), round(expanded(0.975, 1000), 4)
    (0.9868, 0.9752)
    """
    t = scipy.stats.t.ppf(quantile, n - 1)
    return float(scipy.stats.norm.cdf(np.sqrt(n / (n - 1)) * t))


def may_be_best(values: FloatArray, drawn: FloatArray, level: float) -> npt.NDArray[np.bool_]:
    """Return the systems that no other one is told better than; a high value is a good one.

    System i is out where another one j leads it by more than chance lets the luckiest rival lead
    the truly best system:

        max_j (v_j - v_i) / s_ij > c_i,

    s_ij being the deviation of the difference over resamples and c_i the ``level`` quantile of
    max_j ((v*_j - v*_i) - (v_j - v_i)) / s_ij. So the truly best system stays in with probability
    ``level``, however many systems there are (multiple comparisons with the best, Hsu 1981).
    ``level`` is `expanded` already.
    """
    stays = ~np.isnan(values)
    for i in np.flatnonzero(stays):
        rivals = np.flatnonzero(~np.isnan(values) & (np.arange(len(values)) != i))
        lead = values[rivals] - values[i]
        drawn_lead = drawn[:, rivals] - drawn[:, [i]]
        deviation = drawn_lead.std(axis=0)
        if np.any((deviation == 0) & (lead > 0)):
            stays[i] = False
            continue
        varies = deviation > 0
        if not varies.any():
            continue
        lead, drawn_lead = lead[varies], drawn_lead[:, varies]
        chance = ((drawn_lead - lead) / deviation[varies]).max(axis=1)
        stays[i] = (lead / deviation[varies]).max() <= np.quantile(chance, level)
    return stays
