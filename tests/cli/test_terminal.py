"""What can happen to an answer on its way out: full, closed, narrow, hostile."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from analysis.cli import main
from analysis.cli.output import fitted, text_table, write_whole
from analysis.errors import PodiumError
from tests.command_line import run

SAMPLE = "sample:wmt14-cs-en"
RANK = ("rank", SAMPLE, "--method", "bojar", "--runs", "5")
ROOT = Path(__file__).parents[2]
HOSTILE = "a\x1b[31mred\u202eltr\x9b2J"


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = f"exec {sys.executable} -m analysis {line}"
    return subprocess.run(
        ["sh", "-c", command], cwd=ROOT, env={**os.environ, **environment}, capture_output=True,
        timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_told_in_one_line() -> None:
    done = shell(" ".join(RANK) + " > /dev/full")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"No space left" in done.stderr


def test_a_closed_output_is_told_in_one_line() -> None:
    done = shell(" ".join(RANK) + " >&-")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"it is closed" in done.stderr


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_an_output_that_cannot_write_a_dash_gets_the_rest(encoding: str) -> None:
    line = f"rank {SAMPLE} --method bojar --resample none --runs 1"
    done = shell(line, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert b"ONLINE-B" in done.stdout
    assert b"?" in done.stdout
    assert f"Characters that {encoding}".encode() in done.stderr.replace(b"iso8859-1", b"latin-1")


def test_json_loses_nothing_where_the_output_is_narrow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    votes = [{"model_a": "žluť", "model_b": "b", "winner": "model_a"}]
    (tmp_path / "votes.json").write_text(json.dumps(votes))
    line = f"rank {tmp_path}/votes.json --method bojar --runs 1 --json"
    narrow = shell(line, PYTHONIOENCODING="ascii").stdout
    whole = run(capsys, *line.split())[1]
    assert narrow.isascii()
    assert not whole.isascii()
    assert json.loads(narrow) == json.loads(whole)


def test_a_locale_without_letters_is_no_error() -> None:
    assert (
        shell(" ".join(RANK), LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0").returncode == 0
    )


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    path = tmp_path / "votes.json"
    votes = [
        {"model_a": HOSTILE, "model_b": "b", "winner": winner}
        for winner in ("model_a", "model_a", "model_b")
    ]
    path.write_text(json.dumps(votes))
    return str(path)


def test_names_never_steer_a_terminal(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rank", hostile, "--method", "bojar", "--resample", "task", "--runs", "20")
    for form in ((), ("--json",), ("--latex",)):
        _, out, err = run(capsys, *words, *form)
        assert not {"\x1b", "\u202e", "\x9b"} & {*out, *err}, form
        assert "[31mred" in out
    code, _, err = run(capsys, *words, "--exclude-system", HOSTILE + "?")
    assert code == 2
    assert not {"\x1b", "\u202e", "\x9b"} & {*err}
    with pytest.raises(SystemExit):
        run(capsys, *words, HOSTILE)
    assert not {"\x1b", "\u202e", "\x9b"} & {*capsys.readouterr().err}


def test_a_name_of_two_lines_stays_in_its_row() -> None:
    assert text_table(pd.DataFrame({"system": ["a\nb"]})).count("\n") == 1


def test_a_path_with_nul_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "a\0b"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        (*RANK, "--runs", str(10**15)),
        (
            "research",
            "curve",
            SAMPLE,
            "--methods",
            "uniform",
            "--sizes",
            "400",
            "--trials",
            str(10**15),
        ),
        ("research", "curve", SAMPLE, "--methods", "uniform", "--sizes", "400", "--trials", "0"),
        ("agreement", SAMPLE, "--runs", str(10**15)),
        (
            "research",
            "validate",
            SAMPLE,
            "--methods",
            "uniform,adjusted-uniform",
            "--runs",
            str(10**15),
        ),
    ],
)
def test_more_than_any_machine_can_do_is_refused(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "precious.csv"
    target.write_bytes(b"before")

    def half(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:2])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", half)
        with pytest.raises(PodiumError, match="No space left"):
            write_whole(target, b"after")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"before"]
    write_whole(target, b"after")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"after"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole(Path(os.devnull), b"gone")
    assert not Path(os.devnull).is_file()


def test_a_process_that_is_killed_while_it_writes_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "precious.csv"
    target.write_bytes(b"before")
    code = (
        "import os, signal; from pathlib import Path; from analysis.cli import main\n"
        "def die(path, content):\n"
        "    with path.open('wb') as file: file.write(content[:2])\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "Path.write_bytes = die\n"
        f"main(['convert', '{SAMPLE}', '-o', {str(target)!r}, '--to', 'wmt-5way', '--force'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    assert target.read_bytes() == b"before"


def test_commands_write_their_files_in_one_place_only() -> None:
    """`write_whole`, which writes all or nothing."""
    writing = re.compile(
        r"\.write_(bytes|text)\(|\bopen\((?!os.devnull)[^)]*[\"'][wax]|\.to_csv\([^)]*path"
    )
    places = {
        path.name
        for path in (ROOT / "analysis" / "cli").glob("*.py")
        if writing.search(path.read_text())
    }
    assert places == {"output.py"}


def test_ctrl_c_ends_quietly_with_130() -> None:
    """Wherever it is: the signal comes half a second after the command has begun."""
    code = (
        "import os, signal, sys; from analysis.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a suite in the background
        "signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))\n"
        "signal.setitimer(signal.ITIMER_REAL, .5)\n"
        f"sys.exit(main(['rank', '{SAMPLE}', '--method', 'trueskill', '--runs', '1000000', "
        "'--resample', 'task']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 130
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr
    assert done.stderr.strip().endswith(b"Stopped.")
    assert done.stderr.count(b"\n") == 1


def test_ctrl_c_within_a_callback_is_not_lost() -> None:
    """Python cannot raise it there and drops it, as in Numba's and the import system's own."""
    code = (
        "import os, signal, sys, time, weakref; import analysis.cli.rank as rank\n"
        "from analysis.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Thing: pass\n"
        "def callback(reference):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    time.sleep(.01)\n"
        "def run(options):\n"
        "    thing = Thing(); reference = weakref.ref(thing, callback); del thing\n"
        "    for _ in range(3000): time.sleep(.01)\n"
        "rank.run = run\n"
        f"sys.exit(main(['rank', '{SAMPLE}']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"Stopped.\n")


def test_a_p_value_has_one_zero_before_its_point() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "z"], "p": [0.00001, 0.0123, 0.54]})
    assert [line.split()[-1] for line in text_table(frame).splitlines()[1:]] == [
        "0.001", "0.012", "0.54",
    ]  # fmt: skip


def test_a_narrow_terminal_shows_who_is_where_and_breaks_no_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown = run(capsys, "rank", SAMPLE, "--method", "expected-wins")[1].splitlines()
    header = next(line for line in shown if line.startswith("system"))
    assert header.split() == ["system", "score", "rank_best", "rank_worst", "tier"]
    assert all(len(line) <= 60 for line in shown if not line.startswith("signature:"))


def test_both_ends_of_an_interval_leave_a_narrow_table_together() -> None:
    frame = pd.DataFrame({"name": ["x"], "ci_low": [0.1], "ci_high": [0.2], "unknown": [None]})
    shown, hidden = fitted(frame, 3, 10)
    assert list(shown) == ["name"]
    assert hidden == ["ci_low", "ci_high", "unknown"]
    assert list(fitted(frame, 3, 22)[0]) == ["name", "ci_low", "ci_high"]
