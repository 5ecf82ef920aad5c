"""A campaign that has not begun: what a design will show, what it costs, and its first tasks."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.design import compared_pairs, design_sentences, prospect_finding
from analysis.next_campaign.design import (
    TYPICAL,
    Components,
    Prospect,
    components_of,
    design,
    first_tasks,
    foresee,
)
from analysis.next_campaign.elicitation import usual_outputs
from analysis.rankers import default_method, ranker_class
from analysis.ranking.verdict import reach_verdict
from dashboard import compute
from dashboard.figures.scenes import power_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import headline, result_card

LIKE = "this campaign"
COLUMNS = {
    "tasks": st.column_config.NumberColumn("Tasks", format="localized"),
    "power": st.column_config.NumberColumn("Power", format="percent"),
    "tiers": st.column_config.NumberColumn("Tiers (median)", format="%d"),
    "winner": st.column_config.NumberColumn("Winner named", format="percent"),
}


def show_new_campaign(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for a design, and show its power, its tiers, its cost and the tasks to start with."""
    prospect, hourly = _choose(context)
    with head:
        headline(context, "Next", prospect_finding(prospect), of_method=False)
    st.markdown(" ".join(design_sentences(prospect, None, hourly)))
    figure = power_figure(prospect, title="Power by the number of tasks", mode=context.mode)
    result_card(
        context,
        "new-campaign",
        figure=figure,
        frame=prospect.curve,
        columns=COLUMNS,
        words=(
            f"Power: how often {compared_pairs(prospect).lower()} differ significantly, with "
            "the judges, segments and documents above."
        ),
        made_by=prospect.signature,
    )

    def make() -> bytes:
        return first_tasks(prospect.design, context.certainty.seed).to_csv()

    name, mime = "first-tasks.csv", "text/csv"
    st.download_button(
        "First tasks", compute.fetched(make, mime, name), name, mime,
        icon=":material/download:", on_click="ignore", key="download.first tasks",
    )  # fmt: skip


def _choose(context: ViewContext) -> tuple[Prospect, float | None]:
    """Ask for the design; an empty effect lets systems differ as those at hand do."""
    at_hand = compute.remember(context, ("components",), lambda: _components_here(context))
    first, second, third = st.columns(3, gap="large")
    number = st.number_input
    with first:
        effect = number(
            "Difference of neighbors", min_value=0.001, max_value=0.499, value=None, step=0.01,
            format="%.3f", placeholder=f"as in {LIKE}", key="new.effect", bind="query-params",
            help="0.05: the better of two adjacent systems wins 55% of their decided comparisons.",
        )  # fmt: skip
        systems = number("Systems", 2, 100, 8, key="new.systems", bind="query-params")
        outputs = number(
            "Outputs per task",
            2,
            20,
            usual_outputs(context.judgments),
            key="new.outputs",
            bind="query-params",
        )
    with second:
        judges = number("Judges", 2, 1000, 20, key="new.judges", bind="query-params")
        segments = number("Segments", 2, 100_000, 400, key="new.segments", bind="query-params")
        documents = number(
            "Documents", 2, 100_000, None, key="new.documents", bind="query-params",
            placeholder="each segment alone",
        )  # fmt: skip
    with third:
        hours = number(
            "Total hours of judges", 0.1, 1e6, None, key="new.hours", bind="query-params",
            placeholder="each output once",
        )  # fmt: skip
        hourly = number("Price per hour", 0.0, 1e6, None, key="new.price", bind="query-params")
        # Without a stated difference, systems and variances are those of the campaign.
        asked = effect is not None and not at_hand.is_scored
        own = asked and st.toggle(f"Variances of {LIKE}", key="new.own", bind="query-params")
    components = at_hand if own or not asked else TYPICAL
    planned = design(
        judges=int(judges), segments=int(segments), effect=effect, systems=int(systems),
        outputs=int(outputs), documents=None if documents is None else int(documents),
        hours=hours, components=components,
    )  # fmt: skip
    seed = context.certainty.seed
    prospect = compute.remember(
        context,
        ("design", planned, components, seed),
        lambda: foresee(planned, components, seed=seed),
    )
    return prospect, hourly


def _components_here(context: ViewContext) -> Components:
    judgments = context.judgments
    ranker = ranker_class(default_method(context.campaign))()
    verdict = reach_verdict(ranker.fit(judgments, context.certainty.seed))
    return components_of(judgments, verdict, LIKE)
