"""The one choice of campaign, pair, method and certainty, for all pages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import DEFAULT_SELECTION, Campaign
from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.formats.report import ReadReport
from analysis.languages import language_pair
from analysis.parameters import from_settings
from analysis.presets import OFFICIAL, Preset
from analysis.rankers import (
    COMPARED_METHODS,
    DEFAULT_METHOD,
    RANKERS,
    Ranker,
    compared_methods,
    default_method,
)
from analysis.ranking.certainty import Certainty
from analysis.samples import DEFAULT_SAMPLE, EVERY_SAMPLE
from dashboard import compute
from dashboard.compute import uploads
from dashboard.compute.contexts import EXAMPLE, make_context
from dashboard.compute.rankings import of_criterion
from dashboard.session import address_bar, opened, state
from dashboard.session.view import ViewContext
from dashboard.widgets.browser import browser_mode
from dashboard.widgets.notices import show_chips
from dashboard.widgets.result_card import explain
from dashboard.widgets.settings_form import (
    certainty_settings,
    choose_preset,
    ranker_settings,
    show_differences,
)
from dashboard.widgets.uploader import open_given_files, open_session, sample_title, show_uploader

MOST_FILES = 3
"""Files whose names stand below the campaign; of more, only the first one's."""


def _ask_settings(
    campaign: Campaign, method_place: DeltaGenerator
) -> tuple[Preset, Ranker, Certainty]:
    """Ask for preset, method with its settings, and certainty."""
    with st.container():
        preset = choose_preset()
    with method_place:
        method = _method(preset, campaign)
    with st.container():
        settings = ranker_settings(method, usual=preset.ranker(method.name).settings())
    with st.container():
        certainty = certainty_settings(preset)
    with st.container():
        _where_it_is_done()
    return preset, from_settings(method, settings), certainty


def _show_notices(context: ViewContext) -> None:
    """Show what the user should know above every page."""
    _tell_what_came_back()
    _warn_of_other_data(context.campaign)
    _warn_of_unknown_settings()
    show_chips(context)
    show_differences(context)


def show(page: str) -> None:
    """Show the sidebar beside a page and make the view of its choices."""
    open_given_files()
    state.begin(page)
    if opened.is_file_missing():
        _ask_for_file()
    # Each part in a container of its own: where an element comes or goes, the ones after it must
    # keep their places, else the browser takes their settings out of the link.
    with st.sidebar:
        with st.container():
            campaign, report, is_sample, label = _campaign()
        with st.container():
            campaign = _criterion(campaign)
        with st.container():
            pair = _pair(campaign)
        method_place = st.container()
        highlight_place = st.container()
        with st.expander("Settings", icon=":material/tune:"):
            preset, ranker, certainty = _ask_settings(campaign, method_place)
        with st.container(key="mode-watch"):
            mode = browser_mode()
    state.settle()
    notices = st.container(key="notices")
    try:
        context = make_context(
            campaign,
            pair,
            ranker,
            certainty,
            report=report,
            is_sample=is_sample,
            label=opened.title(campaign) or label,
            selection=state.selection_of(campaign),
            mode=mode,
        )
    except PodiumError as error:
        if state.selection_of(campaign) == DEFAULT_SELECTION:
            raise
        _offer_everything(campaign, error)
    context = dataclasses.replace(context, preset=preset)
    with highlight_place:
        context = _highlight(context)
    state.session().view = context
    address_bar.write_link(campaign)
    with notices:
        _show_notices(context)


def _ask_for_file() -> NoReturn:
    """Ask for the user's files again, which a reload forgets; settings stay in the link."""
    with st.sidebar, st.expander("Settings", icon=":material/tune:"):
        preset = choose_preset()
        ranker_settings(_method(preset, None))
        certainty_settings(preset)
    state.settle()
    _tell_what_came_back()
    st.markdown("# Upload the judgments of this link to continue")
    st.markdown(
        "Links and reloads keep the settings, never the data: files stay in the memory of one "
        "session. If this link was sent to you, ask its sender for the same files."
    )
    show_uploader()
    with st.sidebar:
        open_session()
    st.button(
        "Show a sample instead", icon=":material/science:", type="tertiary",
        on_click=address_bar.forget_link,
    )  # fmt: skip
    st.stop()


