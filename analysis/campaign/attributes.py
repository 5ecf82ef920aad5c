"""What a file says about its segments, systems, judges and ranking tasks beside the judgments.

The domain of a segment, the language of a conversation, the experience of a judge, the length of an
output: none says who is better, all may tell where who is better.

Texts of sources and outputs are packed in blocks as they come, so that a campaign holds a fraction
of its file; a task's are unpacked when somebody looks at it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import FloatArray, IntArray, make_read_only

About = Literal["segment", "system", "judge", "task", "output"]
"""Whom an attribute describes; ``output`` is one output as one task showed it."""


@dataclass(frozen=True, eq=False)
class Attribute:
    """One column about segments, systems, judges, tasks or outputs: a word or a number for each.

    Segments, systems and judges are in the order of the campaign's names, tasks and shown outputs
    in that of its columns. A word's ``codes`` are into ``names``, -1 where it is unknown; a
    number's ``values`` are nan there. Exactly one of the two is given.
    """

    name: str
    about: About
    codes: IntArray | None = None
    names: tuple[str, ...] = ()
    values: FloatArray | None = None

    def __post_init__(self) -> None:
        assert (self.codes is None) != (self.values is None)
        make_read_only((self.codes, self.values))

    def __len__(self) -> int:
        return len(self.column)

    @property
    def column(self) -> npt.NDArray[np.generic]:
        """The codes of the words, or the numbers."""
        column = self.codes if self.codes is not None else self.values
        assert column is not None
        return column

    @property
    def is_number(self) -> bool:
        return self.values is not None

    @property
    def is_known(self) -> npt.NDArray[np.bool_]:
        """Whether there is a word or a number, for each."""
        if self.codes is not None:
            return np.asarray(self.codes >= 0)
        assert self.values is not None
        return np.isfinite(self.values)

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest number."""
        assert self.values is not None
        return float(np.nanmin(self.values)), float(np.nanmax(self.values))

    def take(self, who: IntArray, about: About) -> Attribute:
        """Return the column of some of those it describes, as a column about others.

        So a segment's domain becomes the domain of the tasks on it.
        """
        if self.codes is not None:
            return Attribute(self.name, about, codes=self.codes[who], names=self.names)
        assert self.values is not None
        return Attribute(self.name, about, values=self.values[who])

    def update(self, digest: hashlib._Hash, order: IntArray) -> None:
        """Feed the column to a digest, those it describes in the order given, words by name."""
        digest.update(f"\0{self.name}\0{self.about}\0".encode())
        if self.values is not None:
            digest.update(self.values[order].astype("<f8").tobytes())
            return
        assert self.codes is not None
        place = np.zeros(len(self.names) + 1, dtype="<i4")
        place[np.argsort(np.array(self.names, dtype=object))] = np.arange(len(self.names))
        place[-1] = -1
        digest.update("\0".join(sorted(self.names)).encode())
        digest.update(place[self.codes[order]].tobytes())


BLOCK = 64
"""Tasks whose texts are packed together: alike sources then take little."""
LONGEST = 20_000
"""Characters of a text that are kept."""


@dataclass(frozen=True, eq=False)
class Texts:
    """Packed texts; those of task ``t`` stand at ``row[t]``, -1 where there are none."""

    blocks: tuple[bytes, ...]
    row: IntArray

    @classmethod
    def packed(cls, texts: Iterable[Sequence[str]]) -> Texts | None:
        """Pack the texts of tasks in order: the source first, then the outputs as displayed.

        None where all are empty.
        """
        blocks: list[bytes] = []
        block: list[list[str]] = []
        n, any_text = 0, False
        for own in texts:
            n += 1
            block.append([text[:LONGEST] for text in own])
            any_text = any_text or any(text.strip() for text in own)
            if len(block) == BLOCK:
                blocks.append(_pack(block))
                block = []
        if block:
            blocks.append(_pack(block))
        return cls(tuple(blocks), np.arange(n, dtype=np.int32)) if any_text else None

    def of(self, task: int) -> tuple[str, ...]:
        """Return the source and the outputs of a task; nothing where the file has none.

        >>> texts = Texts.packed([("source", "one", "other")])
        >>> texts.of(0)
        ('source', 'one', 'other')
        """
        row = int(self.row[task])
        if row < 0:
            return ()
        block = json.loads(zlib.decompress(self.blocks[row // BLOCK]))
        return tuple(block[row % BLOCK])

    def take(self, tasks: npt.NDArray[np.generic]) -> Texts:
        return Texts(self.blocks, self.row[tasks])


def joined(parts: Sequence[tuple[int, Texts | None]]) -> Texts | None:
    """Return the texts of several files, each with its number of tasks, one after the other."""
    if all(texts is None for _, texts in parts):
        return None
    blocks: list[bytes] = []
    rows = []
    for n, texts in parts:
        if texts is None:
            rows.append(np.full(n, -1, dtype=np.int32))
            continue
        moved = texts.row + BLOCK * len(blocks)
        rows.append(np.where(texts.row < 0, -1, moved).astype(np.int32))
        blocks += texts.blocks
    return Texts(tuple(blocks), np.concatenate(rows))


def _pack(block: list[list[str]]) -> bytes:
    return zlib.compress(json.dumps(block).encode())
