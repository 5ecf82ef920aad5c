"""Reading a user's own files: into this session's memory and nowhere else."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from dashboard import compute, state
from dashboard.typography import as_markdown


def show_uploader() -> None:
    """Offer to read files; a broken one leaves what was there and says what is wrong."""
    files = st.file_uploader(
        "Files of judgments",
        accept_multiple_files=True,
        max_upload_size=compute.MAX_UPLOAD_BYTES // 2**20,
        key="files",
        help="WMT rankings (CSV, 5-way or 2-way), Appraise XML, or arena votes (CSV, JSON, JSON "
        "Lines, Parquet); each may be gzipped. The format is found from the content. Files "
        "stay in the memory of this session: nobody else sees them, nothing is written.",
    )
    if files and state.is_news(tuple((file.file_id, file.size) for file in files)):
        try:
            with st.spinner("Reading …", show_time=True):
                campaign, report = compute.read_upload(
                    [(file.name, file.size, file.getvalue) for file in files]
                )
        except PodiumError as error:
            state.reject_upload(str(error))
        else:
            names = tuple(file.name for file in files)
            state.keep_upload(state.Upload(campaign, report, names))
            st.rerun()
    if files and state.upload_problem():
        st.error(
            f"{as_markdown(state.upload_problem())}\n\nThe campaign that you had is still there.",
            icon=":material/error:",
        )
