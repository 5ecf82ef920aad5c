"""``what-if``: what survives a change of method, judges, systems or segments; a claim checked."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

import pandas as pd

from analysis.campaign import IntArray
from analysis.cli import flags
from analysis.cli.options import (
    certainty,
    chosen_ranker,
    executor,
    only,
    progress_bar,
    read_judgments,
    told_apart,
)
from analysis.cli.output import emit
from analysis.comparing.claim import Claim
from analysis.comparing.fewest import ALTERATIONS, Fewest, fewest, smooth_fit
from analysis.comparing.head_to_head import cycles
from analysis.comparing.stability import CHANGES, UNKNOWN, Stability, Statement, stability
from analysis.errors import PodiumError
from analysis.findings.claim import answer_words, claim_from, evidence, needed_sentences
from analysis.findings.stability import cycle_sentences, finding, sentences, statement_words
from analysis.findings.standings import ranks_ratings
from analysis.rankers import Fit, Ranker

LEGEND = {
    "weakest": "the worst case of all changes, each of one thing, and what was changed.",
    ", ".join(CHANGES): "the worst case of such changes; same: as now.",
    "drops, flips": "the fewest judgments that reverse the order if they are left out, or "
    "reversed.",
}
"""What the columns mean."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: those of rank, which methods, and the two systems of a claim."""
    flags.add_file(parser)
    parser.add_argument("--better", metavar="SYSTEM", help="check a claim: the better system")
    parser.add_argument("--worse", metavar="SYSTEM", help="check a claim: the worse system")
    parser.add_argument(
        "--every-method",
        action="store_true",
        help="include the slow methods; another method estimates the uncertainty of their scores",
    )
    flags.add_certainty(parser)
    flags.add_selection(parser)
    flags.add_output(parser)
    flags.add_method(parser, words)


def run(options: argparse.Namespace) -> None:
    """Check a claim if one is given; else change one thing at a time."""
    if (options.better is None) != (options.worse is None):
        raise PodiumError(
            "--better and --worse", "a claim needs both", "Name the other system as well."
        )
    only(options, "without a claim", options.better is None, "every_method")
    (_change if options.better is None else _check)(options)


def _change(options: argparse.Namespace) -> None:
    """Change one thing at a time and print what becomes of every two neighbors."""
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    chosen = certainty(options)
    fit = ranker.fit(judgments, chosen.seed)
    base = told_apart(options, fit)
    with executor(options) as workers, progress_bar("Changing one thing at a time") as progress:
        stable = stability(
            judgments,
            ranker,
            base,
            chosen,
            every_method=options.every_method,
            executor=workers,
            progress=progress,
        )
    needed = _fewest(smooth_fit(fit), stable)
    rings = cycles(judgments.counts, judgments.systems)
    document = _document_of_changes(judgments.pair, ranker, stable, needed)
    document["cycles"] = [dataclasses.asdict(ring) for ring in rings]
    emit(
        options,
        document,
        _table(stable, needed, for_people=not (options.csv or options.latex)),
        heading=f"{judgments.pair}: {finding(stable)}, by {ranker.title}.",
        notes=[
            *sentences(stable),
            *cycle_sentences(len(rings), rings[0] if rings else None),
            *stable.notes,
        ],
        signature=base.signature,
        first=("statement", "now", "weakest"),
        legend=LEGEND,
    )


def _fewest(fit: Fit, stable: Stability) -> dict[int, tuple[Fewest, ...]]:
    """Return, for every two neighbors, the fewest judgments of each alteration that turn them."""
    with progress_bar("Searching for the fewest judgments") as progress:
        found = {}
        for done, k in enumerate(stable.neighbors, start=1):
            (above,), (below,) = stable.statements[k].above, stable.statements[k].below
            found[k] = tuple(fewest(fit, above, below, alteration) for alteration in ALTERATIONS)
            if progress is not None:
                progress(done, len(stable.neighbors))
    return found


