"""The one error a user sees: what, where, got, remedy."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Line breaks and other signs that no message holds: they come from a file."""


MOST_NAMED = 30
"""Names that a message lists."""


MOST_MEANT = 5
"""Names that begin as a word does and are all proposed."""


class PodiumError(Exception):
    """Something the user can mend; its text is a complete message and needs no traceback.

    It is one line, whatever a file's names hold that it quotes.

    >>> str(PodiumError("Line 41, system3rank", "7 is outside 1–5", "Ranks go from 1 (best) to 5."))
    'Line 41, system3rank: 7 is outside 1–5. Ranks go from 1 (best) to 5.'
    """

    def __init__(self, where: str, got: str, remedy: str = "") -> None:
        where, got, remedy = (_CONTROL.sub(" ", text) for text in (where, got, remedy))
        super().__init__(where, got, remedy)
        self.where = where
        self.got = got
        self.remedy = remedy

    details: tuple[str, ...] = ()
    """Lines that a command prints below the message, such as a profile that could be right."""

    def __str__(self) -> str:
        end = "" if self.got.endswith("?") else "."
        message = f"{self.where}: {self.got.rstrip('.')}{end}"
        return f"{message} {self.remedy}" if self.remedy else message


class ReadingError(PodiumError):
    """A file from which nothing usable can be read, or whose content contradicts itself.

    ``is_unknown``: it is a table that no format reads.
    """

    is_unknown = False


class BrokenError(ReadingError):
    """A text that is not JSON or a table to its end."""


class NotConvergedError(PodiumError):
    """An iteration reached its limit; no number is returned."""


class UndefinedResultError(PodiumError):
    """A method is not defined on these judgments (no overlap, one system, no such baseline)."""


def unknown(where: str, word: str, known: Iterable[str]) -> PodiumError:
    """Return the error for a word that is none of the known ones; it names the nearest.

    >>> print(unknown("Preset", "wmt61", ["quick", "wmt16"]))
    Preset: 'wmt61' is not known. Did you mean wmt16? Choose one of quick, wmt16.
    """
    names = [*known]
    more = f" … ({len(names)} in all)" if len(names) > MOST_NAMED else ""
    remedy = f"{did_you_mean(word, names)}Choose one of {', '.join(names[:MOST_NAMED])}{more}."
    return PodiumError(where, f"{word!r} is not known", remedy)


FrontEnd = Literal["python", "terminal", "page"]
_front_end: FrontEnd = "python"
_readers: ContextVar[FrontEnd | None] = ContextVar("readers", default=None)


def speak_to(front_end: FrontEnd) -> None:
    """Make messages name the controls of this front end from now on."""
    global _front_end
    _front_end = front_end


@contextmanager
def speaking_to(front_end: FrontEnd) -> Iterator[None]:
    """Make messages of this thread name that front end's controls, as in a file for its users."""
    token = _readers.set(front_end)
    try:
        yield
    finally:
        _readers.reset(token)


def control(flag: str, label: str, argument: str = "") -> str:
    """Return what the reader's front end calls a control: a flag, an argument or a label.

    >>> control("--copies dropped", "“Drop exact copies” on Data")
    "copies='dropped'"
    """
    front_end = _readers.get() or _front_end
    if front_end != "python":
        return flag if front_end == "terminal" else label
    name, _, value = flag.removeprefix("--").partition(" ")
    return argument or name.replace("-", "_") + (f"={value!r}" if value else "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a sentence that names the known words most like this one; nothing if none is.

    >>> did_you_mean("bradley_tery", ["bojar", "bradley-terry"])
    'Did you mean bradley-terry? '
    >>> did_you_mean("wmt", ["arena", "wmt-2way", "wmt-5way"])
    'Did you mean wmt-2way or wmt-5way? '
    """
    names = {name.casefold(): name for name in known}
    longer = [name for name in names if name.startswith(word.casefold())]
    if (word and len(longer) == 1) or (len(word) > 2 and 1 < len(longer) <= MOST_MEANT):
        *first, last = (names[name] for name in longer)
        return f"Did you mean {', '.join(first)}{' or ' if first else ''}{last}? "
    close = difflib.get_close_matches(word.casefold(), names, n=1, cutoff=0.6)
    return f"Did you mean {names[close[0]]}? " if close else ""
