"""A figure as a file of its own: one HTML page that holds all it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from analysis.escaping import as_html
from dashboard.figures.theme import alt_text, as_exported, paper


def figure_page(figure: go.Figure, title: str, config: Mapping[str, Any]) -> str:
    """Return a page with the figure, its text for those who cannot see it, and Plotly itself.

    The page is as light or dark as the figure, and loads nothing from anywhere.
    """
    exported = go.Figure(as_exported(figure))
    drawing = exported.to_html(full_html=False, include_plotlyjs=True, config=dict(config))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{as_html(title)}</title>
<style>body {{ margin: 1rem; background: {paper(figure)}; }}</style>
</head>
<body>
<main role="img" aria-label="{as_html(alt_text(figure))}">
{drawing}
</main>
</body>
</html>
"""
