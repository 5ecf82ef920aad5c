"""The server's log: silent about what happens every day, loud about the rest."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading

import pytest
from starlette.requests import ClientDisconnect
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from dashboard.compute.housekeeping import silence_the_expected, until_the_end


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


ENDING = """
import threading
from contextlib import nullcontext
from dashboard.compute.housekeeping import until_the_end
from analysis.parallel import map_items

begun = threading.Event()

def prepare():
    with {guard}:
        while True:
            map_items(lambda item, rng: begun.set(), range(4), seed=1)

threading.Thread(target=prepare).start()
begun.wait()
"""
"""A process that ends while a thread prepares something in threads of its own."""


@pytest.mark.parametrize("guard", ["until_the_end()", "nullcontext()"])
def test_what_is_prepared_when_the_server_stops_ends_without_a_traceback(guard: str) -> None:
    words = [sys.executable, "-c", ENDING.format(guard=guard)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert ("Traceback" in done.stderr) == (guard == "nullcontext()")


def test_another_error_in_the_background_is_told() -> None:
    with pytest.raises(RuntimeError, match="ours"), until_the_end():
        raise RuntimeError("ours")
