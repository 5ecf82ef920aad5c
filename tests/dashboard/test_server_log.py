"""The server's log: silent about what happens every day, loud about the rest."""

from __future__ import annotations

import logging
import threading

import pytest
from starlette.requests import ClientDisconnect
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from dashboard.compute.server_log import silence_the_expected


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What both loggers let through."""
    told: list[str] = []
    silence_the_expected()
    for name in ("uvicorn.error", get_script_run_ctx.__module__):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "callHandlers", lambda record: told.append(record.getMessage()))
    return told


def test_an_upload_that_is_broken_off_leaves_no_traceback(heard: list[str]) -> None:
    for error in (ClientDisconnect(), ValueError("ours")):
        try:
            raise error
        except Exception:
            logging.getLogger("uvicorn.error").exception("%s", type(error).__name__)
    assert heard == ["ValueError"]


def test_a_download_in_a_thread_of_its_own_leaves_no_warning(heard: list[str]) -> None:
    files = MediaFileManager(MemoryMediaFileStorage("/media"))

    def run(*steps: object) -> None:
        for step in steps:
            thread = threading.Thread(target=step)  # type: ignore[arg-type]
            thread.start()
            thread.join()

    run(lambda: files.add(b"a", "text/csv", "1"), files.clear_session_refs)
    assert heard == []
    run(get_script_run_ctx)
    assert ["missing ScriptRunContext" in words for words in heard] == [True]
