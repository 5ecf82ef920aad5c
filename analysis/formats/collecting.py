"""Rankings collected one at a time, for files whose records hold one, several or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.campaign import UNNAMED_JUDGE
from analysis.formats import budgets
from analysis.formats.described import words_or_numbers
from analysis.formats.format import Content
from analysis.formats.rankings import NO_PAIR, Column, Rankings
from analysis.formats.report import Oddity, counted


@dataclass
class _Names:
    """A column under construction: codes into names by first appearance."""

    codes: list[int] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)

    def add(self, name: str) -> None:
        self.codes.append(self.known.setdefault(name, len(self.known)))

    def column(self) -> Column:
        return Column(np.array(self.codes, dtype=np.int32), list(self.known))


class Collector:
    """Takes rankings and reasons for leaving records out; gives `Rankings`.

    ``people``: judges may be called by their real names.
    """

    def __init__(self, content: Content, *, people: bool = False) -> None:
        self._content = content
        content.findings.unit = "record"
        self._people = people
        self._pair, self._segment, self._judge = _Names(), _Names(), _Names()
        self._outputs: dict[str, int] = {}
        self._output: list[int] = []
        self._rank: list[int] = []
        self._sizes: list[int] = []
        self._row: list[int] = []
        self._seconds: list[float] = []
        self._lengths: list[float] = []
        self._attributes: list[Mapping[str, str]] = []
        self._left_out: dict[str, list[tuple[int, str]]] = {}
        self._missed: list[tuple[int, str]] = []

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
        self._pair.add(pair)
        self._segment.add(segment or f"record {row + 1}")
        self._judge.add(judge or UNNAMED_JUDGE)
        self._sizes.append(len(outputs))
        self._row.append(row)
        self._seconds.append(seconds)
        self._rank += ranks
        self._output += [self._outputs.setdefault(name, len(self._outputs)) for name in outputs]
        self._lengths += list(characters) or [float("nan")] * len(outputs)
        self._attributes.append(attributes or {})

    def leave_out(self, reason: str, row: int, detail: str) -> None:
        """Count a record under a reason; ``detail`` says what is wrong with it."""
        self._left_out.setdefault(reason, []).append((row, detail))

    def miss(self, row: int, what: str) -> None:
        """Count an answer that gives no ranking, in a record that may give others."""
        self._missed.append((row, what))

    def note(self, kind: str, sentence: str, n: int = 0) -> None:
        """Say what is odd or was decided."""
        self._content.findings.oddities.append(Oddity(kind, sentence, n))

    def rankings(self, n_rows: int, systems_in: str) -> Rankings:
        """Return all of it; ``systems_in`` says where the file names its systems."""
        findings = self._content.findings
        for reason, rows in self._left_out.items():
            details = dict(rows)
            findings.leave_out(
                reason, np.array(sorted(details), dtype=np.int64), details.__getitem__
            )
        self._note_missed()
        budgets.check_systems(len(self._outputs), self._content.where, systems_in)
        judge = self._judge.column()
        copies_matter = set(judge.names) != {UNNAMED_JUDGE}
        if not copies_matter:
            self.note(
                "no-judges",
                "The file names no judges; all votes count as one judge's, and agreement between "
                "judges cannot be told.",
            )
        lengths = np.array(self._lengths, dtype=np.float64)
        return Rankings(
            n_rows=n_rows,
            pair=self._pair.column(),
            segment=self._segment.column(),
            judge=judge,
            start=np.concatenate([[0], np.cumsum(self._sizes, dtype=np.int64)]).astype(np.int64),
            output=np.array(self._output, dtype=np.int64),
            outputs=[(name,) for name in self._outputs],
            rank=np.array(self._rank, dtype=np.int16),
            row=np.array(self._row, dtype=np.int64),
            kind="votes" if set(self._sizes) <= {2} else "rankings",
            findings=findings,
            seconds=np.array(self._seconds, dtype=np.float32),
            copies_matter=copies_matter,
            users=tuple(judge.names) if self._people and copies_matter else None,
            systems_in=systems_in,
            attributes=self._columns(),
            output_attributes={"characters": lengths} if np.isfinite(lengths).any() else {},
        )

    def _note_missed(self) -> None:
        """Say how many answers gave no ranking, beside the records that are left out whole."""
        gone = {row for rows in self._left_out.values() for row, _ in rows}
        missed = Counter(what for row, what in self._missed if row not in gone)
        if missed:
            told = ", ".join(f"{n} {what}" for what, n in missed.items())
            self.note(
                "answers-missed",
                f"{counted(missed.total(), 'answer')} not counted, in records with others that "
                f"were: {told}.",
                missed.total(),
            )

    def _columns(self) -> dict[str, Column | np.ndarray]:
        names = dict.fromkeys(name for one in self._attributes for name in one)
        columns = {}
        for name in names:
            column = _Names()
            for one in self._attributes:
                column.add(one.get(name, ""))
            columns[name] = words_or_numbers(column.column())
        return columns


def ranks_of_vote(outcome: int) -> tuple[int, int]:
    """Return the ranks of two outputs of which the first won (1), tied (0) or lost (-1).

    >>> ranks_of_vote(1), ranks_of_vote(0), ranks_of_vote(-1)
    ((1, 2), (1, 1), (2, 1))
    """
    return (1 + (outcome < 0), 1 + (outcome > 0))
