"""How tests open a page of the dashboard without a browser."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from dashboard.session import state
from dashboard.session.upload import Upload

PATIENCE = 60
"""Seconds that a page may take."""


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
