"""What the server's log leaves out, so that it is silent while all is well.

A browser that breaks off an upload makes the server write a traceback, and every download a
warning that its thread has no session: it needs none. And a server that is stopped soon after its
start gives no more threads to what it prepares in the background.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from starlette.requests import ClientDisconnect

FILES = "streamlit.runtime.media_file_manager"
"""What keeps files for downloads; it asks for the session also in threads that have none."""


def silence_the_expected() -> None:
    """Filter both loggers; doing it twice changes nothing, since a filter is added once."""
    logging.getLogger("uvicorn.error").addFilter(_broken_off)
    named = "streamlit.runtime.scriptrunner_utils.script_run_context"
    logging.getLogger(named).addFilter(_is_not_of_a_download)


@contextmanager
def until_the_end() -> Iterator[None]:
    """Leave work in the background without a word where the process ends under it."""
    try:
        yield
    except RuntimeError:
        if not _process_ends():
            raise


def _process_ends() -> bool:
    """Return whether Python refuses new threads, as it does from its end's beginning."""
    try:
        with ThreadPoolExecutor(max_workers=1) as threads:
            threads.submit(int)
    except RuntimeError:
        return True
    return False


def _broken_off(record: logging.LogRecord) -> bool:
    """Leave out the traceback of an upload that ended early; the sender knows."""
    return not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))


def _is_not_of_a_download(record: logging.LogRecord) -> bool:
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_globals.get("__name__") == FILES:
            return False
    return True
