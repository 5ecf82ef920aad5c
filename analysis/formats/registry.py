"""The formats that Podium knows, in the order in which a file is tried."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.errors import ReadingError, control
from analysis.formats import (
    appraise,
    appraise_scores,
    arena,
    argilla,
    counts,
    label_studio,
    metrics_tree,
    mqm_errors,
    pearmut,
    potato,
    preflib,
    scores_table,
    tools,
    webmushra,
    wide_judges,
    wmt_direct,
    wmt_fiveway,
    wmt_twoway,
)
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.results import refuse_results
from analysis.formats.unpacking import refuse_other_files

FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT
    for module in (
        wmt_fiveway,
        wmt_twoway,
        appraise,
        preflib,
        appraise_scores,
        wmt_direct,
        mqm_errors,
        metrics_tree,
        pearmut,
        webmushra,
        counts,
        label_studio,
        argilla,
        potato,
        wide_judges,
        scores_table,
        arena,
    )
}
GENERIC = ("wide-judges", "scores", "arena")
"""Formats of tables that any tool may write: tools are tried before them."""
_OTHERS = {name: FORMATS.pop(name) for name in GENERIC}
_TOOLS = tools.shipped()
FORMATS |= _TOOLS | _OTHERS


def formats_in_words() -> str:
    """Return the sentence that lists what can be read."""
    *most, last = (format.in_words for format in FORMATS.values())
    return f"Podium reads {', '.join(most)} and {last}, each also gzipped."


def nearest_in_words(names: Sequence[str]) -> str:
    """Return what the format must have that shares most words with a header.

    >>> nearest_in_words(["modelA", "model_b", "winner"]).partition(" (")[0]
    'The nearest: arena votes'
    """
    words = _words(" ".join(names[:_MANY_NAMES]))
    own = {name: _words(format.columns) for name, format in FORMATS.items()}
    # A user's own table is more often like one of a plain format than like a tool's.
    plain = [name for name in FORMATS if name not in _TOOLS]
    nearest = min(plain, key=lambda name: (-len(words & own[name]), len(own[name])))
    form = control("--map FILE", "the form below")
    alike = sum(bool(_words(name) & own[nearest]) for name in names[:_MANY_NAMES])
    if alike < min(_ALIKE, len(own[nearest]) / 2):
        return (
            "Podium needs a system, a segment and a score per row, or two systems and the winner: "
            f"say which columns these are ({form})."
        )
    has, _, more = FORMATS[nearest].columns.partition(" (")
    short = has if len(has) + len(more) > _SHORT else f"{has} ({more}".removesuffix(" (")
    return f"The nearest: {FORMATS[nearest].title} ({short}). Other columns need {form}."


_ALIKE = 2
"""Columns that a table has of a format that it is like."""
_SHORT = 90
"""Letters of a list of columns that is shown whole."""


def _words(text: str) -> set[str]:
    """Return the words of names of columns, without numbers: ``system1Id`` is system and id."""
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return {word for word in re.findall(r"[a-z]+", apart.casefold()) if word not in _SAY_LITTLE}


_MANY_NAMES = 300
"""Names of columns that are looked at for the nearest format."""
_SAY_LITTLE = {
    "a", "b", "and", "or", "if", "with", "the", "of", "for", "each", "two", "known", "s", "id",
}  # fmt: skip


def find_format(content: Content) -> Format:
    """Return the first format that recognizes the content."""
    known = (*tools.of_users().values(), *FORMATS.values())
    found = next((format for format in known if format.sniff(content)), None)
    if found is not None:
        return found
    if content.kind == "archive":
        refuse_other_files(content.data, content.where)
        raise ReadingError(
            content.where, "this is a tar archive of other files", "Unpack it, and upload those."
        )
    refuse_results(content)
    names = content.header.names if content.header is not None else sorted(content.keys)
    nearly = arena.misspelled(names)
    if nearly is not None:
        own, known_name = nearly
        raise ReadingError(
            content.place,
            f"{own[:40]} is not a known column; did you mean {known_name}?",
            "Rename the column.",
        )
    sheets = [odd.sentence for odd in content.findings.oddities if odd.kind == "sheets"]
    shown = ", ".join(name[:25] for name in names[:6])
    error = ReadingError(
        content.place,
        f"Podium does not recognize these columns: {shown[:80]}",
        sheets[0] if sheets else nearest_in_words(names),
    )
    error.is_unknown = True
    raise error
