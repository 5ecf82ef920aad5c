"""Plotly JSON read by names: what a figure does not say is None, or an empty part of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

GROUPS = frozenset(
    (
        "layout", "template", "margin", "font", "title", "textfont", "tickfont", "marker", "line",
        "colorbar", "legend", "error_x", "error_y",
    )
)  # fmt: skip
"""Names that stand for parts with parts, so that they can be read where nothing was said."""


class Part:
    """A dictionary of Plotly JSON: ``part.line.color`` is None if no color was given."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def __getitem__(self, name: str) -> Any:
        value = self._data.get(name)
        if value is None:
            return Part({}) if name in GROUPS else None
        if isinstance(value, Mapping) and "bdata" not in value:
            return Part(value)
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            return [Part(one) for one in value]
        return value

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def group(self, name: str) -> Part:
        """Return a part that may be missing, such as an axis."""
        return Part(self._data.get(name) or {})
