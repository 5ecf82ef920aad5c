"""``podium dashboard``: the pages in the browser, with files open."""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from analysis.errors import PodiumError
from analysis.formats import UnknownTableError, bytes_of, first_rows, read_path
from analysis.formats.report import SeveralKindsError

FEWEST_COLUMNS = 3
"""Of a table of judgments: a system, a segment and a score."""


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the files to open and where the page answers."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="files of one campaign, open at the start; they stay on this computer (samples are on "
        "the page Data)",
    )
    parser.add_argument(
        "--port", type=int, help="port of the page (default 8501, or the next free one)"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="only print the address, open no browser"
    )


def run(options: argparse.Namespace) -> None:
    """Start Streamlit on the dashboard and wait until the user stops it."""
    sample = next((name for name in options.files if name.startswith("sample:")), None)
    if sample is not None:
        raise PodiumError(sample, "samples are on the page Data", "Start podium dashboard alone.")
    missing = next((name for name in options.files if not Path(name).is_file()), None)
    if missing is not None:
        raise PodiumError(missing, "the file does not exist", "Check the path.")
    if options.files:
        _require_readable([Path(name) for name in options.files])
    found = find_spec("dashboard")
    if found is None or found.origin is None or find_spec("streamlit") is None:
        raise PodiumError(
            "The dashboard", "Streamlit or Podium's pages are missing", "Reinstall Podium."
        )
    page = str(Path(found.origin).with_name("app.py"))
    words = [sys.executable, "-m", "streamlit", "run", page]
    if options.port is not None:
        _require_free(options.port)
        words += ["--server.port", str(options.port)]
    if options.no_browser:
        words += ["--server.headless", "true"]
    files = json.dumps([str(Path(name).resolve()) for name in options.files])
    print("Podium runs at the address below. Ctrl+C stops it.", file=sys.stderr)
    # Streamlit looks for its settings beside the page, where a wheel has them, and in the folder
    # that it starts in: without them it would listen to the network and report its use.
    home = Path(page).parents[1]
    folder = home if (home / ".streamlit").is_dir() else None
    process = subprocess.Popen(words, env={**os.environ, "PODIUM_FILES": files}, cwd=folder)
    # Whoever ends this command ends the server, which would keep the port otherwise.
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        process.wait()
    except KeyboardInterrupt:
        process.wait()


def _require_readable(files: list[Path]) -> None:
    """Refuse what no page could open; the page Data asks for the meaning of an unknown table."""
    try:
        read_path(*files)
    except SeveralKindsError:
        return
    except UnknownTableError:
        widest = max(len(first_rows(bytes_of(file), file.name).columns) for file in files)
        if widest < FEWEST_COLUMNS:
            raise


def _require_free(port: int) -> None:
    """Refuse a port at which the server could not answer."""
    if not 0 < port < 2**16:
        raise PodiumError("--port", f"{port} is not a port", "Ports go from 1 to 65535.")
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, os.name == "posix")
        try:
            tried.bind(("", port))
        except OSError as error:
            raise PodiumError(
                f"Port {port}",
                f"the server cannot use it ({error.strerror})",
                "Choose another one, or leave --port out.",
            ) from None
