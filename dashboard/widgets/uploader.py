"""The uploader: a user's own files, into this session's memory and nowhere else.

The files that ``podium dashboard FILE …`` names open the same way. A session is saved as a small
file with all that a user chose, but no judgment, and opened from one.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import Campaign
from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.findings.reopening import files_missing
from analysis.formats import NEW_LAYOUT, formats_in_words
from analysis.formats.mapping import fits
from analysis.formats.mapping.profile import Profile
from analysis.formats.report import SeveralKindsError
from analysis.samples import EVERY_SAMPLE
from dashboard import compute
from dashboard.compute import housekeeping, store, uploads
from dashboard.registry import sections
from dashboard.session import address_bar, decks, opened, session_file, state
from dashboard.session.view import ViewContext
from dashboard.widgets.mapper import show_mapper
from dashboard.widgets.progress import progress_in


def show_uploader(below: DeltaGenerator | None = None, level: str = "##") -> bool:
    """Offer to read files; a broken one leaves what was there and says what is wrong.

    What an unknown table's columns mean is asked ``below``, where there is room, under a heading
    of that ``level``. Return whether it is asked.
    """
    files = st.file_uploader(
        "Files of judgments",
        accept_multiple_files=True,
        max_upload_size=housekeeping.MAX_UPLOAD_BYTES // 2**20,
        key=f"files{state.session().n_removed or ''}",
        on_change=_forget_waiting,
        help=(
            f"{formats_in_words()} Podium finds the format from the content. Files stay in the "
            "memory of this session: other users cannot see them, and nothing is stored."
        ),
    )
    sessions = [file for file in files or () if session_file.is_session(_beginning(file))]
    files = [file for file in files or () if file not in sessions]
    if sessions and opened.is_news_of_session(sessions[-1].file_id):
        take_session(sessions[-1].getvalue())
        if not files:
            st.rerun()
    given = [
        uploads.UploadedFile(file.name, file.size, file.getvalue, file.file_id) for file in files
    ]
    profiles = [file for file in given if file.name.casefold().endswith((".yaml", ".yml"))]
    tables = [file for file in given if file not in profiles]
    if tables and opened.is_news(tuple((file.id, file.size) for file in given)):
        opened.ask_kind({})
        _read(tables, profiles)
    session = state.session()
    tables = tables or list(session.waiting)
    if tables and session.kinds:
        _ask_kind(tables, profiles)
    unknown = next((file for file in tables if _may_be_mapped(file)), None)
    is_asked = unknown is not None or (session.kinds and not session.kind)
    session.waiting = tuple(tables) if is_asked else ()
    _show_problems(unknown)
    if unknown is None:
        return False
    with below or st.container():
        st.button(
            "This is not a table of judgments: remove it", key="mapper.remove", type="tertiary",
            icon=":material/delete:", on_click=_remove,
        )  # fmt: skip
        profile = show_mapper(unknown, level)
    if profile is not None:
        _take(tables, profile)
    return True


def _forget_waiting() -> None:
    """Forget files that the user replaces or takes away, and what was wrong with them."""
    session = state.session()
    session.waiting, session.problems = (), ()


def _remove() -> None:
    """Take away what the uploader has, which another one in its place does; a callback."""
    _forget_waiting()
    state.session().n_removed += 1


def _show_problems(unknown: uploads.UploadedFile | None) -> None:
    """Say what is wrong with files; of a table in a new layout, ask to check its columns."""
    session = state.session()
    problems = [as_markdown(problem) for problem in session.problems]
    if unknown is not None:
        problems = [one for one in problems if NEW_LAYOUT not in one]
        if len(problems) < len(session.problems):
            words = f"{as_markdown(unknown.name)} has a new layout. Check its columns below."
            st.info(words, icon=":material/table_view:")
    if problems:
        kept = ["Your previous data is unchanged."] if session.upload else []
        kept = ["The rest was read."] if session.rest_was_read else kept
        st.error("\n\n".join([*problems, *kept]), icon=":material/error:")


def _may_be_mapped(file: uploads.UploadedFile) -> bool:
    told = any(file.name in problem for problem in state.session().problems)
    return told and uploads.table_of(file) is not None


def _read(
    tables: Sequence[uploads.UploadedFile],
    profiles: Sequence[uploads.UploadedFile],
    others: Sequence[uploads.UploadedFile] = (),
) -> None:
    """Read files by the profile beside them, else by their content, else by the link's profile."""
    if profiles:
        try:
            profile = Profile.from_yaml(profiles[-1].get_bytes(), profiles[-1].name)
        except PodiumError as error:
            opened.take_upload(None, [str(error)])
            return
        _take(tables, profile, others)
        return
    of_link = address_bar.profile_of_link()
    first = uploads.table_of(tables[0]) if of_link is not None else None
    fit = of_link is not None and first is not None and fits(of_link, first.columns)
    _take(tables, of_link if fit else None, others)


