"""What the columns of a table contain: systems, words of winners, numbers, times, texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.formats.mapping.guess import names
from analysis.formats.mapping.preview import Preview
from analysis.formats.mapping.winners import meaning
from analysis.formats.rankings import number

MOST_SYSTEMS = 1000
LONG_TEXT = 80
_MANY_WORDS = 9
_YES = frozenset(
    names.listed(
        "yes no true false y n t f none null nan n/a na unknown ok response agree disagree male "
        "female other"
    )
)
_ERRORS = re.compile(
    r"no[- ]?error|minor|major|critical|neutral|trivial|(accuracy|fluency|style|terminology|other|"
    r"locale[\w ]*|source[\w ]*|mistranslation|omission|addition|grammar|punctuation|spelling)"
    r"(/.*)?",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|\w{3} \w{3} \d.*\d{4}|\d{1,2}:\d{2}(:\d{2})?.*"
)
_JUDGES = re.compile(
    r"(judge|annotator|rater|worker|evaluator|reviewer|expert|participant|listener|turker)s?"
    r"[ _-]?(\d+|[a-z])?",
    re.IGNORECASE,
)
_HASH = re.compile(r"[0-9a-f]{16,}|[A-Z0-9]{20,}|[0-9a-f-]{30,}|[A-Za-z0-9]{21,22}")


class Codes(dict[str, npt.NDArray[np.int64]]):
    """The place among a column's values of each row's, found when it is first asked for."""

    def __init__(self, looks: Looks) -> None:
        super().__init__()
        self._looks = looks

    def __missing__(self, column: str) -> npt.NDArray[np.int64]:
        place = {text: k for k, text in enumerate(self._looks.known(column))}
        texts = self._looks.table.values[column]
        self[column] = np.fromiter((place.get(text, -1) for text in texts), np.int64, len(texts))
        return self[column]


class Looks:
    """What each column of the first rows looks like; everything is found once."""

    def __init__(self, table: Preview) -> None:
        self.table = table
        self.columns = table.columns
        self.n = len(table)
        self._known: dict[str, list[str]] = {}

    @cached_property
    def codes(self) -> Codes:
        """Each row's value as a number, -1 if it is empty, by column."""
        return Codes(self)

    @cached_property
    def of_sides(self) -> frozenset[str]:
        """The columns whose names differ from another one's in the side only."""
        return frozenset(c for one, other, *_ in names.sides(self.columns) for c in (one, other))

    def known(self, column: str) -> list[str]:
        """Return the values of a column, by how often they come."""
        if column not in self._known:
            self._known[column] = self.table.known(column)
        return self._known[column]

    def usual(self, column: str) -> list[str]:
        """Return the values of a column without those that hardly ever come."""
        known, codes = self.known(column), self.codes[column]
        codes = codes[codes >= 0]
        if len(codes) < 50 or len(known) > 40:
            return known
        counts = np.bincount(codes)
        return known[: int((counts > 0.02 * len(codes)).sum())] or known

    def n_known(self, column: str) -> int:
        return len(self.known(column))

    def filled(self, column: str) -> float:
        """Return the share of rows that have a value."""
        return float((self.codes[column] >= 0).mean()) if self.n else 0.0

    def is_number(self, column: str) -> bool:
        return column in self.table.numeric

    def numbers(self, column: str) -> npt.NDArray[np.float64]:
        """Return the different numbers of a column."""
        return np.array([number(text) for text in self.known(column)])

    def row_numbers(self, column: str) -> npt.NDArray[np.float64]:
        """Return the number of each row, nan without one."""
        return np.append(self.numbers(column), np.nan)[self.codes[column]]

    def is_short(self, column: str) -> bool:
        """Return whether all values are as short as names are."""
        known = self.known(column)
        if not known or max(map(len, known)) > LONG_TEXT:
            return False
        return bool(np.mean([len(text.split()) for text in known[:200]]) <= _MANY_WORDS)

    def is_date(self, column: str) -> bool:
        known = self.known(column)[:20]
        return bool(known) and all(map(_DATE.fullmatch, known))

    def is_opaque(self, column: str) -> bool:
        """Return whether values are identifiers that nobody reads."""
        known = self.known(column)[:20]
        return bool(known) and sum(map(bool, map(_HASH.fullmatch, known))) > 0.8 * len(known)

    def why_not_systems(self, known: list[str], is_named: bool) -> str:
        """Return why words cannot be the names of systems; an empty text if they can."""
        folded = {word.casefold() for word in known}
        if len(known) < 2:
            return "there are not two"
        if folded <= _YES or folded <= {"0", "1"}:
            return "they are yes-or-no words"
        if len(known) > MOST_SYSTEMS or (self.n > 20 and len(known) > self.n / 2):
            return "there are more than half as many as rows"
        if (
            max(map(len, known)) > LONG_TEXT
            or np.mean([len(w.split()) for w in known]) > _MANY_WORDS
        ):
            return "they are long texts"
        if not is_named and all(number(word) == number(word) for word in known):
            return "they are numbers"
        if sum(map(bool, map(_ERRORS.fullmatch, known))) > 0.5 * len(known):
            return "they are categories of errors"
        if all(map(_JUDGES.fullmatch, known)):
            return "they are judges"
        if all(map(_DATE.fullmatch, known[:20])):
            return "they are dates"
        if all(meaning(word) is not None for word in known):
            return "they are words of winners"
        if not is_named and sum(map(bool, map(_HASH.fullmatch, known))) > 0.5 * len(known):
            return "they are identifiers"
        return ""

    def crossing(self, one: str, other: str, within: str = "") -> float:
        """Return the share of rows whose value in ``one`` has two values in ``other`` or more.

        ``within`` names a column within whose values that has to be so.
        """
        pairs = pd.DataFrame({name: self.codes[name] for name in {one, other, within or one}})
        pairs = pairs[(pairs[[one, other]] >= 0).all(axis=1)]
        if pairs.empty:
            return 0.0
        several = pairs.groupby([one, within or one])[other].transform("nunique") > 1
        return float(several.mean())

    def groups(self, column: str, segment: str, system: str) -> bool:
        """Return whether each segment lies in one group, or is numbered within its group."""
        if self.fixes(segment, column):
            return True
        within = self.crossing(segment, system, column)
        return within >= 0.95 * self.crossing(segment, system)

    def repeated(self, columns: list[str]) -> float:
        """Return the share of rows that repeat an earlier one in some columns."""
        frame = pd.DataFrame({name: self.codes[name] for name in dict.fromkeys(columns)})
        return float(frame.duplicated().mean()) if len(frame) else 0.0

    def fixes(self, one: str, other: str) -> bool:
        """Return whether a value in ``one`` always comes with the same one in ``other``."""
        pairs = pd.DataFrame({"a": self.codes[one], "b": self.codes[other]}).drop_duplicates()
        return not pairs["a"].duplicated().any()

    def is_criteria(self, column: str) -> bool:
        """Return whether a column's values are the names of criteria."""
        known = self.known(column)
        if not 2 <= len(known) <= 30 or max(len(text.split()) for text in known) > 3:
            return False
        return all(map(names.is_criterion, known))

    def may_name_criteria(self, column: str, items: list[str]) -> bool:
        """Return whether a column is called as those of criteria and has a few short names.

        A category is one if each of some ``items`` has several and one is called as a criterion.
        """
        if self.is_number(column) or not 2 <= self.n_known(column) <= 20:
            return False
        is_one = names.strength(column, names.CRITERION) > 0
        if names.core_of(column) == ("category",) and any(
            map(names.is_criterion, self.known(column))
        ):
            is_one = any(self.crossing(item, column) == 1 for item in items)
        return is_one and self.is_short(column)


_FEW = 30


def cutting_columns(table: Preview, used: Iterable[str]) -> tuple[str, ...]:
    """Return the columns by which results can be cut, without those that have another use."""
    looks = Looks(table)
    used = set(used)
    return tuple(c for c in table.columns if c not in used and _cuts(looks, c))


def _cuts(looks: Looks, column: str) -> bool:
    """Return whether results can be cut by a column: few words, or numbers."""
    known, words = looks.known(column), names.words_of(column)
    if len(known) < 2 or words[-1:] == ("id",):
        return False
    if looks.is_number(column) and {*words[:1]} & {"column", "unnamed", "index"}:
        return False  # numbers of rows
    if looks.is_number(column):
        return len(known) < looks.n or len(known) <= _FEW
    return len(known) <= min(_FEW, max(looks.n // 2, 2)) and max(map(len, known)) <= 60
