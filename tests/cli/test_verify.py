"""An archive proves its numbers; no byte of it can be changed unnoticed."""

from __future__ import annotations

import hashlib
import io
import json
import shlex
import zipfile
from pathlib import Path

import numpy as np
import pytest

from analysis.cli import archive, main
from tests.command_line import run

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
ARENA, SCORES = str(EXAMPLES / "arena.csv"), str(EXAMPLES / "scores.csv")
FIVE_WAY, COLLAPSED = str(EXAMPLES / "wmt-5way.csv"), str(EXAMPLES / "wmt-2way-collapsed.csv")


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    target = tmp_path_factory.mktemp("proof") / "all.zip"
    assert main(["report", ARENA, "--method", "bojar", "--archive", str(target)]) == 0
    return target.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("sample:wmt14-cs-en", "--method", "expected-wins"),
        (FIVE_WAY, COLLAPSED, "--method", "bojar"),
        (SCORES,),
        (ARENA, "--method", "elo", "--resamples", "20", "--title", "A & B"),
    ],
)
def test_what_was_written_is_recomputed_with_the_same_bytes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    target, again = str(tmp_path / "all.zip"), str(tmp_path / "again.zip")
    assert run(capsys, "report", *words, "--archive", target)[0] == 0
    assert run(capsys, "report", *words, "--archive", again)[0] == 0
    assert Path(target).read_bytes() == Path(again).read_bytes()
    code, out, _ = run(capsys, "verify", target, "--json")
    found = json.loads(out)
    assert (code, found["verified"], found["differences"]) == (0, True, [])
    assert found["numbers"] > 40


def test_a_change_of_any_byte_is_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes
) -> None:
    target = tmp_path / "changed.zip"
    places = np.random.default_rng(3).choice(len(proof), 150, replace=False)
    for place in [*places.tolist(), 0, len(proof) - 1]:
        changed = bytearray(proof)
        changed[place] ^= 1
        target.write_bytes(bytes(changed))
        assert run(capsys, "verify", str(target))[0] in (1, 2), place
    target.write_bytes(proof + b" ")
    assert run(capsys, "verify", str(target))[0] in (1, 2)


@pytest.mark.parametrize("member", ["numbers.json", "report.html", "judgments/1/arena.csv"])
def test_a_forger_who_hashes_anew_is_found_by_the_numbers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes, member: str
) -> None:
    files, problems = archive.unpacked(proof)
    assert problems == []
    if member == "numbers.json":
        numbers = json.loads(files[member])
        numbers["rankings"][0]["systems"][0]["score"] += 0.01
        files[member] = archive.as_json(numbers)
        named = "numbers/rankings/0/systems/0/score"
    elif member == "report.html":
        files[member] = files[member].replace(b"basil", b"bas\xc3\xadl", 1)
        named = "report.html"
    else:
        lines = files[member].splitlines(keepends=True)
        files[member] = b"".join([*lines[:5], *lines[6:]])
        named = "numbers/rankings/0"
    target = tmp_path / "forged.zip"
    target.write_bytes(archive.packed(files))
    code, out, _ = run(capsys, "verify", str(target))
    assert code == 1
    assert named in out


def _of_an_older_version(proof: bytes) -> archive.Files:
    """Return an archive's files as another version would have worded them, with fewer keys."""
    files, _ = archive.unpacked(proof)
    settings, numbers = (json.loads(files[name]) for name in (archive.SETTINGS, archive.NUMBERS))
    del settings["versions"]["source"]
    del numbers["rankings"][0]["equal_within"]
    numbers["left_out"] = ["It was said in other words."]
    files[archive.SETTINGS] = archive.as_json(settings)
    files[archive.NUMBERS] = archive.as_json(numbers)
    files[archive.REPORT] = files[archive.REPORT].replace(b"</h1>", b", in old words</h1>")
    return files


def test_an_older_archive_with_the_same_numbers_in_other_words_is_verified(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes
) -> None:
    target = tmp_path / "older.zip"
    files = _of_an_older_version(proof)
    assert files[archive.REPORT] != archive.unpacked(proof)[0][archive.REPORT]
    target.write_bytes(archive.packed(files))
    code, out, _ = run(capsys, "verify", str(target))
    assert code == 0
    assert "worded by another version" in out
    assert json.loads(run(capsys, "verify", str(target), "--json")[1])["reworded"] is True


