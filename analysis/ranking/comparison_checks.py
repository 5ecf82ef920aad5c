"""What limits a ranking because of who was compared with whom: pairs, opponents, ties.

A check looks at the comparisons of systems and yields findings. A `Finding` says what was found,
what that means for the result, and what to do. The thresholds are constants, each with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from analysis.campaign import FloatArray, IntArray, Judgments, PairCounts
from analysis.campaign.counts import THIN_PAIR
from analysis.campaign.ragged import Ragged
from analysis.errors import control
from analysis.rankers.ranker import Fit
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT, share
from analysis.ranking.verdict import Verdict
from analysis.wording import listed, percent, thousands

Severity = Literal["problem", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("problem", "warning", "note")
"""A problem makes part of the ranking meaningless; a warning biases or blurs it."""

TOO_FEW = 10
"""Judgments under which nothing is said of who is best."""

FEW_DECISIONS = 100
"""Decided comparisons of a system under which its share is known to no better than ±10 points."""

SKEW = 0.02
"""Difference of the two ways to average over opponents, as a share; neighbors differ by less."""

TIED_PAIR = 0.6
"""Share of ties of two systems that judges rarely reach unless the outputs are the same: the most
in ten WMT15 language pairs is .52 where identical outputs are judged once."""

IDENTICAL_PAIR = 0.8
"""Share of identical outputs of two systems from which their ties are nobody's judgment."""

NEVER_DECIDED = 0.95
"""Share of ties of two systems above which judging them further decides nothing."""

MOSTLY_TIES = 0.5
"""Share of ties above which most judgments decide nothing."""

ABILITIES = "Use a model of abilities, such as Bradley–Terry"


HEAVY_BELOW = 30
"""Decided judgments under which a pair may rest on one of them."""


@dataclass(frozen=True)
class Finding:
    """One thing to know before reading a ranking; three sentences in plain words.

    ``room`` is the address of the dashboard's page that shows more, ``question`` what to ask there.
    """

    kind: str
    severity: Severity
    finding: str
    meaning: str
    remedy: str
    room: str = ""
    question: str = ""


def never_compared(judgments: Judgments) -> Iterable[Finding]:
    """Find systems that nobody compared with another."""
    alone = np.flatnonzero(judgments.counts.compared.sum(axis=1) == 0)
    if len(alone):
        yield Finding(
            "never-compared",
            "problem",
            f"{_names(judgments, alone)} {'was' if len(alone) == 1 else 'were'} never compared "
            "with another system.",
            "It has no score and no rank there.",
            "Collect judgments that compare it with others, or leave it out.",
        )


def only_ties(judgments: Judgments) -> Iterable[Finding]:
    """Find that all judgments are ties."""
    if judgments.n_ties == len(judgments):
        yield Finding(
            "only-ties",
            "problem",
            f"All {thousands(len(judgments))} judgments are ties.",
            "No system was ever preferred, so all orders are equally good.",
            "Check that the ranks were read from the right columns.",
        )


def disconnected(judgments: Judgments) -> Iterable[Finding]:
    """Find groups of systems that no decided comparison connects."""
    decided = judgments.counts.decided
    if not decided.any():
        return
    compared = np.flatnonzero(judgments.counts.compared.sum(axis=1))
    groups = _components(decided[np.ix_(compared, compared)], compared, "weak")
    if len(groups) > 1:
        listed = "; ".join(_names(judgments, group) for group in groups)
        yield Finding(
            "disconnected",
            "problem",
            f"The systems form {len(groups)} groups that no decided comparison connects: {listed}.",
            "Systems of different groups cannot be ranked against each other; their relative "
            "places have no meaning.",
            "Collect comparisons across the groups, or rank each group by itself.",
        )


def undefeated(judgments: Judgments) -> Iterable[Finding]:
    """Find groups of systems that never lost to, or never won against, the others."""
    wins = judgments.counts.wins
    played = np.flatnonzero((wins + wins.T).sum(axis=1))
    verdict: list[set[int]] = []
    for group in reversed(_components(wins[np.ix_(played, played)], played, "strong")):
        outside = np.setdiff1d(played, group)
        won, lost = wins[np.ix_(group, outside)].sum(), wins[np.ix_(outside, group)].sum()
        if (won > 0) == (lost > 0) or set(outside) in verdict:
            continue  # what is said of one side need not be said of the other
        verdict.append(set(group))
        if len(judgments) < TOO_FEW:
            continue  # so few do not show a place
        n = thousands(won + lost)
        who, side = _names(judgments, group), "above" if won else "below"
        others = "the others" if len(outside) > 1 else _names(judgments, outside)
        yield Finding(
            "undefeated" if won else "winless",
            "warning",
            f"{who} {'won' if won else 'lost'} all {n} decided comparisons with {others}.",
            f"{'Their' if len(group) > 1 else 'Its'} place {side} {others} follows from all {n} "
            "decided comparisons; the distance is unknown: it follows from the method's prior, "
            "not from the judgments.",
            "Use the place, not the score; judgments against the nearest others help most.",
        )


