"""What one user's session holds: an upload, what counts of it, and the link it was opened with.

The only module that touches ``st.session_state``. The settings themselves live in the sidebar's
widgets, which keep themselves in the link.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from analysis.campaign import DEFAULT_SELECTION, Campaign, Selection
from analysis.errors import PodiumError
from analysis.findings.reopening import reopened, reopened_elsewhere, waiting
from analysis.formats.mapping.profile import Profile
from analysis.presets import DEFAULT_PRESET, FOR_ORGANIZERS, PRESETS
from analysis.rankers import RANKERS
from analysis.reporting.deck.slides import Arrangement
from analysis.reporting.document import SECTIONS
from analysis.wording import language_pair
from dashboard.session import link
from dashboard.session.saved import Fitting, SavedSession, fit
from dashboard.session.settings import of_certainty, of_ranker
from dashboard.session.upload import Upload
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
UPLOADED = "Your files"
"""The campaign picker's name of what the user uploaded."""
LONGEST_TITLE = 200
"""Letters of a title of the campaign."""
WORDS = ("report.note", "report.sections", "report.all", "anonymous")
"""Widgets of Report and Present that a saved session keeps, each with a value of its own type."""
MOST_UNDONE = 50
"""Selections that can be gone back to."""


@dataclass
class _Session:
    """Everything kept between two runs besides the widgets' own values.

    ``defaults`` are those that widgets had, ``finding`` is the page that is shown and what it says,
    ``seen`` what was shown once, ``titles`` the user's by the campaign's data, ``held`` files and
    names by what they are for, ``view`` what the sidebar made of the last run's choices.
    """

    link: dict[str, str] = field(default_factory=dict)
    upload: Upload | None = None
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kind: str = ""
    problems: tuple[str, ...] = ()
    rest_was_read: bool = False
    read_files: tuple[tuple[str, int], ...] = ()
    wanted: dict[str, Any] = field(default_factory=dict)
    page: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    selections: dict[str, Selection] = field(default_factory=dict)
    before: dict[str, list[Selection]] = field(default_factory=dict)
    unread: set[str] = field(default_factory=lambda: set(SETTINGS))
    unknown: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, object] = field(default_factory=dict)
    page_wanted: str = ""
    slide_wanted: str = ""
    finding: tuple[str, str] = ("Result", "")
    seen: set[str] = field(default_factory=set)
    session_file: str = ""
    session_problem: str = ""
    titles: dict[str, str] = field(default_factory=dict)
    held: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    pages: dict[str, Any] = field(default_factory=dict)
    mode: str | None = None
    is_narrow: bool = False
    view: ViewContext | None = None
    decks: dict[tuple[str, str], Arrangement] = field(default_factory=dict)
    pending: SavedSession | None = None
    reopened: str = ""


def _session() -> _Session:
    if "podium" not in st.session_state:
        opened = dict(st.query_params)
        st.session_state["podium"] = _Session(link=opened, settings=_settings(opened))
    session: _Session = st.session_state["podium"]
    return session


def begin(page: str) -> None:
    """Start a run of a page: set what the browser has lost, and what code has chosen.

    A browser that turns the page before it has drawn all of the sidebar forgets the settings that
    it has not drawn, in the link as well. They are put back and the run begins again.
    """
    session = _session()
    turned = session.page is not None and page != session.page
    session.page = page
    if turned and _put_back(session):
        st.rerun()
    for key, value in session.wanted.items():
        st.session_state[key] = value


def _put_back(session: _Session) -> bool:
    """Put settings back that are gone from the link; return whether there were any."""
    found = False
    for key, words in session.settings.items():
        if key not in st.query_params and key not in session.wanted:
            # A widget that the browser has drawn is bound to the link, and Streamlit says so.
            with contextlib.suppress(StreamlitAPIException):
                st.query_params[key] = words
                st.session_state.pop(key, None)
                found = True
    return found


def settle() -> None:
    """Hold the sidebar's settings, now that all of its widgets are made."""
    session = _session()
    session.wanted = {}
    session.settings = _settings(dict(st.query_params))


