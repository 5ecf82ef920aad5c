"""``report``: the finding, the tables and how they were made, as one HTML file or PDF."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from pathlib import Path

from analysis.campaign import Campaign, Judgments
from analysis.cli import archive, flags
from analysis.cli.documents import ranking_document
from analysis.cli.flags import add_preset, set_ranking
from analysis.cli.options import Request, executor, progress_bar, read_campaign, request
from analysis.cli.output import new_file, warn, write_whole
from analysis.errors import PodiumError, UndefinedResultError, speaking_to
from analysis.findings.judges import flagged_judges
from analysis.findings.result import result_headline
from analysis.formats import bytes_of
from analysis.formats.report import ReadReport
from analysis.judges.agreement import Agreement, agreement, judged_once
from analysis.judges.judge_table import judges
from analysis.names import short_names
from analysis.rankers import DEFAULT_METHOD
from analysis.ranking.ranking import rank
from analysis.ranking.result_checks import limits_of
from analysis.registry import hooks
from analysis.reporting.bundle import rank_command
from analysis.reporting.document import SECTIONS
from analysis.reporting.report import PairReport, data_remark, html_report, pdf_report
from analysis.wording import count


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags: those of rank, and the file to write."""
    flags.add_file(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write: .pdf for PDF, else HTML"
    )
    parser.add_argument(
        "--archive",
        metavar="ZIP",
        help=(
            "write an archive that podium verify recomputes: judgments, settings, versions, "
            "every number and hashes"
        ),
    )
    parser.add_argument(
        "--without-judgments",
        action="store_true",
        help="leave the judgments out of the archive, which then needs them for a proof",
    )
    parser.add_argument("--title", help="title of the report (default: the campaign's)")
    parser.add_argument("--note", default="", help="a remark below the title")
    parser.add_argument("--logo", metavar="PICTURE", help="a PNG or JPEG above the title")
    parser.add_argument(
        "--sections",
        default=",".join(SECTIONS),
        help=f"parts below the figure, comma-separated: {', '.join(SECTIONS)} (default: all)",
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    for module in hooks("report"):
        module.add_arguments(parser)
    flags.add_selection(parser)
    flags.add_certainty(parser)
    preset = add_preset(parser, words, "report")
    method = flags.add_method(parser, words, (preset and preset.method) or DEFAULT_METHOD)
    set_ranking(parser, words, preset, method)


def run(options: argparse.Namespace) -> None:
    """Rank every language pair that is asked for, write the report, and say what was written."""
    targets = [name for name in (options.output, options.archive) if name is not None]
    if not targets:
        raise PodiumError("-o", "no file to write is named", "Add -o report.html.")
    suffix = "" if options.output is None else Path(options.output).suffix.lower()
    if suffix not in ("", ".html", ".htm", ".pdf"):
        raise PodiumError("-o", f"{suffix} is not a form of a report", "Use .html or .pdf.")
    for target in targets:
        new_file(target, force=options.force)
    logo = _logo(options.logo)
    if options.archive is not None:
        sources, sample = archive.sources_of(options)
        proof = archive_of(options, sources, sample, logo)
        write_whole(Path(options.archive), proof)
        needs = " together with the judgments" if options.without_judgments else ""
        warn([f"Wrote the archive {options.archive}. podium verify recomputes it{needs}."])
    if options.output is None:
        return
    campaign, read = read_campaign(options, quiet=True)
    reports, left_out = _reports(options, campaign, read)
    write = pdf_report if suffix == ".pdf" else html_report
    document = _document(options, campaign, read, reports, left_out, logo, write)
    write_whole(Path(options.output), document)
    found = [f"{one.ranking.judgments.pair}: {result_headline(one.ranking)}." for one in reports]
    warn([*found, *left_out])
    warn([f"Wrote the report of {count(len(reports), 'language pair')} to {options.output}."])


def archive_of(
    options: argparse.Namespace, sources: archive.Files, sample: Mapping[str, str], logo: bytes
) -> bytes:
    """Return the archive of judgments, as files: with settings, numbers, report and command."""
    settings = archive.settings_of(options, sample)
    judgments = archive.campaign_of(sources, settings)
    chosen = argparse.Namespace(**settings, dask=None, preset=None)
    proof = contents(chosen, *judgments, logo, sources)
    for name, content in sources.items():
        if not (options.without_judgments and name.startswith(archive.JUDGMENTS)):
            proof[name] = content
    proof |= {archive.LOGO: logo} if logo else {}
    proof[archive.SETTINGS] = archive.as_json({**settings, "versions": archive.versions()})
    proof[archive.COMMAND] = archive.command_of(settings, proof).encode()
    return archive.packed(proof)


def contents(
    options: argparse.Namespace,
    campaign: Campaign,
    read: ReadReport,
    logo: bytes,
    files: archive.Files,
) -> archive.Files:
    """Return the report and every number of it, for an archive, whose command writes the same."""
    with speaking_to("terminal"):
        reports, left_out = _reports(options, campaign, read, files)
        report = _document(options, campaign, read, reports, left_out, logo, html_report)
    numbers = {
        "rankings": [ranking_document(one.ranking) for one in reports],
        "agreement": [None if one.agreement is None else one.agreement.rows() for one in reports],
        "left_out": left_out,
    }
    for name in sorted({part.name for one in reports for part in one.added}):
        parts = [{part.name: part.numbers for part in one.added} for one in reports]
        numbers[name] = [of_pair.get(name) for of_pair in parts]
    return {
        archive.NUMBERS: archive.as_json(numbers),
        archive.REPORT: report,
    }


def _reports(
    options: argparse.Namespace,
    campaign: Campaign,
    read: ReadReport | None,
    files: archive.Files | None = None,
) -> tuple[list[PairReport], list[str]]:
    """Return what is reported of each language pair, and what is left out and why."""
    asked = request(options, campaign)
    reports = []
    left_out = [] if read is None else [reason.sentence() for reason in read.left_out]
    with executor(options) as workers:
        for pair in asked.pairs:
            try:
                reports.append(_report(options, asked, read, pair, workers, files or {}))
            except UndefinedResultError as error:
                if len(asked.pairs) == 1:
                    raise
                left_out.append(f"Left out: {error}")
    if not reports:
        raise PodiumError(
            ", ".join(options.files), "no language pair can be ranked", " ".join(left_out)
        )
    return reports, left_out


def _document(
    options: argparse.Namespace,
    campaign: Campaign,
    read: ReadReport | None,
    reports: list[PairReport],
    left_out: list[str],
    logo: bytes,
    write: Callable[..., str | bytes],
) -> bytes:
    document = write(
        options.title or campaign.title or Path(options.files[0]).name,
        reports,
        "" if read is None else read.left_out_words(),
        *left_out,
        note=options.note,
        logo=logo,
        sections=[name.strip() for name in options.sections.split(",") if name.strip()],
    )
    return document.encode() if isinstance(document, str) else document


def _logo(path: str | None) -> bytes:
    """Return the picture's bytes, none where none is wanted."""
    return b"" if path is None else bytes_of(Path(path))


def _report(
    options: argparse.Namespace,
    asked: Request,
    read: ReadReport | None,
    pair: str,
    workers: Executor | None,
    files: archive.Files,
) -> PairReport:
    """Compute all that is reported of one language pair."""
    campaign, ranker, chosen = asked.campaign, asked.ranker, asked.certainty
    judgments = campaign.judgments(pair, asked.selection)
    with progress_bar(f"Ranking {pair}") as progress:
        ranking = rank(judgments, ranker, chosen, executor=workers, progress=progress)
    command = rank_command(options.files, pair, ranker, certainty=chosen, judgments=judgments)
    found = limits_of(ranking, ranker)
    if judgments.n_judges is not None:
        judged = judged_once(campaign, pair, judgments.selection, identical="collapsed")
        found += flagged_judges(judges(judged))
    return PairReport(
        ranking=ranking,
        ranker=ranker,
        names=short_names(judgments.systems),
        agreement=_agreement(campaign, judgments, options),
        findings=found,
        command=command
        + (f" --map {shlex.quote(options.map)}" if options.map else "")
        + (" --judge-names" if options.judge_names else ""),
        remark=data_remark(campaign, read),
        added=tuple(
            part
            for module in hooks("report")
            for part in module.added(options, files, campaign, judgments)
        ),
    )


def _agreement(
    campaign: Campaign, judgments: Judgments, options: argparse.Namespace
) -> Agreement | None:
    judged = judged_once(campaign, judgments.pair, judgments.selection)
    try:
        return agreement(judged, level=options.level, seed=options.seed)
    except UndefinedResultError:
        return None
