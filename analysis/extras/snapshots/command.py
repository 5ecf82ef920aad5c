"""``compare-states``: what changed between two states of a campaign, and what of it is no noise."""

from __future__ import annotations

import argparse
from dataclasses import asdict

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
from analysis.extras.snapshots.findings import states_headline, states_sentences
from analysis.extras.snapshots.snapshots import KINDS, compare_states
from analysis.names import short_names
from analysis.ranking.ranking import rank


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
    pair = options.pair
    if pair is None and len(later.pairs) > 1:
        pair = first.pair
    with executor(options) as workers:
        before = rank(first, ranker, chosen, executor=workers)
        after = rank(later.judgments(pair, selection(options)), ranker, chosen, executor=workers)
    states = compare_states(before, after)
    names = short_names([*after.systems, *before.systems])
    finding = states_headline(states, names.__getitem__)
    document: dict[str, object] = {
        "lang_pair": after.judgments.pair,
        "method": ranker.name,
        "level": chosen.level,
        "finding": states_headline(states),
        "tasks": asdict(states.tasks),
        "new": states.new,
        "gone": states.gone,
        "clusters": {"before": before.n_clusters, "after": after.n_clusters},
        **{kind: [asdict(change) for change in states.of(kind)] for kind in KINDS},
        "signatures": {"before": before.signature, "after": after.signature},
    }
    emit(
        options,
        document,
        states.to_frame(),
        heading=f"{after.judgments.pair}, {ranker.title}: {finding}.",
        notes=states_sentences(states, names.__getitem__),
        signature=f"{before.signature} & {after.signature}",
    )
