"""Arena votes: two systems and a winner a row, as a table, JSON, JSON Lines or Parquet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.campaign import UNNAMED_JUDGE
from analysis.errors import ReadingError
from analysis.formats.delimited import Header, Table, read_rows
from analysis.formats.rankings import (
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


def is_arena(keys: Sequence[str]) -> bool:
    """Return whether a header has two systems side by side."""
    return any(k in keys for k in LEFT) and any(k in keys for k in RIGHT)


def read(text: bytes, header: Header, where: str, findings: Findings) -> Rankings:
    """Read votes from delimited text."""
    return read_votes(
        read_rows(text, header, WANTED, where, findings), f"{where}, line {header.line}"
    )


def read_votes(table: Table, where: str) -> Rankings:
    """Make rankings of two of the votes in a table."""
    findings = table.findings
    findings.unit = "vote"
    left_column, right_column = table.first(LEFT), table.first(RIGHT)
    outcome = _winner_column(table)
    if left_column is None or right_column is None or outcome is None:
        raise ReadingError(
            where,
            f"no column tells the {'winner' if left_column and right_column else 'systems'}; "
            f"the columns are {', '.join(table.header[:12])}",
            "Arena votes need model_a, model_b and winner (or left, right, winner).",
        )
    (left, right), names = unite([left_column, right_column])
    result = _outcomes(outcome, left, right, names)
    good = _leave_out(findings, outcome, left, right, names, result)
    rows = np.flatnonzero(good)
    ranks = np.array([[1, 1], [1, 2], [0, 0], [0, 0], [2, 1]], dtype=np.int16)
    judge, question = table.first(JUDGE), table.first(QUESTION)
    return Rankings(
        format="arena",
        n_rows=table.n_rows,
        pair=_pair(table).take(rows),
        segment=_question(question, table.n_rows, findings).take(rows),
        judge=_judge(judge, table.n_rows, findings).take(rows),
        start=np.arange(len(rows) + 1) * 2,
        output=np.stack([left[rows], right[rows]], axis=1).ravel(),
        outputs=[(name,) for name in names],
        rank=ranks[result[rows]].ravel(),
        row=rows,
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
            "a question of its own, so agreement cannot be told.",
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
