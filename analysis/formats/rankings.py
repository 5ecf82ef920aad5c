"""Rankings as a file holds them, in columns, before they become a campaign."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis import languages
from analysis.campaign.attributes import Texts
from analysis.campaign.counts import UNRANKED
from analysis.campaign.ragged import FloatArray, distinct, smallest
from analysis.formats.budgets import MAX_PAIRS
from analysis.formats.report import MAX_PLACES, Kind, LeftOut, Oddity, counted

Codes = npt.NDArray[np.integer]
Output = tuple[str, ...]
"""The systems that made one output."""

BAD_RANK = -99
"""Stands for a rank that cannot be read; such rows never leave a reader."""

NO_PAIR = languages.NO_PAIR
"""Name of the only language pair of a file that names no languages."""


_BLANKS = dict.fromkeys(map(ord, "\u00a0\u2007\u202f"), " ")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff"), "")
_SYSTEM_NUMBER = re.compile(r"system\d+number", re.IGNORECASE)
_HALF_LETTER = re.compile("[\ud800-\udfff]")
LARGEST = 1e100
"""From here on a number could not be squared."""

_FEW_NAMES = 1000
"""Names up to which each is looked at by itself."""
_LONGEST_EXAMPLE = 200
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def cleaned(name: str) -> str:
    """Return a name as all its spellings that look the same are written.

    Letters composed (NFC), no-break blanks as blanks, no blanks around it, no letters without
    width; half a letter (a surrogate left alone where a text was cut) becomes the mark for that.

    >>> cleaned("a\N{NO-BREAK SPACE}b\N{ZERO WIDTH SPACE} "), cleaned("e\N{COMBINING ACUTE ACCENT}")
    ('a b', 'é')
    """
    if not name.isascii():
        name = _HALF_LETTER.sub("\ufffd", name).translate(_BLANKS | _INVISIBLE)
        name = unicodedata.normalize("NFC", name)
    return name.strip()


def number(text: str) -> float:
    r"""Return a number in plain digits; nan for anything else, 1_000 and full-width digits too.

    What is too large to be squared is no number either.

    >>> number(" 2.0 "), number("1e3"), number("1_0"), number("３"), number("inf"), number("1e400")
    (2.0, 1000.0, nan, nan, nan, nan)
    >>> number("1\x1d")  # a blank to strip, none to float
    1.0
    """
    text = text.strip()
    value = float(text) if _NUMBER.fullmatch(text) else float("nan")
    return value if abs(value) < LARGEST else float("nan")


def numbers_of(texts: pa.Array | pa.ChunkedArray) -> FloatArray:
    """Return `number` of each text, all at once where each is a number or empty.

    >>> numbers_of(pa.array(["2.5", ""])).tolist(), numbers_of(pa.array(["2", "1_0"])).tolist()
    ([2.5, nan], [2.0, nan])
    """
    for empty_are_none in (False, True):
        try:
            filled = pc.if_else(pc.equal(texts, ""), None, texts) if empty_are_none else texts
            values = pc.cast(filled, pa.float64()).to_numpy(zero_copy_only=False)
            break
        except pa.ArrowException:
            continue
    else:
        values = np.array([number(text) for text in texts.to_pylist()], dtype=np.float64)
    return np.where(np.abs(values) < LARGEST, values, np.nan)


@dataclass(frozen=True)
class Column:
    """A column of text as codes into its distinct values, which may hold a value twice.

    ``is_clean``: it is known that all of them are `cleaned`, each once.
    """

    codes: Codes
    names: Sequence[str]
    is_clean: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: npt.NDArray[np.generic]) -> Column:
        if rows.dtype == bool and rows.all():
            return self
        return Column(self.codes[rows], self.names, self.is_clean)

    def narrowed(self) -> Column:
        """Return the column with codes in as few bytes as hold them."""
        return Column(smallest(self.codes), self.names, self.is_clean)

    def map(
        self, function: Callable[[str], float], dtype: npt.DTypeLike = np.int64
    ) -> npt.NDArray[Any]:
        """Return a number for every row, from its value."""
        numbers = np.array([function(name) for name in self.names], dtype=dtype)
        return numbers[self.codes] if len(numbers) else np.zeros(0, dtype)

    def numbers(self) -> FloatArray:
        """Return the number of every row, nan for what `number` calls none."""
        if len(self.names) < _FEW_NAMES:
            return self.map(number, np.float64)
        return numbers_of(pa.array(self.names, pa.string()))[self.codes]

    def cleaned(self, findings: Findings) -> Column:
        """Return the column with `cleaned` names, each once; findings get what was changed."""
        if self.is_clean:
            return self
        if _are_clean(self.names):
            return Column(self.codes, self.names, is_clean=True)
        names = [cleaned(name) for name in self.names]
        changed = [old for old, new in zip(self.names, names, strict=True) if old != new]
        findings.respelled.update(dict.fromkeys(changed))
        codes, unique = pd.factorize(np.array(names, dtype=object))
        if len(unique) == len(names):
            return Column(self.codes, names, is_clean=True)
        return Column(codes.astype(np.int32)[self.codes], unique.tolist(), is_clean=True)

    @classmethod
    def constant(cls, name: str, n: int) -> Column:
        return cls(np.zeros(n, dtype=np.int16), (name,))


def _are_clean(names: Sequence[str]) -> bool:
    """Return whether names, all of them different, hold neither blanks nor other than ASCII."""
    together = "\n".join(names)
    if not together.isascii() or len(together.split()) != len(names):
        return False
    return together.count("\n") == len(names) - 1 and len(set(names)) == len(names)


def combine(columns: Sequence[Column], join: Callable[..., str]) -> Column:
    """Return one column whose values are made of those of several, row by row."""
    sizes = [max(len(column.names), 1) for column in columns]
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        key = key * size + column.codes
    n_combinations = math.prod(sizes)
    codes: Codes
    if n_combinations <= len(key):
        used = np.flatnonzero(np.bincount(key, minlength=n_combinations)).astype(np.int64)
        place = np.zeros(n_combinations, dtype=np.int64)
        place[used] = np.arange(len(used))
        codes = place[key]
    else:
        used, codes = np.unique(key, return_inverse=True)
    parts = []
    for column, size in zip(reversed(columns), reversed(sizes), strict=True):
        parts.append([column.names[code] for code in (used % size).tolist()])
        used = used // size
    names = [join(*values) for values in zip(*reversed(parts), strict=True)]
    return Column(codes.astype(np.int32), names)


def joint(*columns: Codes) -> Codes:
    """Return one number for each combination of values, the same for the same ones."""
    key, n = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        size = int(column.max(initial=0)) + 1
        if n * size >= 2**62:
            key = pd.factorize(key)[0].astype(np.int64)
            n = len(key) + 1
        key = key * size + column
        n *= size
    return key


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
    value = number(text)
    if value == -1:
        return UNRANKED
    return int(value) if 0 < value < 2**15 and value == int(value) else BAD_RANK


@dataclass
class Findings:
    """What one reader leaves out of one file or finds odd in it.

    ``n_unparsed`` rows never became rows of a table. ``place_of`` turns row numbers from 0 into
    the file's own line or record numbers; it is called only where something is reported.
    ``settle`` returns another one that needs no text, where there is one. A row is left out for its
    first reason only. ``respelled`` are the values that `cleaned` changed. ``n_bytes`` is the size
    of the file as it was given, which budgets look at; a vote that is only counted weighs one.
    """

    file: str = ""
    n_bytes: int = MAX_PAIRS
    unit: str = "row"
    place: str = "line"
    n_unparsed: int = 0
    place_of: Callable[[Codes], Codes] = lambda rows: rows + 1
    settle: Callable[[], Callable[[Codes], Codes] | None] = lambda: None
    left_out: list[LeftOut] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)
    respelled: dict[str, None] = field(default_factory=dict)
    _gone: list[Codes] = field(default_factory=list)

    def let_go_of_text(self) -> None:
        """Hold the file's text no longer, where rows can be placed without it."""
        self.place_of = self.settle() or self.place_of
        self.settle = lambda: None

    def renumber(self, rows: Codes) -> None:
        """Take row ``k`` from now on for the present row ``rows[k]``; the table was made anew."""
        before = self.place_of
        self.place_of, self.settle = lambda wanted: before(rows[wanted]), lambda: None
        self._gone = []

    def begin_again(self) -> None:
        """Forget what a reader found that could not read the file after all."""
        self.left_out, self._gone, self.n_unparsed = [], [], 0
        of_reader = ("unused-columns", "no-judges", "no-questions")
        self.oddities = [oddity for oddity in self.oddities if oddity.kind not in of_reader]

    def copied(self) -> Findings:
        """Return findings of the same file that get what another criterion's rows are."""
        return replace(
            self, left_out=[*self.left_out], oddities=[*self.oddities], _gone=[*self._gone]
        )

    def leave_out(self, reason: str, rows: Codes, detail: Callable[[int], str]) -> None:
        """Count rows of the table under a reason; ``detail`` tells what is wrong with a row."""
        for gone in self._gone if len(rows) else ():
            rows = rows[~np.isin(rows, gone, kind="table")]
        if len(rows):
            self._gone.append(rows)
        self._report(reason, rows, self.place_of, detail)

    def leave_out_unparsed(
        self, reason: str, places: Codes, n: int, detail: Callable[[int], str]
    ) -> None:
        """Count what never became rows of the table; ``places`` are lines or record numbers."""
        self.n_unparsed += n
        self._report(reason, np.arange(n), lambda rows: places[rows[rows < len(places)]], detail)

    def _report(
        self,
        reason: str,
        rows: Codes,
        place_of: Callable[[Codes], Codes],
        detail: Callable[[int], str],
    ) -> None:
        if not len(rows):
            return
        places = tuple(int(p) for p in place_of(np.asarray(rows[:MAX_PLACES])))
        example = detail(int(rows[0]))
        if len(example) > _LONGEST_EXAMPLE:
            example = f"{example[:_LONGEST_EXAMPLE]} …"
        if places:
            example = f"{self.place} {places[0]}, {example}"
        self.left_out.append(
            LeftOut(reason, len(rows), places, example, unit=self.unit, place=self.place)
        )

    def places(self, rows: Codes) -> tuple[int, ...]:
        return tuple(int(p) for p in self.place_of(np.asarray(rows[:MAX_PLACES])))

    def note(self, kind: str, sentence: str, n: int = 0, rows: Codes | None = None) -> None:
        """Note what is odd or was decided; ``rows`` of the table show it."""
        self.oddities.append(Oddity(kind, sentence, n, () if rows is None else self.places(rows)))

    def note_columns_twice(self, names: Sequence[str]) -> None:
        """Note columns whose names are equal but for case and blanks: the first one is read."""
        seen: set[str] = set()
        twice = []
        for name in names:
            key = name.strip().casefold()
            twice += [name] if key and key in seen else []
            seen.add(key)
        if twice:
            shown = ", ".join(dict.fromkeys(name.strip()[:40] for name in twice[:5]))
            self.note(
                "columns-twice",
                f"More than one column is called {shown}; the first was read.",
                len(twice),
            )

    def note_unused(self, names: Sequence[str], wanted: Sequence[str]) -> None:
        """Note columns that nobody asks for; empty names, and mere numbers of systems, aside."""
        known = {key.casefold() for key in wanted}
        unused = [
            name
            for name in dict.fromkeys(name.strip() for name in names)
            if name and name.casefold() not in known and not _SYSTEM_NUMBER.fullmatch(name)
        ]
        if unused:
            shown = ", ".join(name[:40] for name in unused[:8]) + (", …" if unused[8:] else "")
            n = len(unused)
            self.note("unused-columns", f"{counted(n, 'column')} not used: {shown}.", n)

    def note_respelled(self) -> None:
        """Note which values were read in another spelling than the file's, with an example."""
        seen = (text for text in self.respelled if text[:60] != cleaned(text)[:60])
        if first := next(seen, ""):
            n = len(self.respelled)
            words = "cleaned of outer blanks, invisible letters and split accents; the first is"
            self.note(
                "respelled", f"{counted(n, 'value')} {words} read as “{cleaned(first)[:60]}”.", n
            )


