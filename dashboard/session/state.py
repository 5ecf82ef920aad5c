"""What one user's session holds, and what its widgets are set to.

The only module that touches ``st.session_state``. The settings themselves live in the sidebar's
widgets, which keep themselves in the link.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from analysis.campaign import DEFAULT_SELECTION, Campaign, Selection
from analysis.formats.mapping.profile import Profile
from analysis.formats.report import ReadReport
from analysis.rankers import RANKERS
from analysis.reporting.deck.slides import Arrangement
from dashboard.session.link import decode
from dashboard.session.session_file import SavedSession
from dashboard.session.view import ViewContext

CAMPAIGN = "campaign"
PAIR = "pair"
CRITERION = "criterion"
PRESET = "preset"
SETTINGS = (
    CAMPAIGN,
    PAIR,
    CRITERION,
    PRESET,
    "method",
    "sure",
    "resample",
    "runs",
    "level",
    "seed",
)
"""Widgets of the sidebar, besides the method's own; each keeps itself in the link."""
QUESTION = "question"
"""The choice among the questions of What if."""
PANEL_OF_DATA = "panel of Data"
"""Held once a link led to that panel, which is open from then on."""
UPLOADED = "Your files"
"""The campaign picker's name of what the user uploaded."""


@dataclass
class Session:
    """Everything kept between two runs besides the widgets' own values."""

    # The link that opened the session, its settings that do not exist, and those still to read
    link: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    unread: set[str] = field(default_factory=lambda: set(SETTINGS))
    # The sidebar: its settings as the link has them, what code wants set, the defaults so far
    settings: dict[str, str] = field(default_factory=dict)
    wanted: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, object] = field(default_factory=dict)
    # The user's files: the campaign they make, what is wrong with them, those that wait for their
    # columns whatever page is shown, files by kind
    upload: Upload | None = None
    problems: tuple[str, ...] = ()
    rest_was_read: bool = False
    waiting: tuple[Any, ...] = ()
    n_removed: int = 0
    read_files: tuple[tuple[str, int], ...] = ()
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kind: str = ""
    question: str = ""
    # A saved session: its file, what is wrong with it, what waits for its files, what came back
    session_file: str = ""
    session_problem: str = ""
    pending: SavedSession | None = None
    reopened: str = ""
    # By the campaign's data: the user's title, the filters, the filters before
    titles: dict[str, str] = field(default_factory=dict)
    selections: dict[str, Selection] = field(default_factory=dict)
    before: dict[str, list[Selection]] = field(default_factory=dict)
    # Slides by data and language pair, and the slide at which the deck is to open
    decks: dict[tuple[str, str], Arrangement] = field(default_factory=dict)
    slide_wanted: str = ""
    # Pages by address, the one that is shown, the one that a callback wants, and what it says
    pages: dict[str, Any] = field(default_factory=dict)
    page: str | None = None
    page_wanted: str = ""
    finding: tuple[str, str] = ("Result", "")
    # The browser: its mode where that was changed, and whether figures put text below names
    mode: str | None = None
    is_narrow: bool = False
    # What the sidebar made of the last choices, what was shown once, files and names by their use
    view: ViewContext | None = None
    seen: set[str] = field(default_factory=set)
    held: dict[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The address of the page that is shown."""
        return self.page or "result"


def session() -> Session:
    """Return what this user's session holds."""
    if "podium" not in st.session_state:
        opened = dict(st.query_params)
        st.session_state["podium"] = Session(link=opened, settings=_settings(opened))
    kept: Session = st.session_state["podium"]
    return kept


def begin(page: str) -> None:
    """Start a run of a page: set what the browser has lost, and what code has chosen.

    A browser that turns the page before it has drawn all of the sidebar forgets the settings that
    it has not drawn, in the link as well. They are put back and the run begins again.
    """
    kept = session()
    turned = kept.page is not None and page != kept.page
    kept.page = page
    if turned and _put_back(kept):
        st.rerun()
    for key, value in kept.wanted.items():
        st.session_state[key] = value


def _put_back(kept: Session) -> bool:
    """Put settings back that are gone from the link; return whether there were any."""
    found = False
    for key, words in kept.settings.items():
        if key not in st.query_params and key not in kept.wanted:
            # A widget that the browser has drawn is bound to the link, and Streamlit says so.
            with contextlib.suppress(StreamlitAPIException):
                st.query_params[key] = words
                st.session_state.pop(key, None)
                found = True
    return found


def settle() -> None:
    """Hold the sidebar's settings, now that all of its widgets are made."""
    kept = session()
    kept.wanted = {}
    kept.settings = _settings(dict(st.query_params))


def _settings(link: dict[str, str]) -> dict[str, str]:
    """Return what a link says of the sidebar's widgets."""
    return {
        key: words
        for key, words in link.items()
        if key in SETTINGS or key.partition(".")[0] in RANKERS
    }


def follow_default(key: str, default: object) -> None:
    """Set a widget to its default where another campaign has made that another one."""
    kept = session()
    before = kept.defaults.get(key, default)
    kept.defaults[key] = default
    if before != default and key not in kept.wanted:
        st.session_state[key] = default


def want_page(address: str) -> None:
    """Ask for another page from a callback; the run that follows turns to it."""
    session().page_wanted = address


def take_wanted_page() -> str:
    """Return the page that a callback asked for, once; nothing where none did."""
    kept = session()
    wanted, kept.page_wanted = kept.page_wanted, ""
    return wanted


def chosen(key: str) -> object:
    """Return what a widget has been set to; for its callback."""
    return st.session_state.get(key)


def choose_in_callback(key: str, value: object) -> None:
    """Set a widget from a button's callback, before the run begins."""
    st.session_state[key] = value


def chosen_in_callback(key: str) -> str:
    """Return what the user has just chosen in a widget; for its callback."""
    return str(st.session_state[key])


def widgets() -> list[str]:
    """Return the keys of all widgets that have a value."""
    return [str(key) for key in st.session_state]


def component_value(key: str, name: str) -> Any:
    """Return what a component has told under a name; for its callback."""
    return getattr(st.session_state.get(key), name, None)


def selected_rows(key: str) -> list[int]:
    """Return the rows that the user has just selected in a table; for its callback."""
    event: Any = st.session_state.get(key)
    return list(event["selection"]["rows"]) if event else []


def selected_points(key: str) -> list[Any]:
    """Return the points that the user has just selected in a figure; for its callback."""
    event: Any = st.session_state.get(key)
    return list(event["selection"]["points"]) if event else []


def highlight_key(context: ViewContext) -> str:
    """Return the key of the box that names the system to highlight."""
    return f"highlight.{context.campaign.fingerprint}.{context.pair}"


def highlight_clicked(context: ViewContext, key: str, systems: Sequence[str]) -> None:
    """Highlight the system of the row that was clicked in a table; a second click ends that."""
    event: Any = st.session_state.get(key)
    cells = event["selection"]["cells"] if event else ()
    choose_in_callback(highlight_key(context), systems[cells[0][0]] if cells else None)


def hold(what: str, values: Sequence[Any] = ()) -> None:
    """Keep files or names on every page, beside those kept so far; without any, forget them all."""
    kept = tuple(dict.fromkeys((*held(what), *values))) if values else ()
    session().held[what] = kept


def held(what: str) -> tuple[Any, ...]:
    """Return the files or names that are kept under a word."""
    return session().held.get(what, ())


def is_first(what: str) -> bool:
    """Return whether this is the first time in the session, and note it."""
    seen = session().seen
    if what in seen:
        return False
    seen.add(what)
    return True


def page(address: str) -> Any:
    """Return a page to link to; None where it does not exist."""
    return session().pages.get(address)


def require_campaign() -> ViewContext:
    """Return the view that the sidebar made; the first line of every page."""
    made = session().view
    assert made is not None, "the sidebar comes before the page"
    return made


@dataclass(frozen=True)
class Upload:
    """A user's own campaign; it lives in this session's memory only.

    ``contents`` are the bytes of the files, for an archive; of large files they are not kept.
    """

    campaign: Campaign
    report: ReadReport
    files: tuple[str, ...]
    profile: Profile | None = None
    contents: tuple[bytes, ...] = ()

    def is_of(self, campaign: Campaign) -> bool:
        """Return whether a campaign is this one, by any of its criteria."""
        known = (self.campaign, *(own for _, own in self.campaign.criteria))
        return any(campaign.fingerprint == own.fingerprint for own in known)


MOST_UNDONE = 50
"""Selections that can be gone back to."""


def selection_of(campaign: Campaign) -> Selection:
    """Return the user's filters of a campaign, else the link's, else those that drop nothing."""
    own = session()
    chosen = own.selections.get(campaign.fingerprint)
    if chosen is not None:
        return chosen
    if own.link.get("data") == campaign.fingerprint:
        return decode(own.link.get("only", ""), campaign)
    return DEFAULT_SELECTION


def select(campaign: Campaign, selection: Selection) -> None:
    """Hold a selection on every page; works in callbacks and in a page's own run."""
    own = session()
    before = own.before.setdefault(campaign.fingerprint, [])
    before.append(selection_of(campaign))
    del before[:-MOST_UNDONE]
    own.selections[campaign.fingerprint] = selection


def can_undo(campaign: Campaign) -> bool:
    """Return whether there is a selection to go back to."""
    return bool(session().before.get(campaign.fingerprint))


def undo_selection(campaign: Campaign) -> None:
    """Go back to the selection before the last one; again, and so on."""
    own = session()
    before = own.before.get(campaign.fingerprint)
    if before:
        own.selections[campaign.fingerprint] = before.pop()
