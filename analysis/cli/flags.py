"""The flags that commands share: files, selection, certainty, preset, method, answer.

What a preset says becomes a command's defaults; flags given win over it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from analysis.campaign import SELECTION_FIELDS
from analysis.cli.commands import S as SAMPLE
from analysis.errors import PodiumError
from analysis.parameters import Hyperparameter, Parameterized, hyperparameters
from analysis.presets import PRESETS, Preset, preset_named, presets_of
from analysis.rankers import DEFAULT_METHOD, RANKERS, ranker_class
from analysis.rankers.mean import Mean
from analysis.rankers.resampling import UNITS
from analysis.ranking.certainty import RANGES
from analysis.ranking.variance import SCOPES
from analysis.registry import hooks

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
            f"- for standard input, or {SAMPLE_PREFIX}NAME for a sample, such as {SAMPLE}",
        )
    group = parser.add_argument_group("reading", "How the files are read.")
    group.add_argument(
        "--map",
        metavar="PROFILE",
        help="a YAML file that describes the columns, or auto to accept a confident guess",
    )
    group.add_argument(
        "--criterion", metavar="NAME", help="one of several criteria, such as fluency"
    )
    group.add_argument("--sheet", metavar="NAME", default="", help="a workbook's sheet")
    group.add_argument(
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
        "--seed", type=whole_number, default=0, help="seed of everything random (default 0)"
    )


def whole_number(text: str) -> int:
    """Return a whole number from 0 that a flag gives."""
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
    form.add_argument("--json", action="store_true", help="JSON with a schema number, for scripts")
    form.add_argument("--csv", action="store_true", help="CSV, with all digits")
    form.add_argument("--latex", action="store_true", help="a LaTeX table")
    group.add_argument(
        "--wide", action="store_true", help="show all columns, even if the terminal is too narrow"
    )


def add_level(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare the level of what an answer states."""
    parser.add_argument("--level", type=float, default=0.95, help=f"level of {what} (default 0.95)")


def unit_name(text: str) -> str:
    """Return a unit by its name; row and rows are what judgments were called before."""
    return "judgment" if text in ("row", "rows") else text


def add_certainty(parser: argparse.ArgumentParser) -> None:
    """Declare level, scope and resampling of a ranking."""
    add_level(parser, "intervals and ranges")
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
        type=_old_unit,
        choices=tuple(UNITS),
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )
    add_resamples(parser, "of marginal ranges, and of methods without a closed form")
    add_executors(parser)


def _old_unit(text: str) -> str:
    """Return the unit that ``--resample`` names, as ``--unit`` was called; a number is a slip."""
    if text.isdecimal():
        raise argparse.ArgumentTypeError(f"it names a unit. Did you mean --resamples {text}?")
    return unit_name(text)


class _Given(argparse.Action):
    """Store a number of resamples, and that the user gave it."""

    def __call__(self, _parser: Any, found: Any, value: Any, _flag: Any = None) -> None:
        setattr(found, self.dest, value)
        found.resamples_given = True


def add_resamples(parser: argparse.ArgumentParser, what: str, default: int = 1000) -> None:
    """Declare how many bootstrap resamples there are; ``--runs`` is what the flag was called."""
    form: dict[str, Any] = {"dest": "runs", "metavar": "N", "type": int, "action": _Given}
    told = f"bootstrap resamples {what} (default {default})"
    parser.add_argument("--resamples", default=default, help=told, **form)
    parser.add_argument("--runs", default=argparse.SUPPRESS, help=argparse.SUPPRESS, **form)
    parser.set_defaults(resamples_given=False)


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


OLD_SCOPES = {"others": "new"}
"""What scopes were called before."""


def add_scope(parser: argparse.ArgumentParser) -> None:
    """Declare whom the answer speaks for."""
    told = "; ".join(f"{name}: {words}" for name, words in SCOPES.items()) + " (default new)"
    form: dict[str, Any] = {"type": lambda name: OLD_SCOPES.get(name, name)}
    form |= {"dest": "scope", "choices": tuple(SCOPES)}
    parser.add_argument("--scope", default="new", help=told, **form)
    parser.add_argument("--target", default=argparse.SUPPRESS, help=argparse.SUPPRESS, **form)


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
            dest=destination(parameter),
            metavar="|".join(parameter.choices) or parameter.kind.__name__.upper(),
            help=f"{parameter.help} (default {parameter.default})".replace("%", "%%"),
        )


def hyperparameter_defaults(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as the defaults of their flags."""
    return {f"hyperparameter_{name}": value for name, value in settings.items()}


def destination(parameter: Hyperparameter) -> str:
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


def add_preset(parser: argparse.ArgumentParser, words: list[str], command: str) -> Preset | None:
    """Declare --preset and return the one that is named; one without a meaning here is refused."""
    known = presets_of(command)
    parser.add_argument(
        "--preset",
        metavar="NAME",
        help="use a named set of options; options given explicitly override it: "
        + "; ".join(_explained(name) for name in known).replace("%", "%%"),
    )
    name = word_after(words, "--preset")
    if name is None:
        return None
    preset = preset_named(name)
    if command not in preset.commands:
        raise PodiumError(
            f"--preset {name}",
            f"it has no settings for {command}",
            f"It is for {', '.join(preset.commands)}. Here choose one of {', '.join(known)}.",
        )
    return preset


def _explained(name: str) -> str:
    """Return a preset's name with its title, unless that says the same."""
    title = PRESETS[name].title
    return name if title.casefold() == name else f"{name}: {title}"


def set_ranking(
    parser: argparse.ArgumentParser, words: list[str], preset: Preset | None, method: str = ""
) -> None:
    """Make the defaults of the certainty of a ranking, and of its ``method``, the preset's."""
    if preset is None:
        return
    defaults: dict[str, Any] = {}
    if preset.certainty is not None:
        defaults |= _certainty(words, preset)
    if preset.identical is not None:
        defaults["identical"] = preset.identical
    if method:
        defaults |= hyperparameter_defaults(preset.settings.get(method, {}))
    parser.set_defaults(**defaults)


def _certainty(words: list[str], preset: Preset) -> Mapping[str, Any]:
    """Return the flags of a certainty, less those that what the user gave takes the sense of."""
    chosen = preset.certainty
    assert chosen is not None
    said: dict[str, Any] = {"level": chosen.level, "scope": chosen.scope, "runs": chosen.runs}
    ranges, unit, resample = (word_after(words, f"--{f}") for f in ("ranges", "unit", "resample"))
    resample = unit or resample
    if resample is None and ranges is None:
        said["ranges"] = chosen.ranges
    if resample is None and chosen.is_official and ranges != "simultaneous":
        said["resample"] = chosen.unit
    return said
