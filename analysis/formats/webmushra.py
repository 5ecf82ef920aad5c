"""webMUSHRA's results: listeners who rate the conditions of each trial on one screen.

``mushra.csv`` has ``trial_id``, ``rating_stimulus``, ``rating_score`` (0 to 100) and
``rating_time`` (milliseconds on the screen); ``lms.csv`` and ``lss.csv`` of Likert scales have
``stimuli`` and ``stimuli_rating`` instead. Between ``session_test_id`` and ``trial_id`` stands
what the test asked of a listener: name, age, …
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.campaign import distinct
from analysis.formats import budgets
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.mapping.apply import apply_to
from analysis.formats.mapping.profile import Profile
from analysis.formats.rankings import combine, joint
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
    header = content.header
    assert header is not None
    is_mushra = all(key in header.keys for key in MUSHRA)
    stimulus, score = MUSHRA if is_mushra else LIKERT
    asked = [key for key in header.keys[: header.keys.index(TRIAL)] if key and key != TEST]
    wanted = list(dict.fromkeys([TEST, TRIAL, SESSION, TIME, stimulus, score, *asked]))
    table = content.table(wanted)
    budgets.check_systems(len(table[stimulus].names), content.where, f"the column {stimulus}")
    columns = dict(table.columns)
    # Listeners without a session are what was asked of them together.
    if SESSION not in table and asked:
        listener = combine([table[key] for key in asked], lambda *answers: ", ".join(answers))
        columns[SESSION] = listener
    several = TEST in table and len(table[TEST].names) > 1
    profile = Profile(
        system=stimulus,
        score=score,
        judge=SESSION if SESSION in columns else "",
        segment="trial" if several else TRIAL,
        templates=(("trial", f"{{{TEST}}}:{{{TRIAL}}}"),) if several else (),
        scale="MUSHRA score 0..100" if is_mushra else "Likert rating ..",
    )
    made = replace(table, columns=columns, header=(*columns,))
    (part,) = apply_to(made, profile, content.place).values()
    assert isinstance(part, Scored)
    users = tuple(columns[SESSION].names) if SESSION not in table and asked else None
    if TIME not in table:
        return replace(part, users=users)
    return replace(part, users=users, seconds=_seconds(table[TIME].numbers()[part.row], part))


def _seconds(milliseconds: np.ndarray, part: Scored) -> np.ndarray:
    """Return the time that a rating took: the screen's, shared among its stimuli."""
    screen = pd.factorize(joint(part.judge.codes, part.segment.codes))[0]
    n_systems = len(part.system.names)
    n_shown = np.bincount(distinct(screen * n_systems + part.system.codes) // n_systems)
    spent = np.where(milliseconds >= 0, milliseconds / 1000, np.nan)
    return spent / n_shown[screen]


FORMAT = Format(
    name="webmushra",
    title="webMUSHRA results",
    held_in="CSV",
    columns="trial_id, rating_stimulus, rating_score (or stimuli, stimuli_rating)",
    sniff=is_webmushra,
    read=read,
)
