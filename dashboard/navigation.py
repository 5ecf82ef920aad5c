"""The pages, in their sections, and the one place that runs them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

import streamlit as st

from analysis.errors import PodiumError
from analysis.kernels import compile_kernels
from dashboard import compute, design
from dashboard.accessibility import LISTS_OF_PAGES
from dashboard.compute.contexts import default_context
from dashboard.session import state
from dashboard.widgets import sidebar
from dashboard.widgets.copying import COPY_BUTTONS
from dashboard.widgets.explain import explain
from dashboard.widgets.markup import turn_page
from dashboard.widgets.printing import KEEP_WIDTH
from dashboard.widgets.progress import place_in_queue

ICON = Path(__file__).with_name("podium.svg")
"""A file, since Streamlit fetches the browser tab's Material icons from the network."""

LOGO = Path(__file__).with_name("podium-logo.svg")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PageSpec:
    """A page: its section, its name, its address, the module in ``views`` that shows it."""

    section: str
    title: str
    address: str
    icon: str

    @property
    def module(self) -> str:
        return "dashboard.views." + self.address.replace("-", "_")


PAGES = (
    PageSpec("Campaign", "Overview", "overview", ":material/flag:"),
    PageSpec("Campaign", "Data", "data", ":material/table:"),
    PageSpec("Results", "Standings", "standings", ":material/leaderboard:"),
    PageSpec("Results", "All pairs", "all-pairs", ":material/grid_view:"),
    PageSpec("Results", "Head to head", "head-to-head", ":material/grid_on:"),
    PageSpec("Results", "Methods", "methods", ":material/swap_vert:"),
    PageSpec("Results", "What if", "what-if", ":material/tune:"),
    PageSpec("Results", "Before and after", "before-and-after", ":material/history:"),
    PageSpec("Trust", "Agreement", "agreement", ":material/handshake:"),
    PageSpec("Trust", "Judges", "judges", ":material/group:"),
    PageSpec("Trust", "Machine judges", "machine-judges", ":material/smart_toy:"),
    PageSpec("Trust", "Segments", "segments", ":material/notes:"),
    PageSpec("Trust", "Slices", "slices", ":material/pie_chart:"),
    PageSpec("Trust", "Stability", "stability", ":material/balance:"),
    PageSpec("Trust", "Model selection", "model-selection", ":material/rule:"),
    PageSpec("Next campaign", "Plan", "plan", ":material/event:"),
    PageSpec("Next campaign", "Collect next", "collect-next", ":material/playlist_add:"),
    PageSpec("Share", "Present", "present", ":material/slideshow:"),
    PageSpec("Share", "Report", "report", ":material/description:"),
    PageSpec("Share", "Replication", "replication", ":material/fact_check:"),
    PageSpec("Beyond judgments", "Scores", "scores", ":material/straighten:"),
    PageSpec("Beyond judgments", "Metrics", "metrics", ":material/speed:"),
    PageSpec("Beyond judgments", "Examples", "examples", ":material/school:"),
)


def run(open_at: str = "overview") -> None:
    """Show the sidebar and the page that the address names; ``open_at`` is the first one."""
    compute.begin_request()
    st.set_page_config(page_title="Podium", page_icon=ICON, layout="wide")
    st.logo(LOGO, size="large")
    st.html(design.CSS)
    sections: dict[str, list[st.Page]] = {}
    for spec in PAGES:
        page = st.Page(
            partial(_show, spec),
            title=spec.title,
            icon=spec.icon,
            url_path=spec.address if spec.address != open_at else "first",
            default=spec.address == open_at,
        )
        state.remember_page(spec.address, page)
        sections.setdefault(spec.section, []).append(page)
    if open_at:
        sections[""] = [_by_name(open_at)]
    current = st.navigation(sections, expanded=True)
    if open_at and current.url_path == open_at:
        current.run()
    if guarded(partial(sidebar.show, current.url_path), current.title):
        with st.container(key="turn"):
            turn_page(current.url_path)
        compute.waiting.place = place_in_queue()
        with st.container():
            current.run()
    st.html(LISTS_OF_PAGES + COPY_BUTTONS + KEEP_WIDTH, unsafe_allow_javascript=True)
    # only now: the first user's page comes first
    compute.warm_up(prepare)


def prepare() -> None:
    """Load every page's code, rank the sample that the dashboard opens, and load all kernels."""
    for spec in PAGES:
        import_module(spec.module)
    compute.ranking(default_context())
    compile_kernels()


def _by_name(open_at: str) -> st.Page:
    """Return an unlisted page that leads to the first one, which Streamlit shows at / alone."""

    def turn() -> None:
        st.switch_page(state.page(open_at), query_params=dict(st.query_params))

    return st.Page(turn, title="Podium", url_path=open_at, visibility="hidden")


def guarded(function: Callable[[], object], page: str = "") -> bool:
    """Run something; say what is wrong in words where it cannot be done.

    The words are the heading of a ``page`` that has not come so far as to say what it found.
    """
    state.note_finding(page, "")
    try:
        function()
    except PodiumError as error:
        explain(error, "" if state.finding()[1] else page)
        return False
    except Exception:
        _log.exception("a page failed")
        if page and not state.finding()[1]:
            st.markdown(f"# {page} cannot be shown")
        st.error(
            "Something in Podium itself went wrong on this page; your data are as they were. "
            "Reload the page, or choose another method; the server's log has the details.",
            icon=":material/error:",
        )
        return False
    return True


def _show(spec: PageSpec) -> None:
    guarded(lambda: import_module(spec.module).show(), spec.title)
