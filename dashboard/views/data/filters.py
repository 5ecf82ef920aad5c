"""What counts, chosen once on the page Data and held on every page."""

from __future__ import annotations

import streamlit as st

from analysis.campaign import SELECTION_FIELDS, Selection, segment_numbers
from dashboard import compute
from dashboard.session import state
from dashboard.session.view import ViewContext


def show_filters(context: ViewContext) -> None:
    """Show the choices in a form: a large campaign is then derived once, not at every click."""
    fields = {field.name: field for field in SELECTION_FIELDS}
    chosen = state.selection(context.campaign)
    everything = compute.everything(context)
    systems = sorted({*everything.systems, *everything.left_out})
    judges = sorted({everything.judges[k] for k in set(everything.task_judge.tolist())})
    numbers = segment_numbers(context.campaign.segments)
    first, last = (int(numbers.min()), int(numbers.max())) if len(numbers) else (1, 1)
    with st.form("filters", border=False):
        left, right = st.columns(2, gap="large")
        without_systems = left.multiselect(
            fields["exclude_systems"].title,
            systems,
            default=[name for name in chosen.exclude_systems if name in systems],
            format_func=context.name,
            placeholder="none",
        )
        without_judges = right.multiselect(
            fields["exclude_judges"].title,
            judges,
            default=[name for name in chosen.exclude_judges if name in judges],
            placeholder="none",
        )
        low, high = left.slider(
            fields["segments"].title,
            min_value=first,
            max_value=max(last, first + 1),
            value=_within(chosen.segments or (first, last), first, max(last, first + 1)),
        )
        collapsed = right.toggle(
            fields["identical"].title,
            value=chosen.identical == "collapsed",
            help=fields["identical"].tooltip,
        )
        references = right.toggle(
            fields["references"].title,
            value=chosen.references,
            help=fields["references"].tooltip,
        )
        applied = st.form_submit_button("Apply to all pages", type="primary")
    if applied:
        whole = low <= first and high >= last
        others = tuple(name for name in chosen.exclude_systems if name not in systems)
        state.select(
            context.campaign,
            Selection(
                identical="collapsed" if collapsed else "expanded",
                exclude_systems=(*others, *without_systems),
                judges=chosen.judges,
                exclude_judges=tuple(without_judges),
                references=references,
                segments=None if whole else (low, high),
            ),
        )
        st.rerun()


def _within(segments: tuple[int, int], first: int, last: int) -> tuple[int, int]:
    low, high = segments
    return min(max(low, first), last), max(min(high, last), first)
