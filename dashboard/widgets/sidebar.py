"""The one choice of campaign, pair, method and resampling, for all pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import streamlit as st

from analysis.campaign import DEFAULT_SELECTION, UNITS, Campaign
from analysis.errors import PodiumError
from analysis.formats import ReadReport
from analysis.parameters import from_settings
from analysis.rankers import RANKERS, Ranker
from analysis.simulation.samples import DEFAULT_SAMPLE, SAMPLES, Sample
from dashboard import compute
from dashboard.compute.contexts import DEFAULT_RANKER, make_context
from dashboard.figures.theme import Mode
from dashboard.session import state
from dashboard.session.view import Resampling
from dashboard.typography import as_markdown, language_pair
from dashboard.widgets.chips import show_chips
from dashboard.widgets.explain import explain
from dashboard.widgets.ranker_form import ranker_settings

RUNS = (100, 200, 500, 1000, 2000, 5000)
LEVELS = (0.8, 0.9, 0.95, 0.99)


def show(page: str) -> None:
    """Show the sidebar beside a page and make the view of its choices."""
    state.begin(page)
    # Each part in a container of its own: where an element comes or goes, the ones after it must
    # keep their places, else the browser takes their settings out of the link.
    with st.sidebar:
        with st.container():
            campaign, report, is_sample, label = _campaign()
        with st.container():
            pair = _pair(campaign)
        with st.container():
            method, settings = _method()
        with st.container():
            resampling = _resampling()
    state.settle()
    notices = st.container(key="notices")
    ranker = from_settings(method, settings)
    try:
        context = make_context(
            campaign,
            pair,
            ranker,
            resampling,
            report=report,
            is_sample=is_sample,
            label=label,
            selection=state.selection(campaign),
            mode=_mode(),
        )
    except PodiumError as error:
        if state.selection(campaign) == DEFAULT_SELECTION:
            raise
        _offer_everything(campaign, error)
    state.set_view(context)
    state.write_link(campaign)
    with notices:
        _warn_of_other_data(campaign)
        show_chips(context)


def _campaign() -> tuple[Campaign, ReadReport | None, bool, str]:
    own = state.upload()
    titles = {_title(SAMPLES[name]): name for name in _first(SAMPLES, DEFAULT_SAMPLE)}
    options = [*titles, *([state.UPLOADED] if own else [])]
    chosen = st.selectbox(
        "Campaign",
        options,
        key=state.CAMPAIGN,
        bind="query-params",
        help="Samples are simulated from published figures. Your own files are read on the page "
        "Data and stay in this session's memory.",
    )
    if own and chosen == state.UPLOADED:
        return own.campaign, own.report, False, ", ".join(own.files)
    name = titles.get(str(chosen), DEFAULT_SAMPLE)
    st.caption(f"Simulated. {as_markdown(SAMPLES[name].line)}.")
    data_page = state.page("data")
    if data_page is not None and not own:
        st.page_link(data_page, label="Use your own files", icon=":material/upload_file:")
    return compute.sample(name), None, True, SAMPLES[name].title


def _first(names: Iterable[str], default: str) -> list[str]:
    """Return names with the default first: a widget's first option may be set from elsewhere."""
    return sorted(names, key=lambda name: name != default)


def _title(sample: Sample) -> str:
    """Return a sample's title as short as the sidebar is narrow."""
    return sample.title.removesuffix(" (simulated)")


def _pair(campaign: Campaign) -> str:
    if not campaign.pairs:
        raise PodiumError("Campaign", "it has no judgments", "Choose another one.")
    if len(campaign.pairs) == 1:
        return campaign.pairs[0]
    return str(
        st.selectbox(
            "Language pair",
            campaign.pairs,
            format_func=language_pair,
            key=state.PAIR,
            bind="query-params",
        )
    )


def _offer_everything(campaign: Campaign, error: PodiumError) -> NoReturn:
    """Say why the selection is impossible and offer to take it back; no page can be shown."""
    explain(error)
    st.button(
        "Count everything again",
        key="count-everything",
        type="primary",
        on_click=state.select,
        args=(campaign, DEFAULT_SELECTION),
    )
    st.stop()


def _method() -> tuple[type[Ranker], dict[str, Any]]:
    by_title = {RANKERS[name].title: RANKERS[name] for name in _first(RANKERS, DEFAULT_RANKER)}
    title = st.selectbox(
        "Method",
        list(by_title),
        key="method",
        bind="query-params",
        help="\n\n".join(
            f"**{as_markdown(r.title)}**: {as_markdown(r.sentence)}" for r in RANKERS.values()
        ),
    )
    ranker = by_title[str(title)]
    st.caption(as_markdown(ranker.sentence))
    with st.expander("Settings of the method", icon=":material/tune:"):
        return ranker, ranker_settings(ranker)


def _resampling() -> Resampling:
    with st.expander("Resampling", icon=":material/casino:"):
        unit = st.selectbox(
            "Draw again",
            list(UNITS),
            format_func=lambda unit: UNITS[unit].title,
            key="resample",
            bind="query-params",
            help="\n".join(f"- **{unit.title}**: {unit.help}" for unit in UNITS.values()),
        )
        runs = st.select_slider("Runs", RUNS, value=1000, key="runs", bind="query-params")
        level = st.select_slider(
            "Level of intervals",
            LEVELS,
            value=0.95,
            format_func=lambda level: f"{level:.0%}",
            key="level",
            bind="query-params",
        )
        seed = st.number_input(
            "Seed",
            min_value=0,
            max_value=2**31 - 1,
            value=0,
            key="seed",
            bind="query-params",
            help="The same seed gives the same numbers, on any machine.",
        )
    return Resampling(unit, int(runs), float(level), int(seed))


def _mode() -> Mode:
    return "dark" if st.context.theme.type == "dark" else "light"


def _warn_of_other_data(campaign: Campaign) -> None:
    """Say when the link was made of other judgments, until they are there or nobody minds."""
    if state.link_is_of_other_data(campaign):
        words, button = st.columns([5, 1], vertical_alignment="center")
        words.warning(
            "The link that you followed was made with other judgments than these, so its "
            "numbers may differ. Read the same files on the page Data to see what it showed.",
            icon=":material/link_off:",
        )
        button.button("Understood", on_click=state.forget_link, width="stretch")
