"""The link in the browser's address bar: what opened the session, and what is kept in it."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from analysis.campaign import Campaign
from analysis.errors import PodiumError
from analysis.formats.mapping.profile import Profile
from dashboard.session import link, state


def write_link(campaign: Campaign) -> None:
    """Keep in the link what the widgets do not: version, fingerprint and selection.

    A link made of other judgments keeps telling of those until they are there.
    """
    chosen = link.encode(state.selection_of(campaign), campaign)
    parts = {"v": link.VERSION, "data": campaign.fingerprint, "only": chosen, "map": ""}
    own = state.session().upload
    if own is not None and own.is_of(campaign) and own.profile is not None:
        parts["map"] = own.profile.to_link()
    if link_is_of_other_data(campaign):
        parts |= {key: state.session().link.get(key, "") for key in ("data", "only", "map")}
    new = {key: value for key, value in parts.items() if value != st.query_params.get(key, "")}
    # In one go: the browser's history gets an entry for each change.
    st.query_params.update({key: value for key, value in new.items() if value})
    for key in (key for key, value in new.items() if not value):
        del st.query_params[key]


def profile_of_link() -> Profile | None:
    """Return what the link that opened this session says of a table's columns."""
    letters = state.session().link.get("map", "")
    try:
        return Profile.from_link(letters) if letters else None
    except PodiumError:
        return None


def from_link(key: str, campaign: Campaign) -> str:
    """Return what the link that opened this session says of a page's own choice, if it holds."""
    made_of = state.session().link
    return made_of.get(key, "") if made_of.get("data") == campaign.fingerprint else ""


def put_in_link(key: str, value: str) -> None:
    """Keep a page's own choice in the link; nothing stands there for the default."""
    if value and st.query_params.get(key) != value:
        st.query_params[key] = value
    elif not value and key in st.query_params:
        del st.query_params[key]


def link_is_of_other_data(campaign: Campaign) -> bool:
    """Return whether the link that opened this session was made of other judgments."""
    made_of = state.session().link.get("data")
    return made_of is not None and made_of != campaign.fingerprint


def forget_link() -> None:
    """Stop warning about the link that opened this session."""
    state.session().link = {}


def read_setting(key: str, shown: Iterable[object]) -> None:
    """Note what the link says of a setting where none of what is ``shown`` is called so."""
    session = state.session()
    if key in session.unread:
        session.unread.discard(key)
        wanted = session.link.get(key)
        if wanted is not None and wanted not in map(str, shown):
            session.unknown[key] = wanted
