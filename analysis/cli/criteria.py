"""``rank --criteria all``: every criterion, and what holds for all of them together."""

from __future__ import annotations

import argparse
import math
from typing import Any

from analysis.campaign import Campaign
from analysis.cli.options import certainty, chosen_ranker, read_campaign, selection
from analysis.cli.output import emit
from analysis.comparing.criteria import Criteria, Halo, halos, rank_criteria, weights_of
from analysis.errors import PodiumError
from analysis.formats.rankings import number
from analysis.ranking.ranking import Ranking, rank


def add_criteria(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "--criteria",
        choices=["all"],
        help="rank by all criteria, with ranges valid for all together",
    )
    parser.add_argument(
        "--weights",
        metavar="NAME=W,…",
        default="",
        help="with --criteria all: weights of criteria; the others have weight 1",
    )


def run_criteria(options: argparse.Namespace, document_of: Any) -> None:
    """Rank by each criterion and print the table, the undominated systems, weights and halo."""
    campaign, _ = read_campaign(options)
    chosen = certainty(options)

    def rank_one(own: Campaign, level: float) -> Ranking:
        judgments = own.judgments(options.pair, selection(options))
        settings = type(chosen)(**{**vars(chosen), "level": level})
        return rank(judgments, chosen_ranker(options, own), settings)

    criteria = rank_criteria(campaign, rank_one, chosen.level)
    weights = weights_of(criteria, _given(options.weights))
    found = halos([
        (name, ranking.judgments)
        for name, ranking in zip(criteria.names, criteria.rankings, strict=True)
    ])  # fmt: skip
    documents = [
        {"criterion": name, **document_of(ranking)}
        for name, ranking in zip(criteria.names, criteria.rankings, strict=True)
    ]
    emit(
        options,
        {"criteria": documents, "joint": joint_document(criteria, weights, found)},
        criteria.to_frame(),
        heading=f"{criteria.rankings[0].judgments.pair}: {len(criteria.names)} criteria, rank "
        f"ranges valid for all together at {chosen.level:.0%}",
        notes=_notes(criteria, weights, found),
        signature=" & ".join(ranking.signature for ranking in criteria.rankings),
    )


def joint_document(criteria: Criteria, weights: list[float], found: list[Halo]) -> dict[str, Any]:
    """Return what holds for all criteria together as the contract of the command line has it."""
    return {
        "level": criteria.level,
        "criteria": list(criteria.names),
        "systems": criteria.to_frame().to_dict(orient="records"),
        "undominated": list(criteria.pareto),
        "beaten_by_every_criterion": {k: list(v) for k, v in criteria.beaten.items()},
        "weights": dict(zip(criteria.names, weights, strict=True)),
        "winner": criteria.winner(weights),
        "winner_stays": {name: list(ends) for name, ends in criteria.stays(weights).items()},
        "halo": [
            {key: None if value != value else value for key, value in vars(one).items()}
            for one in found
        ],
    }


def _notes(criteria: Criteria, weights: list[float], found: list[Halo]) -> list[str]:
    stays = criteria.stays(weights)
    total = sum(weights)
    notes = [
        "Undominated (no other system is as good by every criterion): "
        f"{', '.join(criteria.pareto)}.",
        f"{criteria.winner(weights)} wins by the weighted mean. It stays first if the share of "
        + "; ".join(
            f"{name} is {low:.0%}\N{EN DASH}{high:.0%} (now {weight / total:.0%})"
            for (name, (low, high)), weight in zip(stays.items(), weights, strict=True)
        )
        + ".",
    ]
    known = [one for one in found if not math.isnan(one.within)]
    if known:
        top = max(known, key=lambda one: one.within)
        between = "" if math.isnan(top.between) else f", {top.between:.2f} between judges"
        notes.append(
            f"Halo: {top.a} and {top.b} correlate most, {top.within:.2f} within a judge{between}."
        )
    return notes


def _given(text: str) -> dict[str, float]:
    found = {}
    for part in filter(None, text.split(",")):
        name, _, weight = part.rpartition("=")
        if not name or number(weight) != number(weight):
            raise PodiumError(
                "--weights", f"{part!r} has no weight", "Use the form fluency=2,adequacy=1."
            )
        found[name] = number(weight)
    return found
