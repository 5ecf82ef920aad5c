"""A server on its own: whom it talks to, what it needs to start, and what the container says."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tools.load.crowd import campaign_file
from tests.tools.load.serving import Server, noise, serve
from tests.tools.load.visitor import View, Visitor, run_apart
from tests.tools.soak import can_fill_a_disk, small_disk

ROOT = Path(__file__).resolve().parents[1]
HERE = re.compile(r"127\.\d+\.\d+\.\d+|::1|localhost|None|b?'localhost'")
LISTENER = """
import json, os, sys


def listen(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"):
        socket, address = arguments[0], arguments[1]
        host = address[0] if isinstance(address, tuple) else str(address)
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = str(arguments[0])
    else:
        return
    with open(os.environ["PODIUM_SOCKETS"], "a") as log:
        log.write(json.dumps([event, host]) + "\\n")

sys.addaudithook(listen)
"""
"""Loaded by every Python that starts: it notes whom the process talks to."""


async def _look(address: str, *pages: str) -> list[View]:
    async with Visitor(address) as visitor:
        views = [await visitor.open("data", method="Expected Wins")]
        return views + [await visitor.go_to(page) for page in pages]


def test_a_fresh_start_and_a_visit_ask_no_other_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(LISTENER)
    heard = tmp_path / "sockets.jsonl"
    monkeypatch.setenv("PODIUM_SOCKETS", str(heard))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with serve(ROOT, tmp_path) as server:
        views = run_apart(_look(server.address, "head-to-head"))
    assert [view.failed for view in views] == ["", ""]
    talk = [json.loads(line) for line in heard.read_text().splitlines()]
    assert any(event == "socket.bind" for event, _ in talk)
    assert [(event, host) for event, host in talk if not HERE.fullmatch(host)] == []


def test_the_listener_of_this_test_hears(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LISTENER)
    heard = tmp_path / "sockets.jsonl"
    code = "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 9))"
    environment = {**os.environ, "PODIUM_SOCKETS": str(heard), "PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=False, timeout=60)
    assert json.loads(heard.read_text().splitlines()[0]) == ["socket.connect", "192.0.2.1"]


def test_this_machine_alone_is_answered_by_default() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert settings["server"]["address"] == "localhost"
    assert set(settings["server"]["allowedHosts"]) == {"localhost", "127.0.0.1"}
    assert settings["browser"]["gatherUsageStats"] is False


# A system that may not be written to ------------------------------------------------------------


def read_only(line: str) -> list[str]:
    """Return a command that runs in a system of which only an empty /tmp may be written to."""
    root = shlex.quote(str(ROOT))
    steps = [
        "mount -o remount,bind,ro /",
        f"mount --bind {root} {root}",
        f"mount -o remount,bind,ro {root}",
        "mount -t tmpfs tmpfs /tmp",
        f"cd {root}",
        "! touch written 2> /dev/null",
        "! touch ~/written 2> /dev/null",
        "exec env -u HOME -u XDG_CACHE_HOME setpriv --bounding-set=-all --inh-caps=-all "
        f"--no-new-privs {shlex.quote(sys.executable)} {line}",
    ]
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", " && ".join(steps)]


@pytest.fixture(scope="module")
def closed_system() -> None:
    with contextlib.suppress(OSError):
        tried = subprocess.run(read_only("-c 'pass'"), capture_output=True, check=False, timeout=60)
        if tried.returncode == 0:
            return
    pytest.skip("mounting read-only takes unshare, setpriv and user namespaces")


@pytest.mark.usefixtures("closed_system")
def test_a_command_runs_without_home_on_a_read_only_system() -> None:
    line = "-m analysis rank sample:wmt14-cs-en --method expected-wins --json"
    done = subprocess.run(read_only(line), capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["systems"][0]["system"] == "ONLINE-B"


@pytest.mark.usefixtures("closed_system")
def test_the_dashboard_starts_without_home_on_a_read_only_system(tmp_path: Path) -> None:
    with serve(ROOT, tmp_path, through=read_only) as server:
        views = run_apart(_look(server.address, "head-to-head"))
    assert [view.failed for view in views] == ["", ""]


# A full disk --------------------------------------------------------------------------------------


def test_a_large_upload_needs_no_disk(tmp_path: Path) -> None:
    """And so nothing that anybody uploads is ever written to one."""
    if not can_fill_a_disk():
        pytest.skip("a disk of its own takes unshare and user namespaces")

    async def give(address: str) -> View:
        async with Visitor(address) as visitor:
            await visitor.open("data", method="Expected Wins")
            return await visitor.give("large.csv", campaign_file(3, 40_000))

    with serve(ROOT, tmp_path, through=small_disk) as server:
        assert run_apart(give(server.address)).failed == ""
    assert noise((tmp_path / "server.log").read_text()) == []


# Killed -----------------------------------------------------------------------------------------


def test_after_a_kill_the_upload_is_asked_for_again(tmp_path: Path) -> None:
    """The browser comes back with its link; the file is gone, and the page says so."""
    example = ROOT / "data" / "examples" / "wmt-5way.csv"

    async def upload(server: Server) -> str:
        async with Visitor(server.address) as visitor:
            await visitor.open("data", method="Expected Wins")
            shown = await visitor.give(example.name, example.read_bytes())
            assert not shown.failed
            return visitor.link

    with serve(ROOT, tmp_path) as server:
        link = run_apart(upload(server))
        os.kill(server.pid, signal.SIGKILL)
    assert "campaign=Your+files" in link

    async def come_back(server: Server) -> View:
        async with Visitor(server.address) as visitor:
            return await visitor.follow("result", link)

    with serve(ROOT, tmp_path) as server:
        words = " ".join(run_apart(come_back(server)).words)
    assert "Upload the judgments of this link" in words
    assert "WMT14" not in words


# The container ----------------------------------------------------------------------------------


def instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions and their arguments, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def test_the_container_runs_as_a_plain_user_and_asks_nothing_outside() -> None:
    found = instructions()
    names = [name for name, _ in found]
    assert names[0] == "FROM"
    user = next(argument for name, argument in found if name == "USER")
    assert int(user) > 0
    assert names.index("USER") < names.index("CMD")
    settings = " ".join(argument for name, argument in found if name == "ENV")
    for setting in ("ADDRESS=0.0.0.0", "HEADLESS=true", "STREAMLIT_BROWSER_SERVER_ADDRESS="):
        assert setting in settings


def test_the_container_holds_what_it_copies_and_nothing_of_the_users() -> None:
    copied = [argument.split()[:-1] for name, argument in instructions() if name == "COPY"]
    sources = [s for words in copied for s in words if not s.startswith("--")]
    assert all((ROOT / source).exists() for source in sources)
    assert {"analysis", "dashboard", "requirements.lock", ".streamlit"} <= {
        source.rstrip("/") for source in sources
    }
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert ignored[0] == "*"
    assert {f"!{source.rstrip('/')}" for source in sources} == set(ignored[1:]) - {"**/__pycache__"}


def test_the_container_is_of_a_python_that_podium_runs_on() -> None:
    image = instructions()[0][1]
    version = re.fullmatch(r"python:(\d+)\.(\d+)-slim", image)
    assert version is not None
    assert (int(version[1]), int(version[2])) >= (3, 11)
