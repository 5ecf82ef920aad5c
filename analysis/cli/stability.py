"""``stability``: what of a ranking survives other methods, and fewer judges, systems, sentences."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

import pandas as pd

from analysis.cli.options import (
    certainty,
    chosen_ranker,
    executor,
    progress_bar,
    read_judgments,
    told_apart,
)
from analysis.cli.output import emit
from analysis.comparing.cycles import cycles
from analysis.comparing.fewest import DEEDS, Fewest, fewest, smooth_fit
from analysis.comparing.stability import STATES, Stability, stability
from analysis.findings.stability import cycle_sentences, finding, sentences, statement_words
from analysis.rankers import Fit, Ranker


def run(options: argparse.Namespace) -> None:
    """Change one thing at a time and say what becomes of every two neighbors."""
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
    document = _document(judgments.pair, ranker, stable, needed)
    document["cycles"] = [dataclasses.asdict(ring) for ring in rings]
    emit(
        options,
        document,
        _table(stable, needed),
        heading=f"{judgments.pair}: {finding(stable)}, by {ranker.title}.",
        notes=[
            *sentences(stable),
            *cycle_sentences(len(rings), rings[0] if rings else None),
            *stable.notes,
            f"signature: {base.signature}",
        ],
        signature=base.signature,
    )


def _fewest(fit: Fit, stable: Stability) -> dict[int, tuple[Fewest, ...]]:
    """Return, for every two neighbors, the fewest judgments of each deed that turn them."""
    with progress_bar("Searching for the fewest judgments") as progress:
        found = {}
        for done, k in enumerate(stable.neighbors, start=1):
            (above,), (below,) = stable.statements[k].above, stable.statements[k].below
            found[k] = tuple(fewest(fit, above, below, deed) for deed in DEEDS)
            if progress is not None:
                progress(done, len(stable.neighbors))
    return found


def _document(
    pair: str, ranker: Ranker, stable: Stability, needed: dict[int, tuple[Fewest, ...]]
) -> dict[str, Any]:
    """Return the answer as the contract of the command line has it."""
    survives = {change: stable.survives(change) for change in stable.changes}

    def said(k: int) -> dict[str, Any]:
        return {
            "now": STATES[int(stable.now[k])],
            "survives": {change: kept[k] for change, kept in survives.items()},
            "worst": {change: STATES[int(stable.worst(change)[k])] for change in survives},
        }

    neighbors, lines = [], []
    for k, statement in enumerate(stable.statements):
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
        "neighbors": neighbors,
        "lines": lines,
        "notes": stable.notes,
    }


def _table(stable: Stability, needed: dict[int, tuple[Fewest, ...]]) -> pd.DataFrame:
    """Return one row per statement: its state now, the worst under each kind of change, the fewest.

    ``drops`` and ``flips`` are judgments that turn it when they are left out, or turned round.
    """
    frame = pd.DataFrame(
        {
            "statement": [statement_words(statement) for statement in stable.statements],
            "now": [STATES[int(state)] for state in stable.now],
        }
    )
    for change in stable.changes:
        frame[change] = [STATES[int(state)] for state in stable.worst(change)]
    for place, column in enumerate(("drops", "flips")):
        counts = [needed[k][place].n if k in needed else None for k in range(len(frame))]
        frame[column] = pd.array(counts, dtype="Int64")
    return frame