def _settings(link: dict[str, str]) -> dict[str, str]:
    """Return what a link says of the sidebar's widgets."""
    return {
        key: words
        for key, words in link.items()
        if key in SETTINGS or key.partition(".")[0] in RANKERS
    }


def follow_default(key: str, default: object) -> None:
    """Set a widget to its default where another campaign has made that another one."""
    session = _session()
    before = session.defaults.get(key, default)
    session.defaults[key] = default
    if before != default and key not in session.wanted:
        st.session_state[key] = default


def choose_in_callback(key: str, value: object) -> None:
    """Set a widget from a button's callback, before the run begins."""
    st.session_state[key] = value


def want_page(address: str) -> None:
    """Ask for another page from a callback; the run that follows turns to it."""
    _session().page_wanted = address


def take_wanted_page() -> str:
    """Return the page that a callback asked for, once; nothing where none did."""
    session = _session()
    wanted, session.page_wanted = session.page_wanted, ""
    return wanted


def want_slide(key: str) -> None:
    """Ask, from a callback, that the deck opens at a slide."""
    _session().slide_wanted = key


def take_wanted_slide() -> str:
    """Return the slide that the deck is to open at, once; nothing for the first."""
    session = _session()
    wanted, session.slide_wanted = session.slide_wanted, ""
    return wanted


def arrangement(place: tuple[str, str]) -> Arrangement:
    """Return the user's changes to the deck of a campaign's pair."""
    return _session().decks.get(place, Arrangement())


def hold_arrangement(place: tuple[str, str], arrangement: Arrangement) -> None:
    """Hold the changes to the deck of a campaign's pair."""
    _session().decks[place] = arrangement


def write_note(place: tuple[str, str], slide: str, words: str) -> None:
    """Hold a note on a result, from a callback; other fields of the same note show it, too."""
    changed = arrangement(place).noted(slide, words)
    hold_arrangement(place, changed)
    _show_deck_again(place, changed)


def note_finding(page: str, sentence: str) -> None:
    """Hold what the page that is shown says, for a slide."""
    _session().finding = (page, sentence)


def finding() -> tuple[str, str]:
    """Return the page's name and its finding."""
    return _session().finding


def address() -> str:
    """Return the address of the page that is shown."""
    return _session().page or "result"


def chosen(key: str) -> object:
    """Return what a widget has been set to; for its callback."""
    return st.session_state.get(key)


def component_value(key: str, name: str) -> Any:
    """Return what a component has told under a name; for its callback."""
    return getattr(st.session_state.get(key), name, None)


def selected_rows(key: str) -> list[int]:
    """Return the rows that the user has just selected in a table; for its callback."""
    event: Any = st.session_state.get(key)
    return list(event["selection"]["rows"]) if event else []


def highlight_key(context: ViewContext) -> str:
    """Return the key of the box that names the system to highlight."""
    return f"highlight.{context.campaign.fingerprint}.{context.pair}"


def highlight_clicked(context: ViewContext, key: str, systems: Sequence[str]) -> None:
    """Highlight the system of the row that was clicked in a table; a second click ends that."""
    event: Any = st.session_state.get(key)
    cells = event["selection"]["cells"] if event else ()
    choose_in_callback(highlight_key(context), systems[cells[0][0]] if cells else None)


def chosen_in_callback(key: str) -> str:
    """Return what the user has just chosen in a widget; for its callback."""
    return str(st.session_state[key])


def selected_points(key: str) -> list[Any]:
    """Return the points that the user has just selected in a figure; for its callback."""
    event: Any = st.session_state.get(key)
    return list(event["selection"]["points"]) if event else []


# The campaign of the session ------------------------------------------------------------------


def upload() -> Upload | None:
    """Return the user's own campaign, if there is one."""
    return _session().upload


def take_upload(upload: Upload | None, problems: Sequence[str]) -> None:
    """Make an upload the session's campaign; without one, what was there before stays.

    ``problems`` say what is wrong with files that could not be read. Where the link that opened
    the session was made of the same judgments, its language pair is chosen.
    """
    session = _session()
    session.problems = tuple(problems)
    session.rest_was_read = upload is not None
    if upload is None:
        return
    if session.upload is not None and session.upload.campaign is not upload.campaign:
        session.selections.pop(session.upload.campaign.fingerprint, None)
    session.upload = upload
    session.wanted[CAMPAIGN] = UPLOADED
    if session.pending is not None and session.pending.data == upload.campaign.fingerprint:
        reopen(session.pending, upload.campaign, UPLOADED, upload.campaign.title)
    if session.link.get("data") == upload.campaign.fingerprint and "pair" in session.link:
        session.wanted[PAIR] = next(
            (p for p in upload.campaign.pairs if language_pair(p) == session.link["pair"]),
            upload.campaign.pairs[0],
        )


