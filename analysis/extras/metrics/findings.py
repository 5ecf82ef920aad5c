"""What metrics beside people show, and what their measures mean."""

from __future__ import annotations

import pandas as pd

from analysis.errors import control
from analysis.extras.metrics.beside_people import MetricsBoard
from analysis.findings.measured import rates_of
from analysis.wording import chance, count, fixed, listed, percent

MOST_NAMED = 4
UPSIDE_DOWN = -0.5
"""Correlation with human scores under which a metric probably counts errors."""
FEW_SYSTEMS = 5
"""Under so many systems, pairwise accuracy has fewer than ten pairs."""

AUDITED, PAIR_BETTER, SEVERAL_GROUPS = (
    "groups of metrics",
    "an equal metric said to be better",
    "equal metrics in several groups",
)
"""What the audit calls its rows and claims on groups."""

MEASURES = {
    "pairwise_accuracy": (
        "Pairwise accuracy",
        "the share of system pairs that the metric orders as the human mean scores do",
    ),
    "soft_pairwise_accuracy": (
        "Soft pairwise accuracy",
        "pairwise accuracy in which a pair counts by the closeness of the metric's p-value to "
        "the human one",
    ),
    "kendall": (
        "Kendall with calibrated ties",
        "the share of output pairs of a segment that the metric orders as humans do, ties "
        "included; scores at most ε apart are a tie, with the ε that suits the metric best",
    ),
}
"""Title and meaning of each measure."""


CORRELATIONS = {
    "pearson": "Pearson's r of the systems' scores; 95% of the resamples of the human judgments.",
    "tau": "Kendall's τ over decided comparisons of two outputs of a segment, ties of the metric "
    "in the denominator; 95% of the resamples of segments (WMT14 METRICS task).",
}
"""Meaning of each correlation."""


def correlation_finding(measured: pd.DataFrame) -> str:
    """Say which metric correlates best with people, and how sure the correlation is."""
    known = measured[measured["pearson"].notna()]
    if known.empty:
        return "No metric has scores of three of these systems."
    best = known.sort_values("pearson", ascending=False).iloc[0]
    return (
        f"{best['metric']} correlates best with the systems' scores: r = {best['pearson']:.3f} "
        f"({best['pearson_low']:.3f} to {best['pearson_high']:.3f})."
    )


def metrics_finding(board: MetricsBoard) -> str:
    """Say which metrics order systems best, as far as that can be told."""
    order = board.order
    best, value = board.metrics[order[0]], board.leading[order[0]]
    share = percent(value)
    what = f"orders {share} of the pairs of {count(len(board.systems), 'system')} as humans do"
    if board.told_by == "soft_pairwise_accuracy":
        what = f"has the best soft pairwise accuracy, {value:.3f}"
    if len(order) == 1:
        return f"{best} {what}."
    first = [board.metrics[m] for m in order if board.leading[m] == value]
    if len(first) > 1:
        who = listed(first) if len(first) <= MOST_NAMED else count(len(first), "metric")
        return f"{who} {what.replace('orders', 'order', 1).replace('has', 'have', 1)}."
    group = [board.metrics[m] for m in order if board.groups[m] == 1]
    if not group:
        return f"{best} {what}; differences between metrics were not tested."
    if len(group) == 1:
        return f"{best} {what}; no other metric is in its group."
    others = group[1:]
    who = listed(others) if len(others) <= MOST_NAMED else count(len(others), "other metric")
    verb = "is" if len(others) == 1 else "are"
    return f"{best} {what}; {who} {verb} in its group."


def upside_down_words(measured: pd.DataFrame) -> list[str]:
    """Name the metrics that fall as human scores rise, which may count errors."""
    found = measured[measured["pearson"] <= UPSIDE_DOWN]
    return [
        f"{row['metric']} falls as human scores rise (r = {fixed(row['pearson'])}). If low values "
        f"are good, {control('add --low-is-good ' + row['metric'], 'mark it as “low is good”')}."
        for row in found.to_dict("records")
    ]


def few_systems_words(n: int) -> list[str]:
    """Say that few systems cannot separate metrics; nothing if there are enough."""
    if n >= FEW_SYSTEMS:
        return []
    pairs = count(n * (n - 1) // 2, "pair")
    return [f"Only {n} systems: {pairs} of systems cannot separate metrics."]


def what_dots_mean(board: MetricsBoard) -> str:
    """Say what a filled dot is in the figure."""
    if not board.groups.any():
        return MEASURES[board.told_by][0]
    return f"{MEASURES[board.told_by][0]}; filled dots are the first group"


def how_groups_are_made(board: MetricsBoard) -> str:
    """Say how groups come about."""
    if not board.groups.any():
        return ""
    swapped = "segments" if board.told_by == "soft_pairwise_accuracy" else "systems"
    words = (
        "A new group starts with the first metric that is significantly worse (p ≤ 0.05, each "
        f"pair tested alone by permuting scores of {swapped}) than a metric of the previous group."
    )
    if swapped == "systems":
        n = int(board.n_systems.max())
        words += (
            f" With {n} systems the test has little power, and metrics of equal accuracy may fall "
            "into two groups."
        )
    return words + _measured(swapped)


def _measured(swapped: str) -> str:
    """Say how often equal metrics fall into several groups, as the audit recorded it."""
    rates = {(rate.world, rate.claim): rate.share for rate in rates_of(AUDITED)}
    world = "6 equal metrics, 10 systems"
    if swapped == "systems":
        world = "6 equal metrics, scores of systems"
    pair, some = (rates.get((world, claim)) for claim in (PAIR_BETTER, SEVERAL_GROUPS))
    if pair is None or some is None:
        return ""
    return (
        " In simulated campaigns with 6 equally good metrics, one was called better in "
        f"{chance(pair)} of pairs, and {chance(some)} of campaigns had several groups. Groups are "
        "a way to read the table, not a proof."
    )
