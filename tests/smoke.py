"""Every command and every page of the core, once: ``python -m tests.smoke``.

Prints one JSON object: what each command's help and answer say, and what each page shows.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from pathlib import Path

from analysis.cli import main
from analysis.cli.commands import CORE
from dashboard.navigation import PAGES
from tests.opening import open_address

SAMPLE = "sample:wmt14-cs-en"
SHORT = ["--method", "expected-wins", "--segments", "1-60"]
WORDS: dict[str, list[str]] = {
    "summary": [SAMPLE],
    "rank": [SAMPLE, *SHORT],
    "rank --pairs": [SAMPLE, *SHORT],
    "rank --all-pairs": [SAMPLE, *SHORT],
    "compare": [SAMPLE, "--methods", "bojar,orig-wmt", "--segments", "1-60"],
    "what-if": [SAMPLE, *SHORT],
    "agreement": [SAMPLE, "--segments", "1-60"],
    "judges": [SAMPLE, "--segments", "1-60"],
    "report": [SAMPLE, "-o", "{folder}/report.html", *SHORT],
    "plan": [SAMPLE, *SHORT],
    "batch": [SAMPLE, "--tasks", "2", "--segments", "1-60"],
    "convert": [SAMPLE, "--to", "arena", "-o", "{folder}/out.csv"],
}
"""What is asked of those commands whose answer is smoke enough; of the others, their help."""


def said_by(words: list[str]) -> str:
    """Return what a command prints; it must end well."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            code = main(words)
        except SystemExit as end:  # --help ends so
            code = int(end.code or 0)
    assert code == 0, words
    return printed.getvalue()


def shown_on(address: str) -> str:
    """Return what a page shows; it must come without an error."""
    app = open_address(address)
    assert not app.exception, (address, app.exception)
    assert not app.error, (address, [error.value for error in app.error])
    return "\n".join(
        str(getattr(element, "value", "")) + str(getattr(element, "label", ""))
        for element in (*app.main, *app.sidebar)
    )


def smoke() -> dict[str, str]:
    """Run all commands and open all pages of the core; return what they say."""
    found = {"--help": said_by(["--help"])}
    with tempfile.TemporaryDirectory() as folder:
        for name in (command.name for command in CORE if not command.now):
            found[f"{name} --help"] = said_by([*name.split(), "--help"])
            if name not in WORDS:
                continue
            words = [word.replace("{folder}", folder) for word in WORDS[name]]
            found[name] = said_by([name, *words]).replace(folder, str(Path()))
    found |= {f"page {page.address}": shown_on(page.address) for page in PAGES}
    return found


if __name__ == "__main__":
    print(json.dumps(smoke()))
