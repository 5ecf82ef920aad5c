"""Scores as a file holds them, in columns, before they become a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import FloatArray
from analysis.campaign.scores import Checks, ErrorSpans, Scale
from analysis.formats.described import take
from analysis.formats.rankings import Codes, Column, Findings


@dataclass(frozen=True)
class Scored:
    """The scores of one file, one row a scored output.

    ``row`` is the row of the file that holds it (of an export with a row an error: the first).
    ``screen`` tells apart what one judge saw at different times; without it, a judge's scores of
    one segment stood on one screen. ``standardized`` are the values as the file standardized them
    by judge, where it has both. ``attributes`` are columns beside the scores, a word or a number
    for every row. ``users`` are the names of real people by first appearance. ``checks`` are
    scores that count for no system; their judges and pairs are spelled as in the columns here.
    """

    n_rows: int
    scale: Scale
    pair: Column
    system: Column
    segment: Column
    judge: Column
    value: FloatArray
    row: Codes
    findings: Findings
    screen: Codes | None = None
    document: Column | None = None
    domain: Column | None = None
    seconds: FloatArray | None = None
    errors: ErrorSpans | None = None
    standardized: FloatArray | None = None
    checks: Checks | None = None
    attributes: Mapping[str, Column | FloatArray] = field(default_factory=dict)
    users: tuple[str, ...] | None = None
    format: str = ""
    format_name: str = ""

    def narrowed(self) -> Scored:
        """Return the scores as they are."""
        return self

    def take(self, keep: npt.NDArray[np.bool_]) -> Scored:
        """Leave out scores; checks stay."""
        if keep.all():
            return self

        def of(column: npt.NDArray[Any] | None) -> npt.NDArray[Any] | None:
            return None if column is None else column[keep]

        errors = self.errors
        return replace(
            self,
            pair=self.pair.take(keep),
            system=self.system.take(keep),
            segment=self.segment.take(keep),
            judge=self.judge.take(keep),
            value=self.value[keep],
            row=self.row[keep],
            screen=of(self.screen),
            document=None if self.document is None else self.document.take(keep),
            domain=None if self.domain is None else self.domain.take(keep),
            seconds=of(self.seconds),
            standardized=of(self.standardized),
            attributes=take(self.attributes, keep),
            errors=None if errors is None else errors.take(np.flatnonzero(keep), len(keep)),
        )
