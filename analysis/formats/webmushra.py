"""webMUSHRA's results: listeners who rate the conditions of each trial on one screen.

``mushra.csv`` has ``trial_id``, ``rating_stimulus``, ``rating_score`` (0 to 100) and
``rating_time`` (milliseconds on the screen); ``lms.csv`` and ``lss.csv`` of Likert scales have
``stimuli`` and ``stimuli_rating`` instead. Between ``session_test_id`` and ``trial_id`` stands
what the test asked of a listener: name, age, …
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.campaign import UNNAMED_JUDGE, FloatArray, IntArray, Scale
from analysis.formats import budgets
from analysis.formats.format import Content, Format
from analysis.formats.rankings import NO_PAIR, Codes, Column, Findings, combine
from analysis.formats.report import Oddity
from analysis.formats.scored import Scored

TEST, TRIAL, SESSION, TIME = "session_test_id", "trial_id", "session_uuid", "rating_time"
MUSHRA = ("rating_stimulus", "rating_score")
LIKERT = ("stimuli", "stimuli_rating")


def is_webmushra(content: Content) -> bool:
    """Return whether the header has trials beside stimuli and their ratings."""
    if content.header is None or TRIAL not in content.header.keys:
        return False
    keys = content.header.keys
    return any(stimulus in keys and score in keys for stimulus, score in (MUSHRA, LIKERT))


def read(content: Content) -> Scored:
    """Read the ratings; all of one listener in one trial stood on one screen."""
    header, findings = content.header, content.findings
    assert header is not None
    findings.unit = "rating"
    is_mushra = all(key in header.keys for key in MUSHRA)
    stimulus, score = MUSHRA if is_mushra else LIKERT
    asked = [key for key in header.keys[: header.keys.index(TRIAL)] if key and key != TEST]
    wanted = list(dict.fromkeys([TEST, TRIAL, SESSION, TIME, stimulus, score, *asked]))
    table = content.table(wanted)
    system = table[stimulus]
    budgets.check_systems(len(system.names), content.where, f"the column {stimulus}")
    judge = _judges(table.columns, asked, table.n_rows, findings)
    value = table[score].numbers()
    scale = Scale("MUSHRA score", 0, 100) if is_mushra else Scale("Likert rating")
    rows = _leave_out(findings, system, table[score], value, scale, judge, table[TRIAL])
    segment = table[TRIAL]
    if TEST in table.columns and len(table[TEST].names) > 1:
        segment = combine([table[TEST], segment], lambda test, trial: f"{test}:{trial}")
    screen = judge.codes.astype(np.int64) * max(len(segment.names), 1) + segment.codes
    return Scored(
        n_rows=table.n_rows,
        scale=scale,
        pair=Column.constant(NO_PAIR, len(rows)),
        system=system.take(rows),
        segment=segment.take(rows),
        judge=judge.take(rows),
        value=value[rows],
        row=rows,
        findings=findings,
        screen=pd.factorize(screen[rows])[0],
        seconds=_seconds(table.columns.get(TIME), screen, rows),
        users=None if SESSION in table.columns or not asked else tuple(judge.names),
    )


def _judges(columns: Mapping[str, Column], asked: list[str], n: int, findings: Findings) -> Column:
    """Return the listeners: a session each, else all that was asked of them together."""
    if SESSION in columns:
        return columns[SESSION]
    known = [columns[key] for key in asked if key in columns]
    if known:
        return combine(known, lambda *answers: ", ".join(answers) or UNNAMED_JUDGE)
    findings.oddities.append(
        Oddity(
            "no-judges",
            "The file names no listeners; all ratings are treated as one listener's, so "
            "agreement between listeners is unknown.",
        )
    )
    return Column.constant(UNNAMED_JUDGE, n)


def _leave_out(
    findings: Findings,
    system: Column,
    score: Column,
    value: FloatArray,
    scale: Scale,
    judge: Column,
    trial: Column,
) -> IntArray:
    """Report what cannot be used and what was rated again; return the other rows."""
    good = np.ones(len(value), dtype=bool)
    unnamed = system.map(lambda name: name == "") == 1
    findings.leave_out(
        "a stimulus without a name", np.flatnonzero(unnamed), lambda row: "the stimulus is empty"
    )
    good &= ~unnamed
    outside = np.isnan(value) | (value < scale.low) | (value > scale.high)
    findings.leave_out(
        "a rating that is not a number of the scale",
        np.flatnonzero(outside & good),
        lambda row: f"rating {score.names[score.codes[row]]!r}",
    )
    good &= ~outside
    key = pd.DataFrame({"judge": judge.codes, "trial": trial.codes, "system": system.codes})
    earlier = key[good].duplicated(keep="last").reindex(range(len(key)), fill_value=False)
    findings.leave_out(
        "a later rating of the same listener for the same stimulus; the last one counts",
        np.flatnonzero(earlier.to_numpy()),
        lambda row: f"stimulus {system.names[system.codes[row]]!r}",
    )
    return np.flatnonzero(good & ~earlier.to_numpy())


def _seconds(time: Column | None, screen: Codes, rows: IntArray) -> FloatArray | None:
    """Return the time a rating took: the screen's, shared among its ratings."""
    if time is None or not len(rows):
        return None
    spent = time.numbers()[rows] / 1000
    _, own, n = np.unique(screen[rows], return_inverse=True, return_counts=True)
    return np.where(spent >= 0, spent, np.nan) / n[own]


FORMAT = Format(
    name="webmushra",
    title="webMUSHRA results",
    held_in="CSV",
    columns="trial_id, rating_stimulus, rating_score (or stimuli, stimuli_rating)",
    sniff=is_webmushra,
    read=read,
)
