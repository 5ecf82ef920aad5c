"""Large JSON texts taken apart piece by piece, so that never all of one is Python's objects."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from analysis.errors import BrokenError

_WINDOW = 1 << 20
"""Bytes that are decoded at once; a piece that is longer gets a larger window."""
_LOOK_AHEAD = 3
"""Letters behind a number that may still belong to it: ``1`` is not yet ``1e+5``."""
_CLOSES = {"[": "]", "{": "}"}
_BLANKS = re.compile(r"[ \t\n\r]*")


def first_sign(text: bytes) -> bytes:
    """Return the first byte that is no blank."""
    found = re.search(rb"\S", text)
    return found.group() if found else b""


def first_line(text: bytes) -> bytes:
    """Return the first line that is not blank."""
    begins = re.search(rb"\S|$", text).start()  # type: ignore[union-attr]
    end = text.find(b"\n", begins)
    return text[begins : end if end >= 0 else len(text)]


def is_a_record(line: bytes) -> bool:
    """Return whether a line is a JSON object by itself."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def refusal(error: ValueError, text: bytes, where: str) -> BrokenError:
    """Return what to say of a text that is not JSON: that it is truncated, or what is wrong."""
    told = str(error)
    at = re.search(r"\(char (\d+)\)", told)
    n_letters = len(text.decode(errors="replace").rstrip())
    if told.startswith("Unterminated") or (at and int(at[1]) >= n_letters):
        return BrokenError(
            f"{where}, line {text.rstrip().count(10) + 1}",
            "the last record ends in the middle, so part of the file is missing",
            "Make a new download or export.",
        )
    return BrokenError(where, f"this is not complete JSON ({told})", "Make a new export.")


def lines(text: bytes, decoder: json.JSONDecoder, where: str) -> Iterator[tuple[int, Any]]:
    """Yield the number and the value of each line that is not blank; None if it is not JSON.

    A last line that ends in the middle means a truncated file.
    """
    last = text.rstrip().count(b"\n") + 1
    for n, line in enumerate(io.BytesIO(text), 1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line.decode())
        except (ValueError, RecursionError):
            if n == last and not text.endswith(b"\n"):
                raise refusal(ValueError("Unterminated"), text, where) from None
            record = None
        yield n, record


def elements(text: bytes, decoder: json.JSONDecoder) -> Iterator[Any]:
    """Yield the elements of a JSON array one after the other.

    >>> list(elements(b'[1, {"a": [2]}, "x"]', json.JSONDecoder()))
    [1, {'a': [2]}, 'x']
    """
    window = _Window(text, decoder)
    for _ in window.items("["):
        yield window.value()
    window.end()


def members(text: bytes, decoder: json.JSONDecoder) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of a JSON object one after the other.

    >>> list(members(b'{"a": [1, 2], "b": {}}', json.JSONDecoder()))
    [('a', [1, 2]), ('b', {})]
    """
    window = _Window(text, decoder)
    for _ in window.items("{"):
        yield window.name(), window.value()
    window.end()


class _Window:
    """A part of a text, decoded, and the place in it up to which it was read."""

    def __init__(self, text: bytes, decoder: json.JSONDecoder) -> None:
        self._rest = memoryview(text)
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._decoder = decoder
        self._shown = ""
        self._at = 0
        self._lines, self._letters = 1, 0

    def items(self, opens: str) -> Iterator[None]:
        """Stop at each item between two brackets."""
        self.take(opens)
        if self.sign() != _CLOSES[opens]:
            yield
            while self.sign() == ",":
                self.take(",")
                yield
        self.take(_CLOSES[opens])

    def name(self) -> str:
        """Return the name of a member, and go on to its value."""
        if self.sign() != '"':
            self.fail("Expecting property name enclosed in double quotes")
        name = self.value()
        self.take(":")
        return str(name)

    def end(self) -> None:
        """Nothing may follow."""
        if self.sign():
            self.fail("Extra data")

    def sign(self) -> str:
        """Return the next letter that is no blank; nothing at the end."""
        while True:
            found = _BLANKS.match(self._shown, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._shown):
                return self._shown[self._at]
            if not self._grow():
                return ""

    def take(self, sign: str) -> None:
        """Go past a sign that must stand here."""
        if self.sign() != sign:
            self.fail(f"Expecting {sign!r}")
        self._at += 1

    def value(self) -> Any:
        """Return the value that begins here."""
        self.sign()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._shown, self._at)
            except json.JSONDecodeError as error:
                if not self._grow():
                    self._at = error.pos
                    self.fail(error.msg)
                continue
            if end + _LOOK_AHEAD <= len(self._shown) or not self._grow():
                self._at = end
                return value

    def fail(self, what: str) -> None:
        """Raise a ValueError that says where in the text it is."""
        line = self._lines + self._shown.count("\n", 0, self._at)
        raise ValueError(f"{what}: line {line} (char {self._letters + self._at})")

    def _grow(self) -> bool:
        """Forget what was read and decode at least as much again; say whether there was more."""
        if not self._rest:
            return False
        self._lines += self._shown.count("\n", 0, self._at)
        self._letters += self._at
        n = max(_WINDOW, len(self._shown) - self._at)
        more = self._utf8.decode(self._rest[:n], final=n >= len(self._rest))
        self._shown = self._shown[self._at :] + more
        self._rest, self._at = self._rest[n:], 0
        return True
