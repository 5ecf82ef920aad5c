"""What a wheel contains: one package, ``podium``, and nothing else at the top level.

``analysis/`` becomes ``podium/``, ``dashboard/`` becomes ``podium/dashboard/`` and the data lie in
``podium/data/``. Imports are renamed on the way, so that a user's own ``analysis.py`` and Podium
never meet.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAMES = {"analysis": "podium", "dashboard": "podium.dashboard"}
SHIPPED = (
    "examples", "fonts", "published", "samples", "audit.csv", "papers.csv", "replication.csv",
)  # fmt: skip
"""Of ``data/``; pictures and recorded runs stay in the repository."""

IMPORT = re.compile(r"^(\s*(?:>>> |\.\.\. )?(?:from|import) )(analysis|dashboard)\b", re.MULTILINE)
IN_QUOTES = re.compile(
    r"""((?:find_spec|import_module)\(["']|["'](?=\w+\.[\w{]))(analysis|dashboard)(?=["'.])"""
)
"""A module's name as text, as a registry or ``import_module`` has it."""

EDITABLE = '''"""Podium, imported from its repository at {root!r}."""

import sys

sys.path.insert(0, {root!r})
import analysis

sys.modules[__name__] = analysis
'''


def renamed(source: str) -> str:
    """Return a module's text with the names that the wheel gives to the repository's folders."""
    source = IMPORT.sub(lambda found: found[1] + NAMES[found[2]], source)
    return IN_QUOTES.sub(lambda found: found[1] + NAMES[found[2]], source)


def write_package(root: Path, target: Path) -> None:
    """Write the package ``podium`` as the wheel has it."""
    for folder, name in NAMES.items():
        for path in sorted((root / folder).rglob("*")):
            if path.is_dir() or "__pycache__" in path.parts or path.suffix in (".nbi", ".nbc"):
                continue
            copy = target.joinpath(*name.split(".")[1:], path.relative_to(root / folder))
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix in (".py", ".pyi"):
                copy.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
            else:
                shutil.copyfile(path, copy)
    for name in SHIPPED:
        path = root / "data" / name
        if path.is_dir():
            shutil.copytree(path, target / "data" / name)
        else:
            shutil.copyfile(path, target / "data" / name)
    # Streamlit reads the settings that lie beside the script it runs.
    shutil.copytree(root / ".streamlit", target / "dashboard" / ".streamlit")


class PodiumHook(BuildHookInterface):
    """Write the package into a folder of its own before Hatchling packs it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="podium-wheel-"))
        package = self._folder / "podium"
        if version == "editable":
            package.mkdir()
            (package / "__init__.py").write_text(EDITABLE.format(root=self.root), encoding="utf-8")
            build_data["force_include_editable"][str(package)] = "podium"
        else:
            write_package(Path(self.root), package)
            build_data["force_include"][str(package)] = "podium"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
