"""The command line: one module per command, each with ``add_arguments`` and ``run``."""

from __future__ import annotations

import _thread
import argparse
import contextlib
import importlib
import sys
import threading
from collections.abc import Iterator, Sequence
from io import TextIOWrapper

from analysis.errors import PodiumError
from analysis.wording import printable

COMMANDS = {
    "summary": "what a file holds, and what looks odd in it",
    "rank": "who won: scores, rank ranges and clusters by one method",
    "apart": "which pairs of systems the judgments tell apart",
    "campaign": "all language pairs at once, by the same method, as one table and one folder",
    "compare": "the orders of several methods side by side",
    "compare-states": "what changed between two states of a campaign, and what of it is no noise",
    "stability": "what of a ranking survives other methods, fewer judges, systems, sentences",
    "claim": "whether the judgments support that one system is better than another",
    "agreement": "how far judges agree with each other and with themselves",
    "validate": "which model to believe: prediction of judgments it has not seen",
    "curve": "how well models predict after so many judgments",
    "grow": "clusters and abilities that campaigns of so many judgments would have",
    "machine": "how machine judges vote beside people, and standings from few votes of people",
    "judges": "every judge's work, and who deserves a look",
    "segments": "how hard each segment is, and what a comparison there tells",
    "slices": "standings by part of a campaign, and what differs between parts beyond noise",
    "effects": "what position, length and the like do, and standings with them held even",
    "report": "the finding, the tables and how they were made, as one HTML file",
    "plan": "how many more tasks, at what cost, and whether to stop",
    "next": "which ranking tasks to send out now",
    "scores": "estimates of quality, labels, metric scores and search results, measured",
    "metrics": "which automatic metrics order systems and outputs as people do",
    "noise": "how close methods stay to the gold standard where judges answer at random",
    "simulate": "studies on campaigns whose truth is known, or such a campaign",
    "examples": "small worked examples from the papers",
    "replicate": "published numbers computed again, each with its verdict",
    "convert": "write a campaign in another format",
}

DESCRIPTION = (
    "Podium says who won an evaluation campaign, how sure that is, and what to do next. "
    "COMMAND --help lists the options of a command."
)

MOST = 1_000_000
"""Of runs, trials, folds, tasks and the like; more is a slip of the hand."""


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, as bad input does."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, printable(f"{self.prog}: {message}. See {self.prog} --help.\n"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 is success, 2 is bad input, told in one line."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        if any("\0" in word for word in words):
            raise PodiumError("The command", "it holds a NUL character", "No file's name has one.")
        with _no_interrupt_lost():
            options = _parse(words)
            _check_amounts(options)
            options.run(options)
    except PodiumError as error:
        print(printable(f"podium {words[0]}: {error}"), file=sys.stderr)
        return 2
    except (MemoryError, OverflowError):
        print(
            f"podium {words[0]}: this is more than the memory holds. Ask for less.", file=sys.stderr
        )
        return 2
    except BrokenPipeError:
        # The reader of a pipe, such as head, has seen enough; Python must not complain at exit.
        importlib.import_module("analysis.cli.output").silence()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    return 0


@contextlib.contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Let Ctrl-C be heard wherever it comes.

    Python cannot raise it out of a callback (of a weak reference, of the collector of garbage, of
    compiled code, of an import that ends): it tells it to this hook and goes on. So it comes again
    a moment later, from another thread, when the callback is over.
    """
    before = sys.unraisablehook

    def again(lost: sys.UnraisableHookArgs) -> None:
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
    for name in ("runs", "trials", "folds", "experiments", "resamples", "tasks", "labels"):
        amount = getattr(options, name, None)
        if amount is not None and amount > MOST:
            raise PodiumError(f"--{name}", f"{amount} is more than {MOST}", "Ask for less.")


def _parse(words: list[str]) -> argparse.Namespace:
    """Parse a command's words; only the module of the command that is named is imported."""
    parser = Parser(prog="python -m analysis", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, help_text in COMMANDS.items():
        # What is named, a method or a preset, makes flags: so its flag must be written in full.
        subparser = commands.add_parser(
            name,
            help=help_text,
            description=f"{help_text[0].upper()}{help_text[1:]}.",
            allow_abbrev=False,
        )
        if name in words[:1]:
            module = importlib.import_module(f"analysis.cli.{name.replace('-', '_')}")
            module.add_arguments(subparser, words)
            subparser.set_defaults(run=module.run)
    return parser.parse_args(words)
