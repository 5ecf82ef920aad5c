"""Opening the files that ``podium dashboard FILE …`` names."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

import streamlit as st

from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from dashboard.compute import uploads
from dashboard.session import state
from dashboard.widgets.progress import progress_in

_log = logging.getLogger(__name__)


def open_given_files() -> None:
    """Read the files that the command line named, once a session, before any widget is made."""
    names = json.loads(os.environ.get("PODIUM_FILES", "[]"))
    if not names or not state.is_first("files of the command line"):
        return
    paths = [Path(name) for name in names]
    progress = progress_in(st.empty(), "Reading", unit="files")
    try:
        files = [
            uploads.UploadedFile(path.name, path.stat().st_size, path.read_bytes, str(path))
            for path in paths
        ]
        upload, problems = uploads.read_upload(files, progress)
    except (OSError, PodiumError) as error:
        upload, problems = None, [str(error)]
    state.take_upload(upload, problems)
    for problem in problems:
        _log.warning(problem)
        st.error(as_markdown(problem), icon=":material/error:")
