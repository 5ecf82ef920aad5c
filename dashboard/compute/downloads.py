"""Files that a button makes when it is pressed, kept until the browser has fetched them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count

from streamlit import runtime

KEPT = 32
"""Files of everybody that are kept at most; a newer one takes the oldest one's place."""
SECONDS = 60.0
"""So long after the last file was made, none is kept."""

_numbers = count()
_lock = threading.Lock()
_last: threading.Timer | None = None


def fetched(make: Callable[[], str | bytes], mime: str, name: str) -> Callable[[], bytes]:
    """Return what makes a file for `st.download_button`, so that its address answers.

    Streamlit forgets a file that was made for a press as soon as two runs of anybody's pages have
    ended, which on a busy server is before the browser has asked for it.
    """

    def made() -> bytes:
        data = make()
        content = data.encode() if isinstance(data, str) else data
        if runtime.exists():
            _hold(content, mime, name)
        return content

    return made


def _hold(content: bytes, mime: str, name: str) -> None:
    """Name a file as used; what has the same content, type and name has the same address."""
    global _last
    files = runtime.get_instance().media_file_mgr
    with _lock:
        place = f"podium.download.{next(_numbers) % KEPT}"
        files.add(content, mime, place, file_name=name, is_for_static_download=True)
        if _last is not None:
            _last.cancel()
        # In a thread without a session it forgets what was held in threads without one: these.
        _last = threading.Timer(SECONDS, files.clear_session_refs)
        _last.daemon = True
        _last.start()
