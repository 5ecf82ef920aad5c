"""Arena votes: two systems and a winner per row, as a table, JSON, JSON Lines or Parquet."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.campaign import UNNAMED_JUDGE, UNRANKED
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.delimited import Table
from analysis.formats.format import Content, Format, Writer
from analysis.formats.outgoing import Outgoing, named
from analysis.formats.rankings import (
    NO_PAIR,
    Column,
    Findings,
    Rankings,
    combine,
    pair_name,
)
from analysis.formats.report import Oddity
from analysis.formats.wmt import unite

LEFT = ("model_a", "left", "system_a", "player_a", "model_1", "a")
RIGHT = ("model_b", "right", "system_b", "player_b", "model_2", "b")
WINNER = ("winner", "outcome", "vote", "preference", "result")
WINNER_FLAGS = ("winner_model_a", "winner_model_b", "winner_tie")
JUDGE = ("judge", "judge_hash", "judge_id", "judgeid", "user", "user_id", "annotator", "rater")
QUESTION = ("question_id", "question", "prompt_id", "segment", "segment_id", "segmentid", "item")
LANGUAGE = ("language", "pair", "lang")
SOURCE, TARGET = ("srclang", "source_language"), ("trglang", "target_language")

_SPELLINGS = {
    1: ("model_a", "modela", "left", "a", "system_a", "player_a", "model_1", "win", "x"),
    -1: ("model_b", "modelb", "right", "b", "system_b", "player_b", "model_2", "loss", "lose", "y"),
    0: (
        *("tie", "draw", "equal", "both", "both_good", "bothgood", "tie (bothgood)", "tied"),
        *("tie (bothbad)", "tie (both bad)", "bothbad", "both_bad", "both bad", "neither"),
    ),
}
_OUTCOME = {word: outcome for outcome, words in _SPELLINGS.items() for word in words}
_BY_POSITION = {"model_a", "model_b", "left", "right", *_SPELLINGS[0]}
_SKIPPED, _UNKNOWN = 2, 3
_SKIP_WORDS = ("", "skip", "skipped", "ignore", "none", "null", "nan", "invalid", "-1")

WANTED = (
    *LEFT, *RIGHT, *WINNER, *WINNER_FLAGS, *JUDGE, *QUESTION, *LANGUAGE, *SOURCE, *TARGET,
)  # fmt: skip


COLUMNS = "model_a, model_b and winner (or left, right, winner)"


def is_arena(content: Content) -> bool:
    """Return whether a header has two systems side by side; records are votes as a rule."""
    if content.header is None:
        return content.kind in ("json", "parquet")
    keys = content.header.keys
    return any(k in keys for k in LEFT) and any(k in keys for k in RIGHT)


def read(content: Content) -> Rankings:
    """Make rankings of two of the votes in a table."""
    table, findings = content.table(WANTED), content.findings
    findings.unit = "vote"
    left_column, right_column = table.first(LEFT), table.first(RIGHT)
    outcome = _winner_column(table)
    if left_column is None or right_column is None or outcome is None:
        raise ReadingError(
            content.place,
            f"no column tells the {'winner' if left_column and right_column else 'systems'}; "
            f"the columns are {', '.join(name[:40] for name in table.header[:12])}",
            f"Arena votes need {COLUMNS}.",
        )
    (left, right), names = unite([left_column, right_column])
    for column, keys in ((left_column, LEFT), (right_column, RIGHT)):
        called = next(key for key in keys if key in table)
        budgets.check_systems(len(column.names), content.where, f"the column {called}")
    result = _outcomes(outcome, left, right, names)
    good = _leave_out(findings, outcome, left, right, names, result)
    rows = np.flatnonzero(good)
    ranks = np.array([[1, 1], [1, 2], [0, 0], [0, 0], [2, 1]], dtype=np.int16)
    judge, question = table.first(JUDGE), table.first(QUESTION)
    return Rankings(
        n_rows=table.n_rows,
        pair=_pair(table).take(rows),
        segment=_question(question, table.n_rows, findings).take(rows),
        judge=_judge(judge, table.n_rows, findings).take(rows),
        start=np.arange(len(rows) + 1) * 2,
        output=np.stack([left[rows], right[rows]], axis=1).ravel(),
        outputs=[(name,) for name in names],
        rank=ranks[result[rows]].ravel(),
        row=rows,
        kind="votes",
        findings=findings,
        copies_matter=judge is not None and question is not None,
    )


def _winner_column(table: Table) -> Column | None:
    """Return the column that tells the winner, made of 0/1 flags where the file has those."""
    column = table.first(WINNER)
    if column is None and all(flag in table for flag in WINNER_FLAGS[:2]):
        flags = [table[flag] for flag in WINNER_FLAGS if flag in table]
        return combine(flags, _winner_of_flags)
    return column


def _winner_of_flags(*flags: str) -> str:
    words = ("model_a", "model_b", "tie")
    is_set = [flag.strip().casefold() in ("1", "1.0", "true") for flag in flags]
    if sum(is_set) == 0 and len(flags) == 2:
        return "tie"
    return words[is_set.index(True)] if sum(is_set) == 1 else "/".join(flags)


def _outcomes(winner: Column, left: np.ndarray, right: np.ndarray, names: list[str]) -> np.ndarray:
    """Return 1, 0, -1 from the left's side.

    ``model_a``, ``left``, ``tie`` … say it by position. Other words are first looked for among
    the systems' names: in a vote between B and A, a winner "A" is the system A.
    """
    result = winner.map(_outcome_of)
    by_position = winner.map(lambda text: text.strip().casefold() in _BY_POSITION) == 1
    code_of = {name: code for code, name in enumerate(names)}
    named = np.where(by_position, -1, winner.map(lambda text: code_of.get(text, -1)))
    result = np.where(named == left, 1, result)
    return np.where(named == right, -1, result)


def _outcome_of(text: str) -> int:
    word = text.strip().casefold()
    return _SKIPPED if word in _SKIP_WORDS else _OUTCOME.get(word, _UNKNOWN)


def _leave_out(
    findings: Findings,
    winner: Column,
    left: np.ndarray,
    right: np.ndarray,
    names: list[str],
    result: np.ndarray,
) -> np.ndarray:
    empty = names.index("") if "" in names else -1
    unnamed = (left == empty) | (right == empty)
    itself = (left == right) & ~unnamed
    unknown = (result == _UNKNOWN) & ~unnamed & ~itself
    findings.leave_out(
        "a system without a name",
        np.flatnonzero(unnamed),
        lambda row: f"the {'first' if left[row] == empty else 'second'} system is empty",
    )
    findings.leave_out(
        "a system compared with itself",
        np.flatnonzero(itself),
        lambda row: f"{names[left[row]]} is compared with itself",
    )
    findings.leave_out(
        "a winner that is neither of the two nor a tie",
        np.flatnonzero(unknown),
        lambda row: f"winner: {winner.names[winner.codes[row]]!r} is neither of the two nor a tie",
    )
    return ~(unnamed | itself | unknown)


def _pair(table: Table) -> Column:
    source, target = table.first(SOURCE), table.first(TARGET)
    if source is not None and target is not None:
        return combine([source, target], pair_name)
    language = table.first(LANGUAGE) or Column.constant("", table.n_rows)
    return Column(language.codes, [pair_name(name, "") for name in language.names])


def _question(question: Column | None, n: int, findings: Findings) -> Column:
    if question is not None:
        return question
    findings.oddities.append(
        Oddity(
            "no-questions",
            "The file does not tell which question a vote is about; every vote counts as about "
            "a question of its own, so agreement is unknown.",
        )
    )
    return Column(np.arange(n, dtype=np.int32), [str(k) for k in range(1, n + 1)])


def _judge(judge: Column | None, n: int, findings: Findings) -> Column:
    if judge is not None:
        return judge
    findings.oddities.append(
        Oddity(
            "no-judges",
            "The file names no judges; all votes count as one judge's, and agreement between "
            "judges cannot be told.",
        )
    )
    return Column.constant(UNNAMED_JUDGE, n)


def lay_out(tasks: Outgoing) -> pd.DataFrame:
    """Return one row for every two outputs that both have a rank."""
    campaign = tasks.campaign
    task, first, second = tasks.pairs_of_entries()
    left_rank, right_rank = campaign.entry_rank[first], campaign.entry_rank[second]
    ranked = (left_rank != UNRANKED) & (right_rank != UNRANKED)
    task, first, second = task[ranked], first[ranked], second[ranked]
    better = np.sign(campaign.entry_rank[second].astype(np.int16) - campaign.entry_rank[first])
    names = tasks.output_names
    table = pd.DataFrame(
        {
            "model_a": named(campaign.entry_output[first], names),
            "model_b": named(campaign.entry_output[second], names),
            "winner": named(1 - better, ("model_a", "tie", "model_b")),
            "judge": named(campaign.task_judge[task], campaign.judges),
            "question_id": named(campaign.task_segment[task], campaign.segments),
        }
    )
    if campaign.pairs != (NO_PAIR,):
        table["language"] = named(campaign.task_pair[task], campaign.pairs)
    return table


FORMAT = Format(
    name="arena",
    title="arena votes",
    held_in="CSV, JSON, JSON Lines or Parquet",
    columns=COLUMNS,
    sniff=is_arena,
    read=read,
    write=Writer(lay_out, votes=True),
)
