"""What a batch of tasks asks, and what a replayed choice of judgments saves, in words."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray
from analysis.findings.standings import Name
from analysis.next_campaign.batch import Batch
from analysis.next_campaign.choosing_matches import Method
from analysis.next_campaign.planning import HORIZON, round_up
from analysis.next_campaign.replay import ChosenPairs, saving
from analysis.ranking.interim_looks import price_of_looking
from analysis.ranking.verdict import Verdict
from analysis.wording import EN_DASH, capital, count, percent, significant, thousands

CHOSEN: dict[Method, str] = {
    "uncertainty": "for the next clusters",
    "active": "as TrueSkill selects",
    "uniform": "at random",
}
"""How a method's tasks are chosen, in short."""

NEAR = 2
"""Places between two systems, at most, that are called near each other."""


def near_share(compared: FloatArray) -> float:
    """Return the share of comparisons ``compared[K, K]``, best system first, of near systems."""
    k = len(compared)
    places = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    total = float(compared[places > 0].sum())
    return float(compared[(places > 0) & (places <= NEAR)].sum()) / total if total else math.nan


def batch_headline(batch: Batch, compared: pd.DataFrame, name: Name = str) -> str:
    """Say which pairs a batch compares: "50 tasks compare 10 of 78 pairs, most often A and B".

    ``compared`` are its `Batch.pair_counts`.
    """
    table, systems = np.triu(compared.to_numpy()), list(compared.index)
    asked, pairs = int(np.count_nonzero(table)), len(table) * (len(table) - 1) // 2
    n, one = len(batch), batch.one
    most = np.argwhere(table == table.max())
    first, second = (name(systems[k]) for k in most[0])
    if asked == 1 and pairs > 1:
        return f"{count(n, one)}, all between {first} and {second}"
    compare = "compares" if n == 1 else "compare"
    share = "all pairs" if asked == pairs else f"{thousands(asked)} of {count(pairs, 'pair')}"
    most_often = f", most often {first} and {second}" if len(most) == 1 and pairs > 1 else ""
    return f"{count(n, one)} {compare} {share}{most_often}"


def batch_words(batch: Batch, compared: pd.DataFrame) -> str:
    """Say how many comparisons a batch makes, among which places, and how near its goal is."""
    table = compared.to_numpy()
    n, asked = int(np.triu(table).sum()), np.flatnonzero(table.any(axis=1))
    parts = [] if n == len(batch) else [count(n, "comparison")]
    if len(asked) and asked[-1] - asked[0] + 1 < len(table):
        parts.append(f"all among places {asked[0] + 1}{EN_DASH}{asked[-1] + 1}")
    said = f"{capital(', '.join(parts))}." if parts else ""
    return " ".join(filter(None, (said, needed_words(batch))))


def needed_words(batch: Batch) -> str:
    """Say how many tasks such as a batch's reach its goal; empty where that is unknown."""
    if math.isnan(batch.needed):
        return ""
    goal = {0: "to add a cluster", 1: "to name a winner"}.get(
        batch.top, f"to separate the top {batch.top} from the others"
    )
    n = len(batch)
    if not batch.needed:
        return f"No more is needed {goal}; these {batch.one}s are for the next clusters."
    if math.isinf(batch.needed):
        return f"Even {HORIZON} times the {batch.one}s so far would probably not be enough {goal}."
    if n >= batch.needed:
        return f"These {batch.one}s are as likely as not to be enough {goal}."
    needed = f"about {thousands(round_up(batch.needed))} such {batch.one}s are needed"
    return f"{capital(goal)}, {needed}, perhaps far more; these are {thousands(n)}."


def goal_title(method: Method, top: int) -> str:
    """Name what a batch is for, as a choice: "A winner", "The top 3", "All neighbors"."""
    if method != "uncertainty":
        return capital(CHOSEN[method])
    return {0: "All neighbors", 1: "A winner"}.get(top, f"The top {top}")


def look_words(verdict: Verdict, now: Verdict, look: int, held: int | None = None) -> str:
    """Say what one of many looks shows, and its price; ``verdict`` is what a single one would.

    ``held`` counts the pairs that this look and those before it significant, where that is known.
    """
    pairs = int(verdict.known.sum()) // 2
    once, here = (int(result.significant.sum()) // 2 for result in (verdict, now))
    price = significant(price_of_looking(verdict.level, look, pairs), 2)
    before = (
        "pairs that an earlier look found significant stay significant"
        if held is None
        else f"{thousands(held)} together with the earlier looks"
    )
    return (
        f"Interim look {thousands(look)}: {thousands(here)} of {count(pairs, 'pair')} differ "
        f"significantly at α = {significant(1 - now.level, 2)}, which keeps the error over all "
        f"looks at {percent(1 - verdict.level)}; {before}. A single look would find "
        f"{thousands(once)}; repeated looks cost about {price} times the judgments per pair."
    )


def fifths_title(chosen: ChosenPairs) -> str:
    """Say how the choice moves towards near systems."""
    first, last = near_share(chosen.first), near_share(chosen.last)
    if len(chosen.systems) <= NEAR + 1:
        return "Pairs chosen first and last"
    return f"Close systems are {percent(first)} of the first choices, {percent(last)} of the last"


def replay_title(table: pd.DataFrame) -> str:
    """Say by how much choosing for clusters spares judgments, from `replay.clusters_by_size`.

    Where chance adds less than one cluster, the pairs that differ significantly are compared.
    """
    chosen, uniform = (table[table["method"] == name] for name in ("uncertainty", "uniform"))
    grown = uniform["clusters"].max() - uniform["clusters"].min()
    measure, words = ("clusters", "clusters") if grown >= 1 else ("share", "significant pairs")
    curves = [(g["judgments"].tolist(), g[measure].to_numpy()) for g in (chosen, uniform)]
    factor = saving(*curves[0], *curves[1])
    if math.isnan(factor):
        return "Clusters by number of judgments and way of choosing"
    if abs(math.log(factor)) < math.log(1.1):
        return f"Chosen and random judgments give about the same number of {words}"
    if factor > 1:
        times = significant(factor, 2)
        return f"For the same number of {words}, choosing needs {times} times fewer judgments"
    times = significant(1 / factor, 2)
    return f"For the same number of {words}, choosing needs {times} times more judgments"