@dataclass(frozen=True)
class Rankings:
    """The rankings of one file: columns a task, and columns an entry.

    Task ``t`` has the entries ``start[t]:start[t+1]``. ``row`` is the task's (first) row in the
    file. ``kind`` says what the file holds, ``systems_in`` where it names its systems.
    ``attributes`` are columns beside the judgments, a word or a number for every task;
    ``output_attributes`` have a number for every entry. Assembly finds out whether a task's column
    is about segments, judges or tasks. ``texts`` are what judges read. ``users`` are the names of
    real people by first appearance, where the file may hold them.
    """

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
    users: tuple[str, ...] | None = None
    systems_in: str = "the columns of systems"
    attributes: Mapping[str, Column | npt.NDArray[np.float64]] = field(default_factory=dict)
    output_attributes: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    texts: Texts | None = None
    kind: Kind = "rankings"
    format: str = ""
    format_name: str = ""

    def narrowed(self) -> Rankings:
        """Return the same with whole numbers in as few bytes as hold them."""
        return replace(
            self,
            pair=self.pair.narrowed(),
            segment=self.segment.narrowed(),
            judge=self.judge.narrowed(),
            start=smallest(self.start, np.int32),
            output=smallest(self.output),
            rank=smallest(self.rank, np.int8),
            row=smallest(self.row, np.int32),
        )


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
        codes = distinct(left[either].astype(np.int64) * len(names) + right[either])
        for code in codes.tolist():
            a, b = divmod(code, len(names))
            if a != b and not set(split[a]).isdisjoint(split[b]):
                findings.note(
                    "plus",
                    f"{names[a]} was ranked against {names[b]}, so + is read as part of the "
                    "names here, not as a sign of identical outputs.",
                )
                return [(name,) for name in names]
    example = names[joined[0]]
    findings.note(
        "identical",
        f"{len(joined)} names such as {example} mean systems with identical output."
        if len(joined) > 1
        else f"{example} means systems with identical output.",
        len(joined),
    )
    return split


def split_name(name: str) -> Output:
    """Return the systems of a joined name.

    >>> split_name("a+b"), split_name("C++"), split_name("a+a")
    (('a', 'b'), ('C++',), ('a+a',))
    """
    parts = tuple(name.split("+"))
    return parts if all(parts) and len(set(parts)) == len(parts) else (name,)
