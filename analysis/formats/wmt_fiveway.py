"""WMT 5-way CSV (to WMT14): one row per ranking task, with any number of systems from three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign import IntArray
from analysis.formats import described, wmt
from analysis.formats.content import Content
from analysis.formats.format import Format, Outgoing, Writer, named, rank_text
from analysis.formats.rankings import Column, Findings, Rankings, split_outputs


def is_five_way(content: Content) -> bool:
    """Return whether a row has three systems or more."""
    return content.header is not None and len(wmt.system_numbers(content.header)) > 2


def read(content: Content) -> Rankings:
    """Read the rows; an empty system field is a place that this task did not use."""
    assert content.header is not None
    findings = content.findings
    numbers = wmt.system_numbers(content.header)
    wmt.check_columns(content, numbers)
    wanted = [f"system{k}{what}" for k in numbers for what in ("id", "rank")]
    table = content.table([*wmt.TASK, *wanted])
    pair, segment, judge = wmt.task_columns(table)
    codes, names = described.unite([table[f"system{k}id"] for k in numbers])
    empty = names.index("") if "" in names else -1
    everywhere = np.ones(table.n_rows, dtype=bool)
    present = [everywhere if empty < 0 else column != empty for column in codes]
    ranks_as_text = [table[f"system{k}rank"] for k in numbers]
    good, ranks = wmt.leave_out_bad_ranks(
        table, list(zip(numbers, ranks_as_text, strict=True)), present, max(5, len(numbers))
    )
    if empty >= 0:
        good &= _no_rank_without_system(findings, numbers, ranks_as_text, present)
    entries = _Entries.of(present, good)
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
        n_rows=table.n_rows,
        pair=pair.take(good),
        segment=segment.take(good),
        judge=judge.take(good),
        start=entries.start,
        output=entries.take(codes),
        outputs=outputs,
        rank=entries.take(ranks).astype(np.int16, copy=False),
        row=np.flatnonzero(good),
        findings=findings,
        attributes=described.documents(table.first(described.DOCUMENT), good),
    )


@dataclass(frozen=True)
class _Entries:
    """Where systems stand in the rows that are kept; None stands for everywhere."""

    start: IntArray
    good: np.ndarray | None
    there: np.ndarray | None

    @classmethod
    def of(cls, present: Sequence[np.ndarray], good: np.ndarray) -> _Entries:
        if good.all() and all(there.all() for there in present):
            return cls(np.arange(len(good) + 1) * len(present), None, None)
        there = np.stack(present, axis=1)[good]
        return cls(np.concatenate([[0], np.cumsum(there.sum(axis=1))]), good, there)

    def take(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return the values of all entries, row after row."""
        rows = np.stack(columns, axis=1)
        return rows.ravel() if self.good is None else rows[self.good][self.there]


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


def lay_out(tasks: Outgoing) -> pd.DataFrame:
    """Return one row per ranking, with as many columns as the largest one needs."""
    campaign = tasks.campaign
    sizes = np.diff(campaign.task_start)
    all_tasks = np.arange(campaign.n_tasks)
    columns = wmt.written_columns(campaign, all_tasks)
    columns = {
        "srclang": columns["srclang"],
        "trglang": columns["trglang"],
        "srcIndex": columns["srcIndex"],
        "documentId": -1,
        **tasks.documents(all_tasks),
        "segmentId": columns["segmentId"],
        "judgeId": named(campaign.task_judge, campaign.judges),
    }
    names = np.array([*tasks.output_names, ""], dtype=object)
    ranks: dict[str, object] = {}
    for k in range(max(5, int(sizes.max(initial=0)))):
        there = sizes > k
        entry = np.minimum(campaign.task_start[:-1] + k, len(campaign.entry_rank) - 1)
        output = np.where(there, campaign.entry_output[entry], len(names) - 1)
        columns[f"system{k + 1}Number"] = -1
        columns[f"system{k + 1}Id"] = names[output]
        rank = rank_text(campaign.entry_rank[entry])
        ranks[f"system{k + 1}rank"] = np.where(there, rank.astype(str), "")
    return pd.DataFrame({**columns, **ranks})


FORMAT = Format(
    name="wmt-5way",
    title="WMT 5-way CSV",
    columns="segmentId, system1Id, system1rank, system2Id, system2rank, system3Id, …",
    sniff=is_five_way,
    read=read,
    write=Writer(lay_out, pairs_only=False, highest_rank="of the largest ranking"),
)
