"""``report``: the finding, the tables and how they were made, as one HTML file."""

from __future__ import annotations

import argparse
import shlex
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path

from analysis.campaign import Campaign, Judgments
from analysis.cli.options import (
    add_certainty,
    add_file,
    add_method,
    add_selection,
    certainty,
    check_level,
    chosen_pairs,
    chosen_ranker,
    executor,
    progress_bar,
    read_campaign,
    selection,
)
from analysis.cli.output import warn, write_whole
from analysis.cli.presets import add_preset, set_ranking
from analysis.errors import PodiumError, UndefinedResultError
from analysis.judges.agreement import Agreement, agreement, judged_once
from analysis.names import short_names
from analysis.rankers import DEFAULT_METHOD, Ranker
from analysis.ranking.preflight import heavy_pairs_found, preflight, that_limit
from analysis.ranking.ranking import rank
from analysis.reporting.command_line import rank_command
from analysis.reporting.report import SECTIONS, PairReport, data_remark, html_report


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: those of rank, and the file to write."""
    add_file(parser)
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the HTML to write")
    parser.add_argument("--title", help="what stands above the finding; the campaign's by default")
    parser.add_argument("--note", default="", help="words of your own at the head")
    parser.add_argument("--logo", metavar="PICTURE", help="a PNG or JPEG at the head")
    parser.add_argument(
        "--sections",
        default=",".join(SECTIONS),
        help=f"what stands below the picture, by commas: {', '.join(SECTIONS)} (default: all)",
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    add_selection(parser)
    add_certainty(parser)
    preset = add_preset(parser, words, "report")
    method = add_method(parser, words, (preset and preset.method) or DEFAULT_METHOD)
    set_ranking(parser, words, preset, method)


def run(options: argparse.Namespace) -> None:
    """Rank every language pair that is asked for, write the report, and say what was written."""
    target = Path(options.output)
    if target.exists() and not options.force:
        raise PodiumError(str(target), "it exists already", "Add --force to replace it.")
    check_level(options)
    campaign, _ = read_campaign(options)
    ranker = chosen_ranker(options, campaign)
    pairs = chosen_pairs(campaign, options)
    reports, left_out = [], []
    with executor(options) as workers:
        for pair in pairs:
            try:
                reports.append(_report(options, campaign, pair, ranker, workers))
            except UndefinedResultError as error:
                if len(pairs) == 1:
                    raise
                left_out.append(f"Left out: {error}")
    if not reports:
        raise PodiumError(
            ", ".join(options.files), "no language pair can be ranked", " ".join(left_out)
        )
    title = options.title or campaign.title or Path(options.files[0]).name
    document = html_report(
        title,
        reports,
        left_out,
        note=options.note,
        logo=_logo(options.logo),
        sections=[name.strip() for name in options.sections.split(",") if name.strip()],
    )
    write_whole(target, document.encode())
    warn([f"Wrote the report of {len(reports)} of {len(pairs)} language pairs to {target}."])
    warn(left_out)


def _logo(path: str | None) -> bytes:
    """Return the picture's bytes, none where none is wanted."""
    if path is None:
        return b""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise PodiumError(path, reason, "Name a PNG or JPEG that can be read.") from error


def _report(
    options: argparse.Namespace,
    campaign: Campaign,
    pair: str,
    ranker: Ranker,
    workers: Executor | None,
) -> PairReport:
    """Compute all that is reported of one language pair."""
    judgments = campaign.judgments(pair, selection(options))
    chosen = certainty(options)
    with progress_bar(f"Ranking {pair}") as progress:
        ranking = rank(
            judgments,
            ranker,
            chosen,
            executor=workers,
            progress=progress,
        )
    published = None
    if ranker.pace == "instant" and not chosen.is_published:
        as_published = replace(chosen, ranges="marginal", unit="rows")
        published = rank(judgments, ranker, as_published, executor=workers)
    command = rank_command(
        options.files,
        pair,
        ranker,
        certainty=chosen,
        selection=judgments.selection,
    )
    found = that_limit(preflight(judgments), judgments, ranker)
    return PairReport(
        ranking=ranking,
        ranker=ranker,
        names=short_names(judgments.systems),
        published=published,
        agreement=_agreement(campaign, judgments, options),
        findings=found + heavy_pairs_found(ranker.fit(judgments), ranking.apart)
        if ranking.apart is not None
        else found,
        command=command
        + (f" --map {shlex.quote(options.map)}" if options.map else "")
        + (" --judge-names" if options.judge_names else ""),
        remark=data_remark(campaign),
    )


def _agreement(
    campaign: Campaign, judgments: Judgments, options: argparse.Namespace
) -> Agreement | None:
    judged = judged_once(campaign, judgments.pair, judgments.selection)
    try:
        return agreement(judged, level=options.level, seed=options.seed)
    except UndefinedResultError:
        return None
