"""The columns of a table by the roles that a profile gives them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.campaign import UNNAMED_JUDGE, FloatArray
from analysis.formats.delimited import Table
from analysis.formats.described import (
    Described,
    one_judge,
    segments_alone,
    segments_within,
    words_or_numbers,
)
from analysis.formats.file_names import LONGEST_NAME, named_by_text
from analysis.formats.mapping.profile import Profile
from analysis.formats.rankings import NO_PAIR, Codes, Column, Findings, combine, pair_name

LONGEST = LONGEST_NAME
"""Letters of an item's name; a longer one is a text, and cut to a name of its own."""


class Columns:
    """The columns of a table by their roles."""

    def __init__(self, table: Table, profile: Profile, where: str) -> None:
        self.table, self.profile, self.where = table, profile, where
        self.n = table.n_rows
        self.findings: Findings = table.findings

    def named(self, name: str) -> Column:
        return self.table[name.strip().casefold()]

    def role(self, role: str) -> Column | None:
        name: str = getattr(self.profile, role)
        return self.named(name) if name else None

    def numbers(self, name: str) -> FloatArray:
        return self.named(name).numbers()

    def pair(self) -> Column:
        source, target, pair = self.role("source"), self.role("target"), self.role("pair")
        if source is not None and target is not None:
            return combine([source, target], pair_name)
        if pair is None:
            return Column.constant(NO_PAIR, self.n)
        return Column(pair.codes, [pair_name(name, "") for name in pair.names])

    def segment(self, task: Codes | None = None) -> Column:
        """Return what was judged; without a column every row, or task, is about its own."""
        column = self.role("segment")
        if column is not None:
            if max(map(len, column.names), default=0) > LONGEST:
                column = Column(column.codes, [named_by_text(name) for name in column.names])
            return segments_within(column, self.role("document"))
        return segments_alone(self.findings, np.arange(self.n) if task is None else task)

    def judge(self) -> Column:
        column = self.role("judge")
        if column is not None:
            return Column(column.codes, [name or UNNAMED_JUDGE for name in column.names])
        return one_judge(self.findings, self.n)

    def seconds(self) -> FloatArray | None:
        return self.numbers(self.profile.seconds) if self.profile.seconds else None

    def tasks(self) -> Codes:
        """Number the tasks of rows that are one output each: by judge, item, task and pair."""
        key = self.pair().codes.astype(np.int64)
        for role in ("task", "judge", "segment", "document"):
            column = self.role(role)
            if column is not None:
                key = pd.factorize(key * max(len(column.names), 1) + column.codes)[0]
        return pd.factorize(key)[0]

    def attributes(self) -> dict[str, Described]:
        """Return document, domain and all other columns about items and judges."""
        found: dict[str, Described] = {}
        for role in ("document", "domain"):
            column = self.role(role)
            if column is not None:
                found[role] = column
        for name in self.profile.attributes:
            found[name] = words_or_numbers(self.named(name))
        return found
