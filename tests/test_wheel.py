"""The wheel: one name at the top level, and it works next to a user's own ``analysis``."""

from __future__ import annotations

import ast
import json
import os
import re
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import venv
import zipfile
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.tools.bill_of_materials import BILL, bill, locked

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECOY = "raise RuntimeError('the decoy was imported')\n"


def pinned(name: str) -> dict[str, str]:
    """Return the packages that a file of requirements pins, each with its version."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = [re.match(r"([\w.-]+)==([\w.]+)", line) for line in lines]
    return {one[1].lower(): one[2] for one in found if one}


@pytest.mark.parametrize(
    ("file", "declared"),
    [
        ("requirements.txt", PROJECT["dependencies"]),
        ("requirements-cluster.txt", PROJECT["optional-dependencies"]["dask"]),
        ("tests/requirements.txt", PROJECT["optional-dependencies"]["dev"]),
    ],
)
def test_what_is_pinned_is_what_the_package_asks_for(file: str, declared: list[str]) -> None:
    pins = pinned(file)
    asked = {one.name.lower(): one.specifier for one in map(Requirement, declared)}
    assert pins.keys() == asked.keys()
    assert [name for name, pin in pins.items() if pin not in asked[name]] == []
    assert {name: version(name) for name in pins} == pins


WARNING = {**os.environ, "PYTHONWARNINGS": ""}
"""Where other programs run, which may warn."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-w", folder, ROOT], check=True, capture_output=True, env=WARNING)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; it borrows what Podium needs from this one."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    (packages,) = home.glob("lib/python*/site-packages")
    borrowed = next(path for path in sys.path if path.endswith("site-packages"))
    (packages / "borrowed.pth").write_text(f"{borrowed}\n")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"]
    subprocess.run([*install, wheel], check=True, capture_output=True, env=WARNING)
    added = {path.name for path in packages.iterdir()} - {"borrowed.pth", "__pycache__"}
    assert {name for name in added if not name.endswith(".dist-info")} == {"podium"}
    return home


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder with an ``analysis.py`` and a ``dashboard.py`` of the user's own."""
    for name in ("analysis.py", "dashboard.py"):
        (tmp_path / name).write_text(DECOY)
    return tmp_path


def run(installed: Path, folder: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [installed / "bin" / words[0], *words[1:]], cwd=folder, env=environment, text=True,
        capture_output=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_names_podium_alone_and_imports_nothing_by_another_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        sources = {name: archive.read(name).decode() for name in names if name.endswith(".py")}
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"podium"}
    for name in (
        "data/audit.csv",
        "data/replication.csv",
        "data/samples/arena-people/votes.json.gz",
        "py.typed",
    ):
        assert f"podium/{name}" in names
    assert len(sources) > 300
    for name, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            found = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            found += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            tops = {one.partition(".")[0] for one in found}
            assert not tops & {"analysis", "dashboard"}, name


@pytest.mark.slow
def test_commands_and_import_work_next_to_a_decoy(installed: Path, elsewhere: Path) -> None:
    ranked = json.loads(
        run(installed, elsewhere, "podium", "rank", "sample:wmt14-cs-en", "--method", "bojar",
            "--json")
    )  # fmt: skip
    assert ranked["systems"][0]["system"] == "ONLINE-B"
    assert PROJECT["name"] in run(installed, elsewhere, "podium", "--version")
    assert "--port" in run(installed, elsewhere, "podium", "dashboard", "--help")
    script = (
        "import podium; campaign, _ = podium.read('votes.csv');"
        "print(podium.rank(campaign, 'bradley-terry').systems)"
    )
    (elsewhere / "votes.csv").write_text((ROOT / "data/examples/arena.csv").read_text())
    assert "basil" in run(installed, elsewhere, "python", "-c", script)


@pytest.mark.slow
def test_the_dashboard_starts_and_opens_the_file_that_is_named(
    installed: Path, elsewhere: Path
) -> None:
    (elsewhere / "my votes.csv").write_text((ROOT / "data/examples/arena.csv").read_text())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [installed / "bin" / "podium", "dashboard", "my votes.csv", "--no-browser",
         "--port", str(port)],
        cwd=elsewhere, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        for _ in range(240):
            try:
                answer = urllib.request.urlopen(f"http://localhost:{port}/_stcore/health").read()
                break
            except OSError:
                time.sleep(0.5)
        assert answer == b"ok"
    finally:
        os.killpg(server.pid, 2)
        server.wait(30)
    files = json.dumps([str(elsewhere / "my votes.csv")])
    script = f"""
import os
os.environ["PODIUM_FILES"] = {files!r}
from pathlib import Path
import podium
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(Path(podium.__file__).parent / "dashboard" / "app.py")
page.run(timeout=300)
assert not page.exception, page.exception
print([box.value for box in page.sidebar.selectbox])
"""
    assert "Your files" in run(installed, elsewhere, "python", "-c", script)


# The locks: every file that is installed, by its hash ---------------------------------------------

LOCKS = ("requirements", "tests/requirements", "docs/requirements")


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_all_pins_and_a_hash_for_every_package_and_names_no_index(name: str) -> None:
    found = locked(ROOT / f"{name}.lock")
    pins = {re.sub("[._]+", "-", one): pin for one, pin in pinned(f"{name}.txt").items()}
    assert {one: found[one.lower()][0] for one in pins} == pins
    assert [one for one, (_, hashes) in found.items() if not hashes] == []
    assert "://" not in (ROOT / f"{name}.lock").read_text(encoding="utf-8")


def test_the_lock_names_what_is_installed_here_with_all_that_it_needs() -> None:
    asked, found = [Requirement(one) for one in PROJECT["dependencies"]], locked()
    seen: set[str] = set()
    while asked:
        one = asked.pop()
        name = canonicalize_name(one.name)
        if name in seen or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        assert found[name][0] == version(name)
        asked += [Requirement(needed) for needed in requires(name) or []]
    assert len(seen) > len(PROJECT["dependencies"])


def test_the_bill_of_materials_is_that_of_the_lock_and_knows_every_license() -> None:
    assert json.loads(BILL.read_text(encoding="utf-8")) == bill()
    told = [part["licenses"][0]["license"]["name"] for part in bill()["components"]]
    assert "unknown" not in told
