"""Names of segments that only their text tells: a prompt, an instruction."""

from __future__ import annotations

import hashlib

LONGEST_NAME = 80
"""Letters of a text that names a segment; a longer one is cut, and ends in a mark of its own."""


def named_by_text(text: str) -> str:
    """Return the name of a segment that only its text tells: the same for the same text.

    >>> named_by_text("Why is the sky blue?"), len(named_by_text("x" * 500))
    ('Why is the sky blue?', 80)
    """
    text = " ".join(text[:100_000].split())
    if len(text) <= LONGEST_NAME:
        return text
    mark = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:6]
    return f"{text[: LONGEST_NAME - 8]}… {mark}"
