"""Tables of the standings, on the page and in files: of one language pair, and of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from analysis.findings.certainty import BOUNDARIES, runs_word
from analysis.findings.result import level_text
from analysis.ranking.ranking import Ranking
from analysis.reporting.pair_tables import chance_columns
from analysis.wording import as_score, capital, percent


def standings_columns(ranking: Ranking, top: int = 3) -> dict[str, Any]:
    """Return how the columns of `standings_frame` are shown."""
    column = st.column_config
    published = ranking.certainty.is_official
    level, runs = f"{ranking.level:.0%}", runs_word(ranking.certainty)
    interval, spread = f"{level} CI", "SE"
    if published:
        interval, spread = f"{level} of {runs}", f"SD of {runs}"
    shown = {
        "tier": column.NumberColumn(
            "Tier",
            width="small",
            help="Every system of the first tier is significantly better than some system of the "
            "second, and so on.",
        ),
        "tier_these": column.NumberColumn(
            "Tier, these judges",
            help="For new segments by these few judges; other judges may see it otherwise.",
        ),
        "cluster": column.NumberColumn(
            "Cluster",
            width="small",
            help="The rank ranges of two clusters do not overlap."
            if published
            else "Every system above a boundary is better than every one below. Boundaries have "
            f"{BOUNDARIES}.",
        ),
        "system": column.TextColumn("System", width="medium"),
        "score": column.NumberColumn("Score"),
        "ci_low": column.NumberColumn(
            f"{interval} from", help=f"Lower end of the score's {level} interval"
        ),
        "ci_high": column.NumberColumn("to", help=f"Upper end of the score's {level} interval"),
        "se": column.NumberColumn(
            spread,
            help=f"Standard deviation of the score over the {runs}"
            if published
            else "Standard error of the score",
        ),
        "rank_best": column.NumberColumn("Rank range from", format="%d", help=_rank_help(ranking)),
        "rank_worst": column.NumberColumn("to", format="%d", help=_rank_help(ranking)),
    }
    for k, name in chance_columns(ranking, top).items():
        place = "first" if k == 1 else f"among the best {k}"
        short = "first" if k == 1 else f"top {k}"
        shown[name] = column.Column(
            capital(short),
            help=f"Share of the {runs} in which the system is {place}; not a probability",
        )
    return shown


def standings_formats(ranking: Ranking, top: int = 3) -> dict[str, Callable[[float], str]]:
    """Return how scores and shares of resamples are written on the page."""
    return {
        **dict.fromkeys(("score", "se", "ci_low", "ci_high"), as_score(ranking.scores)),
        **dict.fromkeys(chance_columns(ranking, top).values(), percent),
    }


def winner_text(ranking: Ranking) -> dict[str, str]:
    """Return what the table says of the winner, in its first row, beside the tier or cluster."""
    if ranking.winner is None:
        return {}
    levels = None if ranking.verdict is None else ranking.verdict.tiers
    column, levels = (
        ("cluster", ranking.clusters) if ranking.certainty.is_official else ("tier", levels)
    )
    assert levels is not None
    return {column: level_text(int(levels[ranking.order[0]]), ranking, ranking.winner)}


def _rank_help(ranking: Ranking) -> str:
    if ranking.certainty.is_official:
        runs = runs_word(ranking.certainty)
        return f"The range covers {ranking.level:.0%} of the ranks over the {runs}."
    return (
        "A system ranks below all significantly better systems and above all significantly worse "
        f"ones. The ranges are simultaneous at {ranking.level:.0%}."
    )


def pairs_columns(table: pd.DataFrame, headings: Mapping[str, str]) -> dict[str, Any]:
    """Return how the columns of `pairs_table` are shown; without tiers, names have more room."""
    column = st.column_config
    counted = {"tiers": 98, "clusters": 62, "systems": 62, "judgments": 78}
    return {
        **{
            name: column.NumberColumn(headings[name], width=width)
            for name, width in counted.items()
        },
        "pair": column.TextColumn(headings["pair"], width=122),
        "first": column.TextColumn(
            headings["first"],
            width=285 if "tiers" in table else 380,
            help="The winner; else how many could be best, and who they are",
        ),
        "open": column.TextColumn(
            headings["open"],
            width=92,
            help="Neighbors in the order that are too close to call",
        ),
        "judges": column.TextColumn(
            headings["judges"],
            alignment="right",
            width=104,
            help="Named if one judge gave most of the judgments: a ranking by one opinion",
        ),
        "kappa": column.NumberColumn(
            headings["kappa"],
            format="%.2f",
            width=58,
            help="Agreement of different judges beyond chance; identical outputs count once",
        ),
    }
