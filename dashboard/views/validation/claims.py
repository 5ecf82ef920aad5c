"""Claims of the papers: each main sentence, tested on the campaign at hand."""

from __future__ import annotations

import streamlit as st

from analysis.prediction.paper_claims import (
    COVERS,
    LEVEL,
    claims_finding,
    claims_frame,
    run_claims,
)
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, note, signature


def show_claims(context: ViewContext) -> str:
    """Show what these judgments say of every claim."""
    slot, seed = st.empty(), context.certainty.seed
    bar = progress_in(slot, "Testing", unit="claims")
    tested = compute.remember(
        context, ("claims", seed), lambda: run_claims(context.judgments, seed, bar)
    )
    slot.empty()
    finding, frame = claims_finding(tested), claims_frame(tested)
    number = st.column_config.NumberColumn
    st.dataframe(
        frame.drop(columns="bound"), hide_index=True, width="stretch", placeholder="",
        column_config={
            "paper": "Paper", "claim": "Claim", "verdict": "This campaign", "reason": "Why not",
            "difference": "Measured", "if_false": "Power is that", "value": number(format="%.3f"),
            "low": number(f"{LEVEL:.0%} from", format="%.3f"), "high": number("to", format="%.3f"),
            "power": number("Power to refute", format="percent"),
        },
    )  # fmt: skip
    note(
        "Power is the probability that these judgments would refute the claim if it were false. "
        f"{COVERS}"
    )
    made_by = f"claims|seed:{seed}|{context.provenance}"
    signature(made_by)
    downloads("claims", frame, None, finding, made_by)
    return finding
