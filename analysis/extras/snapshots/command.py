"""``compare-states``: what changed between two states of a campaign, and what of it is no noise."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from analysis.campaign import Campaign
from analysis.cli import flags
from analysis.cli.options import (
    certainty,
    check_level,
    chosen_ranker,
    executor,
    read_campaign,
    selection,
)
from analysis.cli.output import emit
from analysis.errors import PodiumError
from analysis.extras.snapshots.findings import states_headline, states_sentences
from analysis.extras.snapshots.snapshots import KINDS, compare_states
from analysis.languages import NO_PAIR
from analysis.names import short_names
from analysis.ranking.ranking import rank
from analysis.wording import listed

COLUMNS = {
    "upper": "a",
    "lower": "b",
    "adjusted_p_before": "p_adjusted_before",
    "adjusted_p_after": "p_adjusted_after",
}
"""What the columns of changed pairs are called in answers."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: two files, and those of rank."""
    flags.add_file(
        parser,
        before="the campaign before",
        after="the campaign now, or another one with some of its systems",
    )
    flags.add_selection(parser)
    flags.add_certainty(parser)
    flags.add_output(parser)
    flags.add_method(parser, words)


def run(options: argparse.Namespace) -> None:
    """Rank both states and say what changed."""
    check_level(options)
    first = read_campaign(options, "before")[0].judgments(options.pair, selection(options))
    later, _ = read_campaign(options, "after")
    ranker, chosen = chosen_ranker(options, later), certainty(options)
    pair = options.pair or _same_pair(first.pair, later)
    with executor(options) as workers:
        before = rank(first, ranker, chosen, executor=workers)
        after = rank(later.judgments(pair, selection(options)), ranker, chosen, executor=workers)
    states = compare_states(before, after, ranker)
    names = short_names([*after.systems, *before.systems])
    finding = states_headline(states, names.__getitem__)
    document: dict[str, object] = {
        "lang_pair": after.judgments.pair,
        "method": ranker.name,
        "level": chosen.level,
        "finding": states_headline(states),
        "tasks": asdict(states.tasks),
        "changed": [asdict(move) for move in states.moves.significant] if states.moves else None,
        "new": states.new,
        "gone": states.gone,
        "clusters": {"before": before.n_clusters, "after": after.n_clusters},
        **{kind: [asdict(change) for change in states.of(kind)] for kind in KINDS},
        "signatures": {"before": before.signature, "after": after.signature},
    }
    emit(
        options,
        document,
        states.to_frame().rename(columns=COLUMNS),
        heading=f"{after.judgments.pair}, {ranker.title}: {finding}.",
        notes=[
            *states_sentences(states, names.__getitem__),
            *(f"signature: {one.signature}" for one in (before, after)),
        ],
        signature=f"{before.signature} & {after.signature}",
    )


def _same_pair(pair: str, later: Campaign) -> str | None:
    """Return what AFTER calls the language pair of BEFORE; None if one of them has no pairs."""
    if pair == NO_PAIR or later.pairs == (NO_PAIR,):
        return None
    try:
        return later.find_pair(pair)
    except PodiumError as error:
        raise PodiumError(
            "BEFORE and AFTER",
            f"BEFORE is {pair}, AFTER is {listed(later.pairs, most=5)}, and two language pairs are "
            "not two snapshots of one campaign",
            "Name files that share a language pair.",
        ) from error
