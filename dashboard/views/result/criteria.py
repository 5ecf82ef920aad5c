"""All criteria together: systems by criteria, with rank ranges that are valid jointly."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.criteria import Criteria
from analysis.comparing.language_pairs import PairResult
from analysis.drawing.small_multiples import pair_svg
from analysis.escaping import as_html
from analysis.findings.criteria import criteria_headline, halo_words, pareto_words
from analysis.findings.language_pairs import pair_line
from analysis.wording import capital, count
from dashboard.compute.rankings import criteria_of, halos_of
from dashboard.session.view import ViewContext
from dashboard.widgets.browser import card, grid, show_markup
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, headline, note, result_card

ALL = "All criteria"


def asks_for_all(context: ViewContext) -> bool:
    """Offer the chosen criterion, or all of them; nothing where there is one."""
    if not context.campaign.criteria:
        return False
    chosen = st.segmented_control(
        "Criteria",
        ["one", "all"],
        default="one",
        required=True,
        format_func=lambda which: ALL if which == "all" else context.campaign.criterion,
        key="criteria",
        bind="query-params",
        label_visibility="collapsed",
    )
    return bool(chosen == "all")


def show_criteria(context: ViewContext, head: DeltaGenerator) -> None:
    """Show who is good at what, who is unbeaten, and how judges keep criteria apart."""
    bar = st.empty()
    criteria = criteria_of(context, progress_in(bar, "Ranking", unit="criteria"))
    bar.empty()
    with head.container():
        headline(context, "Result", criteria_headline(criteria, context.name), of_method=False)
    show_markup(grid(context.mode, map(_picture, _results(context, criteria))))
    level = f"{context.certainty.level:.0%}"
    note(f"Rank ranges are valid for all {count(len(criteria.names), 'criterion', 'criteria')} "
         f"together at {level}. {pareto_words(criteria, context.name)}")  # fmt: skip
    frame = criteria.to_frame().rename(columns={"undominated": "unbeaten"})
    result_card(context, "criteria", frame=frame, columns=_columns(criteria))
    halos = halos_of(context, criteria)
    if words := halo_words(halos):
        with st.expander("Do judges distinguish the criteria?"):
            st.markdown(words)
            table = pd.DataFrame([vars(halo) for halo in halos])
            columns = {"a": "Criterion", "b": "and", "within": "Within a judge",
                       "between": "Between judges", "n": "Judgments"}  # fmt: skip
            st.dataframe(table.round(2), hide_index=True, column_config=columns)
            downloads("criteria-halo", table)


def _results(context: ViewContext, criteria: Criteria) -> list[PairResult]:
    return [
        PairResult(name, context.short_names, ranking.judgments, ranking)
        for name, ranking in zip(criteria.names, criteria.rankings, strict=True)
    ]


def _picture(result: PairResult) -> str:
    return card(as_html(result.pair), as_html(capital(pair_line(result))), pair_svg(result))


def _columns(criteria: Criteria) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "system": "System",
        "unbeaten": st.column_config.CheckboxColumn(
            "Unbeaten", help="No other system is at least as good on every criterion."
        ),
    }
    for name in criteria.names:
        columns[name] = st.column_config.NumberColumn(name, format="%.3f")
        columns[f"{name} ranks"] = st.column_config.TextColumn(
            "Ranks", help=f"Rank range by {name}, valid for all criteria together"
        )
    return columns
