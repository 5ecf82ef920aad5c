"""What the commands share: reading a file, choosing judgments, flags made from hyperparameters."""

from __future__ import annotations

import argparse
import contextlib
import csv
import re
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, TypeVar

from analysis.campaign import (
    SELECTION_FIELDS,
    UNITS,
    Campaign,
    Judgments,
    RankingTasks,
    Selection,
)
from analysis.errors import PodiumError
from analysis.escaping import printable
from analysis.formats import AUTO, Meaning, ReadReport, read_many, read_path
from analysis.formats.mapping import load
from analysis.formats.rankings import number
from analysis.parallel import Progress
from analysis.parameters import Hyperparameter, Parameterized, from_settings, hyperparameters
from analysis.rankers import (
    DEFAULT_METHOD,
    RANKERS,
    Fit,
    Ranker,
    default_method,
    ranker_class,
)
from analysis.rankers.mean import Mean
from analysis.ranking.certainty import RANGES, Certainty
from analysis.ranking.uncertainty import SCOPES
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.registry import hooks
from analysis.simulation.samples import SAMPLES, sample_campaign

SAMPLE_PREFIX = "sample:"


def add_file(parser: argparse.ArgumentParser, *, optional: bool = False, **files: str) -> None:
    """Declare FILE …, which are one campaign, or a file each by name with what it is."""
    for name, what in (
        files or {"files": "a campaign's judgments, in one file or several"}
    ).items():
        parser.add_argument(
            name,
            metavar="FILE" if name == "files" else name.upper(),
            nargs=("*" if optional else "+") if name == "files" else None,
            help=f"{what} (WMT CSV, Appraise XML, arena votes, scores; also gzipped), "
            f"- for standard input, or {SAMPLE_PREFIX}NAME for a sample, such as "
            f"{SAMPLE_PREFIX}{next(iter(SAMPLES))}",
        )
    parser.add_argument(
        "--map",
        metavar="PROFILE",
        help=(
            "a YAML file that describes the columns of a table, or auto to accept a confident guess"
        ),
    )
    parser.add_argument(
        "--criterion", metavar="NAME", help="one of several criteria, such as fluency"
    )
    parser.add_argument("--sheet", metavar="NAME", default="", help="a workbook's sheet")
    parser.add_argument(
        "--judge-names", action="store_true", help="show the names of an XML file's judges"
    )


def add_selection(parser: argparse.ArgumentParser, *, identical: str = "") -> None:
    """Declare the choice of judgments, the same for all commands.

    ``identical`` is the help of a command that has its own way to count identical outputs; the
    flag is then None where it is not given.
    """
    group = parser.add_argument_group("selection", "Which judgments are used.")
    group.add_argument(
        "--lang-pair",
        "--pair",
        dest="pair",
        metavar="PAIR",
        help="language pair, in any spelling: eng-fin, English-Finnish",
    )
    for chosen in SELECTION_FIELDS:
        form: dict[str, Any] = {"metavar": chosen.metavar}
        if chosen.kind == "switch":
            choices = (chosen.default, chosen.on)
            form = {"action": "store_true"} if chosen.on is True else {"choices": choices}
            form["default"] = chosen.default
        elif chosen.kind in ("systems", "slices"):
            form |= {"action": "append", "default": []}
        words = chosen.help
        if chosen.name == "identical" and identical:
            words, form["default"] = identical, None
        group.add_argument(chosen.flag, dest=chosen.name, help=words, **form)
    add_seed(parser)


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Declare the seed."""
    parser.add_argument(
        "--seed", type=_seed, default=0, help="seed of everything random (default 0)"
    )


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def add_output_folder(parser: argparse.ArgumentParser) -> None:
    """Declare where everything is written to."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write tables, pictures, a page of all standings and the command that reproduces "
        "them to a folder, or to a file that ends in .zip",
    )
    parser.add_argument("--title", help="the campaign's title in the files of --output")
    parser.add_argument("--force", action="store_true", help="replace what OUT contains")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Declare the form of the answer."""
    group = parser.add_argument_group("answer", "A table, unless one of these is given.")
    form = group.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="JSON, as docs/json.md describes it")
    form.add_argument("--csv", action="store_true", help="CSV, with all digits")
    form.add_argument("--latex", action="store_true", help="a LaTeX table")
    group.add_argument(
        "--wide", action="store_true", help="show all columns, even if the terminal is too narrow"
    )


def add_certainty_of_parts(parser: argparse.ArgumentParser) -> None:
    """Declare level and scope, for answers that have a variance in closed form."""
    parser.add_argument(
        "--level", type=float, default=0.95, help="level of intervals and tests (default 0.95)"
    )
    add_scope(parser)


def unit_name(text: str) -> str:
    """Return a unit by its name; row and rows are what judgments were called before."""
    return "judgment" if text in ("row", "rows") else text


def add_certainty(parser: argparse.ArgumentParser) -> None:
    """Declare level, scope and resampling of a ranking."""
    parser.add_argument(
        "--level", type=float, default=0.95, help="level of intervals and ranges (default 0.95)"
    )
    add_scope(parser)
    parser.add_argument(
        "--ranges",
        choices=tuple(RANGES),
        help="; ".join(f"{name}: {words}" for name, words in RANGES.items())
        + " (default simultaneous, and marginal with --unit)",
    )
    parser.add_argument(
        "--unit",
        dest="resample",
        choices=tuple(UNITS),
        type=unit_name,
        help="resampling unit for marginal ranges (default judgment, as WMT did)",
    )
    parser.add_argument(
        "--resample",
        type=unit_name,
        choices=tuple(UNITS),
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )
    parser.add_argument(
        "--resamples",
        dest="runs",
        metavar="N",
        type=int,
        default=1000,
        help="bootstrap resamples of marginal ranges, and of methods without a closed form "
        "(default 1000)",
    )
    parser.add_argument("--runs", type=int, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add_executors(parser)


def add_method(
    parser: argparse.ArgumentParser, words: list[str], default: str = DEFAULT_METHOD
) -> str:
    """Declare the method and return its name; its hyperparameters are flags once it is named."""
    parser.add_argument(
        "--method",
        metavar="NAME",
        default=default,
        help=f"ranking method: {', '.join(RANKERS)} (default {default}; for scores {Mean.name})",
    )
    given = word_after(words, "--method")
    named = ranker_class(given or default)
    add_hyperparameters(
        parser,
        named,
        f"hyperparameters of {named.name}",
        "" if given else "Those of another method: add --method NAME to --help.",
    )
    if given is None and default == DEFAULT_METHOD:
        # Which method is the usual one is not known before the file is read.
        parser.set_defaults(method=None)
        add_hyperparameters(parser, Mean, f"hyperparameters of {Mean.name}, the default for scores")
    return named.name


def chosen_ranker(options: argparse.Namespace, campaign: RankingTasks) -> Ranker:
    """Return the method that the flags name, with its settings; else the campaign's usual one."""
    if options.method is None:
        options.method = default_method(campaign)
    ranker = parameterized(options, ranker_class(options.method))
    assert isinstance(ranker, Ranker)
    return ranker


