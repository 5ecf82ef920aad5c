"""Model selection: which method to believe, by how well it predicts judgments it has not seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.escaping import as_html, as_markdown
from analysis.extras.validation.prediction.findings import (
    probability_words,
    published_words,
    speaks_for,
    split_words,
    verdict,
)
from analysis.extras.validation.prediction.paired import PairedComparison
from analysis.findings.measured import default_method_frame
from analysis.findings.scored import ONLY_MEANS
from analysis.presets import PRESETS
from analysis.wording import capital, count
from dashboard import compute
from dashboard.extras.validation import held_out
from dashboard.extras.validation.experiment_form import curve_form, experiment_form
from dashboard.extras.validation.held_out import MODEL_TITLES, Experiment, Outcome
from dashboard.extras.validation.learning import show_curves
from dashboard.extras.validation.model_figures import calibration_figure, difference_figure
from dashboard.extras.validation.model_tables import (
    comparison_columns,
    comparison_screen,
    comparison_table,
    pairs_columns,
    pairs_table,
    printed_accuracies,
    to_best_words,
)
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import (
    downloads,
    headline,
    note,
    show_figure,
    show_frame,
    signature,
)

DEFAULT_METHOD_WORDS = (
    "Share of unseen outcomes predicted correctly, and perplexity: guessing among win, tie and "
    "loss gives 3, lower is better. Ten folds by task."
)


def show_model_selection(context: ViewContext, head: DeltaGenerator) -> None:
    """Show which method predicts best, as a preset asks."""
    if context.judgments.scores is not None and not len(context.judgments):
        _head(context, head, ONLY_MEANS)
        note(
            "Methods are compared by the pairwise judgments that they predict, and there are none."
        )
        return
    with st.container(key="progress"):
        slot = st.empty()
    comparison = st.container()
    with st.expander("Settings of this page", icon=":material/tune:"):
        context = _as_paper(context)
        experiment = experiment_form(context)
        plan = curve_form(context, experiment)
    calibration = st.expander("Calibration: are the predicted probabilities right?")
    curves = st.expander("Learning curves: accuracy by number of judgments")
    pairs = st.container()
    with comparison:
        outcome = _compare(context, experiment, head, slot)
    with calibration:
        predicted = outcome.comparison.standings
        figure = compute.drawn(context, calibration_figure, predicted)
        show_figure(figure, "figure.calibration")
        note(
            "One panel per method: how often predictions came true at each stated probability, "
            f"with 95% intervals for {speaks_for(outcome.comparison)}. Each judgment is predicted "
            "twice: does the left system win, does the right one? Points on the dashed line are "
            "right; bars show the distribution of predictions. A method that states nearly the "
            "same probability for all pairs can be well calibrated and predict poorly."
        )
    with curves:
        show_curves(context, experiment, plan, slot)
    with pairs:
        _show_pairs(context, experiment, slot)
    with st.expander("How the default method was chosen"):
        show_frame(default_method_frame())
        note(DEFAULT_METHOD_WORDS)
    slot.empty()


def _as_paper(context: ViewContext) -> ViewContext:
    """Return the view by a paper's preset, where one is chosen."""
    titles = {preset.title: preset for preset in PRESETS.values()}
    chosen = st.selectbox(
        "Preset",
        list(titles),
        index=list(titles).index(context.preset.title),
        key="ms.preset",
        bind="query-params",
        width=320,
        help="The paper's choice of methods, hyperparameters and predictions.",
    )
    preset = titles[str(chosen)]
    if preset is context.preset:
        return context
    ranker = preset.ranker(preset.method or context.ranker.name)
    return dataclasses.replace(context, preset=preset, ranker=ranker)


def _head(context: ViewContext, head: DeltaGenerator, finding: str) -> None:
    with head.container():
        headline(context, "Methods and validation", finding, of_method=False)