def _take(
    tables: Sequence[uploads.UploadedFile],
    profile: Profile | None,
    others: Sequence[uploads.UploadedFile] = (),
) -> None:
    """Read files together; what cannot be read leaves what was there.

    Of files of several kinds the user has to choose one. ``others`` are votes on the same items,
    which extras may keep for the campaign.
    """
    with st.spinner("Reading …", show_time=True):
        try:
            upload, problems = uploads.read_upload(
                tables, progress_in(st.empty(), "Reading", unit="files"), profile
            )
        except SeveralKindsError as error:
            if kind := opened.kind_of_session(error.kinds):
                own, rest = _by_kind(tables, error.kinds, kind)
                _take(own, profile, rest)
                return
            opened.take_upload(None, ())
            opened.ask_kind(error.kinds, error.question)
            return
    if upload is not None:
        for section in sections("same-items"):
            section.take(upload.campaign, [(file.name, file.get_bytes()) for file in others])
    saved = state.session().pending
    opened.take_upload(upload, problems)
    if upload is not None:
        if saved is not None and saved.data == upload.campaign.fingerprint:
            _reopen_others(saved, upload.campaign)
        store.session_memory().forget()
        st.rerun()


def _by_kind(
    files: Sequence[uploads.UploadedFile], kinds: Mapping[str, Sequence[str]], kind: str
) -> tuple[list[uploads.UploadedFile], list[uploads.UploadedFile]]:
    """Return the files of a kind, and those of the other kinds."""
    own = [file for file in files if file.name in kinds[kind]]
    return own, [file for file in files if file.name in kinds and file not in own]


def _ask_kind(
    files: Sequence[uploads.UploadedFile], profiles: Sequence[uploads.UploadedFile]
) -> None:
    """Let the user say which kind of files is the campaign, and read those."""
    kinds = state.session().kinds

    def label(kind: str) -> str:
        files = kinds[kind]
        return as_markdown(kind if kind in files else f"{kind.capitalize()}: {', '.join(files)}")

    chosen = st.radio(
        state.session().question,
        list(kinds),
        format_func=label,
        index=None,
        key="kind_of_upload",
    )
    if chosen is not None and opened.is_new_kind(chosen):
        own, others = _by_kind(files, kinds, chosen)
        _read(own, profiles, others)


def _beginning(file: Any) -> bytes:
    """Return the first bytes of a file, without a copy of all of it."""
    found: bytes = file.read(80)
    file.seek(0)
    return found


_log = logging.getLogger(__name__)


def open_given_files() -> None:
    """Read the files that the command line named, once a session, before any widget is made."""
    names = json.loads(os.environ.get("PODIUM_FILES", "[]"))
    if not names or not state.is_first("files of the command line"):
        return
    paths = [Path(name) for name in names]
    progress = progress_in(st.empty(), "Reading", unit="files")
    files: list[uploads.UploadedFile] = []
    try:
        files = [
            uploads.UploadedFile(path.name, path.stat().st_size, path.read_bytes, str(path))
            for path in paths
        ]
        upload, problems = uploads.read_upload(files, progress)
    except SeveralKindsError as error:
        upload, problems = None, []
        opened.ask_kind(error.kinds, error.question)
    except (OSError, PodiumError) as error:
        upload, problems = None, [str(error)]
    opened.take_upload(upload, problems)
    if upload is None:
        state.session().waiting = tuple(files)
    for problem in problems:
        _log.warning(problem)
        if upload is not None or NEW_LAYOUT not in problem:  # Result asks for the columns
            st.error(as_markdown(problem), icon=":material/error:")


UPLOADER = "session.file"


def keep_session(context: ViewContext) -> None:
    """Offer to save this session, and to open one."""
    held = session_of(context)
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


def session_of(context: ViewContext) -> session_file.SavedSession:
    """Return this session as it is saved."""
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
        others={
            name: values
            for section in sections("same-items")
            for name, values in section.saved(context).items()
        },
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
        _reopen_others(found, place[0])


def _reopen_others(saved: session_file.SavedSession, campaign: Campaign) -> None:
    """Take over what extras had next to the campaign, and name the files that are missing."""
    missing = [
        name for one in sections("same-items") for name in one.reopen(campaign, saved.others)
    ]
    if missing:
        state.session().reopened += files_missing(missing)


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
