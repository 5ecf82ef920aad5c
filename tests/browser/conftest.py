"""The dashboard in a real Chromium: one server and one browser for all tests of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlparse

import pytest

LOCAL = {"localhost", "127.0.0.1", None, ""}
SECOND_TRIES = 1
"""A test of a real browser has one more try: on a busy machine a page can come too late for it.

A page that is broken fails both; the summary counts the tries.
"""
PROBES = ("/_stcore/health", "/_stcore/host-config")
"""Streamlit looks for its server below the page's address first; it is not there, and says so."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=SECOND_TRIES))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The dashboard's address."""
    from tests.browser.driving import serve

    folder = tmp_path_factory.mktemp("dashboard")
    with serve(home=folder, log=folder / "server.log") as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    from tests.browser.driving import launch

    with sync_playwright() as driver:
        browser = launch(driver)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Any) -> Iterator[Callable[[], Any]]:
    """Open pages, each in a browser that knows nothing yet.

    In the end none may have asked another machine for anything, nor complained.
    """
    from tests.browser.driving import PATIENCE

    contexts: list[Any] = []
    elsewhere: list[str] = []
    complaints: list[str] = []

    def watch_request(request: Any) -> None:
        url = urlparse(request.url)
        if url.scheme not in ("data", "blob") and url.hostname not in LOCAL:
            elsewhere.append(request.url)

    def watch_console(message: Any) -> None:
        asked_for = urlparse(message.location.get("url", "")).path
        if message.type == "error" and not asked_for.endswith(PROBES):
            complaints.append(f"{message.text} ({asked_for})")

    def open_() -> Any:
        context = chromium.new_context(
            viewport={"width": 1440, "height": 900}, accept_downloads=True
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("request", watch_request)
        page.on("websocket", watch_request)
        page.on("console", watch_console)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert elsewhere == []
    assert complaints == []


@pytest.fixture
def page(new_page: Callable[[], Any]) -> Any:
    """One page of a fresh browser."""
    return new_page()
