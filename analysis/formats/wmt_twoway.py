"""WMT 2-way CSV (WMT15 on): one row per pair; rankingID ties the rows of one task together.

Rows are put together again where those of one id are exactly all pairs of its outputs, each
output with one rank throughout. Where they are not, every row stands as a task of its own. In a
file without ids, the rows of one judge and segment are taken for those of one id, and where they
are more than one ranking, those that follow each other as a ranking is written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.campaign import Ragged
from analysis.formats import budgets, described, wmt
from analysis.formats.content import Content
from analysis.formats.format import Format, Outgoing, Writer, named, rank_text
from analysis.formats.mapping.winners import usable_votes
from analysis.formats.rankings import Codes, Column, Findings, Rankings, joint, split_outputs
from analysis.formats.report import counted


def is_two_way(content: Content) -> bool:
    """Return whether the header has one or two numbered systems."""
    return content.header is not None and bool(wmt.system_numbers(content.header))


def read(content: Content) -> Rankings:
    """Read the rows and put them together into ranking tasks."""
    findings = content.findings
    wmt.check_columns(content, [1, 2])
    wanted = ["system1id", "system1rank", "system2id", "system2rank", wmt.RANKING]
    table = content.table([*wmt.TASK, *wanted])
    pair, segment, judge = wmt.task_columns(table)
    (left, right), names = described.unite([table["system1id"], table["system2id"]])
    ranking = table.columns.get(wmt.RANKING)
    has_judges = any(key in table for key in wmt.JUDGE)
    of_one_ranking = [pair, segment, judge] if has_judges else []
    if ranking is not None:
        of_one_ranking = [pair, segment, judge, ranking]
    group = _group(of_one_ranking, table.n_rows)

    n_outputs = np.ceil((1 + np.sqrt(1 + 8 * np.bincount(group)[group])) / 2).astype(np.int64)
    present = [np.ones(table.n_rows, dtype=bool)] * 2
    highest = 5 if n_outputs.max(initial=0) <= 5 else np.maximum(5, n_outputs)
    good, (left_rank, right_rank) = wmt.leave_out_bad_ranks(
        table, [(1, table["system1rank"]), (2, table["system2rank"])], present, highest
    )
    no_vote = np.zeros(table.n_rows, dtype=bool)
    good &= usable_votes(findings, (left, right), names, no_vote, str)
    rows = Rows(*(column[good] for column in (group, left, right, left_rank, right_rank)))
    tasks = put_together(rows)
    if ranking is None and len(tasks.apart):
        tasks = put_together(_by_sequence(rows, tasks.apart, np.flatnonzero(good)), tasks.apart)
    if ranking is None:
        _report_no_ids(findings, tasks, np.flatnonzero(good), has_judges)
    else:
        _report_apart(findings, tasks, np.flatnonzero(good))
    row = np.flatnonzero(good)[tasks.first_row]
    return Rankings(
        n_rows=table.n_rows,
        pair=pair.take(row),
        segment=segment.take(row),
        judge=judge.take(row),
        start=tasks.start,
        output=tasks.output,
        outputs=split_outputs(names, [(rows.left, rows.right)], findings),
        rank=tasks.rank.astype(np.int16),
        row=row,
        findings=findings,
        attributes=described.documents(table.first(described.DOCUMENT), row),
    )


@dataclass(frozen=True)
class Rows:
    """Pairs: the ranking each belongs to (by first appearance), its two outputs and ranks."""

    group: Codes
    left: Codes
    right: Codes
    left_rank: Codes
    right_rank: Codes


@dataclass(frozen=True)
class Tasks:
    """Ranking tasks in order of their first rows; ``apart`` are rows of incomplete rankings.

    ``n_apart`` is how many rankings those would be.
    """

    first_row: Codes
    start: Codes
    output: Codes
    rank: Codes
    apart: Codes
    n_apart: int


def _group(columns: list[Column], n_rows: int) -> Codes:
    """Number the rankings by first appearance; without an id every row is one of its own."""
    if not columns:
        return np.arange(n_rows)
    return pd.factorize(joint(*(column.codes for column in columns)))[0]


def put_together(rows: Rows, doubtful: Codes | None = None) -> Tasks:
    """Make tasks of the rows, in displayed order; vectorized over rankings of equal size.

    Of ``doubtful`` rows those that stay alone count as apart.
    """
    group = pd.factorize(rows.group)[0]
    order = np.argsort(group, kind="stable")
    n_rows = np.bincount(group)
    first = np.cumsum(n_rows) - n_rows
    n_outputs = ((1 + np.sqrt(1 + 8 * n_rows)) / 2).astype(np.int64)
    complete = np.zeros(len(n_rows), dtype=bool)
    outputs: list[tuple[Codes, Codes, Codes]] = []
    sizes = np.unique(n_outputs[n_outputs * (n_outputs - 1) // 2 == n_rows])
    for n in sizes[sizes <= budgets.MAX_JOINED]:
        of_size = np.flatnonzero((n_outputs == n) & (n_rows == n * (n - 1) // 2))
        members = order[first[of_size][:, None] + np.arange(n * (n - 1) // 2)]
        entries, ranks, found = _from_displayed_order(rows, members, int(n))
        for k in np.flatnonzero(~found):
            task = _from_any_order(rows, members[k], int(n))
            if task is not None:
                entries[k], ranks[k] = task
                found[k] = True
        complete[of_size[found]] = True
        outputs.append((members[found].min(axis=1), entries[found], ranks[found]))
    apart = np.flatnonzero(~complete[group])
    entries = np.stack([rows.left[apart], rows.right[apart]], axis=1)
    ranks = np.stack([rows.left_rank[apart], rows.right_rank[apart]], axis=1)
    outputs.append((apart, entries, ranks))
    n_apart = int(np.count_nonzero(~complete))
    if doubtful is not None:
        apart = doubtful[n_rows[group[doubtful]] == 1]
        n_apart = len(apart)
    return _in_file_order(outputs, apart, n_apart)


def _by_sequence(rows: Rows, apart: Codes, place: Codes) -> Rows:
    """Group the rows ``apart`` anew: those that follow each other as one ranking is written.

    From each row on, the longest ranking in displayed order is taken. ``place`` is where the rows
    stand in the file.
    """
    same = (np.diff(rows.group[apart]) == 0) & (np.diff(place[apart]) == 1)
    ends = np.append(np.flatnonzero(~same) + 1, len(apart))
    sizes = _longest_rankings(rows, apart, np.repeat(ends, np.diff(ends, prepend=0))).tolist()
    group = rows.group.astype(np.int64)
    first, number = 0, group.max(initial=0) + 1
    while first < len(apart):
        group[apart[first : first + sizes[first]]] = number
        first, number = first + sizes[first], number + 1
    return replace(rows, group=group)


def _longest_rankings(rows: Rows, apart: Codes, end: Codes) -> Codes:
    """Return how many rows, from each row on, are one ranking in displayed order.

    Rows of one left output follow each other, and the next row has another one: so from a row on
    there is one size that a ranking can have. It ends at most where ``end`` says.
    """
    first = np.arange(len(apart))
    left = rows.left[apart]
    is_last = np.append(left[1:] != left[:-1], True)
    run_ends = np.flatnonzero(is_last)[np.cumsum(is_last) - is_last] + 1
    n_outputs = np.minimum(run_ends, end) - first + 1
    n_rows = n_outputs * (n_outputs - 1) // 2
    possible = (n_outputs <= budgets.MAX_JOINED + 1) & (first + n_rows <= end)
    sizes = np.ones(len(apart), dtype=np.int64)
    for n in np.unique(n_outputs[possible & (n_outputs > 2)]):
        starts = np.flatnonzero(possible & (n_outputs == n))
        members = apart[starts[:, None] + np.arange(n * (n - 1) // 2)]
        _, _, found = _from_displayed_order(rows, members, int(n))
        sizes[starts[found]] = n * (n - 1) // 2
    return sizes


def _from_displayed_order(
    rows: Rows, members: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Read rankings off their first n-1 rows; say for which all rows agree with that."""
    left, right = rows.left[members], rows.right[members]
    left_rank, right_rank = rows.left_rank[members], rows.right_rank[members]
    entries = np.concatenate([left[:, :1], right[:, : n - 1]], axis=1)
    ranks = np.concatenate([left_rank[:, :1], right_rank[:, : n - 1]], axis=1)
    i, j = np.triu_indices(n, 1)
    found = (left == entries[:, i]).all(axis=1) & (right == entries[:, j]).all(axis=1)
    found &= (left_rank == ranks[:, i]).all(axis=1) & (right_rank == ranks[:, j]).all(axis=1)
    ordered = np.sort(entries, axis=1)
    found &= (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return entries, ranks, found


def _from_any_order(rows: Rows, members: Codes, n: int) -> tuple[list[int], list[int]] | None:
    """Do the same for rows in any order: an output stands left of those displayed after it."""
    rank_of: dict[int, int] = {}
    times_left: dict[int, int] = {}
    pairs = set()
    for row in members.tolist():
        for output, rank in (
            (int(rows.left[row]), int(rows.left_rank[row])),
            (int(rows.right[row]), int(rows.right_rank[row])),
        ):
            if rank_of.setdefault(output, rank) != rank:
                return None
            times_left.setdefault(output, 0)
        times_left[int(rows.left[row])] += 1
        pairs.add(frozenset((int(rows.left[row]), int(rows.right[row]))))
    if len(rank_of) != n or len(pairs) != len(members):
        return None
    displayed = sorted(times_left, key=lambda output: -times_left[output])
    return displayed, [rank_of[output] for output in displayed]


def _in_file_order(outputs: list[tuple[Codes, Codes, Codes]], apart: Codes, n_apart: int) -> Tasks:
    first_row = np.concatenate([first for first, _, _ in outputs])
    sizes = np.concatenate(
        [np.full(len(entries), entries.shape[1]) for _, entries, _ in outputs]
    ).astype(np.int64)
    flat = np.concatenate([entries.ravel() for _, entries, _ in outputs])
    ranks = np.concatenate([rank.ravel() for _, _, rank in outputs])
    order = np.argsort(first_row, kind="stable")
    found = Ragged.from_sizes(sizes).take(order)
    take = found.values
    return Tasks(first_row[order], found.start, flat[take], ranks[take], apart, n_apart)


def _report_apart(findings: Findings, tasks: Tasks, row: Codes) -> None:
    if tasks.n_apart:
        findings.note(
            "taken-apart",
            f"{counted(tasks.n_apart, 'rankingID')} ignored: the rows of one id are not "
            "exactly all pairs of its outputs with one rank each. Each of their "
            f"{counted(len(tasks.apart), 'row', verb='')} is treated as a ranking of its own.",
            tasks.n_apart,
            row[tasks.apart],
        )


def _report_no_ids(findings: Findings, tasks: Tasks, row: Codes, has_judges: bool) -> None:
    """Say what the rankings of a file without ids were made from."""
    no_ids = "The file has no rankingID, so it does not show which pairs were ranked together"
    if not has_judges or len(tasks.first_row) == len(row):
        words = (
            f"{no_ids}; every row is treated as a ranking of its own. If several belonged to one "
            "ranking, intervals are too narrow."
        )
    else:
        words = (
            f"{no_ids}; the rows of one judge and segment were joined if they are exactly all "
            "pairs of their outputs."
        )
        if n := len(tasks.apart):
            words += (
                f" {counted(n, 'row', tense='is')} not, and "
                f"{'is treated as a ranking' if n == 1 else 'are treated as a ranking each'}."
            )
    findings.note("no-ranking-ids", words, len(tasks.apart), row[tasks.apart])


def lay_out(tasks: Outgoing) -> pd.DataFrame:
    """Return one row for every two outputs of a ranking."""
    campaign = tasks.campaign
    task, first, second = tasks.pairs_of_entries()
    names = tasks.output_names
    return pd.DataFrame(
        {
            **wmt.written_columns(campaign, task),
            **tasks.documents(task),
            "judgeID": named(campaign.task_judge[task], campaign.judges),
            "system1Id": named(campaign.entry_output[first], names),
            "system1rank": rank_text(campaign.entry_rank[first]),
            "system2Id": named(campaign.entry_output[second], names),
            "system2rank": rank_text(campaign.entry_rank[second]),
            "rankingID": task + 1,
        }
    )


FORMAT = Format(
    name="wmt-2way",
    title="WMT 2-way CSV",
    columns="segmentId, system1Id, system1rank, system2Id, system2rank (and rankingID)",
    sniff=is_two_way,
    read=read,
    write=Writer(lay_out, highest_rank="of its ranking"),
)
