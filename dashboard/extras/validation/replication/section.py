"""Replication: published numbers computed again, those that differ first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.escaping import as_markdown
from analysis.extras.validation.replication.findings import (
    classes_frame,
    replication_explained,
    replication_finding,
    replication_notes,
)
from analysis.extras.validation.replication.registry import NOT_RECOMPUTED, REPLICATIONS
from analysis.extras.validation.replication.replication import Replication
from analysis.extras.validation.replication.running import Outcome, to_frame
from analysis.shipped import DATA
from analysis.wording import thousands
from dashboard.design import Mode
from dashboard.extras.validation.replication import compute as replicating
from dashboard.extras.validation.replication.figures import printed_against_ours, replication_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import choose
from dashboard.widgets.result_card import (
    downloads,
    headline,
    note,
    show_figure,
    show_frame,
    show_sentences,
)

ALL = "All tables"
ITEMS = DATA / "papers.csv"
CLOSENESS_TITLE = "How close the numbers of each published table come"
SINCE = "Computed for this version of Podium, except for the tables that you recompute here."


def show_replications(context: ViewContext, head: DeltaGenerator) -> None:
    """Show what came of all replications, then one of them."""
    outcomes = replicating.replications()
    finding = replication_finding(outcomes)
    with head.container():
        headline(
            context, "Methods and validation", finding,
            of_method=False, of_pair=False, of_data=False,
        )  # fmt: skip
    figure = replication_figure(outcomes, title=CLOSENESS_TITLE, mode=context.mode)
    show_figure(figure, key="figure.replication")
    written: dict[str, Any] = dict.fromkeys(("numbers", "match", "null"), thousands)
    show_frame(
        classes_frame(outcomes).style.format(written),
        {
            "from": "Ours is computed from", "paper": "Papers",
            "numbers": "Numbers", "match": "Match", "null": "A guess matches",
        },
    )  # fmt: skip
    show_sentences([*replication_notes(outcomes), SINCE])
    chosen = _choose(outcomes)
    shown = [o for o in outcomes if chosen is None or o.replication is chosen]
    _show_numbers(shown)
    downloads("replication", lambda: to_frame(shown), figure, finding, of_view=False)
    if chosen is not None:
        _show_table(chosen, shown, context.mode)
    else:
        _offer_all()
    _show_rest()


def _choose(outcomes: Sequence[Outcome]) -> Replication | None:
    titles = {_title(o.replication): o.replication for o in outcomes}
    picked = st.selectbox(
        "Table", [ALL, *titles], key="replication.table", bind="query-params",
        help="Choose one to see its method and to reproduce its numbers.",
    )  # fmt: skip
    return titles.get(str(picked))


def _title(replication: Replication) -> str:
    return f"{replication.title}: {replication.what}"


def _show_numbers(outcomes: Sequence[Outcome]) -> None:
    """Show a row a number; those that differ come first, with their reason."""
    frame = to_frame(outcomes)
    shown = ("Those that differ first", "Those that differ only")
    if choose("Show", shown, "replication.shown", bind=None) == shown[1]:
        frame = frame[frame["verdict"] == "differs"]
    if frame.empty:
        note("None differs.")
        return
    frame["printed"], frame["ours"] = frame["printed"].map(_cell), frame["ours"].map(_cell)
    show_frame(
        frame[["verdict", "source", "place", "printed", "ours", "difference", "reason", "from"]],
        placeholder="",
        columns={
            "verdict": st.column_config.TextColumn("Verdict", width=80),
            "source": st.column_config.TextColumn("Source", width=125),
            "place": st.column_config.TextColumn("Place", width=300),
            "printed": st.column_config.TextColumn("Printed", width=70),
            "ours": st.column_config.TextColumn("Ours", width=80),
            "difference": st.column_config.NumberColumn("Difference", format="%.4g", width=85),
            "reason": st.column_config.TextColumn("Reason for the difference", width=420),
            "from": st.column_config.TextColumn("Ours is computed from", width=240),
        },
    )  # fmt: skip


def _cell(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.5g}"


def _show_table(chosen: Replication, outcomes: Sequence[Outcome], mode: Mode) -> None:
    """Show how one table's numbers are made, the command for it, and make them again."""
    st.markdown(f"## {as_markdown(_title(chosen))}")
    show_sentences(replication_explained(chosen))
    commands = [chosen.own_command, *([chosen.command] if chosen.command else [])]
    st.code("\n".join(commands), language="shell")
    if replicating.just_computed(chosen) is not None:
        note("These numbers were computed on this server.")
    lacking = replicating.lacks(chosen)
    if lacking:
        note(lacking)
    elif st.button("Recompute this table", icon=":material/refresh:", key="replication.again"):
        _compute([chosen])
    figure = printed_against_ours(outcomes[0], mode=mode) if outcomes else None
    if figure is not None:
        show_figure(figure, key="figure.replication-table")


def _offer_all() -> None:
    quick = [r for r in REPLICATIONS.values() if not r.slow and not replicating.lacks(r)]
    waiting = [r for r in quick if replicating.just_computed(r) is None]
    if not waiting:
        note("All tables that take seconds were computed on this server.")
    elif st.button(
        "Recompute all quick tables", icon=":material/refresh:", key="replication.all",
        help="Takes up to a minute. Tables that take longer have their own button: choose one.",
    ):  # fmt: skip
        _compute(waiting)


def _compute(replications: Sequence[Replication]) -> None:
    """Compute with progress, then show the page anew."""
    slot = st.empty()
    bar = progress_in(slot, "Recomputing", unit="tables", of=len(replications))
    for k, replication in enumerate(replications):
        if len(replications) > 1:
            bar(k, len(replications))
            replicating.replicate(replication)
        else:
            parts = progress_in(slot, "Recomputing", unit="parts")
            replicating.replicate(replication, parts)
    slot.empty()
    st.rerun()


def _show_rest() -> None:
    """Show what is not recomputed, and what became of every item of the papers."""
    with st.expander("Published, but not recomputed", icon=":material/block:"):
        rows = [{**vars(entry)} for entry in NOT_RECOMPUTED]
        show_frame(
            pd.DataFrame(rows),
            {"source": "Source", "place": "Place", "what": "What", "why": "Why"},
        )  # fmt: skip
    if ITEMS.exists():
        with st.expander("Where Podium differs from the papers", icon=":material/checklist:"):
            show_frame(
                pd.read_csv(ITEMS),
                columns={
                    "item": st.column_config.TextColumn("Item", width=60),
                    "paper": st.column_config.TextColumn("Paper", width=110),
                    "says": st.column_config.TextColumn("In the paper", width=420),
                    "now": st.column_config.TextColumn("In Podium", width=420),
                },
            )  # fmt: skip
