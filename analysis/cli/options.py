"""What flags say: the campaign, the chosen judgments, the method, level and scope."""

from __future__ import annotations

import argparse
import contextlib
import csv
import math
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from analysis.campaign import SELECTION_FIELDS, Campaign, Judgments, RankingTasks, Selection
from analysis.cli.flags import SAMPLE_PREFIX, destination
from analysis.cli.output import warn
from analysis.errors import PodiumError
from analysis.escaping import printable
from analysis.formats import AUTO, Meaning, read_many, read_path
from analysis.formats.mapping import load
from analysis.formats.rankings import number
from analysis.formats.report import ReadReport
from analysis.parallel import Progress
from analysis.parameters import Hyperparameter, Parameterized, from_settings, hyperparameters
from analysis.rankers import Fit, Ranker, default_method, ranker_class
from analysis.ranking.certainty import Certainty
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.registry import hooks
from analysis.samples import sample_campaign


def chosen_ranker(options: argparse.Namespace, campaign: RankingTasks) -> Ranker:
    """Return the method that the flags name, with its settings; else the campaign's usual one."""
    if options.method is None:
        options.method = default_method(campaign)
    ranker = parameterized(options, ranker_class(options.method))
    assert isinstance(ranker, Ranker)
    return ranker


def told_apart(options: argparse.Namespace, fit: Fit) -> Verdict:
    """Return the verdict on a fit, with the level and scope of the flags."""
    chosen = certainty(options)
    if chosen.is_official:
        raise PodiumError(
            "--ranges marginal",
            "this command needs a test of differences, and published ranges have none",
            "Leave out --ranges and --unit.",
        )
    with executor(options) as workers, progress_bar("Resampling") as progress:
        return reach_verdict(
            fit,
            level=chosen.level,
            scope=chosen.scope,
            runs=chosen.runs,
            executor=workers,
            progress=progress,
        )


def certainty(options: argparse.Namespace) -> Certainty:
    """Return level, scope and resampling of a ranking, as the flags have them."""
    marginal = options.ranges == "marginal" or (options.ranges is None and options.resample)
    if options.resample and not marginal:
        raise PodiumError(
            "--unit",
            "simultaneous rank ranges have no resampling unit",
            "Leave it out, or add --ranges marginal.",
        )
    return Certainty(
        ranges="marginal" if marginal else "simultaneous",
        scope=options.scope,
        unit=options.resample or "judgment",
        runs=options.runs,
        level=options.level,
        seed=options.seed,
    )


def read_campaign(
    options: argparse.Namespace, name: str = "files", *, quiet: bool = False
) -> tuple[Campaign, ReadReport | None]:
    """Read the FILEs together, or the file of that name; a sample has no report.

    Rows that were left out are told beside the answer, unless ``quiet``.
    """
    given: str | list[str] = getattr(options, name)
    files = [given] if isinstance(given, str) else given
    samples = [file for file in files if file.startswith(SAMPLE_PREFIX)]
    if samples and len(files) > 1:
        raise PodiumError(
            samples[0], "a sample is a campaign of its own", "Name it alone, or name only files."
        )
    if samples:
        campaign = sample_campaign(samples[0].removeprefix(SAMPLE_PREFIX))
        criterion = getattr(options, "criterion", None)
        if criterion is None or criterion == "all":
            return campaign, None
        return campaign.of_criterion(criterion), None
    chosen: dict[str, Any] = {
        "judge_names": options.judge_names,
        "mapping": profile(options),
        "criterion": None if options.criterion == "all" else options.criterion,
        "sheet": options.sheet,
    }
    if "-" in files:
        if len(files) > 1:
            raise PodiumError("-", "standard input is a campaign of its own", "Name it alone.")
        campaign, report = read_many([("standard input", sys.stdin.buffer.read())], **chosen)
    else:
        campaign, report = read_path(*files, **chosen)
    if not quiet:
        warn([reason.sentence() for reason in report.left_out])
    return campaign, report


def profile(options: argparse.Namespace) -> Meaning:
    """Return what the columns mean: a profile's words, or a guess if that is asked for."""
    path = getattr(options, "map", None)
    return path if path in (None, AUTO) else load(path)


class Request(NamedTuple):
    """What a command that ranks was asked for."""

    campaign: Campaign
    ranker: Ranker
    certainty: Certainty
    selection: Selection
    pairs: tuple[str, ...]


def request(options: argparse.Namespace, campaign: Campaign | None = None) -> Request:
    """Return what is asked of the campaign that FILE names, or of one that was read before."""
    check_level(options)
    if campaign is None:
        campaign, _ = read_campaign(options)
    ranker, pairs = chosen_ranker(options, campaign), chosen_pairs(campaign, options)
    return Request(campaign, ranker, certainty(options), selection(options), pairs)


def chosen_pairs(campaign: Campaign, options: argparse.Namespace) -> tuple[str, ...]:
    """Return the language pair that is asked for, or all of them."""
    return campaign.pairs if options.pair is None else (campaign.find_pair(options.pair),)


