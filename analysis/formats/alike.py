"""Texts that are alike but for whole numbers, as a program writes them a million times.

What stands around the numbers is read once for all texts of a kind, instead of once for each.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from analysis.campaign import IntArray
from analysis.kernel import kernel

MOST_DIGITS = 9
"""Digits that a number may have; a text with a longer one is a kind of its own."""

_QUOTED_OR_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|\d+')
_SEED = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)
_QUOTE, _BACKSLASH, _APOSTROPHE, _ZERO, _NINE = (ord(sign) for sign in "\"\\'09")
_BEFORE, _BEHIND = (np.frombuffer(signs, np.uint8) for signs in (b"[{:, ", b"]}:, "))


@dataclass(frozen=True)
class Alike:
    """Texts by kind: ``kind`` says of which one each is, ``examples`` have a text of every kind.

    Where a kind ``is_numbered``, number k of its example, from 0, is written as k; text t has
    ``numbers[first[t] + k]`` there. Texts of another kind are equal.
    """

    kind: IntArray
    examples: tuple[str, ...]
    is_numbered: npt.NDArray[np.bool_]
    numbers: IntArray
    first: IntArray

    @classmethod
    def equal(cls, texts: pa.ChunkedArray) -> Alike:
        """Put equal texts together."""
        codes, names = pd.factorize(np.array(texts.to_pylist(), dtype=object))
        none = np.zeros(len(names), dtype=bool)
        return cls(codes, tuple(names), none, np.zeros(1, np.int32), np.zeros_like(codes))

    @classmethod
    def but_for_numbers(cls, texts: pa.ChunkedArray) -> Alike:
        """Put texts together that differ in numbers only, those in quotation marks aside.

        >>> found = Alike.but_for_numbers(pa.chunked_array([['[7, "7"]', '[12, "7"]', "[1e3]"]]))
        >>> found.kind.tolist(), found.examples, found.numbers.tolist()
        ([0, 0, 1], ('[0, "7"]', '[1e3]'), [7, 12, 0])
        """
        hashes, is_numbered = np.zeros(len(texts), np.uint64), np.ones(len(texts), bool)
        n_numbers, numbers = np.zeros(len(texts), np.int64), []
        begin = 0
        for chunk in texts.chunks:
            own = slice(begin, begin + len(chunk))
            begin = own.stop
            ends = np.frombuffer(chunk.buffers()[1], np.int32)[chunk.offset :][: len(chunk) + 1]
            letters = np.frombuffer(chunk.buffers()[2] or b"", np.uint8)
            found = np.empty(len(letters) // 2 + 1, np.int32)
            n = _scan(ends, letters, hashes[own], is_numbered[own], n_numbers[own], found)
            numbers.append(found[:n].copy())
        hashes[~is_numbered] = np.flatnonzero(~is_numbered)
        kind, different = pd.factorize(hashes)
        example = np.zeros(len(different), dtype=np.int64)
        example[kind[::-1]] = np.arange(len(kind))[::-1]
        examples = texts.take(pa.array(example)).to_pylist()
        is_numbered = is_numbered[example]
        return cls(
            kind,
            tuple(
                _with_places(text) if numbered else text
                for text, numbered in zip(examples, is_numbered.tolist(), strict=True)
            ),
            is_numbered,
            np.concatenate([*numbers, np.zeros(1, np.int32)]),
            np.cumsum(n_numbers) - n_numbers,
        )


def _with_places(text: str) -> str:
    """Return a text with the place of each number for it, those in quotation marks aside.

    >>> _with_places('{"a1": 17, "b": [5]}')
    '{"a1": 0, "b": [1]}'
    """
    place = itertools.count()
    return _QUOTED_OR_NUMBER.sub(
        lambda found: found[0] if found[0].startswith('"') else str(next(place)), text
    )


@kernel
def _scan(ends, letters, hashes, is_numbered, n_numbers, numbers):  # type: ignore[no-untyped-def]
    """Hash each text without its numbers, and note these; return how many there are.

    A text is not numbered where a number is no plain whole one, or an apostrophe may quote.
    """
    n = 0
    for text in range(len(ends) - 1):
        h, is_quoted, begin, stop = _SEED, False, n, ends[text + 1]
        place = ends[text]
        while place < stop:
            sign = letters[place]
            if _ZERO <= sign <= _NINE and not is_quoted:
                value, first = 0, place
                while place < stop and _ZERO <= letters[place] <= _NINE:
                    value = 10 * value + letters[place] - _ZERO
                    place += 1
                n_digits = place - first
                if (
                    n_digits > MOST_DIGITS or (n_digits > 1 and sign == _ZERO)
                    or first == ends[text] or letters[first - 1] not in _BEFORE
                    or place == stop or letters[place] not in _BEHIND
                ):  # fmt: skip
                    is_numbered[text] = False
                    break
                numbers[n] = value
                n += 1
                sign = _ZERO
            else:
                place += 1
                if is_quoted and sign == _BACKSLASH and place < stop:
                    h = (h ^ np.uint64(sign)) * _PRIME
                    sign = letters[place]
                    place += 1
                elif sign == _QUOTE:
                    is_quoted = not is_quoted
                elif sign == _APOSTROPHE and not is_quoted:
                    is_numbered[text] = False
                    break
            h = (h ^ np.uint64(sign)) * _PRIME
        hashes[text] = h
        if not is_numbered[text]:
            n = begin
        n_numbers[text] = n - begin
    return n
