"""Experiments: one question, answered by simulated campaigns or by the one at hand."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import PodiumError
from analysis.extras.validation.paper_claims import (
    COVERS,
    LEVEL,
    claims_finding,
    claims_frame,
    run_claims,
)
from dashboard import compute
from dashboard.extras.validation.growing import section as growing
from dashboard.extras.validation.noise import section as noise
from dashboard.extras.validation.simulations import (
    show_errors,
    show_needed,
    show_ranges,
    show_spread,
)
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, explain, headline, note, show_frame, signature


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
    show_frame(
        frame.drop(columns="bound"), placeholder="",
        columns={
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


QUESTIONS: dict[str, Callable[[ViewContext], str]] = {
    "Which method errs least?": show_errors,
    "Do rank ranges and clusters contain the truth?": show_ranges,
    "How many judgments separate the systems?": show_needed,
    "How hard are these systems to separate?": show_spread,
    "Are the papers' main claims true here?": show_claims,
    **growing.QUESTIONS,
    **noise.QUESTIONS,
}
"""Each shows its answer and returns the finding."""

SIMULATED = frozenset({show_errors, show_ranges, show_needed})
"""Those whose campaigns are made up: not under the language pair at hand."""


def show_experiments(context: ViewContext, head: DeltaGenerator) -> None:
    """Answer one question; until the answer is there, the question is the headline."""
    asked = str(
        st.selectbox("Question", list(QUESTIONS), key="experiment", bind="query-params", width=420)
    )
    of_pair = QUESTIONS[asked] not in SIMULATED
    _head(context, head, asked, of_pair)
    try:
        finding = QUESTIONS[asked](context)
    except PodiumError as error:
        explain(error)
        return
    _head(context, head, finding, of_pair)


def _head(context: ViewContext, head: DeltaGenerator, sentence: str, of_pair: bool) -> None:
    page = "Methods and validation" if of_pair else "Methods and validation · simulated campaigns"
    with head.container():
        headline(context, page, sentence, of_method=False, of_pair=of_pair, of_data=of_pair)
