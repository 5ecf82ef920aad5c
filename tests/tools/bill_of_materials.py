"""``python -m tests.tools.bill_of_materials``: write what is installed, with licenses (CycloneDX).

The packages are those of ``requirements.lock``, which has the hashes of their files; the licenses
are what the installed packages state.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
BILL = ROOT / "docs" / "sbom.cdx.json"
LONGEST = 60
"""A license field with more letters than this is the license's whole text, not its name."""


def locked(path: Path = LOCK) -> dict[str, tuple[str, list[str]]]:
    """Return every package of a lock with its version and the hashes of its files."""
    found: dict[str, tuple[str, list[str]]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        pin = re.match(r"([\w.-]+)==([\w.+]+)", line)
        if pin:
            name = pin[1]
            found[name] = (pin[2], [])
        digest = re.search(r"--hash=sha256:([0-9a-f]{64})", line)
        if digest:
            found[name][1].append(digest[1])
    return found


def license_of(name: str) -> str:
    """Return the license that an installed package states."""
    # get, not []: where the package importlib_metadata was imported, a missing field is a KeyError.
    told = metadata(name)
    if told.get("License-Expression"):
        return str(told.get("License-Expression"))
    kinds = [c.split(" :: ")[-1] for c in told.get_all("Classifier") or [] if "License ::" in c]
    named = str(told.get("License") or "").strip()
    short = named if "\n" not in named and len(named) <= LONGEST else ""
    return " OR ".join(kinds) or short or "unknown"


def bill() -> dict[str, Any]:
    """Return the bill of materials."""
    components = [
        {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "licenses": [{"license": {"name": license_of(name)}}],
        }
        for name, (version, _) in locked().items()
    ]
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}


if __name__ == "__main__":
    BILL.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
