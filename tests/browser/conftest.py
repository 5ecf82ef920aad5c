"""The dashboard in a real Chromium: one server and one browser for all tests of a process."""

from __future__ import annotations

import contextlib
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


def fresh_context(chromium: Any) -> Any:
    """Return a browser that knows nothing yet."""
    from tests.browser.driving import PATIENCE

    context = chromium.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    return context


class Watch:
    """Notes what pages ask of other machines, and of what they complain."""

    def __init__(self) -> None:
        self.elsewhere: list[str] = []
        self.complaints: list[str] = []

    def over(self, context: Any) -> Any:
        """Open a page in a context and watch it."""
        page = context.new_page()
        page.on("request", self._see_request)
        page.on("websocket", self._see_request)
        page.on("console", self._see_message)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def end(self) -> None:
        """Demand that nothing was noted."""
        assert self.elsewhere == []
        assert self.complaints == []

    def _see_request(self, request: Any) -> None:
        url = urlparse(request.url)
        if url.scheme not in ("data", "blob") and url.hostname not in LOCAL:
            self.elsewhere.append(request.url)

    def _see_message(self, message: Any) -> None:
        asked_for = urlparse(message.location.get("url", "")).path
        if message.type == "error" and not asked_for.endswith(PROBES):
            self.complaints.append(f"{message.text} ({asked_for})")


@pytest.fixture
def new_page(chromium: Any) -> Iterator[Callable[[], Any]]:
    """Open pages, each in a browser that knows nothing yet.

    In the end none may have asked another machine for anything, nor complained.
    """
    contexts: list[Any] = []
    watch = Watch()

    def open_() -> Any:
        contexts.append(fresh_context(chromium))
        return watch.over(contexts[-1])

    yield open_
    for context in contexts:
        context.close()
    watch.end()


@pytest.fixture(scope="session")
def known_context(chromium: Any) -> Iterator[Any]:
    """A browser that keeps Streamlit's scripts, compiled, from one test to the next."""
    context = fresh_context(chromium)
    yield context
    context.close()


@pytest.fixture
def page(known_context: Any) -> Iterator[Any]:
    """One page of a browser that knows Streamlit's scripts and nothing of its user."""
    from playwright.sync_api import Error

    watch = Watch()
    page = watch.over(known_context)
    yield page
    known_context.set_offline(False)
    with contextlib.suppress(Error):  # what is no page of the server keeps nothing
        page.evaluate("localStorage.clear()")
    for each in known_context.pages:
        each.close()
    known_context.clear_cookies()
    known_context.clear_permissions()
    watch.end()
