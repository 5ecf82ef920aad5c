"""An archive that proves a result: judgments, settings, versions, every number, and hashes.

``report --archive`` writes it, ``verify`` recomputes all that is in it. Members are stored without
compression and without dates, so that the same content is the same bytes everywhere.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import platform
import shlex
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from analysis.campaign import Campaign
from analysis.cli import flags
from analysis.cli.commands import commands
from analysis.cli.output import plain
from analysis.cli.parser import parser_of
from analysis.errors import PodiumError
from analysis.formats import AUTO, Meaning, bytes_of, read_many
from analysis.formats.budgets import max_bytes
from analysis.formats.mapping.profile import Profile
from analysis.formats.report import ReadReport
from analysis.formats.writing import write
from analysis.registry import hooks
from analysis.samples import sample_campaign
from analysis.version import __version__

HASHES, SETTINGS, NUMBERS, REPORT, LOGO, COMMAND = (
    "hashes.json", "settings.json", "numbers.json", "report.html", "logo", "command.txt",
)  # fmt: skip
JUDGMENTS, PROFILE = "judgments/", "profile.yaml"
NOT_KEPT = {
    "output", "archive", "force", "without_judgments", "dask", "logo", "wide", "preset",
    "resamples_given",
}  # fmt: skip
"""Options that decide where something is written or computed, not what comes out."""
PACKAGES = ("numpy", "scipy", "pandas", "numba")

Files = dict[str, bytes]


def sources_of(options: argparse.Namespace) -> tuple[Files, dict[str, str]]:
    """Return the judgments as files, and what a sample says of itself that no file can."""
    if options.files[0].startswith(flags.SAMPLE_PREFIX):
        name = options.files[0].removeprefix(flags.SAMPLE_PREFIX)
        campaign = sample_campaign(name)
        is_votes = campaign.n_tasks * 2 == len(campaign.entry_rank)
        form = "scores" if campaign.scores is not None else "arena" if is_votes else "wmt-5way"
        told = {"title": campaign.title, "simulated_from": campaign.simulated_from}
        return {f"{JUDGMENTS}1/{name}.csv": write(campaign, form)}, told
    if "-" in options.files:
        raise PodiumError("--archive", "it needs files, not standard input", "Name the file.")
    files = as_sources(options.files, [bytes_of(Path(name)) for name in options.files])
    for module in hooks("report"):
        files |= module.sources(options)
    if options.map not in (None, AUTO):
        files[PROFILE] = bytes_of(Path(options.map))
    return files, {}


def as_sources(names: Sequence[str], contents: Sequence[bytes]) -> Files:
    """Return judgments as members of an archive, in the order in which they were given."""
    both = enumerate(zip(names, contents, strict=True), 1)
    return {f"{JUDGMENTS}{k}/{Path(name).name}": content for k, (name, content) in both}


def campaign_of(
    files: Mapping[str, bytes], settings: Mapping[str, Any]
) -> tuple[Campaign, ReadReport]:
    """Read the campaign from an archive's judgments."""
    mapping: Meaning = AUTO if settings.get("map") == AUTO else None
    if PROFILE in files:
        mapping = Profile.from_yaml(files[PROFILE], PROFILE)
    criterion = settings.get("criterion")
    campaign, report = read_many(
        [(Path(name).name, files[name]) for name in judgment_files(files)],
        judge_names=bool(settings.get("judge_names")),
        mapping=mapping,
        criterion=None if criterion == "all" else criterion,
        sheet=settings.get("sheet") or "",
    )
    return replace(campaign, **settings["sample"]), report


def judgment_files(files: Mapping[str, bytes]) -> list[str]:
    """Return the members with judgments, in the order in which they were given."""
    found = [name for name in files if name.startswith(JUDGMENTS)]
    return sorted(found, key=lambda name: int(name.split("/")[1]))


