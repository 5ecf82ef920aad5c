"""Arena votes: two systems and a winner per row, as a table, JSON, JSON Lines or Parquet."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.campaign import UNRANKED, smallest
from analysis.campaign.attributes import Texts
from analysis.campaign.selection import IS_BAD, VOTE
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.content import Content
from analysis.formats.delimited import Table
from analysis.formats.described import DOCUMENT, documents, one_judge, segments_alone, unite
from analysis.formats.file_names import named_by_text
from analysis.formats.format import Format, Outgoing, Writer, named
from analysis.formats.mapping.winners import (
    meaning,
    require_most_known,
    side_in,
    told_of,
    usable_votes,
)
from analysis.formats.rankings import NO_PAIR, Column, Findings, Rankings, combine, pair_name
from analysis.languages import is_language

LEFT = ("model_a", "left", "system_a", "player_a", "model_1", "a")
RIGHT = ("model_b", "right", "system_b", "player_b", "model_2", "b")
WINNER = ("winner", "outcome", "vote", "preference", "result")
WINNER_FLAGS = ("winner_model_a", "winner_model_b", "winner_tie")
JUDGE = (
    "judge", "judge_hash", "judge_id", "judgeid", "user", "user_id", "annotator", "annotator_id",
    "rater", "rater_id", "worker", "worker_id", "workerid", "labeler", "labeler_id",
    "evaluator", "evaluator_id", "participant", "participant_id", "userid", "raterid",
    "annotatorid", "reviewer", "reviewer_id", "voter", "voter_id", "username",
    "subject", "subject_id", "listener", "listener_id",
)  # fmt: skip
SESSION = ("evaluation_session_id", "session_id", "session_hash", "session")
"""What stands for a judge where none is named: one person's votes of one sitting."""
QUESTION = (
    "question_id", "question", "prompt_id", "segment", "segment_id", "segmentid", "item", "item_id",
    "instance_id", "sample_id", "example_id", "utterance", "utterance_id",
)  # fmt: skip
PROMPT = ("prompt", "instruction", "prompt_text")
"""A question by its text; one with the same text is the same."""
ROW_ID = ("id", "uid")
TURN = ("turn",)
LANGUAGE = (
    *("language", "pair", "lang", "lp", "langpair"),
    *("lang_pair", "lang-pair", "language_pair", "language-pair"),
)
"""A language pair, or the language of the prompts: see `_prompt_language`."""
SOURCE, TARGET = ("srclang", "source_language"), ("trglang", "target_language")

_POSITIONS = ("model_a", "model_b", "left", "right")
_BAD = (
    "tie (bothbad)", "tie (both bad)", "bothbad", "both_bad", "both bad", "neither",
    "tie_bothbad", "tie_both_bad",
)  # fmt: skip
_SKIPPED, _UNKNOWN = 2, 3
_OF_WORD = {"a": 1, "b": -1, "tie": 0, "skip": _SKIPPED}
_OF_ARENAS = {"modela": 1, "modelb": -1, "np": 0, "n": 0, "-1": _SKIPPED, "": _SKIPPED}
"""Words of winners that mean this in arenas only."""

CATEGORY = ("category", "domain", "topic", "is_code", "is_refusal", "category_tag")
METADATA = "conv_metadata"
LENGTHS = (
    ("sum_assistant_a_tokens", "sum_assistant_b_tokens", "tokens"),
    ("tokens_a", "tokens_b", "tokens"),
    ("length_a", "length_b", "characters"),
    ("total_conv_a_output_tokens", "total_conv_b_output_tokens", "tokens"),
)
"""Columns with the lengths of both outputs, and what they count."""
_TOKENS = re.compile(r"sum_assistant_([ab])_tokens['\"]?\s*:\s*(\d{1,9})")
_TURNS = re.compile(r"(?:^|\n\n)(user|assistant): ")
_FLAG = re.compile(r"['\"](\w{1,40})['\"]\s*:\s*(True|False|true|false)")

SOURCE_TEXT = (*PROMPT, "source", "source_text", "src")
LEFT_TEXT = (
    "conversation_a", "full_conversation_a", "response_a", "output_a", "answer_a", "text_a",
    "translation_a", "left_text", "output_left",
)  # fmt: skip
RIGHT_TEXT = (
    "conversation_b", "full_conversation_b", "response_b", "output_b", "answer_b", "text_b",
    "translation_b", "right_text", "output_right",
)  # fmt: skip
TEXTS_UP_TO = 32 * 2**20
"""Bytes of a file, unpacked, up to which its texts are kept."""

WANTED = (
    *LEFT, *RIGHT, *WINNER, *WINNER_FLAGS, *JUDGE, *SESSION, *QUESTION, *PROMPT, *ROW_ID, *TURN,
    *LANGUAGE, *SOURCE, *TARGET, *CATEGORY, *DOCUMENT, METADATA,
    *(name for pair in LENGTHS for name in pair[:2]),
)  # fmt: skip