def selection(options: argparse.Namespace) -> Selection:
    """Return the choice of judgments that the flags make."""
    given = {chosen.name: getattr(options, chosen.name) for chosen in SELECTION_FIELDS}
    for chosen in SELECTION_FIELDS:
        value = given[chosen.name]
        if value is None:
            given[chosen.name] = chosen.default
        elif chosen.kind in ("systems", "slices"):
            given[chosen.name] = tuple(value)
        elif chosen.kind == "judges":
            given[chosen.name] = tuple(value.split(","))
        elif chosen.kind == "range":
            given[chosen.name] = _first_and_last(chosen.flag, value)
        elif chosen.kind == "number":
            given[chosen.name] = _points(chosen.flag, value)
    return Selection(**given)


def _points(flag: str, text: str) -> float:
    value = number(str(text))
    if not value >= 0:
        raise PodiumError(flag, f"{text!r} is not a number from 0", "Use 5, for example.")
    return value


def _first_and_last(flag: str, text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,15})-(\d{1,15})", text)
    if match is None:
        raise PodiumError(flag, f"{text!r} is not a range", "Use 1-500, for example.")
    return int(match[1]), int(match[2])


def only(options: argparse.Namespace, condition: str, is_met: object, *names: str) -> None:
    """Refuse flags, by their names, that change nothing where a condition is not met."""
    for name in names:
        if not is_met and getattr(options, name) not in (None, False, "", 0):
            flag = name.removeprefix("design_").removesuffix("_given").replace("_", "-")
            raise PodiumError(f"--{flag}", f"it works only {condition}", "Leave it out.")


def read_judgments(options: argparse.Namespace) -> Judgments:
    """Read FILE and return the chosen judgments of one language pair."""
    check_level(options)
    campaign, _ = read_campaign(options)
    return campaign.judgments(options.pair, selection(options))


Number = TypeVar("Number", int, float)


def numbers(flag: str, text: str, kind: type[Number]) -> tuple[Number, ...]:
    """Return the numbers of a flag that takes several, by comma."""
    try:
        return tuple(kind(word) for word in text.split(","))
    except ValueError as error:
        what = "whole numbers" if kind is int else "numbers"
        example = "400,800" if kind is int else "0,.1,.5"
        raise PodiumError(
            flag, f"{text!r} is not a list of {what}", f"Use {example}, for example."
        ) from error


MOST_JUDGMENTS = 10_000_000
"""A size beyond this is a slip of the hand, and would take gigabytes."""


def sizes_of(text: str) -> tuple[int, ...]:
    """Return the numbers of judgments that --sizes names."""
    found = numbers("--sizes", text, int)
    if not all(1 <= size <= MOST_JUDGMENTS for size in found):
        raise PodiumError(
            "--sizes", f"{text!r} has a size outside 1–{MOST_JUDGMENTS:,}", "Write 400,800."
        )
    return found


def check_level(options: argparse.Namespace) -> None:
    """Refuse a level that is no probability."""
    if not 0 < getattr(options, "level", 0.5) < 1:
        raise PodiumError("--level", f"{options.level:g} is outside 0–1", "Use 0.95, for example.")


def parameterized(options: argparse.Namespace, owner: type[Parameterized]) -> Parameterized:
    """Make the object that the hyperparameter flags describe."""
    given = {p.name: getattr(options, destination(p)) for p in hyperparameters(owner)}
    for parameter in hyperparameters(owner):
        if parameter.table and given[parameter.name] is not None:
            given[parameter.name] = _table_or_file(parameter, given[parameter.name])
    return from_settings(owner, {name: value for name, value in given.items() if value is not None})


def _table_or_file(parameter: Hyperparameter, words: str) -> str:
    """Return names with numbers as ``name=number``, read from a CSV file where words name one.

    The first column holds the names, the second the numbers; a first row of titles is left out.
    """
    path = Path(words)
    if "=" in words or not path.suffix:
        return words
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows = [row for row in csv.reader(lines) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PodiumError(
            f"{parameter.flag} {words}",
            "it contains no table",
            "Name a CSV file with a column of names and one of numbers.",
        ) from error
    if rows and len(rows[0]) > 1 and math.isnan(number(rows[0][1])):
        rows = rows[1:]
    return ",".join(f"{row[0]}={row[1] if len(row) > 1 else ''}" for row in rows)


@contextlib.contextmanager
def executor(options: argparse.Namespace) -> Iterator[Executor | None]:
    """Give the executor that an extra's flag names; None is this machine's threads."""
    with contextlib.ExitStack() as stack:
        named = [stack.enter_context(module.executor(options)) for module in hooks("executor")]
        yield next((one for one in named if one is not None), None)


@contextlib.contextmanager
def progress_bar(label: str) -> Iterator[Progress | None]:
    """Show progress and the time left on stderr, when that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    on_stderr = Console(stderr=True)
    with Bar(*columns, TimeRemainingColumn(), console=on_stderr, transient=True) as bar:
        task = bar.add_task(escape(printable(label)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
