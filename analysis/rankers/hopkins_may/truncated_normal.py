"""Draws from a normal distribution cut to what a judgment says: a win, a loss or a tie.

Exact rejection sampling with three proposals, each good where the others are not: the normal
itself, an exponential for tails, a uniform for narrow zones (Robert 1995, *Simulation of
Truncated Normal Variables*).
"""

from __future__ import annotations

import math

from analysis.campaign.counts import LOSS, WIN
from analysis.kernel import kernel


@kernel
def draw_above(low, rng):  # type: ignore[no-untyped-def]
    """Draw z ~ N(0, 1) given z > low."""
    if low < 0.4:
        while True:
            z = rng.standard_normal()
            if z > low:
                return z
    rate = (low + math.sqrt(low * low + 4.0)) / 2.0
    while True:
        z = low - math.log(1.0 - rng.random()) / rate
        if rng.random() <= math.exp(-((z - rate) ** 2) / 2.0):
            return z


@kernel
def draw_between(low, high, rng):  # type: ignore[no-untyped-def]
    """Draw z ~ N(0, 1) given low < z < high."""
    if low + high < 0.0:
        return -_draw_between(-high, -low, rng)
    return _draw_between(low, high, rng)


@kernel
def _draw_between(low, high, rng):  # type: ignore[no-untyped-def]
    """Draw as `draw_between` does, for an interval whose middle is not negative."""
    width = high - low
    if width > 2.5 or (low > 0.0 and low * width > 1.5):
        while True:
            z = draw_above(low, rng)
            if z < high:
                return z
    nearest = max(low, 0.0)
    while True:
        z = low + width * rng.random()
        if rng.random() <= math.exp((nearest * nearest - z * z) / 2.0):
            return z


@kernel
def draw_seen_difference(mean, scale, radius, outcome, rng):  # type: ignore[no-untyped-def]
    """Draw D ~ N(mean, scale²) given its outcome: a win above radius, a loss below -radius."""
    if outcome == WIN:
        return mean + scale * draw_above((radius - mean) / scale, rng)
    if outcome == LOSS:
        return mean - scale * draw_above((radius + mean) / scale, rng)
    return mean + scale * draw_between((-radius - mean) / scale, (radius - mean) / scale, rng)
