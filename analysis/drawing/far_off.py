"""Systems so far from the others that, on one axis, the others would be dots in a heap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.wording import listed

FEWEST, MOST, SHARE = 4, 3, 10
"""Systems that must be left on the axis; that may be off it at either end: one in ten, not more."""
SQUEEZED = 0.25
"""The share of the axis that the others would get, under which a system is far off."""


def far_off(scores: Sequence[float] | npt.NDArray[np.float64]) -> npt.NDArray[np.int8]:
    """Return for each system −1 where it is far below the others, 1 far above, else 0.

    Far is what leaves the others less than a quarter of the axis; of one to three systems at an
    end, one in ten at most, the fewest that do.

    >>> far_off([.3, .2, .1, 0., -6.]).tolist(), far_off([.3, .2, .1, 0., -.2]).tolist()
    ([0, 0, 0, 0, -1], [0, 0, 0, 0, 0])
    """
    values = np.asarray(scores, dtype=np.float64)
    sides = np.zeros(len(values), dtype=np.int8)
    for _ in range(2):  # One end, then the other: both may have one.
        inside = [k for k in np.argsort(values, kind="stable") if not sides[k]]
        inside = [int(k) for k in inside if np.isfinite(values[k])]
        most = min(MOST, max(1, len(values) // SHARE), len(inside) - FEWEST)
        for count in range(1, most + 1):
            cuts = ((inside[:count], inside[count:], -1), (inside[-count:], inside[:-count], 1))
            whole = values[inside[-1]] - values[inside[0]]
            found = [
                (off, side)
                for off, rest, side in cuts
                if values[rest[-1]] - values[rest[0]] < SQUEEZED * whole
                and side not in sides[sides != 0]
            ]
            if found:
                off, side = found[0]
                sides[off] = side
                break
    return sides


def systems_off(
    systems: Sequence[str], scores: npt.NDArray[np.float64], order: npt.NDArray[np.integer[Any]]
) -> list[str]:
    """Return which of the systems in this ``order``, all or some, are far off."""
    sides = far_off(scores[order])
    return [systems[k] for k, side in zip(order, sides, strict=True) if side]


def far_off_words(names: Sequence[str]) -> str:
    """Say that the axis leaves systems out.

    >>> far_off_words([]), far_off_words(["a"])
    ('', 'The axis is cut: a is so far off that an arrow and its score are shown instead. ')
    """
    if not names:
        return ""
    one = len(names) == 1
    return (
        f"The axis is cut: {listed(list(names))} {'is' if one else 'are'} so far off that an "
        f"arrow and {'its' if one else 'the'} score are shown instead. "
    )
