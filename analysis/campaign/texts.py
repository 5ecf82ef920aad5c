"""What judges read: the source and the outputs of each ranking task, kept small.

Texts are packed in blocks as they come, so that a campaign holds a fraction of its file; a task's
are unpacked when somebody looks at it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import IntArray

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
