"""MQM errors as Google publishes them and Marot shows them: tabs, one line an error.

What was judged and found without errors has one line of its own, No-error. An output's score is
minus the sum of what its errors cost (`MqmWeights`), for each rater. The texts are not quoted: a
quotation mark is a letter.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.campaign import MQM, ErrorSpans, IntArray, MqmWeights
from analysis.formats import budgets
from analysis.formats.content import Content
from analysis.formats.delimited import Table, read_rows
from analysis.formats.described import DOCUMENT
from analysis.formats.file_names import pair_of_file
from analysis.formats.format import Format
from analysis.formats.rankings import Column, Findings, combine, joint
from analysis.formats.report import counted
from analysis.formats.scored import Scored

SYSTEM, RATER, CATEGORY, SEVERITY = "system", "rater", "category", "severity"
SEGMENT = ("seg_id", "globalsegid", "global_seg_id", "segid", "segment_id")
IN_DOCUMENT = ("docsegid", "doc_seg_id")
TARGET = "target"
NO_ERROR = ("no-error", "no error", "hotw-test")
_KNOWN = ("major", "minor", "critical", "neutral", "no-error", "no error", "trivial")


def is_mqm(content: Content) -> bool:
    """Return whether the header names a system, a rater, a category and a severity."""
    if content.header is None:
        return False
    keys = content.header.keys
    return all(key in keys for key in (SYSTEM, RATER, CATEGORY, SEVERITY)) and any(
        key in keys for key in (*SEGMENT, *IN_DOCUMENT)
    )


def read(content: Content) -> Scored:
    """Read the errors and add them up for each output and rater."""
    header, findings = content.header, content.findings
    assert header is not None
    findings.unit = "line"
    own = replace(header, quoted=header.separator != "\t")
    wanted = [SYSTEM, RATER, CATEGORY, SEVERITY, *SEGMENT, *IN_DOCUMENT, *DOCUMENT]
    table = read_rows(content.text, own, wanted, content.where, findings)
    budgets.check_systems(len(table[SYSTEM].names), content.where, "the column system")
    document = table.first(("doc", *DOCUMENT))
    segment = _segment(table, document)
    good = _leave_out(findings, table, segment)
    lines = np.flatnonzero(good)
    output, first = _outputs(table, segment, lines)
    errors = _errors(findings, table, lines, output)
    row = lines[first]
    return Scored(
        n_rows=table.n_rows,
        scale=MQM,
        pair=Column.constant(pair_of_file(findings), len(row)),
        system=table[SYSTEM].take(row),
        segment=segment.take(row),
        judge=table[RATER].take(row),
        value=MqmWeights().scores(errors, len(row)),
        row=row,
        findings=findings,
        document=None if document is None else document.take(row),
        errors=errors,
        users=tuple(table[RATER].names),
    )


def _segment(table: Table, document: Column | None) -> Column:
    """Return the segment's number through the whole test set, else the one in its document."""
    segment = table.first(SEGMENT)
    if segment is not None:
        return segment
    within = table.first(IN_DOCUMENT)
    assert within is not None
    if document is None:
        return within
    return combine([document, within], lambda name, place: f"{name}:{place}")


def _leave_out(findings: Findings, table: Table, segment: Column) -> np.ndarray:
    good = np.ones(table.n_rows, dtype=bool)
    for column, what in ((table[SYSTEM], "system"), (segment, "segment")):
        empty = (column.map(lambda name: name == "") == 1) & good
        findings.leave_out(f"a missing {what}", np.flatnonzero(empty), lambda row: "it is empty")
        good &= ~empty
    return good


def _outputs(table: Table, segment: Column, lines: IntArray) -> tuple[IntArray, IntArray]:
    """Return the output and rater of each line, by first appearance, and each one's first line."""
    columns = (table[SYSTEM], segment, table[RATER])
    output = pd.factorize(joint(*(column.codes[lines] for column in columns)))[0]
    return output, np.unique(output, return_index=True)[1]


def _errors(findings: Findings, table: Table, lines: IntArray, output: IntArray) -> ErrorSpans:
    """Return the lines that mark errors, ordered by output."""
    severity, category = table[SEVERITY], table[CATEGORY]
    how = [name.casefold() for name in severity.names]
    unknown = np.array([name not in _KNOWN for name in how] or [False])
    odd = np.flatnonzero(unknown[severity.codes[lines]]) if len(lines) else lines
    if len(odd):
        findings.note(
            "unknown-severity",
            f"{counted(len(odd), 'error')} of a severity that MQM does not have, such as "
            f"{severity.names[severity.codes[lines[odd[0]]]]!r}; each weighs as much as a "
            "minor one.",
            len(odd),
            lines[odd],
        )
    is_error = np.array([name not in NO_ERROR for name in how] or [True])
    marked = np.flatnonzero(is_error[severity.codes[lines]]) if len(lines) else lines
    marked = marked[np.argsort(output[marked], kind="stable")]
    unique_how, words = pd.factorize(np.array(how, dtype=object))
    none = np.full(len(marked), -1, dtype=np.int64)
    return ErrorSpans(
        scored=output[marked],
        category=category.codes[lines[marked]].astype(np.int64),
        categories=tuple(category.names),
        severity=unique_how[severity.codes[lines[marked]]] if len(marked) else none,
        severities=tuple(words.tolist()),
        start=none,
        end=none,
    )


FORMAT = Format(
    name="mqm",
    title="MQM errors",
    held_in="TSV",
    columns="system, seg_id (or globalSegId), rater, category, severity (and doc)",
    sniff=is_mqm,
    read=read,
)
