"""The formats that Podium knows, in the order in which a file is tried."""

from __future__ import annotations

from analysis.errors import ReadingError
from analysis.formats import (
    alpaca_eval,
    appraise,
    appraise_scores,
    arena,
    arena_hard,
    argilla,
    comparia,
    counts,
    fastchat_pairs,
    label_studio,
    metrics_tree,
    mqm_errors,
    pearmut,
    potato,
    preflib,
    scores_table,
    webmushra,
    wide_judges,
    wmt_direct,
    wmt_fiveway,
    wmt_twoway,
)
from analysis.formats.format import Content, Format
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
        alpaca_eval,
        fastchat_pairs,
        arena_hard,
        label_studio,
        argilla,
        potato,
        comparia,
        wide_judges,
        arena,
        scores_table,
    )
}


def formats_in_words() -> str:
    """Return the sentence that lists what can be read."""
    *most, last = (format.in_words for format in FORMATS.values())
    return f"Podium reads {', '.join(most)} and {last}, each also gzipped."


def columns_in_words() -> str:
    """Return what each format must have."""
    wanted = (f"{format.title}: {format.columns}" for format in FORMATS.values())
    return f"Podium knows files by what they hold. {'; '.join(wanted)}."


def find_format(content: Content) -> Format:
    """Return the first format that recognizes the content."""
    found = next((format for format in FORMATS.values() if format.sniff(content)), None)
    if found is not None:
        return found
    if content.kind == "archive":
        refuse_other_files(content.data, content.where)
        raise ReadingError(
            content.where, "this is a tar archive of other files", "Unpack it, and upload those."
        )
    names = content.header.names if content.header is not None else ()
    shown = ", ".join(name[:40] for name in names[:8])
    raise ReadingError(
        content.place,
        f"Podium does not recognize these columns: {shown[:200]}",
        columns_in_words(),
    )
