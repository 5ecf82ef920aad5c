"""What a user opens: files of judgments, and a saved session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from analysis.campaign import Campaign
from analysis.findings.reopening import reopened, reopened_elsewhere, waiting
from analysis.languages import language_pair
from analysis.presets import DEFAULT_PRESET, FOR_ORGANIZERS, PRESETS
from analysis.reporting.document import SECTIONS
from dashboard.session import state
from dashboard.session.decks import show_deck_again
from dashboard.session.session_file import Fitting, SavedSession, fit
from dashboard.session.state import Upload, select
from dashboard.session.view import of_certainty, of_ranker

LONGEST_TITLE = 200
"""Letters of a title of the campaign."""
WORDS = ("report.note", "report.sections", "report.all", "anonymous")
"""Widgets of Report and Present that a saved session keeps, each with a value of its own type."""


def take_upload(upload: Upload | None, problems: Sequence[str]) -> None:
    """Make an upload the session's campaign; without one, what was there before stays.

    ``problems`` say what is wrong with files that could not be read. Where the link that opened
    the session was made of the same judgments, its language pair is chosen.
    """
    session = state.session()
    session.problems = tuple(problems)
    session.rest_was_read = upload is not None
    if upload is None:
        return
    if session.upload is not None and session.upload.campaign is not upload.campaign:
        session.selections.pop(session.upload.campaign.fingerprint, None)
    session.upload, session.waiting = upload, ()
    session.wanted[state.CAMPAIGN] = state.UPLOADED
    if session.pending is not None and session.pending.data == upload.campaign.fingerprint:
        reopen(session.pending, upload.campaign, state.UPLOADED, upload.campaign.title)
    if session.link.get("data") == upload.campaign.fingerprint and "pair" in session.link:
        session.wanted[state.PAIR] = next(
            (p for p in upload.campaign.pairs if language_pair(p) == session.link["pair"]),
            upload.campaign.pairs[0],
        )


def ask_kind(kinds: Mapping[str, Sequence[str]], question: str = "") -> None:
    """Note that the files to upload are of several kinds, and the question about them."""
    session = state.session()
    session.kinds, session.kind, session.question = kinds, "", question


def kind_of_session(kinds: Mapping[str, Sequence[str]]) -> str:
    """Return the kind that is the campaign of a saved session, which knows the other files."""
    pending = state.session().pending
    others = (
        set() if pending is None else {name for names in pending.others.values() for name in names}
    )
    of_campaign = [kind for kind, names in kinds.items() if not others.issuperset(names)]
    return of_campaign[0] if others and len(of_campaign) == 1 else ""


def is_new_kind(kind: str) -> bool:
    """Return whether the files of this kind are not the campaign yet, and note that they are."""
    session = state.session()
    if kind == session.kind:
        return False
    session.kind = kind
    return True


def is_file_missing() -> bool:
    """Return whether the link is of files that a user gave and this session does not have."""
    session = state.session()
    return session.upload is None and session.link.get(state.CAMPAIGN) == state.UPLOADED


def is_news(files: tuple[tuple[str, int], ...]) -> bool:
    """Return whether these files (their ids and sizes) were not read before, and note them."""
    session = state.session()
    if files == session.read_files:
        return False
    session.read_files = files
    return True


def is_news_of_session(file: str) -> bool:
    """Return whether this session file, by its id, was not opened before, and note it."""
    session = state.session()
    if session.session_file == file:
        return False
    session.session_file = file
    return True


def ask_title(campaign: Campaign) -> None:
    """Ask for a title of the campaign, which stands in every export."""
    key = f"title.{campaign.fingerprint}"

    def take() -> None:
        state.session().titles[campaign.fingerprint] = state.chosen_in_callback(key).strip()

    st.text_input(
        "Title of the campaign",
        value=title(campaign),
        placeholder="A name for slides, report and tables",
        key=key,
        on_change=take,
        max_chars=LONGEST_TITLE,
    )


def title(campaign: Campaign) -> str:
    """Return the title that the user gave a campaign; empty where there is none."""
    return state.session().titles.get(campaign.fingerprint, "")


def words() -> dict[str, Any]:
    """Return what the user wrote and chose for report and slides."""
    return {key: value for key in WORDS if (value := state.chosen(key))}


def reopen(saved: SavedSession, campaign: Campaign, picked: str, label: str) -> None:
    """Take over what fits a campaign, which ``picked`` names in the sidebar; for callbacks.

    A session saved with other judgments waits for these: once they are uploaded, all of it holds.
    """
    session, fitting = state.session(), fit(saved, campaign)
    kept = fitting.saved
    preset = kept.preset if kept.preset in FOR_ORGANIZERS else DEFAULT_PRESET
    values: dict[str, Any] = {state.CAMPAIGN: picked, state.PRESET: PRESETS[preset].title}
    values |= of_ranker(kept.ranker) | of_certainty(kept.certainty)
    values |= {"seed": kept.certainty.seed, **_fitting_words(kept.words)}
    if kept.pair and len(campaign.pairs) > 1:
        values[state.PAIR] = kept.pair
    session.wanted |= values
    if session.link.get("data") not in (None, campaign.fingerprint):
        session.link = {}
    select(campaign, kept.selection)
    for pair, deck in kept.decks.items():
        session.decks[campaign.fingerprint, pair] = deck
        show_deck_again((campaign.fingerprint, pair), deck)
    session.pending = None if fitting.is_same else saved
    session.reopened = _what_came_back(fitting, label)
    if state.page(kept.page) is not None:
        state.want_page(kept.page)


def wait_for_files(saved: SavedSession) -> None:
    """Hold a session that was opened before its judgments are there."""
    session = state.session()
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
    if isinstance(found.get("report.note"), str):
        kept["report.note"] = found["report.note"]
    for key in ("report.all", "anonymous"):
        if isinstance(found.get(key), bool):
            kept[key] = found[key]
    wanted = found.get("report.sections")
    if isinstance(wanted, list):
        kept["report.sections"] = [name for name in SECTIONS if name in wanted]
    return kept


def forget_what_came_back() -> None:
    """Stop telling of the session that was opened."""
    state.session().reopened = ""