def opponent_skew(judgments: Judgments) -> Iterable[Finding]:
    """Find systems that met weaker or stronger opponents more often than others did."""
    counts = judgments.counts
    # without thin pairs, of which Expected Wins makes too much
    met = counts.decided >= THIN_PAIR
    kept = PairCounts(np.where(met, counts.wins, 0.0), np.where(met, counts.ties, 0.0))
    by_judgment = Bojar().scores_from_counts(kept)
    by_opponent = ExpectedWins().scores_from_counts(kept)
    decided = kept.decided.sum(axis=1)
    error = share(np.full(len(decided), 0.5), np.sqrt(decided))
    difference = by_judgment - by_opponent
    skewed = np.flatnonzero(np.abs(np.nan_to_num(difference)) > np.fmax(SKEW, 2 * error))
    if len(skewed):
        worst = skewed[np.argmax(np.abs(difference[skewed]))]
        name = _names(judgments, [worst])
        yield Finding(
            "opponent-skew",
            "warning",
            f"{name} won {by_judgment[worst]:.0%} of its decided comparisons, but "
            f"{by_opponent[worst]:.0%} on average over its opponents"
            f"{likewise(len(skewed) - 1, 'system')}.",
            f"It met its {'weaker' if difference[worst] > 0 else 'stronger'} opponents more often, "
            f"so methods that only count wins ({OrigWMT.title}; {Bojar.title}) rank it too "
            f"{'high' if difference[worst] > 0 else 'low'}.",
            f"{ABILITIES}; it adjusts for the opponents.",
        )


def thin_pairs(judgments: Judgments) -> Iterable[Finding]:
    """Find pairs of systems with few decided comparisons where most pairs have many."""
    counts = judgments.counts
    met = np.flatnonzero(counts.compared.sum(axis=1))
    row, column = (met[side] for side in np.triu_indices(len(met), 1))
    decided = counts.decided[row, column]
    thin = decided < THIN_PAIR
    if not thin.any() or np.median(decided) < 3 * THIN_PAIR:
        return  # where most pairs are thin the campaign is small, which another check says
    worst = int(np.argmin(decided))
    pair = _names(judgments, [row[worst], column[worst]])
    yield Finding(
        "thin-pairs",
        "warning",
        f"Fewer than {THIN_PAIR} decided comparisons in {thousands(thin.sum())} of "
        f"{thousands(len(thin))} pairs of systems; the fewest, {thousands(decided[worst])}, "
        f"between {pair}.",
        "Expected Wins gives such a pair the weight of any other, or leaves it out if it has "
        "only ties. A few judgments can therefore change a rank.",
        f"{ABILITIES}, or collect more on these pairs.",
    )


def few_judgments(judgments: Judgments) -> Iterable[Finding]:
    """Find systems with few decided comparisons."""
    decided = judgments.counts.decided.sum(axis=1)
    few = np.flatnonzero((decided < FEW_DECISIONS) & (judgments.counts.compared.sum(axis=1) > 0))
    if len(few) and decided.any():
        fewest = decided[few].min()
        half_width = 1 / np.sqrt(max(fewest, 1))
        yield Finding(
            "few-judgments",
            "warning",
            f"{_names(judgments, few)} {'has' if len(few) == 1 else 'have'} fewer than "
            f"{FEW_DECISIONS} decided comparisons (the fewest: {thousands(fewest)}).",
            f"A share of wins from so few has an error of about ±{100 * min(half_width, 0.5):.0f} "
            "points, more than the difference of most adjacent systems.",
            "Use the rank ranges rather than the ranks, and collect more judgments.",
        )


def many_ties(judgments: Judgments) -> Iterable[Finding]:
    """Find that most judgments are ties."""
    ties = judgments.tie_share
    if MOSTLY_TIES < ties < 1:
        yield Finding(
            "many-ties",
            "warning",
            f"{ties:.0%} of the judgments are ties.",
            "Most judgments decide nothing; the ranking depends on the smaller part.",
            "See how the ranking depends on the tie policy, or count identical outputs once.",
        )