@pytest.mark.parametrize("member", ["numbers.json", "report.html"])
def test_other_numbers_or_names_in_an_older_archive_are_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes, member: str
) -> None:
    files = _of_an_older_version(proof)
    numbers = json.loads(files[archive.NUMBERS])
    numbers["rankings"][0]["systems"][0]["score"] += 0.01
    forged = {
        "numbers.json": archive.as_json(numbers),
        "report.html": files["report.html"].replace(b"basil", b"bas\xc3\xadl"),
    }
    target = tmp_path / "forged.zip"
    target.write_bytes(archive.packed({**files, member: forged[member]}))
    code, out, _ = run(capsys, "verify", str(target))
    assert code == 1
    assert member.partition(".")[0] in out


def test_without_judgments_it_says_what_it_cannot_prove(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = str(tmp_path / "all.zip")
    words = ("report", ARENA, "--method", "bojar", "--archive", target, "--without-judgments")
    assert run(capsys, *words)[0] == 0
    assert b"basil" not in archive.unpacked(Path(target).read_bytes())[0].get(
        "judgments/1/arena.csv", b""
    )
    code, out, _ = run(capsys, "verify", target)
    assert code == 1
    assert "no number can be recomputed" in out
    assert run(capsys, "verify", target, ARENA)[0] == 0
    assert run(capsys, "verify", target, SCORES)[0] == 1


def test_something_else_is_no_archive(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "verify", ARENA)
    assert code == 2
    assert "--archive" in err


@pytest.mark.parametrize(
    "words",
    [
        ("sample:wmt14-cs-en", "--method", "expected-wins", "--note", "It's ours; 2 lines"),
        (FIVE_WAY, COLLAPSED, "--method", "bojar", "--resamples", "7", "--level", "0.9"),
        (SCORES, "--criterion", "all", "--sections", "standings"),
        (ARENA, "--without-judgments", "--scope", "these", "--title", "A & B"),
    ],
)
def test_the_command_in_an_archive_writes_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    assert main(["report", *words, "--archive", str(tmp_path / "all.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as found:
        found.extractall(tmp_path)
    if "--without-judgments" in words:
        (tmp_path / Path(ARENA).name).write_bytes(Path(ARENA).read_bytes())
    monkeypatch.chdir(tmp_path)
    line = (tmp_path / archive.COMMAND).read_text(encoding="utf-8")
    assert main(shlex.split(line)[1:]) == 0
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "all.zip").read_bytes()


def _packed_again(data: bytes, changed: dict[str, bytes] | None = None) -> bytes:
    """Pack an archive as `zip -r` does, with entries for folders, and with other content."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for folder in ("judgments/", "judgments/1/"):
            new.writestr(folder, b"")
        for name in old.namelist():
            new.writestr(name, (changed or {}).get(name, old.read(name)))
    return target.getvalue()


def test_an_archive_that_was_zipped_again_with_folders_is_told_from_a_changed_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes
) -> None:
    target = tmp_path / "again.zip"
    target.write_bytes(_packed_again(proof))
    code, out, error = run(capsys, "verify", str(target))
    assert (code, error) == (1, "")
    assert "every file in it is unchanged, but the archive was repacked" in out
    target.write_bytes(_packed_again(proof, {archive.REPORT: b"other"}))
    assert "report.html: its bytes were changed" in run(capsys, "verify", str(target))[1]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (archive.HASHES, b"[1]"),
        (archive.HASHES, b"7"),
        (archive.SETTINGS, b"[]"),
        (archive.SETTINGS, b"{}"),
        ("judgments/x/a.csv", b"1"),
    ],
)
def test_whatever_an_archive_holds_ends_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes, name: str, content: bytes
) -> None:
    files = archive.unpacked(proof)[0]
    hashes = {one: hashlib.sha256(held).hexdigest() for one, held in files.items()}
    target = tmp_path / "odd.zip"
    with zipfile.ZipFile(target, "w") as odd:
        for one, held in {**files, archive.HASHES: archive.as_json(hashes), name: content}.items():
            odd.writestr(one, held)
    code, out, error = run(capsys, "verify", str(target))
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert "it is damaged, or not an archive" in error


@pytest.mark.parametrize("name", [archive.NUMBERS, archive.REPORT, archive.COMMAND])
def test_a_forger_who_renews_the_hashes_gets_no_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes, name: str
) -> None:
    files = archive.unpacked(proof)[0]
    target = tmp_path / "forged.zip"
    for forged in ({**files, name: b"[]"}, {k: v for k, v in files.items() if k != name}):
        target.write_bytes(archive.packed(forged))
        code, out, error = run(capsys, "verify", str(target))
        assert code in (0, 1, 2)
        assert code or name == archive.COMMAND
        assert bool(out) != bool(error)


def test_the_csv_of_a_good_archive_is_a_header(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, proof: bytes
) -> None:
    target = tmp_path / "all.zip"
    target.write_bytes(proof)
    assert run(capsys, "verify", str(target), "--csv")[:2] == (0, "difference\n")
