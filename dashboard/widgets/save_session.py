"""Saving the session as a small file, and opening one: all that a user chose, but no judgment."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.campaign import Campaign
from analysis.errors import PodiumError
from analysis.simulation.samples import EVERY_SAMPLE
from dashboard import compute
from dashboard.compute import uploads
from dashboard.session import decks, opened, session_file, state
from dashboard.session.view import ViewContext

UPLOADER = "session.file"


def keep_session(context: ViewContext) -> None:
    """Offer to save this session, and to open one."""
    held = _saved(context)
    file_name = context.file_name("session", "json")
    with st.expander("Save or open a session", icon=":material/save:"):
        st.download_button(
            "Save this session",
            data=compute.fetched(lambda: session_file.write(held), "application/json", file_name),
            file_name=file_name,
            mime="application/json",
            key="session.save",
            on_click="ignore",
            icon=":material/download:",
            width="stretch",
            help=(
                "Settings, filters, notes, slides, page and language pair, as a small file. It "
                "contains no judgments: keep your files, too."
            ),
        )
        open_session()


def open_session() -> None:
    """Ask for a session file; the page says what came back, or what is wrong with it."""
    st.file_uploader(
        "Open a saved session",
        type=["json"],
        key=UPLOADER,
        max_upload_size=session_file.LARGEST // 2**20,
        on_change=_open,
    )


def sample_title(name: str) -> str:
    """Return a sample's title as short as the sidebar is narrow."""
    return EVERY_SAMPLE[name].title.removesuffix(" (simulated)")


def _saved(context: ViewContext) -> session_file.SavedSession:
    samples = {sample.title: name for name, sample in EVERY_SAMPLE.items()}
    return session_file.SavedSession(
        data=context.campaign.fingerprint,
        title=context.label,
        sample=samples.get(context.label, "") if context.is_sample else "",
        page=state.session().address,
        pair=context.pair,
        preset=context.preset.name,
        ranker=context.ranker,
        certainty=context.certainty,
        selection=state.selection_of(context.campaign),
        decks=decks.decks_of(context.campaign),
        words=opened.words(),
    )


def take_session(data: bytes) -> None:
    """Take over what a session file holds and fits; a broken one changes nothing."""
    state.session().session_problem = ""
    try:
        found = session_file.read(data)
        place = _campaign_of(found)
    except PodiumError as error:
        state.session().session_problem = str(error)
        return
    if place is None:
        opened.wait_for_files(found)
    else:
        opened.reopen(found, *place)


def _open() -> None:
    file: Any = state.chosen(UPLOADER)
    if file is not None:
        take_session(file.getvalue())


def _campaign_of(found: session_file.SavedSession) -> tuple[Campaign, str, str] | None:
    """Return the campaign to open a session on, its name in the sidebar, and what it is called.

    The sample that it names; else the user's own files; else what is on the screen; None where
    nothing is.
    """
    own = state.session().upload
    if found.sample in EVERY_SAMPLE:
        title = sample_title(found.sample)
        return uploads.sample(found.sample), title, title
    if own is not None:
        return own.campaign, state.UPLOADED, ", ".join(own.files)
    view: ViewContext | None = state.session().view
    if view is None or opened.is_file_missing():
        return None
    return view.campaign, str(state.chosen(state.CAMPAIGN)), view.label
