"""Reading a user's own files: into this session's memory and nowhere else."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.formats import formats_in_words
from dashboard.compute import store, uploads
from dashboard.session import saved, state
from dashboard.typography import as_markdown
from dashboard.widgets.progress import progress_in
from dashboard.widgets.session_file import take_session


def show_uploader() -> None:
    """Offer to read files; a broken one leaves what was there and says what is wrong."""
    files = st.file_uploader(
        "Files of judgments",
        accept_multiple_files=True,
        max_upload_size=uploads.MAX_UPLOAD_BYTES // 2**20,
        key="files",
        help=f"{formats_in_words()} Podium finds the format from the content. Files "
        "stay in the memory of this session: nobody else sees them, nothing is written.",
    )
    sessions = [file for file in files or () if saved.is_session(_beginning(file))]
    files = [file for file in files or () if file not in sessions]
    if sessions and state.is_news_of_session(sessions[-1].file_id):
        take_session(sessions[-1].getvalue())
        if not files:
            st.rerun()
    if files and state.is_news(tuple((file.file_id, file.size) for file in files)):
        with st.spinner("Reading …", show_time=True):
            upload, problems = uploads.read_upload(
                [uploads.UploadedFile(file.name, file.size, file.getvalue) for file in files],
                progress_in(st.empty(), "Reading", unit="files"),
            )
        state.take_upload(upload, problems)
        if upload is not None:
            store.session_memory().forget()
            st.rerun()
    if files and state.upload_problems():
        problems = [as_markdown(problem) for problem in state.upload_problems()]
        kept = "The rest was read." if state.rest_was_read() else "Your previous data is unchanged."
        st.error("\n\n".join([*problems, kept]), icon=":material/error:")


def _beginning(file: Any) -> bytes:
    """Return the first bytes of a file, without a copy of all of it."""
    found: bytes = file.read(80)
    file.seek(0)
    return found