def tied_pairs(judgments: Judgments) -> Iterable[Finding]:
    """Find pairs of systems that tie nearly always, or that made identical outputs."""
    counts = judgments.counts
    once = control("--identical collapsed", "“Identical outputs once” on Data")
    leave_out = f"To leave out ties that no judge saw, use {once}; agreement does so by itself."
    rate = share(counts.ties, counts.compared)
    same = share(identical_outputs(judgments).astype(np.float64), counts.compared)
    met = np.triu(counts.compared >= 2 * THIN_PAIR, 1)
    if judgments.n_ties == len(judgments):
        return
    alike = np.argwhere(met & (same >= IDENTICAL_PAIR))
    if len(alike):
        first, second = alike[np.argmax(same[tuple(alike.T)])]
        yield Finding(
            "tied-pairs",
            "note",
            f"{_names(judgments, [first, second])} made identical outputs in "
            f"{percent(same[first, second])} of their comparisons, which count as ties"
            f"{likewise(len(alike) - 1, 'pair')}.",
            "No judge saw these ties, and they decide nothing between the systems.",
            leave_out,
        )
    tied = np.argwhere(met & (rate > TIED_PAIR) & (same < IDENTICAL_PAIR))
    if len(tied):
        first, second = tied[np.argmax(rate[tuple(tied.T)])]
        part = same[first, second]
        yield Finding(
            "tied-pairs",
            "note",
            f"{_names(judgments, [first, second])} tie in {percent(rate[first, second])} of "
            f"their comparisons{f', with identical outputs in {percent(part)}' if part else ''}"
            f"{likewise(len(tied) - 1, 'pair')}.",
            "Ties decide nothing: the order of the two depends on their other comparisons.",
            leave_out if part else "Collect more judgments of the two if their order matters.",
        )


def identical_outputs(judgments: Judgments) -> IntArray:
    """Count how often two systems' outputs were one in a ranking task, K×K.

    These are the ties of the expanded view that nobody judged; the collapsed view has none.
    """
    if judgments.selection.identical == "collapsed":
        return np.zeros((judgments.n_systems,) * 2, dtype=np.int64)
    return _made_alike(judgments)


def identical_pairs(judgments: Judgments) -> npt.NDArray[np.bool_]:
    """Return which two systems made one output, or tie, nearly always, K×K: not worth comparing."""
    same, counts = _made_alike(judgments), judgments.counts
    met = counts.compared + same * (judgments.selection.identical == "collapsed")
    alike = (same >= IDENTICAL_PAIR * met) | (counts.ties >= NEVER_DECIDED * met)
    return np.asarray((met >= 2 * THIN_PAIR) & alike)


def _made_alike(judgments: Judgments) -> IntArray:
    n, campaign = judgments.n_systems, judgments.campaign
    code_of = np.full(len(campaign.systems), -1, dtype=np.int64)
    code_of[[campaign.systems.index(name) for name in judgments.systems]] = np.arange(n)
    shown = Ragged.from_start(campaign.task_start).take(judgments.tasks).values
    makers = campaign.made_by.take(campaign.entry_output[shown])
    a, b = (code_of[makers.values[position]] for position in makers.pairs())
    counted = (a >= 0) & (b >= 0)
    table = np.bincount(a[counted] * n + b[counted], minlength=n * n).reshape(n, n)
    return table + table.T


def _components(
    edges: FloatArray, labels: IntArray, connection: Literal["weak", "strong"]
) -> list[IntArray]:
    """Return groups of labels, the largest first."""
    n, member = scipy.sparse.csgraph.connected_components(
        scipy.sparse.csr_array(edges), connection=connection
    )
    groups = [labels[member == k] for k in range(n)]
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _names(judgments: Judgments, codes: Sequence[int] | IntArray) -> str:
    short = judgments.short_names
    return listed([short[judgments.systems[k]] for k in codes], most=5)


def likewise(n: int, noun: str) -> str:
    """Say in brackets that a finding is also true of others.

    >>> likewise(2, "pair"), likewise(0, "pair")
    (' (2 other pairs likewise)', '')
    """
    return f" ({n} other {noun}{'' if n == 1 else 's'} likewise)" if n else ""


def heavy_pairs(fit: Fit, result: Verdict) -> pd.DataFrame:
    """Return the pairs of which one judgment alone says much, the heaviest first.

    Where each pair counts for itself, as in Expected Wins, a pair with few decided judgments
    weighs as much as one with many. Columns: ``a``, ``b``, the number of ``decided`` judgments
    (under `HEAVY_BELOW`), and ``moves``: how much the score of a changes if one of them is
    reversed, at least half its standard deviation.
    """
    judgments, influence = fit.judgments, fit.influence()
    columns = ["a", "b", "decided", "moves"]
    if influence is None or influence.by_share is None:
        return pd.DataFrame(columns=columns)
    decided = judgments.counts.decided
    scarce = (decided > 0) & (decided < HEAVY_BELOW)
    own = 1.0 if influence.mixing is None else np.diag(influence.mixing)[:, None]
    moves = np.where(scarce, own * influence.by_share / np.maximum(decided, 1), 0.0)
    first, second = np.nonzero(scarce & (moves >= result.se[:, None] / 2))
    rows = [
        (judgments.systems[i], judgments.systems[j], int(decided[i, j]), float(moves[i, j]))
        for i, j in zip(first, second, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values("moves", ascending=False, kind="stable", ignore_index=True)