def settings_of(options: argparse.Namespace, sample: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings that decide on the numbers, without any folder's name."""
    kept = {key: value for key, value in vars(options).items() if key not in NOT_KEPT}
    kept["files"] = [Path(name).name for name in options.files]
    for module in hooks("report"):
        kept |= module.settings(options)
    kept["map"] = PROFILE if options.map not in (None, AUTO) else options.map
    return {**kept, "sample": dict(sample)}


def command_of(settings: Mapping[str, Any], files: Files) -> str:
    """Return the command that, run where the archive is unpacked, writes the same bytes."""
    given = list(judgment_files(files)) or list(settings["files"])
    if settings["sample"]:
        given = list(settings["files"])
    method = settings["method"]
    words = [] if method is None else ["--method", str(method)]
    parser = parser_of(commands()["report"], words)
    changed = {**settings, "map": PROFILE if PROFILE in files else settings["map"]}
    changed |= {"logo": LOGO} if LOGO in files else {}
    for action in parser._actions:
        flag = next((f for f in action.option_strings if f.startswith("--")), "")
        value = changed.get(action.dest)
        if not flag or flag == "--method" or value in (None, parser.get_default(action.dest)):
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        words += [flag if action.nargs == 0 else f"{flag}={one}" for one in values]
    left_out = [] if judgment_files(files) or settings["sample"] else ["--without-judgments"]
    line = ["podium", "report", *given, *words, *left_out, "--archive", "again.zip"]
    return shlex.join(line) + "\n"


def versions() -> dict[str, str]:
    """Return the versions that numbers may depend on; words depend on the source."""
    packages = {name: version(name) for name in PACKAGES}
    own = {"podium": __version__, "source": _source()}
    return {**own, "python": platform.python_version(), **packages}


@cache
def _source() -> str:
    """Return a hash of Podium's code."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return files as one archive, with the hash of each."""
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    members = {**files, HASHES: as_json(hashes)}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, members[name])
    return target.getvalue()


UNREADABLE = (
    zipfile.BadZipFile, zlib.error, struct.error, AttributeError, EOFError, LookupError, OSError,
    RuntimeError, TypeError, ValueError,
)  # fmt: skip
"""Errors that reading a file raises if `podium report --archive` did not write it."""


def damaged(name: str) -> PodiumError:
    """Return the error for a file that cannot be read as an archive."""
    return PodiumError(
        name,
        "it is damaged, or not an archive of podium report --archive",
        "Name such an archive, or ask for a new copy.",
    )


def unpacked(data: bytes, name: str = "The archive") -> tuple[Files, list[str]]:
    """Return an archive's files without the hashes, and which bytes are not those written."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if sum(member.file_size for member in members) > max_bytes():
                raise PodiumError(name, "it is too large", "Name another file.")
            files = {member.filename: archive.read(member) for member in members}
        hashes: dict[str, str] = dict(json.loads(files.pop(HASHES)))
        dict(json.loads(files[SETTINGS])["versions"])
        judgment_files(files)
    except UNREADABLE as error:
        raise damaged(name) from error
    problems = [
        f"{name}: its bytes were changed"
        for name in sorted(files.keys() | hashes.keys())
        if name not in files or hashlib.sha256(files[name]).hexdigest() != hashes.get(name)
    ]
    if not problems and packed(files) != data:
        problems = ["every file in it is unchanged, but the archive was repacked or changed"]
    return files, problems


def as_json(document: object) -> bytes:
    """Write JSON, the same bytes for the same content."""
    text = json.dumps(plain(document), ensure_ascii=False, indent=1, sort_keys=True)
    return text.encode() + b"\n"


WORDS = {"word", "sentence", "left_out"}
"""Keys of sentences, which another version may word otherwise."""


def as_older(ours: Any, archived: Any) -> Any:
    """Return a document without what an older archive lacks, and with the words of that archive."""
    if isinstance(ours, dict) and isinstance(archived, dict):
        both = [(key, archived[key]) for key in ours if key in archived]
        return {key: old if key in WORDS else as_older(ours[key], old) for key, old in both}
    if isinstance(ours, list) and isinstance(archived, list) and len(ours) == len(archived):
        return [as_older(one, old) for one, old in zip(ours, archived, strict=True)]
    return ours


def differences(archived: object, ours: object, place: str = "") -> list[str]:
    """Return where two documents differ, in words."""
    if isinstance(archived, dict) and isinstance(ours, dict):
        keys = sorted(archived.keys() | ours.keys())
        return [
            words
            for key in keys
            for words in differences(archived.get(key), ours.get(key), f"{place}/{key}")
        ]
    if isinstance(archived, Sequence) and isinstance(ours, list) and len(archived) == len(ours):
        pairs = zip(archived, ours, strict=True)
        return [
            words for k, (a, b) in enumerate(pairs) for words in differences(a, b, f"{place}/{k}")
        ]
    return [] if archived == ours else [f"{place}: {archived} in the archive, {ours} recomputed"]
