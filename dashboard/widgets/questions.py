"""Questions of several pages: one of some answers, a part of many systems, whom to leave out, and
the margin within which systems count as practically equal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import streamlit as st

from analysis.campaign import Selection
from analysis.ranking.equivalence import margin_of_chance
from analysis.ranking.verdict import Verdict
from analysis.wording import percent, significant, span
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import note

T = TypeVar("T")


def choose(
    label: str,
    options: Iterable[T],
    key: str,
    *,
    default: T | None = None,
    bind: Literal["query-params"] | None = "query-params",
    **more: Any,
) -> T:
    """Ask for one of several: the first, unless there is a default. The link keeps the answer."""
    names = list(options)
    usual = names[0] if default is None else default
    chosen: T = st.segmented_control(
        label, names, default=usual, required=True, key=key, bind=bind, **more
    )
    return chosen


MANY, PART = 24, 20
"""Above ``MANY`` systems, figures show ``PART`` at a time."""
ALL = -1


def choose_part(n: int) -> slice:
    """Ask for a part of the standings; all of them, without asking, where they fit the screen.

    The axis and the heads stand with every part.
    """
    if n <= MANY:
        return slice(0, n)
    starts = list(range(0, n, PART))
    if n - starts[-1] <= MANY - PART and len(starts) > 1:
        starts.pop()  # A few at the end stand with those before.
    ends = [*starts[1:], n]
    words = {start: span(start + 1, end) for start, end in zip(starts, ends, strict=True)}
    words[ALL] = f"All {n}"
    first = choose(
        "Places", words, f"places.{n}", format_func=words.__getitem__, persist_state="session"
    )
    if first == ALL:
        return slice(0, n)
    return slice(first, ends[starts.index(first)])


def first_part(n: int) -> slice:
    """Return what `choose_part` shows first, where nothing can be asked yet."""
    return slice(0, n if n <= MANY else PART)


def choose_axis(off: Sequence[str]) -> bool:
    """Ask whether systems far ``off`` stand on one axis with the others, once for all pages.

    Where there are none, nothing is asked.
    """
    return bool(off) and st.toggle(
        "One axis for all systems",
        key="whole-axis",
        bind="query-params",
        persist_state="session",
        help="Otherwise a system far from the others is an arrow at the edge of the axis.",
    )


WITHOUT = "Without someone"
"""The question of What if that leaving out is."""
MOST_NAMED = 3
"""Names of those left out that a sentence has; the rest is a number."""
SYSTEMS, JUDGES = "what.systems", "what.judges"


def choose_judges(context: ViewContext) -> list[str]:
    """Return the judges to leave out: one choice, on this page and on Judges."""
    judgments = context.judgments
    present = sorted({judgments.judges[k] for k in set(judgments.task_judge.tolist())})
    return list(
        st.multiselect(
            "Leave out judges",
            present,
            key=JUDGES,
            placeholder="none",
            select_all=False,
            persist_state="session",
            on_change=ask_in_what_if,
        )
    )


def ask_in_what_if() -> None:
    """Make this the question that What if opens with."""
    state.choose_in_callback(state.QUESTION, WITHOUT)


def without(context: ViewContext, systems: Sequence[str], judges: Sequence[str]) -> Selection:
    """Return the view's selection with more left out."""
    chosen = context.selection
    return dataclasses.replace(
        chosen,
        exclude_systems=(*chosen.exclude_systems, *systems),
        exclude_judges=(*chosen.exclude_judges, *judges),
    )


def offer(context: ViewContext, selection: Selection) -> None:
    """Offer to go back, and to leave the same out everywhere."""
    nobody = selection == context.selection
    with st.container(horizontal=True, gap="small"):
        st.button("Include all", icon=":material/undo:", disabled=nobody, on_click=_go_back)
        st.button(
            "Leave out on every page",
            icon=":material/filter_alt:",
            key="what.everywhere",
            help="Adds a filter tag at the top of the page; click its × to undo.",
            disabled=nobody,
            on_click=_leave_out_everywhere,
            args=(context, selection),
        )


def _go_back() -> None:
    state.choose_in_callback(SYSTEMS, [])
    state.choose_in_callback(JUDGES, [])


def _leave_out_everywhere(context: ViewContext, selection: Selection) -> None:
    chosen = state.selection_of(context.campaign)
    # The session's selection also holds systems of other language pairs.
    systems = dict.fromkeys((*chosen.exclude_systems, *selection.exclude_systems))
    changed = dataclasses.replace(selection, exclude_systems=tuple(systems))
    state.select(context.campaign, changed)
    _go_back()


SHARE = 0.05
"""The margin that is proposed, of the distance between the best score and the worst."""
CHANCES = (0.01, 0.02, 0.03, 0.05, 0.1)
"""Margins in win probability that can be chosen."""
BY_SCORE, BY_CHANCE = "Difference of scores", "Win probability"


def ask_margin(context: ViewContext, usual: float = 0.0) -> float:
    """Ask for the largest difference that would not change a decision; ``usual`` if none is given.

    It is in units of the score, or in win probability where the method has a formula for that.
    """
    if context.ranker.points_per_logit is not None:
        kinds = (BY_SCORE, BY_CHANCE)
        unit = choose("Practically equal by", kinds, "equal.unit", persist_state="session")
        if unit == BY_CHANCE:
            return _ask_chance(context)
    margin = st.number_input(
        f"Practically equal within, in {context.ranker.score_label}",
        min_value=0.0,
        value=None,
        placeholder=f"{usual:.3g}" if usual else "none",
        format="%.3g",
        key="equal",
        bind="query-params",
        persist_state="session",
        width=320,
        help="The largest difference that would not change your decision. Two systems are equal "
        "if the whole interval of their difference, valid for all pairs together, lies within "
        "it (two one-sided tests, Schuirmann 1987).",
    )
    return float(margin or usual)


def _ask_chance(context: ViewContext) -> float:
    chance = st.select_slider(
        "Practically equal within (win probability, away from 50%)", CHANCES, value=SHARE,
        format_func=percent, key="equal.chance", bind="query-params", persist_state="session",
        width=320,
    )  # fmt: skip
    margin = margin_of_chance(context.ranker, float(chance))
    low, high = percent(0.5 - chance), percent(0.5 + chance)
    note(f"A win probability from {low} to {high} is a difference of {margin:.3g} in the score.")
    return margin


def usual_margin(verdict: Verdict) -> float:
    """Return a round margin to begin with: a twentieth of the distance from best to worst."""
    scores = verdict.scores[~np.isnan(verdict.scores)]
    distance = float(np.ptp(scores)) if len(scores) else 0.0
    return float(significant(SHARE * distance, 1)) if distance else SHARE
