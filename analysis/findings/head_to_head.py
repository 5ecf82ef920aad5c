"""What a head-to-head table says, in words: for every view of it, and for two systems.

"Significant" is what `analysis.ranking.verdict` says of a method's scores, and nothing else; by an
official procedure two systems "have separate rank ranges", and by the sign test of WMT14 they
"differ". Tables are in standings order. A pair with fewer than
`THIN_PAIR` decided judgments makes no news.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray
from analysis.campaign.counts import THIN_PAIR
from analysis.comparing.head_to_head import HeadToHead
from analysis.findings.standings import Name
from analysis.ranking.equivalence import simultaneous_intervals
from analysis.ranking.verdict import Verdict
from analysis.wording import count, p_value, percent, significant, thousands

LEVEL = 0.05
"""The p-value of the sign test up to which two systems differ."""

EXTREME = 0.02
"""Difference of mean distances from 50% above which predictions are called too extreme."""

NOTHING_DECIDED = "All judgments are ties"
SIGN_TEST = (
    "This test treats every judgment as independent and looks at one pair alone. Judges and "
    "segments repeat, so it is too optimistic: with equal systems, p ≤ 0.01 occurred in 4% of "
    "simulated campaigns with three tasks per segment and in 28% with twenty-four."
)


def differ(verdict: Verdict, n: int = 2) -> str:
    """Say that pairs, or one pair, differ by the verdict's rule."""
    if verdict.is_official:
        return "has separate rank ranges" if n == 1 else "have separate rank ranges"
    return "differs significantly" if n == 1 else "differ significantly"


def finding(table: HeadToHead, verdict: Verdict | None, name: Name = str) -> str:
    """Say whom the best system differs significantly from, and how many pairs do; None: unknown.

    "online-B is significantly better than 9 of the 11 others; 52 of 66 pairs differ significantly"

    A winner is better than all others in tests of its own, perhaps not among all pairs.
    """
    best, others = name(table.systems[0]), len(table.systems) - 1
    if verdict is None:
        return f"{best} has the highest score; computing significance"
    verdicts = table.verdicts(verdict)
    n_pairs, n_apart = _pairs_apart(verdicts)
    if not n_pairs:
        return f"{best} has the highest score; its uncertainty is unknown"
    better = "ranks above" if verdict.is_official else "is significantly better than"
    if others == 1:
        other = name(table.systems[1])
        clear = f"{best} {better} {other}"
        return clear if n_apart else f"{best} and {other} are not separated yet"
    below = int(np.count_nonzero(verdicts[0] == 1))
    if below < others and verdict.winner == table.systems[0] and not verdict.is_official:
        return (
            f"{best} beats all {others} others; {below or 'none'} of them also if all "
            f"{count(n_pairs, 'pair')} are tested at once; {count(n_apart, 'pair')} "
            f"{differ(verdict, n_apart)}"
        )
    if not n_apart:
        return f"None of the {count(n_pairs, 'system pair')} {differ(verdict, 1)} yet"
    pairs = f"{thousands(n_apart)} of {count(n_pairs, 'pair')} {differ(verdict)}"
    if n_apart == n_pairs:
        pairs = f"all {count(n_pairs, 'pair')} {differ(verdict)}"
    if not below:
        return f"No system is separated from {best}; {pairs}"
    whom = f"all {others} others" if below == others else f"{below} of the {others} others"
    return f"{best} {better} {whom}; {pairs}"


def observed_title(table: HeadToHead, verdict: Verdict | None, name: Name = str) -> str:
    """Say how often the first of two systems won against the other, and whether that settles it.

    "online-B won 52% against kit, ties aside; not separated"
    """
    if not table.n_pairs:
        return NOTHING_DECIDED
    pair = table.first_pair
    first, second = (name(table.systems[k]) for k in pair)
    if not table.compared[pair]:
        return f"{first} and {second} {'share no segment' if table.of_ratings else 'never met'}"
    if table.decided[pair] < THIN_PAIR:
        return f"{first} and {second} were compared fewer than {THIN_PAIR} times, ties aside"
    top = f"{first} won {percent(table.share[pair])} against {second}, ties aside"
    if table.of_ratings:
        share = f"{percent(table.share[pair])} of the segments where the ratings differ"
        top = f"{first} was rated better than {second} on {share}"
    judged = np.nan if verdict is None else table.verdicts(verdict)[pair]
    if verdict is None or np.isnan(judged):
        return top
    return f"{top}; they {differ(verdict)}" if judged else f"{top}; not separated"


def predicted_title(table: HeadToHead, predicted: FloatArray, method: str, name: Name = str) -> str:
    """Say what a method expects of the best system, against the next one and the last."""
    first, second, last = (name(table.systems[k]) for k in (0, 1, -1))
    words = f"{method}: {first} should win {percent(predicted[0, 1])} against {second}"
    return (
        words if len(table.systems) == 2 else f"{words}, {percent(predicted[0, -1])} against {last}"
    )


