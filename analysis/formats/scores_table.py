"""A plain table of scores: one row a score, with its system, its segment and who gave it.

Columns may be called by any of the usual names. A file that names no judges may hold several
scores of one output: these are different people's then, and each stands alone.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.campaign import UNNAMED_JUDGE, Scale
from analysis.formats.delimited import Table
from analysis.formats.format import Content, Format
from analysis.formats.rankings import Codes, Column, combine, number, pair_name
from analysis.formats.report import Oddity
from analysis.formats.scored import Scored

SYSTEM = ("system", "system_id", "systemid", "model", "model_id", "engine")
SEGMENT = ("segment", "segment_id", "segmentid", "seg_id", "item", "item_id", "stimulus", "sample")
SCORE = ("score", "rating", "raw_score", "raw", "mos", "value")
JUDGE = (
    *("judge", "judge_id", "judgeid", "annotator", "annotator_id", "rater", "rater_id"),
    *("evaluator", "listener", "participant", "worker", "worker_id", "user", "user_id"),
)
SCREEN = ("screen", "screen_id", "trial", "trial_id", "page")
DOCUMENT = ("document", "document_id", "doc", "doc_id")
DOMAIN = ("domain", "genre")
PAIR = ("language_pair", "pair", "lp", "langs")
SOURCE = ("source_language", "src_lang", "srclang", "source_lang")
TARGET = ("target_language", "tgt_lang", "trglang", "target_lang")
SECONDS = ("seconds", "duration", "time")
EVERY = (*SYSTEM, *SEGMENT, *SCORE, *JUDGE, *SCREEN, *DOCUMENT, *DOMAIN, *PAIR, *SOURCE, *TARGET)


def is_table_of_scores(content: Content) -> bool:
    """Return whether the header has a system, a segment and a score."""
    if content.header is None:
        return False
    keys = set(content.header.keys)
    return all(keys.intersection(names) for names in (SYSTEM, SEGMENT, SCORE))


def read(content: Content) -> Scored:
    """Read the table; what is no number in the column of scores is left out."""
    findings = content.findings
    table = content.table([*EVERY, *SECONDS])
    n = table.n_rows
    system, segment, score = (_column(table, names) for names in (SYSTEM, SEGMENT, SCORE))
    value = _numbers(score)
    findings.leave_out(
        "a score that is not a number",
        np.flatnonzero(np.isnan(value)),
        lambda row: (
            f"score {score.names[score.codes[row]][:40]!r} is not a number"
            if score.names[score.codes[row]]
            else "the score is empty"
        ),
    )
    kept = np.flatnonzero(~np.isnan(value))
    pair = _pair(table)
    document = table.first(DOCUMENT)
    segment = _with_document(segment, document)
    judge, screen = table.first(JUDGE), table.first(SCREEN)
    codes = None if screen is None else screen.codes
    if judge is None:
        findings.oddities.append(
            Oddity(
                "no-judges",
                "The file names no judges; all scores count as one judge's, and agreement "
                "between judges is unknown.",
            )
        )
        judge = Column.constant(UNNAMED_JUDGE, n)
        codes = _each_alone(pair, segment, system, codes)
    domain, seconds = table.first(DOMAIN), table.first(SECONDS)
    return Scored(
        n_rows=n,
        scale=Scale("score"),
        pair=pair.take(kept),
        system=system.take(kept),
        segment=segment.take(kept),
        judge=judge.take(kept),
        value=value[kept],
        row=kept,
        findings=findings,
        screen=None if codes is None else codes[kept],
        document=None if document is None else document.take(kept),
        domain=None if domain is None else domain.take(kept),
        seconds=None if seconds is None else _numbers(seconds)[kept],
    )


def _column(table: Table, names: tuple[str, ...]) -> Column:
    column = table.first(names)
    assert column is not None
    return column


def _numbers(column: Column) -> np.ndarray:
    values = np.array([number(name) for name in column.names], dtype=np.float64)
    return values[column.codes] if len(values) else np.zeros(0)


def _pair(table: Table) -> Column:
    whole = table.first(PAIR)
    if whole is not None:
        return combine([whole], lambda name: name or pair_name("", ""))
    empty = Column.constant("", table.n_rows)
    return combine([table.first(SOURCE) or empty, table.first(TARGET) or empty], pair_name)


def _with_document(segment: Column, document: Column | None) -> Column:
    """Name segments with their documents where they are numbered within each."""
    if document is None:
        return segment
    both = pd.DataFrame({"segment": segment.codes, "document": document.codes}).drop_duplicates()
    if not both["segment"].duplicated().any():
        return segment
    return combine([document, segment], lambda text, part: f"{text}:{part}")


def _each_alone(
    pair: Column, segment: Column, system: Column, screen: Codes | None
) -> Codes | None:
    """Return a screen for each row where nobody is named and an output was scored twice."""
    columns = {"pair": pair.codes, "segment": segment.codes, "system": system.codes}
    if screen is not None:
        columns["screen"] = screen
    is_again = pd.DataFrame(columns).duplicated().any()
    return np.arange(len(pair)) if is_again else screen


FORMAT = Format(
    name="scores",
    title="tables of scores",
    columns="a system (or model), a segment (or item) and a score, and if known a judge (or "
    "annotator, rater), document, domain, languages and seconds",
    sniff=is_table_of_scores,
    read=read,
    held_in="CSV or TSV",
)
