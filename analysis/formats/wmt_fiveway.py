"""WMT 5-way CSV (to WMT14): one row a ranking task, with any number of systems from two."""

from __future__ import annotations

import numpy as np

from analysis.formats import wmt
from analysis.formats.delimited import Header, read_rows
from analysis.formats.rankings import Column, Findings, Rankings, split_outputs


def read(text: bytes, header: Header, where: str, findings: Findings) -> Rankings:
    """Read the rows; an empty system field is a place that this task did not use."""
    numbers = wmt.system_numbers(header)
    wmt.check_columns(header, numbers, where)
    wanted = [f"system{k}{what}" for k in numbers for what in ("id", "rank")]
    table = read_rows(
        text,
        header,
        [*wmt.SOURCE, *wmt.TARGET, *wmt.SEGMENT, *wmt.JUDGE, *wanted],
        where,
        findings,
    )
    pair, segment, judge = wmt.task_columns(table)
    codes, names = wmt.unite([table[f"system{k}id"] for k in numbers])
    empty = names.index("") if "" in names else -1
    present = [column != empty for column in codes]
    ranks_as_text = [table[f"system{k}rank"] for k in numbers]
    good, ranks = wmt.leave_out_bad_ranks(
        table, list(zip(numbers, ranks_as_text, strict=True)), present, max(5, len(numbers))
    )
    good &= _no_rank_without_system(findings, numbers, ranks_as_text, present)
    there = np.stack(present, axis=1)[good]
    outputs = split_outputs(
        names,
        (
            (codes[a][good], codes[b][good])
            for a in range(len(numbers))
            for b in range(a + 1, len(numbers))
        ),
        findings,
    )
    return Rankings(
        format="wmt-5way",
        n_rows=table.n_rows,
        pair=pair.take(good),
        segment=segment.take(good),
        judge=judge.take(good),
        start=np.concatenate([[0], np.cumsum(there.sum(axis=1))]),
        output=np.stack(codes, axis=1)[good][there],
        outputs=outputs,
        rank=np.stack(ranks, axis=1)[good][there].astype(np.int16),
        row=np.flatnonzero(good),
        findings=findings,
        copies_matter=any(key in table for key in wmt.JUDGE),
    )


def _no_rank_without_system(
    findings: Findings, numbers: list[int], ranks: list[Column], present: list[np.ndarray]
) -> np.ndarray:
    """Leave out rows that rank a place where no system stands."""
    bad = np.stack(
        [
            ~there & (column.map(lambda text: text.strip() not in ("", "-1")) == 1)
            for column, there in zip(ranks, present, strict=True)
        ],
        axis=1,
    )
    findings.leave_out(
        "a rank without a system",
        np.flatnonzero(bad.any(axis=1)),
        lambda row: f"system{numbers[int(np.argmax(bad[row]))]}Id is empty",
    )
    return np.asarray(~bad.any(axis=1))
