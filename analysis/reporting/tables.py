"""Tables for papers (LaTeX) and spreadsheets (CSV); names from data stay text in both."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "†": r"$\dagger$",
        "‡": r"$\ddagger$",
        "κ": r"$\kappa$",
        "–": "--",
        "\n": " ",
        "\r": " ",
    }
)
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def to_latex(
    frame: pd.DataFrame, *, decimals: int = 3, caption: str = "", comments: Sequence[str] = ()
) -> str:
    r"""Return a ``tabular`` between ``\toprule`` and ``\bottomrule`` (package booktabs).

    >>> print(to_latex(pd.DataFrame({"system": ["a_b"], "score": [.5]})).splitlines()[4])
    a\_b & 0.500 \\
    """
    alignment = "".join(
        "r" if pd.api.types.is_numeric_dtype(frame[name]) else "l" for name in frame.columns
    )
    lines = [f"% {line}" for comment in comments if comment for line in comment.splitlines()]
    header = " & ".join(escape_latex(str(name)) for name in frame.columns)
    lines += [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", rf"{header} \\", r"\midrule"]
    lines += [
        " & ".join(_latex_cell(value, decimals) for value in row) + r" \\"
        for row in frame.itertuples(index=False)
    ]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if caption:
        lines = [r"\begin{table}", *lines, rf"\caption{{{escape_latex(caption)}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def escape_latex(text: str) -> str:
    """Return text that LaTeX prints as it stands."""
    return text.translate(_LATEX)


def to_csv(frame: pd.DataFrame) -> str:
    """Return CSV that a spreadsheet opens without running a name as a formula.

    >>> to_csv(pd.DataFrame({"system": ["=1+1"], "score": [-.5]})).splitlines()[1]
    "'=1+1,-0.5"
    """
    safe = frame.copy()
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = [guard_formula(v) if isinstance(v, str) else v for v in safe[name]]
    return safe.to_csv(index=False, lineterminator="\n")


def guard_formula(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would take for a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _latex_cell(value: object, decimals: int) -> str:
    if value is pd.NA or value is None or value != value:
        return "--"
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    return escape_latex(str(value))
