"""``summary``: what a file holds, a language pair a row, and what looks odd in it."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import pandas as pd

from analysis.campaign import Judgments, distinct
from analysis.cli import flags
from analysis.cli.documents import unused
from analysis.cli.options import chosen_pairs, read_campaign, selection
from analysis.cli.output import emit
from analysis.formats.report import Kind, ReadReport
from analysis.rankers.resampling import n_units
from analysis.ranking.preflight import preflight
from analysis.ranking.result_checks import checks_of_extras, findings_of_extras
from analysis.wording import capital


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    flags.add_selection(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Read and print what was read."""
    campaign, report = read_campaign(options, quiet=True)
    document = [
        summary_document(campaign.judgments(pair, selection(options)), report)
        for pair in chosen_pairs(campaign, options)
    ]
    notes = [] if report is None else report.sentences()
    if campaign.simulated_from:
        notes.append(f"{capital(campaign.simulated_from)}.")
    notes += [
        f"{entry['lang_pair']}: {warning}" for entry in document for warning in entry["warnings"]
    ]
    frame = pd.DataFrame(document).drop(columns=["files", "warnings"])
    frame["criteria"] = frame["criteria"].map(", ".join)
    emit(
        options,
        document,
        frame if options.csv else frame[_shown(frame)],
        heading=campaign.title,
        notes=notes,
        first=("lang_pair", "systems", "judges", "segments", "tasks", "rows", "ties"),
    )


def _shown(frame: pd.DataFrame) -> list[str]:
    """Return the columns with something in them, those that count judgments always."""
    always = ("rows", "tasks", "ties")
    return [str(name) for name in frame if name in always or frame[name].astype(bool).any()]


def kind_of(judgments: Judgments, report: ReadReport | None) -> Kind:
    """Return what a file holds; of a sample, what its judgments look like."""
    if report is not None:
        return report.kind
    if judgments.scores is not None:
        return "scores"
    return "votes" if len(judgments) == judgments.n_tasks else "rankings"


def summary_document(judgments: Judgments, report: ReadReport | None) -> dict[str, Any]:
    """Return one language pair's numbers as the contract of the command line has them."""
    pair = judgments.pair
    mapped = None if report is None else report.mapped
    return {
        "lang_pair": pair,
        "kind": kind_of(judgments, report),
        "format": "sample" if report is None else report.format,
        "scores": 0 if judgments.scores is None else len(judgments.scores),
        "rows": len(judgments),
        "tasks": judgments.n_tasks,
        "judges": len(np.unique(judgments.task_judge)),
        "segments": len(distinct(judgments.task_segment)),
        "documents": n_units(judgments, "document"),
        "systems": judgments.n_systems,
        "ties": judgments.n_ties,
        "criteria": [] if report is None else list(report.criteria),
        **unused(report, pair),
        "duplicates": 0 if report is None else report.duplicates.get(pair, 0),
        "files": [
            {key: value for key, value in vars(share).items() if key != "pair"}
            for share in (() if report is None else report.shares)
            if share.pair in (pair, "")
        ],
        "warnings": [
            f"{finding.finding} {finding.meaning} {finding.remedy}"
            for finding in (
                *preflight(judgments),
                *findings_of_extras(checks_of_extras(judgments)),
            )
        ],
        **({} if mapped is None else {"mapping": vars(mapped)}),
    }
