"""A campaign that has not begun: what a design will show, what it costs, and its first tasks."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import Judgments, distinct
from analysis.findings.design import compared_pairs, design_sentences, prospect_finding
from analysis.findings.planning import failed
from analysis.findings.standings import own_words
from analysis.next_campaign.choosing_matches import usual_outputs
from analysis.next_campaign.design import (
    TYPICAL,
    Components,
    Grows,
    Prospect,
    components_of,
    design,
    first_tasks,
    foresee,
)
from analysis.rankers import default_method, ranker_class
from analysis.ranking.verdict import reach_verdict
from analysis.wording import capital, percent, thousands
from dashboard import compute
from dashboard.figures.scenes import power_figure
from dashboard.session.view import ViewContext
from dashboard.views.next.plan import recalled_back_test, show_back_test
from dashboard.views.next.settings import choose_minutes
from dashboard.widgets.result_card import headline, note, result_card

LIKE = "this campaign"
AS_TASKS, ALONE, UNNAMED = "{} (as tasks)", "each segment alone", "not named"
GROWING = (
    "Empty: as in this campaign, and growing with the tasks, as on Stop or continue. A number "
    "that you enter stays the same however many tasks there are."
)
NEW_SYSTEMS = (
    "A new campaign has new systems that differ as much as these do. Stop or continue forecasts "
    "these same systems, so its numbers differ."
)
USUAL_JUDGES, USUAL_SEGMENTS = 20, 400
COLUMNS = {
    "power": "Power",
    "tiers": "Tiers (median)",
    "winner": "Winner named",
}


def _tasks_column(counted: str) -> Any:
    return st.column_config.NumberColumn(capital(counted), format="localized")


def show_new_campaign(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for a design, and show its power, its tiers, its cost and the tasks to start with."""
    prospect, minutes, hourly = _choose(context)
    verdict, now = compute.verdict(context), None
    is_like = prospect.design.effect is None and not verdict.is_official
    tested = recalled_back_test(context) if is_like else None
    with head:
        headline(context, "Next", prospect_finding(prospect, tested), of_method=False)
    sentences = " ".join(design_sentences(prospect, minutes, hourly))
    warned = st.empty()
    st.markdown(own_words(context.judgments, sentences))
    if prospect.design.effect is None:
        note(NEW_SYSTEMS)
    checked = st.empty()
    if is_like:
        now = context.judgments.n_tasks, verdict.share_significant
    title = f"Power by the number of {prospect.counted}"
    figure = power_figure(prospect, now=now, title=title, mode=context.mode)
    result_card(
        context,
        "new-campaign",
        figure=figure,
        frame=prospect.table,
        columns={**COLUMNS, "tasks": _tasks_column(prospect.counted)},
        formats={"power": percent, "winner": percent, "tiers": "{:.0f}".format},
        words=(
            f"Power: the share of the {compared_pairs(prospect)} that differ significantly. "
            f"Filled: the design. {'Hollow: the present campaign.' if now else ''}"
        ),
        made_by=prospect.signature,
    )

    def make() -> bytes:
        return first_tasks(prospect.design, context.certainty.seed).to_csv()

    if is_like:
        checked_now = show_back_test(context, verdict, None, checked, warned)
        if tested is None and checked_now is not None and failed(checked_now):
            st.rerun()  # the headline must not say what the check refutes
    name, mime = "first-tasks.csv", "text/csv"
    st.download_button(
        own_words(context.judgments, "First tasks"), compute.fetched(make, mime, name), name, mime,
        icon=":material/download:", on_click="ignore", key="download.first tasks",
    )  # fmt: skip


def _choose(context: ViewContext) -> tuple[Prospect, float | None, float | None]:
    """Ask for the design; what is left empty is as in the campaign at hand."""
    at_hand = compute.remember(context, ("components",), lambda: _components_here(context))
    sizes = sizes_here(context.judgments)
    first, second, third = st.columns(3, gap="large")
    number = st.number_input
    with first:
        effect = number(
            "Difference of neighbors", min_value=0.001, max_value=0.499, value=None, step=0.01,
            format="%.3f", placeholder=f"as in {LIKE}", key="new.effect", bind="query-params",
            help="0.05: the better of two adjacent systems wins 55% of their decided comparisons.",
        )  # fmt: skip
        systems = number(
            "Systems", 2, 100, sizes["systems"], key="new.systems", bind="query-params"
        )
        outputs = 2 if context.judgments.are_votes else number(
            "Outputs per task", 2, 20, usual_outputs(context.judgments), key="new.outputs",
            bind="query-params",
        )  # fmt: skip
    with second:
        units: tuple[Grows, ...] = ("judges", "segments", "documents")
        if context.judgments.are_votes and sizes["documents"] is None:
            units = ("judges", "segments")
        given = {
            unit: number(
                own_words(context.judgments, unit.capitalize()), 2, 100_000, None,
                key=f"new.{unit}", bind="query-params",
                help=own_words(context.judgments, GROWING),
                placeholder=own_words(
                    context.judgments,
                    UNNAMED if unit.removesuffix("s") in at_hand.unknown
                    else AS_TASKS.format(thousands(size)) if (size := sizes[unit]) else ALONE,
                ),
            )
            for unit in units
        }  # fmt: skip
    with third:
        hours = number(
            "Total hours of judges", 0.1, 1e6, None, key="new.hours", bind="query-params",
            placeholder=own_words(
                context.judgments, f"{thousands(context.judgments.n_tasks)} tasks if empty"
            ),
        )  # fmt: skip
        shown = min(int(outputs), int(systems))
        minutes = choose_minutes(context, shown)
        hourly = number("Cost per hour", 0.0, 1e6, None, key="new.price", bind="query-params")
        # Without a stated difference, systems and variances are those of the campaign.
        asked = effect is not None and not at_hand.is_scored
        own = asked and st.toggle(f"Variances of {LIKE}", key="new.own", bind="query-params")
    components = at_hand if own or not asked else TYPICAL
    sizes_of = {unit: sizes[unit] for unit in ("judges", "segments", "documents")}
    planned = design(
        **(sizes_of | {unit: int(n) for unit, n in given.items() if n is not None}),
        effect=effect, systems=int(systems), outputs=int(outputs), hours=hours,
        tasks=context.judgments.n_tasks, minutes_per_task=minutes, components=components,
        growing=tuple(unit for unit in units if given[unit] is None),
    )  # fmt: skip
    seed, level = context.certainty.seed, context.certainty.level
    prospect = compute.remember(
        context,
        ("design", planned, components, level, seed),
        lambda: foresee(planned, components, level=level, seed=seed),
    )
    return prospect, minutes, hourly


def sizes_here(judgments: Judgments) -> dict[str, Any]:
    """Return the sizes of the campaign, as a form takes them; usual ones where they are unknown."""
    judges = len(distinct(judgments.task_judge))
    segments = len(distinct(judgments.task_segment))
    documents = None
    if judgments.task_document is not None:
        documents = max(len(distinct(judgments.task_document)), 2)
    return {
        "systems": min(judgments.n_systems, 100),
        "judges": judges if judges > 1 else USUAL_JUDGES,
        "segments": segments if segments > 1 else USUAL_SEGMENTS,
        "documents": documents,
    }


def _components_here(context: ViewContext) -> Components:
    judgments = context.judgments
    ranker = ranker_class(default_method(context.campaign))()
    verdict = reach_verdict(ranker.fit(judgments, context.certainty.seed))
    return components_of(judgments, verdict, LIKE)