def _campaign() -> tuple[Campaign, ReadReport | None, bool, str]:
    own = state.session().upload
    titles = {sample_title(name): name for name in _first(EVERY_SAMPLE, DEFAULT_SAMPLE)}
    options = [*titles, EXAMPLE, *([state.UPLOADED] if own else [])]
    address_bar.read_setting(state.CAMPAIGN, options)
    chosen = st.selectbox(
        "Campaign",
        options,
        key=state.CAMPAIGN,
        bind="query-params",
        help="Samples of WMT13 and WMT14 are simulated; the arena's votes and MQM's scores "
        "are real. The page Data reads your own files, which stay in this session's memory.",
    )
    if own and chosen == state.UPLOADED:
        report = own.report
        read = "" if report is None else report.amount()
        many = [f"{len(own.files) - 1} more files"] * (len(own.files) > MOST_FILES)
        named = (*own.files[:1], *many) if many else own.files
        st.caption(as_markdown(", ".join(filter(None, (*named, read)))))
        _link_data("Upload other files")
        return own.campaign, own.report, False, ", ".join(own.files)
    if chosen == EXAMPLE:
        st.caption("Made up, with metric scores and quality estimates.")
        return uploads.example(), None, True, EXAMPLE
    name = titles.get(str(chosen), DEFAULT_SAMPLE)
    sample = EVERY_SAMPLE[name]
    origin = f"{sample.source}, {sample.license}." if sample.is_real else ""
    kind = "Real" if sample.is_real else "Simulated"
    st.caption(f"{kind}. {as_markdown(f'{sample.line}. {origin}')}")
    if not own:
        _link_data("Use your own files")
    return uploads.sample(name), None, True, sample.title


def _link_data(label: str) -> None:
    page = state.page("data")
    if page is not None:
        st.page_link(page, label=label, icon=":material/upload_file:")


def _criterion(campaign: Campaign) -> Campaign:
    """Ask for the criterion of a campaign that was judged by several."""
    names = [name for name, _ in campaign.criteria]
    address_bar.read_setting(state.CRITERION, names)
    if not names:
        return campaign
    chosen = st.selectbox(
        "Criterion",
        names,
        index=names.index(campaign.criterion),
        key=state.CRITERION,
        bind="query-params",
        help="Every page is about this criterion. Result and What if also show all of them.",
    )
    return of_criterion(campaign, str(chosen))


def _first(names: Iterable[str], default: str) -> list[str]:
    """Return names with the default first: a widget's first option may be set from elsewhere."""
    return sorted(names, key=lambda name: name != default)


