"""The filters on Data: what counts on every page."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import (
    SELECTION_FIELDS,
    Attribute,
    Campaign,
    are_numbered,
    segment_numbers,
)
from analysis.campaign.selection import Selection, both_bad_mask
from analysis.campaign.slices import attribute_of, ends_of, is_known, sliced
from analysis.escaping import as_markdown
from analysis.findings.standings import own_words
from analysis.names import is_reference
from dashboard import compute
from dashboard.session import state
from dashboard.session.view import ViewContext

MOST_WORDS, MOST_RANGES = 1000, 3


def show_filters(context: ViewContext) -> None:
    """Show the choices in a form: a large campaign is then derived once, not at every click."""
    fields = {field.name: field for field in SELECTION_FIELDS}
    chosen = state.selection_of(context.campaign)
    everything = compute.everything(context)
    systems = sorted({*everything.systems, *everything.left_out})
    judges = sorted({everything.judges[k] for k in set(everything.task_judge.tolist())})
    numbers = segment_numbers(context.campaign.segments)
    first, last = (int(numbers.min()), int(numbers.max())) if len(numbers) else (1, 1)
    with st.form("filters", border=False):
        left, right = st.columns(2, gap="large")

        def number(name: str, value: float, most: int | None = None) -> int:
            title, help = fields[name].title, fields[name].tooltip
            now = int(value) or None
            return right.number_input(title, 0, most, now, help=help, placeholder="off") or 0

        without_systems = left.multiselect(
            fields["exclude_systems"].title,
            systems,
            default=[name for name in chosen.exclude_systems if name in systems],
            format_func=context.name,
            placeholder="none",
            select_all=False,
        )
        without_judges, judge_share = list(chosen.exclude_judges), chosen.judge_share
        if everything.n_judges is not None:
            without_judges = right.multiselect(
                fields["exclude_judges"].title,
                judges,
                default=[name for name in chosen.exclude_judges if name in judges],
                placeholder="none",
                select_all=False,
            )
            judge_share = number("judge_share", judge_share, 100)
        low, high = left.slider(
            own_words(context.judgments, fields["segments"].title),
            min_value=first,
            max_value=max(last, first + 1),
            value=_within(chosen.segments or (first, last), first, max(last, first + 1)),
        )
        switches = _ask_switches(context, chosen, right)
        slices = _ask_slices(context.campaign, chosen.slices)
        margin = chosen.tie_margin
        if context.campaign.scores is not None:
            margin = left.number_input(
                f"{fields['tie_margin'].title} (points)",
                min_value=0.0,
                value=margin,
                step=1.0,
                help=fields["tie_margin"].tooltip,
            )
        blocks = chosen.blocks
        if are_numbered(context.campaign.segments):
            blocks = number("blocks", blocks)
        applied = st.form_submit_button("Apply to all pages", type="primary")
    if applied:
        whole = low <= first and high >= last
        others = tuple(name for name in chosen.exclude_systems if name not in systems)
        state.select(
            context.campaign,
            dataclasses.replace(
                chosen,
                exclude_systems=(*others, *without_systems),
                exclude_judges=tuple(without_judges),
                tie_margin=float(margin),
                blocks=blocks,
                judge_share=judge_share,
                segments=None if whole else (low, high),
                slices=slices,
                **switches,
            ),
        )
        st.rerun()


def _ask_switches(context: ViewContext, chosen: Selection, place: DeltaGenerator) -> dict[str, Any]:
    """Ask for what is on or off, where the campaign has something to switch."""
    shown = {
        "references": any(map(is_reference, context.campaign.systems)),
        "both_bad": both_bad_mask(context.campaign) is not None,
        "far_off": chosen.far_off == "dropped" or bool(context.judgments.far_off.any()),
    }
    found = {}
    for field in SELECTION_FIELDS:
        if field.kind == "switch" and shown.get(field.name, True):
            is_on = getattr(chosen, field.name) == field.on
            is_on = place.toggle(field.title, value=is_on, help=field.tooltip)
            found[field.name] = field.on if is_on else field.default
    return found


def _ask_slices(campaign: Campaign, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Ask for parts of the campaign: words to choose, and a range for each column of numbers."""
    cutting = campaign.attributes
    if not cutting:
        return ()
    field = next(field for field in SELECTION_FIELDS if field.name == "slices")
    words = [
        f"{one.name}={name}"
        for one in cutting
        if not one.is_number and len(one.names) <= MOST_WORDS
        for name in one.names
    ]
    known = [one for one in chosen if is_known(campaign, one)]
    slices: list[str] = []
    if words:
        slices += st.multiselect(
            field.title,
            words,
            default=[one for one in known if one in words],
            format_func=_in_words,
            placeholder="everything",
            help=field.tooltip,
        )
    numbers = [one for one in cutting if one.is_number][:MOST_RANGES]
    for one, column in zip(numbers, st.columns(max(len(numbers), 1), gap="large"), strict=False):
        slices += _ask_range(campaign, one, known, column)
    return tuple(slices)


def _ask_range(
    campaign: Campaign, attribute: Attribute, known: list[str], column: DeltaGenerator
) -> list[str]:
    low, high = attribute.ends
    now = next(
        (ends_of(*found) for found in _values(campaign, known) if found[0] == attribute.name),
        (low, high),
    )
    ends = column.slider(
        as_markdown(attribute.name),
        min_value=low,
        max_value=high,
        value=(min(max(now[0], low), high), max(min(now[1], high), low)),
    )
    return [] if ends == (low, high) else [sliced(attribute.name, *ends)]


def _values(campaign: Campaign, slices: list[str]) -> list[tuple[str, str]]:
    found = (attribute_of(campaign, one) for one in slices)
    return [(attribute.name, value) for attribute, value in found if attribute.is_number]


def _in_words(words: str) -> str:
    return words.replace("=", ": ", 1)


def _within(segments: tuple[int, int], first: int, last: int) -> tuple[int, int]:
    low, high = segments
    return min(max(low, first), last), max(min(high, last), first)
