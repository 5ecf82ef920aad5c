"""``podium dashboard``: the server that it starts, and the port."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis.cli import main

ROOT = Path(__file__).parents[2]


def test_a_port_in_use_is_refused_before_an_address_is_promised(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["dashboard", "--no-browser", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert f"Port {port}: the server cannot use it" in said
    assert "address below" not in said


def test_it_answers_this_machine_alone_from_any_folder_and_ends_with_its_command(
    tmp_path: Path,
) -> None:
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "analysis", "dashboard", "--no-browser", "--port", str(port)]
    log, home = tmp_path / "log", {**os.environ, "PYTHONPATH": str(ROOT)}
    with (
        log.open("wb") as told,
        subprocess.Popen(
            command, cwd=tmp_path, env=home, stdout=told, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            assert _answers(port, True)
            end = time.monotonic() + 60  # it answers before it says where
            while f"//localhost:{port}" not in log.read_text("utf-8") and time.monotonic() < end:
                time.sleep(0.2)
            time.sleep(0.5)  # what it would say of a network comes right after
        finally:
            process.terminate()
        process.wait(30)
    assert _answers(port, False)
    words = log.read_text(encoding="utf-8")
    assert f"http://localhost:{port}" in words
    assert "usage statistics" not in words
    assert "Network URL" not in words


def _answers(port: int, wanted: bool) -> bool:
    """Wait until somebody answers at a port, or nobody does; return whether it came to that."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as asked:
            if (asked.connect_ex(("127.0.0.1", port)) == 0) == wanted:
                return True
        time.sleep(0.2)
    return False


def test_a_file_that_no_page_can_open_is_refused_before_a_server_starts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*words: object, **how: object) -> None:
        raise AssertionError("a server was started")

    note, table = tmp_path / "note.txt", tmp_path / "new.csv"
    note.write_text("hello there\nthis is a note\n")
    table.write_text("foo,bar,baz\n1,2,3\n4,5,6\n")
    monkeypatch.setattr(subprocess, "Popen", start)
    assert main(["dashboard", "--no-browser", str(note)]) == 2
    said = capsys.readouterr().err
    assert "note.txt" in said
    assert "does not recognize these columns" in said
    with pytest.raises(AssertionError, match="a server was started"):  # Data asks what they mean
        main(["dashboard", "--no-browser", str(table)])
