"""What an official ranking says, what its rule does, and how often it is wrong."""

from __future__ import annotations

from collections.abc import Callable

from analysis.comparing.score_table import ScoreTable
from analysis.extras.procedures.procedure import Procedure, ProcedureResult
from analysis.findings.measured import (
    OWN_ROW,
    PAIR_WON,
    SOME_LINE,
    SOME_WON,
    ErrorRate,
    error_rates,
    rates_of,
)
from analysis.ranking.uncertainty import scope_words
from analysis.ranking.verdict import Verdict
from analysis.wording import chance, count, listed

EQUAL, TASTES, TWICE = (
    "13 equal systems",
    "tastes of judges and documents",
    "two ratings of an output",
)
OPPOSITE = "2 systems, 4 domains that speak for opposite ones"
"""Worlds of the audit."""

MOST_NAMED = 3


def official_finding(result: ProcedureResult, name: Callable[[str], str] = str) -> str:
    """Say who leads by official rules, and how many clusters these make.

    "By the rules of WMT24, 9 systems share the first of 2 clusters; 44 of 66 pairs are won."
    """
    order = result.order
    first = [name(result.systems[k]) for k in order if result.clusters[k] == 1]
    won = int(result.beats.sum())
    n_pairs = len(order) * (len(order) - 1) // 2
    clusters = count(result.n_clusters, "cluster")
    wins = f"{won} of {count(n_pairs, 'pair')} {'is' if won == 1 else 'are'} won"
    rules = f"By the rules of {result.procedure.title.partition(',')[0]}"
    if len(first) == 1:
        return f"{rules}, {first[0]} leads alone, with {clusters}; {wins}."
    who = listed(first) if len(first) <= MOST_NAMED else count(len(first), "system")
    whole = "one cluster" if result.n_clusters == 1 else f"the first of {clusters}"
    return f"{rules}, {who} share {whole}; {wins}."


def measured_note(procedure: Procedure) -> str:
    """Say how often the rule is wrong in simulated campaigns; empty where it was not measured."""
    found = {(rate.world, rate.claim): rate for rate in error_rates(procedure.name)}
    sentences = []
    if (EQUAL, SOME_WON) in found:
        pair, some, line = (found[EQUAL, claim] for claim in (PAIR_WON, SOME_WON, SOME_LINE))
        sentences.append(
            f"With 13 equal systems, a pair is won in {_share(pair)} of cases, some pair in "
            f"{_share(some)} of campaigns, and there is a cluster boundary in {_share(line)}."
        )
    if (TASTES, PAIR_WON) in found:
        sentences.append(
            "If judges and documents favor systems by chance, a pair is won in "
            f"{_share(found[TASTES, PAIR_WON])}."
        )
    if procedure.average is ScoreTable.over_ratings and (TWICE, PAIR_WON) in found:
        sentences.append(f"If each output is rated twice, in {_share(found[TWICE, PAIR_WON])}.")
    if (OPPOSITE, PAIR_WON) in found:
        sentences.append(
            "With two systems that are equal over four domains, but each better in two of them "
            f"by half a standard deviation, one wins in {_share(found[OPPOSITE, PAIR_WON])}."
        )
    if not sentences:
        return ""
    own = {(rate.world, rate.claim): rate for rate in rates_of(OWN_ROW)}
    if (EQUAL, SOME_WON) in own and (TASTES, SOME_WON) in own:
        sentences.append(
            "On the same campaigns, Podium's own rule by the mean finds a significant pair among "
            f"the 13 in {_share(own[EQUAL, SOME_WON])}, and with such tastes in "
            f"{_share(own[TASTES, SOME_WON])}."
        )
    return f"In simulations: {' '.join(sentences)}"


def _share(rate: ErrorRate) -> str:
    return chance(rate.share)


def beside_own(result: ProcedureResult, own: Verdict | None) -> str:
    """Say how many pairs are won by the rules and how many differ by Podium's own test."""
    if own is None:
        return ""
    k = len(own.systems)
    n_pairs = k * (k - 1) // 2
    verdict = int(own.significant.sum()) // 2
    return (
        f"The rules call {int(result.beats.sum())} of {count(n_pairs, 'pair')} won. By Podium's "
        f"own test (all pairs together, {scope_words(own.scope, own.missing)}), {verdict} differ "
        "significantly."
    )
