"""``rank``: who won, by one method, by one criterion or all, or by a year's official rules."""

from __future__ import annotations

import argparse
import importlib
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.campaign import Campaign
from analysis.cli import flags
from analysis.cli.documents import ranking_document, unused
from analysis.cli.flags import add_preset, set_ranking
from analysis.cli.options import (
    certainty,
    check_level,
    chosen_ranker,
    executor,
    only,
    progress_bar,
    read_campaign,
    selection,
)
from analysis.cli.output import emit
from analysis.comparing.criteria import Criteria, Halo, halos, rank_criteria, weights_of
from analysis.errors import PodiumError
from analysis.findings.certainty import by_document, few_judges_words, ranking_words, whom
from analysis.findings.head_to_head import cheapest_sentence, differ
from analysis.findings.overview import under_headline
from analysis.findings.result import columns_words, result_headline, winner_words
from analysis.findings.standings import Name
from analysis.formats.rankings import number
from analysis.rankers import DEFAULT_METHOD, Ranker
from analysis.ranking.equivalence import margin_of_chance
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.result_checks import limits_of
from analysis.registry import hooks
from analysis.reporting.paper_tables import cautious_table
from analysis.wording import count, listed

FIRST = (
    *("system", "score", "rank_best", "rank_worst", "tier", "ci_low", "ci_high", "cluster"),
    *("a", "b", "verdict", "p_adjusted", "difference", "p"),
)
"""Columns of systems and of pairs that a narrow terminal keeps, the most important first."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags; a method's hyperparameters are among them once it is named."""
    flags.add_file(parser)
    parser.add_argument(
        "--pairs",
        action="store_true",
        help=("show every pair of systems with its test instead of the scores"),
    )
    parser.add_argument(
        "--equal-within",
        metavar="M",
        help="also test which systems are practically equal: score difference below M, or, as in "
        "5%%, a win probability from 45%% to 55%%",
    )
    parser.add_argument(
        "--cost",
        metavar="COLUMN",
        help="with --equal-within: a column of a table of systems among the files; name the "
        "cheapest system that is not worse than the best by M",
    )
    parser.add_argument(
        "--all-pairs", action="store_true", help="rank every language pair of the campaign"
    )
    flags.add_output_folder(parser)
    add_criteria(parser)
    for module in hooks("rank"):
        module.add_arguments(parser)
    preset = add_preset(parser, words, "rank")
    flags.add_certainty(parser)
    flags.add_selection(parser)
    flags.add_output(parser)
    method = flags.add_method(parser, words, (preset and preset.method) or DEFAULT_METHOD)
    set_ranking(parser, words, preset, method)


def run(options: argparse.Namespace) -> None:
    """Rank and print."""
    only(options, "with -o", options.output, "title")
    only(options, "with --criteria", options.criteria or options.criterion == "all", "weights")
    if any(module.run(options) for module in hooks("rank")):
        return
    if options.all_pairs or options.output is not None:
        # Files in every language of papers take half a second to import.
        importlib.import_module("analysis.cli.all_pairs").run(options)
        return
    if options.cost and options.equal_within is None:
        raise PodiumError(
            "--cost", "it needs --equal-within", "Add --equal-within 0.02, for example."
        )
    if options.criteria or options.criterion == "all":
        run_criteria(options, ranking_document)
        return
    check_level(options)
    campaign, report = read_campaign(options)
    judgments = campaign.judgments(options.pair, selection(options))
    ranker = chosen_ranker(options, judgments.campaign)
    margin = _margin(options.equal_within, ranker)
    with executor(options) as workers, progress_bar("Ranking") as progress:
        ranking = rank(judgments, ranker, certainty(options), executor=workers, progress=progress)
    short = {} if options.csv or options.wide else judgments.short_names

    def name(system: str) -> str:
        return short.get(system, system)

    title = f"{judgments.pair}, {ranker.title}. {result_headline(ranking, name)}."
    document = ranking_document(ranking, margin, options.cost) | unused(report, judgments.pair)
    is_official = ranking.certainty.is_official
    heading, frame = title, ranking.to_frame().drop(columns=["tier"] * is_official)
    if ranking.verdict is not None and (options.pairs or margin is not None):
        frame = pd.DataFrame(document["pairs"])
        n = sum(pair["verdict"] == "better" for pair in document["pairs"])
        scope = f" for {whom(ranking)}"
        if is_official:
            scope, frame = "", frame[["a", "b", "difference", "verdict"]]
        heading = (
            f"{title} {n} of {count(len(frame), 'pair')} of systems "
            f"{differ(ranking.verdict, n)} at {ranking.level:.0%}{scope}."
        )
    limits = () if options.csv or options.json else limits_of(ranking, ranker)
    emit(
        options,
        document,
        frame.replace(dict.fromkeys(("system", "a", "b"), short)),
        heading=heading,
        notes=[
            *(f"{one.finding} {one.meaning} {one.remedy}" for one in under_headline(limits)),
            f"{ranker.title}: {ranker.sentence}",
            *_cheapest_words(document, name),
            *ranking_notes(ranking, name),
        ],
        signature=ranking.signature,
        first=FIRST,
        paper=None if "a" in frame else lambda: cautious_table(ranking, ranker),
    )


def _cheapest_words(document: Mapping[str, Any], name: Name) -> list[str]:
    """Name the cheapest system that is not worse than the best, if costs were asked for."""
    if "cheapest" not in document:
        return []
    return [cheapest_sentence(document["cheapest"], document["equal_within"], name)]


def _margin(words: str | None, ranker: Ranker) -> float | None:
    """Return the margin of ``--equal-within`` in units of the score; in percent it is a chance."""
    if words is None:
        return None
    try:
        number = float(words.removesuffix("%"))
    except ValueError:
        remedy = "Use 0.02, for example, or 5% for a win probability."
        raise PodiumError("--equal-within", f"{words!r} is not a number", remedy) from None
    return margin_of_chance(ranker, number / 100) if words.endswith("%") else number


def ranking_notes(ranking: Ranking, name: Name) -> list[str]:
    """Return what a person should know beside the table."""
    best, undefined = ranking.possible_winners, ranking.standings.undefined
    notes = [f"Possible winners: {listed(list(map(name, best)), most=10)}."] * (len(best) > 2)
    notes += [f"{name(system)}: {reason}" for system, reason in undefined.items()]
    notes += references_left_out(ranking.judgments.references_left_out)
    if ranking.ranges is None or not ranking.standings.approximate:
        notes += ranking.standings.notes
    if ranking.ranges is None:
        notes.append(ranking_words(ranking))
    if ranking.verdict is not None and not ranking.certainty.is_official:
        notes += (*ranking.verdict.missing.values(), *by_document(ranking.verdict))
        few = few_judges_words(ranking.judgments, ranking.verdict, name)
        notes += filter(None, [winner_words(ranking.verdict, name), few, columns_words(ranking)])
    return notes


def references_left_out(references: tuple[str, ...]) -> list[str]:
    """Return a note that names the references, if any were left out."""
    if not references:
        return []
    return [f"Left out as references: {', '.join(references)}; --references ranks them."]


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
