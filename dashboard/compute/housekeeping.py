"""What keeps a server that runs for weeks small: closed sessions go, and its log is silent.

Streamlit keeps a closed session for `server.disconnectedSessionTTL` seconds, in case its browser
comes back, and then until the next session closes: on a quiet evening an upload would stay all
night. Freed memory goes back to the machine only when the allocator is asked.

The log leaves out harmless messages. A browser that breaks off an upload makes the server write a
traceback, and every download a warning that its thread has no session: it needs none. And a server
that is stopped soon after its start gives no more threads to what it prepares in the background.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

import pyarrow as pa
from starlette.formparsers import MultiPartParser
from starlette.requests import ClientDisconnect
from streamlit import runtime
from streamlit.runtime.session_manager import ActiveSessionInfo

from dashboard import memory

ROUND = 10
"""Seconds between two rounds."""
LONG = 2
"""Rounds after which it is tidied even if nobody left: collecting garbage stops all pages."""


def freeze() -> None:
    """Take what was loaded so far out of garbage collection: it stays, and there is much of it."""
    gc.collect()
    gc.freeze()


def keep_house() -> None:
    """Tidy in the background as long as the process lives."""
    threading.Thread(target=_go_round, daemon=True, name="podium-housekeeping").start()


def tidy() -> None:
    """Collect what closed sessions left, and give freed memory back."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    memory.give_back()


def forget_closed_sessions(server: runtime.Runtime) -> None:
    """Let go of sessions whose time to come back is over, in the server's own thread."""
    # no public way leads there; where a later Streamlit has another one, sessions go when it likes
    with contextlib.suppress(AttributeError, RuntimeError):
        closed = attrgetter("_session_mgr._session_storage._cache")(server)
        server._get_async_objs().eventloop.call_soon_threadsafe(_forget, closed)


def _forget(closed: Any) -> None:
    """Forget sessions over time, also the one that the server's loop holds until another comes."""
    for _, kept in closed.expire():
        for holder in gc.get_referrers(kept.session):
            if isinstance(holder, ActiveSessionInfo):
                del holder.session


def sessions_kept(server: runtime.Runtime) -> int | None:
    """Return how many sessions the server keeps, open or closed; None where it does not say."""
    with contextlib.suppress(AttributeError, RuntimeError):
        return len(attrgetter("_session_mgr.list_sessions")(server)())
    return None


def _go_round() -> None:
    before, kept, rounds = None, None, 0
    while True:
        time.sleep(ROUND)
        rounds += 1
        if runtime.exists():
            server = runtime.get_instance()
            forget_closed_sessions(server)
            time.sleep(1)
            before, kept = kept, sessions_kept(server)
        if before is None or kept is None or kept < before or rounds >= LONG:
            rounds = 0
            tidy()


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


MAX_UPLOAD_BYTES = 500 * 2**20


def keep_uploads_in_memory() -> None:
    """Let the server write no part of an upload to disk: it would, from the second megabyte on."""
    MultiPartParser.spool_max_size = 2 * MAX_UPLOAD_BYTES
