"""A plain table of scores: one row a score, with its system, its segment and who gave it.

Columns may be called by any of the usual names. A file that names no judges may hold several
scores of one output: these are different people's then, and each stands alone. ``scale``,
``scale_low``, ``scale_high`` and ``better`` (higher or lower) say what a score means. Other columns
by which results can be cut are kept as attributes. This is also how campaigns of scores are
written.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.campaign import UNNAMED_JUDGE, Scale, Scores
from analysis.errors import ReadingError
from analysis.formats.arena import LEFT, RIGHT
from analysis.formats.content import Content
from analysis.formats.controls import control_words, leave_out_controls
from analysis.formats.delimited import Table
from analysis.formats.described import DOCUMENT, one_judge, words_or_numbers
from analysis.formats.format import Format, Writer
from analysis.formats.mapping.guess.looks import cutting_columns
from analysis.formats.mapping.preview import FIRST_ROWS, Preview, preview
from analysis.formats.outgoing import Outgoing, named
from analysis.formats.rankings import NO_PAIR, Codes, Column, combine, number, pair_name
from analysis.formats.scored import Scored

SYSTEM = ("system", "system_id", "systemid", "model", "model_id", "engine")
SEGMENT = ("segment", "segment_id", "segmentid", "seg_id", "item", "item_id", "stimulus", "sample")
SCORE = ("score", "rating", "raw_score", "raw", "mos", "value")
JUDGE = (
    *("judge", "judge_id", "judgeid", "annotator", "annotator_id", "rater", "rater_id"),
    *("evaluator", "listener", "participant", "worker", "worker_id", "user", "user_id"),
    *("workerid", "userid", "raterid", "annotatorid", "listener_id", "participant_id"),
)
SCREEN = ("screen", "screen_id", "trial", "trial_id", "page")
DOMAIN = ("domain", "genre")
PAIR = ("language_pair", "pair", "lp", "langs")
SOURCE = ("source_language", "src_lang", "srclang", "source_lang")
TARGET = ("target_language", "tgt_lang", "trglang", "target_lang")
SECONDS = ("seconds", "duration", "time")
STANDARDIZED = ("z", "z_score", "zscore", "standardized")
SCALE, LOW, HIGH, BETTER = "scale", "scale_low", "scale_high", "better"
CRITERION = frozenset(("criterion", "criteria", "dimension", "aspect", "metric", "quality_type"))
"""Names of a column that makes scores of several criteria: no mean over these has a meaning."""
EVERY = (
    *SYSTEM, *SEGMENT, *SCORE, *JUDGE, *SCREEN, *DOCUMENT, *DOMAIN, *PAIR, *SOURCE, *TARGET,
    *SECONDS, *STANDARDIZED, SCALE, LOW, HIGH, BETTER,
)  # fmt: skip
LOOKED_AT_UP_TO = 32 * 2**20
"""Bytes of JSON up to which other columns are looked for."""


def is_table_of_scores(content: Content) -> bool:
    """Return whether a table has a system, a segment and a score, and no two systems a row."""
    keys = content.keys
    if keys & CRITERION:
        return False
    is_of_two = keys.intersection(LEFT) and keys.intersection(RIGHT)
    return not is_of_two and all(keys.intersection(names) for names in (SYSTEM, SEGMENT, SCORE))


def read(content: Content) -> Scored:
    """Read the table; what is no number in the column of scores is left out."""
    findings = content.findings
    others = () if content.keys.issubset(EVERY) else _others(content)
    table = content.table([*EVERY, *(name.casefold() for name in others)])
    n = table.n_rows
    system, segment, score = (_column(table, names) for names in (SYSTEM, SEGMENT, SCORE))
    value = score.numbers()
    if {name.casefold() for name in system.names} <= {"yes", "no", "true", "false", ""}:
        raise ReadingError(
            content.place, "its systems are called yes and no", "Name the column of the systems."
        )
    findings.leave_out(
        "a score that is not a number",
        np.flatnonzero(np.isnan(value)),
        lambda row: (
            f"score {score.names[score.codes[row]][:40]!r} is not a number"
            if score.names[score.codes[row]]
            else "the score is empty"
        ),
    )
    controls = {
        name: column
        for name in others
        if (column := table.columns.get(name.casefold())) is not None
        and control_words(name, column.names)
    }
    counts = leave_out_controls(controls, findings, n)
    pair = _pair(table)
    document = table.first(DOCUMENT)
    segment = _with_document(segment, document)
    judge, screen = table.first(JUDGE), table.first(SCREEN)
    codes = None if screen is None else screen.codes
    if judge is None:
        judge = one_judge(findings, n)
        codes = _each_alone(pair, segment, system, codes)
    domain, seconds = table.first(DOMAIN), table.first(SECONDS)
    standardized = table.first(STANDARDIZED)
    described = {
        name: words_or_numbers(table[name.casefold()])
        for name in others
        if name.casefold() in table  # the preview tells a column's second by a number
    }
    return Scored(
        n_rows=n,
        scale=_scale(table, content.place),
        pair=pair,
        system=system,
        segment=segment,
        judge=judge,
        value=value,
        row=np.arange(n),
        findings=findings,
        screen=codes,
        document=document,
        domain=domain,
        seconds=None if seconds is None else seconds.numbers(),
        standardized=None if standardized is None else standardized.numbers(),
        attributes={name: column for name, column in described.items() if name not in controls},
    ).take(counts & ~np.isnan(value))


def _others(content: Content) -> tuple[str, ...]:
    """Return the columns without a use of their own by which results can be cut.

    They are told from the first rows. A large JSON text would be parsed whole for these.
    """
    if content.kind == "json" and len(content.data) > LOOKED_AT_UP_TO:
        return ()
    try:
        return cutting(preview(content))
    except ReadingError:
        return ()


def cutting(table: Preview) -> tuple[str, ...]:
    """Return the columns that are kept as attributes."""
    return cutting_columns(table, [name for name in table.columns if name.casefold() in EVERY])


def _scale(table: Table, where: str) -> Scale:
    """Return what the scores mean, where the table says so; it must say the same in every row."""
    told = {}
    for key in (SCALE, LOW, HIGH, BETTER):
        names = [name for name in table[key].names if name] if key in table else []
        if len(names) > 1:
            raise ReadingError(
                where,
                f"the column {key} contains {names[0]!r} and {names[1]!r}, and a mean over scores "
                "of two scales has no meaning",
                "Give a file for each scale, or remove the column.",
            )
        told[key] = names[0] if names else ""
    better = told[BETTER].casefold() or "higher"
    if better not in ("higher", "lower"):
        raise ReadingError(where, f"better: {told[BETTER]!r}", "Use higher or lower.")
    low, high = number(told[LOW]), number(told[HIGH])
    return Scale(told[SCALE] or "score", low, high, better == "higher")


def _column(table: Table, names: tuple[str, ...]) -> Column:
    column = table.first(names)
    assert column is not None
    return column


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
    of_segment = np.zeros(len(segment.names), dtype=document.codes.dtype)
    of_segment[segment.codes] = document.codes
    if (of_segment[segment.codes] == document.codes).all():
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


def lay_out(outgoing: Outgoing) -> pd.DataFrame:
    """Return one row a score, those of a screen together."""
    campaign, scores = outgoing.campaign, outgoing.campaign.scores
    assert scores is not None
    columns: dict[str, object] = {
        "system": named(scores.system, campaign.systems),
        "segment": named(scores.segment, campaign.segments),
        "score": scores.value,
    }
    if campaign.judges != (UNNAMED_JUDGE,):
        columns["judge"] = named(scores.judge, campaign.judges)
    if campaign.pairs != (NO_PAIR,):
        columns["language_pair"] = named(scores.pair, campaign.pairs)
    columns["screen"] = scores.screen.astype(np.int64) + 1
    if scores.document is not None and holds_documents(scores):
        columns["document"] = named(scores.document, scores.documents)
    if scores.domain is not None:
        columns["domain"] = named(scores.domain, scores.domains)
    for name, values in (("seconds", scores.seconds), ("z", scores.standardized)):
        if values is not None:
            columns[name] = values
    scale = scores.scale
    columns[SCALE] = named(np.zeros(len(scores), np.int64), [scale.name])
    for name, end in ((LOW, scale.low), (HIGH, scale.high)):
        if not np.isnan(end):
            columns[name] = f"{end:.15g}"
    columns[BETTER] = "higher" if scale.higher_is_better else "lower"
    return pd.DataFrame({**columns, **_described(outgoing, columns)})


def lost_attributes(outgoing: Outgoing) -> list[str]:
    """Return the attributes that do not come back: of systems, and such as differ in most rows."""
    table = lay_out(outgoing)
    first = table[:FIRST_ROWS].astype(str).replace("nan", "")
    kept = cutting(Preview({name: tuple(first[name]) for name in first.columns}))
    return [
        attribute.name
        for attribute in outgoing.campaign.attributes
        if attribute.name.casefold() not in EVERY and attribute.name not in kept
    ]


def holds_documents(scores: Scores) -> bool:
    """Return whether every segment is of one document, so that its name stays as it is."""
    assert scores.document is not None
    both = pd.DataFrame({"segment": scores.segment, "document": scores.document})
    return not both.drop_duplicates()["segment"].duplicated().any()


def _described(outgoing: Outgoing, columns: Mapping[str, object]) -> dict[str, object]:
    """Return the attributes of each score, but for those that have a column already."""
    campaign = outgoing.campaign
    found: dict[str, object] = {}
    for attribute in campaign.attributes:
        if attribute.name.casefold() in EVERY or attribute.about == "system":
            continue
        if attribute.about == "output":
            own = attribute
        else:
            own = campaign.of_tasks(attribute).take(campaign.shown.owners, "output")
        if own.values is not None:
            found[attribute.name] = own.values
        elif own.codes is not None:
            found[attribute.name] = named(own.codes % (len(own.names) + 1), [*own.names, ""])
    return found


FORMAT = Format(
    name="scores",
    title="tables of scores",
    columns="a system (or model), a segment (or item) and a score, and if known a judge (or "
    "annotator, rater), document, domain, languages and seconds",
    sniff=is_table_of_scores,
    read=read,
    held_in="CSV, TSV, JSON or Parquet",
    write=Writer(lay_out, pairs_only=False, scores=True),
)
