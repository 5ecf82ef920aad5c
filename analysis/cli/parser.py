"""The parser of one command, and how its help is laid out."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import textwrap
from collections.abc import Iterable

from analysis.errors import did_you_mean
from analysis.escaping import printable
from analysis.registry import Command

PLAIN = {
    r"^argument ": "",
    r"invalid int value: (.*)": r"\1 is not a whole number",
    r"invalid float value: (.*)": r"\1 is not a number",
    r"^unrecognized arguments: (-\S+).*": r"\1 is not an option of this command",
    r"^unrecognized arguments: (.*)": r"\1 is one argument too many",
    r"^the following arguments are required: ([^,]*)$": r"\1 is missing",
    r"^the following arguments are required: (.*)": r"\1 are missing",
    r"^one of the arguments (\S+) (\S+) is required": r"\1 or \2 is missing",
    r"expected (?:one|at least one) argument": "a value is missing",
}
"""What argparse says, and how a person says it."""


class Layout(argparse.HelpFormatter):
    """Help whose text keeps its own lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in text.splitlines())

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class CommandParser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, as bad input does."""

    def __init__(self, command: Command) -> None:
        # What is named, a method or a preset, makes flags: so its flag must be written in full.
        super().__init__(
            prog=f"podium {command.name}",
            description=f"{command.help[0].upper()}{command.help[1:]}.",
            epilog="\n".join(["examples:", *(f"  podium {one}" for one in command.examples)])
            if command.examples
            else None,
            formatter_class=Layout,
            allow_abbrev=False,
        )
        self.examples, self.given = command.examples, list[str]()
        self._positionals.title = "files"

    def name_what_it_takes(self) -> None:
        """Write the line of usage: files and what is required; the rest are options.

        Help begins with the method, and ends with its hyperparameters.
        """
        self._optionals._group_actions.sort(key=lambda one: "--method" not in one.option_strings)
        words = [self.prog]
        for action in self._actions:
            if not action.option_strings:
                name = action.metavar if isinstance(action.metavar, str) else action.dest
                many = f"{name} …" if action.nargs in ("+", "*") else name
                words.append(f"[{many}]" if action.nargs in ("*", "?") else many)
            elif action.required:
                words.append(f"{action.option_strings[0]} {action.metavar or action.dest.upper()}")
        self.usage = " ".join([*words, "[options]"]).replace("%", "%%")

    def parse_args(self, args: list[str]) -> argparse.Namespace:  # type: ignore[override]
        self.given = args
        return super().parse_args(args)

    def error(self, message: str) -> None:  # type: ignore[override]
        for found, said in PLAIN.items():
            message = re.sub(found, said, message)
        remedy = ""
        if unknown := re.match(r"(-\S+) is not an option", message):
            # Without their dashes, which all flags share and which make any two alike.
            meant = did_you_mean(unknown[1].strip("-"), [flag[2:] for flag in self.flags()])
            remedy = re.sub("mean |, | or ", r"\g<0>--", meant)
        elif (missing := re.match(r"(-\w)/\S+ is missing", message)) and self.given:
            line = shlex.join([*self.prog.split(), *self.given])
            remedy = f"For example: {line} {missing[1]} OUT. "
        elif message.endswith(("is missing", "are missing")) and self.examples:
            remedy = f"For example: podium {self.examples[0]}. "
        end = "" if message.endswith("?") else "."
        self.exit(2, printable(f"{self.prog}: {message}{end} {remedy}See {self.prog} --help.\n"))

    def flags(self) -> Iterable[str]:
        """Return all flags."""
        return [flag for flag in self._option_string_actions if flag.startswith("--")]

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            meant = did_you_mean(str(value), known)
            raise argparse.ArgumentError(
                action, f"{value!r} is not known. {meant}Choose one of {', '.join(known)}"
            )


def parser_of(command: Command, words: list[str]) -> CommandParser:
    """Return the parser of a command; what the words name, a method or a preset, makes flags."""
    parser = CommandParser(command)
    importlib.import_module(command.module).add_arguments(parser, words)
    parser.name_what_it_takes()
    return parser
