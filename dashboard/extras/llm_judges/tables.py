"""Tables of machine judges: what each does beside people, and standings with its votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from analysis.campaign import FloatArray
from analysis.extras.llm_judges.agreement import MachineAgreement
from analysis.extras.llm_judges.findings import COHENS
from analysis.extras.llm_judges.prediction_powered import PredictionPowered
from analysis.wording import EN_DASH, percent, thousands


def measured_frame(measured: Sequence[MachineAgreement]) -> pd.DataFrame:
    """Return a row a machine, without the columns that no file tells."""
    frame = pd.DataFrame([agreed.to_dict() for agreed in measured])
    return frame.dropna(axis=1, how="all")


SHARES = (
    "agreement", "decided_agreement", "first_shown", "human_first_shown", "longer",
    "human_longer", "consistency",
)  # fmt: skip


def shown_measures(frame: pd.DataFrame) -> Styler:
    """Return the columns that the page shows, shares as percent; the download has all."""
    shown = frame[[name for name in measure_columns() if name in frame]]
    formats = dict[str, Any](dict.fromkeys((name for name in SHARES if name in shown), percent))
    formats["n"] = lambda number: thousands(int(number))
    return shown.style.format(formats, na_rep=EN_DASH)


def measure_columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "judge": column.TextColumn("LLM judge"),
        "n": column.Column("Human votes"),
        "kappa": column.NumberColumn("Cohen's κ", format="%.3f", help=COHENS),
        "kappa_low": column.NumberColumn("from", format="%.3f"),
        "kappa_high": column.NumberColumn("to", format="%.3f"),
        "agreement": column.NumberColumn("Same vote"),
        "decided_agreement": column.NumberColumn("Same winner", help="If both name one"),
        "first_shown": column.NumberColumn(
            "First shown wins", help="Of the votes that name a winner"
        ),
        "human_first_shown": column.NumberColumn("… by humans"),
        "longer": column.NumberColumn("Longer wins"),
        "human_longer": column.NumberColumn("… by humans"),
        "consistency": column.NumberColumn(
            "Same in both orders", help="Of the items shown in both orders"
        ),
    }


def powered_frame(result: PredictionPowered, truth: FloatArray | None = None) -> pd.DataFrame:
    """Return standings with the machine's votes, people's own beside, in the figure's order."""
    both = result.powered.to_frame().merge(
        result.people.to_frame(), on="system", suffixes=("", "_people")
    )
    alone = result.machine.to_frame()[["system", "score", "ci_low", "ci_high"]]
    every = both.merge(alone, on="system", suffixes=("", "_machine"))
    if truth is None:
        return every
    places = dict(zip(result.powered.systems, np.argsort(np.argsort(-truth)), strict=True))
    return every.sort_values("system", key=lambda names: names.map(places), ignore_index=True)


def shown_standings(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[[name for name in standing_columns() if name in frame]]


def standing_columns() -> dict[str, Any]:
    column = st.column_config
    number: dict[str, Any] = dict(format="%.3f")
    return {
        "system": column.TextColumn("System"),
        "score": column.NumberColumn("Score", **number),
        "ci_low": column.NumberColumn("from", **number),
        "ci_high": column.NumberColumn("to", **number),
        "rank_best": column.NumberColumn("Rank from"),
        "rank_worst": column.NumberColumn("to"),
        "score_people": column.NumberColumn("Humans alone", **number),
        "score_low_people": column.NumberColumn("from", **number),
        "score_high_people": column.NumberColumn("to", **number),
        "score_machine": column.NumberColumn("LLM alone", **number),
    }
