"""A table as a paper prints it, in no language yet: cells, rules, a caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """What stands in a cell: text, perhaps bold, perhaps with a raised mark behind it."""

    text: str
    bold: bool = False
    mark: str = ""

    def __len__(self) -> int:
        return len(self.text) + len(self.mark)


@dataclass(frozen=True)
class PaperTable:
    """A table for a paper; ``kind`` says what it is, ``pair`` of which language pair.

    ``caption`` is the sentence above it.

    ``align`` has ``l``, ``c`` or ``r`` for every column. A rule stands before each row whose index
    is in ``rules``.
    """

    kind: str
    pair: str
    caption: str
    heads: tuple[str, ...]
    align: str
    rows: tuple[tuple[Cell, ...], ...]
    rules: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        widths = {len(self.heads), len(self.align), *map(len, self.rows)}
        if len(widths) != 1:
            raise ValueError(f"{self.kind}: rows of {sorted(widths)} cells")

    @property
    def name(self) -> str:
        """What a paper calls it in references."""
        return f"{self.kind}-{self.pair}" if self.pair else self.kind

    @property
    def width(self) -> int:
        """How many characters the widest line needs."""
        columns = zip(self.heads, *self.rows, strict=True)
        return sum(max(map(len, column)) + 2 for column in columns)


def cells(values: Sequence[str | Cell]) -> tuple[Cell, ...]:
    """Return a row; what is text already becomes a plain cell."""
    return tuple(value if isinstance(value, Cell) else Cell(value) for value in values)
