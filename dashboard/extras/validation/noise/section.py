"""Noisy judges: which method stays closest to the gold standard where judges answer at random."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.extras.validation.noise.findings import (
    ABOUT,
    PRINTED,
    beside_print,
    losses,
    metric_finding,
    missing_words,
    noise_finding,
)
from analysis.extras.validation.noise.noisy_judges import (
    NOISES,
    SHARES,
    SIZES,
    Noise,
    NoiseDesign,
    NoiseStudy,
    study_noise,
    synthetic_metric,
)
from analysis.rankers.graded_response.graded_response import parse_metric_scores
from analysis.wording import count, percent, thousands
from dashboard import compute
from dashboard.extras.validation.noise.figures import baselines_figure, noise_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import (
    downloads,
    note,
    show_figure,
    show_frame,
    show_sentences,
    signature,
)

TITLES: dict[Noise, str] = {
    "judges": "Judges: every answer",
    "labels": "Any answer",
    "rankings": "Judges: whole tasks",
}
TIES = {1 / 3: "A third (as in the paper)", 0.2: "A fifth, as ranks of 1 to 5 give", 0.0: "None"}
TRIALS = (2, 5, 10, 20, 50, 100)
QUALITIES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
FEWEST = 3


def _show_noise(context: ViewContext) -> str:
    """Show which method stays closest to the gold standard where judges guess."""
    shown = st.container()
    with st.expander("Settings of this page", icon=":material/tune:"):
        note(ABOUT)
        design = _choose()
    with shown:
        study = _study(context, design, st.empty())
        _show(context, study)
    return noise_finding(study)


QUESTIONS = {"Which method is best if judges guess?": _show_noise}


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
    sizes = middle.multiselect(
        "Judgments to learn from", SIZES, default=SIZES[-1:], format_func=thousands,
        key="noise.size", bind="query-params",
    )  # fmt: skip
    shares = st.multiselect(
        "Share that is noise", SHARES, default=SHARES, format_func=percent, key="noise.shares",
        bind="query-params",
    )  # fmt: skip
    trials = right.select_slider(
        "Draws", TRIALS, value=TRIALS[1], key="noise.trials", bind="query-params",
        help="The paper has 100. Each draw tries every system as the baseline.",
    )  # fmt: skip
    return NoiseDesign(
        noise=noise, ties=float(ties), sizes=tuple(sorted(sizes)), trials=int(trials),
        shares=tuple(sorted(shares)),
    )  # fmt: skip


def _study(context: ViewContext, design: NoiseDesign, slot: DeltaGenerator) -> NoiseStudy:
    """Run in items, which are kept: interrupted work goes on where it stopped."""
    seed = context.certainty.seed
    key = ("noise", design.noise, design.ties, design.sizes, design.shares, seed)
    bar = progress_in(slot, "Making noise", unit="rankings")

    def run() -> NoiseStudy:
        with compute.resuming_threads(context, key) as threads:
            return study_noise(context.judgments, design, seed=seed, executor=threads, progress=bar)

    found = compute.remember(context, (*key, design), run)
    slot.empty()
    return found


def _show(context: ViewContext, study: NoiseStudy) -> None:
    finding = noise_finding(study)
    figure = noise_figure(study, title=finding, mode=context.mode)
    show_figure(figure, "figure.noise")
    if len(study.design.shares) > 1:
        for k, size in enumerate(study.design.sizes[:-1]):
            smaller = f"The same after {count(size, 'judgment')}"
            drawn = noise_figure(study, title=smaller, mode=context.mode, size=k)
            show_figure(drawn, f"figure.noise-{size}")
    show_sentences([words for words in (losses(study), missing_words(study)) if words])
    note(f"Bands: two standard errors of the mean. Published: {PRINTED}.")
    beside = beside_print(study)
    show_frame(beside, _columns(), placeholder="")
    made_by = str(study.design.provenance | context.provenance)
    signature(made_by)
    downloads("noise", study.to_frame, figure, finding, made_by)
    downloads("noise-beside-print", beside, caption=PRINTED, made_by=made_by)
    _show_baselines(context, study, made_by)


def _show_baselines(context: ViewContext, study: NoiseStudy, made_by: str) -> None:
    """Show what each baseline leads to, and which one a metric would have chosen (Figure 4)."""
    st.markdown("## Does a metric choose a good baseline?")
    left, middle, right = st.columns(3, gap="medium")
    size = left.selectbox(
        "Judgments", study.design.sizes, index=len(study.design.sizes) - 1, format_func=thousands,
        key="noise.metric-size",
    )  # fmt: skip
    share = middle.selectbox("Noise", study.design.shares, format_func=percent, key="noise.share")
    quality = right.select_slider(
        "Synthetic metric: correlation with the truth", QUALITIES, value=0.8,
        key="noise.metric-quality", bind="query-params",
    )  # fmt: skip
    words = st.text_input(
        "Metric scores of your own", placeholder="online-B=31.2, uedin=29", key="noise.metric",
        help="Written name=score, by comma; without them, synthetic scores are drawn.",
    )  # fmt: skip
    own = parse_metric_scores(words or "")
    seed = context.certainty.seed
    metric = own or synthetic_metric(study.systems, study.gold, float(quality), seed)
    frame = study.baselines_frame(metric)
    frame = frame[(frame["noise"] == share) & (frame["size"] == size)].drop(
        columns=["noise", "size", "trials"]
    )
    finding = metric_finding(frame, context.name)
    if frame["metric"].notna().sum() < FEWEST:
        note(f"{finding}.")
        return
    figure = baselines_figure(frame, title=finding, name=context.name, mode=context.mode)
    show_figure(figure, "figure.noise-baselines")
    note("As in Otani et al. (2016), Figure 4: the dashed line is the mean of the metric scores.")
    downloads("noise-baselines", frame, figure, finding, made_by)


def _columns() -> dict[str, Any]:
    column = st.column_config
    titles = {
        "graded_response": "Graded response",
        "hopkins_may_minus": "HM −",
        "expected_wins_minus": "EW −",
        "trueskill_minus": "TS −",
        "printed_graded_response": "published",
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
