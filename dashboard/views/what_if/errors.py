"""What if errors of MQM cost more or less?"""

from __future__ import annotations

import dataclasses

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import MqmWeights
from analysis.provenance import Provenance
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change

NAMED = {"major": "Major error", "minor": "Minor error"}


def ask(context: ViewContext, head: DeltaGenerator) -> None:
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