def difference_title(
    table: HeadToHead, predicted: FloatArray, method: str, name: Name = str
) -> str:
    """Say how far a method's expectations are from what was observed, and where most."""
    gap = np.triu(np.abs(table.share - predicted), 1)
    met = np.triu(table.decided > 0, 1) & ~np.isnan(gap)
    often = met & (table.decided >= THIN_PAIR)
    if not met.any():
        return NOTHING_DECIDED
    if not often.any():
        return f"Each pair was decided fewer than {THIN_PAIR} times, so differences mean little"
    i, j = np.unravel_index(np.argmax(np.where(often, gap, -1)), gap.shape)
    if table.share[i, j] < 0.5:
        i, j = j, i
    systems = table.systems
    return (
        f"{method} is off by {points(float(gap[often].mean()))} on average; most for "
        f"{name(systems[i])} vs. {name(systems[j])}: {percent(table.share[i, j])}, "
        f"{percent(predicted[i, j])} expected"
    )


def extreme_words(table: HeadToHead, predicted: FloatArray) -> str:
    """Warn of predictions that are further from 50% than what was observed; empty if they are not.

    Chance alone moves observed shares away from 50%, so that predictions should be nearer to it.
    """
    met = np.triu(table.decided >= THIN_PAIR, 1) & ~np.isnan(predicted)
    further = np.abs(predicted - 0.5)[met] - np.abs(table.share - 0.5)[met]
    if not met.any() or (gap := float(further.mean())) < EXTREME:
        return ""
    return (
        f"Predictions are too extreme: {points(gap)} further from 50% than the observed shares on "
        "average. "
    )


def counts_title(table: HeadToHead, name: Name = str) -> str:
    """Say how often the systems met."""
    n = len(table.systems)
    compared = table.compared[np.triu_indices(n, 1)]
    never = int(np.count_nonzero(compared == 0))
    met = compared[compared > 0]
    if table.of_ratings and len(met):
        least, most = int(met.min()), int(met.max())
        some = count(most, "segment") if least == most else f"{least} to {thousands(most)} segments"
        rest = f"; {never} of {len(compared)} pairs share none" if never else ""
        return f"Two systems share {some}{rest}"
    if not len(met):
        return "No two systems were compared"
    times = f"{met.min():.0f}" + ("" if met.min() == met.max() else f" to {met.max():.0f}")
    if never:
        return f"{never} of {len(compared)} pairs were never compared; the others {times} times"
    if n == 2:
        return f"{name(table.systems[0])} and {name(table.systems[1])} were compared {times} times"
    return f"Every two systems were compared {times} times"


def apart_title(table: HeadToHead, verdict: Verdict | None) -> str:
    """Say how many pairs differ significantly, and how many are open."""
    if verdict is None:
        return "Computing significance"
    n, apart = _pairs_apart(table.verdicts(verdict))
    if not n:
        return "There is not enough data to estimate the uncertainty of a difference"
    rest = (
        "" if apart == n else f"; {thousands(n - apart)} {'does' if n - apart == 1 else 'do'} not"
    )
    pairs = f"{thousands(apart)} of {count(n, 'pair')}"
    return f"{pairs} {differ(verdict)} at {verdict.level:.0%}{rest}"


def sign_test_title(table: HeadToHead) -> str:
    """Say how many pairs differ by the sign test."""
    if not table.n_pairs:
        return NOTHING_DECIDED
    pairs = count(table.n_pairs, "pair")
    return f"{thousands(table.n_significant(LEVEL))} of {pairs} differ at p ≤ 0.05 by the sign test"


def pair_sentences(table: HeadToHead, first: str, second: str, name: Name = str) -> list[str]:
    """Say how often two systems met and who was preferred, the first one's side first."""
    i, j = table.systems.index(first), table.systems.index(second)
    wins, losses, ties = int(table.wins[i, j]), int(table.wins[j, i]), int(table.ties[i, j])
    a, b = name(first), name(second)
    if not wins + losses + ties:
        return [f"{a} and {b} were never compared with each other."]
    preferred = f"preferred {_times(wins)}" if wins else "never preferred"
    met = (
        f"{a} and {b} were compared {_times(wins + losses + ties)}: {a} was {preferred}, {b} "
        f"{_times(losses)}, and {thousands(ties)} {'was a tie' if ties == 1 else 'were ties'}."
    )
    if not wins + losses:
        return [met, "Ties alone do not show which one is better."]
    if wins + losses < THIN_PAIR:
        return [met, f"Decided only {_times(wins + losses)}: too few to conclude more."]
    return [met, f"Excluding ties, {a} won {percent(table.share[i, j])}."]


