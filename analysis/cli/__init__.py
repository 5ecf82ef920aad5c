"""The command line: one module per command, each with ``add_arguments`` and ``run``."""

from __future__ import annotations

import _thread
import argparse
import contextlib
import gc
import importlib
import os
import shlex
import sys
import threading
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path

from analysis.cli.commands import commands, families, listed
from analysis.cli.help import complete, help_text, overview
from analysis.cli.parser import CommandParser, parser_of
from analysis.errors import PodiumError, did_you_mean, speak_to
from analysis.escaping import printable
from analysis.registry import Command
from analysis.version import __version__

MOST = 1_000_000
"""Of runs, trials, folds, tasks and the like; more is a slip of the hand."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 is success, 2 is bad input, told in one line."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        # A process that answers once: to look for garbage after each import took a sixth of it.
        gc.set_threshold(200_000)
    if sys.stderr is None:  # closed by the caller: print would take standard output instead
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  as long as the process
    speak_to("terminal")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        if any("\0" in word for word in words):
            raise PodiumError("The command", "it contains a NUL character", "Leave it out.")
        for word in words:
            if word.endswith("=--"):  # argparse would make a list of it
                raise PodiumError(word.removesuffix("=--"), "got '--'", "Give a value.")
        with _no_interrupt_lost():
            return _run(words)
    except PodiumError as error:
        print(printable(f"{_asked(words)}: {error}"), file=sys.stderr)
        for line in error.details:
            print(printable(line), file=sys.stderr)
        return 2
    except MemoryError:
        print(f"{_asked(words)}: there is not enough memory for this.", file=sys.stderr)
        return 2
    except OverflowError:
        print(f"{_asked(words)}: a number is too large to compute with.", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of a pipe, such as head, has seen enough; Python must not complain at exit.
        importlib.import_module("analysis.cli.output").silence()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    return 0


def _asked(words: list[str]) -> str:
    """Return how errors begin: with the command of a line, without its files and flags."""
    name = " ".join(words[: 2 if words[0] in families() else 1])
    return f"podium {name}" if name in commands() else "podium"


def _run(words: list[str]) -> int:
    """Answer a line of words: an overview, the help of a command, or the command."""
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    first = words[0] if words else "--help"
    if first == "--version":
        print(f"podium {__version__}")
    elif first in ("-h", "--help") or (first in families() and words[1:] in ([], ["--help"])):
        print(overview(first if first in families() else ""), end="")
    elif first in ("completion", "--complete"):
        complete(words)
    else:
        command, rest = find_command(words)
        if {"-h", "--help"} & {*rest}:
            now = f"The name of this command is now: podium {command.now}.\n\n"
            print((now if command.now else "") + help_text(command, rest), end="")
            return 0
        options = parser_of(command, rest).parse_args(rest)
        _check_amounts(options)
        code: int | None = importlib.import_module(command.module).run(options)
        if command.now:
            line = f"podium {command.name} is now: podium {command.now}."
            print(f"{line} The old name works in this version only.", file=sys.stderr)
        return code or 0
    return 0


def find_command(words: list[str]) -> tuple[Command, list[str]]:
    """Return the command that a line names, and the words after its name."""
    known = commands()
    length = 2 if words[0] in families() and len(words) > 1 else 1
    name = " ".join(words[:length]).replace("_", "-")
    if name not in known:
        what = "sample" if words[0].startswith("sample:") else "file"
        if what == "sample" or Path(words[0]).is_file():
            line = f"podium rank {shlex.join(words[:1])}"
            raise PodiumError(words[0], f"it is a {what}, not a command", f"Did you mean {line}?")
        meant = did_you_mean(name, [*listed(), *families(), "completion", "--version", "--help"])
        raise PodiumError(name, "no command has this name", f"{meant}See podium --help.")
    return known[name], [_with_dashes(word) for word in words[length:]]


def _with_dashes(word: str) -> str:
    """Return a flag with - for _."""
    flag, equals, value = word.partition("=")
    return flag.replace("_", "-") + equals + value if word.startswith("--") else word


@contextlib.contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Let Ctrl-C be heard wherever it comes.

    Python cannot raise it out of a callback (of a weak reference, of the collector of garbage, of
    compiled code, of an import that ends): it tells it to this hook and goes on. So it comes again
    a moment later, from another thread, when the callback is over.
    """
    before = sys.unraisablehook

    def again(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, ResourceWarning):  # A file whose reading was interrupted.
            return
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        later = threading.Timer(0.05, _thread.interrupt_main)
        later.daemon = True
        later.start()

    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = before


def _check_amounts(options: argparse.Namespace) -> None:
    """Refuse more of anything than a machine can do, before the work begins."""
    for name in ("runs", "trials", "folds", "experiments", "tasks", "labels"):
        amount = getattr(options, name, None)
        if amount is not None and amount > MOST:
            flag = "--resamples" if name == "runs" else f"--{name}"
            raise PodiumError(flag, f"{amount} is more than {MOST}", "Use a smaller number.")


__all__ = ["CommandParser", "commands", "find_command", "main"]