def ask_kind(kinds: Mapping[str, Sequence[str]]) -> None:
    """Note that the files to upload are of several kinds: which files are of which."""
    session = _session()
    session.kinds, session.kind = kinds, ""


def kinds_of_upload() -> Mapping[str, Sequence[str]]:
    """Return the files of each kind, where those to upload are of several."""
    return _session().kinds


def is_new_kind(kind: str) -> bool:
    """Return whether the files of this kind are not the campaign yet, and note that they are."""
    session = _session()
    if kind == session.kind:
        return False
    session.kind = kind
    return True


def is_file_missing() -> bool:
    """Return whether the link is of files that a user gave and this session does not have."""
    session = _session()
    return session.upload is None and session.link.get(CAMPAIGN) == UPLOADED


def is_first(what: str) -> bool:
    """Return whether this is the first time in the session, and note it."""
    seen = _session().seen
    if what in seen:
        return False
    seen.add(what)
    return True


def upload_problems() -> tuple[str, ...]:
    """Return what was wrong with the last upload's files."""
    return _session().problems


def rest_was_read() -> bool:
    """Return whether the last upload had files that could be read."""
    return _session().rest_was_read


def is_news(files: tuple[tuple[str, int], ...]) -> bool:
    """Return whether these files (their ids and sizes) were not read before, and note them."""
    session = _session()
    if files == session.read_files:
        return False
    session.read_files = files
    return True


def is_news_of_session(file: str) -> bool:
    """Return whether this session file, by its id, was not opened before, and note it."""
    session = _session()
    if session.session_file == file:
        return False
    session.session_file = file
    return True


# The selection --------------------------------------------------------------------------------


def selection(campaign: Campaign) -> Selection:
    """Return what counts of a campaign: the user's choice, else the link's, else everything."""
    return _selection(campaign)


def _selection(campaign: Campaign) -> Selection:
    session = _session()
    chosen = session.selections.get(campaign.fingerprint)
    if chosen is not None:
        return chosen
    if session.link.get("data") == campaign.fingerprint:
        return link.decode(session.link.get("only", ""), campaign)
    return DEFAULT_SELECTION


def select(campaign: Campaign, selection: Selection) -> None:
    """Hold a selection on every page; works in callbacks and in a page's own run."""
    session = _session()
    before = session.before.setdefault(campaign.fingerprint, [])
    before.append(_selection(campaign))
    del before[:-MOST_UNDONE]
    session.selections[campaign.fingerprint] = selection


def can_undo(campaign: Campaign) -> bool:
    """Return whether there is a selection to go back to."""
    return bool(_session().before.get(campaign.fingerprint))


def undo_selection(campaign: Campaign) -> None:
    """Go back to the selection before the last one; again, and so on."""
    session = _session()
    before = session.before.get(campaign.fingerprint)
    if before:
        session.selections[campaign.fingerprint] = before.pop()


# The session as a file --------------------------------------------------------------------------


def decks_of(campaign: Campaign) -> dict[str, Arrangement]:
    """Return the user's changes to the decks of a campaign, notes among them, by pair."""
    return {
        pair: deck
        for (data, pair), deck in _session().decks.items()
        if data == campaign.fingerprint and deck != Arrangement()
    }


def ask_title(campaign: Campaign) -> None:
    """Ask for a title of the campaign, which stands in every export."""
    key = f"title.{campaign.fingerprint}"

    def take() -> None:
        _session().titles[campaign.fingerprint] = str(st.session_state[key]).strip()

    st.text_input(
        "Title of the campaign",
        value=title(campaign),
        placeholder="For example: News task 2026",
        key=key,
        on_change=take,
        max_chars=LONGEST_TITLE,
    )


