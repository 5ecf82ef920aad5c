"""Tables that hold p-values: shown as papers write them, sorted and downloaded as numbers."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler

from analysis.wording import is_p_value, p_number

MOST_CELLS = 60_000
"""Cells past which a table is shown without a style, which the browser takes long to lay out."""


def with_p_values(frame: pd.DataFrame) -> pd.DataFrame | Styler:
    """Return a table for `st.dataframe` in which no p-value shows as 0."""
    columns = [name for name in frame if is_p_value(name)]
    if not columns or frame.size > MOST_CELLS:
        return frame
    return frame.style.format(_shown, subset=columns)


def _shown(p: Any) -> str:
    return p_number(float(p))
