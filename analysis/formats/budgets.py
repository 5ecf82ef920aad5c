"""How much a file may ask for, before the work begins: every limit of the readers, once."""

from __future__ import annotations

import os

from analysis.errors import ReadingError
from analysis.wording import thousands

MAX_SYSTEMS = 5_000
"""Systems in all files together."""

MAX_SYSTEMS_A_PAIR = 1_000
"""Systems in one language pair: its tables grow with their square."""

MAX_JOINED = 100
"""Systems in one joined name (``a+b+c``)."""

MAX_OUTPUTS = MAX_SYSTEMS_A_PAIR
"""Outputs in one ranking."""

MAX_LANGUAGE_PAIRS = 1_000

MAX_PAIRS = 25_000_000
"""Pairs of systems that were ranked together, and rankings, in one file, however large it is."""

MAX_OF_SMALL = 2_000_000
"""Those that a file of a few bytes may stand for, by packing or long rankings: they take 1.5 GB
once agreement is measured, 600 bytes each. Each byte of a file, packed as it came, allows one more
ranking, or so many pairs:
"""

PAIRS_A_BYTE = 4
"""An order of fourteen is written in 22 packed bytes, and makes 91 pairs."""

MAX_UNNAMED = 10_000_000
"""Those that a file of a few bytes may stand for if it names no judges, so that no agreement is
measured: a ranking takes 20 bytes each, *What if* 150, which is 1.5 GB as well."""

MAX_COUNTED = 7_000_000
"""Votes that a file counts and does not list. Nobody knows their judges; they take 1.4 GB with the
first looks at them, 150 bytes each."""

LARGEST_ROW = 1 << 24
"""Bytes of one row of delimited text."""

_SHARE, _SHARE_OF_JSON, _BYTES_A_ROW = 16, 40, 360
"""Decoded text, and JSON, may fill this part of the free memory; a row needs so many bytes.

Reading takes at most six times the unpacked file, or so many bytes a row where rows are shorter
than 60 bytes: a score with its codes, or an order of fourteen, takes more than its few letters.
"""


def max_bytes() -> int:
    """Return the bytes to which a file may grow when it is unpacked: at most 2 GB."""
    return _within(_free_memory() // _SHARE, 10**8, 2 * 10**9)


def max_json_bytes() -> int:
    """Return how many bytes of JSON may be read, each of which takes many in memory."""
    return _within(_free_memory() // _SHARE_OF_JSON, 10**8, 10**9)


def max_rows() -> int:
    """Return how many rows a table may have; each is at least one pair."""
    return _within(_free_memory() // _BYTES_A_ROW, 10**6, MAX_PAIRS)


def max_pairs(n_bytes: int) -> int:
    """Return how many pairs or rankings a file of so many bytes, as it was given, may hold."""
    return min(max_rows(), MAX_OF_SMALL + n_bytes)


def _within(number: int, low: int, high: int) -> int:
    return min(max(number, low), high)


def _free_memory() -> int:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 8 * 10**9


def check_bytes(n: int, limit: int, where: str, what: str = "unpacked it") -> None:
    """Refuse content of more than ``limit`` bytes."""
    if n > limit:
        raise ReadingError(
            where,
            f"{what} is larger than {limit / 1000000000.0:.3g} GB, which is the limit here",
            "Split it, one language pair per file, or leave out the columns with texts.",
        )


def check_rows(n: int, where: str, n_bytes: int = MAX_PAIRS) -> None:
    """Refuse more rows than there may be pairs in a file of so many bytes."""
    limit = max_pairs(n_bytes)
    if n > limit:
        raise ReadingError(
            where,
            f"it has {thousands(n)} rows, more than the limit of {thousands(limit)} here",
            "Split it, one language pair per file, or use only some of the judgments.",
        )


def check_systems(n: int, where: str, columns: str, pair: str = "") -> None:
    """Refuse more systems than any campaign has: they are texts, or identifiers of texts."""
    limit = MAX_SYSTEMS_A_PAIR if pair else MAX_SYSTEMS
    if n > limit:
        of = f" for {pair[:60]}" if pair else ""
        raise ReadingError(
            where,
            f"{columns} contains {thousands(n)} different names of systems{of}, and at most "
            f"{thousands(limit)} can be compared: are these texts?",
            "Use the names of systems there, not their outputs.",
        )


def check_outputs(n: int, where: str, most: int = MAX_OUTPUTS) -> None:
    """Refuse a ranking of more outputs, or a joined name of more systems, than people rank."""
    if n > most:
        raise ReadingError(
            where,
            f"one ranking or joined name contains {thousands(n)} systems, more than {most}: is "
            "this one judgment?",
            "Write the outputs that one judge ranked together as one ranking each.",
        )


def check_screens(n: int, where: str) -> None:
    """Refuse a screen with more outputs than systems there may be in a language pair."""
    if n > MAX_SYSTEMS_A_PAIR:
        raise ReadingError(
            where,
            f"one judge scored {thousands(n)} outputs of one segment: is this one segment?",
            "Check that the right column contains the segments.",
        )


def check_language_pairs(n: int, where: str) -> None:
    """Refuse more language pairs than there are."""
    if n > MAX_LANGUAGE_PAIRS:
        raise ReadingError(
            where,
            f"it has {thousands(n)} language pairs, more than {thousands(MAX_LANGUAGE_PAIRS)}: "
            "are these languages?",
            "Leave out or correct the columns of languages.",
        )


def check_counted(n: int, n_rows: int, where: str) -> None:
    """Refuse more votes than a file may count in so many rows."""
    check_rankings(n, where, MAX_COUNTED - MAX_OF_SMALL + n_rows)


def check_rankings(n: int, where: str, n_bytes: int) -> None:
    """Refuse more rankings, or votes, than fit beside their pairs."""
    limit = max_pairs(n_bytes)
    if n > limit:
        raise ReadingError(
            where,
            f"it contains {thousands(n)} rankings or votes, more than the limit of "
            f"{thousands(limit)} here",
            "Use only some of the judgments, or one language pair at a time.",
        )


def check_pairs(n: int, where: str, n_bytes: int, *, names_judges: bool = True) -> None:
    """Refuse more pairs than can be counted in reasonable time and memory."""
    least = 0 if names_judges else MAX_UNNAMED - MAX_OF_SMALL
    limit = max_pairs(max(PAIRS_A_BYTE * n_bytes, least))
    if n > limit:
        raise ReadingError(
            where,
            f"its rankings make {thousands(n)} pairs of systems, more than the limit of "
            f"{thousands(limit)} here",
            f"Use one ranking in {-(-n // limit)} at random, or one language pair at a time.",
        )
