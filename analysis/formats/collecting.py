"""Rankings collected one at a time, for files whose records hold one, several or none."""

from __future__ import annotations

import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, distinct
from analysis.formats import budgets
from analysis.formats.arena import PROMPT, QUESTION
from analysis.formats.content import Content
from analysis.formats.described import one_judge, words_or_numbers
from analysis.formats.file_names import named_by_text
from analysis.formats.nested import first_text
from analysis.formats.rankings import NO_PAIR, Column, Rankings
from analysis.formats.report import counted

_DETAILS = 20
"""Records of a reason whose details are kept, to tell one of them."""


class _Names:
    """A column under construction: codes into names by first appearance."""

    def __init__(self, before: int = 0) -> None:
        self.codes = array.array("i", bytes(4 * before))
        self.known: dict[str, int] = {"": 0} if before else {}

    def add(self, name: str) -> None:
        self.codes.append(self.known.setdefault(name, len(self.known)))

    def column(self) -> Column:
        return Column(np.frombuffer(self.codes, dtype=np.int32), list(self.known))


class _Rows:
    """Records under one reason, and what is wrong with the first of them."""

    def __init__(self) -> None:
        self.rows = array.array("q")
        self.details: dict[int, str] = {}

    def add(self, row: int, detail: str) -> None:
        self.rows.append(row)
        if len(self.details) < _DETAILS:
            self.details[row] = detail

    def detail(self, row: int) -> str:
        return self.details.get(row, "")


class Collector:
    """Takes rankings and reasons for leaving records out; gives `Rankings`.

    ``people``: judges may be called by their real names. All grows in arrays, so that a ranking
    takes tens of bytes while the file is read.
    """

    def __init__(self, content: Content, *, people: bool = False) -> None:
        self._content = content
        content.findings.unit = "record"
        self._people = people
        self._pair, self._segment, self._judge = _Names(), _Names(), _Names()
        self._outputs: dict[str, int] = {}
        self._output = array.array("i")
        self._rank = array.array("h")
        self._sizes = array.array("i")
        self._row = array.array("q")
        self._seconds = array.array("f")
        self._lengths: array.array[float] | None = None
        self._attributes: dict[str, _Names] = {}
        self._left_out: dict[str, _Rows] = {}
        self._missed: dict[str, _Rows] = {}

    def __len__(self) -> int:
        return len(self._sizes)

    def add(
        self,
        row: int,
        outputs: Sequence[str],
        ranks: Sequence[int],
        *,
        segment: str,
        judge: str = "",
        pair: str = NO_PAIR,
        seconds: float = float("nan"),
        characters: Sequence[float] = (),
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """Add a ranking of ``outputs``, in the order in which they were shown, by ``ranks``.

        ``characters`` are the lengths of the outputs.
        """
        self._describe(attributes or {})
        if characters and self._lengths is None:
            self._lengths = array.array("f", [float("nan")]) * len(self._output)
        if self._lengths is not None:
            self._lengths.extend(characters or [float("nan")] * len(outputs))
        self._pair.add(pair)
        self._segment.add(segment or f"record {row + 1}")
        self._judge.add(judge or UNNAMED_JUDGE)
        self._sizes.append(len(outputs))
        self._row.append(row)
        self._seconds.append(seconds)
        self._rank.extend(ranks)
        known = self._outputs
        self._output.extend([known.setdefault(name, len(known)) for name in outputs])

    def _describe(self, attributes: Mapping[str, str]) -> None:
        for name in attributes:
            if name not in self._attributes:
                self._attributes[name] = _Names(before=len(self))
        for name, column in self._attributes.items():
            column.add(attributes.get(name, ""))

    def leave_out(self, reason: str, row: int, detail: str) -> None:
        """Count a record under a reason; ``detail`` says what is wrong with it."""
        self._left_out.setdefault(reason, _Rows()).add(row, detail)

    def miss(self, row: int, what: str) -> None:
        """Count an answer that gives no ranking, in a record that may give others."""
        self._missed.setdefault(what, _Rows()).add(row, "")

    def note(self, kind: str, sentence: str, n: int = 0) -> None:
        """Say what is odd or was decided."""
        self._content.findings.note(kind, sentence, n)

    def rankings(self, n_rows: int, systems_in: str) -> Rankings:
        """Return all of it; ``systems_in`` says where the file names its systems."""
        findings = self._content.findings
        for reason, left in self._left_out.items():
            findings.leave_out(reason, distinct(np.frombuffer(left.rows, np.int64)), left.detail)
        self._note_missed()
        budgets.check_systems(len(self._outputs), self._content.where, systems_in)
        judge = self._judge.column()
        has_judges = set(judge.names) != {UNNAMED_JUDGE}
        if not has_judges:
            one_judge(findings, 0)
        lengths = np.array(self._lengths or (), dtype=np.float64)
        return Rankings(
            n_rows=n_rows,
            pair=self._pair.column(),
            segment=self._segment.column(),
            judge=judge,
            start=np.concatenate([[0], np.cumsum(self._sizes, dtype=np.int64)]).astype(np.int64),
            output=np.frombuffer(self._output, dtype=np.int32),
            outputs=[(name,) for name in self._outputs],
            rank=np.frombuffer(self._rank, dtype=np.int16),
            row=np.frombuffer(self._row, dtype=np.int64),
            kind="votes" if set(self._sizes) <= {2} else "rankings",
            findings=findings,
            seconds=np.frombuffer(self._seconds, dtype=np.float32),
            users=tuple(judge.names) if self._people and has_judges else None,
            systems_in=systems_in,
            attributes=self._columns(),
            output_attributes={"characters": lengths} if np.isfinite(lengths).any() else {},
        )

    def _note_missed(self) -> None:
        """Say how many answers gave no ranking, beside the records that are left out whole."""
        gone = np.concatenate(
            [
                np.zeros(0, np.int64),
                *(np.frombuffer(r.rows, np.int64) for r in self._left_out.values()),
            ]
        )
        missed = {
            what: int((~np.isin(np.frombuffer(rows.rows, np.int64), gone)).sum())
            for what, rows in self._missed.items()
        }
        n = sum(missed.values())
        if n:
            told = ", ".join(f"{own} {what}" for what, own in missed.items() if own)
            self.note(
                "answers-missed",
                f"{counted(n, 'answer')} not used, in records with other answers that were: "
                f"{told}.",
                n,
            )

    def _columns(self) -> dict[str, Column | np.ndarray]:
        return {name: words_or_numbers(names.column()) for name, names in self._attributes.items()}


def segment_of(data: Mapping[str, Any], record: Mapping[str, Any], ids: Sequence[str]) -> str:
    """Return what a record is about: its question's id, its text, or the record's own id."""
    text = first_text(data, PROMPT)
    named = named_by_text(text) if text else ""
    return first_text(data, QUESTION) or named or first_text(record, ids)


def ranks_of_vote(outcome: int) -> tuple[int, int]:
    """Return the ranks of two outputs of which the first won (1), tied (0) or lost (-1).

    >>> ranks_of_vote(1), ranks_of_vote(0), ranks_of_vote(-1)
    ((1, 2), (1, 1), (2, 1))
    """
    return (1 + (outcome < 0), 1 + (outcome > 0))