def title(campaign: Campaign) -> str:
    """Return the title that the user gave a campaign; empty where there is none."""
    return _session().titles.get(campaign.fingerprint, "")


def words() -> dict[str, Any]:
    """Return what the user wrote and chose for report and slides."""
    return {key: st.session_state[key] for key in WORDS if st.session_state.get(key)}


def reopen(saved: SavedSession, campaign: Campaign, picked: str, label: str) -> None:
    """Take over what fits a campaign, which ``picked`` names in the sidebar; for callbacks.

    A session saved with other judgments waits for these: once they are uploaded, all of it holds.
    """
    session, fitting = _session(), fit(saved, campaign)
    kept = fitting.saved
    preset = kept.preset if kept.preset in FOR_ORGANIZERS else DEFAULT_PRESET
    values: dict[str, Any] = {CAMPAIGN: picked, PRESET: PRESETS[preset].title}
    values |= of_ranker(kept.ranker) | of_certainty(kept.certainty)
    values |= {"seed": kept.certainty.seed, **_fitting_words(kept.words)}
    if kept.pair and len(campaign.pairs) > 1:
        values[PAIR] = kept.pair
    session.wanted |= values
    if session.link.get("data") not in (None, campaign.fingerprint):
        session.link = {}
    select(campaign, kept.selection)
    for pair, deck in kept.decks.items():
        session.decks[campaign.fingerprint, pair] = deck
        _show_deck_again((campaign.fingerprint, pair), deck)
    session.pending = None if fitting.is_same else saved
    session.reopened = _what_came_back(fitting, label)
    if page(kept.page) is not None:
        want_page(kept.page)


def wait_for_files(saved: SavedSession) -> None:
    """Hold a session that was opened before its judgments are there."""
    session = _session()
    session.pending, session.reopened = saved, waiting(saved.title)


def _what_came_back(fitting: Fitting, label: str) -> str:
    saved = fitting.saved
    if fitting.is_same:
        return reopened(sum(len(deck.notes) for deck in saved.decks.values()))
    return reopened_elsewhere(
        saved.title,
        saved.data,
        label,
        pair_is_missing=fitting.pair_is_missing,
        n_names=fitting.missing_names,
        n_slides=fitting.missing_slides,
        n_decks=fitting.missing_pairs,
    )