COLUMNS = "model_a, model_b and winner (or left, right, winner)"


def is_arena(content: Content) -> bool:
    """Return whether a header has two systems side by side; records are votes as a rule."""
    keys = content.keys
    if content.header is None and not keys:
        return content.kind in ("json", "parquet")
    names_two = any(k in keys for k in LEFT) and any(k in keys for k in RIGHT)
    return names_two and any(k in keys for k in (*WINNER, *WINNER_FLAGS))


def misspelled(names: Sequence[str]) -> tuple[str, str] | None:
    """Return a column that is nearly called as the only one missing, and that one's name.

    >>> misspelled(["judge", "system_a", "system_b", "winer"])
    ('winer', 'winner')
    """
    keys = {name.strip().casefold(): name for name in names}
    missing = [role for role in (LEFT, RIGHT, WINNER) if keys.keys().isdisjoint(role)]
    if len(missing) != 1:
        return None
    for word in missing[0]:
        close = difflib.get_close_matches(word, keys, n=1, cutoff=0.8) if len(word) > 1 else []
        if close:
            return keys[close[0]], word
    return None


def read(content: Content) -> Rankings:
    """Make rankings of two of the votes in a table."""
    texts = (*SOURCE_TEXT, *LEFT_TEXT, *RIGHT_TEXT) if len(content.data) <= TEXTS_UP_TO else ()
    table = content.table((*WANTED, *(name for name in texts if name not in WANTED)))
    one, other = table.first(LEFT), table.first(RIGHT)
    winner = _winner_column(table)
    if one is None or other is None or winner is None:
        raise ReadingError(
            content.place,
            f"no column names the {'winner' if one and other else 'systems'}; the columns are "
            f"{', '.join(name[:40] for name in table.header[:12])}",
            f"Arena votes need {COLUMNS}.",
        )
    for column, keys in ((one, LEFT), (other, RIGHT)):
        budgets.check_systems(len(column.names), content.where, f"the column {table.name_of(keys)}")
    findings = content.findings
    findings.unit = "vote"
    judge, question = _judge(table, findings), _question(table)
    (left, right), names = unite([one, other])
    result = _outcomes(winner, left, right, names)
    unknown = result == _UNKNOWN
    good = usable_votes(findings, (left, right), names, unknown, told_of(winner, unknown))
    require_most_known(content.place, findings, good)
    rows = np.flatnonzero(good).astype(np.int32)
    ranks = np.array([[1, 1], [1, 2], [0, 0], [0, 0], [2, 1]], dtype=np.int8)
    bad = _both_bad(winner, result, rows, findings)
    return Rankings(
        n_rows=table.n_rows,
        pair=_pair(table).take(good),
        segment=(question or segments_alone(findings, np.arange(table.n_rows))).take(good),
        judge=(judge or one_judge(findings, table.n_rows)).take(good),
        start=np.arange(0, 2 * len(rows) + 1, 2, dtype=np.int32),
        output=np.stack([smallest(left)[rows], smallest(right)[rows]], axis=1).ravel(),
        outputs=[(name,) for name in names],
        rank=ranks[result[rows]].ravel(),
        row=rows,
        kind="votes",
        findings=findings,
        attributes=bad | {name: column.take(good) for name, column in _attributes(table).items()},
        output_attributes=_lengths(table, rows),
        texts=_texts(table, rows),
    )


def _texts(table: Table, rows: np.ndarray) -> Texts | None:
    """Return the question and both outputs of each vote, where the table has them."""
    sides = (table.first(SOURCE_TEXT), table.first(LEFT_TEXT), table.first(RIGHT_TEXT))
    if sides[1] is None or sides[2] is None:
        return None

    def text(column: Column | None, row: int) -> str:
        return "" if column is None else str(column.names[column.codes[row]])

    return Texts.packed(tuple(text(side, row) for side in sides) for row in rows.tolist())


def _both_bad(
    winner: Column, result: np.ndarray, rows: np.ndarray, findings: Findings
) -> dict[str, Column]:
    """Say how many ties mean that both are bad; tell them apart where other ties stand beside."""
    is_bad = winner.map(lambda text: text.strip().casefold() in _BAD)
    n_bad = int(is_bad[rows].sum())
    if not n_bad:
        return {}
    one = n_bad == 1
    counts, it = ("vote counts as a tie", "it") if one else ("votes count as ties", "them")
    words = f"{n_bad:,} “both bad” {counts}, unless a filter drops {it}."
    findings.note("both-bad", words, n_bad)
    kinds = np.where(is_bad == 1, 2, np.where(result == 0, 1, 0)).astype(np.int32)
    return {VOTE: Column(kinds[rows], ("decided", "tie", IS_BAD))}


