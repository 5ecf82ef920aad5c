"""What came back of a saved session, and what could not."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.wording import count, listed


def reopened(n_notes: int) -> str:
    """Say that a session is back as it was saved.

    >>> reopened(0), reopened(2)
    ('The session was restored.', 'The session was restored, with 2 notes.')
    """
    notes = f", with {count(n_notes, 'note')}" if n_notes else ""
    return f"The session was restored{notes}."


def reopened_elsewhere(
    title: str,
    data: str,
    here: str,
    *,
    pair_is_missing: bool = False,
    n_names: int = 0,
    n_slides: int = 0,
    n_decks: int = 0,
) -> str:
    """Say that a session was saved with other judgments, what fits these, and what does not.

    >>> reopened_elsewhere("a.csv", "0123", "b.csv", n_names=1)[-37:]
    '1 name of a system or judge not here.'
    """
    missing = []
    if pair_is_missing:
        missing.append("the language pair")
    if n_names:
        missing.append(f"{count(n_names, 'name')} of a system or judge not here")
    if n_slides:
        missing.append(f"{count(n_slides, 'slide')} with results of those judgments")
    if n_decks:
        missing.append(f"the slides and notes of {count(n_decks, 'language pair')} not here")
    left = f" Left out: {'; '.join(missing)}." if missing else ""
    return (
        f"This session was saved with other judgments, {title or 'a campaign'} (data hash "
        f"{data}), than those of {here}. Everything that fits was restored; check notes and "
        f"slides. Upload the same files to restore all of it.{left}"
    )


def files_missing(names: Sequence[str]) -> str:
    """Say which files next to the judgments a session had.

    >>> files_missing(["gpt.csv"])
    ' It also had gpt.csv: add this on Data.'
    """
    return f" It also had {listed(names)}: add {'this' if len(names) == 1 else 'these'} on Data."


def waiting(title: str) -> str:
    """Say that a session waits for its files.

    >>> waiting("a.csv")
    'This session was saved with a.csv. Upload the same files to restore all of it.'
    """
    return (
        f"This session was saved with {title or 'files of yours'}. Upload the same files to "
        "restore all of it."
    )
