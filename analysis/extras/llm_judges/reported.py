"""LLM judges in a report and its archive: their files, their agreement with humans."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.campaign import Campaign, Judgments
from analysis.cli import flags
from analysis.extras.llm_judges.agreement import Estimate, MachineAgreement, agreement_beside
from analysis.extras.llm_judges.beside import lay_beside
from analysis.extras.llm_judges.findings import COHENS, machines_headline
from analysis.formats import bytes_of, read_many
from analysis.reporting.document import Table, Words
from analysis.reporting.report import Added
from analysis.samples import machine_judges
from analysis.wording import EN_DASH, fixed, percent, thousands

FOLDER = "llm-judges/"
"""Where an archive has their votes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flag that names them, as ``podium llm-judges --judge`` does."""
    parser.add_argument(
        "--llm-judge",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help=(
            "an LLM judge and the file of its votes on the same items; may be repeated. A NAME "
            "alone is a judge in FILE who is an LLM"
        ),
    )


def as_member(place: int, file: str) -> str:
    """Return where an archive has the file of a judge, which may say so already.

    >>> as_member(1, "votes/gpt.csv"), as_member(2, "llm-judges/1/gpt.csv")
    ('llm-judges/1/gpt.csv', 'llm-judges/1/gpt.csv')
    """
    return file if file.startswith(FOLDER) else f"{FOLDER}{place}/{Path(file).name}"


def sources(options: argparse.Namespace) -> dict[str, bytes]:
    """Return the files of LLM judges as members of an archive."""
    return {as_member(k, file): bytes_of(Path(file)) for k, _, file in _given(options) if file}


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of an archive, with the places of its own files."""
    judges = [f"{name}={as_member(k, file)}" if file else name for k, name, file in _given(options)]
    return {"llm_judge": judges}


def added(
    options: argparse.Namespace,
    files: Mapping[str, bytes],
    campaign: Campaign,
    judgments: Judgments,
) -> tuple[Added, ...]:
    """Return what a report says of them; their files are members of an archive, or on disk."""
    given = [(name, file) for _, name, file in _given(options)]
    named = tuple(name for name, file in given if not file)
    kept = judgments.selection
    chosen = replace(kept, exclude_judges=(*kept.exclude_judges, *named))
    source = options.files[0].removeprefix(flags.SAMPLE_PREFIX)
    own = {} if given or source == options.files[0] else machine_judges(source)
    beside = [(name, machine, False) for name, machine in own.items()]
    for name, file in given:
        machine = campaign
        if file:
            content = files[file] if file in files else bytes_of(Path(file))
            machine, _ = read_many([(Path(file).name, content)])
        beside.append((name, machine, not file))
    found = (
        lay_beside(campaign, machine, name, pair=judgments.pair, selection=chosen, within=within)
        for name, machine, within in beside
    )
    return added_of([agreement_beside(one, options.level) for one in found])


def added_of(measured: Sequence[MachineAgreement]) -> tuple[Added, ...]:
    """Return a table of measured LLM judges under their finding; nothing without any."""
    if not measured:
        return ()
    rows = tuple(
        (
            agreed.judge,
            thousands(agreed.n),
            fixed(agreed.kappa.value) if agreed.kappa.is_known else EN_DASH,
            f"{fixed(agreed.kappa.low)} to {fixed(agreed.kappa.high)}",
            *(_share(one) for one in (agreed.agreement, agreed.decided_agreement)),
            _share(agreed.first_shown),
        )
        for agreed in measured
    )
    level = f"{measured[0].level:.0%} CI"
    heads = ("LLM judge", "Human votes", "Cohen's κ", level, "Same vote", "Same winner",
             "First shown wins")  # fmt: skip
    blocks = (Words(f"{machines_headline(measured)}."), Table(heads, rows, (0,)))
    numbers = [{**agreed.to_dict(), "table": agreed.table} for agreed in measured]
    return (Added("llm_judges", (*blocks, Words(COHENS.split(" The page")[0], "quiet")), numbers),)


def _share(estimate: Estimate) -> str:
    return percent(estimate.value) if estimate.is_known else EN_DASH


def _given(options: argparse.Namespace) -> list[tuple[int, str, str]]:
    """Return the place, the name and the file of each judge; an older archive has none."""
    words = enumerate(getattr(options, "llm_judge", None) or (), 1)
    return [(k, word.partition("=")[0], word.partition("=")[2]) for k, word in words]