def pair_sentence(verdict: Verdict, first: str, second: str, method: str, name: Name = str) -> str:
    """Say whether two systems differ significantly: difference, interval and p."""
    i, j = verdict.systems.index(first), verdict.systems.index(second)
    a, b = name(first), name(second)
    if not verdict.known[i, j]:
        return f"By {method}, the uncertainty of the difference between {a} and {b} is unknown."
    if verdict.scores[i] < verdict.scores[j]:
        i, j, a, b = j, i, b, a
    interval = verdict.interval_of_difference(verdict.systems[i], verdict.systems[j])
    low, high = (significant(end, 2) for end in (interval.low, interval.high))
    n_pairs = int(np.count_nonzero(np.triu(verdict.known, 1)))
    judged = f"the two {differ(verdict)}"
    if not verdict.significant[i, j]:
        judged = "the two are not separated"
        if verdict.winner == verdict.systems[i] and not verdict.is_official:
            own = p_value(float(verdict.p[i, j]))
            judged += f" among all pairs, but {a} is better in the winner's own test ({own})"
    compared = f"{a} scores {significant(interval.estimate, 2)} more than {b}"
    if not interval.estimate:
        compared = f"{a} and {b} have the same score"
    if verdict.is_official:
        return f"By {method}, {compared}; {judged}."
    among = f"Adjusted for all {count(n_pairs, 'pair')}, " if n_pairs > 1 else "With "
    return (
        f"By {method}, {compared} ({verdict.level:.0%} interval of this difference alone "
        f"{low} to {high}). {among}{p_value(float(verdict.p_adjusted[i, j]))}: {judged}."
    )


def sign_test_sentence(table: HeadToHead, first: str, second: str, name: Name = str) -> str:
    """Say what WMT14's sign test says of two systems, and what it supposes; empty: no evidence."""
    i, j = table.systems.index(first), table.systems.index(second)
    if not table.decided[i, j]:
        return ""
    p = float(table.p[i, j])
    sides = "two-sided" if table.sides == 2 else f"one-sided, for {name(first)} being better"
    return (
        f"WMT14's sign test, {sides}: {p_value(p)}. If both were equally good, a result as clear "
        f"as this would occur in {percent(p)} of such campaigns. {SIGN_TEST}"
    )


def points(share: float) -> str:
    """Write a difference of shares in percentage points.

    >>> points(.0345), points(.01)
    ('3.5 points', '1.0 points')
    """
    return f"{100 * share:.1f} points"


def _pairs_apart(verdicts: FloatArray) -> tuple[int, int]:
    """Count the pairs of which something can be said, and those significant."""
    known = np.triu(~np.isnan(verdicts), 1)
    return int(np.count_nonzero(known)), int(np.count_nonzero(known & (verdicts != 0)))


def _times(n: int) -> str:
    return "once" if n == 1 else "never" if n == 0 else f"{thousands(n)} times"


def equality_headline(frame: pd.DataFrame, margin: float) -> str:
    """Say how many pairs are equal within a margin, and how many differ; from `equal_within`.

    "3 of 78 pairs are practically equal within 0.1; 24 differ significantly, 51 are not separated"
    """
    verdict = frame["verdict"]
    equal, n_open = int((verdict == "equal").sum()), int((verdict == "open").sum())
    verb = "is" if equal == 1 else "are"
    differ = len(frame) - equal - n_open
    return (
        f"{equal} of {len(frame)} pairs {verb} practically equal within {margin:.3g}; "
        f"{differ} differ significantly, {n_open} {'is' if n_open == 1 else 'are'} not separated"
    )


def equality_sentence(
    verdict: Verdict, first: str, second: str, margin: float, name: Name = str
) -> str:
    """Say whether two systems are practically equal, with the interval that decides it."""
    if not {first, second} <= set(verdict.systems):
        return ""
    low, high = simultaneous_intervals(verdict)
    i, j = verdict.systems.index(first), verdict.systems.index(second)
    ends = f"{significant(low[i, j], 2)} to {significant(high[i, j], 2)}"
    is_equal = -margin < low[i, j] and high[i, j] < margin
    return (
        f"Within {margin:.3g}, {name(first)} and {name(second)} are "
        f"{'' if is_equal else 'not shown to be '}practically equal: the interval of their "
        f"difference, valid for all pairs together, is {ends}."
    )


def cheapest_sentence(system: str | None, margin: float, name: Name = str) -> str:
    """Name the cheapest system that is not worse than the best by a margin."""
    if system is None:
        return f"No system with a cost is shown to be within {margin:.3g} of the best."
    return f"{name(system)} is the cheapest system that is not worse than the best by {margin:.3g}."
