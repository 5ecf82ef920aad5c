"""A session of the dashboard without a browser: it speaks Streamlit's own protocol and listens.

A visitor sends what a browser sends (open a link, turn the page, give a file) and waits until the
server has drawn the page. It draws nothing, so hundreds of them cost a core little.
"""

from __future__ import annotations

import asyncio
import re
import time
import urllib.request
import uuid
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any, TypeVar
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

T = TypeVar("T")
COOKIE = "_streamlit_xsrf"
BOUNDARY = "podium-load"
WENT_WRONG = re.compile(r"Podium failed on this page|could not be read")


@dataclass
class View:
    """What a visitor saw of one request: seconds to the first sign, the finding, the whole page."""

    page: str
    first: float = float("nan")
    finding: float = float("nan")
    whole: float = float("nan")
    words: list[str] = field(default_factory=list)
    uploader: str = ""
    choices: dict[str, str] = field(default_factory=dict)
    failed: str = ""

    def see(self, delta: Delta, passed: float) -> None:
        """Note an element that the server has drawn."""
        if self.first != self.first:
            self.first = passed
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        kind = element.WhichOneof("type")
        words = {
            "markdown": element.markdown.body,
            "alert": element.alert.body,
            "html": element.html.body,
            "exception": element.exception.message,
            "plotly_chart": element.plotly_chart.spec,
        }.get(kind or "", "")
        if kind == "exception" or WENT_WRONG.search(words):
            self.failed = words
        if kind == "markdown" and words.startswith("# ") and self.finding != self.finding:
            self.finding = passed
        if kind == "file_uploader" and element.file_uploader.multiple_files and not self.uploader:
            self.uploader = element.file_uploader.id  # the first: others take tables beside it
        if kind == "selectbox" and element.selectbox.options:
            box = element.selectbox
            if box.set_value:
                self.choices[box.id] = box.raw_value
            elif box.id not in self.choices and box.HasField("default"):
                self.choices[box.id] = box.options[box.default]
        if words:
            self.words.append(words)


class Visitor:
    """One user's session; `async with` opens and closes its connection."""

    def __init__(self, address: str, patience: float = 180) -> None:
        self.address, self.patience = address, patience
        self._pages: dict[str, str] = {}
        self._page = ""
        self._link = ""
        self._session = ""
        self._choices: dict[str, str] = {}

    async def __aenter__(self) -> Visitor:
        self._xsrf = await asyncio.to_thread(self._fetch_cookie)
        self._socket: ClientConnection = await connect(
            self.address.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=["streamlit", self._xsrf],  # type: ignore[list-item]
            additional_headers={"Cookie": f"{COOKIE}={self._xsrf}"},
            max_size=None,
            ping_timeout=None,
            open_timeout=self.patience,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def open(self, page: str, **settings: str) -> View:
        """Open a link to a page."""
        return await self.follow(page, urlencode(settings))

    async def follow(self, page: str, link: str) -> View:
        """Open a page with the settings of another session's link."""
        self._link = link
        message = self._rerun()
        message.rerun_script.page_name = page
        return await self._ask(page, message)

    async def go_to(self, page: str) -> View:
        """Turn the page."""
        self._page = self._pages[page]
        return await self._ask(page, self._rerun())

    @property
    def link(self) -> str:
        """The settings that the address holds."""
        return self._link

    @property
    def pages(self) -> list[str]:
        """The addresses in the navigation."""
        return sorted(self._pages)

    async def give(self, name: str, content: bytes) -> View:
        """Give a file to the page Data."""
        shown = await self.go_to("data")
        place = await self._place_of(name)
        await asyncio.to_thread(self._put, place.upload_url, name, content)
        message = self._rerun()
        state = message.rerun_script.widget_states.widgets.add(id=shown.uploader)
        file = state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(content), file_id=place.file_id
        )
        file.file_urls.CopyFrom(place)
        return await self._ask("upload", message)

    async def break_off(self, name: str, content: bytes) -> None:
        """Begin to give a file, and hang up after half of it."""
        place = await self._place_of(name)
        await asyncio.to_thread(self._put_half, place.upload_url, name, content)

    def _rerun(self) -> BackMsg:
        message = BackMsg()
        message.rerun_script.query_string = self._link
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.context_info.color_scheme = "light"
        message.rerun_script.context_info.url = self.address
        for box, chosen in self._choices.items():
            message.rerun_script.widget_states.widgets.add(id=box, string_value=chosen)
        return message

    async def _ask(self, page: str, message: BackMsg) -> View:
        """Send a request and listen until the page is drawn."""
        view, began = View(page, choices=self._choices), time.monotonic()
        await self._socket.send(message.SerializeToString())
        try:
            async with asyncio.timeout(self.patience):
                while True:
                    heard = await self._hear()
                    passed = time.monotonic() - began
                    if heard.WhichOneof("type") == "delta":
                        view.see(heard.delta, passed)
                    elif heard.WhichOneof("type") == "script_finished" and _is_last(heard):
                        view.whole = passed
                        return view
        except TimeoutError:
            view.failed = f"not drawn within {self.patience:.0f} s"
            return view

    async def _hear(self) -> ForwardMsg:
        message = ForwardMsg()
        message.ParseFromString(await self._socket.recv(decode=False))
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
            self._page = message.new_session.page_script_hash
        elif kind == "navigation":
            self._pages = {
                page.url_pathname or "result": page.page_script_hash
                for page in message.navigation.app_pages
                if not page.is_hidden
            }
        elif kind == "page_info_changed":
            self._link = message.page_info_changed.query_string
        return message

    async def _place_of(self, name: str) -> FileURLs:
        message = BackMsg()
        message.file_urls_request.request_id = str(uuid.uuid4())
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        await self._socket.send(message.SerializeToString())
        while True:
            heard = await self._hear()
            if heard.WhichOneof("type") == "file_urls_response":
                return heard.file_urls_response.file_urls[0]

    def _fetch_cookie(self) -> str:
        with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=60) as answer:
            return SimpleCookie(answer.headers["Set-Cookie"])[COOKIE].value

    def _put(self, place: str, name: str, content: bytes) -> None:
        body, headers = self._form(name, content)
        request = urllib.request.Request(
            self.address + place, data=body, method="PUT", headers=headers
        )
        with urllib.request.urlopen(request, timeout=self.patience):
            pass

    def _put_half(self, place: str, name: str, content: bytes) -> None:
        body, headers = self._form(name, content)
        host = self.address.removeprefix("http://")
        line = HTTPConnection(host, timeout=self.patience)
        line.putrequest("PUT", place)
        for header, value in headers.items():
            line.putheader(header, value)
        line.putheader("Content-Length", str(len(body)))
        line.endheaders(body[: len(body) // 2])
        line.close()

    def _form(self, name: str, content: bytes) -> tuple[bytes, dict[str, str]]:
        """Return a file as a browser sends it, with the headers."""
        head = (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"'
            "\r\nContent-Type: text/csv\r\n\r\n"
        )
        return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode(), {
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
            "X-Xsrftoken": self._xsrf,
            "Cookie": f"{COOKIE}={self._xsrf}",
        }


def _is_last(message: ForwardMsg) -> bool:
    """Return whether a run's end is the end of what was asked for: no other run follows."""
    return message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN


def run_apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: a browser's driver may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def foreign_names(views: Iterable[View], mark: re.Pattern[str], own: str) -> set[str]:
    """Return marks of other users' campaigns in what a user was shown."""
    shown = "\n".join(words for view in views for words in view.words)
    return {found for found in mark.findall(shown) if found != own}
