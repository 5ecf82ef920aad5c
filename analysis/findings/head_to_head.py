"""What a head-to-head table says, in words: for every view of it, and for two systems.

Two systems are told apart where the sign test's p-value is at most `LEVEL`.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import FloatArray
from analysis.comparing.head_to_head import HeadToHead
from analysis.findings.standings import Name
from analysis.wording import percent

LEVEL = 0.05


def finding(table: HeadToHead, name: Name = str) -> str:
    """Say who beats whom, and how many pairs of systems are open.

    "online-B beats everyone; 14 of 153 pairs cannot be told apart"
    """
    if not table.n_pairs:
        return "No judgment decided between two systems"
    n_open = table.n_pairs - table.n_significant(LEVEL)
    if table.n_pairs == 1:
        ending = "the two cannot be told apart" if n_open else "the difference is significant"
    elif n_open:
        ending = f"{n_open} of {table.n_pairs} pairs cannot be told apart"
    else:
        ending = f"all {table.n_pairs} pairs are told apart"
    return f"{_strongest(table, name)}; {ending}"


def observed_title(table: HeadToHead, name: Name = str) -> str:
    """Say which pair is the clearest and which the closest."""
    if not table.n_pairs:
        return "No judgment decided between two systems"
    return _extremes(table.systems, table.share, "beats", name)


def predicted_title(table: HeadToHead, predicted: FloatArray, method: str, name: Name = str) -> str:
    """Say the same of what a method expects."""
    return f"{method}: {_extremes(table.systems, predicted, 'should beat', name)}"


def difference_title(
    table: HeadToHead, predicted: FloatArray, method: str, name: Name = str
) -> str:
    """Say how far a method's expectations are from what was observed, and where most."""
    gap = np.triu(np.abs(table.share - predicted), 1)
    met = np.triu(table.decided > 0, 1) & ~np.isnan(gap)
    if not met.any():
        return "No judgment decided between two systems"
    i, j = np.unravel_index(np.argmax(np.where(met, gap, -1)), gap.shape)
    if table.share[i, j] < 0.5:
        i, j = j, i
    systems = table.systems
    return (
        f"{method} is off by {points(float(gap[met].mean()))} on average; most on "
        f"{name(systems[i])} against {name(systems[j])}: "
        f"{percent(table.share[i, j])}, {percent(predicted[i, j])} expected"
    )


def counts_title(table: HeadToHead, name: Name = str) -> str:
    """Say how often the systems met."""
    n = len(table.systems)
    compared = table.compared[np.triu_indices(n, 1)]
    never = int(np.count_nonzero(compared == 0))
    met = compared[compared > 0]
    if not len(met):
        return "No two systems were compared"
    times = f"{met.min():.0f}" + ("" if met.min() == met.max() else f" to {met.max():.0f}")
    if never:
        return f"{never} of {len(compared)} pairs never met; the others met {times} times"
    if n == 2:
        return f"{name(table.systems[0])} and {name(table.systems[1])} met {times} times"
    return f"Every two systems met {times} times"


def significance_title(table: HeadToHead) -> str:
    """Say how many pairs the sign test tells apart."""
    n, apart = table.n_pairs, table.n_significant(LEVEL)
    if not n:
        return "No judgment decided between two systems"
    rest = "" if apart == n else f"; {n - apart} {'is' if n - apart == 1 else 'are'} not"
    return f"{apart} of {n} pairs are told apart at p ≤ .05{rest}"


def pair_sentences(table: HeadToHead, first: str, second: str, name: Name = str) -> list[str]:
    """Say all numbers of two systems, the first one's side first."""
    i, j = table.systems.index(first), table.systems.index(second)
    wins, losses, ties = int(table.wins[i, j]), int(table.wins[j, i]), int(table.ties[i, j])
    a, b = name(first), name(second)
    if not wins + losses + ties:
        return [f"{a} and {b} were never compared with each other."]
    met = (
        f"{a} and {b} met {_times(wins + losses + ties)}: {a} was preferred {_times(wins)}, "
        f"{b} {_times(losses)}, and {ties} {'was a tie' if ties == 1 else 'were ties'}."
    )
    if not wins + losses:
        return [met, "Ties alone do not say which one is better."]
    p = float(table.p[i, j])
    test = "two-sided" if table.sides == 2 else f"one-sided, for {a} being better"
    verdict = "can be told apart" if p <= LEVEL else "cannot be told apart"
    return [
        met,
        f"Ties aside, {a} won {percent(table.share[i, j])}. If both were equally good, a "
        f"result as clear as this would come up in {percent(p)} of such campaigns "
        f"(sign test, {p_value(p)}, {test}): the two {verdict}.",
    ]


def points(share: float) -> str:
    """Write a difference of shares in percentage points.

    >>> points(.0345), points(.01)
    ('3.5 points', '1.0 points')
    """
    return f"{100 * share:.1f} points"


def p_value(p: float) -> str:
    """Write a p-value as papers do.

    >>> [p_value(p) for p in (.00004, .0123, .5, 1.0)]
    ['p < .001', 'p = .012', 'p = .50', 'p = 1']
    """
    if p < 0.001:
        return "p < .001"
    if p > 0.995:
        return "p = 1"
    return f"p = {p:.3f}".replace("0.", ".") if p < 0.1 else f"p = {p:.2f}".replace("0.", ".")


def _strongest(table: HeadToHead, name: Name) -> str:
    beaten = (np.nan_to_num(table.share, nan=0.0) > 0.5).sum(axis=1)
    met = (table.decided > 0).sum(axis=1)
    best = int(np.argmax(beaten))
    others = len(table.systems) - 1
    if beaten[best] == others:
        told_apart = (table.p[best] <= LEVEL).sum() == others
        verb = "beats" if told_apart else "is ahead of"
        return f"{name(table.systems[best])} {verb} " + (
            "everyone" if others > 1 else name(table.systems[1 - best])
        )
    if not beaten[best]:
        return "Nobody beats anybody"
    return (
        f"Nobody beats everyone; {name(table.systems[best])} beats "
        f"{beaten[best]} of the {met[best]} it met"
    )


def _extremes(systems: tuple[str, ...], share: FloatArray, verb: str, name: Name) -> str:
    """Name the clearest and the closest pair of a table of shares."""
    i, j = np.unravel_index(np.nanargmax(share), share.shape)
    clearest = f"{name(systems[i])} {verb} {name(systems[j])} in {percent(share[i, j])}"
    if len(systems) == 2:
        return clearest
    distance = np.where(np.triu(np.ones(share.shape), 1) > 0, np.abs(share - 0.5), np.nan)
    k, m = np.unravel_index(np.nanargmin(distance), share.shape)
    if share[k, m] < 0.5:
        k, m = m, k
    closest = percent(share[k, m])
    return f"{clearest}; closest are {name(systems[k])} and {name(systems[m])}, {closest}"


def _times(n: int) -> str:
    return "once" if n == 1 else "never" if n == 0 else f"{n} times"
