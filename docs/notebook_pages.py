"""Shows the notebooks as pages of the site: a cell's code, then its table, picture or text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page per notebook; MkDocs calls this."""
    for path in sorted(Path(config.docs_dir, "notebooks").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        text = "\n\n".join(_cell(cell) for cell in notebook["cells"])
        text += f"\n\n[Download this notebook]({path.name})\n"
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
    return files


def _cell(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    shown = [_output(output["data"]) for output in cell["outputs"]]
    return "\n\n".join([f"```python\n{source}\n```", *shown])


def _output(data: dict[str, Any]) -> str:
    text = {kind: "".join(lines) for kind, lines in data.items()}
    found = text.get("text/html") or text.get("image/svg+xml")
    # A blank line would end the block of HTML.
    lines = [line for line in (found or "").splitlines() if line.strip()]
    return (
        "\n".join(["<div>", *lines, "</div>"]) if found else f"```text\n{text['text/plain']}\n```"
    )