def _compare(
    context: ViewContext, experiment: Experiment, head: DeltaGenerator, slot: DeltaGenerator
) -> Outcome:
    """Show what is known soon first, where the whole takes its time."""
    place = st.empty()
    if not held_out.is_compared(context, experiment):
        stages = experiment.stages
        n = [held_out.n_predictions(context, stage) for stage in stages]
        bar = progress_in(slot, "Predicting", unit="folds", of=sum(n))
        _head(context, head, "Which method predicts unseen judgments best?")
        for k, stage in enumerate(stages):
            outcome = held_out.compare(context, stage, bar.after(sum(n[:k])))
            if stage != experiment and (bar.takes_long or len(stages) > 2):
                with place.container():
                    _render(context, outcome, head, wanted=experiment)
        slot.empty()
    outcome = held_out.compare(context, experiment)
    with place.container():
        _render(context, outcome, head)
    return outcome


def _render(
    context: ViewContext, outcome: Outcome, head: DeltaGenerator, wanted: Experiment | None = None
) -> None:
    """Show verdict, figure and table; a preview of what is ``wanted`` has no keys."""
    comparison, final = outcome.comparison, wanted is None
    finding, reason = verdict(comparison)
    _head(context, head, finding)
    st.markdown(as_markdown(f"{capital(reason)}. {probability_words(comparison)}".strip()))
    figure = compute.drawn(context, difference_figure, comparison)
    show_figure(figure, "figure.model-selection" if final else None)
    printed = printed_accuracies(context.pair) if context.is_drawn else {}
    frame = comparison_screen(comparison, printed)
    show_frame(
        frame.style.format(dict[str, Any](to_best=to_best_words), na_rep=""),
        comparison_columns(comparison.level),
        placeholder="",
    )
    note(_words(comparison, wanted))
    for warning in outcome.warnings:
        st.html(f'<div class="podium-finding podium-warning"><p>{as_html(warning)}</p></div>')
    if final:
        made_by = comparison.standings[0].score.signature
        signature(made_by)
        downloads("model-selection", comparison_table(comparison), figure, made_by=made_by)


def _words(comparison: PairedComparison, wanted: Experiment | None) -> str:
    """Say what was predicted, and what lines and shades are; of a preview what is to come."""
    to_come = ""
    if wanted is not None:
        compared = {standing.score.method for standing in comparison.standings}
        missing = [MODEL_TITLES.get(m, m) for m, _ in wanted.models if m not in compared]
        to_come = f"Preview; {'; '.join([*missing, count(wanted.folds, 'fold')])} to come. "
    return f"{to_come}{split_words(comparison)}"


def _show_pairs(context: ViewContext, experiment: Experiment, slot: DeltaGenerator) -> None:
    """Show the table of all language pairs, where there are several and the user wants it."""
    if not context.is_drawn and len(context.campaign.pairs) < 2:
        return
    wanted = st.toggle(
        "Compare on all language pairs" + (" of WMT14" if context.is_drawn else ""),
        key="ms.all",
        bind="query-params",
        help="The same folds as above for every pair, as in Table 7 of WMT14's findings.",
    )
    if not wanted:
        return
    table = st.empty()
    pairs = held_out.sibling_pairs(context)
    bar = progress_in(slot, "All pairs", unit="folds", of=None)
    results = held_out.compare_pairs(context, experiment, bar)
    for done, (comparisons, problems) in enumerate(results, start=1):
        if comparisons and (done == len(pairs) or bar.takes_long):
            with table.container():
                _render_pairs(context, comparisons, problems, missing=len(pairs) - done)
    slot.empty()


def _render_pairs(
    context: ViewContext,
    comparisons: Mapping[str, PairedComparison],
    problems: Sequence[str],
    *,
    missing: int,
) -> None:
    frame, beside = pairs_table(comparisons, with_printed=context.is_drawn)
    sentences = [f"Preview: {count(missing, 'pair')} to come."] if missing else []
    sentences.append("Accuracy in percent; no method can beat the oracle.")
    if beside:
        sentences.append(published_words(frame, beside))
    note(" ".join([*sentences, *problems]))
    show_frame(frame, pairs_columns(frame), height="content")
    if not missing:
        downloads("model-selection-pairs", frame, caption="Accuracy on unseen judgments, percent.")
