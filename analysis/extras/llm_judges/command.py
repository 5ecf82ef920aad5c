"""``machine``: how machine judges vote beside people, and standings from few votes of people."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.campaign import Campaign
from analysis.cli import flags
from analysis.cli.options import check_level, read_campaign, selection
from analysis.cli.output import emit
from analysis.errors import PodiumError
from analysis.extras.llm_judges.agreement import MachineAgreement, agreement_beside
from analysis.extras.llm_judges.beside import Beside, lay_beside
from analysis.extras.llm_judges.findings import (
    agreement_sentence,
    machines_headline,
    powered_sentences,
    side_warning,
)
from analysis.extras.llm_judges.prediction_powered import (
    PredictionPowered,
    draw_votes,
    prediction_powered,
)
from analysis.extras.llm_judges.random_share import require_random_share
from analysis.extras.llm_judges.statistics import STATISTICS, statistic
from analysis.formats import read_path
from analysis.samples import machine_judges, sample_campaign


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser, human="human judgments")
    parser.add_argument(
        "--judge",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help=(
            "an LLM judge and the file of its votes on the same items; may be repeated. A NAME "
            "alone is a judge in HUMAN who is an LLM. A sample brings its own"
        ),
    )
    parser.add_argument(
        "--labels",
        type=int,
        metavar="N",
        help=(
            "rank by N random human votes (chosen by the seed) and the LLM judge's votes on all "
            "items"
        ),
    )
    parser.add_argument(
        "--random-share",
        action="store_true",
        help="the human-judged items are a random sample of those that the LLM judged",
    )
    parser.add_argument(
        "--method",
        choices=tuple(STATISTICS),
        default=next(iter(STATISTICS)),
        help="the statistic to rank by (default %(default)s)",
    )
    flags.add_selection(parser)
    flags.add_level(parser, "intervals")
    flags.add_scope(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Measure one machine judge after the other."""
    check_level(options)
    people, _ = read_campaign(options, "human")
    machines, within = _machines(options, people)
    chosen = selection(options)
    if within:
        chosen = replace(chosen, exclude_judges=(*chosen.exclude_judges, *within))
    measured, standings, sentences = [], [], []
    for name, campaign in machines.items():
        found = lay_beside(
            people, campaign, name, pair=options.pair, selection=chosen, within=name in within
        )
        agreed = agreement_beside(found, options.level)
        measured.append(agreed)
        sentences.append(agreement_sentence(agreed))
        document, words = _standings(options, found)
        standings.append(document)
        sentences += [one for one in words if one not in sentences]
    frame = pd.DataFrame([agreed.to_dict() for agreed in measured])
    shown = frame.dropna(axis=1, how="all")
    emit(
        options,
        {
            "lang_pair": people.find_pair(options.pair),
            "level": options.level,
            "judges": [_document(agreed) for agreed in measured],
            "standings": standings,
        },
        frame if options.csv else shown[_columns(shown)],
        heading=f"{people.find_pair(options.pair)}: {machines_headline(measured)}.",
        notes=[*filter(None, [side_warning(measured)]), *sentences],
        first=("judge", "kappa", "agreement", "decided_agreement", "first_shown", "n"),
    )


def _columns(frame: pd.DataFrame) -> list[str]:
    """Return what fits a terminal: the measures without their ends, those of kappa but."""
    return [
        name
        for name in frame.columns
        if not name.endswith(("_low", "_high", "_n")) or name in ("kappa_low", "kappa_high")
    ]


def _machines(
    options: argparse.Namespace, people: Campaign
) -> tuple[dict[str, Campaign], list[str]]:
    """Return the machine judges by name, and which of them stand in the file of people."""
    if not options.judge:
        human: str = options.human
        sample = (
            human.removeprefix(flags.SAMPLE_PREFIX) if human.startswith(flags.SAMPLE_PREFIX) else ""
        )
        own = machine_judges(sample)
        if not own:
            raise PodiumError(
                "--judge", "no LLM judge is given", "Give --judge NAME=FILE for each of them."
            )
        return own, []
    machines, within = {}, []
    for word in options.judge:
        name, sign, file = word.partition("=")
        if not name or (sign and not file):
            raise PodiumError(
                "--judge", f"{word!r} is not a name and a file", "Use the form NAME=FILE."
            )
        if sign:
            machines[name] = _read(file, options.judge_names)
        elif name in people.judges:
            machines[name] = people
            within.append(name)
        else:
            raise PodiumError(
                "--judge",
                f"{name!r} is not a judge of {options.human}, which has "
                f"{', '.join(people.judges[:5])}",
                "Use NAME=FILE, or a judge's name as the file spells it.",
            )
    return machines, within


def _read(file: str, judge_names: bool) -> Campaign:
    if file.startswith(flags.SAMPLE_PREFIX):
        return sample_campaign(file.removeprefix(flags.SAMPLE_PREFIX))
    return read_path(Path(file), judge_names=judge_names)[0]


def _standings(options: argparse.Namespace, found: Beside) -> tuple[dict[str, Any], list[str]]:
    """Return the standings with one machine, or why there are none."""
    method = statistic(options.method)
    try:
        if options.labels is not None:
            found = draw_votes(found, options.labels, options.seed)
        else:
            require_random_share(found, options.random_share, options.seed)
        result = prediction_powered(found, method, level=options.level, scope=options.scope)
    except PodiumError as error:
        if options.labels is not None:
            raise
        return {"judge": found.judge, "refused": str(error), "systems": []}, [
            f"Ranking with an LLM judge: {error.got}. {error.remedy}"
        ]
    return _powered(result), powered_sentences(result)


def _document(agreed: MachineAgreement) -> dict[str, Any]:
    return {**agreed.to_dict(), "table": agreed.table}


def _powered(result: PredictionPowered) -> dict[str, Any]:
    """Return the standings best first, people's own beside."""
    frame = result.powered.to_frame().merge(
        result.people.to_frame(), on="system", suffixes=("", "_human")
    )
    alone = result.machine.to_frame()[["system", "score", "ci_low", "ci_high"]]
    frame = frame.merge(alone, on="system", suffixes=("", "_llm"))
    rows = frame.to_dict("records")
    return {
        "judge": result.judge,
        "method": result.method,
        "signature": result.powered.signature,
        "labels": result.n_votes,
        "items": result.n_all,
        "weight": result.weight,
        "se_ratio": result.se_ratio,
        "gain": result.gain,
        "systems": rows,
    }
