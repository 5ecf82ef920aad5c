"""A plain table of scores: one row a score, with its system, its segment and who gave it.

Columns may be called by any of the usual names. A file that names no judges may hold several
scores of one output: these are different people's then, and each stands alone. ``scale``,
``scale_low``, ``scale_high`` and ``better`` (higher or lower) say what a score means. Other columns
by which results can be cut are kept as attributes. This is also how campaigns of scores are
written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.campaign import UNNAMED_JUDGE, Scale, Scores
from analysis.errors import ReadingError
from analysis.formats.arena import LEFT, RIGHT
from analysis.formats.content import Content
from analysis.formats.controls import control_words, leave_out_controls
from analysis.formats.delimited import Table
from analysis.formats.described import DOCUMENT
from analysis.formats.format import Format, Outgoing, Writer, named
from analysis.formats.mapping.apply import apply_to
from analysis.formats.mapping.guess.looks import cutting_columns
from analysis.formats.mapping.preview import FIRST_ROWS, Preview, preview
from analysis.formats.mapping.profile import Profile
from analysis.formats.rankings import NO_PAIR, Codes, Column, combine, joint, number, pair_name
from analysis.formats.scored import Scored
from analysis.formats.usable import any_twice

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
ROLES = {
    "system": SYSTEM, "segment": SEGMENT, "score": SCORE, "judge": JUDGE, "document": DOCUMENT,
    "domain": DOMAIN, "seconds": SECONDS,
}  # fmt: skip
YES_OR_NO = {"yes", "no", "true", "false", ""}
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
    roles: dict[str, Any] = {role: table.name_of(names) for role, names in ROLES.items()}
    if {name.casefold() for name in table[roles["system"]].names} <= YES_OR_NO:
        raise ReadingError(
            content.place, "its systems are called yes and no", "Name the column of the systems."
        )
    # The preview tells a column's second by a number.
    beside = {name: table[name.casefold()] for name in others if name.casefold() in table}
    controls = {name for name, column in beside.items() if control_words(name, column.names)}
    counts = leave_out_controls({name: beside[name] for name in controls}, findings, table.n_rows)
    segment = _with_document(table[roles["segment"]], table.first(DOCUMENT))
    columns = {**table.columns, roles["segment"]: segment, PAIR[0]: _pair(table)}
    profile = Profile(
        **roles, pair=PAIR[0], attributes=tuple(name for name in beside if name not in controls)
    )
    made = replace(table, columns=columns, header=(*columns,))
    (part,) = apply_to(made, profile, content.place).values()
    assert isinstance(part, Scored)
    screen, standardized = table.first(SCREEN), table.first(STANDARDIZED)
    return replace(
        part,
        scale=_scale(table, content.place),
        screen=part.screen if screen is None else _screens(part, screen),
        standardized=None if standardized is None else standardized.numbers()[part.row],
    ).take(counts[part.row])


def _screens(part: Scored, screen: Column) -> Codes:
    """Return the screens, or each score alone if nobody is named and one has an output twice."""
    codes = screen.codes[part.row]
    shown = joint(part.pair.codes, part.segment.codes, part.system.codes, codes)
    return codes if part.screen is None or not any_twice(shown) else part.screen


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
