"""The campaign played again: what active choice turns to, and whether it spares judgments."""

from __future__ import annotations

from collections.abc import Hashable

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.escaping import as_markdown
from analysis.findings.batches import CHOSEN, fifths_title, replay_title
from analysis.next_campaign.choosing_matches import Method
from analysis.next_campaign.replay import ChosenPairs, chosen_pairs, clusters_by_size
from analysis.wording import count
from dashboard import compute
from dashboard.figures.collect import replay_figure
from dashboard.figures.scenes import counts_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, note, show_figure

CHOICE_RUNS, GROWING_RUNS = 20, 40
PARTS = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)


def show_replay(context: ViewContext, method: Method) -> None:
    """Offer to draw this campaign's judgments again, as chosen and at random."""
    method = "active" if method == "uniform" else method
    with st.expander("Replay: would choosing have helped?", icon=":material/replay:"):
        note(
            "Podium resamples this campaign's judgments, two systems at a time: for the next "
            "clusters, as TrueSkill selects, and at random."
        )
        place = st.empty()
        made = compute.recall(context, _key(context, "replay", method))
        if made is None and place.button(
            "Start the replay", key="next.replay", icon=":material/play_arrow:"
        ):
            made = _replay(context, method, place)
        if made is not None:
            with place.container():
                _show(context, *made)


def _key(context: ViewContext, *what: str) -> tuple[Hashable, ...]:
    return (*what, context.certainty.level, context.certainty.seed)


def _replay(
    context: ViewContext, method: Method, place: DeltaGenerator
) -> tuple[ChosenPairs, pd.DataFrame]:
    """Play both parts in chunks, which are kept: interrupted work goes on where it stopped."""
    judgments, seed = context.judgments, context.certainty.seed
    bar = progress_in(place, "Choosing", unit="runs")
    with compute.resuming_threads(context, _key(context, "replay choices", method)) as threads:
        chosen = chosen_pairs(
            judgments, method, runs=CHOICE_RUNS, seed=seed, executor=threads, progress=bar
        )
    bar = progress_in(place, "Growing", unit="campaigns")
    with compute.resuming_threads(context, _key(context, "replay clusters")) as threads:
        table = clusters_by_size(
            judgments,
            [max(10, round(len(judgments) * part)) for part in PARTS],
            runs=GROWING_RUNS,
            level=context.certainty.level,
            seed=seed,
            executor=threads,
            progress=bar,
        )
    compute.keep(context, _key(context, "replay", method), (chosen, table))
    return chosen, table


def _show(context: ViewContext, chosen: ChosenPairs, table: pd.DataFrame) -> None:
    st.markdown(f"**{as_markdown(fifths_title(chosen))}**")
    most = float(max(chosen.first.max(), chosen.last.max()))
    for column, (part, met) in zip(
        st.columns(2), (("First fifth", chosen.first), ("Last fifth", chosen.last)), strict=True
    ):
        figure = counts_figure(
            met, chosen.systems, names=context.short_names, mode=context.mode, title=part,
            write=lambda n: count(n, "choice"), most=most,
        )  # fmt: skip
        with column:
            show_figure(figure, f"figure.replay-{part.split()[0].lower()}")
    note(
        f"How many choices, made {CHOSEN[chosen.method]}, compared each pair of systems, in all of "
        f"{count(CHOICE_RUNS, 'run')}; a run has {count(chosen.draws, 'choice')}. Systems are in "
        "standings order."
    )
    figure = replay_figure(table, title=replay_title(table), mode=context.mode)
    show_figure(figure, "figure.replay-clusters")
    note(
        f"Means of {count(GROWING_RUNS, 'campaign')}, each sampled with replacement and ranked by "
        "an ordered probit. Podium samples from the collected judgments, so this shows the "
        "effect of choosing among them, not among other judgments. Each choice compares two "
        "systems; a task compares more."
    )
    downloads("replay", table, figure, "Clusters by judgments, chosen and at random.")
