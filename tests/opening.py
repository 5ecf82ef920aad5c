"""How tests open a page of the dashboard without a browser."""

from __future__ import annotations

from functools import cache
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner

from analysis.campaign import Campaign
from dashboard.session import state
from dashboard.session.state import Upload

PATIENCE = 300
"""Seconds that a page may take on a busy machine."""


def _wait_for_script(runner: Any, timeout: float) -> None:
    """Wait for the end of a page's script; Streamlit's own tests ask a thousand times a second."""
    runner._script_thread.join(timeout)
    if runner._script_thread.is_alive():
        runner.request_stop()
        runner.join()
        raise RuntimeError(f"the page was not ready after {timeout} seconds")


# Each new AppTest would look through all installed packages, which takes longer than most pages.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
local_script_runner.require_widgets_deltas = _wait_for_script


def open_address(address: str, session: object = None, **link: str | list[str]) -> AppTest:
    """Open a page, in a session of its own unless told otherwise.

    ``link`` are the parts of its link, ``__`` standing for the dot in a name.
    """
    app = AppTest.from_string(
        f"from dashboard import navigation\nnavigation.run({address!r})", default_timeout=PATIENCE
    )
    for key, value in link.items():
        app.query_params[key.replace("__", ".")] = value
    if session is not None:
        app.session_state["podium"] = session
    return app.run()


def with_upload(campaign: Campaign) -> state.Session:
    """Return a session in which a campaign has been read and is chosen."""
    session = state.Session(upload=Upload(campaign, None, ("x.csv",)))  # type: ignore[arg-type]
    session.wanted[state.CAMPAIGN] = state.UPLOADED
    return session
