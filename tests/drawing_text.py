"""What a test can say of all the text in a figure."""

from __future__ import annotations

import json

import plotly.graph_objects as go
from plotly.utils import PlotlyJSONEncoder


def drawn_text(figure: go.Figure) -> str:
    """Return all of a figure that is drawn, as text with every character as it stands.

    The figure's own `to_json` writes ``<`` as an escape and its `str` leaves the middle out, so
    that neither holds a tag even where it is drawn. The alt text, which nobody renders, is left
    out.
    """
    parts = figure.to_plotly_json()
    parts["layout"] = {key: part for key, part in parts["layout"].items() if key != "meta"}
    return json.dumps(parts, cls=PlotlyJSONEncoder, ensure_ascii=False)
