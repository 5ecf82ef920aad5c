"""The rooms, which of them the data give something to say, and the one place that runs them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

import streamlit as st

from analysis.campaign import UNNAMED_JUDGE
from analysis.errors import PodiumError, speak_to
from analysis.kernels import compile_kernels
from dashboard import compute, design
from dashboard.compute.uploads import default_context
from dashboard.registry import FOOT, PageSpec, Shown, always, extras, sections
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets import sidebar
from dashboard.widgets.browser import COPY_BUTTONS, KEEP_WIDTH, turn_page
from dashboard.widgets.progress import place_in_queue
from dashboard.widgets.result_card import explain

ICON = Path(__file__).with_name("podium.svg")
"""A file, since Streamlit fetches the browser tab's Material icons from the network."""

LOGO = Path(__file__).with_name("podium-logo.svg")

_log = logging.getLogger(__name__)


def has_several_pairs(context: ViewContext) -> bool:
    """Return whether the campaign has several language pairs."""
    return len(context.campaign.pairs) > 1


def names_judges(context: ViewContext) -> bool:
    """Return whether judges may agree with each other, themselves, or others that an extra has."""
    campaign = context.campaign
    is_repeated = campaign.judges != (UNNAMED_JUDGE,) and len(campaign.segments) < campaign.n_tasks
    return len(campaign.judges) > 1 or is_repeated or _is_added_to("agreement", context)


def has_parts(context: ViewContext) -> bool:
    """Return whether an extra finds something to break the judgments down by."""
    return _is_added_to("breakdown", context)


def _is_added_to(page: str, context: ViewContext) -> bool:
    return any(section.is_shown(context) for section in sections(page))


def _core(
    title: str,
    address: str,
    icon: str,
    place: int,
    shown: Shown = always,
    before: tuple[str, ...] = (),
) -> PageSpec:
    module = "dashboard.views." + address.replace("-", "_")
    return PageSpec(title, address, icon, module, place, shown, before)


CORE_PAGES = (
    _core("Result", "result", ":material/leaderboard:", 10, before=("overview", "standings")),
    _core("All language pairs", "all-pairs", ":material/grid_view:", 20, has_several_pairs),
    _core("Head to head", "head-to-head", ":material/grid_on:", 30),
    _core("What if", "what-if", ":material/tune:", 40, before=("methods", "stability")),
    _core("Agreement", "agreement", ":material/handshake:", 50, names_judges, ("judges",)),
    _core("Breakdown", "breakdown", ":material/pie_chart:", 60, has_parts),
    _core("Next", "next", ":material/event:", 70, before=("plan", "collect-next")),
    _core("Share", "share", ":material/slideshow:", 80, before=("present", "report")),
    _core("Data", "data", ":material/table:", 90),
)


def _pages() -> tuple[PageSpec, ...]:
    everyone = (*CORE_PAGES, *(page for brings in extras() for page in brings.pages))
    return tuple(sorted(everyone, key=lambda page: page.place))


PAGES = _pages()
"""The rooms of a campaign, the core's and those of extras, and what lies behind the foot."""


def _earlier() -> dict[str, str]:
    """Return every address of an earlier version with the page that has its content now."""
    found = {old: page.address for page in PAGES for old in page.before}
    for brings in extras():
        found |= brings.before
    return found


EARLIER = _earlier()


def run(open_at: str = "result") -> None:
    """Show the sidebar and the page that the address names; ``open_at`` is the first one."""
    compute.begin_request()
    speak_to("page")
    st.set_page_config(page_title="Podium", page_icon=ICON, layout="wide")
    st.logo(LOGO, size="large")
    st.html(design.CSS)
    pages = []
    for spec in PAGES:
        page = st.Page(
            partial(_show, spec),
            title=spec.title,
            icon=spec.icon,
            url_path=spec.address if spec.address != open_at else "first",
            default=spec.address == open_at,
        )
        state.session().pages[spec.address] = page
        pages.append(page)
    led = {old: new for old, new in {**EARLIER, open_at: open_at}.items() if old}
    pages += [_leading(old, new) for old, new in led.items()]
    current = st.navigation(pages, position="hidden")
    if current.url_path in led and current.url_path:
        current.run()
    with st.sidebar:
        rooms = st.container(key="rooms", gap=None)
    address = current.url_path or open_at
    try:
        is_whole = guarded(partial(sidebar.show, address), current.title)
    finally:
        with rooms:
            _list_rooms(address)
        with st.sidebar, st.container(key="foot"):
            for spec in PAGES:
                if spec.place == FOOT:
                    st.page_link(state.page(spec.address), width="stretch")
    if is_whole:
        with st.container(key="turn"):
            turn_page(address, EARLIER)
        compute.waiting.place = place_in_queue()
        with st.container():
            current.run()
    st.html(COPY_BUTTONS + KEEP_WIDTH, unsafe_allow_javascript=True)
    # only now: the first user's page comes first
    compute.warm_up(prepare)


def _list_rooms(address: str) -> None:
    """Link to the rooms that have something to say of the view, and to the one that is shown."""
    context = state.session().view
    for spec in PAGES:
        is_shown = spec.shown is always if context is None else spec.shown(context)
        if spec.place < FOOT and (is_shown or spec.address == address):
            st.page_link(state.page(spec.address), width="stretch")


def prepare() -> None:
    """Load every page's code, rank the sample that the dashboard opens, and load all kernels."""
    for spec in PAGES:
        import_module(spec.module)
    compute.ranking(default_context())
    compile_kernels()


def _leading(old: str, new: str) -> st.Page:
    """Return an unlisted page that leads to another; Streamlit shows the first one at / alone."""

    def turn() -> None:
        st.switch_page(state.page(new), query_params=dict(st.query_params))

    return st.Page(turn, title="Podium", url_path=old, visibility="hidden")


def guarded(function: Callable[[], object], page: str = "") -> bool:
    """Run something; say what is wrong in words where it cannot be done.

    The words are the heading of a ``page`` that has not come so far as to say what it found.
    """
    state.session().finding = (page, "")
    try:
        function()
    except PodiumError as error:
        explain(error, "" if state.session().finding[1] else page)
        return False
    except Exception:
        _log.exception("a page failed")
        if page and not state.session().finding[1]:
            st.markdown(f"# {page} cannot be shown")
        st.error(
            "Podium failed on this page; your data are unchanged. Reload the page, or choose "
            "another method; the server's log has the details.",
            icon=":material/error:",
        )
        return False
    return True


def _show(spec: PageSpec) -> None:
    guarded(lambda: import_module(spec.module).show(), spec.title)
