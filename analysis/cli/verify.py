"""``verify``: recompute every number of an archive from the judgments in it."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.cli import archive, flags, report
from analysis.cli.output import emit
from analysis.errors import PodiumError
from analysis.formats import bytes_of
from analysis.wording import count

DATA = re.compile(r"data:(\w+)")
"""The hash of the judgments in a signature."""

CELL = re.compile(rb"<td[^>]*>(.*?)</td>", re.DOTALL)
"""What a table of the report says."""

MOST = 10
"""Differences that are named one by one."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the archive, and the judgments of one that has none."""
    parser.add_argument(
        "archive", metavar="ARCHIVE", help=("a file that podium report --archive wrote")
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        default=[],
        help="the judgments, in the same order, if the archive was written without them",
    )
    flags.add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Check all bytes, recompute all numbers and say what differs; 0 if nothing does."""
    files, problems = archive.unpacked(bytes_of(Path(options.archive)), options.archive)
    settings = json.loads(files[archive.SETTINGS])
    given = archive.as_sources(options.files, [bytes_of(Path(name)) for name in options.files])
    n_numbers, is_reworded = 0, False
    has_judgments = bool(given or archive.judgment_files(files))
    if has_judgments and not problems:
        try:
            n_numbers, problems, is_reworded = _recomputed({**files, **given}, settings)
        except archive.UNREADABLE as error:  # a forger gave what he changed new hashes
            raise archive.damaged(options.archive) from error
    is_proved = has_judgments and not problems
    written, here = settings["versions"], archive.versions()
    other = [
        f"{name} {written.get(name)} there, {here[name]} here"
        for name in here
        if written.get(name) != here[name]
    ]
    notes = [f"Versions that differ: {', '.join(other)}."] if written != here and problems else []
    if is_reworded:
        notes.append(
            "The report is worded by another version of Podium: names and numbers were "
            "compared, words were not."
        )
    head, more = _heading(is_proved, problems, n_numbers, is_reworded), len(problems) - MOST
    emit(
        options,
        {
            "verified": is_proved,
            "judgments": has_judgments,
            "numbers": n_numbers,
            "differences": problems,
            "reworded": is_reworded,
            "versions": {"archive": written, "here": here},
        },
        pd.DataFrame({"difference": problems} if options.csv or options.latex else {}),
        heading="\n".join([head, *problems[:MOST]]),
        notes=[*([f"… and {more} more."] if more > 0 else []), *notes],
    )
    return 0 if is_proved else 1


def _heading(is_proved: bool, problems: list[str], n_numbers: int, is_reworded: bool) -> str:
    """Say whether the archive is verified, and what was reproduced or is missing."""
    if is_proved:
        reproduced = f"{count(n_numbers, 'number')}{'' if is_reworded else ' and the report'}"
        return (
            f"Verified: every byte is unchanged, and {reproduced} were reproduced from the "
            f"judgments{'' if is_reworded else ' with the same bytes'}."
        )
    if problems:
        return f"Not verified: {count(len(problems), 'difference')}."
    return (
        "Not verified: every byte is unchanged, but the archive has no judgments, so no "
        "number can be recomputed. Name the files of judgments after it."
    )


def _recomputed(files: archive.Files, settings: dict[str, Any]) -> tuple[int, list[str], bool]:
    """Return how many numbers were recomputed, what differs, and whether only words do.

    Words may differ if another version of Podium wrote them; names and numbers may not.
    """
    try:
        again = report.contents(
            argparse.Namespace(**settings, dask=None, preset=None),
            *archive.campaign_of(files, settings),
            files.get(archive.LOGO, b""),
            files,
        )
    except (PodiumError, AttributeError, TypeError) as error:
        return 0, [f"the numbers cannot be recomputed: {error}"], False
    found, ours = json.loads(files[archive.NUMBERS]), json.loads(again[archive.NUMBERS])
    is_same = all(files[name] == again[name] for name in (archive.NUMBERS, archive.REPORT))
    if not is_same and settings["versions"].get("source") != archive.versions()["source"]:
        ours = archive.as_older(ours, found)
        problems = [*_other_judgments(found, ours), *archive.differences(found, ours, "numbers")]
        if CELL.findall(files[archive.REPORT]) != CELL.findall(again[archive.REPORT]):
            problems.append("report.html: the tables of the reproduced one differ")
        return _n_numbers(found), problems, not problems
    problems = [*_other_judgments(found, ours), *archive.differences(found, ours, "numbers")]
    if not problems and files[archive.NUMBERS] != again[archive.NUMBERS]:
        problems = ["numbers.json: the same numbers in another form"]
    if files[archive.REPORT] != again[archive.REPORT]:
        problems.append("report.html: the reproduced one differs")
    return _n_numbers(found), problems, False


def _other_judgments(archived: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    """Say that the judgments are not those of the archive; nothing if they are."""
    rankings = (archived["rankings"], ours["rankings"])
    data = [[DATA.findall(one["signature"]) for one in each] for each in rankings]
    if data[0] == data[1]:
        return []
    there, here = (sum(one["judgments"] for one in each) for each in rankings)
    return [f"These are not the judgments of the archive: it has {there}, these are {here}."]


def _n_numbers(document: object) -> int:
    """Return how many numbers a document has."""
    if isinstance(document, dict):
        return sum(map(_n_numbers, document.values()))
    if isinstance(document, list):
        return sum(map(_n_numbers, document))
    return isinstance(document, (int, float)) and not isinstance(document, bool)
