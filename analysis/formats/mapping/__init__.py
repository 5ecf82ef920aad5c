"""Tables with columns of any names: a profile says what each column means.

`guess` looks at names and content and proposes a profile; a person corrects it; `apply` reads the
whole table by it. A profile is a few lines of YAML that hold no judgments.
"""

from dataclasses import replace
from typing import Any

from analysis.errors import ReadingError
from analysis.formats.content import Content
from analysis.formats.mapping.apply import apply, apply_to, fits
from analysis.formats.mapping.guess.draft import SURE, Guess
from analysis.formats.mapping.guess.guess import guess
from analysis.formats.mapping.preview import (
    GUESSED_ROWS,
    Preview,
    first_records,
    paths_of,
    preview,
)
from analysis.formats.mapping.profile import COLUMN_ROLES, LISTS, Profile, load

_MOST_COLUMNS = 10_000
"""Columns of the records at all places of a file that are looked at; ten thousand take seconds."""


def guess_content(content: Content) -> tuple[Preview, Guess]:
    """Return the first rows of a table and the surest guess, wherever in it the records are.

    A guess is unsure if the file has so many columns that some places are not looked at.
    """
    best: tuple[Preview, Guess] | None = None
    n_columns = 0
    parsed = first_records(content) if content.kind == "json" else None
    for path in paths_of(content, parsed) if parsed else [""]:
        if best is not None and n_columns > _MOST_COLUMNS:
            table, found = best
            doubt = "the file has too many columns to look at all its lists of records"
            sure = min(found.confidence, 0.9 * SURE)
            return table, replace(found, confidence=sure, doubts=(*found.doubts, doubt))
        try:
            table = preview(content, GUESSED_ROWS, path, parsed)
        except ReadingError:
            if path == "" and content.kind != "json":
                raise
            continue
        n_columns += len(table.columns)
        found = guess(table)
        is_surer = best is None or found.confidence > best[1].confidence
        if is_surer and _judges_within(found.profile, path):
            best = table, replace(found, profile=replace(found.profile, records=path))
    if best is None:
        raise ReadingError(
            content.where, "there is no table with two columns and a row", "Export it as CSV."
        )
    return best


def _judges_within(profile: Profile, path: str) -> bool:
    """Return whether each record of a list has a judgment; what is around it stands in all rows."""
    none: dict[str, Any] = dict.fromkeys(("segment", "document", "domain", "judge", "task"), "")
    bare = replace(profile, attributes=(), outputs=(), lengths=(), excluded=(), **none)
    within = path.replace("{}", "").replace("[]", "") + "."
    return not path.endswith("[]") or any(name.startswith(within) for name in bare.used)
