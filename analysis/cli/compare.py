"""``compare``: the orders of several methods side by side, as in Table 9 of WMT14."""

from __future__ import annotations

import argparse
from typing import Any

from analysis.cli import flags
from analysis.cli.flags import add_preset, set_ranking
from analysis.cli.options import certainty, executor, progress_bar, read_judgments
from analysis.cli.output import emit
from analysis.comparing.comparison import Column, Comparison, compare
from analysis.errors import PodiumError
from analysis.presets import DEFAULT_PRESET, preset_named
from analysis.rankers import COMPARED_METHODS, RANKERS, compared_methods
from analysis.ranking.ranking import Ranking, rank
from analysis.reporting.paper_tables import reordering_table
from analysis.wording import count, listed

DEFAULT_METHODS = ",".join(COMPARED_METHODS)


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    preset = add_preset(parser, words, "compare")
    parser.add_argument(
        "--methods",
        default=",".join(preset.compared) if preset and preset.compared else None,
        help=f"comma-separated, of {', '.join(RANKERS)} (default {DEFAULT_METHODS})",
    )
    flags.add_selection(parser)
    flags.add_certainty(parser)
    flags.add_output(parser)
    set_ranking(parser, words, preset)


def run(options: argparse.Namespace) -> None:
    """Rank by each method, compare, print."""
    preset = preset_named(options.preset or DEFAULT_PRESET)
    judgments = read_judgments(options)
    usual = ",".join(compared_methods(judgments.campaign))
    names = [name.strip() for name in (options.methods or usual).split(",")]
    rankers = [preset.ranker(name) for name in names]
    if len({*names}) < max(2, len(names)):
        raise PodiumError(
            "--methods", f"got {listed(names)}", "Name two or more different methods."
        )
    rankings = []
    with executor(options) as workers:
        for ranker in rankers:
            with progress_bar(ranker.title) as progress:
                rankings.append(
                    rank(judgments, ranker, certainty(options), executor=workers, progress=progress)
                )
    comparison = compare([Column.from_ranking(ranking) for ranking in rankings])
    emit(
        options,
        comparison_document(comparison, rankings),
        comparison.side_by_side().reset_index(),
        heading=f"{judgments.pair}: {_headline(comparison, rankings)}",
        notes=_notes(comparison),
        signature=" & ".join(ranking.signature for ranking in rankings),
        paper=lambda: reordering_table(
            comparison,
            judgments.short_names,
            {ranker.name: ranker.title for ranker in rankers},
            judgments.pair,
        ),
    )


def comparison_document(comparison: Comparison, rankings: list[Ranking]) -> dict[str, Any]:
    """Return a comparison as the contract of the command line has it."""
    methods = comparison.methods
    return {
        "lang_pair": rankings[0].judgments.pair,
        "methods": [
            {
                "method": ranking.standings.method,
                "signature": ranking.signature,
                "order": [
                    {"place": place, **row}
                    for place, row in enumerate(
                        ranking.to_frame()[["system", "score", "cluster"]].to_dict("records"), 1
                    )
                ],
                "clusters": ranking.n_clusters,
                "moves": len(comparison.moves_of(ranking.standings.method)),
            }
            for ranking in rankings
        ],
        "tau": {
            a: {b: comparison.tau[i, j] for j, b in enumerate(methods)}
            for i, a in enumerate(methods)
        },
    }


def _headline(comparison: Comparison, rankings: list[Ranking]) -> str:
    leaders = {frame.iloc[0] for _, frame in comparison.side_by_side().items()}
    n, n_open = len(rankings), sum(len(ranking.possible_winners) != 1 for ranking in rankings)
    every = "both methods" if n == 2 else f"all {n} methods"
    if len(leaders) > 1:
        names = listed(sorted(leaders), most=4)
        return f"the {n} methods have different leaders: {names}."
    if not n_open:
        return f"{leaders.pop()} wins by {every}."
    which = "by each of them" if n_open == n else f"by {n_open} of them"
    return f"{leaders.pop()} has the highest score by {every}, but {which} others could be best."


def _notes(comparison: Comparison) -> list[str]:
    first = comparison.methods[0]
    same, notes = [], []
    for m, method in enumerate(comparison.methods[1:], start=1):
        moves = comparison.moves_of(method)
        if not moves:
            same.append(method)
            continue
        n_open = sum(move.is_open for move in moves)
        notes.append(
            f"{method} moves {count(len(moves), 'system')}, {n_open} of them only among systems "
            f"that are not separated (Kendall's tau {comparison.tau[0, m]:.2f})."
        )
    return [f"Same order as {first}: {', '.join(same)}."] * bool(same) + notes