def _document_of_changes(
    pair: str, ranker: Ranker, stable: Stability, needed: dict[int, tuple[Fewest, ...]]
) -> dict[str, Any]:
    """Return the answer as the contract of the command line has it."""
    survives = {change: stable.survives(change) for change in stable.changes}

    def said(k: int) -> dict[str, Any]:
        word = stable.statements[k].word
        return {
            "now": word(int(stable.now[k])),
            "survives": {change: kept[k] for change, kept in survives.items()},
            "worst": {change: word(int(stable.worst(change)[k])) for change in survives},
        }

    winner, neighbors, lines = None, [], []
    for k, statement in enumerate(stable.statements):
        if statement.is_winner:
            winner = {"system": statement.above[0], **said(k)}
            continue
        if statement.is_line:
            lines.append({"above": statement.above, "below": statement.below, **said(k)})
            continue
        (a,), (b,) = statement.above, statement.below
        drops, flips = (found.n for found in needed[k])
        neighbors.append({"a": a, "b": b, **said(k), "drops": drops, "flips": flips})
    return {
        "lang_pair": pair,
        "method": ranker.name,
        "signature": stable.base.signature,
        "level": stable.base.level,
        "winner": winner,
        "neighbors": neighbors,
        "lines": lines,
        "notes": stable.notes,
    }


def _table(
    stable: Stability, needed: dict[int, tuple[Fewest, ...]], *, for_people: bool
) -> pd.DataFrame:
    """Return one row per statement: its state now, the worst under each kind of change, the fewest.

    ``drops`` and ``flips`` are judgments that turn it when they are left out, or turned round.
    """
    said = stable.statements

    def words(states: IntArray) -> list[str]:
        return [one.word(int(state)) for one, state in zip(said, states, strict=True)]

    frame = pd.DataFrame(
        {"statement": [statement_words(one) for one in said], "now": words(stable.now)}
    )
    for change in stable.changes:
        worst = words(stable.worst(change))
        both = zip(worst, frame["now"], strict=True)
        frame[change] = ["same" if for_people and one == now else one for one, now in both]
    if for_people:
        frame.insert(2, "weakest", [_weakest(stable, k) for k in range(len(frame))])
    for place, column in enumerate(("drops", "flips")):
        counts = [needed[k][place].n if k in needed else None for k in range(len(frame))]
        frame[column] = pd.array(counts, dtype="Int64")
    return frame


def _weakest(stable: Stability, k: int) -> str:
    """Return the worst state of a statement under any change, and that change."""
    found = [(int(stable.worst(change)[k]), change) for change in stable.changes]
    state, change = min((one for one in found if one[0] != UNKNOWN), default=(stable.now[k], ""))
    return f"{stable.statements[k].word(state)}: {change}" if state < stable.now[k] else "same"


def _check(options: argparse.Namespace) -> None:
    """Compare a claim with the judgments and print the evidence for and against it."""
    judgments = read_judgments(options)
    ranker = chosen_ranker(options, judgments.campaign)
    chosen = certainty(options)
    fit = ranker.fit(judgments, chosen.seed)
    verdict = told_apart(options, fit)
    claim = claim_from(judgments, ranker.name, verdict, options.better, options.worse)
    said = Statement((claim.better,), (claim.worse,))
    stable = stability(judgments, ranker, verdict, chosen, statements=[said])
    drops = None
    if not ranks_ratings(judgments, ranker.name):
        above, below = (claim.better, claim.worse)[:: 1 if claim.difference >= 0 else -1]
        drops = fewest(smooth_fit(fit), above, below)
    label = ranker.score_label
    sentences = evidence(claim, judgments, label, stable, drops, standings=fit.standings)
    emit(
        options,
        _document_of_claim(judgments.pair, ranker, claim, sentences),
        claim.to_frame() if options.csv or options.latex else pd.DataFrame(),  # notes say it all
        heading="\n".join(
            [f"{judgments.pair}: {answer_words(claim, method=ranker.title)}.", *sentences]
        ),
        notes=needed_sentences(claim, judgments, ranker.name),
        signature=verdict.signature,
    )


def _document_of_claim(
    pair: str, ranker: Ranker, claim: Claim, sentences: list[str]
) -> dict[str, Any]:
    """Return the answer as the contract of the command line has it; null needed: none decides."""
    return {
        "lang_pair": pair,
        "method": ranker.name,
        "signature": claim.verdict.signature,
        "level": claim.verdict.level,
        "better": claim.better,
        "worse": claim.worse,
        "verdict": claim.answer,
        "difference": claim.difference,
        "interval": [claim.low, claim.high],
        "p": claim.p,
        "p_adjusted": claim.p_adjusted,
        "needed": {
            needed.more: {"unit": needed.unit, "alone": needed.alone, "among_all": needed.among_all}
            for needed in claim.needed
        },
        "evidence": sentences,
    }
