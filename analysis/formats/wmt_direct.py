"""WMT's direct-assessment results: a score a segment and system, raw and standardized by judge.

The files (``ad-seg-scores-*.csv``) are tables with blanks between their fields: ``SYS``, ``SID``,
``RAW.SCR``, ``Z.SCR`` and ``N``, how many judgments a score is the mean of. Those of systems
(``ad-sys-scores-*.csv``) have no ``SID``. The average MQM scores of segments
(``*.avg_seg_scores.tsv``) are tables of the same kind.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import MQM, UNNAMED_JUDGE, FloatArray, Scale
from analysis.errors import ReadingError, control
from analysis.formats import budgets
from analysis.formats.content import Content
from analysis.formats.delimited import Table, read_rows
from analysis.formats.described import DOCUMENT, segments_within
from analysis.formats.file_names import pair_of_file
from analysis.formats.format import Format
from analysis.formats.header import Header
from analysis.formats.rankings import Codes, Column, Findings, numbers_of
from analysis.formats.scored import Scored

RAW, STANDARDIZED, SEGMENT, SYSTEM = "raw.scr", "z.scr", ("sid", "seg_id"), ("sys", "system")
MEAN_MQM = "mqm_avg_score"
WHOLE_SYSTEM = "all segments"
"""Stands for the segment where a score is that of a whole system."""


def _names(content: Content) -> tuple[str, ...]:
    """Return the header's names, cut at blanks too."""
    if content.header is None:
        return ()
    return tuple(word.strip('"') for name in content.header.names for word in name.split())


def is_direct(content: Content) -> bool:
    """Return whether the header has systems beside raw or average MQM scores."""
    keys = [name.casefold() for name in _names(content)]
    return any(key in keys for key in SYSTEM) and (RAW in keys or MEAN_MQM in keys)


def read(content: Content) -> Scored:
    """Read the scores; no row is a judgment of its own, and no judge is known."""
    findings = content.findings
    table = _table(content)
    score = MEAN_MQM if MEAN_MQM in table.plain else RAW
    system = table.first(SYSTEM)
    assert system is not None
    budgets.check_systems(len(system.names), content.where, f"the column {SYSTEM[0].upper()}")
    value = numbers_of(table.plain[score])
    rows = np.flatnonzero(_leave_out(findings, value, table, score))
    standardized = None
    if STANDARDIZED in table.plain:
        standardized = numbers_of(table.plain[STANDARDIZED])[rows]
    segment, document = table.first(SEGMENT), table.first(DOCUMENT)
    _tell(findings, segment is None, standardized is not None)
    return Scored(
        n_rows=table.n_rows,
        scale=MQM if score == MEAN_MQM else Scale("direct assessment", 0, 100),
        pair=Column.constant(pair_of_file(findings), len(rows)),
        system=system.take(rows),
        segment=Column.constant(WHOLE_SYSTEM, len(rows))
        if segment is None
        else segments_within(segment, document).take(rows),
        document=None if document is None else document.take(rows),
        judge=Column.constant(UNNAMED_JUDGE, len(rows)),
        value=value[rows],
        row=rows,
        findings=findings,
        standardized=standardized,
    )


def _table(content: Content) -> Table:
    """Read the table; blanks and tabs separate alike, and lines may end in one."""
    header = content.header
    assert header is not None
    text, names, separator = content.text, header.names, header.separator
    if any(len(name.split()) > 1 for name in names):
        text = text.replace(b"\t", b" ")
        if _ends_in_blanks(text):
            text = text.replace(b" \n", b"\n").removesuffix(b" ")
        names, separator = tuple(_names(content)), " "
    own = Header(names, separator, header.line, n_lines=header.n_lines)
    plain = [key for key in (RAW, STANDARDIZED, MEAN_MQM) if key in own.keys]
    wanted = [*SYSTEM, *SEGMENT, *DOCUMENT]
    table = read_rows(text, own, wanted, content.where, content.findings, plain=plain)
    if not table.n_rows:
        raise ReadingError(content.where, "it has a header but no rows", "Make a new export.")
    return table


def _ends_in_blanks(text: bytes) -> bool:
    """Return whether a line ends in a blank; to replace what is not there takes longer."""
    sign = np.frombuffer(text, dtype=np.uint8)
    at_end = (sign[:-1] == ord(" ")) & (sign[1:] == ord("\n"))
    return text.endswith(b" ") or bool(at_end.any())


def _leave_out(findings: Findings, value: FloatArray, table: Table, score: str) -> Codes:
    texts = table.plain[score]
    none = np.isnan(value)
    findings.leave_out(
        "a missing score",
        np.flatnonzero(none),
        lambda row: f"{score.upper()}: {texts[row].as_py()[:40]!r} is not a number",
    )
    return ~none


def _tell(findings: Findings, is_whole: bool, has_z: bool) -> None:
    """Note what such a file cannot say, and which of its two columns counts."""
    what = (
        "The file contains one mean per system; single judgments, and so intervals, are unknown."
        if is_whole
        else (
            "The file contains means over judges but does not name them, so agreement between "
            "judges is unknown."
        )
    )
    findings.note("means-only", what)
    if has_z:
        raw = control("--standardize none", "“Ratings to average” in Settings")
        what = f"Z.SCR counts, since it is standardized by judge; for RAW.SCR, use {raw}."
        findings.note("standardized", what)


FORMAT = Format(
    name="wmt-da",
    title="WMT direct assessment",
    columns="SYS, SID, RAW.SCR, Z.SCR, N (or system, mqm_avg_score, seg_id)",
    sniff=is_direct,
    read=read,
)
