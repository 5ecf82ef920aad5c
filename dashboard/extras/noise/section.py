"""Noisy judges: which method stays closest to the gold standard where judges answer at random."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import PodiumError
from analysis.extras.noise.findings import (
    ABOUT,
    PRINTED,
    beside_print,
    losses,
    missing_words,
    noise_finding,
)
from analysis.extras.noise.noisy_judges import (
    NOISES,
    SIZES,
    Noise,
    NoiseDesign,
    NoiseStudy,
    study_noise,
)
from dashboard import compute
from dashboard.extras.noise.figures import noise_figure
from dashboard.figures.theme import in_lines
from dashboard.session.view import ViewContext
from dashboard.typography import thousands
from dashboard.widgets.explain import explain
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import (
    downloads,
    headline,
    note,
    show_figure,
    show_sentences,
    signature,
)

TITLES: dict[Noise, str] = {
    "judges": "Judges: every answer",
    "labels": "Any answer",
    "rankings": "Judges: whole tasks",
}
TIES = {1 / 3: "A third (as in the paper)", 0.2: "A fifth, as ranks of 1 to 5 give", 0.0: "None"}
TRIALS = (5, 10, 20, 50, 100)


TITLE = "Noisy judges"


def show(context: ViewContext) -> None:
    """Offer the study; it takes its time, so that it runs where somebody opens it."""
    headline(
        context,
        "Methods and validation",
        "Which method stays closest to the truth when judges guess",
        of_method=False,
    )
    folded = st.expander(
        "Noisy judges: random answers", icon=":material/casino:", key="stability.noise",
        bind="query-params",
    )  # fmt: skip
    with folded:
        note(ABOUT)
        design = _choose()
        slot = st.empty()
        if not folded.open:
            return
        try:
            study = _study(context, design, slot)
        except PodiumError as error:
            explain(error)
            return
        _show(context, study)


def _choose() -> NoiseDesign:
    left, ties_column, middle, right = st.columns(4, gap="medium")
    noise = left.selectbox(
        "Noise", list(NOISES), format_func=lambda noise: TITLES[noise], key="noise.kind",
        bind="query-params",
        help="\n".join(f"- **{TITLES[noise]}**: {words}" for noise, words in NOISES.items()),
    )  # fmt: skip
    ties = ties_column.selectbox(
        "Ties in the noise", list(TIES), format_func=lambda share: TIES[share], key="noise.ties",
        bind="query-params", disabled=noise == "rankings",
        help=(
            "Judges without any sensitivity never tie in the graded response model, so noise "
            "with many ties is hard for it."
        ),
    )  # fmt: skip
    size = middle.selectbox(
        "Judgments to learn from", SIZES, index=len(SIZES) - 1, format_func=thousands,
        key="noise.size", bind="query-params",
    )  # fmt: skip
    trials = right.select_slider(
        "Draws", TRIALS, value=TRIALS[1], key="noise.trials", bind="query-params",
        help="The paper has 100; each takes a few seconds.",
    )  # fmt: skip
    return NoiseDesign(noise=noise, ties=float(ties), sizes=(int(size),), trials=int(trials))


def _study(context: ViewContext, design: NoiseDesign, slot: DeltaGenerator) -> NoiseStudy:
    """Run in items, which are kept: interrupted work goes on where it stopped."""
    seed = context.certainty.seed
    key = ("noise", design.noise, design.ties, design.sizes, seed)
    bar = progress_in(slot, "Making noise", unit="rankings")

    def run() -> NoiseStudy:
        with compute.resuming_threads(context, key) as threads:
            return study_noise(context.judgments, design, seed=seed, executor=threads, progress=bar)

    found = compute.remember(context, (*key, design), run)
    slot.empty()
    return found


def _show(context: ViewContext, study: NoiseStudy) -> None:
    finding = noise_finding(study)
    figure = noise_figure(study, title=in_lines(finding), mode=context.mode)
    show_figure(figure, "figure.noise")
    show_sentences([words for words in (losses(study), missing_words(study)) if words])
    note(f"Bands: two standard errors of the mean. Published: {PRINTED}.")
    beside = beside_print(study)
    st.dataframe(beside, hide_index=True, column_config=_columns(), width="stretch", placeholder="")
    made_by = str(study.design.provenance | context.provenance)
    signature(made_by)
    downloads("noise", study.to_frame, figure, finding, made_by)
    downloads("noise-beside-print", beside, caption=PRINTED, made_by=made_by)


def _columns() -> dict[str, Any]:
    column = st.column_config
    titles = {
        "graded_response": "Graded response",
        "hopkins_may_minus": "HM −",
        "expected_wins_minus": "EW −",
        "trueskill_minus": "TS −",
        "printed_graded_response": "printed",
        "printed_hopkins_may_minus": "published HM −",
        "printed_expected_wins_minus": "published EW −",
    }
    ahead = "Advantage of the method over the graded response model"
    return {
        "measure": "Measure",
        "noise": column.NumberColumn("Noise", format="percent"),
        **{
            name: column.NumberColumn(
                title, format="%.3f", help=ahead if title.endswith("−") else None
            )
            for name, title in titles.items()
        },
    }