def _pair(campaign: Campaign) -> str:
    if not campaign.pairs:
        raise PodiumError("Campaign", "it has no judgments", "Choose another one.")
    address_bar.read_setting(state.PAIR, map(language_pair, campaign.pairs))
    if len(campaign.pairs) == 1:
        return campaign.pairs[0]
    with st.container(key="pair-row", horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        pair = str(
            st.selectbox(
                "Language pair",
                campaign.pairs,
                format_func=language_pair,
                key=state.PAIR,
                bind="query-params",
            )
        )
        place = campaign.pairs.index(pair)
        for name, icon, to in (
            ("Previous", ":material/chevron_left:", place - 1),
            ("Next", ":material/chevron_right:", place + 1),
        ):
            st.button(
                name,
                key=f"pair.{name.lower()}",
                icon=icon,
                type="tertiary",
                disabled=not 0 <= to < len(campaign.pairs),
                help=f"{name} of {len(campaign.pairs)} language pairs",
                on_click=state.choose_in_callback,
                args=(state.PAIR, campaign.pairs[to % len(campaign.pairs)]),
            )
    return pair


def _offer_everything(campaign: Campaign, error: PodiumError) -> NoReturn:
    """Say why the selection is impossible and offer to take it back; no page can be shown."""
    explain(error)
    st.button(
        "Use all judgments",
        key="count-everything",
        type="primary",
        on_click=state.select,
        args=(campaign, DEFAULT_SELECTION),
    )
    st.stop()


def _method(preset: Preset, campaign: Campaign | None) -> type[Ranker]:
    """Ask for the method: that recommended for these data first, then those usually compared."""
    usual = DEFAULT_METHOD if campaign is None else default_method(campaign)
    compared = COMPARED_METHODS if campaign is None else compared_methods(campaign)
    others = [name for name in compared if name != usual]
    groups = {
        "Recommended for these data": [usual],
        "Also compared": others,
        "From papers and leaderboards": [n for n in RANKERS if n not in (usual, *others)],
    }
    # The first option may be set from elsewhere, so that it stays the same in all campaigns.
    by_title = {RANKERS[name].title: RANKERS[name] for name in _first(RANKERS, DEFAULT_METHOD)}
    chosen = RANKERS[preset.method or usual].title
    state.follow_default("method", chosen)
    address_bar.read_setting("method", by_title)
    title = st.selectbox(
        "Method",
        list(by_title),
        index=list(by_title).index(chosen),
        key="method",
        bind="query-params",
        help="\n\n".join(
            f"**{group}**\n"
            + "".join(
                f"\n- {as_markdown(RANKERS[n].title)}: {as_markdown(RANKERS[n].sentence)}"
                for n in names
            )
            for group, names in groups.items()
        ),
    )
    ranker = by_title[str(title)]
    group = next(group for group, names in groups.items() if ranker.name in names)
    if preset.name in OFFICIAL and preset.method == ranker.name:
        group = f"Used by the {preset.title}"
    st.caption(f"{group}. {as_markdown(ranker.sentence)}")
    return ranker


def _highlight(context: ViewContext) -> ViewContext:
    """Ask for a system to highlight; the link keeps its place among the sorted names."""
    names = sorted(context.judgments.systems)
    linked = address_bar.from_link("system", context.campaign)
    start = int(linked) if linked.isdecimal() and int(linked) < len(names) else None
    chosen = st.selectbox(
        "Highlight a system",
        names,
        index=start,
        format_func=context.name,
        key=state.highlight_key(context),
        placeholder="none",
        persist_state="session",
        help="Or click its row in a table.",
    )
    address_bar.put_in_link("system", "" if chosen is None else str(names.index(chosen)))
    return context if chosen is None else context.highlighting(str(chosen))


def _where_it_is_done() -> None:
    """Say where long work goes, on a server that has a cluster."""
    if sentence := compute.where():
        st.caption(as_markdown(sentence))


def _warn_of_unknown_settings() -> None:
    """Say what the link asked for and is not there."""
    unknown = state.session().unknown
    if unknown:
        asked = ", ".join(f"{key} “{as_markdown(words)}”" for key, words in unknown.items())
        _warn(
            f"The link contains unknown settings: {asked}. Defaults are shown.",
            "unknown",
            state.session().unknown.clear,
        )


def _warn_of_other_data(campaign: Campaign) -> None:
    """Say when the link was made of other judgments, until they are there or nobody minds."""
    if address_bar.link_is_of_other_data(campaign):
        _warn(
            "The link belongs to other judgments than these, so numbers may differ. To see the "
            "original, upload the same files on Data.",
            "other-data",
            address_bar.forget_link,
        )


def _tell_what_came_back() -> None:
    """Say what came back of the session that was opened, and what could not."""
    problem, words = state.session().session_problem, state.session().reopened
    if problem:
        st.error(as_markdown(problem), icon=":material/error:")
    elif words:
        _warn(as_markdown(words), "came-back", opened.forget_what_came_back, ":material/history:")


def _warn(
    sentence: str, key: str, put_away: Callable[[], None], icon: str = ":material/link_off:"
) -> None:
    """Show a notice of the link or the session until the user has understood it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(sentence, icon=icon, width="stretch")
        st.button("Dismiss", key=key, on_click=put_away, width="content")