def _attributes(table: Table) -> dict[str, Column]:
    """Return what is told of each vote: categories, and each flag of those that are nested."""
    found = documents(table.first(DOCUMENT))
    language = _prompt_language(table)
    if language is not None:
        found["language"] = language
    for key in CATEGORY:
        if key not in table:
            continue
        column = table[key]
        flags = [dict(_FLAG.findall(name)) for name in column.names]
        names = dict.fromkeys(name for own in flags for name in own)
        if not names:
            found[key] = column
        for name in list(names)[:30]:
            words = {"true": "yes", "false": "no"}
            of_value = [words.get(own.get(name, "").casefold(), "") for own in flags]
            found[name] = Column(column.codes, of_value)
    return found


def _lengths(table: Table, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return the lengths of the outputs, from columns of their own or those in the metadata."""
    for left, right, unit in LENGTHS:
        if left in table and right in table:
            return {unit: _in_turn([table[left].numbers(), table[right].numbers()], rows)}
    if METADATA not in table:
        texts = (table.first(LEFT_TEXT), table.first(RIGHT_TEXT))
        if texts[0] is None or texts[1] is None:
            return {}
        found = _in_turn([text.map(_characters, np.float64) for text in texts if text], rows)
        return {"characters": found} if np.isfinite(found).any() else {}
    told = [dict(_TOKENS.findall(name)) for name in table[METADATA].names]
    codes = table[METADATA].codes
    sides = [
        np.array([float(own.get(side, "nan")) for own in told] or [np.nan])[codes] for side in "ab"
    ]
    return {"tokens": _in_turn(sides, rows)}


def _characters(text: str) -> float:
    """Return the letters of an output; of a conversation, those of the assistant's turns."""
    turns = _TURNS.split(text)
    said = [own for who, own in zip(turns[1::2], turns[2::2], strict=True) if who == "assistant"]
    return float(sum(map(len, said)) if said else len(text)) or np.nan


def _in_turn(sides: Sequence[np.ndarray], rows: np.ndarray) -> np.ndarray:
    return np.stack([side[rows] for side in sides], axis=1).ravel()


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
    result = winner.map(_code_of)
    by_position = winner.map(lambda text: text.strip().casefold() in _POSITIONS) == 1
    by_position |= result == 0
    code_of = {name: code for code, name in enumerate(names)}
    named = np.where(by_position, -1, winner.map(lambda text: code_of.get(text, -1)))
    result = np.where(named == left, 1, result)
    return np.where(named == right, -1, result)


def _code_of(text: str) -> int:
    word = text.strip().casefold()
    said = meaning(word)
    if said is None and re.search("[a-z]{2}", word) and "/" not in word:
        said = side_in(word)
    return _OF_ARENAS.get(word, _OF_WORD.get(said or "", _UNKNOWN))


def _pair(table: Table) -> Column:
    source, target = table.first(SOURCE), table.first(TARGET)
    if source is not None and target is not None:
        return combine([source, target], pair_name)
    language = None if _prompt_language(table) else table.first(LANGUAGE)
    language = language or Column.constant("", table.n_rows)
    return Column(language.codes, [pair_name(name, "") for name in language.names])


def _prompt_language(table: Table) -> Column | None:
    """Return the language of each vote's prompt: most votes name one known language, no pair."""
    language = table.first(LANGUAGE)
    if language is None or "pair" in table or not len(language):
        return None
    return language if language.map(is_language).mean() > 0.5 else None


def _question(table: Table) -> Column | None:
    """Return the question of each vote: by its id, its text, or the vote's own id."""
    question = table.first(QUESTION)
    if question is not None:
        return _by_turn(question, table.first(TURN))
    prompt = table.first(PROMPT)
    if prompt is not None:
        return Column(prompt.codes, [named_by_text(name) for name in prompt.names])
    return table.first(ROW_ID)


def _by_turn(question: Column, turn: Column | None) -> Column:
    """Tell the turns of a conversation apart where a question has votes on several."""
    if turn is None or not len(question):
        return question
    number = turn.map(lambda text: int(text) if text.isdecimal() and len(text) < 5 else 0)
    first = np.full(len(question.names), -1, dtype=np.int64)
    first[question.codes[::-1]] = number[::-1]
    if (first[question.codes] == number).all():
        return question
    return combine([question, turn], segment_of_turn)


def segment_of_turn(question: str, turn: str) -> str:
    """Return a question's name, its later turns apart.

    >>> segment_of_turn("81", "1"), segment_of_turn("81", "2")
    ('81', '81, turn 2')
    """
    return question if turn in ("", "1") or not question else f"{question}, turn {turn}"


def _judge(table: Table, findings: Findings) -> Column | None:
    judge = table.first(JUDGE)
    if judge is not None or table.first(SESSION) is None:
        return judge
    findings.note(
        "sessions",
        "The file names sessions instead of judges: the votes of one session are treated as "
        "one judge's.",
    )
    return table.first(SESSION)


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
            **tasks.documents(task),
        }
    )
    if campaign.pairs != (NO_PAIR,):
        table["pair"] = named(campaign.task_pair[task], campaign.pairs)
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
