"""The notebooks of the documentation show what their cells give today."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.docs.notebooks import FOLDER, NOTEBOOKS, run_notebook


def without_pictures(notebook: dict[str, Any]) -> dict[str, Any]:
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            output["data"].pop("image/svg+xml", None)
    return notebook


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_shows_what_its_file_has(name: str) -> None:
    """Written again by ``python -m tests.docs.notebooks``."""
    kept = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert "<svg" in json.dumps(kept)
    again = json.loads(json.dumps(run_notebook(NOTEBOOKS[name])))
    assert without_pictures(again) == without_pictures(kept)
