"""What if criteria, or the errors of MQM, had other weights?"""

from __future__ import annotations

import dataclasses

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import MqmWeights
from analysis.escaping import as_markdown
from analysis.findings.criteria import stays_words, weights_headline
from analysis.provenance import Provenance
from analysis.wording import fixed
from dashboard import compute
from dashboard.compute.rankings import criteria_of
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import headline, note, result_card

HIGHEST = 10


NAMED = {"major": "Major error", "minor": "Minor error"}


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for a weight per criterion; show the weighted means and where the winner stays."""
    bar = st.empty()
    criteria = criteria_of(context, progress_in(bar, "Ranking", unit="criteria"))
    bar.empty()
    weights = []
    for column, name in zip(_places(len(criteria.names)), criteria.names, strict=True):
        with column:
            weights.append(
                st.slider(as_markdown(name), 0, HIGHEST, 1, key=f"what.weight.{name}")
            )  # fmt: skip
    if not any(weights):
        weights = [1] * len(weights)
        note("All weights are 0, so the criteria have equal weight.")
    with head.container():
        headline(
            context, "What if", weights_headline(criteria, weights, context.name), of_method=False
        )
    st.markdown(as_markdown(stays_words(criteria, weights, context.name)))
    scaled = pd.DataFrame(criteria.scaled, columns=list(criteria.names))
    frame = pd.DataFrame({"system": criteria.systems, "mean": criteria.weighted(weights)})
    frame = pd.concat([frame, scaled], axis=1).sort_values("mean", ascending=False)
    number = st.column_config.NumberColumn
    result_card(
        context,
        "what-if-weights",
        frame=frame.reset_index(drop=True),
        columns={"system": "System", "mean": number("Weighted mean")},
        formats=dict.fromkeys(("mean", *criteria.names), fixed),
        words=(
            "Scores are in standard deviations of the systems, so that scales of any size can be "
            "added. The weighted mean has no interval."
        ),
    )


def _places(n: int) -> list[DeltaGenerator]:
    """Return a place for each of ``n`` sliders, four in a row."""
    return [column for _ in range(0, n, 4) for column in st.columns(4)][:n]


def ask_errors(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask what a major and a minor error cost; before is what the file's scores were made with."""
    usual = MqmWeights()
    columns = st.columns(len(NAMED))
    chosen = {
        name: float(
            place.slider(
                f"{title}: weight", 0.0, 2 * getattr(usual, name) or 1.0, getattr(usual, name), 0.1,
                key=f"what.mqm.{name}", bind="query-params",
            )
        )
        for place, (name, title) in zip(columns, NAMED.items(), strict=True)
    }  # fmt: skip
    weights = dataclasses.replace(usual, **chosen)
    view = context if weights == usual else _reweighted(context, weights)
    words = f"With {weights.major:g} a major and {weights.minor:g} a minor error"
    show_change(
        context,
        view,
        head,
        "errors",
        words,
        title=f"{words}, the others as usual",
        extra=Provenance(extra=(("weights", weights.signature()),)),
    )


def _reweighted(context: ViewContext, weights: MqmWeights) -> ViewContext:
    """Return the view of the campaign whose scores are made with other weights."""
    scores = context.campaign.scores
    assert scores is not None
    campaign = compute.remember(
        context,
        ("reweighted", weights),
        lambda: context.campaign.with_scores(weights.applied(scores)),
    )
    judged = campaign.judgments(context.pair, context.selection)
    return dataclasses.replace(context, campaign=campaign, judgments=judged)
