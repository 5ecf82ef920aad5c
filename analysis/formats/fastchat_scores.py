"""FastChat's grades of single answers (MT-bench): a machine's score from 1 to 10 an answer.

``judge`` names the machine and the prompt it was given; a later turn has another prompt, so that
the judge is the machine alone. A score of -1 says that no grade was found in the machine's words.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, Scale
from analysis.formats import budgets
from analysis.formats.arena import segment_of_turn
from analysis.formats.format import Content, Format
from analysis.formats.nested import Record, Records, list_of, text_of
from analysis.formats.rankings import NO_PAIR, Column, number
from analysis.formats.report import Oddity
from analysis.formats.scored import Scored

SCALE = Scale("MT-bench grade", 1, 10)
_READ = ("question_id", "model", "judge", "score", "turn")
COLUMNS = "question_id, model, judge, score and turn"


def is_single(content: Content) -> bool:
    """Return whether records have a system, one score and the turn of a question."""
    return content.kind == "json" and {"question_id", "model", "score", "turn"} <= content.keys


def read(content: Content) -> Scored:
    """Read a score a record; of a grade that was given again the last one counts."""
    findings = content.findings
    findings.unit = "record"
    records = [{key: record.get(key) for key in _READ} for record in Records(content, ())]
    system = _column(text_of(record.get("model")) for record in records)
    budgets.check_systems(len(system.names), content.where, "model")
    value = np.array([number(text_of(record.get("score"))) for record in records])
    none = np.isnan(value) | (value == -1)
    findings.leave_out(
        "no grade in the judge's answer",
        np.flatnonzero(none),
        lambda row: f"score {text_of(records[row].get('score')) or 'missing'}",
    )
    judges, prompts = zip(*map(_judge_and_prompt, records), strict=True)
    judge = _column(name or UNNAMED_JUDGE for name in judges)
    if judge.names == [UNNAMED_JUDGE]:
        findings.oddities.append(
            Oddity("no-judges", "The file names no judges; all grades count as one judge's.")
        )
    turns = [text_of(record.get("turn")) for record in records]
    segment = _column(
        segment_of_turn(text_of(record.get("question_id")), turn)
        for record, turn in zip(records, turns, strict=True)
    )
    rows = np.flatnonzero(~none)
    return Scored(
        n_rows=len(records),
        scale=SCALE,
        pair=Column.constant(NO_PAIR, len(rows)),
        system=system.take(rows),
        segment=segment.take(rows),
        judge=judge.take(rows),
        value=value[rows],
        row=rows,
        findings=findings,
        attributes={"turn": _column(turns).take(rows), "prompt": _column(prompts).take(rows)},
    )


def _judge_and_prompt(record: Record) -> tuple[str, str]:
    judge = record.get("judge")
    if isinstance(judge, str) and not judge.lstrip().startswith("["):
        return text_of(judge), ""
    name, prompt, *_ = (*map(text_of, list_of(judge)), "", "")
    return name, prompt


def _column(texts: Iterable[str]) -> Column:
    known: dict[str, int] = {}
    codes = [known.setdefault(text, len(known)) for text in texts]
    return Column(np.array(codes, dtype=np.int32), list(known))


FORMAT = Format(
    name="fastchat-scores",
    title="FastChat grades of single answers",
    columns=COLUMNS,
    sniff=is_single,
    read=read,
)