OLD_SCOPES = {"others": "new"}
"""What scopes were called before."""


def told_apart(options: argparse.Namespace, fit: Fit) -> Verdict:
    """Return the verdict on a fit, with the level and scope of the flags."""
    chosen = certainty(options)
    if chosen.is_published:
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


def add_scope(parser: argparse.ArgumentParser) -> None:
    """Declare whom the answer speaks for."""
    parser.add_argument(
        "--scope",
        type=lambda name: OLD_SCOPES.get(name, name),
        choices=tuple(SCOPES),
        default="new",
        help="; ".join(f"{name}: {words}" for name, words in SCOPES.items()) + " (default new)",
    )
    parser.add_argument(
        "--target",
        dest="scope",
        type=lambda name: OLD_SCOPES.get(name, name),
        choices=tuple(SCOPES),
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )


def add_look(parser: argparse.ArgumentParser) -> None:
    """Declare which look at a growing campaign this is."""
    parser.add_argument(
        "--look",
        type=int,
        metavar="K",
        help=(
            "number of this interim look at a growing campaign; α is spent over all looks, so "
            "all claims together are valid at the level (default: there is only one look)"
        ),
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
    options: argparse.Namespace, name: str = "files"
) -> tuple[Campaign, ReadReport | None]:
    """Read the FILEs together, or the file of that name; a sample has no report."""
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
        return read_many([("standard input", sys.stdin.buffer.read())], **chosen)
    return read_path(*files, **chosen)


def profile(options: argparse.Namespace) -> Meaning:
    """Return what the columns mean: a profile's words, or a guess if that is asked for."""
    path = getattr(options, "map", None)
    return path if path in (None, AUTO) else load(path)


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
        raise PodiumError(
            "--level", f"{options.level:g} is outside 0–1", ("Use 0.95, for example.")
        )


def add_hyperparameters(
    parser: argparse.ArgumentParser,
    owner: type[Parameterized],
    title: str = "hyperparameters",
    description: str = "",
) -> None:
    """Declare a flag for every hyperparameter, from its one declaration."""
    group = parser.add_argument_group(title, description or None)
    for parameter in hyperparameters(owner):
        group.add_argument(
            parameter.flag,
            dest=_destination(parameter),
            metavar="|".join(parameter.choices) or parameter.kind.__name__.upper(),
            help=f"{parameter.help} (default {parameter.default})".replace("%", "%%"),
        )


def parameterized(options: argparse.Namespace, owner: type[Parameterized]) -> Parameterized:
    """Make the object that the hyperparameter flags describe."""
    given = {p.name: getattr(options, _destination(p)) for p in hyperparameters(owner)}
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
    if rows and len(rows[0]) > 1 and not _is_number(rows[0][1]):
        rows = rows[1:]
    return ",".join(f"{row[0]}={row[1] if len(row) > 1 else ''}" for row in rows)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def hyperparameter_defaults(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as the defaults of their flags."""
    return {f"hyperparameter_{name}": value for name, value in settings.items()}


def _destination(parameter: Hyperparameter) -> str:
    return f"hyperparameter_{parameter.name}"


def word_after(words: list[str], flag: str) -> str | None:
    """Return a flag's value before the flags are parsed, as far as it is given."""
    for k, word in enumerate(words):
        if word == flag and k + 1 < len(words):
            return words[k + 1]
        if word.startswith(flag + "="):
            return word.removeprefix(flag + "=")
    return None


def add_executors(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of extras that run long work elsewhere."""
    for module in hooks("executor"):
        module.add_arguments(parser)


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
