"""Computing replications, keeping the slow ones' parts, and the record that is published with them.

What is slow is kept part by part, so that an interrupted run goes on where it was. A part is kept
for exactly this code, these published figures and this file of judgments: any other asks anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import published
from analysis.errors import PodiumError
from analysis.extras.validation.replication.number import Number, matched_by_null
from analysis.extras.validation.replication.registry import REPLICATIONS
from analysis.extras.validation.replication.replication import BASES, Replication
from analysis.parallel import Progress

RECORD = published.FOLDER.parent / "replication.csv"
CAMPAIGNS = "PODIUM_CAMPAIGNS"
"""The variable that names the folder of real campaigns."""
_RECORDED = [
    "replication", "place", "printed", "ours", "same", "low", "high", "decimals", "reason",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of one replication; ``missing`` is why there are no numbers."""

    replication: Replication
    numbers: tuple[Number, ...] = ()
    missing: str = ""

    @property
    def same(self) -> int:
        """How many numbers come out as printed."""
        return sum(number.same for number in self.numbers)

    @property
    def null_same(self) -> int:
        """How many the null predictor has as printed, by the same tolerance."""
        return sum(matched_by_null(self.numbers))

    @property
    def exact(self) -> int:
        """How many are the printed ones to the last digit."""
        return sum(number.exact for number in self.numbers)

    def reason(self, number: Number) -> str:
        """Say why a number differs; empty where it does not."""
        return "" if number.same else number.reason or self.replication.differs


def campaigns_folder(named: str | None = None) -> Path | None:
    """Return the folder of real campaigns that is named, here or in the environment."""
    name = named or os.environ.get(CAMPAIGNS)
    if not name:
        return None
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise PodiumError(name, "there is no such folder", "Name the folder of real campaigns.")
    return folder


def usual_folder() -> Path:
    """Return the folder of this user where parts are kept unless another one is named."""
    home = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    return Path(home or Path("~/.cache").expanduser()) / "podium" / "replication"


def missing(replication: Replication, campaigns: Path | None) -> str:
    """Say what a replication lacks; empty where it can be computed."""
    if not replication.needs or (campaigns and (campaigns / replication.needs).exists()):
        return ""
    return f"It needs the file {replication.needs} in the folder that {CAMPAIGNS} names."


def compute_part(
    replication: Replication, part: str, campaigns: Path | None, keep: Path | None = None
) -> tuple[Number, ...]:
    """Compute one part; ``keep`` is the folder where a slow one is looked up and kept."""
    place = None
    if keep is not None and replication.slow:
        place = keep / f"{_key(replication, part, campaigns)}.json"
        if place.exists():
            return _read_part(place)
    numbers = tuple(replication.compute(part, campaigns or Path()))
    if place is not None:
        _keep_part(place, numbers)
    return numbers


def compute(
    replications: Sequence[Replication],
    campaigns: Path | None = None,
    keep: Path | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Compute replications, part by part; those that lack a file say so."""
    lacking = {r.name: missing(r, campaigns) for r in replications}
    total = sum(len(r.parts) for r in replications if not lacking[r.name])
    done, outcomes = 0, []
    for replication in replications:
        numbers: list[Number] = []
        why = lacking[replication.name]
        for part in () if why else replication.parts:
            try:
                numbers += compute_part(replication, part, campaigns, keep)
            except PodiumError as error:
                why, numbers = str(error), []
                break
            finally:
                done += 1
                if progress is not None:
                    progress(done, total)
        outcomes.append(Outcome(replication, tuple(numbers), why))
    return outcomes


def to_frame(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return all numbers as one table, those that differ first."""
    rows = [
        {
            "source": outcome.replication.source,
            "place": number.place,
            "printed": number.printed,
            "ours": number.ours,
            "difference": number.difference,
            "verdict": "matches" if number.same else "differs",
            "reason": outcome.reason(number),
            "from": BASES[outcome.replication.basis],
            "null": "matches" if null else "differs",
            "replication": outcome.replication.name,
            "command": outcome.replication.own_command,
        }
        for outcome in outcomes
        for number, null in zip(outcome.numbers, matched_by_null(outcome.numbers), strict=True)
    ]
    columns = [
        "source", "place", "printed", "ours", "difference", "verdict", "reason", "from",
        "null", "replication", "command",
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values("verdict", kind="stable").reset_index(drop=True)


def recorded() -> list[Outcome]:
    """Return the outcomes that are published with Podium, as they came out when it was made."""
    if not RECORD.exists():
        return []
    table = pd.read_csv(RECORD, dtype={"printed": str, "ours": str}, keep_default_na=False)
    outcomes = []
    for name, replication in REPLICATIONS.items():
        rows = table[table["replication"] == name]
        numbers = tuple(_number_of(row) for row in rows.to_dict("records"))
        if numbers:
            outcomes.append(Outcome(replication, numbers))
    return outcomes


def record(outcomes: Iterable[Outcome], target: Path = RECORD) -> str:
    """Return the record's text with these outcomes in place of the ones it has of the same name."""
    fresh = {outcome.replication.name: outcome for outcome in outcomes if outcome.numbers}
    before = {outcome.replication.name: outcome for outcome in recorded()}
    rows = [
        {"replication": name, **_plain(number)}
        for name in REPLICATIONS
        if name in fresh or name in before
        for number in (fresh.get(name) or before[name]).numbers
    ]
    return pd.DataFrame(rows, columns=_RECORDED).to_csv(index=False, lineterminator="\n")


def _plain(number: Number) -> dict[str, object]:
    """Return a number for the record: enough digits to tell, few enough to stay the same."""
    cells: dict[str, object] = dict(vars(number))
    for name in ("printed", "ours", "low", "high"):
        value = cells[name]
        cells[name] = value if isinstance(value, str) else f"{value:.6g}"
    return cells


def _number_of(row: dict[Any, Any]) -> Number:
    return Number(
        place=str(row["place"]),
        printed=_value(str(row["printed"])),
        ours=_value(str(row["ours"])),
        same=str(row["same"]) == "True",
        low=float(str(row["low"]) or "nan"),
        high=float(str(row["high"]) or "nan"),
        decimals=int(str(row["decimals"])),
        reason=str(row["reason"]),
    )


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _read_part(place: Path) -> tuple[Number, ...]:
    return tuple(Number(**row) for row in json.loads(place.read_text(encoding="utf-8")))


def _keep_part(place: Path, numbers: tuple[Number, ...]) -> None:
    """Write a part whole or not at all."""
    half = place.with_suffix(f".{os.getpid()}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(json.dumps([asdict(number) for number in numbers]), encoding="utf-8")
        half.replace(place)
    except OSError as error:
        half.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise PodiumError(str(place.parent), reason, "Name another folder with --keep.") from error


def _key(replication: Replication, part: str, campaigns: Path | None) -> str:
    """Return what a kept part depends on: the code, the published figures, the judgments."""
    key = hashlib.sha256(f"{_revision()}|{replication.name}|{part}".encode())
    if replication.needs and campaigns is not None:
        key.update((campaigns / replication.needs).read_bytes())
    return f"{replication.name}-{key.hexdigest()[:20]}"


@cache
def _revision() -> str:
    """Return a fingerprint of the analysis and of the published figures."""
    here = Path(__file__).resolve().parents[2]
    content = hashlib.sha256()
    for path in (*sorted(here.rglob("*.py")), *sorted(published.FOLDER.glob("*.csv"))):
        content.update(path.name.encode() + path.read_bytes())
    return content.hexdigest()
