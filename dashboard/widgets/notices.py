"""What limits a ranking, what Podium left out or counted twice unasked, and the user's filters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import streamlit as st

from analysis.campaign import DEFAULT_SELECTION, SELECTION_FIELDS, Selection, SelectionField
from analysis.escaping import as_html, as_markdown
from analysis.findings.changes import describe, describe_order
from analysis.findings.judges import flagged_judges
from analysis.findings.overview import caution_words, checks_passed, trust_state
from analysis.findings.standings import evidence, own_words
from analysis.names import middle_cut
from analysis.ranking.comparison_checks import SEVERITIES, Finding
from analysis.wording import EN_DASH, listed
from dashboard import compute
from dashboard.compute.rankings import remembered_quick
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import show_sentences

MOST_NAMED = 4


def show_notices(context: ViewContext) -> None:
    """Name human references that are left out, and exact copies that count twice."""
    references = context.judgments.references_left_out
    if references:
        names = listed([context.name(name) for name in references], MOST_NAMED)
        verb, them = ("is", "it") if len(references) == 1 else ("are", "them")
        _offer(
            context,
            f"{names} {verb} left out: human references do not compete.",
            f"Rank {them} too",
            "rank-references",
            references=True,
        )
    for oddity in () if context.report is None else context.report.oddities:
        if oddity.kind == "identical-files":
            st.caption(f":material/info: {as_markdown(oddity.sentence)}")
    _show_left_out(context)
    copies = [one for one in compute.preflight_findings(context) if one.kind == "duplicates"]
    if copies and state.selection_of(context.campaign).copies == "kept":
        dropped = dataclasses.replace(state.selection_of(context.campaign), copies="dropped")
        without = remembered_quick(compute.with_selection(context, dropped)).answer
        now = remembered_quick(context).answer
        effect = describe(now, without, context.name)
        if context.certainty.is_official:  # whose clusters take resampling
            effect = describe_order(now.names, without.names, context.name) or "the same order"
        _offer(
            context,
            f"{copies[0].finding} Without them: {effect}.",
            "Drop exact copies",
            "drop-copies",
            icon=copies[0].severity.replace("note", "info"),
            copies="dropped",
        )


def _show_left_out(context: ViewContext) -> None:
    """Say how many rows of the file were left out, and where the reasons are."""
    words = "" if context.report is None else context.report.left_out_words()
    data = state.page("data")
    if not words or data is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/info: {as_markdown(words)}", width="stretch")
        st.page_link(data, label="Show the reasons on Data")


def _offer(
    context: ViewContext, words: str, label: str, key: str, icon: str = "info", **changes: object
) -> None:
    """Show one notice with the button that changes what is used, on every page."""
    chosen = state.selection_of(context.campaign)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":material/{icon}: {as_markdown(words)}", width="stretch")
        st.button(
            label,
            key=key,
            width="content",
            help="Adds a filter tag at the top of the page; click its × to undo.",
            on_click=state.select,
            args=(context.campaign, dataclasses.replace(chosen, **changes)),  # type: ignore[arg-type]
        )


AT_ONCE = 4
"""Findings shown before the rest is folded away."""


def show_checks(context: ViewContext) -> None:
    """Fold what limits this ranking under how many checks passed, whose state is visible."""
    found = findings(context)
    passed = checks_passed(
        context.judgments,
        found,
        compute.agreement_to_trust(context),
        by_scores=context.ranker.needs_scores,
        more=[said for said in compute.extra_checks(context) if isinstance(said, str)],
    )
    state = trust_state(passed, found)
    with st.expander(f"Before you trust it: {state}", icon=":material/verified_user:"):
        _show_findings(found, passed)


def show_gravest(context: ViewContext) -> None:
    """Show the gravest problem or warning in a line; copies have a notice with a button."""
    found = compute.gravest_of(context)
    if found is not None and found.kind != "duplicates":
        words = as_html(caution_words(found))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<div class="podium-finding podium-{found.severity}"><p>{words}</p></div>')
            _offer_room(found, "gravest")


def _show_findings(found: tuple[Finding, ...], passed: tuple[str, ...]) -> None:
    """Show the findings, the gravest first, then the checks that found nothing."""
    _show_each(found[:AT_ONCE])
    if len(found) > AT_ONCE:
        with st.expander(f"{len(found) - AT_ONCE} more"):
            _show_each(found[AT_ONCE:])
    if passed:
        st.markdown("**Checks passed**" if found else "**All checks passed**")
        show_sentences(passed)


def _show_each(found: tuple[Finding, ...]) -> None:
    for finding in found:
        st.html(_as_html(finding))
        _offer_room(finding, "check")


def _offer_room(finding: Finding, place: str) -> None:
    """Offer to open the page that shows more of a finding, if there is one."""
    page = state.page(finding.room)
    if page is not None and finding.question:
        st.button(
            f"Open {finding.question}", key=f"{place}.{finding.kind}",
            on_click=_ask, args=(finding.room, finding.question),
        )  # fmt: skip
    elif page is not None:  # which may be unlisted, where only a link leads
        st.page_link(page, label=f"Open {page.title}")


def _ask(room: str, question: str) -> None:
    state.choose_in_callback(state.QUESTION, question)
    state.want_page(room)


def findings(context: ViewContext) -> tuple[Finding, ...]:
    """Return all that limits this ranking: of the judgments, the method, and the judges."""
    found = [
        *compute.preflight_findings(context),
        *compute.limits_by_method(context),
        *_flagged_judges(context),
    ]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def _flagged_judges(context: ViewContext) -> tuple[Finding, ...]:
    """Return a finding where the page Judges flags somebody."""
    if len(np.unique(context.judgments.task_judge)) < 2:
        return ()
    return flagged_judges(compute.judge_by_judge(context))


def _as_html(finding: Finding) -> str:
    return (
        f'<div class="podium-finding podium-{finding.severity}">'
        f"<small>{finding.severity.capitalize()}</small>"
        f"<p><b>{as_html(finding.finding)}</b></p>"
        f"<p>{as_html(finding.meaning)}</p><p>{as_html(finding.remedy)}</p></div>"
    )


MAX_CHIPS = 8
NAME_WIDTH = 26


def show_chips(context: ViewContext) -> None:
    """Show what the selection changes, each with a cross that takes it back."""
    selection = context.selection
    if selection == DEFAULT_SELECTION and not state.can_undo(context.campaign):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="chips"):
        if selection == DEFAULT_SELECTION:
            st.markdown(own_words(context.judgments, "All judgments are used."), width="content")
            _offer_undo(context)
            return
        st.markdown(f"Using {evidence(context.judgments)}:", width="content")
        for number, (label, without) in enumerate(_chips(context)):
            st.button(
                label,
                key=f"chip.{number}",
                icon=":material/close:",
                help="Undo this",
                on_click=state.select,
                args=(context.campaign, without),
            )
        st.button(
            "Clear all",
            key="chip.clear",
            type="tertiary",
            on_click=state.select,
            args=(context.campaign, DEFAULT_SELECTION),
        )
        if state.can_undo(context.campaign):
            _offer_undo(context)


def _offer_undo(context: ViewContext) -> None:
    """Offer to go one step back; again, and so on."""
    st.button(
        "Undo last change",
        key="chip.undo",
        icon=":material/undo:",
        type="tertiary",
        help="Restore the previous filters",
        on_click=state.undo_selection,
        args=(context.campaign,),
    )


def _chips(context: ViewContext) -> Iterator[tuple[str, Selection]]:
    """Yield each chip's label and the selection without it."""
    selection = state.selection_of(context.campaign)
    for chosen in SELECTION_FIELDS:
        value = getattr(selection, chosen.name)
        taken_back = _changed(selection, chosen, chosen.default)
        if value == chosen.default:
            continue
        if chosen.kind == "switch":
            yield chosen.chip, taken_back
        elif chosen.kind == "range":
            yield chosen.chip.format(EN_DASH.join(map(str, value))), taken_back
        elif chosen.kind == "slices":
            for words in value:
                rest = tuple(other for other in value if other != words)
                label = middle_cut(words.replace("=", ": ", 1), NAME_WIDTH)
                yield chosen.chip.format(as_markdown(label)), _changed(selection, chosen, rest)
        elif chosen.kind == "number":
            yield chosen.chip.format(f"{value:g}"), taken_back
        else:
            yield from _name_chips(context, selection, chosen)


def _name_chips(
    context: ViewContext, selection: Selection, chosen: SelectionField
) -> Iterator[tuple[str, Selection]]:
    """Yield a chip for each name, or one for all of many; other pairs' systems have none here."""
    names: tuple[str, ...] = getattr(selection, chosen.name)
    is_system = chosen.kind == "systems"
    here = getattr(context.selection, chosen.name) if is_system else names
    shown = [name for name in names if name in here]
    if len(shown) > MAX_CHIPS:
        label = chosen.chip.format(f"{len(shown)} {chosen.kind}")
        yield label, _changed(selection, chosen, ())
        return
    for name in shown:
        short = middle_cut(context.name(name) if is_system else name, NAME_WIDTH)
        rest = tuple(other for other in names if other != name)
        yield chosen.chip.format(as_markdown(short)), _changed(selection, chosen, rest)


def _changed(selection: Selection, chosen: SelectionField, value: Any) -> Selection:
    return dataclasses.replace(selection, **{chosen.name: value})
