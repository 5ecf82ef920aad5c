"""Sets LaTeX as a paper would, and says what went wrong; several test modules use it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

needs_latex = pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="pdflatex is not installed"
)
HEAD = (
    r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}"
    r"\usepackage[textwidth=6.5in]{geometry}\usepackage{booktabs,graphicx}"
    "\n\\begin{document}\n"
)


def set_in_latex(tables: Sequence[str], folder: Path) -> None:
    """Set tables on pages of their own; none may fail, or run over a line."""
    source = HEAD + "\n\\clearpage\n".join(tables) + "\\end{document}\n"
    (folder / "tables.tex").write_text(source, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"],
        cwd=folder, capture_output=True, timeout=240, check=False,
    )  # fmt: skip
    log = (folder / "tables.log").read_text(errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull" not in log, [line for line in log.splitlines() if "Overfull" in line][:5]
