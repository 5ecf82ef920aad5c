"""Rankings as a file holds them, in columns, before they become a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from analysis.campaign import UNRANKED
from analysis.formats.report import MAX_PLACES, LeftOut, Oddity

Codes = npt.NDArray[np.integer]
Output = tuple[str, ...]
"""The systems that made one output."""

BAD_RANK = -99
"""Stands for a rank that cannot be read; such rows never leave a reader."""

NO_PAIR = "all"
"""Name of the only language pair of a file that names no languages."""


@dataclass(frozen=True)
class Column:
    """A column of text as codes into its distinct values, which may hold a value twice."""

    codes: Codes
    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: npt.NDArray[np.generic]) -> Column:
        return Column(self.codes[rows], self.names)

    def map(self, function: Callable[[str], int]) -> npt.NDArray[np.int64]:
        """Return a number for every row, from its value."""
        numbers = np.array([function(name) for name in self.names], dtype=np.int64)
        return numbers[self.codes] if len(numbers) else np.zeros(0, np.int64)

    @classmethod
    def constant(cls, name: str, n: int) -> Column:
        return cls(np.zeros(n, dtype=np.int16), (name,))


def combine(columns: Sequence[Column], join: Callable[..., str]) -> Column:
    """Return one column whose values are made of those of several, row by row."""
    sizes = [max(len(column.names), 1) for column in columns]
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        key = key * size + column.codes
    used, codes = np.unique(key, return_inverse=True)
    parts = []
    for column, size in zip(reversed(columns), reversed(sizes), strict=True):
        parts.append([column.names[code] for code in used % size])
        used = used // size
    names = [join(*values) for values in zip(*reversed(parts), strict=True)]
    return Column(codes.astype(np.int32), names)


def pair_name(source: str, target: str) -> str:
    """Return the language pair's name as the file spells its ends.

    >>> pair_name("French", "English"), pair_name("de", ""), pair_name("", "")
    ('French-English', 'de', 'all')
    """
    if not source and not target:
        return NO_PAIR
    return f"{source}-{target}" if target else source


def read_rank(text: str) -> int:
    """Return a rank, `UNRANKED` for -1, `BAD_RANK` for what is no whole number above 0."""
    try:
        number = float(text)
    except ValueError:
        return BAD_RANK
    if number == -1:
        return UNRANKED
    return int(number) if 0 < number < 2**15 and number == int(number) else BAD_RANK


@dataclass
class Findings:
    """What one reader leaves out of one file or finds odd in it.

    ``n_unparsed`` rows never became rows of a table. ``place_of`` turns row numbers from 0 into
    the file's own line or record numbers; it is called only where something is reported.
    """

    file: str = ""
    unit: str = "row"
    place: str = "line"
    n_unparsed: int = 0
    place_of: Callable[[Codes], Codes] = lambda rows: rows + 1
    left_out: list[LeftOut] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)

    def leave_out(self, reason: str, rows: Codes, detail: Callable[[int], str]) -> None:
        """Count rows under a reason; ``detail`` tells what is wrong with a row."""
        if not len(rows):
            return
        places = tuple(int(p) for p in self.place_of(np.asarray(rows[:MAX_PLACES])))
        example = detail(int(rows[0]))
        if places:
            example = f"{self.place} {places[0]}, {example}"
        self.left_out.append(
            LeftOut(reason, len(rows), places, example, unit=self.unit, place=self.place)
        )

    def places(self, rows: Codes) -> tuple[int, ...]:
        return tuple(int(p) for p in self.place_of(np.asarray(rows[:MAX_PLACES])))


@dataclass(frozen=True)
class Rankings:
    """The rankings of one file: columns a task, and columns an entry.

    Task ``t`` has the entries ``start[t]:start[t+1]``. ``row`` is the task's (first) row in the
    file. ``identity`` tells apart tasks that are equal in all other columns but no copies of each
    other (a ranking's id, its duration); without judges or segments no task is called a copy.
    ``users`` are the names of real people by first appearance, where the file may hold them.
    """

    format: str
    n_rows: int
    pair: Column
    segment: Column
    judge: Column
    start: Codes
    output: Codes
    outputs: Sequence[Output]
    rank: Codes
    row: Codes
    findings: Findings
    seconds: npt.NDArray[np.float32] | None = None
    identity: Codes | None = None
    copies_matter: bool = True
    users: tuple[str, ...] | None = None


def split_outputs(
    names: Sequence[str], ranked_together: Iterable[tuple[Codes, Codes]], findings: Findings
) -> list[Output]:
    """Take names like ``a+b+c`` apart into the systems whose outputs were identical.

    A name of which a part would be empty (``C++``) stays whole. If a name like ``a+b`` was ever
    ranked against its own part ``a``, then ``+`` is a letter in this file and every name stays
    whole. ``ranked_together`` yields pairs of code columns of outputs ranked together.
    """
    split = [split_name(name) for name in names]
    joined = [code for code, output in enumerate(split) if len(output) > 1]
    if not joined:
        return split
    is_joined = np.zeros(len(names), dtype=bool)
    is_joined[joined] = True
    for left, right in ranked_together:
        either = is_joined[left] | is_joined[right]
        codes = np.unique(left[either].astype(np.int64) * len(names) + right[either])
        for code in codes.tolist():
            a, b = divmod(code, len(names))
            if a != b and not set(split[a]).isdisjoint(split[b]):
                findings.oddities.append(
                    Oddity(
                        "plus",
                        f"{names[a]} was ranked against {names[b]}, so + is taken as a letter of "
                        "the names here, not as a sign of identical outputs.",
                    )
                )
                return [(name,) for name in names]
    example = names[joined[0]]
    findings.oddities.append(
        Oddity(
            "identical",
            f"{len(joined)} names like {example} stand for systems with identical output."
            if len(joined) > 1
            else f"{example} stands for systems with identical output.",
            len(joined),
        )
    )
    return split


def split_name(name: str) -> Output:
    """Return the systems of a joined name.

    >>> split_name("a+b"), split_name("C++"), split_name("a+a")
    (('a', 'b'), ('C++',), ('a+a',))
    """
    parts = tuple(name.split("+"))
    return parts if all(parts) and len(set(parts)) == len(parts) else (name,)