def _fitting_words(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a file's words that their widgets can hold."""
    kept: dict[str, Any] = {}
    for key in ("report.note",):
        if isinstance(found.get(key), str):
            kept[key] = found[key]
    for key in ("report.all", "anonymous"):
        if isinstance(found.get(key), bool):
            kept[key] = found[key]
    wanted = found.get("report.sections")
    if isinstance(wanted, list):
        kept["report.sections"] = [name for name in SECTIONS if name in wanted]
    return kept


def _show_deck_again(place: tuple[str, str], deck: Arrangement) -> None:
    """Set the widgets of a deck and of notes that are on the screen already."""
    shown, noted, beside = f"deck.show.{place[1]}.", f"deck.note.{place[1]}.", note_key(place)
    for key in map(str, list(st.session_state)):
        if key.startswith(shown) and deck.cut is not None:
            st.session_state[key] = key.removeprefix(shown) not in deck.cut
        elif key.startswith(noted):
            st.session_state[key] = deck.notes.get(key.removeprefix(noted), "")
        elif key.startswith(beside):
            slide = key.removeprefix(beside).partition("|")[0]
            st.session_state[key] = deck.notes.get(slide, "")


def note_key(place: tuple[str, str], slide: str = "", name: str = "") -> str:
    """Return the key of the note's widget beside a result, ``name``, that has this slide."""
    return f"note.{place[0]}.{place[1]}." + (f"{slide}|{name}" if slide else "")


def what_came_back() -> str:
    """Return what came back of the session that was opened; empty once it was understood."""
    return _session().reopened


def forget_what_came_back() -> None:
    """Stop telling of the session that was opened."""
    _session().reopened = ""


def hold_problem_of_session(words: str) -> None:
    """Hold what is wrong with a session file; empty where nothing is."""
    _session().session_problem = words


def problem_of_session() -> str:
    """Return what was wrong with the last session file."""
    return _session().session_problem


# The link -------------------------------------------------------------------------------------


def write_link(campaign: Campaign) -> None:
    """Keep in the link what the widgets do not: version, fingerprint and selection.

    A link made of other judgments keeps telling of those until they are there.
    """
    chosen = link.encode(selection(campaign), campaign)
    parts = {"v": link.VERSION, "data": campaign.fingerprint, "only": chosen, "map": ""}
    own = upload()
    if own is not None and own.is_of(campaign) and own.profile is not None:
        parts["map"] = own.profile.to_link()
    if link_is_of_other_data(campaign):
        parts |= {key: _session().link.get(key, "") for key in ("data", "only", "map")}
    new = {key: value for key, value in parts.items() if value != st.query_params.get(key, "")}
    # In one go: the browser's history gets an entry for each change.
    st.query_params.update({key: value for key, value in new.items() if value})
    for key in (key for key, value in new.items() if not value):
        del st.query_params[key]


def profile_of_link() -> Profile | None:
    """Return what the link that opened this session says of a table's columns."""
    letters = _session().link.get("map", "")
    try:
        return Profile.from_link(letters) if letters else None
    except PodiumError:
        return None


def from_link(key: str, campaign: Campaign) -> str:
    """Return what the link that opened this session says of a page's own choice, if it holds."""
    made_of = _session().link
    return made_of.get(key, "") if made_of.get("data") == campaign.fingerprint else ""


def put_in_link(key: str, value: str) -> None:
    """Keep a page's own choice in the link; nothing stands there for the default."""
    if value and st.query_params.get(key) != value:
        st.query_params[key] = value
    elif not value and key in st.query_params:
        del st.query_params[key]


def link_is_of_other_data(campaign: Campaign) -> bool:
    """Return whether the link that opened this session was made of other judgments."""
    made_of = _session().link.get("data")
    return made_of is not None and made_of != campaign.fingerprint


def forget_link() -> None:
    """Stop warning about the link that opened this session."""
    _session().link = {}


def read_setting(key: str, shown: Iterable[object]) -> None:
    """Note what the link says of a setting where none of what is ``shown`` is called so."""
    session = _session()
    if key in session.unread:
        session.unread.discard(key)
        wanted = session.link.get(key)
        if wanted is not None and wanted not in map(str, shown):
            session.unknown[key] = wanted


def unknown_settings() -> dict[str, str]:
    """Return what the link asked for and is not there, by setting."""
    return dict(_session().unknown)


def forget_unknown_settings() -> None:
    """Stop telling of settings that are not there."""
    _session().unknown.clear()


def hold(what: str, values: Sequence[Any] = ()) -> None:
    """Keep files or names on every page, beside those kept so far; without any, forget them all."""
    kept = tuple(dict.fromkeys((*held(what), *values))) if values else ()
    _session().held[what] = kept


def held(what: str) -> tuple[Any, ...]:
    """Return the files or names that are kept under a word."""
    return _session().held.get(what, ())


# Small things ---------------------------------------------------------------------------------


def remember_page(address: str, page: object) -> None:
    """Keep a page of this run, so that others can link to it."""
    _session().pages[address] = page


def page(address: str) -> Any:
    """Return a page to link to; None where it does not exist."""
    return _session().pages.get(address)


def hold_mode(mode: str) -> None:
    """Hold light or dark, as the browser has just told."""
    _session().mode = mode


def hold_narrow(narrow: bool) -> None:
    """Hold whether the browser's window is narrow."""
    _session().is_narrow = narrow


def is_narrow() -> bool:
    """Return whether the browser's window is so narrow that figures put text below names."""
    return _session().is_narrow


def mode() -> str | None:
    """Return the mode that the browser changed to in this session; None where it never did."""
    return _session().mode


def set_view(view: ViewContext) -> None:
    """Hold what the sidebar made of this run's choices."""
    _session().view = view


def require_campaign() -> ViewContext:
    """Return the view that the sidebar made; the first line of every page."""
    made = _session().view
    assert made is not None, "the sidebar comes before the page"
    return made


def view_or_none() -> ViewContext | None:
    """Return what the sidebar made of the last run's choices; None where it made nothing yet."""
    return _session().view
