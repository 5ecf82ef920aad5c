"""Every color is written once; what must repeat it says the same."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from dashboard.design import CSS, PALETTE, THEME, Mode

ROOT = Path(__file__).resolve().parents[2]
HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_theme_of_the_widgets_has_the_colors_of_the_figures(mode: Mode) -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    written = config["theme"][mode]
    written["sidebar"] = {
        name: value for name, value in written["sidebar"].items() if HEX.match(str(value))
    }
    assert written == THEME[mode]
    assert written["chartCategoricalColors"] == list(PALETTE[mode])


def test_no_color_is_written_anywhere_else() -> None:
    places = {
        path.relative_to(ROOT).as_posix()
        for top in ("analysis", "dashboard")
        for path in (ROOT / top).rglob("*.py")
        if HEX.search(path.read_text())
    }
    assert places == {"analysis/colors.py", "dashboard/design.py"}


def test_the_rules_of_css_are_whole() -> None:
    assert CSS.count("{") == CSS.count("}")
    assert "{{" not in CSS
